// The straight line of bench/line.c against tests/reference/puma_line.json: inverse kinematics by
// Newton's iteration here, in closed form and with 40 digits there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare.h"
#include "dynamics.h"
#include "line.h"
#include "read_json.h"

enum { N = LINE_JOINTS, ROWS = 51 };

// Rounding, times the condition of the Jacobian, which is applied twice for accelerations: the
// worst seen was 8.9e-16 rad, 1.7e-16 rad/s, 1.0e-16 rad/s^2 and 2.1e-14 N m of 33.
static const double TOLERANCE = 1e-12;

static void read_rows(const json *tree, const char *name, double rows[ROWS][N])
{
    assert_int_equal(json_numbers(json_member(tree, name), *rows, ROWS * N), ROWS * N);
}

static void the_arm_follows_the_line_of_the_reference(void **state)
{
    (void)state;
    static double q_ref[ROWS][N], qd_ref[ROWS][N], qdd_ref[ROWS][N], tau_ref[ROWS][N];
    static double work[1 << 14];
    json         *tree = json_read("reference/puma_line.json");
    read_rows(tree, "q", q_ref);
    read_rows(tree, "qd", qd_ref);
    read_rows(tree, "qdd", qdd_ref);
    read_rows(tree, "tau", tau_ref);
    json_free(tree);

    fa_body             body[N];
    fa_chain            chain;
    const straight_line line = line_of_puma("../resources/robots/puma560akb.xml", &chain, body);
    double              q[N], qd[N], qdd[N], tau[N], worst[4] = {0};
    memcpy(q, line_start, sizeof q);
    for (int row = 0; row < ROWS; row++) {
        assert_int_equal(line_motion(&line, 0.1 * row, q, qd, qdd), FA_OK);
        assert_int_equal(
            fa_method_find("gibbs-appell")->inverse(&chain, q, qd, qdd, NULL, tau, work), FA_OK);
        worst[0] = fmax(worst[0], distance(q, q_ref[row], N));
        worst[1] = fmax(worst[1], distance(qd, qd_ref[row], N));
        worst[2] = fmax(worst[2], distance(qdd, qdd_ref[row], N));
        worst[3] = fmax(worst[3], distance(tau, tau_ref[row], N));
    }
    printf("worst %.1e rad, %.1e rad/s, %.1e rad/s^2, %.1e N m\n", worst[0], worst[1], worst[2],
           worst[3]);
    assert_true(largest(worst, 4) <= TOLERANCE);
}

static void a_line_out_of_reach_is_reported(void **state)
{
    (void)state;
    fa_body       body[N];
    fa_chain      chain;
    straight_line line = line_of_puma("../resources/robots/puma560akb.xml", &chain, body);
    double        q[N], qd[N], qdd[N];
    line.from = vec3(3, 0, 0);
    memcpy(q, line_start, sizeof q);
    assert_int_equal(line_motion(&line, 0, q, qd, qdd), FA_SINGULAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arm_follows_the_line_of_the_reference),
        cmocka_unit_test(a_line_out_of_reach_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
