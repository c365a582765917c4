// What the snake's methods cost, counted in operations: no clock, no machine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "counts.h"

enum { MAX = 1001 };

// Returns the operations of one call for n links of the paper's robot, accelerations only.
static fa_operations operations(const char *method, int n)
{
    static fa_snake_link  link[MAX];
    static fa_snake_joint joint[MAX];
    fa_operations         executed, online;
    assert_true(n <= MAX);
    for (int k = 0; k < n; k++) link[k] = (fa_snake_link){.a = 0.1, .b = 0.1, .m = 1, .I = 0.005};
    const fa_snake snake = {n, 0, link, joint, 0};
    assert_int_equal(fa_count_snake(method, &snake, false, &executed, &online), FA_OK);
    return executed;
}

static long total(const char *method, int n)
{
    const fa_operations of = operations(method, n);
    return of.additions + of.multiplications + of.divisions + of.roots + of.sines;
}

// The difference of order `order` of the cost at n links, n + 1, and so on: zero for a polynomial
// in n of lower degree.
static long difference(const char *method, int n, int order)
{
    if (order == 0) return total(method, n);
    return difference(method, n + 1, order - 1) - difference(method, n, order - 1);
}

static void print(const char *method, int n)
{
    const fa_operations of = operations(method, n);
    print_message("%-12s %4d links: %8ld add %8ld multiply %6ld divide %5ld sines, cosines\n",
                  method, n, of.additions, of.multiplications, of.divisions, of.sines);
}

static void every_method_is_counted(void **state)
{
    (void)state;
    for (int i = 0; i < fa_snake_method_count; i++)
        assert_true(total(fa_snake_methods[i].name, 4) > 0);
}

static void kane_costs_the_same_for_every_link(void **state)
{
    (void)state;
    print("kane", 10);
    print("kane", 1000);
    const long each = total("kane", 3) - total("kane", 2);
    assert_true(each > 0);
    for (int n = 3; n <= 1000; n *= 2)
        assert_int_equal(total("kane", n + 1) - total("kane", n), each);
    assert_int_equal(total("kane", 1000), total("kane", 2) + 998 * each);
}

static void the_paper_s_form_is_quadratic(void **state)
{
    (void)state;
    print("kane-paper", 10);
    for (int n = 2; n < 60; n += 9) {
        assert_true(difference("kane-paper", n, 2) > 0);
        assert_int_equal(difference("kane-paper", n, 3), 0);
    }
}

static void methods_with_multipliers_are_cubic(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *method = i ? "newton-euler" : "lagrange";
        print(method, 10);
        for (int n = 2; n < 40; n += 9) {
            assert_true(difference(method, n, 3) > 0);
            assert_int_equal(difference(method, n, 4), 0);
        }
    }
}

static void fifty_links_cost_lagrange_a_hundred_times_what_they_cost_kane(void **state)
{
    (void)state;
    const double ratio = (double)total("lagrange", 50) / (double)total("kane", 50);
    print_message("50 links: %.0f times the operations\n", ratio);
    assert_true(ratio > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_is_counted),
        cmocka_unit_test(kane_costs_the_same_for_every_link),
        cmocka_unit_test(the_paper_s_form_is_quadratic),
        cmocka_unit_test(methods_with_multipliers_are_cubic),
        cmocka_unit_test(fifty_links_cost_lagrange_a_hundred_times_what_they_cost_kane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
