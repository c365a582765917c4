// What is half written when the user ends the program does not stay behind.
#ifndef FA_INTERRUPT_H
#define FA_INTERRUPT_H

// The file to be removed if the program is ended by a signal; it must live until the next call.
// NULL: none.
void fa_interrupt_removes(const char *path);

#endif
