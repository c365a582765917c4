// Curves over time as a picture: for files (SVG, PNG) and for terminals (text).
//
// Curves share a panel if they have one unit and names that differ in one place only, such as
// joint.elbow.position and joint.wrist.position. However many instants there are, a picture holds
// no more points than its pixels can show; the highest and the lowest of each pixel are among them.
#ifndef FA_PLOT_H
#define FA_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct fa_series {
    const char   *name;
    const char   *unit;   // as FMI writes it, "rad/s2"; "": none
    const double *value;  // one for each instant; what is not finite leaves a gap
    size_t        stride; // numbers from one to the next
    bool          held;   // zero-order hold: drawn as steps
    bool          apart;  // has a panel of its own
} fa_series;

typedef struct fa_plot {
    const char      *title; // NULL: none
    fa_series        axis;  // what runs to the right and never falls, such as time
    size_t           n;     // instants
    int              n_series;
    const fa_series *series;
} fa_plot;

// Format, from the suffix of a file's name. Fails unless it is .svg or .png.
typedef enum fa_plot_format { FA_PLOT_SVG, FA_PLOT_PNG } fa_plot_format;
fa_status fa_plot_format_of(const char *path, fa_plot_format *format, fa_error *error);

// Writes the picture in the format that its name ends in; what was there before stays until it is
// complete.
fa_status fa_plot_write(const fa_plot *plot, const char *path, fa_error *error);

// Whole files, released by the caller with free. Equal plots give equal bytes; those of a PNG may
// differ with the version of zlib.
fa_status fa_plot_svg(const fa_plot *plot, char **text, size_t *size, fa_error *error);
fa_status fa_plot_png(const fa_plot *plot, char **data, size_t *size, fa_error *error);

// The same for a terminal that is so many characters wide: lines of ASCII, closed by a zero.
fa_status fa_plot_text(const fa_plot *plot, int width, char **text, fa_error *error);

#endif
