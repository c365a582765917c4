// The graph of expressions: nodes in a hash table, each built once.
#include "expressions.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exponential.h"
#include "points.h"
#include "sincos.h"
#include "tanh.h"

enum { FIRST_ROOM = 1 << 10 };

const fa_operation_row fa_operations[FA_OPERATIONS] = {
#define X(code, operands, text) {operands, text},
    FA_OPERATION_LIST(X)
#undef X
};

// ------------------------------------------------------------------------------ finding and adding

fa_expressions fa_expressions_new(void)
{
    fa_expressions graph = {.room = FIRST_ROOM, .n_slots = 4 * FIRST_ROOM};
    graph.node = malloc((size_t)graph.room * sizeof *graph.node);
    graph.slot = malloc((size_t)graph.n_slots * sizeof *graph.slot);
    graph.failed = !graph.node || !graph.slot;
    if (graph.failed) return graph;
    memset(graph.slot, -1, (size_t)graph.n_slots * sizeof *graph.slot);
    fa_expression_constant(&graph, 0);
    return graph;
}

void fa_expressions_free(fa_expressions *graph)
{
    free(graph->node);
    free(graph->slot);
    *graph = (fa_expressions){.failed = true};
}

static bool same(const fa_expression *a, const fa_expression *b)
{
    return a->operation == b->operation && memcmp(a->of, b->of, sizeof a->of) == 0 &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

// Returns the node's slot in the hash table, or the empty slot for it.
static int slot_of(const fa_expressions *graph, const fa_expression *node)
{
    const union {
        double   value;
        uint64_t bits;
    } number = {.value = node->value};
    uint64_t       mixed = (uint64_t)node->operation;
    const uint64_t parts[] = {(uint32_t)node->of[0], (uint32_t)node->of[1], (uint32_t)node->of[2],
                              number.bits};
    for (int i = 0; i < 4; i++) {
        mixed = (mixed ^ parts[i]) * 0x9E3779B97F4A7C15u; // Fibonacci hashing
        mixed ^= mixed >> 29;
    }
    int slot = (int)(mixed & (uint64_t)(graph->n_slots - 1));
    while (graph->slot[slot] >= 0 && !same(&graph->node[graph->slot[slot]], node))
        slot = (slot + 1) & (graph->n_slots - 1);
    return slot;
}

static bool grow(fa_expressions *graph)
{
    const size_t   room = 2 * (size_t)graph->room, n_slots = 2 * (size_t)graph->n_slots;
    fa_expression *node = realloc(graph->node, room * sizeof *node);
    if (node) graph->node = node;
    int *slot = realloc(graph->slot, n_slots * sizeof *slot);
    if (slot) graph->slot = slot;
    if (!node || !slot || room > (size_t)INT32_MAX / 8) return false;
    graph->room = (int)room;
    graph->n_slots = (int)n_slots;
    memset(slot, -1, n_slots * sizeof *slot);
    for (int i = 0; i < graph->n; i++) slot[slot_of(graph, &node[i])] = i;
    return true;
}

static int add(fa_expressions *graph, fa_expression node)
{
    if (graph->failed) return 0;
    int slot = slot_of(graph, &node);
    if (graph->slot[slot] >= 0) return graph->slot[slot];
    if (graph->n == graph->room) {
        graph->failed = !grow(graph);
        if (graph->failed) return 0;
        slot = slot_of(graph, &node);
    }
    graph->node[graph->n] = node;
    graph->slot[slot] = graph->n;
    return graph->n++;
}

int fa_expression_constant(fa_expressions *graph, double value)
{
    return add(graph,
               (fa_expression){.operation = FA_OP_CONSTANT, .value = value + 0.0}); // -0 is 0
}

int fa_expression_input(fa_expressions *graph, int family, int index)
{
    return add(graph, (fa_expression){
                          .operation = FA_OP_INPUT, .of = {family, index}, .moves = family != 0});
}

int fa_expression_flag(fa_expressions *graph, int index)
{
    return add(graph, (fa_expression){.operation = FA_OP_FLAG, .of = {index}});
}

int fa_expression_table(fa_expressions *graph, fa_operation_code operation, int table, int x)
{
    const bool moves = !graph->failed && graph->node[x].moves;
    return add(graph,
               (fa_expression){.operation = operation, .of = {x}, .value = table, .moves = moves});
}

bool fa_expression_is_operation(const fa_expression *node)
{
    return node->operation > FA_OP_FLAG;
}

bool fa_expression_is_mask(const fa_expression *node)
{
    return node->operation >= FA_OP_LESS && node->operation <= FA_OP_OR;
}

// ------------------------------------------------------------------------------------------- rules

static double compute(fa_operation_code operation, double a, double b, double c)
{
    double sine, cosine;
    switch (operation) {
    case FA_OP_ADD:
        return a + b;
    case FA_OP_SUBTRACT:
        return a - b;
    case FA_OP_MULTIPLY:
        return a * b;
    case FA_OP_DIVIDE:
        return a / b;
    case FA_OP_NEGATE:
        return -a;
    case FA_OP_ABS:
        return fabs(a);
    case FA_OP_MIN:
        return a < b ? a : b;
    case FA_OP_MAX:
        return a > b ? a : b;
    case FA_OP_SIGN:
        return copysign(a, b);
    case FA_OP_SQRT:
        return sqrt(a);
    case FA_OP_TANH:
        return fa_tanh(a);
    case FA_OP_EXP:
        return fa_exp(a);
    case FA_OP_LOG:
        return fa_ln(a);
    case FA_OP_SIN:
        fa_sincos(a, &sine, &cosine);
        return sine;
    case FA_OP_COS:
        fa_sincos(a, &sine, &cosine);
        return cosine;
    case FA_OP_LESS:
        return a < b;
    case FA_OP_EQUAL:
        return a == b;
    case FA_OP_AND:
        return a != 0 && b != 0;
    case FA_OP_OR:
        return a != 0 || b != 0;
    default: // WHERE and PICK
        return a != 0 ? b : c;
    }
}

static bool is_a(const fa_expressions *graph, int i, fa_operation_code operation)
{
    return graph->node[i].operation == operation;
}

static bool is(const fa_expressions *graph, int i, double value)
{
    return is_a(graph, i, FA_OP_CONSTANT) && graph->node[i].value == value;
}

static bool chooses(fa_operation_code operation)
{
    return operation == FA_OP_WHERE || operation == FA_OP_PICK;
}

static bool has_zero_arm(const fa_expressions *graph, int i)
{
    const fa_expression *node = &graph->node[i];
    return chooses(node->operation) && (node->of[1] == 0 || node->of[2] == 0);
}

// A choice with a zero arm moves outward: 0 times infinity in an arm that is not taken must not
// matter, and what only one arm needs is to be seen. -1: there is none.
static int moved_outward(fa_expressions *graph, fa_operation_code operation, int a, int b)
{
    const fa_expression p = graph->node[a], q = graph->node[b];
    const bool          product = operation == FA_OP_MULTIPLY;
    const bool          sum = operation == FA_OP_ADD || operation == FA_OP_SUBTRACT;
    if ((product || operation == FA_OP_DIVIDE) && has_zero_arm(graph, a) && b)
        return fa_expression_make(graph, p.operation, p.of[0],
                                  fa_expression_make(graph, operation, p.of[1], b, 0),
                                  fa_expression_make(graph, operation, p.of[2], b, 0));
    if (product && has_zero_arm(graph, b))
        return fa_expression_make(graph, q.operation, q.of[0],
                                  fa_expression_make(graph, operation, a, q.of[1], 0),
                                  fa_expression_make(graph, operation, a, q.of[2], 0));
    if (operation == FA_OP_NEGATE && has_zero_arm(graph, a))
        return fa_expression_make(graph, p.operation, p.of[0],
                                  fa_expression_make(graph, operation, p.of[1], 0, 0),
                                  fa_expression_make(graph, operation, p.of[2], 0, 0));
    if (sum && has_zero_arm(graph, a) && has_zero_arm(graph, b) && p.operation == q.operation &&
        p.of[0] == q.of[0])
        return fa_expression_make(graph, p.operation, p.of[0],
                                  fa_expression_make(graph, operation, p.of[1], q.of[1], 0),
                                  fa_expression_make(graph, operation, p.of[2], q.of[2], 0));
    return -1;
}

static int negated(fa_expressions *graph, int a)
{
    return fa_expression_make(graph, FA_OP_NEGATE, a, 0, 0);
}

// Signs move outwards, where sums take them in. -1: there is none.
static int sign_moved_outward(fa_expressions *graph, int a, int b)
{
    const int factor[] = {a, b};
    for (int k = 0; k < 2; k++) {
        const fa_expression node = graph->node[factor[k]];
        const int           other = factor[1 - k];
        int                 bare = -1;
        if (node.operation == FA_OP_NEGATE) bare = node.of[0];
        if (node.operation == FA_OP_CONSTANT && node.value < 0)
            bare = fa_expression_constant(graph, -node.value);
        if (bare < 0) continue;
        return negated(graph, k == 0 ? fa_expression_make(graph, FA_OP_MULTIPLY, bare, other, 0)
                                     : fa_expression_make(graph, FA_OP_MULTIPLY, other, bare, 0));
    }
    return -1;
}

// Zeros, ones and signs. -1: nothing to simplify.
static int simplified(fa_expressions *graph, fa_operation_code operation, int a, int b, int c)
{
    const bool a_is_negated = is_a(graph, a, FA_OP_NEGATE);
    const int  of_a = graph->node[a].of[0];
    const bool b_is_negated = is_a(graph, b, FA_OP_NEGATE);
    const int  of_b = graph->node[b].of[0];
    switch (operation) {
    case FA_OP_ADD:
        if (is(graph, a, 0)) return b;
        if (is(graph, b, 0)) return a;
        if (b_is_negated) return fa_expression_make(graph, FA_OP_SUBTRACT, a, of_b, 0);
        if (a_is_negated) return fa_expression_make(graph, FA_OP_SUBTRACT, b, of_a, 0);
        return -1;
    case FA_OP_SUBTRACT:
        if (a == b) return 0;
        if (is(graph, b, 0)) return a;
        if (is(graph, a, 0)) return negated(graph, b);
        if (b_is_negated) return fa_expression_make(graph, FA_OP_ADD, a, of_b, 0);
        if (a_is_negated) return negated(graph, fa_expression_make(graph, FA_OP_ADD, of_a, b, 0));
        return -1;
    case FA_OP_MULTIPLY:
        if (is(graph, a, 0) || is(graph, b, 0)) return 0;
        if (is(graph, a, 1)) return b;
        if (is(graph, b, 1)) return a;
        return sign_moved_outward(graph, a, b);
    case FA_OP_DIVIDE:
        return is(graph, b, 1) || is(graph, a, 0) ? a : -1;
    case FA_OP_NEGATE:
        if (a_is_negated) return of_a;
        if (is_a(graph, a, FA_OP_SUBTRACT))
            return fa_expression_make(graph, FA_OP_SUBTRACT, graph->node[a].of[1], of_a, 0);
        return -1;
    case FA_OP_WHERE:
    case FA_OP_PICK:
        if (is_a(graph, a, FA_OP_CONSTANT)) return graph->node[a].value != 0 ? b : c;
        return b == c ? b : -1;
    default:
        return -1;
    }
}

int fa_expression_make(fa_expressions *graph, fa_operation_code operation, int a, int b, int c)
{
    if (graph->failed) return 0;
    const int n = fa_operations[operation].operands;
    int       found = moved_outward(graph, operation, a, b);
    if (found >= 0) return found;
    const fa_expression *node = graph->node;
    if (node[a].operation == FA_OP_CONSTANT && (n < 2 || node[b].operation == FA_OP_CONSTANT) &&
        (n < 3 || node[c].operation == FA_OP_CONSTANT))
        return fa_expression_constant(
            graph, compute(operation, node[a].value, node[b].value, node[c].value));
    found = simplified(graph, operation, a, b, c);
    if (found >= 0) return found;
    node = graph->node; // which may have moved
    const bool moves = node[a].moves || (n > 1 && node[b].moves) || (n > 2 && node[c].moves);
    const bool turned = (operation == FA_OP_ADD || operation == FA_OP_MULTIPLY) && b < a;
    return add(graph,
               (fa_expression){.operation = operation,
                               .of = {turned ? b : a, n > 1 ? (turned ? a : b) : 0, n > 2 ? c : 0},
                               .moves = moves});
}

// ------------------------------------------------------------------------------- needing, folding

void fa_expressions_needed(const fa_expressions *graph, const int root[], int n, bool needed[])
{
    memset(needed, 0, (size_t)graph->n * sizeof *needed);
    for (int i = 0; i < n; i++) needed[root[i]] = true;
    for (int i = graph->n - 1; i >= 0; i--) {
        const fa_expression *node = &graph->node[i];
        for (int k = 0; needed[i] && k < fa_operations[node->operation].operands; k++)
            needed[node->of[k]] = true;
    }
}

static int rebuilt(const fa_expression *o, fa_expression_known *known, void *context,
                   fa_expressions *folded, const int to[])
{
    double value;
    switch (o->operation) {
    case FA_OP_CONSTANT:
        return fa_expression_constant(folded, o->value);
    case FA_OP_INPUT:
    case FA_OP_FLAG:
        if (known && known(context, o, &value)) return fa_expression_constant(folded, value);
        return add(folded, *o);
    case FA_OP_TABLE:
    case FA_OP_TABLE_SLOPE:
    case FA_OP_TABLE_BEND:
        return fa_expression_table(folded, o->operation, (int)o->value, to[o->of[0]]);
    default:
        return fa_expression_make(folded, o->operation, to[o->of[0]], to[o->of[1]], to[o->of[2]]);
    }
}

void fa_expressions_fold(const fa_expressions *graph, fa_expression_known *known, void *context,
                         fa_expressions *folded, int to[])
{
    for (int i = 0; i < graph->n && !folded->failed; i++) {
        const fa_expression *o = &graph->node[i];
        to[i] = rebuilt(o, known, context, folded, to);
        fa_expression *is = &folded->node[to[i]];
        if (is->name) continue;
        is->name = o->name;
        is->length = o->length;
    }
}

// ----------------------------------------------------------------------------------------- running

void fa_expressions_run(const fa_expressions *graph, const fa_expression_inputs *inputs,
                        double value[])
{
    for (int i = 0; i < graph->n; i++) {
        const fa_expression *o = &graph->node[i];
        const int            order = (int)o->operation - FA_OP_TABLE;
        if (o->operation == FA_OP_CONSTANT)
            value[i] = o->value;
        else if (o->operation == FA_OP_INPUT)
            value[i] = inputs->family[o->of[0]] ? inputs->family[o->of[0]][o->of[1]] : 0;
        else if (o->operation == FA_OP_FLAG)
            value[i] = inputs->flag[o->of[0]];
        else if (order >= 0 && o->operation <= FA_OP_TABLE_BEND)
            value[i] = fa_points_at(inputs->table[(int)o->value], order, value[o->of[0]]);
        else
            value[i] = compute(o->operation, value[o->of[0]], value[o->of[1]], value[o->of[2]]);
    }
}
