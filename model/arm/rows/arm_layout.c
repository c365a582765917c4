// Memory layout of an arm: arrays behind the struct, and the row of each quantity in the table of
// variables.
#include <string.h>

#include "arena.h"
#include "arm.h"
#include "arm_outputs.h"
#include "derivatives.h"
#include "joint_lists.h"
#include "methods.h"

// Scratch of the preparation, for each link of the robot.
typedef struct link_scratch {
    fa_transform frame;
    int          body, entry, joint_body;
} link_scratch;

size_t fa_arm_work_size(const fa_chain *chain)
{
    const size_t uses[] = {
        fa_method_forward(chain)->work_size(chain),
        fa_newton_euler_inverse_work_size(chain),  // fa_method_inverse only
        fa_composite_body_matrix_work_size(chain), // the mass matrix, for tangents
        fa_inverse_step_work_size(chain),           fa_inverse_slope_work_size(chain),
    };
    size_t largest = 0;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i] > largest) largest = uses[i];
    return largest;
}

// Some link that moves hangs on another one than that before it.
static bool is_branched(const fa_robot *robot)
{
    int previous = FA_WORLD;
    for (int i = 0; i < robot->n_links; i++) {
        if (robot->link[i].joint.type == FA_FIXED) continue;
        int parent = robot->link[i].parent;
        while (parent != FA_WORLD && robot->link[parent].joint.type == FA_FIXED)
            parent = robot->link[parent].parent;
        if (parent != previous) return true;
        previous = i;
    }
    return false;
}

static bool has_screws(const fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.type == FA_SCREW) return true;
    return false;
}

static size_t names_size(const fa_robot *robot)
{
    size_t size = 0;
    for (int i = 0; i < robot->n_links; i++)
        size += strlen(robot->link[i].name) + strlen(robot->link[i].joint.name) + 2;
    return size;
}

// Returns true if a servo compensates gravity.
static bool weighs(const fa_robot *robot)
{
    bool any = false;
    for (int i = 0; i < robot->n_links; i++)
        any |= fa_joint_has(&robot->link[i].joint, FA_JOINT_servo, false) &&
               robot->link[i].joint.servo.compensates;
    return any;
}

static void lay_out_weight(fa_arm_weight *to, fa_arena *a, bool wanted, size_t n, size_t c)
{
    memset(to, 0, sizeof *to);
    if (!wanted) return;
    to->body = fa_arena_take(a, n, sizeof *to->body);
    to->effort = fa_arena_take(a, c, sizeof *to->effort);
    to->tangent = fa_arena_take(a, c, sizeof *to->tangent);
    to->adjoint = fa_arena_take(a, c, sizeof *to->adjoint);
    to->rest = fa_arena_take(a, c, sizeof *to->rest);
}

// Links weigh as much as gravity pulls on them.
static void weigh_bodies(fa_arm *arm, const fa_robot *robot)
{
    fa_body *body = arm->weight.body;
    int      k = 0;
    memcpy(body, arm->body, (size_t)arm->chain.n * sizeof *body);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_link *from = &robot->link[i];
        if (k == arm->n_links || !fa_robot_link_moves(robot, i)) continue;
        const fa_arm_link *link = &arm->link[k++];
        if (link->relief == 0) continue;
        const double     mass = -link->relief * from->mass;
        const fa_inertia off = {mass, vec3_scale(mass, from->com), {0, 0, 0, 0, 0, 0}};
        body[link->body].inertia =
            inertia_add(body[link->body].inertia, inertia_to_parent(link->frame, off));
    }
}

// The bodies that servos weigh have the masses of the robot's file, whatever parameters say.
static void prepare_weight(fa_arm *arm, const fa_robot *robot)
{
    fa_arm_weight *weight = &arm->weight;
    if (arm->inverse || !weighs(robot))
        memset(weight, 0, sizeof *weight);
    else
        weigh_bodies(arm, robot);
}

// Arena allocator: the function runs twice, first to measure the block, then to assign addresses.
// `lasting`, unless NULL: bytes of all but the factor. Returns the size; `*names`: memory of the
// names of links and joints.
static size_t lay_out(fa_arm *arm, char *base, const fa_robot *robot, char **names, size_t *lasting)
{
    int      n_bodies = fa_chain_bodies(robot), n_coordinates = fa_robot_freedom(robot);
    int      n_links = robot->n_links;
    size_t   n = (size_t)n_bodies, c = (size_t)n_coordinates;
    fa_arena a = {base, 0};
    fa_arm   scratch;
    // cppcheck-suppress uninitvar ; only its address is taken
    fa_arm  *to = arm ? arm : &scratch;
    fa_chain chain = {.n = n_bodies, .n_coordinates = n_coordinates};
    chain.coupled = n_bodies != n_coordinates;
    chain.branched = is_branched(robot);

    fa_arena_take(&a, 1, sizeof(fa_arm));
    to->body = fa_arena_take(&a, n, sizeof *to->body);
    to->joint = fa_arena_take(&a, n, sizeof *to->joint);
    to->plain = fa_arena_take(&a, n, sizeof *to->plain);
    // Jacobians are made while no tangent and no adjoint is under way.
    fa_arena apart = a;
    size_t   jacobians = fa_arm_jacobian_lay_out(to, &apart, &chain);
    void    *inertias =
        fa_arena_share(&a, n, sizeof *to->inertia_tangent, sizeof *to->inertia_adjoint);
    void *motions = fa_arena_share(&a, n, sizeof *to->motion_tangent, sizeof *to->motion_adjoint);
    void *wrenches = fa_arena_share(&a, n, sizeof *to->wrench_tangent, sizeof *to->wrench_adjoint);
    to->inertia_tangent = inertias;
    to->inertia_adjoint = inertias;
    to->motion_tangent = motions;
    to->motion_adjoint = motions;
    to->wrench_tangent = wrenches;
    to->wrench_adjoint = wrenches;
    to->rotor_tangent = to->rotor_adjoint = fa_arena_take(&a, n, sizeof *to->rotor_tangent);
    to->advance_adjoint = fa_arena_take(&a, has_screws(robot) ? n : 0, sizeof *to->advance_adjoint);
    if (a.size < apart.size) a.size = apart.size;
    to->motion = fa_arena_take(&a, n, sizeof *to->motion);
    to->wrench = fa_arena_take(&a, n, sizeof *to->wrench);
    to->pose = fa_arena_take(&a, n, sizeof *to->pose);
    to->path = fa_arena_take(&a, n, sizeof *to->path);
    to->link = fa_arena_take(&a, (size_t)n_links, sizeof *to->link);
    *names = fa_arena_take(&a, 1, names_size(robot));
    fa_arm_cylinders_lay_out(&a, &to->cylinders, robot->n_cylinders, n, c, has_screws(robot));
    fa_arm_touches_lay_out(&a, &to->touches, robot, n, c);
    to->tau = fa_arena_take(&a, c, sizeof *to->tau);
    to->tau_tangent = fa_arena_take(&a, c, sizeof *to->tau_tangent);
    to->result = fa_arena_take(&a, c, sizeof *to->result);
    to->qdd_tangent = fa_arena_take(&a, c, sizeof *to->qdd_tangent);
    to->zero = fa_arena_take(&a, c, sizeof *to->zero);
    to->bias = fa_arena_take(&a, c, sizeof *to->bias);
    to->bias_still = fa_arena_take(&a, c, sizeof *to->bias_still);
    to->push = fa_arena_take(&a, c, sizeof *to->push);
    to->push_tangent_of = fa_arena_take(&a, c, sizeof *to->push_tangent_of);
    to->held = fa_arena_take(&a, c, sizeof *to->held);
    to->fast = fa_arena_take(&a, 1, fa_fast_size(&chain));
    lay_out_weight(&to->weight, &a, weighs(robot), n, c);

    size_t preparation = (size_t)n_links * sizeof(link_scratch), work = fa_arm_work_size(&chain);
    if (work < preparation) work = preparation;
    to->work = fa_arena_take(&a, 1, work > jacobians ? work : jacobians);
    fa_arm_outputs_lay_out(to, &a, robot->outputs & ~FA_EXTRA_ENERGY, &chain, n_links);

    // The array of quadratic size is the last one: an arm of thousands of joints does not touch it
    // unless derivatives are requested, and most systems commit memory at the first access.
    if (lasting) *lasting = a.size;
    to->factor = fa_arena_take(&a, c * c, sizeof *to->factor);
    return a.size;
}

size_t fa_arm_size(const fa_robot *robot)
{
    char *names;
    return lay_out(NULL, NULL, robot, &names, NULL);
}

static void find_rows(fa_arm *arm, const fa_variables *variables)
{
    for (int quantity = 0; quantity < FA_ARM_QUANTITY_COUNT; quantity++)
        arm->row[quantity] = FA_NO_ROW;
    for (int row = variables->n - 1; row >= 0; row--) // backwards: the first of a run stays
        arm->row[variables->row[row].quantity] = row;
    arm->n_parameters = variables->first[FA_INPUT];
    arm->time_row = variables->first[FA_TIME];
    arm->works = arm->row[FA_ARM_WORK] != FA_NO_ROW;
    arm->moves = arm->row[FA_ARM_POWER] != FA_NO_ROW;
    arm->powers = !arm->moves ? 0 : arm->works ? FA_GROUP_DERIVATIVES : FA_ARM_GROUP_POWERS;
}

// The rows of joints and links. Per link of the robot: the body that its joint moves, and its entry
// in arm->link.
static void find_rows_of_parts(fa_arm *arm, const fa_variables *variables, const int joint_body[],
                               const int entry[])
{
    for (int i = 0; i < arm->chain.n; i++)
        for (int quantity = 0; quantity < FA_ARM_JOINT_END; quantity++)
            arm->joint[i].at[quantity] = FA_NO_ROW;
    for (int row = variables->n - 1; row >= 0; row--) {
        const fa_variable *v = &variables->row[row];
        if (v->quantity != FA_ARM_OTHER && v->quantity < FA_ARM_JOINT_END)
            arm->joint[joint_body[v->index]].at[v->quantity] = row;
        if (v->quantity == FA_ARM_MASS) arm->link[entry[v->index]].row = row;
        if (v->quantity == FA_ARM_LINK_WRENCH) {
            arm->link[entry[v->index]].wrench_row = row;
            arm->has_link_wrenches = true;
        }
    }
}

// Sets the parts of a joint that do not depend on parameters: its elements and their options.
static void find_drives(fa_arm *arm, const fa_robot *robot, const int joint_body[], char *names)
{
    for (int i = 0; i < robot->n_links; i++) {
        if (joint_body[i] == FA_NOBODY) continue;
        const fa_joint *from = &robot->link[i].joint;
        fa_arm_joint   *joint = &arm->joint[joint_body[i]];
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) joint->name = from->name;
#include "passes.h"
        if (arm->inverse) { // there nothing sticks, and what would is no parameter
            joint->friction.sticks = false;
            joint->stop.present = joint->closure.present = joint->lock.present = false;
            joint->servo.present = false;
        }
        joint->limit.present = joint->rotor.present = joint->friction.present = true;
        joint->torque.present = joint->at[FA_ARM_TORQUE] != FA_NO_ROW && !arm->inverse &&
                                !joint->motor.present && !joint->closure.present;
        joint->given = (fa_joint_given){.name = strcpy(names, from->name),
                                        .type = from->type,
                                        .mimic = from->mimic,
                                        .initial_position = from->initial_position,
                                        .initial_velocity = from->initial_velocity};
        names += strlen(names) + 1;
        arm->holds |= joint->at[FA_AT(friction.slip)] != FA_NO_ROW ||
                      joint->at[FA_AT(lock.lock)] != FA_NO_ROW;
        arm->sticks |= joint->at[FA_AT(friction.slip)] != FA_NO_ROW;
        arm->has_stops |= joint->at[FA_AT(stop.side)] != FA_NO_ROW;
        arm->has_drives |= joint->motor.present || joint->servo.present;
        arm->tells |=
            arm->has_drives || arm->has_stops || joint->lock.analogue || joint->closure.analogue;
    }
}

int fa_arm_independent_body(const fa_arm *arm, int coordinate)
{
    int body = 0; // one is there
    while (arm->body[body].coordinate != coordinate ||
           arm->joint[body].given.mimic.leader != FA_NOBODY)
        body++;
    return body;
}

static void find_tip(fa_arm *arm, const fa_robot *robot, const int link_body[],
                     const fa_transform link_frame[])
{
    arm->tip_body = link_body[robot->tip_link];
    arm->tip_frame = transform_compose(link_frame[robot->tip_link], robot->tip);
    arm->tip_home = fa_quaternion_of(arm->tip_frame.E);
    for (int i = arm->tip_body; i != FA_WORLD; i = arm->body[i].parent) arm->n_path++;
    int place = arm->n_path;
    for (int i = arm->tip_body; i != FA_WORLD; i = arm->body[i].parent) arm->path[--place] = i;
    for (int i = 0; i < arm->chain.n; i++)
        arm->joint[i].home = fa_quaternion_of(arm->body[i].home.E);
}

static void prepare(fa_arm *arm, bool inverse, const fa_robot *robot, const fa_variables *variables)
{
    void  *self = arm;
    char  *names;
    size_t lasting;
    lay_out(NULL, NULL, robot, &names, &lasting);
    memset(arm, 0, lasting);
    lay_out(arm, self, robot, &names, NULL);
    arm->inverse = inverse;

    // link_scratch, one array after another; gone when this function returns.
    fa_transform *link_frame = arm->work;
    int          *link_body = (int *)(link_frame + robot->n_links);
    int          *entry = link_body + robot->n_links, *joint_body = entry + robot->n_links;
    arm->chain = fa_chain_build(robot, arm->body, link_body, link_frame);
    for (int i = 0; i < robot->n_links; i++) {
        entry[i] = arm->n_links;
        joint_body[i] = robot->link[i].joint.type == FA_FIXED ? FA_NOBODY : link_body[i];
        if (link_body[i] == FA_WORLD) continue;
        fa_arm_link *link = &arm->link[arm->n_links++];
        *link = (fa_arm_link){.body = link_body[i],
                              .frame = link_frame[i],
                              .wrench_row = FA_NO_ROW,
                              .relief = robot->link[i].relief,
                              .name = strcpy(names, robot->link[i].name)};
        names += strlen(names) + 1;
        arm->has_link_wrenches |= link->relief != 0;
    }
    find_rows(arm, variables);
    // These two need no preparation, so that their work may be the scratch of everything.
    const fa_method *method =
        arm->inverse ? fa_method_inverse(&arm->chain) : fa_method_forward(&arm->chain);
    arm->ready = fa_method_ready(method, &arm->chain, arm->work);
    arm->only = FA_NOBODY;
    arm->fast = arm->chain.screws ? NULL : fa_fast_place(arm->fast, &arm->chain, 0);
    arm->kernel = fa_fast_kernel_best(false);
    arm->fixed_kernel = fa_fast_kernel_best(true);
    find_rows_of_parts(arm, variables, joint_body, entry);
    find_drives(arm, robot, joint_body, names);
    arm->chain.base_moves = arm->row[FA_ARM_BASE_MOTION] != FA_NO_ROW;
    find_tip(arm, robot, link_body, link_frame);
    prepare_weight(arm, robot);
    fa_arm_outputs_prepare(arm, robot, variables, entry);
    fa_arm_cylinders_prepare(arm, robot, variables, link_body, link_frame);
    fa_arm_touches_prepare(arm, robot, variables, link_body, link_frame);
    arm->n_works = arm->touches.n_contacts > 0 ? FA_ARM_WORKS : FA_ARM_CONTACTS;
}

// The plant decides between arm and inverse: an arm without joints has no variable that shows it.
void fa_arm_prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    prepare(self, false, robot, variables);
}

void fa_inverse_prepare(void *self, const fa_robot *robot, const fa_variables *variables)
{
    prepare(self, true, robot, variables);
}
