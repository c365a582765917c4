// Elements at joints as tables, made from at_joints.h.
#include "joint_lists.h"

#include <math.h>
#include <string.h>

#include "laws.h"

// Offsets of an element: in a fa_joint, and among the rows of a joint.
static const struct {
    uint16_t element, data, row;
} place[] = {
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    {FA_ELEMENT_##name, offsetof(fa_joint, name), offsetof(fa_joint_rows, name) / sizeof(int)},
#include "passes.h"
};

const fa_element *fa_joint_list(fa_joint_element which)
{
    return &fa_elements[place[which].element];
}

// ---------------------------------------------------------------------------------- what it says

bool *fa_joint_present(fa_joint *joint, fa_joint_element which)
{
    return (bool *)((char *)joint + place[which].data);
}

// fa_<name>_data: whether it is there, numbers, choices.
double *fa_joint_number(fa_joint *joint, fa_joint_element which, int i)
{
    return (double *)(void *)fa_joint_present(joint, which) + 1 + i;
}

bool *fa_joint_choice(fa_joint *joint, fa_joint_element which, int i)
{
    const int numbers = fa_joint_list(which)->n_numbers;
    return numbers > 0 ? (bool *)(void *)fa_joint_number(joint, which, numbers) + i
                       : fa_joint_present(joint, which) + 1 + i;
}

bool fa_joint_says(const fa_joint *joint, fa_joint_element which)
{
    return fa_joint_list(which)->everywhere || *((const bool *)joint + place[which].data);
}

// ------------------------------------------------------------------------------- where it acts

static bool has_place(const fa_joint *joint, const fa_element *e, bool inverse)
{
    if (joint->type == FA_FIXED) return false;
    return e->at == FA_AT_JOINT ||
           (fa_joint_is_free(joint) && (e->at == FA_AT_FREE_JOINT || !inverse));
}

// Returns true for the default drive, which has no XML word.
static bool is_usual_drive(const fa_element *e)
{
    return !e->xml[0] && e->n_inputs > 0;
}

fa_joint_element fa_joint_drive(const fa_joint *joint)
{
    fa_joint_element usual = FA_JOINT_ELEMENTS;
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const fa_element *e = fa_joint_list((fa_joint_element)k);
        if (is_usual_drive(e))
            usual = (fa_joint_element)k;
        else if (e->n_inputs > 0 && fa_joint_says(joint, (fa_joint_element)k))
            return (fa_joint_element)k;
    }
    return usual;
}

bool fa_joint_has(const fa_joint *joint, fa_joint_element which, bool inverse)
{
    const fa_element *e = fa_joint_list(which);
    if (!has_place(joint, e, inverse)) return false;
    return is_usual_drive(e) ? fa_joint_drive(joint) == which : fa_joint_says(joint, which);
}

// ---------------------------------------------------------------------------------------- blocks

// Flags that a place sets; given: the motion is.
#define SITE_inverse given
#define SITE_stops   (joint->stop.present && !given)
#define TAKE(type, name, from)                                                                     \
    const type name = in->name = (from);                                                           \
    (void)name;

#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_fill(const fa_joint *joint, bool given, void *block)                        \
    {                                                                                              \
        const fa_##name##_data *data = &joint->name;                                               \
        fa_##name##_in         *in = block;                                                        \
        (void)data;                                                                                \
        (void)in;                                                                                  \
        (void)given;
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about) TAKE(double, name, data->name)
#define NUMBER_OF(name, element)                                   TAKE(double, name, joint->element.name)
#define INPUT(name, row, unit, bound, when, about)                 in->name = 0;
#define STATE(name, row, unit, nominal, bound, when, about)        in->name = 0;
#define GIVEN(name, unit, about)                                   in->name = 0;
#define MODE(name, row, type, unit, when, about)                   in->name = 0;
#define SITE(name, about)                                          TAKE(bool, name, SITE_##name)
#define CHOICE(name, xml, no, yes)                                 TAKE(bool, name, data->name)
#define FLAG(name, condition, about)                               TAKE(bool, name, condition)
#define SHORTCUT(name, condition)                                  TAKE(bool, name, condition)
#define END(name)                                                  }
#include "passes.h"

void fa_joint_fill(const fa_joint *joint, fa_joint_element which, bool inverse,
                   fa_joint_block *block)
{
    switch (which) {
#define ELEMENT_LIST "at_joints.h"
#define ELEMENT(name, at, xml, about)                                                              \
    case FA_JOINT_##name:                                                                          \
        name##_fill(joint, inverse, block->in);                                                    \
        break;
#include "passes.h"
    case FA_JOINT_ELEMENTS:
        break;
    }
}

double fa_joint_usual(const fa_joint *joint, fa_joint_element which, int i, const bool said[])
{
    const fa_element *e = fa_joint_list(which);
    const fa_item    *item = &e->item[i];
    if (!item->as) return item->usual;
    const fa_item_as *a = item->as;
    int               as = fa_element_real_index(e, a->number, strlen(a->number));
    if (a->unsaid && !said[as]) as = fa_element_real_index(e, a->unsaid, strlen(a->unsaid));
    const double x = *fa_joint_number((fa_joint *)joint, which, as);
    if (!a->over) return x;
    const int    over = fa_element_real_index(e, a->over, strlen(a->over));
    const double by = *fa_joint_number((fa_joint *)joint, which, over);
    return by != 0 ? x / by : NAN;
}

void fa_joint_reset(fa_joint *joint, fa_joint_element which)
{
    static const bool nothing[FA_JOINT_NUMBERS];
    const fa_element *e = fa_joint_list(which);
    *fa_joint_present(joint, which) = e->everywhere;
    for (int i = 0; i < e->n_numbers; i++) {
        const double x = fa_joint_usual(joint, which, i, nothing);
        *fa_joint_number(joint, which, i) = isnan(x) ? 0 : x;
    }
    for (int i = 0; i < e->n_choices; i++) *fa_joint_choice(joint, which, i) = false;
}

// ------------------------------------------------------------------------------------------ rows

// Rows that an item has among fa_<name>_rows.
static int rows_of(const fa_item *item)
{
    if (item->kind == FA_ITEM_STATE) return 2; // and what it starts from
    return item->kind <= FA_ITEM_MODE || item->kind == FA_ITEM_RESULT;
}

int fa_joint_row_of(fa_joint_element which, int item)
{
    int row = place[which].row;
    for (int i = 0; i < item; i++) row += rows_of(&fa_joint_list(which)->item[i]);
    return row;
}

fa_joint_item fa_joint_item_of(int row)
{
    int which = FA_JOINT_ELEMENTS - 1;
    while (place[which].row > row) which--;
    const fa_element *e = fa_joint_list((fa_joint_element)which);
    int               item = 0, at = place[which].row;
    for (; item < e->n_items - 1 && at + rows_of(&e->item[item]) <= row; item++)
        at += rows_of(&e->item[item]);
    return (fa_joint_item){(fa_joint_element)which, item, row > at};
}

int fa_joint_rate_of(int row)
{
    const fa_joint_item state = fa_joint_item_of(row);
    const fa_element   *e = fa_joint_list(state.which);
    int                 left = 0; // states before this one
    for (int i = 0; i < state.item; i++) left += e->item[i].kind == FA_ITEM_STATE;
    int i = 0;
    for (;; i++) {
        if (e->item[i].kind != FA_ITEM_RESULT) continue;
        if (e->item[i].type != FA_RESULT_RATE) continue;
        if (left-- == 0) break;
    }
    return fa_joint_row_of(state.which, i);
}

int fa_joint_result_of(fa_joint_element which, fa_result_kind kind)
{
    const fa_element *e = fa_joint_list(which);
    for (int i = 0; i < e->n_items; i++)
        if (e->item[i].kind == FA_ITEM_RESULT && e->item[i].type == kind)
            return fa_joint_row_of(which, i);
    return -1;
}
