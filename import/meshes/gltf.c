// glTF 2.0, as text or binary (GLB): the triangles of its scene, and their colours.
//
// Its y axis points up, and is turned to z, as the programs that robots are drawn with do.
#include "gltf.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mesh_frame.h"

enum { DEPTH = 64, INSTANCES = 20000 };

// ---------------------------------------------------------------------------------------- colours

// Converts linear light to sRGB.
static double on_screen(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static fa_status paint(fa_gltf *g, const fa_json_value *primitive)
{
    double               colour[3] = {1, 1, 1};
    const fa_json_value *material = fa_gltf_named(g, primitive, "material", "materials");
    const fa_json_value *base = fa_json_tree_member(material, "pbrMetallicRoughness");
    const fa_json_value *factor = fa_json_tree_member(base, "baseColorFactor");
    const bool           picture = !factor && fa_json_tree_member(base, "baseColorTexture");
    for (size_t i = 0; i < 3 && factor; i++) {
        const fa_json_value *v = fa_json_tree_element(factor, i);
        if (v && v->kind == FA_JSON_NUMBER) colour[i] = on_screen(fmin(1, fmax(0, v->number)));
    }
    return fa_mesh_paint(g->r, material && !picture ? colour : NULL) ? FA_OK
                                                                     : fa_mesh_no_memory(g->r);
}

// -------------------------------------------------------------------------------------- triangles

typedef struct corners {
    fa_gltf_view         place, index;
    bool                 indexed;
    const fa_mesh_frame *frame;
} corners;

static fa_status add_triangle(fa_gltf *g, const corners *c, size_t a, size_t b, size_t d)
{
    const size_t of[] = {a, b, d};
    fa_triangle  t;
    for (int k = 0; k < 3; k++) {
        const size_t i = c->indexed ? (size_t)fa_gltf_fetch(&c->index, of[k], 0) : of[k];
        if (i >= c->place.count)
            return fa_gltf_fail(g, "a triangle names a position that is not there");
        t.corner[k] =
            fa_mesh_frame_apply(c->frame, fa_gltf_fetch(&c->place, i, 0),
                                fa_gltf_fetch(&c->place, i, 1), fa_gltf_fetch(&c->place, i, 2));
    }
    return fa_mesh_add(g->r, t);
}

static fa_status add_primitive(fa_gltf *g, const fa_json_value *primitive,
                               const fa_mesh_frame *frame)
{
    enum { TRIANGLES = 4, STRIP, FAN };
    const double         mode = fa_json_tree_number(primitive, "mode", TRIANGLES);
    const fa_json_value *attributes = fa_json_tree_member(primitive, "attributes");
    const fa_json_value *place = fa_gltf_named(g, attributes, "POSITION", "accessors");
    const fa_json_value *index = fa_gltf_named(g, primitive, "indices", "accessors");
    corners              c = {.frame = frame, .indexed = index != NULL};
    if (!(mode == TRIANGLES || mode == STRIP || mode == FAN)) return FA_OK; // points and lines
    if (!place) return fa_gltf_fail(g, "a mesh has no positions");
    fa_status status = fa_gltf_open(g, place, 3, &c.place);
    if (status == FA_OK && index) status = fa_gltf_open(g, index, 1, &c.index);
    if (status == FA_OK) status = paint(g, primitive);
    const size_t n = c.indexed ? c.index.count : c.place.count;
    if (mode == TRIANGLES)
        for (size_t i = 0; i + 3 <= n && status == FA_OK; i += 3)
            status = add_triangle(g, &c, i, i + 1, i + 2);
    else
        for (size_t i = 0; i + 3 <= n && status == FA_OK; i++)
            status = mode == FAN ? add_triangle(g, &c, 0, i + 1, i + 2)
                                 : add_triangle(g, &c, i + i % 2, i + 1 - i % 2, i + 2);
    return status;
}

// ------------------------------------------------------------------------------------------ nodes

static bool numbers(const fa_json_value *node, const char *key, int n, double v[])
{
    const fa_json_value *list = fa_json_tree_member(node, key), *e = list ? list->first : NULL;
    if (!list || list->kind != FA_JSON_LIST || list->n != n) return false;
    for (int i = 0; i < n; i++, e = e->next) v[i] = e->number;
    return true;
}

static fa_mesh_frame frame_of(const fa_json_value *node)
{
    fa_mesh_frame f = FA_MESH_UNMOVED;
    double        m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (numbers(node, "matrix", 16, m)) {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) f.row[i][k] = m[4 * k + i]; // column by column
        return f;
    }
    (void)numbers(node, "translation", 3, t);
    (void)numbers(node, "rotation", 4, q);
    (void)numbers(node, "scale", 3, s);
    const double x = q[0], y = q[1], z = q[2], w = q[3], n = x * x + y * y + z * z + w * w;
    const double two = n > 0 ? 2 / n : 0;
    const double turn[3][3] = {
        {1 - two * (y * y + z * z), two * (x * y - z * w), two * (x * z + y * w)},
        {two * (x * y + z * w), 1 - two * (x * x + z * z), two * (y * z - x * w)},
        {two * (x * z - y * w), two * (y * z + x * w), 1 - two * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) f.row[i][k] = turn[i][k] * s[k];
        f.row[i][3] = t[i];
    }
    return f;
}

static fa_status add_mesh(fa_gltf *g, const fa_json_value *mesh, const fa_mesh_frame *frame)
{
    const fa_json_value *list = fa_json_tree_member(mesh, "primitives");
    fa_status            status = FA_OK;
    for (const fa_json_value *p = list ? list->first : NULL; p && status == FA_OK; p = p->next) {
        if (++g->instances > INSTANCES)
            return fa_gltf_fail(g,
                                "there are more than 20000 nodes and meshes; no link needs that");
        status = add_primitive(g, p, frame);
    }
    return status;
}

static fa_status add_nodes(fa_gltf *g, const fa_json_value *list, const fa_mesh_frame *around,
                           int depth)
{
    const fa_json_value *nodes = fa_json_tree_member(g->json.root, "nodes");
    fa_status            status = FA_OK;
    if (depth > DEPTH) return fa_gltf_fail(g, "nodes hold each other without end");
    for (const fa_json_value *i = list ? list->first : NULL; i && status == FA_OK; i = i->next) {
        const bool is_index = i->kind == FA_JSON_NUMBER && i->number >= 0 && i->number < 1e6;
        const fa_json_value *node =
            is_index ? fa_json_tree_element(nodes, (size_t)i->number) : NULL;
        if (!node) return fa_gltf_fail(g, "the scene names a node that is not there");
        if (++g->instances > INSTANCES)
            return fa_gltf_fail(g,
                                "there are more than 20000 nodes and meshes; no link needs that");
        const fa_mesh_frame  own = frame_of(node), frame = fa_mesh_frame_after(around, &own);
        const fa_json_value *mesh = fa_gltf_named(g, node, "mesh", "meshes");
        if (mesh) status = add_mesh(g, mesh, &frame);
        if (status == FA_OK)
            status = add_nodes(g, fa_json_tree_member(node, "children"), &frame, depth + 1);
    }
    return status;
}

// Extensions without which the triangles would be others.
static fa_status check_extensions(fa_gltf *g)
{
    static const char *const harmless[] = {"KHR_mesh_quantization", "KHR_materials_",
                                           "KHR_texture_", "KHR_lights_punctual", "EXT_texture_"};
    const fa_json_value     *list = fa_json_tree_member(g->json.root, "extensionsRequired");
    for (const fa_json_value *e = list ? list->first : NULL; e; e = e->next) {
        bool known = false;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
            known |= e->text && strncmp(e->text, harmless[i], strlen(harmless[i])) == 0;
        if (!known)
            return fa_fail(g->r->error, FA_BAD_INPUT, g->r->path, FA_NOWHERE,
                           "it needs the extension '%.100s', which is not read; export the mesh "
                           "without it",
                           e->text ? e->text : "");
    }
    return FA_OK;
}

// The scene that the file shows; without one, all meshes that it has.
static fa_status add_scene(fa_gltf *g)
{
    const fa_mesh_frame  upright = {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
    const fa_json_value *root = g->json.root, *asset = fa_json_tree_member(root, "asset");
    const char          *version = fa_json_tree_text(asset, "version");
    if (!version || strncmp(version, "2.", 2) != 0)
        return fa_gltf_fail(g, "it is not glTF 2.0, which is what is read here; export it as that");
    fa_status            status = check_extensions(g);
    const fa_json_value *scene = fa_gltf_named(g, root, "scene", "scenes");
    if (!scene) scene = fa_json_tree_element(fa_json_tree_member(root, "scenes"), 0);
    if (status != FA_OK) return status;
    if (scene) return add_nodes(g, fa_json_tree_member(scene, "nodes"), &upright, 0);
    const fa_json_value *list = fa_json_tree_member(root, "meshes");
    for (const fa_json_value *m = list ? list->first : NULL; m && status == FA_OK; m = m->next)
        status = add_mesh(g, m, &upright);
    return status;
}

// ----------------------------------------------------------------------------------- binary files

static uint32_t little_endian(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

enum { HEAD = 12, CHUNK = 8 };

bool fa_gltf_is_binary(const char *bytes, size_t size)
{
    return size >= HEAD + CHUNK && memcmp(bytes, "glTF", 4) == 0;
}

fa_status fa_gltf_read(fa_mesh_reader *r, const char *bytes, size_t size)
{
    fa_gltf     g = {.r = r};
    const char *text = bytes;
    size_t      length = size;
    if (fa_gltf_is_binary(bytes, size)) {
        length = little_endian(bytes + HEAD);
        text = bytes + HEAD + CHUNK;
        if (little_endian(bytes + 4) != 2 || memcmp(bytes + HEAD + 4, "JSON", 4) != 0 ||
            length > size - HEAD - CHUNK)
            return fa_gltf_fail(&g, "it is no whole binary glTF 2.0; fetch or export it again");
        const char *next = text + length, *end = bytes + size;
        if (end - next >= CHUNK && memcmp(next + 4, "BIN\0", 4) == 0) {
            g.chunk = next + CHUNK;
            g.chunk_size = little_endian(next);
            if (g.chunk_size > (size_t)(end - g.chunk))
                return fa_gltf_fail(&g,
                                    "its binary chunk ends too early; fetch or export it again");
        }
    }
    fa_status status = fa_json_tree_read(text, length, r->path, &g.json, r->error);
    if (status == FA_OK) status = add_scene(&g);
    fa_gltf_release(&g);
    fa_json_tree_free(&g.json);
    return status;
}
