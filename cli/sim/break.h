// Ctrl-C while a session works: the work ends, and the session goes on.
#ifndef FA_BREAK_H
#define FA_BREAK_H

#include <stdbool.h>

// From now on Ctrl-C asks for a break and nothing else, until it is let go: then it ends the
// program again. Each takes back what was asked before.
void fa_break_hold(void);
void fa_break_let_go(void);

bool fa_break_asked(void);

#endif
