// Ctrl-C while a session works: the work ends, and the session goes on. A terminal that is closed
// ends both, as the end of its input would.
#ifndef FA_BREAK_H
#define FA_BREAK_H

#include <stdbool.h>

// From now on Ctrl-C requests a break instead of ending the program; clears earlier requests.
// `ends_reads`: Ctrl-C also interrupts a blocking read.
void fa_break_hold(bool ends_reads);

bool fa_break_asked(void);

// Returns true if the terminal has hung up since the first call above.
bool fa_break_hung_up(void);

#endif
