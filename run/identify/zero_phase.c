// Zero-phase Butterworth filter by the bilinear transform: two sections of order 2, forwards and
// backwards over a signal that is extended at both ends by its point reflection.
#include "zero_phase.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

typedef struct section {
    double b0, b1, b2, a1, a2;
} section;

// Returns the second-order section of poles at the angle whose cosine is c: s^2 + 2 c s + 1, cut
// off at w = tan(pi f h).
static section section_of(double c, double w)
{
    const double a0 = 1 + 2 * c * w + w * w, g = w * w / a0;
    return (section){g, 2 * g, g, 2 * (w * w - 1) / a0, (1 - 2 * c * w + w * w) / a0};
}

// Filters in place, from the steady state of the first number.
static void run(const section *s, size_t n, double x[], bool backwards)
{
    const double first = x[backwards ? n - 1 : 0];
    double       z1 = (1 - s->b0) * first, z2 = (s->b2 - s->a2) * first;
    for (size_t k = 0; k < n; k++) {
        double      *at = &x[backwards ? n - 1 - k : k];
        const double in = *at, out = s->b0 * in + z1;
        z1 = s->b1 * in - s->a1 * out + z2;
        z2 = s->b2 * in - s->a2 * out;
        *at = out;
    }
}

size_t fa_zero_phase_pad(size_t n, double step, double cutoff)
{
    const double wanted = 3 / (cutoff * step); // three periods of the cut-off
    return wanted < (double)(n - 1) ? (size_t)wanted : n - 1;
}

void fa_zero_phase(size_t n, size_t apart, double step, double cutoff, double x[], double scratch[])
{
    const size_t  pad = fa_zero_phase_pad(n, step, cutoff), all = n + 2 * pad;
    const double  w = tan(PI * cutoff * step);
    const section s[2] = {section_of(cos(PI / 8), w), section_of(cos(3 * PI / 8), w)};
    for (size_t k = 0; k < n; k++) scratch[pad + k] = x[k * apart];
    for (size_t k = 1; k <= pad; k++) {
        scratch[pad - k] = 2 * x[0] - x[k * apart];
        scratch[pad + n - 1 + k] = 2 * x[(n - 1) * apart] - x[(n - 1 - k) * apart];
    }
    for (int k = 0; k < 4; k++) run(&s[k % 2], all, scratch, k >= 2);
    for (size_t k = 0; k < n; k++) x[k * apart] = scratch[pad + k];
}

// Fast Fourier transform of a power of two of complex numbers, in place (Cooley and Tukey 1965).
static void transform(size_t n, double re[], double im[])
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j |= bit;
        if (i >= j) continue;
        const double a = re[i], b = im[i];
        re[i] = re[j], im[i] = im[j];
        re[j] = a, im[j] = b;
    }
    for (size_t half = 1; half < n; half *= 2)
        for (size_t k = 0; k < half; k++) {
            const double angle = -PI * (double)k / (double)half, c = cos(angle), s = sin(angle);
            for (size_t i = k; i < n; i += 2 * half) {
                const size_t j = i + half;
                const double a = c * re[j] - s * im[j], b = c * im[j] + s * re[j];
                re[j] = re[i] - a, im[j] = im[i] - b;
                re[i] += a, im[i] += b;
            }
        }
}

double fa_power_below(size_t n, const double x[], double step, double share, double scratch[])
{
    size_t size = 1;
    while (size < n) size *= 2;
    double *re = scratch, *im = scratch + size, mean = 0, all = 0, sum = 0;
    for (size_t k = 0; k < n; k++) mean += x[k] / (double)n;
    for (size_t k = 0; k < size; k++) {
        // Hann window: the ends leak no power to high frequencies.
        const double window = k < n ? 0.5 - 0.5 * cos(2 * PI * (double)k / (double)n) : 0;
        re[k] = k < n ? window * (x[k] - mean) : 0;
        im[k] = 0;
    }
    transform(size, re, im);
    for (size_t k = 0; k <= size / 2; k++) all += re[k] * re[k] + im[k] * im[k];
    size_t k = 0;
    for (; k < size / 2 && sum < share * all; k++) sum += re[k] * re[k] + im[k] * im[k];
    return (double)k / ((double)size * step);
}
