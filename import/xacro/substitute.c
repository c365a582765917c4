// Texts with ${expressions} and $(substitutions) in them.
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "paths.h"

enum { WORDS = 64 };

static const char *environment(fa_xacro *x, const char **word, int n, bool optional)
{
    const char *value = getenv(word[1]);
    if (value) return fa_xacro_kept(x, value, strlen(value));
    if (!optional)
        fa_xacro_halt(x,
                      "the environment variable '%.100s' is not set; set it, or write optenv with "
                      "what it is otherwise",
                      word[1]);
    fa_xacro_builder b = {.n = 0};
    for (int i = 2; i < n; i++) {
        if (i > 2) fa_xacro_build_text(x, &b, " ");
        fa_xacro_build_text(x, &b, word[i]);
    }
    return fa_xacro_built(x, &b);
}

static const char *here(fa_xacro *x)
{
    char *folder = fa_working_folder();
    if (!folder) fa_xacro_halt(x, "the current folder has no name that could stand for $(cwd)");
    const char *kept = fa_xacro_kept(x, folder, strlen(folder));
    free(folder);
    return kept;
}

static const char *argument(fa_xacro *x, const char *name)
{
    const fa_xacro_entry *e = fa_xacro_scope_own(x->arguments, name);
    if (!e) fa_xacro_halt(x, "argument '%.100s' has no value; add %.100s:=…", name, name);
    return e->value.is.text;
}

static const char *substitute(fa_xacro *x, const char *inside)
{
    const char *word[WORDS], *p = inside;
    int         n = 0;
    if (strpbrk(inside, "($"))
        fa_xacro_halt(x, "there is a '%c' within $(%.200s), which cannot stand there",
                      *strpbrk(inside, "($"), inside);
    while (*p) {
        p += strspn(p, " ");
        const size_t size = strcspn(p, " ");
        if (size && n == WORDS) fa_xacro_halt(x, "$(%.100s …) has too many words", inside);
        if (size) word[n++] = fa_xacro_kept(x, p, size);
        p += size;
    }
    if (n == 0) fa_xacro_halt(x, "$(%.60s) is empty", inside);
    const bool one = n == 2;
    if (strcmp(word[0], "cwd") == 0 && n == 1) return here(x);
    if (strcmp(word[0], "arg") == 0 && one) return argument(x, word[1]);
    if (strcmp(word[0], "find") == 0 && one) return fa_xacro_package(x, word[1]);
    if (strcmp(word[0], "env") == 0 && one) return environment(x, word, n, false);
    if (strcmp(word[0], "optenv") == 0 && n > 1) return environment(x, word, n, true);
    fa_xacro_halt(x,
                  "$(%.200s) is none of $(find PACKAGE), $(arg NAME), $(env NAME), $(optenv NAME "
                  "OTHERWISE) and $(cwd), which are read here; ${…} evaluates",
                  inside);
}

// Expands $(find …) in the result of a substitution, and nothing else.
static const char *find_again(fa_xacro *x, const char *text)
{
    fa_xacro_builder b = {.n = 0};
    const char      *found;
    if (!strstr(text, "$(find ")) return text;
    while ((found = strstr(text, "$(find ")) != NULL && strchr(found, ')')) {
        const char *end = strchr(found, ')');
        fa_xacro_build(x, &b, text, (size_t)(found - text));
        fa_xacro_build_text(x, &b,
                            substitute(x, fa_xacro_kept(x, found + 2, (size_t)(end - found - 2))));
        text = end + 1;
    }
    fa_xacro_build_text(x, &b, text);
    return fa_xacro_built(x, &b);
}

const char *fa_xacro_substitute(fa_xacro *x, const char *inside)
{
    if (!*inside) return "$()";
    return find_again(x, substitute(x, inside));
}

// ------------------------------------------------------------------------------------------ texts

// Length of the plain text at the start, or 0: up to the next $ that begins something.
static size_t plain(const char *at)
{
    if (*at != '$') return strcspn(at, "$");
    if (!at[1]) return 1;
    return strchr("{($", at[1]) ? 0 : 1;
}

static fa_xacro_value piece(fa_xacro *x, const char **at, fa_xacro_scope *scope)
{
    const char  *p = *at;
    const size_t dollars = strspn(p, "$");
    if (dollars > 1 && (p[dollars] == '{' || p[dollars] == '(')) { // one $ says: not to evaluate
        *at = p + dollars + 1;
        return fa_xacro_of_text(fa_xacro_kept(x, p + 1, dollars));
    }
    const size_t n = plain(p);
    if (n) {
        *at = p + n;
        return fa_xacro_of_text(fa_xacro_kept(x, p, n));
    }
    const char *end = p[1] == '$' ? NULL : strchr(p, p[1] == '{' ? '}' : ')');
    if (!end)
        fa_xacro_halt(
            x, "'%.100s' is not closed; a plain ${ is written $${, and a plain $$ cannot stand", p);
    *at = end + 1;
    const char *inside =
        fa_xacro_evaluate_to_text(x, fa_xacro_kept(x, p + 2, (size_t)(end - p - 2)), scope);
    return p[1] == '{' ? fa_xacro_evaluate(x, inside, scope)
                       : fa_xacro_of_text(fa_xacro_substitute(x, inside));
}

fa_xacro_value fa_xacro_evaluate_text(fa_xacro *x, const char *text, fa_xacro_scope *scope)
{
    if (!strchr(text, '$')) return fa_xacro_of_text(text);
    if (++x->n_nested > FA_XACRO_DEPTH)
        fa_xacro_halt(x, "texts are nested too deep in each other here");
    const char    *at = text;
    fa_xacro_value first = piece(x, &at, scope);
    if (*at) {
        fa_xacro_builder b = {.n = 0};
        fa_xacro_build_text(x, &b, fa_xacro_text_of(x, &first));
        while (*at) {
            const fa_xacro_value next = piece(x, &at, scope);
            fa_xacro_build_text(x, &b, fa_xacro_text_of(x, &next));
        }
        first = fa_xacro_of_text(fa_xacro_built(x, &b));
    }
    x->n_nested--;
    return first;
}

const char *fa_xacro_evaluate_to_text(fa_xacro *x, const char *text, fa_xacro_scope *scope)
{
    const fa_xacro_value v = fa_xacro_evaluate_text(x, text, scope);
    return fa_xacro_text_of(x, &v);
}
