// Names and what they stand for: properties, macros, arguments. A scope lies within another one,
// that of the caller; what is not found here is looked for there.
#include <string.h>

#include "expansion.h"

static unsigned bucket_of(const char *name)
{
    unsigned hash = 5381;
    for (; *name; name++) hash = 33 * hash + (unsigned char)*name;
    return hash % FA_BUCKETS;
}

fa_xacro_scope *fa_xacro_scope_new(fa_xacro *x, fa_xacro_scope *parent, bool is_space)
{
    fa_xacro_scope *scope = fa_xacro_take(x, sizeof *scope);
    scope->parent = parent;
    scope->is_space = is_space;
    return scope;
}

fa_xacro_entry *fa_xacro_scope_own(const fa_xacro_scope *scope, const char *name)
{
    fa_xacro_entry *e = scope->bucket[bucket_of(name)];
    while (e && strcmp(e->name, name) != 0) e = e->next;
    return e;
}

static fa_xacro_entry *find(fa_xacro_scope *scope, const char *name, fa_xacro_scope **holder)
{
    for (; scope; scope = scope->parent) {
        fa_xacro_entry *e = fa_xacro_scope_own(scope, name);
        *holder = scope;
        if (e) return e;
    }
    return NULL;
}

void fa_xacro_scope_set(fa_xacro *x, fa_xacro_scope *scope, const char *name, fa_xacro_value value,
                        bool lazy)
{
    fa_xacro_entry *e = fa_xacro_scope_own(scope, name);
    if (!e) {
        fa_xacro_entry **bucket = &scope->bucket[bucket_of(name)];
        e = fa_xacro_take(x, sizeof *e);
        e->name = fa_xacro_kept(x, name, strlen(name));
        e->next = *bucket;
        *bucket = e;
    }
    e->value = fa_xacro_typed(x, value);
    e->lazy = lazy && e->value.kind == FA_VALUE_TEXT;
}

bool fa_xacro_scope_has(const fa_xacro_scope *scope, const char *name)
{
    for (; scope; scope = scope->parent)
        if (fa_xacro_scope_own(scope, name)) return true;
    return false;
}

void fa_xacro_scope_remove(fa_xacro_scope *scope, const char *name)
{
    for (; scope; scope = scope->parent) {
        fa_xacro_entry **link = &scope->bucket[bucket_of(name)];
        while (*link && strcmp((*link)->name, name) != 0) link = &(*link)->next;
        if (*link) *link = (*link)->next;
    }
}

bool fa_xacro_scope_get(fa_xacro *x, fa_xacro_scope *scope, const char *name, fa_xacro_value *value)
{
    fa_xacro_scope *holder;
    fa_xacro_entry *e = find(scope, name, &holder);
    if (!e) return false;
    if (e->lazy) {
        if (e->under_way)
            fa_xacro_halt(x,
                          "the property '%.100s' is needed to know its own value; let one of the "
                          "properties in this circle have a number, or lazy_eval=\"false\"",
                          name);
        if (x->n_nested + 4 > FA_XACRO_DEPTH)
            fa_xacro_halt(
                x, "properties refer to each other in too long a chain; no robot needs that");
        e->under_way = true;
        const fa_xacro_value result = fa_xacro_evaluate_text(x, e->value.is.text, holder);
        e->value = fa_xacro_typed(x, result);
        e->under_way = e->lazy = false;
    }
    *value = e->value;
    return true;
}
