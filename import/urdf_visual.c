// The <visual> elements of a URDF: primitives, and meshes where they are STL files on this disk.
#include "urdf_visual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"
#include "urdf.h"
#include "values.h"

typedef struct reader {
    const fa_xml   *xml;
    const fa_robot *robot;
    const fa_log   *log;
    fa_visuals     *visuals;
    size_t          most_triangles;
    int             passed_over;       // meshes that are not drawn
    fa_place        first_passed_over; // and why the first is not
    char            why[512];
} reader;

// A number of an attribute; what cannot be read is 0, for the robot has been read and complained
// of.
static double number(const reader *r, const fa_xml_element *e, const char *name)
{
    double value = 0;
    if (fa_read_number(r->xml, e, name, &value, FA_OPTIONAL, NULL) != FA_OK) return 0;
    return value;
}

// ----------------------------------------------------------------------------------------- meshes

static bool ends_in_stl(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && name[n - 4] == '.' && (name[n - 3] | 0x20) == 's' &&
           (name[n - 2] | 0x20) == 't' && (name[n - 1] | 0x20) == 'l';
}

static fa_status pass_over(reader *r, const fa_xml_attribute *file, const char *why)
{
    if (r->passed_over++ > 0) return FA_OK;
    r->first_passed_over = file->value_place;
    snprintf(r->why, sizeof r->why, "the mesh '%.200s' is not drawn: %.200s", file->value, why);
    return FA_OK;
}

static void tell_passed_over(const reader *r)
{
    char more[64] = "";
    if (r->passed_over == 0) return;
    if (r->passed_over > 1) snprintf(more, sizeof more, "; nor are %d others", r->passed_over - 1);
    fa_warn(r->log, r->xml->path, r->first_passed_over, "%s%s", r->why, more);
}

static fa_status add_mesh(reader *r, const fa_xml_element *e, int link, fa_transform frame)
{
    const fa_xml_attribute *file = fa_xml_find(e, "filename");
    fa_vec3                 scale = {1, 1, 1};
    char                    path[FA_MESH_PATH_SIZE];
    const char             *why;
    fa_triangle            *triangles;
    size_t                  n;
    fa_error                error = fa_no_error();
    if (!file) return FA_OK;
    if (fa_read_vec3(r->xml, e, "scale", &scale, FA_OPTIONAL, NULL) != FA_OK) return FA_OK;
    if (!ends_in_stl(file->value)) return pass_over(r, file, "only STL files are read");
    if (fa_mesh_place(r->xml->path, file->value, path, &why) != FA_MESH_FOUND)
        return pass_over(r, file, why);
    fa_status status = fa_mesh_read(path, &triangles, &n, &error);
    if (status == FA_NO_MEMORY) return status;
    if (status != FA_OK) return pass_over(r, file, error.message);
    for (size_t i = 0; i < 3 * n; i++) {
        fa_vec3 *corner = &triangles[i / 3].corner[i % 3];
        *corner = vec3(scale.x * corner->x, scale.y * corner->y, scale.z * corner->z);
    }
    fa_visual *visual = fa_visuals_add(r->visuals, link, FA_VISUAL_MESH);
    if (!visual) {
        free(triangles);
        return FA_NO_MEMORY;
    }
    visual->frame = frame;
    visual->triangles = triangles;
    visual->n_triangles = fa_triangles_thin(triangles, n, r->most_triangles);
    snprintf(visual->file, sizeof visual->file, "%s", file->value);
    return FA_OK;
}

// ----------------------------------------------------------------------------------------- shapes

// The colour of a <material>, by itself or by the name of one at the root.
static void paint(const reader *r, const fa_xml_element *visual, fa_visual *shape)
{
    const fa_xml_element   *material = fa_xml_child(visual, "material");
    const fa_xml_element   *colour = material ? fa_xml_child(material, "color") : NULL;
    const fa_xml_attribute *name = material ? fa_xml_find(material, "name") : NULL;
    for (const fa_xml_element *e = fa_xml_child(r->xml->root, "material"); e && name && !colour;
         e = fa_xml_next(e->next, "material")) {
        const fa_xml_attribute *other = fa_xml_find(e, "name");
        if (other && strcmp(other->value, name->value) == 0) colour = fa_xml_child(e, "color");
    }
    double rgba[4];
    if (!colour || fa_read_numbers(r->xml, colour, "rgba", 4, rgba, FA_REQUIRED, NULL) != FA_OK)
        return;
    shape->coloured = true;
    for (int i = 0; i < 3; i++) shape->colour[i] = fmin(1, fmax(0, rgba[i]));
}

static fa_status add_shape(reader *r, const fa_xml_element *e, int link, fa_transform frame)
{
    fa_visual_kind kind = FA_VISUAL_BOX;
    fa_vec3        size = {0, 0, 0};
    if (strcmp(e->name, "mesh") == 0) return add_mesh(r, e, link, frame);
    if (strcmp(e->name, "box") == 0) {
        if (fa_read_vec3(r->xml, e, "size", &size, FA_REQUIRED, NULL) != FA_OK) return FA_OK;
    } else {
        double radius = number(r, e, "radius");
        bool   sphere = strcmp(e->name, "sphere") == 0;
        if (!sphere && strcmp(e->name, "cylinder") != 0 && strcmp(e->name, "capsule") != 0)
            return FA_OK;
        kind = sphere ? FA_VISUAL_SPHERE : FA_VISUAL_CYLINDER;
        size = vec3(radius, radius, sphere ? radius : number(r, e, "length"));
    }
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return FA_OK;
    fa_visual *shape = fa_visuals_add(r->visuals, link, kind);
    if (!shape) return FA_NO_MEMORY;
    shape->frame = frame;
    shape->size = size;
    return FA_OK;
}

static fa_status read_link(reader *r, const fa_xml_element *e, int link)
{
    const fa_urdf urdf = {.xml = r->xml, .minor = 2};
    for (const fa_xml_element *v = fa_xml_child(e, "visual"); v;
         v = fa_xml_next(v->next, "visual")) {
        const fa_xml_element *holder = fa_xml_child(v, "geometry");
        fa_transform          frame;
        int                   before = r->visuals->n;
        if (!holder || !holder->first || fa_urdf_origin(&urdf, v, &frame) != FA_OK) continue;
        fa_status status = add_shape(r, holder->first, link, frame);
        if (status != FA_OK) return status;
        if (r->visuals->n > before) paint(r, v, &r->visuals->of[before]);
    }
    return FA_OK;
}

fa_status fa_urdf_visuals(const char *path, const fa_robot *robot, size_t most_triangles,
                          const fa_log *log, fa_visuals *visuals, fa_error *error)
{
    fa_xml   *xml;
    fa_status status = fa_xml_load(path, NULL, &xml, error);
    if (status != FA_OK) return status;
    reader r = {.xml = xml,
                .robot = robot,
                .log = log,
                .visuals = visuals,
                .most_triangles = most_triangles};
    if (strcmp(xml->root->name, "robot") == 0)
        for (const fa_xml_element *e = fa_xml_child(xml->root, "link"); e && status == FA_OK;
             e = fa_xml_next(e->next, "link")) {
            const fa_xml_attribute *name = fa_xml_find(e, "name");
            int link = name ? fa_robot_find_link(robot, name->value) : FA_NOBODY;
            if (link != FA_NOBODY) status = read_link(&r, e, link);
        }
    tell_passed_over(&r);
    fa_xml_free(xml);
    return status;
}
