// List scheduling: each cycle starts, among the operations whose operands are ready, those with the
// longest critical path.
#include "order.h"

#include <stdlib.h>

// Latency of operations in cycles, and number started per cycle, on current processors.
static const int latency[] = {[FA_OP_ADD] = 4,
                              [FA_OP_SUBTRACT] = 4,
                              [FA_OP_MULTIPLY] = 4,
                              [FA_OP_DIVIDE] = 13,
                              [FA_OP_NEGATE] = 1};
enum { WIDTH = 2 };

typedef struct job {
    int n_waiting;  // number of operands that are not ready
    int to_end;     // length of the critical path from this node, in cycles
    int ready;      // cycle at which its operands are ready
    int first_user; // index in link[], -1: none
} job;

// Linked list of the users of a node.
typedef struct link {
    fa_node user;
    int     next;
} link;

typedef struct scheduler {
    const fa_graph *graph;
    job            *job;
    link           *link;
    fa_node        *heap; // ready or nearly ready nodes, the longest critical path first
    int             n_heap;
} scheduler;

static bool runs(const scheduler *s, const bool needed[], fa_node i)
{
    const fa_expression *node = &s->graph->node[i];
    return needed[i] && node->moves && fa_expression_is_operation(node);
}

static void find_users(scheduler *s, const bool needed[])
{
    int n_links = 0;
    for (int i = 0; i < s->graph->n; i++) s->job[i] = (job){.first_user = -1};
    for (int i = 0; i < s->graph->n; i++) {
        if (!runs(s, needed, i)) continue;
        const fa_expression *node = &s->graph->node[i];
        const fa_node        operand[] = {node->of[0], node->of[1]};
        for (int k = 0; k < (node->of[0] == node->of[1] ? 1 : 2); k++) {
            if (!runs(s, needed, operand[k])) continue;
            s->job[i].n_waiting++;
            s->link[n_links] = (link){i, s->job[operand[k]].first_user};
            s->job[operand[k]].first_user = n_links++;
        }
    }
    for (int i = s->graph->n - 1; i >= 0; i--) {
        if (!runs(s, needed, i)) continue;
        int most = 0;
        for (int u = s->job[i].first_user; u >= 0; u = s->link[u].next)
            if (s->job[s->link[u].user].to_end > most) most = s->job[s->link[u].user].to_end;
        s->job[i].to_end = most + latency[s->graph->node[i].operation];
    }
}

static bool before(const scheduler *s, fa_node a, fa_node b)
{
    const int more = s->job[a].to_end - s->job[b].to_end;
    return more != 0 ? more > 0 : a < b;
}

static void push(scheduler *s, fa_node node)
{
    int at = s->n_heap++;
    for (; at > 0 && before(s, node, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = node;
}

static fa_node pop(scheduler *s)
{
    const fa_node top = s->heap[0], last = s->heap[--s->n_heap];
    int           at = 0;
    while (true) {
        int child = 2 * at + 1;
        if (child >= s->n_heap) break;
        if (child + 1 < s->n_heap && before(s, s->heap[child + 1], s->heap[child])) child++;
        if (!before(s, s->heap[child], last)) break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return top;
}

static void schedule(scheduler *s, const bool needed[], fa_node order[], int *n)
{
    fa_node *late = s->heap + s->graph->n; // popped in this cycle, with operands not yet ready
    for (int i = 0; i < s->graph->n; i++)
        if (runs(s, needed, i) && s->job[i].n_waiting == 0) push(s, i);
    *n = 0;
    for (int cycle = 0; s->n_heap > 0; cycle++) {
        int n_late = 0, started = 0;
        while (started < WIDTH && s->n_heap > 0) {
            const fa_node node = pop(s);
            if (s->job[node].ready > cycle) {
                late[n_late++] = node;
                continue;
            }
            order[(*n)++] = node;
            started++;
            const int there = cycle + latency[s->graph->node[node].operation];
            for (int u = s->job[node].first_user; u >= 0; u = s->link[u].next) {
                job *user = &s->job[s->link[u].user];
                if (there > user->ready) user->ready = there;
                if (--user->n_waiting == 0) push(s, s->link[u].user);
            }
        }
        for (int i = 0; i < n_late; i++) push(s, late[i]);
    }
}

fa_status fa_order(const fa_graph *graph, const bool needed[], fa_node order[], int *n)
{
    const size_t room = (size_t)graph->n;
    scheduler    s = {.graph = graph};
    s.job = calloc(room, sizeof *s.job);
    s.link = calloc(2 * room, sizeof *s.link);
    s.heap = malloc(2 * room * sizeof *s.heap);
    const bool enough = s.job && s.link && s.heap;
    if (enough) {
        find_users(&s, needed);
        schedule(&s, needed, order, n);
    }
    free(s.job);
    free(s.link);
    free(s.heap);
    return enough ? FA_OK : FA_NO_MEMORY;
}
