// Loads the robot that a command works on.
#ifndef FA_LOAD_H
#define FA_LOAD_H

#include "inspect.h"
#include "options.h"

// Reads the robot file or Forearm FMU that the arguments name, with their options. Writes warnings
// to standard error and counts them in *warnings, which may be NULL. Release *robot with free(); it
// is NULL after a failure.
fa_status fa_load_robot(const fa_arguments *arguments, int *warnings, fa_robot **robot,
                        fa_error *error);

// The same, with warnings to another listener.
fa_status fa_load_robot_heard(const fa_arguments *arguments, fa_log log, fa_robot **robot,
                              fa_error *error);

// Loads a file that looks like an FMU, with all its contents. Release with fa_fmu_free.
fa_status fa_load_fmu(const fa_arguments *arguments, fa_fmu *fmu, fa_error *error);

// Returns the arguments and packages for xacro from the command line.
fa_xacro_options fa_load_xacro(const fa_arguments *arguments);

// Returns the file that has the shapes of links, or NULL for an FMU, which has none.
const char *fa_load_drawing(const fa_arguments *arguments);

#endif
