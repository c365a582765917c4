// Stand-ins: rods between the joints and loops of a robot, and a drum where it turns; for a snake,
// bars.
#include "visual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "form_visual.h"

void fa_visuals_free(fa_visuals *visuals)
{
    for (int i = 0; i < visuals->n; i++) free(visuals->of[i].triangles);
    free(visuals->of);
    *visuals = (fa_visuals){.n = 0};
}

fa_visual *fa_visuals_add(fa_visuals *visuals, int link, fa_visual_kind kind)
{
    if ((visuals->n & (visuals->n - 1)) == 0) { // full at each power of two
        size_t     room = visuals->n ? 2 * (size_t)visuals->n : 1;
        fa_visual *larger = realloc(visuals->of, room * sizeof *larger);
        if (!larger) return NULL;
        visuals->of = larger;
    }
    fa_visual *visual = &visuals->of[visuals->n++];
    *visual = (fa_visual){.link = link, .kind = kind, .frame = transform_identity()};
    return visual;
}

// The farthest that a point of a link, its frame, a loop's end or a contact, is along the links.
static double farther(const fa_robot *robot, int i, double way)
{
    double reach = way;
    for (int k = 0; k < robot->n_loops; k++) {
        const fa_loop *loop = fa_robot_loop(robot, k);
        if (loop->from == i) reach = fmax(reach, way + vec3_norm(loop->from_frame.r));
        if (loop->to == i) reach = fmax(reach, way + vec3_norm(loop->to_frame.r));
    }
    for (int k = 0; k < robot->n_contacts; k++) {
        const fa_contact *c = fa_robot_contact(robot, k);
        if (c->link == i) reach = fmax(reach, way + vec3_norm(c->point) + c->law.radius);
    }
    return i == robot->tip_link ? fmax(reach, way + vec3_norm(robot->tip.r)) : reach;
}

// Length of a link from its parent's frame, with what its joint can slide. Limits of joints in
// loops are wide in many files: there the position at the start counts.
static double length_of(const fa_robot *robot, const fa_link *link)
{
    const fa_joint *joint = &link->joint;
    double          travel = 0;
    if (fa_joint_slides(joint->type) && robot->n_loops > 0)
        travel = fabs(joint->initial_position);
    else if (fa_joint_slides(joint->type) && isfinite(joint->limit.upper))
        travel = fabs(joint->limit.upper);
    const double to_joint = link->parent == FA_WORLD ? 0 : vec3_norm(joint->origin.r);
    return to_joint + vec3_norm(link->frame.r) + travel + link->segment.length;
}

double fa_robot_reach(const fa_robot *robot)
{
    double reach = 0;
    for (int i = 0; i < robot->n_links; i++) {
        double way = 0;
        for (int k = i; k != FA_WORLD; k = robot->link[k].parent)
            way += length_of(robot, &robot->link[k]);
        reach = fmax(reach, farther(robot, i, way));
    }
    for (int i = 0; i < robot->n_links && reach == 0; i++)
        reach = 2 * vec3_norm(robot->link[i].com);
    return reach > 0 ? reach : 1;
}

// ----------------------------------------------------------------------------------------- rods

// Axes whose z points along `direction`, which is not zero: the rotation towards them.
static fa_mat3 axes_along(fa_vec3 direction)
{
    fa_vec3 z = vec3_scale(1 / vec3_norm(direction), direction);
    fa_vec3 side = fabs(z.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    fa_vec3 y = cross(z, side);
    y = vec3_scale(1 / vec3_norm(y), y);
    fa_vec3 x = cross(y, z);
    return (fa_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

static bool add_cylinder(fa_visuals *visuals, int link, fa_vec3 from, fa_vec3 to, double radius)
{
    fa_vec3 along = vec3_sub(to, from);
    double  length = vec3_norm(along);
    if (!(length > 0.05 * radius)) return true; // the drum at the joint shows that place
    fa_visual *visual = fa_visuals_add(visuals, link, FA_VISUAL_CYLINDER);
    if (!visual) return false;
    visual->frame.E = axes_along(along);
    visual->frame.r = vec3_scale(0.5, vec3_add(from, to));
    visual->size = vec3(radius, radius, length);
    return true;
}

static bool add_ball(fa_visuals *visuals, int link, fa_vec3 at, double radius)
{
    fa_visual *visual = fa_visuals_add(visuals, link, FA_VISUAL_SPHERE);
    if (!visual) return false;
    visual->frame.r = at;
    visual->size = vec3(radius, radius, radius);
    return true;
}

// A link from its own joint to its frame and to the tip, or to where its mass is if nothing hangs
// on it; the rods to the joints that it carries come with those.
static bool add_rods(fa_visuals *visuals, const fa_robot *robot, int i, bool ends, double radius)
{
    const fa_link *link = &robot->link[i];
    fa_transform   back = transform_inverse(link->frame);
    fa_vec3        joint = back.r, own = vec3(0, 0, 0);
    fa_vec3        axis = mat3_mul(link->frame.E, link->joint.axis);
    bool           moves = link->joint.type != FA_FIXED;
    bool           good = true;
    if (fa_joint_turns(link->joint.type)) {
        fa_vec3 half = vec3_scale(1.6 * radius, axis);
        good &=
            add_cylinder(visuals, i, vec3_sub(joint, half), vec3_add(joint, half), 1.5 * radius);
    }
    if (fa_joint_slides(link->joint.type)) {
        fa_visual *box = fa_visuals_add(visuals, i, FA_VISUAL_BOX);
        good &= box != NULL;
        if (box) {
            box->frame.E = axes_along(axis);
            box->frame.r = joint;
            box->size = vec3(2.4 * radius, 2.4 * radius, 3 * radius);
        }
    }
    if (moves) good &= add_cylinder(visuals, i, joint, own, radius);
    if (robot->tip_link == i) {
        good &= add_cylinder(visuals, i, own, robot->tip.r, radius);
        good &= add_ball(visuals, i, robot->tip.r, 0.7 * radius);
        ends &= vec3_norm(robot->tip.r) == 0;
    }
    // The last link of a branch reaches to where its mass is.
    if (ends && moves) {
        good &= add_cylinder(visuals, i, own, link->com, radius);
        good &= add_ball(visuals, i, link->com, 1.3 * radius);
    }
    return good;
}

// A bar from joint to joint, and an axle where its wheels are.
static bool add_segment(fa_visuals *visuals, const fa_robot *robot, int i)
{
    const fa_segment *segment = &robot->link[i].segment;
    double            width = 0.18 * segment->length;
    fa_visual        *bar = fa_visuals_add(visuals, i, FA_VISUAL_BOX);
    if (!bar) return false;
    bar->frame.r = vec3(segment->length / 2 - segment->wheel, 0, width / 2);
    bar->size = vec3(0.96 * segment->length, width, 0.6 * width);
    for (int side = -1; side <= 1; side += 2) {
        fa_visual *wheel = fa_visuals_add(visuals, i, FA_VISUAL_CYLINDER);
        if (!wheel) return false;
        wheel->frame.E = axes_along(vec3(0, 1, 0));
        wheel->frame.r = vec3(0, side * 0.75 * width, width / 2);
        wheel->size = vec3(width / 2, width / 2, 0.25 * width);
        wheel->coloured = true;
        wheel->colour[0] = wheel->colour[1] = wheel->colour[2] = 0.2;
    }
    return true;
}

// Rods from the frames of two links to points that a loop or a spring ties together.
static bool add_ends(fa_visuals *visuals, const int link[2], const fa_vec3 end[2],
                     const bool drawn[], double radius)
{
    bool good = true;
    for (int i = 0; i < 2; i++)
        if (!drawn[link[i]])
            good &= add_cylinder(visuals, link[i], vec3(0, 0, 0), end[i], 0.7 * radius);
    return good;
}

static bool add_ties(fa_visuals *visuals, const fa_robot *robot, const bool drawn[], double radius)
{
    bool good = true;
    for (int k = 0; k < robot->n_loops && good; k++) {
        const fa_loop *loop = fa_robot_loop(robot, k);
        const int      link[] = {loop->from, loop->to};
        const fa_vec3  end[] = {loop->from_frame.r, loop->to_frame.r};
        if (!fa_loop_is_of_positions(loop->type))
            good = add_ends(visuals, link, end, drawn, radius);
    }
    for (int k = 0; k < robot->n_springs && good; k++) {
        const fa_line_spring *spring = fa_robot_spring(robot, k);
        const int             link[] = {spring->from, spring->to};
        const fa_vec3         end[] = {spring->from_point, spring->to_point};
        good = add_ends(visuals, link, end, drawn, radius);
    }
    return good;
}

static bool add_stand_ins(fa_visuals *visuals, const fa_robot *robot, const bool drawn[],
                          const int children[])
{
    double radius = 0.02 * fa_robot_reach(robot);
    bool   good = true;
    for (int i = 0; i < robot->n_links && good; i++) {
        const fa_link *link = &robot->link[i];
        bool           snake = fa_robot_is_snake(robot);
        if (!drawn[i])
            good = snake ? add_segment(visuals, robot, i)
                         : add_rods(visuals, robot, i, children[i] == 0, radius);
        if (!snake && link->parent != FA_WORLD && !drawn[link->parent])
            good &=
                add_cylinder(visuals, link->parent, vec3(0, 0, 0), link->joint.origin.r, radius);
    }
    good = good && add_ties(visuals, robot, drawn, radius);
    return good;
}

fa_status fa_visuals_of(const fa_robot *robot, const char *path, const fa_xacro_options *xacro,
                        size_t most_triangles, const fa_log *log, fa_visuals *visuals,
                        fa_error *error)
{
    size_t n = (size_t)robot->n_links;
    bool  *drawn = calloc(n, sizeof *drawn);
    int   *children = calloc(n, sizeof *children);
    *visuals = (fa_visuals){.n = 0};
    fa_status status = FA_NO_MEMORY;
    if (drawn && children) {
        status =
            path ? fa_form_visuals(path, xacro, robot, most_triangles, log, visuals, error) : FA_OK;
        for (int i = 0; i < visuals->n; i++) drawn[visuals->of[i].link] = true;
        for (int i = 0; i < robot->n_links; i++)
            if (robot->link[i].parent != FA_WORLD) children[robot->link[i].parent]++;
        for (int k = 0; k < robot->n_loops; k++) { // rods to its loops show such a link
            children[fa_robot_loop(robot, k)->from]++;
            children[fa_robot_loop(robot, k)->to]++;
        }
        if (status == FA_OK && !add_stand_ins(visuals, robot, drawn, children))
            status = FA_NO_MEMORY;
    }
    free(drawn);
    free(children);
    if (status == FA_NO_MEMORY)
        fa_fail(error, status, robot->source, FA_NOWHERE,
                "there is not enough memory for the shapes of its links");
    return status;
}
