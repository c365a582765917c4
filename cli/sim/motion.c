// Runs and continues a simulation inside a session and keeps its recording.
#include "motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "break.h"
#include "progress.h"
#include "schedule_file.h"
#include "told_limits.h"

#define SLACK 1e-9 // relative to a period or timestep: times that differ by less are equal

// ------------------------------------------------------------------------------------- schedules

fa_status fa_motion_schedule(const fa_sim_arm *arm, const char *path, double period,
                             fa_schedule *schedule, double *end, fa_error *error)
{
    bool      timed;
    fa_status status =
        fa_schedule_read(path, false, period, &arm->forward, schedule, &timed, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < schedule->n && period > 0; i++)
        schedule->time[i] = period * ceil(schedule->time[i] / period - SLACK);
    *end = schedule->time[schedule->n - 1] + (timed ? 0 : period);
    return FA_OK;
}

// ----------------------------------------------------------------------------------------- lines

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the motion; take fewer timesteps");
}

static fa_status add_line(fa_session_motion *motion, const fa_sim_arm *arm, fa_error *error)
{
    size_t width = FA_SIM_VECTORS * (size_t)arm->n;
    if (!fa_lines_grow(&motion->line, &motion->room, motion->n, width)) return no_memory(error);
    if (fa_recording_add(&motion->recording, &arm->forward, NULL) != FA_OK) return no_memory(error);
    fa_sim_arm_look(arm, motion->line + motion->n++ * width);
    fa_limits_look(&motion->limits, fa_motion_time(motion, motion->n - 1), arm->forward.value);
    return FA_OK;
}

static fa_status begin_recording(fa_session_motion *motion, const fa_sim_arm *arm, fa_error *error)
{
    const fa_variables *table = &arm->forward.table;
    int                 n = 0, *wanted = malloc((size_t)table->n * sizeof *wanted);
    if (!wanted) return no_memory(error);
    for (int row = table->first[FA_INPUT]; row < table->first[FA_OUTPUT + 1]; row++)
        wanted[n++] = row;
    fa_status status = fa_recording_begin(&arm->forward, wanted, n, &motion->recording, error);
    free(wanted);
    return status;
}

double fa_motion_time(const fa_session_motion *motion, size_t line)
{
    return fa_recorded(&motion->recording, line, 0);
}

size_t fa_motion_nearest(const fa_session_motion *motion, double t)
{
    size_t low = 0, high = motion->n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fa_motion_time(motion, middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && t - fa_motion_time(motion, low - 1) < fa_motion_time(motion, low) - t) low--;
    return low;
}

// ---------------------------------------------------------------------------------------- motion

void fa_motion_free(fa_session_motion *motion)
{
    if (motion->begun) fa_simulation_free(&motion->simulation);
    fa_schedule_free(&motion->schedule);
    fa_recording_free(&motion->recording);
    fa_limits_free(&motion->limits);
    free(motion->line);
    *motion = (fa_session_motion){.begun = false};
}

// Resets states, modes and outputs to those before any motion.
static void reset(fa_state *state)
{
    for (int row = state->table.first[FA_STATE]; row < state->table.n; row++)
        state->value[row] = state->table.row[row].start;
    fa_state_start(state);
}

fa_status fa_motion_begin(fa_session_motion *motion, fa_sim_arm *arm, fa_error *error)
{
    fa_motion_free(motion);
    reset(&arm->forward);
    fa_sim_arm_place(arm);
    motion->begun = true;
    fa_status status =
        fa_simulation_new(&arm->forward, &motion->schedule, &motion->simulation, error);
    if (status == FA_OK) status = begin_recording(motion, arm, error);
    if (status == FA_OK)
        status = fa_limits_new(arm->robot, &arm->forward.table, &motion->limits, error);
    if (status != FA_OK) fa_motion_free(motion);
    return status;
}

static fa_status run(fa_session_motion *motion, fa_sim_arm *arm, double steps, double timestep,
                     fa_error *error)
{
    fa_simulation *s = &motion->simulation;
    const double   begin = s->t;
    fa_status      status = fa_simulation_begin(s, begin, error);
    if (status == FA_OK) status = fa_simulation_show(s, begin, s->x, FA_GROUP_ALL, error);
    if (status == FA_OK && motion->n == 0) status = add_line(motion, arm, error);
    for (double i = 1; i <= steps && status == FA_OK && !fa_break_asked(); i++) {
        double end = fa_simulation_due(s, begin + i * timestep, timestep);
        status = fa_simulation_advance(s, end, error);
        if (status == FA_OK) status = fa_simulation_show(s, end, s->x, FA_GROUP_ALL, error);
        if (status == FA_OK) status = add_line(motion, arm, error);
        fa_progress_at(i, steps);
    }
    return status;
}

fa_status fa_motion_continue(fa_session_motion *motion, fa_sim_arm *arm, fa_schedule schedule,
                             double steps, double timestep, fa_error *error)
{
    fa_simulation *s = &motion->simulation;
    fa_schedule_free(&motion->schedule);
    motion->schedule = schedule;
    for (int i = 0; i < schedule.n; i++) motion->schedule.time[i] += s->t;
    s->trajectory.solver.step = timestep;
    fa_sim_arm_place(arm);
    fa_progress_begin("simulating");
    fa_status status = run(motion, arm, steps, timestep, error);
    fa_progress_end();
    fa_limits_tell(&motion->limits, arm->robot->source[0] ? arm->robot->source : NULL);
    fa_plant_tell(&arm->forward, arm->robot->source[0] ? arm->robot->source : NULL);
    size_t width = FA_SIM_VECTORS * (size_t)arm->n;
    if (motion->n > 0)
        memcpy(arm->number, motion->line + (motion->n - 1) * width, width * sizeof(double));
    return status;
}
