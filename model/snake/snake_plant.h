// The plant "snake": a planar snake on wheels that roll without slipping. Internal header of its
// files.
//
// snake_variables.c lists its variables, snake_depends.c their dependencies, snake_layout.c lays
// out memory and rows, snake_elements.h maps the elements at joints and wheels, snake_plant.c
// evaluates it, snake_event.c makes discrete updates, snake_tangent.c and snake_adjoint.c
// differentiate it, snake_implicit.c solves linear equations with its Jacobian.
#ifndef FA_SNAKE_PLANT_H
#define FA_SNAKE_PLANT_H

#include "arena.h"
#include "plant.h"
#include "snake_kane.h"
#include "snake_kane_adjoint.h"
#include "snake_lists.h"
#include "snake_shape.h"

extern const fa_plant    fa_snake_plant;
extern const fa_implicit fa_snake_implicit;

// Quantities (fa_variable.quantity). fa_variable.index is the link or the joint, from 0, or
// distinguishes rows of one kind. Rows of one quantity are consecutive, in the order of their
// index, except those of a link (MASS to GROUND_LAST) and of a joint (VISCOUS to STOP_DAMPING):
// each link and each joint has all of these in sequence.
typedef enum fa_snake_quantity {
    FA_SNAKE_ROW_OTHER, // rows that are not declared by the snake
    FA_SNAKE_ROW_GRAVITY,
    FA_SNAKE_ROW_INITIAL_ANGLE,
    FA_SNAKE_ROW_INITIAL_X,
    FA_SNAKE_ROW_INITIAL_Y,
    FA_SNAKE_ROW_INITIAL_SPEED,
    FA_SNAKE_ROW_INITIAL_RATE,
    FA_SNAKE_ROW_INITIAL_WORK,
    FA_SNAKE_ROW_INITIAL_LINK_RATE, // for sliding snakes, to …
    FA_SNAKE_ROW_INITIAL_VELOCITY,
    FA_SNAKE_ROW_INITIAL_SUM, // integrals, by fa_sliding_sum
    FA_SNAKE_ROW_RADIUS,
    FA_SNAKE_ROW_SLOPE,
    FA_SNAKE_ROW_SLOPE_DIRECTION,
    FA_SNAKE_ROW_TOUCH,     // parameters of contacts, by index in their list
    FA_SNAKE_ROW_THING,     // parameters of things on the ground; index 16 i + index in their list
    FA_SNAKE_ROW_AVERAGING, // … here
    FA_SNAKE_ROW_MASS,
    FA_SNAKE_ROW_INERTIA,
    FA_SNAKE_ROW_LENGTH,
    FA_SNAKE_ROW_WHEEL,
    FA_SNAKE_ROW_ALONG,
    FA_SNAKE_ROW_ACROSS,
    FA_SNAKE_ROW_GROUND, // parameters of elements at each wheel
    FA_SNAKE_ROW_GROUND_LAST = FA_SNAKE_ROW_GROUND + FA_WHEEL_NUMBERS - 1,
    FA_SNAKE_ROW_GROUND_SHARED, // parameters shared by all wheels, by index
#define X(element, number, ROW, word, rule) FA_SNAKE_ROW_##ROW,
    FA_SNAKE_JOINT_NUMBER_LIST(X) // LIMIT and what follows only where joints have stops
#undef X
    FA_SNAKE_ROW_FOOT, // parameters of the law of the ground at each link
    FA_SNAKE_ROW_FOOT_LAST = FA_SNAKE_ROW_FOOT + FA_FEET_NUMBERS - 1,
    FA_SNAKE_ROW_FOOT_SHARED,
    FA_SNAKE_ROW_MOTOR, // resistance, torque constant, back-emf
    FA_SNAKE_ROW_CONTROL_LIMIT,
    FA_SNAKE_ROW_GAIT,        // index as in its list
    FA_SNAKE_ROW_GAIT_OFFSET, // accumulated offset that keeps the gait's angle continuous
    FA_SNAKE_ROW_SMOOTHING,
    FA_SNAKE_ROW_BANDWIDTH,
    // Inputs. A joint that the snake drives itself has its torque as an output.
    FA_SNAKE_ROW_TORQUE,
    FA_SNAKE_ROW_VOLTAGE,
    FA_SNAKE_ROW_REFERENCE, // angle, rate and acceleration; index 3 i + j of prescribed joint i
    FA_SNAKE_ROW_COMMAND,   // speed, rate
    // States.
    FA_SNAKE_ROW_ANGLE,
    FA_SNAKE_ROW_X,
    FA_SNAKE_ROW_Y,
    FA_SNAKE_ROW_SPEED,
    FA_SNAKE_ROW_RATE,
    FA_SNAKE_ROW_WORK,
    FA_SNAKE_ROW_GAIT_ANGLE, // where the gait's parameters are inputs, or its motion is prescribed
    FA_SNAKE_ROW_GAIT_NOW,   // of a prescribed gait: its numbers, amplitude to bias, as filtered
    FA_SNAKE_ROW_GAIT_NOW_RATE,
    FA_SNAKE_ROW_SUM,
    FA_SNAKE_ROW_JOINT_WORK, // on request
    // Their derivatives.
    FA_SNAKE_ROW_LINK_RATE,
    FA_SNAKE_ROW_X_RATE,
    FA_SNAKE_ROW_Y_RATE,
    FA_SNAKE_ROW_SPEED_DERIVATIVE,
    FA_SNAKE_ROW_RATE_DERIVATIVE,
    FA_SNAKE_ROW_POWER,
    FA_SNAKE_ROW_GAIT_ANGLE_RATE,
    FA_SNAKE_ROW_GAIT_NOW_ACCELERATION,
    FA_SNAKE_ROW_LINK_ACCELERATION,
    FA_SNAKE_ROW_X_ACCELERATION,
    FA_SNAKE_ROW_Y_ACCELERATION,
    FA_SNAKE_ROW_SUM_RATE,
    // Other outputs.
    FA_SNAKE_ROW_JOINT_ANGLE,
    FA_SNAKE_ROW_JOINT_RATE,
    FA_SNAKE_ROW_JOINT_REFERENCE,
    FA_SNAKE_ROW_CURRENT,
    FA_SNAKE_ROW_LINK_SPEED,
    FA_SNAKE_ROW_LINK_X,
    FA_SNAKE_ROW_LINK_Y,
    FA_SNAKE_ROW_COM_X,
    FA_SNAKE_ROW_COM_Y,
    FA_SNAKE_ROW_HEADING,
    FA_SNAKE_ROW_KINETIC,
    FA_SNAKE_ROW_CONTROLLABILITY,
    FA_SNAKE_ROW_LATERAL,
    FA_SNAKE_ROW_USAGE,
    FA_SNAKE_ROW_COM_X_RATE,
    FA_SNAKE_ROW_COM_Y_RATE,
    FA_SNAKE_ROW_POTENTIAL,
    FA_SNAKE_ROW_CONTACT_STORED,
    FA_SNAKE_ROW_GROUND_FORCE, // index 3 k + i of link k
    FA_SNAKE_ROW_DRIVE_TORQUE,
    FA_SNAKE_ROW_JOINT_POWER,
    FA_SNAKE_ROW_JOINT_ACCELERATION,
    FA_SNAKE_ROW_JOINT_FORCE, // on request; index 2 k + i of joint k
    FA_SNAKE_ROW_THING_FORCE, // index 2 i + j of thing i
    FA_SNAKE_ROW_AXES, // on request: x and y of the x axis, of the y axis; index 4 k + i of link k
    // Discrete outputs, and the indicator of those that the motion follows from.
    FA_SNAKE_ROW_STOP,
    FA_SNAKE_ROW_SLIP,
    FA_SNAKE_ROW_SLIPPED,
    FA_SNAKE_ROW_CONTROL_LOST,
    FA_SNAKE_ROW_STOP_INDICATOR,
    FA_SNAKE_ROW_PERIOD,        // results of the last period, by fa_sliding_period
    FA_SNAKE_ROW_PERIOD_MEMORY, // sums stored at its beginning
    FA_SNAKE_ROW_PERIOD_INDICATOR,
    FA_SNAKE_ROW_TOUCHING,
    FA_SNAKE_ROW_TOUCH_INDICATOR,
    FA_SNAKE_ROW_QUANTITY_COUNT
} fa_snake_quantity;

// Indices of FA_SNAKE_ROW_GAIT.
enum {
    FA_SNAKE_ROW_GAIT_FREQUENCY = 1,
    FA_SNAKE_ROW_GAIT_SHIFT,
    FA_SNAKE_ROW_GAIT_BIAS,
    FA_SNAKE_ROW_GAIT_PHASE,
    FA_SNAKE_ROW_GAIT_STIFFNESS,
    FA_SNAKE_ROW_GAIT_DAMPING,
    FA_SNAKE_ROW_GAIT_TORQUE_LIMIT // present if the file has a limit
};

enum { FA_GAIT_NUMBERS = FA_SNAKE_ROW_GAIT_BIAS + 1 }; // those that filters smooth

// Groups beyond FA_GROUP_DERIVATIVES.
enum {
    FA_SNAKE_GROUP_MOTION = 2,  // positions and velocities
    FA_SNAKE_GROUP_CONTROL = 4, // measure of control
    FA_SNAKE_GROUP_FORCES = 8,  // forces of the ground on the wheels
    FA_SNAKE_GROUPS = 4         // number of groups
};

// Hysteresis of the loss of control; those of stops and wheels are their elements'.
#define FA_SNAKE_CONTROL_HYSTERESIS 0.05 // share of the limit

fa_status     fa_snake_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_snake_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                               int known);
size_t        fa_snake_size(const fa_robot *robot);
void          fa_snake_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_snake_event(void *self, double value[], fa_event *event, fa_error *error);
void          fa_snake_tune(void *self, double value[], int row, double next);
fa_status     fa_snake_note(void *self, double value[], bool seen, fa_error *error);
fa_status     fa_snake_notable(void *self, const double value[], bool *seen, fa_error *error);
fa_status fa_snake_tangent(void *self, const double value[], double direction[], unsigned groups,
                           fa_error *error);
fa_status fa_snake_adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                           fa_error *error);

// The Jacobian of the states' derivatives, and its solver (snake_implicit.c).
#define FA_SNAKE_LINEAR_ROWS 3 // dense rows: speed, rate and work

typedef struct fa_snake_turn { // parts of fa_snake_motion and fa_snake_link
    double C, S, V, w, a, b;
} fa_snake_turn;

typedef struct fa_snake_linear {
    fa_snake_turn *link;
    double        *row[FA_SNAKE_LINEAR_ROWS]; // dense rows
    double         cosine, sine;              // of link 1's angle
    // Solution for one sigma, as linear functions of the pivot's speed and rate:
    double  sigma;
    int     pivot;
    double *angle[2];   // the links' angles
    double  base[2][2]; // speed and rate of the base
    double  first[2];   // speed of link 1
    double  N[2][2];    // matrix of the two remaining equations of motion, and its determinant
    double  determinant;
    double *spare; // scratch, one number for each link
} fa_snake_linear;

typedef struct fa_snake_self {
    fa_snake       snake; // its arrays are those below
    fa_snake_input input;
    fa_ground_law  law;
    bool           stops;
    bool           gait_told; // the gait is a prescribed motion
    bool           works;     // with the account of energy (FA_EXTRA_ENERGY)
    int            n_prescribed;
    int            prescribed[FA_PRESCRIBED_MAX]; // prescribed joints, from 0

    int row[FA_SNAKE_ROW_QUANTITY_COUNT]; // first row of each quantity, or FA_NO_ROW
    int gait_row[8];                      // rows of the gait's numbers
    int link_rows, joint_rows; // distance from the parameters of a link or joint to the next one's
    int foot_rows;             // the same for a link's numbers of the law of the ground
    int n_states;
    int first_output, time_row; // computed rows except states are first_output … time_row - 1
    struct {
        int first, end;
    } rows_of[FA_SNAKE_GROUPS]; // of each group: its rows are first … end - 1, and others between

    // One entry per link …
    fa_snake_link   *link, *link_tangent; // tangents, or adjoints
    fa_snake_motion *motion, *motion_tangent;
    double          *cosine, *sine; // of the links' angles
    double          *rolling, *rolling_tangent, *lambda, *lambda_tangent;
    double          *angle_tangent; // of the links
    // … per joint, too, with one to spare …
    fa_snake_joint *joint, *joint_tangent;
    double         *torque, *torque_tangent; // sum of all elements at the joint
    double         *drive, *drive_tangent;   // torques of ideal drives of prescribed joints
    int            *input_row; // row of torque or voltage as an input; FA_NO_ROW: none
    int            *drive_row; // row of the torque as an output; FA_NO_ROW: none
    // … and per row.
    double   *result;
    unsigned *group;
    void     *work;

    fa_snake_linear    linear;
    fa_snake_equations equations;
    double             ud[2];
    double             free_ud[2]; // ud without `drive`
    double             controllability;
} fa_snake_self;

// Shared functions of snakes on ideal wheels and of sliding snakes. `n`: links.
extern const fa_structure fa_snake_structure;
// Lays out the arrays that both plants use.
void fa_snake_take_shared(fa_arena *a, fa_snake_self *to, size_t n, size_t rows);
void fa_snake_find_rows(fa_snake_self *self, int n, const fa_variables *variables);
// Copies links and rotors from their parameters and checks these, but not the masses and lengths
// that the ground law needs.
fa_status fa_snake_configure(fa_snake_self *self, const double value[], fa_error *error);
void      fa_snake_update_stops(const fa_snake_self *self, int n, double value[]);
void      fa_snake_update_control(fa_snake_self *self, double value[]); // the flag of its loss
// Copies self->result into the rows of these groups; fails on numbers that are not finite.
fa_status fa_snake_keep_results(const fa_snake_self *self, double value[], unsigned groups,
                                fa_error *error);

// Return the rows of a link's or a joint's parameter.
int fa_snake_link_row(const fa_snake_self *self, fa_snake_quantity quantity, int link);
int fa_snake_joint_row(const fa_snake_self *self, fa_snake_quantity quantity, int joint);

// Solves the equations of motion for `ud`, with the drives of prescribed joints or of a prescribed
// base, and adds the torques of these.
fa_status fa_snake_solve_drives(fa_snake_self *self, const double value[], fa_error *error);

// Computes the intermediate results of these groups. Uses the discrete rows.
fa_status fa_snake_trace(fa_snake_self *self, const double value[], unsigned groups,
                         fa_error *error);

// Returns true if the angle of the gait is a state, and not a function of time.
static inline bool fa_snake_has_angle(const fa_snake_self *self)
{
    return self->row[FA_SNAKE_ROW_GAIT_ANGLE] != FA_NO_ROW;
}

#endif
