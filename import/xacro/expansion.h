// The state of an expansion, common to the files of this folder.
//
// All memory of an expansion is one arena, released at once. An error returns by longjmp to
// fa_xacro_expand, so that the code reads like the language. Only the arena and the resources in
// fa_xacro's `open_…` may be owned while it can happen.
#ifndef FA_EXPANSION_H
#define FA_EXPANSION_H

#include <libxml/parser.h>
#include <setjmp.h>
#include <stdbool.h>

#include "expression.h"

// -------------------------------------------------------------------------------------- the state

typedef struct fa_xacro_macro {
    const char    *name;
    fa_xacro_node *body;
    int            n_parameters;
    struct fa_xacro_parameter {
        const char *name;
        bool        has_default, forwards;
        const char *standard; // NULL: none
    } * parameter;
} fa_xacro_macro;

// Origin of each line of the expanded text. Owns the arena, too.
typedef struct fa_expansion_origins {
    struct fa_xacro_chunk *chunks;
    int                    n, room;
    struct fa_xacro_origin {
        const char          *file;
        fa_place             place;
        const fa_xacro_call *call;
    } * line;
} fa_expansion_origins;

void fa_xacro_chunks_free(struct fa_xacro_chunk *chunks);

struct fa_xacro {
    const char             *path, *text; // of the robot
    size_t                  size;
    const fa_xacro_options *options;
    const fa_log           *log;
    fa_error               *error;
    fa_status               status;
    jmp_buf                 leave;
    struct fa_xacro_chunk  *chunks;
    size_t                  memory; // bytes taken
    size_t                  steps;  // so far, as FA_XACRO_STEPS counts them
    fa_xacro_scope         *arguments;
    const fa_xacro_node    *at;   // what is being expanded
    const fa_xacro_call    *call; // the innermost macro
    fa_xacro_node          *mark; // an empty line behind which comments are not dropped
    const char             *file[FA_XACRO_DEPTH]; // files within each other; the last is being read
    int                     n_files;
    int                     depth, n_calls, n_nodes, n_read, n_nested, n_terms;
    bool                    has_macros;
    const char             *expression; // under evaluation; NULL: none
    fa_xacro_value          found;      // a dictionary of packages that were found
    // Resources released by the error handler.
    char             *open_bytes;
    xmlParserCtxt    *open_parser;
    struct fa_xml    *open_tree;
    struct fa_source *open_source;
    void             *open_yaml, *open_yaml_parser;
};

// Counts n steps; faults where that makes more than any robot needs.
void fa_xacro_count(fa_xacro *x, size_t n);

// Memory that lives as long as the expansion.
void       *fa_xacro_take(fa_xacro *x, size_t size);
void       *fa_xacro_try_take(fa_xacro *x, size_t size); // NULL where there is none
const char *fa_xacro_kept(fa_xacro *x, const char *text, size_t size);
const char *fa_xacro_print(fa_xacro *x, const char *format, ...) FA_PRINTF(2, 3);

// A text that grows.
typedef struct fa_xacro_builder {
    char  *text;
    size_t n, room;
    bool   long_one; // a whole document
} fa_xacro_builder;
void        fa_xacro_build(fa_xacro *x, fa_xacro_builder *b, const char *text, size_t size);
void        fa_xacro_build_text(fa_xacro *x, fa_xacro_builder *b, const char *text);
const char *fa_xacro_built(fa_xacro *x, fa_xacro_builder *b);

// Leaves with a sentence about what is being expanded.
_Noreturn void fa_xacro_halt(fa_xacro *x, const char *format, ...) FA_PRINTF(2, 3);
_Noreturn void fa_xacro_leave(fa_xacro *x, fa_status status);
void           fa_xacro_mention(fa_xacro *x, const char *format, ...) FA_PRINTF(2, 3); // a warning

void fa_xacro_stack_text(const fa_xacro_call *call, fa_macro_stack *stack);

// -------------------------------------------------------------------------------- files, elements

// A path from the file that is being read.
const char *fa_xacro_from_here(fa_xacro *x, const char *path);
// The folder of a package; faults if there is none.
const char *fa_xacro_package(fa_xacro *x, const char *name);
// Faults if the file lies outside what may be read.
void fa_xacro_must_be_near(fa_xacro *x, const char *path);
// Reads a regular file in x->open_bytes.
void fa_xacro_open_read(fa_xacro *x, const char *path, size_t *size);
void fa_xacro_open_release(fa_xacro *x);
bool fa_xacro_is_xml_name(const char *name);

void fa_xacro_expand_all(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                         fa_xacro_scope *scope);
void fa_xacro_macro_define(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros);
void fa_xacro_macro_call(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                         fa_xacro_scope *scope);
void fa_xacro_include(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                      fa_xacro_scope *scope);
void fa_xacro_property(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope);
bool fa_xacro_is_wanted(fa_xacro *x, const fa_xacro_value *value, const char *text);
void fa_xacro_take_namespaces(fa_xacro *x, fa_xacro_node *parent, const fa_xacro_node *from);
void fa_xacro_drop_comments_before(fa_xacro *x, fa_xacro_node *node);
// Errors if a required attribute is missing; warns of attributes that are in neither list.
void fa_xacro_check_attributes(fa_xacro *x, const fa_xacro_node *node, const char *required,
                               const char *optional);

#endif
