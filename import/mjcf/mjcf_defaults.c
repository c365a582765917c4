// Classes of defaults: nested ones inherit, main is in all of them.
#include <string.h>

#include "mjcf.h"
#include "values.h"

static int find_class(const fa_mjcf *m, const char *name)
{
    for (int i = 0; i < m->n_classes; i++)
        if (strcmp(m->class[i].name, name) == 0) return m->class[i].id;
    return FA_MJCF_NONE;
}

static fa_status add_class(fa_mjcf *m, const fa_xml_element *e, const char *name, int id,
                           int parent)
{
    void *list = m->class;
    fa_mjcf_class *class = fa_mjcf_add(&list, &m->n_classes, sizeof *m->class);
    m->class = list;
    if (!class) return fa_form_no_memory(m->form, m->error);
    *class = (fa_mjcf_class){name, id, parent, e};
    return FA_OK;
}

static fa_status read_nested(fa_mjcf *m, const fa_xml_element *parent, int parent_id)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *e = fa_xml_child(parent, "default"); e && status == FA_OK;
         e = fa_xml_next(e->next, "default")) {
        const char *name = fa_mjcf_text(e, "class");
        if (!name || !name[0])
            return FA_MJCF_FAIL(m, e, "a <default> within another has no class; add class=\"…\"");
        if (find_class(m, name) != FA_MJCF_NONE)
            return FA_MJCF_FAIL(m, e,
                                "there is a class '%.60s' already; give this one another "
                                "name",
                                name);
        const int id = m->n_class_ids++;
        status = add_class(m, e, name, id, parent_id);
        if (status == FA_OK) status = read_nested(m, e, id);
    }
    return status;
}

fa_status fa_mjcf_read_classes(fa_mjcf *m)
{
    fa_status status = FA_OK;
    m->n_class_ids = 1;
    for (const fa_xml_element *e = fa_xml_child(m->xml->root, "default"); e && status == FA_OK;
         e = fa_xml_next(e->next, "default")) {
        const char *name = fa_mjcf_text(e, "class");
        status = add_class(m, e, name && name[0] ? name : "main", FA_MJCF_MAIN, FA_MJCF_NONE);
        if (status == FA_OK) status = read_nested(m, e, FA_MJCF_MAIN);
    }
    return status;
}

fa_status fa_mjcf_class_of(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int otherwise, int *class)
{
    const char *name = fa_mjcf_text(e, attribute);
    *class = otherwise;
    if (!name || !name[0]) return FA_OK;
    *class = find_class(m, name);
    if (*class != FA_MJCF_NONE) return FA_OK;
    if (strcmp(name, "main") == 0) {
        *class = FA_MJCF_MAIN;
        return FA_OK;
    }
    fa_list known = {.used = 0};
    for (int i = 0; i < m->n_classes; i++) fa_list_add(&known, m->class[i].name);
    return FA_MJCF_FAIL(m, e, "%s names the class '%.60s', and there is none%s%s",
                        fa_xml_about(e).text, name, m->n_classes ? "; there are " : "",
                        fa_list_text(&known));
}

static bool is_one_of(const char *name, const char *const tags[])
{
    for (int i = 0; tags[i]; i++)
        if (strcmp(name, tags[i]) == 0) return true;
    return false;
}

// The class that this one is nested in.
static int parent_of(const fa_mjcf *m, int id)
{
    for (int i = 0; i < m->n_classes; i++)
        if (m->class[i].id == id) return m->class[i].parent;
    return FA_MJCF_NONE;
}

fa_status fa_mjcf_apply(const fa_mjcf *m, const fa_xml_element *e, int childclass,
                        const char *const tags[], fa_mjcf_apply_fn *apply, void *into)
{
    int       line[FA_XML_DEPTH + 2], n = 0, class;
    fa_status status = fa_mjcf_class_of(m, e, "class", childclass, &class);
    if (status != FA_OK) return status;
    for (; class != FA_MJCF_NONE && n < FA_XML_DEPTH + 2; class = parent_of(m, class))
        line[n++] = class;
    while (n-- > 0)
        for (int i = 0; i < m->n_classes; i++) {
            if (m->class[i].id != line[n]) continue;
            for (const fa_xml_element *c = m->class[i].element->first; c; c = c->next) {
                if (!is_one_of(c->name, tags)) continue;
                status = apply(m, c, into);
                if (status != FA_OK) return status;
            }
        }
    return apply(m, e, into);
}
