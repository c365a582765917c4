// Mass parameters, rotors and friction of an arm from a log of positions and torques: what the log
// decides, with intervals, and masses that a body can have.
//
// Base parameters are the combinations that torques depend on; weighted least squares with each
// joint's own noise find them. All others follow from the drawing: of the parameters that explain
// the torques, those whose pseudo-inertias are closest to the drawing's (Wensing, Kim and Slotine
// 2018; Lee, Wensing and Park 2020).
#ifndef FA_IDENTIFICATION_H
#define FA_IDENTIFICATION_H

#include "arm_dynamics.h"

enum { FA_EXTRA_ROTOR, FA_EXTRA_VISCOUS, FA_EXTRA_COULOMB, FA_EXTRAS };

// A log: n_samples lines at equal steps, a number for each joint.
typedef struct fa_motion_log {
    int     n; // joints
    size_t  n_samples;
    double  step;               // [s]
    double *q, *tau, *qd, *qdd; // qd, qdd: NULL where the log has none, and they follow from q
} fa_motion_log;

typedef struct fa_identification {
    int n, n_links;   // joints; links that move
    int n_parameters; // 10 of each link, then rotors, viscous and Coulomb friction of all joints
    // Base parameters: pivots and combinations, rank x n_parameters.
    int     rank;
    int    *pivot;
    double *combination, *base, *base_sd;
    bool   *excited; // by this log
    double *normal;  // rank x rank: the inverse of their covariance
    double  condition;
    double  cutoff;               // of the filter [1/s]
    double *noise, *validation;   // of each joint: residuals' root mean square
    double *drawing, *value, *sd; // of all parameters
    bool   *by_data;
    int     rounds; // of Newton's method
} fa_identification;

// Everything there is to say; `dynamics` is of an inverse plant. cutoff NAN: from the log's
// spectrum. `validate` may be NULL. Release with fa_identification_free, also after a failure.
fa_status fa_identify(const fa_arm_dynamics *dynamics, const fa_motion_log *log,
                      const fa_motion_log *validate, double cutoff, double prior,
                      fa_identification *found, fa_error *error);
void      fa_identification_free(fa_identification *found);

// Its parts: torques of all joints as linear functions of all parameters, n x n_parameters, at a
// motion; base parameters of the geometry, into n, n_links, n_parameters, rank, pivot and
// combination; and the parameters of the file.
void      fa_identification_columns(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                    const double q[], const double qd[], const double qdd[],
                                    int n_parameters, double Y[]);
fa_status fa_identification_base(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                                 fa_identification *found, fa_error *error);
void      fa_identification_drawing(const fa_arm_dynamics *dynamics, const fa_identification *found,
                                    double drawing[]);

// The name of a parameter: link.<l>.mass …, joint.<j>.rotor_inertia …
typedef struct fa_parameter_name {
    char text[2 * FA_NAME_SIZE];
} fa_parameter_name;
fa_parameter_name fa_identified_name(const fa_arm_dynamics *dynamics, int parameter);

// The parameters that hold a link's mass, as masses and moments about its centre of mass.
void fa_mass_parameters(double mass, fa_vec3 com, fa_sym3 inertia, double parameter[]);
void fa_mass_of_parameters(const double parameter[], double *mass, fa_vec3 *com, fa_sym3 *inertia);

// The closest parameters with positive pseudo-inertias (physical.c): from a quadratic form about
// `base` to value[], which begins as the drawing; its inverse Hessian's diagonal's roots to sd[].
fa_status fa_make_physical(const fa_identification *found, double prior, double value[],
                           double sd[], bool by_data[], int *rounds, int *worst, fa_error *error);

#endif
