// Attributes of MJCF: lists of numbers, words, rotations in their five ways, names.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf.h"
#include "number.h"
#include "values.h"

#define SPACE " \t\r\n"

const char *fa_mjcf_text(const fa_xml_element *e, const char *name)
{
    const fa_xml_attribute *attribute = fa_xml_find(e, name);
    return attribute ? attribute->value : NULL;
}

static int count_words(const char *text)
{
    int n = 0;
    for (text += strspn(text, SPACE); *text; text += strspn(text, SPACE), n++)
        text += strcspn(text, SPACE);
    return n;
}

fa_status fa_mjcf_numbers(const fa_mjcf *m, const fa_xml_element *e, const char *name, int least,
                          int most, double value[], int *n)
{
    const char *text = fa_mjcf_text(e, name);
    *n = text ? count_words(text) : 0;
    if (*n == 0) return FA_OK; // what is empty is absent
    const int wanted = *n < least ? least : *n > most ? most : *n;
    return fa_read_numbers(fa_mjcf_xml(m, e), e, name, wanted, value, FA_REQUIRED, m->error);
}

fa_status fa_mjcf_number(const fa_mjcf *m, const fa_xml_element *e, const char *name, double *value)
{
    return fa_read_number(fa_mjcf_xml(m, e), e, name, value, FA_OPTIONAL, m->error);
}

fa_status fa_mjcf_word(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                       const char *const words[], int *which)
{
    const fa_xml_attribute *attribute = fa_xml_find(e, name);
    fa_list                 known = {.used = 0};
    if (!attribute) return FA_OK;
    for (int i = 0; words[i]; i++) {
        fa_list_add(&known, words[i]);
        if (strcmp(attribute->value, words[i]) != 0) continue;
        *which = i;
        return FA_OK;
    }
    return fa_fail(m->error, FA_BAD_INPUT, fa_mjcf_xml(m, e)->path, attribute->value_place,
                   "%s of %s is '%.60s'; it can be %s", name, fa_xml_about(e).text,
                   attribute->value, fa_list_text(&known));
}

fa_status fa_mjcf_truth_of(const fa_mjcf *m, const fa_xml_element *e, const char *name, bool *is)
{
    static const char *const words[] = {"false", "true", NULL};
    int                      which = *is;
    fa_status                status = fa_mjcf_word(m, e, name, words, &which);
    *is = which == 1;
    return status;
}

// --------------------------------------------------------------------------------- rotations

static fa_status no_direction(const fa_mjcf *m, const fa_xml_element *e, const char *name)
{
    return FA_MJCF_FAIL(m, e, "%s of %s has no direction", name, fa_xml_about(e).text);
}

fa_mat3 fa_mjcf_rotation(double w, double x, double y, double z)
{
    const double norm = sqrt(w * w + x * x + y * y + z * z);
    return fa_rotation_quaternion((fa_quaternion){w / norm, x / norm, y / norm, z / norm});
}

fa_mat3 fa_mjcf_euler(const fa_mjcf *m, const double angle[3])
{
    fa_mat3 E = mat3_identity();
    for (int i = 0; i < 3; i++) {
        const char    letter = m->compiler.sequence[i];
        const bool    fixed = letter >= 'X' && letter <= 'Z'; // axes that do not turn along
        const int     k = letter - (fixed ? 'X' : 'x');
        const fa_vec3 axis = vec3(k == 0, k == 1, k == 2);
        const fa_mat3 turn = fa_rotation_about(axis, angle[i] * m->compiler.angle);
        E = fixed ? mat3_mat3(E, turn) : mat3_mat3(turn, E);
    }
    return E;
}

// Rows of E are the new axes.
static fa_mat3 of_rows(fa_vec3 x, fa_vec3 y, fa_vec3 z)
{
    return (fa_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

static fa_status of_axes(const fa_mjcf *m, const fa_xml_element *e, const double v[6], fa_mat3 *E)
{
    fa_vec3      x = vec3(v[0], v[1], v[2]), y = vec3(v[3], v[4], v[5]);
    const double length = vec3_norm(x);
    if (!(length > 0)) return no_direction(m, e, "xyaxes");
    x = vec3_scale(1 / length, x);
    y = vec3_sub(y, vec3_scale(dot(x, y), x));
    if (!(vec3_norm(y) > 0)) return no_direction(m, e, "xyaxes");
    y = vec3_scale(1 / vec3_norm(y), y);
    *E = of_rows(x, y, cross(x, y));
    return FA_OK;
}

// The shortest turn from z to the direction.
static fa_status of_z(const fa_mjcf *m, const fa_xml_element *e, const double v[3], fa_mat3 *E)
{
    const fa_vec3 z = vec3(v[0], v[1], v[2]);
    const double  across = hypot(z.x, z.y);
    if (!(vec3_norm(z) > 0)) return no_direction(m, e, "zaxis");
    const fa_vec3 axis = across > 0 ? vec3(-z.y / across, z.x / across, 0) : vec3(1, 0, 0);
    *E = fa_rotation_about(axis, atan2(across, z.z));
    return FA_OK;
}

fa_status fa_mjcf_pose(const fa_mjcf *m, const fa_xml_element *e, fa_transform *X)
{
    const struct {
        const char *name;
        int         n;
    } way[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
    double    v[6] = {0};
    int       n, said = -1;
    fa_status status = fa_mjcf_numbers(m, e, "pos", 3, 3, v, &n);
    if (status == FA_OK && n > 0) X->r = vec3(v[0], v[1], v[2]);
    for (int k = 0; k < 5 && status == FA_OK; k++) {
        if (!fa_xml_find(e, way[k].name)) continue;
        if (said >= 0)
            return FA_MJCF_FAIL(m, e, "%s has both %s and %s; keep one of them",
                                fa_xml_about(e).text, way[said].name, way[k].name);
        said = k;
        status = fa_mjcf_numbers(m, e, way[k].name, way[k].n, way[k].n, v, &n);
    }
    if (status != FA_OK || said < 0) return status;
    if (said == 0) {
        if (!(hypot(hypot(v[0], v[1]), hypot(v[2], v[3])) > 0)) return no_direction(m, e, "quat");
        X->E = fa_mjcf_rotation(v[0], v[1], v[2], v[3]);
    } else if (said == 1) {
        const fa_vec3 axis = vec3(v[0], v[1], v[2]);
        if (!(vec3_norm(axis) > 0)) return no_direction(m, e, "axisangle");
        X->E = fa_rotation_about(vec3_scale(1 / vec3_norm(axis), axis), v[3] * m->compiler.angle);
    } else if (said == 2) {
        X->E = fa_mjcf_euler(m, v);
    } else {
        return said == 3 ? of_axes(m, e, v, &X->E) : of_z(m, e, v, &X->E);
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------- names

fa_status fa_mjcf_name(const fa_mjcf *m, const fa_xml_element *e, const char *what, int number,
                       const char *suffix, char name[FA_NAME_SIZE])
{
    const char *own = fa_mjcf_text(e, "name");
    int         size;
    memset(name, 0, FA_NAME_SIZE);
    if (own && own[0])
        size = snprintf(name, FA_NAME_SIZE, "%s%s", own, suffix);
    else
        size = snprintf(name, FA_NAME_SIZE, "%s_%d", what, number);
    if (size < FA_NAME_SIZE) return FA_OK;
    return FA_MJCF_FAIL(m, e, "the name of %s has %d bytes; %d are the most", fa_xml_about(e).text,
                        size, FA_NAME_SIZE - 1);
}
