// Whole files in memory, and a new one that is either complete or not there.
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "paths.h"

#if !defined(EDQUOT) // Windows has no quotas
#define EDQUOT ENOSPC
#endif

#define PATH_SIZE     FA_FILE_PATH_SIZE
#define ATTEMPTS_MAX  100 // names that an interrupted run may have left behind
#define CHUNK_MINIMUM 65536

static fa_status no_memory(const char *path, fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE, "there is not enough memory to read it");
}

fa_status fa_file_read(const char *path, size_t limit, char **data, size_t *size, fa_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE, "cannot open it: %s", strerror(errno));
    }
    fa_status status = FA_OK;
    char     *text = NULL;
    size_t    length = 0;
    size_t    room = 0;
    do {
        if (length > limit) {
            status = fa_fail(error, FA_IO, path, FA_NOWHERE,
                             "it has more than %zu bytes, which is too many for what it should be",
                             limit);
            goto done;
        }
        if (room - length < CHUNK_MINIMUM + 1) {
            room = 2 * room + CHUNK_MINIMUM + 1;
            char *larger = realloc(text, room);
            if (!larger) {
                status = no_memory(path, error);
                goto done;
            }
            text = larger;
        }
        length += fread(text + length, 1, room - length - 1, file);
        if (ferror(file)) {
            status = fa_fail(error, FA_IO, path, FA_NOWHERE, "cannot read it: %s", strerror(errno));
            goto done;
        }
    } while (!feof(file));
    text[length] = '\0';
    *data = text;
    *size = length;
    text = NULL;
done:
    free(text);
    (void)fclose(file);
    return status;
}

// The folder of a path, "." if it names none.
static void folder_of(const char *path, char folder[PATH_SIZE])
{
    const char *slash = fa_path_last(path);
    size_t      length = slash ? (size_t)(slash - path) : 0;
    if (!slash) {
        memcpy(folder, ".", 2);
        return;
    }
    if (length == 0) length = 1; // the root itself
    memcpy(folder, path, length);
    folder[length] = '\0';
}

static fa_status cannot_write(const char *path, int reason, fa_error *error)
{
    char folder[PATH_SIZE];
    folder_of(path, folder);
    if (reason == ENOENT) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: there is no folder '%s'; create it, or name another file",
                       folder);
    }
    if (reason == ENOTDIR || (fa_path_is_there(folder) && !fa_path_is_folder(folder))) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: '%s' is a file, not a folder; name another file", folder);
    }
    if (reason == EACCES || reason == EPERM || reason == EROFS) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: new files are not allowed in the folder '%s'; name "
                       "another one",
                       folder);
    }
    if (reason == ENOSPC || reason == EDQUOT) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: the disk is full; make room, or name another folder");
    }
    return fa_fail(error, FA_IO, path, FA_NOWHERE, "cannot write it: %s; name another file",
                   strerror(reason));
}

// The file that a path means, links followed; what stands there must be a file if it is anything.
static fa_status resolve(const char *path, char target[PATH_SIZE], fa_error *error)
{
    if (strlen(path) >= PATH_SIZE - 32) { // room for the ending of the temporary name
        return fa_fail(error, FA_IO, NULL, FA_NOWHERE, "the name of the file to write is too long");
    }
    memcpy(target, path, strlen(path) + 1);
    if (!fa_path_is_there(path)) return FA_OK; // nothing there yet
    if (!fa_path_is_file(path)) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: it is there already, but is no file; name another one");
    }
    // Renaming over it would ask for nobody's leave but the folder's; and root may write all.
    if (!fa_path_is_writable(path)) {
        return fa_fail(error, FA_IO, path, FA_NOWHERE,
                       "cannot write it: it is there already and may not be written; allow that, "
                       "remove it, or name another file");
    }
    char *real = fa_path_real(path);
    if (real && strlen(real) < PATH_SIZE - 32) memcpy(target, real, strlen(real) + 1);
    free(real);
    return FA_OK;
}

// Creates a temporary file beside `target` with a unique name.
static int create_beside(const char *target, char name[PATH_SIZE])
{
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (snprintf(name, PATH_SIZE, "%s.%ld.%d", target, fa_process_number(), attempt) >=
            PATH_SIZE) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file = fa_handle_create(name);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

static bool write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        const ptrdiff_t n = fa_handle_write(file, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

fa_status fa_new_file_create(const char *path, fa_new_file *file, fa_error *error)
{
    file->handle = -1;
    fa_status status = resolve(path, file->target, error);
    if (status != FA_OK) return status;
    memcpy(file->path, path, strlen(path) + 1); // no longer than the target may be
    file->handle = create_beside(file->target, file->temporary);
    return file->handle < 0 ? cannot_write(path, errno, error) : FA_OK;
}

void fa_new_file_drop(fa_new_file *file)
{
    if (file->handle < 0) return;
    (void)fa_handle_close(file->handle);
    (void)fa_file_remove(file->temporary);
    file->handle = -1;
}

// Drops a file that could not be written, and tells why.
static fa_status give_up(fa_new_file *file, fa_error *error)
{
    const int reason = errno;
    fa_new_file_drop(file);
    return cannot_write(file->path, reason, error);
}

fa_status fa_new_file_append(fa_new_file *file, const void *data, size_t size, fa_error *error)
{
    return write_all(file->handle, data, size) ? FA_OK : give_up(file, error);
}

fa_status fa_new_file_seek(fa_new_file *file, uint64_t at, fa_error *error)
{
    return fa_handle_seek(file->handle, at) ? FA_OK : give_up(file, error);
}

fa_status fa_new_file_keep(fa_new_file *file, fa_error *error)
{
    // Errors of a full disk may come as late as fsync or close.
    bool kept = fa_handle_sync(file->handle);
    int  reason = errno;
    if (!fa_handle_close(file->handle) && kept) {
        kept = false;
        reason = errno;
    }
    file->handle = -1;
    if (kept && !fa_file_rename(file->temporary, file->target)) {
        kept = false;
        reason = errno;
    }
    if (!kept) {
        (void)fa_file_remove(file->temporary);
        return cannot_write(file->path, reason, error);
    }
    char folder[PATH_SIZE];
    folder_of(file->target, folder);
    fa_folder_sync(folder);
    return FA_OK;
}

fa_status fa_file_write(const char *path, const void *data, size_t size, fa_error *error)
{
    fa_new_file file;
    fa_status   status = fa_new_file_create(path, &file, error);
    if (status == FA_OK) status = fa_new_file_append(&file, data, size, error);
    if (status == FA_OK) status = fa_new_file_keep(&file, error);
    return status;
}
