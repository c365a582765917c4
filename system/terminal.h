// The terminal, and a timer to write to it with.
#ifndef FA_TERMINAL_H
#define FA_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool fa_is_terminal(FILE *file);

// Straight to standard error, also from a ticker; false: it could not be written.
bool fa_terminal_write(const char text[], size_t n);

// From now on `tick` is called, for the first time after a second and then five times in each,
// whatever else goes on: it may do only what a signal handler may. One ticker at a time.
void fa_ticker_begin(void (*tick)(void));
void fa_ticker_end(void);

#endif
