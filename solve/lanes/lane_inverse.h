// Inverse dynamics in SIMD lanes: the recursion of Newton and Euler, each body in its own frame,
// with the frames and the inertias of lane_dynamics.h; also for trees and for joints that follow
// others.
//
//   X Y p   the body's x and y axes and its origin, in the parent's frame
//   w al a  angular velocity, its change, and the acceleration of the origin, in the body's frame
//   N F     moment and force for the motion; later of the subtree
//
// Included by lane_block.h.

// Computes the efforts of the coordinates. qd, qdd: NULL: zero. Clears *given in lanes that need
// the readable method.
FA_INLINED void inverse_of_joints(const lane_arm *A, const bool slides, const real3 ground,
                                  const real q[], const real qd[], const real qdd[], real tau[],
                                  lane_link link[], mask *given)
{
    mask good = *given;
    for (int i = 0; i < A->n_coordinates; i++) tau[i] = num(0);
    for (int i = 0; i < A->n; i++) {
        const lane_place *g = &A->place[i];
        const lane_link  *p = g->parent < 0 ? NULL : &link[g->parent];
        lane_link        *k = &link[i];
        const lane_float *x = g->axis[0], *y = g->axis[1], *z = g->axis[2];
        const lane_float  turns = g->turns, ratio = g->ratio;
        const real        at = ratio * q[g->coordinate] + g->offset;
        const real        rate = qd ? ratio * qd[g->coordinate] : num(0);
        const real        change = qdd ? ratio * qdd[g->coordinate] : num(0);
        const real        angle = slides ? turns * at : at;
        const real        spin = slides ? turns * rate : rate;
        const real        pull = slides ? turns * change : change;
        real              s, c;
        lane_sincos(angle, &s, &c);
        good &= (angle < LANE_ANGLE_MAX) & (angle > -LANE_ANGLE_MAX);
        k->X = (real3){c * x[0] + s * y[0], c * x[1] + s * y[1], c * x[2] + s * y[2]};
        k->Y = (real3){c * y[0] - s * x[0], c * y[1] - s * x[1], c * y[2] - s * x[2]};
        k->p = (real3){g->origin[0] - num(0), g->origin[1] - num(0), g->origin[2] - num(0)};
        const real3 Z = {z[0] - num(0), z[1] - num(0), z[2] - num(0)};
        real3       a = p ? p->a : ground;
        if (slides) {
            const real slide = (1 - turns) * at;
            good &= (slide < (lane_float)FA_FAST_FAR) & (slide > (lane_float)-FA_FAST_FAR);
            k->p = real3_add(k->p, real3_scale(slide, Z));
            a = real3_add(a, real3_scale((1 - turns) * change, Z));
        }
        if (p) {
            real3 w = p->w;
            a = real3_add_cross(a, p->al, k->p);
            a = real3_add_cross(a, w, real3_cross(w, k->p));
            if (slides) a = real3_add_cross(a, w, real3_scale(2 * (1 - turns) * rate, Z));
            const real3 al = p->al;
            k->w = (real3){real3_dot(k->X, w), real3_dot(k->Y, w), real3_dot(Z, w)};
            k->al = (real3){real3_dot(k->X, al), real3_dot(k->Y, al), real3_dot(Z, al)};
            k->al.x += k->w.y * spin;
            k->al.y -= k->w.x * spin;
            k->al.z += pull;
            k->w.z += spin;
        } else {
            k->w = (real3){num(0), num(0), spin};
            k->al = (real3){num(0), num(0), pull};
        }
        k->a = (real3){real3_dot(k->X, a), real3_dot(k->Y, a), real3_dot(Z, a)};
        const real3 w = k->w, al = k->al;
        real3       h = {A->same[i].first[0] - num(0), A->same[i].first[1] - num(0), num(0)};
        if (slides) h.z = A->same[i].first[2] - num(0);
        const real_sym3 I = {A->same[i].inertia[0] - num(0), A->same[i].inertia[1] - num(0),
                             A->same[i].inertia[2] - num(0), A->same[i].inertia[3] - num(0),
                             A->same[i].inertia[4] - num(0), A->same[i].inertia[5] - num(0)};
        k->F = real3_add_cross(real3_cross(al, h), w, real3_cross(w, h));
        if (slides) k->F = real3_add(k->F, real3_scale(A->same[i].mass - num(0), k->a));
        k->N = real3_add_cross(real3_symmetric(I, al), w, real3_symmetric(I, w));
        k->N = real3_add_cross(k->N, h, k->a);
    }
    for (int i = A->n - 1; i >= 0; i--) {
        const lane_place *g = &A->place[i];
        const lane_link  *k = &link[i];
        const lane_float *z = g->axis[2], turns = g->turns, ratio = g->ratio;
        const real        change = qdd ? ratio * qdd[g->coordinate] : num(0);
        const real        felt = slides ? turns * k->N.z + (1 - turns) * k->F.z : k->N.z;
        tau[g->coordinate] += ratio * (felt + A->same[i].rotor * change);
        if (g->parent < 0) continue;
        lane_link  *p = &link[g->parent];
        const real3 N = k->N, F = k->F, X = k->X, Y = k->Y;
        const real3 f = {X.x * F.x + Y.x * F.y + z[0] * F.z, X.y * F.x + Y.y * F.y + z[1] * F.z,
                         X.z * F.x + Y.z * F.y + z[2] * F.z};
        const real3 m = {X.x * N.x + Y.x * N.y + z[0] * N.z, X.y * N.x + Y.y * N.y + z[1] * N.z,
                         X.z * N.x + Y.z * N.y + z[2] * N.z};
        p->F = real3_add(p->F, f);
        p->N = real3_add_cross(real3_add(p->N, m), k->p, f);
    }
    *given = good;
}
