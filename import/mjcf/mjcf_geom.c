// Geoms of MJCF: shapes, and what they weigh; the mass of bodies.
#include <math.h>
#include <string.h>

#include "mjcf.h"
#include "number.h"
#include "parts.h"
#include "values.h"

enum { PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF };

typedef struct geom {
    int                   type, n_size, group;
    double                size[3], fromto[6], mass, density, rgba[4], contype, conaffinity;
    bool                  spans, coloured, shell;
    fa_transform          X;
    const char           *mesh, *material;
    const fa_xml_element *mesh_element;
} geom;

static const double PI = 3.14159265358979323846;

static fa_status apply_geom(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    static const char *const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh",   "sdf",     NULL};
    geom                    *g = into;
    int                      n = 0;
    double                   group = g->group;
    fa_status                status = fa_mjcf_word(m, e, "type", types, &g->type);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "size", 1, 3, g->size, &n);
    if (status == FA_OK && n > 0) g->n_size = n;
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "fromto", 6, 6, g->fromto, &n);
    g->spans |= n > 0;
    if (status == FA_OK) status = fa_mjcf_number(m, e, "mass", &g->mass);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "density", &g->density);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "group", &group);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "contype", &g->contype);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "conaffinity", &g->conaffinity);
    if (status == FA_OK) status = fa_mjcf_truth_of(m, e, "shellinertia", &g->shell);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "rgba", 4, 4, g->rgba, &n);
    g->coloured |= n > 0;
    if (status == FA_OK) status = fa_mjcf_pose(m, e, &g->X);
    g->group = group >= 0 && group < 1000 ? (int)group : 0;
    if (fa_xml_find(e, "mesh")) g->mesh = fa_mjcf_text(e, "mesh");
    if (fa_xml_find(e, "material")) g->material = fa_mjcf_text(e, "material");
    return status;
}

// -------------------------------------------------------------------------------------- solids

static fa_solid solid_of(double mass, double x, double y, double z)
{
    return (fa_solid){mass, {0, 0, 0}, {x, y, z, 0, 0, 0}};
}

// An ellipsoid without inside, as the format has it: its area by Thomsen's approximation, its
// inertia as that of a layer by which all half axes grow.
static fa_solid hollow_ellipsoid(double a, double b, double c)
{
    const double   p = 1.6075, ab = pow(a * b, p), bc = pow(b * c, p), ca = pow(c * a, p);
    const double   area = 4 * PI * pow((ab + bc + ca) / 3, 1 / p);
    const double   layer = 1e-6; // [m], MuJoCo's
    const fa_solid inner = fa_ellipsoid_solid(vec3(a, b, c));
    const fa_solid outer = fa_ellipsoid_solid(vec3(a + layer, b + layer, c + layer));
    const fa_sym3  I = sym3_add(outer.inertia, sym3_scale(-1, inner.inertia));
    const double   factor = area / (outer.mass - inner.mass);
    return solid_of(area, factor * I.xx, factor * I.yy, factor * I.zz);
}

// Surfaces of area density 1. Size as the format has it: radius and half length, or half edges.
static fa_solid hollow(const geom *g)
{
    const double r = g->size[0], h = g->size[1];
    if (g->type == SPHERE) {
        const double m = 4 * PI * r * r;
        return solid_of(m, 2 * m * r * r / 3, 2 * m * r * r / 3, 2 * m * r * r / 3);
    }
    if (g->type == ELLIPSOID) return hollow_ellipsoid(g->size[0], g->size[1], g->size[2]);
    if (g->type == BOX) {
        const double a = g->size[0], b = g->size[1], c = g->size[2];
        // Pairs of walls normal to x, y, z: each a plate at a distance.
        const double mx = 8 * b * c, my = 8 * a * c, mz = 8 * a * b;
        return solid_of(
            mx + my + mz,
            mx * (b * b + c * c) / 3 + my * (c * c / 3 + b * b) + mz * (b * b / 3 + c * c),
            my * (a * a + c * c) / 3 + mx * (c * c / 3 + a * a) + mz * (a * a / 3 + c * c),
            mz * (a * a + b * b) / 3 + mx * (b * b / 3 + a * a) + my * (a * a / 3 + b * b));
    }
    const double side = 2 * PI * r * 2 * h;
    double       across = side * (r * r / 2 + h * h / 3), along = side * r * r, caps;
    if (g->type == CYLINDER) {
        caps = 2 * PI * r * r;
        across += caps * (r * r / 4 + h * h);
        along += caps * r * r / 2;
    } else { // half spheres: their centre of mass is half a radius above their edge
        caps = 4 * PI * r * r;
        across += caps * (2 * r * r / 3 - r * r / 4 + (h + r / 2) * (h + r / 2));
        along += caps * 2 * r * r / 3;
    }
    return solid_of(side + caps, across, across, along);
}

static fa_solid full(const geom *g)
{
    const double  r = g->size[0], h = 2 * g->size[1];
    const fa_vec3 a = vec3(g->size[0], g->size[1], g->size[2]);
    if (g->type == BOX)
        return fa_shape_solid(&(fa_shape){.kind = FA_BOX, .size = vec3_scale(2, a)}, 1);
    if (g->type == CYLINDER)
        return fa_shape_solid(&(fa_shape){.kind = FA_CYLINDER, .radius = r, .height = h}, 1);
    if (g->type == CAPSULE) return fa_capsule_solid(r, h);
    return fa_ellipsoid_solid(g->type == SPHERE ? vec3(r, r, r) : a);
}

// Computes mass properties for density 1.
static fa_status weigh(fa_mjcf *m, const fa_xml_element *e, const geom *g, fa_solid *solid)
{
    if (g->type == PLANE || g->type == HFIELD) return FA_OK;
    if (g->mesh && g->type != MESH)
        return FA_MJCF_FAIL(m, e,
                            "%s is a primitive that is to be fitted to a mesh; write its size, or "
                            "give its body an <inertial>",
                            fa_xml_about(e).text);
    if (g->type == SDF)
        return FA_MJCF_FAIL(m, e, "%s is a function of a plugin; give its body an <inertial>",
                            fa_xml_about(e).text);
    if (g->type == MESH) {
        fa_mjcf_mesh *mesh = g->mesh ? fa_mjcf_find_mesh(m, g->mesh) : NULL;
        if (!mesh)
            return FA_MJCF_FAIL(m, e, "%s names the mesh '%.60s', and there is none",
                                fa_xml_about(e).text, g->mesh ? g->mesh : "");
        return fa_mjcf_weigh_mesh(m, e, mesh, solid);
    }
    *solid = g->shell ? hollow(g) : full(g);
    return FA_OK;
}

// --------------------------------------------------------------------------------------- shapes

// From end to end: where the shape is, how long, and z along it.
static fa_status span(const fa_mjcf *m, const fa_xml_element *e, geom *g)
{
    if (!g->spans) return FA_OK;
    const fa_vec3 from = vec3(g->fromto[0], g->fromto[1], g->fromto[2]);
    const fa_vec3 to = vec3(g->fromto[3], g->fromto[4], g->fromto[5]);
    const fa_vec3 along = vec3_sub(from, to); // the way that the format turns z
    const double  length = vec3_norm(along), across = hypot(along.x, along.y);
    if (g->type != CAPSULE && g->type != CYLINDER && g->type != BOX && g->type != ELLIPSOID)
        return FA_MJCF_FAIL(m, e,
                            "%s has fromto, which capsules, cylinders, boxes and ellipsoids have",
                            fa_xml_about(e).text);
    if (!(length > 0))
        return FA_MJCF_FAIL(m, e, "fromto of %s has no length", fa_xml_about(e).text);
    g->X.r = vec3_scale(0.5, vec3_add(from, to));
    const fa_vec3 axis = across > 0 ? vec3(-along.y / across, along.x / across, 0) : vec3(1, 0, 0);
    g->X.E = fa_rotation_about(axis, atan2(across, along.z));
    if (g->type == BOX || g->type == ELLIPSOID) {
        g->size[2] = length / 2;
        if (g->n_size < 2) g->size[1] = g->size[0];
        g->n_size = 3;
    } else {
        g->size[1] = length / 2;
        g->n_size = 2;
    }
    return FA_OK;
}

static fa_status check_size(const fa_mjcf *m, const fa_xml_element *e, const geom *g)
{
    static const int wanted[] = {
        [SPHERE] = 1, [CAPSULE] = 2, [ELLIPSOID] = 3, [CYLINDER] = 2, [BOX] = 3, [SDF] = 0};
    if (g->type == PLANE || g->type == HFIELD || g->type == MESH || g->mesh) return FA_OK;
    for (int i = 0; i < wanted[g->type]; i++)
        if (i >= g->n_size || !(g->size[i] > 0))
            return FA_MJCF_FAIL(m, e, "%s needs %d sizes above zero", fa_xml_about(e).text,
                                wanted[g->type]);
    return FA_OK;
}

static fa_status paint(const fa_mjcf *m, const geom *g, fa_form_shape *shape)
{
    double rgba[4];
    int    n = 0;
    memcpy(rgba, g->rgba, sizeof rgba);
    shape->coloured = g->coloured;
    for (const fa_xml_element *a = fa_xml_child(m->xml->root, "asset"); a && g->material;
         a = fa_xml_next(a->next, "asset"))
        for (const fa_xml_element *e = fa_xml_child(a, "material"); e && !g->coloured;
             e = fa_xml_next(e->next, "material")) {
            const char *name = fa_mjcf_text(e, "name");
            if (!name || strcmp(name, g->material) != 0) continue;
            fa_status status = fa_mjcf_numbers(m, e, "rgba", 4, 4, rgba, &n);
            if (status != FA_OK) return status;
            shape->coloured = n > 0;
        }
    for (int i = 0; i < 3; i++) shape->colour[i] = fmin(1, fmax(0, rgba[i]));
    return FA_OK;
}

// Groups from 3 on are what the format's own viewer does not show.
#define FIRST_HIDDEN_GROUP 3

static fa_status add_shape(fa_mjcf *m, const fa_xml_element *e, const geom *g, int link,
                           fa_transform X)
{
    static const fa_form_shape_kind kind[] = {
        [SPHERE] = FA_FORM_SPHERE,     [CAPSULE] = FA_FORM_CAPSULE, [ELLIPSOID] = FA_FORM_ELLIPSOID,
        [CYLINDER] = FA_FORM_CYLINDER, [BOX] = FA_FORM_BOX,         [MESH] = FA_FORM_MESH};
    if (g->type == PLANE || g->type == HFIELD || g->type == SDF || (g->mesh && g->type != MESH))
        return FA_OK;
    fa_form_shape *shape = fa_form_add_shape(m->form);
    if (!shape) return fa_form_no_memory(m->form, m->error);
    const double *s = g->size;
    shape->at = shape->mesh_at = FA_MJCF_AT(m, e);
    shape->link = link;
    shape->kind = kind[g->type];
    shape->frame = X;
    shape->visual = g->group < FIRST_HIDDEN_GROUP;
    shape->collision = g->contype != 0 || g->conaffinity != 0;
    shape->size = g->type == SPHERE      ? vec3(s[0], s[0], s[0])
                  : g->type == BOX       ? vec3(2 * s[0], 2 * s[1], 2 * s[2])
                  : g->type == MESH      ? vec3(1, 1, 1)
                  : g->type == ELLIPSOID ? vec3(s[0], s[1], s[2])
                                         : vec3(s[0], s[0], 2 * s[1]);
    fa_status status = paint(m, g, shape);
    if (g->type != MESH || status != FA_OK) return status;
    fa_mjcf_mesh *mesh = g->mesh ? fa_mjcf_find_mesh(m, g->mesh) : NULL;
    if (!mesh || !fa_mjcf_mesh_has_frame(mesh)) {
        shape->unreadable = true;
        return FA_OK;
    }
    shape->mesh = fa_form_text(m->form, mesh->file ? mesh->file : mesh->name);
    shape->path = mesh->path;
    shape->size = mesh->scale;
    shape->frame = transform_compose(X, mesh->reference);
    shape->mesh_at = FA_MJCF_AT(m, mesh->element);
    if (!shape->mesh) return fa_form_no_memory(m->form, m->error);
    if (mesh->file) return FA_OK;
    const int index = m->form->n_shapes - 1; // corners may move the list
    status = fa_mjcf_load_mesh(m, mesh);
    m->form->shape[index].corners = mesh->corners;
    return status;
}

// Returns true if only fixed joints are between the link and the world.
static bool stands_still(const fa_mjcf *m, int link)
{
    const fa_form *f = m->form;
    while (link > 0) { // a link comes behind its parent, and its joint stands as it does
        const fa_form_joint *joint = &f->joint[link - 1];
        if (joint->type != FA_FORM_FIXED) return false;
        link = joint->parent;
    }
    return true;
}

fa_status fa_mjcf_read_geom(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                            bool weigh_it, fa_solid *solid)
{
    static const char *const tags[] = {"geom", NULL};
    geom                     g = {.type = SPHERE,
                                  .mass = NAN,
                                  .density = 1000,
                                  .rgba = {0.5, 0.5, 0.5, 1},
                                  .contype = 1,
                                  .conaffinity = 1,
                                  .X = transform_identity()};
    fa_status                status = fa_mjcf_apply(m, e, place->childclass, tags, apply_geom, &g);
    if (status == FA_OK) status = span(m, e, &g);
    if (status == FA_OK) status = check_size(m, e, &g);
    if (status != FA_OK) return status;
    const fa_transform X = transform_compose(place->X, g.X);
    const bool         grouped = g.group >= m->compiler.group[0] && g.group <= m->compiler.group[1];
    m->touches |= place->link != 0 && (g.contype != 0 || g.conaffinity != 0);
    status = add_shape(m, e, &g, place->link, X);
    // No material, no inertia, and no need to look at its mesh.
    if (status != FA_OK || !weigh_it || place->link == 0 || !grouped || g.mass == 0 ||
        (isnan(g.mass) && g.density == 0))
        return status;
    fa_solid one = {.mass = 0};
    status = weigh(m, e, &g, &one);
    if (status == FA_BAD_INPUT && stands_still(m, place->link)) { // its mass has no effect
        if (m->error) *m->error = fa_no_error();
        return FA_OK;
    }
    if (status != FA_OK || !(one.mass > 0)) return status;
    const double factor = isnan(g.mass) ? g.density : g.mass / one.mass;
    if (factor < 0)
        return FA_MJCF_FAIL(m, e, "the mass or density of %s is below zero", fa_xml_about(e).text);
    one.mass *= factor;
    one.inertia = sym3_scale(factor, one.inertia);
    *solid = fa_solid_add(*solid, fa_solid_place(one, X));
    return FA_OK;
}

// ---------------------------------------------------------------------------------------- bodies

static fa_status read_inertial(const fa_mjcf *m, const fa_xml_element *e, fa_solid *solid)
{
    double       mass = 0, diagonal[3] = {0}, I[6] = {0};
    int          n, all;
    fa_transform X = transform_identity();
    fa_status    status = fa_mjcf_pose(m, e, &X);
    if (status == FA_OK)
        status = fa_read_number(fa_mjcf_xml(m, e), e, "mass", &mass, FA_REQUIRED, m->error);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "diaginertia", 3, 3, diagonal, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "fullinertia", 6, 6, I, &all);
    if (status != FA_OK) return status;
    if (n > 0 && all > 0)
        return FA_MJCF_FAIL(m, e, "<inertial> has both diaginertia and fullinertia; keep one");
    *solid = solid_of(mass, diagonal[0], diagonal[1], diagonal[2]);
    if (all > 0) solid->inertia = (fa_sym3){I[0], I[1], I[2], I[3], I[4], I[5]};
    solid->inertia = sym3_rotate(mat3_transpose(X.E), solid->inertia);
    solid->com = X.r;
    return FA_OK;
}

// Rounding of an inertia that has been turned into its principal axes.
static const double TRIANGLE_TOLERANCE = 1e-9;

// Moments below the bound rise to it, in their own axes: found by Jacobi's rotations, each of which
// takes one element beside the diagonal away.
static fa_sym3 bound(fa_sym3 I, double least)
{
    fa_mat3 A = sym3_full(I), V = mat3_identity(); // rows of V: the axes
    if (!(least > 0)) return I;
    for (int sweep = 0; sweep < 60; sweep++) {
        const int    p = sweep % 3 == 2, q = sweep % 3 == 0 ? 1 : 2;
        const double angle = atan2(2 * A.m[p][q], A.m[q][q] - A.m[p][p]) / 2;
        fa_mat3      turn = mat3_identity();
        turn.m[p][p] = turn.m[q][q] = cos(angle);
        turn.m[p][q] = -sin(angle);
        turn.m[q][p] = sin(angle);
        A = mat3_mat3(mat3_mat3(turn, A), mat3_transpose(turn));
        V = mat3_mat3(turn, V);
    }
    const fa_sym3 raised = {
        fmax(A.m[0][0], least), fmax(A.m[1][1], least), fmax(A.m[2][2], least), 0, 0, 0};
    return sym3_rotate(mat3_transpose(V), raised);
}

bool fa_mjcf_weighs_geoms(const fa_mjcf *m, const fa_xml_element *inertial)
{
    const fa_mjcf_truth from = m->compiler.from_geoms;
    return from == FA_MJCF_TRUE || (from == FA_MJCF_AUTO && !inertial);
}

fa_status fa_mjcf_weigh_body(fa_mjcf *m, const fa_xml_element *body, const fa_xml_element *inertial,
                             fa_solid geoms, int link)
{
    const fa_mjcf_compiler *c = &m->compiler;
    const bool              by_geoms = fa_mjcf_weighs_geoms(m, inertial);
    fa_form_link           *to = &m->form->link[link];
    fa_solid                solid = by_geoms ? geoms : (fa_solid){.mass = 0};
    fa_status               status = FA_OK;
    if (!by_geoms && inertial) status = read_inertial(m, inertial, &solid);
    if (status != FA_OK) return status;
    if (inertial && !by_geoms) to->inertial_at = FA_MJCF_AT(m, inertial);
    solid.mass = fmax(solid.mass, c->least_mass);
    solid.inertia = bound(solid.inertia, c->least_inertia);
    const fa_vec3 moment = fa_sym3_eigenvalues(solid.inertia);
    if (moment.x + moment.y < moment.z * (1 - TRIANGLE_TOLERANCE)) {
        const double mean = (moment.x + moment.y + moment.z) / 3;
        if (!c->balance)
            return FA_MJCF_FAIL(m, inertial ? inertial : body,
                                "no body has the inertia of link '%s': of its principal moments "
                                "%s, %s and %s kg m^2 the largest exceeds the sum of the others; "
                                "correct them, or let balanceinertia=\"true\" of <compiler> take "
                                "their mean",
                                to->name, fa_number_text(moment.x).text,
                                fa_number_text(moment.y).text, fa_number_text(moment.z).text);
        solid.inertia = (fa_sym3){mean, mean, mean, 0, 0, 0};
    }
    to->weighed = true;
    to->mass = solid.mass;
    to->com = solid.com;
    to->inertia = solid.inertia;
    return FA_OK;
}
