// The Jacobians of jacobians.c for a chain in a row, in one fixed frame, four bodies at a time:
// docs/theory/derivatives.md derives them, and its letters are the ones here. All that an element
// needs of the one joint of a pair, and of all that the other one carries, is there for four joints
// at once; rows of the three matrices are then products of one joint's numbers and four others'.
//
//     here       jacobians.c's
//     Z, S       S      axis of the joint: turning, and the velocity of the frame's origin
//     dZ, dS     S'
//     ddZ, ddS   S''
//     f, P, C    f, P, C   of all that a joint carries
//     FZ, FS     F      moment and force that a unit acceleration of the joint needs
//     t, g, b    t, and half of g and b
//
// Included as fast_composite.h is, and after it.
#ifndef FA_FAST_JACOBIANS_H
#define FA_FAST_JACOBIANS_H

// Terms of the column of a joint.
typedef struct adjoints {
    quad3 dZ, dS, ddZ, ddS;
} adjoints;

// Quantities that are summed over subtrees, beside inertias.
typedef struct burdens {
    quad3  C[3]; // its columns
    quad3  P;
    forces f;
} burdens;

// C = w~ E + h~ v~
ALWAYS void put_coriolis(const inertias *b, const motions *m, quad3 C[3])
{
    const quad_sym3 *I = &b->I;
    const quad       half = 0.5 * (I->xx + I->yy + I->zz), hv = quad3_dot(b->h, m->v);
    const quad3      E[3] = {{half - I->xx, -I->xy, -I->xz},
                             {-I->xy, half - I->yy, -I->yz},
                             {-I->xz, -I->yz, half - I->zz}};
    C[0] = quad3_add_cross(quad3_scale(b->h.x, m->v), m->w, E[0]);
    C[1] = quad3_add_cross(quad3_scale(b->h.y, m->v), m->w, E[1]);
    C[2] = quad3_add_cross(quad3_scale(b->h.z, m->v), m->w, E[2]);
    C[0].x -= hv, C[1].y -= hv, C[2].z -= hv;
}

ALWAYS burdens burdens_of(const inertias *b, const bool slides, const motions *m)
{
    burdens to;
    to.P = quad3_cross(m->w, b->h);
    if (slides) to.P = quad3_add(to.P, quad3_scale(b->m, m->v));
    put_coriolis(b, m, to.C);
    to.f = forces_of(b, slides, m);
    return to;
}

ALWAYS burdens burdens_on(const burdens *b, burdens *beyond)
{
    burdens all;
    UNROLLED
    for (int k = 0; k < 3; k++) all.C[k] = quad3_sums_on(b->C[k], &beyond->C[k]);
    all.P = quad3_sums_on(b->P, &beyond->P);
    all.f.N = quad3_sums_on(b->f.N, &beyond->f.N);
    all.f.F = quad3_sums_on(b->f.F, &beyond->f.F);
    return all;
}

// f + B x of x = (w, .): B x = - (C w, P x w)
ALWAYS forces with_coriolis(forces f, const burdens *all, quad3 w)
{
    UNROLLED
    for (int k = 0; k < 3; k++) {
        const quad by = k == 0 ? w.x : k == 1 ? w.y : w.z;
        f.N = quad3_sub(f.N, quad3_scale(by, all->C[k]));
    }
    f.F = quad3_add_cross(f.F, w, all->P);
    return f;
}

// The joint of a pair that is further from the ground has in it all that both carry. Of this its
// row is made, and its column.
typedef struct further {
    joint_rows b, FZ, FS;
} further;

typedef struct columns {
    forces t, g;
} columns;

ALWAYS columns columns_of(const screws *s, const adjoints *d, const inertias *I, const bool slides,
                          const burdens *all)
{
    // 2 B S' + I S'' + S x* f and B S + I S'
    columns to;
    to.t = with_coriolis(moved_by(I, slides, d->ddZ, d->ddS), all, quad3_add(d->dZ, d->dZ));
    to.t.N = quad3_add_cross(quad3_add_cross(to.t.N, s->Z, all->f.N), s->S, all->f.F);
    to.t.F = quad3_add_cross(to.t.F, s->Z, all->f.F);
    to.g = with_coriolis(moved_by(I, slides, d->dZ, d->dS), all, s->Z);
    return to;
}

// - (C^T Z + S x P)
ALWAYS quad3 row_vector(const screws *s, const burdens *all)
{
    quad3 b = quad3_cross(all->P, s->S);
    b.x -= quad3_dot(all->C[0], s->Z);
    b.y -= quad3_dot(all->C[1], s->Z);
    b.z -= quad3_dot(all->C[2], s->Z);
    return b;
}

typedef double sides_rows[LONGEST][BY_TAU][LONGEST];

#endif

// Computes the motions of all bodies from the ground on, and the terms to be summed.
ALWAYS void COMPOSITE(burden)(const fa_fast *fast, const int n, const bool slides,
                              const double qd[], const double qdd[], const screws s[],
                              const inertias body[], adjoints d[], burdens own[])
{
    const int   n_groups = (n + 3) / 4;
    const quad  zero = quad_all(-0.0); // which added to a number leaves it
    const quad3 none = {zero, zero, zero};
    motions     before = {
            none,
            none,
            none,
            {quad_all(-fast->gravity.x), quad_all(-fast->gravity.y), quad_all(-fast->gravity.z)}};
    UNROLLED_IF_KNOWN
    for (int g = 0; g < n_groups; g++) {
        const quad rate = quad_load_some(qd + 4 * g, n - 4 * g);
        const quad more = quad_load_some(qdd + 4 * g, n - 4 * g);
        motions    m;
        m.w = quad3_sums_after(quad3_scale(rate, s[g].Z), &before.w);
        m.v = quad3_sums_after(quad3_scale(rate, s[g].S), &before.v);
        d[g].dZ = quad3_cross(m.w, s[g].Z); // v x S, the same as with the parent's v
        d[g].dS = quad3_add_cross(quad3_cross(m.w, s[g].S), m.v, s[g].Z);
        m.al = quad3_sums_after(quad3_add(quad3_scale(more, s[g].Z), quad3_scale(rate, d[g].dZ)),
                                &before.al);
        m.a = quad3_sums_after(quad3_add(quad3_scale(more, s[g].S), quad3_scale(rate, d[g].dS)),
                               &before.a);
        // a x S + v x S': what the joint itself adds to a and v cancels.
        d[g].ddZ = quad3_add_cross(quad3_cross(m.al, s[g].Z), m.w, d[g].dZ);
        d[g].ddS = quad3_add_cross(quad3_cross(m.al, s[g].S), m.a, s[g].Z);
        d[g].ddS = quad3_add_cross(quad3_add_cross(d[g].ddS, m.w, d[g].dS), m.v, d[g].dZ);
        own[g] = burdens_of(&body[g], slides, &m);
    }
}

// Rows of the change of inverse dynamics: left of the diagonal, and on it, joint i is the further
// one of each pair, right of it the nearer one. Half of it, by speeds.
ALWAYS void COMPOSITE(rows)(const int n, const screws s[], const adjoints d[], further *of,
                            const columns to[], sides_rows sides)
{
    const int  n_groups = (n + 3) / 4;
    joint_rows Z, S;
    quad3      twice[MOST_GROUPS];
    UNROLLED_IF_KNOWN
    for (int g = 0; g < n_groups; g++) {
        twice[g] = quad3_add(d[g].dZ, d[g].dZ);
        quad3_store(Z, 4 * g, s[g].Z);
        quad3_store(S, 4 * g, s[g].S);
    }
    UNROLLED_IF_KNOWN
    for (int i = 0; i < n; i++) {
        const quad_bits before = (quad_bits){0, 1, 2, 3} <= (int64_t)(i % 4);
        UNROLLED_IF_KNOWN
        for (int g = 0; g < n_groups; g++) {
            quad by_q = {0, 0, 0, 0}, by_qd = {0, 0, 0, 0};
            if (g >= i / 4) {
                by_q = row_on(row_of(Z, i, to[g].t.N), S, i, to[g].t.F);
                by_qd = row_on(row_of(Z, i, to[g].g.N), S, i, to[g].g.F);
            }
            if (g <= i / 4) {
                const quad q = row_on(row_on(row_of(of->b, i, twice[g]), of->FZ, i, d[g].ddZ),
                                      of->FS, i, d[g].ddS);
                const quad qd = row_on(row_on(row_of(of->b, i, s[g].Z), of->FZ, i, d[g].dZ), of->FS,
                                       i, d[g].dS);
                by_q = g == i / 4 ? quad_choose(before, q, by_q) : q;
                by_qd = g == i / 4 ? quad_choose(before, qd, by_qd) : qd;
            }
            quad_store(&sides[i][BY_Q][4 * g], by_q);
            quad_store(&sides[i][BY_QD][4 * g], by_qd);
        }
    }
}

ALWAYS fa_status COMPOSITE(jacobians)(const fa_fast *fast, const int n, const bool slides,
                                      const double q[], const double qd[], const double qdd[],
                                      double by_q[], double by_qd[], double by_tau[])
{
    const int   n_groups = (n + 3) / 4;
    frame       f[LONGEST];
    screws      s[MOST_GROUPS];
    inertias    body[MOST_GROUPS], all[MOST_GROUPS];
    adjoints    d[MOST_GROUPS];
    burdens     burden[MOST_GROUPS];
    columns     to[MOST_GROUPS];
    const quad  zero = quad_all(-0.0); // which added to a number leaves it
    const quad3 none = {zero, zero, zero};
    burdens     beyond = {{none, none, none}, none, {none, none}};
    further     of;
    lower_rows  H;
    double      diagonal[LONGEST];
    sides_rows  sides;
    const bool  placed = COMPOSITE(place)(fast, n, slides, q, f, s, body);
    COMPOSITE(carry)(n_groups, slides, body, all);
    COMPOSITE(mass_matrix)(fast, n, slides, s, all, of.FZ, of.FS, H, diagonal);
    UNROLLED_IF_KNOWN
    for (int k = n - 1; k >= 0; k--) COMPOSITE(factor_row)(n, k, H);
    COMPOSITE(burden)(fast, n, slides, qd, qdd, s, body, d, burden);
    UNROLLED_IF_KNOWN
    for (int g = n_groups - 1; g >= 0; g--) {
        const burdens on = burdens_on(&burden[g], &beyond);
        to[g] = columns_of(&s[g], &d[g], &all[g], slides, &on);
        quad3_store(of.b, 4 * g, row_vector(&s[g], &on));
    }
    COMPOSITE(rows)(n, s, d, &of, to, sides);

    const double  times[SIDES] = {-1, -2, 1};
    double *const result[SIDES] = {by_q, by_qd, by_tau};
    const bool    finite =
        COMPOSITE(solve_sides)(n, LONGEST, &H[0][0], &sides[0][0][0], times, result);
    return placed && finite && COMPOSITE(strong)(n, H, diagonal) ? FA_OK : FA_UNFIT;
}
