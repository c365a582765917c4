// CSV reader: streaming, with line and column of every error.
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "number.h"
#include "paths.h"
#include "streams.h"

#define SHOWN 40 // longest part of a field in a message [bytes]

#define FAIL(csv, place, ...) fa_fail(error, FA_BAD_INPUT, (csv)->path, place, __VA_ARGS__)

static fa_status no_memory(const fa_csv *csv, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, csv->path, FA_NOWHERE,
                   "there is not enough memory to read it");
}

// ---------------------------------------------------------------------------------------- lines

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Reads the next line that is not empty, without its end; *more is false at the end of the file.
static fa_status next_line(fa_csv *csv, bool *more, fa_error *error)
{
    for (;;) {
        errno = 0;
        ptrdiff_t length = fa_line_read(&csv->text, &csv->room, csv->file);
        *more = length >= 0;
        if (length < 0 && feof(csv->file)) return FA_OK;
        if (length < 0 && errno == ENOMEM) return no_memory(csv, error);
        if (length < 0)
            return fa_fail(error, FA_IO, csv->path, FA_NOWHERE, "cannot read it: %s",
                           strerror(errno));
        csv->line++;
        csv->read += (double)length;
        if (strlen(csv->text) != (size_t)length)
            return FAIL(csv, ((fa_place){csv->line, 0}),
                        "this line has a NUL character, so it is no text; save the table as CSV in "
                        "UTF-8");
        while (length > 0 && is_blank(csv->text[length - 1])) csv->text[--length] = '\0';
        if (length > 0) return FA_OK;
    }
}

// --------------------------------------------------------------------------------------- fields

// Returns the number of UTF-8 characters; columns in messages count characters, not bytes.
static int characters(const char *from, const char *to)
{
    int n = 0;
    for (; from < to; from++) n += ((unsigned char)*from & 0xC0) != 0x80;
    return n;
}

// The unread rest of a line.
typedef struct fields {
    char *at;     // beginning of the next field; NULL: the last one has been read
    int   column; // column of `at`
} fields;

static char *closing_quote(char *begin)
{
    char *c = strchr(begin + 1, '"');
    while (c && c[1] == '"') c = strchr(c + 2, '"');
    return c;
}

// Ends the text at `end`, and replaces doubled quotes by single ones.
static void unquote(char *text, const char *end)
{
    char *to = text;
    for (const char *from = text; from < end; from++) {
        if (*from == '"') from++;
        *to++ = *from;
    }
    *to = '\0';
}

// Splits the next field off the line.
static fa_status next_field(const fa_csv *csv, fields *f, char **field, fa_place *place,
                            fa_error *error)
{
    char *begin = f->at + strspn(f->at, " \t");
    f->column += (int)(begin - f->at);
    *place = (fa_place){csv->line, f->column};
    bool  quoted = *begin == '"';
    char *close = quoted ? closing_quote(begin) : NULL;
    if (quoted && !close)
        return FAIL(csv, *place, "a quote begins here and does not end in this line");
    char *end = quoted ? close + 1 + strspn(close + 1, " \t") : begin + strcspn(begin, ",");
    if (quoted && *end && *end != ',')
        return FAIL(csv, *place, "something follows the quotes; put a comma between two fields");
    f->column += characters(begin, end) + (*end == ',');
    f->at = *end ? end + 1 : NULL;

    *field = quoted ? begin + 1 : begin;
    if (quoted) {
        unquote(begin + 1, close);
    } else {
        while (end > begin && is_blank(end[-1])) end--;
        *end = '\0';
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------ first line

static fa_status check_names(const fa_csv *csv, fa_error *error)
{
    fa_names names;
    if (!fa_names_new(&names, csv->n)) return no_memory(csv, error);
    fa_status status = FA_OK;
    for (int i = 0; i < csv->n && status == FA_OK; i++) {
        int same = fa_names_add(&names, csv->name[i], i);
        if (!csv->name[i][0])
            status = FAIL(csv, csv->place[i], "column %d has no name; give it one", i + 1);
        else if (same >= 0)
            status = FAIL(csv, csv->place[i], "two columns are called '%s'; leave one out",
                          csv->name[i]);
    }
    fa_names_free(&names);
    return status;
}

static fa_status read_names(fa_csv *csv, fa_error *error)
{
    bool      more;
    fa_status status = next_line(csv, &more, error);
    if (status != FA_OK) return status;
    if (!more)
        return FAIL(csv, FA_NOWHERE, "the table is empty; its first line must name the columns");
    static const char mark[] = "\xEF\xBB\xBF"; // UTF-8 byte order mark, which spreadsheets write
    char             *begin = csv->text;
    if (strncmp(begin, mark, strlen(mark)) == 0) begin += strlen(mark);
    if (!strchr(begin, ',') && strpbrk(begin, ";\t"))
        return FAIL(csv, ((fa_place){csv->line, 0}),
                    "the columns of this table are separated by %s; save it with commas between "
                    "them and points in numbers",
                    strchr(begin, ';') ? "semicolons" : "tabs");

    size_t room = 1;
    for (const char *c = begin; *c; c++) room += *c == ',';
    csv->name = calloc(room, sizeof *csv->name);
    csv->place = calloc(room, sizeof *csv->place);
    if (!csv->name || !csv->place) return no_memory(csv, error);
    for (fields f = {begin, 1}; f.at; csv->n++) {
        char *name;
        status = next_field(csv, &f, &name, &csv->place[csv->n], error);
        if (status != FA_OK) return status;
        csv->name[csv->n] = malloc(strlen(name) + 1);
        if (!csv->name[csv->n]) return no_memory(csv, error);
        strcpy(csv->name[csv->n], name);
    }
    return check_names(csv, error);
}

fa_status fa_csv_begin(FILE *file, const char *path, fa_csv *csv, fa_error *error)
{
    *csv = (fa_csv){.path = path, .file = file, .size = fa_file_size(file)};
    return read_names(csv, error);
}

fa_status fa_csv_open(const char *path, fa_csv *csv, fa_error *error)
{
    bool  standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    *csv = (fa_csv){.path = path};
    if (!file)
        return fa_fail(error, FA_IO, path, FA_NOWHERE, "cannot open it: %s", strerror(errno));
    return fa_csv_begin(file, standard ? "standard input" : path, csv, error);
}

void fa_csv_close(fa_csv *csv)
{
    for (int i = 0; csv->name && i < csv->n; i++) free(csv->name[i]);
    free(csv->name);
    free(csv->place);
    free(csv->text);
    if (csv->file && csv->file != stdin) (void)fclose(csv->file);
}

// ----------------------------------------------------------------------------------- other lines

static fa_status read_number(const fa_csv *csv, int column, const char *field, double *value,
                             fa_error *error)
{
    const char *name = csv->name[column];
    fa_place    place = csv->place[column];
    size_t      length = strlen(field);
    if (length == 0) return FAIL(csv, place, "column '%s' is empty here; write a number", name);
    if (fa_number_read(field, length, value) != length)
        return FAIL(csv, place,
                    "'%.*s' in column '%s' is not a number; write one such as 1.5 or -2e-3", SHOWN,
                    field, name);
    if (!isfinite(*value))
        return FAIL(csv, place, "'%.*s' in column '%s' is larger than any number of the machine",
                    SHOWN, field, name);
    return FA_OK;
}

fa_status fa_csv_next(fa_csv *csv, double value[], bool *more, fa_error *error)
{
    fa_status status = next_line(csv, more, error);
    if (status != FA_OK || !*more) return status;
    int n = 0;
    for (fields f = {csv->text, 1}; f.at; n++) {
        char    *field;
        fa_place place;
        status = next_field(csv, &f, &field, &place, error);
        if (status != FA_OK) return status;
        if (n == csv->n)
            return FAIL(csv, place,
                        "this line has more fields than the table has columns (%d); commas "
                        "separate fields, and numbers have a point",
                        csv->n);
        csv->place[n] = place;
        status = read_number(csv, n, field, &value[n], error);
        if (status != FA_OK) return status;
    }
    if (n < csv->n)
        return FAIL(csv, ((fa_place){csv->line, 0}),
                    "this line has %d field%s, and the table %d columns; write a number in each", n,
                    n == 1 ? "" : "s", csv->n);
    return FA_OK;
}

double fa_csv_share(const fa_csv *csv)
{
    return csv->read / csv->size;
}
