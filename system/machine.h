// Clocks, processors, and where the program is.
#ifndef FA_MACHINE_H
#define FA_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

double fa_clock_wall(void);      // that never goes back, from some time on [s]; fit for handlers
double fa_clock_processor(void); // time that this process has had of a processor [s]

int fa_processors(void); // at least one

// Keeps the process's memory, and 256 kB of this thread's stack, from being paged out.
bool fa_machine_keep_memory(void);

// Returns the folder of the running program; false: unknown.
bool fa_program_folder(char folder[], size_t size);

#endif
