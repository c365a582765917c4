// Jacobian of a plant for the implicit integrator.
#ifndef FA_PLANT_JACOBIAN_H
#define FA_PLANT_JACOBIAN_H

#include "plant.h"

// Computes the Jacobian of the states' derivatives by the states (n x n, row i belongs to the
// derivative of state i) and by time, with inputs moving at `rate` (one for each input; NULL:
// constant). With by_state NULL, the plant keeps its linearisation (fa_plant.implicit). The
// derivatives must have been evaluated at `value`; `direction` is scratch, one number for each row.
fa_status fa_plant_jacobian(const fa_plant *plant, void *self, const fa_state_rows *states,
                            const double value[], const double rate[], double direction[],
                            double by_state[], double by_time[], fa_error *error);

#endif
