// What an FMU of ours contains, read back from the archive.
#ifndef FA_INSPECT_H
#define FA_INSPECT_H

#include <stddef.h>

#include "robot_file.h"

typedef struct fa_fmu {
    char      *description; // modelDescription.xml, closed by a zero
    size_t     description_size;
    fa_robot  *robot; // NULL: an FMU that is not ours, without resources/robot.forearm
    fa_options options;
    char       token[FA_TOKEN_SIZE]; // of the robot file; empty if there is none
    int        n_platforms;
    char       platform[16][64]; // folders below binaries/ that hold a library, sorted
} fa_fmu;

// True if the file begins like a zip archive, so that it may be an FMU and cannot be a robot file.
bool fa_fmu_looks_like(const char *path);

// Reads an FMU without unpacking anything to the disk. Archives that mean harm
// (members.h) are refused, and so is a description of another robot than the one beside it.
// Release with fa_fmu_free.
fa_status fa_fmu_read(const char *path, fa_fmu *fmu, fa_error *error);
void      fa_fmu_free(fa_fmu *fmu);

#endif
