// modelDescription.xml of FMI 2.0 and 3.0, from the one table of variables.
#include "export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "annotations.h"
#include "categories.h"
#include "markup.h"
#include "number.h"
#include "plant.h"
#include "quantities.h"
#include "starts.h"
#include "structure.h"
#include "view.h"

typedef struct description {
    fa_markup         out;
    const fa_plant   *plant;
    const fa_robot   *robot;
    const fa_options *options;
    const fa_sources *sources; // NULL: none
    fa_variables      variables;
    void             *block; // memory of the variables
    fa_view           view;
    void             *view_block;
    int              *derivative_of; // for each variable: the state whose derivative it is
    int               n;             // number of variables of this FMI version
    fa_status         status;        // FA_NO_MEMORY: an attribute is missing
} description;

// ------------------------------------------------------------------------------------ interfaces

// A capability flag in FMI 2.0 and 3.0; NULL: this version has no such attribute.
typedef struct ability {
    const char *fmi2, *fmi3;
    const char *value;
} ability;

static const ability common_abilities[] = {
    {"needsExecutionTool", "needsExecutionTool", "false"},
    {"canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess", "false"},
    // The library calls malloc and free itself.
    {"canNotUseMemoryManagementFunctions", NULL, "true"},
    {"canGetAndSetFMUstate", "canGetAndSetFMUState", "true"},
    {"canSerializeFMUstate", "canSerializeFMUState", "true"},
    {"providesDirectionalDerivative", "providesDirectionalDerivatives", "true"},
    {NULL, "providesAdjointDerivatives", "true"},
};
static const ability exchange_abilities[] = {
    {"completedIntegratorStepNotNeeded", NULL, "true"},
    {NULL, "needsCompletedIntegratorStep", "false"},
    {NULL, "providesEvaluateDiscreteStates", "true"},
};
// Capabilities of plants that need completedIntegratorStep.
static const ability noting_abilities[] = {
    {"completedIntegratorStepNotNeeded", NULL, "false"},
    {NULL, "needsCompletedIntegratorStep", "true"},
    {NULL, "providesEvaluateDiscreteStates", "true"},
};
static const ability simulation_abilities[] = {
    {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", "true"},
    {"canInterpolateInputs", NULL, "true"}, // linear interpolation
    {"maxOutputDerivativeOrder", "maxOutputDerivativeOrder", "1"},
    {NULL, "providesIntermediateUpdate", "true"},
    {NULL, "canReturnEarlyAfterIntermediateUpdate", "true"},
    {NULL, "providesEvaluateDiscreteStates", "true"},
};
// Capabilities of Co-Simulation with events.
static const ability switching_abilities[] = {
    {NULL, "mightReturnEarlyFromDoStep", "true"},
    {NULL, "hasEventMode", "true"},
};

static void write_abilities(description *d, const ability list[], int n)
{
    for (int i = 0; i < n; i++) {
        const char *name = d->options->fmi == 2 ? list[i].fmi2 : list[i].fmi3;
        if (name) fa_markup_attribute(&d->out, name, list[i].value);
    }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

// FMI 3.0 lists sources in buildDescription.xml.
static void write_sources(description *d)
{
    if (d->options->fmi != 2 || !d->sources || d->sources->n == 0) return;
    fa_markup_open(&d->out, "SourceFiles");
    for (int i = 0; i < d->sources->n; i++) {
        if (!d->sources->of[i].compiled) continue;
        fa_markup_open(&d->out, "File");
        fa_markup_attribute(&d->out, "name", d->sources->of[i].name);
        fa_markup_close(&d->out);
    }
    fa_markup_close(&d->out);
}

static void write_interface(description *d, const char *element, const ability list[], int n,
                            const ability switching[], int n_switching)
{
    fa_markup_open(&d->out, element);
    fa_markup_attribute(&d->out, "modelIdentifier", d->options->identifier);
    write_abilities(d, common_abilities, COUNT(common_abilities));
    write_abilities(d, list, n);
    if (fa_plant_switches(d->plant, &d->variables)) write_abilities(d, switching, n_switching);
    write_sources(d);
    fa_markup_close(&d->out);
}

// ----------------------------------------------------------------------------------------- units

// Returns the type of a unit, named after its quantity. Units are attributes of types only: FMI 3.0
// reads them there, and a unit at the variable itself crashes one host.
static const char *type_name(fa_unit unit)
{
    return fa_quantities[unit].name;
}

static void write_exponent(description *d, const char *name, int exponent)
{
    if (exponent != 0) fa_markup_integer(&d->out, name, exponent);
}

static void write_units(description *d, const bool used[])
{
    fa_markup_open(&d->out, "UnitDefinitions");
    for (int unit = 0; unit < FA_UNIT_COUNT; unit++) {
        if (!used[unit]) continue;
        fa_markup_open(&d->out, "Unit");
        fa_markup_attribute(&d->out, "name", fa_units[unit].name);
        fa_markup_open(&d->out, "BaseUnit");
        write_exponent(d, "kg", fa_units[unit].kg);
        write_exponent(d, "m", fa_units[unit].m);
        write_exponent(d, "s", fa_units[unit].s);
        write_exponent(d, "A", fa_units[unit].A);
        write_exponent(d, "rad", fa_units[unit].rad);
        fa_markup_close(&d->out);
        if (fa_quantities[unit].display) {
            fa_markup_open(&d->out, "DisplayUnit");
            fa_markup_attribute(&d->out, "name", fa_quantities[unit].display);
            fa_markup_number(&d->out, "factor", fa_quantities[unit].factor);
            fa_markup_close(&d->out);
        }
        fa_markup_close(&d->out);
    }
    fa_markup_close(&d->out);
}

static void write_types(description *d, const bool used[])
{
    fa_markup_open(&d->out, "TypeDefinitions");
    for (int unit = 0; unit < FA_UNIT_COUNT; unit++) {
        if (!used[unit]) continue;
        if (d->options->fmi == 2)
            fa_markup_open(&d->out, "SimpleType");
        else
            fa_markup_open(&d->out, "Float64Type");
        fa_markup_attribute(&d->out, "name", type_name((fa_unit)unit));
        if (d->options->fmi == 2) fa_markup_open(&d->out, "Real");
        fa_markup_attribute(&d->out, "quantity", type_name((fa_unit)unit));
        fa_markup_attribute(&d->out, "unit", fa_units[unit].name);
        if (fa_quantities[unit].display)
            fa_markup_attribute(&d->out, "displayUnit", fa_quantities[unit].display);
        if (d->options->fmi == 2) fa_markup_close(&d->out);
        fa_markup_close(&d->out);
    }
    fa_markup_close(&d->out);
}

static void write_units_and_types(description *d)
{
    bool used[FA_UNIT_COUNT] = {false};
    bool any = false;
    for (int v = 0; v < d->n; v++) {
        fa_unit unit = d->view.variable[v].unit;
        if (unit != FA_UNIT_NONE) used[unit] = any = true;
    }
    if (!any) return;
    write_units(d, used);
    write_types(d, used);
}

// ------------------------------------------------------------------------------------- variables

// Attributes of a role; NULL: the attribute is omitted.
typedef struct role_words {
    const char *causality;
    const char *variability; // NULL: continuous or discrete, from the variable
    const char *initial2, *initial3;
} role_words;

static const role_words words[FA_ROLE_COUNT] = {
    [FA_STRUCTURE] = {"structuralParameter", "fixed", "exact", "exact"},
    [FA_PARAMETER] = {"parameter", "fixed", "exact", "exact"},
    [FA_TUNABLE] = {"parameter", "tunable", "exact", "exact"},
    [FA_INPUT] = {"input", NULL, NULL, "exact"},
    [FA_STATE] = {"output", NULL, "calculated", "calculated"},
    [FA_OUTPUT] = {"output", NULL, "calculated", "calculated"},
    [FA_LOCAL] = {"local", NULL, "calculated", "calculated"},
    [FA_INDICATOR] = {"local", NULL, "calculated", "calculated"},
    [FA_TIME] = {"independent", NULL, NULL, NULL},
};

static void write_bound(description *d, const char *name, double bound)
{
    if (isfinite(bound)) fa_markup_number(&d->out, name, bound);
}

static double start_of(const description *d, int variable, int element)
{
    return fa_view_start(&d->view, &d->variables, variable, element);
}

// Returns the number of start values: one per element; one for all if they are equal and the host
// may change their number.
static int count_starts(const description *d, int variable)
{
    const fa_extent *extent = &d->view.extent[variable];
    if (!extent->sized) return extent->n;
    for (int k = 1; k < extent->n; k++)
        if (start_of(d, variable, k) != start_of(d, variable, 0)) return extent->n;
    return 1;
}

// Writes the attributes of the values: those of FMI 2.0's Real, Integer and Boolean.
static void write_values(description *d, int variable)
{
    const fa_variable *v = &d->view.variable[variable];
    if (v->type == FA_REAL && v->unit != FA_UNIT_NONE) {
        fa_markup_attribute(&d->out, "declaredType", type_name(v->unit));
        if (d->options->fmi == 2) fa_markup_attribute(&d->out, "unit", fa_units[v->unit].name);
    }
    if (v->type != FA_BOOLEAN) {
        write_bound(d, "min", v->minimum);
        write_bound(d, "max", v->maximum);
    }
    // 1 is the standards' default; one host does not support nominal in FMI 3.0.
    if (v->type == FA_REAL && v->nominal > 0 && v->nominal != 1)
        fa_markup_number(&d->out, "nominal", v->nominal);
    if (fa_variable_starts(v) && d->status == FA_OK)
        d->status = fa_write_starts(&d->out, "start", &d->view, &d->variables, variable,
                                    count_starts(d, variable));
    if (d->derivative_of[variable] != FA_NO_ROW)
        fa_markup_integer(&d->out, "derivative", d->derivative_of[variable] + 1);
    if (v->jumps) fa_markup_attribute(&d->out, "reinit", "true");
}

static void write_dimensions(description *d, const fa_extent *extent)
{
    if (extent->rows == 0) return;
    fa_markup_open(&d->out, "Dimension");
    if (extent->sized) // the dimension is the structural parameter, the first variable
        fa_markup_integer(&d->out, "valueReference", 1);
    else
        fa_markup_integer(&d->out, "start", extent->rows);
    fa_markup_close(&d->out);
    if (extent->columns == 0) return;
    fa_markup_open(&d->out, "Dimension");
    fa_markup_integer(&d->out, "start", extent->columns);
    fa_markup_close(&d->out);
}

static void write_variable(description *d, int variable)
{
    static const char *const element2[] = {
        [FA_REAL] = "Real", [FA_INT32] = "Integer", [FA_BOOLEAN] = "Boolean"};
    static const char *const element3[] = {[FA_REAL] = "Float64",
                                           [FA_INT32] = "Int32",
                                           [FA_BOOLEAN] = "Boolean",
                                           [FA_UINT64] = "UInt64"};

    bool               fmi2 = d->options->fmi == 2;
    const fa_variable *v = &d->view.variable[variable];
    const role_words  *role = &words[v->role];
    const char        *initial = fmi2 ? role->initial2 : role->initial3;

    fa_markup_open(&d->out, fmi2 ? "ScalarVariable" : element3[v->type]);
    fa_markup_attribute(&d->out, "name", v->name);
    fa_markup_integer(&d->out, "valueReference", variable + 1);
    fa_markup_attribute(&d->out, "causality", role->causality);
    fa_markup_attribute(&d->out, "variability",
                        role->variability ? role->variability
                        : v->discrete     ? "discrete"
                                          : "continuous");
    if (initial) fa_markup_attribute(&d->out, "initial", initial);
    if (!fmi2 && fa_variable_is_intermediate(v))
        fa_markup_attribute(&d->out, "intermediateUpdate", "true");
    if (!fmi2) write_values(d, variable);
    if (v->description) fa_markup_attribute(&d->out, "description", v->description);
    if (fmi2) {
        fa_markup_open(&d->out, element2[v->type]);
        write_values(d, variable);
        fa_markup_close(&d->out);
    }
    write_dimensions(d, &d->view.extent[variable]);
    fa_markup_close(&d->out);
}

// -------------------------------------------------------------------------------------- the page

static void write_categories(description *d)
{
    static const char *const category[][2] = {
#define X(code, name, about) {name, about},
        FA_CATEGORY_LIST(X)
#undef X
    };
    fa_markup_open(&d->out, "LogCategories");
    for (int i = 0; i < COUNT(category); i++) {
        fa_markup_open(&d->out, "Category");
        fa_markup_attribute(&d->out, "name", category[i][0]);
        fa_markup_attribute(&d->out, "description", category[i][1]);
        fa_markup_close(&d->out);
    }
    fa_markup_close(&d->out);
}

static void write_experiment(description *d)
{
    fa_markup_open(&d->out, "DefaultExperiment");
    fa_markup_number(&d->out, "startTime", 0);
    fa_markup_number(&d->out, "stopTime", FA_DEFAULT_STOP);
    fa_markup_number(&d->out, "tolerance", d->variables.row[FA_ROW_SOLVER_TOLERANCE].start);
    fa_markup_number(&d->out, "stepSize", FA_DEFAULT_STEP);
    fa_markup_close(&d->out);
}

static void write_head(description *d, const char *token)
{
    bool fmi2 = d->options->fmi == 2;
    fa_markup_attribute(&d->out, "fmiVersion", fmi2 ? "2.0" : "3.0");
    fa_markup_attribute(&d->out, "modelName", d->options->identifier);
    fa_markup_attribute(&d->out, fmi2 ? "guid" : "instantiationToken", token);
    fa_markup_attribute(&d->out, "description", d->robot->name);
    // No date: the description is reproducible.
    fa_markup_attribute(&d->out, "generationTool", "Forearm " FOREARM_VERSION);
    fa_markup_attribute(&d->out, "variableNamingConvention", "structured");
    if (fmi2) {
        fa_markup_integer(&d->out, "numberOfEventIndicators",
                          fa_variables_count(&d->variables, FA_INDICATOR));
    }
}

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the FMU's description");
}

// Writes ModelStructure. If the size is free, dependencies are those of a robot that has every kind
// of dependence.
static fa_status write_structure(description *d, fa_error *error)
{
    const int fmi = d->options->fmi;
    if (d->view.structure == FA_NO_ROW)
        return fa_structure_write(&d->out, d->plant, d->robot, &d->variables, &d->view, fmi, error);
    fa_robot    *typical = NULL;
    fa_variables table;
    fa_view      view;
    void        *of_table = NULL, *of_view = NULL;
    fa_status    status = fa_view_typical(d->plant, d->robot, &typical, error);
    if (status == FA_OK)
        status = fa_plant_variables(d->plant, typical, false, &table, &of_table, error);
    if (status == FA_OK)
        status = fa_view_make(d->plant, typical, &table, true, &view, &of_view, error);
    if (status == FA_OK)
        status = fa_structure_write(&d->out, d->plant, typical, &table, &view, fmi, error);
    free(of_view);
    free(of_table);
    free(typical);
    return status;
}

static fa_status write_page(description *d, const char *token, fa_error *error)
{
    fa_markup_declaration(&d->out);
    fa_markup_open(&d->out, "fmiModelDescription");
    write_head(d, token);
    if (d->options->stepped)
        ; // Co-Simulation only
    else if (d->plant->note)
        write_interface(d, "ModelExchange", noting_abilities, COUNT(noting_abilities), NULL, 0);
    else
        write_interface(d, "ModelExchange", exchange_abilities, COUNT(exchange_abilities), NULL, 0);
    write_interface(d, "CoSimulation", simulation_abilities, COUNT(simulation_abilities),
                    switching_abilities, COUNT(switching_abilities));
    write_units_and_types(d);
    write_categories(d);
    write_experiment(d);
    if (d->options->fmi == 2) fa_annotations_write(&d->out, d->robot, d->options, &d->variables);
    fa_markup_open(&d->out, "ModelVariables");
    for (int v = 0; v < d->n; v++) write_variable(d, v);
    fa_markup_close(&d->out);
    if (d->status != FA_OK) return no_memory(error);
    fa_status status = write_structure(d, error);
    if (d->options->fmi == 3) fa_annotations_write(&d->out, d->robot, d->options, &d->variables);
    return status;
}

static fa_status link_variables(description *d, fa_error *error)
{
    d->derivative_of = malloc((size_t)d->view.n * sizeof *d->derivative_of);
    if (!d->derivative_of) return no_memory(error);
    for (int v = 0; v < d->view.n; v++) d->derivative_of[v] = FA_NO_ROW;
    for (int v = 0; v < d->view.n; v++) {
        const fa_variable *state = &d->view.variable[v];
        if (state->role == FA_STATE && state->derivative != FA_NO_ROW)
            d->derivative_of[state->derivative] = v;
    }
    return FA_OK;
}

static fa_status robot_token(const fa_robot *robot, const fa_options *options,
                             char token[FA_TOKEN_SIZE], fa_error *error)
{
    char     *text;
    size_t    size;
    fa_status status = fa_robot_file_write(robot, options, &text, &size, error);
    if (status != FA_OK) return status;
    fa_robot_file_token(text, size, token);
    free(text);
    return FA_OK;
}

fa_status fa_description_write(const fa_robot *robot, const fa_options *options,
                               const fa_sources *sources, char **text, size_t *size,
                               fa_error *error)
{
    description d = {.robot = robot,
                     .options = options,
                     .sources = sources,
                     .plant = fa_plant_find(robot->plant)};
    char        token[FA_TOKEN_SIZE];
    if (!d.plant) {
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "robot '%s' is of the kind '%s', which this program does not know; use the "
                       "program that wrote it",
                       robot->name, robot->plant);
    }
    fa_status status = robot_token(robot, options, token, error);
    if (status != FA_OK) return status;

    status = fa_plant_variables(d.plant, robot, true, &d.variables, &d.block, error);
    if (status != FA_OK) return status;
    status = fa_variables_check(&d.variables, error);
    if (status == FA_OK)
        status = fa_view_make(d.plant, robot, &d.variables, options->arrays, &d.view, &d.view_block,
                              error);
    d.n = fa_view_count(&d.view, options->fmi);
    if (status == FA_OK) status = link_variables(&d, error);
    if (status == FA_OK) {
        d.out = fa_markup_new();
        status = write_page(&d, token, error);
        char     *page = NULL;
        fa_status written = fa_markup_finish(&d.out, &page, size, status == FA_OK ? error : NULL);
        if (status == FA_OK) status = written;
        if (status == FA_OK)
            *text = page;
        else
            free(page);
    }
    free(d.derivative_of);
    free(d.view_block);
    free(d.block);
    return status;
}
