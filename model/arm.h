// The plants "arm", a serial or branched manipulator, and "inverse", the same with motion as input
// and torque as output. Inside: what their files share.
//
// arm_variables.c lists its variables, arm_depends.c says which depends on which, arm_layout.c
// finds memory and rows for it, arm.c computes it, arm_tangent.c computes how it changes.
#ifndef FA_ARM_H
#define FA_ARM_H

#include "chain.h"
#include "derivatives.h"
#include "dynamics.h"
#include "friction.h"
#include "kinematics.h"
#include "plant.h"

extern const fa_plant fa_arm_plant;
extern const fa_plant fa_inverse_plant;

// What a row is (fa_variable.quantity); fa_variable.index is the link, or the axis, in question.
typedef enum fa_arm_quantity {
    FA_ARM_OTHER, // rows that are not the arm's own
    FA_ARM_GRAVITY,
    // Of a joint: index is the link that it holds. Those from VISCOUS on stand in this order.
    FA_ARM_INITIAL_POSITION,
    FA_ARM_INITIAL_VELOCITY,
    FA_ARM_LIMIT,
    FA_ARM_VISCOUS,
    FA_ARM_COULOMB,
    FA_ARM_COULOMB_NEGATIVE,
    FA_ARM_WIDTH,
    FA_ARM_ROTOR,
    FA_ARM_GEAR,
    FA_ARM_STIFFNESS, // these three only where the robot file has a spring
    FA_ARM_SPRING_DAMPING,
    FA_ARM_REST,
    // Of a link.
    FA_ARM_MASS,
    FA_ARM_COM,
    FA_ARM_INERTIA,
    FA_ARM_PAYLOAD_MASS,
    FA_ARM_PAYLOAD_COM,
    FA_ARM_PAYLOAD_INERTIA,
    // Inputs.
    FA_ARM_TORQUE,
    FA_ARM_TIP_WRENCH,
    FA_ARM_LINK_WRENCH,
    // States and outputs of a joint.
    FA_ARM_POSITION,
    FA_ARM_VELOCITY,
    FA_ARM_ACCELERATION,
    // Outputs of the whole.
    FA_ARM_TIP_POSITION,
    FA_ARM_TIP_QUATERNION,
    FA_ARM_TIP_VELOCITY,
    FA_ARM_TIP_ANGULAR_VELOCITY,
    FA_ARM_TIP_ACCELERATION,
    FA_ARM_TIP_ANGULAR_ACCELERATION,
    FA_ARM_KINETIC,
    FA_ARM_POTENTIAL,
    FA_ARM_QUANTITY_COUNT
} fa_arm_quantity;

// Groups beyond FA_GROUP_DERIVATIVES.
enum {
    FA_ARM_GROUP_POSE = 2,
    FA_ARM_GROUP_VELOCITY = 4,
    FA_ARM_GROUP_ACCELERATION = 8,
    FA_ARM_GROUP_ENERGY = 16
};

fa_status     fa_arm_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_status     fa_inverse_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_arm_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known);
size_t        fa_arm_size(const fa_robot *robot);
void          fa_arm_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_arm_tangent(void *self, const double value[], double direction[], unsigned groups,
                             fa_error *error);
fa_status     fa_arm_adjoint(void *self, const double value[], double slope[], unsigned groups,
                             fa_error *error);

// A link that moves, and where its parameters are.
typedef struct fa_arm_link {
    int          body;
    fa_transform frame;      // body to link
    int          row;        // of mass; centre of mass and inertia follow
    int          wrench_row; // of the force's x; FA_NO_ROW: no such inputs
} fa_arm_link;

// A joint that moves, free or not; one per body.
typedef struct fa_arm_joint {
    int           row;  // of viscous friction; the others follow
    fa_quaternion home; // turns the body's axes at q = 0 into its parent's
    fa_friction   friction;
    fa_spring     spring;
} fa_arm_joint;

typedef struct fa_arm {
    fa_chain         chain;
    const fa_method *method;
    int              n_links; // that move

    bool inverse;                    // motion in, torque out
    int  row[FA_ARM_QUANTITY_COUNT]; // the first of each quantity, or FA_NO_ROW
    int  n_parameters;               // rows before the first input
    bool has_link_wrenches;

    int           tip_body;  // FA_WORLD: bolted to the ground
    fa_transform  tip_frame; // body to tip
    fa_quaternion tip_home;  // the same rotation
    int           n_path;    // bodies between the ground and the tip

    // One entry per body …
    fa_body         *body;
    fa_arm_joint    *joint;
    fa_inertia      *inertia_step, *inertia_slope;
    double          *rotor_step, *rotor_slope;
    fa_motion       *motion;
    fa_motion_step  *motion_step;
    fa_motion_slope *motion_slope;
    fa_twist        *wrench_slope;
    fa_wrench       *wrench, *wrench_step;
    fa_transform    *pose;
    int             *path; // n_path of them, from the ground on
    // … per link that moves …
    fa_arm_link *link;
    // … per coordinate …
    double *tau, *tau_step, *qdd_step;
    double *result;   // accelerations, or torques of an inverse
    double *factor;   // Cholesky factor of the mass matrix, for tangents
    bool    factored; // factor belongs to the state that was evaluated last
    void   *work;
} fa_arm;

// From values to what the recursions need; both for evaluation and for its derivatives. Drives are
// what friction and springs do at the joints.
void          fa_arm_drives(const fa_arm *arm, const double value[], double tau[]);
bool          fa_arm_loads(const fa_arm *arm,
                           const double  value[]);   // fills arm->wrench; false: all are zero
fa_motion     fa_arm_tip_motion(const fa_arm *arm); // from arm->motion
fa_quaternion fa_arm_tip_quaternion(const fa_arm *arm, const double q[]);

// Link parameters as they stand from `row` on: mass, centre of mass, inertia.
typedef struct fa_arm_mass {
    double  mass;
    fa_vec3 com;
    fa_sym3 inertia;
} fa_arm_mass;
fa_status   fa_arm_factor(fa_arm *arm, const double q[], fa_error *error); // arm->factor
fa_arm_mass fa_arm_mass_at(const double value[], int row);

#endif
