// The triangles of a form's mesh, from its file or from the robot file itself.
#ifndef FA_FORM_MESH_H
#define FA_FORM_MESH_H

#include "form.h"
#include "xacro.h"

// Scaled, in the shape's frame [m]. Where they cannot be had, *why says so; it may point into the
// error. Release with fa_mesh_free. `xacro`: where packages are, NULL: as usual.
fa_status fa_form_mesh(const fa_form *form, const fa_form_shape *shape,
                       const fa_xacro_options *xacro, fa_mesh *mesh, const char **why,
                       fa_error *error);

#endif
