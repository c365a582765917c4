// Cylinders in a robot's block of memory, and the robot that is a single cylinder.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "robot_lists.h"

// Default start values of a hydraulic axis' inputs.
static const double SUPPLY_PRESSURE = 1.6e7; // [Pa]
static const double TANK_PRESSURE = 1e5;     // [Pa]

fa_cylinder *fa_robot_cylinders(fa_robot *robot)
{
    return (fa_cylinder *)(void *)(robot->link + robot->n_links);
}

const fa_cylinder *fa_robot_cylinder(const fa_robot *robot, int index)
{
    return (const fa_cylinder *)(const void *)(robot->link + robot->n_links) + index;
}

fa_robot *fa_robot_with_cylinders(fa_robot *robot, int n)
{
    const int      before = robot->n_cylinders;
    fa_robot_lists lists = fa_robot_lists_of(robot);
    lists.n[FA_LIST_CYLINDERS] = n;
    fa_robot *larger = fa_robot_with_lists(robot, &lists);
    if (!larger) return NULL;
    for (int c = before; c < n; c++) {
        fa_cylinder *cylinder = &fa_robot_cylinders(larger)[c];
        memset(cylinder, 0, sizeof *cylinder);
        for (int i = 0; i < FA_CYLINDER_NUMBERS; i++)
            cylinder->number[i] = fa_cylinder_row_of(i).item->usual;
        cylinder->linkage.branch = 1;
        cylinder->initial_pressure[0] = cylinder->initial_pressure[1] = NAN;
        cylinder->initial_length = cylinder->initial_force = NAN;
        cylinder->node[0] = cylinder->node[1] = FA_NOBODY;
        cylinder->supply = SUPPLY_PRESSURE;
        cylinder->tank = TANK_PRESSURE;
    }
    return larger;
}

fa_robot *fa_robot_new_axis(void)
{
    fa_robot *robot = fa_robot_new(1), *axis = robot ? fa_robot_with_cylinders(robot, 1) : NULL;
    if (!axis) {
        free(robot);
        return NULL;
    }
    strcpy(axis->plant, "cylinder");
    strcpy(axis->link[0].name, "base");
    return axis;
}

bool fa_robot_is_axis(const fa_robot *robot)
{
    return strcmp(robot->plant, "cylinder") == 0;
}

static unsigned valve_of(const fa_cylinder *cylinder)
{
    const bool spool = cylinder->number[FA_CYLINDER_bandwidth] > 0;
    return FA_PART_VALVE | (spool ? FA_PART_SPOOL : 0);
}

unsigned fa_cylinder_parts(const fa_cylinder *cylinder)
{
    switch (cylinder->cut) {
    case FA_CUT_CHAMBER:
    case FA_CUT_CIRCUIT:
        return FA_PART_CHAMBERS;
    case FA_CUT_VALVE:
        return FA_PART_CHAMBERS | valve_of(cylinder) | (cylinder->pump ? FA_PART_PUMP : 0);
    case FA_CUT_PORT:
        return FA_PART_PORT | (cylinder->ends ? FA_PART_ENDS : 0);
    default:
        return 0;
    }
}

unsigned fa_axis_parts(const fa_cylinder *cylinder)
{
    const unsigned pump = cylinder->pump ? FA_PART_PUMP : 0;
    const bool     chambers = cylinder->cut == FA_CUT_FORCE || cylinder->cut == FA_CUT_PORT;
    return valve_of(cylinder) | pump | (chambers ? FA_PART_CHAMBERS : 0);
}
