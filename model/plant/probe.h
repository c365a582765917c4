// Measures which known variables have an effect on which computed ones.
//
// A plant decides dependencies by structure: joints on the path to the tip, elements at the same
// joint. A robot's geometry may cancel some of them: where all axes are parallel, nothing moves
// along them. The functions are analytic, so a derivative that vanishes at a few random points
// vanishes almost everywhere. Parameters are random, too: a friction that is zero today still has
// an effect. So are modes: an effect in one of them counts.
#ifndef FA_PROBE_H
#define FA_PROBE_H

#include "plant.h"

typedef struct fa_probe {
    int   n;      // number of rows
    char *effect; // n squared, by unknown and known; NULL: not measured
} fa_probe;

// A list of dependencies needs one question to the plant for each pair of an unknown and a known.
// Above this many pairs (a serial arm of about 120 joints; a second of questions and ten megabytes
// of lists) there is none, which the standards define as: may depend on anything.
#define FA_DEPENDENCY_PAIRS_MAX 1000000
bool fa_probe_fits(const fa_variables *variables);

// Evaluates the plant at random points, the same in each run. If that fails, all effects count as
// present. Release with fa_probe_free.
fa_status fa_probe_take(const fa_plant *plant, const fa_robot *robot, const fa_variables *variables,
                        fa_probe *probe, fa_error *error);
void      fa_probe_free(fa_probe *probe);

// Returns true if a known row has an effect on a computed one. For a start value, pass its state.
bool fa_probe_effect(const fa_probe *probe, int unknown, int known);

#endif
