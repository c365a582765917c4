// The tree of links: which joints carry, which close loops, and what stands on the ground.
//
// SDFormat's joints need no order and no direction: a link may be the child of two joints, or of
// none. A joint carries its child if that hangs on nothing yet; where a link is a child a second
// time, the later joint closes a loop, unless it is all that holds its parent.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdf.h"

typedef struct tree {
    fa_sdf *s;
    int     n;                    // links, and behind them the ground
    int    *set;                  // of each, for union-find
    bool   *held;                 // for each link: it is the child of a joint
    bool   *carries;              // of each joint
    int    *first, *next, *stack; // joints at each link: a list of ends
    bool   *seen;
} tree;

static int find(tree *t, int i)
{
    while (t->set[i] != i) i = t->set[i] = t->set[t->set[i]];
    return i;
}

static int parent_of(const tree *t, const fa_sdf_joint *joint)
{
    return joint->parent == FA_FORM_NOBODY ? t->n - 1 : joint->parent;
}

// Screws first, for they cannot close a loop; then whatever has a child that hangs on nothing; then
// what is left.
static void choose_carriers(tree *t)
{
    enum { SCREWS, FIRST, REST, PASSES };
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < t->s->n_joints; i++) {
            const fa_sdf_joint *joint = &t->s->joint[i];
            const int           parent = parent_of(t, joint);
            if (fa_sdf_is_gearbox(joint) || find(t, parent) == find(t, joint->child)) continue;
            if (pass == SCREWS && strcmp(joint->type, "screw") != 0) continue;
            if (pass == FIRST && t->held[joint->child]) continue;
            t->held[joint->child] = true;
            t->carries[i] = true;
            t->set[find(t, parent)] = find(t, joint->child);
        }
}

// Walks away from a link: a joint that is met at its child goes the other way round.
static void walk(tree *t, int root)
{
    int waiting = 0;
    t->seen[root] = true;
    t->stack[waiting++] = root;
    while (waiting > 0) {
        const int link = t->stack[--waiting];
        for (int end = t->first[link]; end >= 0; end = t->next[end]) {
            fa_sdf_joint *joint = &t->s->joint[end / 2];
            const bool    at_child = end % 2;
            const int     other = at_child ? parent_of(t, joint) : joint->child;
            if (t->seen[other]) continue;
            t->seen[other] = true;
            joint->reversed = at_child;
            t->stack[waiting++] = other;
        }
    }
}

// Roots: the ground; of what does not hang on it the first link that is no joint's child.
static void orient(tree *t, bool is_root[])
{
    const fa_sdf *s = t->s;
    for (int i = 0; i < t->n; i++) t->first[i] = -1;
    for (int i = s->n_joints - 1; i >= 0; i--) {
        if (!t->carries[i]) continue;
        const int at[2] = {parent_of(t, &s->joint[i]), s->joint[i].child};
        for (int k = 0; k < 2; k++) {
            t->next[2 * i + k] = t->first[at[k]];
            t->first[at[k]] = 2 * i + k;
        }
    }
    walk(t, t->n - 1);
    for (int i = 0; i < t->n - 1; i++) {
        if (t->seen[i] || t->held[i]) continue;
        is_root[i] = true;
        walk(t, i);
    }
}

// -------------------------------------------------------------------------------------- the ground

static fa_status add_ground(fa_sdf *s)
{
    fa_form_link *world = fa_form_add_link(s->form);
    if (!world) return fa_sdf_no_memory(s);
    s->world = s->form->n_links - 1;
    (void)snprintf(world->name, sizeof world->name, "world");
    world->at = world->inertial_at = s->form->at;
    world->weighed = true;
    return FA_OK;
}

// Connects a root to the ground by a joint of its own.
static fa_status hold(fa_sdf *s, int root, bool free)
{
    fa_form_joint *joint = fa_form_add_joint(s->form);
    if (!joint) return fa_sdf_no_memory(s);
    const fa_form_link *link = &s->form->link[root];
    (void)snprintf(joint->name, sizeof joint->name, "%.*s_%s", FA_NAME_SIZE - 12, link->name,
                   free ? "root_joint" : "to_world");
    joint->at = joint->type_at = link->at;
    joint->type = free ? FA_FORM_FLOATING : FA_FORM_FIXED;
    joint->parent = s->world;
    joint->child = root;
    joint->origin = link->pose;
    if (free) { // a floating joint starts at its link's place in the world
        const fa_quaternion p = fa_quaternion_of(link->pose.E);
        const double        start[7] = {
                   link->pose.r.x, link->pose.r.y, link->pose.r.z, p.w, p.x, p.y, p.z};
        memcpy(joint->start, start, sizeof start);
        joint->origin = transform_identity();
    }
    return FA_OK;
}

static fa_status stand(fa_sdf *s, const bool is_root[], int links)
{
    int roots = 0, first = FA_FORM_NOBODY;
    for (int i = links - 1; i >= 0; i--) {
        if (!is_root[i]) continue;
        roots++;
        first = i;
    }
    const bool free = s->options->base == FA_BASE_FREE;
    if (roots == 0) {
        s->form->base = FA_FORM_BASE_FIXED;
        if (!free) return FA_OK;
        return FA_SDF_FAIL(s->xml, s->form->at.place,
                           "--base free is asked for, and joints hold the robot to the world; "
                           "remove these, or leave --base out");
    }
    if (s->options->base == FA_BASE_UNSAID)
        fa_warn(s->log, s->form->link[first].at.file, s->form->link[first].at.place,
                "no joint holds link '%s' to the world, so that SDFormat lets it move freely; here "
                "it is bolted to the ground: --base free lets it move, --base fixed says that "
                "this is meant",
                s->form->link[first].name);
    s->form->base = free ? FA_FORM_BASE_FREE : FA_FORM_BASE_FIXED;
    if (s->world == FA_FORM_NOBODY && roots == 1) return FA_OK;
    fa_status status = s->world == FA_FORM_NOBODY ? add_ground(s) : FA_OK;
    for (int i = 0; i < links && status == FA_OK; i++)
        if (is_root[i]) status = hold(s, i, free);
    s->form->base = FA_FORM_BASE_FIXED; // the ground's link
    return status;
}

// ---------------------------------------------------------------------------------------- together

static fa_status put_joints(tree *t, const bool is_root[])
{
    fa_sdf   *s = t->s;
    const int links = s->form->n_links;
    bool      grounded = false;
    fa_status status = FA_OK;
    for (int i = 0; i < s->n_joints; i++) grounded |= s->joint[i].parent == FA_FORM_NOBODY;
    if (grounded) status = add_ground(s);
    for (int i = 0; i < s->n_joints && status == FA_OK; i++)
        if (t->carries[i]) status = fa_sdf_carry(s, &s->joint[i]);
    for (int i = 0; i < s->n_joints && status == FA_OK; i++)
        if (!t->carries[i] && !fa_sdf_is_gearbox(&s->joint[i]))
            status = fa_sdf_close_loop(s, &s->joint[i]);
    for (int i = 0; i < s->n_joints && status == FA_OK; i++)
        status = fa_sdf_couple(s, &s->joint[i]);
    return status == FA_OK ? stand(s, is_root, links) : status;
}

fa_status fa_sdf_tree(fa_sdf *s)
{
    tree         t = {.s = s, .n = s->form->n_links + 1};
    const size_t n = (size_t)t.n, joints = (size_t)s->n_joints;
    int         *memory = calloc(3 * n + 2 * joints, sizeof *memory);
    bool        *flags = calloc(3 * n + joints, sizeof *flags);
    fa_status    status = FA_OK;
    if (!memory || !flags) {
        status = fa_sdf_no_memory(s);
    } else {
        t.set = memory;
        t.first = memory + n;
        t.stack = memory + 2 * n;
        t.next = memory + 3 * n;
        t.held = flags;
        t.seen = flags + n;
        bool *is_root = flags + 2 * n;
        t.carries = flags + 3 * n;
        for (int i = 0; i < t.n; i++) t.set[i] = i;
        choose_carriers(&t);
        orient(&t, is_root);
        status = put_joints(&t, is_root);
    }
    free(memory);
    free(flags);
    return status;
}
