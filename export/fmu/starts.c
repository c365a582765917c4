// Formats start attributes of scalars and arrays.
#include "starts.h"

#include <stdio.h>
#include <stdlib.h>

#include "number.h"

fa_status fa_write_starts(fa_markup *out, const char *attribute, const fa_view *view,
                          const fa_variables *table, int variable, int n)
{
    const bool truth = view->variable[variable].type == FA_BOOLEAN;
    char      *list = malloc((size_t)n * (FA_NUMBER_SIZE + 1) + 1), *end = list;
    if (!list) return FA_NO_MEMORY;
    *end = '\0';
    for (int k = 0; k < n; k++) {
        const double start = fa_view_start(view, table, variable, k);
        if (k > 0) *end++ = ' ';
        if (truth)
            end += sprintf(end, "%s", start != 0 ? "true" : "false");
        else
            end += fa_number_write(start, end);
    }
    fa_markup_attribute(out, attribute, list);
    free(list);
    return FA_OK;
}
