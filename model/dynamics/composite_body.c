// The mass matrix by composite rigid bodies, and forward dynamics by solving with it.
//
// M. W. Walker and D. E. Orin (1982), method 3, in the spatial form of R. Featherstone, "Rigid Body
// Dynamics Algorithms" (2008), table 6.2.
//
//     book     here
//     I_i^c    composite[i]   inertia of body i and all that it carries
//     F        F              force that a unit acceleration of joint i needs
//     H_ij     M[i * n + j]
//
// A joint that follows another one adds its row and column to those of its leader's coordinate.
#include <string.h>

#include "dynamics.h"
#include "forward_by_matrix.h"
#include "methods.h"

fa_status fa_composite_body_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                        void *work)
{
    const fa_body *body = chain->body;
    size_t         n = (size_t)chain->n_coordinates;
    fa_transform  *X = work;
    fa_inertia    *composite = (fa_inertia *)(X + chain->n);

    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) {
        X[i] = fa_joint_transform(&body[i], fa_joint_position(&body[i], q));
        composite[i] = body[i].inertia;
    }
    for (int i = chain->n - 1; i >= 0; i--) {
        int parent = body[i].parent;
        if (parent != FA_WORLD)
            composite[parent] =
                inertia_add(composite[parent], inertia_to_parent(X[i], composite[i]));

        fa_twist  S = fa_joint_axis(&body[i]);
        fa_wrench F = inertia_mul(composite[i], S);
        size_t    row = (size_t)body[i].coordinate;
        M[row * n + row] += body[i].ratio * body[i].ratio * (power(S, F) + body[i].rotor);
        for (int j = i; body[j].parent != FA_WORLD;) { // every joint between here and the ground
            F = to_parent(X[j], F);
            j = body[j].parent;
            size_t column = (size_t)body[j].coordinate;
            double H = body[i].ratio * body[j].ratio * power(fa_joint_axis(&body[j]), F);
            M[row * n + column] += H;
            M[column * n + row] += H;
        }
    }
    return fa_all_finite(M, chain->n_coordinates * chain->n_coordinates) ? FA_OK : FA_NOT_FINITE;
}

size_t fa_composite_body_matrix_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * (sizeof(fa_transform) + sizeof(fa_inertia));
}

size_t fa_composite_body_work_size(const fa_chain *chain)
{
    size_t matrix = fa_composite_body_matrix_work_size(chain);
    size_t bias = fa_newton_euler_inverse_work_size(chain);
    return fa_forward_by_matrix_size(chain) + (matrix > bias ? matrix : bias);
}

fa_status fa_composite_body_forward(const fa_chain *chain, const double q[], const double qd[],
                                    const double tau[], const fa_load *load, double qdd[],
                                    void *work)
{
    return fa_forward_by_matrix(fa_newton_euler_inverse, fa_composite_body_mass_matrix, chain, q,
                                qd, tau, load, qdd, work);
}
