// The solution of n equations in n unknowns that lies nearest to where one starts, within bounds.
#ifndef FA_NEAREST_ROOT_H
#define FA_NEAREST_ROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct fa_roots {
    int           n;
    const double *lower, *upper; // bounds, infinite where there are none
    const bool   *turns;         // an angle: a whole turn more is the same, if the equations say so

    // What is missing at x; and by_x[i * n + k], how missing k changes with x i, where missing has
    // been found last. A status other than FA_OK: there is no answer at this x.
    fa_status (*missing)(void *context, const double x[], double missing[], fa_error *error);
    fa_status (*slopes)(void *context, const double x[], double by_x[], fa_error *error);
    void  *context;
    double size; // of a number in missing that is not small
} fa_roots;

// In doubles: the scratch memory for fa_nearest_root.
size_t fa_nearest_root_work(int n);

// Replaces the start x by the nearest root found, where nothing but rounding is missing, and sets
// *least to 0. Angles end at most half a turn from the start where bounds allow. Where no root is
// found, x stays and *least is the smallest norm of what is missing that the search has met.
//
// The method is Gauss-Newton with damping. Its sum of squares has valleys without a root, so it
// begins at the start, at poses into which the equations, taken as a force, push x, and at points
// drawn about the start no farther away than the nearest root so far. The same input gives the same
// answer.
fa_status fa_nearest_root(const fa_roots *roots, double x[], double *least, double work[],
                          fa_error *error);

#endif
