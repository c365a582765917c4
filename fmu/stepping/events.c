// Discrete updates, and the construction of the instance's trajectory (trajectory.h).
#include "instance.h"

#include "number.h"
#include "ports.h"

void fa_tell_update(fa_instance *self, const fa_event *event)
{
    if (self->switches && self->log[FA_CATEGORY_EVENTS])
        fa_note(self, FA_CATEGORY_EVENTS, "an event at t = %s s%s",
                fa_number_text(self->value[self->time_row]).text,
                event->states_changed ? "; states have jumped" : "");
}

static void tell_update(void *context, const fa_event *event)
{
    fa_tell_update(context, event);
}

static const char *name_of(void *context, int row)
{
    return fa_row_name(context, row);
}

static fa_solver solver_of(const fa_instance *self)
{
    const double *value = self->value;
    double        asked = self->moment->tolerance, own = value[FA_ROW_SOLVER_TOLERANCE];
    // the smaller of the host's and the parameter's tolerance
    return (fa_solver){.method = (int)value[FA_ROW_SOLVER],
                       .step = value[FA_ROW_SOLVER_STEP],
                       .tolerance = asked > 0 && asked < own ? asked : own};
}

fa_trajectory fa_trajectory_of(fa_instance *self)
{
    fa_moment *moment = self->moment;
    return (fa_trajectory){.plant = self->plant,
                           .self = self->self,
                           .value = self->value,
                           .states = &self->states,
                           .stretch = self->stretch,
                           .n_stretches = self->n_stretches,
                           .nominal = self->nominal,
                           .first_indicator = self->first_indicator,
                           .n_indicators = self->n_indicators,
                           .derivative_groups = self->derivative_groups,
                           .indicator_groups = self->indicator_groups,
                           .switches = self->switches,
                           .solver = solver_of(self),
                           .work = self->work,
                           .direction = self->direction,
                           .above = self->above,
                           .pace = &moment->pace,
                           .fresh = &moment->fresh,
                           .next_event = &moment->next_event,
                           .seen = &moment->seen,
                           .patience = self->patience,
                           .owner = {.updated = tell_update, .name = name_of, .context = self}};
}

fa_outcome fa_update_discrete(fa_instance *self, fa_event *event)
{
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, 0, &error);
    event->initial = false;
    if (status == FA_OK) {
        fa_trajectory trajectory = fa_trajectory_of(self);
        status = fa_trajectory_update(&trajectory, event, &error);
    }
    if (status != FA_OK) return fa_refuse(self, "%s", error.message);
    if (!event->again) self->moment->touched = FA_UNTOUCHED;
    return FA_DONE;
}

fa_status fa_first_updates(fa_instance *self, fa_error *error)
{
    fa_trajectory   trajectory = fa_trajectory_of(self);
    const fa_status status = fa_trajectory_settle(&trajectory, true, error);
    return status == FA_OK ? fa_ports_start(self, error) : status;
}

// completedIntegratorStep does not report values that are not finite; the next request for
// derivatives does.
fa_outcome fa_completed_step(fa_instance *self, bool *event)
{
    fa_error   error = fa_no_error();
    const bool listens = self->plant->notable || self->plant->accept;
    if (listens && fa_refresh(self, 0, &error) == FA_OK) {
        fa_trajectory trajectory = fa_trajectory_of(self);
        bool          moved;
        (void)fa_trajectory_accept(&trajectory, &moved, &error);
        (void)fa_trajectory_look_out(&trajectory, &error);
    }
    *event = self->moment->seen != 0;
    fa_look_at_limits(self);
    return FA_DONE;
}
