// A simulation without an FMU and Co-Simulation are one loop over integrator and events: the same
// bits, and the same sentence where a motion cannot go on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"
#include "import.h"
#include "simulation.h"

#define FOLDER "../resources/robots" // tests run in the folder tests/
#define STEP   0x1p-6                // [s], a power of two: the times are exact

enum { STEPS = 24 };

static fa_robot *load(const char *path)
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static int do_step(fa_instance *self, double t, double h)
{
    fmi3Boolean b[3];
    double      last;
    return (int)fmi3DoStep(self, t, h, true, &b[0], &b[1], &b[2], &last);
}

// Returns the first input in step k: it has occasional steps.
static double push(int k)
{
    return k % 5 < 2 ? 0 : 0.1 * (k % 7 - 3);
}

static void compare_rows(const fa_state *state, const fa_instance *self, fa_role first,
                         fa_role last, int solver, int k)
{
    const fa_variables *table = &state->table;
    for (int row = table->first[first]; row < table->first[last + 1]; row++)
        if (memcmp(&state->value[row], &self->value[row], sizeof(double)) != 0)
            fail_msg("%s, solver %d, step %d: '%s' is %.17g by simulation and %.17g by the FMU",
                     state->source, solver, k, table->row[row].name, state->value[row],
                     self->value[row]);
}

// Step by step, states and, where no input jumps, all that follows from them.
static void compare_motions(const char *path, int solver, bool driven)
{
    fmu_host      host;
    fa_error      error = fa_no_error();
    fa_robot     *robot = load(path);
    fa_instance  *self = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, &host);
    fa_state      state;
    fa_schedule   schedule = {0};
    fa_simulation simulation;
    assert_int_equal(fa_state_new(robot, &state, &error), FA_OK);
    const int input = state.table.first[FA_INPUT];
    driven &= state.table.row[input].role == FA_INPUT && !state.table.row[input].discrete;
    state.value[FA_ROW_SOLVER] = self->value[FA_ROW_SOLVER] = solver;
    if (driven) {
        assert_int_equal(fa_schedule_new(false, &input, 1, &schedule, &error), FA_OK);
        for (int k = 0; k < STEPS; k++) {
            const double value = push(k);
            assert_int_equal(fa_schedule_add(&schedule, k * STEP, &value, &error), FA_OK);
        }
        self->value[input] = push(0);
    }
    assert_int_equal(fa_simulation_new(&state, &schedule, &simulation, &error), FA_OK);
    assert_int_equal(fa_simulation_begin(&simulation, 0, &error), FA_OK);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    for (int k = 0; k < STEPS; k++) {
        const fmi3ValueReference reference = (fmi3ValueReference)input + 1;
        const double             value = push(k), end = (k + 1) * STEP;
        if (driven) assert_int_equal(fmi3SetFloat64(self, &reference, 1, &value, 1), fmi3OK);
        if (do_step(self, k * STEP, STEP) != fmi3OK) fail_msg("%s: %s", path, host.message);
        if (fa_simulation_advance(&simulation, end, &error) != FA_OK)
            fail_msg("%s: %s", path, error.message);
        assert_int_equal(fa_refresh(self, FA_GROUP_ALL, &error), FA_OK);
        assert_int_equal(fa_simulation_show(&simulation, end, simulation.x, FA_GROUP_ALL, &error),
                         FA_OK);
        compare_rows(&state, self, FA_STATE, driven ? FA_STATE : FA_INDICATOR, solver, k);
    }
    fa_simulation_free(&simulation);
    fa_schedule_free(&schedule);
    fa_state_free(&state);
    fmi3FreeInstance(self);
    free(robot);
}

static void every_robot_has_the_same_bits_both_ways(void **context)
{
    (void)context;
    int            n = 0;
    DIR           *folder = opendir(FOLDER);
    struct dirent *entry;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[512];
        if (!strstr(entry->d_name, ".xml")) continue;
        (void)snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        for (int solver = FA_SOLVER_AUTOMATIC; solver <= FA_SOLVER_ROSENBROCK; solver++) {
            compare_motions(path, solver, false);
            compare_motions(path, solver, true);
        }
        n++;
    }
    closedir(folder);
    assert_true(n >= 10);
}

// ----------------------------------------------------------------------------------- what fails

// The same sentence at the same time, but for the name of the call.
static void compare_failures(const fa_plant *plant, const fa_robot *robot, int row, double value,
                             double end, const char *beginning)
{
    fmu_host      host;
    fa_error      error = fa_no_error();
    fa_instance  *self = plant ? fmu_plant_new(plant, 3, FA_CO_SIMULATION, &host)
                               : fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, &host);
    fa_state      state;
    fa_schedule   nothing = {0};
    fa_simulation simulation;
    if (!plant) plant = fa_plant_find(robot->plant);
    assert_int_equal(fa_state_of_plant(plant, robot, &state, &error), FA_OK);
    self->value[row] = state.value[row] = value;
    assert_int_equal(fa_state_begin(&state, &error), FA_OK);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    host.message[0] = '\0';
    assert_int_equal(do_step(self, 0, end), fmi3Discard);
    assert_int_equal(fa_simulation_new(&state, &nothing, &simulation, &error), FA_OK);
    assert_int_equal(fa_simulation_begin(&simulation, 0, &error), FA_OK);
    assert_int_not_equal(fa_simulation_advance(&simulation, end, &error), FA_OK);
    assert_ptr_equal(strstr(error.message, beginning), error.message);
    const char *told = strstr(host.message, ": ");
    assert_non_null(told);
    assert_string_equal(told + 2, error.message);
    fa_simulation_free(&simulation);
    fa_state_free(&state);
    fa_instance_free(self);
}

// A ball that keeps nothing of its speed falls through the depth at which it bounces again and
// again: 70,000 times a second.
static void a_chatter_without_end_is_told_in_the_same_words(void **context)
{
    (void)context;
    fa_robot *robot = load(FOLDER "/double_pendulum.xml");
    compare_failures(&fmu_ball, robot, BALL_RESTITUTION, 0, 20, "100000 events led to t = ");
    free(robot);
}

static void so_is_a_motion_without_an_acceleration(void **context)
{
    (void)context;
    fa_robot *robot = load(FOLDER "/double_pendulum.xml");
    fa_state  state;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_state_new(robot, &state, &error), FA_OK);
    const int torque = state.table.first[FA_INPUT];
    fa_state_free(&state);
    compare_failures(NULL, robot, torque, 1e308, 1, "");
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_robot_has_the_same_bits_both_ways),
        cmocka_unit_test(a_chatter_without_end_is_told_in_the_same_words),
        cmocka_unit_test(so_is_a_motion_without_an_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
