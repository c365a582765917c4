// <circuit>: of an <arm>, or as a root element a circuit alone. Parts are read by the lists in
// model/elements/circuit; the schema is the reference of the format.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "formats.h"
#include "named_parts.h"
#include "robot_circuit.h"
#include "robot_touches.h"
#include "values.h"

typedef struct reader {
    const fa_xml *xml;
    const fa_xml *parts; // with names, built in
    fa_robot     *robot;
    fa_error     *error;
    int           nodes, edges; // so many so far
} reader;

#define FAIL(r, place, ...) fa_fail((r)->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

static int kind_of(const fa_xml_element *e)
{
    int kind = 0;
    while (kind < FA_CIRCUIT_KIND_COUNT && strcmp(e->name, fa_circuit_kinds[kind].xml) != 0) kind++;
    return kind;
}

// ------------------------------------------------------------------------------------------ nodes

// The node of that name, a new one where it has not been met: who makes it is the rules' business.
static int node_named(reader *r, const char *name)
{
    fa_circuit_node *node = fa_robot_nodes(r->robot);
    for (int k = 0; k < r->nodes; k++)
        if (strcmp(node[k].name, name) == 0) return k;
    (void)snprintf(node[r->nodes].name, sizeof node->name, "%s", name);
    return r->nodes++;
}

static fa_status read_node(reader *r, const fa_xml_element *e, const char *attribute, int *node)
{
    char            name[FA_NAME_SIZE];
    const fa_status status = fa_read_name(r->xml, e, attribute, name, r->error);
    if (status == FA_OK) *node = node_named(r, name);
    return status;
}

// The chambers of cylinder c are the nodes c.a and c.b, unless it names others.
static fa_status read_chambers(reader *r, const fa_xml_element *e, fa_cylinder *c)
{
    static const char *const attribute[] = {"node-a", "node-b"};
    for (int side = 0; side < 2; side++) {
        char name[FA_NAME_SIZE];
        (void)snprintf(name, sizeof name, "%.*s.%c", FA_NAME_SIZE - 3, c->name, 'a' + side);
        if (fa_xml_find(e, attribute[side])) {
            const fa_status status = read_node(r, e, attribute[side], &c->node[side]);
            if (status != FA_OK) return status;
        } else {
            c->node[side] = node_named(r, name);
        }
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------------ tables

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int numbers_in(const char *text)
{
    int n = 0;
    for (const char *c = text; *c; c++) n += !is_space(*c) && (c == text || is_space(c[-1]));
    return n;
}

// So many numbers of a list, the rest left out: how many there may be is the rules' business.
static fa_status read_list(const reader *r, const fa_xml *xml, const fa_xml_element *e,
                           const char *attribute, int n, double to[])
{
    double *all = calloc((size_t)n + 1, sizeof *all);
    if (!all)
        return fa_fail(r->error, FA_NO_MEMORY, r->xml->path, FA_NOWHERE,
                       "there is not enough memory for a table");
    const fa_status status = fa_read_numbers(xml, e, attribute, n, all, FA_REQUIRED, r->error);
    memcpy(to, all, (size_t)(n < FA_EDGE_POINTS_MAX ? n : FA_EDGE_POINTS_MAX) * sizeof *to);
    free(all);
    return status;
}

static const char *const edge_word[] = {
#define X(code, name, side) name,
    FA_EDGE_LIST(X)
#undef X
};

// `xml` is the document of the edge, or the one of named parts.
static fa_status read_edge(reader *r, const fa_xml *xml, const fa_xml_element *e, int part)
{
    const fa_element       *list = &fa_elements[FA_ELEMENT_edge];
    const fa_xml_attribute *name = fa_xml_find(e, "name"), *spool = fa_xml_find(e, "spool");
    const fa_xml_attribute *flow = fa_xml_find(e, "flow"), *area = fa_xml_find(e, "area");
    fa_circuit_edge        *edge = &fa_robot_edges(r->robot)[r->edges++];
    if (!flow == !area)
        return FAIL(r, e->place, "edge %s has %s; say one of flow and area", name->value,
                    flow ? "a flow and an area" : "neither a flow nor an area");
    const int points = numbers_in(spool->value), heights = numbers_in((area ? area : flow)->value);
    edge->place = e->place;
    edge->part = part;
    edge->by_area = area;
    for (int k = 0; k < FA_EDGE_COUNT; k++)
        if (strcmp(name->value, edge_word[k]) == 0) edge->kind = (fa_edge_kind)k;
    if (points != heights)
        return FAIL(r, (area ? area : flow)->value_place,
                    "edge %s has %d spool positions and %d numbers in its %s; give as many of each",
                    name->value, points, heights, area ? "area" : "flow");
    edge->table.n = points;
    fa_status status = read_list(r, xml, e, "spool", points, edge->table.x);
    if (status == FA_OK)
        status = read_list(r, xml, e, area ? "area" : "flow", points, edge->table.y);
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++) {
        edge->number[i] = list->item[i].usual;
        status = fa_read_number(xml, e, list->item[i].xml, &edge->number[i], FA_OPTIONAL, r->error);
    }
    return status;
}

// ------------------------------------------------------------------------------------------- parts

// Returns the index of an attribute's word; 0: the first one, or no attribute.
static int choice_of(const fa_xml_element *e, const char *attribute, const char *const word[],
                     int n)
{
    const fa_xml_attribute *found = fa_xml_find(e, attribute);
    for (int i = 0; found && i < n; i++)
        if (strcmp(found->value, word[i]) == 0) return i;
    return 0;
}

static int read_choice(const fa_xml_element *e, fa_circuit_kind kind)
{
    static const char *const compensator[] = {"none", "pre", "post"};
    static const char *const control[] = {"fixed", "pressure", "load-sensing"};
    static const char *const inertance[] = {"false", "true"};
    if (kind == FA_CIRCUIT_LINE) return choice_of(e, "inertance", inertance, 2);
    if (kind == FA_CIRCUIT_VALVE) return choice_of(e, "compensator", compensator, 3);
    return kind == FA_CIRCUIT_PUMP ? choice_of(e, "control", control, 3) : 0;
}

static double *number_named(fa_circuit_part *part, const char *name)
{
    const fa_element *list = fa_circuit_element(part->kind);
    return &part->number[fa_element_real_index(list, name, strlen(name))];
}

static const double CHECK_WIDTH = 5e4; // of a section with a load-holding check valve [Pa]

// Sets defaults that depend on other numbers.
static void fill_in(const fa_xml_element *e, fa_circuit_part *part)
{
    const fa_xml_attribute *check = fa_xml_find(e, "check");
    double                 *x = part->number;
    const fa_element       *list = fa_circuit_element(part->kind);
    for (int i = 0; i < list->n_numbers; i++)
        if (list->item[i].as && isnan(x[i])) x[i] = *number_named(part, list->item[i].as->number);
    if (part->kind == FA_CIRCUIT_RELIEF) {
        double *width = number_named(part, "width");
        if (isnan(*width)) *width = 0.02 * *number_named(part, "setting");
    }
    if (part->kind == FA_CIRCUIT_COUNTERBALANCE) {
        double *back = number_named(part, "back_factor");
        if (isnan(*back)) *back = 1 + *number_named(part, "ratio");
    }
    if (part->kind == FA_CIRCUIT_ACCUMULATOR) {
        double *poppet = number_named(part, "poppet_volume");
        if (isnan(*poppet)) *poppet = 0.02 * *number_named(part, "shell");
    }
    if (part->kind == FA_CIRCUIT_VALVE) {
        double    *width = number_named(part, "check_width");
        const bool holds =
            part->choice != FA_COMPENSATOR_NONE || (check && strcmp(check->value, "true") == 0);
        if (isnan(*width)) *width = holds ? CHECK_WIDTH : 0;
    }
}

// The named part of an element, NULL: it names none. Sections of valve banks are not the valves
// that cylinders have.
static fa_status find_named(const reader *r, const fa_xml_element *e, const fa_xml_element **named)
{
    const char *kind = strcmp(e->name, "valve") == 0 ? "valve-section" : e->name;
    return fa_named_part(r->parts, kind, r->xml, e, named, r->error);
}

static fa_status read_numbers(const reader *r, const fa_xml_element *e, const fa_xml_element *named,
                              fa_circuit_part *part)
{
    const fa_element *list = fa_circuit_element(part->kind);
    fa_status         status = FA_OK;
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++) {
        double *x = &part->number[i];
        *x = list->item[i].usual;
        if (named)
            status = fa_read_number(r->parts, named, list->item[i].xml, x, FA_OPTIONAL, r->error);
        if (status == FA_OK)
            status = fa_read_number(r->xml, e, list->item[i].xml, x, FA_OPTIONAL, r->error);
    }
    if (status == FA_OK) fill_in(e, part);
    return status;
}

static const double USUAL_START = 5e5; // of a volume and of a motor's chambers [Pa]

static fa_status read_start(const reader *r, const fa_xml_element *e, fa_circuit_part *part)
{
    const bool given = part->kind == FA_CIRCUIT_TANK || part->kind == FA_CIRCUIT_SUPPLY;
    if (part->kind == FA_CIRCUIT_VOLUME || part->kind == FA_CIRCUIT_MOTOR)
        part->start = USUAL_START;
    fa_status status = fa_read_number(r->xml, e, given ? "pressure" : "start", &part->start,
                                      FA_OPTIONAL, r->error);
    if (status == FA_OK && part->kind == FA_CIRCUIT_PUMP)
        status = fa_read_number(r->xml, e, "speed", &part->speed, FA_REQUIRED, r->error);
    return status;
}

static fa_status read_joint(const reader *r, const fa_xml_element *e, fa_circuit_part *part)
{
    char      name[FA_NAME_SIZE];
    fa_status status = fa_read_name(r->xml, e, "joint", name, r->error);
    if (status != FA_OK) return status;
    part->joint = fa_robot_find_joint(r->robot, name);
    if (part->joint != FA_NOBODY) return FA_OK;
    return FAIL(r, fa_xml_find(e, "joint")->value_place,
                "the joint of %s is '%s', and there is no such joint; name one of the arm's",
                fa_circuit_about(part).text, name);
}

// Returns true if one of the first `own` edges is the part's and has this one's name.
static bool has_edge(const reader *r, int part, int own, const fa_xml_element *named)
{
    const char *name = fa_xml_find(named, "name")->value;
    for (int k = 0; k < own; k++)
        if (fa_robot_edge(r->robot, k)->part == part &&
            strcmp(edge_word[fa_robot_edge(r->robot, k)->kind], name) == 0)
            return true;
    return false;
}

// An edge of the named part: its place is that of the valve.
static fa_status read_named_edge(reader *r, const fa_xml_element *valve,
                                 const fa_xml_element *named, int part)
{
    const fa_status status = read_edge(r, r->parts, named, part);
    if (status == FA_OK) fa_robot_edges(r->robot)[r->edges - 1].place = valve->place;
    return status;
}

static fa_status read_part(reader *r, const fa_xml_element *e, int index)
{
    fa_circuit_part *part = &fa_robot_circuit_parts(r->robot)[index];
    part->kind = (fa_circuit_kind)kind_of(e);
    part->place = e->place;
    part->choice = read_choice(e, part->kind);
    const fa_xml_element *named = NULL;
    fa_status             status = fa_read_name(r->xml, e, "name", part->name, r->error);
    if (status == FA_OK) status = find_named(r, e, &named);
    if (status == FA_OK) status = read_numbers(r, e, named, part);
    if (status == FA_OK) status = read_start(r, e, part);
    for (int i = 0; i < fa_circuit_ports(part->kind) && status == FA_OK; i++)
        status = read_node(r, e, fa_circuit_port(part->kind, i), &part->port[i]);
    if (status == FA_OK && part->kind == FA_CIRCUIT_MOTOR) status = read_joint(r, e, part);
    for (const fa_xml_element *child = e->first; child && status == FA_OK; child = child->next)
        status = read_edge(r, r->xml, child, index);
    const int own = r->edges;
    for (const fa_xml_element *child = named ? named->first : NULL; child && status == FA_OK;
         child = child->next)
        if (!has_edge(r, index, own, child)) status = read_named_edge(r, e, child, index);
    return status;
}

// The load-sensing line of a part, when all parts are known.
static fa_status read_sensing(const reader *r, const fa_xml_element *e, fa_circuit_part *part)
{
    const fa_xml_attribute *ls = fa_xml_find(e, "ls");
    for (int k = 0; ls && k < r->robot->n_parts; k++) {
        const fa_circuit_part *line = fa_robot_circuit_part(r->robot, k);
        if (line->kind == FA_CIRCUIT_SENSING && strcmp(line->name, ls->value) == 0)
            part->sensing = k;
    }
    if (!ls || part->sensing != FA_NOBODY) return FA_OK;
    return FAIL(r, ls->value_place,
                "ls of %s is '%s', and there is no such load-sensing line; add <load-sensing "
                "name=\"%s\" …>, or correct the name",
                fa_circuit_about(part).text, ls->value, ls->value);
}

static fa_status read_oil(const reader *r, const fa_xml_element *circuit)
{
    const fa_xml_element *e = fa_xml_child(circuit, "oil");
    const fa_element     *list = &fa_elements[FA_ELEMENT_oil];
    fa_status             status = FA_OK;
    for (int i = 0; e && i < list->n_numbers && status == FA_OK; i++)
        status = fa_read_number(r->xml, e, list->item[i].xml,
                                fa_touch_number(&r->robot->oil.present, i), FA_OPTIONAL, r->error);
    return status;
}

// The cylinders of this file are the robot's last ones.
static fa_status read_cylinders(reader *r, const fa_xml_element *parent)
{
    fa_status status = FA_OK;
    int       here = 0;
    for (const fa_xml_element *e = fa_xml_child(parent, "cylinder"); e;
         e = fa_xml_next(e->next, "cylinder"))
        here++;
    fa_cylinder *c = fa_robot_cylinders(r->robot) + r->robot->n_cylinders - here;
    for (const fa_xml_element *e = fa_xml_child(parent, "cylinder"); e && status == FA_OK;
         e = fa_xml_next(e->next, "cylinder"), c++) {
        const fa_xml_element *oil = fa_xml_child(e, "oil");
        if (oil && c->cut == FA_CUT_CIRCUIT)
            return FAIL(r, oil->place,
                        "cylinder '%s' has an <oil> of its own, and its chambers are nodes of the "
                        "circuit, which has the oil; remove it here",
                        c->name);
        status = read_chambers(r, e, c);
        if (c->cut != FA_CUT_CIRCUIT) continue;
        c->number[FA_CYLINDER_bulk_modulus] = r->robot->oil.bulk_modulus;
        c->number[FA_CYLINDER_air] = r->robot->oil.air;
        c->number[FA_CYLINDER_exponent] = r->robot->oil.exponent;
        c->number[FA_CYLINDER_atmosphere] = r->robot->oil.atmosphere;
        c->number[FA_CYLINDER_vapour] = r->robot->oil.vapour;
    }
    return status;
}

static fa_status read_circuit(const fa_xml *xml, const fa_xml_element *circuit, fa_robot **robot,
                              fa_error *error)
{
    reader r = {.xml = xml, .error = error};
    int    parts = 0, edges = 0;
    for (const fa_xml_element *e = circuit->first; e; e = e->next) {
        parts += strcmp(e->name, "oil") != 0;
        for (const fa_xml_element *child = e->first; child; child = child->next) edges++;
        if (strcmp(e->name, "valve") == 0 && fa_xml_find(e, "part"))
            edges += FA_EDGE_COUNT; // those of a named section, at most
    }
    const int most = 2 * (*robot)->n_cylinders + FA_CIRCUIT_PORTS * parts;
    if (parts > FA_CIRCUIT_MAX || most > FA_CIRCUIT_MAX || edges > FA_CIRCUIT_MAX)
        return FAIL(&r, circuit->place,
                    "the circuit has %d parts; its ports and chambers may be %d", parts,
                    FA_CIRCUIT_MAX);
    if (parts == 0)
        return FAIL(&r, circuit->place,
                    "there is nothing in this <circuit>; add its parts, or remove it");
    if ((*robot)->n_parts > 0)
        return FAIL(&r, circuit->place,
                    "the robot '%s' has a <circuit> in its own file; put all parts into one of the "
                    "two",
                    (*robot)->name);
    fa_robot *with = fa_robot_with_circuit(*robot, most, parts, edges);
    if (!with)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for a circuit of %d parts", parts);
    *robot = r.robot = with;
    fa_xml   *named;
    fa_status status = fa_named_parts(&named, error);
    if (status != FA_OK) return status;
    r.parts = named;
    status = read_oil(&r, circuit);
    if (status == FA_OK && circuit->parent) status = read_cylinders(&r, circuit->parent);
    int k = 0;
    for (const fa_xml_element *e = circuit->first; e && status == FA_OK; e = e->next)
        if (strcmp(e->name, "oil") != 0) status = read_part(&r, e, k++);
    k = 0;
    for (const fa_xml_element *e = circuit->first; e && status == FA_OK; e = e->next)
        if (strcmp(e->name, "oil") != 0)
            status = read_sensing(&r, e, &fa_robot_circuit_parts(with)[k++]);
    fa_xml_free(named);
    if (status != FA_OK) return status;
    with = fa_robot_with_circuit(*robot, r.nodes, parts, r.edges);
    if (with) *robot = with;
    return with ? FA_OK
                : fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                          "there is not enough memory for a circuit of %d parts", parts);
}

fa_status fa_circuit_read(const fa_xml *xml, const fa_xml_element *parent, fa_robot **robot,
                          fa_error *error)
{
    const fa_xml_element *circuit;
    const fa_status status = fa_read_child(xml, parent, "circuit", FA_OPTIONAL, &circuit, error);
    return status == FA_OK && circuit ? read_circuit(xml, circuit, robot, error) : status;
}

fa_status fa_circuit_alone_read(const fa_xml *xml, fa_robot **robot, fa_error *error)
{
    *robot = fa_robot_new_circuit();
    if (!*robot)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for a circuit");
    fa_status status = read_circuit(xml, xml->root, robot, error);
    if (status == FA_OK) status = fa_read_name(xml, xml->root, "name", (*robot)->name, error);
    if (status == FA_OK) return FA_OK;
    free(*robot);
    *robot = NULL;
    return status;
}
