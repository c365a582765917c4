// Questions about robots, and what commands change in one.
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"

bool fa_robot_is_snake(const fa_robot *robot)
{
    return strcmp(robot->plant, "snake") == 0 || fa_robot_has_ground(robot);
}

bool fa_robot_is_sliding(const fa_robot *robot)
{
    return strcmp(robot->plant, "sliding-snake") == 0;
}

bool fa_robot_has_ground(const fa_robot *robot)
{
    return strcmp(robot->plant, "rolling-snake") == 0 || fa_robot_is_sliding(robot);
}

bool fa_joint_is_free(const fa_joint *joint)
{
    return joint->type != FA_FIXED && joint->mimic.leader == FA_NOBODY;
}

int fa_robot_freedom(const fa_robot *robot)
{
    int freedom = 0;
    if (fa_robot_is_sliding(robot)) return robot->n_links + 2;
    if (fa_robot_is_snake(robot)) return FA_PRESCRIBED_MAX;
    for (int i = 0; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint))
            freedom += fa_joint_speeds(&robot->link[i].joint);
    return freedom;
}

int fa_robot_independent(const fa_robot *robot)
{
    int freedom = fa_robot_freedom(robot);
    for (int i = 0; i < robot->n_links; i++)
        if (fa_joint_is_free(&robot->link[i].joint) && robot->link[i].joint.dependent)
            freedom -= fa_joint_speeds(&robot->link[i].joint);
    return freedom;
}

int fa_joint_speeds(const fa_joint *joint)
{
    return fa_joint_kinds[joint->type].speeds;
}

bool fa_robot_is_mechanism(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        if (fa_joint_is_several(robot->link[i].joint.type)) return true;
    return robot->n_loops > 0;
}

bool fa_robot_is_inverse(const fa_robot *robot)
{
    return strncmp(robot->plant, "inverse", strlen("inverse")) == 0;
}

bool fa_robot_link_moves(const fa_robot *robot, int link)
{
    while (link != FA_WORLD && robot->link[link].joint.type == FA_FIXED)
        link = robot->link[link].parent;
    return link != FA_WORLD;
}

int fa_robot_find_link(const fa_robot *robot, const char *name)
{
    for (int i = 0; i < robot->n_links; i++)
        if (strcmp(robot->link[i].name, name) == 0) return i;
    return FA_NOBODY;
}

int fa_robot_find_joint(const fa_robot *robot, const char *name)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.name[0] && strcmp(robot->link[i].joint.name, name) == 0) return i;
    return FA_NOBODY;
}

static void fix(fa_joint *joint, double position)
{
    fa_body as_body = {.joint = joint->type,
                       .axis = joint->axis,
                       .home = joint->origin,
                       .advance = fa_joint_advance(joint)};
    joint->origin = fa_joint_transform(&as_body, position);
    joint->type = FA_FIXED;
}

// Fixes all followers of joint `index`, direct or indirect, for its position `position`.
static void fix_followers(fa_robot *robot, int index, double position)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_mimic whole = robot->link[i].joint.mimic; // of joint i to the end of its line
        if (robot->link[i].joint.type == FA_FIXED || whole.leader == FA_NOBODY) continue;
        for (int steps = 0; whole.leader != index && steps < robot->n_links; steps++) {
            fa_mimic next = robot->link[whole.leader].joint.mimic;
            if (next.leader == FA_NOBODY) break;
            whole = (fa_mimic){next.leader, whole.ratio * next.ratio,
                               whole.ratio * next.offset + whole.offset};
        }
        if (whole.leader == index)
            fix(&robot->link[i].joint, whole.ratio * position + whole.offset);
    }
    // Only now, because others found their way along these.
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type == FA_FIXED)
            robot->link[i].joint.mimic = (fa_mimic){FA_NOBODY, 1, 0};
}

fa_status fa_robot_lock(fa_robot *robot, const char *name, double position, fa_error *error)
{
    int index = fa_robot_find_joint(robot, name);
    robot->checked = robot->closed = false;
    if (index == FA_NOBODY)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "there is no joint '%s' to lock; see `forearm check` for the names", name);
    fa_joint *joint = &robot->link[index].joint;
    if (joint->type == FA_FIXED)
        return fa_fail(error, FA_BAD_INPUT, robot->source, joint->place,
                       "joint '%s' is fixed already and cannot be locked elsewhere", name);
    if (joint->mimic.leader != FA_NOBODY)
        return fa_fail(error, FA_BAD_INPUT, robot->source, joint->place,
                       "joint '%s' follows joint '%s'; lock that one instead", name,
                       robot->link[joint->mimic.leader].joint.name);
    if (fa_joint_is_several(joint->type))
        return fa_fail(error, FA_BAD_INPUT, robot->source, joint->place,
                       "joint '%s' is %s, and one number does not say where to lock it; make it "
                       "fixed in the robot's file",
                       name, fa_joint_kinds[joint->type].name);
    if (!isfinite(position))
        return fa_fail(error, FA_BAD_INPUT, robot->source, joint->place,
                       "joint '%s' cannot be locked at a position that is not a finite number",
                       name);

    fix(joint, position);
    fix_followers(robot, index, position);
    return FA_OK;
}

fa_status fa_robot_set_tip(fa_robot *robot, const char *name, fa_error *error)
{
    int link = fa_robot_find_link(robot, name);
    robot->checked = false;
    if (link == FA_NOBODY)
        return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                       "there is no link '%s' to be the tip; see `forearm check` for the names",
                       name);
    robot->tip_link = link;
    robot->tip = transform_identity();
    return FA_OK;
}

typedef struct word_bit {
    const char *name;
    int         bit;
} word_bit;

// The union of the bits of words with commas between them; 0: *word is none of them.
static int read_words(const char *list, const word_bit known[], size_t n, const char **word)
{
    int all = 0;
    for (const char *end; list; list = *end ? end + 1 : NULL) {
        const size_t length = strcspn(list, ",");
        int          bit = 0;
        end = list + length;
        for (size_t i = 0; i < n; i++)
            if (strlen(known[i].name) == length && strncmp(known[i].name, list, length) == 0)
                bit = known[i].bit;
        *word = list;
        if (bit == 0) return 0;
        all |= bit;
    }
    return all;
}

static int word_length(const char *word)
{
    const size_t length = strcspn(word, ",");
    return length < FA_NAME_SIZE ? (int)length : FA_NAME_SIZE;
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

// Turns the Boolean inputs of all joints of this kind into real ones, on above 0.5.
static void use_real_inputs(fa_robot *robot, bool locks, bool closures)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        joint->lock.analogue |= locks && joint->lock.present;
        joint->closure.analogue |= closures && joint->closure.present;
    }
}

bool fa_robot_mark_passive(fa_robot *robot)
{
    bool any = false;
    for (int i = 0; i < robot->n_links; i++) any |= robot->link[i].joint.actuated;
    for (int i = 0; i < robot->n_links && any; i++)
        robot->link[i].joint.passive =
            robot->link[i].joint.type != FA_FIXED && !robot->link[i].joint.actuated;
    if (any) robot->checked = false;
    return any;
}

fa_status fa_robot_set_inputs(fa_robot *robot, const char *list, fa_error *error)
{
    enum { BASE = 1, LOCK = 2, LOCK_REAL = 4, CLOSE_REAL = 8, ACTUATED = 16 };
    static const word_bit known[] = {{"base", BASE},
                                     {"lock", LOCK},
                                     {"lock-real", LOCK | LOCK_REAL},
                                     {"close-real", CLOSE_REAL},
                                     {"actuated", ACTUATED}};
    const char           *word = list;
    const int             all = read_words(list, known, COUNT(known), &word);
    robot->checked = false;
    if (all == 0)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "there are no inputs '%.*s'; take some of base, lock, lock-real, "
                       "close-real, actuated, separated by commas",
                       word_length(word), word);
    if (all & ACTUATED && !fa_robot_mark_passive(robot))
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "the file says of no joint that something drives it (<actuator> of MJCF, "
                       "<ros2_control> of URDF); leave --inputs actuated out");
    if (all & ACTUATED) robot->hidden |= FA_HIDE_PASSIVE;
    robot->base_motion |= (all & BASE) != 0;
    for (int i = 0; all & LOCK && i < robot->n_links; i++)
        robot->link[i].joint.lock.present |=
            fa_joint_is_free(&robot->link[i].joint) && fa_joint_speeds(&robot->link[i].joint) == 1;
    use_real_inputs(robot, all & LOCK_REAL, all & CLOSE_REAL);
    return FA_OK;
}

fa_status fa_robot_set_outputs(fa_robot *robot, const char *list, fa_error *error)
{
#define X(code, name, bit) {name, bit},
    static const word_bit extra[] = {FA_EXTRA_LIST(X)};
#undef X
    const char *word = list;
    const int   bits = read_words(list, extra, COUNT(extra), &word);
    robot->checked = false;
    if (bits == 0)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "there are no outputs '%.*s'; take some of " FA_EXTRA_WORDS
                       ", separated by commas",
                       word_length(word), word);
    robot->outputs |= bits;
    return FA_OK;
}

fa_status fa_robot_set_hidden(fa_robot *robot, const char *list, fa_error *error)
{
#define X(code, name, bit) {name, bit},
    static const word_bit hidden[] = {FA_HIDDEN_LIST(X)};
#undef X
    const char *word = list;
    const int   bits = read_words(list, hidden, COUNT(hidden), &word);
    if (bits == 0)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "an FMU cannot do without '%.*s'; take some of " FA_HIDDEN_WORDS
                       ", separated by commas",
                       word_length(word), word);
    robot->hidden |= bits;
    return FA_OK;
}

// Moving joints, and links, on the way from the ground to a link.
typedef struct depth {
    int  joints, links;
    bool leaf;
} depth;

int fa_robot_guess_tip(const fa_robot *robot, int *equals)
{
    *equals = 0;
    depth *list = calloc((size_t)robot->n_links, sizeof *list);
    if (!list) return FA_NOBODY;
    for (int i = 0; i < robot->n_links; i++) { // parents come first
        const fa_link *link = &robot->link[i];
        if (link->parent != FA_WORLD) {
            list[i] = list[link->parent];
            list[link->parent].leaf = false;
        }
        list[i].joints += fa_joint_speeds(&link->joint);
        list[i].links++;
        list[i].leaf = true;
    }
    int best = FA_NOBODY;
    for (int i = 0; i < robot->n_links; i++) {
        if (!list[i].leaf) continue;
        int more = best == FA_NOBODY ? 1 : list[i].joints - list[best].joints;
        if (more == 0) more = list[i].links - list[best].links;
        if (more < 0) continue;
        *equals = more == 0 ? *equals + 1 : 0;
        if (more > 0) best = i;
    }
    free(list);
    return best;
}
