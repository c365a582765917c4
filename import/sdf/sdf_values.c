// Values that stand as text of elements: numbers, vectors, poses.
#include <math.h>
#include <string.h>

#include "number.h"
#include "sdf.h"

fa_status fa_sdf_no_memory(const fa_sdf *s)
{
    return fa_form_no_memory(s->form, s->error);
}

const char *fa_sdf_text(const fa_xml_element *e)
{
    return e && e->content ? e->content : "";
}

const char *fa_sdf_child_text(const fa_xml_element *e, const char *name)
{
    return fa_sdf_text(fa_xml_child(e, name));
}

fa_status fa_sdf_number(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *e,
                        const char *name, double *value)
{
    const fa_xml_element *child = fa_xml_child(e, name);
    return child ? fa_read_content(xml, child, 1, value, true, s->error) : FA_OK;
}

fa_status fa_sdf_vec3(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *e, const char *name,
                      fa_vec3 *value)
{
    const fa_xml_element *child = fa_xml_child(e, name);
    double                v[3];
    if (!child) return FA_OK;
    const fa_status status = fa_read_content(xml, child, 3, v, false, s->error);
    if (status == FA_OK) *value = vec3(v[0], v[1], v[2]);
    return status;
}

static bool says_true(const char *text)
{
    return strcmp(text, "1") == 0 || strcmp(text, "true") == 0 || strcmp(text, "True") == 0;
}

bool fa_sdf_is_true(const fa_xml_element *e, const char *name)
{
    return says_true(fa_sdf_child_text(e, name));
}

// Reads <static>; an <include> overrides the model.
bool fa_sdf_is_static(const fa_xml_element *model, const fa_xml_element *include)
{
    if (include && fa_xml_child(include, "static")) return fa_sdf_is_true(include, "static");
    return fa_sdf_is_true(model, "static");
}

// Behind three numbers of a place come roll, pitch and yaw, or a quaternion x y z w.
fa_status fa_sdf_pose(const fa_sdf *s, const fa_xml *xml, const fa_xml_element *pose,
                      fa_transform *X)
{
    *X = transform_identity();
    if (!pose || !pose->content) return FA_OK;
    const fa_xml_attribute *format = fa_xml_find(pose, "rotation_format");
    const fa_xml_attribute *degrees = fa_xml_find(pose, "degrees");
    const bool              quaternion = format && strcmp(format->value, "quat_xyzw") == 0;
    double                  v[7];
    if (format && !quaternion && strcmp(format->value, "euler_rpy") != 0)
        return FA_SDF_FAIL(xml, format->value_place,
                           "rotation_format '%.60s' of %s is not known; write euler_rpy or "
                           "quat_xyzw",
                           format->value, fa_xml_about(pose).text);
    const fa_status status = fa_read_content(xml, pose, quaternion ? 7 : 6, v, false, s->error);
    if (status != FA_OK) return status;
    X->r = vec3(v[0], v[1], v[2]);
    if (!quaternion) {
        const double  unit = degrees && says_true(degrees->value) ? acos(-1) / 180 : 1;
        const fa_vec3 rpy = vec3(unit * v[3], unit * v[4], unit * v[5]);
        if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) X->E = fa_rotation_rpy(rpy);
        return FA_OK;
    }
    const double norm = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (!(norm > 0) || isinf(norm))
        return FA_SDF_FAIL(xml, pose->text,
                           "the quaternion of %s has no direction; 0 0 0 1 is no rotation",
                           fa_xml_about(pose).text);
    X->E =
        fa_rotation_quaternion((fa_quaternion){v[6] / norm, v[3] / norm, v[4] / norm, v[5] / norm});
    return FA_OK;
}
