// The equations of motion of a mechanism for one state. Arguments that loops determine are guesses
// of positions; their speeds and accelerations are not read, and derivatives by them are zero.
#include <string.h>

#include "bare_mechanism.h"
#include "mechanism_matrices.h"
#include "methods.h"

enum { TWIST = 6 };

// ------------------------------------------------------------------------------------ arguments

static void put_positions(fa_bare_side *side, int n, const double q[])
{
    for (int i = 0; i < n; i++) {
        const fa_motion_position *at = &side->position[i];
        if (at->start != FA_NO_ROW) side->value[at->start] = q[i];
        if (!at->dependent) side->value[at->row] = q[i];
    }
}

static void put_speeds(fa_bare_side *side, int n, const double qd[])
{
    for (int i = 0; i < n; i++)
        if (!side->speed[i].dependent) side->value[side->speed[i].velocity] = qd ? qd[i] : 0;
}

static void put_wrench(fa_bare_side *side, const double wrench[])
{
    for (int i = 0; i < TWIST && side->tip != FA_NO_ROW; i++)
        side->value[side->tip + i] = wrench ? wrench[i] : 0;
}

static fa_status evaluate(fa_bare_side *side, unsigned groups)
{
    return fa_plant_evaluate(side->plant, side->self, side->value, groups, NULL, NULL);
}

// Accelerations, of all joints in qdd; NULL: not asked for.
static fa_status forward(fa_workspace *w, const double q[], const double qd[], const double tau[],
                         const double wrench[], unsigned groups, double qdd[])
{
    fa_bare_side *side = &w->bare->forward;
    put_positions(side, w->n_positions, q);
    put_speeds(side, w->n, qd);
    put_wrench(side, wrench);
    for (int i = 0; i < w->n; i++)
        if (side->speed[i].effort != FA_NO_ROW)
            side->value[side->speed[i].effort] = tau ? tau[i] : 0;
    const fa_status status = evaluate(side, groups);
    for (int i = 0; i < w->n && qdd; i++) qdd[i] = side->value[side->speed[i].acceleration];
    return status;
}

static fa_status inverse(fa_workspace *w, const double q[], const double qd[], const double qdd[],
                         const double wrench[], double tau[])
{
    fa_bare_side *side = &w->bare->inverse;
    if (!side->self) return FA_UNFIT;
    put_positions(side, w->n_positions, q);
    put_speeds(side, w->n, qd);
    put_wrench(side, wrench);
    for (int i = 0; i < w->n; i++)
        if (!side->speed[i].dependent) side->value[side->speed[i].acceleration] = qdd ? qdd[i] : 0;
    const fa_status status = evaluate(side, side->groups);
    for (int i = 0; i < w->n && tau; i++) tau[i] = side->value[side->speed[i].effort];
    return status;
}

// ---------------------------------------------------------------------------- equations of motion

fa_status fa_bare_forward(fa_workspace *w, const fa_row_call *c)
{
    return forward(w, c->in[0], c->in[1], c->in[2], c->in[3], w->bare->forward.groups, c->out[0]);
}

fa_status fa_bare_inverse(fa_workspace *w, const fa_row_call *c)
{
    return inverse(w, c->in[0], c->in[1], c->in[2], NULL, c->out[0]);
}

fa_status fa_bare_bias(fa_workspace *w, const fa_row_call *c)
{
    return inverse(w, c->in[0], c->in[1], NULL, NULL, c->out[0]);
}

fa_status fa_bare_gravity(fa_workspace *w, const fa_row_call *c)
{
    return inverse(w, c->in[0], NULL, NULL, NULL, c->out[0]);
}

// Efforts of the drives in the place of the wrench: what they save where it pushes.
fa_status fa_bare_tip_torque(fa_workspace *w, const fa_row_call *c)
{
    double   *with = w->bare->efforts;
    fa_status status = inverse(w, c->in[0], NULL, NULL, c->in[1], with);
    if (status == FA_OK) status = inverse(w, c->in[0], NULL, NULL, NULL, c->out[0]);
    for (int i = 0; i < w->n; i++) c->out[0][i] -= with[i];
    return status;
}

fa_status fa_bare_closed(fa_workspace *w, const fa_row_call *c)
{
    fa_bare_side   *side = &w->bare->forward;
    const fa_status status =
        forward(w, c->in[0], c->in[1], NULL, NULL, side->groups | FA_ARM_GROUP_LOOPS, NULL);
    for (int i = 0; i < w->n_positions; i++) c->out[0][i] = side->value[side->position[i].row];
    for (int i = 0; i < w->n; i++) c->out[1][i] = side->value[side->speed[i].velocity];
    return status;
}

// ---------------------------------------------------------------------------------------- matrices

// Rows of the arm inside, which are by its coordinates.
static const double *inner(const fa_bare_side *side, fa_arm_quantity which)
{
    return side->self->value + side->self->arm->row[which];
}

static double product(const double a[], const double b[], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Adds Q^T A R to the rows and columns of independent speeds.
static void add_reduced(const fa_workspace *w, const double A[], const double Q[], const double R[],
                        double to[])
{
    const fa_bare_mechanism *b = w->bare;
    const int                n = w->n;
    double                  *x = b->first;
    for (int j = 0, k = 0; j < n; j++) {
        if (b->forward.speed[j].dependent) continue;
        for (int i = 0; i < n; i++) x[i] = product(&A[i * n], &R[k * n], n);
        for (int i = 0, l = 0; i < n; i++)
            if (!b->forward.speed[i].dependent) to[i * n + j] += product(&Q[l++ * n], x, n);
        k++;
    }
}

// Evaluates at q and qd, with the columns P by which the arm's speeds follow from those of the
// robot.
static fa_status place(fa_workspace *w, const double q[], const double qd[])
{
    return forward(w, q, qd, NULL, NULL, FA_ARM_GROUP_JACOBIAN, NULL);
}

fa_status fa_bare_mass_matrix(fa_workspace *w, const fa_row_call *c)
{
    const fa_bare_side *side = &w->bare->forward;
    fa_status           status = place(w, c->in[0], NULL);
    memset(c->out[0], 0, c->out_size[0] * sizeof *c->out[0]);
    if (status == FA_OK)
        status = fa_composite_body_mass_matrix(&w->chain, inner(side, FA_ARM_POSITION),
                                               w->matrix[0], w->work);
    if (status == FA_OK) add_reduced(w, w->matrix[0], side->self->P, side->self->P, c->out[0]);
    return status;
}

// Evaluates at q and qd, with the columns P as `place` does, and with their rates P' as the robot
// moves.
static fa_status follow(fa_workspace *w, const double q[], const double qd[])
{
    fa_bare_side  *side = &w->bare->forward;
    const unsigned groups = side->groups | FA_ARM_GROUP_JACOBIAN;
    fa_status      status = forward(w, q, qd, NULL, NULL, groups, NULL);
    if (status != FA_OK) return status;
    memset(side->direction, 0, (size_t)side->n_rows * sizeof *side->direction);
    for (int i = 0; i < w->n; i++)
        if (!side->speed[i].dependent)
            fa_motion_move(&side->speed[i], side->value, qd[i], side->direction);
    return side->plant->tangent(side->self, side->value, side->direction, groups, NULL);
}

// With C of the arm inside, by Christoffel's symbols, and its speeds P u: P^T (C P + M P'). The
// rate of P^T M P less two of it is skew-symmetric because that of M less 2 C is.
fa_status fa_bare_coriolis_matrix(fa_workspace *w, const fa_row_call *c)
{
    const fa_bare_side *side = &w->bare->forward;
    const fa_mechanism *m = side->self;
    const fa_jacobians  to = {w->matrix[0], w->matrix[1], w->matrix[2]};
    const fa_status     status = follow(w, c->in[0], c->in[1]);
    memset(c->out[0], 0, c->out_size[0] * sizeof *c->out[0]);
    if (status != FA_OK) return status;
    fa_inverse_jacobians(&w->chain, inner(side, FA_ARM_POSITION), inner(side, FA_ARM_VELOCITY),
                         w->zero, NULL, (fa_load_turn){NULL}, to, w->work);
    for (int i = 0; i < w->n * w->n; i++) to.by_qd[i] /= 2;
    add_reduced(w, to.by_qd, m->P, m->P, c->out[0]);
    add_reduced(w, to.by_third, m->P, m->dP, c->out[0]);
    return FA_OK;
}

fa_status fa_bare_regressor(fa_workspace *w, const fa_row_call *c)
{
    fa_bare_mechanism *b = w->bare;
    const fa_status    status = inverse(w, c->in[0], c->in[1], c->in[2], NULL, NULL);
    if (status != FA_OK) return status;
    b->state.value = b->inverse.value;
    b->regressor.Y = c->out[0];
    const fa_arm_dynamics of = {
        .state = &b->state, .arm = b->inverse.self->arm, .mechanism = b->inverse.self};
    fa_arm_regressor_find(&of, &b->regressor);
    return FA_OK;
}

// ------------------------------------------------------------------------------------------ frames

fa_status fa_bare_pose(fa_workspace *w, const fa_row_call *c)
{
    const fa_status status = place(w, c->in[0], NULL);
    if (status == FA_OK)
        fa_frame_matrix(w, inner(&w->bare->forward, FA_ARM_POSITION), c->frame, c->out[0]);
    return status;
}

fa_status fa_bare_jacobian(fa_workspace *w, const fa_row_call *c)
{
    const fa_bare_mechanism *b = w->bare;
    const fa_status          status = place(w, c->in[0], NULL);
    const double            *P = b->forward.self->P;
    memset(c->out[0], 0, c->out_size[0] * sizeof *c->out[0]);
    if (status != FA_OK) return status;
    fa_frame_jacobian(w, inner(&b->forward, FA_ARM_POSITION), c->frame, b->inner);
    for (int j = 0; j < w->n; j++) {
        if (b->forward.speed[j].dependent) continue;
        for (int i = 0; i < TWIST; i++)
            c->out[0][i * w->n + j] = product(&b->inner[i * w->n], P, w->n);
        P += w->n;
    }
    return FA_OK;
}

fa_status fa_bare_drift(fa_workspace *w, const fa_row_call *c)
{
    const fa_bare_mechanism *b = w->bare;
    const fa_bare_side      *side = &b->forward;
    const fa_status          status = follow(w, c->in[0], c->in[1]);
    const double            *dP = side->self->dP;
    memset(b->second, 0, (size_t)w->n * sizeof *b->second); // P' u
    for (int j = 0; j < w->n && status == FA_OK; j++) {
        if (side->speed[j].dependent) continue;
        for (int i = 0; i < w->n; i++) b->second[i] += dP[i] * c->in[1][j];
        dP += w->n;
    }
    if (status == FA_OK)
        fa_frame_drift(w, inner(side, FA_ARM_POSITION), inner(side, FA_ARM_VELOCITY), b->second,
                       c->frame, c->out[0]);
    return status;
}

// ------------------------------------------------------------------------------------- derivatives

// One column: the plant's tangent along what stands in `direction`.
static fa_status put_column(const fa_workspace *w, fa_bare_side *side, bool efforts, double to[],
                            int columns, int column)
{
    const fa_status status =
        side->plant->tangent(side->self, side->value, side->direction, side->groups, NULL);
    for (int i = 0; i < w->n; i++) {
        const int row = efforts ? side->speed[i].effort : side->speed[i].acceleration;
        to[i * columns + column] = side->direction[row];
    }
    return status;
}

static void begin_column(fa_bare_side *side)
{
    memset(side->direction, 0, (size_t)side->n_rows * sizeof *side->direction);
}

// Three matrices: by positions, by speeds, and by efforts or accelerations.
static fa_status matrices(fa_workspace *w, fa_bare_side *side, bool of_inverse, double *const to[])
{
    fa_status status = FA_OK;
    for (int j = 0; j < w->n && status == FA_OK; j++) {
        const fa_motion_speed *speed = &side->speed[j];
        for (int k = 0; k < 3 && status == FA_OK; k++) {
            const int third = of_inverse ? speed->acceleration : speed->effort;
            begin_column(side);
            for (int i = 0; i < w->n; i++) to[k][i * w->n + j] = 0;
            if (speed->dependent && (k < 2 || of_inverse)) continue;
            if (k == 0) fa_motion_move(speed, side->value, 1, side->direction);
            if (k == 1) side->direction[speed->velocity] = 1;
            if (k == 2 && third == FA_NO_ROW) continue;
            if (k == 2) side->direction[third] = 1;
            status = put_column(w, side, of_inverse, to[k], w->n, j);
        }
    }
    return status;
}

fa_status fa_bare_forward_derivatives(fa_workspace *w, const fa_row_call *c)
{
    const fa_status status =
        forward(w, c->in[0], c->in[1], c->in[2], c->in[3], w->bare->forward.groups, NULL);
    return status == FA_OK ? matrices(w, &w->bare->forward, false, c->out) : status;
}

fa_status fa_bare_inverse_derivatives(fa_workspace *w, const fa_row_call *c)
{
    const fa_status status = inverse(w, c->in[0], c->in[1], c->in[2], c->in[3], NULL);
    return status == FA_OK ? matrices(w, &w->bare->inverse, true, c->out) : status;
}

static fa_status by_parameters(fa_workspace *w, const fa_row_call *c, fa_bare_side *side,
                               bool of_inverse)
{
    fa_status status = FA_OK;
    for (int k = 0; k < c->n_parameters && status == FA_OK; k++) {
        const int row = side->row_of[c->parameter[k]];
        begin_column(side);
        for (int i = 0; i < w->n; i++) c->out[0][i * c->n_parameters + k] = 0;
        if (row < 0) continue; // it acts in motions alone
        side->direction[row] = 1;
        status = put_column(w, side, of_inverse, c->out[0], c->n_parameters, k);
    }
    return status;
}

fa_status fa_bare_parameter_derivatives(fa_workspace *w, const fa_row_call *c)
{
    const fa_status status = inverse(w, c->in[0], c->in[1], c->in[2], c->in[3], NULL);
    return status == FA_OK ? by_parameters(w, c, &w->bare->inverse, true) : status;
}

fa_status fa_bare_forward_by_parameters(fa_workspace *w, const fa_row_call *c)
{
    const fa_status status =
        forward(w, c->in[0], c->in[1], c->in[2], c->in[3], w->bare->forward.groups, NULL);
    return status == FA_OK ? by_parameters(w, c, &w->bare->forward, false) : status;
}

// ------------------------------------------------------------------------- what no tree asks for

static fa_status unfit(fa_workspace *w, const fa_row_call *c)
{
    (void)w;
    (void)c;
    return FA_UNFIT;
}

fa_status fa_forward_pushed(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, const double *qd, const double *tau,
                            const double *wrench, double *qdd)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {
        .size = {n_q, n, n, 6}, .in = {q, qd, tau, wrench}, .out_size = {n}, .out = {qdd}};
    return fa_rows(robot, workspace, states, &call, workspace->bare ? fa_bare_forward : unfit);
}

fa_status fa_forward_by_parameters(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                   const double *q, const double *qd, const double *tau,
                                   const double *wrench, int m, const int parameter[], double *by)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, n, n, wrench ? 6 : 0},
                              .in = {q, qd, tau, wrench},
                              .out_size = {n * (size_t)m},
                              .out = {by},
                              .n_parameters = m,
                              .parameter = parameter};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_forward_by_parameters : unfit);
}
