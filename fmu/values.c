#include "instance.h"

#include "number.h"

#include <math.h>
#include <string.h>

int fa_row_of(const fa_instance *self, uint32_t reference)
{
    return reference - 1 < self->n_visible ? (int)(reference - 1) : FA_NO_ROW;
}

const char *fa_row_name(const fa_instance *self, int row)
{
    return self->table.row[row].name;
}

fa_outcome fa_unknown_reference(fa_instance *self, uint32_t reference)
{
    return fa_refuse(self,
                     "there is no variable with the value reference %lu; they run from 1 to "
                     "%lu",
                     (unsigned long)reference, (unsigned long)self->n_visible);
}

// Until initialisation ends, states start from parameters.
static void follow_initial_values(fa_instance *self)
{
    self->restart = false;
    if (self->moment->mode > FA_MODE_INITIALIZATION) return;
    for (int i = self->first_state; i < self->first_state + self->n_states; i++) {
        int initial = self->table.row[i].initial;
        if (initial != FA_NO_ROW) self->value[i] = self->value[initial];
    }
}

fa_status fa_refresh(fa_instance *self, unsigned groups, fa_error *error)
{
    error->message[0] = '\0';
    if (self->restart) follow_initial_values(self);
    if (!self->configured) {
        fa_status status = self->plant->configure(self->self, self->value, error);
        if (status != FA_OK) return status;
        self->configured = true;
        self->moment->fresh = 0;
    }
    unsigned missing = groups & ~self->moment->fresh;
    if (missing == 0) return FA_OK;
    fa_status status = self->plant->evaluate(self->self, self->value, missing, error);
    if (status != FA_OK) return status;
    if (missing & FA_GROUP_DERIVATIVES)
        for (int i = 0; i < self->n_states; i++)
            if (!isfinite(self->value[self->derivative[i]]))
                return fa_fail(error, FA_NOT_FINITE, NULL, FA_NOWHERE,
                               "'%s' is not a finite number; the inputs, states and parameters are "
                               "too far from anything that a machine does",
                               fa_row_name(self, self->derivative[i]));
    self->moment->fresh |= missing;
    return FA_OK;
}

static const char *type_name(const fa_instance *self, int type)
{
    static const char *const name[2][3] = {{"Real", "Integer", "Boolean"},
                                           {"Float64", "Int32", "Boolean"}};
    return name[self->fmi == 3][type];
}

// --- get and set by reference

// True if every reference is of a variable of this type; `groups` are those of the rows.
static bool check_references(fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                             unsigned *groups, fa_outcome *outcome)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t row = reference[i] - 1;
        if (row >= self->n_visible) {
            *outcome = fa_unknown_reference(self, reference[i]);
            return false;
        }
        if (self->row[row].type != type) {
            *outcome = fa_refuse(self, "'%s' is of type %s", fa_row_name(self, (int)row),
                                 type_name(self, self->row[row].type));
            return false;
        }
        *groups |= self->row[row].group;
    }
    return true;
}

fa_outcome fa_get(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, void *values)
{
    if (n == 0) return FA_DONE;
    if (!reference || !values) return fa_refuse(self, "an array is missing");
    unsigned   groups = 0;
    fa_outcome outcome;
    if (!check_references(self, type, reference, n, &groups, &outcome)) return outcome;

    if ((groups & ~self->moment->fresh) != 0 && self->moment->touched)
        fa_tell_once(self, FA_TOLD_GET_AFTER_SET,
                     "the standard foresees a step between setting inputs and getting what follows "
                     "from them; the values returned belong to the new inputs");
    if (self->restart) follow_initial_values(self);
    if (groups) {
        fa_error  error;
        fa_status status = fa_refresh(self, groups, &error);
        if (status != FA_OK) return fa_model_failed(self, status, &error);
    }

    const double *value = self->value;
    switch (form) {
    case FA_AS_DOUBLE:
        for (size_t i = 0; i < n; i++) ((double *)values)[i] = value[reference[i] - 1];
        break;
    case FA_AS_INT32:
        for (size_t i = 0; i < n; i++) ((int32_t *)values)[i] = (int32_t)value[reference[i] - 1];
        break;
    case FA_AS_BOOL:
        for (size_t i = 0; i < n; i++) ((bool *)values)[i] = value[reference[i] - 1] != 0;
        break;
    }
    return FA_DONE;
}

static double number_at(const void *values, fa_form form, size_t i)
{
    switch (form) {
    case FA_AS_INT32:
        return ((const int32_t *)values)[i];
    case FA_AS_BOOL:
        return ((const bool *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

// Signs of FA_SETTING_LIST for each standard and kind.
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

// Whether this row may take this value now.
static fa_outcome check_setting(fa_instance *self, int row, double value)
{
    fa_setting  setting = (fa_setting)self->row[row].setting;
    const char *verdict = setting_verdict[setting][self->fmi == 3][self->kind];
    char        sign = verdict[self->moment->mode];
    if (sign == FA_TOLERATED)
        fa_tell_once(self, FA_TOLD_SETTING + (int)setting,
                     "'%s' is %s, which the standard does not let be set %s; it is set",
                     fa_row_name(self, row), setting_words[setting],
                     setting_time[self->moment->mode]);
    else if (sign != FA_LEGAL)
        return fa_refuse(self, "'%s' is %s, which cannot be set %s", fa_row_name(self, row),
                         row == self->time_row ? "the independent variable"
                                               : setting_words[setting],
                         setting_time[self->moment->mode]);

    // Only a limit that nobody gave is infinite.
    const fa_variable *variable = &self->table.row[row];
    bool               parameter = setting == FA_SET_PARAMETER || setting == FA_SET_TUNABLE;
    bool               unlimited = parameter && isinf(variable->start) && isinf(value);
    if (!isfinite(value) && !unlimited)
        return fa_discard(self, "'%s' must be a finite number, not %s; nothing is set",
                          variable->name, fa_number_text(value).text);
    // Bounds of inputs tell what a machine can take, not what a simulation may ask of it.
    if (parameter && !(value >= variable->minimum && value <= variable->maximum)) {
        bool    real = variable->type == FA_REAL;
        fa_text least = fa_number_text(variable->minimum), most = fa_number_text(variable->maximum);
        return real ? fa_discard(self, "'%s' must lie between %s and %s, not be %s; nothing is set",
                                 variable->name, least.text, most.text, fa_number_text(value).text)
                    : fa_refuse(self, "'%s' must lie between %s and %s, not be %s", variable->name,
                                least.text, most.text, fa_number_text(value).text);
    }
    return FA_DONE;
}

static void take_value(fa_instance *self, int row, double value)
{
    if (self->value[row] == value) return; // what was calculated from it still holds
    self->value[row] = value;
    self->moment->fresh = 0;
    self->moment->touched = self->moment->mode == FA_MODE_STEP;
    if (self->row[row].setting == FA_SET_PARAMETER || self->row[row].setting == FA_SET_TUNABLE) {
        self->configured = false;
        self->restart = true;
    }
}

fa_outcome fa_set(fa_instance *self, fa_type type, fa_form form, const uint32_t reference[],
                  size_t n, const void *values)
{
    if (n == 0) return FA_DONE;
    if (!reference || !values) return fa_refuse(self, "an array is missing");
    unsigned   groups = 0;
    fa_outcome outcome;
    if (!check_references(self, type, reference, n, &groups, &outcome)) return outcome;
    for (size_t i = 0; i < n; i++) {
        outcome = check_setting(self, (int)reference[i] - 1, number_at(values, form, i));
        if (outcome != FA_DONE) return outcome;
    }
    for (size_t i = 0; i < n; i++)
        take_value(self, (int)reference[i] - 1, number_at(values, form, i));
    return FA_DONE;
}

fa_outcome fa_no_such_type(fa_instance *self, const char *type, const uint32_t reference[],
                           size_t n)
{
    if (n == 0) return FA_DONE;
    if (!reference) return fa_refuse(self, "an array is missing");
    int row = fa_row_of(self, reference[0]);
    if (row == FA_NO_ROW) return fa_unknown_reference(self, reference[0]);
    return fa_refuse(self, "'%s' is of type %s; no variable of this FMU is of type %s",
                     fa_row_name(self, row), type_name(self, self->row[row].type), type);
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
                              fa_row_name(self, self->first_state + (int)i),
                              fa_number_text(x[i]).text);
    double *state = self->value + self->first_state;
    for (size_t i = 0; i < n; i++) {
        if (state[i] == x[i]) continue;
        memcpy(state, x, n * sizeof *x);
        self->moment->fresh = 0;
        break;
    }
    return FA_DONE;
}

fa_outcome fa_get_states(fa_instance *self, double x[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, x, n, self->n_states, &outcome)) return outcome;
    if (self->restart) follow_initial_values(self);
    for (size_t i = 0; i < n; i++) x[i] = self->value[self->first_state + (int)i];
    return FA_DONE;
}

fa_outcome fa_get_nominals(fa_instance *self, double nominal[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, nominal, n, self->n_states, &outcome)) return outcome;
    for (size_t i = 0; i < n; i++) nominal[i] = self->nominal[i];
    return FA_DONE;
}

fa_outcome fa_get_derivatives(fa_instance *self, double dx[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, dx, n, self->n_states, &outcome)) return outcome;
    fa_error  error;
    fa_status status = fa_refresh(self, self->derivative_groups, &error);
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t i = 0; i < n; i++) dx[i] = self->value[self->derivative[i]];
    return FA_DONE;
}

fa_outcome fa_get_indicators(fa_instance *self, double indicator[], size_t n)
{
    fa_outcome outcome;
    if (!length_fits(self, indicator, n, self->n_indicators, &outcome)) return outcome;
    fa_error  error;
    fa_status status = fa_refresh(self, self->indicator_groups, &error);
    if (status != FA_OK) return fa_model_failed(self, status, &error);
    for (size_t i = 0; i < n; i++) indicator[i] = self->value[self->first_indicator + (int)i];
    return FA_DONE;
}
