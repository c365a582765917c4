// What can act at a joint: every row of the table of drives, at random joints in random modes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dh_chain.h"
#include "drive.h"

// Every quantity has the row of its own number in the joint's table, and so many more.
enum { ROWS = FA_ARM_JOINT_END };

typedef struct bench {
    fa_arm_joint joint;
    double       value[ROWS];
} bench;

// The parameters that laws read from the joint: what the plant keeps equal to the table.
static const struct parameter {
    fa_arm_quantity quantity;
    size_t          offset;
    double          low, high;
} parameters[] = {
#define OF(quantity, field, low, high)                                                             \
    {                                                                                              \
        FA_ARM_##quantity, offsetof(fa_arm_joint, field), low, high                                \
    }
    OF(LOWER, lower, -0.5, -0.1),
    OF(UPPER, upper, 0.1, 0.5),
    OF(VISCOUS, friction.viscous, 0, 3),
    OF(COULOMB, friction.coulomb, 0.1, 2),
    OF(COULOMB_NEGATIVE, friction.coulomb_negative, 0.1, 2),
    OF(WIDTH, friction.width, 0.05, 0.5),
    OF(BREAKAWAY, friction.breakaway, 2, 4),
    OF(BREAKAWAY_NEGATIVE, friction.breakaway_negative, 2, 4),
    OF(STRIBECK, friction.stribeck, 0.1, 1),
    OF(GEAR, gear, -20, -2),
    OF(STIFFNESS, spring.stiffness, 1, 50),
    OF(SPRING_DAMPING, spring.damping, 0, 5),
    OF(REST, spring.rest, -0.3, 0.3),
    OF(STOP_STIFFNESS, stop.stiffness, 10, 1000),
    OF(STOP_DAMPING, stop.damping, 0, 50),
    OF(CLOSURE_STIFFNESS, closure.stiffness, 10, 1000),
    OF(CLOSURE_DAMPING, closure.damping, 0, 50),
    OF(RESISTANCE, motor.resistance, 0.5, 3),
    OF(TORQUE_CONSTANT, motor.torque_constant, 0.1, 1),
    OF(BACK_EMF, motor.back_emf, 0.1, 1),
    OF(EFFICIENCY, motor.efficiency, 0.5, 0.9),
    OF(EFFICIENCY_BACK, motor.efficiency_back, 0.5, 0.9),
    OF(VOLTAGE_LIMIT, motor.voltage_limit, 5, 60),
    OF(CURRENT_LIMIT, motor.current_limit, 2, 60),
#undef OF
};
enum { N_PARAMETERS = sizeof parameters / sizeof *parameters };

static void put(bench *b, fa_arm_quantity quantity, double number)
{
    b->value[quantity] = number;
    for (int k = 0; k < N_PARAMETERS; k++)
        if (parameters[k].quantity == quantity)
            memcpy((char *)&b->joint + parameters[k].offset, &number, sizeof number);
}

static fa_joint_now now_of(const bench *b)
{
    return (fa_joint_now){
        &b->joint, b->value,        b->value[FA_ARM_POSITION], b->value[FA_ARM_VELOCITY],
        1,         FA_ARM_POSITION, FA_ARM_VELOCITY,           false};
}

static double one_of(uint64_t *seed, double a, double b, double c)
{
    const double chance = random_between(seed, 0, 3);
    return chance < 1 ? a : chance < 2 ? b : c;
}

static bench random_bench(uint64_t *seed)
{
    bench b;
    memset(&b, 0, sizeof b);
    for (int i = 0; i < ROWS; i++) b.joint.at[i] = i;
    for (int k = 0; k < N_PARAMETERS; k++)
        put(&b, parameters[k].quantity,
            random_between(seed, parameters[k].low, parameters[k].high));
    b.joint.motor.present = random_between(seed, 0, 1) < 0.5;
    b.joint.closure.present = b.joint.spring.present = b.joint.stop.present = true;
    b.joint.friction.sticks = random_between(seed, 0, 1) < 0.5;
    b.joint.friction.on_motor = random_between(seed, 0, 1) < 0.5;
    put(&b, FA_ARM_SLIP, one_of(seed, -1, 1, 1));
    put(&b, FA_ARM_STOP, one_of(seed, -1, 0, 1));
    put(&b, FA_ARM_CLOSED, random_between(seed, 0, 1) < 0.3);
    put(&b, FA_ARM_CLOSURE_REST, random_between(seed, -1, 1));
    put(&b, FA_ARM_TORQUE, random_between(seed, -30, 30));
    put(&b, FA_ARM_POSITION, random_between(seed, -1, 1));
    put(&b, FA_ARM_VELOCITY, random_between(seed, -2, 2));
    return b;
}

typedef void law_fn(const fa_joint_now *now, fa_law *law);

static double value_of(const bench *b, law_fn *fill)
{
    const fa_joint_now now = now_of(b);
    fa_law             law;
    fa_law_begin(&law, false);
    fill(&now, &law);
    return law.value;
}

// By five points, whose own error is far below 1e-6 of what changes; a kink between them (a clamp,
// the end of a push) shows as two differences that do not agree, and is passed over.
static bool difference(bench *b, law_fn *fill, fa_arm_quantity quantity, double *slope)
{
    const double at = b->value[quantity], h = 1e-4;
    double       f[5];
    for (int k = -2; k <= 2; k++) {
        put(b, quantity, at + k * h);
        f[k + 2] = value_of(b, fill);
    }
    put(b, quantity, at);
    const double near = (f[3] - f[1]) / (2 * h), far = (f[4] - f[0]) / (4 * h);
    *slope = near + (near - far) / 3;
    return fabs(near - far) <= 1e-3 * (1 + fabs(near));
}

static void laws_change_as_their_derivatives_say(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int      compared = 0;
    for (int trial = 0; trial < 400; trial++) {
        bench b = random_bench(&seed);
        for (int k = 0; k < fa_joint_drive_count; k++) {
            law_fn *const laws[] = {fa_joint_drives[k].torque, fa_joint_drives[k].loss,
                                    fa_joint_drives[k].energy};
            for (int l = 0; l < 3; l++) {
                const fa_joint_now now = now_of(&b);
                fa_law             law;
                if (!laws[l] || !fa_joint_drives[k].acts(&now)) continue;
                fa_law_begin(&law, true);
                laws[l](&now, &law);
                assert_true(law.value == value_of(&b, laws[l]));
                for (int row = FA_ARM_LOWER; row <= FA_ARM_VELOCITY; row++) {
                    double direction[ROWS] = {0}, slope;
                    direction[row] = 1;
                    if (!difference(&b, laws[l], (fa_arm_quantity)row, &slope)) continue;
                    const double said = fa_law_step(&law, direction);
                    if (fabs(said - slope) > 1e-6 * (1 + fabs(slope) + fabs(law.value)))
                        fail_msg("%s, law %d: by row %d %.9g, by differences %.9g",
                                 fa_joint_drives[k].name, l, row, said, slope);
                    compared++;
                }
            }
        }
    }
    printf("%d derivatives compared\n", compared);
    assert_true(compared > 50000);
}

// What a drive gives to the joint comes from its account or from what it stores.
static void no_drive_makes_energy_of_nothing(void **state)
{
    (void)state;
    uint64_t seed = 2;
    int      stored = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const bench b = random_bench(&seed);
        for (int k = 0; k < fa_joint_drive_count; k++) {
            const fa_drive    *drive = &fa_joint_drives[k];
            const fa_joint_now now = now_of(&b);
            if (!drive->acts(&now)) continue;
            const double given = value_of(&b, drive->torque) * now.rate;
            if (drive->work == FA_ARM_FRICTION && drive->torque == fa_damper_torque)
                assert_true(given <= 0);
            if (!drive->energy) continue;
            double direction[ROWS] = {0};
            fa_law law;
            direction[FA_ARM_POSITION] = now.rate;
            fa_law_begin(&law, true);
            drive->energy(&now, &law);
            const double lost = drive->loss ? value_of(&b, drive->loss) : 0;
            const double left = given + fa_law_step(&law, direction) + lost;
            // Three products of numbers up to 1e3, rounded.
            assert_true(fabs(left) <= 1e-12 * (1 + fabs(given) + fabs(lost)));
            stored++;
        }
    }
    assert_true(stored > 1000);
}

static void a_stop_pushes_and_never_pulls(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 1000; trial++) {
        const bench        b = random_bench(&seed);
        const fa_joint_now now = now_of(&b);
        if (!fa_stop_acts(&now)) continue;
        assert_true(value_of(&b, fa_stop_torque) * b.value[FA_ARM_STOP] <= 0);
    }
}

// A joint is driven by its input, by its motor, or by the oil that its valve holds: by one of them.
static void one_thing_drives_a_joint(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 1000; trial++) {
        const bench        b = random_bench(&seed);
        const fa_joint_now now = now_of(&b);
        fa_joint_now       given = now;
        int                drives = 0;
        given.inverse = true;
        for (int k = 0; k < fa_joint_drive_count; k++)
            if (fa_joint_drives[k].work == FA_ARM_BY_ACTUATORS) {
                drives += fa_joint_drives[k].acts(&now);
                assert_false(fa_joint_drives[k].acts(&given));
            }
        assert_int_equal(drives, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_change_as_their_derivatives_say),
        cmocka_unit_test(no_drive_makes_energy_of_nothing),
        cmocka_unit_test(a_stop_pushes_and_never_pulls),
        cmocka_unit_test(one_thing_drives_a_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
