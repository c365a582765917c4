// Laws of elements: their values and derivatives against equations in 50 digits, in lanes against
// double, and what depends on what.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_points.h"
#include "forms.h"
#include "random.h"

enum { BLOCK = 64 * (REALS + FLAGS) };

static _Alignas(64) char in_block[8 * BLOCK], dot_block[8 * BLOCK], out_block[8 * BLOCK];

static const struct {
    const form *of;
    const char *name;
    const char *needs;
    bool        exact; // the bits of double
} forms[] = {
    {form_lanes4, "4 doubles", "avx2", true},
    {form_lanes8, "8 doubles", "avx512f", true},
    {form_floats16, "16 floats", "avx512f", false},
};
enum { FORMS = sizeof forms / sizeof *forms };

// Lanes are compiled for what their width is meant for, where the processor is of that family.
static bool runs(int k)
{
#if defined(__x86_64__)
    return k == 0 ? __builtin_cpu_supports("avx2")
                  : __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
#else
    (void)k;
    return true;
#endif
}

static void fill(const form *f, const point *p, void *block, int lane)
{
    for (int i = 0; i < p->element->n_reals; i++) f->put(block, i, lane, p->real[i]);
    memcpy((char *)block + (size_t)p->element->n_reals * f->real_size, p->flag,
           (size_t)p->element->n_flags * sizeof *p->flag);
}

// What cancels within a law: of a contact a lever beside a radius, a slip beside a speed, each some
// tens of times as large; of the parts of circuits a drop beside the pressures, and what gas
// stores.
static double cancels(const fa_element *e)
{
    if (strcmp(e->name, "contact") == 0) return 100;
    if (strcmp(e->name, "accumulator") == 0) return 1e4;
    return e >= &fa_elements[FA_ELEMENT_oil] ? 100 : 1;
}

// ----------------------------------------------------------------------------------------- values

static void values_and_derivatives_are_those_of_the_equations(void **state)
{
    (void)state;
    double        worst_value[FA_ELEMENTS] = {0}, worst_by[FA_ELEMENTS] = {0};
    int           n;
    golden_point *golden = golden_points(&n);
    for (int i = 0; i < n; i++) {
        const golden_point *g = &golden[i];
        const fa_element   *e = g->at.element;
        const form         *f = &form_plain[g->at.index];
        double in[REALS + FLAGS], out[RESULTS + 1], bar[RESULTS + 1], by[REALS + FLAGS];
        point_fill(&g->at, in);
        f->values(1, in, out);
        for (int r = 0; r < e->n_results; r++) {
            if (!g->has[r]) continue;
            const double size = golden_size(g, r);
            if (isinf(g->value[r]))
                assert_true(out[r] == g->value[r]);
            else
                worst_value[g->at.index] =
                    fmax(worst_value[g->at.index], fabs(out[r] - g->value[r]) / size);
            memset(bar, 0, sizeof bar);
            bar[r] = 1;
            f->adjoint(1, in, bar, by);
            for (int k = 0; k < e->n_reals; k++) {
                if (!point_moves(&g->at, k)) continue;
                const double x = g->at.real[k] != 0 ? fabs(g->at.real[k]) : 1;
                const double off = fabs(by[k] - g->by[r][k]) * x / size;
                if (!(off <= 1e-14 * cancels(e)))
                    fail_msg("golden point %d: d %s.%s / d %s is %.17g, not %.17g", i, e->name,
                             fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, r)->name,
                             fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, k)->name, by[k],
                             g->by[r][k]);
                worst_by[g->at.index] = fmax(worst_by[g->at.index], off);
            }
        }
    }
    for (int k = 0; k < FA_ELEMENTS; k++) {
        printf("%-10s value off by %.1e, derivatives by %.1e of the largest term\n",
               fa_elements[k].name, worst_value[k], worst_by[k]);
        // Nine roundings; a pressure's rate has the most.
        assert_true(worst_value[k] <= 2e-15 * cancels(&fa_elements[k]));
    }
    free(golden);
}

static void tangents_are_products_of_adjoints(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < FA_ELEMENTS; k++)
        for (int variant = 0; variant < 400; variant++) {
            const point       p = point_random(k, variant, &seed);
            const fa_element *e = p.element;
            double in[REALS + FLAGS], dot[REALS + FLAGS] = {0}, out[RESULTS + 1], step[RESULTS + 1],
                                                  motion[RESULTS + 1];
            point_fill(&p, in);
            form_plain[k].values(1, in, out);
            for (int i = 0; i < e->n_reals; i++)
                if (point_moves(&p, i))
                    dot[i] = random_in(&seed, -1, 1) * (p.real[i] != 0 ? fabs(p.real[i]) : 1);
            form_plain[k].tangent(1, in, dot, step);
            for (int r = 0; r < e->n_results; r++) {
                double bar[RESULTS + 1] = {0}, by[REALS + FLAGS], sum = 0, size = fabs(out[r]);
                bar[r] = 1;
                form_plain[k].adjoint(1, in, bar, by);
                for (int i = 0; i < e->n_reals; i++) {
                    if (dot[i] == 0) continue;
                    sum += by[i] * dot[i];
                    size = fmax(size, fabs(by[i] * dot[i]));
                }
                // Sixty products of numbers with three roundings each.
                if (!(fabs(step[r] - sum) <= 1e-12 * size) && !isinf(size))
                    fail_msg("%s, result %d: tangent %.17g, adjoint %.17g", e->name, r, step[r],
                             sum);
            }
            // The tangent of what moves is the same where numbers stand still.
            for (int i = 0; i < e->n_reals; i++)
                if (fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, i)->kind <= FA_ITEM_NUMBER_OF)
                    dot[i] = 0;
            form_plain[k].tangent(1, in, dot, step);
            form_plain[k].tangent_of_motion(1, in, dot, motion);
            for (int r = 0; r < e->n_results; r++)
                if (!(fabs(step[r] - motion[r]) <= 1e-13 * (1 + fabs(step[r]))))
                    fail_msg("%s, result %d: %.17g, of motion %.17g", e->name, r, step[r],
                             motion[r]);
        }
}

// ------------------------------------------------------------------------------------------ lanes

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// The largest term of a result at a point, whose rounding it has.
static double term_of(const point *p, int k, int result, double value)
{
    double in[REALS + FLAGS], bar[RESULTS + 1] = {0}, by[REALS + FLAGS], size = fabs(value);
    bar[result] = 1;
    point_fill(p, in);
    form_plain[k].adjoint(1, in, bar, by);
    for (int i = 0; i < p->element->n_reals; i++)
        if (point_moves(p, i)) size = fmax(size, fabs(by[i] * p->real[i]));
    return size;
}

// One call of every lane with its own point, against as many calls in double.
static void compare(int k, int which, const point p[], const char *what)
{
    const fa_element *e = p[0].element;
    const form       *f = &forms[which].of[k], *plain = &form_plain[k];
    const int         n = what[0] == 'v' ? e->n_results : e->n_reals;
    double            one[REALS + FLAGS], bar[RESULTS + 1], want[REALS + FLAGS];
    for (int r = 0; r < e->n_results; r++) bar[r] = 1;
    for (int lane = 0; lane < f->lanes; lane++) {
        fill(f, &p[lane], in_block, lane);
        for (int r = 0; r < e->n_results; r++) f->put(dot_block, r, lane, bar[r]);
    }
    if (what[0] == 'v')
        f->values(1, in_block, out_block);
    else
        f->adjoint(1, in_block, dot_block, out_block);
    for (int lane = 0; lane < f->lanes; lane++) {
        point_fill(&p[lane], one);
        if (what[0] == 'v')
            plain->values(1, one, want);
        else
            plain->adjoint(1, one, bar, want);
        for (int i = 0; i < n; i++) {
            const double got = f->get(out_block, i, lane);
            // A float has 6e-8 of rounding, and a pressure's rate thirty of them.
            const bool fits =
                forms[which].exact
                    ? same_bits(got, want[i])
                    : got == want[i] || fabs(got - want[i]) <=
                                            2e-6 * cancels(e) * term_of(&p[lane], k, i, want[i]);
            if (!fits)
                fail_msg("%s of %s, number %d, %s, lane %d: %a, in double %a", what, e->name, i,
                         forms[which].name, lane, got, want[i]);
        }
    }
}

static void lanes_have_the_bits_of_double(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int which = 0; which < FORMS; which++) {
        if (!runs(which)) {
            printf("no processor for %s\n", forms[which].name);
            continue;
        }
        for (int k = 0; k < FA_ELEMENTS; k++)
            for (int variant = 0; variant < 500; variant++) {
                point     p[16];
                const int lanes = forms[which].of[k].lanes;
                p[0] = point_random(k, variant, &seed);
                for (int lane = 1; lane < lanes;) { // flags are of all lanes
                    p[lane] = point_random(k, variant + 7 * (int)random_in(&seed, 0, 99), &seed);
                    if (memcmp(p[lane].flag, p[0].flag, sizeof p->flag) != 0) p[lane] = p[0];
                    lane++;
                }
                compare(k, which, p, "values");
                if (forms[which].exact) compare(k, which, p, "adjoints");
            }
    }
}

// ------------------------------------------------------------------------------------- dependence

// What changes a result at some point, the table says; and what the table says, some point shows.
static void dependence_is_what_points_show(void **state)
{
    (void)state;
    for (int k = 0; k < FA_ELEMENTS; k++) {
        const fa_element *e = &fa_elements[k];
        uint64_t          seed = 3; // of each: what one draws does not move the points of the next
        for (int variant = 0; variant < 800; variant++) {
            const point p = point_random(k, variant, &seed);
            double      in[REALS + FLAGS];
            point_fill(&p, in);
            for (int r = 0; r < e->n_results; r++) {
                double bar[RESULTS + 1] = {0}, by[REALS + FLAGS];
                bar[r] = 1;
                form_plain[k].adjoint(1, in, bar, by);
                for (int i = 0; i < e->n_reals; i++)
                    if (point_moves(&p, i) && by[i] != 0)
                        assert_true(fa_element_depends(e, in, r, i));
            }
        }
        int shown = 0, said = 0;
        for (int r = 0; r < e->n_results; r++)
            for (int i = 0; i < e->n_reals; i++) {
                bool shows = false, says = false;
                for (int variant = 0; variant < 1200; variant++) {
                    const point p = point_random(k, variant, &seed);
                    double      in[REALS + FLAGS], bar[RESULTS + 1] = {0}, by[REALS + FLAGS];
                    if (!point_moves(&p, i)) continue;
                    bar[r] = 1;
                    point_fill(&p, in);
                    form_plain[k].adjoint(1, in, bar, by);
                    shows |= by[i] != 0;
                    says |= fa_element_depends(e, in, r, i);
                }
                shown += shows;
                said += says;
                if (shows != says)
                    fail_msg("%s: result %d and real %d: points %d, the table %d", e->name, r, i,
                             shows, says);
            }
        printf("%-10s %d of %d dependencies shown\n", e->name, shown, said);
    }
}

// ----------------------------------------------------------------------------------------- energy

// What an element gives to its joint comes from its accounts or from what it stores.
static void no_element_makes_energy_of_nothing(void **state)
{
    (void)state;
    static const int of[] = {FA_ELEMENT_friction, FA_ELEMENT_spring, FA_ELEMENT_stop,
                             FA_ELEMENT_cone};
    uint64_t         seed = 4;
    for (size_t m = 0; m < sizeof of / sizeof *of; m++)
        for (int variant = 0; variant < 2000; variant++) {
            const point       p = point_random(of[m], variant, &seed);
            const fa_element *e = p.element;
            const int         rate = fa_element_real_index(e, "rate", 4),
                      angle = fa_element_real_index(e, "angle", 5),
                      position = angle >= 0 ? angle : fa_element_real_index(e, "position", 8);
            double in[REALS + FLAGS], out[RESULTS + 1], dot[REALS + FLAGS] = {0}, step[RESULTS + 1],
                                                                    left = 0, size = 0;
            point_fill(&p, in);
            form_plain[of[m]].values(1, in, out);
            if (position >= 0) dot[position] = p.real[rate];
            form_plain[of[m]].tangent(1, in, dot, step);
            for (int r = 0; r < e->n_results; r++) {
                const int    kind = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, r)->type;
                const double part = kind == FA_RESULT_PUSH     ? out[r] * p.real[rate]
                                    : kind == FA_RESULT_STORED ? step[r]
                                    : kind == FA_RESULT_FRICTION_LOSS || kind == FA_RESULT_STOP_LOSS
                                        ? out[r]
                                        : 0;
                left += part;
                size += fabs(part);
            }
            assert_true(fabs(left) <= 1e-13 * size); // products of numbers, rounded
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_derivatives_are_those_of_the_equations),
        cmocka_unit_test(tangents_are_products_of_adjoints),
        cmocka_unit_test(lanes_have_the_bits_of_double),
        cmocka_unit_test(dependence_is_what_points_show),
        cmocka_unit_test(no_element_makes_energy_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
