// How many instructions of a processor a call takes.
#ifndef FA_INSTRUCTIONS_H
#define FA_INSTRUCTIONS_H

// What is measured. `turn` counts the calls from 0 on, so that inputs can take turns.
typedef struct fa_measured {
    void (*run)(void *context, long turn);
    void *context;
} fa_measured;

// How instructions can be counted.
typedef enum fa_counter {
    FA_COUNTER_NONE,
    FA_COUNTER_HARDWARE, // the processor's own counter, where the system lets programs read it
    FA_COUNTER_STEPPING  // a copy of this process that is stopped after each instruction (ptrace)
} fa_counter;

// The best way that works here, which it tries out.
fa_counter fa_counter_find(void);

// Such as "by single-stepping", for a sentence that begins with "instructions are counted".
const char *fa_counter_text(fa_counter counter);

// Instructions of one call, loop around it included. NAN if it cannot be told, or if stepping would
// take more than `most` of them.
double fa_measure_instructions(fa_counter counter, const fa_measured *call, double most);

#endif
