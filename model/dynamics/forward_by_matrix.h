// Forward dynamics of every method that has inverse dynamics and a mass matrix, the first three
// methods of Walker and Orin: the bias is the inverse dynamics of zero acceleration, and the
// accelerations solve M qdd = tau - bias.
#ifndef FA_FORWARD_BY_MATRIX_H
#define FA_FORWARD_BY_MATRIX_H

#include "dynamics.h"

// `work` holds fa_forward_by_matrix_size(chain) bytes and, behind them, what the larger of the two
// calls needs.
size_t    fa_forward_by_matrix_size(const fa_chain *chain);
fa_status fa_forward_by_matrix(fa_inverse_fn *inverse, fa_mass_matrix_fn *mass_matrix,
                               const fa_chain *chain, const double q[], const double qd[],
                               const double tau[], const fa_load *load, double qdd[], void *work);

#endif
