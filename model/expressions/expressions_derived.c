// Derivatives of expressions: tangents forwards, adjoints backwards, as further nodes of the graph.
#include <stdlib.h>
#include <string.h>

#include "expressions.h"

static int make(fa_expressions *graph, fa_operation_code operation, int a, int b)
{
    return fa_expression_make(graph, operation, a, b, 0);
}

static int constant(fa_expressions *graph, double value)
{
    return fa_expression_constant(graph, value);
}

// 1 where the first of the operands is the result of MIN or MAX, else 0.
static void partials_of_extreme(fa_expressions *graph, const fa_expression *o, int by[2])
{
    const int one = constant(graph, 1);
    const int first = o->operation == FA_OP_MIN ? make(graph, FA_OP_LESS, o->of[0], o->of[1])
                                                : make(graph, FA_OP_LESS, o->of[1], o->of[0]);
    by[0] = fa_expression_make(graph, FA_OP_WHERE, first, one, 0);
    by[1] = fa_expression_make(graph, FA_OP_WHERE, first, 0, one);
}

// Partial derivatives of node i by its operands; 0: none. Not of choices.
static void partials(fa_expressions *graph, int i, int by[2])
{
    const fa_expression o = graph->node[i];
    const int           one = constant(graph, 1);
    by[0] = by[1] = 0;
    switch (o.operation) {
    case FA_OP_ADD:
        by[0] = by[1] = one;
        break;
    case FA_OP_SUBTRACT:
        by[0] = one;
        by[1] = constant(graph, -1);
        break;
    case FA_OP_MULTIPLY:
        by[0] = o.of[1];
        by[1] = o.of[0];
        break;
    case FA_OP_DIVIDE:
        by[0] = make(graph, FA_OP_DIVIDE, one, o.of[1]);
        by[1] = make(graph, FA_OP_NEGATE, make(graph, FA_OP_MULTIPLY, i, by[0]), 0);
        break;
    case FA_OP_NEGATE:
        by[0] = constant(graph, -1);
        break;
    case FA_OP_ABS:
        by[0] = make(graph, FA_OP_SIGN, one, o.of[0]);
        break;
    case FA_OP_SIGN:
        by[0] = make(graph, FA_OP_SIGN, one, o.of[1]);
        break;
    case FA_OP_SQRT:
        by[0] = make(graph, FA_OP_DIVIDE, constant(graph, 0.5), i);
        break;
    case FA_OP_TANH:
        by[0] = make(graph, FA_OP_MULTIPLY, make(graph, FA_OP_SUBTRACT, one, i),
                     make(graph, FA_OP_ADD, one, i));
        break;
    case FA_OP_EXP:
        by[0] = i;
        break;
    case FA_OP_LOG:
        by[0] = make(graph, FA_OP_DIVIDE, one, o.of[0]);
        break;
    case FA_OP_SIN:
        by[0] = make(graph, FA_OP_COS, o.of[0], 0);
        break;
    case FA_OP_COS:
        by[0] = make(graph, FA_OP_NEGATE, make(graph, FA_OP_SIN, o.of[0], 0), 0);
        break;
    case FA_OP_TABLE:
    case FA_OP_TABLE_SLOPE:
        by[0] = fa_expression_table(graph, o.operation + 1, (int)o.value, o.of[0]);
        break;
    case FA_OP_MIN:
    case FA_OP_MAX:
        partials_of_extreme(graph, &o, by);
        break;
    default: // masks have none
        break;
    }
}

static bool chooses(const fa_expression *node)
{
    return node->operation == FA_OP_WHERE || node->operation == FA_OP_PICK;
}

void fa_expressions_tangent(fa_expressions *graph, int n, const bool among[], int dot[])
{
    for (int i = 0; i < n && !graph->failed; i++) {
        const fa_expression o = graph->node[i];
        const int           operands = fa_operations[o.operation].operands;
        int                 by[2];
        if (o.operation == FA_OP_INPUT) continue; // the caller's
        dot[i] = 0;
        if (!fa_expression_is_operation(&o) || (among && !among[i])) continue;
        if (chooses(&o)) {
            dot[i] = fa_expression_make(graph, o.operation, o.of[0], dot[o.of[1]], dot[o.of[2]]);
        } else if (dot[o.of[0]] || (operands > 1 && dot[o.of[1]])) {
            partials(graph, i, by);
            dot[i] = make(graph, FA_OP_MULTIPLY, by[0], dot[o.of[0]]);
            if (operands > 1)
                dot[i] = make(graph, FA_OP_ADD, dot[i],
                              make(graph, FA_OP_MULTIPLY, by[1], dot[o.of[1]]));
        }
    }
}

static void add_to(fa_expressions *graph, const bool among[], int bar[], int node, int part)
{
    if (!among || among[node]) bar[node] = make(graph, FA_OP_ADD, bar[node], part);
}

void fa_expressions_adjoint(fa_expressions *graph, int n, const bool among[], int bar[])
{
    for (int i = n - 1; i > 0 && !graph->failed; i--) {
        const fa_expression o = graph->node[i];
        int                 by[2];
        if (!fa_expression_is_operation(&o) || !bar[i]) continue;
        if (chooses(&o)) {
            add_to(graph, among, bar, o.of[1],
                   fa_expression_make(graph, o.operation, o.of[0], bar[i], 0));
            add_to(graph, among, bar, o.of[2],
                   fa_expression_make(graph, o.operation, o.of[0], 0, bar[i]));
            continue;
        }
        partials(graph, i, by);
        add_to(graph, among, bar, o.of[0], make(graph, FA_OP_MULTIPLY, by[0], bar[i]));
        if (fa_operations[o.operation].operands > 1)
            add_to(graph, among, bar, o.of[1], make(graph, FA_OP_MULTIPLY, by[1], bar[i]));
    }
}
