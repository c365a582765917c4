// The FMU: a zip archive whose bytes depend on nothing but what is in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "export.h"
#include "files.h"
#include "licence.h"
#include "plant.h"
#include "structure.h"

#define LIBRARY_LIMIT ((size_t)256 << 20) // [bytes]; ours has a fraction of one MiB

// Noon, because libzip goes through local time and some zones skip midnight on some days.
#define DOS_DATE ((uint16_t)(1 << 5 | 1)) // 1 January 1980
#define DOS_TIME ((uint16_t)(12 << 11))   // 12:00:00

// Of compression: with five platforms' libraries 6 takes three times as long for 6 % less.
#define LEVEL 1

#define MODE_DATA    0100644u // a file that its owner may write and all may read
#define MODE_PROGRAM 0100755u

typedef struct member {
    const char *name;
    const char *data;
    size_t      size;
    unsigned    mode;
} member;

static fa_status zip_fault(const zip_error_t *fault, fa_error *error)
{
    zip_error_t copy = *fault;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE, "cannot make the archive: %s",
                   zip_error_strerror(&copy));
}

static bool add(zip_t *archive, const member *m)
{
    zip_source_t *source = zip_source_buffer(archive, m->data, m->size, 0);
    if (!source) return false;
    zip_int64_t index = zip_file_add(archive, m->name, source, 0);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    zip_uint64_t i = (zip_uint64_t)index;
    return zip_set_file_compression(archive, i, ZIP_CM_DEFLATE, LEVEL) == 0 &&
           zip_file_set_dostime(archive, i, DOS_TIME, DOS_DATE, 0) == 0 &&
           zip_file_set_external_attributes(archive, i, 0, ZIP_OPSYS_UNIX, m->mode << 16) == 0;
}

// All of what has been written to `source`.
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
        status = fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the archive");
    } else {
        *data = bytes;
        *size = (size_t)length;
    }
    (void)zip_source_close(source);
    return status;
}

// The archive in memory: libzip's own way of writing files leaves permissions to the umask and the
// disk's faults to chance.
static fa_status pack(const member list[], int n, char **data, size_t *size, fa_error *error)
{
    zip_error_t fault;
    zip_error_init(&fault);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &fault);
    zip_t        *archive = NULL;
    fa_status     status = FA_OK;
    if (source) {
        zip_source_keep(source); // once for us, once for the archive
        archive = zip_open_from_source(source, ZIP_TRUNCATE, &fault);
        if (!archive) zip_source_free(source);
    }
    if (!archive) {
        status = zip_fault(&fault, error);
        goto done;
    }
    for (int i = 0; i < n && status == FA_OK; i++) {
        if (!add(archive, &list[i])) status = zip_fault(zip_get_error(archive), error);
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

static fa_status check_options(const fa_options *options, fa_error *error)
{
    if (options->fmi != 2 && options->fmi != 3) {
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "FMUs are written for FMI 2 or 3, not for FMI %d", options->fmi);
    }
    if (!fa_identifier_fits(options->identifier)) {
        char better[FA_NAME_SIZE];
        fa_identifier(options->identifier, better);
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "'%s' cannot be the name of an FMU, which must be an identifier of the C "
                       "language and none of its words; take '%s', for example",
                       options->identifier, better);
    }
    return FA_OK;
}

static fa_status warn_of_size(const fa_robot *robot, const fa_log *log, fa_error *error)
{
    const fa_plant *plant = fa_plant_find(robot->plant);
    fa_variables    table;
    void           *block;
    fa_status       status = fa_plant_variables(plant, robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    if (!fa_structure_is_exact(&table)) {
        fa_warn(log, robot->source, FA_NOWHERE,
                "with %d variables the FMU does not list which depends on which; hosts take each "
                "to depend on all",
                table.n);
    }
    free(block);
    return FA_OK;
}

// The libraries as members of the archive, with data that the reader releases.
typedef struct binaries {
    char   name[FA_PLATFORM_COUNT][2 * FA_NAME_SIZE];
    char  *data[FA_PLATFORM_COUNT];
    size_t size[FA_PLATFORM_COUNT];
} binaries;

static fa_status read_libraries(const fa_options *options, const fa_library library[], int n,
                                binaries *read, fa_error *error)
{
    for (int i = 0; i < n; i++) {
        (void)snprintf(read->name[i], sizeof read->name[i], "binaries/%s/%s%s", library[i].platform,
                       options->identifier, library[i].ending);
        fa_status status =
            fa_file_read(library[i].path, LIBRARY_LIMIT, &read->data[i], &read->size[i], error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

fa_status fa_export(const fa_robot *robot, const fa_options *options, const fa_library library[],
                    int n, const char *out_path, const fa_log *log, fa_error *error)
{
    binaries read = {.data = {NULL}};
    char    *robot_file = NULL, *description = NULL, *page = NULL, *archive = NULL;
    size_t   robot_size, description_size, page_size, archive_size = 0;

    fa_status status = check_options(options, error);
    if (status != FA_OK) return status;
    status = fa_robot_file_write(robot, options, &robot_file, &robot_size, error);
    if (status != FA_OK) goto done;
    status = fa_description_write(robot, options, &description, &description_size, error);
    if (status != FA_OK) goto done;
    status = warn_of_size(robot, log, error);
    if (status != FA_OK) goto done;
    status = fa_documentation_write(robot, options, &page, &page_size, error);
    if (status != FA_OK) goto done;
    status = read_libraries(options, library, n, &read, error);
    if (status != FA_OK) goto done;

    member list[4 + FA_PLATFORM_COUNT] = {
        {"modelDescription.xml", description, description_size, MODE_DATA},
        {"resources/robot.forearm", robot_file, robot_size, MODE_DATA},
        {"documentation/index.html", page, page_size, MODE_DATA},
        {"documentation/licenses/license.txt", fa_licence, strlen(fa_licence), MODE_DATA},
    };
    for (int i = 0; i < n; i++)
        list[4 + i] = (member){read.name[i], read.data[i], read.size[i], MODE_PROGRAM};
    status = pack(list, 4 + n, &archive, &archive_size, error);
    if (status != FA_OK) goto done;
    status = fa_file_write(out_path, archive, archive_size, error);
done:
    for (int i = 0; i < n; i++) free(read.data[i]);
    free(robot_file);
    free(description);
    free(page);
    free(archive);
    return status;
}
