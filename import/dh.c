// Our own <arm> XML: a serial arm by its Denavit-Hartenberg parameters. resources/schema/arm.xsd is
// the reference of the format; a tree that comes here has been held against it, so what is unknown,
// missing or of the wrong kind has been reported already, except for numbers out of range.
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "values.h"

typedef struct arm {
    const fa_xml *xml;
    fa_error     *error;
    double        angle; // one unit of angle in the file [rad]
    bool          modified;
} arm;

static const fa_vec3 X_AXIS = {1, 0, 0};
static const fa_vec3 Z_AXIS = {0, 0, 1};

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

static bool is(const fa_xml_element *element, const char *attribute, const char *value)
{
    const fa_xml_attribute *found = fa_xml_find(element, attribute);
    return found && strcmp(found->value, value) == 0;
}

typedef struct field {
    const char *name;
    double     *value;
    double      unit;
} field;

static fa_status read_fields(const arm *a, const fa_xml_element *e, const field list[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!fa_xml_find(e, list[i].name)) continue;
        fa_status status =
            fa_read_number(a->xml, e, list[i].name, list[i].value, FA_OPTIONAL, a->error);
        if (status != FA_OK) return status;
        if (list[i].unit != 1) *list[i].value *= list[i].unit;
    }
    return FA_OK;
}

#define READ_FIELDS(a, e, list) read_fields(a, e, list, sizeof list / sizeof *list)

// --------------------------------------------------------------------------------------- geometry

static fa_transform turned(fa_vec3 axis, double angle)
{
    fa_transform X = transform_identity();
    if (angle != 0) X.E = fa_rotation_about(axis, angle);
    return X;
}

static fa_transform moved(double x, double y, double z)
{
    fa_transform X = transform_identity();
    X.r = vec3(x, y, z);
    return X;
}

// Where the joint's frame stands in the link before, and the link's frame in the moved joint's
// frame, so that both together are the convention's product with the coordinate inside.
static fa_status read_parameters(const arm *a, const fa_xml_element *e, fa_link *link)
{
    fa_joint   *joint = &link->joint;
    double      A = 0, alpha = 0, d = 0, theta = 0, offset = 0;
    bool        slides = joint->type == FA_PRISMATIC;
    const field list[] = {{"a", &A, 1},
                          {"alpha", &alpha, a->angle},
                          {"d", &d, 1},
                          {"theta", &theta, a->angle},
                          {"offset", &offset, slides ? 1 : a->angle}};
    fa_status   status = READ_FIELDS(a, e, list);
    if (status != FA_OK) return status;

    fa_transform Rz = turned(Z_AXIS, slides ? theta : theta + offset);
    fa_transform Tz = moved(0, 0, slides ? d + offset : d);
    fa_transform RxTx = transform_compose(turned(X_AXIS, alpha), moved(A, 0, 0));
    joint->axis = Z_AXIS;
    joint->origin = slides ? transform_compose(Rz, Tz) : Rz;
    link->frame = slides ? transform_identity() : Tz;
    if (a->modified)
        joint->origin = transform_compose(RxTx, joint->origin);
    else
        link->frame = transform_compose(link->frame, RxTx); // Rx and Tx commute
    return FA_OK;
}

// <base> or <tip>.
static fa_status read_place(const arm *a, const char *name, fa_transform *X)
{
    const fa_xml_element *e;
    fa_vec3               rpy = {0, 0, 0};
    fa_status status = fa_read_child(a->xml, a->xml->root, name, FA_OPTIONAL, &e, a->error);
    if (status != FA_OK || !e) return status;
    status = fa_read_vec3(a->xml, e, "xyz", &X->r, FA_OPTIONAL, a->error);
    if (status == FA_OK) status = fa_read_vec3(a->xml, e, "rpy", &rpy, FA_OPTIONAL, a->error);
    if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) X->E = fa_rotation_rpy(vec3_scale(a->angle, rpy));
    return status;
}

// ------------------------------------------------------------------------------- joints and links

static fa_status read_limit(const arm *a, const fa_xml_element *e, fa_joint *joint, double unit)
{
    bool continuous = is(e->parent, "type", "continuous");
    if (continuous && (fa_xml_find(e, "lower") || fa_xml_find(e, "upper")))
        return fa_fail(
            a->error, FA_BAD_INPUT, a->xml->path, e->place,
            "joint '%s' is continuous, and a limit of its angle contradicts that; remove "
            "lower and upper, or make it revolute",
            joint->name);
    const field list[] = {{"lower", &joint->limit.lower, unit},
                          {"upper", &joint->limit.upper, unit},
                          {"effort", &joint->limit.effort, 1},
                          {"velocity", &joint->limit.velocity, unit}};
    return READ_FIELDS(a, e, list);
}

static fa_status read_friction(const arm *a, const fa_xml_element *e, fa_joint *joint, double unit)
{
    fa_friction *f = &joint->friction;
    const field  list[] = {{"viscous", &f->viscous, 1},
                           {"coulomb", &f->coulomb, 1},
                           {"coulomb-negative", &f->coulomb_negative, 1},
                           {"width", &f->width, unit}};
    fa_status    status = READ_FIELDS(a, e, list);
    if (!fa_xml_find(e, "coulomb-negative")) f->coulomb_negative = f->coulomb;
    return status;
}

static fa_status read_spring(const arm *a, const fa_xml_element *e, fa_joint *joint, double unit)
{
    fa_spring  *s = &joint->spring;
    const field list[] = {
        {"stiffness", &s->stiffness, 1}, {"damping", &s->damping, 1}, {"rest", &s->rest, unit}};
    s->present = true;
    return READ_FIELDS(a, e, list);
}

static fa_status read_joint(const arm *a, const fa_xml_element *e, fa_joint *joint)
{
    const fa_xml_element *limit, *friction, *rotor, *spring;
    const double          unit = joint->type == FA_PRISMATIC ? 1 : a->angle;
    const field list[] = {{"inertia", &joint->rotor_inertia, 1}, {"gear", &joint->gear_ratio, 1}};
    fa_status   status = fa_read_child(a->xml, e, "limit", FA_OPTIONAL, &limit, a->error);
    if (status == FA_OK && limit) status = read_limit(a, limit, joint, unit);
    if (status == FA_OK)
        status = fa_read_child(a->xml, e, "friction", FA_OPTIONAL, &friction, a->error);
    if (status == FA_OK && friction) status = read_friction(a, friction, joint, unit);
    if (status == FA_OK) status = fa_read_child(a->xml, e, "rotor", FA_OPTIONAL, &rotor, a->error);
    if (status == FA_OK && rotor) status = READ_FIELDS(a, rotor, list);
    if (status == FA_OK)
        status = fa_read_child(a->xml, e, "spring", FA_OPTIONAL, &spring, a->error);
    if (status == FA_OK && spring) status = read_spring(a, spring, joint, unit);
    return status;
}

static fa_status read_body(const arm *a, const fa_xml_element *joint, fa_link *link)
{
    const fa_xml_element *e;
    double                I[6] = {0};
    const field           list[] = {{"mass", &link->mass, 1}};
    fa_status             status = fa_read_child(a->xml, joint, "link", FA_REQUIRED, &e, a->error);
    if (status != FA_OK) return status;
    link->place = e->place;
    status = fa_read_name(a->xml, e, "name", link->name, a->error);
    if (status == FA_OK) status = READ_FIELDS(a, e, list);
    if (status == FA_OK) status = fa_read_vec3(a->xml, e, "com", &link->com, FA_OPTIONAL, a->error);
    if (status == FA_OK)
        status = fa_read_numbers(a->xml, e, "inertia", 6, I, FA_OPTIONAL, a->error);
    link->inertia = (fa_sym3){I[0], I[1], I[2], I[3], I[4], I[5]};
    link->wrench = is(e, "wrench", "true");
    return status;
}

static fa_status read_element(const arm *a, const fa_xml_element *e, fa_link *link)
{
    fa_joint *joint = &link->joint;
    joint->place = e->place;
    joint->type = is(e, "type", "prismatic") ? FA_PRISMATIC
                  : is(e, "type", "fixed")   ? FA_FIXED
                                             : FA_REVOLUTE;
    fa_status status = fa_read_name(a->xml, e, "name", joint->name, a->error);
    if (status == FA_OK) status = read_parameters(a, e, link);
    if (status == FA_OK) status = read_joint(a, e, joint);
    if (status == FA_OK) status = read_body(a, e, link);
    return status;
}

static fa_status read_arm(const arm *a, fa_robot *robot)
{
    const fa_xml_element *root = a->xml->root;
    fa_link              *base = &robot->link[0];
    strcpy(base->name, "base");
    base->place = root->place;
    fa_status status = fa_read_name(a->xml, root, "name", robot->name, a->error);
    if (status == FA_OK)
        status = fa_read_vec3(a->xml, root, "gravity", &robot->gravity, FA_OPTIONAL, a->error);
    if (status == FA_OK) status = read_place(a, "base", &base->joint.origin);
    const fa_xml_element *e = fa_xml_child(root, "joint");
    for (int i = 1; e && status == FA_OK; e = fa_xml_next(e->next, "joint"), i++) {
        robot->link[i].parent = i - 1;
        status = read_element(a, e, &robot->link[i]);
    }
    robot->tip_link = robot->n_links - 1;
    if (status == FA_OK) status = read_place(a, "tip", &robot->tip);
    return status;
}

fa_status fa_arm_read(const fa_xml *xml, fa_robot **robot, fa_error *error)
{
    arm a = {.xml = xml, .error = error, .angle = 1};
    if (is(xml->root, "angle-unit", "deg")) a.angle = RADIANS_PER_DEGREE;
    a.modified = is(xml->root, "convention", "modified");

    int n = 1; // the base
    for (const fa_xml_element *e = xml->root->first; e; e = e->next)
        n += strcmp(e->name, "joint") == 0;
    *robot = NULL;
    if (n > FA_LINK_MAX)
        return fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                       "the arm has %d joints; %d are the most", n - 1, FA_LINK_MAX - 1);
    *robot = fa_robot_new(n);
    if (!*robot)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", n);
    fa_status status = read_arm(&a, *robot);
    if (status == FA_OK) status = fa_cylinders_read(xml, xml->root, robot, error);
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
    }
    return status;
}
