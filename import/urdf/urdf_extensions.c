// Reads extensions of URDF for single joints and links: <gazebo reference>, <transmission> with its
// rotors (Drake); warns of unsupported ones. Loops are in urdf_loops.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "number.h"
#include "urdf.h"
#include "values.h"

// The joint of the form that is called so; NULL: none, or one that closes a loop.
static fa_form_joint *joint_of(const fa_urdf *u, const char *name)
{
    const int found = fa_names_find(&u->tree.joint_names, name);
    if (found < 0 || u->tree.holder[u->tree.child[found]] != found) return NULL;
    const int index = u->tree.rank[u->tree.child[found]] - 1; // the base is carried by none
    return index >= 0 && index < u->form->n_joints ? &u->form->joint[index] : NULL;
}

// The name behind a namespace's prefix, which files choose as they like.
static const fa_xml_element *local_child(const fa_xml_element *parent, const char *name)
{
    for (const fa_xml_element *e = parent->first; e; e = e->next) {
        const char *colon = strchr(e->name, ':');
        if (strcmp(colon ? colon + 1 : e->name, name) == 0) return e;
    }
    return NULL;
}

// A number that stands as text or as the attribute value, as both do; absent: nothing changes.
static fa_status read_number(const fa_urdf *u, const fa_xml_element *parent, const char *name,
                             double *value)
{
    const fa_xml_element *e = local_child(parent, name);
    if (!e) return FA_OK;
    if (fa_xml_find(e, "value"))
        return fa_read_number(u->xml, e, "value", value, FA_REQUIRED, u->error);
    return fa_read_content(u->xml, e, 1, value, false, u->error);
}

static bool says(const fa_xml_element *parent, const char *name, bool wanted)
{
    const fa_xml_element *e = fa_xml_child(parent, name);
    if (!e) return false;
    const fa_xml_attribute *value = fa_xml_find(e, "value");
    const char             *text = value ? value->value : e->content ? e->content : "";
    const bool              is_true = strcmp(text, "true") == 0 || strcmp(text, "1") == 0 ||
                         strcmp(text, "True") == 0 || strcmp(text, "TRUE") == 0;
    return text[0] && is_true == wanted;
}

// ------------------------------------------------------------------------------------------ gazebo

// Reads a joint's spring, and whether gravity acts on a link; other settings are a simulator's.
static fa_status read_gazebo(const fa_urdf *u, const fa_xml_element *e)
{
    const fa_xml_attribute *name = fa_xml_find(e, "reference");
    if (!name) return FA_OK;
    fa_form_joint *joint = joint_of(u, name->value);
    if (joint && joint->type != FA_FORM_FIXED) {
        fa_form_spring *spring = &joint->spring;
        fa_status       status = read_number(u, e, "springStiffness", &spring->stiffness);
        if (status == FA_OK) status = read_number(u, e, "springReference", &spring->rest);
        spring->at = FA_URDF_AT(u, e->place);
        if (status != FA_OK) return status;
    }
    const int link = fa_names_find(&u->tree.link_names, name->value);
    if (link >= 0 && (says(e, "turnGravityOff", true) || says(e, "gravity", false)))
        u->form->link[u->tree.rank[link]].gravity = 0;
    return FA_OK;
}

// A joint with a command interface is one that something drives.
static void read_ros2_control(const fa_urdf *u, const fa_xml_element *e)
{
    for (const fa_xml_element *j = fa_xml_child(e, "joint"); j; j = fa_xml_next(j->next, "joint")) {
        const fa_xml_attribute *name = fa_xml_find(j, "name");
        fa_form_joint          *joint = name ? joint_of(u, name->value) : NULL;
        if (joint && fa_xml_child(j, "command_interface")) joint->actuated = true;
    }
}

// ------------------------------------------------------------------------------------ transmission

// Drake: the rotor's own inertia, and its turns per turn of the joint. Others say a reduction and
// no inertia, which alone changes nothing.
static fa_status read_transmission(const fa_urdf *u, const fa_xml_element *e)
{
    const fa_xml_element *named = fa_xml_child(e, "joint"), *actuator = fa_xml_child(e, "actuator");
    const fa_xml_attribute *name = named ? fa_xml_find(named, "name") : NULL;
    fa_form_joint          *joint = name ? joint_of(u, name->value) : NULL;
    double                  inertia = 0, gear = 1, reduction = 1;
    if (!joint || joint->type == FA_FORM_FIXED) return FA_OK;
    fa_status status = FA_OK;
    if (actuator) {
        status = read_number(u, actuator, "rotor_inertia", &inertia);
        if (status == FA_OK) status = read_number(u, actuator, "gear_ratio", &gear);
        if (status == FA_OK && local_child(actuator, "mechanicalReduction"))
            status = read_number(u, actuator, "mechanicalReduction", &reduction);
    }
    if (status == FA_OK && local_child(e, "mechanicalReduction"))
        status = read_number(u, e, "mechanicalReduction", &reduction);
    if (status != FA_OK) return status;
    joint->reduction = reduction;
    if (inertia == 0) return FA_OK;
    joint->rotor.at = FA_URDF_AT(u, actuator->place);
    joint->rotor.inertia = inertia;
    joint->rotor.gear = gear;
    return FA_OK;
}

// --------------------------------------------------------------------------------------------
// hints

// onshape-to-robot marks the two ends of a loop by links closing_x_1 and closing_x_2.
static void tell_of_closings(const fa_urdf *u)
{
    for (int i = 0; i < u->form->n_links; i++) {
        const char  *name = u->form->link[i].name;
        const size_t n = strlen(name);
        char         other[FA_NAME_SIZE];
        if (strncmp(name, "closing_", 8) != 0 || n < 10 || strcmp(name + n - 2, "_1") != 0)
            continue;
        (void)snprintf(other, sizeof other, "%s", name);
        other[n - 1] = '2';
        const int twin = fa_names_find(&u->tree.link_names, other);
        if (twin < 0) continue;
        FA_URDF_WARN(u, u->form->link[i].at.place,
                     "links '%s' and '%s' mark a loop that the file leaves open; a side file "
                     "closes it: <loop name=\"%.*s\" type=\"spherical\" from=\"%s\" to=\"%s\"/>",
                     name, other, (int)(n - 2), name, name, other);
    }
}

fa_status fa_urdf_extensions(const fa_urdf *u)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *e = u->xml->root->first; e && status == FA_OK; e = e->next) {
        if (strcmp(e->name, "gazebo") == 0) status = read_gazebo(u, e);
        if (strcmp(e->name, "transmission") == 0) status = read_transmission(u, e);
        if (strcmp(e->name, "ros2_control") == 0) read_ros2_control(u, e);
    }
    const fa_xml_element   *mujoco = fa_xml_child(u->xml->root, "mujoco");
    const fa_xml_element   *compiler = mujoco ? fa_xml_child(mujoco, "compiler") : NULL;
    const fa_xml_attribute *balance = compiler ? fa_xml_find(compiler, "balanceinertia") : NULL;
    if (balance && strcmp(balance->value, "true") == 0)
        FA_URDF_WARN(u, balance->place,
                     "balanceinertia makes MuJoCo change inertias that no body has; here they are "
                     "used as they are");
    if (status == FA_OK) tell_of_closings(u);
    return status;
}

// In <dynamics>: a spring where the file has one; other words beside damping and friction, such as
// those of the PR2, are not of the format.
fa_status fa_urdf_spring(const fa_urdf *u, const fa_xml_element *dynamics, fa_form_joint *joint)
{
    fa_list   unknown = {.used = 0};
    fa_status status = fa_read_number(u->xml, dynamics, "spring_stiffness",
                                      &joint->spring.stiffness, FA_OPTIONAL, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, dynamics, "spring_reference", &joint->spring.rest,
                                FA_OPTIONAL, u->error);
    joint->spring.at = FA_URDF_AT(u, dynamics->place);
    for (const fa_xml_attribute *a = dynamics->attributes; a; a = a->next) {
        static const char *const known[] = {"damping", "friction", "spring_stiffness",
                                            "spring_reference"};
        bool                     is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known |= strcmp(a->name, known[i]) == 0;
        if (!is_known) fa_list_add(&unknown, a->name);
    }
    if (unknown.used)
        FA_URDF_WARN(u, dynamics->place,
                     "<dynamics> of joint '%s' has %s, which URDF does not have; they are left out",
                     joint->name, fa_list_text(&unknown));
    return status;
}
