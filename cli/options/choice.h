// Selects variables by their names, with wildcards.
#ifndef FA_CHOICE_H
#define FA_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "state.h"

// Parses a list of names, separated by commas, into rows. The wildcard * stands for any letters,
// dots among them, and ? for one. rows[] has room for state->table.n. Messages call the list
// `option`.
fa_status fa_choose(const fa_state *state, const char *list, const char *option, int rows[], int *n,
                    fa_error *error);

// Returns true if the name matches the pattern of `size` bytes.
bool fa_choice_fits(const char *pattern, size_t size, const char *name);

// Adds the row unless it is among the n rows already.
void fa_choice_add(int rows[], int *n, int row);

#endif
