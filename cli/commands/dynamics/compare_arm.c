// The methods of arms: forward and inverse dynamics and the mass matrix.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "contest.h"
#include "draw.h"

enum { FORWARD, INVERSE, MATRIX };
static const fa_question question[] = {FA_FORWARD, FA_INVERSE, FA_MATRIX};

// Amplitudes of random states: joint speeds and accelerations, and the load at the tip. [rad/s],
// [rad/s^2], [N], [N m] or [m/s] …
static const double SPEED = 2, ACCELERATION = 10, FORCE = 10, MOMENT = 3;

// Amplitudes of the ground's motion, as of a ship or a vehicle at worst. [rad/s], [rad/s^2],
// [m/s^2]
static const double GROUND_RATE = 1, GROUND_TURN = 2, GROUND_ACCELERATION = 5;

typedef struct state {
    double    *q, *qd, *qdd, *tau;
    fa_wrench *wrench; // load on each body
    bool       loaded;
    fa_vec3    ground_rate; // motion of the ground; zero unless the robot's ground moves
    fa_twist   ground_acceleration;
} state;

typedef struct arm {
    const fa_robot         *robot;
    fa_chain                chain; // its base motion is that of the state evaluated last
    const fa_method *const *method;
    const fa_method        *reference;
    state                   state[FA_CONTEST_STATES];
    double                 *M, *L, *row, *bias, *zero; // scratch of scale()
    void                   *work;
    fa_ready                ready; // method is NULL once a call has overwritten its work memory
} arm;

// Returns the scratch memory, and invalidates the prepared method that lies there.
static void *work_of(void *self)
{
    arm *a = self;
    a->ready.method = NULL;
    return a->work;
}

static const char *name(void *self, int method)
{
    return ((const arm *)self)->method[method]->name;
}

static bool gives(void *self, int method, int call)
{
    const arm       *a = self;
    const fa_method *m = a->method[method];
    if (!fa_method_fits(m, &a->chain)) return false;
    return call == FORWARD ? fa_method_has_forward(m)
                           : (call == INVERSE ? m->inverse != NULL : m->mass_matrix != NULL);
}

static fa_load load_of(const state *s)
{
    return (fa_load){s->loaded ? s->wrench : NULL};
}

static fa_vec3 draw_vector(uint64_t *seed, double size)
{
    const double x = fa_draw_between(seed, -size, size), y = fa_draw_between(seed, -size, size);
    return vec3(x, y, fa_draw_between(seed, -size, size));
}

// Returns the state at this place and copies its ground motion into the chain.
static const state *state_at(arm *a, int at)
{
    const state *s = &a->state[at];
    a->chain.base_rate = s->ground_rate;
    a->chain.base_acceleration = s->ground_acceleration;
    return s;
}

static void draw_ground(uint64_t *seed, state *s)
{
    s->ground_rate = draw_vector(seed, GROUND_RATE);
    s->ground_acceleration.angular = draw_vector(seed, GROUND_TURN);
    s->ground_acceleration.linear = draw_vector(seed, GROUND_ACCELERATION);
}

// Draws a random state. Its torques are inverse dynamics of random accelerations: strong enough to
// be seen beside gravity, and weak enough for the robot's motion to stay ordinary. Every second
// state has a load on the last body.
static fa_status draw(void *self, int at, uint64_t seed)
{
    arm            *a = self;
    state          *s = &a->state[at];
    const fa_chain *chain = &a->chain;
    uint64_t        random = seed * 0x9E3779B97F4A7C15u; // golden ratio: spreads neighbouring seeds
    fa_draw_pose(a->robot, &random, s->q);
    for (int i = 0; i < chain->n_coordinates; i++) {
        s->qd[i] = fa_draw_between(&random, -SPEED, SPEED);
        s->qdd[i] = fa_draw_between(&random, -ACCELERATION, ACCELERATION);
    }
    fa_wrench *last = &s->wrench[chain->n - 1];
    last->moment = draw_vector(&random, MOMENT);
    last->force = draw_vector(&random, FORCE);
    s->loaded = seed % 2 == 1;
    if (chain->base_moves) draw_ground(&random, s);
    (void)state_at(a, at);
    const fa_load load = load_of(s);
    return a->reference->inverse(chain, s->q, s->qd, s->qdd, &load, s->tau, work_of(self));
}

static fa_status ask(void *self, int method, int call, int at, double answer[])
{
    arm             *a = self;
    const state     *s = state_at(a, at);
    const fa_method *m = a->method[method];
    const fa_load    load = load_of(s);
    switch (call) {
    case FORWARD:
        if (a->ready.method != m) a->ready = fa_method_ready(m, &a->chain, a->work);
        return fa_ready_forward(&a->ready, s->q, s->qd, s->tau, &load, answer);
    case INVERSE:
        return m->inverse(&a->chain, s->q, s->qd, s->qdd, &load, answer, work_of(self));
    default:
        return m->mass_matrix(&a->chain, s->q, answer, work_of(self));
    }
}

static double largest(const double x[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Infinity norms (largest row sum of magnitudes) of M and of its inverse.
static void norms(const arm *a, double *norm, double *inverse)
{
    const int n = a->chain.n_coordinates;
    memcpy(a->L, a->M, (size_t)n * (size_t)n * sizeof *a->L);
    *norm = 0;
    *inverse = fa_cholesky_factor(n, a->L) == FA_OK ? 0 : INFINITY;
    for (int i = 0; i < n; i++) {
        double sum = 0, inverse_sum = 0;
        for (int j = 0; j < n; j++) a->row[j] = i == j;
        fa_cholesky_solve(n, a->L, a->row);
        for (int j = 0; j < n; j++) {
            sum += fabs(a->M[i * n + j]);
            inverse_sum += fabs(a->row[j]);
        }
        *norm = fmax(*norm, sum);
        *inverse = fmax(*inverse, inverse_sum);
    }
}

// Inverse dynamics rounds the terms of M qdd + h. The error of accelerations is the inverse matrix
// times the rounding of those terms and of tau, and the matrix's own rounding.
static double scale(void *self, int call, int at, const double answer[])
{
    arm            *a = self;
    const state    *s = state_at(a, at);
    const fa_chain *chain = &a->chain;
    const int       n = chain->n_coordinates;
    const fa_load   load = load_of(s);
    double          norm, inverse;
    if (call == MATRIX) return largest(answer, n * n);
    if (a->reference->mass_matrix(chain, s->q, a->M, work_of(self)) != FA_OK ||
        a->reference->inverse(chain, s->q, s->qd, a->zero, &load, a->bias, work_of(self)) != FA_OK)
        return largest(answer, n);
    norms(a, &norm, &inverse);
    const double terms = largest(a->bias, n) + norm * largest(s->qdd, n);
    if (call == INVERSE) return terms;
    return inverse * (terms + largest(s->tau, n));
}

static fa_status count(void *self, int method, int call, fa_operations *executed,
                       fa_operations *online)
{
    const arm *a = self;
    return fa_count(a->method[method]->name, question[call], &a->chain, executed, online);
}

// ----------------------------------------------------------------------------------------- contest

static int method_of(const fa_method *const methods[], int n, const char *named)
{
    for (int i = 0; i < n; i++)
        if (strcmp(methods[i]->name, named) == 0) return i;
    return 0;
}

static size_t work_size(const arm *a, int n_methods)
{
    size_t most = 1;
    for (int i = 0; i < n_methods; i++) {
        const size_t size = a->method[i]->work_size(&a->chain);
        if (size > most) most = size;
    }
    return most;
}

// Allocates the arm, its arrays and the methods' scratch as one block.
fa_status fa_compare_arm(const fa_robot *robot, const fa_chain *chain,
                         const fa_method *const methods[], int n_methods, fa_contest *contest,
                         fa_error *error)
{
    const int    reference = method_of(methods, n_methods, "lagrange");
    const size_t n = (size_t)chain->n_coordinates, bodies = (size_t)chain->n;
    arm          here = {
                 .robot = robot, .chain = *chain, .method = methods, .reference = methods[reference]};
    if (n == 0)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "no joint of '%s' moves, so there is nothing to compare", robot->name);

    const size_t numbers = 2 * n * n + 3 * n + 4 * n * FA_CONTEST_STATES;
    const size_t wrenches = bodies * FA_CONTEST_STATES;
    arm         *a = calloc(1, sizeof *a + wrenches * sizeof(fa_wrench) + numbers * sizeof(double) +
                                   work_size(&here, n_methods));
    if (!a)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to compare methods");
    *a = here;
    fa_wrench *wrench = (fa_wrench *)(a + 1);
    double    *number = (double *)(wrench + wrenches);
    for (int i = 0; i < FA_CONTEST_STATES; i++, number += 4 * n, wrench += bodies)
        a->state[i] = (state){.q = number,
                              .qd = number + n,
                              .qdd = number + 2 * n,
                              .tau = number + 3 * n,
                              .wrench = wrench};
    a->M = number;
    a->L = a->M + n * n;
    a->row = a->L + n * n;
    a->bias = a->row + n;
    a->zero = a->bias + n;
    a->work = a->zero + n;
    *contest =
        (fa_contest){.self = a,
                     .n_methods = n_methods,
                     .reference = reference,
                     .room = (int)(n * n),
                     .n_calls = 3,
                     .call = {{"forward", (int)n}, {"inverse", (int)n}, {"matrix", (int)(n * n)}},
                     .name = name,
                     .gives = gives,
                     .draw = draw,
                     .ask = ask,
                     .scale = scale,
                     .count = count};
    return FA_OK;
}
