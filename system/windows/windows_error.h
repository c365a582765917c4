// Errors of Windows as errno.
#ifndef FA_WINDOWS_ERROR_H
#define FA_WINDOWS_ERROR_H

// Sets errno to what GetLastError() stands for.
void fa_windows_error(void);

#endif
