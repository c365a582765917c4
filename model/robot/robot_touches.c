// Validates contacts, obstacles, the ground and line springs.
#include "robot_touches.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)

// ---------------------------------------------------------------------------------------- blocks

double *fa_touch_number(bool *present, int i)
{
    return (double *)(void *)present + 1 + i;
}

static void fill_numbers(const fa_element *e, const bool *present, void *in)
{
    memset(in, 0, e->in_size);
    for (int i = 0; i < e->n_numbers; i++)
        *fa_element_real(e, in, i) = *fa_touch_number((bool *)present, i);
}

static void set_flag(const fa_element *e, void *in, const char *name, bool value)
{
    *fa_element_flag(e, in, fa_element_flag_index(e, name, strlen(name))) = value;
}

void fa_contact_fill(const fa_robot *robot, const fa_contact *contact, void *in)
{
    const fa_element       *e = &fa_elements[FA_ELEMENT_contact];
    const bool              ground = contact->on == FA_WORLD;
    const fa_obstacle_shape on =
        ground ? FA_OBSTACLE_SHAPE_COUNT : fa_robot_obstacle(robot, contact->on)->shape;
    fill_numbers(e, &contact->law.present, in);
    set_flag(e, in, "round", contact->shape != FA_CONTACT_POINT);
    set_flag(e, in, "rolls", contact->shape == FA_CONTACT_WHEEL);
    set_flag(e, in, "on_ball", on == FA_OBSTACLE_SPHERE);
    set_flag(e, in, "on_box", on == FA_OBSTACLE_BOX);
    set_flag(e, in, "bristle", contact->law.bristle);
    e->configure(in);
}

void fa_line_spring_fill(const fa_line_spring *spring, void *in)
{
    const fa_element *e = &fa_elements[FA_ELEMENT_line_spring];
    fill_numbers(e, &spring->law.present, in);
    e->configure(in);
}

void fa_cone_fill(const fa_joint *joint, void *in)
{
    const fa_element *e = &fa_elements[FA_ELEMENT_cone];
    fill_numbers(e, &joint->cone.present, in);
    e->configure(in);
}

int fa_robot_cones(const fa_robot *robot)
{
    int n = 0;
    for (int i = 0; i < robot->n_links; i++) n += robot->link[i].joint.cone.present;
    return n;
}

int fa_robot_cone(const fa_robot *robot, int k)
{
    int i = 0;
    for (; i < robot->n_links - 1; i++)
        if (robot->link[i].joint.cone.present && k-- == 0) break;
    return i;
}

// ----------------------------------------------------------------------------------------- rules

static bool is_finite(fa_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_unit(fa_vec3 v)
{
    return fabs(vec3_norm(v) - 1) < 1e-9; // of an axis that has been scaled
}

static fa_status check_contact(const fa_robot *robot, const fa_contact *c, fa_error *error)
{
    double     in[128];
    char       owner[FA_NAME_SIZE + 16];
    const bool round = c->shape != FA_CONTACT_POINT;
    (void)snprintf(owner, sizeof owner, "contact '%s'", c->name);
    if (c->link < 0 || c->link >= robot->n_links)
        return FAIL(c->place, "contact '%s' is on no link", c->name);
    if (!fa_robot_link_moves(robot, c->link))
        return FAIL(c->place,
                    "contact '%s' is on link '%s', which stands still, so nothing can come of it; "
                    "put it on a link that moves",
                    c->name, robot->link[c->link].name);
    if (c->on < FA_WORLD || c->on >= robot->n_obstacles)
        return FAIL(c->place, "contact '%s' is with no obstacle of the robot", c->name);
    if (!is_finite(c->point))
        return FAIL(c->place, "the place of contact '%s' is not finite", c->name);
    if (c->shape == FA_CONTACT_WHEEL && !is_unit(c->axis))
        return FAIL(c->place, "the axis of contact '%s' is not a unit vector", c->name);
    if (round && !(c->law.radius > 0))
        return FAIL(c->place,
                    "contact '%s' is a %s without a radius; give it one above zero, or say "
                    "shape=\"point\"",
                    c->name, c->shape == FA_CONTACT_WHEEL ? "wheel" : "sphere");
    if (c->law.bristle && c->on != FA_WORLD &&
        fa_robot_obstacle(robot, c->on)->shape == FA_OBSTACLE_SPHERE)
        return FAIL(c->place,
                    "contact '%s' has bristles on the sphere '%s', where they have no directions "
                    "of their own; use them on the ground and on boxes",
                    c->name, fa_robot_obstacle(robot, c->on)->name);
    fa_contact_fill(robot, c, in);
    return fa_element_check(&fa_elements[FA_ELEMENT_contact], in, owner, robot->source, c->place,
                            error);
}

static fa_status check_obstacle(const fa_robot *robot, const fa_obstacle *o, fa_error *error)
{
    const bool sphere = o->shape == FA_OBSTACLE_SPHERE;
    if (!is_finite(o->pose.r) ||
        !is_unit(vec3(o->pose.E.m[0][0], o->pose.E.m[0][1], o->pose.E.m[0][2])))
        return FAIL(o->place, "the place of obstacle '%s' is not finite", o->name);
    if (sphere && !(o->radius > 0 && isfinite(o->radius)))
        return FAIL(o->place, "the radius of obstacle '%s' must be above zero", o->name);
    if (!sphere && !(o->size.x > 0 && o->size.y > 0 && o->size.z > 0 && is_finite(o->size)))
        return FAIL(o->place, "the size of obstacle '%s' must be three numbers above zero",
                    o->name);
    return FA_OK;
}

// Links towards the ground from both ends, until they meet: whether a joint is between them.
static bool moves_between(const fa_robot *robot, int a, int b)
{
    while (a != b) {
        int *further = a > b ? &a : &b; // parents have smaller numbers
        if (robot->link[*further].joint.type != FA_FIXED) return true;
        *further = robot->link[*further].parent;
    }
    return false;
}

static fa_status check_spring(const fa_robot *robot, const fa_line_spring *s, fa_error *error)
{
    double in[128];
    char   owner[FA_NAME_SIZE + 16];
    (void)snprintf(owner, sizeof owner, "line spring '%s'", s->name);
    if (s->from < 0 || s->from >= robot->n_links || s->to < 0 || s->to >= robot->n_links)
        return FAIL(s->place, "an end of line spring '%s' is on no link", s->name);
    if (!is_finite(s->from_point) || !is_finite(s->to_point))
        return FAIL(s->place, "an end of line spring '%s' is not at a finite place", s->name);
    if (!moves_between(robot, s->from, s->to))
        return FAIL(s->place,
                    "line spring '%s' goes from link '%s' to link '%s', which no joint lets move "
                    "against each other; let it span a joint",
                    s->name, robot->link[s->from].name, robot->link[s->to].name);
    fa_line_spring_fill(s, in);
    return fa_element_check(&fa_elements[FA_ELEMENT_line_spring], in, owner, robot->source,
                            s->place, error);
}

fa_status fa_robot_check_touches(const fa_robot *robot, fa_error *error)
{
    fa_status status = FA_OK;
    if (!is_finite(robot->ground.point) || !is_finite(robot->ground.normal) ||
        !(vec3_norm(robot->ground.normal) > 0))
        return FAIL(FA_NOWHERE, "the ground has no point or no normal; write three numbers each, "
                                "and a normal that is not 0 0 0");
    for (int k = 0; k < robot->n_obstacles && status == FA_OK; k++)
        status = check_obstacle(robot, fa_robot_obstacle(robot, k), error);
    for (int k = 0; k < robot->n_contacts && status == FA_OK; k++)
        status = check_contact(robot, fa_robot_contact(robot, k), error);
    for (int k = 0; k < robot->n_springs && status == FA_OK; k++)
        status = check_spring(robot, fa_robot_spring(robot, k), error);
    return status;
}
