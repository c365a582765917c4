// The FMU as a system of SSP 1.0: SystemStructure.ssd, the FMU and a parameter set.
#include "hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "files.h"
#include "markup.h"
#include "plant.h"
#include "view.h"

#define FMU_LIMIT ((size_t)1 << 30) // [bytes]

static const char *const types[] = {
    [FA_REAL] = "Real", [FA_INT32] = "Integer", [FA_BOOLEAN] = "Boolean", [FA_UINT64] = "Integer"};

static void put_connectors(fa_markup *out, const fa_robot *robot, const fa_variables *table)
{
    fa_markup_open(out, "ssd:Connectors");
    for (int row = table->first[FA_INPUT]; row < table->first[FA_LOCAL]; row++) {
        const fa_variable *v = &table->row[row];
        char               type[16] = "ssc:";
        if (fa_view_hides_row(robot, v)) continue;
        fa_markup_open(out, "ssd:Connector");
        fa_markup_attribute(out, "name", v->name);
        fa_markup_attribute(out, "kind", row < table->first[FA_STATE] ? "input" : "output");
        fa_markup_open(out, strcat(type, types[v->type]));
        if (v->type == FA_REAL && v->unit != FA_UNIT_NONE)
            fa_markup_attribute(out, "unit", fa_units[v->unit].name);
        fa_markup_close(out);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static void put_connections(fa_markup *out, const fa_robot *robot, const fa_variables *table,
                            const char *component)
{
    fa_markup_open(out, "ssd:Connections");
    for (int row = table->first[FA_INPUT]; row < table->first[FA_LOCAL]; row++) {
        const bool in = row < table->first[FA_STATE];
        if (fa_view_hides_row(robot, &table->row[row])) continue;
        fa_markup_open(out, "ssd:Connection");
        if (!in) fa_markup_attribute(out, "startElement", component);
        fa_markup_attribute(out, "startConnector", table->row[row].name);
        if (in) fa_markup_attribute(out, "endElement", component);
        fa_markup_attribute(out, "endConnector", table->row[row].name);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static void put_units(fa_markup *out, const fa_variables *table)
{
    bool used[FA_UNIT_COUNT] = {false};
    for (int row = 0; row < table->first[FA_LOCAL]; row++) used[table->row[row].unit] = true;
    fa_markup_open(out, "ssd:Units");
    for (int unit = FA_UNIT_NONE + 1; unit < FA_UNIT_COUNT; unit++) {
        static const char *const base[] = {"kg", "m", "s", "A", "rad"};
        const fa_unit_row       *u = &fa_units[unit];
        const int                exponent[] = {u->kg, u->m, u->s, u->A, u->rad};
        if (!used[unit]) continue;
        fa_markup_open(out, "ssc:Unit");
        fa_markup_attribute(out, "name", u->name);
        fa_markup_open(out, "ssc:BaseUnit");
        for (int i = 0; i < 5; i++)
            if (exponent[i] != 0) fa_markup_integer(out, base[i], exponent[i]);
        fa_markup_close(out);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static fa_status write_structure(const fa_robot *robot, const fa_variables *table,
                                 const fa_options *options, bool connected, char **text,
                                 size_t *size, fa_error *error)
{
    char      source[FA_NAME_SIZE + 32];
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "ssd:SystemStructureDescription");
    fa_markup_attribute(&out, "xmlns:ssd",
                        "http://ssp-standard.org/SSP1/SystemStructureDescription");
    fa_markup_attribute(&out, "xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    fa_markup_attribute(&out, "version", "1.0");
    fa_markup_attribute(&out, "name", options->identifier);
    fa_markup_open(&out, "ssd:System");
    fa_markup_attribute(&out, "name", "system");
    if (connected) put_connectors(&out, robot, table);
    fa_markup_open(&out, "ssd:Elements");
    fa_markup_open(&out, "ssd:Component");
    fa_markup_attribute(&out, "name", options->identifier);
    fa_markup_attribute(&out, "type", "application/x-fmu-sharedlibrary");
    (void)snprintf(source, sizeof source, "resources/%s.fmu", options->identifier);
    fa_markup_attribute(&out, "source", source);
    put_connectors(&out, robot, table);
    fa_markup_open(&out, "ssd:ParameterBindings");
    fa_markup_open(&out, "ssd:ParameterBinding");
    fa_markup_attribute(&out, "type", "application/x-ssp-parameter-set");
    (void)snprintf(source, sizeof source, "resources/%s.ssv", options->identifier);
    fa_markup_attribute(&out, "source", source);
    fa_markup_close(&out);
    fa_markup_close(&out);
    fa_markup_close(&out);
    fa_markup_close(&out);
    if (connected) put_connections(&out, robot, table, options->identifier);
    fa_markup_close(&out);
    put_units(&out, table);
    fa_markup_open(&out, "ssd:DefaultExperiment");
    fa_markup_number(&out, "startTime", 0);
    fa_markup_number(&out, "stopTime", FA_DEFAULT_STOP);
    fa_markup_close(&out);
    fa_markup_close(&out);
    return fa_markup_finish(&out, text, size, error);
}

static fa_status write_parameters(const fa_variables *table, const fa_options *options, char **text,
                                  size_t *size, fa_error *error)
{
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "ssv:ParameterSet");
    fa_markup_attribute(&out, "xmlns:ssv",
                        "http://ssp-standard.org/SSP1/SystemStructureParameterValues");
    fa_markup_attribute(&out, "version", "1.0");
    fa_markup_attribute(&out, "name", options->identifier);
    fa_markup_open(&out, "ssv:Parameters");
    for (int row = 0; row < table->first[FA_INPUT]; row++) {
        const fa_variable *v = &table->row[row];
        char               type[16] = "ssv:";
        if (!isfinite(v->start)) continue; // an infinite limit: not given
        fa_markup_open(&out, "ssv:Parameter");
        fa_markup_attribute(&out, "name", v->name);
        fa_markup_open(&out, strcat(type, types[v->type]));
        if (v->type == FA_BOOLEAN)
            fa_markup_attribute(&out, "value", v->start != 0 ? "true" : "false");
        else
            fa_markup_number(&out, "value", v->start);
        fa_markup_close(&out);
        fa_markup_close(&out);
    }
    fa_markup_close(&out);
    fa_markup_close(&out);
    return fa_markup_finish(&out, text, size, error);
}

fa_status fa_ssp_write(const fa_robot *robot, const fa_options *options, const char *fmu_path,
                       bool connected, char **data, size_t *size, fa_error *error)
{
    fa_variables table;
    fa_archive   archive = {.n = 0};
    void        *block;
    char        *text;
    size_t       length;
    fa_status    status =
        fa_plant_variables(fa_plant_find(robot->plant), robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    status = write_structure(robot, &table, options, connected, &text, &length, error);
    if (status == FA_OK)
        status = fa_archive_add(&archive, text, length, false, error, "SystemStructure.ssd");
    if (status == FA_OK) status = write_parameters(&table, options, &text, &length, error);
    if (status == FA_OK)
        status = fa_archive_add(&archive, text, length, false, error, "resources/%s.ssv",
                                options->identifier);
    if (status == FA_OK) status = fa_file_read(fmu_path, FMU_LIMIT, &text, &length, error);
    if (status == FA_OK)
        status = fa_archive_add(&archive, text, length, false, error, "resources/%s.fmu",
                                options->identifier);
    if (status == FA_OK) status = fa_archive_pack(&archive, data, size, error);
    fa_archive_free(&archive);
    free(block);
    return status;
}
