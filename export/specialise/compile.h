// Compiling the FMU's library with code for one arm in it, by the C compiler that is at hand.
#ifndef FA_COMPILE_H
#define FA_COMPILE_H

#include "compiler.h"
#include "specialise.h"

// Compiles the code in a folder of fa_workshop_open, runs it on this machine at the states of
// fa_special_trial, with every instruction set that the machine has, and compares. `sources` is the
// folder of fa_sources_find. FA_UNFIT and a sentence if it cannot be compiled or is wrong.
fa_status fa_special_try(const fa_compiler *compiler, const char *sources, const char *folder,
                         const fa_specialised *code, const fa_chain *chain, fa_error *error);

// The library for a platform that the compiler has targets for, with the code in it, in `folder`,
// which fa_special_try has used: library->path becomes its path. FA_UNFIT and a sentence if it
// cannot be compiled.
fa_status fa_special_library(const fa_compiler *compiler, const char *sources, const char *folder,
                             fa_library *library, fa_error *error);

#endif
