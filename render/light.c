// Draws a moment on its stage: triangles with a depth buffer at two by two samples for each pixel,
// light from the sun, the sky and the ground, and soft shadows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stage.h"

enum { SAMPLES = 2, TONES = 1024 };

typedef struct look {
    const char *sky[3], *line;
    double sun, near; // darkness of the sun's shadow, and of that beneath what is near the ground
} look;

static const look LOOKS[2] = {
    {{"#fbfcfd", "#e9eef3", "#dce3ea"}, "#8d99a8", 0.24, 0.5},
    {{"#34404d", "#1e252e", "#14191f"}, "#8fa1b6", 0.55, 0.8},
};

static const fa_vec3 SUN = {-0.45, -0.75, 1.9}; // towards it; not of length 1

static void rgb_of(const char *colour, double rgb[3])
{
    const unsigned long bits = strtoul(colour + 1, NULL, 16);
    for (int i = 0; i < 3; i++) rgb[i] = (double)(bits >> (8 * (2 - i)) & 255);
}

static fa_vec3 unit(fa_vec3 v)
{
    return vec3_scale(1 / vec3_norm(v), v);
}

// -------------------------------------------------------------------------------------- the ground

typedef struct sheet {
    const fa_stage *stage;
    const look     *look;
    fa_camera       camera;
    float          *colour; // of the background, three for each pixel, 0 to 255
} sheet;

static void blend(float *colour, const double rgb[3], double share)
{
    for (int i = 0; i < 3; i++) colour[i] += (float)((rgb[i] - colour[i]) * share);
}

// A gradient around a place somewhat above the middle.
static void draw_sky(sheet *s)
{
    const int w = s->stage->width, h = s->stage->height;
    double    sky[3][3];
    for (int i = 0; i < 3; i++) rgb_of(s->look->sky[i], sky[i]);
    for (int row = 0; row < h; row++)
        for (int column = 0; column < w; column++) {
            const double x = ((column + 0.5) / w - 0.5) / 1.2, y = ((row + 0.5) / h - 0.38) / 0.9;
            const double r = fmin(1, hypot(x, y));
            const int    piece = r < 0.45 ? 0 : 1;
            const double t = piece == 0 ? r / 0.45 : (r - 0.45) / 0.55;
            for (int i = 0; i < 3; i++)
                s->colour[3 * ((size_t)row * (size_t)w + (size_t)column) + (size_t)i] =
                    (float)(sky[piece][i] + t * (sky[piece + 1][i] - sky[piece][i]));
        }
}

// A line of the ground, with smooth edges.
static void draw_line(sheet *s, fa_spot a, fa_spot b, const double rgb[3], double share)
{
    const int    w = s->stage->width, h = s->stage->height;
    const double half = 0.4, reach = half + 0.5, dx = b.x - a.x, dy = b.y - a.y;
    const double square = dx * dx + dy * dy;
    if (!(square > 0)) return;
    const int top = (int)fmax(0, fmin(a.y, b.y) - reach);
    const int bottom = (int)fmin(h - 1, fmax(a.y, b.y) + reach);
    for (int row = top; row <= bottom; row++) {
        double y = row + 0.5, from = fmin(a.x, b.x), to = fmax(a.x, b.x);
        if (fabs(dy) > reach) { // the part of the line that comes near this row
            const double t1 = fmin(1, fmax(0, (y - reach - a.y) / dy));
            const double t2 = fmin(1, fmax(0, (y + reach - a.y) / dy));
            from = a.x + dx * (dx * (t2 - t1) > 0 ? t1 : t2);
            to = a.x + dx * (dx * (t2 - t1) > 0 ? t2 : t1);
        }
        const int left = (int)fmax(0, from - reach), right = (int)fmin(w - 1, to + reach);
        for (int column = left; column <= right; column++) {
            const double x = column + 0.5, t = ((x - a.x) * dx + (y - a.y) * dy) / square;
            if (t < 0 || t >= 1) continue; // the next line's
            const double away = fabs((x - a.x) * dy - (y - a.y) * dx) / sqrt(square);
            const double cover = fmin(1, fmax(0, half - away + 0.5)) * fmin(1, 2 * half);
            if (cover > 0)
                blend(&s->colour[3 * ((size_t)row * (size_t)w + (size_t)column)], rgb,
                      share * cover);
        }
    }
}

// Squares that fade with their distance from the middle of the motion; every fifth line is
// stronger.
static void draw_grid(sheet *s, int k)
{
    const fa_stage *stage = s->stage;
    const double    cell = stage->square;
    const fa_vec3   middle =
        stage->follows ? stage->middle[k] : vec3_scale(0.5, vec3_add(stage->low, stage->high));
    const long at_x = lround(middle.x / cell), at_y = lround(middle.y / cell);
    const long reach = lround(ceil(2.4 * stage->extent / cell));
    double     rgb[3];
    rgb_of(s->look->line, rgb);
    for (long i = -reach; i <= reach; i++)
        for (long j = -reach; j < reach; j++)
            for (int turn = 0; turn < 2; turn++) {
                const double  away = hypot((double)i, (double)j) / (double)reach;
                const double  fade = pow(fmax(0, 1 - away), 1.5);
                const long    x = at_x + (turn ? j : i), y = at_y + (turn ? i : j);
                const bool    strong = (turn ? y : x) % 5 == 0;
                const fa_vec3 from = vec3((double)x * cell, (double)y * cell, stage->ground);
                fa_vec3       to = from;
                if (turn)
                    to.x += cell;
                else
                    to.y += cell;
                const fa_spot a = fa_camera_see(&s->camera, from),
                              b = fa_camera_see(&s->camera, to);
                const double nearest = 0.1 * s->camera.far;
                if (fade > 0.02 && a.z > nearest && b.z > nearest)
                    draw_line(s, a, b, rgb, fade * (strong ? 0.6 : 0.3));
            }
}

// ------------------------------------------------------------------------------------- triangles

typedef void facet_fn(void *context, const fa_vec3 corner[3], const fa_vec3 normal[3],
                      const fa_paint *paint);

static void each_facet(const fa_scene *scene, const fa_placed placed[], facet_fn *act,
                       void *context)
{
    for (int i = 0; i < scene->n; i++) {
        const fa_placed *at = &placed[i];
        for (size_t k = 0; k < scene->part[i].surface.n; k++) {
            const fa_facet *facet = &scene->part[i].surface.of[k];
            fa_vec3         corner[3], normal[3];
            for (int c = 0; c < 3; c++) {
                fa_vec3 n = facet->normal[c];
                n.z /= at->stretch;
                corner[c] = fa_placed_point(at, facet->corner[c]);
                normal[c] = mat3_tmul(at->frame.E, n);
            }
            act(context, corner, normal, &at->paint);
        }
    }
}

// ---------------------------------------------------------------------------------------- shadows

typedef struct shade {
    sheet   *sheet;
    fa_depth screen; // without distances: every sample counts
    float   *sun, *near;
    float    value;
    float   *into;
} shade;

static void darken(void *context, size_t sample, const double weight[3])
{
    shade *s = context;
    (void)weight;
    s->into[sample] = fmaxf(s->into[sample], s->value);
}

static void cast(shade *s, const fa_vec3 corner[3], const fa_vec3 along, float *into, float value)
{
    fa_spot      spot[3];
    const double ground = s->sheet->stage->ground;
    for (int c = 0; c < 3; c++) {
        const double  high = corner[c].z - ground;
        const fa_vec3 foot =
            vec3(corner[c].x - along.x * high, corner[c].y - along.y * high, ground);
        spot[c] = fa_camera_see(&s->sheet->camera, foot);
        if (!(spot[c].z > 0.1 * s->sheet->camera.far)) return;
    }
    s->into = into;
    s->value = value;
    fa_depth_triangle(&s->screen, spot, false, darken, s);
}

static void cast_facet(void *context, const fa_vec3 corner[3], const fa_vec3 normal[3],
                       const fa_paint *paint)
{
    shade          *s = context;
    const fa_stage *stage = s->sheet->stage;
    const double    low = fmin(corner[0].z, fmin(corner[1].z, corner[2].z)) - stage->ground;
    const double    nearness = fmax(0, 1 - low / (0.3 * stage->extent));
    (void)normal, (void)paint;
    cast(s, corner, vec3(SUN.x / SUN.z, SUN.y / SUN.z, 0), s->sun, 1);
    if (nearness > 0) cast(s, corner, vec3(0, 0, 0), s->near, (float)(nearness * nearness));
}

// The mean over 2 radius + 1 places along rows or columns, in place.
static void soften(float *value, size_t n, size_t step, int radius, float *scratch)
{
    double sum = 0;
    for (size_t i = 0; i < n + (size_t)radius; i++) {
        if (i < n) sum += value[i * step];
        if (i >= 2 * (size_t)radius + 1) sum -= value[(i - 2 * (size_t)radius - 1) * step];
        if (i >= (size_t)radius) scratch[i - (size_t)radius] = (float)(sum / (2 * radius + 1));
    }
    for (size_t i = 0; i < n; i++) value[i * step] = scratch[i];
}

// Three means one after the other are nearly a Gaussian.
static void blur(float *value, int width, int height, int radius, float *scratch)
{
    for (int pass = 0; pass < 3; pass++) {
        for (int row = 0; row < height; row++)
            soften(value + (size_t)row * (size_t)width, (size_t)width, 1, radius, scratch);
        for (int column = 0; column < width; column++)
            soften(value + column, (size_t)height, (size_t)width, radius, scratch);
    }
}

static bool draw_shadows(sheet *of, const fa_placed placed[])
{
    const int    w = of->stage->width, h = of->stage->height;
    const size_t size = (size_t)w * (size_t)h;
    float       *scratch = malloc((size_t)(w > h ? w : h) * sizeof *scratch);
    shade        s = {.sheet = of,
                      .screen = {.width = w, .height = h},
                      .sun = calloc(size, sizeof *s.sun),
                      .near = calloc(size, sizeof *s.near)};
    const bool   good = scratch && s.sun && s.near;
    if (good) {
        const double dark[3] = {8, 12, 18};
        each_facet(of->stage->scene, placed, cast_facet, &s);
        blur(s.sun, w, h, (int)fmax(1, lround(w / 260.0)), scratch);
        blur(s.near, w, h, (int)fmax(1, lround(w / 150.0)), scratch);
        for (size_t i = 0; i < size; i++)
            blend(&of->colour[3 * i], dark,
                  1 - (1 - of->look->sun * (double)s.sun[i]) *
                          (1 - of->look->near * (double)s.near[i]));
    }
    free(scratch);
    free(s.sun);
    free(s.near);
    return good;
}

// ------------------------------------------------------------------------------------------- light

typedef struct brush {
    sheet          *sheet;
    fa_depth       *depth;
    uint8_t        *sample; // FA_CHANNELS for each; the last is 255 where the robot is
    const fa_vec3  *normal;
    const fa_paint *paint;
    fa_vec3         sun, half, towards; // unit vectors; the last from the surface to the eye
    uint8_t         tone[TONES + 1];
} brush;

// From linear light, of which 1 is white, to a byte: a shoulder above 0.76 keeps highlights from
// breaking off.
static void make_tones(uint8_t tone[])
{
    for (int i = 0; i <= TONES; i++) {
        const double light = 2.0 * i / TONES;
        const double bent = light < 0.76 ? light : 0.76 + 0.24 * (1 - exp(-(light - 0.76) / 0.24));
        const double share = bent <= 0.0031308 ? 12.92 * bent : 1.055 * pow(bent, 1 / 2.4) - 0.055;
        tone[i] = (uint8_t)lround(255 * fmin(fmax(share, 0), 1));
    }
}

static void paint_sample(void *context, size_t sample, const double weight[3])
{
    brush          *b = context;
    const fa_paint *paint = b->paint;
    fa_vec3         n = vec3(0, 0, 0);
    for (int c = 0; c < 3; c++) n = vec3_add(n, vec3_scale(weight[c], b->normal[c]));
    n = unit(n);
    if (dot(n, b->towards) < 0) n = vec3_scale(-1, n); // the inside of what is open
    const double rough = paint->roughness;
    const double sun = fmax(0, dot(n, b->sun)), side = dot(n, b->sheet->camera.x);
    const double light = 0.2 + 0.34 * (0.5 + 0.5 * n.z) + 0.1 * (0.5 - 0.5 * side) + 0.52 * sun;
    const double shine = 0.9 * (1 - rough) * (1 + 2 * paint->metalness) * 0.35 *
                         pow(fmax(0, dot(n, b->half)), 6 / (rough * rough * rough));
    uint8_t *to = &b->sample[sample * FA_CHANNELS];
    for (int i = 0; i < 3; i++) {
        const double share = (paint->colour[i] * light + shine) * (TONES / 2.0);
        to[i] = b->tone[share < TONES ? (int)(share + 0.5) : TONES];
    }
    to[3] = 255;
}

static void paint_facet(void *context, const fa_vec3 corner[3], const fa_vec3 normal[3],
                        const fa_paint *paint)
{
    brush           *b = context;
    const fa_camera *camera = &b->sheet->camera;
    const fa_vec3    eye =
        vec3_add(vec3_scale(camera->far, camera->d),
                 vec3_add(vec3_scale(camera->cx, camera->x), vec3_scale(camera->cy, camera->y)));
    fa_spot spot[3];
    for (int c = 0; c < 3; c++) {
        spot[c] = fa_camera_see(camera, corner[c]);
        if (!(spot[c].z > 0)) return;
        spot[c].x *= SAMPLES;
        spot[c].y *= SAMPLES;
    }
    b->normal = normal;
    b->paint = paint;
    b->towards = unit(vec3_sub(eye, corner[0]));
    fa_depth_triangle(b->depth, spot, true, paint_sample, b);
}

// Mixes the samples of each pixel over the background.
static void put_pixels(const sheet *s, const uint8_t sample[], fa_raster *raster)
{
    const size_t w = (size_t)s->stage->width, h = (size_t)s->stage->height;
    for (size_t row = 0; row < h; row++)
        for (size_t column = 0; column < w; column++) {
            double       sum[3] = {0, 0, 0}, hits = 0;
            const size_t pixel = row * w + column;
            for (size_t k = 0; k < SAMPLES * SAMPLES; k++) {
                const uint8_t *from =
                    &sample[FA_CHANNELS * ((SAMPLES * row + k / SAMPLES) * SAMPLES * w +
                                           SAMPLES * column + k % SAMPLES)];
                if (!from[3]) continue;
                hits++;
                for (int i = 0; i < 3; i++) sum[i] += from[i];
            }
            const double behind = SAMPLES * SAMPLES - hits;
            uint8_t     *to = &raster->pixel[FA_CHANNELS * pixel];
            for (size_t i = 0; i < 3; i++) {
                const double mixed =
                    (sum[i] + behind * (double)s->colour[3 * pixel + i]) / (SAMPLES * SAMPLES);
                to[i] = (uint8_t)lround(fmin(fmax(mixed, 0), 255));
            }
            to[3] = 255;
        }
}

fa_status fa_stage_draw(const fa_stage *stage, int k, fa_raster *raster, fa_depth *depth,
                        fa_error *error)
{
    const int    w = stage->width, h = stage->height;
    const size_t pixels = (size_t)w * (size_t)h;
    sheet        s = {.stage = stage,
                      .look = &LOOKS[stage->scene->dark],
                      .camera = fa_stage_camera(stage, k),
                      .colour = calloc(3 * pixels, sizeof *s.colour)};
    brush        b = {.sheet = &s,
                      .depth = depth,
                      .sample = calloc(SAMPLES * SAMPLES * pixels, FA_CHANNELS),
                      .sun = unit(SUN),
                      .half = unit(vec3_add(unit(SUN), s.camera.d))};
    fa_placed   *placed = malloc(((size_t)stage->scene->n + 1) * sizeof *placed);
    bool         good = s.colour && b.sample && placed;
    good &= fa_raster_new(w, h, raster);
    good &= fa_depth_new(SAMPLES * w, SAMPLES * h, depth);
    if (good) {
        fa_scene_place(stage->scene, &stage->moment[k], placed);
        draw_sky(&s);
        draw_grid(&s, k);
        good = draw_shadows(&s, placed);
    }
    if (good) {
        make_tones(b.tone);
        each_facet(stage->scene, placed, paint_facet, &b);
        put_pixels(&s, b.sample, raster);
    }
    free(s.colour);
    free(b.sample);
    free(placed);
    if (good) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the robot's picture");
}
