// Further outputs of forearm identify: an HTML report, and a side file with the quantities that
// URDF cannot express.
#ifndef FA_IDENTIFY_PAGE_H
#define FA_IDENTIFY_PAGE_H

#include "identification.h"

// Quantile of the normal distribution for a two-sided interval of 95 %

// *text is released with free().
fa_status fa_identify_page(const fa_arm_dynamics *dynamics, const fa_identification *found,
                           const char *robot, const char *log, const char *validate, char **text,
                           size_t *size, fa_error *error);

// <actuators> with rotors and friction of the robot's joints.
fa_status fa_identified_actuators(const fa_robot *robot, char **text, size_t *size,
                                  fa_error *error);

#endif
