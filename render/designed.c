// Links without shapes, made up from joints and frames: housings at joints, and tapered bodies
// between them. The ring on a housing has the joint's colour.
#include <math.h>
#include <stdlib.h>

#include "scene.h"

typedef struct palette {
    fa_paint body, housing, metal, dark;
} palette;

static palette palette_of(const fa_scene *scene)
{
    return (palette){.body = fa_paint_of("#e4e7eb", 0.38, 0.05),
                     .housing = fa_paint_of(scene->dark ? "#566270" : "#3a424b", 0.5, 0.2),
                     .metal = fa_paint_of("#b4bbc4", 0.3, 0.85),
                     .dark = fa_paint_of(scene->dark ? "#5a6572" : "#2d333a", 0.7, 0.05)};
}

static fa_vec3 unit_or(fa_vec3 v, fa_vec3 other)
{
    const double length = vec3_norm(v);
    return length > 0 ? vec3_scale(1 / length, v) : other;
}

static fa_transform along(fa_vec3 at, fa_vec3 direction)
{
    return (fa_transform){fa_frame_along(unit_or(direction, vec3(0, 0, 1))), at};
}

static void add_drum(fa_scene *scene, int link, fa_paint paint, fa_transform frame, double radius,
                     double length, double edge)
{
    fa_part *part = fa_scene_add(scene, FA_PART_OF_LINK, link, frame, paint);
    if (part) fa_surface_drum(&part->surface, radius, length, edge);
}

static void add_ball(fa_scene *scene, int link, fa_paint paint, fa_vec3 at, double radius)
{
    fa_part *part =
        fa_scene_add(scene, FA_PART_OF_LINK, link, (fa_transform){mat3_identity(), at}, paint);
    if (part) fa_surface_ball(&part->surface, radius);
}

static void add_body(fa_scene *scene, int link, fa_paint paint, fa_vec3 from, fa_vec3 to,
                     double radius_from, double radius_to)
{
    const fa_vec3 span = vec3_sub(to, from);
    const double  length = vec3_norm(span);
    if (!(length > 0)) return;
    fa_part *part = fa_scene_add(scene, FA_PART_OF_LINK, link, along(from, span), paint);
    if (part) fa_surface_body(&part->surface, radius_from, radius_to, length);
}

// A link's body from its joint to another point. An offset that has a part along the joint's axis
// and one across it is drawn as two pieces, along the axis first, as castings are.
static void add_span(fa_scene *scene, int i, fa_vec3 start, fa_vec3 axis, fa_vec3 end,
                     double radius, double end_radius)
{
    const palette paint = palette_of(scene);
    const fa_vec3 span = vec3_sub(end, start), lift = vec3_scale(dot(span, axis), axis);
    const double  up = vec3_norm(lift), across = vec3_norm(vec3_sub(span, lift));
    const double  from = 0.74 * radius, to = 0.74 * end_radius;
    if (vec3_norm(span) < 0.2 * radius) return;
    if (!(up > 0.35 * radius && across > 0.35 * radius)) {
        add_body(scene, i, paint.body, start, end, from, to);
        return;
    }
    const fa_vec3 corner = vec3_add(start, lift);
    const double  middle = from + (to - from) * up / (up + across);
    add_body(scene, i, paint.body, start, corner, from, middle);
    add_ball(scene, i, paint.body, corner, 1.02 * middle);
    add_body(scene, i, paint.body, corner, end, middle, to);
}

// True if the joint stands where the moving joint before it stands: a wrist, or a shoulder.
static bool shares_place(const fa_scene *scene, int i)
{
    const fa_link *link = scene->robot->link;
    double         far = vec3_norm(link[i].joint.origin.r);
    int            before = link[i].parent;
    while (before != FA_WORLD && link[before].joint.type == FA_FIXED) {
        far += vec3_norm(link[before].frame.r) + vec3_norm(link[before].joint.origin.r);
        before = link[before].parent;
    }
    if (before == FA_WORLD) return false;
    return far + vec3_norm(link[before].frame.r) < 0.5 * scene->radius[i];
}

// The housing of a joint. Of two in one place the second is slimmer, and sticks out on both sides.
static void add_housing(fa_scene *scene, int i, fa_vec3 start, fa_vec3 axis)
{
    const palette   paint = palette_of(scene);
    const fa_joint *joint = &scene->robot->link[i].joint;
    const double    R = scene->radius[i];
    const fa_paint  ring = fa_paint_joint(scene, i);
    if (joint->type == FA_REVOLUTE || joint->type == FA_SCREW) {
        const bool   shared = shares_place(scene, i);
        const double r = shared ? 0.82 * R : R, length = shared ? 2.9 * R : 1.6 * R;
        add_drum(scene, i, paint.housing, along(start, axis), r, length, 0.18 * r);
        for (int side = shared ? -1 : 0; side <= (shared ? 1 : 0); side += 2)
            add_drum(scene, i, ring, along(vec3_add(start, vec3_scale(1.2 * R * side, axis)), axis),
                     1.035 * r, 0.22 * R, 0.05 * r);
        for (int side = -1; side <= 1; side += 2)
            add_drum(scene, i, paint.metal,
                     along(vec3_add(start, vec3_scale(side * (length / 2 + 0.02 * r), axis)), axis),
                     0.6 * r, 0.1 * r, 0.04 * r);
    }
    if (joint->type == FA_PRISMATIC) {
        // The housing stays on the parent, and the rod comes out of it.
        const int     parent = scene->robot->link[i].parent;
        const fa_vec3 at = joint->origin.r, out = mat3_tmul(joint->origin.E, joint->axis);
        if (parent != FA_WORLD) {
            add_drum(scene, parent, paint.housing, along(at, out), 0.8 * R, 2.4 * R, 0.24 * R);
            add_drum(scene, parent, ring, along(at, out), 0.86 * R, 0.25 * R, 0.05 * R);
        }
        fa_part *rod = fa_scene_add(scene, FA_PART_SLIDE, i, transform_identity(), paint.metal);
        if (rod) fa_surface_drum(&rod->surface, 0.5 * R, 1, 0);
        add_drum(scene, i, paint.metal, along(start, axis), 0.62 * R, 0.3 * R, 0.06 * R);
    }
    if (joint->type == FA_SPHERICAL) {
        add_ball(scene, i, paint.housing, start, R);
        add_drum(scene, i, ring, along(start, axis), 1.02 * R, 0.22 * R, 0.05 * R);
    }
}

static bool on_ground(const fa_robot *robot, int link)
{
    while (link != FA_WORLD && robot->link[link].joint.type == FA_FIXED)
        link = robot->link[link].parent;
    return link == FA_WORLD;
}

// A link's far end, where nothing hangs on it: the tip, or as far behind the centre of mass as that
// is from the joint.
static fa_vec3 far_end(const fa_robot *robot, int i, fa_vec3 start)
{
    const fa_link *link = &robot->link[i];
    if (i == robot->tip_link && vec3_norm(vec3_sub(robot->tip.r, start)) > 0) return robot->tip.r;
    return vec3_add(start, vec3_scale(2, vec3_sub(link->com, start)));
}

static void design(fa_scene *scene, int i)
{
    const fa_robot *robot = scene->robot;
    const fa_link  *link = &robot->link[i];
    const palette   paint = palette_of(scene);
    const double    R = scene->radius[i];
    const fa_vec3   start = transform_inverse(link->frame).r;
    const fa_vec3   axis = unit_or(mat3_mul(link->frame.E, link->joint.axis), vec3(0, 0, 1));
    bool            carries = false;
    if (on_ground(robot, i)) return; // fa_scene_stand puts the base there
    add_housing(scene, i, start, axis);
    for (int k = i + 1; k < robot->n_links; k++) {
        if (robot->link[k].parent != i) continue;
        carries = true;
        add_span(scene, i, start, axis, robot->link[k].joint.origin.r, R, scene->radius[k]);
    }
    for (int k = 0; k < robot->n_loops; k++) {
        const fa_loop *loop = fa_robot_loop(robot, k);
        if (loop->type >= FA_LOOP_COUPLING || (loop->from != i && loop->to != i)) continue;
        const fa_vec3 at = loop->from == i ? loop->from_frame.r : loop->to_frame.r;
        carries = true;
        add_span(scene, i, start, axis, at, R, 0.7 * R);
        add_drum(scene, i, paint.metal, along(at, axis), 0.5 * R, 1.7 * R, 0.08 * R);
    }
    const fa_vec3 end = far_end(robot, i, start);
    const bool    reaches = vec3_norm(vec3_sub(end, start)) > 0.2 * R;
    if (!carries || i == robot->tip_link) {
        if (reaches) add_span(scene, i, start, axis, end, R, 0.8 * R);
        if (!carries)
            add_drum(scene, i, paint.metal, along(end, reaches ? vec3_sub(end, start) : axis),
                     0.5 * R, 0.36 * R, 0.06 * R);
    }
}

// The nearest point of a made-up body to a point of its link: bodies lead from its joint to those
// of its children, or to its end.
static fa_vec3 nearest_on_body(const fa_robot *robot, int i, fa_vec3 p)
{
    const fa_vec3 start = transform_inverse(robot->link[i].frame).r;
    fa_vec3       best = start;
    bool          carries = false;
    for (int k = i + 1; k <= robot->n_links; k++) {
        if (k < robot->n_links ? robot->link[k].parent != i : carries) continue;
        const fa_vec3 end =
            k < robot->n_links ? robot->link[k].joint.origin.r : far_end(robot, i, start);
        const fa_vec3 span = vec3_sub(end, start);
        const double  square = dot(span, span);
        const double  t = square > 0 ? dot(vec3_sub(p, start), span) / square : 0;
        const fa_vec3 q = vec3_add(start, vec3_scale(fmin(1, fmax(0, t)), span));
        if (vec3_norm(vec3_sub(q, p)) < vec3_norm(vec3_sub(best, p))) best = q;
        carries = true;
    }
    return best;
}

void fa_design_lug(fa_scene *scene, int i, fa_vec3 p, double radius)
{
    enum { SIDES = 32 };
    const palette paint = palette_of(scene);
    if (scene->drawn[i] || on_ground(scene->robot, i)) return;
    const fa_vec3 from = nearest_on_body(scene->robot, i, p), out = vec3_sub(p, from);
    const double  length = vec3_norm(out);
    if (length < 0.45 * scene->radius[i]) return; // the body is around it
    const double outline[][2] = {{0, 0}, {1.9 * radius, 0}, {radius, length}, {0, length}};
    fa_part     *part = fa_scene_add(scene, FA_PART_OF_LINK, i, along(from, out), paint.housing);
    if (part) fa_surface_turned(&part->surface, outline, 4, SIDES);
}

void fa_design_links(fa_scene *scene)
{
    const fa_robot *robot = scene->robot;
    bool            plain = true; // the file has no shapes at all
    for (int i = 0; i < robot->n_links; i++) plain &= !scene->drawn[i];
    if (fa_robot_is_axis(robot)) return;
    for (int i = 0; i < robot->n_links; i++)
        if (!scene->drawn[i] && (plain || robot->link[i].mass > 0)) design(scene, i);
    for (int i = 0; i < robot->n_loops; i++) {
        const double r = 0.009 * scene->size;
        if (fa_robot_loop(robot, i)->type != FA_LOOP_DISTANCE) continue;
        fa_part *bar =
            fa_scene_add(scene, FA_PART_BAR, i, transform_identity(), palette_of(scene).metal);
        if (bar) fa_surface_drum(&bar->surface, r, 1, 0);
    }
    for (int i = 0; i < robot->n_springs; i++) {
        fa_part *part = fa_scene_add(scene, FA_PART_SPRING, i, transform_identity(),
                                     fa_paint_of("#e7b33c", 0.4, 0.3));
        if (part) fa_surface_drum(&part->surface, 0.008 * scene->size, 1, 0);
    }
}

// -------------------------------------------------------------------------------------------- base

static void add_column(fa_scene *scene, fa_vec3 top, double ground, double R)
{
    enum { STEPS = 20, SIDES = 64 };
    const palette      paint = palette_of(scene);
    const double       height = top.z - ground;
    const fa_transform foot = {mat3_identity(), vec3(top.x, top.y, ground + 0.13 * R)};
    fa_part           *plate = fa_scene_add(scene, FA_PART_OF_WORLD, 0, foot, paint.housing);
    if (plate) fa_surface_drum(&plate->surface, 1.6 * R, 0.26 * R, 0.08 * R);
    if (height <= 0.6 * R) return;
    double outline[STEPS + 1][2];
    for (int i = 0; i <= STEPS; i++) {
        const double t = (double)i / STEPS;
        outline[i][0] = R * (0.78 + 0.5 * pow(1 - t, 5));
        outline[i][1] = 0.12 * R + t * (height - 0.25 * R);
    }
    fa_part *column = fa_scene_add(scene, FA_PART_OF_WORLD, 0, foot, paint.body);
    if (column) fa_surface_turned(&column->surface, (const double(*)[2])outline, STEPS + 1, SIDES);
}

// A base whose robot hangs lower than it stands is a plate behind the joint: a column would stand
// in the way.
static void add_plate(fa_scene *scene, fa_transform joint, fa_vec3 axis, double R)
{
    const palette paint = palette_of(scene);
    const fa_vec3 out = mat3_tmul(joint.E, axis);
    // Above an upright axis; else on the side that the usual views do not see.
    const double  side = fabs(out.z) > 0.7 ? out.z : out.y - out.x;
    const fa_vec3 behind = vec3_add(joint.r, vec3_scale(side > 0 ? R : -R, out));
    fa_part *plate = fa_scene_add(scene, FA_PART_OF_WORLD, 0, along(behind, out), paint.housing);
    if (plate) fa_surface_drum(&plate->surface, 1.6 * R, 0.26 * R, 0.08 * R);
}

// True if a link comes to where a column under the joint would be: a pendulum does.
static bool passes_below(const fa_scene *scene, const fa_instant moment[], int n, fa_vec3 joint,
                         double R)
{
    for (int i = 0; i < scene->n; i++) {
        const fa_part *part = &scene->part[i];
        if (part->kind != FA_PART_OF_LINK || part->surface.n == 0) continue;
        for (int k = 0; k < n; k++)
            for (int e = 0; e < FA_EXTREMES; e++) {
                const fa_transform frame = transform_compose(moment[k].pose[part->of], part->frame);
                const fa_vec3      p = vec3_sub(point_to_parent(frame, part->extreme[e]), joint);
                if (p.z < -1.5 * R && hypot(p.x, p.y) < 1.5 * R) return true;
            }
    }
    return false;
}

void fa_scene_stand(fa_scene *scene, const fa_instant moment[], int n, double ground)
{
    const fa_robot *robot = scene->robot;
    const int       before = scene->n;
    if (fa_robot_is_snake(robot) || fa_robot_is_axis(robot)) return;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        const bool     root = link->parent == FA_WORLD;
        if (link->joint.type == FA_FIXED || !(root || on_ground(robot, link->parent))) continue;
        if (link->joint.type == FA_FLOATING || link->joint.type == FA_PLANAR) continue;
        if (!root && scene->drawn[link->parent]) continue;
        const fa_transform parent = root ? scene->upright : moment->pose[link->parent];
        const fa_transform joint = transform_compose(parent, link->joint.origin);
        if (!passes_below(scene, moment, n, joint.r, scene->radius[i]))
            add_column(scene, joint.r, ground, scene->radius[i]);
        else
            add_plate(scene, joint, link->joint.axis, scene->radius[i]);
    }
    for (int i = before; i < scene->n; i++) {
        scene->lost |= scene->part[i].surface.lost;
        fa_part_measure(&scene->part[i]);
    }
}

// ------------------------------------------------------------------------------------------ snakes

// Rounded bodies on wheels, joints in their colours between them, and eyes in front.
void fa_design_snake(fa_scene *scene)
{
    const fa_robot *robot = scene->robot;
    const palette   paint = palette_of(scene);
    const bool      wheels = !fa_robot_is_sliding(robot) || robot->snake.law == FA_GROUND_WHEEL;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_segment *segment = &robot->link[i].segment;
        const double      length = segment->length;
        const double      w = segment->radius > 0 ? 2 * segment->radius : 0.36 * length;
        const double      high = wheels ? 0.4 * w : 0.36 * w, middle = length / 2 - segment->wheel;
        const fa_vec3     x = vec3(1, 0, 0), y = vec3(0, 1, 0);
        add_drum(scene, i, paint.body, along(vec3(middle, 0, high), x), 0.36 * w, 0.8 * length,
                 0.16 * w);
        for (int side = -1; side <= 1 && wheels; side += 2) {
            const fa_vec3 at = vec3(0, side * 0.46 * w, 0.34 * w);
            add_drum(scene, i, paint.dark, along(at, y), 0.34 * w, 0.16 * w, 0.05 * w);
            add_drum(scene, i, paint.metal, along(vec3_add(at, vec3(0, side * 0.02 * w, 0)), y),
                     0.19 * w, 0.15 * w, 0.02 * w);
        }
        if (i > 0)
            add_drum(scene, i, fa_paint_joint(scene, i),
                     along(vec3(-segment->wheel, 0, high), vec3(0, 0, 1)), 0.2 * w, 0.66 * w,
                     0.05 * w);
        if (i < robot->n_links - 1) continue;
        const double front = length - segment->wheel - 0.1 * length;
        add_ball(scene, i, paint.body, vec3(front, 0, high), 0.36 * w);
        for (int side = -1; side <= 1; side += 2)
            add_ball(scene, i, paint.dark, vec3(front + 0.22 * w, side * 0.2 * w, high + 0.2 * w),
                     0.07 * w);
    }
    for (int i = 0; i < robot->n_things; i++) {
        const fa_thing *thing = fa_robot_thing(robot, i);
        const double    height = 0.12 * scene->size;
        if (thing->kind != FA_THING_PEG) continue;
        fa_part *part =
            fa_scene_add(scene, FA_PART_OF_WORLD, 0,
                         (fa_transform){mat3_identity(), vec3(thing->x, thing->y, height / 2)},
                         fa_paint_of(scene->dark ? "#4d5864" : "#b9c2cc", 0.6, 0));
        if (!part) return;
        part->scenery = true;
        fa_surface_drum(&part->surface, thing->radius, height, 0.1 * thing->radius);
    }
}
