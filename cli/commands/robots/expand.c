// forearm expand: writes the plain XML that a xacro file expands to.
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "load.h"
#include "source.h"

static fa_status put(const char *path, const fa_expansion *expansion, fa_error *error)
{
    if (path && strcmp(path, "-") != 0)
        return fa_file_write(path, expansion->text, expansion->size, error);
    if (fwrite(expansion->text, 1, expansion->size, stdout) == expansion->size) return FA_OK;
    return fa_fail(error, FA_IO, NULL, FA_NOWHERE, "standard output takes no more");
}

fa_exit fa_run_expand(const fa_arguments *arguments)
{
    char                  *text;
    size_t                 size;
    fa_expansion           expansion;
    fa_error               error = fa_no_error();
    const fa_log           log = fa_report_warnings(NULL);
    const fa_xacro_options options = fa_load_xacro(arguments);
    fa_status              status = fa_source_load(arguments->operand, &text, &size, &error);
    if (status != FA_OK) return fa_report(status, &error);
    status = fa_xacro_expand(text, size, arguments->operand, &options, &log, &expansion, &error);
    free(text);
    if (status == FA_OK) status = put(arguments->out, &expansion, &error);
    fa_expansion_free(&expansion);
    return fa_report(status, &error);
}
