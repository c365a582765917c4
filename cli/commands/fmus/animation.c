// Writes what OpenModelica's editor reads (VisualXML in its compiler, OMVisualBase in OMEdit). Each
// number of a shape is a constant, <exp>, or a variable, <cref>; there is no arithmetic. A shape
// belongs to a frame: `r` is the frame's origin, and the rows of `T` are its axes, in the world. In
// that frame `r_shape` leads to the beginning of the shape. From there it is `length` long along
// `lengthDir`, `width` wide along `widthDir` and `height` high across both. A mesh stands at
// `r_shape`, its x along `lengthDir` and its y along `widthDir`.
#include "animation.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "number.h"
#include "variables.h"
#include "visual.h"

#define MOST_TRIANGLES 60000 // sum over all meshes: a file of three megabytes

typedef struct scene {
    const fa_robot *robot;
    const char     *identifier;
    fa_visuals      visuals;
    fa_markup       out;
    fa_animation   *animation;
    int             n_meshes;
    fa_error       *error;
} scene;

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the scene of the animation");
}

// ----------------------------------------------------------------------------------------- numbers

static void constant(scene *s, double value)
{
    fa_markup_element(&s->out, "exp", fa_number_text(value + 0.0).text); // no -0
}

static void constants(scene *s, const char *element, fa_vec3 v)
{
    fa_markup_open(&s->out, element);
    constant(s, v.x);
    constant(s, v.y);
    constant(s, v.z);
    fa_markup_close(&s->out);
}

static void one_constant(scene *s, const char *element, double value)
{
    fa_markup_open(&s->out, element);
    constant(s, value);
    fa_markup_close(&s->out);
}

static void variable(scene *s, const char *of, const char *what)
{
    char name[2 * FA_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", of, what);
    fa_markup_element(&s->out, "cref", name);
}

// ------------------------------------------------------------------------------------------ places

static fa_vec3 row_of(fa_mat3 E, int i)
{
    return vec3(E.m[i][0], E.m[i][1], E.m[i][2]);
}

static void still_place(scene *s, int link)
{
    fa_transform place = transform_identity();
    for (int i = link; i != FA_WORLD; i = s->robot->link[i].parent) {
        const fa_link *at = &s->robot->link[i];
        place = transform_compose(transform_compose(at->joint.origin, at->frame), place);
    }
    fa_markup_open(&s->out, "T");
    for (int i = 0; i < 9; i++) constant(s, place.E.m[i / 3][i % 3]);
    fa_markup_close(&s->out);
    constants(s, "r", place.r);
}

static void moving_place(scene *s, int link)
{
    static const char *const axes[] = {"x_axis.x", "x_axis.y", "x_axis.z", "y_axis.x", "y_axis.y",
                                       "y_axis.z", "z_axis.x", "z_axis.y", "z_axis.z"};
    static const char *const origin[] = {"position.x", "position.y", "position.z"};
    char                     segment[FA_NAME_SIZE + 1], of[FA_NAME_SIZE + 8];
    fa_variable_segment(s->robot->link[link].name, segment, sizeof segment);
    snprintf(of, sizeof of, "link.%s", segment);
    fa_markup_open(&s->out, "T");
    for (int i = 0; i < 9; i++) variable(s, of, axes[i]);
    fa_markup_close(&s->out);
    fa_markup_open(&s->out, "r");
    for (int i = 0; i < 3; i++) variable(s, of, origin[i]);
    fa_markup_close(&s->out);
}

// Writes the frame of a snake's link: it moves in the plane, and turns about its wheel.
static void plane_place(scene *s, int link)
{
    char of[32];
    snprintf(of, sizeof of, "link%d", link + 1);
    fa_markup_open(&s->out, "T");
    variable(s, of, "x_axis.x");
    variable(s, of, "x_axis.y");
    constant(s, 0);
    variable(s, of, "y_axis.x");
    variable(s, of, "y_axis.y");
    for (int i = 0; i < 4; i++) constant(s, i == 3);
    fa_markup_close(&s->out);
    fa_markup_open(&s->out, "r");
    variable(s, of, "x");
    variable(s, of, "y");
    constant(s, 0);
    fa_markup_close(&s->out);
}

static void place(scene *s, int link)
{
    if (fa_robot_is_snake(s->robot))
        plane_place(s, link);
    else if (fa_robot_link_moves(s->robot, link))
        moving_place(s, link);
    else
        still_place(s, link);
}

// ------------------------------------------------------------------------------------------ meshes

static fa_resource *add(scene *s, size_t size)
{
    fa_animation *a = s->animation;
    fa_resource  *larger = realloc(a->of, ((size_t)a->n + 1) * sizeof *larger);
    if (!larger) return NULL;
    a->of = larger;
    a->of[a->n] = (fa_resource){.data = size ? calloc(size, 1) : NULL, .size = size};
    if (size && !a->of[a->n].data) return NULL;
    return &a->of[a->n++];
}

static void put_integer(char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) to[i] = (char)(value >> 8 * i & 255);
}

static void put_vector(char *to, fa_vec3 v)
{
    const float part[] = {(float)v.x, (float)v.y, (float)v.z};
    for (int i = 0; i < 3; i++) {
        uint32_t bits;
        memcpy(&bits, &part[i], sizeof bits);
        put_integer(to + 4L * i, bits);
    }
}

static fa_vec3 normal_of(const fa_triangle *t)
{
    const fa_vec3 n =
        cross(vec3_sub(t->corner[1], t->corner[0]), vec3_sub(t->corner[2], t->corner[0]));
    const double length = vec3_norm(n);
    return length > 0 ? vec3_scale(1 / length, n) : vec3(0, 0, 0);
}

// Writes the mesh as a binary STL file: a header of 80 bytes that must not begin with "solid", the
// number of triangles, and for each its normal, three corners and two unused bytes.
static fa_status add_mesh(scene *s, const fa_visual *visual)
{
    enum { HEAD = 80, TRIANGLE = 50 };
    const size_t n = visual->n_triangles;
    fa_resource *file = add(s, HEAD + 4 + n * TRIANGLE);
    if (!file) return no_memory(s->error);
    snprintf(file->name, sizeof file->name, "%s_visual/%d.stl", s->identifier, ++s->n_meshes);
    memcpy(file->data, "a link's shape, in metres", 25);
    put_integer(file->data + HEAD, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        char *to = file->data + HEAD + 4 + i * TRIANGLE;
        put_vector(to, normal_of(&visual->triangles[i]));
        for (int k = 0; k < 3; k++) put_vector(to + 12L * (k + 1), visual->triangles[i].corner[k]);
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------------ shapes

// Returns the colour of a link. Links without one take it from this palette, so that neighbours
// differ: 0 to 255.
static fa_vec3 colour_of(const fa_visual *visual)
{
    static const fa_vec3 row[] = {{125, 139, 153}, {200, 116, 60},  {91, 134, 168}, {185, 162, 74},
                                  {111, 154, 114}, {168, 101, 107}, {133, 118, 168}};
    if (!visual->coloured) return row[visual->link % (int)(sizeof row / sizeof *row)];
    return vec3(255 * visual->colour[0], 255 * visual->colour[1], 255 * visual->colour[2]);
}

typedef struct extent {
    const char *type;
    fa_vec3     begin, along, across; // in the link's frame
    double      length, width, height;
} extent;

static extent extent_of(const fa_visual *v)
{
    const fa_vec3 x = row_of(v->frame.E, 0), y = row_of(v->frame.E, 1), z = row_of(v->frame.E, 2);
    extent        e = {"box", v->frame.r, x, y, v->size.x, v->size.y, v->size.z};
    switch (v->kind) {
    case FA_VISUAL_BOX:
        break;
    case FA_VISUAL_CYLINDER:
        e = (extent){"cylinder", v->frame.r, z, x, v->size.z, 2 * v->size.x, 2 * v->size.x};
        break;
    case FA_VISUAL_SPHERE:
        e.type = "sphere";
        e.length = e.width = e.height = 2 * v->size.x;
        break;
    case FA_VISUAL_MESH: // a mesh has its own size
        e.length = e.width = e.height = 1;
        return e;
    }
    e.begin = vec3_sub(e.begin, vec3_scale(e.length / 2, e.along));
    return e;
}

static fa_status put_shape(scene *s, const fa_visual *visual, int number)
{
    const extent e = extent_of(visual);
    char         segment[FA_NAME_SIZE + 1], text[2 * FA_NAME_SIZE + 32];
    fa_status    status = visual->kind == FA_VISUAL_MESH ? add_mesh(s, visual) : FA_OK;
    fa_variable_segment(s->robot->link[visual->link].name, segment, sizeof segment);
    fa_markup_open(&s->out, "shape");
    snprintf(text, sizeof text, "%s.shape%d", segment, number);
    fa_markup_element(&s->out, "ident", text);
    snprintf(text, sizeof text, "file://%s_visual/%d.stl", s->identifier, s->n_meshes);
    fa_markup_element(&s->out, "type", visual->kind == FA_VISUAL_MESH ? text : e.type);
    place(s, visual->link);
    constants(s, "r_shape", e.begin);
    constants(s, "lengthDir", e.along);
    constants(s, "widthDir", e.across);
    one_constant(s, "length", e.length);
    one_constant(s, "width", e.width);
    one_constant(s, "height", e.height);
    one_constant(s, "extra", 0);
    constants(s, "color", colour_of(visual));
    one_constant(s, "specCoeff", 0.7);
    fa_markup_close(&s->out);
    return status;
}

// Writes the list of meshes: a line "1.stl NAME" for each.
static fa_status name_meshes(scene *s)
{
    size_t size = 0;
    int    number = 0;
    for (int i = 0; i < s->visuals.n; i++)
        if (s->visuals.of[i].kind == FA_VISUAL_MESH) size += strlen(s->visuals.of[i].file) + 24;
    if (size == 0) return FA_OK;
    fa_resource *file = add(s, size);
    if (!file) return no_memory(s->error);
    snprintf(file->name, sizeof file->name, "%s_visual/meshes.txt", s->identifier);
    file->size = 0;
    for (int i = 0; i < s->visuals.n; i++)
        if (s->visuals.of[i].kind == FA_VISUAL_MESH)
            file->size += (size_t)snprintf(file->data + file->size, size - file->size,
                                           "%d.stl %s\n", ++number, s->visuals.of[i].file);
    return FA_OK;
}

fa_status fa_animation_make(const fa_robot *robot, const fa_robot *as_read, const char *path,
                            const fa_xacro_options *xacro, const char *identifier,
                            const fa_log *log, fa_animation *animation, fa_error *error)
{
    scene s = {.robot = robot, .identifier = identifier, .animation = animation, .error = error};
    *animation = (fa_animation){.n = 0};
    fa_status status = fa_visuals_of(as_read, path, xacro, MOST_TRIANGLES, log, &s.visuals, error);
    if (status != FA_OK) return status;
    fa_resource *file = add(&s, 0);
    s.out = fa_markup_new();
    if (file)
        snprintf(file->name, sizeof file->name, "%s_visual.xml", identifier);
    else
        status = no_memory(error);
    fa_markup_declaration(&s.out);
    fa_markup_open(&s.out, "visualization");
    for (int i = 0; i < s.visuals.n && status == FA_OK; i++)
        status = put_shape(&s, &s.visuals.of[i], i + 1);
    if (status == FA_OK) status = name_meshes(&s);
    fa_markup_close(&s.out);
    char     *text = NULL;
    size_t    size = 0;
    fa_status written = fa_markup_finish(&s.out, &text, &size, status == FA_OK ? error : NULL);
    if (status == FA_OK) status = written;
    if (written == FA_OK && animation->n > 0) {
        animation->of[0].data = text;
        animation->of[0].size = size;
    } else {
        free(text);
    }
    fa_visuals_free(&s.visuals);
    return status;
}

void fa_animation_free(fa_animation *animation)
{
    for (int i = 0; i < animation->n; i++) free(animation->of[i].data);
    free(animation->of);
    *animation = (fa_animation){.n = 0};
}
