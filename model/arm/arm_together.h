// The accelerations of many arms at once: of arms that differ in their states and in what acts at
// their joints, and move the same bodies. FMUs have one arm each, and do without.
#ifndef FA_ARM_TOGETHER_H
#define FA_ARM_TOGETHER_H

#include "arm.h"

typedef struct fa_arms fa_arms;

// Bytes for up to `most` arms, and what is laid out there: whatever moves as `like` does, with
// parameters as it has them now. `like` must live as long, with these parameters.
size_t   fa_arms_size(const fa_arm *like, int most);
fa_arms *fa_arms_place(void *memory, const fa_arm *like, const double value[], int most);

// Returns true if an arm of the same robot, configured with these values, fits the batch: the same
// inertias, rotors, gravity and `deterministic`, no locks, no cylinders, fixed ground. Only its
// parameters matter.
bool fa_arms_fit(const fa_arms *arms, const fa_arm *arm, const double value[]);

// FA_GROUP_DERIVATIVES of n such arms: what evaluating each alone comes to, but for the last digits
// (model/dynamics/fast/batch.h). What one arm gets does not depend on the others. answered[i] is
// false where there are no finite accelerations; evaluating that arm alone says why.
void fa_arms_evaluate(fa_arms *arms, int n, fa_arm *const arm[], double *const value[],
                      bool answered[]);

#endif
