// Report of an identification as one HTML page: parameters with confidence intervals, their origin
// (log or prior), and the residuals of the torques.
#include "identify_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arm.h"
#include "markup.h"
#include "number.h"
#include "plot.h"
#include "robot_joint.h"

static const char STYLE[] =
    "body{font:15px/1.45 sans-serif;max-width:62em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.15em .8em;border-bottom:1px solid "
    "#ccc;text-align:right}td:first-child,th:first-child{text-align:left}.drawing{color:#777}";

static void put_cell(fa_markup *m, const char *element, const char *text)
{
    fa_markup_element(m, element, text);
}

static void put_rounded(fa_markup *m, double value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.5g", value);
    for (char *c = text; *c; c++)
        if (*c == ',') *c = '.'; // decimal comma of a locale
    put_cell(m, "td", isfinite(value) ? text : "-");
}

static void put_head(fa_markup *m, const char *const title[], int n)
{
    fa_markup_open(m, "tr");
    for (int i = 0; i < n; i++) put_cell(m, "th", title[i]);
    fa_markup_close(m);
}

static void put_base(fa_markup *m, const fa_arm_dynamics *dynamics, const fa_identification *f)
{
    static const char *const title[] = {"base parameter (its pivot)", "found", "95 % from", "to"};
    fa_markup_element(m, "h2", "What torques depend on");
    fa_markup_open(m, "table");
    put_head(m, title, 4);
    for (int b = 0; b < f->rank; b++) {
        const double half = FA_TWO_SIDED * f->base_sd[b];
        fa_markup_open(m, "tr");
        put_cell(m, "td", fa_identified_name(dynamics, f->pivot[b]).text);
        put_rounded(m, f->base[b]);
        put_rounded(m, f->excited[b] ? f->base[b] - half : NAN);
        put_rounded(m, f->excited[b] ? f->base[b] + half : NAN);
        fa_markup_close(m);
    }
    fa_markup_close(m);
}

static void put_parameters(fa_markup *m, const fa_arm_dynamics *dynamics,
                           const fa_identification *f)
{
    static const char *const title[] = {"parameter", "drawing", "found", "95 % from", "to", "by"};
    fa_markup_element(m, "h2", "Parameters of links and joints");
    fa_markup_element(m, "p",
                      "Where the log says nothing, the drawing decides: such lines are grey. All "
                      "masses are those that a body can have.");
    fa_markup_open(m, "table");
    put_head(m, title, 6);
    for (int k = 0; k < f->n_parameters; k++) {
        const double half = FA_TWO_SIDED * f->sd[k];
        fa_markup_open(m, "tr");
        if (!f->by_data[k]) fa_markup_attribute(m, "class", "drawing");
        put_cell(m, "td", fa_identified_name(dynamics, k).text);
        put_rounded(m, f->drawing[k]);
        put_rounded(m, f->value[k]);
        put_rounded(m, f->value[k] - half);
        put_rounded(m, f->value[k] + half);
        put_cell(m, "td", f->by_data[k] ? "data" : "drawing");
        fa_markup_close(m);
    }
    fa_markup_close(m);
}

static void put_residuals(fa_markup *m, const fa_arm_dynamics *dynamics, const fa_identification *f,
                          const char *validate)
{
    const char *const  title[] = {"joint", "noise of the log",
                                 validate ? "off in the other log" : "off in the log"};
    const fa_variable *row = dynamics->state->table.row + dynamics->arm->row[FA_ARM_POSITION];
    fa_markup_element(m, "h2", "Torques, root mean square");
    fa_markup_open(m, "table");
    put_head(m, title, 3);
    for (int i = 0; i < f->n; i++) {
        fa_markup_open(m, "tr");
        put_cell(m, "td", row[i].name);
        put_rounded(m, f->noise[i]);
        put_rounded(m, f->validation[i]);
        fa_markup_close(m);
    }
    fa_markup_close(m);
}

// Draws the amplitudes of each joint's residuals over frequency.
static fa_status put_spectrum(fa_markup *m, const fa_arm_dynamics *dynamics,
                              const fa_identification *f, fa_error *error)
{
    const fa_variable *row = dynamics->state->table.row + dynamics->arm->row[FA_ARM_POSITION];
    double             frequency[FA_SPECTRUM_LINES];
    fa_series         *series = calloc((size_t)f->n, sizeof *series);
    char              *text = NULL;
    size_t             size = 0;
    for (int k = 0; k < FA_SPECTRUM_LINES; k++) frequency[k] = fa_spectrum_frequency(f, k);
    for (int i = 0; i < f->n && series; i++)
        series[i] = (fa_series){.name = row[i].name,
                                .unit = "N.m",
                                .value = f->spectrum + i * FA_SPECTRUM_LINES,
                                .stride = 1};
    const fa_plot plot = {
        .axis = {.name = "frequency", .unit = "Hz", .value = frequency, .stride = 1},
        .n = FA_SPECTRUM_LINES,
        .n_series = f->n,
        .series = series};
    fa_status status = series
                           ? fa_plot_svg(&plot, &text, &size, error)
                           : fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                                     "there is not enough memory for a picture of the residuals");
    if (status == FA_OK) {
        fa_markup_element(m, "h2", "Residuals over frequency");
        fa_markup_element(m, "p",
                          "Noise is flat; a peak is something that moves with the motion and that "
                          "no parameter explains.");
        fa_markup_raw(m, text);
    }
    free(text);
    free(series);
    return status;
}

fa_status fa_identify_page(const fa_arm_dynamics *dynamics, const fa_identification *found,
                           const char *robot, const char *log, const char *validate, char **text,
                           size_t *size, fa_error *error)
{
    fa_markup m = fa_markup_new();
    char      about[512];
    fa_markup_raw(&m, "<!DOCTYPE html>");
    fa_markup_open(&m, "html");
    fa_markup_open(&m, "head");
    fa_markup_open(&m, "meta");
    fa_markup_attribute(&m, "charset", "utf-8");
    fa_markup_close(&m);
    fa_markup_element(&m, "title", robot);
    fa_markup_element(&m, "style", STYLE);
    fa_markup_close(&m);
    fa_markup_open(&m, "body");
    fa_markup_element(&m, "h1", robot);
    (void)snprintf(about, sizeof about,
                   "Identified from %s%s%s: %d base parameters of %d, condition number %s, cut-off "
                   "of the filter %s Hz.",
                   log, validate ? ", validated by " : "", validate ? validate : "", found->rank,
                   found->n_parameters, fa_number_text(found->condition).text,
                   fa_number_text(found->cutoff).text);
    fa_markup_element(&m, "p", about);
    put_residuals(&m, dynamics, found, validate);
    const fa_status status = put_spectrum(&m, dynamics, found, error);
    put_base(&m, dynamics, found);
    put_parameters(&m, dynamics, found);
    fa_markup_close(&m);
    fa_markup_close(&m);
    const fa_status finished = fa_markup_finish(&m, text, size, status == FA_OK ? error : NULL);
    if (status == FA_OK || finished != FA_OK) return status == FA_OK ? finished : status;
    free(*text);
    *text = NULL;
    return status;
}

fa_status fa_identified_actuators(const fa_robot *robot, char **text, size_t *size, fa_error *error)
{
    fa_markup m = fa_markup_new();
    fa_markup_declaration(&m);
    fa_markup_open(&m, "actuators");
    fa_markup_attribute(&m, "for", robot->name);
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (!fa_joint_is_free(joint)) continue;
        fa_markup_open(&m, "joint");
        fa_markup_attribute(&m, "name", joint->name);
        fa_markup_open(&m, "rotor");
        fa_markup_number(&m, "inertia", joint->rotor.inertia);
        fa_markup_number(&m, "gear", joint->rotor.gear);
        fa_markup_close(&m);
        fa_markup_open(&m, "friction");
        fa_markup_number(&m, "viscous", joint->friction.viscous);
        fa_markup_number(&m, "coulomb", joint->friction.coulomb);
        fa_markup_close(&m);
        fa_markup_close(&m);
    }
    fa_markup_close(&m);
    return fa_markup_finish(&m, text, size, error);
}
