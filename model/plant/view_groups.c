// Finds the rows that form one array.
#include "view_groups.h"

#include <stdlib.h>
#include <string.h>

// Returns true if the owner's kind may have several parts.
static bool has_part(const fa_variable *row)
{
    return row->key.part != FA_NO_PART;
}

static bool has_axes(const fa_variable *row)
{
    return row->key.axis != FA_ALONG_NONE;
}

// Returns the preferred shape of a row; a row that does not fit is demoted to the next.
static fa_array_shape best_shape(const fa_variable *row)
{
    if (has_axes(row)) return FA_ARRAY_OF_AXES;
    return has_part(row) ? FA_ARRAY_OF_PARTS : FA_ARRAY_NONE;
}

static fa_array_shape next_shape(const fa_variable *row, fa_array_shape shape)
{
    return shape == FA_ARRAY_OF_AXES && has_part(row) ? FA_ARRAY_OF_PARTS : FA_ARRAY_NONE;
}

// Returns the quantity of a group; with the axis, unless the group has several axes.
static fa_slice quantity_of(const fa_variable *row, fa_array_shape shape)
{
    return shape == FA_ARRAY_OF_AXES ? fa_key_quantity(&row->key, row->name)
                                     : fa_key_rest(&row->key, row->name);
}

static bool same_title(const fa_group *group, const fa_variable *row, fa_array_shape shape)
{
    return group->like.key.owner == row->key.owner && has_part(&group->like) == has_part(row) &&
           fa_slices_equal(quantity_of(&group->like, group->shape), quantity_of(row, shape));
}

static bool belongs(const fa_group *group, const fa_variable *row, fa_array_shape shape)
{
    if (group->shape != shape) return false;
    if (shape == FA_ARRAY_NONE) return strcmp(group->like.name, row->name) == 0;
    return group->like.role == row->role && group->like.type == row->type &&
           group->like.discrete == row->discrete && same_title(group, row, shape);
}

// Finds a row's group; the search starts behind the last one found.
static int find(fa_groups *groups, const fa_variable *row, fa_array_shape shape)
{
    for (int i = 0; i < groups->n; i++) {
        const int g = (groups->last + i) % groups->n;
        if (!belongs(&groups->of[g], row, shape)) continue;
        groups->last = g;
        return g;
    }
    return FA_NO_GROUP;
}

// Returns true for coordinates of joints of several freedoms, which are in no array.
static bool is_of_several(const fa_robot *robot, const fa_row_key *key)
{
    return key->owner == FA_OF_JOINT && key->part >= 0 && key->part < robot->n_links &&
           fa_joint_is_several(robot->link[key->part].joint.type);
}

int fa_groups_find(fa_groups *groups, const fa_variable *row)
{
    for (int shape = FA_ARRAY_OF_AXES; shape >= FA_ARRAY_NONE; shape--) {
        if (shape == FA_ARRAY_OF_AXES && !has_axes(row)) continue;
        if (shape == FA_ARRAY_OF_PARTS && !has_part(row)) continue;
        if (shape != FA_ARRAY_NONE && is_of_several(groups->robot, &row->key)) continue;
        const int g = find(groups, row, (fa_array_shape)shape);
        if (g != FA_NO_GROUP) return g;
    }
    return FA_NO_GROUP;
}

// --- construction

// Assignment of a row during construction.
typedef struct place {
    fa_array_shape shape;
    int            group, index;
} place;

static int family_of(const fa_group *group)
{
    return fa_along_family((fa_along)group->like.key.axis);
}

// Adds a member to a group of axes. Members come axis by axis, all axes of a part together; *part
// is the last member's.
static void add(fa_group *group, const fa_row_key *key, int *part)
{
    if (group->shape == FA_ARRAY_OF_AXES) {
        const int k = group->members % family_of(group);
        if (key->axis != fa_along_first((fa_along)group->like.key.axis) + k) group->broken = true;
        if (k > 0 && *part != key->part) group->broken = true;
    }
    *part = key->part;
    group->members++;
}

static void collect(const fa_variables *table, fa_groups *groups, place at[], int part[])
{
    groups->n = groups->last = 0;
    for (int row = 0; row < table->n; row++) {
        const fa_variable *v = &table->row[row];
        int g = at[row].shape == FA_ARRAY_NONE ? FA_NO_GROUP : find(groups, v, at[row].shape);
        if (g == FA_NO_GROUP) {
            g = groups->n++;
            groups->of[g] = (fa_group){.shape = at[row].shape, .like = *v};
        }
        at[row].group = g;
        at[row].index = groups->of[g].members;
        add(&groups->of[g], &v->key, &part[g]);
    }
}

static void check_axes(fa_groups *groups)
{
    for (int g = 0; g < groups->n; g++) {
        fa_group *group = &groups->of[g];
        if (group->shape == FA_ARRAY_OF_AXES && group->members % family_of(group) != 0)
            group->broken = true;
    }
}

// Rejects the second of two arrays with equal names.
static void check_titles(fa_groups *groups)
{
    for (int g = 0; g < groups->n; g++) {
        fa_group *group = &groups->of[g];
        if (group->shape == FA_ARRAY_NONE) continue;
        for (int before = 0; before < g; before++) {
            const fa_group *other = &groups->of[before];
            if (other->shape != FA_ARRAY_NONE && same_title(other, &group->like, group->shape))
                group->broken = true;
        }
    }
}

// With a structural parameter: rejects arrays that not every part has.
static void check_sizes(const fa_variables *table, int size, fa_groups *groups, const place at[])
{
    if (size == FA_NO_SIZE) return;
    for (int row = 0; row < table->n; row++) {
        fa_group *group = &groups->of[at[row].group];
        const int number = table->row[row].key.part + 1;
        if (number >= size - 1) group->sized = true;
        if (number >= size) group->of_all = true;
    }
    for (int g = 0; g < groups->n; g++) {
        fa_group *group = &groups->of[g];
        if (group->shape == FA_ARRAY_NONE) group->sized = false;
        const bool parts = group->shape == FA_ARRAY_OF_PARTS;
        if (parts != group->sized) group->broken = group->shape != FA_ARRAY_NONE;
    }
}

// Rejects groups whose states and derivatives are not the same elements of arrays of equal size.
static void check_derivatives(const fa_variables *table, fa_groups *groups, const place at[])
{
    for (int row = table->first[FA_STATE]; row < table->first[FA_STATE + 1]; row++) {
        const place *x = &at[row], *dx = &at[table->row[row].derivative];
        fa_group    *state = &groups->of[x->group], *derivative = &groups->of[dx->group];
        const bool   both = (state->shape == FA_ARRAY_NONE) == (derivative->shape == FA_ARRAY_NONE);
        if (both && x->index == dx->index && state->members == derivative->members) continue;
        state->broken |= state->shape != FA_ARRAY_NONE;
        derivative->broken |= derivative->shape != FA_ARRAY_NONE;
    }
}

// Demotes the rows of rejected groups. Returns true if there were any.
static bool retry(const fa_variables *table, const fa_groups *groups, place at[])
{
    bool any = false;
    for (int row = 0; row < table->n; row++) {
        if (!groups->of[at[row].group].broken) continue;
        at[row].shape = next_shape(&table->row[row], at[row].shape);
        any = true;
    }
    return any;
}

fa_status fa_groups_make(const fa_robot *robot, const fa_variables *table, int size,
                         fa_groups *groups, fa_error *error)
{
    const size_t n = (size_t)table->n;
    place       *at = calloc(n, sizeof *at);
    int         *part = calloc(n, sizeof *part); // part of each group's last member
    *groups = (fa_groups){.robot = robot, .of = malloc(n * sizeof *groups->of)};
    fa_status status = FA_OK;
    if (!at || !part || !groups->of) {
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the variables of the robot");
        fa_groups_free(groups);
    } else {
        for (int row = 0; row < table->n; row++) {
            const fa_variable *v = &table->row[row];
            at[row].shape = is_of_several(robot, &v->key) ? FA_ARRAY_NONE : best_shape(v);
        }
        do {
            collect(table, groups, at, part);
            check_axes(groups);
            check_titles(groups);
            check_sizes(table, size, groups, at);
            check_derivatives(table, groups, at);
        } while (retry(table, groups, at)); // ends, because each round demotes a row
    }
    free(at);
    free(part);
    return status;
}

void fa_groups_free(fa_groups *groups)
{
    free(groups->of);
    groups->of = NULL;
    groups->n = 0;
}
