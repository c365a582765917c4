// SDFormat 1.4 to 1.12 as a form: the robot's model with what is nested in it and included.
// docs/formats.md says what is read; sensors, plugins, materials and the settings of simulators do
// not concern the motion, and files that they name are not opened.
#include "sdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fa_status add_scopes(fa_sdf *s)
{
    fa_sdf_scope          robot = {.xml = NULL};
    const char           *name = NULL;
    const fa_xml_element *world = NULL;
    fa_status             status = fa_sdf_choose(s, &robot, &name, &world);
    if (status != FA_OK) return status;
    const fa_sdf_scope around = {
        .xml = s->xml, .model = world ? world : s->xml->root, .minor = robot.minor};
    if (world) { // whose usual gravity differs from the form's in its last digit
        s->form->gravity = vec3(0, 0, -9.8);
        status = fa_sdf_vec3(s, s->xml, world, "gravity", &s->form->gravity);
    }
    (void)snprintf(s->form->name, sizeof s->form->name, "%s", name);
    s->form->at.place = (robot.include ? robot.include : robot.model)->place;
    if (status == FA_OK) status = fa_sdf_add_scope(s, around, "");
    if (status == FA_OK) status = fa_sdf_add_scope(s, robot, name);
    return status == FA_OK ? fa_sdf_name_nodes(s) : status;
}

// Links first, so that joints find all of them.
static fa_status add_links(fa_sdf *s)
{
    fa_status status = FA_OK;
    for (int i = 0; i < s->n_nodes && status == FA_OK; i++) {
        if (s->node[i].kind != FA_SDF_LINK) continue;
        fa_form_link *link = fa_form_add_link(s->form);
        if (!link) return fa_sdf_no_memory(s);
        s->node[i].index = s->form->n_links - 1;
        status = fa_sdf_full_name(s, i, link->name);
    }
    for (int i = 0; i < s->n_nodes && status == FA_OK; i++) {
        const fa_sdf_node *n = &s->node[i];
        fa_transform       pose;
        if (n->kind != FA_SDF_LINK) continue;
        status = fa_sdf_link(s, i);
        if (status == FA_OK)
            status = fa_sdf_where(s, FA_SDF_WORLD_SCOPE, (fa_sdf_frame){n->scope, i}, &pose);
        if (status == FA_OK) s->form->link[n->index].pose = pose;
    }
    return status;
}

static fa_status add_joints(fa_sdf *s)
{
    fa_status status = FA_OK;
    int       n = 0;
    for (int i = 0; i < s->n_nodes; i++) n += s->node[i].kind == FA_SDF_JOINT;
    s->joint = malloc(((size_t)n + 1) * sizeof *s->joint);
    if (!s->joint) return fa_sdf_no_memory(s);
    for (int i = 0; i < s->n_nodes && status == FA_OK; i++)
        if (s->node[i].kind == FA_SDF_JOINT) status = fa_sdf_joint_read(s, i);
    return status == FA_OK ? fa_sdf_tree(s) : status;
}

// Frames that nothing refers to must still not go round in circles.
static fa_status check_frames(fa_sdf *s)
{
    fa_transform X;
    fa_status    status = FA_OK;
    for (int i = 0; i < s->n_nodes && status == FA_OK; i++)
        status = fa_sdf_where(s, s->node[i].scope, (fa_sdf_frame){s->node[i].scope, i}, &X);
    return status;
}

fa_status fa_sdf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                      fa_form *form, fa_error *error)
{
    fa_sdf s = {.xml = xml,
                .options = options,
                .log = log,
                .error = error,
                .form = form,
                .world = FA_FORM_NOBODY};
    form->at = (fa_form_at){xml->path, xml->root->place};
    fa_status status = add_scopes(&s);
    if (status == FA_OK) status = check_frames(&s);
    if (status == FA_OK) status = add_links(&s);
    if (status == FA_OK) status = add_joints(&s);
    fa_names_free(&s.names);
    free(s.scope);
    free(s.node);
    free(s.joint);
    fa_sdf_close(&s);
    return status;
}
