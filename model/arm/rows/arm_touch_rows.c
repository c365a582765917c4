// The variables of an arm's contacts, cones and line springs, and what depends on what.
#include <stdio.h>
#include <string.h>

#include "arm.h"
#include "arm_table.h"
#include "robot_touches.h"

// A contact, a line spring or a cone whose rows are declared.
typedef struct touch_at {
    fa_variables     *variables;
    int               index;
    const fa_element *list;
    fa_owner          owner;
    const char       *name;
    fa_arm_quantity   quantity;
    double            in[FA_TOUCH_STRIDE];
} touch_at;

static touch_at contact_at(fa_variables *variables, const fa_robot *robot, int k)
{
    touch_at at = {variables,
                   k,
                   &fa_elements[FA_ELEMENT_contact],
                   FA_OF_CONTACT,
                   fa_robot_contact(robot, k)->name,
                   FA_ARM_CONTACT_ITEM,
                   {0}};
    fa_contact_fill(robot, fa_robot_contact(robot, k), at.in);
    return at;
}

static touch_at spring_at(fa_variables *variables, const fa_robot *robot, int k)
{
    touch_at at = {variables,
                   k,
                   &fa_elements[FA_ELEMENT_line_spring],
                   FA_OF_SPRING,
                   fa_robot_spring(robot, k)->name,
                   FA_ARM_SPRING_ITEM,
                   {0}};
    fa_line_spring_fill(fa_robot_spring(robot, k), at.in);
    return at;
}

// The rows of a cone belong to its joint.
static touch_at cone_at(fa_variables *variables, const fa_robot *robot, int k)
{
    const fa_joint *joint = &robot->link[fa_robot_cone(robot, k)].joint;
    touch_at at = {variables,        k,  &fa_elements[FA_ELEMENT_cone], FA_OF_JOINT, joint->name,
                   FA_ARM_CONE_ITEM, {0}};
    fa_cone_fill(joint, at.in);
    return at;
}

// ------------------------------------------------------------------------------------------- rows

static const char *owner_of(const touch_at *at)
{
    if (at->owner == FA_OF_JOINT) return "joint";
    return at->owner == FA_OF_CONTACT ? "contact" : "line spring";
}

// `name` is a quantity of it, which may end with an axis, force.x, or be one: x.
static void add(const touch_at *at, fa_variable row, const char *name, const char *text)
{
    const fa_arm_spelled spelled = fa_arm_spell(at->name);
    char                 owner[sizeof spelled.said + 16], what[FA_ARM_DESCRIPTION_SIZE];
    char                 quantity[64];
    (void)snprintf(owner, sizeof owner, "%s %s", owner_of(at), spelled.said);
    fa_item_text(at->list, text, at->in, false, owner, what, sizeof what);
    fa_key key = fa_key_of_part(at->owner, at->index, at->name, NULL);
    fa_key_set_word(&key, name, quantity, sizeof quantity);
    fa_variable_add(at->variables, row, key, what);
}

static fa_variable row_of(const touch_at *at, fa_role role, int item)
{
    const fa_unit unit = (fa_unit)at->list->item[item].unit;
    return fa_arm_row(role, unit, 0, at->quantity, at->index * FA_TOUCH_STRIDE + item);
}

// Returns true if an item is present and has a row.
static bool has_row(const touch_at *at, int i)
{
    const fa_item *item = &at->list->item[i];
    return item->row && item->row[0] && fa_element_has(at->list, item, at->in);
}

// The exponent, and all numbers of what is not tunable, are fixed.
static fa_role role_of(const touch_at *at, const fa_item *item)
{
    return at->list->tunable && strcmp(item->name, "exponent") != 0 ? FA_TUNABLE : FA_PARAMETER;
}

static void numbers(const touch_at *at, fa_role role)
{
    for (int i = 0; i < at->list->n_numbers; i++) {
        const fa_item *item = &at->list->item[i];
        fa_variable    row = row_of(at, role, i);
        if (!has_row(at, i) || role_of(at, item) != role) continue;
        row.start = at->in[i];
        if (item->rule == FA_RULE_ABOVE_ZERO) row.minimum = FA_POSITIVE;
        if (item->rule == FA_RULE_NOT_NEGATIVE) row.minimum = 0;
        add(at, row, item->row, item->about);
    }
}

static const char *const AXIS[] = {"x", "y", "z"};

static void starts(const touch_at *at)
{
    for (int i = 0; i < at->list->n_items; i++) {
        const fa_item *item = &at->list->item[i];
        char           name[64], about[FA_ARM_DESCRIPTION_SIZE / 2];
        if (item->kind != FA_ITEM_STATE || !has_row(at, i)) continue;
        fa_variable row = row_of(at, FA_PARAMETER, i);
        row.quantity = FA_ARM_CONTACT_START;
        snprintf(name, sizeof name, "initial_%s", item->row);
        snprintf(about, sizeof about, "%s, at the start", item->about);
        add(at, row, name, about);
    }
}

static void point(const touch_at *at, fa_vec3 p)
{
    const double x[] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        char about[64];
        snprintf(about, sizeof about, "Place of %%s, %s of its link's frame", AXIS[i]);
        add(at,
            fa_arm_row(FA_TUNABLE, FA_UNIT_METRE, x[i], FA_ARM_CONTACT_POINT,
                       at->index * FA_TOUCH_STRIDE),
            AXIS[i], about);
    }
}

static void ground(const fa_robot *robot, fa_variables *variables)
{
    const fa_ground *g = &robot->ground;
    const double x[] = {g->point.x, g->point.y, g->point.z, g->normal.x, g->normal.y, g->normal.z};
    for (int i = 0; i < 6; i++) {
        char about[64];
        snprintf(about, sizeof about,
                 i < 3 ? "A point of the ground, world %s"
                       : "Normal of the ground, of any length, world %s",
                 AXIS[i % 3]);
        fa_variable_add(
            variables,
            fa_arm_row(FA_TUNABLE, i < 3 ? FA_UNIT_METRE : FA_UNIT_NONE, x[i], FA_ARM_GROUND, i),
            fa_key_along(fa_key_of(FA_OF_GROUND, i < 3 ? "" : "normal"), FA_ALONG_X + i % 3),
            about);
    }
}

void fa_arm_touch_parameters(const fa_robot *robot, fa_variables *variables, bool inverse,
                             fa_role role)
{
    for (int k = 0; k < robot->n_contacts && !inverse; k++) {
        const touch_at at = contact_at(variables, robot, k);
        numbers(&at, role);
        if (role == FA_PARAMETER)
            starts(&at);
        else
            point(&at, fa_robot_contact(robot, k)->point);
    }
    for (int k = 0; k < fa_robot_cones(robot) && !inverse; k++) {
        const touch_at at = cone_at(variables, robot, k);
        numbers(&at, role);
    }
    for (int k = 0; k < robot->n_springs; k++) {
        const touch_at at = spring_at(variables, robot, k);
        numbers(&at, role);
    }
    if (role == FA_TUNABLE && !inverse && fa_robot_uses_ground(robot)) ground(robot, variables);
}

// The first row with that meaning; FA_NO_ROW while the table is only being measured.
void fa_arm_touch_states(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_contacts; k++) {
        const touch_at at = contact_at(variables, robot, k);
        for (int i = 0; i < at.list->n_items; i++) {
            const fa_item *item = &at.list->item[i];
            if (item->kind != FA_ITEM_STATE || !has_row(&at, i)) continue;
            fa_variable row = row_of(&at, FA_STATE, i);
            row.initial = fa_arm_row_with(variables, FA_ARM_CONTACT_START, row.index);
            row.nominal = item->range->nominal;
            add(&at, row, item->row, item->about);
        }
    }
}

static void results(const touch_at *at, fa_role role, unsigned kinds, unsigned group)
{
    for (int i = at->list->n_items - at->list->n_results; i < at->list->n_items; i++) {
        const fa_item *item = &at->list->item[i];
        if (!(kinds >> item->type & 1) || !has_row(at, i)) continue;
        fa_variable row = row_of(at, role, i);
        row.group = group;
        add(at, row, item->row, item->about);
    }
}

// Adds the discrete rows of modes (touching or not), which only events change.
static void modes(const touch_at *at, fa_role role)
{
    for (int i = 0; i < at->list->n_items; i++) {
        const fa_item *item = &at->list->item[i];
        if (item->kind != FA_ITEM_MODE || !has_row(at, i)) continue;
        fa_variable row = row_of(at, role, i);
        row.type = item->type == FA_MODE_INTEGER ? FA_INT32 : FA_BOOLEAN;
        row.discrete = true;
        if (row.type == FA_INT32) row.minimum = 0, row.maximum = 1;
        add(at, row, item->row, item->about);
    }
}

void fa_arm_touch_outputs(const fa_robot *robot, fa_variables *variables, bool inverse)
{
    const unsigned kinds = 1 << FA_RESULT_PUSH | 1 << FA_RESULT_OUTPUT;
    for (int k = 0; k < robot->n_contacts && !inverse; k++) {
        const touch_at at = contact_at(variables, robot, k);
        results(&at, FA_OUTPUT, kinds, FA_ARM_GROUP_CONTACTS);
        modes(&at, FA_OUTPUT);
    }
    for (int k = 0; k < robot->n_springs; k++) {
        const touch_at at = spring_at(variables, robot, k);
        results(&at, FA_OUTPUT, kinds, FA_ARM_GROUP_CONTACTS);
    }
}

// The rate that comes as the n-th state does is that of the n-th state.
static void link_rates(const touch_at *at, int first)
{
    fa_variables *v = at->variables;
    int           rate = first;
    for (int row = v->first[FA_STATE]; v->row && row < v->n; row++)
        if (v->row[row].role == FA_STATE && v->row[row].quantity == (int)at->quantity &&
            v->row[row].index / FA_TOUCH_STRIDE == at->index)
            v->row[row].derivative = rate++;
}

void fa_arm_touch_locals(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_contacts; k++) {
        const touch_at at = contact_at(variables, robot, k);
        const int      first = variables->n;
        results(&at, FA_LOCAL, 1 << FA_RESULT_RATE, FA_GROUP_DERIVATIVES);
        link_rates(&at, first);
    }
    for (int k = 0; k < fa_robot_cones(robot); k++) {
        const touch_at at = cone_at(variables, robot, k);
        modes(&at, FA_LOCAL);
    }
}

void fa_arm_touch_indicators(const fa_robot *robot, fa_variables *variables)
{
    for (int k = 0; k < robot->n_contacts; k++) {
        const touch_at at = contact_at(variables, robot, k);
        results(&at, FA_INDICATOR, 1 << FA_RESULT_INDICATOR, FA_ARM_GROUP_CONTACTS);
    }
    for (int k = 0; k < fa_robot_cones(robot); k++) {
        const touch_at at = cone_at(variables, robot, k);
        results(&at, FA_INDICATOR, 1 << FA_RESULT_INDICATOR, FA_ARM_GROUP_CONTACTS);
    }
}

// -------------------------------------------------------------------------------------
// dependencies

bool fa_arm_is_touch_row(const fa_variable *row)
{
    return row->quantity >= FA_ARM_CONTACT_ITEM && row->quantity <= FA_ARM_GROUND;
}

static bool is_contact_row(const fa_variable *row)
{
    return fa_arm_is_touch_row(row) && row->quantity != FA_ARM_SPRING_ITEM &&
           row->quantity != FA_ARM_CONE_ITEM;
}

// Reals of a law that a row of its own is; all of where it is, or of the ground.
static uint64_t reals_of(const fa_element *e, const fa_variable *on, const char *const givens[])
{
    uint64_t reals = 0;
    if (!givens) return (uint64_t)1 << on->index % FA_TOUCH_STRIDE;
    for (int i = 0; givens[i]; i++)
        reals |= (uint64_t)1 << fa_element_real_index(e, givens[i], strlen(givens[i]));
    return reals;
}

static const char *const PLACE[] = {"cx", "cy", "cz", "vx", "vy", "vz", "wx",
                                    "wy", "wz", "ax", "ay", "az", NULL};
static const char *const SPEED[] = {"vx", "vy", "vz", "wx", "wy", "wz", NULL};
static const char *const GROUND[] = {"ox", "oy", "oz", "px", "py", "pz", NULL};
static const char *const BETWEEN[] = {"dx", "dy", "dz", "vx", "vy", "vz", NULL};
static const char *const RATE[] = {"vx", "vy", "vz", NULL};
static const char *const TURN[] = {"angle", "rate", NULL};
static const char *const TURN_RATE[] = {"rate", NULL};

// Returns true if this result, or with none any effort, depends on one of these reals.
static bool reaches(const touch_at *at, int result, uint64_t reals)
{
    const int first = at->list->n_items - at->list->n_results;
    for (int r = 0; r < at->list->n_results; r++) {
        const bool asked =
            result >= 0 ? first + r == result : at->list->item[first + r].type == FA_RESULT_PUSH;
        if (asked && fa_element_reach(at->list, at->in, r) & reals) return true;
    }
    return false;
}

static bool contact_depends(const fa_robot *robot, int k, int result, const fa_variable *on,
                            bool (*on_way)(const fa_robot *, int, int))
{
    const touch_at    at = contact_at(NULL, robot, k);
    const fa_contact *c = fa_robot_contact(robot, k);
    const bool        own = is_contact_row(on) && on->index / FA_TOUCH_STRIDE == k;
    switch (on->quantity) {
    case FA_ARM_CONTACT_ITEM:
        return own && reaches(&at, result, reals_of(at.list, on, NULL));
    case FA_ARM_CONTACT_POINT:
        return own && reaches(&at, result, reals_of(at.list, on, PLACE));
    case FA_ARM_GROUND:
        return c->on == FA_WORLD && reaches(&at, result, reals_of(at.list, on, GROUND));
    case FA_ARM_POSITION:
        return on_way && on_way(robot, on->index, c->link) &&
               reaches(&at, result, reals_of(at.list, on, PLACE));
    case FA_ARM_VELOCITY:
        return on_way && on_way(robot, on->index, c->link) &&
               reaches(&at, result, reals_of(at.list, on, SPEED));
    default:
        return false;
    }
}

static bool spring_depends(const fa_robot *robot, int k, int result, const fa_variable *on,
                           bool (*on_way)(const fa_robot *, int, int))
{
    const touch_at        at = spring_at(NULL, robot, k);
    const fa_line_spring *s = fa_robot_spring(robot, k);
    switch (on->quantity) {
    case FA_ARM_SPRING_ITEM:
        return on->index / FA_TOUCH_STRIDE == k &&
               reaches(&at, result, reals_of(at.list, on, NULL));
    case FA_ARM_POSITION:
    case FA_ARM_VELOCITY:
        return on_way && (on_way(robot, on->index, s->from) || on_way(robot, on->index, s->to)) &&
               reaches(&at, result,
                       reals_of(at.list, on, on->quantity == FA_ARM_POSITION ? BETWEEN : RATE));
    default:
        return false;
    }
}

// Returns whether a result of cone k depends on a row: its own parameters, or the position or
// velocity of its own joint.
static bool cone_depends(const fa_robot *robot, int k, int result, const fa_variable *on)
{
    const touch_at at = cone_at(NULL, robot, k);
    const bool     own = on->index == fa_robot_cone(robot, k);
    switch (on->quantity) {
    case FA_ARM_CONE_ITEM:
        return on->index / FA_TOUCH_STRIDE == k &&
               reaches(&at, result, reals_of(at.list, on, NULL));
    case FA_ARM_POSITION:
        return own && reaches(&at, result, reals_of(at.list, on, TURN));
    case FA_ARM_VELOCITY:
        return own && reaches(&at, result, reals_of(at.list, on, TURN_RATE));
    default:
        return false;
    }
}

bool fa_arm_touch_depends(const fa_robot *robot, const fa_variable *of, const fa_variable *on,
                          bool (*on_way)(const fa_robot *, int, int))
{
    const int k = of->index / FA_TOUCH_STRIDE, item = of->index % FA_TOUCH_STRIDE;
    if (of->quantity == FA_ARM_SPRING_ITEM) return spring_depends(robot, k, item, on, on_way);
    if (of->quantity == FA_ARM_CONE_ITEM) return cone_depends(robot, k, item, on);
    if (fa_elements[FA_ELEMENT_contact].item[item].kind != FA_ITEM_RESULT) return false; // a mode
    return contact_depends(robot, k, item, on, on_way);
}

bool fa_arm_touch_force_depends(const fa_robot *robot, const fa_variable *on, int of,
                                bool (*together)(const fa_robot *, int, int))
{
    for (int k = 0; k < robot->n_contacts; k++)
        if (together(robot, of, fa_robot_contact(robot, k)->link) &&
            contact_depends(robot, k, -1, on, NULL))
            return true;
    for (int k = 0; k < fa_robot_cones(robot); k++)
        if (together(robot, of, fa_robot_cone(robot, k)) && cone_depends(robot, k, -1, on))
            return true;
    for (int k = 0; k < robot->n_springs; k++) {
        const fa_line_spring *s = fa_robot_spring(robot, k);
        if ((together(robot, of, s->from) || together(robot, of, s->to)) &&
            spring_depends(robot, k, -1, on, NULL))
            return true;
    }
    return false;
}

bool fa_arm_touch_energy_depends(const fa_variable *on, bool loss_of_contacts, bool loss_of_springs,
                                 bool loss_of_cones)
{
    if (!fa_arm_is_touch_row(on)) return false;
    if (on->quantity == FA_ARM_CONE_ITEM) return loss_of_cones;
    return is_contact_row(on) ? loss_of_contacts : loss_of_springs;
}
