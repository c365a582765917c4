// What depends on what in every plant, for the robots of this repository and for random ones with
// everything that can act at a joint: tests/depends.txt has a digest of each robot's lists.
// FOREARM_UPDATE=1 in the environment writes them anew; FOREARM_PRINT=1 prints tables and lists.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "plant.h"
#include "random.h"
#include "sha256.h"

#define STORED "depends.txt" // tests run in the folder tests/

enum { RANDOM = 60, TEXT = 1 << 22 };

typedef struct digests {
    char *text; // of the file as it should be
    char  file[TEXT / 8];
    int   missing;
} digests;

static char text[TEXT]; // of one robot's lists

static void print(const fa_variables *t)
{
    if (!getenv("FOREARM_PRINT")) return;
    for (int i = 0; i < t->n; i++) {
        const fa_variable *v = &t->row[i];
        printf("%d %s | %s | %a %a %a %a | %d %d %d | %u | %d %d %d %d %d %d\n", i, v->name,
               v->description, v->start, v->minimum, v->maximum, v->nominal, v->derivative,
               v->initial, v->initial_rate, v->group, v->role, v->type, v->unit, v->discrete,
               v->jumps, v->records);
    }
    printf("%s", text);
}

static size_t lists(const fa_plant *plant, const fa_robot *robot, const fa_variables *t)
{
    size_t n = 0;
    for (int i = t->first[FA_STATE]; i < t->first[FA_TIME]; i++) {
        n += (size_t)snprintf(text + n, TEXT - n, "%s:", t->row[i].name);
        for (int k = 0; k < t->n && n < TEXT - 1024; k++) {
            if (k >= t->first[FA_OUTPUT] && k < t->first[FA_TIME]) continue;
            const fa_dependence how = plant->depends(robot, t, i, k);
            if (how != FA_INDEPENDENT)
                n += (size_t)snprintf(text + n, TEXT - n, " %s%s", t->row[k].name,
                                      how == FA_PROPORTIONAL ? "!" : "");
        }
        n += (size_t)snprintf(text + n, TEXT - n, "\n");
    }
    assert_true(n < TEXT - 1024);
    return n;
}

// Compares the robot's lists with what is stored, as the plant of that name; some robots are no
// such plant.
static void compare(digests *d, fa_robot *robot, const char *plant, const char *name)
{
    fa_error     error = fa_no_error();
    fa_variables table;
    void        *block;
    uint8_t      digest[32];
    char         line[256];
    if (plant != robot->plant) (void)snprintf(robot->plant, sizeof robot->plant, "%s", plant);
    robot->checked = false;
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s: %s", name, error.message);
    const fa_plant *of = fa_plant_find(plant);
    if (fa_plant_variables(of, robot, true, &table, &block, &error) != FA_OK)
        fail_msg("%s: %s", name, error.message);
    fa_sha256(text, lists(of, robot, &table), digest);
    print(&table);
    free(block);
    int n = snprintf(line, sizeof line, "%s %s ", name, plant);
    for (int i = 0; i < 8; i++) n += snprintf(line + n, sizeof line - (size_t)n, "%02x", digest[i]);
    (void)snprintf(line + n, sizeof line - (size_t)n, "\n");
    strcat(d->text, line);
    if (!strstr(d->file, line) && !getenv("FOREARM_UPDATE")) {
        print_message("other dependencies than stored: %s", line);
        d->missing++;
    }
}

static void of_file(digests *d, const char *folder, const char *file, const char *cut)
{
    fa_import_options options = {.cut = &cut, .n_cuts = cut != NULL, .outputs = NULL};
    fa_error          error = fa_no_error();
    fa_robot         *robot;
    char              path[256], name[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    (void)snprintf(name, sizeof name, "%s%s%s", file, cut ? "=" : "", cut ? cut : "");
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    const bool arm = strcmp(robot->plant, "arm") == 0;
    if (arm)
        assert_int_equal(
            fa_robot_set_outputs(robot, "reactions,jacobian,mass-matrix,poses,energy", NULL),
            FA_OK);
    compare(d, robot, robot->plant, name);
    if (arm && (!cut || strcmp(cut, "force") == 0)) compare(d, robot, "inverse", name);
    free(robot);
}

static bool chance(uint64_t *seed, double share)
{
    return random_in(seed, 0, 1) < share;
}

static void add_motor(uint64_t *seed, fa_joint *joint)
{
    joint->motor = (fa_motor_data){.present = true,
                                   .resistance = random_in(seed, 1, 2),
                                   .torque_constant = random_in(seed, 1, 2),
                                   .back_emf = random_in(seed, 1, 2),
                                   .inductance = chance(seed, 0.5) ? 0.1 : 0,
                                   .efficiency = chance(seed, 0.5) ? 0.8 : 1,
                                   .efficiency_back = 0.9,
                                   .voltage_limit = chance(seed, 0.5) ? 24 : INFINITY,
                                   .current_limit = chance(seed, 0.5) ? 3 : INFINITY};
}

static void add_servo(uint64_t *seed, fa_joint *joint)
{
    joint->servo = (fa_servo_data){.present = true,
                                   .kp = random_in(seed, 1, 2),
                                   .kd = random_in(seed, 1, 2),
                                   .ki = chance(seed, 0.5) ? 1 : 0,
                                   .antiwindup = 0.5,
                                   .torque_limit = chance(seed, 0.5) ? 9 : INFINITY,
                                   .velocity_limit = chance(seed, 0.5) ? 3 : INFINITY,
                                   .bandwidth = 50,
                                   .effort_time = chance(seed, 0.5) ? 0.1 : 0,
                                   .compensates = chance(seed, 0.5)};
}

// Everything that can act at a joint that is free, here and there.
static void decorate(uint64_t *seed, fa_joint *joint)
{
    fa_friction_data *f = &joint->friction;
    if (chance(seed, 0.2)) f->coulomb = f->coulomb_negative = 0;
    if (chance(seed, 0.3))
        joint->spring = (fa_spring_data){true, random_in(seed, 0, 50), random_in(seed, 0, 1), 0.1};
    if (!fa_joint_is_free(joint)) return;
    if (chance(seed, 0.4)) joint->limit.lower = -4;
    if (chance(seed, 0.4)) joint->limit.upper = 4;
    if (chance(seed, 0.3)) joint->limit.effort = 100;
    if (chance(seed, 0.3)) joint->limit.velocity = 5;
    if (chance(seed, 0.6) && (joint->limit.lower > -INFINITY || joint->limit.upper < INFINITY))
        joint->stop = (fa_stop_data){true, 1e4, 10};
    f->sticks = chance(seed, 0.4);
    f->on_motor = chance(seed, 0.3);
    f->breakaway = f->coulomb + 1;
    f->breakaway_negative = f->coulomb_negative + 1;
    f->stribeck = 0.1;
    if (chance(seed, 0.5))
        add_motor(seed, joint);
    else if (chance(seed, 0.4))
        joint->closure = (fa_closure_data){true, 1e5, 1e3, chance(seed, 0.5) ? 1 : INFINITY, false};
    else if (chance(seed, 0.6))
        add_servo(seed, joint);
    joint->lock.present = chance(seed, 0.2);
}

static void at_random(digests *d, uint64_t *seed, int k)
{
    char      name[32];
    fa_robot *robot = random_robot(seed, 1 + k % 7,
                                   (k & 1 ? RANDOM_BRANCHED : 0) | (k & 2 ? RANDOM_COUPLED : 0) |
                                       (k & 4 ? RANDOM_REVOLUTE_ONLY : 0));
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type != FA_FIXED) decorate(seed, &robot->link[i].joint);
    robot->base_motion = chance(seed, 0.3);
    for (int i = 0; i < robot->n_links; i++) robot->link[i].wrench = chance(seed, 0.3);
    robot->tip_link = (int)random_in(seed, 0, robot->n_links);
    robot->outputs = chance(seed, 0.5) ? FA_EXTRA_ALL : 0;
    (void)snprintf(name, sizeof name, "random%d", k);
    compare(d, robot, "arm", name);
    compare(d, robot, "inverse", name);
    free(robot);
}

static void lists_are_as_stored(void **state)
{
    static const struct {
        const char *folder, *file, *cut;
    } robots[] = {
#define RESOURCE(name) {"../resources/robots", name ".xml", NULL}
        RESOURCE("ascher2"),
        RESOURCE("cmu_dd_arm"),
        RESOURCE("double_pendulum"),
        RESOURCE("excavator"),
        RESOURCE("grigorov5"),
        RESOURCE("patu655"),
        RESOURCE("puma560"),
        RESOURCE("patu655_lift_axis"),
        RESOURCE("patu655_lift_valve"),
        RESOURCE("puma560akb"),
        RESOURCE("scara"),
        RESOURCE("serpenoid"),
        RESOURCE("stanford"),
        RESOURCE("tavakoli_nia"),
#define FUZZ(name) {"fuzz/robots", name, NULL}
        FUZZ("everything.xml"),
        FUZZ("followers.urdf"),
        FUZZ("touching.xml"),
        FUZZ("free.xml"),
        FUZZ("loops_arm.xml"),
        FUZZ("loops_tree.urdf"),
        FUZZ("snake_gait.xml"),
        FUZZ("snake_prescribed.xml"),
        FUZZ("snake_speeds.xml"),
        FUZZ("snake_torque.xml"),
        FUZZ("snake_voltage.xml"),
        {"../resources/robots", "patu655.xml", "force"},
        {"../resources/robots", "patu655.xml", "chamber"},
        {"../resources/robots", "patu655.xml", "valve"},
        {"../resources/robots", "excavator.xml", "force"},
        {"../resources/robots", "excavator.xml", "chamber"},
    };
    static digests d;
    uint64_t       seed = 17;
    d.text = calloc(1, sizeof d.file);
    assert_non_null(d.text);
    FILE *file = fopen(STORED, "r");
    if (file) {
        (void)!fread(d.file, 1, sizeof d.file - 1, file);
        (void)fclose(file);
    }
    (void)state;
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++)
        of_file(&d, robots[i].folder, robots[i].file, robots[i].cut);
    for (int k = 0; k < RANDOM; k++) at_random(&d, &seed, k);
    if (getenv("FOREARM_UPDATE")) {
        file = fopen(STORED, "w");
        assert_non_null(file);
        assert_true(fputs(d.text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    } else {
        assert_int_equal(d.missing, 0);
        assert_string_equal(d.text, d.file);
    }
    free(d.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_as_stored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
