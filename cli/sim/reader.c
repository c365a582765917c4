// Reads session lines from a terminal, a script or a pipe.
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "break.h"
#include "terminal.h"

fa_status fa_reader_open(const char *script, fa_reader *reader, fa_error *error)
{
    bool standard = !script || strcmp(script, "-") == 0;
    *reader = (fa_reader){.name = standard ? "standard input" : script,
                          .file = standard ? stdin : fopen(script, "rb")};
    if (!reader->file)
        return fa_fail(error, FA_IO, script, FA_NOWHERE, "it cannot be opened: %s",
                       strerror(errno));
    if (script || !fa_is_terminal(stdin) || !fa_is_terminal(stdout)) return FA_OK;
    reader->name = NULL;
    reader->editor = fa_line_editor_new();
    return FA_OK;
}

void fa_reader_close(fa_reader *reader)
{
    if (reader->file && reader->file != stdin) (void)fclose(reader->file);
    fa_line_editor_free(reader->editor);
    free(reader->text);
    *reader = (fa_reader){.name = NULL};
}

static bool grow(fa_reader *reader, size_t length)
{
    if (length < reader->room) return true;
    size_t room = 2 * reader->room + 256;
    char  *text = realloc(reader->text, room);
    if (!text) return false;
    reader->text = text;
    reader->room = room;
    return true;
}

static fa_status no_memory(const fa_reader *reader, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, reader->name, (fa_place){reader->line, 0},
                   "there is not enough memory for the line");
}

// Reads a typed line. Ctrl-C cancels it; later, it interrupts the command.
static fa_status next_typed(fa_reader *reader, const char *prompt, bool is_answer,
                            const char **line, fa_error *error)
{
    fa_line_end end = FA_LINE_NONE;
    fa_break_hold(true);
    fa_status status = fa_line_editor_read(reader->editor, prompt, is_answer, &reader->text,
                                           &reader->room, &end, error);
    fa_break_hold(false);
    reader->broken = end == FA_LINE_BROKEN;
    *line = end == FA_LINE_READ ? reader->text : reader->broken ? "" : NULL;
    if (fa_break_hung_up()) *line = NULL; // the terminal has hung up
    return status;
}

fa_status fa_reader_next(fa_reader *reader, const char *prompt, bool is_answer, const char **line,
                         fa_error *error)
{
    const fa_place here = {++reader->line, 0};
    size_t         length = 0;
    int            c;
    *line = NULL;
    if (fa_reader_is_terminal(reader)) return next_typed(reader, prompt, is_answer, line, error);
    while ((c = getc(reader->file)) != EOF && c != '\n') {
        if (c == 0)
            return fa_fail(error, FA_BAD_INPUT, reader->name, here,
                           "there is a zero byte in it, so it is no text");
        if (!grow(reader, length)) return no_memory(reader, error);
        reader->text[length++] = (char)c;
    }
    if (ferror(reader->file))
        return fa_fail(error, FA_IO, reader->name, FA_NOWHERE, "it cannot be read: %s",
                       strerror(errno));
    if (c == EOF && length == 0) return FA_OK;
    if (!grow(reader, length)) return no_memory(reader, error);
    if (length > 0 && reader->text[length - 1] == '\r') length--;
    reader->text[length] = '\0';
    *line = reader->text;
    printf("%s%s\n", prompt, reader->text + strspn(reader->text, " \t"));
    return FA_OK;
}
