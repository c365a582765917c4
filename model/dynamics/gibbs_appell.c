// Inverse and forward dynamics from the Gibbs-Appell equations, after
//
//   V. Mata, S. Provenzano, F. Valero, J. I. Cuadrado, "Serial-robot dynamics algorithms for
//   moderately large numbers of joints", Mechanism and Machine Theory 37 (2002) 739-755.
//
// This file is section 4.1; the inertia matrix of section 4.2 is in gibbs_matrix.c, the Gibbs
// function itself in gibbs_function.c.
//
//     paper              here
//     ^iR_{i-1}          R, coordinates of the parent to the link's own
//     ^{i-1}s_{i-1,i}    s, from the parent's origin to the link's, in the parent's axes
//     ^iz_i              z, axis of joint i in the link's axes
//     ^ir_{i,i}, m_i     r, m: centre of mass from the link's origin, mass
//     J_i                J, Euler's tensor
//     omega_i            w       its derivative   dw
//     Omega_i            Omega, the angular acceleration tensor
//     s''_i, r''_i       dds, ddr: accelerations of the origin and of the centre of mass
//     f_i, t_i           f, t: force and moment on the link at its centre of mass
//     phi_i, chi_i       phi, chi
//
// Departures from the print:
//   * i-1 and i+1 are the parent and the children of i, so that trees are covered; z_i is any unit
//     vector, where the paper has [0 0 1].
//   * The base carries minus the acceleration of free fall (M2: the printed sign needs z_0 down).
//   * Joint i prismatic: the paper has revolute joints here. Its s''_i gains z q'' + 2 omega x z
//   q',
//     omega_i is the parent's, and tau_i is the force along z, not the moment (M3).
//   * Loads, which the paper has not: a wrench on link i starts phi_i and chi_i, with a minus sign,
//     because these are what link i exerts outwards.
//   * Reflected rotor inertia adds to tau_i what it adds to the diagonal of D.
#include "gibbs_appell.h"

#include "forward_by_matrix.h"
#include "methods.h"

void fa_gibbs_constants(const fa_chain *chain, fa_gibbs_link k[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_inertia inertia = chain->body[i].inertia;
        k[i].z = chain->body[i].axis;
        k[i].m = inertia.mass;
        k[i].r = inertia_centre(inertia);
        k[i].I = inertia_about_centre(inertia);
        double half = 0.5 * (k[i].I.xx + k[i].I.yy + k[i].I.zz);
        k[i].J = (fa_sym3){half - k[i].I.xx, half - k[i].I.yy, half - k[i].I.zz,
                           -k[i].I.xy,       -k[i].I.xz,       -k[i].I.yz}; // (11)
    }
}

// Omega of omega and its derivative; a vector fixed in the link accelerates by Omega times itself.
static fa_mat3 angular_acceleration_tensor(fa_vec3 w, fa_vec3 dw)
{
    double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    double xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return (fa_mat3){{{-(yy + zz), xy - dw.z, xz + dw.y},
                      {xy + dw.z, -(xx + zz), yz - dw.x},
                      {xz - dw.y, yz + dw.x, -(xx + yy)}}}; // (12)
}

// The vector t whose tensor t~ is Omega J - (Omega J)^T; equals I dw + w x I w.
static fa_vec3 moment(const fa_mat3 *Omega, fa_sym3 J)
{
    const double(*O)[3] = Omega->m;
    return vec3(O[2][0] * J.xy - O[1][0] * J.xz + O[2][1] * J.yy - O[1][2] * J.zz +
                    (O[2][2] - O[1][1]) * J.yz,
                O[0][1] * J.yz - O[2][1] * J.xy + O[0][2] * J.zz - O[2][0] * J.xx +
                    (O[0][0] - O[2][2]) * J.xz,
                O[1][2] * J.xz - O[0][2] * J.yz + O[1][0] * J.xx - O[0][1] * J.yy +
                    (O[1][1] - O[0][0]) * J.xy); // (10)
}

void fa_gibbs_motion(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                     fa_gibbs_link k[])
{
    fa_gibbs_link base = {0};
    base.dds = vec3_scale(-1, chain->gravity);
    for (int i = 0; i < chain->n; i++) {
        const fa_body       *body = &chain->body[i];
        const fa_gibbs_link *parent = body->parent == FA_WORLD ? &base : &k[body->parent];
        const fa_transform   X = fa_joint_transform(body, q[i]);
        fa_gibbs_link       *l = &k[i];
        l->R = X.E;
        l->s = X.r;

        const fa_vec3 w = mat3_mul(l->R, parent->w);
        const fa_vec3 zqd = vec3_scale(qd[i], l->z);
        const fa_vec3 zqdd = vec3_scale(qdd[i], l->z);
        const bool    turns = body->joint == FA_REVOLUTE;
        l->w = turns ? vec3_add(w, zqd) : w;
        l->dw = mat3_mul(l->R, parent->dw);
        if (turns) l->dw = vec3_add(vec3_add(l->dw, zqdd), cross(w, zqd));
        l->Omega = angular_acceleration_tensor(l->w, l->dw);
        l->dds = mat3_mul(l->R, vec3_add(parent->dds, mat3_mul(parent->Omega, l->s)));
        if (!turns) l->dds = vec3_add(vec3_add(l->dds, zqdd), vec3_scale(2, cross(l->w, zqd)));
        l->ddr = vec3_add(l->dds, mat3_mul(l->Omega, l->r));
    }
}

fa_status fa_gibbs_appell_inverse(const fa_chain *chain, const double q[], const double qd[],
                                  const double qdd[], const fa_load *load, double tau[], void *work)
{
    if (chain->coupled) return FA_UNFIT;
    fa_gibbs_link *k = work;
    fa_gibbs_constants(chain, k);

    // Step 1: motion, base to tip.
    fa_gibbs_motion(chain, q, qd, qdd, k);

    // Step 2: what moves each link.
    for (int i = 0; i < chain->n; i++) {
        k[i].f = vec3_scale(k[i].m, k[i].ddr); // (9)
        k[i].t = moment(&k[i].Omega, k[i].J);  // (10)
        k[i].phi = vec3(0, 0, 0);
        k[i].chi = vec3(0, 0, 0);
        if (!load || !load->wrench) continue;
        k[i].phi = vec3_scale(-1, load->wrench[i].force);
        k[i].chi = vec3_scale(-1, load->wrench[i].moment);
    }

    // Step 3: generalised forces, tip to base. When link i's turn comes, its children have left
    // their share of (15) and (16) in it.
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body *body = &chain->body[i];
        const fa_vec3  force = vec3_add(k[i].f, k[i].phi);
        k[i].chi = vec3_add(vec3_add(cross(k[i].r, k[i].f), k[i].t), k[i].chi); // (15)
        tau[i] = body->joint == FA_REVOLUTE ? dot(k[i].z, k[i].chi)             // (14)
                                            : dot(k[i].z, force);
        tau[i] += body->rotor * qdd[i];
        if (body->parent == FA_WORLD) continue;

        fa_gibbs_link *parent = &k[body->parent];
        const fa_vec3  phi = mat3_tmul(k[i].R, force);
        parent->phi = vec3_add(parent->phi, phi); // (16)
        parent->chi = vec3_add(parent->chi,
                               vec3_add(cross(k[i].s, phi), mat3_tmul(k[i].R, k[i].chi))); // (15)
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

size_t fa_gibbs_appell_work_size(const fa_chain *chain)
{
    const size_t links = (size_t)chain->n * sizeof(fa_gibbs_link);
    const size_t matrix = fa_gibbs_matrix_work_size(chain);
    return fa_forward_by_matrix_size(chain) + (links > matrix ? links : matrix);
}

fa_status fa_gibbs_appell_forward(const fa_chain *chain, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_gibbs_appell_inverse, fa_gibbs_appell_mass_matrix, chain, q, qd,
                                tau, load, qdd, work); // (17)
}
