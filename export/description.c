// modelDescription.xml of FMI 2.0 and 3.0, from the one table of variables.
#include "export.h"

#include <math.h>
#include <stdlib.h>

#include "categories.h"
#include "markup.h"
#include "number.h"
#include "plant.h"
#include "structure.h"

typedef struct description {
    fa_markup         out;
    const fa_plant   *plant;
    const fa_robot   *robot;
    const fa_options *options;
    const fa_sources *sources; // NULL: none
    fa_variables      variables;
    void             *block; // of the variables
    fa_row_link      *link;
    int               rows; // those that this FMI version has
} description;

// ------------------------------------------------------------------------------------ interfaces

// FMI 2.0 and 3.0 spell the same abilities differently; NULL: this version has no such attribute.
typedef struct ability {
    const char *fmi2, *fmi3;
    const char *value;
} ability;

static const ability common_abilities[] = {
    {"needsExecutionTool", "needsExecutionTool", "false"},
    {"canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess", "false"},
    {"canNotUseMemoryManagementFunctions", NULL, "true"}, // it calls malloc and free itself
    {"canGetAndSetFMUstate", "canGetAndSetFMUState", "true"},
    {"canSerializeFMUstate", "canSerializeFMUState", "true"},
    {"providesDirectionalDerivative", "providesDirectionalDerivatives", "true"},
    {NULL, "providesAdjointDerivatives", "true"},
};
static const ability exchange_abilities[] = {
    {"completedIntegratorStepNotNeeded", NULL, "true"},
    {NULL, "needsCompletedIntegratorStep", "false"},
};
static const ability simulation_abilities[] = {
    {"canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize", "true"},
    {"canInterpolateInputs", NULL, "true"}, // in a straight line
    {"maxOutputDerivativeOrder", "maxOutputDerivativeOrder", "1"},
};

static void write_abilities(description *d, const ability list[], int n)
{
    for (int i = 0; i < n; i++) {
        const char *name = d->options->fmi == 2 ? list[i].fmi2 : list[i].fmi3;
        if (name) fa_markup_attribute(&d->out, name, list[i].value);
    }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

// FMI 3.0 has buildDescription.xml for that.
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

static void write_interface(description *d, const char *element, const ability list[], int n)
{
    fa_markup_open(&d->out, element);
    fa_markup_attribute(&d->out, "modelIdentifier", d->options->identifier);
    write_abilities(d, common_abilities, COUNT(common_abilities));
    write_abilities(d, list, n);
    write_sources(d);
    fa_markup_close(&d->out);
}

// ----------------------------------------------------------------------------------------- units

// The type that carries a unit. FMI 3.0 takes units from types alone: a unit at the variable itself
// makes one host crash.
static const char *const type_names[FA_UNIT_COUNT] = {
    [FA_UNIT_SECOND] = "Time",
    [FA_UNIT_METRE] = "Length",
    [FA_UNIT_METRE_PER_SECOND] = "Velocity",
    [FA_UNIT_METRE_PER_SECOND2] = "Acceleration",
    [FA_UNIT_RADIAN] = "Angle",
    [FA_UNIT_RADIAN_PER_SECOND] = "AngularVelocity",
    [FA_UNIT_RADIAN_PER_SECOND2] = "AngularAcceleration",
    [FA_UNIT_KILOGRAM] = "Mass",
    [FA_UNIT_KILOGRAM_METRE2] = "MomentOfInertia",
    [FA_UNIT_NEWTON] = "Force",
    [FA_UNIT_NEWTON_METRE] = "Torque",
    [FA_UNIT_NEWTON_PER_METRE] = "TranslationalStiffness",
    [FA_UNIT_NEWTON_METRE_PER_RADIAN] = "RotationalStiffness",
    [FA_UNIT_NEWTON_SECOND_PER_METRE] = "TranslationalDamping",
    [FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN] = "RotationalDamping",
    [FA_UNIT_JOULE] = "Energy",
};

// A unit without a name of its own type is a type under the unit's name.
static const char *type_name(fa_unit unit)
{
    return type_names[unit] ? type_names[unit] : fa_units[unit].name;
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
        if (d->options->fmi == 2) fa_markup_close(&d->out);
        fa_markup_close(&d->out);
    }
    fa_markup_close(&d->out);
}

static void write_units_and_types(description *d)
{
    bool used[FA_UNIT_COUNT] = {false};
    bool any = false;
    for (int row = 0; row < d->rows; row++) {
        fa_unit unit = d->variables.row[row].unit;
        if (unit != FA_UNIT_NONE) used[unit] = any = true;
    }
    if (!any) return;
    write_units(d, used);
    write_types(d, used);
}

// ------------------------------------------------------------------------------------- variables

// What a role means in the standards' words; NULL: the attribute is left out.
typedef struct role_words {
    const char *causality;
    const char *variability; // NULL: continuous or discrete, as the variable says
    const char *initial2, *initial3;
} role_words;

static const role_words words[FA_ROLE_COUNT] = {
    [FA_PARAMETER] = {"parameter", "fixed", "exact", "exact"},
    [FA_TUNABLE] = {"parameter", "tunable", "exact", "exact"},
    [FA_INPUT] = {"input", NULL, NULL, "exact"},
    [FA_STATE] = {"output", NULL, "calculated", "calculated"},
    [FA_OUTPUT] = {"output", NULL, "calculated", "calculated"},
    [FA_LOCAL] = {"local", NULL, "calculated", "calculated"},
    [FA_INDICATOR] = {"local", NULL, "calculated", "calculated"},
    [FA_TIME] = {"independent", NULL, NULL, NULL},
};

static bool has_start(const fa_variable *v)
{
    return v->role == FA_PARAMETER || v->role == FA_TUNABLE || v->role == FA_INPUT;
}

static void write_bound(description *d, const char *name, double bound)
{
    if (isfinite(bound)) fa_markup_number(&d->out, name, bound);
}

// The attributes that describe the values: those of FMI 2.0's Real, Integer and Boolean.
static void write_values(description *d, int row)
{
    const fa_variable *v = &d->variables.row[row];
    if (v->type == FA_REAL && v->unit != FA_UNIT_NONE) {
        fa_markup_attribute(&d->out, "declaredType", type_name(v->unit));
        if (d->options->fmi == 2) fa_markup_attribute(&d->out, "unit", fa_units[v->unit].name);
    }
    if (v->type != FA_BOOLEAN) {
        write_bound(d, "min", v->minimum);
        write_bound(d, "max", v->maximum);
    }
    if (v->type == FA_REAL && v->nominal > 0) fa_markup_number(&d->out, "nominal", v->nominal);
    if (has_start(v)) {
        if (v->type == FA_BOOLEAN) {
            fa_markup_attribute(&d->out, "start", v->start != 0 ? "true" : "false");
        } else {
            fa_markup_number(&d->out, "start", v->start);
        }
    }
    if (d->link[row].derivative_of != FA_NO_ROW) {
        fa_markup_integer(&d->out, "derivative", d->link[row].derivative_of + 1);
    }
}

static void write_variable(description *d, int row)
{
    static const char *const element2[] = {
        [FA_REAL] = "Real", [FA_INT32] = "Integer", [FA_BOOLEAN] = "Boolean"};
    static const char *const element3[] = {
        [FA_REAL] = "Float64", [FA_INT32] = "Int32", [FA_BOOLEAN] = "Boolean"};

    bool               fmi2 = d->options->fmi == 2;
    const fa_variable *v = &d->variables.row[row];
    const role_words  *role = &words[v->role];
    const char        *initial = fmi2 ? role->initial2 : role->initial3;

    fa_markup_open(&d->out, fmi2 ? "ScalarVariable" : element3[v->type]);
    fa_markup_attribute(&d->out, "name", v->name);
    fa_markup_integer(&d->out, "valueReference", row + 1);
    fa_markup_attribute(&d->out, "causality", role->causality);
    fa_markup_attribute(&d->out, "variability",
                        role->variability ? role->variability
                        : v->discrete     ? "discrete"
                                          : "continuous");
    if (initial) fa_markup_attribute(&d->out, "initial", initial);
    if (!fmi2) write_values(d, row);
    if (v->description) fa_markup_attribute(&d->out, "description", v->description);
    if (fmi2) {
        fa_markup_open(&d->out, element2[v->type]);
        write_values(d, row);
        fa_markup_close(&d->out);
    }
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
    // No date: the same robot gives the same bytes.
    fa_markup_attribute(&d->out, "generationTool", "Forearm " FOREARM_VERSION);
    fa_markup_attribute(&d->out, "variableNamingConvention", "structured");
    if (fmi2) {
        fa_markup_integer(&d->out, "numberOfEventIndicators",
                          fa_variables_count(&d->variables, FA_INDICATOR));
    }
}

static fa_status write_page(description *d, const char *token, fa_error *error)
{
    fa_markup_declaration(&d->out);
    fa_markup_open(&d->out, "fmiModelDescription");
    write_head(d, token);
    write_interface(d, "ModelExchange", exchange_abilities, COUNT(exchange_abilities));
    write_interface(d, "CoSimulation", simulation_abilities, COUNT(simulation_abilities));
    write_units_and_types(d);
    write_categories(d);
    write_experiment(d);
    fa_markup_open(&d->out, "ModelVariables");
    for (int row = 0; row < d->rows; row++) write_variable(d, row);
    fa_markup_close(&d->out);
    return fa_structure_write(&d->out, d->plant, d->robot, &d->variables, d->link, d->options->fmi,
                              error);
}

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the FMU's description");
}

static fa_status link_rows(description *d, fa_error *error)
{
    const fa_variables *table = &d->variables;
    d->link = malloc((size_t)table->n * sizeof *d->link);
    if (!d->link) return no_memory(error);
    for (int row = 0; row < table->n; row++) d->link[row] = (fa_row_link){FA_NO_ROW, FA_NO_ROW};
    for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT]; row++) {
        const fa_variable *state = &table->row[row];
        if (state->derivative != FA_NO_ROW) d->link[state->derivative].derivative_of = row;
        if (state->initial != FA_NO_ROW) d->link[state->initial].initial_of = row;
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
    d.rows = options->fmi == 2 ? d.variables.first[FA_INDICATOR] : d.variables.n;
    status = fa_variables_check(&d.variables, error);
    if (status == FA_OK) status = link_rows(&d, error);
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
    free(d.link);
    free(d.block);
    return status;
}
