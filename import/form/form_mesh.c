// Finds, reads and scales the mesh of a shape.
#include "form_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"

static fa_status copy(const fa_mesh *kept, fa_mesh *mesh)
{
    *mesh = (fa_mesh){.n = kept->n, .n_parts = 1};
    mesh->triangle = malloc((kept->n + 1) * sizeof *mesh->triangle);
    mesh->part = calloc(1, sizeof *mesh->part);
    if (!mesh->triangle || !mesh->part) {
        fa_mesh_free(mesh);
        return FA_NO_MEMORY;
    }
    if (kept->n > 0) memcpy(mesh->triangle, kept->triangle, kept->n * sizeof *mesh->triangle);
    mesh->part[0].n = kept->n;
    return FA_OK;
}

fa_status fa_form_mesh(const fa_form *form, const fa_form_shape *shape,
                       const fa_xacro_options *xacro, fa_mesh *mesh, const char **why,
                       fa_error *error)
{
    char        found[FA_MESH_PATH_SIZE];
    const char *path = shape->path;
    fa_status   status = FA_OK;
    *mesh = (fa_mesh){.n = 0};
    *why = "there is not enough memory";
    if (shape->corners != FA_FORM_NOBODY) {
        status = copy(&form->mesh[shape->corners], mesh);
    } else {
        const char *file = shape->mesh_at.file ? shape->mesh_at.file : form->source;
        if (!path && fa_mesh_place(file, shape->mesh, xacro, found, why) != FA_MESH_FOUND)
            return FA_BAD_INPUT;
        status = fa_mesh_read(path ? path : found, mesh, error);
        if (status != FA_OK && error && error->message[0]) *why = error->message;
    }
    if (status == FA_OK) fa_mesh_scale(mesh, shape->size);
    return status;
}
