// Shorter names of joints and links, for hosts that take 63 characters of a variable's name.
#ifndef FA_SHORT_NAMES_H
#define FA_SHORT_NAMES_H

#include "robot.h"
#include "variables.h"

#define FA_MATLAB_NAME 63 // characters that MATLAB takes of a name (namelengthmax)

// What one thing is called in the robot file, and in the FMU.
typedef struct fa_short_name {
    const char *kind; // "joint", "link" or "cylinder"
    char        from[FA_NAME_SIZE], to[FA_NAME_SIZE];
} fa_short_name;

typedef struct fa_short_names {
    int            n;
    fa_short_name *of;
} fa_short_names;

// Variables whose names have more characters than FA_MATLAB_NAME, and the row of the longest.
int fa_long_names(const fa_variables *variables, int *longest);

// Gives joints and links with variables shorter names: without the suffix _joint of joints and
// _link of links, without the prefix that all of them have, and where a variable's name is too
// long still, with four digits of a hash in place of middle letters. A name that would be another
// one's, or begin with a digit, stays longer. Other plants than arms have short names already. The
// robot has passed fa_robot_check, and has done so again. *names says what has changed; release
// names->of with free(), also after a failure.
fa_status fa_robot_shorten_names(fa_robot *robot, fa_short_names *names, fa_error *error);

#endif
