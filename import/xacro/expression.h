// Texts with ${expressions} in them, what stands within as a tree of terms, and how that is
// evaluated.
#ifndef FA_XACRO_EXPRESSION_H
#define FA_XACRO_EXPRESSION_H

#include "document.h"
#include "scope.h"

typedef struct fa_xacro fa_xacro; // an expansion (expansion.h)

// A text with ${…} and $(…) in it: their value if it is one alone, otherwise the texts in a row.
fa_xacro_value fa_xacro_evaluate_text(fa_xacro *x, const char *text, fa_xacro_scope *scope);
const char    *fa_xacro_evaluate_to_text(fa_xacro *x, const char *text, fa_xacro_scope *scope);
// Evaluates the text within ${…}.
fa_xacro_value fa_xacro_evaluate(fa_xacro *x, const char *expression, fa_xacro_scope *scope);
const char    *fa_xacro_substitute(fa_xacro *x, const char *inside); // what stands within $(…)

typedef enum fa_xacro_operator {
    FA_OP_OR,
    FA_OP_XOR,
    FA_OP_AND,
    FA_OP_LEFT,
    FA_OP_RIGHT,
    FA_OP_ADD,
    FA_OP_SUBTRACT,
    FA_OP_MULTIPLY,
    FA_OP_DIVIDE,
    FA_OP_FLOOR,
    FA_OP_MODULO,
    FA_OP_POWER,
    FA_OP_LESS,
    FA_OP_LESS_EQUAL,
    FA_OP_GREATER,
    FA_OP_GREATER_EQUAL,
    FA_OP_EQUAL,
    FA_OP_UNEQUAL,
    FA_OP_IN,
    FA_OP_NOT_IN,
    FA_OP_IS,
    FA_OP_IS_NOT,
    FA_OP_PLUS,
    FA_OP_MINUS,
    FA_OP_INVERT,
    FA_OP_NOT
} fa_xacro_operator;

typedef enum fa_xacro_term_kind {
    FA_TERM_VALUE,
    FA_TERM_NAME,
    FA_TERM_UNARY,
    FA_TERM_BINARY,
    FA_TERM_BOTH,
    FA_TERM_EITHER,
    FA_TERM_COMPARE, // a, then pairs of operator and operand along `list`
    FA_TERM_IF,      // a if b else c
    FA_TERM_CALL,    // a(list)
    FA_TERM_INDEX,   // a[b]
    FA_TERM_SLICE,   // a[b:c:d], each may be missing
    FA_TERM_MEMBER,  // a.name
    FA_TERM_LIST,
    FA_TERM_TUPLE
} fa_xacro_term_kind;

typedef struct fa_xacro_term {
    fa_xacro_term_kind    kind;
    fa_xacro_operator     operator;
    const char           *name; // of a keyword argument, too
    fa_xacro_value        value;
    struct fa_xacro_term *a, *b, *c, *d, *list, *next;
} fa_xacro_term;

fa_xacro_term *fa_xacro_parse(fa_xacro *x, const char *expression);
fa_xacro_value fa_xacro_unary(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a);
fa_xacro_value fa_xacro_binary(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a,
                               const fa_xacro_value *b);
bool           fa_xacro_compare(fa_xacro *x, fa_xacro_operator op, const fa_xacro_value *a,
                                const fa_xacro_value *b);

// Arguments of a call: n by position, then n_keywords by name.
typedef struct fa_xacro_given {
    int                   n, n_keywords;
    const fa_xacro_value *of, *keyword;
    const char *const    *name;
} fa_xacro_given;

typedef fa_xacro_value fa_xacro_function_run(fa_xacro *x, const struct fa_xacro_function *self,
                                             const fa_xacro_given *with);

enum { FA_IN_MATH = 1, FA_IN_PYTHON = 2, FA_IN_XACRO = 4, FA_BARE = 8 };

typedef struct fa_xacro_function {
    const char            *name;
    int                    where;       // FA_IN_… together
    int                    least, most; // arguments
    fa_xacro_function_run *run;
    double (*of_number)(double);
} fa_xacro_function;

typedef struct fa_xacro_method {
    fa_xacro_value                    self;
    const struct fa_xacro_method_row *row;
} fa_xacro_method;

typedef struct fa_xacro_method_row {
    fa_xacro_value_kind of;
    const char         *name;
    int                 least, most;
    fa_xacro_value (*run)(fa_xacro *x, const fa_xacro_value *self, const fa_xacro_given *with);
} fa_xacro_method_row;

// Tables of functions by subject; a row without a name ends each.
extern const fa_xacro_function fa_xacro_math_functions[], fa_xacro_python_functions[],
    fa_xacro_list_functions[], fa_xacro_functions[];

enum { FA_XACRO_ANY = 1000000 }; // arguments, as many as there are

// Returns a call's keyword argument; NULL: not given.
const fa_xacro_value *fa_xacro_keyword(const fa_xacro_given *with, const char *name);
fa_xacro_value        fa_xacro_to_dict(fa_xacro *x, const fa_xacro_function *self,
                                       const fa_xacro_given *with);

// A name that belongs to the language; `where` as above. False: there is none.
bool           fa_xacro_builtin(const char *name, int where, fa_xacro_value *value);
fa_xacro_value fa_xacro_apply(fa_xacro *x, const fa_xacro_value *function,
                              const fa_xacro_given *with);
bool           fa_xacro_value_method(fa_xacro *x, const fa_xacro_value *self, const char *name,
                                     fa_xacro_value *method);
const char    *fa_xacro_format_percent(fa_xacro *x, const char *format, const fa_xacro_value *with);
const char    *fa_xacro_format_number(fa_xacro *x, const char *flags, int width, int precision,
                                      char type, const fa_xacro_value *v);
fa_xacro_value fa_xacro_yaml_load(fa_xacro *x, const char *name);
fa_xacro_value fa_xacro_yaml_parse(fa_xacro *x, const char *bytes, size_t size, const char *path);

#endif
