// Table of plants; builds variables and evaluates groups with their prerequisites.
#include "plant.h"

#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "circuit.h"
#include "cylinder_plant.h"
#include "mechanism.h"
#include "sliding_plant.h"
#include "snake_plant.h"

const fa_plant *const fa_plants[] = {
    &fa_arm_plant,    &fa_inverse_plant, &fa_mechanism_plant, &fa_inverse_mechanism_plant,
    &fa_snake_plant,  &fa_sliding_plant, &fa_rolling_plant,   &fa_cylinder_plant,
    &fa_circuit_plant};
const int fa_plant_count = sizeof fa_plants / sizeof *fa_plants;

const fa_plant *fa_plant_find(const char *name)
{
    for (int i = 0; i < fa_plant_count; i++)
        if (strcmp(fa_plants[i]->name, name) == 0) return fa_plants[i];
    return NULL;
}

unsigned fa_plant_groups(const fa_plant *plant, unsigned groups)
{
    for (unsigned before = 0; plant->needs && groups != before;) {
        before = groups;
        for (const fa_group_needs *needs = plant->needs; needs->group; needs++)
            if (groups & needs->group) groups |= needs->others;
    }
    return groups;
}

fa_status fa_plant_evaluate(const fa_plant *plant, void *self, double value[], unsigned groups,
                            uint32_t *fresh, fa_error *error)
{
    const unsigned missing = fa_plant_groups(plant, groups) & ~(fresh ? *fresh : 0);
    if (missing == 0) return FA_OK;
    const fa_status status = plant->evaluate(self, value, missing, error);
    if (status == FA_OK && fresh) *fresh |= missing;
    return status;
}

// Declares the rows FA_ROW_SOLVER … of every table. The defaults keep ten digits of a typical arm's
// motion.
static void declare_solver(fa_variables *variables)
{
    fa_variable solver = fa_variable_of(FA_PARAMETER, FA_UNIT_NONE, FA_SOLVER_AUTOMATIC);
    solver.type = FA_INT32;
    solver.minimum = FA_SOLVER_AUTOMATIC;
    solver.maximum = FA_SOLVER_ROSENBROCK;
    fa_variable_add(variables, solver, fa_key_of(FA_OF_ROBOT, "solver"),
                    "Integrator of Co-Simulation: 0 automatic (1 or 4), 1 Dormand-Prince 5(4), "
                    "2 Kutta 3, 3 Runge-Kutta 4, 4 Rosenbrock 4(3) for stiff robots; 2 and 3 with "
                    "fixed steps, the others with error control");
    fa_variable step = fa_variable_of(FA_PARAMETER, FA_UNIT_SECOND, 1e-3);
    step.minimum = 1e-9; // ten million such steps cover 10 ms, the usual communication step
    fa_variable_add(variables, step, fa_key_of(FA_OF_ROBOT, "solver_step"),
                    "Largest step of the fixed-step integrators");
    fa_variable tolerance = fa_variable_of(FA_PARAMETER, FA_UNIT_NONE, 1e-8);
    tolerance.minimum = 1e-14; // a hundred times the rounding of one addition
    fa_variable_add(variables, tolerance, fa_key_of(FA_OF_ROBOT, "solver_tolerance"),
                    "Error per step that the integrators with error control allow, relative to "
                    "each state plus its nominal value");
}

static fa_status declare_all(const fa_plant *plant, const fa_robot *robot, fa_variables *variables,
                             fa_error *error)
{
    declare_solver(variables);
    fa_status   status = plant->declare(robot, variables, error);
    fa_variable time = fa_variable_of(FA_TIME, FA_UNIT_SECOND, 0);
    fa_variable_add(variables, time, fa_key_of(FA_OF_ROBOT, "time"), "Simulation time");
    for (int row = 0; variables->row && row < variables->n; row++)
        variables->row[row].group = fa_plant_groups(plant, variables->row[row].group);
    return status;
}

fa_status fa_plant_variables(const fa_plant *plant, const fa_robot *robot, bool described,
                             fa_variables *variables, void **block, fa_error *error)
{
    *block = NULL;
    fa_variables measured = {.described = described};
    fa_status    status = fa_robot_require_checked(robot, error);
    if (status == FA_OK) status = declare_all(plant, robot, &measured, error);
    if (status != FA_OK) return status;

    size_t rows = (size_t)measured.n * sizeof(fa_variable);
    char  *memory = malloc(rows + measured.text_size);
    if (!memory)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the %d variables of '%s'", measured.n,
                       robot->name);
    *variables =
        (fa_variables){.row = (fa_variable *)memory, .text = memory + rows, .described = described};
    status = declare_all(plant, robot, variables, error);
    if (status == FA_OK) status = fa_variables_check(variables, error);
    if (status == FA_OK)
        *block = memory;
    else
        free(memory);
    return status;
}

bool fa_plant_switches(const fa_plant *plant, const fa_variables *variables)
{
    if (!plant->event) return false;
    if (fa_variables_count(variables, FA_INDICATOR) > 0) return true;
    for (int row = variables->first[FA_INPUT]; row < variables->first[FA_STATE]; row++)
        if (variables->row[row].discrete) return true;
    return false;
}
