// Parts and what they weigh: shapes against quadrature over their volume, meshes against shapes,
// placing and adding against spatial inertias, the DD Arm against its published assumption.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "import.h"
#include "mesh.h"
#include "number.h"
#include "parts.h"
#include "random.h"
#include "read_json.h"

static const double PI = 3.14159265358979323846;

static double relative(fa_solid got, fa_solid want)
{
    const double a[] = {got.mass,       got.com.x,      got.com.y,      got.com.z,
                        got.inertia.xx, got.inertia.yy, got.inertia.zz, got.inertia.xy,
                        got.inertia.xz, got.inertia.yz};
    const double b[] = {want.mass,       want.com.x,      want.com.y,      want.com.z,
                        want.inertia.xx, want.inertia.yy, want.inertia.zz, want.inertia.xy,
                        want.inertia.xz, want.inertia.yz};
    double       trace = want.inertia.xx + want.inertia.yy + want.inertia.zz;
    double       scale[] = {want.mass, sqrt(trace / want.mass), trace}, worst = 0;
    for (int i = 0; i < 10; i++) {
        double off = fabs(a[i] - b[i]) / scale[i == 0 ? 0 : i < 4 ? 1 : 2];
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

// --------------------------------------------------------------------------------- by quadrature

// Gauss and Legendre's five points on [0, 1]: exact for polynomials up to degree 9.
enum { POINTS = 5 };
static const double point[POINTS] = {0.04691007703066800, 0.23076534494715845, 0.5,
                                     0.76923465505284155, 0.95308992296933200};
static const double weight[POINTS] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                      0.23931433524968324, 0.11846344252809454};

typedef struct sums {
    double  mass;
    fa_vec3 first;
    double  second[6]; // xx yy zz xy xz yz
} sums;

static void add_point(sums *s, double mass, fa_vec3 p)
{
    const double second[] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
    s->mass += mass;
    s->first = vec3_add(s->first, vec3_scale(mass, p));
    for (int i = 0; i < 6; i++) s->second[i] += mass * second[i];
}

static fa_solid solid_of(const sums *s)
{
    fa_vec3       c = vec3_scale(1 / s->mass, s->first);
    const double *m = s->second;
    double        xx = m[0] - s->mass * c.x * c.x, yy = m[1] - s->mass * c.y * c.y;
    double        zz = m[2] - s->mass * c.z * c.z;
    return (fa_solid){s->mass,
                      c,
                      {yy + zz, xx + zz, xx + yy, -(m[3] - s->mass * c.x * c.y),
                       -(m[4] - s->mass * c.x * c.z), -(m[5] - s->mass * c.y * c.z)}};
}

// Where the volume of a shape of revolution is at height z: between two radii. Their squares are
// polynomials of z, so that the quadrature is exact but for rounding.
static void radii(const fa_shape *shape, double z, double *inner, double *outer)
{
    double along = shape->height > 0 ? z / shape->height : 0, r = shape->radius;
    *inner = shape->kind == FA_TUBE ? shape->radius2 : 0;
    *outer = r;
    if (shape->kind == FA_CONE) *outer = r * (1 - along);
    if (shape->kind == FA_FRUSTUM) *outer = r + (shape->radius2 - r) * along;
    if (shape->kind == FA_SPHERE || shape->kind == FA_HEMISPHERE) *outer = sqrt(r * r - z * z);
}

static fa_solid by_quadrature(const fa_shape *shape, double density)
{
    sums   s = {0};
    double low = 0, high = shape->height;
    bool   centred =
        shape->kind == FA_CYLINDER || shape->kind == FA_TUBE || shape->kind == FA_SEMI_CYLINDER;
    if (centred) low = -shape->height / 2, high = shape->height / 2;
    if (shape->kind == FA_SPHERE) low = -shape->radius;
    if (shape->kind == FA_SPHERE || shape->kind == FA_HEMISPHERE) high = shape->radius;
    double turn = shape->kind == FA_SEMI_CYLINDER ? PI : 2 * PI;
    enum { SECTORS = 24 }; // sines and cosines over a sector are almost polynomials: error 1e-17
    for (int i = 0; i < POINTS; i++) {
        double z = low + (high - low) * point[i], inner, outer;
        radii(shape, z, &inner, &outer);
        for (int k = 0; k < POINTS; k++) {
            double r = inner + (outer - inner) * point[k];
            for (int j = 0; j < SECTORS * POINTS; j++) {
                double angle = turn * (j / POINTS + point[j % POINTS]) / SECTORS;
                double mass = density * r * (high - low) * weight[i] * (outer - inner) * weight[k] *
                              turn / SECTORS * weight[j % POINTS];
                add_point(&s, mass, vec3(r * cos(angle), r * sin(angle), z));
            }
        }
    }
    return solid_of(&s);
}

static fa_solid box_by_quadrature(fa_vec3 size, double density)
{
    sums s = {0};
    for (int i = 0; i < POINTS * POINTS * POINTS; i++) {
        int a = i % POINTS, b = i / POINTS % POINTS, c = i / POINTS / POINTS;
        add_point(
            &s, density * size.x * size.y * size.z * weight[a] * weight[b] * weight[c],
            vec3(size.x * (point[a] - 0.5), size.y * (point[b] - 0.5), size.z * (point[c] - 0.5)));
    }
    return solid_of(&s);
}

static fa_shape any_shape(fa_shape_kind kind, uint64_t *seed)
{
    fa_shape shape = {
        .kind = kind,
        .radius = random_in(seed, 0.5, 2),
        .radius2 = random_in(seed, 0, 0.4),
        .height = random_in(seed, 0.1, 3),
        .size = {random_in(seed, 0.1, 2), random_in(seed, 0.1, 2), random_in(seed, 0.1, 2)}};
    if (kind == FA_SPHERE || kind == FA_HEMISPHERE) shape.height = 0;
    return shape;
}

static void every_shape_weighs_what_quadrature_over_its_volume_says(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        for (int kind = 0; kind < FA_MESH; kind++) {
            fa_shape shape = any_shape((fa_shape_kind)kind, &seed);
            double   density = random_in(&seed, 100, 10000);
            fa_solid want = kind == FA_BOX ? box_by_quadrature(shape.size, density)
                                           : by_quadrature(&shape, density);
            // Rounding of the sums of 3,000 points: the worst seen was 9e-14.
            assert_true(relative(fa_shape_solid(&shape, density), want) < 1e-12);
        }
    }
}

// ----------------------------------------------------------------------------- placing and adding

static fa_transform random_placement(uint64_t *seed)
{
    fa_transform X;
    X.E = fa_rotation_rpy(
        vec3(random_in(seed, -3, 3), random_in(seed, -3, 3), random_in(seed, -3, 3)));
    X.r = vec3(random_in(seed, -2, 2), random_in(seed, -2, 2), random_in(seed, -2, 2));
    return X;
}

static fa_inertia spatial(fa_solid s)
{
    return (fa_inertia){s.mass, vec3_scale(s.mass, s.com),
                        sym3_add(s.inertia, sym3_scale(s.mass, sym3_point(s.com, s.com)))};
}

static void placing_and_adding_agree_with_spatial_inertias(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 1000; trial++) {
        fa_shape     a = any_shape((fa_shape_kind)(trial % FA_MESH), &seed);
        fa_shape     b = any_shape((fa_shape_kind)(trial / FA_MESH % FA_MESH), &seed);
        fa_transform A = random_placement(&seed), B = random_placement(&seed),
                     C = random_placement(&seed);
        fa_solid sa = fa_shape_solid(&a, 3), sb = fa_shape_solid(&b, 5);
        fa_solid got =
            fa_solid_place(fa_solid_add(fa_solid_place(sa, A), fa_solid_place(sb, B)), C);
        fa_inertia sum = inertia_to_parent(
            C, inertia_add(inertia_to_parent(A, spatial(sa)), inertia_to_parent(B, spatial(sb))));
        fa_solid want = {sum.mass, inertia_centre(sum), inertia_about_centre(sum)};
        // Moments about the far origin lose what distance squared is to size squared, some 100.
        assert_true(relative(got, want) < 1e-12);
    }
}

// ----------------------------------------------------------------------------------------- meshes

typedef enum format { TEXT, CAPITALS, BINARY, FORMATS } format;

static FILE *open_mesh(format how, unsigned n)
{
    FILE *file = fopen("parts_test.stl", "wb");
    assert_non_null(file);
    if (how != BINARY) {
        fputs("solid test\n", file);
        return file;
    }
    char head[84] = "test";
    for (int i = 0; i < 4; i++) head[80 + i] = (char)(n >> 8 * i & 255);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    return file;
}

static void put_triangle(FILE *file, format how, fa_vec3 a, fa_vec3 b, fa_vec3 c)
{
    const fa_vec3 corner[] = {a, b, c};
    if (how != BINARY) {
        bool large = how == CAPITALS;
        fputs(large ? "FACET NORMAL 0 0 0\nOUTER LOOP\n" : "facet normal 0 0 0\nouter loop\n",
              file);
        for (int i = 0; i < 3; i++)
            fprintf(file, "%s %s %s %s\n", large ? "VERTEX" : "vertex",
                    fa_number_text(corner[i].x).text, fa_number_text(corner[i].y).text,
                    fa_number_text(corner[i].z).text);
        fputs(large ? "ENDLOOP\nENDFACET\n" : "endloop\nendfacet\n", file);
        return;
    }
    char record[50] = {0};
    for (int i = 0; i < 9; i++) {
        const double *xyz[] = {&corner[i / 3].x, &corner[i / 3].y, &corner[i / 3].z};
        float         value = (float)*xyz[i % 3];
        uint32_t      bits;
        memcpy(&bits, &value, sizeof bits);
        for (int k = 0; k < 4; k++) record[12 + 4 * i + k] = (char)(bits >> 8 * k & 255);
    }
    assert_int_equal(fwrite(record, 1, sizeof record, file), sizeof record);
}

static fa_solid mesh_solid(double scale, double density)
{
    fa_solid solid;
    fa_error error = {.message = ""};
    if (fa_mesh_solid("parts_test.stl", scale, density, "test", FA_NOWHERE, NULL, &solid, &error) !=
        FA_OK)
        fail_msg("%s", error.message);
    remove("parts_test.stl");
    return solid;
}

static void a_pipe_is_no_mesh_and_is_not_waited_for(void **state)
{
    (void)state;
    fa_solid solid;
    fa_error error = fa_no_error();
    assert_int_equal(mkfifo("parts_test.stl", 0600), 0);
    const fa_status status =
        fa_mesh_solid("parts_test.stl", 1, 1, "test", FA_NOWHERE, NULL, &solid, &error);
    remove("parts_test.stl");
    assert_int_equal(status, FA_IO);
    assert_string_equal(error.message, "it is a folder, a pipe or a device; name a regular file");
}

enum { TRIANGLES_PER_SIDE = 6 };

// A prism whose base is a regular polygon, z from -h/2 to h/2: what a cylinder looks like as STL,
// with triangles among it that rounding has made lines or points of.
static void put_prism(FILE *file, format how, int n, double r, double h)
{
    fa_vec3 low = vec3(0, 0, -h / 2), high = vec3(0, 0, h / 2);
    for (int i = 0; i < n; i++) {
        double  a = 2 * PI * i / n, b = 2 * PI * ((i + 1) % n) / n;
        fa_vec3 A = vec3(r * cos(a), r * sin(a), -h / 2), B = vec3(r * cos(b), r * sin(b), -h / 2);
        fa_vec3 C = vec3(A.x, A.y, h / 2), D = vec3(B.x, B.y, h / 2);
        put_triangle(file, how, low, B, A);
        put_triangle(file, how, high, C, D);
        put_triangle(file, how, A, B, D);
        put_triangle(file, how, A, D, C);
        put_triangle(file, how, A, B, A);
        put_triangle(file, how, C, C, C);
    }
}

static void a_mesh_of_a_polygon_s_prism_has_the_polygon_s_moments(void **state)
{
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        format how = trial % FORMATS;
        int    n = 3 + 7 * trial;
        double r = 25, h = 80, scale = 0.001, density = 2700;
        FILE  *file = open_mesh(how, TRIANGLES_PER_SIDE * (unsigned)n);
        put_prism(file, how, n, r, h);
        assert_int_equal(fclose(file), 0);
        double R = scale * r, H = scale * h, c = cos(PI / n), s = sin(PI / n);
        double mass = density * n * R * R * s * c * H;
        // A regular polygon's second moment about its centre, from its triangles.
        double   polar = mass * R * R / 2 * (1 - 2 * s * s / 3);
        double   across = polar / 2 + mass * H * H / 12;
        fa_solid want = {mass, {0, 0, 0}, {across, across, polar, 0, 0, 0}};
        // Corners are written with 24 bits in the binary file, exactly in the other.
        assert_true(relative(mesh_solid(scale, density), want) <
                    (how == BINARY ? 1e-6 : 1e-14 * n));
    }
}

// A solid without symmetry: the second moments of a tetrahedron are V/20 of those of its corners
// and of their sum.
static void a_mesh_of_a_tetrahedron_has_all_six_moments(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int trial = 0; trial < 30; trial++) {
        static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        fa_vec3          p[4], sum = {0, 0, 0};
        for (int i = 0; i < 4; i++) p[i] = random_vec3(&seed, 1);
        const double six =
            dot(vec3_sub(p[1], p[0]), cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[0])));
        if (fabs(six) < 0.1) continue;
        FILE *file = open_mesh(TEXT, 4);
        for (int i = 0; i < 4; i++) {
            const fa_vec3 a = p[face[i][0]], b = p[face[i][1]], c = p[face[i][2]];
            put_triangle(file, TEXT, a, six > 0 ? b : c, six > 0 ? c : b);
        }
        assert_int_equal(fclose(file), 0);
        const double density = 3, mass = density * fabs(six) / 6;
        double       m[3][3] = {{0}};
        for (int i = 0; i < 4; i++) sum = vec3_add(sum, p[i]);
        const fa_vec3 com = vec3_scale(0.25, sum);
        for (int i = 0; i < 4; i++) {
            const fa_vec3 d = vec3_sub(p[i], com); // whose sum is zero
            const double  x[] = {d.x, d.y, d.z};
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++) m[j][k] += mass / 20 * x[j] * x[k];
        }
        const fa_solid want = {mass,
                               com,
                               {m[1][1] + m[2][2], m[0][0] + m[2][2], m[0][0] + m[1][1], -m[0][1],
                                -m[0][2], -m[1][2]}};
        const fa_solid got = mesh_solid(1, density);
        // Sums about a corner, which is up to three times as far away as the mass is wide.
        assert_true(relative(got, want) < 1e-12);
        assert_true(fabs(got.inertia.xy - want.inertia.xy) < 1e-13 &&
                    fabs(got.inertia.xz - want.inertia.xz) < 1e-13 &&
                    fabs(got.inertia.yz - want.inertia.yz) < 1e-13);
        assert_true(vec3_norm(vec3_sub(got.com, want.com)) < 1e-13);
    }
}

// Each shape of revolution as a mesh of ever more triangles: the error is that of a polygon in a
// circle, so four times as small for twice as many sectors.
static double error_of_mesh(const fa_shape *shape, int sectors)
{
    FILE   *file = open_mesh(TEXT, 0);
    int     rings = sectors / 2;
    double  top = shape->height > 0 ? shape->height : shape->radius;
    fa_vec3 low = vec3(0, 0, 0), high = vec3(0, 0, top);
    for (int i = 0; i < sectors; i++) {
        double a = 2 * PI * i / sectors, b = 2 * PI * ((i + 1) % sectors) / sectors;
        for (int k = 0; k < rings; k++) {
            double z[2], r[2], inner;
            for (int e = 0; e < 2; e++) {
                // Rings at equal angles, which is right for a sphere and does no harm to a cone.
                z[e] = k + e == rings ? top : top * sin(PI / 2 * (k + e) / rings);
                radii(shape, z[e], &inner, &r[e]);
                if (shape->kind != FA_FRUSTUM && k + e == rings) r[e] = 0;
            }
            fa_vec3 A = vec3(r[0] * cos(a), r[0] * sin(a), z[0]);
            fa_vec3 B = vec3(r[0] * cos(b), r[0] * sin(b), z[0]);
            fa_vec3 C = vec3(r[1] * cos(a), r[1] * sin(a), z[1]);
            fa_vec3 D = vec3(r[1] * cos(b), r[1] * sin(b), z[1]);
            put_triangle(file, TEXT, A, B, D);
            if (r[1] > 0) put_triangle(file, TEXT, A, D, C);
            if (k == 0) put_triangle(file, TEXT, low, B, A);
            if (k == rings - 1 && r[1] > 0) put_triangle(file, TEXT, high, C, D);
        }
    }
    assert_int_equal(fclose(file), 0);
    return relative(mesh_solid(1, 1000), fa_shape_solid(shape, 1000));
}

static void meshes_of_round_shapes_approach_them_with_the_square_of_their_fineness(void **state)
{
    (void)state;
    uint64_t            seed = 3;
    const fa_shape_kind kinds[] = {FA_CONE, FA_FRUSTUM, FA_HEMISPHERE};
    for (int i = 0; i < 3; i++) {
        fa_shape shape = any_shape(kinds[i], &seed);
        double   coarse = error_of_mesh(&shape, 24), fine = error_of_mesh(&shape, 48);
        assert_true(fine < 0.02);
        assert_true(coarse / fine > 3.8 && coarse / fine < 4.2); // 4 but for the next order
    }
}

// ---------------------------------------------------------------------------------- files of parts

static fa_parts read_parts(const char *path)
{
    fa_parts parts;
    fa_error error = {.message = ""};
    if (fa_parts_read(path, NULL, &parts, &error) != FA_OK) fail_msg("%s", error.message);
    return parts;
}

static void the_dd_arm_built_from_its_parts_is_the_assumed_one(void **state)
{
    (void)state;
    fa_parts    parts = read_parts("../resources/parts/cmu_dd_arm.xml");
    json       *file = json_read("reference/cmu_dd_arm_parts.json");
    const json *links = json_member(file, "links");
    int         n = 0;
    for (int i = 0; i < parts.n; i++) {
        if (parts.item[i].kind != FA_PART_ITEM_LINK) continue;
        const json *link = json_element(links, n++);
        double      com[3], I[9];
        assert_string_equal(parts.item[i].name, json_string(json_member(link, "name")));
        json_numbers(json_member(link, "com"), com, 3);
        json_numbers(json_member(link, "inertia"), I, 9);
        fa_solid want = {json_number(json_member(link, "mass")),
                         {com[0], com[1], com[2]},
                         {I[0], I[4], I[8], I[1], I[2], I[5]}};
        // Rounding: both were calculated in double precision; the worst seen was 4e-16.
        assert_true(relative(parts.item[i].solid, want) < 1e-14);
    }
    assert_int_equal(n, json_count(links));
    json_free(file);
    fa_parts_free(&parts);
}

static char *read_arm(const char *parts_path, const char *arm_path, size_t *size)
{
    fa_parts parts = read_parts(parts_path);
    char    *text;
    fa_error error = {.message = ""};
    if (fa_parts_into_arm(&parts, arm_path, NULL, &text, size, &error) != FA_OK)
        fail_msg("%s", error.message);
    fa_parts_free(&parts);
    return text;
}

// What the file says otherwise, its comments too, is not touched.
static void masses_go_into_the_arm_and_nothing_else_changes(void **state)
{
    (void)state;
    const char *path = "../resources/robots/cmu_dd_arm.xml";
    size_t      size;
    char       *text = read_arm("../resources/parts/cmu_dd_arm.xml", path, &size);
    fa_robot   *before, *after;
    fa_error    error = {.message = ""};
    assert_int_equal(strlen(text), size);
    assert_non_null(strstr(text, "Published: six revolute joints"));
    assert_int_equal(fa_import(path, NULL, NULL, &before, &error), FA_OK);
    assert_int_equal(fa_import_text(text, size, path, NULL, NULL, &after, &error), FA_OK);
    for (int i = 0; i < before->n_links; i++) {
        fa_link *a = &before->link[i], *b = &after->link[i];
        if (i > 0)
            assert_true(relative((fa_solid){b->mass, b->com, b->inertia},
                                 (fa_solid){a->mass, a->com, a->inertia}) < 1e-14); // as above
        b->mass = a->mass, b->com = a->com, b->inertia = a->inertia;
        a->place = b->place = a->joint.place = b->joint.place = FA_NOWHERE; // lengths may differ
    }
    assert_memory_equal(before->link, after->link, (size_t)before->n_links * sizeof *before->link);
    free(before);
    free(after);
    free(text);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

#define BALL                                                                                       \
    "<parts name='x'><part name='ball'><sphere radius='1' density='1'/></part>"                    \
    "<part name='pair'><place part='ball' xyz='2 0 0'/><place part='ball' xyz='-2 0 0'/></part>"

static void attributes_that_are_missing_are_added_and_parts_in_parts_counted(void **state)
{
    (void)state;
    write_file("parts_test.xml",
               BALL "<link name='a' xyz='0 0 5'><place part='pair'/></link></parts>");
    write_file("parts_test_arm.xml",
               "<arm name='x' convention='standard'><!-- kept --><joint name='j' type='revolute'>"
               "<link com='1 2 3' name='a' /></joint></arm>");
    size_t      size;
    char       *text = read_arm("parts_test.xml", "parts_test_arm.xml", &size);
    char        want[1000];
    double      m = 8 * PI / 3, each = 2.0 / 5 * m;
    const char *form = "<arm name='x' convention='standard'><!-- kept --><joint name='j' "
                       "type='revolute'><link com='0 0 5' name='a' mass=\"%s\" inertia=\"%s %s %s "
                       "0 0 0\" /></joint></arm>";
    fa_robot   *robot;
    fa_error    error = {.message = ""};
    assert_int_equal(fa_import_text(text, size, "x", NULL, NULL, &robot, &error), FA_OK);
    const fa_link *link = &robot->link[1];
    const fa_solid pair = {m, {0, 0, 5}, {each, each + 4 * m, each + 4 * m, 0, 0, 0}};
    assert_true(relative((fa_solid){link->mass, link->com, link->inertia}, pair) < 1e-15);
    snprintf(want, sizeof want, form, fa_number_text(link->mass).text,
             fa_number_text(link->inertia.xx).text, fa_number_text(link->inertia.yy).text,
             fa_number_text(link->inertia.zz).text);
    assert_string_equal(text, want);
    free(robot);
    free(text);
}

static void a_link_that_the_arm_has_not_is_told(void **state)
{
    (void)state;
    write_file("parts_test.xml", BALL "\n<link name='b'><place part='pair'/></link></parts>");
    fa_parts parts = read_parts("parts_test.xml");
    char    *text;
    size_t   size;
    fa_error error = {.message = ""};
    assert_int_equal(fa_parts_into_arm(&parts, "parts_test_arm.xml", NULL, &text, &size, &error),
                     FA_BAD_INPUT);
    assert_null(text);
    assert_string_equal(error.message, "link 'b' is not in the arm 'parts_test_arm.xml'; use the "
                                       "names that it has there");
    assert_int_equal(error.place.line, 2);
    assert_int_equal(fa_parts_into_arm(&parts, "urdf/crlf.urdf", NULL, &text, &size, &error),
                     FA_BAD_INPUT);
    assert_string_equal(error.message,
                        "the root element is <robot>; masses from parts can be put into an <arm>");
    // What says its encoding in its first bytes would be written back in another one.
    write_file("parts_test_arm.xml", "\xEF\xBB\xBF<arm/>");
    assert_int_equal(fa_parts_into_arm(&parts, "parts_test_arm.xml", NULL, &text, &size, &error),
                     FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "its text is not plain UTF-8"));
    fa_parts_free(&parts);
    remove("parts_test.xml");
    remove("parts_test_arm.xml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_is_no_mesh_and_is_not_waited_for),
        cmocka_unit_test(every_shape_weighs_what_quadrature_over_its_volume_says),
        cmocka_unit_test(placing_and_adding_agree_with_spatial_inertias),
        cmocka_unit_test(a_mesh_of_a_polygon_s_prism_has_the_polygon_s_moments),
        cmocka_unit_test(a_mesh_of_a_tetrahedron_has_all_six_moments),
        cmocka_unit_test(meshes_of_round_shapes_approach_them_with_the_square_of_their_fineness),
        cmocka_unit_test(the_dd_arm_built_from_its_parts_is_the_assumed_one),
        cmocka_unit_test(masses_go_into_the_arm_and_nothing_else_changes),
        cmocka_unit_test(attributes_that_are_missing_are_added_and_parts_in_parts_counted),
        cmocka_unit_test(a_link_that_the_arm_has_not_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
