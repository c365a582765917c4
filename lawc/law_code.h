// Writes expressions of a law as C on `real` (real.h).
#ifndef FA_LAW_CODE_H
#define FA_LAW_CODE_H

#include <stdio.h>

#include "law_text.h"

typedef struct fa_law_target {
    int         node;
    const char *text; // "out_dot->torque"
} fa_law_target;

// Statements that compute the targets' nodes, and "<text> = …;" for each of the n targets. False:
// there is not enough memory.
bool fa_law_write(const fa_law_graph *law, const fa_law_target target[], int n, FILE *out);

#endif
