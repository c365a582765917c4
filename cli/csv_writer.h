// Writes a table of numbers that csv.h reads: to standard output, or into a file that gets its name
// when it is complete.
#ifndef FA_CSV_WRITER_H
#define FA_CSV_WRITER_H

#include <stdio.h>

#include "files.h"

typedef struct fa_csv_writer {
    FILE       *stream; // standard output, or something else that is no file; NULL: `file`
    const char *path;   // as messages name it
    fa_new_file file;
    size_t      used;   // of the buffer
    bool        begun;  // the line has a field
    long        line;   // counted from one
    int         column; // of the line: fields so far
    char       *head;   // the first line, to name columns by; NULL: there was no memory
    size_t      head_size, head_room;
    fa_status   status;
    fa_error   *error; // where the first failure is told
    char        buffer[1 << 16];
} fa_csv_writer;

// `path` NULL or "-": standard output. After a failure everything else does nothing, and
// fa_csv_keep tells. `path` and `error` must live until then.
void fa_csv_create(const char *path, fa_csv_writer *writer, fa_error *error);

// Into a stream that the caller has opened, and that is closed with the table.
void fa_csv_write_to(FILE *stream, fa_csv_writer *writer, fa_error *error);

void fa_csv_put_name(fa_csv_writer *writer, const char *name);
void fa_csv_put_name_of(fa_csv_writer *writer, const char *name, const char *part); // name.part
void fa_csv_put_text(fa_csv_writer *writer, const char *text); // any, in quotes if need be
void fa_csv_put_number(fa_csv_writer *writer, double value);   // must be finite, or the table fails
void fa_csv_put_known(fa_csv_writer *writer, double value);    // nothing for NaN
fa_status fa_csv_end_line(fa_csv_writer *writer);

// Completes the table, or leaves none.
fa_status fa_csv_keep(fa_csv_writer *writer);
void      fa_csv_drop(fa_csv_writer *writer);

#endif
