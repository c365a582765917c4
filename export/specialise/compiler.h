// The C compiler of this machine: its targets and command lines.
#ifndef FA_COMPILER_H
#define FA_COMPILER_H

#include "child.h"
#include "export.h"

typedef struct fa_compiler {
    char path[FA_PATH_SIZE];
    bool is_zig; // supports every platform
} fa_compiler;

// Finds the compiler: that of the environment variable FOREARM_CC; otherwise zig, clang, cc or gcc
// from the PATH. FA_UNFIT and a message if there is none.
fa_status fa_compiler_find(fa_compiler *compiler, fa_error *error);

// A compilation target. A platform of FMI 2.0 may have two: the processors of a Mac.
typedef struct fa_target {
    const char *platform, *fmi2; // names in FMI 3.0 and FMI 2.0
    const char *zig;             // zig's name, with the oldest supported system
} fa_target;

enum { FA_TARGETS_MAX = 2 };

// Finds the targets of a platform of either FMI version, and returns their number; 0 if the
// compiler has none for it.
int fa_compiler_targets(const fa_compiler *compiler, const char *platform,
                        const fa_target *found[FA_TARGETS_MAX]);

// Begins a command. NULL: this machine's target. zig always gets an explicit target: its default
// uses all instructions of this machine's processor.
fa_child_words fa_compile_begin(const fa_compiler *compiler, const fa_target *target);

// Adds the flags of every compilation. `sources`: the folder of fa_sources_find; `headers`: that of
// the FMI headers.
void fa_compile_flags(fa_child_words *command, const char *sources, const char *headers);

// Adds the flags of linking a library.
void fa_link_flags(fa_child_words *command, const fa_target *target);

// Returns an error with the first line of the compiler's messages in a folder.
fa_status fa_compile_failed(const fa_compiler *compiler, const char *folder, fa_error *error);

// Joins folder and name; false if the path is too long.
bool fa_path_join(char path[FA_PATH_SIZE], const char *folder, const char *name);

#endif
