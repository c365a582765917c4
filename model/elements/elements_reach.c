// Which result of an element depends on which of its reals, by its flags: tables that lawc finds in
// the graphs of the laws.
#include "elements.h"

// Result `result` depends on the reals `on` (bit by bit) where those flags that are in `care` are
// as in `flags` (bit by bit).
typedef struct reach_row {
    int      element, result;
    uint32_t care, flags;
    uint64_t on;
} reach_row;

static const reach_row reach[] = {
#include "reach.gen.h"
};

bool fa_element_depends(const fa_element *element, const void *in, int result, int real)
{
    uint32_t flags = 0;
    for (int i = 0; i < element->n_flags; i++) {
        const bool flag =
            ((const bool *)((const char *)in + (size_t)element->n_reals * sizeof(double)))[i];
        flags |= (uint32_t)flag << i;
    }
    for (size_t i = 0; i < sizeof reach / sizeof *reach; i++) {
        const reach_row *row = &reach[i];
        if (element == &fa_elements[row->element] && row->result == result &&
            (row->on >> real & 1) && (flags & row->care) == row->flags)
            return true;
    }
    return false;
}
