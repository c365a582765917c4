// Processor time of a call: the lowest mean of many batches.
#include <math.h>

#include "machine.h"
#include "measure.h"

// A batch must be long beside the clock's own resolution and short beside what the system does in
// between, so that some batches go undisturbed.
static const double BATCH = 2e-4; // [s]

// The processor's time and not the wall's: on a busy machine every call of some milliseconds waits.
static double now(void)
{
    return fa_clock_processor();
}

double fa_measure_seconds(const fa_measured *call, double patience)
{
    const double begin = now();
    double       best = INFINITY;
    long         calls = 1, turn = 0;
    for (int batch = 0; batch < 2 || now() - begin < patience; batch++) {
        const double start = now();
        for (long i = 0; i < calls; i++) call->run(call->context, turn++);
        const double took = now() - start;
        best = fmin(best, took / (double)calls);
        if (took < BATCH / 2) { // not a batch yet: the first one warms up, too
            calls = took > 0 ? (long)fmin(fmax(BATCH / best, 2.0 * (double)calls), 1e7) : 2 * calls;
            best = INFINITY;
            batch = 0;
        }
    }
    return best;
}
