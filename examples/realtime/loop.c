// An arm in a loop of real time: every millisecond one step of Runge and Kutta, under torques that
// hold it against gravity. At the end a histogram of what computing took, and of how late the
// system woke the loop.
//
//     loop ROBOT SECONDS
//
// It asks for memory that stays and for a real-time priority; without the right to them it goes on,
// and says so. Compile it against the installed library, as README.md beside it says.
#define _GNU_SOURCE // SCHED_FIFO, clock_nanosleep
#include <forearm/forearm.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define PERIOD 1000000L // [ns]

enum { JOINTS = 32, BINS = 48, PER_OCTAVE = 4 };

// Latencies in bins that grow by a fourth root of two, from a tenth of a microsecond on.
typedef struct histogram {
    long   count[BINS];
    long   n;
    double worst; // [microseconds]
} histogram;

static void add(histogram *h, double microseconds)
{
    const double at = PER_OCTAVE * log2(microseconds / 0.1);
    const int    bin = at > 0 ? (int)at : 0;
    h->count[bin < BINS ? bin : BINS - 1]++;
    h->n++;
    if (microseconds > h->worst) h->worst = microseconds;
}

// The upper edge of a bin, and of the one that holds this share of all.
static double edge(int bin)
{
    return 0.1 * exp2((bin + 1.0) / PER_OCTAVE);
}

static double percentile(const histogram *h, double share)
{
    long sum = 0;
    int  bin = 0;
    for (; bin < BINS - 1 && (double)(sum += h->count[bin]) < share * (double)h->n;) bin++;
    return edge(bin) < h->worst ? edge(bin) : h->worst;
}

static void report(const char *what, const histogram *h)
{
    printf("%s [microseconds]: median %.1f, 99 %% %.1f, 99.9 %% %.1f, worst %.1f\n", what,
           percentile(h, 0.5), percentile(h, 0.99), percentile(h, 0.999), h->worst);
    for (int bin = 0; bin < BINS; bin++) {
        if (h->count[bin] == 0) continue;
        printf("%10.1f %9ld ", edge(bin), h->count[bin]);
        for (double k = 1; k <= (double)h->count[bin]; k *= 2) putchar('#'); // one for each octave
        putchar('\n');
    }
}

static double microseconds(const struct timespec *from, const struct timespec *to)
{
    return 1e6 * (double)(to->tv_sec - from->tv_sec) + 1e-3 * (double)(to->tv_nsec - from->tv_nsec);
}

static long page_faults(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt + used.ru_majflt;
}

// Runs n periods; false: a step failed.
static bool loop(fa_stepper *arm, long n, histogram *computing, histogram *waking)
{
    double          q[JOINTS], qd[JOINTS];
    struct timespec due, begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (long k = 1; k <= n; k++) {
        due.tv_nsec += PERIOD;
        if (due.tv_nsec >= 1000000000L) due.tv_nsec -= 1000000000L, due.tv_sec++;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        clock_gettime(CLOCK_MONOTONIC, &begun);
        if (fa_stepper_step(arm, 1e-9 * PERIOD * (double)k, q, qd) != FA_OK) return false;
        clock_gettime(CLOCK_MONOTONIC, &ended);
        add(waking, microseconds(&due, &begun));
        add(computing, microseconds(&begun, &ended));
    }
    return true;
}

int main(int argc, char *argv[])
{
    static histogram         computing, waking;
    const fa_stepper_options options = {sizeof options, FA_STEP_RK4, 1e-9 * PERIOD, NULL};
    const struct sched_param priority = {.sched_priority = 80};
    const long               n = argc > 2 ? (long)(1e9 * strtod(argv[2], NULL) / PERIOD) : 10000;
    fa_error                 error = fa_no_error();
    fa_robot                *robot = fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", NULL, &error);
    fa_stepper              *arm = robot ? fa_stepper_new(robot, &options, &error) : NULL;
    if (!arm || fa_robot_joints(robot) > JOINTS) {
        fprintf(stderr, "%s:%d: %s\n", error.file, error.place.line, error.message);
        return 1;
    }
    double torque[JOINTS] = {0}, q[JOINTS] = {0};
    fa_gravity_torque(robot, fa_stepper_workspace(arm), 1, q, torque);
    fa_stepper_hold(arm, torque);
    const bool stays = fa_lock_memory(&error) == FA_OK;
    const bool first = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    printf("memory %s, priority %s; %d evaluations of the equations of motion in a step\n",
           stays ? "stays" : "may be paged", first ? "real-time" : "as usual",
           fa_stepper_evaluations(arm));
    memset(&computing, 0, sizeof computing);
    memset(&waking, 0, sizeof waking);
    const long before = page_faults();
    const bool fine = loop(arm, n, &computing, &waking);
    const long faults = page_faults() - before;
    report("computing", &computing);
    report("waking up", &waking);
    printf("%ld periods, %ld page faults\n", computing.n, faults);
    fa_stepper_free(arm);
    fa_robot_free(robot);
    return fine ? 0 : 1;
}
