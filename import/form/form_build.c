// From a form to a robot: the order of links, joints as the model has them, followers, and one
// table of what the model does not have.
#include "form_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form_sum.h"
#include "number.h"
#include "values.h"

// A joint that the builder adds: its position is a sum of others', and it has no mass.
typedef struct axis {
    const char *name;
    fa_form_at  at;
    fa_form_sum sum;
    int         link; // of the robot
} axis;

typedef struct builder {
    const fa_form *form;
    const fa_log  *log;
    fa_error      *error;
    fa_robot      *robot;
    int            added;  // links that the builder itself puts in front: 0 or 1
    int           *holder; // of each link: its joint
    int           *order;  // links of the form, parents first
    int           *rank;   // of each link of the form: its index in the robot
    int           *memory;
    int            n_axes;
    axis          *axis; // behind the form's links
} builder;

#define FAIL(b, at, ...)                                                                           \
    fa_fail((b)->error, FA_BAD_INPUT, (at).file ? (at).file : (b)->form->source, (at).place,       \
            __VA_ARGS__)
#define WARN(b, at, ...)                                                                           \
    fa_warn((b)->log, (at).file ? (at).file : (b)->form->source, (at).place, __VA_ARGS__)

// A robot's places are lines of its own file, or none.
static fa_place place_of(const builder *b, fa_form_at at)
{
    return at.file && strcmp(at.file, b->form->source) == 0 ? at.place : FA_NOWHERE;
}

// ------------------------------------------------------------------------------- what can be built

static const fa_joint_type model_type[FA_FORM_JOINT_TYPES] = {
    [FA_FORM_FIXED] = FA_FIXED,         [FA_FORM_REVOLUTE] = FA_REVOLUTE,
    [FA_FORM_PRISMATIC] = FA_PRISMATIC, [FA_FORM_SCREW] = FA_SCREW,
    [FA_FORM_PLANAR] = FA_PLANAR,       [FA_FORM_BALL] = FA_SPHERICAL,
    [FA_FORM_FLOATING] = FA_FLOATING,
};

// ------------------------------------------------------------------------------------- the tree

static fa_status not_a_tree(const builder *b)
{
    const fa_form *f = b->form;
    int            link = 0;
    while (b->rank[link] != FA_NOBODY) link++;
    for (int steps = 0; steps < f->n_links; steps++) // into the circle, wherever this hangs on it
        link = f->joint[b->holder[link]].parent;
    fa_list   names = {.used = 0};
    const int first = link;
    do {
        fa_list_add(&names, f->link[link].name);
        link = f->joint[b->holder[link]].parent;
    } while (link != first);
    return FAIL(b, f->joint[b->holder[first]].at,
                "the links %s hang on each other in a circle; links must hang on each other as a "
                "tree",
                fa_list_text(&names));
}

// Links depth first; children, and trees, in the order of the form. They are pushed in reverse.
static fa_status put_in_order(builder *b)
{
    const fa_form *f = b->form;
    const size_t   links = (size_t)f->n_links, joints = (size_t)f->n_joints;
    int           *first = calloc(2 * links + joints, sizeof *first); // of each link, a joint
    int            waiting = 0, n = 0;
    if (!first) return fa_form_no_memory(f, b->error);
    int *stack = first + links, *next = stack + links;
    for (size_t i = 0; i < links; i++) first[i] = FA_FORM_NOBODY;
    for (int j = 0; j < f->n_joints; j++) { // the last joint comes first in the list
        next[j] = first[f->joint[j].parent];
        first[f->joint[j].parent] = j;
    }
    for (int i = f->n_links - 1; i >= 0; i--)
        if (b->holder[i] == FA_FORM_NOBODY) stack[waiting++] = i;
    while (waiting > 0) {
        const int link = stack[--waiting];
        b->rank[link] = n + b->added;
        b->order[n++] = link;
        for (int j = first[link]; j != FA_FORM_NOBODY; j = next[j])
            stack[waiting++] = f->joint[j].child;
    }
    free(first);
    return n == f->n_links ? FA_OK : not_a_tree(b);
}

static bool has_law(const fa_form_tendon *t)
{
    return t->stiffness != 0 || t->damping != 0 || t->loss != 0 || t->armature != 0;
}

// A spring that is slack within a band.
static bool has_band(const fa_form_tendon *t)
{
    return t->stiffness != 0 && t->rest[0] != t->rest[1];
}

static fa_status take_sum(const builder *b, const char *name, fa_form_at at, int first_term,
                          int n_terms, fa_form_sum *sum)
{
    *sum = fa_form_sum_of(b->form, first_term, n_terms);
    if (sum->n <= FA_FORM_SUM_TERMS) return FA_OK;
    return FAIL(b, at, "'%s' pulls at more than %d joints together; split it", name,
                FA_FORM_SUM_TERMS);
}

static const axis *axis_of(const builder *b, const fa_form_sum *sum, double *ratio)
{
    for (int i = 0; i < b->n_axes; i++) {
        *ratio = fa_form_sum_ratio(sum, &b->axis[i].sum);
        if (*ratio != 0) return &b->axis[i];
    }
    return NULL;
}

// A tendon or drive on several joints, or with a slack band, gets a massless joint of its own.
static fa_status plan_axes(builder *b)
{
    const fa_form *f = b->form;
    fa_form_sum    sum;
    double         ratio;
    b->axis = calloc((size_t)f->n_tendons + (size_t)f->n_drives + 1, sizeof *b->axis);
    if (!b->axis) return fa_form_no_memory(f, b->error);
    for (int i = 0; i < f->n_tendons; i++) {
        const fa_form_tendon *t = &f->tendon[i];
        const fa_status       status = take_sum(b, t->name, t->at, t->first_term, t->n_terms, &sum);
        if (status != FA_OK) return status;
        if (sum.n == 0 || !has_law(t) || (sum.n == 1 && !has_band(t))) continue;
        if (!axis_of(b, &sum, &ratio))
            b->axis[b->n_axes++] = (axis){t->name, t->at, sum, FA_NOBODY};
    }
    for (int i = 0; i < f->n_drives; i++) {
        const fa_form_drive *d = &f->drive[i];
        const fa_status      status = take_sum(b, d->name, d->at, d->first_term, d->n_terms, &sum);
        if (status != FA_OK) return status;
        if (sum.n < 2 || axis_of(b, &sum, &ratio)) continue;
        const char *name = d->name; // or that of the tendon that it pulls
        for (int k = 0; k < f->n_tendons; k++) {
            const fa_form_tendon *t = &f->tendon[k];
            const fa_form_sum     own = fa_form_sum_of(f, t->first_term, t->n_terms);
            if (fa_form_sum_ratio(&sum, &own) == 0) continue;
            name = t->name;
            sum = own;
            break;
        }
        b->axis[b->n_axes++] = (axis){name, d->at, sum, FA_NOBODY};
    }
    return FA_OK;
}

static fa_status find_holders(builder *b)
{
    const fa_form *f = b->form;
    const size_t   links = (size_t)f->n_links;
    if (f->n_links == 0) return FAIL(b, f->at, "the robot has no link; a robot needs at least one");
    b->memory = calloc(3 * links, sizeof *b->memory);
    if (!b->memory) return fa_form_no_memory(f, b->error);
    b->holder = b->memory;
    b->order = b->holder + links;
    b->rank = b->order + links;
    for (size_t i = 0; i < links; i++) b->holder[i] = b->rank[i] = FA_FORM_NOBODY;
    for (int j = 0; j < f->n_joints; j++) {
        const fa_form_joint *joint = &f->joint[j];
        int                 *holder = &b->holder[joint->child];
        if (*holder != FA_FORM_NOBODY)
            return FAIL(b, joint->at,
                        "link '%s' is the child of joint '%s' and of joint '%s'; a link hangs on "
                        "one joint",
                        f->link[joint->child].name, f->joint[*holder].name, joint->name);
        *holder = j;
    }
    int roots = 0;
    for (size_t i = 0; i < links; i++) roots += b->holder[i] == FA_FORM_NOBODY;
    b->added = roots > 1;
    const fa_status status = plan_axes(b);
    if (status != FA_OK) return status;
    if (f->n_links + b->added + b->n_axes > FA_LINK_MAX)
        return FAIL(b, f->at, "the robot has %d links; %d are the most", f->n_links, FA_LINK_MAX);
    return FA_OK;
}

// ------------------------------------------------------------------------------- links and joints

static void put_link(const builder *b, const fa_form_link *from, fa_link *link)
{
    const fa_form_at at = from->inertial_at.file ? from->inertial_at : from->at;
    memcpy(link->name, from->name, sizeof link->name);
    link->place = place_of(b, at);
    link->mass = from->mass;
    link->com = from->com;
    link->inertia = from->inertia;
    link->wrench = from->wrench;
    link->relief = 1 - from->gravity;
}

static void put_start(const fa_form_joint *from, fa_joint *joint)
{
    const int ball = joint->type == FA_FLOATING ? 3 : 0; // where the quaternion begins
    if (!fa_joint_is_several(joint->type)) {
        joint->initial_position = from->start[0];
        joint->initial_velocity = from->start_speed[0];
    } else if (from->start_at.file) {
        if (joint->type != FA_SPHERICAL)
            memcpy(joint->start.position, from->start, sizeof joint->start.position);
        if (joint->type != FA_PLANAR)
            memcpy(joint->start.quaternion, from->start + ball, sizeof joint->start.quaternion);
        if (joint->type != FA_SPHERICAL)
            memcpy(joint->start.velocity, from->start_speed, sizeof joint->start.velocity);
        if (joint->type != FA_PLANAR)
            memcpy(joint->start.angular_velocity, from->start_speed + ball,
                   sizeof joint->start.angular_velocity);
    }
}

static void put_joint(const builder *b, const fa_form_joint *from, fa_link *link)
{
    fa_joint *joint = &link->joint;
    memcpy(joint->name, from->name, sizeof joint->name);
    joint->place = place_of(b, from->at);
    joint->type = model_type[from->type];
    joint->origin = from->origin;
    link->frame = from->to_child;
    if (joint->type == FA_FIXED) return; // what it says of motion means nothing
    joint->axis = from->axis;
    joint->pitch = from->pitch;
    joint->independent = from->independent;
    joint->actuated = from->actuated;
    joint->limit.lower = from->limits.lower;
    joint->limit.upper = from->limits.upper;
    joint->limit.effort = from->limits.effort;
    joint->limit.velocity = from->limits.velocity;
    joint->friction.viscous = from->friction.viscous;
    joint->friction.coulomb = joint->friction.coulomb_negative = from->friction.coulomb;
    put_start(from, joint);
    if (from->spring.stiffness != 0) {
        joint->spring.present = true;
        joint->spring.stiffness = from->spring.stiffness;
        joint->spring.rest = from->spring.rest;
    }
    if (from->stop.law.present) joint->stop = from->stop.law;
    joint->rotor.inertia = from->rotor.inertia;
    joint->rotor.gear = from->rotor.gear;
}

// A link that holds several trees; its name is one that no other link has.
static void put_world(const builder *b)
{
    fa_link *world = &b->robot->link[0];
    (void)snprintf(world->name, sizeof world->name, "world");
    for (int k = 2; fa_form_find_link(b->form, world->name) != FA_FORM_NOBODY; k++)
        (void)snprintf(world->name, sizeof world->name, "world%d", k);
    world->place = place_of(b, b->form->at);
}

// A tree that hangs on nothing: at its place in the world, which more than one share a link for.
static void put_root(const builder *b, const fa_form_link *from, fa_link *link)
{
    link->joint.origin = from->pose;
    if (!b->added) return;
    link->parent = 0;
    if (b->form->base == FA_FORM_BASE_FREE) link->joint.type = FA_FLOATING;
    (void)snprintf(link->joint.name, sizeof link->joint.name, "%.*s_to_world", FA_NAME_SIZE - 10,
                   from->name);
    for (int k = 2; fa_form_find_joint(b->form, link->joint.name) != FA_FORM_NOBODY; k++)
        (void)snprintf(link->joint.name, sizeof link->joint.name, "%.*s_to_world%d",
                       FA_NAME_SIZE - 20, from->name, k);
    link->joint.place = place_of(b, from->at);
}

// A name that neither a link nor a joint of the form has, nor an axis before this one.
static void name_axis(const builder *b, int index, char name[FA_NAME_SIZE])
{
    const char *own = b->axis[index].name;
    (void)snprintf(name, FA_NAME_SIZE, "%s", own);
    for (int k = 2;; k++) {
        bool taken = fa_form_find_link(b->form, name) != FA_FORM_NOBODY ||
                     fa_form_find_joint(b->form, name) != FA_FORM_NOBODY;
        for (int i = 0; i < index; i++)
            taken |= strcmp(b->robot->link[b->axis[i].link].name, name) == 0;
        if (!taken) return;
        (void)snprintf(name, FA_NAME_SIZE, "%.*s_%d", FA_NAME_SIZE - 12, own, k);
    }
}

static void put_axes(builder *b)
{
    const fa_form *f = b->form;
    for (int i = 0; i < b->n_axes; i++) {
        axis     *a = &b->axis[i];
        const int carrier = fa_form_sum_carrier(f, b->holder, &a->sum);
        bool      turns = true;
        a->link = f->n_links + b->added + i;
        fa_link *link = &b->robot->link[a->link];
        name_axis(b, i, link->name);
        memcpy(link->joint.name, link->name, sizeof link->joint.name);
        link->place = link->joint.place = place_of(b, a->at);
        link->parent = carrier == FA_FORM_NOBODY ? 0 : b->rank[carrier];
        for (int k = 0; k < a->sum.n; k++)
            turns &= f->joint[a->sum.term[k].joint].type != FA_FORM_PRISMATIC;
        link->joint.type = turns ? FA_REVOLUTE : FA_PRISMATIC;
        link->joint.axis = vec3(1, 0, 0);
        link->joint.initial_position = fa_form_sum_start(f, &a->sum);
        link->joint.initial_velocity = fa_form_sum_start_rate(f, &a->sum);
    }
}

static void put_links(const builder *b)
{
    const fa_form *f = b->form;
    memcpy(b->robot->name, f->name, sizeof b->robot->name);
    b->robot->gravity = f->gravity;
    if (b->added) put_world(b);
    for (int i = 0; i < f->n_links; i++) {
        const int index = b->order[i], holder = b->holder[index];
        fa_link  *link = &b->robot->link[b->rank[index]];
        put_link(b, &f->link[index], link);
        if (holder == FA_FORM_NOBODY) {
            put_root(b, &f->link[index], link);
            continue;
        }
        link->parent = b->rank[f->joint[holder].parent];
        put_joint(b, &f->joint[holder], link);
    }
}

// ---------------------------------------------------------------------------------- followers

static fa_status put_coupling(const builder *b, const fa_form_coupling *c)
{
    const fa_form_joint *joint = &b->form->joint[c->follower];
    fa_joint            *follower = &b->robot->link[b->rank[joint->child]].joint;
    if (c->leader == FA_FORM_NOBODY || follower->type == FA_FIXED || fa_form_bends(c)) return FA_OK;
    if (follower->mimic.leader != FA_NOBODY)
        return FAIL(b, c->at, "joint '%s' is to follow two joints; let it follow one", joint->name);
    follower->mimic =
        (fa_mimic){b->rank[b->form->joint[c->leader].child], c->coefficient[1], c->coefficient[0]};
    return FA_OK;
}

static bool follows(const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    return joint->type != FA_FIXED && joint->mimic.leader != FA_NOBODY;
}

static fa_status circle(const builder *b, int link)
{
    const fa_robot *robot = b->robot;
    const fa_joint *joint = &robot->link[link].joint;
    fa_list         names = {.used = 0};
    if (joint->mimic.leader == link)
        return fa_fail(b->error, FA_BAD_INPUT, b->form->source, joint->place,
                       "joint '%s' mimics itself; let it be free", joint->name);
    int i = link;
    do {
        fa_list_add(&names, robot->link[i].joint.name);
        i = robot->link[i].joint.mimic.leader;
    } while (i != link);
    return fa_fail(b->error, FA_BAD_INPUT, b->form->source, joint->place,
                   "the joints %s mimic each other in a circle; let one of them be free",
                   fa_list_text(&names));
}

// Replaces the leader of each follower by the independent joint at the end of its chain. Visits
// each joint once.
static fa_status resolve_followers(const builder *b)
{
    enum { NEW, ON_PATH, DONE };
    fa_robot      *robot = b->robot;
    size_t         links = (size_t)robot->n_links;
    int           *path = malloc(links * sizeof *path);
    unsigned char *state = calloc(links, sizeof *state);
    fa_status      status = FA_OK;
    if (!path || !state) status = fa_form_no_memory(b->form, b->error);
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        int n = 0, k = i;
        for (; follows(robot, k) && state[k] == NEW; k = robot->link[k].joint.mimic.leader) {
            state[k] = ON_PATH;
            path[n++] = k;
        }
        if (state[k] == ON_PATH) status = circle(b, k);
        while (n > 0 && status == FA_OK) {
            fa_mimic *own = &robot->link[path[--n]].joint.mimic;
            fa_mimic  next = robot->link[own->leader].joint.mimic;
            state[path[n]] = DONE;
            if (next.leader == FA_NOBODY) continue;
            *own = (fa_mimic){next.leader, own->ratio * next.ratio,
                              own->ratio * next.offset + own->offset};
        }
    }
    free(state);
    free(path);
    return status;
}

static fa_status put_couplings(const builder *b)
{
    const fa_form *f = b->form;
    fa_status      status = FA_OK;
    for (int i = 0; i < f->n_couplings && status == FA_OK; i++)
        status = put_coupling(b, &f->coupling[i]);
    if (status == FA_OK && f->n_couplings > 0) status = resolve_followers(b);
    for (int i = 0; i < f->n_couplings && status == FA_OK; i++) {
        const fa_form_coupling *c = &f->coupling[i];
        double                  position = c->coefficient[0], leader;
        if (c->leader != FA_FORM_NOBODY) {
            if (!fa_form_bends(c) || !fa_form_is_held(f, c->leader, &leader)) continue;
            position = 0;
            for (int k = FA_FORM_DEGREE; k >= 0; k--)
                position = position * leader + c->coefficient[k];
        }
        status = fa_robot_lock(b->robot, f->joint[c->follower].name, position, b->error);
    }
    return status;
}

// ------------------------------------------------------------------------------------------ loops

static const fa_loop_type model_loop[] = {
    [FA_FORM_LOOP_FIXED] = FA_LOOP_FIXED,         [FA_FORM_LOOP_REVOLUTE] = FA_LOOP_REVOLUTE,
    [FA_FORM_LOOP_PRISMATIC] = FA_LOOP_PRISMATIC, [FA_FORM_LOOP_CYLINDRICAL] = FA_LOOP_CYLINDRICAL,
    [FA_FORM_LOOP_SPHERICAL] = FA_LOOP_SPHERICAL, [FA_FORM_LOOP_UNIVERSAL] = FA_LOOP_UNIVERSAL,
    [FA_FORM_LOOP_PLANAR] = FA_LOOP_PLANAR,       [FA_FORM_LOOP_DISTANCE] = FA_LOOP_DISTANCE,
    [FA_FORM_LOOP_COUPLING] = FA_LOOP_COUPLING,
};

static bool is_relation(const builder *b, const fa_form_coupling *c)
{
    const fa_form_joint *follower = &b->form->joint[c->follower];
    return c->leader != FA_FORM_NOBODY && fa_form_bends(c) &&
           b->robot->link[b->rank[follower->child]].joint.type != FA_FIXED;
}

// A name that no loop before has.
static void name_relation(const builder *b, const char *name, int n, fa_loop *loop)
{
    (void)snprintf(loop->name, sizeof loop->name, "%s", name);
    for (int k = 2, i = 0; i < n; i++)
        if (strcmp(fa_robot_loop(b->robot, i)->name, loop->name) == 0) {
            (void)snprintf(loop->name, sizeof loop->name, "%.*s_%d", FA_NAME_SIZE - 12, name, k++);
            i = -1;
        }
}

static void add_term(fa_loop *loop, int link, const double coefficient[FA_RELATION_DEGREE + 1])
{
    fa_relation_term *term = &loop->term[loop->n_terms++];
    term->of = link;
    memcpy(term->coefficient, coefficient, sizeof term->coefficient);
    loop->from = loop->term[0].of;
    loop->to = loop->term[loop->n_terms > 1].of;
}

// Follower or axis less what it is tied to.
static void put_relations(const builder *b, int n)
{
    static const double itself[FA_RELATION_DEGREE + 1] = {0, -1};
    const fa_form      *f = b->form;
    for (int i = 0; i < f->n_couplings; i++) {
        const fa_form_coupling *c = &f->coupling[i];
        if (!is_relation(b, c)) continue;
        fa_loop *loop = &fa_robot_loops(b->robot)[n];
        name_relation(b, f->joint[c->follower].name, n++, loop);
        loop->place = place_of(b, c->at);
        loop->type = FA_LOOP_RELATION;
        add_term(loop, b->rank[f->joint[c->follower].child], itself);
        add_term(loop, b->rank[f->joint[c->leader].child], c->coefficient);
        fa_joint *follower = &b->robot->link[loop->from].joint; // starts where its leader puts it
        double    start = 0;
        for (int k = FA_FORM_DEGREE; k >= 0; k--)
            start = start * b->robot->link[loop->to].joint.initial_position + c->coefficient[k];
        follower->initial_position = start;
    }
    for (int i = 0; i < b->n_axes; i++) {
        const axis  *a = &b->axis[i];
        const double own[FA_RELATION_DEGREE + 1] = {a->sum.constant, -1};
        fa_loop     *loop = &fa_robot_loops(b->robot)[n];
        name_relation(b, b->robot->link[a->link].name, n++, loop);
        loop->place = place_of(b, a->at);
        loop->type = FA_LOOP_RELATION;
        add_term(loop, a->link, own);
        for (int k = 0; k < a->sum.n; k++) {
            const double line[FA_RELATION_DEGREE + 1] = {0, a->sum.term[k].coefficient};
            add_term(loop, b->rank[f->joint[a->sum.term[k].joint].child], line);
        }
    }
}

static fa_status put_loops(builder *b)
{
    const fa_form *f = b->form;
    int            relations = b->n_axes;
    for (int i = 0; i < f->n_couplings; i++) relations += is_relation(b, &f->coupling[i]);
    if (f->n_loops + relations == 0) return FA_OK;
    fa_robot *with = fa_robot_with_loops(b->robot, f->n_loops + relations);
    if (!with) return fa_form_no_memory(f, b->error);
    b->robot = with;
    for (int i = 0; i < f->n_loops; i++) {
        const fa_form_loop *from = &f->loop[i];
        fa_loop            *loop = &fa_robot_loops(with)[i];
        memcpy(loop->name, from->name, sizeof loop->name);
        loop->place = place_of(b, from->at);
        loop->type = model_loop[from->type];
        loop->from = b->rank[from->link[0]];
        loop->to = b->rank[from->link[1]];
        loop->from_frame = from->frame[0];
        loop->to_frame = from->frame[1];
        loop->open = from->open;
        loop->axis = from->axis;
        loop->second = from->axis2;
        loop->length = from->length;
        loop->ratio = from->ratio;
    }
    put_relations(b, f->n_loops);
    return FA_OK;
}

// ------------------------------------------------------------------------------- drives, tendons

// A joint at which something of several joints acts: its own number is factor times the joint's
// position, and a constant.
typedef struct target {
    fa_joint *joint; // NULL: nothing that moves
    double    factor, constant;
} target;

static target target_of(const builder *b, const fa_form_sum *sum, bool banded)
{
    target t = {.factor = 1, .constant = sum->constant};
    if (sum->n == 0) return t;
    if (sum->n == 1 && !banded) {
        const int child = b->form->joint[sum->term[0].joint].child;
        t.joint = &b->robot->link[b->rank[child]].joint;
        t.factor = sum->term[0].coefficient;
    } else {
        const axis *a = axis_of(b, sum, &t.factor);
        if (!a) return t; // plan_axes has made one of each sum
        t.joint = &b->robot->link[a->link].joint;
        t.constant -= t.factor * a->sum.constant;
    }
    if (t.joint->type == FA_FIXED) t.joint = NULL;
    return t;
}

// Bounds the effort input of a joint by the limits of a drive without feedback.
static void bound_effort(const fa_form_drive *d, const target *to)
{
    const double input = fmax(fabs(d->input[0]), fabs(d->input[1]));
    const double force = fmax(fabs(d->force[0]), fabs(d->force[1]));
    const double most = fabs(to->factor) * fmin(force, fabs(d->gain) * input);
    if (most > 0) to->joint->limit.effort = fmin(to->joint->limit.effort, most);
}

// A drive with feedback as a servo: with N the factor and L = N q + c the joint feels
//     N (g u + b0 + b1 L + b2 N q') = kp (target - q) + kd (target_velocity - q').
// Its target is a position: (g u + b0 + b1 c) / (-b1 N); of a speed, without b1, g u / (-b2 N).
static bool put_servo(const fa_form_drive *d, const target *to)
{
    const double N = to->factor;
    const double kp = -d->bias[1] * N * N, kd = -d->bias[2] * N * N;
    const double most = fabs(N) * fmax(fabs(d->force[0]), fabs(d->force[1]));
    fa_joint    *joint = to->joint;
    if (kp < 0 || kd < 0 || !(kp + kd > 0) || joint->servo.present || (kp == 0 && d->bias[0] != 0))
        return false;
    joint->servo.present = true;
    joint->servo.kp = kp;
    joint->servo.kd = kd;
    joint->servo.torque_limit = fmin(most, joint->limit.effort);
    return true;
}

static void put_drives(const builder *b)
{
    const fa_form *f = b->form;
    fa_list        lost = {.used = 0};
    fa_form_at     first_lost = {NULL, {0, 0}};
    for (int i = 0; i < f->n_drives; i++) {
        const fa_form_drive *d = &f->drive[i];
        const bool           feedback = d->bias[0] != 0 || d->bias[1] != 0 || d->bias[2] != 0;
        const fa_form_sum    sum = fa_form_sum_of(f, d->first_term, d->n_terms);
        const target         to = target_of(b, &sum, false);
        if (!to.joint || !fa_joint_is_free(to.joint)) continue;
        to.joint->actuated = true;
        if (!feedback)
            bound_effort(d, &to);
        else if (!put_servo(d, &to)) {
            if (!first_lost.file) first_lost = d->at;
            fa_list_add(&lost, d->name);
        }
    }
    if (lost.used > 0)
        WARN(
            b, first_lost,
            "the drives %s are left out: they are no servo of a position or a speed, or the second "
            "one of their joint",
            fa_list_text(&lost));
}

static void add_spring(fa_joint *joint, double stiffness, double rest)
{
    const double together = joint->spring.stiffness + stiffness;
    if (stiffness == 0) return;
    joint->spring.rest =
        (joint->spring.stiffness * joint->spring.rest + stiffness * rest) / together;
    joint->spring.stiffness = together;
    joint->spring.present = true;
}

static void put_range(double lower, double upper, const target *to)
{
    const double a = (lower - to->constant) / to->factor;
    const double b = (upper - to->constant) / to->factor;
    to->joint->limit.lower = fmax(to->joint->limit.lower, fmin(a, b));
    to->joint->limit.upper = fmin(to->joint->limit.upper, fmax(a, b));
}

// A band is where two stops without damping leave the joint alone.
static fa_status put_band(const builder *b, const fa_form_tendon *t, const target *to)
{
    if (t->lower > -INFINITY || t->upper < INFINITY || to->joint->stop.present)
        return FAIL(b, t->at,
                    "the tendon '%s' has a spring that is slack between two lengths, which stops "
                    "there simulate, and its joints have a range or another such spring; remove "
                    "one of them",
                    t->name);
    put_range(t->rest[0], t->rest[1], to);
    to->joint->stop = (fa_stop_data){true, .stiffness = t->stiffness * to->factor * to->factor};
    return FA_OK;
}

// Puts the spring, damper, friction and armature of a tendon at one joint.
static fa_status put_tendon(const builder *b, const fa_form_tendon *t)
{
    const fa_form_sum sum = fa_form_sum_of(b->form, t->first_term, t->n_terms);
    double            ratio;
    if (sum.n > 1 && !axis_of(b, &sum, &ratio)) return FA_OK; // neither law nor drive
    const target to = target_of(b, &sum, has_band(t));
    if (!to.joint) return FA_OK;
    const double   square = to.factor * to.factor;
    fa_rotor_data *rotor = &to.joint->rotor;
    to.joint->friction.viscous += t->damping * square;
    to.joint->friction.coulomb += t->loss * fabs(to.factor);
    to.joint->friction.coulomb_negative += t->loss * fabs(to.factor);
    rotor->inertia += t->armature * square / (rotor->gear * rotor->gear);
    if (has_band(t)) return put_band(b, t, &to);
    add_spring(to.joint, t->stiffness * square, (t->rest[0] - to.constant) / to.factor);
    if (sum.n > 1) put_range(t->lower, t->upper, &to);
    return FA_OK;
}

// ------------------------------------------------------------------------------------- together

static fa_status free_root(builder *b)
{
    fa_robot *freed = fa_robot_with_free_base(b->robot);
    if (!freed) return fa_form_no_memory(b->form, b->error);
    free(b->robot);
    b->robot = freed;
    return FA_OK;
}

static fa_status build(builder *b)
{
    const fa_form *f = b->form;
    fa_status      status = find_holders(b);
    if (status != FA_OK || !b->rank) return status;
    status = put_in_order(b);
    if (status != FA_OK) return status;
    b->robot = fa_robot_new(f->n_links + b->added + b->n_axes);
    if (!b->robot) return fa_form_no_memory(f, b->error);
    put_links(b);
    put_axes(b);
    status = put_couplings(b);
    for (int i = 0; i < f->n_tendons && status == FA_OK; i++) status = put_tendon(b, &f->tendon[i]);
    if (status == FA_OK) put_drives(b);
    if (status == FA_OK) status = put_loops(b);
    return status == FA_OK && f->base == FA_FORM_BASE_FREE && !b->added ? free_root(b) : status;
}

fa_status fa_form_build(const fa_form *form, const fa_log *log, fa_robot **robot, fa_error *error)
{
    builder   b = {.form = form, .log = log, .error = error};
    fa_status status = build(&b);
    if (status != FA_OK) {
        free(b.robot);
        b.robot = NULL;
    }
    free(b.memory);
    free(b.axis);
    *robot = b.robot;
    return status;
}
