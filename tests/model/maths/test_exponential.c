// The inline exponential and logarithm against the C library's in extended precision.
#include <float.h>
#include <math.h>

#include "exponential.h"
#include "random.h"
#include "test.h"

// In units in the last place of the result.
static double units(double got, long double want)
{
    int exponent;
    (void)frexp((double)want, &exponent);
    return (double)(fabsl(got - want) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void errors_stay_below_three_units_in_the_last_place(void **state)
{
    (void)state;
    static const double limit[] = {1e-300, 1e-9, 0.01, 0.2, 1, 700};
    uint64_t            seed = 7;
    double              worst = 0;
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
        for (int trial = 0; trial < 100000; trial++) {
            const double x = random_in(&seed, -limit[i], limit[i]);
            worst = fmax(worst, units(fa_exp(x), expl(x)));
            const double y = exp(x); // spread over all of the logarithm's range, and around 1
            worst = fmax(worst, units(fa_ln(y), logl(y)));
        }
    }
    print_message("worst: %.3f units\n", worst);
    assert_true(worst < 3);
}

static void ends_are_exact(void **state)
{
    (void)state;
    assert_true(fa_exp(0) == 1 && fa_ln(1) == 0);
    assert_true(fa_exp(-1e300) == 0 && isinf(fa_exp(1e300)) && isinf(fa_ln(INFINITY)));
    assert_true(isnan(fa_ln(0)) && isnan(fa_ln(-1)) && isnan(fa_ln(NAN)) && isnan(fa_exp(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_below_three_units_in_the_last_place),
        cmocka_unit_test(ends_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
