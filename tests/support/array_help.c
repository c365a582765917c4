// Pairs of instances, scalar and array, driven alike.
#include "array_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned find(const fa_instance *self, const char *name)
{
    const fa_view *view = &fa_recall(self)->view;
    for (int v = 0; v < view->n; v++)
        if (strcmp(view->variable[v].name, name) == 0) return (unsigned)v + 1;
    return 0;
}

unsigned array_reference(const fa_instance *self, const char *name)
{
    unsigned reference = find(self, name);
    if (!reference) fail_msg("there is no variable '%s'", name);
    return reference;
}

int array_size(const fa_instance *self, unsigned reference)
{
    return fa_recall(self)->view.extent[reference - 1].n;
}

// The array of a scalar, 0 if there is none under this name.
static unsigned find_array(const fa_instance *self, const char *name, fa_role role)
{
    const fa_view *view = &fa_recall(self)->view;
    unsigned       reference = find(self, name);
    if (!reference || view->variable[reference - 1].role != role) return 0;
    return view->extent[reference - 1].rows > 0 ? reference : 0;
}

// joint7.rate: joint.rate and 7. False: not of this kind.
static bool split_counted(const char *name, char array[], size_t size, int *number)
{
    const char *dot = strchr(name, '.'), *digits = name;
    while (*digits && !isdigit((unsigned char)*digits) && *digits != '.') digits++;
    if (!dot || digits == dot) return false;
    *number = atoi(digits);
    (void)snprintf(array, size, "%.*s%s", (int)(digits - name), name, dot);
    return true;
}

// joint.elbow.rate: joint.rate; tip.force.x: tip.force; link.upper.com.x: link.com; tip.x.
static unsigned find_named(const fa_instance *self, const char *name, fa_role role)
{
    char        tried[512];
    const char *first = strchr(name, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    unsigned    reference = 0;
    if (!first) return 0;
    for (int axis = 0; axis < 2 && !reference; axis++) {
        if (second) {
            (void)snprintf(tried, sizeof tried, "%.*s%s", (int)(first - name), name, second);
            if (axis) *strrchr(tried, '.') = '\0';
            if (strchr(tried, '.')) reference = find_array(self, tried, role);
        }
        if (!reference && axis) {
            (void)snprintf(tried, sizeof tried, "%.*s", (int)(strrchr(name, '.') - name), name);
            reference = find_array(self, tried, role);
        }
    }
    if (reference || strncmp(name, "tip.", 4) != 0 || strlen(name) != 5) return reference;
    return find_array(self, "tip.position", role);
}

void array_pair_match(array_pair *pair, fa_instance *scalar, fa_instance *arrays)
{
    pair->scalar = scalar;
    pair->arrays = arrays;
    assert_true(scalar->states.rows <= ARRAY_ROWS);
    const fa_view *view = &fa_recall(arrays)->view;
    int           *used = calloc((size_t)view->n + 1, sizeof *used), elements = 0;
    for (int row = 0; row < scalar->states.rows; row++) {
        const fa_variable *v = &fa_recall(scalar)->table.row[row];
        char               array[512];
        int                number = 0;
        unsigned           of = find(arrays, v->name);
        if (of && view->extent[of - 1].rows > 0) of = 0; // link.x of snakes is no scalar
        if (!of && split_counted(v->name, array, sizeof array, &number))
            of = find_array(arrays, array, v->role);
        else if (!of)
            of = find_named(arrays, v->name, v->role);
        if (!of) fail_msg("'%s' is in no array", v->name);
        pair->of[row] = of;
        pair->element[row] = number ? number - 1 : used[of];
        used[of]++;
        elements++;
        assert_true(pair->element[row] < array_size(arrays, of));
    }
    // What is left over is the structural parameter and, of each array of joints, the last element.
    for (int v = 0; v < view->n; v++) {
        const fa_extent *extent = &view->extent[v];
        int              missing = extent->n - used[v + 1];
        if (missing > 0 && view->variable[v].role != FA_STRUCTURE && !extent->sized)
            fail_msg("'%s' has %d elements too many", view->variable[v].name, missing);
    }
    free(used);
}

void array_pair_free(array_pair *pair)
{
    fmi3FreeInstance(pair->scalar);
    fmi3FreeInstance(pair->arrays);
}

void array_set_links(fa_instance *self, uint64_t links)
{
    fmi3ValueReference vr = array_reference(self, "links");
    assert_int_equal(fmi3EnterConfigurationMode(self), fmi3OK);
    assert_int_equal(fmi3SetUInt64(self, &vr, 1, &links, 1), fmi3OK);
    assert_int_equal(fmi3ExitConfigurationMode(self), fmi3OK);
}

static double random_near_one(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 0.99 + 0.02 * (double)(*seed >> 40) / (double)(1 << 24);
}

void array_pair_stir(array_pair *pair, uint64_t seed)
{
    fa_instance   *arrays = pair->arrays;
    const fa_view *view = &fa_recall(arrays)->view;
    for (int v = 0; v < view->n; v++) {
        const fa_variable *variable = &view->variable[v];
        if (variable->role > FA_INPUT || variable->type != FA_REAL) continue;
        const int          n = view->extent[v].n;
        double            *value = malloc((size_t)n * sizeof *value);
        fmi3ValueReference vr = (fmi3ValueReference)v + 1;
        if (fmi3GetFloat64(arrays, &vr, 1, value, (size_t)n) != fmi3OK)
            fail_msg("%s", pair->arrays_host.message);
        for (int k = 0; k < n; k++) {
            const double factor = random_near_one(&seed);
            value[k] = variable->role == FA_INPUT ? factor - 1 : value[k] * factor;
        }
        if (fmi3SetFloat64(arrays, &vr, 1, value, (size_t)n) != fmi3OK)
            fail_msg("%s", pair->arrays_host.message);
        for (int row = 0; row < pair->scalar->states.rows; row++) {
            fmi3ValueReference own = (fmi3ValueReference)row + 1;
            if (pair->of[row] == vr)
                assert_int_equal(
                    fmi3SetFloat64(pair->scalar, &own, 1, &value[pair->element[row]], 1), fmi3OK);
        }
        free(value);
    }
}

// Any type as a number.
static double get(fa_instance *self, unsigned reference, int n, int element)
{
    double             real[ARRAY_ROWS];
    fmi3Int32          whole[ARRAY_ROWS];
    fmi3Boolean        flag[ARRAY_ROWS];
    fmi3ValueReference vr = reference;
    switch (fa_recall(self)->view.variable[reference - 1].type) {
    case FA_INT32:
        assert_int_equal(fmi3GetInt32(self, &vr, 1, whole, (size_t)n), fmi3OK);
        return whole[element];
    case FA_BOOLEAN:
        assert_int_equal(fmi3GetBoolean(self, &vr, 1, flag, (size_t)n), fmi3OK);
        return flag[element];
    default:
        assert_int_equal(fmi3GetFloat64(self, &vr, 1, real, (size_t)n), fmi3OK);
        return real[element];
    }
}

void array_pair_compare(const array_pair *pair)
{
    for (int row = 0; row < pair->scalar->states.rows; row++) {
        const double want = get(pair->scalar, (unsigned)row + 1, 1, 0);
        const double got = get(pair->arrays, pair->of[row], array_size(pair->arrays, pair->of[row]),
                               pair->element[row]);
        if (memcmp(&want, &got, sizeof want) != 0)
            fail_msg("'%s' is %.17g and %.17g in its array",
                     fa_recall(pair->scalar)->table.row[row].name, want, got);
    }
}

void array_pair_start(array_pair *pair)
{
    fa_instance *both[] = {pair->scalar, pair->arrays};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fmi3EnterInitializationMode(both[i], false, 0, 0, false, 0), fmi3OK);
        assert_int_equal(fmi3ExitInitializationMode(both[i]), fmi3OK);
        if (both[i]->kind == FA_MODEL_EXCHANGE)
            assert_int_equal(fmi3EnterContinuousTimeMode(both[i]), fmi3OK);
    }
}
