// Forward dynamics of many states at once: against the readable methods, and each state as if it
// were alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "batch.h"
#include "compare.h"
#include "dh_chain.h"
#include "fast.h"
#include "methods.h"

enum { MAX = 24, STATES = 17 };

static double  work[1 << 15], memory[1 << 15];
static double  q[STATES * MAX], qd[STATES * MAX], tau[STATES * MAX], got[STATES * MAX];
static fa_body body[MAX];

// Arms of turning joints alone and with sliding ones, trees, and trees with followers; chains that
// go at once and that do not.
static fa_chain some_chain(uint64_t *seed, int trial)
{
    const int n = 1 + trial / 4 % MAX;
    if (trial % 4 == 3) return random_coupled_tree(seed, n, body);
    if (trial % 4 == 2) return random_tree(seed, n, body);
    fa_chain chain = random_arm(seed, n, true, body);
    for (int i = 0; trial % 4 == 1 && i < n; i++) body[i].joint = FA_REVOLUTE;
    return chain;
}

static void some_states(uint64_t *seed, int n)
{
    for (int i = 0; i < STATES * n; i++) {
        q[i] = random_between(seed, -3, 3);
        qd[i] = random_between(seed, -3, 3);
        tau[i] = random_between(seed, -50, 50);
    }
}

static void prepare(const fa_chain *chain, int kernel)
{
    assert_true(fa_forward_batch_size(chain) <= sizeof memory);
    fa_forward_batch_prepare(chain, !fa_fast_kernels[kernel].fused, kernel, memory);
}

static void states_get_the_answers_of_the_readable_method(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double   worst = 0;
    for (int trial = 0; trial < 200; trial++) {
        const fa_chain   chain = some_chain(&seed, trial);
        const int        n = chain.n_coordinates;
        const fa_method *readable = fa_method_forward(&chain);
        some_states(&seed, n);
        q[6 * n] += 1e6;
        for (int kernel = 0; kernel < fa_fast_kernel_count; kernel++) {
            if (!fa_fast_kernels[kernel].runs()) continue;
            prepare(&chain, kernel);
            assert_int_equal(fa_forward_batch(&chain, STATES, q, qd, tau, got, memory), FA_OK);
            for (int k = 0; k < STATES; k++) {
                const double zero[MAX] = {0};
                double       want[MAX], M[MAX * MAX], bias[MAX], norm, inverse_norm;
                readable->forward(&chain, q + k * n, qd + k * n, tau + k * n, NULL, want, work);
                fa_newton_euler_mass_matrix(&chain, q + k * n, M, work);
                fa_newton_euler_inverse(&chain, q + k * n, qd + k * n, zero, NULL, bias, work);
                norms(M, n, &norm, &inverse_norm);
                const double sensitivity =
                    inverse_norm * (largest(bias, n) + largest(tau + k * n, n)) +
                    inverse_norm * norm * largest(want, n);
                worst = fmax(worst, distance(got + k * n, want, n) / sensitivity);
            }
        }
    }
    printf("worst difference %.1e\n", worst);
    assert_true(worst < 1e-13); // rounding alone, as in test_fast.c: 1.2e-15 was seen
}

// Whatever stands beside it, in whichever lane, and among however many: also beside states that are
// left to the readable method, or have no answer.
static void a_state_has_the_same_bits_in_every_batch(void **state)
{
    (void)state;
    uint64_t seed = 6;
    double   alone[STATES * MAX];
    for (int trial = 0; trial < 100; trial++) {
        const fa_chain chain = some_chain(&seed, trial);
        const int      n = chain.n_coordinates;
        some_states(&seed, n);
        q[3 * n] += 1e6;
        tau[9 * n] = NAN;
        qd[12 * n] = 1e200;
        for (int kernel = 0; kernel < fa_fast_kernel_count; kernel++) {
            if (!fa_fast_kernels[kernel].runs()) continue;
            prepare(&chain, kernel);
            for (int k = 0; k < STATES; k++)
                fa_forward_batch(&chain, 1, q + k * n, qd + k * n, tau + k * n, alone + k * n,
                                 memory);
            for (int count = 1; count <= STATES; count++) {
                const int at = (STATES - count) * (trial % 2); // at either end
                fa_forward_batch(&chain, count, q + at * n, qd + at * n, tau + at * n, got, memory);
                assert_memory_equal(got, alone + at * n, (size_t)(count * n) * sizeof *got);
            }
        }
    }
}

static void kernels_that_round_twice_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double   first[STATES * MAX];
    for (int trial = 0; trial < 100; trial++) {
        const fa_chain chain = some_chain(&seed, trial);
        const int      n = chain.n_coordinates;
        some_states(&seed, n);
        fa_forward_batch_prepare(&chain, true, fa_fast_kernel_best(true), memory);
        fa_forward_batch(&chain, STATES, q, qd, tau, first, memory);
        for (int kernel = 0; kernel < fa_fast_kernel_count; kernel++) {
            if (fa_fast_kernels[kernel].fused || !fa_fast_kernels[kernel].runs()) continue;
            prepare(&chain, kernel);
            fa_forward_batch(&chain, STATES, q, qd, tau, got, memory);
            assert_memory_equal(got, first, (size_t)(STATES * n) * sizeof *got);
        }
    }
}

// Two links with the mass at the end of the second: stretched, the first joint moves nothing.
static void a_state_without_an_answer_is_said_and_alone_has_none(void **state)
{
    (void)state;
    enum { STRETCHED = 5, NEARLY = 8 };
    const fa_chain chain = {.n = 2, .n_coordinates = 2, .body = body, .gravity = {0, -9.81, 0}};
    uint64_t       seed = 8;
    for (int i = 0; i < 2; i++)
        body[i] = (fa_body){.parent = i - 1,
                            .joint = FA_REVOLUTE,
                            .axis = {0, 0, 1},
                            .home = {transform_identity().E, {i, 0, 0}},
                            .coordinate = i,
                            .ratio = 1};
    body[1].inertia = fa_link_inertia(1, vec3(1, 0, 0), (fa_sym3){0}, transform_identity());
    some_states(&seed, 2);
    for (int k = 0; k < STATES; k++) q[2 * k + 1] = 1;
    q[2 * STRETCHED + 1] = 0;
    q[2 * NEARLY + 1] = 1e-5; // where pivots have lost half of their digits
    for (int kernel = 0; kernel < fa_fast_kernel_count; kernel++) {
        if (!fa_fast_kernels[kernel].runs()) continue;
        double want[2];
        prepare(&chain, kernel);
        assert_int_equal(fa_forward_batch(&chain, STATES, q, qd, tau, got, memory), FA_SINGULAR);
        for (int k = 0; k < STATES; k++)
            for (int i = 0; i < 2; i++)
                assert_int_equal(isfinite(got[2 * k + i]) != 0, k != STRETCHED);
        fa_articulated_body_forward(&chain, q + 2 * NEARLY, qd + 2 * NEARLY, tau + 2 * NEARLY, NULL,
                                    want, work);
        assert_memory_equal(got + 2 * NEARLY, want, sizeof want);
    }
}

// Stand for the code for one arm that a library may have, one for each kind of processor.
#define MARKED(mark)                                                                               \
    static unsigned code_##mark(const double block[], const double q_[], const double qd_[],       \
                                const double tau_[], double qdd[])                                 \
    {                                                                                              \
        (void)block, (void)q_, (void)qd_, (void)tau_;                                              \
        qdd[0] = mark;                                                                             \
        return mark + 1;                                                                           \
    }
MARKED(0)
MARKED(1)
MARKED(2)

static void each_kernel_takes_the_code_for_its_processor(void **state)
{
    (void)state;
    const fa_special code = {.states = {{code_0, 2}, {code_1, 4}, {code_2, 8}}};
    for (int kernel = 0; kernel < fa_fast_kernel_count; kernel++) {
        const fa_fast fast = {.n = 1, .kernel = kernel, .special = &code};
        const char   *name = fa_fast_kernels[kernel].name;
        const int     want = strcmp(name, "avx512") == 0     ? FA_SPECIAL_WITH_AVX512
                             : strcmp(name, "avx2-fma") == 0 ? FA_SPECIAL_WITH_FMA
                                                             : FA_SPECIAL_PLAIN;
        assert_int_equal(fa_fast_lanes(&fast), code.states[want].lanes);
        assert_int_equal(fa_fast_states(&fast, q, qd, tau, got), want + 1);
        assert_true(got[0] == want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_get_the_answers_of_the_readable_method),
        cmocka_unit_test(a_state_has_the_same_bits_in_every_batch),
        cmocka_unit_test(kernels_that_round_twice_give_the_same_bits),
        cmocka_unit_test(a_state_without_an_answer_is_said_and_alone_has_none),
        cmocka_unit_test(each_kernel_takes_the_code_for_its_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
