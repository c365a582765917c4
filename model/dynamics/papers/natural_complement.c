// The natural orthogonal complement: the equations of motion of free links, multiplied by the
// matrix that maps joint rates to the links' motions, which is orthogonal to every force in the
// joints.
//
//   J. Angeles, O. Ma, "Dynamic simulation of n-axis serial robotic manipulators using a natural
//   orthogonal complement", Int. J. Robotics Research 7(5) (1988) 32-47;
//   J. Angeles, O. Ma, A. Rojas, "An algorithm for the inverse dynamics of n-axis general
//   manipulators using Kane's equations", Comp. Math. Appl. 17(12) (1989) 1545-1561;
//   J. Angeles, "Fundamentals of Robotic Mechanical Systems", Springer.
//
// The method is the fourth rival in the tables of Mata and others (2002). The texts themselves were
// not at hand, so no line carries an equation number; the symbols are the book's.
//
//     book             here
//     Q_i^T v          turn_down, two elementary rotations (gibbs_frames.h)
//     e_ij, r_ij       e, r: axis of joint j and way from it to the origin of link i, in link i
//     rho_i            rho, centre of mass from the link's origin
//     N_i, n_i         N, root: factors of the inertia, I_i = N_i^T N_i, and of the mass
//     P_ij             above (N_i times the angular velocity), below (n_i times the linear one)
//     w_i, w'_i, c''_i w, dw, ddc
//
//     M_i t'_i + W_i M_i t_i = w_i,    T^T w = tau,    I = T^T M T = P^T P,    P = H T,  M = H^T H
//
// The product T^T M T is never formed: a column of P costs a rotation of e and r in each link, and
// I is the product of P with itself. T^T w is done link by link, tip to base.
//
// Link axes throughout. A chain may be a tree, joints may slide: then P_ij is (0, n_i e_ij).
// Gravity is an acceleration of the base; loads and reflected rotor inertia are added. An inertia
// with a negative direction, which no body has but rounding and files give, is shifted before it is
// factored, and the shift is taken out of the product again.
#include <string.h>

#include "forward_by_matrix.h"
#include "gibbs_frames.h"
#include "methods.h"

typedef struct link {
    fa_gibbs_frame at;
    fa_vec3        rho;
    double         m;
    fa_sym3        I; // about the centre of mass
    // Used for the mass matrix.
    double N[3][3], root; // columns of N in the order of `axis`, zeros below the diagonal
    int    axis[3];
    double shift; // of the inertia, where it has a negative direction; else zero [kg m^2]
    // Used for the forces: f and n are the force and the moment at the link's joint.
    fa_vec3 w, dw, dds, ddc, f, n;
    fa_mat3 ddR;
} link;

typedef struct column {
    fa_vec3 e, r, turning, above, below; // turning: angular velocity, e of a joint that turns
} column;

static double component(fa_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void place(const fa_chain *chain, const double q[], link k[], fa_vec3 *free_fall)
{
    fa_mat3         world;
    const size_t    n = (size_t)chain->n;
    fa_gibbs_frame *frame = (fa_gibbs_frame *)(k + n);
    fa_gibbs_frames(chain, frame, &world);
    fa_gibbs_place(chain, q, &world, frame);
    *free_fall = mat3_mul(world, chain->gravity);
    for (int i = 0; i < chain->n; i++) {
        const fa_inertia inertia = chain->body[i].inertia;
        k[i].at = frame[i];
        k[i].rho = mat3_mul(frame[i].F, inertia_centre(inertia));
        k[i].m = inertia.mass;
        k[i].I = sym3_rotate(frame[i].F, inertia_about_centre(inertia));
    }
}

// --------------------------------------------------------------------------------------- forces

// dw~ + w~ w~: what a vector that turns along is multiplied by for its second derivative.
static fa_mat3 second_rate(fa_vec3 w, fa_vec3 dw)
{
    const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const double xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return (fa_mat3){{{-(yy + zz), xy - dw.z, xz + dw.y},
                      {xy + dw.z, -(xx + zz), yz - dw.x},
                      {xz - dw.y, yz + dw.x, -(xx + yy)}}};
}

static void motion(const fa_chain *chain, const double qd[], const double qdd[], fa_vec3 free_fall,
                   link k[])
{
    link ground;
    memset(&ground, 0, sizeof ground);
    ground.dds = vec3_scale(-1, free_fall);
    for (int i = 0; i < chain->n; i++) {
        const int                parent = chain->body[i].parent;
        const link              *before = parent == FA_WORLD ? &ground : &k[parent];
        const fa_gibbs_rotation *R = &k[i].at.R;
        k[i].w = turn_down(R, before->w);
        k[i].dw = turn_down(R, before->dw);
        k[i].dds = turn_down(R, vec3_add(before->dds, mat3_mul(before->ddR, k[i].at.s)));
        if (fa_joint_turns(chain->body[i].joint)) {
            k[i].dw.x += k[i].w.y * qd[i];
            k[i].dw.y -= k[i].w.x * qd[i];
            k[i].dw.z += qdd[i];
            k[i].w.z += qd[i];
        } else {
            const double twice = 2 * qd[i];
            k[i].dds = vec3_add(k[i].dds, vec3(k[i].w.y * twice, -k[i].w.x * twice, qdd[i]));
        }
        k[i].ddR = second_rate(k[i].w, k[i].dw);
        k[i].ddc = vec3_add(k[i].dds, mat3_mul(k[i].ddR, k[i].rho));
    }
}

fa_status fa_natural_complement_inverse(const fa_chain *chain, const double q[], const double qd[],
                                        const double qdd[], const fa_load *load, double tau[],
                                        void *work)
{
    if (chain->coupled) return FA_UNFIT;
    link   *k = work;
    fa_vec3 free_fall;
    place(chain, q, k, &free_fall);
    motion(chain, qd, qdd, free_fall, k);
    for (int i = 0; i < chain->n; i++) { // w_i, moved to the link's origin
        const fa_vec3 f = vec3_scale(k[i].m, k[i].ddc);
        const fa_vec3 spin = cross(k[i].w, sym3_mul(k[i].I, k[i].w)); // W_i M_i t_i
        const fa_vec3 n = vec3_add(sym3_mul(k[i].I, k[i].dw), spin);  // M_i t'_i
        k[i].f = f;
        k[i].n = vec3_add(n, cross(k[i].rho, f));
        if (!load || !load->wrench) continue;
        k[i].f = vec3_sub(k[i].f, mat3_mul(k[i].at.F, load->wrench[i].force));
        k[i].n = vec3_sub(k[i].n, mat3_mul(k[i].at.F, load->wrench[i].moment));
    }
    for (int i = chain->n - 1; i >= 0; i--) { // T^T w
        const fa_body *body = &chain->body[i];
        tau[i] = (fa_joint_turns(body->joint) ? k[i].n.z : k[i].f.z) + body->rotor * qdd[i];
        if (body->parent == FA_WORLD) continue;
        link         *parent = &k[body->parent];
        const fa_vec3 f = turn_up(&k[i].at.R, k[i].f), n = turn_up(&k[i].at.R, k[i].n);
        parent->f = vec3_add(parent->f, f);
        parent->n = vec3_add(parent->n, vec3_add(n, cross(k[i].at.s, f)));
    }
    return fa_all_finite(tau, chain->n) ? FA_OK : FA_NOT_FINITE;
}

// --------------------------------------------------------------------------------------- matrix

// A = N^T N, largest pivot first. False where A has a negative direction: then some element is
// larger than the pivot, which is the largest on the diagonal.
static bool factor_tensor(double A[3][3], link *l)
{
    memset(l->N, 0, sizeof l->N);
    for (int i = 0; i < 3; i++) l->axis[i] = i;
    for (int i = 0; i < 3; i++) {
        int *axis = l->axis, largest = i;
        for (int j = i + 1; j < 3; j++)
            if (A[axis[j]][axis[j]] > A[axis[largest]][axis[largest]]) largest = j;
        const int pivot = axis[largest];
        axis[largest] = axis[i];
        axis[i] = pivot;
        for (int j = 0; j < i; j++) { // columns change places with their axes
            const double kept = l->N[j][i];
            l->N[j][i] = l->N[j][largest];
            l->N[j][largest] = kept;
        }
        const double d = A[pivot][pivot];
        for (int j = i; j < 3; j++)
            for (int k = i; k < 3; k++)
                if (!(fabs(A[axis[j]][axis[k]]) <= d)) return false;
        if (d == 0) return true; // so is all the rest
        const double root = sqrt(d);
        for (int j = i; j < 3; j++) l->N[i][j] = A[pivot][axis[j]] / root;
        for (int j = i + 1; j < 3; j++)
            for (int k = i + 1; k < 3; k++) A[axis[j]][axis[k]] -= l->N[i][j] * l->N[i][k];
    }
    return true;
}

// I + shift 1 = N^T N, and the root of the mass.
static void factor(link *l)
{
    const fa_mat3 I = sym3_full(l->I);
    double        A[3][3];
    memcpy(A, I.m, sizeof A);
    l->root = sqrt(l->m);
    l->shift = 0;
    if (factor_tensor(A, l)) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) l->shift += fabs(I.m[i][j]);
    memcpy(A, I.m, sizeof A);
    for (int i = 0; i < 3; i++) A[i][i] += l->shift;
    factor_tensor(A, l);
}

static void fill_column(const fa_chain *chain, const link *l, int j, column *c)
{
    if (fa_joint_slides(chain->body[j].joint)) {
        c->turning = c->above = vec3(0, 0, 0);
        c->below = vec3_scale(l->root, c->e);
        return;
    }
    c->turning = c->e;
    const double x = component(c->e, l->axis[0]), y = component(c->e, l->axis[1]);
    const double z = component(c->e, l->axis[2]);
    c->above = vec3(l->N[0][0] * x + l->N[0][1] * y + l->N[0][2] * z,
                    l->N[1][1] * y + l->N[1][2] * z, l->N[2][2] * z);
    c->below = cross(c->e, vec3_scale(l->root, vec3_add(c->r, l->rho)));
}

// Contribution of link l to the element of joints i and j: P_li . P_lj.
static double product(const link *l, const column *i, const column *j)
{
    const double sum = dot(i->above, j->above) + dot(i->below, j->below);
    return l->shift == 0 ? sum : sum - l->shift * dot(i->turning, j->turning);
}

// The columns that joints up to a link have in it: one after the other, as the way to the base
// goes.
static column *columns_of(const fa_chain *chain, link k[], int i)
{
    column *first = (column *)((fa_gibbs_frame *)(k + chain->n) + chain->n);
    return first + (size_t)i * ((size_t)i + 1) / 2;
}

size_t fa_natural_complement_work_size(const fa_chain *chain)
{
    const size_t n = (size_t)chain->n;
    return fa_forward_by_matrix_size(chain) + n * (sizeof(link) + sizeof(fa_gibbs_frame)) +
           n * (n + 1) / 2 * sizeof(column);
}

fa_status fa_natural_complement_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                            void *work)
{
    if (chain->coupled) return FA_UNFIT;
    const size_t n = (size_t)chain->n;
    link        *k = work;
    fa_vec3      free_fall;
    place(chain, q, k, &free_fall);
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) {
        const int     parent = chain->body[i].parent;
        const fa_vec3 zero = {0, 0, 0}, s = k[i].at.s;
        column       *c = columns_of(chain, k, i);
        const column *before = parent == FA_WORLD ? NULL : columns_of(chain, k, parent);
        factor(&k[i]);
        c[i].e = vec3(0, 0, 1);
        c[i].r = zero;
        fill_column(chain, &k[i], i, &c[i]);
        for (int j = parent; j != FA_WORLD; j = chain->body[j].parent) {
            c[j].e = turn_down(&k[i].at.R, before[j].e);
            c[j].r = turn_down(&k[i].at.R, j == parent ? s : vec3_add(before[j].r, s));
            fill_column(chain, &k[i], j, &c[j]);
        }
        M[(size_t)i * n + (size_t)i] += chain->body[i].rotor;
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
            for (int l = j; l != FA_WORLD; l = chain->body[l].parent)
                M[(size_t)l * n + (size_t)j] += product(&k[i], &c[l], &c[j]); // P^T P
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) // l is no later than j: above the diagonal
            M[i * n + j] = M[j * n + i];
    return fa_all_finite(M, (int)(n * n)) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_natural_complement_forward(const fa_chain *chain, const double q[], const double qd[],
                                        const double tau[], const fa_load *load, double qdd[],
                                        void *work)
{
    return fa_forward_by_matrix(fa_natural_complement_inverse, fa_natural_complement_mass_matrix,
                                chain, q, qd, tau, load, qdd, work);
}
