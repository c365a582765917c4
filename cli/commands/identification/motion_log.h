// A log of an arm's motion as a table: times, positions and drives of its joints.
#ifndef FA_MOTION_LOG_H
#define FA_MOTION_LOG_H

#include "identification.h"
#include "options.h"

// Returns the name of a column, such as joint.<j>.position, of the independent joint of a
// coordinate.
typedef struct fa_motion_column {
    char text[2 * FA_NAME_SIZE];
} fa_motion_column;
fa_motion_column fa_motion_column_of(const fa_arm_dynamics *dynamics, int coordinate,
                                     const char *what);

// Reads a log with a column for each coordinate of the arm. Torques are computed from currents by
// the arguments' gains, or by the motors of the file. Resamples the log at equal steps where its
// own differ. Release with fa_motion_log_free, also after a failure.
fa_status fa_motion_log_read(const char *path, const fa_arm_dynamics *dynamics,
                             const fa_arguments *arguments, fa_motion_log *log, fa_error *error);
void      fa_motion_log_free(fa_motion_log *log);

#endif
