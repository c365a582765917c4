// The camera: perspective, and a distance at which the motion fills the picture.
#ifndef FA_CAMERA_H
#define FA_CAMERA_H

#include <stddef.h>

#include "depth.h"
#include "spatial.h"

typedef struct fa_camera {
    fa_vec3 x, y, d;       // to the right, upwards, backwards
    double  far;           // distance of the eye from the origin along d [m]
    double  cx, cy;        // of the eye along x and y [m]
    double  width, height; // of the picture [pixels]
    double  scale;         // [pixels], of what is as far away as it is wide
} fa_camera;

// Looks from `direction` at all points at once. They fill 76 % of the height or of the width,
// whichever binds; what is left is divided equally between opposite margins.
fa_camera fa_camera_frame(fa_vec3 direction, const fa_vec3 point[], size_t n, double width,
                          double height);

// Where the picture shows a point.
fa_spot fa_camera_see(const fa_camera *camera, fa_vec3 point);

#endif
