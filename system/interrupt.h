// Deletes temporary files when a signal ends the program.
#ifndef FA_INTERRUPT_H
#define FA_INTERRUPT_H

#include <stdbool.h>

// From begin to end a signal that would end the program calls `ends` instead, which must be fit for
// a signal handler, and end, when all has been tidied up, lets the program be ended by it.
// fa_interrupt_came says whether there was one.
void fa_interrupt_begin(void (*ends)(void));
bool fa_interrupt_came(void);
void fa_interrupt_end(void);

// The file to be removed if the program is ended by a signal; it must live until the next call.
// NULL: none.
void fa_interrupt_removes(const char *path);

#endif
