// Frames a motion: finds its bounds, the ground, and the camera.
#include "stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLLOW   1.3 // motions this much larger than the robot are followed
#define SMOOTHED 6   // moments to each side

typedef struct box {
    fa_vec3 low, high;
} box;

static void widen(box *b, fa_vec3 p)
{
    b->low = vec3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = vec3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static const box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

// Extremes of all parts of the robot at all moments; obstacles and pegs do not count.
typedef struct cloud {
    size_t   n;
    fa_vec3 *point;
    size_t  *first; // of each moment
    box     *of;    // of each moment
} cloud;

static bool gather(const fa_stage *stage, cloud *c)
{
    const fa_scene *scene = stage->scene;
    const size_t    parts = (size_t)scene->n, moments = (size_t)stage->n;
    fa_placed      *placed = malloc((parts + 1) * sizeof *placed);
    free(c->point);
    c->n = 0;
    // Where nothing is seen, `frame` puts two points there.
    c->point = malloc((parts * moments * FA_EXTREMES + 2) * sizeof *c->point);
    if (!placed || !c->point) {
        free(placed);
        return false;
    }
    for (size_t k = 0; k < moments; k++) {
        fa_scene_place(scene, &stage->moment[k], placed);
        c->first[k] = c->n;
        c->of[k] = EMPTY;
        for (size_t i = 0; i < parts; i++) {
            const fa_part *part = &scene->part[i];
            if (part->surface.n == 0 || part->scenery) continue;
            for (int e = 0; e < FA_EXTREMES; e++) {
                const fa_vec3 p = fa_placed_point(&placed[i], part->extreme[e]);
                c->point[c->n++] = p;
                widen(&c->of[k], p);
            }
        }
    }
    c->first[moments] = c->n;
    free(placed);
    return true;
}

static fa_vec3 middle_of(const box *b)
{
    return vec3_scale(0.5, vec3_add(b->low, b->high));
}

// A base that moves goes away with the camera, if it goes far.
static bool should_follow(const fa_stage *stage, const cloud *c, const box *all)
{
    const fa_robot *robot = stage->scene->robot;
    bool            moves = fa_robot_is_snake(robot);
    double          size = 0;
    for (int i = 0; i < robot->n_links; i++)
        moves |= robot->link[i].joint.type == FA_FLOATING || robot->link[i].joint.type == FA_PLANAR;
    for (int k = 0; k < stage->n; k++)
        size = fmax(size, vec3_norm(vec3_sub(c->of[k].high, c->of[k].low)));
    return moves && vec3_norm(vec3_sub(all->high, all->low)) > FOLLOW * size;
}

static void follow(fa_stage *stage, cloud *c)
{
    stage->follows = true;
    for (int k = 0; k < stage->n; k++) {
        const int from = k > SMOOTHED ? k - SMOOTHED : 0;
        const int to = k + SMOOTHED < stage->n ? k + SMOOTHED : stage->n - 1;
        fa_vec3   sum = vec3(0, 0, 0);
        for (int i = from; i <= to; i++) sum = vec3_add(sum, middle_of(&c->of[i]));
        stage->middle[k] = vec3_scale(1.0 / (to - from + 1), sum);
        for (size_t i = c->first[k]; i < c->first[k + 1]; i++)
            c->point[i] = vec3_sub(c->point[i], stage->middle[k]);
    }
}

static fa_vec3 direction_of(const fa_robot *robot, fa_sight view)
{
    switch (view) {
    case FA_SIGHT_FRONT:
        return vec3(1, 0, 0.04);
    case FA_SIGHT_SIDE:
        return vec3(0, -1, 0.04);
    case FA_SIGHT_TOP:
        return vec3(0, -0.001, 1);
    case FA_SIGHT_3D:
        break;
    }
    return fa_robot_is_snake(robot) ? vec3(0.35, -1, 0.75) : vec3(1, -1.45, 0.62);
}

// 1, 2 or 5 times a power of ten, and at least `least`.
static double round_up(double least)
{
    const double power = pow(10, floor(log10(least)));
    for (int step = 1; step < 10; step = step == 1 ? 2 : 5 * (step == 2) + 10 * (step == 5))
        if (step * power >= 0.999 * least) return step * power;
    return 10 * power;
}

static bool frame(fa_stage *stage, cloud *c, fa_sight view)
{
    box all = EMPTY;
    fa_scene_learn(stage->scene, stage->moment, stage->n);
    if (!gather(stage, c)) return false;
    for (size_t i = 0; i < c->n; i++) widen(&all, c->point[i]);
    stage->ground = fmin(0, c->n > 0 ? all.low.z : 0);
    fa_scene_stand(stage->scene, stage->moment, stage->n, stage->ground);
    if (stage->scene->lost || !gather(stage, c)) return false;
    for (size_t i = 0; i < c->n; i++) widen(&all, c->point[i]);
    if (!(vec3_norm(vec3_sub(all.high, all.low)) > 0) || c->n == 0) {
        const fa_vec3 half = vec3(0.5, 0.5, 0.5); // nothing is seen: a cube of the ground
        all = (box){vec3_scale(-1, half), half};
        for (size_t i = 0; i < 2; i++) c->point[i] = i == 0 ? all.low : all.high;
        c->n = 2;
        c->first[stage->n] = 2;
    }
    stage->low = all.low;
    stage->high = all.high;
    if (should_follow(stage, c, &all)) {
        double size = 0;
        for (int k = 0; k < stage->n; k++)
            size = fmax(size, vec3_norm(vec3_sub(c->of[k].high, c->of[k].low)));
        stage->extent = size;
        follow(stage, c);
    } else {
        stage->extent = vec3_norm(vec3_sub(all.high, all.low));
    }
    stage->square = round_up(stage->extent / 13);
    stage->camera = fa_camera_frame(direction_of(stage->scene->robot, view), c->point, c->n,
                                    stage->width, stage->height);
    return true;
}

fa_status fa_stage_new(fa_scene *scene, const fa_instant moment[], int n, fa_sight view, int width,
                       int height, fa_stage *stage, fa_error *error)
{
    cloud c = {.first = calloc((size_t)n + 1, sizeof *c.first),
               .of = calloc((size_t)n, sizeof *c.of)};
    *stage = (fa_stage){.scene = scene,
                        .moment = moment,
                        .n = n,
                        .width = width,
                        .height = height,
                        .middle = calloc((size_t)n, sizeof *stage->middle)};
    const bool good = c.first && c.of && stage->middle && frame(stage, &c, view);
    free(c.point);
    free(c.first);
    free(c.of);
    if (good) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, scene->robot->source, FA_NOWHERE,
                   "there is not enough memory for the robot's picture");
}

void fa_stage_free(fa_stage *stage)
{
    free(stage->middle);
    *stage = (fa_stage){.n = 0};
}

fa_camera fa_stage_camera(const fa_stage *stage, int k)
{
    fa_camera camera = stage->camera;
    if (!stage->follows) return camera;
    camera.cx += dot(stage->middle[k], camera.x);
    camera.cy += dot(stage->middle[k], camera.y);
    camera.far += dot(stage->middle[k], camera.d);
    return camera;
}
