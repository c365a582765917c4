// Pictures of a stage as files. The size of the ground's squares stands in a corner, and a line
// follows the tip; in an SVG both are vectors over the picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base64.h"
#include "glyphs.h"
#include "markup.h"
#include "number.h"
#include "png.h"
#include "stage.h"
#include "streams.h"

#define LABEL_SIZE 12.0 // [px] of the em
#define MARGIN     14.0 // around the label [px]
#define TRACE      2.2  // width [px]
#define FONT       "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

typedef struct ink {
    const char *label, *trace;
} ink;

static const ink INKS[2] = {{"#596370", "#d9480f"}, {"#a6b2be", "#ff8a4c"}};

static void rgb_of(const char *colour, uint8_t rgb[3])
{
    const unsigned long bits = strtoul(colour + 1, NULL, 16);
    for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(bits >> (8 * (2 - i)) & 255);
}

static void label_of(const fa_stage *stage, char label[], size_t size)
{
    const double metres = stage->square;
    const char  *unit = metres >= 1 ? "m" : metres >= 1e-3 ? "mm" : "µm";
    const double number = metres >= 1 ? metres : round(metres * (metres >= 1e-3 ? 1e3 : 1e6));
    (void)snprintf(label, size, "squares of %s %s", fa_number_text(number).text, unit);
}

// True if the robot hides the point.
static bool hidden(const fa_stage *stage, const fa_depth *depth, fa_spot spot)
{
    const double x = spot.x * depth->width / stage->width,
                 y = spot.y * depth->height / stage->height;
    if (!(x >= 0 && y >= 0 && x < depth->width && y < depth->height)) return false;
    const float z = depth->z[(size_t)y * (size_t)depth->width + (size_t)x];
    return (double)z < spot.z - 0.01 * stage->extent;
}

// Calls `draw` for each piece of the path that is seen.
typedef void piece_fn(void *context, fa_spot from, fa_spot to);

static void each_piece(const fa_stage *stage, const fa_camera *camera, const fa_depth *depth,
                       const fa_vec3 trace[], int n, piece_fn *draw, void *context)
{
    for (int i = 1; i < n; i++) {
        const fa_spot from = fa_camera_see(camera, trace[i - 1]),
                      to = fa_camera_see(camera, trace[i]);
        if (from.z > 0 && to.z > 0 && !hidden(stage, depth, from) && !hidden(stage, depth, to))
            draw(context, from, to);
    }
}

// -------------------------------------------------------------------------------------------- PNG

static void draw_piece(void *context, fa_spot from, fa_spot to)
{
    fa_raster_line(context, from.x, from.y, to.x, to.y, TRACE);
}

static void draw_stroke(void *context, double x1, double y1, double x2, double y2)
{
    fa_raster_line(context, x1, y1, x2, y2, 0.095 * LABEL_SIZE);
}

fa_status fa_stage_png(const fa_stage *stage, int k, const fa_vec3 trace[], int n_trace,
                       char **data, size_t *size, fa_error *error)
{
    const fa_camera camera = fa_stage_camera(stage, k);
    const ink      *inks = &INKS[stage->scene->dark];
    fa_raster       raster = {.width = 0};
    fa_depth        depth = {.width = 0};
    char            label[64];
    uint8_t         rgb[3];
    fa_status       status = fa_stage_draw(stage, k, &raster, &depth, error);
    if (status == FA_OK) {
        each_piece(stage, &camera, &depth, trace, n_trace, draw_piece, &raster);
        rgb_of(inks->trace, rgb);
        fa_raster_paint(&raster, rgb);
        label_of(stage, label, sizeof label);
        fa_glyphs_trace(label, MARGIN, stage->height - MARGIN, LABEL_SIZE, draw_stroke, &raster);
        rgb_of(inks->label, rgb);
        fa_raster_paint(&raster, rgb);
        status = fa_png_pack(&raster, 1, data, size, error);
    }
    fa_raster_free(&raster);
    fa_depth_free(&depth);
    return status;
}

// -------------------------------------------------------------------------------------------- SVG

// A path: pieces that follow each other are one line.
typedef struct path {
    FILE  *out;
    bool   begun;
    double x, y; // where it is
} path;

static void put_piece(void *context, fa_spot from, fa_spot to)
{
    path *p = context;
    if (!p->begun || from.x != p->x || from.y != p->y)
        fprintf(p->out, "M%ld %ld", lround(10 * from.x), lround(10 * from.y));
    fprintf(p->out, "L%ld %ld", lround(10 * to.x), lround(10 * to.y));
    *p = (path){p->out, true, to.x, to.y};
}

static bool put_path(fa_markup *out, const fa_stage *stage, const fa_camera *camera,
                     const fa_depth *depth, const fa_vec3 trace[], int n)
{
    char  *text = NULL;
    size_t size = 0;
    path   p = {.out = fa_text_open(&text, &size)};
    if (!p.out) return false;
    each_piece(stage, camera, depth, trace, n, put_piece, &p);
    const bool good = fa_text_close(p.out);
    if (good && p.begun) {
        fa_markup_open(out, "path");
        fa_markup_attribute(out, "transform", "scale(.1)");
        fa_markup_attribute(out, "d", text);
        fa_markup_attribute(out, "fill", "none");
        fa_markup_attribute(out, "stroke", INKS[stage->scene->dark].trace);
        fa_markup_number(out, "stroke-width", 10 * TRACE);
        fa_markup_attribute(out, "stroke-linejoin", "round");
        fa_markup_attribute(out, "stroke-linecap", "round");
        fa_markup_element(out, "title", "path of the tip");
        fa_markup_close(out);
    }
    free(text);
    return good;
}

static bool put_image(fa_markup *out, const fa_stage *stage, const char *png, size_t n)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *stream = fa_text_open(&text, &size);
    if (!stream) return false;
    fputs("data:image/png;base64,", stream);
    fa_base64_put(stream, (const unsigned char *)png, n);
    const bool good = fa_text_close(stream);
    if (good) {
        fa_markup_open(out, "image");
        fa_markup_integer(out, "width", stage->width);
        fa_markup_integer(out, "height", stage->height);
        fa_markup_attribute(out, "href", text);
        fa_markup_close(out);
    }
    free(text);
    return good;
}

static void begin_svg(fa_markup *out, const fa_stage *stage)
{
    char text[FA_NAME_SIZE + 64];
    fa_markup_declaration(out);
    fa_markup_open(out, "svg");
    fa_markup_attribute(out, "xmlns", "http://www.w3.org/2000/svg");
    (void)snprintf(text, sizeof text, "0 0 %d %d", stage->width, stage->height);
    fa_markup_attribute(out, "viewBox", text);
    fa_markup_integer(out, "width", stage->width);
    fa_markup_integer(out, "height", stage->height);
    fa_markup_attribute(out, "role", "img");
    (void)snprintf(text, sizeof text, "Robot %s", stage->scene->robot->name);
    fa_markup_attribute(out, "aria-label", text);
}

static void put_label(fa_markup *out, const fa_stage *stage)
{
    char label[64];
    label_of(stage, label, sizeof label);
    fa_markup_open(out, "text");
    fa_markup_number(out, "x", MARGIN);
    fa_markup_number(out, "y", stage->height - MARGIN);
    fa_markup_attribute(out, "font-family", FONT);
    fa_markup_number(out, "font-size", LABEL_SIZE);
    fa_markup_attribute(out, "fill", INKS[stage->scene->dark].label);
    fa_markup_text(out, label);
    fa_markup_close(out);
}

fa_status fa_stage_svg(const fa_stage *stage, int k, const fa_vec3 trace[], int n_trace,
                       char **data, size_t *size, fa_error *error)
{
    const fa_camera camera = fa_stage_camera(stage, k);
    fa_raster       raster = {.width = 0};
    fa_depth        depth = {.width = 0};
    char           *png = NULL;
    size_t          length = 0;
    fa_status       status = fa_stage_draw(stage, k, &raster, &depth, error);
    if (status == FA_OK) status = fa_png_pack(&raster, 1, &png, &length, error);
    if (status == FA_OK) {
        fa_markup out = fa_markup_new();
        begin_svg(&out, stage);
        const bool good = put_image(&out, stage, png, length) &&
                          put_path(&out, stage, &camera, &depth, trace, n_trace);
        put_label(&out, stage);
        status = fa_markup_finish(&out, data, size, error);
        if (status == FA_OK && !good) {
            free(*data);
            *data = NULL;
            status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                             "there is not enough memory for the robot's picture");
        }
    }
    free(png);
    fa_raster_free(&raster);
    fa_depth_free(&depth);
    return status;
}
