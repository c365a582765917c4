// URDF beyond the standard: what Gazebo, Drake and others write, in the form.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_rotors_and_reductions_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
