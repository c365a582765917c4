// Variables that somebody wants to see, by their names.
#ifndef FA_CHOICE_H
#define FA_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "state.h"

// The rows that a list names: names separated by commas, in which * stands for any letters, dots
// among them, and ? for one. rows[] has room for state->table.n. `option` is what messages call the
// list.
fa_status fa_choose(const fa_state *state, const char *list, const char *option, int rows[], int *n,
                    fa_error *error);

// Whether a name fits a pattern of so many letters.
bool fa_choice_fits(const char *pattern, size_t size, const char *name);

// Adds a row that is not among the n yet.
void fa_choice_add(int rows[], int *n, int row);

#endif
