// Prints errors and warnings to standard error; maps statuses to exit codes.
#include "report.h"

#include <stdio.h>

#include "progress.h"

// Prints the place at the beginning of a line, up to and with ": ".
static void print_place(const char *file, fa_place place)
{
    if (file[0] && place.line > 0) {
        fprintf(stderr, "%s:%d:", file, place.line);
        if (place.column > 0) fprintf(stderr, "%d:", place.column);
        fputc(' ', stderr);
        return;
    }
    fputs("forearm: ", stderr);
    if (file[0]) fprintf(stderr, "%s: ", file);
}

fa_exit fa_report(fa_status status, const fa_error *error)
{
    static const fa_exit code[] = {
        [FA_OK] = FA_EXIT_DONE,
        [FA_BAD_INPUT] = FA_EXIT_INPUT,
        [FA_UNFIT] = FA_EXIT_USAGE,
        [FA_NO_MEMORY] = FA_EXIT_SYSTEM,
        [FA_IO] = FA_EXIT_SYSTEM,
        [FA_SINGULAR] = FA_EXIT_UNSOLVABLE,
        [FA_NOT_FINITE] = FA_EXIT_UNSOLVABLE,
    };
    if (status == FA_OK) return FA_EXIT_DONE;
    fa_error said = *error;
    (void)fa_explain(&said, status, NULL);
    fa_progress_hide();
    print_place(said.file, said.place);
    fprintf(stderr, "%s\n", said.message);
    fa_progress_show();
    return code[status];
}

static void warn(void *context, const char *file, fa_place place, const char *sentence)
{
    int *count = context;
    if (count) ++*count;
    fa_progress_hide();
    print_place(file, place);
    fprintf(stderr, "warning: %s\n", sentence);
    fa_progress_show();
}

fa_log fa_report_warnings(int *count)
{
    return (fa_log){.warn = warn, .context = count};
}
