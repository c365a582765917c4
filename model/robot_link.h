// The rules on what a link weighs.
#ifndef FA_ROBOT_LINK_H
#define FA_ROBOT_LINK_H

#include "robot.h"

// Mass, centre of mass and inertia; name and place are for the sentences. `source` is the file that
// errors name, NULL: none, the numbers are an FMU's parameters.
// Whether some body has such principal moments: none exceeds the sum of the others.
bool fa_link_is_of_a_body(const fa_link *link);

fa_status fa_link_check(const fa_link *link, const char *source, const fa_log *log,
                        fa_error *error);

#endif
