// Forward dynamics in SIMD lanes: composite bodies, each about its own origin in the world's axes,
// then the mass matrix as L^T D L, like model/dynamics/fast/fast_batch.h; also for trees and for
// joints that follow others.
//
//   x y z   the body's axes, z along its joint      d   from the parent's origin to its own
//   w al a  angular velocity, its change, and that of the origin's velocity, at qdd = 0
//   U       acceleration of the body's points about its origin: al x r + w x (w x r) = U r
//   I h m   tensor and first moment about its origin, mass; later of its subtree
//   N F     moment and force for the motion; later of its subtree
//
// Included twice by lane_kernel.h. DYNAMICS(name) is the name of a function; BODY(field) is a
// number of body i, shared by all lanes or one per lane.

// a x + b y + c z with the three axes.
#define ALONG(k, a, b, c)                                                                          \
    ((real3){a * (k)->x.x + b * (k)->y.x + c * (k)->z.x,                                           \
             a * (k)->x.y + b * (k)->y.y + c * (k)->z.y,                                           \
             a * (k)->x.z + b * (k)->y.z + c * (k)->z.z})

// R I R^T and R h. Without sliding joints the mass is not needed, h has no z, and I no yy
// (fast_prepare.c).
FA_INLINED void DYNAMICS(inertia)(const lane_arm *A, const int i, const bool slides,
                                  const lane_motion *m, lane_body *k)
{
    const real3 X = m->x, Y = m->y, Z = m->z;
    const real3 P = ALONG(m, BODY(inertia[0]), BODY(inertia[3]), BODY(inertia[4]));
    real3       Q;
    const real3 R = ALONG(m, BODY(inertia[4]), BODY(inertia[5]), BODY(inertia[2]));
    if (slides) {
        Q = ALONG(m, BODY(inertia[3]), BODY(inertia[1]), BODY(inertia[5]));
        k->h = ALONG(m, BODY(first[0]), BODY(first[1]), BODY(first[2]));
        k->m = BODY(mass) - num(0);
    } else {
        Q = (real3){BODY(inertia[3]) * X.x + BODY(inertia[5]) * Z.x,
                    BODY(inertia[3]) * X.y + BODY(inertia[5]) * Z.y,
                    BODY(inertia[3]) * X.z + BODY(inertia[5]) * Z.z};
        k->h = (real3){BODY(first[0]) * X.x + BODY(first[1]) * Y.x,
                       BODY(first[0]) * X.y + BODY(first[1]) * Y.y,
                       BODY(first[0]) * X.z + BODY(first[1]) * Y.z};
    }
    k->I = (real_sym3){P.x * X.x + Q.x * Y.x + R.x * Z.x, P.y * X.y + Q.y * Y.y + R.y * Z.y,
                       P.z * X.z + Q.z * Y.z + R.z * Z.z, P.x * X.y + Q.x * Y.y + R.x * Z.y,
                       P.x * X.z + Q.x * Y.z + R.x * Z.z, P.y * X.z + Q.y * Y.z + R.y * Z.z};
}

// Computes the motion of body i from its parent's.
FA_INLINED void DYNAMICS(move)(const lane_arm *A, const int i, const bool slides, real q, real qd,
                               lane_motion *m, lane_body *k, mask *good)
{
    const lane_place *g = &A->place[i];
    const lane_float  turns = g->turns;
    const real        angle = slides ? turns * q : q;
    real              s, c;
    lane_sincos(angle, &s, &c);
    *good &= (angle < LANE_ANGLE_MAX) & (angle > -LANE_ANGLE_MAX);
    const lane_float *x = g->axis[0], *y = g->axis[1], *z = g->axis[2];
    const real3 X = ALONG(m, (c * x[0] + s * y[0]), (c * x[1] + s * y[1]), (c * x[2] + s * y[2]));
    const real3 Y = ALONG(m, (c * y[0] - s * x[0]), (c * y[1] - s * x[1]), (c * y[2] - s * x[2]));
    k->z = ALONG(m, z[0], z[1], z[2]);
    k->d = ALONG(m, g->origin[0], g->origin[1], g->origin[2]);
    m->x = X;
    m->y = Y;
    m->z = k->z;
    real3 sliding = {num(0), num(0), num(0)};
    if (slides) {
        const real slide = (1 - turns) * q;
        *good &= (slide < (lane_float)FA_FAST_FAR) & (slide > (lane_float)-FA_FAST_FAR);
        k->d = real3_add(k->d, real3_scale(slide, k->z));
        sliding = real3_scale((1 - turns) * qd, k->z);
        qd *= turns;
    }
    // Motion at zero joint acceleration.
    m->a = real3_add(m->a, real3_turned_by(m->U, k->d));
    // Coriolis acceleration.
    if (slides) m->a = real3_add_cross(m->a, m->w, real3_add(sliding, sliding));
    const real3 turning = real3_scale(qd, k->z);
    m->al = real3_add_cross(m->al, m->w, turning);
    m->w = real3_add(m->w, turning);
    const real3 w = m->w, al = m->al;
    const real  xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    m->U[0] = (real3){-(yy + zz), w.x * w.y + al.z, w.x * w.z - al.y};
    m->U[1] = (real3){w.x * w.y - al.z, -(xx + zz), w.y * w.z + al.x};
    m->U[2] = (real3){w.x * w.z + al.y, w.y * w.z - al.x, -(xx + yy)};

    DYNAMICS(inertia)(A, i, slides, m, k);
    k->F = real3_turned_by(m->U, k->h);
    if (slides) k->F = real3_add(k->F, real3_scale(k->m, m->a));
    k->N = real3_add(real3_symmetric(k->I, al), real3_cross(k->h, m->a));
    k->N = real3_add_cross(k->N, w, real3_symmetric(k->I, w));
}

// Computes the accelerations of the coordinates from their torques. `damping`: added to the
// diagonal of the mass matrix; NULL: none. Clears *good in lanes that need the readable method.
FA_INLINED void DYNAMICS(forward)(const lane_arm *A, const int n, const int nc, const bool slides,
                                  const bool plain, const real q[], const real qd[],
                                  const real tau[], const real damping[], real qdd[],
                                  lane_body body[], real H[], lane_scratch *S, mask *given)
{
    lane_motion at_hand = S->motion[0]; // motion of the ground
    mask        fine = *given, *good = &fine;
    LANES_UNROLLED
    for (int i = 0; i < n; i++) {
        const lane_place *g = &A->place[i];
        const real        at = plain ? q[i] : g->ratio * q[g->coordinate] + g->offset;
        const real        rate = plain ? qd[i] : g->ratio * qd[g->coordinate];
        if (!plain) at_hand = S->motion[g->parent + 1];
        DYNAMICS(move)(A, i, slides, at, rate, &at_hand, &body[i], good);
        if (!plain) S->motion[i + 1] = at_hand;
    }
    for (int i = 0; i < nc; i++) qdd[i] = tau[i];
    for (int i = 0; i < nc * nc && !plain; i++) H[i] = num(0);
    LANES_UNROLLED
    for (int i = n - 1; i >= 0; i--) {
        const lane_place *g = &A->place[i];
        lane_body        *k = &body[i];
        // Moment and force that a unit acceleration of joint i causes along its subtree.
        real3 N = real3_symmetric(k->I, k->z), F = real3_cross(k->z, k->h);
        real  need = real3_dot(k->z, k->N);
        if (slides) {
            const lane_float t = g->turns, s = 1 - g->turns;
            N = real3_add(real3_scale(t - num(0), N),
                          real3_scale(s - num(0), real3_cross(k->h, k->z)));
            F = real3_add(real3_scale(t - num(0), F), real3_scale(s * k->m, k->z));
            need = t * need + s * real3_dot(k->z, k->F);
        }
        const int        ci = plain ? i : g->coordinate;
        const lane_float ri = plain ? 1 : g->ratio;
        qdd[ci] -= plain ? need : ri * need;
        if (plain) {
            LANES_UNROLLED
            for (int j = i; j >= 0; j--) {
                const lane_float t = A->place[j].turns;
                real             felt = real3_dot(N, body[j].z);
                if (slides) felt = t * felt + (1 - t) * real3_dot(F, body[j].z);
                H[i * nc + j] = j == i ? felt + BODY(rotor) : felt;
                if (j > 0) N = real3_add_cross(N, body[j].d, F);
            }
        }
        for (int j = i; !plain && j >= 0; j = A->place[j].parent) {
            const lane_place *at = &A->place[j];
            const int         cj = at->coordinate;
            real              felt = real3_dot(N, body[j].z);
            if (slides) felt = at->turns * felt + (1 - at->turns) * real3_dot(F, body[j].z);
            if (j == i) felt += BODY(rotor);
            felt *= ri * at->ratio;
            H[(ci > cj ? ci : cj) * nc + (ci > cj ? cj : ci)] +=
                ci == cj && j != i ? 2 * felt : felt;
            N = real3_add_cross(N, body[j].d, F);
        }
        const int next = plain ? i - 1 : g->parent;
        if (next < 0) continue;
        // Translates to the parent's origin.
        lane_body  *p = &body[next];
        const real3 d = k->d;
        real3       h = k->h, e = k->h; // for the parallel-axis theorem: h + m d / 2
        if (slides) {
            const real3 md = real3_scale(k->m, d);
            h = real3_add(h, md);
            e = real3_add(e, real3_scale(num(0.5), md));
            p->m += k->m;
        }
        const real x = d.x * e.x, y = d.y * e.y, z = d.z * e.z;
        p->I.xx += k->I.xx + 2 * (y + z);
        p->I.yy += k->I.yy + 2 * (x + z);
        p->I.zz += k->I.zz + 2 * (x + y);
        p->I.xy += (k->I.xy - d.x * e.y) - d.y * e.x;
        p->I.xz += (k->I.xz - d.x * e.z) - d.z * e.x;
        p->I.yz += (k->I.yz - d.y * e.z) - d.z * e.y;
        p->h = real3_add(p->h, h);
        p->N = real3_add_cross(real3_add(p->N, k->N), d, k->F);
        p->F = real3_add(p->F, k->F);
    }
    for (int i = 0; i < nc && damping; i++) H[i * nc + i] += damping[i];

    // Factors H = L^T D L from the tip, and solves in place.
    for (int i = 0; i < nc; i++) S->diagonal[i] = H[i * nc + i];
    LANES_UNROLLED
    for (int k = nc - 1; k >= 0; k--) {
        real      *row = H + k * nc;
        const real inverse = 1 / row[k], b = qdd[k];
        *good &= row[k] > OF_LANES(1e-4, FA_FAST_WEAK) * S->diagonal[k];
        LANES_UNROLLED
        for (int i = k - 1; i >= 0; i--) { // last use of row[i]
            const real l = row[i] * inverse;
            LANES_UNROLLED
            for (int j = i; j >= 0; j--) H[i * nc + j] -= l * row[j];
            qdd[i] -= l * b;
            row[i] = l;
        }
        qdd[k] = b * inverse;
    }
    LANES_UNROLLED
    for (int k = 0; k < nc; k++) {
        real sum = qdd[k];
        LANES_UNROLLED
        for (int i = 0; i < k; i++) sum -= H[k * nc + i] * qdd[i];
        qdd[k] = sum;
    }
    *given = fine;
}

#undef ALONG
#undef BODY
#undef DYNAMICS
