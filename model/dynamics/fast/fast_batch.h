// Forward dynamics of one chain in as many states at once as the kernel has lanes, a state in each:
// composite bodies as in fast_composite.h, where lanes are bodies. Here every quantity is in lanes
// from the start, so nothing is summed across them, and each body's quantities can be about its own
// origin, in the world's axes: moving them to the parent's costs less than one origin for all, and
// no digits.
//
//     x y z   the body's axes, z along its joint      d   from the parent's origin to its own
//     w al a  angular velocity, its change, and that of the origin's velocity, at qdd = 0
//     U       acceleration of the body's points about its origin: al x r + w x (w x r) = U r
//     I h m   tensor and first moment about its origin, mass; then of all that it carries
//     N F     moment and force that the motion needs; then of all that it carries
//
// Included by the kernels.
#ifndef FA_FAST_BATCH_H
#define FA_FAST_BATCH_H

#include "fast.h"
#include "fast_lanes.h"
#include "sincos.h"

#include "fast_wide.h"

#define NUMBERS   wide
#define TRIPLE    wide3
#define SYMMETRIC wide_sym3
#include "fast_triples.h"
#undef NUMBERS

// Data of a body in all states of the batch, without rows of the mass matrix.
typedef struct wide_body {
    wide3     d, z, h, N, F;
    wide_sym3 I;
    wide      m;
} wide_body;

// Motion of a body, for its child.
typedef struct wide_motion {
    wide3 x, y, z, w, al, a, U[3];
} wide_motion;

// a x + b y + c z of the three axes, with numbers of the chain or of the states.
#define ALONG(axes, a, b, c)                                                                       \
    ((wide3){a * (axes)->x.x + b * (axes)->y.x + c * (axes)->z.x,                                  \
             a * (axes)->x.y + b * (axes)->y.y + c * (axes)->z.y,                                  \
             a * (axes)->x.z + b * (axes)->y.z + c * (axes)->z.z})

// The columns of U.
ALWAYS void wide_turning(wide_motion *m)
{
    const wide3 w = m->w, al = m->al;
    const wide  xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    m->U[0] = (wide3){-(yy + zz), w.x * w.y + al.z, w.x * w.z - al.y};
    m->U[1] = (wide3){w.x * w.y - al.z, -(xx + zz), w.y * w.z + al.x};
    m->U[2] = (wide3){w.x * w.z + al.y, w.y * w.z - al.x, -(xx + yy)};
}

// R I R^T and R h; without sliding joints there is no mass, h has no z, and I no yy
// (fast_prepare.c).
ALWAYS void wide_inertia(const fa_fast_group *g, const int l, const bool slides,
                         const wide_motion *m, wide_body *k)
{
    const double(*I)[4] = g->inertia;
    const wide3 X = m->x, Y = m->y, Z = m->z;
    const wide3 A = ALONG(m, I[0][l], I[3][l], I[4][l]);
    wide3       B, C = ALONG(m, I[4][l], I[5][l], I[2][l]);
    if (slides) {
        B = ALONG(m, I[3][l], I[1][l], I[5][l]);
        k->h = ALONG(m, g->first[0][l], g->first[1][l], g->first[2][l]);
        k->m = ALL_LANES(g->mass[l]);
    } else {
        B = (wide3){I[3][l] * X.x + I[5][l] * Z.x, I[3][l] * X.y + I[5][l] * Z.y,
                    I[3][l] * X.z + I[5][l] * Z.z};
        k->h = (wide3){g->first[0][l] * X.x + g->first[1][l] * Y.x,
                       g->first[0][l] * X.y + g->first[1][l] * Y.y,
                       g->first[0][l] * X.z + g->first[1][l] * Y.z};
    }
    k->I = (wide_sym3){A.x * X.x + B.x * Y.x + C.x * Z.x, A.y * X.y + B.y * Y.y + C.y * Z.y,
                       A.z * X.z + B.z * Y.z + C.z * Z.z, A.x * X.y + B.x * Y.y + C.x * Z.y,
                       A.x * X.z + B.x * Y.z + C.x * Z.z, A.y * X.z + B.y * Y.z + C.y * Z.z};
}

// Body i, from its parent's motion; `good` loses the lanes that are left to the readable method.
ALWAYS void wide_move(const fa_fast_group *g, const int l, const bool slides, wide q, wide qd,
                      wide_motion *m, wide_body *k, wide_bits *good)
{
    // Frame, with the joint turned by q or slid along.
    const double turns = g->turns[l];
    const double(*x)[4] = g->axis[0], (*y)[4] = g->axis[1], (*z)[4] = g->axis[2];
    const wide angle = slides ? turns * q : q;
    wide       s, c;
    KERNEL(sincos)(angle, &s, &c);
    *good &= (wide_bits)(angle < FA_SINCOS_MAX) & (wide_bits)(angle > -FA_SINCOS_MAX);
    const wide3 X = ALONG(m, (c * x[0][l] + s * y[0][l]), (c * x[1][l] + s * y[1][l]),
                          (c * x[2][l] + s * y[2][l]));
    const wide3 Y = ALONG(m, (c * y[0][l] - s * x[0][l]), (c * y[1][l] - s * x[1][l]),
                          (c * y[2][l] - s * x[2][l]));
    k->z = ALONG(m, z[0][l], z[1][l], z[2][l]);
    k->d = ALONG(m, g->place[0][l], g->place[1][l], g->place[2][l]);
    m->x = X;
    m->y = Y;
    m->z = k->z;

    wide3 sliding = {ALL_LANES(0.0), ALL_LANES(0.0), ALL_LANES(0.0)};
    if (slides) {
        const wide slide = (1 - turns) * q;
        *good &= (wide_bits)(slide < FA_FAST_FAR) & (wide_bits)(slide > -FA_FAST_FAR);
        k->d = wide3_add(k->d, wide3_scale(slide, k->z));
        sliding = wide3_scale((1 - turns) * qd, k->z);
        qd *= turns;
    }

    // Motion, as if no joint accelerated.
    m->a = wide3_add(m->a, wide3_turned_by(m->U, k->d));
    if (slides) m->a = wide3_add_cross(m->a, m->w, wide3_add(sliding, sliding)); // Coriolis
    const wide3 turning = wide3_scale(qd, k->z);
    m->al = wide3_add_cross(m->al, m->w, turning);
    m->w = wide3_add(m->w, turning);
    wide_turning(m);

    wide_inertia(g, l, slides, m, k);
    k->F = wide3_turned_by(m->U, k->h);
    if (slides) k->F = wide3_add(k->F, wide3_scale(k->m, m->a));
    k->N = wide3_add(wide3_symmetric(k->I, m->al), wide3_cross(k->h, m->a));
    k->N = wide3_add_cross(k->N, m->w, wide3_symmetric(k->I, m->w));
}

// Hands what body k carries to its parent.
ALWAYS void wide_hand_over(const bool slides, const wide_body *k, wide_body *parent)
{
    const wide3 d = k->d;
    wide3       h = k->h, e = k->h; // of the parallel-axis theorem: h + m d / 2
    if (slides) {
        const wide3 md = wide3_scale(k->m, d);
        h = wide3_add(h, md);
        e = wide3_add(e, wide3_scale(ALL_LANES(0.5), md));
        parent->m += k->m;
    }
    const wide x = d.x * e.x, y = d.y * e.y, z = d.z * e.z;
    parent->I.xx += k->I.xx + 2 * (y + z);
    parent->I.yy += k->I.yy + 2 * (x + z);
    parent->I.zz += k->I.zz + 2 * (x + y);
    parent->I.xy += (k->I.xy - d.x * e.y) - d.y * e.x;
    parent->I.xz += (k->I.xz - d.x * e.z) - d.z * e.x;
    parent->I.yz += (k->I.yz - d.y * e.z) - d.z * e.y;
    parent->h = wide3_add(parent->h, h);
    parent->N = wide3_add_cross(wide3_add(parent->N, k->N), d, k->F);
    parent->F = wide3_add(parent->F, k->F);
}

typedef wide wide_row[FA_FAST_COMPOSITE_MAX];

// Row i of the mass matrix: what the joints up to i feel of a unit acceleration of joint i.
ALWAYS void wide_mass_row(const fa_fast *fast, const bool slides, const wide_body body[], int i,
                          wide_row H)
{
    const wide_body *k = &body[i];
    wide3            N = wide3_symmetric(k->I, k->z), F = wide3_cross(k->z, k->h);
    if (slides) {
        const double turns = fast->group[i / 4].turns[i % 4];
        const wide   t = ALL_LANES(turns), s = ALL_LANES(1 - turns);
        N = wide3_add(wide3_scale(t, N), wide3_scale(s, wide3_cross(k->h, k->z)));
        F = wide3_add(wide3_scale(t, F), wide3_scale(s * k->m, k->z));
    }
    for (int j = i;; j--) {
        H[j] = wide3_dot(N, body[j].z);
        if (slides) {
            const double turns = fast->group[j / 4].turns[j % 4];
            H[j] = turns * H[j] + (1 - turns) * wide3_dot(F, body[j].z);
        }
        if (j == 0) break;
        N = wide3_add_cross(N, body[j].d, F);
    }
    H[i] += fast->group[i / 4].rotor[i % 4];
}

// H = L^T D L from the tip, and the solution of H qdd = b in place. `diagonal` is that of H.
ALWAYS wide_bits wide_solve(const int n, wide_row H[], const wide diagonal[], wide b[])
{
    wide_bits strong = (wide_bits)(ALL_LANES(0.0) == 0);
    for (int k = n - 1; k >= 0; k--) {
        const wide inverse = 1 / H[k][k], bk = b[k];
        strong &= (wide_bits)(H[k][k] > FA_FAST_WEAK * diagonal[k]);
        for (int i = 0; i < k; i++) {
            const wide l = H[k][i] * inverse;
            for (int j = 0; j < i; j++) H[i][j] -= l * H[k][j];
            H[i][i] -= l * H[k][i];
            b[i] -= l * bk;
        }
        for (int i = 0; i < k; i++) H[k][i] *= inverse;
        b[k] = bk * inverse;
    }
    wide none = ALL_LANES(0.0);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) b[k] -= H[k][i] * b[i];
        none += 0 * b[k];
    }
    return strong & (wide_bits)(none == 0);
}

ALWAYS unsigned states(const fa_fast *fast, const int n, const bool slides, const double q[],
                       const double qd[], const double tau[], double qdd[])
{
    const wide  zero = ALL_LANES(0.0), one = ALL_LANES(1.0);
    const wide3 none = {zero, zero, zero};
    wide        given[2][FA_FAST_COMPOSITE_MAX], b[FA_FAST_COMPOSITE_MAX];
    wide        diagonal[FA_FAST_COMPOSITE_MAX];
    wide_body   body[FA_FAST_COMPOSITE_MAX];
    wide_row    H[FA_FAST_COMPOSITE_MAX];
    wide_bits   good = (wide_bits)(zero == 0);
    KERNEL(load_states)(n, q, given[0]);
    KERNEL(load_states)(n, qd, given[1]);
    KERNEL(load_states)(n, tau, b);

    wide_motion m = {
        {one, zero, zero},
        {zero, one, zero},
        {zero, zero, one},
        none,
        none,
        {ALL_LANES(-fast->gravity.x), ALL_LANES(-fast->gravity.y), ALL_LANES(-fast->gravity.z)},
        {none, none, none}};
    for (int i = 0; i < n; i++)
        wide_move(&fast->group[i / 4], i % 4, slides, given[0][i], given[1][i], &m, &body[i],
                  &good);
    for (int i = n - 1; i >= 0; i--) {
        wide_body *k = &body[i];
        wide_mass_row(fast, slides, body, i, H[i]);
        diagonal[i] = H[i][i];
        const wide   turned = wide3_dot(k->z, k->N);
        const double turns = fast->group[i / 4].turns[i % 4];
        b[i] -= slides ? turns * turned + (1 - turns) * wide3_dot(k->z, k->F) : turned;
        if (i > 0) wide_hand_over(slides, k, &body[i - 1]);
    }
    good &= wide_solve(n, H, diagonal, b);
    KERNEL(store_states)(n, b, qdd);
    return KERNEL(lanes_where)(good);
}

#undef ALONG

#endif
