// Lookup in the table of legal calls by mode.
#include "instance.h"

#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const mode_words[FA_MODE_COUNT] = {
#define X(code, words) [code] = words,
    FA_MODE_LIST(X)
#undef X
};

// Formats the modes in which a call is legal: "in event mode, in continuous-time mode".
static void list_modes(const char *verdict, char out[], size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int mode = 0; mode < FA_MODE_COUNT; mode++) {
        if (verdict[mode] != FA_LEGAL) continue;
        int length =
            snprintf(out + used, size - used, "%s%s", used ? " or " : "", mode_words[mode]);
        if (length < 0 || (size_t)length >= size - used) return;
        used += (size_t)length;
    }
}

char fa_verdict(const fa_instance *self, char sign)
{
    switch (sign) {
    case FA_WITH_EVENTS:
        return self->event_mode ? FA_LEGAL : FA_REFUSED;
    case FA_WITHOUT_EVENTS:
        return self->event_mode ? FA_REFUSED : FA_LEGAL;
    case FA_TOLERATED_WITH_EVENTS:
        return self->event_mode ? FA_TOLERATED : FA_LEGAL;
    default:
        return sign;
    }
}

bool fa_enter_unusual(fa_instance *self)
{
    const char *verdict = self->call->verdict[self->kind];
    const char *now = mode_words[self->moment->mode];
    const char  sign = fa_verdict(self, verdict[self->moment->mode]);
    if (sign == FA_LEGAL) return true;
    if (sign == FA_TOLERATED) {
        fa_tell_once(self, self->call->index,
                     "the standard does not foresee this call %s; it is carried out", now);
        return true;
    }
    char where[512];
    list_modes(verdict, where, sizeof where);
    if (verdict[self->moment->mode] == FA_WITH_EVENTS)
        fa_refuse(self, "needs a host that said at the beginning that it uses event mode");
    else if (*where)
        fa_refuse(self, "cannot be called %s; it can be called %s", now, where);
    else
        fa_refuse(self,
                  "has no use in %s of this FMU, which has neither clocks nor structural "
                  "parameters nor asynchronous steps",
                  self->kind == FA_MODEL_EXCHANGE ? "Model Exchange" : "Co-Simulation");
    fa_leave(self, FA_FAILED);
    return false;
}

fa_outcome fa_set_experiment(fa_instance *self, bool tolerance_defined, double tolerance,
                             double start, bool stop_defined, double stop)
{
    if (!isfinite(start))
        return fa_refuse(self, "the start time is %s; it must be a finite number",
                         fa_number_text(start).text);
    if (stop_defined && !(stop >= start))
        return fa_refuse(self, "the stop time %s s lies before the start time %s s",
                         fa_number_text(stop).text, fa_number_text(start).text);
    if (tolerance_defined && !(tolerance > 0 && tolerance < INFINITY))
        return fa_refuse(self, "the tolerance is %s; it must be a positive number",
                         fa_number_text(tolerance).text);
    fa_moment *moment = self->moment;
    moment->experiment = 1;
    moment->start = moment->last_time = start;
    moment->stop = stop_defined ? stop : INFINITY;
    moment->tolerance = tolerance_defined ? tolerance : 0;
    self->value[self->time_row] = start;
    moment->fresh = 0;
    return FA_DONE;
}

fa_outcome fa_enter_initialization(fa_instance *self)
{
    if (!self->moment->experiment)
        return fa_refuse(self, "needs fmi2SetupExperiment before it, which gives the start time");
    if (self->moment->mode != FA_MODE_INSTANTIATED) fa_instance_start_again(self);
    self->moment->mode = FA_MODE_INITIALIZATION;
    return FA_DONE;
}

fa_outcome fa_exit_initialization(fa_instance *self)
{
    // Reports inconsistent parameters now. A pose without a solution is reported when accelerations
    // are requested.
    fa_error  error = fa_no_error();
    fa_status status = fa_refresh(self, 0, &error);
    if (status == FA_OK) status = fa_first_updates(self, &error);
    if (status != FA_OK)
        return fa_refuse(self, "the simulation cannot start with these parameters: %s",
                         error.message[0] ? error.message : fa_status_text(status));
    bool events = self->kind == FA_MODEL_EXCHANGE || self->event_mode;
    self->moment->mode = events ? FA_MODE_EVENT : FA_MODE_STEP;
    return FA_DONE;
}

fa_outcome fa_enter_mode(fa_instance *self, fa_mode mode)
{
    // the host keeps this point even if it does not call completedIntegratorStep
    if (self->moment->mode == FA_MODE_CONTINUOUS_TIME) fa_look_at_limits(self);
    self->moment->mode = (int32_t)mode;
    return FA_DONE;
}
