// The robot that is compiled into the library: none into those that Forearm builds, which read the
// robot file of the FMU that they are in. A source-code FMU brings a built_in.c of its own.
#ifndef FA_BUILT_IN_H
#define FA_BUILT_IN_H

#include <stddef.h>

extern const size_t        fa_built_in_size;    // bytes of the robot file; 0: there is none
extern const unsigned char fa_built_in_robot[]; // as fa_robot_file_write wrote it

#endif
