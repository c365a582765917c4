// The inline hyperbolic tangent against the C library's in extended precision.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "snake_help.h"
#include "tanh.h"

// In units in the last place of the result.
static double error_at(double x)
{
    long double want = tanhl(x);
    int         exponent;
    (void)frexp((double)want, &exponent);
    return (double)(fabsl(fa_tanh(x) - want) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void errors_stay_below_three_units_in_the_last_place(void **state)
{
    (void)state;
    static const double limit[] = {1e-300, 1e-9, 0.01, 0.2, 1, 25};
    uint64_t            seed = 7;
    double              worst = 0;
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
        for (int trial = 0; trial < 100000; trial++)
            worst = fmax(worst, error_at(random_between(&seed, -limit[i], limit[i])));
    }
    print_message("worst: %.3f units\n", worst);
    assert_true(worst < 3);
}

static void ends_and_zero_are_exact(void **state)
{
    (void)state;
    assert_true(fa_tanh(0) == 0 && signbit(fa_tanh(-0.0)));
    assert_true(fa_tanh(FA_TANH_ONE) == 1 && fa_tanh(-1e300) == -1);
    assert_true(fa_tanh(INFINITY) == 1 && fa_tanh(-INFINITY) == -1);
    assert_true(isnan(fa_tanh(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_below_three_units_in_the_last_place),
        cmocka_unit_test(ends_and_zero_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
