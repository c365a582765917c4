// Figures as pixels, two for each of the page's, so that they are sharp on paper and good screens.
#include <math.h>

#include "canvas.h"
#include "glyphs.h"
#include "png.h"

#define SCALE 2.0

typedef struct png_canvas {
    fa_canvas canvas; // first: the figure knows this much
    fa_raster raster;
    double    stroke; // width of the letters' lines [pixels]
} png_canvas;

static void paint(png_canvas *c, fa_colour colour)
{
    fa_raster_paint(&c->raster, (uint8_t[]){colour.r, colour.g, colour.b});
}

static bool begin(fa_canvas *canvas, double width, double height, const char *about)
{
    png_canvas *c = (png_canvas *)canvas;
    (void)about;
    if (!fa_raster_new((int)(SCALE * width), (int)(SCALE * height), &c->raster)) return false;
    fa_raster_fill(&c->raster, (uint8_t[]){255, 255, 255});
    return true;
}

static void line(fa_canvas *canvas, double x1, double y1, double x2, double y2, const fa_pen *pen)
{
    png_canvas *c = (png_canvas *)canvas;
    fa_raster_line(&c->raster, SCALE * x1, SCALE * y1, SCALE * x2, SCALE * y2, SCALE * pen->width);
    paint(c, pen->colour);
}

static void curve(fa_canvas *canvas, const fa_point p[], size_t n, const fa_pen *pen,
                  const char *name)
{
    png_canvas *c = (png_canvas *)canvas;
    (void)name;
    for (size_t i = 0; i < n; i++) {
        if (isnan(p[i].x)) continue;
        const fa_point *q = i > 0 && !isnan(p[i - 1].x) ? &p[i - 1] : &p[i];
        bool            alone = q == &p[i] && (i + 1 == n || isnan(p[i + 1].x));
        if (q != &p[i] || alone)
            fa_raster_line(&c->raster, SCALE * q->x, SCALE * q->y, SCALE * p[i].x, SCALE * p[i].y,
                           SCALE * pen->width);
        if (pen->dot > 0)
            fa_raster_line(&c->raster, SCALE * p[i].x, SCALE * p[i].y, SCALE * p[i].x,
                           SCALE * p[i].y, SCALE * pen->dot);
    }
    paint(c, pen->colour);
}

static void stroke(void *context, double x1, double y1, double x2, double y2)
{
    png_canvas *c = context;
    fa_raster_line(&c->raster, x1, y1, x2, y2, c->stroke);
}

static void text(fa_canvas *canvas, double x, double y, const char *words,
                 const fa_type_style *style)
{
    png_canvas *c = (png_canvas *)canvas;
    double      width = fa_glyphs_width(words, style->size);
    if (style->anchor == FA_AT_MIDDLE) x -= 0.5 * width;
    if (style->anchor == FA_AT_END) x -= width;
    c->stroke = SCALE * style->size * (style->bold ? 0.13 : 0.09);
    fa_glyphs_trace(words, SCALE * x, SCALE * y, SCALE * style->size, stroke, c);
    paint(c, style->colour);
}

static void text_after(fa_canvas *canvas, double x, double y, const char *words,
                       const fa_type_style *style, double gap, const char *after,
                       const fa_type_style *after_style)
{
    text(canvas, x, y, words, style);
    text(canvas, x + fa_glyphs_width(words, style->size) + gap, y, after, after_style);
}

fa_status fa_plot_png(const fa_plot *plot, char **data, size_t *size, fa_error *error)
{
    png_canvas c = {.canvas = {SCALE, 1, begin, line, curve, text, text_after}};
    fa_status  status = fa_figure_draw(plot, &c.canvas)
                            ? fa_png_pack(&c.raster, SCALE, data, size, error)
                            : fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                                      "there is not enough memory for the plot");
    fa_raster_free(&c.raster);
    return status;
}
