// Reads couplings of MJCF: equalities, fixed tendons; and keyframes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf.h"
#include "nearest.h"
#include "values.h"

// ----------------------------------------------------------------------------------- equalities

// p(q2 - ref2) + ref1 as a polynomial of q2: coefficients of a shifted argument, by Horner.
static void shift(double c[FA_FORM_DEGREE + 1], double by)
{
    for (int from = 0; from < FA_FORM_DEGREE; from++)
        for (int k = FA_FORM_DEGREE - 1; k >= from; k--) c[k] -= by * c[k + 1];
}

static fa_status read_joints(fa_mjcf *m, const fa_xml_element *e)
{
    double    c[FA_FORM_DEGREE + 1] = {0, 1, 0, 0, 0};
    int       follower, leader = FA_FORM_NOBODY, n;
    fa_status status = fa_mjcf_joint_of(m, e, "joint1", &follower);
    if (status == FA_OK && fa_xml_find(e, "joint2"))
        status = fa_mjcf_joint_of(m, e, "joint2", &leader);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "polycoef", 1, FA_FORM_DEGREE + 1, c, &n);
    if (status != FA_OK) return status;
    const fa_form_joint *joint = &m->form->joint[follower];
    const fa_form_joint *other = leader == FA_FORM_NOBODY ? NULL : &m->form->joint[leader];
    if (joint->type > FA_FORM_PRISMATIC || (other && other->type > FA_FORM_PRISMATIC))
        return FA_MJCF_FAIL(m, e, "%s names a joint of several freedoms", fa_xml_about(e).text);
    fa_form_coupling *coupling = fa_form_add_coupling(m->form);
    if (!coupling) return fa_form_no_memory(m->form, m->error);
    coupling->at = FA_MJCF_AT(m, e);
    coupling->follower = follower;
    coupling->leader = leader;
    if (other) shift(c, other->start[0]);
    c[0] += joint->start[0];
    for (int k = 0; k <= FA_FORM_DEGREE && (other || k == 0); k++) coupling->coefficient[k] = c[k];
    return FA_OK;
}

static fa_status find_body(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int *link)
{
    const char *name = fa_mjcf_text(e, attribute);
    *link = 0;
    if (!name) return FA_OK;
    *link = fa_form_find_link(m->form, name);
    if (*link != FA_FORM_NOBODY) return FA_OK;
    return FA_MJCF_FAIL(m, e, "%s names the body '%.60s', and there is none", fa_xml_about(e).text,
                        name);
}

static fa_status find_site(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int *link, fa_transform *X)
{
    const char *name = fa_mjcf_text(e, attribute);
    for (int i = 0; i < m->n_sites && name; i++) {
        if (strcmp(m->site[i].name, name) != 0) continue;
        *link = m->site[i].link;
        *X = m->site[i].X;
        return FA_OK;
    }
    return FA_MJCF_FAIL(m, e, "%s names the site '%.60s', and there is none", fa_xml_about(e).text,
                        name ? name : "");
}

// A point or a frame of the first body, and where that is on the second at the start.
static fa_status read_loop(fa_mjcf *m, const fa_xml_element *e, bool weld)
{
    fa_form_loop loop = {.name = "", .axis = vec3(0, 0, 1), .axis2 = vec3(0, 1, 0)};
    double       anchor[3] = {0}, relative[7] = {0, 1, 0, 0, 0, 0, 0};
    int          n, posed;
    loop.type = weld ? FA_FORM_LOOP_FIXED : FA_FORM_LOOP_SPHERICAL;
    loop.frame[0] = loop.frame[1] = transform_identity();
    fa_status status = fa_mjcf_name(m, e, e->name, m->form->n_loops, "", loop.name);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "anchor", 3, 3, anchor, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "relpose", 7, 7, relative, &posed);
    if (status != FA_OK) return status;
    if (fa_xml_find(e, "site1")) {
        status = find_site(m, e, "site1", &loop.link[0], &loop.frame[0]);
        if (status == FA_OK) status = find_site(m, e, "site2", &loop.link[1], &loop.frame[1]);
    } else {
        status = find_body(m, e, "body1", &loop.link[0]);
        if (status == FA_OK) status = find_body(m, e, "body2", &loop.link[1]);
        if (status != FA_OK) return status;
        fa_transform  between = transform_compose(transform_inverse(m->world[loop.link[0]]),
                                                  m->world[loop.link[1]]); // first to second
        const double *q = relative + 3;
        if (weld && posed > 0 && (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0)) {
            between.r = vec3(relative[0], relative[1], relative[2]);
            between.E = fa_mjcf_rotation(q[0], q[1], q[2], q[3]);
        }
        if (weld) { // its anchor is in the second body, and does not matter to what is stiff
            loop.frame[0] = between;
        } else {
            loop.frame[0].r = vec3(anchor[0], anchor[1], anchor[2]);
            loop.frame[1].r = point_to_parent(transform_inverse(between), loop.frame[0].r);
        }
    }
    fa_form_loop *to = status == FA_OK ? fa_form_add_loop(m->form) : NULL;
    if (status != FA_OK) return status;
    if (!to) return fa_form_no_memory(m->form, m->error);
    loop.at = FA_MJCF_AT(m, e);
    *to = loop;
    return FA_OK;
}

// Reads whether the element is active, from its class or itself.
static fa_status apply_active(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    return fa_mjcf_truth_of(m, e, "active", into);
}

static fa_status read_equality(fa_mjcf *m, const fa_xml_element *e)
{
    static const char *const tags[] = {"equality", NULL};
    bool                     active = true;
    fa_status status = fa_mjcf_apply(m, e, FA_MJCF_MAIN, tags, apply_active, &active);
    if (status != FA_OK || !active) return status;
    if (strcmp(e->name, "joint") == 0) return read_joints(m, e);
    if (strcmp(e->name, "connect") == 0) return read_loop(m, e, false);
    if (strcmp(e->name, "weld") == 0) return read_loop(m, e, true);
    return FA_MJCF_FAIL(m, e,
                        "an equality of a %.40s is not simulated; remove it to simulate the robot "
                        "without",
                        e->name);
}

fa_status fa_mjcf_read_equalities(fa_mjcf *m)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *s = fa_xml_child(m->xml->root, "equality"); s && status == FA_OK;
         s = fa_xml_next(s->next, "equality"))
        for (const fa_xml_element *e = s->first; e && status == FA_OK; e = e->next)
            status = read_equality(m, e);
    return status;
}

// -------------------------------------------------------------------------------------- tendons

typedef struct tendon {
    double stiffness[3], damping[3], spring[2], range[2], armature, loss;
    bool   ranged;
    int    limited; // false, true, auto
} tendon;

static fa_status apply_tendon(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    static const char *const truths[] = {"false", "true", "auto", NULL};
    tendon                  *t = into;
    int                      n;
    fa_status                status = fa_mjcf_numbers(m, e, "stiffness", 1, 3, t->stiffness, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "damping", 1, 3, t->damping, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "springlength", 1, 2, t->spring, &n);
    if (n == 1) t->spring[1] = t->spring[0];
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "range", 2, 2, t->range, &n);
    t->ranged |= n > 0;
    if (status == FA_OK) status = fa_mjcf_word(m, e, "limited", truths, &t->limited);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "armature", &t->armature);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "frictionloss", &t->loss);
    return status;
}

static fa_status read_terms(fa_mjcf *m, const fa_xml_element *e, fa_form_tendon *to)
{
    to->first_term = m->form->n_terms;
    for (const fa_xml_element *j = e->first; j; j = j->next) {
        int       joint;
        double    coefficient = 0;
        fa_status status = fa_mjcf_joint_of(m, j, "joint", &joint);
        if (status == FA_OK)
            status =
                fa_read_number(fa_mjcf_xml(m, j), j, "coef", &coefficient, FA_REQUIRED, m->error);
        if (status != FA_OK) return status;
        if (m->form->joint[joint].type > FA_FORM_PRISMATIC)
            return FA_MJCF_FAIL(m, j, "%s names a joint of several freedoms", fa_xml_about(j).text);
        fa_form_term *term = fa_form_add_term(m->form);
        if (!term) return fa_form_no_memory(m->form, m->error);
        *term = (fa_form_term){joint, coefficient};
        to->n_terms++;
    }
    if (to->n_terms > 0) return FA_OK;
    return FA_MJCF_FAIL(m, e, "%s names no joint; a fixed tendon needs one", fa_xml_about(e).text);
}

static fa_status read_tendon(fa_mjcf *m, const fa_xml_element *e)
{
    static const char *const tags[] = {"tendon", NULL};
    tendon                   t = {.spring = {-1, -1}, .limited = 2};
    fa_form_tendon           to = {.lower = -INFINITY, .upper = INFINITY};
    if (strcmp(e->name, "fixed") != 0)
        return FA_MJCF_FAIL(m, e,
                            "%s is a spatial tendon, whose path is not computed; remove it to "
                            "simulate the robot without",
                            fa_xml_about(e).text);
    fa_status status = fa_mjcf_apply(m, e, FA_MJCF_MAIN, tags, apply_tendon, &t);
    if (status == FA_OK) status = fa_mjcf_name(m, e, "tendon", m->form->n_tendons, "", to.name);
    if (status == FA_OK) status = read_terms(m, e, &to);
    if (status != FA_OK) return status;
    if (t.stiffness[1] != 0 || t.stiffness[2] != 0 || t.damping[1] != 0 || t.damping[2] != 0)
        return FA_MJCF_FAIL(m, e,
                            "%s has a spring or a damper that is not linear; write one number for "
                            "stiffness and damping",
                            fa_xml_about(e).text);
    to.stiffness = t.stiffness[0];
    to.damping = t.damping[0];
    to.loss = t.loss;
    to.armature = t.armature;
    for (int k = 0; k < 2; k++) to.rest[k] = t.spring[k];
    if (t.spring[0] == -1 && t.spring[1] == -1) { // its length at the start
        to.rest[0] = 0;
        for (int i = 0; i < to.n_terms; i++) {
            const fa_form_term *term = &m->form->term[to.first_term + i];
            to.rest[0] += term->coefficient * m->form->joint[term->joint].start[0];
        }
        to.rest[1] = to.rest[0];
    }
    const bool limited = t.limited == 1 || (t.limited == 2 && t.ranged && t.range[0] < t.range[1]);
    if (limited) {
        to.lower = t.range[0];
        to.upper = t.range[1];
    }
    to.at = FA_MJCF_AT(m, e);
    fa_form_tendon *kept = fa_form_add_tendon(m->form);
    if (!kept) return fa_form_no_memory(m->form, m->error);
    *kept = to;
    return FA_OK;
}

fa_status fa_mjcf_read_tendons(fa_mjcf *m)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *s = fa_xml_child(m->xml->root, "tendon"); s && status == FA_OK;
         s = fa_xml_next(s->next, "tendon"))
        for (const fa_xml_element *e = s->first; e && status == FA_OK; e = e->next)
            status = read_tendon(m, e);
    return status;
}

// ------------------------------------------------------------------------------------ keyframes

static const int positions[FA_FORM_JOINT_TYPES] = {
    [FA_FORM_REVOLUTE] = 1, [FA_FORM_PRISMATIC] = 1, [FA_FORM_BALL] = 4, [FA_FORM_FLOATING] = 7};

static fa_status take_key(fa_mjcf *m, const fa_xml_element *e)
{
    fa_form *f = m->form;
    int      n = 0, at = 0;
    double   q[1024];
    for (int i = 0; i < f->n_joints; i++) n += positions[f->joint[i].type];
    if (!fa_xml_find(e, "qpos")) return FA_OK; // the pose of the file
    if (n > (int)(sizeof q / sizeof *q))
        return FA_MJCF_FAIL(m, e, "the robot has %d coordinates; a keyframe is read for %zu", n,
                            sizeof q / sizeof *q);
    fa_status status = fa_read_numbers(fa_mjcf_xml(m, e), e, "qpos", n, q, FA_REQUIRED, m->error);
    for (int i = 0; i < f->n_joints && status == FA_OK; i++) {
        const int own = positions[f->joint[i].type];
        memcpy(f->joint[i].start, q + at, (size_t)own * sizeof *q);
        if (own > 0) f->joint[i].start_at = FA_MJCF_AT(m, e);
        at += own;
    }
    return status;
}

fa_status fa_mjcf_read_keyframe(fa_mjcf *m)
{
    const char *wanted = m->options->keyframe;
    fa_list     names = {.used = 0};
    if (!wanted) return FA_OK;
    for (const fa_xml_element *s = fa_xml_child(m->xml->root, "keyframe"); s;
         s = fa_xml_next(s->next, "keyframe"))
        for (const fa_xml_element *e = fa_xml_child(s, "key"); e; e = fa_xml_next(e->next, "key")) {
            const char *name = fa_mjcf_text(e, "name");
            if (name && strcmp(name, wanted) == 0) return take_key(m, e);
            if (name) fa_list_add(&names, name);
        }
    return fa_fail(m->error, FA_BAD_INPUT, m->xml->path, m->xml->root->place,
                   "there is no keyframe '%.60s'%s%s", wanted,
                   names.used ? "; there are " : ", nor any other", fa_list_text(&names));
}
