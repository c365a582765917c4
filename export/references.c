#include "references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "plant.h"
#include "sha256.h"

#define FOLDER     "extra/org.fmi-standard.fmi-ls-ref/"
#define MANIFEST   "fmi-ls-manifest.xml"
#define PARAMETERS "parameters.ssv"
#define EXPERIMENT "experiment.xml"
#define RESULTS    "results.csv"
#define FILE_MAX   4

// A file that the manifest names.
typedef struct related {
    const char *name, *type, *role, *about;
    char        checksum[65]; // SHA-256 in hexadecimal
} related;

typedef struct bundle {
    fa_archive          *archive;
    const fa_robot      *robot;
    const fa_options    *options;
    const fa_references *from;
    double               tolerance; // of the solver
    int                  n;
    related              file[FILE_MAX];
    fa_error            *error;
} bundle;

// Takes the text over.
static fa_status add(bundle *b, char *text, size_t size, related file)
{
    uint8_t digest[32];
    fa_sha256(text, size, digest);
    for (int i = 0; i < 32; i++) (void)sprintf(file.checksum + 2L * i, "%02x", digest[i]);
    b->file[b->n++] = file;
    return fa_archive_add(b->archive, text, size, false, b->error, FOLDER "%s", file.name);
}

static fa_status add_copy(bundle *b, const char *text, size_t size, related file)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        return fa_fail(b->error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the FMU's references");
    }
    memcpy(copy, text, size);
    return add(b, copy, size, file);
}

// --------------------------------------------------------------------------------- the parameters

static void write_parameter(fa_markup *out, const fa_variable *v)
{
    static const char *const types[] = {
        [FA_REAL] = "ssv:Real", [FA_INT32] = "ssv:Integer", [FA_BOOLEAN] = "ssv:Boolean"};
    fa_markup_open(out, "ssv:Parameter");
    fa_markup_attribute(out, "name", v->name);
    fa_markup_open(out, types[v->type]);
    if (v->type == FA_BOOLEAN)
        fa_markup_attribute(out, "value", v->start != 0 ? "true" : "false");
    else
        fa_markup_number(out, "value", v->start);
    fa_markup_close(out);
    fa_markup_close(out);
}

// Values without units, which are those of modelDescription.xml.
static fa_status add_parameters(bundle *b)
{
    const fa_plant *plant = fa_plant_find(b->robot->plant);
    fa_variables    table;
    void           *block;
    char           *text;
    size_t          size;
    fa_status       status = fa_plant_variables(plant, b->robot, false, &table, &block, b->error);
    if (status != FA_OK) return status;
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "ssv:ParameterSet");
    fa_markup_attribute(&out, "xmlns:ssv",
                        "http://ssp-standard.org/SSP1/SystemStructureParameterValues");
    fa_markup_attribute(&out, "version", "1.0");
    fa_markup_attribute(&out, "name", b->options->identifier);
    fa_markup_open(&out, "ssv:Parameters");
    for (int row = table.first[FA_PARAMETER]; row < table.first[FA_INPUT]; row++)
        write_parameter(&out, &table.row[row]);
    fa_markup_close(&out);
    fa_markup_close(&out);
    b->tolerance = table.row[FA_ROW_SOLVER_TOLERANCE].start;
    free(block);
    status = fa_markup_finish(&out, &text, &size, b->error);
    if (status != FA_OK) return status;
    return add(b, text, size,
               (related){PARAMETERS, "application/x-ssp-parameter-set", "parameter",
                         "All parameters as they were when the FMU was made", ""});
}

// --------------------------------------------------------------------------------- the experiment

static void write_source(fa_markup *out, const char *element, const char *type, const char *source)
{
    fa_markup_open(out, element);
    fa_markup_attribute(out, "type", type);
    fa_markup_attribute(out, "source", source);
    fa_markup_close(out);
}

static fa_status add_experiment(bundle *b)
{
    char     *text;
    size_t    size;
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "Experiments");
    fa_markup_open(&out, "Experiment");
    fa_markup_attribute(&out, "name", "as_exported");
    fa_markup_attribute(&out, "description",
                        "Co-Simulation from the start values on, with all inputs at theirs");
    fa_markup_number(&out, "startTime", 0);
    fa_markup_number(&out, "stopTime", FA_REFERENCE_STOP);
    fa_markup_number(&out, "tolerance", b->tolerance);
    fa_markup_number(&out, "stepSize", FA_REFERENCE_STEP);
    write_source(&out, "Parameters", "application/x-ssp-parameter-set", PARAMETERS);
    write_source(&out, "References", "text/csv", RESULTS);
    fa_markup_close(&out);
    fa_markup_close(&out);
    fa_status status = fa_markup_finish(&out, &text, &size, b->error);
    if (status == FA_OK)
        status = add(b, text, size,
                     (related){EXPERIMENT, "application/xml", "experiment/smoke-test",
                               "An experiment with the results that it should have", ""});
    if (status != FA_OK) return status;
    return add_copy(b, b->from->results, b->from->results_size,
                    (related){RESULTS, "text/csv", "result",
                              "States and outputs of the experiment, by the FMU's own solver", ""});
}

// ------------------------------------------------------------------------------------- the bundle

// Under a name of its own: that of the user's file may hold anything.
static fa_status add_model(bundle *b)
{
    const char *ending = strrchr(b->from->model_name, '.');
    bool        urdf = ending && strcmp(ending, ".urdf") == 0;
    return add_copy(b, b->from->model, b->from->model_size,
                    (related){urdf ? "robot.urdf" : "robot.xml", "application/xml", "model",
                              "The robot file that the FMU was made from", ""});
}

static fa_status add_manifest(bundle *b)
{
    char     *text;
    size_t    size;
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "fmiReferences");
    fa_markup_attribute(&out, "xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest");
    fa_markup_attribute(&out, "fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-ref");
    fa_markup_attribute(&out, "fmi-ls:fmi-ls-version", "1.0.0-alpha.1");
    fa_markup_attribute(
        &out, "fmi-ls:fmi-ls-description",
        "Layered Standard providing information on related files included in an FMU.");
    for (int i = 0; i < b->n; i++) {
        const related *file = &b->file[i];
        fa_markup_open(&out, "Related");
        fa_markup_attribute(&out, "type", file->type);
        fa_markup_attribute(&out, "source", file->name);
        fa_markup_attribute(&out, "role", file->role);
        fa_markup_attribute(&out, "description", file->about);
        fa_markup_attribute(&out, "checksum", file->checksum);
        fa_markup_attribute(&out, "checksumType", "SHA-256");
        fa_markup_close(&out);
    }
    fa_markup_close(&out);
    fa_status status = fa_markup_finish(&out, &text, &size, b->error);
    if (status != FA_OK) return status;
    return fa_archive_add(b->archive, text, size, false, b->error, FOLDER MANIFEST);
}

fa_status fa_references_add(fa_archive *archive, const fa_robot *robot, const fa_options *options,
                            const fa_references *references, fa_error *error)
{
    bundle b = {
        .archive = archive, .robot = robot, .options = options, .from = references, .error = error};
    fa_status status = references->model ? add_model(&b) : FA_OK;
    // Neither parameter sets (SSP 1.0) nor the columns of a table know arrays.
    const bool scalars = !options->arrays;
    if (status == FA_OK && scalars) status = add_parameters(&b);
    if (status == FA_OK && scalars && references->results) status = add_experiment(&b);
    if (status == FA_OK) status = add_manifest(&b);
    return status;
}
