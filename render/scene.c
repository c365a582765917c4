// Makes the parts of a scene: from the shapes of the robot's file first, then those made up.
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "form_visual.h"

#define MOST_TRIANGLES 200000 // of all meshes together; more cannot be told apart

fa_part *fa_scene_add(fa_scene *scene, fa_part_kind kind, int of, fa_transform frame,
                      fa_paint paint)
{
    if (scene->n == scene->room) {
        const int room = scene->room ? 2 * scene->room : 64;
        fa_part  *part = realloc(scene->part, (size_t)room * sizeof *part);
        scene->lost |= part == NULL;
        if (!part) return NULL;
        scene->part = part;
        scene->room = room;
    }
    fa_part *part = &scene->part[scene->n++];
    *part = (fa_part){.kind = kind, .of = of, .frame = frame, .paint = paint, .made = true};
    return part;
}

void fa_scene_free(fa_scene *scene)
{
    for (int i = 0; i < scene->n; i++) fa_surface_free(&scene->part[i].surface);
    free(scene->part);
    free(scene->radius);
    free(scene->drawn);
    free(scene->closed);
    *scene = (fa_scene){.n = 0};
}

// ------------------------------------------------------------------------------------------ shapes

// A shape without a colour has one of two greys, so that neighbours differ. Dark and grey surfaces
// are duller.
static fa_paint paint_of(const fa_visual *visual)
{
    if (!visual->coloured) return fa_paint_of(visual->link % 2 ? "#aeb7c1" : "#dfe3e8", 0.42, 0.05);
    fa_paint     paint = {.roughness = 0.42, .metalness = 0.05};
    const double most = fmax(visual->colour[0], fmax(visual->colour[1], visual->colour[2]));
    const double least = fmin(visual->colour[0], fmin(visual->colour[1], visual->colour[2]));
    if (most - least < 0.08 && most + least < 0.7) paint.roughness = 0.5;
    for (int i = 0; i < 3; i++) {
        const double share = visual->colour[i];
        paint.colour[i] = share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
    }
    return paint;
}

static void add_shape(fa_scene *scene, const fa_visual *visual)
{
    fa_part *part =
        fa_scene_add(scene, FA_PART_OF_LINK, visual->link, visual->frame, paint_of(visual));
    if (!part) return;
    part->made = false;
    switch (visual->kind) {
    case FA_VISUAL_BOX:
        fa_surface_box(&part->surface, visual->size);
        break;
    case FA_VISUAL_CYLINDER:
        fa_surface_drum(&part->surface, visual->size.x, visual->size.z, 0.04 * visual->size.x);
        break;
    case FA_VISUAL_SPHERE:
        fa_surface_ball(&part->surface, visual->size.x);
        break;
    case FA_VISUAL_MESH:
        fa_surface_creased(&part->surface, visual->triangles, visual->n_triangles);
        break;
    }
    scene->drawn[visual->link] = true;
}

static fa_status read_shapes(fa_scene *scene, const char *path, const fa_xacro_options *xacro,
                             const fa_log *log, fa_error *error)
{
    fa_visuals visuals = {.n = 0};
    if (!path) return FA_OK;
    fa_status status =
        fa_form_visuals(path, xacro, scene->robot, MOST_TRIANGLES, log, &visuals, error);
    for (int i = 0; i < visuals.n && status == FA_OK; i++) add_shape(scene, &visuals.of[i]);
    fa_visuals_free(&visuals);
    return status;
}

// ---------------------------------------------------------------------------------------- measures

static fa_transform upright_of(fa_vec3 gravity)
{
    if (!(vec3_norm(gravity) > 0)) return transform_identity();
    const fa_vec3 up = vec3_scale(-1 / vec3_norm(gravity), gravity);
    const fa_vec3 axis = cross(up, vec3(0, 0, 1));
    const double  sine = vec3_norm(axis);
    if (sine < 1e-9 && up.z > 0) return transform_identity();
    const fa_vec3 about = sine < 1e-9 ? vec3(1, 0, 0) : vec3_scale(1 / sine, axis);
    // A frame in which the world has its z along `up`; its parent is the upright one.
    return (fa_transform){fa_rotation_about(about, atan2(sine, up.z)), {0, 0, 0}};
}

// Sums up the lengths of links from the base to the farthest tip, and finds the radii of joints:
// thick at the base, less than half as thick at the tip.
static void measure(fa_scene *scene, int depth[], double reach[])
{
    const fa_robot *robot = scene->robot;
    int             most = 1;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        const bool     root = link->parent == FA_WORLD;
        double         travel = 0;
        if (fa_joint_slides(link->joint.type) && isfinite(link->joint.limit.upper))
            travel = fabs(link->joint.limit.upper);
        depth[i] = (root ? 0 : depth[link->parent]) + (link->joint.type != FA_FIXED);
        reach[i] = (root ? 0 : reach[link->parent] + vec3_norm(link->joint.origin.r)) +
                   vec3_norm(link->frame.r) + travel + link->segment.length;
        const double tip = i == robot->tip_link ? vec3_norm(robot->tip.r) : 0;
        scene->size = fmax(scene->size, reach[i] + fmax(tip, vec3_norm(link->com)));
        if (depth[i] > most) most = depth[i];
    }
    if (!(scene->size > 0)) scene->size = 1;
    for (int i = 0; i < robot->n_links; i++) {
        const double k = depth[i] > 1 ? depth[i] - 1 : 0, n = most > 1 ? most - 1 : 1;
        scene->radius[i] = 0.062 * scene->size * (1 - 0.62 * k / n);
    }
}

// Finds the corners that are farthest in the directions of a cube's faces, edges and corners.
void fa_part_measure(fa_part *part)
{
    int n = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                if (x == 0 && y == 0 && z == 0) continue;
                double best = -INFINITY;
                for (size_t i = 0; i < 3 * part->surface.n; i++) {
                    const fa_vec3 p = part->surface.of[i / 3].corner[i % 3];
                    const double  far = x * p.x + y * p.y + z * p.z;
                    if (far <= best) continue;
                    best = far;
                    part->extreme[n] = p;
                }
                n++;
            }
}

static void add_obstacles(fa_scene *scene)
{
    const fa_paint paint = fa_paint_of(scene->dark ? "#4d5864" : "#b9c2cc", 0.6, 0);
    for (int i = 0; i < scene->robot->n_obstacles; i++) {
        const fa_obstacle *o = fa_robot_obstacle(scene->robot, i);
        fa_part           *part = fa_scene_add(scene, FA_PART_OF_WORLD, 0, o->pose, paint);
        if (!part) return;
        if (o->shape == FA_OBSTACLE_SPHERE)
            fa_surface_ball(&part->surface, o->radius);
        else
            fa_surface_box(&part->surface, o->size);
        part->frame = transform_compose(scene->upright, part->frame);
        part->scenery = true;
    }
}

fa_status fa_scene_new(const fa_robot *robot, const char *path, const fa_xacro_options *xacro,
                       bool dark, const fa_log *log, fa_scene *scene, fa_error *error)
{
    const size_t n = (size_t)robot->n_links;
    int         *depth = calloc(n, sizeof *depth);
    double      *reach = calloc(n, sizeof *reach);
    *scene = (fa_scene){.robot = robot,
                        .dark = dark,
                        .upright = upright_of(robot->gravity),
                        .radius = calloc(n, sizeof *scene->radius),
                        .drawn = calloc(n, sizeof *scene->drawn),
                        .closed = calloc((size_t)robot->n_cylinders + 1, sizeof *scene->closed)};
    fa_status status = FA_OK;
    scene->lost = !depth || !reach || !scene->radius || !scene->drawn || !scene->closed;
    if (!scene->lost) {
        measure(scene, depth, reach);
        if (path) status = read_shapes(scene, path, xacro, log, error);
    }
    free(depth);
    free(reach);
    if (status == FA_OK && !scene->lost) {
        if (fa_robot_is_snake(robot))
            fa_design_snake(scene);
        else
            fa_design_links(scene);
        fa_design_cylinders(scene);
        add_obstacles(scene);
        for (int i = 0; i < scene->n; i++) {
            scene->lost |= scene->part[i].surface.lost;
            fa_part_measure(&scene->part[i]);
        }
    }
    if (status == FA_OK && scene->lost)
        status = fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                         "there is not enough memory for the robot's picture");
    return status;
}
