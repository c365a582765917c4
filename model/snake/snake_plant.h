// The plant "snake": a planar snake on wheels that roll without slipping. Inside: what its files
// share.
//
// snake_variables.c lists its variables, snake_depends.c says which depends on which,
// snake_layout.c finds memory and rows for it, snake_elements.h what acts at its joints and wheels,
// snake_plant.c computes it, snake_event.c switches it, snake_tangent.c and snake_adjoint.c compute
// how it changes, snake_implicit.c solves equations with these changes.
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

// What a row is (fa_variable.quantity); fa_variable.index is the link or the joint, from 0, or what
// distinguishes rows of one kind. Rows of one quantity stand in a run, in the order of their index,
// but for those of a link (MASS to GROUND_LAST) and of a joint (VISCOUS to STOP_DAMPING), of which
// each link and each joint has a run.
typedef enum fa_snake_quantity {
    FA_SNAKE_ROW_OTHER, // rows that are not the snake's own
    FA_SNAKE_ROW_GRAVITY,
    FA_SNAKE_ROW_INITIAL_ANGLE,
    FA_SNAKE_ROW_INITIAL_X,
    FA_SNAKE_ROW_INITIAL_Y,
    FA_SNAKE_ROW_INITIAL_SPEED,
    FA_SNAKE_ROW_INITIAL_RATE,
    FA_SNAKE_ROW_INITIAL_WORK,
    FA_SNAKE_ROW_INITIAL_LINK_RATE, // of snakes that slide, to …
    FA_SNAKE_ROW_INITIAL_VELOCITY,
    FA_SNAKE_ROW_INITIAL_SUM, // what is summed up, by fa_sliding_sum
    FA_SNAKE_ROW_RADIUS,
    FA_SNAKE_ROW_SLOPE,
    FA_SNAKE_ROW_SLOPE_DIRECTION,
    FA_SNAKE_ROW_TOUCH,     // numbers of contacts, by rank
    FA_SNAKE_ROW_THING,     // numbers of things on the ground; index 16 i + rank
    FA_SNAKE_ROW_AVERAGING, // … here
    FA_SNAKE_ROW_MASS,
    FA_SNAKE_ROW_INERTIA,
    FA_SNAKE_ROW_LENGTH,
    FA_SNAKE_ROW_WHEEL,
    FA_SNAKE_ROW_ALONG,
    FA_SNAKE_ROW_ACROSS,
    FA_SNAKE_ROW_GROUND, // numbers of elements at each wheel
    FA_SNAKE_ROW_GROUND_LAST = FA_SNAKE_ROW_GROUND + FA_WHEEL_NUMBERS - 1,
    FA_SNAKE_ROW_GROUND_SHARED, // those that all wheels share, by index
#define X(element, number, ROW, word, rule) FA_SNAKE_ROW_##ROW,
    FA_SNAKE_JOINT_NUMBER_LIST(X) // LIMIT and what follows only where joints have stops
#undef X
    FA_SNAKE_ROW_FOOT, // numbers of laws of the ground at each link that slides
    FA_SNAKE_ROW_FOOT_LAST = FA_SNAKE_ROW_FOOT + FA_FEET_NUMBERS - 1,
    FA_SNAKE_ROW_FOOT_SHARED,
    FA_SNAKE_ROW_MOTOR, // resistance, torque constant, back-emf
    FA_SNAKE_ROW_CONTROL_LIMIT,
    FA_SNAKE_ROW_GAIT,        // index as in its list
    FA_SNAKE_ROW_GAIT_OFFSET, // what changes of these have added to the gait's angle
    FA_SNAKE_ROW_BANDWIDTH,
    // Inputs. Of a joint that the snake moves by itself, the torque is an output.
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
    FA_SNAKE_ROW_GAIT_ANGLE, // where its numbers are inputs
    FA_SNAKE_ROW_SUM,
    // Their derivatives.
    FA_SNAKE_ROW_LINK_RATE,
    FA_SNAKE_ROW_X_RATE,
    FA_SNAKE_ROW_Y_RATE,
    FA_SNAKE_ROW_SPEED_DERIVATIVE,
    FA_SNAKE_ROW_RATE_DERIVATIVE,
    FA_SNAKE_ROW_POWER,
    FA_SNAKE_ROW_GAIT_ANGLE_RATE,
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
    FA_SNAKE_ROW_PERIOD,        // by fa_sliding_period
    FA_SNAKE_ROW_PERIOD_MEMORY, // what was summed up when it began
    FA_SNAKE_ROW_PERIOD_INDICATOR,
    FA_SNAKE_ROW_TOUCHING,
    FA_SNAKE_ROW_TOUCH_INDICATOR,
    FA_SNAKE_ROW_QUANTITY_COUNT
} fa_snake_quantity;

// Indices of FA_SNAKE_ROW_GAIT that have a part of their own.
enum {
    FA_SNAKE_ROW_GAIT_FREQUENCY = 1,
    FA_SNAKE_ROW_GAIT_SHIFT,
    FA_SNAKE_ROW_GAIT_BIAS,
    FA_SNAKE_ROW_GAIT_PHASE,
    FA_SNAKE_ROW_GAIT_STIFFNESS,
    FA_SNAKE_ROW_GAIT_DAMPING,
    FA_SNAKE_ROW_GAIT_TORQUE_LIMIT // there where the file gives one
};

// Groups beyond FA_GROUP_DERIVATIVES.
enum {
    FA_SNAKE_GROUP_MOTION = 2,  // where everything is and how it moves
    FA_SNAKE_GROUP_CONTROL = 4, // the measure of control
    FA_SNAKE_GROUP_FORCES = 8   // of the ground on the wheels
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

// The Jacobian of the states' derivatives and what solves equations with it (snake_implicit.c).
#define FA_SNAKE_LINEAR_ROWS 3 // that are full: of speed, rate and work

typedef struct fa_snake_turn { // of a link, as in fa_snake_motion and fa_snake_link
    double C, S, V, w, a, b;
} fa_snake_turn;

typedef struct fa_snake_linear {
    fa_snake_turn *link;
    double        *row[FA_SNAKE_LINEAR_ROWS]; // by the states
    double         cosine, sine;              // of link 1's angle
    // Of one sigma. By changes of speed and rate of the pivot:
    double  sigma;
    int     pivot;
    double *angle[2];   // the links' angles
    double  base[2][2]; // speed and rate of the base
    double  first[2];   // speed of link 1
    double  N[2][2];    // what is left of the equations of motion, and its determinant
    double  determinant;
    double *spare; // one for each link
} fa_snake_linear;

typedef struct fa_snake_self {
    fa_snake       snake; // whose parts are the arrays below
    fa_snake_input input;
    fa_ground_law  law;
    bool           stops;
    bool           works; // the account of energy is there (FA_EXTRA_ENERGY)
    int            n_prescribed;
    int            prescribed[FA_PRESCRIBED_MAX]; // joints, from 0

    int row[FA_SNAKE_ROW_QUANTITY_COUNT]; // the first of each quantity, or FA_NO_ROW
    int gait_row[8];                      // of the gait's numbers
    int link_rows, joint_rows;            // from one's parameters to the next one's
    int foot_rows;                        // likewise, of a link's numbers of the law of the ground
    int n_states;
    int first_output, time_row; // calculated rows but states are first_output … time_row - 1

    // One entry per link …
    fa_snake_link   *link, *link_tangent; // tangents, or adjoints
    fa_snake_motion *motion, *motion_tangent;
    double          *cosine, *sine; // of the links' angles
    double          *rolling, *rolling_tangent, *lambda, *lambda_tangent;
    double          *angle_tangent; // of the links
    // … per joint, too, with one to spare …
    fa_snake_joint *joint, *joint_tangent;
    double         *torque, *torque_tangent; // all that acts at the joint
    double         *drive, *drive_tangent;   // what the snake does by itself to follow commands
    int            *input_row;               // torque or voltage from outside; FA_NO_ROW: none
    int            *drive_row;               // torque as an output; FA_NO_ROW: none
    // … and per row.
    double   *result;
    unsigned *group;
    void     *work;

    fa_snake_linear    linear;
    fa_snake_equations equations;
    double             ud[2];
    double             free_ud[2]; // without `drive`
    double             controllability;
} fa_snake_self;

// What snakes on ideal wheels and snakes that slide share. `n`: links.
extern const fa_structure fa_snake_structure;
// Takes the arrays that both plants use.
void fa_snake_take_shared(fa_arena *a, fa_snake_self *to, size_t n, size_t rows);
void fa_snake_find_rows(fa_snake_self *self, int n, const fa_variables *variables);
// Loads links and rotors from their parameters and checks these, but not what the ground asks of
// masses and lengths.
fa_status fa_snake_configure(fa_snake_self *self, const double value[], fa_error *error);
void      fa_snake_update_stops(const fa_snake_self *self, int n, double value[]);
// Copies self->result into the rows of these groups; refuses numbers that are not finite.
fa_status fa_snake_keep_results(const fa_snake_self *self, double value[], unsigned groups,
                                fa_error *error);

// Rows of a link's or a joint's parameter.
int fa_snake_link_row(const fa_snake_self *self, fa_snake_quantity quantity, int link);
int fa_snake_joint_row(const fa_snake_self *self, fa_snake_quantity quantity, int joint);

// Everything that these groups are made of, into self. Follows the discrete rows.
fa_status fa_snake_trace(fa_snake_self *self, const double value[], unsigned groups,
                         fa_error *error);

// Whether the angle of the gait is a state, so that it follows from no time.
static inline bool fa_snake_has_angle(const fa_snake_self *self)
{
    return self->row[FA_SNAKE_ROW_GAIT_ANGLE] != FA_NO_ROW;
}

#endif
