// The figure: panels one below the other, in two columns where there are many. Each has its title
// and unit above, numbers to the left and below, and the names of its curves to the right, where no
// curve comes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "glyphs.h"
#include "panels.h"
#include "scale.h"

enum {
    MARGIN = 16,
    TITLE = 30,
    HEAD = 26,
    FOOT = 22,
    AXIS_NAME = 18,
    LINE = 17,
    SWATCH = 22,
    GAP = 8
};
enum { PANELS_IN_ONE_COLUMN = 4, WIDTH_OF_ONE = 900, WIDTH_OF_TWO = 1560 };
enum { FEW_CURVES = 8, MOST_NAMES = 40, MOST_NAME_WIDTH = 190, DOTS_UP_TO = 24 };

#define TICK_SIZE 11.0
#define NAME_SIZE 12.0
#define HEAD_SIZE 13.0

static const fa_colour ink = {0x24, 0x29, 0x2f}, faint = {0x5f, 0x68, 0x72},
                       grid = {0xe6, 0xe9, 0xed}, zero = {0xb4, 0xba, 0xc2};

// Colours that stay apart for colour-blind eyes (Okabe and Ito 2008), the darker ones first.
static const fa_colour few[FEW_CURVES] = {
    {0x00, 0x72, 0xb2}, {0xd5, 0x5e, 0x00}, {0x00, 0x9e, 0x73}, {0xcc, 0x79, 0xa7},
    {0xe6, 0x9f, 0x00}, {0x56, 0xb4, 0xe9}, {0x7a, 0x66, 0x52}, {0x88, 0x88, 0x88}};
// Colours of many curves, interpolated from the first to the last.
static const fa_colour many[] = {{0x44, 0x01, 0x54}, {0x3b, 0x52, 0x8b}, {0x21, 0x91, 0x8c},
                                 {0x50, 0xbe, 0x5a}, {0xd2, 0xaa, 0x14}, {0xd5, 0x4e, 0x00}};

typedef struct place { // of a panel's plot area
    double left, top, height;
    int    column;
} place;

typedef struct figure {
    const fa_plot *plot;
    fa_canvas     *canvas;
    fa_panels      panels;
    fa_scale       axis;
    fa_scale      *scale; // of each panel
    bool          *empty; // nothing finite in it
    place         *place;
    int            columns;
    double         plot_width, label_width[2], name_width[2]; // of each column
    double         width, height;
} figure;

// ---------------------------------------------------------------------------------------- ranges

static bool range_of(const fa_series *s, size_t n, double *low, double *high)
{
    for (size_t i = 0; i < n; i++) {
        double value = s->value[i * s->stride];
        if (!isfinite(value)) continue;
        if (value < *low) *low = value;
        if (value > *high) *high = value;
    }
    return *low <= *high;
}

static fa_colour colour_of(int i, int n)
{
    if (n <= FEW_CURVES) return few[i];
    const int pieces = sizeof many / sizeof *many - 1;
    double    at = (double)i / (n - 1) * pieces;
    int       k = (int)fmin(floor(at), pieces - 1);
    double    share = at - k;
    fa_colour a = many[k], b = many[k + 1];
    return (fa_colour){(uint8_t)(a.r + share * (b.r - a.r)), (uint8_t)(a.g + share * (b.g - a.g)),
                       (uint8_t)(a.b + share * (b.b - a.b))};
}

// ----------------------------------------------------------------------------------------- names

static double room_of(const figure *f, const char *text, double size)
{
    return f->canvas->slack * fa_glyphs_width(text, size);
}

// Returns the stride of the curves named in a panel: all, or every second, third …
static int names_step(const fa_panel *panel)
{
    return (panel->n + MOST_NAMES - 1) / MOST_NAMES;
}

static int names_of(const fa_panel *panel)
{
    return panel->part < 0 ? 0 : (panel->n - 1) / names_step(panel) + 1;
}

// A curve's name in its panel, its middle left out where it is too long for the margin.
static void name_of(const figure *f, const fa_panel *panel, int i, char text[], size_t size)
{
    const char *begin;
    size_t      n = fa_name_part(f->plot->series[panel->series[i]].name, panel->part, &begin);
    snprintf(text, size, "%.*s", (int)n, begin);
    char head[256];
    for (size_t keep = n; room_of(f, text, NAME_SIZE) > MOST_NAME_WIDTH && keep > 2; keep--) {
        snprintf(head, sizeof head, "%.*s", (int)(keep / 2), begin);
        snprintf(text, size, "%s\u2026%s", head, begin + n - (keep - keep / 2));
        text[strcspn(text, ".")] = 0;
    }
}

// In how many columns names stand beside a panel that is so many lines high.
static int name_columns(int names, double height)
{
    return names * LINE > height ? 2 : 1;
}

// ---------------------------------------------------------------------------------------- layout

static double widest_label(const figure *f, const fa_scale *scale)
{
    double widest = 0;
    for (int i = 0; i < scale->n; i++) {
        char text[FA_TICK_SIZE];
        fa_scale_label(scale, i, text);
        widest = fmax(widest, room_of(f, text, TICK_SIZE));
    }
    return widest;
}

static double usual_height(int panels)
{
    static const double heights[] = {340, 340, 230, 190};
    return panels < 4 ? heights[panels] : 160;
}

static void measure(figure *f, int i)
{
    const fa_panel *panel = &f->panels.of[i];
    place          *at = &f->place[i];
    double          low = INFINITY, high = -INFINITY;
    for (int k = 0; k < panel->n; k++)
        (void)range_of(&f->plot->series[panel->series[k]], f->plot->n, &low, &high);
    f->empty[i] = !(low <= high);
    if (f->empty[i]) low = high = 0;
    int names = names_of(panel);
    at->height = usual_height(f->panels.n);
    int lines = (names + 1) / 2; // in two columns
    at->height = fmax(at->height, lines * LINE);
    f->scale[i] = fa_scale_fit(low, high, 0.06, (int)(at->height / 36),
                               f->plot->series[panel->series[0]].unit);
    at->column = f->columns == 2 && i >= (f->panels.n + 1) / 2;
    double *label = &f->label_width[at->column], *name = &f->name_width[at->column];
    double  widest = 0;
    *label = fmax(*label, widest_label(f, &f->scale[i]));
    for (int k = 0; k < panel->n && names > 0; k += names_step(panel)) {
        char text[256];
        name_of(f, panel, k, text, sizeof text);
        widest = fmax(widest, SWATCH + room_of(f, text, NAME_SIZE));
    }
    *name = fmax(*name, (widest + GAP) * name_columns(names, at->height));
}

static void lay_out(figure *f)
{
    double low = INFINITY, high = -INFINITY, below[2];
    f->columns = f->panels.n > PANELS_IN_ONE_COLUMN ? 2 : 1;
    for (int i = 0; i < f->panels.n; i++) measure(f, i);
    f->width = f->columns == 1 ? WIDTH_OF_ONE : WIDTH_OF_TWO;
    double free_width = f->width - MARGIN * (f->columns + 1);
    for (int c = 0; c < f->columns; c++)
        free_width -= f->label_width[c] + GAP + GAP + f->name_width[c];
    f->plot_width = free_width / f->columns;

    if (!range_of(&f->plot->axis, f->plot->n, &low, &high)) low = high = 0;
    for (int about = (int)(f->plot_width / 70); about >= 1; about--) {
        f->axis = fa_scale_fit(low, high, 0, about, f->plot->axis.unit);
        double apart = f->axis.step / (f->axis.high - f->axis.low) * f->plot_width;
        if (widest_label(f, &f->axis) + 2 * GAP < apart) break;
    }
    below[0] = below[1] = f->plot->title ? TITLE + GAP : GAP;
    for (int i = 0; i < f->panels.n; i++) {
        place *at = &f->place[i];
        at->left = MARGIN + f->label_width[0] + GAP;
        if (at->column == 1)
            at->left += f->plot_width + GAP + f->name_width[0] + MARGIN + f->label_width[1] + GAP;
        at->top = below[at->column] + HEAD;
        below[at->column] = at->top + at->height + FOOT;
    }
    f->height = fmax(below[0], below[1]) + AXIS_NAME;
}

// --------------------------------------------------------------------------------------- drawing

static fa_type_style style_of(double size, fa_colour colour, fa_anchor anchor)
{
    return (fa_type_style){size, size >= HEAD_SIZE, anchor, colour};
}

static void write_text(const figure *f, double x, double y, const char *text, double size,
                       fa_colour colour, fa_anchor anchor)
{
    const fa_type_style style = style_of(size, colour, anchor);
    f->canvas->text(f->canvas, x, y, text, &style);
}

static void draw_axes(const figure *f, int i, const fa_mapping *map)
{
    const place    *at = &f->place[i];
    const fa_scale *y = &f->scale[i], *x = &f->axis;
    double          right = at->left + f->plot_width, bottom = at->top + at->height;
    char            text[FA_TICK_SIZE];
    for (int k = 0; k < x->n; k++) {
        double where = map->x_origin + map->x_scale * fa_scale_tick(x, k);
        fa_pen pen = {grid, 1, 0};
        f->canvas->line(f->canvas, where, at->top, where, bottom, &pen);
        fa_scale_label(x, k, text);
        write_text(f, where, bottom + 15, text, TICK_SIZE, faint, FA_AT_MIDDLE);
    }
    for (int k = 0; k < y->n && !f->empty[i]; k++) {
        double tick = fa_scale_tick(y, k), where = map->y_origin + map->y_scale * tick;
        fa_pen pen = {fabs(tick) < 1e-9 * y->step ? zero : grid, 1, 0};
        f->canvas->line(f->canvas, at->left, where, right, where, &pen);
        fa_scale_label(y, k, text);
        write_text(f, at->left - GAP, where + 4, text, TICK_SIZE, faint, FA_AT_END);
    }
    if (f->empty[i])
        write_text(f, 0.5 * (at->left + right), 0.5 * (at->top + bottom), "no finite number",
                   NAME_SIZE, faint, FA_AT_MIDDLE);
}

static void draw_head(const figure *f, int i)
{
    const place        *at = &f->place[i];
    const fa_panel     *panel = &f->panels.of[i];
    const fa_type_style head = style_of(HEAD_SIZE, ink, FA_AT_START);
    const fa_type_style unit = style_of(NAME_SIZE, faint, FA_AT_START);
    f->canvas->text_after(f->canvas, at->left, at->top - 9, panel->pattern, &head, GAP,
                          f->scale[i].unit, &unit);
}

static void draw_names(const figure *f, int i)
{
    const place    *at = &f->place[i];
    const fa_panel *panel = &f->panels.of[i];
    int             names = names_of(panel), columns = name_columns(names, at->height);
    int             lines = columns > 0 ? (names + columns - 1) / columns : 0;
    double          left = at->left + f->plot_width + GAP;
    for (int k = 0; k < names; k++) {
        int    curve = k * names_step(panel);
        double x = left + (columns == 2 && k >= lines ? 0.5 * f->name_width[at->column] : 0);
        double y = at->top + (k % lines + 0.5) * LINE;
        char   text[256];
        fa_pen pen = {colour_of(curve, panel->n), 2.5, 0};
        f->canvas->line(f->canvas, x + 2, y, x + SWATCH - 7, y, &pen);
        name_of(f, panel, curve, text, sizeof text);
        write_text(f, x + SWATCH, y + 4, text, NAME_SIZE, ink, FA_AT_START);
    }
}

static bool draw_curves(const figure *f, int i, const fa_mapping *map)
{
    const fa_panel *panel = &f->panels.of[i];
    fa_point       *point =
        malloc(fa_thin_room(f->plot->n, f->plot_width, f->canvas->per_pixel) * sizeof *point);
    if (!point) return false;
    for (int k = panel->n - 1; k >= 0; k--) { // the first ones on top
        const fa_series *series = &f->plot->series[panel->series[k]];
        fa_pen           pen = {colour_of(k, panel->n), panel->n <= FEW_CURVES ? 1.6 : 1.2,
                      f->plot->n <= DOTS_UP_TO ? 4.5 : 0};
        size_t           n = fa_thin(f->plot, series, map, f->canvas->per_pixel, point);
        if (n > 0) f->canvas->curve(f->canvas, point, n, &pen, series->name);
    }
    free(point);
    return true;
}

static bool draw_panel(const figure *f, int i)
{
    const place    *at = &f->place[i];
    const fa_scale *x = &f->axis, *y = &f->scale[i];
    fa_mapping      map;
    map.x_scale = f->plot_width / (x->high - x->low);
    map.x_origin = at->left - map.x_scale * x->low;
    map.y_scale = -at->height / (y->high - y->low);
    map.y_origin = at->top - map.y_scale * y->high;
    draw_axes(f, i, &map);
    draw_head(f, i);
    draw_names(f, i);
    return draw_curves(f, i, &map);
}

static bool draw(figure *f)
{
    char about[512];
    int  length = snprintf(about, sizeof about, "%s:", f->plot->title ? f->plot->title : "Plot");
    for (int i = 0; i < f->panels.n && length < (int)sizeof about; i++)
        length += snprintf(about + length, sizeof about - (size_t)length, "%s %s", i > 0 ? "," : "",
                           f->panels.of[i].pattern);
    if (!f->canvas->begin(f->canvas, f->width, f->height, about)) return false;
    if (f->plot->title) write_text(f, MARGIN, TITLE - 4, f->plot->title, 16, ink, FA_AT_START);
    for (int i = 0; i < f->panels.n; i++) {
        if (!draw_panel(f, i)) return false;
        bool last = i + 1 == f->panels.n || f->place[i + 1].column != f->place[i].column;
        if (!last) continue;
        char            text[160];
        const fa_scale *x = &f->axis;
        const place    *at = &f->place[i];
        snprintf(text, sizeof text, *x->unit ? "%s in %s" : "%s", f->plot->axis.name, x->unit);
        write_text(f, at->left + 0.5 * f->plot_width, at->top + at->height + FOOT + 10, text,
                   NAME_SIZE, faint, FA_AT_MIDDLE);
    }
    return true;
}

bool fa_figure_draw(const fa_plot *plot, fa_canvas *canvas)
{
    figure f = {.plot = plot, .canvas = canvas};
    bool   good = fa_panels_of(plot, &f.panels, NULL) == FA_OK;
    size_t n = (size_t)f.panels.n + 1;
    f.scale = calloc(n, sizeof *f.scale);
    f.empty = calloc(n, sizeof *f.empty);
    f.place = calloc(n, sizeof *f.place);
    good &= f.scale && f.empty && f.place;
    if (good) {
        lay_out(&f);
        good = draw(&f);
    }
    free(f.scale);
    free(f.empty);
    free(f.place);
    fa_panels_free(&f.panels);
    return good;
}
