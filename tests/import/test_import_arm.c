// What an <arm> says arrives in the robot: the frames of both conventions, degrees, defaults, and
// the published numbers of the robots in resources/robots.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chain.h"
#include "import.h"
#include "number.h"
#include "read_json.h"

static fa_robot *read_text(const char *text)
{
    fa_robot *robot;
    fa_error  error = {.message = ""};
    if (fa_import_text(text, strlen(text), "text.xml", NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    return robot;
}

// A number that reads back the same, from -1 to 1.
static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// Rz(theta) Tz(d) Tx(a) Rx(alpha), or Rx(alpha) Tx(a) Rz(theta) Tz(d), written out as the books
// have them: the columns of the rotation are the child's axes in the parent.
static void book(bool modified, double a, double alpha, double d, double theta, double T[3][4])
{
    const double c = cos(theta), s = sin(theta), ca = cos(alpha), sa = sin(alpha);
    const double standard[3][4] = {
        {c, -s * ca, s * sa, a * c}, {s, c * ca, -c * sa, a * s}, {0, sa, ca, d}};
    const double craig[3][4] = {
        {c, -s, 0, a}, {s * ca, c * ca, -sa, -sa * d}, {s * sa, c * sa, ca, ca * d}};
    memcpy(T, modified ? craig : standard, sizeof standard);
}

static void joint_and_link_frame_make_the_convention_s_product(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        bool        modified = trial & 1, slides = trial & 2;
        double      p[5], q = random_number(&seed);
        const char *names[] = {"a", "alpha", "d", "theta", "offset"};
        char        text[1000], *end = text;
        end += sprintf(end, "<arm name='x' convention='%s'><joint name='j' type='%s'",
                       modified ? "modified" : "standard", slides ? "prismatic" : "revolute");
        for (int i = 0; i < 5; i++) {
            p[i] = 3 * random_number(&seed);
            end += sprintf(end, " %s='%s'", names[i], fa_number_text(p[i]).text);
        }
        sprintf(end, "><link name='l' mass='1' inertia='1 1 1 0 0 0'/></joint></arm>");
        fa_robot      *robot = read_text(text);
        const fa_link *link = &robot->link[1];

        const fa_body body = {
            .joint = link->joint.type, .axis = link->joint.axis, .home = link->joint.origin};
        fa_transform X = transform_compose(fa_joint_transform(&body, q), link->frame);
        double       T[3][4];
        double       d = p[2] + (slides ? q + p[4] : 0), theta = p[3] + (slides ? 0 : q + p[4]);
        book(modified, p[0], p[1], d, theta, T);
        // A dozen roundings of numbers up to 9.
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) assert_true(fabs(X.E.m[j][i] - T[i][j]) < 1e-14);
            assert_true(fabs((&X.r.x)[i] - T[i][3]) < 1e-14);
        }
        free(robot);
    }
}

static void degrees_are_the_same_arm_as_radians(void **state)
{
    (void)state;
    fa_robot *a =
        read_text("<arm name='x' convention='standard' angle-unit='deg'><base rpy='0 0 90'/>"
                  "<joint name='j' type='revolute' alpha='90' theta='-180' offset='45'>"
                  "<limit lower='-90' upper='180' effort='3' velocity='360'/>"
                  "<friction viscous='2' coulomb='1' width='18'/><spring stiffness='5' rest='30'/>"
                  "<link name='l' mass='1' inertia='1 1 1 0 0 0'/></joint>"
                  "<joint name='p' type='prismatic' offset='2'><limit lower='0' upper='3'/>"
                  "<link name='m' mass='1' inertia='1 1 1 0 0 0'/></joint></arm>");
    fa_robot *b = read_text(
        "<arm name='x' convention='standard'><base rpy='0 0 1.5707963267948966'/>"
        "<joint name='j' type='revolute' alpha='1.5707963267948966' theta='-3.141592653589793' "
        "offset='0.7853981633974483'>"
        "<limit lower='-1.5707963267948966' upper='3.141592653589793' effort='3' "
        "velocity='6.283185307179586'/>"
        "<friction viscous='2' coulomb='1' width='0.3141592653589793'/>"
        "<spring stiffness='5' rest='0.5235987755982988'/>"
        "<link name='l' mass='1' inertia='1 1 1 0 0 0'/></joint>"
        "<joint name='p' type='prismatic' offset='2'><limit lower='0' upper='3'/>"
        "<link name='m' mass='1' inertia='1 1 1 0 0 0'/></joint></arm>");
    for (int i = 0; i < 3; i++) {
        const double *x = &a->link[i].joint.origin.E.m[0][0],
                     *y = &b->link[i].joint.origin.E.m[0][0];
        for (int k = 0; k < 9; k++) assert_true(fabs(x[k] - y[k]) < 1e-15);
        const fa_joint *j = &a->link[i].joint, *k = &b->link[i].joint;
        // Multiplying by pi/180 rounds twice.
        if (isfinite(k->limit.lower)) assert_true(fabs(j->limit.lower - k->limit.lower) < 1e-15);
        if (isfinite(k->limit.upper)) assert_true(fabs(j->limit.upper - k->limit.upper) < 1e-15);
        if (isfinite(k->limit.velocity))
            assert_true(fabs(j->limit.velocity - k->limit.velocity) < 2e-15);
        assert_true(fabs(j->friction.width - k->friction.width) < 1e-15);
        assert_true(fabs(j->spring.rest - k->spring.rest) < 1e-15);
        assert_true(j->friction.viscous == k->friction.viscous);
        assert_true(j->spring.stiffness == k->spring.stiffness);
    }
    free(a);
    free(b);
}

static void what_is_not_said_has_its_default(void **state)
{
    (void)state;
    fa_robot *robot =
        read_text("<arm name='x' convention='standard'><joint name='j' type='continuous'>"
                  "<friction coulomb='2'/><rotor inertia='0.1'/>"
                  "<link name='l' mass='1' inertia='1 1 1 0 0 0'/></joint></arm>");
    const fa_joint *joint = &robot->link[1].joint;
    assert_string_equal(robot->link[0].name, "base");
    assert_true(robot->gravity.z == -9.81);
    assert_true(joint->rotor.gear == 1 && joint->rotor.inertia == 0.1);
    assert_true(joint->friction.coulomb_negative == 2 && joint->friction.viscous == 0);
    assert_false(joint->spring.present);
    assert_true(isinf(joint->limit.lower) && isinf(joint->limit.effort));
    assert_int_equal(robot->tip_link, 1);
    assert_false(robot->link[1].wrench);
    free(robot);
}

static void what_is_said_arrives(void **state)
{
    (void)state;
    fa_robot *robot = read_text(
        "<arm name='x' convention='modified' gravity='1 2 3'><base xyz='4 5 6'/>"
        "<joint name='j' type='revolute'>"
        "<friction viscous='1' coulomb='2' coulomb-negative='3' width='4' law='smooth'/>"
        "<rotor inertia='5' gear='-6'/><spring stiffness='7' damping='8' rest='9'/>"
        "<link name='l' mass='10' com='1 2 3' inertia='14 15 16 1 2 3' wrench='true'/></joint>"
        "<tip xyz='7 8 9'/></arm>");
    const fa_link  *link = &robot->link[1];
    const fa_joint *joint = &link->joint;
    assert_true(robot->gravity.x == 1 && robot->gravity.y == 2 && robot->gravity.z == 3);
    assert_true(robot->link[0].joint.origin.r.x == 4 && robot->link[0].joint.origin.r.z == 6);
    assert_true(joint->friction.viscous == 1 && joint->friction.coulomb == 2);
    assert_true(joint->friction.coulomb_negative == 3 && joint->friction.width == 4);
    assert_true(joint->rotor.inertia == 5 && joint->rotor.gear == -6);
    assert_true(joint->spring.present && joint->spring.stiffness == 7);
    assert_true(joint->spring.damping == 8 && joint->spring.rest == 9);
    assert_true(link->mass == 10 && link->com.y == 2 && link->wrench);
    assert_true(link->inertia.xx == 14 && link->inertia.yy == 15 && link->inertia.zz == 16);
    assert_true(link->inertia.xy == 1 && link->inertia.xz == 2 && link->inertia.yz == 3);
    assert_true(robot->tip.r.x == 7 && robot->tip.r.z == 9);
    free(robot);
}

// ------------------------------------------------------------------------------ published numbers

typedef struct published {
    const char *name;
    bool        rotors, friction; // the reference has them
} published;

static void same_link(const published *arm, const json *want, const fa_link *link)
{
    double com[3], I[9], coulomb[2] = {0, 0};
    json_numbers(json_member(want, "com"), com, 3);
    json_numbers(json_member(want, "I"), I, 9);
    assert_true(link->mass == json_number(json_member(want, "m")));
    assert_memory_equal(&link->com, com, sizeof com);
    assert_true(link->inertia.xx == I[0] && link->inertia.yy == I[4] && link->inertia.zz == I[8]);
    assert_true(link->inertia.xy == I[1] && link->inertia.xz == I[2] && link->inertia.yz == I[5]);

    const fa_joint         *joint = &link->joint;
    const fa_friction_data *friction = &joint->friction;
    double                  viscous = 0, rotor = 0, gear = 1;
    if (arm->rotors) {
        rotor = json_number(json_member(want, "Jm"));
        gear = json_number(json_member(want, "G"));
    }
    if (arm->friction) {
        viscous = json_number(json_member(want, "viscous"));
        json_numbers(json_member(want, "coulomb"), coulomb, 2);
    }
    assert_true(joint->rotor.inertia == rotor && joint->rotor.gear == gear);
    assert_true(friction->viscous == viscous && friction->coulomb == coulomb[0]);
    assert_true(friction->coulomb_negative == coulomb[1]);
}

static void our_robots_have_the_reference_numbers_to_the_last_bit(void **state)
{
    (void)state;
    static const published arms[] = {{"puma560", true, true},
                                     {"puma560akb", true, false},
                                     {"cmu_dd_arm", false, false},
                                     {"grigorov5", false, false},
                                     {"ascher2", false, false}};
    json                  *reference = json_read("reference/arm_points.json");
    const json            *robots = json_member(reference, "robots");
    for (size_t k = 0; k < sizeof arms / sizeof *arms; k++) {
        const json *arm = NULL;
        for (int i = 0; i < json_count(robots); i++) {
            const json *candidate = json_member(json_element(robots, i), "arm");
            if (strcmp(json_string(json_member(candidate, "name")), arms[k].name) == 0)
                arm = candidate;
        }
        assert_non_null(arm);
        char path[200];
        snprintf(path, sizeof path, "../resources/robots/%s.xml", arms[k].name);
        fa_robot *robot;
        assert_int_equal(fa_import(path, NULL, NULL, &robot, NULL), FA_OK);
        const json *links = json_member(arm, "links");
        assert_int_equal(robot->n_links, 1 + json_count(links));
        for (int i = 0; i < json_count(links); i++)
            same_link(&arms[k], json_element(links, i), &robot->link[i + 1]);
        double tip[3], gravity[3];
        json_numbers(json_member(json_member(arm, "tip"), "r"), tip, 3);
        json_numbers(json_member(arm, "gravity"), gravity, 3);
        assert_memory_equal(&robot->tip.r, tip, sizeof tip);
        assert_memory_equal(&robot->gravity, gravity, sizeof gravity);
        free(robot);
    }
    json_free(reference);
}

static void the_schema_passes_urdf_and_refuses_unknown_words(void **state)
{
    (void)state;
    fa_error error = fa_no_error();
    assert_int_equal(fa_check_schema("../resources/robots/scara.xml", &error), FA_OK);
    assert_int_equal(fa_check_schema("urdf/ok.urdf", &error), FA_OK);
    assert_int_equal(fa_check_schema("bad/arm_attribute_unknown.xml", &error), FA_BAD_INPUT);
    assert_int_equal(error.place.line, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_and_link_frame_make_the_convention_s_product),
        cmocka_unit_test(degrees_are_the_same_arm_as_radians),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(what_is_said_arrives),
        cmocka_unit_test(our_robots_have_the_reference_numbers_to_the_last_bit),
        cmocka_unit_test(the_schema_passes_urdf_and_refuses_unknown_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
