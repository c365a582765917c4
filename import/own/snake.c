// Our own <snake> XML: a planar snake on wheels. resources/schema/snake.xsd is the reference of the
// format; a tree that comes here has been held against it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "snake_lists.h"
#include "values.h"

typedef struct snake {
    const fa_xml *xml;
    fa_error     *error;
    double        angle; // one unit of angle in the file [rad]
    fa_robot     *robot;
} snake;

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

#define FAIL(s, place, ...) fa_fail((s)->error, FA_BAD_INPUT, (s)->xml->path, place, __VA_ARGS__)

// The numbers of elements that this says: of a link or its joint, or of the whole.
static fa_status read_numbers(const snake *s, const fa_xml_element *e, fa_snake_scope scope,
                              fa_link *link)
{
    fa_snake_options *options = &s->robot->snake;
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);) {
        if (scope == FA_SNAKE_OF_INPUT && n.input != options->input) continue;
        const fa_unit unit = fa_element_unit(n.list, n.item, NULL, false);
        const bool    angle = unit == FA_UNIT_RADIAN || unit == FA_UNIT_RADIAN_PER_SECOND;
        double *x = link ? fa_snake_number_of_link(&n, link) : fa_snake_number_of_all(&n, options);
        const fa_field  one = {n.xml, x, angle ? s->angle : 1};
        const fa_status status = fa_read_fields(s->xml, e, &one, 1, s->error);
        const double    otherwise = link ? (double)NAN : fa_snake_follows(&n, options);
        if (status != FA_OK) return status;
        if (!fa_xml_find(e, n.xml) && !isnan(otherwise)) *x = otherwise;
    }
    return FA_OK;
}

// A whole number from `low` to `high`; *value stays where the attribute is absent.
static fa_status read_whole(const snake *s, const fa_xml_element *e, const char *name, int low,
                            int high, int *value)
{
    const fa_xml_attribute *found = fa_xml_find(e, name);
    double                  number = *value;
    fa_status status = fa_read_number(s->xml, e, name, &number, FA_OPTIONAL, s->error);
    if (status != FA_OK || !found) return status;
    if (!(number >= low && number <= high) || number != floor(number))
        return FAIL(s, found->value_place,
                    "%s of %s is %.40s; it must be a whole number from %d to %d", name,
                    fa_xml_about(e).text, found->value, low, high);
    *value = (int)number;
    return FA_OK;
}

// ------------------------------------------------------------------------------- links and joints

static fa_status read_link(const snake *s, const fa_xml_element *e, fa_link *link)
{
    fa_segment    *segment = &link->segment;
    double         com[2] = {link->com.x, link->com.y};
    const fa_field list[] = {{"length", &segment->length, 1},
                             {"wheel", &segment->wheel, 1},
                             {"mass", &link->mass, 1},
                             {"inertia", &link->inertia.zz, 1}};
    fa_status      status = fa_read_fields(s->xml, e, list, sizeof list / sizeof *list, s->error);
    if (status == FA_OK) status = read_numbers(s, e, FA_SNAKE_EACH_WHEEL, link);
    if (status == FA_OK) status = fa_read_numbers(s->xml, e, "com", 2, com, FA_OPTIONAL, s->error);
    link->com = vec3(com[0], com[1], 0);
    link->place = e->place;
    return status;
}

static fa_status read_joint(const snake *s, const fa_xml_element *e, fa_link *link)
{
    fa_joint       *joint = &link->joint;
    const fa_status status = read_numbers(s, e, FA_SNAKE_EACH_JOINT, link);
    joint->limit.lower = -joint->limit.upper;
    joint->place = e->place;
    return status;
}

static bool says(const fa_xml_element *e, const char *attribute, const char *value)
{
    const fa_xml_attribute *found = fa_xml_find(e, attribute);
    return found && strcmp(found->value, value) == 0;
}

// What links would be like that are not there yet.
static fa_status read_template(const snake *s, const fa_xml_element *link,
                               const fa_xml_element *joint)
{
    fa_link *every = &s->robot->snake.every;
    every->segment.wheel = NAN; // not said
    fa_status status = read_link(s, link, every);
    if (isnan(every->segment.wheel)) every->segment.wheel = every->segment.length / 2;
    if (status != FA_OK || !joint) return status;
    every->joint.stop.present = !says(joint, "stops", "no");
    return read_joint(s, joint, every);
}

// <every> and <every-joint>: read once and copied.
static fa_status read_common(const snake *s)
{
    fa_robot             *robot = s->robot;
    const fa_xml_element *link, *joint;
    fa_status status = fa_read_child(s->xml, s->xml->root, "every", FA_REQUIRED, &link, s->error);
    if (status == FA_OK)
        status = fa_read_child(s->xml, s->xml->root, "every-joint", FA_OPTIONAL, &joint, s->error);
    if (status == FA_OK) status = read_template(s, link, joint);
    for (int k = 0; k < robot->n_links && status == FA_OK; k++) {
        robot->link[k].segment.wheel = NAN; // not said
        status = read_link(s, link, &robot->link[k]);
        if (status != FA_OK || k == 0) continue;
        robot->link[k].joint.place = s->xml->root->place;
        if (!joint) continue;
        status = read_joint(s, joint, &robot->link[k]);
        robot->link[k].joint.stop.present = !says(joint, "stops", "no");
    }
    return status;
}

// <link> and <joint>, which each may change once.
static fa_status read_overrides(const snake *s)
{
    const int n = s->robot->n_links;
    bool     *changed = calloc(2 * (size_t)n + 2, sizeof *changed);
    fa_status status = FA_OK;
    if (!changed)
        return fa_fail(s->error, FA_NO_MEMORY, s->xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", n);
    for (const fa_xml_element *e = s->xml->root->first; e && status == FA_OK; e = e->next) {
        const bool link = strcmp(e->name, "link") == 0;
        int        index = 0;
        if (!link && strcmp(e->name, "joint") != 0) continue;
        status = read_whole(s, e, "index", 1, link ? n : n - 1, &index);
        if (status != FA_OK) break;
        bool *seen = &changed[2 * index + link];
        if (*seen)
            status =
                FAIL(s, e->place, "%s %d is described twice; put both together", e->name, index);
        else if (link)
            status = read_link(s, e, &s->robot->link[index - 1]);
        else
            status = read_joint(s, e, &s->robot->link[index]);
        *seen = true;
    }
    free(changed);
    for (int k = 0; k < n; k++) {
        fa_segment *segment = &s->robot->link[k].segment;
        if (isnan(segment->wheel)) segment->wheel = segment->length / 2;
    }
    return status;
}

// ------------------------------------------------------------------------------ input and start

static const char *const INPUT_NAME[] = {
#define X(code, name) name,
    FA_SNAKE_INPUT_LIST(X)
#undef X
};

static fa_status says_too_little(const snake *s, const fa_xml_element *e, fa_snake_input kind,
                                 const char *name)
{
    return FAIL(s, e->place, "an input of the kind '%s' needs %s; add %s=\"…\"", INPUT_NAME[kind],
                name, name);
}

static fa_status says_too_much(const snake *s, const fa_xml_attribute *found, fa_snake_input kind,
                               fa_snake_input other)
{
    return FAIL(s, found->place,
                "an input of the kind '%s' has no %s; remove it, or make the kind '%s'",
                INPUT_NAME[kind], found->name, INPUT_NAME[other]);
}

// Refuses the number of another kind, unless this one has a number that is called so, too.
static fa_status check_other_kind(const snake *s, const fa_xml_element *e, fa_snake_input kind,
                                  const fa_snake_number *n)
{
    const fa_xml_attribute *found = fa_xml_find(e, n->xml);
    if (!found) return FA_OK;
    for (fa_snake_number own = {0}; fa_snake_next(FA_SNAKE_OF_INPUT, &own);)
        if (own.input == kind && strcmp(own.xml, n->xml) == 0) return FA_OK;
    return says_too_much(s, found, kind, n->input);
}

// The numbers of a kind, and what they must be; none of another kind may be there.
static fa_status check_input(const snake *s, const fa_xml_element *e, fa_snake_input kind)
{
    const fa_xml_attribute *joints = fa_xml_find(e, "joints");
    fa_status               status = FA_OK;
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_OF_INPUT, &n) && status == FA_OK;) {
        if (n.input == kind && n.item->required && !fa_xml_find(e, n.xml))
            status = says_too_little(s, e, kind, n.xml);
        if (n.input != kind) status = check_other_kind(s, e, kind, &n);
    }
    if (status != FA_OK) return status;
    if (kind == FA_SNAKE_PRESCRIBED && !joints) return says_too_little(s, e, kind, "joints");
    if (kind != FA_SNAKE_PRESCRIBED && joints)
        return says_too_much(s, joints, kind, FA_SNAKE_PRESCRIBED);
    return FA_OK;
}

// "1 4": joints by their numbers. How many there may be is a rule on robots.
static fa_status read_prescribed(const snake *s, const fa_xml_element *e, fa_snake_options *options)
{
    const fa_xml_attribute *found = fa_xml_find(e, "joints");
    int                     n = 0;
    for (const char *c = found->value; *c; c++)
        n += !strchr(" \t\r\n", *c) && (c == found->value || strchr(" \t\r\n", c[-1]));
    options->n_prescribed = n;
    if (n < 1 || n > FA_PRESCRIBED_MAX) return FA_OK;
    double    number[FA_PRESCRIBED_MAX] = {0};
    fa_status status = fa_read_numbers(s->xml, e, "joints", n, number, FA_REQUIRED, s->error);
    for (int i = 0; i < n && status == FA_OK; i++) {
        if (number[i] != floor(number[i]) || fabs(number[i]) > FA_LINK_MAX)
            return FAIL(s, found->value_place,
                        "joints of <input> is '%.40s'; joints are numbers "
                        "from 1 to %d",
                        found->value, s->robot->n_links - 1);
        options->prescribed[i] = (int)number[i];
    }
    return status;
}

static fa_status read_input(const snake *s, const fa_xml_element *e)
{
    fa_snake_options *options = &s->robot->snake;
    options->input_place = e->place;
    for (int kind = 0; kind < FA_SNAKE_INPUT_COUNT; kind++)
        if (says(e, "kind", INPUT_NAME[kind])) options->input = (fa_snake_input)kind;
    fa_status status = check_input(s, e, options->input);
    if (status == FA_OK) status = read_numbers(s, e, FA_SNAKE_OF_INPUT, NULL);
    if (status == FA_OK && options->input == FA_SNAKE_PRESCRIBED)
        status = read_prescribed(s, e, options);
    return status;
}

static fa_status read_start(const snake *s, const fa_xml_element *e)
{
    fa_robot         *robot = s->robot;
    fa_snake_options *options = &robot->snake;
    const size_t      n = (size_t)robot->n_links;
    const fa_field    list[] = {{"x", &options->x, 1},
                                {"y", &options->y, 1},
                                {"speed", &options->speed, 1},
                                {"rate", &options->rate, s->angle}};
    fa_status status = fa_read_fields(s->xml, e, list, sizeof list / sizeof *list, s->error);
    if (status != FA_OK || !fa_xml_find(e, "angles")) return status;
    double *angle = malloc(n * sizeof *angle);
    if (!angle)
        return fa_fail(s->error, FA_NO_MEMORY, s->xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", robot->n_links);
    status = fa_read_numbers(s->xml, e, "angles", (int)n, angle, FA_REQUIRED, s->error);
    for (size_t k = 0; k < n && status == FA_OK; k++)
        robot->link[k].segment.initial_angle = s->angle == 1 ? angle[k] : angle[k] * s->angle;
    free(angle);
    options->in_gait = false;
    return status;
}

// ---------------------------------------------------------------------------------- the whole

static fa_status read_snake(const snake *s)
{
    const fa_xml_element *root = s->xml->root, *input, *start;
    fa_robot             *robot = s->robot;
    double                gravity = -robot->gravity.z;
    int                   base = 1;
    const fa_field        list[] = {{"gravity", &gravity, 1}};
    robot->tip_link = robot->n_links - 1;
    robot->snake.place = robot->snake.input_place = root->place;
    fa_status status = fa_read_name(s->xml, root, "name", robot->name, s->error);
    if (status == FA_OK)
        status = fa_read_fields(s->xml, root, list, sizeof list / sizeof *list, s->error);
    if (status == FA_OK) status = read_numbers(s, root, FA_SNAKE_ALL_WHEELS, NULL);
    if (status == FA_OK) status = read_whole(s, root, "base", 1, robot->n_links, &base);
    robot->gravity.z = -gravity;
    robot->snake.base = base - 1;
    if (status == FA_OK) status = read_common(s);
    if (status == FA_OK) status = read_overrides(s);
    if (status == FA_OK)
        status = fa_read_child(s->xml, root, "input", FA_OPTIONAL, &input, s->error);
    if (status == FA_OK && input) status = read_input(s, input);
    robot->snake.in_gait = robot->snake.input == FA_SNAKE_GAIT;
    if (status == FA_OK && robot->snake.in_gait) fa_robot_start_in_gait(robot);
    if (status == FA_OK)
        status = fa_read_child(s->xml, root, "start", FA_OPTIONAL, &start, s->error);
    if (status == FA_OK && start) status = read_start(s, start);
    return status;
}

fa_status fa_snake_read(const fa_xml *xml, fa_robot **robot, fa_error *error)
{
    snake s = {.xml = xml, .error = error, .angle = 1};
    int   n = 0;
    *robot = NULL;
    if (says(xml->root, "angle-unit", "deg")) s.angle = RADIANS_PER_DEGREE;
    fa_status status = read_whole(&s, xml->root, "links", 2, FA_LINK_MAX, &n);
    if (status != FA_OK) return status;
    s.robot = fa_robot_new_snake(n);
    if (!s.robot)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", n);
    status = read_snake(&s);
    if (status == FA_OK)
        *robot = s.robot;
    else
        free(s.robot);
    return status;
}
