// From rows of a plant's table to what laws read, and back from derivatives to rows: one mechanism
// for all elements of a list, whatever place they stand at. No include guard: for each place a
// source defines what follows and includes this, which undefines it again.
//
//     PLACE                         name of the place; PLACE_LIST: header with its elements
//     fa_<place>_now                struct of a moment there, with a field for each GIVEN
//     fa_<place>_change             struct of its change, with a field for each GIVEN
//     fa_<place>_sums               where adjoints are added up
//     PLACE_PRESENT(now, element)   whether it is there
//     PLACE_DRIVEN(now)             whether what drives acts: not where the motion is given
//     PLACE_ROWS_OF(now, element)   pointer to what says where its reals and results are: "at"
//     below PLACE_DATA_OF(now, element)   its numbers and choices as loaded PLACE_NUMBER(now, at,
//     loaded) what a number is now PLACE_INPUT(now, at)          where an input is PLACE_VALUE(now,
//     at)          value there, PLACE_CHANGE(now, change, at) its change, PLACE_ADD(now, sums, at,
//     by)  adds to its adjoint PLACE_ADD_GIVEN(now, sums, name, by) PLACE_ROW(now, at) row there,
//     or FA_NO_ROW PLACE_TELLS_PUSH(now, groups) and _RATE, _OUTPUT, _INDICATOR: whether such are
//     told SITE_<name>(now)              a flag that the place decides PLACE_WORK, PLACE_FRICTION,
//     PLACE_STOPS    indices of accounts: work done, and losses
//
// For each element there are then
//
//     fa_<element>_now(now)                     what its law reads
//     fa_<element>_change(now, change)          how that changes
//     fa_<element>_slopes(now, in_bar, sums)    the transpose
//
// and for all of a place, each with its _change and _slopes,
//
//     fa_<place>_push(now, power)       the sum of what they do; powers are added to the accounts,
//                                       unless these are NULL
//     fa_<place>_stored(now)            energy
//     fa_<place>_tell(now, groups, to)  results that have rows
#define PLACE_JOIN_(a, b, c) a##b##c
#define PLACE_JOIN(a, b, c)  PLACE_JOIN_(a, b, c)
#define PLACE_NAME(what)     PLACE_JOIN(fa_, PLACE, what)

// ------------------------------------------------------------------------------------ one element

#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    static inline fa_##name##_in fa_##name##_now(const PLACE_NAME(_now) * now)                     \
    {                                                                                              \
        const fa_##name##_data  data = PLACE_DATA_OF(now, name);                                   \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        fa_##name##_in          in;                                                                \
        (void)data;                                                                                \
        (void)rows;
#define TAKE(type, name, from)                                                                     \
    const type name = in.name = (from);                                                            \
    (void)name;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    TAKE(double, name, PLACE_NUMBER(now, rows->name, data.name))
#define NUMBER_OF(name, element)                                                                   \
    TAKE(double, name,                                                                             \
         PLACE_NUMBER(now, PLACE_ROWS_OF(now, element)->name, PLACE_DATA_OF(now, element).name))
#define INPUT(name, row, unit, bound, when, about)                                                 \
    TAKE(double, name, PLACE_VALUE(now, PLACE_INPUT(now, rows->name)))
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    TAKE(double, name, PLACE_VALUE(now, rows->name))
#define GIVEN(name, unit, about)                 TAKE(double, name, now->name)
#define MODE(name, row, type, unit, when, about) TAKE(double, name, PLACE_VALUE(now, rows->name))
#define SITE(name, about)                        TAKE(bool, name, SITE_##name(now))
#define CHOICE(name, xml, no, yes)               TAKE(bool, name, data.name)
#define FLAG(name, condition, about)             TAKE(bool, name, condition)
#define SHORTCUT(name, condition)                TAKE(bool, name, condition)
#define END(name)                                                                                  \
    return in;                                                                                     \
    }
#include "passes.h"
#undef TAKE

#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    static inline fa_##name##_in fa_##name##_change(const PLACE_NAME(_now) * now,                  \
                                                    const PLACE_NAME(_change) * change)            \
    {                                                                                              \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        fa_##name##_in          dot = {0};                                                         \
        (void)rows;                                                                                \
        (void)change;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    dot.name = PLACE_CHANGE(now, change, rows->name);
#define NUMBER_OF(name, element)                                                                   \
    dot.name = PLACE_CHANGE(now, change, PLACE_ROWS_OF(now, element)->name);
#define INPUT(name, row, unit, bound, when, about)                                                 \
    dot.name = PLACE_CHANGE(now, change, PLACE_INPUT(now, rows->name));
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    dot.name = PLACE_CHANGE(now, change, rows->name);
#define SWITCH(name, row, about) dot.name = PLACE_CHANGE(now, change, rows->name);
#define GIVEN(name, unit, about) dot.name = change->name;
#define END(name)                                                                                  \
    return dot;                                                                                    \
    }
#include "passes.h"

#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    static inline void fa_##name##_adjoints(const PLACE_NAME(_now) * now,                          \
                                            const fa_##name##_in *bar, PLACE_NAME(_sums) * sums)   \
    {                                                                                              \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        (void)rows;                                                                                \
        (void)bar;                                                                                 \
        (void)sums;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    PLACE_ADD(now, sums, rows->name, bar->name);
#define NUMBER_OF(name, element) PLACE_ADD(now, sums, PLACE_ROWS_OF(now, element)->name, bar->name);
#define INPUT(name, row, unit, bound, when, about)                                                 \
    PLACE_ADD(now, sums, PLACE_INPUT(now, rows->name), bar->name);
#define STATE(name, row, unit, nominal, bound, when, about)                                        \
    PLACE_ADD(now, sums, rows->name, bar->name);
#define SWITCH(name, row, about) PLACE_ADD(now, sums, rows->name, bar->name);
#define GIVEN(name, unit, about) PLACE_ADD_GIVEN(now, sums, name, bar->name);
#define END(name)                }
#include "passes.h"

// -------------------------------------------------------------------------- what they do together

// Kinds of an element's results, as a bit set.
#define ELEMENT_LIST                               PLACE_LIST
#define ELEMENT(name, at, xml, about)              enum { PLACE_JOIN(PLACE, _, name##_kinds) = 0
#define RESULT(name, kind, row, unit, when, about) | 1 << FA_RESULT_##kind
#define END(name)                                                                                  \
    }                                                                                              \
    ;
#include "passes.h"
#define HAS(name, kind) (PLACE_JOIN(PLACE, _, name##_kinds) >> FA_RESULT_##kind & 1)

// An element without an account of its own and without stored energy is a drive: its power counts
// as work.
#define DRIVES(name) (!HAS(name, FRICTION_LOSS) && !HAS(name, STOP_LOSS) && !HAS(name, STORED))
#define ACTS(name)                                                                                 \
    (HAS(name, PUSH) && PLACE_PRESENT(now, name) && (!DRIVES(name) || PLACE_DRIVEN(now)))
#define STORES(name) (HAS(name, STORED) && ACTS(name))

// Code of a pass for each kind of result; most are empty.
#define KIND_PUSH(name)
#define KIND_ACCELERATION(name)
#define KIND_RATE(name)
#define KIND_FLOW(name)
#define KIND_CAPACITY(name)
#define KIND_DRIVE(name)
#define KIND_REFLECTED(name)
#define KIND_FRICTION_LOSS(name)
#define KIND_STOP_LOSS(name)
#define KIND_CONTACT_LOSS(name)
#define KIND_STORED(name)
#define KIND_SUPPLIED(name)
#define KIND_STORING(name)
#define KIND_OUTPUT(name)
#define KIND_INVERSE(name)
#define KIND_INDICATOR(name)
#define KIND_HOLD(name)
#define EACH_RESULT(name, kind, row, unit, when, about) KIND_##kind(name)

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#define KIND_PUSH(name)                                                                            \
    sum += out.name;                                                                               \
    if (drives && power) power[PLACE_WORK] += out.name * now->rate;
#define KIND_FRICTION_LOSS(name)                                                                   \
    if (power) power[PLACE_FRICTION] += out.name;
#define KIND_STOP_LOSS(name)                                                                       \
    if (power) power[PLACE_STOPS] += out.name;
static inline double PLACE_NAME(_push)(const PLACE_NAME(_now) * now, double power[])
{
    (void)now;
    (void)power;
    double sum = 0;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_out      out;                                                                  \
        fa_##name##_law(&in, &out);                                                                \
        (void)drives;
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
    return sum;
}

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#define KIND_PUSH(name)                                                                            \
    sum += dot.name;                                                                               \
    if (drives && power) power[PLACE_WORK] += dot.name * now->rate + out.name * change->rate;
#define KIND_FRICTION_LOSS(name)                                                                   \
    if (power) power[PLACE_FRICTION] += dot.name;
#define KIND_STOP_LOSS(name)                                                                       \
    if (power) power[PLACE_STOPS] += dot.name;
static inline double PLACE_NAME(_push_change)(const PLACE_NAME(_now) * now,
                                              const PLACE_NAME(_change) * change, double power[])
{
    (void)now;
    (void)change;
    (void)power;
    double sum = 0;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        const fa_##name##_in in_dot = fa_##name##_change(now, change);                             \
        fa_##name##_out      out, dot;                                                             \
        fa_##name##_law(&in, &out);                                                                \
        fa_##name##_tangent(&in, &in_dot, &dot);                                                   \
        (void)drives;
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
    return sum;
}

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#define KIND_PUSH(name)                                                                            \
    bar.name = wanted + (drives && by_power ? by_power[PLACE_WORK] * now->rate : 0);               \
    if (drives && by_power) PLACE_ADD_GIVEN(now, sums, rate, by_power[PLACE_WORK] * out.name);
#define KIND_FRICTION_LOSS(name)                                                                   \
    if (by_power) bar.name = by_power[PLACE_FRICTION];
#define KIND_STOP_LOSS(name)                                                                       \
    if (by_power) bar.name = by_power[PLACE_STOPS];
// From adjoints with respect to the sum and to the accounts.
static inline void PLACE_NAME(_push_adjoints)(const PLACE_NAME(_now) * now, double wanted,
                                              const double by_power[], PLACE_NAME(_sums) * sums)
{
    (void)now;
    (void)wanted;
    (void)by_power;
    (void)sums;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (ACTS(name)) {                                                                              \
        const bool           drives = DRIVES(name);                                                \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_in       in_bar;                                                               \
        fa_##name##_out      out, bar = {0};                                                       \
        fa_##name##_law(&in, &out);                                                                \
        (void)drives;
#define RESULT EACH_RESULT
#define END(name)                                                                                  \
    fa_##name##_adjoint_of_motion(&in, &bar, &in_bar);                                             \
    fa_##name##_adjoints(now, &in_bar, sums);                                                      \
    }
#include "passes.h"
}

// -------------------------------------------------------------------------------- what they store

#undef KIND_PUSH
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#undef KIND_STORED
#define KIND_PUSH(name)
#define KIND_FRICTION_LOSS(name)
#define KIND_STOP_LOSS(name)
#define KIND_STORED(name) sum += out.name;
static inline double PLACE_NAME(_stored)(const PLACE_NAME(_now) * now)
{
    (void)now;
    double sum = 0;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_out      out;                                                                  \
        fa_##name##_law(&in, &out);
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
    return sum;
}

static inline double PLACE_NAME(_stored_change)(const PLACE_NAME(_now) * now,
                                                const PLACE_NAME(_change) * change)
{
    (void)now;
    (void)change;
    double sum = 0;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        const fa_##name##_in in_dot = fa_##name##_change(now, change);                             \
        fa_##name##_out      out;                                                                  \
        fa_##name##_tangent(&in, &in_dot, &out);
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
    return sum;
}

#undef KIND_STORED
#define KIND_STORED(name) bar.name = wanted;
static inline void PLACE_NAME(_stored_adjoints)(const PLACE_NAME(_now) * now, double wanted,
                                                PLACE_NAME(_sums) * sums)
{
    (void)now;
    (void)wanted;
    (void)sums;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (STORES(name)) {                                                                            \
        const fa_##name##_in in = fa_##name##_now(now);                                            \
        fa_##name##_in       in_bar;                                                               \
        fa_##name##_out      bar = {0};
#define RESULT EACH_RESULT
#define END(name)                                                                                  \
    fa_##name##_adjoint(&in, &bar, &in_bar);                                                       \
    fa_##name##_adjoints(now, &in_bar, sums);                                                      \
    }
#include "passes.h"
}
#undef KIND_STORED
#define KIND_STORED(name)

// ---------------------------------------------------------------------------------- what they tell

#define TOLD(kind, name) (PLACE_TELLS_##kind(now, groups) ? PLACE_ROW(now, rows->name) : FA_NO_ROW)
#define TELLS(name)      (HAS(name, RATE) || HAS(name, OUTPUT) || HAS(name, INDICATOR)) // or nothing

#undef KIND_PUSH
#undef KIND_RATE
#undef KIND_OUTPUT
#undef KIND_INDICATOR
#define KIND_PUSH(name)      || TOLD(PUSH, name) != FA_NO_ROW
#define KIND_RATE(name)      || TOLD(RATE, name) != FA_NO_ROW
#define KIND_OUTPUT(name)    || TOLD(OUTPUT, name) != FA_NO_ROW
#define KIND_INDICATOR(name) || TOLD(INDICATOR, name) != FA_NO_ROW
// Returns true if the element is present and has rows.
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    static inline bool PLACE_JOIN(PLACE, _, name##_tells)(const PLACE_NAME(_now) * now,            \
                                                          unsigned groups)                         \
    {                                                                                              \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        (void)rows;                                                                                \
        (void)now;                                                                                 \
        (void)groups;                                                                              \
        return PLACE_PRESENT(now, name) && (false
#define RESULT EACH_RESULT
#define END(name)                                                                                  \
    );                                                                                             \
    }
#include "passes.h"
#define TELLS_NOW(name) (TELLS(name) && PLACE_JOIN(PLACE, _, name##_tells)(now, groups))

#undef KIND_PUSH
#undef KIND_RATE
#undef KIND_OUTPUT
#undef KIND_INDICATOR
#define PUT(kind, name)                                                                            \
    if (TOLD(kind, name) != FA_NO_ROW) to[TOLD(kind, name)] = out.name;
#define KIND_PUSH(name)      PUT(PUSH, name)
#define KIND_RATE(name)      PUT(RATE, name)
#define KIND_OUTPUT(name)    PUT(OUTPUT, name)
#define KIND_INDICATOR(name) PUT(INDICATOR, name)
static inline void PLACE_NAME(_tell)(const PLACE_NAME(_now) * now, unsigned groups, double to[])
{
    (void)now;
    (void)groups;
    (void)to;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS_NOW(name)) {                                                                         \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        fa_##name##_out         out;                                                               \
        fa_##name##_law(&in, &out);                                                                \
        (void)rows;
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
}

static inline void PLACE_NAME(_tell_change)(const PLACE_NAME(_now) * now, unsigned     groups,
                                            const PLACE_NAME(_change) * change, double to[])
{
    (void)now;
    (void)groups;
    (void)change;
    (void)to;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS_NOW(name)) {                                                                         \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        const fa_##name##_in    in_dot = fa_##name##_change(now, change);                          \
        fa_##name##_out         out;                                                               \
        fa_##name##_tangent(&in, &in_dot, &out);                                                   \
        (void)rows;
#define RESULT    EACH_RESULT
#define END(name) }
#include "passes.h"
}

#undef PUT
#define PUT(kind, name)                                                                            \
    if (TOLD(kind, name) != FA_NO_ROW) bar.name = by[TOLD(kind, name)];
static inline void PLACE_NAME(_tell_adjoints)(const PLACE_NAME(_now) * now, unsigned groups,
                                              const double by[], PLACE_NAME(_sums) * sums)
{
    (void)now;
    (void)groups;
    (void)by;
    (void)sums;
#define ELEMENT_LIST PLACE_LIST
#define ELEMENT(name, at, xml, about)                                                              \
    if (TELLS_NOW(name)) {                                                                         \
        const fa_##name##_rows *rows = PLACE_ROWS_OF(now, name);                                   \
        const fa_##name##_in    in = fa_##name##_now(now);                                         \
        fa_##name##_in          in_bar;                                                            \
        fa_##name##_out         bar = {0};                                                         \
        (void)rows;
#define RESULT EACH_RESULT
#define END(name)                                                                                  \
    fa_##name##_adjoint(&in, &bar, &in_bar);                                                       \
    fa_##name##_adjoints(now, &in_bar, sums);                                                      \
    }
#include "passes.h"
}

// ----------------------------------------------------------------------------------------- the end

#undef PUT
#undef TELLS_NOW
#undef TELLS
#undef TOLD
#undef STORES
#undef ACTS
#undef DRIVES
#undef HAS
#undef EACH_RESULT
#undef KIND_PUSH
#undef KIND_ACCELERATION
#undef KIND_RATE
#undef KIND_FLOW
#undef KIND_CAPACITY
#undef KIND_DRIVE
#undef KIND_REFLECTED
#undef KIND_FRICTION_LOSS
#undef KIND_STOP_LOSS
#undef KIND_CONTACT_LOSS
#undef KIND_STORED
#undef KIND_OUTPUT
#undef KIND_INVERSE
#undef KIND_INDICATOR
#undef KIND_HOLD
#undef PLACE_NAME
#undef PLACE_JOIN
#undef PLACE_JOIN_
#undef PLACE
#undef PLACE_LIST
#undef PLACE_PRESENT
#undef PLACE_DRIVEN
#undef PLACE_ROWS_OF
#undef PLACE_DATA_OF
#undef PLACE_NUMBER
#undef PLACE_INPUT
#undef PLACE_VALUE
#undef PLACE_CHANGE
#undef PLACE_ADD
#undef PLACE_ADD_GIVEN
#undef PLACE_ROW
#undef PLACE_TELLS_PUSH
#undef PLACE_TELLS_RATE
#undef PLACE_TELLS_OUTPUT
#undef PLACE_TELLS_INDICATOR
#undef PLACE_WORK
#undef PLACE_FRICTION
#undef PLACE_STOPS
