// Finds the joints with efforts in inverse dynamics with loops: those with drives.
#include "driven_joints.h"

#include <math.h>
#include <stdlib.h>

#include "joint_lists.h"
#include "robot_cylinders.h"
#include "robot_joint.h"
#include "robot_loops.h"

// The only joint that a cylinder spans; FA_NOBODY: it spans several, or none.
static int only_joint(const fa_robot *robot, const fa_cylinder *cylinder, int *spanned)
{
    int only = FA_NOBODY;
    *spanned = 0;
    for (int i = 0; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED || !fa_cylinder_spans(robot, cylinder, i))
            continue;
        only = i;
        ++*spanned;
    }
    return *spanned == 1 ? only : FA_NOBODY;
}

static bool any_passive(const fa_robot *robot)
{
    bool any = false;
    for (int i = 0; i < robot->n_links; i++) any |= robot->link[i].joint.passive;
    return any;
}

// Returns true if the robot has a drive at the joint of a link.
static bool is_driven(const fa_robot *robot, int link, bool passives)
{
    const fa_joint *joint = &robot->link[link].joint;
    int             spanned;
    if (joint->motor.present || joint->servo.present || joint->was_driven ||
        (passives && !joint->passive))
        return true;
    for (int k = 0; k < robot->n_cylinders; k++)
        if (only_joint(robot, fa_robot_cylinder(robot, k), &spanned) == link) return true;
    return false;
}

bool fa_robot_drives_joint(const fa_robot *robot, int link)
{
    return is_driven(robot, link, any_passive(robot));
}

// The link whose joint a coordinate is of.
static int link_of(const fa_robot *robot, int coordinate)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (!fa_joint_is_free(&robot->link[i].joint)) continue;
        coordinate -= fa_joint_speeds(&robot->link[i].joint);
        if (coordinate < 0) return i;
    }
    return FA_NOBODY;
}

// The drives of one cluster; how many of them the robot names.
static int drives_of(const fa_robot *robot, const fa_loops *l, const fa_cluster *cluster,
                     int coordinate[], int *named)
{
    const bool passives = any_passive(robot);
    int        n = 0;
    for (int i = 0; i < cluster->n && cluster->n_dependents > 0; i++) {
        const int c = l->coordinate[cluster->first_coordinate + i];
        if (is_driven(robot, link_of(robot, c), passives)) coordinate[n++] = c;
    }
    *named = n;
    for (int i = 0; i < cluster->freedoms && *named == 0; i++)
        coordinate[n++] = l->independent[cluster->first_independent + i];
    return n;
}

// Limits of the efforts, as multiples of the largest; all 1 where some joint has none.
static void scale_by_limits(const fa_robot *robot, int n, const int coordinate[], double scale[])
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        scale[i] = robot->link[link_of(robot, coordinate[i])].joint.limit.effort;
        largest = scale[i] > 0 ? fmax(largest, scale[i]) : INFINITY;
    }
    for (int i = 0; i < n; i++) scale[i] = isinf(largest) ? 1 : scale[i] / largest;
}

int fa_driven_joints(const fa_robot *robot, const fa_loops *loops, int coordinate[], double scale[])
{
    int n = 0, named;
    for (int k = 0; k < loops->n_clusters; k++) {
        const int more = drives_of(robot, loops, &loops->cluster[k], coordinate + n, &named);
        scale_by_limits(robot, more, coordinate + n, scale + n);
        n += more;
    }
    return n;
}

// Cylinders that span joints of loops together with others.
static fa_status check_cylinders(const fa_robot *robot, const fa_loops *l, fa_error *error)
{
    for (int k = 0; k < robot->n_cylinders; k++) {
        const fa_cylinder *cylinder = fa_robot_cylinder(robot, k);
        int                spanned;
        if (only_joint(robot, cylinder, &spanned) != FA_NOBODY) continue;
        for (int c = 0; c < l->n_coordinates; c++) {
            if (l->cluster[l->cluster_of[c]].n_dependents == 0 ||
                !fa_cylinder_spans(robot, cylinder, link_of(robot, c)))
                continue;
            return fa_fail(error, FA_UNFIT, robot->source, cylinder->place,
                           "cylinder '%s' spans %d joints, '%s' of a loop among them, and the "
                           "inverse of a robot with loops takes cylinders at one joint each; let "
                           "it act at its own sliding joint (joint=)",
                           cylinder->name, spanned, robot->link[link_of(robot, c)].joint.name);
        }
    }
    return FA_OK;
}

fa_status fa_driven_joints_check(const fa_robot *robot, fa_error *error)
{
    fa_loops *l = robot->n_loops > 0 ? fa_robot_build_loops(robot) : NULL;
    int      *list = l ? malloc((size_t)l->n_coordinates * sizeof *list + 1) : NULL;
    fa_status status = FA_OK;
    for (int k = 0; list && k < l->n_clusters && status == FA_OK; k++) {
        const fa_cluster *cluster = &l->cluster[k];
        int               named;
        const int         n = drives_of(robot, l, cluster, list, &named);
        if (n >= cluster->freedoms) continue;
        const int link = link_of(robot, l->independent[cluster->first_independent]);
        status = fa_fail(error, FA_UNFIT, robot->source, robot->link[link].joint.place,
                         "something drives %d of the joints that loops tie to '%s', which have %d "
                         "freedoms, and inverse dynamics needs a drive for each; give more of them "
                         "a motor or a cylinder, or none",
                         n, robot->link[link].joint.name, cluster->freedoms);
    }
    if (list && status == FA_OK) status = check_cylinders(robot, l, error);
    free(list);
    fa_loops_free(l);
    return status;
}
