// Largest differences between methods over random states.
#include "comparison.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "progress.h"

// Time limit of the states of one method: a slower method is compared in fewer states.
static const double SECONDS_FOR_STATES = 2;
static const double SECONDS_FOR_TIME = 0.05; // minimum duration of a timed loop
static const double SECONDS_TO_COUNT = 0.5;  // counting a longer call would take half a minute

// Limit of single steps. One takes a microsecond, and thirty on a virtual machine inside another.
static const double STEPS_MOST = 2e6;
static const double SECONDS_FOR_STEPS = 60; // limit of all methods together

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory to compare methods");
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ----------------------------------------------------------------------------------------- states

// Largest distance of two answers; infinite if any entry is NaN.
static double distance(const double a[], const double b[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double apart = fabs(a[i] - b[i]);
        if (!(apart <= most)) most = isnan(apart) ? INFINITY : apart;
    }
    return most;
}

static double largest(const double a[], int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// Compares a row's answer with the reference's answer `right` in the state at place 0.
static void hold_against(const fa_contest *contest, fa_comparison_row *row, const double right[],
                         double got[], double *seconds)
{
    const int       n = contest->call[row->call].n;
    const double    start = now();
    const fa_status status = contest->ask(contest->self, row->method, row->call, 0, got);
    *seconds += now() - start;
    const double apart = status == FA_OK ? distance(got, right, n) : INFINITY;
    const double size = largest(right, n);
    const double scale = fmax(size, contest->scale(contest->self, row->call, 0, right));
    const double share = apart == 0 ? 0 : fmin(apart / (size > 0 ? size : scale), DBL_MAX);
    row->states++;
    row->unanswered += !isfinite(apart);
    if (isfinite(apart))
        row->disagreement = fmax(row->disagreement, share); // fmax of NAN and a share is the share
    row->agrees = row->agrees && (apart <= FA_COMPARISON_TOLERANCE * scale);
}

static fa_status compare_states(const fa_contest *contest, const fa_comparison_wish *wish,
                                fa_comparison *comparison, double right[], double got[],
                                double seconds[], fa_error *error)
{
    for (long state = 0; state < wish->samples; state++) {
        fa_progress_at((double)state, (double)wish->samples);
        fa_status status = contest->draw(contest->self, 0, wish->seed + (uint64_t)state);
        if (status != FA_OK)
            return fa_fail(
                error, status, NULL, FA_NOWHERE, "no state of this robot can be computed by %s: %s",
                contest->name(contest->self, contest->reference), fa_status_text(status));
        int  call = -1;
        bool known = false; // the reference has a finite answer
        for (int i = 0; i < comparison->n; i++) {
            fa_comparison_row *row = &comparison->row[i];
            if (seconds[i] > SECONDS_FOR_STATES) continue;
            if (row->call != call) {
                call = row->call;
                known = contest->ask(contest->self, contest->reference, call, 0, right) == FA_OK &&
                        isfinite(distance(right, right, contest->call[call].n));
            }
            if (known) hold_against(contest, row, right, got, &seconds[i]);
        }
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- cost

typedef struct turn {
    const fa_contest *contest;
    int               method, call;
    double           *answer;
} turn;

static void take_turn(void *context, long number)
{
    const turn *t = context;
    (void)t->contest->ask(t->contest->self, t->method, t->call, (int)(number % FA_CONTEST_STATES),
                          t->answer);
}

static fa_status count(const fa_contest *contest, fa_comparison *comparison, double seconds[],
                       fa_error *error)
{
    for (int i = 0; i < comparison->n; i++) {
        fa_comparison_row *row = &comparison->row[i];
        if (fa_counts_missing()) return FA_OK;
        if (seconds[i] > SECONDS_TO_COUNT * (double)row->states) {
            comparison->too_slow = true;
            continue;
        }
        fa_progress_at(i, comparison->n);
        const fa_status status =
            contest->count(contest->self, row->method, row->call, &row->executed, &row->online);
        if (status == FA_NO_MEMORY) return no_memory(error);
        row->counted = status == FA_OK;
        comparison->uncounted = comparison->uncounted || !row->counted;
    }
    return FA_OK;
}

static int by_time(const void *left, const void *right)
{
    const double a = (*(fa_comparison_row *const *)left)->nanoseconds;
    const double b = (*(fa_comparison_row *const *)right)->nanoseconds;
    return (a > b) - (a < b);
}

// Counts instructions by single steps, fast methods first: a slow one must not use up the time of
// the others.
static void step(const fa_contest *contest, fa_comparison *comparison, double answer[],
                 fa_comparison_row *order[])
{
    double spent = 0;
    for (int i = 0; i < comparison->n; i++) order[i] = &comparison->row[i];
    qsort(order, (size_t)comparison->n, sizeof(fa_comparison_row *), by_time);
    for (int i = 0; i < comparison->n; i++) {
        turn              t = {contest, order[i]->method, order[i]->call, answer};
        const fa_measured call = {take_turn, &t};
        // Assumes at most a nanosecond per instruction.
        const bool quick = order[i]->nanoseconds < STEPS_MOST && spent < SECONDS_FOR_STEPS;
        fa_progress_at(i, comparison->n);
        if (comparison->counter == FA_COUNTER_STEPPING && !quick) continue;
        const double start = now();
        order[i]->instructions = fa_measure_instructions(comparison->counter, &call, STEPS_MOST);
        spent += now() - start;
    }
}

static fa_status measure(const fa_contest *contest, const fa_comparison_wish *wish,
                         fa_comparison *comparison, double answer[], fa_error *error)
{
    fa_comparison_row **order = malloc(((size_t)comparison->n + 1) * sizeof(fa_comparison_row *));
    if (!order) return no_memory(error);
    for (int at = 0; at < FA_CONTEST_STATES; at++)
        (void)contest->draw(contest->self, at, wish->seed + (uint64_t)at);
    fa_progress_begin("timing");
    for (int i = 0; i < comparison->n; i++) {
        fa_comparison_row *row = &comparison->row[i];
        turn               t = {contest, row->method, row->call, answer};
        const fa_measured  call = {take_turn, &t};
        fa_progress_at(i, comparison->n);
        row->nanoseconds = 1e9 * fa_measure_seconds(&call, SECONDS_FOR_TIME);
    }
    fa_progress_end();
    fa_progress_begin("counting instructions");
    comparison->counter = fa_counter_find();
    step(contest, comparison, answer, order);
    fa_progress_end();
    free(order);
    return FA_OK;
}

// ------------------------------------------------------------------------------------------- rows

static void add_rows(const fa_contest *contest, const fa_comparison_wish *wish,
                     fa_comparison *comparison)
{
    for (int call = 0; call < contest->n_calls; call++)
        for (int m = 0; m < contest->n_methods; m++) {
            const bool wanted =
                !wish->wanted || wish->wanted(wish->context, contest->name(contest->self, m));
            if (!wanted || !contest->gives(contest->self, m, call)) continue;
            comparison->row[comparison->n++] = (fa_comparison_row){.method = m,
                                                                   .call = call,
                                                                   .agrees = true,
                                                                   .disagreement = NAN,
                                                                   .instructions = NAN,
                                                                   .nanoseconds = NAN};
        }
}

fa_status fa_comparison_make(const fa_contest *contest, const fa_comparison_wish *wish,
                             fa_comparison *comparison, fa_error *error)
{
    const size_t most = (size_t)contest->n_methods * (size_t)contest->n_calls;
    const size_t answer = (size_t)contest->room;
    *comparison = (fa_comparison){.row = calloc(most + 1, sizeof *comparison->row)};
    double   *right = malloc(answer * sizeof *right), *got = malloc(answer * sizeof *got);
    double   *seconds = calloc(most + 1, sizeof *seconds);
    fa_status status = FA_OK;
    if (comparison->row && right && got && seconds) {
        add_rows(contest, wish, comparison);
        fa_progress_begin("comparing");
        fa_progress_unit("states");
        status = compare_states(contest, wish, comparison, right, got, seconds, error);
        fa_progress_end();
        fa_progress_begin("counting operations");
        if (status == FA_OK) status = count(contest, comparison, seconds, error);
        fa_progress_end();
        if (status == FA_OK && !wish->untimed)
            status = measure(contest, wish, comparison, got, error);
    } else {
        status = no_memory(error);
    }
    free(seconds);
    free(got);
    free(right);
    return status;
}

void fa_comparison_free(fa_comparison *comparison)
{
    free(comparison->row);
    comparison->row = NULL;
}
