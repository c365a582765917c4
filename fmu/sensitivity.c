#include "instance.h"

#include <string.h>

static bool calculated(const fa_instance *self, int row)
{
    fa_role role = (fa_role)self->row[row].role;
    return role == FA_STATE || role == FA_OUTPUT || role == FA_LOCAL;
}

// Until initialisation ends, the states are calculated and no knowns.
static bool known_now(const fa_instance *self, int row)
{
    switch (self->row[row].role) {
    case FA_PARAMETER:
    case FA_TUNABLE:
    case FA_INPUT:
    case FA_TIME:
        return true;
    case FA_STATE:
        return self->moment->mode > FA_MODE_INITIALIZATION;
    default:
        return false;
    }
}

static fa_outcome check(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                        const uint32_t known[], size_t n_knowns, const double seed[],
                        const double sensitivity[], unsigned *groups)
{
    bool complete =
        (n_unknowns == 0 || (unknown && sensitivity)) && (n_knowns == 0 || (known && seed));
    if (!complete) return fa_refuse(self, "an array is missing");
    for (size_t i = 0; i < n_unknowns; i++) {
        int row = fa_row_of(self, unknown[i]);
        if (row == FA_NO_ROW) return fa_unknown_reference(self, unknown[i]);
        if (!calculated(self, row))
            return fa_refuse(self,
                             "'%s' is neither an output nor a derivative, so it cannot be "
                             "an unknown",
                             fa_row_name(self, row));
        *groups |= self->row[row].group;
    }
    for (size_t i = 0; i < n_knowns; i++) {
        int row = fa_row_of(self, known[i]);
        if (row == FA_NO_ROW) return fa_unknown_reference(self, known[i]);
        if (!known_now(self, row))
            return fa_refuse(self, "'%s' is calculated in this mode, so it cannot be a known",
                             fa_row_name(self, row));
    }
    return FA_DONE;
}

static void clear(fa_instance *self)
{
    memset(self->direction, 0, (size_t)self->table.n * sizeof *self->direction);
}

// What the step in self->direction does to the rows of these groups.
static fa_status follow(fa_instance *self, unsigned groups, fa_error *error)
{
    error->message[0] = '\0';
    if (self->moment->mode <= FA_MODE_INITIALIZATION)
        for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
            int initial = self->table.row[i].initial;
            self->direction[i] = initial == FA_NO_ROW ? 0 : self->direction[initial];
        }
    if (groups == 0) return FA_OK; // states only
    return self->plant->tangent(self->self, self->value, self->direction, groups, error);
}

fa_outcome fa_get_directional(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                              const uint32_t known[], size_t n_knowns, const double seed[],
                              double sensitivity[])
{
    unsigned   groups = 0;
    fa_outcome outcome =
        check(self, unknown, n_unknowns, known, n_knowns, seed, sensitivity, &groups);
    if (outcome != FA_DONE) return outcome;
    fa_error  error;
    fa_status status = fa_refresh(self, groups | FA_GROUP_DERIVATIVES, &error);
    if (status == FA_OK) {
        clear(self);
        for (size_t i = 0; i < n_knowns; i++) self->direction[known[i] - 1] += seed[i];
        status = follow(self, groups, &error);
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t i = 0; i < n_unknowns; i++) sensitivity[i] = self->direction[unknown[i] - 1];
    return FA_DONE;
}

fa_outcome fa_get_adjoint(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                          const uint32_t known[], size_t n_knowns, const double seed[],
                          double sensitivity[])
{
    unsigned groups = 0;
    bool     complete = (n_unknowns == 0 || seed) && (n_knowns == 0 || sensitivity);
    if (!complete) return fa_refuse(self, "an array is missing");
    // Seeds belong to the unknowns here, sensitivities to the knowns; both exist by now.
    double     none = 0;
    fa_outcome outcome = check(self, unknown, n_unknowns, known, n_knowns, &none, &none, &groups);
    if (outcome != FA_DONE) return outcome;
    fa_error  error;
    fa_status status = fa_refresh(self, groups | FA_GROUP_DERIVATIVES, &error);
    if (status == FA_OK) {
        double *slope = self->direction;
        clear(self);
        for (size_t i = 0; i < n_unknowns; i++) slope[unknown[i] - 1] += seed[i];
        if (groups) status = self->plant->adjoint(self->self, self->value, slope, groups, &error);
        if (self->moment->mode <= FA_MODE_INITIALIZATION)
            for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
                int initial = self->table.row[i].initial;
                if (initial != FA_NO_ROW) slope[initial] += slope[i];
            }
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t k = 0; k < n_knowns; k++) sensitivity[k] = self->direction[known[k] - 1];
    return FA_DONE;
}

fa_outcome fa_get_output_rates(fa_instance *self, const uint32_t reference[], size_t n,
                               const int32_t order[], double rate[])
{
    if (n == 0) return FA_DONE;
    if (!reference || !order || !rate) return fa_refuse(self, "an array is missing");
    unsigned groups = 0;
    for (size_t i = 0; i < n; i++) {
        int row = fa_row_of(self, reference[i]);
        if (row == FA_NO_ROW) return fa_unknown_reference(self, reference[i]);
        if (self->row[row].role != FA_OUTPUT && self->row[row].role != FA_STATE)
            return fa_refuse(self, "'%s' is not an output", fa_row_name(self, row));
        if (order[i] != 1)
            return fa_refuse(self, "derivative %ld of '%s' was asked for; there is the first only",
                             (long)order[i], fa_row_name(self, row));
        groups |= self->row[row].group;
    }
    fa_error  error;
    fa_status status = fa_refresh(self, groups | self->derivative_groups, &error);
    if (status == FA_OK) {
        clear(self);
        self->direction[self->time_row] = 1;
        for (int i = 0; i < self->n_states; i++)
            self->direction[self->first_state + i] = self->value[self->derivative[i]];
        status = follow(self, groups, &error);
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t i = 0; i < n; i++) rate[i] = self->direction[reference[i] - 1];
    return FA_DONE;
}

int fa_next_dependency(const fa_instance *self, int unknown, int from, fa_dependence *how)
{
    bool starting = self->moment->mode <= FA_MODE_INITIALIZATION;
    bool state = self->row[unknown].role == FA_STATE;
    if (!calculated(self, unknown)) return FA_NO_ROW;
    // The solver's own parameters, the first ones, are in no equation.
    for (int row = from < FA_COMMON_ROWS ? FA_COMMON_ROWS : from; row < self->table.n; row++) {
        if (!known_now(self, row) || (!starting && self->row[row].initial)) continue;
        // Once the simulation runs, a state is given and depends on nothing but itself.
        if (state && !starting)
            *how = row == unknown ? FA_PROPORTIONAL : FA_INDEPENDENT;
        else
            *how = self->plant->depends(self->robot, &self->table, unknown, row);
        if (*how != FA_INDEPENDENT) return row;
    }
    return FA_NO_ROW;
}
