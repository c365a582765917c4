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
        near(joint->pitch, json_number(json_member(want, "pitch_m_per_rev")), title, name,
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
        fa_error error = fa_no_error();
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

// ----------------------------------------------------------------------------- rules of the format

#define BODY                                                                                       \
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
#define LINK(name, x) "<link name='" name "'><pose>" x " 0 0 0 0 0</pose>" BODY "</link>"
#define Z             "<axis><xyz>0 0 1</xyz></axis>"
#define JOINT(name, type, parent, child, rest)                                                     \
    "<joint name='" name "' type='" type "'><parent>" parent "</parent><child>" child              \
    "</child>" rest "</joint>"
#define MODEL(minor, inside) "<sdf version='1." minor "'><model name='m'>" inside "</model></sdf>"

static fa_form *read_text(const char *text)
{
    const fa_import_options options = {.base = FA_BASE_FIXED};
    fa_error                error = fa_no_error();
    fa_form                *form = form_of(text, &options, &error);
    if (!form) fail_msg("%s", error.message);
    return form;
}

static const fa_form_joint *joint_of(const fa_form *form, const char *name)
{
    const int index = fa_form_find_joint(form, name);
    if (index == FA_FORM_NOBODY) fail_msg("there is no joint %s", name);
    return &form->joint[index];
}

static const char *parent_of(const fa_form *form, const char *joint)
{
    return form->link[joint_of(form, joint)->parent].name;
}

static void refused(const char *text, const fa_import_options *options, const char *sentence)
{
    fa_error error = fa_no_error();
    fa_form *form = form_of(text, options, &error);
    assert_null(form);
    assert_string_equal(error.message, sentence);
}

static void a_world_with_nested_and_included_models_is_one_robot(void **state)
{
    (void)state;
    static const struct {
        const char *name, *parent;
    } joint[] = {{"bolts", "world"},
                 {"shoulder", "base"},
                 {"wrist", "left/upper::link"},
                 {"hand::slide", "hand::palm"},
                 {"glue", "hand::finger"}};
    static const struct {
        const char *name;
        double      mass, x, y, z;
    } link[] = {{"base", 10, 1, 2, 0.5},
                {"left/upper::link", 2, 1, 2, 0.8},
                {"hand::palm", 0.5, 1, 2.5, 0.8},      // its flange is 0.4 along the upper link
                {"hand::finger", 0.1, 0.95, 2.6, 0.8}, // which points along y of the world
                {"body", 1, 0.95, 2.7, 0.8}};
    const fa_import_options options = {.base = FA_BASE_UNSAID};
    fa_form                 form;
    fa_error                error = fa_no_error();
    if (fa_import_form("sdf/arm.sdf", &options, &form, &error) != FA_OK)
        fail_msg("%s", error.message);
    assert_string_equal(form.name, "arm");
    assert_int_equal(form.base, FA_FORM_BASE_FIXED);
    assert_true(form.gravity.z == -9.81);
    assert_int_equal(form.n_links, 6); // with the ground
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++)
        assert_string_equal(parent_of(&form, joint[i].name), joint[i].parent);
    for (size_t i = 0; i < sizeof link / sizeof *link; i++) {
        const int index = fa_form_find_link(&form, link[i].name);
        if (index == FA_FORM_NOBODY) fail_msg("there is no link %s", link[i].name);
        const fa_vec3 r = world_of(&form, index).r;
        near(form.link[index].mass, link[i].mass, "arm", link[i].name, "the mass");
        near(r.x, link[i].x, "arm", link[i].name, "x");
        near(r.y, link[i].y, "arm", link[i].name, "y");
        near(r.z, link[i].z, "arm", link[i].name, "z");
    }
    const fa_form_link *upper = &form.link[fa_form_find_link(&form, "left/upper::link")];
    near(upper->inertia.xx, 0.02, "arm", "upper", "a tensor that is turned with its pose");
    const fa_form_joint *slide = joint_of(&form, "hand::slide");
    assert_true(slide->limits.upper == 0.04 && isinf(slide->limits.effort));
    assert_true(slide->limits.velocity == 0.5 && slide->friction.viscous == 2);
    assert_true(slide->friction.coulomb == 0.3 && slide->spring.stiffness == 40);
    assert_true(slide->spring.rest == 0.01);
    const fa_form_joint *wrist = joint_of(&form, "wrist"); // limits of a continuous one are none
    assert_true(isinf(wrist->limits.lower) && isinf(wrist->limits.upper));
    // A box of 1 kg, weighed by its corners, whose middle is 0.1 along x and along z.
    const fa_form_link *body = &form.link[fa_form_find_link(&form, "body")];
    near(body->com.x, 0.1, "arm", "body", "its middle, x");
    near(body->com.z, 0.1, "arm", "body", "its middle, z");
    near(body->inertia.xx, (0.01 + 0.01) / 12, "arm", "body", "inertia about x");
    near(body->inertia.yy, (0.04 + 0.01) / 12, "arm", "body", "inertia about y");
    int drawn = 0;
    for (int i = 0; i < form.n_shapes; i++)
        drawn += form.shape[i].visual && !form.shape[i].unreadable;
    assert_int_equal(drawn, 2);
    fa_form_free(&form);
}

static void one_of_several_models_is_chosen(void **state)
{
    (void)state;
    static const char text[] =
        "<sdf version='1.8'><model name='a'>" LINK("x", "1") "</model><model name='b'>" LINK(
            "y", "2") "</model><model name='c'><static>true"
                      "</static>" LINK("z", "2") "</model></sdf>";
    fa_import_options options = {.base = FA_BASE_FIXED, .model = "b"};
    fa_error          error = fa_no_error();
    fa_form          *form = form_of(text, &options, &error);
    assert_non_null(form);
    assert_string_equal(form->name, "b");
    assert_string_equal(form->link[0].name, "y");
    release(form);
    options.model = "d";
    refused(text, &options, "there is no model 'd' in the file; its models are 'a', 'b'");
    options.model = "c";
    refused(text, &options,
            "model 'c' is static: it stands still and is no robot; remove <static>, or choose "
            "another model");
}

// A gearbox's angles are against the reference body, whichever way its joints point.
static void gearboxes_and_mimics_are_couplings(void **state)
{
    (void)state;
    fa_form *form = read_text(MODEL(
        "11", LINK("frame", "0") LINK("a", "1") LINK("b", "2") LINK("c", "3")
                  JOINT("w", "fixed", "world", "frame", "") JOINT("ja", "revolute", "frame", "a", Z)
                      JOINT("jb", "revolute", "frame", "b", "<axis><xyz>0 0 -1</xyz></axis>") JOINT(
                          "g", "gearbox", "a", "b",
                          Z "<axis2><xyz>0 0 1</xyz></axis2><gearbox_ratio>3</gearbox_ratio>"
                            "<gearbox_reference_body>frame</gearbox_reference_body>")
                          JOINT("jc", "prismatic", "frame", "c",
                                "<axis><xyz>0 0 1</xyz><mimic joint='ja'><multiplier>2</multiplier>"
                                "<offset>0.1</offset><reference>0.2</reference></mimic></axis>")));
    assert_int_equal(form->n_couplings, 2);
    for (int i = 0; i < 2; i++) {
        const fa_form_coupling *c = &form->coupling[i];
        const bool              gear = strcmp(form->joint[c->follower].name, "jb") == 0;
        assert_string_equal(form->joint[c->leader].name, "ja");
        near(c->coefficient[0], gear ? 0 : 0.1 - 2 * 0.2, "couplings", "one", "the constant");
        near(c->coefficient[1], gear ? 3 : 2, "couplings", "one", "the factor"); // jb looks down
    }
    release(form);
}

static void a_universal_joint_is_two_revolute_ones(void **state)
{
    (void)state;
    fa_form             *form = read_text(MODEL(
                    "7", LINK("a", "0") LINK("b", "1")
                             JOINT("u", "universal", "a", "b",
                                   "<axis><xyz>1 0 0</xyz><dynamics><damping>1</damping></dynamics></axis>"
                                               "<axis2><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit>"
                                               "</axis2>")));
    const fa_form_joint *first = joint_of(form, "u"), *second = joint_of(form, "u_2");
    assert_string_equal(form->link[first->child].name, "u_cross");
    assert_true(form->link[first->child].mass == 0);
    assert_int_equal(second->parent, first->child);
    assert_string_equal(form->link[second->child].name, "b");
    assert_true(first->axis.x == 1 && second->axis.y == 1);
    assert_true(first->friction.viscous == 1 && second->limits.upper == 2);
    assert_true(world_of(form, second->child).r.x == 1);
    release(form);
}

// A four-bar whose last link is a child twice: the second joint closes the loop where the file puts
// it.
static void a_child_of_two_joints_closes_a_loop(void **state)
{
    (void)state;
    fa_form *form = read_text(MODEL(
        "7", LINK("g", "0") LINK("a", "1") LINK("b", "2") LINK("c", "3")
                 JOINT("w", "fixed", "world", "g", "") JOINT("ja", "revolute", "g", "a", Z)
                     JOINT("jb", "revolute", "a", "b", Z) JOINT("close", "revolute", "c", "b", Z)
                         JOINT("jc", "revolute", "g", "c", Z)));
    assert_int_equal(form->n_loops, 1);
    const fa_form_loop *loop = &form->loop[0];
    assert_string_equal(loop->name, "close");
    assert_int_equal(loop->type, FA_FORM_LOOP_REVOLUTE);
    assert_string_equal(form->link[loop->link[0]].name, "c");
    assert_string_equal(form->link[loop->link[1]].name, "b");
    for (int k = 0; k < 2; k++) { // both frames are at the joint, which is at b
        const fa_transform X = transform_compose(world_of(form, loop->link[k]), loop->frame[k]);
        near(X.r.x, 2, "loop", "close", "x");
    }
    assert_string_equal(parent_of(form, "jc"), "g");
    release(form);
}

// A joint that is all that holds its parent carries it, the other way round: at the same
// coordinate both links lie as before.
static void a_joint_may_carry_its_parent(void **state)
{
    (void)state;
    fa_form *form = read_text(
        MODEL("7", LINK("g", "0") LINK("b", "1") LINK("c", "2")
                       JOINT("w", "fixed", "world", "g", "") JOINT("jb", "revolute", "g", "b", Z)
                           JOINT("jc", "revolute", "c", "b",
                                 "<pose>0.5 0 0 0.3 0 0</pose><axis><xyz>0 0 1</xyz></axis>")));
    const fa_form_joint *jc = joint_of(form, "jc");
    assert_int_equal(form->n_loops, 0);
    assert_string_equal(form->link[jc->parent].name, "b");
    assert_string_equal(form->link[jc->child].name, "c");
    assert_true(jc->axis.z == -1);
    near(world_of(form, jc->child).r.x, 2, "reversed", "c", "x");
    release(form);
    // Screws carry rather than close loops; of three around, one would have to.
    form = read_text(MODEL("7", LINK("a", "0") LINK("b", "1") JOINT("r", "revolute", "a", "b", Z)
                                    JOINT("s", "screw", "a", "b",
                                          Z "<thread_pitch>-6.283185307179586</thread_pitch>")));
    assert_int_equal(form->n_loops, 1);
    assert_string_equal(form->loop[0].name, "r");
    near(joint_of(form, "s")->pitch, 1, "screws", "s", "the pitch");
    release(form);
    refused(MODEL("7", LINK("a", "0") LINK("b", "1") JOINT("r", "screw", "a", "b", Z)
                           JOINT("s", "screw", "a", "b", Z)),
            &(fa_import_options){.base = FA_BASE_FIXED},
            "joint 's' closes a loop, and a screw cannot; let another joint of the loop close it, "
            "by standing last in the file");
}

static void what_nothing_holds_is_free_or_bolted(void **state)
{
    (void)state;
    static const char one[] = MODEL("7", "<pose>0 0 3 0 0 0</pose>" LINK("a", "1"));
    static const char held[] =
        MODEL("7", LINK("a", "1") JOINT("w", "fixed", "world", "a", "") LINK("b", "2"));
    fa_import_options options = {.base = FA_BASE_FREE};
    fa_error          error = fa_no_error();
    fa_form          *form = form_of(one, &options, &error);
    assert_non_null(form);
    assert_int_equal(form->base, FA_FORM_BASE_FREE);
    assert_true(form->link[0].pose.r.x == 1 && form->link[0].pose.r.z == 3);
    release(form);
    form = form_of(held, &options, &error);
    assert_non_null(form);
    const fa_form_joint *joint = joint_of(form, "b_root_joint");
    assert_int_equal(joint->type, FA_FORM_FLOATING);
    assert_true(joint->start[0] == 2 && joint->start[3] == 1);
    release(form);
    options.base = FA_BASE_FIXED;
    form = form_of(held, &options, &error);
    assert_non_null(form);
    assert_int_equal(joint_of(form, "b_to_world")->type, FA_FORM_FIXED);
    assert_true(world_of(form, fa_form_find_link(form, "b")).r.x == 2);
    release(form);
    options.base = FA_BASE_FREE;
    refused(MODEL("7", LINK("a", "1") JOINT("w", "fixed", "world", "a", "")), &options,
            "--base free is asked for, and joints hold the robot to the world; remove these, or "
            "leave --base out");
    // Where the robot's model begins, and not the file.
    assert_null(form_of("<sdf version=\"1.7\">\n\n<model name=\"m\">" LINK("a", "1")
                            JOINT("w", "fixed", "world", "a", "") "</model></sdf>",
                        &options, &error));
    assert_int_equal(error.place.line, 3);
}

// A capsule, an ellipsoid and a cylinder that overlap each add their mass; a mass that is given
// rescales.
static void inertia_comes_from_collisions(void **state)
{
    (void)state;
    fa_form *form = read_text(
        "<sdf version='1.11'><model name='m'>"
        "<link name='a'><inertial auto='true'><density>2</density></inertial>"
        "<collision name='1'><geometry><capsule><radius>1</radius><length>2</length></capsule>"
        "</geometry></collision></link>"
        "<link name='b'><inertial auto='true'><mass>5</mass></inertial>"
        "<collision name='1'><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry>"
        "</collision></link>"
        "<link name='c'><inertial auto='true'/>"
        "<collision name='1'><geometry><sphere><radius>1</radius></sphere></geometry></collision>"
        "<collision name='2'><geometry><cylinder><radius>1</radius><length>3</length></cylinder>"
        "</geometry></collision>"
        "<collision name='3'><geometry><box><size>1 2 3</size></box></geometry></collision>"
        "</link></model></sdf>");
    const double        ball = 4 * PI / 3, rod = 2 * PI; // volumes of the capsule's parts
    const fa_form_link *a = &form->link[0], *b = &form->link[1], *c = &form->link[2];
    near(a->mass, 2 * (ball + rod), "auto", "a", "the mass");
    near(a->inertia.zz, 2 * (ball * 2 / 5 + rod / 2), "auto", "a", "along");
    // The half balls' centres of mass are 1 + 3/8 from the middle, 83/320 m r^2 about them.
    near(a->inertia.xx,
         2 * (rod * (3 + 4) / 12 + ball * (83.0 / 320 + (1 + 3.0 / 8) * (1 + 3.0 / 8))), "auto",
         "a", "across");
    near(b->mass, 5, "auto", "b", "the mass");
    near(b->inertia.xx, 5 * (4 + 9) / 5.0, "auto", "b", "about x");
    near(b->inertia.zz, 5 * (1 + 4) / 5.0, "auto", "b", "about z");
    near(c->mass, 1000 * (ball + 3 * PI + 6), "auto", "c", "the mass");
    near(c->inertia.zz, 1000 * (ball * 2 / 5 + 3 * PI / 2 + 6 * (1 + 4) / 12.0), "auto", "c", "zz");
    release(form);
}

static void gravity_and_kinematic_are_read(void **state)
{
    (void)state;
    static const char       text[] = MODEL("5", "<link name='a'>" BODY "<gravity>0</gravity>"
                                                      "<kinematic>1</kinematic></link>");
    const fa_import_options lenient = {.base = FA_BASE_FIXED, .lenient = true};
    fa_error                error = fa_no_error();
    fa_form                *form = form_of(text, &lenient, &error);
    assert_non_null(form);
    assert_true(form->link[0].gravity == 0);
    release(form);
}

// Frames that refer to each other one after the other end in a sentence, not in a crash.
static void endless_chains_end(void **state)
{
    (void)state;
    enum { N = 3000 };
    char  *text = malloc(N * 80 + 200);
    size_t used = 0;
    assert_non_null(text);
    used += (size_t)sprintf(text, "<sdf version='1.8'><model name='m'>%s", LINK("a", "0"));
    for (int i = 0; i < N; i++)
        used += (size_t)sprintf(text + used, "<frame name='f%d'><pose relative_to='f%d'/></frame>",
                                i, i + 1);
    (void)sprintf(text + used, "<frame name='f%d'/></model></sdf>", N);
    refused(text, &(fa_import_options){.base = FA_BASE_FIXED},
            "frames refer to each other over more than 1000 others here; no robot needs that");
    free(text);
}

static void models_without_end_end(void **state)
{
    (void)state;
    enum { N = 10001 };
    char  *text = malloc(N * 40 + 200);
    size_t used = 0;
    assert_non_null(text);
    used += (size_t)sprintf(text, "<sdf version='1.8'><model name='m'>");
    for (int i = 0; i < N; i++) used += (size_t)sprintf(text + used, "<model name='f%d'/>", i);
    (void)sprintf(text + used, "</model></sdf>");
    refused(text, &(fa_import_options){.base = FA_BASE_FIXED},
            "there are more than 10000 models within each other; no robot needs that");
    free(text);
}

// Comments and references to characters part a text, which is one all the same.
static void a_text_in_pieces_is_one(void **state)
{
    (void)state;
    fa_form *form = read_text(
        "<sdf version='1.8'><model name='m'><link name='l'><inertial><mass>\n 1<!-- kg -->5&#46;2"
        "<!-- -->5<!----> </mass></inertial></link></model></sdf>");
    assert_int_equal(form->n_links, 1);
    assert_true(form->link[0].mass == 15.25);
    release(form);
}

int main(int n, char *word[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_as_libsdformat_has_them),
        cmocka_unit_test(a_world_with_nested_and_included_models_is_one_robot),
        cmocka_unit_test(one_of_several_models_is_chosen),
        cmocka_unit_test(gearboxes_and_mimics_are_couplings),
        cmocka_unit_test(a_universal_joint_is_two_revolute_ones),
        cmocka_unit_test(a_child_of_two_joints_closes_a_loop),
        cmocka_unit_test(a_joint_may_carry_its_parent),
        cmocka_unit_test(what_nothing_holds_is_free_or_bolted),
        cmocka_unit_test(inertia_comes_from_collisions),
        cmocka_unit_test(gravity_and_kinematic_are_read),
        cmocka_unit_test(endless_chains_end),
        cmocka_unit_test(models_without_end_end),
        cmocka_unit_test(a_text_in_pieces_is_one),
    };
    if (n > 1) cases = word[1]; // of files that are not ours to keep
    return cmocka_run_group_tests(tests, NULL, NULL);
}
