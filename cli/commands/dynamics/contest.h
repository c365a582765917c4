// Adapters of arms and snakes to the comparison of methods.
#ifndef FA_CONTEST_H
#define FA_CONTEST_H

#include "comparison.h"
#include "robot.h"

// Prepares the methods of a table, such as fa_methods, for comparison on an arm. The chain is that
// of the arm's plant after --set. `chain`, `robot` and the table must outlive the contest. It
// includes the methods that cover the chain. Their reference is Lagrange's method, which shares no
// code with the others. Release with free.
fa_status fa_compare_arm(const fa_robot *robot, const fa_chain *chain,
                         const fa_method *const methods[], int n_methods, fa_contest *contest,
                         fa_error *error);

// The same for a snake.
fa_status fa_compare_snake(const fa_snake *snake, const fa_snake_method *methods, int n_methods,
                           fa_contest *contest, fa_error *error);

#endif
