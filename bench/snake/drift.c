// Table II's robot moved by its own torques, T_k = sin(t) / (n - k), with one method's
// accelerations: Figures 4 to 6 of Tavakoli Nia, Pishkenari and Meghdari (2005). Compiled twice,
// with numbers of double and of single precision (single_prelude.h), from the same sources as the
// FMU.
//
//     snake_drift_double METHOD LINKS STEP STOP > result.csv
//
// METHOD is kane, kane-paper or lagrange; classical Runge-Kutta with the fixed STEP [s]. Kane's
// forms integrate theta, u1, u2; Lagrange's, as the paper has it, all of q = (theta, x, y) and q'
// by (26), (27), so that the wheels' conditions drift. Each line: t, angle of joint 1, u1, u2, S.
// S = K - sum of torques times joint rates over time is zero but for errors of integration and
// rounding.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snake_kane.h"
#include "snake_methods.h"

enum { MAX = 60, STATES = 2 * (MAX + 2) + 1 };

typedef struct run {
    fa_snake             snake;
    fa_snake_link        link[MAX];
    fa_snake_joint       joint[MAX];
    fa_snake_forward_fn *forward; // NULL: equations (26), (27)
    void                *work;
    double               most; // largest |S| so far
} run;

static int count(const run *r)
{
    return r->forward ? r->snake.n + 3 : 2 * (r->snake.n + 2) + 1;
}

// Derivatives by (26), (27); y: q, q', work.
static int slopes_of_all(run *r, const fa_snake_forces *forces, const double y[], double yd[])
{
    const int     n = r->snake.n, coordinates = n + 2;
    const double *qd = y + coordinates;
    memcpy(yd, qd, (size_t)coordinates * sizeof *yd);
    yd[2 * coordinates] = 0;
    for (int k = 0; k < n - 1; k++) yd[2 * coordinates] += forces->torque[k] * (qd[k + 1] - qd[k]);
    return fa_snake_lagrange_rates(&r->snake, y, qd, forces, yd + coordinates, r->work) == FA_OK;
}

// Derivatives by Kane's form; y: angles, u1, u2, work. The wheel's position does not affect the
// motion.
static int slopes(run *r, double t, const double y[], double yd[])
{
    const int       n = r->snake.n;
    double          torque[MAX];
    fa_snake_motion motion[MAX];
    for (int k = 0; k < n - 1; k++) torque[k] = sin(t) / (n - 1 - k);
    const fa_snake_forces forces = {.torque = torque};
    if (!r->forward) return slopes_of_all(r, &forces, y, yd);
    fa_snake_kinematics(&r->snake, y, y + n, motion);
    for (int k = 0; k < n; k++) yd[k] = motion[k].w;
    yd[n + 2] = 0;
    for (int k = 0; k < n - 1; k++) yd[n + 2] += torque[k] * (motion[k + 1].w - motion[k].w);
    return r->forward(&r->snake, y, y + n, &forces, yd + n, NULL, r->work) == FA_OK;
}

static int advance(run *r, double t, double h, double y[])
{
    const int n = count(r);
    double    k[4][STATES], at[STATES];
    if (!slopes(r, t, y, k[0])) return 0;
    for (int stage = 1; stage < 4; stage++) {
        const double part = stage == 3 ? h : h / 2;
        for (int i = 0; i < n; i++) at[i] = y[i] + part * k[stage - 1][i];
        if (!slopes(r, t + part, at, k[stage])) return 0;
    }
    for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    return 1;
}

// (22), with all velocities, including side slip.
static double energy_of_all(const run *r, const double y[])
{
    const int     n = r->snake.n;
    const double *qd = y + n + 2;
    double        x = qd[n], y_rate = qd[n + 1], K = 0;
    for (int i = 0; i < n; i++) {
        const fa_snake_link *link = &r->link[i];
        const double         C = cos(y[i]), S = sin(y[i]);
        if (i > 0) {
            x -= link->a * S * qd[i];
            y_rate += link->a * C * qd[i];
        }
        K += (link->m * (x * x + y_rate * y_rate) + link->I * qd[i] * qd[i]) / 2;
        x -= link->b * S * qd[i];
        y_rate += link->b * C * qd[i];
    }
    return K;
}

static void look(run *r, bool print, double t, const double y[])
{
    const int       n = r->snake.n;
    fa_snake_motion motion[MAX];
    double          S, u[2];
    if (r->forward) {
        fa_snake_kinematics(&r->snake, y, y + n, motion);
        S = fa_snake_kinetic_energy(&r->snake, motion) - y[n + 2];
        u[0] = y[n];
        u[1] = y[n + 1];
    } else {
        S = energy_of_all(r, y) - y[2 * (n + 2)];
        u[0] = y[2 * n + 2] * cos(y[0]) + y[2 * n + 3] * sin(y[0]);
        u[1] = y[n + 2];
    }
    if (!(fabs(S) <= r->most)) r->most = fabs(S);
    if (print)
        printf("%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (0. + t), (0. + y[1] - y[0]), (0. + u[0]),
               (0. + u[1]), (0. + S), (0. + r->most));
}

int main(int argc, char *argv[])
{
    static const struct {
        const char          *name;
        fa_snake_forward_fn *forward;
        size_t (*work_size)(int);
    } method[] = {{"kane", fa_snake_kane, fa_snake_kane_work_size},
                  {"kane-paper", fa_snake_kane_paper, fa_snake_kane_paper_work_size},
                  {"lagrange", NULL, fa_snake_lagrange_work_size}};
    static run r;
    const int  n = argc > 4 ? atoi(argv[2]) : 0;
    for (int i = 0; i < 3 && argc > 4; i++)
        if (strcmp(argv[1], method[i].name) == 0) {
            r.forward = method[i].forward;
            r.work = malloc(method[i].work_size(n));
        }
    if (n < 2 || n > MAX || !r.work) {
        fprintf(stderr, "usage: %s kane|kane-paper|lagrange LINKS STEP STOP\n", argv[0]);
        return 2;
    }
    r.snake.n = n;
    r.snake.link = r.link;
    r.snake.joint = r.joint;
    double y[STATES] = {0};
    for (int k = 0; k < n; k++) {
        r.link[k].a = r.link[k].b = (double)0.1;
        r.link[k].m = 1;
        r.link[k].I = (double)0.005;
        y[k] = (k % 2 ? 1 : -1) * (double)(3.14159265358979323846 / 6);
    }
    const double h = (double)atof(argv[3]);
    const int    steps = (int)(atof(argv[4]) / h + (double)0.5), every = steps / 500 + 1;
    puts("t,phi1,u1,u2,S,most");
    for (int i = 0; i < steps; i++) {
        look(&r, i % every == 0, i * h, y);
        if (!advance(&r, i * h, h, y)) return 1;
    }
    look(&r, true, steps * h, y);
    free(r.work);
    return 0;
}
