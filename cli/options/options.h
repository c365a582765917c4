// The commands and their options: two tables (commands.c, option_rows.c), from which the parser,
// --help and the check on docs/cli.md follow.
#ifndef FA_OPTIONS_H
#define FA_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "report.h"
#include "xacro.h"

// NAME=VALUE on the command line.
typedef struct fa_assignment {
    const char *name;
    double      value;
} fa_assignment;

typedef struct fa_assignments {
    int            n;
    fa_assignment *of;
} fa_assignments;

typedef struct fa_texts {
    int          n;
    const char **of;
} fa_texts;

typedef struct fa_namings {
    int        n;
    fa_naming *of;
} fa_namings;

// The parsed and checked command line. NULL or NAN: not given.
typedef struct fa_arguments {
    int         command; // fa_command_code
    const char *operand; // FILE, or the COMMAND of `forearm help`
    bool        help;

    const char    *out, *in, *input;
    const char    *name, *platforms, *tip, *method, *at, *arm, *html;
    const char    *plot, *plot_variables;
    const char    *variables, *keep;
    const char    *outputs;
    const char    *independent;
    const char    *inputs;
    const char    *actuators, *stops;
    const char    *joint, *model;
    const char    *log, *validate, *report, *json_file;
    double         cutoff, prior, time, harmonics, acceleration;
    fa_assignments drive_gain;
    bool           regressor, robust;
    bool           cylinders, specialise;
    bool           strict, lenient, json, sources, bare;
    bool           arrays, short_names;
    int            fmi;                   // 2 or 3
    int            interpolate;           // FA_HELD or FA_LINEAR
    int            base;                  // fa_import_base
    int            kind;                  // FA_KIND_FORWARD or FA_KIND_INVERSE
    int            equilibrium;           // FA_BY_TORQUES, FA_BY_POSE, or FA_NOT_SAID
    int            solver;                // FA_SOLVER_… of plant.h, or FA_NOT_SAID
    double         stop, step, tolerance; // [s], [s], 1
    const char    *csv, *script;
    const char    *modelica, *ros2, *without, *ssp;
    int            payload; // FA_PAYLOAD_TUNABLE or FA_PAYLOAD_FIXED
    bool           simulink;
    bool           untimed, alone, stability, man;
    double         samples, seed, periods;
    const char    *size;
    int            view; // fa_sight of stage.h
    bool           dark;
    const char    *keyframe;
    int            drives; // FA_DRIVES_OF_FILE or FA_DRIVES_TORQUE
    // Total or density of links' masses, distributed by shape [kg/m^3], [kg].
    double         density, total_mass;
    fa_assignments lock, set;
    fa_texts       wrench, cut, methods;
    fa_namings     xacro, package; // name:=value after FILE, and --package NAME=DIR
} fa_arguments;

#define FA_NOT_SAID (-1)
enum { FA_HELD, FA_LINEAR };
enum { FA_DRIVES_OF_FILE, FA_DRIVES_TORQUE };
enum { FA_KIND_FORWARD, FA_KIND_INVERSE };
enum { FA_PAYLOAD_TUNABLE, FA_PAYLOAD_FIXED };
enum { FA_BY_TORQUES, FA_BY_POSE };

typedef enum fa_command_code {
    FA_COMMAND_EXPORT,
    FA_COMMAND_CHECK,
    FA_COMMAND_EXPAND,
    FA_COMMAND_CONVERT,
    FA_COMMAND_INSPECT,
    FA_COMMAND_FORWARD,
    FA_COMMAND_INVERSE,
    FA_COMMAND_SIMULATE,
    FA_COMMAND_VIEW,
    FA_COMMAND_RENDER,
    FA_COMMAND_RUNS,
    FA_COMMAND_GAIT,
    FA_COMMAND_SIM,
    FA_COMMAND_LINEARISE,
    FA_COMMAND_IDENTIFY,
    FA_COMMAND_EXCITE,
    FA_COMMAND_METHODS,
    FA_COMMAND_PARTS,
    FA_COMMAND_COMPARE,
    FA_COMMAND_COMPLETION,
    FA_COMMAND_HELP,
    FA_COMMAND_COUNT
} fa_command_code;

typedef struct fa_command {
    const char *name;
    const char *operand; // as --help shows it: "FILE"; in brackets if optional; or ""
    const char *summary; // a few words, in the list of commands
    const char *about;   // sentences, in its own help
    fa_exit (*run)(const fa_arguments *arguments);
} fa_command;

// Kind of an option: the syntax of its value, and the type of its field in fa_arguments.
typedef enum fa_option_kind {
    FA_OPTION_SWITCH,      // bool
    FA_OPTION_TEXT,        // const char *
    FA_OPTION_MAYBE_TEXT,  // const char *, only after =; "" without
    FA_OPTION_TEXTS,       // fa_texts; may be repeated
    FA_OPTION_POSITIVE,    // double, finite and above zero
    FA_OPTION_WHOLE,       // double, a whole number from `first` to a thousand million
    FA_OPTION_ASSIGNMENTS, // fa_assignments; may be repeated
    FA_OPTION_NAMINGS,     // fa_namings; may be repeated
    FA_OPTION_CHOICE       // int: `first` for the first of the words in `value`, and so on
} fa_option_kind;

typedef struct fa_option {
    const char    *name;     // "out", without its dashes
    const char    *alias;    // alternative name; NULL: none
    char           letter;   // 'o', or 0
    const char    *value;    // as --help shows it: "FILE", "2|3"; NULL for a switch
    unsigned       commands; // bit 1 << fa_command_code for each command that takes it
    fa_option_kind kind;
    size_t         field; // offset in fa_arguments
    int            first;
    const char    *about;
} fa_option;

extern const fa_command fa_commands[FA_COMMAND_COUNT];

// Commands of a shell that show what a command does.
enum { FA_EXAMPLES = 3 };
extern const char *const fa_examples[FA_COMMAND_COUNT][FA_EXAMPLES];
extern const fa_option   fa_option_rows[];
extern const int         fa_option_count;

// Runs the whole program; argv[0] is its name.
fa_exit fa_run_program(int argc, char *argv[]);

fa_exit fa_run_export(const fa_arguments *arguments);
fa_exit fa_run_check(const fa_arguments *arguments);
fa_exit fa_run_expand(const fa_arguments *arguments);
fa_exit fa_run_convert(const fa_arguments *arguments);
fa_exit fa_run_inspect(const fa_arguments *arguments);
fa_exit fa_run_forward(const fa_arguments *arguments);
fa_exit fa_run_inverse(const fa_arguments *arguments);
fa_exit fa_run_simulate(const fa_arguments *arguments);
fa_exit fa_run_view(const fa_arguments *arguments);
fa_exit fa_run_render(const fa_arguments *arguments);
fa_exit fa_run_runs(const fa_arguments *arguments);
fa_exit fa_run_gait(const fa_arguments *arguments);
fa_exit fa_run_sim(const fa_arguments *arguments);
fa_exit fa_run_linearise(const fa_arguments *arguments);
fa_exit fa_run_identify(const fa_arguments *arguments);
fa_exit fa_run_excite(const fa_arguments *arguments);
fa_exit fa_run_methods(const fa_arguments *arguments);
fa_exit fa_run_parts(const fa_arguments *arguments);
fa_exit fa_run_compare(const fa_arguments *arguments);
fa_exit fa_run_completion(const fa_arguments *arguments);
fa_exit fa_run_help(const fa_arguments *arguments);

// Returns the command of that name; otherwise NULL and an error that suggests the nearest name.
const fa_command *fa_command_find(const char *name, fa_error *error);

// Returns true if the command takes the option; and if all commands that read robots do.
bool fa_option_belongs(const fa_option *option, const fa_command *command);
bool fa_option_is_of_readers(const fa_option *option);

// Parses the n words behind the command. The result points into them, and words of the form
// NAME=VALUE are split. Release with fa_arguments_free, also after a failure.
fa_status fa_arguments_read(const fa_command *command, int n, char *word[], fa_arguments *arguments,
                            fa_error *error);
void      fa_arguments_free(fa_arguments *arguments);

// Print the help of one command, and that of the program.
void fa_print_command_help(FILE *out, const fa_command *command);
void fa_print_help(FILE *out);

// The same as pages of the manual, forearm-COMMAND(1) and forearm(1), on standard output.
void fa_print_command_manual(const fa_command *command);
void fa_print_manual(void);

// Prints wrapped text from column `at`; later lines are indented to column `indent`.
void fa_print_wrapped(FILE *out, const char *text, int at, int indent);

// Prints the explanation of a term whose `length` columns are printed already.
void fa_print_explained(FILE *out, int length, const char *text);

#endif
