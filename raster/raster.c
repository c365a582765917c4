// Anti-aliased line drawing into a pixel buffer.
#include "raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget_shape(fa_raster *r)
{
    r->left = r->width;
    r->top = r->height;
    r->right = r->bottom = -1;
}

bool fa_raster_new(int width, int height, fa_raster *raster)
{
    size_t size = (size_t)width * (size_t)height;
    *raster = (fa_raster){.width = width, .height = height};
    raster->pixel = calloc(size, FA_CHANNELS);
    raster->cover = calloc(size, 1);
    forget_shape(raster);
    return raster->pixel && raster->cover;
}

void fa_raster_free(fa_raster *raster)
{
    free(raster->pixel);
    free(raster->cover);
    *raster = (fa_raster){.width = 0};
}

void fa_raster_fill(fa_raster *raster, const uint8_t rgb[3])
{
    size_t size = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < size; i++) {
        memcpy(&raster->pixel[i * FA_CHANNELS], rgb, 3);
        raster->pixel[i * FA_CHANNELS + 3] = 255;
    }
}

static int within(double place, int size)
{
    return (int)fmin(fmax(floor(place), 0), size - 1);
}

void fa_raster_line(fa_raster *r, double x1, double y1, double x2, double y2, double width)
{
    const double radius = 0.5 * width, reach = radius + 1;
    const double dx = x2 - x1, dy = y2 - y1, along = dx * dx + dy * dy;
    int          top = within(fmin(y1, y2) - reach, r->height);
    int          bottom = within(fmax(y1, y2) + reach, r->height);
    for (int row = top; row <= bottom; row++) {
        // The part of the line that comes near this row, and the pixels around it.
        double y = row + 0.5, from = x1, to = x2;
        if (fabs(dy) > reach) {
            double a = (y - reach - y1) / dy, b = (y + reach - y1) / dy;
            from = x1 + dx * fmin(fmax(a, 0), 1);
            to = x1 + dx * fmin(fmax(b, 0), 1);
        }
        int left = within(fmin(from, to) - reach, r->width);
        int right = within(fmax(from, to) + reach, r->width);
        for (int column = left; column <= right; column++) {
            double x = column + 0.5;
            double t = along > 0 ? ((x - x1) * dx + (y - y1) * dy) / along : 0;
            t = fmin(fmax(t, 0), 1);
            double away = hypot(x - x1 - t * dx, y - y1 - t * dy);
            double share =
                fmin(fmax(radius - away + 0.5, 0), fmin(width, 1)); // hair lines are faint
            uint8_t *cover = &r->cover[(size_t)row * (size_t)r->width + (size_t)column];
            uint8_t  now = (uint8_t)(255 * share + 0.5);
            if (now > *cover) *cover = now;
        }
        if (left < r->left) r->left = left;
        if (right > r->right) r->right = right;
    }
    if (top < r->top) r->top = top;
    if (bottom > r->bottom) r->bottom = bottom;
}

// Puts a colour over what is there, which covers pixel[3] of it.
static void blend(uint8_t pixel[FA_CHANNELS], const uint8_t rgb[3], double cover)
{
    double before = pixel[3] / 255.0;
    double after = cover + before * (1 - cover);
    for (int c = 0; c < 3; c++) {
        double mixed = (cover * rgb[c] + (1 - cover) * before * pixel[c]) / after;
        pixel[c] = (uint8_t)(mixed + 0.5);
    }
    pixel[3] = (uint8_t)(255 * after + 0.5);
}

void fa_raster_paint(fa_raster *r, const uint8_t rgb[3])
{
    for (int row = r->top; row <= r->bottom; row++)
        for (int column = r->left; column <= r->right; column++) {
            size_t at = (size_t)row * (size_t)r->width + (size_t)column;
            if (r->cover[at] == 0) continue;
            blend(&r->pixel[at * FA_CHANNELS], rgb, r->cover[at] / 255.0);
            r->cover[at] = 0;
        }
    forget_shape(r);
}
