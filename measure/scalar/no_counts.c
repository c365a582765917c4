// In place of counted.cpp and counted_snake.cpp where the compiler cannot build them.
#include "counts.h"

const char *fa_counts_missing(void)
{
    return "operations are not counted: this forearm was built without GNU's C++ compiler, which "
           "the counting needs";
}

fa_status fa_count(const char *method, fa_question question, const fa_chain *chain,
                   fa_operations *executed, fa_operations *online)
{
    (void)method, (void)question, (void)chain, (void)executed, (void)online;
    return FA_UNFIT;
}

int fa_count_gibbs_steps(fa_question question, const fa_chain *chain,
                         fa_step_count step[FA_STEPS_MAX])
{
    (void)question, (void)chain, (void)step;
    return 0;
}

fa_status fa_count_snake(const char *method, const fa_snake *snake, bool wheel_forces,
                         fa_operations *executed, fa_operations *online)
{
    (void)method, (void)snake, (void)wheel_forces, (void)executed, (void)online;
    return FA_UNFIT;
}
