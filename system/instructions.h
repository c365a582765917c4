// Counts the processor instructions of a call.
#ifndef FA_INSTRUCTIONS_H
#define FA_INSTRUCTIONS_H

// The measured call. `turn` counts the calls from 0 on, for varying inputs.
typedef struct fa_measured {
    void (*run)(void *context, long turn);
    void *context;
} fa_measured;

// Ways to count instructions.
typedef enum fa_counter {
    FA_COUNTER_NONE,
    FA_COUNTER_HARDWARE, // the processor's own counter, where the system lets programs read it
    FA_COUNTER_STEPPING  // a copy of this process that is stopped after each instruction (ptrace)
} fa_counter;

// The best way that works here, which it tries out.
fa_counter fa_counter_find(void);

// Such as "by single-stepping", for a sentence that begins with "instructions are counted".
const char *fa_counter_text(fa_counter counter);

// Returns the instructions of one call, including the loop around it. NAN if they cannot be
// counted, or if single steps would take more than `most` of them.
double fa_measure_instructions(fa_counter counter, const fa_measured *call, double most);

#endif
