// The Jacobians of dynamics/jacobians.c against the directional derivatives of derivatives.c, which
// share no formula with them.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "derivatives.h"
#include "jacobians.h"
#include "methods.h"
#include "random.h"

enum { MAX = 12 };

typedef struct point {
    fa_robot    *robot;
    fa_body      body[MAX];
    int          link_body[2 * MAX + 1];
    fa_transform link_frame[2 * MAX + 1];
    fa_chain     chain;
    double       q[MAX], qd[MAX], qdd[MAX];
    fa_vec3   at[MAX], force[MAX], torque[MAX]; // of loads that keep their direction: in the world
    fa_wrench wrench[MAX];
    fa_mat3   turn[MAX];
    fa_load   load;
    bool      held[MAX];
} point;

// A wrench on each body; at a point of it, of a force and a torque in world axes.
static void push(point *p)
{
    fa_transform pose[MAX];
    fa_chain_poses(&p->chain, p->q, pose);
    for (int i = 0; i < p->chain.n; i++) {
        fa_vec3 f = mat3_mul(pose[i].E, p->force[i]), t = mat3_mul(pose[i].E, p->torque[i]);
        p->wrench[i] = (fa_wrench){vec3_add(t, cross(p->at[i], f)), f};
        p->turn[i] = mat3_add(mat3_mat3(mat3_tilde(p->at[i]), mat3_tilde(f)), mat3_tilde(t));
    }
    p->load.wrench = p->wrench;
}

static void random_point(uint64_t *seed, int trial, point *p)
{
    static const unsigned kind[] = {RANDOM_REVOLUTE_ONLY, 0, RANDOM_BRANCHED,
                                    RANDOM_BRANCHED | RANDOM_COUPLED};
    p->robot = random_robot(seed, 1 + trial % MAX, kind[trial / MAX % 4]);
    p->robot->link[1].joint.origin.r = vec3(7, -8, 9); // the world's origin is no special place
    p->chain = fa_chain_build(p->robot, p->body, p->link_body, p->link_frame);
    for (int i = 0; i < p->chain.n_coordinates; i++) {
        p->q[i] = random_in(seed, -3, 3);
        p->qd[i] = random_in(seed, -2, 2);
        p->qdd[i] = random_in(seed, -3, 3);
    }
    for (int i = 0; i < p->chain.n; i++) {
        p->at[i] = random_vec3(seed, 0.5);
        p->force[i] = random_vec3(seed, 10);
        p->torque[i] = random_vec3(seed, 5);
    }
    push(p);
    p->chain.base_moves = trial % 5 == 0;
    p->chain.base_rate = random_vec3(seed, 1);
    p->chain.base_acceleration = (fa_twist){random_vec3(seed, 1), random_vec3(seed, 5)};
}

static char work[1 << 16];

// Column by column: what a unit step of one coordinate, of its rate and of its acceleration does.
static void columns(const point *p, bool turned, fa_jacobians to)
{
    const fa_chain   *chain = &p->chain;
    const int         c = chain->n_coordinates;
    fa_motion         motion[MAX];
    fa_motion_tangent motion_tangent[MAX];
    fa_wrench         wrench_tangent[MAX];
    double            unit[MAX] = {0}, none[MAX] = {0}, column[MAX];
    fa_chain_motion(chain, p->q, p->qd, p->qdd, motion);
    for (int third = 0; third < 3; third++)
        for (int j = 0; j < c; j++) {
            fa_joint_tangent joint = {.q = none, .qd = none, .qdd = none};
            (third == 0 ? &joint.q : third == 1 ? &joint.qd : &joint.qdd)[0] = unit;
            unit[j] = 1;
            fa_chain_motion_tangent(chain, p->qd, p->qdd, motion, joint, motion_tangent);
            for (int i = 0; i < chain->n; i++) {
                fa_vec3 w = motion_tangent[i].pose.angular;
                wrench_tangent[i] =
                    (fa_wrench){mat3_mul(p->turn[i], w), cross(p->wrench[i].force, w)};
            }
            fa_tangent step = {.joint = joint, .wrench = turned ? wrench_tangent : NULL};
            fa_inverse_tangent(chain, p->qdd, &p->load, motion, &step, motion_tangent, column,
                               work);
            unit[j] = 0;
            double *matrix = third == 0 ? to.by_q : third == 1 ? to.by_qd : to.by_third;
            for (int i = 0; i < c; i++) matrix[i * c + j] = column[i];
        }
}

static double largest(const double A[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(A[i]));
    return most;
}

// Relative to the largest element, or to `least` where all may be rounding.
static double apart(const double A[], const double B[], int n, double least)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(A[i] - B[i]));
    return most / fmax(largest(B, n), least);
}

static void all_columns_at_once_are_the_columns_one_by_one(void **state)
{
    (void)state;
    static point  p;
    static double got[3][MAX * MAX], want[3][MAX * MAX];
    uint64_t      seed = 1;
    double        worst = 0;
    for (int trial = 0; trial < 480; trial++) {
        random_point(&seed, trial, &p);
        bool         turned = trial % 2;
        int          n = p.chain.n_coordinates * p.chain.n_coordinates;
        fa_load_turn turn = {turned ? p.turn : NULL};
        assert_true(fa_jacobians_work_size(&p.chain) <= sizeof work);
        fa_inverse_jacobians(&p.chain, p.q, p.qd, p.qdd, &p.load, turn,
                             (fa_jacobians){got[0], got[1], got[2]}, work);
        columns(&p, turned, (fa_jacobians){want[0], want[1], want[2]});
        double size = largest(want[2], n); // of the mass matrix
        for (int k = 0; k < 3; k++) worst = fmax(worst, apart(got[k], want[k], n, size));
        free(p.robot);
    }
    print_message("worst %g\n", worst);
    assert_true(worst < 1e-12); // rounding, 12 m from the origin
}

// M times each must be minus the inverse's, and one.
static void forward_jacobians_solve_those_of_the_inverse(void **state)
{
    (void)state;
    static point  p;
    static double got[3][MAX * MAX], inverse[3][MAX * MAX];
    uint64_t      seed = 2;
    double        worst = 0;
    for (int trial = 0; trial < 240; trial++) {
        random_point(&seed, trial, &p);
        int          c = p.chain.n_coordinates;
        fa_load_turn turn = {p.turn};
        columns(&p, true, (fa_jacobians){inverse[0], inverse[1], inverse[2]});
        for (int i = 0; i < c; i++) p.held[i] = random_in(&seed, 0, 1) < 0.3;
        if (trial % 3 == 0) p.chain.held = p.held; // they do not accelerate, whatever pushes
        assert_int_equal(fa_forward_jacobians(&p.chain, p.q, p.qd, p.qdd, &p.load, turn,
                                              (fa_jacobians){got[0], got[1], got[2]}, work),
                         FA_OK);
        double size = largest(inverse[2], c * c);
        for (int i = 0; i < c; i++)
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < c; j++)
                    assert_true(!p.chain.held || !p.held[i] || got[k][i * c + j] == 0);
        for (int k = 0; k < 3; k++) {
            double scale =
                fmax(size * fmax(largest(got[k], c * c), 1e-3), largest(inverse[k], c * c));
            for (int i = 0; i < c; i++)
                for (int j = 0; j < c && !(p.chain.held && p.held[i]); j++) {
                    double sum = k < 2 ? inverse[k][i * c + j] : -(i == j);
                    for (int m = 0; m < c; m++) sum += inverse[2][i * c + m] * got[k][m * c + j];
                    worst = fmax(worst, fabs(sum) / scale);
                }
        }
        free(p.robot);
    }
    print_message("worst %g\n", worst);
    // Twelve terms, in each of which the two mass matrices may differ by the 2e-13 of the first
    // test.
    assert_true(worst < 1e-11);
}

// A pendulum without mass but in its bob: q'' = -g/l sin q, so that by q it is -g/l cos q and by
// torque 1/(m l^2).
static void a_pendulum_has_its_closed_form(void **state)
{
    (void)state;
    fa_body  body = {.parent = FA_WORLD,
                     .joint = FA_REVOLUTE,
                     .axis = {0, 1, 0},
                     .home = transform_identity(),
                     .inertia = {2, {0, 0, -2 * 1.5}, {4.5, 4.5, 0, 0, 0, 0}},
                     .ratio = 1};
    fa_chain chain = {.n = 1, .n_coordinates = 1, .body = &body, .gravity = {0, 0, -9.81}};
    double   q = 0.7, qd = 3, qdd = -9.81 / 1.5 * sin(q), by[3];
    assert_int_equal(fa_forward_jacobians(&chain, &q, &qd, &qdd, NULL, (fa_load_turn){NULL},
                                          (fa_jacobians){&by[0], &by[1], &by[2]}, work),
                     FA_OK);
    assert_true(fabs(by[0] + 9.81 / 1.5 * cos(q)) < 1e-14); // rounding
    assert_true(fabs(by[1]) < 1e-14);
    assert_true(fabs(by[2] - 1 / 4.5) < 1e-15);
}

static void a_joint_without_inertia_is_reported(void **state)
{
    (void)state;
    fa_body  body = {.parent = FA_WORLD,
                     .joint = FA_REVOLUTE,
                     .axis = {0, 0, 1},
                     .home = transform_identity(),
                     .ratio = 1};
    fa_chain chain = {.n = 1, .n_coordinates = 1, .body = &body};
    double   zero = 0, by[3];
    assert_int_equal(fa_forward_jacobians(&chain, &zero, &zero, &zero, NULL, (fa_load_turn){NULL},
                                          (fa_jacobians){&by[0], &by[1], &by[2]}, work),
                     FA_SINGULAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_columns_at_once_are_the_columns_one_by_one),
        cmocka_unit_test(forward_jacobians_solve_those_of_the_inverse),
        cmocka_unit_test(a_pendulum_has_its_closed_form),
        cmocka_unit_test(a_joint_without_inertia_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
