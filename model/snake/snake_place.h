// Common macros of a snake's places: rows by fa_snake_at. No include guard: see snake_elements.h,
// which defines PLACE, PLACE_LIST and PLACE_PRESENT before.
#define PLACE_DRIVEN(now)                    true
#define PLACE_ROWS_OF(now, element)          ((fa_##element##_rows[1]){fa_snake_##element##_rows()})
#define PLACE_DATA_OF(now, element)          fa_##element##_usual()
#define PLACE_NUMBER(now, at, loaded)        ((at) ? fa_snake_value_at(&(now)->part, at) : (loaded))
#define PLACE_INPUT(now, at)                 (at)
#define PLACE_VALUE(now, at)                 fa_snake_in(&(now)->part, (now)->part.value, at)
#define PLACE_CHANGE(now, change, at)        fa_snake_in(&(now)->part, (change)->direction, at)
#define PLACE_ADD(now, sums, at, by)         fa_snake_add_at(&(now)->part, (sums)->adjoint, at, by)
#define PLACE_ADD_GIVEN(now, sums, name, by) ((sums)->name += (by))
#define PLACE_ROW(now, at)                   fa_snake_row_at(&(now)->part, at)
#define PLACE_TELLS_PUSH(now, groups)        false
#define PLACE_TELLS_RATE(now, groups)        false
#define PLACE_TELLS_OUTPUT(now, groups)      true
#define PLACE_TELLS_INDICATOR(now, groups)   true
#define PLACE_WORK                           0
#define PLACE_FRICTION                       0
#define PLACE_STOPS                          0
#include "place.h"
