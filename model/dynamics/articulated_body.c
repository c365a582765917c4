// Forward dynamics in O(n) by articulated bodies: the default.
//
// R. Featherstone, "Rigid Body Dynamics Algorithms" (2008), table 7.1 and equations 7.36 to 7.46.
//
//     book     here
//     X_i      k[i].X      parent to body
//     S_i      k[i].S      joint axis
//     c_i      k[i].c      velocity-product acceleration
//     I_i^A    k[i].IA     articulated inertia
//     p_i^A    k[i].pA     articulated bias force
//     U_i      k[i].U      I^A S
//     D_i      k[i].D      S . U, and the rotor's inertia, which acts along the axis only
//     u_i      k[i].u      torque that the bias leaves
//
// It needs every joint to move freely: a joint that follows another one couples bodies that may be
// far apart in the tree, and composite_body.c takes over.
#include "dynamics.h"
#include "methods.h"

typedef struct body_state {
    fa_transform   X;
    fa_twist       S, v, c, a;
    fa_articulated IA;
    fa_wrench      pA, U;
    double         D, u;
} body_state;

size_t fa_articulated_body_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(body_state);
}

// Returns the scale of a joint's D for the test of rounding: the inertia about all axes.
static double scale_of(const fa_body *body, const fa_articulated *IA)
{
    const fa_sym3 *across = fa_joint_is_linear(body->joint) ? &IA->M : &IA->I;
    const double   along = body->advance * body->advance * (IA->M.xx + IA->M.yy + IA->M.zz);
    return across->xx + across->yy + across->zz + along;
}

fa_status fa_articulated_body_forward(const fa_chain *chain, const double q[], const double qd[],
                                      const double tau[], const fa_load *load, double qdd[],
                                      void *work)
{
    const fa_body *body = chain->body;
    body_state    *k = work;
    if (chain->coupled) return FA_UNFIT;

    const fa_twist ground = fa_chain_base_velocity(chain);

    // Pass 1, base to tip: velocities, and the forces that they cause.
    for (int i = 0; i < chain->n; i++) {
        k[i].X = fa_joint_transform(&body[i], q[i]);
        k[i].S = fa_joint_axis(&body[i]);
        fa_twist vJ = twist_scale(qd[i], k[i].S);
        k[i].v = vJ;
        if (body[i].parent != FA_WORLD)
            k[i].v = twist_add(to_child(k[i].X, k[body[i].parent].v), vJ);
        else if (chain->base_moves)
            k[i].v = twist_add(to_child(k[i].X, ground), vJ);
        k[i].c = twist_cross(k[i].v, vJ);
        k[i].IA = articulated_of(body[i].inertia);
        k[i].pA = twist_cross_wrench(k[i].v, inertia_mul(body[i].inertia, k[i].v));
        if (load && load->wrench) k[i].pA = wrench_sub(k[i].pA, load->wrench[i]);
    }

    // Pass 2, tip to base: hang each subtree on its parent through a free joint.
    for (int i = chain->n - 1; i >= 0; i--) {
        int parent = body[i].parent;
        if (chain->held && chain->held[i]) { // locks the body to its parent
            if (parent == FA_WORLD) continue;
            fa_wrench pc = wrench_add(k[i].pA, articulated_mul(k[i].IA, k[i].c));
            k[parent].IA = articulated_add(k[parent].IA, articulated_to_parent(k[i].X, k[i].IA));
            k[parent].pA = wrench_add(k[parent].pA, to_parent(k[i].X, pc));
            continue;
        }
        k[i].U = articulated_mul(k[i].IA, k[i].S);      // (7.43)
        k[i].D = power(k[i].S, k[i].U) + body[i].rotor; // (7.44)
        k[i].u = tau[i] - power(k[i].S, k[i].pA);       // (7.45)
        if (!(k[i].D > FA_SINGULAR_FRACTION * scale_of(&body[i], &k[i].IA))) return FA_SINGULAR;
        if (parent == FA_WORLD) continue;

        fa_articulated Ia = articulated_downdate(k[i].IA, k[i].U, k[i].D);
        fa_wrench      pa = wrench_add(wrench_add(k[i].pA, articulated_mul(Ia, k[i].c)),
                                       wrench_scale(k[i].u / k[i].D, k[i].U));
        k[parent].IA = articulated_add(k[parent].IA, articulated_to_parent(k[i].X, Ia));
        k[parent].pA = wrench_add(k[parent].pA, to_parent(k[i].X, pa));
    }

    // Pass 3, base to tip: accelerations. The ground accelerates upwards, which is gravity.
    fa_twist free_fall = {{0, 0, 0}, vec3_scale(-1, chain->gravity)};
    if (chain->base_moves) free_fall = twist_add(free_fall, chain->base_acceleration);
    for (int i = 0; i < chain->n; i++) {
        fa_twist parent = body[i].parent == FA_WORLD ? free_fall : k[body[i].parent].a;
        fa_twist a = twist_add(to_child(k[i].X, parent), k[i].c);
        bool     held = chain->held && chain->held[i];
        qdd[i] = held ? 0 : (k[i].u - power(a, k[i].U)) / k[i].D;
        k[i].a = twist_add(a, twist_scale(qdd[i], k[i].S));
    }
    return fa_all_finite(qdd, chain->n) ? FA_OK : FA_NOT_FINITE;
}

int fa_articulated_weak_joint(const fa_chain *chain, const double q[], double fraction, void *work)
{
    // Pass 2 without forces.
    const fa_body *body = chain->body;
    body_state    *k = work;
    for (int i = 0; i < chain->n; i++) {
        k[i].X = fa_joint_transform(&body[i], q[i]);
        k[i].IA = articulated_of(body[i].inertia);
    }
    for (int i = chain->n - 1; i >= 0; i--) {
        fa_twist  S = fa_joint_axis(&body[i]);
        fa_wrench U = articulated_mul(k[i].IA, S);
        double    D = power(S, U) + body[i].rotor;
        if (!(D > fraction * scale_of(&body[i], &k[i].IA))) return i;
        if (body[i].parent == FA_WORLD) continue;
        fa_articulated *parent = &k[body[i].parent].IA;
        *parent = articulated_add(
            *parent, articulated_to_parent(k[i].X, articulated_downdate(k[i].IA, U, D)));
    }
    return FA_NOBODY;
}
