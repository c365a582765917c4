// <loop> and <independent> of our own XML: closed loops of an <arm>, or of a robot whose side file
// has them. The schema is the reference of the format.
#include <math.h>
#include <string.h>

#include "formats.h"
#include "robot_loops.h"
#include "values.h"

typedef struct reader {
    const fa_xml *xml;
    fa_error     *error;
} reader;

#define FAIL(r, place, ...) fa_fail((r)->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

// Reads one end: a link by its name, and the loop's frame on it.
static fa_status read_end(const reader *r, const fa_xml_element *e, const char *const word[3],
                          const fa_robot *robot, int *link, fa_transform *frame)
{
    fa_vec3   rpy = {0, 0, 0};
    fa_status status = fa_read_link(r->xml, e, word[0], robot, link, r->error);
    if (status != FA_OK) return status;
    status = fa_read_vec3(r->xml, e, word[1], &frame->r, FA_OPTIONAL, r->error);
    if (status == FA_OK) status = fa_read_vec3(r->xml, e, word[2], &rpy, FA_OPTIONAL, r->error);
    if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) frame->E = fa_rotation_rpy(rpy);
    return status;
}

static fa_status read_axis(const reader *r, const fa_xml_element *e, const char *word,
                           fa_vec3 *direction)
{
    fa_status status = fa_read_vec3(r->xml, e, word, direction, FA_OPTIONAL, r->error);
    if (status != FA_OK || !fa_xml_find(e, word)) return status;
    const double length = vec3_norm(*direction);
    if (!(length > 0) || isinf(length))
        return FAIL(
            r, fa_xml_find(e, word)->value_place,
            "the %s of %s is 0 0 0 and has no direction; write the axis that it turns about "
            "or slides along",
            word, fa_xml_about(e).text);
    *direction = vec3_scale(1 / length, *direction);
    return FA_OK;
}

static fa_status read_loop(const reader *r, const fa_xml_element *e, const fa_robot *robot,
                           fa_loop *loop)
{
    static const char *const from[] = {"from", "from-xyz", "from-rpy"};
    static const char *const to[] = {"to", "to-xyz", "to-rpy"};
    const fa_xml_attribute  *type = fa_xml_find(e, "type"), *length = fa_xml_find(e, "length");
    loop->place = e->place;
    fa_status status = fa_read_name(r->xml, e, "name", loop->name, r->error);
    if (status == FA_OK &&
        (!type || !fa_loop_type_named(type->value, &loop->type) || loop->type == FA_LOOP_RELATION))
        return FAIL(r, type ? type->value_place : e->place,
                    "%s has the type '%.60s'; it can be fixed, revolute, continuous, prismatic, "
                    "cylindrical, spherical, universal, planar, distance or coupling",
                    fa_xml_about(e).text, type ? type->value : "");
    if (status == FA_OK) status = read_end(r, e, from, robot, &loop->from, &loop->from_frame);
    if (status == FA_OK) status = read_end(r, e, to, robot, &loop->to, &loop->to_frame);
    if (status == FA_OK) status = read_axis(r, e, "axis", &loop->axis);
    if (status == FA_OK) status = read_axis(r, e, "axis2", &loop->second);
    if (status == FA_OK)
        status = fa_read_number(r->xml, e, "length", &loop->length, FA_OPTIONAL, r->error);
    if (status == FA_OK)
        status = fa_read_number(r->xml, e, "ratio", &loop->ratio, FA_OPTIONAL, r->error);
    if (status == FA_OK && loop->type == FA_LOOP_DISTANCE && !length)
        return FAIL(r, e->place, "%s keeps a distance and has no length; add length=\"…\" [m]",
                    fa_xml_about(e).text);
    return status;
}

fa_status fa_own_loops_read(const fa_xml *xml, const fa_xml_element *parent, fa_robot **robot,
                            fa_error *error)
{
    const reader r = {xml, error};
    const int    before = (*robot)->n_loops;
    int          n = before;
    for (const fa_xml_element *e = fa_xml_child(parent, "loop"); e;
         e = fa_xml_next(e->next, "loop"))
        n++;
    fa_status status = fa_read_number(xml, parent, "loop-tolerance", &(*robot)->loop_tolerance,
                                      FA_OPTIONAL, error);
    if (status != FA_OK) return status;
    if (n > before) {
        fa_robot *with = fa_robot_with_loops(*robot, n);
        if (!with)
            return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                           "there is not enough memory for %d loops", n);
        *robot = with;
    }
    fa_loop *loop = fa_robot_loops(*robot) + before;
    for (const fa_xml_element *e = fa_xml_child(parent, "loop"); e && status == FA_OK;
         e = fa_xml_next(e->next, "loop"))
        status = read_loop(&r, e, *robot, loop++);
    const fa_xml_element *wish = fa_xml_child(parent, "independent");
    if (status != FA_OK || !wish) return status;
    const fa_xml_attribute *joints = fa_xml_find(wish, "joints");
    if (!joints)
        return FAIL(&r, wish->place,
                    "<independent> has no joints; add joints=\"…\" with their names");
    status = fa_robot_set_independent(*robot, joints->value, error);
    if (status != FA_OK && error) {
        (void)strncpy(error->file, xml->path, sizeof error->file - 1);
        error->place = joints->value_place;
    }
    return status;
}
