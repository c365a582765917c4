// Hears what the program reports: a program linked with -Wl,--wrap=fa_report that includes this, in
// one file, finds in `unsaid` the status that a command ended with and had no sentence for.
#ifndef FA_SAID_H
#define FA_SAID_H

#include "report.h"

fa_exit __real_fa_report(fa_status status, const fa_error *error);
fa_exit __wrap_fa_report(fa_status status, const fa_error *error);

static const char *unsaid; // NULL: everything was said
static long        reports;

fa_exit __wrap_fa_report(fa_status status, const fa_error *error)
{
    reports += status != FA_OK;
    if (status != FA_OK && (error->status != status || !error->message[0]))
        unsaid = fa_status_text(status);
    return __real_fa_report(status, error);
}

#endif
