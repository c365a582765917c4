// Plots: round numbers, what shares a panel, and curves that lose nothing one could see.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "glyphs.h"
#include "panels.h"
#include "plot.h"
#include "raster.h"
#include "scale.h"
#include "thin.h"

static double drawn(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

// ------------------------------------------------------------------------------------------ scales

// The number that a label stands for: its digits, the prefix or power of ten in the unit, the
// offset.
static double read_label(const fa_scale *scale, int i)
{
    char text[FA_TICK_SIZE], plain[FA_TICK_SIZE] = "";
    fa_scale_label(scale, i, text);
    const char *minus = "\u2212";
    bool        negative = strncmp(text, minus, 3) == 0;
    strcpy(plain, text + (negative ? 3 : 0));
    return scale->offset + (negative ? -1 : 1) * atof(plain) * pow(10, scale->power);
}

static void numbers_beside_an_axis_say_where_they_stand(void **state)
{
    (void)state;
    static const char *const units[] = {"rad", "Pa", "kg", "m3/s", "", "s"};
    uint64_t                 seed = 1;
    for (int trial = 0; trial < 20000; trial++) {
        double   size = pow(10, drawn(&seed, -12, 12)), middle = drawn(&seed, -1, 1) * size;
        double   range = size * pow(10, drawn(&seed, -9, 0));
        double   low = middle - range, high = middle + range;
        fa_scale s = fa_scale_fit(low, high, 0.05, 2 + trial % 9, units[trial % 6]);
        assert_true(s.low <= low && s.high >= high && s.n >= 1 && s.n <= FA_TICKS);
        for (int i = 0; i < s.n; i++) {
            double tick = fa_scale_tick(&s, i);
            assert_true(tick >= s.low - 1e-6 * s.step && tick <= s.high + 1e-6 * s.step);
            // What rounding leaves of numbers of this size, and no half of a label's last digit.
            double slack = 1e-15 * size + 1e-6 * s.step;
            if (fabs(read_label(&s, i) - tick) > slack) {
                char text[FA_TICK_SIZE];
                fa_scale_label(&s, i, text);
                fail_msg("%.17g in %s is labelled %s", tick, s.unit, text);
            }
        }
    }
}

// Ranges at the end of what a double holds have labels too, with fewer digits.
static void extreme_ranges_have_labels(void **state)
{
    (void)state;
    static const double ends[][2] = {
        {-1e308, 1e308}, {-1e300, 5e299}, {1e307, 1.0000000001e307}, {-1e-300, 1e-300}};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        fa_scale s = fa_scale_fit(ends[k][0], ends[k][1], 0.05, 5, "N");
        for (int i = 0; i < s.n; i++) {
            char text[FA_TICK_SIZE];
            fa_scale_label(&s, i, text);
            assert_true(strlen(text) > 0 && !strstr(text, "inf") && !strstr(text, "nan"));
        }
    }
}

static void labels_are_short_and_units_take_their_prefixes(void **state)
{
    (void)state;
    static const struct {
        double      low, high;
        const char *unit, *shown, *first, *last;
    } rows[] = {
        {0, 1, "rad", "rad", "0", "1.0"},
        {-3e7, 2e7, "Pa", "MPa", "\u221230", "20"},
        {0, 4e-9, "N.m", "nN\u00b7m", "0", "4"},
        {0, 2e-5, "m3/s", "\u00d710\u207b\u2075 m\u00b3/s", "0", "2.0"},
        {0, 5e6, "kg", "\u00d710\u2076 kg", "0", "5"},
        {0, 36000, "s", "s", "0", "30000"},
        {1e6, 1e6 + 1e-3, "Pa", "+ 1000000 Pa, mPa", "0", "1.0"},
        {0, 20000, "1/s2", "\u00d710\u2074 1/s\u00b2", "0", "2.0"},
        {0, 0.004, "", "", "0", "0.004"},
        {0, 2500, "Ohm", "\u2126", "0", "2500"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char     text[FA_TICK_SIZE];
        fa_scale s = fa_scale_fit(rows[k].low, rows[k].high, 0, 5, rows[k].unit);
        assert_string_equal(s.unit, rows[k].shown);
        fa_scale_label(&s, 0, text);
        assert_string_equal(text, rows[k].first);
        fa_scale_label(&s, s.n - 1, text);
        assert_string_equal(text, rows[k].last);
    }
}

static void a_constant_lies_in_the_middle(void **state)
{
    (void)state;
    static const double values[] = {0, 7, -5, 1e-300, 1e300, 3e-9};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        double   v = values[k];
        fa_scale s = fa_scale_fit(v, v * (1 + 1e-15), 0.05, 5, "N");
        assert_true(fabs(0.5 * s.low + 0.5 * s.high - v) <= 1e-9 * (s.high - s.low));
        assert_true(s.low < v && v < s.high && s.n >= 2);
    }
}

// ------------------------------------------------------------------------------------------ panels

static fa_plot plot_of(const fa_series series[], int n)
{
    static const double zero = 0;
    return (fa_plot){
        .axis = {"time", "s", &zero, 1, false, false}, .n = 0, .n_series = n, .series = series};
}

static void curves_share_a_panel_if_unit_and_kind_are_one(void **state)
{
    (void)state;
    static const fa_series series[] = {
        {.name = "joint.elbow.torque", .unit = "N.m"},
        {.name = "joint.wrist.torque", .unit = "N.m"},
        {.name = "joint.elbow.friction_torque", .unit = "N.m"},
        {.name = "joint.wrist.friction_torque", .unit = "N.m"},
        {.name = "joint.elbow.position", .unit = "rad"},
        {.name = "joint.slide.position", .unit = "m"},
        {.name = "joint.wrist.position", .unit = "rad"},
        {.name = "energy.kinetic", .unit = "J"},
        {.name = "energy.potential", .unit = "J"},
        {.name = "energy.residual", .unit = "J", .apart = true},
        {.name = "link1.angle", .unit = "rad"},
        {.name = "link2.angle", .unit = "rad"},
        {.name = "x", .unit = "m"},
        {.name = "y", .unit = "m"},
    };
    static const struct {
        const char *pattern;
        int         n;
    } expected[] = {{"joint.*.torque", 2},   {"joint.*.friction_torque", 2},
                    {"joint.*.position", 2}, {"joint.slide.position", 1},
                    {"energy.*", 2},         {"energy.residual", 1},
                    {"link*.angle", 2},      {"x, y", 2}};
    fa_plot   plot = plot_of(series, sizeof series / sizeof *series);
    fa_panels panels;
    assert_int_equal(fa_panels_of(&plot, &panels, NULL), FA_OK);
    assert_int_equal(panels.n, sizeof expected / sizeof *expected);
    for (int i = 0; i < panels.n; i++) {
        assert_string_equal(panels.of[i].pattern, expected[i].pattern);
        assert_int_equal(panels.of[i].n, expected[i].n);
    }
    fa_panels_free(&panels);
}

// ---------------------------------------------------------------------------------------- thinning

enum { MANY = 200000, WIDTH = 600 };

typedef struct curve {
    double   *t, *y;
    fa_point *point;
    size_t    n;
} curve;

static curve noisy_curve(size_t n, uint64_t seed)
{
    curve c = {malloc(n * sizeof(double)), malloc(n * sizeof(double)), NULL, 0};
    assert_true(c.t && c.y);
    double t = 0;
    for (size_t i = 0; i < n; i++) {
        c.t[i] = t;
        c.y[i] = sin(5 * t) + (i % 7919 == 0 ? drawn(&seed, -9, 9) : drawn(&seed, -0.1, 0.1));
        t += drawn(&seed, 0, 2.0 / (double)n);
    }
    return c;
}

static void thin(curve *c, size_t n, bool held)
{
    fa_series  series = {"y", "", c->y, 1, held, false};
    fa_plot    plot = {.axis = {"time", "s", c->t, 1, false, false}, .n = n};
    fa_mapping map = {10, WIDTH / c->t[n - 1], 200, -20};
    size_t     room = fa_thin_room(n, WIDTH, 1);
    c->point = malloc(room * sizeof *c->point);
    assert_non_null(c->point);
    c->n = fa_thin(&plot, &series, &map, 1, c->point);
    assert_true(c->n <= room);
}

static void release(curve *c)
{
    free(c->t);
    free(c->y);
    free(c->point);
}

static void a_thinned_curve_reaches_as_high_and_as_low_in_every_pixel(void **state)
{
    (void)state;
    double low[WIDTH + 12], high[WIDTH + 12];
    curve  c = noisy_curve(MANY, 5);
    thin(&c, MANY, false);
    assert_true(c.n < 5 * (WIDTH + 2));
    for (int k = 0; k < WIDTH + 12; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (size_t i = 0; i < c.n; i++) {
        int k = (int)floor(c.point[i].x);
        low[k] = fmin(low[k], c.point[i].y);
        high[k] = fmax(high[k], c.point[i].y);
    }
    for (size_t i = 0; i < MANY; i++) {
        double y = 200 - 20 * c.y[i];
        int    k = (int)floor(10 + WIDTH / c.t[MANY - 1] * c.t[i]);
        assert_true(y >= low[k] - 0.05 &&
                    y <= high[k] + 0.05); // a twentieth of a pixel is invisible
    }
    release(&c);
}

// Height of the thinned curve at x, where it is no upright line.
static double height_at(const curve *c, double x)
{
    for (size_t i = 1; i < c->n; i++) {
        fa_point a = c->point[i - 1], b = c->point[i];
        if (a.x <= x && x <= b.x && b.x > a.x) return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
    }
    return NAN;
}

static void a_smooth_curve_keeps_few_points_and_its_shape(void **state)
{
    (void)state;
    enum { N = 2000 };
    curve c = {malloc(N * sizeof(double)), malloc(N * sizeof(double)), NULL, 0};
    assert_true(c.t && c.y);
    for (int i = 0; i < N; i++) c.t[i] = i, c.y[i] = i < N / 2 ? sin(0.01 * i) : 0.3;
    thin(&c, N, false);
    assert_true(c.n < 300);
    for (int i = 0; i < N; i++) {
        if (abs(i - N / 2) < 4) continue; // the jump
        double x = 10 + (double)WIDTH / (N - 1) * i;
        // A twentieth of a pixel, and what the sine bends between samples of one pixel.
        assert_true(fabs(height_at(&c, x) - (200 - 20 * c.y[i])) < 0.1);
    }
    release(&c);
}

static void gaps_stay_gaps_and_steps_steps(void **state)
{
    (void)state;
    static const double y[] = {1, NAN, 2, 2, INFINITY, NAN, 5, 4};
    curve               c = {malloc(sizeof y), malloc(sizeof y), NULL, 0};
    assert_true(c.t && c.y);
    memcpy(c.y, y, sizeof y);
    for (int i = 0; i < 8; i++) c.t[i] = i;
    thin(&c, 8, true);
    static const double expected[][2] = {{0, 1},   {NAN, 0}, {2, 2}, {3, 2},
                                         {NAN, 0}, {6, 5},   {7, 5}, {7, 4}};
    assert_int_equal(c.n, 8);
    for (size_t i = 0; i < c.n; i++) {
        assert_int_equal(isnan(c.point[i].x), isnan(expected[i][0]));
        if (isnan(c.point[i].x)) continue;
        assert_true(fabs(c.point[i].x - (10 + WIDTH / 7.0 * expected[i][0])) < 1e-9);
        assert_true(fabs(c.point[i].y - (200 - 20 * expected[i][1])) < 1e-9);
    }
    release(&c);
}

static void a_curve_of_nothing_but_gaps_fits_its_room(void **state)
{
    (void)state;
    curve c = noisy_curve(MANY, 8);
    for (size_t i = 0; i < MANY; i += 2) c.y[i] = NAN;
    thin(&c, MANY, true);
    release(&c);
    c = noisy_curve(MANY, 9);
    for (size_t i = 0; i < MANY; i++) c.y[i] = NAN;
    thin(&c, MANY, true);
    assert_true(c.n <= 1);
    release(&c);
}

// ------------------------------------------------------------------------------------------ pixels

static void a_line_covers_as_much_as_it_is_long_and_wide(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        fa_raster r;
        assert_true(fa_raster_new(120, 90, &r));
        double x1 = drawn(&seed, 20, 100), y1 = drawn(&seed, 20, 70), x2 = drawn(&seed, 20, 100);
        double y2 = drawn(&seed, 20, 70), width = drawn(&seed, 1, 9), sum = 0;
        fa_raster_line(&r, x1, y1, x2, y2, width);
        fa_raster_line(&r, x2, y2, x1, y1, width); // once more: no seam, no darker edge
        fa_raster_paint(&r, (uint8_t[]){1, 2, 3});
        for (int i = 0; i < 120 * 90; i++) sum += r.pixel[4 * i + 3] / 255.0;
        double area = width * hypot(x2 - x1, y2 - y1) + 3.14159265358979 * width * width / 4;
        // Coverage is taken from the distance to the pixel's middle: good to some percent.
        assert_true(fabs(sum - area) < 0.03 * area + 1);
        fa_raster_free(&r);
    }
}

typedef struct box {
    double left, right, top, bottom, sum;
    int    n;
} box;

static void grow(void *context, double x1, double y1, double x2, double y2)
{
    box *b = context;
    b->left = fmin(b->left, fmin(x1, x2));
    b->right = fmax(b->right, fmax(x1, x2));
    b->top = fmin(b->top, fmin(y1, y2));
    b->bottom = fmax(b->bottom, fmax(y1, y2));
    b->sum += (x1 + 2 * x2) * (y1 + 3 * y2 + 1);
    b->n++;
}

static void every_letter_has_a_shape_of_its_own_within_its_width(void **state)
{
    (void)state;
    double shape[128];
    for (int code = '!'; code <= '~'; code++) {
        char text[] = {(char)code, 0};
        box  b = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0};
        fa_glyphs_trace(text, 0, 0, 100, grow, &b);
        double width = fa_glyphs_width(text, 100);
        if (!(b.n > 0 && b.left >= -1 && b.right <= width + 1 && b.top > -80 && b.bottom < 30))
            fail_msg("%c reaches from %g to %g and from %g to %g", code, b.left, b.right, b.top,
                     b.bottom);
        shape[code] = b.sum;
        for (int other = '!'; other < code; other++)
            if (fabs(shape[other] - b.sum) < 1e-6) fail_msg("%c and %c look alike", other, code);
    }
    box unknown = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0};
    fa_glyphs_trace("\u4e2d\xff", 0, 0, 100, grow, &unknown);
    assert_int_equal(unknown.n, 8); // two boxes
}

// -------------------------------------------------------------------------------------------- text

static void a_terminal_shows_the_curve_between_its_numbers(void **state)
{
    (void)state;
    static const double t[] = {0, 1, 2, 3, 4}, a[] = {0, 1, 2, 3, 4}, b[] = {4, 4, 4, 4, 4};
    const fa_series     series[] = {{"joint.a.position", "rad", a, 1, false, false},
                                    {"joint.b.position", "rad", b, 1, false, false}};
    fa_plot             plot = {
                    .axis = {"time", "s", t, 1, false, false}, .n = 5, .n_series = 2, .series = series};
    char *text;
    assert_int_equal(fa_plot_text(&plot, 54, &text, NULL), FA_OK);
    const char *expected = "joint.*.position in rad\n"
                           "         4 +o         o         o         o         *\n"
                           "           |\n"
                           "           |\n"
                           "         3 +                              *\n"
                           "           |\n"
                           "           |\n"
                           "         2 +                    *\n"
                           "           |\n"
                           "           |\n"
                           "         1 +          *\n"
                           "           |\n"
                           "           |\n"
                           "         0 +*\n"
                           "           ++---------+---------+---------+---------+\n"
                           "            0         1         2         3         4\n"
                           "            time in s\n"
                           "            * a\n"
                           "            o b\n";
    assert_string_equal(text, expected);
    free(text);
}

static void files_are_named_svg_or_png(void **state)
{
    (void)state;
    fa_plot_format format;
    fa_error       error = fa_no_error();
    assert_int_equal(fa_plot_format_of("a.b/c.SVG", &format, &error), FA_OK);
    assert_int_equal(format, FA_PLOT_SVG);
    assert_int_equal(fa_plot_format_of("c.png", &format, &error), FA_OK);
    assert_int_equal(format, FA_PLOT_PNG);
    assert_int_equal(fa_plot_format_of("a.svg/c", &format, &error), FA_UNFIT);
    assert_string_equal(error.message,
                        "'a.svg/c' has no ending; a plot's file is named .svg or .png");
    assert_int_equal(fa_plot_format_of("c.pdf", &format, &error), FA_UNFIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_beside_an_axis_say_where_they_stand),
        cmocka_unit_test(labels_are_short_and_units_take_their_prefixes),
        cmocka_unit_test(extreme_ranges_have_labels),
        cmocka_unit_test(a_constant_lies_in_the_middle),
        cmocka_unit_test(curves_share_a_panel_if_unit_and_kind_are_one),
        cmocka_unit_test(a_thinned_curve_reaches_as_high_and_as_low_in_every_pixel),
        cmocka_unit_test(a_smooth_curve_keeps_few_points_and_its_shape),
        cmocka_unit_test(gaps_stay_gaps_and_steps_steps),
        cmocka_unit_test(a_curve_of_nothing_but_gaps_fits_its_room),
        cmocka_unit_test(a_line_covers_as_much_as_it_is_long_and_wide),
        cmocka_unit_test(every_letter_has_a_shape_of_its_own_within_its_width),
        cmocka_unit_test(a_terminal_shows_the_curve_between_its_numbers),
        cmocka_unit_test(files_are_named_svg_or_png),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
