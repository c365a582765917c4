// The shapes that links are seen by: what a robot file says of them, and meshes that lie on this
// disk.
#include "form_visual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimate.h"
#include "form_mesh.h"
#include "formats.h"

typedef struct reader {
    const fa_form          *form;
    const fa_log           *log;
    fa_visuals             *visuals;
    size_t                  most_triangles;
    const fa_xacro_options *xacro;             // NULL: as usual
    int                     passed_over;       // meshes that are not drawn
    fa_form_at              first_passed_over; // and why the first is not
    char                    why[512];
} reader;

// ----------------------------------------------------------------------------------------- meshes

static fa_status pass_over(reader *r, const fa_form_shape *shape, const char *why)
{
    if (r->passed_over++ > 0) return FA_OK;
    r->first_passed_over = shape->mesh_at;
    snprintf(r->why, sizeof r->why, "the mesh '%.200s' is not drawn: %.200s", shape->mesh, why);
    return FA_OK;
}

static void tell_passed_over(const reader *r)
{
    char more[64] = "";
    if (r->passed_over == 0) return;
    if (r->passed_over > 1) snprintf(more, sizeof more, "; nor are %d others", r->passed_over - 1);
    fa_warn(r->log, r->first_passed_over.file, r->first_passed_over.place, "%s%s", r->why, more);
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
    size_t             n = 0;
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
    visual->frame = frame;
    visual->triangles = triangle;
    fa_status status = fa_decimate(triangle, n, r->most_triangles, &visual->n_triangles);
    if (status != FA_OK) return status;
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

static fa_status add_mesh(reader *r, const fa_form_shape *shape, int link)
{
    const char *why;
    fa_mesh     mesh;
    fa_error    error = fa_no_error();
    fa_status   status = fa_form_mesh(r->form, shape, r->xacro, &mesh, &why, &error);
    if (status == FA_NO_MEMORY) return status;
    if (status != FA_OK) return pass_over(r, shape, why);
    status = add_parts(r, shape->mesh, &mesh, link, shape->frame);
    fa_mesh_free(&mesh);
    return status;
}

// ----------------------------------------------------------------------------------------- shapes

static fa_status add_shape(reader *r, const fa_form_shape *shape, int link)
{
    static const fa_visual_kind kind[] = {
        [FA_FORM_BOX] = FA_VISUAL_BOX,           [FA_FORM_SPHERE] = FA_VISUAL_SPHERE,
        [FA_FORM_CYLINDER] = FA_VISUAL_CYLINDER, [FA_FORM_CAPSULE] = FA_VISUAL_CYLINDER,
        [FA_FORM_ELLIPSOID] = FA_VISUAL_SPHERE,
    };
    if (shape->kind == FA_FORM_MESH) return add_mesh(r, shape, link);
    fa_visual *visual = fa_visuals_add(r->visuals, link, kind[shape->kind]);
    if (!visual) return FA_NO_MEMORY;
    visual->frame = shape->frame;
    visual->size = shape->size;
    return FA_OK;
}

// A shape of the form, and its colour where a mesh has none of its own.
static fa_status add(reader *r, const fa_form_shape *shape, const fa_robot *robot)
{
    const int before = r->visuals->n;
    const int link = fa_robot_find_link(robot, r->form->link[shape->link].name);
    if (!shape->visual || shape->unreadable || link == FA_NOBODY) return FA_OK;
    fa_status status = add_shape(r, shape, link);
    for (int i = before; i < r->visuals->n && shape->coloured; i++) {
        fa_visual *visual = &r->visuals->of[i];
        if (visual->coloured) continue;
        visual->coloured = true;
        memcpy(visual->colour, shape->colour, sizeof visual->colour);
    }
    return status;
}

// ------------------------------------------------------------------------------------- the budget

enum { FEWEST = 32 }; // triangles of a mesh, however small it is: a box with bevelled edges

static size_t fewer(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Each mesh gets a share of the budget by its area; what is more than it has goes to the others.
static fa_status share_triangles(const reader *r)
{
    const fa_visuals *v = r->visuals;
    double            budget = (double)r->most_triangles, area = 0;
    double   *own = calloc((size_t)v->n + 1, sizeof *own); // areas; below zero: is shared out
    fa_status status = own ? FA_OK : FA_NO_MEMORY;
    for (int i = 0; i < v->n && own; i++) {
        if (v->of[i].kind != FA_VISUAL_MESH) continue;
        own[i] = fa_triangles_area(v->of[i].triangles, v->of[i].n_triangles);
        area += own[i];
    }
    for (bool again = true; again && own;) {
        again = false;
        for (int i = 0; i < v->n; i++) {
            const double n = (double)v->of[i].n_triangles;
            if (v->of[i].kind != FA_VISUAL_MESH || own[i] < 0) continue;
            if (!(n * area <= budget * own[i]) && n > FEWEST) continue;
            budget -= n;
            area -= own[i];
            own[i] = -1;
            again = true;
        }
    }
    for (int i = 0; i < v->n && status == FA_OK; i++) {
        fa_visual *mesh = &v->of[i];
        if (mesh->kind != FA_VISUAL_MESH || own[i] < 0) continue;
        const double share = area > 0 && budget > 0 ? budget * own[i] / area : 0;
        const size_t most = fewer(mesh->n_triangles, share > FEWEST ? (size_t)share : FEWEST);
        status = fa_decimate(mesh->triangles, mesh->n_triangles, most, &mesh->n_triangles);
    }
    free(own);
    return status;
}

fa_status fa_form_visuals(const char *path, const fa_xacro_options *xacro, const fa_robot *robot,
                          size_t most_triangles, const fa_log *log, fa_visuals *visuals,
                          fa_error *error)
{
    fa_form           form;
    fa_import_options options = {.lenient = true};
    if (xacro) options.xacro = *xacro;
    options.model = robot->name; // of a file with several
    fa_status status = fa_import_form(path, &options, &form, error);
    reader    r = {.form = &form,
                   .log = log,
                   .visuals = visuals,
                   .most_triangles = most_triangles,
                   .xacro = xacro};
    for (int i = 0; i < form.n_shapes && status == FA_OK; i++)
        status = add(&r, &form.shape[i], robot);
    if (status == FA_OK) status = share_triangles(&r);
    tell_passed_over(&r);
    fa_form_free(&form);
    return status;
}
