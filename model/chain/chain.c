// Joint transforms and motion subspaces of a chain.
#include "chain.h"

#include "joint_parts.h"

fa_twist fa_joint_axis(const fa_body *body)
{
    fa_vec3 zero = {0, 0, 0};
    if (body->joint == FA_SCREW)
        return (fa_twist){body->axis, vec3_scale(body->advance, body->axis)};
    return fa_joint_slides(body->joint) ? (fa_twist){zero, body->axis}
                                        : (fa_twist){body->axis, zero};
}

double fa_joint_advance(const fa_joint *joint)
{
    return joint->type == FA_SCREW ? joint->pitch / (2 * 3.14159265358979323846) : 0;
}

fa_transform fa_joint_transform(const fa_body *body, double position)
{
    fa_transform X = body->home;
    if (fa_joint_slides(body->joint)) {
        const double along = body->joint == FA_SCREW ? body->advance * position : position;
        X.r = point_to_parent(body->home, vec3_scale(along, body->axis));
    }
    if (fa_joint_turns(body->joint)) X.E = mat3_mat3(fa_rotation_about(body->axis, position), X.E);
    return X;
}

void fa_chain_poses(const fa_chain *chain, const double q[], fa_transform pose[])
{
    for (int i = 0; i < chain->n; i++) {
        const fa_body *body = &chain->body[i];
        fa_transform   X = fa_joint_transform(body, fa_joint_position(body, q));
        pose[i] = body->parent == FA_WORLD ? X : transform_compose(pose[body->parent], X);
    }
}

fa_inertia fa_link_inertia(double mass, fa_vec3 com, fa_sym3 inertia, fa_transform frame)
{
    // From the centre of mass to the link's origin by the parallel-axis theorem, then to the frame.
    fa_sym3    moved = sym3_scale(mass, sym3_point(com, com));
    fa_inertia I = {mass, vec3_scale(mass, com), sym3_add(inertia, moved)};
    return inertia_to_parent(frame, I);
}

int fa_chain_bodies(const fa_robot *robot)
{
    int n = 0;
    for (int i = 0; i < robot->n_links; i++) n += fa_joint_speeds(&robot->link[i].joint);
    return n;
}

// Follows mimics to the joint that is free: position = ratio q_leader + offset.
static fa_mimic resolve_mimic(const fa_robot *robot, int link)
{
    fa_mimic resolved = {link, 1, 0};
    while (robot->link[resolved.leader].joint.mimic.leader != FA_NOBODY) {
        fa_mimic next = robot->link[resolved.leader].joint.mimic;
        resolved.offset += resolved.ratio * next.offset;
        resolved.ratio *= next.ratio;
        resolved.leader = next.leader;
    }
    return resolved;
}

fa_twist fa_chain_base_velocity(const fa_chain *chain)
{
    // In the frame that moves along with the world's origin at this moment.
    fa_twist still = {{0, 0, 0}, {0, 0, 0}};
    if (chain->base_moves) still.angular = chain->base_rate;
    return still;
}

fa_twist fa_chain_base_acceleration(const fa_chain *chain)
{
    const fa_twist still = {{0, 0, 0}, {0, 0, 0}};
    return chain->base_moves ? chain->base_acceleration : still;
}

void fa_chain_hold(const fa_chain *chain, double M[])
{
    const size_t n = (size_t)chain->n_coordinates;
    for (size_t i = 0; chain->held && i < n; i++) {
        if (!chain->held[i]) continue;
        for (size_t j = 0; j < n; j++) M[i * n + j] = M[j * n + i] = 0;
        M[i * n + i] = 1;
    }
}

// A body for each freedom of the joint, none of which follows anything; the last one's number.
static int add_parts(const fa_joint *joint, int parent, fa_transform home, fa_chain *chain,
                     fa_body body[])
{
    fa_joint_part part[FA_JOINT_SPEEDS_MAX];
    const int     n = fa_joint_parts(joint, part);
    for (int k = 0; k < n; k++) {
        const int i = chain->n++;
        body[i] =
            (fa_body){.parent = k == 0 ? parent : i - 1,
                      .joint = part[k].type,
                      .axis = part[k].axis,
                      .home = k == 0 ? transform_compose(home, part[k].origin) : part[k].origin,
                      .coordinate = chain->n_coordinates++,
                      .ratio = 1};
        chain->branched |= body[i].parent != i - 1;
    }
    return chain->n - 1;
}

fa_chain fa_chain_build(const fa_robot *robot, fa_body body[], int link_body[],
                        fa_transform link_frame[])
{
    fa_chain chain = {.body = body, .gravity = robot->gravity};
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link  *link = &robot->link[i];
        const fa_joint *joint = &link->joint;
        fa_transform    home = joint->origin;
        int             parent = FA_WORLD;
        if (link->parent != FA_WORLD) {
            parent = link_body[link->parent];
            home = transform_compose(link_frame[link->parent], joint->origin);
        }
        if (joint->type == FA_FIXED) { // one body with its parent, or with the ground
            link_body[i] = parent;
            link_frame[i] = transform_compose(home, link->frame);
        } else if (fa_joint_is_several(joint->type)) {
            link_body[i] = add_parts(joint, parent, home, &chain, body);
            link_frame[i] = link->frame;
        } else {
            link_body[i] = chain.n++;
            link_frame[i] = link->frame;
            body[link_body[i]] = (fa_body){
                .parent = parent,
                .joint = joint->type,
                .axis = joint->axis,
                .home = home,
                .rotor = joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear,
                .advance = fa_joint_advance(joint),
                .coordinate = fa_joint_is_free(joint) ? chain.n_coordinates++ : FA_NOBODY,
                .ratio = 1,
            };
            chain.branched |= parent != link_body[i] - 1;
            chain.screws |= joint->type == FA_SCREW;
            chain.coupled |= !fa_joint_is_free(joint);
        }
        if (link_body[i] == FA_WORLD) continue;
        fa_inertia *inertia = &body[link_body[i]].inertia;
        *inertia = inertia_add(
            *inertia, fa_link_inertia(link->mass, link->com, link->inertia, link_frame[i]));
    }
    // A leader may come after its follower, so coordinates of followers are known only now.
    for (int i = 0; chain.coupled && i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (joint->type == FA_FIXED || fa_joint_is_free(joint)) continue;
        fa_mimic mimic = resolve_mimic(robot, i);
        fa_body *follower = &body[link_body[i]];
        follower->coordinate = body[link_body[mimic.leader]].coordinate;
        follower->ratio = mimic.ratio;
        follower->offset = mimic.offset;
    }
    return chain;
}

void fa_chain_start(const fa_robot *robot, const fa_body body[], const int link_body[], double q[])
{
    fa_joint_part part[FA_JOINT_SPEEDS_MAX];
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        const int n = fa_joint_parts(joint, part);
        for (int k = 0; k < n; k++) q[body[link_body[i] - n + 1 + k].coordinate] = part[k].position;
    }
}
