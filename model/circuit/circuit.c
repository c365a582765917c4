// Runs a circuit: its laws in their order, the arm inside where its time has come.
#include "circuit.h"

#include <math.h>
#include <string.h>

#include "arm.h"
#include "laws.h"

#include "laws.gen.h"

// ------------------------------------------------------------------------------------------ laws

#define ELEMENT_LIST "at_circuit.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_value(const void *in, void *out)                                            \
    {                                                                                              \
        fa_##name##_law(in, out);                                                                  \
    }                                                                                              \
    static void name##_tangent(const void *in, const void *dot, void *out_dot)                     \
    {                                                                                              \
        fa_##name##_tangent(in, dot, out_dot);                                                     \
    }                                                                                              \
    static void name##_adjoint(const void *in, const void *bar, void *in_bar)                      \
    {                                                                                              \
        fa_##name##_adjoint(in, bar, in_bar);                                                      \
    }
#include "passes.h"

static const struct {
    void (*value)(const void *in, void *out);
    void (*tangent)(const void *in, const void *dot, void *out_dot);
    void (*adjoint)(const void *in, const void *bar, void *in_bar);
} law[FA_ELEMENTS] = {
#define ELEMENT_LIST "at_circuit.h"
#define ELEMENT(name, at, xml, about)                                                              \
    [FA_ELEMENT_##name] = {name##_value, name##_tangent, name##_adjoint},
#include "passes.h"
};

enum { BLOCK = FA_UNIT_REALS + 4, OUT = FA_UNIT_RESULTS + 1 }; // flags lie behind the reals

static double at(const fa_circuit *c, const double row[], const double place[], int address)
{
    if (address < 0) return 0;
    return address < c->n_rows ? row[address] : place[address - c->n_rows];
}

static void add_at(const fa_circuit *c, double row[], double place[], int address, double by)
{
    if (address < 0) return;
    if (address < c->n_rows)
        row[address] += by;
    else
        place[address - c->n_rows] += by;
}

static int height_of(void)
{
    return (int)(offsetof(fa_edge_in, height) / sizeof(double));
}

// Returns true if the spool opens this edge.
static bool is_open(const fa_circuit_unit *u, double spool)
{
    return u->side == 0 || u->side * spool > 0;
}

static void gather(const fa_circuit *c, const fa_circuit_unit *u, const double value[],
                   double in[BLOCK])
{
    const fa_element *e = &fa_elements[u->element];
    for (int i = 0; i < e->n_reals; i++) in[i] = at(c, value, c->place, u->real[i]);
    memcpy(in + e->n_reals, u->flag, (size_t)e->n_flags * sizeof *u->flag);
    if (u->backward >= 0) ((bool *)(in + e->n_reals))[u->backward] = value[u->spool] < 0;
    if (u->table < 0) return;
    const double spool = value[u->spool];
    in[height_of()] =
        is_open(u, spool) ? fa_points_at(&c->table[u->table].points, 0, fabs(spool)) : 0;
}

// ----------------------------------------------------------------------------------------- tables

// Tangent of a table's value by its points, which it depends on near x alone: by tangents of the
// spool's points and of the heights.
static double table_tangent(const fa_points *p, double x, const double x_dot[],
                            const double y_dot[])
{
    // The same steps as in points.h, each with its tangent.
    double    slope[2] = {0}, slope_dot[2] = {0};
    const int last = p->n - 1, i = fa_points_piece(p, x);
    for (int k = 0; k < 2; k++) {
        const int    j = i + k, a = j > 0 ? j - 1 : 0, b = j < last ? j : last - 1;
        const double h1 = p->x[a + 1] - p->x[a], h2 = p->x[b + 1] - p->x[b];
        const double h1d = x_dot[a + 1] - x_dot[a], h2d = x_dot[b + 1] - x_dot[b];
        const double s1 = (p->y[a + 1] - p->y[a]) / h1, s2 = (p->y[b + 1] - p->y[b]) / h2;
        const double s1d = (y_dot[a + 1] - y_dot[a] - s1 * h1d) / h1;
        const double s2d = (y_dot[b + 1] - y_dot[b] - s2 * h2d) / h2;
        slope[k] = p->slope[j];
        if (j == 0 || j == last) {
            slope_dot[k] = p->y[j] == 0 ? 0 : s1d;
        } else if (s1 * s2 > 0) {
            const double w1 = 2 * h2 + h1, w2 = h2 + 2 * h1;
            const double w1d = 2 * h2d + h1d, w2d = h2d + 2 * h1d;
            const double under = w1 / s1 + w2 / s2;
            const double under_dot = (w1d - w1 / s1 * s1d) / s1 + (w2d - w2 / s2 * s2d) / s2;
            slope_dot[k] = (w1d + w2d - slope[k] * under_dot) / under;
        }
    }
    if (x < p->x[0]) return y_dot[0];
    if (x > p->x[last])
        return y_dot[last] + slope_dot[1] * (x - p->x[last]) - slope[1] * x_dot[last];
    const double h = p->x[i + 1] - p->x[i], hd = x_dot[i + 1] - x_dot[i];
    const double secant = (p->y[i + 1] - p->y[i]) / h;
    const double secant_dot = (y_dot[i + 1] - y_dot[i] - secant * hd) / h;
    const double t = x - p->x[i], td = -x_dot[i];
    const double b = (3 * secant - 2 * slope[0] - slope[1]) / h;
    const double bd = (3 * secant_dot - 2 * slope_dot[0] - slope_dot[1] - b * hd) / h;
    const double g = (slope[0] + slope[1] - 2 * secant) / (h * h);
    const double gd = (slope_dot[0] + slope_dot[1] - 2 * secant_dot) / (h * h) - 2 * g * hd / h;
    const double inner = slope[0] + t * (b + t * g);
    return y_dot[i] + td * inner +
           t * (slope_dot[0] + td * (b + t * g) + t * (bd + td * g + t * gd));
}

static double height_tangent(const fa_circuit *c, const fa_circuit_unit *u, const double value[],
                             const double direction[])
{
    const fa_circuit_table *t = &c->table[u->table];
    const double            spool = value[u->spool];
    if (!is_open(u, spool)) return 0;
    const double by_spool = fa_points_at(&t->points, 1, fabs(spool)) * (spool < 0 ? -1 : 1);
    return by_spool * direction[u->spool] +
           table_tangent(&t->points, fabs(spool), direction + t->spool, direction + t->height);
}

static void height_adjoint(const fa_circuit *c, const fa_circuit_unit *u, const double value[],
                           double wanted, double adjoint[])
{
    const fa_circuit_table *t = &c->table[u->table];
    const double            spool = value[u->spool];
    const int               n = t->points.n;
    if (wanted == 0 || !is_open(u, spool)) return;
    adjoint[u->spool] += wanted * fa_points_at(&t->points, 1, fabs(spool)) * (spool < 0 ? -1 : 1);
    const int i = fa_points_piece(&t->points, fabs(spool));
    for (int k = i > 0 ? i - 1 : 0; k < n && k <= i + 2; k++) {
        double one[FA_POINTS_MAX] = {0}, none[FA_POINTS_MAX] = {0};
        one[k] = 1;
        adjoint[t->spool + k] += wanted * table_tangent(&t->points, fabs(spool), one, none);
        adjoint[t->height + k] += wanted * table_tangent(&t->points, fabs(spool), none, one);
    }
}

// -------------------------------------------------------------------------------- laws, one by one

static void run(fa_circuit *c, const double value[], int from, int to)
{
    for (int k = from; k < to; k++) {
        const fa_circuit_unit *u = &c->unit[k];
        double                 in[BLOCK], out[OUT];
        double                *kept = c->out + (size_t)k * FA_UNIT_RESULTS;
        const int              n = fa_elements[u->element].n_results;
        gather(c, u, value, in);
        law[u->element].value(in, out);
        memcpy(kept, out, (size_t)n * sizeof *out);
        for (int i = 0; i < n; i++) {
            if (u->result[i] != FA_NO_ROW) c->place[u->result[i] - c->n_rows] = out[i];
            if (u->account[i] >= 0) c->place[c->power_at + u->account[i]] += out[i];
        }
        for (int i = 0; i < u->n_between; i++)
            c->place[u->between[i].to - c->n_rows] +=
                u->between[i].sign * out[u->between[i].result];
    }
}

static void run_tangent(fa_circuit *c, const double value[], double direction[], unsigned groups,
                        int from, int to)
{
    for (int k = from; k < to; k++) {
        const fa_circuit_unit *u = &c->unit[k];
        const fa_element      *e = &fa_elements[u->element];
        double                 in[BLOCK], dot[BLOCK] = {0}, out[OUT];
        gather(c, u, value, in);
        for (int i = 0; i < e->n_reals; i++) dot[i] = at(c, direction, c->place_change, u->real[i]);
        if (u->table >= 0) dot[height_of()] = height_tangent(c, u, value, direction);
        law[u->element].tangent(in, dot, out);
        for (int i = 0; i < e->n_results; i++) {
            if (u->result[i] != FA_NO_ROW) c->place_change[u->result[i] - c->n_rows] = out[i];
            if (u->account[i] >= 0) c->place_change[c->power_at + u->account[i]] += out[i];
            if (u->row[i] != FA_NO_ROW && u->group[i] & groups) direction[u->row[i]] = out[i];
        }
        for (int i = 0; i < u->n_between; i++)
            c->place_change[u->between[i].to - c->n_rows] +=
                u->between[i].sign * out[u->between[i].result];
    }
}

// Adds the adjoints of the units from to to-1, the last one first.
static void run_adjoint(fa_circuit *c, const double value[], double adjoint[], unsigned groups,
                        int from, int to)
{
    for (int k = to - 1; k >= from; k--) {
        const fa_circuit_unit *u = &c->unit[k];
        const fa_element      *e = &fa_elements[u->element];
        double                 in[BLOCK], bar[OUT] = {0}, by[BLOCK] = {0};
        gather(c, u, value, in);
        for (int i = 0; i < e->n_results; i++) {
            if (u->result[i] != FA_NO_ROW) bar[i] += c->place_change[u->result[i] - c->n_rows];
            if (u->account[i] >= 0) bar[i] += c->place_change[c->power_at + u->account[i]];
            if (u->row[i] != FA_NO_ROW && u->group[i] & groups) bar[i] += adjoint[u->row[i]];
        }
        for (int i = 0; i < u->n_between; i++)
            bar[u->between[i].result] +=
                u->between[i].sign * c->place_change[u->between[i].to - c->n_rows];
        law[u->element].adjoint(in, bar, by);
        for (int i = 0; i < e->n_reals; i++) add_at(c, adjoint, c->place_change, u->real[i], by[i]);
        if (u->table >= 0) height_adjoint(c, u, value, by[height_of()], adjoint);
    }
}

// -------------------------------------------------------------------------------- the arm inside

// Copies values and valid results into the arm; pressures and torques come from the circuit, whose
// laws have run.
static void take(fa_circuit *c, const double value[])
{
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->role_of[row] != FA_PARAMETER &&
            c->role_of[row] != FA_TUNABLE)
            c->inner[row] = value[c->outer_of[row]];
        else if (c->role_of[row] == FA_TIME)
            c->inner[row] = value[c->n_rows - 1];
    for (int k = 0; k < c->n_cylinders; k++)
        for (int side = 0; side < 2; side++)
            c->inner[c->cylinder[k].pressure[side]] = value[c->cylinder[k].node[side]];
    for (int k = 0; k < c->n_motors; k++)
        c->inner[c->motor[k].torque] += c->place[c->motor[k].torque_at - c->n_rows];
}

static unsigned inner_groups(const fa_circuit *c, unsigned groups)
{
    const bool asks = c->n_cylinders > 0 && groups & (FA_GROUP_DERIVATIVES | FA_CIRCUIT_GROUP);
    return (groups & ~FA_CIRCUIT_GROUP) | (asks ? FA_ARM_GROUP_CYLINDERS : 0);
}

static void take_lengths(fa_circuit *c, const double from[], double place[])
{
    for (int k = 0; k < c->n_cylinders; k++) {
        place[c->cylinder[k].length_at - c->n_rows] = from[c->cylinder[k].length];
        place[c->cylinder[k].rate_at - c->n_rows] = from[c->cylinder[k].rate];
    }
}

// Closes loops for motors at joints that loops determine: their laws stand before the arm, and read
// speeds that follow from its states.
static fa_status look_ahead(fa_circuit *c, const double value[], fa_error *error)
{
    if (!c->follows) return FA_OK;
    uint32_t fresh = ~(uint32_t)FA_ARM_GROUP_LOOPS;
    take(c, value);
    const fa_status status =
        fa_plant_evaluate(c->plant, c->arm, c->inner, FA_ARM_GROUP_LOOPS, &fresh, error);
    for (int k = 0; k < c->n_motors && status == FA_OK; k++)
        if (c->motor[k].follows)
            c->place[c->motor[k].velocity_at - c->n_rows] = c->inner[c->motor[k].velocity];
    return status;
}

// Evaluates all laws and the arm, except the arm's outputs.
static fa_status trace(fa_circuit *c, const double value[], unsigned groups, fa_error *error)
{
    memset(c->place, 0, (size_t)c->n_places * sizeof *c->place);
    const fa_status ahead = look_ahead(c, value, error);
    if (ahead != FA_OK) return ahead;
    run(c, value, 0, c->n_before);
    if (c->plant) {
        const unsigned wanted = inner_groups(c, groups);
        uint32_t       fresh = ~wanted; // prerequisites are valid in the values
        take(c, value);
        const fa_status status =
            fa_plant_evaluate(c->plant, c->arm, c->inner, wanted, &fresh, error);
        if (status != FA_OK) return status;
        take_lengths(c, c->inner, c->place);
    }
    run(c, value, c->n_before, c->n_units);
    return FA_OK;
}

// ---------------------------------------------------------------------------------- configuration

// The rotor of a motor is one more of the joint's.
static double reflected(const fa_circuit *c, const fa_circuit_joint *motor, const double value[])
{
    (void)c;
    return value[motor->gear] * value[motor->gear] * value[motor->inertia];
}

static fa_status check_unit(const fa_circuit *c, const fa_circuit_unit *u, const double value[],
                            fa_error *error)
{
    const fa_element *e = &fa_elements[u->element];
    double            in[BLOCK];
    gather(c, u, value, in);
    for (int i = 0; i < e->n_numbers; i++)
        if (u->real[i] == FA_NO_ROW) in[i] = e->item[i].rule == FA_RULE_ABOVE_ZERO ? 1 : 0;
    fa_status status = fa_element_check(e, in, u->about, NULL, FA_NOWHERE, error);
    return status == FA_OK ? fa_element_configure(e, in, u->about, error) : status;
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    fa_circuit *c = self;
    for (int k = 0; k < c->n_tables; k++) {
        fa_points *p = &c->table[k].points;
        for (int i = 0; i < p->n; i++) {
            p->x[i] = value[c->table[k].spool + i];
            p->y[i] = value[c->table[k].height + i];
            if (i > 0 && !(p->x[i] > p->x[i - 1]))
                return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                               "the spool's places in a table of a valve's edge must rise from one "
                               "point to the next, and number %d does not",
                               i + 1);
        }
        fa_points_prepare(p);
    }
    for (int k = 0; k < c->n_units; k++) {
        const fa_status status = check_unit(c, &c->unit[k], value, error);
        if (status != FA_OK) return status;
    }
    if (!c->plant) return FA_OK;
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->group_of[row] == 0)
            c->inner[row] = value[c->outer_of[row]];
    for (int k = 0; k < c->n_oil; k++) c->inner[c->oil[k].row] = value[c->oil[k].from];
    for (int k = 0; k < c->n_motors; k++) {
        const double gear = value[c->motor[k].outer_gear];
        if (gear != 0)
            c->inner[c->motor[k].rotor] += reflected(c, &c->motor[k], value) / (gear * gear);
    }
    return c->plant->configure(c->arm, c->inner, error);
}

// -------------------------------------------------------------------------------------- evaluation

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    fa_circuit     *c = self;
    const fa_status status = trace(c, value, groups, error);
    if (status != FA_OK) return status;
    for (int k = 0; k < c->n_units; k++)
        for (int i = 0; i < fa_elements[c->unit[k].element].n_results; i++)
            if (c->unit[k].row[i] != FA_NO_ROW && c->unit[k].group[i] & groups &&
                !isfinite(c->out[(size_t)k * FA_UNIT_RESULTS + (size_t)i]))
                return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                               "the laws of the circuit give %s a number that is not finite",
                               c->unit[k].about);
    for (int k = 0; k < c->n_units; k++)
        for (int i = 0; i < fa_elements[c->unit[k].element].n_results; i++)
            if (c->unit[k].row[i] != FA_NO_ROW && c->unit[k].group[i] & groups)
                value[c->unit[k].row[i]] = c->out[(size_t)k * FA_UNIT_RESULTS + (size_t)i];
    for (int k = 0; k < c->n_copies && groups & FA_CIRCUIT_GROUP; k++)
        value[c->copy[k].row] = value[c->copy[k].from];
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS && groups & FA_GROUP_DERIVATIVES; i++)
        if (c->power[i] != FA_NO_ROW) value[c->power[i]] = c->place[c->power_at + i];
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->group_of[row] & groups)
            value[c->outer_of[row]] = c->inner[row];
    return FA_OK;
}

// Maps a direction to the known rows of the arm inside.
static void take_direction(fa_circuit *c, const double direction[])
{
    double *dot = c->inner_change;
    for (int row = 0; row < c->n_inner; row++)
        dot[row] = c->outer_of[row] != FA_NO_ROW && c->group_of[row] == 0
                       ? direction[c->outer_of[row]]
                       : 0;
    for (int k = 0; k < c->n_oil; k++) dot[c->oil[k].row] = direction[c->oil[k].from];
    for (int k = 0; k < c->n_cylinders; k++)
        for (int side = 0; side < 2; side++)
            dot[c->cylinder[k].pressure[side]] = direction[c->cylinder[k].node[side]];
}

// Adds the tangents of the motors' rotors, which are parts of the joints' own.
static void add_rotor_tangents(fa_circuit *c, const double value[], const double direction[])
{
    for (int k = 0; k < c->n_motors; k++) {
        const fa_circuit_joint *m = &c->motor[k];
        const double gear = value[m->outer_gear], g = value[m->gear], of = value[m->inertia];
        if (gear == 0) continue;
        c->inner_change[m->rotor] +=
            (2 * g * of * direction[m->gear] + g * g * direction[m->inertia] -
             2 * g * g * of / gear * direction[m->outer_gear]) /
            (gear * gear);
    }
}

static fa_status tangent(void *self, const double value[], double direction[], unsigned groups,
                         fa_error *error)
{
    fa_circuit *c = self;
    fa_status   status = trace(c, value, groups, error);
    if (status != FA_OK) return status;
    memset(c->place_change, 0, (size_t)c->n_places * sizeof *c->place_change);
    if (c->follows) { // the speeds of motors that loops determine, before their laws
        take_direction(c, direction);
        add_rotor_tangents(c, value, direction);
        status = c->plant->tangent(c->arm, c->inner, c->inner_change, FA_ARM_GROUP_LOOPS, error);
        if (status != FA_OK) return status;
        for (int k = 0; k < c->n_motors; k++)
            if (c->motor[k].follows)
                c->place_change[c->motor[k].velocity_at - c->n_rows] =
                    c->inner_change[c->motor[k].velocity];
    }
    run_tangent(c, value, direction, groups, 0, c->n_before);
    if (c->plant) {
        take_direction(c, direction);
        add_rotor_tangents(c, value, direction);
        for (int k = 0; k < c->n_motors; k++)
            c->inner_change[c->motor[k].torque] +=
                c->place_change[c->motor[k].torque_at - c->n_rows];
        status =
            c->plant->tangent(c->arm, c->inner, c->inner_change, inner_groups(c, groups), error);
        if (status != FA_OK) return status;
        take_lengths(c, c->inner_change, c->place_change);
    }
    run_tangent(c, value, direction, groups, c->n_before, c->n_units);
    for (int k = 0; k < c->n_copies && groups & FA_CIRCUIT_GROUP; k++)
        direction[c->copy[k].row] = direction[c->copy[k].from];
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS && groups & FA_GROUP_DERIVATIVES; i++)
        if (c->power[i] != FA_NO_ROW) direction[c->power[i]] = c->place_change[c->power_at + i];
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->group_of[row] & groups)
            direction[c->outer_of[row]] = c->inner_change[row];
    return FA_OK;
}

// Adds adjoints by the known rows of the arm inside to those of the table.
static void give_adjoints(fa_circuit *c, const double value[], double adjoint[])
{
    const double *bar = c->inner_change;
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->group_of[row] == 0)
            adjoint[c->outer_of[row]] += bar[row];
    for (int k = 0; k < c->n_oil; k++) adjoint[c->oil[k].from] += bar[c->oil[k].row];
    for (int k = 0; k < c->n_cylinders; k++)
        for (int side = 0; side < 2; side++)
            adjoint[c->cylinder[k].node[side]] += bar[c->cylinder[k].pressure[side]];
    for (int k = 0; k < c->n_motors; k++) {
        const fa_circuit_joint *m = &c->motor[k];
        const double gear = value[m->outer_gear], g = value[m->gear], of = value[m->inertia];
        if (gear == 0) continue;
        const double by = bar[m->rotor] / (gear * gear);
        adjoint[m->gear] += 2 * g * of * by;
        adjoint[m->inertia] += g * g * by;
        adjoint[m->outer_gear] -= 2 * g * g * of / gear * by;
    }
}

// Adjoints through the results of the arm.
static fa_status adjoint_of_arm(fa_circuit *c, const double value[], double adjoint[],
                                unsigned groups, fa_error *error)
{
    double *bar = c->inner_change;
    for (int row = 0; row < c->n_inner; row++)
        bar[row] = c->outer_of[row] != FA_NO_ROW && c->group_of[row] & groups
                       ? adjoint[c->outer_of[row]]
                       : 0;
    for (int k = 0; k < c->n_cylinders; k++) {
        bar[c->cylinder[k].length] += c->place_change[c->cylinder[k].length_at - c->n_rows];
        bar[c->cylinder[k].rate] += c->place_change[c->cylinder[k].rate_at - c->n_rows];
    }
    const fa_status status =
        c->plant->adjoint(c->arm, c->inner, bar, inner_groups(c, groups), error);
    if (status != FA_OK) return status;
    give_adjoints(c, value, adjoint);
    for (int k = 0; k < c->n_motors; k++)
        c->place_change[c->motor[k].torque_at - c->n_rows] += bar[c->motor[k].torque];
    return FA_OK;
}

// Adjoints through the speeds that loops give motors.
static fa_status adjoint_of_speeds(fa_circuit *c, const double value[], double adjoint[],
                                   fa_error *error)
{
    if (!c->follows) return FA_OK;
    memset(c->inner_change, 0, (size_t)c->n_inner * sizeof *c->inner_change);
    for (int k = 0; k < c->n_motors; k++)
        if (c->motor[k].follows)
            c->inner_change[c->motor[k].velocity] +=
                c->place_change[c->motor[k].velocity_at - c->n_rows];
    const fa_status status =
        c->plant->adjoint(c->arm, c->inner, c->inner_change, FA_ARM_GROUP_LOOPS, error);
    if (status == FA_OK) give_adjoints(c, value, adjoint);
    return status;
}

static fa_status adjoint(void *self, const double value[], double adjoint[], unsigned groups,
                         fa_error *error)
{
    fa_circuit *c = self;
    fa_status   status = trace(c, value, groups, error);
    if (status != FA_OK) return status;
    memset(c->place_change, 0, (size_t)c->n_places * sizeof *c->place_change);
    for (int i = 0; i < FA_CIRCUIT_ACCOUNTS && groups & FA_GROUP_DERIVATIVES; i++)
        if (c->power[i] != FA_NO_ROW) c->place_change[c->power_at + i] = adjoint[c->power[i]];
    for (int k = 0; k < c->n_copies && groups & FA_CIRCUIT_GROUP; k++)
        adjoint[c->copy[k].from] += adjoint[c->copy[k].row];
    run_adjoint(c, value, adjoint, groups, c->n_before, c->n_units);
    if (c->plant) status = adjoint_of_arm(c, value, adjoint, groups, error);
    if (status != FA_OK) return status;
    run_adjoint(c, value, adjoint, groups, 0, c->n_before);
    return adjoint_of_speeds(c, value, adjoint, error);
}

// ----------------------------------------------------------------------------------------- events

// Copies states and modes that events of the arm have changed.
static void give_modes(const fa_circuit *c, double value[])
{
    for (int row = 0; row < c->n_inner; row++)
        if (c->outer_of[row] != FA_NO_ROW && c->role_of[row] >= FA_STATE &&
            c->role_of[row] != FA_TIME && c->group_of[row] == 0)
            value[c->outer_of[row]] = c->inner[row];
}

static fa_status event(void *self, double value[], fa_event *event, fa_error *error)
{
    fa_circuit *c = self;
    if (!c->plant) {
        *event = (fa_event){.initial = false};
        return FA_OK;
    }
    fa_status status = trace(c, value, FA_GROUP_DERIVATIVES, error);
    if (status == FA_OK) status = c->plant->event(c->arm, c->inner, event, error);
    if (status == FA_OK) give_modes(c, value);
    return status;
}

static fa_status accept(void *self, double value[], bool *moved, fa_error *error)
{
    fa_circuit *c = self;
    if (!c->plant || !c->plant->accept) return FA_OK;
    fa_status status = trace(c, value, 0, error);
    if (status == FA_OK) status = c->plant->accept(c->arm, c->inner, moved, error);
    if (status == FA_OK) give_modes(c, value);
    return status;
}

static const char *warning(void *self)
{
    fa_circuit *c = self;
    return c->plant && c->plant->warning ? c->plant->warning(c->arm) : NULL;
}

// The same prerequisites as for the arm inside.
static const fa_group_needs needs[] = {{FA_ARM_GROUP_ACCELERATION, FA_GROUP_DERIVATIVES},
                                       {FA_ARM_GROUP_STICK, FA_GROUP_DERIVATIVES},
                                       {FA_ARM_GROUP_REACTIONS, FA_GROUP_DERIVATIVES},
                                       {0, 0}};

const fa_plant fa_circuit_plant = {
    .name = "circuit",
    .about = "hydraulic circuit, alone or with the arm that it moves",
    .exact = true,
    .needs = needs,
    .declare = fa_circuit_declare,
    .depends = fa_circuit_depends,
    .size = fa_circuit_size,
    .prepare = fa_circuit_prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = tangent,
    .adjoint = adjoint,
    .event = event,
    .accept = accept,
    .warning = warning,
};
