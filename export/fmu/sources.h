// The library's sources for an FMU that is compiled on its target: a flat list of C99 files without
// include paths. They need only one version of the standard's headers, which importers bring.
#ifndef FA_SOURCES_H
#define FA_SOURCES_H

#include <stddef.h>

#include "robot_file.h"

typedef struct fa_source_file {
    char  *name; // "arm.c"
    char  *text;
    size_t size;
    bool   compiled; // false: it is a header
} fa_source_file;

typedef struct fa_sources {
    int             n;
    fa_source_file *of;
} fa_sources; // all zero: no sources

// Replacements of listed files: the robot file in built_in.c, and specialised code in special.c,
// unless that is NULL.
typedef struct fa_own_sources {
    const char *robot_file;
    size_t      robot_size;
    const char *special;
    size_t      special_size;
} fa_own_sources;

// Reads the files listed in <folder>/files.txt, without the interface of the other FMI version.
fa_status fa_sources_read(const char *folder, const fa_options *options, const fa_own_sources *own,
                          fa_sources *sources, fa_error *error);
void      fa_sources_free(fa_sources *sources);

// Writes buildDescription.xml of FMI 3.0, as text (freed by the caller) and its length.
fa_status fa_build_description_write(const fa_sources *sources, const fa_options *options,
                                     char **text, size_t *size, fa_error *error);

#endif
