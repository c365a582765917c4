// Forward dynamics of chains and trees by articulated bodies, in one fixed frame: O(n). As
// articulated_body.c, with two changes that the fixed frame allows. Handing an articulated inertia
// to the parent needs no transformation. And accelerations are counted from those that the bodies
// have at qdd = 0, gravity included: then the velocity products of 7.38 and 7.39 are part of a
// force that is known before the recursion starts, for four bodies at a time, and the recursion
// only has what the joints add.
//
//     R. Featherstone, "Rigid Body Dynamics Algorithms" (2008), table 7.1
//     book         here
//     S_i          Z, S        turning, and velocity of the fixed frame's origin
//     I_i^A        I, G, H, M  the columns of (I H; G M), G = H^T: three numbers in a quad each
//     U_i          m, f        moment and force
//     p_i^A        N, F        with I_i a_i for a_i at qdd = 0
//     D_i, u_i     D, u        `inverse` is 1 / D
//
// Along a chain the next joint would wait, tip to base for a division and a change of the whole
// articulated inertia, base to tip for the acceleration of the body before. Both are put off by
// one joint: what the next axis feels of them is one number (`felt`), known beforehand.
//
// Included by the kernels.
#ifndef FA_FAST_ARTICULATED_H
#define FA_FAST_ARTICULATED_H

#include "fast_frames.h"

// Running sums from the ground on of a quantity of four bodies; `field` is where forks have it, and
// the ground has `ground`.
ALWAYS quad3 tree_sums(const fa_fast *fast, const int g, quad3 own, quad ground, size_t field)
{
    char *const sums = (char *)fast->fork + field;
    quad        row[4] = {own.x, own.y, own.z, {0, 0, 0, 0}};
    quad_transpose(row);
    for (int lane = 0; lane < 4 && 4 * g + lane < fast->n; lane++) {
        const int i = 4 * g + lane, from = fast->parent[i];
        row[lane] += from == FA_WORLD
                         ? ground
                         : quad_load((const double *)(sums + (size_t)from * sizeof *fast->fork));
        quad_store((double *)(sums + (size_t)i * sizeof *fast->fork), row[lane]);
    }
    return quad3_of_rows(row[0], row[1], row[2], row[3]);
}

// One vector per lane to the same member of four notes.
ALWAYS void put_rows(double *first, quad3 v)
{
    const size_t stride = sizeof(fa_fast_note) / sizeof(double);
    quad         row[4] = {v.x, v.y, v.z, {0, 0, 0, 0}};
    quad_transpose(row);
    UNROLLED
    for (int lane = 0; lane < 4; lane++) quad_store(first + (size_t)lane * stride, row[lane]);
}

// An articulated inertia and the force that goes with it.
typedef struct handed_over {
    quad I[3], G[3], H[3], M[3];
    quad N, F;
} handed_over;

typedef struct joint_force {
    quad m, f;
} joint_force;

// The sum of the first three lanes.
ALWAYS double sum_of_three(quad v)
{
    return v[0] + v[1] + v[2];
}

ALWAYS double work_of(const fa_fast_note *k, quad moment, quad force)
{
    return sum_of_three(quad_load(k->Z) * moment + quad_load(k->S) * force);
}

// Returns the force of a unit acceleration of the joint.
ALWAYS joint_force articulated_mul_axis(const handed_over *A, const fa_fast_note *k)
{
    const double *Z = k->Z, *S = k->S;
    return (joint_force){(A->I[0] * Z[0] + A->I[1] * Z[1] + A->I[2] * Z[2]) +
                             (A->H[0] * S[0] + A->H[1] * S[1] + A->H[2] * S[2]),
                         (A->G[0] * Z[0] + A->G[1] * Z[1] + A->G[2] * Z[2]) +
                             (A->M[0] * S[0] + A->M[1] * S[1] + A->M[2] * S[2])};
}

// I^A - U U^T / D and p^A + U u / D
ALWAYS void downdate(handed_over *A, joint_force U, double inverse, double u)
{
    const quad m = inverse * U.m, f = inverse * U.f;
    UNROLLED
    for (int j = 0; j < 3; j++) {
        A->I[j] -= m * U.m[j];
        A->G[j] -= f * U.m[j];
        A->H[j] -= m * U.f[j];
        A->M[j] -= f * U.f[j];
    }
    A->N += m * u;
    A->F += f * u;
}

ALWAYS void add_body(handed_over *A, const fa_fast_note *k, const bool slides, double m)
{
    UNROLLED
    for (int j = 0; j < 3; j++) {
        A->I[j] += quad_load(k->I[j]);
        A->G[j] -= quad_load(k->H[j]);
        A->H[j] += quad_load(k->H[j]);
        if (slides) A->M[j][j] += m;
    }
    A->N += quad_load(k->N);
    A->F += quad_load(k->F);
}

// The frames of four bodies, of which the last is the next one's parent in a chain.
ALWAYS void frames_of_group(const fa_fast *fast, const int g, const bool slides,
                            const bool branched, const turned_axes *turned, frame *last, frame f[4])
{
    const quad zero = {0, 0, 0, 0};
    UNROLLED
    for (int lane = 0; lane < 4; lane++) {
        const int i = 4 * g + lane;
        if (branched && i >= fast->n) { // along a chain there is nothing to do after the last
            f[lane] = (frame){zero, zero, zero, zero};
            continue;
        }
        if (branched && fast->parent[i] == FA_WORLD) {
            *last = fixed_frame();
        } else if (branched) {
            double(*p)[4] = fast->fork[fast->parent[i]].frame;
            *last = (frame){quad_load(p[0]), quad_load(p[1]), quad_load(p[2]), quad_load(p[3])};
        }
        f[lane] = *last = frame_of(&fast->group[g], turned, slides, lane, *last);
        if (branched) {
            double(*to)[4] = fast->fork[i].frame;
            quad_store(to[0], f[lane].x);
            quad_store(to[1], f[lane].y);
            quad_store(to[2], f[lane].z);
            quad_store(to[3], f[lane].origin);
        }
    }
}

ALWAYS motions motions_in_a_tree(const fa_fast *fast, const int g, const screws *s, quad rate)
{
    const quad  zero = {0, 0, 0, 0};
    const quad  ground = {-fast->gravity.x, -fast->gravity.y, -fast->gravity.z, 0};
    const quad3 wJ = quad3_scale(rate, s->Z), vJ = quad3_scale(rate, s->S);
    motions     m;
#define SUMS(own, on_ground, field)                                                                \
    tree_sums(fast, g, own, on_ground, offsetof(fa_fast_fork, field))
    m.w = SUMS(wJ, zero, w);
    m.v = SUMS(vJ, zero, v);
    m.al = SUMS(quad3_cross(m.w, wJ), zero, al);
    m.a = SUMS(quad3_add(quad3_cross(m.w, vJ), quad3_cross(m.v, wJ)), ground, a);
#undef SUMS
    return m;
}

// Inertias and forces of four bodies into their notes.
ALWAYS void note_group(const fa_fast *fast, const int g, const bool slides, const bool branched,
                       const frame f[4], const double qd[], const fa_load *load, motions *m)
{
    const fa_fast_group *group = &fast->group[g];
    fa_fast_note        *here = &fast->scratch[4 * g];
    const int            first = 4 * g, n = fast->n - first < 4 ? fast->n - first : 4;
    const quad           zero = {0, 0, 0, 0}, rate = quad_load_some(qd + first, n);
    const frames         four = frames_of(f);
    const screws         s = screws_of(group, slides, &four);
    const inertias       b = inertias_of(group, slides, &four);
    *m = branched ? motions_in_a_tree(fast, g, &s, rate) : motions_in_a_row(&s, rate, m);
    const forces needed = forces_beside(load, fast, first, f, forces_of(&b, slides, m));
    put_rows(here->Z, s.Z);
    put_rows(here->S, s.S);
    put_rows(here->N, needed.N);
    put_rows(here->F, needed.F);
    put_rows(here->I[0], (quad3){b.I.xx, b.I.xy, b.I.xz});
    put_rows(here->I[1], (quad3){b.I.xy, b.I.yy, b.I.yz});
    put_rows(here->I[2], (quad3){b.I.xz, b.I.yz, b.I.zz});
    put_rows(here->H[0], (quad3){zero, b.h.z, -b.h.y});
    put_rows(here->H[1], (quad3){-b.h.z, zero, b.h.x});
    put_rows(here->H[2], (quad3){b.h.y, -b.h.x, zero});
}

// False if the pivot D has all but vanished.
ALWAYS bool is_strong(const fa_fast *fast, const int i, const bool slides, double D,
                      const handed_over *A)
{
    const bool  linear = slides && fast->group[i / 4].turns[i % 4] == 0;
    const quad *across = linear ? A->M : A->I;
    return D > FA_FAST_WEAK * (across[0][0] + across[1][1] + across[2][2]);
}

ALWAYS void note_joint(fa_fast_note *k, joint_force U, double inverse, double u)
{
    quad_store(k->m, U.m);
    quad_store(k->f, U.f);
    k->inverse = inverse;
    k->u = u;
}

static const handed_over NOTHING = {.N = {0, 0, 0, 0}};

ALWAYS bool tip_to_base_of_tree(const fa_fast *fast, const bool slides, const double tau[])
{
    fa_fast_fork *fork = fast->fork;
    bool          strong = true;
    for (int i = 0; i < fast->n; i++) memcpy(fork[i].pending, &NOTHING, sizeof NOTHING);
    for (int i = fast->n - 1; i >= 0; i--) {
        fa_fast_note *k = &fast->scratch[i];
        handed_over   A;
        memcpy(&A, fork[i].pending, sizeof A);
        add_body(&A, k, slides, fast->group[i / 4].mass[i % 4]);
        const joint_force U = articulated_mul_axis(&A, k);                            // (7.43)
        const double      D = work_of(k, U.m, U.f) + fast->group[i / 4].rotor[i % 4]; // (7.44)
        const double      u = tau[i] - work_of(k, A.N, A.F), inverse = 1 / D;         // (7.45)
        strong &= is_strong(fast, i, slides, D, &A);
        note_joint(k, U, inverse, u);
        if (fast->parent[i] == FA_WORLD) continue;
        downdate(&A, U, inverse, u);
        double *to = fork[fast->parent[i]].pending;
        for (size_t j = 0; j < sizeof A / sizeof(quad); j++) {
            quad more;
            memcpy(&more, (const char *)&A + j * sizeof more, sizeof more);
            quad_store(to + 4 * j, quad_load(to + 4 * j) + more);
        }
    }
    return strong;
}

ALWAYS bool tip_to_base_of_chain(const fa_fast *fast, const bool slides, const double tau[])
{
    fa_fast_note *note = fast->scratch;
    bool          strong = true;
    handed_over   A = NOTHING;
    joint_force   U = {NOTHING.N, NOTHING.F}; // of the joint before, as are the next two
    double        inverse = 0, u = 0;
    for (int i = fast->n - 1; i >= 0; i--) {
        fa_fast_note *k = &note[i];
        add_body(&A, k, slides, fast->group[i / 4].mass[i % 4]);
        const joint_force V = articulated_mul_axis(&A, k);
        const double      own = work_of(k, V.m, V.f) + fast->group[i / 4].rotor[i % 4];
        const double      rest = tau[i] - work_of(k, A.N, A.F);
        const double      felt = work_of(k, U.m, U.f), share = felt * inverse;
        downdate(&A, U, inverse, u);
        const double D = own - felt * share;
        U = (joint_force){V.m - share * U.m, V.f - share * U.f};
        u = rest - share * u;
        inverse = 1 / D;
        strong &= is_strong(fast, i, slides, D, &A) & (D > FA_FAST_WEAK * own);
        note_joint(k, U, inverse, u);
        k->share = share;
    }
    return strong;
}

// Base to tip: what the joints add to the accelerations.
ALWAYS double base_to_tip_of_tree(const fa_fast *fast, double qdd[])
{
    fa_fast_fork *fork = fast->fork;
    double        sum = 0;
    for (int i = 0; i < fast->n; i++) {
        const fa_fast_note *k = &fast->scratch[i];
        quad                al = NOTHING.N, a = NOTHING.F;
        if (fast->parent[i] != FA_WORLD) {
            al = quad_load(fork[fast->parent[i]].al);
            a = quad_load(fork[fast->parent[i]].a);
        }
        qdd[i] = (k->u - sum_of_three(al * quad_load(k->m) + a * quad_load(k->f))) * k->inverse;
        quad_store(fork[i].al, al + qdd[i] * quad_load(k->Z));
        quad_store(fork[i].a, a + qdd[i] * quad_load(k->S));
        sum += 0 * qdd[i];
    }
    return sum;
}

ALWAYS double base_to_tip_of_chain(const fa_fast *fast, double qdd[])
{
    const fa_fast_note *last = fast->scratch;
    quad                al = NOTHING.N, a = NOTHING.F; // of the body before the last
    double              before = 0, sum = 0;           // acceleration of the last joint
    for (int i = 0; i < fast->n; i++) {
        const fa_fast_note *k = &fast->scratch[i];
        const double        others = sum_of_three(al * quad_load(k->m) + a * quad_load(k->f));
        qdd[i] = (k->u - others) * k->inverse - last->share * before;
        al += before * quad_load(last->Z);
        a += before * quad_load(last->S);
        last = k;
        before = qdd[i];
        sum += 0 * before;
    }
    return sum;
}

ALWAYS fa_status articulated(const fa_fast *fast, const bool slides, const bool branched,
                             const double q[], const double qd[], const double tau[],
                             const fa_load *load, double qdd[])
{
    const int   n = fast->n;
    quad_bits   near = {-1, -1, -1, -1};
    frame       last = fixed_frame(), f[4];
    motions     m = motion_of_ground(fast->gravity);
    turned_axes turned[2]; // of these four joints, and of the next: frames wait for one another

    // Base to tip.
    turn_axes(fast->group, slides, quad_load_some(q, n), &turned[0], &near);
    for (int g = 0; 4 * g < n; g++) {
        const int next = 4 * g + 4;
        if (next < n)
            turn_axes(&fast->group[g + 1], slides, quad_load_some(q + next, n - next),
                      &turned[(g + 1) % 2], &near);
        frames_of_group(fast, g, slides, branched, &turned[g % 2], &last, f);
        note_group(fast, g, slides, branched, f, qd, load, &m);
    }

    const bool strong =
        branched ? tip_to_base_of_tree(fast, slides, tau) : tip_to_base_of_chain(fast, slides, tau);
    const double sum = branched ? base_to_tip_of_tree(fast, qdd) : base_to_tip_of_chain(fast, qdd);
    return strong && all_lanes(near) && sum == 0 ? FA_OK : FA_UNFIT;
}

#endif
