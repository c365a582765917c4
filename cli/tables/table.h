// Tables for people: columns fit their contents, numbers have six digits and are right-aligned.
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
    bool    right[FA_TABLE_COLUMNS]; // columns of numbers are right-aligned
    size_t  n, room;                 // number of cells, and capacity
    size_t *cell;                    // offset of each cell in the text
    char   *text;
    size_t  text_size, text_room;
    bool    failed;     // out of memory; fa_table_print reports it
    size_t  not_finite; // 1 + index of the first cell that is not finite; 0: none
} fa_table;

// Cells are added line by line; the first line is the head.
fa_table fa_table_new(int columns);
void     fa_table_text(fa_table *table, const char *text);
void     fa_table_number(fa_table *table, double value); // must be finite, or the table fails
void     fa_table_bound(fa_table *table, double value);  // "-" for infinity
void     fa_table_rough(fa_table *table, double value);  // two digits; "-" for NaN
void     fa_table_free(fa_table *table);

fa_status fa_table_print(const fa_table *table, FILE *out, fa_error *error);

// Rounds to six decimal digits, as text for people, not for other programs.
fa_text fa_rounded_text(double value);
fa_text fa_rough_text(double value); // two digits

#endif
