// The arm of a session: what its joints do, and what follows from what, after N. M. Swartz, "Arm
// Dynamics Simulation" (1982).
//
//     paper      here
//     theta      joint angles [rad], or distances [m]
//     omega      their first derivatives
//     alpha      their second derivatives: given to inverse_arm, or found by forward_arm
//     torque     what drives each joint [N m] or [N]: the motor's, or the input itself
//     voltage    at the motor's terminals [V]
//     DACOut     what the digital-to-analogue converter asks of the amplifier of each motor [V]
//
// The paper leaves DACOut undefined. Here the converter's output is the reference of an amplifier
// of gain one, and that is the input joint.<name>.voltage of the FMU. `voltage` is what the
// amplifier makes of it: the same, unless its limits of voltage and current, which the robot file
// may give it, cut it down. Joints without a motor have neither, NaN here.
#ifndef FA_SIM_ARM_H
#define FA_SIM_ARM_H

#include "load.h"
#include "state.h"

typedef enum fa_sim_vector {
    FA_SIM_THETA,
    FA_SIM_OMEGA,
    FA_SIM_ALPHA,
    FA_SIM_TORQUE,
    FA_SIM_VOLTAGE,
    FA_SIM_DAC_OUT,
    FA_SIM_VECTORS
} fa_sim_vector;

typedef struct fa_sim_arm {
    fa_robot   *robot;
    const char *path;             // of its file; NULL: the arm that is built in
    fa_state    forward, inverse; // torques in, motion out, and the other way round
    int         n;                // joints that move on their own
    int        *body;             // the body that each of them holds
    double     *number;           // n for each fa_sim_vector; see fa_sim_arm_vector
    bool        has_motors;
} fa_sim_arm;

// Reads arguments->operand; NULL: the CMU DD Arm. What --set and --solver say is in it then;
// without them it is integrated as in the paper, by Kutta's rule of third order. Release with
// fa_sim_arm_free, also after a failure. It must stay where it is; the operand must live as long.
fa_status fa_sim_arm_read(const fa_arguments *arguments, fa_sim_arm *arm, fa_error *error);
void      fa_sim_arm_free(fa_sim_arm *arm);

double     *fa_sim_arm_vector(const fa_sim_arm *arm, fa_sim_vector which); // n numbers
const char *fa_sim_arm_joint(const fa_sim_arm *arm, int joint);            // its name
const char *fa_sim_arm_unit(const fa_sim_arm *arm, int joint, fa_sim_vector which);
bool        fa_sim_arm_has_motor(const fa_sim_arm *arm, int joint);

// Takes over n numbers; torque, voltage and DACOut follow each other by the equations of the
// motors, (11) and (12), and where omega changes, voltage and torque follow DACOut. alpha follows
// nothing until fa_sim_arm_forward.
void fa_sim_arm_set(fa_sim_arm *arm, fa_sim_vector which, const double number[]);

// The paper's InvArm: torque, voltage and DACOut that theta, omega and alpha take.
fa_status fa_sim_arm_inverse(fa_sim_arm *arm, fa_error *error);

// The paper's ForArm: alpha that theta, omega and DACOut, or torque, lead to.
fa_status fa_sim_arm_forward(fa_sim_arm *arm, fa_error *error);

// Acceleration that the base's z axis shows at rest, the paper's g: positive where z points up
// [m/s2]. Setting it leaves gravity along x and y as it is.
double    fa_sim_arm_gravity(const fa_sim_arm *arm);
fa_status fa_sim_arm_set_gravity(fa_sim_arm *arm, double gravity, fa_error *error);

// Between the session's numbers and a state's: theta, omega, and what drives the joints, into the
// forward state; and all six vectors, number[which * n + joint], from it.
void fa_sim_arm_place(fa_sim_arm *arm);
void fa_sim_arm_look(const fa_sim_arm *arm, double number[]);

#endif
