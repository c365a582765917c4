// The scene that shows a robot in motion in OpenModelica: an XML file of shapes whose places are
// variables of the FMU (fa_extra: poses), and the meshes that it names. docs/fmu.md says who reads
// it.
#ifndef FA_ANIMATION_H
#define FA_ANIMATION_H

#include "export.h"
#include "robot.h"
#include "xacro.h"

typedef struct fa_animation {
    int          n;
    fa_resource *of; // the scene, then its meshes
} fa_animation;

// `path` is the URDF that the robot came from, or NULL (fa_visuals_of), and `as_read` the same
// robot with the names that it has there. The robot shows the poses of its links. Release with
// fa_animation_free, also after a failure.
fa_status fa_animation_make(const fa_robot *robot, const fa_robot *as_read, const char *path,
                            const fa_xacro_options *xacro, const char *identifier,
                            const fa_log *log, fa_animation *animation, fa_error *error);
void      fa_animation_free(fa_animation *animation);

#endif
