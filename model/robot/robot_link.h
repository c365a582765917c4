// The rules on what a link weighs.
#ifndef FA_ROBOT_LINK_H
#define FA_ROBOT_LINK_H

#include "robot.h"

// Returns true if the principal moments are possible: none exceeds the sum of the others.
bool fa_link_is_of_a_body(const fa_link *link);

// The largest principal moment [kg m^2], not finite if the inertia is not.
double fa_link_largest_moment(const fa_link *link);

// Mass, centre of mass and inertia; name and place are for the sentences. `together` is the largest
// principal moment among the links that move as one body with this one [kg m^2], 0: it is alone. A
// moment below zero by rounding of that is accepted with a remark. `source` is the file that errors
// name, NULL: none, the numbers are an FMU's parameters.
fa_status fa_link_check(const fa_link *link, double together, const char *source, const fa_log *log,
                        fa_error *error);

#endif
