// Methods of texts and dicts: 'a b'.split(), d.keys() and so on.
#include <string.h>

#include "expansion.h"

static const char *text_at(fa_xacro *x, const fa_xacro_given *with, int i)
{
    if (with->of[i].kind != FA_VALUE_TEXT)
        fa_xacro_halt(x, "a text is wanted here, and this is %.200s",
                      fa_xacro_literal_of(x, &with->of[i]));
    return with->of[i].is.text;
}

static const char spaces[] = " \t\r\n\f\v";

static void list_add(fa_xacro *x, fa_xacro_values *list, int *room, fa_xacro_value value)
{
    if (list->n == *room) {
        fa_xacro_value larger = fa_xacro_list_new(x, FA_VALUE_LIST, 2 * *room + 8);
        for (int i = 0; i < list->n; i++) larger.is.list->of[i] = list->of[i];
        list->of = larger.is.list->of;
        *room = larger.is.list->n;
    }
    list->of[list->n++] = value;
}

static fa_xacro_value split(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const bool    blank = with->n == 0 || with->of[0].kind == FA_VALUE_NONE;
    const char   *between = blank ? NULL : text_at(x, with, 0), *at = self->is.text;
    fa_xacro_wide left =
        with->n > 1 && fa_xacro_is_integral(&with->of[1]) ? fa_xacro_integer(&with->of[1]) : -1;
    fa_xacro_value list = fa_xacro_list_new(x, FA_VALUE_LIST, 0);
    int            room = 0;
    if (!blank && !*between) fa_xacro_halt(x, "split(…) needs a separator that is not empty");
    for (;; left--) {
        if (blank) at += strspn(at, spaces);
        if (blank && !*at) break;
        const char *end = left == 0 ? NULL : blank ? at + strcspn(at, spaces) : strstr(at, between);
        const size_t size = end ? (size_t)(end - at) : strlen(at);
        list_add(x, list.is.list, &room, fa_xacro_of_text(fa_xacro_kept(x, at, size)));
        if (!end) break;
        at = end + (blank ? 0 : strlen(between));
    }
    return list;
}

static fa_xacro_value strip(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with,
                            bool left, bool right)
{
    const char *of = with->n && with->of[0].kind != FA_VALUE_NONE ? text_at(x, with, 0) : spaces;
    const char *at = self->is.text + (left ? strspn(self->is.text, of) : 0);
    size_t      n = strlen(at);
    while (right && n > 0 && strchr(of, at[n - 1])) n--;
    return fa_xacro_of_text(fa_xacro_kept(x, at, n));
}

static fa_xacro_value strip_both(fa_xacro *x, const fa_xacro_value *self,
                                 const fa_xacro_given *with)
{
    return strip(x, self, with, true, true);
}
static fa_xacro_value strip_left(fa_xacro *x, const fa_xacro_value *self,
                                 const fa_xacro_given *with)
{
    return strip(x, self, with, true, false);
}
static fa_xacro_value strip_right(fa_xacro *x, const fa_xacro_value *self,
                                  const fa_xacro_given *with)
{
    return strip(x, self, with, false, true);
}

static void check_letters(fa_xacro *x, const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text > 0x7f)
            fa_xacro_halt(x, "letters beyond ASCII have a case that is more of Python than is read "
                             "here; write the text as it has to be");
}

static fa_xacro_value in_case(fa_xacro *x, const fa_xacro_value *self, char from, char to,
                              bool first_only)
{
    const size_t n = strlen(self->is.text);
    char        *text = fa_xacro_take(x, n + 1);
    check_letters(x, self->is.text);
    for (size_t i = 0; i < n; i++) {
        const char c = self->is.text[i];
        const bool upper = first_only && i == 0;
        const char low = upper ? 'a' : from, high = upper ? 'A' : to;
        text[i] = c >= low && c <= low + 25 ? (char)(c - low + high) : c;
    }
    return fa_xacro_of_text(text);
}

static fa_xacro_value lower(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    (void)with;
    return in_case(x, self, 'A', 'a', false);
}
static fa_xacro_value upper(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    (void)with;
    return in_case(x, self, 'a', 'A', false);
}
static fa_xacro_value capitalize(fa_xacro *x, const fa_xacro_value *self,
                                 const fa_xacro_given *with)
{
    (void)with;
    return in_case(x, self, 'A', 'a', true);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}
static bool ends(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);
    return m <= n && strcmp(text + n - m, with) == 0;
}

static fa_xacro_value whether(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with,
                              bool (*test)(const char *, const char *))
{
    if (with->of[0].kind != FA_VALUE_TUPLE)
        return fa_xacro_of_bool(test(self->is.text, text_at(x, with, 0)));
    const fa_xacro_values *list = with->of[0].is.list;
    const fa_xacro_given   each = {.n = list->n, .of = list->of};
    for (int i = 0; i < list->n; i++)
        if (test(self->is.text, text_at(x, &each, i))) return fa_xacro_of_bool(true);
    return fa_xacro_of_bool(false);
}

static fa_xacro_value starts_with(fa_xacro *x, const fa_xacro_value *self,
                                  const fa_xacro_given *with)
{
    return whether(x, self, with, begins);
}
static fa_xacro_value ends_with(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    return whether(x, self, with, ends);
}

static fa_xacro_value replace(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const char *from = text_at(x, with, 0), *to = text_at(x, with, 1), *at = self->is.text, *found;
    fa_xacro_wide left =
        with->n > 2 && fa_xacro_is_integral(&with->of[2]) ? fa_xacro_integer(&with->of[2]) : -1;
    fa_xacro_builder b = {.n = 0};
    if (!*from) fa_xacro_halt(x, "replace(…) needs a text to look for that is not empty");
    for (; left != 0 && (found = strstr(at, from)) != NULL; left--) {
        fa_xacro_build(x, &b, at, (size_t)(found - at));
        fa_xacro_build_text(x, &b, to);
        at = found + strlen(from);
    }
    fa_xacro_build_text(x, &b, at);
    return fa_xacro_of_text(fa_xacro_built(x, &b));
}

static fa_xacro_value join(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const fa_xacro_value list = fa_xacro_elements_of(x, &with->of[0]);
    const fa_xacro_given each = {.n = list.is.list->n, .of = list.is.list->of};
    fa_xacro_builder     b = {.n = 0};
    for (int i = 0; i < each.n; i++) {
        if (i) fa_xacro_build_text(x, &b, self->is.text);
        fa_xacro_build_text(x, &b, text_at(x, &each, i));
    }
    return fa_xacro_of_text(fa_xacro_built(x, &b));
}

static fa_xacro_value find(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const char   *found = strstr(self->is.text, text_at(x, with, 0));
    fa_xacro_wide n = 0;
    for (const char *p = self->is.text; found && p < found; p = fa_xacro_character(p, 1)) n++;
    return fa_xacro_of_int(found ? n : -1);
}

static fa_xacro_value count(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const char   *of = text_at(x, with, 0), *at = self->is.text;
    fa_xacro_wide n = 0;
    if (!*of) return fa_xacro_of_int((fa_xacro_wide)fa_xacro_characters(at) + 1);
    for (; (at = strstr(at, of)) != NULL; at += strlen(of)) n++;
    return fa_xacro_of_int(n);
}

static bool all_of(const char *text, const char *first, const char *last)
{
    const char *p = text;
    while (*p &&
           ((*p >= first[0] && *p <= last[0]) || (first[1] && *p >= first[1] && *p <= last[1])))
        p++;
    return *text && !*p;
}
static fa_xacro_value is_digits(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    (void)x, (void)with;
    return fa_xacro_of_bool(all_of(self->is.text, "0", "9"));
}
static fa_xacro_value is_letters(fa_xacro *x, const fa_xacro_value *self,
                                 const fa_xacro_given *with)
{
    (void)with;
    check_letters(x, self->is.text);
    return fa_xacro_of_bool(all_of(self->is.text, "aA", "zZ"));
}

// '{} {1} {name}'.format(…), with fills such as {:.3f}.
static fa_xacro_value format(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    fa_xacro_builder b = {.n = 0};
    int              next = 0;
    for (const char *p = self->is.text; *p;) {
        if ((*p == '{' || *p == '}') && p[1] == *p) {
            fa_xacro_build(x, &b, p, 1);
            p += 2;
            continue;
        }
        if (*p == '}') fa_xacro_halt(x, "a } stands alone in a format");
        if (*p != '{') {
            fa_xacro_build(x, &b, p++, 1);
            continue;
        }
        const char *close = strchr(p, '}');
        if (!close) fa_xacro_halt(x, "a { is not closed in a format");
        const char           *name = fa_xacro_kept(x, p + 1, strcspn(p + 1, ":}"));
        const char           *how = p + 1 + strlen(name);
        const fa_xacro_value *v = NULL;
        fa_xacro_wide         index;
        if (!*name)
            v = next < with->n ? &with->of[next++] : NULL;
        else if (fa_xacro_read_int(name, 10, &index))
            v = index >= 0 && index < with->n ? &with->of[(int)index] : NULL;
        for (int i = 0; !v && i < with->n_keywords; i++)
            if (strcmp(with->name[i], name) == 0) v = &with->keyword[i];
        if (!v) fa_xacro_halt(x, "format(…) has no argument for {%.60s}", name);
        if (*how == ':' && how + 1 < close) {
            fa_xacro_builder spec = {.n = 0};
            fa_xacro_build_text(x, &spec, "%");
            const bool plain =
                strspn(how + 1, "0123456789.+ defgEGsx") >= (size_t)(close - how - 1);
            if (!plain)
                fa_xacro_halt(x, "the format %.60s is more of Python than is read here", name);
            const bool typed = strchr("defgEGsx", close[-1]) != NULL,
                       text = v->kind == FA_VALUE_TEXT;
            if (!typed && !text && !fa_xacro_is_integral(v))
                fa_xacro_halt(
                    x, "a format without d, f, g, e or s is more of Python than is read here");
            if (text) fa_xacro_build_text(x, &spec, "-"); // texts stand at the left
            fa_xacro_build(x, &spec, how + 1, (size_t)(close - how - 1));
            if (!typed) fa_xacro_build_text(x, &spec, text ? "s" : "d");
            fa_xacro_build_text(x, &b, fa_xacro_format_percent(x, fa_xacro_built(x, &spec), v));
        } else {
            fa_xacro_build_text(x, &b, fa_xacro_text_of(x, v));
        }
        p = close + 1;
    }
    return fa_xacro_of_text(fa_xacro_built(x, &b));
}

// ------------------------------------------------------------------------------------------ dicts

static fa_xacro_value keys(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    (void)with;
    return fa_xacro_elements_of(x, self);
}
static fa_xacro_value values(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const fa_xacro_dict *dict = self->is.dict;
    fa_xacro_value       list = fa_xacro_list_new(x, FA_VALUE_LIST, dict->n);
    (void)with;
    for (int i = 0; i < dict->n; i++) list.is.list->of[i] = dict->value[i];
    return list;
}
static fa_xacro_value items(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const fa_xacro_dict *dict = self->is.dict;
    fa_xacro_value       list = fa_xacro_list_new(x, FA_VALUE_LIST, dict->n);
    (void)with;
    for (int i = 0; i < dict->n; i++) {
        fa_xacro_value pair = fa_xacro_list_new(x, FA_VALUE_TUPLE, 2);
        pair.is.list->of[0] = dict->key[i];
        pair.is.list->of[1] = dict->value[i];
        list.is.list->of[i] = pair;
    }
    return list;
}
static fa_xacro_value get(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    const fa_xacro_value *found = fa_xacro_dict_find(x, self->is.dict, &with->of[0]);
    return found ? *found : with->n > 1 ? with->of[1] : FA_NONE;
}

static fa_xacro_value index_of(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with)
{
    for (int i = 0; i < self->is.list->n; i++)
        if (fa_xacro_equal(x, &self->is.list->of[i], &with->of[0])) return fa_xacro_of_int(i);
    fa_xacro_halt(x, "%.200s is not in the list", fa_xacro_literal_of(x, &with->of[0]));
}

bool fa_xacro_value_method(fa_xacro *x, const fa_xacro_value *self, const char *name,
                           fa_xacro_value *method)
{
    static const fa_xacro_method_row row[] = {
        {FA_VALUE_TEXT, "split", 0, 2, split},
        {FA_VALUE_TEXT, "strip", 0, 1, strip_both},
        {FA_VALUE_TEXT, "lstrip", 0, 1, strip_left},
        {FA_VALUE_TEXT, "rstrip", 0, 1, strip_right},
        {FA_VALUE_TEXT, "lower", 0, 0, lower},
        {FA_VALUE_TEXT, "upper", 0, 0, upper},
        {FA_VALUE_TEXT, "capitalize", 0, 0, capitalize},
        {FA_VALUE_TEXT, "startswith", 1, 1, starts_with},
        {FA_VALUE_TEXT, "endswith", 1, 1, ends_with},
        {FA_VALUE_TEXT, "replace", 2, 3, replace},
        {FA_VALUE_TEXT, "join", 1, 1, join},
        {FA_VALUE_TEXT, "find", 1, 1, find},
        {FA_VALUE_TEXT, "count", 1, 1, count},
        {FA_VALUE_TEXT, "isdigit", 0, 0, is_digits},
        {FA_VALUE_TEXT, "isalpha", 0, 0, is_letters},
        {FA_VALUE_TEXT, "format", 0, 1000, format},
        {FA_VALUE_DICT, "keys", 0, 0, keys},
        {FA_VALUE_DICT, "values", 0, 0, values},
        {FA_VALUE_DICT, "items", 0, 0, items},
        {FA_VALUE_DICT, "get", 1, 2, get},
        {FA_VALUE_LIST, "index", 1, 1, index_of},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].of != self->kind || strcmp(row[i].name, name) != 0) continue;
        fa_xacro_method *bound = fa_xacro_take(x, sizeof *bound);
        *bound = (fa_xacro_method){*self, &row[i]};
        *method = (fa_xacro_value){.kind = FA_VALUE_METHOD, .is.method = bound};
        return true;
    }
    return false;
}
