// Primitives of a file that is being written, by Windows. Its handle may be deleted while it is
// open, so that what Ctrl-C leaves half written goes away (interrupt.c).
#define WIN32_LEAN_AND_MEAN
#include "handles.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdio.h>
#include <windows.h>

#include "windows_error.h"

int fa_handle_create(const char *path)
{
    const HANDLE file =
        CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        fa_windows_error();
        return -1;
    }
    const int handle = _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
    if (handle < 0) (void)CloseHandle(file);
    return handle;
}

ptrdiff_t fa_handle_write(int handle, const char *data, size_t size)
{
    const unsigned most = 1 << 30; // _write takes and gives an int
    return _write(handle, data, size < most ? (unsigned)size : most);
}

bool fa_handle_seek(int handle, uint64_t at)
{
    return _lseeki64(handle, (int64_t)at, SEEK_SET) >= 0;
}

bool fa_handle_sync(int handle)
{
    return _commit(handle) == 0;
}

bool fa_handle_close(int handle)
{
    return _close(handle) == 0;
}

bool fa_file_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
    fa_windows_error();
    return false;
}

bool fa_file_remove(const char *path)
{
    if (DeleteFileA(path)) return true;
    fa_windows_error();
    return false;
}

void fa_folder_sync(const char *path)
{
    (void)path; // MOVEFILE_WRITE_THROUGH has done it
}

long fa_process_number(void)
{
    return (long)GetCurrentProcessId();
}
