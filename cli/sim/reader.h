// Where the lines of a session come from: somebody at a terminal, a script, or standard input. Of
// the latter two every line is shown behind its prompt, without blanks in front, so that what comes
// out reads like a session that was typed.
#ifndef FA_READER_H
#define FA_READER_H

#include <stdbool.h>
#include <stdio.h>

#include "line_editor.h"

typedef struct fa_reader {
    const char     *name; // as messages name it; NULL: a terminal
    FILE           *file;
    fa_line_editor *editor; // of a terminal
    bool            broken; // Ctrl-C has ended the last line, which is empty then
    int             line;   // number of the last one
    char           *text;
    size_t          room;
} fa_reader;

// `script` NULL or "-": standard input, and a terminal if that and standard output are one. Release
// with fa_reader_close, also after a failure. `script` must live until then.
fa_status fa_reader_open(const char *script, fa_reader *reader, fa_error *error);
void      fa_reader_close(fa_reader *reader);

static inline bool fa_reader_is_terminal(const fa_reader *reader)
{
    return !reader->name;
}

// The next line, without its end, until the next call; NULL: there is none. What is asked for in
// the middle of a command is an answer.
fa_status fa_reader_next(fa_reader *reader, const char *prompt, bool is_answer, const char **line,
                         fa_error *error);

#endif
