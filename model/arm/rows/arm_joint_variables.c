// Declares the variables of an arm's joints: parameters, inputs, states and results.
#include <stdio.h>
#include <string.h>

#include "arm_table.h"
#include "joint_lists.h"

fa_variable fa_arm_row(fa_role role, fa_unit unit, double start, fa_arm_quantity quantity,
                       int index)
{
    fa_variable variable = fa_variable_of(role, unit, start);
    variable.quantity = quantity;
    variable.index = index;
    return variable;
}

fa_variable fa_arm_calculated(fa_unit unit, fa_arm_quantity quantity, int index, unsigned group)
{
    fa_variable variable = fa_arm_row(FA_OUTPUT, unit, 0, quantity, index);
    variable.group = group;
    return variable;
}

fa_arm_spelled fa_arm_spell(const char *name)
{
    fa_arm_spelled s;
    fa_variable_segment(name, s.segment, sizeof s.segment);
    if (strcmp(s.segment, name) == 0)
        snprintf(s.said, sizeof s.said, "%s", name);
    else
        snprintf(s.said, sizeof s.said, "%s (written %s)", s.segment, name);
    return s;
}

void fa_arm_describe(const fa_variables *variables, char text[], size_t size, const char *format,
                     const char *name)
{
    text[0] = '\0';
    if (variables->described) (void)snprintf(text, size, format, fa_arm_spell(name).said);
}

int fa_arm_row_with(const fa_variables *variables, fa_arm_quantity quantity, int index)
{
    for (int row = 0; variables->row && row < variables->n; row++)
        if (variables->row[row].quantity == (int)quantity && variables->row[row].index == index)
            return row;
    return FA_NO_ROW;
}

typedef struct joint_units {
    fa_unit position, velocity, acceleration;
} joint_units;

static joint_units units_of(const fa_joint *joint)
{
    // Tables, since gcc keeps constants of its own that name strings in memory that can be written.
    static const joint_units sliding = {FA_UNIT_METRE, FA_UNIT_METRE_PER_SECOND,
                                        FA_UNIT_METRE_PER_SECOND2};
    static const joint_units turning = {FA_UNIT_RADIAN, FA_UNIT_RADIAN_PER_SECOND,
                                        FA_UNIT_RADIAN_PER_SECOND2};
    return fa_joint_is_linear(joint->type) ? sliding : turning;
}

// Adds a row of a joint; `what` has its name in it as %s.
static void joint_row(fa_variables *variables, const fa_robot *robot, fa_variable row,
                      const char *name, const char *what)
{
    char description[FA_ARM_DESCRIPTION_SIZE];
    fa_arm_describe(variables, description, sizeof description, what,
                    robot->link[row.index].joint.name);
    fa_variable_add(variables, row,
                    fa_key_of_part(FA_OF_JOINT, row.index, robot->link[row.index].joint.name, name),
                    description);
}

// -------------------------------------------------------------------------------- rows of elements

// An element at a joint whose rows are listed.
typedef struct element_at {
    fa_variables     *variables;
    int               link;
    const fa_joint   *joint;
    fa_joint_element  which;
    const fa_element *list;
    fa_joint_block    block;
} element_at;

static bool find_element(element_at *at, fa_variables *variables, const fa_robot *robot, int link,
                         int which, bool inverse)
{
    at->joint = &robot->link[link].joint;
    at->which = (fa_joint_element)which;
    if (fa_joint_is_several(at->joint->type)) return false; // its rows are others
    if (!fa_joint_has(at->joint, at->which, inverse)) return false;
    at->variables = variables;
    at->link = link;
    at->list = fa_joint_list(at->which);
    fa_joint_fill(at->joint, at->which, inverse, &at->block);
    return true;
}

// The elements in the order in which their rows stand, as FMUs have always had them; what is not
// named here follows.
static int nth_element(int place)
{
    static const uint8_t first[] = {FA_JOINT_limit,   FA_JOINT_friction, FA_JOINT_rotor,
                                    FA_JOINT_spring,  FA_JOINT_stop,     FA_JOINT_lock,
                                    FA_JOINT_closure, FA_JOINT_motor};
    const int            n = (int)(sizeof first / sizeof *first);
    const unsigned named = 1u << FA_JOINT_limit | 1u << FA_JOINT_friction | 1u << FA_JOINT_rotor |
                           1u << FA_JOINT_spring | 1u << FA_JOINT_stop | 1u << FA_JOINT_lock |
                           1u << FA_JOINT_closure | 1u << FA_JOINT_motor;
    if (place < n) return first[place];
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
        if (!(named >> k & 1) && place-- == n) return k;
    return FA_JOINT_ELEMENTS;
}

// Limits and stops, whose parameters stand beside the initial state.
static bool is_with_initial_state(int which)
{
    return which == FA_JOINT_limit || which == FA_JOINT_stop;
}

// The rows of an item of these kinds that is there; NULL behind the last.
static const fa_item *next_item(const element_at *at, fa_item_kind from, fa_item_kind to, int *i)
{
    while (++*i < at->list->n_items) {
        const fa_item *item = &at->list->item[*i];
        if (item->kind >= from && item->kind <= to && item->row && item->row[0] &&
            fa_element_has(at->list, item, at->block.in))
            return item;
    }
    return NULL;
}

static bool slides(const element_at *at)
{
    return fa_joint_is_linear(at->joint->type);
}

// A row like `row` with the item's unit, and its name and text unless others are given.
static void item_row(const element_at *at, const fa_item *item, fa_variable row)
{
    char owner[2 * FA_NAME_SIZE + 32], name[64], what[FA_ARM_DESCRIPTION_SIZE];
    fa_arm_describe(at->variables, owner, sizeof owner, "joint %s", at->joint->name);
    fa_item_text(at->list, item->row, at->block.in, slides(at), owner, name, sizeof name);
    fa_item_text(at->list, at->variables->described ? item->about : "", at->block.in, slides(at),
                 owner, what, sizeof what);
    fa_variable_add(at->variables, row,
                    fa_key_of_part(FA_OF_JOINT, at->link, at->joint->name, name), what);
}

static fa_variable row_of(const element_at *at, fa_role role, const fa_item *item)
{
    const int     i = (int)(item - at->list->item);
    const fa_unit unit = fa_element_unit(at->list, item, at->block.in, slides(at));
    return fa_arm_row(role, unit, 0, FA_ARM_ELEMENTS + fa_joint_row_of(at->which, i), at->link);
}

// Sets the bounds of a number; zero is excluded where it would mean that the number is absent.
static void bound_number(const element_at *at, int i, fa_variable *row)
{
    const fa_item *item = &at->list->item[i];
    fa_joint_block with_zero = at->block;
    if (item->rule == FA_RULE_SHARE) row->maximum = 1;
    if (item->rule == FA_RULE_SHARE || item->rule == FA_RULE_ABOVE_ZERO) row->minimum = FA_POSITIVE;
    if (item->rule != FA_RULE_NOT_NEGATIVE) return;
    with_zero.in[i] = 0;
    at->list->configure(with_zero.in);
    row->minimum = fa_element_has(at->list, item, with_zero.in) ? 0 : FA_POSITIVE;
}

static void element_parameters(const element_at *at, fa_role role)
{
    int i = -1;
    if (at->list->tunable != (role == FA_TUNABLE)) return;
    for (const fa_item *item; (item = next_item(at, FA_ITEM_NUMBER, FA_ITEM_NUMBER, &i));) {
        fa_variable row = row_of(at, role, item);
        row.start = at->block.in[i];
        bound_number(at, i, &row);
        item_row(at, item, row);
    }
}

// A position that an element has or is given starts where its joint does; all else at zero.
static double start_of(const element_at *at, const fa_item *item)
{
    return (int)item->unit == (int)FA_UNIT_POSITION ? at->joint->initial_position : 0;
}

// Declares the start values of elements' states.
static void element_starts(const element_at *at)
{
    int i = -1;
    for (const fa_item *item; (item = next_item(at, FA_ITEM_STATE, FA_ITEM_STATE, &i));) {
        fa_variable row = row_of(at, FA_PARAMETER, item);
        char        name[64], what[FA_ARM_DESCRIPTION_SIZE];
        row.quantity++;
        row.start = start_of(at, item);
        snprintf(name, sizeof name, "initial_%s", item->row);
        snprintf(what, sizeof what, "%s at the start", item->about);
        const fa_item start = {.row = name, .about = what};
        item_row(at, &start, row);
    }
}

static void initial_position(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    joint_units     unit = units_of(joint);
    fa_variable     position = fa_arm_row(FA_PARAMETER, unit.position, joint->initial_position,
                                          FA_ARM_INITIAL_POSITION, link);
    // A joint may lie in its stop, which is a spring, and the stops may be moved.
    if (!joint->stop.present) {
        position.minimum = joint->limit.lower;
        position.maximum = joint->limit.upper;
    }
    joint_row(variables, robot, position, "initial_position",
              fa_joint_is_linear(joint->type) ? "Distance of joint %s at the start"
                                              : "Angle of joint %s at the start");
}

static void initial_state(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint   *joint = &robot->link[link].joint;
    const joint_units unit = units_of(joint);
    initial_position(variables, robot, link);
    joint_row(variables, robot,
              fa_arm_row(FA_PARAMETER, unit.velocity, joint->initial_velocity,
                         FA_ARM_INITIAL_VELOCITY, link),
              "initial_velocity", "Velocity of joint %s at the start");
    element_at at;
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
        if (find_element(&at, variables, robot, link, k, false)) element_starts(&at);
}

static void pitch_parameter(fa_variables *variables, const fa_robot *robot, int link)
{
    const fa_joint *joint = &robot->link[link].joint;
    if (joint->type == FA_SCREW)
        joint_row(variables, robot,
                  fa_arm_row(FA_PARAMETER, FA_UNIT_METRE, joint->pitch, FA_ARM_PITCH, link),
                  "pitch", "How far joint %s advances in a turn, right-handed where positive");
}

static void joint_parameters(fa_variables *variables, const fa_robot *robot, int link, bool inverse,
                             bool with_initial_state)
{
    element_at at;
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const int which = nth_element(k);
        if (is_with_initial_state(which) == with_initial_state &&
            find_element(&at, variables, robot, link, which, inverse))
            element_parameters(&at, FA_PARAMETER);
    }
}

void fa_arm_joint_tunables(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, variables, robot, i, nth_element(k), inverse))
                element_parameters(&at, FA_TUNABLE);
}

void fa_arm_joint_parameters(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const bool      several = fa_joint_is_several(joint->type);
        if (!fa_joint_is_free(joint)) continue;
        // An inverse with loops closes them from there.
        if (several && (!inverse || robot->n_loops > 0))
            fa_arm_several_initial(variables, robot, i, !inverse);
        else if (!inverse)
            initial_state(variables, robot, i);
        else if (robot->n_loops > 0)
            initial_position(variables, robot, i);
        joint_parameters(variables, robot, i, inverse, true);
    }
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (fa_joint_is_several(joint->type)) fa_arm_several_friction(variables, robot, i);
        pitch_parameter(variables, robot, i);
        joint_parameters(variables, robot, i, inverse, false);
    }
}

// ------------------------------------------------------------------------------------------ drives

// The element that drives a free joint, whether the motion is given or not.
static bool find_drive(element_at *at, fa_variables *variables, const fa_robot *robot, int link,
                       bool inverse)
{
    const fa_joint *joint = &robot->link[link].joint;
    return fa_joint_is_free(joint) &&
           find_element(at, variables, robot, link, (int)fa_joint_drive(joint), inverse);
}

// Returns the item that an inverse computes for it; NULL: none.
static const fa_item *inverse_item(element_at *at, fa_variables *variables, const fa_robot *robot,
                                   int link)
{
    int i = -1;
    if (!find_drive(at, variables, robot, link, true)) return NULL;
    for (const fa_item *item; (item = next_item(at, FA_ITEM_RESULT, FA_ITEM_RESULT, &i));)
        if (item->type == FA_RESULT_INVERSE) return item;
    return NULL;
}

void fa_arm_drive_inputs(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++) {
        if (fa_joint_is_several(robot->link[i].joint.type))
            fa_arm_several_efforts(variables, robot, i, false);
        if (!find_drive(&at, variables, robot, i, false)) continue;
        int k = -1;
        for (const fa_item *item; (item = next_item(&at, FA_ITEM_INPUT, FA_ITEM_INPUT, &k));) {
            fa_variable row = row_of(&at, FA_INPUT, item);
            const char *by = item->range->bound_by;
            if (at.list->n_inputs == 1) row.quantity = FA_ARM_TORQUE;
            row.start = start_of(&at, item);
            row.maximum = by ? at.block.in[fa_element_real_index(at.list, by, strlen(by))]
                             : item->range->bound;
            row.minimum = -row.maximum;
            item_row(&at, item, row);
        }
    }
}

// Declares, for an inverse, the inputs of the drives; for a drive without an inverse law its
// effort.
void fa_arm_drive_outputs(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_is_free(&robot->link[i].joint)) continue;
        if (fa_joint_is_several(robot->link[i].joint.type)) {
            fa_arm_several_efforts(variables, robot, i, true);
            continue;
        }
        const fa_item *item = inverse_item(&at, variables, robot, i);
        if (!item) {
            at.which = FA_JOINT_torque;
            at.list = fa_joint_list(at.which);
            item = fa_element_item(at.list, FA_ITEM_INPUT, FA_ITEM_INPUT, 0);
            at.variables = variables;
            at.link = i;
            at.joint = &robot->link[i].joint;
            fa_joint_fill(at.joint, at.which, true, &at.block);
        }
        fa_variable row = row_of(&at, FA_OUTPUT, item);
        row.quantity = FA_ARM_TORQUE;
        row.group = FA_GROUP_DERIVATIVES;
        item_row(&at, item, row);
    }
}

// Returns true if the element's switches are real numbers, on above 0.5, and not Boolean.
static bool is_analogue(const element_at *at)
{
    const int flag = fa_element_flag_index(at->list, "analogue", strlen("analogue"));
    return flag >= 0 && *fa_element_flag(at->list, (void *)at->block.in, flag);
}

// Declares the inputs of locks and closing valves: discrete unless they are real numbers.
void fa_arm_switch_inputs(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int link = 0; link < robot->n_links; link++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
            if (!find_element(&at, variables, robot, link, nth_element(k), false)) continue;
            int i = -1;
            for (const fa_item *item;
                 (item = next_item(&at, FA_ITEM_SWITCH, FA_ITEM_SWITCH, &i));) {
                fa_variable row = row_of(&at, FA_INPUT, item);
                if (!is_analogue(&at)) {
                    row.type = FA_BOOLEAN;
                    row.discrete = true;
                }
                item_row(&at, item, row);
            }
        }
}

// Results of these kinds.
static void results(element_at *at, fa_role role, unsigned kinds, unsigned group)
{
    int i = -1;
    for (const fa_item *item; (item = next_item(at, FA_ITEM_RESULT, FA_ITEM_RESULT, &i));) {
        if (!(kinds >> item->type & 1)) continue;
        fa_variable row = row_of(at, role, item);
        row.group = group;
        item_row(at, item, row);
    }
}

void fa_arm_motor_outputs(fa_variables *variables, const fa_robot *robot, bool inverse)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, variables, robot, i, nth_element(k), inverse))
                results(&at, FA_OUTPUT, 1 << FA_RESULT_PUSH | 1 << FA_RESULT_OUTPUT,
                        FA_ARM_GROUP_MOTORS);
}

// ------------------------------------------------------------------------------------------ motion

// States of elements: the current of a motor.
static void element_states(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int link = 0; link < robot->n_links; link++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
            if (!find_element(&at, variables, robot, link, nth_element(k), false)) continue;
            int i = -1;
            for (const fa_item *item; (item = next_item(&at, FA_ITEM_STATE, FA_ITEM_STATE, &i));) {
                fa_variable row = row_of(&at, FA_STATE, item);
                row.initial = fa_arm_row_with(variables, (fa_arm_quantity)(row.quantity + 1), link);
                row.nominal = item->range->nominal;
                item_row(&at, item, row);
            }
        }
}

void fa_arm_joint_motion(fa_variables *variables, const fa_robot *robot, bool inverse, int order)
{
    static const char *const name[] = {"position", "velocity", "acceleration"};
    static const char *const what[] = {"Angle of joint %s", "Velocity of joint %s",
                                       "Acceleration of joint %s"};
    const bool               jumps = order == 1 && !inverse && fa_arm_jumps(robot);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        if (joint->dependent && (order < 2 || inverse)) continue; // see arm_loop_variables.c
        if (fa_joint_is_several(joint->type)) {
            fa_arm_several_motion(variables, robot, inverse, order, i);
            continue;
        }
        joint_units   units = units_of(joint);
        const fa_unit unit[] = {units.position, units.velocity, units.acceleration};
        const double  start[] = {joint->initial_position, joint->initial_velocity, 0};
        fa_role       role = inverse ? FA_INPUT : (order < 2 ? FA_STATE : FA_OUTPUT);
        fa_variable   row = fa_arm_row(role, unit[order], start[order], FA_ARM_POSITION + order, i);
        if (role == FA_STATE) {
            row.initial = fa_arm_row_with(variables, FA_ARM_INITIAL_POSITION + order, i);
            row.nominal = 1; // a radian, a metre, and as much in a second
            row.jumps = jumps;
        }
        if (role == FA_OUTPUT) row.group = FA_GROUP_DERIVATIVES;
        joint_row(variables, robot, row, name[order],
                  order == 0 && fa_joint_is_linear(joint->type) ? "Distance of joint %s"
                                                                : what[order]);
    }
    if (order == 1 && !inverse) element_states(variables, robot);
}

// ------------------------------------------------------------------------------- rows of switching

static void element_modes(const element_at *at)
{
    int i = -1;
    for (const fa_item *item; (item = next_item(at, FA_ITEM_MODE, FA_ITEM_MODE, &i));) {
        static const uint8_t type[] = {FA_REAL, FA_INT32, FA_BOOLEAN};
        fa_variable          row = row_of(at, FA_LOCAL, item);
        row.type = type[item->type];
        row.discrete = true;
        if (row.type == FA_INT32) {
            row.minimum = -1;
            row.maximum = 1;
        }
        item_row(at, item, row);
    }
}

void fa_arm_joint_locals(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, variables, robot, i, nth_element(k), false))
                results(&at, FA_LOCAL, 1 << FA_RESULT_RATE, FA_GROUP_DERIVATIVES);
    for (int i = 0; i < robot->n_links; i++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, variables, robot, i, nth_element(k), false)) element_modes(&at);
}

// Returns true if an element may lock this joint.
static bool holds(const element_at *at)
{
    const fa_element *e = at->list;
    for (int i = e->n_items - e->n_results; i < e->n_items; i++)
        if (e->item[i].type == FA_RESULT_HOLD && fa_element_has(e, &e->item[i], at->block.in))
            return true;
    return false;
}

void fa_arm_joint_indicators(fa_variables *variables, const fa_robot *robot)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++) {
        fa_variable row = fa_arm_row(FA_INDICATOR, FA_UNIT_NONE, 0, FA_ARM_SLIP_INDICATOR, i);
        row.group = FA_ARM_GROUP_STICK;
        if (find_element(&at, variables, robot, i, FA_JOINT_friction, false) && holds(&at))
            joint_row(variables, robot, row, "slip_indicator",
                      "Above zero while joint %s goes on sticking, or slipping that way");
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, variables, robot, i, nth_element(k), false))
                results(&at, FA_INDICATOR, 1 << FA_RESULT_INDICATOR, FA_ARM_GROUP_STOPS);
    }
}

bool fa_arm_jumps(const fa_robot *robot)
{
    element_at at;
    for (int i = 0; i < robot->n_links; i++)
        for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
            if (find_element(&at, NULL, robot, i, k, false) && holds(&at)) return true;
    return false;
}

bool fa_arm_has_stops(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.stop.present || robot->link[i].joint.cone.present) return true;
    return false;
}
