#include "reach.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ set up

static fa_transform at_point(fa_transform frame, fa_vec3 point)
{
    return (fa_transform){frame.E, point_to_parent(frame, point)};
}

// Coordinates in the plane across the joint's axis, seen from its tip.
typedef struct plane {
    fa_vec3 x, y;
} plane;

static plane across(fa_vec3 axis)
{
    // The direction that the axis has least of, made perpendicular to it.
    const double ax = fabs(axis.x), ay = fabs(axis.y), az = fabs(axis.z);
    fa_vec3 x = ax <= ay && ax <= az ? vec3(1, 0, 0) : ay <= az ? vec3(0, 1, 0) : vec3(0, 0, 1);
    x = vec3_sub(x, vec3_scale(dot(axis, x), axis));
    x = vec3_scale(1 / vec3_norm(x), x);
    return (plane){x, cross(axis, x)};
}

static fa_vec2 project(plane p, fa_vec3 point)
{
    return (fa_vec2){dot(p.x, point), dot(p.y, point)};
}

// A point of the joint's parent, in the axes and from the origin of the joint at zero.
static fa_vec3 point_at_home(const fa_body *joint, fa_vec3 point)
{
    return mat3_mul(joint->home.E, vec3_sub(point, joint->home.r));
}

fa_reach fa_reach_of(const fa_cylinder *cylinder, const fa_chain *chain, const int link_body[],
                     const fa_transform link_frame[])
{
    const fa_linkage *linkage = &cylinder->linkage;
    fa_reach          reach = {
                 .from = link_body[cylinder->from],
                 .to = link_body[cylinder->to],
                 .from_frame = at_point(link_frame[cylinder->from], cylinder->from_point),
                 .to_frame = at_point(link_frame[cylinder->to], cylinder->to_point),
                 .linkage = linkage->present,
    };
    if (!linkage->present || reach.to == FA_WORLD) return reach;
    const fa_body *joint = &chain->body[reach.to];
    const plane    p = across(joint->axis);
    const fa_vec3  pivot = point_to_parent(link_frame[cylinder->from], linkage->pivot);
    reach.joint = reach.to;
    reach.bar = (fa_four_bar){.pivot = project(p, point_at_home(joint, pivot)),
                              .anchor = project(p, point_at_home(joint, reach.from_frame.r)),
                              .pin = project(p, reach.to_frame.r),
                              .rocker = linkage->rocker,
                              .coupler = linkage->coupler,
                              .branch = linkage->branch};
    return reach;
}

// ------------------------------------------------------------------------------------------ extent

static fa_motion point_motion(int body, fa_transform frame, const fa_motion motion[])
{
    const fa_motion ground = {.X = transform_identity(), .pose = transform_identity()};
    return fa_frame_motion(body == FA_WORLD ? &ground : &motion[body], frame);
}

fa_status fa_reach_extent(const fa_reach *reach, const fa_chain *chain, const double q[],
                          const double qd[], const fa_motion motion[], fa_extent *out)
{
    if (reach->linkage) {
        const fa_body     *joint = &chain->body[reach->joint];
        fa_four_bar_length at;
        fa_status          status = fa_four_bar_at(&reach->bar, fa_joint_position(joint, q), &at);
        *out = (fa_extent){.length = at.length,
                           .rate = at.first * fa_joint_rate(joint, qd),
                           .lever = at.first,
                           .bending = at.second};
        return status;
    }
    const fa_motion B = point_motion(reach->from, reach->from_frame, motion);
    const fa_motion C = point_motion(reach->to, reach->to_frame, motion);
    const fa_vec3   d = vec3_sub(C.pose.r, B.pose.r);
    const double    L = vec3_norm(d);
    const fa_vec3   v = vec3_sub(fa_world_velocity(&C).linear, fa_world_velocity(&B).linear);
    if (!(L > 0)) return FA_SINGULAR;
    const fa_vec3 n = vec3_scale(1 / L, d);
    *out = (fa_extent){.length = L, .rate = dot(n, v), .n = n, .v = v};
    return FA_OK;
}

// (1 - n n^T) a / L: how a step of d turns n; its own transpose.
static fa_vec3 turn(const fa_extent *at, fa_vec3 a)
{
    return vec3_scale(1 / at->length, vec3_sub(a, vec3_scale(dot(at->n, a), at->n)));
}

// Steps of a point and of its velocity, in world axes.
typedef struct point_step {
    fa_vec3 place, velocity;
} point_step;

static point_step step_of(int body, fa_transform frame, const fa_motion motion[],
                          const fa_motion_step motion_step[])
{
    if (body == FA_WORLD) return (point_step){{0, 0, 0}, {0, 0, 0}};
    const fa_motion      point = point_motion(body, frame, motion);
    const fa_motion_step step = fa_frame_motion_step(&motion_step[body], frame);
    return (point_step){mat3_tmul(point.pose.E, step.pose.linear),
                        fa_world_velocity_step(&point, &step).linear};
}

fa_extent_step fa_reach_extent_step(const fa_reach *reach, const fa_chain *chain,
                                    const fa_extent *at, const double qd[],
                                    const fa_motion motion[], const double q_step[],
                                    const double qd_step[], const fa_motion_step motion_step[])
{
    if (reach->linkage) {
        const fa_body *joint = &chain->body[reach->joint];
        const double   turned = fa_joint_rate(joint, q_step), lever = at->bending * turned;
        return (fa_extent_step){at->lever * turned,
                                lever * fa_joint_rate(joint, qd) +
                                    at->lever * fa_joint_rate(joint, qd_step),
                                lever,
                                {0, 0, 0}};
    }
    const point_step B = step_of(reach->from, reach->from_frame, motion, motion_step);
    const point_step C = step_of(reach->to, reach->to_frame, motion, motion_step);
    const fa_vec3    d = vec3_sub(C.place, B.place), v = vec3_sub(C.velocity, B.velocity);
    const fa_vec3    n = turn(at, d);
    return (fa_extent_step){dot(at->n, d), dot(n, at->v) + dot(at->n, v), 0, n};
}

static void slope_of(int body, fa_transform frame, const fa_motion motion[], point_step wanted,
                     double sign, fa_motion_slope motion_slope[])
{
    static const fa_wrench none = {{0, 0, 0}, {0, 0, 0}};
    if (body == FA_WORLD) return;
    const fa_motion point = point_motion(body, frame, motion);
    fa_motion_slope slope = {none, none, none};
    slope.pose.force = mat3_mul(point.pose.E, vec3_scale(sign, wanted.place));
    fa_world_velocity_slope(&point, (fa_twist){vec3(0, 0, 0), vec3_scale(sign, wanted.velocity)},
                            &slope);
    fa_frame_motion_slope(&slope, frame, &motion_slope[body]);
}

void fa_reach_extent_slope(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                           const double qd[], const fa_motion motion[], fa_extent_step wanted,
                           fa_motion_slope motion_slope[], double q_slope[], double qd_slope[])
{
    if (reach->linkage) {
        const fa_body *joint = &chain->body[reach->joint];
        const double   lever = wanted.lever + wanted.rate * fa_joint_rate(joint, qd);
        q_slope[joint->coordinate] +=
            joint->ratio * (wanted.length * at->lever + lever * at->bending);
        qd_slope[joint->coordinate] += joint->ratio * wanted.rate * at->lever;
        return;
    }
    const fa_vec3    n = vec3_add(wanted.n, vec3_scale(wanted.rate, at->v));
    const point_step slope = {vec3_add(vec3_scale(wanted.length, at->n), turn(at, n)),
                              vec3_scale(wanted.rate, at->n)};
    slope_of(reach->to, reach->to_frame, motion, slope, 1, motion_slope);
    slope_of(reach->from, reach->from_frame, motion, slope, -1, motion_slope);
}

// ------------------------------------------------------------------------------------------ forces

// A force in world axes at a point of a body, as a wrench about the body's origin.
static void push_at(int body, fa_vec3 point, fa_vec3 force, const fa_motion motion[],
                    fa_wrench wrench[])
{
    if (body == FA_WORLD) return;
    const fa_vec3 f = mat3_mul(motion[body].pose.E, force);
    wrench[body] = wrench_add(wrench[body], (fa_wrench){cross(point, f), f});
}

void fa_reach_push(const fa_reach *reach, const fa_chain *chain, const fa_extent *at, double force,
                   const fa_motion motion[], fa_wrench wrench[], double tau[])
{
    if (reach->linkage) {
        const fa_body *joint = &chain->body[reach->joint];
        tau[joint->coordinate] += joint->ratio * at->lever * force;
        return;
    }
    const fa_vec3 f = vec3_scale(force, at->n);
    push_at(reach->to, reach->to_frame.r, f, motion, wrench);
    push_at(reach->from, reach->from_frame.r, vec3_scale(-1, f), motion, wrench);
}

// The force's own step, and that of the body's axes.
static void push_at_step(int body, fa_vec3 point, fa_vec3 force, fa_vec3 force_step,
                         const fa_motion motion[], const fa_motion_step motion_step[],
                         fa_wrench wrench_step[])
{
    if (body == FA_WORLD) return;
    const fa_mat3 E = motion[body].pose.E;
    const fa_vec3 axes = cross(motion_step[body].pose.angular, mat3_mul(E, force));
    const fa_vec3 f = vec3_sub(mat3_mul(E, force_step), axes);
    wrench_step[body] = wrench_add(wrench_step[body], (fa_wrench){cross(point, f), f});
}

void fa_reach_push_step(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                        double force, const fa_motion motion[], double force_step,
                        const fa_extent_step *step, const fa_motion_step motion_step[],
                        fa_wrench wrench_step[], double tau_step[])
{
    if (reach->linkage) {
        const fa_body *joint = &chain->body[reach->joint];
        tau_step[joint->coordinate] +=
            joint->ratio * (step->lever * force + at->lever * force_step);
        return;
    }
    const fa_vec3 f = vec3_scale(force, at->n);
    const fa_vec3 df = vec3_add(vec3_scale(force_step, at->n), vec3_scale(force, step->n));
    push_at_step(reach->to, reach->to_frame.r, f, df, motion, motion_step, wrench_step);
    push_at_step(reach->from, reach->from_frame.r, vec3_scale(-1, f), vec3_scale(-1, df), motion,
                 motion_step, wrench_step);
}

// Gives the slope with respect to the force in world axes.
static fa_vec3 push_at_slope(int body, fa_vec3 point, fa_vec3 force, const fa_motion motion[],
                             const fa_twist wrench_slope[], fa_motion_slope motion_slope[])
{
    if (body == FA_WORLD) return vec3(0, 0, 0);
    const fa_mat3  E = motion[body].pose.E;
    const fa_twist W = wrench_slope[body];
    const fa_vec3  by_force = vec3_add(W.linear, cross(W.angular, point));
    fa_vec3       *moment = &motion_slope[body].pose.moment;
    *moment = vec3_sub(*moment, cross(mat3_mul(E, force), by_force));
    return mat3_tmul(E, by_force);
}

double fa_reach_push_slope(const fa_reach *reach, const fa_chain *chain, const fa_extent *at,
                           double force, const fa_motion motion[], const fa_twist wrench_slope[],
                           const double tau_slope[], fa_extent_step *by_extent,
                           fa_motion_slope motion_slope[])
{
    if (reach->linkage) {
        const fa_body *joint = &chain->body[reach->joint];
        const double   wanted = joint->ratio * tau_slope[joint->coordinate];
        by_extent->lever += wanted * force;
        return wanted * at->lever;
    }
    const fa_vec3 f = vec3_scale(force, at->n);
    const fa_vec3 to =
        push_at_slope(reach->to, reach->to_frame.r, f, motion, wrench_slope, motion_slope);
    const fa_vec3 from = push_at_slope(reach->from, reach->from_frame.r, vec3_scale(-1, f), motion,
                                       wrench_slope, motion_slope);
    const fa_vec3 by_force = vec3_sub(to, from);
    by_extent->n = vec3_add(by_extent->n, vec3_scale(force, by_force));
    return dot(at->n, by_force);
}
