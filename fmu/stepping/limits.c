// Logs joints that exceed their limits without a stop, and dead points.
#include "instance.h"

#include "number.h"

static void tell(fa_instance *self, int position, int limit)
{
    fa_note(self, FA_CATEGORY_WARNING,
            "at t = %s s '%s' is %s, beyond its limit %s, and nothing stops it there; export with "
            "--stops, or give the joint a <stop>, and something does",
            fa_number_text(self->value[self->time_row]).text, fa_row_name(self, position),
            fa_number_text(self->value[position]).text, fa_number_text(self->value[limit]).text);
}

void fa_tell_limits(fa_instance *self)
{
    const char *warning = self->plant->warning ? self->plant->warning(self->self) : NULL;
    if (warning) fa_note(self, FA_CATEGORY_WARNING, "%s", warning);
    for (int i = 0; i < self->n_limited; i++) {
        if (self->left[i]) continue;
        int limit;
        if (fa_limit_beyond(&self->limited[i], self->value, &limit) == 0) continue;
        self->left[i] = true;
        tell(self, self->limited[i].position, limit);
    }
}
