#include "load.h"

#include <stdlib.h>

#include "import.h"
#include "inspect.h"
#include "progress.h"

static void unheard(void *context, const char *file, fa_place place, const char *sentence)
{
    (void)context, (void)file, (void)place, (void)sentence;
}

static fa_status import(const fa_arguments *arguments, int *warnings, fa_robot **robot,
                        fa_error *error)
{
    int             n_locks = arguments->lock.n;
    fa_import_lock *lock = malloc(((size_t)n_locks + 1) * sizeof *lock);
    if (!lock)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the options");
    for (int i = 0; i < n_locks; i++)
        lock[i] = (fa_import_lock){arguments->lock.of[i].name, arguments->lock.of[i].value};
    fa_import_options options = {
        .lenient = arguments->lenient,
        .strict = arguments->strict,
        .tip = arguments->tip,
        .actuators = arguments->actuators,
        .inputs = arguments->inputs,
        .outputs = arguments->outputs,
        .lock = lock,
        .n_locks = n_locks,
        .wrench = arguments->wrench.of,
        .n_wrenches = arguments->wrench.n,
        .cut = arguments->cut.of,
        .n_cuts = arguments->cut.n,
    };
    fa_log    log = fa_report_warnings(warnings);
    const int command = arguments->command;
    // What these say is about the robot; who simulates it has been told by one of them.
    if (command != FA_COMMAND_CHECK && command != FA_COMMAND_INSPECT &&
        command != FA_COMMAND_EXPORT)
        log.remark = unheard;
    fa_progress_begin("reading the robot");
    fa_status status = fa_import(arguments->operand, &options, &log, robot, error);
    fa_progress_end();
    free(lock);
    return status;
}

fa_status fa_load_fmu(const fa_arguments *arguments, fa_fmu *fmu, fa_error *error)
{
    const char *path = arguments->operand;
    *fmu = (fa_fmu){0};
    if (arguments->tip || arguments->outputs || arguments->inputs || arguments->actuators ||
        arguments->lock.n > 0 || arguments->wrench.n > 0 || arguments->cut.n > 0)
        return fa_fail(
            error, FA_UNFIT, path, FA_NOWHERE,
            "tip, locks, wrenches, cuts, actuators, inputs and outputs of an FMU are settled; "
            "give --tip, --lock, --wrench, --cut, --actuators, --inputs and --outputs "
            "together with the robot file");
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
    *robot = NULL;
    if (!fa_fmu_looks_like(arguments->operand)) return import(arguments, warnings, robot, error);
    fa_fmu    fmu;
    fa_status status = fa_load_fmu(arguments, &fmu, error);
    if (status != FA_OK) return status;
    *robot = fmu.robot;
    fmu.robot = NULL;
    fa_fmu_free(&fmu);
    return FA_OK;
}
