// Reactions in the joints and at the base of an arm: the forces of the recursive Newton-Euler
// equations at every joint of the file, fixed ones included.
#include <string.h>

#include "arm_outputs.h"
#include "methods.h"

enum { WRENCH_ROWS = 6 };

// ------------------------------------------------------------------------------------------ layout

void fa_arm_reactions_lay_out(fa_arm_outputs *to, fa_arena *a, size_t n)
{
    fa_arm *parts = &to->parts;
    parts->body = fa_arena_take(a, n, sizeof *parts->body);
    parts->link = fa_arena_take(a, n, sizeof *parts->link);
    parts->motion = fa_arena_take(a, n, sizeof *parts->motion);
    void *motions =
        fa_arena_share(a, n, sizeof *parts->motion_tangent, sizeof *parts->motion_adjoint);
    void *inertias =
        fa_arena_share(a, n, sizeof *parts->inertia_tangent, sizeof *parts->inertia_adjoint);
    void *wrenches =
        fa_arena_share(a, n, sizeof *parts->wrench_tangent, sizeof *parts->wrench_adjoint);
    parts->motion_tangent = motions;
    parts->motion_adjoint = motions;
    parts->inertia_tangent = inertias;
    parts->inertia_adjoint = inertias;
    parts->wrench_tangent = wrenches;
    parts->wrench_adjoint = wrenches;
    parts->wrench = fa_arena_take(a, n, sizeof *parts->wrench);
    parts->pose = fa_arena_take(a, n, sizeof *parts->pose);
    to->reaction_row = fa_arena_take(a, n, sizeof *to->reaction_row);
    parts->advance_adjoint = fa_arena_take(a, n, sizeof *parts->advance_adjoint);
    to->force = fa_arena_take(a, n, sizeof *to->force);
    to->force_adjoint = fa_arena_take(a, n, sizeof *to->force_adjoint);
}

// Each link of the robot as a body of its own, from `body`, the robot's bodies in link order.
static void build_parts(fa_arm *parts, const fa_robot *robot, const fa_body body[])
{
    static const fa_vec3 any_axis = {0, 0, 1};
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link  *link = &robot->link[i];
        const fa_joint *joint = &link->joint;
        fa_body        *part = &parts->body[i];
        *part = (fa_body){.joint = FA_REVOLUTE, .axis = any_axis}; // with ratio 0: fixed
        if (joint->type != FA_FIXED) *part = *body++;
        part->parent = link->parent;
        part->rotor = 0;
        part->home = joint->origin;
        if (link->parent != FA_WORLD)
            part->home = transform_compose(robot->link[link->parent].frame, joint->origin);
        part->inertia = fa_link_inertia(link->mass, link->com, link->inertia, link->frame);
    }
}

void fa_arm_reactions_prepare(fa_arm *arm, const fa_robot *robot, const fa_variables *variables,
                              const int entry[])
{
    fa_arm_outputs *out = arm->outputs;
    fa_arm         *parts = &out->parts;
    build_parts(parts, robot, arm->body);
    memcpy(parts->row, arm->row, sizeof parts->row);
    if (arm->chain.n_coordinates == 0) // fixed joints read a coordinate all the same: any row
        for (int i = 0; i < 3; i++) parts->row[FA_ARM_POSITION + i] = 0;
    parts->chain = arm->chain;
    parts->chain.n = robot->n_links;
    parts->chain.body = parts->body;
    parts->n_links = arm->n_links;
    parts->has_link_wrenches = arm->has_link_wrenches;
    for (int i = 0; i < robot->n_links; i++) { // entry[i] is constant where link i is fixed
        bool moves =
            entry[i] < arm->n_links && (i + 1 == robot->n_links || entry[i + 1] > entry[i]);
        if (!moves) continue;
        parts->link[entry[i]] = arm->link[entry[i]];
        parts->link[entry[i]].body = i;
        parts->link[entry[i]].frame = robot->link[i].frame;
    }
    parts->tip_body = robot->tip_link;
    parts->tip_frame = transform_compose(robot->link[robot->tip_link].frame, robot->tip);
    out->tip_inertia = parts->body[robot->tip_link].inertia;

    const fa_joint *root = &robot->link[0].joint;
    bool            bolted = root->type == FA_FIXED;
    out->base = bolted ? transform_compose(root->origin, robot->link[0].frame).r : root->origin.r;
    for (int i = 0; i < robot->n_links; i++) out->reaction_row[i] = FA_NO_ROW;
    for (int row = variables->n; row-- > 0;)
        if (variables->row[row].quantity == FA_ARM_REACTION)
            out->reaction_row[variables->row[row].index] = row;
}

// Screws are the same in the arm and in its parts, and in the same order.
static void take_pitches(const fa_arm *arm)
{
    const fa_arm *parts = &arm->outputs->parts;
    for (int i = 0, k = 0; arm->chain.screws && i < parts->chain.n; i++) {
        if (parts->body[i].joint != FA_SCREW) continue;
        while (arm->body[k].joint != FA_SCREW) k++;
        parts->body[i].advance = arm->body[k].advance;
        parts->body[i].advance_tangent = arm->body[k++].advance_tangent;
    }
}

static void give_pitch_adjoints(const fa_arm *arm, double adjoint[])
{
    const fa_arm *parts = &arm->outputs->parts;
    for (int i = 0, k = 0; adjoint && i < parts->chain.n; i++) {
        if (parts->body[i].joint != FA_SCREW) continue;
        while (arm->body[k].joint != FA_SCREW) k++;
        adjoint[k++] += parts->advance_adjoint[i];
    }
}

void fa_arm_reactions_configure(fa_arm *arm, const double value[])
{
    fa_arm_outputs *out = arm->outputs;
    fa_arm         *parts = &out->parts;
    parts->chain.gravity = arm->chain.gravity;
    take_pitches(arm);
    if (arm->tip_body == FA_WORLD) parts->body[parts->tip_body].inertia = out->tip_inertia;
    fa_arm_inertias(parts, value);
}

// -------------------------------------------------------------------------------------- evaluation

static const double *of_joints(const fa_arm *parts, const double value[], fa_arm_quantity quantity)
{
    return value + parts->row[quantity];
}

static fa_vec3 get(const double from[])
{
    return vec3(from[0], from[1], from[2]);
}

static void put(double to[], fa_wrench f)
{
    const double rows[WRENCH_ROWS] = {f.force.x,  f.force.y,  f.force.z,
                                      f.moment.x, f.moment.y, f.moment.z};
    memcpy(to, rows, sizeof rows);
}

// Copies the ground's motion set by fa_arm_place.
static void place(fa_arm *arm)
{
    fa_chain *chain = &arm->outputs->parts.chain;
    chain->base_moves = arm->chain.base_moves;
    chain->base_rate = arm->chain.base_rate;
    chain->base_acceleration = arm->chain.base_acceleration;
}

static fa_twist wanted_at(const double adjoint[], int row)
{
    return (fa_twist){get(adjoint + row + 3), get(adjoint + row)};
}

// After the motion of the parts: what acts on them from outside, and what cylinders do.
static fa_load loads(const fa_arm *arm, const double value[])
{
    const fa_arm *parts = &arm->outputs->parts;
    const bool any = fa_arm_loads(parts, value), cylinders = arm->cylinders.n > 0 && !arm->inverse;
    const bool touches = arm->touches.n > 0;
    if ((cylinders || touches) && !any)
        memset(parts->wrench, 0, (size_t)parts->chain.n * sizeof *parts->wrench);
    if (cylinders) fa_arm_cylinder_wrenches(arm, value, parts->wrench);
    fa_arm_touches_wrenches(arm, true, parts->motion, parts->wrench);
    return (fa_load){any || cylinders || touches ? parts->wrench : NULL};
}

bool fa_arm_reactions(fa_arm *arm, const double value[], const double qdd[])
{
    fa_arm *parts = &arm->outputs->parts;
    place(arm);
    fa_chain_motion(&parts->chain, of_joints(parts, value, FA_ARM_POSITION),
                    of_joints(parts, value, FA_ARM_VELOCITY),
                    arm->chain.n_coordinates > 0 ? qdd : value, parts->motion);
    const fa_load load = loads(arm, value);
    fa_joint_forces(&parts->chain, &load, parts->motion, arm->outputs->force);
    bool finite = true;
    for (int i = 0; i < parts->chain.n; i++) {
        const fa_wrench *f = &arm->outputs->force[i].f;
        finite = finite && fa_all_finite(&f->moment.x, 3) && fa_all_finite(&f->force.x, 3);
    }
    return finite;
}

// Returns the reaction of the ground on the base; with `tangent`, its tangent.
static fa_wrench base_reaction(const fa_arm_outputs *out, const double dq[], bool tangent)
{
    const fa_arm *parts = &out->parts;
    fa_wrench     sum = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < parts->chain.n; i++) {
        const fa_body *body = &parts->body[i];
        if (body->parent != FA_WORLD) continue;
        fa_wrench f = out->force[i].f;
        if (tangent) {
            fa_twist dJ = twist_scale(fa_joint_rate(body, dq), fa_joint_axis(body));
            f = wrench_add(out->force[i].df, twist_cross_wrench(dJ, f));
        }
        sum = wrench_add(sum, to_parent(parts->motion[i].X, f));
    }
    sum.moment = vec3_sub(sum.moment, cross(out->base, sum.force));
    return sum;
}

void fa_arm_put_reactions(const fa_arm *arm, double value[])
{
    const fa_arm_outputs *out = arm->outputs;
    for (int i = 0; i < out->parts.chain.n; i++)
        if (out->reaction_row[i] != FA_NO_ROW) put(value + out->reaction_row[i], out->force[i].f);
    put(value + arm->row[FA_ARM_BASE_REACTION], base_reaction(out, NULL, false));
}

void fa_arm_reactions_tangent(fa_arm *arm, const double value[], const fa_tangent *all,
                              double direction[])
{
    fa_arm_outputs *out = arm->outputs;
    fa_arm         *parts = &out->parts;
    const double   *qd = of_joints(parts, value, FA_ARM_VELOCITY);
    const double   *qdd = of_joints(parts, value, FA_ARM_ACCELERATION);
    fa_tangent      tangent = {
             .joint = {.q = of_joints(parts, direction, FA_ARM_POSITION),
                       .qd = of_joints(parts, direction, FA_ARM_VELOCITY),
                       .qdd = of_joints(parts, direction, FA_ARM_ACCELERATION)},
             .wrench = parts->wrench_tangent,
             .gravity = all->gravity,
    };
    fa_twist base[2];
    place(arm);
    take_pitches(arm);
    if (arm->chain.base_moves) {
        fa_arm_base_tangents(arm, direction, base);
        tangent.joint.base_velocity = &base[0];
        tangent.joint.base_acceleration = &base[1];
    }
    if (all->inertia) {
        fa_arm_inertia_tangents(parts, value, direction);
        tangent.inertia = parts->inertia_tangent;
    }
    fa_chain_motion(&parts->chain, of_joints(parts, value, FA_ARM_POSITION), qd, qdd,
                    parts->motion);
    fa_chain_motion_tangent(&parts->chain, qd, qdd, parts->motion, tangent.joint,
                            parts->motion_tangent);
    fa_arm_load_tangents(parts, value, direction);
    if (!arm->inverse)
        fa_arm_cylinder_wrench_tangents(arm, value, direction, parts->wrench_tangent);
    fa_arm_touches_wrench_tangents(arm, true, parts->motion, parts->motion_tangent,
                                   parts->wrench_tangent);
    const fa_load load = loads(arm, value);
    fa_joint_forces_tangent(&parts->chain, &load, parts->motion, &tangent, parts->motion_tangent,
                            out->force);
    for (int i = 0; i < parts->chain.n; i++)
        if (out->reaction_row[i] != FA_NO_ROW)
            put(direction + out->reaction_row[i], out->force[i].df);
    put(direction + arm->row[FA_ARM_BASE_REACTION], base_reaction(out, tangent.joint.q, true));
}

void fa_arm_reactions_adjoint(fa_arm *arm, const double value[], fa_joint_adjoint joint,
                              double adjoint[])
{
    fa_arm_outputs *out = arm->outputs;
    fa_arm         *parts = &out->parts;
    int             n = parts->chain.n;
    const double   *qd = of_joints(parts, value, FA_ARM_VELOCITY);
    const double   *qdd = of_joints(parts, value, FA_ARM_ACCELERATION);
    if (arm->chain.n_coordinates == 0)
        joint = (fa_joint_adjoint){.q = adjoint, .qd = adjoint, .qdd = adjoint};
    fa_wrench by_base[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    place(arm);
    if (arm->chain.base_moves) {
        joint.base_velocity = &by_base[0];
        joint.base_acceleration = &by_base[1];
    }
    double *by_pitch = joint.advance;
    if (by_pitch) {
        joint.advance = parts->advance_adjoint;
        memset(parts->advance_adjoint, 0, (size_t)n * sizeof *parts->advance_adjoint);
    }
    fa_adjoint sums = {
        .joint = joint, .wrench = parts->wrench_adjoint, .inertia = parts->inertia_adjoint};
    memset(parts->wrench_adjoint, 0, (size_t)n * sizeof *parts->wrench_adjoint);
    memset(parts->inertia_adjoint, 0, (size_t)n * sizeof *parts->inertia_adjoint);
    memset(parts->motion_adjoint, 0, (size_t)n * sizeof *parts->motion_adjoint);
    fa_chain_motion(&parts->chain, of_joints(parts, value, FA_ARM_POSITION), qd, qdd,
                    parts->motion);

    const fa_load load = loads(arm, value);

    // base_reaction backwards.
    fa_twist base = wanted_at(adjoint, arm->row[FA_ARM_BASE_REACTION]);
    base.linear = vec3_sub(base.linear, cross(base.angular, out->base));
    for (int i = 0; i < n; i++) {
        fa_joint_force_adjoint *f = &out->force_adjoint[i];
        f->wanted = (fa_twist){{0, 0, 0}, {0, 0, 0}};
        if (out->reaction_row[i] != FA_NO_ROW) f->wanted = wanted_at(adjoint, out->reaction_row[i]);
        if (parts->body[i].parent == FA_WORLD)
            f->wanted = twist_add(f->wanted, to_child(parts->motion[i].X, base));
    }
    fa_joint_forces_adjoint(&parts->chain, &load, parts->motion, out->force_adjoint, &sums,
                            parts->motion_adjoint);
    for (int i = 0; i < n; i++) {
        const fa_body *body = &parts->body[i];
        if (body->parent != FA_WORLD) continue;
        fa_twist turn = twist_cross(to_child(parts->motion[i].X, base), fa_joint_axis(body));
        joint.q[body->coordinate] += body->ratio * power(turn, out->force_adjoint[i].f);
    }
    fa_arm_load_adjoints(parts, value, adjoint);
    if (!arm->inverse) fa_arm_cylinder_wrench_adjoints(arm, value, adjoint);
    fa_arm_touches_wrench_adjoints(arm, true, parts->motion, parts->wrench_adjoint,
                                   parts->motion_adjoint);
    fa_chain_motion_adjoint(&parts->chain, qd, qdd, parts->motion, parts->motion_adjoint, joint);
    give_pitch_adjoints(arm, by_pitch);
    if (arm->chain.base_moves) fa_arm_base_adjoints(arm, by_base, adjoint);
    fa_arm_inertia_adjoints(parts, value, adjoint);
    double *gravity = adjoint + arm->row[FA_ARM_GRAVITY];
    gravity[0] += sums.gravity.x;
    gravity[1] += sums.gravity.y;
    gravity[2] += sums.gravity.z;
}
