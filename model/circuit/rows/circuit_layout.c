// Memory layout of a circuit, evaluation order of its laws, and addresses of their arguments.
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "arm.h"
#include "arm_table.h"
#include "circuit.h"
#include "mechanism.h"
#include "robot_circuit.h"

typedef struct counts {
    int units, tables, places, cylinders, motors;
} counts;

// Upper bounds of the counts.
static counts count(const fa_robot *robot)
{
    counts n = {.units = 2 * robot->n_parts + robot->n_edges + robot->n_nodes + robot->n_cylinders,
                .tables = robot->n_edges,
                .cylinders = robot->n_cylinders,
                .motors = robot->n_parts};
    n.places = 2 * robot->n_nodes + 2 * robot->n_cylinders + robot->n_edges + 6 * robot->n_parts +
               FA_CIRCUIT_ACCOUNTS;
    return n;
}

static size_t lay_out(fa_circuit *c, char *base, const fa_robot *robot, fa_variable **row)
{
    fa_arena        a = {base, 0};
    fa_circuit      measured, *to = c ? c : &measured; // cppcheck-suppress uninitvar ; only written
    const counts    n = count(robot);
    const fa_plant *plant = fa_circuit_inner(robot);
    const size_t    inner = plant ? (size_t)fa_circuit_inner_rows(robot) : 0;
    fa_arena_take(&a, 1, sizeof *to);
    to->arm = plant ? fa_arena_take(&a, 1, plant->size(robot)) : NULL;
    to->inner = fa_arena_take(&a, inner, sizeof *to->inner);
    to->inner_change = fa_arena_take(&a, inner, sizeof *to->inner_change);
    to->outer_of = fa_arena_take(&a, inner, sizeof *to->outer_of);
    to->group_of = fa_arena_take(&a, inner, sizeof *to->group_of);
    to->role_of = fa_arena_take(&a, inner, sizeof *to->role_of);
    to->place = fa_arena_take(&a, (size_t)n.places, sizeof *to->place);
    to->place_change = fa_arena_take(&a, (size_t)n.places, sizeof *to->place_change);
    to->out = fa_arena_take(&a, (size_t)n.units * FA_UNIT_RESULTS, sizeof *to->out);
    to->unit = fa_arena_take(&a, (size_t)n.units, sizeof *to->unit);
    to->table = fa_arena_take(&a, (size_t)n.tables, sizeof *to->table);
    to->copy = fa_arena_take(&a, 2 * (size_t)n.cylinders, sizeof *to->copy);
    to->motor = fa_arena_take(&a, (size_t)n.motors, sizeof *to->motor);
    to->cylinder = fa_arena_take(&a, (size_t)n.cylinders, sizeof *to->cylinder);
    to->oil = fa_arena_take(&a, 8 * (size_t)n.cylinders, sizeof *to->oil);
    *row = fa_arena_take(&a, inner, sizeof **row); // of preparation alone
    to->n_inner = (int)inner;
    return a.size;
}

size_t fa_circuit_size(const fa_robot *robot)
{
    fa_variable *row;
    return lay_out(NULL, NULL, robot, &row);
}

// ------------------------------------------------------------------------------- rows and places

typedef struct layer {
    fa_circuit         *c;
    const fa_robot     *robot;
    const fa_variables *table;
    const fa_variable  *inner;       // rows of the arm inside
    int                 net;         // first places: of nodes; capacities follow
    int                 conductance; // of edges
    int                 report;      // of parts: what a section reports, a line's highest, a torque
} layer;

static int row_with(const fa_variables *table, int quantity, int of, int which)
{
    for (int row = 0; row < table->n; row++)
        if (table->row[row].quantity == quantity &&
            table->row[row].index == of * FA_CIRCUIT_STRIDE + which)
            return row;
    return FA_NO_ROW;
}

static int inner_with(const layer *l, int quantity, int index)
{
    for (int row = 0; row < l->c->n_inner; row++)
        if (l->inner[row].quantity == quantity && l->inner[row].index == index) return row;
    return FA_NO_ROW;
}

static int outer_with(const layer *l, int quantity, int index)
{
    const int row = inner_with(l, quantity, index);
    return row == FA_NO_ROW ? FA_NO_ROW : l->c->outer_of[row];
}

static int places(fa_circuit *c, int n)
{
    const int first = c->n_rows + c->n_places;
    c->n_places += n;
    return first;
}

static int pressure_of(const layer *l, int node)
{
    return row_with(l->table, FA_CIRCUIT_PRESSURE, node, 0);
}

static int real_index(const fa_element *e, const char *name)
{
    return fa_element_real_index(e, name, strlen(name));
}

static int result_index(const fa_element *e, const char *name)
{
    return fa_element_result_index(e, name, strlen(name));
}

// ------------------------------------------------------------------------------------------ laws

static fa_circuit_unit *add(layer *l, int element, const char *about)
{
    fa_circuit_unit  *u = &l->c->unit[l->c->n_units++];
    const fa_element *e = &fa_elements[element];
    memset(u, 0, sizeof *u);
    u->element = element;
    u->spool = u->table = u->backward = -1;
    (void)snprintf(u->about, sizeof u->about, "%s", about);
    for (int i = 0; i < FA_UNIT_REALS; i++) u->real[i] = FA_NO_ROW;
    for (int i = 0; i < FA_UNIT_RESULTS; i++) u->result[i] = u->row[i] = FA_NO_ROW;
    for (int i = 0; i < e->n_results; i++) {
        const int kind = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, i)->type;
        u->account[i] = kind == FA_RESULT_SUPPLIED        ? 0
                        : kind == FA_RESULT_DRIVE         ? 1
                        : kind == FA_RESULT_FRICTION_LOSS ? 2
                        : kind == FA_RESULT_STORING       ? 3
                                                          : -1;
    }
    return u;
}

static void set_real(fa_circuit_unit *u, const char *name, int address)
{
    u->real[real_index(&fa_elements[u->element], name)] = address;
}

static void set_result(fa_circuit_unit *u, const char *name, int place)
{
    u->result[result_index(&fa_elements[u->element], name)] = place;
}

static void copy_flags(fa_circuit_unit *u, const void *in)
{
    const fa_element *e = &fa_elements[u->element];
    for (int i = 0; i < e->n_flags; i++)
        u->flag[i] = ((const bool *)((const char *)in + (size_t)e->n_reals * sizeof(double)))[i];
}

// Numbers of the oil.
static void take_oil(const layer *l, fa_circuit_unit *u)
{
    const fa_element *e = &fa_elements[u->element], *oil = &fa_elements[FA_ELEMENT_oil];
    for (int i = 0; i < oil->n_numbers; i++) {
        const int      real = real_index(e, oil->item[i].name);
        const fa_item *item =
            real < 0 ? NULL : fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, real);
        if (item && item->kind == FA_ITEM_NUMBER_OF)
            u->real[real] = row_with(l->table, FA_CIRCUIT_OIL, 0, i);
    }
}

// Flows and capacities, to the nodes at the ports; node[] in the order of the ports.
static void connect(const layer *l, fa_circuit_unit *u, const int node[])
{
    const fa_element *e = &fa_elements[u->element];
    for (int i = 0; i < e->n_items; i++) {
        const fa_item *item = &e->item[i];
        if (item->kind != FA_ITEM_BETWEEN) continue;
        const int  result = result_index(e, item->name);
        const bool capacity =
            fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, result)->type == FA_RESULT_CAPACITY;
        for (int k = 0, port = 0; k < e->n_items; k++) {
            if (e->item[k].kind != FA_ITEM_GIVEN || !e->item[k].xml) continue;
            const bool from = strcmp(e->item[k].name, item->xml) == 0;
            const bool to = strcmp(e->item[k].name, item->word) == 0;
            const int  at = l->net + node[port++] + (capacity ? l->robot->n_nodes : 0);
            if (!from && !to) continue;
            u->between[u->n_between].result = result;
            u->between[u->n_between].to = at;
            u->between[u->n_between++].sign = capacity || to ? 1 : -1;
        }
    }
}

static void take_ports(const layer *l, fa_circuit_unit *u, const int node[])
{
    const fa_element *e = &fa_elements[u->element];
    for (int i = 0, real = 0, port = 0; i < e->n_items && e->item[i].kind <= FA_ITEM_MODE;
         i++, real++)
        if (e->item[i].kind == FA_ITEM_GIVEN && e->item[i].xml)
            u->real[real] = pressure_of(l, node[port++]);
}

static void take_rows(const layer *l, fa_circuit_unit *u, int part)
{
    const fa_element *e = &fa_elements[u->element];
    for (int i = 0, real = 0; i < e->n_items && e->item[i].kind <= FA_ITEM_MODE; i++, real++)
        if (e->item[i].kind == FA_ITEM_NUMBER || e->item[i].kind == FA_ITEM_INPUT ||
            e->item[i].kind == FA_ITEM_STATE)
            u->real[real] = row_with(l->table, FA_CIRCUIT_REAL, part, real);
    for (int i = 0; i < e->n_results; i++) {
        u->row[i] = row_with(l->table, FA_CIRCUIT_RESULT, part, i);
        if (u->row[i] != FA_NO_ROW) u->group[i] = l->table->row[u->row[i]].group;
    }
}

static const int edge_side[] = {
#define X(code, word, side) side,
    FA_EDGE_LIST(X)
#undef X
};

static const char *const edge_word[] = {
#define X(code, word, side) word,
    FA_EDGE_LIST(X)
#undef X
};

static void add_edge(layer *l, int index, int spool)
{
    const fa_circuit_edge *edge = fa_robot_edge(l->robot, index);
    fa_circuit_table      *table = &l->c->table[l->c->n_tables];
    double                 in[16];
    fa_circuit_unit       *u =
        add(l, FA_ELEMENT_edge, fa_circuit_about(fa_robot_circuit_part(l->robot, edge->part)).text);
    fa_circuit_fill_edge(l->robot, edge, in);
    copy_flags(u, in);
    for (int i = 0; i < 2; i++) u->real[i] = row_with(l->table, FA_CIRCUIT_EDGE, index, i);
    take_oil(l, u);
    u->spool = spool;
    u->side = edge_side[edge->kind];
    u->table = l->c->n_tables++;
    set_result(u, "conductance", l->conductance + index);
    *table = (fa_circuit_table){.spool = row_with(l->table, FA_CIRCUIT_EDGE_SPOOL, index, 0),
                                .height = row_with(l->table, FA_CIRCUIT_EDGE_HEIGHT, index, 0),
                                .points = {.n = edge->table.n}};
}

static void add_section(layer *l, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(l->robot, index);
    const fa_element      *e = &fa_elements[FA_ELEMENT_section];
    const int spool = row_with(l->table, FA_CIRCUIT_REAL, index, real_index(e, "spool"));
    double    in[64];
    for (int k = 0; k < l->robot->n_edges; k++)
        if (fa_robot_edge(l->robot, k)->part == index) add_edge(l, k, spool);
    fa_circuit_unit *u = add(l, FA_ELEMENT_section, fa_circuit_about(part).text);
    fa_circuit_fill(l->robot, part, in);
    copy_flags(u, in);
    take_rows(l, u, index);
    take_ports(l, u, part->port);
    connect(l, u, part->port);
    u->spool = spool;
    u->backward = fa_element_flag_index(e, "backward", 8);
    for (int k = 0; k < l->robot->n_edges; k++)
        if (fa_robot_edge(l->robot, k)->part == index)
            set_real(u, edge_word[fa_robot_edge(l->robot, k)->kind], l->conductance + k);
    if (part->sensing != FA_NOBODY)
        set_real(u, "p_ls",
                 row_with(l->table, FA_CIRCUIT_REAL, part->sensing,
                          real_index(&fa_elements[FA_ELEMENT_load_sensing], "pressure")));
    set_result(u, "ls_pressure", l->report + index);
}

// A line, behind all sections: the highest report, folded in the order of the file.
static void add_sensing(layer *l, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(l->robot, index);
    double                 in[64];
    int                    highest = FA_NO_ROW;
    for (int k = 0; k < l->robot->n_parts; k++) {
        const fa_circuit_part *section = fa_robot_circuit_part(l->robot, k);
        if (section->kind != FA_CIRCUIT_VALVE || section->sensing != index) continue;
        if (highest == FA_NO_ROW) {
            highest = l->report + k;
            continue;
        }
        fa_circuit_unit *u = add(l, FA_ELEMENT_shuttle, fa_circuit_about(part).text);
        set_real(u, "width",
                 row_with(l->table, FA_CIRCUIT_REAL, index,
                          real_index(&fa_elements[FA_ELEMENT_load_sensing], "width")));
        set_real(u, "one", highest);
        set_real(u, "other", l->report + k);
        highest = places(l->c, 1);
        set_result(u, "higher", highest);
    }
    fa_circuit_unit *u = add(l, FA_ELEMENT_load_sensing, fa_circuit_about(part).text);
    fa_circuit_fill(l->robot, part, in);
    copy_flags(u, in);
    take_rows(l, u, index);
    set_real(u, "highest", highest);
}

static void add_part(layer *l, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(l->robot, index);
    double                 in[64];
    fa_circuit_unit *u = add(l, fa_circuit_kinds[part->kind].element, fa_circuit_about(part).text);
    fa_circuit_fill(l->robot, part, in);
    copy_flags(u, in);
    take_rows(l, u, index);
    take_oil(l, u);
    take_ports(l, u, part->port);
    connect(l, u, part->port);
    if (part->kind == FA_CIRCUIT_PUMP && part->sensing != FA_NOBODY)
        set_real(u, "p_ls",
                 row_with(l->table, FA_CIRCUIT_REAL, part->sensing,
                          real_index(&fa_elements[FA_ELEMENT_load_sensing], "pressure")));
    if (part->kind != FA_CIRCUIT_MOTOR) return;
    const fa_element *e = &fa_elements[FA_ELEMENT_hydraulic_motor];
    set_real(u, "velocity", outer_with(l, FA_ARM_VELOCITY, part->joint));
    set_result(u, "torque", l->report + index);
    fa_circuit_joint *motor = &l->c->motor[l->c->n_motors++];
    *motor = (fa_circuit_joint){.torque = inner_with(l, FA_ARM_TORQUE, part->joint),
                                .rotor = inner_with(l, FA_AT(rotor.inertia), part->joint),
                                .rotor_gear = inner_with(l, FA_AT(rotor.gear), part->joint),
                                .outer_gear = outer_with(l, FA_AT(rotor.gear), part->joint),
                                .gear = u->real[real_index(e, "gear")],
                                .inertia = u->real[real_index(e, "inertia")],
                                .torque_at = l->report + index,
                                .velocity = inner_with(l, FA_ARM_VELOCITY, part->joint),
                                .velocity_at = FA_NO_ROW};
    // The arm's own table tells: a joint that loops determine has its speed as a result.
    motor->follows = l->inner[motor->velocity].group != 0;
    if (!motor->follows) return;
    l->c->follows = true;
    motor->velocity_at = places(l->c, 1);
    set_real(u, "velocity", motor->velocity_at);
}

// -------------------------------------------------------------------------------- behind the arm

static void add_cylinder(layer *l, int index)
{
    const fa_cylinder   *cylinder = fa_robot_cylinder(l->robot, index);
    const fa_element    *e = &fa_elements[FA_ELEMENT_chambers];
    fa_circuit_cylinder *to = &l->c->cylinder[l->c->n_cylinders++];
    char                 about[160];
    (void)snprintf(about, sizeof about, "cylinder '%s'", cylinder->name);
    fa_circuit_unit *u = add(l, FA_ELEMENT_chambers, about);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) {
        const int real = real_index(e, fa_cylinder_row_of(i).item->name);
        if (real >= 0) u->real[real] = outer_with(l, FA_ARM_AXIS_GIVEN, index * FA_AXIS_STRIDE + i);
    }
    take_oil(l, u);
    take_ports(l, u, cylinder->node);
    connect(l, u, cylinder->node);
    *to = (fa_circuit_cylinder){.length = inner_with(l, FA_ARM_CYLINDER_LENGTH, index),
                                .rate = inner_with(l, FA_ARM_CYLINDER_RATE, index),
                                .length_at = places(l->c, 1)};
    to->rate_at = places(l->c, 1);
    set_real(u, "length", to->length_at);
    set_real(u, "rate", to->rate_at);
    for (int side = 0; side < 2; side++) {
        to->node[side] = pressure_of(l, cylinder->node[side]);
        to->pressure[side] =
            inner_with(l, FA_ARM_AXIS_GIVEN,
                       index * FA_AXIS_STRIDE + (side ? FA_AXIS_PRESSURE_B : FA_AXIS_PRESSURE_A));
        l->c->copy[l->c->n_copies++] =
            (fa_circuit_copy){row_with(l->table, FA_CIRCUIT_CHAMBER, index, side), to->node[side]};
    }
    static const struct {
        fa_cylinder_number number;
        const char        *name;
    } oil[] = {{FA_CYLINDER_bulk_modulus, "bulk_modulus"},
               {FA_CYLINDER_air, "air"},
               {FA_CYLINDER_exponent, "exponent"},
               {FA_CYLINDER_atmosphere, "atmosphere"},
               {FA_CYLINDER_vapour, "vapour"}};
    for (size_t i = 0; i < sizeof oil / sizeof *oil; i++)
        l->c->oil[l->c->n_oil++] = (fa_circuit_copy){
            inner_with(l, FA_ARM_AXIS_GIVEN, index * FA_AXIS_STRIDE + (int)oil[i].number),
            row_with(l->table, FA_CIRCUIT_OIL, 0,
                     real_index(&fa_elements[FA_ELEMENT_oil], oil[i].name))};
}

static void add_node(layer *l, int node)
{
    const int  net = l->net + node, pressure = pressure_of(l, node);
    const bool given = fa_circuit_gives(l->robot, node);
    char       about[160];
    if (pressure == FA_NO_ROW) return; // an unused name
    (void)snprintf(about, sizeof about, "node '%s'", fa_robot_node(l->robot, node)->name);
    fa_circuit_unit *u = add(l, given ? FA_ELEMENT_reservoir : FA_ELEMENT_node, about);
    set_real(u, "pressure", pressure);
    set_real(u, "net", net);
    if (given) return;
    take_oil(l, u);
    set_real(u, "capacity", net + l->robot->n_nodes);
    const int rate = result_index(&fa_elements[FA_ELEMENT_node], "pressure_rate");
    u->row[rate] = row_with(l->table, FA_CIRCUIT_PRESSURE_RATE, node, 0);
    u->group[rate] = FA_GROUP_DERIVATIVES;
}

// The arm's rows and the table's, which list them in the same order within a role.
static void pair_rows(layer *l)
{
    const int first = l->c->plant == &fa_mechanism_plant ? FA_COMMON_ROWS : 0;
    int       at[FA_ROLE_COUNT];
    for (int r = 0; r < FA_ROLE_COUNT; r++) at[r] = l->table->first[r];
    at[FA_PARAMETER] += FA_COMMON_ROWS;
    for (int row = 0; row < first; row++) {
        l->c->role_of[row] = FA_PARAMETER;
        l->c->group_of[row] = 0;
        l->c->outer_of[row] = FA_NO_ROW;
    }
    for (int row = first; row < l->c->n_inner; row++) {
        const fa_variable *v = &l->inner[row];
        l->c->role_of[row] = v->role;
        l->c->group_of[row] = v->group;
        l->c->outer_of[row] = FA_NO_ROW;
        if (fa_circuit_hides(l->robot, v)) continue;
        l->c->outer_of[row] = at[v->role]++;
    }
}

void fa_circuit_prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    fa_circuit  *c = self;
    fa_variable *row;
    memset(c, 0, sizeof *c);
    lay_out(c, self, robot, &row);
    c->plant = fa_circuit_inner(robot);
    c->n_rows = variables->n;
    fa_variables inner = {.row = row};
    fa_circuit_inner_table(robot, &inner);
    layer l = {.c = c, .robot = robot, .table = variables, .inner = row};
    if (c->plant) c->plant->prepare(c->arm, robot, &inner);
    for (int i = 0; i < c->n_inner; i++) {
        c->inner[i] = row[i].start;
        c->inner_change[i] = 0;
    }
    pair_rows(&l);
    l.net = places(c, 2 * robot->n_nodes);
    l.conductance = places(c, robot->n_edges);
    l.report = places(c, robot->n_parts);
    c->power_at = places(c, FA_CIRCUIT_ACCOUNTS) - c->n_rows;
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS; i++)
        c->power[i] = row_with(variables, FA_CIRCUIT_POWER, 0, i);
    for (int k = 0; k < robot->n_parts; k++)
        if (fa_robot_circuit_part(robot, k)->kind == FA_CIRCUIT_VALVE) add_section(&l, k);
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_kind kind = fa_robot_circuit_part(robot, k)->kind;
        if (kind == FA_CIRCUIT_SENSING)
            add_sensing(&l, k);
        else if (kind > FA_CIRCUIT_SUPPLY && kind != FA_CIRCUIT_VALVE)
            add_part(&l, k);
    }
    c->n_before = c->n_units;
    for (int k = 0; k < robot->n_cylinders; k++)
        if (fa_robot_cylinder(robot, k)->cut == FA_CUT_CIRCUIT) add_cylinder(&l, k);
    for (int k = 0; k < robot->n_nodes; k++) add_node(&l, k);
}
