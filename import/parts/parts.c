// Computes masses and inertias of links from a parts file.
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "number.h"
#include "parts_reader.h"

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

typedef struct reader {
    fa_parts_reader file;
    fa_parts       *parts;
    int             room;
    fa_names        links, definitions;
    fa_parts        drawer; // of parts as defined: what placing them copies
    int             drawer_room;
    struct definition {
        const fa_xml_element *element;
        int                   first, n; // its items, the part itself first, in its own axes
        bool                  placed;
    } * definition;
} reader;

#define FAIL(r, place, ...)                                                                        \
    fa_fail((r)->file.error, FA_BAD_INPUT, (r)->file.xml->path, place, __VA_ARGS__)

// Room for one more item at the end of a list; NULL and a message if there is none.
static fa_part_item *append(reader *r, fa_parts *list, int *room)
{
    if (list->n == *room) {
        if (list->n >= FA_PART_ITEM_MAX) {
            FAIL(r, FA_NOWHERE, "there are more than %d things in all links together",
                 FA_PART_ITEM_MAX);
            return NULL;
        }
        int           more = 2 * *room + 64;
        fa_part_item *larger = realloc(list->item, (size_t)more * sizeof *larger);
        if (!larger) {
            fa_parts_no_memory(&r->file);
            return NULL;
        }
        list->item = larger;
        *room = more;
    }
    fa_part_item *item = &list->item[list->n++];
    memset(item, 0, sizeof *item);
    return item;
}

// -------------------------------------------------------------------------------- parts and links

// Copies a defined part and all that is in it to the end of `list`, one level below `depth`.
static fa_status place_part(reader *r, const fa_xml_element *e, fa_parts *list, int *room,
                            int depth, fa_solid *sum)
{
    const fa_xml_attribute *part = fa_xml_find(e, "part");
    int                     index = fa_names_find(&r->definitions, part->value);
    if (index < 0 || !r->definition[index].n)
        return FAIL(r, part->value_place, "there is no part '%.60s' before this place%s",
                    part->value, fa_parts_nearest(&r->file, part->value, "part").text);
    fa_transform X;
    fa_status    status = fa_parts_placement(&r->file, e, &X);
    if (status != FA_OK) return status;
    struct definition *definition = &r->definition[index];
    definition->placed = true;
    for (int i = 0; i < definition->n; i++) {
        fa_part_item *item = append(r, list, room);
        if (!item) return r->file.error->status;
        *item = r->drawer.item[definition->first + i];
        item->depth += depth + 1;
        if (i > 0) continue;
        item->solid = fa_solid_place(item->solid, X);
        *sum = fa_solid_add(*sum, item->solid);
    }
    return FA_OK;
}

static int shape_of(const char *name)
{
    for (int i = 0; i < FA_SHAPE_COUNT; i++)
        if (strcmp(name, fa_shape_names[i]) == 0) return i;
    return -1;
}

// Reads the contents of a part or a link; its own item is `own` in the list.
static fa_status read_contents(reader *r, const fa_xml_element *e, fa_parts *list, int *room,
                               int own)
{
    fa_solid sum = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    int      depth = list->item[own].depth;
    for (const fa_xml_element *child = e->first; child; child = child->next) {
        int       shape = shape_of(child->name);
        fa_status status;
        if (shape < 0) {
            status = place_part(r, child, list, room, depth, &sum);
        } else {
            fa_part_item *item = append(r, list, room);
            if (!item) return r->file.error->status;
            const fa_xml_attribute *material = fa_xml_find(child, "material");
            item->kind = FA_PART_ITEM_SECTION;
            item->depth = depth + 1;
            item->shape = (fa_shape_kind)shape;
            if (material) snprintf(item->name, sizeof item->name, "%s", material->value);
            status = fa_parts_section(&r->file, child, item->shape, &item->solid);
            sum = fa_solid_add(sum, item->solid);
        }
        if (status != FA_OK) return status;
    }
    if (isinf(sum.mass))
        return FAIL(r, e->place, "%s weighs more than a number can hold; make it lighter",
                    fa_xml_about(e).text);
    if (!(sum.mass > 0))
        return FAIL(r, e->place, "%s weighs nothing; put something into it", fa_xml_about(e).text);
    list->item[own].solid = sum;
    return FA_OK;
}

static fa_status read_owner(reader *r, const fa_xml_element *e, fa_part_item_kind kind,
                            fa_parts *list, int *room)
{
    int           own = list->n;
    fa_part_item *item = append(r, list, room);
    if (!item) return r->file.error->status;
    item->kind = kind;
    item->place = e->place;
    fa_status status = fa_read_name(r->file.xml, e, "name", item->name, r->file.error);
    return status == FA_OK ? read_contents(r, e, list, room, own) : status;
}

static fa_status read_part(reader *r, const fa_xml_element *e, int index)
{
    struct definition *definition = &r->definition[index];
    const char        *name = fa_xml_find(e, "name")->value;
    int                before = fa_names_find(&r->definitions, name);
    if (before >= 0)
        return FAIL(r, e->place, "part '%.60s' has been defined in line %d; rename one of them",
                    name, r->definition[before].element->place.line);
    definition->element = e;
    definition->first = r->drawer.n;
    fa_status status = read_owner(r, e, FA_PART_ITEM_PART, &r->drawer, &r->drawer_room);
    definition->n = r->drawer.n - definition->first;
    fa_names_add(&r->definitions, name, index); // now, so that nothing can be placed in itself
    return status;
}

static fa_status read_link(reader *r, const fa_xml_element *e)
{
    fa_transform X;
    int          own = r->parts->n;
    fa_status    status = fa_parts_placement(&r->file, e, &X);
    if (status == FA_OK) status = read_owner(r, e, FA_PART_ITEM_LINK, r->parts, &r->room);
    if (status != FA_OK) return status;
    fa_part_item *link = &r->parts->item[own];
    link->solid = fa_solid_place(link->solid, X);
    int before = fa_names_add(&r->links, fa_xml_find(e, "name")->value, own);
    if (before >= 0)
        return FAIL(r, e->place,
                    "link '%s' has been described in line %d; put all of its parts there",
                    link->name, r->parts->item[before].place.line);
    return FA_OK;
}

static fa_status read_all(reader *r)
{
    const fa_xml_element *root = r->file.xml->root;
    int                   materials = 0, parts = 0;
    fa_status status = fa_read_name(r->file.xml, root, "name", r->parts->name, r->file.error);
    for (const fa_xml_element *e = root->first; e && status == FA_OK; e = e->next) {
        if (strcmp(e->name, "material") == 0) status = fa_parts_material(&r->file, e, materials++);
        if (strcmp(e->name, "part") == 0) status = read_part(r, e, parts++);
        if (strcmp(e->name, "link") == 0) status = read_link(r, e);
    }
    for (int i = 0; i < parts && status == FA_OK; i++)
        if (!r->definition[i].placed)
            fa_warn(r->file.log, r->file.xml->path, r->definition[i].element->place,
                    "%s is placed nowhere", fa_xml_about(r->definition[i].element).text);
    return status;
}

static fa_status read_tree(const fa_xml *xml, const fa_log *log, fa_parts *parts, fa_error *error)
{
    reader r = {.file = {.xml = xml, .log = log, .error = error, .angle = 1}, .parts = parts};
    int    n = 1;
    for (const fa_xml_element *e = xml->root->first; e; e = e->next) n++;
    const fa_xml_attribute *unit = fa_xml_find(xml->root, "angle-unit");
    if (unit && strcmp(unit->value, "deg") == 0) r.file.angle = RADIANS_PER_DEGREE;
    r.file.density = calloc((size_t)n, sizeof *r.file.density);
    r.file.material = calloc((size_t)n, sizeof *r.file.material);
    r.definition = calloc((size_t)n, sizeof *r.definition);
    bool memory = r.file.density && r.file.material && r.definition;
    memory &= fa_names_new(&r.file.materials, n);
    memory &= fa_names_new(&r.definitions, n);
    memory &= fa_names_new(&r.links, n);
    fa_status status = memory ? read_all(&r) : fa_parts_no_memory(&r.file);
    fa_names_free(&r.file.materials);
    fa_names_free(&r.definitions);
    fa_names_free(&r.links);
    free(r.file.density);
    free((void *)r.file.material);
    free(r.definition);
    fa_parts_free(&r.drawer);
    return status;
}

fa_status fa_parts_read(const char *path, const fa_log *log, fa_parts *parts, fa_error *error)
{
    fa_xml  *xml;
    fa_error discarded = fa_no_error();
    if (!error) error = &discarded;
    *parts = (fa_parts){.n = 0};
    snprintf(parts->source, sizeof parts->source, "%s", path);
    fa_status status = fa_xml_load(path, log, &xml, error);
    if (status != FA_OK) return status;
    if (strcmp(xml->root->name, "parts") != 0)
        status = fa_fail(error, FA_BAD_INPUT, path, xml->root->place,
                         "the root element is <%.60s>, and a file of parts has <parts>",
                         xml->root->name);
    if (status == FA_OK) status = fa_schema_check(xml, error);
    if (status == FA_OK) status = read_tree(xml, log, parts, error);
    fa_xml_free(xml);
    return status;
}

void fa_parts_free(fa_parts *parts)
{
    free(parts->item);
    *parts = (fa_parts){.n = 0};
}
