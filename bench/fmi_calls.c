// The overhead of an FMU over forward dynamics, on one robot: the right-hand side through FMI
// calls, and ten seconds of Co-Simulation.
//
//   fmi_calls ROBOT [JOINT=POSITION …]          nanoseconds, lowest of many; docs/performance.md
//   fmi_calls ROBOT [JOINT=POSITION …] WHAT TIMES
//
// The second form calls only WHAT, TIMES times, for callgrind: method, bare, fmi2, fmi3, cs (ten
// seconds) or none. A JOINT is locked at its position [rad or m]. All inputs are set before every
// evaluation, and torques change with each. A WHAT that ends in "+wrench" has a force at the tip,
// which is zero otherwise.
#define _XOPEN_SOURCE 700
#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chain.h"
#include "dynamics.h"
#include "import.h"
#include "instance.h"

#define MAX 256 // largest number of states, and of inputs

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "fmi_calls: %s\n", what);
    exit(1);
}

// Creates an instance of the robot; `fmi` is 2 or 3, `exchange`: Model Exchange.
static fa_instance *instance_of(const fa_robot *robot, int fmi, bool exchange)
{
    fa_options options = {.fmi = fmi, .identifier = "robot"};
    char      *text, folder[] = "/tmp/fmi_calls_XXXXXX", path[64], token[FA_TOKEN_SIZE];
    size_t     size;
    fa_error   error = fa_no_error();
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
    fa_instance              *self;
    const struct bare_method *method; // used by method()
    uint32_t                  input[MAX];
    double                    x[MAX], u[MAX], dx[MAX];
} rig;

static rig rig_of(fa_instance *self, const struct bare_method *method, bool wrench)
{
    rig r = {.self = self, .method = method};
    for (int i = 0; i < self->n_inputs; i++) {
        const int  row = self->first_input + i;
        const bool on_tip = strncmp(fa_recall(self)->table.row[row].name, "tip.", 4) == 0;
        r.input[i] = (uint32_t)row + 1;
        r.u[i] = on_tip && !wrench ? 0 : 0.1 * i;
    }
    for (int i = 0; i < self->n_states; i++) r.x[i] = 0.1 * i;
    return r;
}

// Moves the evaluation to another point, which depends on the last result, as in an integrator.
static void move(rig *r, int i)
{
    for (int k = 0; k < r->self->n_states; k++) r->x[k] = 0.1 * k + 1e-9 * r->dx[k];
    r->u[0] = 1e-3 * (i % 7);
}

// The forward method that the FMU of this arm uses, prepared once. The states begin with positions
// and velocities, the inputs with torques.
typedef struct bare_method {
    fa_chain   chain;
    fa_ready   ready;
    fa_wrench *wrench;
} bare_method;

static void prepare(const fa_robot *robot, bare_method *m)
{
    fa_body         *body = calloc((size_t)fa_chain_bodies(robot), sizeof *body);
    fa_transform    *frame = calloc((size_t)robot->n_links, sizeof *frame);
    int             *of = calloc((size_t)robot->n_links, sizeof *of);
    const fa_method *row = fa_method_find("fast-composite");
    must(body && frame && of, "no memory");
    m->chain = fa_chain_build(robot, body, of, frame);
    m->wrench = calloc((size_t)m->chain.n, sizeof *m->wrench);
    void *work = aligned_alloc(64, (row->work_size(&m->chain) + 63) / 64 * 64);
    must(m->wrench && work && fa_method_fits(row, &m->chain), "no chain in a row");
    m->ready = fa_method_ready(row, &m->chain, work);
    const int tip = of[robot->tip_link];
    if (tip >= 0) m->wrench[tip] = (fa_wrench){{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}};
    free(frame);
    free(of);
}

static void method(rig *r, int times)
{
    const fa_instance *self = r->self;
    const bare_method *m = r->method;
    const int          n = m->chain.n_coordinates;
    const bool         pushed = r->u[self->n_inputs - 1] != 0;
    const fa_load      load = {pushed ? m->wrench : NULL};
    double             x[MAX], u[MAX]; // contiguous, as in an FMU
    for (int i = 0; i < times; i++) {
        move(r, i);
        memcpy(x, r->x, (size_t)self->n_states * sizeof *x);
        memcpy(u, r->u, (size_t)self->n_inputs * sizeof *u);
        must(fa_ready_forward(&m->ready, x, x + n, u, &load, r->dx + n) == FA_OK,
             "no accelerations");
    }
}

static void bare(rig *r, int times)
{
    fa_instance *self = r->self;
    double      *value = self->value;
    fa_error     error = fa_no_error();
    for (int i = 0; i < times; i++) {
        move(r, i);
        value[self->time_row] = 1e-3 * i;
        memcpy(value + self->first_state, r->x, (size_t)self->n_states * sizeof *value);
        memcpy(value + self->first_input, r->u, (size_t)self->n_inputs * sizeof *value);
        (void)fa_plant_evaluate(self->plant, self->self, value, FA_GROUP_DERIVATIVES, NULL, &error);
        for (int k = 0; k < self->n_states; k++) r->dx[k] = value[self->states.of[k].derivative];
    }
    self->moment->fresh = 0;
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

// A way to evaluate the right-hand side.
typedef struct way {
    const char *name;
    void (*ask)(rig *, int times);
    int fmi;
} way;

static const way ways[] = {
    {"method", method, 3}, {"bare", bare, 3}, {"fmi3", by_fmi3, 3}, {"fmi2", by_fmi2, 2}};
enum { WAYS = sizeof ways / sizeof *ways };

// Measures nanoseconds per call, lowest of many rounds. All ways take turns, so that other load on
// the machine affects all of them.
static void lowest(fa_instance *const instance[2], const bare_method *m, bool wrench,
                   double best[WAYS])
{
    enum { ROUNDS = 400, TIMES = 500 };
    rig r[WAYS];
    for (int w = 0; w < WAYS; w++) {
        r[w] = rig_of(instance[ways[w].fmi == 3], m, wrench);
        best[w] = INFINITY;
    }
    for (int i = 0; i < ROUNDS; i++)
        for (int w = 0; w < WAYS; w++) {
            const double from = now();
            ways[w].ask(&r[w], TIMES);
            best[w] = fmin(best[w], 1e9 * (now() - from) / TIMES);
        }
}

static void right_hand_sides(fa_instance *const instance[2], const bare_method *m)
{
    printf("| tip | method [ns] | plant | FMI 3.0 | FMI 2.0 | allowed: 1.25 x method + 40 |\n");
    for (int wrench = 0; wrench < 2; wrench++) {
        double ns[WAYS];
        lowest(instance, m, wrench, ns);
        printf("| %s | %.0f | %.0f (%.2f) | %.0f (%.2f) | %.0f (%.2f) | %.0f |\n",
               wrench ? "pushed" : "free", ns[0], ns[1], ns[1] / ns[0], ns[2], ns[2] / ns[0], ns[3],
               ns[3] / ns[0], 1.25 * ns[0] + 40);
    }
}

// --- Co-Simulation of the robot with damped joints, from rest at 0.3, in steps of 10 ms

static void damp(fa_instance *self)
{
    for (int row = 0; row < self->states.rows; row++) {
        const char  *name = fa_recall(self)->table.row[row].name;
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

static fa_robot *robot_of(int n, char *argument[])
{
    fa_import_lock    lock[16];
    fa_import_options options = {.lenient = true, .lock = lock};
    fa_log            log = {.warn = NULL};
    fa_robot         *robot;
    fa_error          error = fa_no_error();
    for (int i = 1; i < n && options.n_locks < 16; i++) {
        char *position = strchr(argument[i], '=');
        *position++ = '\0';
        lock[options.n_locks++] = (fa_import_lock){argument[i], strtod(position, NULL)};
    }
    if (fa_import(argument[0], &options, &log, &robot, &error) != FA_OK) must(false, error.message);
    return robot;
}

static void only(fa_instance *const instance[2], const bare_method *m, const fa_robot *robot,
                 char *what, int times)
{
    char *wrench = strchr(what, '+');
    if (wrench) *wrench = '\0';
    for (int w = 0; w < WAYS; w++) {
        rig r = rig_of(instance[ways[w].fmi == 3], m, wrench != NULL);
        if (strcmp(ways[w].name, what) == 0) ways[w].ask(&r, times);
    }
    double x[MAX];
    for (int i = 0; i < times && strcmp(what, "cs") == 0; i++)
        (void)ten_seconds(robot, 1e-8, 0.01, true, x);
}

int main(int argc, char **argv)
{
    int n = 1; // number of arguments about the robot
    while (n + 1 < argc && strchr(argv[n + 1], '=')) n++;
    const int left = argc - 1 - n;
    must(argc > 1 && (left == 0 || left == 2),
         "fmi_calls ROBOT [JOINT=POSITION …] [method|bare|fmi2|fmi3|cs|none TIMES]");
    fa_robot    *robot = robot_of(n, argv + 1);
    fa_instance *instance[2] = {instance_of(robot, 2, true), instance_of(robot, 3, true)};
    bare_method  m;
    prepare(robot, &m);
    begin(instance[0]);
    begin(instance[1]);
    if (left == 2) {
        only(instance, &m, robot, argv[n + 1], (int)strtol(argv[n + 2], NULL, 10));
    } else {
        right_hand_sides(instance, &m);
        co_simulation(robot, instance[1]->n_states);
    }
    free((void *)m.chain.body);
    free(m.wrench);
    free(m.ready.work);
    fa_instance_free(instance[0]);
    fa_instance_free(instance[1]);
    free(robot);
    return 0;
}
