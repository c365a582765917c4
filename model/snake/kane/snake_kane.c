// Kane's equations for the wheeled snake in O(n).
//
// H. Tavakoli Nia, H. N. Pishkenari, A. Meghdari, "A recursive approach for the analysis of snake
// robots using Kane's equations", Robotica (2005), section III.
//
//     paper              here (arrays from 0)
//     V_i, omega_i       motion[i].V, .w
//     dV_i/du_j          motion[i].V_u[j]
//     C_i, S_i           motion[i].C, .S: cosine and sine of phi_i = theta_{i+1} - theta_i
//     h_i behind wheel   a of link i         h_i before the wheel    b of link i
//     M, N omega, F      fa_snake_equations M, bias, F
//     lambda_i           lambda[i]
//
// Departures from the paper:
//   - Only the product N omega is needed, never N. Its sums over j are the accelerations sigma, tau
//     that the links have while u stands still, and these obey a recursion as the speeds do: the
//     O(n^2) derivatives (15) to (21) are not there. (snake_kane_paper.c has them.)
//   - Wheel and centre of mass may be anywhere on the link, and joints may have rotor inertia.
//   - The recursion starts at any link and runs to both ends. With (V, b w) of one link, that of
//     the next is [C S; S -C] of it, a reflection, so that the way back is the same formula; only
//     the division by a (forwards) or b (backwards) can enlarge an error.
#include "snake_kane.h"

#include "sincos.h"
#include "snake_methods.h"

#include <math.h>

// Computes the motion of the link beyond a joint from that of the link on this side. `near` and
// `far` are the distances from the joint to the two wheels: b, a forwards, a, b backwards. C and S
// belong to the joint; `way` is 1 forwards, -1 backwards.
static void cross_joint(double C, double S, double near, double far, double way,
                        const fa_snake_motion *from, fa_snake_motion *to)
{
    const double Cn = C * near, Sn = S * near, per_far = 1 / far;
    const double across = S * from->V - Cn * from->w; // speed of the joint across the far link
    to->V = C * from->V + Sn * from->w;               // (6)
    to->w = across * per_far;                         // (7)
    for (int j = 0; j < 2; j++) {
        to->V_u[j] = C * from->V_u[j] + Sn * from->w_u[j];             // (13)
        to->w_u[j] = (S * from->V_u[j] - Cn * from->w_u[j]) * per_far; // (14)
    }

    // (6), (7) differentiated by time, u fixed; C and S change with the joint's rate.
    const double phid = way * (to->w - from->w);
    to->sigma = C * from->sigma + Sn * from->tau - phid * across;
    to->tau = (S * from->sigma - Cn * from->tau + phid * to->V) * per_far;
}

// Computes C and S of all joints, eight at a time where possible.
static void cosines(int n, const double theta[], fa_snake_motion motion[])
{
    int k = 0;
    for (; k + 8 < n; k += 8) {
        double phi[8], S[8], C[8];
        for (int i = 0; i < 8; i++) phi[i] = theta[k + i + 1] - theta[k + i];
        fa_sincos_eight(phi, S, C);
        for (int i = 0; i < 8; i++) {
            motion[k + i].S = S[i];
            motion[k + i].C = C[i];
        }
    }
    for (; k < n - 1; k++) fa_sincos(theta[k + 1] - theta[k], &motion[k].S, &motion[k].C);
}

void fa_snake_kinematics(const fa_snake *snake, const double theta[], const double u[2],
                         fa_snake_motion motion[])
{
    const fa_snake_link *link = snake->link;
    const int            n = snake->n;
    const int            base = snake->base;

    cosines(n, theta, motion);
    motion[n - 1].C = 1;
    motion[n - 1].S = 0;

    fa_snake_motion *start = &motion[base];
    start->V = u[0];
    start->w = u[1];
    start->V_u[0] = start->w_u[1] = 1; // (12)
    start->V_u[1] = start->w_u[0] = 0;
    start->sigma = start->tau = 0;

    for (int k = base; k < n - 1; k++)
        cross_joint(motion[k].C, motion[k].S, link[k].b, link[k + 1].a, 1, &motion[k],
                    &motion[k + 1]);
    for (int k = base - 1; k >= 0; k--)
        cross_joint(motion[k].C, motion[k].S, link[k + 1].a, link[k].b, -1, &motion[k + 1],
                    &motion[k]);
}

fa_snake_equations fa_snake_project(const fa_snake *snake, const fa_snake_motion motion[],
                                    const fa_snake_forces *forces)
{
    double M00 = 0, M01 = 0, M11 = 0, bias0 = 0, bias1 = 0, F0 = 0, F1 = 0;

    for (int k = 0; k < snake->n; k++) {
        const fa_snake_link   *link = &snake->link[k];
        const fa_snake_motion *at = &motion[k];
        const double           m = link->m, c = link->c, d = link->d;
        const double           V0 = at->V_u[0], V1 = at->V_u[1], w0 = at->w_u[0], w1 = at->w_u[1];

        const double inertia = link->I + m * (c * c + d * d); // about the wheel
        const double p0 = m * V0, p1 = m * V1;
        const double h0 = inertia * w0, h1 = inertia * w1;
        M00 += p0 * V0 + h0 * w0; // (9)
        M01 += p0 * V1 + h0 * w1;
        M11 += p1 * V1 + h1 * w1;
        bias0 += p0 * at->sigma + h0 * at->tau; // (10) times omega
        bias1 += p1 * at->sigma + h1 * at->tau;

        // A centre of mass off the wheel moves along e with V - d w, and along n with c w; the sum
        // of the terms in `turn` does no work.
        if (c != 0 || d != 0) {
            const double md = m * d, turn = m * c * at->w;
            M00 -= 2 * md * V0 * w0;
            M01 -= md * (V0 * w1 + V1 * w0);
            M11 -= 2 * md * V1 * w1;
            bias0 += turn * (at->V * w0 - at->w * V0) - md * (at->sigma * w0 + at->tau * V0);
            bias1 += turn * (at->V * w1 - at->w * V1) - md * (at->sigma * w1 + at->tau * V1);
        }

        if (forces->rolling) {
            F0 += forces->rolling[k] * V0;
            F1 += forces->rolling[k] * V1;
        }
        if (forces->moment) {
            F0 += forces->moment[k] * w0;
            F1 += forces->moment[k] * w1;
        }
    }

    for (int k = 0; k < snake->n - 1; k++) {
        const fa_snake_motion *rear = &motion[k], *front = &motion[k + 1];
        const double           G0 = front->w_u[0] - rear->w_u[0]; // d(dphi/dt)/du
        const double           G1 = front->w_u[1] - rear->w_u[1];
        F0 += forces->torque[k] * G0; // (11)
        F1 += forces->torque[k] * G1;

        const double J = snake->joint[k].rotor;
        if (J == 0) continue;
        const double hum = J * (front->tau - rear->tau);
        M00 += J * G0 * G0;
        M01 += J * G0 * G1;
        M11 += J * G1 * G1;
        bias0 += hum * G0;
        bias1 += hum * G1;
    }

    fa_snake_equations equations = {{{M00, M01}, {M01, M11}}, {bias0, bias1}, {F0, F1}};
    return equations;
}

fa_status fa_snake_solve(const fa_snake_equations *equations, double ud[2])
{
    const double(*M)[2] = equations->M;
    const double r0 = equations->F[0] - equations->bias[0];
    const double r1 = equations->F[1] - equations->bias[1];
    if (!(M[0][0] > 0)) return FA_SINGULAR;
    const double l = M[0][1] / M[0][0];
    const double D = M[1][1] - l * M[0][1];
    if (!(D > 0)) return FA_SINGULAR;
    ud[1] = (r1 - l * r0) / D;
    ud[0] = r0 / M[0][0] - l * ud[1];
    if (!isfinite(ud[0]) || !isfinite(ud[1])) return FA_NOT_FINITE;
    return FA_OK;
}

void fa_snake_accelerate(const fa_snake *snake, const double ud[2], fa_snake_motion motion[])
{
    for (int k = 0; k < snake->n; k++) {
        fa_snake_motion *at = &motion[k];
        at->Vd = at->sigma + at->V_u[0] * ud[0] + at->V_u[1] * ud[1];
        at->wd = at->tau + at->w_u[0] * ud[0] + at->w_u[1] * ud[1];
    }
}

size_t fa_snake_kane_work_size(int n_links)
{
    return (size_t)n_links * sizeof(fa_snake_motion);
}

fa_status fa_snake_kane(const fa_snake *snake, const double theta[], const double u[2],
                        const fa_snake_forces *forces, double ud[2], double lambda[], void *work)
{
    fa_snake_motion *motion = (fa_snake_motion *)work;

    fa_snake_kinematics(snake, theta, u, motion);
    const fa_snake_equations equations = fa_snake_project(snake, motion, forces); // (8)
    const fa_status          status = fa_snake_solve(&equations, ud);
    if (status != FA_OK || !lambda) return status;

    double residual[2];
    fa_snake_accelerate(snake, ud, motion);
    fa_snake_reactions(snake, theta, motion, forces, lambda, NULL, residual);
    return FA_OK;
}
