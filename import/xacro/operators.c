// Operators on values, as Python has them: / always gives a float, // and % go to the lower side,
// integers do not overflow but are refused, comparisons need an order.
#include <math.h>
#include <string.h>

#include "expansion.h"

static _Noreturn void unfit(fa_xacro *x, const char *sign, const fa_xacro_value *a,
                            const fa_xacro_value *b)
{
    fa_xacro_halt(x, "%s does not go with %.150s and %.150s%s", sign, fa_xacro_literal_of(x, a),
                  fa_xacro_literal_of(x, b),
                  a->kind == FA_VALUE_TEXT || b->kind == FA_VALUE_TEXT
                      ? "; str(…) makes a text of a number, and float(…) a number of a text"
                      : "");
}

static _Noreturn void too_large(fa_xacro *x)
{
    fa_xacro_halt(x,
                  "an integer gets more than 38 digits here; write it as a float, such as 1.0e40");
}

static _Noreturn void by_zero(fa_xacro *x)
{
    fa_xacro_halt(x, "there is a division by zero");
}

static const char *const signs[] = {
    [FA_OP_OR] = "|",     [FA_OP_XOR] = "^",    [FA_OP_AND] = "&",      [FA_OP_LEFT] = "<<",
    [FA_OP_RIGHT] = ">>", [FA_OP_ADD] = "+",    [FA_OP_SUBTRACT] = "-", [FA_OP_MULTIPLY] = "*",
    [FA_OP_DIVIDE] = "/", [FA_OP_FLOOR] = "//", [FA_OP_MODULO] = "%",   [FA_OP_POWER] = "**",
};

// --------------------------------------------------------------------------------------- integers

static fa_xacro_wide times(fa_xacro *x, fa_xacro_wide a, fa_xacro_wide b)
{
    fa_xacro_wide c;
    if (__builtin_mul_overflow(a, b, &c)) too_large(x);
    return c;
}

static fa_xacro_wide floor_divide(fa_xacro_wide a, fa_xacro_wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static fa_xacro_wide integer_power(fa_xacro *x, fa_xacro_wide base, fa_xacro_wide exponent)
{
    fa_xacro_wide result = 1;
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 ? -1 : 1;
    if (exponent > 127) too_large(x);
    for (; exponent > 0; exponent--) result = times(x, result, base);
    return result;
}

static fa_xacro_value of_integers(fa_xacro *x, fa_xacro_operator op, fa_xacro_wide a,
                                  fa_xacro_wide b)
{
    fa_xacro_wide c;
    switch (op) {
    case FA_OP_ADD:
        if (__builtin_add_overflow(a, b, &c)) too_large(x);
        return fa_xacro_of_int(c);
    case FA_OP_SUBTRACT:
        if (__builtin_sub_overflow(a, b, &c)) too_large(x);
        return fa_xacro_of_int(c);
    case FA_OP_MULTIPLY:
        return fa_xacro_of_int(times(x, a, b));
    case FA_OP_FLOOR:
    case FA_OP_MODULO:
        if (b == 0) by_zero(x);
        if (b == -1) return fa_xacro_of_int(op == FA_OP_FLOOR ? times(x, a, -1) : 0);
        c = floor_divide(a, b);
        return fa_xacro_of_int(op == FA_OP_FLOOR ? c : a - c * b);
    case FA_OP_OR:
        return fa_xacro_of_int(a | b);
    case FA_OP_XOR:
        return fa_xacro_of_int(a ^ b);
    case FA_OP_AND:
        return fa_xacro_of_int(a & b);
    case FA_OP_LEFT:
    case FA_OP_RIGHT:
        if (b < 0) fa_xacro_halt(x, "%s needs a count that is not negative", signs[op]);
        if (op == FA_OP_RIGHT) return fa_xacro_of_int(b > 126 ? (a < 0 ? -1 : 0) : a >> (int)b);
        return fa_xacro_of_int(a == 0 ? 0 : times(x, a, integer_power(x, 2, b)));
    default:
        return fa_xacro_of_int(integer_power(x, a, b)); // FA_OP_POWER, exponent not negative
    }
}

// ----------------------------------------------------------------------------------------- floats

static double float_modulo(double a, double b, double *quotient)
{
    double rest = fmod(a, b), q = (a - rest) / b;
    if (rest != 0) {
        if ((b < 0) != (rest < 0)) {
            rest += b;
            q -= 1;
        }
    } else {
        rest = copysign(0, b);
    }
    if (q != 0) {
        *quotient = floor(q);
        if (q - *quotient > 0.5) *quotient += 1;
    } else {
        *quotient = copysign(0, a / b);
    }
    return rest;
}

static double float_power(fa_xacro *x, double a, double b)
{
    if (a == 0 && b < 0) by_zero(x);
    if (a < 0 && isfinite(a) && isfinite(b) && floor(b) != b)
        fa_xacro_halt(x, "a negative number has no real power %s", fa_xacro_float_text(x, b));
    const double c = pow(a, b);
    if (isinf(c) && isfinite(a) && isfinite(b)) fa_xacro_halt(x, "the result of ** is too large");
    return c;
}

static fa_xacro_value of_floats(fa_xacro *x, fa_xacro_operator op, double a, double b)
{
    double quotient;
    switch (op) {
    case FA_OP_ADD:
        return fa_xacro_of_float(a + b);
    case FA_OP_SUBTRACT:
        return fa_xacro_of_float(a - b);
    case FA_OP_MULTIPLY:
        return fa_xacro_of_float(a * b);
    case FA_OP_POWER:
        return fa_xacro_of_float(float_power(x, a, b));
    default:
        break;
    }
    if (b == 0) by_zero(x);
    if (op == FA_OP_DIVIDE) return fa_xacro_of_float(a / b);
    const double rest = float_modulo(a, b, &quotient);
    return fa_xacro_of_float(op == FA_OP_FLOOR ? quotient : rest);
}

// ------------------------------------------------------------------------------------- sequences

static fa_xacro_value repeated(fa_xacro *x, const fa_xacro_value *of, const fa_xacro_value *count)
{
    fa_xacro_wide n = fa_xacro_integer(count);
    if (n < 0) n = 0;
    if (of->kind == FA_VALUE_TEXT) {
        const size_t     size = strlen(of->is.text);
        fa_xacro_builder b = {.n = 0};
        for (; n > 0 && size > 0; n--) fa_xacro_build(x, &b, of->is.text, size);
        return fa_xacro_of_text(fa_xacro_built(x, &b));
    }
    const fa_xacro_values *list = of->is.list;
    if (list->n == 0) n = 0;
    if (n > FA_XACRO_LENGTH) n = FA_XACRO_LENGTH + 1;
    const fa_xacro_wide total = n * list->n;
    fa_xacro_value      result =
        fa_xacro_list_new(x, of->kind, total > FA_XACRO_LENGTH ? FA_XACRO_LENGTH + 1 : (int)total);
    for (int i = 0; list->n > 0 && i < result.is.list->n; i++)
        result.is.list->of[i] = list->of[i % list->n];
    return result;
}

static fa_xacro_value joined(fa_xacro *x, const fa_xacro_value *a, const fa_xacro_value *b)
{
    if (a->kind == FA_VALUE_TEXT) {
        fa_xacro_builder text = {.n = 0};
        fa_xacro_build_text(x, &text, a->is.text);
        fa_xacro_build_text(x, &text, b->is.text);
        return fa_xacro_of_text(fa_xacro_built(x, &text));
    }
    const fa_xacro_values *p = a->is.list, *q = b->is.list;
    fa_xacro_value         list = fa_xacro_list_new(x, a->kind, p->n + q->n);
    if (p->n) memcpy(list.is.list->of, p->of, (size_t)p->n * sizeof *p->of);
    if (q->n) memcpy(list.is.list->of + p->n, q->of, (size_t)q->n * sizeof *q->of);
    return list;
}

static bool repeats(const fa_xacro_value *v)
{
    return v->kind == FA_VALUE_TEXT || v->kind == FA_VALUE_LIST || v->kind == FA_VALUE_TUPLE;
}

fa_xacro_value fa_xacro_binary(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a,
                               const fa_xacro_value *b)
{
    const bool bits = op <= FA_OP_RIGHT;
    if (op == FA_OP_MODULO && a->kind == FA_VALUE_TEXT)
        return fa_xacro_of_text(fa_xacro_format_percent(x, a->is.text, b));
    if (op == FA_OP_ADD && repeats(a) && a->kind == b->kind) return joined(x, a, b);
    if (op == FA_OP_MULTIPLY && repeats(a) && fa_xacro_is_integral(b)) return repeated(x, a, b);
    if (op == FA_OP_MULTIPLY && repeats(b) && fa_xacro_is_integral(a)) return repeated(x, b, a);
    if (!fa_xacro_is_number(a) || !fa_xacro_is_number(b)) unfit(x, signs[op], a, b);
    const bool integral = fa_xacro_is_integral(a) && fa_xacro_is_integral(b);
    if (bits && !integral) unfit(x, signs[op], a, b);
    if (op == FA_OP_OR || op == FA_OP_AND || op == FA_OP_XOR)
        if (a->kind == FA_VALUE_BOOL && b->kind == FA_VALUE_BOOL)
            return fa_xacro_of_bool(of_integers(x, op, a->is.truth, b->is.truth).is.integer != 0);
    if (integral && op != FA_OP_DIVIDE && !(op == FA_OP_POWER && fa_xacro_integer(b) < 0))
        return of_integers(x, op, fa_xacro_integer(a), fa_xacro_integer(b));
    return of_floats(x, op, fa_xacro_double(a), fa_xacro_double(b));
}

fa_xacro_value fa_xacro_unary(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a)
{
    if (op == FA_OP_NOT) return fa_xacro_of_bool(!fa_xacro_truth(a));
    if (!fa_xacro_is_number(a) || (op == FA_OP_INVERT && !fa_xacro_is_integral(a)))
        fa_xacro_halt(x, "%s needs a number, and this is %.200s",
                      op == FA_OP_MINUS  ? "-"
                      : op == FA_OP_PLUS ? "+"
                                         : "~",
                      fa_xacro_literal_of(x, a));
    if (a->kind == FA_VALUE_FLOAT) return op == FA_OP_MINUS ? fa_xacro_of_float(-a->is.number) : *a;
    const fa_xacro_wide n = fa_xacro_integer(a);
    return fa_xacro_of_int(op == FA_OP_MINUS ? times(x, n, -1) : op == FA_OP_PLUS ? n : ~n);
}

// ------------------------------------------------------------------------------------ comparisons

static bool contains(fa_xacro *x, const fa_xacro_value *in, const fa_xacro_value *what)
{
    if (in->kind == FA_VALUE_DICT) return fa_xacro_dict_find(x, in->is.dict, what) != NULL;
    if (in->kind == FA_VALUE_TEXT) {
        if (what->kind != FA_VALUE_TEXT) unfit(x, "in", what, in);
        fa_xacro_count(x, strlen(in->is.text) / 16);
        return strstr(in->is.text, what->is.text) != NULL;
    }
    if (!fa_xacro_is_list(in)) unfit(x, "in", what, in);
    fa_xacro_count(x, (size_t)in->is.list->n);
    for (int i = 0; i < in->is.list->n; i++)
        if (fa_xacro_equal(x, &in->is.list->of[i], what)) return true;
    return false;
}

static bool not_a_number(const fa_xacro_value *v)
{
    return v->kind == FA_VALUE_FLOAT && isnan(v->is.number);
}

bool fa_xacro_compare(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a,
                      const fa_xacro_value *b)
{
    const bool ordered = !not_a_number(a) && !not_a_number(b);
    switch (op) {
    case FA_OP_EQUAL:
        return fa_xacro_equal(x, a, b);
    case FA_OP_UNEQUAL:
        return !fa_xacro_equal(x, a, b);
    case FA_OP_IN:
        return contains(x, b, a);
    case FA_OP_NOT_IN:
        return !contains(x, b, a);
    case FA_OP_IS:
        return a->kind == b->kind && fa_xacro_equal(x, a, b);
    case FA_OP_IS_NOT:
        return !(a->kind == b->kind && fa_xacro_equal(x, a, b));
    case FA_OP_LESS:
        return fa_xacro_order(x, a, b) < 0 && ordered;
    case FA_OP_LESS_EQUAL:
        return fa_xacro_order(x, a, b) <= 0 && ordered;
    case FA_OP_GREATER:
        return fa_xacro_order(x, a, b) > 0 && ordered;
    default:
        return fa_xacro_order(x, a, b) >= 0 && ordered;
    }
}
