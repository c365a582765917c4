// Vendor annotations in modelDescription.xml.
#include "annotations.h"

#include <stdio.h>

#include "export.h"
#include "units.h"
#include "view.h"

#define MOST_CURVES 12 // more are not distinguishable in a plot

bool fa_has_scene(const fa_robot *robot, const fa_options *options)
{
    return (robot->outputs & FA_EXTRA_POSES) && !options->arrays;
}

// Returns the title of a plot of variables with this unit.
static const char *title_of(fa_unit unit)
{
    static const char *const titles[FA_UNIT_COUNT] = {
        [FA_UNIT_METRE] = "Positions",
        [FA_UNIT_METRE_PER_SECOND] = "Velocities",
        [FA_UNIT_METRE_PER_SECOND2] = "Accelerations",
        [FA_UNIT_RADIAN] = "Angles",
        [FA_UNIT_RADIAN_PER_SECOND] = "Angular velocities",
        [FA_UNIT_RADIAN_PER_SECOND2] = "Angular accelerations",
        [FA_UNIT_NEWTON] = "Forces",
        [FA_UNIT_NEWTON_METRE] = "Torques",
        [FA_UNIT_JOULE] = "Energies",
        [FA_UNIT_WATT] = "Powers",
        [FA_UNIT_PASCAL] = "Pressures",
        [FA_UNIT_METRE3_PER_SECOND] = "Flows",
        [FA_UNIT_VOLT] = "Voltages",
        [FA_UNIT_AMPERE] = "Currents",
    };
    return titles[unit] ? titles[unit] : fa_units[unit].name;
}

// Returns the next variable from `row` on that belongs in a plot; the number of rows if there is
// none.
static int next(const fa_robot *robot, const fa_variables *table, fa_role role, fa_unit unit,
                int row)
{
    while (row < table->first[role + 1] &&
           (table->row[row].unit != unit || table->row[row].type != FA_REAL ||
            fa_view_hides_row(robot, &table->row[row])))
        row++;
    return row;
}

static void write_plot(fa_markup *out, const fa_robot *robot, const fa_variables *table,
                       fa_role role, fa_unit unit)
{
    int curves = 0;
    fa_markup_open(out, "Plot");
    fa_markup_attribute(out, "title", title_of(unit));
    fa_markup_open(out, "Axis");
    fa_markup_attribute(out, "role", "y");
    fa_markup_attribute(out, "label", title_of(unit));
    fa_markup_attribute(out, "unit", fa_units[unit].name);
    fa_markup_close(out);
    for (int row = next(robot, table, role, unit, table->first[role]);
         row < table->first[role + 1] && curves < MOST_CURVES;
         row = next(robot, table, role, unit, row + 1), curves++) {
        fa_markup_open(out, "Curve");
        fa_markup_attribute(out, "y", table->row[row].name);
        fa_markup_close(out);
    }
    fa_markup_close(out);
}

// Writes a plot for each unit of the role's variables.
static void write_figure(fa_markup *out, const fa_robot *robot, const fa_variables *table,
                         fa_role role, const char *title)
{
    bool any = false;
    for (int unit = FA_UNIT_NONE + 1; unit < FA_UNIT_COUNT; unit++) {
        if (next(robot, table, role, (fa_unit)unit, table->first[role]) == table->first[role + 1])
            continue;
        if (!any) {
            fa_markup_open(out, "Figure");
            fa_markup_attribute(out, "title", title);
            if (role == FA_STATE) fa_markup_attribute(out, "preferred", "true");
        }
        any = true;
        write_plot(out, robot, table, role, (fa_unit)unit);
    }
    if (any) fa_markup_close(out);
}

static void write_figures(fa_markup *out, const fa_robot *robot, const fa_variables *table)
{
    fa_markup_open(out, "Figures");
    fa_markup_attribute(out, "version", "1");
    write_figure(out, robot, table, FA_STATE, "States");
    write_figure(out, robot, table, FA_INPUT, "Inputs");
    write_figure(out, robot, table, FA_OUTPUT, "Outputs");
    fa_markup_close(out);
}

static void write_scene(fa_markup *out, const fa_options *options)
{
    char file[FA_NAME_SIZE + 16];
    snprintf(file, sizeof file, "%s_visual.xml", options->identifier);
    fa_markup_open(out, "Visualization");
    fa_markup_attribute(out, "version", "1");
    fa_markup_attribute(out, "file", file);
    fa_markup_close(out);
}

// ------------------------------------------------------------------------------------ annotations

static void open_tool(fa_markup *out)
{
    fa_markup_open(out, "Tool");
    fa_markup_attribute(out, "name", "OpenModelica");
}

// The schema allows one element per <Tool>. The scene comes first, if there is one: some readers
// use the first <Tool> of that name.
static void write_fmi2(fa_markup *out, const fa_robot *robot, const fa_options *options, bool scene,
                       const fa_variables *table)
{
    fa_markup_open(out, "VendorAnnotations");
    if (scene) {
        open_tool(out);
        write_scene(out, options);
        fa_markup_close(out);
    }
    open_tool(out);
    write_figures(out, robot, table);
    fa_markup_close(out);
    fa_markup_close(out);
}

static void write_fmi3(fa_markup *out, const fa_robot *robot, const fa_options *options,
                       const fa_variables *table)
{
    fa_markup_open(out, "Annotations");
    fa_markup_open(out, "Annotation");
    fa_markup_attribute(out, "type", "org.openmodelica");
    write_figures(out, robot, table);
    write_scene(out, options);
    fa_markup_close(out);
    fa_markup_close(out);
}

void fa_annotations_write(fa_markup *out, const fa_robot *robot, const fa_options *options,
                          const fa_variables *table)
{
    const bool scene = fa_has_scene(robot, options);
    if (options->fmi == 2)
        write_fmi2(out, robot, options, scene, table);
    else if (scene)
        write_fmi3(out, robot, options, table);
}
