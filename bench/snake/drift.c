// Table II's robot moved by its own torques, T_k = sin(t) / (n - k), with one method's
// accelerations: Figures 4 to 6 of Tavakoli Nia, Pishkenari and Meghdari (2005). Compiled twice,
// with numbers of double and of single precision (single_prelude.h), from the same sources as the
// FMU.
//
//     snake_drift_double METHOD LINKS STEP STOP > result.csv
//
// METHOD is kane, kane-paper or lagrange; classical Runge-Kutta with the fixed STEP [s]. Each line:
// t, angle of joint 1, u1, u2, S. S = K - sum of torques times joint rates over time is zero but
// for errors of integration and rounding.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snake_kane.h"
#include "snake_methods.h"

enum { MAX = 60 };

typedef struct run {
    fa_snake             snake;
    fa_snake_link        link[MAX];
    fa_snake_joint       joint[MAX];
    fa_snake_forward_fn *forward;
    void                *work;
} run;

// y: angles, u1, u2, work. The wheel's place has no part in the motion.
static int slopes(run *r, double t, const double y[], double yd[])
{
    const int       n = r->snake.n;
    double          torque[MAX];
    fa_snake_motion motion[MAX];
    for (int k = 0; k < n - 1; k++) torque[k] = sin(t) / (n - 1 - k);
    const fa_snake_forces forces = {torque, NULL};
    fa_snake_kinematics(&r->snake, y, y + n, motion);
    for (int k = 0; k < n; k++) yd[k] = motion[k].w;
    yd[n + 2] = 0;
    for (int k = 0; k < n - 1; k++) yd[n + 2] += torque[k] * (motion[k + 1].w - motion[k].w);
    return r->forward(&r->snake, y, y + n, &forces, yd + n, NULL, r->work) == FA_OK;
}

static int advance(run *r, double t, double h, double y[])
{
    const int n = r->snake.n + 3;
    double    k[4][MAX + 3], at[MAX + 3];
    if (!slopes(r, t, y, k[0])) return 0;
    for (int stage = 1; stage < 4; stage++) {
        const double part = stage == 3 ? h : h / 2;
        for (int i = 0; i < n; i++) at[i] = y[i] + part * k[stage - 1][i];
        if (!slopes(r, t + part, at, k[stage])) return 0;
    }
    for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    return 1;
}

static void print_line(run *r, double t, const double y[])
{
    const int       n = r->snake.n;
    fa_snake_motion motion[MAX];
    fa_snake_kinematics(&r->snake, y, y + n, motion);
    const double S = fa_snake_kinetic_energy(&r->snake, motion) - y[n + 2];
    printf("%.9g,%.9g,%.9g,%.9g,%.9g\n", (0. + t), (0. + y[1] - y[0]), (0. + y[n]), (0. + y[n + 1]),
           (0. + S));
}

int main(int argc, char *argv[])
{
    static const struct {
        const char          *name;
        fa_snake_forward_fn *forward;
        size_t (*work_size)(int);
    } method[] = {{"kane", fa_snake_kane, fa_snake_kane_work_size},
                  {"kane-paper", fa_snake_kane_paper, fa_snake_kane_paper_work_size},
                  {"lagrange", fa_snake_lagrange, fa_snake_lagrange_work_size}};
    static run r;
    const int  n = argc > 4 ? atoi(argv[2]) : 0;
    for (int i = 0; i < 3 && argc > 4; i++)
        if (strcmp(argv[1], method[i].name) == 0) {
            r.forward = method[i].forward;
            r.work = malloc(method[i].work_size(n));
        }
    if (!r.forward || n < 2 || n > MAX || !r.work) {
        fprintf(stderr, "usage: %s kane|kane-paper|lagrange LINKS STEP STOP\n", argv[0]);
        return 2;
    }
    r.snake.n = n;
    r.snake.link = r.link;
    r.snake.joint = r.joint;
    double y[MAX + 3] = {0};
    for (int k = 0; k < n; k++) {
        r.link[k].a = r.link[k].b = (double)0.1;
        r.link[k].m = 1;
        r.link[k].I = (double)0.005;
        y[k] = (k % 2 ? 1 : -1) * (double)(3.14159265358979323846 / 6);
    }
    const double h = (double)atof(argv[3]);
    const int    steps = (int)(atof(argv[4]) / h + (double)0.5), every = steps / 500 + 1;
    puts("t,phi1,u1,u2,S");
    for (int i = 0; i < steps; i++) {
        if (i % every == 0) print_line(&r, i * h, y);
        if (!advance(&r, i * h, h, y)) return 1;
    }
    print_line(&r, steps * h, y);
    free(r.work);
    return 0;
}
