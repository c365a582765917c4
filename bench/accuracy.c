// The error of Co-Simulation on random arms at a given tolerance: the distance of the final state
// from that with tolerance 1e-13, in units of the tolerance times the sensitivity of the final
// state. Prints the table of docs/co-simulation.md; with `deterministic`, so every build has the
// same.
//
//   accuracy [ROBOTS]          of each kind; 100 by default
#define _XOPEN_SOURCE 700
#include <fmi3Functions.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instance.h"
#include "random.h"

// Duration [s]; times of the perturbations; number of joints, and of their states.
#define SPAN 2.0
enum { PLACES = 16, JOINTS = 2, STATES = 2 * JOINTS, MOST = 1000 };

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "accuracy: %s\n", what);
    exit(1);
}

// ------------------------------------------------------------------------------------------- arms

// Kinds of arms: the random arms of random.h; with dry friction that changes sign within a
// milliradian a second; stiff: a hundredth of the weight with the same viscous friction.
static const char *const kinds[] = {"smooth", "dry friction turning in 1 mrad/s", "stiff"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static fa_robot *arm_of(int kind, int number)
{
    uint64_t  seed = 7000 + (uint64_t)number;
    fa_robot *robot = random_robot(&seed, JOINTS, 0);
    for (int i = 0; i < robot->n_links; i++) {
        fa_link          *link = &robot->link[i];
        fa_friction_data *friction = &link->joint.friction;
        if (kind != 1) friction->coulomb = friction->coulomb_negative = 0;
        if (kind == 1) friction->width = 1e-3;
        if (kind != 2) continue;
        link->mass *= 0.01;
        link->inertia = sym3_scale(0.01, link->inertia);
        link->joint.rotor.inertia *= 0.01;
    }
    fa_error error = {.message = ""};
    must(fa_robot_check(robot, NULL, &error) == FA_OK, error.message);
    return robot;
}

static fa_instance *instance_of(const fa_robot *robot, double tolerance)
{
    fa_options options = {.fmi = 3, .identifier = "robot"};
    char      *text, folder[] = "/tmp/accuracy_XXXXXX", path[64], token[FA_TOKEN_SIZE];
    size_t     size;
    fa_error   error = {.message = ""};
    must(fa_robot_file_write(robot, &options, &text, &size, &error) == FA_OK, error.message);
    fa_robot_file_token(text, size, token);
    must(mkdtemp(folder) != NULL, "no folder");
    snprintf(path, sizeof path, "%s/robot.forearm", folder);
    FILE *file = fopen(path, "wb");
    must(file && fwrite(text, 1, size, file) == size && fclose(file) == 0, "no file");
    free(text);
    fa_instance *self = fmi3InstantiateCoSimulation("bench", token, folder, false, false, false,
                                                    false, NULL, 0, NULL, NULL, NULL);
    must(self != NULL, "no instance");
    remove(path);
    rmdir(folder);
    for (int row = 0; row < self->states.rows; row++)
        if (strcmp(fa_recall(self)->table.row[row].name, "deterministic") == 0)
            self->value[row] = 1;
    self->value[FA_ROW_SOLVER_TOLERANCE] = tolerance;
    must(fmi3EnterInitializationMode(self, false, 0, 0, false, 0) == fmi3OK &&
             fmi3ExitInitializationMode(self) == fmi3OK,
         "no beginning");
    return self;
}

// ------------------------------------------------------------------------------------------- runs

// A perturbation of one state at one of the times.
typedef struct slip {
    int    place, state;
    double by;
} slip;

static void run(const fa_robot *robot, double tolerance, int steps, const slip *made, double x[])
{
    fa_instance *self = instance_of(robot, tolerance);
    const double step = SPAN / steps;
    for (int i = 0; i < steps; i++) {
        fmi3Boolean b[3];
        double      last;
        if (made && i == made->place) {
            self->value[self->first_state + made->state] += made->by;
            self->moment->fresh = 0;
        }
        must(fmi3DoStep(self, i * step, step, true, &b[0], &b[1], &b[2], &last) == fmi3OK,
             "a step failed");
    }
    memcpy(x, self->value + self->first_state, STATES * sizeof *x);
    fmi3FreeInstance(self);
}

// Returns the scaled error, as the solver's: relative to one radian, or metre, and as much in a
// second, plus the state.
static double off(const double x[], const double want[])
{
    double worst = 0;
    for (int i = 0; i < STATES; i++)
        worst = fmax(worst, fabs(x[i] - want[i]) / (1 + fabs(want[i])));
    return worst;
}

// Returns the sensitivity of the final state to a perturbation of any state at any time; at least
// 1, that of the final state itself.
static double sensitivity(const fa_robot *robot)
{
    const double by = 1e-6;
    double       plain[STATES], x[STATES], most = 1;
    run(robot, 1e-11, PLACES, NULL, plain);
    for (int place = 0; place < PLACES; place++)
        for (int state = 0; state < STATES; state++) {
            run(robot, 1e-11, PLACES, &(slip){place, state, by}, x);
            most = fmax(most, off(x, plain) / by);
        }
    return most;
}

// ------------------------------------------------------------------------------------------ table

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const struct {
    const char *words;
    int         steps;
} paces[] = {{"1 ms", 2000}, {"10 ms", 200}, {"100 ms", 20}, {"2 s", 1}};
static const double tolerances[] = {1e-6, 1e-8, 1e-10};
enum { PACES = sizeof paces / sizeof *paces, TOLERANCES = sizeof tolerances / sizeof *tolerances };

static double ratio[KINDS][PACES][TOLERANCES][MOST];

static void measure(int kind, int number)
{
    double    want[STATES], x[STATES];
    fa_robot *robot = arm_of(kind, number);
    run(robot, 1e-13, PLACES, NULL, want);
    const double grows = sensitivity(robot);
    for (int p = 0; p < PACES; p++)
        for (int t = 0; t < TOLERANCES; t++) {
            run(robot, tolerances[t], paces[p].steps, NULL, x);
            ratio[kind][p][t][number] = off(x, want) / (tolerances[t] * grows);
        }
    free(robot);
}

int main(int argc, char *argv[])
{
    const int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    must(n > 0 && n <= MOST, "between 1 and 1000 robots");
    printf(
        "| %d arms of two joints, 2 s | communication steps | at 1e-6: median, worst | at 1e-8 | "
        "at 1e-10 |\n|---|---|---|---|---|\n",
        n);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < n; i++) measure(kind, i);
        for (int p = 0; p < PACES; p++) {
            printf("| %s | %s |", kinds[kind], paces[p].words);
            for (int t = 0; t < TOLERANCES; t++) {
                double *of = ratio[kind][p][t];
                qsort(of, (size_t)n, sizeof *of, ascending);
                printf(" %.2g, %.2g |", of[n / 2], of[n - 1]);
            }
            puts("");
        }
    }
    return 0;
}
