// The tip's Jacobian and the mass matrix of a mechanism: by the speeds of its independent joints,
// in the axes that hosts see.
#ifndef FA_MECHANISM_MATRICES_H
#define FA_MECHANISM_MATRICES_H

#include "mechanism.h"

#define FA_MECHANISM_MATRICES (FA_ARM_GROUP_JACOBIAN | FA_ARM_GROUP_MASS_MATRIX)

// Lays out their columns; `at` and the arena as in mechanism_layout.c. Allocates nothing if they
// are not requested.
void fa_mechanism_lay_out_matrices(fa_mechanism *to, fa_arena *arena, const fa_robot *robot);
void fa_mechanism_prepare_matrices(fa_mechanism *m, const fa_robot *robot,
                                   const fa_variables *outer);

// From those of the arm inside, whose rows are up to date; and of tangents.
void fa_mechanism_give_matrices(const fa_mechanism *m, double value[], unsigned groups);
void fa_mechanism_give_matrix_tangents(const fa_mechanism *m, double direction[], unsigned groups);

#endif
