// Dependence of an element's results on rows of its joint.
#include "arm_joint_depends.h"

#include <string.h>

#include "joint_lists.h"

// ------------------------------------------------------------------------------- reals of a law

static bool is_called(const fa_item *item, const char *name)
{
    return strcmp(item->name, name) == 0;
}

// Returns true if a law's real is a row of the joint with this quantity. `from`: the element and
// item of that row, if it belongs to an element.
static bool is_real(fa_joint_element which, int real, int quantity, const fa_joint_item *from)
{
    const fa_item *item = &fa_joint_list(which)->item[real];
    switch (item->kind) {
    case FA_ITEM_GIVEN:
        return (quantity == FA_ARM_POSITION && is_called(item, "position")) ||
               (quantity == FA_ARM_VELOCITY && is_called(item, "rate"));
    case FA_ITEM_INPUT:
        if (fa_joint_list(which)->n_inputs == 1) return quantity == FA_ARM_TORQUE;
        return from && from->which == which && from->item == real;
    case FA_ITEM_NUMBER_OF:
        return from && strcmp(item->xml, fa_joint_list(from->which)->name) == 0 &&
               is_called(item, fa_joint_list(from->which)->item[from->item].name);
    default:
        return from && from->which == which && from->item == real;
    }
}

// Its reals that rows of this quantity are, bit by bit.
static uint64_t reals_of(fa_joint_element which, int quantity)
{
    const bool          own = quantity >= FA_ARM_ELEMENTS && quantity < FA_ARM_INITIAL_POSITION;
    const fa_joint_item from = fa_joint_item_of(own ? quantity - FA_ARM_ELEMENTS : 0);
    uint64_t            reals = 0;
    for (int i = 0; i < fa_joint_list(which)->n_reals; i++)
        reals |= (uint64_t)is_real(which, i, quantity, own ? &from : NULL) << i;
    return reals;
}

// ------------------------------------------------------------------------------------- results

static unsigned kinds_of(const fa_element *e)
{
    unsigned kinds = 0;
    for (int i = e->n_items - e->n_results; i < e->n_items; i++) kinds |= 1u << e->item[i].type;
    return kinds;
}

enum {
    PUSH = 1 << FA_RESULT_PUSH,
    REFLECTED = 1 << FA_RESULT_REFLECTED,
    FRICTION_LOSS = 1 << FA_RESULT_FRICTION_LOSS,
    STOP_LOSS = 1 << FA_RESULT_STOP_LOSS,
    STORED = 1 << FA_RESULT_STORED
};

// Returns the results of an element that belong to the kinds in `results`. An element without an
// account and without stored energy is a drive, which an inverse excludes.
static unsigned asked_of(const fa_element *e, bool inverse, fa_arm_results results)
{
    static const unsigned of[] = {PUSH | REFLECTED, PUSH,      REFLECTED,
                                  FRICTION_LOSS,    STOP_LOSS, STORED};
    const bool            drives = !(kinds_of(e) & (FRICTION_LOSS | STOP_LOSS | STORED));
    unsigned              asked = of[results];
    if (results == FA_ARM_DRIVE && !drives) return 0;
    if (drives && inverse) asked &= ~(unsigned)PUSH;
    return asked;
}

bool fa_arm_results_depend(const fa_joint *joint, bool inverse, fa_arm_results results,
                           int quantity)
{
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++) {
        const fa_joint_element which = (fa_joint_element)k;
        const fa_element      *e = fa_joint_list(which);
        const unsigned         asked = asked_of(e, inverse, results) & kinds_of(e);
        const uint64_t         reals = asked ? reals_of(which, quantity) : 0;
        fa_joint_block         block;
        if (!reals || !fa_joint_has(joint, which, inverse)) continue;
        fa_joint_fill(joint, which, inverse, &block);
        for (int r = 0; r < e->n_results; r++)
            if (asked >> e->item[e->n_items - e->n_results + r].type & 1 &&
                fa_element_reach(e, block.in, r) & reals)
                return true;
    }
    return false;
}

// Returns true if the given of this name is among the reals.
static bool has_given(const fa_element *e, const char *name, uint64_t reals)
{
    const int given = fa_element_real_index(e, name, strlen(name));
    return given >= 0 && reals >> given & 1;
}

bool fa_arm_result_depends(const fa_joint *joint, bool inverse, int of, int quantity, bool *wanted,
                           bool *gravity)
{
    const fa_joint_item result = fa_joint_item_of(of - FA_ARM_ELEMENTS);
    const fa_element   *e = fa_joint_list(result.which);
    fa_joint_block      block;
    fa_joint_fill(joint, result.which, inverse, &block);
    const uint64_t on = fa_element_reach(e, block.in, result.item - (e->n_items - e->n_results));
    *wanted = has_given(e, "wanted", on);
    *gravity = has_given(e, "gravity", on);
    return on & reals_of(result.which, quantity);
}
