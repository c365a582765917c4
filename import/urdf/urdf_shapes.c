// Shapes of a URDF's links: primitives, and meshes by the names of their files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"
#include "paths.h"
#include "urdf.h"
#include "values.h"

// A number of an attribute; 0: it is not there, or is none.
static double number(const fa_urdf *u, const fa_xml_element *e, const char *name)
{
    double value = 0;
    if (fa_read_number(u->xml, e, name, &value, FA_OPTIONAL, NULL) != FA_OK) return 0;
    return value;
}

// The colour of a <material>, by itself or by the name of one at the root.
static void paint(const fa_urdf *u, const fa_xml_element *visual, fa_form_shape *shape)
{
    const fa_xml_element   *material = fa_xml_child(visual, "material");
    const fa_xml_element   *colour = material ? fa_xml_child(material, "color") : NULL;
    const fa_xml_attribute *name = material ? fa_xml_find(material, "name") : NULL;
    for (const fa_xml_element *e = fa_xml_child(u->xml->root, "material"); e && name && !colour;
         e = fa_xml_next(e->next, "material")) {
        const fa_xml_attribute *other = fa_xml_find(e, "name");
        if (other && strcmp(other->value, name->value) == 0) colour = fa_xml_child(e, "color");
    }
    double rgba[4];
    if (!colour || fa_read_numbers(u->xml, colour, "rgba", 4, rgba, FA_REQUIRED, NULL) != FA_OK)
        return;
    shape->coloured = true;
    for (int i = 0; i < 3; i++) shape->colour[i] = fmin(1, fmax(0, rgba[i]));
}

// MuJoCo's <compiler> in a URDF says which folder meshes are in, whatever folders their names have.
static fa_status find_stripped(const fa_urdf *u, fa_form_shape *shape)
{
    const fa_xml_element   *mujoco = fa_xml_child(u->xml->root, "mujoco");
    const fa_xml_element   *compiler = mujoco ? fa_xml_child(mujoco, "compiler") : NULL;
    const fa_xml_attribute *folder = compiler ? fa_xml_find(compiler, "meshdir") : NULL;
    const fa_xml_attribute *strip = compiler ? fa_xml_find(compiler, "strippath") : NULL;
    const char             *slash = fa_path_last(shape->mesh), *why;
    char                    name[FA_MESH_PATH_SIZE], path[FA_MESH_PATH_SIZE];
    if (!compiler || (strip && strcmp(strip->value, "false") == 0)) return FA_OK;
    const char *base = slash ? slash + 1 : shape->mesh;
    const int   used = snprintf(name, sizeof name, "%s%s%s", folder ? folder->value : "",
                              folder && folder->value[0] ? "/" : "", base);
    if (used < 0 || used >= (int)sizeof name ||
        fa_mesh_place(u->xml->path, name, NULL, path, &why) != FA_MESH_FOUND)
        return FA_OK;
    shape->path = fa_form_text(u->form, path);
    return shape->path ? FA_OK : fa_form_no_memory(u->form, u->error);
}

static fa_status read_mesh(const fa_urdf *u, const fa_xml_element *e, fa_form_shape *shape)
{
    const fa_xml_attribute *file = fa_xml_find(e, "filename");
    shape->kind = FA_FORM_MESH;
    shape->size = vec3(1, 1, 1);
    shape->unreadable =
        !file || fa_read_vec3(u->xml, e, "scale", &shape->size, FA_OPTIONAL, NULL) != FA_OK;
    if (shape->unreadable) return FA_OK;
    shape->mesh_at = FA_URDF_AT(u, file->value_place);
    shape->mesh = fa_form_text(u->form, file->value);
    return shape->mesh ? find_stripped(u, shape) : fa_form_no_memory(u->form, u->error);
}

static fa_status read_geometry(const fa_urdf *u, const fa_xml_element *e, fa_form_shape *shape)
{
    const double radius = number(u, e, "radius");
    if (strcmp(e->name, "mesh") == 0) return read_mesh(u, e, shape);
    if (strcmp(e->name, "box") == 0) {
        shape->kind = FA_FORM_BOX;
        shape->unreadable =
            fa_read_vec3(u->xml, e, "size", &shape->size, FA_REQUIRED, NULL) != FA_OK;
    } else if (strcmp(e->name, "sphere") == 0) {
        shape->kind = FA_FORM_SPHERE;
        shape->size = vec3(radius, radius, radius);
    } else {
        shape->kind = strcmp(e->name, "capsule") == 0 ? FA_FORM_CAPSULE : FA_FORM_CYLINDER;
        shape->size = vec3(radius, radius, number(u, e, "length"));
        shape->unreadable = shape->kind == FA_FORM_CYLINDER && strcmp(e->name, "cylinder") != 0;
    }
    if (!(shape->size.x > 0 && shape->size.y > 0 && shape->size.z > 0)) shape->unreadable = true;
    return FA_OK;
}

fa_status fa_urdf_shapes(const fa_urdf *u, const fa_xml_element *e, int link)
{
    const fa_urdf quiet = {.xml = u->xml, .minor = 2}; // a picture's faults are none of the robot
    for (const fa_xml_element *v = e->first; v; v = v->next) {
        const bool            visual = strcmp(v->name, "visual") == 0;
        const fa_xml_element *holder = fa_xml_child(v, "geometry");
        if ((!visual && strcmp(v->name, "collision") != 0) || !holder || !holder->first) continue;
        fa_form_shape *shape = fa_form_add_shape(u->form);
        if (!shape) return fa_form_no_memory(u->form, u->error);
        shape->at = FA_URDF_AT(u, holder->first->place);
        shape->link = link;
        shape->visual = visual;
        shape->collision = !visual;
        if (visual) paint(u, v, shape);
        fa_status status = read_geometry(u, holder->first, shape);
        if (status != FA_OK) return status;
        if (fa_urdf_origin(&quiet, v, &shape->frame) != FA_OK) shape->unreadable = true;
    }
    return FA_OK;
}
