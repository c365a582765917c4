// Tangents and adjoints of the motion of a snake on ideal wheels that meets slopes, patches and
// obstacles. Each adjoint is the transpose of the tangent before it.
#include <string.h>

#include "sliding_plant.h"
#include "snake_change.h"
#include "snake_control_derivatives.h"
#include "snake_kane_tangent.h"

static fa_snake step_of(const fa_sliding_self *self)
{
    fa_snake step = self->snake.snake;
    step.link = self->snake.link_tangent;
    step.joint = self->snake.joint_tangent;
    return step;
}

static fa_snake_adjoints sums_of(const fa_sliding_self *self)
{
    return (fa_snake_adjoints){.link = self->snake.link_tangent,
                               .joint = self->snake.joint_tangent,
                               .torque = self->snake.torque_tangent,
                               .rolling = self->snake.rolling_tangent,
                               .across = self->across_change,
                               .moment = self->moment_change};
}

void fa_rolling_move_tangent(fa_sliding_self *self, const double direction[])
{
    fa_snake_self   *snake = &self->snake;
    const fa_snake   step = step_of(self);
    fa_snake_motion *tangent = snake->motion_tangent;
    fa_snake_kinematics_tangent(&snake->snake, snake->motion, &step,
                                direction + snake->row[FA_SNAKE_ROW_ANGLE],
                                direction + snake->row[FA_SNAKE_ROW_SPEED], tangent);
    for (int k = 0; k < self->chain.n; k++) self->dot[k].w = tangent[k].w;
    self->dot[0].V = flat_mix(tangent[0].V, self->at[0].e, snake->motion[0].V, self->dot[0].e);
}

void fa_rolling_move_adjoint(fa_sliding_self *self, double adjoint[])
{
    fa_snake_self    *snake = &self->snake;
    fa_snake_adjoints sums = sums_of(self);
    const fa_flat     V = self->dot[0].V;
    double            u[2] = {0, 0};
    for (int k = 0; k < self->chain.n; k++) snake->motion_tangent[k].w += self->dot[k].w;
    snake->motion_tangent[0].V += flat_dot(V, self->at[0].e);
    flat_add(&self->dot[0].e, flat_times(snake->motion[0].V, V));
    fa_snake_kinematics_adjoint(&snake->snake, snake->motion, snake->motion_tangent, &sums,
                                adjoint + snake->row[FA_SNAKE_ROW_ANGLE], u);
    for (int i = 0; i < 2; i++) adjoint[snake->row[FA_SNAKE_ROW_SPEED] + i] += u[i];
}

// Tangents of the forces at the wheels (resolve_forces of rolling.c).
static void resolve_tangents(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k], *by = &self->snake.link_tangent[k];
        const fa_sliding_link *at = &self->at[k], *dot = &self->dot[k];
        const double           along = self->snake.rolling[k], across = self->across[k];
        const double           turn = flat_dot(dot->e, flat_left(at->e));
        const double           along_change = flat_dot(dot->F, at->e) + across * turn;
        const double           across_change = flat_dot(dot->F, flat_left(at->e)) - along * turn;
        self->snake.rolling_tangent[k] = along_change;
        self->across_change[k] = across_change;
        self->moment_change[k] = dot->M + by->c * across + link->c * across_change - by->d * along -
                                 link->d * along_change;
    }
}

static void resolve_adjoints(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n; k++) {
        const fa_snake_link   *link = &self->snake.link[k];
        fa_snake_link         *sums = &self->snake.link_tangent[k];
        const fa_sliding_link *at = &self->at[k];
        fa_sliding_link       *bar = &self->dot[k];
        const double           along = self->snake.rolling[k], across = self->across[k];
        const double           moment = self->moment_change[k];
        const double           by_along = self->snake.rolling_tangent[k] - moment * link->d;
        const double           by_across = self->across_change[k] + moment * link->c;
        const fa_flat          n = flat_left(at->e);
        sums->c += moment * across;
        sums->d -= moment * along;
        bar->M += moment;
        flat_add(&bar->F, flat_mix(by_along, at->e, by_across, n));
        flat_add(&bar->e, flat_times(by_along * across - by_across * along, n));
    }
}

fa_status fa_rolling_solve_tangent(fa_sliding_self *self, const double value[], double direction[],
                                   unsigned groups, fa_error *error)
{
    fa_snake_self        *snake = &self->snake;
    fa_snake_motion      *motion = snake->motion, *tangent = snake->motion_tangent;
    const fa_snake_forces forces = fa_rolling_forces(self);
    fa_snake_change       c = {.self = snake,
                               .value = value,
                               .direction = direction,
                               .snake_step = step_of(self),
                               .angle_tangent = direction + snake->row[FA_SNAKE_ROW_ANGLE]};
    resolve_tangents(self);
    const fa_snake_forces by = {snake->torque_tangent, snake->rolling_tangent, self->across_change,
                                self->moment_change};
    c.equations_tangent =
        fa_snake_project_tangent(&snake->snake, motion, &forces, &c.snake_step, tangent, &by);
    if (groups & FA_SNAKE_GROUP_CONTROL)
        direction[snake->row[FA_SNAKE_ROW_CONTROLLABILITY]] = fa_snake_control_tangent(
            &snake->snake, motion, &snake->equations, tangent, &c.equations_tangent);
    if (!(groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES))) return FA_OK;
    const fa_status status = fa_snake_solve_tangent(&c, error);
    if (status != FA_OK) return status;
    fa_snake_accelerate_tangent(&snake->snake, motion, snake->ud, c.ud_tangent, tangent);
    for (int k = 0; k < self->chain.n; k++) {
        self->dot[k].alpha = tangent[k].wd;
        self->drive_change[k] += snake->drive_tangent[k];
    }
    const fa_flat e = self->at[0].e, de = self->dot[0].e;
    const double  V = motion[0].V, w = motion[0].w;
    self->dot[0].A =
        flat_sum(flat_mix(tangent[0].Vd, e, motion[0].Vd, de),
                 flat_mix(tangent[0].V * w + V * tangent[0].w, flat_left(e), V * w, flat_left(de)));
    for (int i = 0; i < 2; i++)
        direction[snake->row[FA_SNAKE_ROW_SPEED_DERIVATIVE] + i] = c.ud_tangent[i];
    if (!(groups & FA_SNAKE_GROUP_FORCES)) return FA_OK;
    fa_snake_reactions_tangent(&snake->snake, motion, &forces, &c.snake_step, tangent, &by,
                               snake->lambda_tangent);
    for (int k = 0; k < self->chain.n; k++) // for the forces between links
        flat_add(&self->dot[k].F, flat_mix(snake->lambda_tangent[k], flat_left(self->at[k].e),
                                           snake->lambda[k], flat_left(self->dot[k].e)));
    return FA_OK;
}

// Transpose of the last lines of fa_rolling_solve_tangent: forces between links are not on their
// way to the motion.
void fa_rolling_react_adjoint(fa_sliding_self *self)
{
    for (int k = 0; k < self->chain.n; k++) {
        fa_sliding_link *bar = &self->dot[k];
        self->snake.lambda_tangent[k] += flat_dot(bar->F, flat_left(self->at[k].e));
        flat_add(&bar->e, flat_times(-self->snake.lambda[k], flat_left(bar->F)));
    }
}

// Transpose of the acceleration of the first wheel.
static void accelerate_first(fa_sliding_self *self)
{
    const fa_snake_motion *motion = self->snake.motion;
    fa_snake_motion       *bar = self->snake.motion_tangent;
    const fa_flat          A = self->dot[0].A, e = self->at[0].e;
    const double           across = flat_dot(A, flat_left(e));
    bar->Vd += flat_dot(A, e);
    bar->V += motion->w * across;
    bar->w += motion->V * across;
    flat_add(&self->dot[0].e, flat_mix(motion->Vd, A, -motion->V * motion->w, flat_left(A)));
}

void fa_rolling_clear_adjoint(fa_sliding_self *self)
{
    const size_t n = (size_t)self->chain.n;
    memset(self->snake.motion_tangent, 0, n * sizeof *self->snake.motion_tangent);
    memset(self->snake.rolling_tangent, 0, n * sizeof(double));
    memset(self->snake.lambda_tangent, 0, n * sizeof(double));
    memset(self->snake.drive_tangent, 0, n * sizeof(double));
    memset(self->across_change, 0, n * sizeof(double));
    memset(self->moment_change, 0, n * sizeof(double));
}

fa_status fa_rolling_solve_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                                   unsigned groups, fa_error *error)
{
    fa_snake_self        *snake = &self->snake;
    fa_snake_motion      *motion = snake->motion, *bar = snake->motion_tangent;
    const fa_snake_forces forces = fa_rolling_forces(self);
    const bool            driven = groups & (FA_GROUP_DERIVATIVES | FA_SNAKE_GROUP_FORCES);
    fa_status             status = FA_OK;
    fa_snake_sweep        c = {.self = snake,
                               .value = value,
                               .adjoint = adjoint,
                               .angle = adjoint + snake->row[FA_SNAKE_ROW_ANGLE],
                               .sums = sums_of(self)};
    if (groups & FA_SNAKE_GROUP_CONTROL)
        fa_snake_control_adjoint(&snake->snake, motion, &snake->equations,
                                 adjoint[snake->row[FA_SNAKE_ROW_CONTROLLABILITY]], bar,
                                 &c.equations);
    if (driven) {
        for (int k = 0; k < self->chain.n; k++) {
            bar[k].wd += self->dot[k].alpha;
            snake->drive_tangent[k] = self->drive_change[k];
        }
        accelerate_first(self);
        if (groups & FA_GROUP_DERIVATIVES)
            for (int i = 0; i < 2; i++)
                c.ud[i] = adjoint[snake->row[FA_SNAKE_ROW_SPEED_DERIVATIVE] + i];
        if (groups & FA_SNAKE_GROUP_FORCES)
            fa_snake_reactions_adjoint(&snake->snake, motion, &forces, snake->lambda_tangent, bar,
                                       &c.sums, snake->work);
        fa_snake_accelerate_adjoint(&snake->snake, motion, snake->ud, bar, c.ud);
        status = fa_snake_solve_adjoint(&c, error);
        if (status != FA_OK) return status;
        for (int i = 0; i < 2; i++) adjoint[snake->row[FA_SNAKE_ROW_SPEED] + i] += c.u[i];
    }
    fa_snake_project_adjoint(&snake->snake, motion, &forces, &c.equations, bar, &c.sums);
    resolve_adjoints(self);
    return FA_OK;
}
