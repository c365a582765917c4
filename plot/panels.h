// Assigns curves to panels, and shortens their names there.
#ifndef FA_PANELS_H
#define FA_PANELS_H

#include "plot.h"

typedef struct fa_panel {
    int  n;
    int *series;       // their numbers in the plot
    int  part;         // of the names, cut at '.': the one in which they differ; -1: one curve
    int  parts;        // of each name
    char pattern[256]; // "joint.*.position", which all names fit
} fa_panel;

typedef struct fa_panels {
    int       n;
    fa_panel *of;
    int      *series; // the memory behind them all
} fa_panels;

// In the order in which their first curves come. Release with fa_panels_free, also after a failure.
fa_status fa_panels_of(const fa_plot *plot, fa_panels *panels, fa_error *error);
void      fa_panels_free(fa_panels *panels);

// Part of a name: "elbow" of "joint.elbow.position".
size_t fa_name_part(const char *name, int part, const char **begin);

#endif
