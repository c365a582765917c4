// The reader of laws: tokens, operators by precedence, and refusals with line and remedy.
#include "law_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 192, ARGUMENTS_MAX = 12, DEPTH_MAX = 32 };

typedef struct scope {
    struct {
        const char *name;
        int         length, node;
    } known[NAMES_MAX];
    int n;
} scope;

typedef struct reader {
    fa_law_graph *law;
    const char   *at, *begin, *file; // the text from which lines are counted
    const char   *functions;
    int           depth;    // of calls; 0: the law itself
    int           nesting;  // of brackets
    int           returned; // of a function
    bool          in_num;   // a number stands alone in num(…)
    fa_error     *error;
    bool          failed;
} reader;

static int expression(reader *r, scope *s, int level);

static int fail(reader *r, const char *at, const char *what)
{
    int line = 1, length = 0;
    for (const char *c = r->begin; c < at; c++) line += *c == '\n';
    while (length < 20 && at[length] && at[length] != '\n') length++;
    if (!r->failed)
        fa_fail(r->error, FA_BAD_INPUT, r->file, (fa_place){line, 0}, "%s at '%.*s'", what, length,
                at);
    r->failed = true;
    return 0;
}

// ------------------------------------------------------------------------------------------ tokens

static void space(reader *r)
{
    for (;;) {
        while (isspace((unsigned char)*r->at)) r->at++;
        if (r->at[0] != '/' || r->at[1] != '/') return;
        while (*r->at && *r->at != '\n') r->at++;
    }
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool take(reader *r, const char *word)
{
    const size_t n = strlen(word);
    space(r);
    if (r->failed || strncmp(r->at, word, n) != 0) return false;
    if (is_of_word(word[n - 1]) && is_of_word(r->at[n])) return false;
    r->at += n;
    return true;
}

static void need(reader *r, const char *word)
{
    char text[64];
    if (take(r, word)) return;
    snprintf(text, sizeof text, "write '%s'", word);
    fail(r, r->at, text);
}

static int word(reader *r, const char **name)
{
    space(r);
    *name = r->at;
    while (is_of_word(*r->at)) r->at++;
    return (int)(r->at - *name);
}

static bool is_word(const char *name, int length, const char *text)
{
    return strlen(text) == (size_t)length && memcmp(name, text, (size_t)length) == 0;
}

// ------------------------------------------------------------------------------------------- calls

static void remember(reader *r, scope *s, const char *name, int length, int node)
{
    for (int i = 0; i < s->n; i++)
        if (s->known[i].length == length && memcmp(s->known[i].name, name, (size_t)length) == 0)
            fail(r, name, "this name is taken; choose another one");
    if (s->n == NAMES_MAX) {
        fail(r, name, "a law has too many names; divide it");
        return;
    }
    s->known[s->n].name = name;
    s->known[s->n].length = length;
    s->known[s->n++].node = node;
}

static void statements(reader *r, scope *s);

// A function of functions.h, read anew for each call: its nodes are found again.
static int call_function(reader *r, const char *name, int length, const int arg[], int n)
{
    char begin[96];
    snprintf(begin, sizeof begin, "FA_INLINED real %.*s(", length, name);
    const char *found = strstr(r->functions, begin);
    if (!found) return fail(r, name, "laws know no such function; write it in functions.h");
    if (r->depth == DEPTH_MAX) return fail(r, name, "functions call each other without an end");
    reader inner = {.law = r->law,
                    .at = found + strlen(begin),
                    .begin = r->functions,
                    .file = "functions.h",
                    .functions = r->functions,
                    .depth = r->depth + 1,
                    .returned = -1,
                    .error = r->error};
    scope  of_it = {.n = 0};
    do {
        const char *parameter;
        need(&inner, "real");
        const int size = word(&inner, &parameter);
        if (of_it.n >= n) return fail(r, name, "too few arguments");
        remember(&inner, &of_it, parameter, size, arg[of_it.n]);
    } while (!inner.failed && take(&inner, ","));
    if (of_it.n < n) return fail(r, name, "too many arguments");
    need(&inner, ")");
    need(&inner, "{");
    statements(&inner, &of_it);
    need(&inner, "}");
    if (!inner.failed && inner.returned < 0) fail(&inner, inner.at, "a function ends with return");
    r->failed |= inner.failed;
    return inner.returned < 0 ? 0 : inner.returned;
}

static int call_table(reader *r, scope *s)
{
    const char *name;
    const int   length = word(r, &name);
    const int   index = fa_element_table_index(r->law->of, name, (size_t)length);
    if (index < 0) return fail(r, name, "the element has no such TABLE");
    need(r, ",");
    const int x = expression(r, s, 0);
    need(r, ")");
    return fa_expression_table(&r->law->graph, FA_OP_TABLE, index, x);
}

// The operation that is written as a call of this name; FA_OPERATIONS: none.
static fa_operation_code operation_named(const char *name, int length)
{
    for (int op = FA_OP_ADD; op <= FA_OP_WHERE; op++) {
        const char *text = fa_operations[op].text;
        if (strncmp(text, name, (size_t)length) == 0 && text[length] == '(')
            return (fa_operation_code)op;
    }
    return FA_OPERATIONS;
}

// Checks an operand: a number, or a mask, never a flag.
static void need_kind(reader *r, const char *at, int node, bool mask)
{
    const fa_expression *e = &r->law->graph.node[node];
    if (e->operation == FA_OP_FLAG)
        fail(r, at, "a flag stands before '?' only; write flag ? num(1) : num(0) or the like");
    else if (fa_expression_is_mask(e) != mask)
        fail(r, at, mask ? "& and | stand between comparisons" : "a comparison is no number");
}

static int call(reader *r, scope *s, const char *name, int length)
{
    int arg[ARGUMENTS_MAX] = {0}, n = 0;
    if (is_word(name, length, "table")) return call_table(r, s);
    const bool outer = r->in_num;
    r->in_num = is_word(name, length, "num");
    do {
        if (n == ARGUMENTS_MAX) return fail(r, name, "a function has at most 12 arguments");
        arg[n++] = expression(r, s, 0);
    } while (take(r, ","));
    r->in_num = outer;
    need(r, ")");
    if (r->failed) return 0;
    const bool begins_with_mask = is_word(name, length, "where");
    for (int i = begins_with_mask; i < n; i++) need_kind(r, name, arg[i], false);
    if (r->failed) return 0;
    if (is_word(name, length, "num") && n == 1) return arg[0];
    const fa_operation_code op = operation_named(name, length);
    if (op == FA_OPERATIONS) return call_function(r, name, length, arg, n);
    if (n != fa_operations[op].operands) return fail(r, name, "the number of arguments is wrong");
    if (op == FA_OP_WHERE && !fa_expression_is_mask(&r->law->graph.node[arg[0]]))
        return fail(r, name, "where(…) begins with a comparison; a flag stands before '?'");
    return fa_expression_make(&r->law->graph, op, arg[0], arg[1], arg[2]);
}

// ------------------------------------------------------------------------------------- expressions

static int result_before(reader *r)
{
    const char *name;
    const int   length = word(r, &name);
    const int   k = fa_element_result_index(r->law->of, name, (size_t)length);
    if (k < 0) return fail(r, name, "the element has no such RESULT");
    if (r->law->result[k] < 0) return fail(r, name, "this result has not been set yet");
    return r->law->result[k];
}

static int name_or_call(reader *r, scope *s)
{
    const char *name;
    const int   length = word(r, &name);
    if (length == 0) return fail(r, r->at, "a number, a name or a bracket is missing");
    if (is_word(name, length, "INFINITY")) return fa_expression_constant(&r->law->graph, INFINITY);
    if (take(r, "(")) return call(r, s, name, length);
    for (int i = s->n - 1; i >= 0; i--)
        if (s->known[i].length == length && memcmp(s->known[i].name, name, (size_t)length) == 0)
            return s->known[i].node;
    if (r->depth == 0) {
        const int k = fa_element_real_index(r->law->of, name, (size_t)length);
        const int f = fa_element_flag_index(r->law->of, name, (size_t)length);
        if (k >= 0) return fa_expression_input(&r->law->graph, FA_LAW_IN, k);
        if (f >= 0) return fa_expression_flag(&r->law->graph, f);
    }
    return fail(r, name, "the element's list has no such name");
}

static int primary(reader *r, scope *s)
{
    if (r->nesting == 200) return fail(r, r->at, "brackets are nested too deeply");
    if (take(r, "-")) {
        r->nesting++;
        const int of = primary(r, s);
        r->nesting--;
        return fa_expression_make(&r->law->graph, FA_OP_NEGATE, of, 0, 0);
    }
    if (take(r, "(")) {
        r->nesting++;
        const int inside = expression(r, s, 0);
        r->nesting--;
        need(r, ")");
        return inside;
    }
    if (take(r, "out->")) return result_before(r);
    space(r);
    if (!isdigit((unsigned char)*r->at)) return name_or_call(r, s);
    char        *end;
    const char  *begin = r->at;
    const double value = strtod(r->at, &end);
    r->at = end;
    if (is_of_word(*end)) return fail(r, begin, "a number has no letters behind it");
    if ((double)(float)value != value && !r->in_num)
        return fail(r, begin, "no float holds this number; write num(…) around it");
    return fa_expression_constant(&r->law->graph, value);
}

static const struct {
    const char       *sign;
    int               level; // binds the tighter, the higher
    fa_operation_code operation;
    bool              turned;
} binary[] = {
    {"|", 1, FA_OP_OR, false},       {"&", 2, FA_OP_AND, false},      {"==", 3, FA_OP_EQUAL, false},
    {"<", 4, FA_OP_LESS, false},     {">", 4, FA_OP_LESS, true},      {"+", 5, FA_OP_ADD, false},
    {"-", 5, FA_OP_SUBTRACT, false}, {"*", 6, FA_OP_MULTIPLY, false}, {"/", 6, FA_OP_DIVIDE, false},
};
enum { BINARY = sizeof binary / sizeof *binary, TIGHTEST = 6 };

// The operator of that level that comes next, or BINARY.
static size_t operator_at(reader *r, int level)
{
    static const char *const unknown[] = {"||", "&&", "<=", ">=", "!="};
    space(r);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strncmp(r->at, unknown[i], 2) == 0)
            fail(r, r->at, "laws have the operators + - * / < > == & |, and not the one");
    for (size_t i = 0; i < BINARY; i++)
        if (binary[i].level == level && take(r, binary[i].sign)) return i;
    return BINARY;
}

static int operate(reader *r, const char *at, size_t i, int left, int right)
{
    const fa_expression *node = r->law->graph.node;
    const bool masks = binary[i].operation == FA_OP_AND || binary[i].operation == FA_OP_OR;
    need_kind(r, at, left, masks);
    need_kind(r, at, right, masks);
    if (r->failed) return 0;
    if (binary[i].operation == FA_OP_DIVIDE && node[left].operation == FA_OP_CONSTANT &&
        node[right].operation == FA_OP_CONSTANT)
        return fail(r, at, "a quotient of two constants is a whole number to C; write one number");
    return binary[i].turned
               ? fa_expression_make(&r->law->graph, binary[i].operation, right, left, 0)
               : fa_expression_make(&r->law->graph, binary[i].operation, left, right, 0);
}

static int choice(reader *r, scope *s, int flag)
{
    if (r->law->graph.node[flag].operation != FA_OP_FLAG)
        return fail(r, r->at,
                    "before '?' stands a flag; where numbers decide, write where(condition, yes, "
                    "no); here");
    const int yes = expression(r, s, 0);
    need(r, ":");
    const int no = expression(r, s, 0);
    return fa_expression_make(&r->law->graph, FA_OP_PICK, flag, yes, no);
}

static int expression(reader *r, scope *s, int level)
{
    if (level > TIGHTEST) return primary(r, s);
    int left = expression(r, s, level + 1);
    for (;;) {
        const char  *at = r->at;
        const size_t i = r->failed || level == 0 ? BINARY : operator_at(r, level);
        if (i == BINARY) break;
        left = operate(r, at, i, left, expression(r, s, level + 1));
    }
    return level == 0 && take(r, "?") ? choice(r, s, left) : left;
}

// -------------------------------------------------------------------------------------- statements

static void definition(reader *r, scope *s)
{
    const char *name;
    const bool  is_mask = !take(r, "real");
    if (is_mask) need(r, "mask");
    const int length = word(r, &name);
    if (!r->failed && r->depth == 0 &&
        (fa_element_real_index(r->law->of, name, (size_t)length) >= 0 ||
         fa_element_flag_index(r->law->of, name, (size_t)length) >= 0))
        fail(r, name, "the element's list has this name already; choose another one");
    need(r, "=");
    const int      value = expression(r, s, 0);
    fa_expression *node = &r->law->graph.node[value];
    if (!r->failed && fa_expression_is_mask(node) != is_mask)
        fail(r, name, is_mask ? "this is a number; write real" : "this compares; write mask");
    if (r->depth == 0 && !node->name && fa_expression_is_operation(node)) {
        node->name = name;
        node->length = length;
    }
    remember(r, s, name, length, value);
}

static void assignment(reader *r, scope *s)
{
    const char *name;
    const int   length = word(r, &name);
    const int   k = fa_element_result_index(r->law->of, name, (size_t)length);
    if (k < 0) fail(r, name, "the element has no such RESULT");
    if (k >= 0 && r->law->result[k] >= 0) fail(r, name, "this result is set twice");
    need(r, "=");
    const int value = expression(r, s, 0);
    if (!r->failed) r->law->result[k] = value;
}

static void statements(reader *r, scope *s)
{
    while (!r->failed) {
        space(r);
        if (*r->at == '}' || *r->at == '#' || !*r->at) return;
        if (take(r, "const"))
            definition(r, s);
        else if (r->depth == 0 && take(r, "out->"))
            assignment(r, s);
        else if (r->depth > 0 && take(r, "return"))
            r->returned = expression(r, s, 0);
        else
            fail(r, r->at,
                 "a law has only 'const real x = …;', 'const mask m = …;' and 'out->x = …;', not "
                 "what stands");
        need(r, ";");
    }
}

static fa_status no_memory(const char *file, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, file, FA_NOWHERE, "there is not enough memory for the law");
}

fa_status fa_law_read(const fa_element *element, const char *file, const char *law,
                      const char *functions, fa_law_graph *read, fa_error *error)
{
    const char *begin = strstr(law, "#ifdef LAW");
    *read = (fa_law_graph){.of = element, .graph = fa_expressions_new()};
    for (int i = 0; i < FA_RESULTS_MAX; i++) read->result[i] = -1;
    if (read->graph.failed) return no_memory(file, error);
    reader r = {.law = read,
                .at = begin ? begin + strlen("#ifdef LAW") : law + strlen(law),
                .begin = law,
                .file = file,
                .functions = functions,
                .error = error};
    scope  s = {.n = 0};
    if (element->n_results > FA_RESULTS_MAX || element->n_reals > FA_REALS_MAX)
        fail(&r, law, "an element has at most 24 results and 64 reals; divide it");
    if (!r.failed) statements(&r, &s);
    for (int i = 0; i < element->n_results && !r.failed; i++)
        if (read->result[i] < 0) {
            char text[128];
            snprintf(text, sizeof text, "the law does not set the result %s; add 'out->%s = …;'",
                     fa_element_item(element, FA_ITEM_RESULT, FA_ITEM_RESULT, i)->name,
                     fa_element_item(element, FA_ITEM_RESULT, FA_ITEM_RESULT, i)->name);
            fail(&r, r.at, text);
        }
    if (!r.failed && read->graph.failed) return no_memory(file, error);
    return r.failed ? FA_BAD_INPUT : FA_OK;
}

void fa_law_free(fa_law_graph *law)
{
    fa_expressions_free(&law->graph);
}

// ------------------------------------------------------------------------------------------- flags

typedef struct flags {
    const fa_element *of;
    const int        *flag;
} flags;

static bool is_known(void *context, const fa_expression *node, double *value)
{
    const flags *f = context;
    if (node->operation != FA_OP_FLAG) return false;
    *value = f->flag[node->of[0]] != 0;
    return f->flag[node->of[0]] >= 0;
}

fa_status fa_law_with_flags(const fa_law_graph *law, const int flag[], fa_law_graph *folded,
                            fa_error *error)
{
    flags context = {law->of, flag};
    int  *to = malloc((size_t)law->graph.n * sizeof *to);
    *folded = *law;
    folded->graph = fa_expressions_new();
    if (to) fa_expressions_fold(&law->graph, is_known, &context, &folded->graph, to);
    for (int i = 0; to && i < law->of->n_results; i++) folded->result[i] = to[law->result[i]];
    const bool failed = !to || folded->graph.failed;
    free(to);
    return failed ? no_memory(law->of->name, error) : FA_OK;
}

char *fa_law_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file && fseek(file, 0, SEEK_END) == 0 ? calloc(1, (size_t)ftell(file) + 1) : NULL;
    if (text) {
        const long size = ftell(file);
        rewind(file);
        if (fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    if (file) fclose(file);
    return text;
}
