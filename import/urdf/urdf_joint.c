// Joints of a URDF: type, axis, limits, friction, and whom they follow.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "urdf.h"
#include "values.h"

static fa_status read_type(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint,
                           bool *continuous)
{
    const fa_xml_attribute *type = fa_xml_find(e, "type");
    if (!type)
        return FA_URDF_FAIL(
            u, e->place,
            "joint '%s' has no type; add type=\"revolute\", \"continuous\", \"prismatic\" "
            "or \"fixed\"",
            joint->name);
    *continuous = strcmp(type->value, "continuous") == 0;
    static const struct {
        const char        *name;
        fa_form_joint_type type;
    } known[] = {{"revolute", FA_FORM_REVOLUTE},   {"continuous", FA_FORM_REVOLUTE},
                 {"prismatic", FA_FORM_PRISMATIC}, {"fixed", FA_FORM_FIXED},
                 {"screw", FA_FORM_SCREW},         {"planar", FA_FORM_PLANAR},
                 {"spherical", FA_FORM_BALL},      {"ball", FA_FORM_BALL}, // SDF's word
                 {"floating", FA_FORM_FLOATING}};
    joint->type_at = FA_URDF_AT(u, type->value_place);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, type->value) == 0) {
            joint->type = known[i].type;
            return FA_OK;
        }
    return FA_URDF_FAIL(u, type->value_place,
                        "joint '%s' has the type '%.60s'; it can be revolute, continuous, "
                        "prismatic, screw, planar, "
                        "spherical, floating or fixed, in small letters",
                        joint->name, type->value);
}

// <screw_thread_pitch value>, which some write with a prefix: metres in a turn, right-handed where
// positive.
static fa_status read_pitch(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint)
{
    const fa_xml_element *pitch = NULL;
    if (joint->type != FA_FORM_SCREW) return FA_OK;
    for (const fa_xml_element *child = e->first; child && !pitch; child = child->next) {
        const char *name = strchr(child->name, ':');
        if (strcmp(name ? name + 1 : child->name, "screw_thread_pitch") == 0) pitch = child;
    }
    if (!pitch)
        return FA_URDF_FAIL(u, e->place,
                            "joint '%s' is a screw and has no pitch; add <screw_thread_pitch "
                            "value=\"…\"/>, in metres for a turn",
                            joint->name);
    return fa_read_number(u->xml, pitch, "value", &joint->pitch, FA_REQUIRED, u->error);
}

fa_status fa_urdf_direction(const fa_urdf *u, const fa_xml_element *axis, const char *whose,
                            fa_vec3 *direction)
{
    fa_vec3   v = {0, 0, 0};
    fa_status status = fa_read_vec3(u->xml, axis, "xyz", &v, FA_REQUIRED, u->error);
    if (status != FA_OK) return status;
    // Scaled before it is squared, by a power of two so that nothing is rounded: any finite vector
    // has a length.
    double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    if (!(largest > 0))
        return FA_URDF_FAIL(
            u, fa_xml_find(axis, "xyz")->value_place,
            "%s is 0 0 0 and has no direction; write the axis that it turns about or slides along",
            whose);
    int exponent;
    (void)frexp(largest, &exponent);
    fa_vec3 scaled = vec3(ldexp(v.x, -exponent), ldexp(v.y, -exponent), ldexp(v.z, -exponent));
    double  length = ldexp(vec3_norm(scaled), exponent);
    if (!(fabs(length - 1) <= FA_URDF_UNIT_TOLERANCE))
        FA_URDF_WARN(u, fa_xml_find(axis, "xyz")->value_place,
                     "%s has the length %s; it is scaled to 1", whose, fa_number_text(length).text);
    *direction = length == 1 ? v : vec3_scale(1 / vec3_norm(scaled), scaled);
    return FA_OK;
}

static fa_status read_axis(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint)
{
    const fa_xml_element *axis;
    char                  whose[FA_NAME_SIZE + 32];
    joint->axis = vec3(1, 0, 0); // as the format says
    fa_status status = fa_read_child(u->xml, e, "axis", FA_OPTIONAL, &axis, u->error);
    if (status != FA_OK || !axis) return status;
    joint->axis_at = FA_URDF_AT(u, axis->place);
    (void)snprintf(whose, sizeof whose, "the axis of joint '%s'", joint->name);
    return fa_urdf_direction(u, axis, whose, &joint->axis);
}

// independent="true", by which URDF+ makes the joint's coordinates states.
static fa_status read_wish(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint)
{
    const fa_xml_attribute *wish = fa_xml_find(e, "independent");
    if (!wish) return FA_OK;
    const char *text = wish->value;
    joint->independent =
        strcmp(text, "true") == 0 || strcmp(text, "True") == 0 || strcmp(text, "1") == 0;
    if (joint->independent || strcmp(text, "false") == 0 || strcmp(text, "False") == 0 ||
        strcmp(text, "0") == 0)
        return FA_OK;
    return FA_URDF_FAIL(u, wish->value_place,
                        "independent of joint '%s' is '%.40s'; it can be true or false",
                        joint->name, text);
}

// Effort and velocity: required before version 1.2; 0 is what exporters write for "not known".
static fa_status read_bound(const fa_urdf *u, const fa_xml_element *limit, const char *name,
                            const fa_form_joint *joint, bool required, double *bound)
{
    if (required && !fa_xml_find(limit, name)) {
        if (!u->lenient)
            return FA_URDF_FAIL(
                u, limit->place,
                "%s has no %s, which URDF 1.%d requires; add it, declare version=\"1.2\", "
                "or use --lenient to leave it unlimited",
                fa_xml_about(limit).text, name, u->minor);
        FA_URDF_WARN(u, limit->place, "%s has no %s; it is unlimited", fa_xml_about(limit).text,
                     name);
    }
    fa_status status = fa_read_number(u->xml, limit, name, bound, FA_OPTIONAL, u->error);
    if (status == FA_OK && *bound == 0) {
        FA_URDF_WARN(u, limit->place, "joint '%s' has %s=\"0\", which is taken as no limit",
                     joint->name, name);
        *bound = INFINITY;
    }
    return status;
}

static fa_status read_limit(const fa_urdf *u, const fa_xml_element *e, bool continuous,
                            fa_form_joint *joint)
{
    const fa_xml_element *limit;
    fa_status             status = fa_read_child(u->xml, e, "limit", FA_OPTIONAL, &limit, u->error);
    if (status != FA_OK) return status;
    if (!limit && (continuous || joint->type == FA_FORM_SCREW)) return FA_OK; // it turns for ever
    if (!limit && !u->lenient)
        return FA_URDF_FAIL(
            u, e->place,
            "joint '%s' has no <limit>; add one, make it continuous if it turns for ever, "
            "or use --lenient to leave it unlimited",
            joint->name);
    if (!limit) {
        FA_URDF_WARN(u, e->place, "joint '%s' has no <limit>; it is unlimited", joint->name);
        return FA_OK;
    }

    fa_form_limits *value = &joint->limits;
    bool            required = !continuous && u->minor < 2;
    value->at = FA_URDF_AT(u, limit->place);
    status = read_bound(u, limit, "effort", joint, required, &value->effort);
    if (status == FA_OK)
        status = read_bound(u, limit, "velocity", joint, required, &value->velocity);
    if (status != FA_OK) return status;

    bool some = fa_xml_find(limit, "lower") || fa_xml_find(limit, "upper");
    if (continuous) {
        if (some)
            FA_URDF_WARN(u, limit->place,
                         "joint '%s' is continuous, so its lower and upper limits have no effect",
                         joint->name);
        return FA_OK;
    }
    if (!some) {
        FA_URDF_WARN(u, limit->place, "%s has neither lower nor upper; the joint has no stop",
                     fa_xml_about(limit).text);
        return FA_OK;
    }
    value->lower = value->upper = 0; // what the format gives to the one that is not there
    status = fa_read_number(u->xml, limit, "lower", &value->lower, FA_OPTIONAL, u->error);
    return status == FA_OK
               ? fa_read_number(u->xml, limit, "upper", &value->upper, FA_OPTIONAL, u->error)
               : status;
}

static fa_status read_dynamics(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint)
{
    const fa_xml_element *dynamics;
    fa_form_friction     *f = &joint->friction;
    fa_status status = fa_read_child(u->xml, e, "dynamics", FA_OPTIONAL, &dynamics, u->error);
    if (status != FA_OK || !dynamics) return status;
    f->at = FA_URDF_AT(u, dynamics->place);
    status = fa_read_number(u->xml, dynamics, "damping", &f->viscous, FA_OPTIONAL, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, dynamics, "friction", &f->coulomb, FA_OPTIONAL, u->error);
    if (status == FA_OK) status = fa_urdf_spring(u, dynamics, joint);
    return status;
}

fa_status fa_urdf_mimic(const fa_urdf *u, const fa_xml_element *e, int index)
{
    const fa_xml_element *mimic;
    fa_status             status = fa_read_child(u->xml, e, "mimic", FA_OPTIONAL, &mimic, u->error);
    if (status != FA_OK || !mimic || u->form->joint[index].type == FA_FORM_FIXED) return status;
    fa_form_coupling *coupling = fa_form_add_coupling(u->form);
    if (!coupling) return fa_form_no_memory(u->form, u->error);
    coupling->at = FA_URDF_AT(u, mimic->place);
    coupling->follower = index;
    coupling->coefficient[1] = 1;
    int leader;
    status = fa_tree_find(u->xml, &u->tree, "joint", mimic, "joint", &leader, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mimic, "multiplier", &coupling->coefficient[1], FA_OPTIONAL,
                                u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mimic, "offset", &coupling->coefficient[0], FA_OPTIONAL,
                                u->error);
    // Joints stand in the form as the links that they carry, behind the base, which none carries.
    if (status == FA_OK) coupling->leader = u->tree.rank[u->tree.child[leader]] - 1;
    return status;
}

fa_status fa_urdf_joint(const fa_urdf *u, const fa_xml_element *e, fa_form_joint *joint)
{
    joint->at = FA_URDF_AT(u, e->place);
    bool      continuous = false;
    fa_status status = fa_read_name(u->xml, e, "name", joint->name, u->error);
    if (status == FA_OK) status = read_type(u, e, joint, &continuous);
    if (status == FA_OK) status = fa_urdf_origin(u, e, &joint->origin);
    // A fixed joint's axis and limits are ignored; exporters write axis 0 0 0 there.
    if (status != FA_OK || joint->type == FA_FORM_FIXED) return status;
    const bool ball = joint->type == FA_FORM_BALL || joint->type == FA_FORM_FLOATING;
    if (!ball) status = read_axis(u, e, joint);
    if (status == FA_OK) status = read_wish(u, e, joint);
    if (status == FA_OK) status = read_pitch(u, e, joint);
    if (status == FA_OK && !ball && joint->type != FA_FORM_PLANAR)
        status = read_limit(u, e, continuous, joint);
    if (status == FA_OK) status = read_dynamics(u, e, joint);
    return status;
}
