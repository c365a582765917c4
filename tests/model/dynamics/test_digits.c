// How many digits forward dynamics keeps: every method, on random arms, against answers in 128 bits
// that share nothing with any of them (bench/peers/reference.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dh_chain.h"
#include "dynamics.h"
#include "forward_once.h"
#include "our_chain.h"
#include "reference.h"

enum { MAX = 20, ARMS = 12, STATES = 4, METHODS = 40 };

static double work[1 << 16];

// The largest error of each method over arms of n joints, relative to the largest acceleration of
// its state. Rotors are left out, which the reference does not have; wrenches, too.
static void worst_errors(int n, double worst[])
{
    uint64_t seed = (uint64_t)n;
    fa_body  body[MAX];
    for (int m = 0; m < fa_method_count; m++) worst[m] = 0;
    for (int arm = 0; arm < ARMS; arm++) {
        const fa_chain chain = random_arm(&seed, n, arm % 2, body);
        peer_body      same[MAX];
        peer_robot     r = {.n = n, .body = same};
        r.gravity[0] = chain.gravity.x, r.gravity[1] = chain.gravity.y;
        r.gravity[2] = chain.gravity.z;
        for (int i = 0; i < n; i++) {
            body[i].rotor = 0;
            same[i] = peer_body_of(&body[i]);
        }
        assert_true(fa_methods_work_size(&chain) <= sizeof work);
        for (int state = 0; state < STATES; state++) {
            double q[MAX], qd[MAX], tau[MAX], want[MAX], got[MAX], size = 0;
            for (int i = 0; i < n; i++) {
                q[i] = random_between(&seed, -3, 3);
                qd[i] = random_between(&seed, -2, 2);
                tau[i] = random_between(&seed, -30, 30);
            }
            wide_forward(&r, q, qd, tau, want);
            for (int i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
            for (int m = 0; m < fa_method_count; m++) {
                const fa_method *method = fa_methods[m];
                if (!fa_method_has_forward(method) || !fa_method_fits(method, &chain) ||
                    forward_once(method, &chain, q, qd, tau, NULL, got, work) != FA_OK)
                    continue;
                for (int i = 0; i < n; i++)
                    worst[m] = fmax(worst[m], fabs(got[i] - want[i]) / size);
            }
        }
    }
}

static double of(const char *name, const double worst[])
{
    for (int m = 0; m < fa_method_count; m++)
        if (strcmp(fa_methods[m]->name, name) == 0) return worst[m];
    fail_msg("there is no method %s", name);
    return 0;
}

static void fast_methods_lose_little_to_the_readable_ones_of_their_kind(void **state)
{
    (void)state;
    static const int lengths[] = {2, 6, 7, 12, 20};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    static double worst[LENGTHS][METHODS];
    assert_true(fa_method_count <= METHODS);
    for (int l = 0; l < LENGTHS; l++) worst_errors(lengths[l], worst[l]);
    for (int m = 0; m < fa_method_count; m++) {
        if (!fa_method_has_forward(fa_methods[m])) continue;
        printf("%-22s", fa_methods[m]->name);
        for (int l = 0; l < LENGTHS; l++) printf("  %2d: %.1e", lengths[l], worst[l][m]);
        printf("\n");
    }
    for (int l = 0; l < LENGTHS; l++) {
        // One frame for all bodies, with origins up to metres away, may cost a digit: 5 times was
        // the worst of composite bodies. Articulated bodies count from the accelerations at
        // qdd = 0, too, which are large in long arms that move: 14 times was the worst.
        assert_true(of("fast-composite", worst[l]) <= 10 * of("composite-body", worst[l]));
        assert_true(of("fast-articulated", worst[l]) <= 30 * of("articulated-body", worst[l]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_methods_lose_little_to_the_readable_ones_of_their_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
