// Expression graph of one arm's equations: sums, products and quotients of constants and of named
// inputs, on model/expressions. Constant folding and common subexpressions reduce the general
// equations to the few operations of one robot.
#ifndef FA_GRAPH_H
#define FA_GRAPH_H

#include "expressions.h"
#include "status.h"

// Families of inputs. Expressions of the first family alone are computed only when parameters
// change.
typedef enum fa_input {
    FA_INPUT_PARAMETER, // FA_SPECIAL_PER_BODY for each body, then gravity (special.h)
    FA_INPUT_Q,
    FA_INPUT_QD,
    FA_INPUT_TAU,
    FA_INPUT_SINE, // sine of q
    FA_INPUT_COSINE,
    FA_INPUT_QDD, // given accelerations, for derivatives
    FA_INPUT_COUNT
} fa_input;

typedef int            fa_node; // index in fa_graph.node; operands precede a node
typedef fa_expressions fa_graph;

static inline fa_node fa_constant(fa_graph *graph, double value)
{
    return fa_expression_constant(graph, value);
}

static inline fa_node fa_input_node(fa_graph *graph, fa_input input, int index)
{
    return fa_expression_input(graph, (int)input, index);
}

static inline fa_node fa_sum(fa_graph *graph, fa_node a, fa_node b)
{
    return fa_expression_make(graph, FA_OP_ADD, a, b, 0);
}

static inline fa_node fa_difference(fa_graph *graph, fa_node a, fa_node b)
{
    return fa_expression_make(graph, FA_OP_SUBTRACT, a, b, 0);
}

static inline fa_node fa_product(fa_graph *graph, fa_node a, fa_node b)
{
    return fa_expression_make(graph, FA_OP_MULTIPLY, a, b, 0);
}

static inline fa_node fa_quotient(fa_graph *graph, fa_node a, fa_node b)
{
    return fa_expression_make(graph, FA_OP_DIVIDE, a, b, 0);
}

static inline fa_node fa_negative(fa_graph *graph, fa_node a)
{
    return fa_expression_make(graph, FA_OP_NEGATE, a, 0, 0);
}

// Computes the values of all nodes.
static inline void fa_graph_evaluate(const fa_graph     *graph,
                                     const double *const input[FA_INPUT_COUNT], double value[])
{
    const fa_expression_inputs inputs = {.family = input};
    fa_expressions_run(graph, &inputs, value);
}

#endif
