// Session commands at one instant: the paper's Inverse Arm and Forward Arm, and database.read.
#include <stdlib.h>
#include <string.h>

#include "dynamics_table.h"
#include "session.h"

// ---------------------------------------------------------------------------------- inverse_arm

// Evaluates a table of motions, like forearm inverse, for the session's arm.
static fa_status many_sets(fa_session *s, const char *in, const char *out, fa_error *error)
{
    const fa_state *state = &s->arm.inverse;
    int             n = state->table.first[FA_INPUT];
    fa_assignment  *set = malloc(((size_t)n + 1) * sizeof *set);
    if (!set)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the arm's parameters");
    for (int row = 0; row < n; row++)
        set[row] = (fa_assignment){state->table.row[row].name, state->value[row]};
    const fa_arguments arguments = {.in = in, .out = out, .set = {n, set}};
    (void)fflush(stdout);
    fa_status status = fa_dynamics_table(&arguments, s->arm.robot, true, error);
    free(set);
    return status;
}

fa_status fa_sim_inverse(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    const char *in = fa_request_next(call), *out = fa_request_next(call);
    fa_status   status = fa_request_end(call, error);
    if (status != FA_OK) return status;
    if (in) return many_sets(s, in, out, error);
    status = fa_sim_arm_inverse(&s->arm, error);
    if (status == FA_OK)
        status = fa_session_print(s, fa_session_variable_find("torque"), stdout, error);
    if (status == FA_OK && s->arm.has_motors)
        status = fa_session_print(s, fa_session_variable_find("voltage"), stdout, error);
    return status;
}

// ---------------------------------------------------------------------------------- forward_arm

fa_status fa_sim_forward(fa_request *call, fa_error *error)
{
    fa_session *s = call->session;
    fa_status   status = fa_request_end(call, error);
    if (status == FA_OK) status = fa_sim_arm_forward(&s->arm, error);
    if (status == FA_OK)
        status = fa_session_print(s, fa_session_variable_find("alpha"), stdout, error);
    return status;
}

// -------------------------------------------------------------------------------- database.read

fa_status fa_sim_database(fa_request *call, fa_error *error)
{
    fa_session  *s = call->session;
    const char  *file;
    fa_status    status = fa_ask(call, "robot file?", NULL, &file, error);
    fa_arguments arguments = {.actuators = fa_request_next(call),
                              .lenient = s->arguments->lenient,
                              .strict = s->arguments->strict,
                              .density = s->arguments->density,
                              .total_mass = s->arguments->total_mass,
                              .solver = s->arguments->solver,
                              .tolerance = s->arguments->tolerance};
    if (status == FA_OK) status = fa_request_end(call, error);
    if (status != FA_OK) return status;
    char *path = malloc(strlen(file) + 1);
    if (!path)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the name of the file");
    strcpy(path, file);
    arguments.operand = path;
    fa_sim_arm arm;
    status = fa_sim_arm_read(&arguments, &arm, error);
    if (status != FA_OK) { // the session keeps its arm
        fa_sim_arm_free(&arm);
        free(path);
        return status;
    }
    fa_motion_free(&s->motion);
    fa_sim_arm_free(&s->arm);
    free(s->arm_path);
    s->arm = arm;
    s->arm_path = path;
    printf("%s: %d joints%s\n", arm.robot->name, arm.n, arm.has_motors ? ", motors" : "");
    return FA_OK;
}
