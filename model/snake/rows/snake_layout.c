// Memory layout of a snake: arrays behind the struct, and the row of each quantity in the table of
// variables.
#include <string.h>

#include "arena.h"
#include "snake_methods.h"
#include "snake_plant.h"

void fa_snake_take_shared(fa_arena *a, fa_snake_self *to, size_t n, size_t rows)
{
    to->link = fa_arena_take(a, n, sizeof *to->link);
    to->link_tangent = fa_arena_take(a, n, sizeof *to->link_tangent);
    to->motion = fa_arena_take(a, n, sizeof *to->motion);
    to->motion_tangent = fa_arena_take(a, n, sizeof *to->motion_tangent);
    to->joint = fa_arena_take(a, n, sizeof *to->joint);
    to->joint_tangent = fa_arena_take(a, n, sizeof *to->joint_tangent);
    to->torque = fa_arena_take(a, n, sizeof *to->torque);
    to->torque_tangent = fa_arena_take(a, n, sizeof *to->torque_tangent);
    to->drive = fa_arena_take(a, n, sizeof *to->drive);
    to->drive_tangent = fa_arena_take(a, n, sizeof *to->drive_tangent);
    to->input_row = fa_arena_take(a, n, sizeof *to->input_row);
    to->drive_row = fa_arena_take(a, n, sizeof *to->drive_row);
    to->result = fa_arena_take(a, rows, sizeof *to->result);
    to->group = fa_arena_take(a, rows, sizeof *to->group);
}

// Arena allocator: the function runs twice, first to measure the block, then to assign addresses.
static size_t lay_out(fa_snake_self *to, char *base, size_t n, size_t states, size_t rows)
{
    fa_arena      a = {base, 0};
    fa_snake_self scratch;
    if (!to) to = &scratch;
    fa_arena_take(&a, 1, sizeof(fa_snake_self));
    fa_snake_take_shared(&a, to, n, rows);
    to->cosine = fa_arena_take(&a, n, sizeof *to->cosine);
    to->sine = fa_arena_take(&a, n, sizeof *to->sine);
    to->rolling = fa_arena_take(&a, n, sizeof *to->rolling);
    to->rolling_tangent = fa_arena_take(&a, n, sizeof *to->rolling_tangent);
    to->lambda = fa_arena_take(&a, n, sizeof *to->lambda);
    to->lambda_tangent = fa_arena_take(&a, n, sizeof *to->lambda_tangent);
    to->angle_tangent = fa_arena_take(&a, n, sizeof *to->angle_tangent);
    to->work = fa_arena_take(&a, 1, fa_snake_slope_work_size((int)n));
    to->linear.link = fa_arena_take(&a, n, sizeof *to->linear.link);
    for (int i = 0; i < FA_SNAKE_LINEAR_ROWS; i++)
        to->linear.row[i] = fa_arena_take(&a, states, sizeof(double));
    for (int i = 0; i < 2; i++) to->linear.angle[i] = fa_arena_take(&a, n, sizeof(double));
    to->linear.spare = fa_arena_take(&a, n, sizeof(double));
    return a.size;
}

// Returns the number of rows, including solver and time.
static size_t count_rows(const fa_robot *robot)
{
    fa_variables measured = {.described = false};
    fa_snake_declare(robot, &measured, NULL);
    return (size_t)measured.n + FA_COMMON_ROWS + 1;
}

// Returns the number of states: angles; x, y, speed, rate; the gait's angle and the work if
// present.
static size_t count_states(const fa_robot *robot)
{
    return (size_t)robot->n_links + 4 + robot->snake.gait_inputs +
           (robot->outputs & FA_EXTRA_ENERGY ? 1 : 0);
}

size_t fa_snake_size(const fa_robot *robot)
{
    return lay_out(NULL, NULL, (size_t)robot->n_links, count_states(robot), count_rows(robot));
}

void fa_snake_find_rows(fa_snake_self *self, int n, const fa_variables *variables)
{
    for (int quantity = 0; quantity < FA_SNAKE_ROW_QUANTITY_COUNT; quantity++)
        self->row[quantity] = FA_NO_ROW;
    for (int i = 0; i < (int)(sizeof self->gait_row / sizeof *self->gait_row); i++)
        self->gait_row[i] = FA_NO_ROW;
    for (int k = 0; k < n; k++) self->input_row[k] = self->drive_row[k] = FA_NO_ROW;
    for (int row = variables->n - 1; row >= 0; row--) { // backwards: the first row of a run is kept
        const fa_variable *v = &variables->row[row];
        self->row[v->quantity] = row;
        self->group[row] = v->group;
        for (int i = 0; i < FA_SNAKE_GROUPS; i++) {
            if (!(v->group & 1u << i)) continue;
            if (self->rows_of[i].end == 0) self->rows_of[i].end = row + 1;
            self->rows_of[i].first = row;
        }
        if (v->quantity == FA_SNAKE_ROW_GAIT) self->gait_row[v->index] = row;
        if (v->quantity == FA_SNAKE_ROW_VOLTAGE) self->input_row[v->index] = row;
        if (v->quantity != FA_SNAKE_ROW_TORQUE) continue;
        *(v->role == FA_INPUT ? &self->input_row[v->index] : &self->drive_row[v->index]) = row;
    }
    self->link_rows = 1 +
                      (self->row[FA_SNAKE_ROW_GROUND] == FA_NO_ROW ? FA_SNAKE_ROW_ACROSS
                                                                   : FA_SNAKE_ROW_GROUND_LAST) -
                      FA_SNAKE_ROW_MASS;
    for (fa_snake_number number = {0}; fa_snake_next(FA_SNAKE_EACH_FOOT, &number);)
        self->foot_rows += fa_snake_is_of_law(&number, FA_SNAKE_EACH_FOOT, self->law);
    self->joint_rows =
        1 + (self->stops ? FA_SNAKE_ROW_STOP_DAMPING : FA_SNAKE_ROW_GEAR) - FA_SNAKE_ROW_VISCOUS;
    self->works = self->row[FA_SNAKE_ROW_WORK] != FA_NO_ROW;
    self->first_output = variables->first[FA_OUTPUT];
    self->time_row = variables->first[FA_TIME];
}

void fa_snake_prepare(void *memory, const fa_robot *robot, const fa_variables *variables)
{
    fa_snake_self *self = memory;
    memset(self, 0, fa_snake_size(robot));
    lay_out(self, memory, (size_t)robot->n_links, count_states(robot), count_rows(robot));
    self->n_states = (int)count_states(robot);
    self->snake.n = robot->n_links;
    self->snake.base = robot->snake.base;
    self->snake.link = self->link;
    self->snake.joint = self->joint;
    self->input = robot->snake.input;
    self->law = robot->snake.law;
    self->stops = robot->link[1].joint.stop.present;
    if (self->input == FA_SNAKE_PRESCRIBED) self->n_prescribed = robot->snake.n_prescribed;
    for (int i = 0; i < self->n_prescribed; i++)
        self->prescribed[i] = robot->snake.prescribed[i] - 1;
    fa_snake_find_rows(self, self->snake.n, variables);
}

int fa_snake_link_row(const fa_snake_self *self, fa_snake_quantity quantity, int link)
{
    return self->row[FA_SNAKE_ROW_MASS] + link * self->link_rows +
           (int)(quantity - FA_SNAKE_ROW_MASS);
}

int fa_snake_joint_row(const fa_snake_self *self, fa_snake_quantity quantity, int joint)
{
    return self->row[FA_SNAKE_ROW_VISCOUS] + joint * self->joint_rows +
           (int)(quantity - FA_SNAKE_ROW_VISCOUS);
}
