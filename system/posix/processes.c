// Starts child processes without a shell, and ends them when a signal ends the program.
#define _XOPEN_SOURCE 700
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

// Read by a signal handler, so they cannot be local: the groups that are at work, 0: none.
enum { GROUPS = 64 };
static volatile sig_atomic_t group[GROUPS], ended;

void fa_processes_end(void)
{
    ended = 1;
    for (int i = 0; i < GROUPS; i++)
        if (group[i] > 0) (void)kill(-(pid_t)group[i], SIGTERM);
}

static void note(pid_t was, pid_t is)
{
    for (int i = 0; i < GROUPS; i++)
        if (group[i] == (sig_atomic_t)was) {
            group[i] = (sig_atomic_t)is;
            return;
        }
}

// Between these two no signal comes.
static sigset_t hold_signals(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    return before;
}

int fa_process_start(const fa_child_words *command, const char *folder)
{
    const sigset_t before = hold_signals();
    const pid_t    process = ended ? -1 : fork();
    if (process != 0) {
        if (process > 0) {
            (void)setpgid(process, process); // whichever of the two is first
            note(0, process);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
        return (int)process;
    }
    (void)setpgid(0, 0);
    // Resets signal handling for the child; exec would keep ignored signals ignored.
    (void)signal(SIGHUP, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (setenv("TMPDIR", ".", 1) != 0) _exit(127);
    const int out =
        chdir(folder) == 0 ? open("messages.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    const int in = open("/dev/null", O_RDONLY);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
    execvp(command->word[0], (char *const *)command->word);
    _exit(127);
}

// Time between SIGTERM and SIGKILL [s], by the clock: on a busy machine a pause of 5 ms lasts ten
// times as long.
static const double patience = 2;

bool fa_process_finish(int process)
{
    int                   status = 0;
    pid_t                 got = 0;
    double                since = -1; // an end was seen here [s]; below zero: none was
    bool                  killed = false;
    const struct timespec pause = {.tv_nsec = 5000000};
    if (process < 0) return false;
    // A signal may come at any time, so that waiting without looking might never end.
    while ((got = waitpid((pid_t)process, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
        if (ended && since < 0) since = fa_clock_wall();
        if (since >= 0 && !killed && fa_clock_wall() > since + patience) {
            (void)kill(-(pid_t)process, SIGKILL);
            killed = true;
        }
        (void)nanosleep(&pause, NULL);
    }
    if (ended) (void)kill(-(pid_t)process, SIGKILL); // what its leader has left
    note((pid_t)process, 0);
    return !ended && got >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *fa_temporary_folder(void)
{
    const char *place = getenv("TMPDIR");
    return place && *place ? place : "/tmp";
}

const char *fa_program_ending(void)
{
    return "";
}
