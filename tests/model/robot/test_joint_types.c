// The table of joint types: what each row says, held against how a chain moves.
#include "test.h"

#include <math.h>
#include <string.h>

#include "chain.h"
#include "joint_parts.h"
#include "random.h"

static fa_body random_body(uint64_t *seed, fa_joint_type type)
{
    return (fa_body){
        .parent = FA_WORLD,
        .joint = type,
        .axis = random_axis(seed),
        .advance = type == FA_SCREW ? random_in(seed, -2, 2) : 0,
        .home = random_place(seed, 1),
        .ratio = 1,
    };
}

static void every_row_is_found_by_its_name(void **state)
{
    (void)state;
    for (int i = 0; i < FA_JOINT_TYPE_COUNT; i++) {
        fa_joint_type found = (fa_joint_type)-1;
        assert_true(fa_joint_type_named(fa_joint_kinds[i].name, &found));
        assert_int_equal(found, i);
    }
    fa_joint_type stays = FA_PRISMATIC;
    assert_false(fa_joint_type_named("hinge", &stays));
    assert_false(fa_joint_type_named("", &stays));
    assert_int_equal(stays, FA_PRISMATIC);
}

// What does not move has no freedom; what has one, whose speed is its position's rate, moves about
// its axis, along it, or both.
static void the_columns_of_a_row_fit_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < FA_JOINT_TYPE_COUNT; i++) {
        const fa_joint_kind *kind = &fa_joint_kinds[i];
        const fa_joint_type  type = (fa_joint_type)i;
        assert_int_equal(kind->speeds > 0, kind->turns || kind->slides);
        assert_int_equal(kind->speeds > 0, type != FA_FIXED);
        // A quaternion is one number more than there are speeds.
        assert_int_equal(kind->positions, kind->speeds + fa_joint_has_ball(type));
        assert_int_equal(kind->speeds > 1, fa_joint_is_several(type));
        assert_int_equal(kind->turns, fa_joint_turns(type));
        assert_int_equal(kind->slides, fa_joint_slides(type));
        assert_int_equal(kind->slides && !kind->turns, fa_joint_is_linear(type));
    }
}

// A central difference of h = 1e-5 over motions of a few metres and radians: its own error is
// h^2 / 6 times the third derivative, 1e-10, and that of rounding 1e-16 / h.
static const double STEP = 1e-5, TOLERANCE = 1e-9;

static void close_to(double a, double b)
{
    if (!(fabs(a - b) <= TOLERANCE)) fail_msg("%.17g is not %.17g", a, b);
}

static void close_vectors(fa_vec3 a, fa_vec3 b)
{
    close_to(a.x, b.x);
    close_to(a.y, b.y);
    close_to(a.z, b.z);
}

// From X(q) and its difference: E' = -w~ E with w in the child's axes, and the child's origin moves
// by E r' there.
static fa_twist measured(const fa_body *body, double q)
{
    const fa_transform X = fa_joint_transform(body, q);
    const fa_transform after = fa_joint_transform(body, q + STEP);
    const fa_transform before = fa_joint_transform(body, q - STEP);
    fa_mat3            rate;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            rate.m[i][k] = (after.E.m[i][k] - before.E.m[i][k]) / (2 * STEP);
    const fa_mat3 w = mat3_mat3(rate, mat3_transpose(X.E)); // -w~
    const fa_vec3 moved = vec3_scale(1 / (2 * STEP), vec3_sub(after.r, before.r));
    return (fa_twist){vec3(w.m[1][2], w.m[2][0], w.m[0][1]), mat3_mul(X.E, moved)};
}

static void the_motion_subspace_is_the_rate_of_the_transform(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < FA_JOINT_TYPE_COUNT; i++) {
        const fa_joint_type type = (fa_joint_type)i;
        for (int trial = 0; trial < 20 && fa_joint_kinds[i].speeds == 1; trial++) {
            const fa_body  body = random_body(&seed, type);
            const double   q = random_in(&seed, -3, 3);
            const fa_twist S = fa_joint_axis(&body), got = measured(&body, q);
            close_vectors(got.angular, S.angular);
            close_vectors(got.linear, S.linear);
            assert_int_equal(vec3_norm(S.angular) > 0, fa_joint_turns(type));
            assert_int_equal(vec3_norm(S.linear) > 0, fa_joint_slides(type));
        }
    }
}

// A quaternion of any length turns as that of length one: E v = v + 2 w (v x u) + 2 u x (u x v) for
// w + u, E from the parent's axes to the child's.
static void quaternions_of_any_length_turn_alike(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 100; trial++) {
        double q[4], square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = random_in(&seed, -3, 3);
            square += q[i] * q[i];
        }
        const fa_mat3 E = fa_rotation_of_quaternion(q);
        const fa_vec3 v = random_axis(&seed), u = vec3(q[1], q[2], q[3]);
        const fa_vec3 turn = vec3_add(vec3_scale(q[0], cross(v, u)), cross(u, cross(u, v)));
        close_vectors(mat3_mul(E, v), vec3_add(v, vec3_scale(2 / square, turn)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_name),
        cmocka_unit_test(the_columns_of_a_row_fit_each_other),
        cmocka_unit_test(the_motion_subspace_is_the_rate_of_the_transform),
        cmocka_unit_test(quaternions_of_any_length_turn_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
