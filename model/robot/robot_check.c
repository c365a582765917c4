// fa_robot_check: every rule on robots, each in one place and with one sentence.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cholesky.h"
#include "dynamics.h"
#include "number.h"
#include "robot.h"
#include "robot_circuit.h"
#include "robot_cylinders.h"
#include "robot_joint.h"
#include "robot_link.h"
#include "robot_loops.h"
#include "robot_snake.h"
#include "robot_tidy.h"
#include "robot_touches.h"
#include "text.h"
#include "variables.h"

typedef struct check {
    const fa_robot *robot;
    const fa_log   *log;
    fa_error       *error;
} check;

#define FAIL(c, place, ...)                                                                        \
    fa_fail((c)->error, FA_BAD_INPUT, (c)->robot->source, place, __VA_ARGS__)

// ---------------------------------------------------------------------------------------- names

// Names are shown wherever a robot is: on terminals, in tables of one line each, in XML.
static fa_status check_plain(const check *c, const char *kind, const char *name, fa_place place)
{
    if (fa_text_is_plain(name)) return FA_OK;
    return FAIL(c, place,
                "the name of %s, '%s', has a control character, such as the end of a line, or is "
                "not UTF-8; write it with visible characters and spaces",
                kind, name);
}

static fa_status check_all_plain(const check *c)
{
    const fa_robot *robot = c->robot;
    fa_status       status = check_plain(c, "the robot", robot->name, FA_NOWHERE);
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        const fa_link *link = &robot->link[i];
        status = check_plain(c, "a link", link->name, link->place);
        if (status == FA_OK)
            status = check_plain(c, "a joint", link->joint.name, link->joint.place);
    }
    for (int k = 0; k < robot->n_cylinders && status == FA_OK; k++) {
        const fa_cylinder *cylinder = fa_robot_cylinder(robot, k);
        status = check_plain(c, "a cylinder", cylinder->name, cylinder->place);
    }
    for (int k = 0; k < robot->n_contacts && status == FA_OK; k++)
        status = check_plain(c, "a contact", fa_robot_contact(robot, k)->name,
                             fa_robot_contact(robot, k)->place);
    for (int k = 0; k < robot->n_obstacles && status == FA_OK; k++)
        status = check_plain(c, "an obstacle", fa_robot_obstacle(robot, k)->name,
                             fa_robot_obstacle(robot, k)->place);
    for (int k = 0; k < robot->n_springs && status == FA_OK; k++)
        status = check_plain(c, "a line spring", fa_robot_spring(robot, k)->name,
                             fa_robot_spring(robot, k)->place);
    return status;
}

typedef struct named {
    const char *name;
    fa_place    place;
    bool        moves; // and so has variables
} named;

static int compare_named(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int          order = strcmp(a->name, b->name);
    return order ? order : a->place.line - b->place.line;
}

typedef struct segment {
    char text[FA_NAME_SIZE + 1];
} segment;

static segment segment_of(const named *thing)
{
    segment s;
    fa_variable_segment(thing->name, s.text, sizeof s.text);
    // cppcheck-suppress uninitvar ; the line above has filled it
    return s;
}

static int compare_segments(const void *left, const void *right)
{
    const named *a = left, *b = right;
    int          order = strcmp(segment_of(a).text, segment_of(b).text);
    return order ? order : a->place.line - b->place.line;
}

// Names that differ, but not in the letters that names of variables have.
static fa_status segments_differ(const check *c, named *list, int n, const char *kind)
{
    int moving = 0;
    for (int i = 0; i < n; i++)
        if (list[i].moves) list[moving++] = list[i];
    qsort(list, (size_t)moving, sizeof *list, compare_segments);
    for (int i = 1; i < moving; i++) {
        const named *first = &list[i - 1], *second = &list[i];
        segment      spelled = segment_of(second);
        if (strcmp(segment_of(first).text, spelled.text) == 0)
            return FAIL(c, second->place,
                        "%s '%s' and %s '%s' of line %d would both be %s.%s in an FMU, whose names "
                        "have letters, digits and _ only; give one of them another name",
                        kind, second->name, kind, first->name, first->place.line, kind,
                        spelled.text);
    }
    return FA_OK;
}

static fa_status names_differ(const check *c, named *list, int n, const char *kind)
{
    qsort(list, (size_t)n, sizeof *list, compare_named);
    for (int i = 1; i < n; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            return FAIL(
                c, list[i].place,
                "two %ss are called '%s' (the other one in line %d); give each its own name", kind,
                list[i].name, list[i - 1].place.line);
    return segments_differ(c, list, n, kind);
}

static fa_status check_names(const check *c)
{
    const fa_robot *robot = c->robot;
    if (!robot->name[0])
        return FAIL(c, FA_NOWHERE, "the robot has no name; give it one in the attribute name");
    named *list = malloc((size_t)robot->n_links * sizeof *list);
    if (!list)
        return fa_fail(c->error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to compare the names of %d links",
                       robot->n_links);
    fa_status status = FA_OK;
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        const fa_link *link = &robot->link[i];
        bool           carried = link->parent != FA_WORLD && list[link->parent].moves;
        list[i] = (named){link->name, link->place, carried || link->joint.type != FA_FIXED};
        if (!link->name[0]) status = FAIL(c, link->place, "a link has no name; give it one");
    }
    if (status == FA_OK) status = names_differ(c, list, robot->n_links, "link");

    int joints = 0;
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (robot->link[i].parent == FA_WORLD) continue; // the base hangs on no joint
        list[joints++] = (named){joint->name, joint->place, joint->type != FA_FIXED};
        if (!joint->name[0]) status = FAIL(c, joint->place, "a joint has no name; give it one");
    }
    if (status == FA_OK) status = names_differ(c, list, joints, "joint");
    free(list);
    return status;
}

static named touch_named(const fa_robot *robot, int kind, int k)
{
    if (kind == 0)
        return (named){fa_robot_contact(robot, k)->name, fa_robot_contact(robot, k)->place, true};
    if (kind == 1)
        return (named){fa_robot_obstacle(robot, k)->name, fa_robot_obstacle(robot, k)->place,
                       false};
    return (named){fa_robot_spring(robot, k)->name, fa_robot_spring(robot, k)->place, true};
}

// Checks the names of contacts, obstacles and line springs.
static fa_status check_touch_names(const check *c)
{
    static const char *const kind[] = {"contact", "obstacle", "line spring"};
    const int n[] = {c->robot->n_contacts, c->robot->n_obstacles, c->robot->n_springs};
    fa_status status = FA_OK;
    for (int i = 0; i < 3 && status == FA_OK; i++) {
        if (n[i] == 0) continue;
        named *list = malloc((size_t)n[i] * sizeof *list);
        if (!list)
            return fa_fail(c->error, FA_NO_MEMORY, c->robot->source, FA_NOWHERE,
                           "there is not enough memory to compare the names of %d %ss", n[i],
                           kind[i]);
        for (int k = 0; k < n[i]; k++) {
            list[k] = touch_named(c->robot, i, k);
            if (!list[k].name[0] && status == FA_OK)
                status = FAIL(c, list[k].place, "a %s has no name; give it one", kind[i]);
        }
        if (status == FA_OK) status = names_differ(c, list, n[i], kind[i]);
        free(list);
    }
    return status;
}

// --------------------------------------------------------------------------- one link, one joint

static bool all_finite(const double value[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i])) return false;
    return true;
}

// A rotation within this of orthonormal is one: file formats carry at least ten digits.
static const double ROTATION_TOLERANCE = 1e-9;

static bool is_place(fa_transform X)
{
    if (!all_finite(&X.E.m[0][0], 9) || !all_finite(&X.r.x, 3)) return false;
    fa_mat3 product = mat3_mat3(X.E, mat3_transpose(X.E));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(product.m[i][j] - (i == j)) < ROTATION_TOLERANCE)) return false;
    fa_vec3 x = vec3(X.E.m[0][0], X.E.m[0][1], X.E.m[0][2]);
    fa_vec3 y = vec3(X.E.m[1][0], X.E.m[1][1], X.E.m[1][2]);
    fa_vec3 z = vec3(X.E.m[2][0], X.E.m[2][1], X.E.m[2][2]);
    return dot(cross(x, y), z) > 0;
}

static fa_status check_link(const check *c, const fa_link *link, double together)
{
    if (!is_place(link->frame))
        return FAIL(c, link->place, "the frame of link '%s' is not a rotation and a finite offset",
                    link->name);
    return fa_link_check(link, together, c->robot->source, c->log, c->error);
}

// An axis that is this close to unit length is one.
static const double AXIS_TOLERANCE = 1e-12;

static fa_status check_joint(const check *c, const fa_joint *joint)
{
    if (!is_place(joint->origin))
        return FAIL(c, joint->place,
                    "the origin of joint '%s' is not a rotation and a finite offset", joint->name);
    if (joint->type == FA_FIXED) return FA_OK;
    if (!(fabs(vec3_norm(joint->axis) - 1) < AXIS_TOLERANCE))
        return FAIL(c, joint->place, "the axis of joint '%s' is not a unit vector", joint->name);
    const fa_status status = fa_joint_check(joint, c->robot->source, c->error);
    if (status != FA_OK || !fa_joint_is_free(joint) || joint->stop.present ||
        fa_joint_is_several(joint->type))
        return status;
    if (joint->initial_position >= joint->limit.lower &&
        joint->initial_position <= joint->limit.upper)
        return FA_OK;
    return FAIL(c, joint->place,
                "joint '%s' starts at %s, which must be %s; let it start within its limits",
                joint->name, fa_number_text(joint->initial_position).text,
                fa_bounds_text(joint->limit.lower, joint->limit.upper).text);
}

// -------------------------------------------------------------------------------- the whole robot

static fa_status check_tree(const check *c)
{
    const fa_robot *robot = c->robot;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        if (link->parent < FA_WORLD || link->parent >= i)
            return FAIL(c, link->place, "link '%s' comes before the link that it hangs on",
                        link->name);
        if ((link->parent == FA_WORLD) != (i == 0))
            return FAIL(c, link->place,
                        "'%s' and '%s' are both bases; a robot has one, so join one to the other",
                        robot->link[0].name, link->name);
    }
    if (robot->link[0].joint.type != FA_FIXED)
        return FAIL(c, robot->link[0].place, "the base '%s' does not stand still",
                    robot->link[0].name);
    if (robot->tip_link < 0 || robot->tip_link >= robot->n_links || !is_place(robot->tip))
        return FAIL(c, FA_NOWHERE,
                    "the tip is on no link of the robot, or its place is not finite");
    if (!all_finite(&robot->gravity.x, 3))
        return FAIL(c, FA_NOWHERE, "gravity is not finite; write three numbers in m/s^2");
    return FA_OK;
}

// With followers the equations of motion are solved by the whole mass matrix, and tried here.
static fa_status check_followers(const check *c)
{
    const fa_robot *robot = c->robot;
    int             moving = 0, follower = FA_NOBODY;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (joint->type == FA_FIXED) continue;
        moving++;
        if (joint->mimic.leader != FA_NOBODY && follower == FA_NOBODY) follower = i;
    }
    if (follower == FA_NOBODY || moving <= FA_FOLLOWER_MAX) return FA_OK;
    return FAIL(c, robot->link[follower].joint.place,
                "joint '%s' follows another one in a robot of %d joints that move; where joints "
                "follow others, %d are the most, because the work grows with their cube",
                robot->link[follower].joint.name, moving, FA_FOLLOWER_MAX);
}

static fa_status check_mimics(const check *c)
{
    const fa_robot *robot = c->robot;
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (joint->type == FA_FIXED || joint->mimic.leader == FA_NOBODY) continue;
        int leader = i, steps = 0;
        do {
            leader = robot->link[leader].joint.mimic.leader;
            if (leader < 0 || leader >= robot->n_links ||
                robot->link[leader].joint.type == FA_FIXED)
                return FAIL(c, joint->place,
                            "joint '%s' follows a joint that does not move; make it fixed, or let "
                            "it follow a moving one",
                            joint->name);
            if (fa_joint_is_several(robot->link[leader].joint.type))
                return FAIL(c, joint->place,
                            "joint '%s' follows joint '%s', which is %s; let it follow a joint of "
                            "one freedom",
                            joint->name, robot->link[leader].joint.name,
                            fa_joint_kinds[robot->link[leader].joint.type].name);
            if (leader == i)
                return FAIL(c, joint->place, "joint '%s' follows itself%s; let one of them be free",
                            joint->name, steps ? " by way of other joints" : "");
        } while (robot->link[leader].joint.mimic.leader != FA_NOBODY && ++steps <= robot->n_links);
        if (steps > robot->n_links)
            return FAIL(c, joint->place,
                        "joint '%s' follows joints that follow each other; let one of them be free",
                        joint->name);
    }
    return FA_OK;
}

// Smallest ratio of the inertia about a joint's axis to the carried inertia; below it, the axis'
// inertia is rounding.
static const double SINGULAR_FRACTION = 1e-12;

static int first_singular(const fa_chain *chain, const double q[], void *work, double *scratch)
{
    if (!chain->coupled) return fa_articulated_weak_joint(chain, q, SINGULAR_FRACTION, work);
    const fa_method *method = fa_method_forward(chain);
    int              n = chain->n_coordinates;
    if (method->mass_matrix(chain, q, scratch, work) != FA_OK) return 0;
    int weak = fa_cholesky_weak_row(n, scratch, SINGULAR_FRACTION);
    for (int i = 0; weak != FA_NOBODY && i < chain->n; i++)
        if (chain->body[i].coordinate == weak) return i;
    return FA_NOBODY;
}

// The articulated inertia along every axis is positive for almost every position, or for none; so
// two positions that no robot file singles out decide.
static fa_status check_inertias(const check *c)
{
    const fa_robot *robot = c->robot;
    int             n = fa_chain_bodies(robot);
    if (n == 0) {
        fa_warn(c->log, robot->source, FA_NOWHERE,
                "the robot has no joint that moves; there is nothing to simulate");
        return FA_OK;
    }
    size_t        links = (size_t)robot->n_links;
    fa_body      *body = malloc((size_t)n * sizeof *body);
    int          *link_body = malloc(links * sizeof *link_body);
    fa_transform *link_frame = malloc(links * sizeof *link_frame);
    double       *q = malloc((size_t)n * sizeof *q);
    double       *matrix = NULL;
    void         *work = NULL;
    fa_status     status = FA_NO_MEMORY;
    if (!body || !link_body || !link_frame || !q) goto done;

    fa_chain chain = fa_chain_build(robot, body, link_body, link_frame);
    size_t   freedom = (size_t)chain.n_coordinates;
    work = malloc(fa_method_forward(&chain)->work_size(&chain));
    matrix = chain.coupled ? malloc((freedom * freedom + 1) * sizeof *matrix) : NULL;
    if (!work || (chain.coupled && !matrix)) goto done;

    int weak = FA_NOBODY;
    for (int position = 1; position <= 2; position++) {
        for (int i = 0; i < chain.n_coordinates; i++)
            q[i] = sin(position * (1.0 + i)); // no pattern
        weak = first_singular(&chain, q, work, matrix);
        if (weak == FA_NOBODY) break;
    }
    status = FA_OK;
    for (int i = 0; weak != FA_NOBODY && i < robot->n_links; i++) {
        const fa_link *link = &robot->link[i];
        const int      last = link_body[i], first = last - fa_joint_speeds(&link->joint) + 1;
        if (weak < first || weak > last || link->joint.type == FA_FIXED) continue;
        const char *what =
            fa_joint_turns(body[weak].joint) ? "inertia about the axis of" : "mass for";
        status =
            FAIL(c, link->place,
                 "link '%s' moves but has no %s joint '%s', nor does anything that it carries, "
                 "so its acceleration is undefined; give it mass and inertia, have it weighed by "
                 "its shapes (--density or --total-mass), or make the joint fixed",
                 link->name, what, link->joint.name);
    }
done:
    free(matrix);
    free(work);
    free(q);
    free(link_frame);
    free(link_body);
    free(body);
    if (status == FA_NO_MEMORY)
        fa_fail(c->error, status, robot->source, FA_NOWHERE,
                "there is not enough memory for a robot of %d links", robot->n_links);
    return status;
}

// A part of a circuit with a kind, nodes, a line and a joint that there are.
static bool is_part(const fa_robot *robot, int index)
{
    const fa_circuit_part *part = fa_robot_circuit_part(robot, index);
    bool known = (unsigned)part->kind < FA_CIRCUIT_KIND_COUNT && part->choice >= 0 &&
                 part->choice <= FA_CONTROL_SENSING;
    for (int i = 0; known && i < fa_circuit_ports(part->kind); i++)
        known &= (unsigned)part->port[i] < (unsigned)robot->n_nodes;
    known &= part->sensing == FA_NOBODY ||
             ((unsigned)part->sensing < (unsigned)robot->n_parts &&
              fa_robot_circuit_part(robot, part->sensing)->kind == FA_CIRCUIT_SENSING);
    return known &&
           (part->kind != FA_CIRCUIT_MOTOR || (part->joint > 0 && part->joint < robot->n_links));
}

// Checks counts and kinds. Readers have checked them already; a robot that a program has built may
// have any.
static fa_status check_counts(const check *c)
{
    const fa_robot *robot = c->robot;
    if (robot->n_links < 1)
        return FAIL(c, FA_NOWHERE, "the robot has no links; give it at least a base");
    if (robot->n_links > FA_LINK_MAX)
        return FAIL(c, FA_NOWHERE,
                    "the robot has %d links, which is more than the %d that are "
                    "allowed",
                    robot->n_links, FA_LINK_MAX);
    if (robot->n_cylinders < 0 || robot->n_cylinders > FA_CYLINDER_MAX)
        return FAIL(c, FA_NOWHERE, "the robot has %d cylinders; %d are the most",
                    robot->n_cylinders, FA_CYLINDER_MAX);
    if (robot->n_loops < 0 || robot->n_loops > FA_LOOP_MAX)
        return FAIL(c, FA_NOWHERE, "the robot has %d loops; %d are the most", robot->n_loops,
                    FA_LOOP_MAX);
    const int touches[] = {robot->n_contacts, robot->n_obstacles, robot->n_springs};
    for (int i = 0; i < 3; i++)
        if (touches[i] < 0 || touches[i] > FA_TOUCH_MAX)
            return FAIL(c, FA_NOWHERE,
                        "the robot has %d contacts, obstacles or line springs; %d of each are the "
                        "most",
                        touches[i], FA_TOUCH_MAX);
    bool known = robot->outputs >= 0 && robot->outputs <= FA_EXTRA_ALL &&
                 (unsigned)robot->snake.input < FA_SNAKE_INPUT_COUNT;
    for (int i = 0; i < robot->n_links; i++)
        known &= (unsigned)robot->link[i].joint.type < FA_JOINT_TYPE_COUNT;
    for (int k = 0; k < robot->n_cylinders; k++)
        known &= (unsigned)fa_robot_cylinder(robot, k)->cut < FA_CUT_COUNT;
    for (int k = 0; k < robot->n_contacts; k++)
        known &= (unsigned)fa_robot_contact(robot, k)->shape < FA_CONTACT_SHAPE_COUNT;
    for (int k = 0; k < robot->n_obstacles; k++)
        known &= (unsigned)fa_robot_obstacle(robot, k)->shape < FA_OBSTACLE_SHAPE_COUNT;
    known &= robot->n_things >= 0 && robot->n_things <= FA_THING_MAX &&
             (robot->n_things == 0 || fa_robot_is_snake(robot)) &&
             (unsigned)robot->snake.law < FA_GROUND_LAW_COUNT &&
             (robot->snake.law != FA_GROUND_IDEAL) == fa_robot_is_sliding(robot);
    for (int k = 0; known && k < robot->n_things; k++)
        known &= (unsigned)fa_robot_thing(robot, k)->kind < FA_THING_COUNT;
    if (fa_robot_is_snake(robot) || strcmp(robot->plant, "cylinder") == 0)
        known &= robot->n_contacts == 0 && robot->n_obstacles == 0 && robot->n_springs == 0;
    known &= robot->n_nodes >= 0 && robot->n_nodes <= FA_CIRCUIT_MAX && robot->n_parts >= 0 &&
             robot->n_parts <= FA_CIRCUIT_MAX && robot->n_edges >= 0 &&
             robot->n_edges <= FA_CIRCUIT_MAX;
    for (int k = 0; known && k < robot->n_parts; k++) known &= is_part(robot, k);
    for (int k = 0; known && k < robot->n_edges; k++) {
        const fa_circuit_edge *edge = fa_robot_edge(robot, k);
        known &= (unsigned)edge->part < (unsigned)robot->n_parts &&
                 (unsigned)edge->kind < FA_EDGE_COUNT &&
                 fa_robot_circuit_part(robot, edge->part)->kind == FA_CIRCUIT_VALVE;
    }
    for (int k = 0; known && k < robot->n_cylinders; k++)
        for (int side = 0; side < 2; side++)
            known &= fa_robot_cylinder(robot, k)->node[side] >= FA_NOBODY &&
                     fa_robot_cylinder(robot, k)->node[side] < robot->n_nodes;
    const bool circuit = strcmp(robot->plant, "circuit") == 0;
    known &= circuit ? robot->n_parts > 0 : true;
    known &= !fa_robot_is_snake(robot) && strcmp(robot->plant, "cylinder") != 0
                 ? true
                 : robot->n_parts == 0;
    if (known) return FA_OK;
    return FAIL(c, FA_NOWHERE,
                "the robot has a joint, a cut, an input or an output of a kind that does not "
                "exist; take one of those in robot.h");
}

// Returns the representative of all links that are rigidly connected to this one.
static int body_of(const fa_robot *robot, const int body[], int link)
{
    const bool bolted = link > 0 && robot->link[link].joint.type == FA_FIXED;
    return bolted ? body[robot->link[link].parent] : link;
}

// Links and joints, one by one; of links also what they are bolted to.
static fa_status check_parts(const check *c)
{
    const fa_robot *robot = c->robot;
    const size_t    n = (size_t)robot->n_links;
    int            *body = calloc(n, sizeof *body);
    double         *largest = calloc(n, sizeof *largest);
    fa_status       status = FA_OK;
    if (!body || !largest)
        status = fa_fail(c->error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                         "there is not enough memory for %d links", robot->n_links);
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        const double moment = fa_link_largest_moment(&robot->link[i]);
        body[i] = body_of(robot, body, i);
        if (moment > largest[body[i]]) largest[body[i]] = moment;
    }
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        status = check_link(c, &robot->link[i], largest[body[i]]);
        if (status == FA_OK) status = check_joint(c, &robot->link[i].joint);
    }
    free(largest);
    free(body);
    return status;
}

static fa_status check_arm(const check *c)
{
    const fa_robot *robot = c->robot;
    fa_status       status = check_names(c);
    if (status == FA_OK) status = check_parts(c);
    if (status == FA_OK) status = check_followers(c);
    if (status == FA_OK) status = check_mimics(c);
    if (status == FA_OK) status = fa_robot_check_loops(robot, c->error);
    if (status == FA_OK && robot->n_loops == 0 && !fa_robot_is_axis(robot) &&
        !fa_robot_is_circuit_alone(robot))
        status = check_inertias(c);
    if (status == FA_OK) status = fa_robot_check_cylinders(robot, c->error);
    if (status == FA_OK) status = fa_robot_check_circuit(robot, c->error);
    if (status == FA_OK) status = check_touch_names(c);
    if (status == FA_OK) status = fa_robot_check_touches(robot, c->error);
    if (status == FA_OK) fa_robot_remark_cylinders(robot, c->log);
    return status;
}

fa_status fa_robot_check(fa_robot *robot, const fa_log *log, fa_error *error)
{
    const check c = {robot, log, error};
    const bool  snake = fa_robot_is_snake(robot);
    robot->checked = false;
    fa_status status = check_counts(&c);
    if (status == FA_OK) status = check_all_plain(&c);
    if (status == FA_OK && !snake) status = check_tree(&c);
    if (status != FA_OK) return status;
    fa_robot_tidy(robot);
    status = snake ? fa_robot_check_snake(robot, log, error) : check_arm(&c);
    if (status == FA_OK && !snake) status = fa_robot_close(robot, log, NULL, error);
    robot->checked = status == FA_OK;
    return status;
}

fa_status fa_robot_require_checked(const fa_robot *robot, fa_error *error)
{
    if (robot->checked) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                   "the robot '%s' has not been held against the rules on robots, or has been "
                   "changed since; call fa_robot_check first",
                   robot->name);
}
