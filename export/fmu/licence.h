// The project's licence, which every FMU carries: the text of LICENSE, compiled in by CMake.
#ifndef FA_LICENCE_H
#define FA_LICENCE_H

extern const char fa_licence[];

#endif
