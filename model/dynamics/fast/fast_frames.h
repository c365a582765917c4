// Where the bodies are: for both fast methods. Included by the kernels.
//
// Along a chain each body needs the one before it, so frames are found one after the other, a
// vector in three lanes of a quad; everything that follows takes four bodies at a time.
#ifndef FA_FAST_FRAMES_H
#define FA_FAST_FRAMES_H

#include "fast.h"
#include "fast_lanes.h"
#include "sincos.h"

// A body's axes and origin in the fixed frame.
typedef struct frame {
    quad x, y, z, origin;
} frame;

// The x and y axes of four turned joints in their parents' axes, and how far they slid.
typedef struct turned_axes {
    double x[3][4], y[3][4], slide[4];
} turned_axes;

ALWAYS frame fixed_frame(void)
{
    return (frame){{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
}

// `near` loses the lanes whose angles are too large for quad_sincos, or no numbers.
ALWAYS void turn_axes(const fa_fast_group *group, const bool slides, quad q, turned_axes *to,
                      quad_bits *near)
{
    if (slides) {
        const quad turns = quad_load(group->turns);
        const quad slide = q * (1 - turns);
        *near &= (quad_bits)(slide < FA_FAST_FAR) & (quad_bits)(slide > -FA_FAST_FAR);
        quad_store(to->slide, slide);
        q *= turns;
    }
    *near &= (quad_bits)(q < FA_SINCOS_MAX) & (quad_bits)(q > -FA_SINCOS_MAX);
    quad s, c;
    quad_sincos(q, &s, &c);
    UNROLLED
    for (int k = 0; k < 3; k++) {
        const quad x = quad_load(group->axis[0][k]), y = quad_load(group->axis[1][k]);
        quad_store(to->x[k], c * x + s * y);
        quad_store(to->y[k], c * y - s * x);
    }
}

ALWAYS bool all_lanes(quad_bits b)
{
    return (b[0] & b[1] & b[2] & b[3]) != 0;
}

// The frame of body number `lane` of a group, from that of its parent.
ALWAYS frame frame_of(const fa_fast_group *group, const turned_axes *turned, const bool slides,
                      const int lane, frame parent)
{
    const double(*z)[4] = group->axis[2], (*p)[4] = group->place;
    frame f = {
        turned->x[0][lane] * parent.x + turned->x[1][lane] * parent.y +
            turned->x[2][lane] * parent.z,
        turned->y[0][lane] * parent.x + turned->y[1][lane] * parent.y +
            turned->y[2][lane] * parent.z,
        z[0][lane] * parent.x + z[1][lane] * parent.y + z[2][lane] * parent.z,
        parent.origin + p[0][lane] * parent.x + p[1][lane] * parent.y + p[2][lane] * parent.z,
    };
    if (slides) f.origin += turned->slide[lane] * f.z;
    return f;
}

// Four frames, one per lane.
typedef struct frames {
    quad3 x, y, z, origin;
} frames;

ALWAYS frames frames_of(const frame f[4])
{
    return (frames){quad3_of_rows(f[0].x, f[1].x, f[2].x, f[3].x),
                    quad3_of_rows(f[0].y, f[1].y, f[2].y, f[3].y),
                    quad3_of_rows(f[0].z, f[1].z, f[2].z, f[3].z),
                    quad3_of_rows(f[0].origin, f[1].origin, f[2].origin, f[3].origin)};
}

// A joint's unit velocity: of turning, and of the fixed frame's origin if the body reached there.
typedef struct screws {
    quad3 Z, S;
} screws;

ALWAYS screws screws_of(const fa_fast_group *group, const bool slides, const frames *f)
{
    screws s = {f->z, quad3_cross(f->origin, f->z)};
    if (slides) {
        const quad turns = quad_load(group->turns);
        s.Z = quad3_scale(turns, f->z);
        s.S = quad3_add(quad3_scale(turns, s.S), quad3_scale(1 - turns, f->z));
    }
    return s;
}

// Inertias about the fixed frame's origin, in its axes. Without sliding joints there are no masses
// (fast_prepare.c).
typedef struct inertias {
    quad_sym3 I;
    quad3     h;
    quad      m;
} inertias;

ALWAYS inertias inertias_of(const fa_fast_group *group, const bool slides, const frames *f)
{
    const quad3 X = f->x, Y = f->y, Z = f->z, P = f->origin;
    const quad  xx = quad_load(group->inertia[0]), zz = quad_load(group->inertia[2]);
    const quad  xy = quad_load(group->inertia[3]), xz = quad_load(group->inertia[4]);
    const quad  yz = quad_load(group->inertia[5]);
    inertias    to;
    to.h = quad3_add(quad3_scale(quad_load(group->first[0]), X),
                     quad3_scale(quad_load(group->first[1]), Y));

    // Columns of R I, then R I R^T.
    quad3 A = quad3_add(quad3_add(quad3_scale(xx, X), quad3_scale(xy, Y)), quad3_scale(xz, Z));
    quad3 B = quad3_add(quad3_scale(xy, X), quad3_scale(yz, Z));
    quad3 C = quad3_add(quad3_add(quad3_scale(xz, X), quad3_scale(yz, Y)), quad3_scale(zz, Z));
    quad3 e = to.h; // of the parallel-axis theorem: h + m P / 2
    to.m = (quad){0, 0, 0, 0};
    if (slides) {
        to.m = quad_load(group->mass);
        to.h = quad3_add(to.h, quad3_scale(quad_load(group->first[2]), Z));
        B = quad3_add(B, quad3_scale(quad_load(group->inertia[1]), Y));
        const quad3 mP = quad3_scale(to.m, P);
        e = quad3_add(to.h, quad3_scale(quad_all(0.5), mP));
        to.h = quad3_add(to.h, mP);
    }
    const quad px = P.x * e.x, py = P.y * e.y, pz = P.z * e.z;
    to.I.xx = A.x * X.x + B.x * Y.x + C.x * Z.x + 2 * (py + pz);
    to.I.yy = A.y * X.y + B.y * Y.y + C.y * Z.y + 2 * (px + pz);
    to.I.zz = A.z * X.z + B.z * Y.z + C.z * Z.z + 2 * (px + py);
    to.I.xy = A.x * X.y + B.x * Y.y + C.x * Z.y - (P.x * e.y + P.y * e.x);
    to.I.xz = A.x * X.z + B.x * Y.z + C.x * Z.z - (P.x * e.z + P.z * e.x);
    to.I.yz = A.y * X.z + B.y * Y.z + C.y * Z.z - (P.y * e.z + P.z * e.y);
    return to;
}

// Motions of four bodies; gravity is an acceleration of the ground.
typedef struct motions {
    quad3 w, v, al, a;
} motions;

ALWAYS motions motion_of_ground(fa_vec3 gravity)
{
    const quad  zero = {0, 0, 0, 0};
    const quad3 none = {zero, zero, zero};
    return (motions){
        none, none, none, {quad_all(-gravity.x), quad_all(-gravity.y), quad_all(-gravity.z)}};
}

// Computes the motions of four consecutive bodies of a serial chain at zero joint acceleration,
// from those of the four before.
ALWAYS motions motions_in_a_row(const screws *s, quad rate, const motions *before)
{
    const quad3 wJ = quad3_scale(rate, s->Z), vJ = quad3_scale(rate, s->S);
    const quad3 w = quad3_add(quad3_sums(wJ), quad3_last(before->w));
    const quad3 v = quad3_add(quad3_sums(vJ), quad3_last(before->v));
    const quad3 c = quad3_add(quad3_cross(w, vJ), quad3_cross(v, wJ));
    const quad3 al = quad3_add(quad3_sums(quad3_cross(w, wJ)), quad3_last(before->al));
    const quad3 a = quad3_add(quad3_sums(c), quad3_last(before->a));
    return (motions){w, v, al, a};
}

typedef struct forces {
    quad3 N, F;
} forces;

// I a
ALWAYS forces moved_by(const inertias *b, const bool slides, quad3 al, quad3 a)
{
    forces f = {quad3_add(quad3_symmetric(b->I, al), quad3_cross(b->h, a)), quad3_cross(al, b->h)};
    if (slides) f.F = quad3_add(f.F, quad3_scale(b->m, a));
    return f;
}

// Returns the forces of these motions: I a + v x* I v.
ALWAYS forces forces_of(const inertias *b, const bool slides, const motions *m)
{
    quad3 p = quad3_cross(m->w, b->h); // momentum
    if (slides) p = quad3_add(p, quad3_scale(b->m, m->v));
    // Angular momentum.
    const quad3 L = quad3_add(quad3_symmetric(b->I, m->w), quad3_cross(b->h, m->v));

    forces f = moved_by(b, slides, m->al, m->a);
    f.N = quad3_add(f.N, quad3_add(quad3_cross(m->w, L), quad3_cross(m->v, p)));
    f.F = quad3_add(f.F, quad3_cross(m->w, p));
    return f;
}

// Takes wrenches on four bodies, given about each body's origin in the chain's axes, from the
// forces that the bodies need. Rarely asked for, so not inlined.
static __attribute__((noinline)) void subtract_loads(const fa_mat3 turned[], const frame f[4],
                                                     const fa_wrench wrench[], int n,
                                                     forces *needed)
{
    quad N[4] = {{0}}, F[4] = {{0}};
    for (int i = 0; i < n; i++) {
        const fa_vec3 force = mat3_mul(turned[i], wrench[i].force);
        const fa_vec3 moment = mat3_mul(turned[i], wrench[i].moment);
        const quad    p = f[i].origin;
        const quad    g = force.x * f[i].x + force.y * f[i].y + force.z * f[i].z;
        F[i] = g;
        N[i] = moment.x * f[i].x + moment.y * f[i].y + moment.z * f[i].z +
               LANES(p, p, 1, 2, 0, 3) * LANES(g, g, 2, 0, 1, 3) -
               LANES(p, p, 2, 0, 1, 3) * LANES(g, g, 1, 2, 0, 3);
    }
    needed->N = quad3_sub(needed->N, quad3_of_rows(N[0], N[1], N[2], N[3]));
    needed->F = quad3_sub(needed->F, quad3_of_rows(F[0], F[1], F[2], F[3]));
}

// Returns the forces that four bodies, from number `first` on, need, less external loads. The
// function gets copies, so that without loads all of this stays in registers.
ALWAYS forces forces_beside(const fa_load *load, const fa_fast *fast, const int first,
                            const frame f[4], forces needed)
{
    if (!load || !load->wrench) return needed;
    const int   n = fast->n - first < 4 ? fast->n - first : 4;
    const frame frames_here[4] = {f[0], f[1], f[2], f[3]};
    forces      rest = needed;
    subtract_loads(&fast->turned[first], frames_here, &load->wrench[first], n, &rest);
    return rest;
}

#endif
