// Callbacks to the host within a communication step: moving inputs and intermediate updates.
#include "communication.h"

#include <math.h>
#include <string.h>

// --- intermediate updates

// Calls the host's intermediate update at t; `finished`: an integrator step ends here. The host may
// set inputs, get variables, and request an early return.
static fa_status ask_host(fa_communication *step, double t, bool finished, fa_error *error)
{
    fa_instance   *self = step->self;
    fa_trajectory *trajectory = &step->trajectory;
    const bool     may_return = finished && trajectory->returns && t < trajectory->end;
    double         until = INFINITY; // time of the requested early return
    self->may_set = self->takes_inputs;
    self->may_get = finished;
    self->moment->mode = FA_MODE_INTERMEDIATE;
    fa_arithmetic_give_back(self->of_host);
    self->host.update(self, t, finished, may_return, &until);
    self->of_host = fa_arithmetic_take();
    if (self->moment->mode != FA_MODE_INTERMEDIATE)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, "the host made a mistake");
    self->moment->mode = FA_MODE_STEP;
    if (may_return && until < trajectory->end) trajectory->end = fmax(until, t);
    return FA_OK;
}

static fa_status stepped(void *context, double t, fa_error *error)
{
    return ask_host(context, t, true, error);
}

static fa_status inputs_of_host(void *context, double t, fa_error *error)
{
    return ask_host(context, t, false, error);
}

// Measures the rates of inputs that the host sets during the step, by finite differences: two
// intermediate updates, of which the second restores the inputs at t.
static fa_status ask_rates(void *context, double t, const double x[], const double **rates,
                           fa_error *error)
{
    // Relative to the rest of the step: far above rounding, close to a derivative.
    const double      small = 1e-4;
    fa_communication *step = context;
    fa_instance      *self = step->self;
    double           *rate = self->asked_rate;
    const double      later = t + small * (step->trajectory.end - t);
    memset(rate, 0, (size_t)self->n_inputs * sizeof *rate);
    *rates = rate;
    if (!(later > t)) return FA_OK;
    const double *input = self->value + self->first_input;
    fa_status     status = fa_trajectory_place(&step->trajectory, later, x, error);
    for (int i = 0; i < self->n_inputs; i++) rate[i] = input[i];
    if (status == FA_OK) status = fa_trajectory_place(&step->trajectory, t, x, error);
    for (int i = 0; i < self->n_inputs; i++) rate[i] = (rate[i] - input[i]) / (later - t);
    return status;
}

// --- inputs with a rate

static fa_status moving_inputs(void *context, double t, fa_error *error)
{
    const fa_communication *step = context;
    const fa_instance      *self = step->self;
    double                 *input = self->value + self->first_input;
    for (int i = 0; i < self->n_inputs; i++)
        input[i] = step->input[i] + self->rate[i] * (t - step->begin);
    return self->takes_inputs && !step->is_forecast ? ask_host(context, t, false, error) : FA_OK;
}

static fa_status rates(void *context, double t, const double x[], const double **rate,
                       fa_error *error)
{
    const fa_communication *step = context;
    (void)t, (void)x, (void)error;
    *rate = step->self->rate;
    return FA_OK;
}

// --- messages

static void updated(void *context, const fa_event *event)
{
    const fa_communication *step = context;
    fa_tell_update(step->self, event);
}

static const char *name_of(void *context, int row)
{
    const fa_communication *step = context;
    return fa_row_name(step->self, row);
}

void fa_communication_begin(fa_communication *step, fa_instance *self, const double input[],
                            bool moving, double begin, double end)
{
    *step = (fa_communication){.self = self, .input = input, .begin = begin};
    fa_trajectory       *trajectory = &step->trajectory;
    fa_trajectory_owner *owner = &trajectory->owner;
    *trajectory = fa_trajectory_of(self);
    trajectory->end = end;
    trajectory->leaves = self->event_mode;
    trajectory->returns = self->may_return_early;
    *owner = (fa_trajectory_owner){.updated = updated, .name = name_of, .context = step};
    if (moving) owner->inputs = moving_inputs;
    if (moving) owner->rates = rates;
    if (self->takes_inputs) owner->rates = ask_rates;
    if (self->takes_inputs && !moving) owner->inputs = inputs_of_host;
    if (self->host.update) owner->stepped = stepped;
}

void fa_communication_rehearse(fa_communication *step)
{
    step->is_forecast = true;
    step->trajectory.owner.inputs = moving_inputs;
    step->trajectory.owner.rates = rates;
}
