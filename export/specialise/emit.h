// Generates C code from expression graphs.
#ifndef FA_EMIT_H
#define FA_EMIT_H

#include "equations.h"

// The equations of one arm: a version with all parameters, or one without its zero parameters.
typedef struct fa_special_version {
    fa_graph     graph;
    fa_equations equations;
    bool         zeros;
} fa_special_version;

// Generates the file that replaces special.c in the library of this arm, as text (freed by the
// caller) and its length. At most FA_SPECIAL_VERSIONS. FA_NO_MEMORY without a message.
fa_status fa_emit(const fa_special_version version[], int n_versions, const fa_chain *chain,
                  const char *name, char **text, size_t *size);

#endif
