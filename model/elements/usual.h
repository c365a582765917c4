// Default numbers of an element: fa_<element>_usual(). NAN: required. A plant uses them, as
// compile-time constants, for numbers without a row.
#ifndef FA_USUAL_H
#define FA_USUAL_H

#include <math.h>
#include <string.h>

#include "element_data.h"

#define USUAL(x)       (x)
#define AS(number)     (number)
#define AS_SAID(a, b)  (b)
#define QUOTIENT(a, b) ((b) != 0 ? (a) / (b) : (double)NAN)
#define REQUIRED       ((double)NAN)
#define ELSEWHERE      ((double)NAN)
#define TAKE(name, value)                                                                          \
    const double name = data.name = (value);                                                       \
    (void)name;

#define ELEMENT(name, at, xml, about)                                                              \
    static inline fa_##name##_data fa_##name##_usual(void)                                         \
    {                                                                                              \
        fa_##name##_data data; /* compared as bytes: no padding is left unset */                   \
        memset(&data, 0, sizeof data);
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(name, otherwise)
#define CHOICE(name, xml, no, yes)                                 data.name = false;
#define END(name)                                                                                  \
    return data;                                                                                   \
    }
#define ELEMENT_LIST "all.h"
#include "passes.h"

#undef USUAL
#undef AS
#undef AS_SAID
#undef QUOTIENT
#undef REQUIRED
#undef ELSEWHERE
#undef TAKE
#endif
