// Loads a robot from a file or from an FMU, with the options that change it.
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "inspect.h"
#include "number.h"
#include "progress.h"

static void ignore_remark(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)context, (void)file, (void)place, (void)sentence;
}

// Parses the value of --stops: nothing, "" for default stops, or stiffness=K,damping=D in either
// order; damping is 0 by default.
static fa_status read_stops(const char *text, fa_stops *stops, fa_error *error)
{
    static const char *const name[] = {"stiffness=", "damping="};
    if (!text) return FA_OK;
    *stops = (fa_stops){.asked = true, .chosen = !text[0]};
    double value[] = {NAN, NAN};
    for (const char *at = text; *at;) {
        int which = 0;
        while (which < 2 && strncmp(at, name[which], strlen(name[which])) != 0) which++;
        if (which == 2 || !isnan(value[which])) goto wrong;
        at += strlen(name[which]);
        const size_t length = strcspn(at, ",");
        if (length == 0 || fa_number_read(at, length, &value[which]) != length) goto wrong;
        at += length;
        if (*at && !*++at) goto wrong;
    }
    if (stops->chosen) return FA_OK;
    stops->stiffness = value[0];
    stops->damping = isnan(value[1]) ? 0 : value[1];
    if (stops->stiffness > 0 && isfinite(stops->stiffness) && stops->damping >= 0 &&
        isfinite(stops->damping))
        return FA_OK;
wrong:
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "--stops takes nothing, or a stiffness above zero and a damping that is not "
                   "negative, such as --stops=stiffness=1e5,damping=300, and not '%s'",
                   text);
}

fa_xacro_options fa_load_xacro(const fa_arguments *arguments)
{
    return (fa_xacro_options){.argument = arguments->xacro.of,
                              .n_arguments = arguments->xacro.n,
                              .package = arguments->package.of,
                              .n_packages = arguments->package.n};
}

static bool is_said(double number)
{
    return number > 0; // NAN: no such option
}

static fa_status import(const fa_arguments *arguments, fa_log log, fa_robot **robot,
                        fa_error *error)
{
    if (is_said(arguments->density) && is_said(arguments->total_mass))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--density and --total-mass exclude each other; give one of them");
    int             n_locks = arguments->lock.n;
    fa_import_lock *lock = malloc(((size_t)n_locks + 1) * sizeof *lock);
    if (!lock)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the options");
    for (int i = 0; i < n_locks; i++)
        lock[i] = (fa_import_lock){arguments->lock.of[i].name, arguments->lock.of[i].value};
    fa_stops  stops = {.asked = false};
    fa_status status = read_stops(arguments->stops, &stops, error);
    if (status != FA_OK) {
        free(lock);
        return status;
    }
    fa_import_options options = {
        .lenient = arguments->lenient,
        .strict = arguments->strict,
        .tip = arguments->tip,
        .actuators = arguments->actuators,
        .inputs = arguments->inputs,
        .outputs = arguments->outputs,
        .independent = arguments->independent,
        .lock = lock,
        .n_locks = n_locks,
        .wrench = arguments->wrench.of,
        .n_wrenches = arguments->wrench.n,
        .cut = arguments->cut.of,
        .n_cuts = arguments->cut.n,
        .xacro = fa_load_xacro(arguments),
        .model = arguments->model,
        .base = arguments->base,
        .stops = stops,
        .density = is_said(arguments->density) ? arguments->density : 0,
        .keyframe = arguments->keyframe,
        .torques = arguments->drives == FA_DRIVES_TORQUE,
        .total_mass = is_said(arguments->total_mass) ? arguments->total_mass : 0,
    };
    const int command = arguments->command;
    // Remarks are about the robot itself. Commands that simulate suppress them.
    if (command != FA_COMMAND_CHECK && command != FA_COMMAND_INSPECT &&
        command != FA_COMMAND_EXPORT && command != FA_COMMAND_VIEW)
        log.remark = ignore_remark;
    fa_progress_begin("reading the robot");
    status = fa_import(arguments->operand, &options, &log, robot, error);
    fa_progress_end();
    free(lock);
    return status;
}

fa_status fa_load_fmu(const fa_arguments *arguments, fa_fmu *fmu, fa_error *error)
{
    const char *path = arguments->operand;
    *fmu = (fa_fmu){0};
    if (arguments->tip || arguments->outputs || arguments->inputs || arguments->actuators ||
        arguments->stops || arguments->base || arguments->independent || arguments->model ||
        arguments->lock.n > 0 || arguments->wrench.n > 0 || arguments->cut.n > 0 ||
        arguments->xacro.n > 0 || is_said(arguments->density) || is_said(arguments->total_mass) ||
        arguments->keyframe || arguments->drives != FA_DRIVES_OF_FILE)
        return fa_fail(
            error, FA_UNFIT, path, FA_NOWHERE,
            "base, tip, masses, locks, wrenches, cuts, actuators, stops, inputs and outputs of an "
            "FMU are settled; "
            "give --base, --model, --tip, --density, --lock, --wrench, --cut, --actuators, "
            "--stops, --inputs and --outputs together with the robot file");
    fa_status status = fa_fmu_read(path, fmu, error);
    if (status == FA_OK && !fmu->robot) {
        status =
            fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                    "Forearm did not make this FMU: there is no resources/robot.forearm in it");
        fa_fmu_free(fmu);
        *fmu = (fa_fmu){0};
    }
    if (status == FA_OK) snprintf(fmu->robot->source, sizeof fmu->robot->source, "%s", path);
    return status;
}

fa_status fa_load_robot(const fa_arguments *arguments, int *warnings, fa_robot **robot,
                        fa_error *error)
{
    return fa_load_robot_heard(arguments, fa_report_warnings(warnings), robot, error);
}

const char *fa_load_drawing(const fa_arguments *arguments)
{
    return fa_fmu_looks_like(arguments->operand) ? NULL : arguments->operand;
}

fa_status fa_load_robot_heard(const fa_arguments *arguments, fa_log log, fa_robot **robot,
                              fa_error *error)
{
    *robot = NULL;
    if (!fa_fmu_looks_like(arguments->operand)) return import(arguments, log, robot, error);
    fa_fmu    fmu;
    fa_status status = fa_load_fmu(arguments, &fmu, error);
    if (status != FA_OK) return status;
    *robot = fmu.robot;
    fmu.robot = NULL;
    fa_fmu_free(&fmu);
    return FA_OK;
}
