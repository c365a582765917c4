// Tables of numbers as text (CSV, RFC 4180): the first line names the columns. Commas separate,
// points are decimal, in every locale. A byte order mark, CRLF, spaces around fields, quotes and
// empty lines are taken as they come.
#ifndef FA_CSV_H
#define FA_CSV_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

typedef struct fa_csv {
    const char *path; // as messages name it
    FILE       *file;
    char       *text; // the current line, with zeros behind its fields
    size_t      room;
    int         line;  // its number
    double      read;  // bytes so far …
    double      size;  // … and of the file, NAN where that is no file
    int         n;     // columns
    char      **name;  // n of them
    fa_place   *place; // where each field of the current line begins
} fa_csv;

// Opens a table, "-" for standard input, and reads its names. Release with fa_csv_close, also after
// a failure. `path` must live until then.
fa_status fa_csv_open(const char *path, fa_csv *csv, fa_error *error);
// The same for a file that is open; it is the table's from then on. `path` is for messages.
fa_status fa_csv_begin(FILE *file, const char *path, fa_csv *csv, fa_error *error);
void      fa_csv_close(fa_csv *csv);

// Reads the next line into value[n]; *more is false, and value untouched, when there is none.
fa_status fa_csv_next(fa_csv *csv, double value[], bool *more, fa_error *error);

// How much of the file has been read, from 0 to 1; NAN where nobody knows.
double fa_csv_share(const fa_csv *csv);

#endif
