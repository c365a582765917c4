// COLLADA, 1.4 and 1.5: the nodes of its scene, and where each puts its geometry. Its polygons are
// collada_geometry.c.
//
// <unit> is applied. <up_axis> is not, as by the programs that robots are drawn with (RViz,
// Gazebo): a mesh whose file says Y_UP stands in the URDF as it is, and turning it would lay robots
// down.
#include "collada.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "source.h"

enum { DEPTH = 64, INSTANCES = 100000 };
#define REPEATED ((size_t)64 << 20) // bytes of numbers that nodes may repeat

// ------------------------------------------------------------------------------------ the document

bool fa_collada_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

xmlNode *fa_collada_next(const xmlNode *node, const char *name)
{
    xmlNode *n = node->next;
    while (n && !fa_collada_is(n, name)) n = n->next;
    return n;
}

xmlNode *fa_collada_child(const xmlNode *node, const char *name)
{
    if (!node || !node->children) return NULL;
    return fa_collada_is(node->children, name) ? node->children
                                               : fa_collada_next(node->children, name);
}

fa_status fa_collada_fail(const fa_collada *c, const xmlNode *node, const char *sentence)
{
    return fa_fail(c->r->error, FA_BAD_INPUT, c->r->path,
                   (fa_place){node ? (int)xmlGetLineNo((xmlNode *)node) : 0, 1}, "%s", sentence);
}

// The value as it stands in the document; "" where there is none.
static const char *attribute(const xmlNode *node, const char *name)
{
    const xmlAttr *a = xmlHasProp((xmlNode *)node, (const xmlChar *)name);
    return a && a->children && a->children->content ? (const char *)a->children->content : "";
}

static int by_id(const void *a, const void *b)
{
    return strcmp(attribute(*(xmlNode *const *)a, "id"), attribute(*(xmlNode *const *)b, "id"));
}

xmlNode *fa_collada_target(const fa_collada *c, const xmlNode *node, const char *name)
{
    const char *id = node ? attribute(node, name) : "";
    id += *id == '#';
    int low = 0, high = *id ? c->n_named : 0;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = strcmp(attribute(c->named[middle], "id"), id);
        if (order == 0) return c->named[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

long fa_collada_whole(const xmlNode *node, const char *name, long otherwise)
{
    const char *text = attribute(node, name);
    long        n = 0;
    if (!*text || text[strspn(text, "0123456789")] || strlen(text) > 9) return otherwise;
    for (; *text; text++) n = 10 * n + (*text - '0');
    return n;
}

fa_status fa_collada_numbers(fa_collada *c, xmlNode *node, double **number, size_t *n)
{
    size_t   room = 0;
    xmlChar *text = xmlNodeGetContent(node);
    *number = NULL;
    *n = 0;
    if (!text) return fa_mesh_no_memory(c->r);
    fa_status status = FA_OK;
    c->read += strlen((const char *)text);
    if (c->read > c->most_read)
        status = fa_collada_fail(c, node, "nodes repeat so much geometry as no link needs");
    for (const char *p = (const char *)text; status == FA_OK && *(p += strspn(p, " \t\r\n"));) {
        const size_t size = strcspn(p, " \t\r\n");
        if (*n == room) {
            room = 2 * room + 64;
            double *larger = realloc(*number, room * sizeof *larger);
            if (!larger) status = fa_mesh_no_memory(c->r);
            if (larger) *number = larger;
        }
        if (status == FA_OK && fa_number_read(p, size, &(*number)[(*n)++]) != size)
            status = fa_fail(c->r->error, FA_BAD_INPUT, c->r->path,
                             (fa_place){(int)xmlGetLineNo(node), 1},
                             "<%.40s> has the number '%.*s', which is none",
                             (const char *)node->name, (int)(size < 40 ? size : 40), p);
        p += size;
    }
    xmlFree(text);
    if (status != FA_OK) {
        free(*number);
        *number = NULL;
        *n = 0;
    }
    return status;
}

// The next element of a walk through the whole document.
static xmlNode *following(xmlNode *node)
{
    if (node->children) return node->children;
    while (node && !node->next) node = node->parent;
    return node ? node->next : NULL;
}

static bool index_ids(fa_collada *c, xmlNode *root)
{
    int n = 0;
    for (xmlNode *e = root; e; e = following(e))
        n += e->type == XML_ELEMENT_NODE && *attribute(e, "id");
    c->named = malloc(((size_t)n + 1) * sizeof *c->named);
    if (!c->named) return false;
    for (xmlNode *e = root; e; e = following(e))
        if (e->type == XML_ELEMENT_NODE && *attribute(e, "id")) c->named[c->n_named++] = e;
    qsort(c->named, (size_t)n, sizeof *c->named, by_id);
    return true;
}

// ----------------------------------------------------------------------------------------- frames

static fa_mesh_frame turned(const double v[4])
{
    const double  n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double  angle = v[3] * 3.14159265358979323846 / 180;
    fa_mesh_frame f = FA_MESH_UNMOVED;
    if (!(n > 0)) return f;
    const double u[3] = {v[0] / n, v[1] / n, v[2] / n}, s = sin(angle), t = 1 - cos(angle);
    const double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            f.row[i][k] = (i == k) * cos(angle) + s * cross[i][k] + t * u[i] * u[k];
    return f;
}

// A camera's place, what it looks at, and what is up: z points back along the look.
static fa_mesh_frame looking(const double v[9])
{
    const fa_vec3 eye = vec3(v[0], v[1], v[2]), up = vec3(v[6], v[7], v[8]);
    fa_vec3       z = vec3_sub(eye, vec3(v[3], v[4], v[5]));
    fa_vec3       x = cross(up, z);
    fa_mesh_frame f = FA_MESH_UNMOVED;
    if (!(vec3_norm(x) > 0)) return f;
    x = vec3_scale(1 / vec3_norm(x), x);
    z = vec3_scale(1 / vec3_norm(z), z);
    const fa_vec3 y = cross(z, x), column[] = {x, y, z, eye};
    for (int k = 0; k < 4; k++) {
        f.row[0][k] = column[k].x;
        f.row[1][k] = column[k].y;
        f.row[2][k] = column[k].z;
    }
    return f;
}

static fa_mesh_frame matrix(const double v[16])
{
    fa_mesh_frame f;
    memcpy(f.row, v, sizeof f.row);
    return f;
}

// *is_one: the element is a transform. *frame: what it does; otherwise nothing.
static fa_status read_transform(fa_collada *c, xmlNode *e, bool *is_one, fa_mesh_frame *frame)
{
    static const struct {
        const char *name;
        size_t      n;
    } kind[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4}, {"scale", 3}, {"lookat", 9}};
    enum { MATRIX, TRANSLATE, ROTATE, SCALE, LOOKAT, KINDS };
    int     k = 0;
    double *v;
    size_t  n;
    *frame = FA_MESH_UNMOVED;
    while (k < KINDS && !fa_collada_is(e, kind[k].name)) k++;
    *is_one = k < KINDS;
    if (fa_collada_is(e, "skew"))
        return fa_collada_fail(c, e, "<skew> is not read; export the mesh without it");
    if (!*is_one) return FA_OK;
    fa_status status = fa_collada_numbers(c, e, &v, &n);
    if (status != FA_OK) return status;
    if (n != kind[k].n)
        status = fa_fail(c->r->error, FA_BAD_INPUT, c->r->path, (fa_place){(int)xmlGetLineNo(e), 1},
                         "<%s> has %zu numbers; it must have %zu", kind[k].name, n, kind[k].n);
    else if (k == MATRIX)
        *frame = matrix(v);
    else if (k == ROTATE)
        *frame = turned(v);
    else if (k == LOOKAT)
        *frame = looking(v);
    else
        for (int i = 0; i < 3; i++) frame->row[i][k == SCALE ? i : 3] = v[i];
    free(v);
    return status;
}

// ------------------------------------------------------------------------------------------ nodes

// A skin that nothing moves: its geometry, where the skin was put on.
static fa_status add_controller(fa_collada *c, const xmlNode *instance, const xmlNode *controller,
                                const fa_mesh_frame *frame)
{
    fa_mesh_frame here = *frame;
    for (int depth = 0; controller && depth < DEPTH; depth++) {
        const xmlNode *skin = fa_collada_child(controller, "skin");
        if (!skin) skin = fa_collada_child(controller, "morph");
        const xmlNode *source = fa_collada_target(c, skin, "source");
        xmlNode       *bind = skin ? fa_collada_child(skin, "bind_shape_matrix") : NULL;
        double        *v = NULL;
        size_t         n = 0;
        fa_status      status = bind ? fa_collada_numbers(c, bind, &v, &n) : FA_OK;
        if (status != FA_OK) return status;
        if (n == 16) {
            const fa_mesh_frame shape = matrix(v);
            here = fa_mesh_frame_after(&here, &shape);
        }
        free(v);
        if (!source || fa_collada_is(source, "geometry"))
            return source ? fa_collada_geometry(c, source, instance, &here) : FA_OK;
        controller = source;
    }
    return FA_OK;
}

static fa_status add_node(fa_collada *c, const xmlNode *node, const fa_mesh_frame *around,
                          int depth)
{
    fa_mesh_frame frame = *around, step;
    bool          moves;
    fa_status     status = FA_OK;
    if (depth > DEPTH) return fa_collada_fail(c, node, "nodes hold each other without end");
    if (++c->instances > INSTANCES)
        return fa_collada_fail(c, node, "there are more than 100000 nodes; no link needs that");
    for (xmlNode *e = node->children; e && status == FA_OK; e = e->next) {
        status = read_transform(c, e, &moves, &step);
        if (status == FA_OK && moves) frame = fa_mesh_frame_after(&frame, &step);
    }
    for (xmlNode *e = node->children; e && status == FA_OK; e = e->next) {
        const xmlNode *target = NULL;
        if (e->type == XML_ELEMENT_NODE) target = fa_collada_target(c, e, "url");
        if (fa_collada_is(e, "node"))
            status = add_node(c, e, &frame, depth + 1);
        else if (fa_collada_is(e, "instance_node") && target)
            status = add_node(c, target, &frame, depth + 1);
        else if (fa_collada_is(e, "instance_geometry") && target)
            status = fa_collada_geometry(c, target, e, &frame);
        else if (fa_collada_is(e, "instance_controller") && target)
            status = add_controller(c, e, target, &frame);
    }
    return status;
}

// The scene that the file shows; without one, all that it has.
static fa_status add_scene(fa_collada *c, const xmlNode *root, double unit)
{
    fa_mesh_frame frame = FA_MESH_UNMOVED;
    fa_status     status = FA_OK;
    for (int i = 0; i < 3; i++) frame.row[i][i] = unit;
    const xmlNode *scene = fa_collada_child(root, "scene");
    const xmlNode *shown = scene ? fa_collada_child(scene, "instance_visual_scene") : NULL;
    shown = fa_collada_target(c, shown, "url");
    if (!shown)
        shown = fa_collada_child(fa_collada_child(root, "library_visual_scenes"), "visual_scene");
    if (shown) return add_node(c, shown, &frame, 0);
    const xmlNode *library = fa_collada_child(root, "library_geometries");
    for (const xmlNode *g = fa_collada_child(library, "geometry"); g && status == FA_OK;
         g = fa_collada_next(g, "geometry"))
        status = fa_collada_geometry(c, g, NULL, &frame);
    return status;
}

static double unit_of(const xmlNode *root)
{
    double         unit = 1;
    const xmlNode *e = fa_collada_child(fa_collada_child(root, "asset"), "unit");
    const char    *said = e ? attribute(e, "meter") : "";
    const size_t   n = strlen(said);
    if (n == 0 || fa_number_read(said, n, &unit) != n || !(unit > 0)) return 1;
    return unit;
}

static fa_status read_document(fa_collada *c, xmlParserCtxt *parser, const fa_source *source)
{
    if (source->size > 0x7fffffff) return fa_collada_fail(c, NULL, "the file is too large");
    c->document = xmlCtxtReadMemory(parser, source->text, (int)source->size, NULL, "UTF-8",
                                    XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR |
                                        XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES);
    const xmlError *fault = xmlCtxtGetLastError(parser);
    if (!c->document && (!fault || fault->code == XML_ERR_NO_MEMORY))
        return fa_mesh_no_memory(c->r);
    if (!c->document)
        return fa_fail(c->r->error, FA_BAD_INPUT, c->r->path, (fa_place){fault->line, 1},
                       "this is no XML, as a COLLADA file is: %.*s",
                       (int)strcspn(fault->message, "\r\n"), fault->message);
    xmlNode *root = xmlDocGetRootElement(c->document);
    if (!root || !fa_collada_is(root, "COLLADA"))
        return fa_collada_fail(c, root, "its first element is not <COLLADA>");
    return index_ids(c, root) ? add_scene(c, root, unit_of(root)) : fa_mesh_no_memory(c->r);
}

fa_status fa_collada_read(fa_mesh_reader *r, const char *bytes, size_t size)
{
    fa_collada c = {.r = r, .most_read = REPEATED + size};
    fa_source  source;
    fa_status  status = fa_source_decode(bytes, size, r->path, NULL, &source, r->error);
    if (status != FA_OK) return status;
    xmlParserCtxt *parser = xmlNewParserCtxt();
    status = parser ? read_document(&c, parser, &source) : fa_mesh_no_memory(r);
    xmlFreeParserCtxt(parser);
    if (c.document) xmlFreeDoc(c.document);
    free(c.named);
    free(source.text);
    return status;
}
