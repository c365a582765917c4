// Estimates stiffness, damping and rate of a foreign jack, and computes the motion demanded of it.
#include "port.h"

#include <math.h>
#include <string.h>

// Recursive least squares: factor on old data at each step; weight of the initial values, relative
// to the largest force.
static const double FORGET = 0.9, PRIOR = 1e-4;
static const double SLOW = 1e-3; // scale of the rate [m/s]
static const double LEAST = 0.25, MOST = 4, MOST_DAMPING = 2;
static const double PATIENCE = 20, FAR = 0.1;
static const double TURN = 6.28318530717958647693;

// -------------------------------------------------------------------------------------------- rows

static int row_of(const fa_variables *variables, int cylinder, const char *quantity)
{
    return fa_variables_row(variables, FA_OF_CYLINDER, cylinder, quantity, 0);
}

int fa_ports_find(const fa_variables *variables, fa_port port[], fa_port_rules *rules)
{
    int n = 0;
    for (int row = variables->first[FA_LOCAL]; row < variables->first[FA_LOCAL + 1]; row++) {
        const fa_variable *hold = &variables->row[row];
        if (!fa_variable_is(hold, FA_OF_CYLINDER, "port_hold")) continue;
        const int k = hold->key.part;
        if (port) {
            fa_port *p = &port[n];
            *p = (fa_port){
                .force = row_of(variables, k, "force"),
                .length = row_of(variables, k, "length"),
                .velocity = row_of(variables, k, "velocity"),
                .hold = row,
                .spring = row_of(variables, k, "port_stiffness"),
                .damper = row_of(variables, k, "port_damping"),
                .rate = row_of(variables, k, "port_rate"),
                .mass = row_of(variables, k, "effective_mass"),
                .frequency = row_of(variables, k, "port_frequency"),
                .held_force = row_of(variables, k, "port_held_force"),
                .held_length = row_of(variables, k, "port_held_length"),
                .held_velocity = row_of(variables, k, "port_held_velocity"),
                .told_length = row_of(variables, k, "port_told_length"),
                .told_velocity = row_of(variables, k, "port_told_velocity"),
                .told_acceleration = row_of(variables, k, "port_told_acceleration"),
                .velocity_row = row_of(variables, k, "port_velocity"),
                .first_spring = row_of(variables, k, "port_stiffness_start"),
                .first_damper = row_of(variables, k, "port_damping_start"),
            };
            p->start = variables->row[p->force].start;
            p->groups = variables->row[p->length].group | variables->row[p->velocity].group;
        }
        n++;
    }
    if (n > 0 && rules)
        *rules = (fa_port_rules){.schedule = fa_variables_find(variables, "port_schedule"),
                                 .line = fa_variables_find(variables, "port_line"),
                                 .learn = fa_variables_find(variables, "port_learn"),
                                 .delay = fa_variables_find(variables, "port_delay"),
                                 .wait = fa_variables_find(variables, "port_wait")};
    return n;
}

// -------------------------------------------------------------------------- the mass that it moves

// Differentiates accelerations by the force, then the speed by the states.
fa_status fa_port_find_mass(const fa_trajectory *trajectory, const fa_port *port, fa_error *error)
{
    const fa_state_rows *states = trajectory->states;
    const fa_plant      *plant = trajectory->plant;
    double              *value = trajectory->value, *direction = trajectory->direction;
    double              *gain = trajectory->work; // scratch: no integrator is running
    memset(direction, 0, (size_t)states->rows * sizeof *direction);
    direction[port->force] = 1;
    fa_status status =
        plant->tangent(trajectory->self, value, direction, trajectory->derivative_groups, error);
    for (int i = 0; i < states->n; i++) gain[i] = direction[states->of[i].derivative];
    memset(direction, 0, (size_t)states->rows * sizeof *direction);
    memcpy(direction + states->first, gain, (size_t)states->n * sizeof *gain);
    if (status == FA_OK)
        status = plant->tangent(trajectory->self, value, direction, port->groups, error);
    const double by_force = direction[port->velocity], mass = 1 / by_force;
    const bool   moves = status == FA_OK && by_force > 0 && isfinite(mass);
    value[port->mass] = moves ? mass : 0;
    value[port->frequency] = moves ? sqrt(value[port->spring] / mass) / TURN : 0;
    return status;
}

fa_status fa_ports_show(fa_trajectory *trajectory, const fa_port port[], int n, fa_error *error)
{
    double   *value = trajectory->value;
    unsigned  groups = trajectory->derivative_groups;
    fa_status status = FA_OK;
    for (int i = 0; i < n; i++) {
        const fa_port *p = &port[i];
        groups |= p->groups;
        value[p->hold] = FA_PORT_PLAIN;
        value[p->spring] = value[p->first_spring];
        value[p->damper] = value[p->first_damper];
        value[p->rate] = 0;
    }
    if (n == 0 || fa_trajectory_evaluate(trajectory, groups, error) != FA_OK) return FA_OK;
    for (int i = 0; i < n && status == FA_OK; i++)
        status = fa_port_find_mass(trajectory, &port[i], error);
    return status;
}

// ------------------------------------------------------------------------------------- parameters

fa_port_way fa_port_way_of(const fa_port_rules *rules, const double value[])
{
    const int schedule = (int)value[rules->schedule];
    return (fa_port_way){.schedule = schedule,
                         .line = value[rules->line] != 0,
                         .learn = value[rules->learn] != 0,
                         // Sequential schedules have no delay.
                         .delay = value[rules->delay] != 0 && schedule == FA_PORT_PARALLEL,
                         .wait = value[rules->wait] != 0};
}

// -------------------------------------------------------------------------------------- estimation

// Solves the symmetric equations of three unknowns, whose matrix is positive definite.
static void solve(const double s[6], const double b[3], double x[3])
{
    const double l11 = sqrt(s[0]), l21 = s[1] / l11, l31 = s[2] / l11;
    const double l22 = sqrt(s[3] - l21 * l21), l32 = (s[4] - l31 * l21) / l22;
    const double l33 = sqrt(s[5] - l31 * l31 - l32 * l32);
    const double y1 = b[0] / l11, y2 = (b[1] - l21 * y1) / l22;
    const double y3 = (b[2] - l31 * y1 - l32 * y2) / l33;
    x[2] = y3 / l33;
    x[1] = (y2 - l32 * x[2]) / l22;
    x[0] = (y1 - l21 * x[1] - l31 * x[2]) / l11;
}

static double within(double x, double least, double most)
{
    return fmin(fmax(x, least), most);
}

// Updates the estimates from the force that the jack returned after a motion.
static void learn(fa_port_memory *m, bool adapts, double k_0, double d_0, double force,
                  const fa_port_motion *motion)
{
    const double change = force - m->force, faster = motion->speed - m->v_0;
    m->largest = fmax(m->largest, fabs(force));
    if (m->first == 0) m->first = motion->time;
    if (adapts) {
        const double unit = k_0 * m->first; // unit of damping
        const double r[3] = {-k_0 * motion->by, -unit * faster, k_0 * motion->time * SLOW};
        for (int i = 0, at = 0; i < 3; i++) {
            for (int j = i; j < 3; j++, at++) m->square[at] = FORGET * m->square[at] + r[i] * r[j];
            m->product[i] = FORGET * m->product[i] + r[i] * change;
        }
        const double e = PRIOR * m->largest, ee = e * e;
        double       s[6], b[3], x[3] = {1, d_0 / unit, 0};
        memcpy(s, m->square, sizeof s);
        memcpy(b, m->product, sizeof b);
        s[0] += ee, s[3] += ee, s[5] += ee;
        b[0] += ee, b[1] += ee * x[1];
        // Without any force or motion so far, the initial values remain.
        double found[3];
        solve(s, b, found);
        if (isfinite(found[0]) && isfinite(found[1])) memcpy(x, found, sizeof x);
        m->k = within(x[0], LEAST, MOST) * k_0;
        m->d = within(x[1], 0, MOST_DAMPING) * unit;
    }
    m->s = (change + m->k * motion->by + m->d * faster) / motion->time;
    m->force = force;
    m->v_0 = motion->speed;
}

// ------------------------------------------------------------------------------------------- steps

void fa_port_start(fa_port_memory *memory, double length, double velocity, double force,
                   double stiffness, double damping)
{
    memset(memory, 0, sizeof *memory);
    memory->x = memory->x_before = length;
    memory->v_a = memory->v_b = memory->v_0 = velocity;
    memory->force = force;
    memory->largest = fabs(force);
    memory->k = stiffness;
    memory->d = damping;
}

static fa_port_law law_of(const fa_port_memory *m, double force, double length, double velocity,
                          double since)
{
    return (fa_port_law){.push = force + m->s * since,
                         .rate = m->s,
                         .spring = m->k,
                         .damper = m->d,
                         .length = length,
                         .velocity = velocity};
}

fa_port_law fa_port_begin(fa_port_memory *m, const fa_port_way *way, double force, double step,
                          double stiffness, double damping)
{
    const double before = m->force, v_0 = m->v_0;
    // The jack's first force is still missing.
    const bool awaited = m->steps == 0 && way->wait && force == 0;
    if (way->schedule == FA_PORT_JACK_FIRST) {
        const fa_port_motion now = {step * (m->v_a + m->v_b) / 2, m->v_b, step};
        if (!awaited) learn(m, way->learn, stiffness, damping, force, &now);
        return law_of(m, before, m->x, v_0, 0);
    }
    // The first forces precede any motion, so the estimator skips them.
    if (m->steps > way->delay)
        learn(m, way->learn, stiffness, damping, force, way->delay ? &m->older : &m->last);
    else if (!awaited)
        m->force = force;
    const bool late = way->delay && m->steps > 0;
    return law_of(m, m->force, late ? m->x_before : m->x, m->v_0, late ? m->step_before : 0);
}

void fa_port_end(fa_port_memory *m, const fa_port_way *way, double step, double length,
                 double velocity, double planned, double next, double next_velocity)
{
    const double x = m->x;
    m->older = m->last;
    if (way->schedule == FA_PORT_ARM_FIRST) {
        const double mean = (length - x) / step;
        m->v_b = way->line ? velocity : mean;
        m->v_a = 2 * mean - m->v_b;
        m->x = length;
        m->last = (fa_port_motion){length - x, m->v_b, step};
    } else {
        m->last = (fa_port_motion){step * (m->v_a + m->v_b) / 2, m->v_b, step};
        m->x = x + m->last.by;
        const double mean = (next - m->x) / planned;
        m->v_b = way->line ? next_velocity : mean;
        m->v_a = 2 * mean - m->v_b;
    }
    m->x_before = x;
    m->step_before = step;
    m->steps = fmin(m->steps + 1, 3);
}

// ---------------------------------------------------------------------------------------- warnings

// Counts consecutive steps; true at PATIENCE.
static bool goes_on(double *count, bool now)
{
    *count = now ? fmin(*count + 1, PATIENCE) : 0;
    return *count == PATIENCE;
}

bool fa_port_warns(fa_port_memory *m, int about, double stiffness, double angle, double gap,
                   double moved)
{
    bool due = false;
    if (about == FA_PORT_FAST) due = angle > 1;
    if (about == FA_PORT_BOUND)
        due = goes_on(&m->at_bound, m->k == LEAST * stiffness || m->k == MOST * stiffness);
    if (about == FA_PORT_APART) due = goes_on(&m->apart, fabs(gap) > FAR * fabs(moved));
    if (!due || m->told[about] != 0) return false;
    m->told[about] = 1;
    return true;
}
