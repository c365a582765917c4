// Validates the parameters of a joint.
#include "robot_joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint_lists.h"
#include "methods.h"
#include "robot_touches.h"

typedef struct check {
    const fa_joint *joint;
    const char     *source;
    char            owner[FA_NAME_SIZE + 8]; // "joint 'elbow'"
    fa_error       *error;
} check;

#define FAIL(c, ...) fa_fail((c)->error, FA_BAD_INPUT, (c)->source, (c)->joint->place, __VA_ARGS__)

static check check_of(const fa_joint *joint, const char *source, fa_error *error)
{
    check c = {.joint = joint, .source = source, .error = error};
    (void)snprintf(c.owner, sizeof c.owner, "joint '%s'", joint->name);
    return c;
}

// Returns the element, or second word, that a following joint must not have; NULL: none.
static const char *too_much(const fa_joint *joint, fa_joint_element which)
{
    const fa_element *e = fa_joint_list(which);
    if (!e->everywhere) return e->at == FA_AT_JOINT ? NULL : e->about;
    for (int i = 0; i < e->n_choices; i++)
        if (*fa_joint_choice((fa_joint *)joint, which, i))
            return fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, i)->word;
    return NULL;
}

static fa_status check_follower(const check *c)
{
    for (int k = 0; k < FA_JOINT_ELEMENTS && !fa_joint_is_free(c->joint); k++) {
        const fa_joint_element which = (fa_joint_element)k;
        const char *what = fa_joint_says(c->joint, which) ? too_much(c->joint, which) : NULL;
        if (what)
            return FAIL(c,
                        "joint '%s' follows another one, and so can have no %s of its own; give it "
                        "to the joint that it follows",
                        c->joint->name, what);
    }
    return FA_OK;
}

static fa_status check_drives(const check *c)
{
    const fa_joint_element first = fa_joint_drive(c->joint);
    for (int k = (int)first + 1; k < FA_JOINT_ELEMENTS; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        if (!fa_joint_says(c->joint, (fa_joint_element)k) || !e->xml[0] || e->n_inputs == 0)
            continue;
        return FAIL(
            c, "joint '%s' has two drives, a %s and a %s, which exclude each other; remove one",
            c->joint->name, fa_joint_list(first)->about, e->about);
    }
    return FA_OK;
}

static fa_status check_rest(const check *c)
{
    const fa_joint *joint = c->joint;
    const double    other[] = {joint->initial_position, joint->initial_velocity, joint->mimic.ratio,
                               joint->mimic.offset};
    const double   *start = joint->start.position; // thirteen numbers, one after the other
    if (!fa_all_finite(other, (int)(sizeof other / sizeof *other)) || !isfinite(joint->pitch) ||
        !fa_all_finite(start, (int)(sizeof joint->start / sizeof *start)))
        return FAIL(c, "a number of joint '%s' is not finite", joint->name);
    if (joint->type == FA_SCREW && joint->pitch == 0)
        return FAIL(c,
                    "joint '%s' is a screw of pitch 0, which turns and does not advance; give it "
                    "a pitch, or make it revolute",
                    joint->name);
    return FA_OK;
}

static fa_status check_cone(const check *c)
{
    const fa_joint   *joint = c->joint;
    const fa_element *e = &fa_elements[FA_ELEMENT_cone];
    double            in[16];
    if (!joint->cone.present) return FA_OK;
    if (!(fabs(vec3_norm(joint->cone_axis) - 1) < 1e-9)) // of an axis that has been scaled
        return FAIL(c, "the axis of the stop of joint '%s' is not a unit vector", joint->name);
    fa_cone_fill(joint, in);
    return fa_element_check(e, in, c->owner, c->source, joint->place, c->error);
}

// A joint of several freedoms takes efforts of the host and viscous friction; other elements are
// refused.
static fa_status check_several(const check *c)
{
    const fa_joint *joint = c->joint;
    const char     *type = fa_joint_kinds[joint->type].name;
    const double   *q = joint->start.quaternion;
    if (!fa_joint_is_several(joint->type)) return FA_OK;
    if (joint->mimic.leader != FA_NOBODY)
        return FAIL(c, "joint '%s' is %s and cannot follow another one; let it be free",
                    joint->name, type);
    if (joint->stop.present)
        return FAIL(c, "joint '%s' is %s and has no limits where stops could stand; remove them",
                    joint->name, type);
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        if (e->everywhere || !fa_joint_says(joint, (fa_joint_element)k)) continue;
        return FAIL(c,
                    "joint '%s' is %s, and a %s acts at joints of one freedom; remove it, or make "
                    "the joint a row of joints of one freedom",
                    joint->name, type, e->about);
    }
    const fa_friction_data *f = &joint->friction;
    if (f->coulomb != 0 || f->coulomb_negative != 0 || f->sticks || f->on_motor)
        return FAIL(c,
                    "joint '%s' is %s and can have viscous friction only; remove the friction "
                    "that does not grow with speed",
                    joint->name, type);
    if (joint->rotor.inertia != 0)
        return FAIL(c, "joint '%s' is %s, and a rotor turns at joints of one freedom; remove it",
                    joint->name, type);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || isinf(length))
        return FAIL(c,
                    "the initial quaternion of joint '%s' has no direction; 1 0 0 0 is no "
                    "rotation",
                    joint->name);
    return check_cone(c);
}

fa_status fa_joint_check(const fa_joint *joint, const char *source, fa_error *error)
{
    const check c = check_of(joint, source, error);
    fa_status   status = check_rest(&c);
    if (status == FA_OK) status = check_several(&c);
    for (int k = 0; k < FA_JOINT_ELEMENTS && status == FA_OK; k++) {
        fa_joint_block block;
        if (!fa_joint_says(joint, (fa_joint_element)k)) continue;
        fa_joint_fill(joint, (fa_joint_element)k, false, &block);
        status = fa_element_check(fa_joint_list((fa_joint_element)k), block.in, c.owner, source,
                                  joint->place, error);
    }
    if (status == FA_OK) status = check_follower(&c);
    return status == FA_OK ? check_drives(&c) : status;
}

fa_status fa_joint_configure(const fa_joint *joint, const fa_joint *before, bool inverse,
                             fa_error *error)
{
    const check c = check_of(joint, NULL, error);
    fa_status   status = check_rest(&c);
    for (int k = 0; k < FA_JOINT_ELEMENTS && status == FA_OK; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        const size_t      reals = (size_t)e->n_reals * sizeof(double);
        fa_joint_block    old, block;
        if (!fa_joint_says(joint, (fa_joint_element)k)) continue;
        fa_joint_fill(before, (fa_joint_element)k, inverse, &old);
        fa_joint_fill(joint, (fa_joint_element)k, inverse, &block);
        memcpy((char *)block.in + reals, (char *)old.in + reals, (size_t)e->n_flags);
        status = fa_element_configure(e, block.in, c.owner, error);
    }
    return status;
}
