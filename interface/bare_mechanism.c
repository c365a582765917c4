// Builds the rigid bodies of a mechanism for a workspace: a copy of the robot on which nothing acts
// but weight, as forward and as inverse dynamics.
#include "bare_mechanism.h"

#include <stdlib.h>
#include <string.h>

#include "arm_table.h"
#include "driven_joints.h"
#include "joint_lists.h"
#include "robot_lists.h"

// ------------------------------------------------------------------------------------- the robot

// Marks the joints that something drives, since what drives them goes.
static void keep_drives(fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        robot->link[i].joint.was_driven =
            robot->link[i].joint.type != FA_FIXED && fa_robot_drives_joint(robot, i);
}

static void take_off(fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_link *link = &robot->link[i];
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (k != FA_JOINT_limit && k != FA_JOINT_rotor)
                fa_joint_reset(&link->joint, (fa_joint_element)k);
        fa_joint_clear_cone(&link->joint);
        link->relief = 0;
        link->wrench = false;
    }
    robot->base_motion = false;
    robot->hidden = 0;
    robot->outputs = FA_EXTRA_JACOBIAN;
}

// Returns a copy with loops and no other list. Where a list stands in the robot's block follows
// from the lengths of those before it, and cylinders stand before loops: to set their number to
// zero would lose the loops, so that these go into a new block.
static fa_robot *copy_of(const fa_robot *robot)
{
    fa_robot *copy = malloc(fa_robot_size(robot));
    if (!copy) return NULL;
    memcpy(copy, robot, fa_robot_size(robot));
    keep_drives(copy);
    take_off(copy);
    const fa_robot_lists with = fa_robot_lists_of(copy);
    fa_robot_lists       without = {{0}};
    without.n[FA_LIST_LOOPS] = with.n[FA_LIST_LOOPS];
    fa_robot *bare = fa_robot_with_lists(copy, &without);
    if (!bare) free(copy);
    return bare;
}

static fa_status new_side(fa_robot *robot, const fa_plant *plant, fa_state *state, fa_error *error)
{
    strcpy(robot->plant, plant->name);
    return fa_state_of_plant(plant, robot, state, error);
}

fa_status fa_bare_parts_new(const fa_robot *robot, fa_bare_parts *parts, fa_error *error)
{
    *parts = (fa_bare_parts){.robot = copy_of(robot), .lack = fa_no_error()};
    if (!parts->robot)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to compute with this robot");
    strcpy(parts->robot->plant, fa_mechanism_plant.name);
    fa_status status = fa_robot_check(parts->robot, NULL, error);
    if (status == FA_OK)
        status = new_side(parts->robot, &fa_mechanism_plant, &parts->forward, error);
    if (status != FA_OK) return status;
    parts->forward_size = fa_mechanism_plant.size(parts->robot);
    status = new_side(parts->robot, &fa_inverse_mechanism_plant, &parts->inverse, &parts->lack);
    parts->has_inverse = status == FA_OK;
    if (parts->has_inverse) parts->inverse_size = fa_inverse_mechanism_plant.size(parts->robot);
    if (status == FA_OK || status == FA_UNFIT) return FA_OK;
    if (error) *error = parts->lack;
    return status;
}

void fa_bare_parts_free(fa_bare_parts *parts)
{
    fa_state_free(&parts->forward);
    fa_state_free(&parts->inverse);
    free(parts->robot);
}

// ---------------------------------------------------------------------------------------- memory

static void lay_out_side(fa_bare_side *to, fa_arena *a, const fa_bare_parts *parts,
                         const fa_state *of, size_t size, int n_parameters)
{
    const size_t rows = (size_t)of->table.n, n = (size_t)fa_robot_freedom(parts->robot),
                 positions = (size_t)fa_robot_position_count(parts->robot);
    to->plant = of->plant;
    to->n_rows = of->table.n;
    to->self = fa_arena_take(a, 1, size);
    to->value = fa_arena_take(a, rows, sizeof *to->value);
    to->direction = fa_arena_take(a, rows, sizeof *to->direction);
    to->position = fa_arena_take(a, positions, sizeof *to->position);
    to->speed = fa_arena_take(a, n, sizeof *to->speed);
    to->row_of = fa_arena_take(a, (size_t)n_parameters, sizeof *to->row_of);
}

void fa_bare_mechanism_lay_out(fa_workspace *w, fa_arena *arena, const fa_bare_parts *parts,
                               const fa_state *state)
{
    fa_bare_mechanism  measured;
    fa_bare_mechanism *at = fa_arena_take(arena, 1, sizeof *at);
    fa_bare_mechanism *to = at ? at : &measured; // cppcheck-suppress uninitvar ; only written
    const fa_arm      *arm = ((const fa_mechanism *)parts->forward.self)->arm;
    const size_t       n = (size_t)arm->chain.n_coordinates, links = (size_t)arm->n_links;
    const int          parameters = state->table.first[FA_INPUT];
    if (at) w->bare = at;
    lay_out_side(&to->forward, arena, parts, &parts->forward, parts->forward_size, parameters);
    if (parts->has_inverse)
        lay_out_side(&to->inverse, arena, parts, &parts->inverse, parts->inverse_size, parameters);
    to->regressor.body = fa_arena_take(arena, links, sizeof *to->regressor.body);
    to->regressor.frame = fa_arena_take(arena, links, sizeof *to->regressor.frame);
    to->regressor.row = fa_arena_take(arena, links, sizeof *to->regressor.row);
    to->regressor.work = fa_arena_take(arena, 1, fa_regressor_work_size(&arm->chain));
    to->inner = fa_arena_take(arena, 6 * n, sizeof *to->inner);
    to->first = fa_arena_take(arena, n, sizeof *to->first);
    to->second = fa_arena_take(arena, n, sizeof *to->second);
    to->efforts = fa_arena_take(arena, n, sizeof *to->efforts);
}

// --------------------------------------------------------------------------------------- filling

static const fa_plant *use(const fa_bare_parts *parts, const fa_plant *plant)
{
    strcpy(parts->robot->plant, plant->name); // what a plant prepares follows from it
    return plant;
}

// Returns false for numbers of what acts at a joint, such as friction.
static bool is_of_bodies(const fa_variable *parameter)
{
    const int quantity = parameter->quantity;
    if (quantity < FA_ARM_ELEMENTS || quantity >= FA_ARM_INITIAL_POSITION) return true;
    const fa_joint_item item = fa_joint_item_of(quantity - FA_ARM_ELEMENTS);
    return item.which == FA_JOINT_limit || item.which == FA_JOINT_rotor;
}

static void fill_side(fa_bare_side *to, const fa_bare_parts *parts, const fa_state *of,
                      const fa_state *state)
{
    const fa_variables *table = &of->table;
    to->plant = use(parts, of->plant);
    to->n_rows = table->n;
    to->tip = fa_arm_row_with(table, FA_ARM_TIP_WRENCH, 0);
    memcpy(to->value, of->value, (size_t)table->n * sizeof *to->value);
    of->plant->prepare(to->self, parts->robot, table);
    fa_motion_rows_find(parts->robot, table, to->position, to->speed);
    for (int row = 0; row < state->table.first[FA_INPUT]; row++)
        to->row_of[row] = is_of_bodies(&state->table.row[row])
                              ? fa_names_find(&of->names, state->table.row[row].name)
                              : FA_NO_ROW;
    to->groups = fa_plant_groups(of->plant, FA_GROUP_DERIVATIVES);
}

// The links that have mass parameters.
static void find_links(fa_workspace *w)
{
    fa_bare_mechanism  *b = w->bare;
    const fa_mechanism *m = b->forward.self;
    w->n_mass = 0;
    for (int i = 0; i < m->arm->n_links; i++) {
        const int row = fa_mechanism_outer_row(m, m->arm->link[i].row);
        if (row == FA_NO_ROW) continue;
        b->regressor.body[w->n_mass] = m->arm->link[i].body;
        b->regressor.frame[w->n_mass] = m->arm->link[i].frame;
        b->regressor.row[w->n_mass++] = row;
    }
    b->regressor.n_links = w->n_mass;
}

fa_status fa_bare_mechanism_fill(fa_workspace *w, const fa_bare_parts *parts, const fa_state *state,
                                 fa_error *error)
{
    fa_bare_mechanism *b = w->bare;
    w->lack = parts->lack;
    fill_side(&b->forward, parts, &parts->forward, state);
    if (parts->has_inverse) fill_side(&b->inverse, parts, &parts->inverse, state);
    w->arm = b->forward.self->arm;
    w->n = w->arm->chain.n_coordinates;
    w->n_positions = fa_robot_position_count(parts->robot);
    // The numbers of the bodies are not read, and the plants have set theirs.
    fa_body *body = malloc(((size_t)w->arm->chain.n + 1) * sizeof *body);
    if (!body)
        return fa_fail(error, FA_NO_MEMORY, state->source, FA_NOWHERE,
                       "there is not enough memory to compute with this robot");
    (void)fa_chain_build(parts->robot, body, w->link_body, w->link_frame);
    free(body);
    find_links(w);
    return fa_bare_mechanism_configure(w, error);
}

static fa_status configure_side(fa_bare_side *side, const fa_workspace *w, fa_error *error)
{
    for (int row = 0; row < w->n_parameters; row++)
        if (side->row_of[row] >= 0) side->value[side->row_of[row]] = w->value[row];
    return side->plant->configure(side->self, side->value, error);
}

fa_status fa_bare_mechanism_configure(fa_workspace *w, fa_error *error)
{
    const fa_status status = configure_side(&w->bare->forward, w, error);
    if (status != FA_OK) return status;
    w->chain = fa_arm_still(w->arm);
    w->chain.held = NULL;
    w->chain.loops = NULL; // frames and matrices are of the tree; loops stand in its coordinates
    return w->bare->inverse.self ? configure_side(&w->bare->inverse, w, error) : FA_OK;
}
