// Shortens names of joints and links for hosts that limit variables' names to 63 characters.
#ifndef FA_SHORT_NAMES_H
#define FA_SHORT_NAMES_H

#include "robot.h"
#include "variables.h"

#define FA_MATLAB_NAME 63 // limit of names in MATLAB (namelengthmax)

// Original and shortened name of an item.
typedef struct fa_short_name {
    const char *kind; // "joint", "link" or "cylinder"
    char        from[FA_NAME_SIZE], to[FA_NAME_SIZE];
} fa_short_name;

typedef struct fa_short_names {
    int            n;
    fa_short_name *of;
} fa_short_names;

// Returns the number of variables whose names are longer than FA_MATLAB_NAME, and the row of the
// longest.
int fa_long_names(const fa_variables *variables, int *longest);

// Shortens the names of joints and links in variables: removes the suffix _joint of joints and
// _link of links and the common prefix of all names, and where a variable's name is still too long,
// replaces middle letters by four digits of a hash. A name that would be ambiguous, or begin with a
// digit, stays longer. Plants other than arms have short names already. The robot must have passed
// fa_robot_check, and passes it again. *names lists the changes; release names->of with free(),
// also after a failure.
fa_status fa_robot_shorten_names(fa_robot *robot, fa_short_names *names, fa_error *error);

#endif
