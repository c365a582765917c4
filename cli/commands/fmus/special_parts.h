// forearm export --specialise: replaces general libraries by ones with code for this arm.
#ifndef FA_SPECIAL_PARTS_H
#define FA_SPECIAL_PARTS_H

#include "export.h"
#include "specialise.h"

typedef struct fa_special_parts {
    fa_specialised code;                        // text is NULL if there is no specialised code
    bool           compiled[FA_PLATFORM_COUNT]; // the libraries that contain it
    char folder[FA_PATH_SIZE]; // temporary folder of the libraries, until fa_special_parts_free
} fa_special_parts;

// Compiles with the compilers of this machine, and sets library[i].path to the results. Warns where
// code cannot be generated or compiled; that library stays the general one. Fails only on a lack of
// memory or disk.
fa_status fa_special_parts_make(const fa_robot *robot, const char *sources, fa_library library[],
                                int n, const fa_log *log, fa_special_parts *parts, fa_error *error);
void      fa_special_parts_free(fa_special_parts *parts);

// Prints a line that names the libraries with specialised code.
void fa_special_parts_report(const fa_special_parts *parts, const fa_library library[], int n,
                             bool sources);

#endif
