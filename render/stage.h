// The stage of a scene: camera, ground and light for a whole motion, and pictures of its moments.
#ifndef FA_STAGE_H
#define FA_STAGE_H

#include "camera.h"
#include "raster.h"
#include "scene.h"

typedef enum fa_sight { FA_SIGHT_3D, FA_SIGHT_FRONT, FA_SIGHT_SIDE, FA_SIGHT_TOP } fa_sight;

typedef struct fa_stage {
    fa_scene         *scene;
    const fa_instant *moment; // n of them, at equal distances in time
    int               n;
    int               width, height; // [pixels]
    fa_camera         camera;    // of a motion that the camera follows: of the robot at the origin
    bool              follows;   // the robot goes away, and the camera with it
    fa_vec3          *middle;    // of the robot, smoothed, at each moment, where it follows
    fa_vec3           low, high; // bounds of the motion
    double            ground;    // height [m]
    double            extent;    // diagonal of the bounds [m]
    double            square;    // side of the ground's squares [m]
} fa_stage;

// Frames the motion. Scene and moments must live as long. Release with fa_stage_free, also after a
// failure.
fa_status fa_stage_new(fa_scene *scene, const fa_instant moment[], int n, fa_sight view, int width,
                       int height, fa_stage *stage, fa_error *error);
void      fa_stage_free(fa_stage *stage);

// Draws moment k: background, ground, shadow and robot. *depth has the distances of its samples,
// two in each direction for a pixel; the caller releases it, and the raster, also after a failure.
fa_status fa_stage_draw(const fa_stage *stage, int k, fa_raster *raster, fa_depth *depth,
                        fa_error *error);

// The camera of moment k.
fa_camera fa_stage_camera(const fa_stage *stage, int k);

// Whole files of the picture of moment k, with the path of the tip up to there if there are points
// of it, and the size of the ground's squares. The caller frees them.
fa_status fa_stage_png(const fa_stage *stage, int k, const fa_vec3 trace[], int n_trace,
                       char **data, size_t *size, fa_error *error);
fa_status fa_stage_svg(const fa_stage *stage, int k, const fa_vec3 trace[], int n_trace,
                       char **data, size_t *size, fa_error *error);

#endif
