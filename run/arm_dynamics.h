// Dynamics of an arm's states, as they stand in its values: accelerations, or the torques of its
// inverse; by the arm's own choice of a method or by another one; one state at a time, or many.
#ifndef FA_ARM_DYNAMICS_H
#define FA_ARM_DYNAMICS_H

#include "regressor.h"
#include "state.h"

typedef struct fa_arm_dynamics {
    fa_state            *state;
    struct fa_arm       *arm;       // its memory
    struct fa_mechanism *mechanism; // that the arm is part of; NULL: none
    bool                 inverse;
    int                  first, n; // rows of the answer: torques of an inverse, else accelerations
    int                  at;       // the coordinate that the first of them belongs to
    void                *work;     // the method's; NULL: the arm chooses one
} fa_arm_dynamics;

// The plant that answers with accelerations, or with torques, for a robot that is an arm.
const fa_plant *fa_arm_plant_for(const fa_robot *robot, bool inverse);

// `state` is of the plant "arm", "inverse" or that of a mechanism, and others are refused; it must
// stay where it is. Release with fa_arm_dynamics_free before the state, also after a failure.
fa_status fa_arm_dynamics_new(fa_state *state, fa_arm_dynamics *dynamics, fa_error *error);
void      fa_arm_dynamics_free(fa_arm_dynamics *dynamics);

// By a method of that name, if it answers for this arm.
fa_status fa_arm_dynamics_by(fa_arm_dynamics *dynamics, const char *method, fa_error *error);

// The torque of one coordinate of an inverse without the others, by a method that has
// `inverse_one`.
fa_status fa_arm_dynamics_only(fa_arm_dynamics *dynamics, const struct fa_method *method,
                               int coordinate, fa_error *error);

// The result of one coordinate alone, found with the others.
void fa_arm_dynamics_show(fa_arm_dynamics *dynamics, int coordinate);

// Of an inverse that has been evaluated: the force that cylinder k needs, where the cylinders share
// all torques; and what is left of answer i for the drive of its joint where cylinders push with
// force[] (NaN: it is not known, and does nothing).
int    fa_arm_dynamics_cylinders(const fa_arm_dynamics *dynamics);
double fa_arm_dynamics_need(const fa_arm_dynamics *dynamics, int k);
double fa_arm_dynamics_effort(const fa_arm_dynamics *dynamics, int i, const double force[]);

// ---------------------------------------------------------------------------- many states at once

// Accelerations found together, by the arm's own choice of a method.
typedef struct fa_arm_batch {
    const fa_arm_dynamics *dynamics;
    int                    n;                  // states so far
    double                *q, *qd, *tau, *qdd; // of each
    void                  *work;               // NULL: no states of this arm can be together
} fa_arm_batch;

#define FA_ARM_ALONE (-1)

// For up to `most` states that differ in motion and inputs. Release with fa_arm_batch_free, also
// after a failure.
fa_status fa_arm_batch_new(const fa_arm_dynamics *dynamics, int most, fa_arm_batch *batch,
                           fa_error *error);
void      fa_arm_batch_free(fa_arm_batch *batch);

// The state as it stands in the values: its number in the batch, or FA_ARM_ALONE where it has to be
// evaluated by itself, which also says what is wrong with it.
int fa_arm_batch_add(fa_arm_batch *batch);

// Finds the accelerations of all; then those of number k, NULL where they are not finite.
void          fa_arm_batch_solve(fa_arm_batch *batch);
const double *fa_arm_batch_answer(const fa_arm_batch *batch, int k);

// -------------------------------------------------------------------------------------- regressor

// Torques as linear functions of the links' mass parameters.
typedef struct fa_arm_regressor {
    int           n_links; // that move
    int          *body;    // the body that each is part of …
    fa_transform *frame;   // … and where it stands in it
    int          *row;     // of its mass
    double       *Y;       // FA_REGRESSOR_COLUMNS numbers of each link, coordinate after coordinate
    void         *work;
} fa_arm_regressor;

// Release with fa_arm_regressor_free, also after a failure.
fa_status fa_arm_regressor_new(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                               fa_error *error);
void      fa_arm_regressor_free(fa_arm_regressor *regressor);

// Fills Y at the state's positions, velocities and accelerations.
void fa_arm_regressor_find(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor);

#endif
