// Benchmark: counts the steps, rejected steps and evaluations of one second of a long snake, for
// each integrator. docs/snakes.md quotes it.
//
//     snake_long SNAKE.xml LINKS …      the snake with so many links, in place of its own
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "import.h"
#include "integrate.h"
#include "plant_jacobian.h"
#include "snake_plant.h"

static void must(bool fine, const char *what)
{
    if (fine) return;
    fprintf(stderr, "snake_long: %s\n", what);
    exit(1);
}

typedef struct rig {
    const fa_plant *plant;
    fa_variables    table;
    fa_state_rows   states;
    void           *self, *block;
    double         *value, *direction, *x, *work;
    int             n, first, time_row, *row;
    long            evaluations, steps, linearised;
} rig;

static void place(rig *r, double t, const double x[])
{
    memcpy(r->value + r->first, x, (size_t)r->n * sizeof *x);
    r->value[r->time_row] = t;
}

static fa_status rhs(void *context, double t, const double x[], double dx[], fa_error *error)
{
    rig *r = context;
    place(r, t, x);
    r->evaluations++;
    const fa_status status =
        fa_plant_evaluate(r->plant, r->self, r->value, FA_GROUP_DERIVATIVES, NULL, error);
    for (int i = 0; i < r->n; i++) dx[i] = r->value[r->states.of[i].derivative];
    return status;
}

static fa_status jacobian(void *context, double t, const double x[], double by_state[],
                          double by_time[], fa_error *error)
{
    rig            *r = context;
    const fa_status status = rhs(r, t, x, by_time, error);
    r->evaluations--;
    r->linearised++;
    if (status != FA_OK) return status;
    return fa_plant_jacobian(r->plant, r->self, &r->states, r->value, NULL, r->direction, by_state,
                             by_time, error);
}

static fa_status accepted(void *context, double t, const double x[], bool *moved, fa_error *error)
{
    (void)t, (void)x, (void)moved, (void)error;
    ((rig *)context)->steps++;
    return FA_OK;
}

static rig rig_of(const fa_robot *robot)
{
    rig      r = {.plant = &fa_snake_plant};
    fa_error error = fa_no_error();
    if (fa_plant_variables(r.plant, robot, false, &r.table, &r.block, &error) != FA_OK)
        must(false, error.message);
    const size_t rows = (size_t)r.table.n;
    r.n = fa_variables_count(&r.table, FA_STATE);
    r.first = r.table.first[FA_STATE];
    r.time_row = r.table.first[FA_TIME];
    r.self = malloc(r.plant->size(robot));
    r.value = malloc(rows * sizeof *r.value);
    r.direction = malloc(rows * sizeof *r.direction);
    r.x = malloc((size_t)r.n * sizeof *r.x);
    r.work = malloc(fa_integrate_work(r.n, r.plant->implicit) * sizeof *r.work);
    fa_state_row *of = malloc((size_t)r.n * sizeof *of);
    must(r.self && r.value && r.direction && r.x && r.work && of, "no memory");
    r.states = fa_variables_states(&r.table, of);
    for (int row = 0; row < r.table.n; row++) r.value[row] = r.table.row[row].start;
    r.plant->prepare(r.self, robot, &r.table);
    if (r.plant->configure(r.self, r.value, &error) != FA_OK) must(false, error.message);
    memcpy(r.x, r.value + r.first, (size_t)r.n * sizeof *r.x);
    return r;
}

static void release(rig *r)
{
    free((void *)r->states.of);
    free(r->work);
    free(r->x);
    free(r->direction);
    free(r->value);
    free(r->self);
    free(r->block);
}

static void one_second(const fa_robot *robot, int links, int method, const char *name)
{
    fa_robot *longer;
    fa_error  error = fa_no_error();
    if (fa_robot_resize_snake(robot, links, &longer, &error) != FA_OK) must(false, error.message);
    if (fa_robot_check(longer, NULL, &error) != FA_OK) must(false, error.message);
    rig              r = rig_of(longer);
    const fa_problem problem = {.n = r.n,
                                .rhs = rhs,
                                .jacobian = jacobian,
                                .implicit = r.plant->implicit,
                                .plant = r.self,
                                .accepted = accepted,
                                .context = &r};
    const fa_solver  solver = {.method = method, .tolerance = 1e-8};
    fa_pace          pace = {.step = 0};
    double           t = 0;
    const clock_t    from = clock();
    if (fa_integrate(&problem, &solver, &t, 1, r.x, &pace, r.work, &error) != FA_OK)
        must(false, error.message);
    const double took = (double)(clock() - from) / CLOCKS_PER_SEC;
    const long   tried = method == FA_SOLVER_ROSENBROCK ? (r.evaluations - r.linearised) / 5
                                                        : (r.evaluations - 1) / 6;
    printf("| %s | %d | %ld | %ld | %ld | %.2f s | %.0f ns |\n", name, links, r.steps, tried,
           r.evaluations, took, 1e9 * took / (double)r.evaluations / links);
    fflush(stdout);
    release(&r);
    free(longer);
}

int main(int n, char *argument[])
{
    must(n > 2, "snake_long SNAKE.xml LINKS …");
    fa_import_options options = {.lenient = true};
    fa_log            log = {.warn = NULL};
    fa_robot         *robot;
    fa_error          error = fa_no_error();
    if (fa_import(argument[1], &options, &log, &robot, &error) != FA_OK) must(false, error.message);
    printf("| solver | links | steps | tried | evaluations | time | of an evaluation and link |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int i = 2; i < n; i++) {
        const int links = (int)strtol(argument[i], NULL, 10);
        one_second(robot, links, FA_SOLVER_DORMAND_PRINCE, "explicit");
        one_second(robot, links, FA_SOLVER_ROSENBROCK, "implicit");
    }
    free(robot);
    return 0;
}
