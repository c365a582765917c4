// Common parts of arm_touches.c and arm_touches_derived.c: the laws' arguments from the points.
#ifndef FA_ARM_TOUCHES_INSIDE_H
#define FA_ARM_TOUCHES_INSIDE_H

#include "arm.h"
#include "elements.h"
#include "laws.h"

#include "laws.gen.h"

typedef struct fa_arm_contact {
    int            body;
    fa_transform   frame; // body to link
    fa_vec3        axis;  // of a wheel, in the body's axes
    bool           on_ground;
    int            at[FA_TOUCH_STRIDE]; // rows by item
    int            point_row;
    fa_contact_in  in;
    fa_contact_out out, out_tangent, out_adjoint;
} fa_arm_contact;

typedef struct fa_arm_spring {
    int                body[2];
    fa_transform       frame[2]; // body to point
    int                at[FA_TOUCH_STRIDE];
    fa_line_spring_in  in;
    fa_line_spring_out out, out_tangent, out_adjoint;
} fa_arm_spring;

typedef struct fa_arm_cone {
    int         body[2]; // of the parent, or FA_WORLD, and of the child
    fa_vec3     axis[2]; // in their axes
    int         at[FA_TOUCH_STRIDE];
    fa_cone_in  in;
    fa_cone_out out, out_tangent, out_adjoint;
    fa_vec3     side[2]; // the axes in the world, at the values that were traced last
    fa_vec3     normal;  // to both
    fa_vec3     turning; // of the child against the parent, in the world
    double      sine;    // of the angle between them
} fa_arm_cone;

// Where a contact's centre is in its body.
static inline fa_transform fa_contact_centre(const fa_arm_contact *c, const double value[])
{
    const double *x = value + c->point_row;
    fa_transform  frame = transform_identity();
    frame.r = point_to_parent(c->frame, vec3(x[0], x[1], x[2]));
    return frame;
}

static inline const fa_element *fa_contact_list(void)
{
    return &fa_elements[FA_ELEMENT_contact];
}

static inline const fa_element *fa_spring_list(void)
{
    return &fa_elements[FA_ELEMENT_line_spring];
}

static inline const fa_element *fa_cone_list(void)
{
    return &fa_elements[FA_ELEMENT_cone];
}

// Where the two sides of a cone, and the two ends of a spring, are among the touches.
static inline fa_arm_touch *fa_cone_touch(const fa_arm_touches *t, int k)
{
    return &t->touch[t->n_contacts + 2 * k];
}

static inline fa_arm_touch *fa_spring_touch(const fa_arm_touches *t, int k)
{
    return &t->touch[t->n_contacts + 2 * t->n_cones + 2 * k];
}

// Rows of results: by the list's order, which is that of the block of results.
static inline int fa_first_result(const fa_element *e)
{
    return e->n_items - e->n_results;
}

static inline unsigned fa_touch_group(const fa_item *item)
{
    return item->type == FA_RESULT_RATE ? FA_GROUP_DERIVATIVES : FA_ARM_GROUP_CONTACTS;
}

#endif
