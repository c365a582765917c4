// Writes MJCF. MuJoCo refuses massless links in a chain of joints, so these become one body with
// several joints. Following joints become equalities, servos position actuators; MuJoCo's
// equalities are soft constraints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert_parts.h"
#include "joint_parts.h"

#define DEPTH 50 // largest nesting of bodies; XML readers accept a depth of 64

typedef struct tree {
    fa_convert_writer *w;
    int               *first, *next; // children of each link, as linked lists
} tree;

// The joints of the next body, and the pose of each joint's link at position 0.
typedef struct line {
    int          n, link[DEPTH];
    fa_transform pose[DEPTH]; // relative to the previous body's frame
} line;

static void write_pose(fa_convert_writer *w, fa_transform X)
{
    const fa_quaternion q = fa_quaternion_of(X.E);
    const double        quat[] = {q.w, q.x, q.y, q.z};
    fa_convert_vec3(w, "pos", X.r);
    if (q.w != 1) fa_convert_numbers(w, "quat", quat, 4);
}

// Returns the pose of the link at position 0, or of a free link at its start, in its parent.
static fa_transform pose_of(const fa_link *link)
{
    const fa_joint *joint = &link->joint;
    fa_transform    X = joint->origin;
    if (joint->type == FA_FLOATING) {
        const double      *p = joint->start.position;
        const fa_transform start = {fa_rotation_of_quaternion(joint->start.quaternion),
                                    {p[0], p[1], p[2]}};
        X = transform_compose(X, start);
    }
    return transform_compose(X, link->frame);
}

static void write_numbers(fa_convert_writer *w, const fa_joint *joint)
{
    const fa_limit_data *l = &joint->limit;
    const bool           lower = !isinf(l->lower), upper = !isinf(l->upper);
    const double         range[] = {l->lower, l->upper}, force[] = {-l->effort, l->effort};
    const double         damping = fa_convert_damping(joint);
    const double         armature = joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear;
    if (lower && upper && l->lower < l->upper) fa_convert_numbers(w, "range", range, 2);
    if (lower != upper)
        fa_convert_lose(w, joint->place, "joint", joint->name, "a limit on one side");
    if (!isinf(l->effort) && l->effort > 0) fa_convert_numbers(w, "actuatorfrcrange", force, 2);
    if (!isinf(l->velocity))
        fa_convert_lose(w, joint->place, "joint", joint->name, "the limit of the velocity");
    if (damping != 0) fa_markup_number(&w->xml, "damping", damping);
    if (joint->friction.coulomb != 0)
        fa_markup_number(&w->xml, "frictionloss", joint->friction.coulomb);
    if (armature != 0) fa_markup_number(&w->xml, "armature", armature);
    if (joint->spring.present && joint->spring.stiffness != 0) {
        fa_markup_number(&w->xml, "stiffness", joint->spring.stiffness);
        fa_markup_number(&w->xml, "springref", joint->spring.rest);
    }
}

static bool is_plain_servo(const fa_joint *joint)
{
    const fa_servo_data *s = &joint->servo;
    return s->present && s->ki == 0 && s->effort_time == 0 && isinf(s->velocity_limit) &&
           !s->compensates;
}

static void write_one(fa_convert_writer *w, const char *type, const char *name, const char *suffix,
                      fa_vec3 at, fa_vec3 axis, const fa_joint *numbers)
{
    char whole[FA_NAME_SIZE + 16];
    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    fa_markup_open(&w->xml, "joint");
    fa_markup_attribute(&w->xml, "name", whole);
    fa_markup_attribute(&w->xml, "type", type);
    fa_convert_vec3(w, "pos", at);
    if (strcmp(type, "ball") != 0) fa_convert_vec3(w, "axis", axis);
    if (numbers) write_numbers(w, numbers);
    fa_markup_close(&w->xml);
}

// Writes a joint in the axes of its body; X leads from there to the joint's link, at position 0.
static fa_status write_joint(fa_convert_writer *w, const fa_link *link, fa_transform X)
{
    const fa_joint    *joint = &link->joint;
    const fa_transform to_joint = transform_compose(X, transform_inverse(link->frame));
    const fa_vec3      axis = mat3_tmul(to_joint.E, joint->axis);
    unsigned           has = 1u << FA_JOINT_rotor | 1u << FA_JOINT_spring;
    if (is_plain_servo(joint)) has |= 1u << FA_JOINT_servo;
    if (joint->type == FA_REVOLUTE || joint->type == FA_PRISMATIC) {
        write_one(w, joint->type == FA_REVOLUTE ? "hinge" : "slide", joint->name, "", to_joint.r,
                  axis, joint);
        if (joint->initial_position != 0 || joint->initial_velocity != 0)
            fa_convert_lose(w, joint->place, "joint", joint->name, "where it starts");
    } else if (joint->type == FA_SPHERICAL) {
        write_one(w, "ball", joint->name, "", to_joint.r, axis, NULL);
    } else if (joint->type == FA_PLANAR) {
        fa_vec3 e1, e2;
        fa_axes_across(joint->axis, &e1, &e2);
        write_one(w, "slide", joint->name, "_x", to_joint.r, mat3_tmul(to_joint.E, e1), NULL);
        write_one(w, "slide", joint->name, "_y", to_joint.r, mat3_tmul(to_joint.E, e2), NULL);
        write_one(w, "hinge", joint->name, "_angle", to_joint.r, axis, NULL);
    } else if (joint->type == FA_FLOATING) {
        fa_markup_open(&w->xml, "freejoint");
        fa_markup_attribute(&w->xml, "name", joint->name);
        fa_markup_close(&w->xml);
    } else if (joint->type != FA_FIXED) {
        return fa_fail(w->error, FA_UNFIT, w->robot->source, joint->place,
                       "joint '%s' is a %s, which MJCF does not have", joint->name,
                       fa_joint_kinds[joint->type].name);
    }
    fa_convert_lose_elements(w, joint, has);
    return FA_OK;
}

static void write_inertial(fa_convert_writer *w, const fa_link *link)
{
    const fa_sym3 I = link->inertia;
    const double  all[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    if (!(link->mass > 0)) return;
    const fa_vec3 moment = fa_sym3_eigenvalues(I);
    // Violates the triangle inequality, beyond rounding.
    if (moment.x + moment.y < moment.z * (1 - 1e-12))
        fa_convert_lose(w, link->place, "link", link->name,
                        "an inertia that MuJoCo takes, that is a body's,");
    fa_markup_open(&w->xml, "inertial");
    fa_convert_vec3(w, "pos", link->com);
    fa_markup_number(&w->xml, "mass", link->mass);
    if (I.xy == 0 && I.xz == 0 && I.yz == 0)
        fa_convert_numbers(w, "diaginertia", all, 3);
    else
        fa_convert_numbers(w, "fullinertia", all, 6);
    fa_markup_close(&w->xml);
}

// Returns the loop of a massless leaf link whose joint is a sum of others; MJCF has fixed tendons
// for that.
static const fa_loop *tendon_of(const fa_robot *r, int link)
{
    const fa_loop *own = NULL;
    const fa_sym3  I = r->link[link].inertia;
    for (int k = 0; k < r->n_loops; k++) {
        const fa_loop *loop = fa_robot_loop(r, k);
        bool           linear = loop->type == FA_LOOP_RELATION && loop->from == link;
        for (int i = 0; i < loop->n_terms; i++)
            for (int p = 2; p <= FA_RELATION_DEGREE; p++)
                linear &= loop->term[i].coefficient[p] == 0;
        if (linear && loop->term[0].coefficient[1] == -1) own = loop;
    }
    for (int i = link + 1; i < r->n_links && own; i++)
        if (r->link[i].parent == link) own = NULL;
    return r->link[link].mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0 ? own : NULL;
}

static bool is_bare(const tree *t, int i)
{
    const fa_robot *r = t->w->robot;
    const fa_link  *link = &r->link[i];
    const fa_sym3   I = link->inertia;
    const int       child = t->first[i];
    for (int k = 0; k < r->n_loops; k++)
        if (fa_robot_loop(r, k)->from == i || fa_robot_loop(r, k)->to == i) return false;
    return link->mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0 && child != FA_NOBODY &&
           t->next[child] == FA_NOBODY && link->joint.type != FA_FIXED &&
           link->joint.type != FA_FLOATING && r->link[child].joint.type != FA_FIXED;
}

static fa_status write_body(const tree *t, int i, const line *before, int depth)
{
    fa_convert_writer *w = t->w;
    const fa_link     *link = &w->robot->link[i];
    line               joints = *before;
    if (depth > DEPTH || joints.n >= DEPTH)
        return fa_fail(
            w->error, FA_UNFIT, w->robot->source, link->place,
            "the robot's links hang on each other more than %d deep, and MJCF would nest "
            "them as deep",
            DEPTH);
    fa_transform X = pose_of(link);
    if (joints.n > 0) X = transform_compose(joints.pose[joints.n - 1], X);
    joints.link[joints.n] = i;
    joints.pose[joints.n++] = X;
    if (is_bare(t, i)) return write_body(t, t->first[i], &joints, depth);
    fa_markup_open(&w->xml, "body");
    fa_markup_attribute(&w->xml, "name", link->name);
    if (link->relief != 0) fa_markup_number(&w->xml, "gravcomp", link->relief);
    write_pose(w, X);
    fa_status status = FA_OK;
    for (int k = 0; k < joints.n && status == FA_OK; k++) {
        const fa_link *of = &w->robot->link[joints.link[k]];
        if (of->joint.type == FA_FLOATING && depth > 1)
            return fa_fail(w->error, FA_UNFIT, w->robot->source, of->joint.place,
                           "joint '%s' is floating, which in MJCF bodies of the world alone can be",
                           of->joint.name);
        status = write_joint(w, of, transform_compose(transform_inverse(X), joints.pose[k]));
    }
    write_inertial(w, link);
    for (int c = t->first[i]; c != FA_NOBODY && status == FA_OK; c = t->next[c])
        status = write_body(t, c, &(line){.n = 0}, depth + 1);
    fa_markup_close(&w->xml);
    return status;
}

// Returns true for a massless base with a free child: it is the world under another name.
static bool is_the_world(const tree *t)
{
    const fa_link *base = &t->w->robot->link[0];
    const fa_mat3  one = mat3_identity();
    bool           free_child = false;
    for (int c = t->first[0]; c != FA_NOBODY; c = t->next[c])
        free_child |= t->w->robot->link[c].joint.type == FA_FLOATING;
    return strcmp(base->name, "world") == 0 ||
           (free_child && base->mass == 0 && vec3_norm(base->joint.origin.r) == 0 &&
            memcmp(&base->joint.origin.E, &one, sizeof one) == 0);
}

// Writes the base: the world itself, or a body fixed to it.
static fa_status write_world(const tree *t)
{
    fa_convert_writer *w = t->w;
    const fa_link     *base = &w->robot->link[0];
    const bool         is_world = is_the_world(t);
    fa_status          status = FA_OK;
    fa_markup_open(&w->xml, "worldbody");
    if (!is_world) {
        fa_markup_open(&w->xml, "body");
        fa_markup_attribute(&w->xml, "name", base->name);
        write_pose(w, base->joint.origin);
        write_inertial(w, base);
    }
    for (int c = t->first[0]; c != FA_NOBODY && status == FA_OK; c = t->next[c])
        status = write_body(t, c, &(line){.n = 0}, is_world ? 1 : 2);
    if (!is_world) fa_markup_close(&w->xml);
    fa_markup_close(&w->xml);
    return status;
}

static void write_connect(fa_convert_writer *w, const fa_loop *loop, fa_vec3 at, const char *suffix)
{
    char name[FA_NAME_SIZE + 8];
    snprintf(name, sizeof name, "%s%s", loop->name, suffix);
    fa_markup_open(&w->xml, "connect");
    fa_markup_attribute(&w->xml, "name", name);
    fa_markup_attribute(&w->xml, "body1", w->robot->link[loop->from].name);
    fa_markup_attribute(&w->xml, "body2", w->robot->link[loop->to].name);
    fa_convert_vec3(w, "anchor", at);
    fa_markup_close(&w->xml);
}

static void write_coupling(fa_convert_writer *w, const fa_joint *follower, const fa_joint *leader,
                           const double coefficient[5])
{
    fa_markup_open(&w->xml, "joint");
    fa_markup_attribute(&w->xml, "joint1", follower->name);
    fa_markup_attribute(&w->xml, "joint2", leader->name);
    fa_convert_numbers(w, "polycoef", coefficient, 5);
    fa_markup_close(&w->xml);
}

// Writes a joint that follows another one by a polynomial.
static bool write_polynomial(fa_convert_writer *w, const fa_loop *loop)
{
    const double *own = loop->term[0].coefficient;
    double        c[FA_RELATION_DEGREE + 1];
    if (loop->n_terms != 2 || own[1] != -1 || own[2] != 0 || own[3] != 0 || own[4] != 0)
        return false;
    memcpy(c, loop->term[1].coefficient, sizeof c);
    c[0] += own[0];
    write_coupling(w, &w->robot->link[loop->from].joint, &w->robot->link[loop->to].joint, c);
    return true;
}

static void write_tendon(fa_convert_writer *w, int link, const fa_loop *loop)
{
    const fa_joint *joint = &w->robot->link[link].joint;
    double          constant = 0;
    for (int i = 0; i < loop->n_terms; i++) constant += loop->term[i].coefficient[0];
    const double range[] = {joint->limit.lower - constant, joint->limit.upper - constant};
    const double armature = joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear;
    const bool   springy = joint->spring.present && joint->spring.stiffness != 0;
    fa_markup_open(&w->xml, "fixed");
    fa_markup_attribute(&w->xml, "name", joint->name);
    if (isfinite(range[0]) && isfinite(range[1])) fa_convert_numbers(w, "range", range, 2);
    fa_markup_number(&w->xml, "damping", fa_convert_damping(joint));
    if (joint->friction.coulomb != 0)
        fa_markup_number(&w->xml, "frictionloss", joint->friction.coulomb);
    if (armature != 0) fa_markup_number(&w->xml, "armature", armature);
    if (springy) fa_markup_number(&w->xml, "stiffness", joint->spring.stiffness);
    if (springy) fa_markup_number(&w->xml, "springlength", joint->spring.rest - constant);
    for (int i = 1; i < loop->n_terms; i++) {
        fa_markup_open(&w->xml, "joint");
        fa_markup_attribute(&w->xml, "joint", w->robot->link[loop->term[i].of].joint.name);
        fa_markup_number(&w->xml, "coef", loop->term[i].coefficient[1]);
        fa_markup_close(&w->xml);
    }
    fa_markup_close(&w->xml);
    if (constant != 0)
        fa_convert_lose(w, joint->place, "joint", joint->name, "where its position is 0");
    fa_convert_lose_elements(w, joint,
                             1u << FA_JOINT_rotor | 1u << FA_JOINT_spring |
                                 (is_plain_servo(joint) ? 1u << FA_JOINT_servo : 0u));
}

static void write_tendons(fa_convert_writer *w)
{
    bool any = false;
    for (int i = 0; i < w->robot->n_links && !any; i++) any = tendon_of(w->robot, i);
    if (!any) return;
    fa_markup_open(&w->xml, "tendon");
    for (int i = 0; i < w->robot->n_links; i++) {
        const fa_loop *loop = tendon_of(w->robot, i);
        if (loop) write_tendon(w, i, loop);
    }
    fa_markup_close(&w->xml);
}

// Writes the constraint of a loop. MJCF defines it in the model's reference pose, position 0.
static void write_loop(fa_convert_writer *w, const fa_loop *loop)
{
    const fa_transform X = loop->from_frame;
    if (loop->type == FA_LOOP_RELATION && tendon_of(w->robot, loop->from)) return;
    if (loop->type == FA_LOOP_RELATION && write_polynomial(w, loop)) return;
    if (loop->type == FA_LOOP_SPHERICAL || loop->type == FA_LOOP_REVOLUTE) {
        write_connect(w, loop, X.r, "");
        if (loop->type == FA_LOOP_REVOLUTE)
            write_connect(w, loop, point_to_parent(X, vec3_scale(0.1, loop->axis)), "_axis");
        fa_convert_lose(w, loop->place, "loop", loop->name,
                        "where it is on the second link, which must be there at position 0,");
    } else {
        fa_convert_lose(w, loop->place, "loop", loop->name, "all");
    }
}

static void write_rest(fa_convert_writer *w)
{
    const fa_robot *r = w->robot;
    fa_markup_open(&w->xml, "equality");
    for (int i = 0; i < r->n_links; i++) {
        const fa_joint *joint = &r->link[i].joint;
        const double    c[] = {joint->mimic.offset, joint->mimic.ratio, 0, 0, 0};
        if (joint->type == FA_FIXED || joint->mimic.leader == FA_NOBODY) continue;
        write_coupling(w, joint, &r->link[joint->mimic.leader].joint, c);
    }
    for (int i = 0; i < r->n_loops; i++) write_loop(w, fa_robot_loop(r, i));
    fa_markup_close(&w->xml);
    write_tendons(w);
    fa_markup_open(&w->xml, "actuator");
    for (int i = 0; i < r->n_links; i++) {
        const fa_joint *joint = &r->link[i].joint;
        const bool      servo = is_plain_servo(joint);
        const double    force[] = {-joint->servo.torque_limit, joint->servo.torque_limit};
        if (!fa_joint_is_free(joint) || fa_joint_is_several(joint->type)) continue;
        fa_markup_open(&w->xml, servo ? "position" : "motor");
        fa_markup_attribute(&w->xml, "name", joint->name);
        fa_markup_attribute(&w->xml, tendon_of(r, i) ? "tendon" : "joint", joint->name);
        if (servo) fa_markup_number(&w->xml, "kp", joint->servo.kp);
        if (servo) fa_markup_number(&w->xml, "kv", joint->servo.kd);
        if (servo && !isinf(force[1])) fa_convert_numbers(w, "forcerange", force, 2);
        fa_markup_close(&w->xml);
    }
    fa_markup_close(&w->xml);
}

fa_status fa_convert_mjcf(fa_convert_writer *w)
{
    const fa_robot *r = w->robot;
    const size_t    n = (size_t)r->n_links;
    tree            t = {.w = w, .first = malloc(2 * n * sizeof *t.first)};
    if (!t.first)
        return fa_fail(w->error, FA_NO_MEMORY, r->source, FA_NOWHERE,
                       "there is not enough memory for %d links", r->n_links);
    t.next = t.first + n;
    for (size_t i = 0; i < 2 * n; i++) t.first[i] = FA_NOBODY;
    // Builds the lists backwards, so that children keep their order.
    for (int i = r->n_links - 1; i > 0; i--) {
        if (tendon_of(r, i)) continue;
        t.next[i] = t.first[r->link[i].parent];
        t.first[r->link[i].parent] = i;
    }
    fa_markup_open(&w->xml, "mujoco");
    fa_markup_attribute(&w->xml, "model", r->name);
    fa_markup_open(&w->xml, "compiler");
    fa_markup_attribute(&w->xml, "angle", "radian");
    fa_markup_close(&w->xml);
    fa_markup_open(&w->xml, "option");
    fa_convert_vec3(w, "gravity", r->gravity);
    fa_markup_close(&w->xml);
    fa_status status = write_world(&t);
    if (status == FA_OK) write_rest(w);
    fa_convert_lose_rest(w, false, false);
    fa_markup_close(&w->xml);
    free(t.first);
    return status;
}
