// forearm convert: a robot file of any format, written as URDF, MJCF or our own XML.
#include "conversion.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "load.h"

fa_exit fa_run_convert(const fa_arguments *arguments)
{
    fa_convert_format format;
    fa_robot         *robot;
    char             *text = NULL;
    size_t            size = 0;
    int               warnings = 0;
    fa_error          error = fa_no_error();
    const fa_log      log = fa_report_warnings(&warnings);
    if (!arguments->out || !fa_convert_format_of(arguments->out, &format)) {
        const fa_status status = fa_fail(
            &error, FA_UNFIT, NULL, FA_NOWHERE,
            "forearm convert needs -o OUT with the suffix of the format that is wanted: .urdf, "
            ".mjcf, or .xml for our own");
        return fa_report(status, &error);
    }
    fa_status status = fa_load_robot(arguments, &warnings, &robot, &error);
    if (status == FA_OK) status = fa_convert(robot, format, &log, &text, &size, &error);
    if (status == FA_OK) status = fa_file_write(arguments->out, text, size, &error);
    free(text);
    free(robot);
    return fa_report(status, &error);
}
