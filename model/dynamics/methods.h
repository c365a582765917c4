// The functions behind the table in dynamics.c. Everybody else reads the table.
#ifndef FA_METHODS_H
#define FA_METHODS_H

#include "dynamics.h"

// The rows of usual_methods.c.
extern const fa_method fa_articulated_body_method, fa_composite_body_method, fa_newton_euler_method,
    fa_cluster_elimination_method;

size_t            fa_newton_euler_work_size(const fa_chain *chain);
size_t            fa_newton_euler_inverse_work_size(const fa_chain *chain); // for inverse alone
fa_forward_fn     fa_newton_euler_forward;
fa_inverse_fn     fa_newton_euler_inverse;
fa_mass_matrix_fn fa_newton_euler_mass_matrix;

size_t            fa_composite_body_work_size(const fa_chain *chain);
size_t            fa_composite_body_matrix_work_size(const fa_chain *chain); // for the matrix alone
fa_forward_fn     fa_composite_body_forward;
fa_mass_matrix_fn fa_composite_body_mass_matrix;

size_t        fa_articulated_body_work_size(const fa_chain *chain);
fa_forward_fn fa_articulated_body_forward;

size_t        fa_cluster_elimination_work_size(const fa_chain *chain);
fa_forward_fn fa_cluster_elimination_forward;

size_t         fa_fast_work_size(const fa_chain *chain);
fa_prepare_fn  fa_fast_prepare_work;
fa_prepared_fn fa_fast_composite_prepared, fa_fast_articulated_prepared;

size_t            fa_gibbs_appell_work_size(const fa_chain *chain);
fa_forward_fn     fa_gibbs_appell_forward;
fa_inverse_fn     fa_gibbs_appell_inverse;
fa_mass_matrix_fn fa_gibbs_appell_mass_matrix;

size_t            fa_gibbs_hessian_work_size(const fa_chain *chain);
fa_mass_matrix_fn fa_gibbs_hessian_mass_matrix;

size_t            fa_walker_orin_work_size(const fa_chain *chain);
fa_forward_fn     fa_walker_orin_forward;
fa_inverse_fn     fa_walker_orin_inverse;
fa_mass_matrix_fn fa_walker_orin_mass_matrix;
fa_forward_fn     fa_walker_orin_1_forward;
fa_mass_matrix_fn fa_walker_orin_1_mass_matrix;

size_t            fa_closed_form_work_size(const fa_chain *chain);
fa_forward_fn     fa_closed_form_forward;
fa_inverse_fn     fa_closed_form_inverse;
fa_mass_matrix_fn fa_closed_form_mass_matrix;

size_t            fa_natural_complement_work_size(const fa_chain *chain);
fa_forward_fn     fa_natural_complement_forward;
fa_inverse_fn     fa_natural_complement_inverse;
fa_mass_matrix_fn fa_natural_complement_mass_matrix;

size_t        fa_decoupled_complement_work_size(const fa_chain *chain);
fa_forward_fn fa_decoupled_complement_forward;

size_t            fa_lagrange_work_size(const fa_chain *chain);
fa_forward_fn     fa_lagrange_forward;
fa_inverse_fn     fa_lagrange_inverse;
fa_mass_matrix_fn fa_lagrange_mass_matrix;

size_t            fa_uicker_kahn_work_size(const fa_chain *chain);
fa_forward_fn     fa_uicker_kahn_forward;
fa_inverse_fn     fa_uicker_kahn_inverse;
fa_mass_matrix_fn fa_uicker_kahn_mass_matrix;

size_t        fa_hollerbach_work_size(const fa_chain *chain);
fa_inverse_fn fa_hollerbach_4x4_inverse;
fa_inverse_fn fa_hollerbach_3x3_inverse;

bool fa_all_finite(const double value[], int n);

#endif
