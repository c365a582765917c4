// Build time: reads the laws of elements and writes what follows from them.
//
//     lawc laws model/elements > laws.gen.h     derivatives, C on `real` like the laws
//     lawc reach model/elements > reach.gen.h   what depends on what (elements_reach.c)
#include <stdlib.h>
#include <string.h>

#include "law_code.h"

static const char *const files[] = {
#define ELEMENT(name, at, xml, about) __FILE__,
#include "passes.h"
};

enum { TEXT_SIZE = 128 };

typedef struct lines {
    fa_law_target target[FA_REALS_MAX];
    char          text[FA_REALS_MAX][TEXT_SIZE];
    int           n;
} lines;

static void add(lines *to, int node, const char *prefix, const char *name)
{
    snprintf(to->text[to->n], TEXT_SIZE, "%s->%s", prefix, name);
    to->target[to->n] = (fa_law_target){node, to->text[to->n]};
    to->n++;
}

static const fa_item *real_item(const fa_element *e, int i)
{
    return fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, i);
}

static const fa_item *result_item(const fa_element *e, int i)
{
    return fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, i);
}

// Returns true for inputs without derivatives: only events change them. A switch may be a real
// number.
static bool is_mode(const fa_item *item)
{
    return item->kind == FA_ITEM_MODE;
}

static bool is_number(const fa_item *item)
{
    return item->kind == FA_ITEM_NUMBER || item->kind == FA_ITEM_NUMBER_OF;
}

// Flags stay open, but shortcuts count as taken: at 0 there is a derivative by what is 0.
static void open_flags(const fa_element *e, int flag[])
{
    for (int i = 0; i < e->n_flags; i++)
        flag[i] = fa_element_item(e, FA_ITEM_SITE, FA_ITEM_SHORTCUT, i)->kind == FA_ITEM_SHORTCUT
                      ? 1
                      : -1;
}

// ------------------------------------------------------------------------------------- derivatives

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "there is not enough memory");
}

// By everything, or by what moves: states, inputs, what the place gives.
static fa_status write_tangent(const fa_law_graph *law, bool of_motion, fa_error *error)
{
    const fa_element *e = law->of;
    static lines      l;
    int              *dot = calloc((size_t)law->graph.n, sizeof *dot), flag[32];
    fa_law_graph      g;
    open_flags(e, flag);
    if (of_motion) memset(flag, -1, sizeof flag);
    fa_status status = dot ? fa_law_with_flags(law, flag, &g, error) : no_memory(error);
    if (status != FA_OK) {
        free(dot);
        return status;
    }
    const int n = g.graph.n;
    l.n = 0;
    for (int i = 0; i < n; i++) {
        const fa_expression o = g.graph.node[i];
        if (o.operation != FA_OP_INPUT) continue;
        const fa_item *item = real_item(e, o.of[1]);
        const bool     wanted = !is_mode(item) && !(of_motion && is_number(item));
        dot[i] = wanted ? fa_expression_input(&g.graph, FA_LAW_IN_DOT, o.of[1]) : 0;
    }
    fa_expressions_tangent(&g.graph, n, NULL, dot);
    for (int i = 0; i < e->n_results; i++)
        add(&l, dot[g.result[i]], "out_dot", result_item(e, i)->name);
    printf("FA_INLINED void fa_%s_%s(const fa_%s_in *in, const fa_%s_in *dot,\n"
           "    fa_%s_out *out_dot)\n{\n    (void)in;\n    (void)dot;\n    (void)out_dot;\n",
           e->name, of_motion ? "tangent_of_motion" : "tangent", e->name, e->name, e->name);
    if (g.graph.failed || !fa_law_write(&g, l.target, l.n, stdout)) status = no_memory(error);
    printf("}\n\n");
    fa_law_free(&g);
    free(dot);
    return status;
}

// Writes the adjoint of all results with weights, or of a single one.
static fa_status write_adjoint(const fa_law_graph *law, const char *name, unsigned results,
                               bool weighted, fa_error *error)
{
    const fa_element *e = law->of;
    static lines      l;
    int               flag[32];
    fa_law_graph      g;
    open_flags(e, flag);
    fa_status status = fa_law_with_flags(law, flag, &g, error);
    if (status != FA_OK) return status;
    const int n = g.graph.n;
    int      *bar = calloc((size_t)n, sizeof *bar);
    if (!bar) return no_memory(error);
    l.n = 0;
    for (int i = 0; i < e->n_results; i++) {
        if (!(results >> i & 1)) continue;
        const int weight = weighted ? fa_expression_input(&g.graph, FA_LAW_OUT_BAR, i)
                                    : fa_expression_constant(&g.graph, 1);
        int      *of = &bar[g.result[i]];
        *of = fa_expression_make(&g.graph, FA_OP_ADD, *of, weight, 0);
    }
    bar[0] = 0;
    fa_expressions_adjoint(&g.graph, n, NULL, bar);
    int by[FA_REALS_MAX] = {0};
    for (int i = 0; i < n; i++)
        if (g.graph.node[i].operation == FA_OP_INPUT && g.graph.node[i].of[0] == FA_LAW_IN)
            by[g.graph.node[i].of[1]] = bar[i];
    for (int i = 0; i < e->n_reals; i++)
        add(&l, is_mode(real_item(e, i)) ? 0 : by[i], "in_bar", real_item(e, i)->name);
    printf("FA_INLINED void fa_%s_%s(const fa_%s_in *in,\n    %s%s%sfa_%s_in *in_bar)\n"
           "{\n    (void)in;\n    (void)in_bar;\n%s",
           e->name, name, e->name, weighted ? "const fa_" : "", weighted ? e->name : "",
           weighted ? "_out *bar, " : "", e->name, weighted ? "    (void)bar;\n" : "");
    if (g.graph.failed || !fa_law_write(&g, l.target, l.n, stdout)) status = no_memory(error);
    printf("}\n\n");
    fa_law_free(&g);
    free(bar);
    return status;
}

// Returns the results of a right-hand side, beside outputs.
static unsigned of_right_hand_side(const fa_element *e)
{
    unsigned results = 0;
    for (int i = 0; i < e->n_results; i++) {
        const int kind = result_item(e, i)->type;
        if (kind <= FA_RESULT_DRIVE || kind == FA_RESULT_FRICTION_LOSS ||
            kind == FA_RESULT_STOP_LOSS)
            results |= 1u << i;
    }
    return results;
}

static fa_status write_laws(const fa_law_graph *law, fa_error *error)
{
    const fa_element *e = law->of;
    const unsigned    all = (1u << e->n_results) - 1;
    fa_status         status = FA_OK;
    status = write_tangent(law, false, error);
    if (status == FA_OK) status = write_tangent(law, true, error);
    if (status == FA_OK) status = write_adjoint(law, "adjoint", all, true, error);
    if (status == FA_OK)
        status = write_adjoint(law, "adjoint_of_motion", of_right_hand_side(e), true, error);
    for (int i = 0; i < e->n_results && status == FA_OK; i++) {
        char      name[TEXT_SIZE];
        const int kind = result_item(e, i)->type;
        if (kind > FA_RESULT_FLOW && kind != FA_RESULT_STORED) continue;
        snprintf(name, sizeof name, "gradient_of_%s", result_item(e, i)->name);
        status = write_adjoint(law, name, 1u << i, false, error);
    }
    return status;
}

// -------------------------------------------------------------------------------------- dependence

// The reals that a result can change with, bit by bit, with these flags.
static fa_status reach_of(const fa_law_graph *law, const int flag[], uint64_t on[], fa_error *error)
{
    fa_law_graph g;
    fa_status    status = fa_law_with_flags(law, flag, &g, error);
    bool        *needed = calloc((size_t)g.graph.n + 1, sizeof *needed);
    if (status == FA_OK && !needed) status = no_memory(error);
    for (int i = 0; i < law->of->n_results && status == FA_OK; i++) {
        on[i] = 0;
        fa_expressions_needed(&g.graph, &g.result[i], 1, needed);
        for (int k = 0; k < g.graph.n; k++)
            if (needed[k] && g.graph.node[k].operation == FA_OP_INPUT)
                on[i] |= (uint64_t)1 << g.graph.node[k].of[1];
    }
    free(needed);
    fa_law_free(&g);
    return status;
}

enum { CASES_MAX = 1 << 10 };

// Returns true if the property holds in every case with these flags in `care`.
static bool holds_in_all(const bool holds[], unsigned cases, unsigned care, unsigned flags)
{
    for (unsigned c = 0; c < cases; c++)
        if ((c & care) == flags && !holds[c]) return false;
    return true;
}

// The widest condition on few flags that contains this case.
static unsigned widest(const bool holds[], unsigned cases, unsigned of)
{
    unsigned care = cases - 1;
    for (unsigned bit = 1; bit < cases; bit <<= 1)
        if (care & bit && holds_in_all(holds, cases, care & ~bit, of & care & ~bit)) care &= ~bit;
    return care;
}

// bits[]: place of an open flag's bit among all flags.
static unsigned spread(unsigned compact, const int bits[], int n)
{
    unsigned all = 0;
    for (int i = 0; i < n; i++) all |= (compact >> i & 1) << bits[i];
    return all;
}

// Rows of one result: for each condition the reals that it brings.
static void write_rows(const fa_element *e, int result, uint64_t (*on)[FA_RESULTS_MAX],
                       unsigned cases, const int bits[], int n_bits)
{
    static bool holds[CASES_MAX];
    uint64_t    done = 0;
    for (int real = 0; real < e->n_reals; real++) {
        uint64_t alike = 0; // reals that come and go together with this one
        if (done >> real & 1) continue;
        for (int other = real; other < e->n_reals; other++) {
            bool same = true;
            for (unsigned c = 0; c < cases; c++)
                same &= (on[c][result] >> real & 1) == (on[c][result] >> other & 1);
            if (same) alike |= (uint64_t)1 << other;
        }
        done |= alike;
        for (unsigned c = 0; c < cases; c++) holds[c] = on[c][result] >> real & 1;
        static bool covered[CASES_MAX];
        memset(covered, 0, sizeof covered);
        for (unsigned c = 0; c < cases; c++) {
            if (!holds[c] || covered[c]) continue;
            const unsigned care = widest(holds, cases, c);
            for (unsigned d = 0; d < cases; d++) covered[d] |= (d & care) == (c & care);
            printf("    {FA_ELEMENT_%s, %d, 0x%x, 0x%x, 0x%llx}, // %s\n", e->name, result,
                   spread(care, bits, n_bits), spread(c & care, bits, n_bits),
                   (unsigned long long)alike, result_item(e, result)->name);
        }
    }
}

static fa_status write_reach(const fa_law_graph *law, fa_error *error)
{
    static uint64_t   on[CASES_MAX][FA_RESULTS_MAX];
    const fa_element *e = law->of;
    int               bits[32], n_bits = 0, flag[32];
    open_flags(e, flag);
    for (int i = 0; i < e->n_flags; i++)
        if (flag[i] < 0) bits[n_bits++] = i;
    if (n_bits > 10)
        return fa_fail(error, FA_BAD_INPUT, e->name, FA_NOWHERE,
                       "an element has at most ten flags that stay open; divide it");
    const unsigned cases = 1u << n_bits;
    for (unsigned c = 0; c < cases; c++) {
        for (int i = 0; i < n_bits; i++) flag[bits[i]] = (int)(c >> i & 1);
        fa_status status = reach_of(law, flag, on[c], error);
        if (status != FA_OK) return status;
    }
    for (int i = 0; i < e->n_results; i++) write_rows(e, i, on, cases, bits, n_bits);
    return FA_OK;
}

// --------------------------------------------------------------------------------------------------

// Returns the part of a path behind "/elements/"; otherwise its last name.
static const char *within_elements(const char *path)
{
    static const char folder[] = "/elements/";
    const char       *slash = strrchr(path, '/'), *in = strstr(path, folder), *last = NULL;
    for (; in; in = strstr(in + 1, folder)) last = in + sizeof folder - 1;
    return last ? last : slash ? slash + 1 : path;
}

// The text of a file of that folder; `path` may be as the compiler knew it.
static char *text_of(const char *folder, const char *path, char name[1024], fa_error *error)
{
    snprintf(name, 1024, "%s/%s", folder, within_elements(path));
    char *text = fa_law_file(name);
    if (!text) fa_fail(error, FA_IO, name, FA_NOWHERE, "this file cannot be read");
    return text;
}

static fa_status one_element(int k, bool laws, const char *folder, const char *functions,
                             fa_error *error)
{
    char         name[1024], *text = text_of(folder, files[k], name, error);
    fa_law_graph law;
    if (!text) return error->status;
    fa_status status = fa_law_read(&fa_elements[k], name, text, functions, &law, error);
    if (status == FA_OK) status = laws ? write_laws(&law, error) : write_reach(&law, error);
    fa_law_free(&law);
    free(text);
    return status;
}

int main(int n, char *argument[])
{
    const bool laws = n == 3 && strcmp(argument[1], "laws") == 0;
    if (n != 3 || (!laws && strcmp(argument[1], "reach") != 0)) {
        fprintf(stderr, "usage: lawc laws|reach model/elements\n");
        return 2;
    }
    fa_error error = fa_no_error();
    char     name[1024], *functions = text_of(argument[2], "functions.h", name, &error);
    printf("// Written by lawc from the element files; not to be edited.\n\n");
    for (int k = 0; k < fa_element_count && error.status == FA_OK; k++)
        one_element(k, laws, argument[2], functions, &error);
    free(functions);
    if (error.status == FA_OK) return 0;
    fprintf(stderr, "%s:%d: %s\n", error.file, error.place.line, error.message);
    return 1;
}
