// Exact derivatives of forward and inverse dynamics, for many states.
#include <string.h>

#include "bare_mechanism.h"
#include "methods.h"
#include "workspace.h"

fa_load fa_tip_load(fa_workspace *workspace, const double q[], const double wrench[],
                    fa_load_turn *turn)
{
    fa_workspace *w = workspace;
    const int     tip = w->arm->tip_body;
    *turn = (fa_load_turn){NULL};
    if (!wrench || tip == FA_WORLD) return (fa_load){NULL};
    fa_chain_poses(&w->chain, q, w->pose);
    memset(w->wrench, 0, (size_t)w->chain.n * sizeof *w->wrench);
    memset(w->turn, 0, (size_t)w->chain.n * sizeof *w->turn);
    const fa_mat3 E = w->pose[tip].E;
    const fa_vec3 p = w->arm->tip_frame.r;
    const fa_vec3 force = mat3_mul(E, vec3(wrench[0], wrench[1], wrench[2]));
    const fa_vec3 torque = mat3_mul(E, vec3(wrench[3], wrench[4], wrench[5]));
    w->wrench[tip] = (fa_wrench){vec3_add(torque, cross(p, force)), force};
    w->turn[tip] = mat3_add(mat3_mat3(mat3_tilde(p), mat3_tilde(force)), mat3_tilde(torque));
    turn->moment = w->turn;
    return (fa_load){w->wrench};
}

// Every state in turn: three matrices n x n from three arguments of n numbers, and a wrench.
static fa_status three_matrices(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                fa_row_call call, fa_row_fn *row)
{
    const size_t n = (size_t)workspace->n;
    for (int k = 0; k < 3; k++) {
        call.size[k] = k == 0 ? (size_t)workspace->n_positions : n;
        call.out_size[k] = n * n;
    }
    call.size[3] = call.in[3] ? 6 : 0;
    return fa_rows(robot, workspace, states, &call, row);
}

static fa_status forward(fa_workspace *w, const fa_row_call *c)
{
    const double *q = c->in[0], *wrench = c->in[3];
    memcpy(w->tau, c->in[2], (size_t)w->n * sizeof *w->tau);
    if (wrench) (void)fa_tip_torque(w->robot, w, 1, q, wrench, w->push);
    for (int i = 0; i < w->n && wrench; i++) w->tau[i] += w->push[i];
    fa_status status = fa_forward(w->robot, w, 1, q, c->in[1], w->tau, w->qdd);
    if (status != FA_OK) return status;
    fa_load_turn       turn;
    const fa_load      load = fa_tip_load(w, q, wrench, &turn);
    const fa_jacobians to = {c->out[0], c->out[1], c->out[2]};
    return fa_forward_jacobians(&w->chain, q, c->in[1], w->qdd, &load, turn, to, w->work);
}

fa_status fa_forward_derivatives(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                 const double *q, const double *qd, const double *tau,
                                 const double *wrench, double *by_q, double *by_qd, double *by_tau)
{
    const fa_row_call call = {.in = {q, qd, tau, wrench}, .out = {by_q, by_qd, by_tau}};
    return three_matrices(robot, workspace, states, call,
                          workspace->bare ? fa_bare_forward_derivatives : forward);
}

static fa_status inverse(fa_workspace *w, const fa_row_call *c)
{
    fa_load_turn       turn;
    const fa_load      load = fa_tip_load(w, c->in[0], c->in[3], &turn);
    const fa_jacobians to = {c->out[0], c->out[1], c->out[2]};
    fa_inverse_jacobians(&w->chain, c->in[0], c->in[1], c->in[2], &load, turn, to, w->work);
    return FA_OK;
}

fa_status fa_inverse_derivatives(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                 const double *q, const double *qd, const double *qdd,
                                 const double *wrench, double *by_q, double *by_qd, double *by_qdd)
{
    const fa_row_call call = {.in = {q, qd, qdd, wrench}, .out = {by_q, by_qd, by_qdd}};
    return three_matrices(robot, workspace, states, call,
                          workspace->bare ? fa_bare_inverse_derivatives : inverse);
}

static fa_status by_parameters(fa_workspace *w, const fa_row_call *c)
{
    fa_arm       *arm = w->arm;
    const double *q = c->in[0], *qd = c->in[1], *qdd = c->in[2];
    const double *gravity = w->direction + arm->row[FA_ARM_GRAVITY];
    fa_tangent    tangent = {.inertia = arm->inertia_tangent, .rotor = arm->rotor_tangent};
    // A pitch shifts bodies and turns none of them: in their axes the load stays as it is.
    fa_load_turn  turn;
    const fa_load load = fa_tip_load(w, q, c->in[3], &turn);
    fa_chain_motion(&w->chain, q, qd, qdd, w->motion);
    for (int k = 0; k < c->n_parameters; k++) {
        w->direction[c->parameter[k]] = 1;
        fa_arm_inertia_tangents(arm, w->value, w->direction);
        fa_arm_rotor_tangents(arm, w->value, w->direction);
        fa_arm_advance_tangents(arm, w->direction);
        tangent.gravity = (fa_vec3){gravity[0], gravity[1], gravity[2]};
        fa_chain_motion_tangent(&w->chain, qd, qdd, w->motion, tangent.joint, w->motion_tangent);
        fa_inverse_tangent(&w->chain, qdd, &load, w->motion, &tangent, w->motion_tangent, w->tau,
                           w->work);
        for (int i = 0; i < w->n; i++) c->out[0][i * c->n_parameters + k] = w->tau[i];
        w->direction[c->parameter[k]] = 0;
    }
    fa_arm_advance_tangents(arm, NULL);
    return FA_OK;
}

fa_status fa_parameter_derivatives(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                   const double *q, const double *qd, const double *qdd, int m,
                                   const int parameter[], double *by)
{
    return fa_parameter_derivatives_pushed(robot, workspace, states, q, qd, qdd, NULL, m, parameter,
                                           by);
}

fa_status fa_parameter_derivatives_pushed(const fa_robot *robot, fa_workspace *workspace,
                                          size_t states, const double *q, const double *qd,
                                          const double *qdd, const double *wrench, int m,
                                          const int parameter[], double *by)
{
    const size_t      n = (size_t)workspace->n;
    const size_t      n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, n, n, wrench ? 6 : 0},
                              .in = {q, qd, qdd, wrench},
                              .out_size = {n * (size_t)m},
                              .out = {by},
                              .n_parameters = m,
                              .parameter = parameter};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_parameter_derivatives : by_parameters);
}
