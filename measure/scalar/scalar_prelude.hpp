// The system's headers that model/ includes. They must be read before `double` gets another meaning,
// and outside any namespace.
#ifndef SCALAR_PRELUDE_HPP
#define SCALAR_PRELUDE_HPP

#include <cmath>

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In place of model/maths/sincos.h, which takes numbers apart by their bits.
#define FA_SINCOS_H
template <class scalar> void fa_sincos(scalar x, scalar *sine, scalar *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}
template <class scalar> void fa_sincos_eight(const scalar x[8], scalar sine[8], scalar cosine[8])
{
    for (int i = 0; i < 8; i++) fa_sincos(x[i], &sine[i], &cosine[i]);
}

#endif
