// Prints links, joints, gait and warnings of a snake.
#include "check_snake.h"

#include <math.h>
#include <stdlib.h>

#include "inspection.h"
#include "number.h"
#include "promise.h"
#include "robot_snake.h"
#include "snake_control.h"
#include "state.h"
#include "table.h"

static fa_status print_links(const fa_robot *robot, fa_error *error)
{
    static const char *const head[] = {"link",      "length [m]",    "wheel",
                                       "mass [kg]", "com along [m]", "across",
                                       "I [kg m2]", "at start [rad]"};
    enum { COLUMNS = sizeof head / sizeof *head };
    fa_table table = fa_table_new(COLUMNS);
    for (int i = 0; i < COLUMNS; i++) fa_table_text(&table, head[i]);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        const double   number[] = {
              link->segment.length, link->segment.wheel,        link->mass, link->com.x, link->com.y,
              link->inertia.zz,     link->segment.initial_angle};
        fa_table_text(&table, link->name);
        for (int k = 0; k < COLUMNS - 1; k++) fa_table_number(&table, number[k]);
    }
    fa_status status = fa_table_print(&table, stdout, error);
    fa_table_free(&table);
    return status;
}

// Prints the total mass and length of the snake.
static fa_status print_whole(const fa_robot *robot, fa_error *error)
{
    double mass = 0, length = 0;
    for (int k = 0; k < robot->n_links; k++) {
        mass += robot->link[k].mass;
        length += robot->link[k].segment.length;
    }
    fa_status status = fa_promise("the snake's total mass", mass, error);
    if (status == FA_OK) status = fa_promise("the snake's length", length, error);
    if (status == FA_OK)
        printf("total mass: %s kg, length %s m\n", fa_rounded_text(mass).text,
               fa_rounded_text(length).text);
    return status;
}

// Prints the growth of errors along the links on ideal wheels.
static fa_status print_growth(const fa_robot *robot, fa_error *error)
{
    size_t          n = (size_t)robot->n_links;
    fa_snake_link  *link = malloc(n * sizeof *link);
    fa_snake_joint *joint = malloc(n * sizeof *joint);
    fa_status       status = FA_OK;
    if (link && joint) {
        fa_snake     snake = fa_robot_snake(robot, link, joint);
        const double growth = fa_snake_growth(&snake, snake.base);
        status = fa_promise("the growth of rounding errors", growth, error);
        if (status == FA_OK)
            printf("rounding errors in speed and rate of link %d grow up to %s-fold along the "
                   "snake\n",
                   snake.base + 1, fa_rounded_text(growth).text);
    } else {
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the links");
    }
    free(joint);
    free(link);
    return status;
}

// Prints the controllability of the initial shape.
static fa_status print_control(const fa_robot *robot, fa_error *error)
{
    fa_state  state;
    fa_status status = fa_state_new(robot, &state, error);
    int       row = FA_NO_ROW;
    if (status == FA_OK)
        status = fa_state_find(&state, "controllability", NULL, FA_NOWHERE, &row, error);
    if (status == FA_OK)
        status = fa_plant_evaluate(state.plant, state.self, state.value, state.table.row[row].group,
                                   NULL, error);
    if (status == FA_OK) status = fa_promise("the controllability", state.value[row], error);
    if (status == FA_OK)
        printf("controllability at the start: %s%s\n", fa_rounded_text(state.value[row]).text,
               state.value[row] < FA_SNAKE_CONTROL_MIN
                   ? "; the joints' torques leave one degree of freedom alone in this shape"
                   : "");
    fa_state_free(&state);
    return status;
}

fa_status fa_print_snake(const fa_robot *robot, int warnings, fa_error *error)
{
    static const char *const input[] = {
#define X(code, name) name,
        FA_SNAKE_INPUT_LIST(X)
#undef X
    };
    static const char *const ground[] = {
#define X(code, name) name,
        FA_GROUND_LAW_LIST(X)
#undef X
    };
    const bool sliding = fa_robot_is_sliding(robot);
    printf("snake '%s': %d links on ", robot->name, robot->n_links);
    if (sliding)
        printf("ground of the law '%s'", ground[robot->snake.law]);
    else
        printf("wheels");
    printf(", %d degrees of freedom, driven by %s\n\n", fa_robot_freedom(robot),
           input[robot->snake.input]);
    fa_status status = print_links(robot, error);
    putchar('\n');
    if (status == FA_OK) status = print_whole(robot, error);
    if (status == FA_OK && !sliding) status = print_growth(robot, error);
    if (status == FA_OK && !sliding) status = print_control(robot, error);
    if (status == FA_OK) printf("warnings: %d\n", warnings);
    return status;
}
