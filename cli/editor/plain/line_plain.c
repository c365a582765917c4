// Line input of the session without libedit: the terminal's own editing.
#include <errno.h>
#include <stdlib.h>

#include "line_editor.h"
#include "streams.h"

fa_line_editor *fa_line_editor_new(void)
{
    return NULL;
}

void fa_line_editor_free(fa_line_editor *editor)
{
    (void)editor;
}

fa_status fa_line_editor_read(fa_line_editor *editor, const char *prompt, bool is_answer,
                              char **text, size_t *room, fa_line_end *end, fa_error *error)
{
    (void)editor;
    (void)is_answer;
    fputs(prompt, stdout);
    (void)fflush(stdout);
    errno = 0;
    const ptrdiff_t length = fa_line_read(text, room, stdin);
    *end = length >= 0 ? FA_LINE_READ : errno == EINTR ? FA_LINE_BROKEN : FA_LINE_NONE;
    if (length > 0 && (*text)[length - 1] == '\n') (*text)[length - 1] = '\0';
    if (length >= 0) return FA_OK;
    clearerr(stdin);
    putchar('\n');
    if (errno != ENOMEM) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the line");
}
