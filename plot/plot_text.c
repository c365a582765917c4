// Plots for terminals: one panel below the other, curves as characters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "panels.h"
#include "plot.h"
#include "scale.h"
#include "streams.h"
#include "thin.h"

enum { ROWS = 13, LABEL = 10, LEAST_WIDTH = 30 };

static const char marks[] = "*o+x#@%&=~";

static char mark_of(int i)
{
    return marks[i % (int)(sizeof marks - 1)];
}

// ASCII replacements of the few other characters in scales, for all terminals.
static void put_ascii(FILE *out, const char *text, int width)
{
    static const char *const known[][2] = {
        {"\u2212", "-"}, {"\u00b7", "."},   {"\u00b2", "2"}, {"\u00b3", "3"},
        {"\u00b5", "u"}, {"\u2126", "Ohm"}, {"\u00d7", "x"}, {"\u207b", "-"},
        {"\u2070", "0"}, {"\u00b9", "1"},   {"\u2074", "4"}, {"\u2075", "5"},
        {"\u2076", "6"}, {"\u2077", "7"},   {"\u2078", "8"}, {"\u2079", "9"}};
    char   plain[256] = "";
    size_t length = 0;
    while (*text && length + 4 < sizeof plain) {
        size_t i = 0, n = sizeof known / sizeof *known;
        while (i < n && strncmp(text, known[i][0], strlen(known[i][0])) != 0) i++;
        if (i < n) {
            // Separates a power of ten from the number before it.
            if (strncmp(text, "\u00d710", 4) == 0) {
                length += (size_t)snprintf(plain + length, 5, "x10^");
                text += 4;
                continue;
            }
            length += (size_t)snprintf(plain + length, 4, "%s", known[i][1]);
            text += strlen(known[i][0]);
        } else {
            plain[length++] = *text++;
        }
    }
    plain[length] = 0;
    fprintf(out, "%*s", width, plain);
}

typedef struct sheet {
    char  *cell; // ROWS lines of `width`, and behind them two and a number's for the axis
    int    width;
    double low, high;
} sheet;

static void set(sheet *s, int column, double y, char mark)
{
    int row = (int)floor((s->high - y) / (s->high - s->low) * (ROWS - 1) + 0.5);
    if (column >= 0 && column < s->width && row >= 0 && row < ROWS)
        s->cell[row * s->width + column] = mark;
}

static void draw_curve(sheet *s, const fa_plot *plot, const fa_series *series, const fa_scale *axis,
                       char mark)
{
    for (size_t i = 0; i < plot->n; i++) {
        double x = plot->axis.value[i * plot->axis.stride], y = series->value[i * series->stride];
        if (!isfinite(x) || !isfinite(y)) continue;
        double share = (x - axis->low) / (axis->high - axis->low);
        set(s, (int)floor(share * (s->width - 1) + 0.5), y, mark);
    }
}

static void put_sheet(FILE *out, const sheet *s, const fa_scale *scale)
{
    for (int row = 0; row < ROWS; row++) {
        int named = -1;
        for (int k = 0; k < scale->n; k++) {
            double y = fa_scale_tick(scale, k);
            if ((int)floor((s->high - y) / (s->high - s->low) * (ROWS - 1) + 0.5) == row) named = k;
        }
        char text[FA_TICK_SIZE] = "";
        if (named >= 0) fa_scale_label(scale, named, text);
        put_ascii(out, text, LABEL);
        int length = s->width;
        while (length > 0 && s->cell[row * s->width + length - 1] == ' ') length--;
        fprintf(out, " %c%.*s\n", named >= 0 ? '+' : '|', length, &s->cell[row * s->width]);
    }
}

static void put_axis(FILE *out, const fa_plot *plot, const fa_scale *axis, const sheet *s)
{
    const int width = s->width;
    char     *ticks = s->cell + ROWS * width, *line = ticks + width;
    memset(line, ' ', (size_t)width + FA_TICK_SIZE);
    memset(ticks, '-', (size_t)width);
    int used = 0;
    for (int k = 0; k < axis->n; k++) {
        double share = (fa_scale_tick(axis, k) - axis->low) / (axis->high - axis->low);
        int    column = (int)floor(share * (width - 1) + 0.5);
        char   text[FA_TICK_SIZE], *minus;
        fa_scale_label(axis, k, text);
        while ((minus = strstr(text, "\u2212"))) {
            *minus = '-';
            memmove(minus + 1, minus + 3, strlen(minus + 3) + 1);
        }
        int n = (int)strlen(text), from = column - n / 2;
        if (from < 0) from = 0;
        if (from + n > width) from = width - n;
        if (column < 0 || column >= width || from < used) continue;
        ticks[column] = '+';
        memcpy(line + from, text, (size_t)n);
        used = from + n + 2;
    }
    int length = width;
    while (length > 0 && line[length - 1] == ' ') length--;
    fprintf(out, "%*s +%.*s\n%*s  %.*s\n", LABEL, "", width, ticks, LABEL, "", length, line);
    fprintf(out, "%*s  %s", LABEL, "", plot->axis.name);
    if (*axis->unit) {
        fputs(" in ", out);
        put_ascii(out, axis->unit, 0);
    }
    fputc('\n', out);
}

static void put_panel(FILE *out, sheet *s, const fa_plot *plot, const fa_panel *panel,
                      const fa_scale *axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < plot->n; i++) {
            const fa_series *series = &plot->series[panel->series[k]];
            double           value = series->value[i * series->stride];
            if (isfinite(value)) low = fmin(low, value), high = fmax(high, value);
        }
    bool     empty = !(low <= high);
    fa_scale scale =
        fa_scale_fit(empty ? 0 : low, empty ? 0 : high, 0, 4, plot->series[panel->series[0]].unit);
    s->low = scale.low;
    s->high = scale.high;
    memset(s->cell, ' ', ROWS * (size_t)s->width);
    for (int k = panel->n - 1; k >= 0; k--)
        draw_curve(s, plot, &plot->series[panel->series[k]], axis, mark_of(k));
    fprintf(out, "%s", panel->pattern);
    if (*scale.unit) {
        fputs(" in ", out);
        put_ascii(out, scale.unit, 0);
    }
    fputs(empty ? " (no finite number)\n" : "\n", out);
    put_sheet(out, s, &scale);
    put_axis(out, plot, axis, s);
    for (int k = 0; k < panel->n && panel->part >= 0; k++) {
        const char *name;
        size_t      n = fa_name_part(plot->series[panel->series[k]].name, panel->part, &name);
        fprintf(out, "%*s  %c %.*s\n", LABEL, "", mark_of(k), (int)n, name);
    }
}

fa_status fa_plot_text(const fa_plot *plot, int width, char **text, fa_error *error)
{
    fa_panels panels;
    fa_status status = fa_panels_of(plot, &panels, error);
    if (status != FA_OK) {
        fa_panels_free(&panels);
        return status;
    }
    sheet  s = {.width = (width > LEAST_WIDTH ? width : LEAST_WIDTH) - LABEL - 3};
    size_t size = 0;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < plot->n; i++) {
        double x = plot->axis.value[i * plot->axis.stride];
        if (isfinite(x)) low = fmin(low, x), high = fmax(high, x);
    }
    fa_scale axis = fa_scale_fit(low <= high ? low : 0, low <= high ? high : 0, 0, s.width / 12,
                                 plot->axis.unit);
    s.cell = malloc((ROWS + 2) * (size_t)s.width + FA_TICK_SIZE);
    FILE *out = fa_text_open(text, &size);
    for (int i = 0; i < panels.n && s.cell && out; i++) {
        if (i > 0) fputc('\n', out);
        put_panel(out, &s, plot, &panels.of[i], &axis);
    }
    const bool good = out && fa_text_close(out) && s.cell;
    free(s.cell);
    fa_panels_free(&panels);
    if (good) return FA_OK;
    if (out) free(*text);
    *text = NULL;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the plot");
}
