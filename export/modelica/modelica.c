// Writes the files of a Modelica package.
#include "modelica.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "files.h"
#include "modelica_text.h"
#include "paths.h"
#include "streams.h"

#define LIBRARY_LIMIT ((size_t)256 << 20) // [bytes]

void fa_modelica_name(const char *identifier, char name[FA_NAME_SIZE])
{
    (void)snprintf(name, FA_NAME_SIZE, "%s", identifier);
    name[0] = (char)toupper((unsigned char)name[0]);
}

// ----------------------------------------------------------------------------------------- finding

const fa_flange *fa_modelica_flange(const fa_modelica *m, int input)
{
    for (int i = 0; i < m->n_flanges; i++)
        if (m->flange[i].input == input) return &m->flange[i];
    return NULL;
}

bool fa_modelica_is_tip_load(const fa_modelica *m, int row)
{
    return m->tip != FA_NO_ROW && m->tip <= row && row < m->tip + 6;
}

// Returns the row of a quantity of the input's joint (not along an axis).
static int find(const fa_modelica *m, int input, const char *quantity, fa_role role)
{
    const fa_variable *row = m->table.row;
    const int found = fa_variables_row(&m->table, FA_OF_JOINT, row[input].key.part, quantity, 0);
    return found != FA_NO_ROW && row[found].role == role && row[found].key.axis == FA_ALONG_NONE
               ? found
               : FA_NO_ROW;
}

// Finds the flanges: joints with a torque or force input whose angle or distance is a state. A
// snake's joints have signals instead, because they are numbered.
static bool find_flanges(fa_modelica *m)
{
    const int *first = m->table.first;
    m->flange = calloc((size_t)(first[FA_STATE] - first[FA_INPUT]) + 1, sizeof *m->flange);
    for (int row = first[FA_INPUT]; m->flange && row < first[FA_STATE]; row++) {
        const fa_variable *v = &m->table.row[row];
        const bool         effort =
            fa_variable_is(v, FA_OF_JOINT, "torque") || fa_variable_is(v, FA_OF_JOINT, "force");
        if (!effort || v->key.axis != FA_ALONG_NONE || v->key.numbered) continue;
        const fa_slice joint = fa_key_part(&v->key, v->name);
        fa_flange      f = {.joint = joint.text,
                            .length = joint.length,
                            .input = row,
                            .turns = v->unit == FA_UNIT_NEWTON_METRE,
                            .position = find(m, row, "position", FA_STATE),
                            .velocity = find(m, row, "velocity", FA_STATE),
                            .effort = INFINITY};
        if (f.position == FA_NO_ROW || f.velocity == FA_NO_ROW) continue;
        const int limit = find(m, row, "effort_limit", FA_PARAMETER);
        if (limit != FA_NO_ROW) f.effort = m->table.row[limit].start;
        m->flange[m->n_flanges++] = f;
    }
    return m->flange != NULL;
}

// ----------------------------------------------------------------------------------------- writing

typedef struct place {
    char      path[FA_PATH_SIZE]; // path of the package
    size_t    length;
    fa_error *error;
} place;

static fa_status go(place *p, const char *below)
{
    const int n = snprintf(p->path + p->length, sizeof p->path - p->length, "/%s", below);
    if (n >= 0 && (size_t)n < sizeof p->path - p->length) return FA_OK;
    return fa_fail(p->error, FA_UNFIT, NULL, FA_NOWHERE,
                   "the path of the Modelica package is too long");
}

static fa_status make_folder(place *p, const char *below)
{
    fa_status status = go(p, below);
    if (status == FA_OK && !fa_folders_make(p->path))
        status = fa_fail(p->error, FA_IO, p->path, FA_NOWHERE, "the folder cannot be made");
    return status;
}

static fa_status write_file(place *p, const char *below, const void *data, size_t size)
{
    fa_status status = go(p, below);
    return status == FA_OK ? fa_file_write(p->path, data, size, p->error) : status;
}

enum part { PACKAGE, ROBOT, INTERNAL, EXAMPLES, ORDER };

static fa_status put_part(FILE *out, enum part part, const fa_modelica *m, fa_error *error)
{
    fa_status status = FA_OK;
    switch (part) {
    case PACKAGE:
        fprintf(out, "within ;\npackage %s ", m->package);
        fa_modelica_put_text(out, m->robot->name);
        fputs("\n  extends Modelica.Icons.Package;\n  "
              "annotation(uses(Modelica(version=\"4.0.0\")), version=\"" FOREARM_VERSION
              "\",\n    ",
              out);
        status = fa_modelica_put_icon(out, m->robot, error);
        fprintf(out, ");\nend %s;\n", m->package);
        break;
    case ROBOT:
        return fa_modelica_put_robot(out, m, error);
    case INTERNAL:
        fa_modelica_put_internal(out, m);
        break;
    case EXAMPLES:
        fa_modelica_put_examples(out, m);
        break;
    case ORDER:
        fputs("Robot\nExamples\nInternal\n", out);
    }
    return status;
}

static fa_status write_part(place *p, const char *below, enum part part, const fa_modelica *m)
{
    char     *text = NULL;
    size_t    size = 0;
    FILE     *out = fa_text_open(&text, &size);
    fa_status status = out ? put_part(out, part, m, p->error) : FA_NO_MEMORY;
    if (out && !fa_text_close(out) && status == FA_OK) status = FA_NO_MEMORY;
    if (status == FA_NO_MEMORY)
        status = fa_fail(p->error, status, NULL, FA_NOWHERE,
                         "there is not enough memory for the Modelica package");
    if (status == FA_OK) status = write_file(p, below, text, size);
    free(text);
    return status;
}

static fa_status write_libraries(place *p, const char *identifier, const fa_library *library, int n)
{
    fa_status status = FA_OK;
    for (int i = 0; i < n && status == FA_OK; i++) {
        char   below[FA_PATH_SIZE], *data;
        size_t size;
        (void)snprintf(below, sizeof below, "Resources/Library/%s", library[i].platform);
        status = make_folder(p, below);
        if (status == FA_OK)
            status = fa_file_read(library[i].path, LIBRARY_LIMIT, &data, &size, p->error);
        if (status != FA_OK) break;
        (void)snprintf(below, sizeof below, "Resources/Library/%s/%.*s%s", library[i].platform,
                       FA_NAME_SIZE, identifier, library[i].ending);
        status = write_file(p, below, data, size);
        free(data);
    }
    return status;
}

static fa_status write_all(place *p, const fa_modelica *m, const char *robot_file,
                           size_t robot_size, const fa_library *library, int n_libraries)
{
    static const char *const name[] = {[PACKAGE] = "package.mo",
                                       [ROBOT] = "Robot.mo",
                                       [INTERNAL] = "Internal.mo",
                                       [EXAMPLES] = "Examples.mo",
                                       [ORDER] = "package.order"};
    fa_status                status = make_folder(p, "Resources/Data");
    if (status == FA_OK) status = make_folder(p, "Resources/Include");
    for (int part = PACKAGE; part <= ORDER && status == FA_OK; part++)
        status = write_part(p, name[part], (enum part)part, m);
    if (status == FA_OK)
        status = write_file(p, "Resources/Data/robot.forearm", robot_file, robot_size);
    if (status == FA_OK)
        status = write_file(p, "Resources/Include/forearm_modelica.h", fa_modelica_adapter,
                            fa_modelica_adapter_size);
    return status == FA_OK ? write_libraries(p, m->identifier, library, n_libraries) : status;
}

fa_status fa_modelica_write(const fa_robot *robot, const char *identifier,
                            const fa_library *library, int n_libraries, const char *folder,
                            fa_error *error)
{
    fa_options options = {.fmi = 3};
    char       package[FA_NAME_SIZE], token[FA_TOKEN_SIZE];
    char      *robot_file = NULL;
    size_t     robot_size;
    void      *of_table = NULL;
    (void)snprintf(options.identifier, sizeof options.identifier, "%s", identifier);
    fa_modelica_name(identifier, package);
    fa_modelica m = {.robot = robot,
                     .plant = fa_plant_find(robot->plant),
                     .package = package,
                     .identifier = identifier,
                     .token = token};
    place       p = {.error = error};
    const int   length = snprintf(p.path, sizeof p.path, "%s/%s", folder, package);
    if (length < 0 || (size_t)length >= sizeof p.path)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "the path of the Modelica package is too long");
    p.length = (size_t)length;
    fa_status status = fa_robot_file_write(robot, &options, &robot_file, &robot_size, error);
    if (status != FA_OK) return status;
    fa_robot_file_token(robot_file, robot_size, token);
    status = fa_plant_variables(m.plant, robot, true, &m.table, &of_table, error);
    if (status == FA_OK) status = fa_variables_check(&m.table, error);
    if (status == FA_OK && fa_probe_fits(&m.table)) {
        status = fa_probe_take(m.plant, robot, &m.table, &m.probe, error);
        m.probed = status == FA_OK;
    }
    if (status == FA_OK && !find_flanges(&m))
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the Modelica package");
    if (status == FA_OK) {
        m.tip = fa_variables_row(&m.table, FA_OF_TIP, FA_NO_PART, "force", 0);
        if (m.tip != FA_NO_ROW && m.table.row[m.tip].role != FA_INPUT) m.tip = FA_NO_ROW;
        m.switches = fa_plant_switches(m.plant, &m.table);
        for (int row = m.table.first[FA_INPUT]; row < m.table.first[FA_STATE]; row++)
            m.switches |= m.table.row[row].type == FA_BOOLEAN;
        status = write_all(&p, &m, robot_file, robot_size, library, n_libraries);
    }
    if (m.probed) fa_probe_free(&m.probe);
    free(m.flange);
    free(of_table);
    free(robot_file);
    return status;
}
