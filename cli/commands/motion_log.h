// A log of an arm's motion as a table: times, positions and drives of its joints.
#ifndef FA_MOTION_LOG_H
#define FA_MOTION_LOG_H

#include "identification.h"
#include "options.h"

// Name of a column, such as joint.<j>.position, of the joint that a coordinate is of.
typedef struct fa_motion_column {
    char text[2 * FA_NAME_SIZE];
} fa_motion_column;
fa_motion_column fa_motion_column_of(const fa_arm_dynamics *dynamics, int coordinate,
                                     const char *what);

// Reads it for the arm, whose coordinates it must have all; torques from currents by the arguments'
// gains, or by the motors of the file. At equal steps, resampled where they were not. Release with
// fa_motion_log_free, also after a failure.
fa_status fa_motion_log_read(const char *path, const fa_arm_dynamics *dynamics,
                             const fa_arguments *arguments, fa_motion_log *log, fa_error *error);
void      fa_motion_log_free(fa_motion_log *log);

#endif
