// What a function that can fail gives back, and the sentence that goes with it.
#ifndef FA_STATUS_H
#define FA_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define FA_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define FA_PRINTF(text, first)
#endif

// Code, and what it means in general; the sentence in fa_error says what it means this time.
#define FA_STATUS_LIST(X)                                                                          \
    X(FA_OK, "done")                                                                               \
    X(FA_BAD_INPUT, "something in the input is wrong")                                             \
    X(FA_SINGULAR, "the equations of motion have no unique solution here")                         \
    X(FA_NOT_FINITE, "a value is not a finite number")                                             \
    X(FA_UNFIT, "the method does not cover this kind of robot")                                    \
    X(FA_NO_MEMORY, "there is not enough memory")                                                  \
    X(FA_IO, "a file could not be read or written")

typedef enum fa_status {
#define X(code, text) code,
    FA_STATUS_LIST(X)
#undef X
} fa_status;

// Where in a file something stands; line and column count from 1, 0 means unknown.
typedef struct fa_place {
    int line;
    int column;
} fa_place;

// A fault, for the person at the keyboard: one sentence, and where to look.
typedef struct fa_error {
    fa_status status;
    fa_place  place;
    char      file[512]; // empty: no file is concerned
    char      message[1024];
} fa_error;

// Receives warnings while something is read or checked. A NULL fa_log, or a NULL `warn`, drops
// them.
typedef struct fa_log {
    void (*warn)(void *context, const char *file, fa_place place, const char *sentence);
    void *context;
} fa_log;

#define FA_NOWHERE ((fa_place){0, 0})

const char *fa_status_text(fa_status status);

// Fills `error` (which may be NULL) and returns `status`, so that a caller can `return fa_fail(…)`.
// `file` may be NULL. Formats like printf, but pass numbers through fa_number_text: %g would follow
// the locale.
fa_status fa_fail(fa_error *error, fa_status status, const char *file, fa_place place,
                  const char *format, ...) FA_PRINTF(5, 6);

void fa_warn(const fa_log *log, const char *file, fa_place place, const char *format, ...)
    FA_PRINTF(4, 5);

#endif
