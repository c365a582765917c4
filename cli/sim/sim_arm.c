// Variables of the session's arm: dependencies between them, lazy evaluation, settings.
#include "sim_arm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm_dynamics.h"
#include "arm_elements.h"
#include "arm_table.h"
#include "built_in_arm.h"
#include "import.h"
#include "mechanism.h"
#include "simulation.h"
#include "state_options.h"

static bool is_mechanism(const fa_sim_arm *arm)
{
    return arm->speed != NULL;
}

// The arm, or that inside the mechanism.
static const fa_arm *arm_of(const fa_sim_arm *arm)
{
    if (!is_mechanism(arm)) return arm->forward.self;
    return ((const fa_mechanism *)arm->forward.self)->arm;
}

// Returns a joint's row of this quantity: of what acts there, or of its motion.
static int row_of(const fa_sim_arm *arm, bool inverse, int joint, int quantity)
{
    const fa_state *state = inverse ? &arm->inverse : &arm->forward;
    if (!is_mechanism(arm))
        return ((const fa_arm *)state->self)->joint[arm->body[joint]].at[quantity];
    const fa_motion_speed *speed = &(inverse ? arm->inverse_speed : arm->speed)[joint];
    switch (quantity) {
    case FA_ARM_POSITION:
        return speed->position;
    case FA_ARM_VELOCITY:
        return speed->velocity;
    case FA_ARM_ACCELERATION:
        return speed->acceleration;
    case FA_ARM_TORQUE:
        return speed->effort;
    default:
        return fa_arm_row_with(&state->table, (fa_arm_quantity)quantity, speed->link);
    }
}

double *fa_sim_arm_vector(const fa_sim_arm *arm, fa_sim_vector which)
{
    return arm->number + (size_t)which * (size_t)arm->n;
}

bool fa_sim_arm_has_motor(const fa_sim_arm *arm, int joint)
{
    return arm_of(arm)->joint[arm->body[joint]].motor.present;
}

const char *fa_sim_arm_joint(const fa_sim_arm *arm, int joint)
{
    if (is_mechanism(arm)) return arm->name[joint].text;
    return arm->robot
        ->link[arm->forward.table.row[row_of(arm, false, joint, FA_ARM_POSITION)].index]
        .joint.name;
}

const char *fa_sim_arm_unit(const fa_sim_arm *arm, int joint, fa_sim_vector which)
{
    const bool motor = fa_sim_arm_has_motor(arm, joint);
    const int  quantity[FA_SIM_VECTORS] = {
         [FA_SIM_THETA] = FA_ARM_POSITION,
         [FA_SIM_OMEGA] = FA_ARM_VELOCITY,
         [FA_SIM_ALPHA] = FA_ARM_ACCELERATION,
         [FA_SIM_TORQUE] = motor ? FA_AT(motor.torque) : FA_ARM_TORQUE,
         [FA_SIM_VOLTAGE] = FA_ARM_TORQUE,
         [FA_SIM_DAC_OUT] = FA_ARM_TORQUE,
    };
    if (which >= FA_SIM_VOLTAGE && !motor) return "V";
    if (which == FA_SIM_THETA && is_mechanism(arm) && arm->speed[joint].axis != FA_NOBODY)
        return "rad"; // of a rotation vector, in the place of a quaternion
    return fa_units[arm->forward.table.row[row_of(arm, false, joint, quantity[which])].unit].name;
}

// -------------------------------------------------------------------------------------- reading

static fa_status import(const fa_arguments *arguments, fa_robot **robot, fa_error *error)
{
    if (arguments->operand) return fa_load_robot(arguments, NULL, robot, error);
    const fa_log log = fa_report_warnings(NULL);
    return fa_import_text((const char *)fa_built_in_arm, fa_built_in_arm_size, "cmu_dd_arm.xml",
                          NULL, &log, robot, error);
}

// Creates the state of a robot for one plant.
static fa_status new_state(fa_robot *robot, const fa_plant *plant, fa_state *state, fa_error *error)
{
    snprintf(robot->plant, sizeof robot->plant, "%s", plant->name);
    return fa_state_new(robot, state, error);
}

// Copies the parameters of the forward state into the inverse one.
static fa_status same_parameters(fa_sim_arm *arm, fa_error *error)
{
    if (arm->no_inverse.status != FA_OK) return FA_OK;
    const fa_variables *table = &arm->inverse.table;
    for (int row = 0; row < table->first[FA_INPUT]; row++) {
        int from = fa_names_find(&arm->forward.names, table->row[row].name);
        if (from >= 0) arm->inverse.value[row] = arm->forward.value[from];
    }
    return fa_state_configure(&arm->inverse, error);
}

static fa_status settle_parameters(fa_sim_arm *arm, const fa_arguments *arguments, fa_error *error)
{
    double *value = arm->forward.value;
    value[FA_ROW_SOLVER] =
        arguments->solver == FA_NOT_SAID ? FA_SOLVER_KUTTA3 : (double)arguments->solver;
    if (!isnan(arguments->tolerance)) value[FA_ROW_SOLVER_TOLERANCE] = arguments->tolerance;
    fa_status status = fa_state_assign(&arm->forward, &arguments->set, error);
    return status == FA_OK ? same_parameters(arm, error) : status;
}

// Puts theta of a mechanism's joint into its row, and where it starts: of an axis of a ball the
// quaternion of all three.
static void place_theta(const fa_sim_arm *arm, int joint)
{
    const fa_motion_speed *speed = &arm->speed[joint];
    const double          *theta = fa_sim_arm_vector(arm, FA_SIM_THETA) + joint;
    double                *value = arm->forward.value;
    double                 q[4] = {theta[0]};
    if (speed->axis > 0) return;
    if (speed->axis == 0) {
        const double angle = sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
        q[0] = cos(angle / 2);
        for (int k = 0; k < 3; k++) q[1 + k] = angle > 0 ? theta[k] * (sin(angle / 2) / angle) : 0;
    }
    const size_t size = (speed->axis == 0 ? 4 : 1) * sizeof *q;
    memcpy(value + speed->position_start, q, size);
    if (!speed->dependent) memcpy(value + speed->position, q, size);
}

// Returns theta of a mechanism's joint: of an axis of a ball an element of its rotation vector.
static double theta_of(const fa_sim_arm *arm, int joint)
{
    const fa_motion_speed *speed = &arm->speed[joint];
    const double          *p = arm->forward.value + speed->position;
    if (speed->axis == FA_NOBODY) return *p;
    const double turn = sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3]), sign = p[0] < 0 ? -1 : 1;
    return turn > 0 ? 2 * atan2(turn, sign * p[0]) * sign * p[1 + speed->axis] / turn : 0;
}

// Finds the joints of a mechanism: one for each speed. The names of its variables name them.
static fa_status find_speeds(fa_sim_arm *arm, fa_error *error)
{
    const fa_robot     *robot = arm->robot;
    const size_t        n = (size_t)fa_robot_freedom(robot);
    fa_motion_position *position =
        calloc((size_t)fa_robot_position_count(robot) + 1, sizeof *position);
    arm->speed = calloc(n + 1, sizeof *arm->speed);
    arm->inverse_speed = calloc(n + 1, sizeof *arm->inverse_speed);
    arm->name = calloc(n + 1, sizeof *arm->name);
    if (!position || !arm->speed || !arm->inverse_speed || !arm->name) {
        free(position);
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory for its joints");
    }
    fa_motion_rows_find(robot, &arm->forward.table, position, arm->speed);
    if (arm->no_inverse.status == FA_OK)
        fa_motion_rows_find(robot, &arm->inverse.table, position, arm->inverse_speed);
    free(position);
    for (size_t i = 0; i < n; i++) {
        const fa_joint *joint = &robot->link[arm->speed[i].link].joint;
        const int first = fa_arm_row_with(&arm->forward.table, FA_ARM_VELOCITY, arm->speed[i].link);
        const int k = arm->speed[i].velocity - first, axis = arm->speed[i].axis;
        if (fa_joint_speeds(joint) == 1)
            snprintf(arm->name[i].text, sizeof arm->name[i].text, "%s", joint->name);
        else if (joint->type == FA_PLANAR && k == 2)
            snprintf(arm->name[i].text, sizeof arm->name[i].text, "%s.angle", joint->name);
        else
            snprintf(arm->name[i].text, sizeof arm->name[i].text, "%s.%s%c", joint->name,
                     axis == FA_NOBODY ? "" : "rotation.", "xyz"[axis == FA_NOBODY ? k : axis]);
    }
    return FA_OK;
}

// Positions and speeds of joints that loops determine follow, where the loops can be closed.
static void close_loops(fa_sim_arm *arm)
{
    double *theta = fa_sim_arm_vector(arm, FA_SIM_THETA);
    double *omega = fa_sim_arm_vector(arm, FA_SIM_OMEGA);
    if (!is_mechanism(arm) || arm->robot->n_loops == 0) return;
    fa_sim_arm_place(arm);
    if (fa_state_evaluate(&arm->forward, FA_ARM_GROUP_LOOPS, NULL) != FA_OK) return;
    for (int i = 0; i < arm->n; i++) {
        if (!arm->speed[i].dependent) continue;
        theta[i] = theta_of(arm, i);
        omega[i] = arm->forward.value[arm->speed[i].velocity];
    }
}

// Reads theta and omega from the robot file; drives are zero.
static fa_status find_joints(fa_sim_arm *arm, fa_error *error)
{
    if (fa_robot_is_mechanism(arm->robot)) {
        const fa_status status = find_speeds(arm, error);
        if (status != FA_OK) return status;
        if (arm->robot->n_loops > 0)
            (void)fa_state_evaluate(&arm->forward, FA_ARM_GROUP_LOOPS, NULL);
    }
    const fa_arm *own = arm_of(arm);
    arm->body = calloc((size_t)own->chain.n + 1, sizeof *arm->body);
    arm->number = calloc(FA_SIM_VECTORS * (size_t)own->chain.n + 1, sizeof *arm->number);
    arm->home = calloc(2 * (size_t)own->chain.n + 1, sizeof *arm->home);
    if (!arm->body || !arm->number || !arm->home)
        return fa_fail(error, FA_NO_MEMORY, arm->robot->source, FA_NOWHERE,
                       "there is not enough memory for its joints");
    for (int i = 0; i < own->chain.n && !is_mechanism(arm); i++)
        if (own->joint[i].at[FA_ARM_POSITION] != FA_NO_ROW) arm->body[arm->n++] = i;
    for (int i = 0; i < own->chain.n_coordinates && is_mechanism(arm); i++)
        arm->body[arm->n++] = fa_arm_independent_body(own, i);
    for (int i = 0; i < arm->n; i++) arm->has_motors |= fa_sim_arm_has_motor(arm, i);
    fa_sim_arm_look(arm, arm->number);
    memcpy(arm->home, arm->number, 2 * (size_t)arm->n * sizeof *arm->home);
    return FA_OK;
}

fa_status fa_sim_arm_read(const fa_arguments *arguments, fa_sim_arm *arm, fa_error *error)
{
    *arm = (fa_sim_arm){.path = arguments->operand};
    fa_status status = import(arguments, &arm->robot, error);
    if (status != FA_OK) return status;
    const fa_plant *own = fa_plant_find(arm->robot->plant);
    if (own != fa_arm_plant_for(arm->robot, false) && own != fa_arm_plant_for(arm->robot, true))
        return fa_fail(error, FA_UNFIT, arm->robot->source, FA_NOWHERE,
                       "it is a %s, and sim is for arms; simulate takes it", arm->robot->plant);
    if (arm->robot->n_cylinders > 0)
        return fa_fail(error, FA_UNFIT, arm->robot->source, FA_NOWHERE,
                       "hydraulic cylinders drive it, and sim is for arms with motors or with "
                       "torques at their joints; simulate takes it");
    for (int i = 0; i < arm->robot->n_links; i++)
        if (arm->robot->link[i].joint.servo.present)
            return fa_fail(
                error, FA_UNFIT, arm->robot->source, FA_NOWHERE,
                "joint '%s' has a servo, and sim is for arms with motors or with torques "
                "at their joints; simulate takes it",
                arm->robot->link[i].joint.name);
    arm->no_inverse = fa_no_error();
    status =
        new_state(arm->robot, fa_arm_plant_for(arm->robot, true), &arm->inverse, &arm->no_inverse);
    if (status != FA_OK && status != FA_UNFIT) *error = arm->no_inverse;
    if (status == FA_OK || status == FA_UNFIT)
        status = new_state(arm->robot, fa_arm_plant_for(arm->robot, false), &arm->forward, error);
    if (status == FA_OK) status = settle_parameters(arm, arguments, error);
    return status == FA_OK ? find_joints(arm, error) : status;
}

void fa_sim_arm_free(fa_sim_arm *arm)
{
    fa_state_free(&arm->forward);
    fa_state_free(&arm->inverse);
    free(arm->body);
    free(arm->number);
    free(arm->home);
    free(arm->speed);
    free(arm->inverse_speed);
    free(arm->name);
    free(arm->robot);
    *arm = (fa_sim_arm){.n = 0};
}

// --------------------------------------------------------------------------------------- motors

// Returns the motor's inputs at the forward state, with the current of an inductive coil at its
// equilibrium.
static fa_motor_in settled(const fa_sim_arm *arm, int joint)
{
    const double      *value = is_mechanism(arm)
                                   ? fa_mechanism_take(arm->forward.self, arm->forward.value)
                                   : arm->forward.value;
    const fa_joint_now now = fa_joint_at(arm_of(arm), value, arm->body[joint]);
    fa_motor_in        in = fa_motor_now(&now);
    in.inductance = 0;
    in.inductive = false;
    in.at_once = true;
    return in;
}

// Computes the amplifier's voltage, the current and the torque.
static void drive(const fa_sim_arm *arm, int joint, double *voltage, double *current,
                  double *torque)
{
    const fa_motor_in in = settled(arm, joint);
    fa_motor_out      out;
    fa_motor_law(&in, &out);
    *voltage = out.voltage;
    *current = out.amperes;
    *torque = out.torque; // (12)
}

static double voltage_for(const fa_sim_arm *arm, int joint, double torque)
{
    fa_motor_in  in = settled(arm, joint);
    fa_motor_out out;
    in.inverse = true;
    in.wanted = torque;
    fa_motor_law(&in, &out);
    return out.voltage; // (11)
}

void fa_sim_arm_place(fa_sim_arm *arm)
{
    double   *value = arm->forward.value;
    const int placed = fa_arm_row_with(&arm->forward.table, FA_ARM_PLACED, 0);
    if (placed != FA_NO_ROW) value[placed] = 0; // closing begins from theta
    for (int i = 0; i < arm->n; i++) {
        const int  velocity = row_of(arm, false, i, FA_ARM_VELOCITY);
        const int  torque = row_of(arm, false, i, FA_ARM_TORQUE);
        const bool motor = fa_sim_arm_has_motor(arm, i);
        if (is_mechanism(arm))
            place_theta(arm, i);
        else
            value[row_of(arm, false, i, FA_ARM_POSITION)] = fa_sim_arm_vector(arm, FA_SIM_THETA)[i];
        if (!is_mechanism(arm) || !arm->speed[i].dependent)
            value[velocity] = fa_sim_arm_vector(arm, FA_SIM_OMEGA)[i];
        if (torque != FA_NO_ROW)
            value[torque] = fa_sim_arm_vector(arm, motor ? FA_SIM_DAC_OUT : FA_SIM_TORQUE)[i];
    }
}

void fa_sim_arm_look(const fa_sim_arm *arm, double number[])
{
    const double *value = arm->forward.value;
    const size_t  n = (size_t)arm->n;
    for (int i = 0; i < arm->n; i++) {
        double   *to = number + i;
        double    current;
        const int torque = row_of(arm, false, i, FA_ARM_TORQUE);
        to[FA_SIM_THETA * n] =
            is_mechanism(arm) ? theta_of(arm, i) : value[row_of(arm, false, i, FA_ARM_POSITION)];
        to[FA_SIM_OMEGA * n] = value[row_of(arm, false, i, FA_ARM_VELOCITY)];
        to[FA_SIM_ALPHA * n] = value[row_of(arm, false, i, FA_ARM_ACCELERATION)];
        to[FA_SIM_TORQUE * n] = torque == FA_NO_ROW ? 0 : value[torque];
        to[FA_SIM_VOLTAGE * n] = to[FA_SIM_DAC_OUT * n] = NAN;
        if (!fa_sim_arm_has_motor(arm, i)) continue;
        to[FA_SIM_DAC_OUT * n] = value[torque];
        drive(arm, i, &to[FA_SIM_VOLTAGE * n], &current, &to[FA_SIM_TORQUE * n]);
        if (row_of(arm, false, i, FA_AT(motor.current_rate)) != FA_NO_ROW) // the current is a state
            to[FA_SIM_TORQUE * n] = value[row_of(arm, false, i, FA_AT(motor.torque))];
    }
}

// Computes voltage and torque from the converter's output.
static void follow(fa_sim_arm *arm)
{
    fa_sim_arm_place(arm);
    for (int i = 0; i < arm->n; i++) {
        double current;
        if (fa_sim_arm_has_motor(arm, i))
            drive(arm, i, &fa_sim_arm_vector(arm, FA_SIM_VOLTAGE)[i], &current,
                  &fa_sim_arm_vector(arm, FA_SIM_TORQUE)[i]);
    }
}

void fa_sim_arm_set(fa_sim_arm *arm, fa_sim_vector which, const double number[])
{
    double *to = fa_sim_arm_vector(arm, which);
    double *asked = fa_sim_arm_vector(arm, FA_SIM_DAC_OUT);
    for (int i = 0; i < arm->n; i++)
        if (which < FA_SIM_VOLTAGE || fa_sim_arm_has_motor(arm, i)) to[i] = number[i];
    if (which == FA_SIM_THETA || which == FA_SIM_OMEGA) close_loops(arm);
    if (which == FA_SIM_THETA || which == FA_SIM_ALPHA) return;
    fa_sim_arm_place(arm);
    for (int i = 0; i < arm->n; i++) {
        if (!fa_sim_arm_has_motor(arm, i)) continue;
        if (which == FA_SIM_VOLTAGE) asked[i] = number[i];
        if (which != FA_SIM_TORQUE) continue;
        asked[i] = fa_sim_arm_vector(arm, FA_SIM_VOLTAGE)[i] = voltage_for(arm, i, number[i]);
    }
    if (which != FA_SIM_TORQUE) follow(arm);
}

// ------------------------------------------------------------------------------------- dynamics

// Puts a joint's motion into the inverse's inputs; of one that loops determine where closing
// begins.
static void place_inverse(fa_sim_arm *arm, int joint)
{
    double    *value = arm->inverse.value;
    const bool dependent = is_mechanism(arm) && arm->inverse_speed[joint].dependent;
    if (is_mechanism(arm)) {
        const fa_motion_speed *from = &arm->speed[joint], *to = &arm->inverse_speed[joint];
        const double          *q = arm->forward.value + from->position_start;
        const size_t           size = (from->axis == FA_NOBODY ? 1 : 4) * sizeof *q;
        if (to->position_start != FA_NO_ROW) memcpy(value + to->position_start, q, size);
        if (!dependent) memcpy(value + to->position, q, size);
    } else {
        value[row_of(arm, true, joint, FA_ARM_POSITION)] =
            fa_sim_arm_vector(arm, FA_SIM_THETA)[joint];
    }
    if (dependent) return;
    value[row_of(arm, true, joint, FA_ARM_VELOCITY)] = fa_sim_arm_vector(arm, FA_SIM_OMEGA)[joint];
    value[row_of(arm, true, joint, FA_ARM_ACCELERATION)] =
        fa_sim_arm_vector(arm, FA_SIM_ALPHA)[joint];
}

fa_status fa_sim_arm_inverse(fa_sim_arm *arm, fa_error *error)
{
    double *value = arm->inverse.value;
    if (arm->no_inverse.status != FA_OK) {
        *error = arm->no_inverse;
        return error->status;
    }
    if (is_mechanism(arm)) fa_sim_arm_place(arm); // quaternions
    for (int i = 0; i < arm->n; i++) place_inverse(arm, i);
    fa_status status = fa_plant_evaluate(arm->inverse.plant, arm->inverse.self, value,
                                         FA_GROUP_DERIVATIVES, NULL, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < arm->n; i++) {
        const bool motor = fa_sim_arm_has_motor(arm, i);
        const int  torque = row_of(arm, true, i, FA_ARM_TORQUE);
        fa_sim_arm_vector(arm, FA_SIM_TORQUE)[i] =
            value[motor ? row_of(arm, true, i, FA_AT(motor.torque)) : torque];
        if (!motor) continue;
        fa_sim_arm_vector(arm, FA_SIM_VOLTAGE)[i] = value[torque];
        fa_sim_arm_vector(arm, FA_SIM_DAC_OUT)[i] = value[torque];
    }
    return FA_OK;
}

// Sets the coils' currents to their equilibrium: the session's forward dynamics has no time in
// which they could change.
static void settle_currents(fa_sim_arm *arm)
{
    for (int i = 0; i < arm->n; i++) {
        double voltage, current, torque;
        if (!fa_sim_arm_has_motor(arm, i) ||
            row_of(arm, false, i, FA_AT(motor.current_rate)) == FA_NO_ROW)
            continue;
        drive(arm, i, &voltage, &current, &torque);
        arm->forward.value[row_of(arm, false, i, FA_AT(motor.current))] = current;
    }
}

// Evaluates the state; discrete modes, such as a sticking joint, are initialised as at the start of
// a motion.
static fa_status evaluate(fa_state *state, fa_error *error)
{
    const fa_status status = fa_simulation_settle(state, error);
    return status == FA_OK ? fa_state_evaluate(state, FA_GROUP_DERIVATIVES, error) : status;
}

fa_status fa_sim_arm_forward(fa_sim_arm *arm, fa_error *error)
{
    // Preserve the numbers of a motion that may continue later.
    const size_t size = (size_t)arm->forward.table.n * sizeof(double);
    double      *value = arm->forward.value, *kept = malloc(size);
    if (!kept)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the arm's numbers");
    memcpy(kept, value, size);
    fa_sim_arm_place(arm);
    settle_currents(arm);
    fa_status status = evaluate(&arm->forward, error);
    for (int i = 0; i < arm->n && status == FA_OK; i++)
        fa_sim_arm_vector(arm, FA_SIM_ALPHA)[i] = value[row_of(arm, false, i, FA_ARM_ACCELERATION)];
    follow(arm);
    memcpy(value, kept, size);
    free(kept);
    return status;
}

// Row of gravity's third component; its sign is opposite to the session's.
static int gravity_row(const fa_sim_arm *arm)
{
    return fa_arm_row_with(&arm->forward.table, FA_ARM_GRAVITY, 0) + 2;
}

double fa_sim_arm_gravity(const fa_sim_arm *arm)
{
    return 0 - arm->forward.value[gravity_row(arm)];
}

fa_status fa_sim_arm_set_gravity(fa_sim_arm *arm, double gravity, fa_error *error)
{
    arm->forward.value[gravity_row(arm)] = -gravity;
    fa_status status = fa_state_configure(&arm->forward, error);
    return status == FA_OK ? same_parameters(arm, error) : status;
}

void fa_sim_arm_rest(fa_sim_arm *arm)
{
    if (!is_mechanism(arm)) memset(arm->home, 0, 2 * (size_t)arm->n * sizeof *arm->home);
    fa_sim_arm_set(arm, FA_SIM_THETA, arm->home);
    fa_sim_arm_set(arm, FA_SIM_OMEGA, arm->home + arm->n);
}
