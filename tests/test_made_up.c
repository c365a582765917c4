// Robot files with one word changed, and saved states with one number changed, their sums made to
// fit: each is refused with a sentence, or goes through everything. With sanitizers, nothing is
// read or written beyond its memory on the way.
//
//     test_made_up [EVERY]     of the changed files, every so many; 1: all, for campaigns
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_machines.h"
#include "import.h"
#include "made_up.h"
#include "through.h"

enum { ROOM = 1 << 17 };

// A prime, so that all ways of changing a word come up.
static size_t every = 97;

typedef struct source {
    const char *file, *inputs, *outputs, *cut;
    bool        arrays;
} source;

static const source sources[] = {
    {"fuzz/robots/everything.xml", "base,lock", "reactions,jacobian,mass-matrix,poses", NULL,
     false},
    {"fuzz/robots/everything.xml", NULL, NULL, NULL, true},
    {"fuzz/robots/touching.xml", "base", "reactions,jacobian,energy", NULL, false},
    {"fuzz/robots/followers.urdf", "base", "reactions,jacobian,mass-matrix,poses", NULL, false},
    {"fuzz/robots/free.xml", "base", "reactions,poses,energy", NULL, false},
    {"fuzz/robots/loops_arm.xml", "base", "reactions,poses,energy", NULL, false},
    {"fuzz/robots/loops_tree.urdf", NULL, "reactions", NULL, false},
    {"fuzz/robots/snake_voltage.xml", NULL, NULL, NULL, false},
    {"fuzz/robots/snake_torque.xml", NULL, "poses", NULL, true},
    {"fuzz/robots/snake_gait.xml", NULL, NULL, NULL, true},
    {"fuzz/robots/snake_prescribed.xml", NULL, NULL, NULL, false},
    {"fuzz/robots/snake_speeds.xml", NULL, NULL, NULL, false},
    {"../resources/robots/puma560.xml", NULL, NULL, NULL, false},
    {"../resources/robots/excavator.xml", NULL, "reactions", "valve", false},
    {"../resources/robots/patu655.xml", "base", NULL, "chamber", false},
    {"../resources/robots/patu655_lift_axis.xml", NULL, NULL, NULL, false},
    {"../resources/robots/patu655_lift_valve.xml", NULL, NULL, NULL, false},
};

static char *file_of(const source *from, size_t *size)
{
    const fa_options        options = {.fmi = 3, .identifier = "robot", .arrays = from->arrays};
    const fa_import_options wanted = {.inputs = from->inputs,
                                      .outputs = from->outputs,
                                      .cut = &from->cut,
                                      .n_cuts = from->cut != NULL};
    fa_robot               *robot;
    fa_error                error = fa_no_error();
    char                   *text;
    if (fa_import(from->file, &wanted, NULL, &robot, &error) != FA_OK)
        fail_msg("%s: %s", from->file, error.message);
    assert_int_equal(fa_robot_file_write(robot, &options, &text, size, NULL), FA_OK);
    free(robot);
    return text;
}

static void every_word_of_a_robot_file_is_refused_or_runs(void **state)
{
    (void)state;
    static char changed[ROOM];
    size_t      turn = 0;
    long        taken = 0, refused = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        size_t       size;
        char        *text = file_of(&sources[i], &size);
        const size_t words = made_up_words(text, size);
        if (!through_everything(text, size, THROUGH_ALL)) fail_msg("%s", sources[i].file);
        for (size_t word = 0; word < words; word++)
            for (size_t way = 0; way < MADE_UP_VALUES; way++) {
                if (++turn % every != 0) continue;
                const size_t length = made_up(text, size, word, way, changed, ROOM);
                if (length == 0) continue;
                // What is to be seen if it ends here.
                (void)snprintf(changed + length, ROOM - length, "%s, word %zu, way %zu\n",
                               sources[i].file, word, way);
                if (getenv("MADE_UP_TALKS")) fputs(changed + length, stderr);
                const bool commands = (taken + refused) % 16 == 0; // they take ten times as long
                const int  what = commands ? THROUGH_ALL : THROUGH_LIBRARY;
                if (through_everything(changed, length, what))
                    taken++;
                else
                    refused++;
            }
        free(text);
    }
    print_message("%ld changed files refused, %ld run\n", refused, taken);
    assert_true(taken > 0 && refused > 0);
}

// ------------------------------------------------------------------------------------ saved states

static const double numbers[] = {0,     1,      -1,     7,   0.5,      1e9,
                                 1e308, -1e308, 5e-324, NAN, INFINITY, -INFINITY};

// Goes on from wherever that is, in steps that are counted.
static void go_on(fa_instance *self)
{
    fa_error error = fa_no_error();
    bool     event, terminate, early;
    double   time;
    (void)fa_refresh(self, FA_GROUP_ALL, &error);
    self->value[FA_ROW_SOLVER] = FA_SOLVER_KUTTA3;
    if (!(self->value[FA_ROW_SOLVER_STEP] >= 1e-4)) return;
    if (self->moment->mode == FA_MODE_STEP)
        (void)fmi3DoStep(self, self->value[self->time_row], 1e-4, true, &event, &terminate, &early,
                         &time);
}

static void try_state(fa_instance *self, const unsigned char whole[], size_t size, size_t at,
                      double number, fmu_host *host, long count[2])
{
    unsigned char *bytes = malloc(size);
    fmi3FMUState   saved = NULL;
    const size_t   sum_at = size - self->moment_size - sizeof(uint64_t);
    uint64_t       sum = 14695981039346656037u; // as saved_state.c does it
    assert_non_null(bytes);
    memcpy(bytes, whole, size);
    memcpy(bytes + at, &number, sizeof number);
    memset(bytes + sum_at, 0, sizeof sum);
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
    memcpy(bytes + sum_at, &sum, sizeof sum);
    assert_int_equal(fmi3Reset(self), fmi3OK);
    host->message[0] = '\0';
    const bool taken = fmi3DeserializeFMUState(self, bytes, size, &saved) == fmi3OK &&
                       fmi3SetFMUState(self, saved) == fmi3OK;
    count[taken]++;
    if (taken)
        go_on(self);
    else
        assert_true(host->message[0] != '\0');
    if (saved) assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    free(bytes);
}

static void every_number_of_a_saved_state_is_refused_or_goes_on(void **state)
{
    (void)state;
    long   count[2] = {0, 0};
    size_t turn = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *self = fmu_machine_new(&fmu_machines[m], 3, FA_CO_SIMULATION, &host);
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        fmi3FMUState saved = NULL;
        size_t       size;
        assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
        assert_int_equal(fmi3SerializedFMUStateSize(self, saved, &size), fmi3OK);
        unsigned char *whole = malloc(size);
        assert_int_equal(fmi3SerializeFMUState(self, saved, whole, size), fmi3OK);
        assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
        const size_t from = size - self->moment_size;
        for (size_t at = from; at + sizeof(double) <= size; at += sizeof(double))
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
                if (++turn % (every > 7 ? every / 7 : 1) == 0)
                    try_state(self, whole, size, at, numbers[k], &host, count);
        free(whole);
        fmu_free(3, self);
    }
    print_message("%ld changed states refused, %ld taken\n", count[0], count[1]);
    assert_true(count[0] > 0 && count[1] > 0);
}

// What the rules are for, one by one: in all of them the sum fits.
static void parameters_and_modes_of_a_saved_state_keep_the_rules_of_setting(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *self = fmu_machine_new(&fmu_machines[m], 3, FA_CO_SIMULATION, &host);
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        for (int cell = 0; cell < self->states.rows; cell++) {
            const fa_row *row = &self->row[cell];
            void         *bad = NULL, *good = NULL;
            if (row->setting == FA_SET_NEVER && row->group != 0) continue; // calculated anew
            const double was = self->value[cell];
            const bool   unlimited = isinf(self->start[cell]);
            assert_int_equal(fmi3GetFMUState(self, &good), fmi3OK);
            self->value[cell] = row->type == FA_BOOLEAN ? 2 : unlimited ? NAN : INFINITY;
            assert_int_equal(fa_save(self, (fa_saved_state **)&bad), FA_DONE);
            self->value[cell] = was;
            if (fmi3SetFMUState(self, bad) != fmi3Error)
                fail_msg("%s: cell %d takes what nobody can set", fmu_machines[m].name, cell);
            assert_non_null(strstr(host.message, "no run"));
            assert_int_equal(fmi3SetFMUState(self, good), fmi3OK);
            assert_int_equal(fmi3FreeFMUState(self, &good), fmi3OK);
            free(bad);
        }
        fmu_free(3, self);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) every = (size_t)strtoul(argv[1], NULL, 10);
    if (every == 0) every = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_of_a_robot_file_is_refused_or_runs),
        cmocka_unit_test(every_number_of_a_saved_state_is_refused_or_goes_on),
        cmocka_unit_test(parameters_and_modes_of_a_saved_state_keep_the_rules_of_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
