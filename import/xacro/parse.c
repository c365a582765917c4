// Parser of expressions within ${…}: Python's grammar, without programs (comprehensions, lambda,
// sets, assignments). docs/formats.md has the grammar.
#include <string.h>

#include "tokens.h"

enum { WORD_MAX = 200, NESTING = 64 };

static fa_xacro_term *conditional(fa_xacro_parser *p);

// ------------------------------------------------------------------------------------------ atoms

// Elements up to the closing sign; *comma tells whether one stood there.
static fa_xacro_term *elements(fa_xacro_parser *p, const char *close, bool *comma)
{
    fa_xacro_term *first = NULL, **link = &first;
    *comma = false;
    while (!fa_xacro_take_sign(p, close)) {
        if (first) {
            fa_xacro_need(p, ",");
            *comma = true;
            if (fa_xacro_take_sign(p, close)) break;
        }
        fa_xacro_skip(p);
        if (*p->at == '*') fa_xacro_too_much(p);
        *link = conditional(p);
        link = &(*link)->next;
        fa_xacro_skip(p);
        if (*p->at == ',' || strncmp(p->at, close, strlen(close)) == 0) continue;
        fa_xacro_need(p, close);
        return first;
    }
    return first;
}

static fa_xacro_term *atom(fa_xacro_parser *p)
{
    static const char *const keyword[] = {
        "and",    "as",    "assert", "async",   "await", "class",    "def",     "del",
        "elif",   "else",  "except", "finally", "for",   "from",     "global",  "if",
        "import", "in",    "is",     "not",     "or",    "pass",     "raise",   "return",
        "try",    "while", "with",   "yield",   "break", "continue", "nonlocal"};
    bool comma;
    fa_xacro_skip(p);
    if (fa_xacro_is_digit(*p->at) || (*p->at == '.' && fa_xacro_is_digit(p->at[1])))
        return fa_xacro_number(p);
    if (*p->at == '\'' || *p->at == '"') return fa_xacro_quoted(p);
    if (fa_xacro_take_sign(p, "(")) {
        fa_xacro_term *list = elements(p, ")", &comma);
        if (list && !comma) {
            fa_xacro_term *inside =
                fa_xacro_term_new(p, FA_TERM_BOTH); // a and nothing: so that `next` is its own
            inside->a = list;
            return inside;
        }
        fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_TUPLE);
        t->list = list;
        return t;
    }
    if (fa_xacro_take_sign(p, "[")) {
        fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_LIST);
        t->list = elements(p, "]", &comma);
        return t;
    }
    const size_t n = fa_xacro_word_length(p->at);
    if (n == 0) {
        if (*p->at == '{') fa_xacro_too_much(p);
        fa_xacro_no_expression(p, *p->at ? fa_xacro_print(p->x, "'%.40s' cannot stand there", p->at)
                                         : "something is missing at its end");
    }
    if (n > WORD_MAX) fa_xacro_no_expression(p, "a name has more than 200 letters");
    if (p->at[n] == '\'' || p->at[n] == '"' || fa_xacro_at_word(p, "lambda")) fa_xacro_too_much(p);
    for (size_t i = 0; i < sizeof keyword / sizeof *keyword; i++)
        if (fa_xacro_at_word(p, keyword[i]))
            fa_xacro_no_expression(p, fa_xacro_print(p->x, "'%s' cannot stand there", keyword[i]));
    const char *name = fa_xacro_kept(p->x, p->at, n);
    p->at += n;
    if (strncmp(name, "__", 2) == 0)
        fa_xacro_halt(p->x, "'%.100s' begins with two underscores, which names here must not do",
                      name);
    fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_VALUE);
    if (strcmp(name, "None") == 0) return t;
    t->kind = FA_TERM_NAME;
    t->name = name;
    return t;
}

// -------------------------------------------------------------------------------------- operators

static fa_xacro_term *arguments(fa_xacro_parser *p)
{
    fa_xacro_term *first = NULL, **link = &first;
    bool           named = false;
    while (!fa_xacro_take_sign(p, ")")) {
        if (first) {
            fa_xacro_need(p, ",");
            if (fa_xacro_take_sign(p, ")")) break;
        }
        fa_xacro_skip(p);
        if (*p->at == '*') fa_xacro_too_much(p);
        const size_t n = fa_xacro_word_length(p->at);
        const char  *after = p->at + n + strspn(p->at + n, " \t\r\n");
        const char  *name = NULL;
        if (n && *after == '=' && after[1] != '=') {
            name = fa_xacro_kept(p->x, p->at, n);
            p->at = after + 1;
        } else if (named) {
            fa_xacro_no_expression(p, "an argument without a name follows one with a name");
        }
        *link = conditional(p);
        fa_xacro_term *wrapped = fa_xacro_term_new(p, FA_TERM_BOTH);
        wrapped->a = *link;
        wrapped->name = name;
        *link = wrapped;
        link = &wrapped->next;
        named |= name != NULL;
        fa_xacro_skip(p);
        if (*p->at != ',' && *p->at != ')') fa_xacro_need(p, ")");
    }
    return first;
}

static fa_xacro_term *subscript(fa_xacro_parser *p, fa_xacro_term *of)
{
    fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_INDEX), **part[] = {&t->b, &t->c, &t->d};
    t->a = of;
    for (int i = 0; i < 3; i++) {
        fa_xacro_skip(p);
        if (*p->at != ':' && *p->at != ']') *part[i] = conditional(p);
        fa_xacro_skip(p);
        if (*p->at == ',') fa_xacro_too_much(p);
        if (*p->at != ':') break;
        t->kind = FA_TERM_SLICE;
        if (i < 2) p->at++;
    }
    fa_xacro_need(p, "]");
    if (t->kind == FA_TERM_INDEX && !t->b) fa_xacro_no_expression(p, "an index is missing");
    return t;
}

static fa_xacro_term *primary(fa_xacro_parser *p)
{
    fa_xacro_term *t = atom(p);
    for (;;) {
        fa_xacro_term *of = t;
        if (fa_xacro_take_sign(p, "(")) {
            t = fa_xacro_term_new(p, FA_TERM_CALL);
            t->a = of;
            t->list = arguments(p);
        } else if (fa_xacro_take_sign(p, "[")) {
            t = subscript(p, of);
        } else if (fa_xacro_take_sign(p, ".")) {
            fa_xacro_skip(p);
            const size_t n = fa_xacro_word_length(p->at);
            if (n == 0) fa_xacro_no_expression(p, "a name is missing after a point");
            t = fa_xacro_term_new(p, FA_TERM_MEMBER);
            t->a = of;
            t->name = fa_xacro_kept(p->x, p->at, n);
            if (strncmp(t->name, "__", 2) == 0)
                fa_xacro_halt(p->x,
                              "'%.100s' begins with two underscores, which names here must not do",
                              t->name);
            p->at += n;
        } else {
            return t;
        }
    }
}

static fa_xacro_term *unary(fa_xacro_parser *p);

static fa_xacro_term *power(fa_xacro_parser *p)
{
    fa_xacro_term *a = primary(p);
    if (!fa_xacro_take_sign(p, "**")) return a;
    fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_BINARY);
    t->            operator= FA_OP_POWER;
    t->a = a;
    t->b = unary(p);
    return t;
}

static void deeper(fa_xacro_parser *p)
{
    if (++p->depth > NESTING) fa_xacro_no_expression(p, "it is nested too deep");
}

static fa_xacro_term *unary(fa_xacro_parser *p)
{
    static const struct {
        const char       *sign;
        fa_xacro_operator operator;
    } row[] = {{"+", FA_OP_PLUS}, {"-", FA_OP_MINUS}, {"~", FA_OP_INVERT}};
    for (int i = 0; i < 3; i++)
        if (fa_xacro_take_sign(p, row[i].sign)) {
            deeper(p);
            fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_UNARY);
            t->operator= row[i].operator;
            t->a = unary(p);
            p->depth--;
            return t;
        }
    return power(p);
}

// Operators of two operands by level, the loosest first; each level is left to right.
typedef struct level_row {
    int               level;
    const char       *sign, *not_before; // of which no sign may follow
    fa_xacro_operator operator;
} level_row;
static const level_row levels[] = {
    {0, "|", "=", FA_OP_OR},       {1, "^", "=", FA_OP_XOR},    {2, "&", "=", FA_OP_AND},
    {3, "<<", "=", FA_OP_LEFT},    {3, ">>", "=", FA_OP_RIGHT}, {4, "+", "=", FA_OP_ADD},
    {4, "-", "=", FA_OP_SUBTRACT}, {5, "//", "=", FA_OP_FLOOR}, {5, "*", "*=", FA_OP_MULTIPLY},
    {5, "/", "/=", FA_OP_DIVIDE},  {5, "%", "=", FA_OP_MODULO},
};
enum { LEVELS = 6 };

static bool take_operator(fa_xacro_parser *p, int level, fa_xacro_operator *operator)
{
    fa_xacro_skip(p);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const level_row *row = &levels[i];
        const size_t     n = strlen(row->sign);
        if (row->level != level || strncmp(p->at, row->sign, n) != 0) continue;
        if (p->at[n] && strchr(row->not_before, p->at[n])) continue;
        p->at += n;
        *operator= row->operator;
        return true;
    }
    return false;
}

static fa_xacro_term *sum(fa_xacro_parser *p, int level)
{
    if (level == LEVELS) return unary(p);
    fa_xacro_term    *t = sum(p, level + 1);
    fa_xacro_operator operator;
    while (take_operator(p, level, &operator)) {
        fa_xacro_term *whole = fa_xacro_term_new(p, FA_TERM_BINARY);
        whole->operator= operator;
        whole->a = t;
        whole->b = sum(p, level + 1);
        t = whole;
    }
    return t;
}

static bool take_comparison(fa_xacro_parser *p, fa_xacro_operator *operator)
{
    static const struct {
        const char       *sign;
        fa_xacro_operator operator;
    } row[] = {{"<=", FA_OP_LESS_EQUAL}, {">=", FA_OP_GREATER_EQUAL}, {"==", FA_OP_EQUAL},
               {"!=", FA_OP_UNEQUAL},    {"<", FA_OP_LESS},           {">", FA_OP_GREATER}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (fa_xacro_take_sign(p, row[i].sign)) {
            *operator= row[i].operator;
            return true;
        }
    const char *start = p->at;
    if (fa_xacro_take_word(p, "in"))
        *operator= FA_OP_IN;
    else if (fa_xacro_take_word(p, "is"))
        *operator= fa_xacro_take_word(p, "not") ? FA_OP_IS_NOT : FA_OP_IS;
    else if (fa_xacro_take_word(p, "not") && fa_xacro_take_word(p, "in"))
        *operator= FA_OP_NOT_IN;
    else {
        p->at = start;
        return false;
    }
    return true;
}

static fa_xacro_term *comparison(fa_xacro_parser *p)
{
    fa_xacro_term    *a = sum(p, 0), *whole = NULL, **link = NULL;
    fa_xacro_operator operator;
    while (take_comparison(p, &operator)) {
        if (!whole) {
            whole = fa_xacro_term_new(p, FA_TERM_COMPARE);
            whole->a = a;
            link = &whole->list;
        }
        *link = fa_xacro_term_new(p, FA_TERM_UNARY); // holds the operator and its right side
        (*link)->operator= operator;
        (*link)->a = sum(p, 0);
        link = &(*link)->next;
    }
    return whole ? whole : a;
}

static fa_xacro_term *negation(fa_xacro_parser *p)
{
    if (!fa_xacro_take_word(p, "not")) return comparison(p);
    deeper(p);
    fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_UNARY);
    t->            operator= FA_OP_NOT;
    t->a = negation(p);
    p->depth--;
    return t;
}

static fa_xacro_term *logic(fa_xacro_parser *p, bool either)
{
    fa_xacro_term *t = either ? logic(p, false) : negation(p);
    while (fa_xacro_take_word(p, either ? "or" : "and")) {
        fa_xacro_term *whole = fa_xacro_term_new(p, either ? FA_TERM_EITHER : FA_TERM_BOTH);
        whole->a = t;
        whole->b = either ? logic(p, false) : negation(p);
        t = whole;
    }
    return t;
}

static fa_xacro_term *conditional(fa_xacro_parser *p)
{
    deeper(p);
    fa_xacro_term *t = logic(p, true);
    if (fa_xacro_take_word(p, "if")) {
        fa_xacro_term *whole = fa_xacro_term_new(p, FA_TERM_IF);
        whole->a = t;
        whole->b = logic(p, true);
        if (!fa_xacro_take_word(p, "else"))
            fa_xacro_no_expression(p, "'else' is missing after 'if'");
        whole->c = conditional(p);
        t = whole;
    }
    p->depth--;
    return t;
}

fa_xacro_term *fa_xacro_parse(fa_xacro *x, const char *expression)
{
    fa_xacro_parser p = {.x = x, .all = expression, .at = expression};
    fa_xacro_term  *t = conditional(&p);
    fa_xacro_skip(&p);
    if (*p.at == ',') { // a tuple needs no parentheses here
        fa_xacro_term *tuple = fa_xacro_term_new(&p, FA_TERM_TUPLE), **link = &tuple->list;
        fa_xacro_term *inside = fa_xacro_term_new(&p, FA_TERM_BOTH);
        inside->a = t;
        *link = inside;
        while (fa_xacro_take_sign(&p, ",")) {
            fa_xacro_skip(&p);
            if (!*p.at) break;
            link = &(*link)->next;
            *link = fa_xacro_term_new(&p, FA_TERM_BOTH);
            (*link)->a = conditional(&p);
        }
        t = tuple;
        fa_xacro_skip(&p);
    }
    if (fa_xacro_at_word(&p, "for") || strncmp(p.at, ":=", 2) == 0) fa_xacro_too_much(&p);
    if (*p.at) fa_xacro_no_expression(&p, fa_xacro_print(x, "'%.40s' cannot stand there", p.at));
    return t;
}
