// Meshes of MJCF: from files or from the attributes of <mesh>, placed by refpos and refquat, then
// scaled; and what they weigh.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"
#include "mjcf.h"
#include "paths.h"
#include "values.h"

typedef struct asset {
    double      scale[3], refpos[3], refquat[4];
    int         filling;
    const char *file, *builtin;
} asset;

static fa_status apply_mesh(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    // Names of the values of fa_mjcf_filling, in its order.
    static const char *const fillings[] = {"legacy", "exact", "convex", "shell", NULL};
    asset                   *a = into;
    int                      n;
    fa_status                status = fa_mjcf_numbers(m, e, "scale", 3, 3, a->scale, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "refpos", 3, 3, a->refpos, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "refquat", 4, 4, a->refquat, &n);
    if (status == FA_OK) status = fa_mjcf_word(m, e, "inertia", fillings, &a->filling);
    if (fa_xml_find(e, "file")) a->file = fa_mjcf_text(e, "file");
    if (fa_xml_find(e, "builtin")) a->builtin = fa_mjcf_text(e, "builtin");
    return status;
}

static const char *base_name(const char *path)
{
    const char *slash = fa_path_last(path);
    return slash ? slash + 1 : path;
}

// Finds the file: in the compiler's folder, relative to the main file.
static fa_status find_file(fa_mjcf *m, fa_mjcf_mesh *mesh)
{
    const char *folder = m->compiler.mesh_folder, *why;
    const char *file = m->compiler.strip_path ? base_name(mesh->file) : mesh->file;
    char        name[1024], path[FA_MESH_PATH_SIZE];
    int         size;
    if (folder && folder[0] && !fa_path_is_absolute(file))
        size = snprintf(name, sizeof name, "%s/%s", folder, file);
    else
        size = snprintf(name, sizeof name, "%s", file);
    (void)snprintf(mesh->why, sizeof mesh->why, "its path is too long");
    if (size >= (int)sizeof name) return FA_OK;
    if (fa_mesh_place(m->xml->path, name, &m->options->xacro, path, &why) != FA_MESH_FOUND) {
        (void)snprintf(mesh->why, sizeof mesh->why, "%s", why);
        return FA_OK;
    }
    mesh->path = fa_form_text(m->form, path);
    return mesh->path ? FA_OK : fa_form_no_memory(m->form, m->error);
}

// Its own name, or that of its file without folder and suffix.
static fa_status name_mesh(const fa_mjcf *m, const fa_xml_element *e, fa_mjcf_mesh *mesh)
{
    const char *own = fa_mjcf_text(e, "name"), *file = mesh->file ? base_name(mesh->file) : "";
    const char *dot = strrchr(file, '.');
    const int   length = own && own[0] ? (int)strlen(own)
                         : dot         ? (int)(dot - file)
                                       : (int)strlen(file);
    if (length == 0 || length >= FA_NAME_SIZE)
        return FA_MJCF_FAIL(m, e, "a mesh has no name, or one of more than %d bytes; give it one",
                            FA_NAME_SIZE - 1);
    (void)snprintf(mesh->name, sizeof mesh->name, "%.*s", length, own && own[0] ? own : file);
    return FA_OK;
}

static fa_status read_mesh(fa_mjcf *m, const fa_xml_element *e)
{
    static const char *const tags[] = {"mesh", NULL};
    asset                    a = {.scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}};
    fa_status                status = fa_mjcf_apply(m, e, FA_MJCF_MAIN, tags, apply_mesh, &a);
    if (status != FA_OK) return status;
    void         *list = m->mesh;
    fa_mjcf_mesh *mesh = fa_mjcf_add(&list, &m->n_meshes, sizeof *m->mesh);
    m->mesh = list;
    if (!mesh) return fa_form_no_memory(m->form, m->error);
    const double *q = a.refquat;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
        return FA_MJCF_FAIL(m, e, "refquat of %s has no direction", fa_xml_about(e).text);
    mesh->element = e;
    mesh->file = a.file;
    mesh->filling = (fa_mjcf_filling)a.filling;
    mesh->scale = vec3(a.scale[0], a.scale[1], a.scale[2]);
    mesh->corners = FA_FORM_NOBODY;
    mesh->weighed = FA_UNFIT;
    (void)snprintf(mesh->why, sizeof mesh->why, "%s",
                   a.builtin ? "it is one that MuJoCo makes" : "it has neither file nor vertices");
    // In the axes of the file: turned back and moved, then scaled. As a frame that comes after the
    // scale it is exact where nothing is turned, or all axes have the same factor.
    const fa_mat3 E = fa_mjcf_rotation(q[0], q[1], q[2], q[3]);
    const fa_vec3 moved = mat3_mul(E, vec3(a.refpos[0], a.refpos[1], a.refpos[2]));
    mesh->reference.E = mat3_transpose(E);
    mesh->reference.r = vec3(-a.scale[0] * moved.x, -a.scale[1] * moved.y, -a.scale[2] * moved.z);
    status = name_mesh(m, e, mesh);
    if (status == FA_OK && mesh->file) status = find_file(m, mesh);
    return status;
}

fa_status fa_mjcf_read_meshes(fa_mjcf *m)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *a = fa_xml_child(m->xml->root, "asset"); a && status == FA_OK;
         a = fa_xml_next(a->next, "asset"))
        for (const fa_xml_element *e = fa_xml_child(a, "mesh"); e && status == FA_OK;
             e = fa_xml_next(e->next, "mesh"))
            status = read_mesh(m, e);
    return status;
}

fa_mjcf_mesh *fa_mjcf_find_mesh(const fa_mjcf *m, const char *name)
{
    for (int i = 0; i < m->n_meshes; i++)
        if (strcmp(m->mesh[i].name, name) == 0) return &m->mesh[i];
    return NULL;
}

// ------------------------------------------------------------------------------------- corners

// All numbers of an attribute, released with free(); *n 0: it is absent.
static fa_status read_list(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                           double **value, int *n)
{
    const char *text = fa_mjcf_text(e, name);
    size_t      words = 0;
    *value = NULL;
    *n = 0;
    if (!text) return FA_OK;
    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n"), words++)
        at += strcspn(at, " \t\r\n");
    if (words > 3 * (size_t)FA_LINK_MAX * 10)
        return FA_MJCF_FAIL(m, e, "%s of %s has %zu numbers; no mesh needs that", name,
                            fa_xml_about(e).text, words);
    *value = malloc((words + 1) * sizeof **value);
    if (!*value) return fa_form_no_memory(m->form, m->error);
    *n = (int)words;
    return words == 0
               ? FA_OK
               : fa_read_numbers(fa_mjcf_xml(m, e), e, name, *n, *value, FA_REQUIRED, m->error);
}

static fa_status join(const fa_mjcf *m, const fa_xml_element *e, const double *vertex, int vertices,
                      const double *face, int faces, fa_mesh *to)
{
    to->triangle = malloc(((size_t)faces + 1) * sizeof *to->triangle);
    if (!to->triangle) return fa_form_no_memory(m->form, m->error);
    for (int i = 0; i < faces; i++)
        for (int k = 0; k < 3; k++) {
            const double index = face[3 * i + k];
            if (!(index >= 0 && index < vertices) || index != (int)index)
                return FA_MJCF_FAIL(m, e, "face of %s names a vertex that is not there",
                                    fa_xml_about(e).text);
            const double *v = vertex + 3 * (int)index;
            to->triangle[i].corner[k] = vec3(v[0], v[1], v[2]);
        }
    to->n = (size_t)faces;
    return FA_OK;
}

// Points without faces are the corners of their hull.
static fa_status wrap(const fa_mjcf *m, const fa_xml_element *e, const double *vertex, int vertices,
                      fa_mesh *to)
{
    fa_vec3 *point = malloc(((size_t)vertices + 1) * sizeof *point);
    if (!point) return fa_form_no_memory(m->form, m->error);
    for (int i = 0; i < vertices; i++)
        point[i] = vec3(vertex[3 * i], vertex[3 * i + 1], vertex[3 * i + 2]);
    fa_status status = fa_convex_hull(point, (size_t)vertices, &to->triangle, &to->n);
    free(point);
    if (status != FA_OK) return fa_form_no_memory(m->form, m->error);
    if (to->n > 0) return FA_OK;
    return FA_MJCF_FAIL(m, e, "the vertices of %s lie in a plane, and enclose nothing",
                        fa_xml_about(e).text);
}

static fa_status read_inline(const fa_mjcf *m, const fa_xml_element *e, fa_mesh *to)
{
    double   *vertex, *face = NULL;
    int       n, faces = 0;
    fa_status status = read_list(m, e, "vertex", &vertex, &n);
    if (status == FA_OK) status = read_list(m, e, "face", &face, &faces);
    if (status == FA_OK && (n % 3 != 0 || n < 12 || faces % 3 != 0))
        status = FA_MJCF_FAIL(m, e,
                              "vertex and face of %s have three numbers each time, and four "
                              "vertices or more",
                              fa_xml_about(e).text);
    if (status == FA_OK && faces > 0) status = join(m, e, vertex, n / 3, face, faces / 3, to);
    if (status == FA_OK && faces == 0) status = wrap(m, e, vertex, n / 3, to);
    free(vertex);
    free(face);
    return status;
}

fa_status fa_mjcf_load_mesh(fa_mjcf *m, fa_mjcf_mesh *mesh)
{
    if (mesh->corners != FA_FORM_NOBODY || mesh->path || !fa_xml_find(mesh->element, "vertex"))
        return FA_OK;
    fa_mesh *to = fa_form_add_mesh(m->form);
    if (!to) return fa_form_no_memory(m->form, m->error);
    mesh->corners = m->form->n_meshes - 1;
    return read_inline(m, mesh->element, to);
}

// ------------------------------------------------------------------------------------- weighing

static fa_status take_corners(fa_mjcf *m, const fa_xml_element *e, fa_mjcf_mesh *mesh, fa_mesh *to)
{
    fa_error  why = fa_no_error();
    fa_status status = fa_mjcf_load_mesh(m, mesh);
    *to = (fa_mesh){.n = 0};
    if (status != FA_OK) return status;
    if (mesh->corners != FA_FORM_NOBODY) {
        const fa_mesh *kept = &m->form->mesh[mesh->corners];
        to->triangle = malloc((kept->n + 1) * sizeof *to->triangle);
        if (!to->triangle) return fa_form_no_memory(m->form, m->error);
        memcpy(to->triangle, kept->triangle, kept->n * sizeof *to->triangle);
        to->n = kept->n;
        return FA_OK;
    }
    if (mesh->path) status = fa_mesh_read(mesh->path, to, &why);
    if (mesh->path && status == FA_OK) return FA_OK;
    if (status == FA_NO_MEMORY) return fa_form_no_memory(m->form, m->error);
    return FA_MJCF_FAIL(m, e,
                        "the mass of %s follows from the mesh '%s', which cannot be read: %.400s; "
                        "bring the file, or give the body an <inertial>",
                        fa_xml_about(e).text, mesh->name, mesh->path ? why.message : mesh->why);
}

bool fa_mjcf_mesh_has_frame(const fa_mjcf_mesh *mesh)
{
    const fa_mat3 one = mat3_identity(), E = mesh->reference.E;
    const bool    turned = memcmp(&E, &one, sizeof E) != 0;
    return !turned || (mesh->scale.x == mesh->scale.y && mesh->scale.y == mesh->scale.z);
}

// From the file's axes to the geom's: moved and turned back, then scaled.
static void place(const fa_mjcf_mesh *mesh, fa_mesh *corners)
{
    const fa_vec3 s = mesh->scale;
    fa_vec3       moved = mesh->reference.r; // scaled already
    const fa_mat3 R = mesh->reference.E;
    for (size_t i = 0; i < corners->n; i++)
        for (int k = 0; k < 3; k++) {
            const fa_vec3 turned = mat3_tmul(R, corners->triangle[i].corner[k]);
            corners->triangle[i].corner[k] =
                vec3(s.x * turned.x + moved.x, s.y * turned.y + moved.y, s.z * turned.z + moved.z);
        }
    if (s.x * s.y * s.z >= 0) return;
    for (size_t i = 0; i < corners->n; i++) {
        const fa_vec3 second = corners->triangle[i].corner[1];
        corners->triangle[i].corner[1] = corners->triangle[i].corner[2];
        corners->triangle[i].corner[2] = second;
    }
}

static fa_status fill_hull(const fa_mjcf *m, const fa_mesh *corners, fa_solid *solid)
{
    fa_vec3     *point = malloc((3 * corners->n + 1) * sizeof *point);
    fa_triangle *hull = NULL;
    size_t       n = 0;
    if (!point) return fa_form_no_memory(m->form, m->error);
    for (size_t i = 0; i < 3 * corners->n; i++) point[i] = corners->triangle[i / 3].corner[i % 3];
    fa_status status = fa_convex_hull(point, 3 * corners->n, &hull, &n);
    if (status == FA_OK && n > 0) *solid = fa_triangles_exact(hull, n);
    free(hull);
    free(point);
    return status == FA_OK ? FA_OK : fa_form_no_memory(m->form, m->error);
}

fa_status fa_mjcf_weigh_mesh(fa_mjcf *m, const fa_xml_element *e, fa_mjcf_mesh *mesh,
                             fa_solid *solid)
{
    if (mesh->weighed == FA_OK) {
        *solid = mesh->solid;
        return FA_OK;
    }
    fa_mesh   corners;
    fa_status status = take_corners(m, e, mesh, &corners);
    *solid = (fa_solid){.mass = 0};
    if (status == FA_OK && corners.n > 0) {
        place(mesh, &corners);
        if (mesh->filling == FA_MJCF_CONVEX)
            status = fill_hull(m, &corners, solid);
        else if (mesh->filling == FA_MJCF_EXACT)
            *solid = fa_triangles_exact(corners.triangle, corners.n);
        else if (mesh->filling == FA_MJCF_SHELL)
            *solid = fa_triangles_shell(corners.triangle, corners.n);
        else
            *solid = fa_triangles_legacy(corners.triangle, corners.n);
    }
    fa_mesh_free(&corners);
    if (status != FA_OK) return status;
    const fa_sym3 I = solid->inertia;
    if (!isfinite(solid->mass) || !isfinite(I.xx + I.yy + I.zz))
        return FA_MJCF_FAIL(m, mesh->element,
                            "the mesh '%s' is too large to be calculated with; lengths are metres",
                            mesh->name);
    if (!(solid->mass > 0))
        return FA_MJCF_FAIL(m, mesh->element,
                            "the mesh '%s' %s; correct it, or let inertia=\"shell\" weigh its "
                            "surface",
                            mesh->name, solid->mass < 0 ? "is inside out" : "encloses no volume");
    mesh->solid = *solid;
    mesh->weighed = FA_OK;
    return FA_OK;
}
