// Forward dynamics of Ascher's two bodies in single precision against double precision, for every
// method: Table 5 and Figure 2 of Mata and others (2002).
//
//     single_precision [--markdown | --csv]      --csv: accelerations pose by pose
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ascher.h"
#include "single_precision.h"

// Computes accelerations in single precision: by the method's own forward dynamics, or as in the
// paper, by its matrix and bias (newton-euler's, where it has no inverse dynamics) and
// Gauss-Jordan.
static bool single(const fa_method *method, bool gauss_jordan, const fa_chain *chain,
                   const double q[], double qdd[])
{
    const double zero[2] = {0, 0};
    if (!gauss_jordan)
        return fa_single(method->name, FA_FORWARD, chain, q, zero, zero, qdd) == FA_OK;
    const char *bias = method->inverse ? method->name : "newton-euler";
    double      M[4], b[2];
    if (fa_single(method->name, FA_MATRIX, chain, q, NULL, NULL, M) != FA_OK) return false;
    if (fa_single(bias, FA_BIAS, chain, q, zero, NULL, b) != FA_OK) return false;
    for (int i = 0; i < 2; i++) b[i] = -b[i];
    return fa_single_gauss_jordan(2, M, b, qdd) == FA_OK;
}

static void reference(const fa_chain *chain, const double q[], double qdd[])
{
    static double    work[256];
    const double     zero[2] = {0, 0};
    const fa_method *method = fa_method_find("articulated-body");
    if (method->work_size(chain) > sizeof work) exit(1);
    method->forward(chain, q, zero, zero, NULL, qdd, work);
}

static void print_row(const fa_method *method, bool gauss_jordan, const fa_chain *chain,
                      bool markdown)
{
    double max[2] = {0, 0}, mean[2] = {0, 0}, sum[2] = {0, 0};
    for (int k = 0; k < ASCHER_POSES; k++) {
        const double q[2] = {0, ascher_angle(k)};
        double       exact[2], got[2];
        reference(chain, q, exact);
        if (!single(method, gauss_jordan, chain, q, got)) return;
        for (int i = 0; i < 2; i++) {
            max[i] = fmax(max[i], fabs(exact[i] - got[i]));
            mean[i] += fabs(exact[i] - got[i]) / ASCHER_POSES;
            sum[i] += (exact[i] - got[i]) / ASCHER_POSES;
        }
    }
    printf(markdown ? "| `%s` | %s | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n"
                    : "%-20s  %-12s  %8.4f %8.4f %8.4f  %8.4f %8.4f %8.4f\n",
           method->name, gauss_jordan ? "Gauss-Jordan" : "its own", max[0], mean[0], sum[0], max[1],
           mean[1], sum[1]);
}

// Condition number of the inertia matrix: the ratio of its eigenvalues.
static double condition(const fa_chain *chain, const double q[])
{
    static double work[256];
    double        M[4];
    fa_method_find("lagrange")->mass_matrix(chain, q, M, work);
    const double mean = (M[0] + M[3]) / 2;
    const double large = mean + sqrt((M[0] - M[3]) * (M[0] - M[3]) / 4 + M[1] * M[1]);
    // The small eigenvalue is determinant / large.
    return large * large / (M[0] * M[3] - M[1] * M[1]);
}

static void print_curves(const fa_chain *chain)
{
    printf("q2_deg,condition,exact_qdd1,exact_qdd2");
    for (int m = 0; m < fa_method_count; m++)
        if (single(fa_methods[m], false, chain, (const double[]){0, 0}, (double[2]){0}))
            printf(",%s_qdd1,%s_qdd2", fa_methods[m]->name, fa_methods[m]->name);
    printf("\n");
    for (int k = 0; k < ASCHER_POSES; k++) {
        const double q[2] = {0, ascher_angle(k)};
        double       qdd[2];
        reference(chain, q, qdd);
        printf("%d,%.6g,%.9g,%.9g", 2 * k, condition(chain, q), qdd[0], qdd[1]);
        for (int m = 0; m < fa_method_count; m++)
            if (single(fa_methods[m], false, chain, q, qdd)) printf(",%.9g,%.9g", qdd[0], qdd[1]);
        printf("\n");
    }
}

int main(int argc, char *argv[])
{
    const bool     markdown = argc > 1 && strcmp(argv[1], "--markdown") == 0;
    fa_body        body[2];
    const fa_chain chain = ascher_chain(body);
    if (argc > 1 && strcmp(argv[1], "--csv") == 0) {
        print_curves(&chain);
        return 0;
    }
    if (markdown)
        printf("| method | solved by | joint 1: max | mean | signed mean | joint 2: max | mean | "
               "signed mean |\n|---|---|---|---|---|---|---|---|\n");
    for (int solver = 0; solver < 2; solver++)
        for (int m = 0; m < fa_method_count; m++)
            print_row(fa_methods[m], solver == 1, &chain, markdown);
    return 0;
}
