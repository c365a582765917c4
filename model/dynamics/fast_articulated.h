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
//     I_i^A, U_i   IA, U
//     p_i^A        pA          with I_i a_i for a_i at qdd = 0
//     D_i, u_i     D, u        `inverse` is 1 / D
//
// Included by the kernels.
#ifndef FA_FAST_ARTICULATED_H
#define FA_FAST_ARTICULATED_H

#include "fast_frames.h"

// Running sums from the ground on of a quantity of four bodies; `sum` is where the bodies note it,
// one fa_fast_note apart, and the ground has `ground`.
ALWAYS quad3 tree_sums(quad3 own, quad ground, const int parent[], int n, fa_fast_note note[],
                       int first, size_t field)
{
    quad row[4] = {own.x, own.y, own.z, {0, 0, 0, 0}};
    quad_transpose(row);
    for (int lane = 0; lane < n; lane++) {
        const int from = parent[first + lane];
        row[lane] += from == FA_WORLD
                         ? ground
                         : quad_load((const double *)((const char *)&note[from] + field));
        quad_store((double *)((char *)&note[first + lane] + field), row[lane]);
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

ALWAYS fa_vec3 vector(const double v[])
{
    return (fa_vec3){v[0], v[1], v[2]};
}

// I^A - U U^T / D
ALWAYS fa_articulated downdate(fa_articulated A, fa_wrench U, double inverse)
{
    const fa_vec3 n = vec3_scale(inverse, U.moment), f = vec3_scale(inverse, U.force);
    const fa_vec3 m = U.moment, g = U.force;
    A.I = (fa_sym3){A.I.xx - n.x * m.x, A.I.yy - n.y * m.y, A.I.zz - n.z * m.z,
                    A.I.xy - n.x * m.y, A.I.xz - n.x * m.z, A.I.yz - n.y * m.z};
    A.M = (fa_sym3){A.M.xx - f.x * g.x, A.M.yy - f.y * g.y, A.M.zz - f.z * g.z,
                    A.M.xy - f.x * g.y, A.M.xz - f.x * g.z, A.M.yz - f.y * g.z};
    const fa_mat3 H = A.H;
    A.H = (fa_mat3){{{H.m[0][0] - n.x * g.x, H.m[0][1] - n.x * g.y, H.m[0][2] - n.x * g.z},
                     {H.m[1][0] - n.y * g.x, H.m[1][1] - n.y * g.y, H.m[1][2] - n.y * g.z},
                     {H.m[2][0] - n.z * g.x, H.m[2][1] - n.z * g.y, H.m[2][2] - n.z * g.z}}};
    return A;
}

typedef struct handed_over {
    fa_articulated IA;
    fa_wrench      pA;
} handed_over;

ALWAYS handed_over with_body(handed_over from, const fa_fast_note *k, const bool slides, double m)
{
    const fa_vec3 h = vector(k->h);
    from.IA.I =
        sym3_add(from.IA.I, (fa_sym3){k->I[0], k->I[1], k->I[2], k->I[4], k->I[5], k->I[6]});
    from.IA.H.m[0][1] -= h.z;
    from.IA.H.m[0][2] += h.y;
    from.IA.H.m[1][0] += h.z;
    from.IA.H.m[1][2] -= h.x;
    from.IA.H.m[2][0] -= h.y;
    from.IA.H.m[2][1] += h.x;
    if (slides) {
        from.IA.M.xx += m;
        from.IA.M.yy += m;
        from.IA.M.zz += m;
    }
    from.pA = wrench_add(from.pA, (fa_wrench){vector(k->N), vector(k->F)});
    return from;
}

// Frames, inertias and forces of four bodies into their notes.
typedef struct carried {
    frame last;
    quad3 w, v, al, a;
} carried;

ALWAYS void note_group(const fa_fast *fast, const int g, const bool slides, const bool branched,
                       const double q[], const double qd[], const fa_load *load, carried *c,
                       quad_bits *near)
{
    const fa_fast_group *group = &fast->group[g];
    fa_fast_note        *note = fast->scratch, *here = &note[4 * g];
    const int            n = fast->n - 4 * g < 4 ? fast->n - 4 * g : 4, first = 4 * g;
    const quad           zero = {0, 0, 0, 0};
    const quad           ground = {-fast->gravity.x, -fast->gravity.y, -fast->gravity.z, 0};
    turned_axes          turned;
    frame                f[4];
    turn_axes(group, slides, quad_load_some(q + first, n), &turned, near);
    UNROLLED
    for (int lane = 0; lane < 4; lane++) {
        if (lane >= n) {
            f[lane] = (frame){zero, zero, zero, zero};
            continue;
        }
        if (branched) {
            const int parent = fast->parent[first + lane];
            if (parent == FA_WORLD) {
                c->last = fixed_frame();
            } else {
                double(*p)[4] = note[parent].frame;
                c->last =
                    (frame){quad_load(p[0]), quad_load(p[1]), quad_load(p[2]), quad_load(p[3])};
            }
        }
        f[lane] = c->last = frame_of(group, &turned, slides, lane, c->last);
        if (branched) {
            double(*to)[4] = here[lane].frame;
            quad_store(to[0], f[lane].x);
            quad_store(to[1], f[lane].y);
            quad_store(to[2], f[lane].z);
            quad_store(to[3], f[lane].origin);
        }
    }
    const frames   four = frames_of(f);
    const screws   s = screws_of(group, slides, &four);
    const inertias b = inertias_of(group, slides, &four);

    const quad  rate = quad_load_some(qd + first, n);
    const quad3 wJ = quad3_scale(rate, s.Z), vJ = quad3_scale(rate, s.S);
#define SUMS(own, on_ground, field)                                                                \
    (branched                                                                                      \
         ? tree_sums(own, on_ground, fast->parent, n, note, first, offsetof(fa_fast_note, field))  \
         : quad3_add(quad3_sums(own), c->field))
    const quad3 w = SUMS(wJ, zero, w), v = SUMS(vJ, zero, v);
    const quad3 al = SUMS(quad3_cross(w, wJ), zero, al);
    const quad3 a = SUMS(quad3_add(quad3_cross(w, vJ), quad3_cross(v, wJ)), ground, a);
#undef SUMS
    if (!branched) {
        c->w = quad3_last(w);
        c->v = quad3_last(v);
        c->al = quad3_last(al);
        c->a = quad3_last(a);
    }
    forces needed = forces_of(&b, slides, w, v, al, a);
    if (load && load->wrench)
        subtract_loads(&fast->turned[first], f, &load->wrench[first], n, &needed);
    put_rows(here->Z, s.Z);
    put_rows(here->S, s.S);
    put_rows(here->h, b.h);
    put_rows(here->N, needed.N);
    put_rows(here->F, needed.F);
    put_rows(here->I, (quad3){b.I.xx, b.I.yy, b.I.zz});
    put_rows(here->I + 4, (quad3){b.I.xy, b.I.xz, b.I.yz});
}

ALWAYS handed_over pending(const fa_fast_note *k)
{
    handed_over sum;
    memcpy(&sum, k->pending, sizeof sum);
    return sum;
}

ALWAYS void add_pending(fa_fast_note *k, handed_over more)
{
    handed_over sum = pending(k);
    sum.IA = articulated_add(sum.IA, more.IA);
    sum.pA = wrench_add(sum.pA, more.pA);
    memcpy(k->pending, &sum, sizeof sum);
}

// False if the pivot D has all but vanished.
ALWAYS bool is_strong(const fa_fast *fast, const int i, const bool slides, double D,
                      const fa_articulated *IA)
{
    const bool     linear = slides && fast->group[i / 4].turns[i % 4] == 0;
    const fa_sym3 *across = linear ? &IA->M : &IA->I;
    return D > FA_FAST_WEAK * (across->xx + across->yy + across->zz);
}

ALWAYS void note_joint(fa_fast_note *k, fa_wrench U, double inverse, double u)
{
    const double eight[8] = {U.moment.x, U.moment.y, U.moment.z, U.force.x,
                             U.force.y,  U.force.z,  inverse,    u};
    memcpy(k->U, eight, sizeof eight);
}

static const handed_over NOTHING = {.pA = {{0, 0, 0}, {0, 0, 0}}};

ALWAYS bool tip_to_base_of_tree(const fa_fast *fast, const bool slides, const double tau[])
{
    fa_fast_note *note = fast->scratch;
    bool          strong = true;
    for (int i = 0; i < fast->n; i++) memcpy(note[i].pending, &NOTHING, sizeof NOTHING);
    for (int i = fast->n - 1; i >= 0; i--) {
        fa_fast_note   *k = &note[i];
        const fa_twist  S = {vector(k->Z), vector(k->S)};
        handed_over     to = with_body(pending(k), k, slides, fast->group[i / 4].mass[i % 4]);
        const fa_wrench U = articulated_mul(to.IA, S);                     // (7.43)
        const double    D = power(S, U) + fast->group[i / 4].rotor[i % 4]; // (7.44)
        const double    u = tau[i] - power(S, to.pA), inverse = 1 / D;     // (7.45)
        strong &= is_strong(fast, i, slides, D, &to.IA);
        note_joint(k, U, inverse, u);
        if (fast->parent[i] == FA_WORLD) continue;
        to.IA = downdate(to.IA, U, inverse);
        to.pA = wrench_add(to.pA, wrench_scale(u * inverse, U));
        add_pending(&note[fast->parent[i]], to);
    }
    return strong;
}

// The same along a chain. Here each joint would wait for the one before it to divide by D and to
// change the articulated inertia. So the change by the last joint, of which only what this joint's
// axis feels is needed at once, is put off: A = IA + U U^T / D of the joint before.
ALWAYS bool tip_to_base_of_chain(const fa_fast *fast, const bool slides, const double tau[])
{
    fa_fast_note *note = fast->scratch;
    bool          strong = true;
    handed_over   A = NOTHING;
    fa_wrench     U = NOTHING.pA;
    double        inverse = 0, u = 0;
    for (int i = fast->n - 1; i >= 0; i--) {
        fa_fast_note  *k = &note[i];
        const fa_twist S = {vector(k->Z), vector(k->S)};
        A = with_body(A, k, slides, fast->group[i / 4].mass[i % 4]);
        const fa_wrench V = articulated_mul(A.IA, S);
        const double    own = power(S, V) + fast->group[i / 4].rotor[i % 4];
        const double    rest = tau[i] - power(S, A.pA);
        const double    felt = power(S, U), share = felt * inverse;
        const double    D = own - felt * felt * inverse;
        const fa_wrench before = U;
        const double    inverse_before = inverse, push = u * inverse;
        U = wrench_sub(V, wrench_scale(share, U));
        u = rest - felt * push;
        inverse = 1 / D;
        strong &= is_strong(fast, i, slides, D, &A.IA);
        note_joint(k, U, inverse, u);
        A.IA = downdate(A.IA, before, inverse_before);
        A.pA = wrench_add(A.pA, wrench_scale(push, before));
    }
    return strong;
}

ALWAYS fa_status articulated(const fa_fast *fast, const bool slides, const bool branched,
                             const double q[], const double qd[], const double tau[],
                             const fa_load *load, double qdd[])
{
    const int     n = fast->n;
    fa_fast_note *note = fast->scratch;
    const quad3   at_rest = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    quad_bits     near = {-1, -1, -1, -1};

    // Base to tip.
    carried c = {
        fixed_frame(),
        at_rest,
        at_rest,
        at_rest,
        {quad_all(-fast->gravity.x), quad_all(-fast->gravity.y), quad_all(-fast->gravity.z)}};
    for (int g = 0; 4 * g < n; g++) note_group(fast, g, slides, branched, q, qd, load, &c, &near);

    const bool strong =
        branched ? tip_to_base_of_tree(fast, slides, tau) : tip_to_base_of_chain(fast, slides, tau);

    // Base to tip: what the joints add to the accelerations.
    fa_twist a = {{0, 0, 0}, {0, 0, 0}};
    double   sum = 0;
    for (int i = 0; i < n; i++) {
        fa_fast_note   *k = &note[i];
        const fa_wrench U = {vector(k->U), vector(k->U + 3)};
        if (branched) {
            a = (fa_twist){{0, 0, 0}, {0, 0, 0}};
            if (fast->parent[i] != FA_WORLD)
                a = (fa_twist){vector(note[fast->parent[i]].al), vector(note[fast->parent[i]].a)};
        }
        qdd[i] = (k->u - power(a, U)) * k->inverse;
        a = twist_add(a, twist_scale(qdd[i], (fa_twist){vector(k->Z), vector(k->S)}));
        if (branched) {
            memcpy(k->al, &a.angular, sizeof a.angular);
            memcpy(k->a, &a.linear, sizeof a.linear);
        }
        sum += 0 * qdd[i];
    }
    return strong && all_lanes(near) && sum == 0 ? FA_OK : FA_UNFIT;
}

#endif
