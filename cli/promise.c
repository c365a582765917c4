// Error message about a number that is not finite, for all writers of the program.
#include "promise.h"

#include <math.h>
#include <stddef.h>

static const char TOO_EXTREME[] = "on the way to it numbers leave what a double holds; take values "
                                  "(of parameters, states and inputs) that are less extreme";

fa_status fa_promise(const char *what, double value, fa_error *error)
{
    if (isfinite(value)) return FA_OK;
    return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE, "%s would be no finite number: %s", what,
                   TOO_EXTREME);
}

fa_status fa_promise_in_table(const char *column, long line, double value, const char *path,
                              fa_error *error)
{
    if (isfinite(value)) return FA_OK;
    return fa_fail(error, FA_NOT_FINITE, path, FA_NOWHERE,
                   "'%s' in line %ld of the result is not finite: %s", column, line, TOO_EXTREME);
}
