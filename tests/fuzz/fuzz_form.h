// Checks every form that a reader fills: numbers are finite, indices are valid, and a robot is
// built from it or refused with a sentence.
#ifndef FUZZ_FORM_H
#define FUZZ_FORM_H

#include <math.h>
#include <stdlib.h>

#include "form_build.h"
#include "formats.h"
#include "fuzz_robot.h"

static bool within(int index, int n)
{
    return index >= 0 && index < n;
}

static void check_form(const fa_form *form)
{
    for (int i = 0; i < form->n_links; i++) {
        const fa_form_link *link = &form->link[i];
        check(link->name[0] && isfinite(link->mass) && isfinite(link->inertia.xx));
    }
    for (int i = 0; i < form->n_joints; i++) {
        const fa_form_joint *joint = &form->joint[i];
        check(within(joint->parent, form->n_links) && within(joint->child, form->n_links));
        check(fabs(vec3_norm(joint->axis) - 1) < 1e-9); // rounding alone
        check(fa_form_holder(form, joint->child) == i); // no link hangs on two
    }
    for (int i = 0; i < form->n_loops; i++)
        check(within(form->loop[i].link[0], form->n_links) &&
              within(form->loop[i].link[1], form->n_links));
    for (int i = 0; i < form->n_couplings; i++)
        check(within(form->coupling[i].follower, form->n_joints) &&
              (form->coupling[i].leader == FA_FORM_NOBODY ||
               within(form->coupling[i].leader, form->n_joints)));
    for (int i = 0; i < form->n_terms; i++) check(within(form->term[i].joint, form->n_joints));
    for (int i = 0; i < form->n_shapes; i++) check(within(form->shape[i].link, form->n_links));
}

typedef fa_status fuzz_read_fn(const fa_xml *xml, const fa_import_options *options,
                               const fa_log *log, fa_form *form, fa_error *error);

static void build(const fa_form *form)
{
    fa_robot *robot = NULL;
    fa_error  error = fa_no_error();
    if (form->n_links > 200) return; // what more are built like is no different, and slow
    check_form(form);
    fa_status status = fa_form_build(form, NULL, &robot, &error);
    if (status == FA_OK) status = fa_robot_check(robot, NULL, &error);
    check(status == FA_OK || error.message[0] != '\0');
    if (status == FA_OK) check_written(robot);
    free(robot);
}

// Reads the bytes as XML, then as a form.
static void fuzz_form(const uint8_t *data, size_t size, fuzz_read_fn *read,
                      const fa_import_options *options)
{
    fa_xml  *xml = NULL;
    fa_form  form;
    fa_error error = fa_no_error();
    fa_form_begin(&form, "/nowhere/fuzz");
    fa_status status = fa_xml_read((const char *)data, size, form.source, NULL, &xml, &error);
    if (status == FA_OK) status = read(xml, options, NULL, &form, &error);
    check(status == FA_OK || error.message[0] != '\0');
    if (status == FA_OK) build(&form);
    fa_form_free(&form);
    fa_xml_free(xml);
}

#endif
