// Groups variables into terminals and writes terminalsAndIcons.xml.
#include "terminals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "plant.h"

// Maps a joint's quantity to its terminal member; the names are those of other tools' joint models.
static const char *of_joint(const char *quantity)
{
    static const char *const names[][2] = {
        {"angle", "angle"},
        {"position", "angle"},
        {"velocity", "speed"},
        {"rate", "speed"},
        {"torque", "torque"},
        {"force", "force"},
        {"voltage", "voltage"},
        {"current", "current"},
        {"angular_velocity", "angular_velocity"}, // angular velocity in a plane
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(quantity, names[i][0]) == 0) return names[i][1];
    return NULL;
}

// Returns true for variables of a terminal of a pose. It omits accelerations, which depend
// algebraically on forces, and optional outputs, which the other side lacks.
static bool is_of_pose(const fa_variable *variable, fa_owner owner)
{
    static const char *const quantity[] = {"position",   "force",    "torque",
                                           "quaternion", "velocity", "angular_velocity"};
    for (size_t i = 0; i < sizeof quantity / sizeof *quantity; i++)
        if (fa_variable_is(variable, owner, quantity[i])) return true;
    return false;
}

// Joints of several freedoms have vectors, named like those of the tip.
static bool is_along_axis(const fa_variable *variable)
{
    return variable->key.axis != FA_ALONG_NONE && is_of_pose(variable, FA_OF_JOINT);
}

static bool is_of_contact(const fa_variable *variable)
{
    return fa_variable_is(variable, FA_OF_CONTACT, "force") ||
           fa_variable_is(variable, FA_OF_CONTACT, "slip") ||
           fa_variable_is(variable, FA_OF_CONTACT, "depth");
}

static bool is_of_link(const fa_variable *variable)
{
    return fa_variable_is(variable, FA_OF_LINK, "force") ||
           fa_variable_is(variable, FA_OF_LINK, "torque");
}

// Returns the name of a variable in its owner's terminal; NULL: it belongs to none.
static const char *member_name(const fa_variable *variable)
{
    const char *quantity = variable->name + variable->key.word;
    switch (variable->key.owner) {
    case FA_OF_JOINT:
        return is_along_axis(variable) ? quantity : of_joint(quantity);
    case FA_OF_CYLINDER:
        return quantity;
    case FA_OF_TIP:
        return is_of_pose(variable, FA_OF_TIP) ? quantity : NULL;
    case FA_OF_LINK:
        return is_of_link(variable) ? quantity : NULL;
    case FA_OF_CONTACT:
        return is_of_contact(variable) ? quantity : NULL;
    case FA_OF_LOOP: // residual of the loop, and with --outputs reactions its reaction
        return quantity;
    default:
        return NULL;
    }
}

// ---------------------------------------------------------------------------------------- finding

static bool is_member(const fa_variable *variable, fa_terminal_member *member)
{
    member->owner = (fa_owner)variable->key.owner;
    // "joint.elbow", "joint7", "tip"; "joint": an array over all joints.
    member->prefix = variable->name;
    member->prefix_size = variable->key.word - 1;
    member->name = member_name(variable);
    // Prismatic joints have no angle, and neither has an array with one of them.
    if (member->name && strcmp(member->name, "angle") == 0 && variable->unit != FA_UNIT_RADIAN)
        member->name = "position";
    return member->name != NULL;
}

static int by_prefix(const void *a, const void *b)
{
    const fa_terminal_member *one = a, *two = b;
    int shorter = one->prefix_size < two->prefix_size ? one->prefix_size : two->prefix_size;
    int order = memcmp(one->prefix, two->prefix, (size_t)shorter);
    if (order == 0) order = one->prefix_size - two->prefix_size;
    return order != 0 ? order : one->row - two->row;
}

static int by_terminal(const void *a, const void *b)
{
    const fa_terminal_member *one = a, *two = b;
    return one->terminal != two->terminal ? one->terminal - two->terminal : one->row - two->row;
}

static bool together(const fa_terminal_member *one, const fa_terminal_member *two)
{
    return one->prefix_size == two->prefix_size &&
           memcmp(one->prefix, two->prefix, (size_t)one->prefix_size) == 0;
}

// The cuts at a cylinder where a simulation may be partitioned. The FMUs on both sides have the
// same quantities with opposite causality: motion and force at the rod, or pressures and flows at
// the ports. The first entry of a list is the terminal's kind; NULL ends it.
static const char *const cuts[][6] = {
    {"forearm.cylinder.rod", "length", "velocity", "force"},
    {"forearm.cylinder.ports", "pressure_a", "pressure_b", "flow_a", "flow_b"},
};
enum { CUTS = sizeof cuts / sizeof *cuts };

static bool is_at(const char *const cut[], const char *name)
{
    for (int i = 1; cut[i]; i++)
        if (strcmp(cut[i], name) == 0) return true;
    return false;
}

// Returns true if both inputs and outputs belong to this cut.
static bool is_cut(const fa_view *view, const char *const cut[], const fa_terminal_member *member,
                   int n)
{
    bool in = false, out = false;
    for (int i = 0; i < n; i++) {
        if (!is_at(cut, member[i].name)) continue;
        bool input = view->variable[member[i].row].role == FA_INPUT;
        in |= input;
        out |= !input;
    }
    return in && out;
}

int fa_terminal_size(const fa_terminals *terminals, int first)
{
    int next = first;
    while (next < terminals->n_member &&
           terminals->member[next].terminal == terminals->member[first].terminal)
        next++;
    return next - first;
}

// Restricts each cylinder's terminal to its cut, if it has one.
static void cut_cylinders(const fa_view *view, fa_terminals *terminals)
{
    fa_terminal_member *member = terminals->member;
    int                 kept = 0;
    for (int first = 0, n; first < terminals->n_member; first += n) {
        const char *const *cut = NULL;
        n = fa_terminal_size(terminals, first);
        if (member[first].owner == FA_OF_CYLINDER)
            for (int c = 0; c < CUTS && !cut; c++)
                if (is_cut(view, cuts[c], &member[first], n)) cut = cuts[c];
        for (int i = first; i < first + n; i++) {
            if (cut && !is_at(cut, member[i].name)) continue;
            member[i].kind = cut ? cut[0] : member[i].kind;
            member[kept++] = member[i];
        }
    }
    terminals->n_member = kept;
}

fa_status fa_terminals_find(const fa_view *view, fa_terminals *terminals, fa_error *error)
{
    *terminals = (fa_terminals){0};
    terminals->member = calloc((size_t)view->n + 1, sizeof *terminals->member);
    if (!terminals->member)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the FMU's terminals");
    fa_terminal_member *member = terminals->member;
    int                 n = 0;
    for (int row = 0; row < view->n; row++) {
        const fa_variable *variable = &view->variable[row];
        if (variable->role < FA_INPUT || variable->role > FA_OUTPUT) continue;
        if (variable->type != FA_REAL) continue;
        if (variable->discrete) continue;
        member[n].row = row;
        n += is_member(variable, &member[n]);
    }
    terminals->n_member = n;
    // Sorted by terminal; then terminals in the order of their first variables.
    qsort(member, (size_t)n, sizeof *member, by_prefix);
    for (int i = 0; i < n; i++)
        member[i].terminal =
            i > 0 && together(&member[i - 1], &member[i]) ? member[i - 1].terminal : member[i].row;
    qsort(member, (size_t)n, sizeof *member, by_terminal);
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (member[i].terminal != last) terminals->n++;
        last = member[i].terminal;
        member[i].terminal = terminals->n - 1;
    }
    cut_cylinders(view, terminals);
    return FA_OK;
}

void fa_terminal_name(const fa_terminal_member *member, char name[], size_t size)
{
    (void)snprintf(name, size, "%.*s", member->prefix_size, member->prefix);
    for (char *c = name; *c; c++)
        if (*c == '.') *c = '_';
}

static bool has(const fa_terminal_member *member, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(member[i].name, name) == 0) return true;
    return false;
}

const char *fa_terminal_kind(const fa_terminal_member *member, int n)
{
    if (member->owner == FA_OF_CYLINDER) return member->kind ? member->kind : "forearm.cylinder";
    return has(member, n, "voltage") ? "forearm.joint.voltage" : NULL;
}

// ---------------------------------------------------------------------------------------- writing

static const char *describe(const fa_terminal_member *member, int n)
{
    if (member->owner == FA_OF_TIP)
        return "Pose and motion of the tip; force and torque are what the surroundings exert on "
               "the "
               "arm, along the axes of the world";
    if (member->owner == FA_OF_LINK)
        return "Force and torque that the surroundings exert on the link at its centre of mass, "
               "along "
               "the axes of the world";
    if (member->owner == FA_OF_CYLINDER)
        return "Hydraulic cylinder; length and velocity grow outwards, and so a positive force "
               "pushes; "
               "flows go into the cylinder";
    if (member->owner == FA_OF_CONTACT)
        return "Contact: force of the surface on the robot and speed across the surface along the "
               "axes of the world, and depth";
    if (member->owner == FA_OF_LOOP)
        return "Closed loop: how far it is open, and force and torque of its predecessor on its "
               "successor where they are there, along the loop's axes on the successor";
    if (has(member, n, "quaternion.w") || has(member, n, "angular_velocity"))
        return "Joint of several freedoms: motion of what it carries, and force and torque of the "
               "connected model on it, along the axes of the joint's frame on the parent";
    if (has(member, n, "voltage"))
        return "Joint with motor; a positive voltage pushes towards larger positions, behind a "
               "negative gear ratio towards smaller ones";
    return "Joint; a positive torque or force pushes towards larger positions, and is what the "
           "connected model exerts on the joint";
}

static void write_terminal(fa_markup *out, const fa_view *view, const fa_terminal_member *member,
                           int n)
{
    char        name[2 * FA_NAME_SIZE];
    const char *kind = fa_terminal_kind(member, n);
    fa_terminal_name(member, name, sizeof name);
    fa_markup_open(out, "Terminal");
    fa_markup_attribute(out, "name", name);
    fa_markup_attribute(out, "matchingRule", "plug");
    if (kind) fa_markup_attribute(out, "terminalKind", kind);
    fa_markup_attribute(out, "description", describe(member, n));
    for (int i = 0; i < n; i++) {
        fa_markup_open(out, "TerminalMemberVariable");
        fa_markup_attribute(out, "variableName", view->variable[member[i].row].name);
        fa_markup_attribute(out, "memberName", member[i].name);
        fa_markup_attribute(out, "variableKind", "signal");
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static void write_corners(fa_markup *out)
{
    fa_markup_integer(out, "x1", -100);
    fa_markup_integer(out, "y1", -100);
    fa_markup_integer(out, "x2", 100);
    fa_markup_integer(out, "y2", 100);
}

static void write_page(fa_markup *out, const fa_view *view, const fa_terminals *terminals)
{
    fa_markup_declaration(out);
    fa_markup_open(out, "fmiTerminalsAndIcons");
    fa_markup_attribute(out, "fmiVersion", "3.0");
    fa_markup_open(out, "GraphicalRepresentation");
    fa_markup_open(out, "CoordinateSystem");
    write_corners(out);
    fa_markup_attribute(out, "suggestedScalingFactorTo_mm", "0.1");
    fa_markup_close(out);
    fa_markup_open(out, "Icon");
    write_corners(out);
    fa_markup_close(out);
    fa_markup_close(out);
    if (terminals->n > 0) {
        fa_markup_open(out, "Terminals");
        for (int first = 0, n; first < terminals->n_member; first += n) {
            n = fa_terminal_size(terminals, first);
            write_terminal(out, view, &terminals->member[first], n);
        }
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

fa_status fa_terminals_write(const fa_robot *robot, const fa_options *options, char **text,
                             size_t *size, fa_error *error)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_terminals    terminals = {0};
    fa_variables    table;
    fa_view         view;
    void           *block, *of_view = NULL;
    fa_status       status = fa_plant_variables(plant, robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    status = fa_view_make(plant, robot, &table, options->arrays, &view, &of_view, error);
    if (status == FA_OK && !(robot->hidden & FA_HIDE_TERMINALS))
        status = fa_terminals_find(&view, &terminals, error);
    if (status == FA_OK) {
        fa_markup out = fa_markup_new();
        write_page(&out, &view, &terminals);
        status = fa_markup_finish(&out, text, size, error);
        free(terminals.member);
    }
    free(of_view);
    free(block);
    return status;
}
