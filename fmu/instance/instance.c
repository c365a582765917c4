// Allocates, resets and frees an instance in one block of memory.
#include "instance.h"

#include "resource.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Arena allocator of one block. The first round, with base NULL, measures; the second assigns
// addresses.
typedef struct parts {
    char  *base;
    size_t used;
} parts;

static void *take(parts *arena, size_t size)
{
    const size_t alignment = 16; // alignment that plants rely on
    void        *part = arena->base ? arena->base + arena->used : NULL;
    arena->used += (size + alignment - 1) / alignment * alignment;
    return part;
}

static fa_setting setting_of(const fa_variable *variable)
{
    switch (variable->role) {
    case FA_STRUCTURE:
        return FA_SET_STRUCTURE;
    case FA_PARAMETER:
        return FA_SET_PARAMETER;
    case FA_TUNABLE:
        return FA_SET_TUNABLE;
    case FA_INPUT:
        return variable->discrete ? FA_SET_DISCRETE : FA_SET_INPUT;
    case FA_STATE:
        return FA_SET_STATE;
    default:
        return FA_SET_NEVER;
    }
}

static bool is_parameter(const fa_variable *variable)
{
    return variable->role <= FA_TUNABLE;
}

// Returns true if zero is the only bound, as of masses and frictions.
static bool is_not_negative(const fa_variable *variable)
{
    return is_parameter(variable) && variable->minimum == 0 && variable->maximum == INFINITY;
}

static bool is_above_zero(const fa_variable *variable)
{
    return is_parameter(variable) && variable->minimum == FA_POSITIVE &&
           variable->maximum == INFINITY;
}

// Returns true for a discrete variable that an event updates: a saved state contains it.
static bool is_mode(const fa_variable *variable)
{
    return variable->discrete && (variable->role == FA_OUTPUT || variable->role == FA_LOCAL);
}

static bool is_bounded(const fa_variable *variable)
{
    return (is_parameter(variable) || is_mode(variable)) && !is_not_negative(variable) &&
           !is_above_zero(variable) &&
           !(variable->minimum == -INFINITY && variable->maximum == INFINITY);
}

// --- cells

// Arrays of all cells, for the construction from table and view.
typedef struct cells {
    fa_row    *row;
    double    *start;
    fa_bounds *bounds;
    int        n_bounds;
} cells;

static void digest_cell(cells *to, int cell, const fa_variable *variable)
{
    fa_row *row = &to->row[cell];
    *row = (fa_row){.group = variable->group,
                    .type = (uint8_t)variable->type,
                    .setting = (uint8_t)setting_of(variable),
                    .role = (uint8_t)variable->role};
    if (is_not_negative(variable)) row->flags |= FA_ROW_NOT_NEGATIVE;
    if (is_above_zero(variable)) row->flags |= FA_ROW_ABOVE_ZERO;
    if (fa_variable_is_intermediate(variable)) row->flags |= FA_ROW_INTERMEDIATE;
    to->start[cell] = variable->start;
    if (!is_bounded(variable)) return;
    row->flags |= FA_ROW_BOUNDED;
    to->bounds[to->n_bounds++] = (fa_bounds){cell, variable->minimum, variable->maximum};
}

// Digests a cell that has no row. It has the properties of its variable, but no group computes it.
// An indicator's is constant, without sign changes.
static void digest_other(cells *to, int cell, const fa_variable *variable)
{
    digest_cell(to, cell, variable);
    to->row[cell].group = 0;
    if (variable->role == FA_INDICATOR) to->start[cell] = -1;
}

// Gives an element of an array the declared bounds of the array, which include those of each
// element.
static void join_bounds(cells *to, int cell, const fa_variable *variable)
{
    for (int i = 0; i < to->n_bounds; i++)
        if (to->bounds[i].cell == cell)
            to->bounds[i] = (fa_bounds){cell, variable->minimum, variable->maximum};
}

// Digests all cells in order, so that bounds are sorted by cell.
static void digest_cells(cells *to, const fa_variables *table, const fa_view *view)
{
    for (int row = 0; row < table->n; row++) digest_cell(to, row, &table->row[row]);
    for (int v = 0; v < view->n; v++)
        for (int k = 0; k < view->extent[v].n; k++) {
            const int cell = view->cell[view->extent[v].first + k];
            if (cell >= table->n)
                digest_other(to, cell, &view->variable[v]);
            else if (to->row[cell].flags & FA_ROW_BOUNDED)
                join_bounds(to, cell, &view->variable[v]);
        }
}

static int count_bounds(const fa_variables *table, const fa_view *view)
{
    int n = 0;
    for (int row = 0; row < table->n; row++) n += is_bounded(&table->row[row]);
    for (int v = 0; v < view->n; v++)
        for (int k = 0; k < view->extent[v].n && is_bounded(&view->variable[v]); k++)
            n += view->cell[view->extent[v].first + k] >= table->n;
    return n;
}

// --- variables of the FMU

static bool is_row_by_row(const fa_view *view, const fa_variables *table)
{
    return view->variable == table->row;
}

// Fills the arrays by cell. Where variables are rows, `cell` is the same array as `element`.
static void digest_view(fa_instance *self, const fa_view *view, fa_row row[], int element[],
                        int cell[], int order[], int indicator[])
{
    int states = 0;
    self->in_order = true;
    element[view->n] = view->n_elements;
    for (int v = 0; v < view->n; v++) {
        const fa_role role = (fa_role)view->variable[v].role;
        element[v] = view->extent[v].first;
        for (int k = element[v]; k < element[v] + view->extent[v].n; k++) {
            cell[k] = view->cell[k];
            if (role == FA_PARAMETER && row[cell[k]].setting == FA_SET_TUNABLE)
                row[cell[k]].setting = FA_SET_PARAMETER; // the payload is a fixed parameter
            if (role == FA_INDICATOR) indicator[self->n_shown_indicators++] = cell[k];
            if (role != FA_STATE) continue;
            order[states] = cell[k] - self->first_state;
            self->in_order &= order[states] == states;
            states++;
        }
    }
}

static void find_blocks(const int cell[], int n, const fa_row row[], uint16_t alike[])
{
    for (int k = n - 1; k >= 0; k--) {
        const fa_row *one = &row[cell[k]], *next = one + 1;
        const bool    on = k + 1 < n && cell[k + 1] == cell[k] + 1 && next->type == one->type &&
                        next->setting == one->setting;
        alike[k] = on && alike[k + 1] < UINT16_MAX ? (uint16_t)(alike[k + 1] + 1) : 1;
    }
}

static int count_indicators(const fa_view *view)
{
    int n = 0;
    for (int v = 0; v < view->n; v++)
        if (view->variable[v].role == FA_INDICATOR) n += view->extent[v].n;
    return n;
}

// --- roles

static void digest_table(fa_instance *self, const fa_variables *table, fa_row row[],
                         fa_state_row states[], double nominal[])
{
    self->n_states = fa_variables_count(table, FA_STATE);
    self->patience = fa_trajectory_patience(self->n_states);
    self->n_inputs = fa_variables_count(table, FA_INPUT);
    self->n_indicators = fa_variables_count(table, FA_INDICATOR);
    self->first_input = table->first[FA_INPUT];
    self->first_state = table->first[FA_STATE];
    self->first_indicator = table->first[FA_INDICATOR];
    self->time_row = table->first[FA_TIME];
    self->indicator_groups = fa_indicator_groups(table);
    self->states = fa_variables_states(table, states);
    self->derivative_groups = fa_derivative_groups(&self->states);
    self->n_stretches = fa_stretches(&self->states, self->stretch);
    for (int i = 0; i < self->n_states; i++) {
        const fa_variable *state = &table->row[self->first_state + i];
        nominal[i] = state->nominal > 0 ? state->nominal : 1;
        if (state->initial != FA_NO_ROW) row[state->initial].flags |= FA_ROW_INITIAL;
        if (state->initial_rate != FA_NO_ROW) { // a gait's angle starts from a rate, too
            row[state->initial_rate].flags |= FA_ROW_MOVES;
            row[self->time_row].flags |= FA_ROW_MOVES;
            self->starts_moving = true;
        }
    }
}

// --- the whole block

// Lays out all arrays behind the instance and returns the size of the block, 0 on overflow of
// size_t. With `self` NULL it only measures.
static size_t lay_out(fa_instance *self, const fa_plant *plant, const fa_robot *robot,
                      const fa_variables *table, const fa_view *view, const char *name)
{
    parts  arena = {(char *)self, 0};
    size_t n_cells = (size_t)view->n_cells, n_elements = (size_t)view->n_elements;
    size_t states = (size_t)fa_variables_count(table, FA_STATE);
    size_t inputs = (size_t)fa_variables_count(table, FA_INPUT);
    size_t shown = (size_t)count_indicators(view);
    size_t ports = (size_t)fa_ports_find(table, NULL, NULL);
    size_t moment_size =
        sizeof(fa_moment) + (n_cells + inputs) * sizeof(double) + ports * sizeof(fa_port_memory);
    size_t     parameters = (size_t)table->first[FA_INPUT];
    bool       own_cells = !is_row_by_row(view, table);
    cells      of = {.row = NULL};
    size_t     steps = fa_integrate_work((int)states, plant->implicit);
    fa_moment *moment;
    if (steps == 0 && states > 0) return 0;

    take(&arena, sizeof *self);
    moment = take(&arena, moment_size);
    void *memory = take(&arena, plant->size(robot));
    of.row = take(&arena, n_cells * sizeof *of.row);
    of.start = take(&arena, n_cells * sizeof *of.start);
    of.bounds = take(&arena, (size_t)count_bounds(table, view) * sizeof *of.bounds);
    fa_state_row *state_row = take(&arena, states * sizeof *state_row);
    fa_stretch   *stretch = take(&arena, states * sizeof *stretch);
    double       *nominal = take(&arena, states * sizeof *nominal);
    int          *element = take(&arena, ((size_t)view->n + 1) * sizeof *element);
    int          *cell = own_cells ? take(&arena, n_elements * sizeof *cell) : element;
    uint16_t     *alike = take(&arena, n_elements * sizeof *alike);
    int          *order = take(&arena, states * sizeof *order);
    int          *indicator = take(&arena, shown * sizeof *indicator);
    double       *direction = take(&arena, n_cells * sizeof *direction);
    double       *work = take(&arena, (steps + states) * sizeof *work);
    fa_moment    *undo = take(&arena, moment_size - parameters * sizeof(double));
    bool         *above = take(&arena, (size_t)fa_variables_count(table, FA_INDICATOR));
    bool         *intermediate = take(&arena, (size_t)view->n * sizeof *intermediate);
    double       *asked_rate = take(&arena, inputs * sizeof *asked_rate);
    const size_t  with_ports = ports > 0 ? 1 : 0;
    fa_port      *port = take(&arena, ports * sizeof *port);
    double       *port_inputs = take(&arena, with_ports * inputs * sizeof *port_inputs);
    double       *port_states = take(&arena, with_ports * states * sizeof *port_states);
    double       *port_next = take(&arena, 2 * ports * sizeof *port_next);
    fa_moment   *port_kept = take(&arena, with_ports * (moment_size - parameters * sizeof(double)));
    const size_t limited = (size_t)fa_limited_joints_find(robot, table, NULL);
    fa_limited_joint *limited_joint = take(&arena, limited * sizeof *limited_joint);
    bool             *left = take(&arena, limited * sizeof *left);
    char             *own_name = take(&arena, strlen(name) + 1);
    unsigned char    *packed = take(&arena, fa_robot_pack(robot, NULL));
    fa_details       *details = take(&arena, sizeof *details);
    fa_instance      *first = view->structure == FA_NO_ROW ? NULL : take(&arena, sizeof *first);
    if (!self) return arena.used;

    self->moment = moment;
    self->value = moment->value;
    self->rate = moment->value + n_cells;
    self->moment_size = moment_size;
    self->plant = plant;
    self->self = memory;
    self->row = of.row;
    self->start = of.start;
    self->bounds = of.bounds;
    self->stretch = stretch;
    self->nominal = nominal;
    self->element = element;
    self->cell = cell;
    self->n_cells = view->n_cells;
    self->structure = view->structure;
    self->alike = alike;
    self->state_order = order;
    self->indicator = indicator;
    self->direction = direction;
    self->work = work;
    self->undo = undo;
    self->above = above;
    self->intermediate = intermediate;
    self->asked_rate = asked_rate;
    self->port = port;
    self->n_ports = fa_ports_find(table, port, &self->port_rules);
    // cppcheck-suppress invalidPointerCast ; doubles behind doubles
    self->port_memory = (fa_port_memory *)(void *)(self->rate + inputs);
    self->port_inputs = port_inputs;
    self->port_states = port_states;
    self->port_next = port_next;
    self->port_kept = port_kept;
    self->limited = limited_joint;
    self->left = left;
    self->n_limited = fa_limited_joints_find(robot, table, limited_joint);
    self->switches = fa_plant_switches(plant, table);
    self->name = strcpy(own_name, name);
    self->packed = packed;
    self->robot_size = fa_robot_size(robot);
    self->arrays = own_cells && !fa_view_is_partial(robot);
    self->details = details;
    // FMI 2.0 declares neither event indicators nor time as variables.
    self->n_visible = (uint32_t)fa_view_count(view, self->fmi);
    fa_robot_pack(robot, packed);
    digest_cells(&of, table, view);
    self->n_bounds = of.n_bounds;
    digest_table(self, table, of.row, state_row, nominal);
    digest_view(self, view, of.row, element, cell, order, indicator);
    find_blocks(cell, view->n_elements, of.row, alike);
    plant->prepare(memory, robot, table);
    if (first) {
        self->size = plant->structure->now(robot);
        *first = *self;
        self->first = first;
    }
    return arena.used;
}

// Loads the robot of this token and its plant.
static fa_status load_robot(const fa_setup *setup, fa_robot **robot, const fa_plant **plant,
                            bool *arrays, fa_error *error)
{
    char      *text;
    size_t     size;
    fa_options options;
    fa_status  status = fa_resource_read(setup->resources, setup->token, &text, &size, error);
    if (status != FA_OK) return status;
    status = fa_robot_file_read(text, size, robot, &options, error);
    free(text);
    if (status != FA_OK) return status;

    if (options.fmi != setup->fmi)
        status = fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                         "the robot file was exported for FMI %d.0 and the host speaks FMI %d.0; "
                         "export the FMU with --fmi %d",
                         options.fmi, setup->fmi, setup->fmi);
    if (setup->plant) strncpy((*robot)->plant, setup->plant->name, sizeof((*robot)->plant) - 1);
    *arrays = options.arrays;
    *plant = setup->plant ? setup->plant : fa_plant_find((*robot)->plant);
    if (status == FA_OK && !*plant)
        status = fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                         "the robot file asks for the plant '%s', which this version of the "
                         "library does not have; export the FMU anew",
                         (*robot)->plant);
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
    }
    return status;
}

// Copies the options of FMI 3.0's Co-Simulation.
static fa_status take_wishes(fa_instance *self, const fa_setup *setup, fa_error *error)
{
    if (setup->event_mode && !self->switches)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the host wants to use event mode, and modelDescription.xml says that there "
                       "is none (hasEventMode)");
    self->event_mode = setup->event_mode;
    self->may_return_early = setup->early_return;
    if (setup->n_intermediate > 0 && !setup->intermediate)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the array of variables for intermediate updates is missing");
    for (size_t i = 0; i < setup->n_intermediate; i++) {
        const int variable = fa_cells_of(self, setup->intermediate[i]).variable;
        if (variable == FA_NO_ROW)
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "there is no variable with the value reference %lu, which the host "
                           "announces for intermediate updates",
                           (unsigned long)setup->intermediate[i]);
        const fa_row *row = &self->row[self->cell[self->element[variable]]];
        if (!(row->flags & FA_ROW_INTERMEDIATE))
            return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                           "the host announces '%s' for intermediate updates, which are for "
                           "continuous inputs and outputs only",
                           fa_true_name(self, variable));
        self->intermediate[variable] = true;
        self->takes_inputs |= setup->host.update && row->role == FA_INPUT;
    }
    return FA_OK;
}

fa_status fa_instance_lay_out(const fa_plant *plant, const fa_robot *robot, bool arrays,
                              const fa_setup *setup, fa_instance **instance, fa_error *error)
{
    fa_variables table;
    fa_view      view;
    void        *of_table = NULL, *of_view = NULL;
    *instance = NULL;
    fa_status status = fa_plant_variables(plant, robot, false, &table, &of_table, error);
    if (status == FA_OK)
        status = fa_view_make(plant, robot, &table, arrays, &view, &of_view, error);
    if (status == FA_OK) {
        const size_t size = lay_out(NULL, plant, robot, &table, &view, setup->name);
        fa_instance *self = size > 0 ? calloc(1, size) : NULL;
        if (self) {
            self->fmi = setup->fmi;
            self->kind = setup->kind;
            strcpy(self->token, setup->token);
            lay_out(self, plant, robot, &table, &view, setup->name);
            *instance = self;
        } else {
            status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                             "there is not enough memory for a robot of %d links", robot->n_links);
        }
    }
    free(of_view);
    free(of_table);
    return status;
}

static fa_status make(const fa_setup *setup, fa_instance **instance, fa_error *error)
{
    fa_robot       *robot = NULL;
    const fa_plant *plant = NULL;
    bool            arrays = false;
    fa_status       status = load_robot(setup, &robot, &plant, &arrays, error);
    if (status != FA_OK) return status;

    status = fa_instance_lay_out(plant, robot, arrays, setup, instance, error);
    free(robot);
    if (status != FA_OK) return status;
    fa_instance *self = *instance;
    self->host = setup->host;
    for (int c = 0; c < FA_CATEGORY_COUNT; c++)
        self->log[c] = c == FA_CATEGORY_ERROR || (setup->logging && c != FA_CATEGORY_SOLVER);
    fa_instance_start(self);
    status = take_wishes(self, setup, error);
    if (status != FA_OK) {
        fa_instance_free(self);
        *instance = NULL;
    }
    return status;
}

fa_instance *fa_instance_new(const fa_setup *setup)
{
    const fa_arithmetic of_host = fa_arithmetic_take();
    fa_instance        *self = NULL;
    fa_error            error = {.message = ""};
    if (!setup->name || setup->name[strspn(setup->name, " \t\r\n")] == '\0')
        fa_fail(&error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                "the host gives the instance no name; the standard asks for one");
    else if (!setup->token || strlen(setup->token) >= FA_TOKEN_SIZE)
        fa_fail(&error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                "the host does not pass on the token of modelDescription.xml");
    else
        (void)make(setup, &self, &error);
    if (self) {
        fa_arithmetic_give_back(of_host);
        return self;
    }

    // Always logs the reason: without an instance the host cannot enable logging later.
    fa_instance nobody = {.fmi = setup->fmi, .host = setup->host, .of_host = of_host};
    nobody.name = setup->name ? setup->name : "";
    nobody.log[FA_CATEGORY_ERROR] = true;
    bool file = error.file[0];
    fa_refuse(&nobody, "%s%s%s", error.file, file ? ": " : "", error.message);
    fa_arithmetic_give_back(nobody.of_host);
    return NULL;
}

void fa_instance_free(fa_instance *self)
{
    if (self) {
        fa_details_free(self->details);
        free(self->block);
    }
    free(self);
}

void fa_instance_start(fa_instance *self)
{
    memset(self->moment, 0, self->moment_size);
    self->moment->kind = (int32_t)self->kind;
    self->moment->mode = FA_MODE_INSTANTIATED;
    self->moment->stop = self->moment->next_event = INFINITY;
    memcpy(self->value, self->start, (size_t)self->n_cells * sizeof *self->value);
    self->value[self->time_row] = 0;
    memset(self->left, 0, (size_t)self->n_limited * sizeof *self->left);
    memset(self->told + FA_TOLD_DISCARD, 0, FA_TOLD_COUNT - FA_TOLD_DISCARD);
    self->configured = false;
    self->restart = true;
}

void fa_instance_start_again(fa_instance *self)
{
    const fa_moment was = *self->moment; // copies the header without the values
    double         *kept = self->direction;
    memcpy(kept, self->value, (size_t)self->n_cells * sizeof *kept);
    fa_instance_start(self);
    self->moment->experiment = was.experiment;
    self->moment->start = self->moment->last_time = was.start;
    self->moment->stop = was.stop;
    self->moment->tolerance = was.tolerance;
    for (int cell = 0; cell < self->n_cells; cell++) {
        const uint8_t setting = self->row[cell].setting;
        if (setting != FA_SET_STATE && setting != FA_SET_NEVER) self->value[cell] = kept[cell];
    }
    self->value[self->time_row] = was.start;
}
