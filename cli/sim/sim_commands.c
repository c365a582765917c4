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
    {"simulate", "[new|continued] [zeroed|kept] [schedule FILE|constant] [TIMESTEPS]",
     "the motion over time",
     "Simulates a new motion, from theta and omega set to zero or kept as they are, or continues "
     "the "
     "last one. Voltages come from a schedule file, until its end or for so many timesteps, or "
     "stay "
     "as they are. A schedule is a table (CSV) with columns joint.<name>.voltage (.torque or "
     ".force "
     "without a motor) and time in seconds since the command, each line held until the next one; "
     "without a column time every line lasts a DACTimePeriod. Kutta's rule of third order takes "
     "the "
     "timesteps, as in the paper, unless --solver says otherwise. The variables end as the motion "
     "does. Ctrl-C ends it early; it can be continued.",
     FA_TAKES_ANSWERS | FA_TAKES_FILES, "new continued zeroed kept schedule constant",
     fa_sim_simulate},
    {"print.simulation", "[START [FINISH [STEP]]]", "the motion in numbers",
     "Prints theta, omega, alpha, torque, voltage and DACOut of every joint, from START to FINISH "
     "every STEP seconds, at the timesteps that come nearest; on the screen, or into the file that "
     "open.output.file has opened.",
     0, "", fa_sim_print},
    {"plot.simulation", "[FILE] [VARIABLE...]", "the motion as curves",
     "Plots theta, omega and voltage, or the variables that are named, into a .svg or .png FILE; "
     "without FILE on the screen, in letters.",
     FA_TAKES_FILES | FA_TAKES_VARIABLES, "", fa_sim_plot},
    {"write.graphic.file", "[FILE]", "the motion for other programs",
     "Writes the motion for a program that shows it: a page (.html) with the arm moving in 3-D, "
     "for "
     "any browser, or a table (.csv) of time, states and outputs as forearm simulate writes it.",
     FA_TAKES_FILES, "", fa_sim_graphic},
    {"open.output.file", "[FILE]", "a file for print.simulation",
     "From now on print.simulation prints into FILE, which is there when it is closed.",
     FA_TAKES_FILES, "", fa_sim_open},
    {"close.output.file", "", "the end of that file",
     "Closes the file of open.output.file; print.simulation prints on the screen again. The end of "
     "the session closes it, too.",
     0, "", fa_sim_close},
    {"database.read", "[FILE [ACTUATORS]]", "another arm",
     "Reads another arm, from a URDF, an <arm> file or an FMU of Forearm's, with a file of "
     "actuators "
     "if there is one. Variables of the joints begin as that file has them, and there is no "
     "simulation to continue. The session begins "
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
