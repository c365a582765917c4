// The equations of motion for many states, rows in and rows out.
#include <math.h>
#include <string.h>

#include "bare_mechanism.h"
#include "batch.h"
#include "methods.h"
#include "regressor.h"
#include "workspace.h"

static const fa_transform *frame_of(const fa_workspace *w, int frame, int *body)
{
    if (frame < 0 || frame >= w->robot->n_links) {
        *body = w->arm->tip_body;
        return &w->arm->tip_frame;
    }
    *body = w->link_body[frame];
    return &w->link_frame[frame];
}

// World to that frame at q; fills w->pose.
static fa_transform placed(fa_workspace *w, const double q[], int frame, int *body)
{
    const fa_transform *here = frame_of(w, frame, body);
    fa_chain_poses(&w->chain, q, w->pose);
    return *body == FA_WORLD ? *here : transform_compose(w->pose[*body], *here);
}

// ------------------------------------------------------------------------------------------ lanes

// A function of n states in lanes, at `call`; good[] is false where it needs the readable methods.
typedef void lane_fn(const fa_workspace *w, fa_lanes *lanes, int n, const fa_row_call *call,
                     bool good[]);

static fa_row_call row_at(const fa_row_call *call, size_t row)
{
    fa_row_call at = *call;
    for (int i = 0; i < FA_ROW_ARGUMENTS; i++)
        if (at.in[i]) at.in[i] += row * at.size[i];
    for (int j = 0; j < 3; j++)
        if (at.out[j]) at.out[j] += row * at.out_size[j];
    return at;
}

// As many states at once as there are lanes, also of one state alone, so that a state has the same
// bits in every batch; one by one by `row` where that does not do.
static fa_status rows_in_lanes(const fa_robot *robot, fa_workspace *w, size_t states,
                               const fa_row_call *call, lane_fn *in_lanes, fa_row_fn *row)
{
    fa_status    first = FA_OK;
    fa_lane_plan plan = w->plan;
    plan.single = false;
    if (w->robot != robot || !w->has_lanes || !fa_lanes_compute(&plan))
        return fa_rows(robot, w, states, call, row);
    const size_t most = (size_t)fa_lanes_count(&plan);
    for (size_t done = 0; done < states; done += most) {
        const int         n = (int)(states - done < most ? states - done : most);
        const fa_row_call at = row_at(call, done);
        bool              good[FA_LANES_MOST];
        in_lanes(w, fa_lanes_ready(w, false, n), n, &at, good);
        for (int k = 0; k < n; k++) {
            if (good[k]) continue;
            const fa_row_call one = row_at(&at, (size_t)k);
            const fa_status   status = fa_rows(robot, w, 1, &one, row);
            if (first == FA_OK) first = status;
        }
    }
    return first;
}

static void inverse_in_lanes(const fa_workspace *w, fa_lanes *lanes, int n, const fa_row_call *c,
                             bool good[])
{
    (void)w;
    fa_lanes_inverse(lanes, n, c->in[0], c->in[1], c->in[2], c->out[0], good);
}

static fa_lane_frame lane_frame(const fa_workspace *w, int number)
{
    int                 body;
    const fa_transform *X = frame_of(w, number, &body);
    const fa_mat3       turned = fa_frame_along(w->chain.body[body].axis);
    const fa_mat3       E = mat3_mat3(X->E, mat3_transpose(turned));
    const fa_vec3       r = mat3_mul(turned, X->r);
    fa_lane_frame       frame = {.body = body, .origin = {r.x, r.y, r.z}};
    memcpy(frame.axis, E.m, sizeof frame.axis);
    return frame;
}

static void pose_in_lanes(const fa_workspace *w, fa_lanes *lanes, int n, const fa_row_call *c,
                          bool good[])
{
    const fa_lane_frame frame = lane_frame(w, c->frame);
    fa_lanes_frame(lanes, n, &frame, c->in[0], c->out[0], NULL, good);
}

static void jacobian_in_lanes(const fa_workspace *w, fa_lanes *lanes, int n, const fa_row_call *c,
                              bool good[])
{
    const fa_lane_frame frame = lane_frame(w, c->frame);
    fa_lanes_frame(lanes, n, &frame, c->in[0], NULL, c->out[0], good);
}

static fa_status frame_rows(const fa_robot *robot, fa_workspace *w, size_t states,
                            const fa_row_call *call, lane_fn *in_lanes, fa_row_fn *row)
{
    int body = FA_WORLD;
    if (w->robot == robot) (void)frame_of(w, call->frame, &body);
    if (body == FA_WORLD) return fa_rows(robot, w, states, call, row);
    return rows_in_lanes(robot, w, states, call, in_lanes, row);
}

// ----------------------------------------------------------------------------- equations of motion

fa_status fa_forward(const fa_robot *robot, fa_workspace *workspace, size_t states, const double *q,
                     const double *qd, const double *tau, double *qdd)
{
    const size_t n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    fa_status    first = workspace->robot == robot ? FA_OK : FA_UNFIT;
    if (workspace->bare) {
        const fa_row_call call = {.size = {n_q, n, n}, {q, qd, tau}, .out_size = {n}, {qdd}};
        return fa_rows(robot, workspace, states, &call, fa_bare_forward);
    }
    for (size_t i = 0; i < states * n && first != FA_OK; i++) qdd[i] = NAN;
    for (size_t done = 0; done < states && workspace->robot == robot;) {
        const size_t    left = states - done, at = done * n;
        const size_t    taken = left < FA_ROWS_AT_ONCE ? left : FA_ROWS_AT_ONCE;
        const fa_status status = fa_forward_batch(&workspace->chain, (int)taken, q + at, qd + at,
                                                  tau + at, qdd + at, workspace->batch);
        if (first == FA_OK) first = status;
        done += taken;
    }
    return first;
}

static fa_status inverse(fa_workspace *w, const fa_row_call *c)
{
    return fa_method_inverse(&w->chain)->inverse(&w->chain, c->in[0], c->in[1], c->in[2], NULL,
                                                 c->out[0], w->work);
}

fa_status fa_inverse(const fa_robot *robot, fa_workspace *workspace, size_t states, const double *q,
                     const double *qd, const double *qdd, double *tau)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, n, n}, {q, qd, qdd}, .out_size = {n}, {tau}};
    if (workspace->bare) return fa_rows(robot, workspace, states, &call, fa_bare_inverse);
    return rows_in_lanes(robot, workspace, states, &call, inverse_in_lanes, inverse);
}

static fa_status closed(fa_workspace *w, const fa_row_call *c)
{
    memcpy(c->out[0], c->in[0], (size_t)w->n * sizeof *c->out[0]);
    memcpy(c->out[1], c->in[1], (size_t)w->n * sizeof *c->out[1]);
    return FA_OK;
}

fa_status fa_close_loops(const fa_robot *robot, fa_workspace *workspace, size_t states,
                         const double *q, const double *qd, double *q_closed, double *qd_closed)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {
        .size = {n_q, n}, {q, qd}, .out_size = {n_q, n}, {q_closed, qd_closed}};
    return fa_rows(robot, workspace, states, &call, workspace->bare ? fa_bare_closed : closed);
}

static fa_status bias(fa_workspace *w, const fa_row_call *c)
{
    return fa_method_inverse(&w->chain)->inverse(&w->chain, c->in[0], c->in[1], w->zero, NULL,
                                                 c->out[0], w->work);
}

fa_status fa_bias(const fa_robot *robot, fa_workspace *workspace, size_t states, const double *q,
                  const double *qd, double *tau)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, n}, {q, qd}, .out_size = {n}, {tau}};
    if (workspace->bare) return fa_rows(robot, workspace, states, &call, fa_bare_bias);
    return rows_in_lanes(robot, workspace, states, &call, inverse_in_lanes, bias);
}

static fa_status gravity(fa_workspace *w, const fa_row_call *c)
{
    return fa_method_inverse(&w->chain)->inverse(&w->chain, c->in[0], w->zero, w->zero, NULL,
                                                 c->out[0], w->work);
}

fa_status fa_gravity_torque(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, double *tau)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q}, {q}, .out_size = {n}, {tau}};
    if (workspace->bare) return fa_rows(robot, workspace, states, &call, fa_bare_gravity);
    return rows_in_lanes(robot, workspace, states, &call, inverse_in_lanes, gravity);
}

static fa_status mass_matrix(fa_workspace *w, const fa_row_call *c)
{
    return fa_composite_body_mass_matrix(&w->chain, c->in[0], c->out[0], w->work);
}

fa_status fa_mass_matrix(const fa_robot *robot, fa_workspace *workspace, size_t states,
                         const double *q, double *M)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q}, {q}, .out_size = {n * n}, {M}};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_mass_matrix : mass_matrix);
}

// Bias torques are gravity's and c_ijk qd_j qd_k, with Christoffel's symbols c_ijk, symmetric in j
// and k: their derivative by qd_j is 2 c_ijk qd_k, twice the element of this matrix.
static fa_status coriolis_matrix(fa_workspace *w, const fa_row_call *c)
{
    const fa_jacobians to = {w->matrix[0], c->out[0], w->matrix[1]};
    fa_inverse_jacobians(&w->chain, c->in[0], c->in[1], w->zero, NULL, (fa_load_turn){NULL}, to,
                         w->work);
    for (int i = 0; i < w->n * w->n; i++) c->out[0][i] /= 2;
    return FA_OK;
}

fa_status fa_coriolis_matrix(const fa_robot *robot, fa_workspace *workspace, size_t states,
                             const double *q, const double *qd, double *C)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, n}, {q, qd}, .out_size = {n * n}, {C}};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_coriolis_matrix : coriolis_matrix);
}

int fa_regressor_links(const fa_workspace *workspace)
{
    return workspace->n_mass;
}

static fa_status link_regressor(fa_workspace *w, const fa_row_call *c)
{
    fa_regressor(&w->chain, c->in[0], c->in[1], c->in[2], w->n_mass, w->mass_body, w->mass_frame,
                 c->out[0], w->work);
    return FA_OK;
}

fa_status fa_link_regressor(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, const double *qd, const double *qdd, double *Y)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const size_t      size = FA_REGRESSOR_COLUMNS * n * (size_t)workspace->n_mass;
    const fa_row_call call = {.size = {n_q, n, n}, {q, qd, qdd}, .out_size = {size}, {Y}};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_regressor : link_regressor);
}

// ------------------------------------------------------------------------------------------ frames

void fa_frame_matrix(fa_workspace *w, const double q[], int frame, double T[])
{
    int                body;
    const fa_transform X = placed(w, q, frame, &body);
    const fa_mat3      R = mat3_transpose(X.E);
    const double       r[3] = {X.r.x, X.r.y, X.r.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[4 * i + j] = R.m[i][j];
        T[4 * i + 3] = r[i];
        T[12 + i] = 0;
    }
    T[15] = 1;
}

static fa_status pose(fa_workspace *w, const fa_row_call *c)
{
    fa_frame_matrix(w, c->in[0], c->frame, c->out[0]);
    return FA_OK;
}

fa_status fa_pose(const fa_robot *robot, fa_workspace *workspace, size_t states, int frame,
                  const double *q, double *T)
{
    const size_t      n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q}, {q}, .out_size = {16}, .out = {T}, .frame = frame};
    if (workspace->bare) return fa_rows(robot, workspace, states, &call, fa_bare_pose);
    return frame_rows(robot, workspace, states, &call, pose_in_lanes, pose);
}

// The speed of a point, in world axes, per unit of the speed of a body's coordinate. Reads w->pose.
static fa_twist column_of(const fa_workspace *w, int at, fa_vec3 point)
{
    const fa_body *body = &w->chain.body[at];
    const fa_twist S = twist_scale(body->ratio, fa_joint_axis(body));
    const fa_vec3  angular = mat3_tmul(w->pose[at].E, S.angular);
    const fa_vec3  lever = cross(angular, vec3_sub(point, w->pose[at].r));
    return (fa_twist){angular, vec3_add(mat3_tmul(w->pose[at].E, S.linear), lever)};
}

void fa_add_push(const fa_workspace *w, int body, fa_vec3 point, const double push[], double tau[])
{
    const fa_vec3 force = {push[0], push[1], push[2]}, torque = {push[3], push[4], push[5]};
    for (int at = body; at != FA_WORLD; at = w->chain.body[at].parent) {
        const fa_twist column = column_of(w, at, point);
        tau[w->chain.body[at].coordinate] +=
            dot(column.linear, force) + dot(column.angular, torque);
    }
}

void fa_frame_jacobian(fa_workspace *w, const double q[], int frame, double J[])
{
    int                at;
    const fa_transform X = placed(w, q, frame, &at);
    memset(J, 0, 6 * (size_t)w->n * sizeof *J);
    for (; at != FA_WORLD; at = w->chain.body[at].parent) {
        const fa_twist v = column_of(w, at, X.r);
        const double   column[6] = {v.linear.x,  v.linear.y,  v.linear.z,
                                    v.angular.x, v.angular.y, v.angular.z};
        for (int i = 0; i < 6; i++) J[i * w->n + w->chain.body[at].coordinate] += column[i];
    }
}

static fa_status jacobian(fa_workspace *w, const fa_row_call *c)
{
    fa_frame_jacobian(w, c->in[0], c->frame, c->out[0]);
    return FA_OK;
}

fa_status fa_jacobian(const fa_robot *robot, fa_workspace *workspace, size_t states, int frame,
                      const double *q, double *J)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q}, {q}, .out_size = {6 * n}, .out = {J}, .frame = frame};
    if (workspace->bare) return fa_rows(robot, workspace, states, &call, fa_bare_jacobian);
    return frame_rows(robot, workspace, states, &call, jacobian_in_lanes, jacobian);
}

void fa_frame_drift(fa_workspace *w, const double q[], const double qd[], const double qdd[],
                    int frame, double acceleration[])
{
    int                 body;
    const fa_transform *here = frame_of(w, frame, &body);
    memset(acceleration, 0, 6 * sizeof *acceleration);
    if (body == FA_WORLD) return;
    fa_chain_motion(&w->chain, q, qd, qdd, w->motion);
    const fa_motion motion = fa_frame_motion(&w->motion[body], *here);
    const fa_twist  a = fa_world_acceleration(&motion);
    const double    row[6] = {a.linear.x,  a.linear.y,  a.linear.z,
                              a.angular.x, a.angular.y, a.angular.z};
    memcpy(acceleration, row, sizeof row);
}

static fa_status drift(fa_workspace *w, const fa_row_call *c)
{
    fa_frame_drift(w, c->in[0], c->in[1], NULL, c->frame, c->out[0]);
    return FA_OK;
}

fa_status fa_drift(const fa_robot *robot, fa_workspace *workspace, size_t states, int frame,
                   const double *q, const double *qd, double *acceleration)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {
        .size = {n_q, n}, {q, qd}, .out_size = {6}, .out = {acceleration}, .frame = frame};
    return fa_rows(robot, workspace, states, &call, workspace->bare ? fa_bare_drift : drift);
}

static fa_status tip_torque(fa_workspace *w, const fa_row_call *c)
{
    int                at;
    const fa_transform X = placed(w, c->in[0], FA_TIP_FRAME, &at);
    memset(c->out[0], 0, c->out_size[0] * sizeof *c->out[0]);
    fa_add_push(w, at, X.r, c->in[1], c->out[0]);
    return FA_OK;
}

fa_status fa_tip_torque(const fa_robot *robot, fa_workspace *workspace, size_t states,
                        const double *q, const double *wrench, double *tau)
{
    const size_t      n = (size_t)workspace->n, n_q = (size_t)workspace->n_positions;
    const fa_row_call call = {.size = {n_q, 6}, {q, wrench}, .out_size = {n}, {tau}};
    return fa_rows(robot, workspace, states, &call,
                   workspace->bare ? fa_bare_tip_torque : tip_torque);
}
