// The visual shapes of a robot's links, as the file describes them, or stand-ins.
//
// For pictures only. A shape that cannot be read (a missing mesh, or an unknown format) is skipped
// with a warning; it never makes a robot unusable.
#ifndef FA_VISUAL_H
#define FA_VISUAL_H

#include "mesh.h"
#include "robot.h"
#include "xacro.h"

typedef enum fa_visual_kind {
    FA_VISUAL_BOX,
    FA_VISUAL_CYLINDER, // along z
    FA_VISUAL_SPHERE,
    FA_VISUAL_MESH
} fa_visual_kind;

typedef struct fa_visual {
    int            link; // of the robot
    fa_visual_kind kind;
    fa_transform   frame;     // the link's own frame to the shape's, whose origin is its middle
    fa_vec3        size;      // edges; or radius, radius, length; or radius three times [m]
    bool           coloured;  // the file says a colour
    double         colour[3]; // red, green, blue, 0 to 1
    fa_triangle   *triangles; // of a mesh, scaled [m]
    size_t         n_triangles;
    char           file[512]; // of a mesh, as the robot file names it
} fa_visual;

typedef struct fa_visuals {
    int        n;
    fa_visual *of;
} fa_visuals;

// The shapes of a robot's links. `path` is the URDF that it came from (`xacro`: how that is
// expanded; NULL: as usual), or NULL: then, and for links
// without any shape, rods from joint to joint stand in. Meshes with more than `most_triangles`
// together are made coarser, each by its area; small ones keep a few dozen beyond that. Release
// with fa_visuals_free, also after a failure.
fa_status fa_visuals_of(const fa_robot *robot, const char *path, const fa_xacro_options *xacro,
                        size_t most_triangles, const fa_log *log, fa_visuals *visuals,
                        fa_error *error);
void      fa_visuals_free(fa_visuals *visuals);

// Returns the length of the stretched robot, for the scale of pictures [m].
double fa_robot_reach(const fa_robot *robot);

#endif
