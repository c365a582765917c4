// The elements of xacro: what each becomes.
#include <string.h>

#include "expansion.h"

// --------------------------------------------------------------------------------------- helpers

static bool listed(const char *name, const char *list)
{
    const size_t n = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strncmp(p, name, n) == 0 && (p[n] == ' ' || !p[n])) return true;
    return false;
}

void fa_xacro_check_attributes(fa_xacro *x, const fa_xacro_node *node, const char *required,
                               const char *optional)
{
    for (const char *p = required; *p; p += strcspn(p, " "), p += *p == ' ') {
        const char *name = fa_xacro_kept(x, p, strcspn(p, " "));
        if (!fa_xacro_attribute_of(node, name))
            fa_xacro_halt(x, "<%.60s> has no attribute %s; add it", node->name, name);
    }
    for (const fa_xacro_attribute *a = node->attributes; a; a = a->next)
        if (!listed(a->name, required) && !listed(a->name, optional) &&
            strncmp(a->name, "xmlns:", 6) != 0)
            fa_xacro_mention(x, "%.60s means nothing in <%.60s> and is passed over", a->name,
                             node->name);
}

bool fa_xacro_is_wanted(fa_xacro *x, const fa_xacro_value *value, const char *text)
{
    fa_xacro_wide n;
    if (value->kind != FA_VALUE_TEXT) return fa_xacro_truth(value);
    const char *t = value->is.text;
    if (strcmp(t, "true") == 0 || strcmp(t, "True") == 0) return true;
    if (strcmp(t, "false") == 0 || strcmp(t, "False") == 0) return false;
    if (fa_xacro_read_int(t, 10, &n)) return n != 0;
    fa_xacro_halt(
        x,
        "'%.200s' is '%.200s', which is neither true nor false; write true, false, 1 or 0, "
        "or an expression that is a number or a truth",
        text, t);
}

void fa_xacro_take_namespaces(fa_xacro *x, fa_xacro_node *parent, const fa_xacro_node *from)
{
    for (const fa_xacro_attribute *a = from->attributes; a && parent; a = a->next) {
        if (strncmp(a->name, "xmlns:", 6) != 0) continue;
        const char *old = fa_xacro_attribute_of(parent, a->name);
        if (!old)
            fa_xacro_attribute_set(x, parent, a->name, a->value);
        else if (strcmp(old, a->value) != 0)
            fa_xacro_mention(x, "%.60s stands for '%.100s' and for '%.100s'; the first counts",
                             a->name, old, a->value);
    }
}

static bool may_skip(const fa_xacro_node *n)
{
    int lines = 0;
    if (n->kind != FA_TEXT || n->text[strspn(n->text, " \t\r\n")]) return false;
    for (const char *p = n->text; *p; p++) lines += *p == '\n';
    return lines <= 1;
}

// Comments directly before what vanishes are about it, and vanish with it.
void fa_xacro_drop_comments_before(fa_xacro *x, fa_xacro_node *node)
{
    fa_xacro_node *next = node->next;
    for (fa_xacro_node *p = node->previous; p;) {
        if (may_skip(p)) p = p->previous;
        if (!p || p->kind != FA_COMMENT) break;
        fa_xacro_node *comment = p;
        p = p->previous;
        fa_xacro_node_remove(comment);
    }
    if (!next || next == x->mark) return;
    fa_xacro_node_remove(x->mark);
    fa_xacro_node_insert(node->parent, x->mark, next);
}

// ------------------------------------------------------------------------------------- properties

static bool is_identifier(const char *name)
{
    static const char *const keyword[] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    for (size_t i = 0; i < sizeof keyword / sizeof *keyword; i++)
        if (strcmp(name, keyword[i]) == 0) return false;
    for (const char *p = name; *p; p++) {
        const char c = *p, low = (char)(c | 0x20);
        if (!((low >= 'a' && low <= 'z') || c == '_' || (unsigned char)c >= 0x80 ||
              (p > name && c >= '0' && c <= '9')))
            return false;
    }
    return *name != '\0';
}

static bool said(fa_xacro *x, const char *text, bool otherwise, fa_xacro_scope *scope)
{
    if (!text || !*text) return otherwise;
    const fa_xacro_value v = fa_xacro_evaluate_text(x, text, scope);
    return fa_xacro_is_wanted(x, &v, text);
}

void fa_xacro_property(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope)
{
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_check_attributes(x, node, "name", "value default remove scope lazy_eval");
    const char *name = fa_xacro_evaluate_to_text(x, fa_xacro_attribute_of(node, "name"), scope);
    const char *value = fa_xacro_attribute_of(node, "value"),
               *standard = fa_xacro_attribute_of(node, "default");
    const char *where = fa_xacro_attribute_of(node, "scope");
    if (!is_identifier(name))
        fa_xacro_halt(
            x,
            "'%.100s' cannot be the name of a property; names have letters, digits and _, "
            "and are no words of Python",
            name);
    if (strncmp(name, "__", 2) == 0)
        fa_xacro_halt(
            x,
            "the property '%.100s' begins with two underscores, which names here must not "
            "do",
            name);
    const bool remove = said(x, fa_xacro_attribute_of(node, "remove"), false, scope);
    if ((value != NULL) + (standard != NULL) + remove > 1)
        fa_xacro_halt(x, "property '%.100s' has two of value, default and remove; keep one", name);
    fa_xacro_value old;
    const bool     known = fa_xacro_scope_has(scope, name) || fa_xacro_builtin(name, FA_BARE, &old);
    if ((remove && known) || (standard && known)) {
        if (remove) fa_xacro_scope_remove(scope, name);
        fa_xacro_node_remove(node);
        return;
    }
    bool lazy = said(x, fa_xacro_attribute_of(node, "lazy_eval"), true, scope);
    fa_xacro_node_remove(node);
    fa_xacro_scope *target = scope;
    if (where && strcmp(where, "global") == 0) {
        while (target->parent) target = target->parent;
        lazy = false;
    } else if (where && strcmp(where, "parent") == 0) {
        if (!scope->parent) {
            fa_xacro_mention(
                x,
                "property '%.100s' is outside of all macros, so that there is no parent "
                "to give it to",
                name);
            return;
        }
        target = scope->parent;
        while (!scope->is_space && target->is_space && target->parent) target = target->parent;
        lazy = false;
    }
    if (!value) value = standard;
    if (!value) {
        const fa_xacro_value block = {.kind = FA_VALUE_BLOCK, .is.block = node};
        fa_xacro_scope_set(x, target, fa_xacro_print(x, "**%s", name), block, false);
        return;
    }
    const fa_xacro_value v =
        lazy ? fa_xacro_of_text(value) : fa_xacro_evaluate_text(x, value, scope);
    fa_xacro_scope_set(x, target, name, v, lazy);
}

// -------------------------------------------------------------------------------- other elements

static void insert_block(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                         fa_xacro_scope *scope)
{
    fa_xacro_value v;
    fa_xacro_check_attributes(x, node, "name", "");
    const char *name = fa_xacro_attribute_of(node, "name");
    const bool  many = fa_xacro_scope_get(x, scope, fa_xacro_print(x, "**%s", name), &v);
    if ((!many && !fa_xacro_scope_get(x, scope, fa_xacro_print(x, "*%s", name), &v)) ||
        v.kind != FA_VALUE_BLOCK)
        fa_xacro_halt(x,
                      "there is no block '%.100s'; a macro names it in params as *%.100s, or a "
                      "property holds it",
                      name, name);
    fa_xacro_node *block = fa_xacro_node_clone(x, v.is.block);
    fa_xacro_node *holder =
        fa_xacro_take(x, sizeof *holder); // so that what the block becomes has a parent
    holder->kind = FA_ELEMENT;
    holder->name = node->name;
    fa_xacro_expand_all(x, block, macros, scope);
    if (!many) fa_xacro_node_insert(holder, block, NULL);
    fa_xacro_node_replace_by_children(node, many ? block : holder);
}

static void argument(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope)
{
    fa_xacro_check_attributes(x, node, "name default", "");
    const char *name = fa_xacro_attribute_of(node, "name");
    if (!fa_xacro_scope_own(x->arguments, name)) {
        const char *text =
            fa_xacro_evaluate_to_text(x, fa_xacro_attribute_of(node, "default"), scope);
        fa_xacro_scope_set(x, x->arguments, name, FA_NONE, false); // not typed: arguments are text
        fa_xacro_scope_own(x->arguments, name)->value = fa_xacro_of_text(text);
    }
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_node_remove(node);
}

static void set_attribute(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope)
{
    fa_xacro_check_attributes(x, node, "name value", "");
    const char *name = fa_xacro_evaluate_to_text(x, fa_xacro_attribute_of(node, "name"), scope);
    const char *value = fa_xacro_evaluate_to_text(x, fa_xacro_attribute_of(node, "value"), scope);
    if (!fa_xacro_is_xml_name(name))
        fa_xacro_halt(x, "'%.100s' cannot be the name of an attribute", name);
    fa_xacro_attribute_set(x, node->parent, name, value);
    fa_xacro_node_remove(node);
}

static void name_element(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope)
{
    const char *said_name = fa_xacro_attribute_of(node, "xacro:name");
    if (!said_name) fa_xacro_halt(x, "<xacro:element> has no attribute xacro:name; add it");
    node->name = fa_xacro_evaluate_to_text(x, said_name, scope);
    if (!fa_xacro_is_xml_name(node->name) || strcmp(node->name, "xacro:element") == 0)
        fa_xacro_halt(x, "'%.100s' cannot be the name of an element", node->name);
    fa_xacro_attribute_remove(node, "xacro:name");
}

static void choose(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros, fa_xacro_scope *scope,
                   bool wanted)
{
    fa_xacro_drop_comments_before(x, node);
    fa_xacro_check_attributes(x, node, "value", "");
    const char          *text = fa_xacro_attribute_of(node, "value");
    const fa_xacro_value v = fa_xacro_evaluate_text(x, text, scope);
    if (fa_xacro_is_wanted(x, &v, text) != wanted) {
        fa_xacro_node_remove(node);
        return;
    }
    fa_xacro_expand_all(x, node, macros, scope);
    fa_xacro_node_replace_by_children(node, node);
}

static void expand_element(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                           fa_xacro_scope *scope)
{
    if (strcmp(node->name, "xacro:element") == 0) name_element(x, node, scope);
    const char *name = node->name;
    if (strncmp(name, "xacro:", 6) != 0)
        fa_xacro_expand_all(x, node, macros, scope);
    else if (strcmp(name, "xacro:insert_block") == 0)
        insert_block(x, node, macros, scope);
    else if (strcmp(name, "xacro:include") == 0)
        fa_xacro_include(x, node, macros, scope);
    else if (strcmp(name, "xacro:property") == 0)
        fa_xacro_property(x, node, scope);
    else if (strcmp(name, "xacro:macro") == 0)
        fa_xacro_macro_define(x, node, macros);
    else if (strcmp(name, "xacro:arg") == 0)
        argument(x, node, scope);
    else if (strcmp(name, "xacro:attribute") == 0)
        set_attribute(x, node, scope);
    else if (strcmp(name, "xacro:if") == 0 || strcmp(name, "xacro:unless") == 0)
        choose(x, node, macros, scope, name[6] == 'i');
    else
        fa_xacro_macro_call(x, node, macros, scope);
}

// A comment, and whether those after it are evaluated.
static void expand_comment(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *scope, bool *evaluate)
{
    if (strstr(node->text, "xacro:eval-comments")) {
        *evaluate = !strstr(node->text, "xacro:eval-comments:off");
        fa_xacro_node_remove(node);
    } else if (*evaluate) {
        node->text = fa_xacro_evaluate_to_text(x, node->text, scope);
        if (strstr(node->text, "--"))
            fa_xacro_halt(x, "a comment gets -- inside, which XML forbids");
    }
}

void fa_xacro_expand_all(fa_xacro *x, fa_xacro_node *node, fa_xacro_scope *macros,
                         fa_xacro_scope *scope)
{
    const fa_xacro_node *before = x->at;
    bool                 evaluate_comments = false;
    x->at = node;
    if (++x->depth > 4 * FA_XACRO_DEPTH)
        fa_xacro_halt(x, "elements are nested more than %d deep here; no robot needs that",
                      4 * FA_XACRO_DEPTH);
    for (fa_xacro_attribute **link = &node->attributes; *link;) {
        fa_xacro_attribute *a = *link;
        if (strncmp(a->name, "xacro:", 6) == 0 || strcmp(a->name, "xmlns:xacro") == 0) {
            *link = a->next;
            continue;
        }
        a->value = fa_xacro_evaluate_to_text(x, a->value, scope);
        link = &a->next;
    }
    for (fa_xacro_node *child = node->first, *next; child; child = next) {
        next = child->next;
        if (child->kind == FA_ELEMENT) {
            evaluate_comments = false;
            x->at = child;
            expand_element(x, child, macros, scope);
            x->at = node;
        } else if (child->kind == FA_TEXT) {
            if (strchr(child->text, '$'))
                child->text = fa_xacro_evaluate_to_text(x, child->text, scope);
            if (child->text[strspn(child->text, " \t\r\n")]) evaluate_comments = false;
        } else if (child->kind == FA_COMMENT) {
            expand_comment(x, child, scope, &evaluate_comments);
        }
    }
    x->depth--;
    x->at = before;
}
