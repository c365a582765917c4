// The inverse arm and the inertia matrix of
//
//   N. M. Swartz, "Arm Dynamics Simulation", Robotics Institute, Carnegie-Mellon University,
//   23 November 1982,
//
// who follows Luh, Walker and Paul for the first and Walker and Orin for the second. Simulation in
// time is Kutta's step in solve/runge_kutta.c.
//
//     paper                  here
//     A_{i+1}^i              A, coordinates of link i to those of link i+1: kept in link i+1
//     Z_0                    Z0, axis of joint i+1 in the axes of link i: kept in link i+1
//     A_i^{i-1} Z_0          zeta, the same axis in its own link's axes
//     p_i, s_i*              p, s
//     m_i, J_i               m, J (about the centre of mass)
//     omega_i, its deriv.    w, dw
//     v'_i, v'*_i            dv, dvs
//     F_i, N_i, f_i, n_i     F, N, f, n
//     M_j, c_j*, E_j*        M, c, E
//     H                      H
//
// The paper's frames stand where a link ends: axis i+1 passes through O_i. Here O_i is therefore
// the point of link i at which the next joint sits (for the last link, its own joint), p_i runs
// from O_{i-1} to it and s_i* from it to the centre of mass, all in the link's own axes, which may
// be turned as they like. Nothing else in the equations asks for Denavit and Hartenberg's frames.
//
// Departures from the print:
//   * (26) projects n_i on its own joint axis, A_i^{i-1} Z_0 (W1); the same axis in (19), (20) and
//     (23), which the appendix prints otherwise (W2); A E A^T in (18) (W3).
//   * (10), (21) and (23) hold for i = N too (W9). Friction b_i is not the business of a method.
//   * f_{N+1} acts as a force exerted by the hand (W10): loads enter with a minus sign, and on any
//     link. Link velocities (3) are not needed and not computed.
//   * Prismatic joints, which the paper has not: no angular terms in (1), (2); the origin's
//     acceleration gains Z_0 q'' + 2 omega x Z_0 q'; forces take the place of moments in (10), (19)
//     to (23) and (26).
#include "forward_by_matrix.h"
#include "methods.h"

typedef struct link {
    bool    turns;
    fa_mat3 A;
    fa_vec3 Z0, zeta, p, s;
    double  m;
    fa_sym3 J;
    fa_vec3 reach; // from O_{i-1} to the origin of the chain's frame i, for loads
    fa_vec3 w, dw, dv;
    fa_vec3 f, n;
    double  M; // links j through N as one
    fa_vec3 c;
    fa_sym3 E;
} link;

static void place(const fa_chain *chain, const double q[], link k[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const fa_vec3  end = i + 1 < chain->n ? chain->body[i + 1].home.r : vec3(0, 0, 0);
        k[i].turns = fa_joint_turns(body->joint);
        k[i].A = fa_joint_transform(body, q[i]).E;
        k[i].Z0 = mat3_tmul(body->home.E, body->axis);
        k[i].zeta = body->axis;
        k[i].reach = k[i].turns ? vec3(0, 0, 0) : vec3_scale(q[i], body->axis);
        k[i].p = vec3_add(k[i].reach, end);
        k[i].s = vec3_sub(inertia_centre(body->inertia), end);
        k[i].m = body->inertia.mass;
        k[i].J = inertia_about_centre(body->inertia);
    }
}

static void inverse_arm(const fa_chain *chain, const double qd[], const double qdd[],
                        const fa_load *load, double tau[], link k[])
{
    // Base to hand: velocities and accelerations of each link.
    const fa_vec3 zero = {0, 0, 0};
    const int     N = chain->n;
    for (int i = -1; i + 1 < N; i++) { // the paper's i, counted from the base
        const fa_vec3 w = i < 0 ? zero : k[i].w, dw = i < 0 ? zero : k[i].dw;
        const fa_vec3 dv = i < 0 ? vec3_scale(-1, chain->gravity) : k[i].dv;
        link         *next = &k[i + 1];
        const fa_vec3 rate = vec3_scale(qd[i + 1], next->Z0);
        const fa_vec3 kick = vec3_add(vec3_scale(qdd[i + 1], next->Z0),
                                      vec3_scale(next->turns ? 1 : 2, cross(w, rate)));
        next->w = mat3_mul(next->A, next->turns ? vec3_add(w, rate) : w);    // (1)
        next->dw = mat3_mul(next->A, next->turns ? vec3_add(dw, kick) : dw); // (2)
        next->dv =
            vec3_add(vec3_add(cross(next->dw, next->p), cross(next->w, cross(next->w, next->p))),
                     mat3_mul(next->A, next->turns ? dv : vec3_add(dv, kick))); // (4)
    }

    // Hand to base: local forces and moments. fA and nA are those of the next link, in this one.
    fa_vec3 fA = zero, nA = zero;
    for (int i = N - 1; i >= 0; i--) {
        link         *l = &k[i];
        const fa_vec3 w = l->w, dw = l->dw;
        const fa_vec3 dvs = vec3_add(vec3_add(cross(dw, l->s), cross(w, cross(w, l->s))),
                                     l->dv);                                          // (5)
        const fa_vec3 F = vec3_scale(l->m, dvs);                                      // (6)
        const fa_vec3 Nm = vec3_add(sym3_mul(l->J, dw), cross(w, sym3_mul(l->J, w))); // (7)
        l->f = vec3_add(fA, F);                                                       // (8)
        l->n = vec3_add(vec3_add(nA, cross(l->p, fA)),
                        vec3_add(cross(vec3_add(l->p, l->s), F), Nm)); // (9)
        if (load && load->wrench) {
            const fa_wrench *out = &load->wrench[i];
            l->f = vec3_sub(l->f, out->force);
            l->n = vec3_sub(l->n, vec3_add(out->moment, cross(l->reach, out->force)));
        }
        tau[i] = dot(l->turns ? l->n : l->f, l->zeta) + chain->body[i].rotor * qdd[i]; // (10)
        fA = mat3_tmul(l->A, l->f);
        nA = mat3_tmul(l->A, l->n);
    }
}

// The inertia of a point mass m at d: m (|d|^2 1 - d d^T).
static fa_sym3 point(double m, fa_vec3 d)
{
    return sym3_scale(m, sym3_point(d, d));
}

// (16) to (18): M, c and E of links j through N, about their common centre of mass.
static void composite(int N, link k[])
{
    for (int j = N - 1; j >= 0; j--) {
        k[j].M = k[j].m;
        k[j].c = k[j].s;
        k[j].E = k[j].J;
        if (j == N - 1) continue;
        const link   *next = &k[j + 1];
        const fa_mat3 A = mat3_transpose(next->A);
        const fa_vec3 beyond = mat3_mul(A, vec3_add(next->c, next->p));
        k[j].M = next->M + k[j].m; // (16)
        // (17); where there is no mass at all, any point will do.
        if (k[j].M > 0)
            k[j].c = vec3_scale(1 / k[j].M,
                                vec3_add(vec3_scale(k[j].m, k[j].s), vec3_scale(next->M, beyond)));
        const fa_sym3 outer =
            sym3_add(sym3_rotate(A, next->E), point(next->M, vec3_sub(beyond, k[j].c)));
        const fa_sym3 own = sym3_add(k[j].J, point(k[j].m, vec3_sub(k[j].s, k[j].c)));
        k[j].E = sym3_add(outer, own); // (18)
    }
}

fa_status fa_walker_orin_mass_matrix(const fa_chain *chain, const double q[], double H[],
                                     void *work)
{
    if (chain->branched || chain->coupled) return FA_UNFIT;
    const int N = chain->n;
    link     *k = work;
    place(chain, q, k);
    composite(N, k);
    for (int j = N - 1; j >= 0; j--) {
        const fa_vec3 zeta = k[j].zeta, arm = vec3_add(k[j].c, k[j].p);
        fa_vec3       f, n;
        if (k[j].turns) {
            f = vec3_scale(k[j].M, cross(zeta, arm));            // (19), (21)
            n = vec3_add(sym3_mul(k[j].E, zeta), cross(arm, f)); // (20), (22)
        } else {
            f = vec3_scale(k[j].M, zeta);
            n = cross(arm, f);
        }
        H[j * N + j] = dot(k[j].turns ? n : f, zeta) + chain->body[j].rotor; // (23)
        for (int i = j - 1; i >= 0; i--) {
            f = mat3_tmul(k[i + 1].A, f);                                     // (24)
            n = vec3_add(mat3_tmul(k[i + 1].A, n), cross(k[i].p, f));         // (25)
            H[i * N + j] = H[j * N + i] = dot(k[i].turns ? n : f, k[i].zeta); // (26)
        }
    }
    return fa_all_finite(H, N * N) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_walker_orin_inverse(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const fa_load *load, double tau[], void *work)
{
    if (chain->branched || chain->coupled) return FA_UNFIT;
    place(chain, q, work);
    inverse_arm(chain, qd, qdd, load, tau, work);
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_walker_orin_1_mass_matrix(const fa_chain *chain, const double q[], double H[],
                                       void *work)
{
    if (chain->branched || chain->coupled) return FA_UNFIT;
    const int N = chain->n;
    link     *k = work;
    double   *rest = (double *)(k + N), *unit = rest + N, *column = unit + N;
    fa_chain  weightless = *chain;
    weightless.gravity = vec3(0, 0, 0);
    place(chain, q, k);
    for (int i = 0; i < N; i++) rest[i] = unit[i] = 0;
    for (int j = 0; j < N; j++) {
        unit[j] = 1;
        inverse_arm(&weightless, rest, unit, NULL, column, k);
        for (int i = 0; i < N; i++) H[i * N + j] = column[i];
        unit[j] = 0;
    }
    return fa_all_finite(H, N * N) ? FA_OK : FA_NOT_FINITE;
}

size_t fa_walker_orin_work_size(const fa_chain *chain)
{
    return fa_forward_by_matrix_size(chain) +
           (size_t)chain->n * (sizeof(link) + 3 * sizeof(double));
}

fa_status fa_walker_orin_forward(const fa_chain *chain, const double q[], const double qd[],
                                 const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_walker_orin_inverse, fa_walker_orin_mass_matrix, chain, q, qd,
                                tau, load, qdd, work); // (14), (15)
}

fa_status fa_walker_orin_1_forward(const fa_chain *chain, const double q[], const double qd[],
                                   const double tau[], const fa_load *load, double qdd[],
                                   void *work)
{
    return fa_forward_by_matrix(fa_walker_orin_inverse, fa_walker_orin_1_mass_matrix, chain, q, qd,
                                tau, load, qdd, work); // (14), (15)
}
