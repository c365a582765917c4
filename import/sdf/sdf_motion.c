// Joints of the form: limits, losses and springs of each axis, and what couples them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sdf.h"

#define ENDLESS 1e16 // from here on a limit is none

static const fa_xml *xml_of(const fa_sdf *s, const fa_sdf_joint *joint)
{
    return s->scope[joint->scope].xml;
}

static const fa_xml_element *axis_of(const fa_sdf_joint *joint, int k)
{
    return fa_xml_child(joint->e, k ? "axis2" : "axis");
}

// ----------------------------------------------------------------------------------------- an axis

static fa_status read_limits(const fa_sdf *s, const fa_sdf_joint *joint, const fa_xml_element *axis,
                             fa_form_joint *to)
{
    const fa_xml         *xml = xml_of(s, joint);
    const fa_xml_element *limit = fa_xml_child(axis, "limit");
    double                lower = -INFINITY, upper = INFINITY, effort = -1, velocity = -1;
    if (!limit) return FA_OK;
    fa_status status = fa_sdf_number(s, xml, limit, "lower", &lower);
    if (status == FA_OK) status = fa_sdf_number(s, xml, limit, "upper", &upper);
    if (status == FA_OK) status = fa_sdf_number(s, xml, limit, "effort", &effort);
    if (status == FA_OK) status = fa_sdf_number(s, xml, limit, "velocity", &velocity);
    to->limits.at = (fa_form_at){xml->path, limit->place};
    if (lower > -ENDLESS && strcmp(joint->type, "continuous") != 0) to->limits.lower = lower;
    if (upper < ENDLESS && strcmp(joint->type, "continuous") != 0) to->limits.upper = upper;
    if (effort >= 0 && effort < ENDLESS) to->limits.effort = effort;
    if (velocity >= 0 && velocity < ENDLESS) to->limits.velocity = velocity;
    return status;
}

static fa_status read_dynamics(const fa_sdf *s, const fa_sdf_joint *joint,
                               const fa_xml_element *axis, fa_form_joint *to)
{
    const fa_xml         *xml = xml_of(s, joint);
    const fa_xml_element *dynamics = fa_xml_child(axis, "dynamics");
    if (!dynamics) return FA_OK;
    fa_status status = fa_sdf_number(s, xml, dynamics, "damping", &to->friction.viscous);
    if (status == FA_OK)
        status = fa_sdf_number(s, xml, dynamics, "friction", &to->friction.coulomb);
    if (status == FA_OK)
        status = fa_sdf_number(s, xml, dynamics, "spring_stiffness", &to->spring.stiffness);
    if (status == FA_OK)
        status = fa_sdf_number(s, xml, dynamics, "spring_reference", &to->spring.rest);
    to->friction.at = to->spring.at = (fa_form_at){xml->path, dynamics->place};
    return status;
}

// Metres per turn; the older word counts turns the other way round, in radians per metre.
static fa_status read_pitch(const fa_sdf *s, const fa_sdf_joint *joint, double *pitch)
{
    const fa_xml         *xml = xml_of(s, joint);
    const fa_xml_element *old = fa_xml_child(joint->e, "thread_pitch");
    const double          turn = 2 * acos(-1);
    double                advance = 1, thread = -turn;
    fa_status             status = fa_sdf_number(s, xml, joint->e, "screw_thread_pitch", &advance);
    if (status == FA_OK) status = fa_sdf_number(s, xml, joint->e, "thread_pitch", &thread);
    if (status == FA_OK && old && !fa_xml_child(joint->e, "screw_thread_pitch"))
        advance = -turn / thread;
    if (status == FA_OK && !isfinite(advance))
        return FA_SDF_FAIL(xml, old ? old->place : joint->e->place,
                           "the thread of joint '%s' has no pitch; write <screw_thread_pitch> in "
                           "metres per turn",
                           joint->name);
    *pitch = advance;
    return status;
}

// ---------------------------------------------------------------------------------------- carrying

static fa_form_joint_type type_of(const fa_sdf_joint *joint)
{
    static const struct {
        const char        *name;
        fa_form_joint_type type;
    } row[] = {{"prismatic", FA_FORM_PRISMATIC},
               {"fixed", FA_FORM_FIXED},
               {"ball", FA_FORM_BALL},
               {"screw", FA_FORM_SCREW}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(joint->type, row[i].name) == 0) return row[i].type;
    return FA_FORM_REVOLUTE;
}

// The k-th axis of a joint, or all of one that has none; NULL: there is no memory.
static fa_form_joint *add_joint(fa_sdf *s, fa_sdf_joint *joint, int k)
{
    fa_form_joint *to = fa_form_add_joint(s->form);
    if (!to) return NULL;
    (void)snprintf(to->name, sizeof to->name, "%s", joint->name);
    to->at = to->type_at = to->axis_at = joint->at;
    to->type = type_of(joint);
    if (joint->n_axes > 0) to->axis = vec3_scale(joint->reversed ? -1 : 1, joint->axis[k]);
    joint->joint[k] = s->form->n_joints - 1;
    return to;
}

static fa_status read_axis(const fa_sdf *s, const fa_sdf_joint *joint, int k, fa_form_joint *to)
{
    const fa_xml_element *axis = joint->n_axes > 0 ? axis_of(joint, k) : NULL;
    fa_status             status = FA_OK;
    if (to->type == FA_FORM_SCREW) status = read_pitch(s, joint, &to->pitch);
    if (status == FA_OK && axis) status = read_limits(s, joint, axis, to);
    if (status == FA_OK && axis) status = read_dynamics(s, joint, axis, to);
    return status;
}

// A link without mass between two axes.
static fa_status add_cross(fa_sdf *s, const fa_sdf_joint *joint, int *cross)
{
    fa_form_link *link = fa_form_add_link(s->form);
    if (!link) return fa_sdf_no_memory(s);
    *cross = s->form->n_links - 1;
    if (snprintf(link->name, sizeof link->name, "%s_cross", joint->name) >= FA_NAME_SIZE)
        return FA_SDF_FAIL(xml_of(s, joint), joint->e->place,
                           "the name of joint '%s' is too long; choose a shorter one", joint->name);
    link->at = link->inertial_at = joint->at;
    link->weighed = true;
    return FA_OK;
}

// Two revolute joints: <name> about the axis in the parent, <name>_2 about that in the child.
static fa_status carry_by_two(fa_sdf *s, fa_sdf_joint *joint, int parent, int child,
                              fa_transform origin, fa_transform to_child)
{
    int       cross = FA_FORM_NOBODY;
    fa_status status = add_cross(s, joint, &cross);
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        const int      k = joint->reversed ? 1 - i : i;
        fa_form_joint *to = add_joint(s, joint, k);
        if (!to) return fa_sdf_no_memory(s);
        if (k == 1)
            (void)snprintf(to->name, sizeof to->name, "%.*s_2", FA_NAME_SIZE - 3, joint->name);
        to->parent = i == 0 ? parent : cross;
        to->child = i == 0 ? cross : child;
        if (i == 0) to->origin = origin;
        if (i == 1) to->to_child = to_child;
        status = read_axis(s, joint, k, to);
    }
    return status;
}

fa_status fa_sdf_carry(fa_sdf *s, fa_sdf_joint *joint)
{
    const bool   back = joint->reversed;
    const int    parent = joint->parent == FA_FORM_NOBODY ? s->world : joint->parent;
    fa_transform origin = joint->X_parent, to_child = joint->X_child;
    if (back) {
        origin = transform_inverse(joint->X_child);
        to_child = transform_inverse(joint->X_parent);
    }
    if (joint->n_axes == 2)
        return carry_by_two(s, joint, back ? joint->child : parent, back ? parent : joint->child,
                            origin, to_child);
    fa_form_joint *to = add_joint(s, joint, 0);
    if (!to) return fa_sdf_no_memory(s);
    to->parent = back ? joint->child : parent;
    to->child = back ? parent : joint->child;
    to->origin = origin;
    to->to_child = to_child;
    return read_axis(s, joint, 0, to);
}

// ------------------------------------------------------------------------------------------- loops

fa_status fa_sdf_close_loop(fa_sdf *s, const fa_sdf_joint *joint)
{
    static const struct {
        const char       *name;
        fa_form_loop_type type;
    } row[] = {{"fixed", FA_FORM_LOOP_FIXED},         {"revolute", FA_FORM_LOOP_REVOLUTE},
               {"continuous", FA_FORM_LOOP_REVOLUTE}, {"prismatic", FA_FORM_LOOP_PRISMATIC},
               {"ball", FA_FORM_LOOP_SPHERICAL},      {"universal", FA_FORM_LOOP_UNIVERSAL},
               {"revolute2", FA_FORM_LOOP_UNIVERSAL}};
    size_t i = 0;
    while (i < sizeof row / sizeof *row && strcmp(joint->type, row[i].name) != 0) i++;
    if (i == sizeof row / sizeof *row)
        return FA_SDF_FAIL(xml_of(s, joint), joint->e->place,
                           "joint '%s' closes a loop, and a %s cannot; let another joint of the "
                           "loop close it, by standing last in the file",
                           joint->name, joint->type);
    fa_form_loop *loop = fa_form_add_loop(s->form);
    if (!loop) return fa_sdf_no_memory(s);
    (void)snprintf(loop->name, sizeof loop->name, "%s", joint->name);
    loop->at = joint->at;
    loop->type = row[i].type;
    loop->link[0] = joint->parent == FA_FORM_NOBODY ? s->world : joint->parent;
    loop->link[1] = joint->child;
    loop->frame[0] = joint->X_parent;
    loop->frame[1] = transform_inverse(joint->X_child);
    if (joint->n_axes > 0) loop->axis = joint->axis[0];
    if (joint->n_axes > 1) loop->axis2 = joint->axis[1];
    fa_form_joint lost = {.limits = {.lower = -INFINITY, .upper = INFINITY}};
    for (int k = 0; k < joint->n_axes; k++) {
        const fa_xml_element *axis = axis_of(joint, k);
        fa_status             status = FA_OK;
        if (axis) status = read_limits(s, joint, axis, &lost);
        if (axis && status == FA_OK) status = read_dynamics(s, joint, axis, &lost);
        if (status != FA_OK) return status;
    }
    FA_SDF_WARN(xml_of(s, joint), joint->e->place, "joint '%s' closes a loop%s", joint->name,
                lost.friction.viscous != 0 || lost.friction.coulomb != 0 ||
                        lost.spring.stiffness != 0
                    ? "; its losses and springs are left out"
                    : "");
    return FA_OK;
}

// ---------------------------------------------------------------------------------------- coupling

static fa_status add_coupling(fa_sdf *s, fa_form_at at, int follower, int leader, double offset,
                              double ratio)
{
    fa_form_coupling *c = fa_form_add_coupling(s->form);
    if (!c) return fa_sdf_no_memory(s);
    c->at = at;
    c->follower = follower;
    c->leader = leader;
    c->coefficient[0] = offset;
    c->coefficient[1] = ratio;
    return FA_OK;
}

// The joint of the form that a name and an axis of it stand for.
static fa_status find_leader(fa_sdf *s, const fa_sdf_joint *joint, const fa_xml_element *mimic,
                             int *leader)
{
    const fa_xml           *xml = xml_of(s, joint);
    const fa_xml_attribute *name = fa_xml_find(mimic, "joint");
    const fa_xml_attribute *axis = fa_xml_find(mimic, "axis");
    fa_sdf_frame            frame;
    if (!name)
        return FA_SDF_FAIL(xml, mimic->place, "%s names no joint; add joint=\"…\"",
                           fa_xml_about(mimic).text);
    const fa_status status = fa_sdf_resolve(s, joint->scope, name->value, xml, mimic, &frame);
    if (status != FA_OK) return status;
    const fa_sdf_node *n = frame.node == FA_SDF_OWN ? NULL : &s->node[frame.node];
    const int          k = axis && strcmp(axis->value, "axis2") == 0;
    *leader = FA_FORM_NOBODY;
    if (n && n->kind == FA_SDF_JOINT) *leader = s->joint[n->index].joint[k];
    if (*leader != FA_FORM_NOBODY) return FA_OK;
    return FA_SDF_FAIL(xml, name->value_place,
                       "joint '%s' is to follow '%.128s', which is no joint with such an axis, or "
                       "one that closes a loop",
                       joint->name, name->value);
}

// q = multiplier (q_leader - reference) + offset
static fa_status read_mimic(fa_sdf *s, const fa_sdf_joint *joint, int k)
{
    const fa_xml         *xml = xml_of(s, joint);
    const fa_xml_element *axis = axis_of(joint, k);
    const fa_xml_element *mimic = axis ? fa_xml_child(axis, "mimic") : NULL;
    double                multiplier = 1, offset = 0, reference = 0;
    int                   leader;
    if (!mimic) return FA_OK;
    if (joint->joint[k] == FA_FORM_NOBODY)
        return FA_SDF_FAIL(xml, mimic->place,
                           "joint '%s' closes a loop, so that it cannot follow another one",
                           joint->name);
    fa_status status = find_leader(s, joint, mimic, &leader);
    if (status == FA_OK) status = fa_sdf_number(s, xml, mimic, "multiplier", &multiplier);
    if (status == FA_OK) status = fa_sdf_number(s, xml, mimic, "offset", &offset);
    if (status == FA_OK) status = fa_sdf_number(s, xml, mimic, "reference", &reference);
    if (status != FA_OK) return status;
    return add_coupling(s, (fa_form_at){xml->path, mimic->place}, joint->joint[k], leader,
                        offset - multiplier * reference, multiplier);
}

// The joint of the form by which `link` turns against the reference body about an axis of the
// gearbox, and the sign of that angle.
static fa_status find_gear(fa_sdf *s, const fa_sdf_joint *gearbox, int reference, int link, int k,
                           int *joint, double *sign)
{
    const fa_vec3 wanted = mat3_tmul(gearbox->X_world.E, gearbox->axis[k]);
    for (int i = 0; i < s->n_joints; i++) {
        const fa_sdf_joint *j = &s->joint[i];
        const bool turns = strcmp(j->type, "revolute") == 0 || strcmp(j->type, "continuous") == 0;
        const int  parent = j->parent == FA_FORM_NOBODY ? s->world : j->parent;
        if (!turns || j->joint[0] == FA_FORM_NOBODY) continue;
        if (!(parent == reference && j->child == link) &&
            !(parent == link && j->child == reference))
            continue;
        const double along = dot(wanted, mat3_tmul(j->X_world.E, j->axis[0]));
        if (fabs(fabs(along) - 1) > 1e-6) continue; // six digits, as files have them
        *joint = j->joint[0];
        *sign = (along > 0) == (parent == reference) ? 1 : -1;
        return FA_OK; // a reversed joint's angle is the same, about its axis reversed
    }
    return FA_SDF_FAIL(xml_of(s, gearbox), gearbox->e->place,
                       "gearbox '%s': no revolute joint about its %s axis is between link '%s' and "
                       "its <gearbox_reference_body>; both of its links must turn in that body",
                       gearbox->name, k ? "second" : "first", s->form->link[link].name);
}

// theta2 = -ratio theta1, both against the reference body.
static fa_status read_gearbox(fa_sdf *s, const fa_sdf_joint *joint)
{
    const fa_xml         *xml = xml_of(s, joint);
    const fa_xml_element *body = fa_xml_child(joint->e, "gearbox_reference_body");
    const int             parent = joint->parent == FA_FORM_NOBODY ? s->world : joint->parent;
    double                ratio = 1, sign[2] = {1, 1};
    int                   node = FA_SDF_OWN, of[2] = {0, 0};
    fa_sdf_frame          frame;
    if (!body || !body->content)
        return FA_SDF_FAIL(xml, joint->e->place,
                           "gearbox '%s' has no <gearbox_reference_body>; name the link that its "
                           "two links turn in",
                           joint->name);
    fa_status status = fa_sdf_resolve(s, joint->scope, body->content, xml, body, &frame);
    if (status == FA_OK) status = fa_sdf_link_of(s, frame, xml, body, &node);
    if (status == FA_OK) status = fa_sdf_number(s, xml, joint->e, "gearbox_ratio", &ratio);
    const int reference = node == FA_SDF_OWN ? s->world : s->node[node].index;
    if (status == FA_OK) status = find_gear(s, joint, reference, parent, 0, &of[0], &sign[0]);
    if (status == FA_OK) status = find_gear(s, joint, reference, joint->child, 1, &of[1], &sign[1]);
    if (status != FA_OK) return status;
    return add_coupling(s, joint->at, of[1], of[0], 0, -ratio * sign[0] * sign[1]);
}

fa_status fa_sdf_couple(fa_sdf *s, const fa_sdf_joint *joint)
{
    fa_status status = FA_OK;
    if (fa_sdf_is_gearbox(joint)) return read_gearbox(s, joint);
    for (int k = 0; k < joint->n_axes && status == FA_OK; k++) status = read_mimic(s, joint, k);
    return status;
}
