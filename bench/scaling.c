// Cost of each method on general arms of 2 to 100 joints, as CSV on standard output: operations,
// time, and instructions of the shorter calls.
//
//   scaling [METHOD]... > results.csv         all methods by default
//
// Arms of n joints are those of general_arm.h, with rotors, which keep long arms well conditioned.
// Operations are counted up to twelve joints; beyond, their exact formulas give them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "fast.h"
#include "general_arm.h"
#include "measure.h"
#include "polynomial.h"

enum { MAX = 100 };

static const int    sizes[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                               18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 90, 100};
static const double PATIENCE = 0.02; // duration of a timed loop [s]
static const double STEPS = 2e4;     // limit of instructions counted by single steps

static double state_q[MAX], state_qd[MAX], state_x[MAX], answer[MAX * MAX];

typedef struct job {
    fa_question question;
    fa_chain    chain;
    fa_ready    ready;
    fa_status   status;
} job;

static void ask(void *context, long turn)
{
    (void)turn;
    job             *j = context;
    const fa_method *m = j->ready.method;
    void            *work = j->ready.work;
    if (j->question == FA_FORWARD)
        j->status = fa_ready_forward(&j->ready, state_q, state_qd, state_x, NULL, answer);
    else if (j->question == FA_INVERSE)
        j->status = m->inverse(&j->chain, state_q, state_qd, state_x, NULL, answer, work);
    else
        j->status = m->mass_matrix(&j->chain, state_q, answer, work);
}

static bool answers(const fa_method *m, fa_question question)
{
    return question == FA_FORWARD   ? fa_method_has_forward(m)
           : question == FA_INVERSE ? m->inverse != NULL
                                    : m->mass_matrix != NULL;
}

// Finds the formulas of a method's counts: products and sums online, products and sums executed.
// False if it cannot be counted.
static bool find_formulas(const fa_method *m, fa_question question, polynomial formula[4])
{
    fa_body body[POLYNOMIAL_POINTS];
    long    count[4][POLYNOMIAL_POINTS + 1];
    for (int n = 1; n <= POLYNOMIAL_POINTS; n++) {
        const fa_chain chain = general_arm(n, body);
        fa_operations  executed, online;
        for (int i = 0; i < n; i++) body[i].rotor = 0.5;
        if (fa_count(m->name, question, &chain, &executed, &online) != FA_OK) return false;
        count[0][n] = fa_products(online);
        count[1][n] = online.additions;
        count[2][n] = fa_products(executed);
        count[3][n] = executed.additions;
    }
    for (int k = 0; k < 4; k++)
        if (!polynomial_fit(count[k], &formula[k])) {
            fprintf(stderr, "scaling: the counts of %s follow no formula\n", m->name);
            exit(1);
        }
    return true;
}

static void measure(const fa_method *m, fa_question question, const char *call_name,
                    fa_counter counter)
{
    polynomial formula[4];
    fa_body    body[MAX];
    const bool counted = find_formulas(m, question, formula);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (strcmp(m->name, "fast-composite") == 0 && sizes[i] > FA_FAST_COMPOSITE_MAX)
            break; // longer arms use the readable method
        job j = {.question = question, .chain = general_arm(sizes[i], body)};
        for (int k = 0; k < sizes[i]; k++) body[k].rotor = 0.5;
        void *work = malloc(m->work_size(&j.chain));
        if (!work) exit(1);
        j.ready = fa_method_ready(m, &j.chain, work);
        const fa_measured call = {ask, &j};
        double            seconds = fa_measure_seconds(&call, PATIENCE);
        if (seconds > PATIENCE / 8) // too few repetitions: the minimum is not reliable
            seconds = fmin(seconds, fa_measure_seconds(&call, fmin(8 * seconds, 1)));
        if (j.status != FA_OK) exit(1);
        printf("%s,%s,%d", call_name, m->name, sizes[i]);
        for (int k = 0; k < 4; k++) {
            putchar(',');
            if (counted) printf("%.0f", polynomial_at(&formula[k], sizes[i]));
        }
        printf(",%.0f,", 1e9 * seconds);
        // At least an instruction per nanosecond.
        const double instructions =
            1e9 * seconds < 2 * STEPS ? fa_measure_instructions(counter, &call, STEPS) : NAN;
        if (!isnan(instructions)) printf("%.0f", instructions);
        putchar('\n');
        fflush(stdout);
        free(j.ready.work);
    }
}

static bool wanted(int argc, char *argv[], const char *method)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], method) == 0) return true;
    return argc < 2;
}

int main(int argc, char *argv[])
{
    const struct {
        fa_question question;
        const char *name;
    } calls[] = {{FA_INVERSE, "inverse"}, {FA_MATRIX, "matrix"}, {FA_FORWARD, "forward"}};
    const fa_counter counter = fa_counter_find();
    for (int i = 0; i < MAX; i++) {
        state_q[i] = 0.3 + 0.1 * i;
        state_qd[i] = 0.7 - 0.01 * i;
        state_x[i] = 1.1 + 0.02 * i;
    }
    printf("call,method,n,products,sums,executed_products,executed_sums,nanoseconds,"
           "instructions\n");
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < fa_method_count; m++)
            if (answers(fa_methods[m], calls[k].question) &&
                wanted(argc, argv, fa_methods[m]->name))
                measure(fa_methods[m], calls[k].question, calls[k].name, counter);
    return 0;
}
