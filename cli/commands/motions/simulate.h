// Simulation of a robot from its start values, for other commands.
#ifndef FA_SIMULATE_H
#define FA_SIMULATE_H

#include <stdio.h>

#include "robot.h"

// Writes the table that `forearm simulate` writes without options into `stream`.
// Where the robot has the parameter `deterministic`, it is true: the same bits on every processor.
// Fails with FA_BAD_INPUT after `patience` evaluations of the equations of motion.
fa_status fa_simulate_into(FILE *stream, const fa_robot *robot, double stop, double step,
                           long patience, fa_error *error);

#endif
