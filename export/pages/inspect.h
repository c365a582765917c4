// Reads the contents of a Forearm FMU from its archive.
#ifndef FA_INSPECT_H
#define FA_INSPECT_H

#include <stddef.h>

#include "robot_file.h"

typedef struct fa_fmu {
    char      *description; // modelDescription.xml, with a zero byte behind it
    size_t     description_size;
    fa_robot  *robot; // NULL: a foreign FMU, without resources/robot.forearm
    fa_options options;
    char       token[FA_TOKEN_SIZE]; // token of the robot file; empty if there is none
    int        n_platforms;
    char       platform[16][64]; // folders below binaries/ that contain a library, sorted
} fa_fmu;

// Returns true if the file begins like a zip archive: it may be an FMU, and is no robot file.
bool fa_fmu_looks_like(const char *path);

// Reads an FMU in memory. Refuses malicious archives (members.h), and a description that does not
// belong to the robot file beside it. Release with fa_fmu_free.
fa_status fa_fmu_read(const char *path, fa_fmu *fmu, fa_error *error);
void      fa_fmu_free(fa_fmu *fmu);

#endif
