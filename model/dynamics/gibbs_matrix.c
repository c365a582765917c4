// The generalised inertia matrix in O(n^2), section 4.2 of Mata and others (2002); reference and
// common symbols in gibbs_appell.c.
//
//     paper                        here
//     M_i                          M, mass of link i and all that hangs on it
//     gamma_i, E_i                 phi, psi before the children are added
//     ^i phi_i                     phi, first moment of links i... about O_i
//     ^i psi_i                     psi, inertia tensor of links i... about O_i
//     ^j s_{k,k+1}, ^j z_k         carried[j][k].s, .z, for every k between j and the base
//     d omega_j / d q''_k          ^j z_k
//     H_i, m_i r_{i,i}             the body's inertia.I and inertia.h: the chain keeps them so
//
// Departures from the print:
//   * Trees, general axes: as in gibbs_appell.c. k+1 is the next link on the way from k to j.
//   * gamma_n, E_n and E_1 are set as well (M9); the tilde stands on phi in steps 5 and 7 (M10).
//   * The rotation in step 3 is ^jR_{j-1} (M8).
//   * Joint prismatic: rules of our own. With N and F the moment about O_j and the force that give
//     links j... a unit acceleration of joint j, D_jk is z_k.(N + s_{k,j} x F) for a revolute k and
//     z_k.F for a prismatic one. With both revolute this is step 7.
//   * Step 1 is done at every call, since a prismatic joint changes it.
#include "gibbs_appell.h"
#include "methods.h"

typedef struct composite {
    fa_mat3 R;
    fa_vec3 s;
    double  M;
    fa_vec3 phi;
    fa_sym3 psi;
} composite;

typedef struct carried {
    fa_vec3 s, z;
} carried;

// Row j of a triangle holds an entry for each k < j.
static carried *row(carried triangle[], int j)
{
    return triangle + (size_t)j * (size_t)(j - 1) / 2;
}

size_t fa_gibbs_matrix_work_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n;
    return n * sizeof(composite) + n * (n - (n > 0)) / 2 * sizeof(carried);
}

fa_status fa_gibbs_appell_mass_matrix(const fa_chain *chain, const double q[], double D[],
                                      void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const int      n = chain->n;
    const fa_body *body = chain->body;
    composite     *k = work;
    carried       *triangle = (carried *)(k + n);

    for (int i = 0; i < n; i++) {
        const fa_transform X = fa_joint_transform(&body[i], q[i]);
        k[i] = (composite){X.E, X.r, body[i].inertia.mass, body[i].inertia.h, body[i].inertia.I};
    }

    // Steps 1, 4 and 5: each subtree as one rigid body, tip to base.
    for (int i = n - 1; i >= 0; i--) {
        if (body[i].parent == FA_WORLD) continue;
        composite    *parent = &k[body[i].parent];
        const fa_vec3 s = k[i].s, phi = mat3_tmul(k[i].R, k[i].phi);
        const fa_sym3 psi = sym3_rotate(mat3_transpose(k[i].R), k[i].psi);
        // sym3_point(a, b) is -(a~ b~ + b~ a~) / 2.
        const fa_sym3 moved =
            sym3_add(sym3_scale(k[i].M, sym3_point(s, s)), sym3_scale(2, sym3_point(s, phi)));
        parent->M += k[i].M;
        parent->phi = vec3_add(parent->phi, vec3_add(phi, vec3_scale(k[i].M, s)));
        parent->psi = sym3_add(parent->psi, sym3_add(psi, moved));
    }

    for (int i = 0; i < n * n; i++) D[i] = 0;
    for (int j = 0; j < n; j++) {
        const bool    turns = body[j].joint == FA_REVOLUTE;
        const fa_vec3 z = body[j].axis;
        const fa_vec3 N = turns ? sym3_mul(k[j].psi, z) : cross(k[j].phi, z);
        const fa_vec3 F = turns ? cross(z, k[j].phi) : vec3_scale(k[j].M, z);
        D[j * n + j] = dot(z, turns ? N : F) + body[j].rotor; // step 6

        // Steps 2, 3 and 7, from link j's parent to the base.
        const int parent = body[j].parent;
        fa_vec3   s = {0, 0, 0};
        for (int i = parent; i != FA_WORLD; i = body[i].parent) {
            carried      *here = &row(triangle, j)[i];
            const carried before =
                i == parent ? (carried){k[j].s, body[i].axis} : row(triangle, parent)[i];
            here->s = mat3_mul(k[j].R, before.s);
            here->z = mat3_mul(k[j].R, before.z);
            s = vec3_add(here->s, s);
            D[j * n + i] = body[i].joint == FA_REVOLUTE ? dot(here->z, vec3_add(N, cross(s, F)))
                                                        : dot(here->z, F);
            D[i * n + j] = D[j * n + i];
        }
    }
    return fa_all_finite(D, n * n) ? FA_OK : FA_NOT_FINITE;
}
