// A robot file, or a URDF: its first output and its linearisation at the start, and its motion
// while its first input is pushed for a while.
#include <forearm/import.h>
#include <forearm/run.h>
#include <stdio.h>
#include <stdlib.h>

// The first output, with friction and stops decided as at the start of a motion.
static fa_status evaluate(fa_state *state, fa_error *error)
{
    const int output = state->table.first[FA_OUTPUT];
    fa_status status = fa_simulation_settle(state, error);
    if (status == FA_OK) status = fa_state_evaluate(state, FA_GROUP_ALL, error);
    if (status == FA_OK)
        printf("%s = %s\n", state->table.row[output].name,
               fa_number_text(state->value[output]).text);
    return status;
}

// Two seconds of motion, a line every 0.1 s; the first input is 1 from 0.5 s to 1 s.
static fa_status move(fa_state *state, fa_error *error)
{
    const int           input = state->table.first[FA_INPUT];
    const double        time[] = {0, 0.5, 1}, push[] = {0, 1, 0};
    fa_schedule         schedule;
    fa_simulation       simulation;
    const fa_variables *table = &state->table;
    fa_status           status = fa_schedule_new(false, &input, 1, &schedule, error);
    for (int i = 0; i < 3 && status == FA_OK; i++)
        status = fa_schedule_add(&schedule, time[i], &push[i], error);
    if (status == FA_OK) status = fa_simulation_new(state, &schedule, &simulation, error);
    if (status == FA_OK) status = fa_simulation_begin(&simulation, 0, error);
    for (int line = 1; line <= 20 && status == FA_OK; line++) {
        const double t = fa_simulation_due(&simulation, line * 0.1, 0.1);
        status = fa_simulation_advance(&simulation, line < 20 ? t : 2, error);
    }
    if (status == FA_OK)
        status = fa_simulation_show(&simulation, 2, simulation.x, FA_GROUP_ALL, error);
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1] && status == FA_OK;
         row++)
        printf("%s = %s\n", table->row[row].name, fa_number_text(state->value[row]).text);
    fa_simulation_free(&simulation);
    fa_schedule_free(&schedule);
    return status;
}

// How the derivatives of the states change with the states.
static fa_status linearise(fa_state *state, fa_error *error)
{
    fa_linearisation system;
    fa_status        status = fa_linearise(state, &system, error);
    for (int i = 0; i < system.n_x && status == FA_OK; i++)
        for (int j = 0; j < system.n_x; j++) {
            const double a = system.matrix[(size_t)i * (size_t)system.columns + (size_t)j];
            printf("%s%c", fa_number_text(a).text, j + 1 < system.n_x ? ' ' : '\n');
        }
    fa_linearisation_free(&system);
    return status;
}

int main(int n, char *word[])
{
    fa_error  error = fa_no_error();
    fa_robot *robot = NULL;
    fa_state  state = {0};
    fa_status status = fa_import(n > 1 ? word[1] : "robot.urdf", NULL, NULL, &robot, &error);
    if (status == FA_OK) status = fa_state_new(robot, &state, &error);
    if (status == FA_OK && n > 2) status = fa_state_set(&state, word[2], atof(word[3]), &error);
    if (status == FA_OK) status = fa_state_begin(&state, &error);
    if (status == FA_OK) status = linearise(&state, &error);
    if (status == FA_OK) status = evaluate(&state, &error);
    if (status == FA_OK) status = fa_state_begin(&state, &error);
    if (status == FA_OK) status = move(&state, &error);
    if (status != FA_OK) fprintf(stderr, "%s: %s\n", error.file, error.message);
    fa_state_free(&state);
    free(robot);
    return status != FA_OK;
}
