// The derivatives that the implicit integrator asks for, from a plant.
#ifndef FA_PLANT_JACOBIAN_H
#define FA_PLANT_JACOBIAN_H

#include "plant.h"

// First derivatives of the states' derivatives: by the states (n x n, row i holds those of the
// derivative of state i) and by time, while the inputs move with `rate` (one for each input; NULL:
// they rest). With by_state NULL, the plant keeps the former (fa_plant.implicit). The derivatives
// have been evaluated at `value`; `direction` is scratch, one for each row.
fa_status fa_plant_jacobian(const fa_plant *plant, void *self, const fa_state_rows *states,
                            const double value[], const double rate[], double direction[],
                            double by_state[], double by_time[], fa_error *error);

#endif
