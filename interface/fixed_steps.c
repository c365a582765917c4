// Fixed steps: semi-implicit Euler with implicit damping, and the classical Runge-Kutta method of
// order 4; with constant torques, or position servos.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "methods.h"
#include "workspace.h"

// A call, and the constant inputs of one state.
typedef struct step_call {
    double                step; // [s]
    const fa_lane_servos *servos;
    const double         *held;
} step_call;

// Returns the effort of the drive of coordinate i at q and qd; *damping is its derivative by speed,
// with opposite sign.
static double drive(const step_call *c, int i, double q, double qd, double *damping)
{
    *damping = 0;
    if (!c->servos) return c->held[i];
    const double kp = c->servos->kp[i], kd = c->servos->kd[i], limit = c->servos->limit[i];
    const double f = kp * (c->held[i] - q) - kd * qd;
    if (fabs(f) < limit) *damping = kd;
    return f > limit ? limit : f < -limit ? -limit : f;
}

// Sets the mode of each stop from the joint's position: fixed steps have no events. The law only
// pushes, so the result equals that of the event-driven mode.
static void meet(fa_workspace *w, const double q[])
{
    for (int i = 0; i < w->chain.n; i++) {
        const fa_arm_joint *joint = &w->arm->joint[i];
        const double        position = fa_joint_position(&w->chain.body[i], q);
        if (joint->stop.present)
            w->value[joint->at[FA_AT(stop.side)]] = position > joint->limit.upper   ? 1
                                                    : position < joint->limit.lower ? -1
                                                                                    : 0;
    }
}

// A stop that pushes has its spring and damper in a step implicitly, or stiff ones would throw the
// arm about.
static void yield_to_stops(fa_workspace *w, double h, const double q[], const double qd[])
{
    for (int i = 0; i < w->chain.n; i++) {
        const fa_arm_joint *joint = &w->arm->joint[i];
        const fa_body      *body = &w->chain.body[i];
        const double        position = fa_joint_position(body, q), rate = fa_joint_rate(body, qd);
        const double        k = joint->stop.stiffness, d = joint->stop.damping, ratio = body->ratio;
        const double        side = joint->stop.present ? w->value[joint->at[FA_AT(stop.side)]] : 0;
        const double        limit = side > 0 ? joint->limit.upper : joint->limit.lower;
        if (side == 0 || k * side * (position - limit) + d * side * rate <= 0) continue;
        w->push[body->coordinate] += ratio * ratio * (d + h * k);
        w->tau[body->coordinate] -= ratio * h * k * rate;
    }
}

// Adds the torques of what pushes on links: what relieves them of weight.
static void add_pushes(fa_workspace *w, const double q[])
{
    const fa_arm *arm = w->arm;
    double        push[6];
    if (arm->has_link_wrenches) fa_chain_poses(&w->chain, q, w->pose);
    for (int i = 0; arm->has_link_wrenches && i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        if (!fa_arm_link_push(arm, link, w->value, push)) continue;
        const fa_transform X = transform_compose(w->pose[link->body], link->frame);
        const fa_vec3      com = fa_arm_mass_at(w->value, link->row).com;
        fa_add_push(w, link->body, vec3_add(X.r, mat3_tmul(X.E, com)), push, w->tau);
    }
}

// Torques of all that acts at the joints and on links into w->tau. w->push: what they grow by per
// unit of speed, against it, of drives and of viscous friction.
static void efforts(fa_workspace *w, const step_call *c, const double q[], const double qd[])
{
    fa_arm      *arm = w->arm;
    const size_t size = (size_t)w->n * sizeof *q;
    memcpy(w->value + arm->row[FA_ARM_POSITION], q, size);
    memcpy(w->value + arm->row[FA_ARM_VELOCITY], qd, size);
    meet(w, q);
    fa_arm_weigh(arm, w->value);
    fa_arm_drives(arm, w->value, w->tau, NULL);
    add_pushes(w, q);
    for (int i = 0; i < w->n; i++) {
        w->tau[i] += drive(c, i, q[i], qd[i], &w->push[i]);
    }
    for (int i = 0; i < w->chain.n; i++) {
        const int    row = arm->joint[i].at[FA_AT(friction.viscous)];
        const double ratio = w->chain.body[i].ratio;
        if (row != FA_NO_ROW) w->push[w->chain.body[i].coordinate] += ratio * ratio * w->value[row];
    }
}

static fa_status semi_implicit(fa_workspace *w, const step_call *c, double q[], double qd[])
{
    const int n = w->n;
    double   *M = w->matrix[0];
    efforts(w, c, q, qd);
    yield_to_stops(w, c->step, q, qd);
    fa_status status = fa_composite_body_mass_matrix(&w->chain, q, M, w->work);
    if (status == FA_OK)
        status =
            fa_method_inverse(&w->chain)->inverse(&w->chain, q, qd, w->zero, NULL, w->qdd, w->work);
    for (int i = 0; i < n; i++) {
        M[i * n + i] += c->step * w->push[i];
        w->qdd[i] = w->tau[i] - w->qdd[i];
    }
    if (status == FA_OK) status = fa_cholesky_factor(n, M);
    if (status != FA_OK) return status;
    fa_cholesky_solve(n, M, w->qdd);
    for (int i = 0; i < n; i++) {
        qd[i] += c->step * w->qdd[i];
        q[i] += c->step * qd[i];
    }
    return FA_OK;
}

static fa_status accelerations(fa_workspace *w, const step_call *c, const double q[],
                               const double qd[], double qdd[])
{
    efforts(w, c, q, qd);
    return fa_forward(w->robot, w, 1, q, qd, w->tau, qdd);
}

static fa_status runge_kutta(fa_workspace *w, const step_call *c, double q[], double qd[])
{
    static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const double        h = c->step;
    double             *at = w->stage[0], *rate = w->stage[1], *v = w->stage[2], *a = w->stage[3],
           *dq = w->stage[4], *dqd = w->stage[5];
    for (int i = 0; i < w->n; i++) v[i] = a[i] = dq[i] = dqd[i] = 0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < w->n; i++) {
            at[i] = q[i] + share[k] * h * v[i];
            rate[i] = qd[i] + share[k] * h * a[i];
        }
        const fa_status status = accelerations(w, c, at, rate, w->qdd);
        if (status != FA_OK) return status;
        for (int i = 0; i < w->n; i++) {
            v[i] = rate[i];
            a[i] = w->qdd[i];
            dq[i] += weight[k] * v[i];
            dqd[i] += weight[k] * a[i];
        }
    }
    for (int i = 0; i < w->n; i++) {
        q[i] += h / 6 * dq[i];
        qd[i] += h / 6 * dqd[i];
    }
    return FA_OK;
}

fa_status fa_steps_of_one(fa_workspace *workspace, const fa_lane_steps *call, const double held[],
                          double q[], double qd[])
{
    const step_call c = {call->step, call->servos, held};
    fa_status       status = FA_OK;
    for (int i = 0; i < call->steps && status == FA_OK; i++)
        status = call->runge_kutta ? runge_kutta(workspace, &c, q, qd)
                                   : semi_implicit(workspace, &c, q, qd);
    if (status == FA_OK && !(fa_all_finite(q, workspace->n) && fa_all_finite(qd, workspace->n)))
        status = FA_NOT_FINITE;
    for (int i = 0; i < workspace->n && status != FA_OK; i++) q[i] = qd[i] = NAN;
    return status;
}

fa_lane_steps fa_lane_call(fa_step_method method, int steps, double step, const fa_servos *servos,
                           fa_lane_servos *of_lanes)
{
    if (servos) *of_lanes = (fa_lane_servos){servos->kp, servos->kd, servos->limit};
    return (fa_lane_steps){method == FA_STEP_RK4, steps, step, servos ? of_lanes : NULL};
}

// Parameters go into the lanes that a call needs: they are set more often than steps are taken.
fa_lanes *fa_lanes_ready(fa_workspace *w, bool single, int n)
{
    if (w->plan.single != single) w->filled = -1;
    w->plan.single = single;
    if (w->filled < 0) (void)fa_lanes_place(w->lanes, &w->plan);
    for (w->filled = w->filled < 0 ? 0 : w->filled; w->filled < n; w->filled++)
        fa_lanes_fill(w->lanes, w->filled, w->arm, w->value);
    return w->lanes;
}

// Returns the plan of the steps, in the precision that is asked for.
static fa_lane_plan plan_of_steps(const fa_workspace *w)
{
    fa_lane_plan plan = w->plan;
    plan.single = w->single;
    return plan;
}

// Steps as many states as there are lanes; states that fail in lanes use the readable methods.
static fa_status some(fa_workspace *w, const fa_lane_steps *call, int n, const double *held,
                      double *q, double *qd)
{
    const size_t size = (size_t)(n * w->n) * sizeof *q;
    bool         good[FA_LANES_MOST];
    fa_status    first = FA_OK;
    memcpy(w->kept[0], q, size);
    memcpy(w->kept[1], qd, size);
    fa_lanes_step(fa_lanes_ready(w, w->single, n), call, n, held, q, qd, good);
    for (int k = 0; k < n; k++) {
        if (good[k]) continue;
        const size_t each = (size_t)w->n * sizeof *q;
        const int    at = k * w->n;
        memcpy(q + at, w->kept[0] + at, each);
        memcpy(qd + at, w->kept[1] + at, each);
        const fa_status status = fa_steps_of_one(w, call, held + at, q + at, qd + at);
        if (first == FA_OK) first = status;
    }
    return first;
}

// Returns true if the robot has elements that fixed steps do not support: modes that only events
// set (sticking friction, locks, closing valves), contacts, cylinders, drives with states of their
// own, joints of several freedoms, and loops.
static bool is_left_out(const fa_workspace *w)
{
    bool so = w->bare || w->arm->cylinders.n > 0 || w->arm->touches.n > 0;
    for (int i = 0; i < w->states.n; i++) {
        const int quantity = w->state_row[i].quantity;
        so |= quantity != FA_ARM_POSITION && quantity != FA_ARM_VELOCITY && quantity != FA_ARM_WORK;
    }
    for (int i = 0; i < w->chain.n; i++) {
        const fa_arm_joint *joint = &w->arm->joint[i];
        so |= joint->friction.sticks || joint->closure.present || joint->lock.present;
    }
    return so;
}

fa_status fa_fixed_steps(const fa_robot *robot, fa_workspace *workspace, size_t states,
                         fa_step_method method, int steps, double step, const fa_servos *servos,
                         const double *held, double *q, double *qd)
{
    const size_t        n = (size_t)workspace->n;
    fa_lane_servos      of_lanes;
    const fa_lane_steps call = fa_lane_call(method, steps, step, servos, &of_lanes);
    const size_t        most = (size_t)fa_lanes_of(workspace);
    const bool          fits = workspace->robot == robot && !is_left_out(workspace);
    fa_status           first = fits ? FA_OK : FA_UNFIT;
    for (size_t k = 0; k < states * (size_t)workspace->n_positions && !fits; k++) q[k] = NAN;
    for (size_t k = 0; k < states * n && !fits; k++) qd[k] = NAN;
    for (size_t k = 0; k < states && fits; k += most) {
        const size_t    taken = k + most < states ? most : states - k, at = k * n;
        const fa_status status =
            workspace->in_lanes ? some(workspace, &call, (int)taken, held + at, q + at, qd + at)
                                : fa_steps_of_one(workspace, &call, held + at, q + at, qd + at);
        if (first == FA_OK) first = status;
    }
    return first;
}

void fa_workspace_set_single(fa_workspace *workspace, bool single)
{
    workspace->single = single;
}

// -------------------------------------------------------------------- parameters in the lanes

// State k has row (from + k) % rows of the table of parameters.
static fa_status take_row(fa_workspace *w, const fa_lane_table *table, size_t k)
{
    return fa_workspace_set(w, table->n, table->parameter,
                            table->value + (table->from + k) % table->rows * (size_t)table->n,
                            NULL);
}

// Lanes with the parameters of n states from the first on: the group's own, which stay as they are
// once they are filled, or the workspace's. NULL: some parameters have no equations.
static fa_lanes *lanes_of(fa_workspace *w, const fa_lane_plan *plan, const fa_lane_table *table,
                          size_t first, int n, fa_lane_group *group)
{
    enum { ALIGNMENT = 64 };
    if (group && group->lanes) return group->lanes;
    void *memory = w->lanes;
    if (group && !group->block) group->block = malloc(fa_lanes_size(plan) + ALIGNMENT);
    if (group && group->block)
        memory = (char *)group->block + (ALIGNMENT - (uintptr_t)group->block % ALIGNMENT);
    fa_lanes *lanes = fa_lanes_place(memory, plan);
    for (int l = 0; l < n; l++) {
        if (take_row(w, table, first + (size_t)l) != FA_OK) return NULL;
        fa_lanes_fill(lanes, l, w->arm, w->value);
    }
    if (group && group->block) group->lanes = lanes;
    return lanes;
}

// States that fail in lanes use the readable methods.
static fa_status some_of_own(fa_workspace *w, fa_lanes *lanes, const fa_lane_steps *call,
                             const fa_lane_table *table, size_t first, int n, const double *held,
                             double *q, double *qd)
{
    const size_t each = (size_t)w->n, size = (size_t)n * each * sizeof *q;
    bool         good[FA_LANES_MOST] = {false};
    fa_status    answer = FA_OK;
    memcpy(w->kept[0], q, size);
    memcpy(w->kept[1], qd, size);
    if (lanes) fa_lanes_step(lanes, call, n, held, q, qd, good);
    for (size_t l = 0; l < (size_t)n; l++) {
        if (good[l]) continue;
        const size_t at = l * each;
        memcpy(q + at, w->kept[0] + at, each * sizeof *q);
        memcpy(qd + at, w->kept[1] + at, each * sizeof *q);
        fa_status status = take_row(w, table, first + l);
        for (size_t i = at; i < at + each && status != FA_OK; i++) q[i] = qd[i] = NAN;
        if (status == FA_OK) status = fa_steps_of_one(w, call, held + at, q + at, qd + at);
        if (answer == FA_OK) answer = status;
    }
    return answer;
}

fa_status fa_fixed_steps_of_own(fa_workspace *w, size_t states, const fa_lane_table *table,
                                fa_step_method method, int steps, double step,
                                const fa_servos *servos, fa_lane_group *groups, const double *held,
                                double *q, double *qd)
{
    const size_t        n = (size_t)w->n;
    fa_lane_servos      of_lanes;
    const fa_lane_steps call = fa_lane_call(method, steps, step, servos, &of_lanes);
    fa_lane_plan        plan = plan_of_steps(w);
    plan.changed = table->parameter;
    plan.n_changed = table->n;
    const bool   in_lanes = w->in_lanes && !is_left_out(w) && fa_lanes_take(&plan);
    const size_t most = in_lanes ? (size_t)fa_lanes_count(&plan) : 1;
    fa_status    first = FA_OK;
    for (size_t k = 0; k < states; k += most) {
        const size_t taken = k + most < states ? most : states - k, at = k * n;
        fa_status    status;
        if (in_lanes)
            status = some_of_own(w,
                                 lanes_of(w, &plan, table, k, (int)taken,
                                          groups ? &groups[(table->from + k) / most] : NULL),
                                 &call, table, k, (int)taken, held + at, q + at, qd + at);
        else
            status = take_row(w, table, k);
        for (size_t i = at; i < at + n && !in_lanes && status != FA_OK; i++) q[i] = qd[i] = NAN;
        if (!in_lanes && status == FA_OK)
            status = fa_fixed_steps(w->robot, w, 1, method, steps, step, servos, held + at, q + at,
                                    qd + at);
        if (first == FA_OK) first = status;
    }
    w->filled = -1;
    return first;
}

int fa_lanes_of(const fa_workspace *w)
{
    const fa_lane_plan plan = plan_of_steps(w);
    return w->in_lanes ? fa_lanes_count(&plan) : 1;
}
