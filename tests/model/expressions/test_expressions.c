// Graphs of expressions, drawn at random: their values are what the operations are, whatever is
// shared and folded; tangents are what differences say, and adjoints are tangents transposed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expressions.h"
#include "random.h"
#include "test.h"

enum { INPUTS = 4, FLAGS = 2, DRAWN = 40, ROOM = 4096, TRIALS = 400 };

typedef struct drawn {
    fa_expressions graph;
    int            input[INPUTS], last;

    double x[INPUTS];
    bool   flag[FLAGS];
} drawn;

static double arithmetic(fa_operation_code operation, const double v[3])
{
    switch (operation) {
    case FA_OP_ADD:
        return v[0] + v[1];
    case FA_OP_SUBTRACT:
        return v[0] - v[1];
    case FA_OP_MULTIPLY:
        return v[0] * v[1];
    case FA_OP_DIVIDE:
        return v[0] / v[1];
    case FA_OP_NEGATE:
        return -v[0];
    case FA_OP_ABS:
        return fabs(v[0]);
    case FA_OP_MIN:
        return fmin(v[0], v[1]);
    case FA_OP_MAX:
        return fmax(v[0], v[1]);
    case FA_OP_SIGN:
        return copysign(v[0], v[1]);
    case FA_OP_SQRT:
        return sqrt(v[0]);
    case FA_OP_TANH:
        return tanh(v[0]);
    case FA_OP_EXP:
        return exp(v[0]);
    case FA_OP_LOG:
        return log(v[0]);
    case FA_OP_SIN:
        return sin(v[0]);
    case FA_OP_COS:
        return cos(v[0]);
    case FA_OP_LESS:
        return v[0] < v[1];
    case FA_OP_EQUAL:
        return v[0] == v[1];
    case FA_OP_WHERE:
    case FA_OP_PICK:
        return v[0] != 0 ? v[1] : v[2];
    default:
        fail_msg("operation %d", (int)operation);
        return 0;
    }
}

static double value_of(const drawn *d, const double x[INPUTS], int node)
{
    static double       value[ROOM];
    const double *const family[] = {x};
    assert_true(d->graph.n <= ROOM && !d->graph.failed);
    const fa_expression_inputs inputs = {family, d->flag, NULL};
    fa_expressions_run(&d->graph, &inputs, value);
    return value[node];
}

// Values stay between about 0.1 and 10, away from kinks and poles: what would leave is drawn again.
static void draw(drawn *d, uint64_t *seed)
{
    static const fa_operation_code all[] = {
        FA_OP_ADD, FA_OP_SUBTRACT, FA_OP_MULTIPLY, FA_OP_DIVIDE, FA_OP_NEGATE, FA_OP_ABS,
        FA_OP_MIN, FA_OP_MAX,      FA_OP_SIGN,     FA_OP_SQRT,   FA_OP_TANH,   FA_OP_EXP,
        FA_OP_LOG, FA_OP_SIN,      FA_OP_COS,      FA_OP_WHERE,  FA_OP_PICK};
    int    node[INPUTS + 2 + DRAWN], n = 0;
    double value[INPUTS + 2 + DRAWN];
    d->graph = fa_expressions_new();
    for (int i = 0; i < INPUTS; i++) {
        d->x[i] = (i % 2 ? -1 : 1) * random_in(seed, 0.5, 2);
        value[n] = d->x[i];
        node[n++] = d->input[i] = fa_expression_input(&d->graph, 0, i);
    }
    for (int i = 0; i < FLAGS; i++) d->flag[i] = random_in(seed, 0, 1) < 0.5;
    for (int i = 0; i < 2; i++) {
        value[n] = i ? random_in(seed, 0.5, 3) : 1;
        node[n] = fa_expression_constant(&d->graph, value[n]);
        n++;
    }
    for (int k = 0; k < DRAWN; k++) {
        const fa_operation_code of = all[(int)random_in(seed, 0, sizeof all / sizeof *all - 1e-9)];
        const int  pick[] = {(int)random_in(seed, 0, n - 1e-9), (int)random_in(seed, 0, n - 1e-9)};
        double     v[] = {value[pick[0]], value[pick[1]], 0};
        const bool near = fabs(v[0] - v[1]) < 0.05;
        int        made;
        if (of == FA_OP_WHERE || of == FA_OP_PICK) {
            if (near) continue;
            const int    flag = k % FLAGS;
            const int    mask = of == FA_OP_PICK ? fa_expression_flag(&d->graph, flag)
                                                 : fa_expression_make(&d->graph, FA_OP_LESS,
                                                                      node[pick[0]], node[pick[1]], 0);
            const double chosen[] = {of == FA_OP_PICK ? d->flag[flag] : v[0] < v[1], v[0], v[1]};
            v[0] = arithmetic(of, chosen);
            made = fa_expression_make(&d->graph, of, mask, node[pick[0]], node[pick[1]]);
        } else {
            if (near && (of == FA_OP_MIN || of == FA_OP_MAX)) continue;
            // Laws give a sign to what is not negative (clip), and partial derivatives are for
            // that.
            if ((of == FA_OP_SQRT || of == FA_OP_LOG || of == FA_OP_SIGN) && v[0] < 0.1) continue;
            v[0] = arithmetic(of, v);
            made = fa_expression_make(&d->graph, of, node[pick[0]],
                                      fa_operations[of].operands > 1 ? node[pick[1]] : 0, 0);
        }
        if (!(fabs(v[0]) > 0.1 && fabs(v[0]) < 10)) continue;
        value[n] = v[0];
        node[n++] = made;
        // What is built again is the same node.
        if (of != FA_OP_WHERE && of != FA_OP_PICK)
            assert_int_equal(fa_expression_make(&d->graph, of, node[pick[0]],
                                                fa_operations[of].operands > 1 ? node[pick[1]] : 0,
                                                0),
                             made);
    }
    d->last = node[n - 1];
    for (int i = 0; i < n; i++) {
        const double got = value_of(d, d->x, node[i]);
        // Rounding: what follows from 0 and 1 and constants is not built, nothing else is turned
        // round.
        if (!(fabs(got - value[i]) <= 1e-13 * fabs(value[i])))
            fail_msg("node %d is %.17g, not %.17g", node[i], got, value[i]);
    }
}

// The change along a way, by differences.
static double difference(const drawn *d, const double way[INPUTS], double step)
{
    double ahead[INPUTS], behind[INPUTS];
    for (int i = 0; i < INPUTS; i++) {
        ahead[i] = d->x[i] + step * way[i];
        behind[i] = d->x[i] - step * way[i];
    }
    return (value_of(d, ahead, d->last) - value_of(d, behind, d->last)) / (2 * step);
}

static void values_and_derivatives_are_those_of_the_operations(void **state)
{
    (void)state;
    uint64_t seed = 11;
    double   worst = 0;
    int      compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn d;
        draw(&d, &seed);
        const int n = d.graph.n;
        int      *dot = calloc(ROOM, sizeof *dot), *bar = calloc(ROOM, sizeof *bar);
        double    way[INPUTS];
        for (int i = 0; i < INPUTS; i++) {
            way[i] = random_in(&seed, -1, 1);
            dot[d.input[i]] = fa_expression_constant(&d.graph, way[i]);
        }
        const double want = difference(&d, way, 1e-6), finer = difference(&d, way, 2.5e-7);
        fa_expressions_tangent(&d.graph, n, NULL, dot);
        const double along = value_of(&d, d.x, dot[d.last]);
        bar[d.last] = fa_expression_constant(&d.graph, 1);
        fa_expressions_adjoint(&d.graph, n, NULL, bar);
        double against = 0;
        for (int i = 0; i < INPUTS; i++) against += way[i] * value_of(&d, d.x, bar[d.input[i]]);
        // Both are sums of the same products in another order.
        assert_true(fabs(along - against) <= 1e-11 * (1 + fabs(along)));
        // Neither a kink nor a pole in between, nor too much rounding.
        if (fabs(want - finer) < 1e-6 * (1 + fabs(want))) {
            worst = fmax(worst, fabs(along - want) / (1 + fabs(want)));
            compared++;
        }
        free(dot);
        free(bar);
        fa_expressions_free(&d.graph);
    }
    print_message("differences: %.2g, of %d graphs\n", worst, compared);
    assert_true(worst < 2e-6); // twice what the differences differ
    assert_true(compared > TRIALS * 8 / 10);
}

static bool first_is_known(void *context, const fa_expression *node, double *value)
{
    const drawn *d = context;
    if (node->operation == FA_OP_INPUT && node->of[1] < 2)
        *value = d->x[node->of[1]];
    else if (node->operation == FA_OP_FLAG)
        *value = d->flag[node->of[0]];
    else
        return false;
    return true;
}

static void what_is_known_folds_into_the_same_values(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn d, folded;
        int   to[ROOM];
        bool  needed[ROOM];
        draw(&d, &seed);
        folded = d;
        folded.graph = fa_expressions_new();
        fa_expressions_fold(&d.graph, first_is_known, &d, &folded.graph, to);
        const double want = value_of(&d, d.x, d.last), got = value_of(&folded, d.x, to[d.last]);
        assert_true(fabs(got - want) <= 1e-13 * fabs(want));
        fa_expressions_needed(&folded.graph, &to[d.last], 1, needed);
        for (int i = 0; i < folded.graph.n; i++) {
            const fa_expression *e = &folded.graph.node[i];
            if (e->operation == FA_OP_FLAG) fail_msg("a flag that is known is in the graph");
            if (e->operation == FA_OP_INPUT) assert_true(e->of[1] >= 2);
            if (!needed[i] || !fa_expression_is_operation(e)) continue;
            for (int k = 0; k < fa_operations[e->operation].operands; k++)
                assert_true(needed[e->of[k]]);
        }
        assert_true(needed[to[d.last]]);
        fa_expressions_free(&d.graph);
        fa_expressions_free(&folded.graph);
    }
}

// Thousands of nodes, each built twice.
static void a_node_is_built_once(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    static int     node[MANY];
    fa_expressions graph = fa_expressions_new();
    for (int turn = 0; turn < 2; turn++) {
        int before = fa_expression_input(&graph, 0, 0);
        for (int i = 0; i < MANY; i++) {
            before = fa_expression_make(&graph, i % 3 ? FA_OP_ADD : FA_OP_MULTIPLY, before,
                                        fa_expression_constant(&graph, 2 + i % 101), 0);
            if (turn == 0) node[i] = before;
            assert_int_equal(before, node[i]);
        }
    }
    assert_true(graph.n < MANY + 200);
    fa_expressions_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_derivatives_are_those_of_the_operations),
        cmocka_unit_test(what_is_known_folds_into_the_same_values),
        cmocka_unit_test(a_node_is_built_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
