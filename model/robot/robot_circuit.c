// Validates hydraulic circuits; finds the part that determines a node's pressure.
#include "robot_circuit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "laws.h"
#include "number.h"
#include "variables.h"

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)

const fa_circuit_kind_row fa_circuit_kinds[FA_CIRCUIT_KIND_COUNT] = {
#define X(code, element, owner, xml) [code] = {FA_ELEMENT_##element, owner, xml},
    FA_CIRCUIT_PART_LIST(X)
#undef X
};

static const char *const edge_word[] = {
#define X(code, word, side) word,
    FA_EDGE_LIST(X)
#undef X
};

bool fa_robot_has_circuit(const fa_robot *robot)
{
    return robot->n_parts > 0;
}

bool fa_robot_is_circuit_alone(const fa_robot *robot)
{
    return strcmp(robot->plant, "circuit") == 0 && robot->n_links == 1;
}

fa_robot *fa_robot_new_circuit(void)
{
    fa_robot *robot = fa_robot_new(1);
    if (!robot) return NULL;
    strcpy(robot->plant, "circuit");
    strcpy(robot->link[0].name, "base");
    return robot;
}

// ------------------------------------------------------------------------------- parts and nodes

const fa_element *fa_circuit_element(fa_circuit_kind kind)
{
    return &fa_elements[fa_circuit_kinds[kind].element];
}

static bool makes_node(fa_circuit_kind kind)
{
    return kind == FA_CIRCUIT_TANK || kind == FA_CIRCUIT_SUPPLY;
}

static const fa_item *port_item(fa_circuit_kind kind, int index)
{
    const fa_element *e = fa_circuit_element(kind);
    for (int i = 0; i < e->n_items; i++)
        if (e->item[i].kind == FA_ITEM_GIVEN && e->item[i].xml && index-- == 0) return &e->item[i];
    return NULL;
}

int fa_circuit_ports(fa_circuit_kind kind)
{
    int n = 0;
    if (makes_node(kind)) return 1;
    while (port_item(kind, n)) n++;
    return n;
}

const char *fa_circuit_port(fa_circuit_kind kind, int index)
{
    return makes_node(kind) ? "name" : port_item(kind, index)->xml;
}

fa_part_name fa_circuit_about(const fa_circuit_part *part)
{
    fa_part_name name;
    (void)snprintf(name.text, sizeof name.text, "%s '%s'", fa_circuit_kinds[part->kind].xml,
                   part->name);
    return name;
}

bool fa_circuit_gives(const fa_robot *robot, int node)
{
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        if (makes_node(part->kind) && part->port[0] == node) return true;
    }
    return false;
}

bool fa_circuit_stands(const fa_circuit_part *part, int port)
{
    const int volume_a = 9; // of a motor, in the order of its numbers; B's is the next
    if (part->kind == FA_CIRCUIT_MOTOR) return port < 2 && part->number[volume_a + port] > 0;
    return part->kind == FA_CIRCUIT_VOLUME || part->kind == FA_CIRCUIT_LINE;
}

int fa_circuit_chamber(const fa_robot *robot, int node, int *side)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        for (*side = 0; *side < 2 && c->cut == FA_CUT_CIRCUIT; ++*side)
            if (c->node[*side] == node) return k;
    }
    return FA_NOBODY;
}

bool fa_circuit_holds(const fa_robot *robot, int node)
{
    int side;
    if (fa_circuit_gives(robot, node)) return false;
    if (fa_circuit_chamber(robot, node, &side) != FA_NOBODY) return true;
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        for (int i = 0; i < fa_circuit_ports(part->kind); i++)
            if (part->port[i] == node && fa_circuit_stands(part, i)) return true;
    }
    return false;
}

static const double USUAL_START = 5e5; // default start pressure of a node [Pa]

double fa_circuit_start(const fa_robot *robot, int node)
{
    int       side;
    const int c = fa_circuit_chamber(robot, node, &side);
    if (c != FA_NOBODY) return fa_robot_cylinder(robot, c)->initial_pressure[side];
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        const bool             says = makes_node(part->kind) || part->kind == FA_CIRCUIT_VOLUME ||
                          part->kind == FA_CIRCUIT_MOTOR;
        for (int i = 0; says && i < fa_circuit_ports(part->kind); i++)
            if (part->port[i] == node && (makes_node(part->kind) || fa_circuit_stands(part, i)))
                return part->start;
    }
    return USUAL_START;
}

// ------------------------------------------------------------------------------------------ blocks

static void set_flag(const fa_element *e, void *in, const char *name, bool value)
{
    const int index = fa_element_flag_index(e, name, strlen(name));
    if (index >= 0) *fa_element_flag(e, in, index) = value;
}

// Numbers of the oil, by their names.
static void fill_oil(const fa_robot *robot, const fa_element *e, void *in)
{
    const fa_element *oil = &fa_elements[FA_ELEMENT_oil];
    for (int i = 0; i < oil->n_numbers; i++) {
        const char    *name = oil->item[i].name;
        const int      index = fa_element_real_index(e, name, strlen(name));
        const fa_item *item =
            index < 0 ? NULL : fa_element_item(e, FA_ITEM_NUMBER, FA_ITEM_MODE, index);
        if (item && item->kind == FA_ITEM_NUMBER_OF)
            *fa_element_real(e, in, index) = (&robot->oil.bulk_modulus)[i];
    }
}

void fa_circuit_fill(const fa_robot *robot, const fa_circuit_part *part, void *in)
{
    const fa_element *e = fa_circuit_element(part->kind);
    memset(in, 0, e->in_size);
    for (int i = 0; i < e->n_numbers; i++) *fa_element_real(e, in, i) = part->number[i];
    fill_oil(robot, e, in);
    set_flag(e, in, "inertance", part->choice);
    set_flag(e, in, "pre", part->choice == FA_COMPENSATOR_PRE);
    set_flag(e, in, "post", part->choice == FA_COMPENSATOR_POST);
    set_flag(e, in, "regulated", part->choice != FA_CONTROL_FIXED);
    set_flag(e, in, "sensing", part->choice == FA_CONTROL_SENSING);
    e->configure(in);
}

void fa_circuit_fill_edge(const fa_robot *robot, const fa_circuit_edge *edge, void *in)
{
    const fa_element *e = &fa_elements[FA_ELEMENT_edge];
    memset(in, 0, e->in_size);
    for (int i = 0; i < e->n_numbers; i++) *fa_element_real(e, in, i) = edge->number[i];
    fill_oil(robot, e, in);
    set_flag(e, in, "by_area", edge->by_area);
    e->configure(in);
}

// ------------------------------------------------------------------------------------------- rules

// Fails if a required number is missing, with these flags.
static fa_status check_said(const fa_robot *robot, const fa_element *e, const void *in,
                            const char *about, fa_place place, fa_error *error)
{
    for (int i = 0; i < e->n_numbers; i++)
        if (fa_element_has(e, &e->item[i], in) && isnan(((const double *)in)[i]))
            return FAIL(place, "%s has no %s; give it %s=\"…\"", about, e->item[i].xml,
                        e->item[i].xml);
    return FA_OK;
}

// Checks the rules of the element, except for missing numbers.
static fa_status check_element(const fa_robot *robot, const fa_element *e, void *in,
                               const char *about, fa_place place, fa_error *error)
{
    fa_status status = check_said(robot, e, in, about, place, error);
    for (int i = 0; i < e->n_numbers; i++)
        if (isnan(*fa_element_real(e, in, i))) *fa_element_real(e, in, i) = 1;
    return status == FA_OK ? fa_element_check(e, in, about, robot->source, place, error) : status;
}

static fa_status check_name(const fa_robot *robot, int index, fa_error *error)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    char                   own[FA_NAME_SIZE + 1], other[FA_NAME_SIZE + 1];
    fa_variable_segment(part->name, own, sizeof own);
    for (int k = 0; k < index; k++) {
        const fa_circuit_part *before = fa_robot_circuit_part(robot, k);
        if (fa_circuit_kinds[before->kind].owner != fa_circuit_kinds[part->kind].owner) continue;
        fa_variable_segment(before->name, other, sizeof other);
        if (strcmp(own, other) == 0)
            return FAIL(part->place,
                        "%s and %s of line %d would be one in an FMU; give one of them another "
                        "name",
                        fa_circuit_about(part).text, fa_circuit_about(before).text,
                        before->place.line);
    }
    return FA_OK;
}

static fa_status check_ports(const fa_robot *robot, const fa_circuit_part *part, fa_error *error)
{
    for (int i = 0; i < fa_circuit_ports(part->kind); i++) {
        const int   node = part->port[i];
        const char *name = fa_robot_node(robot, node)->name;
        const bool  given = fa_circuit_gives(robot, node);
        if (given && part->kind != FA_CIRCUIT_LINE && fa_circuit_stands(part, i))
            return FAIL(part->place,
                        "%s stands at node '%s', whose pressure a tank or supply gives; give it "
                        "another node",
                        fa_circuit_about(part).text, name);
        if (!given && !fa_circuit_holds(robot, node))
            return FAIL(part->place,
                        "the port %s of %s is at '%s', and no volume, chamber, line, tank or "
                        "supply makes such a node; add <volume name=\"%s\" …>, or correct the name",
                        fa_circuit_port(part->kind, i), fa_circuit_about(part).text, name, name);
    }
    return FA_OK;
}

static fa_status check_start(const fa_robot *robot, const fa_circuit_part *part, fa_error *error)
{
    if (part->kind == FA_CIRCUIT_ACCUMULATOR &&
        !(part->start >= 0 && part->start < part->number[1])) // the shell's volume
        return FAIL(part->place,
                    "the start of %s is %s m^3 of oil; it must be at least 0 and below its volume, "
                    "%s m^3",
                    fa_circuit_about(part).text, fa_number_text(part->start).text,
                    fa_number_text(part->number[1]).text);
    for (int i = 0; i < fa_circuit_ports(part->kind); i++) {
        const double start = fa_circuit_start(robot, part->port[i]);
        if (isnan(start) && fa_circuit_holds(robot, part->port[i])) continue; // balanced later
        if (start > robot->oil.vapour && !isinf(start)) continue;
        return FAIL(part->place,
                    "node '%s' starts at %s Pa; it must be above the vapour pressure of the oil, "
                    "%s Pa",
                    fa_robot_node(robot, part->port[i])->name, fa_number_text(start).text,
                    fa_number_text(robot->oil.vapour).text);
    }
    return FA_OK;
}

static fa_status check_sensing(const fa_robot *robot, int index, fa_error *error)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    const bool wants = (part->kind == FA_CIRCUIT_VALVE && part->choice == FA_COMPENSATOR_POST) ||
                       (part->kind == FA_CIRCUIT_PUMP && part->choice == FA_CONTROL_SENSING);
    if (wants && part->sensing == FA_NOBODY)
        return FAIL(part->place, "%s has no load-sensing line; give it ls=\"…\"",
                    fa_circuit_about(part).text);
    return FA_OK;
}

// Some valve reports to a load-sensing line.
static fa_status check_reports(const fa_robot *robot, int index, fa_error *error)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    bool                   sections = part->kind != FA_CIRCUIT_SENSING;
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *other = fa_robot_circuit_part(robot, k);
        sections |= other->kind == FA_CIRCUIT_VALVE && other->sensing == index;
    }
    if (sections) return FA_OK;
    return FAIL(part->place, "no valve reports to %s; give one ls=\"%s\", or remove the line",
                fa_circuit_about(part).text, part->name);
}

static fa_status check_motor(const fa_robot *robot, const fa_circuit_part *part, fa_error *error)
{
    if (part->kind != FA_CIRCUIT_MOTOR) return FA_OK;
    const fa_joint *joint = &robot->link[part->joint].joint;
    const bool      turns = joint->type == FA_REVOLUTE;
    if (turns && fa_joint_is_free(joint) && !joint->motor.present && !joint->servo.present)
        return FA_OK;
    return FAIL(part->place,
                "%s drives joint '%s', which does not turn freely; a hydraulic motor drives a "
                "revolute or continuous joint that follows no other and has no drive of its own",
                fa_circuit_about(part).text, joint->name);
}

static fa_status check_edge(const fa_robot *robot, int index, fa_error *error)
{
    const fa_circuit_edge *edge = fa_robot_edge(robot, index);
    const fa_edge_table   *t = &edge->table;
    const char            *word = edge_word[edge->kind];
    const char            *height = edge->by_area ? "area" : "flow";
    const fa_part_name     of = fa_circuit_about(fa_robot_circuit_part(robot, edge->part));
    double                 in[16];
    char                   about[sizeof of + 16];
    (void)snprintf(about, sizeof about, "edge %s of %s", word, of.text);
    for (int k = 0; k < index; k++)
        if (fa_robot_edge(robot, k)->part == edge->part &&
            fa_robot_edge(robot, k)->kind == edge->kind)
            return FAIL(edge->place, "%s is said twice; remove one", about);
    if (t->n < 2 || t->n > FA_EDGE_POINTS_MAX)
        return FAIL(edge->place, "the table of %s has %d points; it needs from 2 to %d", about,
                    t->n, FA_EDGE_POINTS_MAX);
    for (int i = 0; i < t->n; i++) {
        const bool falls = edge->kind == FA_EDGE_PT;
        if (!isfinite(t->x[i]) || t->x[i] < 0 || (i > 0 && !(t->x[i] > t->x[i - 1])))
            return FAIL(edge->place,
                        "point %d of %s has the spool at %s; spool positions begin at 0 or above "
                        "and rise",
                        i + 1, about, fa_number_text(t->x[i]).text);
        if (!isfinite(t->y[i]) || t->y[i] < 0 ||
            (i > 0 && (falls ? t->y[i] > t->y[i - 1] : t->y[i] < t->y[i - 1])))
            return FAIL(edge->place,
                        "point %d of %s has the %s %s; it must not be negative, nor %s", i + 1,
                        about, height, fa_number_text(t->y[i]).text, falls ? "rise" : "fall");
    }
    fa_circuit_fill_edge(robot, edge, in);
    return check_element(robot, &fa_elements[FA_ELEMENT_edge], in, about, edge->place, error);
}

static fa_status check_part(const fa_robot *robot, int index, fa_error *error)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    double                 in[64];
    fa_circuit_fill(robot, part, in);
    fa_status status = check_name(robot, index, error);
    if (status == FA_OK)
        status = check_element(robot, fa_circuit_element(part->kind), in,
                               fa_circuit_about(part).text, part->place, error);
    if (status == FA_OK) status = check_sensing(robot, index, error);
    if (status == FA_OK) status = check_ports(robot, part, error);
    const bool starts = part->kind == FA_CIRCUIT_SENSING || part->kind == FA_CIRCUIT_ACCUMULATOR ||
                        (part->kind == FA_CIRCUIT_PUMP && part->choice != FA_CONTROL_FIXED);
    if (status == FA_OK && starts && !isfinite(part->start))
        return FAIL(part->place, "%s has no start; give it start=\"…\"",
                    fa_circuit_about(part).text);
    if (status == FA_OK) status = check_start(robot, part, error);
    return status == FA_OK ? check_motor(robot, part, error) : status;
}

fa_status fa_robot_check_circuit(const fa_robot *robot, fa_error *error)
{
    fa_status status = FA_OK;
    for (int k = 0; k < robot->n_cylinders && status == FA_OK; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        if (c->cut != FA_CUT_CIRCUIT) continue;
        if (c->node[0] == FA_NOBODY || c->node[1] == FA_NOBODY || robot->n_parts == 0)
            return FAIL(c->place,
                        "cylinder '%s' is cut at circuit, and the robot has no <circuit>; add one, "
                        "or choose another cut",
                        c->name);
        for (int side = 0; side < 2; side++)
            if (fa_circuit_gives(robot, c->node[side]))
                return FAIL(c->place,
                            "a chamber of cylinder '%s' stands at node '%s', whose pressure a tank "
                            "or supply gives; give it another node",
                            c->name, fa_robot_node(robot, c->node[side])->name);
    }
    if (robot->n_parts > 0) {
        double in[16];
        memset(in, 0, sizeof in);
        memcpy(in, &robot->oil.bulk_modulus,
               (size_t)fa_elements[FA_ELEMENT_oil].n_numbers * sizeof *in);
        status = check_element(robot, &fa_elements[FA_ELEMENT_oil], in, "the circuit's oil",
                               fa_robot_circuit_part(robot, 0)->place, error);
    }
    for (int k = 0; k < robot->n_parts && status == FA_OK; k++)
        status = check_part(robot, k, error);
    for (int k = 0; k < robot->n_parts && status == FA_OK; k++)
        status = check_reports(robot, k, error);
    for (int k = 0; k < robot->n_edges && status == FA_OK; k++)
        status = check_edge(robot, k, error);
    return status;
}

// ----------------------------------------------------------------------------------------- remarks

static int parts_at(const fa_robot *robot, int node)
{
    int n = 0;
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        for (int i = 0; i < fa_circuit_ports(part->kind); i++) n += part->port[i] == node;
    }
    return n;
}

// Returns the conductance of a part at a small pressure drop [m^3/(s Pa)], for its adjacent nodes.
static double conductance(const fa_robot *robot, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    const fa_element      *e = fa_circuit_element(part->kind);
    const int              flow = fa_element_real_index(e, "nominal_flow", 12),
              drop = fa_element_real_index(e, "nominal_drop", 12),
              transition = fa_element_real_index(e, "transition", 10);
    double largest = 0;
    if (transition < 0) return 0;
    const double root = sqrt(part->number[transition]);
    if (flow >= 0) return part->number[flow] / sqrt(part->number[drop]) / root;
    for (int k = 0; k < robot->n_edges; k++) {
        const fa_circuit_edge *edge = fa_robot_edge(robot, k);
        fa_edge_in             in;
        fa_edge_out            out;
        if (edge->part != index) continue;
        fa_circuit_fill_edge(robot, edge, &in);
        in.height = fmax(edge->table.y[0], edge->table.y[edge->table.n - 1]);
        fa_edge_law(&in, &out);
        largest = fmax(largest, out.conductance);
    }
    return largest / root;
}

static const double STIFFEST = 20e-6; // a node that is faster than this is warned of [s]
static const double MEDIUM = 5e6;     // the pressure at which that is asked [Pa]

// Three digits of a positive number.
static fa_text rounded(double x)
{
    const double unit = pow(10, floor(log10(x)) - 2);
    return fa_number_text(unit < 1 ? nearbyint(x / unit) / nearbyint(1 / unit)
                                   : nearbyint(x / unit) * unit);
}

static void remark_volume(const fa_robot *robot, const fa_circuit_part *volume, const fa_log *log)
{
    fa_volume_in  in;
    fa_volume_out out;
    double        through = 0;
    fa_circuit_fill(robot, volume, &in);
    in.pressure = MEDIUM;
    fa_volume_law(&in, &out);
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        bool                   here = false;
        for (int i = 0; i < fa_circuit_ports(part->kind); i++)
            here |= part->port[i] == volume->port[0];
        if (here) through += conductance(robot, k);
    }
    if (!(out.capacity < STIFFEST * through)) return;
    const double wanted = volume->number[0] * 2e-4 * through / out.capacity;
    fa_warn(log, robot->source, volume->place,
            "%s follows the valves at it within %s us, which makes every step of an integrator "
            "short; %s m^3 would give it 200 us",
            fa_circuit_about(volume).text, rounded(1e6 * out.capacity / through).text,
            rounded(wanted).text);
}

void fa_robot_remark_circuit(const fa_robot *robot, const fa_log *log)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        for (int side = 0; side < 2 && c->cut == FA_CUT_CIRCUIT; side++)
            if (parts_at(robot, c->node[side]) == 0)
                fa_warn(log, robot->source, c->place,
                        "no part of the circuit stands at '%s', so that this chamber of cylinder "
                        "'%s' is closed; connect a port to it",
                        fa_robot_node(robot, c->node[side])->name, c->name);
    }
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        int                    side;
        if (part->kind == FA_CIRCUIT_VOLUME) remark_volume(robot, part, log);
        if (part->kind != FA_CIRCUIT_COUNTERBALANCE) continue;
        const double load = fa_circuit_start(robot, part->port[1]);
        if (fa_circuit_chamber(robot, part->port[1], &side) == FA_NOBODY ||
            part->number[0] >= 1.3 * load)
            continue;
        fa_warn(log, robot->source, part->place,
                "the setting of %s is %s Pa, below 1.3 times the %s Pa that the load has at the "
                "start, so that it may not hold it; set it to %s Pa or more",
                fa_circuit_about(part).text, fa_number_text(part->number[0]).text,
                fa_number_text(load).text, fa_number_text(ceil(1.3 * load / 1e5) * 1e5).text);
    }
}
