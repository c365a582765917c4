// Figures as SVG. Curves are whole numbers, tenths of a pixel, from one point to the next: short.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "canvas.h"
#include "markup.h"
#include "streams.h"

#define TENTHS     10.0
#define FONT_SLACK 1.15 // DejaVu Sans, the widest of these, has letters 1.14 times as wide as ours
#define FONT       "Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', 'DejaVu Sans', sans-serif"

typedef struct svg_canvas {
    fa_canvas canvas; // first: the figure knows this much
    fa_markup out;
    bool      failed;
} svg_canvas;

static void colour(fa_markup *out, const char *name, fa_colour c)
{
    char text[8];
    snprintf(text, sizeof text, "#%02x%02x%02x", c.r, c.g, c.b);
    fa_markup_attribute(out, name, text);
}

static void length(fa_markup *out, const char *name, double value)
{
    fa_markup_number(out, name, round(value * TENTHS) / TENTHS);
}

static bool begin(fa_canvas *canvas, double width, double height, const char *about)
{
    fa_markup *out = &((svg_canvas *)canvas)->out;
    char       box[64];
    fa_markup_declaration(out);
    fa_markup_open(out, "svg");
    fa_markup_attribute(out, "xmlns", "http://www.w3.org/2000/svg");
    snprintf(box, sizeof box, "0 0 %ld %ld", lround(width), lround(height));
    fa_markup_attribute(out, "viewBox", box);
    fa_markup_integer(out, "width", lround(width));
    fa_markup_integer(out, "height", lround(height));
    fa_markup_attribute(out, "role", "img");
    fa_markup_attribute(out, "aria-label", about);
    fa_markup_attribute(out, "font-family", FONT);
    fa_markup_attribute(out, "fill", "none");
    fa_markup_attribute(out, "stroke-linejoin", "round");
    fa_markup_attribute(out, "stroke-linecap", "round");
    fa_markup_open(out, "rect");
    fa_markup_attribute(out, "width", "100%");
    fa_markup_attribute(out, "height", "100%");
    fa_markup_attribute(out, "fill", "#fff");
    fa_markup_close(out);
    return true;
}

static void line(fa_canvas *canvas, double x1, double y1, double x2, double y2, const fa_pen *pen)
{
    fa_markup *out = &((svg_canvas *)canvas)->out;
    fa_markup_open(out, "line");
    length(out, "x1", x1);
    length(out, "y1", y1);
    length(out, "x2", x2);
    length(out, "y2", y2);
    colour(out, "stroke", pen->colour);
    length(out, "stroke-width", pen->width);
    fa_markup_close(out);
}

// Relative moves, of which the first after M or m is a line already.
static void put_points(FILE *out, const fa_point p[], size_t n)
{
    long x = 0, y = 0;
    bool drawing = false;
    for (size_t i = 0; i < n; i++) {
        if (isnan(p[i].x)) {
            drawing = false;
            continue;
        }
        long to_x = lround(TENTHS * p[i].x), to_y = lround(TENTHS * p[i].y);
        if (drawing)
            fprintf(out, "%s%ld%s%ld", to_x < x ? "" : " ", to_x - x, to_y < y ? "" : " ",
                    to_y - y);
        else
            fprintf(out, "M%ld %ldl0 0", to_x, to_y);
        x = to_x;
        y = to_y;
        drawing = true;
    }
}

static void put_dots(FILE *out, const fa_point p[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i].x))
            fprintf(out, "M%ld %ldh0", lround(TENTHS * p[i].x), lround(TENTHS * p[i].y));
}

static void put_path(svg_canvas *c, const fa_point p[], size_t n, const fa_pen *pen, bool dots,
                     const char *name)
{
    char  *path = NULL;
    size_t size = 0;
    FILE  *stream = fa_text_open(&path, &size);
    if (stream) (dots ? put_dots : put_points)(stream, p, n);
    const bool good = stream && fa_text_close(stream);
    if (good) {
        fa_markup_open(&c->out, "path");
        fa_markup_attribute(&c->out, "transform", "scale(.1)");
        colour(&c->out, "stroke", pen->colour);
        length(&c->out, "stroke-width", TENTHS * (dots ? pen->dot : pen->width));
        fa_markup_attribute(&c->out, "d", path);
        fa_markup_element(&c->out, "title", name);
        fa_markup_close(&c->out);
    }
    c->failed |= !good;
    free(path);
}

static void curve(fa_canvas *canvas, const fa_point p[], size_t n, const fa_pen *pen,
                  const char *name)
{
    svg_canvas *c = (svg_canvas *)canvas;
    put_path(c, p, n, pen, false, name);
    if (pen->dot > 0) put_path(c, p, n, pen, true, name);
}

static void open_text(fa_markup *out, double x, double y, const char *words,
                      const fa_type_style *style)
{
    static const char *const anchors[] = {NULL, "middle", "end"};
    fa_markup_open(out, "text");
    length(out, "x", x);
    length(out, "y", y);
    length(out, "font-size", style->size);
    colour(out, "fill", style->colour);
    if (style->bold) fa_markup_attribute(out, "font-weight", "bold");
    if (anchors[style->anchor]) fa_markup_attribute(out, "text-anchor", anchors[style->anchor]);
    fa_markup_text(out, words);
}

static void text(fa_canvas *canvas, double x, double y, const char *words,
                 const fa_type_style *style)
{
    fa_markup *out = &((svg_canvas *)canvas)->out;
    open_text(out, x, y, words, style);
    fa_markup_close(out);
}

static void text_after(fa_canvas *canvas, double x, double y, const char *words,
                       const fa_type_style *style, double gap, const char *after,
                       const fa_type_style *after_style)
{
    fa_markup *out = &((svg_canvas *)canvas)->out;
    open_text(out, x, y, words, style);
    fa_markup_open(out, "tspan");
    length(out, "dx", gap);
    length(out, "font-size", after_style->size);
    colour(out, "fill", after_style->colour);
    fa_markup_attribute(out, "font-weight", after_style->bold ? "bold" : "normal");
    fa_markup_text(out, after);
    fa_markup_close(out);
    fa_markup_close(out);
}

fa_status fa_plot_svg(const fa_plot *plot, char **data, size_t *size, fa_error *error)
{
    svg_canvas c = {.canvas = {1, FONT_SLACK, begin, line, curve, text, text_after},
                    .out = fa_markup_new()};
    bool       good = fa_figure_draw(plot, &c.canvas) && !c.failed;
    fa_status  finished = fa_markup_finish(&c.out, data, size, error);
    if (good || finished != FA_OK) return finished;
    free(*data);
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the plot");
}
