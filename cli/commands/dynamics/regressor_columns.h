// The regressor as columns of a table: named <torque>/<parameter of a link>.
#ifndef FA_REGRESSOR_COLUMNS_H
#define FA_REGRESSOR_COLUMNS_H

#include "arm_dynamics.h"
#include "csv_writer.h"

// Write the regressor of the result's torques: the columns' names, and their numbers at the state's
// positions, velocities and accelerations.
void fa_regressor_put_names(const fa_arm_dynamics *dynamics, const fa_arm_regressor *regressor,
                            fa_csv_writer *out);
void fa_regressor_put_numbers(const fa_arm_dynamics *dynamics, fa_arm_regressor *regressor,
                              fa_csv_writer *out);

#endif
