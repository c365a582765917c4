// The methods by name, for the table in snake_methods.c. Everybody else goes through the table.
#ifndef FA_SNAKE_METHODS_H
#define FA_SNAKE_METHODS_H

#include "snake.h"

fa_snake_forward_fn fa_snake_kane, fa_snake_kane_paper, fa_snake_lagrange, fa_snake_newton_euler;

size_t fa_snake_kane_work_size(int n_links);
size_t fa_snake_kane_paper_work_size(int n_links);
size_t fa_snake_lagrange_work_size(int n_links);
size_t fa_snake_newton_euler_work_size(int n_links);

#endif
