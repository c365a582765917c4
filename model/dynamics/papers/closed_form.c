// Equations of motion in closed form, one set of terms for both problems, after
//
//   B. Grigorov, "A generalized Newton-Euler algorithm for dynamic simulation of robot-manipulators
//   with revolute joints", Technical University of Sofia, 2013.
//
//     paper                here
//     ^jR_i, ^jP_i         pair(j, i)->R, ->P: coordinates of i to j, origin of i seen from j
//     ^jP_Ci               ^jP_i + ^jR_i P_C
//     P_Cj, m_j, I_j       PC, m, I (about the centre of mass)
//     z^_j                 z
//     omega_j              w
//     C_ej, C_Vj, C_VCj    Ce, CV, CVC: accelerations without those of the joints
//     G_i                  weight of link i; G is ^iR_0 G_i
//     N_Q                  moment of the loads
//     M                    M
//
// Every term of (5) has the same shape: a force F through a centre of mass and a couple N, both in
// frame i, as felt at the origin of frame j. `seen_from` is that shape, and the equation of motion
// of joint j is the balance of what it sees of every link that it carries.
//
// Departures from the print:
//   * The frames are Craig's modified ones (G1), as (2) and (6) have them; j - 1 is the parent of
//   j,
//     sums run over the links that j carries, and z^_j may be any unit vector.
//   * (5) with m_i and R^j_i I_i (G2); the inner sums of (10) and (12) start at the larger of j and
//     k (G3); (12) with R^j_i before C_VCi (G4); C_VC1 is not zero (G8).
//   * Gravity is any vector; loads act on any link, not only on the hand.
//   * Joint j prismatic, which the paper has not: its column of (7) is an acceleration along z^_j,
//     C_Vj gains 2 omega_j x z^_j q', and its row of (12) balances forces along z^_j.
//   * The ground may move: what it does comes before the first link in (6) and (8).
//   * M is symmetric, so only the k that j carries are computed. Reflected rotor inertia is added.
#include "closed_form.h"

#include <string.h>

#include "forward_by_matrix.h"
#include "methods.h"

typedef struct link {
    fa_transform X; // from the link before
    fa_vec3      z, PC;
    double       m;
    fa_sym3      I;
    fa_vec3      G, w, Ce, CV, CVC;
} link;

typedef struct pair {
    fa_mat3 R;
    fa_vec3 P;
} pair;

typedef struct closed_form {
    const fa_chain *chain;
    link           *k;
    pair           *pairs;
} closed_form;

// Row i of a triangle: how link i is seen from every j between it and the base, and from itself.
static pair *pair_of(const closed_form *c, int j, int i)
{
    return c->pairs + (size_t)i * ((size_t)i + 1) / 2 + j;
}

static fa_wrench seen_from(const closed_form *c, int j, int i, fa_vec3 F, fa_vec3 N)
{
    const pair   *p = pair_of(c, j, i);
    const fa_vec3 force = mat3_mul(p->R, F);
    const fa_vec3 PC = vec3_add(p->P, mat3_mul(p->R, c->k[i].PC)); // ^jP_Ci
    return (fa_wrench){vec3_add(cross(PC, force), mat3_mul(p->R, N)), force};
}

static double along_joint(const closed_form *c, int j, fa_wrench w)
{
    return dot(c->k[j].z, fa_joint_turns(c->chain->body[j].joint) ? w.moment : w.force);
}

// All that does not depend on the velocities.
static closed_form place(const fa_chain *chain, const double q[], void *work)
{
    closed_form c = {chain, work, NULL};
    c.pairs = (pair *)(c.k + chain->n);
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        link          *l = &c.k[i];
        l->X = fa_joint_transform(body, q[i]);
        l->z = body->axis;
        l->m = body->inertia.mass;
        l->PC = inertia_centre(body->inertia);
        l->I = inertia_about_centre(body->inertia);

        *pair_of(&c, i, i) = (pair){mat3_identity(), {0, 0, 0}};
        for (int j = body->parent; j != FA_WORLD; j = chain->body[j].parent) {
            const pair *up = pair_of(&c, j, body->parent);
            *pair_of(&c, j, i) = (pair){mat3_mat3(up->R, mat3_transpose(l->X.E)),
                                        vec3_add(up->P, mat3_mul(up->R, l->X.r))};
        }
    }
    return c;
}

// (6) for the angular velocities, (8), and each link's weight in its own frame.
static void velocities(const closed_form *c, const double qd[])
{
    const fa_twist rate0 = fa_chain_base_velocity(c->chain);
    const fa_twist ground = fa_chain_base_acceleration(c->chain);
    for (int j = 0; j < c->chain->n; j++) {
        const fa_body *body = &c->chain->body[j];
        const link    *before = body->parent == FA_WORLD ? NULL : &c->k[body->parent];
        link          *l = &c->k[j];
        const fa_mat3  R = l->X.E;
        const fa_vec3  P = l->X.r, rate = vec3_scale(qd[j], l->z);
        const fa_vec3  w = before ? before->w : rate0.angular;
        const fa_vec3  Ce = before ? before->Ce : ground.angular;
        const fa_vec3  CV = before ? before->CV : ground.linear;
        const fa_vec3  fall = before ? before->G : c->chain->gravity;
        l->G = mat3_mul(R, fall); // scaled by the mass below, once the children have seen it
        l->w = mat3_mul(R, w);
        l->Ce = mat3_mul(R, Ce);
        l->CV = mat3_mul(R, vec3_add(vec3_add(cross(Ce, P), cross(w, cross(w, P))), CV));
        if (fa_joint_turns(body->joint)) {
            l->Ce = vec3_add(l->Ce, cross(l->w, rate)); // (8)
            l->w = vec3_add(l->w, rate);                // (6)
        } else {
            l->CV = vec3_add(l->CV, vec3_scale(2, cross(l->w, rate)));
        }
        l->CVC = vec3_add(vec3_add(cross(l->Ce, l->PC), cross(l->w, cross(l->w, l->PC))), l->CV);
    }
    for (int j = 0; j < c->chain->n; j++) c->k[j].G = vec3_scale(c->k[j].m, c->k[j].G);
}

// Wrench of link i at joint j for a unit acceleration of joint k alone: the bracket of (10).
static fa_wrench inertia(const closed_form *c, int j, int i, int k)
{
    const pair   *p = pair_of(c, k, i);
    const link   *l = &c->k[i];
    const fa_vec3 z = mat3_tmul(p->R, c->k[k].z); // ^iR_k z^
    if (fa_joint_slides(c->chain->body[k].joint))
        return seen_from(c, j, i, vec3_scale(l->m, z), vec3(0, 0, 0));
    const fa_vec3 Pk = vec3_scale(-1, mat3_tmul(p->R, p->P)); // ^iP_k
    const fa_vec3 v = cross(vec3_sub(Pk, l->PC), z);          // ^iV_k ^iR_k z^, (11)
    return seen_from(c, j, i, vec3_scale(l->m, v), sym3_mul(l->I, z));
}

// Wrench of link i at joint j at zero joint accelerations: the right-hand side of (12), negative.
static fa_wrench resistance(const closed_form *c, int j, int i, const fa_load *load)
{
    const link   *l = &c->k[i];
    const fa_vec3 gyroscopic = cross(l->w, sym3_mul(l->I, l->w));
    fa_vec3       F = vec3_sub(vec3_scale(l->m, l->CVC), l->G);
    fa_vec3       N = vec3_add(gyroscopic, sym3_mul(l->I, l->Ce));
    if (load && load->wrench) { // acts at the origin of frame i; seen_from wants it at the centre
        const fa_wrench *w = &load->wrench[i];
        F = vec3_sub(F, w->force);
        N = vec3_sub(N, vec3_sub(w->moment, cross(l->PC, w->force)));
    }
    return seen_from(c, j, i, F, N);
}

size_t fa_closed_form_work_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n;
    const size_t pairs = n * sizeof(link) + n * (n + 1) / 2 * sizeof(pair);
    return fa_forward_by_matrix_size(chain) + pairs + 3 * n * sizeof(double);
}

// Every sum below runs over the links i that joint j carries: for each i, the j on its way to the
// base.

fa_status fa_closed_form_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                     void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const size_t      n = (size_t)chain->n;
    const closed_form c = place(chain, q, work);
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) {
        M[(size_t)i * n + (size_t)i] += chain->body[i].rotor;
        for (int k = i; k != FA_WORLD; k = chain->body[k].parent)
            for (int j = k; j != FA_WORLD; j = chain->body[j].parent)
                M[(size_t)j * n + (size_t)k] += along_joint(&c, j, inertia(&c, j, i, k)); // (12)
    }
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++) // of the two triangles one is still zero
            M[k * n + j] = M[j * n + k];
    return fa_all_finite(M, (int)(n * n)) ? FA_OK : FA_NOT_FINITE;
}

// Wrench of link i at joint j, all terms of (5) together.
static fa_wrench balance(const closed_form *c, int j, int i, const double qdd[],
                         const fa_load *load)
{
    fa_wrench sum = resistance(c, j, i, load);
    for (int k = i; k != FA_WORLD; k = c->chain->body[k].parent)
        sum = wrench_add(sum, wrench_scale(qdd[k], inertia(c, j, i, k)));
    return sum;
}

fa_status fa_joint_reactions(const fa_chain *chain, const double q[], const double qd[],
                             const double qdd[], const fa_load *load, fa_wrench reaction[],
                             void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const closed_form c = place(chain, q, work);
    velocities(&c, qd);
    for (int j = 0; j < chain->n; j++) reaction[j] = (fa_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < chain->n; i++)
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
            reaction[j] = wrench_add(reaction[j], balance(&c, j, i, qdd, load)); // (5), (10)
    return FA_OK;
}

fa_status fa_closed_form_inverse(const fa_chain *chain, const double q[], const double qd[],
                                 const double qdd[], const fa_load *load, double tau[], void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const closed_form c = place(chain, q, work);
    velocities(&c, qd);
    for (int j = 0; j < chain->n; j++) tau[j] = chain->body[j].rotor * qdd[j];
    for (int i = 0; i < chain->n; i++)
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
            tau[j] += along_joint(&c, j, balance(&c, j, i, qdd, load)); // (12), (13)
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

static bool carries(const fa_chain *chain, int j, int i)
{
    while (i > j) i = chain->body[i].parent; // parents come first
    return i == j;
}

// Row j of (12) for each joint j that moves with the coordinate: one, unless others follow it. Own
// is what a joint itself does, which differs from the coordinate's where it follows.
fa_status fa_closed_form_inverse_one(const fa_chain *chain, const double q[], const double qd[],
                                     const double qdd[], const fa_load *load, int coordinate,
                                     double *tau, void *work)
{
    const size_t n = (size_t)chain->n;
    double      *own_q = work, *own_qd = own_q + n, *own_qdd = own_qd + n;
    for (int i = 0; i < chain->n; i++) {
        own_q[i] = fa_joint_position(&chain->body[i], q);
        own_qd[i] = fa_joint_rate(&chain->body[i], qd);
        own_qdd[i] = fa_joint_rate(&chain->body[i], qdd);
    }
    const closed_form c = place(chain, own_q, own_qdd + n);
    velocities(&c, own_qd);
    *tau = 0;
    for (int j = 0; j < chain->n; j++) {
        const fa_body *body = &chain->body[j];
        if (body->coordinate != coordinate) continue;
        double own = body->rotor * own_qdd[j];
        for (int i = j; i < chain->n; i++)
            if (carries(chain, j, i)) own += along_joint(&c, j, balance(&c, j, i, own_qdd, load));
        *tau += body->ratio * own; // (12), (13)
    }
    return isfinite(*tau) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_closed_form_forward(const fa_chain *chain, const double q[], const double qd[],
                                 const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_closed_form_inverse, fa_closed_form_mass_matrix, chain, q, qd,
                                tau, load, qdd, work); // (13)
}
