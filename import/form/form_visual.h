// Interface between visual.c and form_visual.c.
#ifndef FA_FORM_VISUAL_H
#define FA_FORM_VISUAL_H

#include "visual.h"

// Appends a shape; NULL if out of memory.
fa_visual *fa_visuals_add(fa_visuals *visuals, int link, fa_visual_kind kind);

// The shapes of a robot file for the links that the robot has. A file of another kind has none.
fa_status fa_form_visuals(const char *path, const fa_xacro_options *xacro, const fa_robot *robot,
                          size_t most_triangles, const fa_log *log, fa_visuals *visuals,
                          fa_error *error);

#endif
