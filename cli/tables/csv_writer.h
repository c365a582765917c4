// Writes a table of numbers that csv.h reads, to standard output or into a file. A file is written
// beside and renamed when complete.
#ifndef FA_CSV_WRITER_H
#define FA_CSV_WRITER_H

#include <stdio.h>

#include "files.h"

struct fa_arrays;

typedef struct fa_csv_writer {
    FILE             *stream; // standard output, a device, the caller's stream; NULL: `file`
    bool              opened; // here: it is closed here, too
    const char       *path;   // name in messages
    fa_new_file       file;
    struct fa_arrays *arrays; // a table of numbers that goes into .npy or .npz; NULL: text
    size_t            used;   // bytes of the buffer in use
    bool              begun;  // the current line has a field
    long              line;   // line number, from one
    int               column; // number of fields of the line so far
    char             *head;   // the first line, for the names of columns; NULL: out of memory
    size_t            head_size, head_room;
    fa_status         status;
    fa_error         *error; // receives the first failure
    char              buffer[1 << 16];
} fa_csv_writer;

// Creates a table at `path`; NULL or "-": standard output. After a failure all calls do nothing,
// and fa_csv_keep returns the failure. `path` and `error` must outlive the writer.
void fa_csv_create(const char *path, fa_csv_writer *writer, fa_error *error);

// The same for a table that has only numbers below its first line: a name that ends in .npy or .npz
// makes an array of records, or an array for each column (arrays.h).
void fa_csv_create_any(const char *path, fa_csv_writer *writer, fa_error *error);

// Writes into the caller's open stream, which stays open.
void fa_csv_write_to(FILE *stream, fa_csv_writer *writer, fa_error *error);

void fa_csv_put_name(fa_csv_writer *writer, const char *name);
// Writes name.part
void fa_csv_put_name_of(fa_csv_writer *writer, const char *name, const char *part);
void fa_csv_put_text(fa_csv_writer *writer, const char *text); // any text, with quotes if needed
void fa_csv_put_number(fa_csv_writer *writer, double value);   // must be finite, or the table fails
void fa_csv_put_known(fa_csv_writer *writer, double value);    // an empty field for NaN
fa_status fa_csv_end_line(fa_csv_writer *writer);

// Completes and renames the table; after a failure deletes it.
fa_status fa_csv_keep(fa_csv_writer *writer);
void      fa_csv_drop(fa_csv_writer *writer);

#endif
