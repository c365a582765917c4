// resources/robots/cmu_dd_arm.xml, the arm that a session begins with, built into the program.
#ifndef FA_BUILT_IN_ARM_H
#define FA_BUILT_IN_ARM_H

#include <stddef.h>

extern const unsigned char fa_built_in_arm[];
extern const size_t        fa_built_in_arm_size;

#endif
