// The recursions of a free planar chain, and their derivatives.
//
// The derivatives of the accelerations follow from the balance of forces at constant accelerations,
// a sum over links. With B = m (acceleration of the centre) - F, for any virtual motion of the
// chain, Y of a centre of mass and y of a link's angle,
//
//   sum B.Y + (I alpha - M) y + (rotor phidd - torque) (y' - y) = 0
//
// where a dash marks the link in front.
#include "sliding_chain.h"

#include <math.h>

// Returns the acceleration of the centre of mass.
static fa_flat centre_acceleration(const fa_snake_link *link, const fa_sliding_link *at)
{
    const fa_flat r = fa_sliding_centre(link, at);
    return flat_sum(at->A, flat_mix(at->alpha, flat_left(r), -at->w * at->w, r));
}

// Returns the force residual B of a link.
static fa_flat lack(const fa_snake_link *link, const fa_sliding_link *at)
{
    return flat_less(flat_times(link->m, centre_acceleration(link, at)), at->F);
}

// Return velocity and acceleration of a link's point relative to the wheel, per length.
static fa_flat swing(const fa_sliding_link *at)
{
    return flat_times(at->w, flat_left(at->e));
}

static fa_flat sweep(const fa_sliding_link *at)
{
    return flat_mix(at->alpha, flat_left(at->e), -at->w * at->w, at->e);
}

void fa_sliding_move(const fa_sliding_chain *chain, fa_sliding_link at[])
{
    for (int k = 0; k < chain->n - 1; k++) {
        const double b = chain->link[k].b, a = chain->link[k + 1].a;
        at[k + 1].P = flat_sum(at[k].P, flat_mix(b, at[k].e, a, at[k + 1].e));
        at[k + 1].V = flat_sum(at[k].V, flat_mix(b, swing(&at[k]), a, swing(&at[k + 1])));
    }
}

void fa_sliding_accelerate(const fa_sliding_chain *chain, fa_sliding_link at[])
{
    for (int k = 0; k < chain->n - 1; k++) {
        const double b = chain->link[k].b, a = chain->link[k + 1].a;
        at[k + 1].A = flat_sum(at[k].A, flat_mix(b, sweep(&at[k]), a, sweep(&at[k + 1])));
    }
}

// ----------------------------------------------------------------------------------- acceleration

// Transfers the outer articulated body across the joint to the link behind it.
static void pass_joint(fa_sliding_body *of, double rotor, double torque, bool told,
                       double acceleration)
{
    if (told) {
        flat_add(&of->f0, flat_times(acceleration, of->h));
        of->t0 += of->J * acceleration;
        return;
    }
    const double u = (torque - of->t0) / of->D, left = rotor / of->D;
    flat_add(&of->f0, flat_times(u, of->h));
    of->t0 += of->J * u;
    of->Sxx -= of->h.x * of->h.x / of->D;
    of->Sxy -= of->h.x * of->h.y / of->D;
    of->Syy -= of->h.y * of->h.y / of->D;
    of->h = flat_times(left, of->h);
    of->J *= left;
}

static fa_flat by_S(const fa_sliding_body *of, fa_flat a)
{
    return flat(of->Sxx * a.x + of->Sxy * a.y, of->Sxy * a.x + of->Syy * a.y);
}

// Vector from the rear joint of link k to its front one; for the first link from its wheel.
static fa_flat reach(const fa_sliding_chain *chain, const fa_sliding_link at[], int k)
{
    const fa_snake_link *link = &chain->link[k];
    return flat_times((k > 0 ? link->a : 0) + link->b, at[k].e);
}

static fa_sliding_body rigid(const fa_sliding_chain *chain, const fa_sliding_link *at, int k,
                             double w2)
{
    const fa_snake_link *link = &chain->link[k];
    fa_flat              r = fa_sliding_centre(link, at);
    if (k > 0) flat_add(&r, flat_times(link->a, at->e));
    return (fa_sliding_body){.Sxx = link->m,
                             .Syy = link->m,
                             .h = flat_times(link->m, flat_left(r)),
                             .J = link->I + link->m * flat_dot(r, r),
                             .f0 = flat_mix(-link->m * w2, r, -1, at->F),
                             .t0 = -at->M - flat_cross(r, at->F)};
}

static void join(fa_sliding_body *to, fa_sliding_body of, fa_flat d, double w2)
{
    const fa_flat turned = flat_left(d), away = flat_times(-w2, d);
    const fa_flat by_turn = by_S(&of, turned);
    flat_add(&of.f0, by_S(&of, away));
    to->t0 += of.t0 + flat_dot(of.h, away) + flat_cross(d, of.f0);
    flat_add(&to->f0, of.f0);
    to->J += of.J + 2 * flat_dot(of.h, turned) + flat_dot(turned, by_turn);
    flat_add(&to->h, flat_sum(of.h, by_turn));
    to->Sxx += of.Sxx;
    to->Sxy += of.Sxy;
    to->Syy += of.Syy;
}

// Solves for A and alpha of a free body.
static fa_status fall(const fa_sliding_body *of, fa_sliding_link *base)
{
    if (!(of->J > 0)) return FA_SINGULAR;
    const fa_flat h = flat_times(1 / of->J, of->h);
    const double  xx = of->Sxx - of->h.x * h.x, xy = of->Sxy - of->h.x * h.y;
    const double  yy = of->Syy - of->h.y * h.y, determinant = xx * yy - xy * xy;
    const fa_flat f = flat_mix(-1, of->f0, of->t0, h);
    if (!(determinant > 0)) return FA_SINGULAR;
    base->A = flat((f.x * yy - f.y * xy) / determinant, (f.y * xx - f.x * xy) / determinant);
    base->alpha = -(of->t0 + flat_dot(of->h, base->A)) / of->J;
    return isfinite(base->alpha) ? FA_OK : FA_NOT_FINITE;
}

fa_status fa_sliding_solve(const fa_sliding_chain *chain, bool spinning, fa_sliding_link at[],
                           const double torque[], const double told[], double drive[],
                           fa_sliding_body body[])
{
    for (int k = chain->n - 1; k >= 0; k--) {
        const double w2 = spinning ? at[k].w * at[k].w : 0;
        body[k] = rigid(chain, &at[k], k, w2);
        if (k == chain->n - 1) continue;
        fa_sliding_body outer = body[k + 1];
        body[k + 1].D = outer.D = outer.J + chain->joint[k].rotor;
        if (!(outer.D > 0)) return FA_SINGULAR;
        pass_joint(&outer, chain->joint[k].rotor, torque[k], chain->told[k], told[k]);
        join(&body[k], outer, reach(chain, at, k), w2);
    }
    const fa_status status = fall(&body[0], &at[0]);
    if (status != FA_OK) return status;
    fa_flat A = at[0].A; // acceleration of the joint in front
    for (int k = 0; k < chain->n - 1; k++) {
        const fa_sliding_body *of = &body[k + 1];
        const double           w2 = spinning ? at[k].w * at[k].w : 0;
        const fa_flat          d = reach(chain, at, k);
        flat_add(&A, flat_mix(at[k].alpha, flat_left(d), -w2, d));
        const double needed = flat_dot(of->h, A) + of->t0 + of->J * at[k].alpha;
        const double phidd = chain->told[k] ? told[k] : (torque[k] - needed) / of->D;
        drive[k] = chain->told[k] ? needed + of->D * phidd - torque[k] : 0;
        at[k + 1].alpha = at[k].alpha + phidd;
    }
    return isfinite(at[chain->n - 1].alpha) ? FA_OK : FA_NOT_FINITE;
}

void fa_sliding_reactions(const fa_sliding_chain *chain, const fa_sliding_link at[],
                          fa_flat force[])
{
    fa_flat sum = {0, 0};
    for (int k = chain->n - 1; k > 0; k--) {
        flat_add(&sum, lack(&chain->link[k], &at[k]));
        force[k - 1] = sum;
    }
}

// --------------------------------------------------------------------------------------- tangents

static fa_flat swing_tangent(const fa_sliding_link *at, const fa_sliding_link *dot)
{
    return flat_mix(dot->w, flat_left(at->e), at->w, flat_left(dot->e));
}

static fa_flat sweep_tangent(const fa_sliding_link *at, const fa_sliding_link *dot)
{
    const fa_flat turned = flat_mix(dot->alpha, flat_left(at->e), at->alpha, flat_left(dot->e));
    return flat_sum(turned, flat_mix(-2 * at->w * dot->w, at->e, -at->w * at->w, dot->e));
}

void fa_sliding_move_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                             const fa_snake_link by[], fa_sliding_link dot[])
{
    for (int k = 0; k < chain->n - 1; k++) {
        const double b = chain->link[k].b, a = chain->link[k + 1].a;
        const double db = by[k].b, da = by[k + 1].a;
        dot[k + 1].P = flat_sum(flat_sum(dot[k].P, flat_mix(b, dot[k].e, a, dot[k + 1].e)),
                                flat_mix(db, at[k].e, da, at[k + 1].e));
        dot[k + 1].V =
            flat_sum(flat_sum(dot[k].V, flat_mix(b, swing_tangent(&at[k], &dot[k]), a,
                                                 swing_tangent(&at[k + 1], &dot[k + 1]))),
                     flat_mix(db, swing(&at[k]), da, swing(&at[k + 1])));
    }
}

void fa_sliding_accelerate_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                   const fa_snake_link by[], fa_sliding_link dot[])
{
    for (int k = 0; k < chain->n - 1; k++) {
        const double b = chain->link[k].b, a = chain->link[k + 1].a;
        dot[k + 1].A =
            flat_sum(flat_sum(dot[k].A, flat_mix(b, sweep_tangent(&at[k], &dot[k]), a,
                                                 sweep_tangent(&at[k + 1], &dot[k + 1]))),
                     flat_mix(by[k].b, sweep(&at[k]), by[k + 1].a, sweep(&at[k + 1])));
    }
}

// Tangent of B.
static fa_flat lack_tangent(const fa_snake_link *link, const fa_sliding_link *at,
                            const fa_snake_link *by, const fa_sliding_link *dot)
{
    const fa_flat r = fa_sliding_centre(link, at);
    const fa_flat dr = flat_sum(fa_sliding_centre(link, dot), fa_sliding_centre(by, at));
    const fa_flat turned = flat_mix(dot->alpha, flat_left(r), at->alpha, flat_left(dr));
    const fa_flat spun = flat_mix(-2 * at->w * dot->w, r, -at->w * at->w, dr);
    const fa_flat dA = flat_sum(dot->A, flat_sum(turned, spun));
    return flat_less(flat_mix(by->m, centre_acceleration(link, at), link->m, dA), dot->F);
}

void fa_sliding_residual_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                 const fa_snake_link by[], fa_sliding_link dot[])
{
    fa_flat front = {0, 0}; // sum of the force residuals of the links in front
    for (int k = chain->n - 1; k >= 0; k--) {
        const fa_snake_link *link = &chain->link[k], *d = &by[k];
        const fa_flat        B = lack(link, &at[k]), rear = flat_sum(front, B);
        // Tangents of the levers: to the centre, the rear joint and the front joint.
        const fa_flat dr = flat_sum(fa_sliding_centre(link, &dot[k]), fa_sliding_centre(d, &at[k]));
        double        by_levers = flat_cross(dr, B);
        by_levers += flat_cross(flat_mix(d->b, at[k].e, link->b, dot[k].e), front);
        if (k > 0) by_levers += flat_cross(flat_mix(d->a, at[k].e, link->a, dot[k].e), rear);
        dot[k].F = flat_times(-1, lack_tangent(link, &at[k], d, &dot[k]));
        dot[k].M -= by_levers + d->I * at[k].alpha;
        front = rear;
    }
}

void fa_sliding_reactions_tangent(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                  const fa_snake_link by[], const fa_sliding_link dot[],
                                  fa_flat force[])
{
    fa_flat sum = {0, 0};
    for (int k = chain->n - 1; k > 0; k--) {
        flat_add(&sum, lack_tangent(&chain->link[k], &at[k], &by[k], &dot[k]));
        force[k - 1] = sum;
    }
}

// --------------------------------------------------------------------------------------- adjoints

// Transposes of s = w left(e) and of t = alpha left(e) - w^2 e. The transpose of left is its
// negative.
static void swing_adjoint(const fa_sliding_link *at, fa_flat s, fa_sliding_link *bar)
{
    bar->w += flat_dot(s, flat_left(at->e));
    flat_add(&bar->e, flat_times(-at->w, flat_left(s)));
}

static void sweep_adjoint(const fa_sliding_link *at, fa_flat t, fa_sliding_link *bar)
{
    bar->alpha += flat_dot(t, flat_left(at->e));
    bar->w -= 2 * at->w * flat_dot(t, at->e);
    flat_add(&bar->e, flat_mix(-at->alpha, flat_left(t), -at->w * at->w, t));
}

// Transpose of r = c e + d left(e).
static void centre_adjoint(const fa_snake_link *link, const fa_sliding_link *at, fa_flat r,
                           fa_sliding_link *bar, fa_snake_link *sums)
{
    sums->c += flat_dot(r, at->e);
    sums->d += flat_dot(r, flat_left(at->e));
    flat_add(&bar->e, flat_mix(link->c, r, -link->d, flat_left(r)));
}

void fa_sliding_move_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                             fa_sliding_link bar[], fa_snake_link sums[])
{
    for (int k = chain->n - 2; k >= 0; k--) {
        const double  b = chain->link[k].b, a = chain->link[k + 1].a;
        const fa_flat P = bar[k + 1].P, V = bar[k + 1].V;
        flat_add(&bar[k].P, P);
        flat_add(&bar[k].V, V);
        flat_add(&bar[k].e, flat_times(b, P));
        flat_add(&bar[k + 1].e, flat_times(a, P));
        swing_adjoint(&at[k], flat_times(b, V), &bar[k]);
        swing_adjoint(&at[k + 1], flat_times(a, V), &bar[k + 1]);
        sums[k].b += flat_dot(P, at[k].e) + flat_dot(V, swing(&at[k]));
        sums[k + 1].a += flat_dot(P, at[k + 1].e) + flat_dot(V, swing(&at[k + 1]));
    }
}

void fa_sliding_accelerate_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                   fa_sliding_link bar[], fa_snake_link sums[])
{
    for (int k = chain->n - 2; k >= 0; k--) {
        const double  b = chain->link[k].b, a = chain->link[k + 1].a;
        const fa_flat A = bar[k + 1].A;
        bar[k + 1].A = flat(0, 0);
        flat_add(&bar[k].A, A);
        sweep_adjoint(&at[k], flat_times(b, A), &bar[k]);
        sweep_adjoint(&at[k + 1], flat_times(a, A), &bar[k + 1]);
        sums[k].b += flat_dot(A, sweep(&at[k]));
        sums[k + 1].a += flat_dot(A, sweep(&at[k + 1]));
    }
}

// Transpose of B.
static void lack_adjoint(const fa_snake_link *link, const fa_sliding_link *at, fa_flat B,
                         fa_sliding_link *bar, fa_snake_link *sums)
{
    const fa_flat r = fa_sliding_centre(link, at), A = flat_times(link->m, B);
    sums->m += flat_dot(B, centre_acceleration(link, at));
    flat_add(&bar->F, flat_times(-1, B));
    flat_add(&bar->A, A);
    bar->alpha += flat_dot(A, flat_left(r));
    bar->w -= 2 * at->w * flat_dot(A, r);
    centre_adjoint(link, at, flat_mix(-at->alpha, flat_left(A), -at->w * at->w, A), bar, sums);
}

void fa_sliding_residual_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                 const fa_sliding_link y[], fa_sliding_link bar[],
                                 fa_snake_link sums[])
{
    const int n = chain->n;
    fa_flat   Y = y[0].A; // virtual velocity of the wheel
    for (int k = 0; k < n; k++) {
        const fa_snake_link *link = &chain->link[k];
        const double         turn = y[k].alpha;
        const fa_flat        r = fa_sliding_centre(link, &at[k]);
        if (k > 0)
            flat_add(&Y, flat_mix(chain->link[k - 1].b * y[k - 1].alpha, flat_left(at[k - 1].e),
                                  link->a * turn, flat_left(at[k].e)));
        lack_adjoint(link, &at[k], flat_mix(-1, Y, -turn, flat_left(r)), &bar[k], &sums[k]);
        sums[k].I -= at[k].alpha * turn;
        bar[k].M += turn;
    }
    fa_flat front = {0, 0};
    for (int k = n - 1; k >= 0; k--) {
        const fa_snake_link *link = &chain->link[k];
        const double         turn = y[k].alpha;
        const fa_flat        B = lack(link, &at[k]), rear = flat_sum(front, B);
        // Transposes of the levers to the centre, the front joint and the rear joint.
        centre_adjoint(link, &at[k], flat_times(turn, flat_left(B)), &bar[k], &sums[k]);
        flat_add(&bar[k].e, flat_times(link->b * turn, flat_left(front)));
        sums[k].b += turn * flat_dot(at[k].e, flat_left(front));
        if (k > 0) {
            flat_add(&bar[k].e, flat_times(link->a * turn, flat_left(rear)));
            sums[k].a += turn * flat_dot(at[k].e, flat_left(rear));
        }
        front = rear;
    }
}

void fa_sliding_reactions_adjoint(const fa_sliding_chain *chain, const fa_sliding_link at[],
                                  const fa_flat force[], fa_sliding_link bar[],
                                  fa_snake_link sums[])
{
    fa_flat sum = {0, 0};
    for (int k = 1; k < chain->n; k++) {
        flat_add(&sum, force[k - 1]);
        lack_adjoint(&chain->link[k], &at[k], sum, &bar[k], &sums[k]);
    }
}
