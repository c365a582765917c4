// Fills the viewer with robot and recorded motion, and writes the HTML page.
#include "page.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_quantity.h"
#include "chain.h"
#include "decimate.h"
#include "files.h"
#include "inspection.h"
#include "joint_parts.h"
#include "json.h"
#include "names.h"
#include "page_circuit.h"
#include "report.h"
#include "visual.h"

#define MOST_LINES     4000  // limit of the page; longer runs are thinned
#define MOST_TRIANGLES 60000 // limit of all meshes together

static const char PLACE[] = "<!-- RUN -->";

typedef struct page {
    fa_json             json;
    const fa_robot     *robot;
    const fa_state     *state;
    const fa_recording *recording;
    const fa_page_pose *pose; // NULL: a motion
    fa_visuals          visuals;
    size_t              stride, lines; // of the recording's lines, every stride-th is shown
    float              *values;        // scratch for them
    bool                lost;          // a mesh is missing for lack of memory
    fa_status           circuit;       // of its picture
} page;

fa_status fa_page_available(fa_error *error)
{
    if (fa_viewer_page_size > 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "this program was built without the viewer, for which CMake found no npm; "
                   "install Node.js with npm and build it again, or take --plot FILE.svg");
}

// ------------------------------------------------------------------------------------------ robot

static void put_transform(page *p, const char *key, fa_transform X)
{
    double n[12];
    for (int i = 0; i < 9; i++) n[i] = X.E.m[i % 3][i / 3]; // child to parent
    n[9] = X.r.x, n[10] = X.r.y, n[11] = X.r.z;
    fa_json_numbers(&p->json, key, n, 12);
}

// Writes a mesh as an index buffer: each corner once, quantised within its bounding box, and
// triangles by the indices of their corners; some nine bytes a triangle.
static fa_status put_mesh(page *p, const fa_visual *visual)
{
    enum { STEPS = 65535 };
    fa_indexed mesh;
    if (!fa_index_corners(visual->triangles, visual->n_triangles, &mesh)) return FA_NO_MEMORY;
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    double box[6];
    for (size_t i = 0; i < mesh.n_corners; i++) {
        const double v[3] = {mesh.corner[i].x, mesh.corner[i].y, mesh.corner[i].z};
        for (int k = 0; k < 3; k++) {
            least[k] = fmin(least[k], v[k]);
            most[k] = fmax(most[k], v[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        box[k] = least[k];
        box[3 + k] = most[k] - least[k];
    }
    const size_t width = mesh.n_corners <= STEPS + 1 ? 2 : 4, n = 3 * visual->n_triangles;
    uint8_t     *bytes = malloc(6 * mesh.n_corners + width * n + 1), *to = bytes;
    for (size_t i = 0; i < mesh.n_corners && bytes; i++) {
        const double v[3] = {mesh.corner[i].x, mesh.corner[i].y, mesh.corner[i].z};
        for (int k = 0; k < 3; k++) {
            const double   part = box[3 + k] > 0 ? (v[k] - least[k]) / box[3 + k] : 0;
            const unsigned step = (unsigned)lround(STEPS * part);
            *to++ = (uint8_t)(step & 255);
            *to++ = (uint8_t)(step >> 8);
        }
    }
    for (size_t i = 0; i < n && bytes; i++)
        for (size_t k = 0; k < width; k++) *to++ = (uint8_t)(mesh.index[i] >> 8 * k & 255);
    if (bytes) {
        fa_json_numbers(&p->json, "box", box, 6);
        fa_json_number(&p->json, "corners", (double)mesh.n_corners);
        fa_json_bytes(&p->json, "triangles", bytes, (size_t)(to - bytes));
    }
    free(bytes);
    fa_indexed_free(&mesh);
    return bytes ? FA_OK : FA_NO_MEMORY;
}

static void put_shape(page *p, const fa_visual *visual)
{
    static const char *const kinds[] = {"box", "cylinder", "sphere", "mesh"};
    const double             size[] = {visual->size.x, visual->size.y, visual->size.z};
    fa_json_open(&p->json, NULL, '{');
    fa_json_text(&p->json, "kind", kinds[visual->kind]);
    put_transform(p, "frame", visual->frame);
    if (visual->coloured) fa_json_numbers(&p->json, "colour", visual->colour, 3);
    if (visual->kind != FA_VISUAL_MESH) {
        fa_json_numbers(&p->json, "size", size, 3);
    } else {
        p->lost |= put_mesh(p, visual) != FA_OK;
    }
    fa_json_close(&p->json, '}');
}

// Writes the variables of a joint of several freedoms, and the axes in which a planar one slides.
static void put_positions(page *p, const fa_joint *joint, int link)
{
    const fa_variables *table = &p->state->table;
    fa_vec3             across[2];
    fa_json_open(&p->json, "positions", '[');
    for (int row = 0; row < table->n; row++)
        if (table->row[row].quantity == FA_ARM_POSITION && table->row[row].index == link)
            fa_json_text(&p->json, NULL, table->row[row].name);
    fa_json_close(&p->json, ']');
    if (joint->type != FA_PLANAR) return;
    fa_axes_across(joint->axis, &across[0], &across[1]);
    fa_json_open(&p->json, "across", '[');
    for (int i = 0; i < 2; i++) fa_json_numbers(&p->json, NULL, &across[i].x, 3);
    fa_json_close(&p->json, ']');
}

static void put_joint(page *p, const fa_link *link)
{
    const fa_joint *joint = &link->joint, *leader = joint;
    const double    axis[] = {joint->axis.x, joint->axis.y, joint->axis.z};
    double          ratio = 1, offset = 0;
    fa_json_text(&p->json, "joint", fa_joint_kinds[joint->type].name);
    put_transform(p, "origin", joint->origin);
    put_transform(p, "frame", link->frame);
    fa_json_numbers(&p->json, "axis", axis, 3);
    if (joint->type == FA_FIXED) return;
    fa_json_text(&p->json, "joint_name", joint->name);
    fa_json_bool(&p->json, "follows", joint->mimic.leader != FA_NOBODY);
    fa_json_bool(&p->json, "dependent", joint->dependent);
    while (leader->mimic.leader != FA_NOBODY) {
        offset += ratio * leader->mimic.offset;
        ratio *= leader->mimic.ratio;
        leader = &p->robot->link[leader->mimic.leader].joint;
    }
    if (joint->type == FA_SCREW) fa_json_number(&p->json, "advance", fa_joint_advance(joint));
    if (fa_joint_is_several(joint->type)) {
        put_positions(p, joint, (int)(link - p->robot->link));
        return;
    }
    fa_json_known(&p->json, "lower", joint->limit.lower);
    fa_json_known(&p->json, "upper", joint->limit.upper);
    char name[FA_NAME_SIZE], variable[2 * FA_NAME_SIZE];
    fa_variable_segment(leader->name, name, sizeof name);
    snprintf(variable, sizeof variable, "joint.%s.position", name);
    fa_json_text(&p->json, "position", variable);
    fa_json_number(&p->json, "ratio", ratio);
    fa_json_number(&p->json, "offset", offset);
}

// Writes the link of a snake. Its own variables are its pose.
static void put_plane(page *p, int i)
{
    static const char *const ends[] = {"x", "y", "angle"};
    fa_json_open(&p->json, "plane", '[');
    for (int k = 0; k < 3; k++) {
        char name[64];
        if (i == 0 && k < 2)
            snprintf(name, sizeof name, "%s", ends[k]);
        else
            snprintf(name, sizeof name, "link%d.%s", i + 1, ends[k]);
        fa_json_text(&p->json, NULL, name);
    }
    fa_json_close(&p->json, ']');
    const fa_segment *segment = &p->robot->link[i].segment;
    fa_json_numbers(&p->json, "segment", (const double[]){segment->length, segment->wheel}, 2);
}

static void put_links(page *p)
{
    fa_json_open(&p->json, "links", '[');
    for (int i = 0; i < p->robot->n_links; i++) {
        const fa_link *link = &p->robot->link[i];
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "name", link->name);
        fa_json_number(&p->json, "parent", link->parent);
        if (fa_robot_is_snake(p->robot))
            put_plane(p, i);
        else
            put_joint(p, link);
        fa_json_open(&p->json, "shapes", '[');
        for (int k = 0; k < p->visuals.n; k++)
            if (p->visuals.of[k].link == i) put_shape(p, &p->visuals.of[k]);
        fa_json_close(&p->json, ']');
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
}

static void put_point(page *p, const char *key, fa_vec3 point)
{
    fa_json_numbers(&p->json, key, (const double[]){point.x, point.y, point.z}, 3);
}

// Writes the cylinders: their mounting points, and bore, rod and length where the file has them.
static void put_cylinders(page *p)
{
    fa_json_open(&p->json, "cylinders", '[');
    for (int i = 0; i < p->robot->n_cylinders; i++) {
        const fa_cylinder *c = fa_robot_cylinder(p->robot, i);
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "name", c->name);
        fa_json_number(&p->json, "from", c->from);
        fa_json_number(&p->json, "to", c->to);
        put_point(p, "from_point", c->from_point);
        put_point(p, "to_point", c->to_point);
        fa_json_number(&p->json, "bore", c->number[FA_CYLINDER_bore]);
        fa_json_number(&p->json, "rod", c->number[FA_CYLINDER_rod]);
        fa_json_number(&p->json, "closed_length", c->number[FA_CYLINDER_closed_length]);
        if (c->linkage.present) {
            fa_json_open(&p->json, "linkage", '{');
            put_point(p, "pivot", c->linkage.pivot);
            fa_json_number(&p->json, "rocker", c->linkage.rocker);
            fa_json_number(&p->json, "coupler", c->linkage.coupler);
            fa_json_number(&p->json, "branch", c->linkage.branch);
            fa_json_close(&p->json, '}');
        }
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
}

// Writes the loops, which the page closes where it moves joints.
static void put_loops(page *p)
{
    fa_json_open(&p->json, "loops", '[');
    for (int i = 0; i < p->robot->n_loops; i++) {
        const fa_loop *loop = fa_robot_loop(p->robot, i);
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "type", fa_loop_kinds[loop->type].name);
        fa_json_number(&p->json, "from", loop->from);
        fa_json_number(&p->json, "to", loop->to);
        put_transform(p, "from_frame", loop->from_frame);
        put_transform(p, "to_frame", loop->to_frame);
        put_point(p, "axis", loop->axis);
        put_point(p, "second", loop->second);
        fa_json_known(&p->json, "length", loop->length);
        fa_json_known(&p->json, "ratio", loop->ratio);
        fa_json_open(&p->json, "terms", '[');
        for (int k = 0; k < loop->n_terms; k++) {
            fa_json_open(&p->json, NULL, '{');
            fa_json_number(&p->json, "of", loop->term[k].of);
            fa_json_numbers(&p->json, "coefficients", loop->term[k].coefficient,
                            FA_RELATION_DEGREE + 1);
            fa_json_close(&p->json, '}');
        }
        fa_json_close(&p->json, ']');
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
}

static void put_pose(page *p)
{
    fa_json_open(&p->json, "pose", '{');
    fa_json_open(&p->json, "warnings", '[');
    for (int i = 0; i < p->pose->n_warnings; i++) {
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "place", p->pose->warning[i].place);
        fa_json_text(&p->json, "text", p->pose->warning[i].text);
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
    put_loops(p);
    fa_json_close(&p->json, '}');
}

// Writes the contacts, each with the variable that tells whether it touches.
static void put_contacts(page *p)
{
    static const char *const shapes[] = {
#define X(code, name) [code] = (name),
        FA_CONTACT_SHAPE_LIST(X)
#undef X
    };
    fa_json_open(&p->json, "contacts", '[');
    for (int i = 0; i < p->robot->n_contacts; i++) {
        const fa_contact *c = fa_robot_contact(p->robot, i);
        char              name[FA_NAME_SIZE], touching[2 * FA_NAME_SIZE];
        fa_variable_segment(c->name, name, sizeof name);
        snprintf(touching, sizeof touching, "contact.%s.touching", name);
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "name", c->name);
        fa_json_text(&p->json, "shape", shapes[c->shape]);
        fa_json_number(&p->json, "link", c->link);
        fa_json_number(&p->json, "on", c->on);
        put_point(p, "centre", c->point);
        put_point(p, "axis", c->axis);
        fa_json_number(&p->json, "radius", c->law.radius);
        fa_json_text(&p->json, "touching", touching);
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
}

// Writes what contacts touch: obstacles, and the ground if there is a contact on it.
static void put_surroundings(page *p)
{
    bool on_ground = false;
    for (int i = 0; i < p->robot->n_contacts; i++)
        on_ground |= fa_robot_contact(p->robot, i)->on == FA_WORLD;
    fa_json_open(&p->json, "obstacles", '[');
    for (int i = 0; i < p->robot->n_obstacles; i++) {
        const fa_obstacle *o = fa_robot_obstacle(p->robot, i);
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "name", o->name);
        fa_json_text(&p->json, "kind", o->shape == FA_OBSTACLE_BOX ? "box" : "sphere");
        put_transform(p, "frame", o->pose);
        put_point(p, "size",
                  o->shape == FA_OBSTACLE_BOX ? o->size : vec3(o->radius, o->radius, o->radius));
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
    if (!on_ground) return;
    fa_json_open(&p->json, "ground", '{');
    put_point(p, "point", p->robot->ground.said ? p->robot->ground.point : vec3(0, 0, 0));
    put_point(p, "normal", p->robot->ground.said ? p->robot->ground.normal : vec3(0, 0, 1));
    fa_json_close(&p->json, '}');
}

static void put_line(page *p, const char *name, const char *type, int from, fa_vec3 from_point,
                     int to, fa_vec3 to_point)
{
    fa_json_open(&p->json, NULL, '{');
    fa_json_text(&p->json, "name", name);
    fa_json_text(&p->json, "type", type);
    fa_json_number(&p->json, "from", from);
    fa_json_number(&p->json, "to", to);
    put_point(p, "from_point", from_point);
    put_point(p, "to_point", to_point);
    fa_json_close(&p->json, '}');
}

// Writes both ends of loops and of line springs. Couplings have none.
static void put_lines(page *p)
{
    fa_json_open(&p->json, "lines", '[');
    for (int i = 0; i < p->robot->n_loops; i++) {
        const fa_loop *l = fa_robot_loop(p->robot, i);
        if (fa_loop_is_of_positions(l->type)) continue;
        put_line(p, l->name, fa_loop_kinds[l->type].name, l->from, l->from_frame.r, l->to,
                 l->to_frame.r);
    }
    for (int i = 0; i < p->robot->n_springs; i++) {
        const fa_line_spring *s = fa_robot_spring(p->robot, i);
        put_line(p, s->name, "spring", s->from, s->from_point, s->to, s->to_point);
    }
    fa_json_close(&p->json, ']');
}

// Writes the gravity of this run, which orients the picture. A snake has none: it lies on the
// ground.
static void put_gravity(page *p)
{
    static const char *const names[] = {"gravity.x", "gravity.y", "gravity.z"};
    double                   gravity[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        int row = fa_names_find(&p->state->names, names[i]);
        if (row >= 0) gravity[i] = p->state->value[row];
    }
    fa_json_numbers(&p->json, "gravity", gravity, 3);
}

// -------------------------------------------------------------------------------------- variables

static const fa_variable *variable_of(const page *p, int column)
{
    return &p->state->table.row[p->recording->row[column]];
}

// Converts to single precision, clamped to its largest finite number.
static float single(double x)
{
    return (float)fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX);
}

static void put_columns(page *p)
{
    fa_json_open(&p->json, "columns", '[');
    for (int i = 0; i < p->recording->columns; i++) {
        const fa_variable *v = variable_of(p, i);
        fa_json_open(&p->json, NULL, '{');
        fa_json_text(&p->json, "name", v->name);
        fa_json_text(&p->json, "unit", fa_units[v->unit].name);
        fa_json_text(&p->json, "of", fa_key_owner(&v->key).text);
        fa_json_text(&p->json, "quantity", v->name + v->key.word);
        fa_json_close(&p->json, '}');
    }
    fa_json_close(&p->json, ']');
    fa_json_number(&p->json, "rows", (double)p->lines);
    float *next = p->values;
    for (int i = 0; i < p->recording->columns; i++)
        for (size_t k = 0; k < p->lines; k++) {
            size_t line = k * p->stride;
            // The last line is always shown.
            if (line >= p->recording->n) line = p->recording->n - 1;
            *next++ = single(fa_recorded(p->recording, line, i));
        }
    fa_json_floats(&p->json, "values", p->values, (size_t)(next - p->values));
}

// Writes the default plots of the page: drives of the joints, positions, speeds.
static void put_plots(page *p)
{
    static const char *const groups[][3] = {
        {"torque", "force", "voltage"}, {"position", "angle", NULL}, {"velocity", "rate", NULL}};
    enum { GROUPS = sizeof groups / sizeof *groups, MOST_CURVES = 12 };
    fa_json_open(&p->json, "plots", '[');
    for (int g = 0; g < GROUPS; g++) {
        int curves = 0;
        for (int i = 1; i < p->recording->columns && curves < MOST_CURVES; i++) {
            const fa_variable *one = variable_of(p, i);
            bool               here = false;
            for (int k = 0; k < 3 && groups[g][k]; k++)
                here |= one->key.axis == FA_ALONG_NONE &&
                        (fa_variable_is(one, FA_OF_JOINT, groups[g][k]) ||
                         fa_variable_is(one, FA_OF_LINK, groups[g][k]));
            if (!here) continue;
            if (curves++ == 0) fa_json_open(&p->json, NULL, '[');
            fa_json_text(&p->json, NULL, one->name);
        }
        if (curves > 0) fa_json_close(&p->json, ']');
    }
    fa_json_close(&p->json, ']');
}

// Lists the mesh files that the page contains, by their names in the robot file.
static void put_mesh_facts(page *p)
{
    for (int i = 0; i < p->visuals.n; i++) {
        const fa_visual *mesh = &p->visuals.of[i];
        bool             told = mesh->kind != FA_VISUAL_MESH;
        for (int k = 0; k < i && !told; k++) told = strcmp(p->visuals.of[k].file, mesh->file) == 0;
        if (told) continue;
        fa_json_open(&p->json, NULL, '[');
        fa_json_text(&p->json, NULL, "contains the mesh");
        fa_json_text(&p->json, NULL, mesh->file);
        fa_json_close(&p->json, ']');
    }
}

static void put_run(page *p, const fa_fact fact[], int n_facts, fa_error *error)
{
    char subtitle[256];
    int  freedom = fa_robot_independent(p->robot);
    snprintf(subtitle, sizeof subtitle, "%s, %d link%s, %d degree%s of freedom",
             fa_robot_is_snake(p->robot) ? "snake" : "arm", p->robot->n_links,
             p->robot->n_links == 1 ? "" : "s", freedom, freedom == 1 ? "" : "s");
    fa_json_open(&p->json, NULL, '{');
    fa_json_text(&p->json, "robot", p->robot->name);
    fa_json_text(&p->json, "subtitle", subtitle);
    fa_json_number(&p->json, "size", fa_robot_reach(p->robot));
    fa_json_open(&p->json, "facts", '[');
    for (int i = 0; i < n_facts; i++) {
        fa_json_open(&p->json, NULL, '[');
        fa_json_text(&p->json, NULL, fact[i].what);
        fa_json_text(&p->json, NULL, fact[i].text);
        fa_json_close(&p->json, ']');
    }
    put_mesh_facts(p);
    if (p->stride > 1) {
        char text[64];
        snprintf(text, sizeof text, "every %zu. line of %zu", p->stride, p->recording->n);
        fa_json_open(&p->json, NULL, '[');
        fa_json_text(&p->json, NULL, "on this page");
        fa_json_text(&p->json, NULL, text);
        fa_json_close(&p->json, ']');
    }
    fa_json_close(&p->json, ']');
    put_plots(p);
    put_gravity(p);
    put_links(p);
    put_cylinders(p);
    put_contacts(p);
    put_surroundings(p);
    put_lines(p);
    if (p->pose) put_pose(p);
    p->circuit = fa_page_put_circuit(&p->json, p->robot, &p->state->table, error);
    put_columns(p);
    fa_json_close(&p->json, '}');
}

// ------------------------------------------------------------------------------------- the file

// Appends JSON text. Escapes "<", so that no text can end the enclosing element.
static fa_status append_json(fa_new_file *file, const char *text, size_t size, fa_error *error)
{
    fa_status status = FA_OK;
    while (size > 0 && status == FA_OK) {
        const char *bracket = memchr(text, '<', size);
        size_t      part = bracket ? (size_t)(bracket - text) : size;
        status = fa_new_file_append(file, text, part, error);
        if (status == FA_OK && bracket) status = fa_new_file_append(file, "\\u003c", 6, error);
        text += part + (bracket != NULL);
        size -= part + (bracket != NULL);
    }
    return status;
}

static fa_status write_page(const char *out, const char *json, size_t size, fa_error *error)
{
    const char *text = (const char *)fa_viewer_page;
    const char *place = strstr(text, PLACE); // the build checks this and appends a zero byte
    const char *rest = place + sizeof PLACE - 1;
    fa_new_file file;
    fa_status   status = fa_new_file_create(out, &file, error);
    if (status != FA_OK) return status;
    status = fa_new_file_append(&file, text, (size_t)(place - text), error);
    if (status == FA_OK) status = append_json(&file, json, size, error);
    if (status == FA_OK)
        status =
            fa_new_file_append(&file, rest, fa_viewer_page_size - (size_t)(rest - text), error);
    if (status == FA_OK) status = fa_new_file_keep(&file, error);
    fa_new_file_drop(&file);
    return status;
}

fa_status fa_page_write(const char *out, const char *path, const fa_xacro_options *xacro,
                        const fa_robot *robot, const fa_state *state, const fa_recording *recording,
                        const fa_fact fact[], int n_facts, const fa_page_pose *pose,
                        fa_error *error)
{
    page p = {.robot = robot, .state = state, .recording = recording, .pose = pose};
    p.stride = (recording->n + MOST_LINES - 1) / MOST_LINES;
    p.lines = (recording->n - 1 + p.stride - 1) / p.stride + 1;
    const fa_log log = fa_report_warnings(NULL);
    fa_status    status = fa_page_available(error);
    if (status == FA_OK)
        status = fa_visuals_of(robot, path, xacro, MOST_TRIANGLES, &log, &p.visuals, error);
    if (status != FA_OK) return status;
    char  *text = NULL;
    size_t size = 0;
    p.values = malloc(p.lines * (size_t)recording->columns * sizeof *p.values);
    if (!p.values)
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the page");
    if (status == FA_OK) status = fa_json_begin(&p.json, error);
    if (status == FA_OK) {
        put_run(&p, fact, n_facts, error);
        status = fa_json_take(&p.json, &text, &size);
        if (status == FA_OK) status = p.circuit;
        if (status == FA_OK && p.lost)
            status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                             "there is not enough memory for the page");
    }
    if (status == FA_OK) status = write_page(out, text, size, error);
    free(text);
    free(p.values);
    fa_visuals_free(&p.visuals);
    return status;
}
