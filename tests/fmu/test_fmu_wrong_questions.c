// Questions that an FMU refuses, and the sentence that it gives: of a wrong type, of no variable,
// for a time outside the experiment, of a state that belongs to another robot. On every kind of
// machine, in both standards.
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

enum { MOST = 4096 };

// A machine as far as it is initialised.
static fa_instance *ready(int machine, int fmi, fmu_host *host)
{
    fa_instance *self = fmu_machine_new(&fmu_machines[machine], fmi, FA_MODEL_EXCHANGE, host);
    fmu_go_to(fmi, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    host->message[0] = '\0';
    return self;
}

static void assert_said(const fmu_host *host, const char *a, const char *b)
{
    if (!strstr(host->message, a) || !strstr(host->message, b))
        fail_msg("'%s' or '%s' is not in: %s", a, b, host->message);
}

// Each variable by the calls for each other type: alone, and behind others of the type.
static void variables_of_another_type_are_named_and_kept(void **state)
{
    (void)state;
    static const fa_form     form[] = {FA_AS_DOUBLE, FA_AS_INT32, FA_AS_BOOL, FA_AS_UINT64};
    static const char *const name[2][4] = {{"Real", "Integer", "Boolean", ""},
                                           {"Float64", "Int32", "Boolean", "UInt64"}};
    static union { // of any type
        double   number[MOST];
        uint64_t whole[MOST];
    } value;
    int asked = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        for (int fmi = 2; fmi <= 3; fmi++) {
            fmu_host     host;
            fa_instance *self = ready(m, fmi, &host);
            uint32_t     first[4] = {0};
            for (uint32_t v = self->n_visible; v > 0; v--)
                first[self->row[fa_cells_of(self, v).cell[0]].type] = v;
            for (uint32_t v = 1; v <= self->n_visible; v++) {
                const fa_cells of = fa_cells_of(self, v);
                const fa_type  type = (fa_type)self->row[of.cell[0]].type;
                for (int other = 0; other < 4; other++) {
                    if (other == (int)type || of.n > MOST / 2) continue;
                    const uint32_t pair[] = {first[other], v};
                    const fa_cells before = fa_cells_of(self, first[other]);
                    const size_t   cells =
                        (size_t)of.n + (first[other] && before.n < MOST / 2 ? (size_t)before.n : 0);
                    const bool   alone = cells == (size_t)of.n;
                    const double was = self->value[of.cell[0]];
                    memset(&value, 0, sizeof value);
                    assert_int_equal(fa_get(self, (fa_type)other, form[other], alone ? &v : pair,
                                            alone ? 1 : 2, &value, cells),
                                     FA_FAILED);
                    assert_said(&host, fa_name(self, of.variable), name[fmi == 3][type]);
                    host.message[0] = '\0';
                    assert_int_equal(
                        fa_set(self, (fa_type)other, form[other], &v, 1, &value, (size_t)of.n),
                        FA_FAILED);
                    assert_said(&host, fa_name(self, of.variable), "");
                    assert_memory_equal(&self->value[of.cell[0]], &was, sizeof was);
                    asked++;
                }
            }
            fmu_free(fmi, self);
        }
    }
    assert_true(asked > 1000);
}

static void the_reference_of_no_variable_is_told(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++) {
        for (int fmi = 2; fmi <= 3; fmi++) {
            fmu_host       host;
            char           number[32];
            double         value[MOST];
            fa_instance   *self = ready(m, fmi, &host);
            const uint32_t reference[] = {self->n_visible, self->n_visible + 77,
                                          self->n_visible + 78};
            (void)snprintf(number, sizeof number, "%lu", (unsigned long)reference[1]);
            uint32_t real = 1;
            while (self->row[fa_cells_of(self, real).cell[0]].type != FA_REAL) real++;
            const uint32_t asked[] = {real, reference[1], reference[2]};
            const size_t   cells = (size_t)fa_cells_of(self, real).n;
            assert_true(cells + 2 < MOST);
            assert_int_equal(fa_get(self, FA_REAL, FA_AS_DOUBLE, asked, 3, value, cells + 2),
                             FA_FAILED);
            assert_said(&host, number, "");
            assert_int_equal(fa_get(self, FA_REAL, FA_AS_DOUBLE, asked + 1, 1, value, 1),
                             FA_FAILED);
            assert_said(&host, number, "");
            fmu_free(fmi, self);
        }
    }
}

// Rounding of hosts is forgiven, at any time, and nothing more.
static void times_before_the_start_are_refused(void **state)
{
    (void)state;
    static const double starts[] = {0, 1, -3, 1e6};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        fmu_host     host;
        fa_instance *self = fmu_machine_new(&fmu_machines[0], 3, FA_MODEL_EXCHANGE, &host);
        const double start = starts[i], size = start == 0 ? 1 : start < 0 ? -start : start;
        assert_int_equal(fa_set_experiment(self, false, 0, start, false, 0), FA_DONE);
        fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
        self->moment->start = start;
        assert_int_equal(fa_set_time(self, start - 1.5e-9 * size * (start != 0)), FA_DONE);
        assert_int_equal(fa_set_time(self, start - 3e-9 * size), FA_FAILED);
        assert_said(&host, "before the start time", "");
        fmu_free(3, self);
    }
}

static void a_nominal_value_belongs_to_its_state(void **state)
{
    (void)state;
    int differ = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        for (int fmi = 2; fmi <= 3; fmi++) {
            fmu_host     host;
            fa_instance *self = ready(m, fmi, &host);
            const size_t n = (size_t)self->n_states;
            double      *nominal = malloc((n + 1) * sizeof *nominal);
            assert_non_null(nominal);
            assert_int_equal(fa_get_nominals(self, nominal, n), FA_DONE);
            size_t at = 0; // states in the host's order: the cells of the variables that are
                           // states, one by one
            for (uint32_t v = 1; v <= self->n_visible; v++) {
                const fa_cells cells = fa_cells_of(self, v);
                for (int k = 0; k < cells.n; k++) {
                    const int cell = cells.cell[k];
                    if (cell >= self->time_row || self->row[cell].role != FA_STATE) continue;
                    const fa_variable *row = &fa_recall(self)->table.row[cell];
                    const double       want = row->nominal > 0 ? row->nominal : 1;
                    assert_true(at < n);
                    assert_true(nominal[at] == want);
                    differ += want != nominal[0];
                    at++;
                }
            }
            assert_int_equal(at, n);
            free(nominal);
            fmu_free(fmi, self);
        }
    }
    assert_true(differ > 0);
}

// As large as the other, and of another mass: its state is refused.
static void the_state_of_another_robot_is_refused(void **state)
{
    (void)state;
    fmu_host     hosts[2];
    fa_instance *self[2];
    for (int i = 0; i < 2; i++) {
        fa_robot *robot = fmu_machine_robot(&fmu_machines[3]);
        assert_non_null(robot);
        robot->link[1].mass *= 1 + i;
        assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
        self[i] = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, &hosts[i]);
        fmu_go_to(3, FA_CO_SIMULATION, self[i], FA_MODE_STEP);
        free(robot);
    }
    fa_saved_state *saved = NULL, *read = NULL;
    size_t          size = 0;
    assert_int_equal(fa_save(self[0], &saved), FA_DONE);
    assert_int_equal(fa_serialized_size(self[0], saved, &size), FA_DONE);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(fa_serialize(self[0], saved, bytes, size), FA_DONE);
    assert_int_equal(fa_deserialize(self[1], bytes, size, &read), FA_FAILED);
    assert_int_equal(fa_restore(self[1], saved), FA_FAILED);
    assert_int_equal(fa_deserialize(self[0], bytes, size, &read), FA_DONE);
    assert_int_equal(fa_forget(self[0], &read), FA_DONE);
    assert_int_equal(fa_forget(self[0], &saved), FA_DONE);
    free(bytes);
    for (int i = 0; i < 2; i++) fmu_free(3, self[i]);
}

// In every cell what no run can leave there: a state with it is refused, but where it is calculated
// anew.
static void no_made_up_number_gets_into_a_state(void **state)
{
    (void)state;
    int refused = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *self = ready(m, 3, &host);
        for (int cell = 0; cell < self->n_cells; cell++) {
            const fa_row   *row = &self->row[cell];
            const double    was = self->value[cell];
            fa_saved_state *saved = NULL, *read = NULL;
            size_t          size = 0;
            self->value[cell] = NAN;
            assert_int_equal(fa_save(self, &saved), FA_DONE);
            self->value[cell] = was;
            assert_int_equal(fa_serialized_size(self, saved, &size), FA_DONE);
            void *bytes = malloc(size);
            assert_non_null(bytes);
            assert_int_equal(fa_serialize(self, saved, bytes, size), FA_DONE);
            const fa_outcome outcome = fa_deserialize(self, bytes, size, &read) == FA_DONE
                                           ? fa_restore(self, read)
                                           : FA_FAILED;
            const bool       anew = row->setting == FA_SET_NEVER && row->group != 0;
            if ((outcome == FA_DONE) != anew && row->type == FA_REAL)
                fail_msg("%s: cell %d is %s", fmu_machines[m].name, cell,
                         anew ? "refused" : "taken");
            refused += outcome != FA_DONE;
            free(bytes);
            if (read) assert_int_equal(fa_forget(self, &read), FA_DONE);
            assert_int_equal(fa_forget(self, &saved), FA_DONE);
        }
        fmu_free(3, self);
    }
    assert_true(refused > 100);
}

static void a_type_that_no_variable_has_is_told_with_the_first_of_them(void **state)
{
    (void)state;
    fmu_host                 host;
    fa_instance             *self = ready(0, 3, &host);
    const fmi3ValueReference reference[] = {2, 5};
    fmi3Int16                value[2];
    assert_int_equal(fmi3GetInt16(self, reference, 2, value, 2), fmi3Error);
    assert_said(&host, fa_name(self, 1), "Int16");
    fmu_free(3, self);
}

// An array that is missing, wherever there is one, for inputs as for others.
static void a_missing_array_is_told(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *self = ready(m, 3, &host);
        for (uint32_t v = 1; v <= self->n_visible; v++) {
            const fa_cells of = fa_cells_of(self, v);
            if (self->row[of.cell[0]].type != FA_REAL) continue;
            const size_t n = (size_t)of.n;
            self->moment->mode = FA_MODE_CONTINUOUS_TIME; // where it was before the last error
            assert_int_equal(fmi3GetFloat64(self, &v, 1, NULL, n), fmi3Error);
            assert_said(&host, "missing", "");
            self->moment->mode = FA_MODE_CONTINUOUS_TIME;
            assert_int_equal(fmi3SetFloat64(self, &v, 1, NULL, n), fmi3Error);
            assert_said(&host, "missing", "");
        }
        const double value = 0;
        self->moment->mode = FA_MODE_CONTINUOUS_TIME;
        assert_int_equal(fmi3SetFloat64(self, NULL, 1, &value, 1), fmi3Error);
        assert_said(&host, "missing", "");
        fmu_free(3, self);
    }
}

// What a link cannot be is told with its name.
static void links_that_cannot_be_are_named(void **state)
{
    (void)state;
    int asked = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *look = ready(m, 3, &host);
        const int    n = (int)look->n_visible;
        for (int v = 0; v < n; v++) {
            const char *name = fa_name(look, v), *end = strstr(name, ".inertia.xy");
            if (strncmp(name, "link.", 5) != 0 || !end || fa_cells_of(look, (uint32_t)v + 1).n != 1)
                continue;
            char link[FA_NAME_SIZE + 8];
            (void)snprintf(link, sizeof link, "link '%.*s'", (int)(end - name - 5), name + 5);
            fa_instance   *self = fmu_machine_new(&fmu_machines[m], 3, FA_MODEL_EXCHANGE, &host);
            const uint32_t reference = (uint32_t)v + 1;
            const double   far = 1e6;
            assert_int_equal(fa_set(self, FA_REAL, FA_AS_DOUBLE, &reference, 1, &far, 1), FA_DONE);
            assert_int_equal(fmi3EnterInitializationMode(self, false, 0, 0, false, 0), fmi3OK);
            assert_int_equal(fmi3ExitInitializationMode(self), fmi3Error);
            assert_said(&host, link, "");
            asked++;
            fmu_free(3, self);
        }
        fmu_free(3, look);
    }
    print_message("%d links\n", asked);
    assert_true(asked > 20);
}

// Each unknown by itself has the derivative that it has among all.
static void a_directional_derivative_does_not_depend_on_what_else_is_asked(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host     host;
        fa_instance *self = ready(m, 3, &host);
        uint32_t     unknown[MOST], known[MOST];
        double       seed[MOST], all[MOST], one[MOST];
        size_t       n = 0, k = 0, cells = 0, at = 0;
        for (uint32_t v = 1; v <= self->n_visible; v++) {
            const fa_cells of = fa_cells_of(self, v);
            const fa_row  *row = &self->row[of.cell[0]];
            if (row->type != FA_REAL) continue;
            if (row->role == FA_OUTPUT || row->role == FA_LOCAL) unknown[n++] = v;
            if (row->role != FA_STATE && row->role != FA_INPUT) continue;
            known[k++] = v;
            for (int i = 0; i < of.n; i++) seed[cells++] = 1 + 0.1 * (double)i;
        }
        if (fa_get_directional(self, unknown, n, known, k, seed, all) == FA_DONE)
            for (size_t i = 0; i < n; i++) {
                const size_t size = (size_t)fa_cells_of(self, unknown[i]).n;
                self->moment->fresh = 0;
                memset(self->direction, 0x55, (size_t)self->n_cells * sizeof *self->direction);
                assert_int_equal(fa_get_directional(self, &unknown[i], 1, known, k, seed, one),
                                 FA_DONE);
                assert_memory_equal(one, all + at, size * sizeof *one);
                at += size;
            }
        fmu_free(3, self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_of_another_type_are_named_and_kept),
        cmocka_unit_test(the_reference_of_no_variable_is_told),
        cmocka_unit_test(times_before_the_start_are_refused),
        cmocka_unit_test(a_nominal_value_belongs_to_its_state),
        cmocka_unit_test(the_state_of_another_robot_is_refused),
        cmocka_unit_test(no_made_up_number_gets_into_a_state),
        cmocka_unit_test(a_type_that_no_variable_has_is_told_with_the_first_of_them),
        cmocka_unit_test(a_missing_array_is_told),
        cmocka_unit_test(links_that_cannot_be_are_named),
        cmocka_unit_test(a_directional_derivative_does_not_depend_on_what_else_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
