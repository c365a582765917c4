// Takes a robot file through interfaces and commands, for test_made_up and fuzz_through.
#define _GNU_SOURCE // memfd_create
#include "through.h"

#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

#include "export.h"
#include "instance.h"
#include "options.h"
#include "plant_jacobian.h"

// Limits: larger numbers test nothing new, and are slow. Steps: of a solver, in a communication
// step.
enum { LINKS_MOST = 24, DERIVATIVES_MOST = 12, STEPS_MOST = 1000 };

static void must(bool claim)
{
    if (!claim) abort();
}

// --------------------------------------------------------------------------------------- instances

static bool heard; // a message

static void hear(const fa_instance *self, fa_outcome outcome, const char *category,
                 const char *message)
{
    (void)self, (void)outcome, (void)category;
    heard = message[0] != '\0';
}

static void logger(void)
{
}

// NULL: refused, with a sentence.
static fa_instance *instance_of(const fa_robot *robot, const fa_plant *plant,
                                const fa_options *options, fa_kind kind)
{
    const fa_setup setup = {.fmi = 3, .kind = kind, .name = "through", .token = "{}"};
    fa_instance   *self = NULL;
    fa_error       error = {.message = ""};
    if (fa_instance_lay_out(plant, robot, options->arrays, &setup, &self, &error) != FA_OK) {
        must(error.message[0] != '\0');
        return NULL;
    }
    self->patience = 6 * STEPS_MOST;
    self->host = (fa_host){.log = hear, .logger = logger};
    for (int c = 0; c < FA_CATEGORY_COUNT; c++) self->log[c] = c != FA_CATEGORY_SOLVER;
    fa_instance_start(self);
    return self;
}

// A call that a host can make here gives an answer, or a sentence why there is none.
static bool ok(fmi3Status status)
{
    must(status <= fmi3Warning || heard);
    heard = false;
    return status <= fmi3Warning;
}

static bool initialised(fa_instance *self)
{
    return ok(fmi3EnterInitializationMode(self, false, 0, 0, false, 0)) &&
           ok(fmi3ExitInitializationMode(self));
}

// Every variable of every type.
static void get_all(fa_instance *self, double *room)
{
    for (uint32_t v = 1; v <= self->n_visible; v++) {
        const fa_cells cells = fa_cells_of(self, v);
        if (self->row[cells.cell[0]].type == FA_REAL)
            (void)ok(fmi3GetFloat64(self, &v, 1, room, (size_t)cells.n));
    }
}

// Value references of real variables of a role, at most so many.
static size_t references(const fa_instance *self, fa_role role, uint32_t list[], size_t *elements)
{
    size_t n = 0;
    *elements = 0;
    for (uint32_t v = 1; v <= self->n_visible && n < DERIVATIVES_MOST; v++) {
        const fa_cells cells = fa_cells_of(self, v);
        const fa_row  *row = &self->row[cells.cell[0]];
        if (row->role != role || row->type != FA_REAL || row->setting == FA_SET_DISCRETE) continue;
        list[n++] = v;
        *elements += (size_t)cells.n;
    }
    return n;
}

static void derive(fa_instance *self)
{
    static const fa_role unknown[] = {FA_OUTPUT, FA_LOCAL}, known[] = {FA_STATE, FA_INPUT};
    uint32_t             of[DERIVATIVES_MOST], by[DERIVATIVES_MOST];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            size_t       n_of, n_by;
            const size_t unknowns = references(self, unknown[i], of, &n_of);
            const size_t knowns = references(self, known[k], by, &n_by);
            const size_t most = n_of > n_by ? n_of : n_by;
            double      *seed = malloc((most + 1) * sizeof *seed);
            double      *out = malloc((most + 1) * sizeof *out);
            must(seed && out);
            for (size_t e = 0; e < most; e++) seed[e] = 1;
            if (unknowns && knowns) {
                (void)ok(fmi3GetDirectionalDerivative(self, of, unknowns, by, knowns, seed, n_by,
                                                      out, n_of));
                (void)ok(fmi3GetAdjointDerivative(self, of, unknowns, by, knowns, seed, n_of, out,
                                                  n_by));
            }
            free(out);
            free(seed);
        }
}

static void depend(fa_instance *self)
{
    uint32_t     of[DERIVATIVES_MOST];
    size_t       elements;
    const size_t n = references(self, FA_OUTPUT, of, &elements);
    for (size_t i = 0; i < n; i++) {
        size_t some = 0;
        if (!ok(fmi3GetNumberOfVariableDependencies(self, of[i], &some)) || some == 0) continue;
        size_t             *element = malloc(2 * some * sizeof *element);
        fmi3ValueReference *on = malloc(some * sizeof *on);
        fmi3DependencyKind *kind = malloc(some * sizeof *kind);
        must(element && on && kind);
        (void)ok(fmi3GetVariableDependencies(self, of[i], element, on, element + some, kind, some));
        free(kind);
        free(on);
        free(element);
    }
}

// Saved, written to bytes, read back and taken again: the way of every state.
static void save(fa_instance *self)
{
    fmi3FMUState state = NULL, again = NULL;
    size_t       size = 0;
    if (!ok(fmi3GetFMUState(self, &state))) return;
    must(ok(fmi3SerializedFMUStateSize(self, state, &size)));
    unsigned char *bytes = malloc(size);
    must(bytes && ok(fmi3SerializeFMUState(self, state, bytes, size)));
    must(ok(fmi3DeserializeFMUState(self, bytes, size, &again)));
    (void)ok(fmi3SetFMUState(self, again));
    must(ok(fmi3FreeFMUState(self, &again)) && ok(fmi3FreeFMUState(self, &state)));
    free(bytes);
}

static void jacobian(fa_instance *self)
{
    const size_t n = (size_t)self->n_states, rows = (size_t)self->n_cells;
    double      *by = malloc((n * n + n + 1) * sizeof *by);
    double      *direction = calloc(rows + 1, sizeof *direction);
    fa_error     error = {.message = ""};
    must(by && direction);
    if (fa_refresh(self, FA_GROUP_ALL, &error) == FA_OK)
        (void)fa_plant_jacobian(self->plant, self->self, &self->states, self->value, NULL,
                                direction, by, by + n * n, &error);
    free(direction);
    free(by);
}

static bool settled(fa_instance *self)
{
    bool   again = true, terminate = false, nominals, states, event;
    double next;
    for (int i = 0; i < 10 && again; i++)
        if (!ok(fmi3UpdateDiscreteStates(self, &again, &terminate, &nominals, &states, &event,
                                         &next)))
            return false;
    return !terminate;
}

static void exchange(fa_instance *self, double *room)
{
    const size_t n = (size_t)self->n_states;
    if (!initialised(self) || !settled(self) || !ok(fmi3EnterContinuousTimeMode(self))) return;
    get_all(self, room);
    derive(self);
    depend(self);
    save(self);
    jacobian(self);
    bool event, terminate;
    for (int step = 1; step <= 3; step++) {
        (void)ok(fmi3GetContinuousStateDerivatives(self, room, n));
        (void)ok(fmi3GetEventIndicators(self, room, (size_t)self->n_shown_indicators));
        (void)ok(fmi3GetNominalsOfContinuousStates(self, room, n));
        if (!ok(fmi3GetContinuousStates(self, room, n))) return;
        for (size_t i = 0; i < n; i++) room[i] += 0.05 * step; // somewhere else
        if (!ok(fmi3SetTime(self, 1e-3 * step)) || !ok(fmi3SetContinuousStates(self, room, n)))
            return;
        if (!ok(fmi3CompletedIntegratorStep(self, true, &event, &terminate)) || terminate) return;
        if (!ok(fmi3EnterEventMode(self)) || !settled(self) ||
            !ok(fmi3EnterContinuousTimeMode(self)))
            return;
    }
    get_all(self, room);
}

// With numbers such as strangers choose, error control may take any number of steps.
static void simulate(fa_instance *self, int solver, double *room)
{
    const uint32_t at = FA_ROW_SOLVER + 1, step = FA_ROW_SOLVER_STEP + 1;
    const double   length = solver == FA_SOLVER_KUTTA3 ? 1e-3 : 1e-9;
    bool           event, terminate, early;
    double         time = 0;
    if (!ok(fmi3SetInt32(self, &at, 1, (int32_t[]){solver}, 1)) ||
        !ok(fmi3SetFloat64(self, &step, 1, (double[]){1e-3}, 1)) || !initialised(self))
        return;
    for (int i = 0; i < 2; i++)
        if (!ok(fmi3DoStep(self, time, length, true, &event, &terminate, &early, &time))) return;
    get_all(self, room);
    save(self);
    derive(self);
    (void)ok(fmi3DoStep(self, time, length, true, &event, &terminate, &early, &time));
}

static void run(const fa_robot *robot, const fa_options *options)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    for (int way = 0; way < 3; way++) {
        fa_instance *self =
            instance_of(robot, plant, options, way == 0 ? FA_MODEL_EXCHANGE : FA_CO_SIMULATION);
        if (!self) return;
        double *room = calloc((size_t)self->n_cells + 1, sizeof *room);
        must(room);
        if (way == 0) exchange(self, room);
        if (way == 1) simulate(self, FA_SOLVER_KUTTA3, room);
        if (way == 2) simulate(self, FA_SOLVER_ROSENBROCK, room);
        (void)ok(fmi3Reset(self));
        free(room);
        fa_instance_free(self);
    }
}

// ---------------------------------------------------------------------------------------- commands

// A file in memory that can be opened by its name.
static const char *file_of(int which, const void *bytes, size_t size)
{
    static int  file[2];
    static char path[2][64];
    if (file[which] == 0) file[which] = memfd_create("through", 0);
    must(file[which] > 0 && ftruncate(file[which], 0) == 0);
    must(pwrite(file[which], bytes, size, 0) == (ssize_t)size);
    (void)snprintf(path[which], sizeof path[which], "/proc/self/fd/%d", file[which]);
    return path[which];
}

static const char *archive_of(const char *text, size_t size, const char *description,
                              size_t description_size)
{
    zip_error_t fault;
    zip_error_init(&fault);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &fault);
    zip_t        *archive = zip_open_from_source(source, ZIP_TRUNCATE, &fault);
    must(archive);
    zip_source_keep(source);
    zip_source_t *one = zip_source_buffer(archive, description, description_size, 0);
    zip_source_t *other = zip_source_buffer(archive, text, size, 0);
    must(zip_file_add(archive, "modelDescription.xml", one, 0) >= 0);
    must(zip_file_add(archive, "resources/robot.forearm", other, 0) >= 0);
    must(zip_close(archive) == 0 && zip_source_open(source) == 0);
    static char       bytes[1 << 22];
    const zip_int64_t length = zip_source_read(source, bytes, sizeof bytes);
    must(length > 0 && length < (zip_int64_t)sizeof bytes);
    zip_source_close(source);
    zip_source_free(source);
    return file_of(0, bytes, (size_t)length);
}

static const char table[] = "payload.mass\n0\n0.5\n";

// Each ends with one of its codes; %1: the FMU, %2: the table.
static const char *const command[][12] = {
    {"inspect", "%1"},
    {"inspect", "--json", "%1"},
    {"check", "%1"},
    {"linearise", "%1"},
    {"linearise", "--json", "%1"},
    {"linearise", "--equilibrium", "torques", "%1"},
    {"linearise", "--equilibrium", "pose", "%1"},
    {"forward", "--in", "%2", "%1"},
    {"inverse", "--in", "%2", "%1"},
    {"inverse", "--regressor", "--in", "%2", "%1"},
    {"inverse", "--cylinders", "--in", "%2", "%1"},
    {"compare", "--samples", "2", "--untimed", "%1"},
    {"simulate", "--solver", "kutta-3", "--set", "solver_step=1e-3", "--stop", "2e-3", "--step",
     "1e-3", "%1"},
    {"runs", "--in", "%2", "--solver", "runge-kutta-4", "--set", "solver_step=1e-3", "--stop",
     "2e-3", "%1"},
};

static void run_command(const char *const words[], const char *fmu, const char *rows)
{
    char *argv[16] = {strdup("forearm")};
    int   argc = 1;
    for (; words[argc - 1] && argc < 14; argc++) {
        const char *word = words[argc - 1];
        argv[argc] = strdup(strcmp(word, "%1") == 0 ? fmu : strcmp(word, "%2") == 0 ? rows : word);
    }
    const fa_exit code = fa_run_program(argc, argv);
    must(code >= FA_EXIT_DONE && code <= FA_EXIT_DISAGREEMENT);
    while (argc > 0) free(argv[--argc]);
}

static void run_commands(const char *text, size_t size, const char *description,
                         size_t description_size)
{
    static FILE *nowhere;
    const char  *fmu = archive_of(text, size, description, description_size);
    const char  *rows = file_of(1, table, sizeof table - 1);
    if (!nowhere) must((nowhere = fopen("/dev/null", "wb")) != NULL);
    (void)fflush(stdout);
    const int out = dup(1), err = dup(2);
    must(out > 0 && err > 0 && dup2(fileno(nowhere), 1) >= 0);
    if (!getenv("THROUGH_TALKS")) must(dup2(fileno(nowhere), 2) >= 0);
    for (size_t i = 0; i < sizeof command / sizeof *command; i++)
        run_command(command[i], fmu, rows);
    (void)fflush(stdout);
    must(dup2(out, 1) >= 0 && dup2(err, 2) >= 0);
    (void)close(out);
    (void)close(err);
}

static void describe(const char *text, size_t size, const fa_robot *robot,
                     const fa_options *options, int what)
{
    char    *description = NULL;
    size_t   length = 0;
    fa_error error = {.message = ""};
    if (fa_description_write(robot, options, NULL, &description, &length, &error) != FA_OK)
        must(error.message[0] != '\0');
    else if (what & THROUGH_COMMANDS)
        run_commands(text, size, description, length);
    free(description);
}

// --------------------------------------------------------------------------------------- the whole

bool through_everything(const char *text, size_t size, int what)
{
    fa_robot  *robot = NULL;
    fa_options options;
    fa_error   error = {.message = ""};
    if (fa_robot_file_read(text, size, &robot, &options, &error) != FA_OK) {
        must(!robot && error.message[0] != '\0');
        return false;
    }
    char  *again = NULL;
    size_t length = 0;
    must(fa_robot_file_write(robot, &options, &again, &length, &error) == FA_OK);
    must(length == size && memcmp(again, text, size) == 0);
    free(again);
    if (robot->n_links <= LINKS_MOST) {
        const bool arm = strcmp(robot->plant, "arm") == 0;
        describe(text, size, robot, &options, what);
        if (what & THROUGH_LIBRARY) run(robot, &options);
        if (arm) strcpy(robot->plant, "inverse");
        if (what & THROUGH_LIBRARY && arm) run(robot, &options);
    }
    free(robot);
    return true;
}
