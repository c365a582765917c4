// Poses of an arm's links as outputs, for drawing: the origin of each link's frame, and its three
// axes, the rows of the matrix that rotates vectors of the world into the link's.
#include "arm_outputs.h"
#include "methods.h"

void fa_arm_poses_lay_out(fa_arm_outputs *to, fa_arena *arena, size_t n_links)
{
    to->place = fa_arena_take(arena, n_links, sizeof *to->place);
}

bool fa_arm_poses(fa_arm *arm, const double q[])
{
    fa_arm_outputs *out = arm->outputs;
    bool            finite = true;
    fa_chain_poses(&arm->chain, q, arm->pose);
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        out->place[i] = transform_compose(arm->pose[link->body], link->frame);
        const fa_vec3 r = out->place[i].r;
        finite &= fa_all_finite(&r.x, 3) && fa_all_finite(&out->place[i].E.m[0][0], 9);
    }
    return finite;
}

// Rows of one link: its origin, then the axes x, y and z.
static double *rows_of(const fa_arm *arm, double table[], int i)
{
    return table + arm->row[FA_ARM_LINK_POSITION] + FA_ARM_POSE_ROWS * i;
}

static void put(double row[3], fa_vec3 v)
{
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
}

static fa_vec3 axis_of(fa_transform place, int i)
{
    return vec3(place.E.m[i][0], place.E.m[i][1], place.E.m[i][2]);
}

void fa_arm_put_poses(const fa_arm *arm, double value[])
{
    for (int i = 0; i < arm->n_links; i++) {
        const fa_transform place = arm->outputs->place[i];
        double            *row = rows_of(arm, value, i);
        put(row, place.r);
        for (int k = 0; k < 3; k++) put(row + 3 * (k + 1), axis_of(place, k));
    }
}

// A link is carried along by a twist, and its axes turn with it. arm->motion and
// arm->motion_tangent are filled.
void fa_arm_poses_tangent(const fa_arm *arm, double direction[])
{
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link      *link = &arm->link[i];
        const fa_motion         frame = fa_frame_motion(&arm->motion[link->body], link->frame);
        const fa_motion_tangent tangent =
            fa_frame_motion_tangent(&arm->motion_tangent[link->body], link->frame);
        const fa_vec3 turn = mat3_tmul(frame.pose.E, tangent.pose.angular);
        double       *row = rows_of(arm, direction, i);
        put(row, mat3_tmul(frame.pose.E, tangent.pose.linear));
        for (int k = 0; k < 3; k++) put(row + 3 * (k + 1), cross(turn, axis_of(frame.pose, k)));
    }
}

// Adds to arm->motion_adjoint; arm->motion is filled.
void fa_arm_poses_adjoint(const fa_arm *arm, const double adjoint[])
{
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        const fa_motion    frame = fa_frame_motion(&arm->motion[link->body], link->frame);
        const double      *row = adjoint + arm->row[FA_ARM_LINK_POSITION] + FA_ARM_POSE_ROWS * i;
        fa_vec3            moment = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            const double *by = row + 3 * (k + 1);
            moment = vec3_add(moment, cross(axis_of(frame.pose, k), vec3(by[0], by[1], by[2])));
        }
        fa_motion_adjoint sum = {.pose = {mat3_mul(frame.pose.E, moment),
                                          mat3_mul(frame.pose.E, vec3(row[0], row[1], row[2]))}};
        fa_frame_motion_adjoint(&sum, link->frame, &arm->motion_adjoint[link->body]);
    }
}
