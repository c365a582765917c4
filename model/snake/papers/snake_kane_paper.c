// Kane's equations for the wheeled snake as they are printed: with the matrix N and all of the
// derivatives in it, O(n^2).
//
// H. Tavakoli Nia, H. N. Pishkenari, A. Meghdari, "A recursive approach for the analysis of snake
// robots using Kane's equations", Robotica (2005), section III.
//
//     paper                     here (arrays from 0)
//     V_i, omega_i              V[i], w[i]
//     dV_i/du_j, domega_i/du_j  V_u[2 i + j], w_u[2 i + j]
//     dV_i/dq_j, domega_i/dq_j  V_q[i], w_q[i]: of one j at a time
//     C_i, S_i, h_i, h_{i+1}    C[i], S[i], b of link i, a of link i + 1
//     M, N, F                   M, N[2 j + i], F
//
// Departures from the print:
//   - (10) holds for 1 <= i <= 2, 1 <= j <= n: N has two rows. Printed: 1 <= i, j <= n.
//   - (12) leaves out dV_1/du_2 = 0 and domega_1/du_1 = 0.
//   - (19), (20) have d/dq_j on their left sides. Printed: d/dq_i.
//   - (21) holds for the first link: dV_1/dq_1 = domega_1/dq_1 = 0. Printed with index i, where it
//     contradicts (15), (16): dV_j/dq_j is not zero for j > 1.
//   - Wheel and centre of mass may be anywhere on the link. A centre of mass off the wheel moves
//     along e with V - d omega instead of V, and adds terms in c omega to the bias that are no
//     derivatives of speeds; joints may have rotor inertia.
//   - The linear equations (8) are solved with one elimination step.
#include "snake_kane.h"
#include "snake_methods.h"

#include <math.h>

// Arrays of the method, laid out in the work memory.
typedef struct layout {
    double          *C, *S, *V, *w; // n each
    double          *V_u, *w_u;     // 2 n each
    double          *V_q, *w_q;     // n each, of the present j
    double          *N;             // 2 n
    double          *sigma, *tau;   // n each: sums of V_q, w_q times omega_j
    fa_snake_motion *motion;        // n, for the forces on the wheels
} layout;

enum { DOUBLES_PER_LINK = 4 + 4 + 2 + 2 + 2 };

size_t fa_snake_kane_paper_work_size(int n_links)
{
    return (size_t)n_links * (DOUBLES_PER_LINK * sizeof(double) + sizeof(fa_snake_motion));
}

static layout lay_out(int n, void *work)
{
    layout at;
    at.C = (double *)work;
    at.S = at.C + n;
    at.V = at.S + n;
    at.w = at.V + n;
    at.V_u = at.w + n;
    at.w_u = at.V_u + 2 * n;
    at.V_q = at.w_u + 2 * n;
    at.w_q = at.V_q + n;
    at.N = at.w_q + n;
    at.sigma = at.N + 2 * n;
    at.tau = at.sigma + n;
    at.motion = (fa_snake_motion *)(void *)(at.tau + n);
    return at;
}

// Speeds (6), (7) and their derivatives by u (12)-(14).
static void speeds(const fa_snake *snake, const double theta[], const double u[2], layout at)
{
    at.V[0] = u[0];            // (2a)
    at.w[0] = u[1];            // (2b)
    at.V_u[0] = at.w_u[1] = 1; // (12)
    at.V_u[1] = at.w_u[0] = 0;
    for (int i = 0; i < snake->n - 1; i++) {
        const double b = snake->link[i].b, a = snake->link[i + 1].a;
        const double C = at.C[i] = cos(theta[i + 1] - theta[i]);
        const double S = at.S[i] = sin(theta[i + 1] - theta[i]);
        at.V[i + 1] = at.V[i] * C + at.w[i] * S * b;       // (6)
        at.w[i + 1] = (at.V[i] * S - at.w[i] * C * b) / a; // (7)
        for (int j = 0; j < 2; j++) {
            const double V_u = at.V_u[2 * i + j], w_u = at.w_u[2 * i + j];
            at.V_u[2 * i + 2 + j] = V_u * C + w_u * S * b;       // (13)
            at.w_u[2 * i + 2 + j] = (V_u * S - w_u * C * b) / a; // (14)
        }
    }
}

// Derivatives of all speeds by q_j, zero below link j.
static void derivatives(const fa_snake *snake, int j, layout at)
{
    for (int i = 0; i <= j; i++) at.V_q[i] = at.w_q[i] = 0; // (21) when j is the first link
    if (j > 0) {
        const int    i = j - 1;
        const double b = snake->link[i].b, a = snake->link[j].a;
        at.V_q[j] = -at.V[i] * at.S[i] + at.w[i] * at.C[i] * b;      // (15)
        at.w_q[j] = (at.V[i] * at.C[i] + at.w[i] * at.S[i] * b) / a; // (16)
    }
    for (int i = j; i < snake->n - 1; i++) {
        const double b = snake->link[i].b, a = snake->link[i + 1].a;
        const double C = at.C[i], S = at.S[i];
        double       along = at.V_q[i] * C + at.w_q[i] * S * b;  // (19)
        double       across = at.V_q[i] * S - at.w_q[i] * C * b; // (20)
        if (i == j) {
            along += at.V[i] * S - at.w[i] * C * b;  // (17)
            across -= at.V[i] * C + at.w[i] * S * b; // (18)
        }
        at.V_q[i + 1] = along;
        at.w_q[i + 1] = across / a;
    }
}

// N of (10), column by column, and on the way the accelerations at fixed u.
static void bias_matrix(const fa_snake *snake, layout at)
{
    const int n = snake->n;
    for (int k = 0; k < n; k++) at.sigma[k] = at.tau[k] = 0;
    for (int j = 0; j < n; j++) {
        derivatives(snake, j, at);
        for (int i = 0; i < 2; i++) at.N[2 * j + i] = 0;
        for (int k = j; k < n; k++) {
            const fa_snake_link *link = &snake->link[k];
            const double         push = link->m * (at.V_q[k] - link->d * at.w_q[k]);
            const double         spin = (link->I + link->m * link->c * link->c) * at.w_q[k];
            for (int i = 0; i < 2; i++)
                at.N[2 * j + i] += push * (at.V_u[2 * k + i] - link->d * at.w_u[2 * k + i]) +
                                   spin * at.w_u[2 * k + i]; // (10)
            at.sigma[k] += at.V_q[k] * at.w[j];
            at.tau[k] += at.w_q[k] * at.w[j];
        }
    }
}

// M (9), N omega and F (11), and the terms of rotors and of centres of mass off the wheel.
static fa_snake_equations assemble(const fa_snake *snake, const fa_snake_forces *forces, layout at)
{
    fa_snake_equations equations = {{{0, 0}, {0, 0}}, {0, 0}, {0, 0}};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < snake->n; k++) {
            const fa_snake_link *link = &snake->link[k];
            const double         m = link->m, c = link->c, d = link->d;
            const double         V_i = at.V_u[2 * k + i], w_i = at.w_u[2 * k + i];
            for (int j = 0; j < 2; j++) {
                const double V_j = at.V_u[2 * k + j], w_j = at.w_u[2 * k + j];
                equations.M[i][j] += m * (V_i - d * w_i) * (V_j - d * w_j) +
                                     (link->I + m * c * c) * w_i * w_j; // (9)
            }
            equations.bias[i] += at.N[2 * k + i] * at.w[k]; // (8)
            equations.bias[i] += m * c * at.w[k] * (at.V[k] * w_i - at.w[k] * V_i);
            if (forces->rolling) equations.F[i] += forces->rolling[k] * V_i;
        }
        for (int k = 0; k < snake->n - 1; k++) {
            const double G_i = at.w_u[2 * k + 2 + i] - at.w_u[2 * k + i];
            const double J = snake->joint[k].rotor;
            equations.F[i] += forces->torque[k] * G_i; // (11)
            equations.bias[i] += J * G_i * (at.tau[k + 1] - at.tau[k]);
            for (int j = 0; j < 2; j++)
                equations.M[i][j] += J * G_i * (at.w_u[2 * k + 2 + j] - at.w_u[2 * k + j]);
        }
    }
    return equations;
}

fa_status fa_snake_kane_paper(const fa_snake *snake, const double theta[], const double u[2],
                              const fa_snake_forces *forces, double ud[2], double lambda[],
                              void *work)
{
    if (snake->base != 0) return FA_UNFIT;

    const layout at = lay_out(snake->n, work);
    speeds(snake, theta, u, at);
    bias_matrix(snake, at);
    const fa_snake_equations equations = assemble(snake, forces, at);
    const fa_status          status = fa_snake_solve(&equations, ud);
    if (status != FA_OK || !lambda) return status;

    for (int k = 0; k < snake->n; k++) {
        fa_snake_motion *to = &at.motion[k];
        to->C = k < snake->n - 1 ? at.C[k] : 1;
        to->S = k < snake->n - 1 ? at.S[k] : 0;
        to->V = at.V[k];
        to->w = at.w[k];
        to->Vd = at.sigma[k] + at.V_u[2 * k] * ud[0] + at.V_u[2 * k + 1] * ud[1];
        to->wd = at.tau[k] + at.w_u[2 * k] * ud[0] + at.w_u[2 * k + 1] * ud[1];
    }
    double residual[2];
    fa_snake_reactions(snake, theta, at.motion, forces, lambda, NULL, residual);
    return FA_OK;
}
