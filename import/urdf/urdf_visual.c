// The <visual> elements of a URDF: primitives, and meshes that lie on this disk.
#include "urdf_visual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"
#include "urdf.h"
#include "values.h"

typedef struct reader {
    const fa_xml           *xml;
    const fa_robot         *robot;
    const fa_log           *log;
    fa_visuals             *visuals;
    size_t                  most_triangles;
    const fa_xacro_options *xacro;             // NULL: as usual
    int                     passed_over;       // meshes that are not drawn
    fa_place                first_passed_over; // and why the first is not
    char                    why[512];
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

// A scale that turns left hands into right ones turns the triangles' sense with it.
static void scale_mesh(fa_mesh *mesh, fa_vec3 scale)
{
    const bool mirrors = scale.x * scale.y * scale.z < 0;
    for (size_t i = 0; i < mesh->n; i++) {
        fa_vec3 *corner = mesh->triangle[i].corner;
        for (int k = 0; k < 3; k++)
            corner[k] = vec3(scale.x * corner[k].x, scale.y * corner[k].y, scale.z * corner[k].z);
        const fa_vec3 second = corner[1];
        corner[1] = mirrors ? corner[2] : second;
        corner[2] = mirrors ? second : corner[2];
    }
}

static bool same_colour(const fa_mesh_part *a, const fa_mesh_part *b)
{
    return a->coloured == b->coloured && a->colour[0] == b->colour[0] &&
           a->colour[1] == b->colour[1] && a->colour[2] == b->colour[2];
}

// All triangles of the colour that a part has become one shape; the parts count no more.
static fa_status add_colour(reader *r, const char *name, fa_mesh *mesh, int part, int link,
                            fa_transform frame)
{
    const fa_mesh_part of = mesh->part[part];
    size_t             n = 0, most = 0;
    for (int i = part; i < mesh->n_parts; i++)
        n += same_colour(&mesh->part[i], &of) ? mesh->part[i].n : 0;
    if (n == 0) return FA_OK;
    fa_triangle *triangle = malloc(n * sizeof *triangle);
    fa_visual   *visual = triangle ? fa_visuals_add(r->visuals, link, FA_VISUAL_MESH) : NULL;
    if (!visual) {
        free(triangle);
        return FA_NO_MEMORY;
    }
    n = 0;
    for (int i = part; i < mesh->n_parts; i++) {
        fa_mesh_part *p = &mesh->part[i];
        if (!same_colour(p, &of)) continue;
        memcpy(triangle + n, mesh->triangle + p->first, p->n * sizeof *triangle);
        n += p->n;
        p->n = 0;
    }
    most = (size_t)ceil((double)r->most_triangles * (double)n / (double)mesh->n); // its share
    visual->frame = frame;
    visual->triangles = triangle;
    visual->n_triangles = fa_triangles_thin(triangle, n, most);
    visual->coloured = of.coloured;
    memcpy(visual->colour, of.colour, sizeof visual->colour);
    snprintf(visual->file, sizeof visual->file, "%s", name);
    return FA_OK;
}

static fa_status add_parts(reader *r, const char *name, fa_mesh *mesh, int link, fa_transform frame)
{
    fa_status status = FA_OK;
    for (int i = 0; i < mesh->n_parts && status == FA_OK; i++)
        status = add_colour(r, name, mesh, i, link, frame);
    return status;
}

static fa_status add_mesh(reader *r, const fa_xml_element *e, int link, fa_transform frame)
{
    const fa_xml_attribute *file = fa_xml_find(e, "filename");
    fa_vec3                 scale = {1, 1, 1};
    char                    path[FA_MESH_PATH_SIZE];
    const char             *why;
    fa_mesh                 mesh;
    fa_error                error = fa_no_error();
    if (!file) return FA_OK;
    if (fa_read_vec3(r->xml, e, "scale", &scale, FA_OPTIONAL, NULL) != FA_OK) return FA_OK;
    if (fa_mesh_place(r->xml->path, file->value, r->xacro, path, &why) != FA_MESH_FOUND)
        return pass_over(r, file, why);
    fa_status status = fa_mesh_read(path, &mesh, &error);
    if (status == FA_NO_MEMORY) return status;
    if (status != FA_OK) return pass_over(r, file, error.message);
    scale_mesh(&mesh, scale);
    status = add_parts(r, file->value, &mesh, link, frame);
    fa_mesh_free(&mesh);
    return status;
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
        for (int i = before; i < r->visuals->n; i++) // a mesh's own colours come first
            if (!r->visuals->of[i].coloured) paint(r, v, &r->visuals->of[i]);
    }
    return FA_OK;
}

// The file as it is read: expanded, if it is one of macros.
static fa_status load(const char *path, const fa_xacro_options *xacro, fa_expansion *expansion,
                      fa_xml **xml, fa_error *error)
{
    char     *text;
    size_t    size;
    fa_status status = fa_source_load(path, &text, &size, error);
    *expansion = (fa_expansion){.text = NULL};
    if (status != FA_OK) return status;
    const bool wanted = fa_xacro_wanted(text, size);
    if (wanted) status = fa_xacro_expand(text, size, path, xacro, NULL, expansion, error);
    if (status == FA_OK)
        status = fa_xml_read(wanted ? expansion->text : text, wanted ? expansion->size : size, path,
                             NULL, xml, error);
    free(text);
    return status;
}

fa_status fa_urdf_visuals(const char *path, const fa_xacro_options *xacro, const fa_robot *robot,
                          size_t most_triangles, const fa_log *log, fa_visuals *visuals,
                          fa_error *error)
{
    fa_xml      *xml;
    fa_expansion expansion;
    fa_status    status = load(path, xacro, &expansion, &xml, error);
    if (status != FA_OK) {
        fa_expansion_free(&expansion);
        return status;
    }
    reader r = {.xml = xml,
                .robot = robot,
                .log = log,
                .visuals = visuals,
                .most_triangles = most_triangles,
                .xacro = xacro};
    if (strcmp(xml->root->name, "robot") == 0)
        for (const fa_xml_element *e = fa_xml_child(xml->root, "link"); e && status == FA_OK;
             e = fa_xml_next(e->next, "link")) {
            const fa_xml_attribute *name = fa_xml_find(e, "name");
            int link = name ? fa_robot_find_link(robot, name->value) : FA_NOBODY;
            if (link != FA_NOBODY) status = read_link(&r, e, link);
        }
    tell_passed_over(&r);
    fa_xml_free(xml);
    fa_expansion_free(&expansion);
    return status;
}
