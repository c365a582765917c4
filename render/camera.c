// The distance is exact for the points: each edge of the inner frame, 76 % of the picture, is a
// plane through the eye that some point touches.
#include "camera.h"

#include <math.h>

#define SHARE 0.76                // of the binding side
#define SLOPE 0.23086819112556312 // tangent of half the angle of view, 13 degrees

// The greatest u.p + k d.p of the points.
static double most(const fa_vec3 point[], size_t n, fa_vec3 u, double k, fa_vec3 d)
{
    const fa_vec3 direction = vec3_add(u, vec3_scale(k, d));
    double        best = -INFINITY;
    for (size_t i = 0; i < n; i++) best = fmax(best, dot(direction, point[i]));
    return best;
}

static double distance(const fa_vec3 point[], size_t n, fa_vec3 u, double k, fa_vec3 d)
{
    return (most(point, n, u, k, d) + most(point, n, vec3_scale(-1, u), k, d)) / (2 * k);
}

// The place of the eye along u from which the extremes are equally far to both sides.
static double middle(const fa_vec3 point[], size_t n, fa_vec3 u, fa_vec3 d, double far)
{
    const fa_vec3 none = vec3(0, 0, 0);
    double low = -most(point, n, vec3_scale(-1, u), 0, none), high = most(point, n, u, 0, none);
    for (int step = 0; step < 40; step++) {
        const double c = 0.5 * (low + high);
        double       left = INFINITY, right = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            const double slope = (dot(point[i], u) - c) / (far - dot(point[i], d));
            left = fmin(left, slope);
            right = fmax(right, slope);
        }
        if (left + right > 0)
            low = c;
        else
            high = c;
    }
    return 0.5 * (low + high);
}

fa_camera fa_camera_frame(fa_vec3 direction, const fa_vec3 point[], size_t n, double width,
                          double height)
{
    fa_camera camera = {.width = width, .height = height, .scale = height / 2 / SLOPE};
    camera.d = vec3_scale(1 / vec3_norm(direction), direction);
    camera.x = cross(vec3(0, 0, 1), camera.d);
    camera.x = vec3_scale(1 / vec3_norm(camera.x), camera.x);
    camera.y = cross(camera.d, camera.x);
    const double ky = SHARE * SLOPE, kx = ky * width / height;
    camera.far = fmax(distance(point, n, camera.x, kx, camera.d),
                      distance(point, n, camera.y, ky, camera.d));
    camera.cx = middle(point, n, camera.x, camera.d, camera.far);
    camera.cy = middle(point, n, camera.y, camera.d, camera.far);
    return camera;
}

fa_spot fa_camera_see(const fa_camera *camera, fa_vec3 point)
{
    const double z = camera->far - dot(point, camera->d);
    return (fa_spot){camera->width / 2 + (dot(point, camera->x) - camera->cx) / z * camera->scale,
                     camera->height / 2 - (dot(point, camera->y) - camera->cy) / z * camera->scale,
                     z};
}
