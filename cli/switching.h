// What switches in a plant while `forearm simulate` integrates it: the same as in Co-Simulation.
#ifndef FA_SWITCHING_H
#define FA_SWITCHING_H

#include "state.h"

typedef struct fa_switching {
    fa_state *state;
    bool      switches;   // something can switch after the start
    bool      settled;    // the first updates, when a run starts, are done
    unsigned  groups;     // of the indicators
    bool     *above;      // of each: whether it was positive after the last update
    double    next_event; // that the plant announced, infinite if none [s]
} fa_switching;

fa_status fa_switching_new(fa_state *state, fa_switching *switching, fa_error *error);
void      fa_switching_free(fa_switching *switching);

// Discrete updates at the values that the state has, until there are no more.
fa_status fa_switching_settle(fa_switching *switching, fa_error *error);

// Whether some indicator has changed its sign since.
fa_status fa_switching_due(const fa_switching *switching, bool *due, fa_error *error);

#endif
