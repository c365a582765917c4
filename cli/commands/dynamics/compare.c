// forearm compare: every method on one robot.
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "csv_writer.h"
#include "load.h"
#include "loops.h"
#include "mechanism.h"
#include "nearest.h"
#include "snake_plant.h"
#include "state_options.h"
#include "table.h"

// -------------------------------------------------------------------------------------- --method

static bool wanted(const void *context, const char *method)
{
    const fa_texts *only = context;
    for (int i = 0; i < only->n; i++)
        if (strcmp(only->of[i], method) == 0) return true;
    return only->n == 0;
}

// Fails if --method names a method that cannot take part: an error, not a shorter table.
static fa_status check_methods(const fa_texts *only, const fa_contest *contest, const char *kind,
                               fa_error *error)
{
    for (int i = 0; i < only->n; i++) {
        fa_nearest nearest = fa_nearest_to(only->of[i]);
        bool       exists = false, gives = false;
        for (int m = 0; m < contest->n_methods; m++) {
            const char *name = contest->name(contest->self, m);
            fa_nearest_try(&nearest, name);
            if (strcmp(name, only->of[i]) != 0) continue;
            exists = true;
            for (int call = 0; call < contest->n_calls; call++)
                gives = gives || contest->gives(contest->self, m, call);
        }
        if (!exists)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "there is no method '%s' for %s; %s",
                           only->of[i], kind,
                           fa_nearest_hint(&nearest, "forearm methods lists them").text);
        if (!gives)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "method '%s' does not cover this kind of robot; forearm methods says "
                           "what each of them covers",
                           only->of[i]);
    }
    return FA_OK;
}

// ---------------------------------------------------------------------------------------- tables

static double known(bool counted, long n)
{
    return counted ? (double)n : NAN;
}

// Adds a cell with a whole number.
static void put_count(fa_table *table, double n)
{
    if (isnan(n))
        fa_table_text(table, "-");
    else
        fa_table_number(table, n);
}

static void put_row(fa_table *table, const fa_contest *contest, const fa_comparison_row *row)
{
    const bool          counted = row->counted;
    const fa_operations all = row->executed, online = row->online;
    fa_table_text(table, contest->call[row->call].name);
    fa_table_text(table, contest->name(contest->self, row->method));
    if (row->method == contest->reference)
        fa_table_text(table, "reference");
    else
        fa_table_rough(table, row->disagreement);
    put_count(table, known(counted, all.multiplications));
    put_count(table, known(counted, all.additions));
    put_count(table, known(counted, all.divisions));
    put_count(table, known(counted, all.roots));
    put_count(table, known(counted, all.sines));
    put_count(table, known(counted, fa_products(online)));
    put_count(table, known(counted, online.additions));
    put_count(table, row->instructions);
    put_count(table, round(row->nanoseconds));
}

static fa_status print_table(const fa_contest *contest, const fa_comparison *comparison,
                             fa_error *error)
{
    static const char *const head[] = {"call",     "method", "disagreement", "mul",
                                       "add",      "div",    "sqrt",         "sin, cos",
                                       "products", "sums",   "instructions", "ns"};
    enum { COLUMNS = sizeof head / sizeof *head };
    fa_table table = fa_table_new(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        fa_table_text(&table, head[i]);
        table.right[i] = i >= 2;
    }
    for (int i = 0; i < comparison->n; i++) put_row(&table, contest, &comparison->row[i]);
    const fa_status status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    return status;
}

static void print_notes(const fa_contest *contest, const fa_comparison *comparison,
                        const fa_comparison_wish *wish)
{
    const char *reference = contest->name(contest->self, contest->reference);
    printf("\ndisagreement: largest distance from %s over %ld random states (seed %llu),\n"
           "as a share of the largest entry of its answer\n",
           reference, wish->samples, (unsigned long long)wish->seed);
    for (int i = 0; i < comparison->n; i++) {
        const fa_comparison_row *row = &comparison->row[i];
        if (row->states < wish->samples)
            printf("%s, %s: compared in %ld of %ld states, %s\n",
                   contest->name(contest->self, row->method), contest->call[row->call].name,
                   row->states, wish->samples,
                   row->states > 0 ? "as more take too long"
                                   : "as the reference has no answer in any of them");
    }
    if (fa_counts_missing())
        printf("%s\n", fa_counts_missing());
    else
        printf(
            "mul to sin, cos: floating-point operations that the source executes for this robot\n"
            "products, sums: as papers count, without what depends on the robot alone and without\n"
            "exact 0, 1 and -1; divisions and roots are products\n");
    if (comparison->too_slow) printf("operations of calls above half a second are not counted\n");
    if (comparison->uncounted)
        printf("-: methods that work on several numbers at once are not counted\n");
    if (wish->untimed) return;
    printf("instructions: of one call, counted %s\n", fa_counter_text(comparison->counter));
    if (comparison->counter == FA_COUNTER_STEPPING)
        printf("    (not of calls above two million, and of no further ones after a minute)\n");
    printf("ns: of one call, the fastest of many batches\n");
}

static fa_status write_csv(const char *path, const fa_contest *contest,
                           const fa_comparison *comparison, fa_error *error)
{
    static const char *const head[] = {
        "call",         "method",     "states", "disagreement", "agrees",   "multiplications",
        "additions",    "divisions",  "roots",  "sines",        "products", "sums",
        "instructions", "nanoseconds"};
    fa_csv_writer out;
    fa_csv_create(path, &out, error);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) fa_csv_put_name(&out, head[i]);
    fa_csv_end_line(&out);
    for (int i = 0; i < comparison->n; i++) {
        const fa_comparison_row *row = &comparison->row[i];
        const fa_operations      all = row->executed;
        fa_csv_put_name(&out, contest->call[row->call].name);
        fa_csv_put_name(&out, contest->name(contest->self, row->method));
        fa_csv_put_number(&out, (double)row->states);
        fa_csv_put_known(&out, row->disagreement);
        fa_csv_put_number(&out, row->agrees);
        const double number[] = {known(row->counted, all.multiplications),
                                 known(row->counted, all.additions),
                                 known(row->counted, all.divisions),
                                 known(row->counted, all.roots),
                                 known(row->counted, all.sines),
                                 known(row->counted, fa_products(row->online)),
                                 known(row->counted, row->online.additions),
                                 row->instructions,
                                 row->nanoseconds};
        for (size_t k = 0; k < sizeof number / sizeof *number; k++)
            fa_csv_put_known(&out, number[k]);
        fa_csv_end_line(&out);
    }
    return fa_csv_keep(&out);
}

// ---------------------------------------------------------------------------------------- command

static void tell_unanswered(const fa_contest *contest, const fa_comparison_row *row,
                            fa_error *error)
{
    fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
            "%s, %s: has no finite answer in %ld of %ld states where %s has one; if the robot's "
            "numbers are not extreme, please report it with the robot file",
            contest->name(contest->self, row->method), contest->call[row->call].name,
            row->unanswered, row->states, contest->name(contest->self, contest->reference));
}

static fa_exit tell_disagreement(const fa_contest *contest, const fa_comparison *comparison)
{
    fa_exit code = FA_EXIT_DONE;
    for (int i = 0; i < comparison->n; i++) {
        const fa_comparison_row *row = &comparison->row[i];
        fa_error                 error = fa_no_error();
        if (row->agrees) continue;
        if (row->unanswered > 0)
            tell_unanswered(contest, row, &error);
        else
            fa_fail(
                &error, FA_UNFIT, NULL, FA_NOWHERE,
                "%s, %s: differs from %s by %s of the largest entry, more than rounding can do; "
                "please report it with the robot file",
                contest->name(contest->self, row->method), contest->call[row->call].name,
                contest->name(contest->self, contest->reference),
                fa_rough_text(row->disagreement).text);
        fa_report(error.status, &error);
        code = FA_EXIT_DISAGREEMENT;
    }
    return code;
}

// Runs the comparison and prints it. `about` is the heading; it is printed only once the comparison
// has succeeded.
static fa_status hold(const fa_arguments *arguments, const fa_contest *contest, const char *kind,
                      const char *about, fa_exit *code, fa_error *error)
{
    const fa_comparison_wish wish = {.samples =
                                         isnan(arguments->samples) ? 100 : (long)arguments->samples,
                                     .seed = isnan(arguments->seed) ? 1 : (uint64_t)arguments->seed,
                                     .untimed = arguments->untimed,
                                     .wanted = wanted,
                                     .context = &arguments->methods};
    fa_comparison            comparison = {.n = 0};
    const char              *csv = arguments->csv;
    fa_status                status = check_methods(&arguments->methods, contest, kind, error);
    if (status == FA_OK) status = fa_comparison_make(contest, &wish, &comparison, error);
    if (status == FA_OK && !(csv && strcmp(csv, "-") == 0)) {
        printf("%s\n\n", about);
        status = print_table(contest, &comparison, error);
        if (status == FA_OK) print_notes(contest, &comparison, &wish);
    }
    if (status == FA_OK && csv) status = write_csv(csv, contest, &comparison, error);
    if (status == FA_OK) *code = tell_disagreement(contest, &comparison);
    fa_comparison_free(&comparison);
    return status;
}

static fa_status compare_snake(const fa_arguments *arguments, const fa_robot *robot,
                               const fa_snake *snake, fa_contest *contest, fa_exit *code,
                               fa_error *error)
{
    char            about[256];
    const fa_status status =
        fa_compare_snake(snake, fa_snake_methods, fa_snake_method_count, contest, error);
    if (status != FA_OK) return status;
    snprintf(about, sizeof about, "snake '%s': %d links", robot->name, snake->n);
    return hold(arguments, contest, "snakes", about, code, error);
}

static fa_status compare_arm(const fa_arguments *arguments, const fa_robot *robot,
                             const fa_chain *chain, fa_contest *contest, fa_exit *code,
                             fa_error *error)
{
    char            about[256];
    const fa_status status =
        fa_compare_arm(robot, chain, fa_methods, fa_method_count, contest, error);
    if (status != FA_OK) return status;
    snprintf(about, sizeof about, "arm '%s': %d joints, %d degrees of freedom%s%s", robot->name,
             chain->n, chain->n_coordinates, chain->branched ? ", branched" : "",
             chain->coupled ? ", with joints that follow others" : "");
    return hold(arguments, contest, "arms", about, code, error);
}

// Compares the methods on the arm inside a mechanism: joints of several freedoms in parts, and
// loops cut, since methods are of trees.
static fa_status compare_mechanism(const fa_arguments *arguments, const fa_mechanism *mechanism,
                                   fa_contest *contest, fa_exit *code, fa_error *error)
{
    fa_chain        tree = mechanism->arm->chain;
    const fa_robot *robot = mechanism->robot;
    char            about[256], cut[64] = "";
    const int       n_loops = tree.loops ? tree.loops->n_constraints : 0;
    tree.loops = NULL;
    const fa_status status =
        fa_compare_arm(robot, &tree, fa_methods, fa_method_count, contest, error);
    if (status != FA_OK) return status;
    if (n_loops > 0)
        snprintf(cut, sizeof cut, ", with its %d loop%s cut", n_loops, n_loops == 1 ? "" : "s");
    snprintf(about, sizeof about, "mechanism '%s' as a tree of %d joints of one freedom%s",
             robot->name, tree.n, cut);
    return hold(arguments, contest, "arms", about, code, error);
}

static fa_status compare(const fa_arguments *arguments, const fa_robot *robot, fa_exit *code,
                         fa_error *error)
{
    fa_state   state = {0};
    fa_contest contest = {.self = NULL};
    fa_status  status = fa_state_new(robot, &state, error);
    if (status == FA_OK) status = fa_state_assign(&state, &arguments->set, error);
    if (status == FA_OK && state.plant == &fa_snake_plant)
        status = compare_snake(arguments, robot, &((const fa_snake_self *)state.self)->snake,
                               &contest, code, error);
    else if (status == FA_OK && (state.plant == &fa_arm_plant || state.plant == &fa_inverse_plant))
        status = compare_arm(arguments, robot, &((const fa_arm *)state.self)->chain, &contest, code,
                             error);
    else if (status == FA_OK && state.plant == &fa_mechanism_plant)
        status = compare_mechanism(arguments, state.self, &contest, code, error);
    else if (status == FA_OK)
        status = fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                         "it is a %s, and only arms, mechanisms and snakes on ideal wheels have "
                         "several methods",
                         robot->plant);
    free(contest.self);
    fa_state_free(&state);
    return status;
}

fa_exit fa_run_compare(const fa_arguments *arguments)
{
    fa_error  error = fa_no_error();
    fa_robot *robot;
    fa_exit   code = FA_EXIT_DONE;
    fa_status status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = compare(arguments, robot, &code, &error);
    free(robot);
    return status == FA_OK ? code : fa_report(status, &error);
}
