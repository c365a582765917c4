// What forearm identify writes beside numbers: a page about them, and a side file for what a URDF
// has no word for.
#ifndef FA_IDENTIFY_PAGE_H
#define FA_IDENTIFY_PAGE_H

#include "identification.h"

#define FA_TWO_SIDED 1.959963984540054 // standard deviations either way that hold 95 %

// *text is released with free().
fa_status fa_identify_page(const fa_arm_dynamics *dynamics, const fa_identification *found,
                           const char *robot, const char *log, const char *validate, char **text,
                           size_t *size, fa_error *error);

// <actuators> with rotors and friction of the robot's joints.
fa_status fa_identified_actuators(const fa_robot *robot, char **text, size_t *size,
                                  fa_error *error);

#endif
