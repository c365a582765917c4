// Mass matrix, bias forces, then a linear solution.
#include "forward_by_matrix.h"

#include <string.h>

#include "cholesky.h"
#include "methods.h"

size_t fa_forward_by_matrix_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n_coordinates;
    return (n * n + n) * sizeof(double);
}

fa_status fa_forward_by_matrix(fa_inverse_fn *inverse, fa_mass_matrix_fn *mass_matrix,
                               const fa_chain *chain, const double q[], const double qd[],
                               const double tau[], const fa_load *load, double qdd[], void *work)
{
    const int n = chain->n_coordinates;
    double   *M = work, *zero = M + (size_t)n * (size_t)n;
    void     *rest = zero + n;
    memset(zero, 0, (size_t)n * sizeof *zero);

    fa_status status = inverse(chain, q, qd, zero, load, qdd, rest);
    if (status != FA_OK) return status;
    for (int i = 0; i < n; i++) qdd[i] = tau[i] - qdd[i]; // tau less the bias
    status = mass_matrix(chain, q, M, rest);
    if (status != FA_OK) return status;
    fa_chain_hold(chain, M);
    for (int i = 0; chain->held && i < n; i++)
        if (chain->held[i]) qdd[i] = 0;
    status = fa_cholesky_factor(n, M);
    if (status != FA_OK) return status;
    fa_cholesky_solve(n, M, qdd);
    return fa_all_finite(qdd, n) ? FA_OK : FA_NOT_FINITE;
}
