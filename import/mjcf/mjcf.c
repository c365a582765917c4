// MJCF, MuJoCo's format, as a form: the sections of a file in the order in which they need each
// other.
#include <stdlib.h>
#include <string.h>

#include "mjcf.h"
#include "values.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static fa_status read_sequence(fa_mjcf *m, const fa_xml_element *e)
{
    const char *text = fa_mjcf_text(e, "eulerseq");
    if (!text) return FA_OK;
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
        return FA_MJCF_FAIL(m, e, "eulerseq is '%.60s'; it takes three of x, y, z, X, Y, Z", text);
    memcpy(m->compiler.sequence, text, 4);
    return FA_OK;
}

static fa_status read_compiler(fa_mjcf *m, const fa_xml_element *e)
{
    static const char *const units[] = {"degree", "radian", NULL};
    static const char *const truths[] = {"false", "true", "auto", NULL};
    fa_mjcf_compiler        *c = &m->compiler;
    int                      unit = c->angle == 1, from_geoms = (int)c->from_geoms, n;
    double                   group[2] = {c->group[0], c->group[1]};
    const char              *coordinate = fa_mjcf_text(e, "coordinate");
    if (coordinate && strcmp(coordinate, "local") != 0)
        return FA_MJCF_FAIL(m, e,
                            "coordinate=\"%.60s\" is no longer part of the format; load and save "
                            "the file with MuJoCo 2.3.3",
                            coordinate);
    fa_status status = fa_mjcf_word(m, e, "angle", units, &unit);
    if (status == FA_OK) status = read_sequence(m, e);
    if (status == FA_OK) status = fa_mjcf_truth_of(m, e, "autolimits", &c->limits_by_range);
    if (status == FA_OK) status = fa_mjcf_truth_of(m, e, "balanceinertia", &c->balance);
    if (status == FA_OK) status = fa_mjcf_truth_of(m, e, "strippath", &c->strip_path);
    if (status == FA_OK) status = fa_mjcf_word(m, e, "inertiafromgeom", truths, &from_geoms);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "boundmass", &c->least_mass);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "boundinertia", &c->least_inertia);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "settotalmass", &c->total_mass);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "inertiagrouprange", 2, 2, group, &n);
    c->angle = unit == 1 ? 1 : DEGREE;
    c->from_geoms = (fa_mjcf_truth)from_geoms;
    for (int k = 0; k < 2; k++)
        c->group[k] = group[k] < 0 ? 0 : group[k] > 1000 ? 1000 : (int)group[k];
    const char *all = fa_mjcf_text(e, "assetdir"), *meshes = fa_mjcf_text(e, "meshdir");
    if (all || meshes) c->mesh_folder = meshes ? meshes : all;
    return status;
}

static fa_status read_option(fa_mjcf *m, const fa_xml_element *e)
{
    double    density = 0, viscosity = 0;
    fa_status status =
        fa_read_vec3(fa_mjcf_xml(m, e), e, "gravity", &m->form->gravity, FA_OPTIONAL, m->error);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "density", &density);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "viscosity", &viscosity);
    if (status == FA_OK && (density != 0 || viscosity != 0))
        FA_MJCF_WARN(m, e,
                     "the robot moves in a fluid of some density or viscosity, and its forces are "
                     "left out");
    return status;
}

static bool no_gravity(const fa_mjcf *m)
{
    for (const fa_xml_element *e = fa_xml_child(m->xml->root, "option"); e;
         e = fa_xml_next(e->next, "option"))
        for (const fa_xml_element *f = fa_xml_child(e, "flag"); f;
             f = fa_xml_next(f->next, "flag")) {
            const char *gravity = fa_mjcf_text(f, "gravity");
            if (gravity && strcmp(gravity, "disable") == 0) return true;
        }
    return false;
}

static fa_status read_settings(fa_mjcf *m)
{
    const fa_xml_element *root = m->xml->root;
    fa_status             status = FA_OK;
    m->compiler = (fa_mjcf_compiler){.angle = DEGREE,
                                     .sequence = "xyz",
                                     .limits_by_range = true,
                                     .from_geoms = FA_MJCF_AUTO,
                                     .group = {0, 5},
                                     .total_mass = -1};
    for (const fa_xml_element *e = fa_xml_child(root, "compiler"); e && status == FA_OK;
         e = fa_xml_next(e->next, "compiler"))
        status = read_compiler(m, e);
    for (const fa_xml_element *e = fa_xml_child(root, "option"); e && status == FA_OK;
         e = fa_xml_next(e->next, "option"))
        status = read_option(m, e);
    if (no_gravity(m)) m->form->gravity = vec3(0, 0, 0);
    return status;
}

static fa_status read_model_name(fa_mjcf *m)
{
    const fa_xml_element *root = m->xml->root;
    fa_form              *f = m->form;
    f->at = FA_MJCF_AT(m, root);
    f->base = FA_FORM_BASE_FIXED;
    strcpy(f->name, "MuJoCo Model");
    if (!fa_xml_find(root, "model")) return FA_OK;
    return fa_read_name(m->xml, root, "model", f->name, m->error);
}

static fa_status refuse_sections(const fa_mjcf *m)
{
    const fa_xml_element *e = fa_xml_child(m->xml->root, "deformable");
    if (e && e->first)
        return FA_MJCF_FAIL(m, e->first,
                            "<%.60s> is a body that deforms, and links here are rigid; remove it",
                            e->first->name);
    return FA_OK;
}

// All masses times one factor.
static void scale_masses(fa_mjcf *m)
{
    fa_form *f = m->form;
    double   sum = 0;
    for (int i = 0; i < f->n_links; i++) sum += f->link[i].mass;
    if (!(m->compiler.total_mass > 0) || !(sum > 0)) return;
    const double factor = m->compiler.total_mass / sum;
    for (int i = 0; i < f->n_links; i++) {
        f->link[i].mass *= factor;
        f->link[i].inertia = sym3_scale(factor, f->link[i].inertia);
    }
}

static void tell_what_is_left_out(const fa_mjcf *m)
{
    if (m->touches)
        fa_warn(m->log, m->xml->path, m->xml->root->place,
                "contacts are not computed: links pass through each other and through the ground");
}

static fa_status read_all(fa_mjcf *m)
{
    fa_status status = fa_mjcf_include(m);
    if (status == FA_OK) status = fa_mjcf_check_words(m);
    if (status == FA_OK) status = read_model_name(m);
    if (status == FA_OK) status = refuse_sections(m);
    if (status == FA_OK) status = read_settings(m);
    if (status == FA_OK) status = fa_mjcf_read_classes(m);
    if (status == FA_OK) status = fa_mjcf_read_meshes(m);
    if (status == FA_OK) status = fa_mjcf_read_world(m);
    if (status == FA_OK) scale_masses(m);
    if (status == FA_OK) status = fa_mjcf_read_equalities(m);
    if (status == FA_OK) status = fa_mjcf_read_tendons(m);
    if (status == FA_OK) status = fa_mjcf_tune_springs(m);
    if (status == FA_OK && m->options->stops.asked && m->options->stops.chosen)
        fa_mjcf_put_stops(m);
    if (status == FA_OK) status = fa_mjcf_read_actuators(m);
    if (status == FA_OK) status = fa_mjcf_read_keyframe(m);
    if (status == FA_OK) tell_what_is_left_out(m);
    return status;
}

fa_status fa_mjcf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                       fa_form *form, fa_error *error)
{
    fa_mjcf *m = calloc(1, sizeof *m);
    if (!m) return fa_form_no_memory(form, error);
    m->xml = xml;
    m->options = options;
    m->log = log;
    m->error = error;
    m->form = form;
    fa_status status = read_all(m);
    // Trees of included files share their lists of elements; each frees its own memory alone.
    for (int i = 0; i < m->n_files; i++) fa_xml_free(m->file[i].xml);
    free(m->class);
    free(m->mesh);
    free(m->site);
    free(m->world);
    free(m->joint);
    free(m);
    return status;
}
