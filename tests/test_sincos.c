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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_below_one_unit_in_the_last_place),
        cmocka_unit_test(zeros_are_found),
        cmocka_unit_test(beyond_its_range_it_is_the_library_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
