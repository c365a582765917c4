// Lazily rebuilt data of an instance are equal to the original ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fmu_machines.h"

// As text, in which nothing of a robot that counts is left out.
static void assert_same_robot(const fa_robot *one, const fa_robot *other)
{
    const fa_options options = {.fmi = 3, .identifier = "robot"};
    char            *text[2];
    size_t           size[2];
    fa_error         error = fa_no_error();
    assert_int_equal(fa_robot_file_write(one, &options, &text[0], &size[0], &error), FA_OK);
    assert_int_equal(fa_robot_file_write(other, &options, &text[1], &size[1], &error), FA_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
    free(text[0]);
    free(text[1]);
}

static void assert_same_table(const fa_variables *one, const fa_variables *other)
{
    assert_int_equal(one->n, other->n);
    assert_memory_equal(one->first, other->first, sizeof one->first);
    for (int row = 0; row < one->n; row++) {
        const fa_variable *a = &one->row[row], *b = &other->row[row];
        assert_string_equal(a->name, b->name);
        assert_true(a->start == b->start && a->minimum == b->minimum && a->maximum == b->maximum);
        assert_int_equal(a->role, b->role);
        assert_int_equal(a->quantity, b->quantity);
        assert_int_equal(a->index, b->index);
    }
}

static void a_recalled_robot_is_the_one_that_was_read(void **state)
{
    (void)state;
    for (int m = 0; m < FMU_MACHINES; m++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            fa_robot *robot = fmu_machine_robot(&fmu_machines[m]);
            if (!robot) continue; // the small arm
            fmu_host     host;
            fa_variables table;
            void        *block;
            fa_instance *self =
                fmu_machine_new_of(&fmu_machines[m], robot, fmi, FA_CO_SIMULATION, &host);
            const fa_details *details = fa_recall(self);
            assert_non_null(details);
            assert_same_robot(details->robot, robot);
            assert_int_equal(fa_plant_variables(self->plant, robot, false, &table, &block, NULL),
                             FA_OK);
            assert_same_table(&details->table, &table);
            assert_true(fa_recall(self) == details); // kept
            free(block);
            free(robot);
            fmu_free(fmi, self);
        }
}

// What is kept for each cell says of it what the table says.
static void starts_and_bounds_are_those_of_the_table(void **state)
{
    (void)state;
    int bounded = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fmu_host          host;
        fa_instance      *self = fmu_machine_new(&fmu_machines[m], 3, FA_MODEL_EXCHANGE, &host);
        const fa_details *details = fa_recall(self);
        const fa_view    *view = &details->view;
        assert_int_equal(self->n_visible, view->n);
        assert_int_equal(self->n_cells, view->n_cells);
        for (int v = 0; v < view->n; v++) {
            const fa_cells cells = fa_cells_of(self, (uint32_t)v + 1);
            assert_int_equal(cells.n, view->extent[v].n);
            for (int k = 0; k < cells.n; k++) {
                const int          cell = cells.cell[k];
                const bool         row = cell < details->table.n;
                const fa_variable *of = row ? &details->table.row[cell] : &view->variable[v];
                assert_int_equal(cell, view->cell[view->extent[v].first + k]);
                assert_int_equal(self->row[cell].role, of->role);
                assert_int_equal(self->row[cell].type, of->type);
                if (of->role != FA_INDICATOR) assert_true(self->start[cell] == of->start);
                if (of->role > FA_TUNABLE) continue;
                const fa_bounds bounds = fa_bounds_of(self, cell);
                assert_true(bounds.minimum == view->variable[v].minimum &&
                            bounds.maximum == view->variable[v].maximum);
                bounded += (self->row[cell].flags & FA_ROW_BOUNDED) != 0;
            }
        }
        fmu_free(3, self);
    }
    print_message("%d cells with bounds of their own\n", bounded);
    assert_true(bounded > 20);
}

// Each length of a snake has names of its own.
static void another_size_is_recalled_anew(void **state)
{
    (void)state;
    fa_robot    *robot = fmu_snake(4);
    fmu_host     host;
    fa_instance *self = fmu_robot_new(robot, 3, true, FA_MODEL_EXCHANGE, &host);
    const int    sizes[] = {4, 9, 4, 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fa_error error = fa_no_error();
        assert_int_equal(fa_resize(self, sizes[i], 0, &error), FA_OK);
        assert_int_equal(fa_recall(self)->robot->n_links, sizes[i]);
        assert_string_equal(fa_name(self, 0), "links");
        fa_robot *want = NULL;
        if (sizes[i] == 4) {
            assert_same_robot(fa_recall(self)->robot, robot);
        } else {
            assert_int_equal(fa_robot_resize_snake(robot, sizes[i], &want, &error), FA_OK);
            assert_same_robot(fa_recall(self)->robot, want);
        }
        free(want);
    }
    free(robot);
    fmu_free(3, self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recalled_robot_is_the_one_that_was_read),
        cmocka_unit_test(starts_and_bounds_are_those_of_the_table),
        cmocka_unit_test(another_size_is_recalled_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
