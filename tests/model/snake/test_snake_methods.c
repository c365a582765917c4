// The snake's methods against each other on random snakes, their choice of the base link, and what
// fa_snake_check refuses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "snake_help.h"
#include "snake_methods.h"

// A snake in motion under forces, and what the default method makes of it.
typedef struct moving {
    test_snake      of;
    double          theta[MAX_LINKS], torque[MAX_LINKS], rolling[MAX_LINKS];
    fa_snake_motion motion[MAX_LINKS];
    double          lambda[MAX_LINKS];
    fa_snake_force  joint[MAX_LINKS];
} moving;

static void move(moving *it, double V, double w)
{
    const fa_snake_forces forces = {.torque = it->torque, .rolling = it->rolling};
    const double          u[2] = {V, w};
    double                ud[2], residual[2];
    fa_error              error = fa_no_error();
    if (fa_snake_check(&it->of.snake, &error) != FA_OK) fail_msg("%s", error.message);
    fa_snake_kinematics(&it->of.snake, it->theta, u, it->motion);
    const fa_snake_equations equations = fa_snake_project(&it->of.snake, it->motion, &forces);
    assert_int_equal(fa_snake_solve(&equations, ud), FA_OK);
    fa_snake_accelerate(&it->of.snake, ud, it->motion);
    fa_snake_reactions(&it->of.snake, it->theta, it->motion, &forces, it->lambda, it->joint,
                       residual);

    // Rounding of the largest force, once for every link that it has come through.
    const double scale = fmax(1, largest(it->lambda, it->of.snake.n));
    if (!(largest(residual, 2) < 1e-13 * scale * it->of.snake.n))
        fail_msg("%d links: reaction residual %g against forces of %g", it->of.snake.n,
                 largest(residual, 2), scale);
}

static void random_motion(moving *it, int n, uint64_t *seed)
{
    random_snake(&it->of, n, seed);
    it->theta[0] = random_between(seed, -3, 3);
    for (int k = 0; k < n; k++) {
        if (k > 0) it->theta[k] = it->theta[k - 1] + random_between(seed, -1.5, 1.5);
        it->torque[k] = random_between(seed, -1, 1);
        it->rolling[k] = random_between(seed, -1, 1);
    }
    move(it, random_between(seed, -1, 1), random_between(seed, -3, 3));
}

// Every method, from several base links, must find the accelerations and forces of `it`.
static double worst_method(const moving *it, int bases)
{
    const int             n = it->of.snake.n;
    const fa_snake_forces forces = {.torque = it->torque, .rolling = it->rolling};
    double                worst = 0;
    for (int i = 0; i < fa_snake_method_count; i++) {
        const fa_snake_method *method = &fa_snake_methods[i];
        void                  *work = malloc(method->work_size(n));
        for (int b = 0; b < bases; b++) {
            fa_snake  as = it->of.snake;
            const int from = bases == 1 ? as.base : b * (n - 1) / (bases - 1);
            double    ud[2], lambda[MAX_LINKS];
            as.base = method->any_base ? from : 0;
            if (fa_snake_check(&as, NULL) != FA_OK) continue; // too far from the best base
            const fa_snake_motion *at = &it->motion[as.base];
            const double           u[2] = {at->V, at->w}, want[2] = {at->Vd, at->wd};
            const fa_status status = method->forward(&as, it->theta, u, &forces, ud, lambda, work);
            assert_int_equal(status, FA_OK);
            worst = fmax(worst, fmax(miss(ud, want, 2), miss(lambda, it->lambda, n)));
        }
        free(work);
    }
    return worst;
}

static void four_methods_agree_on_random_snakes(void **state)
{
    (void)state;
    static moving it;
    uint64_t      seed = 11;
    double        worst = 0;
    for (int trial = 0; trial < 98; trial++) {
        random_motion(&it, 2 + trial / 2, &seed);
        worst = fmax(worst, worst_method(&it, 3));
    }
    print_message("2 to 50 links: largest difference %.2g\n", worst);
    assert_true(worst < 1e-11); // rounding in Lagrange's and Newton-Euler's, with n^2
}

static void long_snakes_agree_too(void **state)
{
    (void)state;
    static moving it;
    uint64_t      seed = 12;
    double        worst = 0;
    for (int n = 100; n <= MAX_LINKS; n += 100) {
        random_motion(&it, n, &seed);
        worst = fmax(worst, worst_method(&it, 1));
    }
    print_message("100 and 200 links: largest difference %.2g\n", worst);
    assert_true(worst < 1e-10);
}

// Whichever link carries u, the same snake moves in the same way and pulls on its joints alike.
static void every_base_tells_the_same_story(void **state)
{
    (void)state;
    static moving it, other;
    uint64_t      seed = 13;
    for (int n = 2; n <= 60; n += 7) {
        random_motion(&it, n, &seed);
        for (int base = 0; base < n; base++) {
            other = it;
            other.of.snake.link = other.of.link;
            other.of.snake.joint = other.of.joint;
            other.of.snake.base = base;
            if (fa_snake_check(&other.of.snake, NULL) != FA_OK) continue;
            move(&other, it.motion[base].V, it.motion[base].w);
            double got[2 * MAX_LINKS], want[2 * MAX_LINKS];
            for (int k = 0; k < n - 1; k++) {
                got[2 * k] = other.joint[k].x;
                got[2 * k + 1] = other.joint[k].y;
                want[2 * k] = it.joint[k].x;
                want[2 * k + 1] = it.joint[k].y;
            }
            assert_true(miss(got, want, 2 * n - 2) < 1e-11);
            assert_true(miss(other.lambda, it.lambda, n) < 1e-11);
        }
    }
}

// Wheels before the middles of the links: b / a < 1 and the other way round.
static void shift_wheels(test_snake *of, int n, double b_by_a)
{
    paper_snake(of, n);
    for (int k = 0; k < n; k++) {
        of->link[k].a = 0.2 / (1 + b_by_a);
        of->link[k].b = 0.2 - of->link[k].a;
    }
}

static void the_best_base_keeps_rounding_small(void **state)
{
    (void)state;
    static moving it;
    uint64_t      seed = 14;
    for (int way = 0; way < 2; way++) {
        const int n = 50;
        shift_wheels(&it.of, n, way ? 2 : 0.5);
        const int best = fa_snake_best_base(&it.of.snake);
        assert_int_equal(best, way ? n - 1 : 0);
        assert_true(fa_snake_growth(&it.of.snake, best) == 1);
        assert_true(fa_snake_growth(&it.of.snake, way ? 0 : n - 1) > 1e14); // 2^49
        it.of.snake.base = best;
        for (int k = 0; k < n; k++) {
            it.theta[k] = random_between(&seed, -0.1, 0.1);
            it.torque[k] = random_between(&seed, -1, 1);
            it.rolling[k] = 0;
        }
        move(&it, 0.3, 0.2);
        assert_true(worst_method(&it, 1) < 1e-11);
    }
}

// Long climbs either side of a valley: the higher end is the better base, and the other climb
// stays.
static void growth_counts_the_climb_beyond_a_valley(void **state)
{
    (void)state;
    test_snake of;
    const int  n = 21;
    shift_wheels(&of, n, 1);
    for (int k = 0; k < n - 1; k++) {
        of.link[k].b = 0.1;
        of.link[k + 1].a = k < 10 ? 0.2 : 0.05; // ten steps down by 2, ten steps up by 2
    }
    of.link[20].a = 0.1; // one of these less
    assert_int_equal(fa_snake_best_base(&of.snake), 0);
    assert_true(fabs(fa_snake_growth(&of.snake, 0) / 512 - 1) < 1e-12);
    assert_true(fabs(fa_snake_growth(&of.snake, 20) / 1024 - 1) < 1e-12);
}

static void expect_refusal(const test_snake *of, const char *part)
{
    fa_error error = {.status = FA_OK};
    assert_int_equal(fa_snake_check(&of->snake, &error), FA_BAD_INPUT);
    if (!strstr(error.message, part)) fail_msg("no '%s' in: %s", part, error.message);
}

static void what_cannot_be_a_snake_is_refused_with_the_reason(void **state)
{
    (void)state;
    test_snake of;
    paper_snake(&of, 5);
    assert_int_equal(fa_snake_check(&of.snake, NULL), FA_OK);

    of.snake.n = 1;
    expect_refusal(&of, "give it two links or more");
    paper_snake(&of, 5);
    of.snake.base = 5;
    expect_refusal(&of, "its links are 1 to 5");

    paper_snake(&of, 5);
    of.link[3].a = 0;
    of.link[3].b = 0.2;
    expect_refusal(&of, "the wheel of link 4 sits on the joint to link 3");
    paper_snake(&of, 5);
    of.link[0].a = 0; // nothing is behind it
    of.link[4].b = 0; // nothing is before it
    assert_int_equal(fa_snake_check(&of.snake, NULL), FA_OK);

    paper_snake(&of, 5);
    of.link[1].b = 0; // only a base in front of it needs this
    assert_int_equal(fa_snake_check(&of.snake, NULL), FA_OK);
    of.snake.base = 4;
    expect_refusal(&of, "describe the snake's motion by link");

    shift_wheels(&of, 50, 1.5);
    expect_refusal(&of, "grows 10^9-fold along the snake; describe the snake's motion by link 50");
    shift_wheels(&of, 60, 1);
    for (int k = 0; k < 30; k++) of.link[k + 1].a *= 2;
    for (int k = 30; k < 59; k++) of.link[k + 1].a /= 2;
    expect_refusal(&of, "of any link grows 10^9-fold or more");

    const struct {
        size_t      field;
        double      value;
        const char *part;
    } wrong[] = {
        {offsetof(fa_snake_link, a), NAN,
         "the wheel position of link 3 is NaN; give a finite number"},
        {offsetof(fa_snake_link, b), INFINITY, "wheel to front joint of link 3 is inf"},
        {offsetof(fa_snake_link, b), -0.1, "the length of link 3 is 0;"},
        {offsetof(fa_snake_link, c), NAN, "centre of mass along the link of link 3"},
        {offsetof(fa_snake_link, d), NAN, "centre of mass across the link of link 3"},
        {offsetof(fa_snake_link, m), 0, "the mass of link 3 is 0; every link"},
        {offsetof(fa_snake_link, I), -1, "the moment of inertia of link 3 is -1"},
        {offsetof(fa_snake_link, rolling_viscous), -1, "the viscous rolling friction of link 3"},
        {offsetof(fa_snake_link, rolling_coulomb), NAN, "the Coulomb rolling friction of link 3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        paper_snake(&of, 5);
        memcpy((char *)&of.link[2] + wrong[i].field, &wrong[i].value, sizeof(double));
        expect_refusal(&of, wrong[i].part);
    }

    paper_snake(&of, 5);
    of.link[2].rolling_coulomb = 1;
    of.snake.rolling_width = 0;
    expect_refusal(&of, "the speed over which it turns round is 0");
    paper_snake(&of, 5);
    of.joint[1].rotor = -1;
    expect_refusal(&of, "the rotor inertia of joint 2 is -1");
    paper_snake(&of, 5);
    of.joint[1].viscous = -1;
    expect_refusal(&of, "the viscous friction of joint 2 is -1");
    paper_snake(&of, 5);
    of.joint[1].stiffness = -1;
    expect_refusal(&of, "the stiffness of joint 2 is -1");
    paper_snake(&of, 5);
    of.joint[1].rest = NAN;
    expect_refusal(&of, "the rest angle of joint 2 is NaN");
}

static void methods_are_found_by_name(void **state)
{
    (void)state;
    size_t most = 0;
    for (int i = 0; i < fa_snake_method_count; i++) {
        assert_ptr_equal(fa_snake_method_find(fa_snake_methods[i].name), &fa_snake_methods[i]);
        if (fa_snake_methods[i].work_size(10) > most) most = fa_snake_methods[i].work_size(10);
    }
    assert_null(fa_snake_method_find("newton"));
    assert_int_equal(fa_snake_methods_work_size(10), most);
}

static void not_a_number_is_reported(void **state)
{
    (void)state;
    test_snake of;
    paper_snake(&of, 4);
    for (int i = 0; i < fa_snake_method_count; i++) {
        const fa_snake_method *method = &fa_snake_methods[i];
        void                  *work = malloc(method->work_size(4));
        double                 ud[2], lambda[4];
        const double           straight[4] = {0}, bent[4] = {0, NAN, 0, 0}, u[2] = {1, 0};
        const double           torque[3] = {0}, broken[3] = {0, INFINITY, 0};
        const fa_snake_forces  none = {.torque = torque}, wild = {.torque = broken};
        assert_true(method->forward(&of.snake, bent, u, &none, ud, lambda, work) != FA_OK);
        assert_int_equal(method->forward(&of.snake, straight, u, &wild, ud, NULL, work),
                         FA_NOT_FINITE);
        of.snake.base = 2;
        assert_int_equal(method->forward(&of.snake, straight, u, &none, ud, lambda, work),
                         method->any_base ? FA_OK : FA_UNFIT);
        of.snake.base = 0;
        free(work);
    }
}

// ------------------------------------------------------------------------------------------- rates

static void expect_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %g, not %g: more than %g apart", what, got, want, tolerance);
}

// Velocity of each wheel across its link, by sums over the chain from the base's wheel.
static void across(const fa_snake *snake, const double q[], const double qd[], double v[])
{
    const int     n = snake->n, base = snake->base;
    const double *theta = q, *w = qd;
    double        x = qd[n], y = qd[n + 1];
    for (int k = base; k < n; k++) {
        if (k > base) {
            const double b = snake->link[k - 1].b, a = snake->link[k].a;
            x -= b * w[k - 1] * sin(theta[k - 1]) + a * w[k] * sin(theta[k]);
            y += b * w[k - 1] * cos(theta[k - 1]) + a * w[k] * cos(theta[k]);
        }
        v[k] = y * cos(theta[k]) - x * sin(theta[k]);
    }
    x = qd[n];
    y = qd[n + 1];
    for (int k = base - 1; k >= 0; k--) {
        const double b = snake->link[k].b, a = snake->link[k + 1].a;
        x += b * w[k] * sin(theta[k]) + a * w[k + 1] * sin(theta[k + 1]);
        y -= b * w[k] * cos(theta[k]) + a * w[k + 1] * cos(theta[k + 1]);
        v[k] = y * cos(theta[k]) - x * sin(theta[k]);
    }
}

// Where the wheels roll, (26) and (27) for all rates are what Kane's method says of the two speeds.
static void all_rates_accelerate_like_the_two_speeds(void **state)
{
    (void)state;
    static moving it;
    uint64_t      seed = 7;
    for (int trial = 0; trial < 100; trial++) {
        const int n = 2 + trial % 8;
        random_motion(&it, n, &seed);
        const fa_snake       *snake = &it.of.snake;
        const fa_snake_motion base = it.motion[snake->base];
        const double          S = sin(it.theta[snake->base]), C = cos(it.theta[snake->base]);
        double                qd[MAX_LINKS + 2], qdd[MAX_LINKS + 2];
        for (int k = 0; k < n; k++) qd[k] = it.motion[k].w;
        qd[n] = base.V * C;
        qd[n + 1] = base.V * S;
        const fa_snake_forces forces = {.torque = it.torque, .rolling = it.rolling};
        void                 *work = malloc(fa_snake_lagrange_work_size(n));
        assert_non_null(work);
        assert_int_equal(fa_snake_lagrange_rates(snake, it.theta, qd, &forces, qdd, work), FA_OK);
        free(work);
        double scale = 1;
        for (int k = 0; k < n; k++) scale = fmax(scale, fabs(it.motion[k].wd));
        // As four_methods_agree_on_random_snakes has it: rounding of the largest acceleration.
        for (int k = 0; k < n; k++)
            expect_near(qdd[k], it.motion[k].wd, 1e-9 * scale, "a link's acceleration");
        expect_near(qdd[n], base.Vd * C - base.V * base.w * S, 1e-9 * scale, "x''");
        expect_near(qdd[n + 1], base.Vd * S + base.V * base.w * C, 1e-9 * scale, "y''");
    }
}

// Whatever the rates, wheels that slip go on slipping at the speed that they have: J q'' = -J' q'.
static void rates_that_slip_keep_slipping_as_fast(void **state)
{
    (void)state;
    static moving it;
    uint64_t      seed = 8;
    for (int trial = 0; trial < 100; trial++) {
        const int n = 2 + trial % 8;
        random_motion(&it, n, &seed);
        double q[MAX_LINKS + 2], qd[MAX_LINKS + 2], qdd[MAX_LINKS + 2], scale = 1;
        for (int i = 0; i < n + 2; i++) {
            q[i] = i < n ? it.theta[i] : 0;
            qd[i] = random_between(&seed, -1, 1);
        }
        const fa_snake_forces forces = {.torque = it.torque, .rolling = it.rolling};
        void                 *work = malloc(fa_snake_lagrange_work_size(n));
        assert_non_null(work);
        assert_int_equal(fa_snake_lagrange_rates(&it.of.snake, q, qd, &forces, qdd, work), FA_OK);
        free(work);
        for (int i = 0; i < n + 2; i++) scale = fmax(scale, fabs(qdd[i]));
        const double h = 1e-5 / sqrt(scale);
        double       v[2][MAX_LINKS];
        for (int side = 0; side < 2; side++) {
            const double step = side ? h : -h;
            double       at[MAX_LINKS + 2], rate[MAX_LINKS + 2];
            for (int i = 0; i < n + 2; i++) {
                at[i] = q[i] + step * (qd[i] + step * qdd[i] / 2);
                rate[i] = qd[i] + step * qdd[i];
            }
            across(&it.of.snake, at, rate, v[side]);
        }
        // Rounding of a velocity over h, and h^2 times its third derivative, relative to the
        // largest acceleration: 1e-10 and less for each link on the way.
        for (int k = 0; k < n; k++)
            expect_near((v[1][k] - v[0][k]) / (2 * h), 0, 1e-8 * scale * n, "a slip's derivative");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_methods_agree_on_random_snakes),
        cmocka_unit_test(long_snakes_agree_too),
        cmocka_unit_test(every_base_tells_the_same_story),
        cmocka_unit_test(the_best_base_keeps_rounding_small),
        cmocka_unit_test(growth_counts_the_climb_beyond_a_valley),
        cmocka_unit_test(what_cannot_be_a_snake_is_refused_with_the_reason),
        cmocka_unit_test(methods_are_found_by_name),
        cmocka_unit_test(all_rates_accelerate_like_the_two_speeds),
        cmocka_unit_test(rates_that_slip_keep_slipping_as_fast),
        cmocka_unit_test(not_a_number_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
