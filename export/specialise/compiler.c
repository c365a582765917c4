// Detects the C compiler, its target platforms and its flags.
#include "compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "paths.h"

#define MESSAGES_LIMIT ((size_t)1 << 20) // limit of the compiler's messages [bytes]

fa_status fa_compiler_find(fa_compiler *compiler, fa_error *error)
{
    static const char *const names[] = {"zig", "python-zig", "clang", "cc", "gcc"};
    const char              *wish = getenv("FOREARM_CC");
    bool                     found = false;
    if (wish && *wish) {
        found = fa_program_find(wish, compiler->path);
        if (!found)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "there is no program '%s', which FOREARM_CC names as the C compiler",
                           wish);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = fa_program_find(names[i], compiler->path);
    if (!found)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "there is no C compiler: none of zig, clang, cc and gcc is on the PATH, and "
                       "FOREARM_CC names none");
    const char *name = fa_path_last(compiler->path);
    compiler->is_zig = strstr(name ? name : compiler->path, "zig") != NULL;
    return FA_OK;
}

// ---------------------------------------------------------------------------------------- targets

// The same targets as in cmake/FaPlatforms.cmake.
static const fa_target targets[FA_PLATFORM_COUNT] = {
    {"x86_64-linux", "linux64", "x86_64-linux-gnu.2.17"},
    {"aarch64-linux", "aarch64-linux", "aarch64-linux-gnu.2.17"},
    {"x86_64-windows", "win64", "x86_64-windows-gnu"},
    {"x86_64-darwin", "darwin64", "x86_64-macos.11.0"},
    {"aarch64-darwin", "darwin64", "aarch64-macos.11.0"},
};

static bool is_native(const fa_target *target)
{
    return strcmp(target->platform, fa_platform(3)) == 0;
}

static const fa_target *native(void)
{
    const fa_target *target = targets;
    while (!is_native(target)) target++;
    return target;
}

int fa_compiler_targets(const fa_compiler *compiler, const char *platform,
                        const fa_target *found[FA_TARGETS_MAX])
{
    int n = 0, wanted = 0;
    for (int i = 0; i < FA_PLATFORM_COUNT; i++) {
        const fa_target *target = &targets[i];
        if (strcmp(platform, target->platform) != 0 && strcmp(platform, target->fmi2) != 0)
            continue;
        wanted++;
        if (compiler->is_zig || is_native(target)) found[n++] = target;
    }
    return n == wanted ? n : 0; // a universal library needs both halves
}

// --------------------------------------------------------------------------------------- commands

fa_child_words fa_compile_begin(const fa_compiler *compiler, const fa_target *target)
{
    fa_child_words command = {.n = 0};
    fa_child_add(&command, compiler->path);
    if (!compiler->is_zig) return command;
    fa_child_add(&command, "cc");
    fa_child_add(&command, "-target");
    fa_child_add(&command, target ? target->zig : native()->zig);
    return command;
}

static void add_all(fa_child_words *command, const char *const words[])
{
    for (; *words; words++) fa_child_add(command, *words);
}

// No fused multiply-add unless a file enables it: the general methods give the same bits on all
// machines.
void fa_compile_flags(fa_child_words *command, const char *sources, const char *headers)
{
    static const char *const flags[] = {"-std=c99",
                                        "-O2",
                                        "-DNDEBUG",
                                        "-fPIC",
                                        "-ffp-contract=off",
                                        "-fvisibility=hidden",
                                        "-w",
                                        "-ffunction-sections",
                                        "-fdata-sections",
                                        "-fstack-protector-strong",
                                        NULL};
    add_all(command, flags);
    fa_child_add(command, "-I");
    fa_child_add(command, sources);
    fa_child_add(command, "-isystem");
    fa_child_add(command, headers);
}

// The same flags as for the general libraries.
void fa_link_flags(fa_child_words *command, const fa_target *target)
{
    static const char *const linux_flags[] = {"-Wl,-Bsymbolic",     "-Wl,--gc-sections",
                                              "-Wl,-z,relro",       "-Wl,-z,now",
                                              "-Wl,-z,noexecstack", NULL};
    static const char *const windows_flags[] = {"-Wl,--gc-sections", NULL};
    static const char *const darwin_flags[] = {"-Wl,-dead_strip",
                                               "-Wl,-install_name,@rpath/forearm.dylib", NULL};
    fa_child_add(command, "-shared");
    if (strstr(target->platform, "linux")) add_all(command, linux_flags);
    if (strstr(target->platform, "windows")) add_all(command, windows_flags);
    if (strstr(target->platform, "darwin")) add_all(command, darwin_flags);
}

fa_status fa_compile_failed(const fa_compiler *compiler, const char *folder, fa_error *error)
{
    char   path[FA_PATH_SIZE], *text = NULL;
    size_t size = 0;
    if (!fa_path_join(path, folder, "messages.txt") ||
        fa_file_read(path, MESSAGES_LIMIT, &text, &size, NULL) != FA_OK)
        size = 0;
    const int length = size > 0 ? (int)strcspn(text, "\n") : 0;
    fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the compiler %s failed%s%.*s", compiler->path,
            length > 0 ? ": " : "", length < 200 ? length : 200, length > 0 ? text : "");
    free(text);
    return FA_UNFIT;
}

bool fa_path_join(char path[FA_PATH_SIZE], const char *folder, const char *name)
{
    const int n = snprintf(path, FA_PATH_SIZE, "%s/%s", folder, name);
    return n >= 0 && n < FA_PATH_SIZE;
}
