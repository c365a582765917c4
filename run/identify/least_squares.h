// Weighted least squares for the base parameters of an identification.
#ifndef FA_LEAST_SQUARES_H
#define FA_LEAST_SQUARES_H

#include "identification.h"

// Linear equations of a log: for each joint and kept sample a row of base columns, and a torque.
typedef struct fa_log_equations {
    size_t  rows;
    double *A, *b;    // rows x rank
    double *time;     // time of each row since the log began [s]
    int    *joint;    // joint of each row
    bool   *adjacent; // the previous row is the previous sample of the same joint
} fa_log_equations;

// Estimates the base parameters with each joint's own noise, and their confidence intervals: base,
// base_sd, excited, normal, condition and noise of `to`. Parameters that the log does not excite
// keep their nominal values. With `robust`, residuals beyond 1.345 standard deviations of their
// joint count less (Huber 1964).
fa_status fa_least_squares(const fa_log_equations *e, const double drawn_base[], bool robust,
                           fa_identification *to, fa_error *error);

// Residual of a row for these base parameters.
double fa_residual(const fa_log_equations *e, size_t row, int rank, const double base[]);

#endif
