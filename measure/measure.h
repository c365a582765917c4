// Measures the cost of a call, in seconds and in instructions.
#ifndef FA_MEASURE_H
#define FA_MEASURE_H

#include "instructions.h"

// Processor time of a call: the fastest of many batches. It takes about `patience` seconds, or as
// long as two calls if they take longer.
double fa_measure_seconds(const fa_measured *call, double patience);

#endif
