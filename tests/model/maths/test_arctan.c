// The inline angle of a vector against the C library's in extended precision.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arctan.h"
#include "snake_help.h"

// In units in the last place of the result.
static double error_at(double y, double x)
{
    long double want = atan2l(y, x);
    int         exponent;
    (void)frexp((double)want, &exponent);
    return (double)(fabsl(fa_atan2(y, x) - want) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void errors_stay_below_three_units_in_the_last_place(void **state)
{
    (void)state;
    static const double limit[] = {1e-200, 1e-9, 0.01, 1, 1e9, 1e200};
    uint64_t            seed = 7;
    double              worst = 0;
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        for (int trial = 0; trial < 100000; trial++) {
            const double x = random_between(&seed, -1, 1);
            worst = fmax(worst, error_at(random_between(&seed, -limit[i], limit[i]), x));
        }
    print_message("worst: %.3f units\n", worst);
    assert_true(worst < 3);
}

static void axes_have_the_angles_of_the_standard(void **state)
{
    (void)state;
    static const double sign[] = {0.0, -0.0, 1, -1, 1e300, -1e300};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++) {
            if (sign[i] != 0 && sign[k] != 0) continue;
            const double got = fa_atan2(sign[i], sign[k]), want = atan2(sign[i], sign[k]);
            if (got != want || signbit(got) != signbit(want))
                fail_msg("atan2(%g, %g) is %.17g, not %.17g", sign[i], sign[k], got, want);
        }
    assert_true(fa_atan2(1, INFINITY) == 0 && fa_atan2(1, -INFINITY) == atan2(0, -1));
    assert_true(isnan(fa_atan2(NAN, 1)) && isnan(fa_atan2(1, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_below_three_units_in_the_last_place),
        cmocka_unit_test(axes_have_the_angles_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
