// A list of robots of every kind, instantiated for tests.
#include "fmu_machines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"

#define EVERYTHING "reactions,jacobian,mass-matrix,poses,energy"

const fmu_machine fmu_machines[FMU_MACHINES] = {
    {.name = "small arm"},
    {.name = "arm with all inputs and outputs",
     .file = "puma560.xml",
     .inputs = "base,lock",
     .outputs = EVERYTHING},
    {.name = "the same as arrays",
     .file = "puma560.xml",
     .arrays = true,
     .inputs = "base,lock",
     .outputs = EVERYTHING},
    {.name = "arm with motors", .file = "cmu_dd_arm.xml", .outputs = "energy"},
    {.name = "arm that switches",
     .file = "double_pendulum.xml",
     .switches = true,
     .inputs = "lock"},
    {.name = "the same as arrays", .file = "double_pendulum.xml", .arrays = true, .switches = true},
    {.name = "inverse dynamics", .file = "stanford.xml", .inverse = true},
    {.name = "crane cut at the rods", .file = "patu655.xml", .cut = "force"},
    {.name = "crane cut at the ports", .file = "patu655.xml", .arrays = true, .cut = "chamber"},
    {.name = "crane with valves", .file = "patu655.xml", .cut = "valve", .outputs = "energy"},
    {.name = "cylinder alone", .file = "patu655_lift_axis.xml"},
    {.name = "pump and valve alone", .file = "patu655_lift_valve.xml", .arrays = true},
    {.name = "snake", .snake = true, .arrays = true},
    {.name = "snake that the file commands", .file = "tavakoli_nia.xml", .outputs = "energy"},
};

bool fmu_machine_is_sized(const fmu_machine *machine, int fmi)
{
    return fmi == 3 && machine->snake && machine->arrays;
}

static fa_robot *read_robot(const fmu_machine *machine)
{
    char      path[512];
    fa_robot *robot = NULL;
    fa_error  error = {0};
    (void)snprintf(path, sizeof path, "%s/%s", ROBOTS, machine->file);
    const fa_import_options options = {.inputs = machine->inputs,
                                       .outputs = machine->outputs,
                                       .cut = &machine->cut,
                                       .n_cuts = machine->cut != NULL};
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

const fa_motor_data fmu_motor = {
    .present = true,
    .resistance = 1,
    .torque_constant = 0.1,
    .back_emf = 0.1,
    .inductance = 1e-3,
    .efficiency = 0.8,
    .efficiency_back = 0.7,
    .voltage_limit = 24,
    .current_limit = 10,
};

static void let_switch(fa_robot *robot)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        joint->friction = (fa_friction_data){.viscous = 0.2,
                                             .coulomb = 1,
                                             .coulomb_negative = 1,
                                             .width = FA_FRICTION_WIDTH,
                                             .breakaway = 1.5,
                                             .breakaway_negative = 1.5,
                                             .stribeck = 0.1,
                                             .sticks = true};
        joint->limit.lower = -2;
        joint->limit.upper = 2;
        joint->stop = (fa_stop_data){.present = true, .stiffness = 1e4, .damping = 10};
        joint->closure =
            (fa_closure_data){.present = i % 2, .stiffness = 1e3, .damping = 10, .time = 0.005};
        if (joint->closure.present) continue; // hydraulic, so no motor
        joint->rotor.gear = 10;
        joint->rotor.inertia = 1e-4;
        joint->motor = fmu_motor;
    }
}

fa_robot *fmu_machine_robot(const fmu_machine *machine)
{
    if (!machine->file && !machine->snake) return NULL;
    fa_robot *robot = machine->snake ? fmu_snake(4) : read_robot(machine);
    if (machine->inverse) strcpy(robot->plant, "inverse");
    if (machine->switches) let_switch(robot);
    fa_error error = fa_no_error();
    if (fa_robot_check(robot, NULL, &error) != FA_OK) fail_msg("%s", error.message);
    return robot;
}

fa_instance *fmu_machine_new_of(const fmu_machine *machine, const fa_robot *robot, int fmi,
                                fa_kind kind, fmu_host *host)
{
    if (!robot) return fmu_new(fmi, kind, host);
    fa_instance *self = fmu_robot_new(robot, fmi, machine->arrays && fmi == 3, kind, host);
    assert_true(self->switches || !machine->switches);
    return self;
}

fa_instance *fmu_machine_new(const fmu_machine *machine, int fmi, fa_kind kind, fmu_host *host)
{
    fa_robot    *robot = fmu_machine_robot(machine);
    fa_instance *self = fmu_machine_new_of(machine, robot, fmi, kind, host);
    free(robot);
    return self;
}

fa_robot *fmu_variant_robot(const fmu_variant *v)
{
    char                    path[512];
    fa_robot               *robot = NULL;
    fa_error                error = fa_no_error();
    const fa_import_options options = {.inputs = v->inputs,
                                       .outputs = v->outputs,
                                       .cut = &v->cut,
                                       .n_cuts = v->cut != NULL,
                                       .wrench = &v->wrench,
                                       .n_wrenches = v->wrench != NULL};
    (void)snprintf(path, sizeof path, "%s%s", v->file, strstr(v->file, ".urdf") ? "" : ".xml");
    if (fa_import(path, &options, NULL, &robot, &error) != FA_OK)
        fail_msg("%s: %s", v->file, error.message);
    if (v->plant) strcpy(robot->plant, v->plant);
    return robot;
}
