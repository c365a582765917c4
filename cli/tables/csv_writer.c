// CSV writer: writes to a temporary file and renames it when complete. Tables of numbers may be
// arrays instead.
#include "csv_writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "interrupt.h"
#include "number.h"
#include "paths.h"
#include "promise.h"

static void cannot_write(fa_csv_writer *writer)
{
    writer->status = fa_fail(writer->error, FA_IO, writer->path, FA_NOWHERE, "cannot write it: %s",
                             strerror(errno));
}

static void begin(fa_csv_writer *writer, fa_error *error)
{
    writer->arrays = NULL;
    writer->opened = false;
    writer->begun = false;
    writer->line = 1;
    writer->column = 0;
    writer->head = NULL;
    writer->head_size = writer->head_room = 0;
    writer->status = FA_OK;
    writer->error = error;
}

void fa_csv_create(const char *path, fa_csv_writer *writer, fa_error *error)
{
    bool standard = !path || strcmp(path, "-") == 0;
    writer->path = standard ? "standard output" : path;
    writer->stream = standard ? stdout : NULL;
    writer->file.handle = -1;
    writer->used = 0;
    begin(writer, error);
    if (standard) return;
    if (fa_path_is_device(path)) {
        writer->stream = fopen(path, "wb");
        writer->opened = writer->stream != NULL;
        if (!writer->opened) cannot_write(writer);
    } else {
        writer->status = fa_new_file_create(path, &writer->file, error);
        if (writer->status == FA_OK) fa_interrupt_removes(writer->file.temporary);
    }
}

void fa_csv_create_any(const char *path, fa_csv_writer *writer, fa_error *error)
{
    if (!fa_arrays_wanted(path)) {
        fa_csv_create(path, writer, error);
        return;
    }
    writer->path = path;
    writer->stream = NULL;
    writer->file.handle = -1;
    writer->used = 0;
    begin(writer, error);
    writer->arrays = malloc(sizeof *writer->arrays);
    if (writer->arrays) {
        fa_arrays_create(path, writer->arrays, error);
        writer->status = writer->arrays->status;
    } else {
        writer->status = fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                                 "there is not enough memory for its columns");
    }
}

void fa_csv_write_to(FILE *stream, fa_csv_writer *writer, fa_error *error)
{
    writer->path = "a table";
    writer->stream = stream;
    writer->file.handle = -1;
    writer->used = 0;
    begin(writer, error);
}

static void flush(fa_csv_writer *writer)
{
    size_t size = writer->used;
    writer->used = 0;
    if (writer->status != FA_OK) return;
    if (!writer->stream)
        writer->status = fa_new_file_append(&writer->file, writer->buffer, size, writer->error);
    else if (fwrite(writer->buffer, 1, size, writer->stream) != size)
        cannot_write(writer);
}

// Keeps the first line: messages about numbers name their column by it.
static void remember(fa_csv_writer *writer, const char *text, size_t size)
{
    if (writer->head_size + size >= writer->head_room) {
        const size_t room = 2 * (writer->head_room + size) + 256;
        char        *head = realloc(writer->head, room);
        if (!head) return;
        writer->head = head;
        writer->head_room = room;
    }
    memcpy(writer->head + writer->head_size, text, size);
    writer->head_size += size;
    writer->head[writer->head_size] = 0;
}

static void put(fa_csv_writer *writer, const char *text, size_t size)
{
    if (writer->line == 1) remember(writer, text, size);
    if (writer->used + size > sizeof writer->buffer) flush(writer);
    memcpy(writer->buffer + writer->used, text, size);
    writer->used += size;
}

static void separate(fa_csv_writer *writer)
{
    if (writer->begun) put(writer, ",", 1);
    writer->begun = true;
    writer->column++;
}

// A field of arrays: a column's name in the first line, and a number in the others.
static void put_in_arrays(fa_csv_writer *writer, const char *name, const char *part, double value)
{
    if (writer->status != FA_OK) return;
    if (writer->line == 1)
        fa_arrays_add(writer->arrays, name, part, 1);
    else
        fa_arrays_put(writer->arrays, &value, 1);
    writer->status = writer->arrays->status;
}

void fa_csv_put_name(fa_csv_writer *writer, const char *name)
{
    if (writer->arrays) {
        put_in_arrays(writer, name, NULL, NAN);
        return;
    }
    separate(writer);
    put(writer, name, strlen(name)); // a variable's name needs no quotes
}

void fa_csv_put_name_of(fa_csv_writer *writer, const char *name, const char *part)
{
    if (writer->arrays) {
        put_in_arrays(writer, name, part, NAN);
        return;
    }
    fa_csv_put_name(writer, name);
    put(writer, ".", 1);
    put(writer, part, strlen(part));
}

void fa_csv_put_text(fa_csv_writer *writer, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fa_csv_put_name(writer, text);
        return;
    }
    separate(writer);
    put(writer, "\"", 1);
    for (; *text; text++) put(writer, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    put(writer, "\"", 1);
}

static void no_number(fa_csv_writer *writer, double value)
{
    const char *name = writer->head ? writer->head : "a number";
    char        column[128];
    for (int i = 1; i < writer->column && strchr(name, ','); i++) name = strchr(name, ',') + 1;
    (void)snprintf(column, sizeof column, "%.*s", (int)strcspn(name, ",\n"), name);
    writer->status = fa_promise_in_table(column, writer->line, value, writer->path, writer->error);
}

void fa_csv_put_number(fa_csv_writer *writer, double value)
{
    char text[FA_NUMBER_SIZE];
    if (writer->arrays) {
        if (!isfinite(value) && writer->status == FA_OK) no_number(writer, value);
        put_in_arrays(writer, NULL, NULL, value);
        return;
    }
    size_t size = fa_number_write(value, text);
    separate(writer);
    if (!isfinite(value) && writer->status == FA_OK) no_number(writer, value);
    put(writer, text, size);
}

void fa_csv_put_known(fa_csv_writer *writer, double value)
{
    if (isnan(value))
        fa_csv_put_name(writer, "");
    else
        fa_csv_put_number(writer, value);
}

fa_status fa_csv_end_line(fa_csv_writer *writer)
{
    if (writer->arrays) {
        if (writer->line++ > 1) fa_arrays_end_record(writer->arrays, NULL);
        return writer->status;
    }
    put(writer, "\n", 1);
    writer->begun = false;
    writer->column = 0;
    writer->line++;
    return writer->status;
}

fa_status fa_csv_keep(fa_csv_writer *writer)
{
    if (writer->arrays && writer->status == FA_OK) writer->status = fa_arrays_keep(writer->arrays);
    if (writer->arrays) {
        fa_csv_drop(writer);
        return writer->status;
    }
    flush(writer);
    if (writer->status != FA_OK) {
        fa_csv_drop(writer);
        return writer->status;
    }
    if (!writer->stream) {
        writer->status = fa_new_file_keep(&writer->file, writer->error);
        fa_csv_drop(writer);
        return writer->status;
    }
    if (fflush(writer->stream) != 0) cannot_write(writer);
    fa_csv_drop(writer);
    return writer->status;
}

void fa_csv_drop(fa_csv_writer *writer)
{
    if (writer->arrays) fa_arrays_drop(writer->arrays);
    free(writer->arrays);
    writer->arrays = NULL;
    if (writer->opened) (void)fclose(writer->stream);
    writer->opened = false;
    writer->stream = NULL;
    free(writer->head);
    writer->head = NULL;
    fa_new_file_drop(&writer->file);
    fa_interrupt_removes(NULL);
}
