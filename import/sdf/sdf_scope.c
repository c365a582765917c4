// Models within models: scopes, what is in them, and names to look them up by.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdf.h"

// Room for one more; a list is full at each power of two.
static void *grown(void *list, int n, size_t size)
{
    if ((n & (n - 1)) != 0) return list;
    return realloc(list, (n ? 2 * (size_t)n : 1) * size);
}

static fa_status add_node(fa_sdf *s, fa_sdf_node node, const fa_xml *xml)
{
    if (s->n_nodes >= FA_SDF_NODES)
        return FA_SDF_FAIL(xml, node.e->place,
                           "there are more than %d links, joints and frames; no robot needs that",
                           FA_SDF_NODES);
    fa_sdf_node *larger = grown(s->node, s->n_nodes, sizeof *larger);
    if (!larger) return fa_sdf_no_memory(s);
    s->node = larger;
    s->node[s->n_nodes++] = node;
    return FA_OK;
}

static fa_status name_of(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *e,
                         const char **name)
{
    char            checked[FA_NAME_SIZE];
    const fa_status status = fa_read_name(xml, e, "name", checked, s->error);
    if (status == FA_OK) *name = fa_xml_find(e, "name")->value;
    return status;
}

static fa_status add_nested(fa_sdf *s, int parent, const fa_xml_element *e)
{
    const fa_sdf_scope *above = &s->scope[parent];
    fa_sdf_scope        scope = {.xml = above->xml,
                                 .model = e,
                                 .minor = above->minor,
                                 .parent = parent,
                                 .depth = above->depth};
    const char         *name = NULL;
    fa_status           status = name_of(s, above->xml, e, &name);
    return status == FA_OK ? fa_sdf_add_scope(s, scope, name) : status;
}

static fa_status add_included(fa_sdf *s, int parent, const fa_xml_element *e)
{
    const fa_sdf_scope      above = s->scope[parent];
    const fa_xml_attribute *merge = fa_xml_find(e, "merge");
    fa_sdf_scope            scope = {.by = above.xml,
                                     .include = e,
                                     .by_minor = above.minor,
                                     .parent = parent,
                                     .depth = above.depth + 1};
    if (scope.depth > FA_SDF_DEPTH)
        return FA_SDF_FAIL(above.xml, e->place,
                           "models are included more than %d deep; does one include itself?",
                           FA_SDF_DEPTH);
    fa_status status = fa_sdf_open(s, above.xml, e, &scope.xml, &scope.model, &scope.minor);
    if (status != FA_OK) return status;
    scope.merged = merge && (strcmp(merge->value, "true") == 0 || strcmp(merge->value, "1") == 0);
    const char *name = fa_sdf_child_text(e, "name");
    if (!name[0]) status = name_of(s, scope.xml, scope.model, &name);
    return status == FA_OK ? fa_sdf_add_scope(s, scope, name) : status;
}

// Adds the links, joints, frames and nested models of a model; from <world> it adds frames alone,
// since the world's other models are not part of the robot.
static fa_status add_children(fa_sdf *s, int index)
{
    static const struct {
        const char *element;
        fa_sdf_kind kind;
    } row[] = {{"link", FA_SDF_LINK}, {"joint", FA_SDF_JOINT}, {"frame", FA_SDF_FRAME}};
    const bool world = index == FA_SDF_WORLD_SCOPE;
    fa_status  status = FA_OK;
    for (const fa_xml_element *e = s->scope[index].model->first; e && status == FA_OK;
         e = e->next) {
        if (!world && strcmp(e->name, "model") == 0) status = add_nested(s, index, e);
        if (!world && strcmp(e->name, "include") == 0) status = add_included(s, index, e);
        for (size_t i = 0; i < sizeof row / sizeof *row && status == FA_OK; i++) {
            if (strcmp(e->name, row[i].element) != 0) continue;
            if (world && row[i].kind != FA_SDF_FRAME) continue;
            fa_sdf_node node = {
                .kind = row[i].kind, .e = e, .scope = index, .index = FA_FORM_NOBODY};
            status = name_of(s, s->scope[index].xml, e, &node.name);
            if (status == FA_OK) status = add_node(s, node, s->scope[index].xml);
        }
    }
    return status;
}

static const char *prefix_of(fa_sdf *s, const fa_sdf_scope *scope, int index, const char *name)
{
    char text[2 * FA_NAME_SIZE + 8];
    if (index <= 1) return ""; // the robot's own model
    const char *above = s->scope[scope->parent].prefix;
    if (scope->merged) return above;
    (void)snprintf(text, sizeof text, "%.*s%.*s::", FA_NAME_SIZE, above, FA_NAME_SIZE, name);
    return fa_form_text(s->form, text);
}

fa_status fa_sdf_add_scope(fa_sdf *s, fa_sdf_scope scope, const char *name)
{
    const int index = s->n_scopes;
    if (index >= FA_SDF_SCOPES)
        return FA_SDF_FAIL(scope.xml, scope.model->place,
                           "there are more than %d models within each other; no robot needs that",
                           FA_SDF_SCOPES);
    if (index > 1 && fa_sdf_is_static(scope.model, scope.include))
        FA_SDF_WARN(
            scope.xml, scope.model->place,
            "model '%.128s' is static within another one; its links move as joints let them", name);
    scope.prefix = prefix_of(s, &scope, index, name);
    fa_sdf_scope *larger = grown(s->scope, index, sizeof *larger);
    if (!larger || !scope.prefix) {
        if (larger) s->scope = larger;
        return fa_sdf_no_memory(s);
    }
    s->scope = larger;
    scope.node = FA_SDF_OWN;
    if (index != FA_SDF_WORLD_SCOPE) {
        scope.node = s->n_nodes;
        const fa_sdf_node node = {.kind = FA_SDF_MODEL,
                                  .e = scope.include ? scope.include : scope.model,
                                  .name = name,
                                  .scope = scope.parent,
                                  .own = index,
                                  .index = FA_FORM_NOBODY};
        const fa_status   status = add_node(s, node, scope.include ? scope.by : scope.xml);
        if (status != FA_OK) return status;
    }
    s->scope[s->n_scopes++] = scope;
    return add_children(s, index);
}

// ------------------------------------------------------------------------------------------ names

// Files up to 1.6 may call a joint as a link, and mean the link, which is added first.
static fa_status add_key(fa_sdf *s, int scope, int node)
{
    const fa_sdf_node *n = &s->node[node];
    char               key[16 + FA_NAME_SIZE];
    (void)snprintf(key, sizeof key, "%d %s", scope, n->name);
    const char *kept = fa_form_text(s->form, key);
    if (!kept) return fa_sdf_no_memory(s);
    const int twin = fa_names_add(&s->names, kept, node);
    if (twin < 0) return FA_OK;
    const fa_sdf_node  *other = &s->node[twin];
    const fa_sdf_scope *of = &s->scope[n->scope];
    if (n->kind != other->kind && of->minor <= 6) return FA_OK;
    return FA_SDF_FAIL(of->xml, n->e->place,
                       "two things of one model are called '%s' (the other one in line %d); give "
                       "each its own name",
                       n->name, other->e->place.line);
}

// Adds the name of a node to its own scope and to the scopes that its own is merged into.
static fa_status add_keys(fa_sdf *s, int node)
{
    int       scope = s->node[node].scope;
    fa_status status = add_key(s, scope, node);
    while (s->scope[scope].merged && status == FA_OK) {
        scope = s->scope[scope].parent;
        status = add_key(s, scope, node);
    }
    return status;
}

fa_status fa_sdf_name_nodes(fa_sdf *s)
{
    fa_status status = FA_OK;
    int       keys = 0;
    for (int i = 0; i < s->n_nodes; i++) {
        int scope = s->node[i].scope;
        for (keys++; s->scope[scope].merged; keys++) scope = s->scope[scope].parent;
    }
    if (!fa_names_new(&s->names, keys)) return fa_sdf_no_memory(s);
    for (int links = 1; links >= 0; links--)
        for (int i = 0; i < s->n_nodes && status == FA_OK; i++) {
            const fa_sdf_node *n = &s->node[i];
            const bool         nameless = n->kind == FA_SDF_MODEL && s->scope[n->own].merged;
            if ((n->kind == FA_SDF_LINK) == links && !nameless) status = add_keys(s, i);
        }
    return status;
}

fa_status fa_sdf_full_name(const fa_sdf *s, int node, char name[FA_NAME_SIZE])
{
    const fa_sdf_node  *n = &s->node[node];
    const fa_sdf_scope *scope = &s->scope[n->scope];
    if (snprintf(name, FA_NAME_SIZE, "%s%s", scope->prefix, n->name) < FA_NAME_SIZE) return FA_OK;
    return FA_SDF_FAIL(scope->xml, n->e->place,
                       "with its models in front the name of '%s' has more than %d letters; choose "
                       "shorter ones",
                       n->name, FA_NAME_SIZE - 1);
}
