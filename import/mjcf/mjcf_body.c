// The tree of an MJCF file: bodies, frames and copies of them become links.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf.h"
#include "values.h"

// ------------------------------------------------------------------------------------ walking

static fa_status walk_frame(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                            fa_mjcf_visit_fn *visit, void *context)
{
    fa_mjcf_place inside = *place;
    fa_transform  X = transform_identity();
    fa_status     status = fa_mjcf_pose(m, e, &X);
    if (status == FA_OK)
        status = fa_mjcf_class_of(m, e, "childclass", place->childclass, &inside.childclass);
    inside.X = transform_compose(place->X, X);
    return status == FA_OK ? fa_mjcf_walk(m, e, &inside, visit, context) : status;
}

static int digits_of(int count)
{
    int digits = 1;
    for (int most = 10; most < count && digits < 9; most *= 10) digits++;
    return digits;
}

// Copy k is turned by k times the angles, and one offset further than the one before, in the axes
// of that one.
static fa_status walk_copies(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                             fa_mjcf_visit_fn *visit, void *context)
{
    double        count = -1, euler[3] = {0}, offset[3] = {0};
    int           n;
    fa_transform  step = transform_identity();
    fa_mjcf_place copy = *place;
    const char   *separator = fa_mjcf_text(e, "sep");
    fa_status     status = fa_mjcf_number(m, e, "count", &count);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "euler", 3, 3, euler, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "offset", 3, 3, offset, &n);
    if (status == FA_OK)
        status = fa_mjcf_class_of(m, e, "childclass", place->childclass, &copy.childclass);
    if (status != FA_OK) return status;
    if (!(count >= 1) || count != floor(count) || count > FA_LINK_MAX)
        return FA_MJCF_FAIL(m, e, "the count of <replicate> must be a whole number from 1 to %d",
                            FA_LINK_MAX);
    for (int i = 0; i < (int)count && status == FA_OK; i++) {
        const double turned[] = {i * euler[0], i * euler[1], i * euler[2]};
        const int    used =
            snprintf(copy.suffix, sizeof copy.suffix, "%s%0*d%s", separator ? separator : "",
                     digits_of((int)count), i, place->suffix);
        if (used >= (int)sizeof copy.suffix)
            return FA_MJCF_FAIL(m, e, "copies of copies get names that are too long");
        step.E = fa_mjcf_euler(m, turned);
        copy.X = transform_compose(place->X, step);
        status = fa_mjcf_walk(m, e, &copy, visit, context);
        step.r = point_to_parent(step, vec3(offset[0], offset[1], offset[2]));
    }
    return status;
}

fa_status fa_mjcf_walk(fa_mjcf *m, const fa_xml_element *parent, const fa_mjcf_place *place,
                       fa_mjcf_visit_fn *visit, void *context)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *e = parent->first; e && status == FA_OK; e = e->next) {
        if (m->n_elements++ > FA_MJCF_ELEMENTS)
            return FA_MJCF_FAIL(m, e, "copied out, the file has more than %d elements",
                                FA_MJCF_ELEMENTS);
        if (strcmp(e->name, "frame") == 0)
            status = walk_frame(m, e, place, visit, context);
        else if (strcmp(e->name, "replicate") == 0)
            status = walk_copies(m, e, place, visit, context);
        else
            status = visit(m, e, place, context);
    }
    return status;
}

// --------------------------------------------------------------------------------------- links

int fa_mjcf_add_link(fa_mjcf *m, const fa_xml_element *e, const char *name, int parent,
                     fa_transform pose)
{
    void         *list = m->world;
    int           n = m->form->n_links;
    fa_form_link *link = fa_form_add_link(m->form);
    fa_transform *world = fa_mjcf_add(&list, &n, sizeof *m->world);
    m->world = list;
    if (!link || !world) return FA_FORM_NOBODY;
    (void)snprintf(link->name, sizeof link->name, "%s", name);
    link->at = FA_MJCF_AT(m, e);
    *world = parent == FA_FORM_NOBODY ? pose : transform_compose(m->world[parent], pose);
    return m->form->n_links - 1;
}

// A body and what is in it. Joints come before all else: its geoms move with the last of them.
typedef struct body {
    const fa_xml_element *element, *inertial;
    char                  name[FA_NAME_SIZE];
    fa_transform          origin; // in the link that `link` is so far
    int                   link, parent, joints;
    bool                  is_free;
    fa_solid              geoms;
} body;

static fa_status refuse(const fa_mjcf *m, const fa_xml_element *e)
{
    return FA_MJCF_FAIL(m, e,
                        "%s cannot be read: <attach> and <composite> need MuJoCo to make bodies of "
                        "them, <flexcomp> deforms, and plugins are programs; save the model with "
                        "MuJoCo (mj_saveLastXML), or remove it",
                        fa_xml_about(e).text);
}

static fa_status visit_joint(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                             void *context)
{
    body      *b = context;
    const bool loose = strcmp(e->name, "freejoint") == 0;
    if (strcmp(e->name, "inertial") == 0) {
        b->inertial = e;
        return FA_OK;
    }
    if (!loose && strcmp(e->name, "joint") != 0) return FA_OK;
    b->joints++;
    fa_status status = fa_mjcf_read_joint(m, e, place, b->name, b->element, &b->origin, &b->link);
    if (status != FA_OK) return status;
    const fa_form_joint *joint = &m->form->joint[m->form->n_joints - 1];
    if (joint->type == FA_FORM_FLOATING && b->parent != 0)
        return FA_MJCF_FAIL(m, e, "a free joint can only be in a body of <worldbody> itself");
    b->is_free |= joint->type == FA_FORM_FLOATING;
    if (b->is_free && b->joints > 1)
        return FA_MJCF_FAIL(m, e, "a body with a free joint can have no other joint");
    return FA_OK;
}

static fa_status visit_shape(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                             void *context)
{
    body         *b = context;
    fa_mjcf_place here = *place;
    here.link = b->link;
    if (strcmp(e->name, "geom") == 0)
        return fa_mjcf_read_geom(m, e, &here, fa_mjcf_weighs_geoms(m, b->inertial), &b->geoms);
    if (strcmp(e->name, "site") != 0) return FA_OK;
    void         *list = m->site;
    fa_mjcf_site *site = fa_mjcf_add(&list, &m->n_sites, sizeof *m->site);
    fa_transform  X = transform_identity();
    m->site = list;
    if (!site) return fa_form_no_memory(m->form, m->error);
    fa_status status = fa_mjcf_name(m, e, "site", m->n_sites, place->suffix, site->name);
    if (status == FA_OK) status = fa_mjcf_pose(m, e, &X);
    site->link = b->link;
    site->X = transform_compose(place->X, X);
    return status;
}

static fa_status read_body(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place);

static fa_status visit_body(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                            void *context)
{
    static const char *const lacking[] = {"attach", "composite", "flexcomp", "plugin"};
    static const char *const known[] = {"inertial", "joint",  "freejoint", "geom",
                                        "site",     "camera", "light"};
    (void)context;
    if (strcmp(e->name, "body") == 0) return read_body(m, e, place);
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (strcmp(e->name, lacking[i]) == 0) return refuse(m, e);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(e->name, known[i]) == 0) return FA_OK;
    return FA_MJCF_FAIL(m, e, "<%.60s> means nothing in <body>; remove it", e->name);
}

// A body without a joint is bolted to its parent.
static fa_status bolt(fa_mjcf *m, body *b)
{
    char name[FA_NAME_SIZE + 8];
    (void)snprintf(name, sizeof name, "%s_fixed", b->name);
    name[FA_NAME_SIZE - 1] = '\0';
    void          *list = m->joint;
    int            n = m->form->n_joints;
    fa_form_joint *joint = fa_form_add_joint(m->form);
    fa_mjcf_joint *beside = fa_mjcf_add(&list, &n, sizeof *m->joint);
    m->joint = list;
    const int link = fa_mjcf_add_link(m, b->element, b->name, b->link, b->origin);
    if (!joint || !beside || link == FA_FORM_NOBODY) return fa_form_no_memory(m->form, m->error);
    memcpy(joint->name, name, sizeof joint->name);
    joint->at = joint->type_at = FA_MJCF_AT(m, b->element);
    joint->type = FA_FORM_FIXED;
    joint->parent = b->link;
    joint->child = link;
    joint->origin = b->origin;
    b->link = link;
    return FA_OK;
}

static fa_status read_inside(fa_mjcf *m, body *b, const fa_mjcf_place *place)
{
    fa_mjcf_place here = *place;
    here.X = transform_identity();
    fa_status status = fa_mjcf_walk(m, b->element, &here, visit_joint, b);
    if (status == FA_OK && b->joints == 0) status = bolt(m, b);
    if (status == FA_OK) status = fa_mjcf_walk(m, b->element, &here, visit_shape, b);
    if (status == FA_OK) status = fa_mjcf_weigh_body(m, b->element, b->inertial, b->geoms, b->link);
    here.link = b->link;
    return status == FA_OK ? fa_mjcf_walk(m, b->element, &here, visit_body, NULL) : status;
}

static fa_status read_body(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place)
{
    body          b = {.element = e, .link = place->link, .parent = place->link};
    fa_mjcf_place inside = *place;
    fa_transform  X = transform_identity();
    double        compensation = 0;
    if (m->form->n_links >= FA_LINK_MAX)
        return FA_MJCF_FAIL(m, e, "the robot has more than %d bodies", FA_LINK_MAX);
    fa_status status = fa_mjcf_name(m, e, "body", ++m->n_bodies, place->suffix, b.name);
    if (status == FA_OK) status = fa_mjcf_pose(m, e, &X);
    if (status == FA_OK)
        status = fa_mjcf_class_of(m, e, "childclass", place->childclass, &inside.childclass);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "gravcomp", &compensation);
    if (status != FA_OK) return status;
    b.origin = transform_compose(place->X, X);
    const int first = m->form->n_links;
    inside.link = place->link;
    // The body's own link is the last of its chain; links of its children come behind.
    status = read_inside(m, &b, &inside);
    if (status == FA_OK && b.link >= first) m->form->link[b.link].gravity = 1 - compensation;
    return status;
}

fa_status fa_mjcf_read_world(fa_mjcf *m)
{
    const fa_mjcf_place place = {.link = 0, .X = transform_identity()};
    const int           link =
        fa_mjcf_add_link(m, m->xml->root, "world", FA_FORM_NOBODY, transform_identity());
    fa_status status = link < 0 ? fa_form_no_memory(m->form, m->error) : FA_OK;
    int       worlds = 0;
    for (const fa_xml_element *e = fa_xml_child(m->xml->root, "worldbody"); e && status == FA_OK;
         e = fa_xml_next(e->next, "worldbody")) {
        body world = {.element = e, .link = 0};
        worlds++;
        status = fa_mjcf_walk(m, e, &place, visit_shape, &world);
        if (status == FA_OK) status = fa_mjcf_walk(m, e, &place, visit_body, NULL);
    }
    if (status == FA_OK && worlds == 0)
        status = FA_MJCF_FAIL(m, m->xml->root,
                              "<mujoco> has no <worldbody>; is it a part that another file "
                              "includes?");
    return status;
}
