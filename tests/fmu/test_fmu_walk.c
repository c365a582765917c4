// Calls in any order, to every kind of machine as both standards and both kinds of FMU, from hosts
// with and without wishes (fmu_walk.h).
//
//     test_fmu_walk [DRAWS]        of calls for each walk; scripts/campaign-walk takes more
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "fmu_walk.h"

static long draws = 3000;

static fmu_walked all; // by every walk together

static void no_order_of_calls_does_harm(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_walked walked = {0};
        for (int fmi = 2; fmi <= 3; fmi++)
            for (int kind = 0; kind < 2; kind++)
                for (int wish = 0; wish < (fmi == 3 && kind == FA_CO_SIMULATION ? FMU_WISHES : 1);
                     wish++)
                    fmu_walk(&fmu_machines[m], fmi, (fa_kind)kind, (fmu_wish)wish, draws,
                             (uint64_t)(1000 * m + 100 * fmi + 10 * kind + wish), &walked);
        print_message("%-36s %8ld calls, %7ld of them refused, %7ld discarded, %7ld within steps\n",
                      fmu_machines[m].name, walked.calls, walked.refused, walked.discarded,
                      walked.within_steps);
        all.calls += walked.calls;
        all.refused += walked.refused;
        all.discarded += walked.discarded;
        all.within_steps += walked.within_steps;
        for (int mode = 0; mode < FA_MODE_COUNT; mode++) all.in_mode[mode] += walked.in_mode[mode];
    }
    print_message("%-36s %8ld calls, %7ld of them refused, %7ld discarded, %7ld within steps\n",
                  "all", all.calls, all.refused, all.discarded, all.within_steps);
}

// Otherwise the walks would show less than they say.
static void every_mode_was_walked_in(void **state)
{
    (void)state;
    print_message("modes:");
    for (int mode = 0; mode < FA_MODE_COUNT; mode++) print_message(" %ld", all.in_mode[mode]);
    print_message("\n");
    for (int mode = 0; mode < FA_MODE_COUNT; mode++)
        if (mode != FA_MODE_INTERMEDIATE) assert_true(all.in_mode[mode] > draws / 20);
    assert_true(all.within_steps > draws / 20);
    assert_true(all.refused > draws / 20);
    assert_true(all.discarded > 0);
}

int main(int argc, char **argv)
{
    if (argc > 1) draws = atol(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_order_of_calls_does_harm),
        cmocka_unit_test(every_mode_was_walked_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
