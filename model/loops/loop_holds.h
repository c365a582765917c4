// Locked joints in loops, and the efforts of the locks. All functions require fa_loops_factor at
// the same pose.
#ifndef FA_LOOP_HOLDS_H
#define FA_LOOP_HOLDS_H

#include "loops.h"

// Computes work->G_left, the remaining motion, and work->gone. held[]: by coordinate; NULL: none is
// locked.
void fa_loops_hold(const fa_loops *loops, const bool held[], fa_loop_work *work);

// Projects accelerations that satisfy the loops to those with locked joints; and the transpose.
void fa_loops_pin(const fa_loops *loops, double x[], fa_loop_work *work);
void fa_loops_pin_transposed(const fa_loops *loops, double y[], fa_loop_work *work);

// Efforts mu at what is held that carry b, the efforts that the motion needs and nobody gives:
// least norm where they are not determined. `among`: the motion that mu is taken from at what is
// held, NULL: not asked for. The transpose, from `given` at what is held to b.
void fa_loops_share(const fa_loops *loops, const bool held[], const double b[], double mu[],
                    double among[], fa_loop_work *work);
void fa_loops_share_transposed(const fa_loops *loops, const bool held[], const double given[],
                               double b[], fa_loop_work *work);

// Returns true if locks are redundant, so that least norm decides.
bool fa_loops_share_is_free(const fa_loops *loops, const bool held[], const fa_loop_work *work);

#endif
