// Pixels, and lines with round ends on them, with smooth edges.
#ifndef FA_RASTER_H
#define FA_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FA_CHANNELS 4 // red, green, blue, how much it covers

typedef struct fa_raster {
    int      width, height;
    uint8_t *pixel; // row by row from the top, FA_CHANNELS bytes each
    uint8_t *cover; // how much of each pixel the shape covers that is being drawn
    int      left, right, top, bottom; // where it may cover something
} fa_raster;

// All transparent; false if there was no memory. Release with fa_raster_free, also then.
bool fa_raster_new(int width, int height, fa_raster *raster);
void fa_raster_free(fa_raster *raster);

void fa_raster_fill(fa_raster *raster, const uint8_t rgb[3]);

// A shape is as many lines as one likes, painted once: where they overlap there is no seam. The
// page's unit is a pixel, y goes down; a line without length is a dot.
void fa_raster_line(fa_raster *raster, double x1, double y1, double x2, double y2, double width);
void fa_raster_paint(fa_raster *raster, const uint8_t rgb[3]);

#endif
