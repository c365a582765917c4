// forearm parts: computes the masses of a robot's links from their parts.
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "json.h"
#include "options.h"
#include "promise.h"
#include "table.h"

static const char *kind_of(const fa_part_item *item)
{
    if (item->kind == FA_PART_ITEM_SECTION) return fa_shape_names[item->shape];
    return item->kind == FA_PART_ITEM_LINK ? "link" : "part";
}

static fa_status print_table(const fa_parts *parts, fa_error *error)
{
    static const char *const head[] = {"what", "made of", "mass [kg]",   "com x [m]",
                                       "y",    "z",       "Ixx [kg m2]", "Iyy",
                                       "Izz",  "Ixy",     "Ixz",         "Iyz"};
    enum { COLUMNS = sizeof head / sizeof *head };
    fa_table table = fa_table_new(COLUMNS);
    double   total = 0;
    for (int i = 0; i < COLUMNS; i++) fa_table_text(&table, head[i]);
    for (int i = 0; i < parts->n; i++) {
        const fa_part_item *item = &parts->item[i];
        const fa_sym3      *I = &item->solid.inertia;
        const double        number[] = {item->solid.mass,
                                        item->solid.com.x,
                                        item->solid.com.y,
                                        item->solid.com.z,
                                        I->xx,
                                        I->yy,
                                        I->zz,
                                        I->xy,
                                        I->xz,
                                        I->yz};
        bool                section = item->kind == FA_PART_ITEM_SECTION;
        char                what[2 * FA_NAME_SIZE];
        int                 indent = item->depth < 20 ? 2 * item->depth : 40;
        snprintf(what, sizeof what, "%*s%s%s%s", indent, "", kind_of(item), section ? "" : " ",
                 section ? "" : item->name);
        fa_table_text(&table, what);
        fa_table_text(&table, section && item->name[0] ? item->name : "-");
        for (size_t k = 0; k < sizeof number / sizeof *number; k++)
            fa_table_number(&table, number[k]);
        if (item->kind == FA_PART_ITEM_LINK) total += item->solid.mass;
    }
    fa_status status = fa_promise("the mass of all links together", total, error);
    if (status == FA_OK)
        printf("parts of '%s'; each line in the axes of what the thing is placed in, moments about "
               "its "
               "own centre of mass\n\n",
               parts->name);
    if (status == FA_OK) status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    if (status == FA_OK) printf("\nall links together: %s kg\n", fa_rounded_text(total).text);
    return status;
}

static fa_status print_json(const fa_parts *parts, fa_error *error)
{
    int       depth = -1; // depth of the item that is open
    fa_json   json;
    fa_status status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    fa_json_text(&json, "name", parts->name);
    fa_json_open(&json, "links", '[');
    for (int i = 0; i < parts->n; i++) {
        const fa_part_item *item = &parts->item[i];
        const fa_sym3      *I = &item->solid.inertia;
        const double        com[] = {item->solid.com.x, item->solid.com.y, item->solid.com.z};
        const double        inertia[] = {I->xx, I->yy, I->zz, I->xy, I->xz, I->yz};
        for (; depth >= item->depth; depth--) {
            fa_json_close(&json, ']');
            fa_json_close(&json, '}');
        }
        depth = item->depth;
        fa_json_open(&json, NULL, '{');
        fa_json_text(&json, "kind", kind_of(item));
        fa_json_text(&json, item->kind == FA_PART_ITEM_SECTION ? "material" : "name",
                     item->name[0] ? item->name : NULL);
        fa_json_number(&json, "mass", item->solid.mass);
        fa_json_numbers(&json, "com", com, 3);
        fa_json_numbers(&json, "inertia", inertia, 6);
        fa_json_open(&json, "of", '[');
    }
    for (; depth >= 0; depth--) {
        fa_json_close(&json, ']');
        fa_json_close(&json, '}');
    }
    fa_json_close(&json, ']');
    fa_json_close(&json, '}');
    return fa_json_write(&json, NULL);
}

// Writes the arm with the masses of its links, to the file or to standard output.
static fa_status write_arm(const fa_parts *parts, const fa_arguments *arguments, fa_error *error)
{
    char        *text;
    size_t       size;
    const fa_log log = fa_report_warnings(NULL);
    fa_status    status = fa_parts_into_arm(parts, arguments->arm, &log, &text, &size, error);
    if (status != FA_OK) return status;
    if (arguments->out && strcmp(arguments->out, "-") != 0)
        status = fa_file_write(arguments->out, text, size, error);
    else if (fwrite(text, 1, size, stdout) != size)
        status = fa_fail(error, FA_IO, NULL, FA_NOWHERE, "standard output takes no more");
    free(text);
    return status;
}

fa_exit fa_run_parts(const fa_arguments *arguments)
{
    fa_error     error = fa_no_error();
    fa_parts     parts;
    const fa_log log = fa_report_warnings(NULL);
    if (arguments->out && !arguments->arm) {
        fa_fail(&error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                "--out is for the arm that --arm names; give both");
        fa_report(error.status, &error);
        return FA_EXIT_USAGE;
    }
    fa_status status = fa_parts_read(arguments->operand, &log, &parts, &error);
    if (status == FA_OK && arguments->arm)
        status = write_arm(&parts, arguments, &error);
    else if (status == FA_OK && arguments->json)
        status = print_json(&parts, &error);
    else if (status == FA_OK)
        status = print_table(&parts, &error);
    fa_parts_free(&parts);
    return fa_report(status, &error);
}
