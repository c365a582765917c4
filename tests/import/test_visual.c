// What robots look like: stand-ins for links without shapes, and coarser meshes.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "import.h"
#include "visual.h"

static const double PI = 3.14159265358979323846;

static fa_vec3 on_sphere(int i, int k, int rings)
{
    double across = PI * i / rings, around = 2 * PI * (k % (2 * rings)) / (2 * rings);
    return vec3(sin(across) * cos(around), sin(across) * sin(around), cos(across));
}

static void a_thinned_sphere_is_a_sphere_still(void **state)
{
    (void)state;
    enum { RINGS = 80, N = 4 * RINGS * RINGS, MOST = 2000 };
    fa_triangle *triangle = malloc(N * sizeof *triangle);
    assert_non_null(triangle);
    size_t n = 0;
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < 2 * RINGS; k++) {
            fa_vec3 a = on_sphere(i, k, RINGS), b = on_sphere(i + 1, k, RINGS);
            fa_vec3 c = on_sphere(i + 1, k + 1, RINGS), d = on_sphere(i, k + 1, RINGS);
            triangle[n++] = (fa_triangle){{a, b, c}};
            triangle[n++] = (fa_triangle){{a, c, d}};
        }
    size_t left = fa_triangles_thin(triangle, n, MOST);
    assert_true(left <= MOST && left > MOST / 4);
    double lowest = 0, highest = 0;
    for (size_t i = 0; i < 3 * left; i++) {
        fa_vec3 corner = triangle[i / 3].corner[i % 3];
        // A cell is some 0.1 wide, and a corner moves by half of its diagonal at most.
        assert_true(fabs(vec3_norm(corner) - 1) < 0.12);
        lowest = fmin(lowest, corner.z);
        highest = fmax(highest, corner.z);
    }
    assert_true(highest - lowest > 1.85);
    assert_int_equal(fa_triangles_thin(triangle, left, MOST), left); // few enough stay as they are
    free(triangle);
}

static void a_triangle_that_is_there_a_thousand_times_is_thinned_too(void **state)
{
    (void)state;
    static fa_triangle triangle[1000];
    for (int i = 0; i < 1000; i++) triangle[i] = (fa_triangle){{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    assert_int_equal(fa_triangles_thin(triangle, 1000, 10), 10);
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
        cmocka_unit_test(a_thinned_sphere_is_a_sphere_still),
        cmocka_unit_test(a_triangle_that_is_there_a_thousand_times_is_thinned_too),
        cmocka_unit_test(every_link_of_our_robots_is_drawn_within_its_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
