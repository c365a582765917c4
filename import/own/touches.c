// <contact>, <obstacle>, <ground> and <line-spring>: of an <arm>, or of a side file to any arm.
// Numbers go by the lists in model/elements; stiffness and dissipation may be said by what they do.
#include <math.h>
#include <string.h>

#include "formats.h"
#include "number.h"
#include "robot_touches.h"
#include "values.h"

typedef struct reader {
    const fa_xml *xml;
    double        angle; // the file's unit of an angle [rad]
    fa_robot     *robot;
    fa_error     *error;
} reader;

#define FAIL(r, place, ...) fa_fail((r)->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

// Returns the index of an attribute's word; 0: the first one, or no attribute.
static int word_of(const fa_xml_element *e, const char *attribute, const char *const words[], int n)
{
    const fa_xml_attribute *found = fa_xml_find(e, attribute);
    for (int i = 0; found && i < n; i++)
        if (strcmp(found->value, words[i]) == 0) return i;
    return 0;
}

static fa_status read_numbers(const reader *r, const fa_xml_element *e, const fa_element *list,
                              bool *present)
{
    fa_status status = FA_OK;
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++)
        status = fa_read_number(r->xml, e, list->item[i].xml, fa_touch_number(present, i),
                                list->item[i].required ? FA_REQUIRED : FA_OPTIONAL, r->error);
    return status;
}

// --------------------------------------------------------------------------------- the surfaces

static fa_status read_ground(const reader *r, const fa_xml_element *parent)
{
    const fa_xml_element *e;
    fa_ground            *ground = &r->robot->ground;
    fa_status status = fa_read_child(r->xml, parent, "ground", FA_OPTIONAL, &e, r->error);
    if (status != FA_OK || !e) return status;
    if (ground->said) return FAIL(r, e->place, "the robot has a ground already; keep one of them");
    ground->said = true;
    status = fa_read_vec3(r->xml, e, "point", &ground->point, FA_OPTIONAL, r->error);
    if (status == FA_OK)
        status = fa_read_vec3(r->xml, e, "normal", &ground->normal, FA_OPTIONAL, r->error);
    if (status != FA_OK || vec3_norm(ground->normal) > 0) return status;
    return FAIL(r, fa_xml_find(e, "normal")->value_place,
                "the normal of the ground is 0 0 0; write where it points, such as 0 0 1");
}

static fa_status read_obstacle(const reader *r, const fa_xml_element *e, fa_obstacle *o)
{
    static const char *const shape[] = {
#define X(code, name) name,
        FA_OBSTACLE_SHAPE_LIST(X)
#undef X
    };
    fa_vec3 rpy = {0, 0, 0};
    o->place = e->place;
    o->shape = (fa_obstacle_shape)word_of(e, "shape", shape, FA_OBSTACLE_SHAPE_COUNT);
    const bool sphere = o->shape == FA_OBSTACLE_SPHERE;
    fa_status  status = fa_read_name(r->xml, e, "name", o->name, r->error);
    if (status == FA_OK && strcmp(o->name, "ground") == 0)
        return FAIL(r, e->place,
                    "an obstacle is called ground, which contacts mean the plane by; "
                    "give it another name");
    if (status == FA_OK) status = fa_read_vec3(r->xml, e, "xyz", &o->pose.r, FA_OPTIONAL, r->error);
    if (status == FA_OK) status = fa_read_vec3(r->xml, e, "rpy", &rpy, FA_OPTIONAL, r->error);
    if (status == FA_OK)
        status = fa_read_number(r->xml, e, "radius", &o->radius, sphere ? FA_REQUIRED : FA_OPTIONAL,
                                r->error);
    if (status == FA_OK)
        status =
            fa_read_vec3(r->xml, e, "size", &o->size, sphere ? FA_OPTIONAL : FA_REQUIRED, r->error);
    o->pose.E = fa_rotation_rpy(vec3_scale(r->angle, rpy));
    return status;
}

// ------------------------------------------------------------------------------------- contacts

// a = dissipation speed, with which an impact ends with a share of its speed: of m x'' = -k x^e (1
// + d x') there is an integral, by which a (1 + share) = log((1 + a) / (1 - share a)).
static double dissipation_of(double share, double speed)
{
    if (share >= 1) return 0;
    double low = 0, high = 1 / share;
    for (int i = 0; i < 200; i++) {
        const double a = 0.5 * (low + high);
        // Between the roots 0 and a the logarithm is the smaller one.
        if (a * (1 + share) > log1p(a) - log1p(-share * a))
            low = a;
        else
            high = a;
    }
    return 0.5 * (low + high) / speed;
}

static fa_status read_restitution(const reader *r, const fa_xml_element *e, fa_contact *c)
{
    double     share = 1, speed = 0;
    const bool said = fa_xml_find(e, "restitution"), at = fa_xml_find(e, "speed");
    if (!said && !at) return FA_OK;
    fa_status status = fa_read_number(r->xml, e, "restitution", &share, FA_OPTIONAL, r->error);
    if (status == FA_OK) status = fa_read_number(r->xml, e, "speed", &speed, FA_OPTIONAL, r->error);
    if (status != FA_OK) return status;
    if (!said || !at)
        return FAIL(r, e->place,
                    "%s has a %s and no %s; they belong together: so much of this speed is left "
                    "after an impact",
                    fa_xml_about(e).text, said ? "restitution" : "speed",
                    said ? "speed" : "restitution");
    if (fa_xml_find(e, "dissipation"))
        return FAIL(r, e->place,
                    "%s has both a dissipation and a restitution, which say the same; "
                    "keep one of them",
                    fa_xml_about(e).text);
    if (!(share > 0 && share <= 1))
        return FAIL(r, fa_xml_find(e, "restitution")->value_place,
                    "the restitution of %s is %s; it must be above 0 and at most 1",
                    fa_xml_about(e).text, fa_number_text(share).text);
    if (!(speed > 0))
        return FAIL(r, fa_xml_find(e, "speed")->value_place,
                    "the speed of %s is %s; it must be above zero", fa_xml_about(e).text,
                    fa_number_text(speed).text);
    c->law.dissipation = dissipation_of(share, speed);
    return FA_OK;
}

// Some robots stand on N contacts: W / (N depth^exponent).
static fa_status read_weight_depth(const reader *r, const fa_xml_element *e, fa_contact *c)
{
    const fa_robot *robot = r->robot;
    const bool      said = fa_xml_find(e, "weight-depth");
    double          depth = 0, mass = 0;
    fa_status status = fa_read_number(r->xml, e, "weight-depth", &depth, FA_OPTIONAL, r->error);
    if (status != FA_OK) return status;
    if (said == (fa_xml_find(e, "stiffness") != NULL))
        return FAIL(r, e->place,
                    "%s has %s; give it the one or the other, a stiffness or how deep the robot "
                    "stands in all its contacts",
                    fa_xml_about(e).text,
                    said ? "both a stiffness and a weight-depth"
                         : "no stiffness and no weight-depth");
    if (!said) return FA_OK;
    for (int i = 0; i < robot->n_links; i++) mass += robot->link[i].mass;
    const double weight = mass * vec3_norm(robot->gravity);
    if (!(depth > 0) || !(weight > 0))
        return FAIL(r, fa_xml_find(e, "weight-depth")->value_place,
                    "the weight-depth of %s is %s m, of a robot of %s N; both must be above zero",
                    fa_xml_about(e).text, fa_number_text(depth).text, fa_number_text(weight).text);
    c->law.stiffness =
        weight / (robot->n_contacts * (c->law.exponent == 1 ? depth : depth * sqrt(depth)));
    return FA_OK;
}

static fa_status read_axis(const reader *r, const fa_xml_element *e, fa_contact *c)
{
    const bool wheel = c->shape == FA_CONTACT_WHEEL, said = fa_xml_find(e, "axis");
    if (wheel != said)
        return FAIL(r, e->place,
                    wheel ? "%s is a wheel without an axis; add axis=\"0 1 0\", or the "
                            "like, in the link's axes"
                          : "%s has an axis, which is of wheels alone; remove it",
                    fa_xml_about(e).text);
    if (!wheel) return FA_OK;
    fa_status    status = fa_read_vec3(r->xml, e, "axis", &c->axis, FA_REQUIRED, r->error);
    const double length = vec3_norm(c->axis);
    if (status != FA_OK) return status;
    if (!(length > 0))
        return FAIL(r, fa_xml_find(e, "axis")->value_place,
                    "the axis of %s is 0 0 0; write the direction that the wheel turns about",
                    fa_xml_about(e).text);
    c->axis = vec3_scale(1 / length, c->axis);
    return FA_OK;
}

static fa_status read_on(const reader *r, const fa_xml_element *e, fa_contact *c)
{
    const fa_xml_attribute *on = fa_xml_find(e, "on");
    c->on = FA_WORLD;
    if (!on || strcmp(on->value, "ground") == 0) return FA_OK;
    for (int k = 0; k < r->robot->n_obstacles; k++)
        if (strcmp(on->value, fa_robot_obstacle(r->robot, k)->name) == 0) {
            c->on = k;
            return FA_OK;
        }
    return FAIL(r, on->value_place,
                "%s is on '%.60s', and there is no such obstacle; say ground, or the name of an "
                "<obstacle>",
                fa_xml_about(e).text, on->value);
}

static fa_status read_contact(const reader *r, const fa_xml_element *e, fa_contact *c)
{
    static const char *const shape[] = {
#define X(code, name) name,
        FA_CONTACT_SHAPE_LIST(X)
#undef X
    };
    static const char *const law[] = {"smooth", "bristle"};
    const fa_element        *list = &fa_elements[FA_ELEMENT_contact];
    c->place = e->place;
    c->shape = (fa_contact_shape)word_of(e, "shape", shape, FA_CONTACT_SHAPE_COUNT);
    c->law.bristle = word_of(e, "law", law, 2) == 1;
    fa_status status = fa_read_name(r->xml, e, "name", c->name, r->error);
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++)
        status = fa_read_number(r->xml, e, list->item[i].xml, fa_touch_number(&c->law.present, i),
                                FA_OPTIONAL, r->error);
    if (status == FA_OK) status = fa_read_link(r->xml, e, "link", r->robot, &c->link, r->error);
    if (status == FA_OK) status = fa_read_vec3(r->xml, e, "xyz", &c->point, FA_OPTIONAL, r->error);
    if (status == FA_OK) status = read_axis(r, e, c);
    if (status == FA_OK) status = read_on(r, e, c);
    if (status == FA_OK) status = read_restitution(r, e, c);
    return status == FA_OK ? read_weight_depth(r, e, c) : status;
}

static fa_status read_spring(const reader *r, const fa_xml_element *e, fa_line_spring *s)
{
    s->place = e->place;
    fa_status status = fa_read_name(r->xml, e, "name", s->name, r->error);
    if (status == FA_OK)
        status = read_numbers(r, e, &fa_elements[FA_ELEMENT_line_spring], &s->law.present);
    if (status == FA_OK) status = fa_read_link(r->xml, e, "from", r->robot, &s->from, r->error);
    if (status == FA_OK) status = fa_read_link(r->xml, e, "to", r->robot, &s->to, r->error);
    if (status == FA_OK)
        status = fa_read_vec3(r->xml, e, "from-xyz", &s->from_point, FA_REQUIRED, r->error);
    if (status == FA_OK)
        status = fa_read_vec3(r->xml, e, "to-xyz", &s->to_point, FA_REQUIRED, r->error);
    return status;
}

// --------------------------------------------------------------------------------------- all of it

static int count(const fa_xml_element *parent, const char *name)
{
    int n = 0;
    for (const fa_xml_element *e = parent->first; e; e = e->next) n += strcmp(e->name, name) == 0;
    return n;
}

fa_status fa_touches_read(const fa_xml *xml, const fa_xml_element *parent, double angle,
                          fa_robot **robot, fa_error *error)
{
    const int    contacts = (*robot)->n_contacts, obstacles = (*robot)->n_obstacles;
    const int    springs = (*robot)->n_springs;
    const int    n[] = {contacts + count(parent, "contact"), obstacles + count(parent, "obstacle"),
                        springs + count(parent, "line-spring")};
    const reader before = {xml, angle, *robot, error};
    fa_status    status = read_ground(&before, parent);
    for (int i = 0; i < 3 && status == FA_OK; i++)
        if (n[i] > FA_TOUCH_MAX)
            return FAIL(&before, parent->place,
                        "the robot has %d contacts, obstacles or line springs; %d of each are the "
                        "most",
                        n[i], FA_TOUCH_MAX);
    if (status != FA_OK || n[0] + n[1] + n[2] == contacts + obstacles + springs) return status;
    fa_robot *with = fa_robot_with_touches(*robot, n[0], n[1], n[2]);
    if (!with)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d contacts", n[0]);
    *robot = with;
    const reader    r = {xml, angle, with, error};
    fa_obstacle    *o = fa_robot_obstacles(with) + obstacles; // which contacts name
    fa_contact     *c = fa_robot_contacts(with) + contacts;
    fa_line_spring *s = fa_robot_springs(with) + springs;
    for (const fa_xml_element *e = parent->first; e && status == FA_OK; e = e->next)
        if (strcmp(e->name, "obstacle") == 0) status = read_obstacle(&r, e, o++);
    for (const fa_xml_element *e = parent->first; e && status == FA_OK; e = e->next) {
        if (strcmp(e->name, "contact") == 0) status = read_contact(&r, e, c++);
        if (strcmp(e->name, "line-spring") == 0) status = read_spring(&r, e, s++);
    }
    return status;
}
