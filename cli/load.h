// The robot that a command is about.
#ifndef FA_LOAD_H
#define FA_LOAD_H

#include "inspect.h"
#include "options.h"

// Reads the robot file, or the FMU of ours, that the arguments name, as they want it read. Warnings
// go to standard error and are counted in *warnings, which may be NULL. *robot is released with
// free(), and NULL if this fails.
fa_status fa_load_robot(const fa_arguments *arguments, int *warnings, fa_robot **robot,
                        fa_error *error);

// The same for a file that looks like an FMU, with all that is in it. Release with fa_fmu_free.
fa_status fa_load_fmu(const fa_arguments *arguments, fa_fmu *fmu, fa_error *error);

// Arguments and packages of a file that is expanded, as the arguments have them.
fa_xacro_options fa_load_xacro(const fa_arguments *arguments);

#endif
