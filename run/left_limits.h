// Joint limits that a simulation exceeds, at joints without a stop.
#ifndef FA_LEFT_LIMITS_H
#define FA_LEFT_LIMITS_H

#include "limited_joints.h"
#include "state.h"

typedef struct fa_limited {
    const char      *name; // name of the joint
    fa_limited_joint rows;
    bool             left;
    double           since; // time of the first sample beyond a limit [s]
    double           when;  // time of the farthest sample beyond it [s]
    double           by;    // distance at that time [rad] or [m]
    double           limit; // the limit exceeded
    double           run;   // of several runs: number of the farthest one
    double           first; // number of the first run that exceeded a limit
    fa_unit          unit;
} fa_limited;

typedef struct fa_limits {
    bool        several; // there are several runs, distinguished by their numbers
    double      run;     // number of the current run
    int         n;
    fa_limited *of;
} fa_limits;

// Finds the joints of the robot that have limits and no stop. `limits` must stay where it is.
// Release with fa_limits_free, also after a failure.
fa_status fa_limits_new(const fa_robot *robot, const fa_variables *table, fa_limits *limits,
                        fa_error *error);
void      fa_limits_free(fa_limits *limits);

// Checks a sample: value[] has every row.
void fa_limits_look(fa_limits *limits, double t, const double value[]);

#endif
