// The variables of a circuit, and of the arm in it. Names are a contract (docs/circuits.md).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "circuit.h"
#include "description.h"
#include "mechanism.h"
#include "number.h"
#include "robot_circuit.h"

enum { DESCRIPTION = 512 };

static const char *const edge_word[] = {
#define X(code, word, side) word,
    FA_EDGE_LIST(X)
#undef X
};

// ---------------------------------------------------------------------------------- the arm inside

const fa_plant *fa_circuit_inner(const fa_robot *robot)
{
    if (robot->n_links == 1) return NULL;
    return fa_robot_is_mechanism(robot) ? &fa_mechanism_plant : &fa_arm_plant;
}

void fa_circuit_inner_table(const fa_robot *robot, fa_variables *table)
{
    const fa_plant   *plant = fa_circuit_inner(robot);
    const fa_variable time = fa_variable_of(FA_TIME, FA_UNIT_SECOND, 0);
    if (!plant) return;
    if (plant == &fa_mechanism_plant) // which finds its rows where a whole table has them
        for (int i = 0; i < FA_COMMON_ROWS; i++)
            fa_variable_add(table, fa_variable_of(FA_PARAMETER, FA_UNIT_NONE, 0),
                            fa_key_of(FA_OF_ROBOT, "solver"), "");
    (void)plant->declare(robot, table, NULL);
    fa_variable_add(table, time, fa_key_of(FA_OF_ROBOT, "time"), "");
}

int fa_circuit_inner_rows(const fa_robot *robot)
{
    fa_variables measured = {0};
    fa_circuit_inner_table(robot, &measured);
    return measured.n;
}

bool fa_circuit_hides(const fa_robot *robot, const fa_variable *inner)
{
    const int slot = inner->index % FA_AXIS_STRIDE, k = inner->index / FA_AXIS_STRIDE;
    if (inner->role == FA_TIME) return true;
    if (inner->quantity < FA_ARM_AXIS_GIVEN || inner->quantity > FA_ARM_AXIS_RESULT) return false;
    if (fa_robot_cylinder(robot, k)->cut != FA_CUT_CIRCUIT) return false;
    if (inner->quantity == FA_ARM_AXIS_INITIAL) return true;
    if (inner->quantity == FA_ARM_AXIS_RESULT)
        return slot == FA_AXIS_PRESSURE_A_RATE || slot == FA_AXIS_PRESSURE_B_RATE;
    return slot == FA_AXIS_PRESSURE_A || slot == FA_AXIS_PRESSURE_B || slot == FA_AXIS_FLOW_A_IN ||
           slot == FA_AXIS_FLOW_B_IN || slot == FA_CYLINDER_bulk_modulus ||
           slot == FA_CYLINDER_air || slot == FA_CYLINDER_exponent ||
           slot == FA_CYLINDER_atmosphere || slot == FA_CYLINDER_vapour;
}

typedef struct lister {
    const fa_robot *robot;
    fa_variables   *to;
    fa_variables    inner; // the table of the arm inside, with names
    int            *outer_of;
    void           *block;
} lister;

// A row of the arm inside, by the same key.
static void copy_row(lister *l, int row)
{
    const fa_variable *from = &l->inner.row[row];
    const fa_slice     part = fa_key_part(&from->key, from->name);
    char               name[2 * FA_NAME_SIZE], quantity[2 * FA_NAME_SIZE];
    const char        *word = from->name + from->key.word;
    fa_key             key = {.owner = (fa_owner)from->key.owner,
                              .part = from->key.part,
                              .name = from->key.numbered || from->key.part == FA_NO_PART ? NULL : name,
                              .quantity = quantity,
                              .axis = (fa_along)from->key.axis};
    (void)snprintf(name, sizeof name, "%.*s", part.length, part.text);
    (void)snprintf(quantity, sizeof quantity, "%.*s", from->key.length, word);
    l->outer_of[row] =
        fa_variable_add(l->to, *from, key, from->description ? from->description : "");
}

// The rows of a role, but those of the solver, which every table begins with.
static void copy_role(lister *l, fa_role role)
{
    const int first = fa_circuit_inner(l->robot) == &fa_mechanism_plant ? FA_COMMON_ROWS : 0;
    for (int row = first; row < l->inner.n; row++)
        if (l->inner.row[row].role == role && !fa_circuit_hides(l->robot, &l->inner.row[row]))
            copy_row(l, row);
}

// ------------------------------------------------------------------------------------------ rows

static fa_variable row_of(fa_role role, fa_unit unit, double start, int quantity, int of, int which)
{
    fa_variable row = fa_variable_of(role, unit, start);
    row.quantity = (int16_t)quantity;
    row.index = of * FA_CIRCUIT_STRIDE + which;
    return row;
}

static void add_part(lister *l, int index, fa_variable row, const char *quantity, const char *about)
{
    const fa_circuit_part *part = fa_robot_circuit_part(l->robot, index);
    const fa_element      *e = fa_circuit_element(part->kind);
    char                   text[DESCRIPTION], owner[FA_NAME_SIZE + 32];
    double                 in[64];
    fa_circuit_fill(l->robot, part, in);
    (void)snprintf(owner, sizeof owner, "%s %s", e->about, part->name);
    fa_item_text(e, about, in, false, owner, text, sizeof text);
    fa_variable_add(
        l->to, row,
        fa_key_of_part((fa_owner)fa_circuit_kinds[part->kind].owner, index, part->name, quantity),
        text);
}

static fa_variable number_row(const fa_item *item, double start, int quantity, int of, int which)
{
    fa_variable row = row_of(FA_PARAMETER, (fa_unit)item->unit, start, quantity, of, which);
    if (item->rule == FA_RULE_ABOVE_ZERO) row.minimum = FA_POSITIVE;
    if (item->rule == FA_RULE_NOT_NEGATIVE) row.minimum = 0;
    return row;
}

static void edges(lister *l, int part)
{
    char quantity[64], about[DESCRIPTION];
    for (int k = 0; k < l->robot->n_edges; k++) {
        const fa_circuit_edge *edge = fa_robot_edge(l->robot, k);
        const fa_element      *e = &fa_elements[FA_ELEMENT_edge];
        const char            *word = edge_word[edge->kind];
        const char            *height = edge->by_area ? "area" : "flow";
        double                 in[16];
        if (edge->part != part) continue;
        fa_circuit_fill_edge(l->robot, edge, in);
        for (int i = 0; i < e->n_numbers; i++) {
            if (!fa_element_has(e, &e->item[i], in)) continue;
            (void)snprintf(quantity, sizeof quantity, "%s_%s", word, e->item[i].row);
            (void)snprintf(about, sizeof about, "%s",
                           i == 0 ? "Pressure drop of the table of an edge"
                                  : "Discharge coefficient of an edge");
            add_part(l, part, number_row(&e->item[i], edge->number[i], FA_CIRCUIT_EDGE, k, i),
                     quantity, about);
        }
        for (int i = 0; i < edge->table.n; i++) {
            (void)snprintf(quantity, sizeof quantity, "%s_spool[%d]", word, i + 1);
            fa_variable row =
                row_of(FA_PARAMETER, FA_UNIT_NONE, edge->table.x[i], FA_CIRCUIT_EDGE_SPOOL, k, i);
            row.minimum = 0;
            add_part(l, part, row, quantity, "Place of the spool, of the table of an edge");
        }
        for (int i = 0; i < edge->table.n; i++) {
            (void)snprintf(quantity, sizeof quantity, "%s_%s[%d]", word, height, i + 1);
            fa_variable row =
                row_of(FA_PARAMETER, edge->by_area ? FA_UNIT_METRE2 : FA_UNIT_METRE3_PER_SECOND,
                       edge->table.y[i], FA_CIRCUIT_EDGE_HEIGHT, k, i);
            row.minimum = 0;
            add_part(l, part, row, quantity,
                     edge->by_area ? "Area, of the table of an edge"
                                   : "Flow, of the table of an edge");
        }
    }
}

static void numbers(lister *l)
{
    const fa_element *oil = &fa_elements[FA_ELEMENT_oil];
    for (int i = 0; i < oil->n_numbers; i++)
        fa_variable_add(
            l->to,
            number_row(&oil->item[i], (&l->robot->oil.bulk_modulus)[i], FA_CIRCUIT_OIL, 0, i),
            fa_key_of(FA_OF_CIRCUIT, oil->item[i].row), oil->item[i].about);
    for (int k = 0; k < l->robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(l->robot, k);
        const fa_element      *e = fa_circuit_element(part->kind);
        for (int i = 0; i < e->n_numbers; i++)
            if (!isnan(part->number[i]))
                add_part(l, k, number_row(&e->item[i], part->number[i], FA_CIRCUIT_REAL, k, i),
                         e->item[i].row, e->item[i].about);
        if (part->kind == FA_CIRCUIT_VALVE) edges(l, k);
    }
}

// Index of a real of an element, by its item.
static int real_of(const fa_element *e, const fa_item *item)
{
    return fa_element_real_index(e, item->name, strlen(item->name));
}

static double start_of(const fa_circuit_part *part, const fa_item *item)
{
    const bool starts = part->kind == FA_CIRCUIT_SENSING || part->kind == FA_CIRCUIT_ACCUMULATOR ||
                        part->kind == FA_CIRCUIT_PUMP;
    return starts && item->kind == FA_ITEM_STATE && !isnan(part->start) ? part->start : 0;
}

// Calls for each state of a part that is there.
typedef void state_fn(lister *l, int part, const fa_element *e, const fa_item *item);

static void states_of(lister *l, int index, state_fn *each)
{
    const fa_circuit_part *part = fa_robot_circuit_part(l->robot, index);
    const fa_element      *e = fa_circuit_element(part->kind);
    double                 in[64];
    fa_circuit_fill(l->robot, part, in);
    for (int i = 0; i < e->n_items; i++)
        if (e->item[i].kind == FA_ITEM_STATE && fa_element_has(e, &e->item[i], in))
            each(l, index, e, &e->item[i]);
}

static void initial(lister *l, int part, const fa_element *e, const fa_item *item)
{
    char name[64], about[DESCRIPTION];
    (void)snprintf(name, sizeof name, "initial_%s", item->row);
    (void)snprintf(about, sizeof about, "%s, at the start", item->about);
    add_part(l, part,
             row_of(FA_PARAMETER, (fa_unit)item->unit,
                    start_of(fa_robot_circuit_part(l->robot, part), item), FA_CIRCUIT_INITIAL, part,
                    real_of(e, item)),
             name, about);
}

static int find(const lister *l, int quantity, int of, int which)
{
    for (int row = 0; l->to->row && row < l->to->n; row++)
        if (l->to->row[row].quantity == quantity &&
            l->to->row[row].index == of * FA_CIRCUIT_STRIDE + which)
            return row;
    return FA_NO_ROW;
}

static void state(lister *l, int part, const fa_element *e, const fa_item *item)
{
    fa_variable row =
        row_of(FA_STATE, (fa_unit)item->unit, start_of(fa_robot_circuit_part(l->robot, part), item),
               FA_CIRCUIT_REAL, part, real_of(e, item));
    row.nominal = item->range->nominal;
    row.initial = find(l, FA_CIRCUIT_INITIAL, part, real_of(e, item));
    add_part(l, part, row, item->row, item->about);
}

// The nodes that are states, in their order: those of cylinders, then of the parts of the file; of
// a line's halves those that nobody else makes.
static bool is_made_by(const fa_robot *robot, int node, int part)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < robot->n_parts; k++) {
            const fa_circuit_part *p = fa_robot_circuit_part(robot, k);
            if ((p->kind == FA_CIRCUIT_LINE) != pass) continue;
            for (int i = 0; i < fa_circuit_ports(p->kind); i++)
                if (p->port[i] == node && fa_circuit_stands(p, i)) return k == part;
        }
    return false;
}

typedef void node_fn(lister *l, int node);

static void nodes_of_cylinders(lister *l, node_fn *each)
{
    for (int k = 0; k < l->robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(l->robot, k);
        for (int side = 0; side < 2 && c->cut == FA_CUT_CIRCUIT; side++) {
            int       first;
            const int owner = fa_circuit_chamber(l->robot, c->node[side], &first);
            if (owner == k && first == side && !fa_circuit_gives(l->robot, c->node[side]))
                each(l, c->node[side]);
        }
    }
}

static void nodes_of_part(lister *l, int part, node_fn *each)
{
    const fa_circuit_part *p = fa_robot_circuit_part(l->robot, part);
    int                    side;
    for (int i = 0; i < fa_circuit_ports(p->kind); i++) {
        const int node = p->port[i];
        bool      before = false;
        for (int k = 0; k < i; k++) before |= p->port[k] == node;
        if (!before && fa_circuit_stands(p, i) && fa_circuit_holds(l->robot, node) &&
            fa_circuit_chamber(l->robot, node, &side) == FA_NOBODY &&
            is_made_by(l->robot, node, part))
            each(l, node);
    }
}

static void add_node(lister *l, int node, fa_variable row, const char *quantity, const char *about)
{
    char        text[DESCRIPTION];
    const char *name = fa_robot_node(l->robot, node)->name;
    (void)snprintf(text, sizeof text, about, name);
    fa_variable_add(l->to, row, fa_key_of_part(FA_OF_NODE, node, name, quantity), text);
}

static void node_initial(lister *l, int node)
{
    add_node(l, node,
             row_of(FA_PARAMETER, FA_UNIT_PASCAL, fa_circuit_start(l->robot, node),
                    FA_CIRCUIT_PRESSURE_INITIAL, node, 0),
             "initial_pressure", "Pressure at node %s at the start, absolute");
}

static void node_state(lister *l, int node)
{
    fa_variable row = row_of(FA_STATE, FA_UNIT_PASCAL, fa_circuit_start(l->robot, node),
                             FA_CIRCUIT_PRESSURE, node, 0);
    row.nominal = 1e6;
    row.initial = find(l, FA_CIRCUIT_PRESSURE_INITIAL, node, 0);
    add_node(l, node, row, "pressure", "Pressure at node %s, absolute");
}

static void node_rate(lister *l, int node)
{
    fa_variable row =
        row_of(FA_LOCAL, FA_UNIT_PASCAL_PER_SECOND, 0, FA_CIRCUIT_PRESSURE_RATE, node, 0);
    row.group = FA_GROUP_DERIVATIVES;
    add_node(l, node, row, "pressure_rate", "Derivative of the pressure at node %s");
}

static void parameters(lister *l)
{
    numbers(l);
    nodes_of_cylinders(l, node_initial);
    for (int k = 0; k < l->robot->n_parts; k++) {
        nodes_of_part(l, k, node_initial);
        states_of(l, k, initial);
    }
}

static void inputs(lister *l)
{
    for (int k = 0; k < l->robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(l->robot, k);
        const fa_element      *e = fa_circuit_element(part->kind);
        if (part->kind == FA_CIRCUIT_TANK || part->kind == FA_CIRCUIT_SUPPLY) {
            add_node(l, part->port[0],
                     row_of(FA_INPUT, FA_UNIT_PASCAL, part->start, FA_CIRCUIT_PRESSURE,
                            part->port[0], 0),
                     "pressure", "Pressure at node %s, absolute");
            continue;
        }
        for (int i = 0; i < e->n_items; i++) {
            const fa_item *item = &e->item[i];
            if (item->kind != FA_ITEM_INPUT) continue;
            fa_variable row = row_of(FA_INPUT, (fa_unit)item->unit,
                                     part->kind == FA_CIRCUIT_PUMP ? part->speed : 0,
                                     FA_CIRCUIT_REAL, k, real_of(e, item));
            if (!isinf(item->range->bound) && !isnan(item->range->bound)) {
                row.minimum = -item->range->bound;
                row.maximum = item->range->bound;
            }
            add_part(l, k, row, item->row, item->about);
        }
    }
}

static void states(lister *l)
{
    nodes_of_cylinders(l, node_state);
    for (int k = 0; k < l->robot->n_parts; k++) {
        nodes_of_part(l, k, node_state);
        states_of(l, k, state);
    }
}

// Results of parts that have rows: rates that no state or output shows are locals.
static void results(lister *l, bool rates)
{
    for (int k = 0; k < l->robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(l->robot, k);
        const fa_element      *e = fa_circuit_element(part->kind);
        double                 in[64];
        fa_circuit_fill(l->robot, part, in);
        for (int i = 0; i < e->n_results; i++) {
            const fa_item *item = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, i);
            const bool     shown = part->kind == FA_CIRCUIT_ACCUMULATOR; // its rate is a flow
            const bool     rate = item->type == FA_RESULT_RATE;
            if (!item->row[0] || !fa_element_has(e, item, in) || (rate && !shown) != rates)
                continue;
            if (strcmp(item->row, "spool_velocity") == 0) continue; // a state
            fa_variable row = row_of(rates ? FA_LOCAL : FA_OUTPUT, (fa_unit)item->unit, 0,
                                     FA_CIRCUIT_RESULT, k, i);
            row.group = rate ? FA_GROUP_DERIVATIVES : FA_CIRCUIT_GROUP;
            add_part(l, k, row, item->row, item->about);
        }
    }
}

static void chambers(lister *l)
{
    for (int k = 0; k < l->robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(l->robot, k);
        for (int side = 0; side < 2 && c->cut == FA_CUT_CIRCUIT; side++) {
            char        about[DESCRIPTION];
            fa_variable row = row_of(FA_OUTPUT, FA_UNIT_PASCAL, 0, FA_CIRCUIT_CHAMBER, k, side);
            row.group = FA_CIRCUIT_GROUP;
            (void)snprintf(about, sizeof about, "Cylinder %s: Pressure in chamber %c, absolute",
                           c->name, 'A' + side);
            fa_variable_add(
                l->to, row,
                fa_key_of_part(FA_OF_CYLINDER, k, c->name, side ? "pressure_b" : "pressure_a"),
                about);
        }
    }
}

static const struct {
    const char *energy, *power, *about, *about_power;
} account[FA_CIRCUIT_ACCOUNTS] = {
    {"supplied_energy", "supplied_power",
     FA_DESCRIPTION("Energy that pumps, tanks and supplies have given the oil"),
     FA_DESCRIPTION("Power that pumps, tanks and supplies give the oil")},
    {"mechanical_work", "mechanical_power",
     FA_DESCRIPTION("Work that cylinders and motors have taken from the oil"),
     FA_DESCRIPTION("Power that cylinders and motors take from the oil")},
    {"loss_energy", "loss_power", FA_DESCRIPTION("Energy lost in valves, lines and leakages"),
     FA_DESCRIPTION("Power lost in valves, lines and leakages")},
    {"stored_energy", "stored_power",
     FA_DESCRIPTION("Energy stored in the oil, its walls and accumulators since the start"),
     FA_DESCRIPTION("Power that goes into the oil, its walls and accumulators")},
};

static void energies(lister *l)
{
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS && l->robot->outputs & FA_EXTRA_ENERGY; i++) {
        fa_variable row = row_of(FA_STATE, FA_UNIT_JOULE, 0, FA_CIRCUIT_ENERGY, 0, i);
        row.nominal = 1;
        row.records = true;
        fa_variable_add(l->to, row, fa_key_of(FA_OF_CIRCUIT, account[i].energy), account[i].about);
    }
}

static void powers(lister *l)
{
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS && l->robot->outputs & FA_EXTRA_ENERGY; i++) {
        fa_variable row = row_of(FA_LOCAL, FA_UNIT_WATT, 0, FA_CIRCUIT_POWER, 0, i);
        row.group = FA_GROUP_DERIVATIVES;
        fa_variable_add(l->to, row, fa_key_of(FA_OF_CIRCUIT, account[i].power),
                        account[i].about_power);
    }
}

// Returns the row of the derivative of a circuit's state.
static int derivative_of(const lister *l, const fa_variable *v)
{
    const int of = v->index / FA_CIRCUIT_STRIDE, which = v->index % FA_CIRCUIT_STRIDE;
    if (v->quantity == FA_CIRCUIT_PRESSURE) return find(l, FA_CIRCUIT_PRESSURE_RATE, of, 0);
    if (v->quantity == FA_CIRCUIT_ENERGY) return find(l, FA_CIRCUIT_POWER, 0, which);
    // The rate of the same rank; of a spool's place it is the next state.
    const fa_element *e = fa_circuit_element(fa_robot_circuit_part(l->robot, of)->kind);
    const fa_item    *item = fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, which);
    int               rank = 0;
    for (const fa_item *i = e->item; i < item; i++) rank += i->kind == FA_ITEM_STATE;
    for (int i = 0; i < e->n_results; i++) {
        const fa_item *result = fa_element_item(e, FA_ITEM_RESULT, FA_ITEM_RESULT, i);
        if (result->type != FA_RESULT_RATE || rank-- > 0) continue;
        const int row = find(l, FA_CIRCUIT_RESULT, of, i);
        return row != FA_NO_ROW ? row : find(l, FA_CIRCUIT_REAL, of, which + 1);
    }
    return FA_NO_ROW;
}

static int moved(const lister *l, int inner)
{
    return inner == FA_NO_ROW ? FA_NO_ROW : l->outer_of[inner];
}

static void link_states(lister *l)
{
    if (!l->to->row) return;
    for (int row = 0; row < l->to->n; row++) {
        fa_variable *v = &l->to->row[row];
        if (v->role == FA_STATE && v->quantity >= FA_CIRCUIT_REAL)
            v->derivative = derivative_of(l, v);
    }
    for (int row = 0; row < l->inner.n; row++) {
        if (l->outer_of[row] == FA_NO_ROW || l->inner.row[row].role != FA_STATE) continue;
        fa_variable *v = &l->to->row[l->outer_of[row]];
        v->derivative = moved(l, l->inner.row[row].derivative);
        v->initial = moved(l, l->inner.row[row].initial);
        v->initial_rate = moved(l, l->inner.row[row].initial_rate);
    }
}

// The table of the arm inside, with names; it lives until the end of a declaration.
static bool list_inner(lister *l)
{
    fa_variables measured = {.described = l->to->described};
    fa_circuit_inner_table(l->robot, &measured);
    const size_t rows = (size_t)measured.n * sizeof(fa_variable);
    l->block = calloc(1, rows + measured.text_size + 1);
    l->outer_of = malloc(((size_t)measured.n + 1) * sizeof *l->outer_of);
    if (!l->block || !l->outer_of) return false;
    for (int i = 0; i < measured.n; i++) l->outer_of[i] = FA_NO_ROW;
    l->inner = (fa_variables){
        .row = l->block, .text = (char *)l->block + rows, .described = l->to->described};
    fa_circuit_inner_table(l->robot, &l->inner);
    return true;
}

fa_status fa_circuit_declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    lister     l = {.robot = robot, .to = variables};
    const bool room = list_inner(&l);
    if (room) {
        copy_role(&l, FA_PARAMETER);
        parameters(&l);
        copy_role(&l, FA_TUNABLE);
        copy_role(&l, FA_INPUT);
        inputs(&l);
        copy_role(&l, FA_STATE);
        states(&l);
        energies(&l);
        copy_role(&l, FA_OUTPUT);
        chambers(&l);
        results(&l, false);
        copy_role(&l, FA_LOCAL);
        nodes_of_cylinders(&l, node_rate);
        for (int k = 0; k < robot->n_parts; k++) nodes_of_part(&l, k, node_rate);
        results(&l, true);
        powers(&l);
        copy_role(&l, FA_INDICATOR);
        link_states(&l);
    }
    free(l.outer_of);
    free(l.block);
    if (room) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the variables of '%s'", robot->name);
}
