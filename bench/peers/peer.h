// Common parts of the comparison's programs, in C and C++: the robot with its states and answers
// from `robots`, and the measurements.
//
// - Throughput: calls one after the other on different states; the lowest time of many rounds.
// - Latency: the same where each call's positions depend on the result before, as in an integrator.
// - Instructions: counted by single steps under ptrace, so for any instruction set.
// - Error: the largest difference from the 128-bit answer, relative to its largest element.
#ifndef PEER_H
#define PEER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct peer_body {
    int    prismatic;
    double rotation[9]; // columns: the body's axes at q = 0 in its parent's
    double place[3];    // its origin in the parent
    double axis[3];     // in its own axes
    double mass, com[3];
    double inertia[6]; // about the centre of mass: xx xy xz yy yz zz
} peer_body;

typedef struct peer_robot {
    char       name[64];
    int        n, n_states;
    double     gravity[3];
    peer_body *body;
    double    *q, *qd, *tau, *qdd; // n_states vectors of length n each; qdd is the reference
} peer_robot;

static inline void peer_numbers(FILE *file, double *to, int n)
{
    for (int i = 0; i < n; i++)
        if (fscanf(file, "%lf", &to[i]) != 1) {
            fprintf(stderr, "a robot file ends too early\n");
            exit(1);
        }
}

static inline peer_robot peer_read(const char *path)
{
    peer_robot r;
    FILE      *file = fopen(path, "r");
    if (!file || fscanf(file, "%63s %d %d", r.name, &r.n, &r.n_states) != 3) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    peer_numbers(file, r.gravity, 3);
    r.body = (peer_body *)calloc((size_t)r.n, sizeof *r.body);
    for (int i = 0; i < r.n; i++) {
        peer_body *b = &r.body[i];
        if (fscanf(file, "%d", &b->prismatic) != 1) exit(1);
        peer_numbers(file, b->rotation, 9);
        peer_numbers(file, b->place, 3);
        peer_numbers(file, b->axis, 3);
        peer_numbers(file, &b->mass, 1);
        peer_numbers(file, b->com, 3);
        peer_numbers(file, b->inertia, 6);
    }
    const size_t size = (size_t)r.n * (size_t)r.n_states;
    double     **table[4] = {&r.q, &r.qd, &r.tau, &r.qdd};
    for (int k = 0; k < 4; k++) {
        *table[k] = (double *)calloc(size, sizeof(double));
        peer_numbers(file, *table[k], (int)size);
    }
    fclose(file);
    return r;
}

static inline double peer_now(void) // [ns]
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Callback of a peer: computes qdd from a state.
typedef void peer_call(void *self, const double *q, const double *qd, const double *tau,
                       double *qdd);

#define PEER_BUDGET 2e8 // time of a measurement [ns]

static inline double peer_throughput(peer_call *call, void *self, const peer_robot *r, double *out)
{
    double       best = INFINITY;
    const size_t n = (size_t)r->n;
    for (const double begin = peer_now(); peer_now() - begin < PEER_BUDGET;) {
        const double start = peer_now();
        for (size_t k = 0; k < (size_t)r->n_states; k++)
            call(self, r->q + k * n, r->qd + k * n, r->tau + k * n, out);
        best = fmin(best, (peer_now() - start) / r->n_states);
    }
    return best;
}

static inline double peer_latency(peer_call *call, void *self, const peer_robot *r, double *out)
{
    double       best = INFINITY;
    const size_t n = (size_t)r->n;
    double      *q = (double *)calloc(n + 8, sizeof(double));
    memset(out, 0, n * sizeof(double));
    for (const double begin = peer_now(); peer_now() - begin < PEER_BUDGET;) {
        const double start = peer_now();
        for (size_t k = 0; k < (size_t)r->n_states; k++) {
            for (size_t i = 0; i < n; i++) q[i] = r->q[k * n + i] + 1e-40 * out[i];
            call(self, q, r->qd + k * n, r->tau + k * n, out);
        }
        best = fmin(best, (peer_now() - start) / r->n_states);
    }
    free(q);
    return best;
}

static inline double peer_steps(peer_call *call, void *self, const peer_robot *r, double *out,
                                int calls)
{
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        for (int k = 0; k < calls; k++) call(self, r->q, r->qd, r->tau, out);
        raise(SIGSTOP);
        _exit(0);
    }
    int    status = 0;
    double steps = 0;
    waitpid(child, &status, 0);
    while (ptrace(PTRACE_SINGLESTEP, child, 0, 0) == 0 && waitpid(child, &status, 0) == child &&
           WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP)
        steps++;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

static inline double peer_instructions(peer_call *call, void *self, const peer_robot *r,
                                       double *out)
{
    for (int k = 0; k < 3; k++) call(self, r->q, r->qd, r->tau, out);
    return peer_steps(call, self, r, out, 2) - peer_steps(call, self, r, out, 1);
}

// Returns the larger number, NaN if either is NaN: a missing answer counts as an error.
static inline double peer_larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

static inline double peer_error(peer_call *call, void *self, const peer_robot *r, double *out)
{
    double       worst = 0;
    const size_t n = (size_t)r->n;
    for (size_t k = 0; k < (size_t)r->n_states; k++) {
        const double *want = r->qdd + k * n;
        double        scale = 0, off = 0;
        call(self, r->q + k * n, r->qd + k * n, r->tau + k * n, out);
        for (size_t i = 0; i < n; i++) {
            scale = fmax(scale, fabs(want[i]));
            off = peer_larger(off, fabs(out[i] - want[i]));
        }
        worst = peer_larger(worst, off / scale);
    }
    return worst;
}

// Prints one line of the table: robot, joints, peer, throughput [ns], latency [ns], instructions,
// error. A call evaluates `batch` states; the figures are per state, and latency is between
// batches.
static inline void peer_report_batch(const char *who, peer_call *call, void *self,
                                     const peer_robot *one, int batch)
{
    peer_robot many = *one, *r = &many;
    many.n = one->n * batch; // a round has as many calls as there are states, so states repeat
    double     **table[4] = {&many.q, &many.qd, &many.tau, &many.qdd};
    const size_t size = (size_t)one->n * (size_t)one->n_states;
    for (int k = 0; k < 4; k++) {
        const double *from = *table[k];
        *table[k] = (double *)calloc(size * (size_t)batch, sizeof(double));
        for (size_t i = 0; i < size * (size_t)batch; i++) (*table[k])[i] = from[i % size];
    }
    double      *out = (double *)calloc((size_t)r->n + 8, sizeof(double));
    const double error = peer_error(call, self, r, out);
    const double throughput = peer_throughput(call, self, r, out);
    const double latency = peer_latency(call, self, r, out);
    // single steps of a longer call would take minutes
    const double instructions = throughput > 5e4 ? NAN : peer_instructions(call, self, r, out);
    printf("%s,%d,%s,%.1f,%.1f,%.0f,%.1e\n", r->name, one->n, who, throughput / batch,
           latency / batch, instructions / batch, error);
    fflush(stdout);
    free(out);
    for (int k = 0; k < 4; k++) free(*table[k]);
}

static inline void peer_report(const char *who, peer_call *call, void *self, const peer_robot *r)
{
    peer_report_batch(who, call, self, r, 1);
}

#endif
