// Prepended to each source of snake_drift_single: after the system's headers, double means float.
// The constants follow by -fsingle-precision-constant.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// model/maths/sincos.h relies on the bits of a double.
#define FA_SINCOS_H
static inline void fa_sincos(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
static inline void fa_sincos_eight(const float x[8], float sine[8], float cosine[8])
{
    for (int i = 0; i < 8; i++) fa_sincos(x[i], &sine[i], &cosine[i]);
}

#define sin  sinf
#define cos  cosf
#define tan  tanf
#define sqrt sqrtf
#define fabs fabsf
#define double float
