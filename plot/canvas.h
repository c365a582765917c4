// A drawing surface: SVG text, or pixels. Lengths are in CSS pixels, y points down.
#ifndef FA_CANVAS_H
#define FA_CANVAS_H

#include <stdint.h>

#include "thin.h"

typedef struct fa_colour {
    uint8_t r, g, b;
} fa_colour;

typedef struct fa_pen {
    fa_colour colour;
    double    width;
    double    dot; // diameter of a dot at each point; 0: none
} fa_pen;

typedef enum fa_anchor { FA_AT_START, FA_AT_MIDDLE, FA_AT_END } fa_anchor;

typedef struct fa_type_style {
    double    size; // [px] of the em
    bool      bold;
    fa_anchor anchor;
    fa_colour colour;
} fa_type_style;

typedef struct fa_canvas fa_canvas;
struct fa_canvas {
    double per_pixel; // columns of points per pixel that it can show
    double slack;     // how much wider than ours its letters may be
    // The first call: the page, and what it shows, in words.
    bool (*begin)(fa_canvas *canvas, double width, double height, const char *about);
    void (*line)(fa_canvas *canvas, double x1, double y1, double x2, double y2, const fa_pen *pen);
    // Points may have gaps. `name` is what a viewer may show when one points at the curve.
    void (*curve)(fa_canvas *canvas, const fa_point point[], size_t n, const fa_pen *pen,
                  const char *name);
    // Draws a text on the baseline y.
    void (*text)(fa_canvas *canvas, double x, double y, const char *text,
                 const fa_type_style *style);
    // Draws another text in another style behind the last one. A function of its own, since the
    // width of letters is unknown until an SVG is shown.
    void (*text_after)(fa_canvas *canvas, double x, double y, const char *text,
                       const fa_type_style *style, double gap, const char *after,
                       const fa_type_style *after_style);
};

// Draws the figure; false if there was no memory.
bool fa_figure_draw(const fa_plot *plot, fa_canvas *canvas);

#endif
