// Symbols of a hydraulic circuit, each a list of lines and filled shapes.
#include "circuit_symbols.h"

#include <string.h>

#include "robot_circuit.h"

static void shape(fa_markup *out, const char *data, const char *name, const char *value)
{
    fa_markup_open(out, "path");
    fa_markup_attribute(out, "d", data);
    if (name) fa_markup_attribute(out, name, value);
    fa_markup_close(out);
}

void fa_symbol_path(fa_markup *out, const char *data)
{
    shape(out, data, NULL, NULL);
}

void fa_symbol_dashes(fa_markup *out, const char *data)
{
    shape(out, data, "stroke-dasharray", "4 3");
}

static void filled(fa_markup *out, const char *data)
{
    shape(out, data, "fill", "currentColor");
}

static void circle(fa_markup *out, int x, int y, int radius)
{
    fa_markup_open(out, "circle");
    fa_markup_integer(out, "cx", x);
    fa_markup_integer(out, "cy", y);
    fa_markup_integer(out, "r", radius);
    fa_markup_close(out);
}

// ----------------------------------------------------------------------------- tanks and supplies

void fa_symbol_tank(fa_markup *out)
{
    fa_symbol_path(out, "M0 0V10M-8 4V12H8V4");
}

void fa_symbol_supply(fa_markup *out)
{
    fa_symbol_path(out, "M0 0V4");
    filled(out, "M0 4L-7 16H7Z");
}

// -------------------------------------------------------------------------------------- two ports

static void orifice(fa_markup *out)
{
    fa_symbol_path(out, "M0 20V-20M-9 -9Q-1 0 -9 9M9 -9Q1 0 9 9");
}

static void line(fa_markup *out)
{
    fa_symbol_path(out, "M0 20V15M0 -15V-20M0 15Q20 0 0 -15");
    filled(out, "M-2 13h4v4h-4zM-2 -17h4v4h-4z");
}

static void filter(fa_markup *out)
{
    fa_symbol_path(out, "M0 20V12M0 -12V-20M0 -12L12 0L0 12L-12 0Z");
    fa_symbol_dashes(out, "M-12 0H12");
}

static void check(fa_markup *out)
{
    fa_symbol_path(out, "M0 20V8M0 -7V-20M-9 -1L0 8L9 -1");
    circle(out, 0, -1, 6);
}

// A square with an arrow beside the way, which the pressure in front pushes there against a spring.
static void relief(fa_markup *out)
{
    fa_symbol_path(out, "M0 20V12M0 -12V-20M-12 -12h24v24h-24zM12 0l3 -5l4 10l4 -10l4 10l3 -5");
    fa_symbol_path(out, "M-5 12V-6");
    filled(out, "M-5 -12l-3 7h6z");
    fa_symbol_dashes(out, "M0 16H-18V2H-12");
}

// -------------------------------------------------------------------------------- poppets, pilots

static void pilot_check(fa_markup *out)
{
    check(out);
    shape(out, "M-14 -14h28v28h-28z", "stroke-dasharray", "8 3 2 3");
    fa_symbol_dashes(out, "M-14 0H-7");
}

static void counterbalance(fa_markup *out)
{
    shape(out, "M-28 -18h54v36h-54z", "stroke-dasharray", "8 3 2 3");
    fa_symbol_path(out,
                   "M0 20V14M0 -14V-20M-10 -14H14M-10 14H14M-10 -14V-8M-10 14V8M14 -14V-5M14 14V5");
    fa_symbol_path(out, "M-18 -8h16v16h-16zM-14 -8V3M-2 0l1 -4l3 8l3 -8l1 4");
    filled(out, "M-14 8l-3 -6h6z");
    fa_symbol_path(out, "M8 -1L14 5L20 -1");
    circle(out, 14, -1, 4);
    fa_symbol_dashes(out, "M-28 0H-18M-10 -11H-22V-4H-18");
}

// ----------------------------------------------------------------------------------------- valves

// The ways of a position, in boxes whose middles are at x = -36, 0, 36: a line, and where its arrow
// has its head and points.
typedef struct way {
    fa_edge_kind kind;
    const char  *line, *head;
} way;

static const way ways[] = {
    {FA_EDGE_PA, "M-46 16V-16", "M-46 -16l-3 7h6z"},
    {FA_EDGE_BT, "M-26 -16V16", "M-26 16l-3 -7h6z"},
    {FA_EDGE_PB, "M26 16L46 -16", "M46 -16l-6 4l5 3z"},
    {FA_EDGE_AT, "M26 -16L46 16", "M46 16l-1 -7l-5 3z"},
    {FA_EDGE_PT, "M-10 16V3H10V16", "M10 16l-3 -7h6z"},
};

static bool has_edge(const fa_robot *robot, int part, fa_edge_kind kind)
{
    for (int k = 0; k < robot->n_edges; k++)
        if (fa_robot_edge(robot, k)->part == part && fa_robot_edge(robot, k)->kind == kind)
            return true;
    return false;
}

static void section(fa_markup *out, const fa_robot *robot, int part)
{
    const int choice = fa_robot_circuit_part(robot, part)->choice;
    fa_symbol_path(out, "M-54 -16h108v32h-108zM-18 -16v32M18 -16v32M-54 -20H54M-54 20H54");
    fa_symbol_path(out, "M-54 -7h-12v14h12M-66 7l12 -14M54 -7h12v14h-12M66 7l-12 -14");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!has_edge(robot, part, ways[i].kind)) continue;
        fa_symbol_path(out, ways[i].line);
        filled(out, ways[i].head);
    }
    fa_symbol_path(out, "M-10 -20v10M-14 -10h8M10 -20v10M6 -10h8");
    fa_symbol_path(out, has_edge(robot, part, FA_EDGE_PT)
                            ? "M-10 20v-4M10 20v-4"
                            : "M-10 20v-10M-14 10h8M10 20v-10M6 10h8");
    if (choice == FA_COMPENSATOR_NONE) {
        fa_symbol_path(out, "M-10 20V40");
    } else { // a square on the way from P, which the drop moves
        fa_symbol_path(out,
                       "M-10 20V23M-10 37V40M-17 23h14v14h-14zM-10 37V29M-3 30l1 -3l3 6l3 -6l1 3");
        filled(out, "M-10 24l-3 6h6z");
    }
    fa_symbol_path(out, "M10 20V40");
}

// ------------------------------------------------------------------------------- pumps and others

static void pump(fa_markup *out, bool variable)
{
    fa_symbol_path(out, "M0 20V16M0 -16V-20M16 -2h8M16 2h8");
    circle(out, 0, 0, 16);
    filled(out, "M0 -16l-6 10h12z");
    if (!variable) return;
    fa_symbol_path(out, "M-18 18L18 -18");
    filled(out, "M18 -18l-8 4l4 4z");
}

static void motor(fa_markup *out)
{
    fa_symbol_path(out, "M-20 20V0H-16M20 20V0H16M-2 -16v-6M2 -16v-6");
    circle(out, 0, 0, 16);
    filled(out, "M-16 -5v10l9 -5zM16 -5v10l-9 -5z");
}

static void accumulator(fa_markup *out)
{
    fa_symbol_path(out,
                   "M0 20V12M-9 -10a9 9 0 0 1 18 0v13a9 9 0 0 1 -18 0zM-9 -3h18M-4 -14h8l-4 7z");
}

void fa_symbol_part(fa_markup *out, const fa_robot *robot, int index)
{
    static void (*const two[FA_CIRCUIT_KIND_COUNT])(fa_markup *) = {
        [FA_CIRCUIT_ORIFICE] = orifice,
        [FA_CIRCUIT_LINE] = line,
        [FA_CIRCUIT_FILTER] = filter,
        [FA_CIRCUIT_CHECK] = check,
        [FA_CIRCUIT_RELIEF] = relief,
        [FA_CIRCUIT_PILOT_CHECK] = pilot_check,
        [FA_CIRCUIT_COUNTERBALANCE] = counterbalance,
        [FA_CIRCUIT_ACCUMULATOR] = accumulator,
        [FA_CIRCUIT_MOTOR] = motor,
    };
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    if (part->kind == FA_CIRCUIT_VALVE)
        section(out, robot, index);
    else if (part->kind == FA_CIRCUIT_PUMP)
        pump(out, part->choice != FA_CONTROL_FIXED);
    else if (two[part->kind])
        two[part->kind](out);
}

// -------------------------------------------------------------------------------------- cylinders

void fa_symbol_cylinder(fa_markup *out)
{
    fa_symbol_path(out, "M-40 -12h80v24h-80zM-3 -12v24M3 -12v24M3 -3H60V3H3M-30 12V20M30 12V20");
}

void fa_symbol_chamber(fa_markup *out, int side)
{
    shape(out, side ? "M3 -12h37v24h-37z" : "M-40 -12h37v24h-37z", "fill", "currentColor");
}
