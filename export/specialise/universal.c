// The header of <mach-o/fat.h>: big-endian words, the libraries at multiples of a page of ARM Macs.
#include "universal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

#define LIMIT ((size_t)64 << 20) // limit of a library's size [bytes]
#define FAT   0xCAFEBABEu        // magic number of a universal library
// Magic number of a 64-bit library, in its processor's byte order: little-endian.
#define THIN 0xFEEDFACFu

enum { ALIGNMENT = 14, PAGE = 1 << ALIGNMENT }; // a power of two

static uint32_t little_word(const char *from)
{
    uint8_t b[4];
    memcpy(b, from, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static char *put(char *to, uint32_t word)
{
    for (int i = 0; i < 4; i++) to[i] = (char)(word >> (24 - 8 * i) & 0xFF);
    return to + 4;
}

static size_t padded(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

fa_status fa_universal_join(const char *const path[2], const char *joined, fa_error *error)
{
    char     *library[2] = {NULL, NULL}, *file = NULL;
    size_t    size[2] = {0, 0}, at[2];
    fa_status status = FA_OK;
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        status = fa_file_read(path[i], LIMIT, &library[i], &size[i], error);
        if (status == FA_OK && (size[i] < 12 || little_word(library[i]) != THIN))
            status = fa_fail(error, FA_UNFIT, path[i], FA_NOWHERE,
                             "the compiler made no 64-bit library for a Mac of it");
    }
    at[0] = PAGE;
    at[1] = PAGE + padded(size[0]);
    const size_t whole = at[1] + size[1];
    if (status == FA_OK && !(file = calloc(1, whole)))
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the library for Macs");
    if (status == FA_OK) {
        char *header = put(put(file, FAT), 2);
        for (int i = 0; i < 2; i++) {
            header = put(header, little_word(library[i] + 4)); // processor type
            header = put(header, little_word(library[i] + 8)); // processor subtype
            header = put(header, (uint32_t)at[i]);
            header = put(header, (uint32_t)size[i]);
            header = put(header, ALIGNMENT);
            memcpy(file + at[i], library[i], size[i]);
        }
        status = fa_file_write(joined, file, whole, error);
    }
    free(file);
    free(library[0]);
    free(library[1]);
    return status;
}
