// Meshes as other programs write them: shape, place, sense and colours of their triangles.
#define _DEFAULT_SOURCE // mkstemps
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mesh.h"

// Characteristic numbers of a mesh: sums that depend on every corner, and on the orientation of
// every triangle.
typedef struct facts {
    double area, volume; // with a sign
    double low[3], high[3];
} facts;

static facts facts_of(const fa_mesh *mesh)
{
    facts f = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < mesh->n; i++) {
        const fa_vec3 *c = mesh->triangle[i].corner;
        f.area += vec3_norm(cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0]))) / 2;
        f.volume += dot(c[0], cross(c[1], c[2])) / 6;
        for (int k = 0; k < 3; k++) {
            const double at[] = {c[k].x, c[k].y, c[k].z};
            for (int a = 0; a < 3; a++) {
                f.low[a] = fmin(f.low[a], at[a]);
                f.high[a] = fmax(f.high[a], at[a]);
            }
        }
    }
    return f;
}

static size_t coloured(const fa_mesh *mesh, double red, double green, double blue)
{
    const double wanted[] = {red, green, blue};
    size_t       n = 0;
    for (int i = 0; i < mesh->n_parts; i++) {
        const fa_mesh_part *p = &mesh->part[i];
        bool                same = p->coloured;
        for (int k = 0; k < 3; k++) // a power and its inverse are in between
            same &= fabs(p->colour[k] - wanted[k]) < 1e-14;
        n += same ? p->n : 0;
    }
    return n;
}

static fa_mesh read_mesh(const char *path)
{
    fa_mesh  mesh;
    fa_error error = fa_no_error();
    if (fa_mesh_read(path, &mesh, &error) != FA_OK)
        fail_msg("%s:%d: %s", path, error.place.line, error.message);
    return mesh;
}

// A file of these bytes, whose name ends in `suffix`; what the reader says of it.
static fa_error refused(const char *suffix, const char *bytes, size_t size)
{
    char     path[64];
    fa_mesh  mesh;
    fa_error error = fa_no_error();
    sprintf(path, "/tmp/forearm-mesh-XXXXXX%s", suffix);
    const int file = mkstemps(path, (int)strlen(suffix));
    assert_true(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    if (fa_mesh_read(path, &mesh, &error) == FA_OK) fail_msg("is read: %.100s", bytes);
    assert_true(mesh.n == 0 && !mesh.triangle && !mesh.part);
    assert_string_equal(error.file, path);
    unlink(path);
    return error;
}

// One block of 1 by 2 by 3 in every format, with its colours and one side without.
static void check_block(const char *path)
{
    fa_mesh     mesh = read_mesh(path);
    const facts f = facts_of(&mesh);
    assert_int_equal(mesh.n, 12);
    // Sums of a dozen numbers below 40; the sine and cosine of 90 degrees are off by 6e-17.
    assert_true(fabs(f.area - 22) < 1e-13 && fabs(f.volume - 6) < 1e-13);
    for (int a = 0; a < 3; a++)
        assert_true(fabs(f.low[a]) < 1e-14 && fabs(f.high[a] - (a + 1)) < 1e-14);
    assert_int_equal(coloured(&mesh, 0.5, 0, 0), 6);
    assert_int_equal(coloured(&mesh, 0.75, 1, 0), 4); // held between 0 and 1
    size_t at = 0;
    for (int i = 0; i < mesh.n_parts; i++) {
        assert_int_equal(mesh.part[i].first, at);
        at += mesh.part[i].n;
    }
    assert_int_equal(at, mesh.n);
    fa_mesh_free(&mesh);
}

static void a_block_in_obj_is_a_block(void **state)
{
    (void)state;
    check_block("meshes/block.obj");
}

static void a_block_in_collada_is_a_block(void **state)
{
    (void)state;
    check_block("meshes/block.dae");
}

static void a_block_in_gltf_is_a_block(void **state)
{
    (void)state;
    check_block("meshes/block.gltf");
    check_block("meshes/block.glb");
}

static void a_closed_mesh_of_any_format_weighs(void **state)
{
    (void)state;
    fa_solid solid;
    fa_error error = fa_no_error();
    assert_int_equal(
        fa_mesh_solid("meshes/block.obj", 0.1, 1000, "t", FA_NOWHERE, NULL, &solid, &error), FA_OK);
    assert_true(fabs(solid.mass - 6) < 1e-13 && fabs(solid.com.z - 0.15) < 1e-15);
}

// A COLLADA file without a scene, of three corners, and what follows them.
#define CORNERS(places)                                                                            \
    "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'><float_array "             \
    "id='f'>" places                                                                               \
    "</float_array><technique_common><accessor source='#f' count='3' stride='3'><param name='X'/>" \
    "<param name='Y'/><param name='Z'/></accessor></technique_common></source><vertices id='v'>"   \
    "<input semantic='POSITION' source='#s'/></vertices>\n"
#define GEOMETRY(polygons)                                                                         \
    CORNERS("0 0 0 1 0 0 0 1 0") polygons "</mesh></geometry></library_geometries></COLLADA>"
#define SCENE(nodes)                                                                               \
    "<COLLADA><library_visual_scenes><visual_scene id='s'>\n" nodes                                \
    "</visual_scene></library_visual_scenes></COLLADA>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"

// A glTF file of one mesh, with what is put between.
#define GLTF(more)                                                                                 \
    "{\"asset\": {\"version\": \"2.0\"},\n\"meshes\": [{\"primitives\": [{\"attributes\": "        \
    "{\"POSITION\": 0}}]}]" more "}"
#define ACCESSOR(more)                                                                             \
    GLTF(",\"accessors\": [{\"bufferView\": 0, \"count\": 3, \"type\": \"VEC3\", "                 \
         "\"componentType\": 5126" more)
#define BUFFER(view, uri)                                                                          \
    ACCESSOR("}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": " view                         \
             "}], \"buffers\": [{\"byteLength\": 36" uri "}]")

#define ZEROS "data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void what_is_no_mesh_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *suffix, *bytes;
        int         line;
        const char *sentence;
    } row[] = {
        {".obj", "v 1 2\n", 1, "a vertex (v) has three numbers"},
        {".obj", "v 0 0 0\nv 1 0 x\n", 2, "a vertex (v) has three numbers"},
        {".obj", "v 0 0 0\nf 1 1 2\n", 2,
         "the face (f) names the vertex '2', and 1 stand before it"},
        {".obj", "v 0 0 0\n\nf \\\n-2 1 1\n", 4,
         "the face (f) names the vertex '-2', and 1 stand before it"},
        {".OBJ", "v 0 0 0\nf 0 1 1\n", 2, "the face (f) names the vertex '0'"},
        {".obj", "v 0 0 0\nf 1x 1 1\n", 2, "the face (f) names the vertex '1x'"},
        {".obj", "v 0 0 0\n", 0, "it holds no triangle"},
        {".obj", "v 0 0 1e999\nf 1 1 1", 0, "a corner of triangle 1 is not at a finite number"},
        {".dae", "<COLLADA>\n<a></COLLADA>", 2, "this is no XML, as a COLLADA file is: "},
        {".dae", "\n<robot/>", 2, "its first element is not <COLLADA>"},
        {".dae", GEOMETRY(""), 0, "it holds no triangle"},
        {".dae", GEOMETRY("<triangles/>"), 2, "there is no <input> with the semantic VERTEX"},
        {".dae", GEOMETRY("<triangles>" VERTEX "<p>0 1 3</p></triangles>"), 2,
         "a polygon names a position that is not there"},
        {".dae", GEOMETRY("<triangles>" VERTEX "<p>0 1 x</p></triangles>"), 2,
         "<p> has the number 'x', which is none"},
        {".dae", GEOMETRY("<polylist>" VERTEX "<p>0 1 2</p></polylist>"), 2,
         "<polylist> has no <vcount>"},
        {".dae", GEOMETRY("<polylist>" VERTEX "<vcount>4</vcount><p>0 1 2</p></polylist>"), 2,
         "<vcount> counts more corners than <p> has"},
        {".dae",
         CORNERS("0 0 0 1 0 0 0 1") "<triangles>" VERTEX "<p>0 1 2</p></triangles></mesh>"
                                    "</geometry></library_geometries></COLLADA>",
         1, "there are fewer positions than the accessor counts"},
        {".dae",
         "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'><float_array id='f'>"
         "0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source='#f' offset='1' "
         "count='3' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
         "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/>"
         "</vertices><triangles>" VERTEX "<p>0 1 2</p></triangles></mesh></geometry>"
         "</library_geometries></COLLADA>",
         1, "there are fewer positions than the accessor counts"},
        {".dae",
         "<COLLADA><library_geometries><geometry><mesh><triangles/></mesh></geometry>"
         "</library_geometries></COLLADA>",
         1, "the mesh has no positions"},
        {".dae",
         "<COLLADA><library_geometries><geometry><mesh><source id='s'/><vertices>"
         "<input semantic='POSITION' source='#s'/></vertices><triangles/></mesh></geometry>"
         "</library_geometries></COLLADA>",
         1, "the positions have no accessor of x, y and z"},
        {".gltf", "{\"asset\": {}", 1, "this is no JSON: a list or an object does not end"},
        {".gltf", "{\n1: 2}", 2, "this is no JSON: a member has no name"},
        {".gltf", "{\"a\" 2}", 1, "this is no JSON: there is no : behind a name"},
        {".gltf", "{\"a\": }", 1, "this is no JSON: a value is missing"},
        {".gltf", "{\"a\": \"b\n\"}", 1, "this is no JSON: a text does not end"},
        {".gltf", "{\"a\": \"\\x\"}", 1, "this is no JSON: an escape in a text means nothing"},
        {".gltf", "{} {}", 1, "this is no JSON: something follows its value"},
        {".gltf", "{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1", 1,
         "this is no JSON: it is nested too deep"},
        {".gltf", "{\"asset\": {\"version\": \"1.0\"}}", 0, "it is not glTF 2.0, which is what is"},
        {".gltf", GLTF(",\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]"), 0,
         "it needs the extension 'KHR_draco_mesh_compression', which is not read; export"},
        {".gltf", GLTF(""), 0, "a mesh has no positions"},
        {".gltf", GLTF(",\"scenes\": [{\"nodes\": [0]}]"), 0,
         "the scene names a node that is not there"},
        {".gltf", GLTF(",\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"children\": [0]}]"), 0,
         "nodes hold each other without end"},
        {".gltf",
         GLTF(",\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"children\": [1,1,1,1,1,1]},"
              "{\"children\": [2,2,2,2,2,2,2]}, {\"children\": [3,3,3,3,3,3,3,3]},"
              "{\"children\": [4,4,4,4,4,4,4]}, {\"children\": [5,5,5,5,5,5,5,5]}, {}]"),
         0, "there are more than 20000 nodes and meshes; no link needs that"},
        {".gltf", ACCESSOR("}]"), 0, "an accessor has no view, or is sparse, which is not read"},
        {".gltf", BUFFER("36", ""), 0, "a buffer has neither a uri nor a chunk"},
        {".gltf", BUFFER("36", ",\"uri\": \"data:text/plain,abc\""), 0,
         "a buffer is data, but not in base64"},
        {".gltf", BUFFER("36", ",\"uri\": \"data:;base64,ab_c\""), 0,
         "a buffer in base64 has a sign that is none of base64"},
        {".gltf", BUFFER("36", ",\"uri\": \"data:;base64,AAAA\""), 0,
         "an accessor reaches beyond the end of its buffer"},
        {".gltf", BUFFER("36.5", ",\"uri\": \"data:;base64,AAAA\""), 0,
         "a size in an accessor is no whole number"},
        {".gltf", BUFFER("36", ",\"uri\": \"../no%20such.bin\""), 0,
         "there is no file '../no such.bin' in its folder, which it needs"},
        {".gltf", BUFFER("36", ",\"uri\": \"%2e%2E%2fno%5Fsu%63%68.bin\""), 0,
         "there is no file '../no_such.bin' in its folder, which it needs"},
        {".gltf",
         GLTF(",\"accessors\": [{\"bufferView\": 0, \"count\": 1, \"type\": \"VEC3\", "
              "\"componentType\": 5126, \"byteOffset\": 25}], \"bufferViews\": [{\"buffer\": 0, "
              "\"byteLength\": 36}], \"buffers\": [{\"byteLength\": 36, \"uri\": \"" ZEROS "\"}]"),
         0, "an accessor reaches beyond the end of its buffer"},
        {".gltf", GLTF(",\"extensionsRequired\": [\"\\u0041\\udc41\"]"), 0,
         "needs the extension 'A\xef\xbf\xbd'"},
        {".gltf", GLTF(",\"extensionsRequired\": [\"\\ud83dxu0041\"]"), 0,
         "needs the extension '\xef\xbf\xbdxu0041'"},
        {".gltf", GLTF(",\"extensionsRequired\": [\"\\ud83d\\ude00\"]"), 0,
         "needs the extension '\xf0\x9f\x98\x80'"},
        {".gltf", GLTF(",\"extensionsRequired\": [\"\\u00e9\\u07ff\\u20aC\"]"), 0,
         "needs the extension '\xc3\xa9\xdf\xbf\xe2\x82\xac'"},
        {".gltf",
         GLTF(",\"accessors\": [{\"bufferView\": 0, \"count\": 3, \"type\": \"VEC2\"}], "
              "\"bufferViews\": [{}]"),
         0, "positions are not VEC3, or indices not SCALAR"},
        {".gltf",
         GLTF(",\"accessors\": [{\"bufferView\": 0, \"count\": 3, \"type\": \"VEC3\"}], "
              "\"bufferViews\": [{}]"),
         0, "an accessor has a type of numbers that does not exist"},
        {".gltf", ACCESSOR("}], \"bufferViews\": [{\"buffer\": 1, \"byteLength\": 36}]"), 0,
         "a view names a buffer that is not there"},
        {".glb", "glTF\2   \120   \377\377\377\377JSON", 0,
         "it is no whole binary glTF 2.0; fetch or"},
        {".dae", SCENE("<node><scale>1 1</scale></node>"), 2,
         "<scale> has 2 numbers; it must have 3"},
        {".dae", SCENE("<node><skew>1 1 1 1 1 1 1</skew></node>"), 2, "<skew> is not read; export"},
        {".dae", SCENE("<node id='n'>\n<instance_node url='#n'/></node>"), 2,
         "nodes hold each other without end"},
        {".dae",
         SCENE("<node id='a'><instance_node url='#b'/><instance_node url='#b'/></node>"
               "<node id='b'><instance_node url='#c'/><instance_node url='#c'/></node>"
               "<node id='c'><instance_node url='#d'/><instance_node url='#d'/></node>"
               "<node id='d'><instance_node url='#e'/><instance_node url='#e'/></node>"
               "<node id='e'><instance_node url='#f'/><instance_node url='#f'/></node>"
               "<node id='f'><instance_node url='#g'/><instance_node url='#g'/></node>"
               "<node id='g'><instance_node url='#h'/><instance_node url='#h'/></node>"
               "<node id='h'><instance_node url='#i'/><instance_node url='#i'/></node>"
               "<node id='i'><instance_node url='#j'/><instance_node url='#j'/></node>"
               "<node id='j'><instance_node url='#k'/><instance_node url='#k'/></node>"
               "<node id='k'><instance_node url='#l'/><instance_node url='#l'/></node>"
               "<node id='l'><instance_node url='#m'/><instance_node url='#m'/></node>"
               "<node id='m'><instance_node url='#n'/><instance_node url='#n'/></node>"
               "<node id='n'><instance_node url='#o'/><instance_node url='#o'/></node>"
               "<node id='o'><instance_node url='#p'/><instance_node url='#p'/></node>"
               "<node id='p'><instance_node url='#q'/><instance_node url='#q'/></node>"
               "<node id='q'/>"),
         2, "there are more than 100000 nodes"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const fa_error error = refused(row[i].suffix, row[i].bytes, strlen(row[i].bytes));
        if (!strstr(error.message, row[i].sentence) || error.place.line != row[i].line)
            fail_msg("%s: %d: '%s'", row[i].bytes, error.place.line, error.message);
    }
}

// ------------------------------------------------------------------------------------------ places

// The corner that a file's one triangle has at (1, 0, 0) of its own, and the other two, (0, 1, 0)
// and (0, 0, 1), with it.
static void check_corners(const char *suffix, const char *bytes, const fa_vec3 wanted[3])
{
    char     path[64];
    fa_mesh  mesh;
    fa_error error = fa_no_error();
    sprintf(path, "/tmp/forearm-mesh-XXXXXX%s", suffix);
    const int file = mkstemps(path, (int)strlen(suffix));
    assert_true(file >= 0 && write(file, bytes, strlen(bytes)) == (ssize_t)strlen(bytes));
    close(file);
    if (fa_mesh_read(path, &mesh, &error) != FA_OK) fail_msg("%s", error.message);
    unlink(path);
    assert_int_equal(mesh.n, 1);
    for (int k = 0; k < 3; k++) {
        const fa_vec3 off = vec3_sub(mesh.triangle[0].corner[k], wanted[k]);
        if (!(vec3_norm(off) < 1e-14)) // some sums of numbers below 10
            fail_msg("%s: corner %d is %g %g %g off", bytes, k, off.x, off.y, off.z);
    }
    fa_mesh_free(&mesh);
}

// Rodrigues' formula, by vectors.
static fa_vec3 about(fa_vec3 axis, double angle, fa_vec3 v)
{
    const fa_vec3 u = vec3_scale(1 / vec3_norm(axis), axis);
    return vec3_add(vec3_add(vec3_scale(cos(angle), v), vec3_scale(sin(angle), cross(u, v))),
                    vec3_scale((1 - cos(angle)) * dot(u, v), u));
}

// Little-endian floats 1 0 0, 0 1 0, 0 0 1.
#define UNITS "data:;base64,AACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"

static void nodes_turn_scale_and_move_about_any_axis(void **state)
{
    (void)state;
    const fa_vec3 unit[] = {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
    const fa_vec3 axis = vec3(0.3, -0.5, 0.7), at = vec3(4, -5, 6), scale = vec3(2, 3, 0.5);
    const double  angle = 70 * 3.14159265358979323846 / 180;
    char          text[4000];
    fa_vec3       wanted[3];
    for (int k = 0; k < 3; k++) {
        const fa_vec3 s = vec3(unit[k].x * scale.x, unit[k].y * scale.y, unit[k].z * scale.z);
        wanted[k] = vec3_add(at, about(axis, angle, s));
    }
    // A quaternion that is twice as long as it should be turns by the same angle.
    const double n = 2 * sin(angle / 2) / vec3_norm(axis);
    sprintf(
        text,
        BUFFER(
            "36",
            ",\"uri\": \"" UNITS
            "\"") "\b, \"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0, \"translation\": "
                  "[4, -5, 6], \"scale\": [2, 3, 0.5], \"rotation\": [%.17g, %.17g, %.17g, "
                  "%.17g]}]}",
        n * axis.x, n * axis.y, n * axis.z, 2 * cos(angle / 2));
    char *end = strchr(text, '\b'); // the } before it closes too early
    memmove(end - 1, end + 1, strlen(end));
    // glTF has y up where a robot has z; COLLADA is read without rotation.
    const fa_vec3 upright[] = {vec3(wanted[0].x, -wanted[0].z, wanted[0].y),
                               vec3(wanted[1].x, -wanted[1].z, wanted[1].y),
                               vec3(wanted[2].x, -wanted[2].z, wanted[2].y)};
    check_corners(".gltf", text, upright);
    // A unit that is no number is a metre.
    static const char *const units[] = {"<unit meter='1'/>", "<unit meter='x'/>", "",
                                        "<unit meter='-2'/>", "<unit meter='2 feet'/>"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        sprintf(text,
                "<COLLADA><asset>%s<up_axis>Y_UP</up_axis></asset><library_geometries>"
                "<geometry id='g'><mesh><source id='s'><float_array id='f'>1 0 0 0 1 0 0 0 1"
                "</float_array><technique_common><accessor source='#f' count='3' stride='3'>"
                "<param name='X'/><param name='Y'/><param name='Z'/></accessor></technique_common>"
                "</source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
                "<triangles count='1'>" VERTEX "<p>0 1 2</p></triangles></mesh></geometry>"
                "</library_geometries><library_visual_scenes><visual_scene id='a'><node>"
                "<translate>4 -5 6</translate><rotate>0.3 -0.5 0.7 70</rotate>"
                "<scale>2 3 0.5</scale><instance_geometry url='#g'/></node></visual_scene>"
                "</library_visual_scenes></COLLADA>",
                units[i]);
        check_corners(".dae", text, wanted);
    }
}

// Lines that go on behind a backslash, whatever ends them.
static void lines_of_obj_go_on(void **state)
{
    (void)state;
    const fa_vec3 wanted[] = {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
    check_corners(".obj", "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 \\\n 2 3", wanted);
    check_corners(".obj", "v 1 0 0\r\nv 0 \\\r\n1 0\r\nv 0 0 1\r\nf 1 2 \\\r\n3\r\n", wanted);
    // What begins with a word that other formats have too is told by its name.
    check_corners(".OBJ", "vp 0.5\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3", wanted);
    const fa_error error = refused(".obj", "v 1 0 0\r\nf 1 \\\r\n1 \\\r\n2", 22);
    assert_int_equal(error.place.line, 4);
}

// A small file cannot make the reader work for long: a list of a million bytes, 70 times.
static void geometry_is_not_repeated_without_end(void **state)
{
    (void)state;
    enum { BLANKS = 1000000, TIMES = 70 };
    char *text = malloc(BLANKS + 4000), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'>"
                      "<float_array>0 0 0");
    memset(at, ' ', BLANKS);
    at += BLANKS;
    at += sprintf(at,
                  "</float_array><technique_common><accessor count='1'><param name='X'/>"
                  "<param name='Y'/><param name='Z'/></accessor></technique_common></source>"
                  "<vertices><input semantic='POSITION' source='#s'/></vertices><triangles>" VERTEX
                  "</triangles></mesh></geometry></library_geometries>"
                  "<library_visual_scenes><visual_scene>");
    for (int i = 0; i < TIMES; i++) at += sprintf(at, "<instance_geometry url='#g'/>");
    at += sprintf(at, "</visual_scene></library_visual_scenes></COLLADA>");
    const fa_error error = refused(".dae", text, (size_t)(at - text));
    assert_non_null(strstr(error.message, "nodes repeat so much geometry as no link needs"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_in_obj_is_a_block),
        cmocka_unit_test(a_block_in_collada_is_a_block),
        cmocka_unit_test(a_block_in_gltf_is_a_block),
        cmocka_unit_test(a_closed_mesh_of_any_format_weighs),
        cmocka_unit_test(nodes_turn_scale_and_move_about_any_axis),
        cmocka_unit_test(lines_of_obj_go_on),
        cmocka_unit_test(geometry_is_not_repeated_without_end),
        cmocka_unit_test(what_is_no_mesh_is_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
