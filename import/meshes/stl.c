// STL: triangles and nothing else, binary or as text.
#include <inttypes.h>
#include <string.h>

#include "mesh_reader.h"
#include "number.h"
#include "source.h"

// Binary STL: 80 bytes of anything, the number of triangles, 50 bytes for each: a normal, three
// corners of three floats each, two bytes of anything. All little-endian.
enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

static uint32_t little_endian(const unsigned char bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t bits = little_endian((const unsigned char *)bytes);
    float    value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Returns the size that a binary file declares; 0: too short.
static uint64_t size_said(const char *bytes, size_t size)
{
    if (size < HEAD) return 0;
    return HEAD + (uint64_t)RECORD * little_endian((const unsigned char *)bytes + HEAD - 4);
}

static fa_status read_binary(fa_mesh_reader *r, const char *bytes, size_t size)
{
    fa_status status = FA_OK;
    for (const char *record = bytes + HEAD; record < bytes + size && status == FA_OK;
         record += RECORD) {
        fa_triangle t;
        for (int i = 0; i < 3; i++) {
            const char *corner = record + NORMAL + 12 * i;
            t.corner[i] = vec3(float_at(corner), float_at(corner + 4), float_at(corner + 8));
        }
        status = fa_mesh_add(r, t);
    }
    return status;
}

// The next word, which ends at the cursor; its length.
static size_t next_word(fa_cursor *cursor, const char *end, const char **word)
{
    const char *p = cursor->at;
    while (p < end && strchr(" \t\r\n", *p)) p++;
    *word = p;
    while (p < end && !strchr(" \t\r\n", *p)) p++;
    fa_cursor_advance(cursor, *word);
    return (size_t)(p - *word);
}

// In either case: some programs write it all in capitals.
static bool is_word(const char *word, size_t length, const char *wanted)
{
    for (size_t i = 0; i < length; i++) {
        char letter = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
        if (letter != wanted[i]) return false; // also where `wanted` ends
    }
    return wanted[length] == '\0';
}

static fa_status read_corner(fa_mesh_reader *r, fa_cursor *cursor, const char *end, fa_vec3 *corner)
{
    double *value[] = {&corner->x, &corner->y, &corner->z};
    for (int i = 0; i < 3; i++) {
        const char *word;
        size_t      length = next_word(cursor, end, &word);
        if (length == 0 || fa_number_read(word, length, value[i]) != length)
            return fa_fail(r->error, FA_BAD_INPUT, r->path, cursor->place,
                           "a vertex has three numbers, and '%.*s' is none",
                           (int)(length < 40 ? length : 40), word);
        cursor->at = word + length;
        cursor->place.column += (int)length;
    }
    return FA_OK;
}

static fa_status read_text(fa_mesh_reader *r, const char *bytes, size_t size)
{
    const char *end = bytes + size, *word;
    fa_cursor   cursor = FA_CURSOR_AT(bytes);
    int         corners = 0;
    fa_triangle t = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (size_t length; (length = next_word(&cursor, end, &word)) > 0;) {
        cursor.at = word + length;
        cursor.place.column += (int)length;
        fa_status status = FA_OK;
        if (is_word(word, length, "vertex")) {
            if (corners == 3)
                return fa_fail(r->error, FA_BAD_INPUT, r->path, cursor.place,
                               "this is the fourth vertex of a facet; only triangles can be read");
            status = read_corner(r, &cursor, end, &t.corner[corners++]);
        } else if (is_word(word, length, "endfacet")) {
            if (corners != 3)
                return fa_fail(r->error, FA_BAD_INPUT, r->path, cursor.place,
                               "the facet that ends here has %d vertices; it must have three",
                               corners);
            status = fa_mesh_add(r, t);
            corners = 0;
        }
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

// Neither text nor a whole binary file; zero bytes tell which of them it was to be.
static fa_status no_triangle(const fa_mesh_reader *r, const char *bytes, size_t size)
{
    uint64_t said = size_said(bytes, size);
    if (said > HEAD && memchr(bytes, 0, size))
        return fa_fail(r->error, FA_BAD_INPUT, r->path, FA_NOWHERE,
                       "if it is a binary STL file, its head announces %" PRIu64 " triangles, "
                       "which take %" PRIu64 " bytes, and it has %zu; fetch or export it again",
                       (said - HEAD) / RECORD, said, size);
    return fa_fail(r->error, FA_BAD_INPUT, r->path, FA_NOWHERE,
                   "it holds no triangle; is it an STL file, binary or text?");
}

bool fa_stl_is_binary(const char *bytes, size_t size)
{
    return size >= HEAD && size_said(bytes, size) == size;
}

fa_status fa_stl_read(fa_mesh_reader *r, const char *bytes, size_t size)
{
    const bool binary = fa_stl_is_binary(bytes, size);
    fa_status  status = binary ? read_binary(r, bytes, size) : read_text(r, bytes, size);
    if (status == FA_OK && r->mesh->n == 0) status = no_triangle(r, bytes, size);
    return status;
}
