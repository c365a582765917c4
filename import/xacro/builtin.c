// The names that belong to the language, and how what they stand for is called.
#include <math.h>
#include <string.h>

#include "expansion.h"

bool fa_xacro_builtin(const char *name, int where, fa_xacro_value *value)
{
    static const struct {
        const char *name;
        double      value;
    } constant[] = {{"pi", 3.141592653589793},
                    {"e", 2.718281828459045},
                    {"tau", 6.283185307179586},
                    {"inf", INFINITY},
                    {"nan", NAN}};
    static const struct {
        const char *name;
        int         where;
    } module[] = {{"math", FA_IN_MATH}, {"python", FA_IN_PYTHON}, {"xacro", FA_IN_XACRO}};
    static const fa_xacro_function *const table[] = {fa_xacro_math_functions,
                                                     fa_xacro_python_functions,
                                                     fa_xacro_list_functions, fa_xacro_functions};
    if (where & (FA_BARE | FA_IN_PYTHON)) {
        const bool yes = strcmp(name, "True") == 0;
        *value = fa_xacro_of_bool(yes);
        if (yes || strcmp(name, "False") == 0) return true;
    }
    for (size_t i = 0; i < 3 && where & FA_BARE; i++) {
        *value = (fa_xacro_value){.kind = FA_VALUE_MODULE, .is.module = module[i].where};
        if (strcmp(module[i].name, name) == 0) return true;
    }
    for (size_t i = 0; i < 5 && where & (FA_BARE | FA_IN_MATH); i++) {
        *value = fa_xacro_of_float(constant[i].value);
        if (strcmp(constant[i].name, name) == 0) return true;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (const fa_xacro_function *f = table[i]; f->name; f++)
            if (f->where & where && strcmp(f->name, name) == 0) {
                *value = (fa_xacro_value){.kind = FA_VALUE_FUNCTION, .is.function = f};
                return true;
            }
    return false;
}

// Names of arguments that functions know; others have none.
static bool knows(const char *function, const char *name)
{
    static const char *const row[][2] = {{"round", "ndigits"},   {"sorted", "reverse"},
                                         {"sorted", "key"},      {"enumerate", "start"},
                                         {"isclose", "rel_tol"}, {"isclose", "abs_tol"},
                                         {"tokenize", "sep"},    {"tokenize", "skip_empty"}};
    if (strcmp(function, "dict") == 0 || strcmp(function, "dotify") == 0 ||
        strcmp(function, "format") == 0 || strcmp(function, "message") == 0 ||
        strcmp(function, "warning") == 0 || strcmp(function, "error") == 0)
        return true;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i][0], function) == 0 && strcmp(row[i][1], name) == 0) return true;
    return false;
}

fa_xacro_value fa_xacro_apply(fa_xacro *x, const fa_xacro_value *function,
                              const fa_xacro_given *with)
{
    const bool method = function->kind == FA_VALUE_METHOD;
    if (!method && function->kind != FA_VALUE_FUNCTION)
        fa_xacro_halt(x, "a %s is no function that can be called", fa_xacro_kind_name(function));
    const char *name = method ? function->is.method->row->name : function->is.function->name;
    const int   least = method ? function->is.method->row->least : function->is.function->least;
    const int   most = method ? function->is.method->row->most : function->is.function->most;
    if (with->n < least || with->n > most)
        fa_xacro_halt(x, "%s(…) takes %d%s argument%s, not %d", name, least,
                      most == least  ? ""
                      : most >= 1000 ? " or more"
                                     : fa_xacro_print(x, " to %d", most),
                      most == 1 ? "" : "s", with->n);
    for (int i = 0; i < with->n_keywords; i++)
        if (!knows(name, with->name[i]))
            fa_xacro_halt(x, "%s(…) has no argument named '%.100s'", name, with->name[i]);
    return method ? function->is.method->row->run(x, &function->is.method->self, with)
                  : function->is.function->run(x, function->is.function, with);
}
