// The plants "sliding-snake", a planar snake whose links slide on the ground, with all its degrees
// of freedom, and "rolling-snake", the same ground under ideal wheels. Internal header of their
// files.
//
// sliding_variables.c lists its variables, sliding_depends.c their dependencies, sliding_layout.c
// lays out memory and rows, sliding_ground.c has the forces of ground and obstacles,
// sliding_drives.c the torques at joints, sliding_plant.c evaluates it, sliding_event.c makes
// discrete updates, sliding_tangent.c and sliding_adjoint.c differentiate it. Joints and gait are
// those of the snake on ideal wheels (snake_elements.h), whose struct comes first. Where wheels
// constrain the motion, rolling.c and rolling_change.c take the place of the free chain.
#ifndef FA_SLIDING_PLANT_H
#define FA_SLIDING_PLANT_H

#include "laws.h"
#include "sliding_chain.h"
#include "snake_plant.h"

extern const fa_plant fa_sliding_plant, fa_rolling_plant;

#define FA_FOOT_ROWS_MOST 5 // largest number of parameters of a law of the ground

// A contact point with the ground: from the wheel, as multiples of the link's lengths a, b, c, d.
typedef struct fa_foothold {
    double a, b, c, d, share;
} fa_foothold;

// Integrals over time, as states behind those of the motion.
typedef enum fa_sliding_sum {
    FA_SUM_HEADING_X,
    FA_SUM_HEADING_Y,
    FA_SUM_DRIVE,
    FA_SUM_POSITIVE,
    FA_SUM_GROUND,
    FA_SUM_CONTACT,
    FA_SUM_JOINTS,
    FA_SUMS
} fa_sliding_sum;

// Results of a period of the gait, and the sums stored at its beginning.
typedef enum fa_sliding_period {
    FA_PERIOD_COUNT,
    FA_PERIOD_DURATION,
    FA_PERIOD_DISTANCE,
    FA_PERIOD_SPEED,
    FA_PERIOD_HEADING,
    FA_PERIOD_WORK,
    FA_PERIOD_NET_WORK,
    FA_PERIOD_COST,
    FA_PERIODS
} fa_sliding_period;

enum {
    FA_MEMORY_ANGLE,
    FA_MEMORY_TIME,
    FA_MEMORY_X,
    FA_MEMORY_Y,
    FA_MEMORY_HEADING_X,
    FA_MEMORY_HEADING_Y,
    FA_MEMORY_WORK,
    FA_MEMORY_NET_WORK,
    FA_MEMORIES
};

// A thing on the ground: rows of its parameters, in the order of its law, FA_NO_ROW where it has
// none.
#define FA_THING_NUMBERS 9
typedef struct fa_sliding_thing {
    fa_thing_kind kind;
    bool          rectangle;
    int           row[FA_THING_NUMBERS];
    int           force_row, touching_row, indicator_row; // rows of obstacles
    double        depth;                                  // depth of the deepest contact, …
    int           deepest;                                // … its link, …
    bool          ahead;                                  // … and the end of that link
    fa_flat       force, force_change;                    // its force on the snake
} fa_sliding_thing;

// The numbers of a prescribed gait with their derivatives, or tangents or adjoints of these.
typedef struct fa_sliding_gait {
    double angle, now[FA_GAIT_NUMBERS], rate[FA_GAIT_NUMBERS], bend[FA_GAIT_NUMBERS];
} fa_sliding_gait;

// Sums over all links.
typedef struct fa_sliding_power {
    double drive, positive, ground, contact, joints;
    double spring_power;    // power of the joints' springs
    double springs, stored; // energy in springs of joints, and in contacts
} fa_sliding_power;

typedef struct fa_sliding_self {
    fa_snake_self snake; // first member: places of elements read it

    bool             wheels;  // ideal wheels leave two degrees of freedom
    bool             touches; // there are obstacles
    int              n_holds, n_things, n_patches;
    fa_foothold      hold[FA_SPREAD_MOST];
    int              law;                          // index of the law of the ground, …
    int              n_numbers;                    // … number of its parameters, …
    int              foot[FA_FOOT_ROWS_MOST];      // … their rows for the first link, …
    int              foot_step[FA_FOOT_ROWS_MOST]; // … and distances to those of the next one
    int              touch_row[5];                 // rows of the parameters of contacts
    bool             reactions;                    // FA_EXTRA_REACTIONS: further outputs
    fa_sliding_chain chain;

    // One entry per link, …
    fa_sliding_link *at, *dot, *motion; // now; tangents, or adjoints; the motion that these cause
    fa_sliding_body *body;
    bool            *told;    // joints that are prescribed
    int             *command; // and which of the commands is theirs
    double          *told_acceleration, *told_change;
    double          *drive, *drive_change; // torques of the drives
    double          *lost, *spring; // of what loses energy at the joints, and of their springs
    fa_flat         *force, *force_change;                            // between links
    double          *across, *across_change, *moment, *moment_change; // at the wheels
    // … and per thing on the ground.
    fa_sliding_thing *thing;
    double           *factor; // of patches, scratch

    double           pull_x, pull_y, press; // gravity along the ground and on it [m/s^2]
    double           pull_change_x, pull_change_y, press_change; // or adjoints
    fa_sliding_power power, power_change;
    fa_sliding_gait  gait, gait_change;
} fa_sliding_self;

fa_status     fa_sliding_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_sliding_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                                 int known);
size_t        fa_sliding_size(const fa_robot *robot);
void          fa_sliding_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_sliding_configure(void *self, const double value[], fa_error *error);
fa_status     fa_sliding_evaluate(void *self, double value[], unsigned groups, fa_error *error);
fa_status     fa_sliding_event(void *self, double value[], fa_event *event, fa_error *error);
fa_status fa_sliding_tangent(void *self, const double value[], double direction[], unsigned groups,
                             fa_error *error);
fa_status fa_sliding_adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                             fa_error *error);

static inline int fa_sliding_row(const fa_sliding_self *self, fa_snake_quantity quantity)
{
    return self->snake.row[quantity];
}

// Returns the row of the derivative of the gait's angle.
static inline int fa_sliding_frequency_row(const fa_sliding_self *self)
{
    return self->snake.gait_told
               ? self->snake.row[FA_SNAKE_ROW_GAIT_NOW] + FA_SNAKE_ROW_GAIT_FREQUENCY
               : self->snake.gait_row[FA_SNAKE_ROW_GAIT_FREQUENCY];
}

// Everything up to the forces on links, and to the accelerations, into self.
fa_status fa_sliding_trace(fa_sliding_self *self, const double value[], unsigned groups,
                           fa_error *error);

// Computes the forces of ground and obstacles on the links: adds to F and M of `at`, sets the
// outputs of the ground, adds to powers, and sets the obstacles' depth and force.
void fa_sliding_push(fa_sliding_self *self, const double value[]);
void fa_sliding_push_tangent(fa_sliding_self *self, const double value[], const double direction[]);
void fa_sliding_push_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                             const fa_sliding_power *wanted);

// The motion under ideal wheels: rates of the links and the velocity of the first one; and the
// accelerations, lateral forces and the measure of control.
void            fa_rolling_move(fa_sliding_self *self, const double value[]);
fa_status       fa_rolling_solve(fa_sliding_self *self, const double value[], unsigned groups,
                                 fa_error *error);
fa_snake_forces fa_rolling_forces(const fa_sliding_self *self);
void            fa_rolling_move_tangent(fa_sliding_self *self, const double direction[]);
fa_status fa_rolling_solve_tangent(fa_sliding_self *self, const double value[], double direction[],
                                   unsigned groups, fa_error *error);
void      fa_rolling_clear_adjoint(fa_sliding_self *self);
void      fa_rolling_move_adjoint(fa_sliding_self *self, double adjoint[]);
void      fa_rolling_react_adjoint(fa_sliding_self *self);
fa_status fa_rolling_solve_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                                   unsigned groups, fa_error *error);

// Rows that only wheels have, and the wheels' part of the ground's forces.
void fa_rolling_put_derivatives(fa_sliding_self *self);
void fa_rolling_put_forces(fa_sliding_self *self, const double value[]);
void fa_rolling_put_force_tangents(const fa_sliding_self *self, const double value[],
                                   double direction[]);
void fa_rolling_put_force_adjoints(fa_sliding_self *self, const double value[], double adjoint[]);

// The numbers of a prescribed gait, through their filters; the adjoint reads gait_change.
void fa_sliding_smooth(fa_sliding_self *self, const double value[]);
void fa_sliding_smooth_tangent(fa_sliding_self *self, const double value[],
                               const double direction[]);
void fa_sliding_smooth_adjoint(fa_sliding_self *self, const double value[], double adjoint[]);

// Returns what joint k follows of such a gait, without the joint's own motion.
fa_follower_in fa_sliding_wave(const fa_sliding_self *self, const double value[], int k);
fa_follower_in fa_sliding_wave_tangent(const fa_sliding_self *self, const double direction[],
                                       int k);
void fa_sliding_wave_adjoint(fa_sliding_self *self, const fa_follower_in *to, double adjoint[],
                             int k);

// The outputs of elements at joints: reference, current, indicator of the stops.
void fa_sliding_tell(fa_sliding_self *self, const double value[]);
void fa_sliding_tell_tangent(fa_sliding_self *self, const double value[], double direction[]);
void fa_sliding_tell_adjoint(fa_sliding_self *self, const double value[], double adjoint[]);

// By how much the angle of the gait, or without one the time, is beyond the end of its period.
double fa_sliding_turn_left(const fa_sliding_self *self, const double value[]);
double fa_sliding_turn_left_tangent(const fa_sliding_self *self, const double value[],
                                    const double direction[]);
void   fa_sliding_turn_left_adjoint(const fa_sliding_self *self, const double value[],
                                    double adjoint[], double wanted);

// Tangent of an obstacle's deepest contact.
double fa_sliding_depth_tangent(const fa_sliding_self *self, const double value[],
                                const double direction[], int thing);
void   fa_sliding_depth_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                                int thing, double wanted);

// Torques at the joints: in self->drive those of drives, in self->snake.torque all; powers.
void fa_sliding_turn(fa_sliding_self *self, const double value[]);
void fa_sliding_turn_tangent(fa_sliding_self *self, const double value[], const double direction[]);
void fa_sliding_turn_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                             const fa_sliding_power *wanted);

#endif
