// The table of loop types, and lookup by name.
#include "loop_types.h"

#include <string.h>

const fa_loop_kind fa_loop_kinds[FA_LOOP_TYPE_COUNT] = {
#define X(code, name, position, orientation, further) {name, position, orientation, further},
    FA_LOOP_LIST(X)
#undef X
};

bool fa_loop_type_named(const char *name, fa_loop_type *type)
{
    if (strcmp(name, "continuous") == 0) name = "revolute";
    for (int i = 0; i < FA_LOOP_TYPE_COUNT; i++) {
        if (strcmp(fa_loop_kinds[i].name, name) != 0) continue;
        *type = (fa_loop_type)i;
        return true;
    }
    return false;
}

bool fa_loop_is_of_positions(fa_loop_type type)
{
    return type == FA_LOOP_COUPLING || type == FA_LOOP_RELATION;
}

int fa_loop_row_count(fa_loop_type type)
{
    static const int    of_rows[] = {0, 3, 2, 1};
    const fa_loop_kind *kind = &fa_loop_kinds[type];
    return of_rows[kind->position] + of_rows[kind->orientation] + kind->further;
}
