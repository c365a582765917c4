// Inverse and forward dynamics from the Gibbs-Appell equations, after
//
//   V. Mata, S. Provenzano, F. Valero, J. I. Cuadrado, "Serial-robot dynamics algorithms for
//   moderately large numbers of joints", Mechanism and Machine Theory 37 (2002) 739-755.
//
// This file is section 4.1, a function for each of its lines; the inertia matrix of section 4.2 is
// in gibbs_matrix.c, the Gibbs function itself in gibbs_function.c.
//
//     paper              here
//     ^iR_{i-1} v        turn_down, two elementary rotations (gibbs_frames.h)
//     ^{i-1}s_{i-1,i}    s, from the parent's origin to the link's, in the parent's axes
//     ^ir_{i,i}, m_i     r, m: centre of mass from the link's origin, mass
//     J_i                J, Euler's tensor
//     omega_{i-1} in i   wp
//     omega_i            w       its derivative   dw
//     Omega_i            Omega, the angular acceleration tensor
//     s''_i, r''_i       dds, ddr: accelerations of the origin and of the centre of mass
//     f_i, t_i           f, t: force and moment on the link at its centre of mass
//     phi_i, chi_i       phi, chi
//
// As the paper does, only those components are formed of a link on the ground that its joint feels:
// of a revolute one (chi_1)_z, and what that needs.
//
// Departures from the print:
//   * i-1 and i+1 are the parent and the children of i, so that trees are covered.
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

static bool turns(const fa_gibbs_inverse *p, int i)
{
    return fa_joint_turns(p->chain->body[i].joint);
}

// A revolute joint on the ground: the link of which the paper forms z alone.
static bool is_first_link(const fa_gibbs_inverse *p, int i)
{
    return p->chain->body[i].parent == FA_WORLD && turns(p, i);
}

// Returns the motion of link i's parent, or of the ground.
static const fa_gibbs_link *before(const fa_gibbs_inverse *p, int i, fa_gibbs_link *ground)
{
    const int parent = p->chain->body[i].parent;
    if (parent != FA_WORLD) return &p->k[parent];
    *ground = (fa_gibbs_link){.m = 0}; // all that moves is zero, but
    ground->dds = vec3_scale(-1, p->free_fall);
    return ground;
}

// --------------------------------------------------------------------------------- step 1: motion

void fa_gibbs_constants(fa_gibbs_inverse *p)
{
    fa_mat3 world;
    fa_gibbs_frames(p->chain, p->frame, &world);
    fa_gibbs_place(p->chain, p->q, &world, p->frame);
    p->free_fall = mat3_mul(world, p->chain->gravity);
    for (int i = 0; i < p->chain->n; i++) {
        const fa_inertia inertia = p->chain->body[i].inertia;
        const fa_mat3    F = p->frame[i].F;
        fa_gibbs_link   *l = &p->k[i];
        l->m = inertia.mass;
        l->r = mat3_mul(F, inertia_centre(inertia));
        l->I = sym3_rotate(F, inertia_about_centre(inertia));
        double half = 0.5 * (l->I.xx + l->I.yy + l->I.zz);
        l->J = (fa_sym3){half - l->I.xx, half - l->I.yy, half - l->I.zz,
                         -l->I.xy,       -l->I.xz,       -l->I.yz}; // (11)
    }
}

static void turn_angular_velocities(fa_gibbs_inverse *p)
{
    // From link to link, so that the next one's sum stands here too.
    for (int i = 0; i < p->chain->n; i++) {
        fa_gibbs_link        ground;
        const fa_gibbs_link *parent = before(p, i, &ground);
        fa_gibbs_link       *l = &p->k[i];
        l->wp = turn_down(&p->frame[i].R, parent->w);
        l->w = l->wp;
        if (turns(p, i)) l->w.z += p->qd[i];
    }
}

static void accelerate_angles(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        fa_gibbs_link        ground;
        const fa_gibbs_link *parent = before(p, i, &ground);
        fa_gibbs_link       *l = &p->k[i];
        l->dw = turn_down(&p->frame[i].R, parent->dw);
        if (!turns(p, i)) continue;
        l->dw.x += l->wp.y * p->qd[i];
        l->dw.y -= l->wp.x * p->qd[i];
        l->dw.z += p->qdd[i];
    }
}

// Omega of omega and its derivative; a vector fixed in the link accelerates by Omega times itself.
static void form_tensors(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        const fa_vec3 w = p->k[i].w, dw = p->k[i].dw;
        const double  xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
        const double  xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
        p->k[i].Omega = (fa_mat3){{{-(yy + zz), xy - dw.z, xz + dw.y},
                                   {xy + dw.z, -(xx + zz), yz - dw.x},
                                   {xz - dw.y, yz + dw.x, -(xx + yy)}}}; // (12)
    }
}

static void accelerate_origins(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        fa_gibbs_link         ground;
        const fa_gibbs_link  *parent = before(p, i, &ground);
        const fa_gibbs_frame *f = &p->frame[i];
        fa_gibbs_link        *l = &p->k[i];
        l->dds = turn_down(&f->R, vec3_add(parent->dds, mat3_mul(parent->Omega, f->s)));
        if (turns(p, i)) continue;
        const double twice = 2 * p->qd[i];
        l->dds = vec3_add(l->dds, vec3(l->w.y * twice, -l->w.x * twice, p->qdd[i]));
    }
}

static void accelerate_centres(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        fa_gibbs_link *l = &p->k[i];
        double(*O)[3] = l->Omega.m;
        if (is_first_link(p, i)) // z does not turn it
            l->ddr = vec3(l->dds.x + (O[0][0] * l->r.x + O[0][1] * l->r.y + O[0][2] * l->r.z),
                          l->dds.y + (O[1][0] * l->r.x + O[1][1] * l->r.y + O[1][2] * l->r.z), 0);
        else
            l->ddr = vec3_add(l->dds, mat3_mul(l->Omega, l->r));
    }
}

void fa_gibbs_motion(fa_gibbs_inverse *p)
{
    turn_angular_velocities(p);
    accelerate_angles(p);
    form_tensors(p);
    accelerate_origins(p);
    for (int i = 0; i < p->chain->n; i++)
        p->k[i].ddr = vec3_add(p->k[i].dds, mat3_mul(p->k[i].Omega, p->k[i].r));
}

// ----------------------------------------------------------------------- step 2: what moves a link

static void form_forces(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) p->k[i].f = vec3_scale(p->k[i].m, p->k[i].ddr); // (9)
}

// The vector t whose tensor t~ is Omega J - (Omega J)^T; equals I dw + w x I w.
static void form_moments(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        double(*O)[3] = p->k[i].Omega.m;
        const fa_sym3 J = p->k[i].J;
        p->k[i].t = vec3(0, 0, 0);
        p->k[i].t.z = O[1][2] * J.xz - O[0][2] * J.yz + O[1][0] * J.xx - O[0][1] * J.yy +
                      (O[1][1] - O[0][0]) * J.xy; // (10)
        if (is_first_link(p, i)) continue;
        p->k[i].t.x = O[2][0] * J.xy - O[1][0] * J.xz + O[2][1] * J.yy - O[1][2] * J.zz +
                      (O[2][2] - O[1][1]) * J.yz;
        p->k[i].t.y = O[0][1] * J.yz - O[2][1] * J.xy + O[0][2] * J.zz - O[2][0] * J.xx +
                      (O[0][0] - O[2][2]) * J.xz;
    }
}

// ----------------------------------------------------------- step 3: forces of joints, tip to base

static void begin_sums(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        const fa_wrench *w = p->load && p->load->wrench ? &p->load->wrench[i] : NULL;
        p->k[i].phi = p->k[i].chi = vec3(0, 0, 0);
        if (!w) continue;
        p->k[i].phi = vec3_scale(-1, mat3_mul(p->frame[i].F, w->force));
        p->k[i].chi = vec3_scale(-1, mat3_mul(p->frame[i].F, w->moment));
    }
}

// When link i's turn comes, its children have left their share of (16) in it. f becomes the sum
// that its parent sees, f + phi, and phi what arrives there.
static void sum_forces(fa_gibbs_inverse *p)
{
    begin_sums(p);
    for (int i = p->chain->n - 1; i >= 0; i--) {
        const int parent = p->chain->body[i].parent;
        if (parent == FA_WORLD) continue;
        fa_gibbs_link *l = &p->k[i];
        const fa_vec3  sum = vec3_add(l->f, l->phi);
        const fa_vec3  up = is_first_link(p, parent) ? turn_up_in_plane(&p->frame[i].R, sum)
                                                     : turn_up(&p->frame[i].R, sum);
        p->k[parent].phi = vec3_add(p->k[parent].phi, up); // (16)
        l->wp = up; // what the parent's moment needs of it; wp has done its duty
    }
}

// (15) of link i but for what comes from its children, which is in chi already.
static void add_own_moment(fa_gibbs_inverse *p, int i)
{
    fa_gibbs_link *l = &p->k[i];
    if (is_first_link(p, i))
        l->chi.z += l->r.x * l->f.y - l->r.y * l->f.x + l->t.z;
    else
        l->chi = vec3_add(vec3_add(cross(l->r, l->f), l->t), l->chi);
}

static void sum_moments(fa_gibbs_inverse *p)
{
    for (int i = p->chain->n - 1; i >= 0; i--) {
        const int parent = p->chain->body[i].parent;
        add_own_moment(p, i);
        if (parent == FA_WORLD) continue;
        const fa_gibbs_frame *f = &p->frame[i];
        const fa_vec3         s = f->s, up = p->k[i].wp;
        fa_vec3              *chi = &p->k[parent].chi; // (15)
        if (is_first_link(p, parent)) {                // z alone; beta does not change it
            const fa_vec3 moved = about_z(turned_back(f->R.theta), p->k[i].chi);
            const fa_turn alpha = f->R.alpha;
            chi->z += (s.x * up.y - s.y * up.x) + (alpha.s * moved.y + alpha.c * moved.z);
        } else {
            *chi = vec3_add(*chi, vec3_add(cross(s, up), turn_up(&f->R, p->k[i].chi)));
        }
    }
}

static void read_torques(fa_gibbs_inverse *p)
{
    for (int i = 0; i < p->chain->n; i++) {
        const fa_gibbs_link *l = &p->k[i];
        p->tau[i] = turns(p, i) ? l->chi.z : l->f.z + l->phi.z; // (14)
        p->tau[i] += p->chain->body[i].rotor * p->qdd[i];
    }
}

// ------------------------------------------------------------------------------------------- all

const fa_gibbs_inverse_tangent fa_gibbs_inverse_tangents[] = {
    {"rotations, constants", "off-line", fa_gibbs_constants},
    {"ω_{i−1} in link i, ω_i", "8M, 5A", turn_angular_velocities},
    {"ω̇_i", "10M, 7A", accelerate_angles},
    {"Ω_i", "6M, 9A", form_tensors},
    {"s̈_i", "17M, 13A", accelerate_origins},
    {"r̈_i", "9M, 9A", accelerate_centres},
    {"f_i", "3M, 0A", form_forces},
    {"t_i", "15M, 15A", form_moments},
    {"φ_i", "8M, 7A", sum_forces},
    {"χ_i", "20M, 19A", sum_moments},
    {"τ_i", "0M, 0A", read_torques},
};
const int fa_gibbs_inverse_step_count =
    sizeof fa_gibbs_inverse_tangents / sizeof *fa_gibbs_inverse_tangents;

fa_gibbs_inverse fa_gibbs_inverse_of(const fa_chain *chain, const double q[], const double qd[],
                                     const double qdd[], const fa_load *load, double tau[],
                                     void *work)
{
    fa_gibbs_inverse p = {chain, q, qd, qdd, load, tau, work, NULL, {0, 0, 0}};
    p.k = (fa_gibbs_link *)(p.frame + chain->n);
    return p;
}

size_t fa_gibbs_inverse_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * (sizeof(fa_gibbs_frame) + sizeof(fa_gibbs_link));
}

fa_status fa_gibbs_appell_inverse(const fa_chain *chain, const double q[], const double qd[],
                                  const double qdd[], const fa_load *load, double tau[], void *work)
{
    if (chain->coupled) return FA_UNFIT;
    fa_gibbs_inverse p = fa_gibbs_inverse_of(chain, q, qd, qdd, load, tau, work);
    for (int i = 0; i < fa_gibbs_inverse_step_count; i++) fa_gibbs_inverse_tangents[i].run(&p);
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

size_t fa_gibbs_appell_work_size(const fa_chain *chain)
{
    const size_t inverse = fa_gibbs_inverse_work_size(chain);
    const size_t matrix = fa_gibbs_matrix_work_size(chain);
    return fa_forward_by_matrix_size(chain) + (inverse > matrix ? inverse : matrix);
}

fa_status fa_gibbs_appell_forward(const fa_chain *chain, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_gibbs_appell_inverse, fa_gibbs_appell_mass_matrix, chain, q, qd,
                                tau, load, qdd, work); // (17)
}
