// Reads the elements at a joint by their lists (model/elements): attributes are numbers in the
// units of the list. Named parts and motors by datasheet are handled separately.
#include "joint_elements.h"

#include <math.h>
#include <string.h>

#include "joint_lists.h"
#include "named_parts.h"
#include "robot_touches.h"
#include "values.h"

typedef struct reader {
    const fa_xml *xml;
    const fa_xml *parts;
    double        angle; // the file's unit of an angle [rad]
    fa_joint     *joint;
    const fa_log *log;
    fa_error     *error;
    bool          said[FA_JOINT_ELEMENTS][FA_JOINT_NUMBERS];
} reader;

// ------------------------------------------------------------------------------------ any element

// Returns the factor of a number: angles are in the file's unit.
static double unit_of(const reader *r, fa_joint_element which, const fa_item *item)
{
    fa_joint_block block;
    fa_joint_fill(r->joint, which, false, &block);
    switch (
        fa_element_unit(fa_joint_list(which), item, block.in, fa_joint_is_linear(r->joint->type))) {
    case FA_UNIT_RADIAN:
    case FA_UNIT_RADIAN_PER_SECOND:
    case FA_UNIT_RADIAN_PER_SECOND2:
        return r->angle;
    default:
        return 1;
    }
}

// The numbers that an element of the file says, or a part, which stands in radians.
static fa_status read_numbers(reader *r, const fa_xml *xml, const fa_xml_element *e,
                              fa_joint_element which)
{
    const fa_element *list = fa_joint_list(which);
    for (int i = 0; i < list->n_numbers; i++) {
        const fa_item *item = &list->item[i];
        double        *x = fa_joint_number(r->joint, which, i);
        if (!fa_xml_find(e, item->xml)) continue;
        fa_status status = fa_read_number(xml, e, item->xml, x, FA_OPTIONAL, r->error);
        if (status != FA_OK) return status;
        const double unit = unit_of(r, which, item);
        if (unit != 1 && xml == r->xml) *x *= unit;
        r->said[which][i] = true;
    }
    return FA_OK;
}

// Returns true if the attribute is the second of its two words.
static bool says_second(const fa_xml_element *e, const fa_item *item)
{
    const fa_xml_attribute *found = fa_xml_find(e, item->xml);
    return found && strcmp(found->value, item->word) == 0;
}

static void read_choices(const reader *r, const fa_xml_element *e, fa_joint_element which)
{
    const fa_element *list = fa_joint_list(which);
    const fa_item    *item = fa_element_item(list, FA_ITEM_PRESENCE, FA_ITEM_PRESENCE, 0);
    *fa_joint_present(r->joint, which) = !item || says_second(e, item);
    for (int i = 0; i < list->n_choices; i++)
        *fa_joint_choice(r->joint, which, i) =
            says_second(e, fa_element_item(list, FA_ITEM_CHOICE, FA_ITEM_CHOICE, i));
}

// Numbers that another choice would bring.
static void warn_of_no_effect(const reader *r, const fa_xml_element *e, fa_joint_element which)
{
    const fa_element *list = fa_joint_list(which);
    fa_joint_block    block;
    fa_joint_fill(r->joint, which, false, &block);
    for (int i = 0; i < list->n_numbers; i++) {
        const fa_item          *item = &list->item[i];
        const fa_xml_attribute *a = fa_xml_find(e, item->xml);
        if (!a || fa_element_has(list, item, block.in)) continue;
        for (int k = 0; k < list->n_choices; k++) {
            const fa_item *choice = fa_element_item(list, FA_ITEM_CHOICE, FA_ITEM_CHOICE, k);
            fa_joint       other = *r->joint;
            fa_joint_block then;
            *fa_joint_choice(&other, which, k) ^= true;
            fa_joint_fill(&other, which, false, &then);
            if (fa_element_has(list, item, then.in))
                fa_warn(
                    r->log, r->xml->path, a->place,
                    "%s of joint '%s' has no effect with %s=\"%s\"; say %s=\"%s\", or remove it",
                    item->xml, r->joint->name, choice->xml, choice->row, choice->xml, choice->word);
        }
    }
}

// Sets the defaults of missing numbers.
static void fill_in(reader *r, fa_joint_element which)
{
    const fa_element *list = fa_joint_list(which);
    for (int i = 0; i < list->n_numbers; i++) {
        const double usual = fa_joint_usual(r->joint, which, i, r->said[which]);
        if (!r->said[which][i] && list->item[i].as && !isnan(usual))
            *fa_joint_number(r->joint, which, i) = usual;
    }
}

static fa_status read_element(reader *r, const fa_xml_element *e, fa_joint_element which)
{
    read_choices(r, e, which); // units follow from them
    fa_status status = read_numbers(r, r->xml, e, which);
    if (status == FA_OK) warn_of_no_effect(r, e, which);
    if (status == FA_OK) fill_in(r, which);
    return status;
}

// --------------------------------------------------------------------------------- limit and parts

static fa_status check_continuous(const reader *r, const fa_xml_element *e)
{
    const fa_xml_attribute *type = fa_xml_find(e->parent, "type");
    if (!type || strcmp(type->value, "continuous") != 0 ||
        (!fa_xml_find(e, "lower") && !fa_xml_find(e, "upper")))
        return FA_OK;
    return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                   "joint '%s' is continuous, and a limit of its angle contradicts that; remove "
                   "lower and upper, or make it revolute",
                   r->joint->name);
}

// Reads a number of a part that is present.
static fa_status read_of_part(const reader *r, const fa_xml_element *part, const char *name,
                              double *value)
{
    return part ? fa_read_number(r->parts, part, name, value, FA_OPTIONAL, r->error) : FA_OK;
}

// A motor's name says its numbers, and the inertia of its rotor; a gearbox's name says ratio,
// efficiency and an inertia that comes on top.
static fa_status read_parts(reader *r, const fa_xml_element *motor, const fa_xml_element *rotor)
{
    fa_joint             *joint = r->joint;
    const fa_xml_element *part = NULL, *box = NULL;
    double                gearbox = 0, efficiency = NAN;
    fa_status             status = FA_OK;
    if (motor) status = fa_named_part(r->parts, "motor", r->xml, motor, &part, r->error);
    if (status == FA_OK && part) status = read_numbers(r, r->parts, part, FA_JOINT_motor);
    if (status == FA_OK) status = read_of_part(r, part, "rotor-inertia", &joint->rotor.inertia);
    if (status == FA_OK && rotor)
        status = fa_named_part(r->parts, "gearbox", r->xml, rotor, &box, r->error);
    if (status == FA_OK) status = read_of_part(r, box, "ratio", &joint->rotor.gear);
    if (status == FA_OK) status = read_of_part(r, box, "inertia", &gearbox);
    if (status == FA_OK) status = read_of_part(r, box, "efficiency", &efficiency);
    joint->rotor.inertia += gearbox;
    if (!isnan(efficiency)) joint->motor.efficiency = efficiency; // unless the motor says another
    return status;
}

// The stop of a ball joint: a cone about an axis.
static fa_status read_cone(const reader *r, const fa_xml_element *e)
{
    const fa_element *list = &fa_elements[FA_ELEMENT_cone];
    fa_joint         *joint = r->joint;
    const char *const not_here = fa_xml_find(e, "lower") ? "lower" : "upper";
    if (!fa_xml_find(e, "cone"))
        return fa_fail(
            r->error, FA_BAD_INPUT, r->xml->path, e->place,
            "joint '%s' is spherical, and its stop has no cone; add cone=\"…\", the angle "
            "from the parent's axis at which it pushes back",
            joint->name);
    if (fa_xml_find(e, not_here))
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, fa_xml_find(e, not_here)->place,
                       "joint '%s' is spherical, and its stop is a cone; remove %s", joint->name,
                       not_here);
    fa_status status = FA_OK;
    for (int i = 0; i < list->n_numbers && status == FA_OK; i++)
        status =
            fa_read_number(r->xml, e, list->item[i].xml, fa_touch_number(&joint->cone.present, i),
                           list->item[i].required ? FA_REQUIRED : FA_OPTIONAL, r->error);
    joint->cone_axis = vec3(0, 0, 1);
    if (status == FA_OK)
        status = fa_read_vec3(r->xml, e, "axis", &joint->cone_axis, FA_OPTIONAL, r->error);
    if (status != FA_OK) return status;
    const double length = vec3_norm(joint->cone_axis);
    if (!(length > 0))
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, fa_xml_find(e, "axis")->value_place,
                       "the axis of the stop of joint '%s' is 0 0 0; write the direction that the "
                       "cone opens in",
                       joint->name);
    joint->cone_axis = vec3_scale(1 / length, joint->cone_axis);
    if (r->angle != 1) joint->cone.limit *= r->angle;
    joint->cone.present = true;
    return FA_OK;
}

// Words of a cone at a joint that is no ball.
static fa_status refuse_cone(const reader *r, const fa_xml_element *e)
{
    const fa_xml_attribute *found = fa_xml_find(e, "cone");
    if (!found) found = fa_xml_find(e, "axis");
    if (!found || fa_joint_is_several(r->joint->type)) return FA_OK; // the check has a sentence
    return fa_fail(
        r->error, FA_BAD_INPUT, r->xml->path, found->place,
        "joint '%s' is %s, and %s is of the stops of spherical joints; remove it, or say "
        "lower and upper",
        r->joint->name, fa_joint_kinds[r->joint->type].name, found->name);
}

// Where its stops stand, if that is not at what the maker allows.
static fa_status read_stop_places(reader *r, const fa_xml_element *e)
{
    static const char *const name[] = {"lower", "upper"};
    double *const            to[] = {&r->joint->limit.lower, &r->joint->limit.upper};
    for (int i = 0; i < 2; i++) {
        if (!fa_xml_find(e, name[i])) continue;
        const fa_status status = fa_read_number(r->xml, e, name[i], to[i], FA_OPTIONAL, r->error);
        if (status != FA_OK) return status;
        if (!fa_joint_is_linear(r->joint->type) && r->angle != 1) *to[i] *= r->angle;
    }
    return FA_OK;
}

// The datasheet's way to say R, K_t and K_e: voltage, torque at standstill, speed without load.
typedef struct datasheet {
    double voltage, stall_torque, no_load_speed;
} datasheet;

static fa_status take_datasheet(const reader *r, const fa_xml_element *e, const datasheet *d)
{
    static const char *const direct[] = {"resistance", "torque-constant", "back-emf"};
    static const char *const name[] = {"voltage", "stall-torque", "no-load-speed"};
    int                      given = 0;
    for (int i = 0; i < 3; i++) given += fa_xml_find(e, name[i]) != NULL;
    if (given == 0) return FA_OK;
    for (int i = 0; i < 3; i++) {
        if (!fa_xml_find(e, name[i]))
            return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                           "%s has no %s; voltage, stall-torque and no-load-speed belong together",
                           fa_xml_about(e).text, name[i]);
        if (fa_xml_find(e, direct[i]))
            return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                           "%s has both %s and the datasheet's voltage, stall-torque and "
                           "no-load-speed, which say the same; keep one of them",
                           fa_xml_about(e).text, direct[i]);
    }
    if (!(d->voltage > 0 && d->stall_torque > 0 && d->no_load_speed > 0))
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                       "%s has a voltage, a stall-torque or a no-load-speed that is not above zero",
                       fa_xml_about(e).text);
    fa_motor_data *m = &r->joint->motor;
    m->back_emf = m->torque_constant = d->voltage / d->no_load_speed;
    m->resistance = m->torque_constant * d->voltage / d->stall_torque;
    return FA_OK;
}

// Completes the motor's data: as in the list, or from a datasheet.
static fa_status finish_motor(reader *r, const fa_xml_element *e)
{
    datasheet d = {0, 0, 0};
    const struct {
        const char *name;
        double     *value;
    } list[] = {{"voltage", &d.voltage},
                {"stall-torque", &d.stall_torque},
                {"no-load-speed", &d.no_load_speed}};
    fa_status status = FA_OK;
    for (int i = 0; i < 3 && status == FA_OK; i++)
        status = fa_read_number(r->xml, e, list[i].name, list[i].value, FA_OPTIONAL, r->error);
    if (r->angle != 1) d.no_load_speed *= r->angle;
    if (status == FA_OK) status = take_datasheet(r, e, &d);
    if (status != FA_OK) return status;
    if (!fa_xml_find(e, "part") && !fa_xml_find(e, "stall-torque") &&
        (!fa_xml_find(e, "resistance") || !fa_xml_find(e, "torque-constant")))
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                       "%s says too little; give it a part, or resistance and torque-constant, or "
                       "voltage, stall-torque and no-load-speed",
                       fa_xml_about(e).text);
    return FA_OK;
}

// ------------------------------------------------------------------------------------ the start

// n numbers of <initial>, where they stand; `angles` of them, the last ones, are angles.
static fa_status read_start(const reader *r, const fa_xml_element *e, const char *name, int n,
                            int angles, double to[])
{
    if (!fa_xml_find(e, name)) return FA_OK;
    if (n == 0)
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, fa_xml_find(e, name)->place,
                       "joint '%s' is %s and has no initial %s; remove it", r->joint->name,
                       fa_joint_kinds[r->joint->type].name, name);
    fa_status status = fa_read_numbers(r->xml, e, name, n, to, FA_OPTIONAL, r->error);
    for (int i = n - angles; i < n && r->angle != 1; i++) to[i] *= r->angle;
    return status;
}

// <initial>: one number for a joint of one freedom.
static fa_status read_initial(const reader *r, const fa_xml_element *e)
{
    fa_joint       *joint = r->joint;
    fa_joint_start *start = &joint->start;
    const bool      several = fa_joint_is_several(joint->type);
    const bool      ball = fa_joint_has_ball(joint->type);
    const int       n = joint->type == FA_SPHERICAL ? 0 : several ? 3 : 1;
    const int       angles = !several ? !fa_joint_is_linear(joint->type) : joint->type == FA_PLANAR;
    fa_status       status = read_start(r, e, "position", n, angles,
                                  several ? start->position : &joint->initial_position);
    if (status == FA_OK)
        status = read_start(r, e, "velocity", n, angles,
                            several ? start->velocity : &joint->initial_velocity);
    if (status == FA_OK)
        status = read_start(r, e, "quaternion", ball ? 4 : 0, 0, start->quaternion);
    if (status == FA_OK)
        status = read_start(r, e, "angular-velocity", ball ? 3 : 0, 3, start->angular_velocity);
    return status;
}

fa_status fa_joint_elements_read(const fa_xml *xml, const fa_xml_element *element, double angle,
                                 const fa_log *log, fa_joint *joint, fa_error *error)
{
    const fa_xml_element *of[FA_JOINT_ELEMENTS] = {NULL};
    fa_xml               *parts = NULL;
    reader    r = {.xml = xml, .angle = angle, .joint = joint, .log = log, .error = error};
    fa_status status = FA_OK;
    for (int k = 0; k < FA_JOINT_ELEMENTS && status == FA_OK; k++) {
        const char *name = fa_joint_list((fa_joint_element)k)->xml;
        if (name[0]) status = fa_read_child(xml, element, name, FA_OPTIONAL, &of[k], error);
        if (status == FA_OK && of[k] && fa_xml_find(of[k], "part") && !parts)
            status = fa_named_parts(&parts, error);
    }
    r.parts = parts;
    const fa_xml_element *initial = fa_xml_child(element, "initial");
    if (status == FA_OK && initial) status = read_initial(&r, initial);
    if (status == FA_OK && of[FA_JOINT_stop] && joint->type == FA_SPHERICAL) {
        status = read_cone(&r, of[FA_JOINT_stop]);
        of[FA_JOINT_stop] = NULL;
    }
    if (status == FA_OK && of[FA_JOINT_stop]) status = refuse_cone(&r, of[FA_JOINT_stop]);
    if (status == FA_OK && of[FA_JOINT_limit]) status = check_continuous(&r, of[FA_JOINT_limit]);
    if (status == FA_OK && parts) status = read_parts(&r, of[FA_JOINT_motor], of[FA_JOINT_rotor]);
    for (int k = 0; k < FA_JOINT_ELEMENTS && status == FA_OK; k++)
        if (of[k]) status = read_element(&r, of[k], (fa_joint_element)k);
    if (status == FA_OK && of[FA_JOINT_stop]) status = read_stop_places(&r, of[FA_JOINT_stop]);
    if (status == FA_OK && of[FA_JOINT_motor]) status = finish_motor(&r, of[FA_JOINT_motor]);
    fa_xml_free(parts);
    return status;
}
