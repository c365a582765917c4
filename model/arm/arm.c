// Evaluates the arm: accelerations or torques, tip motion, energies, outputs on request.
#include "arm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm_outputs.h"
#include "arm_weight_loops.h"
#include "cholesky.h"
#include "energy.h"
#include "loop_derivatives.h"
#include "methods.h"
#include "number.h"
#include "robot_joint.h"
#include "robot_link.h"

// -------------------------------------------------------------------------------------- parameters

fa_arm_mass fa_arm_mass_at(const double value[], int row)
{
    const double *v = value + row;
    return (fa_arm_mass){v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7], v[8], v[9]}};
}

static fa_inertia inertia_at(const double value[], int row, fa_transform frame)
{
    fa_arm_mass m = fa_arm_mass_at(value, row);
    return fa_link_inertia(m.mass, m.com, m.inertia, frame);
}

void fa_arm_inertias(fa_arm *arm, const double value[])
{
    static const fa_inertia none = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < arm->n_links; i++) arm->body[arm->link[i].body].inertia = none;
    for (int i = 0; i < arm->n_links; i++) {
        const fa_arm_link *link = &arm->link[i];
        fa_inertia        *inertia = &arm->body[link->body].inertia;
        *inertia = inertia_add(*inertia, inertia_at(value, link->row, link->frame));
    }
    if (arm->tip_body != FA_WORLD) {
        fa_inertia *inertia = &arm->body[arm->tip_body].inertia;
        *inertia =
            inertia_add(*inertia, inertia_at(value, arm->row[FA_ARM_PAYLOAD_MASS], arm->tip_frame));
    }
}

// Takes a number over if the robot has a row for it; false: it is another one than before.
static bool take(int row, const double value[], double *to)
{
    if (row == FA_NO_ROW || *to == value[row]) return true;
    *to = value[row];
    return false;
}

// The joint as the robot file has it.
static fa_joint joint_before(const fa_arm_joint *joint)
{
    const fa_joint_given *given = &joint->given;
    fa_joint              before = {.place = FA_NOWHERE,
                                    .type = given->type,
                                    .mimic = given->mimic,
#define ELEMENT_LIST                     "at_joints.h"
#define ELEMENT(name, place, xml, about) .name = joint->name,
#include "passes.h"
                       .pitch = given->pitch,
                       .initial_position = given->initial_position,
                       .initial_velocity = given->initial_velocity};
    (void)snprintf(before.name, sizeof before.name, "%s", given->name);
    return before;
}

// All numbers of what acts at the joint; false: some have changed.
static bool take_numbers(const int at[], const double value[], fa_joint *joint)
{
    bool same = take(at[FA_ARM_INITIAL_POSITION], value, &joint->initial_position);
    same &= take(at[FA_ARM_INITIAL_VELOCITY], value, &joint->initial_velocity);
    same &= take(at[FA_ARM_PITCH], value, &joint->pitch);
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, place, xml, about)                                                           \
    {                                                                                              \
        fa_##name##_data       *data = &joint->name;                                               \
        const fa_##name##_rows *row_of = (const void *)(at + FA_AT(name));                         \
        (void)data;                                                                                \
        (void)row_of;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)                                 \
    same &= take(row_of->name, value, &data->name);
#define END(name) }
#include "passes.h"
    return same;
}

// The rules are those of the robot file, and what there is stays. What is refused changes nothing.
static fa_status configure_joint(fa_arm_joint *joint, fa_body *body, bool inverse,
                                 const double value[], fa_error *error)
{
    const fa_joint before = joint_before(joint);
    fa_joint       now = before;
    if (take_numbers(joint->at, value, &now)) return FA_OK; // it has passed
    const fa_status status = fa_joint_configure(&now, &before, inverse, error);
    if (status != FA_OK) return status;
#define ELEMENT_LIST                     "at_joints.h"
#define ELEMENT(name, place, xml, about) joint->name = now.name;
#include "passes.h"
    joint->given.initial_position = now.initial_position;
    joint->given.initial_velocity = now.initial_velocity;
    joint->given.pitch = now.pitch;
    body->advance = fa_joint_advance(&now);
    body->rotor = joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear;
    return FA_OK;
}

static fa_link link_now(const char *name, const double value[], int row)
{
    const fa_arm_mass m = fa_arm_mass_at(value, row);
    fa_link           link = {.mass = m.mass, .com = m.com, .inertia = m.inertia};
    (void)snprintf(link.name, sizeof link.name, "%s", name);
    return link;
}

// The largest principal moment among the links of a body [kg m^2].
static double largest_moment(const fa_arm *arm, const double value[], int body)
{
    double largest = 0;
    for (int i = 0; i < arm->n_links; i++) {
        if (arm->link[i].body != body) continue;
        const fa_link link = link_now("", value, arm->link[i].row);
        const double  moment = fa_link_largest_moment(&link);
        if (moment > largest) largest = moment;
    }
    return largest;
}

// Few links need to know what they are bolted to.
static fa_status check_link(const fa_arm *arm, const double value[], int index, fa_error *error)
{
    const fa_arm_link *at = &arm->link[index];
    const fa_link      link = link_now(at->name, value, at->row);
    if (fa_link_check(&link, 0, NULL, NULL, NULL) == FA_OK) return FA_OK;
    return fa_link_check(&link, largest_moment(arm, value, at->body), NULL, NULL, error);
}

void fa_arm_use(fa_arm *arm, const fa_method *method, void *work)
{
    arm->fast = NULL;
    arm->ready = fa_method_ready(method, &arm->chain, work);
}

static fa_status configure(void *self, const double value[], fa_error *error)
{
    fa_arm *arm = self;
    arm->factored = false;
    arm->chain.gravity = vec3(value[arm->row[FA_ARM_GRAVITY]], value[arm->row[FA_ARM_GRAVITY] + 1],
                              value[arm->row[FA_ARM_GRAVITY] + 2]);
    for (int i = 0; i < arm->chain.n; i++) {
        fa_status status =
            configure_joint(&arm->joint[i], &arm->body[i], arm->inverse, value, error);
        if (status != FA_OK) return status;
        arm->plain[i] = fa_arm_plain_of(arm, i);
    }
    for (int i = 0; i < arm->n_links; i++) {
        fa_status status = check_link(arm, value, i, error);
        if (status != FA_OK) return status;
    }
    const fa_link payload = link_now("payload", value, arm->row[FA_ARM_PAYLOAD_MASS]);
    fa_status     status = fa_link_check(&payload, 0, NULL, NULL, error);
    if (status != FA_OK) return status;
    fa_arm_inertias(arm, value);
    if (arm->outputs) fa_arm_outputs_configure(arm, value);
    arm->ready = fa_method_ready(arm->ready.method, &arm->chain, arm->ready.work);
    if (!arm->inverse && arm->fast) {
        bool deterministic = value[arm->row[FA_ARM_DETERMINISTIC]] != 0;
        arm->fast->deterministic = deterministic;
        arm->fast->kernel = deterministic ? arm->fixed_kernel : arm->kernel;
        arm->fast->special = deterministic ? NULL : fa_special_for(&arm->chain);
        fa_fast_prepare(arm->fast, &arm->chain);
    }
    status = fa_arm_cylinders_configure(arm, value, error);
    return status == FA_OK ? fa_arm_touches_configure(arm, value, error) : status;
}

// -------------------------------------------------------------------------------------- evaluation

fa_motion fa_arm_tip_motion(const fa_arm *arm)
{
    fa_motion        ground = {.X = transform_identity(), .pose = transform_identity()};
    const fa_motion *body = arm->tip_body == FA_WORLD ? &ground : &arm->motion[arm->tip_body];
    return fa_frame_motion(body, arm->tip_frame);
}

fa_quaternion fa_arm_tip_quaternion(const fa_arm *arm, const double q[])
{
    // Half angles multiplied along the path: continuous where one taken from a rotation matrix
    // would have to change its sign.
    fa_quaternion turn = {1, 0, 0, 0};
    for (int i = 0; i < arm->n_path; i++) {
        const fa_body *body = &arm->body[arm->path[i]];
        turn = fa_quaternion_mul(turn, arm->joint[arm->path[i]].home);
        if (fa_joint_turns(body->joint))
            turn = fa_quaternion_mul(turn,
                                     fa_quaternion_about(body->axis, fa_joint_position(body, q)));
    }
    return fa_quaternion_mul(turn, arm->tip_home);
}

static void put_twist(double to[6], fa_twist v)
{
    const double linear_first[6] = {v.linear.x,  v.linear.y,  v.linear.z,
                                    v.angular.x, v.angular.y, v.angular.z};
    memcpy(to, linear_first, sizeof linear_first);
}

void fa_arm_place(fa_arm *arm, const double value[])
{
    if (arm->weight.effort) fa_arm_weigh(arm, value);
    if (arm->touches.n > 0) fa_arm_touches_trace(arm, value);
    if (arm->chain.base_moves) {
        const double *v = value + arm->row[FA_ARM_BASE_MOTION];
        arm->chain.base_rate = vec3(v[3], v[4], v[5]);
        arm->chain.base_acceleration = (fa_twist){vec3(v[6], v[7], v[8]), vec3(v[0], v[1], v[2])};
    }
    if (!arm->holds) return;
    bool any = false;
    for (int i = 0; i < arm->chain.n; i++) {
        const int *at = arm->joint[i].at;
        if (at[FA_ARM_POSITION] == FA_NO_ROW) continue; // it follows another one
        bool sticks = at[FA_AT(friction.slip)] != FA_NO_ROW && value[at[FA_AT(friction.slip)]] == 0;
        bool locked = at[FA_AT(lock.locked)] != FA_NO_ROW && value[at[FA_AT(lock.locked)]] != 0;
        arm->held[arm->body[i].coordinate] = sticks || locked;
        any |= sticks || locked;
    }
    arm->chain.held = any ? arm->held : NULL;
}

void fa_arm_energies(fa_arm *arm, const double value[], double energy[2])
{
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const fa_chain still = fa_arm_still(arm);
    fa_chain_motion(&still, q, qd, NULL, arm->motion);
    energy[0] = fa_kinetic_energy(&still, qd, arm->motion);
    energy[1] = fa_potential_energy(&still, arm->motion) + fa_arm_drives_energy(arm, value);
}

fa_status fa_arm_efforts(fa_arm *arm, const double value[], fa_load *load, double *pushed,
                         double power[], fa_error *error)
{
    if (arm->cylinders.n > 0) {
        const fa_status status = fa_arm_cylinders_trace(arm, value, error);
        if (status != FA_OK) return status;
    }
    fa_arm_drives(arm, value, arm->tau, power);
    const bool readable = arm->inverse || !arm->fast;
    *load = (fa_load){readable ? fa_arm_loads(arm, value) ? arm->wrench : NULL : NULL};
    *pushed = readable ? 0 : fa_arm_push(arm, value, arm->tau);
    if (!readable && arm->touches.n > 0) fa_arm_touches_torques(arm, true, arm->tau);
    return FA_OK;
}

// Computes the torques of all coordinates; or that of one coordinate, and zero for the others,
// which keep their given efforts.
static fa_status find_torques(fa_arm *arm, const double value[], const fa_load *load)
{
    const double   *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const double   *qdd = value + arm->row[FA_ARM_ACCELERATION];
    const fa_ready *by = &arm->ready;
    if (arm->only == FA_NOBODY)
        return by->method->inverse(&arm->chain, q, qd, qdd, load, arm->result, by->work);
    memcpy(arm->result, arm->tau, (size_t)arm->chain.n_coordinates * sizeof *arm->result);
    return by->method->inverse_one(&arm->chain, q, qd, qdd, load, arm->only,
                                   &arm->result[arm->only], by->work);
}

// With loops, distributes the tree's torques over the driven joints, zero at the others: least
// squares of the torques relative to the joints' limits.
static fa_status share_torques(fa_arm *arm, const double q[], fa_error *error)
{
    // The motion needs what the drives of the robot can give, or rounding is left.
    static const double ROUNDING = 1e-6;
    if (!fa_all_finite(arm->result, arm->chain.n_coordinates)) return FA_OK; // said later
    fa_weight_loops_share(arm->shares, &arm->chain, q, arm->result);
    if (fa_weight_loops_left(arm->shares) <= ROUNDING) return FA_OK;
    return fa_fail(error, FA_SINGULAR, NULL, FA_NOWHERE,
                   "in this position the joints that are driven cannot give the robot this motion: "
                   "their loops are at a dead point");
}

static fa_status find_own_torques(fa_arm *arm, const double value[], const fa_load *load,
                                  fa_error *error)
{
    fa_status status = find_torques(arm, value, load);
    for (int i = 0; i < arm->chain.n_coordinates; i++) arm->result[i] -= arm->tau[i];
    if (status == FA_OK && arm->shares)
        status = share_torques(arm, value + arm->row[FA_ARM_POSITION], error);
    return status;
}

// The accelerations that the torques cause, or the torques that the accelerations need: the rows of
// FA_GROUP_DERIVATIVES, into arm->result.
fa_status fa_arm_solve(fa_arm *arm, const double value[], double power[], fa_error *error)
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    int           n = arm->chain.n_coordinates;
    fa_load       load;
    double        pushed;
    bool          by_fast = false; // whose results are finite
    arm->factored = false;
    fa_status status = fa_arm_efforts(arm, value, &load, &pushed, power, error);
    if (status != FA_OK) return status;
    if (arm->inverse) {
        status = find_own_torques(arm, value, &load, error);
        if (status == FA_SINGULAR && arm->shares) return status;
    } else {
        status = FA_UNFIT;
        if (arm->fast && fa_fast_fits(&arm->chain))
            status = fa_fast_forward(arm->fast, q, qd, arm->tau, &load, arm->result);
        by_fast = status == FA_OK;
        if (status == FA_UNFIT) // the fast method leaves it to the readable one
            status = fa_ready_forward(&arm->ready, q, qd, arm->tau, &load, arm->result);
    }
    if (status == FA_OK && power) {
        if (load.wrench || arm->chain.base_moves)
            status = fa_arm_external_power(arm, value, &load, &power[FA_ARM_BY_OTHERS]);
        power[FA_ARM_BY_OTHERS] += pushed;
    }
    if (status == FA_OK && !by_fast && !fa_all_finite(arm->result, n)) status = FA_NOT_FINITE;
    if (status == FA_SINGULAR && arm->loops)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "in this position the loops are at a dead point, or leave some motion "
                       "without inertia, so that accelerations are undefined");
    if (status == FA_SINGULAR)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "in this position some joint moves nothing that has inertia, so its "
                       "acceleration is undefined");
    if (status == FA_NOT_FINITE)
        return fa_fail(error, status, NULL, FA_NOWHERE, "the %s are not finite numbers",
                       arm->inverse ? "torques" : "accelerations");
    return fa_explain(error, status, NULL);
}

fa_status fa_arm_factor(fa_arm *arm, const double q[], fa_error *error)
{
    if (arm->factored) return FA_OK;
    fa_status status = fa_composite_body_mass_matrix(&arm->chain, q, arm->factor, arm->work);
    if (status == FA_OK) fa_chain_hold(&arm->chain, arm->factor);
    if (status == FA_OK) status = fa_cholesky_factor(arm->chain.n_coordinates, arm->factor);
    if (status != FA_OK)
        return fa_fail(error, status, NULL, FA_NOWHERE,
                       "in this position the mass matrix has no inverse, so derivatives of the "
                       "accelerations are undefined");
    arm->factored = true;
    return FA_OK;
}

fa_status fa_arm_linearise_loops(fa_arm *arm, const double value[], fa_error *error)
{
    const double *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    fa_load       load;
    double        pushed;
    if (arm->factored) return FA_OK;
    fa_arm_place(arm, value);
    fa_status status = fa_arm_efforts(arm, value, &load, &pushed, NULL, error);
    if (status == FA_OK && arm->inverse) {
        status = find_own_torques(arm, value, &load, error);
        for (int i = 0; i < arm->chain.n_coordinates; i++) arm->tau[i] += arm->result[i];
    }
    if (status != FA_OK) return status;
    status = fa_loops_linearise(&arm->chain, q, qd, value + arm->row[FA_ARM_ACCELERATION], arm->tau,
                                &load, arm->loops, arm->work);
    if (status != FA_OK) return fa_explain(error, status, NULL);
    arm->factored = true;
    return FA_OK;
}

// The rows behind the accelerations, laid out as in the table.
enum { POSE_ROWS = 7, TWIST_ROWS = 6, ENERGY_ROWS = 2 };

static void put_result(const fa_arm *arm, double value[])
{
    const size_t size = (size_t)arm->chain.n_coordinates * sizeof *value;
    if (arm->inverse) {
        memcpy(value + arm->row[FA_ARM_TORQUE], arm->result, size);
        if (arm->has_drives) fa_arm_voltages(arm, arm->result, value);
        return;
    }
    memcpy(value + arm->row[FA_ARM_ACCELERATION], arm->result, size);
}

static void put_powers(const fa_arm *arm, double value[])
{
    memcpy(value + arm->row[FA_ARM_POWER], arm->power, (size_t)arm->n_works * sizeof *arm->power);
}

// The torques of an inverse, from the rows that hold them.
static void recall_torques(fa_arm *arm, const double value[])
{
    memcpy(arm->result, value + arm->row[FA_ARM_TORQUE],
           (size_t)arm->chain.n_coordinates * sizeof *arm->result);
    for (int i = 0; i < arm->chain.n; i++) // whose row there is a voltage
        if (arm->joint[i].motor.present)
            arm->result[arm->body[i].coordinate] = value[arm->joint[i].at[FA_AT(motor.torque)]];
}

// Returns the residual of the accounts of energy since initialisation.
static double residual(const fa_arm *arm, const double value[])
{
    const double *work = value + arm->row[FA_ARM_WORK], *energy = value + arm->row[FA_ARM_KINETIC];
    return energy[0] + energy[1] - work[FA_ARM_BY_ACTUATORS] - work[FA_ARM_BY_OTHERS] +
           work[FA_ARM_FRICTION] + work[FA_ARM_STOPS] +
           (arm->n_works > FA_ARM_CONTACTS ? work[FA_ARM_CONTACTS] : 0) -
           value[arm->row[FA_ARM_INITIAL_ENERGY]];
}

// Values of the outputs: tip, energy, and optional ones.
typedef struct shown {
    double pose[POSE_ROWS], velocity[TWIST_ROWS], acceleration[TWIST_ROWS], energy[ENERGY_ROWS];
} shown;

static const unsigned MOVING =
    FA_ARM_GROUP_POSE | FA_ARM_GROUP_VELOCITY | FA_ARM_GROUP_ACCELERATION | FA_ARM_GROUP_ENERGY;

// False: some number is not finite.
static bool find_shown(fa_arm *arm, const double value[], const double qdd[], unsigned groups,
                       shown *to)
{
    const double  *q = value + arm->row[FA_ARM_POSITION], *qd = value + arm->row[FA_ARM_VELOCITY];
    const fa_chain still = fa_arm_still(arm);
    if (groups & MOVING) fa_chain_motion(&still, q, qd, qdd, arm->motion);
    const fa_motion tip = fa_arm_tip_motion(arm);
    bool            finite = true;
    if (groups & FA_ARM_GROUP_POSE) {
        fa_quaternion turn = fa_arm_tip_quaternion(arm, q);
        const double  rows[POSE_ROWS] = {tip.pose.r.x, tip.pose.r.y, tip.pose.r.z, turn.w,
                                         turn.x,       turn.y,       turn.z};
        memcpy(to->pose, rows, sizeof rows);
        finite &= fa_all_finite(to->pose, POSE_ROWS);
    }
    if (groups & FA_ARM_GROUP_VELOCITY) {
        put_twist(to->velocity, fa_world_velocity(&tip));
        finite &= fa_all_finite(to->velocity, TWIST_ROWS);
    }
    if (groups & FA_ARM_GROUP_ACCELERATION) {
        put_twist(to->acceleration, fa_world_acceleration(&tip));
        finite &= fa_all_finite(to->acceleration, TWIST_ROWS);
    }
    if (groups & FA_ARM_GROUP_ENERGY) {
        to->energy[0] = fa_kinetic_energy(&arm->chain, qd, arm->motion);
        to->energy[1] =
            fa_potential_energy(&arm->chain, arm->motion) + fa_arm_drives_energy(arm, value);
        finite &= fa_all_finite(to->energy, ENERGY_ROWS);
    }
    if (groups & FA_ARM_GROUP_EXTRAS) finite &= fa_arm_outputs_evaluate(arm, value, qdd, groups);
    return finite;
}

static void put_shown(fa_arm *arm, const shown *from, unsigned groups, double value[])
{
    if (groups & FA_ARM_GROUP_POSE)
        memcpy(value + arm->row[FA_ARM_TIP_POSITION], from->pose, sizeof from->pose);
    if (groups & FA_ARM_GROUP_VELOCITY)
        memcpy(value + arm->row[FA_ARM_TIP_VELOCITY], from->velocity, sizeof from->velocity);
    if (groups & FA_ARM_GROUP_ACCELERATION)
        memcpy(value + arm->row[FA_ARM_TIP_ACCELERATION], from->acceleration,
               sizeof from->acceleration);
    if (groups & FA_ARM_GROUP_ENERGY)
        memcpy(value + arm->row[FA_ARM_KINETIC], from->energy, sizeof from->energy);
    if (groups & FA_ARM_GROUP_EXTRAS) fa_arm_outputs_put(arm, value, groups);
    if ((groups & FA_ARM_GROUP_ENERGY) && arm->works)
        value[arm->row[FA_ARM_RESIDUAL]] = residual(arm, value);
}

void fa_arm_take_accelerations(fa_arm *arm, double value[], const double qdd[], double pushed)
{
    memcpy(arm->result, qdd, (size_t)arm->chain.n_coordinates * sizeof *qdd);
    arm->factored = false;
    if (arm->works) arm->power[FA_ARM_BY_OTHERS] += pushed;
    put_result(arm, value);
    if (arm->works) put_powers(arm, value);
    if (arm->has_drives) fa_arm_tell(arm, value, FA_GROUP_DERIVATIVES);
}

static fa_status evaluate(void *self, double value[], unsigned groups, fa_error *error)
{
    fa_arm        *arm = self;
    const double  *qdd = value + arm->row[FA_ARM_ACCELERATION];
    const bool     cylinders = arm->cylinders.n > 0;
    const bool     needs = arm->inverse && cylinders && groups & FA_ARM_GROUP_NEEDS;
    const bool     powers = groups & arm->powers;
    const bool     solves = powers || groups & FA_GROUP_DERIVATIVES;
    const unsigned is_shown = groups & (MOVING | FA_ARM_GROUP_EXTRAS);
    shown          all;

    fa_arm_place(arm, value);
    fa_status status = FA_OK;
    if (solves) {
        status = fa_arm_solve(arm, value, powers ? arm->power : NULL, error);
        if (!arm->inverse) qdd = arm->result;
    } else if (groups & (FA_ARM_GROUP_CYLINDERS | FA_ARM_GROUP_NEEDS)) {
        status = fa_arm_cylinders_trace(arm, value, error);
        if (needs) recall_torques(arm, value);
    }
    if (status == FA_OK && needs) status = fa_arm_cylinders_need(arm, error);
    if (status != FA_OK) return status;
    if (is_shown && !find_shown(arm, value, qdd, groups, &all))
        return fa_fail(
            error, FA_NOT_FINITE, NULL, FA_NOWHERE,
            "the motion of the tip, the energy or a force in a joint is not a finite number");
    if (cylinders && groups & (FA_GROUP_DERIVATIVES | FA_ARM_GROUP_CYLINDERS) &&
        !fa_arm_cylinders_finite(arm))
        return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                       "a length, a force or a pressure of a cylinder is not a finite number");
    if (groups & FA_ARM_GROUP_CONTACTS && !fa_arm_touches_finite(arm))
        return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                       "a force or a depth of a contact is not a finite number");

    // From here on nothing can fail.
    if (solves) put_result(arm, value);
    if (powers) put_powers(arm, value);
    if (needs) fa_arm_cylinders_put_needs(arm, value);
    if (cylinders) fa_arm_cylinders_put(arm, value, groups);
    if (arm->touches.n > 0) fa_arm_touches_put(arm, value, groups);
    if (is_shown) put_shown(arm, &all, groups, value);
    if (arm->tells) fa_arm_tell(arm, value, groups);
    if (!(groups & FA_ARM_GROUP_STICK)) return FA_OK;
    return fa_explain(error, fa_arm_gaps(arm, value), NULL);
}

// Prerequisites of accelerations, or of an inverse's torques.
const fa_group_needs fa_arm_needs[] = {{FA_ARM_GROUP_ACCELERATION, FA_GROUP_DERIVATIVES},
                                       {FA_ARM_GROUP_STICK, FA_GROUP_DERIVATIVES},
                                       {FA_ARM_GROUP_REACTIONS, FA_GROUP_DERIVATIVES},
                                       {0, 0}};
const fa_group_needs fa_inverse_needs[] = {{FA_ARM_GROUP_MOTORS, FA_GROUP_DERIVATIVES},
                                           {FA_ARM_GROUP_NEEDS, FA_GROUP_DERIVATIVES},
                                           {0, 0}};

const fa_plant fa_arm_plant = {
    .name = "arm",
    .about = "serial or branched manipulator",
    .needs = fa_arm_needs,
    .declare = fa_arm_declare,
    .depends = fa_arm_depends,
    .size = fa_arm_size,
    .prepare = fa_arm_prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = fa_arm_tangent,
    .adjoint = fa_arm_adjoint,
    .jacobian = fa_arm_by_state,
    .event = fa_arm_event,
};

const fa_plant fa_inverse_plant = {
    .name = "inverse",
    .about = "the same manipulator, the other way round: motion in, torque out",
    .needs = fa_inverse_needs,
    .declare = fa_inverse_declare,
    .depends = fa_arm_depends,
    .size = fa_arm_size,
    .prepare = fa_inverse_prepare,
    .configure = configure,
    .evaluate = evaluate,
    .tangent = fa_arm_tangent,
    .adjoint = fa_arm_adjoint,
};
