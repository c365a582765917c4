// What `forearm compare` finds out about methods: that those of the tables agree, and that one
// which is wrong in any way that matters is caught.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest.h"
#include "import.h"
#include "robot_snake.h"

// ----------------------------------------------------------------------------- methods that err

// Without velocities there are no centrifugal and Coriolis forces.
static fa_status forgets_velocity(const fa_chain *chain, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[], void *work)
{
    static const double none[64] = {0};
    (void)qd;
    return fa_method_find("articulated-body")->forward(chain, q, none, tau, load, qdd, work);
}

static fa_status forgets_ground(const fa_chain *chain, const double q[], const double qd[],
                                const double qdd[], const fa_load *load, double tau[], void *work)
{
    fa_chain still = *chain;
    still.base_moves = false;
    return fa_method_find("newton-euler")->inverse(&still, q, qd, qdd, load, tau, work);
}

static fa_status forgets_load(const fa_chain *chain, const double q[], const double qd[],
                              const double qdd[], const fa_load *load, double tau[], void *work)
{
    (void)load;
    return fa_method_find("newton-euler")->inverse(chain, q, qd, qdd, NULL, tau, work);
}

// Off by a few units of the ninth digit in one element.
static fa_status slips_a_little(const fa_chain *chain, const double q[], double M[], void *work)
{
    const fa_status status = fa_method_find("composite-body")->mass_matrix(chain, q, M, work);
    M[0] *= 1 + 4e-9;
    return status;
}

static fa_status gives_no_number(const fa_chain *chain, const double q[], double M[], void *work)
{
    const fa_status status = fa_method_find("composite-body")->mass_matrix(chain, q, M, work);
    M[0] = NAN;
    return status;
}

static fa_status gives_up(const fa_chain *chain, const double q[], const double qd[],
                          const double tau[], const fa_load *load, double qdd[], void *work)
{
    (void)chain, (void)q, (void)qd, (void)tau, (void)load, (void)qdd, (void)work;
    return FA_SINGULAR;
}

static fa_status pulls_the_wrong_way(const fa_snake *snake, const double theta[], const double u[2],
                                     const fa_snake_forces *forces, double ud[2], double lambda[],
                                     void *work)
{
    double       other[64];
    const double sign = -1;
    for (int k = 0; k + 1 < snake->n; k++) other[k] = sign * forces->torque[k];
    const fa_snake_forces turned = {.torque = other, .rolling = forces->rolling};
    return fa_snake_method_find("kane")->forward(snake, theta, u, &turned, ud, lambda, work);
}

static fa_status pushes_wheels_wrongly(const fa_snake *snake, const double theta[],
                                       const double u[2], const fa_snake_forces *forces,
                                       double ud[2], double lambda[], void *work)
{
    const fa_status status =
        fa_snake_method_find("kane")->forward(snake, theta, u, forces, ud, lambda, work);
    if (lambda) lambda[snake->n - 1] *= 1 + 1e-6;
    return status;
}

// ------------------------------------------------------------------------------------- comparisons

static fa_robot *robot_of(const char *path)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

// Compares everything that the table has for a robot, and hands each row to `judge`.
static void compare(const char *path, bool ground_moves, const fa_method *const methods[], int n,
                    void (*judge)(const fa_comparison_row *row, const char *method))
{
    fa_robot     *robot = robot_of(path);
    fa_body      *body = calloc((size_t)fa_chain_bodies(robot), sizeof *body);
    int          *link_body = calloc((size_t)robot->n_links, sizeof *link_body);
    fa_transform *frame = calloc((size_t)robot->n_links, sizeof *frame);
    assert_true(body && link_body && frame);
    fa_chain                 chain = fa_chain_build(robot, body, link_body, frame);
    const fa_comparison_wish wish = {.samples = 20, .seed = 1, .untimed = true};
    fa_contest               contest;
    fa_comparison            comparison;
    chain.base_moves = ground_moves;
    assert_int_equal(fa_compare_arm(robot, &chain, methods, n, &contest, NULL), FA_OK);
    assert_int_equal(fa_comparison_make(&contest, &wish, &comparison, NULL), FA_OK);
    assert_true(comparison.n > 0);
    for (int i = 0; i < comparison.n; i++)
        judge(&comparison.row[i], methods[comparison.row[i].method]->name);
    fa_comparison_free(&comparison);
    free(contest.self);
    free(frame);
    free(link_body);
    free(body);
    free(robot);
}

static int rows_judged;

static void expect_agreement(const fa_comparison_row *row, const char *method)
{
    rows_judged++;
    if (!row->agrees) fail_msg("%s differs by %g", method, row->disagreement);
    assert_int_equal(row->states, 20);
    // Rounding leaves less with well-conditioned robots: 3e-13 was seen.
    assert_true(row->disagreement < 3e-11);
    if (!fa_counts_missing()) {
        const bool fast = strncmp(method, "fast-", 5) == 0; // with processors' own numbers only
        assert_true(fast != (row->counted && row->executed.multiplications > 0));
        assert_true(fast || fa_products(row->online) < fa_products(row->executed));
    }
}

static void methods_agree_on_robots_of_every_kind(void **state)
{
    (void)state;
    const struct {
        const char *file;
        int         rows; // at least
    } robots[] = {
        {"../resources/robots/puma560.xml", 30},  // revolute
        {"../resources/robots/stanford.xml", 30}, // a prismatic joint between revolute ones
        {"urdf/prismatic.urdf", 30},              // prismatic alone
        {"urdf/several_tips.urdf", 20},           // branched
        {"urdf/mimic.urdf", 8},                   // joints that follow others
    };
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        rows_judged = 0;
        compare(robots[i].file, false, fa_methods, fa_method_count, expect_agreement);
        if (rows_judged < robots[i].rows) fail_msg("%s: %d rows only", robots[i].file, rows_judged);
        // Three methods and the referee support a moving ground.
        rows_judged = 0;
        compare(robots[i].file, true, fa_methods, fa_method_count, expect_agreement);
        if (rows_judged < 8) fail_msg("%s: %d rows only", robots[i].file, rows_judged);
    }
}

static void expect_names_to_tell(const fa_comparison_row *row, const char *method)
{
    const bool wrong = strncmp(method, "wrong", 5) == 0;
    rows_judged += wrong;
    if (wrong == row->agrees)
        fail_msg("%s, call %d: disagreement of %g is taken for %s", method, row->call,
                 row->disagreement, wrong ? "rounding" : "a fault");
    if (wrong) assert_true(row->unanswered > 0 || row->disagreement > 1e-9);
}

static void a_wrong_method_is_caught(void **state)
{
    (void)state;
    const fa_method *right = fa_method_find("composite-body"),
                    *lagrange = fa_method_find("lagrange");
    const fa_method *const table[] = {
        lagrange,
        fa_method_find("articulated-body"),
        right,
        &(const fa_method){.name = "wrong: velocity",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .forward = forgets_velocity},
        &(const fa_method){.name = "wrong: load",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .inverse = forgets_load},
        &(const fa_method){.name = "wrong: digit",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .mass_matrix = slips_a_little},
        &(const fa_method){.name = "wrong: NaN",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .mass_matrix = gives_no_number},
        &(const fa_method){.name = "wrong: status",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .forward = gives_up},
    };
    rows_judged = 0;
    compare("../resources/robots/puma560.xml", false, table, sizeof table / sizeof *table,
            expect_names_to_tell);
    assert_int_equal(rows_judged, 5);
}

static void a_method_that_forgets_the_ground_is_caught(void **state)
{
    (void)state;
    const fa_method       *right = fa_method_find("newton-euler");
    const fa_method *const table[] = {
        fa_method_find("lagrange"),
        right,
        &(const fa_method){.name = "wrong: ground",
                           .covers = right->covers,
                           .work_size = fa_methods_work_size,
                           .inverse = forgets_ground},
    };
    rows_judged = 0;
    compare("../resources/robots/puma560.xml", true, table, sizeof table / sizeof *table,
            expect_names_to_tell);
    assert_int_equal(rows_judged, 1);
}

static void a_wrong_method_of_the_snake_is_caught(void **state)
{
    (void)state;
    fa_robot       *robot = robot_of("../resources/robots/serpenoid.xml");
    fa_snake_link  *link = calloc((size_t)robot->n_links, sizeof *link);
    fa_snake_joint *joint = calloc((size_t)robot->n_links, sizeof *joint);
    assert_true(link && joint && robot->n_links < 64);
    const fa_snake        snake = fa_robot_snake(robot, link, joint);
    const fa_snake_method kane = fa_snake_methods[0];
    const fa_snake_method table[] = {
        kane,
        *fa_snake_method_find("kane-paper"),
        *fa_snake_method_find("lagrange"),
        *fa_snake_method_find("newton-euler"),
        {"wrong: torque", "", "", "", true, kane.work_size, pulls_the_wrong_way},
        {"wrong: wheels", "", "", "", true, kane.work_size, pushes_wheels_wrongly},
    };
    const fa_comparison_wish wish = {.samples = 20, .seed = 1, .untimed = true};
    fa_contest               contest;
    fa_comparison            comparison;
    assert_int_equal(fa_compare_snake(&snake, table, 6, &contest, NULL), FA_OK);
    assert_string_equal(contest.name(contest.self, contest.reference), "lagrange");
    assert_int_equal(fa_comparison_make(&contest, &wish, &comparison, NULL), FA_OK);
    assert_int_equal(comparison.n, 12);
    for (int i = 0; i < comparison.n; i++) {
        const fa_comparison_row *row = &comparison.row[i];
        const bool               wheels = row->call == 1;
        assert_int_equal(row->agrees, row->method < 4 || (row->method == 5 && !wheels));
        if (row->method < 4) assert_true(row->disagreement < 1e-11); // 1e-13 was seen
    }
    fa_comparison_free(&comparison);
    free(contest.self);
    free(joint);
    free(link);
    free(robot);
}

static bool is_small(const void *context, const char *method)
{
    (void)context;
    return strcmp(method, "articulated-body") == 0;
}

static void instructions_and_time_come_with_it(void **state)
{
    (void)state;
    fa_robot                *robot = robot_of("../resources/robots/double_pendulum.xml");
    fa_body                  body[8];
    int                      link_body[8];
    fa_transform             frame[8];
    const fa_chain           chain = fa_chain_build(robot, body, link_body, frame);
    const fa_comparison_wish wish = {.samples = 1, .seed = 1, .wanted = is_small};
    fa_contest               contest;
    fa_comparison            comparison;
    assert_true(robot->n_links <= 8);
    assert_int_equal(fa_compare_arm(robot, &chain, fa_methods, fa_method_count, &contest, NULL),
                     FA_OK);
    assert_int_equal(fa_comparison_make(&contest, &wish, &comparison, NULL), FA_OK);
    assert_int_equal(comparison.n, 1);
    const fa_comparison_row *row = &comparison.row[0];
    assert_int_equal(isnan(row->instructions), comparison.counter == FA_COUNTER_NONE);
    if (comparison.counter != FA_COUNTER_NONE) assert_true(row->instructions > 1000);
    assert_true(row->nanoseconds > 0);
    fa_comparison_free(&comparison);
    free(contest.self);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree_on_robots_of_every_kind),
        cmocka_unit_test(a_wrong_method_is_caught),
        cmocka_unit_test(a_method_that_forgets_the_ground_is_caught),
        cmocka_unit_test(a_wrong_method_of_the_snake_is_caught),
        cmocka_unit_test(instructions_and_time_come_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
