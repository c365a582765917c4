// Tables of numbers as text (CSV, RFC 4180): the first line names the columns. Commas separate,
// points are decimal, in every locale. The reader accepts a byte order mark, CRLF, spaces around
// fields, quotes and empty lines.
#ifndef FA_CSV_H
#define FA_CSV_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_csv {
    const char *path; // name in messages
    FILE       *file;
    char       *text; // the current line; zeros end its fields
    size_t      room;
    int         line;  // number of the current line
    double      read;  // bytes read
    double      size;  // bytes of the file, NAN if it is not a regular file
    int         n;     // number of columns
    char      **name;  // their names
    fa_place   *place; // place of each field of the current line
} fa_csv;

// Opens a table, "-" for standard input, and reads its names. Release with fa_csv_close, also after
// a failure. `path` must live until then.
fa_status fa_csv_open(const char *path, fa_csv *csv, fa_error *error);
// Reads from an open file, which the table closes. `path` is for messages.
fa_status fa_csv_begin(FILE *file, const char *path, fa_csv *csv, fa_error *error);
void      fa_csv_close(fa_csv *csv);

// Reads the next line into value[n]; *more is false, and value untouched, when there is none.
fa_status fa_csv_next(fa_csv *csv, double value[], bool *more, fa_error *error);

// Returns the share of the file that has been read, from 0 to 1; NAN if the size is unknown.
double fa_csv_share(const fa_csv *csv);

#endif
