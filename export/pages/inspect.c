// Reads the contents of a Forearm FMU from its archive.
#include "inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "members.h"

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

static int compare_platforms(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Records the folder of binaries/<folder>/<file>.
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

// Finds the description and the robot file among the members.
static fa_status list_members(zip_t *archive, const char *path, fa_fmu *fmu,
                              zip_int64_t *description, zip_int64_t *robot, fa_error *error)
{
    const zip_int64_t n = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < n; i++)
        note_platform(fmu, zip_get_name(archive, (zip_uint64_t)i, 0));
    qsort(fmu->platform, (size_t)fmu->n_platforms, sizeof *fmu->platform, compare_platforms);
    *description = zip_name_locate(archive, "modelDescription.xml", 0);
    *robot = zip_name_locate(archive, "resources/robot.forearm", 0);
    if (*description >= 0) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                   "is a zip archive without modelDescription.xml, so it is no FMU");
}

static fa_status read_robot(zip_t *archive, zip_int64_t index, const char *path, fa_fmu *fmu,
                            fa_error *error)
{
    char     *text;
    size_t    size;
    fa_status status = fa_member_read(archive, index, path, &text, &size, error);
    if (status != FA_OK) return status;
    status = fa_robot_file_read(text, size, &fmu->robot, &fmu->options, error);
    if (status == FA_OK) fa_robot_file_token(text, size, fmu->token);
    free(text);
    if (status == FA_OK && !strstr(fmu->description, fmu->token))
        status = fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                         "its modelDescription.xml belongs to another robot than its "
                         "resources/robot.forearm; export the robot again");
    return status;
}

fa_status fa_fmu_read(const char *path, fa_fmu *fmu, fa_error *error)
{
    *fmu = (fa_fmu){0};
    int    code = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
    if (!archive) return open_fault(path, code, error);

    zip_int64_t description, robot;
    fa_status   status = fa_members_check(archive, path, error);
    if (status == FA_OK) status = list_members(archive, path, fmu, &description, &robot, error);
    if (status == FA_OK)
        status = fa_member_read(archive, description, path, &fmu->description,
                                &fmu->description_size, error);
    // cppcheck-suppress uninitvar ; list_members sets it or fails
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
