// Text in memory and lines of any length, by POSIX.
#define _XOPEN_SOURCE 700
#include "streams.h"

FILE *fa_text_open(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    return open_memstream(text, size);
}

bool fa_text_close(FILE *stream)
{
    const bool written = ferror(stream) == 0;
    return fclose(stream) == 0 && written;
}

ptrdiff_t fa_line_read(char **line, size_t *room, FILE *file)
{
    return getline(line, room, file);
}

bool fa_stream_seek(FILE *file, uint64_t at)
{
    return fseeko(file, (off_t)at, SEEK_SET) == 0;
}

void fa_streams_begin(void)
{
}
