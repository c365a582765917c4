// What a get returns never depends on what was got before: any subset of the variables, in any
// order and any split into calls, has the bits that one evaluation of everything gives, with
// derivatives, directional derivatives, other values, other parameters, events and restored states
// in between. For every robot of the repository as arm, as inverse and with all inputs and outputs,
// in both standards and both kinds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_machines.h"
#include "import.h"
#include "random.h"

enum { POINTS = 3, ACTIONS = 16 };

// ------------------------------------------------------------------------------------------ robots

#define ALL_OUT   "reactions,jacobian,mass-matrix,poses"
#define AT(robot) "../resources/robots/" robot
#define ARM(robot)                                                                                 \
    {.file = AT(robot)}, {.file = AT(robot), .inputs = "base,lock", .outputs = ALL_OUT},           \
        {.file = AT(robot), .plant = "inverse"},                                                   \
    {                                                                                              \
        .file = AT(robot), .plant = "inverse", .inputs = "base", .outputs = ALL_OUT                \
    }
#define CRANE(robot)                                                                               \
    ARM(robot), {.file = AT(robot), .outputs = ALL_OUT, .cut = "force"},                           \
        {.file = AT(robot), .outputs = ALL_OUT, .cut = "chamber"},                                 \
    {                                                                                              \
        .file = AT(robot), .inputs = "lock", .outputs = ALL_OUT, .cut = "valve"                    \
    }

static const fmu_variant variants[] = {
    ARM("ascher2"),
    ARM("cmu_dd_arm"),
    ARM("double_pendulum"),
    CRANE("excavator"),
    ARM("grigorov5"),
    CRANE("patu655"),
    {.file = AT("patu655_lift_axis")},
    {.file = AT("patu655_lift_valve")},
    ARM("puma560"),
    ARM("puma560akb"),
    ARM("scara"),
    {.file = AT("serpenoid")},
    ARM("stanford"),
    {.file = AT("tavakoli_nia")},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// ------------------------------------------------------------------------------------------ a walk

// An instance that is asked in pieces, and one that is asked for everything at once, at the same
// point.
typedef struct walk {
    const char  *name;
    fa_instance *self, *whole;
    int          fmi;
    fa_kind      kind;
    uint64_t     seed;
    long         compared;
} walk;

static size_t below(walk *w, size_t n)
{
    return (size_t)(random_in(&w->seed, 0, 1) * (double)n);
}

static bool chance(walk *w, double p)
{
    return random_in(&w->seed, 0, 1) < p;
}

// The other instance at the point where this one is, with nothing calculated.
static void follow(walk *w)
{
    fa_saved_state *saved = NULL;
    assert_int_equal(fa_save(w->self, &saved), FA_DONE);
    assert_int_equal(fa_restore(w->whole, saved), FA_DONE);
    assert_int_equal(fa_forget(w->self, &saved), FA_DONE);
}

// All at once. False: there is nothing to be had at this point.
static bool evaluate_whole(walk *w)
{
    fa_error error = {.message = ""};
    follow(w);
    return fa_refresh(w->whole, FA_GROUP_ALL, &error) == FA_OK;
}

static void assert_bits(const walk *w, const double got[], const double want[], size_t n,
                        const char *what, int variable)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], sizeof *got) != 0)
            fail_msg("%s, FMI %d, %s: %s %s [%lu] is %.17g, and %.17g at once", w->name, w->fmi,
                     w->kind == FA_MODEL_EXCHANGE ? "Model Exchange" : "Co-Simulation", what,
                     variable < 0 ? "" : fa_name(w->self, variable), (unsigned long)i, got[i],
                     want[i]);
}

// ------------------------------------------------------------------------------------------
// actions

// Variables of a type and of these roles, some of them, in some order.
static size_t some_variables(walk *w, fa_type type, fa_role first, fa_role last,
                             uint32_t reference[])
{
    const fa_instance *self = w->self;
    const double       share = chance(w, 0.5) ? 0.05 : random_in(&w->seed, 0, 1);
    size_t             n = 0;
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const fa_row *row = &self->row[fa_cells_of(self, v).cell[0]];
        if (row->type != type || row->role < first || row->role > last) continue;
        if (chance(w, share)) reference[n++] = v;
    }
    for (size_t i = n; i > 1; i--) { // Fisher and Yates
        const size_t   k = below(w, i);
        const uint32_t kept = reference[i - 1];
        reference[i - 1] = reference[k];
        reference[k] = kept;
    }
    return n;
}

static void get_some(walk *w, bool compare)
{
    static const fa_type types[] = {FA_REAL, FA_REAL, FA_REAL, FA_REAL, FA_INT32, FA_BOOLEAN};
    const fa_type        type = types[below(w, sizeof types / sizeof *types)];
    fa_instance         *self = w->self;
    uint32_t            *reference = malloc((self->n_visible + 1) * sizeof *reference);
    double              *value = malloc(((size_t)self->n_cells + 1) * sizeof *value);
    const size_t         n = some_variables(w, type, FA_PARAMETER, FA_TIME, reference);
    size_t               elements = 0;
    for (size_t i = 0; i < n; i++) elements += (size_t)fa_cells_of(self, reference[i]).n;
    const fa_outcome outcome = fa_get(self, type, FA_AS_DOUBLE, reference, n, value, elements);
    if (compare) assert_int_equal(outcome, FA_DONE);
    for (size_t i = 0, at = 0; compare && i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        for (int k = 0; k < cells.n; k++)
            assert_bits(w, &value[at++], &w->whole->value[cells.cell[k]], 1, "get", cells.variable);
        w->compared += cells.n;
    }
    free(reference);
    free(value);
}

static void get_derivatives(walk *w, bool compare)
{
    const size_t     n = (size_t)w->self->n_states;
    double          *dx = malloc((n + 1) * sizeof *dx), *want = malloc((n + 1) * sizeof *want);
    const fa_outcome outcome = fa_get_derivatives(w->self, dx, n);
    if (compare) {
        assert_int_equal(outcome, FA_DONE);
        assert_int_equal(fa_get_derivatives(w->whole, want, n), FA_DONE);
        assert_bits(w, dx, want, n, "derivatives", -1);
    }
    free(dx);
    free(want);
}

static void get_indicators(walk *w, bool compare)
{
    const size_t     n = (size_t)w->self->n_shown_indicators;
    double          *g = malloc((n + 1) * sizeof *g), *want = malloc((n + 1) * sizeof *want);
    const fa_outcome outcome = fa_get_indicators(w->self, g, n);
    if (compare) {
        assert_int_equal(outcome, FA_DONE);
        assert_int_equal(fa_get_indicators(w->whole, want, n), FA_DONE);
        assert_bits(w, g, want, n, "indicators", -1);
    }
    free(g);
    free(want);
}

static size_t cells_in(const walk *w, const uint32_t reference[], size_t n)
{
    size_t cells = 0;
    for (size_t i = 0; i < n; i++) cells += (size_t)fa_cells_of(w->self, reference[i]).n;
    return cells;
}

// Along or against the arrows, for some unknowns and knowns. The other instance has seen nothing
// but this question, at this point.
static void get_sensitivity(walk *w, bool compare, bool adjoint)
{
    const size_t  room = w->self->n_visible + 1, cells = (size_t)w->self->n_cells + 1;
    uint32_t     *unknown = malloc(room * sizeof *unknown), *known = malloc(room * sizeof *known);
    double       *seed = malloc(cells * sizeof *seed), *got = malloc(cells * sizeof *got);
    double       *want = malloc(cells * sizeof *want);
    const fa_role last = w->self->moment->mode > FA_MODE_INITIALIZATION ? FA_STATE : FA_INPUT;
    const size_t  n = some_variables(w, FA_REAL, FA_OUTPUT, FA_LOCAL, unknown);
    const size_t  m = some_variables(w, FA_REAL, FA_PARAMETER, last, known);
    fa_outcome (*ask)(fa_instance *, const uint32_t[], size_t, const uint32_t[], size_t,
                      const double[], double[]) = adjoint ? fa_get_adjoint : fa_get_directional;
    const size_t seeds = adjoint ? cells_in(w, unknown, n) : cells_in(w, known, m);
    const size_t answers = adjoint ? cells_in(w, known, m) : cells_in(w, unknown, n);
    for (size_t i = 0; i < seeds; i++) seed[i] = random_in(&w->seed, 0, 1) - 0.5;
    const fa_outcome outcome = ask(w->self, unknown, n, known, m, seed, got);
    if (compare) {
        follow(w);
        assert_int_equal(ask(w->whole, unknown, n, known, m, seed, want), outcome);
        if (outcome == FA_DONE)
            assert_bits(w, got, want, answers, adjoint ? "adjoint" : "directional derivative", -1);
        assert_true(evaluate_whole(w));
        w->compared += (long)answers;
    }
    free(unknown);
    free(known);
    free(seed);
    free(got);
    free(want);
}

static void ask(walk *w, bool compare)
{
    switch (below(w, 8)) {
    case 0:
        get_derivatives(w, compare);
        break;
    case 1:
        get_indicators(w, compare);
        break;
    case 2:
        get_sensitivity(w, compare, false);
        break;
    case 3:
        get_sensitivity(w, compare, true);
        break;
    default:
        get_some(w, compare);
        break;
    }
}

// --------------------------------------------------------------------------------- somewhere else

static void move_inputs(walk *w, double by)
{
    fa_instance *self = w->self;
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const fa_cells cells = fa_cells_of(self, v);
        const fa_row  *row = &self->row[cells.cell[0]];
        double         value[512];
        if (row->role != FA_INPUT || row->type != FA_REAL || cells.n > 512) continue;
        for (int k = 0; k < cells.n; k++) {
            const double now = self->value[cells.cell[k]];
            value[k] = now + by * (now == 0 ? 1 : 0.01 * now);
        }
        (void)fa_set(self, FA_REAL, FA_AS_DOUBLE, &v, 1, value, (size_t)cells.n);
    }
}

static void move_states(walk *w)
{
    fa_instance *self = w->self;
    double       x[512];
    assert_true(self->n_states <= 512);
    assert_int_equal(fa_get_states(self, x, (size_t)self->n_states), FA_DONE);
    for (int i = 0; i < self->n_states; i++)
        x[i] += 0.03 * self->nominal[self->state_order[i]] * (random_in(&w->seed, 0, 1) - 0.5);
    assert_int_equal(fa_set_states(self, x, (size_t)self->n_states), FA_DONE);
}

static void move_tunables(walk *w)
{
    fa_instance *self = w->self;
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const fa_cells cells = fa_cells_of(self, v);
        const fa_row  *row = &self->row[cells.cell[0]];
        if (row->role != FA_TUNABLE || row->type != FA_REAL || cells.n > 1) continue;
        const double value = self->value[cells.cell[0]] * (1 + 0.01 * random_in(&w->seed, 0, 1));
        (void)fa_set(self, FA_REAL, FA_AS_DOUBLE, &v, 1, &value, 1);
    }
}

static void step(walk *w)
{
    fa_step_end end;
    fa_event    event = {.again = true};
    if (w->self->moment->mode == FA_MODE_INITIALIZATION) return;
    if (w->kind == FA_CO_SIMULATION) {
        (void)fa_instance_step(w->self, w->self->value[w->self->time_row], 0.002, &end);
        return;
    }
    if (w->self->moment->mode == FA_MODE_CONTINUOUS_TIME) {
        move_states(w);
        assert_int_equal(fa_enter_mode(w->self, FA_MODE_EVENT), FA_DONE);
    }
    for (int i = 0; i < 10 && event.again; i++)
        if (fa_update_discrete(w->self, &event) != FA_DONE) break;
    if (chance(w, 0.5)) assert_int_equal(fa_enter_mode(w->self, FA_MODE_CONTINUOUS_TIME), FA_DONE);
}

// Away, with questions there, and back to the same values: by setting them, or by a saved state.
static void go_and_return(walk *w)
{
    fa_instance    *self = w->self;
    fa_saved_state *saved = NULL;
    assert_int_equal(fa_save(self, &saved), FA_DONE);
    const bool set = w->kind == FA_MODEL_EXCHANGE &&
                     self->moment->mode == FA_MODE_CONTINUOUS_TIME && chance(w, 0.5);
    if (set) {
        double *kept = malloc((size_t)self->n_states * sizeof *kept + 1);
        assert_int_equal(fa_get_states(self, kept, (size_t)self->n_states), FA_DONE);
        move_states(w);
        for (size_t i = below(w, 4); i > 0; i--) ask(w, false);
        assert_int_equal(fa_set_states(self, kept, (size_t)self->n_states), FA_DONE);
        free(kept);
    } else {
        if (chance(w, 0.5)) move_inputs(w, random_in(&w->seed, 0, 1));
        if (chance(w, 0.3)) move_tunables(w);
        if (chance(w, 0.5)) step(w);
        for (size_t i = below(w, 4); i > 0; i--) ask(w, false);
        assert_int_equal(fa_restore(self, saved), FA_DONE);
    }
    assert_int_equal(fa_forget(self, &saved), FA_DONE);
}

static void wander(walk *w)
{
    for (int point = 0; point < POINTS; point++) {
        fa_saved_state *before = NULL;
        assert_int_equal(fa_save(w->self, &before), FA_DONE);
        if (point > 0) {
            move_inputs(w, 0.3 * random_in(&w->seed, 0, 1));
            if (chance(w, 0.5)) move_tunables(w);
            step(w);
        }
        const bool there = evaluate_whole(w);
        for (int i = 0; i < ACTIONS && there; i++) {
            if (chance(w, 0.2)) go_and_return(w);
            ask(w, true);
        }
        if (!there) assert_int_equal(fa_restore(w->self, before), FA_DONE);
        assert_int_equal(fa_forget(w->self, &before), FA_DONE);
    }
}

static long walk_over(const char *name, const fa_robot *robot, bool arrays, int fmi, fa_kind kind,
                      uint64_t seed)
{
    fmu_host hosts[2];
    walk     w = {.name = name, .fmi = fmi, .kind = kind, .seed = seed};
    w.self = fmu_robot_new(robot, fmi, arrays, kind, &hosts[0]);
    w.whole = fmu_robot_new(robot, fmi, arrays, kind, &hosts[1]);
    fmu_go_to(fmi, kind, w.self, FA_MODE_INITIALIZATION);
    wander(&w);
    assert_int_equal(fa_exit_initialization(w.self), FA_DONE);
    wander(&w);
    fmu_free(fmi, w.self);
    fmu_free(fmi, w.whole);
    return w.compared;
}

static void a_get_does_not_depend_on_the_gets_before_it(void **state)
{
    (void)state;
    long compared = 0;
    for (int v = 0; v < VARIANTS; v++) {
        char               name[256];
        const fmu_variant *of = &variants[v];
        fa_robot          *robot = fmu_variant_robot(of);
        (void)snprintf(name, sizeof name, "%s as %s, outputs %s, cut %s", of->file,
                       of->plant ? of->plant : "it is", of->outputs ? of->outputs : "usual",
                       of->cut ? of->cut : "usual");
        for (int i = 0; i < 6; i++) // FMI 2.0, FMI 3.0, FMI 3.0 with arrays
            compared += walk_over(name, robot, i > 3, i < 2 ? 2 : 3, (fa_kind)(i % 2),
                                  (uint64_t)(8 * v + i));
        free(robot);
    }
    print_message("%ld numbers compared\n", compared);
    assert_true(compared > 100000);
}

// An inverse whose torques stand in two kinds of rows, those of motors and the others, and whose
// cylinders need all of them.
static void nor_where_motors_and_cylinders_share_joints(void **state)
{
    (void)state;
    const fmu_variant of = {
        .file = AT("excavator"), .plant = "inverse", .inputs = "base", .outputs = ALL_OUT};
    fa_robot *robot = fmu_variant_robot(&of);
    for (int i = 0, free_joints = 0; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint) && free_joints++ % 2) {
            robot->link[i].joint.motor = fmu_motor;
            robot->link[i].joint.motor.inductance = 0;
            robot->link[i].joint.rotor.gear = 50;
        }
    long compared = 0;
    for (int i = 0; i < 4; i++)
        compared += walk_over("excavator with motors", robot, false, i < 2 ? 2 : 3,
                              (fa_kind)(i % 2), (uint64_t)(2000 + i));
    free(robot);
    print_message("%ld numbers compared\n", compared);
    assert_true(compared > 1000);
}

// Sticking joints, stops, motors, locks and snakes whose size can change.
static void nor_where_something_switches(void **state)
{
    (void)state;
    long compared = 0;
    for (int m = 0; m < FMU_MACHINES; m++) {
        fa_robot *robot = fmu_machine_robot(&fmu_machines[m]);
        if (!robot) continue; // the small arm
        for (int i = 0; i < 4; i++)
            compared += walk_over(fmu_machines[m].name, robot, fmu_machines[m].arrays && i > 1,
                                  i < 2 ? 2 : 3, (fa_kind)(i % 2), (uint64_t)(1000 + 8 * m + i));
        free(robot);
    }
    print_message("%ld numbers compared\n", compared);
    assert_true(compared > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_get_does_not_depend_on_the_gets_before_it),
        cmocka_unit_test(nor_where_motors_and_cylinders_share_joints),
        cmocka_unit_test(nor_where_something_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
