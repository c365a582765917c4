// Tangent of a snake: derivatives of all results in a direction of parameters, inputs, states and
// time. The recursions are in snake_kane_tangent.c; this file copies between rows and their
// tangents.
#include <math.h>
#include <string.h>

#include "snake_change.h"
#include "snake_control.h"
#include "snake_control_derivatives.h"
#include "snake_elements.h"
#include "snake_kane_tangent.h"

typedef fa_snake_change change;

static void parameter_tangents(change *c)
{
    fa_snake_self *self = c->self;
    const double  *value = c->value, *direction = c->direction;
    for (int k = 0; k < self->snake.n; k++) {
        const double *d = direction + fa_snake_link_row(self, FA_SNAKE_ROW_MASS, k);
        self->link_tangent[k] = (fa_snake_link){
            .a = d[3], .b = d[2] - d[3], .c = d[4], .d = d[5], .m = d[0], .I = d[1]};
    }
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(self, value, k);
        const fa_snake_joint_change tangent = {.direction = direction};
        const fa_rotor_in           in = fa_rotor_now(&now), dot = fa_rotor_change(&now, &tangent);
        fa_rotor_out                out;
        fa_rotor_tangent(&in, &dot, &out);
        self->joint_tangent[k].rotor = out.reflected;
    }
    c->snake_step = self->snake;
    c->snake_step.link = self->link_tangent;
    c->snake_step.joint = self->joint_tangent;
}

static double phid_of(const fa_snake_motion motion[], int k)
{
    return motion[k + 1].w - motion[k].w;
}

static fa_snake_joint_change joint_tangent(const change *c, int k)
{
    return fa_snake_joint_change_at(c->self, c->direction, c->angle_tangent, k);
}

static fa_snake_axle_change axle_tangent(const change *c, int k)
{
    const fa_snake_self *self = c->self;
    return (fa_snake_axle_change){c->direction,
                                  self->motion_tangent[k].V,
                                  self->lambda_tangent[k],
                                  self->rolling_tangent[k],
                                  self->link_tangent[k].m,
                                  c->direction[self->row[FA_SNAKE_ROW_GRAVITY]]};
}

static void force_tangents(change *c)
{
    fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(self, c->value, k);
        const fa_snake_joint_change tangent = joint_tangent(c, k);
        self->torque_tangent[k] = fa_snake_joint_push_change(&now, &tangent, NULL);
    }
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now    now = fa_snake_axle_at(self, c->value, k);
        const fa_snake_axle_change tangent = axle_tangent(c, k);
        self->rolling_tangent[k] = fa_snake_axle_push_change(&now, &tangent, NULL);
    }
}

static fa_status by_mass(const fa_snake_self *self, const double force[2], double ud[2])
{
    fa_snake_equations equations = self->equations;
    for (int i = 0; i < 2; i++) {
        equations.bias[i] = 0;
        equations.F[i] = force[i];
    }
    return fa_snake_solve(&equations, ud);
}

// Solves for the torques of prescribed joints; the matrix is that of the values.
static fa_status joints_tangent(change *c, fa_error *error)
{
    fa_snake_self         *self = c->self;
    const fa_snake_motion *motion = self->motion, *tangent = self->motion_tangent;
    double                 wanted[FA_PRESCRIBED_MAX], torque[FA_PRESCRIBED_MAX], du[2];
    for (int i = 0; i < self->n_prescribed; i++) {
        const int                   k = self->prescribed[i];
        const fa_snake_joint_now    now = fa_snake_told_at(self, c->value, i);
        const fa_snake_joint_change by = joint_tangent(c, k);
        const fa_follower_in        in = fa_follower_now(&now), dot = fa_follower_change(&now, &by);
        fa_follower_out             out;
        fa_follower_tangent(&in, &dot, &out);
        wanted[i] = out.acceleration - (tangent[k + 1].tau - tangent[k].tau);
        for (int j = 0; j < 2; j++)
            wanted[i] -= (tangent[k + 1].w_u[j] - tangent[k].w_u[j]) * self->ud[j] +
                         (motion[k + 1].w_u[j] - motion[k].w_u[j]) * c->ud_tangent[j];
    }
    fa_status status =
        fa_snake_drive_joints(&self->snake, motion, &self->equations, self->n_prescribed,
                              self->prescribed, wanted, torque, du, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < self->n_prescribed; i++)
        self->drive_tangent[self->prescribed[i]] = torque[i];
    for (int j = 0; j < 2; j++) c->ud_tangent[j] += du[j];
    return FA_OK;
}

// Tangent of the smallest torques T = G^T s with G T = r: dT = dG^T s + G^T ds, where G dT is the
// change that the equations of motion need.
static fa_status base_tangent(change *c, const double residual[2], fa_error *error)
{
    fa_snake_self         *self = c->self;
    const fa_snake_motion *motion = self->motion, *tangent = self->motion_tangent;
    const int              joints = self->snake.n - 1;
    const double          *u_tangent = c->direction + self->row[FA_SNAKE_ROW_SPEED];
    double                 GT[2] = {0, 0}, s[2], wanted[2], by_mass_of[2];
    for (int k = 0; k < joints; k++)
        for (int i = 0; i < 2; i++)
            GT[i] += (motion[k + 1].w_u[i] - motion[k].w_u[i]) * self->drive[k];
    fa_snake_gram_solve(&self->snake, motion, GT, s);

    const fa_snake_base_now    now = fa_snake_base_at(self, c->value);
    const fa_snake_base_change by = {c->direction, u_tangent[0], u_tangent[1]};
    const fa_pace_in           in = fa_pace_now(&now), dot = fa_pace_change(&now, &by);
    fa_pace_out                out;
    fa_pace_tangent(&in, &dot, &out);
    c->ud_tangent[0] = out.speed_derivative;
    c->ud_tangent[1] = out.rate_derivative;
    for (int i = 0; i < 2; i++)
        wanted[i] = self->equations.M[i][0] * c->ud_tangent[0] +
                    self->equations.M[i][1] * c->ud_tangent[1] - residual[i];
    for (int k = 0; k < joints; k++) {
        double along = 0; // dG^T s
        for (int i = 0; i < 2; i++) along += (tangent[k + 1].w_u[i] - tangent[k].w_u[i]) * s[i];
        for (int i = 0; i < 2; i++) wanted[i] -= (motion[k + 1].w_u[i] - motion[k].w_u[i]) * along;
    }
    fa_status status = by_mass(self, wanted, by_mass_of);
    if (status == FA_OK)
        status = fa_snake_drive_base(&self->snake, motion, &self->equations, by_mass_of,
                                     self->drive_tangent, error);
    for (int k = 0; k < joints; k++)
        for (int i = 0; i < 2; i++)
            self->drive_tangent[k] += (tangent[k + 1].w_u[i] - tangent[k].w_u[i]) * s[i];
    return fa_explain(error, status, NULL);
}

fa_status fa_snake_solve_tangent(change *c, fa_error *error)
{
    fa_snake_self *self = c->self;
    double         residual[2];
    fa_snake_residual_tangent(&c->equations_tangent, self->ud, residual);
    memset(self->drive_tangent, 0, (size_t)self->snake.n * sizeof *self->drive_tangent);
    fa_status status = by_mass(self, residual, c->ud_tangent);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the derivatives of the accelerations are not finite numbers");
    if (self->input == FA_SNAKE_PRESCRIBED) status = joints_tangent(c, error);
    if (self->input == FA_SNAKE_SPEEDS) status = base_tangent(c, residual, error);
    for (int k = 0; k < self->snake.n - 1; k++) self->torque_tangent[k] += self->drive_tangent[k];
    return status;
}

// ------------------------------------------------------------------------------------------- rows

static double *at(const change *c, fa_snake_quantity quantity)
{
    return c->direction + c->self->row[quantity];
}

static void derivative_rows(const change *c)
{
    const fa_snake_self   *self = c->self;
    const fa_snake_motion *motion = self->motion, *tangent = self->motion_tangent;
    const double           turn = c->angle_tangent[0], V = motion[0].V, dV = tangent[0].V;
    double                 power = 0;
    for (int k = 0; k < self->snake.n; k++) at(c, FA_SNAKE_ROW_LINK_RATE)[k] = tangent[k].w;
    *at(c, FA_SNAKE_ROW_X_RATE) = dV * self->cosine[0] - V * self->sine[0] * turn;
    *at(c, FA_SNAKE_ROW_Y_RATE) = dV * self->sine[0] + V * self->cosine[0] * turn;
    for (int k = 0; k < self->snake.n - 1; k++)
        power +=
            self->torque_tangent[k] * phid_of(motion, k) + self->torque[k] * phid_of(tangent, k);
    for (int k = 0; k < self->snake.n; k++)
        power += self->rolling_tangent[k] * motion[k].V + self->rolling[k] * tangent[k].V;
    memcpy(at(c, FA_SNAKE_ROW_SPEED_DERIVATIVE), c->ud_tangent, sizeof c->ud_tangent);
    *at(c, FA_SNAKE_ROW_POWER) = power;
    if (fa_snake_has_angle(self))
        *at(c, FA_SNAKE_ROW_GAIT_ANGLE_RATE) =
            c->direction[self->gait_row[FA_SNAKE_ROW_GAIT_FREQUENCY]];
    for (int k = 0; k < self->snake.n - 1; k++)
        if (self->drive_row[k] != FA_NO_ROW)
            c->direction[self->drive_row[k]] = self->drive_tangent[k];
}

void fa_snake_tell_joint_change(const fa_snake_joint_now    *now,
                                const fa_snake_joint_change *change_of, double direction[])
{
    fa_snake_joint_tell_change(now, FA_SNAKE_GROUP_MOTION, change_of, direction);
}

void fa_snake_tell_axle_change(const fa_snake_axle_now *now, const fa_snake_axle_change *change_of,
                               double direction[])
{
    fa_snake_axle_tell_change(now, FA_SNAKE_GROUP_FORCES, change_of, direction);
}

static void joint_rows(const change *c)
{
    const fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now    now = fa_snake_joint_at(self, c->value, k);
        const fa_snake_joint_change tangent = joint_tangent(c, k);
        at(c, FA_SNAKE_ROW_JOINT_ANGLE)[k] = tangent.position;
        at(c, FA_SNAKE_ROW_JOINT_RATE)[k] = tangent.rate;
        fa_snake_tell_joint_change(&now, &tangent, c->direction);
    }
}

static void motion_rows(const change *c)
{
    const fa_snake_self *self = c->self;
    fa_snake_point       tangent = {*at(c, FA_SNAKE_ROW_X), *at(c, FA_SNAKE_ROW_Y)}, sum = {0, 0};
    double               mass = 0, x = 0, y = 0, dx = 0, dy = 0;
    const double        *wheel_x = c->value + self->row[FA_SNAKE_ROW_LINK_X];
    const double        *wheel_y = c->value + self->row[FA_SNAKE_ROW_LINK_Y];
    const double         centre_x = c->value[self->row[FA_SNAKE_ROW_COM_X]];
    const double         centre_y = c->value[self->row[FA_SNAKE_ROW_COM_Y]];
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_link *link = &self->link[k], *d = &self->link_tangent[k];
        const double         C = self->cosine[k], S = self->sine[k], turn = c->angle_tangent[k];
        const double         dC = -S * turn, dS = C * turn;
        if (k > 0) {
            tangent.x += d->a * C + link->a * dC;
            tangent.y += d->a * S + link->a * dS;
        }
        if (self->row[FA_SNAKE_ROW_AXES] != FA_NO_ROW) {
            const double axes[] = {dC, dS, -dS, dC};
            memcpy(at(c, FA_SNAKE_ROW_AXES) + 4L * k, axes, sizeof axes);
        }
        at(c, FA_SNAKE_ROW_LINK_SPEED)[k] = self->motion_tangent[k].V;
        at(c, FA_SNAKE_ROW_LINK_X)[k] = tangent.x;
        at(c, FA_SNAKE_ROW_LINK_Y)[k] = tangent.y;
        sum.x += d->m * (wheel_x[k] + link->c * C - link->d * S - centre_x) +
                 link->m * (tangent.x + d->c * C + link->c * dC - d->d * S - link->d * dS);
        sum.y += d->m * (wheel_y[k] + link->c * S + link->d * C - centre_y) +
                 link->m * (tangent.y + d->c * S + link->c * dS + d->d * C + link->d * dC);
        mass += link->m;
        tangent.x += d->b * C + link->b * dC;
        tangent.y += d->b * S + link->b * dS;
        x += C;
        y += S;
        dx += dC;
        dy += dS;
    }
    *at(c, FA_SNAKE_ROW_COM_X) = sum.x / mass;
    *at(c, FA_SNAKE_ROW_COM_Y) = sum.y / mass;
    *at(c, FA_SNAKE_ROW_HEADING) = (x * dy - y * dx) / (x * x + y * y);
    *at(c, FA_SNAKE_ROW_KINETIC) = fa_snake_kinetic_energy_tangent(
        &self->snake, self->motion, &c->snake_step, self->motion_tangent);
    joint_rows(c);
}

static void control_rows(const change *c)
{
    const fa_snake_self *self = c->self;
    *at(c, FA_SNAKE_ROW_CONTROLLABILITY) = fa_snake_control_tangent(
        &self->snake, self->motion, &self->equations, self->motion_tangent, &c->equations_tangent);
}

static void force_rows(const change *c)
{
    const fa_snake_self *self = c->self;
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now    now = fa_snake_axle_at(self, c->value, k);
        const fa_snake_axle_change tangent = axle_tangent(c, k);
        at(c, FA_SNAKE_ROW_LATERAL)[k] = self->lambda_tangent[k];
        fa_snake_tell_axle_change(&now, &tangent, c->direction);
    }
}

fa_status fa_snake_tangent(void *memory, const double value[], double direction[], unsigned groups,
                           fa_error *error)
{
    fa_snake_self        *self = memory;
    const fa_snake       *snake = &self->snake;
    const fa_snake_forces forces = {.torque = self->torque, .rolling = self->rolling};
    const fa_snake_forces forces_tangent = {.torque = self->torque_tangent,
                                            .rolling = self->rolling_tangent};
    const bool            driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    change                c = {.self = self, .value = value, .direction = direction};
    fa_status             status = fa_snake_trace(self, value, groups, error);
    if (status != FA_OK) return status;

    memcpy(self->angle_tangent, direction + self->row[FA_SNAKE_ROW_ANGLE],
           (size_t)snake->n * sizeof *self->angle_tangent);
    c.angle_tangent = self->angle_tangent;
    parameter_tangents(&c);
    fa_snake_kinematics_tangent(snake, self->motion, &c.snake_step, c.angle_tangent,
                                direction + self->row[FA_SNAKE_ROW_SPEED], self->motion_tangent);
    memset(self->torque_tangent, 0, (size_t)snake->n * sizeof *self->torque_tangent);
    memset(self->rolling_tangent, 0, (size_t)snake->n * sizeof *self->rolling_tangent);
    if (driven) force_tangents(&c);
    if (driven || (groups & FA_SNAKE_GROUP_CONTROL))
        c.equations_tangent = fa_snake_project_tangent(snake, self->motion, &forces, &c.snake_step,
                                                       self->motion_tangent, &forces_tangent);
    if (driven) status = fa_snake_solve_tangent(&c, error);
    if (status != FA_OK) return status;

    if (groups & FA_SNAKE_GROUP_CONTROL) control_rows(&c);
    if (groups & FA_SNAKE_GROUP_MOTION) motion_rows(&c);
    if (groups & FA_SNAKE_GROUP_FORCES) {
        fa_snake_accelerate_tangent(snake, self->motion, self->ud, c.ud_tangent,
                                    self->motion_tangent);
        fa_snake_reactions_tangent(snake, self->motion, &forces, &c.snake_step,
                                   self->motion_tangent, &forces_tangent, self->lambda_tangent);
        force_rows(&c);
    }
    if (groups & FA_GROUP_DERIVATIVES) derivative_rows(&c);
    return FA_OK;
}
