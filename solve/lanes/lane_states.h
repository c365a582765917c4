// Equations of rigid bodies for as many states as there are lanes, rows in and rows out, with
// parameters that all lanes share: inverse dynamics, poses and Jacobians of frames. Kernels of
// double precision have them.
#ifndef FA_LANE_STATES_H
#define FA_LANE_STATES_H

#include "lane_block.h"

// On x86-64 only kernels that fuse products and sums have these functions, because a library that
// has them in each kernel is larger. Others compute one state after the other by the readable
// methods: those of processors without FMA, and the deterministic mode, which has no fused ones.
#if FA_LANES_X86 && !defined(FA_LANES_COMPUTE)
#define LANES_WITHOUT_STATES true
#else
#define LANES_WITHOUT_STATES LANES_ARE_FLOATS
#endif

// Copies n rows of nc numbers into lanes. Unused lanes repeat the first row.
FA_INLINED void lanes_of_rows(const double from[], int n, int nc, real to[])
{
    for (int l = 0; l < FA_LANES; l++) {
        const double *row = from + (l < n ? l : 0) * nc;
        for (int i = 0; i < nc; i++) to[i][l] = (lane_float)row[i];
    }
}

// Copies lanes into n rows of `width` numbers.
FA_INLINED void rows_of_lanes(const real from[], int n, int width, double to[])
{
    for (int l = 0; l < n; l++)
        for (int i = 0; i < width; i++) to[l * width + i] = (double)from[i][l];
}

// Returns the lanes in which all of these numbers are finite.
FA_INLINED mask all_finite(const real x[], int n)
{
    real none = num(0);
    for (int i = 0; i < n; i++) none += x[i] * 0;
    return none == 0;
}

void KERNEL(inverse)(fa_lanes *lanes, int n, const double q[], const double qd[],
                     const double qdd[], double tau[], bool good[])
{
    if (LANES_WITHOUT_STATES) return; // never called
    lane_block *B = (lane_block *)lanes;
    const int   nc = B->arm.n_coordinates;
    real *at = B->stage[0], *rate = qd ? B->stage[1] : NULL, *change = qdd ? B->stage[2] : NULL;
    mask  fine = lane_all();
    lanes_of_rows(q, n, nc, at);
    if (qd) lanes_of_rows(qd, n, nc, rate);
    if (qdd) lanes_of_rows(qdd, n, nc, change);
    fine &= all_finite(at, nc);
    if (qd) fine &= all_finite(rate, nc);
    if (qdd) fine &= all_finite(change, nc);
    const real3 ground = B->scratch.motion[0].a;
    inverse_of_joints(&B->arm, B->arm.slides, ground, at, rate, change, B->tau, B->link, &fine);
    fine &= all_finite(B->tau, nc);
    for (int l = 0; l < n; l++) good[l] = fine[l] != 0;
    rows_of_lanes(B->tau, n, nc, tau);
}

// Computes world axes and origins of the bodies from the root to this one; link[i].X, Y, N and p.
FA_INLINED void place_path(lane_block *B, int body, const real q[], mask *good)
{
    const lane_arm *A = &B->arm;
    int             n = 0;
    for (int i = body; i >= 0; i = A->place[i].parent) B->path[n++] = i;
    while (n > 0) {
        const int         i = B->path[--n];
        const lane_place *g = &A->place[i];
        const lane_link  *p = g->parent < 0 ? NULL : &B->link[g->parent];
        lane_link        *k = &B->link[i];
        const lane_float *x = g->axis[0], *y = g->axis[1], *z = g->axis[2], *o = g->origin;
        const real        at = g->ratio * q[g->coordinate] + g->offset, angle = g->turns * at;
        const real        slide = (1 - g->turns) * at;
        real              s, c;
        lane_sincos(angle, &s, &c);
        *good &= (angle < LANE_ANGLE_MAX) & (angle > -LANE_ANGLE_MAX) &
                 (slide < (lane_float)FA_FAST_FAR) & (slide > (lane_float)-FA_FAST_FAR);
        const real3 X = {c * x[0] + s * y[0], c * x[1] + s * y[1], c * x[2] + s * y[2]};
        const real3 Y = {c * y[0] - s * x[0], c * y[1] - s * x[1], c * y[2] - s * x[2]};
        const real3 r = {o[0] + slide * z[0], o[1] + slide * z[1], o[2] + slide * z[2]};
        if (!p) {
            k->X = X;
            k->Y = Y;
            k->N = (real3){z[0] - num(0), z[1] - num(0), z[2] - num(0)};
            k->p = r;
            continue;
        }
#define ALONG(a, b, c)                                                                             \
    ((real3){(a)*p->X.x + (b)*p->Y.x + (c)*p->N.x, (a)*p->X.y + (b)*p->Y.y + (c)*p->N.y,           \
             (a)*p->X.z + (b)*p->Y.z + (c)*p->N.z})
        k->X = ALONG(X.x, X.y, X.z);
        k->Y = ALONG(Y.x, Y.y, Y.z);
        k->N = ALONG(z[0], z[1], z[2]);
        k->p = real3_add(p->p, ALONG(r.x, r.y, r.z));
#undef ALONG
    }
}

void KERNEL(frame)(fa_lanes *lanes, int n, const fa_lane_frame *frame, const double q[], double T[],
                   double J[], bool good[])
{
    if (LANES_WITHOUT_STATES) return; // never called
    enum { POSE = 16, COLUMN = 6 };
    lane_block *B = (lane_block *)lanes;
    const int   nc = B->arm.n_coordinates;
    real       *at = B->stage[0];
    mask        fine = lane_all();
    lanes_of_rows(q, n, nc, at);
    fine &= all_finite(at, nc); // also of joints that do not move the frame
    place_path(B, frame->body, at, &fine);
    const lane_link *k = &B->link[frame->body];
#define ALONG(v)                                                                                   \
    ((real3){                                                                                      \
        (lane_float)(v)[0] * k->X.x + (lane_float)(v)[1] * k->Y.x + (lane_float)(v)[2] * k->N.x,   \
        (lane_float)(v)[0] * k->X.y + (lane_float)(v)[1] * k->Y.y + (lane_float)(v)[2] * k->N.y,   \
        (lane_float)(v)[0] * k->X.z + (lane_float)(v)[1] * k->Y.z + (lane_float)(v)[2] * k->N.z})
    const real3 tip = real3_add(k->p, ALONG(frame->origin));
    fine &= all_finite(&tip.x, 1) & all_finite(&tip.y, 1) & all_finite(&tip.z, 1);
    if (T) {
        const real3 x = ALONG(frame->axis[0]), y = ALONG(frame->axis[1]), z = ALONG(frame->axis[2]);
        const real  pose[POSE] = {x.x,    y.x,    z.x,    tip.x + (lane_float)B->root[0],
                                  x.y,    y.y,    z.y,    tip.y + (lane_float)B->root[1],
                                  x.z,    y.z,    z.z,    tip.z + (lane_float)B->root[2],
                                  num(0), num(0), num(0), num(1)};
        rows_of_lanes(pose, n, POSE, T);
    }
#undef ALONG
    if (J) {
        real *to = B->jacobian;
        for (int i = 0; i < COLUMN * nc; i++) to[i] = num(0);
        for (int i = frame->body; i >= 0; i = B->arm.place[i].parent) {
            const lane_place *g = &B->arm.place[i];
            const lane_float  turns = g->ratio * g->turns, slides = g->ratio * (1 - g->turns);
            const real3       z = B->link[i].N;
            const real3       lever = {tip.x - B->link[i].p.x, tip.y - B->link[i].p.y,
                                       tip.z - B->link[i].p.z};
            const real3       v = real3_cross(z, lever);
            real             *column = to + g->coordinate;
            column[0] += turns * v.x + slides * z.x;
            column[nc] += turns * v.y + slides * z.y;
            column[2 * nc] += turns * v.z + slides * z.z;
            column[3 * nc] += turns * z.x;
            column[4 * nc] += turns * z.y;
            column[5 * nc] += turns * z.z;
        }
        rows_of_lanes(to, n, COLUMN * nc, J);
    }
    for (int l = 0; l < n; l++) good[l] = fine[l] != 0;
}

#endif
