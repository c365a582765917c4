// Arrays of NumPy. Records go to a temporary file; from there they are copied as a whole (.npy), or
// column by column into an archive without compression (.npz), as numpy.savez writes it.
//
// The formats: numpy.lib.format, versions 1.0, 2.0 (long headers) and 3.0 (UTF-8); APPNOTE.TXT of
// ZIP 6.3.10, with the fields of 64 bits where sizes need them.
#include "arrays.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "interrupt.h"

enum { STATUS_LENGTH = 6, SMALL_RECORD = 1 << 16, ALIGNMENT = 64 };

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

// Where bytes go: into a file, or nowhere; their checksum and number are kept.
typedef struct sink {
    fa_arrays   *arrays;
    fa_new_file *file; // NULL: nowhere
    char         buffer[1 << 16];
    size_t       used;
    uint32_t     table[256], sum;
    uint64_t     size; // of all that was written since it was set to zero
} sink;

static void begin_sums(sink *s)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320U ^ c >> 1 : c >> 1;
        s->table[i] = c;
    }
}

static void flush(sink *s)
{
    fa_arrays *a = s->arrays;
    if (s->file && s->used > 0 && a->status == FA_OK)
        a->status = fa_new_file_append(s->file, s->buffer, s->used, a->error);
    s->used = 0;
}

static void write_bytes(sink *s, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++) s->sum = s->table[(s->sum ^ b[i]) & 255] ^ s->sum >> 8;
    s->size += n;
    for (size_t done = 0; done < n && s->file;) {
        if (s->used == sizeof s->buffer) flush(s);
        size_t part = sizeof s->buffer - s->used;
        if (part > n - done) part = n - done;
        memcpy(s->buffer + s->used, b + done, part);
        s->used += part;
        done += part;
    }
}

static void write_text(sink *s, const char *words, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const uint32_t c = *words ? next_character(&words) : 0;
        write_bytes(s, &c, sizeof c);
    }
}

// Reads the records one after the other; of a large one only the numbers that are asked for.
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

static void begin_reading(reader *r)
{
    r->next_message = 0;
    errno = 0; // a file that ends early sets none
    if (r->arrays->status == FA_OK && fseek(r->arrays->spool, 0, SEEK_SET) != 0)
        cannot_spool(r->arrays);
}

// Reads numbers first … first + n - 1 of the next record, and skips the others.
static void read_record(reader *r, size_t first, size_t n)
{
    fa_arrays *a = r->arrays;
    const bool small = r->each * sizeof *r->number <= SMALL_RECORD;
    bool       fine = a->status == FA_OK;
    if (!fine) return;
    if (small) {
        fine = fread(r->number, sizeof *r->number, r->each, a->spool) == r->each;
    } else {
        const long before = (long)(first * sizeof *r->number);
        const long after = (long)((r->each - first - n) * sizeof *r->number);
        fine = fseek(a->spool, before, SEEK_CUR) == 0 &&
               fread(r->number + first, sizeof *r->number, n, a->spool) == n &&
               fseek(a->spool, after, SEEK_CUR) == 0;
    }
    if (!fine) cannot_spool(a);
}

static const char *message_of(reader *r, uint64_t record)
{
    const fa_arrays *a = r->arrays;
    if (r->next_message == a->n_messages || a->message[r->next_message].record != record) return "";
    return a->message[r->next_message++].text;
}

static void write_status(sink *s, const char *message, size_t width)
{
    write_text(s, *message ? "failed" : "done", STATUS_LENGTH);
    write_text(s, message, width);
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
    text head = {.failed = true};
    if (!type.failed && !shape.failed) head = header_of(type.at, shape.at);
    if (head.failed)
        no_memory(a);
    else
        write_bytes(s, head.at, head.size);
    begin_reading(r);
    for (uint64_t record = 0; record < a->records && a->status == FA_OK; record++) {
        read_record(r, 0, r->each);
        const double *at = r->number;
        for (size_t i = 0; i < a->n_fields; at += a->field[i++].count)
            if (a->field[i].shown) write_bytes(s, at, a->field[i].count * sizeof *at);
        if (a->messages) write_status(s, message_of(r, record), width);
    }
    free(type.at);
    free(shape.at);
    free(head.at);
}

// ---------------------------------------------------------------------------------------- archives

typedef enum what { FIELD, STATUS, MESSAGE, AXIS } what;

// An array of the archive.
typedef struct member {
    what        kind;
    const char *name;
    size_t      first, count; // numbers of a record
    uint32_t    sum;
    uint64_t    size, at;
} member;

static void write_member(sink *s, reader *r, const member *m)
{
    fa_arrays   *a = s->arrays;
    const size_t width = m->kind == STATUS ? STATUS_LENGTH : message_width(a);
    text         type = {0}, shape = {0};
    if (m->kind == FIELD || m->kind == AXIS)
        say(&type, "'%cf8'", order());
    else
        say(&type, "'%cU%zu'", order(), width);
    say(&shape, "(%llu,", (unsigned long long)(m->kind == AXIS ? a->n_axis : a->records));
    if (m->count != 1) say(&shape, " %zu", m->count);
    say(&shape, ")");
    text head = {.failed = true};
    if (!type.failed && !shape.failed) head = header_of(type.at, shape.at);
    if (head.failed)
        no_memory(a);
    else
        write_bytes(s, head.at, head.size);
    begin_reading(r);
    if (m->kind == AXIS) write_bytes(s, a->axis, a->n_axis * sizeof *a->axis);
    for (uint64_t record = 0; record < a->records && m->kind != AXIS && a->status == FA_OK;
         record++) {
        if (m->kind == FIELD) {
            read_record(r, m->first, m->count);
            write_bytes(s, r->number + m->first, m->count * sizeof *r->number);
        } else {
            const char *message = message_of(r, record);
            write_text(s, m->kind == MESSAGE ? message : *message ? "failed" : "done", width);
        }
    }
    free(type.at);
    free(shape.at);
    free(head.at);
}

static void put(sink *s, int bytes, uint64_t value)
{
    unsigned char b[8];
    for (int k = 0; k < bytes; k++) b[k] = (unsigned char)(value >> 8 * k);
    write_bytes(s, b, (size_t)bytes);
}

// The mark in fields of 32 bits that are too small; and sizes from which they are.
#define ALL_ONES 0xffffffffU
#ifndef FA_FAR
#define FA_FAR ALL_ONES
#endif

// A header of a member: the one in front of it, or that of the directory at the end.
static void write_header(sink *s, const member *m, bool directory)
{
    const bool     far = m->at >= FA_FAR || m->size >= FA_FAR;
    const uint32_t size = far ? ALL_ONES : (uint32_t)m->size;
    const int      extra = !far ? 0 : directory ? 28 : 20;
    put(s, 4, directory ? 0x02014b50 : 0x04034b50);
    if (directory) put(s, 2, 45); // made by
    put(s, 2, far ? 45 : 20);     // version that it takes
    put(s, 2, 1 << 11);           // names are UTF-8
    put(s, 2, 0);                 // no compression
    put(s, 4, 33 << 16);          // 1 January 1980, so that equal results are equal files
    put(s, 4, m->sum);
    put(s, 4, size);
    put(s, 4, size);
    put(s, 2, strlen(m->name) + 4);
    put(s, 2, (uint64_t)extra);
    if (directory) {
        put(s, 2, 0); // no comment
        put(s, 2, 0); // first disk
        put(s, 2, 0);
        put(s, 4, 0);
        put(s, 4, far ? ALL_ONES : m->at);
    }
    write_bytes(s, m->name, strlen(m->name));
    write_bytes(s, ".npy", 4);
    if (!far) return;
    put(s, 2, 1); // sizes of 64 bits
    put(s, 2, (uint64_t)extra - 4);
    put(s, 8, m->size);
    put(s, 8, m->size);
    if (directory) put(s, 8, m->at);
}

static void write_end(sink *s, uint64_t members, uint64_t at, uint64_t size)
{
    const bool far = members >= 0xffff || at >= FA_FAR || size >= FA_FAR;
    if (far) {
        put(s, 4, 0x06064b50);
        put(s, 8, 44);
        put(s, 2, 45);
        put(s, 2, 45);
        put(s, 8, 0); // disks
        put(s, 8, members);
        put(s, 8, members);
        put(s, 8, size);
        put(s, 8, at);
        put(s, 4, 0x07064b50);
        put(s, 4, 0);
        put(s, 8, at + size);
        put(s, 4, 1);
    }
    put(s, 4, 0x06054b50);
    put(s, 4, 0);
    put(s, 2, far ? 0xffff : members);
    put(s, 2, far ? 0xffff : members);
    put(s, 4, far ? ALL_ONES : size);
    put(s, 4, far ? ALL_ONES : at);
    put(s, 2, 0);
}

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

// Every array goes twice: nowhere, for its size and checksum, and then into the file.
static void write_npz(sink *s, reader *r)
{
    fa_arrays   *a = s->arrays;
    member      *list = calloc(a->n_fields + 3, sizeof *list);
    fa_new_file *file = s->file;
    uint64_t     at = 0;
    if (!list) {
        no_memory(a);
        return;
    }
    const size_t n = list_members(a, list);
    for (size_t i = 0; i < n && a->status == FA_OK; i++) {
        member *m = &list[i];
        s->file = NULL;
        s->sum = ALL_ONES;
        s->size = 0;
        write_member(s, r, m);
        m->sum = ~s->sum;
        m->size = s->size;
        m->at = at;
        s->file = file;
        s->size = 0;
        write_header(s, m, false);
        write_member(s, r, m);
        at += s->size;
    }
    s->size = 0;
    for (size_t i = 0; i < n; i++) write_header(s, &list[i], true);
    write_end(s, n, at, s->size);
    free(list);
}

static void write_all(fa_arrays *a, fa_new_file *file)
{
    const size_t each = numbers_of(a);
    sink        *s = calloc(1, sizeof *s);
    reader       r = {.arrays = a, .each = each, .number = malloc((each + 1) * sizeof *r.number)};
    if (s && r.number) {
        s->arrays = a;
        s->file = file;
        begin_sums(s);
        if (a->packed)
            write_npz(s, &r);
        else
            write_npy(s, &r);
        flush(s);
    } else {
        no_memory(a);
    }
    free(r.number);
    free(s);
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
