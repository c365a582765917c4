// The laws of elements over arrays, in one form of `real`: compiled once for each form.
#ifndef FORMS_H
#define FORMS_H

#include <stddef.h>

typedef struct form {
    int    lanes;
    size_t real_size, in_size, out_size;
    void (*values)(int n, const void *in, void *out);
    void (*tangent)(int n, const void *in, const void *dot, void *out_dot);
    void (*tangent_of_motion)(int n, const void *in, const void *dot, void *out_dot);
    void (*adjoint)(int n, const void *in, const void *bar, void *in_bar);
    void (*adjoint_of_motion)(int n, const void *in, const void *bar, void *in_bar);
    // Results of a right-hand side: pushes, rates, flows, losses. The compiler drops the rest.
    void (*push)(int n, const void *in, void *out);
    void (*push_tangent)(int n, const void *in, const void *dot, void *out_dot);
    void (*push_motion)(int n, const void *in, const void *dot, void *out_dot);
    // Doubles only; NULL in others.
    void (*event)(const void *in, const void *out, void *next, double now, double *next_time);
    void (*put)(void *reals, int index, int lane, double value);
    double (*get)(const void *reals, int index, int lane);
} form;

// By element, in the order of fa_elements.
extern const form form_plain[], form_lanes4[], form_lanes8[], form_floats16[];

#endif
