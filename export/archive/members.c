// Validates names, counts and sizes of zip entries before anything is extracted.
#include "members.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// Limits against archive bombs; the project's FMUs are far below them.
#define MEMBERS_MAX 100000
#define MEMBER_MAX  ((zip_uint64_t)512 << 20) // [bytes]

// Bits of the Unix file type, in the upper half of the external attributes.
#define KIND_MASK   0170000u
#define KIND_FILE   0100000u
#define KIND_FOLDER 0040000u

// Returns true if the name stays inside the folder and is normalised: `./a` and `b//a` would
// overwrite `a` and `b/a` unnoticed.
static bool name_is_safe(const char *name)
{
    if (name[0] == '/' || name[0] == '\0' || strchr(name, '\\') || strchr(name, ':')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') return false;
        if (length == 1 && part[0] == '.') return false;
        if (length == 0 && *part == '/') return false;
    }
    return true;
}

static bool is_file_or_folder(zip_t *archive, zip_uint64_t index)
{
    zip_uint8_t  system;
    zip_uint32_t attributes;
    if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0)
        return false;
    const unsigned kind = attributes >> 16 & KIND_MASK;
    return system != ZIP_OPSYS_UNIX || kind == 0 || kind == KIND_FILE || kind == KIND_FOLDER;
}

static fa_status check_member(zip_t *archive, zip_uint64_t index, const char *path, fa_error *error)
{
    zip_stat_t info;
    zip_stat_init(&info);
    // The raw name, which other programs unpack; libzip converts some characters.
    const char *raw = zip_get_name(archive, index, ZIP_FL_ENC_RAW);
    const char *name = zip_get_name(archive, index, 0);
    if (!raw || !name || fa_text_has_controls(raw) || fa_text_has_controls(name) ||
        zip_stat_index(archive, index, 0, &info) != 0)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has a file whose name no file can have; do not trust this archive");
    if (!name_is_safe(raw) || !name_is_safe(name))
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "names a file '%s' that would be unpacked somewhere else; do not trust this "
                       "archive",
                       name);
    if (!is_file_or_folder(archive, index))
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has a link or a device called '%s', and an FMU has only files and folders; "
                       "do not trust this archive",
                       name);
    if (info.encryption_method != ZIP_EM_NONE)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has an encrypted file '%s', which no simulator could read; make it without "
                       "a password",
                       name);
    if (info.size > MEMBER_MAX)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has a file '%s' of more than %d MiB and was not written by Forearm", name,
                       (int)(MEMBER_MAX >> 20));
    return FA_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static fa_status check_names_differ(zip_t *archive, size_t n, const char *path, fa_error *error)
{
    const char **name = malloc((n + 1) * sizeof *name);
    if (!name)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                       "there is not enough memory for the names of its files");
    for (size_t i = 0; i < n; i++) name[i] = zip_get_name(archive, i, 0); // checked above
    qsort(name, n, sizeof *name, by_name);
    fa_status status = FA_OK;
    for (size_t i = 1; i < n && status == FA_OK; i++)
        if (strcmp(name[i - 1], name[i]) == 0)
            status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                             "has two files called '%s', so what it is depends on who reads it; "
                             "export the robot again",
                             name[i]);
    free(name);
    return status;
}

fa_status fa_members_check(zip_t *archive, const char *path, fa_error *error)
{
    const zip_int64_t n = zip_get_num_entries(archive, 0);
    if (n > MEMBERS_MAX)
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has more than %d files in it and cannot be an FMU", MEMBERS_MAX);
    for (zip_int64_t i = 0; i < n; i++) {
        fa_status status = check_member(archive, (zip_uint64_t)i, path, error);
        if (status != FA_OK) return status;
    }
    return check_names_differ(archive, (size_t)n, path, error);
}

fa_status fa_member_read(zip_t *archive, zip_int64_t index, const char *path, char **data,
                         size_t *size, fa_error *error)
{
    zip_stat_t  info;
    zip_file_t *file = NULL;
    char       *text = NULL;
    if (zip_stat_index(archive, (zip_uint64_t)index, 0, &info) != 0 ||
        !(info.valid & ZIP_STAT_SIZE))
        goto fault;
    text = malloc((size_t)info.size + 1);
    if (!text)
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE, "there is not enough memory for it");
    file = zip_fopen_index(archive, (zip_uint64_t)index, 0);
    if (!file) goto fault;
    // A read past the end detects a longer member, and makes libzip verify the checksum.
    char              more;
    const zip_int64_t n = zip_fread(file, text, info.size), beyond = zip_fread(file, &more, 1);
    if (zip_fclose(file) != 0) goto fault;
    if (n != (zip_int64_t)info.size) goto fault;
    if (beyond != 0) goto fault;
    text[info.size] = '\0';
    *data = text;
    *size = (size_t)info.size;
    return FA_OK;
fault:
    free(text);
    return fa_fail(error, FA_IO, path, FA_NOWHERE,
                   "is damaged: a file in it cannot be unpacked; export the robot again");
}
