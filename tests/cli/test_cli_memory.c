// Every allocation of every command fails once. test_robots_memory.c has every kind of robot.
#define _XOPEN_SOURCE 700
#include "failing_commands.h"

#define ROBOT "../resources/robots/double_pendulum.xml"

static void commands_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512];
    every_allocation_fails_once("methods", in_folder("printed"));
    every_allocation_fails_once("check " ROBOT, in_folder("printed"));
    every_allocation_fails_once("compare --untimed --samples 2 --method gibbs-appell " ROBOT,
                                in_folder("printed"));
    every_allocation_fails_once("inspect " ROBOT, in_folder("printed"));
    every_allocation_fails_once("inspect --json " ROBOT, in_folder("printed"));
    snprintf(line, sizeof line, "export %s -o %s", ROBOT, in_folder("arm.fmu"));
    every_allocation_fails_once(line, in_folder("arm.fmu"));
}

static void tables_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512];
    write_text(in_folder("states.csv"), "joint.elbow.position,payload.mass\n1,2\n3,4\n");
    write_text(in_folder("inputs.csv"), "time,joint.elbow.torque\n0,2\n0.01,4\n");
    snprintf(line, sizeof line, "forward %s --lock shoulder=0 --in %s --out %s --method lagrange",
             ROBOT, in_folder("states.csv"), in_folder("out.csv"));
    every_allocation_fails_once(line, in_folder("out.csv"));
    snprintf(line, sizeof line, "inverse %s --in %s", ROBOT, in_folder("states.csv"));
    every_allocation_fails_once(line, in_folder("printed"));
    snprintf(line, sizeof line, "simulate %s --stop 0.02 --input %s", ROBOT,
             in_folder("inputs.csv"));
    every_allocation_fails_once(line, in_folder("printed"));
}

static void runs_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512];
    write_text(in_folder("starts.csv"),
               "joint.elbow.initial_position,payload.mass\n1,0\n2,0\n3,4\n1,-1\n");
    snprintf(line, sizeof line, "runs %s --in %s --out %s --stop 0.02 --variables tip.*", ROBOT,
             in_folder("starts.csv"), in_folder("out.csv"));
    every_allocation_fails_once(line, in_folder("out.csv"));
}

static void sessions_survive_a_lack_of_memory(void **state)
{
    (void)state;
    char line[512], script[1024];
    write_text(in_folder("inputs.csv"), "time,joint.elbow.torque\n0,2\n0.01,4\n");
    write_text(in_folder("motion.csv"), "joint.elbow.acceleration\n1\n");
    snprintf(script, sizeof script,
             "theta = 1 2\nalpha = 1\ninverse_arm\nforward_arm\nshow\ninverse_arm %s\n"
             "simulate new kept schedule %s\nsimulate continued constant 2\nplot.simulation\n"
             "open.output.file %s\nprint.simulation 0 0.01 0.01\nclose.output.file\n"
             "write.graphic.file %s\ndatabase.read\n" ROBOT "\nhelp\n",
             in_folder("motion.csv"), in_folder("inputs.csv"), in_folder("out.csv"),
             in_folder("again.csv"));
    write_text(in_folder("script"), script);
    snprintf(line, sizeof line, "sim %s --script %s", ROBOT, in_folder("script"));
    every_allocation_fails_once(line, in_folder("printed"));
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"states.csv", "inputs.csv", "out.csv", "arm.fmu",
                                        "motion.csv", "again.csv",  "script",  "starts.csv"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    if (setenv("FOREARM_LIBRARY_DIR", LIBRARY_FOLDER, 1) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_survive_a_lack_of_memory),
        cmocka_unit_test(tables_survive_a_lack_of_memory),
        cmocka_unit_test(runs_survive_a_lack_of_memory),
        cmocka_unit_test(sessions_survive_a_lack_of_memory),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
