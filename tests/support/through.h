// A robot file through everything that an accepted robot can come to: Model Exchange and
// Co-Simulation with Jacobians, derivatives, dependencies and saved states, the description, and
// the program's commands on an FMU of it.
#ifndef THROUGH_H
#define THROUGH_H

#include <stdbool.h>
#include <stddef.h>

// Parts that may be left out, since they take most of the time.
enum { THROUGH_LIBRARY = 1, THROUGH_COMMANDS = 2, THROUGH_ALL = 3 };

// False: the robot file is refused, with a sentence. Ends the program where one is missing, or
// where a call that must succeed does not. Both standards' calls are translations of the same
// functions, so FMI 3.0 alone is called.
bool through_everything(const char *text, size_t size, int what);

#endif
