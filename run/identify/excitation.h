// Excitation trajectories for identification: finite Fourier series of each joint, within the
// limits of the robot file, that minimise the condition number of the regression.
#ifndef FA_EXCITATION_H
#define FA_EXCITATION_H

#include "identification.h"

// Limits of a joint; infinite: no limit.
typedef struct fa_motion_limit {
    double lower, upper, speed, acceleration, effort;
} fa_motion_limit;

// q = middle + sum over k = 1 .. harmonics of (a[k] sin(k w t) - b[k] cos(k w t)) / (k w), w = 2 pi
// / period; at rest, without acceleration, at time 0 and after each period.
typedef struct fa_excitation {
    int     n, harmonics;
    double  period;              // [s]
    double *middle, *a, *b;      // for each joint: 1, harmonics, harmonics numbers
    double  condition, starting; // condition numbers of the result and of the first candidate
} fa_excitation;

// Searches for a trajectory, from a seed. Release with fa_excitation_free, also after a failure.
fa_status fa_excite(const fa_arm_dynamics *dynamics, const fa_motion_limit limit[], double period,
                    int harmonics, uint64_t seed, fa_excitation *found, fa_error *error);
void      fa_excitation_free(fa_excitation *found);

// Positions, speeds and accelerations of all joints at time t.
void fa_excitation_at(const fa_excitation *of, double t, double q[], double qd[], double qdd[]);

#endif
