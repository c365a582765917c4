// Motions that tell much about an arm's masses: finite Fourier series of each joint, within the
// limits of the drawing, with a small condition number of the equations that they lead to.
#ifndef FA_EXCITATION_H
#define FA_EXCITATION_H

#include "identification.h"

// What a joint may do; infinite: no limit.
typedef struct fa_motion_limit {
    double lower, upper, speed, acceleration, effort;
} fa_motion_limit;

// q = middle + sum over k = 1 .. harmonics of (a[k] sin(k w t) - b[k] cos(k w t)) / (k w), w = 2 pi
// / period; at rest, without acceleration, at time 0 and after each period.
typedef struct fa_excitation {
    int     n, harmonics;
    double  period;              // [s]
    double *middle, *a, *b;      // of each joint: 1, harmonics, harmonics
    double  condition, starting; // of the motion found, and of the first one that was drawn
} fa_excitation;

// Looks for a motion, from a seed. Release with fa_excitation_free, also after a failure.
fa_status fa_excite(const fa_arm_dynamics *dynamics, const fa_motion_limit limit[], double period,
                    int harmonics, uint64_t seed, fa_excitation *found, fa_error *error);
void      fa_excitation_free(fa_excitation *found);

// Positions, speeds and accelerations of all joints at time t.
void fa_excitation_at(const fa_excitation *of, double t, double q[], double qd[], double qdd[]);

#endif
