// URDF beyond the standard: what Gazebo, Drake and others write, in the form.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "test.h"

static const fa_form_joint *joint_of(const fa_form *form, const char *name)
{
    const int index = fa_form_find_joint(form, name);
    assert_true(index != FA_FORM_NOBODY);
    return &form->joint[index];
}

static void springs_rotors_and_reductions_are_read(void **state)
{
    (void)state;
    const fa_import_options options = {.base = FA_BASE_UNSAID};
    fa_form                 form;
    fa_error                error = fa_no_error();
    if (fa_import_form("urdf/extensions.urdf", &options, &form, &error) != FA_OK)
        fail_msg("%s", error.message);
    const fa_form_joint *j = joint_of(&form, "j"), *k = joint_of(&form, "k");
    assert_true(j->spring.stiffness == 3 && j->spring.rest == 0.1 && j->friction.viscous == 1);
    assert_true(j->rotor.inertia == 0.02 && j->rotor.gear == 10 && j->reduction == 1);
    assert_true(k->spring.stiffness == 5 && k->spring.rest == 0.2);
    assert_true(k->rotor.inertia == 0 && k->rotor.gear == 1 && k->reduction == 50);
    assert_true(form.link[fa_form_find_link(&form, "a")].gravity == 0);
    assert_true(form.link[fa_form_find_link(&form, "closing_rod_1")].gravity == 0);
    assert_true(form.link[0].gravity == 1);
    assert_int_equal(j->spring.at.place.line, 7);
    assert_int_equal(k->spring.at.place.line, 10);
    assert_int_equal(form.n_shapes, 1); // where MuJoCo's <compiler> says that meshes are
    assert_non_null(form.shape[0].path);
    assert_non_null(strstr(form.shape[0].path, "urdf/shapes/wedge.obj"));
    fa_form_free(&form);
}

static void keep(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)file, (void)place;
    if (strstr(sentence, "taken as 0")) (void)snprintf(context, 200, "%s", sentence);
}

// Moments -0.1, 2 and 3 about axes that are none of the link's; then two below zero.
static void lenient_takes_moments_below_zero_as_zero(void **state)
{
    (void)state;
    static const char *const inertia[] = {
        "ixx='1.4666666666666663' ixy='-0.5333333333333332' ixz='-1.0333333333333334' "
        "iyy='1.4666666666666663' iyz='-1.0333333333333334' izz='1.9666666666666666'",
        "ixx='1' ixy='2' ixz='0' iyy='1' iyz='0' izz='-1'"};
    const fa_import_options strict = {.base = FA_BASE_UNSAID}, lenient = {.lenient = true};
    for (int k = 0; k < 2; k++) {
        char      text[600], said[200] = "";
        fa_log    log = {.warn = keep, .context = said};
        fa_robot *robot;
        fa_error  error = fa_no_error();
        const int size = snprintf(text, sizeof text,
                                  "<robot name='r'><link name='w'/><link name='a'><inertial><mass "
                                  "value='1'/><inertia %s/></inertial></link><joint name='j' "
                                  "type='continuous'><parent link='w'/><child link='a'/></joint>"
                                  "</robot>",
                                  inertia[k]);
        assert_int_equal(
            fa_import_text(text, (size_t)size, "r.urdf", &strict, NULL, &robot, &error),
            FA_BAD_INPUT);
        if (fa_import_text(text, (size_t)size, "r.urdf", &lenient, &log, &robot, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_non_null(strstr(said, "the inertia of link 'a' has a principal moment of -"));
        assert_non_null(strstr(said, "kg m^2, which is taken as 0"));
        const fa_vec3 moment = fa_sym3_eigenvalues(robot->link[1].inertia);
        // Rounding of moments of 3.
        assert_true(fabs(moment.x) < 1e-14 && fabs(moment.z - 3) < 1e-14);
        assert_true(fabs(moment.y - (k == 0 ? 2 : 0)) < 1e-14);
        free(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_rotors_and_reductions_are_read),
        cmocka_unit_test(lenient_takes_moments_below_zero_as_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
