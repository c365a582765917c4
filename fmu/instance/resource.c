// Finds and reads resources/robot.forearm from a path or URI, or from memory. In a source-code FMU
// (FA_BUILT_IN), which may run where there are no files, it is in memory alone.
#if defined(_WIN32) && !defined(FA_BUILT_IN)
#include <windows.h>
#endif

#include "resource.h"

#include "built_in.h"
#include "robot_file.h"

#include <stdlib.h>
#include <string.h>

#if !defined(FA_BUILT_IN)

#include <errno.h>
#include <stdio.h>

#define PATH_SIZE 4096 // limit of paths on all supported platforms

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool has_drive(const char *path)
{
    bool letter = (path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z');
    return letter && (path[1] == ':' || path[1] == '|');
}

bool fa_resource_path(const char *uri, bool decode, char path[], size_t size)
{
    // file:/path, file:///path, file://host/path: the host is ignored.
    if (strncmp(uri, "file:", 5) == 0) {
        uri += 5;
        if (uri[0] == '/' && uri[1] == '/') {
            uri += 2;
            while (*uri && *uri != '/') uri++;
        }
        if (uri[0] == '/' && has_drive(uri + 1)) uri++; // file:///C:/temp is C:/temp
    }
    size_t n = 0;
    while (*uri) {
        if (n + 1 >= size) return false;
        int high = decode && uri[0] == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;
        if (low >= 0 && (high > 0 || low > 0)) {
            path[n++] = (char)(high * 16 + low);
            uri += 3;
        } else {
            path[n++] = *uri++;
        }
    }
    path[n] = '\0';
    return true;
}

static FILE *open_file(const char *path)
{
#if defined(_WIN32)
    wchar_t wide[PATH_SIZE];
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_SIZE)) return NULL;
    return _wfopen(wide, L"rb");
#else
    return fopen(path, "rb");
#endif
}

// Reads the whole file; FA_IO if it does not exist or cannot be read.
static fa_status read_file(const char *path, char **text, size_t *size, fa_error *error)
{
    FILE *file = open_file(path);
    if (!file)
        return fa_fail(error, FA_IO, path, FA_NOWHERE, "the file cannot be opened: %s",
                       strerror(errno));
    fa_status status = FA_OK;
    size_t    room = 1 << 16, used = 0;
    char     *bytes = malloc(room);
    while (bytes) {
        used += fread(bytes + used, 1, room - used, file);
        if (used < room) break;
        char *more = room <= (size_t)-1 / 2 ? realloc(bytes, room * 2) : NULL;
        if (!more) free(bytes);
        bytes = more;
        room *= 2;
    }
    if (!bytes)
        status = fa_fail(error, FA_NO_MEMORY, path, FA_NOWHERE,
                         "there is not enough memory to read the file");
    else if (ferror(file))
        status =
            fa_fail(error, FA_IO, path, FA_NOWHERE, "the file cannot be read: %s", strerror(errno));
    fclose(file);
    if (status != FA_OK) {
        free(bytes);
        return status;
    }
    *text = bytes;
    *size = used;
    return FA_OK;
}

#endif

// Returns FA_OK if the text is the robot of this token, FA_BAD_INPUT if it is another one.
static fa_status check_token(const char *where, const char *text, size_t size, const char *token,
                             fa_error *error)
{
    char found[FA_TOKEN_SIZE];
    fa_robot_file_token(text, size, found);
    if (strcmp(found, token) == 0) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, where, FA_NOWHERE,
                   "modelDescription.xml belongs to another robot: it has the token %s, this file "
                   "has %s; export the FMU anew",
                   token, found);
}

// Returns FA_IO if no robot is compiled in.
static fa_status try_built_in(const char *token, char **text, size_t *size, fa_error *error)
{
    if (fa_built_in_size == 0) return FA_IO;
    fa_status status =
        check_token("built_in.c", (const char *)fa_built_in_robot, fa_built_in_size, token, error);
    if (status != FA_OK) return status;
    *text = malloc(fa_built_in_size);
    if (!*text)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to read the robot file");
    memcpy(*text, fa_built_in_robot, fa_built_in_size);
    *size = fa_built_in_size;
    return FA_OK;
}

#if defined(FA_BUILT_IN)

fa_status fa_resource_read(const char *resources, const char *token, char **text, size_t *size,
                           fa_error *error)
{
    (void)resources;
    return try_built_in(token, text, size, error);
}

#else

// Returns FA_IO if there is no such file, FA_BAD_INPUT if it is of another robot.
static fa_status try_folder(const char *folder, const char *below, const char *token, char **text,
                            size_t *size, fa_error *error)
{
    char path[PATH_SIZE];
    int  length = snprintf(path, sizeof path, "%s%s/robot.forearm", folder, below);
    if (length < 0 || (size_t)length >= sizeof path)
        return fa_fail(error, FA_IO, folder, FA_NOWHERE, "the path is too long");
    fa_status status = read_file(path, text, size, error);
    if (status == FA_OK) status = check_token(path, *text, *size, token, error);
    if (status == FA_BAD_INPUT) {
        free(*text);
        *text = NULL;
    }
    return status;
}

fa_status fa_resource_read(const char *resources, const char *token, char **text, size_t *size,
                           fa_error *error)
{
    fa_fail(error, FA_IO, NULL, FA_NOWHERE,
            "the robot file resources/robot.forearm was found neither in the resource folder '%s' "
            "that the host named nor beside the FMU's library; unpack the whole FMU",
            resources ? resources : "");
    // The message about another robot's file explains more than that about a missing one.
    fa_status worst = FA_IO, status = FA_IO;
    // cppcheck-suppress uninitvar ; only its address is taken
    fa_error fault, *said = error ? &fault : NULL;
    char     folder[PATH_SIZE];
    enum { BUILT_IN, AS_GIVEN, DECODED, NOT_DECODED, BESIDE_LIBRARY, PLACES };
    for (int place = BUILT_IN; place < PLACES; place++) {
        if (place == BUILT_IN) {
            status = try_built_in(token, text, size, said);
        } else if (place == BESIDE_LIBRARY) {
            if (!fa_library_folder(folder, sizeof folder)) continue;
            status = try_folder(folder, "/../../resources", token, text, size, said);
        } else if (!resources || !*resources) {
            continue;
        } else if (place == AS_GIVEN) {
            status = try_folder(resources, "", token, text, size, said);
        } else {
            if (!fa_resource_path(resources, place == DECODED, folder, sizeof folder)) continue;
            status = try_folder(folder, "", token, text, size, said);
        }
        if (status == FA_OK) return FA_OK;
        if (status != FA_IO && worst == FA_IO) {
            worst = status;
            if (error) *error = fault;
        }
    }
    return worst;
}

#endif
