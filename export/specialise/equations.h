// The equations of motion of one arm as expressions: the composite bodies' mass matrix, the forces
// of a motion without acceleration, and the solution by L^T D L from the tip
// (docs/theory/specialised.md).
#ifndef FA_EQUATIONS_H
#define FA_EQUATIONS_H

#include "chain.h"
#include "frames.h"
#include "graph.h"

typedef struct fa_equations {
    int     n;
    fa_node qdd[FA_SPECIAL_MAX];
    // Diagonal elements of the mass matrix over their pivots: how much of it the other joints took.
    fa_node lost[FA_SPECIAL_MAX];
    // How the torques of inverse dynamics change with q and with qd, and L below the diagonal with
    // 1 / D on it: 3 n squared nodes, matrix after matrix, row by row, which read FA_INPUT_QDD and
    // not FA_INPUT_TAU. How qdd changes follows from that. NULL: not written.
    fa_node *slopes;
} fa_equations;

// For a chain that is not coupled and not on moving ground, of at most FA_SPECIAL_MAX bodies. What
// depends on inertias, rotors and gravity reads FA_INPUT_PARAMETER; with `zeros` those that are
// zero in the chain are left out.
void fa_equations_write(fa_graph *graph, const fa_chain *chain, bool zeros,
                        fa_equations *equations);

// Writes equations->slopes, which the caller releases with free. FA_NO_MEMORY without a message.
fa_status fa_equations_differentiate(fa_graph *graph, const fa_chain *chain, bool zeros,
                                     fa_equations *equations);

// How qdd changes with q, qd and tau, matrix after matrix, row by row, from the values of nodes: as
// fast_solve.h finds it in lanes.
void fa_equations_jacobian(const fa_equations *equations, const double value[], double jacobian[]);

// How many operations one evaluation takes, without those on parameters alone; of slopes, which
// must have been written. -1 when there is not enough memory to count them.
int fa_equations_operations(const fa_graph *graph, const fa_equations *equations);
int fa_slopes_operations(const fa_graph *graph, const fa_equations *equations);

#endif
