// Jacobian of the derivatives of an arm's states by the states: mechanics by dynamics/jacobians.c;
// elements at joints by one tangent of all positions, one of all speeds and one of all currents,
// because each depends on its own joint alone; cylinders, which may act on several joints, by
// arm_cylinder_jacobian.c; all other rows by an adjoint each.
#include <string.h>

#include "arena.h"
#include "arm.h"
#include "jacobians.h"

// Beyond that, matrices cost more memory than columns one by one cost time.
enum { COORDINATES_MAX = 64 };

size_t fa_arm_jacobian_lay_out(fa_arm *to, fa_arena *arena, const fa_chain *chain)
{
    size_t n = (size_t)chain->n, c = (size_t)chain->n_coordinates;
    bool   fits = chain->n_coordinates <= COORDINATES_MAX;
    to->by_q = fa_arena_take(arena, fits ? c * c : 0, sizeof *to->by_q);
    to->by_qd = fa_arena_take(arena, fits ? c * c : 0, sizeof *to->by_qd);
    to->by_tau = fa_arena_take(arena, fits ? c * c : 0, sizeof *to->by_tau);
    to->turn = fa_arena_take(arena, fits ? n : 0, sizeof *to->turn);
    return fits ? fa_jacobians_work_size(chain) : 0;
}

static bool fits(const fa_arm *arm)
{
    return arm->chain.n_coordinates > 0 && arm->chain.n_coordinates <= COORDINATES_MAX;
}

// r~ f~ + t~ of a force and a torque in world axes at a point of a body.
static fa_mat3 turn_of(const fa_transform *pose, const double world[6], fa_vec3 point)
{
    fa_vec3 force = mat3_mul(pose->E, vec3(world[0], world[1], world[2]));
    fa_vec3 torque = mat3_mul(pose->E, vec3(world[3], world[4], world[5]));
    return mat3_add(mat3_mat3(mat3_tilde(point), mat3_tilde(force)), mat3_tilde(torque));
}

// After fa_arm_loads: how these loads change when bodies turn beneath them.
static void fill_turns(fa_arm *arm, const double value[])
{
    memset(arm->turn, 0, (size_t)arm->chain.n * sizeof *arm->turn);
    if (arm->tip_body != FA_WORLD)
        arm->turn[arm->tip_body] = turn_of(&arm->pose[arm->tip_body],
                                           value + arm->row[FA_ARM_TIP_WRENCH], arm->tip_frame.r);
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        double             world[6];
        if (!fa_arm_link_push(arm, link, value, world)) continue;
        fa_vec3 point = point_to_parent(link->frame, fa_arm_mass_at(value, link->row).com);
        arm->turn[link->body] =
            mat3_add(arm->turn[link->body], turn_of(&arm->pose[link->body], world, point));
    }
}

// Adds, to the columns of one kind of state, the accelerations that the drives' changes cause.
// arm->tau_tangent holds these changes when all states of the kind take a unit tangent at once.
static void add_drives(const fa_arm *arm, int coordinate, int column, int n_states, int velocity,
                       double by_state[])
{
    const int c = arm->chain.n_coordinates;
    for (int i = 0; i < c; i++)
        by_state[(velocity + i) * n_states + column] +=
            arm->by_tau[i * c + coordinate] * arm->tau_tangent[coordinate];
}

static void unit_tangent(fa_arm *arm, const fa_state_rows *states, const double value[],
                         fa_arm_quantity quantity, double direction[])
{
    memset(direction, 0, (size_t)states->rows * sizeof *direction);
    for (int i = 0; i < states->n; i++)
        if (states->of[i].quantity == (int)quantity) direction[states->first + i] = 1;
    fa_arm_joint_drives_tangent(arm, value, direction, arm->tau_tangent, arm->power_tangent);
}

fa_status fa_arm_by_state(void *self, const fa_state_rows *states, const double value[],
                          double direction[], double by_state[], fa_error *error)
{
    fa_arm *arm = self;
    if (!fits(arm) || arm->weight.effort || arm->touches.n > 0)
        return FA_UNFIT; // there what acts feels many joints
    const int     c = arm->chain.n_coordinates, first = states->first, n = states->n;
    const int     position = arm->row[FA_ARM_POSITION] - first;
    const int     velocity = arm->row[FA_ARM_VELOCITY] - first;
    const double *qdd = value + arm->row[FA_ARM_ACCELERATION];
    fa_load       load = {NULL};
    fa_load_turn  turn = {NULL};
    fa_arm_place(arm, value);
    fa_status status = fa_arm_cylinders_trace(arm, value, error);
    if (status != FA_OK) return status;
    if (fa_arm_loads(arm, value)) {
        fill_turns(arm, value);
        load.wrench = arm->wrench;
        turn.moment = arm->turn;
    }
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    status = FA_UNFIT;
    if (arm->fast && fa_fast_fits(&arm->chain) && !load.wrench)
        status = fa_fast_jacobians(arm->fast, q, qd, qdd, arm->by_q, arm->by_qd, arm->by_tau);
    if (status == FA_UNFIT)
        status =
            fa_forward_jacobians(&arm->chain, q, qd, qdd, &load, turn,
                                 (fa_jacobians){arm->by_q, arm->by_qd, arm->by_tau}, arm->work);
    if (status != FA_OK) return FA_UNFIT; // column by column, it is said what is wrong

    memset(by_state, 0, (size_t)n * (size_t)n * sizeof *by_state);
    for (int i = 0; i < c; i++) {
        double *row = by_state + (velocity + i) * n;
        by_state[(position + i) * n + velocity + i] = 1;
        memcpy(row + position, arm->by_q + i * c, (size_t)c * sizeof *row);
        memcpy(row + velocity, arm->by_qd + i * c, (size_t)c * sizeof *row);
    }
    unit_tangent(arm, states, value, FA_ARM_POSITION, direction);
    for (int j = 0; j < c; j++) add_drives(arm, j, position + j, n, velocity, by_state);
    unit_tangent(arm, states, value, FA_ARM_VELOCITY, direction);
    for (int j = 0; j < c; j++) add_drives(arm, j, velocity + j, n, velocity, by_state);
    for (int s = 0; s < n; s++) { // states of elements, kind by kind
        const int quantity = states->of[s].quantity;
        bool      done = quantity < FA_ARM_ELEMENTS || quantity >= FA_ARM_INITIAL_POSITION;
        for (int before = 0; before < s; before++) done |= states->of[before].quantity == quantity;
        if (done) continue;
        unit_tangent(arm, states, value, (fa_arm_quantity)quantity, direction);
        for (int i = 0; i < arm->chain.n; i++) {
            const int row = arm->joint[i].at[quantity];
            if (row >= first && row < first + n)
                add_drives(arm, arm->body[i].coordinate, row - first, n, velocity, by_state);
        }
    }

    fa_arm_cylinders_by_state(arm, states, value, by_state);

    // Currents and works: what their derivatives depend on, row by row.
    for (int i = 0; i < n; i++) {
        const fa_state_row *state = &states->of[i];
        if (state->quantity == FA_ARM_POSITION || state->quantity == FA_ARM_VELOCITY) continue;
        if (state->quantity == FA_ARM_AXIS_GIVEN) continue;
        memset(direction, 0, (size_t)states->rows * sizeof *direction);
        direction[state->derivative] = 1;
        status = fa_arm_adjoint(arm, value, direction,
                                FA_GROUP_DERIVATIVES | state->derivative_group, error);
        if (status != FA_OK) return status;
        memcpy(by_state + i * n, direction + first, (size_t)n * sizeof *direction);
    }
    return FA_OK;
}
