// The bounds that a description declares and those that hold at run time are one fact: every
// parameter of every robot takes exactly its minimum and its maximum, and nothing beyond; inputs
// take more, since their bounds tell what a machine can do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_machines.h"

enum { ELEMENTS = 512 };

typedef struct tried {
    fa_instance *self;
    fmu_host    *host;
    int          fmi;
    fa_kind      kind;
    uint32_t     reference;
    fa_cells     cells;
    bool         real;
} tried;

static fa_outcome set(const tried *t, double value)
{
    const fa_type type = (fa_type)t->self->row[t->cells.cell[0]].type;
    double        values[ELEMENTS];
    int32_t       whole[ELEMENTS];
    assert_true(t->cells.n <= ELEMENTS);
    for (int k = 0; k < t->cells.n; k++) {
        values[k] = value;
        whole[k] = t->real ? 0 : (int32_t)value;
    }
    return fa_set(t->self, type, t->real ? FA_AS_DOUBLE : FA_AS_INT32, &t->reference, 1,
                  t->real ? (const void *)values : (const void *)whole, (size_t)t->cells.n);
}

// Rules between two parameters, which no bound of one of them can tell.
static bool names_another(const char *message)
{
    static const char *const rules[] = {"below its Coulomb friction",
                                        "but its bore",
                                        "can only be",
                                        "the wheels sit",
                                        "the length of link",
                                        "exchange them",
                                        "above the vapour pressure",
                                        "principal moments"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strstr(message, rules[i])) return true;
    return false;
}

static void expect_legal(const tried *t, double value)
{
    fa_error         error = {.message = ""};
    const char      *name = fa_true_name(t->self, t->cells.variable);
    const fa_outcome outcome = set(t, value);
    if (outcome != FA_DONE)
        fail_msg("FMI %d: '%s' declares %.17g and refuses it: %s", t->fmi, name, value,
                 t->host->message);
    const fa_status status = fa_refresh(t->self, FA_GROUP_DERIVATIVES, &error);
    if (status == FA_BAD_INPUT && !names_another(error.message))
        fail_msg("FMI %d: '%s' declares %.17g, and then: %s", t->fmi, name, value, error.message);
}

static void expect_refused(const tried *t, double value)
{
    const double before = t->self->value[t->cells.cell[0]];
    if (set(t, value) == FA_DONE)
        fail_msg("FMI %d: '%s' takes %.17g beyond its bounds", t->fmi,
                 fa_true_name(t->self, t->cells.variable), value);
    assert_true(t->self->value[t->cells.cell[0]] == before);
}

// Sent back to the beginning: what was refused in FMI 3.0 may have been an error.
static void again(const tried *t)
{
    fa_instance_reset(t->self);
    fmu_go_to(t->fmi, t->kind, t->self, FA_MODE_INITIALIZATION);
}

static int try_bounds(const tried *t, const fa_variable *v)
{
    const double bound[] = {v->minimum, v->maximum};
    int          n = 0;
    for (int side = 0; side < 2; side++) {
        if (!isfinite(bound[side])) continue;
        const double way = side ? INFINITY : -INFINITY;
        const double beyond = t->real ? nextafter(bound[side], way) : bound[side] + (side ? 1 : -1);
        again(t);
        expect_legal(t, bound[side]);
        again(t);
        if (v->role == FA_INPUT)
            expect_legal(t, beyond);
        else
            expect_refused(t, beyond);
        n++;
    }
    return n;
}

static void every_bound_is_a_legal_value_and_the_last_one(void **state)
{
    (void)state;
    int bounds = 0;
    for (int m = 0; m < FMU_MACHINES; m++)
        for (int i = 0; i < 4; i++) {
            fmu_host host;
            tried    t = {.host = &host, .fmi = i < 2 ? 2 : 3, .kind = (fa_kind)(i % 2)};
            t.self = fmu_machine_new(&fmu_machines[m], t.fmi, t.kind, &host);
            const fa_view *view = &fa_recall(t.self)->view;
            for (uint32_t v = 1; v <= t.self->n_visible; v++) {
                const fa_variable *variable = &view->variable[v - 1];
                t.reference = v;
                t.cells = fa_cells_of(t.self, v);
                t.real = variable->type == FA_REAL;
                const bool settable = variable->role >= FA_PARAMETER && variable->role <= FA_INPUT;
                if (settable && variable->type != FA_BOOLEAN) bounds += try_bounds(&t, variable);
            }
            fmu_free(t.fmi, t.self);
        }
    print_message("%d bounds\n", bounds);
    assert_true(bounds > 2000);
}

// A range that is legal at the least and useless at run time is none: a solver told the least that
// it takes makes a step.
static void the_solver_steps_with_the_least_of_its_parameters(void **state)
{
    (void)state;
    for (int solver = FA_SOLVER_AUTOMATIC; solver <= FA_SOLVER_ROSENBROCK; solver++) {
        fmu_host     host;
        fa_step_end  end;
        fa_instance *self = fmu_machine_new(&fmu_machines[0], 3, FA_CO_SIMULATION, &host);
        self->value[FA_ROW_SOLVER] = solver;
        self->value[FA_ROW_SOLVER_STEP] = fa_bounds_of(self, FA_ROW_SOLVER_STEP).minimum;
        self->value[FA_ROW_SOLVER_TOLERANCE] = fa_bounds_of(self, FA_ROW_SOLVER_TOLERANCE).minimum;
        fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
        if (fa_instance_step(self, 0, 1e-6, &end) != FA_DONE) fail_msg("%s", host.message);
        fmu_free(3, self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bound_is_a_legal_value_and_the_last_one),
        cmocka_unit_test(the_solver_steps_with_the_least_of_its_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
