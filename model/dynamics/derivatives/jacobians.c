// S. Singh, R. P. Russell and P. M. Wensing, "Efficient analytical derivatives of rigid-body
// dynamics using spatial vector algebra", IEEE Robotics and Automation Letters 7(2), 2022, show
// that every element is a product of something that one joint of a pair has and something that all
// bodies behind the other have together. Here in the form that docs/theory/derivatives.md derives,
// where that something needs 28 numbers of a body. Everything is in one frame, with the world's
// axes and its origin at the first joint.
//
//     derivation    here
//     S             S      axis of the joint
//     S'            Sd     v x S: how the joint's own axis moves
//     S''           Sdd    a x S + v x S', with v and a of the parent
//     I, C, P       I, C, P   of all that a joint carries: inertia, and 2 B x = -2 (C x_w, P x x_w)
//     f, A          f, A   force across the joint; how the load's part of it turns
#include "jacobians.h"

#include <string.h>

#include "methods.h"

typedef struct part {
    fa_twist     S, Sd, Sdd, v, a;
    fa_inertia   I;
    fa_mat3      C;
    fa_vec3      P;
    fa_wrench    f;
    fa_mat3      A;    // of loads that keep their direction in the world …
    fa_vec3      load; // … and their force
    fa_transform pose; // fixed frame to body
} part;

enum { LANES = 8 };

// Rows of the right-hand sides: three matrices beside each other, in whole groups of lanes.
static size_t sides_width(const fa_chain *chain)
{
    return (3 * (size_t)chain->n_coordinates + LANES - 1) / LANES * LANES;
}

// Coefficients of a row that depends on other rows.
typedef struct share {
    double factor;
    size_t from;
} share;

size_t fa_jacobians_work_size(const fa_chain *chain)
{
    size_t c = (size_t)chain->n_coordinates;
    return (size_t)chain->n * sizeof(part) + c * (sides_width(chain) + c) * sizeof(double) +
           c * sizeof(share);
}

// a~ B for a symmetric B.
static fa_mat3 tilde_times(fa_vec3 a, fa_sym3 B)
{
    fa_vec3 x = cross(a, vec3(B.xx, B.xy, B.xz)), y = cross(a, vec3(B.xy, B.yy, B.yz));
    fa_vec3 z = cross(a, vec3(B.xz, B.yz, B.zz));
    return (fa_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// a~ b~ = b a^T - (a.b) 1
static fa_mat3 tilde_tilde(fa_vec3 a, fa_vec3 b)
{
    fa_mat3 C = mat3_outer(b, a);
    double  ab = dot(a, b);
    for (int i = 0; i < 3; i++) C.m[i][i] -= ab;
    return C;
}

// Second moments of the mass: (tr I / 2) 1 - I.
static fa_sym3 second_moments(fa_sym3 I)
{
    double half = 0.5 * (I.xx + I.yy + I.zz);
    return (fa_sym3){half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
}

// Velocity and acceleration of the ground, taken at the first joint. Gravity pulls as a ground that
// rises.
static void ground(const fa_chain *chain, fa_twist *v, fa_twist *a)
{
    fa_vec3 origin = chain->body[0].home.r;
    *v = fa_chain_base_velocity(chain);
    *a = fa_chain_base_acceleration(chain);
    v->linear = vec3_add(v->linear, cross(v->angular, origin));
    a->linear = vec3_add(a->linear, cross(a->angular, origin));
    a->linear = vec3_sub(a->linear, chain->gravity);
}

// Base to tip: where a body is, how it moves, and what that needs.
static void visit(const fa_chain *chain, int i, const double q[], const double qd[],
                  const double qdd[], const fa_load *load, fa_load_turn turn, part k[])
{
    const fa_body *body = &chain->body[i];
    part          *p = &k[i];
    fa_transform   X = fa_joint_transform(body, fa_joint_position(body, q));
    fa_twist       v, a;
    if (body->parent == FA_WORLD) {
        p->pose = X;
        p->pose.r = vec3_sub(X.r, chain->body[0].home.r);
        ground(chain, &v, &a);
    } else {
        p->pose = transform_compose(k[body->parent].pose, X);
        v = k[body->parent].v;
        a = k[body->parent].a;
    }
    fa_vec3 axis = mat3_tmul(p->pose.E, body->axis);
    p->S = fa_joint_slides(body->joint) ? (fa_twist){{0, 0, 0}, axis}
                                        : (fa_twist){axis, cross(p->pose.r, axis)};
    if (body->joint == FA_SCREW)
        p->S = (fa_twist){axis, vec3_add(cross(p->pose.r, axis), vec3_scale(body->advance, axis))};
    p->Sd = twist_cross(v, p->S);
    p->Sdd = twist_add(twist_cross(a, p->S), twist_cross(v, p->Sd));
    double rate = fa_joint_rate(body, qd);
    p->v = twist_add(v, twist_scale(rate, p->S));
    p->a = twist_add(
        a, twist_add(twist_scale(fa_joint_rate(body, qdd), p->S), twist_scale(rate, p->Sd)));

    p->I = inertia_to_parent(p->pose, body->inertia);
    fa_wrench momentum = inertia_mul(p->I, p->v);
    p->P = momentum.force;
    p->C = mat3_add(tilde_times(p->v.angular, second_moments(p->I.I)),
                    tilde_tilde(p->I.h, p->v.linear));
    p->f = wrench_add(inertia_mul(p->I, p->a), twist_cross_wrench(p->v, momentum));
    if (!load || !load->wrench) return;

    fa_wrench pushed = to_parent(p->pose, load->wrench[i]);
    p->f = wrench_sub(p->f, pushed);
    if (!turn.moment) return;
    // From the body's origin and axes: A' = E^T A E + r~ f~, the moment about another point.
    p->load = pushed.force;
    p->A = mat3_mat3(mat3_mat3(mat3_transpose(p->pose.E), turn.moment[i]), p->pose.E);
    p->A = mat3_add(p->A, tilde_tilde(p->pose.r, p->load));
}

static void add_to_parent(const part *child, bool turns, part *parent)
{
    parent->I = inertia_add(parent->I, child->I);
    parent->C = mat3_add(parent->C, child->C);
    parent->P = vec3_add(parent->P, child->P);
    parent->f = wrench_add(parent->f, child->f);
    if (!turns) return;
    parent->A = mat3_add(parent->A, child->A);
    parent->load = vec3_add(parent->load, child->load);
}

// 2 B x
static fa_wrench coriolis(const part *p, fa_twist x)
{
    return (fa_wrench){vec3_scale(-2, mat3_mul(p->C, x.angular)),
                       vec3_scale(-2, cross(p->P, x.angular))};
}

// Correction of S x* f for loads that do not rotate with the body: (A w, f x w).
static fa_wrench unturned(const part *p, fa_twist S)
{
    return (fa_wrench){mat3_mul(p->A, S.angular), cross(p->load, S.angular)};
}

// Adds to matrices of zeros whose rows are `width` apart, the third one's n_coordinates.
static void differentiate(const fa_chain *chain, const double q[], const double qd[],
                          const double qdd[], const fa_load *load, fa_load_turn turn,
                          fa_jacobians to, size_t width, part k[])
{
    const fa_body *body = chain->body;
    const size_t   c = (size_t)chain->n_coordinates;
    const bool     turns = load && load->wrench && turn.moment;
    for (int i = 0; i < chain->n; i++) visit(chain, i, q, qd, qdd, load, turn, k);

    for (int i = chain->n - 1; i >= 0; i--) {
        const part *p = &k[i];
        // Derivative of the force across this joint by its own motion, for the rows before it.
        fa_twist  twice = twist_scale(2, p->Sd);
        fa_wrench t = wrench_add(wrench_add(coriolis(p, p->Sd), inertia_mul(p->I, p->Sdd)),
                                 twist_cross_wrench(p->S, p->f));
        fa_wrench g = wrench_add(coriolis(p, p->S), inertia_mul(p->I, twice));
        fa_wrench F = inertia_mul(p->I, p->S);
        // And this joint's row, for the columns before it: b pairs with what turns them.
        fa_vec3 b =
            vec3_scale(-2, vec3_add(mat3_tmul(p->C, p->S.angular), cross(p->S.linear, p->P)));
        fa_vec3 u = {0, 0, 0};
        if (turns) {
            t = wrench_sub(t, unturned(p, p->S));
            u = vec3_add(mat3_tmul(p->A, p->S.angular), cross(p->S.linear, p->load));
        }
        const size_t row = (size_t)body[i].coordinate;
        for (int j = i; j != FA_WORLD; j = body[j].parent) {
            const part  *h = &k[j];
            const size_t column = (size_t)body[j].coordinate;
            const double ratio = body[i].ratio * body[j].ratio;
            to.by_q[row * width + column] +=
                ratio * (dot(b, h->Sd.angular) + power(h->Sdd, F) - dot(u, h->S.angular));
            to.by_qd[row * width + column] += ratio * (dot(b, h->S.angular) + 2 * power(h->Sd, F));
            const double m = ratio * power(h->S, F);
            to.by_third[row * c + column] += m;
            if (j == i) continue;
            to.by_q[column * width + row] += ratio * power(h->S, t);
            to.by_qd[column * width + row] += ratio * power(h->S, g);
            to.by_third[column * c + row] += m;
        }
        to.by_third[row * c + row] += body[i].ratio * body[i].ratio * body[i].rotor;
        if (body[i].parent != FA_WORLD) add_to_parent(p, turns, &k[body[i].parent]);
    }
}

void fa_inverse_jacobians(const fa_chain *chain, const double q[], const double qd[],
                          const double qdd[], const fa_load *load, fa_load_turn turn,
                          fa_jacobians to, void *work)
{
    const size_t c = (size_t)chain->n_coordinates;
    memset(to.by_q, 0, c * c * sizeof *to.by_q);
    memset(to.by_qd, 0, c * c * sizeof *to.by_qd);
    memset(to.by_third, 0, c * c * sizeof *to.by_third);
    differentiate(chain, q, qd, qdd, load, turn, to, c, work);
}

// M = L^T D L from the tips on, so that L has zeros wherever M has them: an element only where one
// joint carries the other (Featherstone 2008, table 6.3). Joints that follow others tie branches
// together; then every coordinate counts as carried by the one before. L, without its diagonal of
// ones, and D replace the lower half of M.
static int carrier(const fa_chain *chain, int i)
{
    return chain->coupled ? i - 1 : chain->body[i].parent;
}

static fa_status factor(const fa_chain *chain, double M[], double diagonal[])
{
    const int n = chain->n_coordinates;
    for (int i = 0; i < n; i++) diagonal[i] = M[i * n + i];
    for (int k = n - 1; k >= 0; k--) {
        const double pivot = M[k * n + k];
        if (!(pivot > FA_SINGULAR_FRACTION * diagonal[k])) return FA_SINGULAR;
        for (int i = carrier(chain, k); i >= 0; i = carrier(chain, i)) {
            const double a = M[k * n + i] / pivot;
            for (int j = i; j >= 0; j = carrier(chain, j)) M[i * n + j] -= M[k * n + j] * a;
            M[k * n + i] = a;
        }
    }
    return FA_OK;
}

// Turns signs; gives zero, or NaN if some number is not finite.
static double negate(size_t n, const double *from, double *to)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        to[i] = -from[i];
        sum += from[i] - from[i];
    }
    return sum;
}

// Takes from a row its shares of others, and scales it.
static void take_away(const share list[], int n, size_t width, double factor, const double *B,
                      double *row)
{
    for (size_t t = 0; t < width; t += LANES) {
        double sum[LANES];
        for (size_t lane = 0; lane < LANES; lane++) sum[lane] = row[t + lane];
        for (int k = 0; k < n; k++) {
            const double *other = B + list[k].from + t;
            for (size_t lane = 0; lane < LANES; lane++) sum[lane] -= list[k].factor * other[lane];
        }
        for (size_t lane = 0; lane < LANES; lane++) row[t + lane] = factor * sum[lane];
    }
}

// Replaces each column of the matrix B by the solution of L^T D L x = column. Its rows are whole,
// so that the inner loops run along memory, and compilers turn them into vectors.
static void solve_columns(const fa_chain *chain, const double LD[], size_t width, double B[],
                          share list[])
{
    const int n = chain->n_coordinates;
    for (int i = n - 1; i >= 0; i--) { // L^T and D: what i carries
        int count = 0;
        for (int k = i + 1; k < n; k++)
            if (LD[k * n + i] != 0)
                list[count++] = (share){LD[k * n + i] * LD[k * n + k], (size_t)k * width};
        take_away(list, count, width, 1 / LD[i * n + i], B, B + (size_t)i * width);
    }
    for (int i = 0; i < n; i++) { // L: what carries i
        int count = 0;
        for (int j = carrier(chain, i); j >= 0; j = carrier(chain, j))
            list[count++] = (share){LD[i * n + j], (size_t)j * width};
        take_away(list, count, width, 1, B, B + (size_t)i * width);
    }
}

fa_status fa_forward_jacobians(const fa_chain *chain, const double q[], const double qd[],
                               const double qdd[], const fa_load *load, fa_load_turn turn,
                               fa_jacobians to, void *work)
{
    const size_t n = (size_t)chain->n_coordinates, width = sides_width(chain);
    part        *k = work;
    double      *sides = (double *)(k + chain->n), *M = sides + n * width;
    share       *list = (share *)(M + n * n);
    double      *diagonal = (double *)list; // for the factorisation, before there is a list
    memset(sides, 0, n * (width + n) * sizeof *sides);
    differentiate(chain, q, qd, qdd, load, turn, (fa_jacobians){sides, sides + n, M}, width, k);
    for (size_t i = 0; i < n; i++) {
        sides[i * width + 2 * n + i] = -1; // all signs turn at the end
        if (chain->held && chain->held[i]) memset(sides + i * width, 0, width * sizeof *sides);
    }
    fa_chain_hold(chain, M);
    fa_status status = factor(chain, M, diagonal);
    if (status != FA_OK) return status;
    solve_columns(chain, M, width, sides, list);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double *row = sides + i * width;
        sum += negate(n, row, to.by_q + i * n) + negate(n, row + n, to.by_qd + i * n) +
               negate(n, row + 2 * n, to.by_third + i * n);
    }
    return sum == 0 ? FA_OK : FA_NOT_FINITE;
}
