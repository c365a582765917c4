// How many floating-point operations the snake's methods do: their sources, compiled a second time
// with a number in place of `double` that counts what is done with it.
#ifndef SNAKE_COUNTING_H
#define SNAKE_COUNTING_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct operations {
    long add; // and subtractions, changes of sign not counted
    long multiply;
    long divide;
    long other; // sine, cosine, square root
} operations;

// Operations of one call of a method (by its place in fa_snake_methods) for n links, accelerations
// only; -1 in each if the call fails.
operations snake_operations(int method, int n_links);

#ifdef __cplusplus
}
#endif

#endif
