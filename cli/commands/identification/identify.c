// forearm identify: masses, rotors and friction of an arm from a log of its motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "conversion.h"
#include "files.h"
#include "identify_page.h"
#include "json.h"
#include "load.h"
#include "motion_log.h"
#include "number.h"
#include "paths.h"

typedef struct job {
    const fa_arguments *arguments;
    fa_robot           *robot;
    fa_state            state;
    fa_arm_dynamics     dynamics;
    fa_motion_log       log, validate;
    fa_identification   found;
} job;

// ------------------------------------------------------------------------------------------- JSON

static void put_base(fa_json *json, const job *j)
{
    const fa_identification *f = &j->found;
    fa_json_open(json, "base", '[');
    for (int b = 0; b < f->rank; b++) {
        const double *of = f->combination + b * f->n_parameters;
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "pivot", fa_identified_name(&j->dynamics, f->pivot[b]).text);
        fa_json_open(json, "is", '{');
        for (int k = 0; k < f->n_parameters; k++)
            if (of[k] != 0) fa_json_number(json, fa_identified_name(&j->dynamics, k).text, of[k]);
        fa_json_close(json, '}');
        fa_json_number(json, "value", f->base[b]);
        fa_json_known(json, "low", f->base[b] - FA_TWO_SIDED * f->base_sd[b]);
        fa_json_known(json, "high", f->base[b] + FA_TWO_SIDED * f->base_sd[b]);
        fa_json_bool(json, "excited", f->excited[b]);
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
}

static void put_parameters(fa_json *json, const job *j)
{
    const fa_identification *f = &j->found;
    fa_json_open(json, "parameters", '[');
    for (int k = 0; k < f->n_parameters; k++) {
        fa_json_open(json, NULL, '{');
        fa_json_text(json, "name", fa_identified_name(&j->dynamics, k).text);
        fa_json_number(json, "value", f->value[k]);
        fa_json_number(json, "low", f->value[k] - FA_TWO_SIDED * f->sd[k]);
        fa_json_number(json, "high", f->value[k] + FA_TWO_SIDED * f->sd[k]);
        fa_json_number(json, "drawing", f->drawing[k]);
        fa_json_text(json, "by", f->by_data[k] ? "data" : "drawing");
        fa_json_close(json, '}');
    }
    fa_json_close(json, ']');
}

static void put_spectrum(fa_json *json, const fa_identification *f)
{
    double frequency[FA_SPECTRUM_LINES];
    for (int k = 0; k < FA_SPECTRUM_LINES; k++) frequency[k] = fa_spectrum_frequency(f, k);
    fa_json_open(json, "residual_spectrum", '{');
    fa_json_numbers(json, "frequency", frequency, FA_SPECTRUM_LINES);
    fa_json_open(json, "amplitude", '[');
    for (int i = 0; i < f->n; i++)
        fa_json_numbers(json, NULL, f->spectrum + i * FA_SPECTRUM_LINES, FA_SPECTRUM_LINES);
    fa_json_close(json, ']');
    fa_json_close(json, '}');
}

static fa_status write_json(const job *j, fa_error *error)
{
    const fa_identification *f = &j->found;
    fa_json                  json;
    char                    *text = NULL;
    size_t                   size = 0;
    fa_status                status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    fa_json_text(&json, "robot", j->robot->name);
    fa_json_number(&json, "rank", f->rank);
    fa_json_number(&json, "condition_number", f->condition);
    fa_json_number(&json, "cutoff", f->cutoff);
    put_base(&json, j);
    fa_json_numbers(&json, "residual_rms", f->noise, f->n);
    put_spectrum(&json, f);
    fa_json_numbers(&json, "validation_rms", f->validation, f->n);
    put_parameters(&json, j);
    fa_json_close(&json, '}');
    status = fa_json_take(&json, &text, &size);
    if (status == FA_OK) status = fa_file_write(j->arguments->json_file, text, size, error);
    free(text);
    return status;
}

// ------------------------------------------------------------------------------------- the robot

// Copies the identified numbers into the robot.
static fa_status put_numbers(job *j, fa_error *error)
{
    const fa_identification *f = &j->found;
    const fa_arm            *arm = j->dynamics.arm;
    for (int l = 0; l < f->n_links; l++)
        for (int i = 0; i < j->robot->n_links; i++) {
            fa_link *link = &j->robot->link[i];
            if (strcmp(link->name, arm->link[l].name) != 0) continue;
            fa_mass_of_parameters(f->value + l * FA_REGRESSOR_COLUMNS, &link->mass, &link->com,
                                  &link->inertia);
        }
    for (int k = 0; k < f->n; k++)
        for (int i = 0; i < j->robot->n_links; i++) {
            fa_joint           *joint = &j->robot->link[i].joint;
            const fa_arm_joint *found = &arm->joint[fa_arm_independent_body(arm, k)];
            const double       *extra = f->value + f->n_links * FA_REGRESSOR_COLUMNS + k;
            if (strcmp(joint->name, found->given.name) != 0) continue;
            joint->rotor.inertia = extra[FA_EXTRA_ROTOR * f->n];
            joint->friction.viscous = extra[FA_EXTRA_VISCOUS * f->n];
            // The identified value is the mean of both directions. The file's values keep their
            // difference.
            const double mean = extra[FA_EXTRA_COULOMB * f->n];
            const double odd = 0.5 * (joint->friction.coulomb - joint->friction.coulomb_negative);
            const double differs = fmin(fmax(odd, -mean), mean);
            joint->friction.coulomb = mean + differs;
            joint->friction.coulomb_negative = mean - differs;
        }
    return fa_robot_check(j->robot, NULL, error);
}

// Returns true if the file's root is <arm>. All other formats are written as URDF.
static bool is_arm(const char *path)
{
    char  *text = NULL;
    size_t size = 0;
    bool   arm = false;
    if (fa_file_read(path, (size_t)1 << 30, &text, &size, NULL) != FA_OK) return false;
    for (size_t k = 0; k + 4 < size && !arm; k++) {
        if (strncmp(text + k, "<robot", 6) == 0 || strncmp(text + k, "<mujoco", 7) == 0) break;
        arm = strncmp(text + k, "<arm", 4) == 0;
    }
    free(text);
    return arm;
}

static fa_status write_actuators(const job *j, fa_error *error)
{
    const char  *out = j->arguments->out, *dot = strrchr(out, '.'), *slash = fa_path_last(out);
    const size_t length = dot && dot > (slash ? slash : out) ? (size_t)(dot - out) : strlen(out);
    char        *path = malloc(length + sizeof ".actuators.xml");
    size_t       size = 0;
    char        *text = NULL;
    fa_status    status = path ? fa_identified_actuators(j->robot, &text, &size, error)
                               : fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                                         "there is not enough memory for the name of the side file");
    if (status == FA_OK) {
        memcpy(path, out, length);
        strcpy(path + length, ".actuators.xml");
        status = fa_file_write(path, text, size, error);
    }
    free(path);
    free(text);
    return status;
}

static fa_status write_robot(job *j, fa_error *error)
{
    const bool   arm = is_arm(j->arguments->operand);
    char        *text = NULL;
    size_t       size = 0;
    const fa_log quiet = {0};
    fa_status    status = put_numbers(j, error);
    if (status == FA_OK)
        status = fa_convert(j->robot, arm ? FA_CONVERT_ARM : FA_CONVERT_URDF, &quiet, &text, &size,
                            error);
    if (status == FA_OK) status = fa_file_write(j->arguments->out, text, size, error);
    free(text);
    return status == FA_OK && !arm ? write_actuators(j, error) : status;
}

// ---------------------------------------------------------------------------------- the command

static void tell(const job *j)
{
    const fa_identification *f = &j->found;
    (void)printf("%s: %d base parameters of %d; condition number %.3g, cut-off %.3g Hz\n",
                 j->robot->name, f->rank, f->n_parameters, f->condition, f->cutoff);
    for (int b = 0; b < f->rank; b++) {
        const fa_parameter_name name = fa_identified_name(&j->dynamics, f->pivot[b]);
        if (f->excited[b])
            (void)printf("  %-44s %12.6g  +- %.2g\n", name.text, f->base[b],
                         FA_TWO_SIDED * f->base_sd[b]);
        else
            (void)printf("  %-44s not excited by this log: as drawn\n", name.text);
    }
    for (int i = 0; i < f->n; i++)
        (void)printf("  joint %d: torques are off by %.3g (RMS)%s\n", i + 1, f->validation[i],
                     j->arguments->validate ? " in the other log" : "");
}

// Names the constraint that keeps the masses from what the log says.
static void warn_of_bound(const job *j)
{
    const fa_identification *f = &j->found;
    const int                b = f->outside, links = f->n_links * FA_REGRESSOR_COLUMNS;
    const fa_log             log = fa_report_warnings(NULL);
    const char              *what = f->bound < links ? "that link '" : "that ";
    const fa_parameter_name  bound = fa_identified_name(&j->dynamics, f->bound);
    const char              *name =
        f->bound < links ? j->dynamics.arm->link[f->bound / FA_REGRESSOR_COLUMNS].name : bound.text;
    fa_warn(
        &log, j->arguments->log, FA_NOWHERE,
        "base parameter %s is %s by this log, within %s, and %s in the robot that is found: the "
        "condition %s%s%s keeps it there; see whether gears, units and signs of the log are "
        "the robot's, or try --robust",
        fa_identified_name(&j->dynamics, f->pivot[b]).text, fa_number_text(f->base[b]).text,
        fa_number_text(FA_TWO_SIDED * f->base_sd[b]).text, fa_number_text(f->outside_value).text,
        what, name, f->bound < links ? "' is a body with a mass" : " is above zero");
}

static fa_status prepare(job *j, fa_error *error)
{
    const fa_arguments *a = j->arguments;
    fa_status           status = FA_OK;
    if (!a->log)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "forearm identify needs a log; name it with --log FILE");
    if (status == FA_OK) status = fa_load_robot(a, NULL, &j->robot, error);
    if (status == FA_OK && (fa_robot_is_snake(j->robot) || fa_robot_is_axis(j->robot) ||
                            fa_robot_has_circuit(j->robot)))
        status = fa_fail(error, FA_UNFIT, a->operand, FA_NOWHERE,
                         "forearm identify finds the masses of arms, and this robot is none");
    if (status == FA_OK)
        status = fa_state_of_plant(fa_arm_plant_for(j->robot, true), j->robot, &j->state, error);
    if (status == FA_OK) status = fa_arm_dynamics_new(&j->state, &j->dynamics, error);
    if (status == FA_OK && j->dynamics.mechanism)
        status = fa_fail(error, FA_UNFIT, a->operand, FA_NOWHERE,
                         "forearm identify takes trees of joints with one freedom each, and this "
                         "robot has loops, or joints of several");
    if (status == FA_OK) status = fa_motion_log_read(a->log, &j->dynamics, a, &j->log, error);
    if (status == FA_OK && a->validate)
        status = fa_motion_log_read(a->validate, &j->dynamics, a, &j->validate, error);
    return status;
}

fa_exit fa_run_identify(const fa_arguments *arguments)
{
    const fa_arguments *a = arguments;
    job                 j = {.arguments = arguments};
    fa_error            error = fa_no_error();
    fa_status           status = prepare(&j, &error);
    if (status == FA_OK) {
        const fa_identification_options how = {a->cutoff, isnan(a->prior) ? 0 : a->prior,
                                               a->robust};
        status = fa_identify(&j.dynamics, &j.log, a->validate ? &j.validate : NULL, &how, &j.found,
                             &error);
        if (status == FA_OK) tell(&j);
        if (status == FA_OK && j.found.outside >= 0) warn_of_bound(&j);
        if (status == FA_OK && a->json_file) status = write_json(&j, &error);
        if (status == FA_OK && a->report) {
            char  *text = NULL;
            size_t size = 0;
            status = fa_identify_page(&j.dynamics, &j.found, j.robot->name, a->log, a->validate,
                                      &text, &size, &error);
            if (status == FA_OK) status = fa_file_write(a->report, text, size, &error);
            free(text);
        }
        if (status == FA_OK && a->out) status = write_robot(&j, &error);
        fa_identification_free(&j.found);
    }
    fa_motion_log_free(&j.log);
    fa_motion_log_free(&j.validate);
    if (j.dynamics.state) fa_arm_dynamics_free(&j.dynamics);
    fa_state_free(&j.state);
    free(j.robot);
    return fa_report(status, &error);
}
