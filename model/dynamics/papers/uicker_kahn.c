// Lagrange's equations with 4 x 4 matrices, as J. J. Uicker (1965) and M. E. Kahn (1969) wrote
// them, from section 1.2 of
//
//   W. M. Silver, "On the Representation of Angular Velocity and its Effect on the Efficiency of
//   Manipulator Dynamics Computation", A.I. Memo 622, Massachusetts Institute of Technology, March
//   1981.
//
//     paper            here
//     W_j              T[j], coordinates of link j to those of the base
//     dW_j/dq_i        first_derivative
//     W''_j            second_time_derivative
//     J_j              J[j], integral of rho rho^T dm with rho = (x, y, z, 1), about O_j
//
// (1.2) is evaluated as it stands: for every joint i and every link j that it carries, W''_j is
// formed anew as the double sum over all pairs of joints below j. That is what makes the method
// O(n^4), and what the recursions of the other files avoid. It is kept so on purpose.
//
// Additions to the paper, which leaves gravity out: the potential energy's share
// - gamma^T m_j dW_j/dq_i r_j (S4), loads, and reflected rotor inertia.
#include <string.h>

#include "forward_by_matrix.h"
#include "lagrange.h"
#include "methods.h"

typedef struct link {
    fa_m4 A;     // coordinates of the link to those of its parent
    fa_m4 dA;    // derivative of A by q
    fa_m4 ddA;   // and the second
    fa_m4 J;     // second moments, first moments and mass about O_j
    fa_m4 below; // coordinates of the link's parent to those of the base
} link;

static void place(const fa_chain *chain, const double q[], link k[])
{
    const fa_v3 zero = {{0, 0, 0}};
    const fa_m3 nothing = m3_times(0, m3_one());
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const fa_v3    u = v3_of(body->axis);
        const fa_m4    home = m4_of(m3_transpose(m3_of(body->home.E)), v3_of(body->home.r), 1);
        // The joint's own displacement and its derivative by q: dD = Q D.
        const bool  slides = fa_joint_slides(body->joint);
        const fa_m4 D =
            slides ? m4_of(m3_one(), v3_times(q[i], u), 1) : m4_of(m3_turn(u, q[i]), zero, 1);
        const fa_m4 Q = slides ? m4_of(nothing, u, 0) : m4_of(m3_skew(u), zero, 0);
        k[i].A = m4_multiply(home, D);
        k[i].dA = m4_multiply(home, m4_multiply(Q, D));
        k[i].ddA = m4_multiply(home, m4_multiply(Q, m4_multiply(Q, D)));

        const fa_v3 h = v3_of(body->inertia.h);
        k[i].J = m4_of(m3_second_moment(body->inertia.I), h, body->inertia.mass);
        for (int x = 0; x < 3; x++) k[i].J.e[3][x] = h.e[x];

        k[i].below = body->parent == FA_WORLD
                         ? m4_one()
                         : m4_multiply(k[body->parent].below, k[body->parent].A);
    }
}

// dW_j/dq_i, for a joint i that carries link j or is its own.
static fa_m4 first_derivative(const fa_chain *chain, const link k[], int j, int i)
{
    fa_m4 beyond = m4_one(); // A_{i+1} ... A_j
    for (; j != i; j = chain->body[j].parent) beyond = m4_multiply(k[j].A, beyond);
    return m4_multiply(k[i].below, m4_multiply(k[i].dA, beyond));
}

// W''_j: the sum over all pairs of joints (l, m) below j of d^2 W_j/dq_l dq_m q'_l q'_m, and over
// all joints of dW_j/dq_l q''_l.
static fa_m4 second_time_derivative(const fa_chain *chain, const double qd[], const double qdd[],
                                    const link k[], int j)
{
    fa_m4 sum = m4_zero();
    fa_m4 beyond_l = m4_one();
    for (int l = j; l != FA_WORLD; l = chain->body[l].parent) {
        const fa_m4 once = m4_multiply(k[l].dA, beyond_l);
        const fa_m4 twice = m4_multiply(k[l].ddA, beyond_l);
        sum = m4_plus(sum, m4_times(qdd[l], m4_multiply(k[l].below, once)));
        sum = m4_plus(sum, m4_times(qd[l] * qd[l], m4_multiply(k[l].below, twice)));
        fa_m4 beyond_m = once; // derivative by q_l of A_{m+1} ... A_j
        for (int m = chain->body[l].parent; m != FA_WORLD; m = chain->body[m].parent) {
            const fa_m4 both = m4_multiply(k[m].below, m4_multiply(k[m].dA, beyond_m));
            sum = m4_plus(sum, m4_times(2 * qd[l] * qd[m], both)); // (l, m) and (m, l)
            beyond_m = m4_multiply(k[m].A, beyond_m);
        }
        beyond_l = m4_multiply(k[l].A, beyond_l);
    }
    return sum;
}

// Force f and moment n on a link are the integral of a force density, so that the generalised force
// is tr(dW/dq P^T) with the first moments of that density in P: half the moment, as a skew matrix,
// and the force in the last column, all in base axes.
static double load_on(fa_m4 dW, fa_m4 W, const fa_wrench *wrench)
{
    const fa_m4 moment =
        m4_of(m3_times(0.5, m3_skew(v3_of(wrench->moment))), v3_of(wrench->force), 0);
    return m4_trace(dW, m4_transpose(m4_multiply(W, moment)));
}

size_t fa_uicker_kahn_work_size(const fa_chain *chain)
{
    return fa_forward_by_matrix_size(chain) + (size_t)chain->n * sizeof(link);
}

fa_status fa_uicker_kahn_inverse(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const fa_load *load, double tau[], void *work)
{
    if (chain->coupled) return FA_UNFIT;
    link *k = work;
    place(chain, q, k);
    for (int i = 0; i < chain->n; i++) tau[i] = chain->body[i].rotor * qdd[i];
    const fa_v3 gamma = v3_of(chain->gravity);
    for (int j = 0; j < chain->n; j++) {
        const fa_m4 W = m4_multiply(k[j].below, k[j].A);
        for (int i = j; i != FA_WORLD; i = chain->body[i].parent) {
            const fa_m4 dW = first_derivative(chain, k, j, i);
            const fa_m4 ddW = second_time_derivative(chain, qd, qdd, k, j);
            tau[i] += m4_trace(m4_multiply(dW, k[j].J), m4_transpose(ddW)); // (1.2)

            // The last column of dW_j/dq_i J_j is m_j dW_j/dq_i r_j.
            const fa_m4 moved = m4_multiply(dW, k[j].J);
            for (int x = 0; x < 3; x++) tau[i] -= gamma.e[x] * moved.e[x][3];
            if (load && load->wrench) tau[i] -= load_on(dW, W, &load->wrench[j]);
        }
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

// M_il = sum over the links j that both carry of tr(dW_j/dq_i J_j (dW_j/dq_l)^T): what multiplies
// q''_l in (1.2).
fa_status fa_uicker_kahn_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                     void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const size_t n = (size_t)chain->n;
    link        *k = work;
    place(chain, q, k);
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) M[(size_t)i * n + (size_t)i] = chain->body[i].rotor;
    for (int j = 0; j < chain->n; j++) {
        for (int i = j; i != FA_WORLD; i = chain->body[i].parent) {
            const fa_m4 P = m4_multiply(first_derivative(chain, k, j, i), k[j].J);
            for (int l = j; l != FA_WORLD; l = chain->body[l].parent)
                M[(size_t)i * n + (size_t)l] +=
                    m4_trace(P, m4_transpose(first_derivative(chain, k, j, l)));
        }
    }
    return fa_all_finite(M, (int)(n * n)) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_uicker_kahn_forward(const fa_chain *chain, const double q[], const double qd[],
                                 const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_uicker_kahn_inverse, fa_uicker_kahn_mass_matrix, chain, q, qd,
                                tau, load, qdd, work);
}
