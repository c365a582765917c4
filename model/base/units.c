// Table of units and their SI exponents.
#include "units.h"

const fa_unit_row fa_units[FA_UNIT_COUNT] = {
#define X(code, name, kg, m, s, A, rad) {name, kg, m, s, A, rad},
    FA_UNIT_LIST(X)
#undef X
};
