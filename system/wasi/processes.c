// WASI has no processes: no program is found, and none starts.
#include <stdlib.h>

#include "child.h"

int fa_process_start(const fa_child_words *command, const char *folder)
{
    (void)command;
    (void)folder;
    return -1;
}

void fa_processes_end(void)
{
}

bool fa_process_finish(int process)
{
    (void)process;
    return false;
}

const char *fa_temporary_folder(void)
{
    const char *place = getenv("TMPDIR");
    return place && *place ? place : "/tmp";
}

const char *fa_program_ending(void)
{
    return ".wasm";
}
