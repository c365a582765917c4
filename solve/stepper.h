// What a method of integration is to the loop that drives it (integrate.c): one step at a time.
#ifndef FA_STEPPER_H
#define FA_STEPPER_H

#include "integrate.h"

#include <math.h>

// A step from t to t1 under trial. All arrays have n elements unless noted, and lie in `work`.
typedef struct fa_trial {
    const fa_problem *problem;
    double            t, t1;
    const double     *x;                  // at t
    double           *at;                 // at t1
    double           *error;              // its estimated error; NULL: the method has no estimate
    double           *point;              // somewhere between
    double           *stage;              // those of the method, first the derivative at t; 8 n
    double           *spare;              // 2 n
    double           *jacobian, *factors; // n x n each
    int              *pivot;
    bool              doubted; // the scheme's second estimate was the larger one
} fa_trial;

typedef struct fa_scheme {
    // What belongs to the point (t, x).
    fa_status (*begin)(fa_trial *trial, fa_error *error);

    // The step from t to t1: fills `at` and `error`.
    fa_status (*attempt)(fa_trial *trial, fa_error *error);

    // Fills `point` with the states at `when`, between t and t1, after an attempt.
    fa_status (*between)(fa_trial *trial, double when, fa_error *error);

    // After an accepted step: whether what begin() would do at its end is done already.
    bool (*carry_on)(fa_trial *trial);

    // After an attempt, in place of the size of `error`: the larger one of it and of a second
    // estimate, relative to the states. NULL: there is no second one.
    double (*size)(fa_trial *trial);

    // How large the error of a step is goes like its size to the power of `order`.
    int order;

    // For the choice of method, after an accepted step: about how many steps of Dormand–Prince at
    // the limit of its stability this one was long.
    double (*stability)(const fa_trial *trial);
} fa_scheme;

extern const fa_scheme fa_scheme_kutta3, fa_scheme_runge_kutta4, fa_scheme_dormand_prince,
    fa_scheme_rosenbrock;

// Steps under error control, one at a time: what fa_integrate does in a loop, for whoever drives
// several problems side by side (lockstep.h). Over and over: the scheme's begin() unless `begun`,
// fa_steps_set_out, the scheme's attempt(), fa_steps_judge, and fa_steps_go_on if that accepts it.
typedef struct fa_steps {
    const fa_problem *problem;
    const fa_solver  *solver;
    const fa_scheme  *scheme;
    fa_pace          *pace; // its `step` is read at the beginning, and is the driver's to write
    double           *t, *x;
    double            t_end;
    fa_trial          trial;
    double            h, tried; // length of the next step, 0: unknown; of the one attempted [s]
    double            hopeless; // a length of which nobody waits for so many [s]
    double            count;    // attempts so far
    bool              begun;    // what belongs to the point (t, x) is there
    bool              moved;    // accepting the last step has changed what derivatives depend on
    bool              ends;     // the attempt is to end at t_end
    bool              rejected; // the last one was
    bool              crossed;  // something switches at the end of the step accepted last
} fa_steps;

// From *t to t_end > *t. All that it points to must live as long; `work` has fa_integrate_work
// numbers.
void fa_steps_begin(fa_steps *steps, const fa_problem *problem, const fa_solver *solver, double *t,
                    double t_end, double x[], fa_pace *pace, double work[]);

// The time at which the next attempt is to end.
fa_status fa_steps_set_out(fa_steps *steps, fa_error *error);

// Whether an attempt, which ended with that status, is a step. If so, its end is in the trial, and
// points before it can be had of the scheme's between(). Fails where no shorter step could do.
fa_status fa_steps_judge(fa_steps *steps, fa_status attempted, bool *accepted, fa_error *error);

// Makes the end of an accepted step the point from which the next one starts.
void fa_steps_go_on(fa_steps *steps);

// The stages of Dormand–Prince in an attempt, one by one: where stage i (from 1, the first being
// begin()'s) is evaluated goes to trial->at, and its time is what this gives. After the last one
// the end of the step stands there; the other estimates its error.
enum { FA_DORMAND_PRINCE_STAGES = 7 };
double fa_dormand_prince_stage(const fa_trial *trial, int i);
void   fa_dormand_prince_error(const fa_trial *trial);

// dx/dt, refused if it is not finite; and that refusal alone.
fa_status fa_trial_rhs(const fa_trial *trial, double t, const double x[], double dx[],
                       fa_error *error);
fa_status fa_trial_check(const fa_trial *trial, double t, const double dx[], fa_error *error);

// What the error of state i is relative to: nominal + the larger of |x| and |y|.
static inline double fa_trial_scale(const fa_problem *problem, int i, double x, double y)
{
    const double from = fabs(x), to = fabs(y);
    return (problem->nominal ? problem->nominal[i] : 1) + (from > to ? from : to);
}

// Root mean square of v relative to that.
double fa_trial_size(const fa_problem *problem, const double v[], const double x[],
                     const double y[]);

// A Rosenbrock method in the form that needs no product with the Jacobian (rosenbrock.c).
#define FA_ROSENBROCK_STAGES 6
typedef struct fa_rosenbrock {
    double diagonal; // gamma
    double c[FA_ROSENBROCK_STAGES], d[FA_ROSENBROCK_STAGES];
    double a[FA_ROSENBROCK_STAGES][FA_ROSENBROCK_STAGES - 1];
    double C[FA_ROSENBROCK_STAGES][FA_ROSENBROCK_STAGES - 1];
    double bend[FA_ROSENBROCK_STAGES], twist[FA_ROSENBROCK_STAGES]; // between two points
} fa_rosenbrock;

extern const fa_rosenbrock fa_rodasp;

// Longest step of Dormand–Prince that is stable: |h lambda| on the negative real axis (Hairer and
// Wanner, "Solving Ordinary Differential Equations II" (1996), section IV.2, take 3.25 to be sure).
#define FA_STABLE_STEP 3.25

#endif
