// Forward dynamics of one chain in four states at once, a state in each lane: composite bodies as
// in fast_composite.h, where lanes are bodies. Here every quantity is four numbers from the start,
// so there is nothing to transpose and nothing to sum across lanes.
//
// Included by the kernels.
#ifndef FA_FAST_BATCH_H
#define FA_FAST_BATCH_H

#include "fast_frames.h"

// What the kernel notes of one body in its four states.
typedef struct batch_body {
    screws   s;
    inertias b;
    forces   needed;
} batch_body;

// A body's frame and its parent's, and the quantities that sum up from the ground on.
typedef struct batch_motion {
    frames f;
    quad3  w, v, al, a;
} batch_motion;

ALWAYS quad3 batch_vector(double x, double y, double z)
{
    return (quad3){quad_all(x), quad_all(y), quad_all(z)};
}

ALWAYS void batch_frame(const fa_fast_group *same, const bool slides, quad q, batch_motion *m,
                        quad_bits *near)
{
    turned_axes t;
    turn_axes(same, slides, q, &t, near);
    const frames p = m->f;
    const quad3  at = quad3_load(same->place[0]);
    const quad3  coefficient[3] = {quad3_load(t.x[0]), quad3_load(t.y[0]),
                                   quad3_load(same->axis[2][0])};
    quad3        axis[3];
    UNROLLED
    for (int k = 0; k < 3; k++)
        axis[k] = quad3_add(
            quad3_add(quad3_scale(coefficient[k].x, p.x), quad3_scale(coefficient[k].y, p.y)),
            quad3_scale(coefficient[k].z, p.z));
    quad3 origin = quad3_add(p.origin, quad3_scale(at.x, p.x));
    origin = quad3_add(origin, quad3_add(quad3_scale(at.y, p.y), quad3_scale(at.z, p.z)));
    if (slides) origin = quad3_add(origin, quad3_scale(quad_load(t.slide), axis[2]));
    m->f = (frames){axis[0], axis[1], axis[2], origin};
}

ALWAYS fa_status batch(const fa_fast *fast, const bool slides, const quad q[], const quad qd[],
                       const quad tau[], quad qdd[])
{
    const int    n = fast->n;
    batch_body   body[FA_FAST_COMPOSITE_MAX];
    quad         H[FA_FAST_COMPOSITE_MAX][FA_FAST_COMPOSITE_MAX];
    quad_bits    good = {-1, -1, -1, -1};
    const quad   zero = {0, 0, 0, 0};
    const quad3  none = {zero, zero, zero};
    batch_motion m = {{batch_vector(1, 0, 0), batch_vector(0, 1, 0), batch_vector(0, 0, 1), none},
                      none,
                      none,
                      none,
                      batch_vector(-fast->gravity.x, -fast->gravity.y, -fast->gravity.z)};

    // Base to tip.
    for (int i = 0; i < n; i++) {
        const fa_fast_group *same = &fast->same[i];
        batch_body          *k = &body[i];
        batch_frame(same, slides, q[i], &m, &good);
        k->s = screws_of(same, slides, &m.f);
        k->b = inertias_of(same, slides, &m.f);
        const quad3 wJ = quad3_scale(qd[i], k->s.Z), vJ = quad3_scale(qd[i], k->s.S);
        m.w = quad3_add(m.w, wJ);
        m.v = quad3_add(m.v, vJ);
        m.al = quad3_add(m.al, quad3_cross(m.w, wJ));
        m.a = quad3_add(m.a, quad3_add(quad3_cross(m.w, vJ), quad3_cross(m.v, wJ)));
        k->needed = forces_of(&k->b, slides, &(motions){m.w, m.v, m.al, m.a});
    }

    // Tip to base: composite bodies, rows of the mass matrix, what the joints feel.
    inertias all = {{zero, zero, zero, zero, zero, zero}, none, zero};
    forces   sum = {none, none};
    for (int i = n - 1; i >= 0; i--) {
        const batch_body *k = &body[i];
        all.I = (quad_sym3){all.I.xx + k->b.I.xx, all.I.yy + k->b.I.yy, all.I.zz + k->b.I.zz,
                            all.I.xy + k->b.I.xy, all.I.xz + k->b.I.xz, all.I.yz + k->b.I.yz};
        all.h = quad3_add(all.h, k->b.h);
        all.m += k->b.m;
        sum.N = quad3_add(sum.N, k->needed.N);
        sum.F = quad3_add(sum.F, k->needed.F);
        const quad3 N = quad3_add(quad_sym3_mul(all.I, k->s.Z), quad3_cross(all.h, k->s.S));
        quad3       F = quad3_cross(k->s.Z, all.h);
        if (slides) F = quad3_add(F, quad3_scale(all.m, k->s.S));
        for (int j = 0; j <= i; j++)
            H[i][j] = quad3_dot(N, body[j].s.Z) + quad3_dot(F, body[j].s.S);
        H[i][i] += quad_load(fast->same[i].rotor);
        qdd[i] = tau[i] - (quad3_dot(k->s.Z, sum.N) + quad3_dot(k->s.S, sum.F));
    }

    // H = L^T D L from the tip, and the solution.
    for (int k = 0; k < n; k++) body[k].needed.N.x = H[k][k];
    for (int k = n - 1; k >= 0; k--) {
        const quad inverse = 1 / H[k][k];
        good &= (quad_bits)(H[k][k] > FA_FAST_WEAK * body[k].needed.N.x);
        for (int i = 0; i < k; i++) {
            const quad l = H[k][i] * inverse;
            for (int j = 0; j <= i; j++) H[i][j] -= l * H[k][j];
            qdd[i] -= l * qdd[k];
        }
        for (int i = 0; i < k; i++) H[k][i] *= inverse;
        qdd[k] *= inverse;
    }
    quad finite = zero;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) qdd[k] -= H[k][i] * qdd[i];
        finite += 0 * qdd[k];
    }
    good &= (quad_bits)(finite == 0);
    return all_lanes(good) ? FA_OK : FA_UNFIT;
}

// Four states, each of n numbers, one behind the other.
ALWAYS fa_status four_states(const fa_fast *fast, const bool slides, const double q[],
                             const double qd[], const double tau[], double qdd[])
{
    const int n = fast->n;
    quad      lanes[4][FA_FAST_COMPOSITE_MAX];
    for (int i = 0; i < n; i++) {
        lanes[0][i] = (quad){q[i], q[n + i], q[2 * n + i], q[3 * n + i]};
        lanes[1][i] = (quad){qd[i], qd[n + i], qd[2 * n + i], qd[3 * n + i]};
        lanes[2][i] = (quad){tau[i], tau[n + i], tau[2 * n + i], tau[3 * n + i]};
    }
    const fa_status status = batch(fast, slides, lanes[0], lanes[1], lanes[2], lanes[3]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) qdd[k * n + i] = lanes[3][i][k];
    return status;
}

#endif
