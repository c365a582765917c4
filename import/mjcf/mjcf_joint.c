// Joints of MJCF: several in one body are a chain of links without mass.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "dynamics.h"
#include "form_build.h"
#include "mjcf.h"
#include "values.h"

enum { FREE, BALL, SLIDE, HINGE };

typedef struct reading {
    int           type;
    fa_transform  pos; // r: the anchor
    double        axis[3];
    fa_mjcf_truth limited, force_limited;
    double        range[2], force[2], ref, springref;
    bool          ranged, forced;
    double        stiffness[3], damping[3], armature, loss, yield;
    double        springdamper[2], solref[2], solimp[5];
} reading;

static fa_status apply_truth(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                             fa_mjcf_truth *truth)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    int                      which = (int)*truth;
    fa_status                status = fa_mjcf_word(m, e, name, words, &which);
    *truth = (fa_mjcf_truth)which;
    return status;
}

// A polynomial, of which what is not written is 0.
static fa_status apply_polynomial(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                                  double value[3])
{
    int    n;
    double read[3] = {0};
    if (!fa_xml_find(e, name)) return FA_OK;
    fa_status status = fa_mjcf_numbers(m, e, name, 1, 3, read, &n);
    memcpy(value, read, sizeof read);
    return status;
}

static fa_status apply_joint(const fa_mjcf *m, const fa_xml_element *e, void *into)
{
    static const char *const types[] = {"free", "ball", "slide", "hinge", NULL};
    reading                 *j = into;
    int                      n;
    fa_status                status = fa_mjcf_word(m, e, "type", types, &j->type);
    double                   pos[3] = {j->pos.r.x, j->pos.r.y, j->pos.r.z};
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "pos", 3, 3, pos, &n);
    j->pos.r = vec3(pos[0], pos[1], pos[2]);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "axis", 3, 3, j->axis, &n);
    if (status == FA_OK) status = apply_truth(m, e, "limited", &j->limited);
    if (status == FA_OK) status = apply_truth(m, e, "actuatorfrclimited", &j->force_limited);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "range", 2, 2, j->range, &n);
    j->ranged |= fa_xml_find(e, "range") != NULL;
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "actuatorfrcrange", 2, 2, j->force, &n);
    j->forced |= fa_xml_find(e, "actuatorfrcrange") != NULL;
    if (status == FA_OK) status = fa_mjcf_number(m, e, "ref", &j->ref);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "springref", &j->springref);
    if (status == FA_OK) status = apply_polynomial(m, e, "stiffness", j->stiffness);
    if (status == FA_OK) status = apply_polynomial(m, e, "damping", j->damping);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "armature", &j->armature);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "frictionloss", &j->loss);
    if (status == FA_OK) status = fa_mjcf_number(m, e, "springyield", &j->yield);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "springdamper", 2, 2, j->springdamper, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "solreflimit", 1, 2, j->solref, &n);
    if (status == FA_OK) status = fa_mjcf_numbers(m, e, "solimplimit", 1, 5, j->solimp, &n);
    return status;
}

// A range alone limits, unless the compiler was told not to guess; then it must be said.
static fa_status find_limits(const fa_mjcf *m, const fa_xml_element *e, const char *what,
                             fa_mjcf_truth limited, bool given, const double range[2], double unit,
                             double *lower, double *upper)
{
    const bool in_order = range[0] < range[1];
    if (limited == FA_MJCF_AUTO && given && in_order && !m->compiler.limits_by_range)
        return FA_MJCF_FAIL(m, e, "%s has a %s, and autolimits is false: say whether it is limited",
                            fa_xml_about(e).text, what);
    if (limited == FA_MJCF_TRUE && !in_order)
        return FA_MJCF_FAIL(m, e, "%s is limited, and its %s does not rise", fa_xml_about(e).text,
                            what);
    if (limited == FA_MJCF_FALSE || !in_order) return FA_OK;
    *lower = range[0] * unit;
    *upper = range[1] * unit;
    return FA_OK;
}

static fa_status check_numbers(const fa_mjcf *m, const fa_xml_element *e, const reading *j)
{
    if (j->stiffness[1] != 0 || j->stiffness[2] != 0 || j->damping[1] != 0 || j->damping[2] != 0 ||
        j->yield != 0)
        return FA_MJCF_FAIL(m, e,
                            "%s has a spring or a damper that is not linear; write one number for "
                            "stiffness and damping",
                            fa_xml_about(e).text);
    const bool several = j->type == FREE || j->type == BALL;
    if (several && (j->stiffness[0] != 0 || j->armature != 0 || j->loss != 0))
        return FA_MJCF_FAIL(m, e,
                            "%s has several freedoms, and springs, friction and armature act on "
                            "joints of one; remove them",
                            fa_xml_about(e).text);
    return FA_OK;
}

static fa_status put_numbers(const fa_mjcf *m, const fa_xml_element *e, const reading *j,
                             fa_form_joint *to)
{
    const double unit = j->type == HINGE || j->type == BALL ? m->compiler.angle : 1;
    fa_form_at   at = FA_MJCF_AT(m, e);
    fa_status    status = check_numbers(m, e, j);
    to->limits.at = to->friction.at = to->spring.at = to->rotor.at = to->start_at = at;
    to->friction.viscous = j->damping[0];
    if (status != FA_OK || j->type == FREE) return status;
    status = find_limits(m, e, "range", j->limited, j->ranged, j->range, unit, &to->limits.lower,
                         &to->limits.upper);
    double force[2] = {-INFINITY, INFINITY};
    if (status == FA_OK)
        status = find_limits(m, e, "actuatorfrcrange", j->force_limited, j->forced, j->force, 1,
                             &force[0], &force[1]);
    if (j->type == BALL) { // a limit of its angle from the zero pose, which nothing else has
        to->limits.lower = -INFINITY;
        to->limits.upper = INFINITY;
        to->start[0] = 1;
        return status;
    }
    to->limits.effort = fmax(fabs(force[0]), fabs(force[1]));
    to->friction.coulomb = j->loss;
    to->spring.stiffness = j->stiffness[0];
    to->spring.rest = j->springref * unit;
    to->rotor.inertia = j->armature;
    to->start[0] = j->ref * unit;
    return status;
}

// The joint's frame stands at its anchor, turned or moved back by ref: then its position is the
// format's own, and the body is where the file has it at the position ref.
static fa_status put_frames(const fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                            const reading *j, fa_transform body, fa_form_joint *to)
{
    const double unit = j->type == HINGE ? m->compiler.angle : 1;
    fa_transform anchor = transform_identity();
    fa_vec3      axis = mat3_tmul(place->X.E, vec3(j->axis[0], j->axis[1], j->axis[2]));
    if (j->type == FREE) { // measured in the world, from which the body's own pose is the start
        const fa_quaternion q = fa_quaternion_of(body.E);
        const double        start[7] = {body.r.x, body.r.y, body.r.z, q.w, q.x, q.y, q.z};
        memcpy(to->start, start, sizeof start);
        to->start_at = FA_MJCF_AT(m, e);
        return FA_OK;
    }
    if (j->type != BALL && !(vec3_norm(axis) > 1e-14)) // below, the format takes it for none
        return FA_MJCF_FAIL(m, e, "the axis of %s has no direction", fa_xml_about(e).text);
    if (j->type != SLIDE) anchor.r = point_to_parent(place->X, j->pos.r);
    to->origin = transform_compose(body, anchor);
    to->to_child = transform_inverse(anchor);
    if (j->type == BALL) return FA_OK;
    const fa_vec3 unit_axis = vec3_scale(1 / vec3_norm(axis), axis);
    fa_transform  back = transform_identity();
    to->axis = unit_axis;
    if (j->ref == 0) return FA_OK;
    if (j->type == HINGE)
        back.E = fa_rotation_about(unit_axis, -j->ref * unit);
    else
        back.r = vec3_scale(-j->ref, unit_axis);
    to->origin = transform_compose(to->origin, back);
    return FA_OK;
}

fa_status fa_mjcf_read_joint(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                             const char *link_name, const fa_xml_element *body,
                             fa_transform *origin, int *link)
{
    static const char *const        tags[] = {"joint", NULL};
    static const fa_form_joint_type type[] = {[FREE] = FA_FORM_FLOATING,
                                              [BALL] = FA_FORM_BALL,
                                              [SLIDE] = FA_FORM_PRISMATIC,
                                              [HINGE] = FA_FORM_REVOLUTE};
    reading                         j = {.type = HINGE,
                                         .pos = transform_identity(),
                                         .axis = {0, 0, 1},
                                         .limited = FA_MJCF_AUTO,
                                         .force_limited = FA_MJCF_AUTO,
                                         .solref = {0.02, 1},
                                         .solimp = {0.9, 0.95}};
    fa_status                       status = FA_OK;
    if (strcmp(e->name, "freejoint") == 0)
        j.type = FREE;
    else
        status = fa_mjcf_apply(m, e, place->childclass, tags, apply_joint, &j);
    if (status != FA_OK) return status;

    // The link before, if a joint of this body carries it, is one of a chain.
    fa_form_link *before = *link > 0 ? &m->form->link[*link] : NULL;
    if (before && strcmp(before->name, link_name) == 0)
        (void)snprintf(before->name, sizeof before->name, "%.*s_at_%.*s", FA_NAME_SIZE / 2 - 3,
                       link_name, FA_NAME_SIZE / 2 - 3, m->form->joint[m->form->n_joints - 1].name);
    void          *list = m->joint;
    int            n = m->form->n_joints;
    fa_form_joint *to = fa_form_add_joint(m->form);
    fa_mjcf_joint *beside = fa_mjcf_add(&list, &n, sizeof *m->joint);
    m->joint = list;
    const int parent = *link;
    const int child = fa_mjcf_add_link(m, body, link_name, parent, *origin);
    if (!to || !beside || child == FA_FORM_NOBODY) return fa_form_no_memory(m->form, m->error);
    to->at = to->type_at = to->axis_at = FA_MJCF_AT(m, e);
    to->type = type[j.type];
    to->parent = parent;
    to->child = child;
    beside->springy = j.springdamper[0] > 0 && j.springdamper[1] > 0;
    memcpy(beside->springdamper, j.springdamper, sizeof j.springdamper);
    memcpy(beside->solref, j.solref, sizeof j.solref);
    beside->impedance = fmin(fmax(j.solimp[1], 0.0001), 0.9999); // as the format bounds it
    status = fa_mjcf_name(m, e, "joint", m->n_joints++, place->suffix, to->name);
    if (status == FA_OK) status = put_numbers(m, e, &j, to);
    if (status == FA_OK) status = put_frames(m, e, place, &j, *origin, to);
    *origin = transform_identity();
    *link = child;
    return status;
}

fa_status fa_mjcf_joint_of(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int *joint)
{
    const char *name = fa_mjcf_text(e, attribute);
    if (!name)
        return FA_MJCF_FAIL(m, e, "%s has no %s; add %s=\"…\"", fa_xml_about(e).text, attribute,
                            attribute);
    *joint = fa_form_find_joint(m->form, name);
    if (*joint != FA_FORM_NOBODY && m->form->joint[*joint].type != FA_FORM_FIXED) return FA_OK;
    return FA_MJCF_FAIL(m, e, "%s names the joint '%.60s', and there is none", fa_xml_about(e).text,
                        name);
}

// --------------------------------------------------------------------------- springs by inertia

// springdamper asks for a time constant and a damping ratio of the joint with all others free,
// where the robot stands at the start. What a torque accelerates there comes of the robot that the
// form makes.
static fa_status tune(fa_mjcf *m, const fa_robot *robot)
{
    const size_t  n = (size_t)fa_chain_bodies(robot), links = (size_t)robot->n_links;
    fa_body      *body = malloc((n + 1) * sizeof *body);
    int          *link_body = malloc(links * sizeof *link_body);
    fa_transform *link_frame = malloc(links * sizeof *link_frame);
    double       *q = calloc(4 * n + 1, sizeof *q);
    void         *work = NULL;
    fa_status     status = FA_NO_MEMORY;
    if (body && link_body && link_frame && q) {
        fa_chain chain = fa_chain_build(robot, body, link_body, link_frame);
        chain.gravity = vec3(0, 0, 0);
        const fa_method *method = fa_method_forward(&chain);
        const fa_load    none = {NULL};
        double          *zero = q + n, *unit = zero + n, *result = unit + n;
        work = malloc(method->work_size(&chain) + 1);
        status = work ? FA_OK : FA_NO_MEMORY;
        for (int i = 0; i < robot->n_links; i++)
            if (fa_joint_is_free(&robot->link[i].joint))
                q[body[link_body[i]].coordinate] = robot->link[i].joint.initial_position;
        for (int k = 0; k < m->form->n_joints && status == FA_OK; k++) {
            fa_form_joint *joint = &m->form->joint[k];
            const double  *s = m->joint[k].springdamper;
            const int      link = fa_robot_find_joint(robot, joint->name);
            if (!m->joint[k].springy || link == FA_NOBODY) continue;
            const int c = body[link_body[link]].coordinate;
            unit[c] = 1;
            status = method->forward(&chain, q, zero, unit, &none, result, work);
            unit[c] = 0;
            const double inertia = 1 / result[c];
            joint->spring.stiffness = inertia / (s[0] * s[0] * s[1] * s[1]);
            joint->friction.viscous = 2 * inertia / s[0];
        }
    }
    free(work);
    free(q);
    free(link_frame);
    free(link_body);
    free(body);
    return status == FA_NO_MEMORY ? fa_form_no_memory(m->form, m->error)
                                  : fa_explain(m->error, status, m->xml->path);
}

// The format's limits are constraints that give way. At rest they push with the stiffness k for an
// impedance d: with the joint's inertia M alone, time constant t and damping ratio z
//     k = M / ((1 - d) t^2 z^2),   damping 2 z sqrt(k M).
void fa_mjcf_put_stops(fa_mjcf *m)
{
    for (int i = 0; i < m->form->n_joints; i++) {
        fa_form_joint       *joint = &m->form->joint[i];
        const fa_mjcf_joint *own = &m->joint[i];
        const double         t = own->solref[0], z = own->solref[1];
        const bool limited = isfinite(joint->limits.lower) || isfinite(joint->limits.upper);
        if (joint->type > FA_FORM_PRISMATIC || !limited || !(t * z > 0)) continue;
        const double M = fa_mjcf_inertia_at_start(m, joint), give = 1 - own->impedance;
        const double k = t > 0 ? M / (give * t * t * z * z) : -t * M / give;
        const double d = t > 0 ? 2 * z * sqrt(k * M) : -z * M / give;
        if (!(k > 0 && isfinite(k))) continue;
        joint->stop = (fa_form_stop){joint->limits.at, {true, .stiffness = k, .damping = d}};
    }
}

fa_status fa_mjcf_tune_springs(fa_mjcf *m)
{
    bool wanted = false;
    for (int k = 0; k < m->form->n_joints; k++)
        wanted |= m->joint[k].springy && m->form->joint[k].type <= FA_FORM_PRISMATIC;
    if (!wanted) return FA_OK;
    fa_form   tree = *m->form; // without what couples joints
    fa_robot *robot;
    tree.n_couplings = tree.n_loops = tree.n_drives = tree.n_tendons = 0;
    fa_status status = fa_form_build(&tree, NULL, &robot, m->error);
    if (status == FA_OK) status = fa_robot_check(robot, NULL, m->error);
    if (status == FA_OK) status = tune(m, robot);
    free(robot);
    return status;
}
