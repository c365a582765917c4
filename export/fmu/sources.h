// The sources of the FMU's library, for an FMU that is compiled where it is to run: a flat list of
// C99 files that need no include path, no file of this project beside them, and of the standard's
// headers only those of one version, which importers bring.
#ifndef FA_SOURCES_H
#define FA_SOURCES_H

#include <stddef.h>

#include "robot_file.h"

typedef struct fa_source_file {
    char  *name; // "arm.c"
    char  *text;
    size_t size;
    bool   compiled; // false: a header
} fa_source_file;

typedef struct fa_sources {
    int             n;
    fa_source_file *of;
} fa_sources; // all zero: none

// What stands in the place of files of the list: in built_in.c the robot file, and in special.c the
// code for one arm, unless that is NULL.
typedef struct fa_own_sources {
    const char *robot_file;
    size_t      robot_size;
    const char *special;
    size_t      special_size;
} fa_own_sources;

// Reads the files that the list <folder>/files.txt names, without the interface to the other
// version of FMI.
fa_status fa_sources_read(const char *folder, const fa_options *options, const fa_own_sources *own,
                          fa_sources *sources, fa_error *error);
void      fa_sources_free(fa_sources *sources);

// buildDescription.xml of FMI 3.0, as text (released by the caller with free) and its length.
fa_status fa_build_description_write(const fa_sources *sources, const fa_options *options,
                                     char **text, size_t *size, fa_error *error);

#endif
