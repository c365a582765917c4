// Starts child processes without a shell, and ends them when Ctrl-C ends the program, by Windows. A
// job holds a process and what it has started.
#define WIN32_LEAN_AND_MEAN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "child.h"

// The longest command line of Windows, and the longest value of a variable.
enum { JOBS = 64, COMMAND_SIZE = 32768, VARIABLE_SIZE = 32768 };

typedef struct job {
    HANDLE process, job;
} job;

// Read by the thread of Ctrl-C, so they cannot be local.
static job           jobs[JOBS];
static volatile LONG ended;

void fa_processes_end(void)
{
    (void)InterlockedExchange(&ended, 1);
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].job) (void)TerminateJobObject(jobs[i].job, 1);
}

// --------------------------------------------------------------------------------------- a command

typedef struct line {
    char   text[COMMAND_SIZE];
    size_t n;
} line;

static void put(line *l, char c, size_t times)
{
    for (; times > 0 && l->n < COMMAND_SIZE; times--) l->text[l->n++] = c;
}

// Adds a word in quotation marks, before which, and before a mark within, backslashes are doubled:
// so programs take their command line apart.
static void put_word(line *l, const char *word)
{
    size_t slashes = 0;
    if (l->n > 0) put(l, ' ', 1);
    put(l, '"', 1);
    for (; *word; word++) {
        if (*word == '\\') {
            slashes++;
            continue;
        }
        put(l, '\\', *word == '"' ? 2 * slashes + 1 : slashes);
        put(l, *word, 1);
        slashes = 0;
    }
    put(l, '\\', 2 * slashes);
    put(l, '"', 1);
}

static HANDLE open_inherited(const char *path, DWORD access, DWORD how)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    return CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, how,
                       FILE_ATTRIBUTE_NORMAL, NULL);
}

// Starts it in its folder, where it also finds room for temporary files.
static bool start(line *l, const char *folder, HANDLE in, HANDLE out, PROCESS_INFORMATION *made)
{
    static const char *const names[] = {"TMP", "TEMP"};
    STARTUPINFOA             how = {.cb = sizeof how,
                                    .dwFlags = STARTF_USESTDHANDLES,
                                    .hStdInput = in,
                                    .hStdOutput = out,
                                    .hStdError = out};
    char                     before[2][VARIABLE_SIZE];
    bool                     was[2];
    for (int i = 0; i < 2; i++) {
        const DWORD n = GetEnvironmentVariableA(names[i], before[i], sizeof before[i]);
        was[i] = n > 0 && n < sizeof before[i];
        (void)SetEnvironmentVariableA(names[i], ".");
    }
    const bool good =
        CreateProcessA(NULL, l->text, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP,
                       NULL, folder, &how, made) != 0;
    for (int i = 0; i < 2; i++) (void)SetEnvironmentVariableA(names[i], was[i] ? before[i] : NULL);
    return good;
}

int fa_process_start(const fa_child_words *command, const char *folder)
{
    char                messages[FA_FILE_PATH_SIZE + 16];
    PROCESS_INFORMATION made;
    int                 slot = 0, number = -1;
    while (slot < JOBS && jobs[slot].process) slot++;
    line *l = calloc(1, sizeof *l);
    if (ended || slot == JOBS || !l) {
        free(l);
        return -1;
    }
    for (int i = 0; i < command->n; i++) put_word(l, command->word[i]);
    (void)snprintf(messages, sizeof messages, "%s/messages.txt", folder);
    const HANDLE in = open_inherited("NUL", GENERIC_READ, OPEN_EXISTING);
    const HANDLE out = open_inherited(messages, GENERIC_WRITE, CREATE_ALWAYS);
    if (l->n < COMMAND_SIZE && in != INVALID_HANDLE_VALUE && out != INVALID_HANDLE_VALUE &&
        start(l, folder, in, out, &made)) {
        jobs[slot].process = made.hProcess;
        jobs[slot].job = CreateJobObjectA(NULL, NULL);
        if (jobs[slot].job) (void)AssignProcessToJobObject(jobs[slot].job, made.hProcess);
        (void)ResumeThread(made.hThread);
        (void)CloseHandle(made.hThread);
        number = slot;
    }
    if (in != INVALID_HANDLE_VALUE) (void)CloseHandle(in);
    if (out != INVALID_HANDLE_VALUE) (void)CloseHandle(out);
    free(l);
    return number;
}

bool fa_process_finish(int process)
{
    DWORD code = 1;
    if (process < 0) return false;
    job *j = &jobs[process];
    (void)WaitForSingleObject(j->process, INFINITE);
    const bool told = GetExitCodeProcess(j->process, &code) != 0;
    (void)CloseHandle(j->process);
    if (j->job) (void)CloseHandle(j->job);
    *j = (job){.process = NULL};
    return !ended && told && code == 0;
}

// ------------------------------------------------------------------------------------------ places

const char *fa_temporary_folder(void)
{
    static char folder[MAX_PATH + 1];
    DWORD       n = GetTempPathA(sizeof folder, folder);
    if (n == 0 || n >= sizeof folder) return ".";
    if (folder[n - 1] == '\\' || folder[n - 1] == '/') folder[n - 1] = '\0';
    return folder;
}

const char *fa_program_ending(void)
{
    return ".exe";
}
