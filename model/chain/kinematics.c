// Poses, velocities and accelerations of bodies, with tangents and adjoints.
#include "kinematics.h"

static const fa_twist STANDSTILL = {{0, 0, 0}, {0, 0, 0}};

void fa_chain_motion(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                     fa_motion motion[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        fa_motion     *m = &motion[i];
        fa_twist       S = fa_joint_axis(body);
        fa_twist       vJ = twist_scale(fa_joint_rate(body, qd), S);
        fa_twist       aJ = twist_scale(qdd ? fa_joint_rate(body, qdd) : 0, S);
        fa_twist       v = STANDSTILL, a = STANDSTILL;
        m->X = fa_joint_transform(body, fa_joint_position(body, q));
        m->pose = m->X;
        if (body->parent != FA_WORLD) {
            const fa_motion *parent = &motion[body->parent];
            m->pose = transform_compose(parent->pose, m->X);
            v = to_child(m->X, parent->velocity);
            a = to_child(m->X, parent->acceleration);
        } else if (chain->base_moves) {
            v = to_child(m->X, fa_chain_base_velocity(chain));
            a = to_child(m->X, fa_chain_base_acceleration(chain));
        }
        m->velocity = twist_add(v, vJ);
        m->acceleration = twist_add(twist_add(a, aJ), twist_cross(m->velocity, vJ));
    }
}

double fa_screw_angle(const fa_body *body, const fa_transform *X)
{
    const fa_vec3 moved = mat3_mul(X->E, vec3_sub(X->r, body->home.r));
    return dot(moved, body->axis) / body->advance;
}

void fa_chain_motion_tangent(const fa_chain *chain, const double qd[], const double qdd[],
                             const fa_motion motion[], fa_joint_tangent joint,
                             fa_motion_tangent tangent[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body     *body = &chain->body[i];
        const fa_motion   *m = &motion[i];
        fa_motion_tangent *d = &tangent[i];
        fa_twist           S = fa_joint_axis(body);
        fa_twist           vJ = twist_scale(fa_joint_rate(body, qd), S);
        fa_twist           aJ = twist_scale(qdd ? fa_joint_rate(body, qdd) : 0, S);
        fa_twist           dJ = twist_scale(joint.q ? fa_joint_rate(body, joint.q) : 0, S);
        fa_twist           dvJ = twist_scale(joint.qd ? fa_joint_rate(body, joint.qd) : 0, S);
        fa_twist           daJ = twist_scale(joint.qdd ? fa_joint_rate(body, joint.qdd) : 0, S);
        if (body->advance_tangent != 0) {
            const double p = body->advance_tangent;
            dJ = twist_add(dJ, fa_along_axis(body, p * fa_screw_angle(body, &m->X)));
            dvJ = twist_add(dvJ, fa_along_axis(body, p * fa_joint_rate(body, qd)));
            if (qdd) daJ = twist_add(daJ, fa_along_axis(body, p * fa_joint_rate(body, qdd)));
        }

        // Derivative of the parent's motion, in the child's axes, when the joint moves: d(X v) = X
        // dv + (X v) x dJ.
        fa_twist v = twist_add(m->velocity, twist_scale(-1, vJ));
        fa_twist a = twist_add(twist_add(m->acceleration, twist_scale(-1, aJ)),
                               twist_scale(-1, twist_cross(m->velocity, vJ)));
        fa_twist dv = twist_cross(v, dJ), da = twist_cross(a, dJ);
        d->pose = dJ;
        if (body->parent != FA_WORLD) {
            const fa_motion_tangent *parent = &tangent[body->parent];
            d->pose = twist_add(d->pose, to_child(m->X, parent->pose));
            dv = twist_add(dv, to_child(m->X, parent->velocity));
            da = twist_add(da, to_child(m->X, parent->acceleration));
        } else {
            if (joint.base_velocity) dv = twist_add(dv, to_child(m->X, *joint.base_velocity));
            if (joint.base_acceleration)
                da = twist_add(da, to_child(m->X, *joint.base_acceleration));
        }
        d->velocity = twist_add(dv, dvJ);
        d->acceleration = twist_add(twist_add(da, daJ), twist_add(twist_cross(d->velocity, vJ),
                                                                  twist_cross(m->velocity, dvJ)));
    }
}

fa_motion fa_frame_motion(const fa_motion *body, fa_transform frame)
{
    return (fa_motion){frame, transform_compose(body->pose, frame), to_child(frame, body->velocity),
                       to_child(frame, body->acceleration)};
}

fa_motion_tangent fa_frame_motion_tangent(const fa_motion_tangent *body, fa_transform frame)
{
    return (fa_motion_tangent){to_child(frame, body->pose), to_child(frame, body->velocity),
                               to_child(frame, body->acceleration)};
}

static fa_twist to_world_axes(const fa_motion *frame, fa_twist v)
{
    return (fa_twist){mat3_tmul(frame->pose.E, v.angular), mat3_tmul(frame->pose.E, v.linear)};
}

// Tangent, in world axes, of a vector given in the frame's axes: its own tangent, and the rotation
// of the axes.
static fa_twist with_axes(const fa_motion_tangent *tangent, fa_twist change, fa_twist value)
{
    return (fa_twist){vec3_add(change.angular, cross(tangent->pose.angular, value.angular)),
                      vec3_add(change.linear, cross(tangent->pose.angular, value.linear))};
}

fa_twist fa_world_velocity(const fa_motion *frame)
{
    return to_world_axes(frame, frame->velocity);
}

fa_twist fa_world_velocity_tangent(const fa_motion *frame, const fa_motion_tangent *tangent)
{
    return to_world_axes(frame, with_axes(tangent, tangent->velocity, frame->velocity));
}

static fa_twist classical_acceleration(const fa_motion *frame)
{
    fa_twist v = frame->velocity, a = frame->acceleration;
    return (fa_twist){a.angular, vec3_add(a.linear, cross(v.angular, v.linear))};
}

fa_twist fa_world_acceleration(const fa_motion *frame)
{
    return to_world_axes(frame, classical_acceleration(frame));
}

fa_twist fa_world_acceleration_tangent(const fa_motion *frame, const fa_motion_tangent *tangent)
{
    fa_twist v = frame->velocity, dv = tangent->velocity, da = tangent->acceleration;
    da.linear =
        vec3_add(da.linear, vec3_add(cross(dv.angular, v.linear), cross(v.angular, dv.linear)));
    return to_world_axes(frame, with_axes(tangent, da, classical_acceleration(frame)));
}

// ------------------------------------------------------------------------------------ transposes

void fa_chain_motion_adjoint(const fa_chain *chain, const double qd[], const double qdd[],
                             const fa_motion motion[], fa_motion_adjoint adjoint[],
                             fa_joint_adjoint joint)
{
    // fa_chain_motion_tangent backwards, with (a x b).f = -b.(a x* f).
    for (int i = chain->n - 1; i >= 0; i--) {
        const fa_body     *body = &chain->body[i];
        const fa_motion   *m = &motion[i];
        fa_motion_adjoint *s = &adjoint[i];
        fa_twist           S = fa_joint_axis(body);
        fa_twist           vJ = twist_scale(fa_joint_rate(body, qd), S);
        fa_twist           aJ = twist_scale(qdd ? fa_joint_rate(body, qdd) : 0, S);
        fa_twist           v = twist_add(m->velocity, twist_scale(-1, vJ));
        fa_twist           a = twist_add(twist_add(m->acceleration, twist_scale(-1, aJ)),
                                         twist_scale(-1, twist_cross(m->velocity, vJ)));

        s->velocity = wrench_add(s->velocity, twist_cross_wrench(vJ, s->acceleration));
        fa_wrench vJ_adjoint =
            wrench_sub(s->velocity, twist_cross_wrench(m->velocity, s->acceleration));
        fa_wrench J_adjoint =
            wrench_sub(s->pose, wrench_add(twist_cross_wrench(v, s->velocity),
                                           twist_cross_wrench(a, s->acceleration)));
        if (joint.q) joint.q[body->coordinate] += body->ratio * power(S, J_adjoint);
        if (joint.qd) joint.qd[body->coordinate] += body->ratio * power(S, vJ_adjoint);
        if (joint.qdd) joint.qdd[body->coordinate] += body->ratio * power(S, s->acceleration);
        if (joint.advance && body->joint == FA_SCREW) {
            joint.advance[i] += fa_screw_angle(body, &m->X) * dot(body->axis, J_adjoint.force);
            joint.advance[i] += fa_joint_rate(body, qd) * dot(body->axis, vJ_adjoint.force);
            if (qdd)
                joint.advance[i] +=
                    fa_joint_rate(body, qdd) * dot(body->axis, s->acceleration.force);
        }
        if (body->parent != FA_WORLD) {
            fa_frame_motion_adjoint(s, m->X, &adjoint[body->parent]);
            continue;
        }
        if (joint.base_velocity)
            *joint.base_velocity = wrench_add(*joint.base_velocity, to_parent(m->X, s->velocity));
        if (joint.base_acceleration)
            *joint.base_acceleration =
                wrench_add(*joint.base_acceleration, to_parent(m->X, s->acceleration));
    }
}

void fa_frame_motion_adjoint(const fa_motion_adjoint *frame_adjoint, fa_transform frame,
                             fa_motion_adjoint *body)
{
    body->pose = wrench_add(body->pose, to_parent(frame, frame_adjoint->pose));
    body->velocity = wrench_add(body->velocity, to_parent(frame, frame_adjoint->velocity));
    body->acceleration =
        wrench_add(body->acceleration, to_parent(frame, frame_adjoint->acceleration));
}

// `wanted`, an adjoint with respect to something in world axes, as one with respect to the same in
// the frame's axes; turning the frame turns `value`.
static fa_wrench from_world_axes(const fa_motion *frame, fa_twist wanted, fa_twist value,
                                 fa_motion_adjoint *adjoint)
{
    fa_vec3 angular = mat3_mul(frame->pose.E, wanted.angular);
    fa_vec3 linear = mat3_mul(frame->pose.E, wanted.linear);
    fa_vec3 turn = vec3_add(cross(value.angular, angular), cross(value.linear, linear));
    adjoint->pose.moment = vec3_add(adjoint->pose.moment, turn);
    return (fa_wrench){angular, linear};
}

void fa_world_velocity_adjoint(const fa_motion *frame, fa_twist wanted, fa_motion_adjoint *adjoint)
{
    adjoint->velocity =
        wrench_add(adjoint->velocity, from_world_axes(frame, wanted, frame->velocity, adjoint));
}

void fa_world_acceleration_adjoint(const fa_motion *frame, fa_twist wanted,
                                   fa_motion_adjoint *adjoint)
{
    fa_wrench a = from_world_axes(frame, wanted, classical_acceleration(frame), adjoint);
    fa_vec3   linear = frame->velocity.linear, angular = frame->velocity.angular;
    adjoint->acceleration = wrench_add(adjoint->acceleration, a);
    // Adjoint of angular velocity cross linear velocity.
    adjoint->velocity.moment = vec3_add(adjoint->velocity.moment, cross(linear, a.force));
    adjoint->velocity.force = vec3_add(adjoint->velocity.force, cross(a.force, angular));
}
