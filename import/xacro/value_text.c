// Values as text and back, as Python writes and reads them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expansion.h"
#include "number.h"

const char *fa_xacro_int_text(fa_xacro *x, fa_xacro_wide number)
{
    char text[48], *at = text + sizeof text;
    bool negative = number < 0;
    do *--at = (char)('0' + (int)(number % 10 < 0 ? -(number % 10) : number % 10));
    while ((number /= 10) != 0);
    if (negative) *--at = '-';
    return fa_xacro_kept(x, at, (size_t)(text + sizeof text - at));
}

// Shortest digits that read back, with a point always, and an exponent below 1e-4 and from 1e16 on.
const char *fa_xacro_float_text(fa_xacro *x, double number)
{
    char   text[FA_NUMBER_SIZE], digit[FA_NUMBER_SIZE];
    int    n = 0, exponent = 0, before = 0;
    bool   point = false;
    size_t size = fa_number_write(number, text);
    if (!isfinite(number)) return fa_xacro_kept(x, text, size);
    const char *sign = text[0] == '-' ? "-" : "";
    for (const char *p = text + (*sign == '-'); *p; p++) {
        if (*p == 'e') {
            int sense = p[1] == '-' ? -1 : 1;
            for (p += p[1] == '-' || p[1] == '+' ? 2 : 1; *p; p++)
                exponent = 10 * exponent + (*p - '0');
            exponent *= sense;
            break;
        }
        if (*p == '.')
            point = true;
        else if (n || *p != '0') {
            digit[n++] = *p;
            before += !point;
        } else if (point)
            before--;
    }
    while (n > 1 && digit[n - 1] == '0') n--;
    if (n == 0) return fa_xacro_print(x, "%s0.0", signbit(number) ? "-" : "");
    const int power = before + exponent; // 0.digits * 10^power
    if (power - 1 < -4 || power - 1 >= 16)
        return fa_xacro_print(x, "%s%c%s%.*se%c%02d", sign, digit[0], n > 1 ? "." : "", n - 1,
                              digit + 1, power - 1 < 0 ? '-' : '+',
                              power - 1 < 0 ? 1 - power : power - 1);
    if (power <= 0) return fa_xacro_print(x, "%s0.%.*s%.*s", sign, -power, "0000", n, digit);
    if (power >= n)
        return fa_xacro_print(x, "%s%.*s%.*s.0", sign, n, digit, power - n, "0000000000000000");
    return fa_xacro_print(x, "%s%.*s.%.*s", sign, power, digit, n - power, digit + power);
}

static const char *quoted(fa_xacro *x, const char *text)
{
    fa_xacro_builder b = {.n = 0};
    const char       quote[2] = {strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'', '\0'};
    fa_xacro_build_text(x, &b, quote);
    for (const char *p = text; *p; p++) {
        if (*p == quote[0] || *p == '\\') fa_xacro_build_text(x, &b, "\\");
        if (*p == '\n')
            fa_xacro_build_text(x, &b, "\\n");
        else if (*p == '\t')
            fa_xacro_build_text(x, &b, "\\t");
        else if (*p == '\r')
            fa_xacro_build_text(x, &b, "\\r");
        else
            fa_xacro_build(x, &b, p, 1);
    }
    fa_xacro_build_text(x, &b, quote);
    return fa_xacro_built(x, &b);
}

static const char *list_text(fa_xacro *x, const fa_xacro_value *v)
{
    const fa_xacro_values *list = v->is.list;
    if (v->kind == FA_VALUE_RANGE) {
        const char *step =
            list->step == 1 ? "" : fa_xacro_print(x, ", %s", fa_xacro_int_text(x, list->step));
        return fa_xacro_print(x, "range(%s, %s%s)", fa_xacro_int_text(x, list->start),
                              fa_xacro_int_text(x, list->stop), step);
    }
    fa_xacro_builder b = {.n = 0};
    fa_xacro_build_text(x, &b, v->kind == FA_VALUE_LIST ? "[" : "(");
    for (int i = 0; i < list->n; i++) {
        if (i) fa_xacro_build_text(x, &b, ", ");
        fa_xacro_build_text(x, &b, fa_xacro_literal_of(x, &list->of[i]));
    }
    if (v->kind == FA_VALUE_TUPLE && list->n == 1) fa_xacro_build_text(x, &b, ",");
    fa_xacro_build_text(x, &b, v->kind == FA_VALUE_LIST ? "]" : ")");
    return fa_xacro_built(x, &b);
}

static const char *dict_text(fa_xacro *x, const fa_xacro_dict *dict)
{
    fa_xacro_builder b = {.n = 0};
    fa_xacro_build_text(x, &b, "{");
    for (int i = 0; i < dict->n; i++) {
        if (i) fa_xacro_build_text(x, &b, ", ");
        fa_xacro_build_text(x, &b, fa_xacro_literal_of(x, &dict->key[i]));
        fa_xacro_build_text(x, &b, ": ");
        fa_xacro_build_text(x, &b, fa_xacro_literal_of(x, &dict->value[i]));
    }
    fa_xacro_build_text(x, &b, "}");
    return fa_xacro_built(x, &b);
}

const char *fa_xacro_literal_of(fa_xacro *x, const fa_xacro_value *v)
{
    return v->kind == FA_VALUE_TEXT ? quoted(x, v->is.text) : fa_xacro_text_of(x, v);
}

const char *fa_xacro_text_of(fa_xacro *x, const fa_xacro_value *v)
{
    const char *text;
    fa_xacro_count(x, 1);
    if (++x->n_nested > FA_XACRO_DEPTH)
        fa_xacro_halt(x, "lists are nested more than %d deep here; no robot needs that",
                      FA_XACRO_DEPTH);
    switch (v->kind) {
    case FA_VALUE_NONE:
        text = "None";
        break;
    case FA_VALUE_BOOL:
        text = v->is.truth ? "True" : "False";
        break;
    case FA_VALUE_INT:
        text = fa_xacro_int_text(x, v->is.integer);
        break;
    case FA_VALUE_FLOAT:
        text = fa_xacro_float_text(x, v->is.number);
        break;
    case FA_VALUE_TEXT:
        text = v->is.text;
        break;
    case FA_VALUE_LIST:
    case FA_VALUE_TUPLE:
    case FA_VALUE_RANGE:
        text = list_text(x, v);
        break;
    case FA_VALUE_DICT:
        text = dict_text(x, v->is.dict);
        break;
    default:
        fa_xacro_halt(x, "a %s has no text to be written", fa_xacro_kind_name(v));
    }
    x->n_nested--;
    return text;
}

// ---------------------------------------------------------------------------------------- reading

static const char *trimmed(const char *text, size_t *n)
{
    text += strspn(text, " \t\r\n\f\v");
    *n = strlen(text);
    while (*n > 0 && strchr(" \t\r\n\f\v", text[*n - 1])) --*n;
    return text;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

bool fa_xacro_read_int(const char *text, int base, fa_xacro_wide *value)
{
    size_t      n, i = 0;
    const char *t = trimmed(text, &n);
    const bool  negative = n > 0 && t[0] == '-';
    if (n > 0 && (t[0] == '-' || t[0] == '+')) i++;
    if (n > i + 2 && t[i] == '0') {
        const char letter = t[i + 1] | 0x20;
        const int  said = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
        if (said && (base == said || base == 0)) {
            base = said;
            i += 2;
        }
    }
    if (base == 0) base = 10;
    if (i == n) return false;
    *value = 0;
    for (; i < n; i++) {
        if (t[i] == '_' && i > 0 && i + 1 < n && t[i - 1] != '_') continue;
        const int digit = digit_of(t[i]);
        if (digit >= base || __builtin_mul_overflow(*value, (fa_xacro_wide)base, value) ||
            __builtin_add_overflow(*value, (fa_xacro_wide)(negative ? -digit : digit), value))
            return false;
    }
    return true;
}

bool fa_xacro_read_float(const char *text, double *value)
{
    static const struct {
        const char *word;
        double      value;
    } special[] = {{"inf", INFINITY}, {"infinity", INFINITY}, {"nan", NAN}};
    size_t      n, i;
    const char *t = trimmed(text, &n);
    if (n == 0) return false;
    const size_t sign = t[0] == '-' || t[0] == '+';
    for (size_t k = 0; k < sizeof special / sizeof *special; k++) {
        if (strlen(special[k].word) != n - sign) continue;
        for (i = sign; i < n && (t[i] | 0x20) == special[k].word[i - sign];) i++;
        if (i < n) continue;
        *value = t[0] == '-' ? -special[k].value : special[k].value;
        return true;
    }
    return fa_number_read(t, n, value) == n;
}
