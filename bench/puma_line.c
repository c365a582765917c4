// The PUMA 560 along a straight line: section 5.2, Tables 6 and 7, of Mata and others (2002).
// Inverse kinematics computes the joints' motion, and inverse dynamics its torques. Forward
// dynamics under these torques, integrated from the exact start, should return the motion. It
// drifts, because the torques have no feedback; the tables show how far.
//
//   puma_line ROBOT.xml [--markdown]      resources/robots/puma560akb.xml; times without --markdown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dynamics.h"
#include "integrate.h"
#include "line.h"

enum { N = LINE_JOINTS, SAMPLES = 50 };

// The paper's error of one step, and interval between samples [s].
static const double TOLERANCE = 1e-6;
static const double INTERVAL = 0.1;

typedef struct experiment {
    const straight_line *line;
    const fa_method     *forward, *inverse;
    double               q[N]; // coordinates of the last point, the initial guess of the next
    void                *work;
    long                 evaluations;
} experiment;

static fa_status accelerate(void *context, double t, const double x[], double dx[], fa_error *error)
{
    (void)error;
    experiment *e = context;
    double      qd[N], qdd[N], tau[N];
    e->evaluations++;
    if (line_motion(e->line, t, e->q, qd, qdd) != FA_OK) return FA_SINGULAR;
    const fa_status status = e->inverse->inverse(e->line->chain, e->q, qd, qdd, NULL, tau, e->work);
    if (status != FA_OK) return status;
    memcpy(dx, x + N, N * sizeof *dx);
    return e->forward->forward(e->line->chain, x, x + N, tau, NULL, dx + N, e->work);
}

typedef struct result {
    double q[N], qd[N], qdd[N]; // mean deviations from the line's motion
    long   evaluations;
    double seconds;
} result;

// Integrates from a start that is off by `offset` in every coordinate.
static result run(const straight_line *line, const fa_method *method, double tolerance,
                  double offset, void *work)
{
    static const double nominal[2 * N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    experiment          e = {.line = line, .forward = method, .inverse = method, .work = work};
    if (!method->inverse) e.inverse = fa_method_find("newton-euler");
    const fa_problem problem = {.n = 2 * N, .rhs = accelerate, .context = &e, .nominal = nominal};
    const fa_solver  solver = {FA_SOLVER_DORMAND_PRINCE, 0, tolerance};
    double          *integrator = malloc(fa_integrate_work(2 * N, NULL) * sizeof *integrator);
    double           x[2 * N], q[N], qd[N], qdd[N], dx[2 * N], t = 0;
    result           r = {.evaluations = 0};
    if (!integrator) exit(1);

    memcpy(e.q, line_start, sizeof e.q);
    line_motion(line, 0, e.q, x + N, qdd);
    for (int i = 0; i < N; i++) x[i] = e.q[i] + offset;
    const clock_t start = clock();
    for (int sample = 1; sample <= SAMPLES; sample++) {
        const double until = sample * INTERVAL;
        fa_pace      pace = {0}; // integrates each interval on its own, as the paper's program does
        fa_error     error = fa_no_error();
        if (fa_integrate(&problem, &solver, &t, until, x, &pace, integrator, &error) != FA_OK) {
            fprintf(stderr, "%s stopped at %.3f s\n", method->name, t);
            exit(1);
        }
        const long spent = e.evaluations;
        accelerate(&e, until, x, dx, NULL);
        e.evaluations = spent; // without the evaluation for the table
        memcpy(q, e.q, sizeof q);
        line_motion(line, until, q, qd, qdd);
        for (int i = 0; i < N; i++) {
            r.q[i] += fabs(x[i] - q[i]) / SAMPLES;
            r.qd[i] += fabs(x[N + i] - qd[i]) / SAMPLES;
            r.qdd[i] += fabs(dx[N + i] - qdd[i]) / SAMPLES;
        }
    }
    r.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    r.evaluations = e.evaluations;
    free(integrator);
    return r;
}

static void print(const char *name, result r, bool markdown)
{
    if (markdown) {
        printf("| %s |", name);
        for (int i = 0; i < N; i++) printf(" %.2e |", r.q[i]);
        printf(" %ld |\n", r.evaluations);
        return;
    }
    printf("%s: %ld evaluations, %.4f s\n", name, r.evaluations, r.seconds);
    for (int i = 0; i < N; i++)
        printf("    joint %d: %.8e rad  %.8e rad/s  %.8e rad/s^2\n", i + 1, r.q[i], r.qd[i],
               r.qdd[i]);
}

// Prints Table 6 of the paper beside one method's numbers.
static void print_beside_table_6(result r)
{
    static const double printed[N][3] = {{6.91878269e-4, 1.28209533e-3, 2.84439095e-3},
                                         {1.73972101e-2, 1.66087380e-3, 9.22318761e-2},
                                         {8.54693990e-4, 1.66087459e-3, 3.13261587e-3},
                                         {1.73972067e-2, 4.05637323e-2, 9.22318581e-2},
                                         {1.78259578e-2, 4.17630699e-2, 9.54221869e-3},
                                         {6.91878269e-4, 1.21908065e-3, 2.43724278e-3}};
    printf("\n| joint | rad | printed | rad/s | printed | rad/s² | printed |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < N; i++) {
        const double ours[3] = {r.q[i], r.qd[i], r.qdd[i]};
        printf("| %d |", i + 1);
        for (int k = 0; k < 3; k++) printf(" %.2e | %.2e |", ours[k], printed[i][k]);
        putchar('\n');
    }
}

int main(int argc, char *argv[])
{
    const bool markdown = argc > 2 && strcmp(argv[2], "--markdown") == 0;
    if (argc < 2) {
        fprintf(stderr, "puma_line ROBOT.xml [--markdown]\n");
        return 2;
    }
    fa_body             body[N];
    fa_chain            chain;
    const straight_line along = line_of_puma(argv[1], &chain, body);
    void               *work = malloc(fa_methods_work_size(&chain));
    if (!work) return 1;
    if (markdown)
        printf("| method | joint 1 | 2 | 3 | 4 | 5 | 6 | evaluations |\n"
               "|---|---|---|---|---|---|---|---|\n");
    result gibbs_appell = {.evaluations = 0};
    for (int m = 0; m < fa_method_count; m++) {
        // Excludes methods of FMUs: their arithmetic depends on the processor.
        if (!fa_methods[m]->forward || !fa_method_fits(fa_methods[m], &chain)) continue;
        const result r = run(&along, fa_methods[m], TOLERANCE, 0, work);
        print(fa_methods[m]->name, r, markdown);
        if (strcmp(fa_methods[m]->name, "gibbs-appell") == 0) gibbs_appell = r;
    }

    // Separates the method's error from the arm's instability: a start that is a nanoradian off,
    // with almost no integration error.
    const fa_method *method = fa_method_find("articulated-body");
    print(markdown ? "start off by 1e-9 rad"
                   : "articulated-body, start off by 1e-9 rad, tolerance 1e-12",
          run(&along, method, 1e-12, 1e-9, work), markdown);
    if (markdown) print_beside_table_6(gibbs_appell);
    free(work);
    return 0;
}
