// Controllability of a snake's two degrees of freedom by its joints' torques, and the torques of a
// wanted motion.
//
// Torques move a snake by G T, where G = d(dphi/dt)/du has two rows. In a straight snake, in one
// bent to a circular arc, and wherever else the axles of all wheels meet in one point or are
// parallel, G has rank one: the snake can roll on as a rigid body, and no torque changes that
// motion. The equations of motion remain regular; only control is lost.
#ifndef FA_SNAKE_CONTROL_H
#define FA_SNAKE_CONTROL_H

#include "snake_kane.h"

// Singular values of L^-1 G with M = L L^T, sigma1 >= sigma2 [kg^-1/2 m^-1]. They do not depend on
// the base link. The ratio sigma2 / sigma1 measures controllability: 0 where it is lost.
typedef struct fa_snake_grip {
    double sigma1, sigma2;
} fa_snake_grip;
fa_snake_grip fa_snake_controllability(const fa_snake *snake, const fa_snake_motion motion[],
                                       const fa_snake_equations *equations);

// Smallest ratio sigma2 / sigma1 at which a motion may be prescribed. Torques grow with its
// inverse: at 1e-3 they are a thousand times as large as for the best direction.
#define FA_SNAKE_CONTROL_MIN 1e-3

// Finds the torques at one or two joints (`n_joints`, indices `joint`) that change these joints'
// accelerations by `change` [rad/s^2], and the resulting change of ud, to be added. The same
// numbers are the impulses [N m s] that change their rates by `change` [rad/s], with the change of
// u. `joint` has distinct entries.
//
// FA_BAD_INPUT for more than two joints; FA_SINGULAR where the joint, or the pair, has no leverage.
fa_status fa_snake_drive_joints(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_equations *equations, int n_joints,
                                const int joint[], const double change[], double torque[],
                                double du[2], fa_error *error);

// Finds the torques of least squares that change ud by `change`. Requires three links or more.
// FA_SINGULAR where control is lost.
fa_status fa_snake_drive_base(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_equations *equations, const double change[2],
                              double torque[], fa_error *error);

#endif
