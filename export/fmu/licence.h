// The text of LICENSE, compiled in by CMake; every FMU contains it.
#ifndef FA_LICENCE_H
#define FA_LICENCE_H

extern const char fa_licence[];

#endif
