// Running another program, without a shell.
#ifndef FA_CHILD_H
#define FA_CHILD_H

#include "files.h"

enum { FA_CHILD_WORDS = 512 };

typedef struct fa_child_words {
    const char *word[FA_CHILD_WORDS]; // borrowed; the first is the program, found on the PATH
    int         n;
} fa_child_words;

void fa_child_add(fa_child_words *command, const char *word); // what is too much is cut

// Starts the program in a folder, which also takes its temporary files; what it prints goes to the
// file messages.txt there. It leads a process group. Gives its process, or -1.
int fa_process_start(const fa_child_words *command, const char *folder);

// Ends all that has been started and not finished, and what that has started; from then on nothing
// starts, and what is waited for has failed. May be called by a signal handler.
void fa_processes_end(void);

// Waits for it. True if it did what it should.
bool fa_process_finish(int process);

// Finds a program on the PATH, or at that path; false: there is none.
bool fa_program_find(const char *name, char path[FA_FILE_PATH_SIZE]);

const char *fa_program_ending(void);   // of the names of programs: "", or ".exe"
const char *fa_temporary_folder(void); // without a slash at its end

// A new folder for what is compiled, and its removal with all that is in it, one folder deep.
fa_status fa_workshop_open(char folder[FA_FILE_PATH_SIZE], fa_error *error);
void      fa_workshop_close(const char *folder);

#endif
