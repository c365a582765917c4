// What an FMU of ours contains, read back from the archive.
#include "inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

// No FMU of ours comes near these; an archive that unpacks without end stops here.
#define MEMBERS_MAX 100000
#define MEMBER_MAX  ((zip_uint64_t)512 << 20) // [bytes]

bool fa_fmu_looks_like(const char *path)
{
    char  start[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool read = fread(start, 1, sizeof start, file) == sizeof start;
    (void)fclose(file);
    return read && memcmp(start, "PK\003\004", sizeof start) == 0;
}

static fa_status open_fault(const char *path, int code, fa_error *error)
{
    zip_error_t fault;
    zip_error_init_with_code(&fault, code);
    fa_status status =
        fa_fail(error, FA_IO, path, FA_NOWHERE,
                "cannot be read as an FMU, which is a zip archive: %s", zip_error_strerror(&fault));
    zip_error_fini(&fault);
    return status;
}

// A name that stays inside the folder that an archive is unpacked to.
static bool name_is_safe(const char *name)
{
    if (name[0] == '/' || strchr(name, '\\') || strchr(name, ':')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') return false;
    }
    return true;
}

static int compare_platforms(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Remembers the folder of binaries/<folder>/<file>.
static void note_platform(fa_fmu *fmu, const char *name)
{
    static const char folder[] = "binaries/";
    const int         room = (int)(sizeof fmu->platform / sizeof *fmu->platform);
    if (strncmp(name, folder, sizeof folder - 1) != 0) return;
    const char *platform = name + sizeof folder - 1;
    size_t      length = strcspn(platform, "/");
    if (platform[length] != '/' || !platform[length + 1]) return;
    if (length >= sizeof *fmu->platform || fmu->n_platforms == room) return;
    for (int i = 0; i < fmu->n_platforms; i++) {
        if (strlen(fmu->platform[i]) == length && memcmp(fmu->platform[i], platform, length) == 0) {
            return;
        }
    }
    memcpy(fmu->platform[fmu->n_platforms], platform, length);
    fmu->platform[fmu->n_platforms++][length] = '\0';
}

// Checks all names, and finds the two files that are read.
static fa_status list_members(zip_t *archive, const char *path, fa_fmu *fmu,
                              zip_int64_t *description, zip_int64_t *robot, fa_error *error)
{
    zip_int64_t n = zip_get_num_entries(archive, 0);
    *description = *robot = -1;
    if (n > MEMBERS_MAX) {
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has more than %d files in it and cannot be an FMU", MEMBERS_MAX);
    }
    for (zip_int64_t i = 0; i < n; i++) {
        const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
        if (!name || !name_is_safe(name)) {
            return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                           "names a file '%s' that would be unpacked somewhere else; do not "
                           "trust this archive",
                           name ? name : "");
        }
        zip_int64_t *found = strcmp(name, "modelDescription.xml") == 0      ? description
                             : strcmp(name, "resources/robot.forearm") == 0 ? robot
                                                                            : NULL;
        if (found && *found >= 0) {
            return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                           "has two files called '%s', so what it is depends on who reads it; "
                           "export the robot again",
                           name);
        }
        if (found) *found = i;
        note_platform(fmu, name);
    }
    qsort(fmu->platform, (size_t)fmu->n_platforms, sizeof *fmu->platform, compare_platforms);
    if (*description < 0) {
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "is a zip archive without modelDescription.xml, so it is no FMU");
    }
    return FA_OK;
}

// One member, whole, with a zero behind it.
static fa_status read_member(zip_t *archive, zip_int64_t index, const char *path, char **data,
                             size_t *size, fa_error *error)
{
    zip_stat_t  info;
    zip_file_t *file = NULL;
    char       *text = NULL;
    if (zip_stat_index(archive, (zip_uint64_t)index, 0, &info) != 0 ||
        !(info.valid & ZIP_STAT_SIZE)) {
        goto fault;
    }
    if (info.size > MEMBER_MAX) {
        return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                       "has a file '%s' of more than %d MiB and was not written by Forearm",
                       info.name, (int)(MEMBER_MAX >> 20));
    }
    text = malloc((size_t)info.size + 1);
    if (!text) {
        return fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE, "there is not enough memory for it");
    }
    file = zip_fopen_index(archive, (zip_uint64_t)index, 0);
    if (!file) goto fault;
    // One byte more than announced shows a member that is longer than it says.
    zip_int64_t n = zip_fread(file, text, info.size + 1);
    int         closed = zip_fclose(file);
    if (n < 0 || (zip_uint64_t)n != info.size || closed != 0) goto fault;
    text[info.size] = '\0';
    *data = text;
    *size = (size_t)info.size;
    return FA_OK;
fault:
    free(text);
    return fa_fail(error, FA_IO, path, FA_NOWHERE,
                   "is damaged: a file in it cannot be unpacked; export the robot again");
}

static fa_status read_robot(zip_t *archive, zip_int64_t index, const char *path, fa_fmu *fmu,
                            fa_error *error)
{
    char     *text;
    size_t    size;
    fa_status status = read_member(archive, index, path, &text, &size, error);
    if (status != FA_OK) return status;
    status = fa_robot_file_read(text, size, &fmu->robot, &fmu->options, error);
    if (status == FA_OK) fa_robot_file_token(text, size, fmu->token);
    free(text);
    return status;
}

fa_status fa_fmu_read(const char *path, fa_fmu *fmu, fa_error *error)
{
    *fmu = (fa_fmu){0};
    int    code = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
    if (!archive) return open_fault(path, code, error);

    zip_int64_t description, robot;
    fa_status   status = list_members(archive, path, fmu, &description, &robot, error);
    if (status == FA_OK) {
        status = read_member(archive, description, path, &fmu->description, &fmu->description_size,
                             error);
    }
    if (status == FA_OK && robot >= 0) status = read_robot(archive, robot, path, fmu, error);
    zip_discard(archive);
    if (status != FA_OK) fa_fmu_free(fmu);
    return status;
}

void fa_fmu_free(fa_fmu *fmu)
{
    free(fmu->description);
    free(fmu->robot);
    *fmu = (fa_fmu){0};
}
