// Volumes of shapes become masses: by a density, or by what they are to weigh together.
#include "form_weigh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "form_mesh.h"
#include "number.h"
#include "parts.h"

typedef struct scale {
    fa_form                *form;
    const fa_weights       *weights;
    const fa_xacro_options *xacro;
    const fa_log           *log;
    fa_error               *error;
    bool                   *moves; // of each link: a joint that moves carries it
    fa_solid               *solid; // of each link, of density 1; mass 0: it is not weighed
} scale;

#define FAIL(s, at, ...)                                                                           \
    fa_fail((s)->error, FA_BAD_INPUT, (at).file ? (at).file : (s)->form->source, (at).place,       \
            __VA_ARGS__)

// Returns true for a link whose file gives no mass.
static bool is_bare(const fa_form_link *link)
{
    return !(link->mass > 0);
}

// -------------------------------------------------------------------------------------- solids

static fa_solid cylinder(double radius, double length)
{
    const fa_shape shape = {.kind = FA_CYLINDER, .radius = radius, .height = length};
    return fa_shape_solid(&shape, 1);
}

static fa_status weigh_mesh(const scale *s, const fa_form_shape *shape, fa_solid *solid,
                            char why[512])
{
    fa_mesh     mesh;
    fa_error    error = fa_no_error();
    const char *reason = NULL;
    fa_status   status = fa_form_mesh(s->form, shape, s->xacro, &mesh, &reason, &error);
    if (status == FA_OK) {
        const char *source = shape->at.file ? shape->at.file : s->form->source;
        status = fa_mesh_fill(&mesh, shape->mesh, 1, 1, source, shape->mesh_at.place, s->log, solid,
                              &error);
        reason = error.message;
    }
    fa_mesh_free(&mesh);
    if (status != FA_OK)
        (void)snprintf(why, 512, "the mesh '%.120s' cannot be weighed: %.300s", shape->mesh,
                       reason);
    return status;
}

// *why is filled where this fails for another reason than memory.
static fa_status weigh_shape(const scale *s, const fa_form_shape *shape, fa_solid *solid,
                             char why[512])
{
    const fa_vec3 size = shape->size;
    if (shape->unreadable) {
        (void)snprintf(why, 512, "the shape in line %d has no size that can be read",
                       shape->at.place.line);
        return FA_BAD_INPUT;
    }
    switch (shape->kind) {
    case FA_FORM_BOX:
        *solid = fa_shape_solid(&(fa_shape){.kind = FA_BOX, .size = size}, 1);
        return FA_OK;
    case FA_FORM_SPHERE:
        *solid = fa_ellipsoid_solid(vec3(size.x, size.x, size.x));
        return FA_OK;
    case FA_FORM_CYLINDER:
        *solid = cylinder(size.x, size.z);
        return FA_OK;
    case FA_FORM_CAPSULE:
        *solid = fa_capsule_solid(size.x, size.z);
        return FA_OK;
    case FA_FORM_ELLIPSOID:
        *solid = fa_ellipsoid_solid(size);
        return FA_OK;
    case FA_FORM_MESH:
        return weigh_mesh(s, shape, solid, why);
    }
    return FA_OK;
}

fa_status fa_form_shape_solid(const fa_form *form, const fa_form_shape *shape,
                              const fa_xacro_options *xacro, const fa_log *log, fa_solid *solid,
                              char why[512])
{
    const scale s = {.form = (fa_form *)form, .xacro = xacro, .log = log};
    return weigh_shape(&s, shape, solid, why);
}

// --------------------------------------------------------------------------------------- links

// The shapes of a link for collision, or those for pictures, as one solid; *n counts them.
static fa_status weigh_shapes(const scale *s, int link, bool collision, int *n, fa_solid *solid,
                              char why[512])
{
    const fa_form *f = s->form;
    *n = 0;
    *solid = (fa_solid){.mass = 0};
    for (int i = 0; i < f->n_shapes; i++) {
        const fa_form_shape *shape = &f->shape[i];
        fa_solid             one = {.mass = 0};
        if (shape->link != link || !(collision ? shape->collision : shape->visual)) continue;
        ++*n;
        fa_status status = weigh_shape(s, shape, &one, why);
        if (status != FA_OK) return status;
        *solid = fa_solid_add(*solid, fa_solid_place(one, shape->frame));
    }
    return FA_OK;
}

// A link that bolts to the world and cannot be weighed is left as it is: its mass has no effect.
static fa_status weigh_link(const scale *s, int link)
{
    const fa_form_link   *l = &s->form->link[link];
    const fa_link_weight *own = s->weights->link ? &s->weights->link[link] : NULL;
    const bool            said = own && (own->mass > 0 || own->density > 0);
    char                  why[512] = "", why_not_seen[512] = "";
    int                   n, seen = 0;
    fa_status             status = weigh_shapes(s, link, true, &n, &s->solid[link], why);
    if (status == FA_NO_MEMORY) return fa_form_no_memory(s->form, s->error);
    if (status != FA_OK || n == 0) {
        fa_status again = weigh_shapes(s, link, false, &seen, &s->solid[link], why_not_seen);
        if (again == FA_NO_MEMORY) return fa_form_no_memory(s->form, s->error);
        if (status != FA_OK && again == FA_OK && seen > 0)
            fa_warn(s->log, s->form->source, l->at.place,
                    "link '%s' is weighed by its shapes for pictures, as %s", l->name, why);
        if (again != FA_OK && !why[0]) (void)snprintf(why, sizeof why, "%s", why_not_seen);
        if (seen > 0 || n == 0) status = again;
    }
    if (status == FA_OK && s->solid[link].mass > 0) return FA_OK;
    s->solid[link] = (fa_solid){.mass = 0};
    if (status == FA_OK && !said) return FA_OK; // a frame
    if (status == FA_OK)
        return FAIL(s, own->at,
                    "link '%s' has no shape that its inertia could follow from; give it an "
                    "inertia in the robot file",
                    l->name);
    if (said || s->moves[link] || s->weights->total_mass > 0)
        return FAIL(s, l->at,
                    "link '%s' has no mass, and %s; give it mass and inertia, or another shape",
                    l->name, why);
    fa_warn(s->log, s->form->source, l->at.place,
            "link '%s' stands still and stays without mass: %s", l->name, why);
    return FA_OK;
}

static void find_moving(const scale *s)
{
    const fa_form *f = s->form;
    // Files list parents in any order: as often as links hang on each other, at most.
    for (bool more = true; more;) {
        more = false;
        for (int j = 0; j < f->n_joints; j++) {
            const fa_form_joint *joint = &f->joint[j];
            const bool           moves = joint->type != FA_FORM_FIXED || s->moves[joint->parent];
            more |= moves && !s->moves[joint->child];
            s->moves[joint->child] |= moves;
        }
    }
}

static void give(const scale *s, int link, double density)
{
    fa_form_link *l = &s->form->link[link];
    l->mass = density * s->solid[link].mass;
    l->com = s->solid[link].com;
    l->inertia = sym3_scale(density, s->solid[link].inertia);
    l->weighed = true;
}

// Distributes the rest of the total mass over links without any other data, by their volume.
static fa_status find_density(const scale *s, double volume, double weighed, double *density)
{
    *density = s->weights->density;
    if (!(s->weights->total_mass > 0) || !(volume > 0)) return FA_OK;
    const double left = s->weights->total_mass - weighed;
    if (!(left > 0))
        return FAIL(s, s->form->at,
                    "the links with a mass weigh %s kg together, so that nothing is left of the "
                    "total mass of %s kg for the others; ask for more",
                    fa_number_text(weighed).text, fa_number_text(s->weights->total_mass).text);
    *density = left / volume;
    return FA_OK;
}

static fa_status check_side_file(const scale *s)
{
    const fa_form *f = s->form;
    for (int i = 0; i < f->n_links && s->weights->link; i++) {
        const fa_link_weight *own = &s->weights->link[i];
        if ((own->mass > 0 || own->density > 0) && !is_bare(&f->link[i]))
            return FAIL(s, own->at,
                        "link '%s' has a mass in the robot file, %s kg; remove this element, or "
                        "that mass",
                        f->link[i].name, fa_number_text(f->link[i].mass).text);
    }
    return FA_OK;
}

static fa_status weigh(const scale *s)
{
    const fa_form *f = s->form;
    const bool     all = s->weights->density > 0 || s->weights->total_mass > 0;
    double         volume = 0, weighed = 0, density;
    int            n = 0;
    fa_status      status = check_side_file(s);
    find_moving(s);
    for (int i = 0; i < f->n_links && status == FA_OK; i++) {
        const fa_link_weight *own = s->weights->link ? &s->weights->link[i] : NULL;
        const bool            said = own && (own->mass > 0 || own->density > 0);
        weighed += is_bare(&f->link[i]) ? 0 : f->link[i].mass;
        if (!is_bare(&f->link[i]) || (!all && !said)) continue;
        status = weigh_link(s, i);
        n += s->solid[i].mass > 0;
        if (status != FA_OK || !said) {
            volume += s->solid[i].mass;
            continue;
        }
        give(s, i, own->mass > 0 ? own->mass / s->solid[i].mass : own->density);
        weighed += f->link[i].mass;
    }
    if (status == FA_OK) status = find_density(s, volume, weighed, &density);
    if (status != FA_OK) return status;
    for (int i = 0; i < f->n_links; i++)
        if (s->solid[i].mass > 0 && is_bare(&f->link[i])) give(s, i, density);
    if (all && n == 0)
        fa_warn(s->log, f->source, FA_NOWHERE,
                "no link without mass has a shape, so that nothing is weighed by its shapes");
    return FA_OK;
}

fa_status fa_form_weigh(fa_form *form, const fa_weights *weights, const fa_xacro_options *xacro,
                        const fa_log *log, fa_error *error)
{
    const size_t n = (size_t)form->n_links;
    scale        s = {.form = form,
                      .weights = weights,
                      .xacro = xacro,
                      .log = log,
                      .error = error,
                      .moves = calloc(n + 1, sizeof *s.moves),
                      .solid = calloc(n + 1, sizeof *s.solid)};
    fa_status    status = s.moves && s.solid ? weigh(&s) : fa_form_no_memory(form, error);
    free(s.moves);
    free(s.solid);
    return status;
}
