// <actuators for="robot">, or <mechanism>: what drives, brakes and stops the joints of a robot
// whose own file has no words for it, such as a URDF.
#include <string.h>

#include "formats.h"
#include "joint_elements.h"
#include "names.h"
#include "robot_joint.h"
#include "values.h"

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

static fa_status find_joint(const fa_xml *xml, const fa_xml_element *e, const fa_robot *robot,
                            int *link, fa_error *error)
{
    char        name[FA_NAME_SIZE];
    const char *nearest = NULL;
    int         best = 0;
    fa_status   status = fa_read_name(xml, e, "name", name, error);
    if (status != FA_OK) return status;
    *link = fa_robot_find_joint(robot, name);
    if (*link != FA_NOBODY && robot->link[*link].joint.type != FA_FIXED) return FA_OK;
    if (*link != FA_NOBODY)
        return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                       "joint '%s' of robot '%s' is fixed, so nothing can act at it; remove this "
                       "element",
                       name, robot->name);
    for (int i = 0; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED) continue;
        int apart = fa_words_apart(name, robot->link[i].joint.name);
        if (nearest && apart >= best) continue;
        best = apart;
        nearest = robot->link[i].joint.name;
    }
    return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                   "robot '%s' has no joint '%s' that moves%s%s%s", robot->name, name,
                   nearest ? "; the nearest name is '" : "", nearest ? nearest : "",
                   nearest ? "'" : "");
}

// One element for each joint: of two, the second would silently change what the first one says.
static fa_status check_once(const fa_xml *xml, const fa_xml_element *e, fa_error *error)
{
    const char *name = fa_xml_find(e, "name")->value;
    for (const fa_xml_element *before = fa_xml_child(xml->root, "joint"); before != e;
         before = fa_xml_next(before->next, "joint"))
        if (strcmp(fa_xml_find(before, "name")->value, name) == 0)
            return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                           "joint '%.60s' is here a second time, after line %d; put all that it "
                           "has into one element",
                           name, before->place.line);
    return FA_OK;
}

// The joint must be valid with the side file's data, if it was without them: the error then names
// the side file, and the place in it.
static fa_status read_joint(const fa_xml *xml, const fa_xml_element *e, double angle,
                            const fa_log *log, fa_joint *joint, fa_error *error)
{
    const bool sound = fa_joint_check(joint, xml->path, error) == FA_OK;
    fa_status  status = fa_joint_elements_read(xml, e, angle, log, joint, error);
    if (status != FA_OK || !sound) return status;
    fa_joint here = *joint;
    here.place = e->place;
    return fa_joint_check(&here, xml->path, error);
}

// <stops/>, or <stops stiffness damping/>: of all joints with limits and no stop of their own.
static fa_status read_stops(const fa_xml *xml, fa_stops *stops, fa_error *error)
{
    const fa_xml_element *e;
    fa_status             status = fa_read_child(xml, xml->root, "stops", FA_OPTIONAL, &e, error);
    if (status != FA_OK || !e) return status;
    *stops = (fa_stops){.asked = true, .chosen = !fa_xml_find(e, "stiffness")};
    if (stops->chosen && fa_xml_find(e, "damping"))
        return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                       "<stops> has a damping and no stiffness; give it both, or neither, so that "
                       "they are chosen");
    status = fa_read_number(xml, e, "stiffness", &stops->stiffness, FA_OPTIONAL, error);
    if (status == FA_OK)
        status = fa_read_number(xml, e, "damping", &stops->damping, FA_OPTIONAL, error);
    if (status != FA_OK || stops->chosen || stops->stiffness > 0) return status;
    return fa_fail(error, FA_BAD_INPUT, xml->path, fa_xml_find(e, "stiffness")->value_place,
                   "the stiffness of <stops> must be above zero");
}

static fa_status read_all(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_stops *stops,
                          fa_error *error)
{
    const fa_xml_element   *root = xml->root;
    const fa_xml_attribute *unit = fa_xml_find(root, "angle-unit");
    const double angle = unit && strcmp(unit->value, "deg") == 0 ? RADIANS_PER_DEGREE : 1;
    const char  *meant = fa_xml_find(root, "for")->value;
    if (strcmp(meant, (*robot)->name) != 0)
        return fa_fail(error, FA_BAD_INPUT, xml->path, fa_xml_find(root, "for")->value_place,
                       "these actuators are for the robot '%.60s', and this one is called '%s'; "
                       "take the file that belongs to it, or change the name",
                       meant, (*robot)->name);
    fa_status gravity = fa_read_vec3(xml, root, "gravity", &(*robot)->gravity, FA_OPTIONAL, error);
    if (gravity != FA_OK) return gravity;
    for (const fa_xml_element *e = fa_xml_child(root, "joint"); e;
         e = fa_xml_next(e->next, "joint")) {
        int       link;
        fa_status status = find_joint(xml, e, *robot, &link, error);
        if (status == FA_OK) status = check_once(xml, e, error);
        if (status == FA_OK)
            status = read_joint(xml, e, angle, log, &(*robot)->link[link].joint, error);
        if (status != FA_OK) return status;
    }
    fa_status status = read_stops(xml, stops, error);
    if (status == FA_OK) status = fa_own_loops_read(xml, root, robot, error);
    if (status == FA_OK) status = fa_cylinders_read(xml, root, log, robot, error);
    if (status == FA_OK) status = fa_circuit_read(xml, root, robot, error);
    return status == FA_OK ? fa_touches_read(xml, root, angle, robot, error) : status;
}

fa_status fa_actuators_read(const char *path, const fa_log *log, fa_robot **robot, fa_stops *stops,
                            fa_error *error)
{
    fa_xml   *xml;
    fa_status status = fa_xml_load(path, log, &xml, error);
    if (status != FA_OK) return status;
    if (strcmp(xml->root->name, "actuators") != 0 && strcmp(xml->root->name, "mechanism") != 0)
        status = fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                         "the root element is <%.60s>, and a file for --actuators has <actuators> "
                         "or <mechanism>",
                         xml->root->name);
    if (status == FA_OK) status = fa_schema_check(xml, error);
    if (status == FA_OK) status = read_all(xml, log, robot, stops, error);
    fa_xml_free(xml);
    return status;
}
