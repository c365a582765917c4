// Expressions that share their parts: sums, products and quotients of constants and of inputs that
// are named when code is written. A node is built once, however often it is asked for, and what
// follows from constants, from 0 and from 1 is never built. So the general equations of motion,
// written down over such nodes, become the few operations that one robot needs.
#ifndef FA_GRAPH_H
#define FA_GRAPH_H

#include "status.h"

typedef enum fa_operation {
    FA_CONSTANT,
    FA_GIVEN, // an input
    FA_SUM,
    FA_DIFFERENCE,
    FA_PRODUCT,
    FA_QUOTIENT,
    FA_NEGATIVE
} fa_operation;

// Arrays of inputs. What depends on parameters alone is computed when they change.
typedef enum fa_input {
    FA_INPUT_PARAMETER, // FA_SPECIAL_PER_BODY for each body, then gravity (special.h)
    FA_INPUT_Q,
    FA_INPUT_QD,
    FA_INPUT_TAU,
    FA_INPUT_SINE, // of q
    FA_INPUT_COSINE,
    FA_INPUT_QDD, // of derivatives, which take accelerations as given
    FA_INPUT_COUNT
} fa_input;

typedef int fa_node; // index in fa_graph.node; what a node needs comes before it

typedef struct fa_graph_node {
    fa_operation operation;
    bool         moves; // depends on more than parameters
    int          a, b;  // nodes; of FA_GIVEN the fa_input and the index in it
    double       value; // of FA_CONSTANT
} fa_graph_node;

typedef struct fa_graph {
    fa_graph_node *node;
    int            n, room;
    int           *slot; // a hash table of nodes, n_slots of them: a power of two; -1 is empty
    int            n_slots;
    bool           failed; // memory has run out; nodes since then are node 0, which is 0
} fa_graph;

fa_graph fa_graph_new(void);
void     fa_graph_free(fa_graph *graph);

fa_node fa_constant(fa_graph *graph, double value);
fa_node fa_given(fa_graph *graph, fa_input input, int index);
fa_node fa_sum(fa_graph *graph, fa_node a, fa_node b);
fa_node fa_difference(fa_graph *graph, fa_node a, fa_node b);
fa_node fa_product(fa_graph *graph, fa_node a, fa_node b);
fa_node fa_quotient(fa_graph *graph, fa_node a, fa_node b);
fa_node fa_negative(fa_graph *graph, fa_node a);

bool fa_is_operation(const fa_graph_node *node); // neither a constant nor an input

// Marks in needed[graph->n] what the results need, themselves included.
void fa_graph_needed(const fa_graph *graph, const fa_node result[], int n_results, bool needed[]);

// The chain rule, from the inputs on: how nodes change in one direction. tangent[i] for i below n
// that are needed, from those of the inputs among them, which the caller has set.
void fa_graph_tangents(fa_graph *graph, int n, const bool needed[], fa_node tangent[]);

// The same from a result back: how it changes with each node that it needs, slope[i] for i up to
// the result.
void fa_graph_slopes(fa_graph *graph, fa_node result, fa_node slope[]);

// The values of all nodes, from those of the inputs.
void fa_graph_evaluate(const fa_graph *graph, const double *const input[FA_INPUT_COUNT],
                       double value[]);

#endif
