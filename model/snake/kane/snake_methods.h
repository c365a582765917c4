// The methods by name, for the table in snake_methods.c. Other code uses the table.
#ifndef FA_SNAKE_METHODS_H
#define FA_SNAKE_METHODS_H

#include "snake.h"

fa_snake_forward_fn fa_snake_kane, fa_snake_kane_paper, fa_snake_lagrange, fa_snake_newton_euler;

size_t fa_snake_kane_work_size(int n_links);
size_t fa_snake_kane_paper_work_size(int n_links);
size_t fa_snake_lagrange_work_size(int n_links);
size_t fa_snake_newton_euler_work_size(int n_links);

// Solves (26), (27) as the paper integrates them: q'' from q = (theta, x, y), (x, y) being the
// wheel of the base link, and any q', whether or not it satisfies the constraints. The work is that
// of fa_snake_lagrange. The equations enforce only J q'' = -J' q', so that over time J q' drifts
// away from zero; all other methods compute q' from u.
fa_status fa_snake_lagrange_rates(const fa_snake *snake, const double theta[], const double qd[],
                                  const fa_snake_forces *forces, double qdd[], void *work);

#endif
