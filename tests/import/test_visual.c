// What robots look like: stand-ins for links without shapes, and coarser meshes.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "decimate.h"
#include "import.h"
#include "visual.h"

static const double PI = 3.14159265358979323846;

static double volume_of(const fa_triangle triangle[], size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += dot(triangle[i].corner[0], cross(triangle[i].corner[1], triangle[i].corner[2])) / 6;
    return sum;
}

// Each edge as often in one direction as in the other.
static size_t open_edges(const fa_triangle triangle[], size_t n)
{
    fa_indexed mesh;
    size_t     open = 0;
    assert_true(fa_index_corners(triangle, n, &mesh));
    int *sum = calloc(mesh.n_corners * mesh.n_corners, sizeof *sum);
    assert_non_null(sum);
    for (size_t i = 0; i < 3 * n; i++) {
        const size_t a = mesh.index[i], b = mesh.index[i - i % 3 + (i + 1) % 3];
        sum[a * mesh.n_corners + b]++;
        sum[b * mesh.n_corners + a]--;
    }
    for (size_t i = 0; i < mesh.n_corners * mesh.n_corners; i++) open += sum[i] > 0;
    free(sum);
    fa_indexed_free(&mesh);
    return open;
}

typedef struct bounds {
    fa_vec3 least, most;
} bounds;

static bounds bounds_of(const fa_triangle triangle[], size_t n)
{
    bounds b = {triangle[0].corner[0], triangle[0].corner[0]};
    for (size_t i = 0; i < 3 * n; i++) {
        const fa_vec3 p = triangle[i / 3].corner[i % 3];
        b.least = vec3(fmin(b.least.x, p.x), fmin(b.least.y, p.y), fmin(b.least.z, p.z));
        b.most = vec3(fmax(b.most.x, p.x), fmax(b.most.y, p.y), fmax(b.most.z, p.z));
    }
    return b;
}

typedef fa_vec3 surface_fn(double u, double v); // of u, v in 0 to 1

// A grid of cells over a surface, two triangles each; what vanishes at a pole is left out.
static size_t cover(surface_fn *at, int rows, int columns, fa_triangle triangle[])
{
    size_t n = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            const double  u[2] = {(double)i / rows, (double)(i + 1) / rows};
            const double  v[2] = {(double)k / columns, (double)(k + 1) / columns};
            const fa_vec3 a = at(u[0], v[0]), b = at(u[1], v[0]), c = at(u[1], v[1]);
            const fa_vec3 d = at(u[0], v[1]);
            if (i > 0) triangle[n++] = (fa_triangle){{a, c, d}};
            if (i < rows - 1) triangle[n++] = (fa_triangle){{a, b, c}};
        }
    return n;
}

// Poles and the seam are the same numbers wherever they are met.
static fa_vec3 on_sphere(double u, double v)
{
    const double across = PI * u, around = v == 1 ? 0 : 2 * PI * v;
    const double r = u == 0 || u == 1 ? 0 : sin(across);
    return vec3(r * cos(around), r * sin(around), u == 0 ? 1 : u == 1 ? -1 : cos(across));
}

static void a_sphere_of_fewer_triangles_is_a_sphere_still(void **state)
{
    (void)state;
    enum { RINGS = 80, N = 4 * RINGS * RINGS, MOST = 2000 };
    fa_triangle *triangle = malloc(N * sizeof *triangle);
    size_t       left, again;
    assert_non_null(triangle);
    const size_t n = cover(on_sphere, RINGS, 2 * RINGS, triangle);
    const double volume = volume_of(triangle, n);
    assert_int_equal(fa_decimate(triangle, n, MOST, &left), FA_OK);
    assert_true(left <= MOST && left >= MOST - 1);
    assert_int_equal(open_edges(triangle, left), 0);
    // A triangle of 2000 within a unit sphere has edges of 0.12, and lies 0.12^2 / 12 inside.
    assert_true(fabs(volume_of(triangle, left) / volume - 1) < 3 * 0.12 * 0.12 / 12);
    for (size_t i = 0; i < 3 * left; i++)
        assert_true(fabs(vec3_norm(triangle[i / 3].corner[i % 3]) - 1) < 0.004);
    const bounds b = bounds_of(triangle, left);
    assert_true(b.most.z - b.least.z > 1.99 && b.most.z - b.least.z < 2.01);
    assert_int_equal(fa_decimate(triangle, left, MOST, &again), FA_OK);
    assert_int_equal(again, left); // few enough stay as they are
    free(triangle);
}

// A box of 1 x 1 m and 1 mm, each side a grid of its own corners: both sides of the sheet stay.
static fa_vec3 on_box(double u, double v)
{
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const double        high = 0.001;
    const int           side = v == 1 ? 3 : (int)(4 * v);
    const double        part = v == 1 ? 1 : 4 * v - side;
    const double       *from = corner[side], *to = corner[(side + 1) % 4];
    const double x = from[0] + part * (to[0] - from[0]), y = from[1] + part * (to[1] - from[1]);
    if (u <= 0.4) return vec3(0.5 + (x - 0.5) * u / 0.4, 0.5 + (y - 0.5) * u / 0.4, high);
    if (u >= 0.6) return vec3(0.5 + (x - 0.5) * (1 - u) / 0.4, 0.5 + (y - 0.5) * (1 - u) / 0.4, 0);
    return vec3(x, y, high * (0.6 - u) / 0.2);
}

static void a_thin_wall_survives(void **state)
{
    (void)state;
    enum { ROWS = 50, COLUMNS = 160, N = 2 * ROWS * COLUMNS };
    fa_triangle *triangle = malloc(N * sizeof *triangle);
    size_t       left;
    assert_non_null(triangle);
    const size_t n = cover(on_box, ROWS, COLUMNS, triangle);
    // Both sides are flat, so that hardly any triangles are enough.
    assert_int_equal(fa_decimate(triangle, n, 60, &left), FA_OK);
    assert_true(left <= 60);
    const bounds b = bounds_of(triangle, left);
    assert_true(fabs(b.most.x - b.least.x - 1) < 1e-6); // rounding of quadrics, in metres
    assert_true(fabs(b.most.y - b.least.y - 1) < 1e-6);
    assert_true(fabs(b.most.z - b.least.z - 0.001) < 1e-6);
    assert_true(fabs(fa_triangles_area(triangle, left) - 2.004) < 1e-3);
    assert_true(fabs(fabs(volume_of(triangle, left)) - 0.001) < 1e-6);
    free(triangle);
}

// The rim of a sheet with a wave in it keeps its place.
static fa_vec3 on_sheet(double u, double v)
{
    return vec3(u, v, 0.05 * sin(2 * PI * u));
}

static void an_open_rim_stays(void **state)
{
    (void)state;
    enum { N = 2 * 60 * 60 };
    fa_triangle *triangle = malloc(N * sizeof *triangle);
    size_t       left;
    assert_non_null(triangle);
    size_t n = 0;
    for (int i = 0; i < 60; i++)
        for (int k = 0; k < 60; k++) {
            const double  u[2] = {i / 60.0, (i + 1) / 60.0}, v[2] = {k / 60.0, (k + 1) / 60.0};
            const fa_vec3 a = on_sheet(u[0], v[0]), c = on_sheet(u[1], v[1]);
            triangle[n++] = (fa_triangle){{a, on_sheet(u[1], v[0]), c}};
            triangle[n++] = (fa_triangle){{a, c, on_sheet(u[0], v[1])}};
        }
    const double area = fa_triangles_area(triangle, n);
    assert_int_equal(fa_decimate(triangle, n, 300, &left), FA_OK);
    const bounds b = bounds_of(triangle, left);
    assert_true(fabs(b.most.x - b.least.x - 1) < 1e-3 && fabs(b.most.y - b.least.y - 1) < 1e-3);
    assert_true(fabs(fa_triangles_area(triangle, left) / area - 1) < 0.01);
    free(triangle);
}

static void a_triangle_that_is_there_a_thousand_times_ends_too(void **state)
{
    (void)state;
    static fa_triangle triangle[1000];
    size_t             left;
    for (int i = 0; i < 1000; i++) triangle[i] = (fa_triangle){{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    assert_int_equal(fa_decimate(triangle, 1000, 10, &left), FA_OK);
    assert_true(left <= 10);
    for (int i = 0; i < 1000; i++) // far from each other, so that nothing can be collapsed
        triangle[i] = (fa_triangle){{{i, 0, 0}, {i + 0.5, 0, 0}, {i, i * 1e-3, 0}}};
    assert_int_equal(fa_decimate(triangle, 1000, 10, &left), FA_OK);
    assert_true(left <= 10);
}

// 200,000 triangles take less than a second of an ordinary machine; the bound is for a slow one.
static void many_triangles_take_little_time(void **state)
{
    (void)state;
    enum { RINGS = 224, N = 4 * RINGS * RINGS };
    fa_triangle *triangle = malloc(N * sizeof *triangle);
    size_t       left;
    assert_non_null(triangle);
    const size_t  n = cover(on_sphere, RINGS, 2 * RINGS, triangle);
    const clock_t before = clock();
    assert_int_equal(fa_decimate(triangle, n, 20000, &left), FA_OK);
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    print_message("%zu triangles to %zu: %.3f s\n", n, left, seconds);
    assert_true(seconds < 20);
    free(triangle);
}

static void every_link_of_our_robots_is_drawn_within_its_reach(void **state)
{
    (void)state;
    DIR *folder = opendir("../resources/robots");
    int  robots = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char       path[512];
        fa_robot  *robot;
        fa_visuals visuals;
        fa_error   error = {.message = ""};
        if (!strstr(entry->d_name, ".xml")) continue;
        snprintf(path, sizeof path, "../resources/robots/%s", entry->d_name);
        if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK)
            continue; // not every plant is one
        assert_int_equal(fa_visuals_of(robot, path, NULL, 100, NULL, &visuals, &error), FA_OK);
        double reach = fa_robot_reach(robot);
        bool  *drawn = calloc((size_t)robot->n_links, sizeof *drawn);
        assert_non_null(drawn);
        for (int i = 0; i < visuals.n; i++) {
            const fa_visual *visual = &visuals.of[i];
            drawn[visual->link] = true;
            assert_true(vec3_norm(visual->frame.r) <= 1.5 * reach);
            assert_true(visual->size.x > 0 && visual->size.y > 0 && visual->size.z > 0);
            assert_true(visual->size.z <= 1.5 * reach);
        }
        for (int i = 1; i < robot->n_links; i++)
            if (robot->link[i].joint.type != FA_FIXED) assert_true(drawn[i]);
        free(drawn);
        fa_visuals_free(&visuals);
        free(robot);
        robots++;
    }
    closedir(folder);
    assert_true(robots >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_of_fewer_triangles_is_a_sphere_still),
        cmocka_unit_test(a_thin_wall_survives),
        cmocka_unit_test(an_open_rim_stays),
        cmocka_unit_test(a_triangle_that_is_there_a_thousand_times_ends_too),
        cmocka_unit_test(many_triangles_take_little_time),
        cmocka_unit_test(every_link_of_our_robots_is_drawn_within_its_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
