// What each method costs on general arms of 2 to 100 joints: operations and time, as CSV on
// standard output, and on standard error from how many joints on articulated bodies are the
// cheapest.
//
//     scaling > results.csv
//
// Arms of n joints are those of general_arm.h, with rotors, which keep long arms well conditioned.
// Calls are timed by the millisecond of processor time, twenty times; the fastest counts.
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "counts.h"
#include "general_arm.h"

enum { MAX = 100 };

static const int    sizes[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                               18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 90, 100};
static const double PATIENCE = 2e-3; // seconds that a single call may take before n stops growing

static const double BATCH = 1e-3; // seconds of calls that are timed together

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double state_q[MAX], state_qd[MAX], state_x[MAX], answer[MAX * MAX];

static fa_status ask(const fa_method *m, fa_question question, const fa_chain *chain, void *work)
{
    switch (question) {
    case FA_FORWARD:
        return m->forward(chain, state_q, state_qd, state_x, NULL, answer, work);
    case FA_INVERSE:
        return m->inverse(chain, state_q, state_qd, state_x, NULL, answer, work);
    default:
        return m->mass_matrix(chain, state_q, answer, work);
    }
}

// Seconds of one call; infinite when it fails.
static double time_of(const fa_method *m, fa_question question, const fa_chain *chain)
{
    void  *work = malloc(m->work_size(chain));
    double best = INFINITY;
    if (!work) return INFINITY;
    if (ask(m, question, chain, work) == FA_OK) {
        long   calls = 1;
        double spent = 0;
        for (int batch = 0; batch < 20; batch++) {
            const double start = now();
            for (long i = 0; i < calls; i++) ask(m, question, chain, work);
            spent = now() - start;
            best = fmin(best, spent / (double)calls);
            if (spent < BATCH) { // too short to be measured: more of it
                calls = 1 + (long)(BATCH / best);
                if (batch == 0) best = INFINITY;
            }
        }
    }
    free(work);
    return best;
}

static bool answers(const fa_method *m, fa_question question)
{
    return question == FA_FORWARD   ? m->forward != NULL
           : question == FA_INVERSE ? m->inverse != NULL
                                    : m->mass_matrix != NULL;
}

typedef struct cost {
    int    n;
    long   operations;
    double seconds;
} cost;

enum { SIZES = sizeof sizes / sizeof *sizes };

static int measure(const fa_method *m, fa_question question, const char *call, cost row[SIZES])
{
    static fa_body body[MAX];
    int            rows = 0;
    double         last = 0;
    for (; rows < SIZES && last < PATIENCE; rows++) {
        fa_chain chain = general_arm(sizes[rows], body);
        for (int i = 0; i < chain.n; i++) body[i].rotor = 0.5;
        fa_operations executed, online;
        if (fa_count(m->name, question, &chain, &executed, &online) != FA_OK) return rows;
        last = time_of(m, question, &chain);
        row[rows] = (cost){chain.n, fa_products(online) + online.additions, last};
        printf("%s,%s,%d,%ld,%ld,%ld,%ld,%.0f\n", call, m->name, chain.n, fa_products(online),
               online.additions, fa_products(executed), executed.additions, 1e9 * last);
    }
    return rows;
}

// From which n on row b stays cheaper than row a; 0: not up to the last n that both have.
static int crossover(const cost a[], const cost b[], int rows, bool by_time)
{
    int from = 0;
    for (int i = rows - 1; i >= 0; i--) {
        const bool cheaper =
            by_time ? b[i].seconds < a[i].seconds : b[i].operations < a[i].operations;
        if (!cheaper) break;
        from = b[i].n;
    }
    return from;
}

int main(void)
{
    const struct {
        fa_question question;
        const char *name;
    } calls[] = {{FA_INVERSE, "inverse"}, {FA_MATRIX, "matrix"}, {FA_FORWARD, "forward"}};
    for (int i = 0; i < MAX; i++) {
        state_q[i] = 0.3 + 0.1 * i;
        state_qd[i] = 0.7 - 0.01 * i;
        state_x[i] = 1.1 + 0.02 * i;
    }
    printf("call,method,n,products,sums,executed_products,executed_sums,nanoseconds\n");
    for (int k = 0; k < 3; k++) {
        cost      linear[SIZES], other[SIZES];
        int       linear_rows = 0;
        const int count = fa_method_count;
        for (int m = 0; m < count; m++) { // articulated-body is the first row of the table
            const fa_method *method = &fa_methods[m];
            if (!answers(method, calls[k].question)) continue;
            const bool first = linear_rows == 0;
            const int  rows =
                measure(method, calls[k].question, calls[k].name, first ? linear : other);
            if (first) linear_rows = rows;
            if (first || calls[k].question != FA_FORWARD || rows == 0) continue;
            const int operations = crossover(other, linear, rows, false);
            const int seconds = crossover(other, linear, rows, true);
            fprintf(stderr, "%-20s is dearer than %s from %d joints on in operations, %d in time\n",
                    method->name, fa_methods[0].name, operations, seconds);
        }
    }
    return 0;
}
