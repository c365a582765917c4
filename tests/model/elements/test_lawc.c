// The reader of laws: what it reads is what the compiler reads, a wrong operator in a law is
// noticed, and what is no law is refused with line and remedy.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_points.h"
#include "forms.h"
#include "law_text.h"
#include "random.h"

static const char *const files[] = {
#define ELEMENT(name, at, xml, about) __FILE__,
#include "passes.h"
};

static char *text_of(const char *path)
{
    char        name[256];
    const char *slash = strrchr(path, '/'), *circuit = strstr(path, "/elements/circuit/");
    snprintf(name, sizeof name, "../model/elements/%s%s", circuit ? "circuit/" : "",
             slash ? slash + 1 : path);
    char *text = fa_law_file(name);
    assert_non_null(text);
    return text;
}

typedef struct all_laws {
    char        *functions, *text[FA_ELEMENTS];
    fa_law_graph law[FA_ELEMENTS];
} all_laws;

static int read_laws(void **state)
{
    all_laws *all = calloc(1, sizeof *all);
    fa_error  error = fa_no_error();
    all->functions = text_of("functions.h");
    for (int k = 0; k < FA_ELEMENTS; k++) {
        all->text[k] = text_of(files[k]);
        if (fa_law_read(&fa_elements[k], fa_elements[k].name, all->text[k], all->functions,
                        &all->law[k], &error) != FA_OK)
            fail_msg("%s:%d: %s", error.file, error.place.line, error.message);
    }
    *state = all;
    return 0;
}

static int free_laws(void **state)
{
    all_laws *all = *state;
    for (int k = 0; k < FA_ELEMENTS; k++) {
        fa_law_free(&all->law[k]);
        free(all->text[k]);
    }
    free(all->functions);
    free(all);
    return 0;
}

static void run(const fa_law_graph *law, const point *p, double value[])
{
    const double *const        family[] = {p->real};
    const fa_expression_inputs inputs = {family, p->flag, NULL};
    fa_expressions_run(&law->graph, &inputs, value);
}

static void a_law_run_node_by_node_gives_the_compilers_bits(void **state)
{
    all_laws *all = *state;
    uint64_t  seed = 1;
    for (int k = 0; k < FA_ELEMENTS; k++) {
        double *value = calloc((size_t)all->law[k].graph.n, sizeof *value);
        for (int variant = 0; variant < 2000; variant++) {
            const point p = point_random(k, variant, &seed);
            double      in[REALS + FLAGS], out[RESULTS + 1];
            point_fill(&p, in);
            form_plain[k].values(1, in, out);
            run(&all->law[k], &p, value);
            for (int r = 0; r < p.element->n_results; r++) {
                const double got = value[all->law[k].result[r]];
                if (got != out[r]) // the sign of a zero aside
                    fail_msg("%s, result %d: %a, compiled %a", p.element->name, r, got, out[r]);
            }
        }
        free(value);
    }
}

// --------------------------------------------------------------------------------------- mutations

static fa_operation_code turned(fa_operation_code op)
{
    static const fa_operation_code pairs[][2] = {
        {FA_OP_ADD, FA_OP_SUBTRACT}, {FA_OP_MULTIPLY, FA_OP_DIVIDE}, {FA_OP_MIN, FA_OP_MAX},
        {FA_OP_SIN, FA_OP_COS},      {FA_OP_AND, FA_OP_OR},          {FA_OP_EXP, FA_OP_LOG},
        {FA_OP_NEGATE, FA_OP_ABS},   {FA_OP_TANH, FA_OP_SQRT},       {FA_OP_EQUAL, FA_OP_LESS}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i][0] == op) return pairs[i][1];
        if (pairs[i][1] == op && op != FA_OP_LESS) return pairs[i][0];
    }
    return op;
}

static void exchange(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

// Change number `which` of a node; false: it has no such.
static bool mutate(fa_expression *o, int which)
{
    const int               operands = fa_operations[o->operation].operands;
    const fa_operation_code was = o->operation;
    switch (which) {
    case 0: // another operator, another number
        o->operation = turned(was);
        if (was == FA_OP_LESS) exchange(&o->of[0], &o->of[1]);
        if (was == FA_OP_CONSTANT) o->value = 1.002 * o->value + 1e-3;
        return o->operation != was || was == FA_OP_LESS ||
               (was == FA_OP_CONSTANT && !isinf(o->value));
    case 1: // operands exchanged, or the two sides of a choice
        if (operands < 2) return false;
        exchange(&o->of[operands - 2], &o->of[operands - 1]);
        return operands == 3 || was == FA_OP_SUBTRACT || was == FA_OP_DIVIDE || was == FA_OP_SIGN;
    default: // one side of a choice for both
        if (operands < 3 || which > 3) return false;
        o->of[which - 1] = o->of[4 - which];
        return true;
    }
}

static bool is_noticed(const fa_law_graph *law, const golden_point golden[], int n, double value[])
{
    for (int i = 0; i < n; i++) {
        const golden_point *g = &golden[i];
        if (g->at.element != law->of) continue;
        run(law, &g->at, value);
        for (int r = 0; r < law->of->n_results; r++) {
            const double got = value[law->result[r]];
            if (g->has[r] && got != g->value[r] &&
                !(fabs(got - g->value[r]) <= 1e-12 * golden_size(g, r)))
                return true;
        }
    }
    return false;
}

// Mutants that compute the same, so many of a kind.
static const struct {
    int               element;
    fa_operation_code of;
    int               change, count;
    const char       *why;
} same_law[] = {
    {FA_ELEMENT_friction, FA_OP_PICK, 3, 1, "dry is a shortcut: it never changes a value"},
    {FA_ELEMENT_wheel, FA_OP_PICK, 3, 1, "dry is a shortcut"},
    {FA_ELEMENT_grip, FA_OP_WHERE, 3, 1, "the root of 0 is 0: the choice is for its derivative"},
    {FA_ELEMENT_valve, FA_OP_PICK, 3, 1, "with bandwidth 0 the acceleration is 0 anyhow"},
    {FA_ELEMENT_motor, FA_OP_MULTIPLY, 0, 4, "the sign of a product is that of the quotient"},
    {FA_ELEMENT_motor, FA_OP_PICK, 3, 6,
     "a shortcut (four); an infinite limit limits nothing (two)"},
    {FA_ELEMENT_motor, FA_OP_PICK, 2, 2,
     "V i is emf i + R i^2; of an inverse the torque is the one that is wanted"},
    {FA_ELEMENT_servo, FA_OP_PICK, 3, 4,
     "an infinite limit limits nothing; ki = 0 sums nothing up"},
    {FA_ELEMENT_contact, FA_OP_CONSTANT, 0, 1, "a wheel lies flat, or it does not"},
    {FA_ELEMENT_contact, FA_OP_WHERE, 3, 12,
     "under a root nothing is zero but where the other side of the choice is taken"},
    {FA_ELEMENT_contact, FA_OP_AND, 0, 1, "a wheel that lies flat has no tilt that could change"},
    {FA_ELEMENT_contact, FA_OP_MULTIPLY, 0, 2, "by 1 or -1"},
    {FA_ELEMENT_contact, FA_OP_PICK, 3, 5, "what the other law of friction does not read"},
    {FA_ELEMENT_line_spring, FA_OP_WHERE, 3, 9,
     "for points at the same place, between which no line is"},
    {FA_ELEMENT_line_spring, FA_OP_CONSTANT, 0, 1, "the same"},
    {FA_ELEMENT_damper, FA_OP_NEGATE, 0, 1, "what is lost is not negative"},
    {FA_ELEMENT_oil, FA_OP_SUBTRACT, 1, 1, "vapour counts by a fourth power, whatever its sign"},
    {FA_ELEMENT_volume, FA_OP_SUBTRACT, 1, 1, "the same"},
    {FA_ELEMENT_line, FA_OP_SUBTRACT, 1, 2, "the same"},
    {FA_ELEMENT_line, FA_OP_PICK, 3, 1, "what is not accelerated stores nothing anyhow"},
    {FA_ELEMENT_line, FA_OP_PICK, 3, 1, "friction is all of the drop that accelerates nothing"},
    {FA_ELEMENT_hydraulic_motor, FA_OP_SUBTRACT, 1, 2, "a fourth power, as of oil"},
    {FA_ELEMENT_chambers, FA_OP_SUBTRACT, 1, 2, "a fourth power, as of oil"},
    {FA_ELEMENT_node, FA_OP_CONSTANT, 0, 1, "no point lies on the bound of 1 Pa"},
    {FA_ELEMENT_filter, FA_OP_CONSTANT, 0, 1, "a width of 0 divides by something else, unread"},
    {FA_ELEMENT_filter, FA_OP_WHERE, 3, 1, "the same"},
    {FA_ELEMENT_relief, FA_OP_CONSTANT, 0, 1, "the same"},
    {FA_ELEMENT_relief, FA_OP_WHERE, 3, 1, "the same"},
    {FA_ELEMENT_relief, FA_OP_WHERE, 2, 2, "a choice that moved outward stands inside once more"},
    {FA_ELEMENT_pilot_check, FA_OP_WHERE, 2, 1, "the same"},
    {FA_ELEMENT_pilot_check, FA_OP_WHERE, 3, 1, "the same"},
    {FA_ELEMENT_section, FA_OP_SUBTRACT, 1, 2, "a distance has no sign"},
    {FA_ELEMENT_section, FA_OP_WHERE, 3, 5, "no width here is 0"},
    {FA_ELEMENT_shuttle, FA_OP_SUBTRACT, 1, 1, "a distance has no sign"},
    {FA_ELEMENT_shuttle, FA_OP_CONSTANT, 0, 1, "no width here is 0"},
    {FA_ELEMENT_shuttle, FA_OP_WHERE, 3, 2, "no width here is 0"},
    {FA_ELEMENT_displacement_pump, FA_OP_SUBTRACT, 1, 5, "a distance has no sign"},
    {FA_ELEMENT_displacement_pump, FA_OP_WHERE, 3, 10, "no width here is 0"},
    {FA_ELEMENT_displacement_pump, FA_OP_ABS, 0, 1, "the tank stays below what counts as level"},
    {FA_ELEMENT_displacement_pump, FA_OP_CONSTANT, 0, 1, "a bound that only a pump at rest meets"},
    {FA_ELEMENT_accumulator, FA_OP_PICK, 2, 1, "no point has the exponent 1"},
    {FA_ELEMENT_gait, FA_OP_PICK, 3, 1, "a shortcut changes no value"},
    {FA_ELEMENT_wheel_ground, FA_OP_CONSTANT, 0, 1, "no point stands still"},
    {FA_ELEMENT_wheel_ground, FA_OP_WHERE, 3, 2, "no point stands still"},
    {FA_ELEMENT_patch, FA_OP_WHERE, 3, 2, "no point is the middle of a disc"},
    {FA_ELEMENT_patch, FA_OP_SUBTRACT, 1, 1, "a rectangle is as wide to the left as to the right"},
    {FA_ELEMENT_touch, FA_OP_WHERE, 3, 2, "no two points meet; what is outside has no force"},
    {FA_ELEMENT_stop, FA_OP_WHERE, 2, 3, "a choice that moved outward stands inside once more"},
};
enum { SAME_LAW = sizeof same_law / sizeof *same_law };

static void every_wrong_operator_in_a_law_is_noticed(void **state)
{
    all_laws *all = *state;
    int       n, mutants = 0, alive = 0, left[SAME_LAW];
    for (int i = 0; i < SAME_LAW; i++) left[i] = same_law[i].count;
    golden_point *golden = golden_points(&n);
    for (int k = 0; k < FA_ELEMENTS; k++) {
        fa_law_graph *law = &all->law[k];
        bool         *needed = calloc((size_t)law->graph.n, sizeof *needed);
        double       *value = calloc((size_t)law->graph.n, sizeof *value);
        fa_expressions_needed(&law->graph, law->result, law->of->n_results, needed);
        if (law->of->n_results > 0) assert_false(is_noticed(law, golden, n, value));
        for (int i = 1; i < law->graph.n; i++)
            for (int which = 0; which < 4 && needed[i]; which++) {
                fa_expression *o = &law->graph.node[i], kept = *o;
                const bool     changed = mutate(o, which);
                mutants += changed;
                if (changed && !is_noticed(law, golden, n, value)) {
                    int excuse = 0;
                    while (excuse < SAME_LAW &&
                           !(same_law[excuse].element == k && same_law[excuse].change == which &&
                             same_law[excuse].of == kept.operation && left[excuse] > 0))
                        excuse++;
                    alive += excuse == SAME_LAW;
                    if (excuse < SAME_LAW) left[excuse]--;
                    printf("%s: node %d %.*s, %s of %d %d %d, change %d: %s\n", law->of->name, i,
                           kept.length, kept.name ? kept.name : "",
                           fa_operations[kept.operation].text, kept.of[0], kept.of[1], kept.of[2],
                           which, excuse < SAME_LAW ? same_law[excuse].why : "LIVES");
                }
                *o = kept;
            }
        free(needed);
        free(value);
    }
    free(golden);
    printf("%d mutants, %d alive\n", mutants, alive);
    assert_int_equal(alive, 0);
    assert_true(mutants > 500);
}

// --------------------------------------------------------------------------------------- refusals

typedef struct refusal {
    const char *law, *says;
} refusal;

// On an element with the names of a spring.
static void what_is_no_law_is_refused_with_line_and_remedy(void **state)
{
    static const char *const functions = "FA_INLINED real twice(real x)\n{\n    return x + x;\n}\n"
                                         "FA_INLINED real endless(real x)\n{\n    return "
                                         "endless(x);\n}\nFA_INLINED real silent(real x)\n{\n}\n";
    static const refusal     list[] = {
            {"const real a = stretch;", "2: the element's list has no such name at 'stretch;'"},
            {"const real a = damping", "3: write ';'"},
            {"const real a = 1 / 2;",
             "2: a quotient of two constants is a whole number to C; write one number"},
            {"const real a = 0.1 * rate;", "2: no float holds this number; write num(…) around it"},
            {"const real a = 2.f;", "2: a number has no letters behind it"},
            {"const real a = rate > 0 ? rate : num(0);",
             "2: before '?' stands a flag; where numbers decide, write where(condition, yes, no)"},
            {"const real a = where(rate, rate, rate);", "2: where(…) begins with a comparison"},
            {"const real a = rate > 0;", "2: this compares; write mask"},
            {"const mask a = rate;", "2: this is a number; write real"},
            {"const real a = rate + (rate < 0);", "2: a comparison is no number"},
            {"const mask a = rate & rate;", "2: & and | stand between comparisons"},
            {"const mask a = rate < 0 && rate > 1;", "2: laws have the operators"},
            {"const mask a = rate <= 0;", "2: laws have the operators"},
            {"const real a = cosh(rate);", "2: laws know no such function; write it in functions.h"},
            {"const real a = twice(rate, rate);", "2: too many arguments"},
            {"const real a = real_min(rate);", "2: the number of arguments is wrong"},
            {"const real a = endless(rate);", "7: functions call each other without an end"},
            {"const real a = silent(rate);", "11: a function ends with return"},
            {"const real rate = 2;", "2: the element's list has this name already"},
            {"const real a = rate;\nconst real a = rate;", "3: this name is taken"},
            {"if (rate > 0) out->torque = 0;", "2: a law has only 'const real x = …;'"},
            {"const real a = (rate;", "2: write ')'"},
            {"const real a = ;", "2: a number, a name or a bracket is missing"},
            {"const real a = out->energy;", "2: this result has not been set yet"},
            {"out->heat = rate;", "2: the element has no such RESULT"},
            {"out->damper = rate;\nout->damper = rate;", "3: this result is set twice"},
            {"const real a = table(rest, rate);", "2: the element has no such TABLE"},
            {"out->damper = rate;\nout->torque = rate;\nout->loss = rate;",
             "5: the law does not set the result energy; add 'out->energy = …;'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char         text[512], got[2048];
        fa_law_graph law;
        fa_error     error = fa_no_error();
        snprintf(text, sizeof text, "#ifdef LAW\n%s\n#endif\n", list[i].law);
        assert_int_equal(
            fa_law_read(&fa_elements[FA_ELEMENT_spring], "spring.h", text, functions, &law, &error),
            FA_BAD_INPUT);
        snprintf(got, sizeof got, "%d: %s", error.place.line, error.message);
        if (!strstr(got, list[i].says))
            fail_msg("%s\nsays:  %s\nnot:   %s", list[i].law, got, list[i].says);
        fa_law_free(&law);
    }
}

static void brackets_without_end_are_refused(void **state)
{
    static char  text[3000] = "#ifdef LAW\nconst real a = ";
    fa_law_graph law;
    fa_error     error = fa_no_error();
    (void)state;
    memset(text + strlen(text), '(', 2500);
    assert_int_equal(
        fa_law_read(&fa_elements[FA_ELEMENT_spring], "spring.h", text, "", &law, &error),
        FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "brackets are nested too deeply"));
    fa_law_free(&law);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_run_node_by_node_gives_the_compilers_bits),
        cmocka_unit_test(every_wrong_operator_in_a_law_is_noticed),
        cmocka_unit_test(what_is_no_law_is_refused_with_line_and_remedy),
        cmocka_unit_test(brackets_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, read_laws, free_laws);
}
