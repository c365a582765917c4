// Primitives of a file that is being written, for files.c; failures set errno.
#ifndef FA_HANDLES_H
#define FA_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Creates a file that was not there, for writing; -1 on failure.
int fa_handle_create(const char *path);

ptrdiff_t fa_handle_write(int handle, const char *data, size_t size); // bytes written; -1
bool      fa_handle_seek(int handle, uint64_t at);
bool      fa_handle_sync(int handle); // on to the disk
bool      fa_handle_close(int handle);

bool fa_file_rename(const char *from, const char *to); // over what is there
bool fa_file_remove(const char *path);

// Makes the renaming of a file in this folder last through a power cut, where the system can.
void fa_folder_sync(const char *path);

// Tells processes apart that run at the same time.
long fa_process_number(void);

#endif
