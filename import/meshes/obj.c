// OBJ, Wavefront's text of vertices and polygons, and the colours of the MTL file that it names.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_reader.h"
#include "number.h"

typedef struct material {
    char   name[128];
    double colour[3];
} material;

typedef struct obj {
    fa_mesh_reader *r;
    fa_vec3        *vertex;
    size_t          n, room;
    fa_vec3        *corner; // of the polygon that is being read
    size_t          corner_room;
    material       *material;
    int             n_materials;
} obj;

// A line of either file, word by word. A backslash at its end continues it.
typedef struct line {
    const char *at, *end;
    int         number;
} line;

static bool ends_line(const line *l)
{
    return l->at == l->end || *l->at == '\n';
}

static bool begins(const line *l, const char *with)
{
    const size_t n = strlen(with), left = (size_t)(l->end - l->at);
    return left >= n && memcmp(l->at, with, n) == 0;
}

static void skip_blanks(line *l)
{
    for (; !ends_line(l); l->at++) {
        if (begins(l, "\\\n")) {
            l->at++;
            l->number++;
        } else if (begins(l, "\\\r\n")) {
            l->at += 2;
            l->number++;
        } else if (!strchr(" \t\r", *l->at)) {
            return;
        }
    }
}

// The next word of the line; 0: there is none. A zero byte is part of a word.
static size_t next_word(line *l, const char **word)
{
    skip_blanks(l);
    *word = l->at;
    while (!ends_line(l) && (*l->at == '\0' || !strchr(" \t\r", *l->at))) l->at++;
    return (size_t)(l->at - *word);
}

// Returns the rest of the line, for names with blanks.
static size_t rest_of_line(line *l, const char **rest)
{
    skip_blanks(l);
    *rest = l->at;
    while (!ends_line(l)) l->at++;
    size_t n = (size_t)(l->at - *rest);
    while (n > 0 && strchr(" \t\r", (*rest)[n - 1])) n--;
    return n;
}

static void next_line(line *l)
{
    while (!ends_line(l)) {
        l->at++;
        skip_blanks(l); // which knows what continues
    }
    l->at += l->at < l->end;
    l->number++;
}

static bool is(const char *word, size_t n, const char *wanted)
{
    return strlen(wanted) == n && memcmp(word, wanted, n) == 0;
}

static bool read_three(line *l, double value[3])
{
    const char *word;
    for (int i = 0; i < 3; i++) {
        const size_t n = next_word(l, &word);
        if (n == 0 || fa_number_read(word, n, &value[i]) != n) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------- colours

static void add_material(obj *o, const char *name, size_t n)
{
    enum { MOST = 10000 };
    if (o->n_materials == MOST || n == 0 || n >= sizeof o->material->name) return;
    if ((o->n_materials & (o->n_materials - 1)) == 0) { // full at each power of two
        const size_t room = o->n_materials ? 2 * (size_t)o->n_materials : 1;
        material    *larger = realloc(o->material, room * sizeof *larger);
        if (!larger) return;
        o->material = larger;
    }
    material *m = &o->material[o->n_materials++];
    *m = (material){.colour = {NAN}};
    memcpy(m->name, name, n);
}

static void read_materials(obj *o, const char *bytes, size_t size)
{
    const char *word, *name;
    for (line l = {bytes, bytes + size, 1}; l.at < l.end; next_line(&l)) {
        const size_t n = next_word(&l, &word);
        if (is(word, n, "newmtl")) {
            const size_t length = rest_of_line(&l, &name);
            add_material(o, name, length);
        }
        double colour[3];
        if (is(word, n, "Kd") && o->n_materials && read_three(&l, colour))
            memcpy(o->material[o->n_materials - 1].colour, colour, sizeof colour);
    }
}

// Whatever is wrong with the file, the mesh has its shape.
static bool load_materials(obj *o, const char *name, size_t n)
{
    char  *bytes;
    size_t size;
    if (fa_mesh_beside(o->r, name, n, &bytes, &size) != FA_OK) return false;
    read_materials(o, bytes, size);
    free(bytes);
    return true;
}

// Loads one library whose name may have blanks, or several.
static void load_libraries(obj *o, line l)
{
    const char  *name;
    line         whole = l;
    const size_t n = rest_of_line(&whole, &name);
    if (load_materials(o, name, n)) return;
    for (size_t length; (length = next_word(&l, &name)) > 0;) (void)load_materials(o, name, length);
}

static fa_status use_material(obj *o, line *l)
{
    const char   *name;
    const double *colour = NULL;
    const size_t  n = rest_of_line(l, &name);
    for (int i = 0; i < o->n_materials; i++)
        if (is(name, n, o->material[i].name) && isfinite(o->material[i].colour[0]))
            colour = o->material[i].colour;
    return fa_mesh_paint(o->r, colour) ? FA_OK : fa_mesh_no_memory(o->r);
}

// ----------------------------------------------------------------------------------------- shapes

static fa_status add_vertex(obj *o, line *l)
{
    double value[3];
    if (!read_three(l, value))
        return fa_fail(o->r->error, FA_BAD_INPUT, o->r->path, (fa_place){l->number, 1},
                       "a vertex (v) has three numbers");
    if (o->n == o->room) {
        const size_t room = 2 * o->room + 256;
        fa_vec3     *larger = realloc(o->vertex, room * sizeof *larger);
        if (!larger) return fa_mesh_no_memory(o->r);
        o->vertex = larger;
        o->room = room;
    }
    o->vertex[o->n++] = vec3(value[0], value[1], value[2]);
    return FA_OK;
}

// The vertex that 7, 7/1, 7//2, 7/1/2 or -1 means; NULL: there is none.
static const fa_vec3 *vertex_of(const obj *o, const char *word, size_t n)
{
    const bool back = n > 0 && word[0] == '-';
    size_t     index = 0, i = back;
    for (; i < n && word[i] >= '0' && word[i] <= '9' && index <= o->n; i++)
        index = 10 * index + (size_t)(word[i] - '0');
    if ((i < n && word[i] != '/') || index == 0 || index > o->n) return NULL;
    return &o->vertex[back ? o->n - index : index - 1];
}

static fa_status add_face(obj *o, line *l)
{
    const char *word;
    size_t      n = 0;
    for (size_t size; (size = next_word(l, &word)) > 0 && word[0] != '#';) {
        const fa_vec3 *v = vertex_of(o, word, size);
        if (!v)
            return fa_fail(o->r->error, FA_BAD_INPUT, o->r->path, (fa_place){l->number, 1},
                           "the face (f) names the vertex '%.*s', and %zu stand before it",
                           (int)(size < 40 ? size : 40), word, o->n);
        if (n == o->corner_room) {
            const size_t room = 2 * o->corner_room + 16;
            fa_vec3     *larger = realloc(o->corner, room * sizeof *larger);
            if (!larger) return fa_mesh_no_memory(o->r);
            o->corner = larger;
            o->corner_room = room;
        }
        o->corner[n++] = *v;
    }
    return fa_mesh_add_polygon(o->r, o->corner, n);
}

bool fa_obj_is_one(const char *bytes, size_t size)
{
    static const char *const first[] = {"v", "vn", "vt", "f", "g", "o", "s", "mtllib", "usemtl"};
    const char              *word = bytes;
    size_t                   n = 0;
    for (line l = {bytes, bytes + size, 1}; l.at < l.end && (n == 0 || *word == '#'); next_line(&l))
        n = next_word(&l, &word);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (is(word, n, first[i])) return true;
    return false;
}

fa_status fa_obj_read(fa_mesh_reader *r, const char *bytes, size_t size)
{
    obj         o = {.r = r};
    fa_status   status = FA_OK;
    const char *word;
    for (line l = {bytes, bytes + size, 1}; l.at < l.end && status == FA_OK; next_line(&l)) {
        const size_t n = next_word(&l, &word);
        if (is(word, n, "v"))
            status = add_vertex(&o, &l);
        else if (is(word, n, "f"))
            status = add_face(&o, &l);
        else if (is(word, n, "usemtl"))
            status = use_material(&o, &l);
        else if (is(word, n, "mtllib"))
            load_libraries(&o, l);
    }
    free(o.vertex);
    free(o.corner);
    free(o.material);
    return status;
}
