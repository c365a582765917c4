// C from expressions.
#ifndef FA_EMIT_H
#define FA_EMIT_H

#include "equations.h"

// The equations of one arm, once for all parameters and once without those that are zero in it.
typedef struct fa_special_version {
    fa_graph     graph;
    fa_equations equations;
    bool         zeros;
} fa_special_version;

// The file that stands in special.c's place in the library of this arm, as text (released by the
// caller with free) and its length. At most FA_SPECIAL_VERSIONS. FA_NO_MEMORY without a message.
fa_status fa_emit(const fa_special_version version[], int n_versions, const fa_chain *chain,
                  const char *name, char **text, size_t *size);

#endif
