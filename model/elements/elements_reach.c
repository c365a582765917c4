// Dependencies between results and reals of each element, by its flags: tables that lawc generates
// from the graphs of the laws.
#include "elements.h"

// Result `result` depends on the reals `on` (a bit set) if the flags in the mask `care` are equal
// to `flags`.
typedef struct reach_row {
    int      element, result;
    uint32_t care, flags;
    uint64_t on;
} reach_row;

static const reach_row reach[] = {
#include "reach.gen.h"
};

enum { ROWS = (int)(sizeof reach / sizeof *reach) };

// Returns the first row of a result: rows are sorted by element and result.
static int first_row(int element, int result)
{
    int low = 0, high = ROWS;
    while (low < high) {
        const int        middle = (low + high) / 2;
        const reach_row *row = &reach[middle];
        if (row->element < element || (row->element == element && row->result < result))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t fa_element_reach(const fa_element *element, const void *in, int result)
{
    const int number = (int)(element - fa_elements);
    uint32_t  flags = 0;
    uint64_t  on = 0;
    for (int i = 0; i < element->n_flags; i++) {
        const bool flag =
            ((const bool *)((const char *)in + (size_t)element->n_reals * sizeof(double)))[i];
        flags |= (uint32_t)flag << i;
    }
    for (int i = first_row(number, result);
         i < ROWS && reach[i].element == number && reach[i].result == result; i++)
        if ((flags & reach[i].care) == reach[i].flags) on |= reach[i].on;
    return on;
}

bool fa_element_depends(const fa_element *element, const void *in, int result, int real)
{
    return fa_element_reach(element, in, result) >> real & 1;
}
