// Selects the variables of a simulation's pictures (plot/), and writes them.
#ifndef FA_PLOTTING_H
#define FA_PLOTTING_H

#include "recording.h"

// Selects the rows to be plotted, in order; rows[] has room for state->table.n. `list` is names
// separated by commas, with the wildcards * and ?. NULL: the `driven` inputs, drives, positions and
// speeds of joints, pressures, energies.
fa_status fa_plotting_choose(const fa_state *state, const char *list, const int driven[],
                             int n_driven, int rows[], int *n, fa_error *error);

// Writes the picture of recorded rows. `held`: inputs are piecewise constant (zero-order hold).
fa_status fa_plotting_write(const char *path, const char *title, const fa_state *state,
                            const fa_recording *recording, const int rows[], int n, bool held,
                            fa_error *error);

#endif
