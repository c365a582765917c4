// The plant "sliding-snake": a planar snake whose links slide on the ground, with all its degrees
// of freedom. Inside: what its files share.
//
// sliding_variables.c lists its variables, sliding_depends.c says which depends on which,
// sliding_layout.c finds memory and rows for it, sliding_ground.c has what the ground and obstacles
// do, sliding_drives.c the torques at joints, sliding_plant.c computes it, sliding_event.c switches
// it, sliding_tangent.c and sliding_adjoint.c compute how it changes. Joints and gait are those of
// the snake on ideal wheels (snake_elements.h), whose struct stands in front.
#ifndef FA_SLIDING_PLANT_H
#define FA_SLIDING_PLANT_H

#include "sliding_chain.h"
#include "snake_plant.h"

extern const fa_plant fa_sliding_plant;

#define FA_FOOT_ROWS_MOST 5 // numbers that a law of the ground reads

// Where on a link the ground acts: from the wheel, so much of its lengths a, b, c, d.
typedef struct fa_foothold {
    double a, b, c, d, share;
} fa_foothold;

// What is summed up over time, as states behind those of the motion.
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

// What is told of a period of the gait, and what of its beginning is remembered.
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

// What lies on the ground: rows of its numbers, in the order of its law, FA_NO_ROW where it has
// none.
#define FA_THING_NUMBERS 9
typedef struct fa_sliding_thing {
    fa_thing_kind kind;
    bool          rectangle;
    int           row[FA_THING_NUMBERS];
    int           force_row, touching_row, indicator_row; // of obstacles
    double        depth;                                  // the deepest of all links, …
    int           deepest;                                // … which it is of, …
    bool          ahead;                                  // … and at which end
    fa_flat       force, force_change;                    // of it on the snake
} fa_sliding_thing;

// What of all links comes together.
typedef struct fa_sliding_power {
    double drive, positive, ground, contact, joints;
    double spring_power;    // of the springs of joints
    double springs, stored; // energy in springs of joints, and in contacts
} fa_sliding_power;

typedef struct fa_sliding_self {
    fa_snake_self snake; // in front: places of elements read it

    bool             touches; // there are obstacles
    int              n_holds, n_things, n_patches;
    fa_foothold      hold[FA_SPREAD_MOST];
    int              n_numbers;                    // … of which there are so many, …
    int              foot[FA_FOOT_ROWS_MOST];      // … for the first link here, …
    int              foot_step[FA_FOOT_ROWS_MOST]; // … and so far on for the next one
    int              touch_row[5];                 // numbers of contacts with obstacles
    bool             reactions;                    // further outputs
    fa_sliding_chain chain;

    // One entry per link, …
    fa_sliding_link *at, *dot, *motion; // now; changes, or adjoints; what these bring about
    fa_sliding_body *body;
    bool            *told;    // joints that are prescribed
    int             *command; // and which of the commands is theirs
    double          *told_acceleration, *told_change;
    double          *drive, *drive_change; // torques of the drives
    fa_flat         *force, *force_change; // between links
    // … and per thing on the ground.
    fa_sliding_thing *thing;
    double           *factor; // of patches, scratch

    double           pull_x, pull_y, press; // gravity along the ground and on it [m/s^2]
    double           pull_change_x, pull_change_y, press_change; // or adjoints
    fa_sliding_power power, power_change;
} fa_sliding_self;

fa_status     fa_sliding_declare(const fa_robot *robot, fa_variables *variables, fa_error *error);
fa_dependence fa_sliding_depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                                 int known);
size_t        fa_sliding_size(const fa_robot *robot);
void          fa_sliding_prepare(void *self, const fa_robot *robot, const fa_variables *variables);
fa_status     fa_sliding_event(void *self, double value[], fa_event *event, fa_error *error);
fa_status fa_sliding_tangent(void *self, const double value[], double direction[], unsigned groups,
                             fa_error *error);
fa_status fa_sliding_adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                             fa_error *error);

static inline int fa_sliding_row(const fa_sliding_self *self, fa_snake_quantity quantity)
{
    return self->snake.row[quantity];
}

// Everything up to the forces on links, and to the accelerations, into self.
fa_status fa_sliding_trace(fa_sliding_self *self, const double value[], unsigned groups,
                           fa_error *error);

// What the ground and obstacles do to the links that have moved: adds to F and M of `at`, sets the
// outputs of the ground, adds to powers, and to the obstacles' depth and force.
void fa_sliding_push(fa_sliding_self *self, const double value[]);
void fa_sliding_push_tangent(fa_sliding_self *self, const double value[], const double direction[]);
void fa_sliding_push_adjoint(fa_sliding_self *self, const double value[], double adjoint[],
                             const fa_sliding_power *wanted);

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

// Of the deepest touch of an obstacle.
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
