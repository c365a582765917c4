// Streams: text in memory, lines of any length, the three that a program begins with.
#ifndef FA_STREAMS_H
#define FA_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Opens a stream whose text is in memory when fa_text_close has closed it; NULL: no memory. Release
// *text with free(), also if closing failed; a zero that *size does not count follows it.
FILE *fa_text_open(char **text, size_t *size);
bool  fa_text_close(FILE *stream); // false: something was not written

// Reads a line with its end into *line, which grows; returns its bytes, or -1 at the end of the
// file and on failure (errno). Release *line with free().
ptrdiff_t fa_line_read(char **line, size_t *room, FILE *file);

// Goes to this byte of a file, which may be larger than a `long` tells. False: errno.
bool fa_stream_seek(FILE *file, uint64_t at);

// Prepares standard input and output, before anything else: bytes go through as they are, and a
// console shows UTF-8 and colours.
void fa_streams_begin(void);

#endif
