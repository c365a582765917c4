// Session commands that list commands and variables, and the one that ends the session.
#include <string.h>

#include "nearest.h"
#include "session.h"
#include "table.h"

static void list(void)
{
    puts("Commands; help NAME explains each, and what is left out is asked for:");
    for (int i = 0; i < fa_session_command_count; i++) {
        const fa_session_command *c = &fa_session_commands[i];
        fa_print_explained(stdout, printf("  %s %s", c->name, c->takes), c->summary);
    }
    puts("\nVariables; NAME = NUMBER... sets one, with a number for each joint or one for\n"
         "all, and NAME shows it:");
    for (int i = 0; i < fa_session_variable_count; i++) {
        const fa_session_variable *v = &fa_session_variables[i];
        char                       first[256];
        size_t                     end = strcspn(v->about, ".:;");
        snprintf(first, sizeof first, "%.*s [%s]", (int)end, v->about, v->unit);
        fa_print_explained(stdout, printf("  %s", v->name), first);
    }
    puts("\n# begins a remark; names of files with blanks stand in quotation marks.");
}

static fa_status explain(const fa_request *call, const char *name, fa_error *error)
{
    const fa_session_command  *c = fa_session_command_find(name);
    const fa_session_variable *v = fa_session_variable_find(name);
    if (c) {
        printf("%s%s%s\n\n", c->name, c->takes[0] ? " " : "", c->takes);
        fa_print_wrapped(stdout, c->about, 0, 0);
        return FA_OK;
    }
    if (v) {
        printf("%s [%s]\n\n", v->name, v->unit);
        fa_print_wrapped(stdout, v->about, 0, 0);
        return FA_OK;
    }
    fa_nearest nearest = fa_nearest_to(name);
    for (int i = 0; i < fa_session_command_count; i++)
        fa_nearest_try(&nearest, fa_session_commands[i].name);
    for (int i = 0; i < fa_session_variable_count; i++)
        fa_nearest_try(&nearest, fa_session_variables[i].name);
    return fa_request_fail(call, error, "there is neither a command nor a variable '%s'; %s", name,
                           fa_nearest_hint(&nearest, "help lists them").text);
}

fa_status fa_sim_help(fa_request *call, fa_error *error)
{
    const char *name = fa_request_next(call);
    if (name) {
        fa_status status = explain(call, name, error);
        return status == FA_OK ? fa_request_end(call, error) : status;
    }
    list();
    return FA_OK;
}

fa_status fa_sim_show(fa_request *call, fa_error *error)
{
    const fa_session *s = call->session;
    fa_status         status = fa_request_end(call, error);
    if (status != FA_OK) return status;
    printf("%s: ", s->arm.robot->name);
    for (int i = 0; i < fa_session_variable_count; i++) {
        const fa_session_variable *v = &fa_session_variables[i];
        if (v->vector != FA_SIM_VECTORS) continue;
        fputs(i > 0 ? ", " : "", stdout);
        printf("%s = %s %s", v->name, fa_rounded_text(v->get(s)).text, v->unit);
    }
    putchar('\n');
    return fa_session_print_joints(s, s->arm.number, stdout, error);
}

fa_status fa_sim_quit(fa_request *call, fa_error *error)
{
    fa_status status = fa_request_end(call, error);
    call->session->over = status == FA_OK;
    return status;
}
