// Random points of every element, and the golden ones: what the tests of elements share.
#ifndef ELEMENT_POINTS_H
#define ELEMENT_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "elements.h"

enum { REALS = 64, FLAGS = 16, RESULTS = 24 };

typedef struct point {
    const fa_element *element;
    int               index; // of the element in fa_elements
    double            real[REALS];
    bool              flag[FLAGS];
} point;

// A random point; `variant` goes through modes and flags.
point point_random(int element, int variant, uint64_t *seed);

// A line of golden.txt, golden_contact.txt, golden_snake.txt or golden_circuit.txt: values and
// derivatives, each the double nearest to its 50 digits.
typedef struct golden_point {
    point  at;
    bool   has[RESULTS];
    double value[RESULTS], by[RESULTS][REALS];
} golden_point;

// All of them, to be freed; *n: how many.
golden_point *golden_points(int *n);

// The element's block in doubles.
void point_fill(const point *p, void *in);
// Flags that follow from numbers.
void point_configure(point *p);

// Returns true if derivatives are taken by this real.
bool point_moves(const point *p, int real);

// The largest term of a result: its value, or a derivative times its real, whose rounding it has.
double golden_size(const golden_point *g, int result);

#endif
