// Forward and inverse dynamics at states of an arm, from the state's values: by the arm's default
// method or by a given one; one state at a time, or a batch.
#ifndef FA_ARM_DYNAMICS_H
#define FA_ARM_DYNAMICS_H

#include "regressor.h"
#include "state.h"

typedef struct fa_arm_dynamics {
    fa_state            *state;
    struct fa_arm       *arm;       // memory of the plant
    struct fa_mechanism *mechanism; // mechanism that contains the arm; NULL: none
    bool                 inverse;
    int   first, n; // rows of the result: torques of inverse dynamics, otherwise accelerations
    int   at;       // coordinate of the first row
    void *work;     // scratch of the method; NULL: the arm's default method
} fa_arm_dynamics;

// Returns the plant of forward or inverse dynamics for a robot that is an arm.
const fa_plant *fa_arm_plant_for(const fa_robot *robot, bool inverse);

// Fails unless `state` belongs to the plant "arm", "inverse" or that of a mechanism. It must stay
// where it is. Release with fa_arm_dynamics_free before the state, also after a failure.
fa_status fa_arm_dynamics_new(fa_state *state, fa_arm_dynamics *dynamics, fa_error *error);
void      fa_arm_dynamics_free(fa_arm_dynamics *dynamics);

// Selects a method by name; fails if it does not support this arm.
fa_status fa_arm_dynamics_by(fa_arm_dynamics *dynamics, const char *method, fa_error *error);

// Restricts inverse dynamics to the torque of one coordinate, by a method that has `inverse_one`.
fa_status fa_arm_dynamics_only(fa_arm_dynamics *dynamics, const struct fa_method *method,
                               int coordinate, fa_error *error);

// Restricts the result to one coordinate; all are computed.
void fa_arm_dynamics_show(fa_arm_dynamics *dynamics, int coordinate);

// After inverse dynamics: the number of cylinders; the force that cylinder k needs, where cylinders
// carry all torques; and the effort of joint i's drive, where cylinders push with force[] (NaN:
// unknown, counts as zero).
int    fa_arm_dynamics_cylinders(const fa_arm_dynamics *dynamics);
double fa_arm_dynamics_need(const fa_arm_dynamics *dynamics, int k);
double fa_arm_dynamics_effort(const fa_arm_dynamics *dynamics, int i, const double force[]);

// ---------------------------------------------------------------------------- many states at once

// Accelerations of a batch of states, by the arm's default method.
typedef struct fa_arm_batch {
    const fa_arm_dynamics *dynamics;
    int                    n;                  // number of states so far
    double                *q, *qd, *tau, *qdd; // of each state
    void                  *work;               // NULL: this arm's states cannot be batched
} fa_arm_batch;

#define FA_ARM_ALONE (-1)

// Allocates a batch of up to `most` states that differ in motion and inputs. Release with
// fa_arm_batch_free, also after a failure.
fa_status fa_arm_batch_new(const fa_arm_dynamics *dynamics, int most, fa_arm_batch *batch,
                           fa_error *error);
void      fa_arm_batch_free(fa_arm_batch *batch);

// Appends the current values. Returns their index in the batch, or FA_ARM_ALONE if the state has to
// be evaluated alone, which also reports its errors.
int fa_arm_batch_add(fa_arm_batch *batch);

// Computes the accelerations of all states; returns those of state k, NULL if they are not finite.
void          fa_arm_batch_solve(fa_arm_batch *batch);
const double *fa_arm_batch_answer(const fa_arm_batch *batch, int k);

// -------------------------------------------------------------------------------------- regressor

// Torques as linear functions of the links' mass parameters.
typedef struct fa_arm_regressor {
    int           n_links; // number of moving links
    int          *body;    // body that contains each link …
    fa_transform *frame;   // … and the link's frame in that body
    int          *row;     // row of its mass
    double       *Y;       // FA_REGRESSOR_COLUMNS numbers per link, one row per coordinate
    void         *work;
} fa_arm_regressor;

// Release with fa_arm_regressor_free, also after a failure.
fa_status fa_arm_regressor_new(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                               fa_error *error);
void      fa_arm_regressor_free(fa_arm_regressor *regressor);

// Fills Y at the state's positions, velocities and accelerations.
void fa_arm_regressor_find(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor);

#endif
