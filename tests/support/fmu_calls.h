// Every call of both standards by its number in fmu/standard/modes.h, with arguments that suit any
// robot.
#ifndef FMU_CALLS_H
#define FMU_CALLS_H

#include "fmu_help.h"

#define FMU_ROOM 128 // more than the states, indicators or elements of anything here

// Arguments that suit the mode: whatever is refused with them is refused for the mode alone.
typedef struct fmu_arguments {
    void         *instance;
    bool          early;            // before initialisation ends
    uint32_t      in, out, count;   // of a continuous input, an output and the solver
    uint32_t      links;            // of the structural parameter, 0: there is none
    uint64_t      n_links;          // what it is set to
    double        one[FMU_ROOM];    // what is got
    double        states[FMU_ROOM]; // to set; those that were there, or were got last
    void         *state;            // saved, and as bytes
    unsigned char bytes[1 << 16];
    size_t        n_bytes;
} fmu_arguments;

#define X(name, me, cs) CALL2_##name,
enum { FA_FMI2_CALL_LIST(X) };
#undef X
#define X(name, me, cs) CALL3_##name,
enum { FA_FMI3_CALL_LIST(X) };
#undef X

extern const fa_call fmu_calls2[FA_FMI2_CALLS], fmu_calls3[FA_FMI3_CALLS];

// Fills the arguments and saves the state, without a call that the mode could refuse. All inputs go
// back to their starts: in a failed step they are what made it fail.
void fmu_prepare(fmu_arguments *a, void *instance);

// Makes the call and returns its status as a number. A status that FMI 2.0 does not have counts as
// done.
int fmu_call2(int call, fmu_arguments *a);
int fmu_call3(int call, fmu_arguments *a);

// Returns a number close to the start of an element of `in`, but different.
double fmu_near_start(const fmu_arguments *a, int element);

// The value of the first element of `in`.
double *fmu_first(const fmu_arguments *a);

// The instance's time [s].
double fmu_now(const fmu_arguments *a);

#endif
