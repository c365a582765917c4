// Reads a joint: its two links, its pose and its axes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdf.h"

typedef struct kind {
    const char *name;
    int         axes;
} kind;

static const kind kinds[] = {{"revolute", 1},  {"prismatic", 1}, {"continuous", 1},
                             {"fixed", 0},     {"ball", 0},      {"universal", 2},
                             {"revolute2", 2}, {"screw", 1},     {"gearbox", 2}};

bool fa_sdf_is_gearbox(const fa_sdf_joint *joint)
{
    return strcmp(joint->type, "gearbox") == 0;
}

static fa_status read_type(const fa_sdf *s, const fa_xml *xml, fa_sdf_joint *joint)
{
    const fa_xml_attribute *type = fa_xml_find(joint->e, "type");
    if (!type)
        return FA_SDF_FAIL(xml, joint->e->place, "joint '%s' has no type; add type=\"revolute\"",
                           joint->name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type->value, kinds[i].name) == 0) {
            joint->type = kinds[i].name;
            joint->n_axes = kinds[i].axes;
            return FA_OK;
        }
    return FA_SDF_FAIL(xml, type->value_place,
                       "joint '%s' has the type '%.60s', which SDFormat does not have; its types "
                       "are revolute, prismatic, continuous, fixed, ball, universal, revolute2, "
                       "screw and gearbox",
                       joint->name, type->value);
}

// The node of the link at one end; FA_SDF_OWN: the world.
static fa_status read_end(fa_sdf *s, const fa_xml *xml, const fa_sdf_joint *joint, const char *end,
                          int *node)
{
    const fa_xml_element *e = fa_xml_child(joint->e, end);
    fa_sdf_frame          frame;
    if (!e || !e->content)
        return FA_SDF_FAIL(xml, e ? e->place : joint->e->place,
                           "joint '%s' names no %s; write <%s>LINK</%s>", joint->name, end, end,
                           end);
    fa_status status = fa_sdf_resolve(s, joint->scope, e->content, xml, e, &frame);
    if (status == FA_OK) status = fa_sdf_link_of(s, frame, xml, e, node);
    return status;
}

// ------------------------------------------------------------------------------------------- axes

// Up to 1.4 in the model's frame; 1.5 and 1.6 in the joint's unless they say the model's; then in
// the joint's or in one that is named.
static fa_status axis_frame(fa_sdf *s, const fa_xml *xml, const fa_xml_element *axis,
                            const fa_xml_element *xyz, int scope, fa_sdf_frame *frame)
{
    const fa_xml_attribute *in = xyz ? fa_xml_find(xyz, "expressed_in") : NULL;
    const int               minor = s->scope[scope].minor;
    if (!in || !in->value[0]) { // which files of 1.6 have already
        const bool parent = fa_sdf_is_true(axis, "use_parent_model_frame");
        if (minor <= 4 || (minor <= 6 && parent)) *frame = (fa_sdf_frame){scope, FA_SDF_OWN};
        return FA_OK;
    }
    return fa_sdf_resolve(s, scope, in->value, xml, xyz, frame);
}

static fa_status read_axis(fa_sdf *s, const fa_xml *xml, int node, fa_sdf_joint *joint, int k)
{
    const fa_xml_element *axis = fa_xml_child(joint->e, k ? "axis2" : "axis");
    const fa_xml_element *xyz = axis ? fa_xml_child(axis, "xyz") : NULL;
    fa_sdf_frame          frame = {joint->scope, node};
    fa_vec3               v = vec3(0, 0, 1);
    fa_transform          to_frame, to_joint;
    joint->axis[k] = v;
    if (!axis) {
        FA_SDF_WARN(xml, joint->e->place, "joint '%s' has no <%s>; it is 0 0 1, as SDFormat has it",
                    joint->name, k ? "axis2" : "axis");
        return FA_OK;
    }
    fa_status status = fa_sdf_vec3(s, xml, axis, "xyz", &v);
    if (status == FA_OK) status = axis_frame(s, xml, axis, xyz, joint->scope, &frame);
    if (status == FA_OK) status = fa_sdf_where(s, joint->scope, frame, &to_frame);
    if (status == FA_OK)
        status = fa_sdf_where(s, joint->scope, (fa_sdf_frame){joint->scope, node}, &to_joint);
    if (status != FA_OK) return status;
    const double length = vec3_norm(v);
    if (!(length > 0) || isinf(length))
        return FA_SDF_FAIL(xml, xyz ? xyz->text : axis->place,
                           "the axis of joint '%s' has no direction; write one, such as 0 0 1",
                           joint->name);
    if (frame.node != node) v = mat3_mul(to_joint.E, mat3_tmul(to_frame.E, v));
    joint->axis[k] = vec3_scale(1 / vec3_norm(v), v);
    return FA_OK;
}

// ------------------------------------------------------------------------------------- the joint

static fa_status read_ends(fa_sdf *s, const fa_xml *xml, int node, fa_sdf_joint *joint)
{
    const fa_sdf_frame own = {joint->scope, node};
    int                parent = FA_SDF_OWN, child = FA_SDF_OWN;
    fa_transform       X = transform_identity(), end = X;
    fa_status          status = read_end(s, xml, joint, "parent", &parent);
    if (status == FA_OK) status = read_end(s, xml, joint, "child", &child);
    if (status != FA_OK) return status;
    if (child == FA_SDF_OWN)
        return FA_SDF_FAIL(xml, fa_xml_child(joint->e, "child")->place,
                           "joint '%s' has the world as its child, and the world carries; exchange "
                           "parent and child",
                           joint->name);
    if (child == parent)
        return FA_SDF_FAIL(xml, joint->e->place,
                           "joint '%s' ties link '%s' to itself; a joint is between two links",
                           joint->name, s->node[child].name);
    joint->parent = parent == FA_SDF_OWN ? FA_FORM_NOBODY : s->node[parent].index;
    joint->child = s->node[child].index;
    status = fa_sdf_where(s, FA_SDF_WORLD_SCOPE, own, &joint->X_world);
    // Within one model no error of the way to the world comes in.
    const int from = parent == FA_SDF_OWN ? FA_SDF_WORLD_SCOPE : joint->scope;
    if (status == FA_OK) status = fa_sdf_where(s, from, own, &X);
    joint->X_parent = X;
    if (status == FA_OK && parent != FA_SDF_OWN) {
        status = fa_sdf_where(s, from, (fa_sdf_frame){s->node[parent].scope, parent}, &end);
        joint->X_parent = transform_compose(transform_inverse(end), X);
    }
    if (status == FA_OK) status = fa_sdf_where(s, joint->scope, own, &X);
    if (status == FA_OK)
        status = fa_sdf_where(s, joint->scope, (fa_sdf_frame){s->node[child].scope, child}, &end);
    if (status == FA_OK) joint->X_child = transform_compose(transform_inverse(X), end);
    return status;
}

fa_status fa_sdf_joint_read(fa_sdf *s, int node)
{
    const fa_sdf_node *n = &s->node[node];
    const fa_xml      *xml = s->scope[n->scope].xml;
    fa_sdf_joint       joint = {.scope = n->scope, .e = n->e, .at = {xml->path, n->e->place}};
    joint.joint[0] = joint.joint[1] = FA_FORM_NOBODY;
    joint.X_parent = joint.X_child = joint.X_world = transform_identity();
    fa_status status = fa_sdf_full_name(s, node, joint.name);
    if (status == FA_OK) status = read_type(s, xml, &joint);
    if (status == FA_OK) status = read_ends(s, xml, node, &joint);
    for (int k = 0; k < joint.n_axes && status == FA_OK; k++)
        status = read_axis(s, xml, node, &joint, k);
    if (status != FA_OK) return status;
    s->node[node].index = s->n_joints;
    s->joint[s->n_joints++] = joint;
    return FA_OK;
}
