// Takes joints of several freedoms apart into joints of one freedom.
#include "joint_parts.h"

#include <math.h>

void fa_axes_across(fa_vec3 axis, fa_vec3 *e1, fa_vec3 *e2)
{
    const double size[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
    int          k = 0;
    for (int i = 1; i < 3; i++)
        if (size[i] > size[k]) k = i;
    const fa_vec3 next = vec3(k == 2, k == 0, k == 1);
    const fa_vec3 flat = vec3_sub(next, vec3_scale(dot(axis, next), axis));
    *e1 = vec3_scale(1 / vec3_norm(flat), flat);
    *e2 = cross(axis, *e1);
}

fa_mat3 fa_rotation_of_quaternion(const double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return fa_rotation_quaternion(
        (fa_quaternion){q[0] / length, q[1] / length, q[2] / length, q[3] / length});
}

int fa_joint_ball_part(fa_joint_type type)
{
    if (!fa_joint_has_ball(type)) return FA_NOBODY;
    return type == FA_FLOATING ? 3 : 0;
}

static fa_joint_part part_of(fa_joint_type type, fa_vec3 axis, double position, double velocity)
{
    return (fa_joint_part){type, transform_identity(), axis, position, velocity};
}

// Three turns at angle zero. Their rates are the angular velocity in the child's axes.
static void put_ball(const fa_joint *joint, fa_joint_part part[3])
{
    const double *w = joint->start.angular_velocity;
    const fa_mat3 E = fa_rotation_of_quaternion(joint->start.quaternion);
    const fa_vec3 rate = mat3_mul(E, vec3(w[0], w[1], w[2]));
    part[0] = part_of(FA_REVOLUTE, vec3(1, 0, 0), 0, rate.x);
    part[1] = part_of(FA_REVOLUTE, vec3(0, 1, 0), 0, rate.y);
    part[2] = part_of(FA_REVOLUTE, vec3(0, 0, 1), 0, rate.z);
    part[0].origin.E = E;
}

int fa_joint_parts(const fa_joint *joint, fa_joint_part part[FA_JOINT_SPEEDS_MAX])
{
    const fa_joint_start *start = &joint->start;
    const int             ball = fa_joint_ball_part(joint->type);
    fa_vec3               axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (!fa_joint_is_several(joint->type)) {
        part[0] =
            part_of(joint->type, joint->axis, joint->initial_position, joint->initial_velocity);
        return fa_joint_speeds(joint);
    }
    if (joint->type == FA_PLANAR) {
        axis[2] = joint->axis;
        fa_axes_across(axis[2], &axis[0], &axis[1]);
    }
    for (int k = 0; k < 3 && joint->type != FA_SPHERICAL; k++)
        part[k] = part_of(FA_PRISMATIC, axis[k], start->position[k], start->velocity[k]);
    if (joint->type == FA_PLANAR) part[2].type = FA_REVOLUTE;
    if (ball != FA_NOBODY) put_ball(joint, part + ball);
    return fa_joint_speeds(joint);
}
