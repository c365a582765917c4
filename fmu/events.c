#include "instance.h"

#include "number.h"

#include <math.h>

fa_status fa_update(fa_instance *self, fa_event *event, fa_error *error)
{
    *event = (fa_event){.initial = event->initial};
    error->message[0] = '\0';
    if (!self->plant->event) return FA_OK;
    // What relations are decided by.
    fa_status status = fa_refresh(self, self->switches ? FA_GROUP_ALL : 0, error);
    if (status == FA_OK) status = self->plant->event(self->self, self->value, event, error);
    if (status != FA_OK) return status;
    self->moment->fresh = 0;
    self->moment->next_event = event->timed ? event->next_time : INFINITY;
    if (self->switches && self->log[FA_CATEGORY_EVENTS])
        fa_note(self, FA_CATEGORY_EVENTS, "an event at t = %s s%s",
                fa_number_text(self->value[self->time_row]).text,
                event->states_changed ? "; states have jumped" : "");
    return FA_OK;
}

fa_outcome fa_update_discrete(fa_instance *self, fa_event *event)
{
    fa_error error = fa_no_error();
    event->initial = false;
    fa_status status = fa_update(self, event, &error);
    if (status != FA_OK) return fa_refuse(self, "%s", error.message);
    if (!event->again) self->moment->touched = FA_UNTOUCHED;
    return FA_DONE;
}

fa_status fa_take_note(fa_instance *self, fa_error *error)
{
    if (!self->plant->note) return FA_OK;
    const fa_status status = fa_refresh(self, 0, error);
    return status == FA_OK ? self->plant->note(self->self, self->value, error) : status;
}

// CompletedIntegratorStep is no place to report that the model has no finite values: the next call
// that asks for derivatives does. Until then the flags stay as they are.
fa_outcome fa_completed_step(fa_instance *self)
{
    fa_error error = fa_no_error();
    (void)fa_take_note(self, &error);
    return FA_DONE;
}

fa_status fa_settle(fa_instance *self, fa_error *error)
{
    const int most = 1000; // a machine comes to terms with itself in a few rounds
    fa_event  event = {.again = true, .initial = self->moment->mode <= FA_MODE_INITIALIZATION};
    for (int i = 0; event.again; i++) {
        if (i == most)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "the events at t = %s s cause each other without end",
                           fa_number_text(self->value[self->time_row]).text);
        fa_status status = fa_update(self, &event, error);
        if (status != FA_OK) return status;
        event.initial = false;
    }
    return FA_OK;
}

fa_status fa_note_sides(fa_instance *self, fa_error *error)
{
    fa_status status = fa_refresh(self, self->indicator_groups, error);
    for (int i = 0; i < self->n_indicators && status == FA_OK; i++)
        self->above[i] = self->value[self->first_indicator + i] > 0;
    return status;
}

fa_status fa_side_changed(fa_instance *self, bool *changed, fa_error *error)
{
    *changed = false;
    fa_status status = fa_refresh(self, self->indicator_groups, error);
    for (int i = 0; i < self->n_indicators && status == FA_OK; i++)
        *changed |= self->above[i] != (self->value[self->first_indicator + i] > 0);
    return status;
}
