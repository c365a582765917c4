// Line input from a terminal. With libedit (line_edit.c): editing, a history across sessions, and
// completion by the tabulator key. Without it (line_plain.c): the terminal's own editing.
#ifndef FA_LINE_EDITOR_H
#define FA_LINE_EDITOR_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_line_editor fa_line_editor;

// Opens an editor between standard input and standard output, and reads the history. Release with
// fa_line_editor_free, which saves the history. NULL: no memory, which fa_line_editor_read reports,
// or no editor is needed.
fa_line_editor *fa_line_editor_new(void);
void            fa_line_editor_free(fa_line_editor *editor);

typedef enum fa_line_end {
    FA_LINE_READ,
    FA_LINE_BROKEN, // by Ctrl-C
    FA_LINE_NONE    // by Ctrl-D
} fa_line_end;

// Reads the next line, without its end, into *text, and grows that buffer (*room bytes) as needed.
// The history excludes answers to questions.
fa_status fa_line_editor_read(fa_line_editor *editor, const char *prompt, bool is_answer,
                              char **text, size_t *room, fa_line_end *end, fa_error *error);

#endif
