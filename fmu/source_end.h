// The end of each file of a source-code FMU: closes what source_begin.h opened.
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
