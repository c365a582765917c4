// Text tables: column widths, right-aligned numbers.
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "promise.h"

fa_table fa_table_new(int columns)
{
    return (fa_table){.columns = columns};
}

void fa_table_free(fa_table *table)
{
    free(table->cell);
    free(table->text);
}

// Grows the arrays for one more cell and its text.
static bool grow(fa_table *table, size_t length)
{
    if (table->n == table->room) {
        size_t  room = 2 * table->room + 64;
        size_t *cell = realloc(table->cell, room * sizeof *cell);
        if (!cell) return false;
        table->cell = cell;
        table->room = room;
    }
    if (table->text_size + length + 1 > table->text_room) {
        size_t room = 2 * table->text_room + length + 1024;
        char  *text = realloc(table->text, room);
        if (!text) return false;
        table->text = text;
        table->text_room = room;
    }
    return true;
}

void fa_table_text(fa_table *table, const char *text)
{
    size_t length = strlen(text);
    if (table->failed || !grow(table, length)) {
        table->failed = true;
        return;
    }
    table->cell[table->n++] = table->text_size;
    memcpy(table->text + table->text_size, text, length + 1);
    table->text_size += length + 1;
}

void fa_table_number(fa_table *table, double value)
{
    if (!isfinite(value) && table->not_finite == 0) table->not_finite = table->n + 1;
    table->right[table->n % (size_t)table->columns] = true;
    fa_table_text(table, fa_rounded_text(value).text);
}

void fa_table_bound(fa_table *table, double value)
{
    if (isinf(value)) {
        table->right[table->n % (size_t)table->columns] = true;
        fa_table_text(table, "-");
    } else {
        fa_table_number(table, value);
    }
}

void fa_table_rough(fa_table *table, double value)
{
    table->right[table->n % (size_t)table->columns] = true;
    fa_table_text(table, isnan(value) ? "-" : fa_rough_text(value).text);
}

// Returns the width in characters, not bytes: names are UTF-8.
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void pad(FILE *out, size_t n)
{
    while (n-- > 0) fputc(' ', out);
}

fa_status fa_table_print(const fa_table *table, FILE *out, fa_error *error)
{
    if (table->failed)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the table");
    if (table->not_finite > 0) {
        const size_t at = table->not_finite - 1, columns = (size_t)table->columns;
        return fa_promise_in_table(table->text + table->cell[at % columns], (long)(at / columns),
                                   NAN, NULL, error);
    }
    size_t columns = (size_t)table->columns, width[FA_TABLE_COLUMNS] = {0};
    for (size_t i = 0; i < table->n; i++) {
        size_t own = width_of(table->text + table->cell[i]);
        if (own > width[i % columns]) width[i % columns] = own;
    }
    for (size_t i = 0; i < table->n; i++) {
        const char *text = table->text + table->cell[i];
        size_t      column = i % columns, spaces = width[column] - width_of(text);
        bool        last = column + 1 == columns;
        if (table->right[column]) pad(out, spaces);
        fputs(text, out);
        if (!table->right[column] && !last) pad(out, spaces);
        fputs(last ? "\n" : "  ", out);
    }
    return FA_OK;
}

// Increments the decimal digits that end at text[at]; the carry goes into the zero in front of
// them.
static void count_up(char text[], size_t at)
{
    for (;; at--) {
        if (text[at] == '.') continue;
        if (text[at] != '9') break;
        text[at] = '0';
    }
    text[at]++;
}

static fa_text digits_text(double value, int digits)
{
    char text[FA_NUMBER_SIZE + 1] = "0"; // the first digit takes a carry
    if (!isfinite(value)) return fa_number_text(value);
    size_t length = 1 + fa_number_write(fabs(value), text + 1);
    int    n = 0; // number of significant digits so far
    size_t last = 0;
    bool   up = false;
    for (size_t i = 1; i < length && text[i] != 'e'; i++) {
        if (text[i] == '.' || (n == 0 && text[i] == '0')) continue;
        if (++n == digits) last = i;
        if (n == digits + 1) up = text[i] >= '5';
        if (n > digits) text[i] = '0';
    }
    if (up) count_up(text, last);
    double rounded = value;
    fa_number_read(text, length, &rounded);
    return fa_number_text(value < 0 ? -rounded : rounded);
}

fa_text fa_rounded_text(double value)
{
    return digits_text(value, 6);
}

fa_text fa_rough_text(double value)
{
    return digits_text(value, 2);
}
