// Our own <snake> XML: a planar snake on wheels. resources/schema/snake.xsd is the reference of the
// format; a tree that comes here has been held against it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "values.h"

typedef struct snake {
    const fa_xml *xml;
    fa_error     *error;
    double        angle; // one unit of angle in the file [rad]
    fa_robot     *robot;
} snake;

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

#define FAIL(s, place, ...) fa_fail((s)->error, FA_BAD_INPUT, (s)->xml->path, place, __VA_ARGS__)

typedef struct field {
    const char *name;
    double     *value;
    double      unit;
} field;

static fa_status read_fields(const snake *s, const fa_xml_element *e, const field list[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!fa_xml_find(e, list[i].name)) continue;
        fa_status status =
            fa_read_number(s->xml, e, list[i].name, list[i].value, FA_OPTIONAL, s->error);
        if (status != FA_OK) return status;
        if (list[i].unit != 1) *list[i].value *= list[i].unit;
    }
    return FA_OK;
}

#define READ_FIELDS(s, e, list) read_fields(s, e, list, sizeof list / sizeof *list)

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
    fa_segment *segment = &link->segment;
    double      com[2] = {link->com.x, link->com.y};
    const field list[] = {{"length", &segment->length, 1},
                          {"wheel", &segment->wheel, 1},
                          {"mass", &link->mass, 1},
                          {"inertia", &link->inertia.zz, 1},
                          {"rolling-viscous", &segment->viscous, 1},
                          {"rolling-coulomb", &segment->coulomb, 1},
                          {"grip", &segment->grip, 1}};
    fa_status   status = READ_FIELDS(s, e, list);
    if (status == FA_OK) status = fa_read_numbers(s->xml, e, "com", 2, com, FA_OPTIONAL, s->error);
    link->com = vec3(com[0], com[1], 0);
    link->place = e->place;
    return status;
}

static fa_status read_joint(const snake *s, const fa_xml_element *e, fa_joint *joint)
{
    const field list[] = {{"viscous", &joint->friction.viscous, 1},
                          {"stiffness", &joint->spring.stiffness, 1},
                          {"rest", &joint->spring.rest, s->angle},
                          {"rotor-inertia", &joint->rotor.inertia, 1},
                          {"gear", &joint->rotor.gear, 1},
                          {"limit", &joint->limit.upper, s->angle},
                          {"stop-stiffness", &joint->stop.stiffness, 1},
                          {"stop-damping", &joint->stop.damping, 1}};
    fa_status   status = READ_FIELDS(s, e, list);
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
    return read_joint(s, joint, &every->joint);
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
        status = read_joint(s, joint, &robot->link[k].joint);
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
            status = read_joint(s, e, &s->robot->link[index].joint);
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

// Which attributes belong to which kind, as a set.
static const struct {
    const char *name;
    unsigned    kinds, required;
} INPUT_ATTRIBUTE[] = {
#define KIND(kind) (1u << FA_SNAKE_##kind)
    {"resistance", KIND(VOLTAGE), 1}, {"torque-constant", KIND(VOLTAGE), 1},
    {"back-emf", KIND(VOLTAGE), 0},   {"amplitude", KIND(GAIT), 1},
    {"frequency", KIND(GAIT), 1},     {"shift", KIND(GAIT), 0},
    {"bias", KIND(GAIT), 0},          {"phase", KIND(GAIT), 0},
    {"stiffness", KIND(GAIT), 1},     {"damping", KIND(GAIT), 0},
    {"joints", KIND(PRESCRIBED), 1},  {"bandwidth", KIND(PRESCRIBED) | KIND(SPEEDS), 0},
#undef KIND
};

static const char *const INPUT_NAME[] = {
#define X(code, name) name,
    FA_SNAKE_INPUT_LIST(X)
#undef X
};

static fa_status check_input(const snake *s, const fa_xml_element *e, fa_snake_input kind)
{
    for (size_t i = 0; i < sizeof INPUT_ATTRIBUTE / sizeof *INPUT_ATTRIBUTE; i++) {
        const char             *name = INPUT_ATTRIBUTE[i].name;
        const fa_xml_attribute *found = fa_xml_find(e, name);
        const bool              belongs = INPUT_ATTRIBUTE[i].kinds >> kind & 1u;
        int                     other = 0;
        while (!(INPUT_ATTRIBUTE[i].kinds >> other & 1u)) other++;
        if (found && !belongs)
            return FAIL(s, found->place,
                        "an input of the kind '%s' has no %s; remove it, or make the kind '%s'",
                        INPUT_NAME[kind], name, INPUT_NAME[other]);
        if (!found && belongs && INPUT_ATTRIBUTE[i].required)
            return FAIL(s, e->place, "an input of the kind '%s' needs %s; add %s=\"…\"",
                        INPUT_NAME[kind], name, name);
    }
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
    fa_snake_gait    *gait = &options->gait;
    fa_snake_motor   *motor = &options->motor;
    const field       list[] = {
              {"resistance", &motor->resistance, 1},     {"torque-constant", &motor->torque_constant, 1},
              {"back-emf", &motor->back_emf, 1},         {"amplitude", &gait->amplitude, s->angle},
              {"frequency", &gait->frequency, s->angle}, {"shift", &gait->shift, s->angle},
              {"bias", &gait->bias, s->angle},           {"phase", &gait->phase, s->angle},
              {"stiffness", &gait->stiffness, 1},        {"damping", &gait->damping, 1},
              {"bandwidth", &options->bandwidth, 1}};
    options->input_place = e->place;
    for (int kind = 0; kind < FA_SNAKE_INPUT_COUNT; kind++)
        if (says(e, "kind", INPUT_NAME[kind])) options->input = (fa_snake_input)kind;
    fa_status status = check_input(s, e, options->input);
    if (status == FA_OK) status = READ_FIELDS(s, e, list);
    if (!fa_xml_find(e, "back-emf")) motor->back_emf = motor->torque_constant;
    if (status == FA_OK && options->input == FA_SNAKE_PRESCRIBED)
        status = read_prescribed(s, e, options);
    return status;
}

static fa_status read_start(const snake *s, const fa_xml_element *e)
{
    fa_robot         *robot = s->robot;
    fa_snake_options *options = &robot->snake;
    const size_t      n = (size_t)robot->n_links;
    const field       list[] = {{"x", &options->x, 1},
                                {"y", &options->y, 1},
                                {"speed", &options->speed, 1},
                                {"rate", &options->rate, s->angle}};
    fa_status         status = READ_FIELDS(s, e, list);
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
    const field           list[] = {{"gravity", &gravity, 1},
                                    {"rolling-width", &robot->snake.rolling_width, 1}};
    robot->tip_link = robot->n_links - 1;
    robot->snake.place = robot->snake.input_place = root->place;
    fa_status status = fa_read_name(s->xml, root, "name", robot->name, s->error);
    if (status == FA_OK) status = READ_FIELDS(s, root, list);
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
