// Counts the floating-point operations of a method: compiles its source once more with a counting
// number type in place of `double`.
#ifndef FA_COUNTS_H
#define FA_COUNTS_H

#include "dynamics.h"
#include "snake.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fa_question { FA_FORWARD, FA_INVERSE, FA_BIAS, FA_MATRIX } fa_question;

typedef struct fa_operations {
    long multiplications;
    long additions; // and subtractions; a change of sign is none
    long divisions;
    long roots;
    long sines; // and cosines
} fa_operations;

// Returns the number of products as papers count: every operation but additions and sines.
static inline long fa_products(fa_operations of)
{
    return of.multiplications + of.divisions + of.roots;
}

// Returns NULL, or why this build cannot count.
const char *fa_counts_missing(void);

// Runs the method named so and counts. `executed` is every operation of the program; `online`
// leaves out what depends on the robot alone, and products with and sums of an exact 0, 1 or -1, as
// papers do. Zeros and ones in the axes, rotations and offsets of the chain and in its gravity
// count as exact, all its other numbers as any number. FA_UNFIT when the method does not answer
// this question for this chain, or nothing can be counted.
fa_status fa_count(const char *method, fa_question question, const fa_chain *chain,
                   fa_operations *executed, fa_operations *online);

// Products and sums, as `online` above, of each line of the lists in sections 4.1 (FA_INVERSE) and
// 4.2 (FA_MATRIX) of Mata and others, as gibbs-appell takes them; `paper` is what they print
// beside it. Gives how many lines there are, 0 when nothing can be counted.
typedef struct fa_step_count {
    const char *name, *paper;
    long        products, sums;
} fa_step_count;

enum { FA_STEPS_MAX = 16 };

int fa_count_gibbs_steps(fa_question question, const fa_chain *chain,
                         fa_step_count step[FA_STEPS_MAX]);

// The same for a method of the snake: its accelerations, and the forces on its wheels if wanted.
fa_status fa_count_snake(const char *method, const fa_snake *snake, bool wheel_forces,
                         fa_operations *executed, fa_operations *online);

#ifdef __cplusplus
}
#endif

#endif
