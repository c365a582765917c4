// Text in memory, lines of any length, and the three streams of a program, by Windows.
#define WIN32_LEAN_AND_MEAN
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

// ----------------------------------------------------------------------------------------- memory

// Windows has no streams in memory. A temporary file, which stays in memory where there is room,
// takes the text, and is read when it is closed.
typedef struct text_stream {
    struct text_stream *next;
    FILE               *file;
    char              **text;
    size_t             *size;
} text_stream;

static text_stream *streams;
static SRWLOCK      lock = SRWLOCK_INIT;

FILE *fa_text_open(char **text, size_t *size)
{
    char         folder[MAX_PATH + 1], path[MAX_PATH + 1];
    text_stream *stream = malloc(sizeof *stream);
    *text = NULL;
    *size = 0;
    if (!stream) return NULL;
    const bool named =
        GetTempPathA(sizeof folder, folder) > 0 && GetTempFileNameA(folder, "fa", 0, path) != 0;
    *stream =
        (text_stream){.file = named ? fopen(path, "w+bTDN") : NULL, .text = text, .size = size};
    if (!stream->file) {
        free(stream);
        return NULL;
    }
    AcquireSRWLockExclusive(&lock);
    stream->next = streams;
    streams = stream;
    ReleaseSRWLockExclusive(&lock);
    return stream->file;
}

static text_stream *take(const FILE *file)
{
    AcquireSRWLockExclusive(&lock);
    text_stream **at = &streams;
    while (*at && (*at)->file != file) at = &(*at)->next;
    text_stream *found = *at;
    if (found) *at = found->next;
    ReleaseSRWLockExclusive(&lock);
    return found;
}

bool fa_text_close(FILE *file)
{
    text_stream *stream = take(file);
    bool good = stream && !ferror(file) && fflush(file) == 0 && _fseeki64(file, 0, SEEK_END) == 0;
    const int64_t n = good ? _ftelli64(file) : -1;
    char         *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
    good = text != NULL;
    if (good) {
        rewind(file);
        good = fread(text, 1, (size_t)n, file) == (size_t)n;
        text[n] = '\0';
        *stream->text = text;
        *stream->size = (size_t)n;
    }
    free(stream);
    return fclose(file) == 0 && good;
}

// ------------------------------------------------------------------------------------------ lines

ptrdiff_t fa_line_read(char **line, size_t *room, FILE *file)
{
    size_t n = 0;
    if (!*line) *room = 0;
    SetLastError(ERROR_SUCCESS);
    for (;;) {
        const int c = _getc_nolock(file);
        if (c == EOF) break;
        if (n + 2 > *room) {
            const size_t larger = 2 * *room + 256;
            char        *text = realloc(*line, larger);
            if (!text) {
                errno = ENOMEM;
                return -1;
            }
            *line = text;
            *room = larger;
        }
        (*line)[n++] = (char)c;
        if (c == '\n') break;
    }
    // Ctrl-C ends the read of a console with nothing, as the end of a file does.
    if (n == 0 && GetLastError() == ERROR_OPERATION_ABORTED) errno = EINTR;
    if (n == 0 || ferror(file)) return -1;
    (*line)[n] = '\0';
    return (ptrdiff_t)n;
}

// ------------------------------------------------------------------------------- standard streams

// Colours and moves of the cursor, which a console shows on demand.
static void show_colours(DWORD which)
{
    DWORD        mode;
    const HANDLE console = GetStdHandle(which);
    if (GetConsoleMode(console, &mode))
        (void)SetConsoleMode(console,
                             mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool fa_stream_seek(FILE *file, uint64_t at)
{
    return _fseeki64(file, (__int64)at, SEEK_SET) == 0;
}

void fa_streams_begin(void)
{
    (void)_set_fmode(_O_BINARY);
    for (int handle = 0; handle < 3; handle++) (void)_setmode(handle, _O_BINARY);
    (void)SetConsoleCP(CP_UTF8);
    (void)SetConsoleOutputCP(CP_UTF8);
    show_colours(STD_OUTPUT_HANDLE);
    show_colours(STD_ERROR_HANDLE);
}
