// Robot file compiled into the library. Forearm's own libraries contain none and read the robot
// file of their FMU; a source-code FMU replaces built_in.c.
#ifndef FA_BUILT_IN_H
#define FA_BUILT_IN_H

#include <stddef.h>

extern const size_t        fa_built_in_size;    // size of the robot file in bytes; 0: none
extern const unsigned char fa_built_in_robot[]; // as fa_robot_file_write wrote it

#endif
