// The equations of motion of one arm as expression graphs: the composite bodies' mass matrix, the
// bias forces, and the solution by L^T D L from the tip (docs/theory/specialised.md).
#ifndef FA_EQUATIONS_H
#define FA_EQUATIONS_H

#include "chain.h"
#include "frames.h"
#include "graph.h"

typedef struct fa_equations {
    int     n;
    fa_node qdd[FA_SPECIAL_MAX];
    // Diagonal elements of the mass matrix over their pivots: a measure of ill-conditioning.
    fa_node lost[FA_SPECIAL_MAX];
    // Derivatives of inverse dynamics by q and by qd, and L below the diagonal with 1 / D on it: 3
    // n squared nodes, matrix by matrix, row by row. They read FA_INPUT_QDD and not FA_INPUT_TAU;
    // the derivatives of qdd follow from them. NULL: not built.
    fa_node *slopes;
} fa_equations;

// Builds the equations of a chain without coupled joints, on fixed ground, with at most
// FA_SPECIAL_MAX bodies. Inertias, rotors and gravity are read from FA_INPUT_PARAMETER; `zeros`:
// parameters that are zero in the chain are left out.
void fa_equations_write(fa_graph *graph, const fa_chain *chain, bool zeros,
                        fa_equations *equations);

// Builds equations->slopes, which the caller frees. FA_NO_MEMORY without a message.
fa_status fa_equations_differentiate(fa_graph *graph, const fa_chain *chain, bool zeros,
                                     fa_equations *equations);

// Computes the derivatives of qdd by q, qd and tau, matrix by matrix, row by row, from the nodes'
// values; fast_solve.h does the same in lanes.
void fa_equations_jacobian(const fa_equations *equations, const double value[], double jacobian[]);

// Returns the number of operations of one evaluation, without those on parameters alone; and that
// of slopes, which must have been built. -1 without memory for counting.
int fa_equations_operations(const fa_graph *graph, const fa_equations *equations);
int fa_slopes_operations(const fa_graph *graph, const fa_equations *equations);

#endif
