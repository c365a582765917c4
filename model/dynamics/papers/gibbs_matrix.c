// The generalised inertia matrix in O(n^2), section 4.2 of Mata and others (2002), a function for
// each of its steps; reference and common symbols in gibbs_appell.c.
//
//     paper                        here
//     M_i                          M, mass of link i and all that hangs on it
//     gamma_i, E_i                 phi, psi before the children are added
//     ^{i-1} phi_i                 phi_up of link i
//     ^i phi_i                     phi, first moment of links i... about O_i
//     ^i psi_i                     psi, inertia tensor of links i... about O_i
//     ^j s_{k,k+1}, ^j s_{k,j}     carried[j][k].s, .to_here, for every k between j and the base
//     d omega_j / d q''_k          carried[j][k].z
//     H_i, m_i r_{i,i}             the body's inertia.I and inertia.h: the chain keeps them so
//
// For a link on the ground the code forms (psi_1)_33 alone, as the paper says, and no part of
// phi_1.
//
// Departures from the print:
//   * Trees: as in gibbs_appell.c. k+1 is the next link on the way from k to j.
//   * gamma_n, E_n and E_1 are set as well (M9); the tilde stands on phi in steps 5 and 7 (M10).
//   * The rotation in step 3 is ^jR_{j-1} (M8). Of ^j z_{j-1} and ^j s_{j-1,j} the first of the two
//     elementary rotations is off-line, for both are constant in frame j-1; the first takes the two
//     products that the paper does not count (M12).
//   * Step 5: a tensor is turned about z and x, each with eight products and eight sums at most,
//   and
//     2 s is off-line. The paper's count has six products and seven sums more.
//   * Joint prismatic: rules of our own. With N and F the moment about O_j and the force that give
//     links j... a unit acceleration of joint j, D_jk is z_k.(N + s_{k,j} x F) for a revolute k and
//     z_k.F for a prismatic one. With both revolute this is step 7.
//   * Step 1 is done at every call, since a prismatic joint changes it.
#include "gibbs_appell.h"
#include "methods.h"

typedef fa_gibbs_composite composite;
typedef fa_gibbs_carried   carried;

// Row j of a triangle holds an entry for each k < j.
static carried *row(const fa_gibbs_matrix *p, int j)
{
    return p->triangle + (size_t)j * (size_t)(j - 1) / 2;
}

size_t fa_gibbs_matrix_work_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n;
    return n * (sizeof(fa_gibbs_frame) + sizeof(composite)) +
           n * (n - (n > 0)) / 2 * sizeof(carried);
}

fa_gibbs_matrix fa_gibbs_matrix_of(const fa_chain *chain, const double q[], double D[], void *work)
{
    fa_gibbs_matrix p = {chain, q, D, work, NULL, NULL};
    p.k = (composite *)(p.frame + chain->n);
    p.triangle = (carried *)(p.k + chain->n);
    return p;
}

static int parent_of(const fa_gibbs_matrix *p, int i)
{
    return p->chain->body[i].parent;
}

static bool is_on_ground(const fa_gibbs_matrix *p, int i)
{
    return parent_of(p, i) == FA_WORLD;
}

static bool turns(const fa_gibbs_matrix *p, int i)
{
    return fa_joint_turns(p->chain->body[i].joint);
}

// Step 1, and the rotations.
static void compose_constants(fa_gibbs_matrix *p)
{
    fa_mat3 world;
    fa_gibbs_frames(p->chain, p->frame, &world);
    fa_gibbs_place(p->chain, p->q, &world, p->frame);
    for (int i = p->chain->n - 1; i >= 0; i--) {
        const fa_inertia inertia = p->chain->body[i].inertia;
        const fa_mat3    F = p->frame[i].F;
        p->k[i].M = inertia.mass;
        p->k[i].phi = mat3_mul(F, inertia.h);
        p->k[i].psi = sym3_rotate(F, inertia.I);
    }
    for (int i = p->chain->n - 1; i >= 0; i--) {
        if (is_on_ground(p, i)) continue;
        composite    *parent = &p->k[parent_of(p, i)];
        const fa_vec3 s = p->frame[i].s;
        const double  M = p->k[i].M;
        parent->M += M;
        parent->phi = vec3_add(parent->phi, vec3_scale(M, s));                // gamma
        parent->psi = sym3_add(parent->psi, sym3_scale(M, sym3_point(s, s))); // E
    }
}

// Step 2.
static void carry_distances(fa_gibbs_matrix *p)
{
    for (int j = 0; j < p->chain->n; j++) {
        const int parent = parent_of(p, j);
        fa_vec3   s = {0, 0, 0};
        for (int i = parent; i != FA_WORLD; i = parent_of(p, i)) {
            carried *here = &row(p, j)[i];
            here->s = turn_down(&p->frame[j].R, i == parent ? p->frame[j].s : row(p, parent)[i].s);
            here->to_here = s = vec3_add(here->s, s);
        }
    }
}

// Step 3.
static void carry_axes(fa_gibbs_matrix *p)
{
    const fa_vec3 z = {0, 0, 1};
    for (int j = 0; j < p->chain->n; j++) {
        const int parent = parent_of(p, j);
        for (int i = parent; i != FA_WORLD; i = parent_of(p, i))
            row(p, j)[i].z = turn_down(&p->frame[j].R, i == parent ? z : row(p, parent)[i].z);
    }
}

// Step 4.
static void sum_first_moments(fa_gibbs_matrix *p)
{
    for (int i = p->chain->n - 1; i >= 0; i--) {
        if (is_on_ground(p, i)) continue;
        const fa_gibbs_rotation *R = &p->frame[i].R;
        const int                parent = parent_of(p, i);
        if (is_on_ground(p, parent)) { // whose step 5 asks for no more
            p->k[i].phi_up = turn_up_in_plane(R, p->k[i].phi);
        } else {
            p->k[i].phi_up = turn_up(R, p->k[i].phi);
            p->k[parent].phi = vec3_add(p->k[parent].phi, p->k[i].phi_up);
        }
    }
}

// Returns the sum of -s~ phi~ and its transpose: 2 (s.phi) 1 - s phi^T - phi s^T.
static fa_sym3 moved(fa_vec3 s, fa_vec3 phi)
{
    const double x = 2 * s.x * phi.x, y = 2 * s.y * phi.y, z = 2 * s.z * phi.z;
    return (fa_sym3){y + z,
                     x + z,
                     x + y,
                     -(s.x * phi.y + s.y * phi.x),
                     -(s.x * phi.z + s.z * phi.x),
                     -(s.y * phi.z + s.z * phi.y)};
}

// The element (3,3) alone of a tensor turned to the parent: beta does not change it.
static double turned_zz(const fa_gibbs_rotation *R, fa_sym3 A)
{
    const fa_turn t = turned_back(R->theta), a = turned_back(R->alpha);
    const double  w = (t.c + t.c) * A.xy - t.s * (A.xx - A.yy);
    const double  yy = A.yy - t.s * w, yz = t.c * A.yz - t.s * A.xz;
    return A.zz - a.s * ((a.c + a.c) * yz - a.s * (yy - A.zz));
}

// Step 5.
static void sum_inertias(fa_gibbs_matrix *p)
{
    for (int i = p->chain->n - 1; i >= 0; i--) {
        if (is_on_ground(p, i)) continue;
        composite    *k = &p->k[i], *parent = &p->k[parent_of(p, i)];
        const fa_vec3 s = p->frame[i].s, phi = k->phi_up;
        if (is_on_ground(p, parent_of(p, i)))
            parent->psi.zz += 2 * s.x * phi.x + 2 * s.y * phi.y + turned_zz(&p->frame[i].R, k->psi);
        else
            parent->psi =
                sym3_add(parent->psi, sym3_add(moved(s, phi), tensor_up(&p->frame[i].R, k->psi)));
    }
}

// Step 6.
static void fill_diagonal(fa_gibbs_matrix *p)
{
    const int n = p->chain->n;
    for (int i = 0; i < n * n; i++) p->D[i] = 0;
    for (int j = 0; j < n; j++)
        p->D[j * n + j] = (turns(p, j) ? p->k[j].psi.zz : p->k[j].M) + p->chain->body[j].rotor;
}

// Step 7: z_k^T [ psi_j - s~_{k,j} phi~_j ] z_j, and our own rules where a joint slides.
static double element(const fa_gibbs_matrix *p, int j, int k)
{
    const composite *c = &p->k[j];
    const carried   *here = &row(p, j)[k];
    const fa_vec3    s = here->to_here, phi = c->phi;
    if (!turns(p, j)) {
        if (!turns(p, k)) return c->M * here->z.z;
        const fa_vec3 N = {phi.y + c->M * s.y, -phi.x - c->M * s.x, 0};
        return here->z.x * N.x + here->z.y * N.y;
    }
    if (!turns(p, k)) return here->z.y * phi.x - here->z.x * phi.y;
    const fa_vec3 N = {c->psi.xz - s.z * phi.x, c->psi.yz - s.z * phi.y,
                       c->psi.zz + s.x * phi.x + s.y * phi.y};
    return dot(here->z, N);
}

static void fill_rest(fa_gibbs_matrix *p)
{
    const int n = p->chain->n;
    for (int j = 0; j < n; j++)
        for (int k = parent_of(p, j); k != FA_WORLD; k = parent_of(p, k))
            p->D[j * n + k] = p->D[k * n + j] = element(p, j, k);
}

const fa_gibbs_matrix_tangent fa_gibbs_matrix_tangents[] = {
    {"1: rotations, M, γ, H, E", "off-line", compose_constants},
    {"2: ʲs_{i,j}", "8M, 4A; 0M, 3A: 120, 90", carry_distances},
    {"3: ∂ω̇_j/∂q̈_i", "8M, 4A: 80, 40", carry_axes},
    {"4: φ_i", "8M, 4A; 0M, 3A: 40, 35", sum_first_moments},
    {"5: ψ_i", "31M, 40A; of link 1 13M, 11A: 137, 171", sum_inertias},
    {"6: D_ii", "0M, 0A", fill_diagonal},
    {"7: D_jk", "7M, 6A: 105, 90", fill_rest},
};
const int fa_gibbs_matrix_step_count =
    sizeof fa_gibbs_matrix_tangents / sizeof *fa_gibbs_matrix_tangents;

fa_status fa_gibbs_appell_mass_matrix(const fa_chain *chain, const double q[], double D[],
                                      void *work)
{
    if (chain->coupled) return FA_UNFIT;
    fa_gibbs_matrix p = fa_gibbs_matrix_of(chain, q, D, work);
    for (int i = 0; i < fa_gibbs_matrix_step_count; i++) fa_gibbs_matrix_tangents[i].run(&p);
    return fa_all_finite(D, chain->n * chain->n) ? FA_OK : FA_NOT_FINITE;
}
