// The sections of parts: shapes and meshes with a material, as solids.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "mesh.h"
#include "mesh_place.h"
#include "number.h"
#include "parts_reader.h"
#include "paths.h"

typedef fa_parts_reader reader;

#define FAIL(r, place, ...) fa_fail((r)->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

fa_status fa_parts_no_memory(const fa_parts_reader *r)
{
    return fa_fail(r->error, FA_NO_MEMORY, r->xml->path, FA_NOWHERE,
                   "there is not enough memory for its parts");
}

fa_status fa_parts_placement(const fa_parts_reader *r, const fa_xml_element *e, fa_transform *X)
{
    fa_vec3 rpy = {0, 0, 0};
    *X = transform_identity();
    fa_status status = fa_read_vec3(r->xml, e, "xyz", &X->r, FA_OPTIONAL, r->error);
    if (status == FA_OK) status = fa_read_vec3(r->xml, e, "rpy", &rpy, FA_OPTIONAL, r->error);
    if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) X->E = fa_rotation_rpy(vec3_scale(r->angle, rpy));
    return status;
}

// The name that a message offers for one that is not there: " (did you mean '…'?)", or nothing.
fa_about fa_parts_nearest(const fa_parts_reader *r, const char *name, const char *kind)
{
    fa_about    offer = {""};
    int         best = INT_MAX;
    const char *found = NULL;
    for (const fa_xml_element *e = fa_xml_child(r->xml->root, kind); e;
         e = fa_xml_next(e->next, kind)) {
        const char *known = fa_xml_find(e, "name")->value;
        int         apart = fa_words_apart(name, known);
        if (apart == 0 || apart >= best) continue;
        best = apart;
        found = known;
    }
    if (found && fa_words_close(name, best))
        snprintf(offer.text, sizeof offer.text, "; did you mean '%.100s'?", found);
    return offer;
}

// -----------------------------------------------------------------------------------------
// sections

// A length that must be above zero, or may be zero as well.
static fa_status read_length(const reader *r, const fa_xml_element *e, const char *name,
                             bool zero_too, double *value)
{
    fa_status status = fa_read_number(r->xml, e, name, value, FA_REQUIRED, r->error);
    if (status != FA_OK || *value > 0 || (zero_too && *value == 0)) return status;
    return FAIL(r, fa_xml_find(e, name)->value_place, "%s of %s is %s m; it must be %s", name,
                fa_xml_about(e).text, fa_number_text(*value).text,
                zero_too ? "zero or above" : "above zero");
}

static fa_status read_dimensions(const reader *r, const fa_xml_element *e, fa_shape *shape)
{
    static const struct {
        const char *attribute;
        size_t      field;
        bool        zero_too;
    } dimensions[] = {
        {"radius", offsetof(fa_shape, radius), false},
        {"outer-radius", offsetof(fa_shape, radius), false},
        {"inner-radius", offsetof(fa_shape, radius2), true},
        {"lower-radius", offsetof(fa_shape, radius), true},
        {"upper-radius", offsetof(fa_shape, radius2), true},
        {"height", offsetof(fa_shape, height), false},
    };
    fa_status status = FA_OK;
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions && status == FA_OK; i++)
        if (fa_xml_find(e, dimensions[i].attribute))
            status = read_length(r, e, dimensions[i].attribute, dimensions[i].zero_too,
                                 (double *)(void *)((char *)shape + dimensions[i].field));
    if (status == FA_OK && shape->kind == FA_BOX)
        status = fa_read_vec3(r->xml, e, "size", &shape->size, FA_REQUIRED, r->error);
    if (status != FA_OK) return status;
    if (shape->kind == FA_BOX && !(shape->size.x > 0 && shape->size.y > 0 && shape->size.z > 0))
        return FAIL(r, fa_xml_find(e, "size")->value_place,
                    "size of %s must be three lengths above zero", fa_xml_about(e).text);
    if (shape->kind == FA_TUBE && !(shape->radius2 < shape->radius))
        return FAIL(r, fa_xml_find(e, "inner-radius")->value_place,
                    "inner-radius of %s is not below its outer-radius, so there is nothing between "
                    "them",
                    fa_xml_about(e).text);
    if (shape->kind == FA_FRUSTUM && shape->radius == 0 && shape->radius2 == 0)
        return FAIL(r, e->place, "%s has no radius at either end; one must be above zero",
                    fa_xml_about(e).text);
    return FA_OK;
}

static fa_status read_density(const reader *r, const fa_xml_element *e, double *density)
{
    const fa_xml_attribute *material = fa_xml_find(e, "material");
    const fa_xml_attribute *own = fa_xml_find(e, "density");
    if (!material == !own)
        return FAIL(r, e->place, "%s has %s; say what it is of with one of them",
                    fa_xml_about(e).text,
                    own ? "both material and density" : "neither material nor density");
    if (material) {
        int index = fa_names_find(&r->materials, material->value);
        if (index < 0)
            return FAIL(r, material->value_place, "there is no material '%.60s' in this file%s",
                        material->value, fa_parts_nearest(r, material->value, "material").text);
        *density = r->density[index];
    } else {
        fa_status status = fa_read_number(r->xml, e, "density", density, FA_REQUIRED, r->error);
        if (status != FA_OK) return status;
        if (!(*density > 0))
            return FAIL(r, own->value_place, "density of %s is %s kg/m^3; it must be above zero",
                        fa_xml_about(e).text, fa_number_text(*density).text);
    }
    double    fill = 1;
    fa_status status = fa_read_number(r->xml, e, "fill", &fill, FA_OPTIONAL, r->error);
    if (status == FA_OK && !(fill > 0 && fill <= 1))
        return FAIL(r, fa_xml_find(e, "fill")->value_place,
                    "fill of %s is %s; it is the filled part of the volume, above 0 and at most 1",
                    fa_xml_about(e).text, fa_number_text(fill).text);
    *density *= fill;
    return status;
}

// The path of a file that another file names: from that one's folder on.
static fa_status beside(const reader *r, const fa_xml_attribute *file, char path[512])
{
    const char *slash = fa_path_last(r->xml->path);
    int folder = fa_path_is_absolute(file->value) || !slash ? 0 : (int)(slash + 1 - r->xml->path);
    int length = snprintf(path, 512, "%.*s%s", folder, r->xml->path, file->value);
    if (length < 512) return FA_OK;
    return FAIL(r, file->value_place, "the path of this file has %d bytes, and 511 are the most",
                length);
}

static fa_status read_mesh(const reader *r, const fa_xml_element *e, double density,
                           fa_solid *solid)
{
    double                  scale = 1;
    char                    path[512];
    const fa_xml_attribute *file = fa_xml_find(e, "file");
    fa_status status = fa_read_number(r->xml, e, "scale", &scale, FA_OPTIONAL, r->error);
    if (status != FA_OK) return status;
    if (!(scale > 0))
        return FAIL(r, fa_xml_find(e, "scale")->value_place,
                    "scale of %s is %s; it must be above "
                    "zero",
                    fa_xml_about(e).text, fa_number_text(scale).text);
    status = beside(r, file, path);
    if (status != FA_OK) return status;
    // Missing data are reported by their reader.
    const char *why;
    char        place[FA_MESH_PATH_SIZE];
    if (fa_mesh_place(r->xml->path, file->value, NULL, place, &why) == FA_MESH_REFUSED)
        return FAIL(r, file->value_place, "the mesh '%s' is not read: %s", file->value, why);
    return fa_mesh_solid(path, scale, density, r->xml->path, file->value_place, r->log, solid,
                         r->error);
}

fa_status fa_parts_section(const fa_parts_reader *r, const fa_xml_element *e, fa_shape_kind kind,
                           fa_solid *solid)
{
    fa_shape     shape = {.kind = kind};
    double       density;
    fa_transform X;
    fa_status    status = read_density(r, e, &density);
    if (status == FA_OK) status = fa_parts_placement(r, e, &X);
    if (status == FA_OK && kind != FA_MESH) status = read_dimensions(r, e, &shape);
    if (status == FA_OK && kind == FA_MESH) status = read_mesh(r, e, density, solid);
    if (status != FA_OK) return status;
    if (kind != FA_MESH) *solid = fa_shape_solid(&shape, density);
    if (!(solid->mass > 0) || isinf(solid->mass))
        return FAIL(r, e->place,
                    "%s weighs %s than a number can hold; its dimensions are beyond what can be "
                    "calculated",
                    fa_xml_about(e).text, solid->mass > 0 ? "more" : "less");
    *solid = fa_solid_place(*solid, X);
    return FA_OK;
}

fa_status fa_parts_material(fa_parts_reader *r, const fa_xml_element *e, int index)
{
    const char *name = fa_xml_find(e, "name")->value;
    int         before = fa_names_add(&r->materials, name, index);
    r->material[index] = e;
    if (before >= 0)
        return FAIL(r, e->place, "material '%.60s' has been defined in line %d; rename one of them",
                    name, r->material[before]->place.line);
    fa_status status =
        fa_read_number(r->xml, e, "density", &r->density[index], FA_REQUIRED, r->error);
    if (status == FA_OK && !(r->density[index] > 0))
        return FAIL(r, fa_xml_find(e, "density")->value_place,
                    "density of %s is %s kg/m^3; it must be above zero", fa_xml_about(e).text,
                    fa_number_text(r->density[index]).text);
    return status;
}
