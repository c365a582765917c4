// Many motions of one robot over time and events: each lane, or thread, takes one run after the
// other, in memory that is there from the start.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "courses.h"
#include "forearm.h"
#include "sharing.h"
#include "workspace.h"

enum { MOST_THREADS = 256 };

// The part of the motions that one thread computes.
typedef struct motion_work {
    const struct motion_call *call;
    fa_share                 *share;
    int                       thread;
    size_t                    fault_run; // the first run of this thread that failed, SIZE_MAX: none
    fa_error                  fault;
} motion_work;

struct fa_motions {
    const fa_robot *robot;
    double          stop, step;
    size_t          samples;
    int             n_parameters, *parameter;
    double          tolerance;   // 0: as the robot says
    bool         weighs_values;  // `deterministic` or the method is a parameter: each table decides
    int          threads, slots; // motions of a thread
    fa_courses   courses;
    size_t      *run; // in each slot of each thread
    motion_work *work;
};

// A call of fa_motions_run.
typedef struct motion_call {
    fa_motions         *motions;
    const fa_run_table *table;
    const fa_sink      *sink;
    size_t              runs;
} motion_call;

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for so many motions at once");
}

// ------------------------------------------------------------------------------------ their memory

// Replaces the memory by one for so many threads.
static fa_status make(fa_motions *m, int threads, fa_error *error)
{
    fa_courses courses;
    int        slots = 1;
    fa_status  status = FA_OK;
    for (int turn = 0; turn < 2 && status == FA_OK; turn++) { // the first one counts the lanes
        const size_t n = turn == 0 ? 1 : (size_t)threads * (size_t)slots;
        status = fa_courses_new(m->robot, n, m->n_parameters, m->parameter, &courses, error);
        if (status == FA_OK && m->tolerance > 0)
            status = fa_state_accept(&courses.of[0].state, FA_ROW_SOLVER_TOLERANCE, m->tolerance,
                                     m->robot->source, FA_NOWHERE, error);
        if (status == FA_OK && m->tolerance > 0)
            courses.base[FA_ROW_SOLVER_TOLERANCE] = m->tolerance;
        if (status == FA_OK)
            status = fa_courses_choose(&courses, turn == 0 ? 1 : threads, 0, NULL, error);
        // A kernel for the same bits on every machine has no more lanes than another.
        if (status == FA_OK && turn == 0) slots = courses.lanes;
        if (turn == 0 || status != FA_OK) fa_courses_free(&courses);
    }
    if (status != FA_OK) return status;
    size_t      *run = calloc((size_t)threads * (size_t)slots, sizeof *run);
    motion_work *work = calloc((size_t)threads, sizeof *work);
    if (!run || !work) {
        free(run);
        free(work);
        fa_courses_free(&courses);
        return no_memory(error);
    }
    if (m->work) fa_courses_free(&m->courses);
    free(m->run);
    free(m->work);
    m->courses = courses;
    m->run = run;
    m->work = work;
    m->threads = threads;
    m->slots = slots;
    return FA_OK;
}

static fa_status take_options(fa_motions *m, const fa_motions_options *o, fa_error *error)
{
    const char *file = m->robot->source;
    double      lines;
    if (!o || o->size != sizeof *o)
        return fa_fail(error, FA_BAD_INPUT, file, FA_NOWHERE,
                       "the options of motions have another size than the library's; set their "
                       "field size to sizeof(fa_motions_options), and compile with the headers of "
                       "version %s",
                       fa_version());
    if (!(isfinite(o->stop) && o->stop > 0 && isfinite(o->step) && o->step > 0 &&
          isfinite(o->tolerance) && o->tolerance >= 0))
        return fa_fail(error, FA_BAD_INPUT, file, FA_NOWHERE,
                       "motions need a time to stop at and a step above zero, and a tolerance that "
                       "is not below it, and not %s s, %s s and %s",
                       fa_number_text(o->stop).text, fa_number_text(o->step).text,
                       fa_number_text(o->tolerance).text);
    if (o->n_parameters < 0 || (o->n_parameters > 0 && !o->parameter))
        return fa_fail(error, FA_BAD_INPUT, file, FA_NOWHERE,
                       "the options of motions have %d parameters and no list of them; set "
                       "parameter to as many numbers",
                       o->n_parameters);
    const fa_status status = fa_simulation_lines(o->stop, o->step, &lines, error);
    if (status != FA_OK) return status;
    m->stop = o->stop;
    m->step = o->step;
    m->samples = (size_t)lines + 1;
    m->tolerance = o->tolerance;
    m->n_parameters = o->n_parameters;
    m->parameter = malloc(((size_t)o->n_parameters + 1) * sizeof *m->parameter);
    if (!m->parameter) return no_memory(error);
    for (int i = 0; i < o->n_parameters; i++) m->parameter[i] = o->parameter[i];
    return FA_OK;
}

// Parameters have numbers that fa_robot_find_parameter gives.
static fa_status look_at_parameters(fa_motions *m, fa_error *error)
{
    const fa_state *state = &m->courses.of[0].state;
    for (int i = 0; i < m->n_parameters; i++) {
        const int row = m->parameter[i];
        if (row < 0 || row >= state->table.first[FA_INPUT])
            return fa_fail(error, FA_BAD_INPUT, m->robot->source, FA_NOWHERE,
                           "the robot has no parameter number %d; fa_robot_find_parameter gives "
                           "them",
                           row);
        m->weighs_values |=
            state->table.row[row].quantity == FA_ARM_DETERMINISTIC || row == FA_ROW_SOLVER;
    }
    return FA_OK;
}

fa_motions *fa_motions_new(const fa_robot *robot, const fa_motions_options *options,
                           fa_error *error)
{
    fa_motions *m = calloc(1, sizeof *m);
    if (!m) {
        (void)no_memory(error);
        return NULL;
    }
    m->robot = robot;
    // A workspace says what a robot must be.
    fa_status status = fa_workspace_fits(robot, error);
    if (status == FA_OK) status = take_options(m, options, error);
    if (status == FA_OK) status = make(m, 1, error);
    if (status == FA_OK) status = look_at_parameters(m, error);
    if (status == FA_OK) return m;
    fa_motions_free(m);
    return NULL;
}

void fa_motions_free(fa_motions *motions)
{
    if (!motions) return;
    if (motions->work) fa_courses_free(&motions->courses);
    free(motions->parameter);
    free(motions->run);
    free(motions->work);
    free(motions);
}

size_t fa_motions_samples(const fa_motions *motions)
{
    return motions->samples;
}

int fa_motions_states(const fa_motions *motions)
{
    return motions->courses.n_states;
}

const char *fa_motions_state_name(const fa_motions *motions, int i)
{
    const fa_variables *table = &motions->courses.of[0].state.table;
    return i >= 0 && i < motions->courses.n_states ? table->row[table->first[FA_STATE] + i].name
                                                   : NULL;
}

bool fa_motions_in_lanes(const fa_motions *motions)
{
    return motions->courses.in_lanes;
}

// ------------------------------------------------------------------------------------ the runs

static const double *row_of(const double *table, size_t run, size_t columns)
{
    return table ? table + run * columns : NULL;
}

static fa_course *next_run(void *context, int lane)
{
    motion_work        *w = context;
    fa_motions         *m = w->call->motions;
    const fa_run_table *table = w->call->table;
    const size_t        slot = (size_t)w->thread * (size_t)m->slots + (size_t)lane;
    const size_t        n = (size_t)m->courses.n_joints;
    size_t              run;
    if (!fa_share_next(w->share, &run)) return NULL;
    m->run[slot] = run;
    fa_courses_set(&m->courses, slot, row_of(table->parameter, run, (size_t)m->n_parameters));
    fa_courses_begin(&m->courses, slot, row_of(table->q, run, (size_t)m->courses.n_positions),
                     row_of(table->qd, run, n), row_of(table->input, run, n));
    return &m->courses.of[slot];
}

static size_t run_of(const motion_work *w, const fa_course *course)
{
    const fa_motions *m = w->call->motions;
    return m->run[course - m->courses.of];
}

static void take_sample(void *context, const fa_course *course, size_t i, const double x[])
{
    const motion_work *w = context;
    const fa_motions  *m = w->call->motions;
    const fa_sink     *sink = w->call->sink;
    const size_t       states = (size_t)m->courses.n_states;
    const size_t       between = sink->sample_stride ? sink->sample_stride : states;
    const size_t       lines = sink->last ? 1 : m->samples;
    const size_t       runs_between = sink->run_stride ? sink->run_stride : lines * between;
    const size_t       at = run_of(w, course) * runs_between + i * between;
    for (size_t j = 0; j < states && sink->samples; j++) sink->samples[at + j] = x ? x[j] : NAN;
    for (size_t j = 0; j < states && sink->singles; j++)
        sink->singles[at + j] = x ? (float)x[j] : (float)NAN;
}

static void end_run(void *context, const fa_course *course)
{
    motion_work   *w = context;
    const fa_sink *sink = w->call->sink;
    const size_t   run = run_of(w, course);
    const bool     failed = course->fault.status != FA_OK;
    if (sink->status) sink->status[run] = course->fault.status;
    if (sink->reached) sink->reached[run] = course->simulation.t;
    if (!failed || run >= w->fault_run) return;
    w->fault_run = run;
    w->fault = course->fault;
}

static void run_in_thread(void *context, int thread, fa_share *share)
{
    const motion_call   *call = context;
    const fa_motions    *m = call->motions;
    motion_work         *w = &m->work[thread];
    const bool           last = call->sink->last;
    const fa_course_call of = {.first = 0,
                               .apart = m->step,
                               .end = m->stop,
                               .n = last ? 1 : m->samples,
                               .next = next_run,
                               .sample = take_sample,
                               .done = end_run,
                               .context = w};
    w->share = share;
    fa_courses_run(&m->courses, thread, &of);
}

static fa_status look_at_call(const fa_motions *m, const fa_run_table *table, const fa_sink *sink,
                              fa_error *error)
{
    const char *file = m->robot->source;
    if (!table || table->size != sizeof *table || !sink || sink->size != sizeof *sink)
        return fa_fail(error, FA_BAD_INPUT, file, FA_NOWHERE,
                       "the table of runs, or the sink, has another size than the library's; set "
                       "their fields size to sizeof(fa_run_table) and sizeof(fa_sink), and compile "
                       "with the headers of version %s",
                       fa_version());
    if (m->n_parameters > 0 && !table->parameter)
        return fa_fail(error, FA_BAD_INPUT, file, FA_NOWHERE,
                       "the runs differ in parameters, and their table has no values of them; set "
                       "its field parameter");
    return FA_OK;
}

fa_status fa_motions_run(fa_motions *motions, size_t runs, const fa_run_table *table,
                         const fa_sink *sink, int threads, fa_error *error)
{
    fa_motions *m = motions;
    fa_status   status = look_at_call(m, table, sink, error);
    if (threads < 1) threads = 1;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if ((size_t)threads > runs && runs > 0) threads = (int)runs;
    if (status == FA_OK && threads > m->threads) status = make(m, threads, error);
    if (status == FA_OK && m->weighs_values && runs > 0) {
        fa_courses_set(&m->courses, 0, table->parameter);
        status = fa_courses_choose(&m->courses, m->threads, runs, table->parameter, error);
    }
    if (status != FA_OK || runs == 0) return status;
    motion_call call = {.motions = m, .table = table, .sink = sink, .runs = runs};
    for (int k = 0; k < threads; k++)
        m->work[k] = (motion_work){.call = &call, .thread = k, .fault_run = (size_t)-1};
    fa_share_among(threads, runs, run_in_thread, &call);
    const motion_work *first = &m->work[0];
    for (int k = 1; k < threads; k++)
        if (m->work[k].fault_run < first->fault_run) first = &m->work[k];
    if (first->fault_run == (size_t)-1) return FA_OK;
    return fa_fail(error, first->fault.status, m->robot->source, FA_NOWHERE, "run %.0f: %s",
                   (double)first->fault_run, first->fault.message);
}
