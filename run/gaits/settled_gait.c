// Runs the gait of a snake period by period and measures each of them.
//
// Integrals over a period (work, mean heading) are states of snakes that slide. On ideal wheels
// these states are missing: Simpson's rule integrates the samples.
#include "settled_gait.h"

#include <math.h>

#include "arctan.h"
#include "laws.h"
#include "simulation.h"
#include "sincos.h"
#include "sliding_plant.h"

// Samples of a period; Simpson's rule needs an even number. The largest sample of a sine is below
// its peak by at most the share (pi / SAMPLES)^2 / 2, 0.03 percent.
enum { SAMPLES = 128 };

static const double TURN = 2 * 3.14159265358979323846;
static const double ALIKE = 1e-3;          // of the larger, between two successive periods
static const double LEAST_DISTANCE = 1e-9; // [m], as period.cost_of_transport has it

// ------------------------------------------------------------------------------ rows of the table

int fa_gait_row(const fa_state *state, int quantity, int index)
{
    for (int row = 0; row < state->table.n; row++) {
        const fa_variable *v = &state->table.row[row];
        if (v->quantity == quantity && v->index == index) return row;
    }
    return FA_NO_ROW;
}

static bool is_snake(const fa_state *state)
{
    return state->plant == &fa_snake_plant || state->plant == &fa_sliding_plant ||
           state->plant == &fa_rolling_plant;
}

fa_status fa_gait_fits(const fa_state *state, fa_error *error)
{
    if (!is_snake(state) || fa_gait_row(state, FA_SNAKE_ROW_GAIT, 0) == FA_NO_ROW)
        return fa_fail(error, FA_UNFIT, state->source, FA_NOWHERE,
                       "it has no gait; give a snake with <input kind=\"gait\" .../>");
    const int frequency = fa_gait_row(state, FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_FREQUENCY);
    if (state->value[frequency] != 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, state->source, FA_NOWHERE,
                   "gait.frequency is 0, so that no period ends; give another one");
}

bool fa_gait_starts(const fa_state *state, int row)
{
    const int quantity = state->table.row[row].quantity;
    return is_snake(state) &&
           (quantity == FA_SNAKE_ROW_INITIAL_ANGLE || quantity == FA_SNAKE_ROW_INITIAL_LINK_RATE ||
            quantity == FA_SNAKE_ROW_INITIAL_VELOCITY || quantity == FA_SNAKE_ROW_INITIAL_SPEED ||
            quantity == FA_SNAKE_ROW_INITIAL_RATE);
}

static double gait_number(const fa_state *state, int number)
{
    return state->value[fa_gait_row(state, FA_SNAKE_ROW_GAIT, number)];
}

double fa_gait_period(const fa_state *state)
{
    return TURN / fabs(gait_number(state, FA_SNAKE_ROW_GAIT_FREQUENCY));
}

// --------------------------------------------------------------------------------------- the start

void fa_gait_shape(fa_state *state)
{
    const double amplitude = gait_number(state, 0);
    const double shift = gait_number(state, FA_SNAKE_ROW_GAIT_SHIFT);
    const double bias = gait_number(state, FA_SNAKE_ROW_GAIT_BIAS);
    const double phase = gait_number(state, FA_SNAKE_ROW_GAIT_PHASE);
    double       angle = 0, x = 0, y = 0, sine, cosine;
    int          first = FA_NO_ROW;
    for (int row = 0; row < state->table.n; row++) {
        const fa_variable *v = &state->table.row[row];
        if (!fa_gait_starts(state, row)) continue;
        state->value[row] = 0;
        if (v->quantity != FA_SNAKE_ROW_INITIAL_ANGLE) continue;
        if (v->index == 0) {
            first = row;
        } else {
            fa_sincos(phase + (v->index - 1) * shift, &sine, &cosine);
            angle += amplitude * sine + bias;
        }
        state->value[row] = angle;
        fa_sincos(angle, &sine, &cosine);
        x += cosine;
        y += sine;
    }
    const double heading = fa_atan2(y, x);
    for (int row = first; state->table.row[row].quantity == FA_SNAKE_ROW_INITIAL_ANGLE; row++)
        state->value[row] -= heading;
}

// ------------------------------------------------------------------------------- what is measured

// First rows of what is read at each sample; FA_NO_ROW: it is not there.
typedef struct rows {
    int n_joints;
    int angle, rate, reference, torque, drive_torque, sum, com_x, com_y, heading, usage;
} rows;

static rows find_rows(const fa_state *state)
{
    rows at = {.angle = fa_gait_row(state, FA_SNAKE_ROW_JOINT_ANGLE, 0),
               .rate = fa_gait_row(state, FA_SNAKE_ROW_JOINT_RATE, 0),
               .reference = fa_gait_row(state, FA_SNAKE_ROW_JOINT_REFERENCE, 0),
               .torque = fa_gait_row(state, FA_SNAKE_ROW_TORQUE, 0),
               .drive_torque = fa_gait_row(state, FA_SNAKE_ROW_DRIVE_TORQUE, 0),
               .sum = fa_gait_row(state, FA_SNAKE_ROW_SUM, 0),
               .com_x = fa_gait_row(state, FA_SNAKE_ROW_COM_X, 0),
               .com_y = fa_gait_row(state, FA_SNAKE_ROW_COM_Y, 0),
               .heading = fa_gait_row(state, FA_SNAKE_ROW_HEADING, 0),
               .usage = fa_gait_row(state, FA_SNAKE_ROW_USAGE, 0)};
    for (int row = at.angle; state->table.row[row].quantity == FA_SNAKE_ROW_JOINT_ANGLE; row++)
        at.n_joints++;
    return at;
}

// Integrals: since the start where they are states, otherwise over the period.
typedef struct sums {
    double heading_x, heading_y, work, net_work;
} sums;

typedef struct measure {
    fa_state *state;
    rows      at;
    double    mass, length, gravity, period; // of the whole snake
    sums      sum;                           // where no states are it
    double    peak, off, slip;               // of this period; `off` is a sum of squares
} measure;

static measure measure_of(fa_state *state)
{
    measure m = {.state = state, .at = find_rows(state), .period = fa_gait_period(state)};
    for (int row = 0; row < state->table.n; row++) {
        const int    quantity = state->table.row[row].quantity;
        const double value = state->value[row];
        if (quantity == FA_SNAKE_ROW_MASS) m.mass += value;
        if (quantity == FA_SNAKE_ROW_LENGTH) m.length += value;
        if (quantity == FA_SNAKE_ROW_GRAVITY) m.gravity = value;
    }
    return m;
}

// Returns the torque of a joint's servo and input, computed here for plants without an output of
// it.
static double torque_of(const measure *m, int joint)
{
    const fa_state *state = m->state;
    const double   *value = state->value;
    if (m->at.drive_torque != FA_NO_ROW) return value[m->at.drive_torque + joint];
    const int        limit = fa_gait_row(state, FA_SNAKE_ROW_GAIT, FA_SNAKE_ROW_GAIT_TORQUE_LIMIT);
    const bool       limited = limit != FA_NO_ROW;
    const fa_gait_in in = {.amplitude = gait_number(state, 0),
                           .frequency = gait_number(state, FA_SNAKE_ROW_GAIT_FREQUENCY),
                           .shift = gait_number(state, FA_SNAKE_ROW_GAIT_SHIFT),
                           .bias = gait_number(state, FA_SNAKE_ROW_GAIT_BIAS),
                           .phase = gait_number(state, FA_SNAKE_ROW_GAIT_PHASE),
                           .stiffness = gait_number(state, FA_SNAKE_ROW_GAIT_STIFFNESS),
                           .damping = gait_number(state, FA_SNAKE_ROW_GAIT_DAMPING),
                           .torque_limit = limited ? value[limit] : INFINITY,
                           .limits_torque = limited,
                           .time = value[state->table.first[FA_TIME]],
                           .joint = joint,
                           .position = value[m->at.angle + joint],
                           .rate = value[m->at.rate + joint]};
    fa_gait_out      out;
    fa_gait_law(&in, &out);
    return out.torque + value[m->at.torque + joint];
}

// Sample number i of a period, from 0 to SAMPLES; the first is the last of the period before.
static void take_sample(measure *m, int i)
{
    const double *value = m->state->value;
    const double  step = m->period / SAMPLES;
    const double  simpson = step / 3 * (i == 0 || i == SAMPLES ? 1 : i % 2 ? 4 : 2);
    double        power = 0, positive = 0, sine, cosine;
    for (int k = 0; k < m->at.n_joints; k++) {
        const double torque = torque_of(m, k), each = torque * value[m->at.rate + k];
        const double off = value[m->at.reference + k] - value[m->at.angle + k];
        power += each;
        positive += fmax(0, each);
        m->peak = fmax(m->peak, fabs(torque));
        if (i > 0) m->off += off * off;
        if (m->at.usage != FA_NO_ROW) m->slip = fmax(m->slip, value[m->at.usage + k]);
    }
    if (m->at.usage != FA_NO_ROW) m->slip = fmax(m->slip, value[m->at.usage + m->at.n_joints]);
    fa_sincos(value[m->at.heading], &sine, &cosine);
    m->sum.heading_x += simpson * cosine;
    m->sum.heading_y += simpson * sine;
    m->sum.work += simpson * positive;
    m->sum.net_work += simpson * power;
}

// Where the snake is, and its sums.
typedef struct mark {
    double x, y, heading;
    sums   sum;
} mark;

static mark mark_of(const measure *m)
{
    const double *value = m->state->value;
    mark          now = {value[m->at.com_x], value[m->at.com_y], value[m->at.heading], m->sum};
    if (m->at.sum == FA_NO_ROW) return now;
    const double *sum = value + m->at.sum;
    now.sum = (sums){sum[FA_SUM_HEADING_X], sum[FA_SUM_HEADING_Y], sum[FA_SUM_POSITIVE],
                     sum[FA_SUM_DRIVE]};
    return now;
}

static fa_gait_numbers numbers_of(const measure *m, const mark *begun, const mark *now)
{
    const double x = now->x - begun->x, y = now->y - begun->y;
    const double hx = now->sum.heading_x - begun->sum.heading_x;
    const double hy = now->sum.heading_y - begun->sum.heading_y;
    const double size = sqrt(hx * hx + hy * hy), distance = sqrt(x * x + y * y);
    const double weight = m->mass * m->gravity * fmax(distance, LEAST_DISTANCE);
    const double forward = size > 0 ? (x * hx + y * hy) / size : 0;
    const double turn = now->heading - begun->heading;
    const double work = now->sum.work - begun->sum.work;
    const double net_work = now->sum.net_work - begun->sum.net_work;
    return (fa_gait_numbers){.duration = m->period,
                             .distance = distance,
                             .forward = forward,
                             .speed = forward / m->period,
                             .speed_bl = forward / m->length,
                             .heading = fa_atan2(hy, hx),
                             .turn = turn - TURN * floor(turn / TURN + 0.5),
                             .work = work,
                             .net_work = net_work,
                             .cost_of_transport = work / weight,
                             .net_cost = net_work / weight,
                             .peak_torque = m->peak,
                             .rms_tracking = sqrt(m->off / (SAMPLES * m->at.n_joints)),
                             .slip = m->at.usage == FA_NO_ROW ? NAN : m->slip};
}

// --------------------------------------------------------------------------------------- settling

static bool alike(double a, double b)
{
    return fabs(a - b) <= ALIKE * fmax(fabs(a), fabs(b));
}

static fa_status sample(fa_simulation *s, measure *m, double period, int i, fa_error *error)
{
    const double t = (period + (double)i / SAMPLES) * m->period;
    fa_status    status = fa_simulation_advance(s, t, error);
    if (status == FA_OK) status = fa_simulation_show(s, t, s->x, FA_GROUP_ALL, error);
    if (status == FA_OK) take_sample(m, i);
    return status;
}

static fa_status settle(fa_simulation *s, double periods_most, fa_gait_numbers *numbers,
                        fa_error *error)
{
    measure   m = measure_of(s->state);
    fa_status status = fa_simulation_begin(s, 0, error);
    *numbers = (fa_gait_numbers){0};
    while (numbers->periods < periods_most && !numbers->settled && status == FA_OK) {
        const double          period = numbers->periods;
        const fa_gait_numbers last = *numbers;
        mark                  begun = {0};
        m.sum = (sums){0};
        m.peak = m.off = m.slip = 0;
        for (int i = 0; i <= SAMPLES && status == FA_OK; i++) {
            status = sample(s, &m, period, i, error);
            if (i == 0) begun = mark_of(&m);
            if (i == 0 && m.at.sum == FA_NO_ROW) begun.sum = (sums){0};
        }
        if (status != FA_OK) break;
        const mark now = mark_of(&m);
        *numbers = numbers_of(&m, &begun, &now);
        numbers->periods = period + 1;
        numbers->settled =
            period > 0 && alike(last.forward, numbers->forward) && alike(last.work, numbers->work);
    }
    return status;
}

fa_status fa_gait_settle(fa_state *state, double periods_most, fa_gait_numbers *numbers,
                         fa_error *error)
{
    fa_schedule   nothing = {0};
    fa_simulation s;
    fa_status     status = fa_simulation_new(state, &nothing, &s, error);
    // Limits the evaluations of all periods together: half a minute, the limit of one call of an
    // integrator elsewhere.
    s.trajectory.most_asked = (long)fa_trajectory_patience(s.states.n);
    if (status == FA_OK) status = settle(&s, periods_most, numbers, error);
    fa_simulation_free(&s);
    return status;
}
