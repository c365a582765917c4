// The angle between the axes of a ball joint's cone, its rate, and the torque about their common
// normal, with tangents and adjoints.
#include "arm_cones.h"

#include <math.h>

#include "arctan.h"
#include "robot_touches.h"

static const fa_element *list(void)
{
    return &fa_elements[FA_ELEMENT_cone];
}

// Three turns hold the child (mechanism/ball.h), and its first body has the joint's frame on the
// parent as its home.
void fa_arm_cone_prepare(const fa_arm *arm, fa_arm_cone *cone, const fa_robot *robot, int link,
                         const int link_body[], fa_arm_touch touch[2])
{
    const fa_joint *joint = &robot->link[link].joint;
    const int       child = link_body[link], first = child - 2;
    cone->body[0] = arm->body[first].parent;
    cone->body[1] = child;
    cone->axis[0] = mat3_tmul(arm->body[first].home.E, joint->cone_axis);
    cone->axis[1] = joint->cone_axis;
    fa_cone_fill(joint, &cone->in);
    touch[0].body = cone->body[0];
    touch[0].link = robot->link[link - 2].parent;
    touch[1].body = child;
    touch[1].link = link;
}

// ------------------------------------------------------------------------------------------ values

// An axis in the world, and how it turns there; at rest on the ground.
static void side_of(const fa_arm *arm, const fa_arm_cone *cone, int i, fa_vec3 *axis, fa_vec3 *turn)
{
    *axis = cone->axis[i];
    *turn = vec3(0, 0, 0);
    if (cone->body[i] == FA_WORLD) return;
    const fa_motion *m = &arm->touches.motion[cone->body[i]];
    *axis = mat3_tmul(m->pose.E, cone->axis[i]);
    *turn = fa_world_velocity(m).angular;
}

// Axes that are in line have no common normal: no torque, and no rate.
static void find_normal(fa_arm_cone *cone)
{
    const fa_vec3 across = cross(cone->side[0], cone->side[1]);
    cone->sine = vec3_norm(across);
    cone->normal = cone->sine > 0 ? vec3_scale(1 / cone->sine, across) : vec3(0, 0, 0);
}

void fa_arm_cone_trace(const fa_arm *arm, fa_arm_cone *cone, const double value[],
                       fa_arm_touch touch[2])
{
    const fa_element *e = list();
    fa_vec3           turn[2];
    for (int i = 0; i < 2; i++) side_of(arm, cone, i, &cone->side[i], &turn[i]);
    find_normal(cone);
    cone->turning = vec3_sub(turn[1], turn[0]);
    cone->in.angle = fa_atan2(cone->sine, dot(cone->side[0], cone->side[1]));
    cone->in.rate = dot(cone->normal, cone->turning);
    for (int i = 0; i < e->n_items; i++)
        if (e->item[i].kind == FA_ITEM_MODE) *fa_element_real(e, &cone->in, i) = value[cone->at[i]];
    fa_cone_law(&cone->in, &cone->out);
    touch[1].moment = vec3_scale(cone->out.torque, cone->normal);
    touch[0].moment = vec3_scale(-1, touch[1].moment);
}

// ----------------------------------------------------------------------------- first-order changes

// How the axes' common normal changes with the vector that it is the direction of.
static fa_vec3 normal_change(const fa_arm_cone *cone, fa_vec3 across)
{
    if (!(cone->sine > 0)) return vec3(0, 0, 0);
    const fa_vec3 along = vec3_scale(dot(cone->normal, across), cone->normal);
    return vec3_scale(1 / cone->sine, vec3_sub(across, along));
}

void fa_arm_cone_tangent(const fa_arm *arm, fa_arm_cone *cone, const double direction[],
                         fa_arm_touch touch[2])
{
    const fa_arm_touches *t = &arm->touches;
    const fa_element     *e = list();
    fa_vec3               turned[2] = {{0, 0, 0}, {0, 0, 0}}, turn[2] = {{0, 0, 0}, {0, 0, 0}};
    fa_vec3               side[2];
    fa_cone_in            dot_in = {0};
    for (int i = 0; i < 2; i++) {
        const int b = cone->body[i];
        if (b != FA_WORLD) {
            turned[i] = mat3_tmul(t->motion[b].pose.E, t->tangent[b].pose.angular);
            turn[i] = fa_world_velocity_tangent(&t->motion[b], &t->tangent[b]).angular;
        }
        side[i] = cross(turned[i], cone->side[i]);
    }
    const fa_vec3 across = vec3_add(cross(side[0], cone->side[1]), cross(cone->side[0], side[1]));
    const fa_vec3 normal = normal_change(cone, across);
    for (int i = 0; i < e->n_numbers; i++)
        if (cone->at[i] != FA_NO_ROW) *fa_element_real(e, &dot_in, i) = direction[cone->at[i]];
    dot_in.angle = dot(cone->normal, vec3_sub(turned[1], turned[0]));
    dot_in.rate = dot(cone->normal, vec3_sub(turn[1], turn[0])) + dot(normal, cone->turning);
    fa_cone_tangent(&cone->in, &dot_in, &cone->out_tangent);
    touch[1].moment_tangent = vec3_add(vec3_scale(cone->out_tangent.torque, cone->normal),
                                       vec3_scale(cone->out.torque, normal));
    touch[0].moment_tangent = vec3_scale(-1, touch[1].moment_tangent);
}

void fa_arm_cone_adjoints(const fa_arm *arm, fa_arm_cone *cone, const fa_arm_touch touch[2],
                          double adjoint[])
{
    const fa_arm_touches *t = &arm->touches;
    const fa_element     *e = list();
    const fa_vec3         by_moment = vec3_sub(touch[1].moment_adjoint, touch[0].moment_adjoint);
    fa_cone_out           bar = cone->out_adjoint;
    fa_cone_in            by;
    bar.torque += dot(cone->normal, by_moment);
    fa_cone_adjoint(&cone->in, &bar, &by);
    for (int i = 0; i < e->n_numbers; i++)
        if (cone->at[i] != FA_NO_ROW) adjoint[cone->at[i]] += *fa_element_real(e, &by, i);
    const fa_vec3 by_normal =
        vec3_add(vec3_scale(cone->out.torque, by_moment), vec3_scale(by.rate, cone->turning));
    const fa_vec3 by_across = normal_change(cone, by_normal); // which is its own transpose
    const fa_vec3 by_side[2] = {cross(cone->side[1], by_across), cross(by_across, cone->side[0])};
    for (int i = 0; i < 2; i++) {
        const int b = cone->body[i];
        if (b == FA_WORLD) continue;
        const double   sign = i == 0 ? -1 : 1;
        const fa_twist by_turn = {vec3_scale(sign * by.rate, cone->normal), vec3(0, 0, 0)};
        const fa_vec3  by_turned =
            vec3_add(cross(cone->side[i], by_side[i]), vec3_scale(sign * by.angle, cone->normal));
        fa_world_velocity_adjoint(&t->motion[b], by_turn, &t->adjoint[b]);
        t->adjoint[b].pose.moment =
            vec3_add(t->adjoint[b].pose.moment, mat3_mul(t->motion[b].pose.E, by_turned));
    }
}
