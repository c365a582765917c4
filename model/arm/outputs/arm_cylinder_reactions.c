// Wrenches of cylinders on the links at their ends, for the forces in joints (arm_reactions.c).
//
// A cylinder pushes its two ends apart along the line through them: in the world one wrench W on
// the one link and -W on the other. Through a four-bar linkage, whose rocker and coupler have no
// mass, the link that is turned feels the coupler alone, and what holds cylinder and rocker feels
// the same wrench backwards, since all that is between them is in balance.
//
//     W = F (C x n, n)            from B to C, n = (C - B) / L
//     W = F X^T w(q)              over a linkage, w: of a unit force, in the frame of the link
//
// and a link with the pose X (world to link) feels X^-T W in its own frame.
#include "arm_outputs.h"

typedef struct ends {
    const fa_reach  *between;
    const fa_motion *from, *to; // of the links
} ends;

static ends ends_of(const fa_arm *arm, const fa_arm_cylinder *c)
{
    const fa_motion *motion = arm->outputs->parts.motion;
    return (ends){&c->between, &motion[c->between.from], &motion[c->between.to]};
}

// ------------------------------------------------------------------------------------------ values

// B, C and from them n and L.
typedef struct line {
    fa_motion B, C;
    fa_vec3   n;
    double    length;
} line;

static line line_of(const ends *e)
{
    line          l = {.B = fa_frame_motion(e->from, e->between->from_frame),
                       .C = fa_frame_motion(e->to, e->between->to_frame)};
    const fa_vec3 d = vec3_sub(l.C.pose.r, l.B.pose.r);
    l.length = vec3_norm(d);
    l.n = vec3_scale(1 / l.length, d);
    return l;
}

static fa_wrench at_point(fa_vec3 point, fa_vec3 force)
{
    return (fa_wrench){cross(point, force), force};
}

// W.
static fa_wrench in_world(const fa_arm *arm, const fa_arm_cylinder *c, const double q[])
{
    const ends   e = ends_of(arm, c);
    const double F = c->law[FA_AXIS_FORCE];
    if (c->reach.linkage) {
        const fa_reach_push push = fa_reach_push_of(&c->reach, &arm->chain, q);
        return to_parent(e.to->pose, wrench_scale(F, push.unit));
    }
    const line l = line_of(&e);
    return at_point(l.C.pose.r, vec3_scale(F, l.n));
}

void fa_arm_cylinder_wrenches(const fa_arm *arm, const double value[], fa_wrench wrench[])
{
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const int              from = c->between.from, to = c->between.to;
        const ends             e = ends_of(arm, c);
        const fa_wrench        W = in_world(arm, c, value + arm->row[FA_ARM_POSITION]);
        wrench[to] = wrench_add(wrench[to], wrench_to_child(e.to->pose, W));
        wrench[from] = wrench_sub(wrench[from], wrench_to_child(e.from->pose, W));
    }
}

// ---------------------------------------------------------------------------------------- tangents

// The tangent of a point's place in the world.
static fa_vec3 place_tangent(const fa_motion *point, const fa_motion_tangent *body,
                             fa_transform frame)
{
    return mat3_tmul(point->pose.E, fa_frame_motion_tangent(body, frame).pose.linear);
}

static fa_wrench in_world_tangent(const fa_arm *arm, const fa_arm_cylinder *c, const double q[],
                                  const double dq[], double dF)
{
    const fa_motion_tangent *tangent = arm->outputs->parts.motion_tangent;
    const fa_motion_tangent *from = &tangent[c->between.from], *to = &tangent[c->between.to];
    const ends               e = ends_of(arm, c);
    const double             F = c->law[FA_AXIS_FORCE];
    if (c->reach.linkage) {
        const fa_reach_push push = fa_reach_push_of(&c->reach, &arm->chain, q);
        const double        turn = F * dq[push.coordinate];
        const fa_wrench     change =
            wrench_add(wrench_scale(dF, push.unit), wrench_scale(turn, push.first));
        return to_parent(e.to->pose, wrench_add(change, twist_cross_wrench(
                                                            to->pose, wrench_scale(F, push.unit))));
    }
    const line    l = line_of(&e);
    const fa_vec3 dB = place_tangent(&l.B, from, c->between.from_frame);
    const fa_vec3 dC = place_tangent(&l.C, to, c->between.to_frame);
    const fa_vec3 dd = vec3_sub(dC, dB);
    const fa_vec3 dn = vec3_scale(1 / l.length, vec3_sub(dd, vec3_scale(dot(l.n, dd), l.n)));
    const fa_vec3 df = vec3_add(vec3_scale(dF, l.n), vec3_scale(F, dn));
    fa_wrench     dW = at_point(l.C.pose.r, df);
    dW.moment = vec3_add(dW.moment, cross(dC, vec3_scale(F, l.n)));
    return dW;
}

// Tangent of X^-T W, with a moving X.
static fa_wrench in_link_tangent(const fa_motion *link, const fa_motion_tangent *tangent,
                                 fa_wrench W, fa_wrench dW)
{
    return wrench_sub(wrench_to_child(link->pose, dW),
                      twist_cross_wrench(tangent->pose, wrench_to_child(link->pose, W)));
}

void fa_arm_cylinder_wrench_tangents(const fa_arm *arm, const double value[],
                                     const double direction[], fa_wrench wrench_tangent[])
{
    const double            *q = value + arm->row[FA_ARM_POSITION];
    const double            *dq = direction + arm->row[FA_ARM_POSITION];
    const fa_motion_tangent *tangent = arm->outputs->parts.motion_tangent;
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const int              from = c->between.from, to = c->between.to;
        const ends             e = ends_of(arm, c);
        const double           dF = fa_arm_cylinder_force_tangent(arm, c, value, direction);
        const fa_wrench        W = in_world(arm, c, q), dW = in_world_tangent(arm, c, q, dq, dF);
        wrench_tangent[to] =
            wrench_add(wrench_tangent[to], in_link_tangent(e.to, &tangent[to], W, dW));
        wrench_tangent[from] =
            wrench_sub(wrench_tangent[from], in_link_tangent(e.from, &tangent[from], W, dW));
    }
}

// ---------------------------------------------------------------------------------------- adjoints

// The transpose of in_link_tangent: `wanted` pairs with the wrench in the link. Gives what pairs
// with W.
static fa_twist in_link_adjoint(const fa_motion *link, fa_twist wanted, fa_wrench W,
                                fa_motion_adjoint *adjoint)
{
    const fa_wrench own = wrench_to_child(link->pose, W);
    adjoint->pose = wrench_add(adjoint->pose, twist_cross_wrench(wanted, own));
    return twist_to_parent(link->pose, wanted);
}

static void place_adjoint(const fa_motion *point, fa_transform frame, fa_vec3 by_place,
                          fa_motion_adjoint *body)
{
    static const fa_wrench none = {{0, 0, 0}, {0, 0, 0}};
    fa_motion_adjoint      of_point = {none, none, none};
    of_point.pose.force = mat3_mul(point->pose.E, by_place);
    fa_frame_motion_adjoint(&of_point, frame, body);
}

// The transpose of in_world_tangent: gives what pairs with the force F.
static double in_world_adjoint(const fa_arm *arm, const fa_arm_cylinder *c, const double q[],
                               fa_twist wanted, double q_adjoint[])
{
    fa_motion_adjoint *adjoint = arm->outputs->parts.motion_adjoint;
    fa_motion_adjoint *from = &adjoint[c->between.from], *to = &adjoint[c->between.to];
    const ends         e = ends_of(arm, c);
    const double       F = c->law[FA_AXIS_FORCE];
    if (c->reach.linkage) {
        const fa_reach_push push = fa_reach_push_of(&c->reach, &arm->chain, q);
        const fa_twist      own = to_child(e.to->pose, wanted);
        to->pose = wrench_sub(to->pose, twist_cross_wrench(own, wrench_scale(F, push.unit)));
        q_adjoint[push.coordinate] += F * power(own, push.first);
        return power(own, push.unit);
    }
    const line    l = line_of(&e);
    const fa_vec3 by_force = vec3_add(wanted.linear, cross(wanted.angular, l.C.pose.r));
    const double  along = dot(by_force, l.n);
    const fa_vec3 by_d = vec3_scale(F / l.length, vec3_sub(by_force, vec3_scale(along, l.n)));
    const fa_vec3 by_C = vec3_add(by_d, cross(vec3_scale(F, l.n), wanted.angular));
    place_adjoint(&l.C, c->between.to_frame, by_C, to);
    place_adjoint(&l.B, c->between.from_frame, vec3_scale(-1, by_d), from);
    return along;
}

void fa_arm_cylinder_wrench_adjoints(const fa_arm *arm, const double value[], double adjoint[])
{
    const double      *q = value + arm->row[FA_ARM_POSITION];
    const fa_arm      *parts = &arm->outputs->parts;
    fa_motion_adjoint *motion_adjoint = parts->motion_adjoint;
    for (int k = 0; k < arm->cylinders.n; k++) {
        const fa_arm_cylinder *c = &arm->cylinders.of[k];
        const int              from = c->between.from, to = c->between.to;
        const ends             e = ends_of(arm, c);
        const fa_wrench        W = in_world(arm, c, q);
        const fa_twist         back = twist_scale(-1, parts->wrench_adjoint[from]);
        const fa_twist         wanted =
            twist_add(in_link_adjoint(e.to, parts->wrench_adjoint[to], W, &motion_adjoint[to]),
                      in_link_adjoint(e.from, back, W, &motion_adjoint[from]));
        const double by_force =
            in_world_adjoint(arm, c, q, wanted, adjoint + arm->row[FA_ARM_POSITION]);
        fa_arm_cylinder_force_adjoint(arm, c, value, by_force, adjoint);
    }
}
