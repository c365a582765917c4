// Writes graphs of expressions as C: an order of nodes, their names, and lazy branches.
#include "law_code.h"

#include <math.h>
#include <stdlib.h>

// A condition of a block of code: operations that only one branch needs are computed only there. A
// guard is a flag (twice its node, plus one where it must be set) under another guard; 0: always.
typedef struct guard {
    int literal, under, depth;
} guard;

typedef struct writer {
    const fa_law_graph *law;
    FILE               *out;
    bool               *needed;
    int                *guard_of; // of each node; -1: not met yet
    guard              *guards;
    int                 n_guards;
} writer;

// ------------------------------------------------------------------------------------------ guards

static int guard_under(writer *w, int literal, int under)
{
    for (int i = under; i > 0; i = w->guards[i].under)
        if (w->guards[i].literal == literal) return under;
    for (int i = 1; i < w->n_guards; i++)
        if (w->guards[i].literal == literal && w->guards[i].under == under) return i;
    w->guards[w->n_guards] = (guard){literal, under, w->guards[under].depth + 1};
    return w->n_guards++;
}

static int common(const writer *w, int a, int b)
{
    while (a != b)
        if (w->guards[a].depth >= w->guards[b].depth)
            a = w->guards[a].under;
        else
            b = w->guards[b].under;
    return a;
}

static void find_guards(writer *w, const fa_law_target target[], int n)
{
    const fa_expressions *graph = &w->law->graph;
    w->n_guards = 1;
    w->guards[0] = (guard){0, 0, 0};
    for (int i = 0; i < graph->n; i++) w->guard_of[i] = -1;
    for (int i = 0; i < n; i++) w->guard_of[target[i].node] = 0;
    for (int i = graph->n - 1; i > 0; i--) {
        const fa_expression *o = &graph->node[i];
        for (int k = 0; w->needed[i] && k < fa_operations[o->operation].operands; k++) {
            int      *of = &w->guard_of[o->of[k]];
            const int here = w->guard_of[i];
            const int by = o->operation == FA_OP_PICK && k > 0
                               ? guard_under(w, 2 * o->of[0] + (k == 1), here)
                               : here;
            *of = *of == -1 ? by : common(w, *of, by);
        }
    }
}

// ----------------------------------------------------------------------------------------- writing

static void write_constant(double value, FILE *out)
{
    if (isinf(value))
        fprintf(out, "num(%sINFINITY)", value < 0 ? "-" : "");
    else
        fprintf(out, "num(%.17g)", value);
}

static void write_operand(const writer *w, int i)
{
    static const char *const family[] = {"in", "dot", "bar"};
    const fa_element        *e = w->law->of;
    const fa_expression     *o = &w->law->graph.node[i];
    if (o->operation == FA_OP_CONSTANT) {
        write_constant(o->value, w->out);
    } else if (o->operation == FA_OP_INPUT) {
        const fa_item *item = o->of[0] == FA_LAW_OUT_BAR
                                  ? fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, o->of[1])
                                  : fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, o->of[1]);
        fprintf(w->out, "%s->%s", family[o->of[0]], item->name);
    } else if (o->operation == FA_OP_FLAG) {
        fprintf(w->out, "in->%s",
                fa_element_item(e, FA_ITEM_SITE, FA_ITEM_SHORTCUT, o->of[0])->name);
    } else if (o->name) {
        fprintf(w->out, "%.*s_%d", o->length, o->name, i);
    } else {
        fprintf(w->out, "t%d", i);
    }
}

// Returns true for operations that cost more than a branch.
static bool is_dear(fa_operation_code operation)
{
    return operation == FA_OP_DIVIDE || (operation >= FA_OP_SQRT && operation <= FA_OP_TABLE_BEND);
}

static void write_guard(const writer *w, int i)
{
    for (int q = w->guard_of[i]; q > 0; q = w->guards[q].under) {
        fprintf(w->out, w->guards[q].literal % 2 ? "" : "!");
        write_operand(w, w->guards[q].literal / 2);
        fprintf(w->out, w->guards[q].under ? " && " : " ? ");
    }
}

static void write_node(const writer *w, int i)
{
    const fa_expression *o = &w->law->graph.node[i];
    const bool           guarded = w->guard_of[i] > 0 && is_dear(o->operation);
    int                  k = 0;
    fprintf(w->out, "    const %s ", fa_expression_is_mask(o) ? "mask" : "real");
    write_operand(w, i);
    fprintf(w->out, " = ");
    if (guarded) write_guard(w, i);
    for (const char *c = fa_operations[o->operation].text; *c; c++)
        if (*c == '#')
            write_operand(w, o->of[k++]);
        else if (*c == '@')
            fprintf(w->out, "in->%s",
                    fa_element_item(w->law->of, FA_ITEM_TABLE, FA_ITEM_TABLE, (int)o->value)->name);
        else
            fputc(*c, w->out);
    fprintf(w->out, guarded ? " : num(0);\n" : ";\n");
}

bool fa_law_write(const fa_law_graph *law, const fa_law_target target[], int n, FILE *out)
{
    const size_t size = (size_t)law->graph.n;
    int         *root = calloc((size_t)n + 1, sizeof *root);
    writer       w = {.law = law,
                      .out = out,
                      .needed = malloc(size * sizeof(bool)),
                      .guard_of = malloc(size * sizeof(int)),
                      .guards = malloc((2 * size + 1) * sizeof(guard))};
    const bool   done = root && w.needed && w.guard_of && w.guards;
    if (done) {
        for (int i = 0; i < n; i++) root[i] = target[i].node;
        fa_expressions_needed(&law->graph, root, n, w.needed);
        find_guards(&w, target, n);
        for (int i = 0; i < law->graph.n; i++)
            if (w.needed[i] && fa_expression_is_operation(&law->graph.node[i])) write_node(&w, i);
        for (int i = 0; i < n; i++) {
            fprintf(out, "    %s = ", target[i].text);
            write_operand(&w, target[i].node);
            fprintf(out, ";\n");
        }
    }
    free(root);
    free(w.needed);
    free(w.guard_of);
    free(w.guards);
    return done;
}
