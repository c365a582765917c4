// Joints of loops that something holds, and the efforts that this takes. All of it after
// fa_loops_factor at the same pose.
#ifndef FA_LOOP_HOLDS_H
#define FA_LOOP_HOLDS_H

#include "loops.h"

// Fills work->G_left, the motion that is left, and work->gone. held[]: by coordinates; NULL: none
// is, and nothing is gone.
void fa_loops_hold(const fa_loops *loops, const bool held[], fa_loop_work *work);

// Of accelerations that keep the loops, those that keep what is held, too; and the transpose.
void fa_loops_pin(const fa_loops *loops, double x[], fa_loop_work *work);
void fa_loops_pin_transposed(const fa_loops *loops, double y[], fa_loop_work *work);

// Efforts mu at what is held that carry b, the efforts that the motion needs and nobody gives:
// least norm where they are not determined. `among`: the motion that mu is taken from at what is
// held, NULL: not asked for. The transpose, from `given` at what is held to b.
void fa_loops_share(const fa_loops *loops, const bool held[], const double b[], double mu[],
                    double among[], fa_loop_work *work);
void fa_loops_share_transposed(const fa_loops *loops, const bool held[], const double given[],
                               double b[], fa_loop_work *work);

// Whether more is held than freedoms are gone, so that the norm decides.
bool fa_loops_share_is_free(const fa_loops *loops, const bool held[], const fa_loop_work *work);

#endif
