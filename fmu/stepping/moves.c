// Fast paths of the calls that an integrator makes at every evaluation: they copy blocks of numbers
// without computation, searches or changes of the floating-point mode. Anything unusual falls
// through to values.c, which also reports errors.
#include "instance.h"

#include "finite.h"

#include <string.h>

void fa_copy_derivatives(const fa_instance *self, double dx[])
{
    for (int i = 0; i < self->n_stretches; i++) {
        const fa_stretch *part = &self->stretch[i];
        memcpy(dx + part->state, self->value + part->row, (size_t)part->n * sizeof *dx);
    }
}

int fa_block_of(const fa_instance *self, fa_type type, const uint32_t reference[], size_t n,
                size_t n_values)
{
    const uint32_t first = reference[0] - 1;
    if (first >= self->n_visible || n > self->n_visible - first) return FA_NO_ROW;
    uint32_t other = 0;
    for (size_t i = 1; i < n; i++) other |= reference[i] ^ (reference[0] + (uint32_t)i);
    const int    element = self->element[first];
    const size_t elements = (size_t)(self->element[first + n] - element);
    const bool   fits = other == 0 && elements == n_values && n_values > 0;
    if (!fits || elements > (size_t)self->alike[element]) return FA_NO_ROW;
    const int cell = self->cell[element];
    return self->row[cell].type == type ? cell : FA_NO_ROW;
}

void fa_input_is_new(fa_instance *self)
{
    self->moment->fresh = 0;
    if (self->moment->mode == FA_MODE_STEP) self->moment->touched = FA_SET_SINCE;
}

bool fa_move_inputs(fa_instance *self, const uint32_t reference[], size_t n, const double values[],
                    size_t n_values)
{
    if (n == 0 || !reference || !values || !fa_may_set_inputs(self)) return false;
    const int cell = fa_block_of(self, FA_REAL, reference, n, n_values);
    if (cell == FA_NO_ROW || self->row[cell].setting != FA_SET_INPUT ||
        !fa_are_finite(values, n_values))
        return false;
    double *to = self->value + cell;
    if (memcmp(to, values, n_values * sizeof *to) == 0) return true;
    memcpy(to, values, n_values * sizeof *to);
    fa_input_is_new(self);
    return true;
}

bool fa_move_states(fa_instance *self, const double x[], size_t n)
{
    if (!self->in_order || !x || n == 0 || n != (size_t)self->n_states || !fa_are_finite(x, n))
        return false;
    double *to = self->value + self->first_state;
    if (memcmp(to, x, n * sizeof *to) == 0)
        return true; // unchanged values: computed rows stay valid
    memcpy(to, x, n * sizeof *to);
    self->moment->fresh = 0;
    return true;
}

// The bits of non-negative doubles are ordered like their values.
bool fa_move_time(fa_instance *self, double time)
{
    int64_t now, start, stop, was;
    memcpy(&now, &time, sizeof now);
    memcpy(&start, &self->moment->start, sizeof start);
    memcpy(&stop, &self->moment->stop, sizeof stop);
    memcpy(&was, &self->value[self->time_row], sizeof was);
    if (start < 0 || now < start || now > stop || !fa_are_finite(&time, 1)) return false;
    if (now == was) return true;
    memcpy(&self->value[self->time_row], &now, sizeof now);
    self->moment->fresh = 0;
    return true;
}
