// A host that calls the library in random order, with the tables of fmu/standard/modes.h as the
// model of what must be answered.
#ifndef FMU_WALK_H
#define FMU_WALK_H

#include "fmu_machines.h"

typedef enum fmu_wish {
    FMU_PLAIN,      // a host that asks for nothing
    FMU_MEDDLING,   // early return, intermediate updates and calls from within them
    FMU_EVENT_MODE, // the same with event mode
    FMU_WISHES
} fmu_wish;

// Counts of calls; added to.
typedef struct fmu_walked {
    long calls, refused, within_steps, discarded;
    long in_mode[FA_MODE_COUNT];
} fmu_walked;

// Draws calls for a new instance of the machine: each gets the verdict of fmu/standard/modes.h for
// the mode that the calls before it led to, and a refused one ends the run. In the end the
// instance, reset, computes what a new one does, bit by bit. Anything else fails the test.
void fmu_walk(const fmu_machine *machine, int fmi, fa_kind kind, fmu_wish wish, long draws,
              uint64_t seed, fmu_walked *walked);

#endif
