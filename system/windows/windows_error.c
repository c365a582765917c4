// Errors of Windows as errno, for messages that tell what to do.
#define WIN32_LEAN_AND_MEAN
#include "windows_error.h"

#include <errno.h>
#include <stddef.h>
#include <windows.h>

typedef struct meaning {
    DWORD error;
    int   number;
} meaning;

static const meaning meanings[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},       {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},        {ERROR_INVALID_NAME, ENOENT},
    {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},      {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_FILE_EXISTS, EEXIST},         {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DISK_FULL, ENOSPC},           {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_DISK_QUOTA_EXCEEDED, ENOSPC}, {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_DIRECTORY, ENOTDIR},          {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},         {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
};

void fa_windows_error(void)
{
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].error == error) errno = meanings[i].number;
}
