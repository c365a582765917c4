// Writes reference results with one column per array variable.
#include "array_results.h"

#include <stdlib.h>
#include <string.h>

// A field of a line, between commas.
typedef struct field {
    const char *text;
    size_t      size;
} field;

static bool is_shown(const fa_variable *variable)
{
    return variable->role == FA_STATE || variable->role == FA_OUTPUT;
}

static void put(char **end, const char *text, size_t size)
{
    memcpy(*end, text, size);
    *end += size;
}

// Splits a line into time and further fields; returns the beginning of the next line.
static const char *cut(const char *line, field fields[], int n)
{
    for (int i = 0; i < n; i++) {
        const size_t size = strcspn(line, ",\n");
        fields[i] = (field){line, size};
        line += size;
        if (*line == ',') line++;
    }
    line += strcspn(line, "\n");
    return *line == '\n' ? line + 1 : line;
}

// Writes the elements of each array from the scalars' fields; 0 for elements without a variable.
static void put_line(char **end, const field fields[], const int column[],
                     const fa_variables *table, const fa_view *view)
{
    put(end, fields[0].text, fields[0].size);
    for (int v = 0; v < view->n; v++) {
        if (!is_shown(&view->variable[v])) continue;
        for (int k = 0; k < view->extent[v].n; k++) {
            const int cell = view->cell[view->extent[v].first + k];
            put(end, k == 0 ? "," : " ", 1);
            if (cell < table->n)
                put(end, fields[column[cell]].text, fields[column[cell]].size);
            else
                put(end, "0", 1);
        }
    }
    put(end, "\n", 1);
}

fa_status fa_array_results(const char *results, size_t size, const fa_variables *table,
                           const fa_view *view, char **text, size_t *text_size, fa_error *error)
{
    size_t lines = 1, names = sizeof "time\n";
    for (size_t i = 0; i < size; i++) lines += results[i] == '\n';
    for (int v = 0; v < view->n; v++) names += strlen(view->variable[v].name) + 1;
    // Upper bound: each element adds at most a separator and a 0 to the fields.
    const size_t room = size + names + lines * 2 * (size_t)view->n_elements + 1;
    int         *column = malloc((size_t)table->n * sizeof *column);
    field       *fields = malloc(((size_t)table->n + 1) * sizeof *fields);
    char        *out = malloc(room), *end = out, *whole = malloc(size + 1);
    if (!column || !fields || !out || !whole) {
        free(column);
        free(fields);
        free(out);
        free(whole);
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the FMU's references");
    }
    memcpy(whole, results, size);
    whole[size] = '\0';
    int columns = 1; // including time
    for (int row = 0; row < table->n; row++)
        column[row] = is_shown(&table->row[row]) ? columns++ : 0;

    put(&end, "time", 4);
    for (int v = 0; v < view->n; v++) {
        if (!is_shown(&view->variable[v])) continue;
        put(&end, ",", 1);
        put(&end, view->variable[v].name, strlen(view->variable[v].name));
    }
    put(&end, "\n", 1);
    for (const char *line = cut(whole, fields, columns); *line;) {
        line = cut(line, fields, columns);
        put_line(&end, fields, column, table, view);
    }
    free(column);
    free(fields);
    free(whole);
    *text = out;
    *text_size = (size_t)(end - out);
    return FA_OK;
}
