// Recursive Newton-Euler inverse dynamics, and forward dynamics by n + 1 calls of it.
//
// J. Y. S. Luh, M. W. Walker and R. P. C. Paul, "On-line computational scheme for mechanical
// manipulators", J. Dyn. Syst. Meas. Control 102 (1980), in the spatial form of R. Featherstone,
// "Rigid Body Dynamics Algorithms" (2008), table 5.1. Forward dynamics is method 1 of M. W. Walker
// and D. E. Orin, "Efficient dynamic computer simulation of robotic mechanisms", same journal 104
// (1982): column k of the mass matrix is the torque of a unit acceleration of joint k alone.
//
//     book     here
//     X_i      X        parent to body
//     S_i      S        joint axis
//     v_i      v        velocity of the body
//     a_i      a        acceleration, with gravity in it: a_0 = -gravity
//     f_i      f        force across joint i
//     f_i^x    load->wrench
#include <string.h>

#include "dynamics.h"
#include "forward_by_matrix.h"
#include "methods.h"

typedef struct body_state {
    fa_transform X;
    fa_twist     S, v, a;
    fa_wrench    f;
} body_state;

size_t fa_newton_euler_inverse_work_size(const fa_chain *chain)
{
    return (size_t)chain->n * sizeof(body_state);
}

fa_status fa_newton_euler_inverse(const fa_chain *chain, const double q[], const double qd[],
                                  const double qdd[], const fa_load *load, double tau[], void *work)
{
    const fa_body *body = chain->body;
    body_state    *k = work;
    const fa_twist ground = fa_chain_base_velocity(chain);
    fa_twist       free_fall = {{0, 0, 0}, vec3_scale(-1, chain->gravity)};
    if (chain->base_moves) free_fall = twist_add(free_fall, chain->base_acceleration);

    // Base to tip: motion, and the force that each body needs for it.
    for (int i = 0; i < chain->n; i++) {
        k[i].X = fa_joint_transform(&body[i], fa_joint_position(&body[i], q));
        k[i].S = fa_joint_axis(&body[i]);
        fa_twist vJ = twist_scale(fa_joint_rate(&body[i], qd), k[i].S);
        fa_twist aJ = twist_scale(fa_joint_rate(&body[i], qdd), k[i].S);
        if (body[i].parent == FA_WORLD) {
            k[i].v = vJ;
            k[i].a = twist_add(to_child(k[i].X, free_fall), aJ);
            if (chain->base_moves) {
                k[i].v = twist_add(to_child(k[i].X, ground), vJ);
                k[i].a = twist_add(k[i].a, twist_cross(k[i].v, vJ));
            }
        } else {
            const body_state *parent = &k[body[i].parent];
            k[i].v = twist_add(to_child(k[i].X, parent->v), vJ);
            k[i].a = twist_add(twist_add(to_child(k[i].X, parent->a), aJ), twist_cross(k[i].v, vJ));
        }
        k[i].f = wrench_add(inertia_mul(body[i].inertia, k[i].a),
                            twist_cross_wrench(k[i].v, inertia_mul(body[i].inertia, k[i].v)));
        if (load && load->wrench) k[i].f = wrench_sub(k[i].f, load->wrench[i]);
    }

    // Tip to base: each joint passes on what hangs on it.
    memset(tau, 0, (size_t)chain->n_coordinates * sizeof *tau);
    for (int i = chain->n - 1; i >= 0; i--) {
        double rotor = body[i].rotor * fa_joint_rate(&body[i], qdd);
        tau[body[i].coordinate] += body[i].ratio * (power(k[i].S, k[i].f) + rotor);
        if (body[i].parent == FA_WORLD) continue;
        body_state *parent = &k[body[i].parent];
        parent->f = wrench_add(parent->f, to_parent(k[i].X, k[i].f));
    }
    return fa_all_finite(tau, chain->n_coordinates) ? FA_OK : FA_NOT_FINITE;
}

size_t fa_newton_euler_work_size(const fa_chain *chain)
{
    const size_t zero_and_unit = 2 * (size_t)chain->n_coordinates * sizeof(double);
    return fa_forward_by_matrix_size(chain) + fa_newton_euler_inverse_work_size(chain) +
           zero_and_unit;
}

fa_status fa_newton_euler_mass_matrix(const fa_chain *chain, const double q[], double M[],
                                      void *work)
{
    // At rest and without gravity, inverse dynamics is M qdd.
    fa_chain weightless = *chain;
    weightless.gravity = vec3(0, 0, 0);
    weightless.base_moves = false;
    size_t n = (size_t)chain->n_coordinates;
    // cppcheck-suppress invalidPointerCast ; that much of the work is of doubles, too
    double *zero = (double *)((char *)work + fa_newton_euler_inverse_work_size(chain)),
           *unit = zero + n;
    memset(zero, 0, 2 * n * sizeof *zero);
    for (size_t column = 0; column < n; column++) {
        // Rows and columns are the same numbers: the matrix is symmetric.
        unit[column] = 1;
        fa_status status =
            fa_newton_euler_inverse(&weightless, q, zero, unit, NULL, M + column * n, work);
        if (status != FA_OK) return status;
        unit[column] = 0;
    }
    return FA_OK;
}

fa_status fa_newton_euler_forward(const fa_chain *chain, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_newton_euler_inverse, fa_newton_euler_mass_matrix, chain, q, qd,
                                tau, load, qdd, work);
}
