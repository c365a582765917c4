// SDFormat as a form: poses, axes, masses and limits against libsdformat's (tests/sdf), and rules
// of the format that no other program shows, by closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "read_json.h"
#include "test.h"

static const char *cases = "sdf/semantics.json";

static const double PI = 3.14159265358979323846;

// The form of a text; NULL: it is refused, and the sentence is in `error`.
static fa_form *form_of(const char *text, const fa_import_options *options, fa_error *error)
{
    fa_xml  *xml;
    fa_form *form = malloc(sizeof *form);
    assert_non_null(form);
    fa_form_begin(form, "sdf/text.sdf");
    *error = fa_no_error();
    fa_status status = fa_xml_read(text, strlen(text), form->source, NULL, &xml, error);
    if (status == FA_OK) {
        status = fa_sdf_read(xml, options, NULL, form, error);
        fa_xml_free(xml);
    }
    if (status == FA_OK) return form;
    fa_form_free(form);
    free(form);
    return NULL;
}

static void release(fa_form *form)
{
    fa_form_free(form);
    free(form);
}

static fa_transform world_of(const fa_form *form, int link)
{
    const int holder = fa_form_holder(form, link);
    if (holder == FA_FORM_NOBODY) return form->link[link].pose;
    const fa_form_joint *joint = &form->joint[holder];
    return transform_compose(world_of(form, joint->parent),
                             transform_compose(joint->origin, joint->to_child));
}

// Goldens have twelve digits after the point.
#define CLOSE 1e-9

static void near(double got, double want, const char *title, const char *name, const char *what)
{
    if (!(fabs(got - want) <= CLOSE * fmax(1, fabs(want))))
        fail_msg("%s: %s of %s is %.12g, not %.12g", title, what, name, got, want);
}

// "m::a" is a of the robot m; what is nested keeps its models' names.
static const char *inner(const char *name)
{
    const char *colons = strstr(name, "::");
    return colons ? colons + 2 : name;
}

static void same_body(const fa_form *form, const json *want, const char *title)
{
    const char *name = inner(json_string(json_member(want, "name")));
    const int   index = fa_form_find_link(form, name);
    double      com[3], I[6], r[3], q[4];
    if (index == FA_FORM_NOBODY) fail_msg("%s: no link %s", title, name);
    const fa_form_link *link = &form->link[index];
    const fa_transform  X = world_of(form, index);
    const fa_quaternion p = fa_quaternion_of(X.E);
    json_numbers(json_member(want, "com"), com, 3);
    json_numbers(json_member(want, "inertia_about_com"), I, 6);
    json_numbers(json_member(want, "world_pos"), r, 3);
    json_numbers(json_member(want, "world_quat_wxyz"), q, 4);
    const double got[] = {link->mass,
                          link->com.x,
                          link->com.y,
                          link->com.z,
                          link->inertia.xx,
                          link->inertia.xy,
                          link->inertia.xz,
                          link->inertia.yy,
                          link->inertia.yz,
                          link->inertia.zz,
                          X.r.x,
                          X.r.y,
                          X.r.z};
    const double wanted[] = {json_number(json_member(want, "mass")),
                             com[0],
                             com[1],
                             com[2],
                             I[0],
                             I[1],
                             I[2],
                             I[3],
                             I[4],
                             I[5],
                             r[0],
                             r[1],
                             r[2]};
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        near(got[i], wanted[i], title, name,
             i < 1   ? "the mass"
             : i < 4 ? "the centre"
                     : "a number");
    const double along = p.w * q[0] + p.x * q[1] + p.y * q[2] + p.z * q[3];
    near(fabs(along), 1, title, name, "the orientation");
}

static void same_joint(const fa_form *form, const json *want, const char *title)
{
    const char *name = json_string(json_member(want, "name"));
    const int   index = fa_form_find_joint(form, name);
    double      r[3], axis[3], limit[2];
    if (strcmp(json_string(json_member(want, "type")), "weld") == 0) return; // poses say all
    if (index == FA_FORM_NOBODY) fail_msg("%s: no joint %s", title, name);
    const fa_form_joint *joint = &form->joint[index];
    const fa_transform   X = transform_compose(world_of(form, joint->parent), joint->origin);
    json_numbers(json_member(want, "world_pos"), r, 3);
    near(X.r.x, r[0], title, name, "x");
    near(X.r.y, r[1], title, name, "y");
    near(X.r.z, r[2], title, name, "z");
    if (json_has(want, "pitch_m_per_rev"))
        near(2 * PI * joint->pitch, json_number(json_member(want, "pitch_m_per_rev")), title, name,
             "the pitch");
    if (!json_has(want, "world_axis")) return;
    const fa_vec3 a = mat3_tmul(X.E, joint->axis);
    json_numbers(json_member(want, "world_axis"), axis, 3);
    near(a.x, axis[0], title, name, "the axis, x");
    near(a.y, axis[1], title, name, "the axis, y");
    near(a.z, axis[2], title, name, "the axis, z");
    const char *const bound[] = {"lower", "upper"};
    const double      got[] = {joint->limits.lower, joint->limits.upper};
    for (int k = 0; k < 2; k++) {
        const json *list = json_member(want, bound[k]);
        if (json_count(list) != 1) continue;
        if (json_is_null(json_element(list, 0))) {
            if (isfinite(got[k])) fail_msg("%s: %s has a limit", title, name);
            continue;
        }
        json_numbers(list, &limit[k], 1);
        near(got[k], limit[k], title, name, bound[k]);
    }
    if (json_has(want, "damping"))
        near(joint->friction.viscous, json_number(json_member(want, "damping")), title, name,
             "the damping");
}

// Loops, which the other program has not, are read here.
static void documents_are_as_libsdformat_has_them(void **state)
{
    (void)state;
    json       *file = json_read(cases);
    const json *list = json_member(file, "cases");
    for (int i = 0; i < json_count(list); i++) {
        const json             *c = json_element(list, i);
        const char             *title = json_string(json_member(c, "title"));
        const fa_import_options options = {
            .base = FA_BASE_FIXED,
            .lenient = true,
            .model = json_has(c, "model") ? json_string(json_member(c, "model")) : NULL};
        fa_error error;
        fa_form *form = form_of(json_string(json_member(c, "xml")), &options, &error);
        if (!json_has(c, "bodies")) {
            if (form && form->n_loops == 0) fail_msg("%s: taken", title);
            if (form) release(form);
            continue;
        }
        if (!form) fail_msg("%s: %s", title, error.message);
        const json *bodies = json_member(c, "bodies"), *joints = json_member(c, "joints");
        for (int k = 0; k < json_count(bodies); k++)
            same_body(form, json_element(bodies, k), title);
        for (int k = 0; k < json_count(joints); k++)
            same_joint(form, json_element(joints, k), title);
        release(form);
    }
    json_free(file);
}

int main(int n, char *word[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_as_libsdformat_has_them),
    };
    if (n > 1) cases = word[1]; // of files that are not ours to keep
    return cmocka_run_group_tests(tests, NULL, NULL);
}
