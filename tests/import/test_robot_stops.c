// Stops for all joints with limits fit what the joints feel.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "dynamics.h"
#include "random.h"
#include "robot_stops.h"
#include "test.h"

// What a torque at coordinate c accelerates at q: 1 over an entry of the inverse of the mass
// matrix, found by Gauss and Jordan's elimination.
static double felt(const fa_chain *chain, const double q[], int c)
{
    const int        n = chain->n_coordinates;
    const fa_method *method = NULL;
    for (int m = 0; m < fa_method_count && !method; m++)
        if (fa_methods[m]->mass_matrix && fa_method_fits(fa_methods[m], chain))
            method = fa_methods[m];
    assert_non_null(method);
    void   *work = malloc(method->work_size(chain) + 1);
    double *M = calloc((size_t)(n * n), sizeof *M), *x = calloc((size_t)n, sizeof *x);
    assert_true(work && M && x);
    assert_int_equal(method->mass_matrix(chain, q, M, work), FA_OK);
    x[c] = 1;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const double f = M[i * n + k] / M[k * n + k];
            if (i == k) continue;
            for (int j = k; j < n; j++) M[i * n + j] -= f * M[k * n + j];
            x[i] -= f * x[k];
        }
    }
    const double inertia = M[c * n + c] / x[c];
    free(work);
    free(M);
    free(x);
    return inertia;
}

static bool has_three_digits(double x)
{
    const double scale = pow(10, 2 - floor(log10(x)));
    return fabs(x * scale - round(x * scale)) < 1e-9 * x * scale;
}

// Each joint is told to have no limits, one, two or a stop of its own; what is chosen for it is
// compared with what its row of the mass matrix says at the worse of its limits.
static void a_chosen_stop_swings_with_what_its_joint_feels_at_its_limits(void **state)
{
    (void)state;
    uint64_t seed = 29;
    int      two_sided = 0, one_sided = 0, own = 0, none = 0;
    for (int trial = 0; trial < 100; trial++) {
        fa_robot *robot = random_robot(&seed, 1 + trial % 6, trial % 2 ? RANDOM_BRANCHED : 0);
        for (int i = 0; i < robot->n_links; i++) {
            fa_joint *joint = &robot->link[i].joint;
            if (!fa_joint_is_free(joint)) continue;
            const int kind = (int)random_in(&seed, 0, 5);
            joint->limit.lower = kind == 1 || kind >= 3 ? random_in(&seed, -2, -0.5) : -INFINITY;
            joint->limit.upper = kind == 2 || kind >= 3 ? random_in(&seed, 0.5, 2) : INFINITY;
            joint->initial_position = random_in(&seed, -0.4, 0.4);
            joint->stop = kind == 4 ? (fa_stop_data){true, 77, 7} : (fa_stop_data){false, 0, 0};
            none += kind == 0;
            one_sided += kind == 1 || kind == 2;
            two_sided += kind == 3;
            own += kind == 4;
        }
        fa_error error = fa_no_error();
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
        const size_t  n = (size_t)fa_chain_bodies(robot), links = (size_t)robot->n_links;
        fa_body      *body = malloc((n + 1) * sizeof *body);
        int          *link_body = malloc(links * sizeof *link_body);
        fa_transform *frame = malloc(links * sizeof *frame);
        double       *q = calloc(n + 1, sizeof *q);
        assert_true(body && link_body && frame && q);
        fa_chain chain = fa_chain_build(robot, body, link_body, frame);
        for (int i = 0; i < robot->n_links; i++)
            if (fa_joint_is_free(&robot->link[i].joint))
                q[body[link_body[i]].coordinate] = robot->link[i].joint.initial_position;

        fa_robot *given = fa_robot_new(robot->n_links);
        assert_non_null(given);
        memcpy(given->link, robot->link, links * sizeof *given->link);
        int            n_chosen = -1, n_given = -1, wanted = 0;
        const fa_stops chosen = {true, true, 0, 0}, numbers = {true, false, 2e4, 3};
        assert_int_equal(fa_robot_give_stops(given, &numbers, &n_given, &error), FA_OK);
        fa_robot *before = fa_robot_new(robot->n_links);
        assert_non_null(before);
        memcpy(before->link, robot->link, links * sizeof *before->link);
        assert_int_equal(fa_robot_give_stops(robot, &chosen, &n_chosen, &error), FA_OK);
        assert_false(robot->checked);
        assert_false(given->checked);

        const double omega = 2 * 3.14159265358979323846 * FA_STOP_FREQUENCY;
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint     *old = &before->link[i].joint;
            const fa_stop_data *stop = &robot->link[i].joint.stop,
                               *told = &given->link[i].joint.stop;
            const bool limited = isfinite(old->limit.lower) || isfinite(old->limit.upper);
            if (!fa_joint_is_free(old) || old->stop.present || !limited) {
                assert_memory_equal(stop, &old->stop, sizeof *stop);
                assert_memory_equal(told, &old->stop, sizeof *stop);
                continue;
            }
            wanted++;
            assert_true(told->present && told->stiffness == 2e4 && told->damping == 3);
            const int    c = body[link_body[i]].coordinate;
            const double start = q[c], at[] = {old->limit.lower, old->limit.upper};
            double       most = 0;
            for (int k = 0; k < 2; k++) {
                if (isinf(at[k])) continue;
                q[c] = at[k];
                most = fmax(most, felt(&chain, q, c));
            }
            q[c] = start;
            // Three digits: half a unit of the third one, of a hundred at least.
            assert_true(stop->present);
            assert_true(fabs(stop->stiffness / (most * omega * omega) - 1) <= 0.5001e-2);
            assert_true(fabs(stop->damping / (2 * FA_STOP_DAMPING * most * omega) - 1) <=
                        0.5001e-2);
            assert_true(has_three_digits(stop->stiffness) && has_three_digits(stop->damping));
        }
        assert_int_equal(n_chosen, wanted);
        assert_int_equal(n_given, wanted);
        free(body);
        free(link_body);
        free(frame);
        free(q);
        free(given);
        free(before);
        free(robot);
    }
    assert_true(two_sided > 50 && one_sided > 50 && own > 30 && none > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chosen_stop_swings_with_what_its_joint_feels_at_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
