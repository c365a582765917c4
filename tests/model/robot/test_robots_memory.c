// Every allocation of an import, an export and a simulation fails once, for every kind of robot and
// everything that is written of one. test_cli_memory.c has the other commands, test_fmu_memory.c
// the library inside the FMU.
#define _XOPEN_SOURCE 700
#include "failing_commands.h"

#include <sys/stat.h>

#include "page.h"

#define ROBOTS "../resources/robots/"

// Runs a command line: its first %s is the folder of the side files, its last %s the output.
static void try(const char *format, const char *written)
{
    char line[512];
    snprintf(line, sizeof line, format, folder, in_folder(written));
    every_allocation_fails_once(line, in_folder(written));
}

static void exports_of_all_robots_survive(void **state)
{
    (void)state;
    try("export %.0s" ROBOTS "cmu_dd_arm.xml --fmi 2 -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "double_pendulum.xml --arrays -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "patu655.xml --bare --cut valve -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "patu655.xml --bare --fmi 2 --cut chamber -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "patu655_lift_axis.xml --bare -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "serpenoid.xml --bare --arrays -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "tavakoli_nia.xml --bare -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "double_pendulum.xml --bare --kind inverse -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "scara.xml --bare --arrays --inputs base,lock "
        "--outputs reactions,jacobian,mass-matrix,poses -o %s",
        "robot.fmu");
    try("export urdf/dynamics.urdf --bare --actuators %s/drives.xml -o %s", "robot.fmu");
    try("export %.0s" ROBOTS "double_pendulum.xml --bare --platforms none --sources -o %s",
        "robot.fmu");
}

static void simulations_and_their_pictures_survive(void **state)
{
    (void)state;
    try("simulate %.0s" ROBOTS "patu655.xml --cut valve --stop 0.01 -o %s", "run.csv");
    try("simulate %.0s" ROBOTS "serpenoid.xml --stop 0.01 -o %s", "run.csv");
    try("simulate urdf/dynamics.urdf --actuators %s/drives.xml --stop 0.01 -o %s", "run.csv");
    try("simulate %.0s" ROBOTS "double_pendulum.xml --stop 0.05 -o %s", "run.npy");
    try("simulate %.0s" ROBOTS "double_pendulum.xml --stop 0.05 -o %s", "run.npz");
    try("simulate %.0s" ROBOTS "double_pendulum.xml --stop 0.05 -o /dev/null --plot %s", "run.svg");
    try("simulate %.0s" ROBOTS "double_pendulum.xml --stop 0.05 -o /dev/null --plot %s", "run.png");
    if (fa_page_available(NULL) == FA_OK)
        try("simulate %.0s" ROBOTS "double_pendulum.xml --stop 0.05 -o /dev/null --html %s",
            "run.html");
    try("parts %.0s../resources/parts/cmu_dd_arm.xml --arm " ROBOTS "cmu_dd_arm.xml --out %s",
        "robot.xml");
    try("linearise %.0s" ROBOTS "patu655.xml --cut valve --out %s", "run.csv");
}

static void fmus_are_read_without_memory(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "export " ROBOTS "scara.xml --bare -o %s", in_folder("robot.fmu"));
    assert_int_equal(run(line), FA_EXIT_DONE);
    snprintf(line, sizeof line, "inspect %s", in_folder("robot.fmu"));
    every_allocation_fails_once(line, in_folder("printed"));
}

static int begin(void **state)
{
    if (make_folder(state) != 0) return -1;
    // What every FMU has of the same kind, of a few bytes: the real ones take time to pack.
    (void)mkdir(in_folder("binaries"), 0700);
    (void)mkdir(in_folder("sources"), 0700);
    write_text(in_folder("binaries/forearm.so"), "a library");
    write_text(in_folder("sources/files.txt"), "built_in.c\nfmi3.c\n");
    write_text(in_folder("sources/built_in.c"), "// the robot\n");
    write_text(in_folder("sources/fmi3.c"), "// the library\n");
    if (setenv("FOREARM_LIBRARY_DIR", in_folder("binaries"), 1) != 0) return -1;
    write_text(in_folder("drives.xml"),
               "<actuators for='r'><joint name='j1'>"
               "<friction coulomb='1' viscous='0.1'/></joint></actuators>");
    return 0;
}

static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"drives.xml", "robot.fmu", "robot.xml",
                                        "run.csv",    "run.npy",   "run.npz",
                                        "run.svg",    "run.png",   "run.html"};
    static const char *const kept[] = {"binaries/forearm.so", "sources/files.txt",
                                       "sources/built_in.c", "sources/fmi3.c"};
    for (int i = 0; i < 4; i++) (void)unlink(in_folder(kept[i]));
    (void)rmdir(in_folder("binaries"));
    (void)rmdir(in_folder("sources"));
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_of_all_robots_survive),
        cmocka_unit_test(simulations_and_their_pictures_survive),
        cmocka_unit_test(fmus_are_read_without_memory),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, begin, end);
}
