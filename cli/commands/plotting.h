// The pictures of a simulation (plot/): which of its variables they show.
#ifndef FA_PLOTTING_H
#define FA_PLOTTING_H

#include "recording.h"

// The rows to be plotted, in order; rows[] has room for state->table.n. `list` is names separated
// by commas, in which * stands for any letters and ? for one. NULL: the `driven` inputs, what
// drives joints, where these are and how fast, pressures, energies.
fa_status fa_plotting_choose(const fa_state *state, const char *list, const int driven[],
                             int n_driven, int rows[], int *n, fa_error *error);

// Writes the picture of recorded rows. `held`: inputs keep their value from line to line.
fa_status fa_plotting_write(const char *path, const char *title, const fa_state *state,
                            const fa_recording *recording, const int rows[], int n, bool held,
                            fa_error *error);

#endif
