// Every reason for which a robot file is refused, each by one line that has been replaced.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "robot_file.h"

#define ARM      "../resources/robots/puma560.xml"
#define SNAKE    "../resources/robots/serpenoid.xml"
#define TOUCHING "fuzz/robots/touching.xml"
#define CRANE    "../resources/robots/patu655.xml"

#define AXIS "../resources/robots/patu655_lift_axis.xml"

#define AT_REST   "joint.initial_velocity 0x0p+0\n"
#define LAST      "friction.coulomb-negative 0x1p+0\n"
#define NOT_THERE "it says something of what is not there"

#define LONG_NAME                                                                                  \
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" \
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" \
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

// `line`: its beginning; `instead`: what stands there, without its end. NULL: behind the last line.
typedef struct fault {
    const char *robot, *line, *instead, *reason;
} fault;

static const fault faults[] = {
    {ARM, "forearm.robot ", "forearm.robot 1", "its format has another version"},
    {ARM, "forearm.robot ", "forearm robot 3", "a line is missing or out of place"},
    {ARM, "fmi ", "fmi 3 3", "a line is too long"},
    {ARM, "fmi ", "fmi", "a line is too short"},
    {ARM, "fmi ", "fmi 1", "it is for an FMI version that does not exist"},
    {ARM, "fmi ", "fmi 03", "an integer is not in its place"},
    {ARM, "fmi ", "fmi three", "an integer is not in its place"},
    {ARM, "fmi ", "fmi 3000000000", "an integer is not in its place"},
    {ARM, "fmi ", "fmi 2", NULL}, // nothing wrong: another robot file
    {ARM, "arrays ", "arrays 2", "a flag is neither 0 nor 1"},
    {ARM, "name ", "name %41", "a name is not spelled as it should be"},
    {ARM, "name ", "name %4", "a name is not spelled as it should be"},
    {ARM, "name ", "name a b", "a name has a character that should not be there"},
    {ARM, "name ", "name " LONG_NAME, "a name is too long"},
    {ARM, "plant ", "plant sea", "its kind of plant is unknown"},
    {ARM, "gravity ", "gravity 0 0 0", "a number is not in its place"},
    {ARM, "outputs ", "outputs 1000", "it has outputs that do not exist"},
    {ARM, "outputs ", "outputs -1", "it has outputs that do not exist"},
    {ARM, "outputs ", "outputs 0\nhidden 1000", "it hides what it cannot"},
    {ARM, "outputs ", "outputs 0\nhidden 0", "it hides what it cannot"},
    {ARM, "outputs ", "outputs 0\nhidden 8", NULL}, // nothing wrong: an FMU without energies
    {ARM, "links ", "links 0", "it does not have the links that it claims"},
    {ARM, "links ", "links 2000000000", "it does not have the links that it claims"},
    {ARM, "cylinders ", "cylinders 2000000000", "it has too many cylinders"},
    {ARM, "cylinders ", "cylinders -1", "it has too many cylinders"},
    {ARM, "cylinders ", "cylinders 0\nloops 2000", "it has too many loops"},
    {ARM, "joint.type ", "joint.type hinge", "there is no such type of joint"},
    {ARM, NULL, "links 1", "something follows its end"},
    {ARM, "identifier ", "identifier 1st", "its identifier is not a name in C"},
    {ARM, "identifier ", "identifier ", "its identifier is not a name in C"},
    {ARM, "gravity ", "gravity 0x0p+0 0x0p+0 inf", "a number is not finite"},
    {CRANE, "initial_pressure ", "initial_pressure inf -inf", "a number is not finite"},
    // The first joint is the base's, which does not move: nothing acts there, and nothing counts.
    {ARM, "joint ", "joint base", NOT_THERE},
    {ARM, "joint.axis ", "joint.axis 0x0p+0 0x1p+0 0x0p+0", NOT_THERE},
    {ARM, "joint.follows ", "joint.follows 2", NOT_THERE},
    {ARM, "joint.follows ", "joint.follows 2000000000", NOT_THERE},
    {ARM, "joint.initial_position ", "joint.initial_position 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "limit.lower 0x0p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "limit.effort 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "rotor.inertia 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "friction.law stick-slip", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "friction.side motor", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "spring", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "stop\nstop.stiffness 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ",
     AT_REST "motor\nmotor.resistance 0x1p+0\nmotor.torque-constant 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "valve-closure\nclosure.stiffness 0x1p+0",
     "a line is missing or out of place"},
    {ARM, "joint.initial_velocity ", AT_REST "closure\nclosure.stiffness 0x1p+0", NOT_THERE},
    {ARM, "joint.initial_velocity ", AT_REST "lock", NOT_THERE},
    // Lines of a moving joint: defaults have no line, and lines are in the order of the lists.
    {ARM, "friction.viscous ", "friction.viscous 0x0p+0", NOT_THERE},
    {ARM, "friction.viscous ", "friction.viscous -0x1p+0", "the viscous_friction of joint"},
    {ARM, "friction.viscous ", "friction.viscosity 0x1p+0", "a line is missing or out of place"},
    {ARM, "friction.viscous ", "friction.viscous 0x1p+0\nfriction.viscous 0x1p+0",
     "a line is missing or out of place"},
    {ARM, "friction.viscous ", "friction.viscous 0x1p+0\nrotor.gear 0x1p+1",
     "a line is missing or out of place"},
    {ARM, "friction.viscous ", "friction.viscous", "a line is too short"},
    {ARM, "friction.viscous ", "friction.viscous inf", "a number is not finite"},
    {ARM, "friction.viscous ", "friction.viscous 0x1p+0\nfriction.law sticky",
     "there is no such choice"},
    {ARM, "friction.viscous ", "friction.viscous 0x1p+0\nfriction.law smooth",
     "there is no such choice"},
    {ARM, "friction.coulomb-negative ", LAST "spring\nspring.stiffness 0x1p+0", NULL},
    {ARM, "friction.coulomb-negative ", LAST "stop", "a line is missing or out of place"},
    {ARM, "wrench ", "wrench 1", NOT_THERE},
    {SNAKE, "base ", "base 2147483647", "link 2147483648 cannot carry the snake's speed"},
    {SNAKE, "base ", "base -2147483648", "an integer is not in its place"},
    {SNAKE, "tip_link ", "tip_link 0", NOT_THERE},
    {SNAKE, "prescribed ", "prescribed 1\nprescribed.link 77", NOT_THERE},
    {SNAKE, "outputs ", "outputs 1", NOT_THERE},
    {CRANE, "linkage.pivot ", "linkage.pivot 0x1p+0 0x0p+0 0x0p+0", NOT_THERE},
    {AXIS, "from ", "from 2000000000", NOT_THERE},
    {AXIS, "base_motion ", "base_motion 1", NOT_THERE},
    {SNAKE, "input ", "input 77", "there is no such kind of input"},
    {SNAKE, "prescribed ", "prescribed 99", "it prescribes too many joints"},
    {CRANE, "cut ", "cut 7", "there is no such cut"},
    {TOUCHING, "contact.shape ", "contact.shape 7", "there is no such shape"},
    {TOUCHING, "obstacle.shape ", "obstacle.shape 7", "there is no such shape"},
    {TOUCHING, "contact.link ", "contact.link 77", "contact 'foot' is on no link"},
    {TOUCHING, "contact.on ", "contact.on 5", "contact 'foot' is with no obstacle of the robot"},
    {TOUCHING, "contact.axis ", "contact.axis 0x1p+0 0x1p+0 0x0p+0", NULL},
    {TOUCHING, "contacts ", "contacts 2000", "it has too many contacts, obstacles or springs"},
    {TOUCHING, "line-spring.to ", "line-spring.to 99",
     "an end of line spring 'pull' is on no link"},
    {TOUCHING, "ground ", "ground 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0",
     "the ground has no point or no normal"},
};

static char *file_of(const char *path, size_t *size)
{
    const fa_options options = {.fmi = 3, .identifier = "robot"};
    fa_robot        *robot;
    fa_error         error = fa_no_error();
    char            *text;
    if (fa_import(path, NULL, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    assert_int_equal(fa_robot_file_write(robot, &options, &text, size, NULL), FA_OK);
    free(robot);
    return text;
}

static char *spoiled(const char *text, const fault *f, size_t *size)
{
    const char *at = f->line ? strstr(text, f->line) : text + strlen(text);
    while (at && f->line && at > text && at[-1] != '\n') at = strstr(at + 1, f->line);
    if (!at) fail_msg("no line begins with '%s'", f->line);
    const size_t rest = strcspn(at, "\n"), room = strlen(text) + strlen(f->instead) + 2;
    char        *result = malloc(room);
    assert_non_null(result);
    *size = (size_t)snprintf(result, room, "%.*s%s%s", (int)(at - text), text, f->instead,
                             f->line ? at + rest : "\n");
    return result;
}

static void every_fault_has_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        size_t       size;
        char        *text = file_of(f->robot, &size), *bad = spoiled(text, f, &size);
        fa_robot    *robot = NULL;
        fa_options   options;
        fa_error     error = {.message = ""};
        const int    status = (int)fa_robot_file_read(bad, size, &robot, &options, &error);
        if (status != (f->reason ? FA_BAD_INPUT : FA_OK) ||
            (f->reason && !strstr(error.message, f->reason)))
            fail_msg("'%s' instead of '%s' gives %d: %s", f->instead, f->line ? f->line : "nothing",
                     status, error.message);
        free(robot);
        free(bad);
        free(text);
    }
}

static void scalars_alone_are_known_to_fmi_2(void **state)
{
    (void)state;
    size_t      size, length;
    const fault two = {ARM, "fmi ", "fmi 2", NULL}, arrays = {ARM, "arrays ", "arrays 1", NULL};
    char       *text = file_of(ARM, &size);
    char       *with_two = spoiled(text, &two, &length), *bad = spoiled(with_two, &arrays, &length);
    fa_robot   *robot = NULL;
    fa_options  options;
    fa_error    error = {.message = ""};
    assert_int_equal(fa_robot_file_read(bad, length, &robot, &options, &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "it has arrays, which only FMI 3.0 knows"));
    free(bad);
    free(with_two);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_its_reason),
        cmocka_unit_test(scalars_alone_are_known_to_fmi_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
