// The search for the nearest root of equations: against all roots where they are known, against
// closed forms where roots are lines and circles, within bounds, off whole turns; and that it asks
// the questions that it has asked before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest_root.h"
#include "random.h"
#include "sha256.h"
#include "sincos.h"
#include "test.h"

enum { MOST = 4, ROOTS = 3, DIGEST = 32 };

static const double PI = 3.14159265358979323846;

// Counts evaluations of the equations, with a digest of every x.
typedef struct equations {
    int    n;
    double a[MOST][MOST];     // mixes functions of one unknown each
    double root[MOST][ROOTS]; // of them
    double at;                // a number of theirs
    int    asked, refused;
    void (*value)(const struct equations *e, const double x[], double f[]);
    void (*slope)(const struct equations *e, const double x[], double by_x[]);
    fa_status refuse; // what is said where x[0] < at, FA_OK: nothing
    uint8_t   digest[DIGEST];
} equations;

static void hear(equations *e, const double x[])
{
    unsigned char both[DIGEST + sizeof(double) * MOST];
    memcpy(both, e->digest, DIGEST);
    memcpy(both + DIGEST, x, (size_t)e->n * sizeof *x);
    fa_sha256(both, DIGEST + (size_t)e->n * sizeof *x, e->digest);
    e->asked++;
}

// Adds the counts of one search to the total.
static void add(equations *all, const equations *e)
{
    uint8_t both[2 * DIGEST];
    memcpy(both, all->digest, DIGEST);
    memcpy(both + DIGEST, e->digest, DIGEST);
    fa_sha256(both, sizeof both, all->digest);
}

static fa_status missing(void *context, const double x[], double f[], fa_error *error)
{
    equations *e = context;
    hear(e, x);
    if (e->refuse != FA_OK && x[0] < e->at) {
        e->refused++;
        return fa_fail(error, e->refuse, NULL, FA_NOWHERE, "there is no answer here");
    }
    e->value(e, x, f);
    return FA_OK;
}

static fa_status slopes(void *context, const double x[], double by_x[], fa_error *error)
{
    equations *e = context;
    (void)error;
    hear(e, x);
    e->slope(e, x, by_x);
    return FA_OK;
}

typedef struct answer {
    fa_status status;
    double    x[MOST], least;
} answer;

static answer ask(equations *e, const double start[], const double lower[], const double upper[],
                  bool turn)
{
    const bool     turns[MOST] = {turn, turn, turn, turn};
    const fa_roots roots = {e->n, lower, upper, turns, missing, slopes, e, 1};
    const size_t   size = fa_nearest_root_work(e->n);
    double        *work = malloc((size + 1) * sizeof *work);
    answer         a = {.least = -1};
    fa_error       error = fa_no_error();
    assert_non_null(work);
    work[size] = 17; // not the search's
    memcpy(a.x, start, (size_t)e->n * sizeof *start);
    a.status = fa_nearest_root(&roots, a.x, &a.least, work, &error);
    assert_true(work[size] == 17);
    free(work);
    return a;
}

static const double FREE[2][MOST] = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                     {INFINITY, INFINITY, INFINITY, INFINITY}};

static double distance(int n, const double a[], const double b[])
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// ---------------------------------------------------------------------- roots that are all known

// Cubic polynomials of one unknown each, mixed by a matrix.
static void mixed_cubics(const equations *e, const double x[], double f[])
{
    memset(f, 0, (size_t)e->n * sizeof *f);
    for (int i = 0; i < e->n; i++) {
        const double *r = e->root[i];
        for (int k = 0; k < e->n; k++)
            f[k] += e->a[k][i] * (x[i] - r[0]) * (x[i] - r[1]) * (x[i] - r[2]);
    }
}

static void mixed_slopes(const equations *e, const double x[], double by_x[])
{
    for (int i = 0; i < e->n; i++) {
        const double p = x[i] - e->root[i][0], q = x[i] - e->root[i][1], r = x[i] - e->root[i][2];
        for (int k = 0; k < e->n; k++) by_x[i * e->n + k] = e->a[k][i] * (p * q + q * r + r * p);
    }
}

static equations random_cubics(uint64_t *seed, int n)
{
    equations e = {.n = n, .value = mixed_cubics, .slope = mixed_slopes};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) e.a[k][i] = random_in(seed, -0.4, 0.4) + (i == k);
        for (int r = 0; r < ROOTS; r++) e.root[i][r] = random_in(seed, r - 1.4, r - 0.6);
    }
    return e;
}

// Returns the root of one unknown that is nearest to the start within the bounds, or infinity.
static double best_root(const double root[ROOTS], double start, double low, double high)
{
    double best = INFINITY;
    for (int r = 0; r < ROOTS; r++)
        if (root[r] >= low && root[r] <= high && fabs(root[r] - start) < fabs(best - start))
            best = root[r];
    return best;
}

enum { ONE_DIGEST, BOUND_DIGEST, POTENTIAL_DIGEST, TURN_DIGEST, LINE_DIGEST, DIGESTS };

// The first bytes of what was asked, as it was when the search last changed. Who changes what it
// asks looks whether roots are found as often and as near, and writes the new ones here.
static void same_questions(int which, const equations *e)
{
    static const uint32_t known[DIGESTS] = {0x8318d2ad, 0xf4134085, 0xc8a71203, 0x21323b46,
                                            0x000393fe};
    const uint32_t        now = (uint32_t)e->digest[0] << 24 | (uint32_t)e->digest[1] << 16 |
                         (uint32_t)e->digest[2] << 8 | e->digest[3];
    if (known[which] != now)
        fail_msg("case %d: the search asked other questions than before: 0x%08x", which, now);
}

static void the_nearest_of_all_roots_is_found(void **state)
{
    (void)state;
    uint64_t  seed = 7;
    int       nearest = 0, cases = 0;
    equations all = {0};
    for (int n = 1; n <= MOST; n++)
        for (int k = 0; k < 12; k++, cases++) {
            equations e = random_cubics(&seed, n);
            double    start[MOST], wanted[MOST];
            for (int i = 0; i < n; i++) {
                start[i] = random_in(&seed, -2, 2);
                wanted[i] = best_root(e.root[i], start[i], -INFINITY, INFINITY);
            }
            const answer a = ask(&e, start, FREE[0], FREE[1], false);
            assert_int_equal(a.status, FA_OK);
            assert_true(a.least == 0);
            // Some root in any case: residuals of 1e-13 by slopes of 0.1 and matrices near
            // singular.
            for (int i = 0; i < n; i++)
                assert_true(fabs(a.x[i] - best_root(e.root[i], a.x[i], -INFINITY, INFINITY)) <
                            1e-8);
            const double off = distance(n, a.x, start) - distance(n, wanted, start);
            assert_true(off > -1e-8);
            nearest += off < 1e-8;
            add(&all, &e);
        }
    // A search from 160 starts; of 81 roots it may miss the nearest one.
    assert_true(nearest >= cases - 2);
    same_questions(ONE_DIGEST, &all);
}

// Bounds that leave out the nearest root leave another one; bounds that leave none are told.
static void roots_beyond_bounds_are_none(void **state)
{
    (void)state;
    uint64_t  seed = 8;
    int       found = 0, none = 0, cases = 0;
    equations all = {0};
    for (int k = 0; k < 60; k++) {
        const int n = 2 + k % 3;
        bool      there = true;
        equations e = random_cubics(&seed, n);
        double    start[MOST], low[MOST], high[MOST], wanted[MOST];
        for (int i = 0; i < n; i++) {
            low[i] = random_in(&seed, -1.5, 0.2);
            high[i] = low[i] + random_in(&seed, n > 2 ? 1 : 0, n > 2 ? 2.5 : 1.6);
            start[i] = random_in(&seed, low[i], high[i]);
            wanted[i] = best_root(e.root[i], start[i], low[i], high[i]);
            there &= isfinite(wanted[i]);
        }
        const answer a = ask(&e, start, low, high, false);
        assert_int_equal(a.status, FA_OK);
        assert_int_equal(a.least == 0, there);
        for (int i = 0; i < n; i++) assert_true(a.x[i] >= low[i] && a.x[i] <= high[i]);
        cases += there;
        found += there && fabs(distance(n, a.x, start) - distance(n, wanted, start)) < 1e-8;
        none += !there;
        // Without a root x stays, and what is told is missing somewhere, and nowhere less.
        if (!there && n == 2) {
            double f[2];
            assert_memory_equal(a.x, start, (size_t)n * sizeof *start);
            mixed_cubics(&e, start, f);
            assert_true(a.least > 0 && a.least <= sqrt(f[0] * f[0] + f[1] * f[1]));
            for (double x = 0; x <= 1; x += 0.0625)
                for (double y = 0; y <= 1; y += 0.0625) {
                    const double at[2] = {low[0] + x * (high[0] - low[0]),
                                          low[1] + y * (high[1] - low[1])};
                    mixed_cubics(&e, at, f);
                    assert_true(sqrt(f[0] * f[0] + f[1] * f[1]) > a.least * (1 - 1e-9));
                }
        }
        add(&all, &e);
    }
    assert_true(none > 10 && cases > 10 && found >= cases - 1);
    same_questions(BOUND_DIGEST, &all);
}

// ------------------------------------------------------------------------------ lines and circles

// One equation for two unknowns, a sum; the second asks for nothing.
static void sum_of_two(const equations *e, const double x[], double f[])
{
    f[0] = x[0] + x[1] - e->at;
    f[1] = 0;
}

static void slope_of_sum(const equations *e, const double x[], double by_x[])
{
    (void)e, (void)x;
    memcpy(by_x, (const double[]){1, 0, 1, 0}, 4 * sizeof *by_x);
}

static void circle(const equations *e, const double x[], double f[])
{
    f[0] = 0;
    f[1] = x[0] * x[0] + x[1] * x[1] - e->at;
}

static void slope_of_circle(const equations *e, const double x[], double by_x[])
{
    (void)e;
    memcpy(by_x, (const double[]){0, 2 * x[0], 0, 2 * x[1]}, 4 * sizeof *by_x);
}

static void where_roots_are_a_line_the_foot_on_it_is_found(void **state)
{
    (void)state;
    equations    line = {.n = 2, .at = 1, .value = sum_of_two, .slope = slope_of_sum};
    equations    round = {.n = 2, .at = 1, .value = circle, .slope = slope_of_circle};
    const double start[] = {0.5, -0.75}, away[] = {1.2, 1.6};
    answer       a = ask(&line, start, FREE[0], FREE[1], false);
    // A regularisation of 1e-11 stands in the way back to the foot.
    assert_true(a.least == 0 && fabs(a.x[0] - 1.125) < 1e-9 && fabs(a.x[1] + 0.125) < 1e-9);
    a = ask(&round, away, FREE[0], FREE[1], false);
    // Where roots bend, the best of many starts: its distance, which is 1 at the foot.
    assert_true(a.least == 0 && fabs(hypot(a.x[0], a.x[1]) - 1) < 1e-10);
    assert_true(distance(2, a.x, away) < 1.01);
    add(&line, &round);
    same_questions(LINE_DIGEST, &line);
}

// ---------------------------------------------------------------------------------------- turns

static void pendulums(const equations *e, const double x[], double f[])
{
    double s[2], c;
    for (int i = 0; i < 2; i++) fa_sincos(x[i], &s[i], &c);
    f[0] = s[0] - e->at;
    f[1] = s[1] + 0.25 * s[0];
}

static void slope_of_pendulums(const equations *e, const double x[], double by_x[])
{
    double s, c[2];
    (void)e;
    for (int i = 0; i < 2; i++) fa_sincos(x[i], &s, &c[i]);
    memcpy(by_x, (const double[]){c[0], 0.25 * c[0], 0, c[1]}, 4 * sizeof *by_x);
}

// The same without turns: one more turn is not the same.
static void springs(const equations *e, const double x[], double f[])
{
    f[0] = x[0] - e->at;
    f[1] = x[1] + x[0];
}

static void slope_of_springs(const equations *e, const double x[], double by_x[])
{
    (void)e, (void)x;
    memcpy(by_x, (const double[]){1, 1, 0, 1}, 4 * sizeof *by_x);
}

static void angles_end_near_the_start_and_springs_where_they_have_to(void **state)
{
    (void)state;
    uint64_t  seed = 9;
    equations all = {0};
    for (int k = 0; k < 20; k++) {
        equations    e = {.n = 2,
                          .at = random_in(&seed, -0.9, 0.9),
                          .value = pendulums,
                          .slope = slope_of_pendulums};
        const double start[] = {random_in(&seed, -9, 9), random_in(&seed, -9, 9)};
        const answer a = ask(&e, start, FREE[0], FREE[1], true);
        double       f[2];
        assert_true(a.status == FA_OK && a.least == 0);
        pendulums(&e, a.x, f);
        assert_true(fabs(f[0]) < 1e-10 && fabs(f[1]) < 1e-10);
        for (int i = 0; i < 2; i++) assert_true(fabs(a.x[i] - start[i]) <= PI + 1e-9);
        add(&all, &e);
        // Within bounds that hold one turn, and the start at an end of it.
        const double low[] = {start[0] - 0.1, start[1] - 2 * PI},
                     high[] = {start[0] + 2 * PI, start[1] + 0.1};
        const answer b = ask(&e, start, low, high, true);
        assert_true(b.status == FA_OK && b.least == 0);
        for (int i = 0; i < 2; i++) assert_true(b.x[i] >= low[i] && b.x[i] <= high[i]);
    }
    equations    e = {.n = 2, .at = 11, .value = springs, .slope = slope_of_springs};
    const answer a = ask(&e, (double[]){0, 0}, FREE[0], FREE[1], true);
    assert_true(a.least == 0 && fabs(a.x[0] - 11) < 1e-12 && fabs(a.x[1] + 11) < 1e-12);
    same_questions(TURN_DIGEST, &all);
}

// -------------------------------------------------------------------------------------- potentials

// Forces of a potential with two valleys, of which the nearer one has no root within the bounds.
static void valleys(const equations *e, const double x[], double f[])
{
    f[0] = x[0] * (x[0] * x[0] - 1) + 0.3 * (x[0] - x[1]) + e->at;
    f[1] = 0.5 * x[1] * (x[1] * x[1] - 1) - 0.3 * (x[0] - x[1]);
}

static void slope_of_valleys(const equations *e, const double x[], double by_x[])
{
    (void)e;
    memcpy(by_x, (const double[]){3 * x[0] * x[0] - 0.7, -0.3, -0.3, 1.5 * x[1] * x[1] - 0.2},
           4 * sizeof *by_x);
}

static void a_fall_into_a_valley_finds_its_ground(void **state)
{
    (void)state;
    equations all = {0};
    for (int k = 0; k < 30; k++) {
        equations e = {.n = 2, .at = 0.05 * (k - 15), .value = valleys, .slope = slope_of_valleys};
        const double start[] = {0.1 * (k % 7 - 3), 0.2 * (k % 5 - 2)};
        const double low[] = {-1.5, k % 3 ? -2 : 0.1}, high[] = {k % 2 ? 1.5 : 0.3, 2};
        const answer a = ask(&e, start, low, high, false);
        double       f[2];
        assert_int_equal(a.status, FA_OK);
        valleys(&e, a.x, f);
        if (a.least == 0) assert_true(fabs(f[0]) < 1e-10 && fabs(f[1]) < 1e-10);
        add(&all, &e);
    }
    same_questions(POTENTIAL_DIGEST, &all);
}

// ------------------------------------------------------------------------------ where none answers

static void where_there_is_no_answer_the_search_goes_elsewhere(void **state)
{
    (void)state;
    uint64_t     seed = 10;
    equations    e = random_cubics(&seed, 2);
    const double start[] = {e.root[0][2] + 0.05, e.root[1][1] + 0.05};
    e.at = e.root[0][1] + 0.1; // the middle root and all below it is out of reach
    e.refuse = FA_SINGULAR;
    answer a = ask(&e, (double[]){e.at + 0.01, start[1]}, FREE[0], FREE[1], false);
    assert_true(a.status == FA_OK && a.least == 0 && fabs(a.x[0] - e.root[0][2]) < 1e-8);
    assert_true(e.refused > 0);
    e.at = INFINITY; // nowhere at all
    a = ask(&e, start, FREE[0], FREE[1], false);
    assert_true(a.status == FA_OK && a.least == INFINITY);
    assert_memory_equal(a.x, start, sizeof start);
    e.refuse = FA_NO_MEMORY;
    a = ask(&e, start, FREE[0], FREE[1], false);
    assert_int_equal(a.status, FA_NO_MEMORY);
}

static void nothing_to_search_is_found_at_once(void **state)
{
    (void)state;
    equations    e = {.n = 0, .value = mixed_cubics, .slope = mixed_slopes};
    const answer a = ask(&e, (double[]){0}, FREE[0], FREE[1], false);
    assert_true(a.status == FA_OK && a.least == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_of_all_roots_is_found),
        cmocka_unit_test(roots_beyond_bounds_are_none),
        cmocka_unit_test(where_roots_are_a_line_the_foot_on_it_is_found),
        cmocka_unit_test(angles_end_near_the_start_and_springs_where_they_have_to),
        cmocka_unit_test(a_fall_into_a_valley_finds_its_ground),
        cmocka_unit_test(where_there_is_no_answer_the_search_goes_elsewhere),
        cmocka_unit_test(nothing_to_search_is_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
