// What a method of integration is to the loop that drives it (integrate.c): one step at a time.
#ifndef FA_STEPPER_H
#define FA_STEPPER_H

#include "integrate.h"

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

    // How large the error of a step is goes like its size to the power of `order`.
    int order;

    // For the choice of method, after an accepted step: about how many steps of Dormand–Prince at
    // the limit of its stability this one was long.
    double (*stability)(const fa_trial *trial);
} fa_scheme;

extern const fa_scheme fa_scheme_kutta3, fa_scheme_runge_kutta4, fa_scheme_dormand_prince,
    fa_scheme_rosenbrock;

// dx/dt, refused if it is not finite.
fa_status fa_trial_rhs(const fa_trial *trial, double t, const double x[], double dx[],
                       fa_error *error);

// Root mean square of v relative to nominal + the larger of |x| and |y|.
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
