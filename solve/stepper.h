// Interface of an integration method to the loop in integrate.c: one step at a time.
#ifndef FA_STEPPER_H
#define FA_STEPPER_H

#include "integrate.h"

#include <math.h>

// An attempted step from t to t1. All arrays have n elements unless noted, and are parts of `work`.
typedef struct fa_trial {
    const fa_problem *problem;
    double            t, t1;
    const double     *x;                  // state at t
    double           *at;                 // state at t1
    double           *error;              // estimated error at t1; NULL: the method has no estimate
    double           *point;              // interpolated state
    double           *stage;              // the method's stages, first the derivative at t; 8 n
    double           *spare;              // 2 n
    double           *jacobian, *factors; // n x n each
    int              *pivot;
    bool              doubted; // the second error estimate was the larger one
} fa_trial;

typedef struct fa_scheme {
    // Evaluates derivative and Jacobian at (t, x).
    fa_status (*begin)(fa_trial *trial, fa_error *error);

    // Attempts the step from t to t1: fills `at` and `error`.
    fa_status (*attempt)(fa_trial *trial, fa_error *error);

    // Interpolation: fills `point` with the states at `when`, between t and t1, after an attempt.
    fa_status (*between)(fa_trial *trial, double when, fa_error *error);

    // After an accepted step: returns true if begin() is not needed at its end (first same as
    // last).
    bool (*carry_on)(fa_trial *trial);

    // Returns the size of the error relative to the states, as the larger one of two estimates.
    // NULL: the size of `error` is used.
    double (*size)(fa_trial *trial);

    // The error of a step is proportional to its size to the power of `order`.
    int order;

    // Returns the step relative to the limit of stability of Dormand–Prince, after an accepted
    // step.
    double (*stability)(const fa_trial *trial);
} fa_scheme;

extern const fa_scheme fa_scheme_kutta3, fa_scheme_runge_kutta4, fa_scheme_dormand_prince,
    fa_scheme_rosenbrock;

// The loop of fa_integrate as single steps, for lockstep.h, which integrates several problems
// together. Repeat: the scheme's begin() unless `begun`, fa_steps_set_out, the scheme's attempt(),
// fa_steps_judge, and fa_steps_go_on if the step is accepted.
typedef struct fa_steps {
    const fa_problem *problem;
    const fa_solver  *solver;
    const fa_scheme  *scheme;
    fa_pace          *pace; // `step` is read at the beginning; the driver writes it back
    double           *t, *x;
    double            t_end;
    fa_trial          trial;
    double            h, tried; // next step size, 0: unknown; attempted step size [s]
    double hopeless; // a step size below which the integration would take too many steps [s]
    double count;    // number of attempts
    bool   begun;    // begin() is done at (t, x)
    bool   moved;    // the accepted() callback has changed data that derivatives depend on
    bool   ends;     // the attempt extends to t_end
    bool   rejected; // the last attempt was rejected
    bool   crossed;  // the last accepted step ends at an event
} fa_steps;

// Begins an integration from *t to t_end > *t. All arguments must outlive the steps; `work` has
// fa_integrate_work numbers.
void fa_steps_begin(fa_steps *steps, const fa_problem *problem, const fa_solver *solver, double *t,
                    double t_end, double x[], fa_pace *pace, double work[]);

// Chooses the end of the next attempt.
fa_status fa_steps_set_out(fa_steps *steps, fa_error *error);

// Decides whether an attempt with this status is accepted. If so, its end is in the trial, and
// between() interpolates. Fails if no shorter step can succeed.
fa_status fa_steps_judge(fa_steps *steps, fa_status attempted, bool *accepted, fa_error *error);

// Advances to the end of an accepted step.
void fa_steps_go_on(fa_steps *steps);

// The stages of Dormand–Prince one by one. The first function writes the point of stage i (from 1;
// begin() evaluates stage 0) to trial->at and returns its time. After the last stage trial->at is
// the end of the step; the second function estimates its error.
enum { FA_DORMAND_PRINCE_STAGES = 7 };
double fa_dormand_prince_stage(const fa_trial *trial, int i);
void   fa_dormand_prince_error(const fa_trial *trial);

// Evaluates dx/dt and fails if it is not finite; and that check alone.
fa_status fa_trial_rhs(const fa_trial *trial, double t, const double x[], double dx[],
                       fa_error *error);
fa_status fa_trial_check(const fa_trial *trial, double t, const double dx[], fa_error *error);

// Returns the scale of state i's error: nominal + the larger of |x| and |y|.
static inline double fa_trial_scale(const fa_problem *problem, int i, double x, double y)
{
    const double from = fabs(x), to = fabs(y);
    return (problem->nominal ? problem->nominal[i] : 1) + (from > to ? from : to);
}

// Returns the root mean square of v relative to that scale.
double fa_trial_size(const fa_problem *problem, const double v[], const double x[],
                     const double y[]);

// Coefficients of a Rosenbrock method, in the form without products with the Jacobian
// (rosenbrock.c).
#define FA_ROSENBROCK_STAGES 6
typedef struct fa_rosenbrock {
    double diagonal; // gamma
    double c[FA_ROSENBROCK_STAGES], d[FA_ROSENBROCK_STAGES];
    double a[FA_ROSENBROCK_STAGES][FA_ROSENBROCK_STAGES - 1];
    double C[FA_ROSENBROCK_STAGES][FA_ROSENBROCK_STAGES - 1];
    double bend[FA_ROSENBROCK_STAGES], twist[FA_ROSENBROCK_STAGES]; // interpolation
} fa_rosenbrock;

extern const fa_rosenbrock fa_rodasp;

// Limit of stability of Dormand–Prince: largest |h lambda| on the negative real axis (Hairer and
// Wanner, "Solving Ordinary Differential Equations II" (1996), section IV.2, use 3.25 to be safe).
#define FA_STABLE_STEP 3.25

#endif
