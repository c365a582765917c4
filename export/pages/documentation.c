// documentation/index.html of an FMU: the robot, its variables, signs and solver, for the person
// who received the FMU without the robot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_picture.h"
#include "export.h"
#include "licence.h"
#include "markup.h"
#include "number.h"
#include "picture.h"
#include "plant.h"
#include "terminals.h"
#include "view.h"

#define PICTURE_SIZE 320 // [pixels]

static const char style[] =
    "body{font:15px/1.5 sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0;font-size:13px}"
    "th,td{border-bottom:1px solid #ddd;padding:.2em .7em;text-align:left;vertical-align:top}"
    "th{background:#f4f4f4}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "td:last-child:not(.n){min-width:16em}code{background:#f4f4f4;padding:0 "
    ".2em}pre{white-space:pre-wrap;font-size:12px}";

static void cell(fa_markup *out, const char *text)
{
    fa_markup_element(out, "td", text);
}

// Rounds to six digits. A whole number divided by a power of ten up to 1e22 is the double nearest
// to the decimal fraction, so that its shortest text is that fraction.
static double rounded(double value)
{
    if (value == 0 || !isfinite(value)) return value;
    int    places = 5 - (int)floor(log10(fabs(value)));
    double scale = pow(10, abs(places));
    if (abs(places) > 22) return value;
    return places >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
}

static void number_cell(fa_markup *out, double value)
{
    fa_markup_open(out, "td");
    fa_markup_attribute(out, "class", "n");
    fa_markup_text(out, fa_number_text(rounded(value)).text);
    fa_markup_close(out);
}

static void vector_cell(fa_markup *out, fa_vec3 v)
{
    char text[3 * FA_NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%s %s %s", fa_number_text(rounded(v.x)).text,
                   fa_number_text(rounded(v.y)).text, fa_number_text(rounded(v.z)).text);
    cell(out, text);
}

static void head_row(fa_markup *out, const char *const titles[], int n)
{
    fa_markup_open(out, "tr");
    for (int i = 0; i < n; i++) fa_markup_element(out, "th", titles[i]);
    fa_markup_close(out);
}

#define HEAD_ROW(out, titles) head_row(out, titles, (int)(sizeof(titles) / sizeof *(titles)))

// ------------------------------------------------------------------------------------ the robot

static void link_row(fa_markup *out, const fa_robot *robot, int i)
{
    const fa_link *link = &robot->link[i];
    fa_markup_open(out, "tr");
    cell(out, link->name);
    cell(out, link->parent == FA_WORLD ? "the ground" : robot->link[link->parent].name);
    cell(out, link->joint.name);
    cell(out, fa_joint_kinds[link->joint.type].name);
    if (link->joint.type == FA_FIXED)
        cell(out, "");
    else
        vector_cell(out, link->joint.axis);
    number_cell(out, link->mass);
    vector_cell(out, link->com);
    vector_cell(out, fa_sym3_eigenvalues(link->inertia));
    fa_markup_close(out);
}

static void write_links(fa_markup *out, const fa_robot *robot)
{
    static const char *const titles[] = {
        "link", "hangs on",  "by joint",           "of type",
        "axis", "mass [kg]", "centre of mass [m]", "principal moments of inertia [kg m²]"};
    fa_markup_element(out, "h2", "Links and joints");
    fa_markup_open(out, "table");
    HEAD_ROW(out, titles);
    for (int i = 0; i < robot->n_links; i++) link_row(out, robot, i);
    fa_markup_close(out);
    fa_markup_element(out, "p",
                      "The axis is in the joint's frame, the centre of mass in the link's own "
                      "frame. The values are those of the parameters when the FMU was made; all "
                      "numbers on this page are rounded to six digits.");
}

static void segment_row(fa_markup *out, const fa_link *link)
{
    fa_markup_open(out, "tr");
    cell(out, link->name);
    cell(out, link->joint.name);
    number_cell(out, link->segment.length);
    number_cell(out, link->segment.wheel);
    number_cell(out, link->mass);
    number_cell(out, link->com.x);
    number_cell(out, link->com.y);
    number_cell(out, link->inertia.zz);
    fa_markup_close(out);
}

static void write_segments(fa_markup *out, const fa_robot *robot)
{
    static const char *const titles[] = {"link",
                                         "joint behind it",
                                         "length [m]",
                                         "rear joint to wheel [m]",
                                         "mass [kg]",
                                         "wheel to centre of mass, forwards [m]",
                                         "to the left [m]",
                                         "moment of inertia [kg m²]"};
    fa_markup_element(out, "h2", "Links");
    fa_markup_open(out, "table");
    HEAD_ROW(out, titles);
    for (int i = 0; i < robot->n_links; i++) segment_row(out, &robot->link[i]);
    fa_markup_close(out);
    fa_markup_element(out, "p",
                      "The values are those of the parameters when the FMU was made; all numbers "
                      "on this page are rounded to six digits.");
}

// ---------------------------------------------------------------------------------- the variables

static void bound_cell(fa_markup *out, double bound)
{
    if (bound == FA_POSITIVE)
        cell(out, "above 0");
    else if (bound > -1e308 && bound < 1e308)
        number_cell(out, bound);
    else
        cell(out, "");
}

// Writes the start value of all elements; if they differ, the first and the last.
static void start_cell(fa_markup *out, const fa_variables *table, const fa_view *view, int variable)
{
    const fa_extent *extent = &view->extent[variable];
    const int       *at = view->cell + extent->first;
    double           first = view->variable[variable].start, last = first;
    bool             equal = true;
    for (int k = 0; k < extent->n; k++) {
        if (at[k] >= table->n) continue;
        last = table->row[at[k]].start;
        equal = equal && last == first;
    }
    if (equal) {
        number_cell(out, first);
        return;
    }
    fa_markup_open(out, "td");
    fa_markup_text(out, fa_number_text(first).text);
    fa_markup_text(out, " … ");
    fa_markup_text(out, fa_number_text(last).text);
    fa_markup_close(out);
}

static void size_cell(fa_markup *out, const fa_view *view, const fa_extent *extent)
{
    char text[64] = "";
    if (extent->sized)
        (void)snprintf(text, sizeof text, "%s", view->variable[0].name);
    else if (extent->columns)
        (void)snprintf(text, sizeof text, "%d × %d", extent->rows, extent->columns);
    else if (extent->rows)
        (void)snprintf(text, sizeof text, "%d", extent->rows);
    cell(out, text);
}

static void variable_row(fa_markup *out, const fa_variables *table, const fa_view *view,
                         int variable, bool sizes)
{
    static const char *const roles[] = {
#define X(code, name) [code] = (name),
        FA_ROLE_LIST(X)
#undef X
    };
    const fa_variable *v = &view->variable[variable];
    fa_markup_open(out, "tr");
    number_cell(out, variable + 1);
    fa_markup_open(out, "td");
    fa_markup_element(out, "code", v->name);
    fa_markup_close(out);
    if (sizes) size_cell(out, view, &view->extent[variable]);
    cell(out, roles[v->role]);
    cell(out, fa_units[v->unit].name);
    if (fa_variable_starts(v))
        start_cell(out, table, view, variable);
    else
        cell(out, "");
    bound_cell(out, v->minimum);
    bound_cell(out, v->maximum);
    cell(out, v->description ? v->description : "");
    fa_markup_close(out);
}

static void write_variables(fa_markup *out, const fa_variables *table, const fa_view *view, int n,
                            bool sizes)
{
    static const char *const titles[] = {"value reference", "name", "size", "role",      "unit",
                                         "start",           "min",  "max",  "what it is"};
    fa_markup_element(out, "h2", "Variables");
    fa_markup_open(out, "table");
    fa_markup_open(out, "tr");
    for (int i = 0; i < (int)(sizeof titles / sizeof *titles); i++)
        if (sizes || strcmp(titles[i], "size") != 0) fa_markup_element(out, "th", titles[i]);
    fa_markup_close(out);
    for (int v = 0; v < n; v++) variable_row(out, table, view, v, sizes);
    fa_markup_close(out);
}

// ------------------------------------------------------------------------------------- the rules

static const char *const signs[] = {
    "A positive torque or force of a joint pushes towards larger positions; torques increase the "
    "angle, forces the distance.",
    "tip.force and tip.torque are what the surroundings exert on the arm at the tip, along the "
    "axes of the world. Connecting another model needs no change of sign if it reports what it "
    "exerts on the arm.",
    "tip.x, tip.y, tip.z and the quaternion say where the tip is in the world; the quaternion "
    "turns vectors from the tip's axes to the world's.",
    "gravity is the acceleration of a body that falls freely, along the axes of the world: "
    "0 0 -9.81 where z points up.",
    "Inertia parameters are elements of the tensor about the link's centre of mass along the "
    "link's axes: inertia.xy is minus the integral of x y over the mass.",
    "The payload is added to the tip's link and replaces nothing.",
};

static const char *const axis_signs[] = {
    "A force is positive when it pushes the piston out, a velocity when the piston comes out.",
    "A flow is positive when oil enters the chamber. Chamber A is the one without the rod.",
    "Pressures are absolute. None falls below that of vapour.",
};

static const char *const circuit_signs[] = {
    "A flow of a valve is positive when it leaves the port for the node, that of a part between "
    "two "
    "nodes when it goes from the first to the second. Pressures are absolute.",
};

static const char *const snake_signs[] = {
    "Links are counted from 1, from the rear; joint 1 is between links 1 and 2. Link i's direction "
    "goes from its wheel towards link i+1: with a speed above zero the last link leads.",
    "The torque of joint i acts with + on link i+1 and with - on link i, and increases the joint's "
    "angle, which is link i+1's less link i's. Angles turn left and are not wrapped.",
    "A lateral force is what the ground exerts on the wheel, to the left of its link.",
    "The wheels of this model do not slip. Where wheel<i>.slip_usage passes 1, wheel<i>.slip and, "
    "for good, slipped become true: a real snake would do something else from there on.",
    "control_lost warns that all axles nearly meet in one point or are parallel, so that the "
    "joints' torques leave one of the two degrees of freedom alone.",
    "With --outputs energy: energy.kinetic less energy.work is constant but for the solver's "
    "errors.",
};

static const char *const solvers[] = {
    "0: method 1, and method 4 while the robot is stiff",
    "1: Dormand-Prince 5(4), whose steps follow the error that it estimates",
    "2: Kutta's third-order method with the fixed step solver_step",
    "3: the classical fourth-order Runge-Kutta method with the fixed step solver_step",
    ("4: a Rosenbrock method of order 4 with the exact Jacobian, for stiff friction, springs and "
     "drives; its steps follow the error as those of method 1 do"),
};

// Hints on connecting FMUs: for each kind of robot, then for all.
static const char *const arm_coupling[] = {
    "Positions, velocities and the pose of the tip do not depend on any input at the same instant; "
    "accelerations do. A model that answers to positions and velocities with a force, such as a "
    "spring, a controller or a contact, closes no algebraic loop.",
    "Two FMUs that hold the same body each have an acceleration as result of the other's force. "
    "Give the body to one of them and connect them by a spring and a damper, or by force and "
    "motion.",
};

static const char *const inverse_coupling[] = {
    "What the drives have to do depends on positions, velocities and accelerations at the same "
    "instant. Take these from a plan or a filter; the accelerations of the arm that is driven "
    "would close an algebraic loop.",
};

static const char *const shared_drives[] = {
    "Where loops tie joints together, efforts are those of the joints that are driven, zero at the "
    "others. More drives than the loops leave freedoms share the effort with the least norm of "
    "effort over its limit, or of the efforts where some joint has no limit.",
};

static const char *const snake_coupling[] = {
    "Places and angles do not depend on any input at the same instant; accelerations, torques and "
    "the forces at the wheels do. A model that answers to angles and their rates with torques "
    "closes no algebraic loop.",
};

// Hints for a cut between oil and mechanics.
static const char *const rod_coupling[] = {
    "The force of a cylinder follows from its length and velocity at the same instant, since seals "
    "rub and the ends of the stroke push back. The arm's length and velocity depend on no input, "
    "so that the two close no algebraic loop.",
    "Between a mass and a column of oil there is a stiff spring that hardly damps. A force that is "
    "held over a communication step h feeds it unless h < 2 zeta / omega, omega being the angular "
    "frequency of the mass on the oil and zeta its damping ratio: often less than a millisecond. "
    "Model Exchange has no such limit; a cut at the ports (--cut chamber) bears longer steps, and "
    "with the valve inside (--cut valve) there is nothing to cut.",
};

static const char *const port_coupling[] = {
    "Pressures are states of whoever has the chambers, and flows follow from them at the same "
    "instant, so that a valve and its cylinder close no algebraic loop.",
};

static const char *const coupling[] = {
    "Inputs are held between two communication points. A stiff spring or a fast controller that is "
    "coupled through them becomes unstable when the communication step is too long: keep it well "
    "below the period of the fastest mode over 10, try half of it, and compare.",
    ("If that is too slow, use Model Exchange, where the host's integrator sees everything at "
     "once; the Jacobians that it needs are analytic."),
    "modelDescription.xml says exactly which output depends on which input.",
};

// Writes the items of a list; the caller opens and closes it.
static void write_items(fa_markup *out, const char *const items[], size_t n)
{
    for (size_t i = 0; i < n; i++) fa_markup_element(out, "li", items[i]);
}

#define WRITE_ITEMS(out, items) write_items(out, items, sizeof(items) / sizeof *(items))

static bool is_cut(const fa_robot *robot, fa_cut cut)
{
    for (int i = 0; i < robot->n_cylinders; i++)
        if (fa_robot_cylinder(robot, i)->cut == cut) return true;
    return false;
}

static void write_signs(fa_markup *out, const fa_robot *robot)
{
    fa_markup_element(out, "h2", "Signs and frames");
    fa_markup_open(out, "ul");
    if (fa_robot_is_snake(robot))
        WRITE_ITEMS(out, snake_signs);
    else if (!fa_robot_is_axis(robot) && !fa_robot_is_circuit_alone(robot))
        WRITE_ITEMS(out, signs);
    if (fa_robot_has_circuit(robot)) WRITE_ITEMS(out, circuit_signs);
    if (robot->n_cylinders > 0) WRITE_ITEMS(out, axis_signs);
    fa_markup_close(out);
}

static void write_coupling(fa_markup *out, const fa_robot *robot)
{
    fa_markup_element(out, "h2", "Coupling");
    fa_markup_open(out, "ul");
    if (fa_robot_is_snake(robot))
        WRITE_ITEMS(out, snake_coupling);
    else if (fa_robot_is_inverse(robot))
        WRITE_ITEMS(out, inverse_coupling);
    else if (!fa_robot_is_axis(robot))
        WRITE_ITEMS(out, arm_coupling);
    if (fa_robot_is_inverse(robot) && robot->n_loops > 0) WRITE_ITEMS(out, shared_drives);
    if (is_cut(robot, FA_CUT_FORCE)) WRITE_ITEMS(out, rod_coupling);
    if (is_cut(robot, FA_CUT_CHAMBER)) WRITE_ITEMS(out, port_coupling);
    WRITE_ITEMS(out, coupling);
    fa_markup_close(out);
}

static void write_terminals(fa_markup *out, const fa_view *view, const fa_terminals *terminals,
                            int fmi)
{
    static const char *const titles[] = {"terminal", "kind", "member: variable"};
    if (terminals->n == 0) return;
    fa_markup_element(out, "h2", "Terminals");
    fa_markup_element(out, "p",
                      fmi == 2
                          ? "Variables that are connected together. FMI 2.0 has no word for it, "
                            "so that they have to be connected one by one."
                          : "Variables that are connected together. Two terminals fit if their "
                            "members have the same names and their kinds are the same.");
    fa_markup_open(out, "table");
    HEAD_ROW(out, titles);
    for (int first = 0, n; first < terminals->n_member; first += n) {
        const fa_terminal_member *member = &terminals->member[first];
        char                      name[2 * FA_NAME_SIZE];
        n = fa_terminal_size(terminals, first);
        const char *kind = fa_terminal_kind(member, n);
        fa_terminal_name(member, name, sizeof name);
        fa_markup_open(out, "tr");
        cell(out, name);
        cell(out, kind ? kind : "");
        fa_markup_open(out, "td");
        for (int i = 0; i < n; i++) {
            fa_markup_text(out, i > 0 ? ", " : "");
            fa_markup_text(out, member[i].name);
            fa_markup_text(out, ": ");
            fa_markup_element(out, "code", view->variable[member[i].row].name);
        }
        fa_markup_close(out);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static void write_solver(fa_markup *out, const fa_variables *table)
{
    char text[1024];
    fa_markup_element(out, "h2", "Solver");
    fa_markup_element(out, "p",
                      "In Model Exchange the host integrates. In Co-Simulation the FMU does, by "
                      "the method that the parameter solver names:");
    fa_markup_open(out, "ul");
    WRITE_ITEMS(out, solvers);
    fa_markup_close(out);
    (void)snprintf(
        text, sizeof text,
        "Methods 1 and 4 keep the estimated error of each step below solver_tolerance, %s "
        "unless set otherwise, times the size of each state plus its nominal value. A "
        "smaller tolerance that the host gives when it starts an experiment takes its "
        "place. Inputs are held between two communication points, or follow the slope "
        "that an FMI 2.0 host gives.",
        fa_number_text(table->row[FA_ROW_SOLVER_TOLERANCE].start).text);
    fa_markup_element(out, "p", text);
}

// Writes the original names of shortened ones.
static void write_short_names(fa_markup *out, const fa_short_names *names)
{
    static const char *const titles[] = {"", "in the robot file", "in this FMU"};
    if (names->n == 0) return;
    fa_markup_element(out, "h2", "Short names");
    fa_markup_open(out, "table");
    HEAD_ROW(out, titles);
    for (int i = 0; i < names->n; i++) {
        fa_markup_open(out, "tr");
        cell(out, names->of[i].kind);
        cell(out, names->of[i].from);
        cell(out, names->of[i].to);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

static fa_status write_circuit(fa_markup *out, const fa_robot *robot, fa_error *error)
{
    fa_markup_element(out, "h2", "The hydraulic circuit");
    fa_markup_open(out, "div"); // large circuits are wider than the page
    fa_markup_attribute(out, "style", "overflow-x:auto");
    const fa_status status = fa_circuit_picture_into(out, robot, error);
    fa_markup_close(out);
    fa_markup_element(out, "p",
                      "Symbols after ISO 1219-1. A line is a node, with its name; it has one "
                      "pressure. Dashed lines carry pilot pressures, leakages and the pressures of "
                      "load-sensing lines.");
    return status;
}

static fa_status write_body(fa_markup *out, const fa_robot *robot, const fa_options *options,
                            const fa_short_names *names, const fa_variables *table,
                            const fa_view *view, fa_error *error)
{
    const int    shown = fa_view_count(view, options->fmi);
    fa_terminals terminals = {0};
    char         text[4 * FA_NAME_SIZE];
    const bool   snake = fa_robot_is_snake(robot);
    fa_markup_element(out, "h1", robot->name);
    if (fa_robot_is_axis(robot))
        (void)snprintf(text, sizeof text,
                       "A hydraulic axis, the other side of a cylinder of an arm, as an FMU for "
                       "FMI %d.0 (Model Exchange and Co-Simulation) under the name %s. All values "
                       "are in SI units; pressures are absolute. Made by Forearm " FOREARM_VERSION
                       ".",
                       options->fmi, options->identifier);
    else if (snake)
        (void)snprintf(text, sizeof text,
                       "A snake of %d links%s on wheels that do not slip, which leaves it two "
                       "degrees of freedom, as an FMU for FMI %d.0 (Model Exchange and "
                       "Co-Simulation) under the name %s. All values are in SI units and radians. "
                       "Made by Forearm " FOREARM_VERSION ".",
                       robot->n_links,
                       options->arrays ? ", or as many as the host sets in configuration mode,"
                                       : "",
                       options->fmi, options->identifier);
    else if (fa_robot_is_circuit_alone(robot))
        (void)snprintf(text, sizeof text,
                       "A hydraulic circuit as an FMU for FMI %d.0 (Model Exchange and "
                       "Co-Simulation) under the name %s. All values are in SI units; pressures "
                       "are absolute. Made by Forearm " FOREARM_VERSION ".",
                       options->fmi, options->identifier);
    else
        (void)snprintf(
            text, sizeof text,
            "A robot with %d joint%s that move%s freely and %d link%s, as an FMU for FMI "
            "%d.0 (Model Exchange and Co-Simulation) under the name %s. All values are in "
            "SI units and radians. Made by Forearm " FOREARM_VERSION ".",
            fa_robot_independent(robot), fa_robot_independent(robot) == 1 ? "" : "s",
            fa_robot_independent(robot) == 1 ? "s" : "", robot->n_links,
            robot->n_links == 1 ? "" : "s", options->fmi, options->identifier);
    fa_markup_element(out, "p", text);
    fa_status status = fa_terminals_find(view, &terminals, error);
    if (status != FA_OK) return status;
    const bool alone = fa_robot_is_circuit_alone(robot);
    if (!alone) status = fa_picture_into(out, robot, PICTURE_SIZE, error);
    if (!fa_robot_is_axis(robot) && !alone)
        fa_markup_element(out, "p",
                          "The robot at the start, drawn from the kinematics alone: joints orange, "
                          "the ground grey, the tip green.");
    if (status == FA_OK && fa_robot_has_circuit(robot)) status = write_circuit(out, robot, error);
    write_signs(out, robot);
    write_coupling(out, robot);
    write_solver(out, table);
    if (snake) write_segments(out, robot);
    if (!snake && !alone && !fa_robot_is_axis(robot)) write_links(out, robot);
    write_terminals(out, view, &terminals, options->fmi);
    write_short_names(out, names);
    write_variables(out, table, view, shown, options->arrays);
    fa_markup_element(out, "h2", "Licence");
    fa_markup_element(out, "p",
                      "The library in this FMU is under the following licence. It says nothing "
                      "about the robot, which is whoever's it was.");
    fa_markup_element(out, "pre", fa_licence);
    free(terminals.member);
    return status;
}

fa_status fa_documentation_write(const fa_robot *robot, const fa_options *options,
                                 const fa_short_names *names, char **text, size_t *size,
                                 fa_error *error)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_variables    table;
    fa_view         view;
    void           *block, *of_view;
    fa_status       status = fa_plant_variables(plant, robot, true, &table, &block, error);
    if (status != FA_OK) return status;
    status = fa_view_make(plant, robot, &table, options->arrays, &view, &of_view, error);
    if (status != FA_OK) {
        free(block);
        return status;
    }

    fa_markup out = fa_markup_new();
    fa_markup_raw(&out, "<!DOCTYPE html>\n");
    fa_markup_open(&out, "html");
    fa_markup_attribute(&out, "lang", "en");
    fa_markup_open(&out, "head");
    fa_markup_raw(&out, "<meta charset=\"utf-8\"/>");
    // No scripts, whatever a robot's names contain.
    fa_markup_raw(&out,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>");
    fa_markup_element(&out, "title", robot->name);
    fa_markup_element(&out, "style", style);
    fa_markup_close(&out);
    fa_markup_open(&out, "body");
    status = write_body(&out, robot, options, names, &table, &view, error);
    fa_markup_close(&out);
    fa_markup_close(&out);
    free(of_view);
    free(block);
    fa_status finished = fa_markup_finish(&out, text, size, status == FA_OK ? error : NULL);
    if (status != FA_OK && finished == FA_OK) free(*text);
    return status != FA_OK ? status : finished;
}
