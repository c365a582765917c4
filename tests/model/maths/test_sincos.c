// The inline sine and cosine against the C library's in extended precision.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sincos.h"
#include "snake_help.h"

// Error in units in the last place of the result. Where long double is no longer than double, the
// reference itself is off by half a unit.
static double error_of(double got, long double want)
{
    int exponent;
    (void)frexp((double)want, &exponent);
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static double worst_on(double limit, int trials, uint64_t *seed)
{
    double worst = 0;
    for (int i = 0; i < trials; i++) {
        const double x = random_between(seed, -limit, limit);
        double       sine, cosine;
        fa_sincos(x, &sine, &cosine);
        worst = fmax(worst, error_of(sine, sinl(x)));
        worst = fmax(worst, error_of(cosine, cosl(x)));
    }
    return worst;
}

static void errors_stay_below_one_unit_in_the_last_place(void **state)
{
    (void)state;
    uint64_t     seed = 31;
    const double extra = LDBL_MANT_DIG > DBL_MANT_DIG ? 0 : 0.5;
    const double small = worst_on(0.785, 200000, &seed), turn = worst_on(7, 200000, &seed);
    const double large = worst_on(FA_SINCOS_MAX, 200000, &seed);
    print_message("up to pi/4: %.3f units, 7: %.3f, 1e5: %.3f\n", small, turn, large);
    assert_true(fmax(small, fmax(turn, large)) < 1 + extra);
}

// Near multiples of pi/2 the subtraction of it is put to the test.
static void zeros_are_found(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = -60000; k <= 60000; k++) {
        const double x = k * 1.57079632679489661923;
        double       sine, cosine;
        fa_sincos(x, &sine, &cosine);
        const long double want = k % 2 ? cosl(x) : sinl(x);
        worst = fmax(worst, (double)fabsl((k % 2 ? cosine : sine) - want));
    }
    print_message("at zeros: %.2g\n", worst);
    assert_true(worst < 1e-20); // the error of pi/2 in three parts, 6e4 times
}

static void beyond_its_range_it_is_the_library_s(void **state)
{
    (void)state;
    const double far[] = {FA_SINCOS_MAX, -2e5, 1e22, DBL_MAX};
    double       sine, cosine;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        fa_sincos(far[i], &sine, &cosine);
        assert_true(sine == sin(far[i]) && cosine == cos(far[i]));
    }
    fa_sincos(INFINITY, &sine, &cosine);
    assert_true(isnan(sine) && isnan(cosine));
    fa_sincos(NAN, &sine, &cosine);
    assert_true(isnan(sine) && isnan(cosine));
    fa_sincos(0, &sine, &cosine);
    assert_true(sine == 0 && cosine == 1);
}

// At every size, with some beyond the range among them, and of both signs of zero.
static void eight_at_once_are_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 32;
    for (int trial = 0; trial < 30000; trial++) {
        const double limits[] = {1e-9, 1, 7, 1e4, 2e5, 1e9};
        double       x[8], sine[8], cosine[8];
        for (int i = 0; i < 8; i++)
            x[i] = random_between(&seed, 0, 1) < 0.1
                       ? -0.0
                       : random_between(&seed, -1, 1) * limits[trial % 6];
        fa_sincos_eight(x, sine, cosine);
        for (int i = 0; i < 8; i++) {
            double one_sine, one_cosine;
            fa_sincos(x[i], &one_sine, &one_cosine);
            assert_memory_equal(&sine[i], &one_sine, sizeof one_sine);
            assert_memory_equal(&cosine[i], &one_cosine, sizeof one_cosine);
        }
    }
    const double wild[8] = {1, NAN, 2, INFINITY, 3, 4, 5, 6};
    double       sine[8], cosine[8];
    fa_sincos_eight(wild, sine, cosine);
    assert_true(isnan(sine[1]) && isnan(cosine[3]) && fabs(sine[0] - sin(1)) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_below_one_unit_in_the_last_place),
        cmocka_unit_test(zeros_are_found),
        cmocka_unit_test(eight_at_once_are_the_same_bits),
        cmocka_unit_test(beyond_its_range_it_is_the_library_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
