// Chooses the format of a plot, and writes the file.
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "paths.h"
#include "plot.h"

// Letters of either case are the same.
static bool is_ending(const char *ending, const char *known)
{
    while (*known && (*ending == *known || *ending == *known - 'a' + 'A')) ending++, known++;
    return *ending == *known;
}

fa_status fa_plot_format_of(const char *path, fa_plot_format *format, fa_error *error)
{
    const char *dot = strrchr(path, '.'), *slash = fa_path_last(path);
    const char *ending = dot && (!slash || dot > slash) ? dot : "";
    *format = FA_PLOT_SVG;
    if (is_ending(ending, ".svg")) return FA_OK;
    *format = FA_PLOT_PNG;
    if (is_ending(ending, ".png")) return FA_OK;
    return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                   "'%s' %s; a plot's file is named .svg or .png", path,
                   *ending ? "has another ending" : "has no ending");
}

fa_status fa_plot_write(const fa_plot *plot, const char *path, fa_error *error)
{
    fa_plot_format format;
    char          *data = NULL;
    size_t         size = 0;
    fa_status      status = fa_plot_format_of(path, &format, error);
    if (status == FA_OK)
        status = (format == FA_PLOT_SVG ? fa_plot_svg : fa_plot_png)(plot, &data, &size, error);
    if (status != FA_OK) return status;
    status = fa_file_write(path, data, size, error);
    free(data);
    return status;
}
