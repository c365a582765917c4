// Every command and every option, each in one place.
#include "options.h"

#include "import.h"
#include "stage.h"

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
    [FA_COMMAND_HELP] = {"help", "[COMMAND]", "explain a command",
                         "Explains a command and its options, or all commands in a few words.",
                         fa_run_help},
};

#define EXPORT    (1u << FA_COMMAND_EXPORT)
#define INSPECT   (1u << FA_COMMAND_INSPECT)
#define DYNAMICS  (1u << FA_COMMAND_FORWARD | 1u << FA_COMMAND_INVERSE)
#define SIMULATE  (1u << FA_COMMAND_SIMULATE)
#define RENDER    (1u << FA_COMMAND_RENDER)
#define RUNS      (1u << FA_COMMAND_RUNS)
#define GAIT      (1u << FA_COMMAND_GAIT)
#define SIM       (1u << FA_COMMAND_SIM)
#define LINEARISE (1u << FA_COMMAND_LINEARISE)
#define IDENTIFY  (1u << FA_COMMAND_IDENTIFY)
#define EXCITE    (1u << FA_COMMAND_EXCITE)
#define PARTS     (1u << FA_COMMAND_PARTS)
#define COMPARE   (1u << FA_COMMAND_COMPARE)
#define READERS                                                                                    \
    (EXPORT | 1u << FA_COMMAND_CHECK | 1u << FA_COMMAND_CONVERT | INSPECT | DYNAMICS | SIMULATE |  \
     RENDER | RUNS | GAIT | SIM | LINEARISE | COMPARE | IDENTIFY | EXCITE)

#define FIELD(name) offsetof(fa_arguments, name)

const fa_option fa_option_rows[] = {
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the FMU to write; otherwise <identifier>.fmu in the current folder"},
    {.name = "fmi",
     .value = "2|3",
     .commands = EXPORT,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(fmi),
     .first = 2,
     .about = "the version of the standard; 3 if not said"},
    {.name = "kind",
     .value = "forward|inverse",
     .commands = EXPORT,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(kind),
     .first = FA_KIND_FORWARD,
     .about = "forward: torques in, motion out, as if not said; inverse: positions, velocities and "
              "accelerations in, torques out"},
    {.name = "arrays",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(arrays),
     .about = "show what all joints or links have as one array each, for hosts that take arrays "
              "(FMI 3.0 only); a snake then has its number of links as a structural parameter"},
    {.name = "name",
     .value = "ID",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(name),
     .about = "the FMU's identifier, a word of letters, digits and _; otherwise made from the "
              "robot's name"},
    {.name = "short-names",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(short_names),
     .about = "shorter names of joints and links, so that MATLAB takes all names of variables: "
              "without the suffix _joint (of links _link) and the prefix that all have, and with "
              "four digits of a hash for middle letters where that is not enough; the FMU's "
              "documentation lists them"},
    {.name = "platforms",
     .value = "LIST",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(platforms),
     .about =
         "the systems that it is to run on, separated by commas: some of native, "
         "x86_64-linux, aarch64-linux, x86_64-windows, x86_64-darwin, aarch64-darwin; or none, "
         "with --sources; all that this Forearm was built for if not said"},
    {.name = "sources",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(sources),
     .about = "put the library's C sources in, with the robot compiled into them, for hosts that "
              "compile an FMU themselves"},
    {.name = "specialise",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(specialise),
     .about =
         "compile the library anew, with code for this one arm: accelerations in about half the "
         "time; takes zig, clang, cc or gcc, or the compiler that FOREARM_CC names"},
    {.name = "without",
     .value = "LIST",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(without),
     .about =
         "what the FMU shall not show, separated by commas, for hosts that leave no port open: "
         "tip-inputs "
         "(force and torque at the tip), tip-outputs, terminals, energy (energies and powers)"},
    {.name = "payload",
     .value = "tunable|fixed",
     .commands = EXPORT,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(payload),
     .first = FA_PAYLOAD_TUNABLE,
     .about = "whether the payload may change while the simulation runs: tunable, as if not said, "
              "or fixed"},
    {.name = "modelica",
     .value = "DIR",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(modelica),
     .about =
         "write a Modelica package into this folder in place of an FMU: a model with a flange at "
         "each joint, around the FMU's library, and examples; for OpenModelica, Dymola and others"},
    {.name = "simulink",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(simulink),
     .about = "write a MATLAB script beside the FMU that makes a Simulink model around it"},
    {.name = "ros2",
     .alias = "ros",
     .value = "DIR",
     .commands = EXPORT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(ros2),
     .about = "write the FMU into this folder as fmi_adapter of ROS 2 takes it (FMI 2.0, "
              "Co-Simulation alone), "
              "with a parameter file and a launch file"},
    {.name = "ssp",
     .value = "[=alone]",
     .commands = EXPORT,
     .kind = FA_OPTION_MAYBE_TEXT,
     .field = FIELD(ssp),
     .about = "write an SSP file beside the FMU: the FMU in a system with its connectors and a "
              "parameter set; alone: the system has no connectors of its own, as Ecos and OSP "
              "read it"},
    {.name = "bare",
     .commands = EXPORT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(bare),
     .about = "leave out what the FMU can be compared with: the robot file, a parameter set, an "
              "experiment and its results"},
    {.name = "in",
     .letter = 'i',
     .value = "FILE",
     .commands = DYNAMICS | RUNS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(in),
     .about = "the table to read (CSV), - for standard input; must be given"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = DYNAMICS | LINEARISE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the table to write (CSV); - or nothing said: standard output"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = SIMULATE | RUNS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about =
         "the table to write: CSV, or for NumPy by its name .npy (an array of records) or .npz "
         "(an array for each column); - or nothing said: CSV on standard output"},
    {.name = "in",
     .letter = 'i',
     .value = "FILE",
     .commands = GAIT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(in),
     .about = "a table (CSV) of parameters with a gait in each line, - for standard input"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = GAIT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "what to write: with --in a table (CSV), with --json JSON; - or nothing said: "
              "standard output"},
    {.name = "periods",
     .value = "N",
     .commands = GAIT,
     .kind = FA_OPTION_WHOLE,
     .first = 1,
     .field = FIELD(periods),
     .about =
         "periods of a gait at most; 50 if not said. One that has not settled by then is shown "
         "as it is"},
    {.name = "stability",
     .commands = GAIT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(stability),
     .about = "find the motion that repeats itself, and its Floquet multipliers: what is left of a "
              "disturbance after a period"},
    {.name = "html",
     .value = "FILE",
     .commands = SIMULATE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(html),
     .about = "write a page that shows the robot in motion and plots the result; no table is "
              "printed then unless --out is said"},
    {.name = "plot",
     .value = "FILE",
     .commands = SIMULATE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(plot),
     .about = "draw the result into a .svg or .png; no table is printed then unless --out is said"},
    {.name = "plot-variables",
     .value = "LIST",
     .commands = SIMULATE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(plot_variables),
     .about = "what --plot shows: names of variables, separated by commas, in which * stands for "
              "any letters; otherwise what drives the joints, positions, velocities and energies"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = RENDER,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the picture to write, a .png or .svg; must be given"},
    {.name = "at",
     .value = "SECONDS",
     .commands = RENDER,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(at),
     .about = "simulate the motion and show its end at this time, with the path of the tip; "
              "otherwise the start is shown"},
    {.name = "view",
     .value = "3d|front|side|top",
     .commands = RENDER,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(view),
     .first = FA_SIGHT_3D,
     .about = "where it is seen from; 3d if not said"},
    {.name = "size",
     .value = "WIDTHxHEIGHT",
     .commands = RENDER,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(size),
     .about = "of the picture in pixels; 720x480 if not said"},
    {.name = "dark",
     .commands = RENDER,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(dark),
     .about = "a dark background"},
    {.name = "method",
     .value = "NAME",
     .commands = DYNAMICS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(method),
     .about = "one of those that methods lists; otherwise the fastest that fits the robot"},
    {.name = "cylinders",
     .commands = 1u << FA_COMMAND_INVERSE,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(cylinders),
     .about = "the forces of cylinders instead of the torques that they can give; what they cannot "
              "give stays at the joints"},
    {.name = "joint",
     .value = "NAME",
     .commands = 1u << FA_COMMAND_INVERSE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(joint),
     .about = "the torque or force of this joint alone, found without the others, by method "
              "closed-form"},
    {.name = "regressor",
     .commands = 1u << FA_COMMAND_INVERSE,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(regressor),
     .about = "after the torques, how they change with the parameters of the links, in which they "
              "are linear: columns <torque>/<parameter>, as docs/cli.md describes them"},
    {.name = "keep",
     .value = "LIST",
     .commands = RUNS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(keep),
     .about = "what is kept of each variable, separated by commas: first, last, min, max, mean; or "
              "all, a line for every sample; last if not said"},
    {.name = "variables",
     .value = "LIST",
     .commands = RUNS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(variables),
     .about = "of what something is kept: names of variables, separated by commas, in which * "
              "stands for any letters; states and outputs if not said"},
    {.name = "script",
     .value = "FILE",
     .commands = SIM,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(script),
     .about = "the lines of the session, which ends with them or with the first fault; - for "
              "standard input"},
    {.name = "stop",
     .value = "SECONDS",
     .commands = SIMULATE,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(stop),
     .about = "when to stop; otherwise at the end of the input table, or after 5 s without one"},
    {.name = "stop",
     .value = "SECONDS",
     .commands = RUNS,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(stop),
     .about = "when to stop; after 5 s if not said"},
    {.name = "step",
     .value = "SECONDS",
     .commands = SIMULATE,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(step),
     .about = "time between two lines of the result; 0.01 if not said"},
    {.name = "step",
     .value = "SECONDS",
     .commands = RUNS,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(step),
     .about = "time between two samples; 0.01 if not said"},
    {.name = "alone",
     .commands = RUNS,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(alone),
     .about = "each run by itself, with steps that end at the samples: the numbers of simulate, in "
              "about twice the time"},
    {.name = "input",
     .value = "FILE",
     .commands = SIMULATE | RENDER,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(input),
     .about = "a table (CSV) of time and inputs, - for standard input; before its first line and "
              "after its last one, inputs are as in that line"},
    {.name = "interpolate",
     .value = "held|linear",
     .commands = SIMULATE | RENDER,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(interpolate),
     .first = FA_HELD,
     .about = "what inputs do between two lines of the table: keep the value of the earlier one, "
              "as if not said, or run straight to the later one"},
    {.name = "solver",
     .value = "automatic|dormand-prince|kutta-3|runge-kutta-4|rosenbrock",
     .commands = SIMULATE | RENDER | RUNS | GAIT | SIM,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(solver),
     .about = "the integrator; the same as --set solver=0, 1, 2, 3 or 4"},
    {.name = "tolerance",
     .value = "NUMBER",
     .commands = SIMULATE | RENDER | RUNS | GAIT | SIM,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(tolerance),
     .about = "error that automatic, dormand-prince and rosenbrock allow in a step; the same as "
              "--set solver_tolerance=NUMBER"},
    {.name = "method",
     .value = "NAME",
     .commands = COMPARE,
     .kind = FA_OPTION_TEXTS,
     .field = FIELD(methods),
     .about = "only this one of those that methods lists; may be repeated"},
    {.name = "samples",
     .value = "NUMBER",
     .commands = COMPARE,
     .kind = FA_OPTION_WHOLE,
     .field = FIELD(samples),
     .first = 1,
     .about = "states in which answers are compared; 100 if not said"},
    {.name = "seed",
     .value = "NUMBER",
     .commands = COMPARE,
     .kind = FA_OPTION_WHOLE,
     .field = FIELD(seed),
     .about = "where the random states begin; 1 if not said"},
    {.name = "untimed",
     .commands = COMPARE,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(untimed),
     .about = "no instructions and no time: what is left is the same in every run"},
    {.name = "csv",
     .value = "FILE",
     .commands = COMPARE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(csv),
     .about = "write the table as CSV, too; - for standard output in place of the other table"},
    {.name = "set",
     .value = "NAME=VALUE",
     .commands = DYNAMICS | SIMULATE | RENDER | RUNS | GAIT | SIM | LINEARISE | COMPARE,
     .kind = FA_OPTION_ASSIGNMENTS,
     .field = FIELD(set),
     .about = "another value for a parameter or an input; may be repeated"},
    {.name = "at",
     .value = "FILE",
     .commands = LINEARISE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(at),
     .about = "a table (CSV) with one line: positions, velocities, inputs and parameters"},
    {.name = "equilibrium",
     .value = "torques|pose",
     .commands = LINEARISE,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(equilibrium),
     .first = FA_BY_TORQUES,
     .about = "at rest: with the torques that hold the pose, or in a nearby pose that the torques "
              "hold"},
    {.name = "arm",
     .value = "FILE",
     .commands = PARTS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(arm),
     .about = "the <arm> whose links these are: write it with their masses, to --out"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = PARTS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the <arm> file to write, which may be the same; - or nothing said: standard output"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = 1u << FA_COMMAND_EXPAND,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the file to write; - or nothing said: standard output"},
    {.name = "out",
     .letter = 'o',
     .value = "OUT",
     .commands = 1u << FA_COMMAND_CONVERT,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about = "the file to write; must be given, and its suffix says the format"},
    {.name = "time",
     .value = "SECONDS",
     .commands = EXCITE,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(time),
     .about = "how long the motion takes, one period [s]; 20 if not said"},
    {.name = "harmonics",
     .value = "N",
     .commands = EXCITE,
     .kind = FA_OPTION_WHOLE,
     .first = 1,
     .field = FIELD(harmonics),
     .about = "sines and cosines of each joint; 5 if not said"},
    {.name = "acceleration",
     .value = "MOST",
     .commands = EXCITE,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(acceleration),
     .about = "largest acceleration of a joint [rad/s^2] or [m/s^2]; 10 if not said"},
    {.name = "step",
     .value = "SECONDS",
     .commands = EXCITE,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(step),
     .about = "from one line to the next; 0.01 if not said"},
    {.name = "seed",
     .value = "N",
     .commands = EXCITE,
     .kind = FA_OPTION_WHOLE,
     .first = 0,
     .field = FIELD(seed),
     .about = "of the numbers that the search draws; another seed gives another motion"},
    {.name = "out",
     .letter = 'o',
     .value = "FILE",
     .commands = EXCITE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about =
         "the table to write (CSV): time, positions, velocities and accelerations; - or nothing "
         "said: standard output"},
    {.name = "log",
     .value = "FILE",
     .commands = IDENTIFY,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(log),
     .about = "the log, a CSV table: time [s], and of each joint joint.<j>.position and .torque, "
              ".force or .current; .velocity and .acceleration where they were measured"},
    {.name = "validate",
     .value = "FILE",
     .commands = IDENTIFY,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(validate),
     .about = "another log, whose torques are predicted and compared"},
    {.name = "drive-gain",
     .value = "JOINT=G",
     .commands = IDENTIFY,
     .kind = FA_OPTION_ASSIGNMENTS,
     .field = FIELD(drive_gain),
     .about = "torque of the joint per unit of the current in the log [N m/A]; otherwise that of "
              "the motor and gear in the file"},
    {.name = "cutoff",
     .value = "HZ",
     .commands = IDENTIFY,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(cutoff),
     .about = "cut-off of the filter; otherwise ten times the frequency below which 99.9 % of the "
              "power of the positions lie"},
    {.name = "prior",
     .value = "SHARE",
     .commands = IDENTIFY,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(prior),
     .about = "thicken the links of the file by this share of their mass and moments, where these "
              "are none that a body can have"},
    {.name = "out",
     .letter = 'o',
     .value = "MODEL",
     .commands = IDENTIFY,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(out),
     .about =
         "write the robot with the new numbers: an <arm> as such, all else as URDF, with rotors "
         "and friction beside it in MODEL's name with .actuators.xml"},
    {.name = "report",
     .value = "PAGE",
     .commands = IDENTIFY,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(report),
     .about = "write a page (HTML) about what was found"},
    {.name = "json",
     .value = "FILE",
     .commands = IDENTIFY,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(json_file),
     .about = "write all numbers as JSON, as docs/cli.md describes it"},
    {.name = "json",
     .commands = 1u << FA_COMMAND_CHECK | INSPECT | LINEARISE | PARTS | GAIT,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(json),
     .about = "write JSON, as docs/cli.md describes it"},
    {.name = "tip",
     .value = "LINK",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(tip),
     .about = "the link whose frame is the tip; otherwise what the file says, or the end of the "
              "longest branch"},
    {.name = "model",
     .value = "NAME",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(model),
     .about = "which model of an SDFormat file with several is the robot"},
    {.name = "base",
     .value = "fixed|free",
     .commands = READERS,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(base),
     .first = FA_BASE_FIXED,
     .about =
         "what holds the root link: fixed: it is bolted to the ground; free: a floating joint, "
         "root_joint, to a new link, world; otherwise what the file says"},
    {.name = "independent",
     .value = "JOINTS",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(independent),
     .about = "joints, separated by commas, that are states where loops determine the others; "
              "otherwise what the file says, or a choice"},
    {.name = "lock",
     .value = "JOINT=VALUE",
     .commands = READERS,
     .kind = FA_OPTION_ASSIGNMENTS,
     .field = FIELD(lock),
     .about = "fix a joint at a position in rad or m; may be repeated"},
    {.name = "wrench",
     .value = "LINK",
     .commands = READERS,
     .kind = FA_OPTION_TEXTS,
     .field = FIELD(wrench),
     .about = "give a link inputs for an external force and torque; may be repeated"},
    {.name = "cut",
     .value = "CYLINDER=CUT",
     .commands = READERS,
     .kind = FA_OPTION_TEXTS,
     .field = FIELD(cut),
     .about =
         "where a cylinder is cut from the rest: force (the FMU's input is its force), port (the "
         "same, with an image of the jack inside, for long steps), chamber (flows into its "
         "chambers) or valve (the spool, supply and tank); a CUT alone is for all cylinders; may "
         "be repeated"},
    {.name = "actuators",
     .value = "FILE",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(actuators),
     .about = "a file that says what drives, brakes and stops the robot's joints, and which "
              "cylinders it has"},
    {.name = "stops",
     .value = "[=stiffness=K,damping=D]",
     .commands = READERS,
     .kind = FA_OPTION_MAYBE_TEXT,
     .field = FIELD(stops),
     .about =
         "stops at the limits of every joint that has limits and no <stop> of its own; without "
         "numbers each is chosen from the inertia that its joint feels"},
    {.name = "inputs",
     .value = "LIST",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(inputs),
     .about = "further inputs, separated by commas: base (how the ground moves), lock (of every "
              "joint, while it runs), lock-real (the same as a real number, on above 0.5), "
              "close-real (valves that close likewise), actuated (efforts at those joints alone "
              "that the file's actuators or ros2_control drive); of a snake that a gait drives: "
              "gait"},
    {.name = "outputs",
     .value = "LIST",
     .commands = EXPORT | INSPECT | DYNAMICS | SIMULATE | RUNS | LINEARISE,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(outputs),
     .about =
         "further outputs, separated by commas: reactions (force and torque in every joint "
         "and at the base), jacobian (of the tip), mass-matrix, poses (of links), energy (work, "
         "losses and their balance: states of arms and snakes)"},
    {.name = "package",
     .value = "NAME=DIR",
     .commands = READERS | 1u << FA_COMMAND_EXPAND,
     .kind = FA_OPTION_NAMINGS,
     .field = FIELD(package),
     .about = "where a package is that the robot file names; otherwise AMENT_PREFIX_PATH, "
              "ROS_PACKAGE_PATH and the folders around the file are searched; may be repeated"},
    {.name = "density",
     .value = "RHO",
     .commands = READERS,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(density),
     .about = "weigh links without mass by their shapes, as if they were full of a material of "
              "this density [kg/m^3]; 2700 is aluminium's"},
    {.name = "total-mass",
     .value = "M",
     .commands = READERS,
     .kind = FA_OPTION_POSITIVE,
     .field = FIELD(total_mass),
     .about = "the same, with the one density that makes the whole robot weigh M [kg]"},
    {.name = "keyframe",
     .value = "NAME",
     .commands = READERS,
     .kind = FA_OPTION_TEXT,
     .field = FIELD(keyframe),
     .about = "the keyframe of an MJCF file that the robot starts in"},
    {.name = "drives",
     .value = "file|torque",
     .commands = READERS,
     .kind = FA_OPTION_CHOICE,
     .field = FIELD(drives),
     .first = FA_DRIVES_OF_FILE,
     .about = "torque: leave the drives of an MJCF file out, so that torques and forces of its "
              "joints are the inputs"},
    {.name = "strict",
     .commands = READERS,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(strict),
     .about = "take every warning for an error"},
    {.name = "lenient",
     .commands = READERS,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(lenient),
     .about = "accept revolute joints without <limit>, as unlimited"},
    {.name = "help",
     .letter = 'h',
     .commands = ~0u,
     .kind = FA_OPTION_SWITCH,
     .field = FIELD(help),
     .about = "explain this command"},
};
const int fa_option_count = sizeof fa_option_rows / sizeof *fa_option_rows;

bool fa_option_belongs(const fa_option *option, const fa_command *command)
{
    return option->commands >> (command - fa_commands) & 1;
}
