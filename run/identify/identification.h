// Identifies mass parameters, rotors and friction of an arm from a log of positions and torques,
// with confidence intervals and physically consistent masses.
//
// Base parameters are the combinations that torques depend on; weighted least squares with each
// joint's own noise estimate them. The full parameters are regularised by their nominal values:
// among those that explain the torques, the result has pseudo-inertias closest to the nominal ones
// (Wensing, Kim and Slotine 2018; Lee, Wensing and Park 2020).
#ifndef FA_IDENTIFICATION_H
#define FA_IDENTIFICATION_H

#include "arm_dynamics.h"

#define FA_TWO_SIDED 1.959963984540054 // standard deviations of a 95 % interval

enum { FA_EXTRA_ROTOR, FA_EXTRA_VISCOUS, FA_EXTRA_COULOMB, FA_EXTRAS };
enum { FA_WRENCH_SIZE = 6, FA_SPECTRUM_LINES = 64 };

// A log: n_samples lines at equal steps, a number for each joint.
typedef struct fa_motion_log {
    int     n; // number of joints
    size_t  n_samples;
    double  step;               // [s]
    double *q, *tau, *qd, *qdd; // qd, qdd: NULL if the log has none; then derivatives of q
    double *wrench;             // force and torque on the arm at the tip, world axes; NULL: none
} fa_motion_log;

typedef struct fa_identification_options {
    double cutoff; // of the filter [1/s]; NAN: from the log's spectrum
    double prior;  // share by which the nominal masses and moments are thickened; 0: not
    bool   robust; // residuals beyond 1.345 standard deviations count less (Huber 1964)
} fa_identification_options;

typedef struct fa_identification {
    int n, n_links;   // number of joints, and of moving links
    int n_parameters; // 10 for each link, then rotor, viscous and Coulomb friction of all joints
    // Base parameters: pivots and combinations, rank x n_parameters.
    int     rank;
    int    *pivot;
    double *combination, *base, *base_sd;
    bool   *excited; // the log determines this base parameter
    double *normal;  // rank x rank: the inverse of their covariance
    double  condition;
    double  cutoff;               // cutoff frequency of the filter [1/s]
    double *noise, *validation;   // for each joint: root mean square of the residuals
    double *drawing, *value, *sd; // for all parameters; drawing: nominal values
    bool   *by_data;
    int     rounds;   // iterations of Newton's method
    double *rows;     // for each joint: number of equations
    double *spectrum; // n x FA_SPECTRUM_LINES: amplitudes of the residuals of base parameters
    // Base parameter that is farthest outside its interval in the result, its value there, and the
    // parameter whose bound is closest; -1: none is outside.
    int    outside, bound;
    double outside_value;
} fa_identification;

// Runs the whole identification; `dynamics` belongs to an inverse plant. `validate` may be NULL.
// Release with fa_identification_free, also after a failure.
fa_status fa_identify(const fa_arm_dynamics *dynamics, const fa_motion_log *log,
                      const fa_motion_log *validate, const fa_identification_options *how,
                      fa_identification *found, fa_error *error);
void      fa_identification_free(fa_identification *found);

// Frequency of a line of the spectrum [1/s]: up to the cutoff.
static inline double fa_spectrum_frequency(const fa_identification *found, int line)
{
    return found->cutoff * (line + 1) / FA_SPECTRUM_LINES;
}

// Its steps: torques of all joints as linear functions of all parameters, n x n_parameters, at a
// motion; base parameters of the geometry, into n, n_links, n_parameters, rank, pivot and
// combination; and the nominal parameters of the file.
void      fa_identification_columns(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                    const double q[], const double qd[], const double qdd[],
                                    int n_parameters, double Y[]);
fa_status fa_identification_base(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                 fa_identification *found, fa_error *error);
void      fa_identification_drawing(const fa_arm_dynamics *dynamics, const fa_identification *found,
                                    double drawing[]);

// Returns the name of a parameter: link.<l>.mass …, joint.<j>.rotor_inertia …
typedef struct fa_parameter_name {
    char text[2 * FA_NAME_SIZE];
} fa_parameter_name;
fa_parameter_name fa_identified_name(const fa_arm_dynamics *dynamics, int parameter);

// Converts mass, centre of mass and inertia into linear parameters (first and second moments).
void fa_mass_parameters(double mass, fa_vec3 com, fa_sym3 inertia, double parameter[]);
void fa_mass_of_parameters(const double parameter[], double *mass, fa_vec3 *com, fa_sym3 *inertia);

// Finds the closest parameters with positive pseudo-inertias (physical.c), from a quadratic form
// about `base`. value[] enters with the nominal values. sd[] receives the roots of the diagonal of
// the inverse Hessian.
fa_status fa_make_physical(const fa_identification *found, double prior, double value[],
                           double sd[], bool by_data[], int *rounds, int *worst, fa_error *error);

// Returns the parameter of this base parameter that is closest to its bound: the first one of the
// link whose pseudo-inertia has shrunk most, or a rotor or friction that has.
int fa_nearest_bound(const fa_identification *found, int base);

#endif
