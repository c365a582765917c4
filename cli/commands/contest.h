// The two kinds of contest that `forearm compare` holds.
#ifndef FA_CONTEST_H
#define FA_CONTEST_H

#include "comparison.h"
#include "robot.h"

// The methods of a table, such as fa_methods, on an arm. Its chain is that of its plant, with what
// --set says. `chain`, `robot` and the table must live as long. Those methods take part that cover
// the chain; the reference is Lagrange's, which shares no code with the others. Release with free.
fa_status fa_compare_arm(const fa_robot *robot, const fa_chain *chain,
                         const fa_method *const methods[], int n_methods, fa_contest *contest,
                         fa_error *error);

// The same for a snake.
fa_status fa_compare_snake(const fa_snake *snake, const fa_snake_method *methods, int n_methods,
                           fa_contest *contest, fa_error *error);

#endif
