// An arm that uses a method of the table in place of its own choice: what a method prepares holds
// from one evaluation to the next, whatever else the arm computes, until parameters change.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "random.h"

typedef struct rig {
    fa_robot    *robot;
    fa_variables variables;
    void        *block;
    fa_arm      *arm;
    double      *value;
} rig;

static rig rig_of(uint64_t *seed, int joints, unsigned kind)
{
    rig      r = {.robot = random_robot(seed, joints, kind)};
    fa_error error = fa_no_error();
    r.robot->outputs = FA_EXTRA_ALL;
    assert_int_equal(fa_robot_check(r.robot, NULL, &error), FA_OK);
    assert_int_equal(
        fa_plant_variables(&fa_arm_plant, r.robot, false, &r.variables, &r.block, &error), FA_OK);
    r.arm = malloc(fa_arm_plant.size(r.robot));
    fa_arm_plant.prepare(r.arm, r.robot, &r.variables);
    r.value = calloc((size_t)r.variables.n, sizeof *r.value);
    for (int row = 0; row < r.variables.n; row++) r.value[row] = r.variables.row[row].start;
    return r;
}

static void take_down(rig *r)
{
    free(r->value);
    free(r->arm);
    free(r->block);
    free(r->robot);
}

static void configure(rig *r)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_arm_plant.configure(r->arm, r->value, &error), FA_OK);
}

static void evaluate(rig *r)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_arm_plant.evaluate(r->arm, r->value, FA_GROUP_ALL, &error), FA_OK);
}

static void move(rig *r, uint64_t *seed)
{
    for (int row = 0; row < r->variables.n; row++) {
        const fa_role role = r->variables.row[row].role;
        if (role == FA_STATE || role == FA_INPUT) r->value[row] = random_in(seed, -2, 2);
    }
}

// --- how often a method prepares

static int  prepared_times;
static bool asked_unprepared;

static size_t counting_size(const fa_chain *chain)
{
    (void)chain;
    return 64;
}

static fa_prepared *counting_prepare(const fa_chain *chain, void *work)
{
    (void)chain;
    memset(work, ++prepared_times, 64);
    return work;
}

static fa_status counting_forward(const fa_chain *chain, const double q[], const double qd[],
                                  const double tau[], const fa_load *load, double qdd[],
                                  fa_prepared *prepared)
{
    (void)q, (void)qd, (void)tau, (void)load;
    const unsigned char *byte = (const unsigned char *)prepared;
    for (int i = 0; i < 64; i++) asked_unprepared |= byte[i] != prepared_times;
    for (int i = 0; i < chain->n_coordinates; i++) qdd[i] = i;
    return FA_OK;
}

static const fa_method counting = {.name = "counting",
                                   .work_size = counting_size,
                                   .prepare = counting_prepare,
                                   .prepared = counting_forward};

static void a_method_prepares_once_until_parameters_change(void **state)
{
    (void)state;
    uint64_t seed = 1;
    rig      r = rig_of(&seed, 6, 0);
    void    *work = malloc(counting_size(&r.arm->chain));
    prepared_times = 0;
    asked_unprepared = false;
    configure(&r);
    fa_arm_use(r.arm, &counting, work);
    assert_int_equal(prepared_times, 1);
    for (int i = 0; i < 10; i++) {
        move(&r, &seed);
        evaluate(&r);
    }
    assert_int_equal(prepared_times, 1);
    r.value[r.arm->row[FA_ARM_PAYLOAD_MASS]] += 1;
    configure(&r);
    evaluate(&r);
    assert_int_equal(prepared_times, 2);
    assert_false(asked_unprepared);
    free(work);
    take_down(&r);
}

// --- which accelerations

static double *accelerations(const rig *r)
{
    return r->value + r->arm->row[FA_ARM_ACCELERATION];
}

// All groups, twice at other places, then with another payload: what is computed on the way uses
// the arm's scratch.
static double worst_difference(uint64_t seed, int joints, unsigned kind, const fa_method *method)
{
    uint64_t again = seed;
    rig      own = rig_of(&seed, joints, kind), other = rig_of(&again, joints, kind);
    double   worst = 0;
    configure(&own);
    configure(&other);
    if (!fa_method_fits(method, &other.arm->chain)) {
        take_down(&own);
        take_down(&other);
        return 0;
    }
    void *work = malloc(method->work_size(&other.arm->chain));
    fa_arm_use(other.arm, method, work);
    for (int i = 0; i < 4; i++) {
        move(&own, &seed);
        move(&other, &again);
        if (i == 2) {
            own.value[own.arm->row[FA_ARM_PAYLOAD_MASS]] += 1;
            other.value[other.arm->row[FA_ARM_PAYLOAD_MASS]] += 1;
            configure(&own);
            configure(&other);
        }
        evaluate(&own);
        evaluate(&other);
        double size = 0, off = 0;
        for (int k = 0; k < own.arm->chain.n_coordinates; k++) {
            size = fmax(size, fabs(accelerations(&own)[k]));
            off = fmax(off, fabs(accelerations(&own)[k] - accelerations(&other)[k]));
        }
        worst = fmax(worst, off / size);
    }
    free(work);
    take_down(&own);
    take_down(&other);
    return worst;
}

static void every_method_gives_the_accelerations_of_the_arms_own(void **state)
{
    (void)state;
    static const unsigned kinds[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED};
    for (int m = 0; m < fa_method_count; m++) {
        const fa_method *method = fa_methods[m];
        double           worst = 0;
        if (!fa_method_has_forward(method)) continue;
        for (uint64_t trial = 0; trial < 30; trial++)
            worst =
                fmax(worst, worst_difference(trial, 1 + (int)trial % 9, kinds[trial % 3], method));
        print_message("%s: %.1e\n", method->name, worst);
        // Rounding times the condition of the mass matrix.
        assert_true(worst < 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_prepares_once_until_parameters_change),
        cmocka_unit_test(every_method_gives_the_accelerations_of_the_arms_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
