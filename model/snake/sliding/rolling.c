// A snake on ideal wheels that meets slopes, patches and obstacles: the part of the plant that
// differs from that of a sliding snake.
//
// Forces are those of the sliding snake (sliding_ground.c), except that the law of the ground has
// no force across the link. Kane's equations (snake_kane.c) project them on the two degrees of
// freedom: each link's sum of forces acts at its wheel along e, and as a moment about the wheel;
// along n, the wheel holds against it.
#include "sliding_plant.h"

#include "snake_control.h"
#include "snake_elements.h"

void fa_rolling_move(fa_sliding_self *self, const double value[])
{
    fa_snake_self *snake = &self->snake;
    fa_snake_kinematics(&snake->snake, value + snake->row[FA_SNAKE_ROW_ANGLE],
                        value + snake->row[FA_SNAKE_ROW_SPEED], snake->motion);
    for (int k = 0; k < self->chain.n; k++) self->at[k].w = snake->motion[k].w;
    self->at[0].V = flat_times(snake->motion[0].V, self->at[0].e);
}

fa_snake_forces fa_rolling_forces(const fa_sliding_self *self)
{
    return (fa_snake_forces){self->snake.torque, self->snake.rolling, self->across, self->moment};
}

// Resolves the sum of all forces on each link at its wheel, in the link's axes.
static void resolve_forces(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n; k++) {
        const fa_sliding_link *at = &self->at[k];
        const fa_snake_link   *link = &self->snake.link[k];
        const double           along = flat_dot(at->F, at->e);
        const double           across = flat_dot(at->F, flat_left(at->e));
        self->snake.rolling[k] = along;
        self->across[k] = across;
        self->moment[k] = at->M + link->c * across - link->d * along;
    }
}

fa_status fa_rolling_solve(fa_sliding_self *self, const double value[], unsigned groups,
                           fa_error *error)
{
    fa_snake_self   *snake = &self->snake;
    fa_snake_motion *motion = snake->motion;
    resolve_forces(self);
    const fa_snake_forces forces = fa_rolling_forces(self);
    snake->equations = fa_snake_project(&snake->snake, motion, &forces);
    if (groups & FA_SNAKE_GROUP_CONTROL) {
        const fa_snake_grip grip =
            fa_snake_controllability(&snake->snake, motion, &snake->equations);
        snake->controllability = grip.sigma1 > 0 ? grip.sigma2 / grip.sigma1 : 0;
    }
    if (!(groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES))) return FA_OK;
    const fa_status status = fa_snake_solve_drives(snake, value, error);
    if (status != FA_OK) return status;
    fa_snake_accelerate(&snake->snake, snake->ud, motion);
    for (int k = 0; k < self->chain.n; k++) {
        self->at[k].alpha = motion[k].wd;
        self->drive[k] += snake->drive[k];
    }
    const fa_flat e = self->at[0].e;
    self->at[0].A = flat_mix(motion[0].Vd, e, motion[0].V * motion[0].w, flat_left(e));
    if (!(groups & FA_SNAKE_GROUP_FORCES)) return FA_OK;
    double residual[2];
    fa_snake_reactions(&snake->snake, value + snake->row[FA_SNAKE_ROW_ANGLE], motion, &forces,
                       snake->lambda, NULL, residual);
    for (int k = 0; k < self->chain.n; k++) // for the forces between links
        flat_add(&self->at[k].F, flat_times(snake->lambda[k], flat_left(self->at[k].e)));
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- rows

static fa_snake_axle_now axle_at(const fa_sliding_self *self, const double value[], int k)
{
    fa_snake_axle_now now = fa_snake_axle_at(&self->snake, value, k);
    now.rolling = self->at[k].forwards;
    now.gravity = self->press;
    return now;
}

static double *to(fa_sliding_self *self, fa_snake_quantity quantity)
{
    return self->snake.result + self->snake.row[quantity];
}

void fa_rolling_put_derivatives(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n; k++) to(self, FA_SNAKE_ROW_LINK_RATE)[k] = self->at[k].w;
    *to(self, FA_SNAKE_ROW_X_RATE) = self->at[0].V.x;
    *to(self, FA_SNAKE_ROW_Y_RATE) = self->at[0].V.y;
    for (int i = 0; i < 2; i++) to(self, FA_SNAKE_ROW_SPEED_DERIVATIVE)[i] = self->snake.ud[i];
}

void fa_rolling_put_forces(fa_sliding_self *self, const double value[])
{
    for (int k = 0; k < self->chain.n; k++) {
        const double            lambda = self->snake.lambda[k];
        const fa_flat           n = flat_left(self->at[k].e);
        double                 *ground = to(self, FA_SNAKE_ROW_GROUND_FORCE) + 3L * k;
        const fa_snake_axle_now now = axle_at(self, value, k);
        ground[0] += lambda * n.x;
        ground[1] += lambda * n.y;
        ground[2] -= lambda * self->snake.link[k].c;
        to(self, FA_SNAKE_ROW_LATERAL)[k] = lambda;
        fa_snake_tell_axle(&now, self->snake.result);
    }
}

// ----------------------------------------------------------------------------------------- tangent

static fa_snake_axle_change axle_change(const fa_sliding_self *self, const double direction[],
                                        int k)
{
    return (fa_snake_axle_change){.direction = direction,
                                  .lateral = self->snake.lambda_tangent[k],
                                  .rolling = self->dot[k].forwards,
                                  .mass = self->snake.link_tangent[k].m,
                                  .gravity = self->press_change};
}

void fa_rolling_put_force_tangents(const fa_sliding_self *self, const double value[],
                                   double direction[])
{
    const int *row = self->snake.row;
    for (int k = 0; k < self->chain.n; k++) {
        const double  lambda = self->snake.lambda[k], change = self->snake.lambda_tangent[k];
        const fa_flat n = flat_left(self->at[k].e), dn = flat_left(self->dot[k].e);
        double       *ground = direction + row[FA_SNAKE_ROW_GROUND_FORCE] + 3L * k;
        const fa_snake_axle_now    now = axle_at(self, value, k);
        const fa_snake_axle_change by = axle_change(self, direction, k);
        ground[0] += change * n.x + lambda * dn.x;
        ground[1] += change * n.y + lambda * dn.y;
        ground[2] -= change * self->snake.link[k].c + lambda * self->snake.link_tangent[k].c;
        direction[row[FA_SNAKE_ROW_LATERAL] + k] = change;
        fa_snake_tell_axle_change(&now, &by, direction);
    }
}

// Transpose of fa_rolling_put_force_tangents; lambda_tangent receives the adjoints of the lateral
// forces.
void fa_rolling_put_force_adjoints(fa_sliding_self *self, const double value[], double adjoint[])
{
    const int *row = self->snake.row;
    for (int k = 0; k < self->chain.n; k++) {
        const double            lambda = self->snake.lambda[k];
        const double           *ground = adjoint + row[FA_SNAKE_ROW_GROUND_FORCE] + 3L * k;
        const fa_flat           force = flat(ground[0], ground[1]);
        const fa_snake_axle_now now = axle_at(self, value, k);
        fa_snake_axle_sums      sums = {.adjoint = adjoint};
        fa_snake_link          *link = &self->snake.link_tangent[k];
        fa_snake_tell_axle_adjoints(&now, adjoint, &sums);
        self->snake.lambda_tangent[k] = adjoint[row[FA_SNAKE_ROW_LATERAL] + k] + sums.lateral +
                                        flat_dot(force, flat_left(self->at[k].e)) -
                                        ground[2] * self->snake.link[k].c;
        flat_add(&self->dot[k].e, flat_times(-lambda, flat_left(force)));
        self->dot[k].forwards += sums.rolling;
        link->c -= lambda * ground[2];
        link->m += sums.mass;
        self->press_change += sums.gravity;
    }
}

// ------------------------------------------------------------------------------------------ events

static fa_status note(void *memory, double value[], bool seen, fa_error *error)
{
    fa_sliding_self *self = memory;
    fa_snake_self   *snake = &self->snake;
    const fa_status  status =
        fa_sliding_trace(self, value, FA_SNAKE_GROUP_FORCES | FA_SNAKE_GROUP_CONTROL, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_axle_now axle = axle_at(self, value, k);
        const bool              now = fa_snake_slips(&axle);
        value[snake->row[FA_SNAKE_ROW_SLIP] + k] = now;
        seen |= now;
    }
    if (seen) value[snake->row[FA_SNAKE_ROW_SLIPPED]] = 1;
    fa_snake_update_control(snake, value);
    return FA_OK;
}

static fa_status notable(void *memory, const double value[], bool *seen, fa_error *error)
{
    fa_sliding_self *self = memory;
    *seen = false;
    if (value[self->snake.row[FA_SNAKE_ROW_SLIPPED]] != 0) return FA_OK;
    const fa_status status = fa_sliding_trace(self, value, FA_SNAKE_GROUP_FORCES, error);
    for (int k = 0; k < self->chain.n && status == FA_OK; k++) {
        const fa_snake_axle_now axle = axle_at(self, value, k);
        *seen |= fa_snake_slips(&axle);
    }
    return status;
}

static fa_status meet_event(void *memory, double value[], fa_event *event, fa_error *error)
{
    const bool      seen = event->seen;
    const fa_status status = fa_sliding_event(memory, value, event, error);
    return status == FA_OK ? note(memory, value, seen, error) : status;
}

const fa_plant fa_rolling_plant = {
    .name = "rolling-snake",
    .about = "planar snake on wheels that do not slip, on slopes, patches and among obstacles",
    .exact = false,
    .structure = &fa_snake_structure,
    .declare = fa_sliding_declare,
    .depends = fa_sliding_depends,
    .size = fa_sliding_size,
    .prepare = fa_sliding_prepare,
    .configure = fa_sliding_configure,
    .tune = fa_snake_tune,
    .evaluate = fa_sliding_evaluate,
    .tangent = fa_sliding_tangent,
    .adjoint = fa_sliding_adjoint,
    .event = meet_event,
    .note = note,
    .notable = notable,
};
