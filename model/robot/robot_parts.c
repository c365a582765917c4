// Robots with joints of several freedoms in parts, and robots that get one: a free base.
#include <stdlib.h>
#include <string.h>

#include "joint_parts.h"
#include "robot_lists.h"

static int parts_more(const fa_joint *joint)
{
    return fa_joint_is_several(joint->type) ? fa_joint_speeds(joint) - 1 : 0;
}

int fa_robot_expanded_link(const fa_robot *robot, int link)
{
    int at = link;
    for (int i = 0; i <= link; i++) at += parts_more(&robot->link[i].joint);
    return at;
}

size_t fa_robot_expanded_size(const fa_robot *robot)
{
    const int more = fa_robot_expanded_link(robot, robot->n_links - 1) + 1 - robot->n_links;
    return fa_robot_size(robot) + (size_t)more * sizeof(fa_link);
}

// A link between two parts of a joint: its name, and no mass.
static fa_link between(const fa_link *from)
{
    fa_link link = {.place = from->place, .joint = from->joint, .frame = transform_identity()};
    link.joint.cone.present = false; // which stands at the last part
    memcpy(link.name, from->joint.name, sizeof link.name);
    return link;
}

// The links of one link of the robot, from `first` on: those between the parts of its joint, then
// itself.
static void put_links(const fa_link *from, int parent, int first, fa_link to[])
{
    fa_joint_part part[FA_JOINT_SPEEDS_MAX];
    const int     n = 1 + parts_more(&from->joint);
    for (int k = 0; k < n; k++) {
        to[k] = k == n - 1 ? *from : between(from);
        to[k].parent = k == 0 ? parent : first + k - 1;
    }
    if (n == 1) return;
    fa_joint_parts(&from->joint, part);
    for (int k = 0; k < n; k++) {
        fa_joint *joint = &to[k].joint;
        joint->type = part[k].type;
        joint->axis = part[k].axis;
        joint->origin = part[k].origin;
        if (k == 0) joint->origin = transform_compose(from->joint.origin, part[k].origin);
        joint->initial_position = part[k].position;
        joint->initial_velocity = part[k].velocity;
    }
}

void fa_robot_expand(const fa_robot *robot, fa_robot *to)
{
    memcpy(to, robot, sizeof *robot);
    strcpy(to->plant, fa_robot_is_inverse(robot) ? "inverse" : "arm");
    to->n_links = fa_robot_expanded_link(robot, robot->n_links - 1) + 1;
    to->tip_link = fa_robot_expanded_link(robot, robot->tip_link);
    for (int i = 0, before = FA_WORLD; i < robot->n_links; i++) {
        const fa_link *from = &robot->link[i];
        const int      first = before + 1, last = first + parts_more(&from->joint);
        fa_link       *own = &to->link[last];
        // Most links hang on the one before.
        int parent = from->parent == i - 1 ? before : fa_robot_expanded_link(robot, from->parent);
        before = last;
        put_links(from, parent, first, &to->link[first]);
        if (own->joint.mimic.leader != FA_NOBODY)
            own->joint.mimic.leader = fa_robot_expanded_link(robot, own->joint.mimic.leader);
    }
    fa_cylinder *cylinder = fa_robot_cylinders(to);
    for (int k = 0; k < robot->n_cylinders; k++) {
        cylinder[k] = *fa_robot_cylinder(robot, k);
        cylinder[k].from = fa_robot_expanded_link(robot, cylinder[k].from);
        cylinder[k].to = fa_robot_expanded_link(robot, cylinder[k].to);
    }
    // Loops stay with who took the robot apart.
    to->n_loops = 0;
    for (int k = 0; k < robot->n_contacts; k++) {
        fa_contact *contact = &fa_robot_contacts(to)[k];
        *contact = *fa_robot_contact(robot, k);
        contact->link = fa_robot_expanded_link(robot, contact->link);
    }
    for (int k = 0; k < robot->n_obstacles; k++)
        fa_robot_obstacles(to)[k] = *fa_robot_obstacle(robot, k);
    for (int k = 0; k < robot->n_springs; k++) {
        fa_line_spring *spring = &fa_robot_springs(to)[k];
        *spring = *fa_robot_spring(robot, k);
        spring->from = fa_robot_expanded_link(robot, spring->from);
        spring->to = fa_robot_expanded_link(robot, spring->to);
    }
    if (robot->n_loops > 0) to->outputs &= ~FA_EXTRA_REACTIONS; // those of loops come from there
    for (int i = 0; i < to->n_links; i++) to->link[i].joint.dependent = false;
}

fa_robot *fa_robot_with_free_base(const fa_robot *robot)
{
    const int            n = robot->n_links;
    const fa_robot_lists lists = fa_robot_lists_of(robot);
    fa_robot            *fresh = fa_robot_new(n + 1);
    fa_robot            *to = fresh ? fa_robot_with_lists(fresh, &lists) : NULL;
    if (!to) {
        free(fresh);
        return NULL;
    }
    const fa_link world = to->link[0];
    memcpy(to, robot, sizeof *robot);
    to->n_links = n + 1;
    to->tip_link++;
    to->checked = to->closed = false;
    memcpy(&to->link[1], robot->link, (size_t)n * sizeof *robot->link);
    to->link[0] = world;
    strcpy(to->link[0].name, "world");
    to->link[0].place = robot->link[0].place;
    for (int i = 1; i <= n; i++) {
        fa_link *link = &to->link[i];
        link->parent++; // of the root: from FA_WORLD to link 0
        if (link->joint.mimic.leader != FA_NOBODY) link->joint.mimic.leader++;
    }
    fa_joint *root = &to->link[1].joint;
    strcpy(root->name, "root_joint");
    root->type = FA_FLOATING;
    root->place = robot->link[0].place;
    fa_cylinder *cylinder = fa_robot_cylinders(to);
    for (int k = 0; k < robot->n_cylinders; k++) {
        cylinder[k] = *fa_robot_cylinder(robot, k);
        cylinder[k].from++;
        cylinder[k].to++;
    }
    fa_loop *loop = fa_robot_loops(to);
    for (int k = 0; k < robot->n_loops; k++) {
        loop[k] = *fa_robot_loop(robot, k);
        loop[k].from++;
        loop[k].to++;
        for (int i = 0; i < loop[k].n_terms; i++) loop[k].term[i].of++;
    }
    for (int k = 0; k < robot->n_contacts; k++) {
        fa_robot_contacts(to)[k] = *fa_robot_contact(robot, k);
        fa_robot_contacts(to)[k].link++;
    }
    for (int k = 0; k < robot->n_obstacles; k++)
        fa_robot_obstacles(to)[k] = *fa_robot_obstacle(robot, k);
    for (int k = 0; k < robot->n_springs; k++) {
        fa_line_spring *spring = &fa_robot_springs(to)[k];
        *spring = *fa_robot_spring(robot, k);
        spring->from++;
        spring->to++;
    }
    for (int k = 0; k < robot->n_nodes; k++) fa_robot_nodes(to)[k] = *fa_robot_node(robot, k);
    for (int k = 0; k < robot->n_parts; k++) {
        fa_circuit_part *part = &fa_robot_circuit_parts(to)[k];
        *part = *fa_robot_circuit_part(robot, k);
        if (part->joint != FA_NOBODY) part->joint++;
    }
    for (int k = 0; k < robot->n_edges; k++) fa_robot_edges(to)[k] = *fa_robot_edge(robot, k);
    return to;
}
