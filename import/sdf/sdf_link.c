// A link: mass, inertia, what gravity does to it, and its shapes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "form_weigh.h"
#include "sdf.h"

typedef struct reader {
    fa_sdf               *s;
    const fa_xml         *xml;
    const fa_xml_element *e;
    int                   scope, link, node;
} reader;

#define FAIL(r, place, ...) fa_fail((r)->s->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

static const char *name_of(const reader *r)
{
    return r->s->form->link[r->link].name;
}

// ----------------------------------------------------------------------------------------- shapes

// Computes the transform from the link's frame to that of a <visual> or <collision>.
static fa_status shape_frame(const reader *r, const fa_xml_element *e, fa_transform *X)
{
    fa_sdf            *s = r->s;
    const fa_sdf_frame own = {r->scope, r->node};
    fa_transform       in_model, link;
    fa_status          status = fa_sdf_place(s, r->scope, r->xml, s->scope[r->scope].minor,
                                             fa_xml_child(e, "pose"), own, &in_model);
    if (status == FA_OK) status = fa_sdf_where(s, r->scope, own, &link);
    if (status == FA_OK) *X = transform_compose(transform_inverse(link), in_model);
    return status;
}

static fa_status read_mesh(const reader *r, const fa_xml_element *e, fa_form_shape *shape)
{
    const fa_xml_element *uri = fa_xml_child(e, "uri");
    shape->kind = FA_FORM_MESH;
    shape->size = vec3(1, 1, 1);
    shape->unreadable = !uri || fa_xml_child(e, "submesh");
    if (!uri) return FA_OK;
    shape->mesh = fa_form_text(r->s->form, fa_sdf_text(uri));
    shape->mesh_at = (fa_form_at){r->xml->path, uri->text};
    if (!shape->mesh) return fa_sdf_no_memory(r->s);
    return fa_sdf_vec3(r->s, r->xml, e, "scale", &shape->size);
}

// Other shapes (a plane, a height map) are omitted from pictures.
static fa_status read_geometry(const reader *r, const fa_xml_element *e, fa_form_shape *shape)
{
    const fa_sdf *s = r->s;
    double        radius = 0, length = 0;
    fa_vec3       size = {0, 0, 0};
    fa_status     status = FA_OK;
    if (strcmp(e->name, "mesh") == 0) return read_mesh(r, e, shape);
    if (strcmp(e->name, "box") == 0) {
        shape->kind = FA_FORM_BOX;
        status = fa_sdf_vec3(s, r->xml, e, "size", &size);
    } else if (strcmp(e->name, "ellipsoid") == 0) {
        shape->kind = FA_FORM_ELLIPSOID;
        status = fa_sdf_vec3(s, r->xml, e, "radii", &size);
    } else {
        static const struct {
            const char        *name;
            fa_form_shape_kind kind;
        } row[] = {{"sphere", FA_FORM_SPHERE},
                   {"cylinder", FA_FORM_CYLINDER},
                   {"capsule", FA_FORM_CAPSULE}};
        shape->unreadable = true;
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            if (strcmp(e->name, row[i].name) != 0) continue;
            shape->kind = row[i].kind;
            shape->unreadable = false;
        }
        if (shape->unreadable) return FA_OK;
        status = fa_sdf_number(s, r->xml, e, "radius", &radius);
        if (status == FA_OK) status = fa_sdf_number(s, r->xml, e, "length", &length);
        size = vec3(radius, radius, shape->kind == FA_FORM_SPHERE ? radius : length);
    }
    shape->size = size;
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) shape->unreadable = true;
    return status;
}

static void paint(const reader *r, const fa_xml_element *visual, fa_form_shape *shape)
{
    const fa_xml_element *material = fa_xml_child(visual, "material");
    const fa_xml_element *colour = material ? fa_xml_child(material, "diffuse") : NULL;
    double                rgba[4];
    if (!colour && material) colour = fa_xml_child(material, "ambient");
    if (!colour || (fa_read_content(r->xml, colour, 4, rgba, false, NULL) != FA_OK &&
                    fa_read_content(r->xml, colour, 3, rgba, false, NULL) != FA_OK))
        return;
    shape->coloured = true;
    for (int i = 0; i < 3; i++) shape->colour[i] = fmin(1, fmax(0, rgba[i]));
}

// A picture's faults are none of the robot.
static fa_status read_shapes(reader *r)
{
    fa_error *error = r->s->error;
    fa_status status = FA_OK;
    for (const fa_xml_element *v = r->e->first; v && status == FA_OK; v = v->next) {
        const bool            visual = strcmp(v->name, "visual") == 0;
        const fa_xml_element *holder = fa_xml_child(v, "geometry");
        if ((!visual && strcmp(v->name, "collision") != 0) || !holder || !holder->first) continue;
        fa_form_shape *shape = fa_form_add_shape(r->s->form);
        if (!shape) return fa_sdf_no_memory(r->s);
        shape->at = (fa_form_at){r->xml->path, holder->first->place};
        shape->link = r->link;
        shape->visual = visual;
        shape->collision = !visual;
        paint(r, v, shape);
        r->s->error = NULL;
        status = read_geometry(r, holder->first, shape);
        if (status == FA_OK) status = shape_frame(r, v, &shape->frame);
        r->s->error = error;
        if (status == FA_NO_MEMORY) return fa_sdf_no_memory(r->s);
        if (status != FA_OK) shape->unreadable = true;
        status = FA_OK;
    }
    return status;
}

// ------------------------------------------------------------------------ inertia from collisions

// Each collision adds its mass, also where they overlap.
static fa_status weigh(const reader *r, const fa_xml_element *inertial, fa_solid *sum)
{
    double    usual = 1000;
    fa_status status = fa_sdf_number(r->s, r->xml, inertial, "density", &usual);
    *sum = (fa_solid){.mass = 0};
    for (const fa_xml_element *c = fa_xml_child(r->e, "collision"); c && status == FA_OK;
         c = fa_xml_next(c->next, "collision")) {
        const fa_xml_element *holder = fa_xml_child(c, "geometry");
        fa_form_shape         shape = {.frame = transform_identity(), .corners = FA_FORM_NOBODY};
        fa_solid              solid = {.mass = 0};
        double                density = usual;
        char                  why[512] = "";
        if (!holder || !holder->first) continue;
        status = read_geometry(r, holder->first, &shape);
        if (status == FA_OK) status = shape_frame(r, c, &shape.frame);
        if (status == FA_OK) status = fa_sdf_number(r->s, r->xml, c, "density", &density);
        shape.at = (fa_form_at){r->xml->path, holder->first->place};
        if (status == FA_OK && (shape.unreadable || !(density > 0) || isinf(density)))
            status = FAIL(r, holder->first->place,
                          "link '%s' is to be weighed by a <%.60s> that has no volume, or no "
                          "density above zero; give the link's mass and inertia",
                          name_of(r), holder->first->name);
        if (status != FA_OK) break;
        status =
            fa_form_shape_solid(r->s->form, &shape, &r->s->options->xacro, r->s->log, &solid, why);
        if (status == FA_NO_MEMORY) return fa_sdf_no_memory(r->s);
        if (status != FA_OK)
            return FAIL(r, holder->first->place, "link '%s' is to be weighed: %s", name_of(r), why);
        solid.mass *= density;
        solid.inertia = sym3_scale(density, solid.inertia);
        if (status == FA_OK) *sum = fa_solid_add(*sum, fa_solid_place(solid, shape.frame));
    }
    if (status == FA_OK && !(sum->mass > 0))
        status = FAIL(r, inertial->place,
                      "link '%s' is to be weighed by its collisions, and it has none; give its "
                      "mass and inertia",
                      name_of(r));
    return status;
}

// A mass that the file gives rescales what the volumes say.
static fa_status read_auto(const reader *r, const fa_xml_element *inertial, fa_form_link *link)
{
    fa_solid  solid;
    double    mass = 0;
    fa_status status = weigh(r, inertial, &solid);
    if (status == FA_OK) status = fa_sdf_number(r->s, r->xml, inertial, "mass", &mass);
    if (status != FA_OK) return status;
    link->mass = mass > 0 ? mass : solid.mass;
    link->com = solid.com;
    link->inertia = sym3_scale(link->mass / solid.mass, solid.inertia);
    return FA_OK;
}

// --------------------------------------------------------------------------------------- inertial

static fa_status read_inertial(const reader *r, const fa_xml_element *inertial, fa_form_link *link)
{
    const fa_sdf           *s = r->s;
    const fa_xml_attribute *automatic = fa_xml_find(inertial, "auto");
    const fa_xml_element   *inertia = fa_xml_child(inertial, "inertia");
    fa_transform            X;
    fa_sym3                 I = {1, 1, 1, 0, 0, 0};
    if (fa_xml_child(inertial, "fluid_added_mass"))
        FA_SDF_WARN(r->xml, inertial->place,
                    "the mass of water that link '%s' moves is left out: robots here move in air",
                    name_of(r));
    if (automatic && (strcmp(automatic->value, "true") == 0 || strcmp(automatic->value, "1") == 0))
        return read_auto(r, inertial, link);
    fa_status status = fa_sdf_number(s, r->xml, inertial, "mass", &link->mass);
    if (status == FA_OK) status = fa_sdf_pose(s, r->xml, fa_xml_child(inertial, "pose"), &X);
    const struct {
        const char *name;
        double     *value;
    } row[] = {{"ixx", &I.xx}, {"iyy", &I.yy}, {"izz", &I.zz},
               {"ixy", &I.xy}, {"ixz", &I.xz}, {"iyz", &I.yz}};
    for (size_t i = 0; i < sizeof row / sizeof *row && inertia && status == FA_OK; i++)
        status = fa_sdf_number(s, r->xml, inertia, row[i].name, row[i].value);
    if (status != FA_OK) return status;
    if (!inertia)
        FA_SDF_WARN(r->xml, inertial->place,
                    "link '%s' has no <inertia>, which in SDFormat means 1 kg m^2 about each axis",
                    name_of(r));
    const fa_mat3 one = mat3_identity();
    link->com = X.r;
    link->inertia = memcmp(&X.E, &one, sizeof one) == 0 ? I : sym3_rotate(mat3_transpose(X.E), I);
    return FA_OK;
}

// Rules on masses are the model's; that they are numbers is ours, as "inf" may stand in SDFormat.
static fa_status check_finite(const reader *r, const fa_form_link *link)
{
    const fa_sym3 I = link->inertia;
    if (isfinite(link->mass + I.xx + I.yy + I.zz + I.xy + I.xz + I.yz)) return FA_OK;
    return FAIL(r, link->inertial_at.place,
                "the mass or inertia of link '%s' is not finite; write finite numbers", name_of(r));
}

fa_status fa_sdf_link(fa_sdf *s, int node)
{
    const fa_sdf_node    *n = &s->node[node];
    const fa_xml_element *e = n->e, *inertial = fa_xml_child(e, "inertial");
    fa_form_link         *link = &s->form->link[n->index];
    reader                r = {.s = s,
                               .xml = s->scope[n->scope].xml,
                               .e = e,
                               .scope = n->scope,
                               .link = n->index,
                               .node = node};
    fa_status             status = FA_OK;
    link->at = link->inertial_at = (fa_form_at){r.xml->path, e->place};
    if (fa_sdf_is_true(e, "kinematic")) {
        if (!s->options->lenient)
            return FAIL(&r, e->place,
                        "link '%s' is kinematic: something else moves it, and nothing here does; "
                        "remove <kinematic>, or pass over it with --lenient",
                        name_of(&r));
        FA_SDF_WARN(r.xml, e->place, "link '%s' moves as other links do, although it is kinematic",
                    name_of(&r));
    }
    if (fa_xml_child(e, "gravity") && !fa_sdf_is_true(e, "gravity")) link->gravity = 0;
    link->weighed = true;
    link->mass = 1;
    link->inertia = (fa_sym3){1, 1, 1, 0, 0, 0};
    if (inertial) {
        link->inertial_at.place = inertial->place;
        status = read_inertial(&r, inertial, link);
    } else {
        FA_SDF_WARN(r.xml, e->place,
                    "link '%s' has no <inertial>, which in SDFormat means 1 kg, and 1 kg m^2 about "
                    "each axis",
                    name_of(&r));
    }
    if (status == FA_OK) status = check_finite(&r, link);
    return status == FA_OK ? read_shapes(&r) : status;
}
