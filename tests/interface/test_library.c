// forearm.h: rows in, rows out; nothing is allocated once a workspace is there; what is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failing_memory.h"
#include "forearm.h"
#include "random.h"
#include "test.h"

enum { N = 6, ROWS = 37 };

typedef struct rig {
    fa_robot     *robot;
    fa_workspace *workspace;
    double        q[ROWS * N], qd[ROWS * N], tau[ROWS * N], qdd[ROWS * N];
} rig;

static int begin(void **state)
{
    rig     *r = calloc(1, sizeof *r);
    fa_error error = fa_no_error();
    uint64_t seed = 1;
    *state = r;
    if (!r) return -1;
    r->robot = fa_robot_load("../resources/robots/puma560.xml", NULL, &error);
    r->workspace = r->robot ? fa_workspace_new(r->robot, 0, &error) : NULL;
    for (int i = 0; i < ROWS * N; i++) {
        r->q[i] = random_in(&seed, -3, 3);
        r->qd[i] = random_in(&seed, -2, 2);
        r->tau[i] = random_in(&seed, -20, 20);
    }
    return r->workspace && fa_robot_joints(r->robot) == N ? 0 : -1;
}

static int end(void **state)
{
    rig *r = *state;
    fa_workspace_free(r->workspace);
    fa_robot_free(r->robot);
    free(r);
    return 0;
}

static void inverse_undoes_forward(void **state)
{
    rig   *r = *state;
    double tau[ROWS * N];
    assert_int_equal(fa_forward(r->robot, r->workspace, ROWS, r->q, r->qd, r->tau, r->qdd), FA_OK);
    assert_int_equal(fa_inverse(r->robot, r->workspace, ROWS, r->q, r->qd, r->qdd, tau), FA_OK);
    // Rounding: the worst of them is 3e-12 of torques of 20 N m.
    for (int i = 0; i < ROWS * N; i++) assert_float_equal(tau[i], r->tau[i], 1e-9);
}

static void a_row_alone_has_the_bits_of_its_batch(void **state)
{
    rig   *r = *state;
    double one[N];
    fa_forward(r->robot, r->workspace, ROWS, r->q, r->qd, r->tau, r->qdd);
    for (int k = 0; k < ROWS; k++) {
        const double *q = r->q + k * N, *qd = r->qd + k * N, *tau = r->tau + k * N;
        fa_forward(r->robot, r->workspace, 1, q, qd, tau, one);
        assert_memory_equal(one, r->qdd + k * N, sizeof one);
    }
}

static void a_state_that_is_not_finite_disturbs_no_other(void **state)
{
    rig   *r = *state;
    double M[3 * N * N], alone[N * N], qdd[3 * N], q[3 * N];
    memcpy(q, r->q, sizeof q);
    q[N + 2] = NAN;
    assert_int_equal(fa_mass_matrix(r->robot, r->workspace, 3, q, M), FA_NOT_FINITE);
    assert_int_equal(fa_mass_matrix(r->robot, r->workspace, 1, q + 2 * N, alone), FA_OK);
    for (int i = 0; i < N * N; i++) assert_true(isnan(M[N * N + i]));
    assert_memory_equal(alone, M + 2 * N * N, sizeof alone);
    assert_int_not_equal(fa_forward(r->robot, r->workspace, 3, q, r->qd, r->tau, qdd), FA_OK);
    assert_true(isnan(qdd[N]) && isfinite(qdd[0]) && isfinite(qdd[2 * N]));
}

static void nothing_is_allocated_once_a_workspace_is_there(void **state)
{
    rig            *r = *state;
    static double   big[ROWS * N * 90], second[ROWS * N * N], third[ROWS * N * N];
    const double    wrench[6] = {1, 2, 3, 4, 5, 6}, payload[1] = {0.5};
    const double    gain[N] = {9, 9, 9, 9, 9, 9};
    fa_servos       servos = {gain, gain, gain};
    int             row, frame;
    fa_error        error = fa_no_error();
    const fa_robot *a = r->robot;
    fa_workspace   *w = r->workspace;
    const double   *q = r->q, *qd = r->qd, *tau = r->tau;
    assert_int_equal(fa_robot_find_parameter(a, "payload.mass", &row, &error), FA_OK);
    assert_int_equal(fa_robot_find_frame(a, "hand", &frame, &error), FA_OK);
    const long before = allocations;
    for (int turn = 0; turn < 20; turn++) {
        fa_forward(a, w, ROWS, q, qd, tau, r->qdd);
        fa_inverse(a, w, ROWS, q, qd, r->qdd, big);
        fa_bias(a, w, ROWS, q, qd, big);
        fa_gravity_torque(a, w, ROWS, q, big);
        fa_tip_torque(a, w, 1, q, wrench, big);
        fa_mass_matrix(a, w, ROWS, q, big);
        fa_coriolis_matrix(a, w, ROWS, q, qd, big);
        fa_link_regressor(a, w, ROWS, q, qd, r->qdd, big);
        fa_pose(a, w, ROWS, frame, q, big);
        fa_jacobian(a, w, ROWS, frame, q, big);
        fa_drift(a, w, ROWS, FA_TIP_FRAME, q, qd, big);
        fa_forward_derivatives(a, w, ROWS, q, qd, tau, NULL, big, second, third);
        fa_inverse_derivatives(a, w, 1, q, qd, tau, wrench, big, second, third);
        fa_parameter_derivatives(a, w, ROWS, q, qd, r->qdd, 1, &row, big);
        memcpy(second, q, sizeof r->q);
        memcpy(third, qd, sizeof r->qd);
        fa_fixed_steps(a, w, ROWS, FA_STEP_RK4, 2, 1e-3, NULL, tau, second, third);
        fa_fixed_steps(a, w, ROWS, FA_STEP_SEMI_IMPLICIT, 2, 1e-3, &servos, q, second, third);
        fa_workspace_set(w, 1, &row, payload, &error);
    }
    assert_int_equal(allocations, before);
}

static void a_workspace_stands_in_the_caller_s_memory(void **state)
{
    rig         *r = *state;
    const size_t size = fa_workspace_size(r->robot, 8);
    char        *block = malloc(size + 64);
    fa_error     error = fa_no_error();
    double       qdd[N], there[N];
    assert_non_null(block);
    char *at = block + (64 - (uintptr_t)block % 64) % 64;
    memset(at, 0x55, size);
    fa_workspace *w = fa_workspace_place(r->robot, 8, at, &error);
    assert_ptr_equal(w, at);
    fa_forward(r->robot, w, 1, r->q, r->qd, r->tau, there);
    fa_forward(r->robot, r->workspace, 1, r->q, r->qd, r->tau, qdd);
    assert_memory_equal(there, qdd, sizeof qdd);
    assert_null(fa_workspace_place(r->robot, 0, at + 8, &error));
    assert_non_null(strstr(error.message, "does not begin at a multiple of 64 bytes"));
    free(block);
}

static void a_workspace_answers_for_its_own_robot(void **state)
{
    rig      *r = *state;
    fa_error  error = fa_no_error();
    fa_robot *other = fa_robot_load("../resources/robots/puma560.xml", NULL, &error);
    double    qdd[N], M[N * N];
    assert_non_null(other);
    assert_int_equal(fa_forward(other, r->workspace, 1, r->q, r->qd, r->tau, qdd), FA_UNFIT);
    assert_int_equal(fa_mass_matrix(other, r->workspace, 1, r->q, M), FA_UNFIT);
    assert_true(isnan(qdd[0]) && isnan(M[0]));
    fa_robot_free(other);
}

static void derivatives_by_parameters_are_those_of_the_torques(void **state)
{
    rig        *r = *state;
    const char *name[] = {"payload.mass", "gravity.z", "link.hand.com.x",
                          "joint.elbow.rotor_inertia", "joint.elbow.viscous_friction"};
    enum { M = sizeof name / sizeof *name };
    const double at[M] = {1, -9.81, 0, 0.0002, 4}, move = 1e-6;
    int          row[M];
    double       by[N * M], up[N], down[N];
    fa_error     error = fa_no_error();
    for (int k = 0; k < M; k++)
        assert_int_equal(fa_robot_find_parameter(r->robot, name[k], &row[k], &error), FA_OK);
    assert_int_equal(fa_workspace_set(r->workspace, M, row, at, &error), FA_OK);
    fa_parameter_derivatives(r->robot, r->workspace, 1, r->q, r->qd, r->tau, M, row, by);
    for (int k = 0; k < M; k++) {
        double value = at[k] + move;
        assert_int_equal(fa_workspace_set(r->workspace, 1, &row[k], &value, &error), FA_OK);
        fa_inverse(r->robot, r->workspace, 1, r->q, r->qd, r->tau, up);
        value = at[k] - move;
        assert_int_equal(fa_workspace_set(r->workspace, 1, &row[k], &value, &error), FA_OK);
        fa_inverse(r->robot, r->workspace, 1, r->q, r->qd, r->tau, down);
        assert_int_equal(fa_workspace_set(r->workspace, 1, &row[k], &at[k], &error), FA_OK);
        // Differences lose the digits of torques of 1e3 N m over steps of 1e-6.
        for (int i = 0; i < N; i++)
            assert_float_equal(by[i * M + k], (up[i] - down[i]) / (2 * move),
                               1e-5 * (1 + fabs(by[i * M + k])));
    }
}

static void steps_of_both_kinds_come_to_the_same_motion(void **state)
{
    rig   *r = *state;
    double q[2][N], qd[2][N];
    for (int kind = 0; kind < 2; kind++) {
        const int method = kind ? FA_STEP_SEMI_IMPLICIT : FA_STEP_RK4, steps = kind ? 20000 : 200;
        for (int i = 0; i < N; i++) q[kind][i] = 0.3, qd[kind][i] = 0.1;
        assert_int_equal(fa_fixed_steps(r->robot, r->workspace, 1, (fa_step_method)method, steps,
                                        0.2 / steps, NULL, r->tau, q[kind], qd[kind]),
                         FA_OK);
    }
    // The semi-implicit method is of order one: 1e-5 s times speeds that change by some 100 rad/s2.
    for (int i = 0; i < N; i++) assert_float_equal(q[0][i], q[1][i], 1e-3);
}

static void what_is_refused_gets_a_sentence(void **state)
{
    rig            *r = *state;
    fa_error        error = fa_no_error();
    fa_load_options options = {.size = 1};
    int             row = -1;
    const double    much = -1;
    assert_null(fa_robot_load("../resources/robots/puma560.xml", &options, &error));
    assert_non_null(strstr(error.message, "the options of loading have another size"));
    assert_int_equal(fa_robot_find_frame(r->robot, "hant", &row, &error), FA_BAD_INPUT);
    assert_string_equal(error.message, "the robot has no link 'hant'; did you mean 'hand'?");
    assert_int_equal(fa_robot_find_parameter(r->robot, "joint.elbow.torque", &row, &error),
                     FA_BAD_INPUT);
    assert_string_equal(error.message,
                        "'joint.elbow.torque' is an input and no parameter of the robot");
    assert_int_equal(fa_robot_find_parameter(r->robot, "payload.mass", &row, &error), FA_OK);
    assert_int_equal(fa_workspace_set(r->workspace, 1, &row, &much, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "cannot be -1; forearm inspect --json lists the"));
    assert_null(fa_workspace_new(r->robot, -1, &error));
    assert_non_null(strstr(error.message, "-1 lanes are asked for"));
    const char *const file[] = {"serpenoid.xml", "patu655_lift_axis.xml"};
    for (int k = 0; k < 2; k++) {
        char path[128];
        snprintf(path, sizeof path, "../resources/robots/%s", file[k]);
        fa_robot *other = fa_robot_load(path, NULL, &error);
        assert_int_equal(fa_workspace_size(other, 0), 0);
        assert_null(fa_workspace_new(other, 0, &error));
        assert_non_null(strstr(error.message, "equations for many states are of robots of links"));
        fa_robot_free(other);
    }
}

// A delta robot: a free platform that three arms and six rods determine.
static void a_mechanism_has_guesses_for_what_loops_determine(void **state)
{
    (void)state;
    enum { Q = 10, MOST = 9 };
    const fa_load_options options = {.size = sizeof options,
                                     .actuators = "mechanisms/robots/delta.mechanism.xml"};
    // The first state of mechanisms/points/delta.json, its platform 1 mm beside.
    const double q[Q] = {0.0254, 0.0143, -0.68, 1, 0, 0, 0, 0.35, 0.4, 0.45};
    const double qd[MOST] = {9, 9, 9, 9, 9, 9, 0.3, -0.2, 0.1}; // the first six are not read
    double       closed[Q], rates[MOST], tau[MOST] = {0}, found[90 * MOST], again[90 * MOST],
                                   third[MOST * MOST], qdd[MOST];
    int          row, frame, positions, speeds;
    fa_error     error = fa_no_error();
    fa_robot    *a = fa_robot_load("mechanisms/robots/delta.urdf", &options, &error);
    const size_t size = a ? fa_workspace_size(a, 0) : 0;
    char        *block = malloc(size + 64);
    assert_true(a && block && size > 0);
    assert_int_equal(fa_robot_joints(a), 4);
    assert_true(fa_robot_positions(a) == Q && fa_robot_speeds(a) == MOST);
    fa_robot_joint_sizes(a, 0, &positions, &speeds);
    assert_true(positions == 7 && speeds == 6);
    fa_robot_joint_sizes(a, 4, &positions, &speeds);
    assert_true(positions == 0 && speeds == 0);
    char *at = block + (64 - (uintptr_t)block % 64) % 64;
    memset(at, 0x55, size);
    fa_workspace *w = fa_workspace_place(a, 0, at, &error);
    assert_ptr_equal(w, at);
    assert_int_equal(fa_robot_find_parameter(a, "payload.mass", &row, &error), FA_OK);
    assert_int_equal(fa_robot_find_frame(a, "platform", &frame, &error), FA_OK);
    const long before = allocations;
    for (int turn = 0; turn < 3; turn++) {
        const double payload[1] = {0.5}, wrench[6] = {1, 2, 3, 4, 5, 6};
        assert_int_equal(fa_close_loops(a, w, 1, q, qd, closed, rates), FA_OK);
        assert_int_equal(fa_forward(a, w, 1, q, qd, tau, qdd), FA_OK);
        assert_int_equal(fa_forward(a, w, 1, closed, rates, tau, found), FA_OK);
        // Both closings end within rounding of each other, of accelerations of 20 m/s^2.
        for (int i = 0; i < MOST; i++) assert_float_equal(found[i], qdd[i], 1e-10);
        assert_int_equal(fa_inverse(a, w, 1, q, qd, qdd, tau), FA_OK);
        for (int i = 0; i < MOST; i++) assert_float_equal(tau[i], 0, 1e-11);
        assert_int_equal(fa_bias(a, w, 1, q, qd, found), FA_OK);
        assert_int_equal(fa_gravity_torque(a, w, 1, q, found), FA_OK);
        assert_int_equal(fa_tip_torque(a, w, 1, q, wrench, found), FA_OK);
        assert_int_equal(fa_mass_matrix(a, w, 1, q, found), FA_OK);
        assert_int_equal(fa_coriolis_matrix(a, w, 1, q, qd, found), FA_OK);
        assert_int_equal(fa_link_regressor(a, w, 1, q, qd, qdd, found), FA_OK);
        assert_int_equal(fa_pose(a, w, 1, frame, q, found), FA_OK);
        assert_int_equal(fa_jacobian(a, w, 1, frame, q, found), FA_OK);
        assert_int_equal(fa_drift(a, w, 1, FA_TIP_FRAME, q, qd, found), FA_OK);
        assert_int_equal(fa_forward_derivatives(a, w, 1, q, qd, tau, wrench, found, again, third),
                         FA_OK);
        assert_int_equal(fa_inverse_derivatives(a, w, 1, q, qd, qdd, wrench, found, again, third),
                         FA_OK);
        assert_int_equal(fa_parameter_derivatives(a, w, 1, q, qd, qdd, 1, &row, found), FA_OK);
        assert_int_equal(fa_workspace_set(w, 1, &row, payload, &error), FA_OK);
        memset(tau, 0, sizeof tau);
    }
    assert_int_equal(allocations, before);
    assert_int_equal(fa_fixed_steps(a, w, 0, FA_STEP_RK4, 1, 1e-3, NULL, tau, NULL, NULL),
                     FA_UNFIT);
    free(block);
    fa_robot_free(a);
}

static void a_base_may_be_free_and_a_choice_of_states_another(void **state)
{
    (void)state;
    const fa_load_options freed = {.size = sizeof freed, .base = FA_LOAD_BASE_FREE};
    const fa_load_options other = {
        .size = sizeof other, .base = FA_LOAD_BASE_FIXED, .independent = "crnk"};
    fa_error  error = fa_no_error();
    fa_robot *robot = fa_robot_load("../resources/robots/puma560.xml", &freed, &error);
    assert_non_null(robot);
    assert_true(fa_robot_joints(robot) == 7 && fa_robot_positions(robot) == 13);
    assert_string_equal(fa_robot_joint_name(robot, 0), "root_joint");
    fa_robot_free(robot);
    assert_null(fa_robot_load("mechanisms/robots/four_bar.urdf", &other, &error));
    assert_non_null(strstr(error.message, "there is no joint 'crnk' that moves"));
}

static void options_and_texts_are_heeded(void **state)
{
    (void)state;
    const fa_load_lock    lock = {"elbow", 0.5};
    const fa_load_options options = {
        .size = sizeof options, .tip = "hand", .lock = &lock, .n_locks = 1};
    fa_error  error = fa_no_error();
    fa_robot *robot = fa_robot_load("../resources/robots/puma560.xml", &options, &error);
    assert_non_null(robot);
    assert_int_equal(fa_robot_joints(robot), 5);
    assert_string_equal(fa_robot_joint_name(robot, 2), "wrist_roll");
    assert_string_equal(fa_robot_joint_link(robot, 2), "wrist");
    assert_null(fa_robot_joint_name(robot, 5));
    assert_null(fa_robot_joint_link(robot, 5));
    assert_true(isinf(fa_robot_joint_limits(robot, 5).upper));
    assert_float_equal(fa_robot_joint_limits(robot, 0).upper, 2.792526803190927, 0);
    fa_robot_free(robot);
    const char text[] = "<robot name='r'><link name='a'/></robot>";
    robot = fa_robot_read(text, sizeof text - 1, "text", NULL, &error);
    assert_non_null(robot);
    assert_null(fa_workspace_new(robot, 0, &error));
    assert_non_null(strstr(error.message, "none of its joints moves"));
    fa_robot_free(robot);
    assert_null(fa_robot_read("<robot", 6, "text", NULL, &error));
    assert_string_equal(fa_status_name(FA_NOT_FINITE), "FA_NOT_FINITE");
    assert_string_equal(fa_status_name((fa_status)99), "no status");
    assert_true(strchr(fa_version(), '.') != NULL);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest cases[] = {
        CASE(inverse_undoes_forward),
        CASE(a_row_alone_has_the_bits_of_its_batch),
        CASE(a_state_that_is_not_finite_disturbs_no_other),
        CASE(nothing_is_allocated_once_a_workspace_is_there),
        CASE(a_workspace_stands_in_the_caller_s_memory),
        CASE(a_workspace_answers_for_its_own_robot),
        CASE(derivatives_by_parameters_are_those_of_the_torques),
        CASE(steps_of_both_kinds_come_to_the_same_motion),
        CASE(what_is_refused_gets_a_sentence),
        CASE(a_mechanism_has_guesses_for_what_loops_determine),
        CASE(a_base_may_be_free_and_a_choice_of_states_another),
        CASE(options_and_texts_are_heeded),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
