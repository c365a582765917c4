// What forearm inspect shows, in two forms.
#ifndef FA_INSPECTION_H
#define FA_INSPECTION_H

#include "inspect.h"
#include "json.h"
#include "view.h"

typedef struct fa_inspection {
    const fa_robot     *robot;
    const fa_variables *variables; // with descriptions
    const fa_view      *view;      // of them: as the FMU shows them
    const fa_fmu       *fmu;       // NULL: a robot file was read
} fa_inspection;

// inspect.c
const char *fa_role_name(fa_role role);

// inspect_json.c
void fa_inspection_put(fa_json *to, const fa_inspection *inspection);

#endif
