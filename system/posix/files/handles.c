// Primitives of a file that is being written, by POSIX.
#define _XOPEN_SOURCE 700
#include "handles.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int fa_handle_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

ptrdiff_t fa_handle_write(int handle, const char *data, size_t size)
{
    return write(handle, data, size);
}

bool fa_handle_seek(int handle, uint64_t at)
{
    return lseek(handle, (off_t)at, SEEK_SET) >= 0;
}

bool fa_handle_sync(int handle)
{
    return fsync(handle) == 0;
}

bool fa_handle_close(int handle)
{
    return close(handle) == 0;
}

bool fa_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool fa_file_remove(const char *path)
{
    return unlink(path) == 0;
}

void fa_folder_sync(const char *path)
{
    const int handle = open(path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) return;
    (void)fsync(handle);
    (void)close(handle);
}

long fa_process_number(void)
{
    return (long)getpid();
}
