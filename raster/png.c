// PNG as ISO/IEC 15948 has it: eight bits for each channel, rows without a filter, zlib's stream.
#include "png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint8_t *put32(uint8_t *at, uint32_t value) // the first byte counts most
{
    for (int shift = 24; shift >= 0; shift -= 8) *at++ = (uint8_t)(value >> shift);
    return at;
}

// Writes a chunk around the `size` bytes of data that stand at `at` + 8.
static uint8_t *frame(uint8_t *at, const char type[], size_t size)
{
    put32(at, (uint32_t)size);
    memcpy(at + 4, type, 4);
    return put32(at + 8 + size, (uint32_t)crc32(0, at + 4, (uInt)(4 + size)));
}

// Each row begins with a 0: no filter. It suits what is mostly of one colour.
static uint8_t *rows_of(const fa_raster *raster, size_t *size)
{
    size_t   row = (size_t)raster->width * FA_CHANNELS;
    uint8_t *rows = malloc((row + 1) * (size_t)raster->height);
    *size = (row + 1) * (size_t)raster->height;
    for (int i = 0; rows && i < raster->height; i++) {
        rows[(size_t)i * (row + 1)] = 0;
        memcpy(&rows[(size_t)i * (row + 1) + 1], &raster->pixel[(size_t)i * row], row);
    }
    return rows;
}

fa_status fa_png_pack(const fa_raster *raster, double scale, char **data, size_t *size,
                      fa_error *error)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    enum { HEADER_SIZE = 13, PLACE_SIZE = 9, CHUNK = 12, BITS = 8, WITH_ALPHA = 6, METRE = 1 };
    const double   inch = 0.0254;
    const uint32_t density = (uint32_t)lround(96 * scale / inch); // pixels in a metre

    size_t   raw;
    uint8_t *rows = rows_of(raster, &raw);
    uLongf   packed = compressBound((uLong)raw);
    uint8_t *file = malloc(sizeof signature + 4 * CHUNK + HEADER_SIZE + PLACE_SIZE + packed);
    if (file && rows) {
        memcpy(file, signature, sizeof signature);
        uint8_t *at = file + sizeof signature;
        uint8_t *header = put32(put32(at + 8, (uint32_t)raster->width), (uint32_t)raster->height);
        memcpy(header, (uint8_t[]){BITS, WITH_ALPHA, 0, 0, 0}, 5);
        at = frame(at, "IHDR", HEADER_SIZE);
        *put32(put32(at + 8, density), density) = METRE;
        at = frame(at, "pHYs", PLACE_SIZE);
        if (compress2(at + 8, &packed, rows, (uLong)raw, Z_BEST_COMPRESSION) == Z_OK) {
            at = frame(at, "IDAT", packed);
            at = frame(at, "IEND", 0);
            *data = (char *)file;
            *size = (size_t)(at - file);
            free(rows);
            return FA_OK;
        }
    }
    free(rows);
    free(file);
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the picture");
}
