// Lagrange's equations written with angular velocities, after
//
//   W. M. Silver, "On the Representation of Angular Velocity and its Effect on the Efficiency of
//   Manipulator Dynamics Computation", A.I. Memo 622, Massachusetts Institute of Technology, March
//   1981.
//
// No coordinate systems and no recursion: every vector is in world axes, and every velocity is the
// sum over the joints that cause it. This is the referee of the other methods, so it shares no
// arithmetic with them; see lagrange.h.
//
//     paper                  here
//     z_i                    z
//     p_{j,i}                p, from a point on axis j (b[j].o) to the centre of mass of i
//     v_i, omega_i           v, w       their derivatives   dv, dw
//     dv_i/dq'_j             dv_dqd     domega_i/dq'_j      dw_dqd
//     I_i                    I
//     F_i, N_i               F, N
//
// Additions to the paper, each as its section 3.2 suggests: gravity as an acceleration of the base;
// loads by the velocity of the point that they act at. Reflected rotor inertia adds
// rotor (d/dt q'), and a joint that follows another one adds to its leader's coordinate. Ground
// that moves is one more cause of every velocity: of a point by its angular velocity about the
// world's origin, in world axes at the moment at which they are those of the ground.
#include "lagrange.h"

#include <string.h>

#include "forward_by_matrix.h"
#include "methods.h"

// Displacement of a prismatic joint; for a screw the part that belongs to its angle or rate.
static double slide(const fa_body *body, double coordinate)
{
    return body->joint == FA_SCREW ? body->advance * coordinate : coordinate;
}

// Where body i stands: W, z, o, com and I.
static void place(const fa_chain *chain, const double q[], fa_lagrange_body b[], int i)
{
    const fa_body *body = &chain->body[i];
    const double   m = body->inertia.mass;
    const fa_v3    u = v3_of(body->axis);
    const bool     turns = fa_joint_turns(body->joint), slides = fa_joint_slides(body->joint);
    const double   position = body->ratio * q[body->coordinate] + body->offset;
    const bool     grounded = body->parent == FA_WORLD;
    const fa_m3    W = grounded ? m3_one() : b[body->parent].W;
    const fa_v3    o = grounded ? (fa_v3){{0, 0, 0}} : b[body->parent].o;
    const fa_m3    home = m3_multiply(W, m3_transpose(m3_of(body->home.E)));

    b[i].z = m3_apply(home, u);
    b[i].W = turns ? m3_multiply(home, m3_turn(u, position)) : home;
    b[i].o = v3_plus(o, m3_apply(W, v3_of(body->home.r)));
    if (slides) b[i].o = v3_plus(b[i].o, v3_times(slide(body, position), b[i].z));

    // The chain keeps the first moment and the second moments about o; Silver's I is about the
    // centre of mass. (2.11) twice, with the second moments moved in between.
    const fa_v3 r = v3_times(m > 0 ? 1 / m : 0, v3_of(body->inertia.h));
    const fa_m3 J = m3_plus(m3_second_moment(body->inertia.I), m3_times(-m, m3_outer(r, r)));
    const fa_m3 I = m3_plus(m3_times(m3_trace(J), m3_one()), m3_times(-1, J)); // (2.11)
    b[i].com = v3_plus(b[i].o, m3_apply(b[i].W, r));
    b[i].I = m3_multiply(m3_multiply(b[i].W, I), m3_transpose(b[i].W));
}

// Derivatives by the rate of joint j of the velocity (3.15) of a point p, given from the joint's
// axis, and of the angular velocity (3.16).
static fa_v3 linear_part(const fa_chain *chain, const fa_lagrange_body b[], int j, fa_v3 p)
{
    const fa_body *body = &chain->body[j];
    if (fa_joint_is_linear(body->joint)) return b[j].z;
    const fa_v3 turning = v3_product(b[j].z, p);
    return body->joint == FA_SCREW ? v3_plus(turning, v3_times(body->advance, b[j].z)) : turning;
}

static fa_v3 angular_part(const fa_chain *chain, const fa_lagrange_body b[], int j)
{
    return fa_joint_is_linear(chain->body[j].joint) ? (fa_v3){{0, 0, 0}} : b[j].z;
}

void fa_lagrange_partials(const fa_chain *chain, const fa_lagrange_body b[], int i, int j,
                          fa_v3 *dv_dqd, fa_v3 *dw_dqd)
{
    *dv_dqd = linear_part(chain, b, j, v3_minus(b[i].com, b[j].o)); // (3.15)
    *dw_dqd = angular_part(chain, b, j);                            // (3.16)
}

static double rate_of(const fa_chain *chain, const double rates[], int j)
{
    return chain->body[j].ratio * rates[chain->body[j].coordinate];
}

// Parts of a point's velocity and acceleration that the ground's motion causes.
static fa_v3 ground_velocity(const fa_chain *chain, fa_v3 at)
{
    return v3_product(v3_of(chain->base_rate), at);
}

static fa_v3 ground_acceleration(const fa_chain *chain, fa_v3 at, fa_v3 velocity)
{
    const fa_v3 turning = v3_product(v3_of(chain->base_acceleration.angular), at);
    const fa_v3 turned = v3_product(v3_of(chain->base_rate), velocity);
    return v3_plus(v3_of(chain->base_acceleration.linear), v3_plus(turning, turned));
}

// Velocity of the point `at`, which moves with body i.
static fa_v3 point_velocity(const fa_chain *chain, const double qd[], const fa_lagrange_body b[],
                            int i, fa_v3 at)
{
    fa_v3 v = {{0, 0, 0}};
    if (chain->base_moves) v = ground_velocity(chain, at);
    for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
        v = v3_plus(v, v3_times(rate_of(chain, qd, j),
                                linear_part(chain, b, j, v3_minus(at, b[j].o)))); // (3.13)
    return v;
}

void fa_lagrange_motion(const fa_chain *chain, const double q[], const double qd[],
                        const double qdd[], fa_lagrange_body b[])
{
    for (int i = 0; i < chain->n; i++) place(chain, q, b, i);

    for (int i = 0; i < chain->n; i++) {
        b[i].vo = point_velocity(chain, qd, b, i, b[i].o);
        b[i].v = point_velocity(chain, qd, b, i, b[i].com);
        b[i].w = (fa_v3){{0, 0, 0}};
        if (chain->base_moves) b[i].w = v3_of(chain->base_rate);
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent)
            b[i].w = v3_plus(b[i].w, v3_times(rate_of(chain, qd, j), angular_part(chain, b, j)));
    } // (3.14)

    // The derivatives of (3.13) and (3.14) in time, term by term. z_j moves with link j, and so
    // changes by omega_j x z_j: (A.2).
    for (int i = 0; i < chain->n; i++) {
        b[i].dv = v3_times(-1, v3_of(chain->gravity));
        b[i].dw = (fa_v3){{0, 0, 0}};
        if (chain->base_moves) {
            b[i].dv = v3_plus(b[i].dv, ground_acceleration(chain, b[i].com, b[i].v));
            b[i].dw = v3_of(chain->base_acceleration.angular);
        }
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent) {
            const double rate = rate_of(chain, qd, j), kick = rate_of(chain, qdd, j);
            const fa_v3  dz = v3_product(b[j].w, b[j].z);
            fa_v3        dv_dqd, dw_dqd, dv_change, dw_change;
            fa_lagrange_partials(chain, b, i, j, &dv_dqd, &dw_dqd);
            if (fa_joint_is_linear(chain->body[j].joint)) {
                dv_change = dz;
                dw_change = (fa_v3){{0, 0, 0}};
            } else {
                const fa_v3 p = v3_minus(b[i].com, b[j].o);
                const fa_v3 dp = v3_minus(b[i].v, b[j].vo);
                dv_change = v3_plus(v3_product(dz, p), v3_product(b[j].z, dp));
                dw_change = dz;
                if (chain->body[j].joint == FA_SCREW)
                    dv_change = v3_plus(dv_change, v3_times(chain->body[j].advance, dz));
            }
            b[i].dv = v3_plus(b[i].dv, v3_plus(v3_times(kick, dv_dqd), v3_times(rate, dv_change)));
            b[i].dw = v3_plus(b[i].dw, v3_plus(v3_times(kick, dw_dqd), v3_times(rate, dw_change)));
        }
    }
}

// A load on body i, as its generalised force on joint j.
static double load_on(const fa_chain *chain, const fa_lagrange_body b[], int i, int j,
                      const fa_wrench *wrench)
{
    const fa_v3 f = m3_apply(b[i].W, v3_of(wrench->force));
    const fa_v3 n = m3_apply(b[i].W, v3_of(wrench->moment));
    return v3_inner(f, linear_part(chain, b, j, v3_minus(b[i].o, b[j].o))) +
           v3_inner(n, angular_part(chain, b, j));
}

size_t fa_lagrange_work_size(const fa_chain *chain)
{
    return fa_forward_by_matrix_size(chain) + (size_t)chain->n * sizeof(fa_lagrange_body);
}

fa_status fa_lagrange_inverse(const fa_chain *chain, const double q[], const double qd[],
                              const double qdd[], const fa_load *load, double tau[], void *work)
{
    fa_lagrange_body *b = work;
    fa_lagrange_motion(chain, q, qd, qdd, b);
    memset(tau, 0, (size_t)chain->n_coordinates * sizeof *tau);
    for (int i = 0; i < chain->n; i++) {
        const fa_v3 L = m3_apply(b[i].I, b[i].w);
        const fa_v3 N = v3_plus(m3_apply(b[i].I, b[i].dw), v3_product(b[i].w, L)); // (1.3)
        const fa_v3 F = v3_times(chain->body[i].inertia.mass, b[i].dv);
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent) {
            const fa_body *joint = &chain->body[j];
            fa_v3          dv_dqd, dw_dqd;
            fa_lagrange_partials(chain, b, i, j, &dv_dqd, &dw_dqd);
            double share = v3_inner(F, dv_dqd) + v3_inner(N, dw_dqd); // (3.12)
            if (load && load->wrench) share -= load_on(chain, b, i, j, &load->wrench[i]);
            if (i == j) share += joint->rotor * rate_of(chain, qdd, j);
            tau[joint->coordinate] += joint->ratio * share;
        }
    }
    return fa_all_finite(tau, chain->n_coordinates) ? FA_OK : FA_NOT_FINITE;
}

// M is the Hessian of the kinetic energy (3.1) by the joint rates.
fa_status fa_lagrange_mass_matrix(const fa_chain *chain, const double q[], double M[], void *work)
{
    const size_t      n = (size_t)chain->n_coordinates;
    fa_lagrange_body *b = work;
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < chain->n; i++) place(chain, q, b, i);
    for (int i = 0; i < chain->n; i++) {
        for (int j = i; j != FA_WORLD; j = chain->body[j].parent) {
            const fa_body *joint = &chain->body[j];
            const size_t   row = (size_t)joint->coordinate;
            fa_v3          v, w;
            fa_lagrange_partials(chain, b, i, j, &v, &w);
            const fa_v3 F = v3_times(chain->body[i].inertia.mass, v), N = m3_apply(b[i].I, w);
            if (i == j) M[row * n + row] += joint->ratio * joint->ratio * joint->rotor;
            for (int k = i; k != FA_WORLD; k = chain->body[k].parent) {
                const fa_body *other = &chain->body[k];
                fa_lagrange_partials(chain, b, i, k, &v, &w);
                M[row * n + (size_t)other->coordinate] +=
                    joint->ratio * other->ratio * (v3_inner(F, v) + v3_inner(N, w));
            }
        }
    }
    return fa_all_finite(M, (int)(n * n)) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_lagrange_forward(const fa_chain *chain, const double q[], const double qd[],
                              const double tau[], const fa_load *load, double qdd[], void *work)
{
    return fa_forward_by_matrix(fa_lagrange_inverse, fa_lagrange_mass_matrix, chain, q, qd, tau,
                                load, qdd, work);
}
