#include "joint_elements.h"

#include <math.h>
#include <string.h>

#include "named_parts.h"
#include "values.h"

typedef struct reader {
    const fa_xml *xml;
    const fa_xml *parts;
    double        unit;  // of the joint's coordinate: an angle's, or 1
    double        angle; // of a motor's
    fa_joint     *joint;
    const fa_log *log;
    fa_error     *error;
} reader;

typedef struct field {
    const char *name;
    double     *value;
    double      unit;
} field;

static bool is(const fa_xml_element *element, const char *attribute, const char *value)
{
    const fa_xml_attribute *found = fa_xml_find(element, attribute);
    return found && strcmp(found->value, value) == 0;
}

static fa_status read_fields(const reader *r, const fa_xml *xml, const fa_xml_element *e,
                             const field list[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!fa_xml_find(e, list[i].name)) continue;
        fa_status status =
            fa_read_number(xml, e, list[i].name, list[i].value, FA_OPTIONAL, r->error);
        if (status != FA_OK) return status;
        // What is built in stands in radians.
        if (list[i].unit != 1 && xml == r->xml) *list[i].value *= list[i].unit;
    }
    return FA_OK;
}

#define READ_FIELDS(r, e, list) read_fields(r, (r)->xml, e, list, sizeof list / sizeof *list)

static fa_status read_limit(const reader *r, const fa_xml_element *e)
{
    fa_joint *joint = r->joint;
    if (is(e->parent, "type", "continuous") && (fa_xml_find(e, "lower") || fa_xml_find(e, "upper")))
        return fa_fail(
            r->error, FA_BAD_INPUT, r->xml->path, e->place,
            "joint '%s' is continuous, and a limit of its angle contradicts that; remove "
            "lower and upper, or make it revolute",
            joint->name);
    const field list[] = {{"lower", &joint->limit.lower, r->unit},
                          {"upper", &joint->limit.upper, r->unit},
                          {"effort", &joint->limit.effort, 1},
                          {"velocity", &joint->limit.velocity, r->unit}};
    return READ_FIELDS(r, e, list);
}

// Break-away is at least Coulomb where the file does not say.
static fa_status read_friction(const reader *r, const fa_xml_element *e)
{
    fa_friction_data *f = &r->joint->friction;
    f->on_motor = is(e, "side", "motor");
    const double speed = f->on_motor ? r->angle : r->unit;
    const field  list[] = {{"viscous", &f->viscous, 1},
                           {"coulomb", &f->coulomb, 1},
                           {"coulomb-negative", &f->coulomb_negative, 1},
                           {"width", &f->width, speed},
                           {"static", &f->breakaway, 1},
                           {"static-negative", &f->breakaway_negative, 1},
                           {"stribeck", &f->stribeck, speed}};
    fa_status    status = READ_FIELDS(r, e, list);
    if (!fa_xml_find(e, "coulomb-negative")) f->coulomb_negative = f->coulomb;
    f->sticks = is(e, "law", "stick-slip");
    static const char *const of_sticking[] = {"static", "static-negative", "stribeck"};
    for (int i = 0; i < 3 && !f->sticks; i++) {
        const fa_xml_attribute *a = fa_xml_find(e, of_sticking[i]);
        if (a)
            fa_warn(r->log, r->xml->path, a->place,
                    "%s of joint '%s' has no effect on the smooth law of friction; say "
                    "law=\"stick-slip\", or remove it",
                    of_sticking[i], r->joint->name);
    }
    bool given = fa_xml_find(e, "static") != NULL;
    if (!given) f->breakaway = f->coulomb;
    if (!fa_xml_find(e, "static-negative"))
        f->breakaway_negative = given ? f->breakaway : f->coulomb_negative;
    return status;
}

static fa_status read_spring(const reader *r, const fa_xml_element *e)
{
    fa_spring_data *s = &r->joint->spring;
    const field     list[] = {
            {"stiffness", &s->stiffness, 1}, {"damping", &s->damping, 1}, {"rest", &s->rest, r->unit}};
    s->present = true;
    return READ_FIELDS(r, e, list);
}

static fa_status read_stop(const reader *r, const fa_xml_element *e)
{
    fa_stop_data *s = &r->joint->stop;
    const field   list[] = {{"stiffness", &s->stiffness, 1}, {"damping", &s->damping, 1}};
    s->present = true;
    return READ_FIELDS(r, e, list);
}

static fa_status read_closure(const reader *r, const fa_xml_element *e)
{
    fa_closure_data *c = &r->joint->closure;
    const field      list[] = {
             {"stiffness", &c->stiffness, 1}, {"damping", &c->damping, 1}, {"time", &c->time, 1}};
    c->present = true;
    return READ_FIELDS(r, e, list);
}

// --------------------------------------------------------------------------------- rotor and motor

// A gearbox's name says ratio, efficiency and inertia; what the file itself says, of the efficiency
// at the motor, comes after.
static fa_status read_rotor(const reader *r, const fa_xml_element *e)
{
    fa_joint             *joint = r->joint;
    const fa_xml_element *box, *motor = fa_xml_child(e->parent, "motor");
    double                gearbox = 0, efficiency = NAN;
    const field           from_part[] = {
                  {"ratio", &joint->rotor.gear, 1}, {"efficiency", &efficiency, 1}, {"inertia", &gearbox, 1}};
    const field list[] = {{"inertia", &joint->rotor.inertia, 1}, {"gear", &joint->rotor.gear, 1}};
    fa_status   status = fa_named_part(r->parts, "gearbox", r->xml, e, &box, r->error);
    if (status == FA_OK && box) {
        status = read_fields(r, r->parts, box, from_part, sizeof from_part / sizeof *from_part);
        joint->rotor.inertia += gearbox;
        if (!isnan(efficiency) && !(motor && fa_xml_find(motor, "efficiency"))) {
            joint->motor.efficiency = efficiency;
            if (!(motor && fa_xml_find(motor, "efficiency-back")))
                joint->motor.efficiency_back = efficiency;
        }
    }
    return status == FA_OK ? READ_FIELDS(r, e, list) : status;
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

static fa_status read_motor(const reader *r, const fa_xml_element *e)
{
    fa_motor_data        *m = &r->joint->motor;
    const fa_xml_element *part;
    datasheet             d = {0, 0, 0};
    const field           list[] = {{"resistance", &m->resistance, 1},
                                    {"torque-constant", &m->torque_constant, 1},
                                    {"back-emf", &m->back_emf, 1},
                                    {"inductance", &m->inductance, 1},
                                    {"efficiency", &m->efficiency, 1},
                                    {"efficiency-back", &m->efficiency_back, 1},
                                    {"voltage-limit", &m->voltage_limit, 1},
                                    {"current-limit", &m->current_limit, 1},
                                    {"voltage", &d.voltage, 1},
                                    {"stall-torque", &d.stall_torque, 1},
                                    {"no-load-speed", &d.no_load_speed, r->angle},
                                    {"rotor-inertia", &r->joint->rotor.inertia, 1}};
    const size_t          n = sizeof list / sizeof *list;
    fa_status             status = fa_named_part(r->parts, "motor", r->xml, e, &part, r->error);
    m->present = true;
    if (status == FA_OK && part) {
        status = read_fields(r, r->parts, part, list, n);
        m->back_emf = m->torque_constant;
    }
    if (status == FA_OK) status = READ_FIELDS(r, e, list);
    if (status == FA_OK) status = take_datasheet(r, e, &d);
    if (status != FA_OK) return status;
    if (fa_xml_find(e, "torque-constant") && !fa_xml_find(e, "back-emf"))
        m->back_emf = m->torque_constant;
    if (fa_xml_find(e, "efficiency") && !fa_xml_find(e, "efficiency-back"))
        m->efficiency_back = m->efficiency;
    if (!part && !fa_xml_find(e, "stall-torque") &&
        (!fa_xml_find(e, "resistance") || !fa_xml_find(e, "torque-constant")))
        return fa_fail(r->error, FA_BAD_INPUT, r->xml->path, e->place,
                       "%s says too little; give it a part, or resistance and torque-constant, or "
                       "voltage, stall-torque and no-load-speed",
                       fa_xml_about(e).text);
    return FA_OK;
}

static fa_status read_lock(const reader *r, const fa_xml_element *e)
{
    r->joint->lock.present = is(e, "input", "true");
    return FA_OK;
}

fa_status fa_joint_elements_read(const fa_xml *xml, const fa_xml_element *element, double angle,
                                 const fa_log *log, fa_joint *joint, fa_error *error)
{
    // The rotor comes after the motor: a part's inertia is the motor's own, the element's is all.
    static const struct {
        const char *name;
        fa_status (*read)(const reader *r, const fa_xml_element *e);
    } child[] = {{"limit", read_limit},           {"motor", read_motor},   {"rotor", read_rotor},
                 {"friction", read_friction},     {"spring", read_spring}, {"stop", read_stop},
                 {"valve-closure", read_closure}, {"lock", read_lock}};
    fa_xml   *parts = NULL;
    reader    r = {xml, NULL, joint->type == FA_PRISMATIC ? 1 : angle, angle, joint, log, error};
    fa_status status = FA_OK;
    for (const fa_xml_element *e = element->first; e && !parts && status == FA_OK; e = e->next)
        if (fa_xml_find(e, "part")) status = fa_named_parts(&parts, error);
    r.parts = parts;
    for (size_t i = 0; i < sizeof child / sizeof *child && status == FA_OK; i++) {
        const fa_xml_element *e;
        status = fa_read_child(xml, element, child[i].name, FA_OPTIONAL, &e, error);
        if (status == FA_OK && e) status = child[i].read(&r, e);
    }
    fa_xml_free(parts);
    return status;
}
