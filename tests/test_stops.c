// Stops make no energy: whatever arm meets one of its stops, however deep it is found there, the
// event leaves as much energy in motion, position and stop as there was. And stops for all joints
// fit what the joints feel.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "chain.h"
#include "dynamics.h"
#include "plant.h"
#include "random.h"
#include "robot_stops.h"
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

static rig build(uint64_t *seed, int joints, unsigned kind)
{
    rig      r = {.robot = random_robot(seed, joints, kind)};
    fa_error error = fa_no_error();
    give_stops(seed, r.robot);
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

// ----------------------------------------------------------------------------- stops for all
// joints

// What a torque at coordinate c accelerates at q: 1 over an entry of the inverse of the mass
// matrix, found by Gauss and Jordan's elimination.
static double felt(const fa_chain *chain, const double q[], int c)
{
    const int        n = chain->n_coordinates;
    const fa_method *method = NULL;
    for (int m = 0; m < fa_method_count && !method; m++)
        if (fa_methods[m]->mass_matrix && fa_method_fits(fa_methods[m], chain))
            method = fa_methods[m];
    assert_non_null(method);
    void   *work = malloc(method->work_size(chain) + 1);
    double *M = calloc((size_t)(n * n), sizeof *M), *x = calloc((size_t)n, sizeof *x);
    assert_true(work && M && x);
    assert_int_equal(method->mass_matrix(chain, q, M, work), FA_OK);
    x[c] = 1;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const double f = M[i * n + k] / M[k * n + k];
            if (i == k) continue;
            for (int j = k; j < n; j++) M[i * n + j] -= f * M[k * n + j];
            x[i] -= f * x[k];
        }
    }
    const double inertia = M[c * n + c] / x[c];
    free(work);
    free(M);
    free(x);
    return inertia;
}

static bool has_three_digits(double x)
{
    const double scale = pow(10, 2 - floor(log10(x)));
    return fabs(x * scale - round(x * scale)) < 1e-9 * x * scale;
}

// Each joint is told to have no limits, one, two or a stop of its own; what is chosen for it is
// compared with what its row of the mass matrix says at the worse of its limits.
static void a_chosen_stop_swings_with_what_its_joint_feels_at_its_limits(void **state)
{
    (void)state;
    uint64_t seed = 29;
    int      two_sided = 0, one_sided = 0, own = 0, none = 0;
    for (int trial = 0; trial < 100; trial++) {
        fa_robot *robot = random_robot(&seed, 1 + trial % 6, trial % 2 ? RANDOM_BRANCHED : 0);
        for (int i = 0; i < robot->n_links; i++) {
            fa_joint *joint = &robot->link[i].joint;
            if (!fa_joint_is_free(joint)) continue;
            const int kind = (int)random_in(&seed, 0, 5);
            joint->limit.lower = kind == 1 || kind >= 3 ? random_in(&seed, -2, -0.5) : -INFINITY;
            joint->limit.upper = kind == 2 || kind >= 3 ? random_in(&seed, 0.5, 2) : INFINITY;
            joint->initial_position = random_in(&seed, -0.4, 0.4);
            joint->stop = kind == 4 ? (fa_stop_data){true, 77, 7} : (fa_stop_data){false, 0, 0};
            none += kind == 0;
            one_sided += kind == 1 || kind == 2;
            two_sided += kind == 3;
            own += kind == 4;
        }
        fa_error error = fa_no_error();
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
        const size_t  n = (size_t)fa_chain_bodies(robot), links = (size_t)robot->n_links;
        fa_body      *body = malloc((n + 1) * sizeof *body);
        int          *link_body = malloc(links * sizeof *link_body);
        fa_transform *frame = malloc(links * sizeof *frame);
        double       *q = calloc(n + 1, sizeof *q);
        assert_true(body && link_body && frame && q);
        fa_chain chain = fa_chain_build(robot, body, link_body, frame);
        for (int i = 0; i < robot->n_links; i++)
            if (fa_joint_is_free(&robot->link[i].joint))
                q[body[link_body[i]].coordinate] = robot->link[i].joint.initial_position;

        fa_robot *given = fa_robot_new(robot->n_links);
        assert_non_null(given);
        memcpy(given->link, robot->link, links * sizeof *given->link);
        int            n_chosen = -1, n_given = -1, wanted = 0;
        const fa_stops chosen = {true, true, 0, 0}, numbers = {true, false, 2e4, 3};
        assert_int_equal(fa_robot_give_stops(given, &numbers, &n_given, &error), FA_OK);
        fa_robot *before = fa_robot_new(robot->n_links);
        assert_non_null(before);
        memcpy(before->link, robot->link, links * sizeof *before->link);
        assert_int_equal(fa_robot_give_stops(robot, &chosen, &n_chosen, &error), FA_OK);
        assert_false(robot->checked);
        assert_false(given->checked);

        const double omega = 2 * 3.14159265358979323846 * FA_STOP_FREQUENCY;
        for (int i = 0; i < robot->n_links; i++) {
            const fa_joint     *old = &before->link[i].joint;
            const fa_stop_data *stop = &robot->link[i].joint.stop,
                               *told = &given->link[i].joint.stop;
            const bool limited = isfinite(old->limit.lower) || isfinite(old->limit.upper);
            if (!fa_joint_is_free(old) || old->stop.present || !limited) {
                assert_memory_equal(stop, &old->stop, sizeof *stop);
                assert_memory_equal(told, &old->stop, sizeof *stop);
                continue;
            }
            wanted++;
            assert_true(told->present && told->stiffness == 2e4 && told->damping == 3);
            const int    c = body[link_body[i]].coordinate;
            const double start = q[c], at[] = {old->limit.lower, old->limit.upper};
            double       most = 0;
            for (int k = 0; k < 2; k++) {
                if (isinf(at[k])) continue;
                q[c] = at[k];
                most = fmax(most, felt(&chain, q, c));
            }
            q[c] = start;
            // Three digits: half a unit of the third one, of a hundred at least.
            assert_true(stop->present);
            assert_true(fabs(stop->stiffness / (most * omega * omega) - 1) <= 0.5001e-2);
            assert_true(fabs(stop->damping / (2 * FA_STOP_DAMPING * most * omega) - 1) <=
                        0.5001e-2);
            assert_true(has_three_digits(stop->stiffness) && has_three_digits(stop->damping));
        }
        assert_int_equal(n_chosen, wanted);
        assert_int_equal(n_given, wanted);
        free(body);
        free(link_body);
        free(frame);
        free(q);
        free(given);
        free(before);
        free(robot);
    }
    assert_true(two_sided > 50 && one_sided > 50 && own > 30 && none > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stop_makes_energy_where_it_is_met),
        cmocka_unit_test(a_chosen_stop_swings_with_what_its_joint_feels_at_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
