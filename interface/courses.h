// Motions of one robot over time and events, each with values of its own. fa_motions and Python's
// simulate are made of them. Motions under error control and without events go side by side in
// SIMD lanes (lanes.h), all others one by one (simulation.h). What a motion comes to depends
// neither on its neighbours nor on their number.
#ifndef FA_COURSES_H
#define FA_COURSES_H

#include "lanes.h"
#include "motion_rows.h"
#include "simulation.h"

// One motion. The caller reads the fault; FA_OK: nothing has ended it.
typedef struct fa_course {
    fa_state      state;
    fa_schedule   no_changes; // an empty schedule: inputs change between calls
    fa_simulation simulation;
    fa_error      fault;
    size_t        due; // the next sample of a call
} fa_course;

// The motions of one robot, whose parameters differ in some rows.
typedef struct fa_courses {
    fa_course          *of;
    size_t              n;
    double             *base; // values of the rows before any are given
    int                 n_rows, n_states, n_joints, n_positions; // n_joints: speeds
    const int          *row;   // n_rows parameters in which motions differ; the caller's
    int                *input; // input of each speed, or FA_NO_ROW
    bool                is_mechanism;
    fa_motion_position *position; // of a mechanism
    fa_motion_speed    *speed;    // likewise
    bool                in_lanes;
    int                 lanes; // of a thread; 1 where motions go one by one
    fa_state_rows       states;
    fa_state_row       *state_row;
    double             *nominal;
    int                *shown, *changed;
    char               *block;     // the lanes of all threads, one behind the other
    size_t              lane_size; // bytes of each
    int                 threads;
} fa_courses;

// Makes n motions of a robot. `row` must live as long. Release with fa_courses_free, also after a
// failure.
fa_status fa_courses_new(const fa_robot *robot, size_t n, int n_rows, const int row[],
                         fa_courses *courses, fa_error *error);
void      fa_courses_free(fa_courses *courses);

// Gives motion k other parameters, value[i] for row[i]; and begins it at time 0: q, qd and input of
// each joint, NULL: as its parameters say. A failure is the motion's fault.
void fa_courses_set(fa_courses *courses, size_t k, const double value[]);
void fa_courses_begin(fa_courses *courses, size_t k, const double q[], const double qd[],
                      const double input[]);

// Changes the inputs of motion k from here on; and only the values of their rows.
void fa_courses_change(fa_courses *courses, size_t k, const double input[]);
void fa_courses_put_inputs(fa_courses *courses, size_t k, const double input[]);

// Chooses lanes for `threads` threads and motions with these parameters, `runs` rows of them, of
// which motion 0 has the first by now. Where the robot or a setting has no right-hand side in
// lanes, all go one by one.
fa_status fa_courses_choose(fa_courses *courses, int threads, size_t runs, const double value[],
                            fa_error *error);

// Samples to be taken: n of them at (first + i) apart, the last one at `end` [s].
typedef struct fa_course_call {
    double first, apart, end;
    size_t n;

    // Returns a motion for the lane that goes to `end`, or NULL: none is left.
    fa_course *(*next)(void *context, int lane);

    // Takes sample i: the states, or NULL where the motion has ended before.
    void (*sample)(void *context, const fa_course *course, size_t i, const double x[]);

    // Called when all samples of a motion are taken; NULL: not needed.
    void (*done)(void *context, const fa_course *course);
    void *context;
} fa_course_call;

// Positions and speeds of motion k where it is now, also of joints that loops determine.
fa_status fa_courses_joints(fa_courses *courses, size_t k, double q[], double qd[]);

// Takes the samples of all motions of the call, by the lanes of one thread. It allocates nothing.
void fa_courses_run(const fa_courses *courses, int thread, const fa_course_call *call);

#endif
