// The plants "arm", a serial or branched manipulator, and "inverse", the same with motion as input
// and torque as output. Inside: what their files share.
//
// arm_variables.c lists its variables, arm_depends.c says which depends on which, arm_layout.c
// finds memory and rows for it, arm.c computes it, arm_tangent.c and arm_adjoint.c how it changes;
// arm_drives.c has what acts at the joints, arm_loads.c what pushes on links, arm_motors.c what
// motors tell, arm_power.c the power of everything else, for all three; arm_event.c switches.
#ifndef FA_ARM_H
#define FA_ARM_H

#include "arena.h"
#include "arm_cylinders.h"
#include "arm_quantity.h"
#include "arm_touches.h"
#include "chain.h"
#include "derivatives.h"
#include "dynamics.h"
#include "fast.h"
#include "kinematics.h"
#include "plant.h"

extern const fa_plant fa_arm_plant;
extern const fa_plant fa_inverse_plant;

// Prerequisites of the groups of an arm and of its inverse, also inside a mechanism.
extern const fa_group_needs fa_arm_needs[], fa_inverse_needs[];

// Groups beyond FA_GROUP_DERIVATIVES.
enum {
    FA_ARM_GROUP_POSE = 2,
    FA_ARM_GROUP_VELOCITY = 4,
    FA_ARM_GROUP_ACCELERATION = 8,
    FA_ARM_GROUP_ENERGY = 16,
    FA_ARM_GROUP_MOTORS = 32, // outputs of motors beyond the torque
    FA_ARM_GROUP_STICK = 64,  // whether joints go on sticking
    FA_ARM_GROUP_STOPS = 128,
    FA_ARM_GROUP_REACTIONS = 256,
    FA_ARM_GROUP_JACOBIAN = 512,
    FA_ARM_GROUP_MASS_MATRIX = 1024,
    FA_ARM_GROUP_CYLINDERS = 2048,
    FA_ARM_GROUP_POSES = 4096,
    FA_ARM_GROUP_NEEDS = 8192,    // forces that an inverse needs of cylinders
    FA_ARM_GROUP_POWERS = 16384,  // of arms without accounts; with them powers are derivatives
    FA_ARM_GROUP_LOOPS = 32768,   // of mechanisms: what follows from closed loops
    FA_ARM_GROUP_CONTACTS = 65536 // and line springs
};

fa_status     fa_arm_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_status     fa_inverse_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_arm_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known);
size_t        fa_arm_size(const fa_robot *robot);
size_t        fa_arm_work_size(const fa_chain *chain); // scratch, for one thing after another
void          fa_arm_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
void          fa_inverse_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_arm_tangent(void *self, const double value[], double direction[], unsigned groups,
                             fa_error *error);
fa_status     fa_arm_by_state(void *self, const fa_state_rows *states, const double value[],
                              double direction[], double by_state[], fa_error *error);
fa_status     fa_arm_adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                             fa_error *error);

// Properties of a joint besides its parameters, for the checks of these.
typedef struct fa_joint_given {
    const char   *name;
    fa_joint_type type;
    fa_mimic      mimic;
    double        initial_position, initial_velocity;
    double        pitch; // of a screw
} fa_joint_given;

// A joint that moves, free or not; one per body.
typedef struct fa_arm_joint {
    int           at[FA_ARM_JOINT_END]; // rows by quantity, FA_NO_ROW where there is none
    fa_quaternion home;                 // turns the body's axes at q = 0 into its parent's
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) fa_##name##_data name; // with the parameters' numbers
#include "passes.h"
    fa_joint_given given;
} fa_arm_joint;

// A link that moves, and where its parameters are.
typedef struct fa_arm_link {
    int          body;
    fa_transform frame;      // body to link
    int          row;        // of mass; centre of mass and inertia follow
    int          wrench_row; // of the force's x; FA_NO_ROW: no such inputs
    double       relief;     // share of its weight that is taken off it
    const char  *name;
} fa_arm_link;

// A joint with only a torque and viscous friction, as most have: the numbers of an evaluation,
// compact for the cache.
typedef struct fa_arm_plain {
    double viscous, ratio;
    int    torque; // row; FA_NO_ROW: more acts at this joint
    int    coordinate;
} fa_arm_plain;

// The efforts that hold the robot of the file's masses where it is (arm_weight.c), one for each
// coordinate; NULL where no servo wants them. And their tangents, and adjoints by them.
typedef struct fa_arm_weight {
    fa_body                *body; // as in the file; where they stand is the chain's to say
    double                 *effort, *tangent, *adjoint;
    double                 *rest;  // zero speeds
    struct fa_weight_loops *loops; // of a chain with loops, whose servos share what its tree needs
} fa_arm_weight;

typedef struct fa_arm {
    fa_chain chain;
    fa_ready ready;                // the method, at work on the chain as it was configured last
    fa_fast *fast;                 // NULL: a method was chosen by name
    int      kernel, fixed_kernel; // of fa_fast: the fastest, the fastest that is deterministic
    int      n_links;              // that move

    bool     inverse; // motion in, torque out
    int      only;    // the one coordinate whose torque is wanted of an inverse, or FA_NOBODY
    int      row[FA_ARM_QUANTITY_COUNT]; // the first of each quantity, or FA_NO_ROW
    int      n_parameters;               // rows before the first input
    bool     has_link_wrenches;          // or links that are relieved of weight
    bool     holds;                      // some joint can stick or be locked
    bool     sticks, has_stops;
    int      time_row;
    bool     has_drives;          // motors or servos, which tell more than their torque
    bool     tells;               // these, or indicators: stops, switches by real numbers
    bool     moves;               // some joint moves, and this is no inverse
    bool     works;               // the accounts of energy are there (FA_EXTRA_ENERGY)
    int      n_works;             // so many of them
    unsigned powers;              // the group of their rates
    double   power[FA_ARM_WORKS]; // what they grow by, at the state that was evaluated last
    double   power_tangent[FA_ARM_WORKS], power_adjoint[FA_ARM_WORKS];

    int           tip_body;  // FA_WORLD: bolted to the ground
    fa_transform  tip_frame; // body to tip
    fa_quaternion tip_home;  // the same rotation
    int           n_path;    // bodies between the ground and the tip

    // One entry per body; tangents and adjoints share memory, because they are never in use at the
    // same time …
    fa_body           *body;
    fa_arm_joint      *joint;
    fa_arm_plain      *plain;
    fa_inertia        *inertia_tangent, *inertia_adjoint;
    double            *rotor_tangent, *rotor_adjoint, *advance_adjoint;
    fa_motion         *motion;
    fa_motion_tangent *motion_tangent;
    fa_motion_adjoint *motion_adjoint;
    fa_twist          *wrench_adjoint;
    fa_wrench         *wrench, *wrench_tangent;
    fa_transform      *pose;
    int               *path; // n_path of them, from the ground on
    // … per link that moves …
    fa_arm_link     *link;
    fa_arm_cylinders cylinders;
    fa_arm_touches   touches;
    // … per coordinate …
    double                 *tau, *tau_tangent, *qdd_tangent;
    double                 *zero, *bias, *bias_still; // scratch of arm_power.c and arm_event.c
    double                 *push, *push_tangent_of;   // see fa_arm_pushes
    bool                   *held;                     // for chain.held, if joints can be locked
    double                 *result;                   // accelerations, or torques of an inverse
    double                 *factor;   // Cholesky factor of the mass matrix, for tangents
    bool                    factored; // factor belongs to the state that was evaluated last
    void                   *work;
    struct fa_loop_tangent *loops;  // of a chain with loops, in the place of the factor
    struct fa_weight_loops *shares; // of an inverse with loops: of its drives; NULL: a tree's
    const double           *turned; // likewise: what tau changes by, too, with the turns of balls

    // For fa_arm_by_state; of small arms only, in the place of tangents and adjoints.
    double  *by_q, *by_qd, *by_tau;
    fa_mat3 *turn;

    fa_arm_weight weight; // of the robot of the file, for servos that make up for it

    struct fa_arm_outputs *outputs; // on request, see arm_outputs.h; NULL: none
} fa_arm;

// From values to what the recursions need; both for evaluation and for its derivatives. Drives
// (arm_drives.c) are what acts at the joints. tau: of each coordinate; power: of each fa_arm_work,
// what the joints' own drives add to it; NULL where it is not wanted.
fa_arm_plain fa_arm_plain_of(const fa_arm *arm, int body);
void         fa_arm_drives(const fa_arm *arm, const double value[], double tau[], double power[]);
void fa_arm_drives_tangent(const fa_arm *arm, const double value[], const double direction[],
                           double tau_tangent[], double power_tangent[]);
void fa_arm_joint_drives_tangent(const fa_arm *arm, const double value[], const double direction[],
                                 double tau_tangent[], double power_tangent[]); // without cylinders
void fa_arm_drives_adjoint(const fa_arm *arm, const double value[], const double tau_adjoint[],
                           const double power_adjoint[], double adjoint[]);
double fa_arm_drives_energy(const fa_arm *arm, const double value[]); // stored in springs
double fa_arm_drives_energy_tangent(const fa_arm *arm, const double value[],
                                    const double direction[]);
void   fa_arm_drives_energy_adjoint(const fa_arm *arm, const double value[], double wanted,
                                    double adjoint[]);
// Computes the external force and torque on a link at its centre of mass, in world axes: the host's
// inputs, and the relief of gravity. False: none. Its tangent from `direction`; and the adjoints of
// rows from its adjoint.
bool fa_arm_link_push(const fa_arm *arm, const fa_arm_link *link, const double value[],
                      double world[6]);
void fa_arm_link_push_tangent(const fa_arm *arm, const fa_arm_link *link, const double value[],
                              const double direction[], double world_tangent[6]);
void fa_arm_link_push_adjoint(const fa_arm *arm, const fa_arm_link *link, const double value[],
                              const double world_adjoint[6], double adjoint[]);
bool fa_arm_loads(const fa_arm *arm,
                  const double  value[]); // fills arm->wrench; false: all are zero

// The same as torques at the joints, added to tau; gives their power. For arms that are no inverse,
// with arm->fast prepared; uses arm->bias.
double fa_arm_push(fa_arm *arm, const double value[], double tau[]);

// Changes of screws' pitches into their bodies; NULL: none. Adjoints by the bodies' advances to
// those rows.
void fa_arm_advance_tangents(fa_arm *arm, const double direction[]);
void fa_arm_advance_adjoints(const fa_arm *arm, const double advance_adjoint[], double adjoint[]);

// Sets locked joints and the motion of the ground in arm->chain, from `value`.
void fa_arm_place(fa_arm *arm, const double value[]);

// The efforts that hold the robot of the file's masses (arm_weight.c) at these positions, into
// arm->weight; how they change; and from the adjoints by them, which are in arm->weight.adjoint, to
// those of rows. The last two use arm->motion, its tangent and its adjoint. Where no servo wants
// them, nothing happens.
void fa_arm_weigh(fa_arm *arm, const double value[]);
void fa_arm_weigh_tangent(fa_arm *arm, const double value[], const double direction[]);
void fa_arm_weigh_adjoint(fa_arm *arm, const double value[], double adjoint[]);

// Computes the outputs of elements besides their efforts (arm_motors.c), and the inputs that an
// inverse's motors need.
void fa_arm_tell(const fa_arm *arm, double value[], unsigned groups);
void fa_arm_tell_tangent(const fa_arm *arm, const double value[], double direction[],
                         unsigned groups);
void fa_arm_tell_adjoint(const fa_arm *arm, const double value[], double adjoint[],
                         unsigned groups);
void fa_arm_voltages(const fa_arm *arm, const double torque[], double value[]);
void fa_arm_voltages_tangent(const fa_arm *arm, const double value[], const double torque_tangent[],
                             double direction[]);
void fa_arm_voltages_adjoint(const fa_arm *arm, const double value[], double torque_adjoint[],
                             double adjoint[]);

// Kinetic and potential energy, springs and stops included. `motion` of still ground is filled.
void fa_arm_energies(fa_arm *arm, const double value[], double energy[2]);

// Events (arm_event.c). Gaps: the indicators of what sticks or slips.
fa_status fa_arm_event(void *self, double value[], fa_event *event, fa_error *error);
fa_status fa_arm_gaps(fa_arm *arm, double value[]);
void fa_arm_gaps_tangent(const fa_arm *arm, const double value[], const double push_tangent_of[],
                         double direction[]);
void fa_arm_gaps_adjoint(const fa_arm *arm, const double value[], double push_adjoint[],
                         double adjoint[]);

// Computes the efforts that locks and static friction resist, into arm->push: torques less those
// that the motion needs. Zero where nothing is locked.
fa_status fa_arm_pushes(fa_arm *arm, const double value[], const double qdd[]);

// Computes the efforts at the joints into arm->tau, after fa_arm_place. They include external
// forces on links, whose power is `pushed`; for the readable methods these forces are in `load`
// instead. power: of each fa_arm_work, or NULL.
fa_status fa_arm_efforts(fa_arm *arm, const double value[], fa_load *load, double *pushed,
                         double power[], fa_error *error);

// Selects the method; its scratch `work`, of its work_size, must not be used elsewhere, since it
// contains prepared constants. Configuration prepares the method again.
void fa_arm_use(fa_arm *arm, const fa_method *method, void *work);

// Accelerations, or an inverse's torques, into arm->result. power: of each fa_arm_work, or NULL.
fa_status fa_arm_solve(fa_arm *arm, const double value[], double power[], fa_error *error);

// The rows of FA_GROUP_DERIVATIVES from finite accelerations that somebody else has found
// (arm_together.h), after fa_arm_efforts of an arm without loads, cylinders and moving ground.
void fa_arm_take_accelerations(fa_arm *arm, double value[], const double qdd[], double pushed);

// Returns the chain on fixed ground: all outputs are relative to the ground.
fa_chain fa_arm_still(const fa_arm *arm);

// Power of external forces and of the ground's motion (arm_power.c), its tangent and its adjoint.
// Those of loads read arm->motion, arm->motion_tangent of still ground and arm->wrench_tangent, and
// add to arm->motion_adjoint and arm->wrench_adjoint.
fa_status fa_arm_external_power(fa_arm *arm, const double value[], const fa_load *load,
                                double *power_in);
double    fa_arm_load_power_tangent(const fa_arm *arm, const fa_load *load);
fa_status fa_arm_ground_power_tangent(fa_arm *arm, const double value[], const fa_tangent *tangent,
                                      double *change);
void      fa_arm_load_power_adjoint(fa_arm *arm, const fa_load *load, double wanted);
fa_status fa_arm_ground_power_adjoint(fa_arm *arm, const double value[], double wanted,
                                      fa_adjoint *sums);

// Returns the body of the independent joint of a coordinate; others follow it.
int fa_arm_independent_body(const fa_arm *arm, int coordinate);

fa_motion     fa_arm_tip_motion(const fa_arm *arm); // from arm->motion
fa_quaternion fa_arm_tip_quaternion(const fa_arm *arm, const double q[]);

// Link parameters as they stand from `row` on: mass, centre of mass, inertia.
typedef struct fa_arm_mass {
    double  mass;
    fa_vec3 com;
    fa_sym3 inertia;
} fa_arm_mass;
// Gives the bytes of arm->work that it needs.
size_t fa_arm_jacobian_lay_out(fa_arm *to, fa_arena *arena, const fa_chain *chain);

// From parameters to inertias of the bodies. And what belongs to them: the tangent of each body's
// inertia and load from `direction`, the adjoints of parameters and loads from those.
void fa_arm_inertias(fa_arm *arm, const double value[]);
void fa_arm_rotor_tangents(fa_arm *arm, const double value[], const double direction[]);
void fa_arm_inertia_tangents(fa_arm *arm, const double value[], const double direction[]);
void fa_arm_inertia_adjoints(const fa_arm *arm, const double value[], double adjoint[]);
void fa_arm_load_tangents(fa_arm *arm, const double value[], const double direction[]);
// Tangents of the ground's velocity and acceleration; and the adjoints.
void fa_arm_base_tangents(const fa_arm *arm, const double direction[], fa_twist tangent[2]);
void fa_arm_base_adjoints(const fa_arm *arm, const fa_wrench by[2], double adjoint[]);
void fa_arm_load_adjoints(const fa_arm *arm, const double value[], double adjoint[]);

fa_status fa_arm_factor(fa_arm *arm, const double q[], fa_error *error);              // arm->factor
fa_status fa_arm_linearise_loops(fa_arm *arm, const double value[], fa_error *error); // arm->loops
fa_arm_mass fa_arm_mass_at(const double value[], int row);

#endif
