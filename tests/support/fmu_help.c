// Instantiates FMUs in every mode with a recording host.
#define _XOPEN_SOURCE 700
#include "fmu_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- files

static fmu_files files[2]; // FMI 2.0, FMI 3.0

static fa_robot *small_arm(void)
{
    fa_robot *robot = fa_robot_new(4);
    assert_non_null(robot);
    strcpy(robot->name, "small_arm");
    robot->tip_link = 3;
    robot->tip.r = (fa_vec3){0.3, 0, 0.05};
    for (int i = 0; i < 4; i++) {
        fa_link  *link = &robot->link[i];
        fa_joint *joint = &link->joint;
        (void)snprintf(link->name, sizeof link->name, "link%d", i);
        (void)snprintf(joint->name, sizeof joint->name, "joint%d", i);
        link->parent = i - 1;
        joint->type = i == 0 ? FA_FIXED : i == 1 ? FA_PRISMATIC : FA_REVOLUTE;
        joint->axis = i == 3 ? (fa_vec3){0, 1, 0} : (fa_vec3){0, 0, 1};
        joint->origin.r = (fa_vec3){0.2 * i, 0.1, 0};
        joint->friction.viscous = 0.4;
        joint->initial_position = 0.3 * i;
        joint->initial_velocity = 0.2 - 0.1 * i;
        link->mass = 4 - i;
        link->com = (fa_vec3){0.15, 0.02, -0.01};
        link->inertia = (fa_sym3){.xx = 0.02, .yy = 0.05, .zz = 0.06};
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    return robot;
}

static void remove_made(fmu_files *made)
{
    char path[600];
    if (!made->folder[0]) return;
    (void)snprintf(path, sizeof path, "%s/robot.forearm", made->folder);
    (void)remove(path);
    (void)rmdir(made->folder);
}

static void remove_files(void)
{
    for (int i = 0; i < 2; i++) remove_made(&files[i]);
}

static void make(fmu_files *made, const fa_robot *robot, int fmi, bool arrays)
{
    fa_options options = {.fmi = fmi, .identifier = "small_arm", .arrays = arrays};
    char      *text;
    size_t     size;
    fa_error   error = {.message = ""};
    if (fa_robot_file_write(robot, &options, &text, &size, &error) != FA_OK)
        fail_msg("%s", error.message);
    fa_robot_file_token(text, size, made->token);

    const char *temporary = getenv("TMPDIR");
    (void)snprintf(made->folder, sizeof made->folder, "%s/forearm_XXXXXX",
                   temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(made->folder));
    char path[600];
    (void)snprintf(path, sizeof path, "%s/robot.forearm", made->folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(text);
}

const fmu_files *fmu_files_for(int fmi)
{
    fmu_files *made = &files[fmi == 3];
    if (made->folder[0]) return made;
    if (!files[fmi == 2].folder[0]) (void)atexit(remove_files);
    fa_robot *robot = small_arm();
    make(made, robot, fmi, false);
    free(robot);
    return made;
}

void *fmu_long_arm_new(int fmi, fa_kind kind, fmu_host *host, int n)
{
    fa_robot *robot = fa_robot_new(n + 1);
    assert_non_null(robot);
    strcpy(robot->name, "long_arm");
    robot->tip_link = n;
    for (int i = 0; i <= n; i++) {
        fa_link *link = &robot->link[i];
        (void)snprintf(link->name, sizeof link->name, "link%d", i);
        (void)snprintf(link->joint.name, sizeof link->joint.name, "joint%d", i);
        link->parent = i - 1;
        link->joint.type = i == 0 ? FA_FIXED : FA_REVOLUTE;
        link->joint.axis = i % 2 ? (fa_vec3){0, 0, 1} : (fa_vec3){0, 1, 0};
        link->joint.origin.r = (fa_vec3){0.1, 0, 0};
        link->mass = 1;
        link->inertia = (fa_sym3){.xx = 0.01, .yy = 0.01, .zz = 0.01};
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    void *instance = fmu_robot_new(robot, fmi, false, kind, host);
    free(robot);
    return instance;
}

void *fmu_robot_new(const fa_robot *robot, int fmi, bool arrays, fa_kind kind, fmu_host *host)
{
    fmu_files made;
    make(&made, robot, fmi, arrays);
    void *instance = fmu_new_at(fmi, kind, host, made.folder, made.token);
    remove_made(&made);
    if (!instance) fail_msg("%s", host->message);
    return instance;
}

fa_robot *fmu_snake(int n)
{
    fa_robot *robot = fa_robot_new_snake(n);
    assert_non_null(robot);
    strcpy(robot->name, "snake");
    robot->tip_link = n - 1;
    for (int k = 0; k <= n; k++) {
        fa_link *link = k < n ? &robot->link[k] : &robot->snake.every;
        link->segment.length = 0.2 + 0.005 * (k % 3);
        link->segment.wheel = link->segment.length / 2;
        link->segment.ground.wheel.viscous = 0.02;
        link->segment.initial_angle = k % 2 ? 0.4 : -0.3;
        link->mass = 1 + 0.1 * (k % 4);
        link->inertia.zz = 0.005;
        link->joint.friction.viscous = 0.01 + 0.001 * (k % 2);
        link->joint.rotor.inertia = 1e-6;
        link->joint.rotor.gear = 20;
    }
    assert_int_equal(fa_robot_check(robot, NULL, NULL), FA_OK);
    return robot;
}

// --- hosts

static void note(fmu_host *host, int status, const char *category, const char *message)
{
    host->count++;
    host->status = status;
    (void)snprintf(host->category, sizeof host->category, "%s", category);
    (void)snprintf(host->message, sizeof host->message, "%s", message);
}

static void tell_fmi2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                      fmi2String category, fmi2String message, ...)
{
    assert_string_equal(name, "test");
    // A host formats the message, with the arguments that follow: here are none.
    char    text[4096];
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    note(environment, (int)status, category, text);
}

static void tell_fmi3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                      fmi3String message)
{
    note(environment, (int)status, category, message);
}

void *fmu_new_at(int fmi, fa_kind kind, fmu_host *host, const char *resources, const char *token)
{
    memset(host, 0, sizeof *host);
    if (fmi == 3 && kind == FA_MODEL_EXCHANGE)
        return fmi3InstantiateModelExchange("test", token, resources, false, true, host, tell_fmi3);
    if (fmi == 3)
        return fmi3InstantiateCoSimulation("test", token, resources, false, true, false, false,
                                           NULL, 0, host, tell_fmi3, NULL);
    fmi2CallbackFunctions functions = {.logger = tell_fmi2, .componentEnvironment = host};
    return fmi2Instantiate("test", kind == FA_MODEL_EXCHANGE ? fmi2ModelExchange : fmi2CoSimulation,
                           token, resources, &functions, fmi2False, fmi2True);
}

void *fmu_new(int fmi, fa_kind kind, fmu_host *host)
{
    const fmu_files *made = fmu_files_for(fmi);
    void            *instance = fmu_new_at(fmi, kind, host, made->folder, made->token);
    if (!instance) fail_msg("%s", host->message);
    return instance;
}

void fmu_free(int fmi, void *instance)
{
    if (fmi == 3)
        fmi3FreeInstance(instance);
    else
        fmi2FreeInstance(instance);
}

static void initialize(int fmi, void *instance, bool leave)
{
    if (fmi == 3) {
        assert_int_equal(fmi3EnterInitializationMode(instance, false, 0, 0, false, 0), fmi3OK);
        if (leave) assert_int_equal(fmi3ExitInitializationMode(instance), fmi3OK);
    } else {
        assert_int_equal(fmi2SetupExperiment(instance, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
        assert_int_equal(fmi2EnterInitializationMode(instance), fmi2OK);
        if (leave) assert_int_equal(fmi2ExitInitializationMode(instance), fmi2OK);
    }
}

void fmu_go_to(int fmi, fa_kind kind, void *instance, fa_mode mode)
{
    if (mode == FA_MODE_INSTANTIATED) return;
    if (mode == FA_MODE_CONFIGURATION) {
        assert_int_equal(fmi3EnterConfigurationMode(instance), fmi3OK);
        return;
    }
    initialize(fmi, instance, mode != FA_MODE_INITIALIZATION);
    fa_instance *self = instance;
    switch (mode) {
    case FA_MODE_EVENT:
        if (kind == FA_CO_SIMULATION) self->moment->mode = FA_MODE_EVENT;
        break;
    case FA_MODE_INTERMEDIATE: // as within a callback that allows everything
        self->moment->mode = FA_MODE_INTERMEDIATE;
        self->may_set = self->may_get = true;
        memset(self->intermediate, 1, self->n_visible);
        break;
    case FA_MODE_CONTINUOUS_TIME:
        assert_int_equal(fmi == 3 ? (int)fmi3EnterContinuousTimeMode(instance)
                                  : (int)fmi2EnterContinuousTimeMode(instance),
                         0);
        break;
    case FA_MODE_STEP:
        if (self->moment->mode == FA_MODE_EVENT)
            assert_int_equal((int)fmi3EnterStepMode(instance), fmi3OK);
        break;
    case FA_MODE_STEP_FAILED: {
        // An input that no machine takes: the rates of the states are beyond the largest number. A
        // plant that does not mind is put there.
        double             much = 1e308;
        fmi2ValueReference vr = (fmi2ValueReference)self->first_input + 1;
        assert_int_equal(fmi2SetReal(instance, &vr, 1, &much), fmi2OK);
        const fmi2Status status = fmi2DoStep(instance, 0, 0.1, fmi2True);
        assert_true(status == fmi2Discard || status == fmi2OK);
        if (status == fmi2OK) self->moment->mode = FA_MODE_STEP_FAILED;
        break;
    }
    case FA_MODE_TERMINATED:
        assert_int_equal(fmi == 3 ? (int)fmi3Terminate(instance) : (int)fmi2Terminate(instance), 0);
        break;
    default:
        break;
    }
    assert_int_equal(self->moment->mode, mode);
}

unsigned fmu_reference(const void *instance, const char *name)
{
    const fa_view *view = &fa_recall(instance)->view;
    int            v = 0;
    while (v < view->n && strcmp(view->variable[v].name, name) != 0) v++;
    if (v == view->n) fail_msg("there is no variable '%s'", name);
    return (unsigned)v + 1;
}

// --- instances of any plant

static void log_any(const fa_instance *self, fa_outcome outcome, const char *category,
                    const char *message)
{
    note(self->host.environment, (int)outcome, category, message);
}

fa_instance *fmu_plant_try(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host,
                           const fa_setup *wishes)
{
    const fmu_files *made = fmu_files_for(fmi);
    memset(host, 0, sizeof *host);
    fa_setup setup = *wishes;
    setup.fmi = fmi;
    setup.kind = kind;
    setup.name = "test";
    setup.token = made->token;
    setup.resources = made->folder;
    setup.plant = plant;
    setup.logging = true;
    setup.host.log = log_any;
    setup.host.logger = (void (*)(void))note;
    setup.host.environment = host;
    return fa_instance_new(&setup);
}

fa_instance *fmu_plant_new_with(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host,
                                const fa_setup *wishes)
{
    fa_instance *self = fmu_plant_try(plant, fmi, kind, host, wishes);
    if (!self) fail_msg("%s", host->message);
    return self;
}

fa_instance *fmu_plant_new(const fa_plant *plant, int fmi, fa_kind kind, fmu_host *host)
{
    const fa_setup none = {.fmi = fmi};
    return fmu_plant_new_with(plant, fmi, kind, host, &none);
}

fa_instance *fmu_oscillator_new(int fmi, fa_kind kind, fmu_host *host)
{
    return fmu_plant_new(&fmu_oscillator, fmi, kind, host);
}
