// The end of each file of a source-code FMU: closes what source_begin.h opened, once in a file that
// includes itself, as code for one arm does.
#if defined(__GNUC__) && !defined(_WIN32) && !defined(FA_SOURCE_AGAIN)
#pragma GCC visibility pop
#endif
