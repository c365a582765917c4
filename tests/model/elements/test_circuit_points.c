// Laws of the parts of circuits against points that two programs in 40 digits agree on.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "laws.h"

// A line of circuit_points.txt, cut into its parts.
typedef struct point {
    char  *element, *reals, *flags, *results;
    char  *more[8]; // signals, or the edges of a valve
    int    n_more;
    double in[80], out[32]; // what the law reads and gives, in the element's own structs
} point;

static char *part(char **rest)
{
    char *of = *rest, *bar = strstr(of, " |");
    *rest = bar ? bar + 2 : of + strlen(of);
    if (bar) *bar = '\0';
    return of + strspn(of, " ");
}

// The number that a text of name=number … has for a name; NAN: none.
static double said(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || at[-1] == ' ') && at[length] == '=')
            return strtod(at + length + 1, NULL);
    return NAN;
}

static void law(const fa_element *e, void *in, void *out)
{
    e->configure(in);
#define ELEMENT_LIST "at_circuit.h"
#define ELEMENT(name, at, xml, about)                                                              \
    if (e == &fa_elements[FA_ELEMENT_##name]) fa_##name##_law(in, out);
#include "passes.h"
}

static void fill(point *p, const fa_element *e)
{
    memset(p->in, 0, sizeof p->in);
    for (int i = 0; i < e->n_reals; i++) {
        const fa_item *item = fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, i);
        const double   x = said(p->reals, item->name);
        // What a point does not say plays no part in it, and divides nothing by zero.
        *fa_element_real(e, p->in, i) = isnan(x) ? (item->rule == FA_RULE_ABOVE_ZERO ? 1 : 0) : x;
    }
    for (int i = 0; i < e->n_flags; i++) {
        const char *name = fa_element_item(e, FA_ITEM_SITE, FA_ITEM_SHORTCUT, i)->name;
        *fa_element_flag(e, p->in, i) = strstr(p->flags, name) != NULL;
    }
}

// "pa 800000.0 ; 0 0.08 … ; 0 0 …": the conductance of that edge with the spool there.
static void take_edge(point *p, char *text)
{
    char                 name[3] = "";
    fa_points            table = {0};
    const fa_section_in *at = (const fa_section_in *)p->in;
    fa_edge_out          out;
    sscanf(text, "%2s", name);
    const double drop = strtod(text + 2, NULL);
    char        *x = strchr(text, ';') + 1, *y = strchr(x, ';') + 1;
    for (char *end;; table.n++, x = end) {
        const double u = strtod(x, &end);
        if (end == x) break;
        table.x[table.n] = u;
        table.y[table.n] = strtod(y, &y);
    }
    fa_points_prepare(&table);
    const fa_edge_in in = {
        .drop = drop, .height = fa_points_at(&table, 0, fabs(at->spool)), .by_flow = true};
    fa_edge_law(&in, &out);
    const bool forth = strcmp(name, "pa") == 0 || strcmp(name, "bt") == 0;
    if (strcmp(name, "pt") != 0 && forth != (at->spool > 0)) out.conductance = 0;
    *fa_element_real(&fa_elements[FA_ELEMENT_section], p->in,
                     fa_element_real_index(&fa_elements[FA_ELEMENT_section], name, 2)) =
        out.conductance;
}

// The highest of its signals, one after the other.
static void take_signals(point *p, char *text)
{
    fa_load_sensing_in *at = (fa_load_sensing_in *)p->in;
    char               *end;
    at->highest = strtod(text + strlen("signals"), &end);
    for (char *next = end;; next = end) {
        const fa_shuttle_in in = {at->width, at->highest, strtod(next, &end)};
        fa_shuttle_out      out;
        if (end == next) break;
        fa_shuttle_law(&in, &out);
        at->highest = out.higher;
    }
}

static void check(const char *element, const char *name, double got, double want, int line)
{
    // Relative 1e-12, as the points have it; flows absolute 1e-15 m3/s, which is a drop in a year.
    if (fabs(got - want) <= 1e-12 * fabs(want) || fabs(got - want) <= 1e-15) return;
    fail_msg("line %d: %s of %s is %.17g, not %.17g", line, name, element, got, want);
}

static void run(point *p, int line)
{
    const fa_element *e = fa_element_named(p->element);
    fill(p, e);
    if (e == &fa_elements[FA_ELEMENT_section])
        ((fa_section_in *)p->in)->backward = ((fa_section_in *)p->in)->spool < 0;
    for (int i = 0; i < p->n_more; i++)
        if (e == &fa_elements[FA_ELEMENT_section])
            take_edge(p, p->more[i]);
        else
            take_signals(p, p->more[i]);
    law(e, p->in, p->out);
    if (e == &fa_elements[FA_ELEMENT_volume]) { // at a node of its own
        const fa_node_in in = {.vapour = said(p->reals, "vapour"),
                               .pressure = said(p->reals, "pressure"),
                               .net = said(p->reals, "net_flow"),
                               .capacity = p->out[0]};
        fa_node_out      out;
        fa_node_law(&in, &out);
        check("volume", "pressure_rate", out.pressure_rate, said(p->results, "pressure_rate"),
              line);
        return;
    }
    int n = 0;
    for (int i = 0; i < e->n_results; i++) {
        const char  *name = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, i)->name;
        const double want = said(p->results, name);
        if (isnan(want)) continue;
        check(e->name, name, p->out[i], want, line);
        n++;
    }
    const double target = said(p->results, "target");
    if (!isnan(target))
        check(e->name, "target", ((fa_load_sensing_in *)p->in)->highest, target, line);
    if (n == 0) fail_msg("line %d compares nothing", line);
}

static void laws_have_the_values_of_two_programs(void **state)
{
    (void)state;
    static char text[1 << 13];
    FILE       *file = fopen("model/elements/circuit_points.txt", "r");
    int         points = 0;
    assert_non_null(file);
    for (int line = 1; fgets(text, sizeof text, file); line++) {
        if (text[0] == '#') continue;
        text[strcspn(text, "\n")] = '\0';
        char *rest = text;
        point p = {0};
        p.element = part(&rest);
        p.reals = part(&rest);
        p.flags = part(&rest);
        p.results = part(&rest);
        while (*rest) p.more[p.n_more++] = part(&rest);
        run(&p, line);
        points++;
    }
    fclose(file);
    assert_int_equal(points, 70);
}

// The compressed gas gives back what it took: its energy is the integral of its own pressure.
static void gas_stores_what_its_pressure_takes(void **state)
{
    (void)state;
    for (int isothermal = 0; isothermal < 2; isothermal++) {
        fa_accumulator_in  in = {.precharge = 6e6,
                                 .shell = 4e-3,
                                 .poppet_volume = 8e-5,
                                 .exponent = isothermal ? 1 : 1.4,
                                 .nominal_flow = 2e-3,
                                 .nominal_drop = 5e5,
                                 .transition = 1e5,
                                 .isothermal = isothermal};
        fa_accumulator_out out, next;
        double             sum = 0;
        const int          n = 4000;
        for (int i = 0; i < n; i++) { // midpoints
            in.volume = 2e-3 * (i + 0.5) / n;
            in.pressure = 0;
            fa_accumulator_law(&in, &out);
            sum += out.storing / out.flow * (2e-3 / n);
        }
        in.volume = 2e-3;
        fa_accumulator_law(&in, &next);
        assert_true(fabs(sum - next.energy) < 1e-5 * next.energy); // of 4000 midpoints
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_have_the_values_of_two_programs),
        cmocka_unit_test(gas_stores_what_its_pressure_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
