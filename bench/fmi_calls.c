// What an FMU adds to the bare plant, on one robot: the right-hand side as a host asks for it, and
// ten seconds of Co-Simulation.
//
//     fmi_calls ROBOT                 nanoseconds, lowest of many; the table of docs/performance.md
//     fmi_calls ROBOT WHAT TIMES      only WHAT, so many times, for callgrind to count:
//                                     bare, fmi2, fmi3, cs (ten seconds) or none
#define _XOPEN_SOURCE 700
#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "import.h"
#include "instance.h"

#define MAX 64 // states, and inputs

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "fmi_calls: %s\n", what);
    exit(1);
}

// An instance of the robot; `fmi` is 2 or 3, `exchange`: Model Exchange.
static fa_instance *instance_of(const fa_robot *robot, int fmi, bool exchange)
{
    fa_options options = {.fmi = fmi, .identifier = "robot"};
    char      *text, folder[] = "/tmp/fmi_calls_XXXXXX", path[64], token[FA_TOKEN_SIZE];
    size_t     size;
    fa_error   error;
    must(fa_robot_file_write(robot, &options, &text, &size, &error) == FA_OK, "no robot file");
    fa_robot_file_token(text, size, token);
    must(mkdtemp(folder) != NULL, "no folder");
    snprintf(path, sizeof path, "%s/robot.forearm", folder);
    FILE *file = fopen(path, "wb");
    must(file && fwrite(text, 1, size, file) == size && fclose(file) == 0, "no file");
    free(text);
    fa_instance *self = NULL;
    if (fmi == 2)
        self = fmi2Instantiate("bench", exchange ? fmi2ModelExchange : fmi2CoSimulation, token,
                               folder, NULL, fmi2False, fmi2False);
    else if (exchange)
        self = fmi3InstantiateModelExchange("bench", token, folder, false, false, NULL, NULL);
    else
        self = fmi3InstantiateCoSimulation("bench", token, folder, false, false, false, false, NULL,
                                           0, NULL, NULL, NULL);
    must(self != NULL, "no instance");
    remove(path);
    rmdir(folder);
    must(self->n_states <= MAX && self->n_inputs <= MAX, "too large a robot");
    return self;
}

static void begin(fa_instance *self)
{
    bool fine = self->fmi == 3;
    if (fine) {
        fine = fmi3EnterInitializationMode(self, false, 0, 0, false, 0) == fmi3OK &&
               fmi3ExitInitializationMode(self) == fmi3OK;
        if (fine && self->kind == FA_MODEL_EXCHANGE)
            fine = fmi3EnterContinuousTimeMode(self) == fmi3OK;
    } else {
        fine = fmi2SetupExperiment(self, 0, 0, 0, 0, 0) == fmi2OK &&
               fmi2EnterInitializationMode(self) == fmi2OK &&
               fmi2ExitInitializationMode(self) == fmi2OK &&
               fmi2EnterContinuousTimeMode(self) == fmi2OK;
    }
    must(fine, "no beginning");
}

typedef struct rig {
    fa_instance *self;
    uint32_t     input[MAX];
    double       x[MAX], u[MAX], dx[MAX];
} rig;

static rig rig_of(fa_instance *self)
{
    rig r = {.self = self};
    for (int i = 0; i < self->n_inputs; i++) {
        r.input[i] = (uint32_t)(self->first_input + i) + 1;
        r.u[i] = 0.1 * i;
    }
    for (int i = 0; i < self->n_states; i++) r.x[i] = 0.1 * i;
    return r;
}

// Each call at another point, which the last result leads to, as in an integrator.
static void move(rig *r, int i)
{
    for (int k = 0; k < r->self->n_states; k++) r->x[k] = 0.1 * k + 1e-9 * r->dx[k];
    r->u[0] = 1e-3 * (i % 7);
}

static void bare(rig *r, int times)
{
    fa_instance *self = r->self;
    double      *value = self->value;
    fa_error     error;
    for (int i = 0; i < times; i++) {
        move(r, i);
        value[self->time_row] = 1e-3 * i;
        memcpy(value + self->first_state, r->x, (size_t)self->n_states * sizeof *value);
        memcpy(value + self->first_input, r->u, (size_t)self->n_inputs * sizeof *value);
        (void)self->plant->evaluate(self->self, value, FA_GROUP_DERIVATIVES, &error);
        for (int k = 0; k < self->n_states; k++) r->dx[k] = value[self->derivative[k]];
    }
}

static void by_fmi3(rig *r, int times)
{
    fa_instance *self = r->self;
    const size_t nx = (size_t)self->n_states, nu = (size_t)self->n_inputs;
    for (int i = 0; i < times; i++) {
        move(r, i);
        (void)fmi3SetTime(self, 1e-3 * i);
        (void)fmi3SetContinuousStates(self, r->x, nx);
        (void)fmi3SetFloat64(self, r->input, nu, r->u, nu);
        (void)fmi3GetContinuousStateDerivatives(self, r->dx, nx);
    }
}

static void by_fmi2(rig *r, int times)
{
    fa_instance *self = r->self;
    const size_t nx = (size_t)self->n_states, nu = (size_t)self->n_inputs;
    for (int i = 0; i < times; i++) {
        move(r, i);
        (void)fmi2SetTime(self, 1e-3 * i);
        (void)fmi2SetContinuousStates(self, r->x, nx);
        (void)fmi2SetReal(self, r->input, nu, r->u);
        (void)fmi2GetDerivatives(self, r->dx, nx);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double lowest(void (*what)(rig *, int), rig *r)
{
    enum { ROUNDS = 60, TIMES = 2000 };
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        const double from = now();
        what(r, TIMES);
        best = fmin(best, (now() - from) / TIMES);
    }
    return 1e9 * best;
}

// --- Co-Simulation of the robot with damped joints, from rest at 0.3, in steps of 10 ms

static void damp(fa_instance *self)
{
    for (int row = 0; row < self->table.n; row++) {
        const char  *name = self->table.row[row].name;
        const size_t length = strlen(name);
        const char  *last = strrchr(name, '.');
        if (length < 6 || !last) continue;
        if (strcmp(last, ".viscous_friction") == 0) self->value[row] = 0.5;
        if (strcmp(last, ".coulomb_friction") == 0) self->value[row] = 0;
        if (strcmp(last, ".coulomb_friction_negative") == 0) self->value[row] = 0;
        if (strcmp(last, ".initial_position") == 0) self->value[row] = 0.3;
    }
    self->configured = false;
}

static double ten_seconds(const fa_robot *robot, double tolerance, double seconds_per_step,
                          bool moving, double x[])
{
    fa_instance *self = instance_of(robot, 3, false);
    uint32_t     vr = (uint32_t)self->first_input + 1;
    damp(self);
    self->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    begin(self);
    const int    steps = (int)lround(10 / seconds_per_step);
    const double from = now();
    for (int i = 0; i < steps; i++) {
        fmi3Boolean  b[3];
        double       last;
        const double u = sin(0.01 * i);
        if (moving) (void)fmi3SetFloat64(self, &vr, 1, &u, 1);
        must(fmi3DoStep(self, i * seconds_per_step, seconds_per_step, true, &b[0], &b[1], &b[2],
                        &last) == fmi3OK,
             "a step failed");
    }
    const double took = now() - from;
    (void)fa_get_states(self, x, (size_t)self->n_states);
    fmi3FreeInstance(self);
    return took;
}

static void co_simulation(const fa_robot *robot, int n)
{
    double want[MAX], x[MAX];
    for (int moving = 0; moving < 2; moving++) {
        ten_seconds(robot, 1e-13, 0.01, moving, want);
        for (double tolerance = 1e-6; tolerance > 1e-11; tolerance /= 100) {
            double off = 0, best = INFINITY;
            for (int i = 0; i < 9; i++)
                best = fmin(best, ten_seconds(robot, tolerance, 0.01, moving, x));
            for (int k = 0; k < n / 2; k++) off = fmax(off, fabs(x[k] - want[k]));
            printf("| 10 s at 10 ms, %s, `solver_tolerance` %.0e | %.2f ms, off by %.1e |\n",
                   moving ? "an input changing at each step" : "inputs at rest", tolerance,
                   1e3 * best, off);
        }
    }
}

int main(int argc, char **argv)
{
    must(argc == 2 || argc == 4, "fmi_calls ROBOT [bare|fmi2|fmi3|cs|none TIMES]");
    fa_import_options options = {.lenient = true};
    fa_log            log = {NULL, NULL};
    fa_robot         *robot;
    fa_error          error;
    if (fa_import(argv[1], &options, &log, &robot, &error) != FA_OK) must(false, error.message);
    fa_instance *two = instance_of(robot, 2, true), *three = instance_of(robot, 3, true);
    begin(two);
    begin(three);
    rig of_two = rig_of(two), of_three = rig_of(three), of_bare = rig_of(three);
    if (argc == 4) {
        const int times = (int)strtol(argv[3], NULL, 10);
        if (strcmp(argv[2], "bare") == 0) bare(&of_bare, times);
        if (strcmp(argv[2], "fmi2") == 0) by_fmi2(&of_two, times);
        if (strcmp(argv[2], "fmi3") == 0) by_fmi3(&of_three, times);
        double x[MAX];
        for (int i = 0; i < times && strcmp(argv[2], "cs") == 0; i++)
            (void)ten_seconds(robot, 1e-8, 0.01, true, x);
    } else {
        const double b = lowest(bare, &of_bare);
        printf("| bare plant | %.0f ns |\n", b);
        printf("| FMI 3.0 right-hand side | %.0f ns |\n", lowest(by_fmi3, &of_three));
        printf("| FMI 2.0 right-hand side | %.0f ns |\n", lowest(by_fmi2, &of_two));
        printf("| allowed: 1.25 x bare + 40 ns | %.0f ns |\n", 1.25 * b + 40);
        co_simulation(robot, three->n_states);
    }
    fa_instance_free(two);
    fa_instance_free(three);
    free(robot);
    return 0;
}
