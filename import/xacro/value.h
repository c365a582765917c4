// Values of expressions: what Python calls None, bool, int, float, str, list, tuple, dict and
// functions.
#ifndef FA_XACRO_VALUE_H
#define FA_XACRO_VALUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fa_xacro fa_xacro; // an expansion (expansion.h)

__extension__ typedef __int128 fa_xacro_wide; // Python's integers have no end; these have 38 digits

typedef enum fa_xacro_value_kind {
    FA_VALUE_NONE,
    FA_VALUE_BOOL,
    FA_VALUE_INT,
    FA_VALUE_FLOAT,
    FA_VALUE_TEXT,
    FA_VALUE_LIST,
    FA_VALUE_TUPLE,
    FA_VALUE_RANGE, // a list that is written as range(a, b)
    FA_VALUE_DICT,
    FA_VALUE_FUNCTION,
    FA_VALUE_METHOD, // a function of `self`
    FA_VALUE_MODULE, // math, python, xacro
    FA_VALUE_SPACE,  // what include ns= made
    FA_VALUE_BLOCK,
    FA_VALUE_MACRO
} fa_xacro_value_kind;

typedef struct fa_xacro_value fa_xacro_value;

typedef struct fa_xacro_values {
    int             n;
    fa_xacro_value *of;
    fa_xacro_wide   start, stop, step; // of a range
} fa_xacro_values;

typedef struct fa_xacro_dict {
    int             n, room;
    fa_xacro_value *key, *value;
    bool            dotted; // from YAML: d.key is d['key']
} fa_xacro_dict;

struct fa_xacro_value {
    fa_xacro_value_kind kind;
    union {
        bool                            truth;
        fa_xacro_wide                   integer;
        double                          number;
        const char                     *text; // UTF-8
        fa_xacro_values                *list;
        fa_xacro_dict                  *dict;
        const struct fa_xacro_function *function;
        struct fa_xacro_method         *method;
        int                             module;
        struct fa_xacro_scope          *space;
        fa_xacro_node                  *block;
        struct fa_xacro_macro          *macro;
    } is;
};

#define FA_NONE ((fa_xacro_value){.kind = FA_VALUE_NONE})
static inline fa_xacro_value fa_xacro_of_bool(bool truth)
{
    return (fa_xacro_value){.kind = FA_VALUE_BOOL, .is.truth = truth};
}
static inline fa_xacro_value fa_xacro_of_int(fa_xacro_wide integer)
{
    return (fa_xacro_value){.kind = FA_VALUE_INT, .is.integer = integer};
}
static inline fa_xacro_value fa_xacro_of_float(double number)
{
    return (fa_xacro_value){.kind = FA_VALUE_FLOAT, .is.number = number};
}
static inline fa_xacro_value fa_xacro_of_text(const char *text)
{
    return (fa_xacro_value){.kind = FA_VALUE_TEXT, .is.text = text};
}

static inline bool fa_xacro_is_list(const fa_xacro_value *v)
{
    return v->kind == FA_VALUE_LIST || v->kind == FA_VALUE_TUPLE || v->kind == FA_VALUE_RANGE;
}
static inline bool fa_xacro_is_integral(const fa_xacro_value *v)
{
    return v->kind == FA_VALUE_INT || v->kind == FA_VALUE_BOOL;
}
static inline bool fa_xacro_is_number(const fa_xacro_value *v)
{
    return fa_xacro_is_integral(v) || v->kind == FA_VALUE_FLOAT;
}
static inline fa_xacro_wide fa_xacro_integer(const fa_xacro_value *v) // of an integral one
{
    return v->kind == FA_VALUE_BOOL ? v->is.truth : v->is.integer;
}
static inline double fa_xacro_double(const fa_xacro_value *v) // of a number
{
    return v->kind == FA_VALUE_FLOAT ? v->is.number : (double)fa_xacro_integer(v);
}

const char *fa_xacro_kind_name(const fa_xacro_value *v);
bool        fa_xacro_truth(const fa_xacro_value *v);
bool        fa_xacro_equal(fa_xacro *x, const fa_xacro_value *a, const fa_xacro_value *b);
int         fa_xacro_order(fa_xacro *x, const fa_xacro_value *a,
                           const fa_xacro_value *b);                   // faults if they have none
const char *fa_xacro_text_of(fa_xacro *x, const fa_xacro_value *v);    // as str()
const char *fa_xacro_literal_of(fa_xacro *x, const fa_xacro_value *v); // as repr()
const char *fa_xacro_float_text(fa_xacro *x, double number);
const char *fa_xacro_int_text(fa_xacro *x, fa_xacro_wide number);
// Parse text like Python's int() and float(), with surrounding white space. False: not a number, or
// too large for an integer here.
bool            fa_xacro_read_int(const char *text, int base, fa_xacro_wide *value);
bool            fa_xacro_read_float(const char *text, double *value);
fa_xacro_value  fa_xacro_list_new(fa_xacro *x, fa_xacro_value_kind kind, int n);
fa_xacro_value  fa_xacro_dict_new(fa_xacro *x);
fa_xacro_value *fa_xacro_dict_find(fa_xacro *x, const fa_xacro_dict *dict,
                                   const fa_xacro_value *key);
void fa_xacro_dict_put(fa_xacro *x, fa_xacro_dict *dict, fa_xacro_value key, fa_xacro_value value);
// Elements of what can be walked along; faults for others.
fa_xacro_value fa_xacro_elements_of(fa_xacro *x, const fa_xacro_value *v);
// Property values: numbers and truths written as text become such.
fa_xacro_value fa_xacro_typed(fa_xacro *x, fa_xacro_value v);

// UTF-8: characters in a text, and where the one of that index begins.
size_t      fa_xacro_characters(const char *text);
const char *fa_xacro_character(const char *text, size_t index);

#endif
