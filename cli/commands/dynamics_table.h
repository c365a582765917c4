// Dynamics of a table of states, for others than the commands forward and inverse.
#ifndef FA_DYNAMICS_TABLE_H
#define FA_DYNAMICS_TABLE_H

#include "options.h"
#include "robot.h"

// From the table arguments->in to the table arguments->out, as the commands do it with their
// options. The robot's plant becomes the one that answers.
fa_status fa_dynamics_table(const fa_arguments *arguments, fa_robot *robot, bool inverse,
                            fa_error *error);

#endif
