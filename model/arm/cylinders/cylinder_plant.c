// Evaluates, differentiates and switches a hydraulic axis without an arm.
#include "cylinder_plant.h"

#include <math.h>
#include <string.h>

#include "axis_rows.h"

enum { GIVEN = 1, INITIAL, RESULT };

// Groups beyond FA_GROUP_DERIVATIVES.
enum { OUTPUTS = 2 };

typedef struct axis {
    unsigned       parts;
    fa_axis_places at;
    int            result[FA_AXIS_RESULTS]; // rows of what is calculated
    unsigned       group[FA_AXIS_RESULTS];
    fa_axis        law;
} axis;

// ------------------------------------------------------------------------------------ declarations

static fa_axis_table table_of(const fa_robot *robot, fa_variables *variables)
{
    const fa_cylinder *cylinder = fa_robot_cylinder(robot, 0);
    return (fa_axis_table){variables,
                           cylinder,
                           0,
                           fa_axis_parts(cylinder),
                           {GIVEN, INITIAL, RESULT, FA_GROUP_DERIVATIVES, OUTPUTS}};
}

static void add_given(const fa_axis_table *t, fa_role role, fa_axis_given given, fa_unit unit,
                      double start, const char *name, const char *about)
{
    fa_variable row = fa_variable_of(role, unit, start);
    row.quantity = GIVEN;
    row.index = given;
    fa_variable_add(t->variables, row, fa_key_of_part(FA_OF_CYLINDER, 0, t->cylinder->name, name),
                    about);
}

static fa_status declare(const fa_robot *robot, fa_variables *variables, fa_error *error)
{
    (void)error;
    const fa_axis_table t = table_of(robot, variables);
    const fa_cylinder  *c = t.cylinder;
    fa_axis_declare_parameters(&t);
    if (t.parts & FA_PART_CHAMBERS) {
        add_given(&t, FA_INPUT, FA_AXIS_LENGTH, FA_UNIT_METRE, c->initial_length, "length",
                  "Distance of the end points of the cylinder");
        add_given(&t, FA_INPUT, FA_AXIS_VELOCITY, FA_UNIT_METRE_PER_SECOND, 0, "velocity",
                  "Rate of the length, positive when the piston comes out");
    } else {
        add_given(&t, FA_INPUT, FA_AXIS_PRESSURE_A, FA_UNIT_PASCAL, c->initial_pressure[0],
                  "pressure_a", "Pressure in chamber A, without the rod, absolute");
        add_given(&t, FA_INPUT, FA_AXIS_PRESSURE_B, FA_UNIT_PASCAL, c->initial_pressure[1],
                  "pressure_b", "Pressure in chamber B, around the rod, absolute");
    }
    fa_axis_declare_inputs(&t);
    fa_axis_declare_tank(&t);
    fa_axis_declare_states(&t);
    fa_axis_declare_outputs(&t);
    fa_axis_declare_locals(&t);
    fa_axis_declare_indicators(&t);
    return FA_OK;
}

// Before initialisation ends, a start value represents its state.
static fa_dependence depends(const fa_robot *robot, const fa_variables *variables, int unknown,
                             int known)
{
    const fa_variable *of = &variables->row[unknown], *on = &variables->row[known];
    const unsigned     parts = fa_axis_parts(fa_robot_cylinder(robot, 0));
    if (unknown == known) return FA_PROPORTIONAL;
    if (of->role == FA_STATE) {
        // The spool's speed is a state, and the derivative of another one.
        return of->initial == known ? FA_PROPORTIONAL : FA_INDEPENDENT;
    }
    if (of->quantity != RESULT || (on->quantity != GIVEN && on->quantity != INITIAL))
        return FA_INDEPENDENT;
    return fa_axis_depends(parts, (fa_axis_result)of->index, on->index) ? FA_DEPENDENT
                                                                        : FA_INDEPENDENT;
}

// ------------------------------------------------------------------------------------------ set-up

static size_t size(const fa_robot *robot)
{
    (void)robot;
    return sizeof(axis);
}

static void prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    axis *a = self;
    memset(a, 0, sizeof *a);
    a->parts = fa_axis_parts(fa_robot_cylinder(robot, 0));
    a->at = fa_axis_nowhere(fa_robot_cylinder(robot, 0));
    for (int i = 0; i < FA_AXIS_RESULTS; i++) a->result[i] = FA_NO_ROW;
    for (int row = 0; row < variables->n; row++) {
        const fa_variable *v = &variables->row[row];
        if (v->quantity == GIVEN) a->at.given[v->index] = row;
        if (v->quantity == INITIAL) fa_axis_place_initial(&a->at, v->index, row);
        if (v->quantity != RESULT) continue;
        a->result[v->index] = row;
        a->group[v->index] = v->group;
    }
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    return fa_axis_configure(&((const axis *)self)->at, value, error);
}

// -------------------------------------------------------------------------------------- evaluation

static void gather(const axis *a, const double value[], double given[])
{
    for (int i = 0; i < FA_AXIS_GIVEN; i++)
        given[i] = a->at.given[i] == FA_NO_ROW ? 0 : value[a->at.given[i]];
}

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    axis  *a = self;
    double given[FA_AXIS_GIVEN];
    gather(a, value, given);
    fa_axis_evaluate(&a->law, a->parts, given);
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        if (a->result[i] != FA_NO_ROW && a->group[i] & groups && !isfinite(a->law.result[i]))
            return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                           "a flow, a force or the change of a pressure of the cylinder is not a "
                           "finite number");
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        if (a->result[i] != FA_NO_ROW && a->group[i] & groups)
            value[a->result[i]] = a->law.result[i];
    return FA_OK;
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    axis  *a = self;
    double given[FA_AXIS_GIVEN], tangent[FA_AXIS_GIVEN], change[FA_AXIS_RESULTS];
    (void)error;
    gather(a, value, given);
    gather(a, direction, tangent);
    fa_axis_evaluate(&a->law, a->parts, given);
    fa_axis_tangent(&a->law, tangent, change);
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        if (a->result[i] != FA_NO_ROW && a->group[i] & groups) direction[a->result[i]] = change[i];
    return FA_OK;
}

static fa_status adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error)
{
    axis  *a = self;
    double given[FA_AXIS_GIVEN], wanted[FA_AXIS_RESULTS] = {0}, by[FA_AXIS_GIVEN] = {0};
    (void)error;
    gather(a, value, given);
    fa_axis_evaluate(&a->law, a->parts, given);
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        if (a->result[i] != FA_NO_ROW && a->group[i] & groups) wanted[i] = adjoint[a->result[i]];
    fa_axis_adjoint(&a->law, wanted, by);
    for (int i = 0; i < FA_AXIS_GIVEN; i++)
        if (a->at.given[i] != FA_NO_ROW) adjoint[a->at.given[i]] += by[i];
    return FA_OK;
}

// Row by row: the derivative of a state is a result, whose partial derivatives are one
// adjoint, or itself a state.
static fa_status jacobian(void *self, const fa_state_rows *states, const double value[],
                          double direction[], double by_state[], fa_error *error)
{
    axis     *a = self;
    const int n = states->n;
    double    given[FA_AXIS_GIVEN];
    (void)direction;
    (void)error;
    gather(a, value, given);
    fa_axis_evaluate(&a->law, a->parts, given);
    for (int i = 0; i < n; i++) {
        const fa_state_row *state = &states->of[i];
        double              wanted[FA_AXIS_RESULTS] = {0}, by[FA_AXIS_GIVEN] = {0};
        if (state->derivative < states->first + n)
            by[state->derivative_index] = 1; // the spool's speed
        else
            wanted[state->derivative_index] = 1;
        fa_axis_adjoint(&a->law, wanted, by);
        for (int j = 0; j < n; j++) by_state[i * n + j] = by[states->of[j].index];
    }
    return FA_OK;
}

static fa_status event(void *self, double value[], fa_event *event, fa_error *error)
{
    const axis *a = self;
    (void)error;
    *event = (fa_event){.states_changed = fa_axis_switch(&a->at, value)};
    event->again = event->states_changed;
    return FA_OK;
}

const fa_plant fa_cylinder_plant = {
    .name = "cylinder",
    .about = "hydraulic axis: valve, chambers and cylinder, motion in and force out",
    .exact = true,
    .declare = declare,
    .depends = depends,
    .size = size,
    .prepare = prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = tangent,
    .adjoint = adjoint,
    .jacobian = jacobian,
    .event = event,
};
