// The law of every element as a function on `real` (real.h), as the C compiler reads the element
// files:
//
//     fa_<name>_in     what the law reads: reals, then flags, then tables
//     fa_<name>_out    its results
//     fa_<name>_law(in, out)
//     fa_<name>_event(in, out, next, now, next_time)    doubles only: what an event does to the
//                      modes, in next, which begins as a copy of in; and the next event in time
//
// laws.gen.h has their derivatives.
#ifndef FA_LAWS_H
#define FA_LAWS_H

#include "real.h"

#define ELEMENT(name, at, xml, about)                              typedef struct fa_##name##_in {
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) real name;
#define NUMBER_OF(name, element)                                   real name;
#define INPUT(name, row, unit, bound, when, about)                 real name;
#define STATE(name, row, unit, nominal, bound, when, about)        real name;
#define GIVEN(name, unit, about)                                   real name;
#define MODE(name, row, type, unit, when, about)                   real name;
#define SITE(name, about)                                          bool name;
#define CHOICE(name, xml, no, yes)                                 bool name;
#define FLAG(name, condition, about)                               bool name;
#define SHORTCUT(name, condition)                                  bool name;
#define TABLE(name, xml, about)                                    const fa_points *name;
#define END(name)                                                                                  \
    }                                                                                              \
    fa_##name##_in;
#include "passes.h"

#define ELEMENT(name, at, xml, about)              typedef struct fa_##name##_out {
#define RESULT(name, kind, row, unit, when, about) real name;
#define END(name)                                                                                  \
    int after_results; /* C has no empty struct */                                                 \
    }                                                                                              \
    fa_##name##_out;
#include "passes.h"

#include "functions.h"

#define TAKE(type, name)                                                                           \
    const type name = in->name;                                                                    \
    (void)name;

#define LAW
#define ELEMENT(name, at, xml, about)                                                              \
    FA_INLINED void fa_##name##_law(const fa_##name##_in *in, fa_##name##_out *out)                \
    {                                                                                              \
        (void)in;                                                                                  \
        (void)out;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(real, name)
#define NUMBER_OF(name, element)                                   TAKE(real, name)
#define INPUT(name, row, unit, bound, when, about)                 TAKE(real, name)
#define STATE(name, row, unit, nominal, bound, when, about)        TAKE(real, name)
#define GIVEN(name, unit, about)                                   TAKE(real, name)
#define MODE(name, row, type, unit, when, about)                   TAKE(real, name)
#define SITE(name, about)                                          TAKE(bool, name)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name)
#define FLAG(name, condition, about)                               TAKE(bool, name)
#define SHORTCUT(name, condition)                                  TAKE(bool, name)
#define TABLE(name, xml, about)                                    TAKE(fa_points *, name)
#define END(name)                                                  }
#include "passes.h"
#undef LAW

#if FA_LANES == 1
#define EVENT
#define ELEMENT(name, at, xml, about)                                                              \
    FA_INLINED void fa_##name##_event(const fa_##name##_in *in, const fa_##name##_out *out,        \
                                      fa_##name##_in *next, double now, double *next_time)         \
    {                                                                                              \
        (void)in;                                                                                  \
        (void)out;                                                                                 \
        (void)next;                                                                                \
        (void)now;                                                                                 \
        (void)next_time;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(real, name)
#define NUMBER_OF(name, element)                                   TAKE(real, name)
#define INPUT(name, row, unit, bound, when, about)                 TAKE(real, name)
#define STATE(name, row, unit, nominal, bound, when, about)        TAKE(real, name)
#define GIVEN(name, unit, about)                                   TAKE(real, name)
#define MODE(name, row, type, unit, when, about)                   TAKE(real, name)
#define SITE(name, about)                                          TAKE(bool, name)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name)
#define FLAG(name, condition, about)                               TAKE(bool, name)
#define END(name)                                                  }
#include "passes.h"
#undef EVENT
#endif

#undef TAKE
#endif
