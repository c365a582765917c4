// The robot as data: its rules, each with the sentence that it gives, and its file.
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "random.h"
#include "robot_file.h"
#include "robot_link.h"
#include "sha256.h"

// -------------------------------------------------------------------------------------- the rules

typedef struct rule {
    void (*spoil)(fa_robot *robot);
    const char *sentence; // a part of it
} rule;

static void no_name(fa_robot *r)
{
    r->name[0] = '\0';
}
static void no_name_of_a_link(fa_robot *r)
{
    r->link[1].name[0] = '\0';
}
static void no_name_of_a_joint(fa_robot *r)
{
    r->link[1].joint.name[0] = '\0';
}
static void no_utf8(fa_robot *r)
{
    r->link[1].name[0] = '\x9b';
}
static void twin_links(fa_robot *r)
{
    strcpy(r->link[2].name, "link1");
}
static void twin_joints(fa_robot *r)
{
    strcpy(r->link[2].joint.name, "joint1");
}
static void negative_mass(fa_robot *r)
{
    r->link[1].mass = -1;
}
static void mass_nan(fa_robot *r)
{
    r->link[1].mass = NAN;
}
static void indefinite(fa_robot *r)
{
    r->link[1].inertia = (fa_sym3){1, 1, -0.5, 0, 0, 0};
}
static void long_axis(fa_robot *r)
{
    r->link[1].joint.axis = vec3(0, 0, 2);
}
static void mirrored(fa_robot *r)
{
    r->link[1].joint.origin.E.m[0][0] *= -1;
}
static void limits_crossed(fa_robot *r)
{
    r->link[1].joint.limit.lower = 1;
    r->link[1].joint.limit.upper = -1;
}
static void starts_outside(fa_robot *r)
{
    r->link[1].joint.limit.lower = 1e9;
    r->link[1].joint.limit.upper = INFINITY;
}
static void negative_effort(fa_robot *r)
{
    r->link[1].joint.limit.effort = -5;
}
static void negative_damping(fa_robot *r)
{
    r->link[1].joint.friction.viscous = -0.1;
}
static void no_width(fa_robot *r)
{
    r->link[1].joint.friction.width = 0;
}
static void child_first(fa_robot *r)
{
    r->link[1].parent = 3;
}
static void two_bases(fa_robot *r)
{
    r->link[2].parent = FA_WORLD;
}
static void follows_itself(fa_robot *r)
{
    r->link[1].joint.mimic.leader = 1;
}
static void follows_in_a_ring(fa_robot *r)
{
    r->link[1].joint.mimic.leader = 3;
    r->link[3].joint.mimic.leader = 1;
}
static void follows_a_fixed_one(fa_robot *r)
{
    r->link[1].joint.mimic.leader = 2;
}
static void weightless(fa_robot *r)
{
    for (int i = 5; i <= 6; i++) {
        r->link[i].mass = 0;
        r->link[i].inertia = (fa_sym3){0, 0, 0, 0, 0, 0};
    }
    r->link[5].joint.rotor.inertia = 0;
}
static void no_links(fa_robot *r)
{
    r->n_links = 0;
}
static void tip_nowhere(fa_robot *r)
{
    r->tip_link = 99;
}
static void cylinders_below_zero(fa_robot *r)
{
    r->n_cylinders = -1;
}
static void kind_of_joint(fa_robot *r)
{
    r->link[2].joint.type = (fa_joint_type)99;
}
static void kind_of_output(fa_robot *r)
{
    r->outputs = 1000;
}
static void kind_of_input(fa_robot *r)
{
    r->snake.input = FA_SNAKE_INPUT_COUNT;
}
static void no_place_to_be(fa_robot *r)
{
    r->link[1].joint.limit.lower = INFINITY;
    r->link[1].joint.limit.upper = INFINITY;
}
static void rest_nan(fa_robot *r)
{
    r->link[1].joint.spring.present = true;
    r->link[1].joint.spring.rest = NAN;
}
static void breakaway_endless(fa_robot *r)
{
    r->link[1].joint.friction.breakaway = INFINITY;
}
static void closes_before_all_time(fa_robot *r)
{
    r->link[1].joint.closure = (fa_closure_data){true, 1, 1, -INFINITY, false};
}
static void axis_on_two_links(fa_robot *r)
{
    strcpy(r->plant, "cylinder");
}

static void every_rule_has_its_sentence(void **state)
{
    (void)state;
    static const rule rules[] = {
        {no_name, "the robot has no name"},
        {no_name_of_a_link, "a link has no name"},
        {no_name_of_a_joint, "a joint has no name"},
        {no_utf8, "the name of a link, '?ink1', has a control character"},
        {twin_links, "two links are called 'link1'"},
        {twin_joints, "two joints are called 'joint1'"},
        {negative_mass, "link 'link1' has the mass -1 kg"},
        {mass_nan, "of link 'link1' is not finite"},
        {indefinite, "the inertia of link 'link1' is not positive semi-definite"},
        {long_axis, "the axis of joint 'joint1' is not a unit vector"},
        {mirrored, "the origin of joint 'joint1' is not a rotation"},
        {starts_outside, "which must be at least 1000000000; let it start within its limits"},
        {limits_crossed, "joint 'joint1' has the lower limit 1 above its upper limit -1"},
        {negative_effort,
         "the effort_limit of joint 'joint1' is -5; it must be a finite number and not"},
        {negative_damping, "the viscous_friction of joint 'joint1' is -0.1"},
        {no_width, "the friction_width of joint 'joint1' is 0"},
        {child_first, "link 'link1' comes before the link that it hangs on"},
        {two_bases, "'base' and 'link2' are both bases"},
        {follows_itself, "joint 'joint1' follows itself"},
        {follows_in_a_ring, "joint 'joint1' follows itself by way of other joints"},
        {follows_a_fixed_one, "joint 'joint1' follows a joint that does not move"},
        {weightless, "link 'link5' moves but has no inertia about the axis of joint 'joint5'"},
        {no_links, "the robot has no links"},
        {tip_nowhere, "the tip is on no link"},
        {cylinders_below_zero, "the robot has -1 cylinders"},
        {kind_of_joint, "of a kind that does not exist"},
        {kind_of_output, "of a kind that does not exist"},
        {kind_of_input, "of a kind that does not exist"},
        {no_place_to_be,
         "the lower_limit of joint 'joint1' is infinity; it must be a finite number"},
        {rest_nan, "the rest of joint 'joint1' is NaN; it must be a finite number"},
        {breakaway_endless, "the static_friction of joint 'joint1' is infinity"},
        {closes_before_all_time, "the closure_time of joint 'joint1' is -infinity"},
        {axis_on_two_links, "a hydraulic axis has one cylinder"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        uint64_t  seed = 1;
        fa_robot *robot = random_robot(&seed, 3, RANDOM_REVOLUTE_ONLY);
        fa_error  error = {.message = ""};
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_OK);
        rules[i].spoil(robot);
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
        assert_false(robot->checked);
        if (!strstr(error.message, rules[i].sentence))
            fail_msg("expected '%s', got '%s'", rules[i].sentence, error.message);
        free(robot);
    }
}

// What a fixed joint says of its motion, and what says how something is that is not there.
static void what_means_nothing_gets_its_default(void **state)
{
    (void)state;
    uint64_t  seed = 1;
    fa_robot *robot = random_robot(&seed, 3, RANDOM_REVOLUTE_ONLY);
    fa_joint *moves = &robot->link[1].joint, *fixed = &robot->link[2].joint;
    assert_int_equal(moves->type, FA_REVOLUTE);
    assert_int_equal(fixed->type, FA_FIXED);
    fixed->motor = (fa_motor_data){true, 2, 0.7, 0.6, 0.5, 0.7, 0.6, 24, 3};
    fixed->closure = (fa_closure_data){true, 1, 1, 1, false};
    fixed->friction.sticks = fixed->lock.present = fixed->stop.present = true;
    fixed->mimic.leader = 2000000000;
    fixed->initial_position = NAN;
    moves->spring.present = false;
    moves->spring.stiffness = NAN;
    moves->motor.inductance = 1; // and no motor
    robot->link[0].wrench = true;
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    assert_true(robot->checked);
    assert_false(fixed->motor.present || fixed->closure.present || fixed->friction.sticks ||
                 fixed->lock.present || fixed->stop.present || robot->link[0].wrench);
    assert_int_equal(fixed->mimic.leader, FA_NOBODY);
    assert_true(fixed->initial_position == 0 && moves->spring.stiffness == 0);
    assert_true(moves->motor.inductance == 0 && fixed->motor.inductance == 0);
    free(robot);
}

static void count_warning(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)file;
    (void)place;
    assert_non_null(strstr(sentence, "the largest exceeds the sum of the others"));
    ++*(int *)context;
}

static void an_inertia_that_no_body_has_is_only_odd(void **state)
{
    (void)state;
    uint64_t  seed = 1;
    fa_robot *robot = random_robot(&seed, 3, 0);
    int       warnings = 0;
    fa_log    log = {.warn = count_warning, .context = &warnings};
    robot->link[1].inertia = (fa_sym3){1, 1, 2.5, 0, 0, 0};
    assert_int_equal(fa_robot_check(robot, &log, NULL), FA_OK);
    assert_int_equal(warnings, 1);
    free(robot);
}

// What is below zero by rounding of the largest moment is taken for rounding, whatever the smallest
// is.
static void a_moment_below_zero_by_rounding_is_rounding(void **state)
{
    (void)state;
    fa_link  link = {.name = "plate", .mass = 1, .inertia = {1, 1, -5e-7, 0, 0, 0}};
    fa_error error = fa_no_error();
    assert_int_equal(fa_link_check(&link, 0, NULL, NULL, &error), FA_OK);
    link.inertia.zz = -5e-6;
    assert_int_equal(fa_link_check(&link, 0, NULL, NULL, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "not positive semi-definite"));
    assert_int_equal(fa_link_check(&link, 10, NULL, NULL, &error),
                     FA_OK); // of what it is bolted to
}

// The waist of the PUMA 560: no mass, and inertia about its axis alone.
static void a_link_needs_inertia_about_its_own_axis_only(void **state)
{
    (void)state;
    uint64_t  seed = 1;
    fa_robot *robot = random_robot(&seed, 1, RANDOM_REVOLUTE_ONLY);
    for (int i = 1; i <= 2; i++) {
        robot->link[i].mass = 0;
        robot->link[i].inertia = (fa_sym3){0, 0, 0, 0, 0, 0};
    }
    robot->link[1].joint.rotor.inertia = 0;
    robot->link[1].frame = transform_identity();
    robot->link[1].joint.axis = vec3(0, 1, 0);
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_BAD_INPUT);
    robot->link[1].inertia.yy = 0.35;
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    free(robot);
}

// -------------------------------------------------------------------------- locks, tips, followers

static void a_locked_joint_stands_where_it_was_told_to(void **state)
{
    (void)state;
    uint64_t  seed = 7;
    fa_robot *robot = random_robot(&seed, 4, 0);
    robot->link[3].joint.mimic = (fa_mimic){1, -2, 0.25};
    double       q[4] = {0.7, 0.7, 0.3, -0.4};
    fa_body      body[4];
    int          link_body[9];
    fa_transform frame[9], pose[4], before, after;
    fa_chain     chain = fa_chain_build(robot, body, link_body, frame);
    // Coordinates: joint1, then joint5 and joint7; joint3 follows joint1.
    double free_q[3] = {q[0], q[2], q[3]};
    fa_chain_poses(&chain, free_q, pose);
    before = transform_compose(pose[link_body[8]], frame[8]);

    assert_int_equal(fa_robot_lock(robot, "joint1", q[0], NULL), FA_OK);
    chain = fa_chain_build(robot, body, link_body, frame);
    assert_int_equal(chain.n, 2);
    assert_false(chain.coupled);
    fa_chain_poses(&chain, free_q + 1, pose);
    after = transform_compose(pose[link_body[8]], frame[8]);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs((&before.r.x)[i] - (&after.r.x)[i]) < 1e-14); // rounding of lengths of 1 m
        for (int j = 0; j < 3; j++) assert_true(fabs(before.E.m[i][j] - after.E.m[i][j]) < 1e-14);
    }
    fa_error error = fa_no_error();
    assert_int_equal(fa_robot_lock(robot, "joint1", 0, &error), FA_BAD_INPUT);
    assert_int_equal(fa_robot_lock(robot, "nothing", 0, &error), FA_BAD_INPUT);
    free(robot);
}

// What is inside of a cylinder follows from its cut and from two of its numbers.
static void parts_of_a_cylinder_follow_from_its_cut(void **state)
{
    (void)state;
    fa_cylinder c = {.cut = FA_CUT_VALVE};
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) c.number[i] = 5;
    assert_true(fa_cylinder_parts(&c) & FA_PART_SPOOL);
    assert_false(fa_cylinder_parts(&c) & FA_PART_PUMP);
    c.number[FA_CYLINDER_bandwidth] = 0;
    assert_int_equal(fa_cylinder_parts(&c), FA_PART_CHAMBERS | FA_PART_VALVE);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) c.number[i] = NAN;
    assert_int_equal(fa_cylinder_parts(&c), FA_PART_CHAMBERS | FA_PART_VALVE);
    c.number[FA_CYLINDER_bandwidth] = 10;
    c.pump = true;
    assert_int_equal(fa_cylinder_parts(&c),
                     FA_PART_CHAMBERS | FA_PART_VALVE | FA_PART_SPOOL | FA_PART_PUMP);
    c.cut = FA_CUT_CHAMBER;
    assert_int_equal(fa_cylinder_parts(&c), FA_PART_CHAMBERS);
    c.cut = FA_CUT_FORCE;
    assert_int_equal(fa_cylinder_parts(&c), 0);
}

static void the_deepest_leaf_is_the_tip(void **state)
{
    (void)state;
    uint64_t  seed = 1;
    fa_robot *robot = random_robot(&seed, 3, RANDOM_REVOLUTE_ONLY);
    int       equals;
    assert_int_equal(fa_robot_guess_tip(robot, &equals), 6);
    assert_int_equal(equals, 0);
    robot->link[6].parent = 4; // two leaves with two joints each but one link fewer
    robot->link[5].parent = 2;
    assert_int_equal(fa_robot_guess_tip(robot, &equals), 6);
    free(robot);
}

// ---------------------------------------------------------------------------------------- the file

typedef struct file {
    char  *text;
    size_t size;
} file;

static file write_file(fa_robot *robot)
{
    file       f;
    fa_options options = {.fmi = 3, .identifier = "random"};
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    assert_int_equal(fa_robot_file_write(robot, &options, &f.text, &f.size, NULL), FA_OK);
    return f;
}

static void write_after_read_is_identity(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        fa_robot *robot = random_robot(&seed, 1 + trial % 9, RANDOM_BRANCHED | RANDOM_COUPLED);
        strcpy(robot->link[1].name, "a name / 100% \xc3\xa9");
        file       f = write_file(robot);
        fa_robot  *again;
        fa_options options;
        fa_error   error = fa_no_error();
        if (fa_robot_file_read(f.text, f.size, &again, &options, &error) != FA_OK)
            fail_msg("%s", error.message);
        assert_string_equal(options.identifier, "random");
        assert_string_equal(again->link[1].name, robot->link[1].name);
        file g = write_file(again);
        assert_int_equal(f.size, g.size);
        assert_memory_equal(f.text, g.text, f.size);
        free(g.text);
        free(f.text);
        free(again);
        free(robot);
    }
}

// Whatever is accepted is what would be written: no two files stand for one robot.
static void every_changed_byte_is_refused_or_means_what_it_says(void **state)
{
    (void)state;
    uint64_t  seed = 4;
    fa_robot *robot = random_robot(&seed, 2, RANDOM_COUPLED | RANDOM_SPRINGS);
    file      f = write_file(robot);
    int       accepted = 0;
    for (size_t i = 0; i < f.size; i++) {
        char original = f.text[i];
        for (size_t bit = i % 4; bit < 8; bit += 4) {
            f.text[i] = (char)(original ^ 1 << bit);
            fa_robot  *again;
            fa_options options;
            if (fa_robot_file_read(f.text, f.size, &again, &options, NULL) != FA_OK) continue;
            char  *text;
            size_t size;
            accepted++;
            assert_int_equal(fa_robot_file_write(again, &options, &text, &size, NULL), FA_OK);
            assert_int_equal(size, f.size);
            assert_memory_equal(text, f.text, size);
            free(text);
            free(again);
        }
        f.text[i] = original;
    }
    assert_true(accepted > 0); // digits of masses, for instance
    free(f.text);
    free(robot);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    uint64_t  seed = 5;
    fa_robot *robot = random_robot(&seed, 2, 0);
    file      f = write_file(robot);
    for (size_t size = 0; size < f.size; size++) {
        // A copy of its own, so that reading past its end is seen.
        char      *cut = malloc(size + 1);
        fa_robot  *again;
        fa_options options;
        memcpy(cut, f.text, size);
        cut = realloc(cut, size ? size : 1);
        assert_int_not_equal(fa_robot_file_read(cut, size, &again, &options, NULL), FA_OK);
        free(cut);
    }
    free(f.text);
    free(robot);
}

// FIPS 180-4's own examples.
static void sha256_is_that_of_the_standard(void **state)
{
    (void)state;
    static const uint8_t abc[4] = {0xba, 0x78, 0x16, 0xbf}, empty[4] = {0xe3, 0xb0, 0xc4, 0x42};
    static const uint8_t two_blocks[4] = {0x24, 0x8d, 0x6a, 0x61};
    uint8_t              digest[32];
    fa_sha256("abc", 3, digest);
    assert_memory_equal(digest, abc, 4);
    fa_sha256("", 0, digest);
    assert_memory_equal(digest, empty, 4);
    fa_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
    assert_memory_equal(digest, two_blocks, 4);
}

// A robot with a contact on a wheel, an obstacle and a line spring.
static fa_robot *touching(void)
{
    uint64_t  seed = 1;
    fa_robot *robot = fa_robot_with_touches(random_robot(&seed, 3, RANDOM_REVOLUTE_ONLY), 1, 1, 1);
    assert_non_null(robot);
    fa_contact     *contact = fa_robot_contacts(robot);
    fa_obstacle    *obstacle = fa_robot_obstacles(robot);
    fa_line_spring *spring = fa_robot_springs(robot);
    strcpy(contact->name, "foot");
    contact->link = spring->to = robot->n_links - 1;
    contact->shape = FA_CONTACT_WHEEL;
    contact->law.radius = contact->law.stiffness = 1;
    strcpy(obstacle->name, "ball");
    obstacle->radius = 1;
    strcpy(spring->name, "pull");
    spring->law.stiffness = spring->law.rest = 1;
    return robot;
}

static void far_away(fa_robot *r)
{
    fa_robot_contacts(r)->point.x = INFINITY;
}
static void long_wheel_axis(fa_robot *r)
{
    fa_robot_contacts(r)->axis.x = 2;
}
static void obstacle_far_away(fa_robot *r)
{
    fa_robot_obstacles(r)->pose.r.z = NAN;
}
static void spring_far_away(fa_robot *r)
{
    fa_robot_springs(r)->from_point.y = INFINITY;
}
static void nameless_contact(fa_robot *r)
{
    fa_robot_contacts(r)->name[0] = '\0';
}
static void stiffness_unsaid(fa_robot *r)
{
    fa_robot_contacts(r)->law.stiffness = NAN;
}
static void too_many_contacts(fa_robot *r)
{
    r->n_contacts = -1;
}

static void every_rule_on_touches_has_its_sentence(void **state)
{
    (void)state;
    static const rule rules[] = {
        {far_away, "the place of contact 'foot' is not finite"},
        {long_wheel_axis, "the axis of contact 'foot' is not a unit vector"},
        {obstacle_far_away, "the place of obstacle 'ball' is not finite"},
        {spring_far_away, "an end of line spring 'pull' is not at a finite place"},
        {nameless_contact, "a contact has no name; give it one"},
        {stiffness_unsaid, "the stiffness of contact 'foot' is NaN"},
        {too_many_contacts, "the robot has -1 contacts, obstacles or line springs"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fa_robot *robot = touching();
        fa_error  error = {.message = ""};
        if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
        rules[i].spoil(robot);
        assert_int_equal(fa_robot_check(robot, NULL, &error), FA_BAD_INPUT);
        if (!strstr(error.message, rules[i].sentence))
            fail_msg("expected '%s', got '%s'", rules[i].sentence, error.message);
        free(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_has_its_sentence),
        cmocka_unit_test(every_rule_on_touches_has_its_sentence),
        cmocka_unit_test(what_means_nothing_gets_its_default),
        cmocka_unit_test(an_inertia_that_no_body_has_is_only_odd),
        cmocka_unit_test(a_moment_below_zero_by_rounding_is_rounding),
        cmocka_unit_test(a_link_needs_inertia_about_its_own_axis_only),
        cmocka_unit_test(a_locked_joint_stands_where_it_was_told_to),
        cmocka_unit_test(parts_of_a_cylinder_follow_from_its_cut),
        cmocka_unit_test(the_deepest_leaf_is_the_tip),
        cmocka_unit_test(write_after_read_is_identity),
        cmocka_unit_test(every_changed_byte_is_refused_or_means_what_it_says),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(sha256_is_that_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
