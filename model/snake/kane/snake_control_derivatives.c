// With A = G G^T, D = sqrt(det A / det M) = sigma1 sigma2 and t = tr(M^-1 A) = sigma1^2 + sigma2^2,
// the ratio rho obeys D / t = rho / (1 + rho^2). det A is the square of one row of G times that of
// the orthogonal remainder of the other, which avoids cancellation.
#include "snake_control_derivatives.h"

#include <math.h>

static const double KINK = 1e-12;

// The rows of G: index of the longer one, and the other one's projection on it.
typedef struct rows {
    int    lead, other;
    double lead2, along, rest2;
} rows;

static double leverage(const fa_snake_motion motion[], int k, int i)
{
    return motion[k + 1].w_u[i] - motion[k].w_u[i];
}

static rows rows_of(const fa_snake *snake, const fa_snake_motion motion[])
{
    double A[2][2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < snake->n - 1; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) A[i][j] += leverage(motion, k, i) * leverage(motion, k, j);
    rows of;
    of.lead = A[1][1] > A[0][0];
    of.other = 1 - of.lead;
    of.lead2 = A[of.lead][of.lead];
    of.along = of.lead2 > 0 ? A[0][1] / of.lead2 : 0;
    of.rest2 = 0;
    for (int k = 0; k < snake->n - 1; k++) {
        const double rest = leverage(motion, k, of.other) - of.along * leverage(motion, k, of.lead);
        of.rest2 += rest * rest;
    }
    return of;
}

// Intermediate values of rho = rho(D / t).
typedef struct measure {
    rows   of;
    double Mi[2][2]; // M^-1
    double B[2][2];  // M^-1 A M^-1
    double D, t, by_D, by_t;
    bool   kink;
} measure;

static measure measure_of(const fa_snake *snake, const fa_snake_motion motion[],
                          const fa_snake_equations *equations)
{
    const double(*M)[2] = equations->M;
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    measure      m = {.of = rows_of(snake, motion)};
    m.Mi[0][0] = M[1][1] / det;
    m.Mi[1][1] = M[0][0] / det;
    m.Mi[0][1] = m.Mi[1][0] = -M[0][1] / det;
    for (int k = 0; k < snake->n - 1; k++) {
        double z[2]; // M^-1 times a column of G
        for (int i = 0; i < 2; i++)
            z[i] = m.Mi[i][0] * leverage(motion, k, 0) + m.Mi[i][1] * leverage(motion, k, 1);
        for (int i = 0; i < 2; i++) {
            m.t += z[i] * leverage(motion, k, i);
            for (int j = 0; j < 2; j++) m.B[i][j] += z[i] * z[j];
        }
    }
    m.D = sqrt(m.of.lead2 * m.of.rest2 / det);
    const double q = m.D / m.t;
    const double rho = 2 * q / (1 + sqrt(fmax(0, 1 - 4 * q * q)));
    m.kink = !(rho > KINK && 1 - rho > KINK);
    if (m.kink) return m;
    const double by_q = (1 + rho * rho) * (1 + rho * rho) / (1 - rho * rho);
    m.by_D = by_q / m.t;
    m.by_t = -by_q * m.D / (m.t * m.t);
    return m;
}

double fa_snake_control_tangent(const fa_snake *snake, const fa_snake_motion motion[],
                                const fa_snake_equations *equations,
                                const fa_snake_motion     tangent[],
                                const fa_snake_equations *equations_tangent)
{
    const measure m = measure_of(snake, motion, equations);
    if (m.kink) return 0;
    double dD = 0, dt = 0;
    for (int k = 0; k < snake->n - 1; k++) {
        const double lead = leverage(motion, k, m.of.lead);
        const double rest = leverage(motion, k, m.of.other) - m.of.along * lead;
        const double dlead = leverage(tangent, k, m.of.lead);
        const double dother = leverage(tangent, k, m.of.other);
        dD += m.D * (lead * dlead / m.of.lead2 + rest * (dother - m.of.along * dlead) / m.of.rest2);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                dt += 2 * m.Mi[i][j] * leverage(motion, k, i) * leverage(tangent, k, j);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            dD -= m.D / 2 * m.Mi[i][j] * equations_tangent->M[i][j];
            dt -= m.B[i][j] * equations_tangent->M[i][j];
        }
    return m.by_D * dD + m.by_t * dt;
}

void fa_snake_control_adjoint(const fa_snake *snake, const fa_snake_motion motion[],
                              const fa_snake_equations *equations, double wanted,
                              fa_snake_motion adjoint[], fa_snake_equations *equations_adjoint)
{
    const measure m = measure_of(snake, motion, equations);
    if (m.kink) return;
    const double by_D = wanted * m.by_D, by_t = wanted * m.by_t;
    for (int k = 0; k < snake->n - 1; k++) {
        const double lead = leverage(motion, k, m.of.lead);
        const double rest = leverage(motion, k, m.of.other) - m.of.along * lead;
        double       by_G[2];
        by_G[m.of.lead] = by_D * m.D * (lead / m.of.lead2 - m.of.along * rest / m.of.rest2);
        by_G[m.of.other] = by_D * m.D * rest / m.of.rest2;
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 2; i++) by_G[j] += by_t * 2 * m.Mi[i][j] * leverage(motion, k, i);
            adjoint[k + 1].w_u[j] += by_G[j];
            adjoint[k].w_u[j] -= by_G[j];
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            equations_adjoint->M[i][j] -= by_D * m.D / 2 * m.Mi[i][j] + by_t * m.B[i][j];
}

void fa_snake_gram_solve(const fa_snake *snake, const fa_snake_motion motion[],
                         const double right[2], double x[2])
{
    const rows of = rows_of(snake, motion);
    x[of.other] = (right[of.other] - of.along * right[of.lead]) / of.rest2;
    x[of.lead] = right[of.lead] / of.lead2 - of.along * x[of.other];
}
