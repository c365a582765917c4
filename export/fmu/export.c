// Adds the files of an FMU to its archive, in a fixed order.
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "bill.h"
#include "files.h"
#include "licence.h"
#include "picture.h"
#include "plant.h"
#include "sources.h"
#include "structure.h"
#include "terminals.h"

// Limit of a library's size [bytes]; the project's are about one MiB.
#define LIBRARY_LIMIT ((size_t)256 << 20)

typedef struct package {
    const fa_robot    *robot;
    const fa_options  *options;
    const fa_contents *contents;
    fa_sources         sources;
    fa_archive         archive;
    fa_error          *error;
} package;

static fa_status check_options(const fa_options *options, fa_error *error)
{
    if (options->fmi != 2 && options->fmi != 3) {
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "FMUs are written for FMI 2 or 3, not for FMI %d", options->fmi);
    }
    if (!fa_identifier_fits(options->identifier)) {
        char better[FA_NAME_SIZE];
        fa_identifier(options->identifier, better);
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "'%s' cannot be the name of an FMU, which must be an identifier of the C "
                       "language and none of its words; take '%s', for example",
                       options->identifier, better);
    }
    return FA_OK;
}

static fa_status warn_of_size(const fa_robot *robot, const fa_log *log, fa_error *error)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_variables    table;
    void           *block;
    fa_status       status = fa_plant_variables(plant, robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    if (!fa_structure_is_exact(&table)) {
        fa_warn(log, robot->source, FA_NOWHERE,
                "with %d variables the FMU does not list which depends on which; hosts take each "
                "to depend on all",
                table.n);
    }
    free(block);
    return FA_OK;
}

static fa_status add(package *p, char *data, size_t size, const char *name)
{
    return fa_archive_add(&p->archive, data, size, false, p->error, "%s", name);
}

// Adds the description and the robot file, and prepares the sources that contain both.
static fa_status add_model(package *p)
{
    char     *robot_file, *description;
    size_t    robot_size, size;
    fa_status status =
        fa_robot_file_write(p->robot, p->options, &robot_file, &robot_size, p->error);
    if (status != FA_OK) return status;
    const fa_own_sources own = {robot_file, robot_size, p->contents->special,
                                p->contents->special_size};
    if (p->contents->sources)
        status = fa_sources_read(p->contents->sources, p->options, &own, &p->sources, p->error);
    if (status == FA_OK)
        status =
            fa_description_write(p->robot, p->options, &p->sources, &description, &size, p->error);
    if (status == FA_OK) status = add(p, description, size, "modelDescription.xml");
    if (status != FA_OK) {
        free(robot_file);
        return status;
    }
    return add(p, robot_file, robot_size, "resources/robot.forearm");
}

typedef fa_status write_fn(const fa_robot *, const fa_options *, char **, size_t *, fa_error *);

static fa_status add_page(package *p, write_fn *write, const char *name)
{
    char     *text;
    size_t    size;
    fa_status status = write(p->robot, p->options, &text, &size, p->error);
    return status == FA_OK ? add(p, text, size, name) : status;
}

static fa_status add_documentation(package *p)
{
    char     *text;
    size_t    size;
    fa_status status = fa_documentation_write(p->robot, p->options, &p->contents->short_names,
                                              &text, &size, p->error);
    return status == FA_OK ? add(p, text, size, "documentation/index.html") : status;
}

static fa_status add_licence(package *p)
{
    size_t size = strlen(fa_licence);
    char  *text = malloc(size + 1);
    if (!text) {
        return fa_fail(p->error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the licence");
    }
    memcpy(text, fa_licence, size + 1);
    return add(p, text, size, "documentation/licenses/license.txt");
}

static fa_status add_bill(package *p)
{
    char     *text;
    size_t    size;
    fa_status status = fa_bill_write(&p->archive, p->options, &text, &size, p->error);
    return status == FA_OK ? add(p, text, size, "documentation/licenses/license.spdx") : status;
}

static fa_status add_icons(package *p)
{
    if (p->options->fmi == 2) return add_page(p, fa_picture_png, "model.png");
    fa_status status = add_page(p, fa_terminals_write, "terminalsAndIcons/terminalsAndIcons.xml");
    if (status == FA_OK) status = add_page(p, fa_picture_png, "terminalsAndIcons/icon.png");
    if (status == FA_OK) status = add_page(p, fa_picture_svg, "terminalsAndIcons/icon.svg");
    return status;
}

static fa_status add_sources(package *p)
{
    fa_status status = FA_OK;
    if (p->sources.n > 0 && p->options->fmi == 3) { // FMI 2.0 lists sources in modelDescription.xml
        char  *text;
        size_t size;
        status = fa_build_description_write(&p->sources, p->options, &text, &size, p->error);
        if (status == FA_OK) status = add(p, text, size, "sources/buildDescription.xml");
    }
    for (int i = 0; i < p->sources.n && status == FA_OK; i++) {
        fa_source_file *source = &p->sources.of[i];
        char           *text = source->text;
        source->text = NULL; // the archive owns it now
        status = fa_archive_add(&p->archive, text, source->size, false, p->error, "sources/%s",
                                source->name);
    }
    return status;
}

static fa_status add_resources(package *p)
{
    fa_status status = FA_OK;
    for (int i = 0; i < p->contents->n_resources && status == FA_OK; i++) {
        const fa_resource *from = &p->contents->resource[i];
        char              *copy = malloc(from->size + 1);
        if (!copy)
            return fa_fail(p->error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                           "there is not enough memory for the FMU's resources");
        memcpy(copy, from->data, from->size);
        status = fa_archive_add(&p->archive, copy, from->size, false, p->error, "resources/%s",
                                from->name);
    }
    return status;
}

static fa_status add_libraries(package *p)
{
    fa_status status = FA_OK;
    for (int i = 0; i < p->contents->n_libraries && status == FA_OK; i++) {
        const fa_library *library = &p->contents->library[i];
        char             *data;
        size_t            size;
        status = fa_file_read(library->path, LIBRARY_LIMIT, &data, &size, p->error);
        if (status == FA_OK)
            status = fa_archive_add(&p->archive, data, size, true, p->error, "binaries/%s/%s%s",
                                    library->platform, p->options->identifier, library->ending);
    }
    return status;
}

fa_status fa_export(const fa_robot *robot, const fa_options *options, const fa_contents *contents,
                    const char *out_path, const fa_log *log, fa_error *error)
{
    package p = {.robot = robot, .options = options, .contents = contents, .error = error};
    char   *bytes = NULL;
    size_t  size = 0;

    fa_status status = check_options(options, error);
    if (status == FA_OK) status = add_model(&p);
    if (status == FA_OK) status = add_resources(&p);
    if (status == FA_OK) status = warn_of_size(robot, log, error);
    if (status == FA_OK) status = add_documentation(&p);
    if (status == FA_OK) status = add_licence(&p);
    if (status == FA_OK) status = add_icons(&p);
    if (status == FA_OK && contents->references)
        status = fa_references_add(&p.archive, robot, options, contents->references, error);
    if (status == FA_OK) status = add_sources(&p);
    if (status == FA_OK) status = add_libraries(&p);
    if (status == FA_OK) status = add_bill(&p);
    if (status == FA_OK) status = fa_archive_pack(&p.archive, &bytes, &size, error);
    if (status == FA_OK) status = fa_file_write(out_path, bytes, size, error);
    free(bytes);
    fa_archive_free(&p.archive);
    fa_sources_free(&p.sources);
    return status;
}
