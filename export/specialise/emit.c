// Emits C99 code from a graph of expressions, in evaluation order.
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "order.h"
#include "special.h"
#include "streams.h"

typedef struct emitter {
    const char         *type; // C type of the numbers
    const fa_graph     *graph;
    const fa_equations *equations;
    FILE               *out, *wide; // code that is compiled once; and once for each instruction set
    bool    *needed; // nodes needed by the current function: accelerations, Jacobians, or both
    int     *place;  // offset in the parameter block of results that equations read; -1: none
    int      n_block;
    bool    *wanted; // nodes that the parameter block needs
    fa_node *order;
    fa_node *result; // results: qdd, lost, slopes
    int      n_results;
} emitter;

// Finds the parameter block: results that depend on parameters alone and are operands of the
// equations.
static void find_block(emitter *e)
{
    const fa_graph *g = e->graph;
    for (int i = 0; i < g->n; i++) e->place[i] = -1;
    for (int i = 0; i < g->n; i++) {
        const fa_expression *node = &g->node[i];
        if (!e->needed[i] || !node->moves || !fa_expression_is_operation(node)) continue;
        const fa_node operand[] = {node->of[0], node->of[1]};
        for (int k = 0; k < 2; k++) {
            const fa_expression *from = &g->node[operand[k]];
            if (from->moves || from->operation == FA_OP_CONSTANT || e->place[operand[k]] >= 0)
                continue;
            e->place[operand[k]] = e->n_block++;
        }
    }
    for (int i = 0; i < e->n_results; i++) { // results that depend on parameters alone
        const fa_expression *node = &g->node[e->result[i]];
        if (node->moves || node->operation == FA_OP_CONSTANT || e->place[e->result[i]] >= 0)
            continue;
        e->place[e->result[i]] = e->n_block++;
    }
    for (int i = g->n - 1; i >= 0; i--) {
        e->wanted[i] |= e->place[i] >= 0;
        if (!e->wanted[i] || !fa_expression_is_operation(&g->node[i])) continue;
        e->wanted[g->node[i].of[0]] = e->wanted[g->node[i].of[1]] = true;
    }
}

// ----------------------------------------------------------------------------------------- writing

// Writes a number with all its digits; it is never a C integer.
static void put_number(FILE *out, double value)
{
    const fa_text text = fa_number_text(value);
    const bool    whole = strcspn(text.text, ".en") == strlen(text.text);
    fprintf(out, value < 0 ? "(%s%s)" : "%s%s", text.text, whole ? ".0" : "");
}

static void put_operand(const emitter *e, fa_node i, bool in_block)
{
    static const char *const name[FA_INPUT_COUNT] = {"p", "q", "qd", "tau", "s", "c", "qdd"};
    const fa_expression     *node = &e->graph->node[i];
    if (node->operation == FA_OP_CONSTANT)
        put_number(e->out, node->value);
    else if (in_block && e->place[i] >= 0)
        fprintf(e->out, "b[%d]", e->place[i]);
    else if (node->operation == FA_OP_INPUT)
        fprintf(e->out, "%s[%d]", name[node->of[0]], node->of[1]);
    else
        fprintf(e->out, "t%d", i);
}

static void put_operation(const emitter *e, fa_node i, bool in_block)
{
    static const char *const sign[] = {[FA_OP_ADD] = " + ",
                                       [FA_OP_SUBTRACT] = " - ",
                                       [FA_OP_MULTIPLY] = " * ",
                                       [FA_OP_DIVIDE] = " / "};
    const fa_expression     *node = &e->graph->node[i];
    fprintf(e->out, "    const %s t%d = ", e->type, i);
    if (node->operation == FA_OP_NEGATE) {
        fprintf(e->out, "-");
        put_operand(e, node->of[0], in_block);
    } else {
        put_operand(e, node->of[0], in_block);
        fprintf(e->out, "%s", sign[node->operation]);
        put_operand(e, node->of[1], in_block);
    }
    fprintf(e->out, ";\n");
}

static void put_prepare(const emitter *e, int version)
{
    const fa_graph *g = e->graph;
    fprintf(e->out,
            "// What depends on parameters alone.\n"
            "static void prepare%d(const double p[], double b[])\n{\n"
            "    (void)p, (void)b;\n",
            version);
    for (int i = 0; i < g->n; i++)
        if (e->wanted[i] && fa_expression_is_operation(&g->node[i])) put_operation(e, i, false);
    for (int i = 0; i < g->n; i++) {
        if (e->place[i] < 0) continue;
        fprintf(e->out, "    b[%d] = ", e->place[i]);
        put_operand(e, i, false);
        fprintf(e->out, ";\n");
    }
    fprintf(e->out, "}\n\n");
}

static void put_results(const emitter *e, const char *name, const fa_node result[], int n)
{
    for (int i = 0; i < n; i++) {
        const bool still = e->out == e->wide && !e->graph->node[result[i]].moves;
        fprintf(e->out, still ? "    %s[%d] = ALL_LANES(" : "    %s[%d] = ", name, i);
        put_operand(e, result[i], true);
        fprintf(e->out, still ? ");\n" : ";\n");
    }
}

// Writes the operations that the given results need.
static fa_status put_operations(emitter *e, const fa_node result[], int n)
{
    int n_order = 0;
    fa_expressions_needed(e->graph, result, n, e->needed);
    const fa_status status = fa_order(e->graph, e->needed, e->order, &n_order);
    for (int k = 0; status == FA_OK && k < n_order; k++) put_operation(e, e->order[k], true);
    return status;
}

// Writes the function of the accelerations, for one state or for a state in each lane.
static fa_status put_equations(emitter *e, const char *type, const char *name)
{
    const int n = e->equations->n;
    e->type = type;
    fprintf(e->out,
            "ALWAYS void %s(const double *restrict b, const %s *restrict q,\n"
            "    const %s *restrict qd, const %s *restrict tau, const %s *restrict s,\n"
            "    const %s *restrict c, %s *restrict qdd, %s *restrict lost)\n{\n"
            "    (void)b, (void)q, (void)qd, (void)tau, (void)s, (void)c;\n",
            name, type, type, type, type, type, type, type);
    const fa_status status = put_operations(e, e->result, 2 * n);
    put_results(e, "qdd", e->result, n);
    put_results(e, "lost", e->result + n, n);
    fprintf(e->out, "}\n\n");
    return status;
}

// Writes four numbers of a right-hand side row as one vector: single stores followed by a vector
// load would stall. The last vector of a row is padded with zeros.
static void put_side(const emitter *e, int index)
{
    const int n = e->equations->n, groups = (n + 3) / 4;
    const int j = 4 * (index % groups), side = index / groups % 2, i = index / groups / 2;
    fprintf(e->out, "    side[%d] = (quad){", index);
    for (int lane = 0; lane < 4; lane++) {
        if (lane > 0) fprintf(e->out, ", ");
        if (j + lane < n)
            put_operand(e, e->equations->slopes[(side * n + i) * n + j + lane], true);
        else
            fprintf(e->out, "0");
    }
    fprintf(e->out, "};\n");
}

// Writes L and 1 / D, in rows of W.
static void put_factors(const emitter *e)
{
    const int n = e->equations->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            fprintf(e->out, "    L[%d * W + %d] = ", i, j);
            put_operand(e, e->equations->slopes[(2 * n + i) * n + j], true);
            fprintf(e->out, ";\n");
        }
}

static fa_status put_derivatives(emitter *e, int version)
{
    const int n = e->equations->n;
    fprintf(e->out,
            "ALWAYS void derivatives%d(const double *restrict b, const double *restrict q,\n"
            "                         const double *restrict qd, const double *restrict qdd,\n"
            "                         const double *restrict s, const double *restrict c,\n"
            "                         double *restrict lost, quad *restrict side,\n"
            "                         double *restrict L)\n{\n"
            "    (void)b, (void)q, (void)qd, (void)qdd, (void)s, (void)c;\n",
            version);
    const fa_status status = put_operations(e, e->result + n, n + 3 * n * n);
    put_results(e, "lost", e->result + n, n);
    for (int k = 0; k < 2 * n * ((n + 3) / 4); k++) put_side(e, k);
    put_factors(e);
    fprintf(e->out, "}\n\n");
    return status;
}

static void put_zeros(FILE *out, const fa_chain *chain, bool zeros, int version)
{
    fprintf(out, "static const short zero%d[] = {", version);
    for (int k = 0; zeros && k < FA_SPECIAL_PER_BODY * chain->n + 3; k++)
        if (fa_special_parameter(chain, k) == 0) fprintf(out, "%d, ", k);
    fprintf(out, "-1};\n\n"); // C has no empty arrays
}

static const char *const kernel[FA_SPECIAL_KERNELS][2] = {
    {"", "plain"}, {"FA_SPECIAL_FUSED ", "fused"}, {"FA_SPECIAL_AVX512 ", "avx512"}};

static void put_kernels(FILE *out, int version)
{
    fprintf(out,
            "ALWAYS fa_status forward%d(const double b[], const double q[], const double qd[],\n"
            "                          const double tau[], double qdd[])\n{\n"
            "    double s[N + 4], c[N + 4], lost[N], result[N];\n"
            "    const bool near = special_sincos(N, q, turns, s, c);\n"
            "    equations%d(b, q, qd, tau, s, c, result, lost);\n"
            "    memcpy(qdd, result, sizeof result);\n"
            "    return near && special_strong(N, lost) && special_finite(N, result) ? FA_OK\n"
            "                                                                        : FA_UNFIT;\n"
            "}\n\n",
            version, version);
    for (int k = 0; k < FA_SPECIAL_KERNELS; k++)
        fprintf(out,
                "%sstatic fa_status %s%d(const double b[], const double q[], const double qd[],\n"
                "    const double tau[], double qdd[])\n{\n"
                "    return forward%d(b, q, qd, tau, qdd);\n}\n\n",
                kernel[k][0], kernel[k][1], version, version);
}

static void put_jacobian_kernels(FILE *out, int version)
{
    fprintf(out,
            "ALWAYS fa_status jacobians%d(const double b[], const double q[], const double qd[],\n"
            "                            const double qdd[], double by_q[], double by_qd[],\n"
            "                            double by_tau[])\n{\n"
            "    double s[N + 4], c[N + 4], lost[N], L[N * W];\n"
            "    quad side[2 * N * W / 4];\n"
            "    const bool near = special_sincos(N, q, turns, s, c);\n"
            "    derivatives%d(b, q, qd, qdd, s, c, lost, side, L);\n"
            "    return special_solve(N, W, L, side, by_q, by_qd, by_tau) && near &&\n"
            "                   special_strong(N, lost)\n"
            "               ? FA_OK\n"
            "               : FA_UNFIT;\n}\n\n",
            version, version);
    for (int k = 0; k < FA_SPECIAL_KERNELS; k++)
        fprintf(out,
                "%sstatic fa_status %s_jacobians%d(const double b[], const double q[],\n"
                "    const double qd[], const double qdd[], double by_q[], double by_qd[],\n"
                "    double by_tau[])\n{\n"
                "    return jacobians%d(b, q, qd, qdd, by_q, by_qd, by_tau);\n}\n\n",
                kernel[k][0], kernel[k][1], version, version);
}

// Writes the function for a batch of states, in the part for each instruction set.
static fa_status put_wide(emitter *e, int version)
{
    FILE *const once = e->out;
    char        name[32];
    snprintf(name, sizeof name, "KERNEL(equations%d)", version);
    e->out = e->wide;
    const fa_status status = put_equations(e, "wide", name);
    fprintf(e->out,
            "static unsigned KERNEL(states%d)(const double b[], const double q[],\n"
            "    const double qd[], const double tau[], double qdd[])\n{\n"
            "    wide given[3][N], s[N], c[N], lost[N], result[N];\n"
            "    KERNEL(load_states)(N, q, given[0]);\n"
            "    KERNEL(load_states)(N, qd, given[1]);\n"
            "    KERNEL(load_states)(N, tau, given[2]);\n"
            "    const wide_bits near = KERNEL(turned)(N, turns, given[0], s, c);\n"
            "    KERNEL(equations%d)(b, given[0], given[1], given[2], s, c, result, lost);\n"
            "    KERNEL(store_states)(N, result, qdd);\n"
            "    return KERNEL(lanes_where)(near & KERNEL(sound)(N, lost, result));\n"
            "}\n\n",
            version, version);
    e->out = once;
    return status;
}

// Lists the results of a version: qdd, lost, slopes.
static fa_node *list_results(const fa_equations *equations, int *n_results)
{
    const int n = equations->n;
    *n_results = 2 * n + (equations->slopes ? 3 * n * n : 0);
    fa_node *result = calloc((size_t)*n_results + 1, sizeof *result);
    if (!result) return NULL;
    for (int i = 0; i < n; i++) {
        result[i] = equations->qdd[i];
        result[n + i] = equations->lost[i];
    }
    for (int i = 2 * n; i < *n_results; i++) result[i] = equations->slopes[i - 2 * n];
    return result;
}

static fa_status put_functions(emitter *e, const fa_special_version *version, int number,
                               const fa_chain *chain)
{
    fa_expressions_needed(e->graph, e->result, e->n_results, e->needed);
    find_block(e);
    e->type = "double";
    put_zeros(e->out, chain, version->zeros, number);
    put_prepare(e, number);
    char equations[32];
    snprintf(equations, sizeof equations, "equations%d", number);
    fa_status status = put_equations(e, "double", equations);
    put_kernels(e->out, number);
    if (status == FA_OK) status = put_wide(e, number);
    if (status != FA_OK || !e->equations->slopes) return status;
    e->type = "double";
    status = put_derivatives(e, number);
    put_jacobian_kernels(e->out, number);
    return status;
}

// Writes the functions of one version, and returns the length of its parameter block.
static fa_status put_version(FILE *out, FILE *wide, const fa_special_version *version, int number,
                             const fa_chain *chain, int *n_block)
{
    const size_t room = (size_t)version->graph.n;
    emitter      e = {.graph = &version->graph, .equations = &version->equations, .out = out};
    e.wide = wide;
    e.needed = malloc(room * sizeof *e.needed);
    e.place = calloc(room, sizeof *e.place);
    e.wanted = calloc(room, sizeof *e.wanted);
    e.order = malloc(room * sizeof *e.order);
    fa_node *result = list_results(e.equations, &e.n_results);
    e.result = result;
    fa_status status = FA_NO_MEMORY;
    if (e.needed && e.place && e.wanted && e.order && e.result && !version->graph.failed)
        status = put_functions(&e, version, number, chain);
    *n_block = e.n_block;
    free(e.needed);
    free(e.place);
    free(e.wanted);
    free(e.order);
    free(result);
    return status;
}

// ---------------------------------------------------------------------------------------- the file

static void put_tables(FILE *out, const fa_chain *chain)
{
    const int n = chain->n;
    double    geometry[FA_SPECIAL_GEOMETRY * FA_SPECIAL_MAX];
    fa_special_geometry(chain, geometry);
    fprintf(out, "enum { N = %d, W = %d };\n\nstatic const double geometry[] = {", n,
            (n + 3) / 4 * 4);
    for (int i = 0; i < FA_SPECIAL_GEOMETRY * n; i++) {
        fprintf(out, i % FA_SPECIAL_GEOMETRY == 0 ? "\n    " : " ");
        put_number(out, geometry[i]);
        fprintf(out, ",");
    }
    fprintf(out, "\n};\n\nstatic const double turns[] = {");
    for (int i = 0; i < (n + 3) / 4 * 4; i++)
        fprintf(out, "%s%d", i > 0 ? ", " : "",
                i < n && fa_joint_turns(chain->body[i].joint) ? 1 : 0);
    fprintf(out, "};\n\n");
}

static void put_head(FILE *out, const char *name)
{
    fprintf(out, "// Forward dynamics of '");
    // Replaces characters of the name that C would interpret.
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at >= ' ' && *at != '\\' && *at != '?') fputc(*at, out);
    fprintf(out, "', written by forearm export --specialise.\n"
                 "#ifndef KERNEL\n\n"
                 "#include \"special_kernel.h\"\n\n"
                 "#if FA_FAST_LANES\n\n");
}

static void put_row(FILE *out, int version, int n_block, bool derivatives)
{
    const int v = version;
    fprintf(out,
            "    {N, geometry, sizeof zero%d / sizeof *zero%d - 1, zero%d, %d, prepare%d,\n"
            "     {plain%d, fused%d, avx512%d},\n",
            v, v, v, n_block, v, v, v, v);
    if (derivatives)
        fprintf(out, "     {plain_jacobians%d, fused_jacobians%d, avx512_jacobians%d},\n", v, v, v);
    else
        fprintf(out, "     {NULL},\n");
    fprintf(out,
            "     {STATES_PLAIN(states%d), STATES_FUSED(states%d), STATES_AVX512(states%d)}},\n", v,
            v, v);
}

// Writes the part that includes the file itself, once for each instruction set, for batches of
// states.
static void put_kinds(FILE *out)
{
    static const char *const kind[][3] = {
        {"plain", "", "FA_FAST_WIDE_PLAIN"},
        {"fused", "FA_SPECIAL_BEGIN_FUSED\n", "FA_FAST_WIDE_AVX2"},
        {"avx512", "FA_SPECIAL_BEGIN_AVX512\n", "FA_FAST_WIDE_AVX512"}};
    fprintf(out, "#define FA_SOURCE_AGAIN // for source_end.h\n\n");
    for (int k = 0; k < FA_SPECIAL_KERNELS; k++)
        fprintf(out,
                "%s#define KERNEL(name) name##_%s\n"
                "#define WIDE %s\n"
                "%s#include \"special.c\"\n%s"
                "#undef KERNEL\n#undef WIDE\n%s",
                k == 1 ? "#if defined(__x86_64__)\n" : "", kind[k][0], kind[k][2], kind[k][1],
                k > 0 ? "FA_SPECIAL_END\n" : "", k == 0 ? "\n" : "");
    fprintf(out, "#define STATES_FUSED(name)  {name##_fused, FA_FAST_WIDE_AVX2}\n"
                 "#define STATES_AVX512(name) {name##_avx512, FA_FAST_WIDE_AVX512}\n"
                 "#else\n"
                 "#define STATES_FUSED  STATES_PLAIN\n"
                 "#define STATES_AVX512 STATES_PLAIN\n"
                 "#endif\n"
                 "#define STATES_PLAIN(name)  {name##_plain, FA_FAST_WIDE_PLAIN}\n"
                 "#undef FA_SOURCE_AGAIN\n\n");
}

static fa_status put_file(FILE *out, FILE *wide, const fa_special_version version[], int n_versions,
                          const fa_chain *chain, const char *name)
{
    int       n_block[FA_SPECIAL_VERSIONS];
    fa_status status = FA_OK;
    put_head(out, name);
    put_tables(out, chain);
    for (int v = 0; v < n_versions && status == FA_OK; v++)
        status = put_version(out, wide, &version[v], v, chain, &n_block[v]);
    put_kinds(out);
    fprintf(out, "const fa_special fa_special_code[FA_SPECIAL_VERSIONS] = {\n");
    for (int v = 0; v < n_versions && status == FA_OK; v++)
        put_row(out, v, n_block[v], version[v].equations.slopes != NULL);
    fprintf(out,
            "};\nconst int fa_special_count = %d;\n\n"
            "#else\n\n"
            "const fa_special fa_special_code[FA_SPECIAL_VERSIONS] = {{0}};\n"
            "const int fa_special_count = 0;\n\n"
            "#endif\n\n"
            "#else // what the lines above include\n\n"
            "#include \"special_wide.h\"\n\n",
            n_versions);
    return status;
}

fa_status fa_emit(const fa_special_version version[], int n_versions, const fa_chain *chain,
                  const char *name, char **text, size_t *size)
{
    char     *wide_text = NULL;
    size_t    wide_size;
    fa_status status = FA_NO_MEMORY;
    *text = NULL;
    FILE *out = fa_text_open(text, size), *wide = fa_text_open(&wide_text, &wide_size);
    if (out && wide) status = put_file(out, wide, version, n_versions, chain, name);
    if (wide && !fa_text_close(wide)) status = FA_NO_MEMORY;
    if (status == FA_OK) fprintf(out, "%s#endif\n", wide_text);
    if (out && !fa_text_close(out)) status = FA_NO_MEMORY;
    free(wide_text);
    if (status == FA_OK) return FA_OK;
    free(*text);
    *text = NULL;
    return status;
}
