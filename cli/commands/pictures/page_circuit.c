// The circuit on the viewer's page: a picture as text, and lists of variables.
#include "page_circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_picture.h"
#include "robot_circuit.h"

// Returns the name of a variable of a part; NULL: there is none.
static const char *name_of(const fa_variables *table, fa_owner owner, int part,
                           const char *quantity)
{
    for (int row = 0; row < table->n; row++)
        if (table->row[row].key.part == part && fa_variable_is(&table->row[row], owner, quantity))
            return table->row[row].name;
    return NULL;
}

static const char *pressure_of(const fa_variables *table, int node)
{
    return name_of(table, FA_OF_NODE, node, "pressure");
}

// A flow that a part takes from a node: 1, or gives it: -1. By index of its ports.
typedef struct draught {
    fa_circuit_kind kind;
    const char     *flow;
    int             port, sign;
} draught;

static const draught draughts[] = {
    {FA_CIRCUIT_ORIFICE, "flow", 0, 1},        {FA_CIRCUIT_ORIFICE, "flow", 1, -1},
    {FA_CIRCUIT_FILTER, "flow", 0, 1},         {FA_CIRCUIT_FILTER, "flow", 1, -1},
    {FA_CIRCUIT_LINE, "flow", 0, 1},           {FA_CIRCUIT_LINE, "flow", 1, -1},
    {FA_CIRCUIT_CHECK, "flow", 0, 1},          {FA_CIRCUIT_CHECK, "flow", 1, -1},
    {FA_CIRCUIT_RELIEF, "flow", 0, 1},         {FA_CIRCUIT_RELIEF, "flow", 1, -1},
    {FA_CIRCUIT_PILOT_CHECK, "flow", 0, 1},    {FA_CIRCUIT_PILOT_CHECK, "flow", 1, -1},
    {FA_CIRCUIT_COUNTERBALANCE, "flow", 1, 1}, {FA_CIRCUIT_COUNTERBALANCE, "flow", 0, -1},
    {FA_CIRCUIT_VALVE, "supply_flow", 0, 1},   {FA_CIRCUIT_VALVE, "tank_flow", 1, -1},
    {FA_CIRCUIT_VALVE, "flow_a", 2, -1},       {FA_CIRCUIT_VALVE, "flow_b", 3, -1},
};

enum { DRAUGHTS = sizeof draughts / sizeof *draughts };

// Writes what a part loses: sums of flow times pressure.
static void put_part(fa_json *json, const fa_robot *robot, const fa_variables *table, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    const fa_owner         owner = (fa_owner)fa_circuit_kinds[part->kind].owner;
    bool                   any = false;
    for (int i = 0; i < DRAUGHTS; i++) any |= draughts[i].kind == part->kind;
    if (!any) return;
    char label[FA_NAME_SIZE + 32];
    (void)snprintf(label, sizeof label, "%s %s", fa_circuit_kinds[part->kind].xml, part->name);
    fa_json_open(json, NULL, '{');
    fa_json_text(json, "name", label);
    fa_json_open(json, "takes", '[');
    for (int i = 0; i < DRAUGHTS; i++) {
        if (draughts[i].kind != part->kind) continue;
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "flow", name_of(table, owner, index, draughts[i].flow));
        fa_json_text(json, "pressure", pressure_of(table, part->port[draughts[i].port]));
        fa_json_number(json, "sign", draughts[i].sign);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
    fa_json_close(json, '}');
}

fa_status fa_page_put_circuit(fa_json *json, const fa_robot *robot, const fa_variables *table,
                              fa_error *error)
{
    char  *picture = NULL;
    size_t size;
    if (!fa_robot_has_circuit(robot)) return FA_OK;
    const fa_status status = fa_circuit_picture(robot, &picture, &size, error);
    if (status != FA_OK) return status;
    fa_json_open(json, "circuit", '{');
    fa_json_text(json, "picture", picture);
    fa_json_open(json, "pressures", '[');
    for (int k = 0; k < robot->n_nodes; k++) fa_json_text(json, NULL, pressure_of(table, k));
    fa_json_close(json, ']');
    fa_json_open(json, "parts", '[');
    for (int k = 0; k < robot->n_parts; k++) put_part(json, robot, table, k);
    fa_json_close(json, ']');
    fa_json_close(json, '}');
    free(picture);
    return FA_OK;
}
