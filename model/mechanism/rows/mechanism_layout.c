// Memory layout of a mechanism, and the map between its rows and those of the arm inside.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arm_outputs.h"
#include "arm_table.h"
#include "driven_joints.h"
#include "joint_parts.h"
#include "mechanism_loops.h"
#include "mechanism_matrices.h"
#include "methods.h"
#include "robot_loops.h"

// Sizes that follow from the expanded robot.
typedef struct counts {
    int    inner, outer; // rows of the two tables
    size_t arm;          // bytes of the arm
} counts;

static const fa_plant *plant_of(bool inverse)
{
    return inverse ? &fa_inverse_plant : &fa_arm_plant;
}

static void declare(bool inverse, const fa_robot *robot, fa_variables *table)
{
    const fa_variable time = fa_variable_of(FA_TIME, FA_UNIT_SECOND, 0);
    (void)plant_of(inverse)->declare(robot, table, NULL);
    fa_variable_add(table, time, fa_key_of(FA_OF_ROBOT, "time"), "");
}

static counts count(const fa_robot *robot, const fa_robot *in_parts)
{
    const bool   inverse = fa_robot_is_inverse(robot);
    fa_variables inner = {0}, outer = {0};
    declare(inverse, in_parts, &inner);
    declare(inverse, robot, &outer);
    return (counts){inner.n, outer.n + FA_COMMON_ROWS, plant_of(inverse)->size(in_parts)};
}

// Scratch of the preparation, behind the permanent arrays.
typedef struct scratch {
    fa_variable *row;      // of the arm's table
    int         *inner_of; // of each outer row; FA_NO_ROW
    // For each link of the expanded robot: whether it is a link of the robot; whether its joint is
    // the last part of one of several freedoms; whether that joint is dependent.
    bool *kept, *several, *dependent;
} scratch;

static struct fa_mechanism_loops *lay_out_loops(fa_arena *a, const fa_robot *robot,
                                                const fa_loops *built, void **place)
{
    struct fa_mechanism_loops *x = fa_arena_take(a, 1, sizeof *x), measured;
    struct fa_mechanism_loops *to = x ? x : &measured; // cppcheck-suppress uninitvar ; only written
    const size_t               links = (size_t)robot->n_links;
    fa_chain chain = {.n = built->n_bodies, .n_coordinates = built->n_coordinates, .loops = built};
    const size_t n = (size_t)built->n_coordinates;
    *place = fa_arena_take(a, 1, fa_loops_size(built));
    void *work = fa_arena_take(a, 1, fa_loop_work_size(built));
    void *tangent = fa_arena_take(a, 1, fa_loop_tangent_size(&chain));
    to->by_clusters = fa_arena_take(a, 1, fa_cluster_elimination_work_size(&chain));
    to->joint = fa_arena_take(a, links, sizeof *to->joint);
    to->goal = fa_arena_take(a, n, sizeof *to->goal);
    to->change = fa_arena_take(a, n, sizeof *to->change);
    to->part = fa_arena_take(a, n, sizeof *to->part);
    to->tangent_from = fa_arena_take(a, n + links, sizeof *to->tangent_from);
    to->tangent_G = fa_arena_take(a, (size_t)built->n_G, sizeof *to->tangent_G);
    to->frame = fa_arena_take(a, links, sizeof *to->frame);
    const bool inverse = fa_robot_is_inverse(robot);
    to->zero = fa_arena_take(a, n, sizeof *to->zero);
    to->turned = fa_arena_take(a, n, sizeof *to->turned);
    to->open = fa_arena_take(a, (size_t)robot->n_loops, sizeof *to->open);
    to->from = fa_arena_take(a, (size_t)robot->n_loops, sizeof *to->from);
    to->start = fa_arena_take(a, n, sizeof *to->start);
    to->advance = fa_arena_take(a, (size_t)built->n_bodies, sizeof *to->advance);
    to->force_of = fa_arena_take(a, (size_t)robot->n_loops, sizeof *to->force_of);
    int servos = 0;
    for (int i = 0; i < robot->n_links; i++)
        servos += robot->link[i].joint.servo.present && robot->link[i].joint.servo.compensates;
    const int drives = inverse ? built->n_coordinates : servos;
    void     *weight = drives > 0 ? fa_arena_take(a, 1, fa_weight_loops_size(built, drives)) : NULL;
    if (!x) return NULL;
    x->weight = weight ? fa_weight_loops_place(weight, built, drives) : NULL;
    x->regularity = 1;
    x->loops = fa_loops_copy(built, *place);
    x->work = fa_loop_work_at(built, work);
    x->tangent = fa_loop_tangent_at(&chain, tangent);
    return x;
}

static size_t lay_out(fa_mechanism *m, char *base, const fa_robot *robot, const fa_robot *in_parts,
                      const fa_loops *built, scratch *s)
{
    fa_arena     a = {base, 0};
    fa_mechanism measured, *to = m ? m : &measured; // cppcheck-suppress uninitvar ; only written
    const size_t links = (size_t)robot->n_links;
    fa_arena_take(&a, 1, sizeof *to);
    to->robot = fa_arena_take(&a, 1, fa_robot_expanded_size(robot));
    if (!in_parts) return a.size;
    const counts n = count(robot, in_parts);
    to->n_rows = n.inner;
    to->n_outer = n.outer;
    to->arm = fa_arena_take(&a, 1, n.arm);
    to->value = fa_arena_take(&a, (size_t)n.inner, sizeof *to->value);
    to->change = fa_arena_take(&a, (size_t)n.inner, sizeof *to->change);
    to->span = fa_arena_take(&a, (size_t)n.outer, sizeof *to->span);
    to->ball = fa_arena_take(&a, links, sizeof *to->ball);
    to->friction = fa_arena_take(&a, links, sizeof *to->friction);
    void *place;
    to->loops = built ? lay_out_loops(&a, robot, built, &place) : NULL;
    fa_mechanism_lay_out_matrices(to, &a, robot);
    const bool by_tangents =
        robot->outputs & (FA_EXTRA_REACTIONS | FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX);
    const bool all = robot->n_loops > 0 && fa_robot_is_inverse(robot);
    to->direction =
        fa_arena_take(&a, by_tangents || all ? (size_t)n.outer : 0, sizeof *to->direction);
    s->row = fa_arena_take(&a, (size_t)n.inner, sizeof *s->row);
    s->inner_of = fa_arena_take(&a, (size_t)n.outer, sizeof *s->inner_of);
    s->kept = fa_arena_take(&a, (size_t)in_parts->n_links, sizeof *s->kept);
    s->several = fa_arena_take(&a, (size_t)in_parts->n_links, sizeof *s->several);
    s->dependent = fa_arena_take(&a, (size_t)in_parts->n_links, sizeof *s->dependent);
    return a.size;
}

// A size that no allocation can satisfy, so that the caller reports a lack of memory.
static const size_t TOO_MUCH = SIZE_MAX / 8;

size_t fa_mechanism_size(const fa_robot *robot)
{
    scratch   s;
    fa_robot *in_parts = malloc(fa_robot_expanded_size(robot));
    fa_loops *built = robot->n_loops > 0 ? fa_robot_build_loops(robot) : NULL;
    size_t    size = TOO_MUCH;
    if (in_parts && (built || robot->n_loops == 0)) {
        fa_robot_expand(robot, in_parts);
        size = lay_out(NULL, NULL, robot, in_parts, built, &s);
    }
    fa_loops_free(built);
    free(in_parts);
    return size;
}

// ------------------------------------------------------------------------------------------ rows

// Returns true if the row's index counts links.
static bool is_of_link(int quantity)
{
    return (quantity != FA_ARM_OTHER && quantity < FA_ARM_JOINT_END) || quantity == FA_ARM_MASS ||
           quantity == FA_ARM_COM || quantity == FA_ARM_INERTIA || quantity == FA_ARM_LINK_WRENCH ||
           quantity == FA_ARM_REACTION || quantity == FA_ARM_LINK_POSITION ||
           quantity == FA_ARM_LINK_AXES;
}

static bool is_of_joint(int quantity)
{
    return quantity != FA_ARM_OTHER && quantity < FA_ARM_JOINT_END;
}

static bool is_matrix(int quantity)
{
    return quantity == FA_ARM_JACOBIAN || quantity == FA_ARM_MASS_MATRIX;
}

// Rows of the outer table that the arm inside does not have, or has in other numbers.
static bool is_own(const fa_variable *row)
{
    return is_matrix(row->quantity) ||
           (row->quantity >= FA_ARM_LOOP_ERROR && row->quantity <= FA_ARM_PLACED);
}

// Rows of a joint that loops determine where they do: of an inverse its acceleration, too.
static bool is_motion(int quantity, bool inverse)
{
    return quantity == FA_ARM_POSITION || quantity == FA_ARM_VELOCITY ||
           (inverse && quantity == FA_ARM_ACCELERATION);
}

static bool is_common(const fa_variable *row)
{
    return row->quantity == FA_ARM_OTHER && row->role != FA_TIME;
}

// Pairs what both tables list in the same order: all but the rows of joints of several freedoms,
// and of links between their parts. kept[]: per link of the robot in parts, whether it is one of
// the robot's; several[]: whether its joint is a part.
static void pair_rows(const fa_robot *robot, const fa_variables *outer, const fa_variable inner[],
                      int n_inner, const bool kept[], const bool several[], const bool dependent[],
                      int inner_of[])
{
    const bool inverse = fa_robot_is_inverse(robot);
    int        at = 0;
    for (int row = 0; row < outer->n; row++) {
        const fa_variable *o = &outer->row[row];
        inner_of[row] = FA_NO_ROW;
        if (inverse && o->quantity == FA_ARM_INITIAL_POSITION) continue; // where closing begins
        if (is_common(o) || o->quantity == FA_ARM_QUATERNION_RATE || is_own(o)) continue;
        if (is_motion(o->quantity, inverse) && robot->link[o->index].joint.dependent) continue;
        if (is_of_joint(o->quantity) && fa_joint_is_several(robot->link[o->index].joint.type))
            continue;
        for (; at < n_inner; at++) {
            const fa_variable *i = &inner[at];
            const bool         own = !is_of_link(i->quantity) ||
                             (kept[i->index] && !(is_of_joint(i->quantity) && several[i->index]));
            const bool found = is_motion(i->quantity, inverse) && dependent[i->index];
            if (own && !found && !is_matrix(i->quantity)) break;
        }
        assert(at < n_inner && inner[at].quantity == o->quantity && inner[at].role == o->role);
        inner_of[row] = at++;
    }
}

// Coordinates of a joint of several freedoms that are the same on both sides.
static void pair_sliding(const fa_mechanism *m, const fa_variables *outer, int link, int body,
                         int n, bool dependent, int inner_of[])
{
    static const fa_arm_quantity quantity[] = {FA_ARM_POSITION, FA_ARM_VELOCITY,
                                               FA_ARM_ACCELERATION, FA_ARM_TORQUE};
    for (size_t q = 0; q < sizeof quantity / sizeof *quantity; q++) {
        const int first = fa_arm_row_with(outer, quantity[q], link);
        if (dependent && is_motion(quantity[q], m->inverse)) continue; // closing finds them
        for (int k = 0; k < n; k++) inner_of[first + k] = m->arm->joint[body + k].at[quantity[q]];
    }
}

// A span's group is the one that computes its rows, without what that group needs of others.
static void find_spans(fa_mechanism *m, const fa_variables *outer, const fa_variable inner[],
                       const int inner_of[])
{
    for (int row = 0; row < outer->n; row++) {
        const fa_variable *o = &outer->row[row];
        fa_mechanism_span *last = m->n_spans > 0 ? &m->span[m->n_spans - 1] : NULL;
        if (inner_of[row] == FA_NO_ROW) continue;
        const unsigned group = inner[inner_of[row]].group;
        if (last && last->outer + last->n == row && last->inner + last->n == inner_of[row] &&
            last->role == o->role && last->group == group)
            last->n++;
        else
            m->span[m->n_spans++] = (fa_mechanism_span){row, inner_of[row], 1, group, o->role};
    }
}

static void find_ball(fa_mechanism *m, const fa_robot *robot, const fa_variables *outer, int link,
                      int body, int before)
{
    fa_mechanism_ball *ball = &m->ball[m->n_balls++];
    const fa_joint    *joint = &robot->link[link].joint;
    const int          first = fa_robot_expanded_link(robot, link) - fa_joint_speeds(joint) + 1;
    const int          initial = fa_arm_row_with(outer, FA_ARM_INITIAL_POSITION, link);
    *ball = (fa_mechanism_ball){
        .body = body + before,
        .initial = initial == FA_NO_ROW ? FA_NO_ROW : initial + before,
        .position = fa_arm_row_with(outer, FA_ARM_POSITION, link) + before,
        .velocity = fa_arm_row_with(outer, FA_ARM_VELOCITY, link) + before,
        .acceleration = fa_arm_row_with(outer, FA_ARM_ACCELERATION, link) + before,
        .effort = fa_arm_row_with(outer, FA_ARM_TORQUE, link) + before,
        .rate = fa_arm_row_with(outer, FA_ARM_QUATERNION_RATE, link),
        .origin = m->arm->body[body + before].home.E,
        .home = m->arm->joint[body + before].home,
        .link = first + before,
        .name = m->robot->link[fa_robot_expanded_link(robot, link)].joint.name};
    if (m->arm->outputs && m->arm->outputs->wanted & FA_EXTRA_REACTIONS)
        ball->link_origin = m->arm->outputs->parts.body[ball->link].home.E;
}

static void find_joint(fa_mechanism *m, const fa_robot *robot, const fa_variables *outer, int link,
                       int body)
{
    const fa_joint     *joint = &robot->link[link].joint;
    const int           ball = fa_joint_ball_part(joint->type);
    fa_mechanism_joint *to = &m->loops->joint[m->loops->n_joints++];
    *to =
        (fa_mechanism_joint){.name = m->robot->link[fa_robot_expanded_link(robot, link)].joint.name,
                             .first = m->arm->body[body].coordinate,
                             .sliding = ball == FA_NOBODY ? fa_joint_speeds(joint) : ball,
                             .ball = ball == FA_NOBODY ? FA_NOBODY : m->n_balls - 1,
                             .dependent = joint->dependent,
                             .position = fa_arm_row_with(outer, FA_ARM_POSITION, link),
                             .velocity = fa_arm_row_with(outer, FA_ARM_VELOCITY, link),
                             .acceleration = fa_arm_row_with(outer, FA_ARM_ACCELERATION, link),
                             .accepted = fa_arm_row_with(outer, FA_ARM_ACCEPTED, link),
                             .initial = fa_arm_row_with(outer, FA_ARM_INITIAL_POSITION, link)};
}

static void find_loops(fa_mechanism *m, const fa_robot *robot, const fa_variables *outer)
{
    struct fa_mechanism_loops *x = m->loops;
    x->error = fa_arm_row_with(outer, FA_ARM_LOOP_ERROR, 0);
    x->regularity_row = fa_arm_row_with(outer, FA_ARM_REGULARITY, 0);
    x->placed = fa_arm_row_with(outer, FA_ARM_PLACED, 0);
    x->has_forces = robot->outputs & FA_EXTRA_REACTIONS;
    x->first_force = x->n_forces = 0;
    for (int row = outer->n - 1; row >= 0; row--) {
        const int quantity = outer->row[row].quantity;
        if (quantity != FA_ARM_LOOP_FORCE && quantity != FA_ARM_LOOP_AXIAL) continue;
        x->first_force = row;
        x->n_forces++;
    }
    for (int k = 0; k < robot->n_loops; k++)
        x->force_of[k] = fa_arm_row_with(outer, FA_ARM_LOOP_FORCE, k);
    if (m->arm->weight.effort && x->weight) {
        int n = 0;
        for (int i = 0; i < m->arm->chain.n; i++) {
            const fa_servo_data *servo = &m->arm->joint[i].servo;
            if (servo->present && servo->compensates)
                x->weight->coordinate[n++] = m->arm->body[i].coordinate;
        }
        x->weight->n = n;
        m->arm->weight.loops = x->weight;
    }
    for (int k = 0; k < x->loops->n_constraints; k++) {
        x->open[k] = fa_robot_loop(robot, x->loops->given[k])->open;
        x->from[k] = x->loops->constraint[k].from;
    }
    for (int i = 0; i < x->n_joints; i++)
        for (int k = 0; k < x->joint[i].sliding; k++)
            x->start[x->joint[i].first + k] = outer->row[x->joint[i].initial + k].start;
    m->arm->chain.loops = x->loops;
    m->arm->loops = &x->tangent;
    if (m->inverse) {
        m->arm->shares = x->weight;
        m->arm->turned = x->turned;
        x->weight->n = fa_driven_joints(robot, x->loops, x->weight->coordinate, x->weight->scale);
        return;
    }
    fa_arm_use(m->arm, &fa_cluster_elimination_method, x->by_clusters);
}

// ----------------------------------------------------------------------------------- preparation

// In parts, with balls where their quaternions are 1 0 0 0.
static void take_apart(const fa_robot *robot, fa_robot *in_parts)
{
    fa_robot_expand(robot, in_parts);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const int       ball = fa_joint_ball_part(joint->type);
        if (ball == FA_NOBODY) continue;
        const int first = fa_robot_expanded_link(robot, i) - fa_joint_speeds(joint) + 1;
        in_parts->link[first + ball].joint.origin =
            ball == 0 ? joint->origin : transform_identity();
    }
}

static void prepare(fa_mechanism *m, bool inverse, const fa_robot *robot,
                    const fa_variables *variables)
{
    scratch s;
    memset(m, 0, sizeof *m);
    // Without memory for loops here, closing them fails with a message later.
    fa_loops *built = robot->n_loops > 0 ? fa_robot_build_loops(robot) : NULL;
    lay_out(m, (char *)m, robot, NULL, NULL, &s);
    take_apart(robot, m->robot);
    char *const behind = (char *)m->robot + fa_robot_expanded_size(robot);
    memset(behind, 0,
           lay_out(NULL, NULL, robot, m->robot, built, &s) - (size_t)(behind - (char *)m));
    lay_out(m, (char *)m, robot, m->robot, built, &s);
    fa_loops_free(built);
    m->inverse = inverse;
    m->plant = plant_of(inverse);
    fa_variables table = {.row = s.row};
    declare(inverse, m->robot, &table);
    for (int row = 0; row < m->n_rows; row++) m->value[row] = s.row[row].start;
    m->plant->prepare(m->arm, m->robot, &table);

    bool *kept = s.kept, *several = s.several, *dependent = s.dependent;
    for (int i = 0, last = -1; i < robot->n_links; i++) {
        const fa_joint_type type = robot->link[i].joint.type;
        last += fa_joint_is_several(type) ? fa_joint_kinds[type].speeds : 1;
        kept[last] = true;
        several[last] = fa_joint_is_several(robot->link[i].joint.type);
        dependent[last] = robot->link[i].joint.dependent;
    }
    pair_rows(robot, variables, s.row, m->n_rows, kept, several, dependent, s.inner_of);
    for (int i = 0, body = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        const int       speeds = fa_joint_speeds(joint), ball = fa_joint_ball_part(joint->type);
        if (fa_joint_is_several(joint->type)) {
            pair_sliding(m, variables, i, body, ball == FA_NOBODY ? speeds : ball, joint->dependent,
                         s.inner_of);
            if (ball != FA_NOBODY) find_ball(m, robot, variables, i, body, ball);
            m->friction[m->n_frictions++] = (fa_mechanism_friction){
                fa_arm_row_with(variables, FA_AT(friction.viscous), i), body, speeds};
        }
        if (m->loops && fa_joint_is_free(joint)) find_joint(m, robot, variables, i, body);
        body += speeds;
    }
    m->n_known = variables->first[FA_OUTPUT];
    fa_mechanism_prepare_matrices(m, robot, variables);
    find_spans(m, variables, s.row, s.inner_of);
    if (m->loops) find_loops(m, robot, variables);
}

void fa_mechanism_prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    prepare(self, false, robot, variables);
}

void fa_inverse_mechanism_prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    prepare(self, true, robot, variables);
}
