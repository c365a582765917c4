// Numbers that no machine has, for every plant and for each thing that a host may set: what comes
// back is a finite number, or a status with a sentence; never a silent NaN or infinity.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmu_machines.h"
#include "import.h"

static const double hostile[] = {
    NAN,    INFINITY, -INFINITY, 1e300, -1e300, 1.7e308, -1.7e308, 5e-324, -5e-324,
    1e-310, 1e-300,   0,         -1,    1e12,   1e-12,   1e100,    -1e100,
};
enum { HOSTILE = sizeof hostile / sizeof *hostile, ROOM = 2048 };

// The tests sample one in so many pairs of a variable and a number; scripts/campaign-numbers runs
// all pairs.
static int one_in = 97;

static struct {
    long     fine, told, slowest_ms;
    fmu_host host;
    char     what[256]; // for the message of a failure
} seen;

// --- one instance of either standard

typedef struct subject {
    int          fmi;
    fa_kind      kind;
    fa_instance *self;
    double       value[ROOM];
} subject;

// What a call gave: fine only with finite numbers, anything else only with a sentence.
static bool settle(const char *call, int status, const double value[], size_t n)
{
    if (status != 0) {
        seen.told++;
        if (seen.host.count == 0) fail_msg("%s: %s: %d without a word", seen.what, call, status);
        return false;
    }
    seen.fine++;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            fail_msg("%s: %s: number %d is %g", seen.what, call, (int)i, value[i]);
    return true;
}

static int set_number(subject *s, int v, double value)
{
    const fmi3ValueReference vr = (fmi3ValueReference)v + 1;
    const fa_type            type = fa_recall(s->self)->view.variable[v].type;
    const int32_t            integer = value < 1e9 && value > -1e9 ? (int32_t)value : 1000000000;
    const fmi2Boolean        truth2 = integer != 0;
    const fmi3Boolean        truth3 = integer != 0;
    if (type == FA_INT32)
        return s->fmi == 3 ? (int)fmi3SetInt32(s->self, &vr, 1, &integer, 1)
                           : (int)fmi2SetInteger(s->self, &vr, 1, &integer);
    if (type == FA_BOOLEAN)
        return s->fmi == 3 ? (int)fmi3SetBoolean(s->self, &vr, 1, &truth3, 1)
                           : (int)fmi2SetBoolean(s->self, &vr, 1, &truth2);
    return s->fmi == 3 ? (int)fmi3SetFloat64(s->self, &vr, 1, &value, 1)
                       : (int)fmi2SetReal(s->self, &vr, 1, &value);
}

// All that is calculated, in one call for each variable. A parameter that was infinite from the
// beginning, a limit that nobody gave, is nobody's mistake.
static void get_all(subject *s)
{
    const fa_view *view = &fa_recall(s->self)->view;
    for (int v = 0; v < (int)s->self->n_visible; v++) {
        const fa_variable       *row = &view->variable[v];
        const fmi3ValueReference vr = (fmi3ValueReference)v + 1;
        const bool               calculated = row->role == FA_OUTPUT || row->role == FA_LOCAL ||
                                row->role == FA_STATE || row->role == FA_INDICATOR;
        if (row->type != FA_REAL || !calculated) continue;
        const size_t n = (size_t)view->extent[v].n;
        assert_true(n <= ROOM);
        seen.host.count = 0;
        const int status = s->fmi == 3 ? (int)fmi3GetFloat64(s->self, &vr, 1, s->value, n)
                                       : (int)fmi2GetReal(s->self, &vr, 1, s->value);
        if (!settle(row->name, status, s->value, n) && status == 3) return;
    }
}

static void get_vectors(subject *s)
{
    const size_t n = (size_t)s->self->n_states, m = (size_t)s->self->n_shown_indicators;
    seen.host.count = 0;
    int status = s->fmi == 3 ? (int)fmi3GetContinuousStateDerivatives(s->self, s->value, n)
                             : (int)fmi2GetDerivatives(s->self, s->value, n);
    settle("derivatives", status, s->value, n);
    seen.host.count = 0;
    status = s->fmi == 3 ? (int)fmi3GetEventIndicators(s->self, s->value, m)
                         : (int)fmi2GetEventIndicators(s->self, s->value, m);
    settle("indicators", status, s->value, m);
    seen.host.count = 0;
    status = s->fmi == 3 ? (int)fmi3GetContinuousStates(s->self, s->value, n)
                         : (int)fmi2GetContinuousStates(s->self, s->value, n);
    settle("states", status, s->value, n);
}

// Gets the sensitivity of the last state's derivative, or of the last output, to the first input or
// state.
static void get_sensitivities(subject *s)
{
    const fa_view *view = &fa_recall(s->self)->view;
    int            known = -1, unknown = -1;
    for (int v = 0; v < view->n; v++) {
        const fa_variable *row = &view->variable[v];
        if (row->type != FA_REAL) continue;
        if (known < 0 && (row->role == FA_INPUT || row->role == FA_STATE)) known = v;
        if (row->role == FA_OUTPUT) unknown = v;
    }
    if (known < 0 || unknown < 0) return;
    const fmi3ValueReference k = (fmi3ValueReference)known + 1, u = (fmi3ValueReference)unknown + 1;
    const size_t nk = (size_t)view->extent[known].n, nu = (size_t)view->extent[unknown].n;
    double       seed[ROOM];
    for (int i = 0; i < ROOM; i++) seed[i] = 1;
    seen.host.count = 0;
    int status =
        s->fmi == 3
            ? (int)fmi3GetDirectionalDerivative(s->self, &u, 1, &k, 1, seed, nk, s->value, nu)
            : (int)fmi2GetDirectionalDerivative(s->self, &u, 1, &k, 1, seed, s->value);
    settle("directional derivative", status, s->value, nu);
    if (s->fmi == 2) return;
    seen.host.count = 0;
    status = (int)fmi3GetAdjointDerivative(s->self, &u, 1, &k, 1, seed, nu, s->value, nk);
    settle("adjoint derivative", status, s->value, nk);
}

static bool initialize(subject *s)
{
    seen.host.count = 0;
    int status = s->fmi == 3 ? (int)fmi3EnterInitializationMode(s->self, false, 0, 0, false, 0)
                             : (int)fmi2SetupExperiment(s->self, fmi2False, 0, 0, fmi2False, 0);
    if (s->fmi == 2 && status == 0) status = (int)fmi2EnterInitializationMode(s->self);
    if (!settle("enter initialization", status, NULL, 0)) return false;
    status = s->fmi == 3 ? (int)fmi3ExitInitializationMode(s->self)
                         : (int)fmi2ExitInitializationMode(s->self);
    return settle("exit initialization", status, NULL, 0);
}

static void go_on(subject *s)
{
    seen.host.count = 0;
    if (s->kind == FA_MODEL_EXCHANGE) {
        const int status = s->fmi == 3 ? (int)fmi3EnterContinuousTimeMode(s->self)
                                       : (int)fmi2EnterContinuousTimeMode(s->self);
        settle("enter continuous-time mode", status, NULL, 0);
        get_vectors(s);
    } else {
        fmi3Boolean b[3];
        double      last;
        const int   status =
            s->fmi == 3 ? (int)fmi3DoStep(s->self, 0, 1e-6, false, &b[0], &b[1], &b[2], &last)
                          : (int)fmi2DoStep(s->self, 0, 1e-6, fmi2False);
        settle("do step", status, NULL, 0);
        if (status == 3) return;
    }
    get_all(s);
    get_sensitivities(s);
}

static void reset(subject *s)
{
    const int status = s->fmi == 3 ? (int)fmi3Reset(s->self) : (int)fmi2Reset(s->self);
    assert_int_equal(status, 0);
}

// Error control follows a speed of 1e100 rad/s for 40 million evaluations before it gives up, which
// says no more than one step of a fixed size.
static void choose_solver(subject *s, double value)
{
    if (s->kind == FA_MODEL_EXCHANGE || fabs(value) < 1e6 || !isfinite(value)) return;
    assert_int_equal(set_number(s, FA_ROW_SOLVER, FA_SOLVER_RUNGE_KUTTA4), 0);
}

// Sets one variable before the run, and if it can be set then, in the middle of it.
static void try_one(subject *s, int v, double value)
{
    const clock_t begin = clock();
    for (int late = 0; late < 2; late++) {
        reset(s);
        choose_solver(s, value);
        if (late && !initialize(s)) continue;
        seen.host.count = 0;
        const int status = set_number(s, v, value);
        settle("set", status, NULL, 0);
        if (status != 0) continue;
        if (!late && !initialize(s)) continue;
        go_on(s);
    }
    const long ms = (long)((clock() - begin) * 1000 / CLOCKS_PER_SEC);
    if (ms > seen.slowest_ms) {
        seen.slowest_ms = ms;
        if (ms > 200) print_message("%ld ms: %s\n", ms, seen.what);
    }
}

static void try_states(subject *s, int state, double value)
{
    const size_t n = (size_t)s->self->n_states;
    reset(s);
    if (s->kind != FA_MODEL_EXCHANGE || !initialize(s)) return;
    double x[ROOM];
    assert_int_equal(s->fmi == 3 ? (int)fmi3EnterContinuousTimeMode(s->self)
                                 : (int)fmi2EnterContinuousTimeMode(s->self),
                     0);
    assert_int_equal(s->fmi == 3 ? (int)fmi3GetContinuousStates(s->self, x, n)
                                 : (int)fmi2GetContinuousStates(s->self, x, n),
                     0);
    x[state] = value;
    seen.host.count = 0;
    const int status = s->fmi == 3 ? (int)fmi3SetContinuousStates(s->self, x, n)
                                   : (int)fmi2SetContinuousStates(s->self, x, n);
    if (!settle("set states", status, NULL, 0)) return;
    get_vectors(s);
    get_all(s);
    get_sensitivities(s);
}

static void try_robot(const char *name, const fa_robot *robot)
{
    static int turn;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++) {
            subject s = {.fmi = fmi, .kind = (fa_kind)kind};
            s.self = fmu_robot_new(robot, fmi, false, (fa_kind)kind, &seen.host);
            for (int v = 0; v < (int)s.self->n_visible; v++) {
                const fa_role role = (fa_role)fa_recall(s.self)->view.variable[v].role;
                const bool    settable =
                    role == FA_PARAMETER || role == FA_TUNABLE || role == FA_INPUT;
                for (int h = 0; h < HOSTILE && settable; h++) {
                    if (turn++ % one_in != 0) continue;
                    (void)snprintf(seen.what, sizeof seen.what, "%s, FMI %d %s, %s = %g", name, fmi,
                                   kind ? "CS" : "ME", fa_recall(s.self)->view.variable[v].name,
                                   hostile[h]);
                    try_one(&s, v, hostile[h]);
                }
            }
            for (int i = 0; i < s.self->n_states; i++)
                for (int h = 0; h < HOSTILE; h++) {
                    if (turn++ % one_in != 0) continue;
                    (void)snprintf(seen.what, sizeof seen.what, "%s, FMI %d, state %d = %g", name,
                                   fmi, i, hostile[h]);
                    try_states(&s, i, hostile[h]);
                }
            fmu_free(fmi, s.self);
        }
}

// --- robots

static fa_robot *load(const char *name, const fa_import_options *options)
{
    char      path[256];
    fa_error  error = {.message = ""};
    fa_robot *robot;
    (void)snprintf(path, sizeof path, "../resources/robots/%s.xml", name);
    if (fa_import(path, options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

// Every plant, and of arms all that can be had.
static const struct {
    const char *name, *inputs, *outputs, *plant;
} robots[] = {
    {"double_pendulum", NULL, NULL, NULL},
    {"puma560", "base,lock", "reactions,jacobian,mass-matrix,poses", NULL},
    {"puma560", "base", "reactions,poses", "inverse"},
    {"cmu_dd_arm", NULL, NULL, NULL},
    {"excavator", NULL, NULL, NULL},
    {"serpenoid", NULL, NULL, NULL},
    {"tavakoli_nia", NULL, NULL, NULL},
    {"patu655_lift_axis", NULL, NULL, NULL},
    {"patu655_lift_valve", NULL, NULL, NULL},
};

static void tell_counts(void)
{
    print_message("%ld calls answered with finite numbers, %ld with a sentence; the slowest number "
                  "took %ld ms\n",
                  seen.fine, seen.told, seen.slowest_ms);
}

static void no_number_makes_a_silent_nan(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        const fa_import_options options = {.inputs = robots[i].inputs,
                                           .outputs = robots[i].outputs};
        fa_robot               *robot = load(robots[i].name, &options);
        if (robots[i].plant) strcpy(robot->plant, robots[i].plant);
        try_robot(robots[i].name, robot);
        free(robot);
    }
    tell_counts();
}

// All that acts at a joint, at every joint.
static fa_robot *with_everything(void)
{
    fa_robot *robot = load("scara", NULL);
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (joint->type == FA_FIXED) continue;
        joint->limit = (fa_limit_data){true, -1, 1, 100, 10};
        joint->friction = (fa_friction_data){.viscous = 0.1,
                                             .coulomb = 1,
                                             .coulomb_negative = 1,
                                             .width = 0.01,
                                             .breakaway = 2,
                                             .breakaway_negative = 2,
                                             .stribeck = 0.1,
                                             .sticks = i % 2 == 0};
        joint->spring = (fa_spring_data){.present = true, .stiffness = 5, .damping = 0.1};
        joint->stop = (fa_stop_data){.present = true, .stiffness = 1e4, .damping = 10};
        joint->lock.present = true;
        joint->rotor.inertia = 1e-4;
        joint->rotor.gear = 50;
        if (i % 2 == 0) {
            joint->motor = fmu_motor;
            joint->motor.voltage_limit = 48;
        } else {
            joint->closure =
                (fa_closure_data){.present = true, .stiffness = 1e4, .damping = 10, .time = 1};
        }
    }
    return robot;
}

static void nor_does_one_for_whatever_acts_at_a_joint(void **state)
{
    (void)state;
    fa_robot *robot = with_everything();
    fa_error  error = {.message = ""};
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    try_robot("scara with everything", robot);
    free(robot);
}

// --- robots that nobody builds

// Refused with a sentence, or run like any other.
static void run_odd(fa_robot *robot, const char *what, double value)
{
    fa_error error = {.message = ""};
    (void)snprintf(seen.what, sizeof seen.what, "%s: %s %g", robot->name, what, value);
    if (fa_robot_check(robot, NULL, &error) != FA_OK) {
        assert_true(error.message[0] != 0);
        seen.told++;
        return;
    }
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int kind = 0; kind < 2; kind++) {
            subject s = {.fmi = fmi, .kind = (fa_kind)kind};
            s.self = fmu_robot_new(robot, fmi, false, (fa_kind)kind, &seen.host);
            if (kind == FA_CO_SIMULATION) choose_solver(&s, 1e6);
            if (initialize(&s)) go_on(&s);
            fmu_free(fmi, s.self);
        }
}

static void scale_link(fa_link *link, double mass, double inertia)
{
    link->mass *= mass;
    fa_sym3 *I = &link->inertia;
    *I = (fa_sym3){inertia * I->xx, inertia * I->yy, inertia * I->zz,
                   inertia * I->xy, inertia * I->xz, inertia * I->yz};
}

static void masses_from_a_picogram_to_a_mountain_s(void **state)
{
    (void)state;
    static const char *const names[] = {"double_pendulum", "puma560",   "cmu_dd_arm",  "stanford",
                                        "excavator",       "serpenoid", "tavakoli_nia"};
    static const int         exponents[] = {-320, -300, -100, -30, -12, -9,  -6, -3,
                                            3,    6,    9,    12,  30,  100, 300};
    for (size_t r = 0; r < sizeof names / sizeof *names; r++)
        for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
            const double by = pow(10, exponents[e]);
            for (int which = 0; which < 4; which++) {
                fa_robot *robot = load(names[r], NULL);
                for (int i = 0; i < robot->n_links; i++) {
                    const bool last = i == robot->n_links - 1;
                    if (which == 0) scale_link(&robot->link[i], by, by);         // all of it
                    if (which == 1 && last) scale_link(&robot->link[i], by, by); // one light link
                    if (which == 2) scale_link(&robot->link[i], 1, by);          // thin, or long
                    if (which == 3) scale_link(&robot->link[i], by, 1);
                }
                run_odd(robot, "mass and inertia by", by);
                free(robot);
            }
        }
}

static void frictions_springs_and_gears_beyond_reason(void **state)
{
    (void)state;
    static const double value[] = {1e12, 1e100, 1e200, 1e308, 1e-300, 5e-324};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++)
        for (int which = 0; which < 14; which++) {
            fa_robot *robot = with_everything();
            for (int i = 0; i < robot->n_links; i++) {
                fa_joint *joint = &robot->link[i].joint;
                if (joint->type == FA_FIXED) continue;
                double *const field[14] = {
                    &joint->friction.viscous, &joint->friction.coulomb,  &joint->friction.breakaway,
                    &joint->friction.width,   &joint->friction.stribeck, &joint->spring.stiffness,
                    &joint->spring.damping,   &joint->stop.stiffness,    &joint->stop.damping,
                    &joint->rotor.inertia,    &joint->rotor.gear,        &joint->initial_velocity,
                    &joint->initial_position, &joint->motor.resistance};
                if (which != 13 || joint->motor.present) *field[which] = value[k];
                joint->friction.coulomb_negative = joint->friction.coulomb;
                joint->friction.breakaway =
                    fmax(joint->friction.breakaway, joint->friction.coulomb);
                joint->friction.breakaway_negative = joint->friction.breakaway;
            }
            (void)snprintf(robot->name, sizeof robot->name, "scara_%d", which);
            run_odd(robot, "a number of each joint", value[k]);
            free(robot);
        }
    tell_counts();
}

int main(int argc, char **argv)
{
    if (argc > 1) one_in = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_makes_a_silent_nan),
        cmocka_unit_test(nor_does_one_for_whatever_acts_at_a_joint),
        cmocka_unit_test(masses_from_a_picogram_to_a_mountain_s),
        cmocka_unit_test(frictions_springs_and_gears_beyond_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
