// Finds the root of n equations in n unknowns that is nearest to the start, within bounds.
#ifndef FA_NEAREST_ROOT_H
#define FA_NEAREST_ROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct fa_roots {
    int           n;
    const double *lower, *upper; // bounds, infinite if there are none
    const bool   *turns;         // periodic angles: a whole turn more may be the same root

    // Residual at x; and its Jacobian, by_x[i * n + k] the derivative of missing k by x i, where
    // the residual was evaluated last. A status other than FA_OK: the equations have no value at
    // this x.
    fa_status (*missing)(void *context, const double x[], double missing[], fa_error *error);
    fa_status (*slopes)(void *context, const double x[], double by_x[], fa_error *error);
    void  *context;
    double size; // magnitude of the residual, for relative tolerances
} fa_roots;

// Size of the scratch memory of fa_nearest_root, in doubles.
size_t fa_nearest_root_work(int n);

// Replaces the start x by the nearest root found and sets *least to 0. Angles end at most half a
// turn from the start where bounds allow. If no root is found, x is unchanged and *least is the
// smallest norm of the residual that occurred.
//
// The method is damped Gauss-Newton. Its sum of squares has local minima without a root. So it
// starts from the given point, from points to which the equations, as a force, move x, and from
// random points around the start, no farther away than the nearest root so far. The same input
// gives the same result.
fa_status fa_nearest_root(const fa_roots *roots, double x[], double *least, double work[],
                          fa_error *error);

#endif
