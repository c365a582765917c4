// Python's own functions of one value that expressions may call: conversions and numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "number.h"

const fa_xacro_value *fa_xacro_keyword(const fa_xacro_given *with, const char *name)
{
    for (int i = 0; i < with->n_keywords; i++)
        if (strcmp(with->name[i], name) == 0) return &with->keyword[i];
    return NULL;
}

// ------------------------------------------------------------------------------------ conversions

static fa_xacro_value to_int(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    (void)self;
    if (with->n == 0) return fa_xacro_of_int(0);
    const fa_xacro_value *v = &with->of[0];
    if (v->kind == FA_VALUE_TEXT) {
        const fa_xacro_value base = with->n > 1 ? with->of[1] : fa_xacro_of_int(10);
        fa_xacro_wide        n, b = fa_xacro_is_integral(&base) ? fa_xacro_integer(&base) : -1;
        if (b != 0 && (b < 2 || b > 36)) fa_xacro_halt(x, "int(…) knows bases from 2 to 36");
        if (fa_xacro_read_int(v->is.text, (int)b, &n)) return fa_xacro_of_int(n);
        fa_xacro_halt(x, "int(%.200s) is no integer", fa_xacro_literal_of(x, v));
    }
    if (!fa_xacro_is_number(v)) fa_xacro_halt(x, "int(…) needs a number or a text");
    if (v->kind != FA_VALUE_FLOAT) return fa_xacro_of_int(fa_xacro_integer(v));
    if (!(fabs(v->is.number) < 1e38))
        fa_xacro_halt(x, "int(%s) is no integer", fa_xacro_text_of(x, v));
    return fa_xacro_of_int((fa_xacro_wide)trunc(v->is.number));
}

static fa_xacro_value to_float(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    double number = 0;
    (void)self;
    if (with->n == 0) return fa_xacro_of_float(0);
    const fa_xacro_value *v = &with->of[0];
    if (fa_xacro_is_number(v)) return fa_xacro_of_float(fa_xacro_double(v));
    if (v->kind == FA_VALUE_TEXT && fa_xacro_read_float(v->is.text, &number))
        return fa_xacro_of_float(number);
    fa_xacro_halt(x, "float(%.200s) is no number", fa_xacro_literal_of(x, v));
}

static fa_xacro_value to_text(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    if (with->n == 0) return fa_xacro_of_text("");
    return fa_xacro_of_text(self->name[0] == 'r' ? fa_xacro_literal_of(x, &with->of[0])
                                                 : fa_xacro_text_of(x, &with->of[0]));
}

static fa_xacro_value to_bool(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    (void)x, (void)self;
    return fa_xacro_of_bool(with->n > 0 && fa_xacro_truth(&with->of[0]));
}

// list and tuple
static fa_xacro_value to_list(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    const fa_xacro_value_kind kind = self->name[0] == 'l' ? FA_VALUE_LIST : FA_VALUE_TUPLE;
    fa_xacro_value            list =
        with->n ? fa_xacro_elements_of(x, &with->of[0]) : fa_xacro_list_new(x, kind, 0);
    list.kind = kind;
    return list;
}

fa_xacro_value fa_xacro_to_dict(fa_xacro *x, const fa_xacro_function *self,
                                const fa_xacro_given *with)
{
    fa_xacro_value dict = fa_xacro_dict_new(x);
    (void)self;
    if (with->n && with->of[0].kind == FA_VALUE_DICT) {
        const fa_xacro_dict *from = with->of[0].is.dict;
        for (int i = 0; i < from->n; i++)
            fa_xacro_dict_put(x, dict.is.dict, from->key[i], from->value[i]);
    } else if (with->n) {
        const fa_xacro_value pairs = fa_xacro_elements_of(x, &with->of[0]);
        for (int i = 0; i < pairs.is.list->n; i++) {
            const fa_xacro_value pair = fa_xacro_elements_of(x, &pairs.is.list->of[i]);
            if (pair.is.list->n != 2) fa_xacro_halt(x, "dict(…) needs pairs of key and value");
            fa_xacro_dict_put(x, dict.is.dict, pair.is.list->of[0], pair.is.list->of[1]);
        }
    }
    for (int i = 0; i < with->n_keywords; i++)
        fa_xacro_dict_put(x, dict.is.dict, fa_xacro_of_text(with->name[i]), with->keyword[i]);
    return dict;
}

static fa_xacro_value is_instance(fa_xacro *x, const fa_xacro_function *self,
                                  const fa_xacro_given *with)
{
    const fa_xacro_value  one = with->of[1];
    const int             n = one.kind == FA_VALUE_TUPLE ? one.is.list->n : 1;
    const fa_xacro_value *type = one.kind == FA_VALUE_TUPLE ? one.is.list->of : &with->of[1];
    const char           *name = fa_xacro_kind_name(&with->of[0]);
    (void)self;
    for (int i = 0; i < n; i++) {
        if (type[i].kind != FA_VALUE_FUNCTION)
            fa_xacro_halt(x, "isinstance(…) needs a type, such as str");
        const char *wanted = type[i].is.function->name;
        if (strcmp(name, wanted) == 0) return fa_xacro_of_bool(true);
        if (strcmp(name, "bool") == 0 && strcmp(wanted, "int") == 0) return fa_xacro_of_bool(true);
    }
    return fa_xacro_of_bool(false);
}

static fa_xacro_value code_point(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    (void)self;
    if (with->of[0].kind != FA_VALUE_TEXT || fa_xacro_characters(with->of[0].is.text) != 1)
        fa_xacro_halt(x, "ord(…) needs one character");
    const unsigned char *c = (const unsigned char *)with->of[0].is.text;
    fa_xacro_wide        code = c[0] < 0x80   ? c[0]
                                : c[0] < 0xE0 ? c[0] & 0x1F
                                : c[0] < 0xF0 ? c[0] & 0x0F
                                              : c[0] & 7;
    for (int i = 1; c[0] >= 0x80 && c[i]; i++) code = code << 6 | (c[i] & 0x3F);
    return fa_xacro_of_int(code);
}

// ---------------------------------------------------------------------------------------- numbers

static fa_xacro_value to_round(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const fa_xacro_value *v = &with->of[0];
    (void)self;
    if (!fa_xacro_is_number(v)) fa_xacro_halt(x, "round(…) needs a number");
    const fa_xacro_value *to = with->n > 1 ? &with->of[1] : fa_xacro_keyword(with, "ndigits");
    if (!to || to->kind == FA_VALUE_NONE) {
        if (fa_xacro_is_integral(v)) return fa_xacro_of_int(fa_xacro_integer(v));
        if (!(fabs(v->is.number) < 1e38))
            fa_xacro_halt(x, "round(%s) is no integer", fa_xacro_text_of(x, v));
        return fa_xacro_of_int((fa_xacro_wide)rint(v->is.number)); // half to even
    }
    if (!fa_xacro_is_integral(to)) fa_xacro_halt(x, "round(…) needs a whole number of digits");
    const fa_xacro_wide digits = fa_xacro_integer(to);
    if (fa_xacro_is_integral(v) && digits >= 0) return fa_xacro_of_int(fa_xacro_integer(v));
    if (digits < 0 || digits > 300) {
        const double power = pow(10, digits < -300 ? 300 : digits > 300 ? 0 : -(double)digits);
        const double result =
            digits > 300 ? fa_xacro_double(v) : rint(fa_xacro_double(v) / power) * power;
        return fa_xacro_is_integral(v) ? fa_xacro_of_int((fa_xacro_wide)result)
                                       : fa_xacro_of_float(result);
    }
    if (!isfinite(v->is.number)) return *v;
    double      result = 0;
    const char *text = fa_xacro_format_number(x, "", 0, (int)digits, 'f', v);
    (void)fa_number_read(text, strlen(text), &result);
    return fa_xacro_of_float(result);
}

static fa_xacro_value extreme(fa_xacro *x, const fa_xacro_function *self,
                              const fa_xacro_given *with)
{
    const fa_xacro_value  list = with->n == 1 ? fa_xacro_elements_of(x, &with->of[0]) : FA_NONE;
    const int             n = with->n == 1 ? list.is.list->n : with->n;
    const fa_xacro_value *of = with->n == 1 ? list.is.list->of : with->of;
    const bool            largest = self->name[1] == 'a';
    if (n == 0) fa_xacro_halt(x, "%s(…) of nothing has no value", self->name);
    const fa_xacro_value *best = &of[0];
    for (int i = 1; i < n; i++)
        if (fa_xacro_compare(x, largest ? FA_OP_GREATER : FA_OP_LESS, &of[i], best)) best = &of[i];
    return *best;
}

static fa_xacro_value absolute(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const fa_xacro_value *v = &with->of[0];
    (void)self;
    if (!fa_xacro_is_number(v)) fa_xacro_halt(x, "abs(…) needs a number");
    if (v->kind == FA_VALUE_FLOAT) return fa_xacro_of_float(fabs(v->is.number));
    const fa_xacro_value n = fa_xacro_of_int(fa_xacro_integer(v));
    return n.is.integer < 0 ? fa_xacro_unary(x, FA_OP_MINUS, &n) : n;
}

static fa_xacro_value quotient_and_rest(fa_xacro *x, const fa_xacro_function *self,
                                        const fa_xacro_given *with)
{
    fa_xacro_value both = fa_xacro_list_new(x, FA_VALUE_TUPLE, 2);
    (void)self;
    both.is.list->of[0] = fa_xacro_binary(x, FA_OP_FLOOR, &with->of[0], &with->of[1]);
    both.is.list->of[1] = fa_xacro_binary(x, FA_OP_MODULO, &with->of[0], &with->of[1]);
    return both;
}

#define BOTH(name, least, most, run)                                                               \
    {                                                                                              \
#name, FA_IN_PYTHON | FA_BARE, least, most, run, NULL                                      \
    }
#define PYTHON(name, least, most, run)                                                             \
    {                                                                                              \
#name, FA_IN_PYTHON, least, most, run, NULL                                                \
    }
const fa_xacro_function fa_xacro_python_functions[] = {BOTH(list, 0, 1, to_list),
                                                       BOTH(dict, 0, 1, fa_xacro_to_dict),
                                                       BOTH(str, 0, 1, to_text),
                                                       BOTH(float, 0, 1, to_float),
                                                       BOTH(int, 0, 2, to_int),
                                                       BOTH(bool, 0, 1, to_bool),
                                                       BOTH(min, 1, FA_XACRO_ANY, extreme),
                                                       BOTH(max, 1, FA_XACRO_ANY, extreme),
                                                       BOTH(round, 1, 2, to_round),
                                                       PYTHON(abs, 1, 1, absolute),
                                                       PYTHON(isinstance, 2, 2, is_instance),
                                                       PYTHON(tuple, 0, 1, to_list),
                                                       PYTHON(repr, 1, 1, to_text),
                                                       PYTHON(ord, 1, 1, code_point),
                                                       PYTHON(divmod, 2, 2, quotient_and_rest),
                                                       {NULL, 0, 0, 0, NULL, NULL}};
