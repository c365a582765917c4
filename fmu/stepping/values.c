// Get and set of variables: legality, bounds, invalidation of results, evaluation of the groups
// asked for.
#include "instance.h"

#include "finite.h"
#include "number.h"

#include <float.h>
#include <math.h>
#include <string.h>

fa_outcome fa_not_now(fa_instance *self)
{
    return fa_refuse(self, "the solver is within a step here, and no values belong to it; wait for "
                           "an intermediate update that allows to get them");
}

fa_outcome fa_unknown_reference(fa_instance *self, uint32_t reference)
{
    return fa_refuse(self,
                     "there is no variable with the value reference %lu; they run from 1 to "
                     "%lu",
                     (unsigned long)reference, (unsigned long)self->n_visible);
}

bool fa_counts_fit(fa_instance *self, const uint32_t reference[], size_t n, size_t n_values)
{
    size_t elements = 0;
    for (size_t i = 0; reference && i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        if (cells.variable == FA_NO_ROW) return true;
        elements += (size_t)cells.n;
    }
    if (!reference) elements = n;
    if (elements == n_values) return true;
    fa_refuse(self, "%lu values are given for %lu variable%s with %lu element%s in all",
              (unsigned long)n_values, (unsigned long)n, n == 1 ? "" : "s", (unsigned long)elements,
              elements == 1 ? "" : "s");
    return false;
}

// Until initialisation ends, computes states from their initial parameters.
static void follow_initial_values(fa_instance *self)
{
    self->restart = false;
    if (self->moment->mode > FA_MODE_INITIALIZATION) return;
    for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
        const fa_state_row *state = &self->states.of[i - self->first_state];
        if (state->initial != FA_NO_ROW) self->value[i] = self->value[state->initial];
        if (state->initial_rate != FA_NO_ROW)
            self->value[i] += self->value[state->initial_rate] * self->value[self->time_row];
    }
}

// Returns true if states must be recomputed because a rate or the time contributes to their start.
static bool starts_anew(const fa_instance *self)
{
    return self->restart || (self->starts_moving && self->moment->mode <= FA_MODE_INITIALIZATION);
}

fa_status fa_refresh(fa_instance *self, unsigned groups, fa_error *error)
{
    error->message[0] = '\0';
    if (starts_anew(self)) follow_initial_values(self);
    if (!self->configured) {
        fa_status status = self->plant->configure(self->self, self->value, error);
        if (status != FA_OK) return status;
        self->configured = true;
        self->moment->fresh = 0;
    }
    if ((groups & ~self->moment->fresh) == 0) return FA_OK;
    return fa_plant_evaluate(self->plant, self->self, self->value, groups, &self->moment->fresh,
                             error);
}

fa_status fa_find_derivatives(fa_instance *self, double dx[], fa_error *error)
{
    const fa_status status = fa_refresh(self, self->derivative_groups, error);
    if (status != FA_OK) return status;
    fa_copy_derivatives(self, dx);
    if (fa_are_finite(dx, (size_t)self->n_states)) return FA_OK;
    int i = 0;
    while (isfinite(dx[i])) i++;
    return fa_derivative_is_none(fa_row_name(self, self->states.of[i].derivative), error);
}

static const char *type_name(const fa_instance *self, int type)
{
    static const char *const name[2][4] = {{"Real", "Integer", "Boolean", ""},
                                           {"Float64", "Int32", "Boolean", "UInt64"}};
    return name[self->fmi == 3][type];
}

// --- get and set by reference

// Returns true if all references are of this type; `groups` are those of their rows.
static bool check_references(fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                             unsigned *groups, fa_outcome *outcome)
{
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        if (cells.variable == FA_NO_ROW) {
            *outcome = fa_unknown_reference(self, reference[i]);
            return false;
        }
        const fa_type found = (fa_type)self->row[cells.cell[0]].type;
        if (found != type) {
            *outcome = fa_refuse(self, "'%s' is of type %s", fa_name(self, cells.variable),
                                 type_name(self, found));
            return false;
        }
        for (int k = 0; k < cells.n; k++) *groups |= self->row[cells.cell[k]].group;
    }
    return true;
}

// Fast check in one pass: all are scalars of this type with one value each. False: the general
// check follows.
static bool are_scalars(const fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                        size_t n_values, unsigned *groups)
{
    unsigned found = 0;
    if (n != n_values) return false;
    for (size_t i = 0; i < n; i++) {
        const uint32_t variable = reference[i] - 1;
        if (variable >= self->n_visible) return false;
        const int    *element = &self->element[variable];
        const fa_row *row = &self->row[self->cell[element[0]]];
        if (element[1] - element[0] != 1 || row->type != type) return false;
        found |= row->group;
    }
    *groups = found;
    return true;
}

static void put_number(void *values, fa_form form, size_t i, double value)
{
    switch (form) {
    case FA_AS_DOUBLE:
        ((double *)values)[i] = value;
        break;
    case FA_AS_INT32:
        ((int32_t *)values)[i] = (int32_t)value;
        break;
    case FA_AS_UINT64:
        ((uint64_t *)values)[i] = (uint64_t)value;
        break;
    case FA_AS_BOOL:
        ((bool *)values)[i] = value != 0;
        break;
    }
}

fa_outcome fa_not_finite(fa_instance *self, const char *name, const char *of)
{
    return fa_discard(
        self,
        "%s'%s' is not a finite number; the inputs, states and parameters are too far "
        "from anything that a machine does",
        of, name);
}

// Reports computed values that are not finite. Only joint limits may be infinite.
static fa_outcome check_finite(fa_instance *self, const uint32_t reference[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        // gcc sees NULL: these references are valid.
        const uint8_t role = self->row[cells.cell[0]].role;
        if (role == FA_PARAMETER || role == FA_TUNABLE) continue;
        for (int k = 0; k < cells.n; k++)
            if (!isfinite(self->value[cells.cell[k]]))
                return fa_not_finite(self, fa_name_of_element(self, cells.variable, k).text, "");
    }
    return FA_DONE;
}

fa_outcome fa_get(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, void *values, size_t n_values)
{
    if (n == 0 && n_values == 0) return FA_DONE;
    if (!reference || !values) return fa_refuse(self, "an array is missing");
    unsigned   groups = 0;
    fa_outcome outcome;
    const bool doubles = type == FA_REAL && form == FA_AS_DOUBLE && n > 0;
    const int  block = doubles ? fa_block_of(self, type, reference, n, n_values) : FA_NO_ROW;
    if (block != FA_NO_ROW) {
        for (size_t i = 0; i < n_values; i++) groups |= self->row[block + (int)i].group;
    } else if (!are_scalars(self, type, reference, n, n_values, &groups)) {
        if (!check_references(self, type, reference, n, &groups, &outcome)) return outcome;
        if (!fa_counts_fit(self, reference, n, n_values)) return FA_FAILED;
    }
    if (self->moment->mode == FA_MODE_INTERMEDIATE && !self->may_get) return fa_not_now(self);

    if ((groups & ~self->moment->fresh) != 0 && self->moment->touched == FA_SET_SINCE)
        fa_tell_once(self, FA_TOLD_GET_AFTER_SET,
                     "the standard foresees a step between setting inputs and getting what follows "
                     "from them; the values returned belong to the new inputs");
    if (starts_anew(self)) follow_initial_values(self);
    if (groups) {
        fa_error  error = fa_no_error();
        fa_status status = fa_refresh(self, groups, &error);
        if (status != FA_OK) return fa_model_failed(self, status, &error);
    }

    const double *value = self->value;
    if (block != FA_NO_ROW) {
        memcpy(values, value + block, n_values * sizeof *value);
        return fa_are_finite(values, n_values) ? FA_DONE : check_finite(self, reference, n);
    }
    size_t at = 0;
    bool   finite = true;
    for (size_t i = 0; i < n; i++) {
        const int *element = &self->element[reference[i] - 1]; // all references are valid by now
        for (int k = element[0]; k < element[1]; k++) {
            const double number = value[self->cell[k]];
            if (form == FA_AS_DOUBLE) {
                finite &= fabs(number) <= DBL_MAX;
                ((double *)values)[at++] = number;
            } else {
                put_number(values, form, at++, number);
            }
        }
    }
    return finite ? FA_DONE : check_finite(self, reference, n);
}

static double number_at(const void *values, fa_form form, size_t i)
{
    switch (form) {
    case FA_AS_INT32:
        return ((const int32_t *)values)[i];
    case FA_AS_UINT64:
        return (double)((const uint64_t *)values)[i];
    case FA_AS_BOOL:
        return ((const bool *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

// Strings of FA_SETTING_LIST for each standard and kind.
static const char *const setting_verdict[FA_SETTING_COUNT][2][2] = {
#define X(code, words, me2, cs2, me3, cs3) [code] = {{me2, cs2}, {me3, cs3}},
    FA_SETTING_LIST(X)
#undef X
};

static const char *const setting_words[FA_SETTING_COUNT] = {
#define X(code, words, me2, cs2, me3, cs3) [code] = words,
    FA_SETTING_LIST(X)
#undef X
};

static const char *const setting_time[FA_MODE_COUNT] = {
#define X(code, words) [code] = words,
    FA_MODE_LIST(X)
#undef X
};

// Refuses if this setting is not allowed in the current mode.
static fa_outcome check_mode(fa_instance *self, fa_setting setting, fa_role role, int variable)
{
    const char *verdict = setting_verdict[setting][self->fmi == 3][self->kind];
    const char  sign = fa_verdict(self, verdict[self->moment->mode]);
    const char *when = setting_time[self->moment->mode];
    if (sign == FA_LEGAL && self->moment->mode == FA_MODE_INTERMEDIATE &&
        !self->intermediate[variable])
        return fa_refuse(self,
                         "'%s' is not among the variables that the host announced for intermediate "
                         "updates",
                         fa_name(self, variable));
    if (sign == FA_LEGAL) return FA_DONE;
    if (sign != FA_TOLERATED)
        return fa_refuse(self, "'%s' is %s, which cannot be set %s", fa_name(self, variable),
                         role == FA_TIME ? "the independent variable" : setting_words[setting],
                         when);
    fa_tell_once(self, FA_TOLD_SETTING + (int)setting,
                 "'%s' is %s, which the standard does not let be set %s; it is set",
                 fa_name(self, variable), setting_words[setting], when);
    return FA_DONE;
}

fa_bounds fa_bounds_of(const fa_instance *self, int cell)
{
    const uint8_t flags = self->row[cell].flags;
    if (!(flags & FA_ROW_BOUNDED))
        return (fa_bounds){cell,
                           flags & FA_ROW_NOT_NEGATIVE ? 0
                           : flags & FA_ROW_ABOVE_ZERO ? FA_POSITIVE
                                                       : -INFINITY,
                           INFINITY};
    int low = 0, high = self->n_bounds - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (self->bounds[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return self->bounds[low];
}

bool fa_value_is_possible(const fa_instance *self, int cell, double value)
{
    // Only a joint limit may be infinite.
    if (!isfinite(value) && !(isinf(self->start[cell]) && isinf(value))) return false;
    const fa_bounds bounds = fa_bounds_of(self, cell);
    return value >= bounds.minimum && value <= bounds.maximum;
}

// Refuses a value that this element may not have.
static fa_outcome check_value(fa_instance *self, fa_setting setting, const fa_cells *cells,
                              int element, double value)
{
    // Bounds of inputs describe the machine; simulations may exceed them.
    const int  cell = cells->cell[element];
    const bool parameter =
        setting == FA_SET_PARAMETER || setting == FA_SET_TUNABLE || setting == FA_SET_STRUCTURE;
    if (parameter ? fa_value_is_possible(self, cell, value) : isfinite(value)) return FA_DONE;
    if (!isfinite(value) && !(parameter && isinf(self->start[cell]) && isinf(value)))
        return fa_discard(self, "'%s' must be a finite number, not %s; nothing is set",
                          fa_name_of_element(self, cells->variable, element).text,
                          fa_number_text(value).text);
    const fa_bounds       bounds = fa_bounds_of(self, cell);
    const fa_element_text name = fa_name_of_element(self, cells->variable, element);
    const fa_bounds_words words = fa_bounds_text(bounds.minimum, bounds.maximum);
    return self->row[cell].type == FA_REAL
               ? fa_discard(self, "'%s' must be %s, not %s; nothing is set", name.text, words.text,
                            fa_number_text(value).text)
               : fa_refuse(self, "'%s' must be %s, not %s", name.text, words.text,
                           fa_number_text(value).text);
}

static void take_value(fa_instance *self, int cell, double value)
{
    if (self->value[cell] == value) return; // unchanged: computed rows stay valid
    if (self->row[cell].setting == FA_SET_TUNABLE && self->plant->tune &&
        self->moment->mode > FA_MODE_INITIALIZATION)
        self->plant->tune(self->self, self->value, cell, value);
    self->value[cell] = value;
    self->moment->fresh = 0;
    if (self->moment->mode == FA_MODE_STEP) self->moment->touched = FA_SET_SINCE;
    const fa_setting setting = self->row[cell].setting;
    if (setting == FA_SET_PARAMETER || setting == FA_SET_TUNABLE) {
        self->configured = false;
        self->restart = true;
    }
}

bool fa_may_set_inputs(const fa_instance *self)
{
    const char *verdict = setting_verdict[FA_SET_INPUT][self->fmi == 3][self->kind];
    return verdict[self->moment->mode] == FA_LEGAL && self->moment->mode != FA_MODE_INTERMEDIATE;
}

// Fast path of sets of real inputs in ascending order, in two passes. False: not applicable, and
// nothing was set.
static bool set_inputs(fa_instance *self, const uint32_t reference[], size_t n,
                       const double values[])
{
    if (!fa_may_set_inputs(self)) return false;
    for (size_t i = 0; i < n; i++) {
        const fa_row *row = &self->row[self->cell[self->element[reference[i] - 1]]];
        if (row->setting != FA_SET_INPUT || !isfinite(values[i])) return false;
    }
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        double *value = &self->value[self->cell[self->element[reference[i] - 1]]];
        same &= *value == values[i];
        *value = values[i];
    }
    if (!same) fa_input_is_new(self);
    return true;
}

fa_outcome fa_set(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, const void *values, size_t n_values)
{
    if (n == 0 && n_values == 0) return FA_DONE;
    if (!reference || !values) return fa_refuse(self, "an array is missing");
    unsigned   groups = 0;
    fa_outcome outcome;
    if (type == FA_REAL && are_scalars(self, type, reference, n, n_values, &groups) &&
        set_inputs(self, reference, n, values))
        return FA_DONE;
    if (!check_references(self, type, reference, n, &groups, &outcome)) return outcome;
    if (!fa_counts_fit(self, reference, n, n_values)) return FA_FAILED;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const fa_cells   cells = fa_cells_of(self, reference[i]);
        const fa_row    *row = &self->row[cells.cell[0]];
        const fa_setting setting = (fa_setting)row->setting;
        outcome = check_mode(self, setting, (fa_role)row->role, cells.variable);
        for (int k = 0; k < cells.n && outcome == FA_DONE; k++)
            outcome = check_value(self, setting, &cells, k, number_at(values, form, at++));
        if (outcome != FA_DONE) return outcome;
    }
    at = 0;
    for (size_t i = 0; i < n; i++) {
        const fa_cells cells = fa_cells_of(self, reference[i]);
        for (int k = 0; k < cells.n; k++)
            take_value(self, cells.cell[k], number_at(values, form, at++));
    }
    return FA_DONE;
}

fa_outcome fa_no_such_type(fa_instance *self, const char *type, const uint32_t reference[],
                           size_t n)
{
    if (n == 0) return FA_DONE;
    if (!reference) return fa_refuse(self, "an array is missing");
    const fa_cells cells = fa_cells_of(self, reference[0]);
    if (cells.variable == FA_NO_ROW) return fa_unknown_reference(self, reference[0]);
    return fa_refuse(self, "'%s' is of type %s; no variable of this FMU is of type %s",
                     fa_name(self, cells.variable), type_name(self, self->row[cells.cell[0]].type),
                     type);
}

// --- vectors

static bool length_fits(fa_instance *self, const void *array, size_t n, int expected,
                        fa_outcome *outcome)
{
    if (n == (size_t)expected && (array || n == 0)) return true;
    *outcome = n == (size_t)expected
                   ? fa_refuse(self, "an array is missing")
                   : fa_refuse(self, "the array has %lu elements and should have %d",
                               (unsigned long)n, expected);
    return false;
}

fa_outcome fa_set_time(fa_instance *self, double time)
{
    if (!isfinite(time))
        return fa_refuse(self, "the time is %s; it must be a finite number",
                         fa_number_text(time).text);
    // Hosts recompute times with different rounding.
    const fa_moment *moment = self->moment;
    const double     slack = 1e-9 * (fabs(time) + fabs(moment->start));
    if (time < moment->start - slack)
        return fa_refuse(self, "the time %s s lies before the start time %s s",
                         fa_number_text(time).text, fa_number_text(moment->start).text);
    // Solvers may look beyond the stop time and interpolate back.
    if (time > moment->stop + slack)
        fa_tell_once(
            self, FA_TOLD_PAST_STOP,
            "the time %s s lies behind the stop time %s s; it is taken, since solvers look "
            "beyond their steps",
            fa_number_text(time).text, fa_number_text(moment->stop).text);
    if (self->value[self->time_row] == time) return FA_DONE;
    self->value[self->time_row] = time;
    self->moment->fresh = 0;
    return FA_DONE;
}

fa_outcome fa_set_states(fa_instance *self, const double x[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, x, n, self->n_states, &outcome)) return outcome;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return fa_discard(self, "'%s' must be a finite number, not %s; nothing is set",
                              fa_row_name(self, self->first_state + self->state_order[i]),
                              fa_number_text(x[i]).text);
    double *state = self->value + self->first_state;
    bool    same = true;
    for (size_t i = 0; i < n; i++) {
        double *to = &state[self->state_order[i]];
        same &= *to == x[i];
        *to = x[i];
    }
    if (!same) self->moment->fresh = 0;
    return FA_DONE;
}

fa_outcome fa_get_states(fa_instance *self, double x[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, x, n, self->n_states, &outcome)) return outcome;
    if (starts_anew(self)) follow_initial_values(self);
    for (size_t i = 0; i < n; i++) x[i] = self->value[self->first_state + self->state_order[i]];
    return FA_DONE;
}

fa_outcome fa_get_nominals(fa_instance *self, double nominal[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, nominal, n, self->n_states, &outcome)) return outcome;
    for (size_t i = 0; i < n; i++) nominal[i] = self->nominal[self->state_order[i]];
    return FA_DONE;
}

fa_outcome fa_get_derivatives(fa_instance *self, double dx[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, dx, n, self->n_states, &outcome)) return outcome;
    fa_error  error = fa_no_error();
    double   *found = self->in_order ? dx : self->direction;
    fa_status status = fa_find_derivatives(self, found, &error);
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    if (!self->in_order)
        for (size_t i = 0; i < n; i++) dx[i] = found[self->state_order[i]];
    return FA_DONE;
}

fa_outcome fa_get_indicators(fa_instance *self, double indicator[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, indicator, n, self->n_shown_indicators, &outcome)) return outcome;
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, self->indicator_groups, &error);
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t i = 0; i < n; i++) {
        indicator[i] = self->value[self->indicator[i]];
        if (!isfinite(indicator[i]))
            return fa_not_finite(self, fa_row_name(self, self->indicator[i]), "");
    }
    return FA_DONE;
}
