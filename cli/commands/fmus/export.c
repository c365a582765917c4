// forearm export: writes the FMU of a robot file.
#include "animation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "files.h"
#include "hosts.h"
#include "inspect.h"
#include "interrupt.h"
#include "load.h"
#include "modelica.h"
#include "paths.h"
#include "plant.h"
#include "progress.h"
#include "simulate.h"
#include "special_parts.h"
#include "streams.h"

#define MODEL_LIMIT ((size_t)64 << 20) // [bytes] of a robot file
// Largest robot whose reference experiment is run, in degrees of freedom of an arm or links of a
// snake. Larger ones would multiply the time of an export.
#define EXPERIMENT_MAX 30
// Limit of evaluations of the equations of motion during the experiment. Robots need hundreds to
// thousands; an extreme one could need ten million for each step, which takes hours.
#define EXPERIMENT_PATIENCE 200000

static fa_status choose_identifier(const fa_arguments *arguments, const fa_robot *robot,
                                   char identifier[FA_NAME_SIZE], fa_error *error)
{
    fa_identifier(arguments->name ? arguments->name : robot->name, identifier);
    if (!arguments->name || fa_identifier_fits(arguments->name)) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "'%s' cannot be the identifier of an FMU, which is a word of letters, digits "
                   "and _ that C and Modelica do not keep for themselves; --name %s would do",
                   arguments->name, identifier);
}

static fa_status choose_plant(const fa_arguments *arguments, fa_robot *robot, fa_error *error)
{
    if (arguments->kind != FA_KIND_INVERSE) return FA_OK;
    const char *plant = robot->plant;
    const bool  mechanism = strcmp(plant, "mechanism") == 0;
    if (strcmp(plant, "arm") != 0 && !mechanism && !fa_robot_is_inverse(robot))
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "it is a %s, and --kind inverse is for arms", robot->plant);
    if (robot->outputs & FA_EXTRA_ENERGY)
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "an inverse integrates no motion, so that it has no accounts of energy; "
                       "leave energy out of "
                       "--outputs");
    if (!fa_robot_is_inverse(robot))
        strcpy(robot->plant, mechanism ? "inverse-mechanism" : "inverse");
    return FA_OK;
}

// Runs the reference experiment that users can repeat. A robot whose motion fails is exported
// without one.
static fa_status run_experiment(const fa_robot *robot, fa_references *references, const fa_log *log,
                                fa_error *error)
{
    int size_of_it = fa_robot_is_snake(robot) ? robot->n_links : fa_robot_freedom(robot);
    if (size_of_it > EXPERIMENT_MAX) return FA_OK;
    char    *text = NULL;
    size_t   size = 0;
    fa_error why = fa_no_error();
    FILE    *stream = fa_text_open(&text, &size);
    if (!stream)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the FMU's references");
    fa_status status = fa_simulate_into(stream, robot, FA_REFERENCE_STOP, FA_REFERENCE_STEP,
                                        EXPERIMENT_PATIENCE, &why);
    if (!fa_text_close(stream) && status == FA_OK)
        status = fa_fail(&why, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the FMU's references");
    if (status == FA_OK) {
        references->results = text;
        references->results_size = size;
        return FA_OK;
    }
    free(text);
    // A lack of memory or a failed write is an error, not a reason to refuse the robot.
    if (status == FA_NO_MEMORY || status == FA_IO) {
        if (error) *error = why;
        return status;
    }
    fa_warn(log, robot->source, FA_NOWHERE, "the FMU has no results to compare with: %s",
            why.message);
    return FA_OK;
}

static fa_status gather(const fa_arguments *arguments, const fa_robot *robot,
                        fa_references *references, const fa_log *log, fa_error *error)
{
    char     *text;
    fa_status status = FA_OK;
    // An FMU that is exported again has no robot file to warn about.
    if (!fa_fmu_looks_like(arguments->operand)) {
        status =
            fa_file_read(arguments->operand, MODEL_LIMIT, &text, &references->model_size, error);
        if (status != FA_OK) return status;
        references->model = text;
        references->model_name = arguments->operand;
    }
    return run_experiment(robot, references, log, error);
}

static fa_status check_arrays(const fa_arguments *arguments, fa_error *error)
{
    if (!arguments->arrays || arguments->fmi == 3) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "FMI 2.0 has no arrays; leave --arrays out, or give --fmi 3");
}

static fa_status choose_hidden(const fa_arguments *arguments, fa_robot *robot, fa_error *error)
{
    fa_status status = FA_OK;
    if (arguments->payload == FA_PAYLOAD_FIXED) robot->hidden |= FA_FIXED_PAYLOAD;
    if (arguments->without) status = fa_robot_set_hidden(robot, arguments->without, error);
    if (status == FA_OK && robot->hidden && (arguments->arrays || arguments->modelica))
        status = fa_fail(
            error, FA_UNFIT, NULL, FA_NOWHERE,
            "--without, --payload fixed and --inputs actuated are for FMUs with one variable for "
            "each quantity; leave --arrays and --modelica out");
    return status;
}

// ------------------------------------------------------------------------------- files for hosts

static fa_status check_hosts(const fa_arguments *arguments, const fa_robot *robot, fa_error *error)
{
    if ((arguments->simulink || arguments->ros2 || arguments->ssp) && arguments->arrays)
        return fa_fail(
            error, FA_UNFIT, NULL, FA_NOWHERE,
            "--simulink, --ros2 and --ssp connect variables one by one; leave --arrays out");
    if (arguments->ssp && *arguments->ssp && strcmp(arguments->ssp, "alone") != 0)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--ssp=%s means nothing; take --ssp or --ssp=alone", arguments->ssp);
    if (!arguments->ros2) return FA_OK;
    if (arguments->out || arguments->simulink || arguments->ssp)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "--ros2 writes an FMU for ROS alone, into a folder of its own; leave --out, "
                       "--simulink and "
                       "--ssp out");
    return fa_ros2_check(robot, error);
}

// Requires FMI 2.0 Co-Simulation alone: the adapter refuses an FMU that also has Model Exchange.
static fa_status begin_ros2(const fa_arguments *arguments, const fa_robot *robot,
                            const fa_options *options, const char *name, char path[FA_PATH_SIZE],
                            fa_error *error)
{
    static const struct {
        const char *ending;
        fa_status (*write)(const fa_robot *, const fa_options *, char **, size_t *, fa_error *);
    } file[] = {{".yaml", fa_ros2_parameters_write}, {".launch.py", fa_ros2_launch_write}};
    if (!fa_folders_make(arguments->ros2))
        return fa_fail(error, FA_IO, arguments->ros2, FA_NOWHERE, "the folder cannot be made");
    fa_status status = FA_OK;
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        char     *text;
        size_t    size;
        const int n = snprintf(path, FA_PATH_SIZE, "%s/%s%s", arguments->ros2, options->identifier,
                               file[i].ending);
        if (n < 0 || n >= FA_PATH_SIZE)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long",
                           arguments->ros2);
        status = file[i].write(robot, options, &text, &size, error);
        if (status != FA_OK) break;
        status = fa_file_write(path, text, size, error);
        free(text);
    }
    (void)snprintf(path, FA_PATH_SIZE, "%s/%s", arguments->ros2, name);
    return status;
}

// Writes the script and the SSP file into the folder of the FMU at `path`.
static fa_status write_beside(const fa_arguments *arguments, const fa_robot *robot,
                              const fa_options *options, bool results, const char *path,
                              fa_error *error)
{
    const char *slash = fa_path_last(path);
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    char        beside[FA_PATH_SIZE + FA_NAME_SIZE];
    char       *data;
    size_t      size;
    fa_status   status = FA_OK;
    if (arguments->simulink) {
        (void)snprintf(beside, sizeof beside, "%.*s%s_simulink.m", (int)(base - path), path,
                       options->identifier);
        status = fa_simulink_write(robot, options, base, results, &data, &size, error);
        if (status == FA_OK) {
            status = fa_file_write(beside, data, size, error);
            free(data);
        }
    }
    if (arguments->ssp && status == FA_OK) {
        const int stem = dot ? (int)(dot - path) : (int)strlen(path);
        (void)snprintf(beside, sizeof beside, "%.*s.ssp", stem, path);
        status = fa_ssp_write(robot, options, path, *arguments->ssp == '\0', &data, &size, error);
        if (status == FA_OK) {
            status = fa_file_write(beside, data, size, error);
            free(data);
        }
    }
    return status;
}

static fa_status export(const fa_arguments *arguments, const fa_robot *robot,
                        const fa_robot *as_read, const fa_short_names *names, fa_error *error)
{
    fa_options options = {.fmi = arguments->ros2 ? 2 : arguments->fmi,
                          .arrays = arguments->arrays,
                          .stepped = arguments->ros2 != NULL};
    fa_library library[FA_PLATFORM_COUNT];
    int        n;
    char       sources[FA_PATH_SIZE], usual[FA_NAME_SIZE + 4];
    fa_status  status = choose_identifier(arguments, robot, options.identifier, error);
    if (status == FA_OK)
        status = fa_libraries_find(NULL, options.fmi, arguments->platforms, library, &n, error);
    if (status == FA_OK && n == 0 && !arguments->sources)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "with --platforms none the FMU would run nowhere; add --sources, so that "
                         "it can be compiled");
    if (status == FA_OK && (arguments->sources || arguments->specialise))
        status = fa_sources_find(NULL, sources, error);
    if (status != FA_OK) return status;
    fa_log        log = fa_report_warnings(NULL);
    fa_references references = {.results = NULL};
    if (!arguments->bare) status = gather(arguments, robot, &references, &log, error);
    fa_animation           animation = {.n = 0};
    const fa_xacro_options xacro = fa_load_xacro(arguments);
    if (status == FA_OK && fa_has_scene(robot, &options))
        status = fa_animation_make(robot, as_read, fa_load_drawing(arguments), &xacro,
                                   options.identifier, &log, &animation, error);
    fa_special_parts special = {.folder = ""};
    if (status == FA_OK && arguments->specialise)
        status = fa_special_parts_make(robot, sources, library, n, &log, &special, error);
    if (status == FA_OK && fa_interrupt_came())
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "it was interrupted");
    const fa_contents contents = {library,
                                  n,
                                  arguments->sources ? sources : NULL,
                                  arguments->bare ? NULL : &references,
                                  animation.of,
                                  animation.n,
                                  special.code.text,
                                  special.code.size,
                                  *names};
    snprintf(usual, sizeof usual, "%s.fmu", options.identifier);
    const char *path = arguments->out ? arguments->out : usual;
    char        in_folder[FA_PATH_SIZE];
    if (arguments->ros2 && status == FA_OK) {
        status = begin_ros2(arguments, robot, &options, usual, in_folder, error);
        path = in_folder;
    }
    fa_progress_begin("writing the FMU");
    if (status == FA_OK) status = fa_export(robot, &options, &contents, path, &log, error);
    fa_progress_end();
    if (status == FA_OK)
        status = write_beside(arguments, robot, &options, references.results != NULL, path, error);
    fa_animation_free(&animation);
    if (status != FA_OK) fa_special_parts_free(&special);
    free((void *)references.model);
    free((void *)references.results);
    if (status != FA_OK) return status;
    int freedom = fa_robot_independent(robot);
    printf("wrote %s: FMI %d.0, %sCo-Simulation, %s%d degree%s of freedom\n"
           "for ",
           path, options.fmi, options.stepped ? "" : "Model Exchange and ",
           arguments->kind == FA_KIND_INVERSE ? "inverse dynamics, " : "", freedom,
           freedom == 1 ? "" : "s");
    for (int i = 0; i < n; i++) printf("%s%s", i > 0 ? ", " : "", library[i].platform);
    if (arguments->sources) printf("%sany system with a C compiler", n > 0 ? ", " : "");
    printf("\n");
    if (names->n > 0)
        printf("%d name%s shorter; documentation/index.html lists them\n", names->n,
               names->n == 1 ? " is" : "s are");
    fa_special_parts_report(&special, library, n, arguments->sources);
    fa_special_parts_free(&special);
    return FA_OK;
}

// Exports a Modelica package. It draws the links, so the FMU needs their poses.
static fa_status export_modelica(const fa_arguments *arguments, fa_robot *robot, fa_error *error)
{
    char       identifier[FA_NAME_SIZE], package[FA_NAME_SIZE];
    fa_library library[FA_PLATFORM_COUNT];
    int        n;
    fa_status  status = choose_identifier(arguments, robot, identifier, error);
    if (status == FA_OK &&
        (arguments->sources || arguments->specialise || arguments->arrays || arguments->out))
        status = fa_fail(
            error, FA_UNFIT, NULL, FA_NOWHERE,
            "a Modelica package has neither sources nor arrays nor code for one arm, and its "
            "folder says where it goes; leave --sources, --arrays, --specialise and --out out "
            "with --modelica");
    if (status == FA_OK)
        status = fa_libraries_find(NULL, 2, arguments->platforms, library, &n, error);
    if (status == FA_OK && n == 0)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "with --platforms none the Modelica package would run nowhere");
    if (status == FA_OK && strcmp(robot->plant, "arm") == 0) robot->outputs |= FA_EXTRA_POSES;
    if (status == FA_OK)
        status = fa_modelica_write(robot, identifier, library, n, arguments->modelica, error);
    if (status != FA_OK) return status;
    fa_modelica_name(identifier, package);
    printf("wrote %s/%s: a Modelica package for", arguments->modelica, package);
    for (int i = 0; i < n; i++) printf("%s %s", i > 0 ? "," : "", library[i].platform);
    printf("\n");
    return FA_OK;
}

// Applies --shorten-names if given; *as_read then is the robot with its original names.
static fa_status choose_names(const fa_arguments *arguments, fa_robot *robot, fa_robot **as_read,
                              fa_short_names *names, fa_error *error)
{
    if (!arguments->short_names) return FA_OK;
    const size_t size = fa_robot_size(robot);
    *as_read = malloc(size);
    if (!*as_read)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory to shorten names");
    memcpy(*as_read, robot, size);
    return fa_robot_shorten_names(robot, names, error);
}

fa_exit fa_run_export(const fa_arguments *arguments)
{
    fa_error       error = fa_no_error();
    fa_robot      *robot = NULL, *as_read = NULL;
    fa_short_names names = {.n = 0};
    fa_status      status = check_arrays(arguments, &error);
    if (status == FA_OK) status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK) status = choose_plant(arguments, robot, &error);
    if (status == FA_OK) status = choose_names(arguments, robot, &as_read, &names, &error);
    // On an interrupt, ends compilers and deletes their temporary files.
    if (arguments->specialise) fa_interrupt_begin(fa_processes_end);
    if (status == FA_OK) status = choose_hidden(arguments, robot, &error);
    if (status == FA_OK) status = check_hosts(arguments, robot, &error);
    if (status == FA_OK)
        status = arguments->modelica
                     ? export_modelica(arguments, robot, &error)
                     : export(arguments, robot, as_read ? as_read : robot, &names, &error);
    if (arguments->specialise) fa_interrupt_end();
    free(names.of);
    free(as_read);
    free(robot);
    return fa_report(status, &error);
}
