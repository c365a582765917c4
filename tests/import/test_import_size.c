// Large and malicious files: linear time, no recursion, limits that say so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "import.h"
#include "source.h"

#define LINK_BYTES 600 // room that one link and one joint take in the text

static const char *const INERTIAL = "<inertial><origin xyz='0 0 0.1'/><mass value='1'/><inertia "
                                    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

typedef int parent_of(int link);

static int chain(int link)
{
    return link - 1;
}

static int star(int link)
{
    (void)link;
    return 0;
}

// A spine with a rib on every vertebra.
static int comb(int link)
{
    return link % 2 ? link - 1 : link < 2 ? 0 : link - 2;
}

static char *robot_text(int n, parent_of *parent, const char *between)
{
    char *text = malloc((size_t)n * LINK_BYTES + 100), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='long'><link name='l0'/>");
    for (int i = 1; i < n; i++)
        end += sprintf(end,
                       "<link name='l%d'>%s</link>%s<joint name='j%d' type='continuous'><parent "
                       "link='l%d'/><child link='l%d'/><origin xyz='0 0.1 0'/></joint>%s",
                       i, INERTIAL, between, i, parent(i), i, between);
    sprintf(end, "</robot>");
    return text;
}

// Processor time for one robot [s], the best of three: what else runs can only add to it.
static double seconds(int n, parent_of *parent, const char *between)
{
    char  *text = robot_text(n, parent, between);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        fa_robot *robot;
        fa_error  error = {.message = ""};
        clock_t   start = clock();
        if (fa_import_text(text, strlen(text), "long.urdf", NULL, NULL, &robot, &error) != FA_OK)
            fail_msg("%s", error.message);
        double used = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (used < best) best = used;
        assert_int_equal(robot->n_links, n);
        free(robot);
    }
    free(text);
    return best;
}

static void twenty_thousand_links_take_linear_time(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        parent_of  *parent;
        const char *between;
    } shapes[] = {{"chain", chain, "\n"},
                  {"chain on one line", chain, ""},
                  {"star", star, "\n"},
                  {"comb", comb, "\n"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double few = seconds(5000, shapes[i].parent, shapes[i].between);
        double many = seconds(20000, shapes[i].parent, shapes[i].between);
        printf("%s: 5000 links %.3f s, 20000 links %.3f s\n", shapes[i].name, few, many);
        // Four times the links: 4 when linear, 16 when quadratic. Caches cost a little.
        assert_true(many < 8 * few);
    }
}

static fa_error refused(const char *text, size_t size)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(fa_import_text(text, size, "large.urdf", NULL, NULL, &robot, &error),
                     FA_BAD_INPUT);
    assert_null(robot);
    return error;
}

static void a_hundred_thousand_nested_elements_are_refused(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(7 * N + 100), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'>");
    for (int i = 0; i < N; i++) end += sprintf(end, "<a>");
    for (int i = 0; i < N; i++) end += sprintf(end, "</a>");
    end += sprintf(end, "</robot>");
    assert_non_null(strstr(refused(text, (size_t)(end - text)).message, "nested"));
    free(text);
}

// XML demands that the attributes of a tag differ, and libxml2 compares each with each.
static void a_million_attributes_are_refused_at_once(void **state)
{
    (void)state;
    enum { N = 1000000 };
    char *text = malloc(14 * N + 100), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'");
    for (int i = 0; i < N; i++) end += sprintf(end, " a%d='>'", i);
    end += sprintf(end, "/>");
    clock_t start = clock();
    assert_non_null(strstr(refused(text, (size_t)(end - text)).message, "attributes"));
    // Reading the bytes takes a tenth of a second; libxml2 takes 2.6 s for a tenth of them.
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
    free(text);
}

// In comments and the like, and between tags, quotes are nothing special; nor is more than the
// limit all together.
static void only_the_attributes_of_one_tag_are_counted(void **state)
{
    (void)state;
    enum { N = 2000 };
    char *text = malloc(100 * N + 100), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'><link name='base'/>");
    for (int i = 0; i < N; i++)
        end += sprintf(end,
                       "<!-- '' <a b='' --><?p '' ?>'\"<![CDATA['' <b c='']]><extra a='' b='>'/>");
    sprintf(end, "</robot>");
    fa_robot *robot;
    fa_error  error = {.message = ""};
    if (fa_import_text(text, strlen(text), "large.urdf", NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    free(robot);
    free(text);
}

static void more_links_than_the_limit_are_refused(void **state)
{
    (void)state;
    char *text = malloc((size_t)FA_LINK_MAX * 24 + 200), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'>");
    for (int i = 0; i <= FA_LINK_MAX; i++) end += sprintf(end, "<link name='%d'/>", i);
    end += sprintf(end, "</robot>");
    assert_non_null(strstr(refused(text, (size_t)(end - text)).message, "100000"));
    free(text);
}

static void more_joints_of_an_arm_than_the_limit_are_refused(void **state)
{
    (void)state;
    char *text = malloc((size_t)FA_LINK_MAX * 64 + 200), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<arm name='a' convention='standard'>");
    for (int i = 0; i < FA_LINK_MAX; i++)
        end += sprintf(end, "<joint name='%d' type='fixed'><link name='%d'/></joint>", i, i);
    end += sprintf(end, "</arm>");
    assert_non_null(strstr(refused(text, (size_t)(end - text)).message, "99999"));
    free(text);
}

// The size alone decides, before a byte is looked at.
static void a_file_beyond_the_limit_is_refused(void **state)
{
    (void)state;
    assert_non_null(strstr(refused("<", FA_SOURCE_MAX + 1).message, "256 MiB"));
}

static void a_circle_of_twenty_thousand_links_is_found(void **state)
{
    (void)state;
    enum { N = 20000 };
    char *text = malloc((size_t)N * 200 + 200), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'><link name='base'/>");
    for (int i = 0; i < N; i++)
        end += sprintf(end,
                       "<link name='l%d'/><joint name='j%d' type='fixed'><parent link='l%d'/>"
                       "<child link='l%d'/></joint>",
                       i, i, (i + 1) % N, i);
    end += sprintf(end, "</robot>");
    assert_non_null(strstr(refused(text, (size_t)(end - text)).message, "circle"));
    free(text);
}

// Each joint follows the one before.
static char *followers_in_a_line(int n)
{
    char *text = malloc((size_t)n * LINK_BYTES + 300), *end = text;
    assert_non_null(text);
    end += sprintf(end, "<robot name='r'><link name='l0'/>");
    for (int i = 1; i <= n; i++) {
        end += sprintf(end,
                       "<link name='l%d'>%s</link><joint name='j%d' type='continuous'>"
                       "<parent link='l%d'/><child link='l%d'/>",
                       i, INERTIAL, i, i - 1, i);
        if (i > 1) end += sprintf(end, "<mimic joint='j%d'/>", i - 1);
        end += sprintf(end, "</joint>");
    }
    sprintf(end, "</robot>");
    return text;
}

// What needs n^2 steps here takes seconds.
static void twenty_thousand_followers_in_a_line_are_locked_at_once(void **state)
{
    (void)state;
    char                   *text = followers_in_a_line(20000);
    const fa_import_lock    lock = {"j1", 0.25};
    const fa_import_options options = {.lock = &lock, .n_locks = 1};
    fa_robot               *robot;
    clock_t                 start = clock();
    assert_int_equal(fa_import_text(text, strlen(text), "line.urdf", &options, NULL, &robot, NULL),
                     FA_OK);
    double used = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(fa_robot_freedom(robot), 0);
    // Sanitized and on a busy machine 0.6 s.
    assert_true(used < 5);
    free(robot);
    free(text);
}

// With followers the whole mass matrix is needed, and the cube of its size in time.
static void a_thousand_joints_may_follow_but_no_more(void **state)
{
    (void)state;
    fa_robot *robot;
    char     *text = followers_in_a_line(FA_FOLLOWER_MAX);
    assert_int_equal(fa_import_text(text, strlen(text), "line.urdf", NULL, NULL, &robot, NULL),
                     FA_OK);
    free(robot);
    free(text);
    text = followers_in_a_line(FA_FOLLOWER_MAX + 1);
    assert_non_null(strstr(refused(text, strlen(text)).message, "1001 joints that move"));
    free(text);
}

// Every place where a file may be cut off: an error, never a crash, with a place inside the file.
static void a_file_cut_off_anywhere_is_refused(void **state)
{
    (void)state;
    char *text = robot_text(3, chain, "\n");
    for (size_t size = 0; size < strlen(text); size++) {
        fa_error error = refused(text, size);
        assert_true(error.place.line <= 6);
        assert_true(error.message[0] != '\0');
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_thousand_links_take_linear_time),
        cmocka_unit_test(a_hundred_thousand_nested_elements_are_refused),
        cmocka_unit_test(a_million_attributes_are_refused_at_once),
        cmocka_unit_test(only_the_attributes_of_one_tag_are_counted),
        cmocka_unit_test(more_links_than_the_limit_are_refused),
        cmocka_unit_test(more_joints_of_an_arm_than_the_limit_are_refused),
        cmocka_unit_test(a_file_beyond_the_limit_is_refused),
        cmocka_unit_test(a_circle_of_twenty_thousand_links_is_found),
        cmocka_unit_test(twenty_thousand_followers_in_a_line_are_locked_at_once),
        cmocka_unit_test(a_thousand_joints_may_follow_but_no_more),
        cmocka_unit_test(a_file_cut_off_anywhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
