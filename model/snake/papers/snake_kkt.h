// The linear equations of motion under constraints, for the two methods that keep the constraint
// forces as unknowns:
//
//     [ M  J^T ] [  x ]   [ f ]
//     [ J   0  ] [ -y ] = [ g ]        i.e.  M x = f + J^T y,  J x = g
//
// With M positive definite and the rows of J independent, L D L^T needs no pivoting: D has as many
// positive entries as M has rows, and then as many negative ones as J has.
#ifndef FA_SNAKE_KKT_H
#define FA_SNAKE_KKT_H

#include "status.h"

// A is square with n_x + n_y rows, row by row, of which the lower triangle is read and overwritten
// by the factors; `right` holds f, g and receives x, -y. FA_SINGULAR when a pivot has the wrong
// sign or is not a number.
fa_status fa_snake_kkt_solve(int n_x, int n_y, double A[], double right[]);

#endif
