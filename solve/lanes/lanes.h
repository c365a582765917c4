// Motions of an arm in the lanes of vectors: state, stages, error estimate, step size, acceptance
// and samples of several motions, one in each lane, each with its own time, step, parameters and
// inputs. What a motion comes to depends neither on its neighbours nor on its lane. No FMU has
// this; `forearm runs`, the C interface and Python do.
//
// Two ways: under error control by Dormand–Prince as solve/integrate.c does it, where a lane whose
// motion has ended takes the next one; and by steps of one length.
#ifndef FA_LANES_H
#define FA_LANES_H

#include "arm.h"

// Lanes of any kernel, and states that samples show at most.
enum { FA_LANES_MOST = 16, FA_LANES_SHOWN = 64 };

// What all motions have in common.
typedef struct fa_lane_plan {
    const fa_arm        *like;  // configured with …
    const double        *value; // … these rows; what does not change is as here
    const fa_state_rows *states;
    const double        *nominal; // usual size of each state
    const int           *changed; // rows of parameters and inputs in which motions may differ
    int                  n_changed;
    const int           *shown; // states that samples have, by number
    int                  n_shown;
    bool                 deterministic; // the same bits on every machine
    bool                 single;        // floats: for tolerances of 1e-6 and more
    const char          *kernel;        // by its name (fa_lanes_kernel); NULL: the fastest
} fa_lane_plan;

// The motion that a lane is given: read at once, but for numbers.
typedef struct fa_lane_start {
    const fa_arm *arm;   // configured
    const double *value; // of all rows: parameters, inputs, modes
    const double *x;     // states
    double        t, stop;
    double        step; // with which it begins [s]; 0: it finds one
    double        tolerance;
    bool          automatic; // may give way to the implicit method
    // Samples are number `first` to `last`, each `apart` [s], the last one at `stop`.
    double first, last, apart;
    bool every; // of all samples; else of the last, and of those where a state shown is out of …
    const double *lower, *upper; // … these bounds, one for each; NULL: none
} fa_lane_start;

// Who has motions for lanes, and takes what becomes of them.
typedef struct fa_lane_driver {
    // A motion for this lane; false: there is none any more.
    bool (*next)(void *context, int lane, fa_lane_start *start);

    // A sample that is wanted: the states shown. False: the motion is to end here.
    bool (*sample)(void *context, int lane, double number, const double shown[]);

    // The motion has come to its end, FA_OK, or cannot go on in lanes, FA_UNFIT: it is at time t
    // with states x, and `step` would be next.
    void (*end)(void *context, int lane, fa_status status, double t, const double x[], double step);
    void *context;
} fa_lane_driver;

// Steps of one length.
typedef struct fa_lane_servos {
    const double *kp, *kd, *limit; // of each coordinate
} fa_lane_servos;

typedef struct fa_lane_steps {
    bool                  runge_kutta; // else semi-implicit Euler with implicit damping
    int                   steps;
    double                step;   // [s]
    const fa_lane_servos *servos; // NULL: `held` are torques
} fa_lane_steps;

// Lanes of one kernel with their motions, in one block of memory.
typedef struct fa_lanes fa_lanes;

// Whether there is a right-hand side in lanes: of trees of joints that turn or slide and may follow
// each other, with everything that stands at joints; not where something switches over events, of
// contacts, cylinders, forces on links, ground that moves, servos that make up for gravity.
bool fa_lanes_take(const fa_lane_plan *plan);

// The names of the kernels that this machine runs, from 0 on; NULL behind the last.
const char *fa_lanes_kernel(int i);

// Bytes, 64-byte aligned; and lanes. The plan is read when they are placed, and not later.
size_t    fa_lanes_size(const fa_lane_plan *plan);
int       fa_lanes_count(const fa_lane_plan *plan);
fa_lanes *fa_lanes_place(void *memory, const fa_lane_plan *plan);

// All motions that the driver has.
void fa_lanes_run(fa_lanes *lanes, const fa_lane_driver *driver);

// The parameters and inputs of a motion into a lane; and steps of `n` lanes from the first on.
// Rows held, q and qd are of so many motions, each of as many numbers as there are coordinates; q
// and qd change in place. What cannot be computed is NaN, and *good false.
void fa_lanes_fill(fa_lanes *lanes, int lane, const fa_arm *arm, const double value[]);
void fa_lanes_step(fa_lanes *lanes, const fa_lane_steps *call, int n, const double held[],
                   double q[], double qd[], bool good[]);

#endif
