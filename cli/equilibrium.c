// Both questions are asked of the plant "inverse", at rest: it gives the torques that a pose needs,
// and how they change with the pose.
#include "equilibrium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "cholesky.h"
#include "number.h"

typedef struct rest {
    fa_state     *state;   // of the arm
    fa_robot     *robot;   // a copy, as an inverse
    fa_state      inverse; // of it
    const fa_arm *arm, *its;
    int           n;
    double       *slope; // one for each row of the inverse
    double       *J, *normal, *step, *missing;
} rest;

static void leave(rest *r)
{
    fa_state_free(&r->inverse);
    free(r->slope);
    free(r->J);
    free(r->robot);
}

// Parameters and inputs have the same names in both plants; positions are inputs of the inverse.
static fa_status enter(const fa_robot *robot, fa_state *state, rest *r, fa_error *error)
{
    *r = (rest){.state = state, .arm = state->self};
    size_t size = fa_robot_size(robot), n = (size_t)r->arm->chain.n_coordinates;
    r->n = (int)n;
    r->robot = malloc(size);
    r->J = malloc((2 * n * n + 2 * n + 1) * sizeof *r->J);
    if (!r->robot || !r->J)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    r->normal = r->J + n * n;
    r->step = r->normal + n * n;
    r->missing = r->step + n;
    memcpy(r->robot, robot, size);
    strcpy(r->robot->plant, "inverse");
    // By way of a local one: clang-tidy thinks that *r is forgotten where a part of it is passed
    // on.
    fa_state  inverse;
    fa_status status = fa_state_new(r->robot, &inverse, error);
    r->inverse = inverse;
    if (status != FA_OK) return status;
    r->its = r->inverse.self;
    r->slope = calloc((size_t)r->inverse.table.n, sizeof *r->slope);
    if (!r->slope)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to look for an equilibrium");
    for (int row = 0; row < state->table.n; row++) {
        int other = fa_names_find(&r->inverse.names, state->table.row[row].name);
        if (other >= 0 && fa_state_role(&r->inverse, other) <= FA_INPUT)
            r->inverse.value[other] = state->value[row];
    }
    memset(r->inverse.value + r->its->row[FA_ARM_VELOCITY], 0, n * sizeof(double));
    memset(r->inverse.value + r->its->row[FA_ARM_ACCELERATION], 0, n * sizeof(double));
    memset(state->value + r->arm->row[FA_ARM_VELOCITY], 0, n * sizeof(double));
    return fa_state_configure(&r->inverse, error);
}

static double *positions(rest *r)
{
    return r->inverse.value + r->its->row[FA_ARM_POSITION];
}

static double *torques(rest *r)
{
    return r->inverse.value + r->its->row[FA_ARM_TORQUE];
}

// What the torques lack; gives half the sum of squares.
static fa_status look(rest *r, double *lack, fa_error *error)
{
    const fa_plant *plant = r->inverse.plant;
    const double   *given = r->state->value + r->arm->row[FA_ARM_TORQUE];
    fa_status       status = fa_plant_evaluate(plant, r->inverse.self, r->inverse.value,
                                               FA_GROUP_DERIVATIVES, NULL, error);
    *lack = 0;
    for (int i = 0; i < r->n && status == FA_OK; i++) {
        r->missing[i] = torques(r)[i] - given[i];
        *lack += 0.5 * r->missing[i] * r->missing[i];
    }
    return status;
}

fa_status fa_equilibrium_torques(const fa_robot *robot, fa_state *state, fa_error *error)
{
    rest      r;
    double    lack;
    fa_status status = enter(robot, state, &r, error);
    if (status == FA_OK) status = look(&r, &lack, error);
    // What cylinders push with at this state, need not be held.
    if (status == FA_OK) status = fa_arm_cylinders_trace(state->self, state->value, error);
    if (status == FA_OK) {
        memset(r.step, 0, (size_t)r.n * sizeof *r.step);
        fa_arm_cylinders_push(state->self, r.step, NULL);
        for (int i = 0; i < r.n; i++)
            state->value[r.arm->row[FA_ARM_TORQUE] + i] = torques(&r)[i] - r.step[i];
    }
    leave(&r);
    return status;
}

// Rows of J: how the torques change with one position, and J J^T + damping 1 with it.
static fa_status slopes(rest *r, double damping, fa_error *error)
{
    int n = r->n;
    for (int c = 0; c < n; c++) {
        memset(r->slope, 0, (size_t)r->inverse.table.n * sizeof *r->slope);
        r->slope[r->its->row[FA_ARM_POSITION] + c] = 1;
        fa_status status = r->inverse.plant->tangent(r->inverse.self, r->inverse.value, r->slope,
                                                     FA_GROUP_DERIVATIVES, error);
        if (status != FA_OK) return status;
        memcpy(r->J + c * n, r->slope + r->its->row[FA_ARM_TORQUE], (size_t)n * sizeof *r->J);
    }
    for (int i = 0; i < n; i++) {
        r->step[i] = 0;
        for (int k = 0; k < n; k++) r->step[i] -= r->J[i * n + k] * r->missing[k];
        for (int j = 0; j < n; j++) {
            double sum = i == j ? damping : 0;
            for (int k = 0; k < n; k++) sum += r->J[i * n + k] * r->J[j * n + k];
            r->normal[i * n + j] = sum;
        }
    }
    return FA_OK;
}

// Levenberg and Marquardt: where no torque depends on a position, as about an upright axis, the
// damping keeps this position.
static fa_status search(rest *r, fa_error *error)
{
    enum { STEPS = 500 };
    double    lack, damping = 1e-3;
    double    scale = 1; // [N m]^2: of the torques that gravity asks for at the start
    fa_status status = look(r, &lack, error);
    for (int i = 0; i < r->n && status == FA_OK; i++) scale += torques(r)[i] * torques(r)[i];
    // Rounding of the torques, squared.
    const double enough = 1e-26 * scale;
    for (int step = 0; step < STEPS && status == FA_OK && lack > enough; step++) {
        status = slopes(r, damping * scale, error);
        if (status == FA_OK) status = fa_cholesky_factor(r->n, r->normal);
        if (status != FA_OK) break;
        fa_cholesky_solve(r->n, r->normal, r->step);
        for (int i = 0; i < r->n; i++) positions(r)[i] += r->step[i];
        double before = lack;
        status = look(r, &lack, error);
        bool better = lack < before;
        damping *= better ? 0.2 : 4;
        if (better || status != FA_OK) continue;
        for (int i = 0; i < r->n; i++) positions(r)[i] -= r->step[i];
        status = look(r, &lack, error);
        if (damping > 1e12) break; // no way down
    }
    if (status != FA_OK || lack <= enough * 1e6) return status;
    return fa_fail(error, FA_SINGULAR, r->state->source, FA_NOWHERE,
                   "no pose near the given one is held by these torques: %s N m, or N, are missing "
                   "at best; start elsewhere or give other torques",
                   fa_number_text(sqrt(2 * lack)).text);
}

fa_status fa_equilibrium_pose(const fa_robot *robot, fa_state *state, fa_error *error)
{
    rest r;
    if (robot->n_cylinders > 0)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "'%s' hangs on cylinders, whose pressures hold the pose that it starts in; "
                       "leave --equilibrium pose out, or ask for torques",
                       robot->name);
    fa_status status = enter(robot, state, &r, error);
    if (status == FA_OK) status = search(&r, error);
    if (status == FA_OK)
        memcpy(state->value + r.arm->row[FA_ARM_POSITION], positions(&r),
               (size_t)r.n * sizeof(double));
    leave(&r);
    return status;
}
