// Seconds and instructions of calls whose cost is known: loops of different length.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure.h"

typedef struct loop {
    long     rounds, calls;
    double   sum;
    unsigned turns; // bit k: a call with turn k has come
} loop;

static void run_loop(void *context, long turn)
{
    loop           *it = context;
    volatile double sum = 0;
    for (long i = 0; i < it->rounds; i++) sum += 1;
    it->sum = sum;
    it->calls++;
    if (turn < 32) it->turns |= 1u << turn;
}

static double instructions(fa_counter counter, long rounds, double most)
{
    loop              it = {.rounds = rounds};
    const fa_measured call = {run_loop, &it};
    return fa_measure_instructions(counter, &call, most);
}

static void every_round_of_a_loop_costs_the_same_instructions(void **state)
{
    (void)state;
    const fa_counter counter = fa_counter_find();
    print_message("instructions are counted %s\n", fa_counter_text(counter));
    if (counter == FA_COUNTER_NONE) skip();
    const double few = instructions(counter, 100, 1e5), some = instructions(counter, 200, 1e5),
                 more = instructions(counter, 400, 1e5);
    assert_true(few > 0 && some >= few + 200); // a round adds, counts and jumps back
    // Steps are exact; the processor's counter may see a few instructions of an interrupt.
    assert_true(fabs((more - some) - 2 * (some - few)) <=
                (counter == FA_COUNTER_STEPPING ? 0 : 0.05 * more));
}

static void stepping_counts_the_same_every_time_and_stops_where_it_should(void **state)
{
    (void)state;
    const double once = instructions(FA_COUNTER_STEPPING, 50, 1e5);
    if (isnan(once)) skip(); // not allowed here
    assert_true(once == instructions(FA_COUNTER_STEPPING, 50, 1e5));
    assert_true(isnan(instructions(FA_COUNTER_STEPPING, 50, once / 2)));
    assert_true(isnan(instructions(FA_COUNTER_NONE, 50, 1e5)));
}

static void the_copy_leaves_no_trace_in_this_process(void **state)
{
    (void)state;
    loop              it = {.rounds = 3};
    const fa_measured call = {run_loop, &it};
    fa_measure_instructions(FA_COUNTER_STEPPING, &call, 1e5);
    assert_int_equal(it.calls, 0);
}

// No clock is tested here, only that it is read: what a second holds is the machine's business.
static void seconds_are_of_one_call_and_calls_take_turns(void **state)
{
    (void)state;
    loop              it = {.rounds = 1000};
    const fa_measured call = {run_loop, &it};
    const double      seconds = fa_measure_seconds(&call, 1e-3);
    assert_true(seconds > 0 && seconds < 1);
    assert_true(it.calls >= 2);
    assert_int_equal(it.turns & 3, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_a_loop_costs_the_same_instructions),
        cmocka_unit_test(stepping_counts_the_same_every_time_and_stops_where_it_should),
        cmocka_unit_test(the_copy_leaves_no_trace_in_this_process),
        cmocka_unit_test(seconds_are_of_one_call_and_calls_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
