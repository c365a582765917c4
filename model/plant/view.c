// Maps the FMU's variables, scalars or arrays, to cells of the table.
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view_groups.h"
#include "view_texts.h"

// Number of links beyond which all further links depend alike.
enum { MORE_LINKS = 4 };

fa_status fa_view_typical(const fa_plant *plant, const fa_robot *robot, fa_robot **typical,
                          fa_error *error)
{
    return plant->structure->resize(robot, plant->structure->least(robot) + MORE_LINKS, typical,
                                    error);
}

// ------------------------------------------------------------------------------------- row by row

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the variables of the robot");
}

static fa_status view_rows(const fa_variables *table, fa_view *view, void **block, fa_error *error)
{
    const size_t n = (size_t)table->n;
    fa_extent   *extent = malloc(n * (sizeof *extent + sizeof(int)));
    if (!extent) return no_memory(error);
    int *cell = (int *)(extent + n);
    for (int row = 0; row < table->n; row++) {
        extent[row] = (fa_extent){.first = row, .n = 1};
        cell[row] = row;
    }
    *view = (fa_view){.n = table->n,
                      .variable = table->row,
                      .extent = extent,
                      .cell = cell,
                      .n_elements = table->n,
                      .n_cells = table->n,
                      .structure = FA_NO_ROW};
    *block = extent;
    return FA_OK;
}

int fa_view_count(const fa_view *view, int fmi)
{
    int n = view->n;
    while (fmi == 2 && n > 0 && view->variable[n - 1].role >= FA_INDICATOR) n--;
    return n;
}

// ------------------------------------------------------------------------------- some of the rows

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

// Returns true for the effort input at a joint without a drive.
static bool is_passive(const fa_robot *robot, const fa_variable *row)
{
    const int  joint = row->key.part;
    const bool effort = fa_key_is(&row->key, row->name, FA_OF_JOINT, "torque") ||
                        fa_key_is(&row->key, row->name, FA_OF_JOINT, "force");
    return effort && joint >= 0 && joint < robot->n_links && robot->link[joint].joint.passive;
}

bool fa_view_hides_row(const fa_robot *robot, const fa_variable *row)
{
    const bool given = row->role == FA_OUTPUT || row->role == FA_LOCAL;
    if (row->role == FA_INPUT)
        return ((robot->hidden & FA_HIDE_TIP_INPUTS) && begins(row->name, "tip.")) ||
               ((robot->hidden & FA_HIDE_PASSIVE) && is_passive(robot, row));
    if (!given) return false;
    return ((robot->hidden & FA_HIDE_TIP_OUTPUTS) && begins(row->name, "tip.")) ||
           ((robot->hidden & FA_HIDE_ENERGY) && begins(row->name, "energy.") && !row->records &&
            row->derivative == FA_NO_ROW);
}

bool fa_view_is_partial(const fa_robot *robot)
{
    return (robot->hidden & ~FA_HIDE_TERMINALS) != 0;
}

// Marks rows that the FMU hides; derivatives of states are never hidden.
static void mark_hidden(const fa_robot *robot, const fa_variables *table, int index[])
{
    for (int row = 0; row < table->n; row++)
        index[row] = fa_view_hides_row(robot, &table->row[row]) ? FA_NO_ROW : row;
    for (int row = table->first[FA_STATE]; row < table->first[FA_OUTPUT]; row++) {
        const int derivative = table->row[row].derivative;
        if (derivative != FA_NO_ROW) index[derivative] = derivative;
    }
    int shown = 0;
    for (int row = 0; row < table->n; row++)
        if (index[row] != FA_NO_ROW) index[row] = shown++;
}

static int at(const int index[], int row)
{
    return row == FA_NO_ROW ? FA_NO_ROW : index[row];
}

static fa_status view_some(const fa_robot *robot, const fa_variables *table, fa_view *view,
                           void **block, fa_error *error)
{
    const size_t n = (size_t)table->n;
    fa_variable *variable = malloc(n * (sizeof *variable + sizeof(fa_extent) + 2 * sizeof(int)));
    if (!variable) return no_memory(error);
    fa_extent *extent = (fa_extent *)(variable + n);
    int       *cell = (int *)(extent + n), *index = cell + n, shown = 0;
    mark_hidden(robot, table, index);
    for (int row = 0; row < table->n; row++) {
        if (index[row] == FA_NO_ROW) continue;
        fa_variable *v = &variable[shown];
        *v = table->row[row];
        v->derivative = at(index, v->derivative);
        v->initial = at(index, v->initial);
        v->initial_rate = at(index, v->initial_rate);
        if ((robot->hidden & FA_FIXED_PAYLOAD) && begins(v->name, "payload."))
            v->role = FA_PARAMETER;
        extent[shown] = (fa_extent){.first = shown, .n = 1};
        cell[shown++] = row;
    }
    *view = (fa_view){.n = shown,
                      .variable = variable,
                      .extent = extent,
                      .cell = cell,
                      .n_elements = shown,
                      .n_cells = table->n,
                      .structure = FA_NO_ROW};
    *block = variable;
    return FA_OK;
}

// -------------------------------------------------------------------------------------- as arrays

// State of the construction.
typedef struct builder {
    const fa_plant     *plant;
    const fa_robot     *robot;
    const fa_variables *table;
    fa_groups           groups;
    int                 now; // number of links, or other counted parts; 0: fixed size
    fa_variable        *variable;
    fa_extent          *extent;
    int                *cell, *group_of; // group of each row
    int                *next;            // for each group, number of elements with a row
    char               *text;            // NULL while measuring
    size_t              text_size;
} builder;

static int size_of(const builder *b, const fa_group *group)
{
    return group->sized ? b->now : group->members;
}

// Maps each row to its element. False: a row has none, which no plant's table can cause.
static bool place_rows(builder *b)
{
    const int n = b->table->n;
    int       used = b->now > 0; // the structural parameter comes first
    for (int g = 0; g < b->groups.n; g++) {
        fa_extent      *extent = &b->extent[g + (b->now > 0)];
        const fa_group *group = &b->groups.of[g];
        *extent = (fa_extent){.first = used, .n = size_of(b, group), .sized = group->sized};
        if (group->shape != FA_ARRAY_NONE) extent->rows = extent->n;
        if (group->shape == FA_ARRAY_OF_AXES && group->like.key.part != FA_NO_PART) {
            extent->columns = fa_along_family((fa_along)group->like.key.axis);
            extent->rows = extent->n / extent->columns;
        }
        for (int k = 0; k < extent->n; k++) b->cell[used + k] = FA_NO_ROW;
        used += extent->n;
    }
    memset(b->next, 0, (size_t)b->groups.n * sizeof *b->next);
    bool whole = true;
    for (int row = 0; row < n && whole; row++) {
        const int g = fa_groups_find(&b->groups, &b->table->row[row]);
        b->group_of[row] = g;
        whole = g != FA_NO_GROUP;
        if (!whole) break;
        const fa_extent *extent = &b->extent[g + (b->now > 0)];
        const int        k = extent->sized ? b->table->row[row].key.part : b->next[g]++;
        whole = k >= 0 && k < extent->n && b->cell[extent->first + k] == FA_NO_ROW;
        if (whole) b->cell[extent->first + k] = row;
    }
    return whole;
}

// Allocates cells for elements without a row, and returns the number of cells.
static int place_others(const builder *b, int elements)
{
    int cells = b->table->n;
    if (b->now > 0) b->cell[0] = cells++;
    for (int e = 0; e < elements; e++)
        if (b->cell[e] == FA_NO_ROW) b->cell[e] = cells++;
    return cells;
}

static const fa_variable *row_at(const builder *b, const fa_extent *extent, int element)
{
    const int cell = b->cell[extent->first + element];
    return cell < b->table->n ? &b->table->row[cell] : NULL;
}

// Combines bounds, units and nominal values of all elements.
static void join_attributes(const builder *b, int g)
{
    const fa_extent *extent = &b->extent[g + (b->now > 0)];
    fa_variable     *all = &b->variable[g + (b->now > 0)];
    bool             first = true;
    *all = b->groups.of[g].like;
    all->derivative = all->initial = all->initial_rate = FA_NO_ROW;
    for (int k = 0; k < extent->n; k++) {
        const fa_variable *one = row_at(b, extent, k);
        if (!one) continue;
        if (first) {
            const int derivative = one->derivative, initial = one->initial;
            const int rate = one->initial_rate;
            *all = *one;
            if (rate != FA_NO_ROW) all->initial_rate = b->group_of[rate] + (b->now > 0);
            if (initial != FA_NO_ROW) all->initial = b->group_of[initial] + (b->now > 0);
            if (derivative != FA_NO_ROW) all->derivative = b->group_of[derivative] + (b->now > 0);
        }
        first = false;
        if (one->unit != all->unit) all->unit = FA_UNIT_NONE;
        if (one->nominal != all->nominal) all->nominal = 0;
        all->minimum = fmin(all->minimum, one->minimum);
        all->maximum = fmax(all->maximum, one->maximum);
        all->group |= one->group;
    }
}

// ------------------------------------------------------------------------------------------- text

static char *keep(builder *b, const char *text)
{
    const size_t size = strlen(text) + 1;
    char        *kept = b->text ? memcpy(b->text + b->text_size, text, size) : NULL;
    b->text_size += size;
    return kept;
}

static void name_it(const builder *b, int g, char out[], size_t size, fa_row_key *key)
{
    const fa_group    *group = &b->groups.of[g];
    const fa_variable *like = &group->like;
    if (group->shape == FA_ARRAY_NONE)
        (void)snprintf(out, size, "%s", like->name);
    else
        fa_key_array(&like->key, like->name, group->shape == FA_ARRAY_OF_PARTS, out, size, key);
}

// " element 1: waist, 2: shoulder [m]"
static size_t list_elements(const builder *b, int g, char *out)
{
    const fa_group  *group = &b->groups.of[g];
    const fa_extent *extent = &b->extent[g + (b->now > 0)];
    const int        step = extent->columns ? extent->columns : 1;
    const bool       mixed = b->variable[g + (b->now > 0)].unit == FA_UNIT_NONE;
    size_t           used = 0;
    char             word[512];
    if (group->like.key.part == FA_NO_PART) return 0;
    for (int k = 0; k < extent->n; k += step) {
        const fa_variable *one = row_at(b, extent, k);
        // gcc sees NULL: a group has rows.
        const fa_slice part = fa_key_part(&one->key, one->name);
        const char    *unit = mixed ? fa_units[one->unit].name : "";
        const int      length =
            snprintf(word, sizeof word, "%s%.*s%s%s%s", k ? ", " : "; i is ", part.length,
                     part.text, *unit ? " [" : "", unit, *unit ? "]" : "");
        if (out) memcpy(out + used, word, (size_t)length + 1);
        used += (size_t)length;
    }
    return used;
}

static fa_status describe(builder *b, int g, fa_variable *variable, fa_error *error)
{
    const fa_group *group = &b->groups.of[g];
    if (!b->table->described) return FA_OK;
    if (group->shape == FA_ARRAY_NONE) {
        // gcc sees NULL: a group has rows.
        variable->description = row_at(b, &b->extent[g + (b->now > 0)], 0)->description;
        return FA_OK;
    }
    const size_t room =
        strlen(group->like.description) + 64 + (group->sized ? 0 : list_elements(b, g, NULL));
    char *said = malloc(room);
    if (!said) return no_memory(error);
    fa_describe_all(&group->like, group->shape == FA_ARRAY_OF_AXES, said, room);
    if (!group->sized)
        list_elements(b, g, said + strlen(said));
    else if (!group->of_all)
        strcat(said, "; the last element stands for nothing");
    variable->description = keep(b, said);
    free(said);
    return FA_OK;
}

static fa_status write_texts(builder *b, fa_error *error)
{
    b->text_size = 0;
    for (int g = 0; g < b->groups.n; g++) {
        fa_variable *variable = &b->variable[g + (b->now > 0)];
        char         name[400];
        name_it(b, g, name, sizeof name, &variable->key);
        variable->name = keep(b, name);
        fa_status status = describe(b, g, variable, error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// ---- the whole view

static void add_structure(const builder *b)
{
    const fa_structure *structure = b->plant->structure;
    fa_variable         variable = fa_variable_of(FA_STRUCTURE, FA_UNIT_NONE, b->now);
    variable.type = FA_UINT64;
    variable.minimum = structure->least(b->robot);
    variable.maximum = structure->most;
    variable.name = structure->name;
    variable.description = structure->about;
    b->variable[0] = variable;
    b->extent[0] = (fa_extent){.n = 1};
}

// Fills the block: variables, extents, cells, texts.
static fa_status fill(builder *b, fa_view *view, void **block, fa_error *error)
{
    const int extra = b->now > 0;
    int       elements = extra;
    for (int g = 0; g < b->groups.n; g++) elements += size_of(b, &b->groups.of[g]);
    const size_t n = (size_t)b->groups.n + (size_t)extra, rows = (size_t)b->table->n;
    const size_t fixed = n * (sizeof(fa_variable) + sizeof(fa_extent)) +
                         ((size_t)elements + rows + (size_t)b->groups.n) * sizeof(int);
    char *memory = NULL;
    for (int round = 0; round < 2; round++) { // the first round measures the texts
        char *more = realloc(memory, fixed + b->text_size);
        if (!more) {
            free(memory);
            return no_memory(error);
        }
        memory = more;
        b->variable = (fa_variable *)(void *)memory;
        b->extent = (fa_extent *)(b->variable + n);
        b->cell = (int *)(b->extent + n);
        b->group_of = b->cell + elements;
        b->next = b->group_of + rows;
        b->text = round > 0 ? (char *)(b->next + b->groups.n) : NULL;
        if (extra) add_structure(b);
        if (!place_rows(b)) {
            free(memory);
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "the variables of '%s' do not form arrays; export it without --arrays",
                           b->robot->name);
        }
        view->n_cells = place_others(b, elements);
        for (int g = 0; g < b->groups.n; g++) join_attributes(b, g);
        fa_status status = write_texts(b, error);
        if (status != FA_OK) {
            free(memory);
            return status;
        }
    }
    view->n = (int)n;
    view->variable = b->variable;
    view->extent = b->extent;
    view->cell = b->cell;
    view->n_elements = elements;
    view->structure = extra ? b->table->n : FA_NO_ROW;
    *block = memory;
    return FA_OK;
}

static fa_status view_arrays(const fa_plant *plant, const fa_robot *robot,
                             const fa_variables *table, fa_view *view, void **block,
                             fa_error *error)
{
    builder b = {.plant = plant, .robot = robot, .table = table};
    if (!plant->structure) {
        fa_status status = fa_groups_make(robot, table, FA_NO_SIZE, &b.groups, error);
        if (status == FA_OK) status = fill(&b, view, block, error);
        fa_groups_free(&b.groups);
        return status;
    }
    b.now = plant->structure->now(robot);
    fa_robot    *typical = NULL;
    fa_variables pattern;
    void        *of_pattern = NULL;
    fa_status    status = fa_view_typical(plant, robot, &typical, error);
    if (status == FA_OK)
        status = fa_plant_variables(plant, typical, table->described, &pattern, &of_pattern, error);
    if (status == FA_OK)
        status =
            fa_groups_make(typical, &pattern, plant->structure->now(typical), &b.groups, error);
    if (status == FA_OK) status = fill(&b, view, block, error);
    fa_groups_free(&b.groups);
    free(of_pattern);
    free(typical);
    return status;
}

fa_status fa_view_make(const fa_plant *plant, const fa_robot *robot, const fa_variables *table,
                       bool arrays, fa_view *view, void **block, fa_error *error)
{
    *block = NULL;
    *view = (fa_view){.structure = FA_NO_ROW};
    if (arrays) return view_arrays(plant, robot, table, view, block, error);
    return fa_view_is_partial(robot) ? view_some(robot, table, view, block, error)
                                     : view_rows(table, view, block, error);
}

fa_element_text fa_element_name(const fa_view *view, int variable, int element)
{
    const fa_extent *extent = &view->extent[variable];
    const char      *name = view->variable[variable].name;
    fa_element_text  said;
    if (extent->columns)
        (void)snprintf(said.text, sizeof said.text, "%s[%d,%d]", name,
                       element / extent->columns + 1, element % extent->columns + 1);
    else if (extent->rows)
        (void)snprintf(said.text, sizeof said.text, "%s[%d]", name, element + 1);
    else
        (void)snprintf(said.text, sizeof said.text, "%s", name);
    return said;
}
