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

// Returns the pose of a contact's centre in its body.
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
