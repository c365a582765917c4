// Reads a log line by line, recognises its columns, and resamples it at equal steps.
#include "motion_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "csv.h"
#include "number.h"

// The quantity of a column. NOTHING: the column is ignored.
typedef enum kind { NOTHING, TIME, POSITION, VELOCITY, ACCELERATION, EFFORT, CURRENT, KINDS } kind;

static const struct {
    const char *name;
    kind        kind;
} words[] = {{"position", POSITION}, {"velocity", VELOCITY}, {"acceleration", ACCELERATION},
             {"torque", EFFORT},     {"force", EFFORT},      {"current", CURRENT}};

// Columns of what pushes on the arm at its tip.
static const char *const pushes[FA_WRENCH_SIZE] = {"tip.force.x",  "tip.force.y",  "tip.force.z",
                                                   "tip.torque.x", "tip.torque.y", "tip.torque.z"};

typedef struct table {
    fa_csv  in;
    size_t  n, room;              // number of lines, and capacity
    double *of;                   // numbers of all lines, in.n each
    int    *at;                   // column of each kind and joint, -1: none
    int     push[FA_WRENCH_SIZE]; // column of each component, -1: none
    int     joints;
    double *gain; // [N m/A] drive gain of each joint
} table;

static const char *joint_of(const fa_arm_dynamics *dynamics, int coordinate)
{
    const fa_arm *arm = dynamics->arm;
    return arm->joint[fa_arm_independent_body(arm, coordinate)].given.name;
}

fa_motion_column fa_motion_column_of(const fa_arm_dynamics *dynamics, int coordinate,
                                     const char *what)
{
    fa_motion_column name;
    (void)snprintf(name.text, sizeof name.text, "joint.%s.%s", joint_of(dynamics, coordinate),
                   what);
    return name;
}

static fa_status read_lines(table *t, fa_error *error)
{
    const size_t width = (size_t)t->in.n;
    bool         more = true;
    for (;;) {
        if (t->n == t->room) {
            const size_t room = t->room > 0 ? 2 * t->room : 1024;
            double      *of = realloc(t->of, room * width * sizeof *of);
            if (!of)
                return fa_fail(error, FA_NO_MEMORY, t->in.path, FA_NOWHERE,
                               "there is not enough memory for the log");
            t->of = of;
            t->room = room;
        }
        const fa_status status = fa_csv_next(&t->in, t->of + t->n * width, &more, error);
        if (status != FA_OK || !more) return status;
        t->n++;
    }
}

static fa_status find_columns(table *t, const fa_arm_dynamics *dynamics, fa_error *error)
{
    const int n = t->joints;
    t->at = malloc((size_t)(KINDS * n + 1) * sizeof *t->at);
    t->gain = calloc((size_t)n + 1, sizeof *t->gain);
    if (!t->at || !t->gain)
        return fa_fail(error, FA_NO_MEMORY, t->in.path, FA_NOWHERE,
                       "there is not enough memory for the log");
    for (int k = 0; k < KINDS * n; k++) t->at[k] = -1;
    for (int k = 0; k < FA_WRENCH_SIZE; k++) t->push[k] = -1;
    for (int c = 0; c < t->in.n; c++) {
        const char *name = t->in.name[c];
        bool        known = strcmp(name, "time") == 0;
        if (strcmp(name, "time") == 0) t->at[TIME * n] = c;
        for (int k = 0; k < FA_WRENCH_SIZE && !known; k++)
            if (strcmp(name, pushes[k]) == 0) {
                t->push[k] = c;
                known = true;
            }
        for (int i = 0; i < n && !known; i++) {
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                if (strcmp(name, fa_motion_column_of(dynamics, i, words[k].name).text) == 0) {
                    t->at[words[k].kind * n + i] = c;
                    known = true;
                }
        }
        if (known) continue;
        return fa_fail(
            error, FA_BAD_INPUT, t->in.path, t->in.place[c],
            "'%s' is nothing that a log has; columns are time, and of joints "
            "joint.<j>.position, .velocity, .acceleration, .torque, .force or .current, and "
            "tip.force.x to tip.torque.z",
            name);
    }
    if (t->at[TIME * n] < 0)
        return fa_fail(error, FA_BAD_INPUT, t->in.path, FA_NOWHERE,
                       "the log has no column 'time'; add it, in seconds");
    for (int i = 0; i < n; i++) {
        const bool drive = t->at[EFFORT * n + i] >= 0 || t->at[CURRENT * n + i] >= 0;
        if (t->at[POSITION * n + i] >= 0 && drive) continue;
        return fa_fail(
            error, FA_BAD_INPUT, t->in.path, FA_NOWHERE,
            "the log has no column '%s'; every joint that moves needs its position and "
            "its torque, force or current",
            fa_motion_column_of(dynamics, i, t->at[POSITION * n + i] < 0 ? "position" : "torque")
                .text);
    }
    return FA_OK;
}

// Returns a parameter of the joint; 0 if the joint has no such parameter.
static double number_of(const fa_arm_dynamics *dynamics, int i, const char *what)
{
    fa_error  error = fa_no_error();
    int       row;
    fa_status status = fa_state_find(dynamics->state, fa_motion_column_of(dynamics, i, what).text,
                                     NULL, FA_NOWHERE, &row, &error);
    return status == FA_OK ? dynamics->state->value[row] : 0;
}

static fa_status find_gains(table *t, const fa_arm_dynamics *dynamics, const fa_arguments *a,
                            fa_error *error)
{
    for (int i = 0; i < t->joints; i++) // default: the gain of the motor in the file
        t->gain[i] =
            number_of(dynamics, i, "torque_constant") * number_of(dynamics, i, "gear_ratio");
    for (int g = 0; g < a->drive_gain.n; g++) {
        bool known = false;
        for (int i = 0; i < t->joints; i++) {
            if (strcmp(joint_of(dynamics, i), a->drive_gain.of[g].name) != 0) continue;
            t->gain[i] = a->drive_gain.of[g].value;
            known = true;
        }
        if (!known)
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "--drive-gain names '%s', and no joint that moves is called so",
                           a->drive_gain.of[g].name);
    }
    for (int i = 0; i < t->joints; i++) {
        const char *joint = joint_of(dynamics, i);
        if (t->at[EFFORT * t->joints + i] >= 0 || t->gain[i] != 0) continue;
        return fa_fail(error, FA_BAD_INPUT, t->in.path, FA_NOWHERE,
                       "the log has the current of joint '%s', and nothing says which torque it "
                       "makes; add --drive-gain %s=G, in N m/A at the joint",
                       joint, joint);
    }
    return FA_OK;
}

// Finds the sampling step. Fails if times do not increase or leave a gap.
static fa_status find_step(const table *t, double *step, fa_error *error)
{
    const size_t width = (size_t)t->in.n, at = (size_t)t->at[TIME * t->joints];
    if (t->n < 20)
        return fa_fail(error, FA_BAD_INPUT, t->in.path, FA_NOWHERE,
                       "the log has %zu lines, from which nothing can be found; record a longer "
                       "motion",
                       t->n);
    const double first = t->of[at], last = t->of[(t->n - 1) * width + at];
    *step = (last - first) / (double)(t->n - 1);
    for (size_t k = 1; k < t->n; k++) {
        const double   before = t->of[(k - 1) * width + at], now = t->of[k * width + at];
        const fa_place place = {.line = (int)k + 2, .column = 1};
        if (!(now > before))
            return fa_fail(error, FA_BAD_INPUT, t->in.path, place,
                           "time does not grow here, from %s s to %s s; sort the lines, and leave "
                           "out those that are there twice",
                           fa_number_text(before).text, fa_number_text(now).text);
        if (now - before > 10 * *step)
            return fa_fail(error, FA_BAD_INPUT, t->in.path, place,
                           "the log has a gap of %s s before %s s; give the longer part without "
                           "gaps",
                           fa_number_text(now - before).text, fa_number_text(now).text);
    }
    return FA_OK;
}

// Resamples a column at equal steps, by linear interpolation.
static void take(const table *t, int column, double factor, double step, double *to, int apart)
{
    const size_t  width = (size_t)t->in.n, at = (size_t)t->at[TIME * t->joints];
    const double *of = t->of;
    size_t        line = 0;
    for (size_t k = 0; k < t->n; k++) {
        const double now = of[at] + (double)k * step;
        while (line + 2 < t->n && of[(line + 1) * width + at] < now) line++;
        const double a = of[line * width + at], b = of[(line + 1) * width + at];
        const double x = of[line * width + (size_t)column],
                     y = of[(line + 1) * width + (size_t)column];
        double share = (now - a) / (b - a);
        // Below this share the difference is rounding of the times, not jitter.
        if (fabs(share) < 0.01) share = 0;
        if (fabs(share - 1) < 0.01) share = 1;
        to[k * (size_t)apart] = factor * (x + share * (y - x));
    }
}

static fa_status fill(const table *t, fa_motion_log *log, fa_error *error)
{
    const int    n = t->joints;
    const size_t all = t->n * (size_t)n;
    bool         has[2] = {true, true};
    log->n = n;
    log->n_samples = t->n;
    for (int i = 0; i < n; i++) {
        has[0] = has[0] && t->at[VELOCITY * n + i] >= 0;
        has[1] = has[1] && t->at[ACCELERATION * n + i] >= 0;
    }
    log->q = malloc((all + 1) * sizeof *log->q);
    log->tau = malloc((all + 1) * sizeof *log->tau);
    if (has[0]) log->qd = malloc((all + 1) * sizeof *log->qd);
    if (has[1]) log->qdd = malloc((all + 1) * sizeof *log->qdd);
    bool pushed = false;
    for (int k = 0; k < FA_WRENCH_SIZE; k++) pushed = pushed || t->push[k] >= 0;
    if (pushed) log->wrench = calloc(t->n * FA_WRENCH_SIZE + 1, sizeof *log->wrench);
    if (!log->q || !log->tau || (has[0] && !log->qd) || (has[1] && !log->qdd) ||
        (pushed && !log->wrench))
        return fa_fail(error, FA_NO_MEMORY, t->in.path, FA_NOWHERE,
                       "there is not enough memory for the log");
    for (int i = 0; i < n; i++) {
        const bool effort = t->at[EFFORT * n + i] >= 0;
        take(t, t->at[POSITION * n + i], 1, log->step, log->q + i, n);
        take(t, t->at[(effort ? EFFORT : CURRENT) * n + i], effort ? 1 : t->gain[i], log->step,
             log->tau + i, n);
        if (has[0]) take(t, t->at[VELOCITY * n + i], 1, log->step, log->qd + i, n);
        if (has[1]) take(t, t->at[ACCELERATION * n + i], 1, log->step, log->qdd + i, n);
    }
    for (int k = 0; k < FA_WRENCH_SIZE; k++)
        if (t->push[k] >= 0) take(t, t->push[k], 1, log->step, log->wrench + k, FA_WRENCH_SIZE);
    return FA_OK;
}

fa_status fa_motion_log_read(const char *path, const fa_arm_dynamics *dynamics,
                             const fa_arguments *arguments, fa_motion_log *log, fa_error *error)
{
    table t = {.joints = dynamics->arm->chain.n_coordinates};
    *log = (fa_motion_log){0};
    fa_status status = fa_csv_open(path, &t.in, error);
    if (status == FA_OK) status = find_columns(&t, dynamics, error);
    if (status == FA_OK) status = find_gains(&t, dynamics, arguments, error);
    if (status == FA_OK) status = read_lines(&t, error);
    if (status == FA_OK) status = find_step(&t, &log->step, error);
    if (status == FA_OK) status = fill(&t, log, error);
    fa_csv_close(&t.in);
    free(t.of);
    free(t.at);
    free(t.gain);
    return status;
}

void fa_motion_log_free(fa_motion_log *log)
{
    free(log->q);
    free(log->tau);
    free(log->qd);
    free(log->qdd);
    free(log->wrench);
}
