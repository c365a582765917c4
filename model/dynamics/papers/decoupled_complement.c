// Forward dynamics in O(n) by the decoupled natural orthogonal complement: the inertia matrix is
// never formed, only its factors U D U^T, whose elements follow from recursions over the links.
//
//   S. K. Saha, "A decomposition of the manipulator inertia matrix", IEEE Trans. Robotics and
//   Automation 13(2) (1997) 301-304.
//
// Mata and others (2002) name it as the rival of articulated bodies. The article itself was not at
// hand: the formulation is the textbook's, and no line carries an equation number.
//
//     book               here
//     p_i                p, how the link's twist depends on the rate of its joint
//     B_{i,i-1}          to_child(X, ...), and its transpose to_parent(X, ...)
//     M_i^               M, inertia that the joints beyond i leave, articulated
//     psi^_i, m^_i       Mp, m
//     psi_i              Mp / m
//     phi_i, phi^_i      phi: torque less bias; then what U^-1 makes of it
//     eta_i              eta
//     mu_i               mu
//
// Gaussian elimination from the last joint to the first gives U and D; both solutions with U are
// recursions again. Unlike articulated bodies, it takes the bias from inverse dynamics, apart.
// Twists are those of the points at the links' origins, in the links' axes, where the book has mass
// centres. Trees, sliding joints, loads and rotors are covered.
#include <string.h>

#include "methods.h"

typedef struct link {
    fa_transform   X;
    fa_twist       p, mu;
    fa_articulated M;
    fa_wrench      Mp, eta;
    double         m, phi;
} link;

// Inertia across all axes: what m is compared with, to tell it from rounding.
static double across(fa_twist p, const fa_articulated *M)
{
    const bool     turns = dot(p.angular, p.angular) > 0;
    const fa_sym3 *block = turns ? &M->I : &M->M;
    return block->xx + block->yy + block->zz;
}

size_t fa_decoupled_complement_work_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n;
    return n * (sizeof(link) + sizeof(double)) + fa_newton_euler_inverse_work_size(chain);
}

fa_status fa_decoupled_complement_forward(const fa_chain *chain, const double q[],
                                          const double qd[], const double tau[],
                                          const fa_load *load, double qdd[], void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const int      n = chain->n;
    const fa_body *body = chain->body;
    link          *k = work;
    double        *zero = (double *)(k + n);
    memset(zero, 0, (size_t)n * sizeof *zero);
    fa_status status = fa_newton_euler_inverse(chain, q, qd, zero, load, qdd, zero + n);
    if (status != FA_OK) return status;

    for (int i = 0; i < n; i++) {
        k[i].X = fa_joint_transform(&body[i], q[i]);
        k[i].p = fa_joint_axis(&body[i]);
        k[i].M = articulated_of(body[i].inertia);
        k[i].eta = (fa_wrench){{0, 0, 0}, {0, 0, 0}};
        k[i].phi = tau[i] - qdd[i]; // tau less the bias
    }

    // I = U D U^T and phi^ = U^-1 phi, last joint to first. When link i's turn comes, its children
    // have left M and eta in it.
    for (int i = n - 1; i >= 0; i--) {
        k[i].Mp = articulated_mul(k[i].M, k[i].p);
        k[i].m = power(k[i].p, k[i].Mp) + body[i].rotor;
        if (!(k[i].m > FA_SINGULAR_FRACTION * across(k[i].p, &k[i].M))) return FA_SINGULAR;
        k[i].phi -= power(k[i].p, k[i].eta);
        if (body[i].parent == FA_WORLD) continue;

        link          *parent = &k[body[i].parent];
        fa_articulated left = articulated_downdate(k[i].M, k[i].Mp, k[i].m);
        fa_wrench      eta = wrench_add(k[i].eta, wrench_scale(k[i].phi / k[i].m, k[i].Mp));
        parent->M = articulated_add(parent->M, articulated_to_parent(k[i].X, left));
        parent->eta = wrench_add(parent->eta, to_parent(k[i].X, eta));
    }

    // q'' = U^-T D^-1 phi^, first joint to last.
    const fa_twist rest = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        const fa_twist mu =
            body[i].parent == FA_WORLD ? rest : to_child(k[i].X, k[body[i].parent].mu);
        qdd[i] = (k[i].phi - power(mu, k[i].Mp)) / k[i].m;
        k[i].mu = twist_add(mu, twist_scale(qdd[i], k[i].p));
    }
    return fa_all_finite(qdd, n) ? FA_OK : FA_NOT_FINITE;
}
