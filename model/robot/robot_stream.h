// Lines of a robot file: a key and its values, separated by single blanks. Each function writes a
// line, or reads it and insists on its key, so that writer and reader are one walk.
#ifndef FA_ROBOT_STREAM_H
#define FA_ROBOT_STREAM_H

#include "elements.h"
#include "robot.h"

typedef struct fa_stream {
    bool        writing;
    char       *out; // while writing; NULL while only measuring or comparing
    const char *in;  // while reading; while writing: what should come out, NULL: anything
    size_t      at, size;
    int         line;
    fa_status   status;
    fa_error   *error;
} fa_stream;

// Records the first failure, `what`; reading stops there.
void fa_stream_fail(fa_stream *s, const char *what);

// Returns true if the next line has this key: in reading, from the file; in writing, `said`.
bool fa_stream_has(const fa_stream *s, const char *key, bool said);

void fa_stream_key(fa_stream *s, const char *key); // a line without values
void fa_stream_text(fa_stream *s, const char *key, char value[], size_t size);
void fa_stream_integer(fa_stream *s, const char *key, int *value);
void fa_stream_flag(fa_stream *s, const char *key, bool *value);
void fa_stream_reals(fa_stream *s, const char *key, double value[], int n);
// Reads or writes numbers; the last `endless` ones are limits, which may be infinite.
void fa_stream_limits(fa_stream *s, const char *key, double value[], int n, int endless);
// Missing numbers, NaN, are written as -inf.
void fa_stream_maybe(fa_stream *s, const char *key, double value[], int n);
void fa_stream_place(fa_stream *s, const char *key, fa_transform *X);
void fa_stream_joint_type(fa_stream *s, fa_joint_type *type);

// These have a line only where the flag is set: the key alone, or the second word of a choice.
void fa_stream_if_set(fa_stream *s, const char *key, bool *value);
void fa_stream_choice(fa_stream *s, const char *key, const fa_item *item, bool *value);

#endif
