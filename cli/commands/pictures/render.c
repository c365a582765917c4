// forearm render: a picture of a robot, without a browser.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "load.h"
#include "moments.h"
#include "number.h"
#include "plot.h"
#include "report.h"
#include "stage.h"

enum { MOMENTS = 48, SIZE_LEAST = 16, SIZE_MOST = 4096 };

typedef struct wish {
    double         at; // [s]
    int            width, height;
    fa_plot_format format;
} wish;

static fa_status read_time(const fa_arguments *a, double *at, fa_error *error)
{
    *at = 0;
    if (!a->at) return FA_OK;
    const size_t length = strlen(a->at);
    if (length > 0 && fa_number_read(a->at, length, at) == length && isfinite(*at) && *at >= 0)
        return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "--at takes a time in seconds, from 0 on, such as 1.5, and not '%s'", a->at);
}

// Reads a whole number of pixels; 0: there is none.
static int read_pixels(const char *text, size_t length)
{
    double value;
    if (length == 0 || fa_number_read(text, length, &value) != length) return 0;
    return value >= SIZE_LEAST && value <= SIZE_MOST && value == floor(value) ? (int)value : 0;
}

static fa_status read_size(const fa_arguments *a, wish *w, fa_error *error)
{
    w->width = 720;
    w->height = 480;
    if (!a->size) return FA_OK;
    const size_t first = strcspn(a->size, "x");
    w->width = read_pixels(a->size, first);
    w->height = a->size[first] ? read_pixels(a->size + first + 1, strlen(a->size + first + 1)) : 0;
    if (w->width > 0 && w->height > 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "--size takes width and height in pixels, from %d to %d, such as 720x480, and "
                   "not '%s'",
                   SIZE_LEAST, SIZE_MOST, a->size);
}

static fa_status read_wish(const fa_arguments *a, wish *w, fa_error *error)
{
    if (!a->out)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "forearm render needs the picture's name: -o robot.png or -o robot.svg");
    fa_status status = fa_plot_format_of(a->out, &w->format, error);
    if (status == FA_OK) status = read_time(a, &w->at, error);
    if (status == FA_OK) status = read_size(a, w, error);
    if (status == FA_OK && !a->at && a->input)
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                         "--input drives a motion, and without --at the start is shown; add --at "
                         "SECONDS");
    return status;
}

static fa_status draw(const fa_arguments *a, const wish *w, fa_scene *scene,
                      const fa_moments *moments, fa_error *error)
{
    fa_stage  stage;
    char     *data = NULL;
    size_t    size = 0;
    fa_status status = fa_stage_new(scene, moments->of, moments->n, (fa_sight)a->view, w->width,
                                    w->height, &stage, error);
    if (status == FA_OK)
        status = (w->format == FA_PLOT_SVG ? fa_stage_svg : fa_stage_png)(
            &stage, moments->n - 1, moments->trace, moments->n_trace, &data, &size, error);
    if (status == FA_OK) status = fa_file_write(a->out, data, size, error);
    free(data);
    fa_stage_free(&stage);
    return status;
}

fa_exit fa_run_render(const fa_arguments *arguments)
{
    fa_error   error = fa_no_error();
    fa_robot  *robot = NULL;
    wish       w;
    fa_scene   scene = {.n = 0};
    fa_moments moments = {.n = 0};
    fa_status  status = read_wish(arguments, &w, &error);
    if (status == FA_OK) status = fa_load_robot(arguments, NULL, &robot, &error);
    if (status == FA_OK && fa_robot_is_circuit_alone(robot))
        status = fa_fail(&error, FA_UNFIT, robot->source, FA_NOWHERE,
                         "'%s' is a hydraulic circuit without an arm, of which there is no "
                         "picture; forearm inspect lists its parts",
                         robot->name);
    if (status == FA_OK) {
        const fa_log           log = fa_report_warnings(NULL);
        const fa_xacro_options xacro = fa_load_xacro(arguments);
        fa_moments_want(robot);
        status = fa_scene_new(robot, fa_load_drawing(arguments), &xacro, arguments->dark, &log,
                              &scene, &error);
    }
    if (status == FA_OK)
        status = fa_moments_new(arguments, robot, w.at, MOMENTS, scene.upright, &moments, &error);
    if (status == FA_OK) status = draw(arguments, &w, &scene, &moments, &error);
    fa_moments_free(&moments);
    fa_scene_free(&scene);
    free(robot);
    return fa_report(status, &error);
}
