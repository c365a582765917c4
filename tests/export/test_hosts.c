// Tests files for other tools beside an FMU: systems of SSP and Modelica packages.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "export_help.h"
#include "files.h"
#include "hosts.h"
#include "modelica.h"

enum { NAME = 256 };

// The value of an attribute of the element that begins here; false: it has none.
static bool attribute(const char *element, const char *name, char value[NAME])
{
    const char *end = strchr(element, '>');
    char        opening[NAME];
    (void)snprintf(opening, sizeof opening, " %s=\"", name);
    const char *at = strstr(element, opening);
    if (!at || at > end) return false;
    at += strlen(opening);
    const size_t length = strcspn(at, "\"");
    assert_true(length < NAME);
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

static char *member(char *data, size_t size, const char *name)
{
    zip_error_t   fault;
    zip_source_t *source = zip_source_buffer_create(data, size, 0, &fault);
    zip_t        *archive = source ? zip_open_from_source(source, ZIP_RDONLY, &fault) : NULL;
    zip_stat_t    stat;
    assert_non_null(archive);
    assert_int_equal(zip_stat(archive, name, 0, &stat), 0);
    char       *text = malloc(stat.size + 1);
    zip_file_t *file = zip_fopen(archive, name, 0);
    assert_non_null(text);
    assert_non_null(file);
    assert_int_equal(zip_fread(file, text, stat.size), stat.size);
    text[stat.size] = '\0';
    (void)zip_fclose(file);
    zip_discard(archive);
    return text;
}

// Returns true if a part of a text has <ssd:Connector> of that name and kind.
static bool has_connector(const char *from, const char *to, const char *name, const char *kind)
{
    char got[NAME];
    for (; (from = strstr(from, "<ssd:Connector ")) != NULL && from < to; from++)
        if (attribute(from, "name", got) && strcmp(got, name) == 0)
            return attribute(from, "kind", got) && strcmp(got, kind) == 0;
    return false;
}

// Each connector of the component is the system's of the same name: inputs lead inwards, outputs
// outwards, and none is left out.
static void a_system_connects_what_is_called_alike(void **state)
{
    fa_robot        *robot = small_robot();
    const fa_options options = options_for(2);
    char            *data, start[NAME], end[NAME], element[NAME];
    size_t           size;
    int              inwards = 0, outwards = 0, connectors = 0;
    (void)state;
    export_to(in_folder("inner.fmu"), 2);
    assert_int_equal(
        fa_ssp_write(robot, &options, in_folder("inner.fmu"), true, &data, &size, NULL), FA_OK);
    char       *text = member(data, size, "SystemStructure.ssd");
    const char *component = strstr(text, "<ssd:Component ");
    const char *component_end = strstr(text, "</ssd:Component>");
    assert_non_null(component);
    assert_non_null(component_end);
    assert_true(attribute(component, "name", element));
    assert_string_equal(element, options.identifier);
    for (const char *at = text; (at = strstr(at, "<ssd:Connection ")) != NULL; at++) {
        assert_true(attribute(at, "startConnector", start));
        assert_true(attribute(at, "endConnector", end));
        assert_string_equal(start, end);
        const bool in = attribute(at, "endElement", element);
        if (!in) assert_true(attribute(at, "startElement", element));
        assert_string_equal(element, options.identifier);
        const char *kind = in ? "input" : "output";
        assert_true(has_connector(text, component, start, kind));
        assert_true(has_connector(component, component_end, start, kind));
        inwards += in;
        outwards += !in;
    }
    for (const char *at = component; (at = strstr(at, "<ssd:Connector ")) != NULL; at++)
        connectors++;
    assert_true(inwards > 0 && outwards > 0);
    assert_int_equal(inwards + outwards, connectors);
    free(text);
    free(data);
    free(robot);
}

// A package carries each library as it is, below its platform's name.
static void a_package_carries_its_libraries(void **state)
{
    static const char content[] = "not for running\0but carried";
    fa_library        carried[2] = {{.platform = "linux64", .ending = ".so"},
                                    {.platform = "win64", .ending = ".dll"}};
    fa_robot         *robot = small_robot();
    fa_error          error = fa_no_error();
    (void)state;
    for (int k = 0; k < 2; k++) {
        (void)snprintf(carried[k].path, sizeof carried[k].path, "%s", in_folder("library"));
        assert_int_equal(fa_file_write(carried[k].path, content, sizeof content, NULL), FA_OK);
    }
    if (fa_modelica_write(robot, "small", carried, 2, in_folder("package"), &error) != FA_OK)
        fail_msg("%s", error.message);
    for (int k = 0; k < 2; k++) {
        char   below[NAME], *data;
        size_t size;
        (void)snprintf(below, sizeof below, "package/Small/Resources/Library/%s/small%s",
                       carried[k].platform, carried[k].ending);
        assert_int_equal(fa_file_read(in_folder(below), 1000, &data, &size, NULL), FA_OK);
        assert_int_equal(size, sizeof content);
        assert_memory_equal(data, content, sizeof content);
        free(data);
    }
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_connects_what_is_called_alike),
        cmocka_unit_test(a_package_carries_its_libraries),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
