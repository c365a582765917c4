// Formats warnings about joint positions outside their limits.
#include "told_limits.h"

#include <stdio.h>

#include "number.h"
#include "report.h"
#include "table.h"

// Formats the time of a violation, or the number of runs with one.
static void tell(const fa_limited *l, bool several, const fa_log *log, const char *file)
{
    const char *unit = fa_units[l->unit].name;
    char        first[64], of[64] = "";
    if (several) {
        (void)snprintf(first, sizeof first, "in run %s", fa_number_text(l->first).text);
        (void)snprintf(of, sizeof of, " of run %s", fa_number_text(l->run).text);
    } else {
        (void)snprintf(first, sizeof first, "at t = %s s", fa_rounded_text(l->since).text);
    }
    fa_warn(log, file, FA_NOWHERE,
            "joint '%s' leaves its limits %s%s, and is farthest beyond %s %s at t = %s s%s, by %s "
            "%s; nothing stops it there: --stops, or a <stop>, does",
            l->name, first, several ? " first" : "", fa_rounded_text(l->limit).text, unit,
            fa_rounded_text(l->when).text, of, fa_rounded_text(l->by).text, unit);
}

void fa_limits_tell(const fa_limits *limits, const char *file)
{
    const fa_log log = fa_report_warnings(NULL);
    for (int i = 0; i < limits->n; i++)
        if (limits->of[i].left) tell(&limits->of[i], limits->several, &log, file);
}

void fa_plant_tell(const fa_state *state, const char *file)
{
    const fa_log log = fa_report_warnings(NULL);
    const char  *warning = NULL;
    if (state->self && state->plant->warning) warning = state->plant->warning(state->self);
    if (warning) fa_warn(&log, file, FA_NOWHERE, "%s", warning);
}
