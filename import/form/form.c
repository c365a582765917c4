// The lists and texts of a form.
#include "form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fa_form_text {
    struct fa_form_text *next;
    char                 text[];
};

void fa_form_begin(fa_form *form, const char *source)
{
    *form = (fa_form){.source = source, .at = {source, {0, 0}}, .gravity = {0, 0, -9.81}};
}

void fa_form_free(fa_form *form)
{
    while (form->text) {
        struct fa_form_text *text = form->text;
        form->text = text->next;
        free(text);
    }
    for (int i = 0; i < form->n_meshes; i++) fa_mesh_free(&form->mesh[i]);
    free(form->link);
    free(form->joint);
    free(form->coupling);
    free(form->loop);
    free(form->drive);
    free(form->tendon);
    free(form->term);
    free(form->shape);
    free(form->mesh);
    fa_form_begin(form, form->source);
}

// Room for one more; a list is full at each power of two. The new element is all zero.
static void *add(void **list, int *n, size_t size)
{
    if ((*n & (*n - 1)) == 0) {
        void *larger = realloc(*list, (*n ? 2 * (size_t)*n : 1) * size);
        if (!larger) return NULL;
        *list = larger;
    }
    void *element = (char *)*list + (size_t)(*n)++ * size;
    memset(element, 0, size);
    return element;
}

// A pointer to a typed list is no void **, so the list goes through one.
#define ADD(form, list, n)                                                                         \
    void *all = (form)->list;                                                                      \
    void *one = add(&all, &(form)->n, sizeof *(form)->list);                                       \
    (form)->list = all;                                                                            \
    if (!one) return NULL

fa_form_link *fa_form_add_link(fa_form *form)
{
    ADD(form, link, n_links);
    fa_form_link *link = one;
    link->gravity = 1;
    link->pose = transform_identity();
    return link;
}

fa_form_joint *fa_form_add_joint(fa_form *form)
{
    ADD(form, joint, n_joints);
    fa_form_joint *joint = one;
    joint->parent = joint->child = FA_FORM_NOBODY;
    joint->origin = joint->to_child = transform_identity();
    joint->axis = vec3(1, 0, 0);
    joint->limits = (fa_form_limits){
        .lower = -INFINITY, .upper = INFINITY, .effort = INFINITY, .velocity = INFINITY};
    joint->rotor.gear = joint->reduction = 1;
    return joint;
}

fa_form_coupling *fa_form_add_coupling(fa_form *form)
{
    ADD(form, coupling, n_couplings);
    fa_form_coupling *coupling = one;
    coupling->follower = coupling->leader = FA_FORM_NOBODY;
    return coupling;
}

fa_form_loop *fa_form_add_loop(fa_form *form)
{
    ADD(form, loop, n_loops);
    fa_form_loop *loop = one;
    loop->link[0] = loop->link[1] = FA_FORM_NOBODY;
    loop->frame[0] = loop->frame[1] = transform_identity();
    loop->axis = vec3(0, 0, 1);
    loop->axis2 = vec3(0, 1, 0);
    loop->ratio = 1;
    return loop;
}

fa_form_drive *fa_form_add_drive(fa_form *form)
{
    ADD(form, drive, n_drives);
    fa_form_drive *drive = one;
    drive->gain = 1;
    drive->input[0] = drive->force[0] = -INFINITY;
    drive->input[1] = drive->force[1] = INFINITY;
    return drive;
}

fa_form_tendon *fa_form_add_tendon(fa_form *form)
{
    ADD(form, tendon, n_tendons);
    fa_form_tendon *tendon = one;
    tendon->lower = -INFINITY;
    tendon->upper = INFINITY;
    return tendon;
}

fa_form_term *fa_form_add_term(fa_form *form)
{
    ADD(form, term, n_terms);
    return one;
}

fa_form_shape *fa_form_add_shape(fa_form *form)
{
    ADD(form, shape, n_shapes);
    fa_form_shape *shape = one;
    shape->frame = transform_identity();
    shape->corners = FA_FORM_NOBODY;
    return shape;
}

fa_mesh *fa_form_add_mesh(fa_form *form)
{
    ADD(form, mesh, n_meshes);
    return one;
}

const char *fa_form_text(fa_form *form, const char *text)
{
    const size_t         size = strlen(text) + 1;
    struct fa_form_text *kept = malloc(sizeof *kept + size);
    if (!kept) return NULL;
    memcpy(kept->text, text, size);
    kept->next = form->text;
    form->text = kept;
    return kept->text;
}

fa_status fa_form_no_memory(const fa_form *form, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, form->source, FA_NOWHERE,
                   "there is not enough memory for a robot of %d links", form->n_links);
}

int fa_form_find_link(const fa_form *form, const char *name)
{
    for (int i = 0; i < form->n_links; i++)
        if (strcmp(form->link[i].name, name) == 0) return i;
    return FA_FORM_NOBODY;
}

int fa_form_find_joint(const fa_form *form, const char *name)
{
    for (int i = 0; i < form->n_joints; i++)
        if (strcmp(form->joint[i].name, name) == 0) return i;
    return FA_FORM_NOBODY;
}

int fa_form_holder(const fa_form *form, int link)
{
    for (int i = 0; i < form->n_joints; i++)
        if (form->joint[i].child == link) return i;
    return FA_FORM_NOBODY;
}
