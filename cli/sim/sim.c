// forearm sim: reads and executes the lines of a session.
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "session.h"

#define PROMPT "sim> "

static fa_status unknown(const fa_word *word, bool assigned, fa_error *error)
{
    const char *name = word->text;
    fa_nearest  nearest = fa_nearest_to(name);
    for (int i = 0; i < fa_session_variable_count; i++)
        fa_nearest_try(&nearest, fa_session_variables[i].name);
    for (int i = 0; i < fa_session_command_count && !assigned; i++)
        fa_nearest_try(&nearest, fa_session_commands[i].name);
    return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, word->column},
                   "there is no %s '%s'; %s", assigned ? "variable" : "command or variable", name,
                   fa_nearest_hint(&nearest, "help lists what there is").text);
}

static fa_status do_words(fa_session *session, const fa_words *words, fa_error *error)
{
    const fa_word             *word = words->of;
    const fa_session_variable *variable = fa_session_variable_find(word->text);
    const fa_session_command  *command = fa_session_command_find(word->text);
    bool                       assigned = words->n > 1 && strcmp(word[1].text, "=") == 0;
    fa_request                 call = {session, word + 1, words->n - 1, 0};
    if (assigned && command)
        return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, word[1].column},
                       "'%s' is a command, to which nothing can be assigned", word->text);
    if (command) return command->run(&call, error);
    if (!variable) return unknown(word, assigned, error);
    if (assigned) return fa_session_assign(session, variable, word + 2, words->n - 2, error);
    if (words->n > 1)
        return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, word[1].column},
                       "'%s' is a variable; write = behind it to set it", word->text);
    return fa_session_print(session, variable, stdout, error);
}

fa_status fa_session_do(fa_session *session, const char *line, fa_error *error)
{
    fa_words  words;
    fa_status status = fa_words_split(line, &words, error);
    if (status == FA_OK && words.n > 0) status = do_words(session, &words, error);
    fa_words_free(&words);
    return status;
}

// Reports an error. At a terminal, the message alone. In a script, with the line's place; an error
// elsewhere, for instance in a schedule, is followed by the line that caused it.
static fa_exit report(const fa_reader *reader, int line, fa_status status, fa_error *error)
{
    if (fa_reader_is_terminal(reader)) {
        if (!error->file[0]) error->place = FA_NOWHERE;
        return fa_report(status, error);
    }
    bool elsewhere = error->file[0] != '\0';
    if (!elsewhere) {
        error->place.line = line;
        snprintf(error->file, sizeof error->file, "%s", reader->name);
    }
    fa_exit code = fa_report(status, error);
    if (elsewhere && strcmp(error->file, reader->name) != 0)
        fprintf(stderr, "%s:%d: this line could not be done, and the session ends here\n",
                reader->name, line);
    return code;
}

// Runs a session. Errors end a script, but not a session at a terminal.
static fa_exit run(fa_session *session)
{
    fa_reader *reader = &session->reader;
    while (!session->over) {
        fa_error    error = fa_no_error();
        const char *line;
        fa_status   status = fa_reader_next(reader, PROMPT, false, &line, &error);
        int         number = reader->line;
        if (status == FA_OK && !line) break;
        if (status == FA_OK) status = fa_session_do(session, line, &error);
        (void)fflush(stdout);
        if (status == FA_OK) continue;
        fa_exit code = report(reader, number, status, &error);
        if (!fa_reader_is_terminal(reader)) return code;
    }
    return FA_EXIT_DONE;
}

fa_exit fa_run_sim(const fa_arguments *arguments)
{
    fa_error   error = fa_no_error();
    fa_session session = {.arguments = arguments, .timestep = 1e-3};
    fa_status  status = fa_reader_open(arguments->script, &session.reader, &error);
    if (status == FA_OK) status = fa_sim_arm_read(arguments, &session.arm, &error);
    if (status == FA_OK && fa_reader_is_terminal(&session.reader))
        printf("%s, %d joints. help explains, quit ends.\n", session.arm.robot->name,
               session.arm.n);
    fa_exit code = status == FA_OK ? run(&session) : fa_report(status, &error);
    status = fa_session_close_output(&session, &error);
    fa_exit failed = fa_report(status, &error);
    if (code == FA_EXIT_DONE) code = failed;
    fa_motion_free(&session.motion);
    fa_sim_arm_free(&session.arm);
    fa_reader_close(&session.reader);
    free(session.arm_path);
    return code;
}
