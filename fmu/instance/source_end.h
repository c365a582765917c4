// Suffix of each file of a source-code FMU: closes the pragmas of source_begin.h; only once for a
// file that includes itself, as specialised code does.
#if defined(__GNUC__) && !defined(_WIN32) && !defined(FA_SOURCE_AGAIN)
#pragma GCC visibility pop
#endif
