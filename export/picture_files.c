// The formats of a picture: SVG, and PNG without a library.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "picture.h"

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

#define SVG_SIDE 100 // units along the page

// To a thousandth of a unit: finer than anybody sees, and shorter.
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

// ----------------------------------------------------------------------------------------- pixels

enum { PNG_SIDE = 128, CHANNELS = 4, ROW_SIZE = 1 + PNG_SIDE * CHANNELS }; // a row begins with 0

// Distance of a point to a line's middle.
static double distance(const fa_stroke *stroke, double x, double y)
{
    double dx = stroke->x2 - stroke->x1, dy = stroke->y2 - stroke->y1;
    double along = dx * dx + dy * dy;
    double t = along > 0 ? ((x - stroke->x1) * dx + (y - stroke->y1) * dy) / along : 0;
    t = fmin(fmax(t, 0), 1);
    x -= stroke->x1 + t * dx;
    y -= stroke->y1 + t * dy;
    return sqrt(x * x + y * y);
}

// Puts one colour over what is there, which covers `below[3]` of the pixel.
static void blend(uint8_t pixel[CHANNELS], const uint8_t rgb[3], double cover)
{
    double before = pixel[3] / 255.0;
    double after = cover + before * (1 - cover);
    for (int c = 0; c < 3; c++) {
        double mixed = (cover * rgb[c] + (1 - cover) * before * pixel[c]) / after;
        pixel[c] = (uint8_t)(mixed + 0.5);
    }
    pixel[3] = (uint8_t)(255 * after + 0.5);
}

static int pixel_at(double place)
{
    return (int)fmin(fmax(floor(place * PNG_SIDE), 0), PNG_SIDE - 1);
}

static void paint(uint8_t image[], const fa_stroke *stroke)
{
    const double radius = 0.5 * stroke->width, reach = radius + 1.0 / PNG_SIDE;
    int          left = pixel_at(fmin(stroke->x1, stroke->x2) - reach);
    int          right = pixel_at(fmax(stroke->x1, stroke->x2) + reach);
    int          low = pixel_at(fmin(stroke->y1, stroke->y2) - reach);
    int          high = pixel_at(fmax(stroke->y1, stroke->y2) + reach);
    for (int row = low; row <= high; row++) {
        for (int column = left; column <= right; column++) {
            double d = distance(stroke, (column + 0.5) / PNG_SIDE, (row + 0.5) / PNG_SIDE);
            double cover = fmin(fmax((radius - d) * PNG_SIDE + 0.5, 0), 1);
            if (!(cover > 0)) continue;
            // The page's y goes up, the image's rows go down.
            uint8_t *at = &image[(PNG_SIDE - 1 - row) * ROW_SIZE + 1 + column * CHANNELS];
            blend(at, colours[stroke->ink].rgb, cover);
        }
    }
}

// -------------------------------------------------------------------------------------------- PNG

// RFC 1951's blocks without compression, inside RFC 1950's frame: the archive compresses.
enum { BLOCK_MAX = 65535, BLOCK_HEAD = 5, IMAGE_SIZE = PNG_SIDE * ROW_SIZE };
enum { BLOCKS = (IMAGE_SIZE + BLOCK_MAX - 1) / BLOCK_MAX };
enum { STREAM_SIZE = 2 + BLOCKS * BLOCK_HEAD + IMAGE_SIZE + 4 };

static uint8_t *put32(uint8_t *at, uint32_t value) // the first byte counts most
{
    for (int shift = 24; shift >= 0; shift -= 8) *at++ = (uint8_t)(value >> shift);
    return at;
}

static uint32_t crc(const uint8_t *data, size_t size)
{
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
    return ~sum;
}

static uint32_t adler(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// Writes a chunk around the `size` bytes of data that stand at `at` + 8.
static uint8_t *frame(uint8_t *at, const char type[], size_t size)
{
    put32(at, (uint32_t)size);
    memcpy(at + 4, type, 4);
    return put32(at + 8 + size, crc(at + 4, 4 + size));
}

static void write_stream(uint8_t *at, const uint8_t image[])
{
    *at++ = 0x78; // deflate, windows of 32 KiB
    *at++ = 0x01; // makes the two a multiple of 31
    for (size_t done = 0; done < IMAGE_SIZE;) {
        size_t part = IMAGE_SIZE - done < BLOCK_MAX ? IMAGE_SIZE - done : BLOCK_MAX;
        *at++ = done + part == IMAGE_SIZE; // the last one
        *at++ = (uint8_t)part;
        *at++ = (uint8_t)(part >> 8);
        *at++ = (uint8_t)~part;
        *at++ = (uint8_t)(~part >> 8);
        memcpy(at, image + done, part);
        at += part;
        done += part;
    }
    put32(at, adler(image, IMAGE_SIZE));
}

fa_status fa_picture_png(const fa_robot *robot, const fa_options *options, char **data,
                         size_t *size, fa_error *error)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    enum { HEADER_SIZE = 13, CHUNK = 12, BITS = 8, WITH_ALPHA = 6 };
    const size_t whole = sizeof signature + 3 * CHUNK + HEADER_SIZE + STREAM_SIZE;
    (void)options;

    fa_picture picture;
    fa_status  status = fa_picture_draw(robot, &picture, error);
    if (status != FA_OK) return status;
    uint8_t *image = calloc(IMAGE_SIZE, 1);
    uint8_t *file = malloc(whole);
    if (image && file) {
        for (int i = 0; i < picture.n; i++) paint(image, &picture.stroke[i]);
        memcpy(file, signature, sizeof signature);
        uint8_t *at = file + sizeof signature;
        uint8_t *header = put32(put32(at + 8, PNG_SIDE), PNG_SIDE);
        memcpy(header, (uint8_t[]){BITS, WITH_ALPHA, 0, 0, 0}, 5);
        at = frame(at, "IHDR", HEADER_SIZE);
        write_stream(at + 8, image);
        at = frame(at, "IDAT", STREAM_SIZE);
        frame(at, "IEND", 0);
        *data = (char *)file;
        *size = whole;
    } else {
        free(file);
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the robot's picture");
    }
    free(image);
    free(picture.stroke);
    return status;
}
