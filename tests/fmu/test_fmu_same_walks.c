// What FMUs answer along a walk, to the last bit as it was: tests/walks.txt has digests for every
// robot of the repository, with all inputs and outputs and parameters off their start values, in
// Model Exchange and Co-Simulation, of variables, derivatives, indicators, events, directional and
// adjoint derivatives, rates of outputs, dependencies, saved states and messages. Who changes what
// an FMU computes or says finds out here what else has changed, and runs this test with
// FOREARM_UPDATE=1, which writes the digests anew.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_machines.h"
#include "import.h"
#include "random.h"
#include "sha256.h"
#include "stored_lines.h"

#define STORED "walks.txt" // tests run in the folder tests/
#define STEP   0x1p-6      // [s]
#define ALL    "reactions,jacobian,mass-matrix,poses"

enum { POINTS = 4, STEPS = 6, DIGEST = 32, SHOWN = 4, SOLVERS = 4 };

static const fmu_variant variants[] = {
    {"../resources/robots/ascher2", NULL, "base", ALL, NULL, NULL},
    {"../resources/robots/ascher2", "inverse", "base", ALL, NULL, NULL},
    {"../resources/robots/cmu_dd_arm", NULL, "base", ALL, NULL, NULL},
    {"../resources/robots/excavator", "inverse", "base", ALL, NULL, NULL},
    {"../resources/robots/excavator", NULL, "lock", ALL, "chamber", NULL},
    {"../resources/robots/grigorov5", NULL, "lock", ALL, NULL, NULL},
    {"../resources/robots/patu655", NULL, NULL, ALL, "force", NULL},
    {"../resources/robots/patu655", NULL, "lock", ALL, "valve", NULL},
    {"../resources/robots/patu655_lift_axis", NULL, NULL, NULL, NULL, NULL},
    {"../resources/robots/patu655_lift_valve", NULL, NULL, NULL, NULL, NULL},
    {"../resources/robots/puma560", NULL, "base", ALL, NULL, NULL},
    {"../resources/robots/scara", NULL, "lock", ALL, NULL, NULL},
    {"../resources/robots/stanford", "inverse", NULL, ALL, NULL, NULL},
    {"../resources/robots/serpenoid", NULL, NULL, NULL, NULL, NULL},
    {"../resources/robots/tavakoli_nia", NULL, NULL, NULL, NULL, NULL},
    {"fuzz/robots/everything", NULL, "lock", ALL, NULL, NULL},
    {"fuzz/robots/everything", NULL, "base", ALL, NULL, NULL},
    {"fuzz/robots/everything", "inverse", NULL, ALL, NULL, NULL},
    {"fuzz/robots/touching", NULL, "base", ALL, NULL, NULL},
    {"fuzz/robots/free", NULL, "base", "reactions,poses,energy", NULL, NULL},
    {"fuzz/robots/loops_arm", NULL, "base", "reactions,poses,energy", NULL, NULL},
    {"fuzz/robots/loops_tree.urdf", NULL, "base", "reactions,poses,energy", NULL, "coupler"},
    {"fuzz/robots/snake_gait", NULL, "gait", NULL, NULL, NULL},
    {"fuzz/robots/snake_prescribed", NULL, NULL, NULL, NULL, NULL},
    {"fuzz/robots/snake_speeds", NULL, NULL, NULL, NULL, NULL},
    {"fuzz/robots/snake_torque", NULL, NULL, NULL, NULL, NULL},
    {"fuzz/robots/snake_voltage", NULL, NULL, NULL, NULL, NULL},
    {"../resources/robots/puma560", NULL, "base", ALL, NULL, "hand"},
    {"../resources/robots/scara", "inverse", "base", ALL, NULL, "tool"},
    {"../resources/robots/patu655", NULL, "base", ALL, "chamber", "tilt_boom"},
    {"reference/circuits/accumulator", NULL, NULL, "energy", NULL, NULL},
    {"reference/circuits/bucket", NULL, NULL, "energy", NULL, NULL},
    {"reference/circuits/lowering", NULL, NULL, NULL, NULL, NULL},
    {"reference/circuits/sharing_post", NULL, NULL, "energy", NULL, NULL},
    {"reference/circuits/sharing_pre", NULL, NULL, NULL, NULL, NULL},
    {"reference/circuits/slewing", NULL, "base", "energy", NULL, NULL},
    {"reference/circuits/twin", NULL, NULL, "energy", NULL, NULL},
    {"mechanisms/robots/andrews.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/heavy_top.urdf", NULL, "base", "poses,energy", NULL, NULL},
    {"mechanisms/robots/hooke_joint.urdf", NULL, "base", "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/lead_screw.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/excavator.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/planar_cart.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/satellite.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/slider_crank_cut.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
    {"mechanisms/robots/spherical_pendulum.urdf", NULL, "base", "reactions,poses,energy", NULL,
     NULL},
    {"mechanisms/robots/stewart.urdf", NULL, NULL, "poses", NULL, NULL},
    {"mechanisms/robots/watt_six_bar.urdf", NULL, NULL, "reactions,poses,energy", NULL, NULL},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// ------------------------------------------------------------------------------------------ a walk

// Digest of the digest before and of the new data.
typedef struct part {
    const char *name;
    uint8_t     digest[DIGEST];
} part;

enum {
    VALUES,
    DERIVATIVES,
    INDICATORS,
    EVENTS,
    FORWARD,
    ADJOINT,
    RATES,
    DEPENDENCIES,
    WORDS,
    PARTS
};

typedef struct walk {
    fa_instance *self;
    fmu_host     host;
    uint64_t     seed;
    part         part[PARTS];
} walk;

static void hear(part *p, const void *data, size_t size)
{
    unsigned char *both = malloc(DIGEST + size);
    assert_non_null(both);
    memcpy(both, p->digest, DIGEST);
    memcpy(both + DIGEST, data, size);
    fa_sha256(both, DIGEST + size, p->digest);
    free(both);
}

// Zeros of both signs are one, and so is whatever is no number.
static void hear_numbers(part *p, const double value[], size_t n)
{
    double *plain = malloc((n + 1) * sizeof *plain);
    assert_non_null(plain);
    for (size_t i = 0; i < n; i++) plain[i] = isnan(value[i]) ? 1e300 : value[i] + 0.0;
    hear(p, plain, n * sizeof *plain);
    free(plain);
}

// The outcome of a call, and what was said about it.
static bool done(walk *w, fa_outcome outcome)
{
    const int number = (int)outcome;
    hear(&w->part[WORDS], &number, sizeof number);
    hear(&w->part[WORDS], w->host.message, strlen(w->host.message));
    w->host.message[0] = '\0';
    return outcome == FA_DONE;
}

static size_t references(const walk *w, fa_role first, fa_role last, uint32_t reference[],
                         size_t *cells)
{
    size_t n = 0;
    *cells = 0;
    for (uint32_t v = 1; v <= w->self->n_visible; v++) {
        const fa_cells of = fa_cells_of(w->self, v);
        const fa_row  *row = &w->self->row[of.cell[0]];
        if (row->type != FA_REAL || row->role < first || row->role > last) continue;
        reference[n++] = v;
        *cells += (size_t)of.n;
    }
    return n;
}

// Variables of a role, each a little off what it is, one by one: some may refuse. Parameters that
// are 0 stay so, as inertias and frictions that are not there, but what states start from.
// The exponent of a contact is 1 or 1.5, and moves to nothing beside.
static bool moves_a_little(fa_instance *self, uint32_t reference)
{
    const char *last = strrchr(fa_name(self, (int)reference - 1), '.');
    return !last || strcmp(last, ".exponent") != 0;
}

static void move(walk *w, fa_role role, double by, double apart)
{
    fa_instance *self = w->self;
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const fa_cells cells = fa_cells_of(self, v);
        const fa_row  *row = &self->row[cells.cell[0]];
        double         value[512];
        if (row->role != role || row->type != FA_REAL || cells.n > 512) continue;
        if (!moves_a_little(self, v)) continue;
        const bool from_zero = role == FA_INPUT || (row->flags & FA_ROW_INITIAL);
        for (int k = 0; k < cells.n; k++) {
            const double now = self->value[cells.cell[k]];
            value[k] = now * (1 - apart * random_in(&w->seed, 0, 1)) +
                       (now == 0 && from_zero ? by * random_in(&w->seed, -1, 1) : 0);
        }
        (void)done(w, fa_set(self, FA_REAL, FA_AS_DOUBLE, &v, 1, value, (size_t)cells.n));
    }
}

static void hear_values(walk *w)
{
    fa_error        error = fa_no_error();
    const fa_status status = fa_refresh(w->self, FA_GROUP_ALL, &error);
    hear(&w->part[WORDS], error.message, strlen(error.message));
    if (status == FA_OK)
        hear_numbers(&w->part[VALUES], w->self->value, (size_t)w->self->time_row + 1);
}

// All unknowns by all knowns, along the arrows and against them.
static void hear_sensitivity(walk *w, bool adjoint, fa_role last)
{
    const size_t room = w->self->n_visible + 1, all = (size_t)w->self->n_cells + 1;
    uint32_t    *unknown = malloc(room * sizeof *unknown), *known = malloc(room * sizeof *known);
    double      *seed = malloc(all * sizeof *seed), *got = malloc(all * sizeof *got);
    size_t       unknown_cells, known_cells;
    const size_t n = references(w, FA_OUTPUT, FA_LOCAL, unknown, &unknown_cells);
    const size_t m = references(w, FA_PARAMETER, last, known, &known_cells);
    assert_true(unknown && known && seed && got);
    for (size_t i = 0; i < all; i++) seed[i] = random_in(&w->seed, -1, 1);
    fa_outcome (*ask)(fa_instance *, const uint32_t[], size_t, const uint32_t[], size_t,
                      const double[], double[]) = adjoint ? fa_get_adjoint : fa_get_directional;
    if (done(w, ask(w->self, unknown, n, known, m, seed, got)))
        hear_numbers(&w->part[adjoint ? ADJOINT : FORWARD], got,
                     adjoint ? known_cells : unknown_cells);
    free(unknown);
    free(known);
    free(seed);
    free(got);
}

static void hear_dependencies(walk *w)
{
    if (!done(w, fa_begin_dependencies(w->self))) return;
    for (uint32_t v = 1; v <= w->self->n_visible; v++) {
        fa_dependency d = FA_NO_DEPENDENCY;
        while (fa_next_dependency(w->self, (int)v - 1, &d)) {
            const int number[] = {d.element, d.known, d.of_known, (int)d.how};
            hear(&w->part[DEPENDENCIES], number, sizeof number);
        }
    }
}

static void hear_vectors(walk *w)
{
    const size_t n = (size_t)w->self->n_states, m = (size_t)w->self->n_shown_indicators;
    double      *x = malloc((n + m + 1) * sizeof *x);
    assert_non_null(x);
    if (done(w, fa_get_derivatives(w->self, x, n))) hear_numbers(&w->part[DERIVATIVES], x, n);
    if (done(w, fa_get_nominals(w->self, x, n))) hear_numbers(&w->part[DERIVATIVES], x, n);
    if (done(w, fa_get_states(w->self, x, n))) hear_numbers(&w->part[DERIVATIVES], x, n);
    if (done(w, fa_get_indicators(w->self, x, m))) hear_numbers(&w->part[INDICATORS], x, m);
    free(x);
}

static void hear_event(walk *w)
{
    fa_event event = {.again = true};
    for (int i = 0; i < 10 && event.again; i++) {
        if (!done(w, fa_update_discrete(w->self, &event))) break;
        const double told[] = {event.states_changed, event.again, event.timed,
                               event.timed ? event.next_time : 0};
        hear_numbers(&w->part[EVENTS], told, 4);
    }
}

// The state as bytes into another instance, which then is in the same state to the bit, rates of
// inputs, solver and all.
static void keep_state(walk *w, fa_instance *other)
{
    fa_saved_state *saved = NULL, *read = NULL;
    size_t          size = 0;
    fa_error        error = fa_no_error();
    assert_int_equal(fa_save(w->self, &saved), FA_DONE);
    assert_int_equal(fa_serialized_size(w->self, saved, &size), FA_DONE);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(fa_serialize(w->self, saved, bytes, size), FA_DONE);
    assert_int_equal(fa_deserialize(other, bytes, size, &read), FA_DONE);
    assert_int_equal(fa_restore(other, read), FA_DONE);
    assert_int_equal(fa_forget(w->self, &saved), FA_DONE);
    assert_int_equal(fa_forget(other, &read), FA_DONE);
    free(bytes);
    assert_int_equal(fa_refresh(w->self, FA_GROUP_ALL, &error),
                     fa_refresh(other, FA_GROUP_ALL, &error));
    assert_int_equal(w->self->moment->fresh, other->moment->fresh);
    assert_memory_equal(w->self->moment, other->moment, w->self->moment_size);
    assert_int_equal(w->self->restart, other->restart);
}

static void begin(walk *w, int solver)
{
    fa_instance *self = w->self;
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const int     cell = fa_cells_of(self, v).cell[0];
        const int32_t number = solver;
        const bool    yes = true;
        if (strcmp(fa_name(self, (int)v - 1), FA_DETERMINISTIC) == 0)
            assert_int_equal(fa_set(self, FA_BOOLEAN, FA_AS_BOOL, &v, 1, &yes, 1), FA_DONE);
        if (cell == FA_ROW_SOLVER)
            assert_int_equal(fa_set(self, self->row[cell].type, FA_AS_INT32, &v, 1, &number, 1),
                             FA_DONE);
    }
    move(w, FA_PARAMETER, 0.05, 1e-4);
    move(w, FA_TUNABLE, 0, 1e-3);
}

static void exchange(walk *w, fa_instance *other)
{
    begin(w, 1);
    fmu_go_to(w->self->fmi, FA_MODEL_EXCHANGE, w->self, FA_MODE_INITIALIZATION);
    hear_values(w);
    hear_sensitivity(w, false, FA_INPUT);
    if (!done(w, fa_exit_initialization(w->self))) return;
    hear_event(w);
    hear_dependencies(w);
    for (int k = 1; k <= POINTS; k++) {
        double      *x = malloc(((size_t)w->self->n_states + 1) * sizeof *x);
        const size_t n = (size_t)w->self->n_states;
        assert_non_null(x);
        move(w, FA_TUNABLE, 0, 1e-3);
        (void)done(w, fa_enter_mode(w->self, FA_MODE_CONTINUOUS_TIME));
        (void)done(w, fa_set_time(w->self, k * STEP));
        move(w, FA_INPUT, 0.3, 0.1);
        (void)done(w, fa_get_states(w->self, x, n));
        for (size_t i = 0; i < n; i++)
            x[i] += 0.1 * w->self->nominal[w->self->state_order[i]] * random_in(&w->seed, -1, 1);
        (void)done(w, fa_set_states(w->self, x, n));
        free(x);
        hear_vectors(w);
        hear_values(w);
        hear_sensitivity(w, false, FA_STATE);
        hear_sensitivity(w, true, FA_STATE);
        bool enter_event_mode;
        (void)done(w, fa_completed_step(w->self, &enter_event_mode));
        hear(&w->part[EVENTS], &enter_event_mode, sizeof enter_event_mode);
        (void)done(w, fa_enter_mode(w->self, FA_MODE_EVENT));
        hear_event(w);
        keep_state(w, other);
    }
}

static void simulate(walk *w, fa_instance *other, int solver)
{
    uint32_t *reference = malloc((w->self->n_visible + 1) * sizeof *reference);
    int32_t  *order = malloc(((size_t)w->self->n_cells + 1) * sizeof *order);
    double   *rate = malloc(((size_t)w->self->n_cells + 1) * sizeof *rate);
    assert_true(reference && order && rate);
    begin(w, solver);
    fmu_go_to(w->self->fmi, FA_CO_SIMULATION, w->self, FA_MODE_INITIALIZATION);
    bool going = done(w, fa_exit_initialization(w->self));
    for (int k = 0; k < STEPS && going; k++) {
        fa_step_end end = {0};
        size_t      cells;
        move(w, FA_INPUT, 0.1, 0.05);
        size_t n = references(w, FA_INPUT, FA_INPUT, reference, &cells);
        for (size_t i = 0; i < cells; i++) {
            order[i] = 1;
            rate[i] = random_in(&w->seed, -1, 1);
        }
        if (k % 2 && cells == n)
            (void)done(w, fa_set_input_rates(w->self, reference, n, order, rate));
        if (k == STEPS / 2) keep_state(w, other);
        going = done(w, fa_instance_step(w->self, k * STEP, STEP, &end));
        const double told[] = {end.time, end.event, end.early};
        hear_numbers(&w->part[EVENTS], told, 3);
        hear_values(w);
        n = references(w, FA_STATE, FA_OUTPUT, reference, &cells);
        for (size_t i = 0; i < cells; i++) order[i] = 1;
        if (cells == n && done(w, fa_get_output_rates(w->self, reference, n, order, rate)))
            hear_numbers(&w->part[RATES], rate, n);
        // The other one, which has taken the state in between, comes to the same.
        if (k == STEPS / 2 && going) {
            assert_int_equal(fa_instance_step(other, k * STEP, STEP, &end), FA_DONE);
            fa_error error = fa_no_error();
            assert_int_equal(fa_refresh(other, FA_GROUP_ALL, &error), FA_OK);
            assert_memory_equal(w->self->value, other->value,
                                ((size_t)w->self->time_row + 1) * sizeof(double));
        }
    }
    free(reference);
    free(order);
    free(rate);
}

// ------------------------------------------------------------------------------------- the digests

static stored_lines stored;

static void compare(const char *name, const walk *w)
{
    static const char *const names[] = {"values", "derivatives",  "indicators",
                                        "events", "forward",      "adjoint",
                                        "rates",  "dependencies", "words"};
    char                     line[1024] = "";
    int                      used = snprintf(line, sizeof line, "%s", name);
    for (int p = 0; p < PARTS; p++) {
        used += snprintf(line + used, sizeof line - (size_t)used, " %s:", names[p]);
        for (int k = 0; k < SHOWN; k++)
            used += snprintf(line + used, sizeof line - (size_t)used, "%02x", w->part[p].digest[k]);
    }
    stored_compare(&stored, line, strlen(name));
}

static void walk_over(const fmu_variant *v, int fmi, bool arrays, int solver)
{
    fmu_host      host;
    walk          w = {.seed = 7};
    fa_robot     *robot = fmu_variant_robot(v);
    const fa_kind kind = solver ? FA_CO_SIMULATION : FA_MODEL_EXCHANGE;
    char          name[256], how[16];
    w.self = fmu_robot_new(robot, fmi, arrays, kind, &w.host);
    fa_instance *other = fmu_robot_new(robot, fmi, arrays, kind, &host);
    if (solver)
        simulate(&w, other, solver);
    else
        exchange(&w, other);
    (void)snprintf(how, sizeof how, "solver-%d", solver);
    (void)snprintf(name, sizeof name, "%s,%s,%s,%s%s%s fmi%d%s,%s", strrchr(v->file, '/') + 1,
                   v->plant ? v->plant : "usual", v->inputs ? v->inputs : "usual",
                   v->cut ? v->cut : "usual", v->wrench ? "," : "", v->wrench ? v->wrench : "", fmi,
                   arrays ? "-arrays" : "", solver ? how : "exchange");
    compare(name, &w);
    fmu_free(fmi, w.self);
    fmu_free(fmi, other);
    free(robot);
}

static void each_fmu_answers_what_it_answered(void **state)
{
    (void)state;
    stored = stored_open(STORED, "Digests of walks: fmu/test_fmu_same_walks.c");
    for (int v = 0; v < VARIANTS; v++) {
        walk_over(&variants[v], 3, v % 2, 0);
        walk_over(&variants[v], 2, false, 1 + v % SOLVERS);
        walk_over(&variants[v], 3, false, 1 + (v + 1) % SOLVERS);
    }
    stored_close(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fmu_answers_what_it_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
