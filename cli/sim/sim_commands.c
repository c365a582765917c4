// The commands of a session.
#include <string.h>

#include "session.h"

const fa_session_command fa_session_commands[] = {
    {"inverse_arm", "[FILE [OUT]]", "torques and voltages from accelerations",
     "The Inverse Arm of the paper: what theta, omega and alpha take is put into torque, voltage "
     "and "
     "DACOut. With FILE it answers many sets, as forearm inverse does: FILE is a table (CSV) of "
     "joint.<name>.position, .velocity and .acceleration, and the table of voltages, or torques, "
     "that comes out is printed or written into OUT. With a column time it is a schedule for "
     "simulate. The session's variables stay as they are then.",
     FA_TAKES_FILES, "", fa_sim_inverse},
    {"forward_arm", "", "accelerations from voltages",
     "The Forward Arm of the paper for one instant: the accelerations that theta, omega and the "
     "voltage, or torque, lead to are put into alpha. Where the voltage is more than the robot "
     "file's limits let the amplifier give, voltage and torque become what it gives.",
     0, "", fa_sim_forward},
    {"database.read", "[FILE [ACTUATORS]]", "another arm",
     "Reads another arm, from a URDF, an <arm> file or an FMU of Forearm's, with a file of "
     "actuators "
     "if there is one. Variables of the joints begin as that file has them. The session begins "
     "with "
     "the arm of the command line or, if there is none, with the CMU DD Arm.",
     FA_TAKES_FILES, "", fa_sim_database},
    {"show", "", "all variables", "Shows all variables, those of the joints as a table.", 0, "",
     fa_sim_show},
    {"help", "[NAME]", "explain a command or a variable",
     "Explains a command or a variable, or all of them in a few words.", FA_TAKES_NAMES, "",
     fa_sim_help},
    {"quit", "", "end the session", "Ends the session, as the end of the script or Ctrl-D does.", 0,
     "", fa_sim_quit},
};
const int fa_session_command_count = sizeof fa_session_commands / sizeof *fa_session_commands;

const fa_session_command *fa_session_command_find(const char *name)
{
    for (int i = 0; i < fa_session_command_count; i++)
        if (strcmp(fa_session_commands[i].name, name) == 0) return &fa_session_commands[i];
    return NULL;
}
