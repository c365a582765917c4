// Directional and adjoint derivatives of an instance.
#include "instance.h"

#include <math.h>
#include <string.h>

static bool calculated(const fa_instance *self, int row)
{
    fa_role role = (fa_role)self->row[row].role;
    return role == FA_STATE || role == FA_OUTPUT || role == FA_LOCAL;
}

// Until initialisation ends, states are computed and not knowns.
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
        const fa_cells cells = fa_cells_of(self, unknown[i]);
        if (cells.variable == FA_NO_ROW) return fa_unknown_reference(self, unknown[i]);
        if (!calculated(self, cells.cell[0]))
            return fa_refuse(self,
                             "'%s' is neither an output nor a derivative, so it cannot be "
                             "an unknown",
                             fa_name(self, cells.variable));
        for (int k = 0; k < cells.n; k++) *groups |= self->row[cells.cell[k]].group;
    }
    for (size_t i = 0; i < n_knowns; i++) {
        const fa_cells cells = fa_cells_of(self, known[i]);
        if (cells.variable == FA_NO_ROW) return fa_unknown_reference(self, known[i]);
        if (self->row[cells.cell[0]].role == FA_STRUCTURE)
            return fa_refuse(self, "'%s' counts, so nothing has a derivative with respect to it",
                             fa_name(self, cells.variable));
        if (!known_now(self, cells.cell[0]))
            return fa_refuse(self, "'%s' is calculated in this mode, so it cannot be a known",
                             fa_name(self, cells.variable));
    }
    return FA_DONE;
}

// Adds numbers to those of the variables' cells; and reads them.
static void scatter(const fa_instance *self, const uint32_t reference[], size_t n,
                    const double from[])
{
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        for (int k = 0; k < cells.n; k++) self->direction[cells.cell[k]] += *from++;
    }
}

// `of` is the variable named in the message if a number is not finite.
static fa_outcome gather(fa_instance *self, const uint32_t reference[], size_t n, double to[],
                         const char *of)
{
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        for (int k = 0; k < cells.n; k++) {
            *to = self->direction[cells.cell[k]];
            if (!isfinite(*to++))
                return fa_not_finite(self, fa_name_of_element(self, cells.variable, k).text, of);
        }
    }
    return FA_DONE;
}

static void clear(fa_instance *self)
{
    memset(self->direction, 0, (size_t)self->n_cells * sizeof *self->direction);
}

// Computes the tangent of these groups in the direction self->direction.
static fa_status follow(fa_instance *self, unsigned groups, fa_error *error)
{
    error->message[0] = '\0';
    if (self->moment->mode <= FA_MODE_INITIALIZATION)
        for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
            const fa_state_row *state = &self->states.of[i - self->first_state];
            const int           rate = state->initial_rate, time = self->time_row;
            self->direction[i] = state->initial == FA_NO_ROW ? 0 : self->direction[state->initial];
            if (rate == FA_NO_ROW) continue;
            self->direction[i] += self->direction[rate] * self->value[time] +
                                  self->value[rate] * self->direction[time];
        }
    if (groups == 0) return FA_OK; // only states are asked for
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
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, groups | FA_GROUP_DERIVATIVES, &error);
    if (status == FA_OK) {
        clear(self);
        scatter(self, known, n_knowns, seed);
        status = follow(self, groups, &error);
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    return gather(self, unknown, n_unknowns, sensitivity, "the derivative of ");
}

fa_outcome fa_get_adjoint(fa_instance *self, const uint32_t unknown[], size_t n_unknowns,
                          const uint32_t known[], size_t n_knowns, const double seed[],
                          double sensitivity[])
{
    unsigned groups = 0;
    bool     complete = (n_unknowns == 0 || seed) && (n_knowns == 0 || sensitivity);
    if (!complete) return fa_refuse(self, "an array is missing");
    // Seeds belong to the unknowns here, sensitivities to the knowns; both references are valid by
    // now.
    double     none = 0;
    fa_outcome outcome = check(self, unknown, n_unknowns, known, n_knowns, &none, &none, &groups);
    if (outcome != FA_DONE) return outcome;
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, groups | FA_GROUP_DERIVATIVES, &error);
    if (status == FA_OK) {
        double *slope = self->direction;
        clear(self);
        scatter(self, unknown, n_unknowns, seed);
        if (groups) status = self->plant->adjoint(self->self, self->value, slope, groups, &error);
        if (self->moment->mode <= FA_MODE_INITIALIZATION)
            for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
                const fa_state_row *state = &self->states.of[i - self->first_state];
                const int           rate = state->initial_rate, time = self->time_row;
                if (state->initial != FA_NO_ROW) slope[state->initial] += slope[i];
                if (rate == FA_NO_ROW) continue;
                slope[rate] += slope[i] * self->value[time];
                slope[time] += slope[i] * self->value[rate];
            }
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    return gather(self, known, n_knowns, sensitivity, "the derivative with respect to ");
}

fa_outcome fa_get_output_rates(fa_instance *self, const uint32_t reference[], size_t n,
                               const int32_t order[], double rate[])
{
    if (n == 0) return FA_DONE;
    if (!reference || !order || !rate) return fa_refuse(self, "an array is missing");
    if (self->moment->mode == FA_MODE_INTERMEDIATE && !self->may_get) return fa_not_now(self);
    unsigned groups = 0;
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        if (cells.variable == FA_NO_ROW) return fa_unknown_reference(self, reference[i]);
        const fa_role role = (fa_role)self->row[cells.cell[0]].role;
        if (role != FA_OUTPUT && role != FA_STATE)
            return fa_refuse(self, "'%s' is not an output", fa_name(self, cells.variable));
        if (order[i] != 1)
            return fa_refuse(self, "derivative %ld of '%s' was asked for; there is the first only",
                             (long)order[i], fa_name(self, cells.variable));
        for (int k = 0; k < cells.n; k++) groups |= self->row[cells.cell[k]].group;
    }
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, groups | self->derivative_groups, &error);
    if (status == FA_OK) {
        clear(self);
        self->direction[self->time_row] = 1;
        for (int i = 0; i < self->n_states; i++)
            self->direction[self->first_state + i] = self->value[self->states.of[i].derivative];
        status = follow(self, groups, &error);
    }
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    // The rate of a port's velocity output is the acceleration that the port has announced.
    for (int i = 0; i < self->n_ports; i++)
        if (self->value[self->port[i].hold] != FA_PORT_PLAIN)
            self->direction[self->port[i].velocity_row] =
                self->value[self->port[i].told_acceleration];
    return gather(self, reference, n, rate, "the rate of ");
}

// Returns the state that starts from this parameter, or the row itself.
static int behind(const fa_instance *self, int row)
{
    for (int i = 0; self->row[row].flags & FA_ROW_INITIAL && i < self->n_states; i++)
        if (self->states.of[i].initial == row) return self->first_state + i;
    return row;
}

// Returns true if the dependency is declared in the XML: allowed by structure and not ruled out by
// geometry. Without memory for the geometry, or without lists in the XML, structure alone decides.
static bool has_effect(const fa_instance *self, int unknown, int known)
{
    fa_details         *details = self->details;
    const fa_variables *table = &details->table;
    if (!details->probed && !self->plant->exact && fa_probe_fits(table)) {
        fa_error error = fa_no_error();
        (void)fa_probe_take(self->plant, details->robot, table, &details->probe, &error);
    }
    details->probed = true;
    known = behind(self, known);
    bool measured = known < table->first[FA_OUTPUT] && self->row[known].type == FA_REAL;
    return !measured || fa_probe_effect(&details->probe, unknown, known);
}

// Dependence through the state that starts from `known`; a rate or the time may contribute to its
// start.
static fa_dependence through_start(const fa_instance *self, int unknown, int known)
{
    const fa_details *details = self->details;
    for (int i = 0; self->row[known].flags & FA_ROW_MOVES && i < self->n_states; i++) {
        const fa_state_row *state = &self->states.of[i];
        const int           row = self->first_state + i;
        if (state->initial_rate == FA_NO_ROW) continue;
        if (known != state->initial_rate && known != self->time_row) continue;
        if (unknown == row ||
            self->plant->depends(details->robot, &details->table, unknown, row) != FA_INDEPENDENT)
            return FA_DEPENDENT;
    }
    return FA_INDEPENDENT;
}

// Returns the kind of dependence of a row on another one in this mode.
static fa_dependence dependence(const fa_instance *self, int unknown, int known)
{
    const fa_details *details = self->details;
    const bool        starting = self->moment->mode <= FA_MODE_INITIALIZATION;
    // Cells without rows are constant; no equation contains the solver's parameters.
    const int rows = self->states.rows;
    if (unknown >= rows || known >= rows || known < FA_COMMON_ROWS) return FA_INDEPENDENT;
    if (!known_now(self, known) || (!starting && self->row[known].flags & FA_ROW_INITIAL))
        return FA_INDEPENDENT;
    // After initialisation a state is an independent variable.
    if (self->row[unknown].role == FA_STATE && !starting)
        return known == unknown ? FA_PROPORTIONAL : FA_INDEPENDENT;
    if (starting && through_start(self, unknown, known) != FA_INDEPENDENT) return FA_DEPENDENT;
    const fa_dependence how = self->plant->depends(details->robot, &details->table, unknown, known);
    if (how != FA_DEPENDENT || self->row[unknown].role == FA_STATE) return how;
    return has_effect(self, unknown, known) ? how : FA_INDEPENDENT;
}

fa_outcome fa_begin_dependencies(fa_instance *self)
{
    if (fa_recall(self)) return FA_DONE;
    return fa_refuse(self, "there is not enough memory to find out what depends on what");
}

bool fa_next_dependency(fa_instance *self, int unknown, fa_dependency *at)
{
    const fa_cells of = fa_cells_of(self, (uint32_t)unknown + 1);
    if (!calculated(self, of.cell[0])) return false;
    at->of_known++;
    for (; at->element < of.n; at->element++, at->known = 0)
        for (; at->known < (int)self->n_visible; at->known++, at->of_known = 0) {
            const fa_cells on = fa_cells_of(self, (uint32_t)at->known + 1);
            for (; at->of_known < on.n; at->of_known++) {
                at->how = dependence(self, of.cell[at->element], on.cell[at->of_known]);
                if (at->how != FA_INDEPENDENT) return true;
            }
        }
    return false;
}
