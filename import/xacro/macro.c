// Macros: their parameters, and what a call of one becomes. Inclusion of files is here as well, as
// both put what another place says here.
#include <stdio.h>
#include <string.h>

#include "expansion.h"
#include "paths.h"

// ------------------------------------------------------------------------------------- parameters

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Length of a default value: ${…} or $(…) up to a closing sign that white space follows, or pieces
// in quotes and without spaces; 0: nothing.
static size_t default_length(const char *at)
{
    if (at[0] == '$' && (at[1] == '{' || at[1] == '(')) {
        const char *close = at;
        while ((close = strchr(close + 1, at[1] == '{' ? '}' : ')')) != NULL)
            if (!close[1] || is_space(close[1])) return (size_t)(close + 1 - at);
    }
    const char *p = at;
    while (*p && !is_space(*p)) {
        const char *quote = *p == '\'' || *p == '"' ? strchr(p + 1, *p) : p;
        if (!quote) return 0;
        p = quote + 1;
    }
    return (size_t)(p - at);
}

static const char *read_parameter(fa_xacro *x, const char *at, struct fa_xacro_parameter *p)
{
    const size_t n = strcspn(at, " \t\r\n:=");
    const char  *after = at + n;
    while (is_space(*after)) after++;
    const char *equals = *after == ':' && after[1] == '=' ? after + 2
                         : *after == '='                  ? after + 1
                                                          : NULL;
    *p = (struct fa_xacro_parameter){.has_default = false};
    if (n && equals) {
        while (is_space(*equals)) equals++;
        p->forwards = *equals == '^';
        if (p->forwards) equals += equals[1] == '|' ? 2 : 1;
        const size_t size = default_length(equals);
        if (size || !*equals || is_space(*equals)) {
            p->name = fa_xacro_kept(x, at, n);
            p->has_default = size || p->forwards;
            p->standard = size ? fa_xacro_kept(x, equals, size) : NULL;
            return equals + size;
        }
        p->forwards = false;
    }
    const size_t whole = strcspn(at, " \t\r\n");
    p->name = fa_xacro_kept(x, at, whole);
    return at + whole;
}

void fa_xacro_macro_define(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros)
{
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_check_attributes(x, node, "name", "params");
    const char *name = fa_xacro_attribute_of(node, "name"),
               *at = fa_xacro_attribute_of(node, "params");
    if (strcmp(name, "call") == 0)
        fa_xacro_halt(x, "a macro cannot be called 'call'; name it otherwise");
    if (strchr(name, '.'))
        fa_xacro_halt(
            x, "the name of the macro '%.100s' has a point, which belongs to include ns=", name);
    if (strncmp(name, "xacro:", 6) == 0) {
        fa_xacro_mention(x, "the name of a macro is without 'xacro:'; '%.100s' is meant", name + 6);
        name += 6;
    }
    fa_xacro_macro *macro = fa_xacro_take(x, sizeof *macro);
    int             room = 0;
    x->has_macros = true;
    macro->name = name;
    macro->body = node;
    while (at && *(at += strspn(at, " \t\r\n"))) {
        if (macro->n_parameters == room) {
            room = 2 * room + 8;
            struct fa_xacro_parameter *larger = fa_xacro_take(x, (size_t)room * sizeof *larger);
            if (macro->n_parameters)
                memcpy(larger, macro->parameter, (size_t)macro->n_parameters * sizeof *larger);
            macro->parameter = larger;
        }
        at = read_parameter(x, at, &macro->parameter[macro->n_parameters++]);
    }
    fa_xacro_scope_set(x, macros, name, (fa_xacro_value){.kind = FA_VALUE_MACRO, .is.macro = macro},
                       false);
    fa_xacro_node_remove(node);
}

// ------------------------------------------------------------------------------------------ calls

// By its full name, or along namespaces: a.b.name.
static fa_xacro_macro *resolve(fa_xacro *x, const char *name, fa_xacro_scope **macros,
                               fa_xacro_scope **scope)
{
    fa_xacro_value v, s;
    if (fa_xacro_scope_get(x, *macros, name, &v) && v.kind == FA_VALUE_MACRO) return v.is.macro;
    for (const char *point; (point = strchr(name, '.')) != NULL; name = point + 1) {
        const char *space = fa_xacro_kept(x, name, (size_t)(point - name));
        if (!fa_xacro_scope_get(x, *macros, space, &v) || v.kind != FA_VALUE_SPACE) return NULL;
        if (!fa_xacro_scope_get(x, *scope, space, &s) || s.kind != FA_VALUE_SPACE) return NULL;
        *macros = v.is.space;
        *scope = s.is.space;
    }
    return fa_xacro_scope_get(x, *macros, name, &v) && v.kind == FA_VALUE_MACRO ? v.is.macro : NULL;
}

static int parameter_index(const fa_xacro_macro *macro, const char *name)
{
    int i = 0;
    while (i < macro->n_parameters && strcmp(macro->parameter[i].name, name) != 0) i++;
    return i < macro->n_parameters ? i : -1;
}

static void give_attributes(fa_xacro *x, fa_xacro_node *node, const fa_xacro_macro *macro,
                            bool *given, fa_xacro_scope *caller, fa_xacro_scope *inner)
{
    for (fa_xacro_attribute *a = node->attributes; a; a = a->next) {
        const int i = parameter_index(macro, a->name);
        if (i < 0)
            fa_xacro_halt(x, "macro '%.100s' has no parameter '%.100s'; its params are '%.200s'",
                          macro->name, a->name,
                          fa_xacro_attribute_of(macro->body, "params")
                              ? fa_xacro_attribute_of(macro->body, "params")
                              : "");
        given[i] = true;
        fa_xacro_scope_set(x, inner, a->name, fa_xacro_evaluate_text(x, a->value, caller), false);
        a->value = "";
    }
}

static void give_blocks(fa_xacro *x, fa_xacro_node *node, const fa_xacro_macro *macro, bool *given,
                        fa_xacro_scope *inner)
{
    fa_xacro_node *block = fa_xacro_node_first_element(node);
    for (int i = 0; i < macro->n_parameters; i++) {
        const char *name = macro->parameter[i].name;
        if (given[i] || name[0] != '*') continue;
        if (!block)
            fa_xacro_halt(x,
                          "macro '%.100s' needs a block for its parameter '%.100s'; write it as an "
                          "element inside the call",
                          macro->name, name);
        given[i] = true;
        fa_xacro_scope_set(x, inner, name,
                           (fa_xacro_value){.kind = FA_VALUE_BLOCK, .is.block = block}, false);
        block = fa_xacro_node_next_element(block);
    }
    if (block)
        fa_xacro_halt(
            x,
            "macro '%.100s' has no parameter for the block <%.60s>; its params name blocks "
            "with *",
            macro->name, block->name);
}

static void give_defaults(fa_xacro *x, const fa_xacro_macro *macro, bool *given,
                          fa_xacro_scope *caller, fa_xacro_scope *inner)
{
    for (int i = 0; i < macro->n_parameters; i++) {
        const struct fa_xacro_parameter *p = &macro->parameter[i];
        fa_xacro_value                   v;
        if (given[i] || p->name[0] == '*') continue;
        if (!p->has_default)
            fa_xacro_halt(
                x, "macro '%.100s' needs a value for its parameter '%.100s'; add %.100s=\"…\"",
                macro->name, p->name, p->name);
        const bool found = p->forwards && (fa_xacro_scope_get(x, caller, p->name, &v) ||
                                           fa_xacro_builtin(p->name, FA_BARE, &v));
        if (!found && !p->standard)
            fa_xacro_halt(x,
                          "macro '%.100s' takes '%.100s' from its caller, who has none; add "
                          "%.100s=\"…\"",
                          macro->name, p->name, p->name);
        if (!found) v = fa_xacro_evaluate_text(x, p->standard, caller);
        fa_xacro_scope_set(x, inner, p->name, v, false);
    }
}

void fa_xacro_macro_call(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                         fa_xacro_scope *scope)
{
    const char *name = node->name + strlen("xacro:");
    if (strcmp(name, "call") == 0) {
        const char *said = fa_xacro_attribute_of(node, "macro");
        if (!said || !*said) fa_xacro_halt(x, "<xacro:call> has no attribute macro; add it");
        name = fa_xacro_evaluate_to_text(x, said, scope);
        fa_xacro_attribute_remove(node, "macro");
    }
    fa_xacro_scope       *own_macros = macros, *own_scope = scope;
    const fa_xacro_macro *macro = resolve(x, name, &own_macros, &own_scope);
    if (!macro)
        fa_xacro_halt(x,
                      "there is no macro '%.100s' at this point; is the file that defines it "
                      "included before?",
                      name);
    if (++x->n_calls > FA_XACRO_CALLS)
        fa_xacro_halt(x, "macros have been expanded more than %d times; no robot needs that",
                      FA_XACRO_CALLS);
    int depth = 1;
    for (const fa_xacro_call *c = x->call; c; c = c->outer) depth += c->macro != NULL;
    if (depth > FA_XACRO_DEPTH)
        fa_xacro_halt(
            x, "macro '%.100s' is expanded within %d others; does it call itself without end?",
            name, FA_XACRO_DEPTH);

    fa_xacro_call *call = fa_xacro_take(x, sizeof *call);
    bool          *given = fa_xacro_take(x, (size_t)macro->n_parameters * sizeof *given);
    *call = (fa_xacro_call){macro->name, node->file, node->place.line, x->call};
    fa_xacro_scope *inner = fa_xacro_scope_new(x, own_scope, false);
    fa_xacro_scope *inner_macros = fa_xacro_scope_new(x, own_macros, false);
    give_attributes(x, node, macro, given, scope, inner);
    fa_xacro_expand_all(x, node, macros, scope);
    give_blocks(x, node, macro, given, inner);
    give_defaults(x, macro, given, scope, inner);

    x->call = call;
    fa_xacro_node *body = fa_xacro_node_clone(x, macro->body);
    fa_xacro_expand_all(x, body, inner_macros, inner);
    x->call = call->outer;
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_take_namespaces(x, node->parent, body);
    fa_xacro_node_replace_by_children(node, body);
}

// ---------------------------------------------------------------------------------------- include

static void include_file(fa_xacro *x, fa_xacro_node *node, const char *path, fa_xacro_scope *macros,
                         fa_xacro_scope *scope)
{
    size_t size;
    if (x->n_files == FA_XACRO_DEPTH)
        fa_xacro_halt(x, "files include each other more than %d deep; does one include itself?",
                      FA_XACRO_DEPTH);
    if (++x->n_read > FA_XACRO_FILES)
        fa_xacro_halt(x, "more than %d files are included; no robot needs that", FA_XACRO_FILES);
    fa_xacro_must_be_near(x, path);
    fa_xacro_open_read(x, path, &size);
    fa_xacro_call *call = fa_xacro_take(x, sizeof *call);
    *call = (fa_xacro_call){NULL, node->file, node->place.line, x->call};
    x->call = call;
    fa_xacro_node *root = fa_xacro_document_read(x, x->open_bytes, size, path);
    fa_xacro_open_release(x);
    x->file[x->n_files++] = path;
    fa_xacro_expand_all(x, root, macros, scope);
    x->n_files--;
    x->call = call->outer;
    fa_xacro_take_namespaces(x, node->parent, root);
    for (fa_xacro_node *child = root->first, *next; child; child = next) {
        next = child->next;
        fa_xacro_node_remove(child);
        fa_xacro_node_insert(node->parent, child, node);
    }
}

void fa_xacro_include(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                      fa_xacro_scope *scope)
{
    fa_xacro_check_attributes(x, node, "filename", "ns optional");
    const char *ns = fa_xacro_attribute_of(node, "ns"),
               *optional = fa_xacro_attribute_of(node, "optional");
    if (ns && *ns) {
        ns = fa_xacro_evaluate_to_text(x, ns, scope);
        fa_xacro_scope *inner_macros = fa_xacro_scope_new(x, NULL, true),
                       *inner = fa_xacro_scope_new(x, scope, true);
        fa_xacro_scope_set(x, macros, ns,
                           (fa_xacro_value){.kind = FA_VALUE_SPACE, .is.space = inner_macros},
                           false);
        fa_xacro_scope_set(x, scope, ns,
                           (fa_xacro_value){.kind = FA_VALUE_SPACE, .is.space = inner}, false);
        macros = inner_macros;
        scope = inner;
    }
    const fa_xacro_value flag = optional ? fa_xacro_of_text(optional) : fa_xacro_of_bool(false);
    const bool           may_miss = fa_xacro_is_wanted(x, &flag, optional);
    if (fa_xacro_node_first_element(node))
        fa_xacro_mention(x, "elements inside <xacro:include> mean nothing and are passed over");
    const char *path =
        fa_xacro_from_here(x, fa_xacro_evaluate_to_text(x, fa_xacro_attribute_of(node, "filename"),
                                                        ns && *ns ? scope->parent : scope));
    if (strpbrk(path, "*[?")) {
        int          n;
        char       **found = fa_path_matches(path, &n);
        const char **name = fa_xacro_try_take(x, (size_t)(n + 1) * sizeof *name);
        for (int i = 0; name && i < n; i++) {
            const size_t size = strlen(found[i]);
            char        *copy = fa_xacro_try_take(x, size + 1);
            name[i] = copy ? memcpy(copy, found[i], size) : "";
        }
        fa_folder_free(found, n);
        if (!name) fa_xacro_leave(x, FA_NO_MEMORY);
        if (n == 0) fa_xacro_mention(x, "no file is called '%.300s', so nothing is included", path);
        for (int i = 0; i < n; i++) include_file(x, node, name[i], macros, scope);
    } else if (fa_path_is_there(path) || !may_miss) {
        include_file(x, node, path, macros, scope);
    }
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_node_remove(node);
}
