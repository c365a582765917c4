// Lines from somebody at a terminal: with libedit (line_edit.c) they can be edited, come back by
// the arrow keys and from one session to the next, and are completed by the tabulator key; where
// the program was built without it (line_plain.c), the terminal's own ways have to do.
#ifndef FA_LINE_EDITOR_H
#define FA_LINE_EDITOR_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_line_editor fa_line_editor;

// Between standard input and standard output. Lines of former sessions are there. Release with
// fa_line_editor_free, which keeps those of this one. NULL: there is no memory for it, which
// fa_line_editor_read will say, or no need of any.
fa_line_editor *fa_line_editor_new(void);
void            fa_line_editor_free(fa_line_editor *editor);

typedef enum fa_line_end {
    FA_LINE_READ,
    FA_LINE_BROKEN, // by Ctrl-C
    FA_LINE_NONE    // by Ctrl-D
} fa_line_end;

// The next line into *text, which it makes as large as it has to be (*room bytes), without its end.
// An answer to a question does not come back later.
fa_status fa_line_editor_read(fa_line_editor *editor, const char *prompt, bool is_answer,
                              char **text, size_t *room, fa_line_end *end, fa_error *error);

#endif
