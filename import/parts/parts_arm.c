// Masses from parts into the text of an <arm> file. The text is kept as its author wrote it; only
// the three attributes of each <link> are put in or replaced.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "names.h"
#include "number.h"
#include "parts.h"

// A piece of the text that is replaced; edits stand in the order of the text.
typedef struct edit {
    const char *from; // in the text
    size_t      length;
    char        text[8 * FA_NUMBER_SIZE];
} edit;

enum { EDITS_PER_LINK = 4 }; // one for each attribute that is there, one for those that are not

typedef struct writer {
    const fa_parts *parts;
    const fa_xml   *xml;
    const fa_log   *log;
    int             n;
    edit           *edit;
    fa_error       *error;
} writer;

static const char *const attribute_names[] = {"mass", "com", "inertia"};
enum { ATTRIBUTES = sizeof attribute_names / sizeof *attribute_names };

static void write_value(const fa_solid *solid, int attribute, char text[], size_t size)
{
    const fa_sym3   *I = &solid->inertia;
    const double     value[ATTRIBUTES][6] = {{solid->mass},
                                             {solid->com.x, solid->com.y, solid->com.z},
                                             {I->xx, I->yy, I->zz, I->xy, I->xz, I->yz}};
    static const int count[ATTRIBUTES] = {1, 3, 6};
    size_t           used = 0;
    for (int i = 0; i < count[attribute]; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "",
                                 fa_number_text(value[attribute][i]).text);
}

static void edit_link(writer *w, const fa_xml_element *e, const fa_solid *solid)
{
    bool        there[ATTRIBUTES] = {false};
    const char *end = NULL; // of the last attribute, behind its quote
    for (const fa_xml_attribute *a = e->attributes; a; a = a->next) {
        end = a->raw + a->raw_size + 1;
        for (int i = 0; i < ATTRIBUTES; i++) {
            if (strcmp(a->name, attribute_names[i]) != 0) continue;
            there[i] = true;
            edit *value = &w->edit[w->n++];
            value->from = a->raw;
            value->length = a->raw_size;
            write_value(solid, i, value->text, sizeof value->text);
        }
    }
    edit  *rest = &w->edit[w->n++]; // a link has a name, so that there is an end
    size_t used = 0;
    *rest = (edit){.from = end};
    for (int i = 0; i < ATTRIBUTES; i++) {
        char value[sizeof rest->text];
        if (there[i]) continue;
        write_value(solid, i, value, sizeof value);
        used += (size_t)snprintf(rest->text + used, sizeof rest->text - used, " %s=\"%s\"",
                                 attribute_names[i], value);
    }
}

// Edits of every link of the arm that has parts; `names` holds the links of the parts.
static fa_status edit_links(writer *w, const fa_names *names, bool found[])
{
    for (const fa_xml_element *joint = fa_xml_child(w->xml->root, "joint"); joint;
         joint = fa_xml_next(joint->next, "joint")) {
        const fa_xml_element *link = fa_xml_child(joint, "link");
        const char           *name = fa_xml_find(link, "name")->value;
        int                   item = fa_names_find(names, name);
        if (item < 0) {
            fa_warn(w->log, w->xml->path, link->place,
                    "link '%.100s' has no parts; its mass stays as it is", name);
            continue;
        }
        found[item] = true;
        edit_link(w, link, &w->parts->item[item].solid);
    }
    for (int i = 0; i < w->parts->n; i++) {
        const fa_part_item *item = &w->parts->item[i];
        if (item->kind == FA_PART_ITEM_LINK && !found[i])
            return fa_fail(w->error, FA_BAD_INPUT, w->parts->source, item->place,
                           "link '%s' is not in the arm '%.200s'; use the names that it has there",
                           item->name, w->xml->path);
    }
    return FA_OK;
}

static fa_status no_memory(const writer *w)
{
    return fa_fail(w->error, FA_NO_MEMORY, w->xml->path, FA_NOWHERE,
                   "there is not enough memory for its links");
}

static fa_status collect_edits(writer *w)
{
    fa_names  names;
    bool     *found = calloc((size_t)w->parts->n + 1, sizeof *found);
    fa_status status = FA_NO_MEMORY;
    if (fa_names_new(&names, w->parts->n) && found) {
        for (int i = 0; i < w->parts->n; i++)
            if (w->parts->item[i].kind == FA_PART_ITEM_LINK)
                fa_names_add(&names, w->parts->item[i].name, i);
        status = edit_links(w, &names, found);
    } else {
        no_memory(w);
    }
    fa_names_free(&names);
    free(found);
    return status;
}

static fa_status apply_edits(const writer *w, char **text, size_t *size)
{
    const fa_source *source = &w->xml->source;
    size_t           room = source->size + 1;
    for (int i = 0; i < w->n; i++) room += strlen(w->edit[i].text);
    char *to = malloc(room);
    if (!to)
        return fa_fail(w->error, FA_NO_MEMORY, w->xml->path, FA_NOWHERE,
                       "there is not enough memory for its text");
    const char *from = source->text;
    *text = to;
    for (int i = 0; i < w->n; i++) {
        const edit *e = &w->edit[i];
        size_t      before = (size_t)(e->from - from), length = strlen(e->text);
        memcpy(to, from, before);
        memcpy(to + before, e->text, length);
        to += before + length;
        from = e->from + e->length;
    }
    size_t rest = (size_t)(source->text + source->size - from);
    memcpy(to, from, rest);
    to[rest] = '\0';
    *size = (size_t)(to + rest - *text);
    return FA_OK;
}

static fa_status rewrite(writer *w, char **text, size_t *size)
{
    const fa_xml_element *root = w->xml->root;
    if (strcmp(root->name, "arm") != 0)
        return fa_fail(w->error, FA_BAD_INPUT, w->xml->path, root->place,
                       "the root element is <%.60s>; masses from parts can be put into an <arm>",
                       root->name);
    fa_status status = fa_schema_check(w->xml, w->error);
    if (status != FA_OK) return status;
    size_t joints = 0;
    for (const fa_xml_element *e = root->first; e; e = e->next) joints++;
    w->edit = calloc(EDITS_PER_LINK * joints + 1, sizeof *w->edit);
    if (!w->edit) return no_memory(w);
    status = collect_edits(w);
    if (status == FA_OK) status = apply_edits(w, text, size);
    free(w->edit);
    return status;
}

fa_status fa_parts_into_arm(const fa_parts *parts, const char *arm_path, const fa_log *log,
                            char **text, size_t *size, fa_error *error)
{
    char     *bytes;
    fa_xml   *xml;
    fa_status status = fa_source_load(arm_path, &bytes, size, error);
    *text = NULL;
    if (status != FA_OK) return status;
    status = fa_xml_read(bytes, *size, arm_path, log, &xml, error);
    if (status == FA_OK) {
        writer w = {.parts = parts, .xml = xml, .log = log, .error = error};
        // The output is UTF-8; a declaration of another encoding in the copied text would be wrong.
        if (*size != xml->source.size || memcmp(bytes, xml->source.text, *size) != 0)
            status = fa_fail(error, FA_BAD_INPUT, arm_path, FA_NOWHERE,
                             "its text is not plain UTF-8; save it as UTF-8 without a byte order "
                             "mark first");
        else
            status = rewrite(&w, text, size);
        fa_xml_free(xml);
    }
    free(bytes);
    return status;
}
