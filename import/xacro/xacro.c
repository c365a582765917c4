// An expansion from its beginning to its end.
#include "xacro.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "expansion.h"
#include "source.h"
#include "xml.h"

bool fa_xacro_wanted(const char *text, size_t size)
{
    // A text of UTF-16 has a zero in each of these, and is not looked into.
    static const char *const sign[] = {"<xacro:", "xmlns:xacro", "${"};
    for (const char *at = text, *end = text + size; at < end; at++)
        for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
            const size_t n = strlen(sign[i]);
            if ((size_t)(end - at) >= n && memcmp(at, sign[i], n) == 0) return true;
        }
    return false;
}

static void expand(fa_xacro *x, fa_expansion *expansion)
{
    static const fa_xacro_node empty_line = {.kind = FA_TEXT, .text = "\n\n"};
    x->found = fa_xacro_dict_new(x);
    x->arguments = fa_xacro_scope_new(x, NULL, false);
    x->mark = fa_xacro_take(x, sizeof *x->mark);
    *x->mark = empty_line;
    x->file[x->n_files++] = x->path;
    for (int i = 0; i < x->options->n_arguments; i++) {
        const fa_naming *a = &x->options->argument[i];
        fa_xacro_scope_set(x, x->arguments, a->name, FA_NONE, false);
        fa_xacro_scope_own(x->arguments, a->name)->value =
            fa_xacro_of_text(fa_xacro_kept(x, a->value, strlen(a->value)));
    }
    fa_xacro_node *root = fa_xacro_document_read(x, x->text, x->size, x->path);
    const char    *space = fa_xacro_attribute_of(root, "xacro:targetNamespace");
    if (space) fa_xacro_attribute_set(x, root, "xmlns", space);
    fa_xacro_expand_all(x, root, fa_xacro_scope_new(x, NULL, false),
                        fa_xacro_scope_new(x, NULL, false));
    fa_xacro_document_write(x, root, expansion);
    expansion->has_macros = x->has_macros;
}

// Target of longjmp. The function has no other variables, so that none is indeterminate afterwards.
// Without an expansion to fill, the text is a table in YAML.
static fa_status attempt(fa_xacro *x, fa_expansion *expansion)
{
    if (setjmp(x->leave) != 0) return x->status;
    if (expansion)
        expand(x, expansion);
    else
        (void)fa_xacro_yaml_parse(x, x->text, x->size, x->path);
    return x->status;
}

static void release_open(fa_xacro *x)
{
    if (x->open_parser) xmlFreeParserCtxt(x->open_parser);
    if (x->open_tree) fa_xml_free(x->open_tree);
    if (x->open_yaml) yaml_document_delete(x->open_yaml);
    if (x->open_yaml_parser) yaml_parser_delete(x->open_yaml_parser);
    free(x->open_bytes);
}

fa_status fa_xacro_expand(const char *text, size_t size, const char *path,
                          const fa_xacro_options *options, const fa_log *log,
                          fa_expansion *expansion, fa_error *error)
{
    static const fa_xacro_options usual = {0};
    *expansion = (fa_expansion){.text = NULL};
    fa_xacro *x = calloc(1, sizeof *x);
    if (!x)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory for the file");
    x->path = path;
    x->options = options ? options : &usual;
    x->log = log;
    x->error = error;
    x->text = text;
    x->size = size;
    const fa_status status = attempt(x, expansion);
    if (status == FA_OK) {
        expansion->origins->chunks = x->chunks;
    } else {
        release_open(x);
        fa_xacro_chunks_free(x->chunks);
        *expansion = (fa_expansion){.text = NULL};
    }
    free(x);
    if (status == FA_NO_MEMORY)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory to expand the file");
    return status;
}

fa_status fa_xacro_check_table(const char *text, size_t size, const char *path, fa_error *error)
{
    static const fa_xacro_options usual = {0};
    fa_xacro                     *x = calloc(1, sizeof *x);
    if (!x)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory for the file");
    x->path = path;
    x->text = text;
    x->size = size;
    x->options = &usual;
    x->error = error;
    const fa_status status = attempt(x, NULL);
    if (status != FA_OK) release_open(x);
    fa_xacro_chunks_free(x->chunks);
    free(x);
    if (status == FA_NO_MEMORY)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory for the file");
    return status;
}

void fa_expansion_free(fa_expansion *expansion)
{
    if (expansion->origins) fa_xacro_chunks_free(expansion->origins->chunks);
    *expansion = (fa_expansion){.text = NULL};
}
