// Hash-consed expression graph with constant folding.
#include "graph.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 12 };

fa_graph fa_graph_new(void)
{
    fa_graph graph = {.room = FIRST_ROOM, .n_slots = 4 * FIRST_ROOM};
    graph.node = malloc((size_t)graph.room * sizeof *graph.node);
    graph.slot = malloc((size_t)graph.n_slots * sizeof *graph.slot);
    graph.failed = !graph.node || !graph.slot;
    if (graph.failed) return graph;
    memset(graph.slot, -1, (size_t)graph.n_slots * sizeof *graph.slot);
    fa_constant(&graph, 0);
    return graph;
}

void fa_graph_free(fa_graph *graph)
{
    free(graph->node);
    free(graph->slot);
    *graph = (fa_graph){.failed = true};
}

// ------------------------------------------------------------------------------- finding and
// adding

static bool same(const fa_graph_node *a, const fa_graph_node *b)
{
    return a->operation == b->operation && a->a == b->a && a->b == b->b &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

// Where the node is in the hash table, or the empty slot where it belongs.
static int slot_of(const fa_graph *graph, const fa_graph_node *node)
{
    uint64_t bits, mixed = (uint64_t)node->operation;
    memcpy(&bits, &node->value, sizeof bits);
    const uint64_t parts[] = {(uint64_t)(uint32_t)node->a, (uint64_t)(uint32_t)node->b, bits};
    for (int i = 0; i < 3; i++) {
        mixed = (mixed ^ parts[i]) * 0x9E3779B97F4A7C15u; // Fibonacci hashing
        mixed ^= mixed >> 29;
    }
    int slot = (int)(mixed & (uint64_t)(graph->n_slots - 1));
    while (graph->slot[slot] >= 0 && !same(&graph->node[graph->slot[slot]], node))
        slot = (slot + 1) & (graph->n_slots - 1);
    return slot;
}

static bool grow(fa_graph *graph)
{
    const size_t   room = 2 * (size_t)graph->room, n_slots = 2 * (size_t)graph->n_slots;
    fa_graph_node *node = realloc(graph->node, room * sizeof *node);
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

static fa_node add(fa_graph *graph, fa_graph_node node)
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

static fa_node operate(fa_graph *graph, fa_operation operation, fa_node a, fa_node b)
{
    if (graph->failed) return 0;
    const bool moves = graph->node[a].moves || graph->node[b].moves;
    return add(graph, (fa_graph_node){operation, moves, a, b, 0});
}

// ------------------------------------------------------------------------------------------- rules

static bool is_constant(const fa_graph *graph, fa_node a)
{
    return !graph->failed && graph->node[a].operation == FA_CONSTANT;
}

static bool is(const fa_graph *graph, fa_node a, double value)
{
    return is_constant(graph, a) && graph->node[a].value == value;
}

static bool is_negative(const fa_graph *graph, fa_node a)
{
    return !graph->failed && graph->node[a].operation == FA_NEGATIVE;
}

static double value_of(const fa_graph *graph, fa_node a)
{
    return graph->node[a].value;
}

fa_node fa_constant(fa_graph *graph, double value)
{
    return add(graph, (fa_graph_node){FA_CONSTANT, false, 0, 0, value + 0.0}); // -0 is 0
}

fa_node fa_given(fa_graph *graph, fa_input input, int index)
{
    return add(graph, (fa_graph_node){FA_GIVEN, input != FA_INPUT_PARAMETER, (int)input, index, 0});
}

fa_node fa_sum(fa_graph *graph, fa_node a, fa_node b)
{
    if (is(graph, a, 0)) return b;
    if (is(graph, b, 0)) return a;
    if (is_constant(graph, a) && is_constant(graph, b))
        return fa_constant(graph, value_of(graph, a) + value_of(graph, b));
    if (is_negative(graph, b)) return fa_difference(graph, a, graph->node[b].a);
    if (is_negative(graph, a)) return fa_difference(graph, b, graph->node[a].a);
    return a < b ? operate(graph, FA_SUM, a, b) : operate(graph, FA_SUM, b, a);
}

fa_node fa_difference(fa_graph *graph, fa_node a, fa_node b)
{
    if (a == b) return fa_constant(graph, 0);
    if (is(graph, b, 0)) return a;
    if (is(graph, a, 0)) return fa_negative(graph, b);
    if (is_constant(graph, a) && is_constant(graph, b))
        return fa_constant(graph, value_of(graph, a) - value_of(graph, b));
    if (is_negative(graph, b)) return fa_sum(graph, a, graph->node[b].a);
    if (is_negative(graph, a)) return fa_negative(graph, fa_sum(graph, graph->node[a].a, b));
    return operate(graph, FA_DIFFERENCE, a, b);
}

fa_node fa_negative(fa_graph *graph, fa_node a)
{
    if (graph->failed) return 0;
    const fa_graph_node node = graph->node[a];
    if (node.operation == FA_CONSTANT) return fa_constant(graph, -node.value);
    if (node.operation == FA_NEGATIVE) return node.a;
    if (node.operation == FA_DIFFERENCE) return fa_difference(graph, node.b, node.a);
    return operate(graph, FA_NEGATIVE, a, a);
}

// Signs move outwards, where sums take them in.
fa_node fa_product(fa_graph *graph, fa_node a, fa_node b)
{
    if (is(graph, a, 0) || is(graph, b, 0)) return fa_constant(graph, 0);
    if (is(graph, a, 1)) return b;
    if (is(graph, b, 1)) return a;
    if (is(graph, a, -1)) return fa_negative(graph, b);
    if (is(graph, b, -1)) return fa_negative(graph, a);
    if (is_constant(graph, a) && is_constant(graph, b))
        return fa_constant(graph, value_of(graph, a) * value_of(graph, b));
    if (is_negative(graph, a)) return fa_negative(graph, fa_product(graph, graph->node[a].a, b));
    if (is_negative(graph, b)) return fa_negative(graph, fa_product(graph, a, graph->node[b].a));
    if (is_constant(graph, a) && value_of(graph, a) < 0)
        return fa_negative(graph, fa_product(graph, fa_constant(graph, -value_of(graph, a)), b));
    if (is_constant(graph, b) && value_of(graph, b) < 0)
        return fa_negative(graph, fa_product(graph, a, fa_constant(graph, -value_of(graph, b))));
    return a < b ? operate(graph, FA_PRODUCT, a, b) : operate(graph, FA_PRODUCT, b, a);
}

fa_node fa_quotient(fa_graph *graph, fa_node a, fa_node b)
{
    if (is(graph, a, 0)) return a;
    if (is(graph, b, 1)) return a;
    return operate(graph, FA_QUOTIENT, a, b);
}

// ----------------------------------------------------------------------------------------- reading

bool fa_is_operation(const fa_graph_node *node)
{
    return node->operation != FA_CONSTANT && node->operation != FA_GIVEN;
}

void fa_graph_needed(const fa_graph *graph, const fa_node result[], int n_results, bool needed[])
{
    memset(needed, 0, (size_t)graph->n * sizeof *needed);
    for (int i = 0; i < n_results; i++) needed[result[i]] = true;
    for (int i = graph->n - 1; i >= 0; i--) {
        if (!needed[i] || !fa_is_operation(&graph->node[i])) continue;
        needed[graph->node[i].a] = needed[graph->node[i].b] = true;
    }
}

void fa_graph_tangents(fa_graph *graph, int n, const bool needed[], fa_node tangent[])
{
    for (int i = 0; i < n && !graph->failed; i++) {
        const fa_graph_node node = graph->node[i]; // a copy: the nodes may move as more come
        if (node.operation == FA_GIVEN) continue;
        tangent[i] = 0;
        if (!needed[i] || !node.moves) continue;
        const fa_node a = tangent[node.a], b = tangent[node.b];
        switch (node.operation) {
        case FA_SUM:
            tangent[i] = fa_sum(graph, a, b);
            break;
        case FA_DIFFERENCE:
            tangent[i] = fa_difference(graph, a, b);
            break;
        case FA_PRODUCT:
            tangent[i] = fa_sum(graph, fa_product(graph, a, node.b), fa_product(graph, node.a, b));
            break;
        case FA_QUOTIENT: {
            const fa_node less = fa_difference(graph, a, fa_product(graph, i, b));
            tangent[i] = fa_quotient(graph, less, node.b);
            break;
        }
        case FA_NEGATIVE:
            tangent[i] = fa_negative(graph, a);
            break;
        case FA_CONSTANT:
        case FA_GIVEN:
            break;
        }
    }
}

void fa_graph_slopes(fa_graph *graph, fa_node result, fa_node slope[])
{
    for (int i = 0; i < result; i++) slope[i] = 0;
    slope[result] = fa_constant(graph, 1);
    for (int i = result; i >= 0 && !graph->failed; i--) {
        const fa_graph_node node = graph->node[i]; // a copy: the nodes may move as more come
        const fa_node       s = slope[i], a = node.a, b = node.b;
        if (s == 0 || !node.moves || !fa_is_operation(&node)) continue;
        switch (node.operation) {
        case FA_SUM:
            slope[a] = fa_sum(graph, slope[a], s);
            slope[b] = fa_sum(graph, slope[b], s);
            break;
        case FA_DIFFERENCE:
            slope[a] = fa_sum(graph, slope[a], s);
            slope[b] = fa_difference(graph, slope[b], s);
            break;
        case FA_PRODUCT:
            slope[a] = fa_sum(graph, slope[a], fa_product(graph, s, b));
            slope[b] = fa_sum(graph, slope[b], fa_product(graph, s, a));
            break;
        case FA_QUOTIENT: {
            const fa_node over = fa_quotient(graph, s, b);
            slope[a] = fa_sum(graph, slope[a], over);
            slope[b] = fa_difference(graph, slope[b], fa_product(graph, over, i));
            break;
        }
        case FA_NEGATIVE:
            slope[a] = fa_difference(graph, slope[a], s);
            break;
        case FA_CONSTANT:
        case FA_GIVEN:
            break;
        }
    }
}

void fa_graph_evaluate(const fa_graph *graph, const double *const input[FA_INPUT_COUNT],
                       double value[])
{
    for (int i = 0; i < graph->n; i++) {
        const fa_graph_node *node = &graph->node[i];
        const bool           operation = fa_is_operation(node);
        const double         a = operation ? value[node->a] : 0, b = operation ? value[node->b] : 0;
        switch (node->operation) {
        case FA_CONSTANT:
            value[i] = node->value;
            break;
        case FA_GIVEN:
            value[i] = input[node->a] ? input[node->a][node->b] : 0;
            break;
        case FA_SUM:
            value[i] = a + b;
            break;
        case FA_DIFFERENCE:
            value[i] = a - b;
            break;
        case FA_PRODUCT:
            value[i] = a * b;
            break;
        case FA_QUOTIENT:
            value[i] = a / b;
            break;
        case FA_NEGATIVE:
            value[i] = -a;
            break;
        }
    }
}
