// How the derivatives of an arm's states change with the states because of its cylinders.
//
// A cylinder of the length L, with the levers dL/dq and the force F(L, v, pressures, ...), gives
// the joints the torques F dL/dq. With H = d^2L/dq^2 and v = dL/dq . qd,
//
//     d(F dL/dq)/dq  = dL/dq (F_L dL/dq + F_v H qd)^T + F H
//     d(F dL/dq)/dqd = dL/dq (F_v dL/dq)^T
//     d(F dL/dq)/dp  = dL/dq F_p
//
// and the rates of its own states change with L, v and these states alone. Partial derivatives of
// a law are one adjoint. by_tau, the inverse of the mass matrix, carries
// torques to accelerations.
#include <string.h>

#include "arm.h"

typedef struct place {
    const fa_arm        *arm;
    const fa_state_rows *states;
    int                  c; // coordinates
    int                  first, n, position, velocity;
    double              *by_state;
} place;

// Adds, to a row of the Jacobian, `factor` times the change of a result of which the partial
// derivatives are by[]. `bend` is H qd.
static void add_row(const place *p, const fa_arm_cylinder *cylinder, const double bend[],
                    const double by[FA_AXIS_GIVEN], double factor, int to)
{
    double      *row = p->by_state + to * p->n;
    const double by_length = factor * by[FA_AXIS_LENGTH], by_rate = factor * by[FA_AXIS_VELOCITY];
    for (int j = 0; j < p->c; j++) {
        row[p->position + j] += by_length * cylinder->lever[j] + by_rate * bend[j];
        row[p->velocity + j] += by_rate * cylinder->lever[j];
    }
    for (int i = 0; i < FA_AXIS_GIVEN; i++) {
        const int column = cylinder->at.given[i] - p->first;
        if (cylinder->at.given[i] != FA_NO_ROW && column >= 0 && column < p->n)
            row[column] += factor * by[i];
    }
}

// The accelerations that a unit of torque at each coordinate, all in this proportion, causes.
static double response(const place *p, int coordinate, const double torque[])
{
    double sum = 0;
    for (int j = 0; j < p->c; j++) sum += p->arm->by_tau[coordinate * p->c + j] * torque[j];
    return sum;
}

// F H: the levers turn under the force.
static void add_turning_levers(const place *p, const fa_arm_cylinder *cylinder,
                               const double value[])
{
    const double force = cylinder->law[FA_AXIS_FORCE];
    double      *unit = p->arm->qdd_tangent; // scratch
    memset(unit, 0, (size_t)p->c * sizeof *unit);
    for (int j = 0; j < p->c; j++) {
        if (cylinder->lever_row[j] == FA_NO_ROW) continue;
        unit[j] = 1;
        const double *column = fa_arm_cylinder_curvature(p->arm, cylinder, value, unit);
        unit[j] = 0;
        for (int i = 0; i < p->c; i++)
            p->by_state[(p->velocity + i) * p->n + p->position + j] +=
                force * response(p, i, column);
    }
}

static void partial(const fa_arm *arm, fa_axis_result result, double by[FA_AXIS_GIVEN])
{
    double wanted[FA_AXIS_RESULTS] = {0};
    wanted[result] = 1;
    memset(by, 0, FA_AXIS_GIVEN * sizeof *by);
    fa_axis_adjoint(arm->cylinders.axis, wanted, by);
}

// Adds the effect of this cylinder's flow on the supply's pressure, behind a pump.
static void add_to_supply(const place *p, const fa_arm_cylinder *cylinder, const double bend[],
                          double by_others, int row)
{
    double by[FA_AXIS_GIVEN];
    if (cylinder->parts & FA_PART_PUMP) {
        partial(p->arm, FA_AXIS_SUPPLY_RATE, by);
        add_row(p, cylinder, bend, by, 1, row);
    } else if (cylinder->parts & FA_PART_VALVE) {
        partial(p->arm, FA_AXIS_SUPPLY_FLOW, by);
        add_row(p, cylinder, bend, by, by_others, row);
    }
}

// The rows of the states that the cylinder itself has, and its part in that of the supply.
static void add_own_rows(const place *p, const fa_arm_cylinder *cylinder, const double bend[],
                         double by_others)
{
    double by[FA_AXIS_GIVEN];
    for (int i = 0; i < FA_AXIS_GIVEN; i++) {
        const int row = cylinder->at.given[i] - p->first;
        if (cylinder->at.given[i] == FA_NO_ROW || row < 0 || row >= p->n) continue;
        if (i == FA_AXIS_SUPPLY) {
            add_to_supply(p, cylinder, bend, by_others, row);
            continue;
        }
        const fa_state_row *state = &p->states->of[row];
        if (state->derivative < p->first + p->n) { // the spool's speed, itself a state
            p->by_state[row * p->n + state->derivative - p->first] = 1;
            continue;
        }
        partial(p->arm, (fa_axis_result)(state->derivative_index % FA_AXIS_STRIDE), by);
        add_row(p, cylinder, bend, by, 1, row);
    }
}

// The change of the supply pressure's rate with what valves other than the pump's own one draw.
static double supply_by_others(const fa_arm *arm, const double value[])
{
    double by[FA_AXIS_GIVEN] = {0};
    for (int k = 0; k < arm->cylinders.n; k++) {
        if (!(arm->cylinders.of[k].parts & FA_PART_PUMP)) continue;
        fa_arm_cylinder_record(arm, &arm->cylinders.of[k], value);
        partial(arm, FA_AXIS_SUPPLY_RATE, by);
    }
    return by[FA_AXIS_OTHERS_FLOW];
}

void fa_arm_cylinders_by_state(const fa_arm *arm, const fa_state_rows *states, const double value[],
                               double by_state[])
{
    const int    first = states->first;
    const place  p = {.arm = arm,
                      .states = states,
                      .c = arm->chain.n_coordinates,
                      .first = first,
                      .n = states->n,
                      .position = arm->row[FA_ARM_POSITION] - first,
                      .velocity = arm->row[FA_ARM_VELOCITY] - first,
                      .by_state = by_state};
    const double by_others = supply_by_others(arm, value);
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *cylinder = &arm->cylinders.of[k];
        add_turning_levers(&p, cylinder, value);
        if (!cylinder->parts) continue; // the force comes from outside
        double  by_force[FA_AXIS_GIVEN];
        double *bend = arm->tau_tangent; // scratch
        memcpy(bend,
               fa_arm_cylinder_curvature(arm, cylinder, value, value + arm->row[FA_ARM_VELOCITY]),
               (size_t)p.c * sizeof *bend);
        fa_arm_cylinder_record(arm, cylinder, value);
        partial(arm, FA_AXIS_FORCE, by_force);
        for (int i = 0; i < p.c; i++)
            add_row(&p, cylinder, bend, by_force, response(&p, i, cylinder->lever), p.velocity + i);
        add_own_rows(&p, cylinder, bend, by_others);
    }
}
