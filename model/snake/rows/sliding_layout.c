// Memory layout of a sliding snake, and the row of each quantity in the table of variables.
#include <string.h>

#include "arena.h"
#include "sliding_plant.h"

// Arena allocator: the function runs twice, first to measure the block, then to assign addresses.
static size_t lay_out(fa_sliding_self *self, char *base, const fa_robot *robot, size_t rows)
{
    const size_t    n = (size_t)robot->n_links, things = (size_t)robot->n_things;
    const size_t    wheels = robot->snake.law == FA_GROUND_IDEAL ? n : 0;
    fa_arena        a = {base, 0};
    fa_sliding_self scratch;
    if (!self) self = &scratch;
    fa_arena_take(&a, 1, sizeof(fa_sliding_self));
    fa_snake_take_shared(&a, &self->snake, n, rows);
    self->at = fa_arena_take(&a, n, sizeof *self->at);
    self->dot = fa_arena_take(&a, n, sizeof *self->dot);
    self->motion = fa_arena_take(&a, n, sizeof *self->motion);
    self->body = fa_arena_take(&a, n, sizeof *self->body);
    self->told = fa_arena_take(&a, n, sizeof *self->told);
    self->command = fa_arena_take(&a, n, sizeof *self->command);
    self->told_acceleration = fa_arena_take(&a, n, sizeof(double));
    self->told_change = fa_arena_take(&a, n, sizeof(double));
    self->drive = fa_arena_take(&a, n, sizeof(double));
    self->drive_change = fa_arena_take(&a, n, sizeof(double));
    self->lost = fa_arena_take(&a, n, sizeof(double));
    self->spring = fa_arena_take(&a, n, sizeof(double));
    self->force = fa_arena_take(&a, n, sizeof *self->force);
    self->force_change = fa_arena_take(&a, n, sizeof *self->force_change);
    fa_snake_self *snake = &self->snake;
    snake->rolling = fa_arena_take(&a, wheels, sizeof(double));
    snake->rolling_tangent = fa_arena_take(&a, wheels, sizeof(double));
    snake->lambda = fa_arena_take(&a, wheels, sizeof(double));
    snake->lambda_tangent = fa_arena_take(&a, wheels, sizeof(double));
    self->across = fa_arena_take(&a, wheels, sizeof(double));
    self->across_change = fa_arena_take(&a, wheels, sizeof(double));
    self->moment = fa_arena_take(&a, wheels, sizeof(double));
    self->moment_change = fa_arena_take(&a, wheels, sizeof(double));
    snake->work = fa_arena_take(&a, wheels ? 1 : 0, fa_snake_slope_work_size((int)n));
    self->thing = fa_arena_take(&a, things, sizeof *self->thing);
    self->factor = fa_arena_take(&a, 2 * things, sizeof *self->factor);
    return a.size;
}

// Returns the number of rows, including solver and time.
static size_t count_rows(const fa_robot *robot)
{
    fa_variables measured = {.described = false};
    fa_sliding_declare(robot, &measured, NULL);
    return (size_t)measured.n + FA_COMMON_ROWS + 1;
}

size_t fa_sliding_size(const fa_robot *robot)
{
    return lay_out(NULL, NULL, robot, count_rows(robot));
}

static void find_rows(fa_sliding_self *self, const fa_variables *variables)
{
    fa_snake_find_rows(&self->snake, self->chain.n, variables);
    for (int i = 0; i < self->n_things; i++) {
        fa_sliding_thing *thing = &self->thing[i];
        thing->force_row = thing->touching_row = thing->indicator_row = FA_NO_ROW;
        for (int j = 0; j < FA_THING_NUMBERS; j++) thing->row[j] = FA_NO_ROW;
    }
    for (int row = variables->n - 1; row >= 0; row--) { // backwards: the first row of a run is kept
        const fa_variable *v = &variables->row[row];
        if (v->quantity == FA_SNAKE_ROW_TOUCH) self->touch_row[v->index] = row;
        if (v->quantity == FA_SNAKE_ROW_THING) self->thing[v->index / 16].row[v->index % 16] = row;
        if (v->quantity == FA_SNAKE_ROW_THING_FORCE) self->thing[v->index / 2].force_row = row;
        if (v->quantity == FA_SNAKE_ROW_TOUCHING) self->thing[v->index].touching_row = row;
        if (v->quantity == FA_SNAKE_ROW_TOUCH_INDICATOR) self->thing[v->index].indicator_row = row;
    }
}

// Records a parameter of the law: its row for link 1, and the distance to the row of the next link.
static void note_number(fa_sliding_self *self, int row, int step)
{
    self->foot[self->n_numbers] = row;
    self->foot_step[self->n_numbers++] = step;
}

// Finds the rows of the law's parameters, in the order of its arguments.
static void find_numbers(fa_sliding_self *self)
{
    const int *row = self->snake.row;
    const int  wheel = row[FA_SNAKE_ROW_GROUND];
    for (fa_snake_number n = {0}; fa_snake_next(FA_SNAKE_EACH_FOOT, &n);)
        if (n.law == self->snake.law) note_number(self, row[n.quantity], self->snake.foot_rows);
    // Ideal wheels have the law of wheels whose sideways force is scaled by zero: the speed over
    // which that turns round is any positive number, such as the one of rolling.
    if (self->wheels)
        note_number(self, row[FA_SNAKE_ROW_GROUND_SHARED], 0);
    else if (self->snake.law != FA_GROUND_VISCOUS)
        note_number(self, row[FA_SNAKE_ROW_FOOT_SHARED], 0);
    if (self->law != FA_GROUND_WHEEL) return;
    note_number(self, wheel, self->snake.link_rows); // viscous, coulomb, …
    note_number(self, wheel + 1, self->snake.link_rows);
    note_number(self, row[FA_SNAKE_ROW_GROUND_SHARED], 0); // … width …
    note_number(self, wheel + 2, self->snake.link_rows);   // … and grip
}

// Nodes and weights of Gauss-Legendre quadrature, those at and above the middle, for 2 to 7 nodes
// (Abramowitz and Stegun, table 25.4).
static const struct {
    double x, weight;
} gauss[6][4] = {{{0.57735026918962576451, 1}},
                 {{0, 0.88888888888888888889}, {0.77459666924148337704, 0.55555555555555555556}},
                 {{0.33998104358485626480, 0.65214515486254614263},
                  {0.86113631159405257522, 0.34785484513745385737}},
                 {{0, 0.56888888888888888889},
                  {0.53846931010568309104, 0.47862867049936646804},
                  {0.90617984593866399280, 0.23692688505618908751}},
                 {{0.23861918608319690863, 0.46791393457269104739},
                  {0.66120938646626451366, 0.36076157304813860757},
                  {0.93246951420315202781, 0.17132449237917034504}},
                 {{0, 0.41795918367346938776},
                  {0.40584515137739716691, 0.38183005050511894495},
                  {0.74153118559939443986, 0.27970539148927666790},
                  {0.94910791234275852453, 0.12948496616886969327}}};

// Returns a contact point on the length, from -1 at the rear joint to 1 at the front one.
static fa_foothold on_length(double x, double weight)
{
    return (fa_foothold){.a = (x - 1) / 2, .b = (x + 1) / 2, .share = weight / 2};
}

static void find_holds(fa_sliding_self *self, int spread)
{
    self->n_holds = 1;
    if (self->law == FA_GROUND_WHEEL || spread == FA_SPREAD_WHEEL) {
        self->hold[0] = (fa_foothold){.share = 1};
    } else if (spread == FA_SPREAD_CENTRE) {
        self->hold[0] = (fa_foothold){.c = 1, .d = 1, .share = 1};
    } else {
        self->n_holds = 0;
        for (int i = 0; i < (spread + 1) / 2; i++) {
            const double x = gauss[spread - 2][i].x, weight = gauss[spread - 2][i].weight;
            self->hold[self->n_holds++] = on_length(x, weight);
            if (x != 0) self->hold[self->n_holds++] = on_length(-x, weight);
        }
    }
}

void fa_sliding_prepare(void *memory, const fa_robot *robot, const fa_variables *variables)
{
    fa_sliding_self *self = memory;
    int              commands = 0;
    memset(self, 0, fa_sliding_size(robot));
    lay_out(self, memory, robot, count_rows(robot));
    self->snake.law = robot->snake.law;
    self->wheels = robot->snake.law == FA_GROUND_IDEAL;
    self->law = self->wheels ? (int)FA_GROUND_WHEEL : (int)robot->snake.law;
    self->touches = robot->snake.touch.present;
    self->reactions = robot->outputs & FA_EXTRA_REACTIONS;
    self->n_things = robot->n_things;
    self->chain =
        (fa_sliding_chain){robot->n_links, self->snake.link, self->snake.joint, self->told};
    self->snake.snake.n = robot->n_links;
    self->snake.snake.link = self->snake.link;
    self->snake.snake.joint = self->snake.joint;
    if (robot->snake.input == FA_SNAKE_PRESCRIBED)
        self->snake.n_prescribed = robot->snake.n_prescribed;
    for (int i = 0; i < self->snake.n_prescribed; i++)
        self->snake.prescribed[i] = robot->snake.prescribed[i] - 1;
    self->snake.snake.base = robot->snake.base;
    self->snake.input = robot->snake.input;
    self->snake.gait_told = robot->snake.gait_told;
    self->snake.stops = robot->link[1].joint.stop.present;
    for (int i = 0; i < robot->n_things; i++) {
        const fa_thing *thing = fa_robot_thing(robot, i);
        self->thing[i].kind = thing->kind;
        self->thing[i].rectangle = thing->patch.rectangle;
        self->n_patches += thing->kind == FA_THING_PATCH;
    }
    for (int k = 0; k < robot->n_links - 1; k++) {
        self->told[k] = robot->link[k + 1].segment.prescribed || robot->snake.gait_told;
        self->command[k] = self->told[k] ? commands++ : 0;
    }
    find_rows(self, variables);
    find_numbers(self);
    find_holds(self, robot->snake.spread);
}
