// xacro as PyPI's xacro 2.1.1 expands it: expressions, properties, conditions and documents with
// what that program makes of them, or that it refuses them; and every sentence of a refusal.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "import.h"
#include "xacro.h"

#define HEAD "<robot name=\"t\" xmlns:xacro=\"http://x\">"

static fa_status expand(const char *text, const char *path, const fa_xacro_options *options,
                        fa_expansion *expansion, fa_error *error)
{
    *error = fa_no_error();
    return fa_xacro_expand(text, strlen(text), path, options, NULL, expansion, error);
}

// Without the first line, the root's tags and white space between tags.
static void inner(const char *text, char *out)
{
    const char *p = strstr(text, "<robot"), *end = text + strlen(text);
    bool        closed = strstr(text, "</robot>") != NULL;
    p = strchr(p, '>') + 1;
    while (closed && strncmp(--end, "</robot>", 8) != 0) continue;
    for (bool between = true; closed && p < end; p++) {
        if (between && (*p == ' ' || *p == '\n')) continue;
        between = *p == '>';
        *out++ = *p;
    }
    *out = '\0';
}

static char *escaped(char *out, const char *text)
{
    for (; *text; text++)
        out += *text == '"'   ? sprintf(out, "&quot;")
               : *text == '<' ? sprintf(out, "&lt;")
               : *text == '>' ? sprintf(out, "&gt;")
               : *text == '&' ? sprintf(out, "&amp;")
                              : sprintf(out, "%c", *text);
    return out;
}

static void compose(const char *kind, const char *text, char *out)
{
    out += sprintf(out, HEAD);
    if (strcmp(kind, "attribute") == 0) {
        out = escaped(out + sprintf(out, "<a v=\""), text);
        out += sprintf(out, "\"/>");
    } else if (strcmp(kind, "property") == 0) {
        out = escaped(out + sprintf(out, "<xacro:property name=\"p\" value=\""), text);
        out += sprintf(out, "\"/><a t=\"${p}|\" v=\"${p}\" w=\"${p} \"/>");
    } else if (strcmp(kind, "if") == 0) {
        out = escaped(out + sprintf(out, "<xacro:if value=\""), text);
        out = escaped(out + sprintf(out, "\"><a/></xacro:if><xacro:unless value=\""), text);
        out += sprintf(out, "\"><b/></xacro:unless>");
    } else {
        out += sprintf(out, "%s", text);
    }
    sprintf(out, "</robot>");
}

static void everything_is_as_xacro_has_it(void **state)
{
    (void)state;
    static const char *const row[][3] = {
#include "../xacro/semantics.inc"
    };
    static char document[8192], got[8192];
    assert_int_equal(sizeof row / sizeof *row, 146);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char            *kind = row[i][0], *text = row[i][1], *wanted = row[i][2];
        const fa_naming        argument[] = {{"t", "true"}, {"f", "0"}};
        const fa_xacro_options options = {.argument = argument, .n_arguments = 2};
        fa_expansion           expansion;
        fa_error               error = fa_no_error();
        compose(kind, text, document);
        const fa_status status = expand(document, "xacro/t.xacro", &options, &expansion, &error);
        if ((status == FA_OK) != (wanted != NULL))
            fail_msg("%s %s: %s", kind, text, wanted ? error.message : "is accepted");
        if (wanted) {
            inner(expansion.text, got);
            assert_string_equal(got, wanted);
        } else {
            assert_true(error.message[0] != '\0' && error.place.line == 1);
        }
        fa_expansion_free(&expansion);
    }
}

// What has come after those cases: each line is a body and what it becomes.
static void more_is_as_python_has_it(void **state)
{
    (void)state;
    static const char *const row[][2] = {
#include "../xacro/more.inc"
    };
    static char document[8192], got[8192];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        sprintf(document, HEAD "%s</robot>", row[i][0]);
        if (expand(document, "xacro/t.xacro", NULL, &expansion, &error) != FA_OK)
            fail_msg("%s: %s", row[i][0], error.message);
        inner(expansion.text, got);
        assert_string_equal(got, row[i][1]);
        fa_expansion_free(&expansion);
    }
}

// A text of the table, whose tabs, ends of lines and backslashes are escaped.
static void plain_text(char *text)
{
    char *to = text;
    for (; *text; text++, to++) {
        *to = *text;
        if (*text != '\\') continue;
        text++;
        *to = *text == 'n' ? '\n' : *text == 't' ? '\t' : *text;
    }
    *to = '\0';
}

// Operators by kinds of values, functions, methods, formats, slices: xacro/expressions.txt has what
// xacro makes of each, or ! where it refuses it.
static void expressions_are_what_python_makes_of_them(void **state)
{
    (void)state;
    static char line[4096], document[8192], got[8192];
    int         n = 0, differ = 0;
    FILE       *file = fopen("xacro/expressions.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char        *tab = strchr(line, '\t');
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        if (line[0] == '#') continue;
        assert_non_null(tab);
        *tab = line[strcspn(tab + 1, "\n") + (size_t)(tab + 1 - line)] = '\0';
        char *at = escaped(document + sprintf(document, HEAD "<a v=\"${"), line);
        sprintf(at, "}\"/></robot>");
        const fa_status status = expand(document, "xacro/t.xacro", NULL, &expansion, &error);
        plain_text(tab + 1);
        strcpy(got, "!");
        if (status == FA_OK) {
            const char *begin = strstr(expansion.text, "<a v=\"") + 6;
            sprintf(got, "=%.*s", (int)(strstr(begin, "\"/>") - begin), begin);
        }
        n++;
        if (strcmp(got, tab + 1) != 0 && differ++ < 40)
            print_message("%s: %s, and python has %s (%s)\n", line, got, tab + 1, error.message);
        fa_expansion_free(&expansion);
    }
    (void)fclose(file);
    assert_true(n > 1000);
    assert_int_equal(differ, 0);
}

// Every sentence, and what provokes it.
static void what_is_refused_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const char *const row[][2] = {
#include "../xacro/refused.inc"
    };
    static char document[8192];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        sprintf(document, HEAD "%s</robot>", row[i][0]);
        if (expand(document, "xacro/t.xacro", NULL, &expansion, &error) == FA_OK)
            fail_msg("is accepted: %s", row[i][0]);
        if (!strstr(error.message, row[i][1]))
            fail_msg("%s: '%s', and not '%s'", row[i][0], error.message, row[i][1]);
        assert_null(expansion.text);
    }
}

// A fault is told where it stands: at the element that it is in, not at one before it.
static void a_fault_stands_at_its_own_element(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int         line;
    } row[] = {
        {"\n<a>\n<b/>\n${nothing}</a>", 2},
        {"\n<a>\n<b>\n<c/>\n</b>\n<d v=\"${nothing}\"/></a>", 6},
        {"\n<a>\n<xacro:if value=\"1\">\n<b/></xacro:if>\n${nothing}</a>", 2},
        {"\n<a>\n<b/>\n<c/>\n</a>\n<d>${nothing}</d>", 6},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char         document[400];
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        sprintf(document, HEAD "%s</robot>", row[i].body);
        if (expand(document, "xacro/t.xacro", NULL, &expansion, &error) == FA_OK)
            fail_msg("is accepted: %s", row[i].body);
        assert_int_equal(error.place.line, row[i].line);
    }
    static const char root[] = "\n\n<robot xmlns:xacro=\"http://x\" name=\"${nothing}\"/>";
    fa_expansion      expansion;
    fa_error          error = fa_no_error();
    assert_int_equal(expand(root, "xacro/t.xacro", NULL, &expansion, &error), FA_BAD_INPUT);
    assert_int_equal(error.place.line, 3);
}

// Whatever macros and files are called, the sentence is whole: so many of them, and how many more.
static void a_sentence_names_the_macros_that_it_has_room_for(void **state)
{
    (void)state;
    char         document[4000], *at = document + sprintf(document, HEAD);
    fa_expansion expansion;
    fa_error     error = fa_no_error();
    for (char k = 'a'; k < 'i'; k++)
        at += sprintf(at, "<xacro:macro name=\"%c%0*d\">%s%c%0*d%s</xacro:macro>\n", k, 60, 0,
                      k == 'h' ? "<a v=\"${nothing}\"/><!--" : "<xacro:", k + 1, 60, 0,
                      k == 'h' ? "-->" : "/>");
    sprintf(at, "<xacro:a%0*d/></robot>", 60, 0);
    assert_int_equal(expand(document, "xacro/t.xacro", NULL, &expansion, &error), FA_BAD_INPUT);
    const char *stack = strstr(error.message, " (in macro '");
    assert_non_null(stack);
    char wanted[1000], *to = wanted;
    for (char k = 'h'; k > 'd'; k--)
        to += sprintf(to, "%sin macro '%c%0*d' of t.xacro:%d", k == 'h' ? " (" : ", ", k, 39, 0,
                      k - 'a');
    sprintf(to, " …)");
    assert_string_equal(stack, wanted);

    // With files of long names there is room for fewer.
    char path[200];
    sprintf(path, "xacro/%0*d.xacro", 90, 0);
    error = fa_no_error();
    assert_int_equal(expand(document, path, NULL, &expansion, &error), FA_BAD_INPUT);
    stack = strstr(error.message, " (in macro '");
    assert_non_null(stack);
    assert_true(strlen(stack) < sizeof((fa_macro_stack){""}).text);
    assert_string_equal(stack + strlen(stack) - strlen(" …)"), " …)");
}

static void a_fault_in_a_table_is_told(void **state)
{
    (void)state;
    fa_error error = fa_no_error();
    assert_int_equal(fa_xacro_check_table("a: {b: 1\n", 9, "t.yaml", &error), FA_BAD_INPUT);
    assert_string_equal(error.file, "t.yaml");
    assert_true(error.message[0] != '\0' && error.status == FA_BAD_INPUT);
    assert_int_equal(fa_xacro_check_table("a: {b: 1}\n", 10, "t.yaml", &error), FA_OK);
}

// What a sentence adds about texts and numbers it adds where there is a text.
static void a_hint_is_given_where_it_helps(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        bool        hint;
    } row[] = {{"1 + 'a'", true}, {"'a' + 1", true}, {"[] - 1", false}, {"1 - None", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char         document[400];
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        sprintf(document, HEAD "<a v=\"${%s}\"/></robot>", row[i].expression);
        assert_int_equal(expand(document, "xacro/t.xacro", NULL, &expansion, &error), FA_BAD_INPUT);
        assert_int_equal(strstr(error.message, "str(…) makes a text") != NULL, row[i].hint);
    }
}

// A fault in what came of a macro is told where somebody wrote it, with the macros in between.
static void a_fault_behind_a_macro_has_its_place(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\n<xacro:include filename=\"arm_macro.xacro\"/>\n<link name=\"base\"/>\n"
             "<xacro:arm_link name=\"a\" parent=\"base\" length=\"1\" mass=\"-1\"><origin/>"
             "</xacro:arm_link>\n</robot>";
    fa_robot *robot;
    fa_error  error = fa_no_error();
    assert_int_equal(
        fa_import_text(text, sizeof text - 1, "xacro/t.xacro", NULL, NULL, &robot, &error),
        FA_BAD_INPUT);
    assert_string_equal(error.file, "xacro/arm_macro.xacro");
    assert_int_equal(error.place.line, 12);
    assert_non_null(strstr(error.message, " (in macro 'arm_link' of t.xacro:4)"));
}

// A fault in a file that is included is told there, with the files that include it: one of the
// language, one of the XML, one of the robot.
static void a_fault_in_an_included_file_names_who_includes_it(void **state)
{
    (void)state;
    static const struct {
        const char *last, *file;
        int         line;
        const char *sentence;
    } row[] = {
        {"fault.xacro", "xacro/fault.xacro", 3, "'nothing' is no property and no function"},
        {"broken.xacro", "xacro/broken.xacro", 3, ""},
        {"heavy.xacro", "xacro/heavy.xacro", 4, "link 'a' has the mass -1 kg"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char      text[400];
        fa_robot *robot;
        fa_error  error = fa_no_error();
        sprintf(text,
                HEAD "\n\n<xacro:property name=\"last\" value=\"%s\"/>\n"
                     "<xacro:include filename=\"middle.xacro\"/></robot>",
                row[i].last);
        assert_int_equal(
            fa_import_text(text, strlen(text), "xacro/t.xacro", NULL, NULL, &robot, &error),
            FA_BAD_INPUT);
        assert_string_equal(error.file, row[i].file);
        assert_int_equal(error.place.line, row[i].line);
        assert_non_null(strstr(error.message, row[i].sentence));
        assert_non_null(
            strstr(error.message, " (included by middle.xacro:3, included by t.xacro:4)"));
    }
}

static void arguments_and_files_of_macros(void **state)
{
    (void)state;
    const fa_naming         mass = {"mass", "4"};
    const fa_import_options options = {.xacro = {.argument = &mass, .n_arguments = 1}};
    fa_robot               *robot;
    fa_error                error = fa_no_error();
    assert_int_equal(fa_import("xacro/arm.urdf.xacro", &options, NULL, &robot, &error), FA_OK);
    assert_true(robot->link[1].mass == 4 && robot->link[1].com.x == 0.75);
    free(robot);
    assert_int_equal(fa_import("urdf/ok.urdf", &options, NULL, &robot, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "the file has nothing to expand, so that mass:="));
    assert_int_equal(fa_import("xacro/arm_macro.xacro", NULL, NULL, &robot, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "macros only; the robots here are: 'arm.urdf.xacro'"));
    assert_int_equal(fa_import("xacro/alone/part.xacro", NULL, NULL, &robot, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "macros only, and no robot lies beside it"));
    static const char empty[] = HEAD "</robot>";
    assert_int_equal(
        fa_import_text(empty, sizeof empty - 1, "xacro/t.xacro", NULL, NULL, &robot, &error),
        FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "the robot has no links"));
}

// A package is found by name from where the robot lies, or where --package says.
static void packages_are_found(void **state)
{
    (void)state;
    static const char text[] = HEAD "<xacro:include filename=\"$(find forearm_legs)/legs.xacro\"/>"
                                    "<a n=\"${legs}\"/></robot>";
    const fa_naming   said = {"forearm_legs", "xacro/alone"};
    const fa_xacro_options options = {.package = &said, .n_packages = 1};
    char                   got[200];
    fa_expansion           expansion;
    fa_error               error = fa_no_error();
    assert_int_equal(expand(text, "xacro/t.xacro", NULL, &expansion, &error), FA_OK);
    inner(expansion.text, got);
    assert_string_equal(got, "<a n=\"4\"/>");
    fa_expansion_free(&expansion);
    assert_int_equal(expand(text, "xacro/t.xacro", &options, &expansion, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "there is no file"));
}

// Too much of one thing, `n` times between two texts.
static void too_much(void **state)
{
    (void)state;
    static const struct {
        const char *before, *again, *after;
        int         n;
        const char *sentence;
    } row[] = {
        {"<xacro:property name=\"l\" value=\"${range(1000000)}\"/>", "<a v=\"${len(l)}\"/>", "",
         210, "expanding this takes more than 200 million steps; no robot needs that"},
        {"<xacro:property name=\"p\" value=\"${[]}\" lazy_eval=\"false\"/>",
         "<xacro:property name=\"p\" value=\"${[p, p]}\" lazy_eval=\"false\"/>",
         "<a v=\"${p == p}\"/>", 50, "expanding this takes more than 200 million steps"},
        {"<a v=\"${1", "+1", "}\"/>", 2100, "an expression is nested too deep here"},
        {"<a v=\"${[1", ",1", "]}\"/>", 21000, "it is too long"},
        {"<a v=\"$(optenv", " a", ")\"/>", 70, "a a …) has too many words"},
        {"", "<xacro:include filename=\"part.xacro\"/>", "", 1001,
         "more than 1000 files are included; no robot needs that"},
        {"<xacro:property name=\"p\" value=\"${[]}\" lazy_eval=\"false\"/>",
         "<xacro:property name=\"p\" value=\"${[p]}\" lazy_eval=\"false\"/>",
         "<a v=\"${xacro.dotify(dict(a=p))}\"/>", 70, "a dict is nested too deep here"},
        {"<xacro:property name=\"p\" value=\"${[]}\" lazy_eval=\"false\"/>",
         "<xacro:property name=\"p\" value=\"${[p]}\" lazy_eval=\"false\"/>", "<a v=\"${p}\"/>", 70,
         "lists are nested more than 64 deep here"},
        {"<xacro:macro name=\"m\" params=\"n\"><xacro:if value=\"${n > 0}\"><a><b><c><d><e>"
         "<xacro:m n=\"${n - 1}\"/></e></d></c></b></a></xacro:if></xacro:macro>",
         "", "<xacro:m n=\"60\"/>", 1,
         "elements are nested more than 256 deep here; no robot needs that"},
    };
    static char document[64000];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        char        *at = document + sprintf(document, HEAD "%s", row[i].before);
        for (int k = 0; k < row[i].n; k++) at += sprintf(at, "%s", row[i].again);
        sprintf(at, "%s</robot>", row[i].after);
        if (expand(document, "xacro/t.xacro", NULL, &expansion, &error) == FA_OK)
            fail_msg("is accepted: %s", row[i].sentence);
        if (!strstr(error.message, row[i].sentence))
            fail_msg("'%s', and not '%s'", error.message, row[i].sentence);
    }
}

static void keep_last(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)file, (void)place;
    sprintf(context, "%.900s", sentence);
}

static void what_is_odd_is_told(void **state)
{
    (void)state;
    static const char *const row[][2] = {
        {"<xacro:property name=\"a\" value=\"1\" valu=\"2\"/>",
         "valu means nothing in <xacro:property> and is passed over"},
        {"<xacro:include filename=\"no*file\"/>",
         "no file is called 'xacro/no*file', so nothing is"},
        {"<xacro:include filename=\"part.xacro\"><a/></xacro:include>",
         "elements inside <xacro:include> mean nothing"},
        {"<xacro:macro name=\"xacro:m\"/><xacro:m/>", "the name of a macro is without 'xacro:'"},
        {"<xacro:property name=\"a\" value=\"1\" scope=\"parent\"/>",
         "property 'a' is outside of all macros, so that there is no parent"},
        {"<x a=\"${xacro.warning('careful')}\"/>", "the file says: careful"},
        {"<a xmlns:extra=\"http://other\"><xacro:include filename=\"part.xacro\"/></a>",
         "xmlns:extra stands for 'http://other' and for 'http://e'; the first counts"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char         document[1000], told[1000] = "";
        const fa_log log = {.warn = keep_last, .context = told};
        fa_expansion expansion;
        fa_error     error = fa_no_error();
        sprintf(document, HEAD "%s</robot>", row[i][0]);
        if (fa_xacro_expand(document, strlen(document), "xacro/t.xacro", NULL, &log, &expansion,
                            &error) != FA_OK)
            fail_msg("%s: %s", row[i][0], error.message);
        if (!strstr(told, row[i][1])) fail_msg("%s: '%s'", row[i][0], told);
        fa_expansion_free(&expansion);
    }
}

int main(void)
{
    (void)unsetenv("FOREARM_NOT_SET");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_as_xacro_has_it),
        cmocka_unit_test(more_is_as_python_has_it),
        cmocka_unit_test(expressions_are_what_python_makes_of_them),
        cmocka_unit_test(what_is_refused_is_refused_with_a_sentence),
        cmocka_unit_test(a_fault_stands_at_its_own_element),
        cmocka_unit_test(a_sentence_names_the_macros_that_it_has_room_for),
        cmocka_unit_test(a_fault_in_a_table_is_told),
        cmocka_unit_test(a_hint_is_given_where_it_helps),
        cmocka_unit_test(a_fault_behind_a_macro_has_its_place),
        cmocka_unit_test(a_fault_in_an_included_file_names_who_includes_it),
        cmocka_unit_test(arguments_and_files_of_macros),
        cmocka_unit_test(packages_are_found),
        cmocka_unit_test(too_much),
        cmocka_unit_test(what_is_odd_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
