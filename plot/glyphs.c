// Stroke font: polylines and advance widths.
#include "glyphs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Strokes of each character on a grid where capitals are 28 high, small letters 20, and the
// baseline is 0; y goes up. M x y begins a stroke and L x y goes on; E cx cy rx ry from to goes on
// along an ellipse between two angles in degrees, e begins a stroke there.
typedef struct glyph {
    unsigned    code;
    int         width;
    const char *path;
} glyph;

#define EM 39.1 // of the grid: capitals are 0.716 em high, as in the usual fonts

// clang-format off
static const glyph glyphs[] = {
    {' ', 11, ""},
    {'!', 11, "M 5 28 L 5 8 M 5 1 L 5 0"},
    {'"', 14, "M 4 28 L 4 21 M 10 28 L 10 21"},
    {'#', 22, "M 9 27 L 5 0 M 17 27 L 13 0 M 3 18 L 20 18 M 2 9 L 19 9"},
    {'$', 22, "e 11 20 7 6 35 270 E 11 8 7 6 90 -145 M 11 30 L 11 -2"},
    {'%', 34, "e 9 21 5 6 0 360 e 25 7 5 6 0 360 M 26 28 L 8 0"},
    {'&', 26, "M 24 0 L 8 19 E 12 23 5 5 220 -40 L 8 14 E 10 7 7 7 120 320 L 22 13"},
    {'\'', 8, "M 4 28 L 4 21"},
    {'(', 13, "e 16 11 12 19 120 240"},
    {')', 13, "e -3 11 12 19 60 -60"},
    {'*', 16, "M 8 28 L 8 16 M 3 25 L 13 19 M 13 25 L 3 19"},
    {'+', 23, "M 11 19 L 11 3 M 3 11 L 19 11"},
    {',', 11, "M 6 1 L 4 -5"},
    {'-', 13, "M 3 10 L 10 10"},
    {'.', 11, "M 5 1 L 5 0"},
    {'/', 12, "M 1 -2 L 11 29"},
    {'0', 22, "e 11 14 7 14 90 450"},
    {'1', 22, "M 5 23 L 12 28 L 12 0"},
    {'2', 22, "e 11 20 7 8 165 -32 L 4 0 L 18 0"},
    {'3', 22, "e 11 21 6 7 155 -90 M 9 14 L 11 14 E 11 7 7 7 90 -155"},
    {'4', 22, "M 15 0 L 15 28 L 3 8 L 20 8"},
    {'5', 22, "M 17 28 L 6 28 L 5 15 E 10 9 8 9 130 -145"},
    {'6', 22, "e 11 9 7 9 0 360 e 18 9 14 19 180 105"},
    {'7', 22, "M 4 28 L 18 28 L 8 0"},
    {'8', 22, "e 11 21 6 7 -90 270 e 11 7 7 7 90 450"},
    {'9', 22, "e 11 19 7 9 0 360 e 4 19 14 19 0 -75"},
    {':', 11, "M 5 17 L 5 16 M 5 1 L 5 0"},
    {';', 11, "M 6 17 L 6 16 M 6 1 L 4 -5"},
    {'<', 23, "M 19 19 L 4 11 L 19 3"},
    {'=', 23, "M 3 15 L 19 15 M 3 7 L 19 7"},
    {'>', 23, "M 4 19 L 19 11 L 4 3"},
    {'?', 20, "e 10 21 6 7 165 -45 L 10 12 L 10 8 M 10 1 L 10 0"},
    {'@', 36, "e 18 11 6 7 0 360 M 24 18 L 24 9 E 28 9 4 5 180 340 E 18 11 15 16 0 310"},
    {'A', 26, "M 2 0 L 13 28 L 24 0 M 6 10 L 20 10"},
    {'B', 26, "M 4 0 L 4 28 L 14 28 E 14 21 7 7 90 -90 L 4 14 M 14 14 L 15 14 E 15 7 8 7 90 -90 L 4 0"},
    {'C', 28, "e 15 14 12 14 45 315"},
    {'D', 28, "M 4 0 L 4 28 L 12 28 E 12 14 12 14 90 -90 L 4 0"},
    {'E', 26, "M 22 28 L 4 28 L 4 0 L 22 0 M 4 15 L 20 15"},
    {'F', 24, "M 21 28 L 4 28 L 4 0 M 4 15 L 18 15"},
    {'G', 30, "e 15 14 12 14 45 325 L 26 13 L 17 13"},
    {'H', 28, "M 4 0 L 4 28 M 24 0 L 24 28 M 4 15 L 24 15"},
    {'I', 11, "M 5 0 L 5 28"},
    {'J', 20, "M 15 28 L 15 8 E 9 8 6 8 0 -170"},
    {'K', 26, "M 4 0 L 4 28 M 22 28 L 4 10 M 10 16 L 23 0"},
    {'L', 22, "M 4 28 L 4 0 L 19 0"},
    {'M', 32, "M 4 0 L 4 28 L 16 4 L 28 28 L 28 0"},
    {'N', 28, "M 4 0 L 4 28 L 24 0 L 24 28"},
    {'O', 30, "e 15 14 12 14 0 360"},
    {'P', 26, "M 4 0 L 4 28 L 14 28 E 14 20 8 8 90 -90 L 4 12"},
    {'Q', 30, "e 15 14 12 14 0 360 M 19 7 L 27 -2"},
    {'R', 28, "M 4 0 L 4 28 L 14 28 E 14 20 8 8 90 -90 L 4 12 M 13 12 L 23 0"},
    {'S', 26, "e 13 21 8 7 35 270 E 13 7 9 7 90 -145"},
    {'T', 24, "M 2 28 L 22 28 M 12 28 L 12 0"},
    {'U', 28, "M 4 28 L 4 10 E 14 10 10 10 180 360 L 24 28"},
    {'V', 26, "M 2 28 L 13 0 L 24 28"},
    {'W', 36, "M 2 28 L 10 0 L 18 28 L 26 0 L 34 28"},
    {'X', 26, "M 3 28 L 23 0 M 23 28 L 3 0"},
    {'Y', 26, "M 2 28 L 13 13 L 24 28 M 13 13 L 13 0"},
    {'Z', 24, "M 3 28 L 21 28 L 3 0 L 21 0"},
    {'[', 12, "M 10 -6 L 4 -6 L 4 29 L 10 29"},
    {'\\', 12, "M 1 29 L 11 -2"},
    {']', 12, "M 2 -6 L 8 -6 L 8 29 L 2 29"},
    {'^', 20, "M 4 16 L 10 28 L 16 16"},
    {'_', 22, "M 0 -5 L 22 -5"},
    {'`', 13, "M 4 28 L 8 23"},
    {'a', 22, "e 11 14 6 6 155 0 L 17 0 M 17 12 L 9 11 E 9 5 6 5 90 270 L 10 0 E 10 7 7 7 270 360"},
    {'b', 22, "M 4 29 L 4 0 e 11 10 7 10 0 360"},
    {'c', 20, "e 11 10 8 10 45 315"},
    {'d', 22, "M 18 29 L 18 0 e 11 10 7 10 0 360"},
    {'e', 22, "M 4 11 L 18 11 E 11 10 7 10 5 315"},
    {'f', 12, "e 10 23 5 6 70 180 L 5 0 M 1 19 L 11 19"},
    {'g', 22, "e 11 10 7 10 0 360 M 18 20 L 18 0 E 11 -1 7 7 0 -150"},
    {'h', 22, "M 4 29 L 4 0 M 4 12 E 11 12 7 8 180 0 L 18 0"},
    {'i', 9, "M 4 20 L 4 0 M 4 28 L 4 27"},
    {'j', 10, "M 5 20 L 5 -3 E 1 -3 4 5 0 -90 M 5 28 L 5 27"},
    {'k', 20, "M 4 29 L 4 0 M 16 20 L 4 8 M 8 12 L 17 0"},
    {'l', 9, "M 4 29 L 4 0"},
    {'m', 32, "M 4 20 L 4 0 M 4 13 E 10 13 6 7 180 0 L 16 0 M 16 13 E 22 13 6 7 180 0 L 28 0"},
    {'n', 22, "M 4 20 L 4 0 M 4 12 E 11 12 7 8 180 0 L 18 0"},
    {'o', 22, "e 11 10 8 10 0 360"},
    {'p', 22, "M 4 20 L 4 -8 e 11 10 7 10 0 360"},
    {'q', 22, "M 18 20 L 18 -8 e 11 10 7 10 0 360"},
    {'r', 13, "M 4 20 L 4 0 M 4 11 E 12 11 8 9 180 90"},
    {'s', 20, "e 10 15 6 5 35 270 E 10 5 7 5 90 -145"},
    {'t', 12, "M 5 26 L 5 5 E 10 5 5 5 180 285 M 1 19 L 11 19"},
    {'u', 22, "M 4 20 L 4 8 E 11 8 7 8 180 360 M 18 20 L 18 0"},
    {'v', 20, "M 2 20 L 10 0 L 18 20"},
    {'w', 28, "M 2 20 L 8 0 L 14 20 L 20 0 L 26 20"},
    {'x', 20, "M 3 20 L 17 0 M 17 20 L 3 0"},
    {'y', 20, "M 2 20 L 10 0 M 18 20 L 9 -4 E 5 -4 4 4 0 -100"},
    {'z', 20, "M 3 20 L 17 20 L 3 0 L 17 0"},
    {'{', 13, "M 11 -6 L 9 -6 E 9 -3 3 3 270 180 L 6 8 L 3 11 L 6 14 L 6 26 E 9 26 3 3 180 90 L 11 29"},
    {'|', 11, "M 5 29 L 5 -6"},
    {'}', 13, "M 2 -6 L 4 -6 E 4 -3 3 3 270 360 L 7 8 L 10 11 L 7 14 L 7 26 E 4 26 3 3 0 90 L 2 29"},
    {'~', 23, "e 7 9 4 4 180 0 E 15 11 4 4 180 360"},
    {0xb0, 16, "e 8 23 4 5 0 360"},               // degree
    {0xb1, 23, "M 11 21 L 11 7 M 3 14 L 19 14 M 3 1 L 19 1"},
    {0xb7, 11, "M 5 11 L 5 10"},                  // middle dot
    {0xb5, 22, "M 4 20 L 4 -8 M 4 8 E 11 8 7 8 180 360 M 18 20 L 18 0"}, // micro
    {0xd7, 23, "M 5 17 L 17 5 M 17 17 L 5 5"},    // times
    {0x2126, 30, "M 4 0 L 11 0 L 11 3 E 15 16 12 12 250 -70 L 19 0 L 26 0"}, // ohm
    {0x2212, 23, "M 3 11 L 19 11"},               // minus
    {0x2026, 33, "M 5 1 L 5 0 M 16 1 L 16 0 M 27 1 L 27 0"}, // ellipsis
};
// clang-format on

static const glyph unknown = {0, 18, "M 3 0 L 15 0 L 15 24 L 3 24 L 3 0"};

// Raised figures are figures, smaller.
#define RAISED_SIZE 0.62
#define RAISED_BY   11.0

static unsigned figure_of_raised(unsigned code)
{
    switch (code) {
    case 0xb9:
        return '1';
    case 0xb2:
        return '2';
    case 0xb3:
        return '3';
    case 0x207b:
        return 0x2212;
    default:
        return code == 0x2070 || (code >= 0x2074 && code <= 0x2079) ? '0' + code - 0x2070 : 0;
    }
}

// The letters of Latin-1, from 0xc0 on, without their accents.
static const char plain[] = "AAAAAAACEEEEIIIIDNOOOOO\0OUUUUYTsaaaaaaaceeeeiiiidnooooo\0ouuuuyty";

static const glyph *find(unsigned code)
{
    if (code == 0x3a9) code = 0x2126; // the letter for the sign
    if (code >= 0xc0 && code <= 0xff && plain[code - 0xc0])
        code = (unsigned char)plain[code - 0xc0];
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].code == code) return &glyphs[i];
    return &unknown;
}

unsigned fa_utf8_next(const char *text, size_t *bytes)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t               more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0 ? 1 : 0;
    unsigned             code = more == 0 ? t[0] : t[0] & (0x3fu >> more);
    *bytes = 1;
    for (size_t i = 1; i <= more; i++) {
        if ((t[i] & 0xc0) != 0x80) return 0xfffd;
        code = code << 6 | (t[i] & 0x3f);
    }
    *bytes = 1 + more;
    return code;
}

// -------------------------------------------------------------------------------------- strokes

typedef struct tracer {
    double        x, y, unit; // of the page: the glyph's origin, and one of its units
    double        at_x, at_y; // the pen, in units
    fa_stroke_fn *stroke;
    void         *context;
} tracer;

static void move_to(tracer *t, double x, double y)
{
    t->at_x = x;
    t->at_y = y;
}

static void line_to(tracer *t, double x, double y)
{
    t->stroke(t->context, t->x + t->unit * t->at_x, t->y - t->unit * t->at_y, t->x + t->unit * x,
              t->y - t->unit * y);
    move_to(t, x, y);
}

static void arc(tracer *t, const long v[6], bool begins)
{
    const double degree = 3.14159265358979323846 / 180;
    int          n = (int)(labs(v[5] - v[4]) / 12 + 1); // pieces of at most 12 degrees
    for (int i = 0; i <= n; i++) {
        double angle = degree * ((double)v[4] + (double)(v[5] - v[4]) * i / n);
        double x = (double)v[0] + (double)v[2] * cos(angle);
        double y = (double)v[1] + (double)v[3] * sin(angle);
        if (i == 0 && begins)
            move_to(t, x, y);
        else
            line_to(t, x, y);
    }
}

static void trace(tracer *t, const char *path)
{
    while (*path) {
        char  command = *path++;
        int   n = command == 'E' || command == 'e' ? 6 : 2;
        long  v[6] = {0};
        char *end;
        for (int i = 0; i < n; i++, path = end) v[i] = strtol(path, &end, 10);
        if (command == 'M')
            move_to(t, (double)v[0], (double)v[1]);
        else if (command == 'L')
            line_to(t, (double)v[0], (double)v[1]);
        else
            arc(t, v, command == 'e');
        path += *path == ' ';
    }
}

void fa_glyphs_trace(const char *text, double x, double y, double size, fa_stroke_fn *stroke,
                     void *context)
{
    double unit = size / EM;
    for (size_t bytes; *text; text += bytes) {
        unsigned     code = fa_utf8_next(text, &bytes), figure = figure_of_raised(code);
        const glyph *g = find(figure ? figure : code);
        double       shrink = figure ? RAISED_SIZE : 1;
        tracer t = {x, figure ? y - RAISED_BY * unit : y, shrink * unit, 0, 0, stroke, context};
        trace(&t, g->path);
        x += g->width * shrink * unit;
    }
}

double fa_glyphs_width(const char *text, double size)
{
    double width = 0;
    for (size_t bytes; *text; text += bytes) {
        unsigned code = fa_utf8_next(text, &bytes), figure = figure_of_raised(code);
        width += find(figure ? figure : code)->width * (figure ? RAISED_SIZE : 1) * size / EM;
    }
    return width;
}
