// Adjoint of a snake, snake_tangent.c in reverse: one sweep maps adjoints of results to adjoints of
// parameters, inputs, states and time. Each function is the transpose of the one of like name
// there.
#include <math.h>
#include <string.h>

#include "snake_change.h"
#include "snake_control.h"
#include "snake_control_derivatives.h"
#include "snake_elements.h"

typedef fa_snake_sweep change;

static const double *by(const change *c, fa_snake_quantity quantity)
{
    return c->adjoint + c->self->row[quantity];
}

static double phid_of(const fa_snake_self *self, int k)
{
    return self->motion[k + 1].w - self->motion[k].w;
}

static void by_phi(change *c, int k, double wanted)
{
    c->angle[k + 1] += wanted;
    c->angle[k] -= wanted;
}

static void by_phid(change *c, int k, double wanted)
{
    c->self->motion_tangent[k + 1].w += wanted;
    c->self->motion_tangent[k].w -= wanted;
}

// Maps adjoints of a joint's motion to the motion of its two links.
static void add_joint(change *c, int k, const fa_snake_joint_sums *sums)
{
    by_phi(c, k, sums->position);
    by_phid(c, k, sums->rate);
    if (!fa_snake_has_angle(c->self)) c->adjoint[c->self->time_row] += sums->time;
}

// -------------------------------------------------------------------------------- what is shown

void fa_snake_tell_joint_adjoints(const fa_snake_joint_now *now, double adjoint[],
                                  fa_snake_joint_sums *sums)
{
    fa_snake_joint_tell_adjoints(now, FA_SNAKE_GROUP_MOTION, adjoint, sums);
}

void fa_snake_tell_axle_adjoints(const fa_snake_axle_now *now, double adjoint[],
                                 fa_snake_axle_sums *sums)
{
    fa_snake_axle_tell_adjoints(now, FA_SNAKE_GROUP_FORCES, adjoint, sums);
}

static void force_rows(change *c)
{
    fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now now = fa_snake_axle_at(self, c->value, k);
        fa_snake_axle_sums      sums = {.adjoint = c->adjoint};
        fa_snake_tell_axle_adjoints(&now, c->adjoint, &sums);
        self->lambda_tangent[k] = by(c, FA_SNAKE_ROW_LATERAL)[k] + sums.lateral;
        c->sums.rolling[k] += sums.rolling;
        c->sums.link[k].m += sums.mass;
        c->adjoint[self->row[FA_SNAKE_ROW_GRAVITY]] += sums.gravity;
    }
}

static void derivative_rows(change *c)
{
    fa_snake_self         *self = c->self;
    const fa_snake_motion *motion = self->motion;
    fa_snake_motion       *adjoint = self->motion_tangent;
    const double           x = *by(c, FA_SNAKE_ROW_X_RATE), y = *by(c, FA_SNAKE_ROW_Y_RATE);
    const double           power = *by(c, FA_SNAKE_ROW_POWER);
    for (int k = 0; k < self->snake.n; k++) {
        adjoint[k].w += by(c, FA_SNAKE_ROW_LINK_RATE)[k];
        adjoint[k].V += power * self->rolling[k];
        c->sums.rolling[k] += power * motion[k].V;
    }
    for (int k = 0; k < self->snake.n - 1; k++) {
        by_phid(c, k, power * self->torque[k]);
        c->sums.torque[k] += power * phid_of(self, k);
        if (self->drive_row[k] != FA_NO_ROW)
            self->drive_tangent[k] += c->adjoint[self->drive_row[k]];
    }
    adjoint[0].V += x * self->cosine[0] + y * self->sine[0];
    c->angle[0] += motion[0].V * (y * self->cosine[0] - x * self->sine[0]);
    for (int i = 0; i < 2; i++) c->ud[i] += by(c, FA_SNAKE_ROW_SPEED_DERIVATIVE)[i];
    if (fa_snake_has_angle(self))
        c->adjoint[self->gait_row[FA_SNAKE_ROW_GAIT_FREQUENCY]] +=
            *by(c, FA_SNAKE_ROW_GAIT_ANGLE_RATE);
}

static void joint_rows(change *c)
{
    const fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, c->value, k);
        fa_snake_joint_sums      sums = {.adjoint = c->adjoint,
                                         .position = by(c, FA_SNAKE_ROW_JOINT_ANGLE)[k],
                                         .rate = by(c, FA_SNAKE_ROW_JOINT_RATE)[k]};
        fa_snake_tell_joint_adjoints(&now, c->adjoint, &sums);
        add_joint(c, k, &sums);
    }
}

static void motion_rows(change *c)
{
    fa_snake_self *self = c->self;
    const int      n = self->snake.n;
    const double  *wheel_x = c->value + self->row[FA_SNAKE_ROW_LINK_X];
    const double  *wheel_y = c->value + self->row[FA_SNAKE_ROW_LINK_Y];
    const double   centre_x = c->value[self->row[FA_SNAKE_ROW_COM_X]];
    const double   centre_y = c->value[self->row[FA_SNAKE_ROW_COM_Y]];
    double         mass = 0, X = 0, Y = 0, wheel_by_x = 0, wheel_by_y = 0;
    for (int k = 0; k < n; k++) {
        mass += self->link[k].m;
        X += self->cosine[k];
        Y += self->sine[k];
    }
    const double by_x = *by(c, FA_SNAKE_ROW_COM_X) / mass, by_y = *by(c, FA_SNAKE_ROW_COM_Y) / mass;
    const double heading = *by(c, FA_SNAKE_ROW_HEADING) / (X * X + Y * Y);
    // From the last wheel back: a displacement of a wheel displaces all wheels before it.
    for (int k = n - 1; k >= 0; k--) {
        const fa_snake_link *link = &self->link[k];
        fa_snake_link       *s = &c->sums.link[k];
        const double         C = self->cosine[k], S = self->sine[k];
        double               by_C = -heading * Y, by_S = heading * X;
        s->b += wheel_by_x * C + wheel_by_y * S;
        by_C += link->b * wheel_by_x;
        by_S += link->b * wheel_by_y;

        s->m += by_x * (wheel_x[k] + link->c * C - link->d * S - centre_x) +
                by_y * (wheel_y[k] + link->c * S + link->d * C - centre_y);
        s->c += link->m * (by_x * C + by_y * S);
        s->d += link->m * (by_y * C - by_x * S);
        by_C += link->m * (by_x * link->c + by_y * link->d);
        by_S += link->m * (by_y * link->c - by_x * link->d);
        wheel_by_x += by_x * link->m + by(c, FA_SNAKE_ROW_LINK_X)[k];
        wheel_by_y += by_y * link->m + by(c, FA_SNAKE_ROW_LINK_Y)[k];
        if (k > 0) {
            s->a += wheel_by_x * C + wheel_by_y * S;
            by_C += link->a * wheel_by_x;
            by_S += link->a * wheel_by_y;
        }
        if (self->row[FA_SNAKE_ROW_AXES] != FA_NO_ROW) {
            const double *axes = by(c, FA_SNAKE_ROW_AXES) + 4L * k;
            by_C += axes[0] + axes[3];
            by_S += axes[1] - axes[2];
        }
        c->angle[k] += by_S * C - by_C * S;
        self->motion_tangent[k].V += by(c, FA_SNAKE_ROW_LINK_SPEED)[k];
    }
    c->adjoint[self->row[FA_SNAKE_ROW_X]] += wheel_by_x;
    c->adjoint[self->row[FA_SNAKE_ROW_Y]] += wheel_by_y;
    fa_snake_kinetic_energy_adjoint(&self->snake, self->motion, *by(c, FA_SNAKE_ROW_KINETIC),
                                    self->motion_tangent, &c->sums);
    joint_rows(c);
}

static void control_rows(change *c)
{
    fa_snake_self *self = c->self;
    fa_snake_control_adjoint(&self->snake, self->motion, &self->equations,
                             *by(c, FA_SNAKE_ROW_CONTROLLABILITY), self->motion_tangent,
                             &c->equations);
}

// ----------------------------------------------------------------------------------- acceleration

static fa_status by_mass(const fa_snake_self *self, const double force[2], double ud[2])
{
    fa_snake_equations equations = self->equations;
    for (int i = 0; i < 2; i++) {
        equations.bias[i] = 0;
        equations.F[i] = force[i];
    }
    return fa_snake_solve(&equations, ud);
}

// Solves the transposed system of motion and prescribed joints: M r - G t = adjoint of ud, with
// -G^T r = adjoint of torque. r is the adjoint of the residual, -t that of the prescribed
// accelerations.
static fa_status joints_adjoint(change *c, double by_residual[2], fa_error *error)
{
    fa_snake_self         *self = c->self;
    const fa_snake_motion *motion = self->motion;
    fa_snake_motion       *adjoint = self->motion_tangent;
    double                 wanted[FA_PRESCRIBED_MAX], t[FA_PRESCRIBED_MAX], du[2];
    for (int i = 0; i < self->n_prescribed; i++) {
        const int k = self->prescribed[i];
        wanted[i] = -self->drive_tangent[k];
        for (int j = 0; j < 2; j++)
            wanted[i] -= (motion[k + 1].w_u[j] - motion[k].w_u[j]) * by_residual[j];
    }
    fa_status status =
        fa_snake_drive_joints(&self->snake, motion, &self->equations, self->n_prescribed,
                              self->prescribed, wanted, t, du, error);
    if (status != FA_OK) return status;
    for (int j = 0; j < 2; j++) by_residual[j] += du[j];
    for (int i = 0; i < self->n_prescribed; i++) {
        const int                k = self->prescribed[i];
        const fa_snake_joint_now now = fa_snake_told_at(self, c->value, i);
        const fa_follower_in     in = fa_follower_now(&now);
        const fa_follower_out    by_out = {.acceleration = -t[i]};
        fa_snake_joint_sums      sums = {.adjoint = c->adjoint};
        fa_follower_in           by_in;
        fa_follower_adjoint(&in, &by_out, &by_in);
        fa_follower_adjoints(&now, &by_in, &sums);
        add_joint(c, k, &sums);
        adjoint[k + 1].tau += t[i];
        adjoint[k].tau -= t[i];
        for (int j = 0; j < 2; j++) {
            adjoint[k + 1].w_u[j] += t[i] * self->ud[j];
            adjoint[k].w_u[j] -= t[i] * self->ud[j];
        }
    }
    return FA_OK;
}

static void base_adjoint(change *c, double by_residual[2])
{
    fa_snake_self         *self = c->self;
    const fa_snake_motion *motion = self->motion;
    fa_snake_motion       *adjoint = self->motion_tangent;
    const int              joints = self->snake.n - 1;
    double                 GT[2] = {0, 0}, by_s[2] = {0, 0}, s[2], v[2];
    for (int k = 0; k < joints; k++)
        for (int i = 0; i < 2; i++) {
            const double G = motion[k + 1].w_u[i] - motion[k].w_u[i];
            GT[i] += G * self->drive[k];
            by_s[i] += G * self->drive_tangent[k];
        }
    fa_snake_gram_solve(&self->snake, motion, GT, s);
    fa_snake_gram_solve(&self->snake, motion, by_s, v);
    for (int k = 0; k < joints; k++) {
        double along = self->drive_tangent[k];
        for (int i = 0; i < 2; i++) along -= (motion[k + 1].w_u[i] - motion[k].w_u[i]) * v[i];
        for (int i = 0; i < 2; i++) {
            adjoint[k + 1].w_u[i] += along * s[i];
            adjoint[k].w_u[i] -= along * s[i];
        }
    }
    double by_ud[2];
    for (int i = 0; i < 2; i++) {
        by_ud[i] = c->ud[i] + self->equations.M[i][0] * v[0] + self->equations.M[i][1] * v[1];
        by_residual[i] = -v[i];
    }
    const fa_snake_base_now now = fa_snake_base_at(self, c->value);
    const fa_pace_in        in = fa_pace_now(&now);
    const fa_pace_out       by_out = {.speed_derivative = by_ud[0], .rate_derivative = by_ud[1]};
    fa_snake_base_sums      sums = {.adjoint = c->adjoint};
    fa_pace_in              by_in;
    fa_pace_adjoint(&in, &by_out, &by_in);
    fa_pace_adjoints(&now, &by_in, &sums);
    c->u[0] += sums.speed;
    c->u[1] += sums.rate;
}

fa_status fa_snake_solve_adjoint(change *c, fa_error *error)
{
    fa_snake_self *self = c->self;
    double         by_residual[2];
    fa_status      status = by_mass(self, c->ud, by_residual);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the derivatives of the accelerations are not finite numbers");
    for (int k = 0; k < self->snake.n - 1; k++) self->drive_tangent[k] += c->sums.torque[k];
    if (self->input == FA_SNAKE_PRESCRIBED) status = joints_adjoint(c, by_residual, error);
    if (self->input == FA_SNAKE_SPEEDS) base_adjoint(c, by_residual);
    fa_snake_residual_adjoint(by_residual, self->ud, &c->equations);
    return status;
}

static void force_adjoints(change *c)
{
    fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, c->value, k);
        fa_snake_joint_sums      sums = {.adjoint = c->adjoint};
        fa_snake_joint_push_adjoints(&now, c->sums.torque[k], NULL, &sums);
        add_joint(c, k, &sums);
    }
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now now = fa_snake_axle_at(self, c->value, k);
        fa_snake_axle_sums      sums = {.adjoint = c->adjoint};
        fa_snake_axle_push_adjoints(&now, c->sums.rolling[k], NULL, &sums);
        self->motion_tangent[k].V += sums.rate;
    }
}

static void parameter_adjoints(change *c)
{
    const fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_link *s = &c->sums.link[k];
        const double         of[] = {s->m, s->I, s->b, s->a - s->b, s->c, s->d};
        double              *to = c->adjoint + fa_snake_link_row(self, FA_SNAKE_ROW_MASS, k);
        for (int i = 0; i < 6; i++) to[i] += of[i];
    }
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, c->value, k);
        const fa_rotor_in        in = fa_rotor_now(&now);
        const fa_rotor_out       by_out = {.reflected = c->sums.joint[k].rotor};
        fa_snake_joint_sums      sums = {.adjoint = c->adjoint};
        fa_rotor_in              by_in;
        fa_rotor_adjoint(&in, &by_out, &by_in);
        fa_rotor_adjoints(&now, &by_in, &sums);
    }
}

static void clear(fa_snake_self *self)
{
    const size_t n = (size_t)self->snake.n;
    memset(self->motion_tangent, 0, n * sizeof *self->motion_tangent);
    memset(self->link_tangent, 0, n * sizeof *self->link_tangent);
    memset(self->joint_tangent, 0, n * sizeof *self->joint_tangent);
    memset(self->torque_tangent, 0, n * sizeof *self->torque_tangent);
    memset(self->rolling_tangent, 0, n * sizeof *self->rolling_tangent);
    memset(self->drive_tangent, 0, n * sizeof *self->drive_tangent);
}

fa_status fa_snake_adjoint(void *memory, const double value[], double adjoint[], unsigned groups,
                           fa_error *error)
{
    fa_snake_self        *self = memory;
    const fa_snake       *snake = &self->snake;
    const fa_snake_forces forces = {.torque = self->torque, .rolling = self->rolling};
    const bool            driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    fa_status             status = fa_snake_trace(self, value, groups, error);
    if (status != FA_OK) return status;
    clear(self);
    change c = {.self = self,
                .value = value,
                .adjoint = adjoint,
                .angle = adjoint + self->row[FA_SNAKE_ROW_ANGLE],
                .sums = {.link = self->link_tangent,
                         .joint = self->joint_tangent,
                         .torque = self->torque_tangent,
                         .rolling = self->rolling_tangent}};

    if (groups & FA_SNAKE_GROUP_MOTION) motion_rows(&c);
    if (groups & FA_SNAKE_GROUP_CONTROL) control_rows(&c);
    if (groups & FA_SNAKE_GROUP_FORCES) {
        force_rows(&c);
        fa_snake_reactions_adjoint(snake, self->motion, &forces, self->lambda_tangent,
                                   self->motion_tangent, &c.sums, self->work);
        fa_snake_accelerate_adjoint(snake, self->motion, self->ud, self->motion_tangent, c.ud);
    }
    if (groups & FA_GROUP_DERIVATIVES) derivative_rows(&c);
    if (driven) status = fa_snake_solve_adjoint(&c, error);
    if (status != FA_OK) return status;
    if (driven || (groups & FA_SNAKE_GROUP_CONTROL))
        fa_snake_project_adjoint(snake, self->motion, &forces, &c.equations, self->motion_tangent,
                                 &c.sums);
    if (driven) force_adjoints(&c);
    fa_snake_kinematics_adjoint(snake, self->motion, self->motion_tangent, &c.sums, c.angle, c.u);
    for (int i = 0; i < 2; i++) adjoint[self->row[FA_SNAKE_ROW_SPEED] + i] += c.u[i];
    parameter_adjoints(&c);
    return FA_OK;
}
