// Threads of Windows.
#define WIN32_LEAN_AND_MEAN
#include "thread.h"

#include <windows.h>

static DWORD WINAPI run(void *of)
{
    const fa_thread *thread = of;
    thread->run(thread->context);
    return 0;
}

bool fa_thread_start(fa_thread *thread)
{
    enum { STACK = 8 << 20 }; // as Linux gives; a megabyte is what Windows would
    const HANDLE handle =
        CreateThread(NULL, STACK, run, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    thread->handle = (uint64_t)(uintptr_t)handle;
    return handle != NULL;
}

void fa_thread_join(fa_thread *thread)
{
    const HANDLE handle = (HANDLE)(uintptr_t)thread->handle;
    (void)WaitForSingleObject(handle, INFINITE);
    (void)CloseHandle(handle);
}
