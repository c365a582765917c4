// Deterministic zip writer on libzip: fixed timestamps and attributes.
#include "archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

// Noon: libzip converts through local time, and some zones skip midnight on some days.
#define DOS_DATE ((uint16_t)(1 << 5 | 1)) // 1 January 1980
#define DOS_TIME ((uint16_t)(12 << 11))   // 12:00:00

// compression level; with five platforms' libraries 6 takes three times as long for 6 % less
#define LEVEL 1

#define MODE_DATA    0100644u // regular file, mode rw-r--r--
#define MODE_PROGRAM 0100755u

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the archive");
}

fa_status fa_archive_add(fa_archive *archive, char *data, size_t size, bool program,
                         fa_error *error, const char *name_format, ...)
{
    if (archive->n == archive->room) {
        int        room = 2 * archive->room + 16;
        fa_member *more = realloc(archive->member, (size_t)room * sizeof *more);
        if (!more) {
            free(data);
            return no_memory(error);
        }
        archive->member = more;
        archive->room = room;
    }
    fa_member *member = &archive->member[archive->n++];
    *member = (fa_member){.data = data, .size = size, .program = program};
    va_list arguments;
    va_start(arguments, name_format);
    int length = vsnprintf(member->name, sizeof member->name, name_format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof member->name)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "the name of a file in the archive is too long: %.80s", member->name);
    return FA_OK;
}

void fa_archive_free(fa_archive *archive)
{
    for (int i = 0; i < archive->n; i++) free(archive->member[i].data);
    free(archive->member);
    *archive = (fa_archive){0};
}

static fa_status zip_fault(const zip_error_t *fault, fa_error *error)
{
    zip_error_t copy = *fault;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "cannot make the archive: %s",
                   zip_error_strerror(&copy));
}

// Adds a member, whose source belongs to the archive then.
static bool add(zip_t *archive, const char *name, zip_source_t *source, unsigned mode, int method)
{
    if (!source) return false;
    zip_int64_t index = zip_file_add(archive, name, source, 0);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    zip_uint64_t i = (zip_uint64_t)index;
    return zip_set_file_compression(archive, i, method, method == ZIP_CM_STORE ? 0 : LEVEL) == 0 &&
           zip_file_set_dostime(archive, i, DOS_TIME, DOS_DATE, 0) == 0 &&
           zip_file_set_external_attributes(archive, i, 0, ZIP_OPSYS_UNIX, mode << 16) == 0;
}

// Returns all bytes written to `source`.
static fa_status take_bytes(zip_source_t *source, char **data, size_t *size, fa_error *error)
{
    if (zip_source_open(source) != 0) return zip_fault(zip_source_error(source), error);
    fa_status   status = FA_OK;
    zip_int64_t length = -1;
    if (zip_source_seek(source, 0, SEEK_END) == 0) length = zip_source_tell(source);
    char *bytes = length < 0 ? NULL : malloc((size_t)length);
    if (!bytes || zip_source_seek(source, 0, SEEK_SET) != 0 ||
        zip_source_read(source, bytes, (zip_uint64_t)length) != length) {
        free(bytes);
        status = no_memory(error);
    } else {
        *data = bytes;
        *size = (size_t)length;
    }
    (void)zip_source_close(source);
    return status;
}

// Writes the archive in memory: libzip's own file writing depends on the umask and hides disk
// errors.
fa_status fa_archive_pack(const fa_archive *content, char **data, size_t *size, fa_error *error)
{
    zip_error_t fault;
    zip_error_init(&fault);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &fault);
    zip_t        *archive = NULL;
    fa_status     status = FA_OK;
    if (source) {
        zip_source_keep(source); // the archive releases one reference, this function the other
        archive = zip_open_from_source(source, ZIP_TRUNCATE, &fault);
        if (!archive) zip_source_free(source);
    }
    if (!archive) {
        status = zip_fault(&fault, error);
        goto done;
    }
    for (int i = 0; i < content->n && status == FA_OK; i++) {
        const fa_member *m = &content->member[i];
        zip_source_t    *data_of = zip_source_buffer(archive, m->data, m->size, 0);
        if (!add(archive, m->name, data_of, m->program ? MODE_PROGRAM : MODE_DATA, ZIP_CM_DEFLATE))
            status = zip_fault(zip_get_error(archive), error);
    }
    if (status == FA_OK && zip_close(archive) == 0) {
        status = take_bytes(source, data, size, error);
    } else {
        if (status == FA_OK) status = zip_fault(zip_get_error(archive), error);
        zip_discard(archive);
    }
done:
    if (source) zip_source_free(source);
    zip_error_fini(&fault);
    return status;
}

// ------------------------------------------------------------------------------ into a file

// Reads a member for libzip.
typedef struct source_of {
    const fa_member_stream *stream;
    uint64_t                at;
    zip_error_t             fault;
} source_of;

static zip_int64_t read_member(void *user, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    source_of *s = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              -1);
    case ZIP_SOURCE_STAT: {
        zip_stat_t *told = data;
        zip_stat_init(told);
        told->size = s->stream->size;
        told->valid = ZIP_STAT_SIZE;
        return sizeof *told;
    }
    case ZIP_SOURCE_READ: {
        const uint64_t left = s->stream->size - s->at;
        const size_t   n = (size_t)(size < left ? size : left);
        if (!s->stream->read(s->stream->context, data, n)) {
            zip_error_set(&s->fault, ZIP_ER_READ, 0);
            return -1;
        }
        s->at += n;
        return (zip_int64_t)n;
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&s->fault, data, size);
    default: // ZIP_SOURCE_OPEN, _CLOSE, _FREE
        return 0;
    }
}

// The file that libzip writes to.
typedef struct target_of {
    fa_new_file *file;
    uint64_t     at, size;
    fa_status    status;
    fa_error    *error;
    zip_error_t  fault;
} target_of;

static zip_int64_t result_of(target_of *t, zip_int64_t answer)
{
    if (t->status == FA_OK) return answer;
    zip_error_set(&t->fault, ZIP_ER_WRITE, 0);
    return -1;
}

static zip_int64_t write_file(void *user, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    target_of *t = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT: {
        zip_stat_t *told = data;
        zip_stat_init(told);
        told->size = 0; // nothing is there that the archive could read
        told->valid = ZIP_STAT_SIZE;
        return sizeof *told;
    }
    case ZIP_SOURCE_WRITE:
        if (t->status == FA_OK)
            t->status = fa_new_file_append(t->file, data, (size_t)size, t->error);
        t->at += size;
        if (t->at > t->size) t->size = t->at;
        return result_of(t, (zip_int64_t)size);
    case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t at =
            zip_source_seek_compute_offset(t->at, t->size, data, size, &t->fault);
        if (at < 0) return -1;
        if (t->status == FA_OK) t->status = fa_new_file_seek(t->file, (uint64_t)at, t->error);
        t->at = (uint64_t)at;
        return result_of(t, 0);
    }
    case ZIP_SOURCE_TELL_WRITE:
        return (zip_int64_t)t->at;
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
        return result_of(t, 0);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&t->fault, data, size);
    case ZIP_SOURCE_READ: // of a file without contents
    default:
        return 0;
    }
}

fa_status fa_archive_write(fa_new_file *file, const fa_member_stream member[], size_t n,
                           fa_error *error)
{
    target_of   target = {.file = file, .error = error};
    zip_error_t fault;
    zip_error_init(&fault);
    zip_error_init(&target.fault);
    source_of    *of = calloc(n + 1, sizeof *of);
    zip_source_t *source = of ? zip_source_function_create(write_file, &target, &fault) : NULL;
    zip_t        *archive = source ? zip_open_from_source(source, ZIP_TRUNCATE, &fault) : NULL;
    bool          fine = archive != NULL;
    if (source && !archive) zip_source_free(source);
    for (size_t i = 0; i < n && fine; i++) {
        of[i].stream = &member[i];
        zip_error_init(&of[i].fault);
        fine = add(archive, member[i].name, zip_source_function(archive, read_member, &of[i]),
                   MODE_DATA, ZIP_CM_STORE);
    }
    fa_status status = of ? FA_OK : no_memory(error);
    if (of && !(fine && zip_close(archive) == 0)) {
        status = target.status;
        if (status == FA_OK) status = zip_fault(archive ? zip_get_error(archive) : &fault, error);
        if (archive) zip_discard(archive);
    }
    free(of);
    zip_error_fini(&fault);
    return status;
}
