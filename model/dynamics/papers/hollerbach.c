// Recursive Lagrangian inverse dynamics, with 4 x 4 and with 3 x 3 matrices, after
//
//   J. M. Hollerbach, "A recursive Lagrangian formulation of manipulator dynamics and a comparative
//   study of dynamics formulation complexity", IEEE Trans. Systems, Man, and Cybernetics SMC-10
//   (1980) 730-736,
//
// as Silver (1981) and Swartz (1982) cite it. The backward sums that make (1.2) of Silver linear in
// n are his; the article itself was not at hand, so the lines below carry no equation numbers.
//
//     here       meaning
//     A, dA      coordinates of link i to those of its parent; derivative by q_i
//     W          coordinates of link i to those of the base; dW, ddW: derivatives in time
//     s, p       origin of link i in its parent; its acceleration in base axes
//     J          second moments of link i about its origin
//     D          sum over the links that hang on i of their moments times accelerations, about O_i
//     c          the same of first moments (4 x 4: homogeneous, with the mass as fourth element)
//     e          the same of mass times acceleration, that is, the force
//
// The 3 x 3 form takes D about O_i, which is on the axis of joint i, in place of Denavit and
// Hartenberg's O_{i-1}: this covers trees, and leaves out the arm p_i in every sum. Gravity is a
// term of its own, as in the article, not an acceleration of the base. Loads and rotors are added.
#include <string.h>

#include "lagrange.h"
#include "methods.h"

typedef struct link4 {
    fa_m4  A, dA, W, dW, ddW, J, D;
    fa_v3  c; // first moment of what hangs on i
    double m;
} link4;

typedef struct link3 {
    fa_m3  A, W, dW, ddW, J, D, turn; // turn: derivative of A by q_i, zero when i slides
    fa_v3  s, slide;                  // slide: derivative of s by q_i, zero when i turns
    fa_v3  ddp, h, c, e;
    double m;
} link3;

size_t fa_hollerbach_work_size(const fa_chain *chain)
{
    const size_t four = sizeof(link4), three = sizeof(link3);
    return (size_t)chain->n * (four > three ? four : three);
}

fa_status fa_hollerbach_4x4_inverse(const fa_chain *chain, const double q[], const double qd[],
                                    const double qdd[], const fa_load *load, double tau[],
                                    void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const fa_v3 zero = {{0, 0, 0}};
    link4      *k = work;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const bool     slides = fa_joint_slides(body->joint), grounded = body->parent == FA_WORLD;
        const fa_v3    u = v3_of(body->axis);
        const fa_m4    home = m4_of(m3_transpose(m3_of(body->home.E)), v3_of(body->home.r), 1);
        const fa_m4    joint =
            slides ? m4_of(m3_one(), v3_times(q[i], u), 1) : m4_of(m3_turn(u, q[i]), zero, 1);
        const fa_m4 Q = slides ? m4_of(m3_times(0, m3_one()), u, 0) : m4_of(m3_skew(u), zero, 0);
        const fa_m4 W = grounded ? m4_one() : k[body->parent].W;
        const fa_m4 dW = grounded ? m4_zero() : k[body->parent].dW;
        const fa_m4 ddW = grounded ? m4_zero() : k[body->parent].ddW;
        link4      *l = &k[i];

        l->A = m4_multiply(home, joint);
        l->dA = m4_multiply(l->A, Q);
        const fa_m4 ddA = m4_multiply(l->dA, Q);
        l->W = m4_multiply(W, l->A);
        l->dW = m4_plus(m4_multiply(dW, l->A), m4_times(qd[i], m4_multiply(W, l->dA)));
        l->ddW =
            m4_plus(m4_plus(m4_multiply(ddW, l->A), m4_times(2 * qd[i], m4_multiply(dW, l->dA))),
                    m4_plus(m4_times(qd[i] * qd[i], m4_multiply(W, ddA)),
                            m4_times(qdd[i], m4_multiply(W, l->dA))));

        l->m = body->inertia.mass;
        l->c = v3_of(body->inertia.h);
        l->J = m4_of(m3_second_moment(body->inertia.I), l->c, l->m);
        for (int x = 0; x < 3; x++) l->J.e[3][x] = l->c.e[x];
        l->D = m4_multiply(l->J, m4_transpose(l->ddW));
        if (!load || !load->wrench) continue;
        // A load is a force density; these are its moments, negative, as inertia forces are.
        const fa_m4 density = m4_of(m3_times(-0.5, m3_skew(v3_of(load->wrench[i].moment))),
                                    v3_times(-1, v3_of(load->wrench[i].force)), 0);
        l->D = m4_plus(l->D, m4_transpose(m4_multiply(l->W, density)));
    }

    const fa_v3 gamma = v3_of(chain->gravity);
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *body = &chain->body[i];
        const bool     grounded = body->parent == FA_WORLD;
        const fa_m4    dWdq = m4_multiply(grounded ? m4_one() : k[body->parent].W, k[i].dA);
        double         lifted = 0; // - dP/dq_i
        for (int x = 0; x < 3; x++) {
            double row = dWdq.e[x][3] * k[i].m;
            for (int y = 0; y < 3; y++) row += dWdq.e[x][y] * k[i].c.e[y];
            lifted += gamma.e[x] * row;
        }
        tau[i] = m4_trace(dWdq, k[i].D) - lifted + body->rotor * qdd[i];
        if (grounded) continue;

        link4 *parent = &k[body->parent];
        parent->D = m4_plus(parent->D, m4_multiply(k[i].A, k[i].D));
        for (int x = 0; x < 3; x++) {
            double row = k[i].A.e[x][3] * k[i].m;
            for (int y = 0; y < 3; y++) row += k[i].A.e[x][y] * k[i].c.e[y];
            parent->c.e[x] += row;
        }
        parent->m += k[i].m;
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_hollerbach_3x3_inverse(const fa_chain *chain, const double q[], const double qd[],
                                    const double qdd[], const fa_load *load, double tau[],
                                    void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const fa_v3 zero = {{0, 0, 0}};
    const fa_m3 nothing = m3_times(0, m3_one());
    link3      *k = work;
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const bool     slides = fa_joint_slides(body->joint), grounded = body->parent == FA_WORLD;
        const fa_v3    u = v3_of(body->axis);
        const fa_m3    home = m3_transpose(m3_of(body->home.E));
        const fa_m3    W = grounded ? m3_one() : k[body->parent].W;
        const fa_m3    dW = grounded ? nothing : k[body->parent].dW;
        const fa_m3    ddW = grounded ? nothing : k[body->parent].ddW;
        const fa_v3    ddp = grounded ? zero : k[body->parent].ddp;
        link3         *l = &k[i];

        // A and s, and their derivatives by q_i.
        l->A = slides ? home : m3_multiply(home, m3_turn(u, q[i]));
        l->turn = slides ? nothing : m3_multiply(l->A, m3_skew(u));
        const fa_m3 turn2 = slides ? nothing : m3_multiply(l->turn, m3_skew(u));
        l->slide = slides ? m3_apply(home, u) : zero;
        l->s = v3_plus(v3_of(body->home.r), v3_times(q[i], l->slide));

        l->W = m3_multiply(W, l->A);
        l->dW = m3_plus(m3_multiply(dW, l->A), m3_times(qd[i], m3_multiply(W, l->turn)));
        l->ddW =
            m3_plus(m3_plus(m3_multiply(ddW, l->A), m3_times(2 * qd[i], m3_multiply(dW, l->turn))),
                    m3_plus(m3_times(qd[i] * qd[i], m3_multiply(W, turn2)),
                            m3_times(qdd[i], m3_multiply(W, l->turn))));
        l->ddp = v3_plus(v3_plus(ddp, m3_apply(ddW, l->s)),
                         v3_plus(v3_times(2 * qd[i], m3_apply(dW, l->slide)),
                                 v3_times(qdd[i], m3_apply(W, l->slide))));

        l->m = body->inertia.mass;
        l->h = l->c = v3_of(body->inertia.h);
        l->J = m3_second_moment(body->inertia.I);
        l->e = v3_plus(v3_times(l->m, l->ddp), m3_apply(l->ddW, l->h));
        l->D = m3_plus(m3_outer(l->h, l->ddp), m3_multiply(l->J, m3_transpose(l->ddW)));
        if (!load || !load->wrench) continue;
        const fa_m3 half = m3_times(-0.5, m3_skew(v3_of(load->wrench[i].moment)));
        l->e = v3_minus(l->e, m3_apply(l->W, v3_of(load->wrench[i].force)));
        l->D = m3_plus(l->D, m3_transpose(m3_multiply(l->W, half)));
    }

    const fa_v3 gamma = v3_of(chain->gravity);
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *body = &chain->body[i];
        const bool     grounded = body->parent == FA_WORLD;
        const fa_m3    W = grounded ? m3_one() : k[body->parent].W;
        const fa_m3    dWdq = m3_multiply(W, k[i].turn);
        const fa_v3    dpdq = m3_apply(W, k[i].slide);
        const fa_v3    weight = v3_times(k[i].m, gamma);
        tau[i] = m3_trace(m3_multiply(dWdq, k[i].D)) - v3_inner(gamma, m3_apply(dWdq, k[i].c)) +
                 v3_inner(dpdq, v3_minus(k[i].e, weight)) + body->rotor * qdd[i];
        if (grounded) continue;

        link3 *parent = &k[body->parent];
        parent->D =
            m3_plus(parent->D, m3_plus(m3_multiply(k[i].A, k[i].D), m3_outer(k[i].s, k[i].e)));
        parent->c = v3_plus(parent->c, v3_plus(m3_apply(k[i].A, k[i].c), v3_times(k[i].m, k[i].s)));
        parent->e = v3_plus(parent->e, k[i].e);
        parent->m += k[i].m;
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}
