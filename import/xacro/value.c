// Values of expressions: what they are called, whether they are true, equal, in which order, and
// where their elements are.
#include <math.h>
#include <string.h>

#include "expansion.h"

const char *fa_xacro_kind_name(const fa_xacro_value *v)
{
    static const char *const name[] = {
        [FA_VALUE_NONE] = "None",       [FA_VALUE_BOOL] = "bool",
        [FA_VALUE_INT] = "int",         [FA_VALUE_FLOAT] = "float",
        [FA_VALUE_TEXT] = "str",        [FA_VALUE_LIST] = "list",
        [FA_VALUE_TUPLE] = "tuple",     [FA_VALUE_RANGE] = "range",
        [FA_VALUE_DICT] = "dict",       [FA_VALUE_FUNCTION] = "function",
        [FA_VALUE_METHOD] = "method",   [FA_VALUE_MODULE] = "module",
        [FA_VALUE_SPACE] = "namespace", [FA_VALUE_BLOCK] = "block",
        [FA_VALUE_MACRO] = "macro",
    };
    return name[v->kind];
}

bool fa_xacro_truth(const fa_xacro_value *v)
{
    switch (v->kind) {
    case FA_VALUE_NONE:
        return false;
    case FA_VALUE_BOOL:
        return v->is.truth;
    case FA_VALUE_INT:
        return v->is.integer != 0;
    case FA_VALUE_FLOAT:
        return v->is.number != 0;
    case FA_VALUE_TEXT:
        return v->is.text[0] != '\0';
    case FA_VALUE_LIST:
    case FA_VALUE_TUPLE:
    case FA_VALUE_RANGE:
        return v->is.list->n > 0;
    case FA_VALUE_DICT:
        return v->is.dict->n > 0;
    default:
        return true;
    }
}

static void deeper(fa_xacro *x)
{
    fa_xacro_count(x, 1); // a list may hold another one twice, and that a third one twice …
    if (++x->n_nested > FA_XACRO_DEPTH)
        fa_xacro_halt(x, "lists are nested more than %d deep here; no robot needs that",
                      FA_XACRO_DEPTH);
}

bool fa_xacro_equal(fa_xacro *x, const fa_xacro_value *a, const fa_xacro_value *b)
{
    if (fa_xacro_is_integral(a) && fa_xacro_is_integral(b))
        return fa_xacro_integer(a) == fa_xacro_integer(b);
    if (fa_xacro_is_number(a) && fa_xacro_is_number(b))
        return fa_xacro_double(a) == fa_xacro_double(b);
    if (a->kind != b->kind) return false;
    bool equal = true;
    deeper(x);
    switch (a->kind) {
    case FA_VALUE_NONE:
        break;
    case FA_VALUE_TEXT:
        equal = strcmp(a->is.text, b->is.text) == 0;
        break;
    case FA_VALUE_LIST:
    case FA_VALUE_TUPLE:
    case FA_VALUE_RANGE:
        equal = a->is.list->n == b->is.list->n;
        for (int i = 0; equal && i < a->is.list->n; i++)
            equal = fa_xacro_equal(x, &a->is.list->of[i], &b->is.list->of[i]);
        break;
    case FA_VALUE_DICT:
        equal = a->is.dict->n == b->is.dict->n;
        for (int i = 0; equal && i < a->is.dict->n; i++) {
            const fa_xacro_value *other = fa_xacro_dict_find(x, b->is.dict, &a->is.dict->key[i]);
            equal = other && fa_xacro_equal(x, &a->is.dict->value[i], other);
        }
        break;
    case FA_VALUE_FUNCTION:
        equal = a->is.function == b->is.function;
        break;
    default:
        equal = a->is.text == b->is.text;
        break;
    }
    x->n_nested--;
    return equal;
}

int fa_xacro_order(fa_xacro *x, const fa_xacro_value *a, const fa_xacro_value *b)
{
    if (fa_xacro_is_integral(a) && fa_xacro_is_integral(b))
        return (fa_xacro_integer(a) > fa_xacro_integer(b)) -
               (fa_xacro_integer(a) < fa_xacro_integer(b));
    if (fa_xacro_is_number(a) && fa_xacro_is_number(b))
        return (fa_xacro_double(a) > fa_xacro_double(b)) -
               (fa_xacro_double(a) < fa_xacro_double(b));
    if (a->kind == FA_VALUE_TEXT && b->kind == FA_VALUE_TEXT) {
        const int order = strcmp(a->is.text, b->is.text);
        return (order > 0) - (order < 0);
    }
    if (a->kind == b->kind && (a->kind == FA_VALUE_LIST || a->kind == FA_VALUE_TUPLE)) {
        const fa_xacro_values *p = a->is.list, *q = b->is.list;
        int                    order = 0;
        deeper(x);
        for (int i = 0; order == 0 && i < p->n && i < q->n; i++)
            if (!fa_xacro_equal(x, &p->of[i], &q->of[i]))
                order = fa_xacro_order(x, &p->of[i], &q->of[i]);
        x->n_nested--;
        return order ? order : (p->n > q->n) - (p->n < q->n);
    }
    fa_xacro_halt(x, "%s and %s have no order, so that they cannot be compared with <",
                  fa_xacro_kind_name(a), fa_xacro_kind_name(b));
}

fa_xacro_value fa_xacro_list_new(fa_xacro *x, fa_xacro_value_kind kind, int n)
{
    if (n > FA_XACRO_LENGTH)
        fa_xacro_halt(x, "a list becomes longer than %d elements here; no robot needs that",
                      FA_XACRO_LENGTH);
    fa_xacro_count(x, (size_t)n);
    fa_xacro_values *list = fa_xacro_take(x, sizeof *list);
    list->n = n;
    list->of = fa_xacro_take(x, (size_t)n * sizeof *list->of);
    return (fa_xacro_value){.kind = kind, .is.list = list};
}

fa_xacro_value fa_xacro_dict_new(fa_xacro *x)
{
    return (fa_xacro_value){.kind = FA_VALUE_DICT,
                            .is.dict = fa_xacro_take(x, sizeof(fa_xacro_dict))};
}

fa_xacro_value *fa_xacro_dict_find(fa_xacro *x, const fa_xacro_dict *dict,
                                   const fa_xacro_value *key)
{
    if (key->kind == FA_VALUE_LIST || key->kind == FA_VALUE_DICT)
        fa_xacro_halt(x, "a %s cannot be the key of a dict", fa_xacro_kind_name(key));
    fa_xacro_count(x, (size_t)dict->n);
    for (int i = 0; i < dict->n; i++)
        if (fa_xacro_equal(x, &dict->key[i], key)) return &dict->value[i];
    return NULL;
}

void fa_xacro_dict_put(fa_xacro *x, fa_xacro_dict *dict, fa_xacro_value key, fa_xacro_value value)
{
    enum { MOST = 2000 }; // each is compared with each
    fa_xacro_value *old = fa_xacro_dict_find(x, dict, &key);
    if (old) {
        *old = value;
        return;
    }
    if (dict->n == MOST)
        fa_xacro_halt(x, "a dict gets more than %d keys here; no robot needs that", MOST);
    if (dict->n == dict->room) {
        const int       room = 2 * dict->room + 8;
        fa_xacro_value *keys = fa_xacro_take(x, (size_t)room * sizeof *keys);
        fa_xacro_value *values = fa_xacro_take(x, (size_t)room * sizeof *values);
        if (dict->n) {
            memcpy(keys, dict->key, (size_t)dict->n * sizeof *keys);
            memcpy(values, dict->value, (size_t)dict->n * sizeof *values);
        }
        dict->key = keys;
        dict->value = values;
        dict->room = room;
    }
    dict->key[dict->n] = key;
    dict->value[dict->n++] = value;
}

fa_xacro_value fa_xacro_elements_of(fa_xacro *x, const fa_xacro_value *v)
{
    if (fa_xacro_is_list(v)) {
        fa_xacro_count(x, (size_t)v->is.list->n); // callers iterate over the list
        return *v;
    }
    fa_xacro_value list;
    if (v->kind == FA_VALUE_DICT) {
        list = fa_xacro_list_new(x, FA_VALUE_LIST, v->is.dict->n);
        for (int i = 0; i < v->is.dict->n; i++) list.is.list->of[i] = v->is.dict->key[i];
        return list;
    }
    if (v->kind != FA_VALUE_TEXT)
        fa_xacro_halt(x, "a list, text or dict is wanted here, and this is %s",
                      fa_xacro_literal_of(x, v));
    list = fa_xacro_list_new(x, FA_VALUE_LIST, (int)fa_xacro_characters(v->is.text));
    const char *at = v->is.text;
    for (int i = 0; i < list.is.list->n; i++) {
        const char *end = fa_xacro_character(at, 1);
        list.is.list->of[i] = fa_xacro_of_text(fa_xacro_kept(x, at, (size_t)(end - at)));
        at = end;
    }
    return list;
}

fa_xacro_value fa_xacro_typed(fa_xacro *x, fa_xacro_value v)
{
    if (v.kind != FA_VALUE_TEXT) return v;
    const char   *text = v.is.text;
    const size_t  n = strlen(text);
    fa_xacro_wide integer;
    double        number;
    if (n >= 2 && text[0] == '\'' && text[n - 1] == '\'')
        return fa_xacro_of_text(fa_xacro_kept(x, text + 1, n - 2));
    if (strchr(text, '_')) return v;
    if (fa_xacro_read_int(text, 10, &integer)) return fa_xacro_of_int(integer);
    // An integer with more digits than fit stays as it is written.
    const char *digits = text + strspn(text, " \t\r\n+-");
    if (*digits && digits[strspn(digits, "0123456789")] == '\0') return v;
    if (fa_xacro_read_float(text, &number)) return fa_xacro_of_float(number);
    if (strcmp(text, "true") == 0 || strcmp(text, "True") == 0) return fa_xacro_of_bool(true);
    if (strcmp(text, "false") == 0 || strcmp(text, "False") == 0) return fa_xacro_of_bool(false);
    return v;
}

size_t fa_xacro_characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

const char *fa_xacro_character(const char *text, size_t index)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80 && index-- == 0) break;
    return text;
}
