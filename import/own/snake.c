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

static const char *const LAW_NAME[] = {
#define X(code, name) name,
    FA_GROUND_LAW_LIST(X)
#undef X
};

// Refuses a number that means nothing on this ground.
static fa_status check_law(const snake *s, const fa_xml_element *e, fa_snake_scope scope,
                           const fa_snake_number *n)
{
    static const char *const takes[] = {"rolling-viscous, rolling-coulomb, rolling-width and grip",
                                        "tangential, normal and spin",
                                        "forward, backward, sideways and slip-speed",
                                        ("slip-speed, rolling-viscous, rolling-coulomb, "
                                         "rolling-width and grip")};
    const fa_ground_law      law = s->robot->snake.law;
    const fa_xml_attribute  *found = fa_xml_find(e, n->xml);
    if (!found || fa_snake_is_of_law(n, scope, law)) return FA_OK;
    for (fa_snake_number own = {0}; fa_snake_next(scope, &own);) // of the same word
        if (fa_snake_is_of_law(&own, scope, law) && strcmp(own.xml, n->xml) == 0) return FA_OK;
    return FAIL(s, found->place,
                "%s of %s means nothing on ground of the law '%s', which takes %s; "
                "remove it, or say another law",
                n->xml, fa_xml_about(e).text, LAW_NAME[law], takes[law]);
}

// The numbers of elements that this says: of a link or its joint, or of the whole.
static fa_status read_numbers(const snake *s, const fa_xml_element *e, fa_snake_scope scope,
                              fa_link *link)
{
    fa_snake_options *options = &s->robot->snake;
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);) {
        if (scope == FA_SNAKE_OF_INPUT && n.input != options->input) continue;
        if (scope == FA_SNAKE_OF_INPUT && !fa_snake_is_of_drive(&n, options)) continue;
        const fa_status right = check_law(s, e, scope, &n);
        if (right != FA_OK) return right;
        if (!fa_snake_is_of_law(&n, scope, options->law)) continue;
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
                             {"radius", &segment->radius, 1},
                             {"inertia", &link->inertia.zz, 1}};
    fa_status      status = fa_read_fields(s->xml, e, list, sizeof list / sizeof *list, s->error);
    if (status == FA_OK) status = read_numbers(s, e, FA_SNAKE_EACH_WHEEL, link);
    if (status == FA_OK) status = read_numbers(s, e, FA_SNAKE_EACH_FOOT, link);
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

// Reads the template of the links, before these exist.
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

// Refuses the number of a servo where the gait is prescribed, and the other way round.
static fa_status check_drive(const snake *s, const fa_xml_element *e, const fa_snake_number *n)
{
    const fa_xml_attribute *found = fa_xml_find(e, n->xml);
    const bool              told = s->robot->snake.gait_told;
    if (!found || fa_snake_is_of_drive(n, &s->robot->snake)) return FA_OK;
    return FAIL(s, found->place,
                "a gait with drive=\"%s\" has no %s; remove it, or take drive=\"%s\"",
                told ? "prescribed" : "servo", n->xml, told ? "servo" : "prescribed");
}

// The numbers of a kind, and what they must be; none of another kind may be there.
static fa_status check_input(const snake *s, const fa_xml_element *e, fa_snake_input kind)
{
    const fa_xml_attribute *joints = fa_xml_find(e, "joints"), *drive = fa_xml_find(e, "drive");
    fa_status               status = FA_OK;
    if (drive && kind != FA_SNAKE_GAIT) return says_too_much(s, drive, kind, FA_SNAKE_GAIT);
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_OF_INPUT, &n) && status == FA_OK;) {
        if (n.input == kind) status = check_drive(s, e, &n);
        if (status != FA_OK || (n.input == kind && !fa_snake_is_of_drive(&n, &s->robot->snake)))
            continue;
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

// "1 4", or "all", of a snake that slides: any number of joints, each marked.
static fa_status read_marked(const snake *s, const fa_xml_element *e)
{
    const fa_xml_attribute *found = fa_xml_find(e, "joints");
    fa_robot               *robot = s->robot;
    const bool              all = strcmp(found->value, "all") == 0;
    const char             *c = found->value;
    robot->snake.every.segment.prescribed = all;
    for (int k = 1; all && k < robot->n_links; k++) robot->link[k].segment.prescribed = true;
    while (!all && *c) {
        char      *end;
        const long joint = strtol(c, &end, 10);
        if (end == c && strspn(c, " \t\r\n") == strlen(c)) break;
        if (end == c || (*end && !strchr(" \t\r\n", *end)))
            return FAIL(s, found->value_place,
                        "joints of <input> is '%.40s'; write numbers from 1 to %d, or all",
                        found->value, robot->n_links - 1);
        if (joint < 1 || joint >= robot->n_links)
            return FAIL(s, found->value_place,
                        "joint %ld is prescribed, but the snake's joints are 1 to %d", joint,
                        robot->n_links - 1);
        if (robot->link[joint].segment.prescribed)
            return FAIL(s, found->value_place, "joint %ld is prescribed twice; name it once",
                        joint);
        robot->link[joint].segment.prescribed = true;
        c = end;
    }
    return FA_OK;
}

// "1 4": joints by their numbers. How many there may be is a rule on robots.
static fa_status read_prescribed(const snake *s, const fa_xml_element *e, fa_snake_options *options)
{
    const fa_xml_attribute *found = fa_xml_find(e, "joints");
    int                     n = 0;
    if (fa_robot_is_sliding(s->robot)) return read_marked(s, e);
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
    options->gait_told = options->input == FA_SNAKE_GAIT && says(e, "drive", "prescribed");
    fa_status status = check_input(s, e, options->input);
    if (status == FA_OK) status = read_numbers(s, e, FA_SNAKE_OF_INPUT, NULL);
    if (status == FA_OK && options->input == FA_SNAKE_PRESCRIBED)
        status = read_prescribed(s, e, options);
    return status;
}

// A number for each link, times a unit.
static fa_status read_each(const snake *s, const fa_xml_element *e, const char *name, double x[])
{
    const size_t n = (size_t)s->robot->n_links;
    fa_status    status = fa_read_numbers(s->xml, e, name, (int)n, x, FA_REQUIRED, s->error);
    for (size_t k = 0; k < n && status == FA_OK && s->angle != 1; k++) x[k] *= s->angle;
    return status;
}

// Reads the initial motion: that of the base on wheels, of all links if sliding.
static fa_status read_motion(const snake *s, const fa_xml_element *e)
{
    static const char *const words[2][2] = {{"velocity", "rates"}, {"speed", "rate"}};
    fa_robot                *robot = s->robot;
    fa_snake_options        *options = &robot->snake;
    const bool               sliding = fa_robot_is_sliding(robot);
    double                   velocity[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const fa_xml_attribute *other = fa_xml_find(e, words[sliding][i]);
        if (other)
            return FAIL(s, other->place,
                        sliding
                            ? "%s of <start> is of snakes on ideal wheels; give velocity (of the "
                              "wheel of link 1, world axes) and rates (of all links)"
                            : "%s of <start> is of snakes that slide; give speed and rate of the "
                              "base link",
                        other->name);
    }
    fa_status status = fa_read_numbers(s->xml, e, "velocity", 2, velocity, FA_OPTIONAL, s->error);
    options->velocity_x = velocity[0];
    options->velocity_y = velocity[1];
    if (status != FA_OK || !fa_xml_find(e, "rates")) return status;
    double *rate = malloc((size_t)robot->n_links * sizeof *rate);
    if (!rate)
        return fa_fail(s->error, FA_NO_MEMORY, s->xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", robot->n_links);
    status = read_each(s, e, "rates", rate);
    for (int k = 0; k < robot->n_links && status == FA_OK; k++)
        robot->link[k].segment.initial_rate = rate[k];
    free(rate);
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
    if (status == FA_OK) status = read_motion(s, e);
    if (status != FA_OK || !fa_xml_find(e, "angles")) return status;
    double *angle = malloc(n * sizeof *angle);
    if (!angle)
        return fa_fail(s->error, FA_NO_MEMORY, s->xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", robot->n_links);
    status = read_each(s, e, "angles", angle);
    for (size_t k = 0; k < n && status == FA_OK; k++)
        robot->link[k].segment.initial_angle = angle[k];
    free(angle);
    options->in_gait = false;
    return status;
}

// --------------------------------------------------------------------------------- the ground

static int said_as(const snake *s, const fa_xml_element *e, const char *name,
                   const char *const words[], int n)
{
    (void)s;
    for (int i = 0; i < n; i++)
        if (says(e, name, words[i])) return i;
    return -1;
}

// The law, before any of its numbers: what kind of plant this is.
static fa_status read_law(const snake *s)
{
    static const char *const spreads[] = {"centre", "wheel", "2", "3", "4", "5", "6", "7"};
    fa_robot                *robot = s->robot;
    const fa_xml_element    *ground;
    const fa_status          status =
        fa_read_child(s->xml, s->xml->root, "ground", FA_OPTIONAL, &ground, s->error);
    if (status != FA_OK || !ground) return status;
    const int               law = said_as(s, ground, "law", LAW_NAME, FA_GROUND_LAW_COUNT);
    const int               spread = said_as(s, ground, "spread", spreads, FA_SPREAD_MOST + 1);
    const fa_xml_attribute *found = fa_xml_find(ground, "spread");
    robot->snake.ground_place = ground->place;
    robot->snake.law = (fa_ground_law)law;
    robot->snake.spread = spread < 0 ? FA_SPREAD_CENTRE : spread;
    strcpy(robot->plant, law == FA_GROUND_IDEAL ? "rolling-snake" : "sliding-snake");
    if (found && (law == FA_GROUND_IDEAL || law == FA_GROUND_WHEEL))
        return FAIL(
            s, found->place,
            "spread is of the laws viscous and coulomb; on wheels, the ground acts at them");
    return FA_OK;
}

// The law's numbers, of all links and shared.
static fa_status read_ground(const snake *s)
{
    fa_robot             *robot = s->robot;
    const fa_xml_element *ground;
    fa_status             status =
        fa_read_child(s->xml, s->xml->root, "ground", FA_OPTIONAL, &ground, s->error);
    if (status != FA_OK || !ground) return status;
    status = read_numbers(s, ground, FA_SNAKE_ALL_FEET, NULL);
    if (status == FA_OK) status = read_numbers(s, ground, FA_SNAKE_EACH_FOOT, &robot->snake.every);
    for (int k = 0; k < robot->n_links && status == FA_OK; k++)
        status = read_numbers(s, ground, FA_SNAKE_EACH_FOOT, &robot->link[k]);
    return status;
}

// A snake that slides as easily backwards as forwards, where nothing else is said.
static void finish_feet(fa_robot *robot)
{
    for (int k = -1; k < robot->n_links; k++) {
        fa_link                *link = k < 0 ? &robot->snake.every : &robot->link[k];
        fa_coulomb_ground_data *law = &link->segment.feet.coulomb_ground;
        if (isnan(law->backward)) law->backward = law->forward;
    }
}

// The numbers of an element, from attributes of their words; `unit`: of the angles among them.
static fa_status read_listed(const snake *s, const fa_xml_element *e, const fa_element *list,
                             double x[])
{
    fa_status status = FA_OK;
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++) {
        const fa_item *item = &list->item[i];
        const fa_field one = {item->xml, &x[i], item->unit == FA_UNIT_RADIAN ? s->angle : 1};
        status = fa_read_fields(s->xml, e, &one, 1, s->error);
    }
    return status;
}

static fa_status read_patch(const snake *s, const fa_xml_element *e, fa_thing *thing)
{
    static const char *const of_disc[] = {"width", "height", "angle"};
    static const char *const of_rectangle[] = {"radius"};
    fa_patch_data           *patch = &thing->patch;
    double                   scale = 1;
    const bool               rectangle = says(e, "shape", "rectangle");
    const fa_field           both = {"scale", &scale, 1};
    fa_status                status = fa_read_fields(s->xml, e, &both, 1, s->error);
    patch->present = true;
    patch->rectangle = rectangle;
    patch->scale_tangential = patch->scale_normal = scale;
    for (int i = 0; i < (rectangle ? 1 : 3); i++) {
        const char             *word = rectangle ? of_rectangle[i] : of_disc[i];
        const fa_xml_attribute *found = fa_xml_find(e, word);
        if (found)
            return FAIL(s, found->place, "a patch that is a %s has no %s; remove it",
                        rectangle ? "rectangle" : "disc", word);
    }
    if (status == FA_OK) status = read_listed(s, e, &fa_elements[FA_ELEMENT_patch], &patch->x);
    return status;
}

static fa_status read_obstacle(const snake *s, const fa_xml_element *e, fa_thing *thing)
{
    const fa_field list[] = {
        {"x", &thing->x, 1}, {"y", &thing->y, 1}, {"radius", &thing->radius, 1}};
    double    normal[2] = {0, 0};
    fa_status status = fa_read_fields(s->xml, e, list, sizeof list / sizeof *list, s->error);
    if (status == FA_OK)
        status = fa_read_numbers(s->xml, e, "normal", 2, normal, FA_OPTIONAL, s->error);
    thing->hx = normal[0];
    thing->hy = normal[1];
    return status;
}

static const char *const THING_NAME[] = {
#define X(code, name) name,
    FA_THING_LIST(X)
#undef X
};

static int thing_kind(const fa_xml_element *e)
{
    for (int kind = 0; kind < FA_THING_COUNT; kind++)
        if (strcmp(e->name, THING_NAME[kind]) == 0) return kind;
    return -1;
}

static int count_things(const fa_xml *xml)
{
    int n = 0;
    for (const fa_xml_element *e = xml->root->first; e; e = e->next) n += thing_kind(e) >= 0;
    return n;
}

// Patches, pegs, walls, and the contact with these.
static fa_status read_things(const snake *s)
{
    fa_robot             *robot = s->robot;
    const fa_xml_element *contact;
    int                   n = 0;
    fa_status             status =
        fa_read_child(s->xml, s->xml->root, "contact", FA_OPTIONAL, &contact, s->error);
    if (status == FA_OK && contact) {
        robot->snake.touch.present = true;
        robot->snake.touch_place = contact->place;
        status =
            read_listed(s, contact, &fa_elements[FA_ELEMENT_touch], &robot->snake.touch.stiffness);
    }
    for (const fa_xml_element *e = s->xml->root->first; e && status == FA_OK; e = e->next) {
        const int kind = thing_kind(e);
        if (kind < 0) continue;
        fa_thing *thing = &fa_robot_things(robot)[n++];
        thing->kind = (fa_thing_kind)kind;
        thing->place = e->place;
        status = fa_read_name(s->xml, e, "name", thing->name, s->error);
        if (status != FA_OK) break;
        status = kind == FA_THING_PATCH ? read_patch(s, e, thing) : read_obstacle(s, e, thing);
    }
    return status;
}

// ---------------------------------------------------------------------------------- the whole

static fa_status read_snake(const snake *s)
{
    const fa_xml_element *root = s->xml->root, *input, *start;
    fa_robot             *robot = s->robot;
    double                gravity = -robot->gravity.z;
    int                   base = 1;
    const fa_field        list[] = {{"gravity", &gravity, 1},
                                    {"slope", &robot->snake.slope, s->angle},
                                    {"slope-direction", &robot->snake.slope_direction, s->angle}};
    robot->tip_link = robot->n_links - 1;
    robot->snake.place = robot->snake.input_place = root->place;
    robot->snake.ground_place = robot->snake.touch_place = root->place;
    fa_status status = fa_read_name(s->xml, root, "name", robot->name, s->error);
    if (status == FA_OK)
        status = fa_read_fields(s->xml, root, list, sizeof list / sizeof *list, s->error);
    if (status == FA_OK) status = read_law(s);
    if (status == FA_OK) status = read_numbers(s, root, FA_SNAKE_ALL_WHEELS, NULL);
    if (status == FA_OK) status = read_whole(s, root, "base", 1, robot->n_links, &base);
    robot->gravity.z = -gravity;
    robot->snake.base = base - 1;
    if (status == FA_OK) status = read_common(s);
    if (status == FA_OK) status = read_ground(s);
    if (status == FA_OK) status = read_overrides(s);
    if (status == FA_OK) status = read_things(s);
    finish_feet(robot);
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
    const int things = count_things(xml);
    if (s.robot && things > 0) {
        fa_robot *with = fa_robot_with_things(s.robot, things);
        if (!with) free(s.robot);
        s.robot = with;
    }
    if (!s.robot)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", n);
    for (int k = -1; k < n; k++) // not said
        (k < 0 ? &s.robot->snake.every : &s.robot->link[k])->segment.feet.coulomb_ground.backward =
            NAN;
    status = read_snake(&s);
    if (status == FA_OK)
        *robot = s.robot;
    else
        free(s.robot);
    return status;
}
