// A robot's FMU in a loop like that of a real-time target: every millisecond inputs are set, a
// communication step of that size is taken by the solver with fixed steps, and outputs are got.
//
//     real_time SECONDS ROBOT …        latencies in microseconds; docs/performance.md
//
// The process asks for memory that stays and for a real-time priority; without the right to them it
// goes on, and says so.
#define _GNU_SOURCE // SCHED_FIFO, clock_nanosleep, mlockall
#include <fmi3Functions.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "fmu_help.h"
#include "import.h"

#define PERIOD 1000000L // [ns]

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "real_time: %s\n", what);
    exit(1);
}

static long since(const struct timespec *from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - from->tv_sec) * 1000000000L + (now.tv_nsec - from->tv_nsec);
}

static int compare(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

// [microseconds]
static double percentile(const uint32_t sorted[], long n, double share)
{
    const long at = (long)(share * (double)n);
    return 1e-3 * sorted[at < n ? at : n - 1];
}

static fa_instance *instance_of(const fa_robot *robot, fmu_host *host)
{
    fa_instance             *self = fmu_robot_new(robot, 3, false, FA_CO_SIMULATION, host);
    const fmi3ValueReference solver = FA_ROW_SOLVER + 1, step = FA_ROW_SOLVER_STEP + 1;
    const fmi3Int32          runge_kutta = FA_SOLVER_RUNGE_KUTTA4;
    const double             size = 1e-3;
    must(fmi3SetInt32(self, &solver, 1, &runge_kutta, 1) == fmi3OK, "no solver");
    must(fmi3SetFloat64(self, &step, 1, &size, 1) == fmi3OK, "no step");
    must(fmi3SetDebugLogging(self, false, 0, NULL) == fmi3OK, "no silence");
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    return self;
}

// Runs n periods: `cost` is a histogram of the latencies without the wait, `late` the latest
// wake-up.
static void run(fa_instance *self, long n, uint32_t cost[], long *late)
{
    fmi3ValueReference in[512], out[512];
    double             u[512] = {0}, y[512];
    size_t             inputs = 0;
    const size_t       outputs = (size_t)self->n_states < 512 ? (size_t)self->n_states : 512;
    for (int row = self->first_input; row < self->first_input + self->n_inputs && inputs < 512;
         row++)
        if (self->row[row].type == FA_REAL) {
            u[inputs] = self->value[row];
            in[inputs++] = (fmi3ValueReference)row + 1;
        }
    for (size_t i = 0; i < outputs; i++)
        out[i] = (fmi3ValueReference)self->first_state + (fmi3ValueReference)i + 1;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    *late = 0;
    for (long k = 0; k < n; k++) {
        next.tv_nsec += PERIOD;
        if (next.tv_nsec >= 1000000000L) next.tv_nsec -= 1000000000L, next.tv_sec++;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        const long begun = since(&next);
        if (begun > *late) *late = begun;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        fmi3Boolean event, over, early;
        double      last;
        must(fmi3SetFloat64(self, in, inputs, u, inputs) == fmi3OK, "an input is refused");
        must(fmi3DoStep(self, 1e-3 * (double)k, 1e-3, true, &event, &over, &early, &last) == fmi3OK,
             "a step is refused");
        must(fmi3GetFloat64(self, out, outputs, y, outputs) == fmi3OK, "an output is refused");
        const long took = since(&now);
        cost[k] = took < (long)UINT32_MAX ? (uint32_t)took : UINT32_MAX;
    }
}

static void report(const char *path, long n, uint32_t cost[], long late)
{
    const char *slash = strrchr(path, '/');
    qsort(cost, (size_t)n, sizeof *cost, compare);
    printf("| %s | %ld |", slash ? slash + 1 : path, n);
    const double share[] = {0.5, 0.99, 0.999, 0.9999};
    for (size_t i = 0; i < sizeof share / sizeof *share; i++)
        printf(" %.1f |", percentile(cost, n, share[i]));
    printf(" %.1f | %.0f |\n", 1e-3 * cost[n - 1], 1e-3 * (double)late);
    (void)fflush(stdout);
}

int main(int argc, char *argv[])
{
    must(argc > 2, "usage: real_time SECONDS ROBOT …");
    const long               n = (long)(1e9 * strtod(argv[1], NULL) / PERIOD);
    uint32_t                *cost = malloc((size_t)(n > 0 ? n : 1) * sizeof *cost);
    const struct sched_param priority = {.sched_priority = 80};
    must(n > 0 && cost, "there is not enough memory");
    memset(cost, 0, (size_t)n * sizeof *cost);
    const bool stays = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    const bool first = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    fprintf(stderr, "memory %s, priority %s\n", stays ? "stays" : "may be paged",
            first ? "real-time" : "as usual");
    printf("| robot | steps | median | 99 %% | 99.9 %% | 99.99 %% | worst | latest wake-up |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (int i = 2; i < argc; i++) {
        fa_robot *robot;
        fa_error  error = fa_no_error();
        if (fa_import(argv[i], NULL, NULL, &robot, &error) != FA_OK) must(false, error.message);
        fmu_host     host;
        fa_instance *self = instance_of(robot, &host);
        long         late;
        run(self, n, cost, &late);
        report(argv[i], n, cost, late);
        fmu_free(3, self);
        free(robot);
    }
    free(cost);
    return 0;
}
