// forearm export --specialise: libraries with code for one arm in the place of general ones.
#ifndef FA_SPECIAL_PARTS_H
#define FA_SPECIAL_PARTS_H

#include "export.h"
#include "specialise.h"

typedef struct fa_special_parts {
    fa_specialised code;                        // text is NULL where there is none
    bool           compiled[FA_PLATFORM_COUNT]; // which libraries have it
    char           folder[FA_PATH_SIZE];        // where they are until fa_special_parts_free
} fa_special_parts;

// Compiles what the compiler at hand can; library[i].path of those becomes another one. What there
// is no code for, and what cannot be compiled, is warned of and stays general. Fails only when the
// machine does.
fa_status fa_special_parts_make(const fa_robot *robot, const char *sources, fa_library library[],
                                int n, const fa_log *log, fa_special_parts *parts, fa_error *error);
void      fa_special_parts_free(fa_special_parts *parts);

// Which of them have the code, as a line on standard output.
void fa_special_parts_report(const fa_special_parts *parts, const fa_library library[], int n,
                             bool sources);

#endif
