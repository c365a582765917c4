// MJCF against MuJoCo (tests/mjcf): masses, joints, the mass matrix and the bias at the start, of
// robots as they are built. What MuJoCo refuses is refused here.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "dynamics.h"
#include "import.h"
#include "read_json.h"
#include "test.h"

enum { MOST = 8 };

static void near(double got, double want, double tolerance, const char *title, const char *what)
{
    if (!(fabs(got - want) <= tolerance * fmax(1, fabs(want))))
        fail_msg("%s: %s is %.12g, not %.12g", title, what, got, want);
}

static void same_joints(const fa_robot *robot, const json *joints, const char *title)
{
    int k = 0;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        double          range[2];
        if (joint->type == FA_FIXED) continue;
        const json *want = json_element(joints, k++);
        const char *type = json_string(json_member(want, "type"));
        if (strcmp(type, joint->type == FA_PRISMATIC ? "slide" : "hinge") != 0)
            fail_msg("%s: '%s' is no %s", title, joint->name, type);
        json_numbers(json_member(want, "range"), range, 2);
        near(joint->friction.viscous, json_number(json_member(want, "damping")), 1e-9, title,
             "the damping");
        near(joint->spring.stiffness, json_number(json_member(want, "stiffness")), 1e-9, title,
             "the stiffness");
        near(joint->spring.rest, json_number(json_member(want, "springref")), 1e-9, title,
             "the spring's rest");
        near(joint->friction.coulomb, json_number(json_member(want, "frictionloss")), 1e-9, title,
             "the friction");
    }
    assert_int_equal(k, json_count(joints));
}

// M column by column and what gravity asks for, at the start.
static void same_dynamics(const fa_robot *robot, const json *c, const char *title)
{
    const double  tolerance = strstr(title, "mesh") ? 1e-6 : 1e-9; // MuJoCo's of scaled ones
    fa_body       body[MOST];
    int           link_body[MOST];
    fa_transform  frame[MOST];
    double        q[MOST], qd[MOST] = {0}, qdd[MOST] = {0}, rest[MOST], tau[MOST];
    double        M[MOST * MOST], bias[MOST];
    const fa_load none = {NULL};
    assert_true(robot->n_links <= MOST);
    const fa_chain   chain = fa_chain_build(robot, body, link_body, frame);
    const int        n = chain.n_coordinates;
    const fa_method *method = fa_method_inverse(&chain);
    void            *work = malloc(method->work_size(&chain));
    assert_non_null(work);
    if (json_numbers(json_member(c, "qpos0"), q, MOST) != n) fail_msg("%s: %d", title, n);
    assert_int_equal(json_numbers(json_member(c, "qM"), M, MOST * MOST), n * (n + 1) / 2);
    assert_int_equal(json_numbers(json_member(c, "qfrc_bias"), bias, MOST), n);
    assert_int_equal(method->inverse(&chain, q, qd, qdd, &none, rest, work), FA_OK);
    for (int j = 0; j < n; j++) {
        qdd[j] = 1;
        assert_int_equal(method->inverse(&chain, q, qd, qdd, &none, tau, work), FA_OK);
        qdd[j] = 0;
        near(rest[j], bias[j], tolerance, title, "a bias");
        for (int i = j; i < n; i++) // the lower triangle, row by row
            near(tau[i] - rest[i], M[i * (i + 1) / 2 + j], tolerance, title,
                 "an element of the mass matrix");
    }
    free(work);
}

static void compare(const char *cases)
{
    json       *file = json_read(cases);
    const json *list = json_member(file, "cases");
    for (int i = 0; i < json_count(list); i++) {
        const json             *c = json_element(list, i);
        const char             *title = json_string(json_member(c, "title"));
        const char             *text = json_string(json_member(c, "xml"));
        const fa_import_options options = {.torques = strcmp(title, "intvelocity") == 0};
        fa_error                error = fa_no_error();
        fa_robot               *robot = NULL;
        const fa_status         status =
            fa_import_text(text, strlen(text), "mjcf/text.xml", &options, NULL, &robot, &error);
        if (!json_has(c, "bodies")) {
            if (status == FA_OK) fail_msg("%s: taken", title);
            assert_true(error.message[0] != '\0');
            continue;
        }
        if (status != FA_OK) fail_msg("%s: %s", title, error.message);
        if (!strstr(title, "locks")) { // held for ever, it is fixed
            same_joints(robot, json_member(c, "joints"), title);
            same_dynamics(robot, c, title);
        }
        free(robot);
    }
    json_free(file);
}

static void documents_are_as_mujoco_has_them(void **state)
{
    (void)state;
    compare("mjcf/semantics.json");
}

static void geoms_weigh_what_they_weigh_in_mujoco(void **state)
{
    (void)state;
    compare("mjcf/geoms.json");
}

// ---------------------------------------------------------------------- beside what MuJoCo says

static void count(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)file, (void)place;
    *(int *)context += strncmp(sentence, "contacts are not computed", 25) == 0;
}

// A geom that neither touches nor is touched is a picture.
static void what_can_touch_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *attributes;
        int         told;
    } geom[] = {{"", 1},
                {"contype='0' conaffinity='0'", 0},
                {"contype='1' conaffinity='0'", 1},
                {"contype='0' conaffinity='1'", 1}};
    for (size_t i = 0; i < sizeof geom / sizeof *geom; i++) {
        char         text[512];
        int          told = 0;
        const fa_log log = {.warn = count, .context = &told};
        fa_error     error = fa_no_error();
        fa_robot    *robot;
        const int    n =
            snprintf(text, sizeof text,
                     "<mujoco><worldbody><body><joint/><geom size='0.1' %s/></body></worldbody>"
                     "</mujoco>",
                     geom[i].attributes);
        if (fa_import_text(text, (size_t)n, "m.xml", NULL, &log, &robot, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_int_equal(told, geom[i].told);
        free(robot);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// A fault in an included file stands in that file, and no file is included twice.
static void included_files_are_known_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part, *file, *sentence;
        int         line;
    } row[] = {
        {"<mujoco>\n<include file='part.xml'/></mujoco>",
         "<mujoco>\n\n<worldbody>\n<body><joint/><geom size='x'/></body></worldbody></mujoco>",
         "part.xml", "'x'", 4},
        {"<mujoco>\n<include file='part.xml'/>\n<include file='part.xml'/></mujoco>",
         "<mujoco><option timestep='1e-3'/></mujoco>", "m.xml", "is included a second time", 3},
    };
    char folder[] = "/tmp/forearm-mjcf-XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/m.xml", folder);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_error  error = fa_no_error();
        fa_robot *robot;
        write_file(folder, "m.xml", row[i].text);
        write_file(folder, "part.xml", row[i].part);
        assert_int_equal(fa_import(path, NULL, NULL, &robot, &error), FA_BAD_INPUT);
        if (!strstr(error.message, row[i].sentence) || !strstr(error.file, row[i].file))
            fail_msg("%s:%d: %s", error.file, error.place.line, error.message);
        assert_int_equal(error.place.line, row[i].line);
    }
    for (int k = 0; k < 2; k++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, k ? "part.xml" : "m.xml");
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(remove(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_as_mujoco_has_them),
        cmocka_unit_test(geoms_weigh_what_they_weigh_in_mujoco),
        cmocka_unit_test(what_can_touch_is_told),
        cmocka_unit_test(included_files_are_known_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
