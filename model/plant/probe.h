// Which known variable really has an effect on which calculated one.
//
// A plant answers by structure: what is on the way to the tip, what hangs on the same joint. A
// robot's geometry takes some of it away again: where all axes are parallel, nothing moves along
// them. The functions are analytic, so a derivative that vanishes at a few random points vanishes
// everywhere but on a set of measure zero. Random are the parameters too: that a friction is zero
// today does not make the acceleration independent of it. Modes are drawn, too: an effect that is
// there in one of them is listed.
#ifndef FA_PROBE_H
#define FA_PROBE_H

#include "plant.h"

typedef struct fa_probe {
    int   n;      // rows
    char *effect; // n squared, of unknown and known; NULL: nothing was found out
} fa_probe;

// A list of dependencies needs one question to the plant for each pair of an unknown and a known.
// Above this many pairs (a serial arm of about 120 joints; a second of questions and ten megabytes
// of lists) there is none, which the standards define as: may depend on anything.
#define FA_DEPENDENCY_PAIRS_MAX 1000000
bool fa_probe_fits(const fa_variables *variables);

// Evaluates the plant at random points. Where it cannot be evaluated, every effect is taken to be
// there. The points are the same in each run. Release with fa_probe_free.
fa_status fa_probe_take(const fa_plant *plant, const fa_robot *robot, const fa_variables *variables,
                        fa_probe *probe, fa_error *error);
void      fa_probe_free(fa_probe *probe);

// Whether a calculated row changes with a known one; of what a state starts from, ask the state.
bool fa_probe_effect(const fa_probe *probe, int unknown, int known);

#endif
