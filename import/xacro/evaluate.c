// The value of an expression's terms, in a scope.
#include <string.h>

#include "expansion.h"

typedef struct evaluation {
    fa_xacro       *x;
    fa_xacro_scope *scope;
} evaluation;

static fa_xacro_value value_of(const evaluation *e, const fa_xacro_term *t);

static fa_xacro_value name_value(const evaluation *e, const char *name)
{
    fa_xacro_value value;
    if (e->scope && fa_xacro_scope_get(e->x, e->scope, name, &value)) return value;
    if (fa_xacro_builtin(name, FA_BARE, &value)) return value;
    if (fa_xacro_builtin(name, FA_IN_PYTHON, &value))
        fa_xacro_halt(e->x, "there is no '%.100s'; it is written python.%.100s", name, name);
    fa_xacro_halt(e->x,
                  "'%.100s' is no property and no function; define it with <xacro:property "
                  "name=\"%.100s\" …> before it is used",
                  name, name);
}

static fa_xacro_value compared(const evaluation *e, const fa_xacro_term *t)
{
    fa_xacro_value left = value_of(e, t->a);
    for (const fa_xacro_term *part = t->list; part; part = part->next) {
        const fa_xacro_value right = value_of(e, part->a);
        if (!fa_xacro_compare(e->x, part->operator, & left, &right)) return fa_xacro_of_bool(false);
        left = right;
    }
    return fa_xacro_of_bool(true);
}

static fa_xacro_value listed(const evaluation *e, const fa_xacro_term *t)
{
    int n = 0;
    for (const fa_xacro_term *part = t->list; part; part = part->next) n++;
    fa_xacro_value list =
        fa_xacro_list_new(e->x, t->kind == FA_TERM_LIST ? FA_VALUE_LIST : FA_VALUE_TUPLE, n);
    n = 0;
    for (const fa_xacro_term *part = t->list; part; part = part->next)
        list.is.list->of[n++] = value_of(e, part);
    return list;
}

static fa_xacro_value called(const evaluation *e, const fa_xacro_term *t)
{
    const fa_xacro_value function = value_of(e, t->a);
    int                  n = 0, named = 0, i = 0;
    for (const fa_xacro_term *a = t->list; a; a = a->next) a->name ? named++ : n++;
    fa_xacro_value *value = fa_xacro_take(e->x, (size_t)(n + named) * sizeof *value);
    const char    **name = fa_xacro_take(e->x, (size_t)named * sizeof *name);
    for (const fa_xacro_term *a = t->list; a; a = a->next, i++) {
        value[i] = value_of(e, a->a);
        if (a->name) name[i - n] = a->name;
    }
    return fa_xacro_apply(e->x, &function, &(fa_xacro_given){n, named, value, value + n, name});
}

// -------------------------------------------------------------------------------------- subscripts

static fa_xacro_wide whole(fa_xacro *x, const fa_xacro_value *v)
{
    if (!fa_xacro_is_integral(v))
        fa_xacro_halt(x, "an index must be an integer, not %s", fa_xacro_literal_of(x, v));
    return fa_xacro_integer(v);
}

static fa_xacro_value item(const evaluation *e, const fa_xacro_value *of,
                           const fa_xacro_value *index)
{
    fa_xacro *x = e->x;
    if (of->kind == FA_VALUE_DICT) {
        const fa_xacro_value *found = fa_xacro_dict_find(x, of->is.dict, index);
        if (!found) fa_xacro_halt(x, "the dict has no key %.200s", fa_xacro_literal_of(x, index));
        return *found;
    }
    if (of->kind == FA_VALUE_SPACE && index->kind == FA_VALUE_TEXT) {
        fa_xacro_value value;
        if (fa_xacro_scope_get(x, of->is.space, index->is.text, &value)) return value;
    }
    if (!fa_xacro_is_list(of) && of->kind != FA_VALUE_TEXT)
        fa_xacro_halt(x, "a %s has no [index]", fa_xacro_kind_name(of));
    const bool          is_text = of->kind == FA_VALUE_TEXT;
    const fa_xacro_wide n =
        is_text ? (fa_xacro_wide)fa_xacro_characters(of->is.text) : of->is.list->n;
    const fa_xacro_wide asked = whole(x, index), i = asked < 0 ? asked + n : asked;
    if (i < 0 || i >= n)
        fa_xacro_halt(x, "there is no element %s among %s", fa_xacro_int_text(x, asked),
                      fa_xacro_int_text(x, n));
    if (!is_text) return of->is.list->of[(int)i];
    const char *at = fa_xacro_character(of->is.text, (size_t)i);
    return fa_xacro_of_text(fa_xacro_kept(x, at, (size_t)(fa_xacro_character(at, 1) - at)));
}

// Clamps one end of a slice, by Python's rules.
static fa_xacro_wide end_of(const evaluation *e, const fa_xacro_term *t, fa_xacro_wide n,
                            fa_xacro_wide step, bool first)
{
    const fa_xacro_wide  low = step < 0 ? -1 : 0, high = step < 0 ? n - 1 : n;
    const fa_xacro_value v = t ? value_of(e, t) : FA_NONE;
    if (v.kind == FA_VALUE_NONE) return (step < 0) == first ? high : low;
    fa_xacro_wide i = whole(e->x, &v);
    if (i < 0) i += n;
    return i < low ? low : i > high ? high : i;
}

static fa_xacro_value slice(const evaluation *e, const fa_xacro_term *t)
{
    const fa_xacro_value of = value_of(e, t->a), list = fa_xacro_elements_of(e->x, &of);
    if (of.kind == FA_VALUE_DICT) fa_xacro_halt(e->x, "a dict has no [from:to]");
    const fa_xacro_value by = t->d ? value_of(e, t->d) : FA_NONE;
    const fa_xacro_wide n = list.is.list->n, step = by.kind == FA_VALUE_NONE ? 1 : whole(e->x, &by);
    if (step == 0) fa_xacro_halt(e->x, "the step of [from:to:step] is 0");
    const fa_xacro_wide from = end_of(e, t->b, n, step, true), to = end_of(e, t->c, n, step, false);
    int                 count = 0;
    for (fa_xacro_wide i = from; step > 0 ? i < to : i > to; i += step) count++;
    fa_xacro_value part =
        fa_xacro_list_new(e->x, of.kind == FA_VALUE_TUPLE ? FA_VALUE_TUPLE : FA_VALUE_LIST, count);
    count = 0;
    for (fa_xacro_wide i = from; step > 0 ? i < to : i > to; i += step)
        part.is.list->of[count++] = list.is.list->of[(int)i];
    if (of.kind != FA_VALUE_TEXT) return part;
    fa_xacro_builder b = {.n = 0};
    for (int i = 0; i < count; i++) fa_xacro_build_text(e->x, &b, part.is.list->of[i].is.text);
    return fa_xacro_of_text(fa_xacro_built(e->x, &b));
}

static fa_xacro_value member(const evaluation *e, const fa_xacro_term *t)
{
    const fa_xacro_value of = value_of(e, t->a);
    fa_xacro_value       value;
    if (of.kind == FA_VALUE_MODULE && fa_xacro_builtin(t->name, of.is.module, &value)) return value;
    if (of.kind == FA_VALUE_SPACE && fa_xacro_scope_get(e->x, of.is.space, t->name, &value))
        return value;
    if (fa_xacro_value_method(e->x, &of, t->name, &value)) return value;
    if (of.kind == FA_VALUE_DICT && of.is.dict->dotted) {
        const fa_xacro_value  key = fa_xacro_of_text(t->name);
        const fa_xacro_value *found = fa_xacro_dict_find(e->x, of.is.dict, &key);
        if (found) return *found;
        fa_xacro_halt(e->x, "the dict has no key '%.100s'", t->name);
    }
    if (of.kind == FA_VALUE_MODULE)
        fa_xacro_halt(e->x,
                      "'%.100s' is more of Python than is read here; expand it with xacro and give "
                      "the result",
                      t->name);
    fa_xacro_halt(e->x, "there is no .%.100s of a %s%s", t->name, fa_xacro_kind_name(&of),
                  of.kind == FA_VALUE_DICT ? "; write ['key'], or make it one with xacro.dotify"
                                           : "");
}

// ------------------------------------------------------------------------------------------ terms

static fa_xacro_value term_value(const evaluation *e, const fa_xacro_term *t)
{
    fa_xacro_value a, b;
    switch (t->kind) {
    case FA_TERM_VALUE:
        return t->value;
    case FA_TERM_NAME:
        return name_value(e, t->name);
    case FA_TERM_UNARY:
        a = value_of(e, t->a);
        return fa_xacro_unary(e->x, t->operator, & a);
    case FA_TERM_BINARY:
        a = value_of(e, t->a);
        b = value_of(e, t->b);
        return fa_xacro_binary(e->x, t->operator, & a, &b);
    case FA_TERM_BOTH: // also a term in parentheses, which has no other
        a = value_of(e, t->a);
        return t->b && fa_xacro_truth(&a) ? value_of(e, t->b) : a;
    case FA_TERM_EITHER:
        a = value_of(e, t->a);
        return fa_xacro_truth(&a) ? a : value_of(e, t->b);
    case FA_TERM_COMPARE:
        return compared(e, t);
    case FA_TERM_IF:
        b = value_of(e, t->b);
        return value_of(e, fa_xacro_truth(&b) ? t->a : t->c);
    case FA_TERM_CALL:
        return called(e, t);
    case FA_TERM_INDEX:
        a = value_of(e, t->a);
        b = value_of(e, t->b);
        return item(e, &a, &b);
    case FA_TERM_SLICE:
        return slice(e, t);
    case FA_TERM_MEMBER:
        return member(e, t);
    case FA_TERM_LIST:
    case FA_TERM_TUPLE:
        return listed(e, t);
    }
    return FA_NONE;
}

static fa_xacro_value value_of(const evaluation *e, const fa_xacro_term *t)
{
    enum { DEEPEST = 2000 }; // a chain such as 1 + 1 + … is a tree as deep as it is long
    fa_xacro *x = e->x;
    fa_xacro_count(x, 1);
    if (++x->n_terms > DEEPEST) fa_xacro_halt(x, "an expression is nested too deep here");
    const fa_xacro_value value = term_value(e, t);
    x->n_terms--;
    return value;
}

fa_xacro_value fa_xacro_evaluate(fa_xacro *x, const char *expression, fa_xacro_scope *scope)
{
    const char *before = x->expression;
    x->expression = expression;
    const evaluation     e = {x, scope};
    const fa_xacro_value value = value_of(&e, fa_xacro_parse(x, expression));
    x->expression = before;
    return value;
}
