// A robot that is written in another format and read again is the same robot: the same joints and
// links, the same torques for the same motion, the same start.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "conversion.h"
#include "import.h"
#include "methods.h"
#include "random.h"
#include "test.h"

enum { LINKS = 64, BODIES = 64 };

static fa_robot *read_text(const char *text, const char *name)
{
    fa_robot *robot;
    fa_error  error = fa_no_error();
    if (fa_import_text(text, strlen(text), name, NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s:%d: %s", name, error.place.line, error.message);
    return robot;
}

// In the format that the name's suffix says.
static char *written(const fa_robot *robot, const char *name)
{
    fa_convert_format format;
    fa_error          error = fa_no_error();
    char             *text;
    size_t            size;
    assert_true(fa_convert_format_of(name, &format));
    if (fa_convert(robot, format, NULL, &text, &size, &error) != FA_OK)
        fail_msg("%s", error.message);
    return text;
}

static fa_robot *written_and_read(const fa_robot *robot, const char *name)
{
    char     *text = written(robot, name);
    fa_robot *again = read_text(text, name);
    free(text);
    return again;
}

static int joint_of(const fa_robot *robot, const char *name)
{
    for (int i = 0; i < robot->n_links; i++)
        if (strcmp(robot->link[i].joint.name, name) == 0) return i;
    fail_msg("there is no joint '%s'", name);
    return 0;
}

static int link_of(const fa_robot *robot, const char *name)
{
    for (int i = 0; i < robot->n_links; i++)
        if (strcmp(robot->link[i].name, name) == 0) return i;
    fail_msg("there is no link '%s'", name);
    return 0;
}

typedef struct moving {
    fa_chain     chain;
    fa_body      body[BODIES];
    int          link_body[LINKS];
    fa_transform frame[LINKS];
    double       q[BODIES], qd[BODIES], qdd[BODIES], tau[BODIES];
} moving;

static void build(moving *m, const fa_robot *robot)
{
    assert_true(robot->n_links <= LINKS && fa_chain_bodies(robot) <= BODIES);
    m->chain = fa_chain_build(robot, m->body, m->link_body, m->frame);
}

static void find_torques(moving *m)
{
    const fa_load none = {NULL};
    void         *work = malloc(fa_newton_euler_inverse_work_size(&m->chain) + 1);
    assert_non_null(work);
    assert_int_equal(fa_newton_euler_inverse(&m->chain, m->q, m->qd, m->qdd, &none, m->tau, work),
                     FA_OK);
    free(work);
}

// Coordinates of joints with the same name get the same numbers.
static void assert_moves_alike(const fa_robot *a, const fa_robot *b, uint64_t *seed)
{
    static moving one, other;
    int           of[BODIES] = {0};
    build(&one, a);
    build(&other, b);
    assert_int_equal(one.chain.n_coordinates, other.chain.n_coordinates);
    for (int i = 0; i < a->n_links; i++) {
        const fa_joint *joint = &a->link[i].joint;
        if (joint->type != FA_REVOLUTE && joint->type != FA_PRISMATIC) continue;
        const int c = one.body[one.link_body[i]].coordinate;
        of[c] = other.body[other.link_body[joint_of(b, joint->name)]].coordinate;
    }
    double size = 0;
    for (int c = 0; c < one.chain.n_coordinates; c++) {
        one.q[c] = other.q[of[c]] = random_in(seed, -2, 2);
        one.qd[c] = other.qd[of[c]] = random_in(seed, -2, 2);
        one.qdd[c] = other.qdd[of[c]] = random_in(seed, -2, 2);
    }
    find_torques(&one);
    find_torques(&other);
    for (int c = 0; c < one.chain.n_coordinates; c++) size = fmax(size, fabs(one.tau[c]));
    // Rounding of angles, inertias and their sums: some hundreds of roundings of the largest.
    for (int c = 0; c < one.chain.n_coordinates; c++)
        if (!(fabs(one.tau[c] - other.tau[of[c]]) <= 1e-12 * size))
            fail_msg("coordinate %d: %.17g is %.17g", c, one.tau[c], other.tau[of[c]]);
}

static fa_transform at(fa_vec3 r)
{
    return (fa_transform){mat3_identity(), r};
}

// Returns the pose of a link in the world with all coordinates at zero.
static fa_transform pose_of(const moving *m, int link)
{
    static const double zero[BODIES] = {0};
    static fa_transform pose[BODIES];
    fa_chain_poses(&m->chain, zero, pose);
    const int body = m->link_body[link];
    return body == FA_WORLD ? m->frame[link] : transform_compose(pose[body], m->frame[link]);
}

// Where the robot stands: no torque follows from that.
static void assert_stands_alike(const fa_robot *a, const fa_robot *b)
{
    static moving one, other;
    build(&one, a);
    build(&other, b);
    for (int i = 0; i < a->n_links; i++) {
        const int     k = link_of(b, a->link[i].name);
        const fa_vec3 was = transform_compose(pose_of(&one, i), at(a->link[i].com)).r;
        const fa_vec3 is = transform_compose(pose_of(&other, k), at(b->link[k].com)).r;
        if (!(vec3_norm(vec3_sub(was, is)) < 1e-13)) // rounding of angles over some metres
            fail_msg("link '%s' is %g %g %g m off", a->link[i].name, is.x - was.x, is.y - was.y,
                     is.z - was.z);
    }
}

static void random_trees_move_as_before(void **state)
{
    (void)state;
    uint64_t seed = 16;
    for (int trial = 0; trial < 40; trial++) {
        const bool  urdf = trial % 2;
        const char *name = urdf ? "as.urdf" : "as.mjcf";
        // A joint of MJCF follows by an equation, which is a loop, and not by its coordinate.
        fa_robot *robot =
            random_robot(&seed, 1 + trial % 8, RANDOM_BRANCHED | (urdf ? RANDOM_COUPLED : 0));
        fa_error error = fa_no_error();
        for (int i = 0; i < robot->n_links && urdf; i++)
            robot->link[i].joint.rotor.inertia = 0; // which URDF does not have, nor gravity
        if (urdf) robot->gravity = vec3(0, 0, -9.81);
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        if (trial % 8 > 1) robot->link[0].joint.origin = random_place(&seed, 2);
        if (trial % 8 > 3) robot->link[0].joint.origin.E = mat3_identity();
        if (trial % 8 > 5) robot->link[0].joint.origin.r.x = robot->link[0].joint.origin.r.y = 0;
        robot->checked = false;
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        fa_robot *again = written_and_read(robot, name);
        for (int i = 0; i < 3; i++) assert_moves_alike(robot, again, &seed);
        assert_stands_alike(robot, again);
        free(again);
        free(robot);
    }
}

// An <arm> has Denavit and Hartenberg's parameters: frames move, and angles keep their zero.
static void random_arms_move_as_before(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int trial = 0; trial < 20; trial++) {
        fa_robot *robot = random_robot(&seed, 1 + trial % 6, 0);
        fa_error  error = fa_no_error();
        if (trial % 2) robot->link[0].joint.origin = random_place(&seed, 2);
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        fa_robot *again = written_and_read(robot, "as.xml");
        for (int i = 0; i < 3; i++) assert_moves_alike(robot, again, &seed);
        free(again);
        free(robot);
    }
}

// Its quaternion needs no length of 1, and each of its four parts counts.
static void what_floats_starts_where_it_started(void **state)
{
    (void)state;
    static const double turned[][4] = {{4, 0, 3, 0}, {5, 1, 2, -3}, {1, 2, 3, 4},
                                       {0, 1, 0, 0}, {-2, 1, 0, 5}, {1, 0, 0, 0}};
    for (size_t t = 0; t < sizeof turned / sizeof *turned; t++) {
        const double *q = turned[t],
                     n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "<arm name='f' convention='standard'><joint name='body' type='floating'>"
                       "<link name='trunk' mass='5' com='0.01 0 0.02' inertia='0.2 0.3 0.25 0.01 0 "
                       "0'/><initial position='0.1 -0.2 0.4' quaternion='%g %g %g %g'/></joint>"
                       "</arm>",
                       q[0], q[1], q[2], q[3]);
        fa_robot *robot = read_text(text, "f.xml");
        fa_robot *again = written_and_read(robot, "f.mjcf");
        char     *out = written(robot, "f.mjcf"), *quat = strstr(out, "quat=\"");
        double    w[4] = {1, 0, 0, 0}, sum = 0;
        if (quat)
            assert_int_equal(sscanf(quat, "quat=\"%lf %lf %lf %lf", w, w + 1, w + 2, w + 3), 4);
        for (int k = 0; k < 4; k++) sum += w[k] * w[k];
        assert_true(fabs(sum - 1) < 1e-14); // rounding of each
        free(out);
        const fa_joint_start *start = &again->link[joint_of(again, "body")].joint.start;
        const double          sign =
            start->quaternion[0] * q[0] < 0 || (q[0] == 0 && start->quaternion[1] * q[1] < 0) ? -1
                                                                                                       : 1;
        for (int k = 0; k < 4; k++)
            assert_float_equal(sign * start->quaternion[k], q[k] / n, 1e-15 * 8); // of a rotation
        for (int k = 0; k < 3; k++)
            assert_float_equal(start->position[k], robot->link[1].joint.start.position[k], 1e-15);
        free(again);
        free(robot);
    }
}

// A massless link between two joints is no body of its own in MJCF, unless something holds it.
static void a_massless_link_that_a_loop_holds_stays(void **state)
{
    (void)state;
    static const char inertial[] = "<inertial><origin xyz='0.1 0 0'/><mass value='1'/><inertia "
                                   "ixx='0.01' iyy='0.02' izz='0.02' ixy='0' ixz='0' iyz='0'/>"
                                   "</inertial>";
    for (int e = 0; e < 3; e++) {
        char text[8192], loop[512] = "", links[4096] = "";
        int  used = 0;
        if (e < 2)
            (void)snprintf(loop, sizeof loop,
                           "<loop name='pin' type='spherical'><predecessor link='%s'><origin "
                           "xyz='%s'/></predecessor><successor link='%s'><origin xyz='%s'/>"
                           "</successor></loop>",
                           e ? "l4" : "base", e ? "0.1 0.2 0.05" : "1 0.2 0.05", e ? "base" : "l4",
                           e ? "1 0.2 0.05" : "0.1 0.2 0.05");
        for (int i = 1; i <= 5; i++)
            used += snprintf(links + used, sizeof links - (size_t)used,
                             "<link name='l%d'>%s</link><joint name='j%d' type='continuous'>"
                             "<parent link='%s%.0d'/><child link='l%d'/><origin xyz='%s 0 0'/>"
                             "<axis xyz='0 %d %d'/></joint>",
                             i, i == 4 ? "" : inertial, i, i == 1 ? "base" : "l", i - 1, i,
                             i == 1 ? "0" : "0.3", i % 2 == 0, i % 2);
        (void)snprintf(text, sizeof text, "<robot name='r'><link name='base'/>%s%s</robot>", links,
                       loop);
        fa_robot *robot = read_text(text, "r.urdf");
        fa_robot *again = written_and_read(robot, "r.mjcf");
        assert_int_equal(again->n_loops, robot->n_loops);
        for (int i = 0; i < robot->n_links && e < 2; i++) (void)link_of(again, robot->link[i].name);
        if (e < 2) {
            const fa_loop *was = fa_robot_loop(robot, 0), *is = fa_robot_loop(again, 0);
            assert_string_equal(again->link[is->from].name, robot->link[was->from].name);
            assert_string_equal(again->link[is->to].name, robot->link[was->to].name);
        }
        free(again);
        free(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_move_as_before),
        cmocka_unit_test(random_arms_move_as_before),
        cmocka_unit_test(what_floats_starts_where_it_started),
        cmocka_unit_test(a_massless_link_that_a_loop_holds_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
