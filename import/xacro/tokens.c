// Signs, words, numbers and texts of expressions, and the sentences on what cannot be read.
#include "tokens.h"

#include <string.h>

#include "number.h"

enum { TERMS = 20000 };

_Noreturn void fa_xacro_no_expression(const fa_xacro_parser *p, const char *why)
{
    fa_xacro_halt(p->x, "'%.200s' is no expression that can be read: %s", p->all, why);
}

_Noreturn void fa_xacro_too_much(const fa_xacro_parser *p)
{
    fa_xacro_halt(p->x,
                  "'%.200s' is more of Python than is read here; expand it with xacro and give the "
                  "result",
                  p->all);
}

fa_xacro_term *fa_xacro_term_new(fa_xacro_parser *p, fa_xacro_term_kind kind)
{
    if (++p->n > TERMS) fa_xacro_no_expression(p, "it is too long");
    fa_xacro_term *t = fa_xacro_take(p->x, sizeof *t);
    t->kind = kind;
    return t;
}

void fa_xacro_skip(fa_xacro_parser *p)
{
    p->at += strspn(p->at, " \t\r\n\f\\");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

bool fa_xacro_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t fa_xacro_word_length(const char *at)
{
    size_t n = 0;
    if (!is_letter(*at)) return 0;
    while (is_letter(at[n]) || fa_xacro_is_digit(at[n])) n++;
    return n;
}

bool fa_xacro_take_sign(fa_xacro_parser *p, const char *sign)
{
    fa_xacro_skip(p);
    const size_t n = strlen(sign);
    if (strncmp(p->at, sign, n) != 0) return false;
    p->at += n;
    return true;
}

bool fa_xacro_at_word(fa_xacro_parser *p, const char *word)
{
    fa_xacro_skip(p);
    const size_t n = strlen(word);
    return fa_xacro_word_length(p->at) == n && memcmp(p->at, word, n) == 0;
}

bool fa_xacro_take_word(fa_xacro_parser *p, const char *word)
{
    if (!fa_xacro_at_word(p, word)) return false;
    p->at += strlen(word);
    return true;
}

void fa_xacro_need(fa_xacro_parser *p, const char *sign)
{
    if (fa_xacro_take_sign(p, sign)) return;
    if (fa_xacro_at_word(p, "for") || fa_xacro_at_word(p, "async") || strncmp(p->at, ":=", 2) == 0)
        fa_xacro_too_much(p);
    fa_xacro_no_expression(p, fa_xacro_print(p->x, "'%s' is missing at '%.40s'", sign, p->at));
}

fa_xacro_term *fa_xacro_number(fa_xacro_parser *p)
{
    const char    *at = p->at;
    fa_xacro_term *t = fa_xacro_term_new(p, FA_TERM_VALUE);
    size_t         n = 0;
    bool           based = at[0] == '0' && at[1] && strchr("xXoObB", at[1]), real = false;
    while (fa_xacro_is_digit(at[n]) || is_letter(at[n]) || (at[n] == '.' && !based) ||
           (n > 0 && !based && (at[n] == '+' || at[n] == '-') && (at[n - 1] | 0x20) == 'e')) {
        real |= !based && (at[n] == '.' || (at[n] | 0x20) == 'e');
        n++;
    }
    fa_xacro_builder plain = {.n = 0};
    for (size_t i = 0; i < n; i++) {
        if (at[i] != '_')
            fa_xacro_build(p->x, &plain, at + i, 1);
        else if (i + 1 == n || !(fa_xacro_is_digit(at[i + 1]) || is_letter(at[i + 1])))
            fa_xacro_no_expression(p, "a number ends with _");
    }
    const char *text = fa_xacro_built(p->x, &plain);
    p->at += n;
    if (real) {
        t->value.kind = FA_VALUE_FLOAT;
        if (fa_number_read(text, plain.n, &t->value.is.number) == plain.n) return t;
    } else {
        const bool octal = text[0] == '0' && plain.n > 1 && text[strspn(text, "0")] && !based;
        if (!octal && fa_xacro_read_int(text, 0, &t->value.is.integer)) {
            t->value.kind = FA_VALUE_INT;
            return t;
        }
    }
    fa_xacro_no_expression(p,
                           fa_xacro_print(p->x, "'%.60s' is no number, or too large a one", text));
}

static void escape(fa_xacro_parser *p, fa_xacro_builder *b)
{
    static const char from[] = "\\'\"abfnrtv\n", to[] = "\\'\"\a\b\f\n\r\t\v";
    const char       *found = *p->at ? strchr(from, *p->at) : NULL;
    if (!found && *p->at && strchr("01234567xNuU", *p->at)) fa_xacro_too_much(p);
    if (!found)
        fa_xacro_build_text(p->x, b, "\\"); // Python keeps it
    else if (*found != '\n')
        fa_xacro_build(p->x, b, &to[found - from], 1);
    if (found) p->at++;
}

fa_xacro_term *fa_xacro_quoted(fa_xacro_parser *p)
{
    fa_xacro_builder b = {.n = 0};
    fa_xacro_term   *t = fa_xacro_term_new(p, FA_TERM_VALUE);
    do {
        const char quote = *p->at;
        if (p->at[1] == quote && p->at[2] == quote) fa_xacro_too_much(p);
        for (p->at++; *p->at != quote;) {
            if (*p->at == '\0' || *p->at == '\n')
                fa_xacro_no_expression(p, "a quote is not closed");
            if (*p->at == '\\') {
                p->at++;
                escape(p, &b);
            } else {
                fa_xacro_build(p->x, &b, p->at++, 1);
            }
        }
        p->at++;
        fa_xacro_skip(p);
    } while (*p->at == '\'' || *p->at == '"');
    t->value = fa_xacro_of_text(fa_xacro_built(p->x, &b));
    return t;
}
