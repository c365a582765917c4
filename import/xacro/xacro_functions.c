// The functions that xacro adds to Python's: xacro.load_yaml(...) and its like.
#include <string.h>

#include "expansion.h"

static const char *text_argument(fa_xacro *x, const fa_xacro_function *self,
                                 const fa_xacro_given *with)
{
    if (with->n < 1 || with->of[0].kind != FA_VALUE_TEXT)
        fa_xacro_halt(x, "%s(…) needs a text", self->name);
    return with->of[0].is.text;
}

static fa_xacro_value load_yaml(fa_xacro *x, const fa_xacro_function *self,
                                const fa_xacro_given *with)
{
    return fa_xacro_yaml_load(x, text_argument(x, self, with));
}

static fa_xacro_value abs_filename(fa_xacro *x, const fa_xacro_function *self,
                                   const fa_xacro_given *with)
{
    return fa_xacro_of_text(fa_xacro_from_here(x, text_argument(x, self, with)));
}

static fa_xacro_value argument(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const char     *name = text_argument(x, self, with);
    fa_xacro_entry *e = fa_xacro_scope_own(x->arguments, name);
    if (!e) fa_xacro_halt(x, "argument '%.100s' has no value; add %.100s:=…", name, name);
    return e->value;
}

static void make_dotted(fa_xacro *x, fa_xacro_value *v)
{
    fa_xacro_count(x, 1);
    if (++x->n_nested > FA_XACRO_DEPTH) fa_xacro_halt(x, "a dict is nested too deep here");
    if (v->kind == FA_VALUE_DICT) {
        v->is.dict->dotted = true;
        for (int i = 0; i < v->is.dict->n; i++) make_dotted(x, &v->is.dict->value[i]);
    }
    for (int i = 0; fa_xacro_is_list(v) && i < v->is.list->n; i++)
        make_dotted(x, &v->is.list->of[i]);
    x->n_nested--;
}

static fa_xacro_value dotify(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    fa_xacro_value dict = fa_xacro_to_dict(x, self, with);
    make_dotted(x, &dict);
    return dict;
}

static const char *words(fa_xacro *x, const fa_xacro_given *with)
{
    fa_xacro_builder b = {.n = 0};
    for (int i = 0; i < with->n; i++) {
        if (i) fa_xacro_build_text(x, &b, " ");
        fa_xacro_build_text(x, &b, fa_xacro_text_of(x, &with->of[i]));
    }
    return fa_xacro_built(x, &b);
}

// message, warning, error, print_location: all become warnings, and none ends the reading.
static fa_xacro_value told(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    if (self->name[0] != 'p') fa_xacro_mention(x, "the file says: %.600s", words(x, with));
    return fa_xacro_of_text("");
}

static fa_xacro_value fatal(fa_xacro *x, const fa_xacro_function *self, const fa_xacro_given *with)
{
    (void)self;
    fa_xacro_halt(x, "the file ends its reading itself: %.600s", words(x, with));
}

static fa_xacro_value tokenize(fa_xacro *x, const fa_xacro_function *self,
                               const fa_xacro_given *with)
{
    const fa_xacro_value *said = with->n > 1 ? &with->of[1] : fa_xacro_keyword(with, "sep");
    const fa_xacro_value *skip = with->n > 2 ? &with->of[2] : fa_xacro_keyword(with, "skip_empty");
    const char           *at = text_argument(x, self, with);
    const char           *between = said && said->kind == FA_VALUE_TEXT ? said->is.text : ",; ";
    int                   n = 0;
    for (const char *p = at; *p; p++) n += strchr(between, *p) != NULL;
    fa_xacro_value list = fa_xacro_list_new(x, FA_VALUE_LIST, n + 1);
    for (n = 0;; at++) {
        const size_t size = strcspn(at, between);
        if (size || (skip && !fa_xacro_truth(skip)))
            list.is.list->of[n++] = fa_xacro_of_text(fa_xacro_kept(x, at, size));
        at += size;
        if (!*at) break;
    }
    list.is.list->n = n;
    return list;
}

#define XACRO(name, least, most, run)                                                              \
    {                                                                                              \
#name, FA_IN_XACRO, least, most, run, NULL                                                 \
    }
const fa_xacro_function fa_xacro_functions[] = {
    {"load_yaml", FA_IN_XACRO | FA_BARE, 1, 1, load_yaml, NULL},
    {"abs_filename", FA_IN_XACRO | FA_BARE, 1, 1, abs_filename, NULL},
    {"dotify", FA_IN_XACRO | FA_BARE, 0, 1, dotify, NULL},
    XACRO(arg, 1, 1, argument),
    XACRO(message, 0, FA_XACRO_ANY, told),
    XACRO(warning, 0, FA_XACRO_ANY, told),
    XACRO(error, 0, FA_XACRO_ANY, told),
    XACRO(print_location, 0, FA_XACRO_ANY, told),
    XACRO(fatal, 0, FA_XACRO_ANY, fatal),
    XACRO(tokenize, 1, 3, tokenize),
    {NULL, 0, 0, 0, NULL, NULL}};
