// Writer and reader are one walk over the robot, so that they cannot disagree: the lines of
// robot_stream.h are written, or read and insisted on.
#include "robot_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_lists.h"
#include "plant.h"
#include "robot_circuit.h"
#include "robot_lists.h"
#include "robot_stream.h"
#include "robot_touches.h"
#include "sha256.h"
#include "snake_lists.h"
#include "usual.h"

enum { FORMAT_VERSION = 4 };

// Writes or reads an element at a joint, by the names of the element and its numbers. Absent
// elements and default numbers have no line, so new elements do not change existing files.
static void walk_element(fa_stream *s, fa_joint *joint, fa_joint_element which)
{
    const fa_element *e = fa_joint_list(which);
    char              key[64];
    bool              said[FA_JOINT_NUMBERS] = {false};
    if (!e->everywhere) {
        bool *present = fa_joint_present(joint, which);
        *present = fa_stream_has(s, e->name, *present);
        if (!*present) return;
        fa_stream_key(s, e->name);
    }
    for (int i = 0; i < e->n_numbers; i++) {
        const double usual = fa_joint_usual(joint, which, i, said);
        double      *x = fa_joint_number(joint, which, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->name, e->item[i].xml);
        said[i] = fa_stream_has(s, key, *x != usual) || isnan(usual);
        if (said[i])
            fa_stream_limits(s, key, x, 1, isinf(usual));
        else
            *x = usual;
    }
    for (int i = 0; i < e->n_choices; i++) {
        const fa_item *item = fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->name, item->xml);
        fa_stream_choice(s, key, item, fa_joint_choice(joint, which, i));
    }
}

// Numbers of an element that is no joint's: a line for each that is not as usual.
static void walk_numbers(fa_stream *s, const fa_element *e, bool *present)
{
    char key[64];
    *present = true;
    for (int i = 0; i < e->n_numbers; i++) {
        const double usual = e->item[i].usual;
        double      *x = fa_touch_number(present, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->xml, e->item[i].xml);
        if (fa_stream_has(s, key, *x != usual) || isnan(usual))
            fa_stream_reals(s, key, x, 1);
        else
            *x = usual;
    }
}

static void walk_joint(fa_stream *s, fa_joint *joint)
{
    fa_stream_text(s, "joint", joint->name, sizeof joint->name);
    fa_stream_joint_type(s, &joint->type);
    fa_stream_place(s, "joint.origin", &joint->origin);
    fa_stream_reals(s, "joint.axis", &joint->axis.x, 3);
    if (joint->type == FA_SCREW) fa_stream_reals(s, "joint.pitch", &joint->pitch, 1);
    fa_stream_integer(s, "joint.follows", &joint->mimic.leader);
    fa_stream_reals(s, "joint.follows_by", &joint->mimic.ratio, 2);
    fa_stream_reals(s, "joint.initial_position", &joint->initial_position, 1);
    fa_stream_reals(s, "joint.initial_velocity", &joint->initial_velocity, 1);
    fa_stream_if_set(s, "joint.independent", &joint->independent);
    fa_stream_if_set(s, "joint.dependent", &joint->dependent);
    fa_stream_if_set(s, "joint.passive", &joint->passive);
    if (fa_joint_is_several(joint->type)) {
        fa_stream_reals(s, "joint.start.position", joint->start.position, 3);
        fa_stream_reals(s, "joint.start.quaternion", joint->start.quaternion, 4);
        fa_stream_reals(s, "joint.start.velocity", joint->start.velocity, 3);
        fa_stream_reals(s, "joint.start.angular_velocity", joint->start.angular_velocity, 3);
    }
    if (joint->type == FA_SPHERICAL && fa_stream_has(s, "stop.cone", joint->cone.present)) {
        walk_numbers(s, &fa_elements[FA_ELEMENT_cone], &joint->cone.present);
        fa_stream_reals(s, "stop.axis", &joint->cone_axis.x, 3);
    }
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
        if (fa_joint_list((fa_joint_element)k)->xml[0]) walk_element(s, joint, (fa_joint_element)k);
}

static void walk_link(fa_stream *s, fa_link *link)
{
    fa_stream_text(s, "link", link->name, sizeof link->name);
    fa_stream_integer(s, "parent", &link->parent);
    walk_joint(s, &link->joint);
    fa_stream_place(s, "frame", &link->frame);
    fa_stream_reals(s, "mass", &link->mass, 1);
    fa_stream_reals(s, "com", &link->com.x, 3);
    fa_stream_reals(s, "inertia", &link->inertia.xx, 6);
    fa_stream_flag(s, "wrench", &link->wrench);
    if (fa_stream_has(s, "relief", link->relief != 0))
        fa_stream_reals(s, "relief", &link->relief, 1);
    else
        link->relief = 0;
}

// Numbers of elements at a snake, each by element and word: a line for each that is not as usual.
static void walk_snake_numbers(fa_stream *s, fa_snake_scope scope, fa_ground_law law, fa_link *link,
                               fa_snake_options *snake)
{
    char key[64];
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);) {
        if (scope == FA_SNAKE_OF_INPUT && n.input != snake->input) continue;
        if (n.law && n.law != law) continue;
        double *x = link ? fa_snake_number_of_link(&n, link) : fa_snake_number_of_all(&n, snake);
        (void)snprintf(key, sizeof key, "%s.%s", n.list->name, n.item->xml);
        if (fa_stream_has(s, key, *x != n.item->usual) || isnan(n.item->usual))
            fa_stream_reals(s, key, x, 1);
        else
            *x = n.item->usual;
    }
}

// Writes or reads the ground law of a sliding link.
static void walk_foot(fa_stream *s, fa_ground_law law, fa_link *link)
{
    fa_segment *segment = &link->segment;
    walk_snake_numbers(s, FA_SNAKE_EACH_FOOT, law, link, NULL);
    fa_stream_reals(s, "radius", &segment->radius, 1);
    fa_stream_reals(s, "rate", &segment->initial_rate, 1);
    fa_stream_flag(s, "prescribed", &segment->prescribed);
}

// A link of a snake: what follows from its place in the chain, such as its name, is not stored.
static void walk_segment(fa_stream *s, fa_ground_law law, bool ground, fa_link *link)
{
    fa_joint *joint = &link->joint;
    fa_stream_reals(s, "segment", &link->segment.length, 3);
    walk_snake_numbers(s, FA_SNAKE_EACH_WHEEL, law, link, NULL);
    if (ground) walk_foot(s, law, link);
    fa_stream_reals(s, "mass", &link->mass, 1);
    fa_stream_reals(s, "com", &link->com.x, 2);
    fa_stream_reals(s, "inertia", &link->inertia.zz, 1);
    if (link->parent == FA_WORLD) return;
    walk_snake_numbers(s, FA_SNAKE_EACH_JOINT, law, link, NULL);
    joint->limit.lower = -joint->limit.upper;
    fa_stream_if_set(s, "joint.stop", &joint->stop.present);
}

// Writes or reads the options of a snake whose ground has a law of friction, slopes or obstacles.
static void walk_ground(fa_stream *s, fa_snake_options *snake, bool sliding)
{
    int law = (int)snake->law;
    fa_stream_integer(s, "law", &law);
    if (law < 0 || law >= FA_GROUND_LAW_COUNT || (law != FA_GROUND_IDEAL) != sliding)
        fa_stream_fail(s, "there is no such law of the ground");
    if (s->status == FA_OK) snake->law = (fa_ground_law)law;
    fa_stream_integer(s, "spread", &snake->spread);
    fa_stream_reals(s, "slope", &snake->slope, 2);
    fa_stream_reals(s, "velocity", &snake->velocity_x, 2);
    walk_snake_numbers(s, FA_SNAKE_ALL_FEET, snake->law, NULL, snake);
    if (!fa_stream_has(s, "touch", snake->touch.present)) return;
    snake->touch.present = true;
    fa_stream_reals(s, "touch", &snake->touch.stiffness, fa_elements[FA_ELEMENT_touch].n_numbers);
}

static void walk_thing(fa_stream *s, void *item)
{
    fa_thing *thing = item;
    int       kind = (int)thing->kind;
    fa_stream_text(s, "thing", thing->name, sizeof thing->name);
    fa_stream_integer(s, "kind", &kind);
    if (kind < 0 || kind >= FA_THING_COUNT) fa_stream_fail(s, "there is no such thing");
    if (s->status == FA_OK) thing->kind = (fa_thing_kind)kind;
    if (thing->kind != FA_THING_PATCH) {
        fa_stream_reals(s, "place", &thing->x, 5);
        return;
    }
    fa_stream_flag(s, "rectangle", &thing->patch.rectangle);
    fa_stream_reals(s, "patch", &thing->patch.x, fa_elements[FA_ELEMENT_patch].n_numbers);
}

static void walk_snake(fa_stream *s, fa_robot *head)
{
    fa_snake_options *snake = &head->snake;
    const bool        ground = fa_robot_has_ground(head);
    int               input = (int)snake->input;
    fa_stream_integer(s, "input", &input);
    if (input < 0 || input >= FA_SNAKE_INPUT_COUNT)
        fa_stream_fail(s, "there is no such kind of input");
    if (s->status == FA_OK) snake->input = (fa_snake_input)input;
    fa_stream_integer(s, "base", &snake->base);
    walk_snake_numbers(s, FA_SNAKE_ALL_WHEELS, FA_GROUND_IDEAL, NULL, snake);
    fa_stream_reals(s, "start", &snake->x, 4);
    walk_snake_numbers(s, FA_SNAKE_OF_INPUT, FA_GROUND_IDEAL, NULL, snake);
    fa_stream_integer(s, "prescribed", &snake->n_prescribed);
    if (snake->n_prescribed < 0 || snake->n_prescribed > FA_PRESCRIBED_MAX)
        fa_stream_fail(s, "it prescribes too many joints");
    for (int i = 0; i < snake->n_prescribed && s->status == FA_OK; i++)
        fa_stream_integer(s, "prescribed.link", &snake->prescribed[i]);
    fa_stream_flag(s, "gait_inputs", &snake->gait_inputs);
    if (snake->gait_inputs && snake->input != FA_SNAKE_GAIT)
        fa_stream_fail(s, "it has inputs of a gait and no gait");
    fa_stream_if_set(s, "gait_told", &snake->gait_told);
    if (snake->gait_told && (snake->input != FA_SNAKE_GAIT || !fa_robot_is_sliding(head)))
        fa_stream_fail(s, "it prescribes a gait where there is none, or on wheels");
    fa_stream_flag(s, "in_gait", &snake->in_gait);
    if (ground) walk_ground(s, snake, fa_robot_is_sliding(head));
    walk_segment(s, snake->law, ground, &snake->every);
}

static void walk_outputs(fa_stream *s, int *outputs)
{
    fa_stream_integer(s, "outputs", outputs);
    if (*outputs < 0 || *outputs > FA_EXTRA_ALL)
        fa_stream_fail(s, "it has outputs that do not exist");
}

static void walk_cylinder(fa_stream *s, void *item)
{
    fa_cylinder *cylinder = item;
    fa_linkage  *linkage = &cylinder->linkage;
    int          cut = (int)cylinder->cut;
    fa_stream_text(s, "cylinder", cylinder->name, sizeof cylinder->name);
    fa_stream_integer(s, "cut", &cut);
    if (cut < 0 || cut >= FA_CUT_COUNT) fa_stream_fail(s, "there is no such cut");
    if (s->status == FA_OK) cylinder->cut = (fa_cut)cut;
    fa_stream_integer(s, "from", &cylinder->from);
    fa_stream_integer(s, "to", &cylinder->to);
    fa_stream_reals(s, "from_point", &cylinder->from_point.x, 3);
    fa_stream_reals(s, "to_point", &cylinder->to_point.x, 3);
    fa_stream_flag(s, "has_linkage", &linkage->present);
    fa_stream_reals(s, "linkage.pivot", &linkage->pivot.x, 3);
    fa_stream_reals(s, "linkage.rods", &linkage->rocker, 3);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) { // NAN, without a line: not given
        const fa_cylinder_row row = fa_cylinder_row_of(i);
        double               *x = &cylinder->number[i];
        if (fa_stream_has(s, row.key, !isnan(*x) && *x != row.item->usual))
            fa_stream_reals(s, row.key, x, 1);
    }
    fa_stream_maybe(s, "initial_pressure", cylinder->initial_pressure, 2);
    fa_stream_reals(s, "supply", &cylinder->supply, 2);
    fa_stream_flag(s, "has_pump", &cylinder->pump);
    fa_stream_reals(s, "pump_flow", &cylinder->pump_flow, 1);
    fa_stream_maybe(s, "initial_length", &cylinder->initial_length, 1);
    fa_stream_if_set(s, "has_ends", &cylinder->ends);
    if (fa_stream_has(s, "initial_force", !isnan(cylinder->initial_force)))
        fa_stream_reals(s, "initial_force", &cylinder->initial_force, 1);
    if (fa_stream_has(s, "chambers", cylinder->node[0] != FA_NOBODY)) {
        fa_stream_integer(s, "chambers", &cylinder->node[0]);
        fa_stream_integer(s, "chambers.b", &cylinder->node[1]);
    }
}

// The number of a list that robots seldom have: no line where there is none.
static void field_count(fa_stream *s, const char *key, int *n)
{
    if (fa_stream_has(s, key, *n != 0)) fa_stream_integer(s, key, n);
    if (*n < 0 || *n > FA_TOUCH_MAX)
        fa_stream_fail(s, "it has too many contacts, obstacles or springs");
}

static void walk_contact(fa_stream *s, void *item)
{
    fa_contact       *c = item;
    const fa_element *e = &fa_elements[FA_ELEMENT_contact];
    int               shape = (int)c->shape;
    fa_stream_text(s, "contact", c->name, sizeof c->name);
    fa_stream_integer(s, "contact.shape", &shape);
    if (shape < 0 || shape >= FA_CONTACT_SHAPE_COUNT) fa_stream_fail(s, "there is no such shape");
    if (s->status == FA_OK) c->shape = (fa_contact_shape)shape;
    fa_stream_integer(s, "contact.link", &c->link);
    fa_stream_integer(s, "contact.on", &c->on);
    fa_stream_reals(s, "contact.point", &c->point.x, 3);
    fa_stream_reals(s, "contact.axis", &c->axis.x, 3);
    walk_numbers(s, e, &c->law.present);
    fa_stream_choice(s, "contact.law", fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, 0),
                     &c->law.bristle);
}

static void walk_obstacle(fa_stream *s, void *item)
{
    fa_obstacle *o = item;
    int          shape = (int)o->shape;
    fa_stream_text(s, "obstacle", o->name, sizeof o->name);
    fa_stream_integer(s, "obstacle.shape", &shape);
    if (shape < 0 || shape >= FA_OBSTACLE_SHAPE_COUNT) fa_stream_fail(s, "there is no such shape");
    if (s->status == FA_OK) o->shape = (fa_obstacle_shape)shape;
    fa_stream_place(s, "obstacle.place", &o->pose);
    fa_stream_reals(s, "obstacle.radius", &o->radius, 1);
    fa_stream_reals(s, "obstacle.size", &o->size.x, 3);
}

static void walk_spring(fa_stream *s, void *item)
{
    fa_line_spring *spring = item;
    fa_stream_text(s, "line-spring", spring->name, sizeof spring->name);
    fa_stream_integer(s, "line-spring.from", &spring->from);
    fa_stream_integer(s, "line-spring.to", &spring->to);
    fa_stream_reals(s, "line-spring.from_point", &spring->from_point.x, 3);
    fa_stream_reals(s, "line-spring.to_point", &spring->to_point.x, 3);
    walk_numbers(s, &fa_elements[FA_ELEMENT_line_spring], &spring->law.present);
}

static void walk_node(fa_stream *s, void *item)
{
    fa_circuit_node *node = item;
    fa_stream_text(s, "node", node->name, sizeof node->name);
}

static void walk_circuit_part(fa_stream *s, void *item)
{
    fa_circuit_part *part = item;
    int              kind = (int)part->kind;
    fa_stream_text(s, "part", part->name, sizeof part->name);
    fa_stream_integer(s, "part.kind", &kind);
    if (kind < 0 || kind >= FA_CIRCUIT_KIND_COUNT)
        fa_stream_fail(s, "an integer is not in its place");
    if (s->status != FA_OK) return;
    part->kind = (fa_circuit_kind)kind;
    fa_stream_integer(s, "part.choice", &part->choice);
    for (int i = 0; i < fa_circuit_ports(part->kind); i++)
        fa_stream_integer(s, fa_circuit_port(part->kind, i), &part->port[i]);
    fa_stream_integer(s, "part.sensing", &part->sensing);
    fa_stream_integer(s, "part.joint", &part->joint);
    fa_stream_maybe(s, "part.numbers", part->number, fa_circuit_element(part->kind)->n_numbers);
    fa_stream_maybe(s, "part.start", &part->start, 1);
    fa_stream_maybe(s, "part.speed", &part->speed, 1);
}

static void walk_edge(fa_stream *s, void *item)
{
    fa_circuit_edge *edge = item;
    int              kind = (int)edge->kind;
    fa_stream_integer(s, "edge", &edge->part);
    fa_stream_integer(s, "edge.kind", &kind);
    fa_stream_flag(s, "edge.by_area", &edge->by_area);
    fa_stream_maybe(s, "edge.numbers", edge->number, 2);
    fa_stream_integer(s, "edge.points", &edge->table.n);
    if (kind < 0 || kind >= FA_EDGE_COUNT) fa_stream_fail(s, "an integer is not in its place");
    if (edge->table.n < 2 || edge->table.n > FA_EDGE_POINTS_MAX)
        fa_stream_fail(s, "an integer is not in its place");
    if (s->status != FA_OK) return;
    edge->kind = (fa_edge_kind)kind;
    fa_stream_reals(s, "edge.spool", edge->table.x, edge->table.n);
    fa_stream_reals(s, "edge.height", edge->table.y, edge->table.n);
}

static void walk_loop(fa_stream *s, void *item)
{
    fa_loop *loop = item;
    char     word[16] = "";
    fa_stream_text(s, "loop", loop->name, sizeof loop->name);
    if (s->writing) (void)snprintf(word, sizeof word, "%s", fa_loop_kinds[loop->type].name);
    fa_stream_text(s, "loop.type", word, sizeof word);
    if (!s->writing && s->status == FA_OK &&
        (!fa_loop_type_named(word, &loop->type) || strcmp(word, "continuous") == 0))
        fa_stream_fail(s, "there is no such type of loop");
    fa_stream_integer(s, "from", &loop->from);
    fa_stream_integer(s, "to", &loop->to);
    fa_stream_place(s, "from_frame", &loop->from_frame);
    fa_stream_place(s, "to_frame", &loop->to_frame);
    fa_stream_reals(s, "axis", &loop->axis.x, 3);
    fa_stream_if_set(s, "loop.open", &loop->open);
    fa_stream_reals(s, "second", &loop->second.x, 3);
    fa_stream_reals(s, "length", &loop->length, 1);
    fa_stream_reals(s, "ratio", &loop->ratio, 1);
    if (loop->type != FA_LOOP_RELATION) return;
    fa_stream_integer(s, "terms", &loop->n_terms);
    if (s->status == FA_OK && (loop->n_terms < 2 || loop->n_terms > FA_RELATION_TERMS))
        fa_stream_fail(s, "a relation is of too many joints or too few");
    for (int i = 0; s->status == FA_OK && i < loop->n_terms; i++) {
        fa_stream_integer(s, "of", &loop->term[i].of);
        fa_stream_reals(s, "coefficients", loop->term[i].coefficient, FA_RELATION_DEGREE + 1);
    }
}

// Writes or reads the head: everything before the links, and their number.
static void walk_head(fa_stream *s, fa_options *options, fa_robot *head)
{
    int version = FORMAT_VERSION;
    fa_stream_integer(s, "forearm.robot", &version);
    if (version != FORMAT_VERSION) fa_stream_fail(s, "its format has another version");
    fa_stream_integer(s, "fmi", &options->fmi);
    fa_stream_text(s, "identifier", options->identifier, sizeof options->identifier);
    fa_stream_flag(s, "arrays", &options->arrays);
    fa_stream_text(s, "name", head->name, sizeof head->name);
    fa_stream_text(s, "plant", head->plant, sizeof head->plant);
    fa_stream_reals(s, "gravity", &head->gravity.x, 3);
    fa_stream_integer(s, "tip_link", &head->tip_link);
    fa_stream_place(s, "tip", &head->tip);
    walk_outputs(s, &head->outputs);
    if (fa_stream_has(s, "hidden", head->hidden != 0)) {
        fa_stream_integer(s, "hidden", &head->hidden);
        if (head->hidden <= 0 || head->hidden > FA_HIDDEN_ALL || options->arrays)
            fa_stream_fail(s, "it hides what it cannot");
    }
    if (fa_robot_is_snake(head))
        walk_snake(s, head);
    else
        fa_stream_flag(s, "base_motion", &head->base_motion);
    fa_stream_integer(s, "links", &head->n_links);
    if (fa_robot_has_ground(head)) field_count(s, "things", &head->n_things);
    if (fa_robot_is_snake(head)) return;
    fa_stream_integer(s, "cylinders", &head->n_cylinders);
    if (head->n_cylinders < 0 || head->n_cylinders > FA_CYLINDER_MAX)
        fa_stream_fail(s, "it has too many cylinders");
    field_count(s, "contacts", &head->n_contacts);
    field_count(s, "obstacles", &head->n_obstacles);
    field_count(s, "line-springs", &head->n_springs);
    field_count(s, "nodes", &head->n_nodes);
    field_count(s, "parts", &head->n_parts);
    field_count(s, "edges", &head->n_edges);
    if (fa_stream_has(s, "oil", head->n_parts > 0))
        fa_stream_maybe(s, "oil", &head->oil.bulk_modulus, fa_elements[FA_ELEMENT_oil].n_numbers);
    if (fa_stream_has(s, "ground", head->ground.said)) {
        head->ground.said = true;
        fa_stream_reals(s, "ground", &head->ground.point.x, 6);
    }
    if (!fa_stream_has(s, "loops", head->n_loops > 0)) return;
    fa_stream_integer(s, "loops", &head->n_loops);
    if (head->n_loops < 1 || head->n_loops > FA_LOOP_MAX)
        fa_stream_fail(s, "it has too many loops");
    fa_stream_reals(s, "loop_tolerance", &head->loop_tolerance, 1);
}

static void walk_part(fa_stream *s, const fa_robot *robot, fa_link *link)
{
    if (fa_robot_is_snake(robot))
        walk_segment(s, robot->snake.law, fa_robot_has_ground(robot), link);
    else
        walk_link(s, link);
}

// The lists behind the links, in the file's order.
static const struct {
    int list;
    void (*walk)(fa_stream *s, void *item);
} listed[] = {
    {FA_LIST_CYLINDERS, walk_cylinder}, {FA_LIST_CONTACTS, walk_contact},
    {FA_LIST_OBSTACLES, walk_obstacle}, {FA_LIST_SPRINGS, walk_spring},
    {FA_LIST_NODES, walk_node},         {FA_LIST_PARTS, walk_circuit_part},
    {FA_LIST_EDGES, walk_edge},         {FA_LIST_LOOPS, walk_loop},
    {FA_LIST_THINGS, walk_thing},
};
enum { N_LISTED = sizeof listed / sizeof *listed };

typedef union copy_of_item {
    fa_cylinder     cylinder;
    fa_contact      contact;
    fa_obstacle     obstacle;
    fa_line_spring  spring;
    fa_circuit_node node;
    fa_circuit_part part;
    fa_circuit_edge edge;
    fa_loop         loop;
    fa_thing        thing;
} copy_of_item;

// Writing changes nothing; the pointers are not const because reading uses the same functions.
static void write_all(fa_stream *to, const fa_robot *robot, const fa_options *options)
{
    const fa_robot_lists lists = fa_robot_lists_of(robot);
    fa_stream            s = *to;
    fa_robot             head;
    fa_options           copy = *options;
    memcpy(&head, robot, sizeof head);
    walk_head(&s, &copy, &head);
    for (int i = 0; i < robot->n_links; i++) {
        fa_link link = robot->link[i];
        walk_part(&s, robot, &link);
    }
    for (int k = 0; k < N_LISTED; k++)
        for (int i = 0; i < lists.n[listed[k].list]; i++) {
            copy_of_item item;
            memcpy(&item, fa_robot_item(robot, listed[k].list, i),
                   fa_robot_item_size(listed[k].list));
            listed[k].walk(&s, &item);
        }
    *to = s;
}

fa_status fa_robot_file_write(const fa_robot *robot, const fa_options *options, char **out,
                              size_t *size, fa_error *error)
{
    fa_status status = fa_robot_require_checked(robot, error);
    if (status != FA_OK) return status;
    fa_stream measured = {.writing = true};
    write_all(&measured, robot, options);
    *size = measured.at;
    *out = malloc(*size + 1);
    if (!*out)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the robot file of '%s'", robot->name);
    write_all(&(fa_stream){.writing = true, .out = *out}, robot, options);
    (*out)[*size] = '\0';
    return FA_OK;
}

static bool is_identifier(const char *name)
{
    const char *c = name;
    if (*c >= '0' && *c <= '9') return false;
    while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
           *c == '_')
        c++;
    return c > name && *c == '\0';
}

static bool grown(fa_robot **robot, fa_robot *with)
{
    if (with) *robot = with;
    return with != NULL;
}

// A robot with as many links and parts as the head says; NULL when there is no memory.
static fa_robot *make(const fa_robot *head)
{
    fa_robot *robot =
        fa_robot_is_snake(head) ? fa_robot_new_snake(head->n_links) : fa_robot_new(head->n_links);
    if (!robot) return NULL;
    const int touches = head->n_contacts + head->n_obstacles + head->n_springs;
    const int circuit = head->n_nodes + head->n_parts + head->n_edges;
    if ((head->n_cylinders == 0 ||
         grown(&robot, fa_robot_with_cylinders(robot, head->n_cylinders))) &&
        (touches == 0 ||
         grown(&robot, fa_robot_with_touches(robot, head->n_contacts, head->n_obstacles,
                                             head->n_springs))) &&
        (circuit == 0 || grown(&robot, fa_robot_with_circuit(robot, head->n_nodes, head->n_parts,
                                                             head->n_edges))) &&
        (head->n_things == 0 || grown(&robot, fa_robot_with_things(robot, head->n_things))) &&
        (head->n_loops == 0 || grown(&robot, fa_robot_with_loops(robot, head->n_loops))))
        return robot;
    free(robot);
    return NULL;
}

// Checks counts and export options of the head.
static void check_head(fa_stream *s, const fa_robot *head, const fa_options *options)
{
    // A link takes several hundred bytes: a file that claims more links than it has bytes is lying.
    if (s->status == FA_OK && (head->n_links < 1 || (size_t)head->n_links > s->size))
        fa_stream_fail(s, "it does not have the links that it claims");
    if (s->status == FA_OK && options->fmi != 2 && options->fmi != 3)
        fa_stream_fail(s, "it is for an FMI version that does not exist");
    if (s->status == FA_OK && !is_identifier(options->identifier))
        fa_stream_fail(s, "its identifier is not a name in C");
    if (s->status == FA_OK && options->arrays && options->fmi != 3)
        fa_stream_fail(s, "it has arrays, which only FMI 3.0 knows");
}

fa_status fa_robot_file_read(const char *in, size_t size, fa_robot **robot, fa_options *options,
                             fa_error *error)
{
    *robot = NULL;
    fa_stream s = {.in = in, .size = size, .status = FA_OK, .error = error};
    fa_robot  head;
    memset(&head, 0, sizeof head);
    head.ground.normal = vec3(0, 0, 1);
    head.oil = fa_oil_usual();
    memset(options, 0, sizeof *options);
    walk_head(&s, options, &head);
    check_head(&s, &head, options);
    if (s.status != FA_OK) return s.status;

    fa_robot *result = make(&head);
    if (!result)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for a robot of %d links", head.n_links);
    memcpy(result, &head, sizeof head);
    strcpy(result->source, "robot.forearm");
    for (int i = 0; i < result->n_links && s.status == FA_OK; i++)
        walk_part(&s, result, &result->link[i]);
    const fa_robot_lists lists = fa_robot_lists_of(result);
    for (int k = 0; k < N_LISTED; k++)
        for (int i = 0; i < lists.n[listed[k].list] && s.status == FA_OK; i++)
            listed[k].walk(&s, fa_robot_item(result, listed[k].list, i));
    result->closed = true; // the one who wrote it has closed its loops
    if (s.status == FA_OK && s.at != s.size) fa_stream_fail(&s, "something follows its end");
    if (s.status == FA_OK && !fa_plant_find(result->plant))
        fa_stream_fail(&s, "its kind of plant is unknown");
    if (s.status == FA_OK) s.status = fa_robot_check(result, NULL, error);
    // A file that the checks would change was not written by this program.
    fa_stream again = {.writing = true, .in = in, .size = size, .status = s.status, .error = error};
    if (s.status == FA_OK) write_all(&again, result, options);
    s.status = again.status;
    if (s.status == FA_OK)
        *robot = result;
    else
        free(result);
    return s.status;
}

void fa_robot_file_token(const char *in, size_t size, char token[FA_TOKEN_SIZE])
{
    static const char digit[] = "0123456789abcdef";
    uint8_t           digest[32];
    fa_sha256(in, size, digest);
    size_t n = 0;
    token[n++] = '{';
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) token[n++] = '-';
        token[n++] = digit[digest[i] >> 4];
        token[n++] = digit[digest[i] & 15];
    }
    token[n++] = '}';
    token[n] = '\0';
}
