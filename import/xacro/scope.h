// Names and what they stand for: properties and macros, with the scopes around.
#ifndef FA_XACRO_SCOPE_H
#define FA_XACRO_SCOPE_H

#include "value.h"

typedef struct fa_xacro fa_xacro; // an expansion (expansion.h)

typedef struct fa_xacro_entry {
    const char            *name;
    fa_xacro_value         value;
    bool                   lazy, under_way;
    struct fa_xacro_entry *next;
} fa_xacro_entry;

enum { FA_BUCKETS = 32 };

typedef struct fa_xacro_scope {
    struct fa_xacro_scope *parent;
    bool                   is_space;
    fa_xacro_entry        *bucket[FA_BUCKETS];
} fa_xacro_scope;

fa_xacro_scope *fa_xacro_scope_new(fa_xacro *x, fa_xacro_scope *parent, bool is_space);
void fa_xacro_scope_set(fa_xacro *x, fa_xacro_scope *scope, const char *name, fa_xacro_value value,
                        bool lazy);
fa_xacro_entry *fa_xacro_scope_own(const fa_xacro_scope *scope, const char *name);
bool            fa_xacro_scope_has(const fa_xacro_scope *scope,
                                   const char           *name);                // built-in names not counted
void fa_xacro_scope_remove(fa_xacro_scope *scope, const char *name); // here and in all around
// Returns the value; a lazy one is evaluated first. False: the name is undefined.
bool fa_xacro_scope_get(fa_xacro *x, fa_xacro_scope *scope, const char *name,
                        fa_xacro_value *value);

#endif
