// Compiles the FMU's library with specialised code for one arm, by the C compiler of this machine.
#ifndef FA_COMPILE_H
#define FA_COMPILE_H

#include "compiler.h"
#include "specialise.h"

// Compiles the code in a folder of fa_workshop_open, runs it on this machine at the states of
// fa_special_trial, with every supported instruction set, and compares the results. `sources` is
// the folder of fa_sources_find. FA_UNFIT and a message if it does not compile or computes wrong
// results.
fa_status fa_special_try(const fa_compiler *compiler, const char *sources, const char *folder,
                         const fa_specialised *code, const fa_chain *chain, fa_error *error);

// Compiles the library with this code for a platform of the compiler, in `folder`, after
// fa_special_try: library->path becomes its path. FA_UNFIT and a message if it does not compile.
fa_status fa_special_library(const fa_compiler *compiler, const char *sources, const char *folder,
                             fa_library *library, fa_error *error);

#endif
