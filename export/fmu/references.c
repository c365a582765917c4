// Reference results and parameter set after FMI-LS-REF.
#include "references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_results.h"
#include "markup.h"
#include "plant.h"
#include "sha256.h"
#include "starts.h"
#include "view.h"

#define FOLDER     "extra/org.fmi-standard.fmi-ls-ref/"
#define MANIFEST   "fmi-ls-manifest.xml"
#define PARAMETERS "parameters.ssv"
#define EXPERIMENT "experiment.xml"
#define RESULTS    "results.csv"
#define FILE_MAX   4

// A file in the manifest.
typedef struct related {
    const char *name, *type, *role, *about;
    char        checksum[65]; // SHA-256 in hexadecimal
} related;

typedef struct bundle {
    fa_archive          *archive;
    const fa_robot      *robot;
    const fa_options    *options;
    const fa_references *from;
    fa_variables         table;
    fa_view              view; // variables of the FMU
    void                *of_table, *of_view;
    double               tolerance; // tolerance of the solver
    int                  n;
    related              file[FILE_MAX];
    fa_error            *error;
} bundle;

// Adds a text, and takes ownership of it.
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

// Builds the variables for parameter set and results.
static fa_status look(bundle *b)
{
    const fa_plant *plant = fa_plant_find(b->robot->plant);
    fa_status       status =
        fa_plant_variables(plant, b->robot, false, &b->table, &b->of_table, b->error);
    if (status != FA_OK) return status;
    b->tolerance = b->table.row[FA_ROW_SOLVER_TOLERANCE].start;
    return fa_view_make(plant, b->robot, &b->table, b->options->arrays, &b->view, &b->of_view,
                        b->error);
}

static fa_status write_parameter(fa_markup *out, const bundle *b, int variable)
{
    static const char *const types[] = {
        [FA_REAL] = "ssv:Real", [FA_INT32] = "ssv:Integer", [FA_BOOLEAN] = "ssv:Boolean"};
    const fa_variable *v = &b->view.variable[variable];
    fa_markup_open(out, "ssv:Parameter");
    fa_markup_attribute(out, "name", v->name);
    fa_markup_open(out, types[v->type]);
    fa_status status = FA_OK;
    if (b->from->results && strcmp(v->name, FA_DETERMINISTIC) == 0)
        // Reference results are computed with deterministic = true.
        fa_markup_attribute(out, "value", "true");
    else
        status = fa_write_starts(out, "value", &b->view, &b->table, variable,
                                 b->view.extent[variable].n);
    fa_markup_close(out);
    fa_markup_close(out);
    return status;
}

// Writes the parameter set. Values are in the units of modelDescription.xml. It omits the number of
// links: hosts set structural parameters by other means, and the arrays here have the current size.
static fa_status add_parameters(bundle *b)
{
    char     *text;
    size_t    size;
    fa_status status = FA_OK;
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "ssv:ParameterSet");
    fa_markup_attribute(&out, "xmlns:ssv",
                        "http://ssp-standard.org/SSP1/SystemStructureParameterValues");
    // Only SSP 2.0, in the same name space, has arrays; more hosts support 1.0.
    fa_markup_attribute(&out, "version", b->options->arrays ? "2.0" : "1.0");
    fa_markup_attribute(&out, "name", b->options->identifier);
    fa_markup_open(&out, "ssv:Parameters");
    for (int v = 0; v < b->view.n && status == FA_OK; v++) {
        const fa_role role = b->view.variable[v].role;
        if (role == FA_PARAMETER || role == FA_TUNABLE) status = write_parameter(&out, b, v);
    }
    fa_markup_close(&out);
    fa_markup_close(&out);
    out.failed |= status != FA_OK;
    status = fa_markup_finish(&out, &text, &size, b->error);
    if (status != FA_OK) return status;
    return add(b, text, size,
               (related){PARAMETERS, "application/x-ssp-parameter-set", "parameter",
                         "All parameters as they were when the FMU was made; deterministic, where "
                         "there are results to compare with",
                         ""});
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
    const related results = {RESULTS, "text/csv", "result",
                             "States and outputs of the experiment, by the FMU's own solver", ""};
    if (!b->options->arrays && !fa_view_is_partial(b->robot))
        return add_copy(b, b->from->results, b->from->results_size, results);
    status = fa_array_results(b->from->results, b->from->results_size, &b->table, &b->view, &text,
                              &size, b->error);
    return status == FA_OK ? add(b, text, size, results) : status;
}

// ------------------------------------------------------------------------------------- the bundle

// Adds the robot file under a fixed name: the user's file name may have any characters.
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
    if (status == FA_OK) status = look(&b);
    if (status == FA_OK) status = add_parameters(&b);
    if (status == FA_OK && references->results) status = add_experiment(&b);
    if (status == FA_OK) status = add_manifest(&b);
    free(b.of_view);
    free(b.of_table);
    return status;
}
