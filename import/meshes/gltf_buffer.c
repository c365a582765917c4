// The numbers of a glTF document: buffers, in the file, beside it or as base64; accessors to them.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gltf.h"

fa_status fa_gltf_fail(const fa_gltf *g, const char *sentence)
{
    return fa_fail(g->r->error, FA_BAD_INPUT, g->r->path, FA_NOWHERE, "%s", sentence);
}

// A size or an index; `otherwise` where none is said. False: it is no whole number.
static bool whole(const fa_json_value *object, const char *key, size_t otherwise, size_t *value)
{
    const double v = fa_json_tree_number(object, key, (double)otherwise);
    *value = v >= 0 && v <= 1e12 ? (size_t)v : 0;
    return v >= 0 && v <= 1e12 && floor(v) == v;
}

const fa_json_value *fa_gltf_named(const fa_gltf *g, const fa_json_value *owner, const char *key,
                                   const char *list)
{
    size_t index;
    if (!fa_json_tree_member(owner, key) || !whole(owner, key, 0, &index)) return NULL;
    return fa_json_tree_element(fa_json_tree_member(g->json.root, list), index);
}

// ---------------------------------------------------------------------------------------- buffers

static int sixtyfour(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static fa_status decode(fa_gltf *g, const char *text, fa_gltf_buffer *buffer)
{
    const size_t n = strlen(text);
    uint32_t     bits = 0;
    int          held = 0;
    buffer->bytes = malloc(3 * (n / 4) + 4);
    if (!buffer->bytes) return fa_mesh_no_memory(g->r);
    buffer->owned = true;
    for (; *text && *text != '='; text++) {
        const int value = sixtyfour(*text);
        if (value < 0)
            return fa_gltf_fail(g, "a buffer in base64 has a sign that is none of base64");
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        buffer->bytes[buffer->size++] = (char)(bits >> held & 0xFF);
    }
    return FA_OK;
}

// %20 and the like.
static size_t unescape(char *text)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    char             *to = text;
    for (const char *p = text; *p; p++) {
        const char *high = *p == '%' && p[1] ? strchr(digits, p[1]) : NULL;
        const char *low = high && p[2] ? strchr(digits, p[2]) : NULL;
        if (low) {
            const int h = (int)(high - digits), l = (int)(low - digits);
            *to++ = (char)(16 * (h > 15 ? h - 6 : h) + (l > 15 ? l - 6 : l));
            p += 2;
        } else {
            *to++ = *p;
        }
    }
    return (size_t)(to - text);
}

static fa_status load(fa_gltf *g, const fa_json_value *said, size_t index, fa_gltf_buffer *buffer)
{
    const char *uri = fa_json_tree_text(said, "uri");
    if (!uri) {
        if (!g->chunk || index > 0)
            return fa_gltf_fail(g, "a buffer has neither a uri nor a chunk");
        *buffer = (fa_gltf_buffer){(char *)g->chunk, g->chunk_size, false};
        return FA_OK;
    }
    if (strncmp(uri, "data:", 5) == 0) {
        const char *comma = strstr(uri, ";base64,");
        if (!comma) return fa_gltf_fail(g, "a buffer is data, but not in base64");
        return decode(g, comma + 8, buffer);
    }
    char *name = malloc(strlen(uri) + 1);
    if (!name) return fa_mesh_no_memory(g->r);
    strcpy(name, uri);
    fa_status status = fa_mesh_beside(g->r, name, unescape(name), &buffer->bytes, &buffer->size);
    buffer->owned = status == FA_OK;
    free(name);
    return status;
}

static fa_status buffer_at(fa_gltf *g, size_t index, const fa_gltf_buffer **buffer)
{
    const fa_json_value *list = fa_json_tree_member(g->json.root, "buffers");
    const fa_json_value *said = fa_json_tree_element(list, index);
    if (!said) return fa_gltf_fail(g, "a view names a buffer that is not there");
    if (!g->buffer) g->buffer = calloc((size_t)list->n, sizeof *g->buffer);
    if (!g->buffer) return fa_mesh_no_memory(g->r);
    g->n_buffers = list->n;
    *buffer = &g->buffer[index];
    return g->buffer[index].bytes ? FA_OK : load(g, said, index, &g->buffer[index]);
}

void fa_gltf_release(fa_gltf *g)
{
    for (int i = 0; i < g->n_buffers; i++)
        if (g->buffer[i].owned) free(g->buffer[i].bytes);
    free(g->buffer);
}

// -------------------------------------------------------------------------------------- accessors

enum { INT8 = 5120, UINT8, INT16, UINT16, UINT32 = 5125, FLOAT32 };

static size_t size_of(int type)
{
    return type == INT8 || type == UINT8 ? 1 : type == INT16 || type == UINT16 ? 2 : 4;
}

fa_status fa_gltf_open(fa_gltf *g, const fa_json_value *accessor, int width, fa_gltf_view *view)
{
    const fa_json_value  *from = fa_gltf_named(g, accessor, "bufferView", "bufferViews");
    const char           *type = fa_json_tree_text(accessor, "type");
    const fa_json_value  *normalised = fa_json_tree_member(accessor, "normalized");
    const fa_gltf_buffer *buffer = NULL;
    size_t                kind, index, start, length, offset;
    if (fa_json_tree_member(accessor, "sparse") || !from)
        return fa_gltf_fail(g,
                            "an accessor has no view, or is sparse, which is not read; export the "
                            "mesh without compression");
    if (!type || strcmp(type, width == 3 ? "VEC3" : "SCALAR") != 0)
        return fa_gltf_fail(g, "positions are not VEC3, or indices not SCALAR");
    if (!whole(accessor, "componentType", 0, &kind) || kind < INT8 || kind > FLOAT32 ||
        kind == 5124)
        return fa_gltf_fail(g, "an accessor has a type of numbers that does not exist");
    const size_t row = size_of((int)kind) * (size_t)width;
    *view = (fa_gltf_view){.width = width, .type = (int)kind};
    if (!whole(accessor, "count", 0, &view->count) || !whole(accessor, "byteOffset", 0, &offset) ||
        !whole(from, "buffer", 0, &index) || !whole(from, "byteOffset", 0, &start) ||
        !whole(from, "byteLength", 0, &length) || !whole(from, "byteStride", row, &view->stride))
        return fa_gltf_fail(g, "a size in an accessor is no whole number");
    fa_status status = buffer_at(g, index, &buffer);
    if (status != FA_OK) return status;
    if (start > buffer->size || length > buffer->size - start || offset > length ||
        view->stride < row ||
        (view->count > 0 &&
         (row > length - offset || view->count - 1 > (length - offset - row) / view->stride)))
        return fa_gltf_fail(g, "an accessor reaches beyond the end of its buffer");
    view->at = (const unsigned char *)buffer->bytes + start + offset;
    view->normalised = normalised && normalised->number == 1;
    return FA_OK;
}

double fa_gltf_fetch(const fa_gltf_view *view, size_t row, int column)
{
    const unsigned char *at = view->at + row * view->stride + (size_t)column * size_of(view->type);
    const uint32_t       low = size_of(view->type) == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
    const bool           norm = view->normalised;
    if (view->type == INT8) return norm ? fmax((int8_t)low / 127.0, -1) : (int8_t)low;
    if (view->type == UINT8) return norm ? low / 255.0 : low;
    if (view->type == INT16) return norm ? fmax((int16_t)low / 32767.0, -1) : (int16_t)low;
    if (view->type == UINT16) return norm ? low / 65535.0 : low;
    const uint32_t all = low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float          number;
    memcpy(&number, &all, sizeof number);
    return view->type == UINT32 ? all : (double)number;
}
