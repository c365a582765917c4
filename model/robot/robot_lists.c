// Lists behind a robot's links: where each begins, and how one grows.
#include "robot_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "usual.h"

static const size_t size[FA_LISTS] = {
    sizeof(fa_cylinder),     sizeof(fa_loop),         sizeof(fa_contact),
    sizeof(fa_obstacle),     sizeof(fa_line_spring),  sizeof(fa_circuit_node),
    sizeof(fa_circuit_part), sizeof(fa_circuit_edge), sizeof(fa_thing),
};

fa_robot_lists fa_robot_lists_of(const fa_robot *robot)
{
    return (fa_robot_lists){{robot->n_cylinders, robot->n_loops, robot->n_contacts,
                             robot->n_obstacles, robot->n_springs, robot->n_nodes, robot->n_parts,
                             robot->n_edges, robot->n_things}};
}

// Returns the offset of a list in the robot's block, in bytes.
static size_t begin(int n_links, const fa_robot_lists *lists, int which)
{
    size_t at = sizeof(fa_robot) + (size_t)n_links * sizeof(fa_link);
    for (int i = 0; i < which; i++) at += (size_t)lists->n[i] * size[i];
    return at;
}

size_t fa_robot_lists_size(const fa_robot_lists *lists)
{
    return begin(0, lists, FA_LISTS) - sizeof(fa_robot);
}

static const void *list(const fa_robot *robot, int which)
{
    const fa_robot_lists lists = fa_robot_lists_of(robot);
    return (const char *)robot + begin(robot->n_links, &lists, which);
}

size_t fa_robot_item_size(int which)
{
    return size[which];
}

void *fa_robot_item(const fa_robot *robot, int which, int index)
{
    return (char *)list(robot, which) + (size_t)index * size[which];
}

fa_loop *fa_robot_loops(fa_robot *robot)
{
    return (fa_loop *)list(robot, FA_LIST_LOOPS);
}

const fa_loop *fa_robot_loop(const fa_robot *robot, int index)
{
    return (const fa_loop *)list(robot, FA_LIST_LOOPS) + index;
}

fa_contact *fa_robot_contacts(fa_robot *robot)
{
    return (fa_contact *)list(robot, FA_LIST_CONTACTS);
}

fa_obstacle *fa_robot_obstacles(fa_robot *robot)
{
    return (fa_obstacle *)list(robot, FA_LIST_OBSTACLES);
}

fa_line_spring *fa_robot_springs(fa_robot *robot)
{
    return (fa_line_spring *)list(robot, FA_LIST_SPRINGS);
}

const fa_contact *fa_robot_contact(const fa_robot *robot, int index)
{
    return (const fa_contact *)list(robot, FA_LIST_CONTACTS) + index;
}

const fa_obstacle *fa_robot_obstacle(const fa_robot *robot, int index)
{
    return (const fa_obstacle *)list(robot, FA_LIST_OBSTACLES) + index;
}

const fa_line_spring *fa_robot_spring(const fa_robot *robot, int index)
{
    return (const fa_line_spring *)list(robot, FA_LIST_SPRINGS) + index;
}

bool fa_robot_uses_ground(const fa_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->n_contacts; k++) any |= fa_robot_contact(robot, k)->on == FA_WORLD;
    return any;
}

fa_robot *fa_robot_with_lists(fa_robot *robot, const fa_robot_lists *lists)
{
    const fa_robot_lists before = fa_robot_lists_of(robot);
    const size_t         head = begin(robot->n_links, lists, 0);
    fa_robot            *with = calloc(1, begin(robot->n_links, lists, FA_LISTS));
    if (!with) return NULL;
    memcpy(with, robot, head);
    for (int i = 0; i < FA_LISTS; i++) {
        const int n = before.n[i] < lists->n[i] ? before.n[i] : lists->n[i];
        memcpy((char *)with + begin(robot->n_links, lists, i),
               (const char *)robot + begin(robot->n_links, &before, i), (size_t)n * size[i]);
    }
    with->n_cylinders = lists->n[FA_LIST_CYLINDERS];
    with->n_loops = lists->n[FA_LIST_LOOPS];
    with->n_contacts = lists->n[FA_LIST_CONTACTS];
    with->n_obstacles = lists->n[FA_LIST_OBSTACLES];
    with->n_springs = lists->n[FA_LIST_SPRINGS];
    with->n_nodes = lists->n[FA_LIST_NODES];
    with->n_parts = lists->n[FA_LIST_PARTS];
    with->n_edges = lists->n[FA_LIST_EDGES];
    with->n_things = lists->n[FA_LIST_THINGS];
    with->checked = false;
    free(robot);
    return with;
}

fa_robot *fa_robot_with_touches(fa_robot *robot, int contacts, int obstacles, int springs)
{
    const fa_robot_lists before = fa_robot_lists_of(robot);
    fa_robot_lists       lists = before;
    lists.n[FA_LIST_CONTACTS] = contacts;
    lists.n[FA_LIST_OBSTACLES] = obstacles;
    lists.n[FA_LIST_SPRINGS] = springs;
    fa_robot *with = fa_robot_with_lists(robot, &lists);
    if (!with) return NULL;
    for (int k = before.n[FA_LIST_CONTACTS]; k < contacts; k++) {
        fa_contact *contact = &fa_robot_contacts(with)[k];
        contact->on = FA_WORLD;
        contact->axis = vec3(0, 1, 0);
        contact->law = fa_contact_usual();
        contact->law.present = true;
    }
    for (int k = before.n[FA_LIST_OBSTACLES]; k < obstacles; k++)
        fa_robot_obstacles(with)[k].pose = transform_identity();
    for (int k = before.n[FA_LIST_SPRINGS]; k < springs; k++) {
        fa_robot_springs(with)[k].law = fa_line_spring_usual();
        fa_robot_springs(with)[k].law.present = true;
    }
    return with;
}

fa_thing *fa_robot_things(fa_robot *robot)
{
    return (fa_thing *)list(robot, FA_LIST_THINGS);
}

const fa_thing *fa_robot_thing(const fa_robot *robot, int index)
{
    return (const fa_thing *)list(robot, FA_LIST_THINGS) + index;
}

fa_robot *fa_robot_with_things(fa_robot *robot, int n)
{
    const int      before = robot->n_things;
    fa_robot_lists lists = fa_robot_lists_of(robot);
    lists.n[FA_LIST_THINGS] = n;
    fa_robot *with = fa_robot_with_lists(robot, &lists);
    for (int k = before; with && k < n; k++) fa_robot_things(with)[k].patch = fa_patch_usual();
    return with;
}

fa_circuit_node *fa_robot_nodes(fa_robot *robot)
{
    return (fa_circuit_node *)list(robot, FA_LIST_NODES);
}

fa_circuit_part *fa_robot_circuit_parts(fa_robot *robot)
{
    return (fa_circuit_part *)list(robot, FA_LIST_PARTS);
}

fa_circuit_edge *fa_robot_edges(fa_robot *robot)
{
    return (fa_circuit_edge *)list(robot, FA_LIST_EDGES);
}

const fa_circuit_node *fa_robot_node(const fa_robot *robot, int index)
{
    return (const fa_circuit_node *)list(robot, FA_LIST_NODES) + index;
}

const fa_circuit_part *fa_robot_circuit_part(const fa_robot *robot, int index)
{
    return (const fa_circuit_part *)list(robot, FA_LIST_PARTS) + index;
}

const fa_circuit_edge *fa_robot_edge(const fa_robot *robot, int index)
{
    return (const fa_circuit_edge *)list(robot, FA_LIST_EDGES) + index;
}

fa_robot *fa_robot_with_circuit(fa_robot *robot, int nodes, int parts, int edges)
{
    const int      before = robot->n_parts, edges_before = robot->n_edges;
    fa_robot_lists lists = fa_robot_lists_of(robot);
    lists.n[FA_LIST_NODES] = nodes;
    lists.n[FA_LIST_PARTS] = parts;
    lists.n[FA_LIST_EDGES] = edges;
    fa_robot *with = fa_robot_with_lists(robot, &lists);
    if (!with) return NULL;
    for (int k = before; k < parts; k++) {
        fa_circuit_part *part = &fa_robot_circuit_parts(with)[k];
        for (int i = 0; i < FA_CIRCUIT_PORTS; i++) part->port[i] = FA_NOBODY;
        for (int i = 0; i < FA_CIRCUIT_NUMBERS; i++) part->number[i] = NAN;
        part->sensing = part->joint = FA_NOBODY;
        part->start = part->speed = NAN;
    }
    for (int k = edges_before; k < edges; k++)
        fa_robot_edges(with)[k].number[0] = fa_robot_edges(with)[k].number[1] = NAN;
    return with;
}
