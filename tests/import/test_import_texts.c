// How a robot file may be written down: encodings by any spelling of their names, and numbers that
// are none, each with what to write instead.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import.h"
#include "robot_file.h"
#include "test.h"

static fa_status read_urdf(const char *encoding, const char *mass, const char *name,
                           fa_robot **robot, fa_error *error)
{
    char      text[1024];
    const int n = snprintf(
        text, sizeof text,
        "<?xml version=\"1.0\" encoding=\"%s\"?>\n<robot name=\"%s\"><link name=\"a\"/>"
        "<link name=\"b\"><inertial><mass value=\"%s\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
        "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"j\" type=\"continuous\">"
        "<parent link=\"a\"/><child link=\"b\"/></joint></robot>\n",
        encoding, name, mass);
    assert_true(n < (int)sizeof text);
    *error = fa_no_error();
    return fa_import_text(text, (size_t)n, "a.urdf", NULL, NULL, robot, error);
}

static void encodings_have_names_of_any_case(void **state)
{
    (void)state;
    static const char *const names[] = {"UTF-8",    "utf-8",      "Utf-8",      "utf8",
                                        "UTF8",     "ISO-8859-1", "iso-8859-1", "Iso-8859-1",
                                        "us-ascii", "US-ASCII"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fa_robot *robot;
        fa_error  error = fa_no_error();
        if (read_urdf(names[i], "2.5", "plain", &robot, &error) != FA_OK)
            fail_msg("%s: %s", names[i], error.message);
        assert_string_equal(robot->name, "plain");
        assert_true(robot->link[1].mass == 2.5);
        free(robot);
    }
    // What the encoding says counts.
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(read_urdf("iso-8859-1", "1", "\xE9tau", &robot, &error), FA_OK);
    assert_string_equal(robot->name, "\xC3\xA9tau");
    free(robot);
    assert_int_equal(read_urdf("utf-8", "1", "\xC3\xA9tau", &robot, &error), FA_OK);
    assert_string_equal(robot->name, "\xC3\xA9tau");
    free(robot);
    // What is no UTF-8 is refused at its place, however the encoding is spelt.
    fa_error first = fa_no_error();
    assert_int_equal(read_urdf("UTF-8", "1", "a\xFFtau", &robot, &first), FA_BAD_INPUT);
    for (size_t i = 1; i < 5; i++) {
        assert_int_equal(read_urdf(names[i], "1", "a\xFFtau", &robot, &error), FA_BAD_INPUT);
        assert_string_equal(error.message, first.message);
        assert_int_equal(error.place.line, first.place.line);
    }
    assert_int_equal(read_urdf("utf-9", "1", "x", &robot, &error), FA_BAD_INPUT);
    assert_int_equal(read_urdf("utf-", "1", "x", &robot, &error), FA_BAD_INPUT);
}

static void what_is_no_number_is_told_with_what_to_write(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"1,5", "'1,5' has a decimal comma"},
        {"1,x", "'1,x' ends in a comma"},
        {"1,/", "'1,/' ends in a comma"},
        {"1,:", "'1,:' ends in a comma"},
        {"1,0", "'1,0' has a decimal comma"},
        {"1,9", "'1,9' has a decimal comma"},
        {"1,", "'1,' ends in a comma"},
        {"2.5d3", "write 2.5e3"},
        {"2.5D-3", "write 2.5e-3"},
        {"2.5D+03", "write 2.5e+03"},
        {"2.5d", "'2.5d' is more than a number; write 2.5 alone"},
        {"2.5deg", "'2.5deg' is more than a number; write 2.5 alone"},
        {"-nan", "write a finite number"},
        {"+Infinity", "write a finite number"},
        {"NaN", "write a finite number"},
        {"0x1F", "hexadecimal"},
        {"-0X1F", "hexadecimal"},
        {"na", "'na' is not a number"},
        {"-", "'-' is not a number"},
        {"1e999", "larger than any number"},
        {"$(mass)", "an expression that is not expanded"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fa_robot *robot;
        fa_error  error = fa_no_error();
        assert_int_equal(read_urdf("UTF-8", cases[i].text, "a", &robot, &error), FA_BAD_INPUT);
        if (!strstr(error.message, cases[i].said))
            fail_msg("'%s' is not in: %s", cases[i].said, error.message);
    }
}

static fa_error refused(const char *text)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_import_text(text, strlen(text), "a.urdf", NULL, NULL, &robot, &error),
                     FA_BAD_INPUT);
    return error;
}

// A message on a list of numbers names the one that is invalid, and what to write in its place.
static void a_number_among_others_is_told_alone(void **state)
{
    (void)state;
    const fa_error error = refused(
        "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"fixed\">"
        "<origin xyz=\"4 1d5 2\"/><parent link=\"a\"/><child link=\"b\"/></joint></robot>");
    if (!strstr(error.message, "'1d5' has Fortran's exponent; write 1e5"))
        fail_msg("%s", error.message);
    assert_null(strstr(error.message, "1e5 2"));
}

// Declarations of namespaces are no attributes: a fault is told at the attribute that has it.
static void a_fault_stands_at_its_attribute_behind_namespaces(void **state)
{
    (void)state;
    static const char *const declared[] = {"", "xmlns=\"u\" ", "xmlns:v=\"u\" ", "xmlns = \"u\" ",
                                           "xmlns=\"u\" xmlns:w=\"v\" "};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        for (int before = 0; before < 2; before++) {
            char text[600];
            (void)snprintf(text, sizeof text,
                           "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n"
                           "<joint %sname=\"j\" %stype=\"nope\"><parent link=\"a\"/>"
                           "<child link=\"b\"/></joint></robot>",
                           before ? declared[i] : "", before ? "" : declared[i]);
            const fa_error error = refused(text);
            const char    *line = strchr(text, '\n') + 1, *at = strstr(line, "type=");
            assert_int_equal(error.place.line, 2);
            // At the attribute or at its value, as without any namespace.
            const int  off = error.place.column - (int)(at - line) - 1;
            static int usual;
            if (i == 0 && before == 0) usual = off;
            assert_true(usual >= 0 && usual <= 6);
            if (off != usual) fail_msg("%s: %d columns off", text, off - usual);
        }
}

// A sentence with a list names those for which it has room, and counts the others.
static void a_list_names_some_and_counts_the_rest(void **state)
{
    (void)state;
    enum { JOINTS = 90 };
    static char text[40000];
    char       *at = text + sprintf(text, "<robot name=\"r\"><link name=\"l0\"/>");
    for (int i = 1; i <= JOINTS; i++)
        at += sprintf(
            at,
            "<link name=\"l%d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
            "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
            "<joint name=\"joint_with_a_long_name_%03d\" type=\"continuous\"><parent "
            "link=\"l%d\"/><child link=\"l%d\"/><mimic joint=\"joint_with_a_long_name_%03d\"/>"
            "</joint>",
            i, i, i - 1, i, i % JOINTS + 1);
    sprintf(at, "</robot>");
    const fa_error error = refused(text);
    const char    *list = strstr(error.message, "the joints '"),
               *more = strstr(error.message, " and ");
    assert_true(list && more && list < more);
    int named = 0, left;
    for (const char *p = list; (p = strstr(p, "'joint_with")) != NULL; p++) named++;
    assert_int_equal(sscanf(more, " and %d more mimic each other in a circle", &left), 1);
    assert_true(named > 2 && named + left == JOINTS);
}

static void write_text(const char *path, const char *text, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static char *robot_text(const char *path, const char *actuators, size_t *size)
{
    const fa_import_options options = {.actuators = actuators};
    const fa_options        written = {.fmi = 3, .identifier = "robot"};
    fa_robot               *robot;
    char                   *text;
    fa_error                error = fa_no_error();
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_robot_file_write(robot, &written, &text, size, &error), FA_OK);
    free(robot);
    return text;
}

// The last cylinder of a robot may stand in its side file: the robot is the same.
static void cylinders_of_a_side_file_come_behind_those_of_the_robot(void **state)
{
    (void)state;
    static char text[1 << 16], rest[1 << 16], side[1 << 16];
    char        folder[] = "/tmp/forearm-side-XXXXXX", robot[64], actuators[64];
    FILE       *file = fopen("../resources/robots/excavator.xml", "rb");
    assert_true(file && mkdtemp(folder));
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    const char *begin = strstr(text, "<cylinder name=\"bucket\""),
               *end = strstr(begin, "</cylinder>") + strlen("</cylinder>");
    const int n = sprintf(rest, "%.*s%s", (int)(begin - text), text, end);
    const int m =
        sprintf(side, "<actuators for=\"excavator\">%.*s</actuators>", (int)(end - begin), begin);
    (void)snprintf(robot, sizeof robot, "%s/robot.xml", folder);
    (void)snprintf(actuators, sizeof actuators, "%s/side.xml", folder);
    write_text(robot, rest, (size_t)n);
    write_text(actuators, side, (size_t)m);
    size_t together, apart;
    char  *one = robot_text("../resources/robots/excavator.xml", NULL, &together);
    char  *two = robot_text(robot, actuators, &apart);
    assert_int_equal(together, apart);
    assert_memory_equal(one, two, together);
    free(one);
    free(two);
    assert_true(unlink(robot) == 0 && unlink(actuators) == 0 && rmdir(folder) == 0);
}

// What a side file says of joints is of those that it names, in whatever order; a name that is none
// is told with the one that comes nearest.
static void a_side_file_speaks_of_the_joints_that_it_names(void **state)
{
    (void)state;
    static const char robot_file[] = "../resources/robots/scara.xml";
    fa_robot         *plain, *robot;
    fa_error          error = fa_no_error();
    char              folder[] = "/tmp/forearm-side-XXXXXX", path[64], text[2000];
    assert_int_equal(fa_import(robot_file, NULL, NULL, &plain, &error), FA_OK);
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/side.xml", folder);
    const fa_import_options options = {.actuators = path};
    int                     n = sprintf(text, "<actuators for=\"%s\">", plain->name), moving = 0;
    for (int i = plain->n_links - 1; i > 0; i--)
        if (plain->link[i].joint.type != FA_FIXED)
            n += sprintf(text + n, "<joint name=\"%s\"><friction viscous=\"%d.5\"/></joint>",
                         plain->link[i].joint.name, i);
    n += sprintf(text + n, "</actuators>");
    write_text(path, text, (size_t)n);
    if (fa_import(robot_file, &options, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    for (int i = 1; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED) continue;
        assert_true(robot->link[i].joint.friction.viscous == i + 0.5);
        moving++;
    }
    free(robot);
    assert_true(moving > 2);
    for (int i = 1; i < plain->n_links; i++) {
        const char *name = plain->link[i].joint.name;
        char        nearest[FA_NAME_SIZE + 40];
        if (plain->link[i].joint.type == FA_FIXED) continue;
        n = sprintf(text, "<actuators for=\"%s\"><joint name=\"%sx\"/></actuators>", plain->name,
                    name);
        write_text(path, text, (size_t)n);
        assert_int_equal(fa_import(robot_file, &options, NULL, &robot, &error), FA_BAD_INPUT);
        (void)snprintf(nearest, sizeof nearest, "the nearest name is '%s'", name);
        if (!strstr(error.message, nearest)) fail_msg("%s", error.message);
    }
    free(plain);
    assert_true(unlink(path) == 0 && rmdir(folder) == 0);
}

// One cylinder by its name, or all; a name as long as another's is not that one.
static void a_cut_is_of_the_cylinder_that_it_names(void **state)
{
    (void)state;
    static const char path[] = "../resources/robots/excavator.xml";
    fa_robot         *usual;
    fa_error          error = fa_no_error();
    assert_int_equal(fa_import(path, NULL, NULL, &usual, &error), FA_OK);
    assert_true(usual->n_cylinders > 1);
    for (int c = -1; c < usual->n_cylinders; c++) {
        char text[2 * FA_NAME_SIZE];
        (void)snprintf(text, sizeof text, "%s%schamber",
                       c < 0 ? "" : fa_robot_cylinders(usual)[c].name, c < 0 ? "" : "=");
        const char             *cut = text;
        const fa_import_options options = {.cut = &cut, .n_cuts = 1};
        fa_robot               *robot;
        if (fa_import(path, &options, NULL, &robot, &error) != FA_OK)
            fail_msg("%s: %s", text, error.message);
        for (int k = 0; k < robot->n_cylinders; k++) {
            const fa_cut was = fa_robot_cylinders(usual)[k].cut;
            assert_int_equal(fa_robot_cylinders(robot)[k].cut,
                             c < 0 || c == k ? FA_CUT_CHAMBER : was);
        }
        free(robot);
        if (c < 0) continue;
        text[0] ^= 1; // a name as long, and one that begins likewise
        assert_int_equal(fa_import(path, &options, NULL, &robot, &error), FA_BAD_INPUT);
        assert_non_null(strstr(error.message, "there is no cylinder '"));
        (void)snprintf(text, sizeof text, "%sx=chamber", fa_robot_cylinders(usual)[c].name);
        assert_int_equal(fa_import(path, &options, NULL, &robot, &error), FA_BAD_INPUT);
    }
    free(usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings_have_names_of_any_case),
        cmocka_unit_test(what_is_no_number_is_told_with_what_to_write),
        cmocka_unit_test(a_number_among_others_is_told_alone),
        cmocka_unit_test(a_fault_stands_at_its_attribute_behind_namespaces),
        cmocka_unit_test(a_list_names_some_and_counts_the_rest),
        cmocka_unit_test(cylinders_of_a_side_file_come_behind_those_of_the_robot),
        cmocka_unit_test(a_side_file_speaks_of_the_joints_that_it_names),
        cmocka_unit_test(a_cut_is_of_the_cylinder_that_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
