// Whatever the bytes: an FMU is refused with a sentence, or what `forearm inspect` prints of it can
// be made. libFuzzer also changes files within the archive, behind their checksums.
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "inspection.h"
#include "plant.h"

static void print(const fa_fmu *fmu)
{
    const fa_plant *plant = fa_plant_find(fmu->robot->plant);
    fa_variables    variables;
    fa_view         view;
    void           *block, *of_view;
    fa_error        error = fa_no_error();
    check(plant != NULL);
    if (fa_plant_variables(plant, fmu->robot, true, &variables, &block, &error) != FA_OK) return;
    if (fa_view_make(plant, fmu->robot, &variables, fmu->options.arrays, &view, &of_view, &error) ==
        FA_OK) {
        const fa_inspection inspection = {fmu->robot, &variables, &view, fmu};
        fa_json             json;
        char               *text;
        size_t              size;
        check(fa_json_begin(&json, &error) == FA_OK);
        fa_inspection_put(&json, &inspection);
        if (fa_json_take(&json, &text, &size) == FA_OK) free(text);
        free(of_view);
    }
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fa_fmu      fmu;
    fa_error    error = {0};
    (void)fa_fmu_looks_like(path);
    if (fa_fmu_read(path, &fmu, &error) != FA_OK) {
        check(error.message[0] != '\0' && !fmu.robot && !fmu.description);
        return 0;
    }
    check(strlen(fmu.description) <= fmu.description_size);
    if (fmu.robot) print(&fmu);
    fa_fmu_free(&fmu);
    return 0;
}

#if defined(FOREARM_FUZZ)

#include <zip.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

// The description of a robot file that has been changed, so that more than its token is looked at.
static void change_token(zip_t *archive, const char *was, const char *is, zip_error_t *fault)
{
    enum { ROOM = 1 << 18 };
    zip_int64_t index = zip_name_locate(archive, "modelDescription.xml", 0);
    zip_file_t *file = index < 0 ? NULL : zip_fopen_index(archive, (zip_uint64_t)index, 0);
    char       *text = calloc(ROOM + 1, 1);
    check(text != NULL);
    zip_int64_t length = file ? zip_fread(file, text, ROOM) : -1;
    if (file) zip_fclose(file);
    char *token = length < 0 ? NULL : strstr(text, was);
    if (token) memcpy(token, is, strlen(is));
    zip_source_t *source =
        token ? zip_source_buffer_create(text, (zip_uint64_t)length, 1, fault) : NULL;
    if (!source)
        free(text);
    else if (zip_file_replace(archive, (zip_uint64_t)index, source, 0) != 0)
        zip_source_free(source);
}

// Replaces a file of the archive by another one like it. False: there is nothing to do that with.
static bool change_member(zip_t *archive, unsigned seed, zip_error_t *fault)
{
    enum { ROOM = 1 << 15 };
    zip_int64_t n = zip_get_num_entries(archive, 0);
    if (n <= 0) return false;
    zip_uint64_t index = seed % (zip_uint64_t)n;
    uint8_t     *text = malloc(ROOM);
    zip_file_t  *file = text ? zip_fopen_index(archive, index, 0) : NULL;
    zip_int64_t  length = file ? zip_fread(file, text, ROOM) : -1;
    if (file) zip_fclose(file);
    if (length < 0) {
        free(text);
        return false;
    }
    char was[FA_TOKEN_SIZE], is[FA_TOKEN_SIZE];
    fa_robot_file_token((const char *)text, (size_t)length, was);
    size_t changed = LLVMFuzzerMutate(text, (size_t)length, ROOM);
    fa_robot_file_token((const char *)text, changed, is);
    if (strcmp(zip_get_name(archive, index, 0), "resources/robot.forearm") == 0)
        change_token(archive, was, is, fault);
    zip_source_t *source = zip_source_buffer_create(text, changed, 1, fault);
    if (!source) {
        free(text);
        return false;
    }
    if (zip_file_replace(archive, index, source, 0) == 0) return true;
    zip_source_free(source);
    return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    zip_error_t fault;
    zip_error_init(&fault);
    size_t   made = 0;
    uint8_t *copy = malloc(size + 1); // the source's, which releases what it replaces
    check(copy != NULL);
    memcpy(copy, data, size);
    zip_source_t *source = zip_source_buffer_create(copy, size, 1, &fault);
    if (source)
        zip_source_keep(source);
    else
        free(copy);
    zip_t *archive = source ? zip_open_from_source(source, 0, &fault) : NULL;
    if (source && !archive) zip_source_free(source);
    if (archive) {
        bool changed = change_member(archive, seed / 2, &fault);
        if (changed && zip_close(archive) == 0) {
            zip_int64_t length = -1;
            if (zip_source_open(source) == 0) {
                length = zip_source_read(source, data, most);
                zip_source_close(source);
            }
            made = length > 0 ? (size_t)length : 0;
        } else {
            zip_discard(archive);
        }
    }
    if (source) zip_source_free(source);
    zip_error_fini(&fault);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}

#endif
