// Our own <arm> XML: a serial arm by its Denavit-Hartenberg parameters. resources/schema/arm.xsd is
// the reference of the format; a tree that comes here has been held against it, so what is unknown,
// missing or of the wrong kind has been reported already, except for numbers out of range.
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "joint_elements.h"
#include "values.h"

typedef struct arm {
    const fa_xml *xml;
    const fa_log *log;
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

// Computes the joint's frame in the previous link, and the link's frame in the moved joint's frame,
// so that their product is the convention's.
static fa_status read_parameters(const arm *a, const fa_xml_element *e, fa_link *link)
{
    fa_joint      *joint = &link->joint;
    double         A = 0, alpha = 0, d = 0, theta = 0, offset = 0;
    bool           slides = fa_joint_is_linear(joint->type);
    const fa_field list[] = {{"a", &A, 1},
                             {"alpha", &alpha, a->angle},
                             {"d", &d, 1},
                             {"theta", &theta, a->angle},
                             {"offset", &offset, slides ? 1 : a->angle}};
    fa_status      status = fa_read_fields(a->xml, e, list, sizeof list / sizeof *list, a->error);
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

static fa_status read_body(const arm *a, const fa_xml_element *joint, fa_link *link)
{
    const fa_xml_element *e;
    double                I[6] = {0};
    const fa_field        list[] = {{"mass", &link->mass, 1}};
    fa_status             status = fa_read_child(a->xml, joint, "link", FA_REQUIRED, &e, a->error);
    if (status != FA_OK) return status;
    link->place = e->place;
    status = fa_read_name(a->xml, e, "name", link->name, a->error);
    if (status == FA_OK)
        status = fa_read_fields(a->xml, e, list, sizeof list / sizeof *list, a->error);
    if (status == FA_OK) status = fa_read_vec3(a->xml, e, "com", &link->com, FA_OPTIONAL, a->error);
    if (status == FA_OK)
        status = fa_read_numbers(a->xml, e, "inertia", 6, I, FA_OPTIONAL, a->error);
    link->inertia = (fa_sym3){I[0], I[1], I[2], I[3], I[4], I[5]};
    link->wrench = is(e, "wrench", "true");
    link->as_published = is(e, "inertia-as-published", "true");
    return status;
}

static fa_joint_type type_of(const fa_xml_element *e)
{
    const fa_xml_attribute *type = fa_xml_find(e, "type");
    fa_joint_type           found = FA_REVOLUTE; // what is continuous is one as well
    if (type) (void)fa_joint_type_named(type->value, &found);
    if (type && strcmp(type->value, "ball") == 0) found = FA_SPHERICAL; // SDF's word
    return found;
}

static fa_status read_pitch(const arm *a, const fa_xml_element *e, fa_joint *joint)
{
    const fa_xml_attribute *pitch = fa_xml_find(e, "pitch");
    if (joint->type != FA_SCREW && pitch)
        return fa_fail(a->error, FA_BAD_INPUT, a->xml->path, pitch->place,
                       "joint '%s' is no screw and has no pitch; remove it", joint->name);
    if (joint->type != FA_SCREW) return FA_OK;
    if (!pitch)
        return fa_fail(a->error, FA_BAD_INPUT, a->xml->path, e->place,
                       "joint '%s' is a screw and has no pitch; add pitch=\"…\", in metres for a "
                       "turn",
                       joint->name);
    return fa_read_number(a->xml, e, "pitch", &joint->pitch, FA_REQUIRED, a->error);
}

static fa_status read_element(const arm *a, const fa_xml_element *e, fa_link *link)
{
    fa_joint *joint = &link->joint;
    joint->place = e->place;
    joint->type = type_of(e);
    fa_status status = fa_read_name(a->xml, e, "name", joint->name, a->error);
    if (status == FA_OK) status = read_parameters(a, e, link);
    if (status == FA_OK) status = read_pitch(a, e, joint);
    if (status == FA_OK)
        status = fa_joint_elements_read(a->xml, e, a->angle, a->log, joint, a->error);
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
    const fa_xml_element *ground = fa_xml_child(root, "base");
    if (ground && is(ground, "motion", "true")) robot->base_motion = true;
    const fa_xml_element *e = fa_xml_child(root, "joint");
    for (int i = 1; e && status == FA_OK; e = fa_xml_next(e->next, "joint"), i++) {
        robot->link[i].parent = i - 1;
        status = read_element(a, e, &robot->link[i]);
    }
    robot->tip_link = robot->n_links - 1;
    if (status == FA_OK) status = read_place(a, "tip", &robot->tip);
    return status;
}

fa_status fa_arm_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error)
{
    arm a = {.xml = xml, .log = log, .error = error, .angle = 1};
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
    if (status == FA_OK) status = fa_cylinders_read(xml, xml->root, a.log, robot, error);
    if (status == FA_OK) status = fa_circuit_read(xml, xml->root, robot, error);
    if (status == FA_OK) status = fa_own_loops_read(xml, xml->root, robot, error);
    if (status == FA_OK) status = fa_touches_read(xml, xml->root, a.angle, robot, error);
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
    }
    return status;
}
