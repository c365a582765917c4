// The methods of snakes: accelerations alone, and with the forces on the wheels.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "draw.h"
#include "snake_kane.h"

enum { ACCELERATIONS, WHEELS };

// Amplitudes of random states: moderate bends and the torques of a human hand. [rad], [m/s],
// [rad/s], [N m]
static const double TURN = 3, BEND = 1.5, SPEED = 1, RATE = 3, TORQUE = 1;

typedef struct state {
    double *theta, *torque;
    double  u[2];
} state;

typedef struct contender {
    const fa_snake        *snake;
    const fa_snake_method *method;
    state                  state[FA_CONTEST_STATES];
    fa_snake_motion       *motion; // scratch of scale()
    void                  *work;
} contender;

static const char *name(void *self, int method)
{
    return ((const contender *)self)->method[method].name;
}

static bool gives(void *self, int method, int call)
{
    const contender *c = self;
    (void)call;
    return c->snake->base == 0 || c->method[method].any_base;
}

static fa_status draw(void *self, int at, uint64_t seed)
{
    contender *c = self;
    state     *s = &c->state[at];
    uint64_t   random = seed * 0x9E3779B97F4A7C15u; // golden ratio: spreads neighbouring seeds
    s->theta[0] = fa_draw_between(&random, -TURN, TURN);
    for (int k = 0; k + 1 < c->snake->n; k++) {
        s->theta[k + 1] = s->theta[k] + fa_draw_between(&random, -BEND, BEND);
        s->torque[k] = fa_draw_between(&random, -TORQUE, TORQUE);
    }
    s->u[0] = fa_draw_between(&random, -SPEED, SPEED);
    s->u[1] = fa_draw_between(&random, -RATE, RATE);
    return FA_OK;
}

// Evaluates a method. An answer about wheels has the accelerations behind the forces, outside the
// compared range.
static fa_status ask(void *self, int method, int call, int at, double answer[])
{
    const contender      *c = self;
    const state          *s = &c->state[at];
    const fa_snake_forces forces = {.torque = s->torque};
    double               *ud = call == WHEELS ? answer + c->snake->n : answer;
    return c->method[method].forward(c->snake, s->theta, s->u, &forces, ud,
                                     call == WHEELS ? answer : NULL, c->work);
}

// Scale of rounding: Kane's two equations are sums over the links, so the terms round, not the
// sums.
static double scale(void *self, int call, int at, const double answer[])
{
    const contender      *c = self;
    const state          *s = &c->state[at];
    const fa_snake       *snake = c->snake;
    const fa_snake_forces forces = {.torque = s->torque};
    fa_snake_motion      *motion = c->motion;
    double                terms = 0, leverage = 0;
    fa_snake_kinematics(snake, s->theta, s->u, motion);
    const fa_snake_equations of = fa_snake_project(snake, motion, &forces);
    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link *link = &snake->link[k];
        terms += link->m * fabs(motion[k].sigma) * hypot(motion[k].V_u[0], motion[k].V_u[1]) +
                 link->I * fabs(motion[k].tau) * hypot(motion[k].w_u[0], motion[k].w_u[1]);
        if (k == 0) continue;
        terms += fabs(s->torque[k - 1]) * hypot(motion[k].w_u[0] - motion[k - 1].w_u[0],
                                                motion[k].w_u[1] - motion[k - 1].w_u[1]);
        leverage = fmax(leverage, fabs(1 / link->a));
    }
    const double determinant = of.M[0][0] * of.M[1][1] - of.M[0][1] * of.M[0][1];
    // An upper bound of the inverse's norm.
    const double inverse = (of.M[0][0] + of.M[1][1]) / determinant;
    if (call == ACCELERATIONS) return inverse * terms + fabs(answer[0]) + fabs(answer[1]);
    // The recursion of forces runs link by link from the ends to the base.
    double most = TORQUE * leverage;
    for (int k = 0; k < snake->n; k++) most = fmax(most, fabs(answer[k]));
    return most * snake->n;
}

static fa_status count(void *self, int method, int call, fa_operations *executed,
                       fa_operations *online)
{
    const contender *c = self;
    return fa_count_snake(c->method[method].name, c->snake, call == WHEELS, executed, online);
}

// Allocates the snake, its arrays and the methods' scratch as one block.
fa_status fa_compare_snake(const fa_snake *snake, const fa_snake_method *methods, int n_methods,
                           fa_contest *contest, fa_error *error)
{
    const size_t n = (size_t)snake->n, numbers = 2 * n * FA_CONTEST_STATES;
    size_t       work = 1;
    int          reference = 0;
    for (int i = 0; i < n_methods; i++) {
        if (methods[i].work_size(snake->n) > work) work = methods[i].work_size(snake->n);
        if (strcmp(methods[i].name, "lagrange") == 0) reference = i;
    }
    contender *c =
        calloc(1, sizeof *c + n * sizeof(fa_snake_motion) + numbers * sizeof(double) + work);
    if (!c)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to compare methods");
    *c = (contender){.snake = snake, .method = methods, .motion = (fa_snake_motion *)(c + 1)};
    double *number = (double *)(c->motion + n);
    for (int i = 0; i < FA_CONTEST_STATES; i++, number += 2 * n) {
        c->state[i].theta = number;
        c->state[i].torque = number + n;
    }
    c->work = number;
    *contest = (fa_contest){.self = c,
                            .n_methods = n_methods,
                            .reference = reference,
                            .room = (int)n + 2,
                            .n_calls = 2,
                            .call = {{"forward", 2}, {"wheel forces", (int)n}},
                            .name = name,
                            .gives = gives,
                            .draw = draw,
                            .ask = ask,
                            .scale = scale,
                            .count = count};
    return FA_OK;
}
