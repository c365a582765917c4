// The polygons of a COLLADA geometry, and their colours. Lines bound nothing, and are passed over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collada.h"

typedef struct shape {
    fa_collada *c;
    fa_vec3    *vertex; // where the node puts them
    size_t      n;
    size_t      stride, offset; // of the index of a vertex among the indices of a corner
    fa_vec3    *corner;         // of one polygon
    size_t      room;
} shape;

static bool attribute_is(const xmlNode *node, const char *name, const char *value)
{
    xmlChar *text = xmlGetProp((xmlNode *)node, (const xmlChar *)name);
    bool     same = text && strcmp((const char *)text, value) == 0;
    if (text) xmlFree(text);
    return same;
}

static xmlNode *input_of(const xmlNode *node, const char *semantic)
{
    xmlNode *e = fa_collada_child(node, "input");
    while (e && !attribute_is(e, "semantic", semantic)) e = fa_collada_next(e, "input");
    return e;
}

// Returns the element that `from` refers to; prefers `within`, because some programs repeat an id
// in every geometry.
static xmlNode *source_of(fa_collada *c, const xmlNode *from, const xmlNode *within)
{
    xmlChar *said = from ? xmlGetProp((xmlNode *)from, (const xmlChar *)"source") : NULL;
    xmlNode *e = said && within ? within->children : NULL;
    while (e && !(e->type == XML_ELEMENT_NODE && *said == '#' &&
                  attribute_is(e, "id", (const char *)said + 1)))
        e = e->next;
    if (said) xmlFree(said);
    return e ? e : fa_collada_target(c, from, "source");
}

// ---------------------------------------------------------------------------------------- colours

// Returns the colour of an effect: diffuse, or emission.
static bool effect_colour(fa_collada *c, const xmlNode *effect, double colour[3])
{
    static const char *const model[] = {"phong", "lambert", "blinn", "constant"};
    const xmlNode           *profile = fa_collada_child(effect, "profile_COMMON");
    const xmlNode           *technique = fa_collada_child(profile, "technique");
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        const xmlNode *lit = fa_collada_child(technique, model[i]);
        const xmlNode *holder = fa_collada_child(lit, i < 3 ? "diffuse" : "emission");
        xmlNode       *e = fa_collada_child(holder, "color");
        double        *v;
        size_t         n;
        if (!e || fa_collada_numbers(c, e, &v, &n) != FA_OK) continue;
        const bool whole = n >= 3;
        if (whole) memcpy(colour, v, 3 * sizeof *v);
        free(v);
        if (whole) return true;
    }
    return false;
}

static const xmlNode *bound(fa_collada *c, const xmlNode *instance, const xmlNode *polygons)
{
    const xmlNode *bind = fa_collada_child(instance, "bind_material");
    const xmlNode *common = fa_collada_child(bind, "technique_common");
    xmlChar       *name = xmlGetProp((xmlNode *)polygons, (const xmlChar *)"material");
    const xmlNode *m = name ? fa_collada_child(common, "instance_material") : NULL;
    while (m && !attribute_is(m, "symbol", (const char *)name))
        m = fa_collada_next(m, "instance_material");
    if (name) xmlFree(name);
    return m ? fa_collada_target(c, m, "target") : fa_collada_target(c, polygons, "material");
}

static fa_status paint(fa_collada *c, const xmlNode *instance, const xmlNode *polygons)
{
    double         colour[3];
    const xmlNode *material = bound(c, instance, polygons);
    const xmlNode *effect = fa_collada_child(material, "instance_effect");
    effect = fa_collada_target(c, effect, "url");
    const bool known = effect && effect_colour(c, effect, colour);
    return fa_mesh_paint(c->r, known ? colour : NULL) ? FA_OK : fa_mesh_no_memory(c->r);
}

// --------------------------------------------------------------------------------------- vertices

// Finds the indices of x, y and z in a row: those of the named parameters.
static int axes_of(const xmlNode *accessor, size_t axis[3])
{
    int    found = 0;
    size_t at = 0;
    for (const xmlNode *p = fa_collada_child(accessor, "param"); p && found < 3;
         p = fa_collada_next(p, "param"), at++)
        if (!attribute_is(p, "name", "") && xmlHasProp((xmlNode *)p, (const xmlChar *)"name"))
            axis[found++] = at;
    if (at > 0 && found == 0) // names may be left out altogether
        for (; found < 3; found++) axis[found] = (size_t)found;
    return found;
}

static fa_status read_vertices(shape *s, const xmlNode *source, const fa_mesh_frame *frame)
{
    const xmlNode *common = fa_collada_child(source, "technique_common");
    const xmlNode *accessor = fa_collada_child(common, "accessor");
    xmlNode       *array = source_of(s->c, accessor, source);
    size_t         axis[3], n;
    double        *v;
    if (!array) array = fa_collada_child(source, "float_array");
    if (!accessor || !array || axes_of(accessor, axis) != 3)
        return fa_collada_fail(s->c, source, "the positions have no accessor of x, y and z");
    fa_status status = fa_collada_numbers(s->c, array, &v, &n);
    if (status != FA_OK) return status;
    const size_t stride = (size_t)fa_collada_whole(accessor, "stride", 3);
    const size_t first = (size_t)fa_collada_whole(accessor, "offset", 0);
    size_t       count = (size_t)fa_collada_whole(accessor, "count", 0);
    const bool   fits = stride > axis[2] && first <= n && count <= (n - first) / stride;
    if (!fits)
        status =
            fa_collada_fail(s->c, accessor, "there are fewer positions than the accessor counts");
    s->vertex = fits ? malloc((count + 1) * sizeof *s->vertex) : NULL;
    if (fits && !s->vertex) status = fa_mesh_no_memory(s->c->r);
    s->n = s->vertex ? count : 0;
    for (size_t i = 0; i < s->n; i++) {
        const double *at = v + first + i * stride;
        s->vertex[i] = fa_mesh_frame_apply(frame, at[axis[0]], at[axis[1]], at[axis[2]]);
    }
    free(v);
    return status;
}

// --------------------------------------------------------------------------------------- polygons

static fa_status corner_at(shape *s, const xmlNode *p, const double *index, size_t i,
                           fa_vec3 *corner)
{
    const double at = index[i * s->stride + s->offset];
    if (!(at >= 0 && at < (double)s->n && floor(at) == at))
        return fa_collada_fail(s->c, p, "a polygon names a position that is not there");
    *corner = s->vertex[(size_t)at];
    return FA_OK;
}

// Corners `first` to `first` + n of the indices, as one polygon.
static fa_status add_polygon(shape *s, const xmlNode *p, const double *index, size_t first,
                             size_t n)
{
    if (n > s->room) {
        fa_vec3 *larger = realloc(s->corner, 2 * n * sizeof *larger);
        if (!larger) return fa_mesh_no_memory(s->c->r);
        s->corner = larger;
        s->room = 2 * n;
    }
    for (size_t i = 0; i < n; i++) {
        fa_status status = corner_at(s, p, index, first + i, &s->corner[i]);
        if (status != FA_OK) return status;
    }
    return fa_mesh_add_polygon(s->c->r, s->corner, n);
}

// A strip: every second triangle looks the other way round.
static fa_status add_strip(shape *s, const xmlNode *p, const double *index, size_t n)
{
    fa_status status = FA_OK;
    for (size_t i = 0; i + 2 < n && status == FA_OK; i++) {
        const size_t of[3] = {i + i % 2, i + 1 - i % 2, i + 2};
        fa_triangle  t;
        for (int k = 0; k < 3 && status == FA_OK; k++)
            status = corner_at(s, p, index, of[k], &t.corner[k]);
        if (status == FA_OK) status = fa_mesh_add(s->c->r, t);
    }
    return status;
}

static fa_status add_counted(shape *s, const xmlNode *polygons, const xmlNode *p,
                             const double *index, size_t n)
{
    double  *count;
    size_t   rows, first = 0;
    xmlNode *vcount = fa_collada_child(polygons, "vcount");
    if (!vcount) return fa_collada_fail(s->c, polygons, "<polylist> has no <vcount>");
    fa_status status = fa_collada_numbers(s->c, vcount, &count, &rows);
    for (size_t i = 0; i < rows && status == FA_OK; i++) {
        if (!(count[i] >= 0 && count[i] <= (double)(n - first) && floor(count[i]) == count[i])) {
            status = fa_collada_fail(s->c, vcount, "<vcount> counts more corners than <p> has");
            break;
        }
        status = add_polygon(s, p, index, first, (size_t)count[i]);
        first += (size_t)count[i];
    }
    free(count);
    return status;
}

static fa_status add_primitive(shape *s, const xmlNode *polygons, xmlNode *p)
{
    double   *index;
    size_t    n;
    fa_status status = fa_collada_numbers(s->c, p, &index, &n);
    if (status != FA_OK) return status;
    n /= s->stride; // corners
    if (fa_collada_is(polygons, "polylist"))
        status = add_counted(s, polygons, p, index, n);
    else if (fa_collada_is(polygons, "tristrips"))
        status = add_strip(s, p, index, n);
    else if (fa_collada_is(polygons, "triangles"))
        for (size_t i = 0; i + 3 <= n && status == FA_OK; i += 3)
            status = add_polygon(s, p, index, i, 3);
    else
        status = add_polygon(s, p, index, 0, n); // trifans, polygons
    free(index);
    return status;
}

static fa_status add_polygons(shape *s, const xmlNode *polygons)
{
    const xmlNode *vertex = input_of(polygons, "VERTEX");
    fa_status      status = FA_OK;
    s->stride = 1;
    for (const xmlNode *e = fa_collada_child(polygons, "input"); e;
         e = fa_collada_next(e, "input")) {
        const size_t offset = (size_t)fa_collada_whole(e, "offset", 0);
        if (offset >= s->stride) s->stride = offset + 1;
    }
    if (!vertex)
        return fa_collada_fail(s->c, polygons, "there is no <input> with the semantic VERTEX");
    s->offset = (size_t)fa_collada_whole(vertex, "offset", 0);
    for (xmlNode *p = polygons->children; p && status == FA_OK; p = p->next) {
        // A polygon with holes is drawn without them.
        xmlNode *list = fa_collada_is(p, "ph") ? fa_collada_child(p, "p") : p;
        if (list && fa_collada_is(list, "p")) status = add_primitive(s, polygons, list);
    }
    return status;
}

fa_status fa_collada_geometry(fa_collada *c, const xmlNode *geometry, const xmlNode *instance,
                              const fa_mesh_frame *frame)
{
    static const char *const kind[] = {"triangles", "polylist", "polygons", "tristrips", "trifans"};
    const xmlNode           *mesh = fa_collada_child(geometry, "mesh");
    if (!mesh) mesh = fa_collada_child(geometry, "convex_mesh");
    const xmlNode *input = input_of(fa_collada_child(mesh, "vertices"), "POSITION");
    const xmlNode *source = source_of(c, input, mesh);
    shape          s = {.c = c};
    bool           read = false;
    fa_status      status = FA_OK;
    for (const xmlNode *e = mesh ? mesh->children : NULL; e && status == FA_OK; e = e->next) {
        size_t i = 0;
        while (i < sizeof kind / sizeof *kind && !fa_collada_is(e, kind[i])) i++;
        if (i == sizeof kind / sizeof *kind) continue;
        if (!source) status = fa_collada_fail(c, mesh, "the mesh has no positions");
        if (status == FA_OK && !read) status = read_vertices(&s, source, frame);
        read = true;
        if (status == FA_OK) status = paint(c, instance, e);
        if (status == FA_OK) status = add_polygons(&s, e);
    }
    free(s.vertex);
    free(s.corner);
    return status;
}
