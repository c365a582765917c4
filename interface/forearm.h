// Forearm for C and C++ programs: a robot from a file, and its equations of motion for many states
// at once, rows in and rows out. C99 and C++ clean; docs/c-library.md is the tutorial.
//
// A robot does not change after loading, and threads share it. A workspace belongs to one thread at
// a time; once it is there, no function that takes it allocates, locks, prints or touches files.
// Units are SI and radians. What stands here are the equations of rigid bodies
//
//     M(q) qdd + bias(q, qd) = tau
//
// with gravity in the bias and rotor inertias in M: friction, springs, motors, stops, contacts and
// what relieves links of weight act in simulations, and are no part of them. Snakes, circuits and
// hydraulic axes alone are refused with a sentence.
//
// Arrays hold one state after the other; n is the number of speeds (fa_robot_speeds), matrices are
// row by row. Joints that turn, slide or screw have one position and one speed each. A planar joint
// has x, y and angle; a ball joint the quaternion w x y z, of any length, and three angular
// velocities; a free body position and quaternion, velocity and angular velocity, all in the axes
// of the joint's frame on the parent. So q has fa_robot_positions numbers, n and one for each ball.
//
// Where loops determine joints, q has a guess of their positions, which chooses the branch, and
// their speeds and accelerations in arguments are not read. Accelerations come out of all joints;
// efforts of inverse dynamics at those that are driven (docs/loops.md). Rows and columns of the
// mass matrix and columns of Jacobians and of derivatives by q, qd and qdd are zero at joints that
// loops determine, and otherwise have in them what these joints do; derivatives by the angles of
// balls are by small turns about the axes of the joint's frame on the parent. Inverse dynamics is
// FA_UNFIT where fewer joints are driven than loops leave freedoms. A state with a number that is
// not finite, or in which some direction of motion has no inertia, gets NaN in all of its results
// and disturbs no other; the status is that of the first such state then, and FA_OK where there is
// none.
#ifndef FA_FOREARM_H
#define FA_FOREARM_H

#include <stddef.h>

#include "robot_type.h"
#include "status.h"

#if defined(__GNUC__)
#define FA_API __attribute__((__visibility__("default")))
#else
#define FA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Returns the version of the loaded library, such as "0.1.0".
FA_API const char *fa_version(void);

// "FA_BAD_INPUT"; status.h says what each means.
FA_API const char *fa_status_name(fa_status status);

// ------------------------------------------------------------------------------------------- robot

// A joint to be fixed, and where.
typedef struct fa_load_lock {
    const char *joint;
    double      position; // [rad] or [m]
} fa_load_lock;

// The choice of what holds the root link, where the file leaves it open.
typedef enum fa_load_base {
    FA_LOAD_BASE_AS_FILED,
    FA_LOAD_BASE_FIXED,
    FA_LOAD_BASE_FREE
} fa_load_base;

// All zero but for `size` is the default.
typedef struct fa_load_options {
    size_t              size;      // sizeof(fa_load_options): so it can grow
    const char         *tip;       // link that is the tip; NULL: what the file says, or a guess
    const char         *actuators; // side file with what acts at the joints; NULL: none
    const fa_load_lock *lock;      // n_locks of them
    size_t              n_locks;
    bool                strict;  // what is odd but usable is refused
    bool                lenient; // a revolute joint without <limit> is unlimited
    fa_load_base        base;
    const char *independent; // joints, by commas, that are free where loops determine others; NULL:
                             // what the file says, or a choice
} fa_load_options;

// A robot from a file, or from its text; `name` stands for the file in messages. URDF, xacro, our
// XML, MJCF and SDFormat, told apart by what they say. NULL: see the error. Release with
// fa_robot_free.
FA_API fa_robot *fa_robot_load(const char *path, const fa_load_options *options, fa_error *error);
FA_API fa_robot *fa_robot_read(const char *text, size_t size, const char *name,
                               const fa_load_options *options, fa_error *error);
FA_API void      fa_robot_free(fa_robot *robot);

// Limits of a joint as its robot file states them; infinite where it states none. They do not
// affect the motion.
typedef struct fa_joint_limits {
    double lower, upper; // [rad] or [m]
    double effort;       // [N m] or [N]
    double velocity;     // [rad/s] or [m/s]
} fa_joint_limits;

// Joints that move and follow no other, in the order of the file: their number, and of joint i
// its name, the link that it carries, its limits, and how many positions and speeds it has.
FA_API int             fa_robot_joints(const fa_robot *robot);
FA_API const char     *fa_robot_joint_name(const fa_robot *robot, int i);
FA_API const char     *fa_robot_joint_link(const fa_robot *robot, int i);
FA_API fa_joint_limits fa_robot_joint_limits(const fa_robot *robot, int i);

FA_API void fa_robot_joint_sizes(const fa_robot *robot, int i, int *positions, int *speeds);

// The positions and the speeds of all of them: the lengths of q and of qd.
FA_API int fa_robot_positions(const fa_robot *robot);
FA_API int fa_robot_speeds(const fa_robot *robot);

#define FA_TIP_FRAME (-1) // the tip's

// The number of a link's frame, for fa_pose and its like; NULL: the tip's.
FA_API fa_status fa_robot_find_frame(const fa_robot *robot, const char *link, int *frame,
                                     fa_error *error);

// The number of a parameter, such as "payload.mass", for fa_workspace_set. It takes the time of
// loading: find parameters before you begin.
FA_API fa_status fa_robot_find_parameter(const fa_robot *robot, const char *name, int *parameter,
                                         fa_error *error);

// --------------------------------------------------------------------------------------- workspace

// A robot's equations with their parameters' values, and scratch memory.
typedef struct fa_workspace fa_workspace;

// In memory of its own, released with fa_workspace_free, NULL where it fails; or in memory of the
// caller's, fa_workspace_size bytes, 64-byte aligned, which fa_workspace_place gives back as a
// workspace. The robot must live as long. `lanes`: so many states are computed side by side, 0: as
// many as suit this processor. fa_workspace_size is 0 where the robot is refused.
FA_API size_t        fa_workspace_size(const fa_robot *robot, int lanes);
FA_API fa_workspace *fa_workspace_place(const fa_robot *robot, int lanes, void *memory,
                                        fa_error *error);
FA_API fa_workspace *fa_workspace_new(const fa_robot *robot, int lanes, fa_error *error);
FA_API void          fa_workspace_free(fa_workspace *workspace);

// Gives n parameters other values. Values out of bounds are refused, and all are as they were.
FA_API fa_status fa_workspace_set(fa_workspace *workspace, int n, const int parameter[],
                                  const double value[], fa_error *error);

// ----------------------------------------------------------------------------- equations of motion

// n numbers of each state in, n out: accelerations, and torques.
FA_API fa_status fa_forward(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, const double *qd, const double *tau, double *qdd);
FA_API fa_status fa_inverse(const fa_robot *robot, fa_workspace *workspace, size_t states,
                            const double *q, const double *qd, const double *qdd, double *tau);

// Positions and speeds of all joints as loops have them; of a robot without loops those that are
// given, quaternions included.
FA_API fa_status fa_close_loops(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                const double *q, const double *qd, double *q_closed,
                                double *qd_closed);

// Torques at qdd = 0; those at rest; the torques that a force and a torque on the arm at its tip,
// six numbers in world axes, do the work of: add them to those of the joints.
FA_API fa_status fa_bias(const fa_robot *robot, fa_workspace *workspace, size_t states,
                         const double *q, const double *qd, double *tau);
FA_API fa_status fa_gravity_torque(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                   const double *q, double *tau);
FA_API fa_status fa_tip_torque(const fa_robot *robot, fa_workspace *workspace, size_t states,
                               const double *q, const double *wrench, double *tau);

// n x n of each state. C(q, qd) qd is the bias without gravity, by Christoffel's symbols: the rate
// of M less two of it is skew-symmetric.
FA_API fa_status fa_mass_matrix(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                const double *q, double *M);
FA_API fa_status fa_coriolis_matrix(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                    const double *q, const double *qd, double *C);

// Torques as linear functions of the links' mass parameters: n x (10 links) of each state. Columns
// as `forearm inverse --regressor` has them: of each link that moves its mass, mass times centre of
// mass x y z, and the tensor about its origin xx yy zz xy xz yz.
FA_API int       fa_regressor_links(const fa_workspace *workspace);
FA_API fa_status fa_link_regressor(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                   const double *q, const double *qd, const double *qdd, double *Y);

// ------------------------------------------------------------------------------------------ frames

// In the base's axes: a frame as a 4 x 4 matrix; its Jacobian, 6 x n, velocity of its origin, then
// angular velocity; and the accelerations likewise, six numbers, at qdd = 0 and without gravity.
FA_API fa_status fa_pose(const fa_robot *robot, fa_workspace *workspace, size_t states, int frame,
                         const double *q, double *T);
FA_API fa_status fa_jacobian(const fa_robot *robot, fa_workspace *workspace, size_t states,
                             int frame, const double *q, double *J);
FA_API fa_status fa_drift(const fa_robot *robot, fa_workspace *workspace, size_t states, int frame,
                          const double *q, const double *qd, double *acceleration);

// ------------------------------------------------------------------------------------- derivatives

// n x n each, exact: element [i][k] is the derivative of number i of the answer by number k of what
// is asked. `wrench`: at the tip, as for fa_tip_torque; NULL: none.
FA_API fa_status fa_forward_derivatives(const fa_robot *robot, fa_workspace *workspace,
                                        size_t states, const double *q, const double *qd,
                                        const double *tau, const double *wrench, double *by_q,
                                        double *by_qd, double *by_tau);
FA_API fa_status fa_inverse_derivatives(const fa_robot *robot, fa_workspace *workspace,
                                        size_t states, const double *q, const double *qd,
                                        const double *qdd, const double *wrench, double *by_q,
                                        double *by_qd, double *by_qdd);

// Torques of inverse dynamics, without a wrench, by m parameters: n x m of each state. Parameters
// that the equations of rigid bodies do not have give zeros.
FA_API fa_status fa_parameter_derivatives(const fa_robot *robot, fa_workspace *workspace,
                                          size_t states, const double *q, const double *qd,
                                          const double *qdd, int m, const int parameter[],
                                          double *by);

// ------------------------------------------------------------------------------------- fixed steps

// A position servo at each joint: kp (target - q) - kd qd, within +-limit. Three arrays of n.
typedef struct fa_servos {
    const double *kp, *kd, *limit;
} fa_servos;

#define FA_STEP_METHOD_LIST(X)                                                                     \
    X(FA_STEP_SEMI_IMPLICIT, "semi-implicit")                                                      \
    X(FA_STEP_RK4, "rk4")

typedef enum fa_step_method {
#define X(code, name) code,
    FA_STEP_METHOD_LIST(X)
#undef X
        FA_STEP_METHODS
} fa_step_method;

// `steps` steps of `step` [s] of each state, in place. `held`: torques, or with servos (else NULL)
// their targets; they stay as they are. What else acts at the joints, friction and springs, acts,
// and links that the file relieves of weight are relieved.
//
// Semi-implicit Euler takes the new speeds for the positions, and damping implicitly, as MuJoCo's
// implicitfast does: qd += step (M + step D)^-1 (tau - bias), D being viscous friction, and kd
// where a servo is not at its limit. A stop that pushes has its damper in D, and its spring
// likewise.
//
// Robots with friction that sticks, locks, valves that close, contacts, cylinders, drives with
// states of their own (inductance; a servo's integral, velocity limit or effort time), joints of
// several freedoms, or loops have no steps of one length: FA_UNFIT, also of no states, and q and qd
// are NaN.
FA_API fa_status fa_fixed_steps(const fa_robot *robot, fa_workspace *workspace, size_t states,
                                fa_step_method method, int steps, double step,
                                const fa_servos *servos, const double *held, double *q, double *qd);

// Makes fa_fixed_steps compute in single precision, or again in double: twice as many states at
// once, for learning. Numbers go in and out in double precision. Where drives reach their limits,
// or a motion is unstable, motions part from those of double precision within a second.
FA_API void fa_workspace_set_single(fa_workspace *workspace, bool single);

// ------------------------------------------------------------------------------------ real time

// One arm in a loop of real time: steps of one length, as fa_fixed_steps takes them, with the same
// work in each step that does not fail. Once a stepper is there nothing allocates, locks, prints or
// touches files.
typedef struct fa_stepper fa_stepper;

typedef struct fa_stepper_options {
    size_t           size; // sizeof(fa_stepper_options)
    fa_step_method   method;
    double           step;   // [s]
    const fa_servos *servos; // copied; NULL: what is held are torques
} fa_stepper_options;

// NULL: see the error. The robot must live as long.
FA_API fa_stepper *fa_stepper_new(const fa_robot *robot, const fa_stepper_options *options,
                                  fa_error *error);
FA_API void        fa_stepper_free(fa_stepper *stepper);

// Its workspace, for fa_workspace_set; and the evaluations of the equations of motion in each step.
FA_API fa_workspace *fa_stepper_workspace(fa_stepper *stepper);
FA_API int           fa_stepper_evaluations(const fa_stepper *stepper);

// Puts the arm there, at time t; it begins at time 0 with q = qd = 0. What is held from here on:
// torques, or targets of the servos. It begins with zeros.
FA_API void fa_stepper_begin(fa_stepper *stepper, double t, const double *q, const double *qd);
FA_API void fa_stepper_hold(fa_stepper *stepper, const double *held);

// Takes the steps that end by `until` [s], and gives q and qd after them; a rest shorter than a
// step waits for the next call. fa_stepper_time is the time of q and qd. A failure leaves the arm
// where it was before the call.
FA_API fa_status fa_stepper_step(fa_stepper *stepper, double until, double *q, double *qd);
FA_API double    fa_stepper_time(const fa_stepper *stepper);

// Keeps the memory of this process, and a stack of 256 kB, from being paged out.
FA_API fa_status fa_lock_memory(fa_error *error);

// ---------------------------------------------------------------------------------------- motions

// Many motions of one robot over time and events, with everything that acts on it. Under error
// control and without events they stay side by side in the lanes of vectors; robots with events,
// contacts, cylinders or forces on links go one by one. Motions belong to one thread at a time, and
// start others of their own. What a motion comes to depends neither on
// the others nor on the threads.
typedef struct fa_motions fa_motions;

typedef struct fa_motions_options {
    size_t     size;       // sizeof(fa_motions_options)
    double     stop, step; // samples at 0, step, 2 step … and at stop [s]
    double     tolerance;  // of a step's error; 0: the robot's own
    const int *parameter;  // in which runs differ, by fa_robot_find_parameter: n_parameters of them
    int        n_parameters;
} fa_motions_options;

// NULL: see the error. The robot must live as long.
FA_API fa_motions *fa_motions_new(const fa_robot *robot, const fa_motions_options *options,
                                  fa_error *error);
FA_API void        fa_motions_free(fa_motions *motions);

// Samples of a run; states of a sample: positions, speeds, and what drives store; the name of state
// i. False: runs go one by one.
FA_API size_t      fa_motions_samples(const fa_motions *motions);
FA_API int         fa_motions_states(const fa_motions *motions);
FA_API const char *fa_motions_state_name(const fa_motions *motions, int i);
FA_API bool        fa_motions_in_lanes(const fa_motions *motions);

// A row for each run. NULL: as the robot's file says; inputs are zero then.
typedef struct fa_run_table {
    size_t        size;      // sizeof(fa_run_table)
    const double *q, *qd;    // of fa_robot_positions and n numbers
    const double *input;     // of each speed, held: a torque, where no motor stands between
    const double *parameter; // n_parameters
} fa_run_table;

// Where results go. Samples are states, in double or in single precision; those behind the end of a
// run that has failed are NaN.
typedef struct fa_sink {
    size_t     size;                      // sizeof(fa_sink)
    double    *samples;                   // runs x samples x states; NULL: none
    float     *singles;                   // likewise
    size_t     run_stride, sample_stride; // numbers from one to the next; 0: side by side
    bool       last;                      // only the last sample: runs x states
    fa_status *status;                    // of each run; NULL: not wanted
    double    *reached;                   // time that each run has reached [s]; NULL: not wanted
} fa_sink;

// Runs them all, in so many threads. The status and the sentence are those of the first run that
// has failed; the others are complete. It allocates where it has not had as many threads before.
FA_API fa_status fa_motions_run(fa_motions *motions, size_t runs, const fa_run_table *table,
                                const fa_sink *sink, int threads, fa_error *error);

#ifdef __cplusplus
}
#endif

#endif
