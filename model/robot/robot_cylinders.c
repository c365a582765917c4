// Validates cylinders: geometry, hydraulics, links.
#include "robot_cylinders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cylinder.h"
#include "dynamics.h"
#include "elements.h"
#include "methods.h"
#include "number.h"
#include "reach.h"
#include "robot_loops.h"
#include "variables.h"

// A cylinder may stand at the end of its stroke, and rounding may put it a little beyond [m].
static const double STROKE_TOLERANCE = 1e-9;

// Default clamping: least pressure in each chamber at the start, so that a crane that stops from
// its usual speed does not cavitate [Pa].
static const double CLAMPING_PRESSURE = 5e6;

#define FAIL(place, ...) fa_fail(error, FA_BAD_INPUT, robot->source, place, __VA_ARGS__)
#define NO_MEMORY()                                                                                \
    fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,                                        \
            "there is not enough memory for the cylinders of '%s'", robot->name)

// -------------------------------------------------------------------------------------- the joints

static int leader(const fa_robot *robot, int link)
{
    while (robot->link[link].joint.mimic.leader != FA_NOBODY)
        link = robot->link[link].joint.mimic.leader;
    return link;
}

bool fa_cylinder_spans(const fa_robot *robot, const fa_cylinder *cylinder, int link)
{
    // Links towards the ground from both ends, one step at a time, until they meet.
    int a = cylinder->from, b = cylinder->to;
    while (a != b) {
        int *further = a > b ? &a : &b; // parents have smaller numbers
        if (robot->link[*further].joint.type != FA_FIXED && leader(robot, *further) == link)
            return true;
        *further = robot->link[*further].parent;
    }
    return false;
}

int fa_cylinder_joints(const fa_robot *robot, const fa_cylinder *cylinder)
{
    int n = 0;
    for (int i = 0; i < robot->n_links; i++)
        n += fa_joint_is_free(&robot->link[i].joint) && fa_cylinder_spans(robot, cylinder, i);
    return n;
}

// --------------------------------------------------------------------------------------- the rules

// Returns true if the cylinder has valid dimensions, which determine its stiffness.
static bool has_measures(const double number[])
{
    for (int i = FA_CYLINDER_closed_length; i < FA_CYLINDER_coulomb; i++)
        if (isnan(number[i])) return false;
    return number[FA_CYLINDER_rod] < number[FA_CYLINDER_bore] && number[FA_CYLINDER_stroke] > 0;
}

static fa_status check_numbers(const fa_robot *robot, const fa_cylinder *c, unsigned parts,
                               fa_error *error)
{
    const double *number = c->number;
    if (parts & FA_PART_CHAMBERS && number[FA_CYLINDER_rod] >= number[FA_CYLINDER_bore])
        return FAIL(c->place, "the rod of cylinder '%s' has a diameter of %s m, but its bore %s m",
                    c->name, fa_number_text(number[FA_CYLINDER_rod]).text,
                    fa_number_text(number[FA_CYLINDER_bore]).text);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) {
        const fa_cylinder_row row = fa_cylinder_row_of(i);
        const double          x = c->number[i];
        const char           *open = row.element[0] ? "<" : "", *shut = row.element[0] ? "> " : "";
        const bool            used = row.parts & parts;
        if (isnan(x) && !used) continue;
        if (isnan(x) && i == FA_CYLINDER_first_stiffness) {
            if (has_measures(number)) continue; // it follows from them
            return FAIL(c->place,
                        "cylinder '%s' needs the stiffness of the jack at its port; give <port> "
                        "stiffness, or closed-length, stroke and bore, from which it follows",
                        c->name);
        }
        if (isnan(x))
            return FAIL(c->place, "cylinder '%s' needs %s%s%s%s; give it, or choose another cut",
                        c->name, open, row.element, shut, row.attribute);
        if (!(row.item->rule == FA_RULE_ABOVE_ZERO ? x > 0 : x >= 0) || isinf(x))
            return FAIL(c->place, "%s%s%s%s of cylinder '%s' is %s; it must be %s", open,
                        row.element, shut, row.attribute, c->name, fa_number_text(x).text,
                        row.item->rule == FA_RULE_ABOVE_ZERO ? "above zero"
                                                             : "zero or a positive number");
    }
    return FA_OK;
}

static fa_status check_measures(const fa_robot *robot, const fa_cylinder *c, unsigned parts,
                                fa_error *error)
{
    const double *x = c->number;
    if (parts & FA_PART_VALVE && !(x[FA_CYLINDER_overlap] < 1))
        return FAIL(c->place, "the valve of cylinder '%s' has an overlap of %s; it must be below 1",
                    c->name, fa_number_text(x[FA_CYLINDER_overlap]).text);
    for (int i = 0; i < 2; i++) {
        const double p = c->initial_pressure[i];
        if (parts & FA_PART_CHAMBERS && !isnan(p) && !(p > x[FA_CYLINDER_vapour] && isfinite(p)))
            return FAIL(c->place,
                        "pressure-%c of cylinder '%s' at the start is %s Pa; it must be above the "
                        "vapour pressure, %s Pa",
                        'a' + i, c->name, fa_number_text(p).text,
                        fa_number_text(x[FA_CYLINDER_vapour]).text);
    }
    if (parts & FA_PART_PUMP && !(x[FA_CYLINDER_volume] > 0))
        return FAIL(c->place, "the pump of cylinder '%s' needs a volume above zero", c->name);
    if (parts & FA_PART_PUMP && !(c->supply > x[FA_CYLINDER_vapour]))
        return FAIL(c->place,
                    "the supply of cylinder '%s' is %s Pa at the start; behind a pump it must be "
                    "above the vapour pressure, %s Pa",
                    c->name, fa_number_text(c->supply).text,
                    fa_number_text(x[FA_CYLINDER_vapour]).text);
    if (!isfinite(c->supply) || !isfinite(c->tank) || !isfinite(c->pump_flow))
        return FAIL(c->place, "the supply of cylinder '%s' is not finite", c->name);
    if (parts & FA_PART_VALVE && (c->supply < 0 || c->tank < 0))
        return FAIL(c->place,
                    "the %s of cylinder '%s' has a pressure of %s Pa; pressures are absolute, and "
                    "none is below zero",
                    c->supply < 0 ? "supply" : "tank", c->name,
                    fa_number_text(c->supply < 0 ? c->supply : c->tank).text);
    return FA_OK;
}

// Checks that the valves of all cylinders share one pump, one supply and one tank.
static fa_status check_shared(const fa_robot *robot, int k, fa_error *error)
{
    const fa_cylinder *c = fa_robot_cylinder(robot, k);
    for (int i = 0; i < k; i++) {
        const fa_cylinder *other = fa_robot_cylinder(robot, i);
        if (c->pump && other->pump)
            return FAIL(c->place,
                        "cylinders '%s' and '%s' both have a pump, but one feeds the valves of all "
                        "cylinders; keep one of them",
                        other->name, c->name);
        if (!(fa_cylinder_parts(c) & fa_cylinder_parts(other) & FA_PART_VALVE)) continue;
        const bool supply = c->supply != other->supply;
        if (!supply && c->tank == other->tank) continue;
        return FAIL(c->place,
                    "cylinders '%s' and '%s' begin with %s pressures of %s Pa and %s Pa, but one "
                    "serves the valves of all cylinders; say the same of both",
                    other->name, c->name, supply ? "supply" : "tank",
                    fa_number_text(supply ? other->supply : other->tank).text,
                    fa_number_text(supply ? c->supply : c->tank).text);
    }
    return FA_OK;
}

static fa_status check_length(const fa_robot *robot, const fa_cylinder *c, double length,
                              fa_error *error)
{
    const double closed = c->number[FA_CYLINDER_closed_length];
    const double stroke = c->number[FA_CYLINDER_stroke], x = length - closed;
    if (isnan(closed) || isnan(stroke)) return FA_OK; // of a force alone: it has no ends
    if (x >= -STROKE_TOLERANCE && x <= stroke + STROKE_TOLERANCE) return FA_OK;
    return FAIL(c->place,
                "cylinder '%s' is %s m long at the start, but it can only be %s to %s m long; "
                "correct its points or its lengths, or start elsewhere",
                c->name, fa_number_text(length).text, fa_number_text(closed).text,
                fa_number_text(closed + stroke).text);
}

static fa_status check_ends(const fa_robot *robot, const fa_cylinder *c, fa_error *error)
{
    const fa_linkage *l = &c->linkage;
    if (c->from < 0 || c->from >= robot->n_links || c->to < 0 || c->to >= robot->n_links)
        return FAIL(c->place, "an end of cylinder '%s' is on no link", c->name);
    if (!isfinite(vec3_norm(c->from_point)) || !isfinite(vec3_norm(c->to_point)))
        return FAIL(c->place, "an end of cylinder '%s' is not at a finite place", c->name);
    const int joints = fa_cylinder_joints(robot, c);
    if (joints == 0)
        return FAIL(c->place,
                    "cylinder '%s' goes from link '%s' to link '%s', which no joint lets move "
                    "against each other; let it span a joint",
                    c->name, robot->link[c->from].name, robot->link[c->to].name);
    if (!l->present) return FA_OK;
    if (!fa_joint_turns(robot->link[c->to].joint.type) || joints != 1)
        return FAIL(c->place,
                    "the four-bar linkage of cylinder '%s' must turn link '%s' about a revolute "
                    "joint, the only one between it and link '%s'",
                    c->name, robot->link[c->to].name, robot->link[c->from].name);
    if (!(l->rocker > 0) || !(l->coupler > 0) || !isfinite(l->rocker) || !isfinite(l->coupler) ||
        !isfinite(vec3_norm(l->pivot)) || fabs(l->branch) != 1)
        return FAIL(c->place,
                    "rocker and coupler of cylinder '%s' are %s m and %s m long; both must be "
                    "above zero",
                    c->name, fa_number_text(l->rocker).text, fa_number_text(l->coupler).text);
    return FA_OK;
}

// --------------------------------------------------------------- what depends on where joints are

// A robot's chain at the start, at rest, and its cylinders on it.
typedef struct stand {
    fa_chain      chain;
    fa_body      *body;
    int          *link_body;
    fa_transform *link_frame;
    fa_reach_work reach;
    double       *q, *zero, *tau; // of the coordinates
    double       *lever;          // of the coordinates, for each cylinder
    void         *work;
} stand;

static void leave(stand *s)
{
    free(s->body);
    free(s->link_body);
    free(s->link_frame);
    free(s->reach.motion);
    free(s->reach.adjoint);
    free(s->q);
    free(s->work);
}

static bool take_stand(const fa_robot *robot, stand *s)
{
    const size_t links = (size_t)robot->n_links, n = (size_t)fa_chain_bodies(robot);
    const size_t cylinders = (size_t)robot->n_cylinders;
    memset(s, 0, sizeof *s);
    s->body = malloc((n + 1) * sizeof *s->body);
    s->link_body = malloc(links * sizeof *s->link_body);
    s->link_frame = malloc(links * sizeof *s->link_frame);
    s->reach.motion = malloc((n + 1) * sizeof *s->reach.motion);
    s->reach.adjoint = malloc((n + 1) * sizeof *s->reach.adjoint);
    s->q = calloc((3 + cylinders) * n + 1, sizeof *s->q);
    if (!s->body || !s->link_body || !s->link_frame || !s->reach.motion || !s->reach.adjoint ||
        !s->q)
        return false;
    s->chain = fa_chain_build(robot, s->body, s->link_body, s->link_frame);
    s->zero = s->q + n;
    s->tau = s->zero + n;
    s->lever = s->tau + n;
    s->work = malloc(fa_method_inverse(&s->chain)->work_size(&s->chain) + 1);
    fa_chain_start(robot, s->body, s->link_body, s->q);
    return s->work;
}

// Length of cylinder k, and its levers.
static fa_status length_of(const fa_robot *robot, const stand *s, int k, double *length)
{
    const fa_reach reach =
        fa_reach_of(fa_robot_cylinder(robot, k), &s->chain, s->link_body, s->link_frame);
    double   *lever = s->lever + (size_t)k * (size_t)s->chain.n_coordinates;
    fa_status status = fa_reach_length(&reach, &s->chain, s->q, length, lever, s->reach);
    // Joints that carry both ends have no lever, but for rounding.
    for (int i = 0; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint) &&
            !fa_cylinder_spans(robot, fa_robot_cylinder(robot, k), i))
            lever[s->body[s->link_body[i]].coordinate] = 0;
    return status;
}

static fa_status check_linkage(const fa_robot *robot, const fa_cylinder *c, const stand *s,
                               fa_error *error)
{
    const fa_reach  reach = fa_reach_of(c, &s->chain, s->link_body, s->link_frame);
    const fa_joint *joint = &robot->link[c->to].joint;
    double          where, lower = joint->limit.lower, upper = joint->limit.upper;
    if (s->chain.body[reach.to].parent != reach.from)
        return FAIL(c->place,
                    "the four-bar linkage of cylinder '%s' must stand on the link that carries "
                    "joint '%s'",
                    c->name, joint->name);
    if (!(lower > -HUGE_VAL && upper < HUGE_VAL)) { // no limits: as far as it starts
        const double at = fa_joint_position(&s->chain.body[reach.to], s->q);
        lower = upper = at;
    }
    if (fa_four_bar_reaches(&reach.bar, lower, upper, &where)) return FA_OK;
    return FAIL(c->place,
                "the four-bar linkage of cylinder '%s' cannot be assembled with joint '%s' at %s "
                "rad: rocker and coupler, %s m and %s m, do not meet; correct them, or the "
                "joint's limits",
                c->name, joint->name, fa_number_text(where).text,
                fa_number_text(c->linkage.rocker).text, fa_number_text(c->linkage.coupler).text);
}

static fa_status check_reach(const fa_robot *robot, const stand *s, fa_error *error)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        fa_status          status = c->linkage.present ? check_linkage(robot, c, s, error) : FA_OK;
        if (status != FA_OK) return status;
        double length;
        status = length_of(robot, s, k, &length);
        if (status != FA_OK)
            return FAIL(c->place,
                        "the ends of cylinder '%s' are at the same place at the start, so that it "
                        "has no length and no direction; move one of them",
                        c->name);
        status = check_length(robot, c, length, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

static fa_status check_axis(const fa_robot *robot, fa_error *error)
{
    if (robot->n_cylinders != 1)
        return FAIL(FA_NOWHERE, "a hydraulic axis has one cylinder, and this has %d",
                    robot->n_cylinders);
    if (robot->n_links != 1)
        return FAIL(FA_NOWHERE, "a hydraulic axis stands on one link, and this has %d",
                    robot->n_links);
    const fa_cylinder *c = fa_robot_cylinder(robot, 0);
    const unsigned     parts = fa_axis_parts(c);
    if (c->cut == FA_CUT_VALVE)
        return FAIL(c->place,
                    "with the cut 'valve' all of cylinder '%s' is in the arm, and nothing is left "
                    "for a hydraulic axis; choose 'force' or 'chamber'",
                    c->name);
    fa_status status = check_numbers(robot, c, parts, error);
    if (status == FA_OK) status = check_measures(robot, c, parts, error);
    if (status == FA_OK && parts & FA_PART_CHAMBERS && !isnan(c->initial_length))
        status = check_length(robot, c, c->initial_length, error);
    return status;
}

fa_status fa_robot_check_cylinders(const fa_robot *robot, fa_error *error)
{
    if (fa_robot_is_axis(robot)) return check_axis(robot, error);
    if (robot->n_cylinders == 0) return FA_OK;
    stand     s;
    fa_status status = FA_OK;
    if (!take_stand(robot, &s)) {
        leave(&s);
        return NO_MEMORY();
    }
    for (int k = 0; k < robot->n_cylinders && status == FA_OK; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        const unsigned     parts = fa_cylinder_parts(c);
        char               own[FA_NAME_SIZE + 1], other[FA_NAME_SIZE + 1];
        fa_variable_segment(c->name, own, sizeof own);
        for (int i = 0; i < k && status == FA_OK; i++) {
            fa_variable_segment(fa_robot_cylinder(robot, i)->name, other, sizeof other);
            if (strcmp(own, other) == 0)
                status = FAIL(c->place,
                              "two cylinders would be cylinder.%s in an FMU; give '%s' another "
                              "name",
                              own, c->name);
        }
        if (status == FA_OK) status = check_shared(robot, k, error);
        if (status == FA_OK) status = check_ends(robot, c, error);
        if (status == FA_OK) status = check_numbers(robot, c, parts, error);
        if (status == FA_OK) status = check_measures(robot, c, parts, error);
    }
    if (status == FA_OK) status = check_reach(robot, &s, error);
    leave(&s);
    return status;
}

// Returns the depth of the piston in an end stop: under the supply's pressure on one side, and at
// least the depth of full damping.
static double pressed_in(const fa_cylinder *c, unsigned parts, double area)
{
    const double *x = c->number;
    const double  by_supply = parts & FA_PART_VALVE ? c->supply : 0;
    return fmax(x[FA_CYLINDER_cushion], area * by_supply / x[FA_CYLINDER_stop_stiffness]);
}

// Three digits of it. By products alone: the C library's pow is not one that old hosts have.
static fa_text about(double x)
{
    if (!(x > 0 && isfinite(x))) return fa_number_text(x);
    double power = 1; // of ten; x power or, where x is large, x / power has three digits
    if (x < 1000) {
        while (x * power < 100) power *= 10;
        return fa_number_text(round(x * power) / power);
    }
    while (x / power >= 1000) power *= 10;
    return fa_number_text(round(x / power) * power);
}

void fa_robot_remark_cylinders(const fa_robot *robot, const fa_log *log)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *c = fa_robot_cylinder(robot, k);
        const unsigned parts = fa_robot_is_axis(robot) ? fa_axis_parts(c) : fa_cylinder_parts(c);
        if (!(parts & FA_PART_CHAMBERS)) continue;
        const double *x = c->number, stroke = x[FA_CYLINDER_stroke];
        const double  area_a = fa_cylinder_area_a(x), area_b = fa_cylinder_area_b(x);
        const double  end_a = fa_cylinder_end_volume_a(x), end_b = fa_cylinder_end_volume_b(x);
        const double  deep_a = pressed_in(c, parts, area_b), deep_b = pressed_in(c, parts, area_a);
        if (end_a >= area_a * (deep_a + FA_LEAST_STROKE * stroke) &&
            end_b >= area_b * (deep_b + FA_LEAST_STROKE * stroke))
            continue;
        fa_remark(
            log, robot->source, c->place,
            "cylinder '%s' holds %s m^3 of oil in chamber A when it is all in, and %s m^3 in B "
            "when it is all out; pressed %s m and %s m into these ends it has to hold less "
            "than a thousandth of the stroke's volume, below which the law's oil is softer "
            "than real oil; give it dead-volume-a and dead-volume-b, or more hose",
            c->name, about(end_a).text, about(end_b).text, about(deep_a).text, about(deep_b).text);
    }
}

// ----------------------------------------------------------------------------------------- balance

// Sets pressures with that difference of forces, the lower one at the default clamping pressure.
static void clamp(fa_cylinder *c, double force)
{
    const double A = fa_cylinder_area_a(c->number), B = fa_cylinder_area_b(c->number);
    double      *a = &c->initial_pressure[0], *b = &c->initial_pressure[1];
    if (isnan(*a) && isnan(*b)) {
        *b = CLAMPING_PRESSURE;
        *a = (force + B * *b) / A;
        if (*a < CLAMPING_PRESSURE) {
            *a = CLAMPING_PRESSURE;
            *b = (A * *a - force) / B;
        }
    } else if (isnan(*a)) {
        *a = (force + B * *b) / A;
    } else if (isnan(*b)) {
        *b = (A * *a - force) / B;
    }
}

// The smallest forces that hold every joint that cylinders act on: Kaczmarz's projections, one
// coordinate after the other, which are done after one round where each joint has its own.
static void hold(const fa_robot *robot, const stand *s, double force[])
{
    enum { ROUNDS = 2000 };
    const int n = s->chain.n_coordinates, cylinders = robot->n_cylinders;
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0;
        for (int k = 0; k < n; k++) {
            double done = 0, square = 0;
            for (int c = 0; c < cylinders; c++) {
                const double lever = s->lever[c * n + k];
                done += lever * force[c];
                square += lever * lever;
            }
            const double missing = square > 0 ? (s->tau[k] - done) / square : 0;
            for (int c = 0; c < cylinders; c++) force[c] += missing * s->lever[c * n + k];
            change += missing * missing * square;
        }
        if (!(change > 0)) return;
    }
}

// Maps efforts at all coordinates to the independent ones: G^T times them, and zero at dependent
// ones.
static void gather(const fa_loops *loops, const fa_loop_work *work, double unit[], double x[],
                   double felt[])
{
    const int n = loops->n_coordinates;
    for (int i = 0; i < n; i++) {
        felt[i] = 0;
        if (loops->is_dependent[i]) continue;
        unit[i] = 1;
        for (int c = 0; c < n; c++)
            if (x[c] != 0) felt[i] += fa_loops_combine(loops, c, unit, work) * x[c];
        unit[i] = 0;
    }
    memcpy(x, felt, (size_t)n * sizeof *x);
}

// With loops, cylinders carry the efforts at the independent coordinates.
static fa_status gather_by_loops(const fa_robot *robot, stand *s, fa_error *error)
{
    if (robot->n_loops == 0) return FA_OK;
    const size_t n = (size_t)s->chain.n_coordinates;
    fa_loops    *loops = fa_robot_build_loops(robot);
    void        *memory = loops ? malloc(fa_loop_work_size(loops) + 1) : NULL;
    double      *unit = calloc(2 * n + 1, sizeof *unit);
    fa_status    status = loops && memory && unit ? FA_OK : NO_MEMORY();
    if (status == FA_OK) {
        fa_loop_work work = fa_loop_work_at(loops, memory);
        status = fa_loops_factor(loops, &s->chain, s->q, &work);
        for (int k = -1; k < robot->n_cylinders && status == FA_OK; k++)
            gather(loops, &work, unit, k < 0 ? s->tau : s->lever + (size_t)k * n, unit + n);
        status = fa_explain(error, status, robot->source);
    }
    free(unit);
    free(memory);
    fa_loops_free(loops);
    return status;
}

// Sets a port's start force so that it holds the load; the default stiffness is that of the
// cylinder's dimensions with the pressures that hold the load.
static fa_status start_port(const fa_robot *robot, fa_cylinder *c, double force, double length,
                            fa_error *error)
{
    double *k = &c->number[FA_CYLINDER_first_stiffness];
    if (isnan(c->initial_force)) c->initial_force = force;
    if (!isnan(*k)) return FA_OK;
    fa_cylinder alike = *c;
    alike.initial_pressure[0] = alike.initial_pressure[1] = NAN;
    clamp(&alike, c->initial_force);
    *k = fa_cylinder_stiffness(c->number, length, alike.initial_pressure[0],
                               alike.initial_pressure[1]);
    if (*k > 0 && isfinite(*k) &&
        fa_cylinder_holds_oil(c->number, length - c->number[FA_CYLINDER_closed_length]))
        return FA_OK;
    return FAIL(c->place,
                "the stiffness of cylinder '%s' at its port does not follow from its measures at "
                "%s m, where it starts; give <port> stiffness",
                c->name, fa_number_text(length).text);
}

fa_status fa_robot_balance_cylinders(fa_robot *robot, fa_error *error)
{
    fa_cylinder *cylinder = fa_robot_cylinders(robot);
    if (fa_robot_is_axis(robot)) {
        const double *x = cylinder->number;
        if (fa_axis_parts(cylinder) & FA_PART_CHAMBERS) clamp(cylinder, 0);
        for (int i = 0; i < 2; i++) // of a valve alone
            if (isnan(cylinder->initial_pressure[i]))
                cylinder->initial_pressure[i] = CLAMPING_PRESSURE;
        if (isnan(cylinder->initial_length))
            cylinder->initial_length = x[FA_CYLINDER_closed_length] + 0.5 * x[FA_CYLINDER_stroke];
        return FA_OK;
    }
    if (robot->n_cylinders == 0) return FA_OK;
    stand     s = {0};
    double   *force = calloc(2 * (size_t)robot->n_cylinders, sizeof *force);
    double   *length = force + robot->n_cylinders;
    fa_status status = FA_OK;
    if (!force || !take_stand(robot, &s)) {
        free(force);
        leave(&s);
        return NO_MEMORY();
    }
    // At rest, everything that the joints have to hold.
    const fa_load none = {NULL};
    fa_method_inverse(&s.chain)->inverse(&s.chain, s.q, s.zero, s.zero, &none, s.tau, s.work);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const fa_body  *body = &s.body[s.link_body[i] < 0 ? 0 : s.link_body[i]];
        if (joint->type == FA_FIXED || !joint->spring.present) continue;
        const double stretch = fa_joint_position(body, s.q) - joint->spring.rest;
        s.tau[body->coordinate] += body->ratio * joint->spring.stiffness * stretch;
    }
    for (int c = 0; c < robot->n_cylinders; c++)
        (void)length_of(robot, &s, c, &length[c]); // it has been checked
    status = gather_by_loops(robot, &s, error);
    if (status == FA_OK) hold(robot, &s, force);
    for (int c = 0; c < robot->n_cylinders && status == FA_OK; c++) {
        if (cylinder[c].cut == FA_CUT_PORT)
            status = start_port(robot, &cylinder[c], force[c], length[c], error);
        if (!(fa_cylinder_parts(&cylinder[c]) & FA_PART_CHAMBERS)) continue;
        clamp(&cylinder[c], force[c]);
        status = check_measures(robot, &cylinder[c], FA_PART_CHAMBERS, error);
    }
    free(force);
    leave(&s);
    return status;
}
