// forearm check, of robots with closed loops; and its --json, of every robot.
#ifndef FA_CHECK_LOOPS_H
#define FA_CHECK_LOOPS_H

#include "robot.h"

// Prints freedoms, states, redundant rows, and joints that assembly moved. Prints nothing for
// robots without loops.
fa_status fa_print_loops(const fa_robot *robot, fa_error *error);

// The same as JSON, on standard output; docs/cli.md describes it.
fa_status fa_print_check_json(const fa_robot *robot, int warnings, fa_error *error);

#endif
