// An axis: its range, the round numbers on it, and how they are written.
#ifndef FA_SCALE_H
#define FA_SCALE_H

#include <stdbool.h>

#define FA_TICK_SIZE 40 // bytes of a tick's text
#define FA_TICKS     24 // at most, on an axis

typedef struct fa_scale {
    double low, high; // what the axis shows; low < high
    double step;      // between ticks
    double first;     // the lowest tick
    int    n;         // ticks
    double offset;    // taken off the numbers beside the axis, and named in `unit`
    int    power;     // these are in units of 10^power
    int    decimals;
    char   unit[96]; // "kN·m", "+ 1000000 Pa"; UTF-8
} fa_scale;

// The range of numbers from low to high (finite, low <= high) with about so many ticks. `margin` is
// what stays free at both ends, as part of the range.
fa_scale fa_scale_fit(double low, double high, double margin, int about, const char *unit);

double fa_scale_tick(const fa_scale *scale, int i);

// The number beside a tick, in UTF-8.
void fa_scale_label(const fa_scale *scale, int i, char text[FA_TICK_SIZE]);

#endif
