// The natural orthogonal complement: the equations of motion of free links, multiplied by the
// matrix that maps joint rates to the links' motions, which is orthogonal to every force in the
// joints.
//
//   J. Angeles, O. Ma, "Dynamic simulation of n-axis serial robotic manipulators using a natural
//   orthogonal complement", Int. J. Robotics Research 7(5) (1988) 32-47;
//   J. Angeles, "Fundamentals of Robotic Mechanical Systems", Springer.
//
// The method is the fourth rival in the tables of Mata and others (2002). The texts themselves were
// not at hand, so no line carries an equation number; the symbols are the book's.
//
//     book             here
//     t_i              t, twist of link i: angular velocity, velocity of its centre of mass
//     t'_i             dt
//     T, t_ij          column: how t_i depends on the rate of joint j
//     M_i, W_i         mass and inertia of link i; angular velocity, as they act on a twist
//     w_i              wrench on link i at its centre of mass
//
//     M_i t'_i + W_i M_i t_i = w_i,    T^T w = tau,    I = T^T M T
//
// World axes throughout. A chain may be a tree, joints may slide. Gravity is an acceleration of the
// base; loads and reflected rotor inertia are added.
#include <string.h>

#include "forward_by_matrix.h"
#include "methods.h"

typedef struct link {
    fa_vec3  e, o, c; // axis, point on it, centre of mass
    double   m;
    fa_sym3  I; // about the centre of mass
    fa_twist t, dt;
} link;

static void place(const fa_chain *chain, const double q[], link k[], fa_transform pose[])
{
    fa_chain_poses(chain, q, pose);
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        const fa_mat3  axes = mat3_transpose(pose[i].E);
        k[i].e = mat3_mul(axes, body->axis);
        k[i].o = pose[i].r;
        k[i].c = point_to_parent(pose[i], inertia_centre(body->inertia));
        k[i].m = body->inertia.mass;
        k[i].I = sym3_rotate(axes, inertia_about_centre(body->inertia));
    }
}

// t_ij: link i's twist for a unit rate of joint j.
static fa_twist column(const fa_chain *chain, const link k[], int i, int j)
{
    if (chain->body[j].joint == FA_PRISMATIC) return (fa_twist){{0, 0, 0}, k[j].e};
    return (fa_twist){k[j].e, cross(k[j].e, vec3_sub(k[i].c, k[j].o))};
}

// T q' and its derivative in time, from link to link.
static void twists(const fa_chain *chain, const double qd[], const double qdd[], link k[])
{
    const fa_vec3 zero = {0, 0, 0};
    const link    ground = {.dt = {zero, vec3_scale(-1, chain->gravity)}};
    for (int i = 0; i < chain->n; i++) {
        const link *before =
            chain->body[i].parent == FA_WORLD ? &ground : &k[chain->body[i].parent];
        const fa_vec3 w = before->t.angular, dw = before->dt.angular;
        const fa_vec3 arm = vec3_sub(k[i].o, before->c), reach = vec3_sub(k[i].c, k[i].o);
        const fa_vec3 rate = vec3_scale(qd[i], k[i].e), kick = vec3_scale(qdd[i], k[i].e);
        const bool    turns = chain->body[i].joint == FA_REVOLUTE;

        // The joint's point o, then the centre of mass.
        fa_vec3 v = vec3_add(before->t.linear, cross(w, arm));
        fa_vec3 dv = vec3_add(before->dt.linear, vec3_add(cross(dw, arm), cross(w, cross(w, arm))));
        k[i].t.angular = w;
        k[i].dt.angular = dw;
        if (turns) {
            k[i].t.angular = vec3_add(w, rate);
            k[i].dt.angular = vec3_add(dw, vec3_add(kick, cross(w, rate)));
        } else {
            v = vec3_add(v, rate);
            dv = vec3_add(dv, vec3_add(kick, vec3_scale(2, cross(w, rate))));
        }
        const fa_vec3 wi = k[i].t.angular, dwi = k[i].dt.angular;
        k[i].t.linear = vec3_add(v, cross(wi, reach));
        k[i].dt.linear = vec3_add(dv, vec3_add(cross(dwi, reach), cross(wi, cross(wi, reach))));
    }
}

static fa_wrench inertia_times(const link *l, fa_twist t)
{
    return (fa_wrench){sym3_mul(l->I, t.angular), vec3_scale(l->m, t.linear)};
}

size_t fa_natural_complement_work_size(const fa_chain *chain)
{
    return fa_forward_by_matrix_size(chain) +
           (size_t)chain->n * (sizeof(link) + sizeof(fa_transform));
}

fa_status fa_natural_complement_inverse(const fa_chain *chain, const double q[], const double qd[],
                                        const double qdd[], const fa_load *load, double tau[],
                                        void *work)
{
    if (chain->coupled) return FA_UNFIT;
    link         *k = work;
    fa_transform *pose = (fa_transform *)(k + chain->n);
    place(chain, q, k, pose);
    twists(chain, qd, qdd, k);
    for (int i = 0; i < chain->n; i++) tau[i] = chain->body[i].rotor * qdd[i];
    for (int i = 0; i < chain->n; i++) {
        const fa_vec3 spin = sym3_mul(k[i].I, k[i].t.angular);
        fa_wrench     w = inertia_times(&k[i], k[i].dt);            // M_i t'_i
        w.moment = vec3_add(w.moment, cross(k[i].t.angular, spin)); // W_i M_i t_i
        if (load && load->wrench) {
            const fa_vec3 force = mat3_tmul(pose[i].E, load->wrench[i].force);
            const fa_vec3 moment = mat3_tmul(pose[i].E, load->wrench[i].moment);
            w.force = vec3_sub(w.force, force);
            w.moment = vec3_sub(w.moment, vec3_add(moment, cross(vec3_sub(k[i].o, k[i].c), force)));
        }
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
            tau[j] += power(column(chain, k, i, j), w); // T^T w
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_natural_complement_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                            void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const size_t n = (size_t)chain->n;
    link        *k = work;
    place(chain, q, k, (fa_transform *)(k + chain->n));
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) {
        M[(size_t)i * n + (size_t)i] += chain->body[i].rotor;
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent) {
            const fa_wrench Mt = inertia_times(&k[i], column(chain, k, i, j));
            for (int l = i; l != FA_WORLD; l = chain->body[l].parent)
                M[(size_t)j * n + (size_t)l] += power(column(chain, k, i, l), Mt); // T^T M T
        }
    }
    return fa_all_finite(M, (int)(n * n)) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_natural_complement_forward(const fa_chain *chain, const double q[], const double qd[],
                                        const double tau[], const fa_load *load, double qdd[],
                                        void *work)
{
    return fa_forward_by_matrix(fa_natural_complement_inverse, fa_natural_complement_mass_matrix,
                                chain, q, qd, tau, load, qdd, work);
}
