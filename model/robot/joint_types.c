// The table of joint types, and its rows by their names.
#include "joint_types.h"

#include <string.h>

const fa_joint_kind fa_joint_kinds[FA_JOINT_TYPE_COUNT] = {
#define X(code, name, positions, speeds, turns, slides) {name, positions, speeds, turns, slides},
    FA_JOINT_LIST(X)
#undef X
};

bool fa_joint_type_named(const char *name, fa_joint_type *type)
{
    for (int i = 0; i < FA_JOINT_TYPE_COUNT; i++) {
        if (strcmp(fa_joint_kinds[i].name, name) != 0) continue;
        *type = (fa_joint_type)i;
        return true;
    }
    return false;
}
