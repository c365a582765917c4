// From a command line to an exit code: finds the command, reads its arguments, runs it.
#include <errno.h>
#include <string.h>

#include "options.h"

static fa_exit usage(fa_status status, const fa_error *error)
{
    fa_report(status, error);
    return status == FA_NO_MEMORY ? FA_EXIT_SYSTEM : FA_EXIT_USAGE;
}

static fa_exit run(int argc, char *argv[])
{
    if (argc < 2) {
        fa_print_help(stderr);
        return FA_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("forearm " FOREARM_VERSION);
        return FA_EXIT_DONE;
    }
    bool              help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    fa_error          error = fa_no_error();
    const fa_command *command = fa_command_find(help ? "help" : argv[1], &error);
    if (!command) return usage(error.status, &error);

    fa_arguments arguments;
    fa_exit      code = FA_EXIT_DONE;
    fa_status    status = fa_arguments_read(command, argc - 2, argv + 2, &arguments, &error);
    if (status != FA_OK)
        code = usage(status, &error);
    else if (arguments.help)
        fa_print_command_help(stdout, command);
    else
        code = command->run(&arguments);
    fa_arguments_free(&arguments);
    return code;
}

fa_exit fa_run_program(int argc, char *argv[])
{
    fa_exit code = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "forearm: cannot write to standard output: %s\n", strerror(errno));
    return FA_EXIT_SYSTEM;
}
