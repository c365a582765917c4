// Writes a picture as SVG and PNG.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "picture.h"
#include "png.h"

typedef struct colour {
    const char *name;
    uint8_t     rgb[3];
} colour;

static const colour colours[FA_INK_COUNT] = {
    [FA_INK_GROUND] = {"#495057", {0x49, 0x50, 0x57}},
    [FA_INK_LINK] = {"#2f6690", {0x2f, 0x66, 0x90}},
    [FA_INK_JOINT] = {"#f08c00", {0xf0, 0x8c, 0x00}},
    [FA_INK_TIP] = {"#2f9e44", {0x2f, 0x9e, 0x44}},
};

// -------------------------------------------------------------------------------------------- SVG

#define SVG_SIDE 100 // length of the page's side

// Writes a length, rounded to a thousandth of a unit for short text.
static void length(fa_markup *out, const char *name, double value)
{
    fa_markup_number(out, name, round(value * SVG_SIDE * 1000) / 1000);
}

static void write_svg(fa_markup *out, const fa_picture *picture, const fa_robot *robot, int size)
{
    fa_markup_open(out, "svg");
    fa_markup_attribute(out, "xmlns", "http://www.w3.org/2000/svg");
    fa_markup_attribute(out, "viewBox", "0 0 100 100");
    fa_markup_integer(out, "width", size);
    fa_markup_integer(out, "height", size);
    fa_markup_element(out, "title", robot->name);
    fa_markup_open(out, "g");
    fa_markup_attribute(out, "stroke-linecap", "round");
    for (int i = 0; i < picture->n; i++) {
        const fa_stroke *stroke = &picture->stroke[i];
        fa_markup_open(out, "line");
        length(out, "x1", stroke->x1);
        length(out, "y1", 1 - stroke->y1);
        length(out, "x2", stroke->x2);
        length(out, "y2", 1 - stroke->y2);
        length(out, "stroke-width", stroke->width);
        fa_markup_attribute(out, "stroke", colours[stroke->ink].name);
        fa_markup_close(out);
    }
    fa_markup_close(out);
    fa_markup_close(out);
}

fa_status fa_picture_into(fa_markup *out, const fa_robot *robot, int size, fa_error *error)
{
    fa_picture picture;
    fa_status  status = fa_picture_draw(robot, &picture, error);
    if (status != FA_OK) return status;
    write_svg(out, &picture, robot, size);
    free(picture.stroke);
    return FA_OK;
}

fa_status fa_picture_svg(const fa_robot *robot, const fa_options *options, char **text,
                         size_t *size, fa_error *error)
{
    (void)options;
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_status status = fa_picture_into(&out, robot, SVG_SIDE, error);
    fa_status finished = fa_markup_finish(&out, text, size, status == FA_OK ? error : NULL);
    if (status != FA_OK && finished == FA_OK) free(*text);
    return status != FA_OK ? status : finished;
}

// -------------------------------------------------------------------------------------------- PNG

#define PNG_SIDE 128 // side in pixels

fa_status fa_picture_png(const fa_robot *robot, const fa_options *options, char **data,
                         size_t *size, fa_error *error)
{
    (void)options;
    fa_picture picture;
    fa_status  status = fa_picture_draw(robot, &picture, error);
    if (status != FA_OK) return status;
    fa_raster raster;
    if (fa_raster_new(PNG_SIDE, PNG_SIDE, &raster)) {
        for (int i = 0; i < picture.n; i++) { // the page's y points up, the image's rows down
            const fa_stroke *s = &picture.stroke[i];
            fa_raster_line(&raster, PNG_SIDE * s->x1, PNG_SIDE * (1 - s->y1), PNG_SIDE * s->x2,
                           PNG_SIDE * (1 - s->y2), PNG_SIDE * s->width);
            fa_raster_paint(&raster, colours[s->ink].rgb);
        }
        status = fa_png_pack(&raster, 1, data, size, error);
    } else {
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the robot's picture");
    }
    fa_raster_free(&raster);
    free(picture.stroke);
    return status;
}
