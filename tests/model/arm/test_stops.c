// Stops make no energy: whatever arm meets one of its stops, however deep it is found there, the
// event leaves as much energy in motion, position and stop as there was.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "plant.h"
#include "random.h"
#include "test.h"

typedef struct rig {
    fa_robot    *robot;
    fa_variables table;
    void        *block, *self;
    double      *value;
} rig;

static void give_stops(uint64_t *seed, fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        joint->limit.lower = -1;
        joint->limit.upper = 1;
        joint->initial_position = joint->initial_velocity = 0;
        joint->stop = (fa_stop_data){true, pow(10, random_in(seed, 2, 9)), 0};
        joint->lock.present = random_in(seed, 0, 1) < 0.3;
    }
}

static rig build_with(uint64_t *seed, int joints, unsigned kind, int outputs)
{
    rig      r = {.robot = random_robot(seed, joints, kind)};
    fa_error error = fa_no_error();
    give_stops(seed, r.robot);
    r.robot->outputs = outputs;
    if (fa_robot_check(r.robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_plant_variables(&fa_arm_plant, r.robot, false, &r.table, &r.block, &error),
                     FA_OK);
    r.self = malloc(fa_arm_plant.size(r.robot));
    r.value = calloc((size_t)r.table.n, sizeof *r.value);
    assert_true(r.self && r.value);
    fa_arm_plant.prepare(r.self, r.robot, &r.table);
    for (int row = 0; row < r.table.n; row++) r.value[row] = r.table.row[row].start;
    return r;
}

static rig build(uint64_t *seed, int joints, unsigned kind)
{
    return build_with(seed, joints, kind, FA_EXTRA_ENERGY);
}

static void take_down(rig *r)
{
    free(r->value);
    free(r->self);
    free(r->block);
    free(r->robot);
}

static double *at(rig *r, const char *name)
{
    const int row = fa_variables_find(&r->table, name);
    if (row == FA_NO_ROW) fail_msg("no %s", name);
    return &r->value[row];
}

static double *of_joint(rig *r, int link, const char *what)
{
    char segment[FA_NAME_SIZE + 1], name[2 * FA_NAME_SIZE];
    fa_variable_segment(r->robot->link[link].joint.name, segment, sizeof segment);
    (void)snprintf(name, sizeof name, "joint.%s.%s", segment, what);
    return at(r, name);
}

static double energy_of(rig *r)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_arm_plant.evaluate(r->self, r->value, FA_GROUP_ALL, &error), FA_OK);
    return *at(r, "energy.kinetic") + *at(r, "energy.potential");
}

static void update(rig *r, bool initial)
{
    fa_error error = fa_no_error();
    fa_event event = {.initial = initial, .again = true};
    for (int i = 0; event.again; i++) {
        assert_true(i < 10);
        (void)energy_of(r);
        event.initial = initial && i == 0;
        assert_int_equal(fa_arm_plant.event(r->self, r->value, &event, &error), FA_OK);
    }
}

static void no_stop_makes_energy_where_it_is_met(void **state)
{
    (void)state;
    uint64_t seed = 23;
    int      met = 0, crept = 0;
    for (int trial = 0; trial < 2000; trial++) {
        rig r = build(&seed, 1 + trial % 7, trial % 3 == 0 ? RANDOM_BRANCHED | RANDOM_COUPLED : 0);
        for (int i = 0; i < r.robot->n_links; i++) // some stand still, whatever happens
            if (r.robot->link[i].joint.lock.present && random_in(&seed, 0, 1) < 0.5)
                *of_joint(&r, i, "lock") = 1;
        update(&r, true);
        int hit = FA_NOBODY;
        for (int i = 0; i < r.robot->n_links; i++) {
            const fa_joint *joint = &r.robot->link[i].joint;
            if (!fa_joint_is_free(joint) || (joint->lock.present && *of_joint(&r, i, "lock") != 0))
                continue;
            *of_joint(&r, i, "position") = random_in(&seed, -0.9, 0.9);
            *of_joint(&r, i, "velocity") = random_in(&seed, -2, 2);
            if (hit == FA_NOBODY || random_in(&seed, 0, 1) < 0.3) hit = i;
        }
        if (hit != FA_NOBODY) {
            const double side = random_in(&seed, -1, 1) < 0 ? -1 : 1;
            const double depth = pow(10, random_in(&seed, -8.9, -3));
            double      *q = of_joint(&r, hit, "position"), *qd = of_joint(&r, hit, "velocity");
            *q = side * (1 + depth);
            *qd = side * pow(10, random_in(&seed, -6, 1));
            const double before = energy_of(&r), kinetic = *at(&r, "energy.kinetic");
            update(&r, false);
            assert_true(*of_joint(&r, hit, "stop") == side);
            const double after = energy_of(&r), loss = *at(&r, "energy.stop_loss");
            // Sums of some tens of products that are rounded.
            const double size = kinetic + fabs(*at(&r, "energy.potential")) + fabs(before);
            assert_true(fabs(after + loss - before) <= 1e-13 * size);
            assert_true(loss <= 0); // what a joint that creeps had too little of
            assert_true(*qd * side >= -1e-12);
            met += loss == 0;
            crept += loss < 0;
            if (loss < 0) assert_true(fabs(*qd) < 1e-6); // it had no more to give
        }
        take_down(&r);
    }
    assert_true(met > 700 && crept > 100);
}

// What an event does to the motion, it does without accounts of energy too.
static void accounts_change_no_motion(void **state)
{
    (void)state;
    uint64_t seed = 29;
    int      met = 0;
    for (int trial = 0; trial < 500; trial++) {
        uint64_t same = seed;
        rig      r[2] = {build_with(&seed, 1 + trial % 5, 0, FA_EXTRA_ENERGY),
                         build_with(&same, 1 + trial % 5, 0, 0)};
        for (int k = 0; k < 2; k++) {
            update(&r[k], true);
            for (int i = 0; i < r[k].robot->n_links; i++) {
                if (!fa_joint_is_free(&r[k].robot->link[i].joint)) continue;
                uint64_t own = seed + (uint64_t)i;
                *of_joint(&r[k], i, "position") =
                    random_in(&own, -1, 1) < 0.3 ? -1 - 1e-6 : 1 + 1e-5;
                *of_joint(&r[k], i, "velocity") = random_in(&own, -2, 2);
            }
            update(&r[k], false);
        }
        for (int i = 0; i < r[0].robot->n_links; i++) {
            if (!fa_joint_is_free(&r[0].robot->link[i].joint)) continue;
            static const char *const what[] = {"position", "velocity", "stop"};
            for (int w = 0; w < 3; w++)
                assert_true(*of_joint(&r[0], i, what[w]) == *of_joint(&r[1], i, what[w]));
            met += *of_joint(&r[0], i, "stop") != 0;
        }
        take_down(&r[0]);
        take_down(&r[1]);
    }
    assert_true(met > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stop_makes_energy_where_it_is_met),
        cmocka_unit_test(accounts_change_no_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
