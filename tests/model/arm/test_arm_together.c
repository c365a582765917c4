// Derivatives of many arms at once: what evaluating each alone gives, whoever is beside it.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm_together.h"
#include "random.h"

enum { MOST = 11 };

typedef struct crowd {
    fa_robot    *robot;
    fa_variables variables;
    void        *block;
    fa_arm      *like, *arm[MOST];
    double      *start, *value[MOST];
    fa_arms     *arms;
} crowd;

static void configure(fa_arm *arm, const double value[])
{
    fa_error error = fa_no_error();
    if (fa_arm_plant.configure(arm, value, &error) != FA_OK) fail_msg("%s", error.message);
}

static fa_arm *arm_of(const crowd *c)
{
    fa_arm *arm = malloc(fa_arm_plant.size(c->robot));
    fa_arm_plant.prepare(arm, c->robot, &c->variables);
    configure(arm, c->start);
    return arm;
}

static crowd crowd_of(fa_robot *robot)
{
    crowd    c = {.robot = robot};
    fa_error error = fa_no_error();
    strcpy(robot->plant, "arm");
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    if (fa_plant_variables(&fa_arm_plant, robot, false, &c.variables, &c.block, &error) != FA_OK)
        fail_msg("%s", error.message);
    const size_t size = (size_t)c.variables.n * sizeof(double);
    c.start = malloc(size);
    for (int row = 0; row < c.variables.n; row++) c.start[row] = c.variables.row[row].start;
    c.like = arm_of(&c);
    for (int i = 0; i < MOST; i++) {
        c.arm[i] = arm_of(&c);
        c.value[i] = malloc(size);
        memcpy(c.value[i], c.start, size);
    }
    c.arms = fa_arms_place(malloc(fa_arms_size(c.like, MOST)), c.like, c.start, MOST);
    return c;
}

static void disperse(crowd *c)
{
    for (int i = 0; i < MOST; i++) {
        free(c->arm[i]);
        free(c->value[i]);
    }
    free(c->arms);
    free(c->like);
    free(c->start);
    free(c->block);
    free(c->robot);
}

// A parameter that acts at joints, or one that a motion starts from: it leaves the bodies alone.
static bool acts_at_a_joint(const char *name)
{
    const char *const end[] = {".viscous_friction", ".coulomb_friction", ".spring_damping",
                               ".spring_stiffness", ".initial_position"};
    bool              does = false;
    for (size_t k = 0; k < sizeof end / sizeof *end; k++)
        does |= strstr(name, end[k]) && strlen(strstr(name, end[k])) == strlen(end[k]);
    return does;
}

static void put_in_motion(crowd *c, uint64_t *seed)
{
    for (int i = 0; i < MOST; i++) {
        for (int row = 0; row < c->variables.n; row++) {
            const fa_variable *v = &c->variables.row[row];
            if (v->role == FA_INPUT || v->role == FA_STATE)
                c->value[i][row] = random_in(seed, -3, 3);
            else if (v->role <= FA_TUNABLE && acts_at_a_joint(v->name))
                c->value[i][row] = random_in(seed, 0, 2);
        }
        configure(c->arm[i], c->value[i]);
        assert_true(fa_arms_fit(c->arms, c->arm[i], c->value[i]));
    }
}

// Arms of all kinds: in a row, with branches, with followers; with springs, motors' gears,
// friction, with forces on the tip and on links; with accounts of energy and without.
static crowd some_crowd(uint64_t *seed, int trial)
{
    const unsigned kind[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED,
                             RANDOM_BRANCHED | RANDOM_COUPLED};
    fa_robot      *robot =
        random_robot(seed, 1 + trial % 9, kind[trial % 4] | (trial % 3 ? RANDOM_SPRINGS : 0));
    robot->outputs = trial % 2 ? FA_EXTRA_ENERGY : 0;
    for (int i = 1; i <= robot->n_links - 1 && trial % 5 == 4; i++) { // a third of them: motors
        fa_joint *joint = &robot->link[i].joint;
        if (joint->type == FA_FIXED || i % 3 || trial % 4 == 3) continue; // followers have none
        joint->motor = (fa_motor_data){.present = true,
                                       .resistance = 1,
                                       .torque_constant = 0.1,
                                       .back_emf = 0.1,
                                       .inductance = i % 2 ? 0.01 : 0,
                                       .efficiency = 1,
                                       .efficiency_back = 1,
                                       .voltage_limit = INFINITY,
                                       .current_limit = INFINITY};
    }
    return crowd_of(robot);
}

static void all_get_what_each_gets_alone(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double   worst = 0;
    for (int trial = 0; trial < 120; trial++) {
        crowd c = some_crowd(&seed, trial);
        bool  answered[MOST];
        put_in_motion(&c, &seed);
        fa_arms_evaluate(c.arms, MOST, c.arm, c.value, answered);
        fa_arm *alone = arm_of(&c);
        double *value = malloc((size_t)c.variables.n * sizeof *value);
        for (int i = 0; i < MOST; i++) {
            fa_error error = fa_no_error();
            double   size = 1;
            assert_true(answered[i]);
            memcpy(value, c.value[i], (size_t)c.variables.n * sizeof *value);
            configure(alone, value);
            assert_int_equal(fa_arm_plant.evaluate(alone, value, FA_GROUP_DERIVATIVES, &error),
                             FA_OK);
            for (int row = 0; row < c.variables.n; row++) size = fmax(size, fabs(value[row]));
            for (int row = 0; row < c.variables.n; row++)
                worst = fmax(worst, fabs(value[row] - c.value[i][row]) / size);
        }
        free(value);
        free(alone);
        disperse(&c);
    }
    print_message("worst difference %.1e of the largest number\n", worst);
    // Rounding times the condition of the mass matrix, as in test_batch.c.
    assert_true(worst < 1e-12 && worst > 0);
}

static void nobody_depends_on_who_is_beside_it(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 40; trial++) {
        crowd        c = some_crowd(&seed, trial);
        const size_t n = (size_t)c.variables.n;
        bool         answered[MOST];
        double      *want = malloc(MOST * n * sizeof *want);
        put_in_motion(&c, &seed);
        c.value[7][c.like->row[FA_ARM_VELOCITY]] = NAN; // friction has no torque there
        for (int i = 0; i < MOST; i++) {
            fa_arms_evaluate(c.arms, 1, &c.arm[i], &c.value[i], answered);
            assert_true(answered[0] == (i != 7));
            memcpy(want + (size_t)i * n, c.value[i], n * sizeof *want);
        }
        for (int from = 0; from < MOST; from++) {
            fa_arm *arm[MOST];
            double *value[MOST];
            for (int i = from; i < MOST; i++) { // the last come first
                arm[i - from] = c.arm[MOST - 1 - (i - from)];
                value[i - from] = c.value[MOST - 1 - (i - from)];
            }
            fa_arms_evaluate(c.arms, MOST - from, arm, value, answered);
            for (int i = 0; i < MOST; i++)
                assert_memory_equal(c.value[i], want + (size_t)i * n, n * sizeof *want);
        }
        free(want);
        disperse(&c);
    }
}

// Every parameter of an arm, changed a little: those that change its bodies keep it out, and no
// other.
static void what_moves_other_bodies_is_kept_out(void **state)
{
    (void)state;
    uint64_t          seed = 5;
    const char *const out[] = {"gravity.",    "link.",          "payload.",
                               ".gear_ratio", ".rotor_inertia", "deterministic"};
    crowd             c = crowd_of(random_robot(&seed, 4, RANDOM_SPRINGS));
    int               kept_out = 0, let_in = 0;
    c.start[c.like->row[FA_ARM_PAYLOAD_MASS]] = 1; // without a mass its place does not matter
    configure(c.like, c.start);
    (void)fa_arms_place(c.arms, c.like, c.start, MOST);
    for (int row = 0; row < c.variables.first[FA_INPUT]; row++) {
        const fa_variable *v = &c.variables.row[row];
        double            *value = c.value[0];
        bool               differs = false;
        fa_error           error = fa_no_error();
        memcpy(value, c.start, (size_t)c.variables.n * sizeof *value);
        value[row] += v->type == FA_REAL ? 1e-9 * (1 + fabs(value[row])) : 1;
        if (fa_arm_plant.configure(c.arm[0], value, &error) != FA_OK) continue;
        for (size_t k = 0; k < sizeof out / sizeof *out; k++)
            differs |= strstr(v->name, out[k]) != NULL;
        if (fa_arms_fit(c.arms, c.arm[0], value) == differs)
            fail_msg("%s %s", v->name, differs ? "is let in" : "is kept out");
        differs ? kept_out++ : let_in++;
    }
    print_message("%d parameters keep an arm out, %d do not\n", kept_out, let_in);
    assert_true(kept_out > 50 && let_in > 30);
    disperse(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_get_what_each_gets_alone),
        cmocka_unit_test(nobody_depends_on_who_is_beside_it),
        cmocka_unit_test(what_moves_other_bodies_is_kept_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
