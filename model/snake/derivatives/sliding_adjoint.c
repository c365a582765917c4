// Adjoint of a sliding snake, sliding_tangent.c in reverse: one sweep maps adjoints of results to
// adjoints of parameters, inputs, states and time. Each function is the transpose of the one of
// like name there.
#include <math.h>
#include <string.h>

#include "sincos.h"
#include "sliding_plant.h"

typedef struct change {
    fa_sliding_self *self;
    const double    *value;
    double          *adjoint;
    fa_sliding_power power;
} change;

static const double *by(const change *c, fa_snake_quantity quantity)
{
    return c->adjoint + c->self->snake.row[quantity];
}

static fa_snake_link *sums_of(const change *c, int k)
{
    return &c->self->snake.link_tangent[k];
}

// Transpose of r = c e + d left(e).
static void centre(const change *c, int k, fa_flat r)
{
    const fa_snake_link   *link = &c->self->snake.link[k];
    const fa_sliding_link *now = &c->self->at[k];
    fa_snake_link         *sums = sums_of(c, k);
    sums->c += flat_dot(r, now->e);
    sums->d += flat_dot(r, flat_left(now->e));
    flat_add(&c->self->dot[k].e, flat_mix(link->c, r, -link->d, flat_left(r)));
}

// Transpose of the velocity of the centre of mass.
static void centre_velocity(const change *c, int k, fa_flat V)
{
    const fa_sliding_link *now = &c->self->at[k];
    const fa_flat          r = fa_sliding_centre(&c->self->snake.link[k], now);
    flat_add(&c->self->dot[k].V, V);
    c->self->dot[k].w += flat_dot(V, flat_left(r));
    centre(c, k, flat_times(-now->w, flat_left(V)));
}

static void derivative_rows(change *c)
{
    fa_sliding_self *self = c->self;
    const double    *rate = by(c, FA_SNAKE_ROW_SUM_RATE), power = *by(c, FA_SNAKE_ROW_POWER);
    fa_flat          heading = {0, 0};
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link *link = &self->snake.link[k];
        const fa_flat        V = fa_sliding_centre_velocity(link, &self->at[k]);
        flat_add(&heading, self->at[k].e);
        self->dot[k].alpha += by(c, FA_SNAKE_ROW_LINK_ACCELERATION)[k];
        sums_of(c, k)->m += power * (self->pull_x * V.x + self->pull_y * V.y);
        self->pull_change_x += power * link->m * V.x;
        self->pull_change_y += power * link->m * V.y;
        centre_velocity(c, k, flat(power * link->m * self->pull_x, power * link->m * self->pull_y));
    }
    for (int k = 0; self->wheels && k < self->chain.n; k++)
        self->dot[k].w += by(c, FA_SNAKE_ROW_LINK_RATE)[k];
    if (self->wheels)
        flat_add(&self->dot[0].V, flat(*by(c, FA_SNAKE_ROW_X_RATE), *by(c, FA_SNAKE_ROW_Y_RATE)));
    const double square = flat_dot(heading, heading);
    if (square > 0) {
        const fa_flat wanted = flat(rate[FA_SUM_HEADING_X], rate[FA_SUM_HEADING_Y]);
        const double  across = flat_dot(wanted, flat_left(heading)) / (square * sqrt(square));
        for (int k = 0; k < self->chain.n; k++)
            flat_add(&self->dot[k].e, flat_times(across, flat_left(heading)));
    }
    flat_add(&self->dot[0].A,
             flat(*by(c, FA_SNAKE_ROW_X_ACCELERATION), *by(c, FA_SNAKE_ROW_Y_ACCELERATION)));
    c->power.drive += rate[FA_SUM_DRIVE] + power;
    c->power.positive += rate[FA_SUM_POSITIVE];
    c->power.ground += rate[FA_SUM_GROUND] + power;
    c->power.contact += rate[FA_SUM_CONTACT] + power;
    c->power.joints += rate[FA_SUM_JOINTS] + power;
    c->power.spring_power += power;
    if (fa_snake_has_angle(&self->snake))
        c->adjoint[fa_sliding_frequency_row(self)] += *by(c, FA_SNAKE_ROW_GAIT_ANGLE_RATE);
    for (int i = 0; self->snake.gait_told && i < FA_GAIT_NUMBERS; i++)
        self->gait_change.bend[i] += by(c, FA_SNAKE_ROW_GAIT_NOW_ACCELERATION)[i];
    for (int k = 0; k < self->chain.n - 1; k++)
        if (self->snake.drive_row[k] != FA_NO_ROW)
            self->drive_change[k] += c->adjoint[self->snake.drive_row[k]];
}

static void motion_rows(change *c)
{
    fa_sliding_self *self = c->self;
    fa_flat          sum = {0, 0}, swept = {0, 0}, heading = {0, 0};
    double           mass = 0;
    double          *theta = c->adjoint + self->snake.row[FA_SNAKE_ROW_ANGLE];
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link *link = &self->snake.link[k];
        flat_add(&sum, flat_times(link->m,
                                  flat_sum(self->at[k].P, fa_sliding_centre(link, &self->at[k]))));
        flat_add(&swept, flat_times(link->m, fa_sliding_centre_velocity(link, &self->at[k])));
        flat_add(&heading, self->at[k].e);
        mass += link->m;
    }
    const double  potential = *by(c, FA_SNAKE_ROW_POTENTIAL), energy = *by(c, FA_SNAKE_ROW_KINETIC);
    const fa_flat com = flat(*by(c, FA_SNAKE_ROW_COM_X), *by(c, FA_SNAKE_ROW_COM_Y));
    const fa_flat com_rate = flat(*by(c, FA_SNAKE_ROW_COM_X_RATE), *by(c, FA_SNAKE_ROW_COM_Y_RATE));
    const fa_flat pull = flat(self->pull_x, self->pull_y);
    const fa_flat by_sum = flat_mix(1 / mass, com, -potential, pull);
    const fa_flat by_swept = flat_times(1 / mass, com_rate);
    const double  by_mass = -(flat_dot(com, sum) + flat_dot(com_rate, swept)) / (mass * mass);
    const double  turn = *by(c, FA_SNAKE_ROW_HEADING) / flat_dot(heading, heading);
    self->pull_change_x -= potential * sum.x;
    self->pull_change_y -= potential * sum.y;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k];
        const fa_sliding_link *now = &self->at[k];
        fa_sliding_link       *bar = &self->dot[k];
        fa_snake_link         *s = sums_of(c, k);
        const fa_flat          C = flat_sum(now->P, fa_sliding_centre(link, now));
        const fa_flat          V = fa_sliding_centre_velocity(link, now);
        const bool             base = !self->wheels && k == self->snake.snake.base;
        const double           speed =
            by(c, FA_SNAKE_ROW_LINK_SPEED)[k] + (base ? *by(c, FA_SNAKE_ROW_SPEED) : 0);
        if (base) bar->w += *by(c, FA_SNAKE_ROW_RATE);
        flat_add(&bar->V, flat_times(speed, now->e));
        flat_add(&bar->e, flat_mix(speed, now->V, turn, flat_left(heading)));
        flat_add(&bar->P, flat(by(c, FA_SNAKE_ROW_LINK_X)[k], by(c, FA_SNAKE_ROW_LINK_Y)[k]));
        s->m += by_mass + flat_dot(by_sum, C) + flat_dot(by_swept, V) + energy * flat_dot(V, V) / 2;
        s->I += energy * now->w * now->w / 2;
        bar->w += energy * link->I * now->w;
        flat_add(&bar->P, flat_times(link->m, by_sum));
        centre(c, k, flat_times(link->m, by_sum));
        centre_velocity(c, k, flat_mix(link->m, by_swept, energy * link->m, V));
        if (self->snake.row[FA_SNAKE_ROW_AXES] != FA_NO_ROW) {
            const double *axes = by(c, FA_SNAKE_ROW_AXES) + 4L * k;
            flat_add(&bar->e, flat(axes[0] + axes[3], axes[1] - axes[2]));
        }
        if (k == self->chain.n - 1) continue;
        const double phid = self->at[k + 1].w - now->w;
        const double rate =
            by(c, FA_SNAKE_ROW_JOINT_RATE)[k] + energy * self->snake.joint[k].rotor * phid;
        self->snake.joint_tangent[k].rotor += energy * phid * phid / 2;
        self->dot[k + 1].w += rate;
        bar->w -= rate;
        theta[k + 1] += by(c, FA_SNAKE_ROW_JOINT_ANGLE)[k];
        theta[k] -= by(c, FA_SNAKE_ROW_JOINT_ANGLE)[k];
    }
    c->power.springs += potential;
    c->power.stored += *by(c, FA_SNAKE_ROW_CONTACT_STORED);
    for (int i = self->n_patches; i < self->n_things; i++)
        fa_sliding_depth_adjoint(self, c->value, c->adjoint, i,
                                 c->adjoint[self->thing[i].indicator_row]);
    fa_sliding_turn_left_adjoint(self, c->value, c->adjoint, *by(c, FA_SNAKE_ROW_PERIOD_INDICATOR));
    fa_sliding_tell_adjoint(self, c->value, c->adjoint);
}

static void force_rows(change *c)
{
    fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n; k++) {
        fa_sliding_link *bar = &self->dot[k];
        const double    *ground = by(c, FA_SNAKE_ROW_GROUND_FORCE) + 3L * k;
        flat_add(&bar->ground, flat(ground[0], ground[1]));
        bar->ground_moment += ground[2];
        if (self->snake.law != FA_GROUND_WHEEL) continue;
        bar->lateral += by(c, FA_SNAKE_ROW_LATERAL)[k];
        bar->usage += by(c, FA_SNAKE_ROW_USAGE)[k];
    }
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double phid = self->at[k + 1].w - self->at[k].w;
        const double power = by(c, FA_SNAKE_ROW_JOINT_POWER)[k];
        const double acceleration = by(c, FA_SNAKE_ROW_JOINT_ACCELERATION)[k];
        self->drive_change[k] += by(c, FA_SNAKE_ROW_DRIVE_TORQUE)[k] + power * phid;
        self->dot[k + 1].w += power * self->drive[k];
        self->dot[k].w -= power * self->drive[k];
        self->dot[k + 1].alpha += acceleration;
        self->dot[k].alpha -= acceleration;
        if (!self->reactions) continue;
        self->force_change[k] = flat(by(c, FA_SNAKE_ROW_JOINT_FORCE)[2 * k],
                                     by(c, FA_SNAKE_ROW_JOINT_FORCE)[2 * k + 1]);
    }
    if (self->wheels) fa_rolling_put_force_adjoints(self, c->value, c->adjoint);
    if (!self->reactions) return;
    fa_sliding_reactions_adjoint(&self->chain, self->at, self->force_change, self->dot,
                                 self->snake.link_tangent);
    fa_sliding_accelerate_adjoint(&self->chain, self->at, self->dot, self->snake.link_tangent);
    if (self->wheels) fa_rolling_react_adjoint(self);
}

static void find_powers(change *c)
{
    fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double phid = self->at[k + 1].w - self->at[k].w;
        const double wanted = c->power.drive + (self->drive[k] * phid > 0 ? c->power.positive : 0);
        self->drive_change[k] += wanted * phid;
        self->dot[k + 1].w += wanted * self->drive[k];
        self->dot[k].w -= wanted * self->drive[k];
    }
}

// Solves the transposed dynamics: the adjoints of accelerations act as forces on the chain at rest,
// and the resulting motion is the adjoint of the forces. The adjoint of a prescribed joint's drive
// is that motion's joint acceleration.
static fa_status solve(change *c, fa_error *error)
{
    fa_sliding_self *self = c->self;
    const int        n = self->chain.n;
    double          *zero = self->snake.torque_tangent, *told = self->told_change;
    double          *solved = self->snake.drive_tangent;
    for (int k = 0; k < n; k++) {
        fa_sliding_link *y = &self->motion[k];
        *y = (fa_sliding_link){.e = self->at[k].e, .M = self->dot[k].alpha};
        zero[k] = 0;
        told[k] = k < n - 1 && self->told[k] ? -self->drive_change[k] : 0;
        self->dot[k].alpha = 0;
    }
    const fa_flat push = self->dot[0].A; // force at the wheel of the first link
    self->motion[0].F = push;
    self->motion[0].M -= flat_cross(fa_sliding_centre(&self->snake.link[0], &self->at[0]), push);
    self->dot[0].A = flat(0, 0);
    const fa_status status =
        fa_sliding_solve(&self->chain, false, self->motion, zero, told, solved, self->body);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the derivatives of the accelerations are not finite numbers");
    fa_sliding_residual_adjoint(&self->chain, self->at, self->motion, self->dot,
                                self->snake.link_tangent);
    for (int k = 0; k < n - 1; k++) {
        const double turn = self->motion[k + 1].alpha - self->motion[k].alpha;
        self->snake.torque_tangent[k] = turn;
        self->snake.joint_tangent[k].rotor -= turn * (self->at[k + 1].alpha - self->at[k].alpha);
        told[k] = self->told[k] ? -solved[k] : 0;
    }
    fa_sliding_accelerate_adjoint(&self->chain, self->at, self->dot, self->snake.link_tangent);
    return FA_OK;
}

static void move(const change *c)
{
    fa_sliding_self *self = c->self;
    const int       *row = self->snake.row;
    fa_sliding_move_adjoint(&self->chain, self->at, self->dot, self->snake.link_tangent);
    if (self->wheels) fa_rolling_move_adjoint(self, c->adjoint);
    for (int k = 0; k < self->chain.n; k++) {
        c->adjoint[row[FA_SNAKE_ROW_ANGLE] + k] +=
            flat_dot(self->dot[k].e, flat_left(self->at[k].e));
        if (!self->wheels) c->adjoint[row[FA_SNAKE_ROW_LINK_RATE] + k] += self->dot[k].w;
    }
    c->adjoint[row[FA_SNAKE_ROW_X]] += self->dot[0].P.x;
    c->adjoint[row[FA_SNAKE_ROW_Y]] += self->dot[0].P.y;
    if (self->wheels) return;
    c->adjoint[row[FA_SNAKE_ROW_X_RATE]] += self->dot[0].V.x;
    c->adjoint[row[FA_SNAKE_ROW_Y_RATE]] += self->dot[0].V.y;
}

static void weigh(const change *c)
{
    const fa_sliding_self *self = c->self;
    const int             *row = self->snake.row;
    double                 S, C, sine, cosine;
    const double           g = c->value[row[FA_SNAKE_ROW_GRAVITY]];
    fa_sincos(c->value[row[FA_SNAKE_ROW_SLOPE]], &S, &C);
    fa_sincos(c->value[row[FA_SNAKE_ROW_SLOPE_DIRECTION]], &sine, &cosine);
    const double pull = self->pull_change_x * cosine + self->pull_change_y * sine;
    c->adjoint[row[FA_SNAKE_ROW_GRAVITY]] += pull * S + self->press_change * C;
    c->adjoint[row[FA_SNAKE_ROW_SLOPE]] += g * (pull * C - self->press_change * S);
    c->adjoint[row[FA_SNAKE_ROW_SLOPE_DIRECTION]] +=
        g * S * (self->pull_change_y * cosine - self->pull_change_x * sine);
}

static void parameters(const change *c)
{
    const fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link *s = sums_of(c, k);
        double              *v = c->adjoint + fa_snake_link_row(&self->snake, FA_SNAKE_ROW_MASS, k);
        const double         add[] = {s->m, s->I, s->b, s->a - s->b, s->c, s->d};
        for (int i = 0; i < 6; i++) v[i] += add[i];
        if (k == self->chain.n - 1) continue;
        const int    first = fa_snake_joint_row(&self->snake, FA_SNAKE_ROW_VISCOUS, k);
        const int    rotor = first + FA_SNAKE_ROW_ROTOR - FA_SNAKE_ROW_VISCOUS;
        const int    geared = first + FA_SNAKE_ROW_GEAR - FA_SNAKE_ROW_VISCOUS;
        const double gear = c->value[geared], wanted = self->snake.joint_tangent[k].rotor;
        c->adjoint[rotor] += wanted * gear * gear;
        c->adjoint[geared] += wanted * 2 * c->value[rotor] * gear;
    }
}

fa_status fa_sliding_adjoint(void *memory, const double value[], double adjoint[], unsigned groups,
                             fa_error *error)
{
    fa_sliding_self *self = memory;
    const size_t     n = (size_t)self->chain.n;
    const bool       driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    change           c = {.self = self, .value = value, .adjoint = adjoint};
    fa_status        status = fa_sliding_trace(self, value, groups, error);
    if (status != FA_OK) return status;
    if (driven) fa_sliding_accelerate(&self->chain, self->at);
    memset(self->dot, 0, n * sizeof *self->dot);
    memset(self->snake.link_tangent, 0, n * sizeof *self->snake.link_tangent);
    memset(self->snake.joint_tangent, 0, n * sizeof *self->snake.joint_tangent);
    memset(self->snake.torque_tangent, 0, n * sizeof(double));
    memset(self->drive_change, 0, n * sizeof(double));
    memset(self->told_change, 0, n * sizeof(double));
    self->press_change = self->pull_change_x = self->pull_change_y = 0;
    self->gait_change = (fa_sliding_gait){.angle = 0};
    if (self->wheels) fa_rolling_clear_adjoint(self);

    if (groups & FA_SNAKE_GROUP_FORCES) force_rows(&c);
    if (groups & FA_GROUP_DERIVATIVES) derivative_rows(&c);
    if (groups & FA_SNAKE_GROUP_MOTION) motion_rows(&c);
    if (driven) find_powers(&c);
    if (self->wheels && (driven || (groups & FA_SNAKE_GROUP_CONTROL)))
        status = fa_rolling_solve_adjoint(self, value, adjoint, groups, error);
    else if (driven)
        status = solve(&c, error);
    if (status != FA_OK) return status;
    fa_sliding_push_adjoint(self, value, adjoint, &c.power);
    fa_sliding_turn_adjoint(self, value, adjoint, &c.power);
    fa_sliding_smooth_adjoint(self, value, adjoint);
    move(&c);
    weigh(&c);
    parameters(&c);
    return FA_OK;
}
