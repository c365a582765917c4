// Rank of the rows of loops, the choice of independent coordinates, the rows that are kept, and the
// blocks by which dependents follow.
#ifndef FA_LOOP_CHOICE_H
#define FA_LOOP_CHOICE_H

#include "loops.h"

// Builds the parts that follow from the tree alone: everything but dependents, independents, rows
// and blocks.
fa_loops *fa_loops_outline(const fa_chain *chain, const fa_constraint constraint[], int n,
                           const double q[], fa_loop_report *report);

// Fills in the rest at the closed pose q. False with a report.
bool fa_loops_choose(fa_loops *loops, const fa_chain *chain, const fa_loop_wishes *wishes,
                     const double q[], fa_loop_report *report);

#endif
