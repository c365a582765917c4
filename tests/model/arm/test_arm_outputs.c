// Outputs on request: forces in joints and at the base, the Jacobian, the mass matrix. Their
// derivatives are in test_arm.c.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "closed_form.h"
#include "random.h"

typedef struct rig {
    fa_robot       *robot;
    const fa_plant *plant;
    fa_variables    variables;
    void           *block, *self;
    double         *value;
} rig;

static rig rig_of(fa_robot *robot, const char *plant)
{
    rig      r = {.robot = robot};
    fa_error error = fa_no_error();
    strcpy(robot->plant, plant);
    robot->outputs = FA_EXTRA_ALL;
    r.plant = fa_plant_find(plant);
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_plant_variables(r.plant, robot, false, &r.variables, &r.block, &error) != FA_OK)
        fail_msg("%s", error.message);
    r.self = malloc(r.plant->size(robot));
    r.plant->prepare(r.self, robot, &r.variables);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    for (int row = 0; row < r.variables.n; row++) r.value[row] = r.variables.row[row].start;
    return r;
}

static void take_down(rig *r)
{
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

static double *at(const rig *r, const char *name)
{
    int row = fa_variables_find(&r->variables, name);
    if (row == FA_NO_ROW) fail_msg("no %s", name);
    return r->value + row;
}

static void evaluate(rig *r)
{
    fa_error error = fa_no_error();
    if (r->plant->configure(r->self, r->value, &error) != FA_OK) fail_msg("%s", error.message);
    if (r->plant->evaluate(r->self, r->value, FA_GROUP_ALL, &error) != FA_OK)
        fail_msg("%s", error.message);
}

static void move_at_random(rig *r, uint64_t *seed)
{
    for (int row = r->variables.first[FA_INPUT]; row < r->variables.first[FA_OUTPUT]; row++)
        r->value[row] = random_in(seed, -3, 3);
    evaluate(r);
}

static void same_vectors(const double got[], fa_vec3 want, double size)
{
    const double w[3] = {want.x, want.y, want.z};
    for (int i = 0; i < 3; i++) // rounding: a few hundred sums and products of that size
        if (!(fabs(got[i] - w[i]) <= 1e-13 * size)) fail_msg("%.17g is not %.17g", got[i], w[i]);
}

// Grigorov's closed form, which knows neither fixed joints nor variables, from the same motion.
static void forces_in_joints_are_those_of_the_closed_form(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 60; trial++) {
        int n = 1 + trial % 6;
        rig r = rig_of(random_robot(&seed, n, trial % 2 ? RANDOM_BRANCHED : 0),
                       trial % 4 < 2 ? "arm" : "inverse");
        move_at_random(&r, &seed);
        const fa_arm *arm = r.self;
        fa_wrench     reaction[6];
        void         *work = malloc(fa_method_find("closed-form")->work_size(&arm->chain));
        fa_load       load = {fa_arm_loads(arm, r.value) ? arm->wrench : NULL};
        assert_int_equal(fa_joint_reactions(&arm->chain, r.value + arm->row[FA_ARM_POSITION],
                                            r.value + arm->row[FA_ARM_VELOCITY],
                                            r.value + arm->row[FA_ARM_ACCELERATION], &load,
                                            reaction, work),
                         FA_OK);
        double size = 1;
        for (int i = 0; i < n; i++)
            size = fmax(size, vec3_norm(reaction[i].force) + vec3_norm(reaction[i].moment));
        fa_wrench base = {{0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < n; i++) { // the moving joints: joint1, joint3, …
            char name[64];
            snprintf(name, sizeof name, "joint.joint%d.reaction.force.x", 2 * i + 1);
            same_vectors(at(&r, name), reaction[i].force, size);
            same_vectors(at(&r, name) + 3, reaction[i].moment, size);
            if (arm->body[i].parent == FA_WORLD)
                base = wrench_add(base, to_parent(arm->motion[i].X, reaction[i]));
        }
        // The base, at the world's origin, also holds what is bolted to it.
        for (int i = 0; i < r.robot->n_links; i++) {
            int          fixed = i;
            fa_transform pose = transform_identity();
            for (; fixed != FA_WORLD && r.robot->link[fixed].joint.type == FA_FIXED;
                 fixed = r.robot->link[fixed].parent)
                pose = transform_compose(transform_compose(r.robot->link[fixed].joint.origin,
                                                           r.robot->link[fixed].frame),
                                         pose);
            if (fixed != FA_WORLD) continue;
            fa_vec3 weight = vec3_scale(-r.robot->link[i].mass, r.robot->gravity);
            fa_vec3 com = point_to_parent(pose, r.robot->link[i].com);
            base = wrench_add(base, (fa_wrench){cross(com, weight), weight});
        }
        if (arm->tip_body == FA_WORLD) { // and what acts on the tip
            const double *f = r.value + arm->row[FA_ARM_TIP_WRENCH];
            fa_vec3       force = {f[0], f[1], f[2]}, torque = {f[3], f[4], f[5]};
            torque = vec3_add(torque, cross(arm->tip_frame.r, force));
            base = wrench_sub(base, (fa_wrench){torque, force});
        }
        size += vec3_norm(base.force) + vec3_norm(base.moment);
        same_vectors(at(&r, "base.reaction.force.x"), base.force, size);
        same_vectors(at(&r, "base.reaction.torque.x"), base.moment, size);
        free(work);
        take_down(&r);
    }
}

// A pedestal, a turning post, and on it, behind a fixed joint, a hanging weight.
static fa_robot *weighing_machine(void)
{
    fa_robot *robot = fa_robot_new(3);
    strcpy(robot->name, "scales");
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"pedestal", "post", "weight"};
        strcpy(robot->link[i].name, name[i]);
        robot->link[i].parent = i - 1;
        robot->link[i].mass = (double)(i + 1);
        robot->link[i].inertia = (fa_sym3){1, 1, 1, 0, 0, 0};
        robot->link[i].joint.origin.r = vec3(0, 0, i);
    }
    strcpy(robot->link[1].joint.name, "turn");
    strcpy(robot->link[2].joint.name, "sensor");
    robot->link[1].joint.type = FA_REVOLUTE;
    robot->link[2].com = vec3(0.5, 0, 0);
    robot->tip_link = 2;
    robot->tip.r = vec3(0.5, 0, 0);
    return robot;
}

static void a_fixed_joint_weighs_what_hangs_on_it(void **state)
{
    (void)state;
    rig    r = rig_of(weighing_machine(), "arm");
    double g = 9.81, w = 2;
    *at(&r, "joint.turn.velocity") = w;
    *at(&r, "tip.force.z") = 10;
    evaluate(&r);
    // Upwards, but for the force at the tip; inwards, along the sensor's own x.
    same_vectors(at(&r, "joint.sensor.reaction.force.x"), vec3(-3 * w * w * 0.5, 0, 3 * g - 10),
                 100);
    same_vectors(at(&r, "joint.sensor.reaction.torque.x"), vec3(0, -0.5 * (3 * g - 10), 0), 100);
    same_vectors(at(&r, "joint.turn.reaction.force.x"), vec3(-3 * w * w * 0.5, 0, 5 * g - 10), 100);
    // In the world the post stands where it started; the ground also carries the pedestal.
    same_vectors(at(&r, "base.reaction.force.x"), vec3(-3 * w * w * 0.5, 0, 6 * g - 10), 100);
    same_vectors(at(&r, "base.reaction.torque.x"),
                 vec3(0, -0.5 * (3 * g - 10) - 3 * 3 * w * w * 0.5, 0), 100);
    take_down(&r);
}

// The base's origin, not the world's, is what its torque is taken about.
static void a_base_elsewhere_feels_the_same(void **state)
{
    (void)state;
    fa_robot *robot = weighing_machine();
    robot->link[0].joint.origin.r = vec3(7, -8, 9);
    rig here = rig_of(weighing_machine(), "arm"), there = rig_of(robot, "arm");
    evaluate(&here);
    evaluate(&there);
    const double *a = at(&here, "base.reaction.force.x"), *b = at(&there, "base.reaction.force.x");
    for (int i = 0; i < 6; i++) assert_true(fabs(a[i] - b[i]) < 1e-12); // rounding of 8 m at 60 N
    take_down(&here);
    take_down(&there);
}

static void a_robot_that_cannot_move_weighs_something(void **state)
{
    (void)state;
    fa_robot *robot = weighing_machine();
    robot->link[1].joint.type = FA_FIXED;
    rig r = rig_of(robot, "arm");
    *at(&r, "payload.mass") = 4;
    *at(&r, "tip.force.y") = 1;
    evaluate(&r);
    same_vectors(at(&r, "joint.sensor.reaction.force.x"), vec3(0, -1, 7 * 9.81), 100);
    same_vectors(at(&r, "base.reaction.force.x"), vec3(0, -1, 10 * 9.81), 100);
    take_down(&r);
}

// v = J qd; the torque that a wrench at the tip takes is -J^T wrench; T = qd M qd / 2.
static void matrices_do_what_they_stand_for(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 60; trial++) {
        rig r = rig_of(
            random_robot(&seed, 1 + trial % 6, trial % 3 ? RANDOM_BRANCHED | RANDOM_COUPLED : 0),
            "inverse");
        move_at_random(&r, &seed);
        const fa_arm *arm = r.self;
        int           n = arm->chain.n_coordinates;
        const double *J = r.value + arm->row[FA_ARM_JACOBIAN];
        const double *M = r.value + arm->row[FA_ARM_MASS_MATRIX];
        const double *qd = r.value + arm->row[FA_ARM_VELOCITY];
        const double *v = r.value + arm->row[FA_ARM_TIP_VELOCITY];
        double        size = 1, twice = 0;
        for (int i = 0; i < 6; i++) size = fmax(size, fabs(v[i]));
        for (int i = 0; i < 6; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += J[i * n + j] * qd[j];
            assert_true(fabs(sum - v[i]) <= 1e-13 * size); // rounding
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) twice += qd[i] * M[i * n + j] * qd[j];
        double kinetic = *at(&r, "energy.kinetic");
        assert_true(fabs(0.5 * twice - kinetic) <= 1e-12 * (1 + kinetic)); // rounding

        double  loaded[6], transposed[6] = {0}, largest = 1;
        double *torque = r.value + arm->row[FA_ARM_TORQUE];
        double *wrench = r.value + arm->row[FA_ARM_TIP_WRENCH];
        memcpy(loaded, torque, (size_t)n * sizeof *loaded);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < n; j++) transposed[j] += J[i * n + j] * wrench[i];
        memset(wrench, 0, 6 * sizeof *wrench);
        evaluate(&r);
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(loaded[j]));
        for (int j = 0; j < n; j++)
            assert_true(fabs(loaded[j] - torque[j] + transposed[j]) <= 1e-12 * largest); // rounding
        take_down(&r);
    }
}

static void what_nobody_asked_for_is_not_there(void **state)
{
    (void)state;
    fa_error  error = fa_no_error();
    fa_robot *robot = weighing_machine();
    assert_int_equal(fa_robot_set_outputs(robot, "jacobian", &error), FA_OK);
    assert_int_equal(fa_robot_set_outputs(robot, "mass-matrix,jacobian", &error), FA_OK);
    assert_int_equal(robot->outputs, FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX);
    assert_int_equal(fa_robot_set_outputs(robot, "jacobian,", &error), FA_UNFIT);
    assert_int_equal(fa_robot_set_outputs(robot, "reaction", &error), FA_UNFIT);
    assert_string_equal(error.message,
                        "there are no outputs 'reaction'; take some of reactions, "
                        "jacobian, mass-matrix, poses, energy and work, separated by commas");
    fa_variables variables;
    void        *block;
    // What has been changed has to be checked anew.
    assert_int_equal(fa_plant_variables(&fa_arm_plant, robot, false, &variables, &block, &error),
                     FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "has not been held against the rules on robots"));
    assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
    assert_int_equal(fa_plant_variables(&fa_arm_plant, robot, false, &variables, &block, &error),
                     FA_OK);
    assert_int_equal(fa_variables_find(&variables, "base.reaction.force.x"), FA_NO_ROW);
    assert_int_not_equal(fa_variables_find(&variables, "mass_matrix.turn.turn"), FA_NO_ROW);
    assert_int_not_equal(fa_variables_find(&variables, "tip.jacobian.velocity.x.turn"), FA_NO_ROW);
    free(block);
    free(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_in_joints_are_those_of_the_closed_form),
        cmocka_unit_test(a_fixed_joint_weighs_what_hangs_on_it),
        cmocka_unit_test(a_base_elsewhere_feels_the_same),
        cmocka_unit_test(a_robot_that_cannot_move_weighs_something),
        cmocka_unit_test(matrices_do_what_they_stand_for),
        cmocka_unit_test(what_nobody_asked_for_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
