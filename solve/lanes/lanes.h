// Integrates several motions of an arm in SIMD lanes, one motion per lane: state, stages, error
// estimate, step size, acceptance and samples. Each has its own time, step, parameters and inputs.
// Its result depends neither on its neighbours nor on its lane. FMUs do not use lanes; `forearm
// runs`, the C interface and Python do.
//
// Two integrators: Dormand–Prince with step-size control as in solve/integrate.c, where a lane
// takes the next motion when its own ends; and fixed steps.
#ifndef FA_LANES_H
#define FA_LANES_H

#include "arm.h"

// Largest number of lanes of a kernel, and of states in a sample.
enum { FA_LANES_MOST = 16, FA_LANES_SHOWN = 64 };

// Properties common to all motions.
typedef struct fa_lane_plan {
    const fa_arm        *like;  // an arm, configured with …
    const double        *value; // … these values; motions differ from them in `changed` only
    const fa_state_rows *states;
    const double        *nominal; // nominal value of each state
    const int           *changed; // rows of the parameters and inputs in which motions may differ
    int                  n_changed;
    const int           *shown; // states of a sample, by number
    int                  n_shown;
    bool                 deterministic; // the same bits on every machine
    bool                 single;        // single precision, for tolerances of 1e-6 and more
    const char          *kernel;        // name of the kernel (fa_lanes_kernel); NULL: the fastest
} fa_lane_plan;

// Start of a motion in a lane. The lane copies all data at once.
typedef struct fa_lane_start {
    const fa_arm *arm;   // configured
    const double *value; // all rows: parameters, inputs, modes
    const double *x;     // states
    double        t, stop;
    double        step; // initial step [s]; 0: chosen automatically
    double        tolerance;
    bool          automatic; // may change to the implicit method, which ends the lane's part
    // Samples `first` to `last`, at intervals of `apart` [s], the last one at `stop`.
    double first, last, apart;
    bool   every; // delivers all samples; otherwise the last one, and those with a state out of …
    const double *lower, *upper; // … these bounds, one for each; NULL: none
} fa_lane_start;

// Supplies the motions of the lanes, and takes their results.
typedef struct fa_lane_driver {
    // Starts the next motion in this lane; false: no motion is left.
    bool (*next)(void *context, int lane, fa_lane_start *start);

    // Takes a sample: the shown states. False: the motion ends here.
    bool (*sample)(void *context, int lane, double number, const double shown[]);

    // Takes the end of a motion: FA_OK at its stop time, FA_UNFIT if it cannot continue in lanes.
    // It is at time t with states x; `step` is its next step size.
    void (*end)(void *context, int lane, fa_status status, double t, const double x[], double step);
    void *context;
} fa_lane_driver;

// Position servos, for fixed steps.
typedef struct fa_lane_servos {
    const double *kp, *kd, *limit; // for each coordinate
} fa_lane_servos;

typedef struct fa_lane_steps {
    bool                  runge_kutta; // otherwise semi-implicit Euler with implicit damping
    int                   steps;
    double                step;   // [s]
    const fa_lane_servos *servos; // NULL: `held` are torques
} fa_lane_steps;

// A frame at a body, in the axes of fa_fast, z along the body's joint: axes and origin.
typedef struct fa_lane_frame {
    int    body;
    double axis[3][3], origin[3];
} fa_lane_frame;

// Lanes of one kernel with their motions, in one block of memory.
typedef struct fa_lanes fa_lanes;

// Returns true if the arm is supported in lanes: trees of joints that turn or slide and may follow
// each other, with all elements at joints. Not supported: events, contacts, cylinders, forces on
// links, a moving ground, servos with gravity compensation.
bool fa_lanes_take(const fa_lane_plan *plan);

// Returns true if the equations of the arm's rigid bodies are supported in lanes, whatever acts on
// it.
bool fa_lanes_compute(const fa_lane_plan *plan);

// Returns the names of the kernels that this machine supports, from 0 on; NULL behind the last.
const char *fa_lanes_kernel(int i);

// Size in bytes, 64-byte aligned; and number of lanes. The plan is used only during fa_lanes_place.
size_t    fa_lanes_size(const fa_lane_plan *plan);
int       fa_lanes_count(const fa_lane_plan *plan);
fa_lanes *fa_lanes_place(void *memory, const fa_lane_plan *plan);

// Runs all motions of the driver.
void fa_lanes_run(fa_lanes *lanes, const fa_lane_driver *driver);

// Copies the parameters and inputs of a motion into a lane; and takes steps in the first `n` lanes.
// held, q and qd are rows of one number per coordinate for each motion; q and qd are updated in
// place. Motions that fail are NaN, and clear *good.
void fa_lanes_fill(fa_lanes *lanes, int lane, const fa_arm *arm, const double value[]);
void fa_lanes_step(fa_lanes *lanes, const fa_lane_steps *call, int n, const double held[],
                   double q[], double qd[], bool good[]);

// Equations of rigid bodies of n states, at most as many as there are lanes, which share their
// parameters; in double precision: inverse dynamics (qd, qdd NULL: zero), and the pose T, 4 x 4,
// and Jacobian J, 6 x coordinates, of a frame in the world (NULL: not wanted). good[] is false
// where a state needs the readable methods.
void fa_lanes_inverse(fa_lanes *lanes, int n, const double q[], const double qd[],
                      const double qdd[], double tau[], bool good[]);
void fa_lanes_frame(fa_lanes *lanes, int n, const fa_lane_frame *frame, const double q[],
                    double T[], double J[], bool good[]);

#endif
