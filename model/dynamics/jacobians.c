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

#include "cholesky.h"
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

size_t fa_jacobians_work_size(const fa_chain *chain)
{
    size_t c = (size_t)chain->n_coordinates;
    return (size_t)chain->n * sizeof(part) + 3 * c * c * sizeof(double);
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

static fa_twist rest(fa_vec3 gravity)
{
    return (fa_twist){{0, 0, 0}, vec3_scale(-1, gravity)}; // gravity pulls as a ground that rises
}

// Base to tip: where a body is, how it moves, and what that needs.
static void visit(const fa_chain *chain, int i, const double q[], const double qd[],
                  const double qdd[], const fa_load *load, fa_load_turn turn, part k[])
{
    const fa_body *body = &chain->body[i];
    part          *p = &k[i];
    fa_transform   X = fa_joint_transform(body, fa_joint_position(body, q));
    fa_twist       v = {{0, 0, 0}, {0, 0, 0}}, a = rest(chain->gravity);
    if (body->parent == FA_WORLD) {
        p->pose = X;
        p->pose.r = vec3_sub(X.r, chain->body[0].home.r);
    } else {
        p->pose = transform_compose(k[body->parent].pose, X);
        v = k[body->parent].v;
        a = k[body->parent].a;
    }
    fa_vec3 axis = mat3_tmul(p->pose.E, body->axis);
    p->S = body->joint == FA_PRISMATIC ? (fa_twist){{0, 0, 0}, axis}
                                       : (fa_twist){axis, cross(p->pose.r, axis)};
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

// What the loads take back of S x* f, when they do not turn along: (A w, f x w).
static fa_wrench unturned(const part *p, fa_twist S)
{
    return (fa_wrench){mat3_mul(p->A, S.angular), cross(p->load, S.angular)};
}

void fa_inverse_jacobians(const fa_chain *chain, const double q[], const double qd[],
                          const double qdd[], const fa_load *load, fa_load_turn turn,
                          fa_jacobians to, void *work)
{
    const fa_body *body = chain->body;
    const size_t   c = (size_t)chain->n_coordinates;
    const bool     turns = load && load->wrench && turn.moment;
    part          *k = work;
    memset(to.by_q, 0, c * c * sizeof *to.by_q);
    memset(to.by_qd, 0, c * c * sizeof *to.by_qd);
    memset(to.by_third, 0, c * c * sizeof *to.by_third);
    for (int i = 0; i < chain->n; i++) visit(chain, i, q, qd, qdd, load, turn, k);

    for (int i = chain->n - 1; i >= 0; i--) {
        const part *p = &k[i];
        // How the force across this joint changes when this joint moves: for the rows before it.
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
            to.by_q[row * c + column] +=
                ratio * (dot(b, h->Sd.angular) + power(h->Sdd, F) - dot(u, h->S.angular));
            to.by_qd[row * c + column] += ratio * (dot(b, h->S.angular) + 2 * power(h->Sd, F));
            const double m = ratio * power(h->S, F);
            to.by_third[row * c + column] += m;
            if (j == i) continue;
            to.by_q[column * c + row] += ratio * power(h->S, t);
            to.by_qd[column * c + row] += ratio * power(h->S, g);
            to.by_third[column * c + row] += m;
        }
        to.by_third[row * c + row] += body[i].ratio * body[i].ratio * body[i].rotor;
        if (body[i].parent != FA_WORLD) add_to_parent(p, turns, &k[body[i].parent]);
    }
}

// Replaces each column of B[n][m] by the solution of L L^T x = column. Rows are whole, so that the
// inner loops run along memory.
static void solve_columns(int n, const double L[], int m, double B[])
{
    for (int i = 0; i < n; i++) {
        double *row = B + i * m;
        for (int k = 0; k < i; k++) {
            const double *other = B + k * m, factor = L[i * n + k];
            for (int j = 0; j < m; j++) row[j] -= factor * other[j];
        }
        const double inverse = 1 / L[i * n + i];
        for (int j = 0; j < m; j++) row[j] *= inverse;
    }
    for (int i = n - 1; i >= 0; i--) {
        double *row = B + i * m;
        for (int k = i + 1; k < n; k++) {
            const double *other = B + k * m, factor = L[k * n + i];
            for (int j = 0; j < m; j++) row[j] -= factor * other[j];
        }
        const double inverse = 1 / L[i * n + i];
        for (int j = 0; j < m; j++) row[j] *= inverse;
    }
}

fa_status fa_forward_jacobians(const fa_chain *chain, const double q[], const double qd[],
                               const double qdd[], const fa_load *load, fa_load_turn turn,
                               fa_jacobians to, void *work)
{
    const int n = chain->n_coordinates;
    double   *sides = (double *)((part *)work + chain->n); // -by_q, -by_qd, 1: n rows of 3 n
    fa_inverse_jacobians(chain, q, qd, qdd, load, turn, to, work);
    fa_status status = fa_cholesky_factor(n, to.by_third);
    if (status != FA_OK) return status;
    for (int i = 0; i < n; i++) {
        double *row = sides + i * 3 * n;
        for (int j = 0; j < n; j++) {
            row[j] = -to.by_q[i * n + j];
            row[n + j] = -to.by_qd[i * n + j];
            row[2 * n + j] = i == j;
        }
    }
    solve_columns(n, to.by_third, 3 * n, sides);
    for (int i = 0; i < n; i++) {
        const double *row = sides + i * 3 * n;
        memcpy(to.by_q + i * n, row, (size_t)n * sizeof *row);
        memcpy(to.by_qd + i * n, row + n, (size_t)n * sizeof *row);
        memcpy(to.by_third + i * n, row + 2 * n, (size_t)n * sizeof *row);
    }
    return fa_all_finite(sides, 3 * n * n) ? FA_OK : FA_NOT_FINITE;
}
