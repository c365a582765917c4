// Whatever the bytes: a side file with what acts at a robot's joints is refused with a sentence, or
// gives a robot that can be written and read back.
#include <string.h>

#include "fuzz_robot.h"
#include "import.h"

// A robot that the seeds in actuators/ are for.
static const char ROBOT[] =
    "<robot name='arm'>"
    "<link name='base'/>"
    "<link name='boom'><inertial><mass value='5'/><origin xyz='0.5 0 0'/>"
    "<inertia ixx='0.1' iyy='0.5' izz='0.5' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<link name='slide'><inertial><mass value='1'/>"
    "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='boom'/>"
    "<origin xyz='0 0 0.4'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' effort='100' velocity='3'/></joint>"
    "<joint name='telescope' type='prismatic'><parent link='boom'/><child link='slide'/>"
    "<origin xyz='1 0 0'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='1' effort='100' velocity='3'/></joint>"
    "</robot>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fa_import_options options = {.actuators = fuzz_file(data, size)};
    fa_robot               *robot = NULL;
    fa_error                error = {0};
    if (fa_import_text(ROBOT, strlen(ROBOT), "fuzz", &options, NULL, &robot, &error) != FA_OK) {
        check(error.message[0] != '\0' && !robot);
        return 0;
    }
    check_written(robot);
    free(robot);
    return 0;
}
