// Where parts are at a moment: those of links, and cylinders, whose barrel, piston and rod follow
// from the distance of their ends.
#include <math.h>

#include "scene.h"

typedef struct ends {
    fa_vec3 from, to;    // of the cylinder
    fa_vec3 pivot, held; // of its linkage
    fa_vec3 axis;        // of the joint that it turns
} ends;

// The joint that a cylinder turns: the first one that moves from its second link towards the base.
static const fa_link *driven_of(const fa_robot *robot, const fa_cylinder *cylinder)
{
    const fa_link *link = &robot->link[cylinder->to];
    while (link->joint.type == FA_FIXED && link->parent != FA_WORLD)
        link = &robot->link[link->parent];
    return link;
}

static ends ends_of(const fa_scene *scene, const fa_instant *moment, int i)
{
    const fa_robot    *robot = scene->robot;
    const fa_cylinder *c = fa_robot_cylinder(robot, i);
    const fa_link     *driven = driven_of(robot, c);
    if (fa_robot_is_axis(robot))
        return (ends){.to = vec3(moment->length, 0, 0), .axis = vec3(0, 0, 1)};
    const fa_transform holder =
        driven->parent == FA_WORLD ? scene->upright : moment->pose[driven->parent];
    const fa_transform home = transform_compose(holder, driven->joint.origin);
    ends               e = {.from = point_to_parent(moment->pose[c->from], c->from_point),
                            .to = point_to_parent(moment->pose[c->to], c->to_point),
                            .axis = mat3_tmul(home.E, driven->joint.axis)};
    if (!(vec3_norm(e.axis) > 0)) e.axis = vec3(0, 0, 1);
    e.pivot = e.held = e.to;
    if (!c->linkage.present) return e;
    // Two bars, rocker and coupler, between the pivot and the point that is held: a triangle.
    const double rocker = c->linkage.rocker, coupler = c->linkage.coupler;
    e.pivot = point_to_parent(moment->pose[c->from], c->linkage.pivot);
    fa_vec3 line = vec3_sub(e.held, e.pivot);
    line = vec3_sub(line, vec3_scale(dot(line, e.axis), e.axis));
    const double  square = dot(line, line);
    const double  share = (square + rocker * rocker - coupler * coupler) / (2 * square);
    const double  high = sqrt(fmax(0, rocker * rocker - share * share * square));
    const fa_vec3 side = cross(e.axis, line);
    e.to = vec3_add(e.pivot, vec3_add(vec3_scale(share, line),
                                      vec3_scale(c->linkage.branch * high / sqrt(square), side)));
    return e;
}

static fa_placed between(const fa_part *part, fa_vec3 from, fa_vec3 to)
{
    const fa_vec3 span = vec3_sub(to, from);
    const double  length = vec3_norm(span);
    const fa_vec3 z = length > 0 ? vec3_scale(1 / length, span) : vec3(0, 0, 1);
    return (fa_placed){.frame = {fa_frame_along(z), vec3_scale(0.5, vec3_add(from, to))},
                       .stretch = fmax(length, 1e-9),
                       .paint = part->paint};
}

static fa_placed standing(const fa_part *part, fa_vec3 at, fa_vec3 direction)
{
    const double  length = vec3_norm(direction);
    const fa_vec3 z = length > 0 ? vec3_scale(1 / length, direction) : vec3(0, 0, 1);
    return (fa_placed){.frame = {fa_frame_along(z), at}, .stretch = 1, .paint = part->paint};
}

static fa_vec3 mix(fa_vec3 a, fa_vec3 b, double share)
{
    return vec3_add(a, vec3_scale(share, vec3_sub(b, a)));
}

static fa_placed place_cylinder(const fa_scene *scene, const fa_instant *moment,
                                const fa_part *part)
{
    const ends    e = ends_of(scene, moment, part->of);
    const fa_vec3 span = vec3_sub(e.to, e.from);
    const double  length = fmax(vec3_norm(span), 1e-9), closed = scene->closed[part->of];
    const double  barrel = fmin(0.9 * closed, 0.98 * length);
    // The piston leaves the far end of the barrel as the rod comes out.
    const double out = length - closed + 0.1 * barrel;
    const double piston = fmin(0.92 * barrel, fmax(0.1 * barrel, out));
#define AT(distance) mix(e.from, e.to, (distance) / length)
    fa_placed placed;
    switch (part->kind) {
    case FA_PART_CHAMBER_A:
        placed = between(part, AT(0.04 * barrel), AT(piston));
        break;
    case FA_PART_CHAMBER_B:
        placed = between(part, AT(piston), AT(barrel));
        break;
    case FA_PART_ROD:
        placed = between(part, AT(piston), e.to);
        break;
    case FA_PART_GLAND:
        placed = standing(part, AT(barrel), span);
        break;
    case FA_PART_CAP:
        placed = standing(part, AT(0.05 * barrel), span);
        break;
    case FA_PART_PISTON:
        placed = standing(part, AT(piston), span);
        break;
    case FA_PART_EYE_FROM:
        placed = standing(part, e.from, e.axis);
        break;
    case FA_PART_EYE_TO:
        placed = standing(part, e.to, e.axis);
        break;
    case FA_PART_ROCKER:
        placed = between(part, e.pivot, e.to);
        break;
    case FA_PART_COUPLER:
        placed = between(part, e.to, e.held);
        break;
    case FA_PART_PIVOT:
        placed = standing(part, e.pivot, e.axis);
        break;
    default:
        placed = standing(part, e.held, e.axis);
        break;
    }
#undef AT
    if (part->kind == FA_PART_CHAMBER_A || part->kind == FA_PART_CHAMBER_B) {
        const double pressure = moment->pressure[part->of][part->kind == FA_PART_CHAMBER_B];
        if (scene->pressure > 0 && isfinite(pressure))
            fa_paint_pressure(pressure / scene->pressure, placed.paint.colour);
    }
    return placed;
}

static fa_placed place(const fa_scene *scene, const fa_instant *moment, const fa_part *part)
{
    const fa_robot *robot = scene->robot;
    if (part->kind == FA_PART_OF_WORLD)
        return (fa_placed){.frame = part->frame, .stretch = 1, .paint = part->paint};
    if (part->kind == FA_PART_OF_LINK)
        return (fa_placed){.frame = transform_compose(moment->pose[part->of], part->frame),
                           .stretch = 1,
                           .paint = part->paint};
    if (part->kind == FA_PART_SLIDE) {
        const fa_link     *link = &robot->link[part->of];
        const fa_transform parent =
            link->parent == FA_WORLD ? scene->upright : moment->pose[link->parent];
        const fa_transform own =
            transform_compose(moment->pose[part->of], transform_inverse(link->frame));
        return between(part, point_to_parent(parent, link->joint.origin.r), own.r);
    }
    if (part->kind == FA_PART_BAR) {
        const fa_loop *loop = fa_robot_loop(robot, part->of);
        return between(part, point_to_parent(moment->pose[loop->from], loop->from_frame.r),
                       point_to_parent(moment->pose[loop->to], loop->to_frame.r));
    }
    if (part->kind == FA_PART_SPRING) {
        const fa_line_spring *spring = fa_robot_spring(robot, part->of);
        return between(part, point_to_parent(moment->pose[spring->from], spring->from_point),
                       point_to_parent(moment->pose[spring->to], spring->to_point));
    }
    return place_cylinder(scene, moment, part);
}

void fa_scene_place(const fa_scene *scene, const fa_instant *moment, fa_placed placed[])
{
    for (int i = 0; i < scene->n; i++) placed[i] = place(scene, moment, &scene->part[i]);
}

void fa_scene_learn(fa_scene *scene, const fa_instant moment[], int n)
{
    for (int i = 0; i < scene->robot->n_cylinders; i++) {
        const fa_cylinder *c = fa_robot_cylinder(scene->robot, i);
        double             shortest = INFINITY;
        for (int k = 0; k < n; k++) {
            const ends e = ends_of(scene, &moment[k], i);
            shortest = fmin(shortest, vec3_norm(vec3_sub(e.to, e.from)));
            for (int side = 0; side < 2; side++)
                if (moment[k].pressure[i][side] > scene->pressure)
                    scene->pressure = moment[k].pressure[i][side];
        }
        const double said = c->number[FA_CYLINDER_closed_length];
        scene->closed[i] = said > 0 ? said : 0.8 * shortest;
    }
}

void fa_design_cylinders(fa_scene *scene)
{
    const fa_paint steel = fa_paint_of("#c3cad2", 0.22, 0.9);
    const fa_paint dark = fa_paint_of(scene->dark ? "#566270" : "#3a424b", 0.5, 0.3);
    const fa_paint barrel = fa_paint_of("#e7b33c", 0.4, 0.1);
    for (int i = 0; i < scene->robot->n_cylinders; i++) {
        const fa_cylinder *c = fa_robot_cylinder(scene->robot, i);
        const double       bore = c->number[FA_CYLINDER_bore], rod = c->number[FA_CYLINDER_rod];
        const double       r = fmax(bore > 0 ? 0.6 * bore : 0.014 * scene->size,
                              fa_robot_is_axis(scene->robot) ? 0 : 0.01 * scene->size);
        const struct {
            fa_part_kind kind;
            fa_paint     paint;
            double       radius, length; // of length 1: it is stretched
        } row[] = {{FA_PART_CHAMBER_A, barrel, r, 1},
                   {FA_PART_CHAMBER_B, barrel, r, 1},
                   {FA_PART_ROD, steel, rod > r ? 0.5 * rod : 0.5 * r, 1},
                   {FA_PART_GLAND, dark, 1.16 * r, 0.9 * r},
                   {FA_PART_CAP, dark, 1.16 * r, 0.9 * r},
                   {FA_PART_PISTON, dark, 1.03 * r, 0.35 * r},
                   {FA_PART_EYE_FROM, dark, 1.05 * r, 1.7 * r},
                   {FA_PART_EYE_TO, dark, 1.05 * r, 1.7 * r},
                   {FA_PART_ROCKER, dark, 0.6 * r, 1},
                   {FA_PART_COUPLER, dark, 0.6 * r, 1},
                   {FA_PART_PIVOT, steel, 0.9 * r, 1.9 * r},
                   {FA_PART_HELD, steel, 0.9 * r, 1.9 * r}};
        if (!fa_robot_is_axis(scene->robot)) {
            fa_design_lug(scene, c->from, c->from_point, r);
            fa_design_lug(scene, c->to, c->to_point, r);
            if (c->linkage.present) fa_design_lug(scene, c->from, c->linkage.pivot, r);
        }
        const int rows = c->linkage.present ? sizeof row / sizeof *row : 8;
        for (int k = 0; k < rows; k++) {
            fa_part *part = fa_scene_add(scene, row[k].kind, i, transform_identity(), row[k].paint);
            const bool stretched = row[k].kind <= FA_PART_ROD || row[k].kind == FA_PART_ROCKER ||
                                   row[k].kind == FA_PART_COUPLER;
            if (part)
                fa_surface_drum(&part->surface, row[k].radius, row[k].length,
                                stretched ? 0 : 0.18 * row[k].radius);
        }
    }
}
