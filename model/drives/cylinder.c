#include "cylinder.h"

#include <string.h>

#include "oil.h"
#include "valve.h"

#define QUARTER_PI 0.78539816339744830962

enum {
    CHAMBERS = FA_PART_CHAMBERS,
    VALVE = FA_PART_VALVE,
    SPOOL = FA_PART_SPOOL,
    PUMP = FA_PART_PUMP
};

bool fa_axis_uses(unsigned parts, fa_axis_given given)
{
    switch (given) {
    case FA_AXIS_LENGTH:
    case FA_AXIS_VELOCITY:
        return parts & CHAMBERS;
    case FA_AXIS_PRESSURE_A:
    case FA_AXIS_PRESSURE_B:
        return parts & (CHAMBERS | VALVE);
    case FA_AXIS_FLOW_A_IN:
    case FA_AXIS_FLOW_B_IN:
        return !(parts & VALVE);
    case FA_AXIS_COMMAND:
    case FA_AXIS_SUPPLY:
    case FA_AXIS_TANK:
        return parts & VALVE;
    case FA_AXIS_SPOOL:
    case FA_AXIS_SPOOL_RATE:
        return parts & SPOOL;
    case FA_AXIS_PUMP_FLOW:
    case FA_AXIS_OTHERS_FLOW:
        return parts & PUMP;
    default:
        return fa_cylinder_uses(parts, (fa_cylinder_number)given);
    }
}

bool fa_axis_has(unsigned parts, fa_axis_result result)
{
    if (result <= FA_AXIS_PRESSURE_B_RATE) return parts & CHAMBERS;
    if (result <= FA_AXIS_TANK_FLOW) return parts & VALVE;
    const bool spool = result == FA_AXIS_SPOOL_ACCELERATION || result == FA_AXIS_SPOOL_ROOM;
    return parts & (spool ? SPOOL : PUMP);
}

// ---------------------------------------------------------------------------------------- the laws

// (F_c + (F_s - F_c) exp(-(v / v_s)^2)) tanh(v / v_0) + sigma v
static fa_term friction(const fa_term p[])
{
    const fa_term v = p[FA_AXIS_VELOCITY], coulomb = p[FA_CYLINDER_COULOMB];
    const fa_term fall = term_exp(term_neg(term_square(term_div(v, p[FA_CYLINDER_STRIBECK]))));
    const fa_term size =
        term_add(coulomb, term_mul(term_sub(p[FA_CYLINDER_STATIC], coulomb), fall));
    return term_add(term_mul(size, term_tanh(term_div(v, p[FA_CYLINDER_WIDTH]))),
                    term_mul(p[FA_CYLINDER_VISCOUS], v));
}

// Push of one end of the stroke on the piston, `depth` behind it, going deeper with `rate`:
// stiffness depth + damping rate ramp, where that pushes. The ramp lets the damping grow from
// nothing at the first touch to all of it at the depth of the cushion, so that the force has no
// jump.
static fa_term push(const fa_term p[], fa_term depth, fa_term rate)
{
    const fa_term inside = term_above_zero(depth);
    const fa_term share = term_div(inside, p[FA_CYLINDER_CUSHION]);
    // s^2 (3 - 2 s) up to the cushion's depth, then 1.
    const fa_term ramp = share.value < 1
                             ? term_mul(term_square(share), term_plus(term_scale(-2, share), 3))
                             : term_plus(term_scale(0, share), 1);
    const fa_term spring = term_mul(p[FA_CYLINDER_STOP_STIFFNESS], inside);
    const fa_term damper = term_mul(term_mul(p[FA_CYLINDER_STOP_DAMPING], ramp), rate);
    return term_above_zero(term_add(spring, damper));
}

static fa_oil oil_of(const fa_term p[])
{
    return (fa_oil){p[FA_CYLINDER_BULK_MODULUS], p[FA_CYLINDER_AIR], p[FA_CYLINDER_AIR_EXPONENT],
                    p[FA_CYLINDER_ATMOSPHERE], p[FA_CYLINDER_VAPOUR]};
}

// Oil in a volume that the piston may press together beyond its stroke, into an end that gives way:
// V down to `least`, below that least^2 / (2 least - V), which goes on with the same slope and
// stays above zero.
static fa_term room(fa_term V, fa_term least)
{
    if (V.value >= least.value) return term_of(V.tape, V.value, V.node, 1, least.node, 0);
    const double share = least.value / (2 * least.value - V.value);
    return term_of(V.tape, share * least.value, V.node, share * share, least.node,
                   2 * share * (1 - share));
}

// Rate of a chamber's pressure behind this area of the piston with `swept` opened by it, growing at
// `rate`, and `flow` coming in.
static fa_term chamber_rate(const fa_term p[], fa_term pressure, fa_term dead, fa_term area,
                            fa_term swept, fa_term rate, fa_term flow)
{
    const fa_oil     oil = oil_of(p);
    const fa_term    section = term_scale(QUARTER_PI, term_square(p[FA_CYLINDER_HOSE_DIAMETER]));
    const fa_term    hose = term_mul(section, p[FA_CYLINDER_HOSE_LENGTH]);
    const fa_term    inside = term_add(dead, swept);
    const fa_term    least = term_scale(FA_LEAST_STROKE, term_mul(area, p[FA_CYLINDER_STROKE]));
    const fa_chamber chamber = {room(term_add(inside, hose), least), hose, room(inside, least),
                                p[FA_CYLINDER_HOSE_MODULUS], p[FA_CYLINDER_WALL_MODULUS]};
    const fa_term    out =
        term_mul(p[FA_CYLINDER_LEAKAGE_OUT], term_sub(pressure, p[FA_CYLINDER_ATMOSPHERE]));
    return fa_chamber_rate(&oil, &chamber, pressure, term_sub(term_sub(flow, out), rate));
}

static void chambers(fa_term r[], const fa_term p[], fa_term flow_a, fa_term flow_b)
{
    const fa_term v = p[FA_AXIS_VELOCITY];
    const fa_term pa = p[FA_AXIS_PRESSURE_A], pb = p[FA_AXIS_PRESSURE_B];
    const fa_term x = term_sub(p[FA_AXIS_LENGTH], p[FA_CYLINDER_CLOSED_LENGTH]);
    const fa_term rest = term_sub(p[FA_CYLINDER_STROKE], x); // of the stroke
    const fa_term area_a = term_scale(QUARTER_PI, term_square(p[FA_CYLINDER_BORE]));
    const fa_term area_b =
        term_sub(area_a, term_scale(QUARTER_PI, term_square(p[FA_CYLINDER_ROD])));
    const fa_term leakage = term_mul(p[FA_CYLINDER_LEAKAGE], term_sub(pa, pb));

    r[FA_AXIS_PRESSURE_A_RATE] =
        chamber_rate(p, pa, p[FA_CYLINDER_DEAD_A], area_a, term_mul(area_a, x), term_mul(area_a, v),
                     term_sub(flow_a, leakage));
    r[FA_AXIS_PRESSURE_B_RATE] =
        chamber_rate(p, pb, p[FA_CYLINDER_DEAD_B], area_b, term_mul(area_b, rest),
                     term_neg(term_mul(area_b, v)), term_add(flow_b, leakage));
    r[FA_AXIS_OIL_FORCE] = term_sub(term_mul(area_a, pa), term_mul(area_b, pb));
    r[FA_AXIS_FRICTION] = friction(p);
    r[FA_AXIS_STOP] = term_sub(push(p, term_neg(x), term_neg(v)), push(p, term_neg(rest), v));
    r[FA_AXIS_FORCE] =
        term_add(term_sub(r[FA_AXIS_OIL_FORCE], r[FA_AXIS_FRICTION]), r[FA_AXIS_STOP]);
}

static fa_valve_flow valve(unsigned parts, fa_term r[], const fa_term p[])
{
    const fa_valve      of = {p[FA_CYLINDER_NOMINAL_FLOW], p[FA_CYLINDER_NOMINAL_DROP],
                              p[FA_CYLINDER_OVERLAP], p[FA_CYLINDER_TRANSITION]};
    const fa_term       spool = p[parts & SPOOL ? FA_AXIS_SPOOL : FA_AXIS_COMMAND];
    const fa_valve_flow flow =
        fa_valve_flows(&of, spool, p[FA_AXIS_PRESSURE_A], p[FA_AXIS_PRESSURE_B], p[FA_AXIS_SUPPLY],
                       p[FA_AXIS_TANK]);
    r[FA_AXIS_FLOW_A] = flow.a;
    r[FA_AXIS_FLOW_B] = flow.b;
    r[FA_AXIS_SUPPLY_FLOW] = flow.supply;
    r[FA_AXIS_TANK_FLOW] = flow.tank;
    return flow;
}

// Relief flow K max(0, p_S - p_set) to the tank; the line between pump and valve does not stretch.
static void pump(fa_term r[], const fa_term p[], fa_term drawn)
{
    const fa_oil     oil = oil_of(p);
    const fa_term    supply = p[FA_AXIS_SUPPLY];
    const fa_term    none = fa_given(supply.tape, 0), one = fa_given(supply.tape, 1);
    const fa_chamber line = {p[FA_CYLINDER_PUMP_VOLUME], none, none, one, one};
    const fa_term    relief =
        term_mul(p[FA_CYLINDER_RELIEF_GAIN],
                 term_above_zero(term_sub(supply, p[FA_CYLINDER_RELIEF_PRESSURE])));
    const fa_term net = term_sub(term_sub(p[FA_AXIS_PUMP_FLOW], drawn), relief);
    r[FA_AXIS_RELIEF_FLOW] = relief;
    r[FA_AXIS_SUPPLY_RATE] = fa_chamber_rate(&oil, &line, supply, net);
}

void fa_axis_evaluate(fa_axis *axis, unsigned parts, const double given[])
{
    fa_term p[FA_AXIS_GIVEN], r[FA_AXIS_RESULTS];
    axis->parts = parts;
    axis->tape.n = 0;
    for (int i = 0; i < FA_AXIS_GIVEN; i++) p[i] = fa_given(&axis->tape, given[i]);

    fa_valve_flow flow = {p[FA_AXIS_FLOW_A_IN], p[FA_AXIS_FLOW_B_IN], p[0], p[0]};
    if (parts & VALVE) flow = valve(parts, r, p);
    if (parts & CHAMBERS) chambers(r, p, flow.a, flow.b);
    if (parts & SPOOL) {
        r[FA_AXIS_SPOOL_ACCELERATION] =
            fa_spool_acceleration(p[FA_CYLINDER_BANDWIDTH], p[FA_CYLINDER_DAMPING],
                                  p[FA_AXIS_COMMAND], p[FA_AXIS_SPOOL], p[FA_AXIS_SPOOL_RATE]);
        r[FA_AXIS_SPOOL_ROOM] = fa_spool_room(p[FA_AXIS_SPOOL]);
    }
    if (parts & PUMP) pump(r, p, term_add(flow.supply, p[FA_AXIS_OTHERS_FLOW]));
    for (int i = 0; i < FA_AXIS_RESULTS; i++) {
        const bool has = fa_axis_has(parts, (fa_axis_result)i);
        axis->node[i] = has ? r[i].node : -1;
        axis->result[i] = has ? r[i].value : 0;
    }
}

// ------------------------------------------------------------------------------------- derivatives

void fa_axis_step(const fa_axis *axis, const double step[], double result_step[])
{
    double by_node[FA_TAPE_MAX] = {0};
    memcpy(by_node, step, FA_AXIS_GIVEN * sizeof *step);
    fa_tape_step(&axis->tape, by_node);
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        result_step[i] = axis->node[i] < 0 ? 0 : by_node[axis->node[i]];
}

void fa_axis_slope(const fa_axis *axis, const double result_slope[], double slope[])
{
    double by_node[FA_TAPE_MAX] = {0};
    for (int i = 0; i < FA_AXIS_RESULTS; i++)
        if (axis->node[i] >= 0) by_node[axis->node[i]] += result_slope[i];
    fa_tape_slope(&axis->tape, by_node);
    for (int i = 0; i < FA_AXIS_GIVEN; i++) slope[i] += by_node[i];
}

bool fa_axis_depends(unsigned parts, fa_axis_result result, int given)
{
    if (!fa_axis_has(parts, result)) return false;
    // Any values will do: how terms hang together does not depend on them, but for pressures below
    // the vapour's.
    double  value[FA_AXIS_GIVEN];
    bool    reached[FA_TAPE_MAX] = {false};
    fa_axis axis;
    for (int i = 0; i < FA_AXIS_GIVEN; i++) value[i] = 1;
    value[FA_CYLINDER_VAPOUR] = 0.5;
    value[FA_AXIS_PRESSURE_A] = value[FA_AXIS_PRESSURE_B] = value[FA_AXIS_SUPPLY] = 10;
    fa_axis_evaluate(&axis, parts, value);
    reached[given] = true;
    fa_tape_reach(&axis.tape, reached);
    return reached[axis.node[result]];
}
