// The expanded tree as text, an element a line, and where each line is from.
#include <string.h>

#include "expansion.h"

typedef struct writer {
    fa_xacro             *x;
    fa_xacro_builder      text;
    fa_expansion_origins *origins;
    const fa_xacro_node  *of; // what is being written
} writer;

static void end_line(writer *w)
{
    fa_expansion_origins *o = w->origins;
    if (o->n == o->room) {
        const int               room = 2 * o->room + 256;
        struct fa_xacro_origin *larger = fa_xacro_take(w->x, (size_t)room * sizeof *larger);
        if (o->n) memcpy(larger, o->line, (size_t)o->n * sizeof *larger);
        o->line = larger;
        o->room = room;
    }
    o->line[o->n++] = (struct fa_xacro_origin){w->of->file, w->of->place, w->of->call};
}

static void put(writer *w, const char *text)
{
    fa_xacro_build_text(w->x, &w->text, text);
    for (; (text = strchr(text, '\n')) != NULL; text++) end_line(w);
}

static void put_escaped(writer *w, const char *text, bool attribute)
{
    for (const char *p = text; *p;) {
        const size_t plain = strcspn(p, attribute ? "&<>\"\n\r\t" : "&<>\r");
        const char   piece[2] = {p[plain], '\0'};
        fa_xacro_build(w->x, &w->text, p, plain);
        for (const char *n = memchr(p, '\n', plain); n;
             n = memchr(n + 1, '\n', (size_t)(p + plain - n - 1)))
            end_line(w);
        p += plain;
        if (!*p) break;
        put(w, *piece == '&'    ? "&amp;"
               : *piece == '<'  ? "&lt;"
               : *piece == '>'  ? "&gt;"
               : *piece == '"'  ? "&quot;"
               : *piece == '\n' ? "&#10;"
               : *piece == '\r' ? "&#13;"
                                : "&#9;");
        p++;
    }
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

// Children go on lines of their own, unless a text stands among them: white space would be part of
// it.
static bool is_mixed(const fa_xacro_node *node)
{
    for (const fa_xacro_node *n = node->first; n; n = n->next)
        if (n->kind == FA_CDATA || (n->kind == FA_TEXT && !is_blank(n->text))) return true;
    return false;
}

static void indent(writer *w, int depth)
{
    for (int i = 0; i < depth; i++) put(w, "  ");
}

static void write_node(writer *w, const fa_xacro_node *node, int depth, bool inside_text);

static void write_element(writer *w, const fa_xacro_node *node, int depth, bool inside_text)
{
    if (depth >= FA_XACRO_DEPTH) {
        w->x->at = node;
        w->x->call = node->call;
        fa_xacro_halt(w->x, "elements are nested more than %d deep here; no robot file needs that",
                      FA_XACRO_DEPTH);
    }
    put(w, "<");
    put(w, node->name);
    for (const fa_xacro_attribute *a = node->attributes; a; a = a->next) {
        put(w, " ");
        put(w, a->name);
        put(w, "=\"");
        put_escaped(w, a->value, true);
        put(w, "\"");
    }
    if (!node->first) {
        put(w, "/>");
        return;
    }
    put(w, ">");
    const bool mixed = inside_text || is_mixed(node);
    if (!mixed) put(w, "\n");
    for (const fa_xacro_node *child = node->first; child; child = child->next) {
        if (!mixed && child->kind == FA_TEXT) continue;
        w->of = child;
        if (!mixed) indent(w, depth + 1);
        write_node(w, child, depth + 1, mixed);
        if (!mixed) put(w, "\n");
    }
    w->of = node;
    if (!mixed) indent(w, depth);
    put(w, "</");
    put(w, node->name);
    put(w, ">");
}

static void write_node(writer *w, const fa_xacro_node *node, int depth, bool inside_text)
{
    switch (node->kind) {
    case FA_ELEMENT:
        write_element(w, node, depth, inside_text);
        break;
    case FA_TEXT:
        put_escaped(w, node->text, false);
        break;
    case FA_CDATA:
        put(w, "<![CDATA[");
        put(w, node->text);
        put(w, "]]>");
        break;
    case FA_COMMENT:
        put(w, "<!--");
        put(w, node->text);
        put(w, "-->");
        break;
    case FA_PROCESSING:
        put(w, "<?");
        put(w, node->name);
        put(w, *node->text ? " " : "");
        put(w, node->text);
        put(w, "?>");
        break;
    }
}

void fa_xacro_document_write(fa_xacro *x, const fa_xacro_node *root, fa_expansion *expansion)
{
    writer w = {.x = x, .text = {.long_one = true}, .of = root};
    w.origins = fa_xacro_take(x, sizeof *w.origins);
    put(&w, "<?xml version=\"1.0\"?>\n");
    write_node(&w, root, 0, false);
    put(&w, "\n");
    end_line(&w);
    expansion->text = w.text.text;
    expansion->size = w.text.n;
    expansion->origins = w.origins;
}

const char *fa_expansion_origin(const fa_expansion *expansion, fa_place *place,
                                fa_macro_stack *stack)
{
    const fa_expansion_origins *o = expansion->origins;
    stack->text[0] = '\0';
    if (place->line < 1 || place->line > o->n) return NULL;
    const struct fa_xacro_origin *from = &o->line[place->line - 1];
    fa_xacro_stack_text(from->call, stack);
    *place = from->place;
    return from->file;
}
