// The linear equations of implicit integrators, which a snake solves in linear time, against the
// matrix that its tangents make; and what an instance takes and stops for.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"
#include "lu.h"
#include "plant.h"
#include "plant_jacobian.h"
#include "random.h"
#include "robot_snake.h"
#include "snake_plant.h"

typedef struct rig {
    fa_robot     *robot;
    fa_variables  variables;
    void         *block, *self;
    double       *value, *direction;
    fa_state_row *row;
    fa_state_rows states;
} rig;

static fa_robot *random_snake(uint64_t *seed, int n, fa_snake_input input)
{
    fa_robot *robot = fa_robot_new_snake(n);
    strcpy(robot->name, "random");
    robot->tip_link = n - 1;
    robot->snake = (fa_snake_options){
        .input = input,
        .base = (int)random_in(seed, 0, n),
        .ground.wheel.width = 0.3,
        .motor = {.present = true, .resistance = 2, .torque_constant = 0.05, .back_emf = 0.05},
        .gait = {true, 0.5, 2, 0.7, 0.1, 0.3, 2, 0.1, INFINITY},
        .smoothing.smoothing = 0.2,
        .follower.bandwidth = 5,
        .pace.bandwidth = 5};
    if (n % 5 < 4) robot->outputs = FA_EXTRA_ENERGY;
    robot->snake.gait_inputs = input == FA_SNAKE_GAIT && n % 4 < 2;
    if (input == FA_SNAKE_PRESCRIBED) {
        robot->snake.n_prescribed = n > 2 ? 2 : 1;
        robot->snake.prescribed[0] = 1;
        robot->snake.prescribed[1] = n - 1;
    }
    for (int k = 0; k < n; k++) {
        fa_link *link = &robot->link[k];
        link->segment = (fa_segment){.length = random_in(seed, 0.15, 0.25),
                                     .ground.wheel.viscous = random_in(seed, 0.1, 0.5),
                                     .ground.wheel.coulomb = random_in(seed, 0.1, 0.5),
                                     .ground.grip.coefficient = random_in(seed, 0.3, 0.9)};
        // Errors would grow along long snakes whose wheels are off the middle.
        link->segment.wheel = link->segment.length * (n > 50 ? 0.5 : random_in(seed, 0.45, 0.55));
        link->mass = random_in(seed, 0.5, 2);
        link->com = vec3(random_in(seed, -0.04, 0.04), random_in(seed, -0.04, 0.04), 0);
        link->inertia.zz = random_in(seed, 0.005, 0.02);
        if (k == 0) continue;
        link->joint.friction.viscous = random_in(seed, 0.01, 0.1);
        link->joint.spring.stiffness = random_in(seed, 0.1, 1);
        link->joint.rotor.inertia = random_in(seed, 1e-6, 1e-5);
        link->joint.rotor.gear = random_in(seed, 10, 30);
        link->joint.stop.present = n % 2;
    }
    return robot;
}

static rig build(fa_robot *robot, uint64_t *seed)
{
    rig      r = {.robot = robot};
    fa_error error = {.message = ""};
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_plant_variables(&fa_snake_plant, robot, false, &r.variables, &r.block, &error) != FA_OK)
        fail_msg("%s", error.message);
    r.self = malloc(fa_snake_plant.size(robot));
    fa_snake_plant.prepare(r.self, robot, &r.variables);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    r.direction = calloc((size_t)r.variables.n, sizeof *r.direction);
    r.row = calloc((size_t)fa_variables_count(&r.variables, FA_STATE), sizeof *r.row);
    r.states = fa_variables_states(&r.variables, r.row);
    for (int row = 0; row < r.variables.n; row++) {
        const fa_role role = (fa_role)r.variables.row[row].role;
        const bool    any = role == FA_INPUT || role == FA_STATE || role == FA_TIME;
        r.value[row] = any ? random_in(seed, -0.7, 0.7) : r.variables.row[row].start;
    }
    if (fa_snake_plant.configure(r.self, r.value, &error) != FA_OK ||
        fa_snake_plant.evaluate(r.self, r.value, FA_GROUP_DERIVATIVES, &error) != FA_OK)
        fail_msg("%s", error.message);
    return r;
}

static void take_down(rig *r)
{
    free(r->row);
    free(r->direction);
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

static double size_of(int n, const double v[])
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

static double distance(int n, const double a[], const double b[])
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most / fmax(1e-300, fmax(size_of(n, a), size_of(n, b)));
}

// Every kind of input, any base, with stops and without; steps of a millisecond to a second.
static void the_equations_are_those_of_the_matrix(void **state)
{
    (void)state;
    uint64_t seed = 17;
    double   worst = 0, worst_product = 0;
    int      solved = 0;
    for (int trial = 0; trial < 200; trial++) {
        const fa_snake_input input = (fa_snake_input)(trial % FA_SNAKE_INPUT_COUNT);
        rig                  r = build(random_snake(&seed, 3 + trial % 19, input), &seed);
        const int            n = r.states.n;
        double              *J = malloc(sizeof(double) * (size_t)(2 * n * n + 5 * n));
        double              *A = J + n * n, *by_time = A + n * n, *b = by_time + n, *x = b + n;
        double              *product = x + n, *other = product + n;
        int                 *pivot = malloc((size_t)n * sizeof *pivot);
        fa_error             error = {.message = ""};
        assert_int_equal(fa_plant_jacobian(&fa_snake_plant, r.self, &r.states, r.value, NULL,
                                           r.direction, J, by_time, &error),
                         FA_OK);
        memcpy(other, by_time, (size_t)n * sizeof *other);
        assert_int_equal(fa_plant_jacobian(&fa_snake_plant, r.self, &r.states, r.value, NULL,
                                           r.direction, NULL, by_time, &error),
                         FA_OK);
        assert_memory_equal(other, by_time, (size_t)n * sizeof *other);

        for (int i = 0; i < n; i++) x[i] = random_in(&seed, -1, 1);
        fa_snake_plant.implicit->multiply(r.self, x, product);
        for (int i = 0; i < n; i++) {
            other[i] = 0;
            for (int j = 0; j < n; j++) other[i] += J[i * n + j] * x[j];
        }
        worst_product = fmax(worst_product, distance(n, product, other));

        const double sigma = 4 / random_in(&seed, 0.001, 0.1);
        for (int i = 0; i < n; i++) {
            b[i] = x[i] = random_in(&seed, -1, 1);
            for (int j = 0; j < n; j++) A[i * n + j] = (i == j) * sigma - J[i * n + j];
        }
        if (fa_lu_factor(n, A, pivot) && fa_snake_plant.implicit->factor(r.self, sigma)) {
            fa_lu_solve(n, A, pivot, b);
            fa_snake_plant.implicit->solve(r.self, x);
            worst = fmax(worst, distance(n, x, b));
            solved++;
        }
        free(pivot);
        free(J);
        take_down(&r);
    }
    print_message("solutions %.1e, products %.1e, %d solved\n", worst, worst_product, solved);
    assert_int_equal(solved, 200);
    // Rounding of both ways; a solution's may have grown by growth_most (snake_implicit.c), 1e6
    // times 2e-16.
    assert_true(worst_product < 1e-11);
    assert_true(worst < 2e-10);
}

// Whatever stops a step of a snake without stops would stop a thousand wheels' worth of them.
static void remarks_on_the_motion_have_no_indicator(void **state)
{
    (void)state;
    uint64_t seed = 5;
    rig      r = build(random_snake(&seed, 40, FA_SNAKE_GAIT), &seed);
    assert_int_equal(fa_variables_count(&r.variables, FA_INDICATOR), 0);
    assert_false(fa_plant_switches(&fa_snake_plant, &r.variables));
    assert_non_null(fa_snake_plant.note);
    take_down(&r);
}

// Bytes of an instance's plant and integrator per link.
static double bytes_per_link(int n)
{
    uint64_t seed = 6;
    rig      r = build(random_snake(&seed, n, FA_SNAKE_GAIT), &seed);
    double   bytes = (double)fa_snake_plant.size(r.robot) +
                   8. * (double)fa_integrate_work(r.states.n, fa_snake_plant.implicit);
    take_down(&r);
    return bytes / n;
}

static void memory_is_linear(void **state)
{
    (void)state;
    const double few = bytes_per_link(100), many = bytes_per_link(20000);
    print_message("%g and %g bytes a link\n", few, many);
    assert_true(many <= few);
    // Beyond so many states there is no matrix, whatever the plant.
    const int most = FA_MATRIX_STATES_MAX;
    assert_true(fa_integrate_work(most, NULL) > (size_t)2 * most * most);
    assert_true(fa_integrate_work(most + 1, NULL) ==
                fa_integrate_work(most + 1, &fa_snake_implicit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_equations_are_those_of_the_matrix),
        cmocka_unit_test(remarks_on_the_motion_have_no_indicator),
        cmocka_unit_test(memory_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
