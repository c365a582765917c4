// Evaluates the snake: accelerations, motion, wheel forces.
#include "snake_plant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arctan.h"
#include "number.h"
#include "sincos.h"
#include "snake_control.h"
#include "snake_elements.h"

// ------------------------------------------------------------------------------------- parameters

// The row of a number of link or joint `part`; FA_NO_ROW: this snake does not have the number.
static int row_of(const fa_snake_self *self, fa_snake_scope scope, const fa_snake_number *n,
                  int part)
{
    const fa_snake_quantity quantity = (fa_snake_quantity)n->quantity;
    const int               first = self->row[quantity];
    if (!fa_snake_is_of_law(n, scope, self->law)) return FA_NO_ROW;
    switch (scope) {
    case FA_SNAKE_EACH_JOINT:
        if (quantity >= FA_SNAKE_ROW_LIMIT && !self->stops) return FA_NO_ROW;
        return fa_snake_joint_row(self, quantity, part);
    case FA_SNAKE_EACH_WHEEL:
        return fa_snake_link_row(self, quantity, part);
    case FA_SNAKE_EACH_FOOT:
        return first + part * self->foot_rows;
    case FA_SNAKE_ALL_FEET: // a law has one such number at most
        return first;
    case FA_SNAKE_OF_INPUT:
        if (n->input != self->input) return FA_NO_ROW;
        return quantity == FA_SNAKE_ROW_GAIT ? self->gait_row[n->index] : first + n->index;
    default:
        return first + n->index;
    }
}

static fa_status check_numbers(const fa_snake_self *self, const double value[],
                               fa_snake_scope scope, const char *owner, int part, fa_error *error)
{
    fa_status status = FA_OK;
    for (fa_snake_number n = {0}; status == FA_OK && fa_snake_next(scope, &n);) {
        const int row = row_of(self, scope, &n, part);
        if (row != FA_NO_ROW)
            status = fa_item_rule_check(n.rule, value[row], n.row, owner, NULL, FA_NOWHERE, error);
    }
    return status;
}

static fa_status check_whole(const fa_snake_self *self, const double value[], fa_error *error)
{
    static const struct {
        fa_snake_scope scope;
        const char    *owner;
    } scopes[] = {{FA_SNAKE_ALL_WHEELS, "all wheels"},
                  {FA_SNAKE_ALL_FEET, "the ground"},
                  {FA_SNAKE_OF_INPUT, "the snake"}};
    static const struct {
        fa_snake_quantity quantity;
        fa_item_rule      rule;
        const char       *word;
    } own[] = {{FA_SNAKE_ROW_GRAVITY, FA_RULE_ABOVE_ZERO, "gravity"},
               {FA_SNAKE_ROW_CONTROL_LIMIT, FA_RULE_NOT_NEGATIVE, "controllability_limit"},
               {FA_SNAKE_ROW_AVERAGING, FA_RULE_ABOVE_ZERO, "averaging_time"}};
    fa_status status = FA_OK;
    for (int i = 0; i < 3 && status == FA_OK; i++) {
        const int row = self->row[own[i].quantity];
        if (row != FA_NO_ROW)
            status = fa_item_rule_check(own[i].rule, value[row], own[i].word, "the snake", NULL,
                                        FA_NOWHERE, error);
    }
    for (int s = 0; s < 3 && status == FA_OK; s++)
        status = check_numbers(self, value, scopes[s].scope, scopes[s].owner, 0, error);
    return status;
}

static fa_status configure_link(fa_snake_self *self, const double value[], int k, fa_error *error)
{
    const double *v = value + fa_snake_link_row(self, FA_SNAKE_ROW_MASS, k);
    char          owner[32];
    self->link[k] =
        (fa_snake_link){.a = v[3], .b = v[2] - v[3], .c = v[4], .d = v[5], .m = v[0], .I = v[1]};
    (void)snprintf(owner, sizeof owner, "wheel %d", k + 1);
    fa_status status = check_numbers(self, value, FA_SNAKE_EACH_WHEEL, owner, k, error);
    (void)snprintf(owner, sizeof owner, "link %d", k + 1);
    if (status == FA_OK) status = check_numbers(self, value, FA_SNAKE_EACH_FOOT, owner, k, error);
    return status;
}

static fa_status configure_joint(fa_snake_self *self, const double value[], int k, fa_error *error)
{
    const fa_snake_joint_now now = fa_snake_joint_at(self, value, k);
    const fa_rotor_in        in = fa_rotor_now(&now);
    fa_rotor_out             out;
    char                     owner[32];
    fa_rotor_law(&in, &out);
    self->joint[k] = (fa_snake_joint){.rotor = out.reflected};
    (void)snprintf(owner, sizeof owner, "joint %d", k + 1);
    const fa_status status = check_numbers(self, value, FA_SNAKE_EACH_JOINT, owner, k, error);
    return status == FA_OK ? fa_item_rule_check(FA_RULE_NOT_NEGATIVE, out.reflected,
                                                "rotor inertia times gear ratio squared", owner,
                                                NULL, FA_NOWHERE, error)
                           : status;
}

fa_status fa_snake_configure(fa_snake_self *self, const double value[], fa_error *error)
{
    const int n = self->snake.n;
    fa_status status = FA_OK;
    for (int k = 0; k < n && status == FA_OK; k++) {
        status = configure_link(self, value, k, error);
        if (k < n - 1 && status == FA_OK) status = configure_joint(self, value, k, error);
    }
    return status == FA_OK ? check_whole(self, value, error) : status;
}

static fa_status configure(void *memory, const double value[], fa_error *error)
{
    fa_snake_self  *self = memory;
    const fa_status status = fa_snake_configure(self, value, error);
    return status == FA_OK ? fa_snake_check(&self->snake, error) : status;
}

// ----------------------------------------------------------------------------------- acceleration

static void push(fa_snake_self *self, const double value[])
{
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, value, k);
        self->torque[k] = fa_snake_joint_push(&now, NULL);
    }
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now now = fa_snake_axle_at(self, value, k);
        self->rolling[k] = fa_snake_axle_push(&now, NULL);
    }
}

// Adds the torques of up to two prescribed joints.
static fa_status drive_joints(fa_snake_self *self, const double value[], fa_error *error)
{
    const fa_snake_motion *motion = self->motion;
    double                 change[FA_PRESCRIBED_MAX], torque[FA_PRESCRIBED_MAX], du[2];
    for (int i = 0; i < self->n_prescribed; i++) {
        const int                k = self->prescribed[i];
        const fa_snake_motion   *rear = &motion[k], *front = &motion[k + 1];
        const fa_snake_joint_now now = fa_snake_told_at(self, value, i);
        const fa_follower_in     in = fa_follower_now(&now);
        fa_follower_out          out;
        double                   phidd = front->tau - rear->tau;
        for (int j = 0; j < 2; j++) phidd += (front->w_u[j] - rear->w_u[j]) * self->ud[j];
        fa_follower_law(&in, &out);
        change[i] = out.acceleration - phidd;
    }
    fa_status status =
        fa_snake_drive_joints(&self->snake, motion, &self->equations, self->n_prescribed,
                              self->prescribed, change, torque, du, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < self->n_prescribed; i++) self->drive[self->prescribed[i]] = torque[i];
    for (int j = 0; j < 2; j++) self->ud[j] += du[j];
    return FA_OK;
}

// Adds the least-squares torques that move the base link as prescribed.
static fa_status drive_base(fa_snake_self *self, const double value[], fa_error *error)
{
    const fa_snake_base_now now = fa_snake_base_at(self, value);
    const fa_pace_in        in = fa_pace_now(&now);
    fa_pace_out             out;
    fa_pace_law(&in, &out);
    const double commanded[2] = {out.speed_derivative, out.rate_derivative};
    double       change[2];
    for (int j = 0; j < 2; j++) change[j] = commanded[j] - self->ud[j];
    fa_status status = fa_snake_drive_base(&self->snake, self->motion, &self->equations, change,
                                           self->drive, error);
    for (int j = 0; j < 2; j++) self->ud[j] = commanded[j];
    return status;
}

fa_status fa_snake_solve_drives(fa_snake_self *self, const double value[], fa_error *error)
{
    const int n = self->snake.n;
    fa_status status = fa_snake_solve(&self->equations, self->ud);
    memcpy(self->free_ud, self->ud, sizeof self->ud);
    memset(self->drive, 0, (size_t)n * sizeof *self->drive);
    if (status == FA_SINGULAR)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the snake's mass matrix has no inverse; masses and lengths are too far "
                       "from anything that a machine has");
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE, "the accelerations are not finite numbers");
    if (self->input == FA_SNAKE_PRESCRIBED) status = drive_joints(self, value, error);
    if (self->input == FA_SNAKE_SPEEDS) status = drive_base(self, value, error);
    for (int k = 0; k < n - 1; k++) self->torque[k] += self->drive[k];
    return status;
}

fa_status fa_snake_trace(fa_snake_self *self, const double value[], unsigned groups,
                         fa_error *error)
{
    const fa_snake       *snake = &self->snake;
    const double         *theta = value + self->row[FA_SNAKE_ROW_ANGLE];
    const double         *u = value + self->row[FA_SNAKE_ROW_SPEED];
    const fa_snake_forces forces = {.torque = self->torque, .rolling = self->rolling};
    const bool            driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    fa_snake_kinematics(snake, theta, u, self->motion);
    for (int k = 0; k < snake->n; k++) fa_sincos(theta[k], &self->sine[k], &self->cosine[k]);
    if (driven) {
        push(self, value);
    } else {
        memset(self->torque, 0, (size_t)snake->n * sizeof *self->torque);
        memset(self->rolling, 0, (size_t)snake->n * sizeof *self->rolling);
    }
    if (driven || (groups & FA_SNAKE_GROUP_CONTROL))
        self->equations = fa_snake_project(snake, self->motion, &forces);
    if (groups & FA_SNAKE_GROUP_CONTROL) {
        fa_snake_grip grip = fa_snake_controllability(snake, self->motion, &self->equations);
        self->controllability = grip.sigma1 > 0 ? grip.sigma2 / grip.sigma1 : 0;
    }
    if (!driven) return FA_OK;
    fa_status status = fa_snake_solve_drives(self, value, error);
    if (status != FA_OK || !(groups & FA_SNAKE_GROUP_FORCES)) return status;
    double residual[2];
    fa_snake_accelerate(snake, self->ud, self->motion);
    fa_snake_reactions(snake, theta, self->motion, &forces, self->lambda, NULL, residual);
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- rows

static double *at(fa_snake_self *self, fa_snake_quantity quantity)
{
    return self->result + self->row[quantity];
}

static void put_derivatives(fa_snake_self *self, const double value[])
{
    const int             n = self->snake.n;
    const fa_snake_forces forces = {.torque = self->torque, .rolling = self->rolling};
    const fa_snake_power  power = fa_snake_work_rate(&self->snake, self->motion, &forces);
    for (int k = 0; k < n; k++) at(self, FA_SNAKE_ROW_LINK_RATE)[k] = self->motion[k].w;
    *at(self, FA_SNAKE_ROW_X_RATE) = self->motion[0].V * self->cosine[0];
    *at(self, FA_SNAKE_ROW_Y_RATE) = self->motion[0].V * self->sine[0];
    memcpy(at(self, FA_SNAKE_ROW_SPEED_DERIVATIVE), self->ud, sizeof self->ud);
    *at(self, FA_SNAKE_ROW_POWER) = power.joints + power.rolling;
    if (self->row[FA_SNAKE_ROW_GAIT_ANGLE] != FA_NO_ROW)
        *at(self, FA_SNAKE_ROW_GAIT_ANGLE_RATE) =
            value[self->gait_row[FA_SNAKE_ROW_GAIT_FREQUENCY]];
    for (int k = 0; k < n - 1; k++)
        if (self->drive_row[k] != FA_NO_ROW) self->result[self->drive_row[k]] = self->drive[k];
}

void fa_snake_tell_joint(const fa_snake_joint_now *now, double result[])
{
    fa_snake_joint_tell(now, FA_SNAKE_GROUP_MOTION, result);
}

void fa_snake_tell_axle(const fa_snake_axle_now *now, double result[])
{
    fa_snake_axle_tell(now, FA_SNAKE_GROUP_FORCES, result);
}

static void put_joints(fa_snake_self *self, const double value[])
{
    for (int k = 0; k < self->snake.n - 1; k++) {
        const fa_snake_joint_now now = fa_snake_joint_at(self, value, k);
        at(self, FA_SNAKE_ROW_JOINT_ANGLE)[k] = now.position;
        at(self, FA_SNAKE_ROW_JOINT_RATE)[k] = now.rate;
        fa_snake_tell_joint(&now, self->result);
    }
}

static void put_motion(fa_snake_self *self, const double value[])
{
    const fa_snake *snake = &self->snake;
    fa_snake_point  wheel = {value[self->row[FA_SNAKE_ROW_X]], value[self->row[FA_SNAKE_ROW_Y]]};
    fa_snake_point  centre = {0, 0};
    double          mass = 0, x = 0, y = 0;
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k];
        const double         C = self->cosine[k], S = self->sine[k];
        if (k > 0) {
            wheel.x += link->a * C;
            wheel.y += link->a * S;
        }
        at(self, FA_SNAKE_ROW_LINK_SPEED)[k] = self->motion[k].V;
        at(self, FA_SNAKE_ROW_LINK_X)[k] = wheel.x;
        at(self, FA_SNAKE_ROW_LINK_Y)[k] = wheel.y;
        centre.x += link->m * (wheel.x + link->c * C - link->d * S);
        centre.y += link->m * (wheel.y + link->c * S + link->d * C);
        mass += link->m;
        if (self->row[FA_SNAKE_ROW_AXES] != FA_NO_ROW) {
            const double axes[] = {C, S, -S, C};
            memcpy(at(self, FA_SNAKE_ROW_AXES) + 4L * k, axes, sizeof axes);
        }
        wheel.x += link->b * C;
        wheel.y += link->b * S;
        x += C;
        y += S;
    }
    *at(self, FA_SNAKE_ROW_COM_X) = centre.x / mass;
    *at(self, FA_SNAKE_ROW_COM_Y) = centre.y / mass;
    *at(self, FA_SNAKE_ROW_HEADING) = fa_atan2(y, x);
    *at(self, FA_SNAKE_ROW_KINETIC) = fa_snake_kinetic_energy(snake, self->motion);
    put_joints(self, value);
}

static void put_forces(fa_snake_self *self, const double value[])
{
    for (int k = 0; k < self->snake.n; k++) {
        const fa_snake_axle_now now = fa_snake_axle_at(self, value, k);
        at(self, FA_SNAKE_ROW_LATERAL)[k] = self->lambda[k];
        fa_snake_tell_axle(&now, self->result);
    }
}

fa_status fa_snake_keep_results(const fa_snake_self *self, double value[], unsigned groups,
                                fa_error *error)
{
    int first = self->time_row, end = self->first_output;
    for (int i = 0; i < FA_SNAKE_GROUPS; i++) {
        if (!(groups & 1u << i) || self->rows_of[i].end == 0) continue;
        if (self->rows_of[i].first < first) first = self->rows_of[i].first;
        if (self->rows_of[i].end > end) end = self->rows_of[i].end;
    }
    for (int row = first; row < end; row++)
        if ((self->group[row] & groups) && !isfinite(self->result[row]))
            return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                           "the motion of the snake, or a force, is not a finite number");
    for (int row = first; row < end; row++)
        if (self->group[row] & groups) value[row] = self->result[row];
    return FA_OK;
}

static fa_status evaluate(void *memory, double value[], unsigned groups, fa_error *error)
{
    fa_snake_self *self = memory;
    fa_status      status = fa_snake_trace(self, value, groups, error);
    if (status != FA_OK) return status;
    if (groups & FA_GROUP_DERIVATIVES) put_derivatives(self, value);
    if (groups & FA_SNAKE_GROUP_MOTION) put_motion(self, value);
    if (groups & FA_SNAKE_GROUP_CONTROL)
        *at(self, FA_SNAKE_ROW_CONTROLLABILITY) = self->controllability;
    if (groups & FA_SNAKE_GROUP_FORCES) put_forces(self, value);
    return fa_snake_keep_results(self, value, groups, error);
}

static int links_of(const fa_robot *robot)
{
    return robot->n_links;
}

const fa_structure fa_snake_structure = {.name = "links",
                                         .about =
                                             "Number of links, which all arrays follow that have "
                                             "an element for each link or joint",
                                         .most = FA_LINK_MAX,
                                         .now = links_of,
                                         .least = fa_robot_least_links,
                                         .resize = fa_robot_resize_snake};

const fa_plant fa_snake_plant = {
    .name = "snake",
    .about = "planar snake on wheels that do not slip",
    .exact = true,
    .structure = &fa_snake_structure,
    .declare = fa_snake_declare,
    .depends = fa_snake_depends,
    .size = fa_snake_size,
    .prepare = fa_snake_prepare,
    .configure = configure,
    .tune = fa_snake_tune,
    .evaluate = evaluate,
    .tangent = fa_snake_tangent,
    .adjoint = fa_snake_adjoint,
    .implicit = &fa_snake_implicit,
    .event = fa_snake_event,
    .note = fa_snake_note,
    .notable = fa_snake_notable,
};
