// Loops as part of a robot: their place in its block of memory, the rules on them, and their
// assembly.
#ifndef FA_ROBOT_LOOPS_H
#define FA_ROBOT_LOOPS_H

#include "loops.h"
#include "robot.h"

// Makes the joints of a list of names, separated by commas, those that are to be independent.
fa_status fa_robot_set_independent(fa_robot *robot, const char *list, fa_error *error);

// Every rule on the names, links and numbers of loops.
fa_status fa_robot_check_loops(const fa_robot *robot, fa_error *error);

// Results of assembly and choice, for reports.
typedef struct fa_closing {
    int    speeds, rows, redundant, freedoms;
    double least_pivot; // 1: there are no loops
} fa_closing;

// Closes the loops of a robot whose tree keeps the rules: moves the initial positions, as little as
// it takes, chooses the dependent joints and marks them. Of a robot that is `closed` the choice
// stands, and nothing moves. A sentence for each fault; `log` hears what moved and which redundant
// rows do not close. `closing` may be NULL.
fa_status fa_robot_close(fa_robot *robot, const fa_log *log, fa_closing *closing, fa_error *error);

// The robot's loops as constraints of its chain; link_body and link_frame are those of
// fa_chain_build. `constraint` has n_loops.
void fa_robot_constraints(const fa_robot *robot, const int link_body[],
                          const fa_transform link_frame[], fa_constraint constraint[]);

// The loops of a robot that is closed, at its initial positions. NULL when there is no memory, or
// when the robot has changed. Release with fa_loops_free.
fa_loops *fa_robot_build_loops(const fa_robot *robot);

#endif
