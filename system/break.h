// Ctrl-C while a session works: the work ends, and the session goes on. A terminal that is closed
// ends both, as the end of its input would.
#ifndef FA_BREAK_H
#define FA_BREAK_H

#include <stdbool.h>

// From now on Ctrl-C asks for a break and no longer ends the program. What was asked before is
// taken back. `ends_reads`: so that a read that waits for somebody ends with it.
void fa_break_hold(bool ends_reads);

bool fa_break_asked(void);

// Whether the terminal has been closed since the first call above.
bool fa_break_hung_up(void);

#endif
