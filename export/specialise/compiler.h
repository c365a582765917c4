// The C compiler at hand, the platforms that it compiles for, and how it is asked.
#ifndef FA_COMPILER_H
#define FA_COMPILER_H

#include "child.h"
#include "export.h"

typedef struct fa_compiler {
    char path[FA_PATH_SIZE];
    bool is_zig; // it compiles for every platform
} fa_compiler;

// The one that the environment variable FOREARM_CC names; otherwise zig, clang, cc or gcc from the
// PATH. FA_UNFIT and a sentence if there is none.
fa_status fa_compiler_find(fa_compiler *compiler, fa_error *error);

// What a library is compiled for. A platform of FMI 2.0 may be two of them: a Mac's of either kind.
typedef struct fa_target {
    const char *platform, *fmi2; // as FMI 3.0 and FMI 2.0 name it
    const char *zig;             // as zig does, with the oldest system that it is for
} fa_target;

enum { FA_TARGETS_MAX = 2 };

// The targets of a platform, of those of either version of FMI; 0 if the compiler has none for it.
int fa_compiler_targets(const fa_compiler *compiler, const char *platform,
                        const fa_target *found[FA_TARGETS_MAX]);

// The beginning of a command. zig is told the target always: without one it takes all that this
// machine's processor can do. NULL: this machine's.
fa_child_words fa_compile_begin(const fa_compiler *compiler, const fa_target *target);

// What a compiler is told of every file. `sources`: the folder of fa_sources_find; `headers`: of
// FMI's.
void fa_compile_flags(fa_child_words *command, const char *sources, const char *headers);

// … and of a library.
void fa_link_flags(fa_child_words *command, const fa_target *target);

// An error with the first line of what the compiler said in a folder.
fa_status fa_compile_failed(const fa_compiler *compiler, const char *folder, fa_error *error);

// False if the path is too long.
bool fa_path_join(char path[FA_PATH_SIZE], const char *folder, const char *name);

#endif
