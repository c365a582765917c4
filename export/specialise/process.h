// Running another program, without a shell.
#ifndef FA_PROCESS_H
#define FA_PROCESS_H

#include "export.h"

enum { FA_WORDS_MAX = 512 };

typedef struct fa_words {
    const char *word[FA_WORDS_MAX]; // borrowed; the first is the program, found on the PATH
    int         n;
} fa_words;

void fa_words_add(fa_words *command, const char *word); // what is too much is cut

// Starts the program in a folder; what it prints goes to the file messages.txt there. Gives its
// process, or -1.
int fa_process_start(const fa_words *command, const char *folder);

// Waits for it. True if it did what it should.
bool fa_process_finish(int process);

// Whether there is a program of that name on the PATH, or at that path.
bool fa_program_find(const char *name, char path[FA_PATH_SIZE]);

// A new folder for what is compiled, and its removal with all that is in it, one folder deep.
fa_status fa_workshop_open(char folder[FA_PATH_SIZE], fa_error *error);
void      fa_workshop_close(const char *folder);

#endif
