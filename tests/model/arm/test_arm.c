// The plants "arm" and "inverse": their tables, payloads, short cuts, and each as the other's
// inverse.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "plant.h"
#include "plant_rig.h"

// Every third arm has motors. Their coils are not felt: an inverse would need a torque's rate.
static fa_robot *undone(uint64_t *seed, int trial, const char *plant)
{
    fa_robot *robot = rig_arm(seed, 1 + trial % 8, RIG_KINDS[trial / 8 % 4], plant);
    if (trial % 3 != 1) return robot;
    rig_give_motors(robot);
    for (int i = 0; i < robot->n_links; i++) robot->link[i].joint.motor.inductance = 0;
    return robot;
}

// The torques and voltages that an inverse gives cause the accelerations that it was asked for.
static void an_inverse_undoes_an_arm(void **state)
{
    (void)state;
    uint64_t seed = 8, again;
    double   worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        again = seed;
        rig inverse = rig_build(undone(&seed, trial, "inverse"));
        rig arm = rig_build(undone(&again, trial, "arm"));
        rig_shake(&inverse, &seed);
        rig_evaluate(&inverse, inverse.value);
        for (int row = FA_COMMON_ROWS; row < arm.variables.n; row++) {
            int other = fa_variables_find(&inverse.variables, arm.variables.row[row].name);
            if (rig_knows(&arm.variables.row[row]) && other != FA_NO_ROW)
                arm.value[row] = inverse.value[other];
        }
        rig_evaluate(&arm, arm.value);
        for (int row = arm.variables.first[FA_STATE]; row < arm.variables.n; row++) {
            int other = fa_variables_find(&inverse.variables, arm.variables.row[row].name);
            if (other == FA_NO_ROW) continue; // the accounts of energy
            double expected = inverse.value[other];
            worst = fmax(worst, fabs(arm.value[row] - expected) / (1 + fabs(expected)));
        }
        rig_take_down(&arm);
        rig_take_down(&inverse);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-10); // rounding times the condition of the mass matrix
}

static void names_are_those_of_the_contract(void **state)
{
    (void)state;
    static const char *const name[] = {"solver",
                                       "solver_step",
                                       "solver_tolerance",
                                       "gravity.z",
                                       "joint.joint1.initial_position",
                                       "joint.joint1.viscous_friction",
                                       "joint.joint1.coulomb_friction_negative",
                                       "joint.joint1.rotor_inertia",
                                       "joint.joint1.gear_ratio",
                                       "joint.joint1.stiffness",
                                       "link.link1.mass",
                                       "link.link2.com.y",
                                       "link.link1.inertia.xz",
                                       "payload.mass",
                                       "payload.com.x",
                                       "payload.inertia.yz",
                                       "joint.joint1.torque",
                                       "tip.force.x",
                                       "tip.torque.z",
                                       "link.link1.force.y",
                                       "joint.joint3.position",
                                       "joint.joint3.velocity",
                                       "joint.joint3.acceleration",
                                       "tip.x",
                                       "tip.quaternion.w",
                                       "tip.velocity.x",
                                       "tip.angular_velocity.z",
                                       "energy.kinetic",
                                       "energy.potential",
                                       "time"};
    uint64_t                 seed = 3;
    rig r = rig_build(rig_arm(&seed, 2, RANDOM_REVOLUTE_ONLY | RANDOM_SPRINGS, "arm"));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (fa_variables_find(&r.variables, name[i]) == FA_NO_ROW) fail_msg("no %s", name[i]);
    rig_take_down(&r);
}

static void each_state_comes_before_its_derivative_and_knows_its_start(void **state)
{
    (void)state;
    uint64_t seed = 4;
    rig      r = rig_build(rig_arm(&seed, 6, RANDOM_BRANCHED | RANDOM_COUPLED, "arm"));
    for (int row = r.variables.first[FA_STATE]; row < r.variables.first[FA_OUTPUT]; row++) {
        const fa_variable *v = &r.variables.row[row];
        const fa_variable *derivative = &r.variables.row[v->derivative];
        assert_true(v->derivative > row);
        assert_true(v->nominal > 0);
        assert_int_equal(derivative->index, v->index);
        if (v->initial == FA_NO_ROW) continue; // from zero: an account of energy
        const fa_variable *initial = &r.variables.row[v->initial];
        assert_int_equal(initial->index, v->index);
        assert_true(initial->start == v->start);
        assert_int_equal(initial->role, FA_PARAMETER);
    }
    rig_take_down(&r);
}

static void a_failed_evaluation_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = 5;
    rig      r = rig_build(rig_arm(&seed, 4, RANDOM_REVOLUTE_ONLY, "arm"));
    size_t   size = (size_t)r.variables.n * sizeof *r.value;
    rig_shake(&r, &seed);
    rig_evaluate(&r, r.value);
    r.value[r.variables.first[FA_STATE]] = NAN;
    double *before = malloc(size);
    memcpy(before, r.value, size);
    fa_error error = fa_no_error();
    assert_int_equal(r.plant->evaluate(r.self, r.value, FA_GROUP_ALL, &error), FA_NOT_FINITE);
    assert_memory_equal(before, r.value, size);
    free(before);
    rig_take_down(&r);
}

// A payload at the tip is the same as the tip's link made heavier by it.
static void a_payload_adds_to_the_link(void **state)
{
    (void)state;
    uint64_t seed = 6;
    rig      r = rig_build(rig_arm(&seed, 3, 0, "arm"));
    rig_shake(&r, &seed);
    for (int row = r.variables.first[FA_TUNABLE]; row < r.variables.first[FA_INPUT]; row++)
        r.value[row] = 0;
    int payload = fa_variables_find(&r.variables, "payload.mass");
    int link = fa_variables_find(&r.variables, "link.link6.mass");
    int first = fa_variables_find(&r.variables, "joint.joint1.acceleration");
    // The same point mass, once in the payload and once in the link, at the same place.
    fa_vec3 at_tip = {0.1, -0.2, 0.3}, at_link = point_to_parent(r.robot->tip, at_tip);
    double  with_payload[3], m = r.value[link], extra = 1.5;
    r.value[payload] = extra;
    memcpy(&r.value[payload + 1], &at_tip, sizeof at_tip);
    rig_evaluate(&r, r.value);
    memcpy(with_payload, r.value + first, sizeof with_payload);

    r.value[payload] = 0;
    fa_vec3 com = {r.value[link + 1], r.value[link + 2], r.value[link + 3]};
    fa_vec3 apart = vec3_sub(at_link, com);
    fa_sym3 more = sym3_scale(m * extra / (m + extra), sym3_point(apart, apart));
    com = vec3_add(com, vec3_scale(extra / (m + extra), apart));
    r.value[link] = m + extra;
    memcpy(&r.value[link + 1], &com, sizeof com);
    for (int i = 0; i < 6; i++) r.value[link + 4 + i] += (&more.xx)[i];
    rig_evaluate(&r, r.value);
    for (int i = 0; i < 3; i++) // rounding times the condition of a 3 x 3 mass matrix
        assert_true(fabs(r.value[first + i] - with_payload[i]) <
                    1e-11 * (1 + fabs(with_payload[i])));
    rig_take_down(&r);
}

// What the fast methods note of trees lies before what comes next in the arm's memory.
static void trees_have_room_for_the_fast_methods(void **state)
{
    (void)state;
    uint64_t seed = 13;
    int      branched = 0;
    for (int trial = 0; trial < 60; trial++) {
        rig r = rig_build(rig_arm(&seed, 1 + trial % 12, RIG_KINDS[trial / 12 % 4], "arm"));
        const fa_arm *arm = r.self;
        const char   *fast = (const char *)arm->fast, *next = arm->work;
        branched += arm->chain.branched;
        assert_true(next - fast >= (ptrdiff_t)fa_fast_size(&arm->chain));
        rig_take_down(&r);
    }
    assert_true(branched > 10);
}

// What short cuts leave out: a push as torques at the joints, against wrenches in the readable
// methods, and joints that only a torque drives, against all laws one by one, to the same bits.
static void short_cuts_lead_to_the_same_place(void **state)
{
    (void)state;
    uint64_t seed = 11;
    double   worst = 0;
    int      plain = 0;
    for (int trial = 0; trial < 200; trial++) {
        rig     r = rig_build(rig_arm(&seed, 1 + trial % 12,
                                      RIG_KINDS[trial / 12 % 4] | (trial % 3 == 0) * RIG_BASE |
                                          trial % 2 * RIG_SWITCHING,
                                      "arm"));
        fa_arm *arm = r.self;
        int     first = r.variables.first[FA_STATE], n = r.variables.first[FA_OUTPUT] - first;
        rig_shake(&r, &seed);
        for (int row = 0; row < first && trial % 2; row++) { // no Coulomb friction
            int quantity = r.variables.row[row].quantity;
            if (quantity == FA_AT(friction.coulomb) || quantity == FA_AT(friction.coulomb_negative))
                r.value[row] = 0;
        }
        rig_evaluate(&r, r.value);
        size_t  size = (size_t)r.variables.n * sizeof *r.value;
        double *by_laws = malloc(size), *by_wrenches = malloc(size), scale = 1;
        memcpy(by_laws, r.value, size);
        memcpy(by_wrenches, r.value, size);
        fa_error error = fa_no_error();
        for (int i = 0; i < arm->chain.n; i++) {
            plain += arm->plain[i].torque != FA_NO_ROW;
            arm->plain[i].torque = FA_NO_ROW;
        }
        assert_int_equal(r.plant->evaluate(r.self, by_laws, FA_GROUP_ALL, &error), FA_OK);
        assert_memory_equal(by_laws, r.value, size);
        arm->fast = NULL;
        assert_int_equal(r.plant->evaluate(r.self, by_wrenches, FA_GROUP_ALL, &error), FA_OK);
        for (int i = 0; i < n; i++) {
            int derivative = r.variables.row[first + i].derivative;
            scale = fmax(scale, fabs(by_wrenches[derivative]));
        }
        for (int i = 0; i < n; i++) {
            int derivative = r.variables.row[first + i].derivative;
            worst = fmax(worst, fabs(by_wrenches[derivative] - r.value[derivative]) / scale);
        }
        free(by_laws);
        free(by_wrenches);
        rig_take_down(&r);
    }
    print_message("worst %g, %d plain joints\n", worst, plain);
    assert_true(plain > 100);
    assert_true(worst < 1e-11); // rounding times the condition of the mass matrix
}

// Whoever sets a parameter that cannot be is told which contact or spring it is of.
static void a_refused_number_says_whose_it_is(void **state)
{
    uint64_t seed = 3;
    int      springs = 0, contacts = 0;
    (void)state;
    for (int trial = 0; trial < 8; trial++) {
        rig          r = rig_build(rig_arm(&seed, 2 + trial % 4, RIG_DRESSED, "arm"));
        const double wrong[] = {-1, NAN};
        for (int row = 0; row < fa_variables_count(&r.variables, FA_PARAMETER); row++) {
            const fa_row_key *key = &r.variables.row[row].key;
            const bool        spring = key->owner == FA_OF_SPRING;
            if (!spring && key->owner != FA_OF_CONTACT) continue;
            for (int k = 0; k < 2; k++) {
                char         owner[64];
                fa_error     error = fa_no_error();
                const double right = r.value[row];
                r.value[row] = wrong[k];
                const fa_status status = r.plant->configure(r.self, r.value, &error);
                r.value[row] = right;
                if (status == FA_OK) continue; // a point or a direction
                (void)snprintf(owner, sizeof owner, "of %s %d ", spring ? "line spring" : "contact",
                               key->part + 1);
                if (!strstr(error.message, owner))
                    fail_msg("'%s' does not say '%s'", error.message, owner);
                springs += spring;
                contacts += !spring;
            }
        }
        rig_take_down(&r);
    }
    assert_true(springs > 10 && contacts > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inverse_undoes_an_arm),
        cmocka_unit_test(names_are_those_of_the_contract),
        cmocka_unit_test(each_state_comes_before_its_derivative_and_knows_its_start),
        cmocka_unit_test(a_failed_evaluation_changes_nothing),
        cmocka_unit_test(a_payload_adds_to_the_link),
        cmocka_unit_test(trees_have_room_for_the_fast_methods),
        cmocka_unit_test(short_cuts_lead_to_the_same_place),
        cmocka_unit_test(a_refused_number_says_whose_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
