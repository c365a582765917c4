// forearm check, of robots with closed loops; and its --json, of every robot.
#ifndef FA_CHECK_LOOPS_H
#define FA_CHECK_LOOPS_H

#include "robot.h"

// Freedoms, states, redundant rows, and what assembly has moved. Nothing of robots without loops.
fa_status fa_print_loops(const fa_robot *robot, fa_error *error);

// The same as JSON, on standard output; docs/cli.md describes it.
fa_status fa_print_check_json(const fa_robot *robot, int warnings, fa_error *error);

#endif
