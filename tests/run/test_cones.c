// A ball joint's cone against closed forms: where a pendulum comes to rest in it, what a spherical
// pendulum keeps in it, and what an elastic and a damped cone do to the energy.
#include <math.h>
#include <stdio.h>

#include "run_help.h"
#include "simulation.h"

static const double MASS = 2, LENGTH = 0.6, G = 9.81, CONE = 0.5, STIFFNESS = 200;

static fa_robot *pendulum(double damping, fa_vec3 gravity)
{
    fa_robot *robot = fa_robot_new(2);
    fa_link  *bob = &robot->link[1];
    assert_non_null(robot);
    strcpy(robot->name, "pendulum");
    strcpy(robot->link[0].name, "base");
    strcpy(bob->name, "bob");
    strcpy(bob->joint.name, "pivot");
    bob->parent = 0;
    bob->joint.type = FA_SPHERICAL;
    bob->mass = MASS;
    bob->com = vec3(0, 0, -LENGTH);
    bob->inertia = (fa_sym3){0.02, 0.02, 0.01, 0, 0, 0};
    bob->joint.cone = (fa_cone_data){true, CONE, STIFFNESS, damping};
    bob->joint.cone_axis = vec3(0, 0, 1);
    robot->gravity = gravity;
    robot->tip_link = 1;
    robot->outputs = FA_EXTRA_ENERGY;
    fa_error error = fa_no_error();
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

static double *named(fa_state *state, const char *name)
{
    const int row = fa_variables_find(&state->table, name);
    if (row == FA_NO_ROW) fail_msg("no %s", name);
    return &state->value[row];
}

static double read(fa_state *state, const char *name)
{
    return *named(state, name);
}

static double angle_of(fa_state *state)
{
    const double x = read(state, "joint.pivot.quaternion.x");
    const double y = read(state, "joint.pivot.quaternion.y");
    return 2 * asin(sqrt(x * x + y * y));
}

// Moves it on in pieces, and asks after each of them.
static void swing(fa_state *state, double end, int pieces, void (*ask)(fa_state *, void *),
                  void *what)
{
    fa_error      error = fa_no_error();
    fa_schedule   schedule = {0};
    fa_simulation run;
    *named(state, "solver_tolerance") = 1e-11;
    if (fa_simulation_new(state, &schedule, &run, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_simulation_begin(&run, 0, &error) != FA_OK) fail_msg("%s", error.message);
    for (int i = 1; i <= pieces; i++) {
        const double t = end * i / pieces;
        if (fa_simulation_advance(&run, t, &error) != FA_OK) fail_msg("%s", error.message);
        if (fa_simulation_show(&run, t, run.x, FA_GROUP_ALL, &error) != FA_OK)
            fail_msg("%s", error.message);
        ask(state, what);
    }
    fa_simulation_free(&run);
}

static void nothing(fa_state *state, void *what)
{
    (void)state;
    (void)what;
}

// stiffness (angle - cone) = m g l sin(angle between the pendulum and gravity)
static void it_rests_where_spring_and_weight_are_equal(void **unused)
{
    (void)unused;
    const double down = 1.2; // gravity's direction, away from the cone's axis
    fa_robot    *robot =
        pendulum(40, vec3(-G * sin(down) * 0.6, -G * sin(down) * 0.8, -G * cos(down)));
    fa_state state = state_of(robot);
    fa_error error = fa_no_error();
    *named(&state, "joint.pivot.viscous_friction") = 8;
    if (fa_state_begin(&state, &error) != FA_OK) fail_msg("%s", error.message);
    swing(&state, 20, 1, nothing, NULL);
    double low = CONE, high = down;
    for (int i = 0; i < 100; i++) {
        const double a = 0.5 * (low + high);
        if (STIFFNESS * (a - CONE) < MASS * G * LENGTH * sin(down - a))
            low = a;
        else
            high = a;
    }
    // What is left of the motion after 20 s of decay, and quaternions at the solver's tolerance.
    assert_true(fabs(angle_of(&state) - low) < 1e-8);
    assert_true(read(&state, "joint.pivot.stop") == 1);
    // It leans the way that gravity pulls: about the axis (0.8, -0.6, 0) times -1 or 1.
    const double x = read(&state, "joint.pivot.quaternion.x");
    const double y = read(&state, "joint.pivot.quaternion.y");
    assert_true(fabs(0.6 * x + 0.8 * y) < 1e-8);
    fa_state_free(&state);
    free(robot);
}

typedef struct kept {
    double energy, spin, worst_energy, worst_spin;
    int    touched;
    double rising, loss;
} kept;

// Turned by the quaternion p from the child's axes, or back.
static fa_vec3 turned(const double p[4], fa_vec3 v, bool back)
{
    const fa_vec3 u = vec3_scale(back ? -1 : 1, vec3(p[1], p[2], p[3]));
    const fa_vec3 t = vec3_scale(2, cross(u, v));
    return vec3_add(v, vec3_add(vec3_scale(p[0], t), cross(u, t)));
}

// Angular momentum about the vertical axis of the cone, that nothing turns about.
static double spin_of(fa_state *state)
{
    const double *p = named(state, "joint.pivot.quaternion.w");
    const double *w = named(state, "joint.pivot.angular_velocity.x");
    const fa_vec3 own = turned(p, vec3(w[0], w[1], w[2]), true);
    const double  about = 0.02 + MASS * LENGTH * LENGTH;
    return turned(p, vec3(about * own.x, about * own.y, 0.01 * own.z), false).z;
}

static double energy_of(fa_state *state)
{
    return read(state, "energy.kinetic") + read(state, "energy.potential");
}

static void ask_what_is_kept(fa_state *state, void *what)
{
    kept        *k = what;
    const double loss = read(state, "energy.stop_loss");
    k->touched += read(state, "joint.pivot.stop") == 1;
    k->worst_energy = fmax(k->worst_energy, fabs(energy_of(state) - k->energy));
    k->worst_spin = fmax(k->worst_spin, fabs(spin_of(state) - k->spin));
    k->rising = fmax(k->rising, k->loss - loss);
    k->loss = loss;
}

static void begin(fa_state *state)
{
    *named(state, "joint.pivot.initial_angular_velocity.x") = 3;
    *named(state, "joint.pivot.initial_angular_velocity.y") = -1;
    *named(state, "joint.pivot.initial_angular_velocity.z") = 2;
    *named(state, "joint.pivot.initial_quaternion.w") = cos(0.1);
    *named(state, "joint.pivot.initial_quaternion.x") = sin(0.1);
    fa_error error = fa_no_error();
    if (fa_state_begin(state, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_state_evaluate(state, FA_GROUP_ALL, &error) != FA_OK) fail_msg("%s", error.message);
}

static void an_elastic_cone_keeps_energy_and_spin(void **unused)
{
    (void)unused;
    fa_robot *robot = pendulum(0, vec3(0, 0, -G));
    fa_state  state = state_of(robot);
    kept      k = {0};
    begin(&state);
    k.energy = energy_of(&state);
    k.spin = spin_of(&state);
    swing(&state, 5, 200, ask_what_is_kept, &k);
    assert_true(k.touched > 20 && k.touched < 180);
    // Thousands of steps with errors of 1e-11 of what has the size 10 and 2.
    assert_true(k.worst_energy < 1e-8);
    assert_true(k.worst_spin < 1e-9);
    fa_state_free(&state);
    free(robot);
}

static void a_damped_cone_accounts_for_what_it_takes(void **unused)
{
    (void)unused;
    fa_robot *robot = pendulum(3, vec3(0, 0, -G));
    fa_state  state = state_of(robot);
    kept      k = {0};
    begin(&state);
    swing(&state, 5, 200, ask_what_is_kept, &k);
    assert_true(k.touched > 10);
    assert_true(k.loss > 1);        // of the 4 J at the start
    assert_true(k.rising <= 1e-12); // nothing comes back
    assert_true(fabs(read(&state, "energy.residual")) < 1e-8);
    fa_state_free(&state);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_rests_where_spring_and_weight_are_equal),
        cmocka_unit_test(an_elastic_cone_keeps_energy_and_spin),
        cmocka_unit_test(a_damped_cone_accounts_for_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
