// Stiff problems with known solutions, for the integrators.
#ifndef STIFF_PROBLEMS_H
#define STIFF_PROBLEMS_H

#include <math.h>

#include "integrate.h"

typedef struct stiff_problem {
    double lambda; // of the problems that have one
    int    calls, jacobians;
} stiff_problem;

// Prothero and Robinson (1974): x' = lambda (x - sin t) + cos t, solved by sin t.
static inline fa_status prothero_robinson(void *context, double t, const double x[], double dx[],
                                          fa_error *error)
{
    (void)error;
    stiff_problem *p = context;
    p->calls++;
    dx[0] = p->lambda * (x[0] - sin(t)) + cos(t);
    return FA_OK;
}

static inline fa_status prothero_robinson_slopes(void *context, double t, const double x[],
                                                 double by_state[], double by_time[],
                                                 fa_error *error)
{
    (void)x, (void)error;
    stiff_problem *p = context;
    p->jacobians++;
    by_state[0] = p->lambda;
    by_time[0] = -p->lambda * cos(t) - sin(t);
    return FA_OK;
}

// Kaps: x' = (lambda - 2) x - lambda y^2, y' = x - y - y^2, solved by exp(-2t), exp(-t).
static inline fa_status kaps(void *context, double t, const double x[], double dx[],
                             fa_error *error)
{
    (void)t, (void)error;
    stiff_problem *p = context;
    p->calls++;
    dx[0] = (p->lambda - 2) * x[0] - p->lambda * x[1] * x[1];
    dx[1] = x[0] - x[1] - x[1] * x[1];
    return FA_OK;
}

static inline fa_status kaps_slopes(void *context, double t, const double x[], double by_state[],
                                    double by_time[], fa_error *error)
{
    (void)t, (void)error;
    stiff_problem *p = context;
    p->jacobians++;
    by_state[0] = p->lambda - 2;
    by_state[1] = -2 * p->lambda * x[1];
    by_state[2] = 1;
    by_state[3] = -1 - 2 * x[1];
    by_time[0] = by_time[1] = 0;
    return FA_OK;
}

// van der Pol with epsilon = 1 / lambda: x' = y, y' = ((1 - x^2) y - x) lambda.
static inline fa_status van_der_pol(void *context, double t, const double x[], double dx[],
                                    fa_error *error)
{
    (void)t, (void)error;
    stiff_problem *p = context;
    p->calls++;
    dx[0] = x[1];
    dx[1] = ((1 - x[0] * x[0]) * x[1] - x[0]) * p->lambda;
    return FA_OK;
}

static inline fa_status van_der_pol_slopes(void *context, double t, const double x[],
                                           double by_state[], double by_time[], fa_error *error)
{
    (void)t, (void)error;
    stiff_problem *p = context;
    p->jacobians++;
    by_state[0] = 0;
    by_state[1] = 1;
    by_state[2] = (-2 * x[0] * x[1] - 1) * p->lambda;
    by_state[3] = (1 - x[0] * x[0]) * p->lambda;
    by_time[0] = by_time[1] = 0;
    return FA_OK;
}

// Robertson's reaction (1966).
static inline fa_status robertson(void *context, double t, const double x[], double dx[],
                                  fa_error *error)
{
    (void)t, (void)error;
    ((stiff_problem *)context)->calls++;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
    return FA_OK;
}

static inline fa_status robertson_slopes(void *context, double t, const double x[],
                                         double by_state[], double by_time[], fa_error *error)
{
    (void)t, (void)error;
    ((stiff_problem *)context)->jacobians++;
    const double J[9] = {-0.04,
                         1e4 * x[2],
                         1e4 * x[1], //
                         0.04,
                         -1e4 * x[2] - 6e7 * x[1],
                         -1e4 * x[1], //
                         0,
                         6e7 * x[1],
                         0};
    for (int i = 0; i < 9; i++) by_state[i] = J[i];
    by_time[0] = by_time[1] = by_time[2] = 0;
    return FA_OK;
}

#endif
