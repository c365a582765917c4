// A number that follows from rows of a plant's table, with its derivative by each of these rows. So
// a law is written once, and evaluation, steps and slopes read the same lines.
#ifndef FA_LAW_H
#define FA_LAW_H

#include <stdbool.h>

#define FA_LAW_PARTS 64 // rows that a law can depend on; the losses of a motor have 36

typedef struct fa_law_part {
    int    row;
    double by; // derivative by this row; parts of one row add
} fa_law_part;

typedef struct fa_law {
    double      value;
    bool        derived; // parts are wanted; if not, they are left out
    int         n;
    fa_law_part part[FA_LAW_PARTS];
} fa_law;

static inline void fa_law_begin(fa_law *law, bool derived)
{
    law->value = 0;
    law->derived = derived;
    law->n = 0;
}

// A row below zero is none: the number is a constant.
static inline void fa_law_by(fa_law *law, int row, double by)
{
    if (law->derived && row >= 0) law->part[law->n++] = (fa_law_part){row, by};
}

// The change that a step in the rows makes.
double fa_law_step(const fa_law *law, const double direction[]);

// Its transpose: slopes of the rows, times `wanted`, added.
void fa_law_slope(const fa_law *law, double wanted, double slope[]);

// sum += factor part, with its derivatives; `factor` does not change.
void fa_law_add(fa_law *sum, double factor, const fa_law *part);

#endif
