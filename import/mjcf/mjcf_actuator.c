// Actuators of MJCF: each kind is the general one with some numbers chosen.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf.h"
#include "values.h"

enum { GAIN_FIXED, GAIN_AFFINE, GAIN_MUSCLE, GAIN_USER };
enum { BIAS_NONE, BIAS_AFFINE, BIAS_MUSCLE, BIAS_USER };
enum { DYN_NONE, DYN_OTHER };

typedef struct drive {
    int    gain_type, bias_type;
    double gain[10], bias[10], gear[6], input[2], force[2];
    int    input_limited, force_limited, n_gear; // false, true, auto
    bool   has_state, is_position;
    double damping_ratio, own_damping, armature;
} drive;

static const char *const kinds[] = {"general", "motor", "position", "velocity", NULL};

// Returns true for actuators that need more than a force from input and joint motion.
static bool is_beyond(const char *name)
{
    static const char *const names[] = {"intvelocity", "damper",   "cylinder",
                                        "muscle",      "adhesion", "dcmotor",
                                        "plugin",      "pid",      "orientation"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static fa_status apply_general(const fa_mjcf *m, const fa_xml_element *e, drive *d)
{
    static const char *const gains[] = {"fixed", "affine", "muscle", "user", NULL};
    static const char *const biases[] = {"none", "affine", "muscle", "user", NULL};
    const char              *dynamics = fa_mjcf_text(e, "dyntype");
    int                      n;
    fa_status                status = fa_mjcf_word(m, e, "gaintype", gains, &d->gain_type);
    if (status == FA_OK) status = fa_mjcf_word(m, e, "biastype", biases, &d->bias_type);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "gainprm", 1, 10, d->gain, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "biasprm", 1, 10, d->bias, &n);
    if (dynamics) d->has_state = strcmp(dynamics, "none") != 0;
    return status;
}

static fa_status apply_motor(drive *d)
{
    memset(d->gain, 0, sizeof d->gain);
    memset(d->bias, 0, sizeof d->bias);
    d->gain[0] = 1;
    d->gain_type = GAIN_FIXED;
    d->bias_type = BIAS_NONE;
    d->has_state = false;
    return FA_OK;
}

// gain kp, bias -kp q - kv v; what is not said stays, kp as the gain that it is.
static fa_status apply_position(const fa_mjcf *m, const fa_xml_element *e, drive *d)
{
    double    kp = d->gain[0], kv = -d->bias[2], constant = 0, ratio = d->damping_ratio;
    fa_status status = fa_mjcf_number(m, e, "kp", &kp);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "kv", &kv);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "dampratio", &ratio);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "timeconst", &constant);
    d->gain_type = GAIN_FIXED;
    d->bias_type = BIAS_AFFINE;
    d->gain[0] = kp;
    d->bias[0] = 0;
    d->bias[1] = -kp;
    d->bias[2] = -kv;
    d->damping_ratio = ratio;
    d->has_state = constant > 0;
    d->is_position = true;
    return status;
}

static fa_status apply_velocity(const fa_mjcf *m, const fa_xml_element *e, drive *d)
{
    double    kv = d->gain[0];
    fa_status status = fa_mjcf_number(m, e, "kv", &kv);
    d->gain_type = GAIN_FIXED;
    d->bias_type = BIAS_AFFINE;
    d->gain[0] = kv;
    d->bias[0] = d->bias[1] = 0;
    d->bias[2] = -kv;
    d->has_state = false;
    return status;
}

static fa_status apply_drive(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    static const char *const truths[] = {"false", "true", "auto", NULL};
    drive                   *d = into;
    int                      n;
    fa_status                status = fa_mjcf_numbers(m, e, "gear", 1, 6, d->gear, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "ctrlrange", 2, 2, d->input, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "forcerange", 2, 2, d->force, &n);
    if (status == FA_OK) status = fa_mjcf_word(m, e, "ctrllimited", truths, &d->input_limited);
    if (status == FA_OK) status = fa_mjcf_word(m, e, "forcelimited", truths, &d->force_limited);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "damping", &d->own_damping);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "armature", &d->armature);
    if (status != FA_OK) return status;
    if (strcmp(e->name, "general") == 0) return apply_general(m, e, d);
    if (strcmp(e->name, "motor") == 0) return apply_motor(d);
    if (strcmp(e->name, "position") == 0) return apply_position(m, e, d);
    return apply_velocity(m, e, d);
}

static void limit(int limited, const double range[2], bool by_range, double to[2])
{
    const bool in_order = range[0] < range[1];
    if (!in_order || limited == 0 || (limited == 2 && !by_range)) return;
    to[0] = range[0];
    to[1] = range[1];
}

static fa_status refuse(const fa_mjcf *m, const fa_xml_element *e, const char *what)
{
    return FA_MJCF_FAIL(m, e,
                        "%s %s, which no drive here has; --drives torque leaves all drives out, so "
                        "that torques and forces are the inputs",
                        fa_xml_about(e).text, what);
}

static fa_status check_drive(const fa_mjcf *m, const fa_xml_element *e, const drive *d)
{
    if (d->has_state) return refuse(m, e, "has a state of its own (dyntype, timeconst)");
    if (d->gain_type > GAIN_AFFINE || d->bias_type > BIAS_AFFINE)
        return refuse(m, e, "is a muscle or one of a user's program");
    if (d->gain_type == GAIN_AFFINE && (d->gain[1] != 0 || d->gain[2] != 0))
        return refuse(m, e, "has a gain that follows the motion");
    if (d->own_damping != 0 || d->armature != 0) return refuse(m, e, "has damping or armature");
    return FA_OK;
}

static fa_status put_term(fa_mjcf *m, fa_form_drive *to, int joint, double coefficient)
{
    fa_form_term *term = fa_form_add_term(m->form);
    if (!term) return fa_form_no_memory(m->form, m->error);
    *term = (fa_form_term){joint, coefficient};
    to->n_terms++;
    return FA_OK;
}

// A joint, or the joints of a tendon; a push on a site becomes a wrench that the host gives.
static fa_status find_target(fa_mjcf *m, const fa_xml_element *e, const drive *d, fa_form_drive *to)
{
    fa_form *f = m->form;
    to->first_term = f->n_terms;
    if (fa_xml_find(e, "joint") || fa_xml_find(e, "jointinparent")) {
        int       joint;
        fa_status status =
            fa_mjcf_joint_of(m, e, fa_xml_find(e, "joint") ? "joint" : "jointinparent", &joint);
        if (status != FA_OK) return status;
        if (f->joint[joint].type > FA_FORM_PRISMATIC)
            return refuse(m, e, "pushes on a joint of several freedoms");
        return put_term(m, to, joint, d->gear[0]);
    }
    if (fa_xml_find(e, "tendon")) {
        const char *name = fa_mjcf_text(e, "tendon");
        for (int i = 0; i < f->n_tendons; i++) {
            if (strcmp(f->tendon[i].name, name) != 0) continue;
            const fa_form_tendon t = f->tendon[i];
            fa_status            status = FA_OK;
            for (int k = 0; k < t.n_terms && status == FA_OK; k++) {
                const fa_form_term term = f->term[t.first_term + k];
                status = put_term(m, to, term.joint, d->gear[0] * term.coefficient);
            }
            return status;
        }
        return FA_MJCF_FAIL(m, e, "%s names the tendon '%.60s', and there is none",
                            fa_xml_about(e).text, name);
    }
    if (!fa_xml_find(e, "site") || fa_xml_find(e, "refsite"))
        return refuse(m, e, "pushes on something beside joints, tendons and sites");
    const char *site = fa_mjcf_text(e, "site");
    for (int i = 0; i < m->n_sites; i++)
        if (strcmp(m->site[i].name, site) == 0) {
            f->link[m->site[i].link].wrench = true;
            FA_MJCF_WARN(m, e,
                         "%s pushes on a site; in its place link '%s' has inputs for a force and a "
                         "torque",
                         fa_xml_about(e).text, f->link[m->site[i].link].name);
            return FA_OK;
        }
    return FA_MJCF_FAIL(m, e, "%s names the site '%.60s', and there is none", fa_xml_about(e).text,
                        site);
}

// Returns true if the link is the other one or a descendant of it. A link's joint has the index
// before it.
static bool hangs_on(const fa_form *f, int link, int on)
{
    while (link > on) link = f->joint[link - 1].parent;
    return link == on;
}

// Returns the joint's diagonal element of the mass matrix in the start pose: the inertia about its
// axis of all links beyond, or their mass, and the armature.
double fa_mjcf_inertia_at_start(const fa_mjcf *m, const fa_form_joint *joint)
{
    const fa_form     *f = m->form;
    const fa_transform child = m->world[joint->child];
    const fa_vec3      axis = mat3_tmul(child.E, mat3_mul(joint->to_child.E, joint->axis));
    const fa_vec3      at = point_to_parent(child, transform_inverse(joint->to_child).r);
    double             sum = joint->rotor.inertia * joint->rotor.gear * joint->rotor.gear;
    for (int i = joint->child; i < f->n_links; i++) {
        const fa_form_link *link = &f->link[i];
        if (!hangs_on(f, i, joint->child)) continue;
        if (joint->type == FA_FORM_PRISMATIC) {
            sum += link->mass;
            continue;
        }
        const fa_vec3 own = mat3_mul(m->world[i].E, axis);
        const fa_vec3 arm = cross(axis, vec3_sub(point_to_parent(m->world[i], link->com), at));
        sum += dot(own, sym3_mul(link->inertia, own)) + link->mass * dot(arm, arm);
    }
    return sum;
}

// A damping ratio is that of the drive's gain and the inertia that each of its joints has alone.
static void damp(const fa_mjcf *m, double ratio, fa_form_drive *to)
{
    double mass = 0;
    for (int i = 0; i < to->n_terms && ratio > 0; i++) {
        const fa_form_term *term = &m->form->term[to->first_term + i];
        if (term->coefficient != 0)
            mass += fa_mjcf_inertia_at_start(m, &m->form->joint[term->joint]) /
                    (term->coefficient * term->coefficient);
    }
    if (ratio > 0) to->bias[2] = -2 * ratio * sqrt(fmax(0, to->gain * mass));
}

static fa_status read_drive(fa_mjcf *m, const fa_xml_element *e)
{
    drive d = {.gain = {1}, .gear = {1}, .input_limited = 2, .force_limited = 2};
    if (is_beyond(e->name)) return refuse(m, e, "computes its force in a way");
    fa_status status = fa_mjcf_apply(m, e, FA_MJCF_MAIN, kinds, apply_drive, &d);
    if (status == FA_OK) status = check_drive(m, e, &d);
    if (status != FA_OK) return status;
    const bool    by_range = m->compiler.limits_by_range;
    fa_form_drive to = {.at = FA_MJCF_AT(m, e),
                        .gain = d.gain[0],
                        .input = {-INFINITY, INFINITY},
                        .force = {-INFINITY, INFINITY}};
    for (int k = 0; k < 3 && d.bias_type == BIAS_AFFINE; k++) to.bias[k] = d.bias[k];
    limit(d.input_limited, d.input, by_range, to.input);
    limit(d.force_limited, d.force, by_range, to.force);
    status = fa_mjcf_name(m, e, "actuator", m->form->n_drives, "", to.name);
    if (status == FA_OK) status = find_target(m, e, &d, &to);
    if (status != FA_OK || to.n_terms == 0) return status;
    if (d.is_position) damp(m, d.damping_ratio, &to);
    fa_form_drive *kept = fa_form_add_drive(m->form);
    if (!kept) return fa_form_no_memory(m->form, m->error);
    *kept = to;
    return FA_OK;
}

// Without drives the joints are still those that something drives.
static void mark_driven(fa_mjcf *m, const fa_xml_element *e)
{
    fa_form    *f = m->form;
    const char *joint = fa_mjcf_text(e, "joint"), *tendon = fa_mjcf_text(e, "tendon");
    const int   index = joint ? fa_form_find_joint(f, joint) : FA_FORM_NOBODY;
    if (index != FA_FORM_NOBODY) f->joint[index].actuated = true;
    for (int i = 0; tendon && i < f->n_tendons; i++)
        for (int k = 0; k < f->tendon[i].n_terms && strcmp(f->tendon[i].name, tendon) == 0; k++)
            f->joint[f->term[f->tendon[i].first_term + k].joint].actuated = true;
}

fa_status fa_mjcf_read_actuators(fa_mjcf *m)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *s = fa_xml_child(m->xml->root, "actuator"); s && status == FA_OK;
         s = fa_xml_next(s->next, "actuator"))
        for (const fa_xml_element *e = s->first; e && status == FA_OK; e = e->next) {
            if (m->options->torques)
                mark_driven(m, e);
            else
                status = read_drive(m, e);
        }
    return status;
}
