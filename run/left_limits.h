// Joints that leave their limits while something is simulated, with nothing there to stop them.
#ifndef FA_LEFT_LIMITS_H
#define FA_LEFT_LIMITS_H

#include "limited_joints.h"
#include "state.h"

typedef struct fa_limited {
    const char      *name; // of the joint
    fa_limited_joint rows;
    bool             left;
    double           since; // when a sample was first beyond a limit [s]
    double           when;  // when it was farthest beyond one [s]
    double           by;    // how far [rad] or [m]
    double           limit; // which one
    double           run;   // of several: where it was farthest
    double           first; // and the first in which it left them
    fa_unit          unit;
} fa_limited;

typedef struct fa_limits {
    bool        several; // runs, told apart by their numbers
    double      run;     // the one that is looked at
    int         n;
    fa_limited *of;
} fa_limits;

// The joints of the robot that have limits and no stop. It must stay where it is. Release with
// fa_limits_free, also after a failure.
fa_status fa_limits_new(const fa_robot *robot, const fa_variables *table, fa_limits *limits,
                        fa_error *error);
void      fa_limits_free(fa_limits *limits);

// Looks at a sample: value[] has every row.
void fa_limits_look(fa_limits *limits, double t, const double value[]);

#endif
