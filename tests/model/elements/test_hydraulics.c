// Oil, valve, cylinder and four-bar linkage against closed forms, and their derivatives against
// differences and against each other.
#include <math.h>
#include <string.h>

#include "cylinder.h"
#include "elements.h"
#include "four_bar.h"
#include "random.h"
#include "test.h"

#define PI 3.14159265358979323846

static void assert_near(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%.17g, wanted %.17g, off by %.2g of it", got, want, fabs(got / want - 1));
}

// The lift cylinder of a forestry crane, without air in its oil.
static void crane(double given[])
{
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) given[i] = fa_cylinder_row_of(i).item->usual;
    for (int i = FA_CYLINDER_NUMBERS; i < FA_AXIS_GIVEN; i++) given[i] = 0;
    given[FA_CYLINDER_closed_length] = 0.82;
    given[FA_CYLINDER_stroke] = 0.535;
    given[FA_CYLINDER_bore] = 0.1;
    given[FA_CYLINDER_rod] = 0.056;
    given[FA_CYLINDER_dead_a] = given[FA_CYLINDER_dead_b] = 5e-5;
    given[FA_CYLINDER_breakaway] = given[FA_CYLINDER_coulomb] = 0;
    given[FA_CYLINDER_nominal_flow] = 4e-4;
    given[FA_CYLINDER_volume] = 1e-3;
    given[FA_CYLINDER_bandwidth] = 20;
    given[FA_AXIS_LENGTH] = 1.0;
    given[FA_AXIS_PRESSURE_A] = 6e6;
    given[FA_AXIS_PRESSURE_B] = 2e6;
    given[FA_AXIS_SUPPLY] = 1.4e7;
    given[FA_AXIS_TANK] = 1e5;
}

static const unsigned everything = FA_PART_CHAMBERS | FA_PART_VALVE | FA_PART_SPOOL | FA_PART_PUMP;

static double result_at(unsigned parts, const double given[], fa_axis_result result)
{
    static fa_axis axis;
    fa_axis_evaluate(&axis, parts, given);
    return axis.result[result];
}

// ---------------------------------------------------------------------------------------- chambers

static void oil_with_air_follows_the_textbook(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    for (int i = 0; i < 3; i++) {
        const double a = 0.02 * i, beta = 1.5e9, p = 3e5 * pow(10, i), n = 1.4;
        given[FA_CYLINDER_air] = a;
        given[FA_CYLINDER_exponent] = n;
        given[FA_CYLINDER_hose_length] = 0;
        given[FA_CYLINDER_wall_modulus] = 1e300;
        given[FA_AXIS_PRESSURE_A] = p;
        given[FA_AXIS_FLOW_A_IN] = 1e-4;
        // The formula as it is printed, and a volume of dead room and of what the piston left.
        const double power = pow(1e5 / p, 1 / n);
        const double oil = beta * (1 + a * power) / (1 + a * beta * power / (n * p));
        const double volume = 5e-5 + PI / 4 * 0.01 * 0.18;
        // Vapour at 3 bar is 3 s^3 / gap^4 beta = 5 parts in a hundred thousand of what is left.
        assert_near(result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE),
                    oil / volume * 1e-4, i == 0 ? 1e-4 : 1e-8);
    }
}

static void hose_and_wall_are_springs_in_parallel(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_hose_diameter] = 0.0127;
    given[FA_CYLINDER_hose_length] = 1.5;
    given[FA_AXIS_FLOW_B_IN] = 1e-4;
    const double hose = PI / 4 * 0.0127 * 0.0127 * 1.5;
    const double inside = 5e-5 + PI / 4 * (0.01 - 0.056 * 0.056) * (0.535 - 0.18);
    const double room = (inside + hose) / 1.5e9 + hose / 7e8 + inside / 2.1e11;
    assert_near(result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_B_RATE), 1e-4 / room, 1e-8);
}

// Oil of constant compressibility: p = p0 + beta ln(V0 / V). Runge and Kutta's rule on the law.
static void trapped_oil_is_a_logarithmic_spring(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_wall_modulus] = 1e300;
    given[FA_AXIS_VELOCITY] = -0.1;
    double    x = 0.3, p = 5e6;
    const int steps = 200;
    for (int i = 0; i < steps; i++) {
        const double h = 1e-2 / steps;
        double       k[4];
        for (int s = 0; s < 4; s++) {
            const double c = s == 0 ? 0 : s == 3 ? 1 : 0.5;
            given[FA_AXIS_LENGTH] = 0.82 + x - 0.1 * h * c;
            given[FA_AXIS_PRESSURE_A] = p + (s == 0 ? 0 : h * c * k[s - 1]);
            k[s] = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
        }
        p += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        x -= 0.1 * h;
    }
    const double A = PI / 4 * 0.01;
    const double want = 5e6 + 1.5e9 * log((5e-5 + A * 0.3) / (5e-5 + A * (0.3 - 1e-3)));
    // The vapour's part of the compressibility is below 1e-9 at 5 MPa.
    assert_near(p, want, 1e-8);
}

// A chamber is pulled open without flow, to five times its volume, and closed again.
static void a_cavity_stays_above_vapour_and_closes_over_its_own_volume(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_air] = 0;
    given[FA_CYLINDER_dead_a] = 1e-4;
    double t = 0, p = 2e6, least = p, most = 0;
    // x = 0.05 sin^2(pi t): open at t = 1/2, back at t = 1. Steps as fine as the pressure needs.
    while (t < 1) {
        double v = 0, k[4], h = 1e-5;
        for (int i = 0; i < 2; i++) { // the second time with a step for this rate
            for (int s = 0; s < 4; s++) {
                const double when = t + h * (s == 0 ? 0 : s == 3 ? 1 : 0.5);
                v = 0.05 * PI * sin(2 * PI * when);
                given[FA_AXIS_VELOCITY] = v;
                given[FA_AXIS_LENGTH] = 0.82 + 0.05 * pow(sin(PI * when), 2);
                given[FA_AXIS_PRESSURE_A] = p + (s == 0 ? 0 : s == 3 ? h * k[2] : h / 2 * k[s - 1]);
                k[s] = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
            }
            if (i == 0) h = fmin(1e-5, 0.02 * (p - 1e4) / fabs(k[0]));
        }
        p += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        t += h;
        least = fmin(least, p);
        if (t > 0.4 && t < 0.6) most = fmax(most, p);
    }
    assert_true(least > 1e4);
    assert_true(most < 1e4 + 300); // the cavity is several times the liquid's volume
    // Back to the pressure from which it began: 2 MPa is 0.13 % of volume, the cavity was 390 %;
    // what the step rule leaves is 1e-6 of it. The last step ends up to 1e-5 s late.
    assert_near(p, 2e6, 0.01);
}

static void pressure_below_vapour_comes_back(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_AXIS_PRESSURE_A] = -1e5;
    given[FA_AXIS_VELOCITY] = 1;
    const double here = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
    assert_true(here > 0);
    // The further down, the faster: in a fixed time. Only rounding is in the way.
    given[FA_AXIS_PRESSURE_A] = -2e5;
    const double lower = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
    assert_near(lower - here, 1e5 / 1e-3, 1e-6);
    given[FA_AXIS_PRESSURE_A] = 1e4;
    assert_true(result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE) > 0);
}

// What the law counts on as volume of a chamber without air, hose and wall: net flow over pressure
// rate, over the compressibility.
static double volume_of(const double given[], bool b)
{
    const fa_axis_result rate = b ? FA_AXIS_PRESSURE_B_RATE : FA_AXIS_PRESSURE_A_RATE;
    const double         p = given[b ? FA_AXIS_PRESSURE_B : FA_AXIS_PRESSURE_A];
    const double         s = 200, gap = p - given[FA_CYLINDER_vapour];
    const double         soft = 1 / given[FA_CYLINDER_bulk_modulus] + 3 * s * s * s / pow(gap, 4);
    const double         flow = given[b ? FA_AXIS_FLOW_B_IN : FA_AXIS_FLOW_A_IN];
    return flow / result_at(FA_PART_CHAMBERS, given, rate) / soft;
}

// A chamber's volume stays above zero however far any cylinder is pressed into an end; above a
// thousandth of the stroke's volume it is the sum of dead volume, hose and stroke.
static void a_chamber_keeps_a_volume_wherever_the_piston_is(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < 4000; i++) {
        double     given[FA_AXIS_GIVEN];
        const bool b = i % 2;
        crane(given);
        given[FA_CYLINDER_wall_modulus] = given[FA_CYLINDER_hose_modulus] = 1e30;
        given[FA_CYLINDER_stroke] = pow(10, random_in(&seed, -2, 0.5));
        given[FA_CYLINDER_bore] = pow(10, random_in(&seed, -2, -0.5));
        given[FA_CYLINDER_rod] = given[FA_CYLINDER_bore] * random_in(&seed, 0, 0.9);
        given[FA_AXIS_FLOW_A_IN] = given[FA_AXIS_FLOW_B_IN] = 1e-4;
        const double area = b ? fa_cylinder_area_b(given) : fa_cylinder_area_a(given);
        const double stroke = given[FA_CYLINDER_stroke], least = 1e-3 * area * stroke;
        given[FA_CYLINDER_dead_a] = given[FA_CYLINDER_dead_b] = i % 3 * 2 * least;
        const double deep = stroke * pow(10, random_in(&seed, -6, 1)); // as far as it takes
        const double out = b ? stroke + deep : -deep;
        given[FA_AXIS_LENGTH] = given[FA_CYLINDER_closed_length] + out;
        const double got = volume_of(given, b), bare = i % 3 * 2 * least - area * deep;
        assert_true(got > 0 && isfinite(got));
        if (bare >= least)
            assert_near(got, bare, 1e-9);
        else
            assert_near(got, least * least / (2 * least - bare), 1e-9);
    }
}

// Pressed in and let out again, the oil has the pressure that it had: none is made nor lost.
static void oil_pressed_together_behind_an_end_comes_back(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_dead_a] = 0;
    double       p = 1e6;
    const double dt = 1e-6;
    for (int i = 0; i < 2000; i++) { // midpoints; v = -+1 m/s for a millisecond each, from 0.4 mm
        for (int half = 0; half < 2; half++) {
            const double t = (i + 0.5 * half) * dt, start = 0.4e-3;
            given[FA_AXIS_VELOCITY] = i < 1000 ? -1 : 1;
            given[FA_AXIS_LENGTH] = 0.82 + start + (i < 1000 ? -t : t - 2e-3);
            static double middle;
            given[FA_AXIS_PRESSURE_A] = half ? middle : p;
            const double rate = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
            if (half)
                p += dt * rate;
            else
                middle = p + 0.5 * dt * rate;
        }
        assert_true(p > 0 && isfinite(p));
    }
    assert_near(p, 1e6, 1e-6); // of the midpoint rule, which is symmetric; the deepest has 6e9 Pa
}

static void leakage_is_proportional(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_leakage] = 1e-12;
    const double a = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE);
    const double b = result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_B_RATE);
    given[FA_CYLINDER_leakage] = 0;
    given[FA_AXIS_FLOW_A_IN] = -4e6 * 1e-12;
    given[FA_AXIS_FLOW_B_IN] = 4e6 * 1e-12;
    assert_near(a, result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_A_RATE), 1e-14);
    assert_near(b, result_at(FA_PART_CHAMBERS, given, FA_AXIS_PRESSURE_B_RATE), 1e-14);
    assert_true(a < 0 && b > 0);
}

// ------------------------------------------------------------------------------------------ forces

static void friction_has_its_static_sliding_and_viscous_parts(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_CYLINDER_coulomb] = 200;
    given[FA_CYLINDER_breakaway] = 300;
    given[FA_CYLINDER_viscous] = 1000;
    for (int sign = -1; sign <= 1; sign++) {
        const double v = sign * 0.004;
        given[FA_AXIS_VELOCITY] = v;
        const double want = (200 + 100 * exp(-0.64)) * tanh(v / 0.001) + 1000 * v;
        assert_near(result_at(FA_PART_CHAMBERS, given, FA_AXIS_FRICTION), want, 1e-14);
    }
}

static void ends_of_the_stroke_push_and_never_pull(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    uint64_t seed = 3;
    for (int i = 0; i < 2000; i++) {
        const double x = random_in(&seed, -0.003, 0.538);
        given[FA_AXIS_LENGTH] = 0.82 + x;
        given[FA_AXIS_VELOCITY] = random_in(&seed, -1, 1);
        const double force = result_at(FA_PART_CHAMBERS, given, FA_AXIS_STOP);
        if (x < 0)
            assert_true(force >= 0);
        else if (x > 0.535)
            assert_true(force <= 0);
        else
            assert_true(force == 0);
    }
    given[FA_AXIS_LENGTH] = 0.82 - 0.002; // deeper than the cushion: spring and all of the damping
    given[FA_AXIS_VELOCITY] = -0.1;
    assert_near(result_at(FA_PART_CHAMBERS, given, FA_AXIS_STOP), 1e8 * 0.002 + 1e5 * 0.1, 1e-12);
}

static void force_is_the_sum_of_its_parts(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    const double A = PI / 4 * 0.01, rod = PI / 4 * 0.056 * 0.056;
    assert_near(result_at(FA_PART_CHAMBERS, given, FA_AXIS_FORCE), A * 6e6 - (A - rod) * 2e6,
                1e-14);
    assert_near(fa_cylinder_area_b(given), A - rod, 1e-14);
}

// ------------------------------------------------------------------------------------------- valve

static void valve_passes_its_nominal_flow_and_nothing_in_its_overlap(void **state)
{
    (void)state;
    double         given[FA_AXIS_GIVEN];
    const unsigned parts = FA_PART_VALVE;
    crane(given);
    given[FA_CYLINDER_overlap] = 0.05;
    given[FA_AXIS_SUPPLY] = 6e6 + 3.5e6;
    given[FA_AXIS_COMMAND] = 1;
    // (dp^2 + p_t^2)^(1/4) differs from the root of dp by p_t^2 / (4 dp^2) = 2e-4 of it.
    assert_near(result_at(parts, given, FA_AXIS_FLOW_A), 4e-4, 3e-4);
    assert_true(result_at(parts, given, FA_AXIS_FLOW_B) < 0);
    given[FA_AXIS_COMMAND] = -1;
    assert_true(result_at(parts, given, FA_AXIS_FLOW_A) < 0);
    assert_true(result_at(parts, given, FA_AXIS_FLOW_B) > 0);
    for (int i = -5; i <= 5; i++) {
        given[FA_AXIS_COMMAND] = i * 0.01;
        assert_true(result_at(parts, given, FA_AXIS_FLOW_A) == 0);
        assert_true(result_at(parts, given, FA_AXIS_TANK_FLOW) == 0);
    }
    given[FA_AXIS_COMMAND] = 0.525; // half of what is left open
    assert_near(result_at(parts, given, FA_AXIS_FLOW_A), 2e-4, 3e-4);
}

static void no_oil_is_lost_in_the_valve(void **state)
{
    (void)state;
    double   given[FA_AXIS_GIVEN];
    uint64_t seed = 5;
    crane(given);
    for (int i = 0; i < 100; i++) {
        given[FA_AXIS_COMMAND] = random_in(&seed, -1, 1);
        given[FA_AXIS_PRESSURE_A] = random_in(&seed, 1e5, 2e7);
        static fa_axis axis;
        fa_axis_evaluate(&axis, FA_PART_VALVE, given);
        assert_true(fabs(axis.result[FA_AXIS_SUPPLY_FLOW] - axis.result[FA_AXIS_TANK_FLOW] -
                         axis.result[FA_AXIS_FLOW_A] - axis.result[FA_AXIS_FLOW_B]) < 1e-18);
    }
}

static void a_spool_beyond_its_end_passes_no_more_than_at_its_end(void **state)
{
    (void)state;
    uint64_t       seed = 19;
    static fa_axis end, beyond;
    for (int i = 0; i < 400; i++) {
        double         given[FA_AXIS_GIVEN], step[FA_AXIS_GIVEN] = {0}, change[FA_AXIS_RESULTS];
        const bool     has_spool = i % 2;
        const unsigned parts = FA_PART_VALVE | FA_PART_CHAMBERS | (has_spool ? FA_PART_SPOOL : 0);
        const int      from = has_spool ? FA_AXIS_SPOOL : FA_AXIS_COMMAND;
        crane(given);
        given[FA_CYLINDER_overlap] = random_in(&seed, 0, 0.9);
        given[FA_AXIS_PRESSURE_A] = random_in(&seed, 2e4, 1.3e7);
        given[from] = i % 4 < 2 ? 1 : -1;
        fa_axis_evaluate(&end, parts, given);
        given[from] *= 1 + pow(10, random_in(&seed, -6, 6));
        fa_axis_evaluate(&beyond, parts, given);
        for (int r = 0; r <= FA_AXIS_TANK_FLOW; r++) assert_true(end.result[r] == beyond.result[r]);
        step[from] = 1;
        fa_axis_tangent(&beyond, step, change);
        for (int r = 0; r <= FA_AXIS_TANK_FLOW; r++) assert_true(change[r] == 0);
        // At the end itself the derivative is that of the stroke.
        given[from] = given[from] > 0 ? 1 : -1;
        fa_axis_evaluate(&end, parts, given);
        fa_axis_tangent(&end, step, change);
        assert_true(change[FA_AXIS_SUPPLY_FLOW] * given[from] > 0);
    }
}

static void a_spool_follows_no_command_beyond_its_ends(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    for (int side = -1; side <= 1; side += 2) {
        given[FA_AXIS_SPOOL] = 0.3;
        given[FA_AXIS_COMMAND] = side;
        const double end = result_at(everything, given, FA_AXIS_SPOOL_ACCELERATION);
        given[FA_AXIS_COMMAND] = side * 2.5;
        assert_true(result_at(everything, given, FA_AXIS_SPOOL_ACCELERATION) == end);
        given[FA_AXIS_SPOOL] = side; // nothing pushes it on
        assert_true(result_at(everything, given, FA_AXIS_SPOOL_ACCELERATION) == 0);
        assert_true(result_at(everything, given, FA_AXIS_SPOOL_ROOM) > 0);
        given[FA_AXIS_SPOOL] = side * (1 + 2e-9);
        assert_true(result_at(everything, given, FA_AXIS_SPOOL_ROOM) < 0);
    }
    double spool = 1.25, rate = 3;
    assert_true(fa_axis_spool_stops(&spool, &rate) && spool == 1 && rate == 0);
    assert_true(!fa_axis_spool_stops(&spool, &rate));
    spool = -1.25, rate = 3; // on its way back already
    assert_true(fa_axis_spool_stops(&spool, &rate) && spool == -1 && rate == 3);
}

static void relief_valve_balances_the_pump(void **state)
{
    (void)state;
    double given[FA_AXIS_GIVEN];
    crane(given);
    given[FA_AXIS_PUMP_FLOW] = 1e-3;
    given[FA_AXIS_SUPPLY] = 1.6e7 + 1e-3 / 1e-9;
    assert_true(fabs(result_at(everything, given, FA_AXIS_SUPPLY_RATE)) < 1e-3);
    assert_near(result_at(everything, given, FA_AXIS_RELIEF_FLOW), 1e-3, 1e-14);
}

// ------------------------------------------------------------------------------------- derivatives

static bool mostly(uint64_t *seed)
{
    return random_in(seed, 0, 1) < 0.7;
}

// Near the values of `crane`, nothing at a kink.
static void random_given(uint64_t *seed, double given[])
{
    crane(given);
    given[FA_CYLINDER_air] = 0.01;
    given[FA_CYLINDER_coulomb] = 200;
    given[FA_CYLINDER_breakaway] = 300;
    given[FA_CYLINDER_viscous] = 1000;
    given[FA_CYLINDER_leakage] = given[FA_CYLINDER_leakage_out] = 1e-12;
    given[FA_CYLINDER_hose_diameter] = 0.0127;
    given[FA_CYLINDER_hose_length] = 1.5;
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) given[i] *= random_in(seed, 0.9, 1.1);
    given[FA_AXIS_LENGTH] = given[FA_CYLINDER_closed_length] + random_in(seed, 0.1, 0.4);
    if (random_in(seed, 0, 1) < 0.3)
        given[FA_AXIS_LENGTH] = given[FA_CYLINDER_closed_length] - random_in(seed, 1e-4, 1.5e-3);
    given[FA_AXIS_VELOCITY] = random_in(seed, -0.01, 0.01);
    given[FA_AXIS_PRESSURE_A] = random_in(seed, 2e4, 1e7);
    given[FA_AXIS_PRESSURE_B] = random_in(seed, 2e4, 1e7);
    given[FA_AXIS_FLOW_A_IN] = given[FA_AXIS_FLOW_B_IN] = 1e-4;
    if (random_in(seed, 0, 1) < 0.2) // no oil is left: the volume is that of the guard
        given[FA_CYLINDER_dead_a] = given[FA_CYLINDER_hose_length] = 0;
    given[FA_AXIS_COMMAND] = mostly(seed) ? 0.5 : 1.5;
    given[FA_AXIS_SPOOL] = (random_in(seed, 0, 1) < 0.5 ? -1 : 1) * (mostly(seed) ? 0.5 : 1.5);
    given[FA_AXIS_SPOOL_RATE] = random_in(seed, -1, 1);
    given[FA_AXIS_SUPPLY] = random_in(seed, 1e7, 2e7);
    given[FA_AXIS_PUMP_FLOW] = 1e-3;
    given[FA_CYLINDER_first_stiffness] = 8e7;
    given[FA_AXIS_PORT_PUSH] = random_in(seed, -1e5, 1e5);
    given[FA_AXIS_PORT_HOLD] = 1; // within a step
    given[FA_AXIS_PORT_SPRING] = 7e7;
    given[FA_AXIS_PORT_DAMPER] = 1e4;
    given[FA_AXIS_PORT_HELD_LENGTH] = given[FA_AXIS_LENGTH] + random_in(seed, -1e-3, 1e-3);
    given[FA_AXIS_PORT_TOLD_LENGTH] = given[FA_AXIS_LENGTH];
}

// Steps alone change these, and nothing has a derivative by them.
static bool is_kept(int given)
{
    return given >= FA_AXIS_PORT_HOLD && given <= FA_AXIS_PORT_FREQUENCY;
}

static const unsigned parts_list[] = {
    FA_PART_CHAMBERS,
    FA_PART_VALVE,
    FA_PART_CHAMBERS | FA_PART_VALVE,
    FA_PART_VALVE | FA_PART_SPOOL | FA_PART_PUMP,
    FA_PART_CHAMBERS | FA_PART_VALVE | FA_PART_SPOOL | FA_PART_PUMP,
    FA_PART_PORT,
    FA_PART_PORT | FA_PART_ENDS,
};

enum { PARTS = sizeof parts_list / sizeof *parts_list };

static void steps_agree_with_differences(void **state)
{
    (void)state;
    uint64_t       seed = 11;
    static fa_axis axis, more, less;
    for (int trial = 0; trial < 100; trial++) {
        const unsigned parts = parts_list[trial % PARTS];
        double         given[FA_AXIS_GIVEN], there[FA_AXIS_GIVEN];
        random_given(&seed, given);
        fa_axis_evaluate(&axis, parts, given);
        for (int i = 0; i < FA_AXIS_GIVEN; i++) {
            if (is_kept(i)) continue;
            double       step[FA_AXIS_GIVEN] = {0}, change[FA_AXIS_RESULTS];
            const double size = fmax(fabs(given[i]), i == FA_AXIS_VELOCITY ? 0.01 : 1e-12);
            step[i] = size;
            fa_axis_tangent(&axis, step, change);
            memcpy(there, given, sizeof there);
            there[i] = given[i] + 1e-6 * size;
            fa_axis_evaluate(&more, parts, there);
            there[i] = given[i] - 1e-6 * size;
            fa_axis_evaluate(&less, parts, there);
            for (int r = 0; r < FA_AXIS_RESULTS; r++) {
                const double difference = (more.result[r] - less.result[r]) / 2e-6;
                // Rounding is 1e-16 / 1e-6 of what the result is made of, truncation 1e-12 of
                // curvatures up to some thousands (vapour): near 2e-6 of the scale.
                const double scale = fabs(axis.result[r]) + fabs(change[r]) +
                                     (r <= FA_AXIS_STOP              ? 1e5
                                      : r <= FA_AXIS_PRESSURE_B_RATE ? 1e9
                                                                     : 0);
                if (fabs(difference - change[r]) > 2e-6 * scale)
                    fail_msg("result %d by %d: %.12g, difference %.12g", r, i, change[r],
                             difference);
                if (change[r] != 0 && !fa_axis_depends(parts, (fa_axis_result)r, i))
                    fail_msg("result %d depends on %d", r, i);
            }
        }
    }
}

static void slopes_are_the_transpose_of_steps(void **state)
{
    (void)state;
    uint64_t       seed = 13;
    static fa_axis axis;
    for (int trial = 0; trial < 200; trial++) {
        const unsigned parts = parts_list[trial % PARTS];
        double         given[FA_AXIS_GIVEN], step[FA_AXIS_GIVEN], slope[FA_AXIS_GIVEN] = {0};
        double         change[FA_AXIS_RESULTS], wanted[FA_AXIS_RESULTS];
        random_given(&seed, given);
        fa_axis_evaluate(&axis, parts, given);
        for (int i = 0; i < FA_AXIS_GIVEN; i++) step[i] = given[i] * random_in(&seed, -1, 1);
        fa_axis_tangent(&axis, step, change);
        double left = 0, right = 0, size = 0;
        for (int r = 0; r < FA_AXIS_RESULTS; r++) {
            wanted[r] = random_in(&seed, -1, 1) / (1e-9 + fabs(axis.result[r]));
            left += wanted[r] * change[r];
            size += fabs(wanted[r] * change[r]);
        }
        fa_axis_adjoint(&axis, wanted, slope);
        for (int i = 0; i < FA_AXIS_GIVEN; i++) right += slope[i] * step[i];
        assert_true(fabs(left - right) <= 1e-12 * size);
    }
}

static void every_number_has_an_effect_in_the_parts_that_use_it(void **state)
{
    (void)state;
    for (int k = 0; k < PARTS; k++) {
        for (int i = 0; i < FA_AXIS_GIVEN; i++) {
            // What an image begins with acts by the steps, which take it over.
            if (i == FA_CYLINDER_first_stiffness || i == FA_CYLINDER_first_damping) continue;
            bool any = false;
            for (int r = 0; r < FA_AXIS_RESULTS; r++)
                any |= fa_axis_depends(parts_list[k], (fa_axis_result)r, i);
            assert_int_equal(any, fa_axis_uses(parts_list[k], (fa_axis_given)i));
        }
    }
}

// ---------------------------------------------------------------------------------------- four-bar

// A parallelogram: the rocker is as long as O to D and the coupler as P to O, so C = P + R(q) D.
static void a_parallelogram_carries_the_pin_along(void **state)
{
    (void)state;
    const fa_vec2 P = {0.3, -0.2}, B = {-1.1, -0.4}, D = {0.1, 0.35};
    for (int i = 0; i < 40; i++) {
        // Away from where the parallelogram lies flat.
        const double q = -0.9 + 0.05 * i, c = cos(q), s = sin(q);
        // C lies to the left of the line from P to D where O does not.
        const double       x = c * D.x - s * D.y, y = s * D.x + c * D.y; // R(q) D
        const double       side = (x - P.x) * y - (y - P.y) * x;         // (D - P) x (C - P)
        const fa_four_bar  bar = {P, B, D, hypot(D.x, D.y), hypot(P.x, P.y), side > 0 ? 1 : -1};
        fa_four_bar_length got;
        if (fabs(side) < 1e-3) continue;
        assert_int_equal(fa_four_bar_at(&bar, q, &got), FA_OK);
        const double rx = P.x + x - B.x, ry = P.y + y - B.y, L = hypot(rx, ry);
        const double first = (-rx * y + ry * x) / L;
        const double second = ((x * x + y * y) - (rx * x + ry * y) - first * first) / L;
        assert_near(got.length, L, 1e-13);
        assert_true(fabs(got.first - first) < 1e-12);
        assert_true(fabs(got.second - second) < 1e-11);
    }
}

static void derivatives_of_a_four_bar_are_its_own(void **state)
{
    (void)state;
    const fa_four_bar bar = {{-0.19, -0.03}, {-1.6, 0.18}, {0.2, 0.05}, 0.3, 0.32, -1};
    const double      h = 1e-4;
    for (double q = -1; q < 1; q += 0.1) {
        fa_four_bar_length at, more, less;
        assert_int_equal(fa_four_bar_at(&bar, q, &at), FA_OK);
        assert_int_equal(fa_four_bar_at(&bar, q + h, &more), FA_OK);
        assert_int_equal(fa_four_bar_at(&bar, q - h, &less), FA_OK);
        // Central differences: h^2 / 6 times a third derivative of some tens.
        assert_true(fabs((more.length - less.length) / (2 * h) - at.first) < 1e-7);
        assert_true(fabs((more.first - less.first) / (2 * h) - at.second) < 1e-6);
    }
}

static void an_impossible_four_bar_is_refused(void **state)
{
    (void)state;
    fa_four_bar        bar = {{1, 0}, {-1, 0.3}, {0.2, 0}, 0.3, 0.3, 1};
    fa_four_bar_length out;
    double             where;
    assert_int_equal(fa_four_bar_at(&bar, 0, &out), FA_SINGULAR); // P to D is 0.8, the rods 0.6
    assert_false(fa_four_bar_reaches(&bar, -0.1, 0.1, &where));
    bar.coupler = 0.75;
    assert_true(fa_four_bar_reaches(&bar, -0.5, 0.5, &where));
    assert_false(fa_four_bar_reaches(&bar, -1.9, 0.5, &where)); // ends at a P to D of 1.05
    assert_near(where, -1.9, 0);
    // The worst angle lies inside, where D looks at P.
    bar.coupler = 1.11;
    assert_false(fa_four_bar_reaches(&bar, -0.5, 0.5, &where));
    assert_true(fabs(where) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oil_with_air_follows_the_textbook),
        cmocka_unit_test(hose_and_wall_are_springs_in_parallel),
        cmocka_unit_test(trapped_oil_is_a_logarithmic_spring),
        cmocka_unit_test(a_cavity_stays_above_vapour_and_closes_over_its_own_volume),
        cmocka_unit_test(pressure_below_vapour_comes_back),
        cmocka_unit_test(a_chamber_keeps_a_volume_wherever_the_piston_is),
        cmocka_unit_test(oil_pressed_together_behind_an_end_comes_back),
        cmocka_unit_test(leakage_is_proportional),
        cmocka_unit_test(friction_has_its_static_sliding_and_viscous_parts),
        cmocka_unit_test(ends_of_the_stroke_push_and_never_pull),
        cmocka_unit_test(force_is_the_sum_of_its_parts),
        cmocka_unit_test(valve_passes_its_nominal_flow_and_nothing_in_its_overlap),
        cmocka_unit_test(no_oil_is_lost_in_the_valve),
        cmocka_unit_test(a_spool_beyond_its_end_passes_no_more_than_at_its_end),
        cmocka_unit_test(a_spool_follows_no_command_beyond_its_ends),
        cmocka_unit_test(relief_valve_balances_the_pump),
        cmocka_unit_test(steps_agree_with_differences),
        cmocka_unit_test(slopes_are_the_transpose_of_steps),
        cmocka_unit_test(every_number_has_an_effect_in_the_parts_that_use_it),
        cmocka_unit_test(a_parallelogram_carries_the_pin_along),
        cmocka_unit_test(derivatives_of_a_four_bar_are_its_own),
        cmocka_unit_test(an_impossible_four_bar_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
