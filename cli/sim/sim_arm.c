// Variables of the session's arm: dependencies between them, lazy evaluation, settings.
#include "sim_arm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm_elements.h"
#include "built_in_arm.h"
#include "import.h"
#include "simulation.h"
#include "state_options.h"

static const fa_arm *arm_of(const fa_state *state)
{
    return state->self;
}

static const int *rows_of(const fa_sim_arm *arm, int joint)
{
    return arm_of(&arm->forward)->joint[arm->body[joint]].at;
}

double *fa_sim_arm_vector(const fa_sim_arm *arm, fa_sim_vector which)
{
    return arm->number + (size_t)which * (size_t)arm->n;
}

bool fa_sim_arm_has_motor(const fa_sim_arm *arm, int joint)
{
    return arm_of(&arm->forward)->joint[arm->body[joint]].motor.present;
}

const char *fa_sim_arm_joint(const fa_sim_arm *arm, int joint)
{
    int row = rows_of(arm, joint)[FA_ARM_POSITION];
    return arm->robot->link[arm->forward.table.row[row].index].joint.name;
}

const char *fa_sim_arm_unit(const fa_sim_arm *arm, int joint, fa_sim_vector which)
{
    const int *at = rows_of(arm, joint);
    const int  row[FA_SIM_VECTORS] = {
         [FA_SIM_THETA] = at[FA_ARM_POSITION],
         [FA_SIM_OMEGA] = at[FA_ARM_VELOCITY],
         [FA_SIM_ALPHA] = at[FA_ARM_ACCELERATION],
         [FA_SIM_TORQUE] =
            fa_sim_arm_has_motor(arm, joint) ? at[FA_AT(motor.torque)] : at[FA_ARM_TORQUE],
         [FA_SIM_VOLTAGE] = at[FA_ARM_TORQUE],
         [FA_SIM_DAC_OUT] = at[FA_ARM_TORQUE],
    };
    if (which >= FA_SIM_VOLTAGE && !fa_sim_arm_has_motor(arm, joint)) return "V";
    return fa_units[arm->forward.table.row[row[which]].unit].name;
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

// Reads theta and omega from the robot file; drives are zero.
static fa_status find_joints(fa_sim_arm *arm, fa_error *error)
{
    const fa_arm *own = arm_of(&arm->forward);
    arm->body = calloc((size_t)own->chain.n + 1, sizeof *arm->body);
    arm->number = calloc(FA_SIM_VECTORS * (size_t)own->chain.n + 1, sizeof *arm->number);
    if (!arm->body || !arm->number)
        return fa_fail(error, FA_NO_MEMORY, arm->robot->source, FA_NOWHERE,
                       "there is not enough memory for its joints");
    for (int i = 0; i < own->chain.n; i++)
        if (own->joint[i].at[FA_ARM_POSITION] != FA_NO_ROW) arm->body[arm->n++] = i;
    for (int i = 0; i < arm->n; i++) arm->has_motors |= fa_sim_arm_has_motor(arm, i);
    fa_sim_arm_look(arm, arm->number);
    return FA_OK;
}

fa_status fa_sim_arm_read(const fa_arguments *arguments, fa_sim_arm *arm, fa_error *error)
{
    *arm = (fa_sim_arm){.path = arguments->operand};
    fa_status status = import(arguments, &arm->robot, error);
    if (status != FA_OK) return status;
    const fa_plant *own = fa_plant_find(arm->robot->plant);
    if (own != &fa_arm_plant && own != &fa_inverse_plant)
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
    status = new_state(arm->robot, &fa_inverse_plant, &arm->inverse, error);
    if (status == FA_OK) status = new_state(arm->robot, &fa_arm_plant, &arm->forward, error);
    if (status == FA_OK) status = settle_parameters(arm, arguments, error);
    return status == FA_OK ? find_joints(arm, error) : status;
}

void fa_sim_arm_free(fa_sim_arm *arm)
{
    fa_state_free(&arm->forward);
    fa_state_free(&arm->inverse);
    free(arm->body);
    free(arm->number);
    free(arm->robot);
    *arm = (fa_sim_arm){.n = 0};
}

// --------------------------------------------------------------------------------------- motors

// Returns the motor's inputs at the forward state, with the current of an inductive coil at its
// equilibrium.
static fa_motor_in settled(const fa_sim_arm *arm, int joint)
{
    const fa_joint_now now =
        fa_joint_at(arm_of(&arm->forward), arm->forward.value, arm->body[joint]);
    fa_motor_in in = fa_motor_now(&now);
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
    double *value = arm->forward.value;
    for (int i = 0; i < arm->n; i++) {
        const int *at = rows_of(arm, i);
        bool       motor = fa_sim_arm_has_motor(arm, i);
        value[at[FA_ARM_POSITION]] = fa_sim_arm_vector(arm, FA_SIM_THETA)[i];
        value[at[FA_ARM_VELOCITY]] = fa_sim_arm_vector(arm, FA_SIM_OMEGA)[i];
        value[at[FA_ARM_TORQUE]] =
            fa_sim_arm_vector(arm, motor ? FA_SIM_DAC_OUT : FA_SIM_TORQUE)[i];
    }
}

void fa_sim_arm_look(const fa_sim_arm *arm, double number[])
{
    const double *value = arm->forward.value;
    const size_t  n = (size_t)arm->n;
    for (int i = 0; i < arm->n; i++) {
        const int *at = rows_of(arm, i);
        double    *to = number + i;
        double     current;
        to[FA_SIM_THETA * n] = value[at[FA_ARM_POSITION]];
        to[FA_SIM_OMEGA * n] = value[at[FA_ARM_VELOCITY]];
        to[FA_SIM_ALPHA * n] = value[at[FA_ARM_ACCELERATION]];
        to[FA_SIM_TORQUE * n] = value[at[FA_ARM_TORQUE]];
        to[FA_SIM_VOLTAGE * n] = to[FA_SIM_DAC_OUT * n] = NAN;
        if (!fa_sim_arm_has_motor(arm, i)) continue;
        to[FA_SIM_DAC_OUT * n] = value[at[FA_ARM_TORQUE]];
        drive(arm, i, &to[FA_SIM_VOLTAGE * n], &current, &to[FA_SIM_TORQUE * n]);
        if (at[FA_AT(motor.current_rate)] != FA_NO_ROW) // the coil's current is a state
            to[FA_SIM_TORQUE * n] = value[at[FA_AT(motor.torque)]];
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

fa_status fa_sim_arm_inverse(fa_sim_arm *arm, fa_error *error)
{
    const fa_arm *own = arm_of(&arm->inverse);
    double       *value = arm->inverse.value;
    for (int i = 0; i < arm->n; i++) {
        const int *at = own->joint[arm->body[i]].at;
        value[at[FA_ARM_POSITION]] = fa_sim_arm_vector(arm, FA_SIM_THETA)[i];
        value[at[FA_ARM_VELOCITY]] = fa_sim_arm_vector(arm, FA_SIM_OMEGA)[i];
        value[at[FA_ARM_ACCELERATION]] = fa_sim_arm_vector(arm, FA_SIM_ALPHA)[i];
    }
    fa_status status = fa_plant_evaluate(arm->inverse.plant, arm->inverse.self, value,
                                         FA_GROUP_DERIVATIVES, NULL, error);
    if (status != FA_OK) return status;
    for (int i = 0; i < arm->n; i++) {
        const int *at = own->joint[arm->body[i]].at;
        bool       motor = fa_sim_arm_has_motor(arm, i);
        fa_sim_arm_vector(arm, FA_SIM_TORQUE)[i] =
            value[at[motor ? FA_AT(motor.torque) : FA_ARM_TORQUE]];
        if (!motor) continue;
        fa_sim_arm_vector(arm, FA_SIM_VOLTAGE)[i] = value[at[FA_ARM_TORQUE]];
        fa_sim_arm_vector(arm, FA_SIM_DAC_OUT)[i] = value[at[FA_ARM_TORQUE]];
    }
    return FA_OK;
}

// Sets the coils' currents to their equilibrium: the session's forward dynamics has no time in
// which they could change.
static void settle_currents(fa_sim_arm *arm)
{
    for (int i = 0; i < arm->n; i++) {
        const int *at = rows_of(arm, i);
        double     voltage, current, torque;
        if (at[FA_AT(motor.current_rate)] == FA_NO_ROW) continue;
        drive(arm, i, &voltage, &current, &torque);
        arm->forward.value[at[FA_AT(motor.current)]] = current;
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
        fa_sim_arm_vector(arm, FA_SIM_ALPHA)[i] = value[rows_of(arm, i)[FA_ARM_ACCELERATION]];
    follow(arm);
    memcpy(value, kept, size);
    free(kept);
    return status;
}

// Row of gravity's third component; its sign is opposite to the session's.
static int gravity_row(const fa_sim_arm *arm)
{
    return arm_of(&arm->forward)->row[FA_ARM_GRAVITY] + 2;
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
