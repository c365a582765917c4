// The arm of a session: its variables and the dependencies between them, after N. M. Swartz, "Arm
// Dynamics Simulation" (1982).
//
// paper      here
// theta      joint angles [rad], or distances [m]
// omega      their first derivatives
// alpha      their second derivatives: given to inverse_arm, or found by forward_arm
// torque     drives each joint [N m] or [N]: the motor's torque, or the input itself
// voltage    at the motor's terminals [V]
// DACOut     the digital-to-analogue converter's demand on each motor's amplifier [V]
//
// The paper leaves DACOut undefined. Here the converter's output is the reference of an amplifier
// of gain one: the input joint.<name>.voltage of the FMU. `voltage` is the amplifier's output. It
// equals DACOut within the limits of voltage and current that the robot file may give. Joints
// without a motor have neither, NaN here.
#ifndef FA_SIM_ARM_H
#define FA_SIM_ARM_H

#include "load.h"
#include "motion_rows.h"
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

// A joint of several freedoms is one for each of them; theta of a ball, or of what turns freely, is
// its rotation vector, in the axes of the joint's frame on the parent.
typedef struct fa_sim_name {
    char text[FA_NAME_SIZE + 16];
} fa_sim_name;

typedef struct fa_sim_arm {
    fa_robot   *robot;
    const char *path;             // path of its file; NULL: the built-in arm
    fa_state    forward, inverse; // forward and inverse dynamics of the same robot
    int         n;                // number of independent joints
    int        *body;             // body of each joint
    double     *number;           // n numbers for each fa_sim_vector; see fa_sim_arm_vector
    double     *home;             // theta and omega of the robot file
    bool        has_motors;
    fa_error    no_inverse; // what inverse dynamics lacks, FA_OK: nothing

    fa_motion_speed *speed, *inverse_speed; // of a mechanism; NULL: an arm
    fa_sim_name     *name;                  // likewise
} fa_sim_arm;

// Reads arguments->operand; NULL: the CMU DD Arm. Applies --set and --solver; by default it is
// integrated as in the paper, by Kutta's third-order rule. Release with fa_sim_arm_free, also after
// a failure. It must not be moved in memory; the operand must live as long.
fa_status fa_sim_arm_read(const fa_arguments *arguments, fa_sim_arm *arm, fa_error *error);
void      fa_sim_arm_free(fa_sim_arm *arm);

double     *fa_sim_arm_vector(const fa_sim_arm *arm, fa_sim_vector which); // n numbers
const char *fa_sim_arm_joint(const fa_sim_arm *arm, int joint);            // the joint's name
const char *fa_sim_arm_unit(const fa_sim_arm *arm, int joint, fa_sim_vector which);
bool        fa_sim_arm_has_motor(const fa_sim_arm *arm, int joint);

// Assigns n numbers and updates dependent vectors: torque, voltage and DACOut determine each other
// by the motors' equations, (11) and (12), and a change of omega updates voltage and torque from
// DACOut. Only fa_sim_arm_forward updates alpha.
void fa_sim_arm_set(fa_sim_arm *arm, fa_sim_vector which, const double number[]);

// The paper's InvArm: computes torque, voltage and DACOut from theta, omega and alpha.
fa_status fa_sim_arm_inverse(fa_sim_arm *arm, fa_error *error);

// The paper's ForArm: computes alpha from theta, omega and DACOut or torque.
fa_status fa_sim_arm_forward(fa_sim_arm *arm, fa_error *error);

// Sets theta and omega to zero; of a mechanism as its file has them.
void fa_sim_arm_rest(fa_sim_arm *arm);

// The paper's g: the acceleration that the base's z axis shows at rest, positive where z points up
// [m/s2]. Setting it leaves gravity along x and y unchanged.
double    fa_sim_arm_gravity(const fa_sim_arm *arm);
fa_status fa_sim_arm_set_gravity(fa_sim_arm *arm, double gravity, fa_error *error);

// Copy between the session's vectors and a state: theta, omega and drives into the forward state;
// and all six vectors, number[which * n + joint], from it.
void fa_sim_arm_place(fa_sim_arm *arm);
void fa_sim_arm_look(const fa_sim_arm *arm, double number[]);

#endif
