// Arrays of NumPy. Records go to a temporary file; from there they are copied as a whole (.npy),
// or, transposed in blocks, column by column into an archive without compression (.npz), as
// numpy.savez writes it.
//
// The format: numpy.lib.format, versions 1.0, 2.0 (long headers) and 3.0 (UTF-8).
#include "arrays.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "files.h"
#include "interrupt.h"
#include "streams.h"

enum { STATUS_LENGTH = 6, BLOCK = 1 << 24, ALIGNMENT = 64 }; // BLOCK: bytes at once

bool fa_arrays_wanted(const char *path)
{
    const char *end = path ? strrchr(path, '.') : NULL;
    return end && (strcmp(end, ".npy") == 0 || strcmp(end, ".npz") == 0);
}

static void no_memory(fa_arrays *a)
{
    a->status = fa_fail(a->error, FA_NO_MEMORY, a->path, FA_NOWHERE,
                        "there is not enough memory for its columns");
}

static void cannot_spool(fa_arrays *a)
{
    a->status = fa_fail(a->error, FA_IO, a->path, FA_NOWHERE,
                        "cannot keep its records in a temporary file: %s",
                        errno ? strerror(errno) : "it has become shorter");
}

void fa_arrays_create(const char *path, fa_arrays *arrays, fa_error *error)
{
    *arrays = (fa_arrays){.path = path, .error = error};
    arrays->packed = strcmp(strrchr(path, '.'), ".npz") == 0;
    fa_new_file file; // whether there can be one is known before anything is computed
    arrays->status = fa_new_file_create(path, &file, error);
    if (arrays->status != FA_OK) return;
    fa_new_file_drop(&file);
    arrays->spool = tmpfile();
    if (!arrays->spool) cannot_spool(arrays);
}

static void *grown(void *old, size_t n, size_t *room, size_t size)
{
    if (n < *room) return old;
    *room = 2 * *room + 16;
    return realloc(old, *room * size);
}

void fa_arrays_add(fa_arrays *arrays, const char *name, const char *part, size_t count)
{
    fa_arrays   *a = arrays;
    const size_t length = strlen(name) + (part ? strlen(part) + 1 : 0);
    char        *copy = a->status == FA_OK ? malloc(length + 1) : NULL;
    if (a->status != FA_OK) return;
    fa_array_field *field =
        copy ? grown(a->field, a->n_fields, &a->field_room, sizeof *field) : NULL;
    if (!field) {
        free(copy);
        no_memory(a);
        return;
    }
    (void)snprintf(copy, length + 1, "%s%s%s", name, part ? "." : "", part ? part : "");
    a->field = field;
    bool shown = true;
    for (size_t i = 0; i < a->n_fields; i++) shown = shown && strcmp(field[i].name, copy) != 0;
    field[a->n_fields++] = (fa_array_field){copy, count, shown};
}

void fa_arrays_put(fa_arrays *arrays, const double number[], size_t n)
{
    if (arrays->status == FA_OK && fwrite(number, sizeof *number, n, arrays->spool) != n)
        cannot_spool(arrays);
}

void fa_arrays_end_record(fa_arrays *arrays, const char *message)
{
    fa_arrays *a = arrays;
    if (message && a->status == FA_OK) {
        const size_t      size = strlen(message) + 1;
        char             *copy = malloc(size);
        fa_array_message *of =
            copy ? grown(a->message, a->n_messages, &a->message_room, sizeof *of) : NULL;
        if (of) {
            memcpy(copy, message, size);
            a->message = of;
            of[a->n_messages++] = (fa_array_message){a->records, copy};
        } else {
            free(copy);
            no_memory(a);
        }
    }
    a->records++;
}

// ----------------------------------------------------------------------------------------- headers

typedef struct text {
    char  *at; // NULL after a failure
    size_t size, room;
    bool   failed;
} text;

static void say(text *t, const char *format, ...)
{
    for (int turn = 0; turn < 2 && !t->failed; turn++) {
        va_list arguments;
        va_start(arguments, format);
        const int n =
            vsnprintf(t->at ? t->at + t->size : NULL, t->room - t->size, format, arguments);
        va_end(arguments);
        t->failed = n < 0;
        if (n >= 0 && t->size + (size_t)n < t->room) {
            t->size += (size_t)n;
            return;
        }
        const size_t room = 2 * t->room + (size_t)(n < 0 ? 0 : n) + 256;
        char        *more = realloc(t->at, room);
        t->failed |= !more;
        if (more) {
            t->at = more;
            t->room = room;
        }
    }
}

// A name between quotes, as Python reads it.
static void say_quoted(text *t, const char *name)
{
    say(t, "'");
    for (; *name; name++) say(t, *name == '\'' || *name == '\\' ? "\\%c" : "%c", *name);
    say(t, "'");
}

static char order(void)
{
    const uint16_t one = 1;
    char           first;
    memcpy(&first, &one, 1);
    return first ? '<' : '>';
}

// The next character of UTF-8; what is none counts as one character for each byte.
static uint32_t next_character(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    const int            more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    uint32_t             c = more ? s[0] & (0x3fU >> more) : s[0];
    int                  k = 1;
    for (; k <= more && (s[k] & 0xc0) == 0x80; k++) c = c << 6 | (s[k] & 0x3fU);
    *at += k > more ? k : 1;
    return k > more ? c : s[0];
}

static size_t characters(const char *s)
{
    size_t n = 0;
    for (; *s; n++) (void)next_character(&s);
    return n;
}

// The header of an array, padded so that numbers are aligned. `type`: a dtype as Python reads it.
static text header_of(const char *type, const char *shape)
{
    text   dict = {0}, t = {0};
    bool   plain = true;
    size_t fixed = 10; // bytes before the dictionary
    say(&dict, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", type, shape);
    for (size_t i = 0; i < dict.size; i++) plain = plain && (unsigned char)dict.at[i] < 128;
    const bool big = !plain || dict.size + ALIGNMENT > 65000;
    if (big) fixed = 12;
    const size_t whole = (fixed + dict.size + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t length = whole - fixed;
    if (!dict.failed) t.at = malloc(whole);
    t.failed = !t.at;
    if (t.at) {
        const unsigned char head[12] = {0x93,
                                        'N',
                                        'U',
                                        'M',
                                        'P',
                                        'Y',
                                        plain ? big ? 2 : 1 : 3,
                                        0,
                                        length & 255,
                                        length >> 8 & 255,
                                        length >> 16 & 255,
                                        (unsigned char)(length >> 24)};
        memset(t.at, ' ', whole);
        memcpy(t.at, head, fixed);
        memcpy(t.at + fixed, dict.at, dict.size);
        t.at[whole - 1] = '\n';
        t.size = whole;
    }
    free(dict.at);
    return t;
}

// Width of the column of messages, in characters: at least one.
static size_t message_width(const fa_arrays *a)
{
    size_t width = 1;
    for (size_t i = 0; i < a->n_messages; i++) {
        const size_t n = characters(a->message[i].text);
        if (n > width) width = n;
    }
    return width;
}

// ------------------------------------------------------------------------------------------ output

// Bytes on their way into a file.
typedef struct sink {
    fa_arrays   *arrays;
    fa_new_file *file;
    char         buffer[1 << 16];
    size_t       used;
} sink;

static void flush(sink *s)
{
    fa_arrays *a = s->arrays;
    if (s->used > 0 && a->status == FA_OK)
        a->status = fa_new_file_append(s->file, s->buffer, s->used, a->error);
    s->used = 0;
}

static void write_bytes(sink *s, const void *bytes, size_t n)
{
    const char *b = bytes;
    for (size_t done = 0; done < n;) {
        if (s->used == sizeof s->buffer) flush(s);
        size_t part = sizeof s->buffer - s->used;
        if (part > n - done) part = n - done;
        memcpy(s->buffer + s->used, b + done, part);
        s->used += part;
        done += part;
    }
}

// Writes characters into `to`, with zeros behind them.
static void put_words(uint32_t to[], const char *words, size_t width)
{
    for (size_t i = 0; i < width; i++) to[i] = *words ? next_character(&words) : 0;
}

// Reads the records one after the other.
typedef struct reader {
    fa_arrays *arrays;
    size_t     each; // numbers of a record
    size_t     next_message;
    double    *number;
} reader;

static size_t numbers_of(const fa_arrays *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_fields; i++) n += a->field[i].count;
    return n;
}

// Goes to this number of the temporary file.
static void begin_reading(reader *r, uint64_t first)
{
    r->next_message = 0;
    errno = 0; // a file that ends early sets none
    if (r->arrays->status == FA_OK && !fa_stream_seek(r->arrays->spool, first * sizeof *r->number))
        cannot_spool(r->arrays);
}

// Reads the next n numbers.
static void read_numbers(reader *r, size_t n)
{
    fa_arrays *a = r->arrays;
    if (a->status == FA_OK && fread(r->number, sizeof *r->number, n, a->spool) != n)
        cannot_spool(a);
}

// Copies column k of n records of `each` numbers to its place in the file, behind `done` records.
static bool put_column(const fa_arrays *a, const fa_array_field *field, const double record[],
                       size_t each, size_t n, uint64_t done, uint64_t first, double scratch[],
                       FILE *to)
{
    const size_t count = field->count;
    for (size_t k = 0; k < n; k++)
        memcpy(scratch + k * count, record + k * each, count * sizeof *scratch);
    const uint64_t at = (first * a->records + done * count) * sizeof *scratch;
    return fa_stream_seek(to, at) && fwrite(scratch, sizeof *scratch, n * count, to) == n * count;
}

// Replaces the temporary file of records by one of columns, each with all of its records.
static void transpose(fa_arrays *a, size_t each)
{
    const size_t most = BLOCK / sizeof(double) / (each + 1) + 1;
    double      *record = malloc(most * (each + 1) * sizeof *record);
    double      *scratch = malloc(most * (each + 1) * sizeof *scratch);
    FILE        *to = tmpfile();
    bool         fine = to && fa_stream_seek(a->spool, 0);
    for (uint64_t done = 0; done < a->records && fine && record && scratch;) {
        const size_t n = a->records - done < most ? (size_t)(a->records - done) : most;
        size_t       first = 0;
        fine = fread(record, sizeof *record, n * each, a->spool) == n * each;
        for (size_t i = 0; i < a->n_fields && fine; first += a->field[i++].count)
            fine = put_column(a, &a->field[i], record + first, each, n, done, first, scratch, to);
        done += n;
    }
    if (!record || !scratch)
        no_memory(a);
    else if (!fine)
        cannot_spool(a);
    free(record);
    free(scratch);
    if (to) {
        (void)fclose(a->spool);
        a->spool = to;
    }
}

static const char *message_of(reader *r, uint64_t record)
{
    const fa_arrays *a = r->arrays;
    if (r->next_message == a->n_messages || a->message[r->next_message].record != record) return "";
    return a->message[r->next_message++].text;
}

// Returns the header of an array from the texts of its type and shape, which it frees. Without
// memory it sets the status.
static text take_header(fa_arrays *a, text *type, text *shape)
{
    text head = {.failed = true};
    if (!type->failed && !shape->failed) head = header_of(type->at, shape->at);
    if (head.failed) no_memory(a);
    free(type->at);
    free(shape->at);
    return head;
}

static void write_npy(sink *s, reader *r)
{
    fa_arrays   *a = s->arrays;
    const size_t width = message_width(a);
    text         type = {0}, shape = {0};
    say(&type, "[");
    for (size_t i = 0; i < a->n_fields; i++) {
        if (!a->field[i].shown) continue;
        say(&type, "(");
        say_quoted(&type, a->field[i].name);
        say(&type, ", '%cf8'", order());
        if (a->field[i].count != 1) say(&type, ", (%zu,)", a->field[i].count);
        say(&type, "), ");
    }
    if (a->messages)
        say(&type, "('status', '%cU%d'), ('message', '%cU%zu'), ", order(), STATUS_LENGTH, order(),
            width);
    say(&type, "]");
    say(&shape, "(%llu,)", (unsigned long long)a->records);
    text      head = take_header(a, &type, &shape);
    uint32_t *words = calloc(STATUS_LENGTH + width, sizeof *words);
    if (!words) no_memory(a);
    if (a->status == FA_OK) write_bytes(s, head.at, head.size);
    begin_reading(r, 0);
    for (uint64_t record = 0; record < a->records && a->status == FA_OK; record++) {
        read_numbers(r, r->each);
        const double *at = r->number;
        for (size_t i = 0; i < a->n_fields; at += a->field[i++].count)
            if (a->field[i].shown) write_bytes(s, at, a->field[i].count * sizeof *at);
        if (!a->messages) continue;
        const char *message = message_of(r, record);
        put_words(words, *message ? "failed" : "done", STATUS_LENGTH);
        put_words(words + STATUS_LENGTH, message, width);
        write_bytes(s, words, (STATUS_LENGTH + width) * sizeof *words);
    }
    free(words);
    free(head.at);
}

// ---------------------------------------------------------------------------------------- archives

typedef enum what { FIELD, STATUS, MESSAGE, AXIS } what;

// An array of the archive, and how far it has been read: first its header, then a piece of each
// record.
typedef struct member {
    what        kind;
    const char *name;
    size_t      first, count; // numbers of a record
    reader     *reader;
    text        head;
    char       *file_name;
    uint32_t   *words; // of a status or message
    size_t      width; // their number
    uint64_t    record;
    const char *piece;
    size_t      left; // bytes of the piece
} member;

static size_t list_members(const fa_arrays *a, member list[])
{
    size_t n = 0, first = 0;
    for (size_t i = 0; i < a->n_fields; first += a->field[i++].count)
        if (a->field[i].shown)
            list[n++] = (member){.kind = FIELD,
                                 .name = a->field[i].name,
                                 .first = first,
                                 .count = a->field[i].count};
    if (a->messages) list[n++] = (member){.kind = STATUS, .name = "status", .count = 1};
    if (a->messages) list[n++] = (member){.kind = MESSAGE, .name = "message", .count = 1};
    bool has_axis = a->axis != NULL;
    for (size_t i = 0; i < n; i++) has_axis = has_axis && strcmp(list[i].name, a->axis_name) != 0;
    if (has_axis) list[n++] = (member){.kind = AXIS, .name = a->axis_name, .count = 1};
    return n;
}

// Goes to the next piece: numbers or words of a record, or the axis as a whole.
static void next_piece(member *m)
{
    reader     *r = m->reader;
    fa_arrays  *a = r->arrays;
    const char *message;
    m->left = 0;
    if (m->record == 0) begin_reading(r, m->first * a->records);
    switch (m->kind) {
    case AXIS:
        m->piece = (const char *)a->axis;
        m->left = a->n_axis * sizeof *a->axis;
        break;
    case FIELD:
        read_numbers(r, m->count);
        m->piece = (const char *)r->number;
        m->left = m->count * sizeof *r->number;
        break;
    case STATUS:
    case MESSAGE:
        message = message_of(r, m->record);
        if (m->kind == STATUS) message = *message ? "failed" : "done";
        put_words(m->words, message, m->width);
        m->piece = (const char *)m->words;
        m->left = m->width * sizeof *m->words;
        break;
    }
    m->record++;
}

static bool read_member(void *context, void *bytes, size_t n)
{
    member    *m = context;
    fa_arrays *a = m->reader->arrays;
    char      *to = bytes;
    while (n > 0 && a->status == FA_OK) {
        if (m->left == 0) next_piece(m);
        const size_t part = m->left < n ? m->left : n;
        memcpy(to, m->piece, part);
        m->piece += part;
        m->left -= part;
        to += part;
        n -= part;
    }
    return a->status == FA_OK;
}

// Makes the header and the room of a member, and returns the stream of its bytes.
static fa_member_stream open_member(fa_arrays *a, member *m, reader *r)
{
    const bool     is_words = m->kind == STATUS || m->kind == MESSAGE;
    const uint64_t lines = m->kind == AXIS ? a->n_axis : a->records;
    const size_t   length = strlen(m->name) + sizeof ".npy";
    text           type = {0}, shape = {0};
    m->reader = r;
    m->width = m->kind == STATUS ? STATUS_LENGTH : is_words ? message_width(a) : 0;
    if (is_words)
        say(&type, "'%cU%zu'", order(), m->width);
    else
        say(&type, "'%cf8'", order());
    say(&shape, "(%llu,", (unsigned long long)lines);
    if (m->count != 1) say(&shape, " %zu", m->count);
    say(&shape, ")");
    m->head = take_header(a, &type, &shape);
    m->words = calloc(m->width + 1, sizeof *m->words);
    m->file_name = malloc(length);
    if (!m->words || !m->file_name) no_memory(a);
    if (m->file_name) (void)snprintf(m->file_name, length, "%s.npy", m->name);
    m->piece = m->head.at;
    m->left = m->head.size;
    const size_t each = is_words ? m->width * sizeof *m->words : m->count * sizeof *r->number;
    return (fa_member_stream){m->file_name, m->head.size + lines * each, read_member, m};
}

// Writes an archive; libzip asks for the members one after the other.
static void write_npz(fa_arrays *a, fa_new_file *file, reader *r)
{
    member           *list = calloc(a->n_fields + 3, sizeof *list);
    fa_member_stream *stream = calloc(a->n_fields + 3, sizeof *stream);
    size_t            n = 0;
    if (list && stream)
        n = list_members(a, list);
    else
        no_memory(a);
    for (size_t i = 0; i < n; i++) stream[i] = open_member(a, &list[i], r);
    if (a->status == FA_OK) {
        // A failure to read has left its sentence.
        const fa_status status = fa_archive_write(file, stream, n, a->error);
        if (a->status == FA_OK) a->status = status;
    }
    for (size_t i = 0; i < n; i++) {
        free(list[i].head.at);
        free(list[i].file_name);
        free(list[i].words);
    }
    free(list);
    free(stream);
}

static void write_records(reader *r, fa_new_file *file)
{
    sink *s = calloc(1, sizeof *s);
    if (!s) {
        no_memory(r->arrays);
        return;
    }
    s->arrays = r->arrays;
    s->file = file;
    write_npy(s, r);
    flush(s);
    free(s);
}

static void write_all(fa_arrays *a, fa_new_file *file)
{
    const size_t each = numbers_of(a);
    reader       r = {.arrays = a, .each = each, .number = malloc((each + 1) * sizeof *r.number)};
    if (!r.number) {
        no_memory(a);
    } else if (a->packed) {
        transpose(a, each);
        write_npz(a, file, &r);
    } else {
        write_records(&r, file);
    }
    free(r.number);
}

fa_status fa_arrays_keep(fa_arrays *arrays)
{
    fa_arrays  *a = arrays;
    fa_new_file file;
    if (a->status == FA_OK && fflush(a->spool) != 0) cannot_spool(a);
    if (a->status == FA_OK) {
        a->status = fa_new_file_create(a->path, &file, a->error);
        if (a->status == FA_OK) {
            fa_interrupt_removes(file.temporary);
            write_all(a, &file);
            if (a->status == FA_OK) a->status = fa_new_file_keep(&file, a->error);
            fa_new_file_drop(&file);
            fa_interrupt_removes(NULL);
        }
    }
    const fa_status status = a->status;
    fa_arrays_drop(a);
    return status;
}

void fa_arrays_drop(fa_arrays *arrays)
{
    for (size_t i = 0; i < arrays->n_fields; i++) free(arrays->field[i].name);
    for (size_t i = 0; i < arrays->n_messages; i++) free(arrays->message[i].text);
    free(arrays->field);
    free(arrays->message);
    if (arrays->spool) (void)fclose(arrays->spool);
    arrays->field = NULL;
    arrays->message = NULL;
    arrays->spool = NULL;
    arrays->n_fields = arrays->n_messages = 0;
}
