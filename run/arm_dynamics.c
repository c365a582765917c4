// Forward and inverse dynamics of an arm: one method for one state, one kernel for many states, and
// the regressor (torques as columns by the parameters of links).
#include "arm_dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "arm_weight_loops.h"
#include "batch.h"
#include "mechanism.h"
#include "methods.h"
#include "nearest.h"

const fa_plant *fa_arm_plant_for(const fa_robot *robot, bool inverse)
{
    if (fa_robot_is_mechanism(robot))
        return inverse ? &fa_inverse_mechanism_plant : &fa_mechanism_plant;
    return inverse ? &fa_inverse_plant : &fa_arm_plant;
}

fa_status fa_arm_dynamics_new(fa_state *state, fa_arm_dynamics *dynamics, fa_error *error)
{
    const fa_plant *plant = state->plant;
    const bool mechanism = plant == &fa_mechanism_plant || plant == &fa_inverse_mechanism_plant;
    const bool inverse = plant == &fa_inverse_plant || plant == &fa_inverse_mechanism_plant;
    *dynamics = (fa_arm_dynamics){.state = state, .inverse = inverse};
    if (!inverse && !mechanism && plant != &fa_arm_plant)
        return fa_fail(error, FA_UNFIT, state->source, FA_NOWHERE,
                       "it is a %s, and accelerations and torques by themselves are of arms",
                       state->plant->name);
    if (mechanism) dynamics->mechanism = state->self;
    fa_arm *arm = mechanism ? dynamics->mechanism->arm : state->self;
    dynamics->arm = arm;
    dynamics->first = arm->row[inverse ? FA_ARM_TORQUE : FA_ARM_ACCELERATION];
    for (int row = state->table.n - 1; mechanism && row >= 0; row--)
        if (state->table.row[row].quantity == (inverse ? FA_ARM_TORQUE : FA_ARM_ACCELERATION))
            dynamics->first = row;
    dynamics->n = arm->chain.n_coordinates;
    return FA_OK;
}

void fa_arm_dynamics_free(fa_arm_dynamics *dynamics)
{
    free(dynamics->work);
    dynamics->work = NULL;
}

// ----------------------------------------------------------------------------------------- method

// Returns true if the method applies. With loops, the plant distributes the tree's torques over the
// drives.
static bool fits(const fa_arm_dynamics *d, const fa_method *method)
{
    fa_chain tree = d->arm->chain;
    if (d->inverse) tree.loops = NULL;
    return fa_method_fits(method, &tree);
}

static bool answers(const fa_arm_dynamics *d, const fa_method *method)
{
    return d->inverse ? method->inverse != NULL : fa_method_has_forward(method);
}

static fa_status unfit(const fa_arm_dynamics *d, const char *name, const char *what,
                       fa_error *error)
{
    char   names[512] = "";
    size_t length = 0;
    for (int i = 0; i < fa_method_count && length < sizeof names; i++)
        if (answers(d, fa_methods[i]) && fits(d, fa_methods[i]))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? ", " : "", fa_methods[i]->name);
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "method '%s' %s; use one of %s", name, what,
                   names);
}

static fa_status use(fa_arm_dynamics *d, const fa_method *method, fa_error *error)
{
    d->work = malloc(method->work_size(&d->arm->chain) + 1);
    if (!d->work)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the method");
    fa_arm_use(d->arm, method, d->work);
    return FA_OK;
}

fa_status fa_arm_dynamics_by(fa_arm_dynamics *dynamics, const char *name, fa_error *error)
{
    const fa_method *method = fa_method_find(name);
    fa_nearest       nearest = fa_nearest_to(name);
    for (int i = 0; i < fa_method_count; i++) fa_nearest_try(&nearest, fa_methods[i]->name);
    if (!method)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "there is no method '%s'; %s", name,
                       fa_nearest_hint(&nearest, "forearm methods lists them").text);
    if (!answers(dynamics, method))
        return unfit(dynamics, name,
                     dynamics->inverse ? "has no inverse dynamics" : "has no forward dynamics",
                     error);
    if (!fits(dynamics, method))
        return unfit(dynamics, name, "does not cover this kind of robot", error);
    return use(dynamics, method, error);
}

fa_status fa_arm_dynamics_only(fa_arm_dynamics *dynamics, const fa_method *method, int coordinate,
                               fa_error *error)
{
    const fa_status status = use(dynamics, method, error);
    if (status != FA_OK) return status;
    dynamics->arm->only = coordinate;
    fa_arm_dynamics_show(dynamics, coordinate);
    return FA_OK;
}

void fa_arm_dynamics_show(fa_arm_dynamics *dynamics, int coordinate)
{
    dynamics->at = coordinate;
    dynamics->first += coordinate;
    dynamics->n = 1;
}

// -------------------------------------------------------------------------------------- cylinders

// Rounding, relative to the largest term: a smaller remainder means that cylinders carry the whole
// torque.
static const double ROUNDING = 1e-12;

int fa_arm_dynamics_cylinders(const fa_arm_dynamics *dynamics)
{
    return dynamics->inverse ? dynamics->arm->cylinders.n : 0;
}

double fa_arm_dynamics_need(const fa_arm_dynamics *dynamics, int k)
{
    return dynamics->arm->cylinders.of[k].needed;
}

double fa_arm_dynamics_effort(const fa_arm_dynamics *dynamics, int i, const double force[])
{
    const fa_arm *arm = dynamics->arm;
    double        effort = dynamics->state->value[dynamics->first + i], most = fabs(effort);
    bool          by_cylinders = false;
    for (int k = 0; k < fa_arm_dynamics_cylinders(dynamics); k++) {
        if (isnan(force[k])) continue;
        const double lever = arm->cylinders.of[k].lever[dynamics->at + i], part = lever * force[k];
        by_cylinders |= lever != 0;
        effort -= part;
        most = fmax(most, fabs(part));
    }
    return by_cylinders && fabs(effort) <= ROUNDING * most ? 0 : effort;
}

// ------------------------------------------------------------------------------------ many states

fa_status fa_arm_batch_new(const fa_arm_dynamics *dynamics, int most, fa_arm_batch *batch,
                           fa_error *error)
{
    const fa_arm *arm = dynamics->arm;
    const size_t  numbers = (size_t)most * (size_t)dynamics->n * sizeof(double);
    *batch = (fa_arm_batch){.dynamics = dynamics};
    if (dynamics->inverse || !arm->fast || arm->chain.base_moves || arm->cylinders.n > 0 ||
        dynamics->mechanism) // a mechanism's frames move with the state
        return FA_OK;
    batch->q = malloc(numbers + 1);
    batch->qd = malloc(numbers + 1);
    batch->tau = malloc(numbers + 1);
    batch->qdd = malloc(numbers + 1);
    batch->work = malloc(fa_forward_batch_size(&arm->chain));
    if (!batch->q || !batch->qd || !batch->tau || !batch->qdd || !batch->work)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for many lines at once");
    const bool fixed = dynamics->state->value[arm->row[FA_ARM_DETERMINISTIC]] != 0;
    fa_forward_batch_prepare(&arm->chain, fixed, fixed ? arm->fixed_kernel : arm->kernel,
                             batch->work);
    return FA_OK;
}

void fa_arm_batch_free(fa_arm_batch *batch)
{
    free(batch->q);
    free(batch->qd);
    free(batch->tau);
    free(batch->qdd);
    free(batch->work);
}

int fa_arm_batch_add(fa_arm_batch *batch)
{
    const fa_arm_dynamics *d = batch->dynamics;
    fa_arm                *arm = d->arm;
    const double          *value = d->state->value;
    const size_t           n = (size_t)d->n, size = n * sizeof *value, at = (size_t)batch->n * n;
    fa_load                load;
    double                 pushed;
    fa_error               error = fa_no_error();
    fa_arm_place(arm, value);
    if (fa_arm_efforts(arm, value, &load, &pushed, NULL, &error) != FA_OK || load.wrench ||
        arm->chain.held)
        return FA_ARM_ALONE;
    memcpy(batch->q + at, value + arm->row[FA_ARM_POSITION], size);
    memcpy(batch->qd + at, value + arm->row[FA_ARM_VELOCITY], size);
    memcpy(batch->tau + at, arm->tau, size);
    return batch->n++;
}

void fa_arm_batch_solve(fa_arm_batch *batch)
{
    fa_chain chain = batch->dynamics->arm->chain;
    chain.held = NULL;
    if (batch->n > 0)
        fa_forward_batch(&chain, batch->n, batch->q, batch->qd, batch->tau, batch->qdd,
                         batch->work);
    batch->n = 0;
}

const double *fa_arm_batch_answer(const fa_arm_batch *batch, int k)
{
    const double *qdd = batch->qdd + (size_t)k * (size_t)batch->dynamics->n;
    return fa_all_finite(qdd, batch->dynamics->n) ? qdd : NULL;
}

// -------------------------------------------------------------------------------------- regressor

fa_status fa_arm_regressor_new(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                               fa_error *error)
{
    const fa_arm *arm = dynamics->arm;
    const size_t  n = (size_t)arm->n_links, c = (size_t)arm->chain.n_coordinates;
    *regressor = (fa_arm_regressor){.n_links = arm->n_links};
    for (int i = 0; i < arm->n_links; i++)
        if (arm->link[i].relief != 0)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "gravity does not pull on link '%s' as on others, and a regressor has "
                           "one gravity for all; leave the regressor out",
                           arm->link[i].name);
    regressor->body = calloc(n + 1, sizeof *regressor->body);
    regressor->frame = calloc(n + 1, sizeof *regressor->frame);
    regressor->row = calloc(n + 1, sizeof *regressor->row);
    regressor->Y = calloc(FA_REGRESSOR_COLUMNS * n * c + 1, sizeof *regressor->Y);
    regressor->work = malloc(fa_regressor_work_size(&arm->chain) + 1);
    if (!regressor->body || !regressor->frame || !regressor->row || !regressor->Y ||
        !regressor->work)
        return fa_fail(error, FA_NO_MEMORY, dynamics->state->source, FA_NOWHERE,
                       "there is not enough memory for the regressor");
    // The intermediate bodies of a joint of several freedoms have no mass, and no row.
    regressor->n_links = 0;
    for (int i = 0; i < arm->n_links; i++) {
        const int row = dynamics->mechanism
                            ? fa_mechanism_outer_row(dynamics->mechanism, arm->link[i].row)
                            : arm->link[i].row;
        if (row == FA_NO_ROW) continue;
        regressor->body[regressor->n_links] = arm->link[i].body;
        regressor->frame[regressor->n_links] = arm->link[i].frame;
        regressor->row[regressor->n_links++] = row;
    }
    return FA_OK;
}

void fa_arm_regressor_free(fa_arm_regressor *regressor)
{
    free(regressor->body);
    free(regressor->frame);
    free(regressor->row);
    free(regressor->Y);
    free(regressor->work);
}

// With loops: maps the columns to the efforts of the driven joints, column by column.
static void share_columns(const fa_arm *arm, const double value[],
                          const fa_arm_regressor *regressor)
{
    const int c = arm->chain.n_coordinates, columns = FA_REGRESSOR_COLUMNS * regressor->n_links;
    double   *one = arm->tau;
    memset(one, 0, (size_t)c * sizeof *one);
    fa_weight_loops_share(arm->shares, &arm->chain, value + arm->row[FA_ARM_POSITION], one);
    for (int k = 0; k < columns; k++) {
        for (int i = 0; i < c; i++) one[i] = regressor->Y[i * columns + k];
        fa_weight_loops_share_more(arm->shares, &arm->chain, one);
        for (int i = 0; i < c; i++) regressor->Y[i * columns + k] = one[i];
    }
}

void fa_arm_regressor_find(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor)
{
    const fa_arm *arm = dynamics->arm;
    const double *value = dynamics->state->value;
    if (dynamics->mechanism) value = fa_mechanism_take(dynamics->mechanism, value);
    fa_regressor(&arm->chain, value + arm->row[FA_ARM_POSITION], value + arm->row[FA_ARM_VELOCITY],
                 value + arm->row[FA_ARM_ACCELERATION], regressor->n_links, regressor->body,
                 regressor->frame, regressor->Y, regressor->work);
    if (arm->shares) share_columns(arm, value, regressor);
    if (dynamics->mechanism)
        fa_mechanism_turn_efforts(dynamics->mechanism, FA_REGRESSOR_COLUMNS * regressor->n_links,
                                  regressor->Y);
}
