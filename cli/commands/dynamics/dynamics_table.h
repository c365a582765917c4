// Evaluates forward or inverse dynamics for each line of a table of states.
#ifndef FA_DYNAMICS_TABLE_H
#define FA_DYNAMICS_TABLE_H

#include "options.h"
#include "robot.h"

// Reads the table arguments->in and writes the table arguments->out, with the options of the
// commands. Sets the robot's plant to the forward or the inverse one.
fa_status fa_dynamics_table(const fa_arguments *arguments, fa_robot *robot, bool inverse,
                            fa_error *error);

#endif
