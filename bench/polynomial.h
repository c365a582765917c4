// Exact interpolation of counts at n = 1, 2, ... by a polynomial in n.
#ifndef FA_BENCH_POLYNOMIAL_H
#define FA_BENCH_POLYNOMIAL_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { POLYNOMIAL_POINTS = 12, POLYNOMIAL_POWERS = 5 };

typedef struct polynomial {
    double power[POLYNOMIAL_POWERS]; // coefficients, lowest power first
    int    first;                    // smallest n for which the formula holds
} polynomial;

// Interpolates f[first...POLYNOMIAL_POINTS]. False if no polynomial of this degree fits all of
// them.
static inline bool polynomial_from(const long f[], int first, polynomial *p)
{
    // Newton's divided differences: the value at first + k is the sum over j of difference_j
    // binomial(k, j). `binomial` holds that binomial in powers of n.
    double row[POLYNOMIAL_POINTS], binomial[POLYNOMIAL_POWERS + 1] = {1};
    int    n = POLYNOMIAL_POINTS - first + 1;
    for (int i = 0; i < n; i++) row[i] = (double)f[first + i];
    *p = (polynomial){.first = first};
    for (int j = 0; n > 0; j++, n--) {
        const double difference = row[0];
        for (int i = 0; i + 1 < n; i++) row[i] = row[i + 1] - row[i];
        if (j >= POLYNOMIAL_POWERS) {
            if (difference != 0) return false;
            continue;
        }
        for (int i = 0; i < POLYNOMIAL_POWERS; i++) p->power[i] += difference * binomial[i];
        for (int i = POLYNOMIAL_POWERS; i > 0; i--)
            binomial[i] = (binomial[i - 1] - (first + j) * binomial[i]) / (j + 1);
        binomial[0] *= -(double)(first + j) / (j + 1);
    }
    return true;
}

// Interpolates f[1...POLYNOMIAL_POINTS]. It may skip the first few n, where the arm is too short to
// show all terms.
static inline bool polynomial_fit(const long f[], polynomial *p)
{
    for (int first = 1; first <= 4; first++)
        if (polynomial_from(f, first, p)) return true;
    return false;
}

static inline double polynomial_at(const polynomial *p, double n)
{
    double value = 0;
    for (int i = POLYNOMIAL_POWERS - 1; i >= 0; i--) value = value * n + p->power[i];
    return value;
}

static inline int polynomial_degree(const polynomial *p)
{
    int degree = POLYNOMIAL_POWERS - 1;
    // Coefficients are multiples of 1/24.
    while (degree > 0 && fabs(p->power[degree]) < 1e-6) degree--;
    return degree;
}

// Prints the polynomial, such as "23/2 n^2 + 139/2 n - 72".
static inline void polynomial_print(const polynomial *p, char *to)
{
    const char *start = to;
    *to = 0;
    for (int i = POLYNOMIAL_POWERS - 1; i >= 0; i--) {
        long top = lround(24 * fabs(p->power[i])), bottom = 24; // all denominators divide 24
        if (top == 0) continue;
        for (long k = 2; k <= bottom; k++)
            while (top % k == 0 && bottom % k == 0) {
                top /= k;
                bottom /= k;
            }
        to += sprintf(to, "%s", p->power[i] < 0 ? " - " : to == start ? "" : " + ");
        if (i == 0 || top != bottom) to += sprintf(to, "%ld", top);
        if (bottom > 1) to += sprintf(to, "/%ld", bottom);
        if (i > 0) to += sprintf(to, top != bottom ? " n" : "n");
        if (i > 1) to += sprintf(to, "^%d", i);
    }
    if (to == start) sprintf(to, "0");
}

#endif
