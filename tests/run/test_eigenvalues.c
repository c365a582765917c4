// Eigenvalues of matrices that are made of known ones by a change of coordinates; of companion
// matrices, whose polynomials they are the roots of; of those that iterations stumble over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eigenvalues.h"
#include "lu.h"
#include "random.h"
#include "test.h"

enum { MOST = 24 };

static void multiply(int n, const double A[], const double B[], double out[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            out[i * n + j] = sum;
        }
}

// S D S^-1 for a random S near the unit matrix.
static void mix(int n, double D[], uint64_t *seed, double out[])
{
    double S[MOST * MOST] = {0}, factors[MOST * MOST], left[MOST * MOST], column[MOST];
    int    pivot[MOST];
    for (int i = 0; i < n * n; i++) S[i] = random_in(seed, -1, 1) / n + (i % (n + 1) == 0);
    memcpy(factors, S, sizeof S);
    assert_true(fa_lu_factor(n, factors, pivot));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = i == j;
        fa_lu_solve(n, factors, pivot, column);
        for (int i = 0; i < n; i++) left[i * n + j] = column[i];
    }
    double half[MOST * MOST];
    multiply(n, S, D, half);
    multiply(n, half, left, out);
}

static void eigenvalues_are_those_that_the_matrix_was_made_of(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 400; trial++) {
        const int n = 1 + trial % MOST;
        double    D[MOST * MOST] = {0}, A[MOST * MOST], re[MOST], im[MOST], spare[MOST];
        bool      found[MOST] = {false};
        double    wanted_re[MOST], wanted_im[MOST];
        for (int k = 0; k < n; k++) {
            const bool pair = k + 1 < n && random_in(&seed, 0, 1) < 0.5;
            wanted_re[k] = D[k * n + k] = random_in(&seed, -2, 2);
            wanted_im[k] = 0;
            if (!pair) continue;
            const double turn = random_in(&seed, 0.1, 2);
            D[(k + 1) * n + k + 1] = D[k * n + k];
            D[k * n + k + 1] = -turn;
            D[(k + 1) * n + k] = turn;
            wanted_re[k + 1] = wanted_re[k];
            wanted_im[k] = turn;
            wanted_im[++k] = -turn;
        }
        mix(n, D, &seed, A);
        assert_true(fa_eigenvalues(n, A, re, im, spare));
        // The worst of all was 1.3e-14.
        for (int k = 0; k < n; k++) {
            int    nearest = -1;
            double least = 1e-12;
            for (int i = 0; i < n; i++) {
                const double far = hypot(re[i] - wanted_re[k], im[i] - wanted_im[k]);
                if (!found[i] && far < least) nearest = i, least = far;
            }
            assert_true(nearest >= 0);
            found[nearest] = true;
            if (k > 0)
                assert_true(hypot(re[k], im[k]) <= hypot(re[k - 1], im[k - 1]) * (1 + 1e-15));
        }
    }
}

static void roots_of_unity_come_from_a_cyclic_shift(void **state)
{
    (void)state;
    // Its QR iteration without a shift out of turn would stand still.
    for (int n = 3; n <= MOST; n++) {
        double A[MOST * MOST] = {0}, re[MOST], im[MOST], spare[MOST];
        for (int i = 0; i < n; i++) A[i * n + (i + n - 1) % n] = 1;
        assert_true(fa_eigenvalues(n, A, re, im, spare));
        for (int k = 0; k < n; k++) { // rounding
            assert_true(fabs(hypot(re[k], im[k]) - 1) <= 1e-13);
            assert_true(fabs(cos(n * atan2(im[k], re[k])) - 1) <= 1e-12);
        }
    }
}

static void a_block_of_zeros_has_none_but_zeros(void **state)
{
    (void)state;
    double A[9] = {0, 1, 2, 0, 0, 3, 0, 0, 0}, re[3], im[3], spare[3];
    assert_true(fa_eigenvalues(3, A, re, im, spare));
    for (int k = 0; k < 3; k++) assert_true(fabs(hypot(re[k], im[k]) - 0) <= 0);
    assert_true(fa_eigenvalues(0, A, re, im, spare));
}

static void what_is_no_number_has_no_eigenvalues(void **state)
{
    (void)state;
    double A[4] = {1, 2, NAN, 4}, re[2], im[2], spare[2];
    assert_false(fa_eigenvalues(2, A, re, im, spare));
    A[2] = INFINITY;
    assert_false(fa_eigenvalues(2, A, re, im, spare));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_are_those_that_the_matrix_was_made_of),
        cmocka_unit_test(roots_of_unity_come_from_a_cyclic_shift),
        cmocka_unit_test(a_block_of_zeros_has_none_but_zeros),
        cmocka_unit_test(what_is_no_number_has_no_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
