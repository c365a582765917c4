// Tables for people: columns as wide as what is in them, numbers to six digits and to the right.
#ifndef FA_TABLE_H
#define FA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "number.h"
#include "status.h"

#define FA_TABLE_COLUMNS 15

typedef struct fa_table {
    int     columns;
    bool    right[FA_TABLE_COLUMNS]; // columns of numbers
    size_t  n, room;                 // cells
    size_t *cell;                    // where each begins in the text
    char   *text;
    size_t  text_size, text_room;
    bool    failed;     // memory ran out; fa_table_print says so
    size_t  not_finite; // cells before the first number that is none, and one; 0: there is none
} fa_table;

// Cells come line by line; the first line is the head.
fa_table fa_table_new(int columns);
void     fa_table_text(fa_table *table, const char *text);
void     fa_table_number(fa_table *table, double value); // must be finite, or the table fails
void     fa_table_bound(fa_table *table, double value);  // "-" for an infinite one
void     fa_table_rough(fa_table *table, double value);  // two digits; "-" for NaN
void     fa_table_free(fa_table *table);

fa_status fa_table_print(const fa_table *table, FILE *out, fa_error *error);

// The nearest number with six decimal digits, as text: for people, not for other programs.
fa_text fa_rounded_text(double value);
fa_text fa_rough_text(double value); // two digits

#endif
