#include "switching.h"

#include <math.h>
#include <stdlib.h>

static bool switches(const fa_switching *s)
{
    return s->switches;
}

fa_status fa_switching_new(fa_state *state, fa_switching *switching, fa_error *error)
{
    const fa_variables *table = &state->table;
    int                 first = table->first[FA_INDICATOR], end = table->first[FA_INDICATOR + 1];
    *switching = (fa_switching){.state = state, .next_event = INFINITY};
    switching->above = calloc((size_t)(end - first) + 1, sizeof *switching->above);
    if (!switching->above)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for %d indicators", end - first);
    for (int row = first; row < end; row++) switching->groups |= table->row[row].group;
    switching->switches = first < end;
    for (int row = table->first[FA_INPUT]; row < table->first[FA_STATE]; row++)
        switching->switches |= table->row[row].discrete;
    return FA_OK;
}

void fa_switching_free(fa_switching *switching)
{
    free(switching->above);
}

static fa_status evaluate(const fa_switching *s, unsigned groups, fa_error *error)
{
    return fa_plant_evaluate(s->state->plant, s->state->self, s->state->value, groups, NULL, error);
}

fa_status fa_switching_settle(fa_switching *s, fa_error *error)
{
    const int  most = 1000; // a machine comes to terms with itself in a few rounds
    const bool due = switches(s) || (!s->settled && s->state->plant->event);
    fa_event   event = {.again = due};
    for (int i = 0; event.again; i++) {
        if (i == most)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "the events here cause each other without end");
        fa_status status = switches(s) ? evaluate(s, FA_GROUP_ALL, error) : FA_OK;
        event = (fa_event){.initial = !s->settled};
        s->settled = true;
        if (status == FA_OK)
            status = s->state->plant->event(s->state->self, s->state->value, &event, error);
        if (status != FA_OK) return status;
        s->next_event = event.timed ? event.next_time : INFINITY;
    }
    const fa_variables *table = &s->state->table;
    fa_status           status = s->groups ? evaluate(s, s->groups, error) : FA_OK;
    for (int i = 0; i < fa_variables_count(table, FA_INDICATOR); i++)
        s->above[i] = s->state->value[table->first[FA_INDICATOR] + i] > 0;
    return status;
}

fa_status fa_switching_due(const fa_switching *s, bool *due, fa_error *error)
{
    const fa_variables *table = &s->state->table;
    fa_status           status = s->groups ? evaluate(s, s->groups, error) : FA_OK;
    *due = false;
    for (int i = 0; i < fa_variables_count(table, FA_INDICATOR) && status == FA_OK; i++)
        *due |= s->above[i] != (s->state->value[table->first[FA_INDICATOR] + i] > 0);
    return status;
}
