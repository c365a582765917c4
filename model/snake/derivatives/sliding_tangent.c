// Tangent of a sliding snake: derivatives of all results in a direction of parameters, inputs,
// states and time.
#include <math.h>
#include <string.h>

#include "sincos.h"
#include "sliding_plant.h"

typedef struct change {
    fa_sliding_self *self;
    const double    *value;
    double          *direction;
} change;

static double *at(const change *c, fa_snake_quantity quantity)
{
    return c->direction + c->self->snake.row[quantity];
}

static void parameters(const change *c)
{
    fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n; k++) {
        const double *v = c->direction + fa_snake_link_row(&self->snake, FA_SNAKE_ROW_MASS, k);
        self->snake.link_tangent[k] = (fa_snake_link){
            .a = v[3], .b = v[2] - v[3], .c = v[4], .d = v[5], .m = v[0], .I = v[1]};
        if (k == self->chain.n - 1) continue;
        const int    first = fa_snake_joint_row(&self->snake, FA_SNAKE_ROW_VISCOUS, k);
        const int    rotor = first + FA_SNAKE_ROW_ROTOR - FA_SNAKE_ROW_VISCOUS;
        const int    geared = first + FA_SNAKE_ROW_GEAR - FA_SNAKE_ROW_VISCOUS;
        const double gear = c->value[geared];
        self->snake.joint_tangent[k].rotor =
            gear * gear * c->direction[rotor] + 2 * c->value[rotor] * gear * c->direction[geared];
    }
}

static void weigh(const change *c)
{
    fa_sliding_self *self = c->self;
    const int       *row = self->snake.row;
    double           S, C, sine, cosine;
    const double     g = c->value[row[FA_SNAKE_ROW_GRAVITY]], dg = *at(c, FA_SNAKE_ROW_GRAVITY);
    const double dslope = *at(c, FA_SNAKE_ROW_SLOPE), turn = *at(c, FA_SNAKE_ROW_SLOPE_DIRECTION);
    fa_sincos(c->value[row[FA_SNAKE_ROW_SLOPE]], &S, &C);
    fa_sincos(c->value[row[FA_SNAKE_ROW_SLOPE_DIRECTION]], &sine, &cosine);
    const double pull = g * S, pulled = dg * S + g * C * dslope;
    self->press_change = dg * C - g * S * dslope;
    self->pull_change_x = pulled * cosine - pull * sine * turn;
    self->pull_change_y = pulled * sine + pull * cosine * turn;
}

static void move(const change *c)
{
    fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n; k++) {
        const double     turn = at(c, FA_SNAKE_ROW_ANGLE)[k];
        fa_sliding_link *dot = &self->dot[k];
        memset(dot, 0, sizeof *dot);
        dot->e = flat_times(turn, flat_left(self->at[k].e));
        if (!self->wheels)
            dot->w = self->snake.motion_tangent[k].w = at(c, FA_SNAKE_ROW_LINK_RATE)[k];
    }
    self->dot[0].P = flat(*at(c, FA_SNAKE_ROW_X), *at(c, FA_SNAKE_ROW_Y));
    if (self->wheels)
        fa_rolling_move_tangent(self, c->direction);
    else
        self->dot[0].V = flat(*at(c, FA_SNAKE_ROW_X_RATE), *at(c, FA_SNAKE_ROW_Y_RATE));
    fa_sliding_move_tangent(&self->chain, self->at, self->snake.link_tangent, self->dot);
}

// Solves for the tangents of accelerations, and of the torques of prescribed joints.
static fa_status solve(const change *c, fa_error *error)
{
    fa_sliding_self *self = c->self;
    const int        n = self->chain.n;
    double          *torque = self->snake.drive_tangent, *solved = self->snake.drive;
    fa_sliding_accelerate_tangent(&self->chain, self->at, self->snake.link_tangent, self->dot);
    // F and M of `motion` are the forces of these accelerations.
    memcpy(self->motion, self->dot, (size_t)n * sizeof *self->motion);
    fa_sliding_residual_tangent(&self->chain, self->at, self->snake.link_tangent, self->motion);
    for (int k = 0; k < n; k++) self->motion[k].e = self->at[k].e;
    for (int k = 0; k < n - 1; k++)
        torque[k] = self->snake.torque_tangent[k] - self->snake.joint_tangent[k].rotor *
                                                        (self->at[k + 1].alpha - self->at[k].alpha);
    const fa_status status = fa_sliding_solve(&self->chain, false, self->motion, torque,
                                              self->told_change, solved, self->body);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "the derivatives of the accelerations are not finite numbers");
    for (int k = 0; k < n; k++) self->dot[k].alpha = self->motion[k].alpha;
    self->dot[0].A = self->motion[0].A;
    for (int k = 0; k < n - 1; k++)
        if (self->told[k]) self->drive_change[k] += solved[k];
    return FA_OK;
}

static void find_powers(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double phid = self->at[k + 1].w - self->at[k].w;
        const double power =
            self->drive_change[k] * phid + self->drive[k] * (self->dot[k + 1].w - self->dot[k].w);
        self->power_change.drive += power;
        self->power_change.positive += self->drive[k] * phid > 0 ? power : 0;
    }
}

static fa_flat heading_tangent(const fa_sliding_self *self, fa_flat *heading)
{
    fa_flat sum = {0, 0};
    *heading = flat(0, 0);
    for (int k = 0; k < self->chain.n; k++) {
        flat_add(heading, self->at[k].e);
        flat_add(&sum, self->dot[k].e);
    }
    return sum;
}

static void derivative_rows(const change *c)
{
    const fa_sliding_self  *self = c->self;
    const fa_sliding_power *p = &self->power_change;
    fa_flat                 heading;
    const fa_flat           turned = heading_tangent(self, &heading);
    const double            square = flat_dot(heading, heading);
    // only the component across changes a direction
    const double  across = square > 0 ? flat_cross(heading, turned) / (square * sqrt(square)) : 0;
    const fa_flat vector = flat_times(across, flat_left(heading));
    double        gravity = 0;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k], *by = &self->snake.link_tangent[k];
        const fa_sliding_link *now = &self->at[k], *dot = &self->dot[k];
        const fa_flat          r = fa_sliding_centre(link, now);
        const fa_flat dr = flat_sum(fa_sliding_centre(link, dot), fa_sliding_centre(by, now));
        const fa_flat V = fa_sliding_centre_velocity(link, now);
        const fa_flat dV = flat_sum(dot->V, flat_mix(dot->w, flat_left(r), now->w, flat_left(dr)));
        at(c, FA_SNAKE_ROW_LINK_ACCELERATION)[k] = dot->alpha;
        gravity += by->m * (self->pull_x * V.x + self->pull_y * V.y) +
                   link->m * (self->pull_x * dV.x + self->pull_y * dV.y +
                              self->pull_change_x * V.x + self->pull_change_y * V.y);
    }
    *at(c, FA_SNAKE_ROW_X_ACCELERATION) = self->dot[0].A.x;
    *at(c, FA_SNAKE_ROW_Y_ACCELERATION) = self->dot[0].A.y;
    const double rate[FA_SUMS] = {[FA_SUM_HEADING_X] = vector.x, [FA_SUM_HEADING_Y] = vector.y,
                                  [FA_SUM_DRIVE] = p->drive,     [FA_SUM_POSITIVE] = p->positive,
                                  [FA_SUM_GROUND] = p->ground,   [FA_SUM_CONTACT] = p->contact,
                                  [FA_SUM_JOINTS] = p->joints};
    memcpy(at(c, FA_SNAKE_ROW_SUM_RATE), rate, sizeof rate);
    for (int k = 0; self->wheels && k < self->chain.n; k++)
        at(c, FA_SNAKE_ROW_LINK_RATE)[k] = self->dot[k].w;
    if (self->wheels) {
        *at(c, FA_SNAKE_ROW_X_RATE) = self->dot[0].V.x;
        *at(c, FA_SNAKE_ROW_Y_RATE) = self->dot[0].V.y;
    }
    *at(c, FA_SNAKE_ROW_POWER) =
        p->drive + p->ground + p->contact + p->joints + p->spring_power + gravity;
    if (fa_snake_has_angle(&self->snake))
        *at(c, FA_SNAKE_ROW_GAIT_ANGLE_RATE) = c->direction[fa_sliding_frequency_row(self)];
    if (self->snake.gait_told)
        memcpy(at(c, FA_SNAKE_ROW_GAIT_NOW_ACCELERATION), self->gait_change.bend,
               sizeof self->gait_change.bend);
    for (int k = 0; k < self->chain.n - 1; k++)
        if (self->snake.drive_row[k] != FA_NO_ROW)
            c->direction[self->snake.drive_row[k]] = self->drive_change[k];
}

static void motion_rows(const change *c)
{
    const fa_sliding_self *self = c->self;
    fa_flat       centre = {0, 0}, velocity = {0, 0}, dcentre = {0, 0}, dvelocity = {0, 0}, heading;
    const fa_flat turned = heading_tangent(self, &heading);
    double        mass = 0, dmass = 0, kinetic = 0;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k], *by = &self->snake.link_tangent[k];
        const fa_sliding_link *now = &self->at[k], *dot = &self->dot[k];
        const fa_flat          r = fa_sliding_centre(link, now);
        const fa_flat dr = flat_sum(fa_sliding_centre(link, dot), fa_sliding_centre(by, now));
        const fa_flat C = flat_sum(now->P, r), V = fa_sliding_centre_velocity(link, now);
        const fa_flat dC = flat_sum(dot->P, dr);
        const fa_flat dV = flat_sum(dot->V, flat_mix(dot->w, flat_left(r), now->w, flat_left(dr)));
        at(c, FA_SNAKE_ROW_LINK_SPEED)[k] = flat_dot(dot->V, now->e) + flat_dot(now->V, dot->e);
        at(c, FA_SNAKE_ROW_LINK_X)[k] = dot->P.x;
        at(c, FA_SNAKE_ROW_LINK_Y)[k] = dot->P.y;
        flat_add(&centre, flat_times(link->m, C));
        flat_add(&velocity, flat_times(link->m, V));
        flat_add(&dcentre, flat_mix(by->m, C, link->m, dC));
        flat_add(&dvelocity, flat_mix(by->m, V, link->m, dV));
        mass += link->m;
        dmass += by->m;
        kinetic += by->m * flat_dot(V, V) / 2 + link->m * flat_dot(V, dV) +
                   by->I * now->w * now->w / 2 + link->I * now->w * dot->w;
        if (k < self->chain.n - 1) {
            const double phid = self->at[k + 1].w - now->w, dphid = self->dot[k + 1].w - dot->w;
            kinetic += self->snake.joint_tangent[k].rotor * phid * phid / 2 +
                       self->snake.joint[k].rotor * phid * dphid;
        }
        if (self->snake.row[FA_SNAKE_ROW_AXES] != FA_NO_ROW) {
            const double axes[] = {dot->e.x, dot->e.y, -dot->e.y, dot->e.x};
            memcpy(at(c, FA_SNAKE_ROW_AXES) + 4L * k, axes, sizeof axes);
        }
        if (k == self->chain.n - 1) continue;
        at(c, FA_SNAKE_ROW_JOINT_ANGLE)[k] =
            at(c, FA_SNAKE_ROW_ANGLE)[k + 1] - at(c, FA_SNAKE_ROW_ANGLE)[k];
        at(c, FA_SNAKE_ROW_JOINT_RATE)[k] = self->dot[k + 1].w - dot->w;
    }
    *at(c, FA_SNAKE_ROW_COM_X) = (dcentre.x - dmass * centre.x / mass) / mass;
    *at(c, FA_SNAKE_ROW_COM_Y) = (dcentre.y - dmass * centre.y / mass) / mass;
    *at(c, FA_SNAKE_ROW_COM_X_RATE) = (dvelocity.x - dmass * velocity.x / mass) / mass;
    *at(c, FA_SNAKE_ROW_COM_Y_RATE) = (dvelocity.y - dmass * velocity.y / mass) / mass;
    *at(c, FA_SNAKE_ROW_HEADING) = flat_cross(heading, turned) / flat_dot(heading, heading);
    if (!self->wheels) {
        const fa_sliding_link *base = &self->at[self->snake.snake.base];
        const fa_sliding_link *by = &self->dot[self->snake.snake.base];
        *at(c, FA_SNAKE_ROW_SPEED) = flat_dot(by->V, base->e) + flat_dot(base->V, by->e);
        *at(c, FA_SNAKE_ROW_RATE) = by->w;
    }
    *at(c, FA_SNAKE_ROW_KINETIC) = kinetic;
    *at(c, FA_SNAKE_ROW_POTENTIAL) = self->power_change.springs - self->pull_x * dcentre.x -
                                     self->pull_y * dcentre.y - self->pull_change_x * centre.x -
                                     self->pull_change_y * centre.y;
    *at(c, FA_SNAKE_ROW_CONTACT_STORED) = self->power_change.stored;
    for (int i = self->n_patches; i < self->n_things; i++)
        c->direction[self->thing[i].indicator_row] =
            fa_sliding_depth_tangent(self, c->value, c->direction, i);
    *at(c, FA_SNAKE_ROW_PERIOD_INDICATOR) =
        fa_sliding_turn_left_tangent(self, c->value, c->direction);
    fa_sliding_tell_tangent(c->self, c->value, c->direction);
}

static void force_rows(const change *c)
{
    fa_sliding_self *self = c->self;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_sliding_link *dot = &self->dot[k];
        double                *ground = at(c, FA_SNAKE_ROW_GROUND_FORCE) + 3L * k;
        ground[0] = dot->ground.x;
        ground[1] = dot->ground.y;
        ground[2] = dot->ground_moment;
        if (self->snake.law != FA_GROUND_WHEEL) continue;
        at(c, FA_SNAKE_ROW_LATERAL)[k] = dot->lateral;
        at(c, FA_SNAKE_ROW_USAGE)[k] = dot->usage;
    }
    if (self->wheels) fa_rolling_put_force_tangents(self, c->value, c->direction);
    if (self->reactions) {
        fa_sliding_accelerate_tangent(&self->chain, self->at, self->snake.link_tangent, self->dot);
        fa_sliding_reactions_tangent(&self->chain, self->at, self->snake.link_tangent, self->dot,
                                     self->force_change);
    }
    for (int k = 0; k < self->chain.n - 1; k++) {
        const double phid = self->at[k + 1].w - self->at[k].w;
        at(c, FA_SNAKE_ROW_DRIVE_TORQUE)[k] = self->drive_change[k];
        at(c, FA_SNAKE_ROW_JOINT_POWER)[k] =
            self->drive_change[k] * phid + self->drive[k] * (self->dot[k + 1].w - self->dot[k].w);
        at(c, FA_SNAKE_ROW_JOINT_ACCELERATION)[k] = self->dot[k + 1].alpha - self->dot[k].alpha;
        if (!self->reactions) continue;
        at(c, FA_SNAKE_ROW_JOINT_FORCE)[2 * k] = self->force_change[k].x;
        at(c, FA_SNAKE_ROW_JOINT_FORCE)[2 * k + 1] = self->force_change[k].y;
    }
    for (int i = self->n_patches; i < self->n_things; i++) {
        c->direction[self->thing[i].force_row] = self->thing[i].force_change.x;
        c->direction[self->thing[i].force_row + 1] = self->thing[i].force_change.y;
    }
}

fa_status fa_sliding_tangent(void *memory, const double value[], double direction[],
                             unsigned groups, fa_error *error)
{
    fa_sliding_self *self = memory;
    const bool       driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    const change     c = {self, value, direction};
    fa_status        status = fa_sliding_trace(self, value, groups, error);
    if (status != FA_OK) return status;
    self->power_change = (fa_sliding_power){0};
    parameters(&c);
    weigh(&c);
    move(&c);
    fa_sliding_push_tangent(self, value, direction);
    fa_sliding_smooth_tangent(self, value, direction);
    fa_sliding_turn_tangent(self, value, direction);
    if (driven) fa_sliding_accelerate(&self->chain, self->at);
    if (self->wheels && (driven || (groups & FA_SNAKE_GROUP_CONTROL)))
        status = fa_rolling_solve_tangent(self, value, direction, groups, error);
    else if (driven)
        status = solve(&c, error);
    if (status != FA_OK) return status;
    if (driven) find_powers(self);
    if (groups & FA_SNAKE_GROUP_MOTION) motion_rows(&c);
    if (groups & FA_SNAKE_GROUP_FORCES) force_rows(&c);
    if (groups & FA_GROUP_DERIVATIVES) derivative_rows(&c);
    return FA_OK;
}
