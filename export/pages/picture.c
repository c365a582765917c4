// Draws a robot from its kinematics, and fits the drawing to the page.
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "sincos.h"

#define MARGIN     0.12 // share of the page, on each side
#define STROKE_MAX 5000 // more strokes are not distinguishable

// Widths relative to the page, for robots with few joints.
#define LINK_WIDTH   0.06
#define JOINT_WIDTH  0.10
#define TIP_WIDTH    0.06
#define GROUND_WIDTH 0.03
#define FOOT_WIDTH   0.16
#define AXLE_LENGTH  0.9 // relative to the link

typedef struct sheet {
    fa_picture picture;
    int        room;
    fa_vec3    right, up; // the page's directions, in world axes
    double     thinner;   // scale of all widths
} sheet;

static void line(sheet *s, fa_vec3 from, fa_vec3 to, double width, fa_ink ink)
{
    if (s->picture.n == s->room) return;
    s->picture.stroke[s->picture.n++] =
        (fa_stroke){dot(s->right, from), dot(s->up, from),   dot(s->right, to),
                    dot(s->up, to),      width * s->thinner, ink};
}

static fa_status begin(sheet *s, int strokes, int joints, fa_error *error)
{
    s->room = strokes < STROKE_MAX ? strokes : STROKE_MAX;
    s->picture.stroke = malloc((size_t)s->room * sizeof *s->picture.stroke);
    if (!s->picture.stroke)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the robot's picture");
    s->thinner = joints > 8 ? fmax(8.0 / joints, 0.15) : 1;
    return FA_OK;
}

// Moves and scales the drawing, given in metres, into the margins; widths are scaled already.
static void fit(fa_picture *picture)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < picture->n; i++) {
        const fa_stroke *stroke = &picture->stroke[i];
        low[0] = fmin(low[0], fmin(stroke->x1, stroke->x2));
        low[1] = fmin(low[1], fmin(stroke->y1, stroke->y2));
        high[0] = fmax(high[0], fmax(stroke->x1, stroke->x2));
        high[1] = fmax(high[1], fmax(stroke->y1, stroke->y2));
    }
    double extent = fmax(high[0] - low[0], high[1] - low[1]);
    double scale = extent > 0 ? (1 - 2 * MARGIN) / extent : 1;
    for (int i = 0; i < picture->n; i++) {
        fa_stroke *stroke = &picture->stroke[i];
        stroke->x1 = 0.5 + scale * (stroke->x1 - 0.5 * (low[0] + high[0]));
        stroke->x2 = 0.5 + scale * (stroke->x2 - 0.5 * (low[0] + high[0]));
        stroke->y1 = 0.5 + scale * (stroke->y1 - 0.5 * (low[1] + high[1]));
        stroke->y2 = 0.5 + scale * (stroke->y2 - 0.5 * (low[1] + high[1]));
    }
}

// ---------------------------------------------------------------------------------------- the view

static fa_vec3 unit(fa_vec3 v)
{
    return vec3_scale(1 / sqrt(dot(v, v)), v);
}

// Chooses the view: up is against gravity. Planar robots are seen along their axes, others from the
// front, the right and above.
static void look(sheet *s, const fa_chain *chain, const fa_transform pose[])
{
    const double aslant = 0.99; // cosine of the angle up to which two axes count as parallel
    fa_vec3      g = chain->gravity;
    fa_vec3      up = dot(g, g) > 0 ? unit(vec3_scale(-1, g)) : vec3(0, 0, 1);
    fa_vec3      side = fabs(up.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    fa_vec3      front = vec3(0, 0, 0); // from the robot to the viewer
    bool         plane = chain->n > 0;
    for (int i = 0; i < chain->n && plane; i++) {
        if (!fa_joint_turns(chain->body[i].joint)) continue;
        fa_vec3 axis = mat3_tmul(pose[i].E, chain->body[i].axis);
        if (dot(front, front) == 0)
            front = axis;
        else if (fabs(dot(front, axis)) < aslant)
            plane = false;
    }
    if (!plane || dot(front, front) == 0) {
        fa_vec3 right = unit(cross(up, cross(side, up)));
        front = vec3_add(vec3_add(vec3_scale(0.5, right), vec3_scale(0.5, up)), cross(right, up));
    }
    front = unit(front);
    if (fabs(dot(front, up)) > aslant) up = side; // gravity is along the line of sight
    s->right = unit(cross(up, front));
    s->up = cross(front, s->right);
}

// ----------------------------------------------------------------------------------------- an arm

// Points of a link's joint: before and behind the joint's motion.
typedef struct place {
    fa_vec3 before, after;
} place;

typedef struct arm {
    fa_chain      chain;
    fa_body      *body;
    int          *link_body;
    fa_transform *link_frame, *pose;
    double       *q;
    place        *joint; // for each link
    bool         *ends;  // the link has no children
} arm;

static void free_arm(arm *a)
{
    free(a->body);
    free(a->link_body);
    free(a->link_frame);
    free(a->pose);
    free(a->q);
    free(a->joint);
    free(a->ends);
}

static fa_transform link_pose(const arm *a, int link)
{
    int body = a->link_body[link];
    return body == FA_WORLD ? a->link_frame[link]
                            : transform_compose(a->pose[body], a->link_frame[link]);
}

static fa_status stand(arm *a, const fa_robot *robot, fa_error *error)
{
    const size_t n = (size_t)robot->n_links, bodies = (size_t)fa_chain_bodies(robot) + 1;
    a->body = calloc(bodies, sizeof *a->body);
    a->link_body = calloc(n, sizeof *a->link_body);
    a->link_frame = calloc(n, sizeof *a->link_frame);
    a->pose = calloc(bodies, sizeof *a->pose);
    a->q = calloc(bodies, sizeof *a->q);
    a->joint = calloc(n, sizeof *a->joint);
    a->ends = calloc(n, sizeof *a->ends);
    if (!a->body || !a->link_body || !a->link_frame || !a->pose || !a->q || !a->joint || !a->ends)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the robot's picture");
    a->chain = fa_chain_build(robot, a->body, a->link_body, a->link_frame);
    fa_chain_start(robot, a->body, a->link_body, a->q);
    fa_chain_poses(&a->chain, a->q, a->pose);

    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        fa_transform   parent =
            link->parent == FA_WORLD ? transform_identity() : link_pose(a, link->parent);
        // The joint's moved frame follows from the link's frame.
        a->joint[i].before = point_to_parent(parent, link->joint.origin.r);
        a->joint[i].after = transform_compose(link_pose(a, i), transform_inverse(link->frame)).r;
        a->ends[i] = true;
        if (link->parent != FA_WORLD) a->ends[link->parent] = false;
    }
    return FA_OK;
}

static void draw_links(sheet *s, const arm *a, const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        if (fa_joint_slides(link->joint.type))
            line(s, a->joint[i].before, a->joint[i].after, 0.5 * LINK_WIDTH, FA_INK_LINK);
        if (link->parent != FA_WORLD)
            line(s, a->joint[link->parent].after, a->joint[i].before, LINK_WIDTH,
                 a->link_body[link->parent] == FA_WORLD ? FA_INK_GROUND : FA_INK_LINK);
        if (a->ends[i] && i != robot->tip_link)
            line(s, a->joint[i].after, point_to_parent(link_pose(a, i), link->com), LINK_WIDTH,
                 FA_INK_LINK);
    }
}

// Returns true for a moving joint whose parent is fixed to the ground.
static bool stands_on_ground(const arm *a, const fa_robot *robot, int link)
{
    int parent = robot->link[link].parent;
    return robot->link[link].joint.type != FA_FIXED &&
           (parent == FA_WORLD || a->link_body[parent] == FA_WORLD);
}

static fa_status draw_arm(sheet *s, const fa_robot *robot, fa_error *error)
{
    arm       a = {.q = NULL};
    fa_status status = begin(s, 5 * robot->n_links + 2, fa_robot_freedom(robot), error);
    if (status == FA_OK) status = stand(&a, robot, error);
    if (status == FA_OK) {
        look(s, &a.chain, a.pose);
        fa_vec3 tip = point_to_parent(link_pose(&a, robot->tip_link), robot->tip.r);
        for (int i = 0; i < robot->n_links; i++)
            if (stands_on_ground(&a, robot, i))
                line(s, a.joint[i].before, a.joint[i].before, FOOT_WIDTH, FA_INK_GROUND);
        draw_links(s, &a, robot);
        line(s, a.joint[robot->tip_link].after, tip, LINK_WIDTH, FA_INK_LINK);
        for (int i = 0; i < robot->n_links; i++)
            if (robot->link[i].joint.type != FA_FIXED)
                line(s, a.joint[i].before, a.joint[i].before, JOINT_WIDTH, FA_INK_JOINT);
        line(s, tip, tip, TIP_WIDTH, FA_INK_TIP);
    }
    free_arm(&a);
    return status;
}

// ----------------------------------------------------------------------------------------- others

// Draws a snake from above: links, the wheels' axles under them, joints, and the front.
static fa_status draw_snake(sheet *s, const fa_robot *robot, fa_error *error)
{
    const int n = robot->n_links;
    fa_status status = begin(s, 3 * n + 1, n, error);
    if (status != FA_OK) return status;
    s->right = vec3(1, 0, 0);
    s->up = vec3(0, 1, 0);
    for (int pass = 0; pass < 3; pass++) {
        fa_vec3 rear = vec3(0, 0, 0);
        for (int i = 0; i < n; i++) {
            const fa_segment *segment = &robot->link[i].segment;
            fa_vec3           along = vec3(0, 0, 0);
            fa_sincos(segment->initial_angle, &along.y, &along.x);
            fa_vec3 across =
                vec3_scale(0.5 * AXLE_LENGTH * segment->length, vec3(-along.y, along.x, 0));
            fa_vec3 wheel = vec3_add(rear, vec3_scale(segment->wheel, along));
            fa_vec3 front = vec3_add(rear, vec3_scale(segment->length, along));
            if (pass == 0)
                line(s, vec3_add(wheel, across), vec3_sub(wheel, across), GROUND_WIDTH,
                     FA_INK_GROUND);
            if (pass == 1) line(s, rear, front, LINK_WIDTH, FA_INK_LINK);
            if (pass == 2 && i > 0) line(s, rear, rear, JOINT_WIDTH, FA_INK_JOINT);
            rear = front;
        }
        if (pass == 2) line(s, rear, rear, JOINT_WIDTH, FA_INK_TIP);
    }
    return FA_OK;
}

// Draws a cylinder with its rod, for a hydraulic axis, which has no links.
static fa_status draw_cylinder(sheet *s, fa_error *error)
{
    fa_status status = begin(s, 4, 1, error);
    if (status != FA_OK) return status;
    s->right = vec3(1, 0, 0);
    s->up = vec3(0, 1, 0);
    line(s, vec3(0.5, 0.5, 0), vec3(1, 1, 0), 0.5 * LINK_WIDTH, FA_INK_TIP);
    line(s, vec3(0, 0, 0), vec3(0.5, 0.5, 0), 2 * LINK_WIDTH, FA_INK_LINK);
    line(s, vec3(0, 0, 0), vec3(0, 0, 0), JOINT_WIDTH, FA_INK_JOINT);
    line(s, vec3(1, 1, 0), vec3(1, 1, 0), JOINT_WIDTH, FA_INK_JOINT);
    return FA_OK;
}

fa_status fa_picture_draw(const fa_robot *robot, fa_picture *picture, fa_error *error)
{
    sheet     s = {.room = 0};
    fa_status status;
    if (fa_robot_is_axis(robot))
        status = draw_cylinder(&s, error);
    else if (fa_robot_is_snake(robot))
        status = draw_snake(&s, robot, error);
    else
        status = draw_arm(&s, robot, error);
    if (status != FA_OK) {
        free(s.picture.stroke);
        return status;
    }
    fit(&s.picture);
    *picture = s.picture;
    return FA_OK;
}
