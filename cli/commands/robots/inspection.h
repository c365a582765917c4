// The data of forearm inspect, printed as text and as JSON.
#ifndef FA_INSPECTION_H
#define FA_INSPECTION_H

#include "inspect.h"
#include "json.h"
#include "view.h"

typedef struct fa_inspection {
    const fa_robot     *robot;
    const fa_variables *variables; // including descriptions
    const fa_view      *view;      // the variables as the FMU declares them
    const fa_fmu       *fmu;       // NULL: the operand is a robot file
} fa_inspection;

// inspect.c
const char *fa_role_name(fa_role role);

// inspect_json.c
void fa_inspection_put(fa_json *to, const fa_inspection *inspection);

#endif
