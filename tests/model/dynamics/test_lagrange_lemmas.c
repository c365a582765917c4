// The steps of Silver's derivation (A.I. Memo 622, 1981) as properties of random trees: what the
// referee of all methods rests on. Equation numbers are the memo's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare.h"
#include "dh_chain.h"
#include "lagrange.h"
#include "methods.h"

enum { MAX = 8, TRIALS = 60 };

// Slopes are taken from four points, h and 2h to both sides: the error is h^4 times a fifth
// derivative (1e-10 of speeds near 3 rad/s) and rounding over h (1e-13). The worst seen, relative
// to the terms compared, was 9e-11; main prints it.
static const double H = 2e-3;
static const double TOLERANCE = 1e-9;
static double       worst;

typedef struct state {
    fa_body          body[MAX];
    fa_chain         chain;
    double           q[MAX], qd[MAX], qdd[MAX];
    fa_lagrange_body here[MAX];
    fa_lagrange_body around[4][MAX]; // at -2h, -h, h, 2h
} state;

static void random_state(uint64_t *seed, int trial, state *s)
{
    s->chain = random_tree(seed, 1 + trial % MAX, s->body);
    for (int i = 0; i < s->chain.n; i++) {
        s->q[i] = random_between(seed, -3, 3);
        s->qd[i] = random_between(seed, -1, 1);
        s->qdd[i] = random_between(seed, -1, 1);
    }
    fa_lagrange_motion(&s->chain, s->q, s->qd, s->qdd, s->here);
}

static const double steps[4] = {-2, -1, 1, 2};

static double slope_of(const double f[4])
{
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * H);
}

static fa_v3 slope(const fa_v3 f[4])
{
    fa_v3 d;
    for (int x = 0; x < 3; x++)
        d.e[x] = slope_of((double[]){f[0].e[x], f[1].e[x], f[2].e[x], f[3].e[x]});
    return d;
}

// Bodies a moment before and after: the arm moves on with qd and qdd.
static void along_time(state *s)
{
    for (int p = 0; p < 4; p++) {
        double       q[MAX], qd[MAX];
        const double t = steps[p] * H;
        for (int i = 0; i < s->chain.n; i++) {
            q[i] = s->q[i] + t * s->qd[i] + t * t / 2 * s->qdd[i];
            qd[i] = s->qd[i] + t * s->qdd[i];
        }
        fa_lagrange_motion(&s->chain, q, qd, s->qdd, s->around[p]);
    }
}

// Bodies with one coordinate a little smaller and larger, all rates as they are.
static void along_coordinate(state *s, int j)
{
    for (int p = 0; p < 4; p++) {
        double q[MAX];
        memcpy(q, s->q, sizeof q);
        q[j] += steps[p] * H;
        fa_lagrange_motion(&s->chain, q, s->qd, s->qdd, s->around[p]);
    }
}

static bool carries(const fa_chain *chain, int j, int i)
{
    while (i != FA_WORLD && i != j) i = chain->body[i].parent;
    return i == j;
}

static void same(fa_v3 a, fa_v3 b)
{
    const double scale = 1 + largest(a.e, 3);
    worst = fmax(worst, distance(a.e, b.e, 3) / scale);
    if (!(distance(a.e, b.e, 3) <= TOLERANCE * scale))
        fail_msg("(%g %g %g) is not (%g %g %g)", a.e[0], a.e[1], a.e[2], b.e[0], b.e[1], b.e[2]);
}

static void same_number(double a, double b)
{
    worst = fmax(worst, fabs(a - b) / (1 + fabs(a)));
    if (!(fabs(a - b) <= TOLERANCE * (1 + fabs(a)))) fail_msg("%g is not %g", a, b);
}

// Calls `lemma` for every pair of a joint j and a body i that it carries, of many trees.
static void for_every_pair(uint64_t seed, void (*lemma)(state *s, int i, int j))
{
    static state s;
    for (int trial = 0; trial < TRIALS; trial++) {
        random_state(&seed, trial, &s);
        for (int i = 0; i < s.chain.n; i++)
            for (int j = 0; j <= i; j++)
                if (carries(&s.chain, j, i)) lemma(&s, i, j);
    }
}

static void velocities_are_slopes(state *s, int i, int j)
{
    (void)j;
    fa_v3 com[4], v[4], w[4];
    along_time(s);
    for (int p = 0; p < 4; p++) {
        com[p] = s->around[p][i].com;
        v[p] = s->around[p][i].v;
        w[p] = s->around[p][i].w;
    }
    const fa_v3 g = {{s->chain.gravity.x, s->chain.gravity.y, s->chain.gravity.z}};
    same(slope(com), s->here[i].v);            // of (3.13)
    same(slope(v), v3_plus(s->here[i].dv, g)); // and its derivative
    same(slope(w), s->here[i].dw);             // of (3.14)
}

static void the_velocities_are_the_slopes_of_the_positions(void **unused)
{
    (void)unused;
    for_every_pair(1, velocities_are_slopes);
}

static fa_m3 slope_of_axes(const state *s, int i)
{
    fa_m3 dW;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            dW.e[x][y] = slope_of((double[]){s->around[0][i].W.e[x][y], s->around[1][i].W.e[x][y],
                                             s->around[2][i].W.e[x][y], s->around[3][i].W.e[x][y]});
    return dW;
}

// W' = omega x W, and omega back from W and W'.
static void rotation(state *s, int i, int j)
{
    (void)j;
    const fa_m3 W = s->here[i].W;
    along_time(s);
    const fa_m3 dW = slope_of_axes(s, i);
    for (int y = 0; y < 3; y++) {
        const fa_v3 column = {{W.e[0][y], W.e[1][y], W.e[2][y]}};
        same((fa_v3){{dW.e[0][y], dW.e[1][y], dW.e[2][y]}}, v3_product(s->here[i].w, column));
    } // (2.5)
    fa_v3 w;
    for (int x = 0; x < 3; x++) {
        w.e[x] = 0;
        for (int l = 0; l < 3; l++)
            w.e[x] += 0.5 * (W.e[(x + 1) % 3][l] * dW.e[(x + 2) % 3][l] -
                             W.e[(x + 2) % 3][l] * dW.e[(x + 1) % 3][l]);
    }
    same(w, s->here[i].w); // (2.6)
}

static void angular_velocity_is_the_change_of_the_axes(void **unused)
{
    (void)unused;
    for_every_pair(2, rotation);
}

// Second moments of mass about the centre of mass, in the body's own axes: (2.11) backwards.
static fa_m3 second_moments(const fa_lagrange_body *b)
{
    const fa_m3 J = m3_plus(m3_times(0.5 * m3_trace(b->I), m3_one()), m3_times(-1, b->I));
    return m3_multiply(m3_transpose(b->W), m3_multiply(J, b->W));
}

// Turning, K = tr(W' J W'^T)/2 = omega . I . omega / 2.
static void energy(state *s, int i, int j)
{
    (void)j;
    const fa_lagrange_body *b = &s->here[i];
    along_time(s);
    const fa_m3 dW = slope_of_axes(s, i), J = second_moments(b);
    same_number(0.5 * m3_trace(m3_multiply(dW, m3_multiply(J, m3_transpose(dW)))), // (2.8)
                0.5 * v3_inner(b->w, m3_apply(b->I, b->w)));                       // (2.10)
}

static void the_energy_of_turning_is_the_same_by_axes_and_by_angular_velocity(void **unused)
{
    (void)unused;
    for_every_pair(9, energy);
}

// What makes Uicker's and Kahn's torque Newton's and Euler's: tr(dW/dq J W''^T) is the change of
// angular momentum along the joint.
static void torque(state *s, int i, int j)
{
    const fa_lagrange_body *b = &s->here[i];
    const fa_m3             J = second_moments(b);
    fa_v3                   ignored, dw;
    if (s->chain.body[j].joint == FA_PRISMATIC) return; // dW/dq is zero
    fa_lagrange_partials(&s->chain, s->here, i, j, &ignored, &dw);
    along_coordinate(s, j);
    const fa_m3 W_q = slope_of_axes(s, i);
    const fa_m3 tilde = m3_skew(b->w);
    const fa_m3 ddW =
        m3_multiply(m3_plus(m3_skew(b->dw), m3_multiply(tilde, tilde)), b->W); // of (2.5)
    const fa_v3 change =
        v3_plus(m3_apply(b->I, b->dw), v3_product(b->w, m3_apply(b->I, b->w))); // (1.3)
    same_number(m3_trace(m3_multiply(W_q, m3_multiply(J, m3_transpose(ddW)))),
                v3_inner(change, dw));
}

static void uickers_torque_is_the_change_of_angular_momentum(void **unused)
{
    (void)unused;
    for_every_pair(10, torque);
}

// Speeds are linear in the rates, so that a difference of unit steps is exact.
static void partials(state *s, int i, int j)
{
    fa_lagrange_body faster[MAX];
    double           qd[MAX];
    fa_v3            dv, dw;
    memcpy(qd, s->qd, sizeof qd);
    qd[j] += 1;
    fa_lagrange_motion(&s->chain, s->q, qd, s->qdd, faster);
    fa_lagrange_partials(&s->chain, s->here, i, j, &dv, &dw);
    same(v3_minus(faster[i].v, s->here[i].v), dv); // (3.15)
    same(v3_minus(faster[i].w, s->here[i].w), dw); // (3.16)
}

static void partial_velocities_are_those_of_the_motion(void **unused)
{
    (void)unused;
    for_every_pair(11, partials);
}

static void lemma_3_4(state *s, int i, int j)
{
    fa_v3 partial[4], v[4], ignored;
    along_time(s);
    for (int p = 0; p < 4; p++)
        fa_lagrange_partials(&s->chain, s->around[p], i, j, &partial[p], &ignored);
    const fa_v3 in_time = slope(partial);
    along_coordinate(s, j);
    for (int p = 0; p < 4; p++) v[p] = s->around[p][i].v;
    same(in_time, slope(v));
}

static void lemma_3_4_holds(void **unused)
{
    (void)unused;
    for_every_pair(3, lemma_3_4);
}

static void lemma_3_6(state *s, int i, int j)
{
    fa_v3 partial[4], w[4], here, ignored;
    along_time(s);
    for (int p = 0; p < 4; p++)
        fa_lagrange_partials(&s->chain, s->around[p], i, j, &ignored, &partial[p]);
    const fa_v3 in_time = slope(partial);
    fa_lagrange_partials(&s->chain, s->here, i, j, &ignored, &here);
    along_coordinate(s, j);
    for (int p = 0; p < 4; p++) w[p] = s->around[p][i].w;
    same(in_time, v3_plus(slope(w), v3_product(s->here[i].w, here)));
}

static void lemma_3_6_holds(void **unused)
{
    (void)unused;
    for_every_pair(4, lemma_3_6);
}

// a . I_i . b at each of the four points, a and b held.
static double slope_of_inertia(const state *s, int i, fa_v3 a, fa_v3 b)
{
    double f[4];
    for (int p = 0; p < 4; p++) f[p] = v3_inner(a, m3_apply(s->around[p][i].I, b));
    return slope_of(f);
}

static void lemmas_3_5_and_3_7(state *s, int i, int j)
{
    fa_v3       dw, ignored;
    const fa_v3 w = s->here[i].w, L = m3_apply(s->here[i].I, w);
    fa_lagrange_partials(&s->chain, s->here, i, j, &ignored, &dw);
    along_time(s);
    same_number(slope_of_inertia(s, i, w, dw), v3_inner(v3_product(w, L), dw));   // (3.5)
    same_number(v3_inner(L, v3_product(w, dw)), -v3_inner(v3_product(w, L), dw)); // (3.7)
}

static void lemmas_3_5_and_3_7_hold(void **unused)
{
    (void)unused;
    for_every_pair(5, lemmas_3_5_and_3_7);
}

static void lemma_3_10(state *s, int i, int j)
{
    fa_v3       dw, ignored;
    const fa_v3 w = s->here[i].w, L = m3_apply(s->here[i].I, w);
    fa_lagrange_partials(&s->chain, s->here, i, j, &ignored, &dw);
    along_coordinate(s, j);
    same_number(0.5 * slope_of_inertia(s, i, w, w), -v3_inner(v3_product(w, L), dw));
}

static void lemma_3_10_holds(void **unused)
{
    (void)unused;
    for_every_pair(6, lemma_3_10);
}

static void lemma_A_3(state *s, int i, int j)
{
    fa_v3 z[4];
    if (s->chain.body[j].joint == FA_PRISMATIC) return; // the memo takes its z for zero
    along_coordinate(s, j);
    for (int p = 0; p < 4; p++) z[p] = s->around[p][i].z;
    same(slope(z), v3_product(s->here[j].z, s->here[i].z));
}

static void lemma_A_3_holds(void **unused)
{
    (void)unused;
    for_every_pair(7, lemma_A_3);
}

// (3.1), without the rotors.
static double kinetic_energy(const fa_chain *chain, const double q[], const double qd[])
{
    fa_lagrange_body b[MAX];
    double           K = 0;
    fa_lagrange_motion(chain, q, qd, qd, b);
    for (int i = 0; i < chain->n; i++)
        K += 0.5 * chain->body[i].inertia.mass * v3_inner(b[i].v, b[i].v) +
             0.5 * v3_inner(b[i].w, m3_apply(b[i].I, b[i].w));
    return K;
}

// dK/dq'_j. K is quadratic in the rates, so a difference of unit steps is exact.
static double momentum(const fa_chain *chain, const double q[], const double qd[], int j)
{
    double faster[MAX], slower[MAX];
    memcpy(faster, qd, sizeof faster);
    memcpy(slower, qd, sizeof slower);
    faster[j] += 1;
    slower[j] -= 1;
    return (kinetic_energy(chain, q, faster) - kinetic_energy(chain, q, slower)) / 2;
}

static void the_result_satisfies_lagranges_equation(void **unused)
{
    (void)unused;
    static state s;
    static char  work[MAX * (sizeof(fa_lagrange_body) + sizeof(double) * (MAX + 2))];
    uint64_t     seed = 8;
    for (int trial = 0; trial < TRIALS; trial++) {
        random_state(&seed, trial, &s);
        const int n = s.chain.n;
        double    tau[MAX];
        for (int i = 0; i < n; i++) s.body[i].rotor = 0;
        s.chain.gravity = vec3(0, 0, 0);
        assert_true(fa_lagrange_work_size(&s.chain) <= sizeof work);
        assert_int_equal(fa_lagrange_inverse(&s.chain, s.q, s.qd, s.qdd, NULL, tau, work), FA_OK);
        for (int j = 0; j < n; j++) {
            double p[4], K[4];
            for (int k = 0; k < 4; k++) {
                const double t = steps[k] * H;
                double       q[MAX], qd[MAX], q_j[MAX];
                for (int i = 0; i < n; i++) {
                    q[i] = s.q[i] + t * s.qd[i] + t * t / 2 * s.qdd[i];
                    qd[i] = s.qd[i] + t * s.qdd[i];
                    q_j[i] = s.q[i] + (i == j ? t : 0);
                }
                p[k] = momentum(&s.chain, q, qd, j);
                K[k] = kinetic_energy(&s.chain, q_j, s.qd);
            }
            same_number(tau[j], slope_of(p) - slope_of(K)); // (1.1)
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_velocities_are_the_slopes_of_the_positions),
        cmocka_unit_test(angular_velocity_is_the_change_of_the_axes),
        cmocka_unit_test(the_energy_of_turning_is_the_same_by_axes_and_by_angular_velocity),
        cmocka_unit_test(uickers_torque_is_the_change_of_angular_momentum),
        cmocka_unit_test(partial_velocities_are_those_of_the_motion),
        cmocka_unit_test(lemma_3_4_holds),
        cmocka_unit_test(lemmas_3_5_and_3_7_hold),
        cmocka_unit_test(lemma_3_6_holds),
        cmocka_unit_test(lemma_3_10_holds),
        cmocka_unit_test(lemma_A_3_holds),
        cmocka_unit_test(the_result_satisfies_lagranges_equation),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("worst: %.1e of the terms compared\n", worst);
    return failed;
}
