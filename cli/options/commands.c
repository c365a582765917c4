// Every command, in one place.
#include "options.h"

const fa_command fa_commands[FA_COMMAND_COUNT] = {
    [FA_COMMAND_EXPORT] =
        {"export", "FILE", "turn a robot file into an FMU",
         "Writes an FMU of FMI 3.0, or 2.0, that needs nothing but the C library. Equal robots and "
         "options give equal bytes.",
         fa_run_export},
    [FA_COMMAND_CHECK] =
        {"check", "FILE", "look for faults; show links, masses and conditioning",
         "Holds a robot file against its schema and the rules on robots. Shows a table of its "
         "links with mass, centre of mass (in the link's axes) and principal moments, the total "
         "mass, and the condition number of the mass matrix over poses drawn at random.",
         fa_run_check},
    [FA_COMMAND_EXPAND] =
        {"expand", "FILE", "write out what a xacro file stands for",
         "Expands a robot file of macros, properties and expressions (xacro) and writes the plain "
         "XML, which every other command reads just so. After FILE, name:=value gives an argument "
         "of the file a value. docs/formats.md says what is read.",
         fa_run_expand},
    [FA_COMMAND_CONVERT] =
        {"convert", "FILE", "write a robot file in another format",
         "Reads a robot file of any format and writes it as URDF (OUT.urdf), MJCF (OUT.mjcf) or "
         "our own XML of serial arms (OUT.xml). Read again it moves as before, to rounding. What "
         "the format has no word for is told, a warning each; shapes are left out.",
         fa_run_convert},
    [FA_COMMAND_INSPECT] =
        {"inspect", "FILE|FMU", "show links, joints and variables",
         "Shows what a robot file, or an FMU that Forearm made, contains: links, joints, and the "
         "variables of the FMU with role, unit and start value.",
         fa_run_inspect},
    [FA_COMMAND_FORWARD] =
        {"forward", "FILE", "accelerations from torques",
         "Reads a table of states, one in each line, and writes the accelerations of the joints. "
         "Columns are named as the FMU's variables, which inspect lists: joint.<name>.position, "
         ".velocity and .torque or .force, tip.force.x and so on, parameters such as payload.mass. "
         "What has no column keeps its start value. Columns of calculated variables are passed "
         "over; a column time goes into the result. Of a snake: the derivatives of its two speeds, "
         "and the forces across its wheels.",
         fa_run_forward},
    [FA_COMMAND_INVERSE] =
        {"inverse", "FILE", "torques from accelerations",
         "Reads a table of motions, one in each line, and writes the torques or forces that the "
         "joints need for them, friction and springs included: forward gives the accelerations "
         "back. Columns are named as the FMU's variables, which inspect lists: "
         "joint.<name>.position, .velocity and .acceleration, tip.force.x and so on. What has no "
         "column keeps its start value. Columns cylinder.<name>.force push, and joints need so "
         "much less; all else that simulate calculates is passed over. A column time goes into "
         "the result, which can then be the input of simulate.",
         fa_run_inverse},
    [FA_COMMAND_SIMULATE] =
        {"simulate", "FILE", "motion over time",
         "Integrates the motion from the initial positions and velocities on, by the integrator "
         "that is inside the FMU, and writes a table of time, states and outputs at each step.",
         fa_run_simulate},
    [FA_COMMAND_VIEW] =
        {"view", "FILE", "a page with a slider for every joint",
         "Writes a page that shows the robot in its start pose, with a slider for every joint "
         "within its limits; loops stay closed, and nothing is simulated. Beside them stand the "
         "warnings of check. Without --out the page is <name>.html in the current folder, and is "
         "opened in the "
         "browser.",
         fa_run_view},
    [FA_COMMAND_RENDER] =
        {"render", "FILE", "a picture of the robot",
         "Draws a robot in its start pose, or with --at after a motion, without a browser: with "
         "the "
         "shapes of its file, or with shapes made up from its joints, on a ground whose squares' "
         "size is said. The robot, or the whole of the motion, fills three quarters of the "
         "picture. "
         "Hydraulic circuits alone have no picture.",
         fa_run_render},
    [FA_COMMAND_RUNS] =
        {"runs", "FILE", "many motions over time, a line of a table each",
         "Reads a table with a run in each line, integrates the motion of each as simulate does, "
         "and writes a table of what is kept of them, in the same order. Columns are named as "
         "parameters and inputs of the FMU, which inspect lists: payload.mass, "
         "joint.<name>.initial_position, joint.<name>.torque and so on. What has no column keeps "
         "its start value. In front of what is kept stand the number of the run, its columns, its "
         "status (done or failed) and, if it failed, a sentence why; other runs go on.",
         fa_run_runs},
    [FA_COMMAND_GAIT] =
        {"gait", "FILE|STUDY", "how fast a snake's gait is, and what it costs",
         "Lets a snake crawl by its gait until the distance and work of two successive periods "
         "differ by less than a thousandth, and shows the last period: speed, cost of transport, "
         "tracking, torques. The snake starts at rest in the gait's shape, with its heading along "
         "x, unless --set or a column of --in says how it starts. With --in: a gait for each line "
         "of a table. A STUDY (.toml, docs/snakes.md) is a map over numbers of the gait; it takes "
         "the Python package.",
         fa_run_gait},
    [FA_COMMAND_SIM] =
        {"sim", "[FILE]", "a session with an arm",
         "Opens a session in which variables hold what an arm does (theta, omega, alpha, torque, "
         "voltage) and commands compute with them: inverse_arm, forward_arm, and so on; help "
         "explains them, docs/sim.md tells more. Without FILE the arm is the CMU Direct Drive Arm. "
         "Where standard input is no terminal, lines come from there.",
         fa_run_sim},
    [FA_COMMAND_LINEARISE] =
        {"linearise", "FILE", "A, B, C, D around a state",
         "Writes how the derivatives of the states x and the outputs y change with the states and "
         "the inputs u, to first order: one table [A B; C D] with the names of x and u above it "
         "and those of der(x) and y in front. The derivatives are analytic. Without --at the state "
         "is that of the initial positions and velocities.",
         fa_run_linearise},
    [FA_COMMAND_IDENTIFY] =
        {"identify", "FILE", "masses, rotors and friction from a log of the motion",
         "Finds from a log of positions and torques what torques depend on: the base parameters, "
         "with intervals. Of all masses, rotors and friction that explain them, it takes those "
         "that bodies can have and that are closest to the file's, and writes the robot with them.",
         fa_run_identify},
    [FA_COMMAND_EXCITE] = {"excite", "FILE", "a motion that tells much about masses and friction",
                           "Looks for a motion whose log tells much: finite Fourier series of all "
                           "joints, at rest where "
                           "they begin and end, within the limits of position, speed, acceleration "
                           "and effort, with a "
                           "small condition number of the equations that forearm identify solves.",
                           fa_run_excite},
    [FA_COMMAND_METHODS] =
        {"methods", "", "list the methods of dynamics",
         "Lists the methods of forward and inverse dynamics with their papers, their pages in "
         "docs/theory, their cost in the number n of joints, and what they cover beyond unbranched "
         "arms of revolute joints; then the same for snakes of n links.",
         fa_run_methods},
    [FA_COMMAND_PARTS] =
        {"parts", "FILE", "weigh links by the parts that they are made of",
         "Reads a file of materials, parts and links (docs/parts.md) and shows mass, centre of "
         "mass "
         "and moments of inertia of every link, with all that it consists of. With --arm it writes "
         "those of the links into an <arm> file and leaves the rest of that file as it is.",
         fa_run_parts},
    [FA_COMMAND_COMPARE] =
        {"compare", "FILE", "hold methods against each other; show their cost",
         "Lets every method that covers the robot, an arm or a snake, answer the same questions, "
         "and shows for each how far it is from Lagrange's equations over states drawn at random, "
         "the floating-point operations of its source, and instructions and nanoseconds of a "
         "call. Ends with code 5 if methods differ by more than rounding.",
         fa_run_compare},
    [FA_COMMAND_COMPLETION] = {"completion", "SHELL", "complete commands and options in a shell",
                               "Writes a script for bash, zsh, fish or powershell, with which "
                               "the shell completes commands, options and their values.",
                               fa_run_completion},
    [FA_COMMAND_HELP] = {"help", "[COMMAND]", "explain a command",
                         "Explains a command and its options, or all commands in a few words.",
                         fa_run_help},
};
