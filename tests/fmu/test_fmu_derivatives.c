// Directional and adjoint derivatives, and the dependencies that go with them, through the FMU's
// own functions: against central differences, and against each other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_help.h"

#define ROOM 256

static double random_between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// Rows that may be known or unknown in the mode at hand.
static size_t list_rows(const fa_instance *self, uint32_t reference[], bool unknowns)
{
    bool   starting = self->moment->mode <= FA_MODE_INITIALIZATION;
    size_t n = 0;
    for (int i = 0; i < (int)self->n_visible; i++) {
        fa_role role = fa_recall(self)->table.row[i].role;
        bool    state = role == FA_STATE;
        bool    unknown = state || role == FA_OUTPUT || role == FA_LOCAL;
        bool    known = role <= FA_INPUT || role == FA_TIME || (state && !starting);
        // The solver's parameters are integers or belong to no equation.
        if (i >= FA_COMMON_ROWS && (unknowns ? unknown : known)) reference[n++] = (uint32_t)i + 1;
    }
    assert_true(n > 0 && n <= ROOM);
    return n;
}

// link.l.inertia.xx and the like.
static bool is_diagonal(const char *name)
{
    const size_t n = strlen(name);
    return name[n - 1] == name[n - 2];
}

// Values around which everything is smooth: friction and pose away from their corners.
static void shake(fa_instance *self, uint64_t *seed)
{
    for (int i = FA_COMMON_ROWS; i < self->states.rows; i++) {
        fa_role role = fa_recall(self)->table.row[i].role;
        if (role == FA_STATE || role == FA_INPUT || role == FA_TIME)
            self->value[i] += random_between(seed, 0.2, 0.9);
        else if (fa_recall(self)->table.row[i].unit == FA_UNIT_KILOGRAM_METRE2)
            // Keeps the inertia physical: the diagonal grows more than the other elements.
            self->value[i] += is_diagonal(fa_recall(self)->table.row[i].name) ? 0.05 : 0.001;
        else if (role <= FA_TUNABLE)
            self->value[i] += random_between(seed, 0.01, 0.02);
    }
    self->moment->fresh = 0;
    self->configured = false;
    self->restart = true;
}

// All unknowns with one known moved by h; in initialisation mode the states follow.
static void values_at(fa_instance *self, const uint32_t unknown[], size_t n, uint32_t known,
                      double h, double value[])
{
    fa_error error = fa_no_error();
    double   was = self->value[known - 1];
    self->value[known - 1] = was + h;
    self->moment->fresh = 0;
    self->configured = false;
    self->restart = true;
    if (fa_refresh(self, FA_GROUP_ALL, &error) != FA_OK) fail_msg("%s", error.message);
    for (size_t i = 0; i < n; i++) value[i] = self->value[unknown[i] - 1];
    self->value[known - 1] = was;
    self->moment->fresh = 0;
    self->configured = false;
    self->restart = true;
}

static double worst; // relative error of a directional derivative, for the log

static void check_against_differences(fa_instance *self)
{
    uint32_t unknown[ROOM], known[ROOM];
    size_t   n = list_rows(self, unknown, true), m = list_rows(self, known, false);
    // Truncation h^2 and rounding 1e-16 / h balance here, at about 1e-10; where friction turns
    // round within 0.02 rad/s the truncation is a hundred times that.
    const double h = 1e-5;
    for (size_t k = 0; k < m; k++) {
        double got[ROOM], above[ROOM], below[ROOM], one = 1;
        int    status =
            self->fmi == 3
                   ? (int)fmi3GetDirectionalDerivative(self, unknown, n, &known[k], 1, &one, 1, got, n)
                   : (int)fmi2GetDirectionalDerivative(self, unknown, n, &known[k], 1, &one, got);
        assert_int_equal(status, 0);
        values_at(self, unknown, n, known[k], h, above);
        values_at(self, unknown, n, known[k], -h, below);
        for (size_t i = 0; i < n; i++) {
            double want = (above[i] - below[i]) / (2 * h);
            double size = fabs(above[i]) + fabs(want) + 1;
            double off = fabs(got[i] - want) / size;
            if (off > worst) worst = off;
            if (!(off < 1e-7))
                fail_msg("d %s / d %s is %.12g, differences give %.12g",
                         fa_row_name(self, (int)unknown[i] - 1),
                         fa_row_name(self, (int)known[k] - 1), got[i], want);
        }
    }
}

static void in_modes(void (*check)(fa_instance *self), bool fmi2)
{
    for (int fmi = fmi2 ? 2 : 3; fmi <= 3; fmi++)
        for (int plant = 0; plant < 3; plant++)
            for (int mode = FA_MODE_INITIALIZATION; mode <= FA_MODE_STEP; mode++) {
                fmu_host     host;
                uint64_t     seed = 7;
                fa_kind      kind = mode == FA_MODE_STEP ? FA_CO_SIMULATION : FA_MODEL_EXCHANGE;
                fa_instance *self = plant == 0 ? fmu_new(fmi, kind, &host)
                                    : plant == 1
                                        ? fmu_oscillator_new(fmi, kind, &host)
                                        : fmu_plant_new(fa_plant_find("inverse"), fmi, kind, &host);
                fmu_go_to(fmi, kind, self, (fa_mode)mode);
                shake(self, &seed);
                check(self);
                fa_instance_free(self);
            }
}

static void directional_derivatives_are_those_of_differences(void **state)
{
    (void)state;
    in_modes(check_against_differences, true);
    // Seen: 1.7e-8, of the width of the friction; 6e-11 elsewhere.
    print_message("worst %.1e\n", worst);
}

// s^T (J d) = (J^T s)^T d, for random s and d.
static void check_transpose(fa_instance *self)
{
    uint32_t unknown[ROOM], known[ROOM];
    size_t   n = list_rows(self, unknown, true), m = list_rows(self, known, false);
    double   d[ROOM], s[ROOM], Jd[ROOM], JTs[ROOM];
    uint64_t seed = 3;
    for (size_t k = 0; k < m; k++) d[k] = random_between(&seed, -1, 1);
    for (size_t i = 0; i < n; i++) s[i] = random_between(&seed, -1, 1);
    assert_int_equal(fmi3GetDirectionalDerivative(self, unknown, n, known, m, d, m, Jd, n), fmi3OK);
    assert_int_equal(fmi3GetAdjointDerivative(self, unknown, n, known, m, s, n, JTs, m), fmi3OK);
    double left = 0, right = 0, size = 0;
    for (size_t i = 0; i < n; i++) left += s[i] * Jd[i], size += fabs(s[i] * Jd[i]);
    for (size_t k = 0; k < m; k++) right += JTs[k] * d[k];
    assert_true(fabs(left - right) < 1e-12 * size); // rounding; seen 2e-15
}

static void adjoint_derivatives_are_their_transpose(void **state)
{
    (void)state;
    in_modes(check_transpose, false);
}

// What one call costs, however many unknowns and knowns: one sweep of the plant.
static int tangents, adjoints;

static fa_status counted_tangent(void *self, const double value[], double direction[],
                                 unsigned groups, fa_error *error)
{
    tangents++;
    return fmu_oscillator.tangent(self, value, direction, groups, error);
}

static fa_status counted_adjoint(void *self, const double value[], double slope[], unsigned groups,
                                 fa_error *error)
{
    adjoints++;
    return fmu_oscillator.adjoint(self, value, slope, groups, error);
}

static void a_product_takes_one_sweep(void **state)
{
    (void)state;
    fmu_host host;
    fa_plant plant = fmu_oscillator;
    plant.tangent = counted_tangent;
    plant.adjoint = counted_adjoint;
    fa_instance *self = fmu_plant_new(&plant, 3, FA_MODEL_EXCHANGE, &host);
    assert_non_null(self);
    fmu_go_to(3, FA_MODEL_EXCHANGE, self, FA_MODE_CONTINUOUS_TIME);
    uint32_t unknown[ROOM], known[ROOM];
    size_t   n = list_rows(self, unknown, true), m = list_rows(self, known, false);
    double   seed[ROOM], result[ROOM];
    for (size_t i = 0; i < ROOM; i++) seed[i] = 1;
    assert_true(n > 3 && m > 3);
    tangents = adjoints = 0;
    assert_int_equal(fmi3GetDirectionalDerivative(self, unknown, n, known, m, seed, m, result, n),
                     fmi3OK);
    assert_int_equal(tangents, 1);
    assert_int_equal(adjoints, 0);
    assert_int_equal(fmi3GetAdjointDerivative(self, unknown, n, known, m, seed, n, result, m),
                     fmi3OK);
    assert_int_equal(tangents, 1);
    assert_int_equal(adjoints, 1);
    fmu_free(3, self);
}

static fa_dependence kind_of(const fmi3ValueReference list[], const fmi3DependencyKind kind[],
                             size_t n, uint32_t reference)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == reference) return kind[i] == fmi3Constant ? FA_PROPORTIONAL : FA_DEPENDENT;
    return FA_INDEPENDENT;
}

// What is not listed is zero; what is called constant is the same elsewhere.
static void check_dependencies(fa_instance *self)
{
    uint32_t unknown[ROOM], known[ROOM];
    size_t   n = list_rows(self, unknown, true), m = list_rows(self, known, false);
    double   one = 1;
    uint64_t seed = 11;
    for (size_t i = 0; i < n; i++) {
        size_t             count, elements[ROOM], more[ROOM];
        fmi3ValueReference list[ROOM];
        fmi3DependencyKind kind[ROOM];
        assert_int_equal(fmi3GetNumberOfVariableDependencies(self, unknown[i], &count), fmi3OK);
        assert_true(count <= ROOM);
        assert_int_equal(
            fmi3GetVariableDependencies(self, unknown[i], elements, list, more, kind, count),
            fmi3OK);
        for (size_t k = 0; k < m; k++) {
            double here, there;
            assert_int_equal(
                fmi3GetDirectionalDerivative(self, &unknown[i], 1, &known[k], 1, &one, 1, &here, 1),
                fmi3OK);
            fa_dependence how = kind_of(list, kind, count, known[k]);
            if (how == FA_INDEPENDENT && fabs(here) > 1e-14)
                fail_msg("%s depends on %s by %g, which is not listed",
                         fa_row_name(self, (int)unknown[i] - 1),
                         fa_row_name(self, (int)known[k] - 1), here);
            if (how != FA_PROPORTIONAL) continue;
            shake(self, &seed);
            assert_int_equal(fmi3GetDirectionalDerivative(self, &unknown[i], 1, &known[k], 1, &one,
                                                          1, &there, 1),
                             fmi3OK);
            assert_true(here == there && here != 0);
        }
    }
}

static void dependencies_are_the_derivatives_that_are_not_zero(void **state)
{
    (void)state;
    in_modes(check_dependencies, false);
}

static void what_is_no_known_or_unknown_is_refused(void **state)
{
    (void)state;
    const struct {
        int     unknown, known;
        fa_mode mode;
    } wrong[] = {
        {OSC_GAP, OSC_FORCE, FA_MODE_EVENT},                // an indicator
        {OSC_FORCE, OSC_FORCE, FA_MODE_EVENT},              // an input
        {OSC_THRUST, OSC_ENERGY, FA_MODE_EVENT},            // an output
        {OSC_THRUST, OSC_POSITION, FA_MODE_INITIALIZATION}, // a state, still calculated
        {OSC_TIME + 1, OSC_FORCE, FA_MODE_EVENT},           // beyond the table
        {OSC_THRUST, -1, FA_MODE_EVENT},                    // before it
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fmu_host     host;
        fa_instance *self = fmu_oscillator_new(3, FA_MODEL_EXCHANGE, &host);
        uint32_t     unknown = (uint32_t)wrong[i].unknown + 1;
        uint32_t     known = (uint32_t)wrong[i].known + 1;
        double       one = 1, got = 42;
        fmu_go_to(3, FA_MODEL_EXCHANGE, self, wrong[i].mode);
        assert_int_equal(
            fmi3GetDirectionalDerivative(self, &unknown, 1, &known, 1, &one, 1, &got, 1),
            fmi3Error);
        assert_true(got == 42 && host.count == 1);
        fa_instance_free(self);
    }
}

static void output_derivatives_are_those_in_time(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        fmu_host     host;
        fa_instance *self = fmu_oscillator_new(fmi, FA_CO_SIMULATION, &host);
        self->value[OSC_RAMP] = 1.5;
        fmu_go_to(fmi, FA_CO_SIMULATION, self, FA_MODE_STEP);
        const uint32_t vr[] = {OSC_POSITION + 1, OSC_VELOCITY + 1, OSC_THRUST + 1, OSC_ENERGY + 1};
        const int32_t  order[] = {1, 1, 1, 1};
        double         rate[4];
        int status = fmi == 3 ? (int)fmi3GetOutputDerivatives(self, vr, 4, order, rate, 4)
                              : (int)fmi2GetRealOutputDerivatives(self, vr, 4, order, rate);
        assert_int_equal(status, 0);
        const double *w = self->value;
        double        x = w[OSC_POSITION], v = w[OSC_VELOCITY], a = w[OSC_ACCELERATION];
        assert_true(rate[0] == v && rate[1] == a && rate[2] == 1.5);
        assert_true(fabs(rate[3] - (w[OSC_MASS] * v * a + w[OSC_STIFFNESS] * x * v)) < 1e-13);
        fa_instance_free(self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directional_derivatives_are_those_of_differences),
        cmocka_unit_test(adjoint_derivatives_are_their_transpose),
        cmocka_unit_test(a_product_takes_one_sweep),
        cmocka_unit_test(dependencies_are_the_derivatives_that_are_not_zero),
        cmocka_unit_test(what_is_no_known_or_unknown_is_refused),
        cmocka_unit_test(output_derivatives_are_those_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
