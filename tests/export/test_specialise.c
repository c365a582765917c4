// Code for one arm: the equations against the readable methods, and what the compiler at hand makes
// of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "child.h"
#include "compare.h"
#include "compile.h"
#include "dh_chain.h"
#include "emit.h"
#include "frames.h"

enum { MAX = 24 };

// An arm of turning joints at right angles, a general one, a tree; every third each.
static fa_chain some_chain(uint64_t *seed, int trial, int longest, fa_body body[])
{
    const int n = 1 + trial / 3 % longest;
    if (trial % 3 == 0) return random_tree(seed, n, body);
    fa_chain chain = random_arm(seed, n, true, body);
    if (trial % 3 == 2) return chain;
    fa_transform frame = transform_identity();
    for (int i = 0; i < n; i++) {
        const double right = 1.5707963267948966;
        dh_link      link = {.modified = true, .mass = 1, .rotor = 0.1};
        link.alpha = right * (int)random_between(seed, -2, 3);
        link.offset = right * (int)random_between(seed, -2, 3);
        link.a = random_between(seed, 0, 1) < 0.5 ? 0 : random_between(seed, -0.5, 0.5);
        link.d = random_between(seed, 0, 1) < 0.5 ? 0 : random_between(seed, -0.5, 0.5);
        link.com = vec3(0, random_between(seed, -0.3, 0.3), 0);
        link.inertia = random_inertia(seed, link.mass);
        body[i] = dh_body(&link, i - 1, &frame);
    }
    chain.gravity = vec3(0, 0, -9.81);
    return chain;
}

static void equations_agree_with_newton_euler(void **state)
{
    (void)state;
    uint64_t seed = 1;
    fa_body  body[MAX];
    double   worst = 0;
    for (int trial = 0; trial < 240; trial++) {
        const fa_chain chain = some_chain(&seed, trial, trial % 3 == 0 ? MAX : 9, body);
        const int      n = chain.n;
        double parameter[FA_SPECIAL_PER_BODY * MAX + 3], q[MAX], qd[MAX], tau[MAX], qdd[MAX];
        double s[MAX], c[MAX];
        const double *const input[FA_INPUT_COUNT] = {parameter, q, qd, tau, s, c};
        fa_graph            graph = fa_expressions_new();
        fa_equations        equations;
        fa_equations_write(&graph, &chain, trial % 2 == 0, &equations);
        assert_false(graph.failed);
        double *value = malloc((size_t)graph.n * sizeof *value);
        assert_non_null(value);
        fa_special_parameters(&chain, parameter);
        for (int i = 0; i < n; i++) {
            q[i] = random_between(&seed, -3, 3);
            qd[i] = random_between(&seed, -3, 3);
            tau[i] = random_between(&seed, -50, 50);
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        fa_graph_evaluate(&graph, input, value);
        for (int i = 0; i < n; i++) qdd[i] = value[equations.qdd[i]];
        const double apart = fa_special_apart(&chain, q, qd, tau, qdd);
        // Rounding alone: the worst was 7e-16.
        assert_true(apart < FA_SPECIAL_APART / 10);
        if (apart > worst) worst = apart;
        free(value);
        fa_expressions_free(&graph);
    }
    printf("apart by at most %.1e of the largest torque\n", worst);
}

// The same equations for parameters that the code was not written with.
static void parameters_may_change(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fa_body  body[MAX];
    for (int trial = 0; trial < 30; trial++) {
        fa_chain     chain = some_chain(&seed, trial, 7, body);
        const int    n = chain.n;
        double       parameter[FA_SPECIAL_PER_BODY * MAX + 3], q[MAX], qd[MAX], tau[MAX], qdd[MAX];
        double       s[MAX], c[MAX];
        fa_graph     graph = fa_expressions_new();
        fa_equations equations;
        fa_equations_write(&graph, &chain, false, &equations);
        for (int i = 0; i < n; i++) {
            const double mass = random_between(&seed, 1, 5);
            body[i].inertia = fa_link_inertia(mass, random_vector(&seed, 0.3),
                                              random_inertia(&seed, mass), transform_identity());
            body[i].rotor = random_between(&seed, 0, 0.2);
        }
        chain.gravity = random_vector(&seed, 10);
        const double *const input[FA_INPUT_COUNT] = {parameter, q, qd, tau, s, c};
        double             *value = malloc((size_t)graph.n * sizeof *value);
        assert_non_null(value);
        fa_special_parameters(&chain, parameter);
        fa_special_trial(&chain, trial, q, qd, tau);
        for (int i = 0; i < n; i++) {
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        fa_graph_evaluate(&graph, input, value);
        for (int i = 0; i < n; i++) qdd[i] = value[equations.qdd[i]];
        assert_true(fa_special_apart(&chain, q, qd, tau, qdd) < FA_SPECIAL_APART / 10);
        free(value);
        fa_expressions_free(&graph);
    }
}

static void derivatives_agree_with_the_readable_ones(void **state)
{
    (void)state;
    uint64_t seed = 7;
    fa_body  body[MAX];
    double   worst = 0;
    for (int trial = 0; trial < 60; trial++) {
        const fa_chain chain = some_chain(&seed, trial, trial % 3 == 0 ? 15 : 7, body);
        const int      n = chain.n;
        double parameter[FA_SPECIAL_PER_BODY * MAX + 3], q[MAX], qd[MAX], qdd[MAX], s[MAX], c[MAX];
        double jacobian[3 * MAX * MAX];
        const double *const input[FA_INPUT_COUNT] = {parameter, q, qd, qdd, s, c, qdd};
        fa_graph            graph = fa_expressions_new();
        fa_equations        equations;
        fa_equations_write(&graph, &chain, trial % 2 == 0, &equations);
        assert_int_equal(fa_equations_differentiate(&graph, &chain, trial % 2 == 0, &equations),
                         FA_OK);
        double *value = malloc((size_t)graph.n * sizeof *value);
        assert_non_null(value);
        fa_special_parameters(&chain, parameter);
        fa_special_trial(&chain, trial, q, qd, qdd);
        for (int i = 0; i < n; i++) {
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        fa_graph_evaluate(&graph, input, value);
        fa_equations_jacobian(&equations, value, jacobian);
        const double apart = fa_special_jacobian_apart(&chain, q, qd, qdd, jacobian);
        assert_true(apart < FA_SPECIAL_APART / 10); // rounding alone: the worst was 2e-15
        if (apart > worst) worst = apart;
        jacobian[0] += 1e-3 * (1 + fabs(jacobian[0])); // and what is wrong is seen
        assert_true(fa_special_jacobian_apart(&chain, q, qd, qdd, jacobian) > FA_SPECIAL_APART);
        free(value);
        free(equations.slopes);
        fa_expressions_free(&graph);
    }
    printf("apart by at most %.1e\n", worst);
}

static void a_wrong_answer_is_seen(void **state)
{
    (void)state;
    uint64_t       seed = 4;
    fa_body        body[MAX];
    const fa_chain chain = random_arm(&seed, 6, true, body);
    double         q[MAX], qd[MAX], tau[MAX], qdd[MAX] = {0};
    fa_special_trial(&chain, 0, q, qd, tau);
    assert_true(fa_special_apart(&chain, q, qd, tau, qdd) > 1e-3); // it does accelerate
    qdd[0] = NAN;
    assert_false(fa_special_apart(&chain, q, qd, tau, qdd) <= FA_SPECIAL_APART);
}

static void what_has_no_code_is_told_why(void **state)
{
    (void)state;
    uint64_t       seed = 5;
    fa_body        body[MAX];
    fa_specialised code;
    fa_error       error = fa_no_error();
    fa_chain       chain = random_arm(&seed, 16, true, body);
    assert_int_equal(fa_specialise(&chain, "long", &code, &error), FA_UNFIT);
    assert_non_null(strstr(error.message, "slower"));
    chain = random_arm(&seed, 4, true, body);
    chain.base_moves = true;
    assert_int_equal(fa_specialise(&chain, "moved", &code, &error), FA_UNFIT);
    assert_non_null(strstr(error.message, "ground"));
    chain.base_moves = false;
    chain.coupled = true;
    assert_int_equal(fa_specialise(&chain, "coupled", &code, &error), FA_UNFIT);
    assert_non_null(strstr(error.message, "follow"));
    assert_null(code.text);
}

// Structure that a robot has costs nothing: a pendulum is one division and a few products.
static void what_does_not_move_is_not_computed(void **state)
{
    (void)state;
    fa_body        body = {.parent = FA_WORLD,
                           .joint = FA_REVOLUTE,
                           .axis = {0, 1, 0},
                           .home = transform_identity(),
                           .inertia =
                               fa_link_inertia(2, vec3(0, 0, -0.5), (fa_sym3){.01, .01, .01, 0, 0, 0},
                                               transform_identity()),
                           .ratio = 1};
    const fa_chain chain = {.n = 1, .n_coordinates = 1, .body = &body, .gravity = {0, 0, -9.81}};
    fa_graph       graph = fa_expressions_new();
    fa_equations   equations;
    fa_equations_write(&graph, &chain, true, &equations);
    // tau + m g l sin q, over a moment of inertia that is a parameter's business.
    assert_true(fa_equations_operations(&graph, &equations) <= 4);
    fa_expressions_free(&graph);
}

// In a folder of its own, what the compiler made gives the same answers: of trees, of arms whose
// derivatives the general method finds faster, and of short arms, which leave lanes empty.
static void what_is_compiled_agrees(void **state)
{
    (void)state;
    static const struct {
        int  kind, n;
        bool slopes;
    } arm[] = {{0, 8, true}, {1, 7, false}, {2, 5, false}, {1, 4, true},
               {1, 3, true}, {2, 2, true},  {1, 1, true}};
    fa_compiler compiler;
    fa_error    error = fa_no_error();
    char        folder[FA_PATH_SIZE];
    uint64_t    seed = 6;
    fa_body     body[MAX];
    if (fa_compiler_find(&compiler, &error) != FA_OK) {
        printf("skipped: %s\n", error.message);
        skip();
    }
    for (size_t trial = 0; trial < sizeof arm / sizeof *arm; trial++) {
        const fa_chain chain =
            some_chain(&seed, 3 * (arm[trial].n - 1) + arm[trial].kind, arm[trial].n, body);
        fa_specialised code;
        error.message[0] = '\0';
        fa_status status = fa_specialise(&chain, "one of */ \\ many", &code, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, FA_OK);
        assert_int_equal(code.n_jacobian_operations > 0, arm[trial].slopes);
        assert_int_equal(fa_workshop_open(folder, &error), FA_OK);
        status = fa_special_try(&compiler, SOURCES, folder, &code, &chain, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, FA_OK);

        // And other code for this arm does not, of accelerations, of derivatives, and of many
        // states at once: with the last difference as a sum.
        const char *const begin[] = {"", "", "KERNEL(equations0)"};
        const char *const end[] = {"    qdd[0] = ", "    side[0] = ", "    qdd[0] = "};
        const bool        tried[] = {chain.n > 3, chain.n > 3 && arm[trial].slopes, trial == 2};
        for (int k = 0; k < 3; k++) { // compiling takes seconds
            if (!tried[k]) continue;
            char *at = strstr(code.text, begin[k]);
            assert_non_null(at);
            at = strstr(at, end[k]);
            assert_non_null(at);
            while (memcmp(at, " - ", 3) != 0) at--;
            at[1] = '+';
            status = fa_special_try(&compiler, SOURCES, folder, &code, &chain, &error);
            assert_int_equal(status, FA_UNFIT);
            assert_non_null(strstr(error.message, "more than rounding"));
            at[1] = '-';
        }
        fa_workshop_close(folder);
        fa_specialised_free(&code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_agree_with_newton_euler),
        cmocka_unit_test(parameters_may_change),
        cmocka_unit_test(derivatives_agree_with_the_readable_ones),
        cmocka_unit_test(a_wrong_answer_is_seen),
        cmocka_unit_test(what_has_no_code_is_told_why),
        cmocka_unit_test(what_does_not_move_is_not_computed),
        cmocka_unit_test(what_is_compiled_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
