// Distance of two points on bodies of a chain, directly or over a linkage, with derivatives.
#include "reach.h"

#include <math.h>
#include <string.h>

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
    reach.bar = (fa_four_bar){.pivot = project(p, point_at_home(joint, pivot)),
                              .anchor = project(p, point_at_home(joint, reach.from_frame.r)),
                              .pin = project(p, reach.to_frame.r),
                              .rocker = linkage->rocker,
                              .coupler = linkage->coupler,
                              .branch = linkage->branch};
    return reach;
}

// ------------------------------------------------------------------------------------------ length

static fa_motion point_motion(int body, fa_transform frame, const fa_motion motion[])
{
    const fa_motion ground = {.X = transform_identity(), .pose = transform_identity()};
    return fa_frame_motion(body == FA_WORLD ? &ground : &motion[body], frame);
}

// Adds adjoints with respect to a point's place and velocity, in world axes, to those of its body.
static void add_adjoint(int body, fa_transform frame, const fa_motion motion[], fa_vec3 by_place,
                        fa_vec3 by_velocity, fa_motion_adjoint adjoint[])
{
    static const fa_wrench none = {{0, 0, 0}, {0, 0, 0}};
    if (body == FA_WORLD) return;
    const fa_motion   point = point_motion(body, frame, motion);
    fa_motion_adjoint of_point = {none, none, none};
    of_point.pose.force = mat3_mul(point.pose.E, by_place);
    fa_world_velocity_adjoint(&point, (fa_twist){vec3(0, 0, 0), by_velocity}, &of_point);
    fa_frame_motion_adjoint(&of_point, frame, &adjoint[body]);
}

// From adjoints by d = C - B and by its rate to those by the coordinates.
static void carry_back(const fa_reach *reach, const fa_chain *chain, const double qd[],
                       fa_vec3 by_place, fa_vec3 by_velocity, double q_adjoint[],
                       fa_reach_work work)
{
    const fa_joint_adjoint joint = {.q = q_adjoint, .advance = work.advance};
    memset(q_adjoint, 0, (size_t)chain->n_coordinates * sizeof *q_adjoint);
    memset(work.adjoint, 0, (size_t)chain->n * sizeof *work.adjoint);
    add_adjoint(reach->to, reach->to_frame, work.motion, by_place, by_velocity, work.adjoint);
    add_adjoint(reach->from, reach->from_frame, work.motion, vec3_scale(-1, by_place),
                vec3_scale(-1, by_velocity), work.adjoint);
    fa_chain_motion_adjoint(chain, qd, NULL, work.motion, work.adjoint, joint);
}

static fa_status linkage_length(const fa_reach *reach, const fa_chain *chain, const double q[],
                                double *length, double gradient[])
{
    const fa_body     *joint = &chain->body[reach->to];
    fa_four_bar_length at;
    fa_status          status = fa_four_bar_at(&reach->bar, fa_joint_position(joint, q), &at);
    if (status != FA_OK) return status;
    memset(gradient, 0, (size_t)chain->n_coordinates * sizeof *gradient);
    gradient[joint->coordinate] = joint->ratio * at.first;
    *length = at.length;
    return FA_OK;
}

fa_status fa_reach_length(const fa_reach *reach, const fa_chain *chain, const double q[],
                          double *length, double gradient[], fa_reach_work work)
{
    const fa_vec3 none = {0, 0, 0};
    if (work.advance) memset(work.advance, 0, (size_t)chain->n * sizeof *work.advance);
    if (reach->linkage) return linkage_length(reach, chain, q, length, gradient);
    memset(gradient, 0, (size_t)chain->n_coordinates * sizeof *gradient); // as speeds
    fa_chain_motion(chain, q, gradient, NULL, work.motion);
    const fa_vec3 B = point_motion(reach->from, reach->from_frame, work.motion).pose.r;
    const fa_vec3 C = point_motion(reach->to, reach->to_frame, work.motion).pose.r;
    const fa_vec3 d = vec3_sub(C, B);
    *length = vec3_norm(d);
    if (!(*length > 0)) return FA_SINGULAR;
    carry_back(reach, chain, gradient, vec3_scale(1 / *length, d), none, gradient, work);
    return FA_OK;
}

void fa_reach_curvature(const fa_reach *reach, const fa_chain *chain, const double q[],
                        const double direction[], double product[], fa_reach_work work)
{
    if (work.advance) memset(work.advance, 0, (size_t)chain->n * sizeof *work.advance);
    if (reach->linkage) {
        const fa_body     *joint = &chain->body[reach->to];
        fa_four_bar_length at = {0, 0, 0};
        (void)fa_four_bar_at(&reach->bar, fa_joint_position(joint, q), &at);
        memset(product, 0, (size_t)chain->n_coordinates * sizeof *product);
        product[joint->coordinate] =
            joint->ratio * joint->ratio * at.second * direction[joint->coordinate];
        return;
    }
    // The rate is n.v with n = d / L; by d it changes with (1 - n n^T) v / L, by v with n.
    fa_chain_motion(chain, q, direction, NULL, work.motion);
    const fa_motion B = point_motion(reach->from, reach->from_frame, work.motion);
    const fa_motion C = point_motion(reach->to, reach->to_frame, work.motion);
    const fa_vec3   d = vec3_sub(C.pose.r, B.pose.r);
    const fa_vec3   v = vec3_sub(fa_world_velocity(&C).linear, fa_world_velocity(&B).linear);
    const double    L = vec3_norm(d);
    const fa_vec3   n = vec3_scale(1 / L, d);
    const fa_vec3   across = vec3_scale(1 / L, vec3_sub(v, vec3_scale(dot(n, v), n)));
    carry_back(reach, chain, direction, across, n, product, work);
}

static fa_wrench in_plane(plane p, fa_vec2 force, double factor, fa_vec3 point)
{
    const fa_vec3 f =
        vec3_add(vec3_scale(factor * force.x, p.x), vec3_scale(factor * force.y, p.y));
    return (fa_wrench){cross(point, f), f};
}

fa_reach_push fa_reach_push_of(const fa_reach *reach, const fa_chain *chain, const double q[])
{
    const fa_body         *joint = &chain->body[reach->to];
    const plane            p = across(joint->axis);
    const fa_four_bar_push at = fa_four_bar_push_at(&reach->bar, fa_joint_position(joint, q));
    return (fa_reach_push){in_plane(p, at.force, 1, reach->to_frame.r),
                           in_plane(p, at.first, joint->ratio, reach->to_frame.r),
                           joint->coordinate};
}
