// '… %s … %.3f' % values, as Python formats them.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expansion.h"

enum { WIDEST = 1000 };

const char *fa_xacro_format_number(fa_xacro *x, const char *flags, int width, int precision,
                                   char type, const fa_xacro_value *v)
{
    char       how[32], text[2 * WIDEST + 400];
    const bool integral = strchr("dixXo", type) != NULL;
    if (!fa_xacro_is_number(v))
        fa_xacro_halt(x, "%%%c needs a number, and this is %.200s", type,
                      fa_xacro_literal_of(x, v));
    if (integral) {
        const fa_xacro_wide n =
            v->kind == FA_VALUE_FLOAT ? (fa_xacro_wide)v->is.number : fa_xacro_integer(v);
        if (v->kind == FA_VALUE_FLOAT && !(fabs(v->is.number) < 9e18))
            fa_xacro_halt(x, "%%%c needs an integer", type);
        if (n > INT64_MAX || n < INT64_MIN)
            fa_xacro_halt(x, "an integer is too large for %%%c", type);
        (void)snprintf(how, sizeof how, "%%%s*.*lld", flags);
        how[strlen(how) - 1] = type;
        (void)snprintf(text, sizeof text, how, width, precision, (long long)n);
        return fa_xacro_kept(x, text, strlen(text));
    }
    (void)snprintf(how, sizeof how, "%%%s*.*%c", flags, type);
    (void)snprintf(text, sizeof text, how, width, precision < 0 ? 6 : precision,
                   fa_xacro_double(v));
    // Some locales write another decimal point; nothing else here can be of that kind.
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-eEinfaINFA ", *p)) *p = '.';
    return fa_xacro_kept(x, text, strlen(text));
}

// A number in digits, or * for the next value; -1 if there is none.
static int amount(fa_xacro *x, const char **at)
{
    int n = -1;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        n = (n < 0 ? 0 : n) * 10 + (**at - '0');
        if (n > WIDEST) fa_xacro_halt(x, "a format is wider than %d characters", WIDEST);
    }
    return n;
}

const char *fa_xacro_format_percent(fa_xacro *x, const char *format, const fa_xacro_value *with)
{
    const bool            several = with->kind == FA_VALUE_TUPLE;
    const int             n = several ? with->is.list->n : 1;
    const fa_xacro_value *of = several ? with->is.list->of : with;
    fa_xacro_builder      b = {.n = 0};
    int                   next = 0;
    for (const char *p = format; *p;) {
        if (*p != '%') {
            fa_xacro_build(x, &b, p++, 1);
            continue;
        }
        if (*++p == '%') {
            fa_xacro_build(x, &b, p++, 1);
            continue;
        }
        const fa_xacro_value *v = NULL;
        if (*p == '(' && with->kind == FA_VALUE_DICT) {
            const fa_xacro_value key =
                fa_xacro_of_text(fa_xacro_kept(x, p + 1, strcspn(p + 1, ")")));
            v = fa_xacro_dict_find(x, with->is.dict, &key);
            p += strcspn(p, ")");
            if (*p) p++;
            next = n;
        } else if (next < n) {
            v = &of[next++];
        }
        if (!v) fa_xacro_halt(x, "the format '%.100s' has more places than values", format);
        char   flags[8];
        size_t used = strspn(p, "-+ #0");
        if (used > 5) fa_xacro_halt(x, "the format '%.100s' cannot be read", format);
        memcpy(flags, p, used);
        flags[used] = '\0';
        p += used;
        int width = amount(x, &p), precision = -1;
        if (*p == '.') {
            p++;
            precision = amount(x, &p);
            if (precision < 0) precision = 0;
        }
        if (width < 0) width = 0;
        if (*p == 's' || *p == 'r') {
            const char  *text = *p == 's' ? fa_xacro_text_of(x, v) : fa_xacro_literal_of(x, v);
            const size_t all = fa_xacro_characters(text),
                         shown =
                             precision >= 0 && (size_t)precision < all ? (size_t)precision : all;
            const bool left = strchr(flags, '-') != NULL;
            for (size_t i = shown; !left && i < (size_t)width; i++) fa_xacro_build(x, &b, " ", 1);
            fa_xacro_build(x, &b, text, (size_t)(fa_xacro_character(text, shown) - text));
            for (size_t i = shown; left && i < (size_t)width; i++) fa_xacro_build(x, &b, " ", 1);
        } else if (*p && strchr("diufFgGeExXo", *p)) {
            fa_xacro_build_text(
                x, &b, fa_xacro_format_number(x, flags, width, precision, *p == 'u' ? 'd' : *p, v));
        } else {
            fa_xacro_halt(x, "the format '%.100s' cannot be read; %%s, %%d, %%f, %%g and %%e can",
                          format);
        }
        p++;
    }
    if (next < n && with->kind != FA_VALUE_DICT)
        fa_xacro_halt(x, "the format '%.100s' has fewer places than values", format);
    return fa_xacro_built(x, &b);
}
