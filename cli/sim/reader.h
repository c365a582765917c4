// Input lines of a session, from a terminal, a script or standard input. Each line of a script or
// of standard input is echoed behind its prompt, so that the output reads like a typed session.
#ifndef FA_READER_H
#define FA_READER_H

#include <stdbool.h>
#include <stdio.h>

#include "line_editor.h"

typedef struct fa_reader {
    const char     *name; // name in messages; NULL: a terminal
    FILE           *file;
    fa_line_editor *editor; // NULL unless the input is a terminal
    bool            broken; // Ctrl-C ended the last line, which is empty
    int             line;   // number of the last line
    char           *text;
    size_t          room;
} fa_reader;

// Opens a script; NULL or "-": standard input, as a terminal if both standard input and output are
// one. Release with fa_reader_close, also after a failure. `script` must outlive the reader.
fa_status fa_reader_open(const char *script, fa_reader *reader, fa_error *error);
void      fa_reader_close(fa_reader *reader);

static inline bool fa_reader_is_terminal(const fa_reader *reader)
{
    return !reader->name;
}

// Returns the next line without its end, valid until the next call; NULL: end of input.
// `is_answer`: the line answers a question of a running command.
fa_status fa_reader_next(fa_reader *reader, const char *prompt, bool is_answer, const char **line,
                         fa_error *error);

#endif
