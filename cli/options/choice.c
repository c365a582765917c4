// Selects variables by patterns of names.
#include "choice.h"

#include <string.h>

#include "inspection.h"

bool fa_choice_fits(const char *pattern, size_t size, const char *name)
{
    while (size > 0 && *pattern != '*') {
        if (*name == 0 || (*pattern != '?' && *pattern != *name)) return false;
        pattern++, size--, name++;
    }
    if (size == 0) return *name == 0;
    for (;; name++) {
        if (fa_choice_fits(pattern + 1, size - 1, name)) return true;
        if (*name == 0) return false;
    }
}

static bool moves(const fa_state *state, int row)
{
    fa_role role = fa_state_role(state, row);
    return role >= FA_INPUT && role <= FA_LOCAL;
}

void fa_choice_add(int rows[], int *n, int row)
{
    for (int i = 0; i < *n; i++)
        if (rows[i] == row) return;
    rows[(*n)++] = row;
}

// Adds every row whose name matches the pattern `word`; fails if none does.
static fa_status choose(const fa_state *state, const char *word, size_t size, const char *option,
                        int rows[], int *n, fa_error *error)
{
    char name[256];
    if (size >= sizeof name) size = sizeof name - 1;
    memcpy(name, word, size);
    name[size] = 0;
    int before = *n, row;
    if (!strpbrk(name, "*?")) {
        fa_status status = fa_state_find(state, name, NULL, FA_NOWHERE, &row, error);
        if (status != FA_OK) return status;
        if (!moves(state, row))
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "'%s' is no curve over time but a %s; %s takes inputs, states, outputs "
                           "and locals",
                           name, fa_role_name(fa_state_role(state, row)), option);
        fa_choice_add(rows, n, row);
        return FA_OK;
    }
    bool known = false;
    for (row = 0; row < state->table.n; row++)
        if (moves(state, row) && fa_choice_fits(name, size, state->table.row[row].name)) {
            fa_choice_add(rows, n, row);
            known = true;
        }
    if (known || *n > before) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "no variable that moves is named like '%s'; forearm inspect lists them", name);
}

fa_status fa_choose(const fa_state *state, const char *list, const char *option, int rows[], int *n,
                    fa_error *error)
{
    *n = 0;
    for (;;) {
        list += strspn(list, ", ");
        size_t size = strcspn(list, ", ");
        if (size == 0) break;
        fa_status status = choose(state, list, size, option, rows, n, error);
        if (status != FA_OK) return status;
        list += size;
    }
    if (*n > 0) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "%s names no variable; forearm inspect lists them", option);
}
