// Words of a command, search for its program, and a folder to work in.
#include "child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "paths.h"

void fa_child_add(fa_child_words *command, const char *word)
{
    if (command->n < FA_CHILD_WORDS - 1) command->word[command->n++] = word;
    command->word[command->n] = NULL;
}

// Returns true if the program is there, under this name or with the ending that programs have.
static bool is_program(const char *folder, int length, const char *name,
                       char path[FA_FILE_PATH_SIZE])
{
    const char *const ending[] = {"", fa_program_ending()};
    for (int i = 0; i < 2; i++) {
        const int n = snprintf(path, FA_FILE_PATH_SIZE, "%.*s%s%s%s", length, folder,
                               length > 0 ? "/" : "", name, ending[i]);
        if (n < FA_FILE_PATH_SIZE && fa_path_is_program(path)) return true;
    }
    return false;
}

bool fa_program_find(const char *name, char path[FA_FILE_PATH_SIZE])
{
    if (fa_path_last(name)) return is_program("", 0, name, path);
    const char *next = getenv("PATH");
    while (next && *next) {
        const int length = (int)strcspn(next, fa_path_list_mark());
        if (length > 0 && is_program(next, length, name, path)) return true;
        next += length + (next[length] != '\0');
    }
    return false;
}

fa_status fa_workshop_open(char folder[FA_FILE_PATH_SIZE], fa_error *error)
{
    enum { ATTEMPTS = 1000 }; // names that an interrupted run may have left behind
    const char *place = fa_temporary_folder();
    errno = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const int n = snprintf(folder, FA_FILE_PATH_SIZE, "%s/forearm-%ld.%d", place,
                               fa_process_number(), attempt);
        if (n < 0 || n >= FA_FILE_PATH_SIZE) {
            errno = ENAMETOOLONG;
            break;
        }
        if (fa_folder_make(folder)) return FA_OK;
        if (errno != EEXIST) break;
    }
    folder[0] = '\0';
    return fa_fail(error, FA_IO, place, FA_NOWHERE, "cannot make a folder in it: %s",
                   strerror(errno));
}

static void remove_folder(const char *folder, bool deeper)
{
    int    n;
    char **names = fa_folder_names(folder, true, &n);
    for (int i = 0; i < n; i++) {
        char      path[FA_FILE_PATH_SIZE];
        const int size = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (size < 0 || (size_t)size >= sizeof path) continue;
        if (!fa_file_remove(path) && deeper) remove_folder(path, false);
    }
    fa_folder_free(names, n);
    (void)fa_folder_remove(folder);
}

void fa_workshop_close(const char *folder)
{
    if (*folder) remove_folder(folder, true);
}
