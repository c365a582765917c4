// forearm sim: a session with an arm, after the program of that name in N. M. Swartz, "Arm Dynamics
// Simulation" (1982). Variables hold what the arm does, commands compute with them.
#ifndef FA_SESSION_H
#define FA_SESSION_H

#include "motion.h"
#include "reader.h"
#include "sim_arm.h"
#include "words.h"

#define FA_SESSION_WIDTH 80 // width of a terminal [characters]

typedef struct fa_session {
    const fa_arguments *arguments; // the program's command line
    fa_reader           reader;
    fa_sim_arm          arm;
    char               *arm_path; // path from database.read; NULL: the command line's
    fa_session_motion   motion;
    double              DAC_period;   // [s]; 0: the converter's output is continuous
    double              timestep;     // [s]
    char                answer[4096]; // to the last question
    FILE               *output; // memory stream of print.simulation until it is closed; NULL: none
    char               *output_path, *output_text;
    size_t              output_size;
    bool                over;
} fa_session;

// ------------------------------------------------------------------------------------- variables

typedef struct fa_session_variable {
    const char   *name, *unit, *about;
    fa_sim_vector vector; // FA_SIM_VECTORS: a scalar, accessed by the functions
    double (*get)(const fa_session *session);
    fa_status (*set)(fa_session *session, double value, fa_error *error);
} fa_session_variable;

extern const fa_session_variable fa_session_variables[];
extern const int                 fa_session_variable_count;

// Returns NULL if there is none.
const fa_session_variable *fa_session_variable_find(const char *name);

// Assigns the words behind `name =`: a number for each joint, or one for all; - for a joint without
// this quantity.
fa_status fa_session_assign(fa_session *session, const fa_session_variable *variable,
                            const fa_word word[], int n, fa_error *error);

// Prints the assignment: name = number number …
fa_status fa_session_print(const fa_session *session, const fa_session_variable *variable,
                           FILE *out, fa_error *error);

// Prints all six vectors, number[which * n + joint], joint by joint.
fa_status fa_session_print_joints(const fa_session *session, const double number[], FILE *out,
                                  fa_error *error);

// -------------------------------------------------------------------------------------- commands

// The arguments of a command. Missing ones are asked for.
typedef struct fa_request {
    fa_session    *session;
    const fa_word *word;
    int            n, used;
} fa_request;

// Kinds of arguments, for completion.
enum {
    FA_TAKES_FILES = 1,     // names of files
    FA_TAKES_NAMES = 2,     // commands and variables
    FA_TAKES_VARIABLES = 4, // variables
    FA_TAKES_ANSWERS = 8    // the words of `answers`
};

typedef struct fa_session_command {
    const char *name;
    const char *takes;   // as help shows it, "[START [FINISH [STEP]]]"
    const char *summary; // a few words
    const char *about;   // sentences
    unsigned    completes;
    const char *answers; // words, separated by blanks
    fa_status (*run)(fa_request *call, fa_error *error);
} fa_session_command;

extern const fa_session_command fa_session_commands[];
extern const int                fa_session_command_count;

// Returns NULL if there is none.
const fa_session_command *fa_session_command_find(const char *name);

// Returns the next word of the call; NULL: none is left.
const char *fa_request_next(fa_request *call);

// Returns the next word, or the answer to the question. An empty answer means `otherwise`; NULL: an
// answer is required. *answer lives until the next question.
fa_status fa_ask(fa_request *call, const char *question, const char *otherwise, const char **answer,
                 fa_error *error);
// Asks a question of two answers: yes or its word, no or its word.
fa_status fa_ask_either(fa_request *call, const char *question, bool otherwise, const char *yes,
                        const char *no, bool *answer, fa_error *error);
fa_status fa_ask_number(fa_request *call, const char *question, double otherwise, double *answer,
                        fa_error *error);
fa_status fa_ask_count(fa_request *call, const char *question, double most, double *answer,
                       fa_error *error);

// Fails if words are left over.
fa_status fa_request_end(const fa_request *call, fa_error *error);

// Reports an error at the last word, or at the answer.
fa_status fa_request_fail(const fa_request *call, fa_error *error, const char *format, ...)
    FA_PRINTF(3, 4);

// sim_dynamics.c
fa_status fa_sim_inverse(fa_request *call, fa_error *error);
fa_status fa_sim_forward(fa_request *call, fa_error *error);
fa_status fa_sim_database(fa_request *call, fa_error *error);

// sim_simulate.c
fa_status fa_sim_simulate(fa_request *call, fa_error *error);

// sim_output.c
fa_status fa_sim_print(fa_request *call, fa_error *error);
fa_status fa_sim_plot(fa_request *call, fa_error *error);
fa_status fa_sim_graphic(fa_request *call, fa_error *error);
fa_status fa_sim_open(fa_request *call, fa_error *error);
fa_status fa_sim_close(fa_request *call, fa_error *error);

// Writes the printed text into the open file; does nothing if none is open.
fa_status fa_session_close_output(fa_session *session, fa_error *error);

// sim_help.c
fa_status fa_sim_help(fa_request *call, fa_error *error);
fa_status fa_sim_show(fa_request *call, fa_error *error);
fa_status fa_sim_quit(fa_request *call, fa_error *error);

// Executes one line.
fa_status fa_session_do(fa_session *session, const char *line, fa_error *error);

#endif
