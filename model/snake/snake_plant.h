// The plant "snake": a planar snake on wheels that roll without slipping. Inside: what its files
// share.
//
// snake_variables.c lists its variables, snake_depends.c says which depends on which,
// snake_layout.c finds memory and rows for it, snake_elements.h what acts at its joints and wheels,
// snake_plant.c computes it, snake_event.c switches it, snake_tangent.c and snake_adjoint.c compute
// how it changes, snake_implicit.c solves equations with these changes.
#ifndef FA_SNAKE_PLANT_H
#define FA_SNAKE_PLANT_H

#include "plant.h"
#include "snake_kane.h"
#include "snake_shape.h"
#include "snake_slope.h"

extern const fa_plant    fa_snake_plant;
extern const fa_implicit fa_crawl_implicit;

// What a row is (fa_variable.quantity); fa_variable.index is the link or the joint, from 0, or what
// distinguishes rows of one kind. Rows of one quantity stand in a run, in the order of their index,
// but for those of a link (MASS to GRIP) and of a joint (VISCOUS to STOP_DAMPING), of which each
// link and each joint has a run.
typedef enum fa_crawl {
    FA_CRAWL_OTHER, // rows that are not the snake's own
    FA_CRAWL_GRAVITY,
    FA_CRAWL_INITIAL_ANGLE,
    FA_CRAWL_INITIAL_X,
    FA_CRAWL_INITIAL_Y,
    FA_CRAWL_INITIAL_SPEED,
    FA_CRAWL_INITIAL_RATE,
    FA_CRAWL_INITIAL_WORK,
    FA_CRAWL_MASS,
    FA_CRAWL_INERTIA,
    FA_CRAWL_LENGTH,
    FA_CRAWL_WHEEL,
    FA_CRAWL_ALONG,
    FA_CRAWL_ACROSS,
    FA_CRAWL_ROLLING_VISCOUS,
    FA_CRAWL_ROLLING_COULOMB,
    FA_CRAWL_GRIP,
    FA_CRAWL_ROLLING_WIDTH,
    FA_CRAWL_VISCOUS,
    FA_CRAWL_STIFFNESS,
    FA_CRAWL_REST,
    FA_CRAWL_ROTOR,
    FA_CRAWL_GEAR,
    FA_CRAWL_LIMIT, // these three only where joints have stops
    FA_CRAWL_STOP_STIFFNESS,
    FA_CRAWL_STOP_DAMPING,
    FA_CRAWL_MOTOR, // resistance, torque constant, back-emf
    FA_CRAWL_CONTROL_LIMIT,
    FA_CRAWL_GAIT,        // index as in fa_snake_gait
    FA_CRAWL_GAIT_OFFSET, // what changes of these have added to the gait's angle
    FA_CRAWL_BANDWIDTH,
    // Inputs. Of a joint that the snake moves by itself, the torque is an output.
    FA_CRAWL_TORQUE,
    FA_CRAWL_VOLTAGE,
    FA_CRAWL_REFERENCE, // angle, rate and acceleration; index 3 i + j of prescribed joint i
    FA_CRAWL_COMMAND,   // speed, rate
    // States.
    FA_CRAWL_ANGLE,
    FA_CRAWL_X,
    FA_CRAWL_Y,
    FA_CRAWL_SPEED,
    FA_CRAWL_RATE,
    FA_CRAWL_WORK,
    FA_CRAWL_GAIT_ANGLE, // where its numbers are inputs
    // Their derivatives.
    FA_CRAWL_LINK_RATE,
    FA_CRAWL_X_RATE,
    FA_CRAWL_Y_RATE,
    FA_CRAWL_SPEED_DERIVATIVE,
    FA_CRAWL_RATE_DERIVATIVE,
    FA_CRAWL_POWER,
    FA_CRAWL_GAIT_ANGLE_RATE,
    // Other outputs.
    FA_CRAWL_JOINT_ANGLE,
    FA_CRAWL_JOINT_RATE,
    FA_CRAWL_JOINT_REFERENCE,
    FA_CRAWL_CURRENT,
    FA_CRAWL_LINK_SPEED,
    FA_CRAWL_LINK_X,
    FA_CRAWL_LINK_Y,
    FA_CRAWL_COM_X,
    FA_CRAWL_COM_Y,
    FA_CRAWL_HEADING,
    FA_CRAWL_KINETIC,
    FA_CRAWL_CONTROLLABILITY,
    FA_CRAWL_LATERAL,
    FA_CRAWL_USAGE,
    FA_CRAWL_AXES, // on request: x and y of the x axis, of the y axis; index 4 k + i of link k
    // Discrete outputs, and the indicator of those that the motion follows from.
    FA_CRAWL_STOP,
    FA_CRAWL_SLIP,
    FA_CRAWL_SLIPPED,
    FA_CRAWL_CONTROL_LOST,
    FA_CRAWL_STOP_INDICATOR,
    FA_CRAWL_QUANTITY_COUNT
} fa_crawl;

// Indices of FA_CRAWL_GAIT that have a part of their own.
enum { FA_CRAWL_GAIT_FREQUENCY = 1, FA_CRAWL_GAIT_SHIFT, FA_CRAWL_GAIT_BIAS, FA_CRAWL_GAIT_PHASE };

// Groups beyond FA_GROUP_DERIVATIVES.
enum {
    FA_CRAWL_GROUP_MOTION = 2,  // where everything is and how it moves
    FA_CRAWL_GROUP_CONTROL = 4, // the measure of control
    FA_CRAWL_GROUP_FORCES = 8   // of the ground on the wheels
};

// Hysteresis of the loss of control; those of stops and wheels are their elements'.
#define FA_CRAWL_CONTROL_HYSTERESIS 0.05 // share of the limit

fa_status     fa_crawl_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_crawl_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                               int known);
size_t        fa_crawl_size(const fa_robot *robot);
void          fa_crawl_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_crawl_event(void *self, double value[], fa_event *event, fa_error *error);
void          fa_crawl_tune(void *self, double value[], int row, double next);
fa_status     fa_crawl_note(void *self, double value[], bool seen, fa_error *error);
fa_status     fa_crawl_notable(void *self, const double value[], bool *seen, fa_error *error);
fa_status fa_crawl_tangent(void *self, const double value[], double direction[], unsigned groups,
                           fa_error *error);
fa_status fa_crawl_adjoint(void *self, const double value[], double slope[], unsigned groups,
                           fa_error *error);

// The Jacobian of the states' derivatives and what solves equations with it (snake_implicit.c).
#define FA_CRAWL_LINEAR_ROWS 3 // that are full: of speed, rate and work

typedef struct fa_crawl_turn { // of a link, as in fa_snake_motion and fa_snake_link
    double C, S, V, w, a, b;
} fa_crawl_turn;

typedef struct fa_crawl_linear {
    fa_crawl_turn *link;
    double        *row[FA_CRAWL_LINEAR_ROWS]; // by the states
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
} fa_crawl_linear;

typedef struct fa_crawler {
    fa_snake       snake; // whose parts are the arrays below
    fa_snake_input input;
    bool           stops;
    bool           works; // the account of energy is there (FA_EXTRA_ENERGY)
    int            n_prescribed;
    int            prescribed[FA_PRESCRIBED_MAX]; // joints, from 0

    int row[FA_CRAWL_QUANTITY_COUNT]; // the first of each quantity, or FA_NO_ROW
    int gait_row[7];                  // of fa_snake_gait's numbers
    int joint_rows;                   // from one joint's parameters to the next one's
    int n_states;
    int first_output, time_row; // calculated rows but states are first_output … time_row - 1

    // One entry per link …
    fa_snake_link   *link, *link_step; // steps, or slopes
    fa_snake_motion *motion, *motion_step;
    double          *cosine, *sine; // of the links' angles
    double          *rolling, *rolling_step, *lambda, *lambda_step;
    double          *angle_step; // of the links
    // … per joint, too, with one to spare …
    fa_snake_joint *joint, *joint_step;
    double         *torque, *torque_step; // all that acts at the joint
    double         *drive, *drive_step;   // what the snake does by itself to follow commands
    int            *input_row;            // torque or voltage from outside; FA_NO_ROW: none
    int            *drive_row;            // torque as an output; FA_NO_ROW: none
    // … and per row.
    double   *result;
    unsigned *group;
    void     *work;

    fa_crawl_linear    linear;
    fa_snake_equations equations;
    double             ud[2];
    double             free_ud[2]; // without `drive`
    double             controllability;
} fa_crawler;

// Rows of a link's or a joint's parameter.
int fa_crawl_link_row(const fa_crawler *self, fa_crawl quantity, int link);
int fa_crawl_joint_row(const fa_crawler *self, fa_crawl quantity, int joint);

// Everything that these groups are made of, into self. Follows the discrete rows.
fa_status fa_crawl_trace(fa_crawler *self, const double value[], unsigned groups, fa_error *error);

// Whether the angle of the gait is a state, so that it follows from no time.
static inline bool fa_crawl_has_angle(const fa_crawler *self)
{
    return self->row[FA_CRAWL_GAIT_ANGLE] != FA_NO_ROW;
}

#endif
